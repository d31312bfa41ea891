import { type SQL, sql } from 'drizzle-orm'
import type { WriteContext } from '../../../kit/context.ts'
import { inputValue, jsonBatches, resolvedId } from '../../../kit/db/bulk.ts'
import { conflictIf } from '../../../kit/db/failures.ts'
import { combineQueries, resolvedQuery } from '../../../kit/db/query.ts'
import { asOneChange } from '../../../kit/db/statements.ts'
import { requirePresent } from '../../../kit/lib/values.ts'
import { assertMayUpload } from '../images.ts'
import { assertAuthor, checkExternalId, checkReferences } from '../known-references.ts'
import type { ContentWrites } from '../resource.ts'
import { SERIES_DATES } from '../series-dates.ts'
import { deleteForGood, trashedRow, withUses } from '../trash.ts'
import { selectOncePublic } from '../visibility.ts'
import {
  auditStatements,
  type Numbered,
  numberRows,
  rowStatements,
  selectWritten,
  withAuditedValues,
  withStoredImages,
} from '../writes.ts'
import {
  type PreparedRelated,
  type PreparedRelatedRow,
  prepareNewRelated,
  prepareRelatedUpdate,
  type ReferencedByRelated,
  type RelatedTarget,
  type StoredRelated,
  selectReferencedByRelated,
} from './prepare.ts'
import type { RelatedResource, RelatedRow, RelatedTables, RelatedValues } from './resource.ts'
import { existsAlreadySql, NewRows } from './same-rows.ts'

export const relatedWrites = <R extends RelatedRow, F extends RelatedValues>(
  resource: RelatedResource<R, unknown>,
): ContentWrites<{
  fields: F
  stored: StoredRelated<R>
  referencedRows: ReferencedByRelated
  prepared: RelatedTarget
  row: R
}> => ({
  headers: SERIES_DATES,
  // A request that uses an existing row needs it unchanged, and other requests may look for a row by its new
  // name.
  usedNames: row =>
    'same' in row ? [[`row ${row.same}`, 'found']] : [[`name ${row.name}`, row.stored ? row : 'new']],
  selectStored: (context, condition, values) =>
    combineQueries(
      {
        rows: resource.select(context, condition),
        // A name may change the slug of a row that nobody has seen yet.
        oncePublic: values.some(fields => fields[resource.singular] !== undefined)
          ? selectOncePublic(resource, condition)
          : resolvedQuery([]),
      },
      ({ rows, oncePublic }) => rows.map(row => ({ ...row, wasPublic: oncePublic.includes(row.id) })),
    ),
  selectReferencedRows: (context, values) => selectReferencedByRelated(context, resource, values),
  prepare: (context, { values, stored, referencedRows }, errors) => {
    assertAuthor(context, { author: values.author, ...(stored && { owner: stored.author_id }) })
    assertMayUpload(context, values.image)
    checkReferences(context, { values, known: referencedRows.references }, errors)
    resource.validate?.(values, stored, errors)
    if (stored)
      checkExternalId(resource, values, { byExternalId: referencedRows.byExternalId, own: stored.id }, errors)
    const target = stored
      ? prepareRelatedUpdate(context, resource, { values, stored })
      : prepareNewRelated(context, resource, { values, referencedRows }, errors)
    errors.throwIfAny()
    return target
  },
  prepareTrash: (context, { row }) => ({
    ...trashedRow(context, row),
    name: row.name,
    isListedAnew: true,
    text: undefined,
  }),
  deleteForGood: (context, { row, detach }) => deleteForGood(context, { resource, row, detach }),
  write: async (context, prepared) => {
    const { rows, idOf } = rowsOfTargets(resource, prepared)
    const rowsToWrite = await withAuditedValues(context, await withStoredImages(context, rows))
    const listedAnew = rows.filter(({ isListedAnew }) => isListedAnew).map(({ id }) => id)
    return withUses(context, resource, listedAnew, () =>
      context.db.write(
        asOneChange(relatedStatements(context, resource, rowsToWrite)),
        selectWritten(context, resource, prepared.map(idOf)),
      ),
    )
  },
})

/**
 * The statements that write venues or organizers. They fail as a conflict if somebody has created the same
 * row in the meantime.
 */
export function relatedStatements(
  context: WriteContext,
  resource: RelatedTables,
  rows: readonly Numbered<PreparedRelatedRow>[],
): SQL[] {
  const createdRows = rows.flatMap(({ requestedRow }) => (requestedRow ? [requestedRow] : []))
  return [
    ...(createdRows.length === 0 ? [] : [conflictIf(existsAlreadySql(context, resource, createdRows))]),
    ...rowStatements(context, { resource }, rows),
    ...auditStatements(context, resource, rows),
    ...relatedTextStatements(
      resource,
      rows.flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }])),
    ),
  ]
}

/**
 * The rows that a transaction writes for some targets: new targets that are the same share a row. `idOf`
 * returns the id of a target.
 *
 * @see resolvedId
 */
export function rowsOfTargets(resource: RelatedTables, targets: readonly RelatedTarget[]) {
  const newRows = new NewRows<PreparedRelated>(resource)
  const byExternalId = new Map<unknown, PreparedRelated>()
  const sameAs = (target: PreparedRelated): PreparedRelated | undefined =>
    byExternalId.get(target.requestedRow?.external_id) ?? newRows.find(target.name, target.requestedRow)
  const writtenRows = new Map<RelatedTarget, PreparedRelated>()
  for (const target of targets) {
    if ('same' in target) continue
    const sameRow = target.stored ? undefined : sameAs(target)
    writtenRows.set(target, sameRow ?? target)
    if (sameRow || target.stored) continue
    const {
      name,
      columns: { external_id },
    } = target
    newRows.add(name, target)
    if (external_id) byExternalId.set(external_id, target)
  }
  const distinctRows = [...new Set(writtenRows.values())]
  const rows = numberRows(distinctRows)
  const ids = new Map(distinctRows.map((row, i) => [row, rows[i]?.id]))
  const idOf = (target: RelatedTarget): number =>
    'same' in target
      ? target.same
      : requirePresent(ids.get(writtenRows.get(target) ?? target), 'the id of a target')
  return { rows, idOf }
}

/** A row and its text for searches. @see resolvedId */
type IndexedText = { id: number; text: string }

/** The statements that store the texts of existing venues or organizers. */
export const relatedTextStatements = (
  { table, searchTable }: RelatedTables,
  texts: readonly IndexedText[],
): SQL[] =>
  jsonBatches(texts.map(({ id, text }) => ({ id, text }))).map(
    json => sql`INSERT OR REPLACE INTO ${sql.identifier(searchTable)} (rowid, search_text)
      SELECT ${table.id}, ${inputValue('text')} FROM json_each(${json}) AS input
      CROSS JOIN ${table} ON ${table.id} = ${resolvedId(table, inputValue('id'))}`,
  )
