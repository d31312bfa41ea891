import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RequestContext, WriteContext } from '../../../context.ts'
import { defaultValues, type InputRow, inputValue, jsonBatches, storedValues } from '../../../db/bulk.ts'
import { allOf, literal, many, type Query, type RawRow, together } from '../../../db/query.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { memoize } from '../../../lib/memo.ts'
import { ANONYMOUS } from '../../../lib/roles.ts'
import { changedSlug, importedSlug, MAX_SLUG, newSlug, renamedSlug, trashedSlug } from '../../../lib/slug.ts'
import { isWaiting } from '../../../lib/statuses.ts'
import { omit, withoutUndefined } from '../../../lib/values.ts'
import { beforeAndAfter, changedColumns, changesRow } from '../changed-values.ts'
import { storedNames } from '../fields.ts'
import { imageColumn, imageId, otherImage } from '../images.ts'
import { differingColumns, isUnchangedBy } from '../imported.ts'
import { importedPublication, publicationOf } from '../publication.ts'
import {
  checkExternalId,
  type KnownReferences,
  type RowsByExternalId,
  selectByExternalId,
  selectReferences,
} from '../references.ts'
import { beginningWith } from '../search.ts'
import { isReadable, ownedBy } from '../visibility.ts'
import type { PreparedRow } from '../writes.ts'
import { hideableFields, readableColumn, storedContact, withContact } from './hidden-contact.ts'
import { nameIn, type RelatedRow, type RelatedTables, type RelatedValues, relatedText } from './resource.ts'

// The new or existing row for a venue or organizer of a request or a source.

/** The parts from which the slug of a venue or organizer is made, except for its name. */
const namingOf = (
  { settings }: Pick<RequestContext, 'settings'>,
  { singular }: Pick<RelatedTables, 'singular'>,
  { slug }: RelatedValues,
) => ({ slug, language: settings.website.language, fallback: singular })

/** The rows that the values of venues or organizers refer to, and existing rows that are the same as new ones. */
export type FoundRelated = { references: KnownReferences; byExternalId: RowsByExternalId; same: SameRows }

/** A query for {@link FoundRelated}. */
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
export type PreparedRelatedRow = PreparedRow & {
  /** The columns of a new row that a request names: no existing row may have them. */
  requested?: InputRow | undefined
  /** The text for searches; undefined if it stays. */
  text: string | undefined
}

/** A new or changed venue or organizer. */
export type PreparedRelated = PreparedRelatedRow & {
  name: string
  /** True if lists show all its events in another way after the write. */
  listsAnew?: boolean
  /** The id of another row that has the external id of an imported row, which therefore gets none. */
  holder?: number | undefined
}

/** An existing row, or a new or changed one. */
export type RelatedTarget = { same: number } | PreparedRelated

/** @property wasPublic true if lists have ever shown the row. Only writes of a name need it */
export type StoredRelated<R = RelatedRow> = R & { wasPublic?: boolean }

/**
 * A new venue or organizer from checked values, or the existing row that is the same.
 *
 * @param errors gets an error if another row has the external id
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
 * The row that the values of a request or a source produce, with its text for searches if the text changes.
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

export function preparedUpdate(
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

type ImportedRelated = {
  values: RelatedValues
  stored: { id: number; slug: string; version: number } | undefined
  /** All columns of that row, if they are known: only columns that change are written. */
  before?: RawRow | undefined
  /** The id of the row that has the external id. */
  holder: number | undefined
}

/**
 * Prepares the write of an imported venue or organizer, with all its columns. It refuses nothing, because nobody can correct a
 * source, and the reader has checked the values. Fields that the source lacks get the values of new rows. If another row has the
 * external id, this row gets none.
 */
export function preparedImport(
  context: Pick<RequestContext, 'now' | 'settings'>,
  resource: RelatedTables,
  { values, stored, before, holder }: ImportedRelated,
): PreparedRelated & { isUnchanged: boolean; row: InputRow } {
  const name = nameIn(resource, values)
  const { status = 'publish', date, date_utc, modified, modified_utc, external_id = '' } = values
  const isFree = holder === undefined || holder === stored?.id
  // If the stored columns of an organizer are unknown, its contact may be hidden: the contact stays, and gets no defaults.
  const kept = stored && !before ? hideableFields(resource) : []
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

// A request for a new venue or organizer uses an existing row that is the same: a row of that name, in any case, which differs in no field
// that the request names, and which the caller may read, so that nobody finds hidden rows by guessing their names. Visitors only find
// public rows, whoever owns their events.

/** The most rows of one name that are compared, the oldest first. Ordinary calendars have fewer. */
const MAX_COMPARED = 100

/** The columns that a request names, which identify an existing row. The slug of that row may have a number. */
function requestedColumns(context: RequestContext, resource: RelatedTables, values: RelatedValues): InputRow {
  const { table } = resource
  const publication = publicationOf(context, { values })
  const { slug, status, date, date_utc } = values
  return storedValues(table, {
    ...resource.columnsOf(values),
    author_id: values.author,
    name: nameIn(resource, values),
    status: status && publication.status,
    date_utc: (date ?? date_utc) ? publication.date_utc : undefined,
    image_id: imageColumn(values.image),
    slug: slug ? (status === 'trash' ? trashedSlug(slug) : slug) : undefined,
  })
}

/** The ids of the same rows, by the key of the requested columns. */
type SameRows = ReadonlyMap<string, number>

const rowKey = (row: InputRow): string => JSON.stringify(row)

/** A query for the existing rows that are the same as new rows. */
function selectSame(
  context: RequestContext,
  resource: RelatedTables,
  rows: readonly InputRow[],
): Query<SameRows> {
  const { table } = resource
  const requested = [...new Map(rows.map(row => [rowKey(row), row]))].map(([key, row]) => ({
    key,
    row,
    name: String(row.name),
  }))
  const inputs = requested.map(({ row, name }, n) => ({ ...row, n, beginning: beginningWith(name) }))
  const queries = jsonBatches(inputs).map(json =>
    many(
      sql`SELECT ${inputValue('n')} AS n, ${table.id} AS id, ${table.name} AS name FROM json_each(${json}) AS input CROSS JOIN ${table}
        ON ${table.id} IN (SELECT * FROM (${named(table)}) UNION SELECT * FROM (${namedAlike(resource)})) AND ${isSame(context, resource, rows)}
        ORDER BY ${table.name} = ${inputValue('name')}, ${table.id} DESC`,
      ({ n, id, name }): [string, number][] => {
        const { key = '', name: wanted } = requested[Number(n)] ?? {}
        return wanted?.toLowerCase() === String(name).toLowerCase() ? [[key, Number(id)]] : []
      },
    ),
  )
  // Of several rows the last one counts: the oldest, first of all with the name as it was sent.
  return together(queries, found => new Map(found.flat(2)))
}

/** The ids of rows with the name of `input`. */
const named = (table: RelatedTables['table']): SQL =>
  sql`SELECT id FROM ${table} AS named WHERE named.name = ${inputValue('name')} ORDER BY id LIMIT ${literal(MAX_COMPARED)}`

/** The ids of rows whose name begins like that of `input`, in any case, the shortest first. Texts for searches begin with the name. */
function namedAlike({ table, searchTable }: RelatedTables): SQL {
  const texts = sql.identifier(searchTable)
  return sql`SELECT named.id FROM ${texts} CROSS JOIN ${table} AS named ON named.id = ${texts}.rowid
    WHERE ${texts} MATCH ${inputValue('beginning')} ORDER BY length(named.name), named.id LIMIT ${literal(MAX_COMPARED)}`
}

/** A condition that is true if one of the new rows exists already. */
export const existsAlready = (
  context: WriteContext,
  resource: RelatedTables,
  rows: readonly InputRow[],
): SQL =>
  sql`EXISTS (SELECT 1 FROM (${sql.join(
    jsonBatches(rows).map(json => sql`SELECT value FROM json_each(${json})`),
    sql` UNION ALL `,
  )}) AS input CROSS JOIN ${resource.table} ON ${resource.table.id} IN (${named(resource.table)}) AND ${isSame(context, resource, rows)})`

/** A condition for rows of the name of `input` that are the same as it. @param rows all the rows that `input` stands for */
function isSame(
  request: WriteContext,
  { table, searchColumns }: RelatedTables,
  rows: readonly InputRow[],
): SQL {
  const context = request.isVisitor ? { ...request, caller: ANONYMOUS } : request
  const names = new Set(rows.flatMap(row => Object.keys(row)))
  const { name: _, slug: _slug, ...compared } = Object.fromEntries([...names].map(name => [name, true]))
  return allOf([
    ...Object.keys(compared).map(name => hasValue(context, table, name, searchColumns.includes(name))),
    ...(names.has('slug') ? [hasSlug(table)] : []),
    // A row in the trash only counts if the new row is created there.
    sql`iif(coalesce(${inputValue('status')}, '') = 'trash', ${ownedBy(table, context)}, ${isReadable(table, context)})`,
  ])
}

/**
 * A condition for rows that have the value of `input` in a column, or any value if `input` has none.
 *
 * @param isText true for texts whose case makes no difference
 */
function hasValue(context: WriteContext, table: RelatedTables['table'], name: string, isText: boolean): SQL {
  const column = readableColumn(table, name, ownedBy(table, context))
  const path = sql.raw(`'$.${name}'`)
  const value = name === 'image_id' ? imageId(inputValue(name)) : inputValue(name)
  // No row can have an image that is not stored yet.
  return sql`CASE json_type(input.value, ${path}) WHEN 'null' THEN ${column} IS NULL
    ELSE json_type(input.value, ${path}) IS NULL OR coalesce(${column} = ${value} ${isText ? sql`COLLATE NOCASE` : sql``}, 0) END`
}

/**
 * A condition for rows with the slug of `input`, also with a number that `freeSlugSql` has added because another row has the slug, or
 * the slug with the number before. A slug with any other ending is another slug.
 */
function hasSlug(table: RelatedTables['table']): SQL {
  const { slug } = table
  const base = inputValue('slug')
  const n = sql`substr(${slug}, length(rtrim(${slug}, '0123456789')) + 1)`
  const before = sql`(CAST(${n} AS INTEGER) - 1)`
  const numbered = (by: SQL) =>
    sql`substr(${base}, 1, ${literal(MAX_SLUG - 1)} - length(${by})) || '-' || ${by}`
  return sql`(${base} IS NULL OR ${slug} = ${base} OR (${n} GLOB '[1-9]*' AND ${slug} = ${numbered(n)}
    AND EXISTS (SELECT 1 FROM ${table} AS other WHERE other.slug = iif(${before} = 1, ${base}, ${numbered(before)}))))`
}

/** The new rows of a transaction, among which its later requests find the same row. */
export class NewRows<R extends Pick<PreparedRow, 'columns' | 'image'>> {
  readonly #byName = new Map<string, { row: R; values: InputRow }[]>()
  readonly #resource: Pick<RelatedTables, 'table' | 'searchColumns'>

  constructor(resource: Pick<RelatedTables, 'table' | 'searchColumns'>) {
    this.#resource = resource
  }

  add(name: string, row: R): void {
    const { table } = this.#resource
    const named = this.#byName.get(name.toLowerCase()) ?? []
    if (named.length === MAX_COMPARED) return
    const { columns, image } = row
    const values = withContact({
      ...defaultValues(getTableColumns(table)),
      ...storedValues(table, { ...columns, image_id: imageColumn(image) }),
    })
    this.#byName.set(name.toLowerCase(), named)
    named.push({ row, values })
  }

  /** The first row of a name that has all values that a request names. */
  find(name: string, requested: InputRow = {}): R | undefined {
    const textOf = (column: string, value: unknown): string => {
      const text = JSON.stringify(value) ?? ''
      return this.#resource.searchColumns.includes(column) ? text.toLowerCase() : text
    }
    const { name: _, ...others } = requested
    const wanted = Object.entries(others).map(([column, value]) => [column, textOf(column, value)] as const)
    const isTrashed = requested.status === 'trash'
    return this.#byName
      .get(name.toLowerCase())
      ?.find(
        ({ row, values }) =>
          (row.columns.status === 'trash') === isTrashed &&
          wanted.every(([column, value]) => textOf(column, values[column]) === value),
      )?.row
  }
}
