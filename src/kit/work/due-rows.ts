import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../db/database.ts'
import { inList, literal, many, readNumber, type Statement } from '../db/query.ts'
import { build } from '../db/statements.ts'
import { ApiError } from '../lib/errors.ts'
import { asError, runLogged } from './error-log.ts'
import { notPostponedSql, postpone } from './leases.ts'

/** Rows of a table that are deleted or changed once they are due, such as expired sessions. */
export type DueRows = {
  /** The name of the task, for the log. */
  name: string
  /** The name of a single row, for the log and for `setbacks`. */
  rowName: string
  table: SQLiteTable
  dueSql: SQL
  /** The index that finds due rows, where SQLite might take another for the shorter way. */
  index?: string
  /**
   * The statements that change some of the rows, so that they are no longer due. By default, they are
   * deleted.
   * @param chosen a condition for rows
   */
  changeStatements?: (chosen: SQL) => readonly Statement[]
  /** The most rows of one transaction. */
  limit: number
  /** True if no index finds due rows: the cron looks for them every ten minutes, and not every minute. */
  isUnindexed?: true
}

/** The end of a statement that finds due rows, from its FROM clause on. */
const fromDue = ({ rowName, table, dueSql, index }: DueRows, nowMs: number): SQL =>
  sql`FROM ${table} ${index === undefined ? sql`` : sql`INDEXED BY ${sql.identifier(index)}`}
    WHERE ${dueSql} AND ${notPostponedSql(rowName, nowMs)}`

/** A condition that is true if there are due rows. */
export const anyDueSql = (rows: DueRows, nowMs: number): SQL => sql`EXISTS (SELECT 1 ${fromDue(rows, nowMs)})`

/**
 * Processes all items at once or, if that fails, each half of them, down to single items, so that the ones at
 * fault are found quickly.
 *
 * @param work throws an `ApiError` for errors that are not the fault of an item, which end the processing
 * @param refuse called with each item that fails alone
 */
export async function processByHalving<T>(
  items: readonly T[],
  work: (batch: readonly T[]) => Promise<unknown>,
  refuse: (item: T, error: Error) => Promise<unknown>,
): Promise<void> {
  const [item] = items
  if (item === undefined) return
  try {
    await work(items)
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (items.length === 1) return void (await refuse(item, asError(error)))
    for (const half of halvesOf(items)) await processByHalving(half, work, refuse)
  }
}

const halvesOf = <T>(items: readonly T[]): (readonly T[])[] => {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}

const dueIds = (rows: DueRows, nowMs: number, order: SQL): SQL =>
  sql`SELECT rowid AS row_id ${fromDue(rows, nowMs)} ${order} LIMIT ${literal(rows.limit)}`

const writeDue = (db: Database, { name, table, changeStatements }: DueRows, chosen: SQL): Promise<void> =>
  db.writeIfAllowed(name, changeStatements ? changeStatements(chosen) : [build.delete(table).where(chosen)])

/**
 * Changes due rows, in one transaction.
 *
 * @returns true if the database refuses the transaction, so that {@link changeEach} has to change all but the
 *   bad rows
 */
export async function changeAll(db: Database, rows: DueRows, nowMs: number): Promise<boolean> {
  const ids = dueIds(rows, nowMs, sql`ORDER BY rowid`)
  const isRefused = await runLogged(
    rows.name,
    () => writeDue(db, rows, sql`rowid IN (${ids})`),
    // A failure of D1 itself is not the fault of a row.
    error => !(error instanceof ApiError),
  )
  return isRefused === true
}

/** Changes due rows in smaller and smaller groups, and postpones single rows that the database refuses. */
export async function changeEach(db: Database, rows: DueRows, nowMs: number): Promise<void> {
  const { name, rowName, dueSql } = rows
  if (!db.allowance.allows(name, { statements: 1 })) return
  const ids = await db.read(many(dueIds(rows, nowMs, sql`ORDER BY random()`), row => readNumber(row.row_id)))
  for (const half of halvesOf(ids))
    await processByHalving(
      half,
      some => writeDue(db, rows, sql`${dueSql} AND rowid IN ${inList(some)}`),
      (id, error) => postpone(db, { rowName, id, nowMs }, error),
    )
}

/**
 * Changes due rows. Rows that the database refuses don't hold up the others. It can run twice at the same
 * time.
 */
export async function changeDue(db: Database, rows: DueRows, nowMs: number): Promise<void> {
  if (await changeAll(db, rows, nowMs)) await runLogged(rows.name, () => changeEach(db, rows, nowMs))
}
