import { lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../db/database.ts'
import { inList, literal, many, type Query, type Statement } from '../db/query.ts'
import { setbacks } from '../db/schema.ts'
import { build } from '../db/statements.ts'
import { TO_PUT_BACK } from '../lib/budgets.ts'
import { ApiError } from '../lib/errors.ts'
import { DAY_MS, formatInstant } from '../lib/time.ts'
import { asError, attempt, logError } from './log.ts'

/** Rows of a table that are changed once they are due, such as expired sessions. */
export type DueRows = {
  /** The name of the task, for the log. */
  name: string
  /** The name of a single row, for the log and for `setbacks`. */
  one: string
  table: SQLiteTable
  /** A condition for rows. */
  due: SQL
  /** The statements that change some of the rows, so that they are no longer due. @param chosen a condition for rows */
  change: (chosen: SQL) => readonly Statement[]
  /** The most rows of one transaction. */
  most: number
}

/** A condition for rows that are not postponed. @param one the name of a single row @param id an expression for their `rowid` */
export const isNotPutBack = (one: string, nowMs: number, id = sql`rowid`): SQL =>
  sql`${id} NOT IN (SELECT row_id FROM ${setbacks} WHERE task = ${one} AND until_utc > ${formatInstant(nowMs)})`

/** A condition that is true if there are such rows. */
export const hasDue = ({ one, table, due }: Pick<DueRows, 'one' | 'table' | 'due'>, nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${due} AND ${isNotPutBack(one, nowMs)})`

/** Minutes for which a row is postponed, by its failures. After the first failure it is tried again at once. */
const PAUSE = sql`min(60, (1 << min(failures + 1, 6)) - 1)`

/** The statements that postpone a row which the database refuses to change, for longer with each refusal. */
const putBackStatements = (one: string, id: number, nowMs: number): Statement[] => [
  build.delete(setbacks).where(lt(setbacks.until_utc, formatInstant(nowMs - DAY_MS))),
  build
    .insert(setbacks)
    .values({ task: one, row_id: id, failures: 0, until_utc: formatInstant(nowMs) })
    .onConflictDoUpdate({
      target: [setbacks.task, setbacks.row_id],
      set: {
        failures: sql`failures + 1`,
        until_utc: sql`datetime(${formatInstant(nowMs)}, '+' || ${PAUSE} || ' minutes')`,
      },
    }),
]

/** Logs why a row could not be changed, and postpones it for up to an hour. */
export async function putBack(
  db: Database,
  { one, id, nowMs, error }: { one: string; id: number; nowMs: number; error: Error },
): Promise<void> {
  logError(`cron: ${one} ${id}`, error)
  if (!db.allowance.begin(one, { statements: TO_PUT_BACK })) return
  await attempt(`${one} ${id}`, () => db.change(putBackStatements(one, id, nowMs)))
}

/**
 * Reserves due rows. If the database refuses that write, the first of the rows is postponed.
 *
 * @param next a query for the first of the rows
 * @returns undefined if the database refused it
 */
export async function takeDue<T>(
  db: Database,
  { one, nowMs, next }: { one: string; nowMs: number; next: Query<number | undefined> },
  take: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await take()
  } catch (thrown) {
    const error = asError(thrown)
    const id = error instanceof ApiError ? undefined : await db.get(next)
    if (id === undefined) throw error
    await putBack(db, { one, id, nowMs, error })
    return undefined
  }
}

/**
 * Processes all items at once or, if that fails, each half of them, down to single items, so that the ones at fault are
 * found quickly.
 *
 * @param work throws an `ApiError` for errors that are not the fault of an item, which end the processing
 * @param refuse called with each item that fails alone
 */
export async function inHalves<T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<unknown>,
  refuse: (item: T, error: Error) => Promise<unknown>,
): Promise<void> {
  const [item] = items
  if (item === undefined) return
  try {
    await work(items)
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (items.length === 1) return void (await refuse(item, asError(error)))
    for (const half of halvesOf(items)) await inHalves(half, work, refuse)
  }
}

const halvesOf = <T>(items: readonly T[]): (readonly T[])[] => {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}

/** A SELECT of due rows. */
const dueIds = ({ one, table, due, most }: DueRows, nowMs: number, order: SQL): SQL =>
  sql`SELECT rowid AS row_id FROM ${table} WHERE ${due} AND ${isNotPutBack(one, nowMs)} ${order} LIMIT ${literal(most)}`

async function write(db: Database, { name, change }: DueRows, chosen: SQL): Promise<void> {
  const statements = change(chosen)
  if (db.allowance.begin(name, { statements: statements.length })) await db.change(statements)
}

/**
 * Changes due rows, in one transaction.
 *
 * @returns true if the database refuses that, so that {@link changeEach} has to change all but the bad rows
 */
export async function changeAll(db: Database, rows: DueRows, nowMs: number): Promise<boolean> {
  const ids = dueIds(rows, nowMs, sql`ORDER BY rowid`)
  const failure = await attempt(rows.name, () => write(db, rows, sql`rowid IN (${ids})`))
  // A failure of D1 itself is not the fault of a row.
  return failure !== undefined && !(failure instanceof ApiError)
}

/** Changes due rows in smaller and smaller groups, and postpones single rows that the database refuses. */
export async function changeEach(db: Database, rows: DueRows, nowMs: number): Promise<void> {
  const { name, one, due } = rows
  if (!db.allowance.begin(name, { statements: 1 })) return
  const ids = await db.get(many(dueIds(rows, nowMs, sql`ORDER BY random()`), row => Number(row.row_id)))
  for (const half of halvesOf(ids))
    await inHalves(
      half,
      some => write(db, rows, sql`${due} AND rowid IN ${inList(some)}`),
      (id, error) => putBack(db, { one, id, nowMs, error }),
    )
}

/** Changes due rows. Rows that the database refuses don't hold up the others. It can run twice at the same time. */
export async function changeDue(db: Database, rows: DueRows, nowMs: number): Promise<void> {
  if (await changeAll(db, rows, nowMs)) await attempt(rows.name, () => changeEach(db, rows, nowMs))
}
