import { getTableColumns, type Name, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { SIZES } from '../lib/budgets.ts'
import { memoize } from '../lib/memo.ts'
import { piecesWithin } from '../lib/values.ts'
import { shaped } from './shapes.ts'

// Statements that write many rows of a table at once. The rows are one JSON text, because D1 allows only 100
// parameters.

/** A row by the names of its columns in the database. Columns that it doesn't name get their defaults, or stay as they are. */
export type GivenRow = Readonly<Record<string, unknown>>

/**
 * Expressions that compute columns from the values that the rows have for them. It must be a constant, since
 * statements are memoized by it. @see given
 */
export type Computed = Readonly<Record<string, (value: SQL) => SQL>>

/** A value of a row that a statement reads from JSON, which its FROM clause calls `given`. */
export const given = (name: string): SQL => sql`(given.value ->> ${sql.raw(`'$.${name}'`)})`

type Piece = { json: string; long: ReadonlyMap<string, string> }

/**
 * The rows as JSON arrays. A row that is too long for an array gets one of its own.
 *
 * @param isLong tells which texts are then left out of the JSON
 */
function* piecesOf(rows: readonly GivenRow[], isLong = (_: unknown): _ is string => false): Generator<Piece> {
  if (rows.length === 0) return
  const whole = JSON.stringify(rows)
  if (whole.length <= SIZES.jsonUnits) return yield { json: whole, long: new Map() }
  const texts = rows.map(row => ({ row, json: JSON.stringify(row) }))
  for (const piece of piecesWithin(texts, SIZES.jsonUnits, ({ json }) => json.length)) {
    const [{ row, json } = { row: {}, json: '' }] = piece
    if (json.length <= SIZES.jsonUnits) {
      yield { json: `[${piece.map(one => one.json).join(',')}]`, long: new Map() }
      continue
    }
    const long = Object.entries(row).flatMap(([name, value]): [string, string][] =>
      isLong(value) ? [[name, value]] : [],
    )
    const short = Object.entries(row).filter(([, value]) => !isLong(value))
    yield { json: JSON.stringify([Object.fromEntries(short)]), long: new Map(long) }
  }
}

/** A list of rows as JSON texts, each short enough for a parameter. */
export const jsonPieces = (rows: readonly GivenRow[]): string[] => [...piecesOf(rows)].map(({ json }) => json)

const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > SIZES.longUnits

const toDriver = (column: SQLiteColumn, value: unknown): unknown =>
  value === null || typeof value === 'object' ? value : column.mapToDriverValue(value)

const known = new WeakMap<SQLiteTable, [name: string, column: SQLiteColumn][]>()

/** The columns of a table, memoized because a piece of an import has hundreds of rows. */
function columnsOf(table: SQLiteTable): [name: string, column: SQLiteColumn][] {
  const columns = known.get(table) ?? Object.entries(getTableColumns<SQLiteTable>(table))
  known.set(table, columns)
  return columns
}

/** The columns of a table that a row names, as the database stores them. */
export function storedValues(table: SQLiteTable, row: GivenRow): GivenRow {
  const stored: Record<string, unknown> = {}
  for (const [name, column] of columnsOf(table))
    if (row[name] !== undefined) stored[name] = toDriver(column, row[name])
  return stored
}

/** The values of columns that a row doesn't name. */
export const defaultValues = (columns: Record<string, SQLiteColumn>): GivenRow =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, toDriver(column, column.default ?? null)]),
  )

/** The statements that insert rows, in order. All rows get the columns that any of them names. */
export function insertRows(table: SQLiteTable, rows: readonly GivenRow[], computed: Computed = NONE): SQL[] {
  const stored = rows.map(row => storedValues(table, row))
  const columns = columnsOf(table).filter(([name]) => stored.some(row => row[name] !== undefined))
  const defaults = defaultValues(Object.fromEntries(columns))
  const names = columns.map(([name]) => name)
  const complete = stored.map(row => ({ ...defaults, ...row }))
  return statementsOf(insertion, { table, names, computed }, complete)
}

/** The number of sets of columns that get statements of their own; rows with other columns share one. */
const MOST_SETS = 3

/**
 * The statements that change rows by `id`, each in the columns that it names. A statement writes the indexes of all
 * columns that it names, even if they don't change, so there is one for each set of columns as long as there are few
 * sets.
 */
export function updateRows(
  table: SQLiteTable & { id: SQLiteColumn },
  rows: readonly GivenRow[],
  computed: Computed = NONE,
): SQL[] {
  const stored = rows.map(row => storedValues(table, row))
  const groups = [...Map.groupBy(stored, row => Object.keys(row).join()).values()]
  const alike = groups.sort((a, b) => b.length - a.length).slice(0, MOST_SETS)
  const others = groups.slice(MOST_SETS).flat()
  const writing = (group: readonly GivenRow[]): Writing => {
    const names = new Set(group.flatMap(Object.keys))
    return { table, names: [...names].filter(name => name !== 'id'), computed }
  }
  return [
    ...alike.flatMap(group => statementsOf(updating, writing(group), group)),
    ...statementsOf(updatingSome, writing(others), others),
  ]
}

const NONE: Computed = {}

type Writing = { table: SQLiteTable; names: readonly string[]; computed: Computed }
type StatementValues = Readonly<Record<string, string>>

/** The name under which a statement gets the JSON of rows. Long texts have the names of their columns. */
const JSON_VALUE = ''

/**
 * @param statement makes a statement from a table, the names of columns, the names of those with long texts, and
 * computed columns
 */
function statementsOf(
  statement: (
    table: SQLiteTable,
    names: string,
    long: string,
    computed: Computed,
  ) => (values: StatementValues) => SQL,
  { table, names, computed }: Writing,
  rows: readonly GivenRow[],
): SQL[] {
  return [...piecesOf(rows, isLongText)].map(({ json, long }) =>
    statement(
      table,
      names.join(),
      [...long.keys()].join(),
      computed,
    )({ [JSON_VALUE]: json, ...Object.fromEntries(long) }),
  )
}

const insertion = memoize((table: SQLiteTable, names: string, long: string, computed: Computed) =>
  shaped<StatementValues>(values => {
    const columns = assigned(names, long, computed, values)
    return sql`INSERT INTO ${table} (${sql.join(
      columns.map(([name]) => name),
      sql`, `,
    )}) SELECT ${sql.join(
      columns.map(([, value]) => value),
      sql`, `,
    )}
      FROM json_each(${values[JSON_VALUE]}) AS given`
  }),
)

const updating = memoize((table: SQLiteTable, names: string, long: string, computed: Computed) =>
  shaped<StatementValues>(values => updateOf(table, assigned(names, long, computed, values), values)),
)

/** The same for rows that each name only some of the columns. Long texts come separately from the JSON. */
const updatingSome = memoize((table: SQLiteTable, names: string, long: string, computed: Computed) =>
  shaped<StatementValues>(values => {
    const always = long.split(',')
    const assignments = assigned(names, long, computed, values).map(
      ([column, value]): [column: Name, value: SQL] => {
        if (always.includes(column.value)) return [column, value]
        const isNamed = sql`json_type(given.value, ${sql.raw(`'$.${column.value}'`)}) IS NOT NULL`
        return [column, sql`iif(${isNamed}, ${value}, ${table}.${column})`]
      },
    )
    return updateOf(table, assignments, values)
  }),
)

const updateOf = (
  table: SQLiteTable,
  assignments: readonly [column: Name, value: SQL][],
  values: Readonly<Record<string, Placeholder>>,
): SQL =>
  sql`UPDATE ${table} SET ${sql.join(
    assignments.map(([column, value]) => sql`${column} = ${value}`),
    sql`, `,
  )} FROM json_each(${values[JSON_VALUE]}) AS given WHERE ${table}.id = ${given('id')}`

/** The listed columns, each with an expression for its value. */
function assigned(
  names: string,
  long: string,
  computed: Computed,
  values: Readonly<Record<string, Placeholder>>,
): [column: Name, value: SQL][] {
  const own = long.split(',')
  return names.split(',').map(name => {
    const value = own.includes(name) ? sql`${values[name]}` : given(name)
    return [sql.identifier(name), computed[name]?.(value) ?? value]
  })
}

/**
 * The id of a row that a transaction may have inserted. New rows have no id beforehand, so they are numbered from the
 * end: -1 is the last one inserted, -2 the one before. This works because ids only grow, and no other transaction comes
 * in between.
 */
export const resolvedId = (table: SQLiteTable, value: SQL): SQL =>
  sql`iif(${value} < 0, (SELECT max(id) FROM ${table}) + 1 + ${value}, ${value})`

/** The number of a new row, for {@link resolvedId}. @param position among the new rows of a transaction, from 0 */
export const newNumber = (position: number, count: number): number => position - count
