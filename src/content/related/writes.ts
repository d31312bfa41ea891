import { getTableColumns, type SQL } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { defaultValues, type GivenRow, storedValues } from '../../db/bulk.ts'
import { conflictIf } from '../../db/conflicts.ts'
import { type Query, together } from '../../db/query.ts'
import { type Holders, reportTaken, selectHolders } from '../external-ids.ts'
import { imageColumn } from '../images.ts'
import { assertMayUpload } from '../pictures.ts'
import { publicationOf } from '../publication.ts'
import { assertAuthor, type KnownReferences, reportReferences, selectReferences } from '../references.ts'
import { indexTexts, searchText } from '../search.ts'
import { changedSlug, newSlug } from '../slugs.ts'
import {
  type ContentWrites,
  type Numbered,
  numbered,
  type PreparedRow,
  rowStatements,
  selectWritten,
  withStoredImages,
} from '../writes.ts'
import { nameIn, type RelatedKind, type RelatedRow, type RelatedTables, type RelatedValues } from './kind.ts'
import { givenColumns, givenKey, isThere, type SameRows, selectSame } from './same.ts'

/** The search text of a venue or organizer: folded name, description and other texts. */
export function relatedText(
  { searchColumns }: Pick<RelatedTables, 'searchColumns'>,
  row: Readonly<Record<string, unknown>>,
): string {
  const others = searchColumns.map(column => String(row[column] ?? ''))
  return searchText(String(row.name ?? ''), String(row.description ?? ''), others)
}

/** The rows that the values of venues or organizers refer to. */
export type FoundRelated = { references: KnownReferences; holders: Holders; same: SameRows }

/** A query of the rows that the values of venues or organizers refer to, and of those that are the same as new ones. */
export const lookUpRelated = (
  context: RequestContext,
  kind: RelatedTables,
  values: readonly RelatedValues[],
): Query<FoundRelated> =>
  together({
    references: selectReferences(context, values),
    holders: selectHolders(context, kind, values),
    same: selectSame(
      context,
      kind,
      values.flatMap(one => (nameIn(kind, one) === '' ? [] : [givenColumns(context, kind, one)])),
    ),
  })

/** A venue or organizer that is to be written. */
export type PreparedRelated = PreparedRow & {
  /** The columns that the request gives, if it is a new one. */
  given: GivenRow
  /** The text for searches. */
  text: string
}

/** A row that is there already, or one to be written. */
export type RelatedTarget = { same: number } | PreparedRelated

/** The writes of venues or organizers. */
export const relatedWrites = <R extends RelatedRow, Body, F extends RelatedValues>(
  kind: RelatedKind<R, Body>,
): ContentWrites<F, R, FoundRelated, RelatedTarget, Body> => ({
  selectStored: (context, condition) => kind.select(context, condition),
  lookUp: (context, values) => lookUpRelated(context, kind, values),
  prepare: (context, { values, stored, found }, errors) => {
    assertAuthor(context, { author: values.author, ...(stored && { owner: stored.author_id }) })
    assertMayUpload(context, values.image)
    reportReferences(context, { values, known: found.references }, errors)
    kind.validate?.(values, stored, errors)
    const same = stored ? undefined : found.same.get(givenKey(givenColumns(context, kind, values)))
    reportTaken(kind, values, { holders: found.holders, own: stored?.id ?? same }, errors)
    errors.throwIfAny()
    if (same !== undefined) return { same }
    return stored ? preparedUpdate(context, kind, { values, stored }) : preparedNew(context, kind, values)
  },
  write: async (context, prepared) => {
    const written = prepared.flatMap(one => ('same' in one ? [] : [one]))
    const rows = numbered(await withStoredImages(context, written))
    const left = rows.values()
    const named = prepared.map(one => ('same' in one ? one.same : (left.next().value?.id ?? 0)))
    return context.db.change(relatedStatements(context, kind, rows), selectWritten(context, kind, named))
  },
})

/** A new venue or organizer from checked values. */
export function preparedNew(
  context: RequestContext,
  kind: RelatedTables,
  values: RelatedValues,
): PreparedRelated {
  const publication = publicationOf(context, { given: values })
  const name = nameIn(kind, values)
  const columns = {
    ...kind.columnsOf(values),
    ...publication,
    name,
    author_id: values.author ?? context.caller.id,
    slug: newSlug({ slug: values.slug, name, status: publication.status, fallback: kind.singular }),
  }
  return {
    columns,
    given: givenColumns(context, kind, values),
    image: values.image,
    fields: Object.keys(values),
    text: relatedText(kind, columns),
  }
}

function preparedUpdate(
  context: RequestContext,
  kind: RelatedTables,
  { values, stored }: { values: RelatedValues; stored: RelatedRow },
): PreparedRelated {
  const publication = publicationOf(context, { given: values, stored })
  const name = values[kind.singular] === undefined ? stored.name : nameIn(kind, values)
  const naming = { slug: values.slug, name, status: publication.status, fallback: kind.singular }
  const columns = {
    ...kind.columnsOf(values),
    ...publication,
    name,
    author_id: values.author,
    slug: changedSlug(naming, stored),
  }
  return {
    stored,
    columns,
    given: {},
    image: values.image,
    fields: Object.keys(values),
    text: relatedText(kind, { ...stored, ...withoutUndefined(columns) }),
  }
}

const withoutUndefined = (columns: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))

/** The statements that write venues or organizers. They fail as a conflict if the same one has been made meanwhile. */
export function relatedStatements(
  context: RequestContext,
  kind: RelatedTables,
  rows: readonly Numbered<PreparedRelated>[],
): SQL[] {
  const created = rows.filter(({ stored }) => !stored)
  return [
    ...(created.length === 0
      ? []
      : [
          conflictIf(
            isThere(
              context,
              kind,
              created.map(({ given }) => given),
            ),
          ),
        ]),
    ...rowStatements(context, { kind }, rows),
    ...indexTexts(kind.searchTable, rows),
  ]
}

/** Tells if a new row is the same as an earlier one of the same transaction. */
export function isSameAs(
  { given }: PreparedRelated,
  { table }: RelatedTables,
  earlier: PreparedRelated,
): boolean {
  const { columns, image } = earlier
  const row = {
    ...defaultValues(getTableColumns(table)),
    ...storedValues(table, { ...columns, image_id: imageColumn(image) }),
  }
  // An external id counts, whatever differs.
  if (given.external_id && given.external_id === row.external_id) return true
  const isTrashed = columns.status === 'trash'
  if (isTrashed !== (given.status === 'trash')) return false
  return Object.entries(given).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value))
}
