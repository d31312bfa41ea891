import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../kit/db/database.ts'
import {
  combineQueries,
  eachOf,
  first,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import type { FieldRow } from './manifest.ts'
import { type DumpedName, dumpedTable, fieldColumns } from './tables.ts'

// Pages of tables without change numbers. The database computes a fingerprint of each page, so that it can
// later tell which pages have changed, and return only these.

export const PAGE_ROWS = 500

export const tableOf = (name: DumpedName): SQLiteTable => dumpedTable(name).table

function primaryKeyOf(name: DumpedName): [field: string, column: SQLiteColumn][] {
  const { columns, primaryKeys } = getTableConfig(tableOf(name))
  const keyColumns = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  return Object.entries(fieldColumns(name)).filter(([, column]) => keyColumns.includes(column))
}

/** A query for rows of a table, in the order of its primary key. */
export function selectTableRows(name: DumpedName, condition?: SQL, limit?: number): Query<FieldRow[]> {
  const rows = build
    .select(fieldColumns(name))
    .from(tableOf(name))
    .where(condition)
    .orderBy(...primaryKeyOf(name).map(([, column]) => column))
  return many(limit === undefined ? rows : rows.limit(limit))
}

/** The values of a primary key. Null stands for the position before the first row or after the last row. */
type KeyBound = readonly unknown[] | null

/** The rows after one key, up to another, and their fingerprint when they were read. */
export type TablePage = { after: KeyBound; to: KeyBound; fingerprint: string }

const isNumber = ({ dataType }: SQLiteColumn): boolean => dataType === 'number' || dataType === 'boolean'

const commaList = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `)

/**
 * The condition for rows between two keys.
 * @param after,to return the value for a column of the key, or NULL for no bound
 */
function betweenSql(name: DumpedName, after: (i: number) => SQL, to: (i: number) => SQL): SQL {
  const columns = primaryKeyOf(name).map(([, column]) => column)
  const key = commaList(columns.map(column => sql`${column}`))
  const from = commaList(
    columns.map((column, i) => sql`coalesce(${after(i)}, ${isNumber(column) ? sql`-1` : sql`''`})`),
  )
  // A blob is greater than any number or text.
  const until = commaList(columns.map((_, i) => sql`coalesce(${to(i)}, x'ff')`))
  return sql`(${key}) > (${from}) AND (${key}) <= (${until})`
}

const boundValue = (bound: KeyBound) => (i: number) => sql`${bound?.[i] ?? null}`

/** Five bytes of a text as a number: SQLite reads hexadecimal numbers in JSON. */
const bytesAt = (column: SQLiteColumn, start: string): SQL =>
  sql`(('0x0' || hex(substr(CAST(${column} AS BLOB), ${sql.raw(start)}, 5))) ->> '$')`

/** A number that depends on a value; for a text, on its length and on its first, last and middle bytes. */
function orderedNumber(column: SQLiteColumn): SQL {
  if (isNumber(column)) return sql`coalesce(CAST(${column} * 1000 AS INTEGER), -7)`
  const length = sql`length(${column})`
  const middle = sql`((('0x0' || hex(substr(CAST(${column} AS BLOB), ${length} / 2, 5))) ->> '$') * 5)`
  return sql`coalesce(${length} + ${bytesAt(column, '1')} + ${bytesAt(column, '-5')} * 3 + ${middle}, -7)`
}

/** A prime below 2^40: sums of millions of remainders fit into an integer. */
const MODULUS = sql.raw('1099511627689')

/** The most summands in one expression, because the depth of expressions is limited. */
const MAX_SUMMANDS = 10

/** A sum of many expressions. */
const sumOf = (parts: readonly SQL[]): SQL => {
  const groups = Array.from({ length: Math.ceil(parts.length / MAX_SUMMANDS) }, (_, i) =>
    sql.join(parts.slice(i * MAX_SUMMANDS, (i + 1) * MAX_SUMMANDS), sql` + `),
  )
  return sql`((${sql.join(groups, sql`) + (`)}))`
}

/**
 * A fingerprint of the rows that meet a condition: for each column a sum in which each row is weighted by its
 * key, so that it changes if two rows swap values. A change in the middle of a long text also changes the
 * length of the text, or the version or the time of its row.
 */
function fingerprintOf(name: DumpedName, condition: SQL, limit?: number): SQL {
  const table = tableOf(name)
  const key = primaryKeyOf(name).map(([, column]) => column)
  const weight = sql.join(
    key.map(column => sql`${orderedNumber(column)}`),
    sql` + 31 * `,
  )
  const sums = Object.values(fieldColumns(name)).map(
    (column, i) =>
      sql`sum(${orderedNumber(column)} * row_weight % ${MODULUS}) % ${MODULUS} * ${sql.raw(String(2 * i + 1))}`,
  )
  const rows = sql`SELECT *, (${weight}) % 251 + 252 AS row_weight FROM ${table} WHERE ${condition}`
  const limitClause =
    limit === undefined
      ? sql``
      : sql` ORDER BY ${commaList(key.map(column => sql`${column}`))} LIMIT ${limit}`
  return sql`SELECT count(*) || ' ' || coalesce(${sumOf(sums)}, 0) AS print FROM (${rows}${limitClause}) AS ${table}`
}

/** The rows between two keys. */
export type Range = Pick<TablePage, 'after' | 'to'>

/** The first rows of a range, and their page. */
export type ReadPage = { page: TablePage; rows: FieldRow[] }

/** A query for the first page of a range. @param hasFingerprint false for a page without a fingerprint */
export function selectPage(name: DumpedName, { after, to }: Range, hasFingerprint = true): Query<ReadPage> {
  const range = betweenSql(name, boundValue(after), boundValue(to))
  const read = combineQueries({
    rows: selectTableRows(name, range, PAGE_ROWS),
    fingerprint: hasFingerprint
      ? first(fingerprintOf(name, range, PAGE_ROWS), row => readText(row.print))
      : resolvedQuery(undefined),
  })
  return mapQuery(read, ({ rows, fingerprint = '' }) => {
    const last = rows.at(-1)
    const isFull = last !== undefined && rows.length === PAGE_ROWS
    return {
      page: { after, to: isFull ? primaryKeyOf(name).map(([field]) => last[field]) : to, fingerprint },
      rows,
    }
  })
}

/** True if a page reaches the end of a range. */
export const isLastOf = ({ to }: Range, page: TablePage): boolean =>
  JSON.stringify(page.to) === JSON.stringify(to)

/** Reads the rows of a range, page by page. */
export async function* tablePages(
  db: Database,
  name: DumpedName,
  { range, hasPrint: hasFingerprint }: { range: Range; hasPrint: boolean },
): AsyncGenerator<ReadPage> {
  for (let { after } = range; ; ) {
    const read = await db.read(selectPage(name, { ...range, after }, hasFingerprint))
    yield read
    if (isLastOf(range, read.page)) return
    after = read.page.to
  }
}

/** A bound of the page that a statement reads from JSON. */
const pageBound = (which: 'after' | 'to') => (i: number) => sql`page.${sql.raw(`${which}_key ->> '$[${i}]'`)}`

/**
 * The part of a statement that names the pages that have changed since they were read. Each page begins where
 * the page before it ends.
 */
function changedPages(name: DumpedName, pages: readonly TablePage[]): SQL {
  const ends = pages.map(({ to, fingerprint }) => [to, fingerprint])
  return sql`pages AS (SELECT key AS page_number, value -> 0 AS to_key, lag(value -> 0) OVER (ORDER BY key) AS after_key,
      value ->> 1 AS print FROM ${eachOf(ends)}),
    changed_pages AS MATERIALIZED (SELECT * FROM pages AS page
      WHERE print IS NOT (${fingerprintOf(name, betweenSql(name, pageBound('after'), pageBound('to')))}))`
}

/** A query for the numbers of the pages that have changed since they were read. */
export const selectChangedPages = (name: DumpedName, pages: readonly TablePage[]): Query<number[]> =>
  many(sql`WITH ${changedPages(name, pages)} SELECT page_number FROM changed_pages`, row =>
    readNumber(row.page_number),
  )

/** A query for the rows of the changed pages, by page number. */
export function selectChangedRows(
  name: DumpedName,
  pages: readonly TablePage[],
): Query<Map<number, FieldRow[]>> {
  const fields = Object.entries(fieldColumns(name))
  const key = primaryKeyOf(name).map(([, column]) => column)
  const rows = many(
    sql`WITH ${changedPages(name, pages)}
      SELECT page.page_number, ${commaList(fields.map(([, column]) => sql`${column}`))} FROM changed_pages AS page
      LEFT JOIN ${tableOf(name)} ON ${betweenSql(name, pageBound('after'), pageBound('to'))}
      ORDER BY page.page_number, ${commaList(key.map(column => sql`${column}`))}`,
    raw => ({
      page: readNumber(raw.page_number),
      // A page without rows appears as a row of nulls.
      rows: key.some(column => raw[column.name] === null)
        ? []
        : [
            Object.fromEntries(
              fields.map(([field, column]) => {
                const stored = raw[column.name] ?? null
                return [field, stored === null ? null : column.mapFromDriverValue(stored)]
              }),
            ),
          ],
    }),
  )
  return mapQuery(
    rows,
    pageRows =>
      new Map(
        [...Map.groupBy(pageRows, ({ page }) => page)].map(([page, rowsOfPage]) => [
          page,
          rowsOfPage.flatMap(({ rows }) => rows),
        ]),
      ),
  )
}
