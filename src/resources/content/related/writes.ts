import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RequestContext, WriteContext } from '../../../context.ts'
import { defaultValues, type InputRow, inputValue, jsonBatches, resolvedId } from '../../../db/bulk.ts'
import { changes } from '../../../db/derived.ts'
import { conflictIf } from '../../../db/failures.ts'
import { many, mapped, type Query, type RawRow, settled, together } from '../../../db/query.ts'
import { asOneChange } from '../../../db/statements.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { memoize } from '../../../lib/memo.ts'
import { changedSlug, importedSlug, newSlug, renamedSlug } from '../../../lib/slug.ts'
import { isWaiting } from '../../../lib/statuses.ts'
import { omit, withoutUndefined } from '../../../lib/values.ts'
import { beforeAndAfter, changedColumns, changesRow } from '../changed-values.ts'
import { storedNames } from '../fields.ts'
import { assertMayUpload, otherImage } from '../images.ts'
import { differingColumns, isUnchangedBy } from '../imported.ts'
import { importedPublication, publicationOf } from '../publication.ts'
import {
  assertAuthor,
  checkExternalId,
  checkReferences,
  type KnownReferences,
  type RowsByExternalId,
  selectByExternalId,
  selectReferences,
} from '../references.ts'
import type { ContentWrites } from '../resource.ts'
import { SERIES_DATES } from '../series-dates.ts'
import { deleteForGood, trashedRow, withUses } from '../trash.ts'
import {
  auditStatements,
  type Numbered,
  numbered,
  type PreparedRow,
  rowStatements,
  selectWritten,
  withKeptValues,
  withStoredImages,
} from '../writes.ts'
import { contactFields, storedContact, withContact } from './hidden-contact.ts'
import {
  nameIn,
  type RelatedResource,
  type RelatedRow,
  type RelatedTables,
  type RelatedValues,
  relatedText,
} from './resource.ts'
import { existsAlready, NewRows, requestedColumns, rowKey, type SameRows, selectSame } from './same.ts'

/** The parts from which the slug of a venue or organizer is made, except for its name. */
const namingOf = (
  { settings }: Pick<RequestContext, 'settings'>,
  { singular }: Pick<RelatedTables, 'singular'>,
  { slug }: RelatedValues,
) => ({ slug, language: settings.website.language, fallback: singular })

/** The rows that the values of venues or organizers refer to, and existing rows that are the same as new ones. */
export type FoundRelated = { references: KnownReferences; byExternalId: RowsByExternalId; same: SameRows }

/** A query for these rows. */
export const lookUpRelated = (
  context: RequestContext,
  resource: RelatedTables,
  values: readonly RelatedValues[],
): Query<FoundRelated> =>
  together({
    references: selectReferences(context, values),
    byExternalId: selectByExternalId(context, resource, values),
    same: selectSame(
      context,
      resource,
      values.flatMap(one => (nameIn(resource, one) === '' ? [] : [requestedColumns(context, resource, one)])),
    ),
  })

/** The row of a new or changed venue or organizer. */
type PreparedRelatedRow = PreparedRow & {
  /** The columns of a new row that a request names: no existing row may have them. */
  requested?: InputRow | undefined
  /** The text for searches; undefined if it stays. */
  text: string | undefined
}

/** A new or changed venue or organizer. */
type PreparedRelated = PreparedRelatedRow & {
  /** The name after the write. */
  name: string
  /** True if lists show all its events in another way after the write. */
  listsAnew?: boolean
  /** The id of another row that has the external id of an imported row, which therefore gets none. */
  holder?: number | undefined
}

/** An existing row, or a new or changed one. */
export type RelatedTarget = { same: number } | PreparedRelated

/** @property wasPublic true if lists have ever shown the row. Only writes of a name need to know */
type StoredRelated<R = RelatedRow> = R & { wasPublic?: boolean }

/** Selects the ids of venues or organizers that lists have ever shown. @param condition names the rows */
const selectOncePublic = ({ table, plural }: RelatedTables, condition: SQL): Query<number[]> =>
  many(
    sql`SELECT ${table.id} AS id FROM ${table} WHERE ${condition} AND EXISTS (SELECT 1 FROM ${changes} AS shown
      WHERE shown.kind = ${plural} AND shown.id = ${table.id} AND shown.public_n IS NOT NULL)`,
    row => Number(row.id),
  )

/** The writes of venues or organizers. */
export const relatedWrites = <R extends RelatedRow, F extends RelatedValues>(
  resource: RelatedResource<R, unknown>,
): ContentWrites<{
  fields: F
  stored: StoredRelated<R>
  found: FoundRelated
  prepared: RelatedTarget
  row: R
}> => ({
  headers: SERIES_DATES,
  // A request that uses an existing row needs it unchanged, and other requests may look for a row by its new name.
  usedNames: one =>
    'same' in one ? [[`row ${one.same}`, 'found']] : [[`name ${one.name}`, one.stored ? one : 'new']],
  selectStored: (context, condition, values) =>
    mapped(
      together({
        rows: resource.select(context, condition),
        // A name may change the slug of a row that nobody has seen yet.
        oncePublic: values.some(one => one[resource.singular] !== undefined)
          ? selectOncePublic(resource, condition)
          : settled([]),
      }),
      ({ rows, oncePublic }) => rows.map(row => ({ ...row, wasPublic: oncePublic.includes(row.id) })),
    ),
  lookUp: (context, values) => lookUpRelated(context, resource, values),
  prepare: (context, { values, stored, found }, errors) => {
    assertAuthor(context, { author: values.author, ...(stored && { owner: stored.author_id }) })
    assertMayUpload(context, values.image)
    checkReferences(context, { values, known: found.references }, errors)
    resource.validate?.(values, stored, errors)
    if (stored)
      checkExternalId(resource, values, { byExternalId: found.byExternalId, own: stored.id }, errors)
    const target = stored
      ? preparedUpdate(context, resource, { values, stored })
      : preparedNew(context, resource, { values, found }, errors)
    errors.throwIfAny()
    return target
  },
  prepareTrash: (context, { row }) => ({
    ...trashedRow(context, row),
    name: row.name,
    listsAnew: true,
    text: undefined,
  }),
  deleteForGood: (context, { row, detach }) => deleteForGood(context, { resource, row, detach }),
  write: async (context, prepared) => {
    const { rows, idOf } = distinct(resource, prepared)
    const stored = await withKeptValues(context, await withStoredImages(context, rows))
    const listedAnew = rows.filter(({ listsAnew }) => listsAnew).map(({ id }) => id)
    return withUses(context, resource, listedAnew, () =>
      context.db.change(
        asOneChange(relatedStatements(context, resource, stored)),
        selectWritten(context, resource, prepared.map(idOf)),
      ),
    )
  },
})

/**
 * A new venue or organizer from checked values, or the existing row that is the same.
 *
 * @param errors gets one if another row has the external id
 * @param parameter the field to report, for content that is nested in it
 */
export function preparedNew(
  context: RequestContext,
  resource: RelatedTables,
  { values, found }: { values: RelatedValues; found: FoundRelated },
  errors: ValidationErrors,
  parameter?: string,
): RelatedTarget {
  const requested = requestedColumns(context, resource, values)
  const same = found.same.get(rowKey(requested))
  checkExternalId(resource, values, { byExternalId: found.byExternalId, own: same }, errors, parameter)
  if (same !== undefined) return { same }
  const publication = publicationOf(context, { values })
  const name = nameIn(resource, values)
  const slug = newSlug({ ...namingOf(context, resource, values), name, status: publication.status })
  const author_id = values.author ?? context.caller.id
  const { sent: _, ...row } = rowFrom(resource, values, { ...publication, author_id, slug })
  return { ...row, requested, name }
}

/**
 * The row that values of a request or of a source lead to, with its text for searches if that changes.
 *
 * @param others columns that plain fields don't set
 * @param stored the row before an update
 */
function rowFrom(
  resource: RelatedTables,
  values: RelatedValues,
  others: PreparedRow['columns'],
  stored?: Readonly<Record<string, unknown>>,
) {
  const name = values[resource.singular] === undefined ? undefined : nameIn(resource, values)
  const sent = { ...others, ...resource.columnsOf(values), name }
  const columns = storedContact(resource, sent, stored)
  const text = relatedText(resource, { ...stored, ...withoutUndefined(columns) })
  const isStored = stored !== undefined && text === relatedText(resource, stored)
  return {
    columns,
    sent,
    image: values.image,
    fields: Object.keys(values),
    text: isStored ? undefined : text,
  }
}

function preparedUpdate(
  context: RequestContext,
  resource: RelatedTables,
  { values, stored }: { values: RelatedValues; stored: StoredRelated },
): RelatedTarget {
  const publication = publicationOf(context, { values, stored })
  const name = values[resource.singular] === undefined ? undefined : nameIn(resource, values)
  const own = { ...namingOf(context, resource, values), name: name ?? stored.name }
  // As in WordPress, the slug follows the name until the first publication.
  const followsName = values.slug === undefined && !stored.wasPublic && isWaiting(stored.status)
  const slug = followsName && name !== undefined ? renamedSlug(own, stored) : values.slug
  const naming = { ...own, slug, status: publication.status }
  const others = { ...publication, author_id: values.author, slug: changedSlug(naming, stored) }
  const { columns, sent, ...row } = rowFrom(resource, values, others, stored)
  const image = otherImage(values.image, stored)
  if (!changesRow({ stored, columns, image })) return { same: stored.id }
  const changed = changedColumns(stored, withoutUndefined(columns))
  return {
    ...row,
    stored,
    columns,
    name: name ?? stored.name,
    listsAnew: ['status', ...(resource.listedBy ?? [])].some(name => name in changed),
    image,
    // Hiding a contact doesn't change it: undoing must not empty it.
    changed: beforeAndAfter(resource.declared, {
      named: row.fields,
      stored: withContact(stored),
      columns: sent,
      image,
    }),
  }
}

type Imported = {
  values: RelatedValues
  /** The row before an update. */
  stored: { id: number; slug: string; version: number } | undefined
  /** All columns of that row, if they are known: only columns that change are written. */
  before?: RawRow | undefined
  /** The id of the row that has the external id. */
  holder: number | undefined
}

/**
 * Prepares the write of an imported venue or organizer, with all its columns. Nothing is refused, because nobody can correct a
 * source, and the reader has checked the values. Fields that the source lacks get the values of new rows. If another row has the
 * external id, this row gets none.
 */
export function preparedImport(
  context: Pick<RequestContext, 'now' | 'settings'>,
  resource: RelatedTables,
  { values, stored, before, holder }: Imported,
): PreparedRelated & { isUnchanged: boolean; row: InputRow } {
  const name = nameIn(resource, values)
  const { status = 'publish', date, date_utc, modified, modified_utc, external_id = '' } = values
  const isFree = holder === undefined || holder === stored?.id
  // Of an organizer that isn't known, nobody knows here whether it hides its contact: that stays, without defaults either.
  const kept = stored && !before ? contactFields(resource) : []
  const others = {
    ...omit(plainDefaults(resource), ...kept),
    ...importedPublication(context, { status, date, date_utc, modified, modified_utc }, !stored),
    author_id: stored ? undefined : values.author,
    slug: importedSlug({ ...namingOf(context, resource, values), name }, stored),
  }
  const complete = { ...values, [resource.singular]: name, external_id: isFree ? external_id : '' }
  const known: RelatedValues = omit(complete, ...kept)
  const { columns, sent: _, ...prepared } = rowFrom(resource, known, others, before)
  const written = before ? differingColumns(resource.singular, before, columns) : columns
  return {
    ...prepared,
    row: columns,
    stored: stored && { id: stored.id, version: stored.version },
    columns: written,
    name,
    fields: [],
    holder: isFree ? undefined : holder,
    isUnchanged: before !== undefined && values.image === undefined && isUnchangedBy(written, modified),
  }
}

/** The default values of the plain fields. */
const plainDefaults = memoize(({ table, declared }: Pick<RelatedTables, 'table' | 'declared'>): InputRow => {
  const defaults = defaultValues(getTableColumns<SQLiteTable>(table))
  return Object.fromEntries(storedNames(declared).map(name => [name, defaults[name]]))
})

/** The statements that write venues or organizers. They fail as a conflict if somebody has meanwhile created the same row. */
export function relatedStatements(
  context: WriteContext,
  resource: RelatedTables,
  rows: readonly Numbered<PreparedRelatedRow>[],
): SQL[] {
  const created = rows.flatMap(({ requested }) => (requested ? [requested] : []))
  return [
    ...(created.length === 0 ? [] : [conflictIf(existsAlready(context, resource, created))]),
    ...rowStatements(context, { resource }, rows),
    ...auditStatements(context, resource, rows),
    ...indexTexts(
      resource,
      rows.flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }])),
    ),
  ]
}

/**
 * The rows that a transaction writes for some targets: new targets that are the same share one. `idOf` returns the id
 * of a target.
 *
 * @see resolvedId
 */
export function distinct(resource: RelatedTables, targets: readonly RelatedTarget[]) {
  const named = new NewRows<PreparedRelated>()
  const byExternalId = new Map<unknown, PreparedRelated>()
  const sameAs = (target: PreparedRelated): PreparedRelated | undefined =>
    byExternalId.get(target.requested?.external_id) ?? named.find(target.name, target.requested)
  const written = new Map<RelatedTarget, PreparedRelated>()
  for (const target of targets) {
    if ('same' in target) continue
    const same = target.stored ? undefined : sameAs(target)
    written.set(target, same ?? target)
    if (same || target.stored) continue
    const {
      name,
      columns: { external_id },
    } = target
    named.add(resource, name, target)
    if (external_id) byExternalId.set(external_id, target)
  }
  const each = [...new Set(written.values())]
  const rows = numbered(each)
  const ids = new Map(each.map((row, i) => [row, rows[i]?.id ?? 0]))
  const idOf = (target: RelatedTarget): number =>
    'same' in target ? target.same : (ids.get(written.get(target) ?? target) ?? 0)
  return { rows, idOf }
}

/** A row and its text for searches. @see resolvedId */
type IndexedText = { id: number; text: string }

/** The statements that store the texts of existing venues or organizers. */
export const indexTexts = (
  { table, searchTable }: Pick<RelatedTables, 'table' | 'searchTable'>,
  texts: readonly IndexedText[],
): SQL[] =>
  jsonBatches(texts.map(({ id, text }) => ({ id, text }))).map(
    json => sql`INSERT OR REPLACE INTO ${sql.identifier(searchTable)} (rowid, search_text)
      SELECT ${table.id}, ${inputValue('text')} FROM json_each(${json}) AS input
      CROSS JOIN ${table} ON ${table.id} = ${resolvedId(table, inputValue('id'))}`,
  )
