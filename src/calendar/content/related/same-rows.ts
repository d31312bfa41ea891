import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, CallerContext, WriteContext } from '../../../kit/context.ts'
import { byVisitorSql } from '../../../kit/db/audit.ts'
import {
  type ColumnValues,
  defaultValues,
  inputValue,
  jsonBatches,
  storedValues,
} from '../../../kit/db/bulk.ts'
import { allOf, combineQueries, literal, many, type Query, readNumber } from '../../../kit/db/query.ts'
import { audit, users } from '../../../kit/db/tables.ts'
import { ANONYMOUS } from '../../../kit/lib/roles.ts'
import { MAX_SLUG_LENGTH, trashedSlug } from '../../../kit/lib/slug.ts'
import type { Status } from '../../../kit/lib/statuses.ts'
import { imageColumn, imageId } from '../images.ts'
import { publicationOf } from '../publication.ts'
import { beginningWith } from '../search.ts'
import { ownedByCallerSql, publishedSql, readableSql, readStatus } from '../visibility.ts'
import type { PreparedRow } from '../writes.ts'
import { readableColumn, withContact } from './hidden-contact.ts'
import { nameInValues, type RelatedTables, type RelatedValues } from './resource.ts'

// A request for a new venue or organizer uses an existing row that is the same: a row with the same name, in
// any case, that differs in no field of the request. The caller has to be allowed to read it, so that nobody
// finds hidden rows by guessing their names. Visitors only find public rows, whoever owns their events.
// Nobody finds a row that waits with an event of a visitor or contributor: such a row isn't published along
// with other events, and may never be.

/** The most rows of one name that are compared, the oldest first. Ordinary calendars have fewer. */
const MAX_COMPARED = 100

/**
 * The columns that a request names, which identify an existing row. The slug of that row may have a number.
 */
export function requestedColumns(
  context: BaseContext,
  resource: RelatedTables,
  values: RelatedValues,
): ColumnValues {
  const { table } = resource
  const publication = publicationOf(context, { values })
  const { slug, status, date, date_utc } = values
  return storedValues(table, {
    ...resource.columnsOf(values),
    author_id: values.author,
    name: nameInValues(resource, values),
    status: status && publication.status,
    date_utc: (date ?? date_utc) ? publication.date_utc : undefined,
    image_id: imageColumn(values.image),
    slug: slug ? (status === 'trash' ? trashedSlug(slug) : slug) : undefined,
  })
}

type SameRow = { id: number; status: Status }

/** The same rows, by the key of the requested columns. */
export type SameRows = ReadonlyMap<string, SameRow>

export const rowKey = (row: ColumnValues): string => JSON.stringify(row)

/** A query for the existing rows that are the same as new rows. */
export function selectSame(
  context: BaseContext,
  resource: RelatedTables,
  rows: readonly ColumnValues[],
): Query<SameRows> {
  const { table } = resource
  const requestedRows = [...new Map(rows.map(row => [rowKey(row), row]))].map(([key, row]) => ({
    key,
    row,
    name: String(row.name),
  }))
  const inputs = requestedRows.map(({ row, name }, n) => ({ ...row, n, beginning: beginningWith(name) }))
  const queries = jsonBatches(inputs).map(json =>
    many(
      sql`SELECT ${inputValue('n')} AS n, ${table.id} AS id, ${table.name} AS name, ${table.status} AS status
        FROM json_each(${json}) AS input CROSS JOIN ${table}
        ON ${table.id} IN (SELECT * FROM (${idsOfSameName(table)})
          UNION SELECT * FROM (${idsOfLikeNames(resource)})) AND ${sameRowsSql(context, resource, rows)}
        ORDER BY ${table.name} <> ${inputValue('name')}, ${table.id}`,
      ({ n, id, name, status }): [string, SameRow][] => {
        const { key = '', name: wanted } = requestedRows[Number(n)] ?? {}
        return wanted?.toLowerCase() === String(name).toLowerCase()
          ? [[key, { id: readNumber(id), status: readStatus(status) }]]
          : []
      },
    ),
  )
  return combineQueries(queries, matches => {
    const sameRows = new Map<string, SameRow>()
    // Of several rows, the first one counts: the oldest with the name as it was sent, or else the oldest.
    for (const [key, row] of matches.flat(2)) if (!sameRows.has(key)) sameRows.set(key, row)
    return sameRows
  })
}

const idsOfSameName = (table: RelatedTables['table']): SQL =>
  sql`SELECT id FROM ${table} AS named WHERE named.name = ${inputValue('name')} ORDER BY id LIMIT ${literal(MAX_COMPARED)}`

/**
 * The ids of rows whose name begins like that of `input`, in any case, the shortest first. Texts for searches
 * begin with the name.
 */
function idsOfLikeNames({ table, searchTable }: RelatedTables): SQL {
  const texts = sql.identifier(searchTable)
  return sql`SELECT named.id FROM ${texts} CROSS JOIN ${table} AS named ON named.id = ${texts}.rowid
    WHERE ${texts} MATCH ${inputValue('beginning')} ORDER BY length(named.name), named.id LIMIT ${literal(MAX_COMPARED)}`
}

/** A condition that is true if one of the new rows exists already. */
export const existsAlreadySql = (
  context: WriteContext,
  resource: RelatedTables,
  rows: readonly ColumnValues[],
): SQL =>
  sql`EXISTS (SELECT 1 FROM (${sql.join(
    jsonBatches(rows).map(json => sql`SELECT value FROM json_each(${json})`),
    sql` UNION ALL `,
  )}) AS input CROSS JOIN ${resource.table} ON ${resource.table.id} IN (${idsOfSameName(resource.table)})
  AND ${sameRowsSql(context, resource, rows)})`

/**
 * A condition for rows that are the same as `input`, among the rows with its name.
 * @param rows the rows that `input` goes through
 */
function sameRowsSql(
  writeContext: WriteContext,
  resource: RelatedTables,
  rows: readonly ColumnValues[],
): SQL {
  const { table, searchColumns } = resource
  const context = writeContext.isVisitor ? { ...writeContext, caller: ANONYMOUS } : writeContext
  const names = new Set(rows.flatMap(row => Object.keys(row)))
  const { name: _, slug: _slug, ...compared } = Object.fromEntries([...names].map(name => [name, true]))
  return allOf([
    ...Object.keys(compared).map(name => sameValueSql(context, table, name, searchColumns.includes(name))),
    ...(names.has('slug') ? [sameSlugSql(table)] : []),
    // A row in the trash only counts if the new row is created there.
    sql`iif(coalesce(${inputValue('status')}, '') = 'trash', ${ownedByCallerSql(table, context)}, ${namedSql(resource, context)} OR ${madeBeforeSql(resource, writeContext)})`,
  ])
}

/**
 * A condition for rows that the caller may mean by a name: all readable ones but those that wait with a
 * visitor's event, and those that another user, not an editor, keeps hidden.
 */
export function namedSql(
  { singular, table }: Pick<RelatedTables, 'singular' | 'table'>,
  context: CallerContext,
): SQL {
  const ofVisitorSql = sql`EXISTS (SELECT 1 FROM ${audit} INDEXED BY audit_object
    WHERE kind = ${singular} AND object_id = ${table.id} AND action = 'create' AND ${byVisitorSql})`
  const ofOtherSql = sql`(${table.author_id} <> ${context.caller.id} AND EXISTS (SELECT 1 FROM ${users}
    WHERE ${users.id} = ${table.author_id} AND role NOT IN ('administrator', 'editor')))`
  return sql`(${publishedSql(table, context.clock.untrackedTime)} OR (${readableSql(table, context)}
    AND NOT (${ofOtherSql} OR (${table.status} <> 'private' AND ${ofVisitorSql}))))`
}

/** A condition for rows that the same request has made before, if it may name them. */
const madeBeforeSql = (
  { singular, table }: RelatedTables,
  { reusesCreated, requestId }: WriteContext,
): SQL =>
  reusesCreated
    ? sql`(${table.status} <> 'trash' AND EXISTS (SELECT 1 FROM ${audit} INDEXED BY audit_object
        WHERE kind = ${singular} AND object_id = ${table.id} AND action = 'create' AND request_id = ${requestId}))`
    : sql`0`

/**
 * A condition for rows that have the value of `input` in a column, or any value if `input` has none.
 *
 * @param isText true for texts whose case makes no difference
 */
function sameValueSql(
  context: WriteContext,
  table: RelatedTables['table'],
  name: string,
  isText: boolean,
): SQL {
  const column = readableColumn(table, name, ownedByCallerSql(table, context))
  const path = literal(`$.${name}`)
  const value = name === 'image_id' ? imageId(inputValue(name)) : inputValue(name)
  // No row can have an image that is not stored yet.
  return sql`CASE json_type(input.value, ${path}) WHEN 'null' THEN ${column} IS NULL
    ELSE json_type(input.value, ${path}) IS NULL OR coalesce(${column} = ${value} ${isText ? sql`COLLATE NOCASE` : sql``}, 0) END`
}

/**
 * A condition for rows with the slug of `input`, also with a number that `freeSlug` has added because
 * another row has the slug, or the slug with the number before. A slug with any other ending is another slug.
 */
function sameSlugSql(table: RelatedTables['table']): SQL {
  const { slug } = table
  const base = inputValue('slug')
  const n = sql`substr(${slug}, length(rtrim(${slug}, '0123456789')) + 1)`
  const before = sql`(CAST(${n} AS INTEGER) - 1)`
  const numbered = (by: SQL) =>
    sql`substr(${base}, 1, ${literal(MAX_SLUG_LENGTH - 1)} - length(${by})) || '-' || ${by}`
  return sql`(${base} IS NULL OR ${slug} = ${base} OR (${n} GLOB '[1-9]*' AND ${slug} = ${numbered(n)}
    AND EXISTS (SELECT 1 FROM ${table} AS other WHERE other.slug = iif(${before} = 1, ${base}, ${numbered(before)}))))`
}

/** The new rows of a transaction, among which its later requests find the same row. */
export class NewRows<R extends Pick<PreparedRow, 'columns' | 'image'>> {
  readonly #byName = new Map<string, { row: R; values: ColumnValues }[]>()
  readonly #resource: Pick<RelatedTables, 'table' | 'searchColumns'>

  constructor(resource: RelatedTables) {
    this.#resource = resource
  }

  add(name: string, row: R): void {
    const { table } = this.#resource
    const namesakes = this.#byName.get(name.toLowerCase()) ?? []
    if (namesakes.length === MAX_COMPARED) return
    const { columns, image } = row
    const values = withContact({
      ...defaultValues(getTableColumns(table)),
      ...storedValues(table, { ...columns, image_id: imageColumn(image) }),
    })
    this.#byName.set(name.toLowerCase(), namesakes)
    namesakes.push({ row, values })
  }

  /** The first row of a name that has all values that a request names. */
  find(name: string, requestedRow: ColumnValues = {}): R | undefined {
    const textOf = (column: string, value: unknown): string => {
      const text = JSON.stringify(value) ?? ''
      return this.#resource.searchColumns.includes(column) ? text.toLowerCase() : text
    }
    const { name: _, ...others } = requestedRow
    const wantedTexts = Object.entries(others).map(
      ([column, value]) => [column, textOf(column, value)] as const,
    )
    const isTrashed = requestedRow.status === 'trash'
    return this.#byName
      .get(name.toLowerCase())
      ?.find(
        ({ row, values }) =>
          (row.columns.status === 'trash') === isTrashed &&
          wantedTexts.every(([column, value]) => textOf(column, values[column]) === value),
      )?.row
  }
}
