import { lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../db/database.ts'
import { conflictIf, isDailyLimit } from '../db/failures.ts'
import { literal, type Query, type Statement } from '../db/query.ts'
import { build } from '../db/statements.ts'
import { setbacks } from '../db/tables.ts'
import { POSTPONING_STATEMENTS } from '../lib/budgets.ts'
import { ApiError } from '../lib/errors.ts'
import { RETRIES_OF_ROWS, type Retries } from '../lib/retries.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '../lib/time.ts'
import { asError, logError, runLogged } from './error-log.ts'

// Work that waits in rows is reserved by one worker at a time, is tried again if it fails, and holds up
// nothing else. How often and how long is in kit/lib/retries.ts.

/**
 * A table whose rows workers reserve. A lease is the time until which a row is reserved, and a random text;
 * '' for none.
 */
type LeasedTable = SQLiteTable & Record<'id' | 'lease' | 'version' | 'served_utc', SQLiteColumn>

/** A condition for rows that no worker has reserved, or whose worker was killed. */
export const unreservedSql = (lease: SQL | SQLiteColumn, nowMs: number): SQL =>
  sql`${lease} < ${formatInstant(nowMs)}`

/** The columns that reserve a row. */
export const leaseFor = ({ leaseMs }: { leaseMs: number }, nowMs: number) => ({
  lease: `${formatInstant(nowMs + leaseMs)} ${crypto.randomUUID()}`,
  served_utc: formatInstant(nowMs),
})

/**
 * A statement that fails if another worker has reserved the row since, or somebody has changed or deleted it.
 */
export const conflictUnlessReserved = (
  table: LeasedTable,
  { id, lease, version }: { id: number; lease: string; version: number },
): SQL =>
  conflictIf(
    sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE id = ${id} AND lease = ${lease} AND version = ${version})`,
  )

/** An expression of the minutes to wait after a number of failures. @param failures from 1 */
export const minutesAfter = ({ pausesMs }: Retries, failures: SQL): SQL => {
  const minutes = JSON.stringify(pausesMs.map(ms => ms / MINUTE_MS))
  return sql`json_extract(${minutes}, '$[' || (min(${failures}, ${literal(pausesMs.length)}) - 1) || ']')`
}

/**
 * A condition for rows that are not postponed.
 *
 * @param rowName the name of a single row
 * @param id an expression for the `rowid` of the rows
 */
export const notPostponedSql = (rowName: string, nowMs: number, id = sql`rowid`): SQL =>
  sql`${id} NOT IN (SELECT row_id FROM ${setbacks} WHERE task = ${rowName} AND until_utc > ${formatInstant(nowMs)})`

/** The id under which a whole task is postponed, such as all sending while the platform takes no e-mail. */
export const ALL_ROWS = 0

type RowOfTask = { rowName: string; id: number; nowMs: number }

const postponementStatements = ({ rowName, id, nowMs }: RowOfTask): Statement[] => [
  build.delete(setbacks).where(lt(setbacks.until_utc, formatInstant(nowMs - DAY_MS))),
  build
    .insert(setbacks)
    .values({ task: rowName, row_id: id, failures: 0, until_utc: formatInstant(nowMs) })
    .onConflictDoUpdate({
      target: [setbacks.task, setbacks.row_id],
      set: {
        failures: sql`failures + 1`,
        until_utc: sql`datetime(${formatInstant(nowMs)}, '+' || ${minutesAfter(RETRIES_OF_ROWS, sql`failures + 2`)} || ' minutes')`,
      },
    }),
]

/** Logs why something about a row failed, and postpones the row, for longer with each failure. */
export async function postpone(db: Database, row: RowOfTask, error: Error): Promise<void> {
  const { rowName, id } = row
  logError(`${rowName} ${id}`, error)
  if (!db.allowance.allows(rowName, { statements: POSTPONING_STATEMENTS })) return
  await runLogged(`${rowName} ${id}`, () => db.write(postponementStatements(row)))
}

/**
 * Works on a row. If that fails, only this row is postponed.
 * @throws ApiError if the database has reached its daily limit
 */
export async function tryRow(db: Database, row: RowOfTask, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    if (isDailyLimit(thrown)) throw thrown
    const error = asError(thrown)
    // An error of D1 itself is not the fault of the row.
    if (error instanceof ApiError) logError(`${row.rowName} ${row.id}`, error)
    else await postpone(db, row, error)
  }
}

/**
 * Reserves due rows. If the database refuses that write, the first of the rows is postponed.
 *
 * @param next a query for the first of the rows
 * @returns undefined if the database refused it
 */
export async function reserveDue<T>(
  db: Database,
  { rowName, nowMs, next }: { rowName: string; nowMs: number; next: Query<number | undefined> },
  reserve: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await reserve()
  } catch (thrown) {
    const error = asError(thrown)
    const id = error instanceof ApiError ? undefined : await db.read(next)
    if (id === undefined) throw error
    await postpone(db, { rowName, id, nowMs }, error)
    return undefined
  }
}
