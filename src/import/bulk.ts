import type { Row, Statement, Value } from '../lib/connection.ts'
import { partsOf } from './statements.ts'

// One statement takes many rows as one JSON text: D1 allows 100 parameters, and Drizzle would bind every column.

/** Splits rows into JSON arrays of at most `maxBytes`. A row that is longer by itself gets an array of its own. */
export function* pieces(rows: Iterable<unknown>, maxBytes: number): Generator<string> {
  let piece: string[] = []
  let bytes = 0
  for (const row of rows) {
    const json = JSON.stringify(row)
    const size = Buffer.byteLength(json) + 1
    if (piece.length > 0 && bytes + size > maxBytes) {
      yield `[${piece.join(',')}]`
      piece = []
      bytes = 0
    }
    piece.push(json)
    bytes += size
  }
  if (piece.length > 0) yield `[${piece.join(',')}]`
}

type Tail = { column: string; key: Value; text: string }

/** Cuts the long texts of a row, and returns the rest of them apart, to be appended by further statements. */
function shorten(row: Row, key: string, maxBytes: number): { row: Row; tails: Tail[] } {
  // Escaping and the other columns take room, too.
  const room = Math.floor(maxBytes / 8)
  const id = row[key]
  if (id === undefined) return { row, tails: [] }
  const tails: Tail[] = []
  const fitted = { ...row }
  for (const [column, text] of Object.entries(row)) {
    if (typeof text !== 'string' || text.length <= room) continue
    const [first = '', ...others] = partsOf(text, room)
    fitted[column] = first
    for (const part of others) tails.push({ column, key: id, text: part })
  }
  return { row: fitted, tails }
}

const appends = (table: string, key: string, tails: readonly Tail[]): Statement[] =>
  tails.map(({ column, key: value, text }) => [
    `UPDATE ${table} SET ${column} = ${column} || ? WHERE ${key} = ?`,
    text,
    value,
  ])

function shortenAll(rows: readonly Row[], key: string, maxBytes: number): { rows: Row[]; tails: Tail[] } {
  const fitted = rows.map(row => shorten(row, key, maxBytes))
  return { rows: fitted.map(({ row }) => row), tails: fitted.flatMap(({ tails }) => tails) }
}

/**
 * `INSERT INTO table (…) SELECT … FROM json_each(…)`; all rows have the columns of the first.
 *
 * @param tail ON CONFLICT and what follows
 */
export function insertRows(
  table: string,
  given: readonly Row[],
  maxBytes: number,
  { tail = '', key = 'id' } = {},
): Statement[] {
  const { rows, tails } = shortenAll(given, key, maxBytes)
  const names = Object.keys(rows[0] ?? {})
  const values = names.map((_, i) => `value ->> ${i}`).join(', ')
  const lists = rows.map(row => names.map(name => row[name] ?? null))
  const sql = `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values} FROM json_each(?)${tail === '' ? '' : ` WHERE true ${tail}`}`
  return [
    ...[...pieces(lists, maxBytes)].map((json): Statement => [sql, json]),
    ...appends(table, key, tails),
  ]
}

/**
 * `UPDATE table SET … FROM json_each(…)` by id; a null of the columns named in `kept` leaves what is stored.
 */
export function updateRows(
  table: string,
  given: readonly Row[],
  maxBytes: number,
  kept: readonly string[] = [],
): Statement[] {
  const { rows, tails } = shortenAll(given, 'id', maxBytes)
  const names = Object.keys(rows[0] ?? {}).filter(name => name !== 'id')
  const lists = rows.map(row => [row.id ?? null, ...names.map(name => row[name] ?? null)])
  const changes = names.map((name, i) => {
    const value = `given.value ->> ${i + 1}`
    return `${name} = ${kept.includes(name) ? `coalesce(${value}, ${table}.${name})` : value}`
  })
  const sql = `UPDATE ${table} SET ${changes.join(', ')} FROM json_each(?) AS given WHERE ${table}.id = given.value ->> 0`
  return [
    ...[...pieces(lists, maxBytes)].map((json): Statement => [sql, json]),
    ...appends(table, 'id', tails),
  ]
}

/** The statements that run some SQL for ids, which it gets as one JSON array. */
export const forIds = (sql: string, ids: readonly number[], maxBytes: number): Statement[] =>
  ids.length === 0
    ? []
    : [
        ...pieces(
          ids.map(id => [id]),
          maxBytes,
        ),
      ].map((json): Statement => [sql, JSON.stringify(JSON.parse(json).flat())])
