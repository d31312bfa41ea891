import { sql } from 'drizzle-orm'
import { ApiError } from '../lib/errors.ts'
import type { Database } from './database.ts'
import { revision } from './derived.ts'
import { first, many } from './query.ts'
import { build } from './statements.ts'

// A database can be used once all migrations are applied and no backup is being restored.

/** The first of the migrations that `0000_calendar.sql` has replaced. */
const REPLACED = '0000_tables.sql'

/** What to do with a database whose migrations have been replaced. */
export const REPLACED_MIGRATIONS =
  'This database was made by the migrations of an earlier version, and cannot be upgraded: export it with that version, and restore the backup into a new database with this one (OPERATING.md, «A database with the earlier migrations»).'

/** Tells whether a database has migrations that have been replaced. @param applied the names of its migrations */
export const isReplaced = (applied: readonly string[]): boolean => applied.includes(REPLACED)

/** @throws Error for a database whose migrations have been replaced */
export function assertNotReplaced(applied: readonly string[]): void {
  if (isReplaced(applied)) throw new Error(REPLACED_MIGRATIONS)
}

/**
 * Returns the names of the migrations that a database has, none for an empty one.
 *
 * @throws Error for a database whose migrations have been replaced
 */
export async function appliedMigrations(db: Pick<Database, 'get'>): Promise<string[]> {
  const names = await db.get(selectApplied).catch((error: unknown) => {
    if (/no such table/.test(messagesOf(error))) return []
    throw error
  })
  assertNotReplaced(names)
  return names
}

/** A query of the names of all migrations that a database has. An empty one has no such table. */
export const selectApplied = many(sql`SELECT name FROM d1_migrations`, row => String(row.name))

/** The messages of an error and its causes. */
const messagesOf = (error: unknown): string =>
  error instanceof Error ? `${error.message}\n${messagesOf(error.cause)}` : ''

// Restoring a backup takes many transactions. Until the last one, the calendar is incomplete: `revision.restoring` is
// set, and nothing but the restore reads or writes it.

/** @throws ApiError `rest_service_unavailable` if only a part of the calendar has been restored */
export function assertWhole({ restoring }: { restoring: string | null }): void {
  if (restoring === null) return
  throw new ApiError(
    'rest_service_unavailable',
    'This calendar is being restored from a backup. Please come back in a few minutes.',
    { retry_after: 60 },
  )
}

/** The part of a backup that has been restored, as backup/restore.ts notes it; null in a complete calendar. */
export async function findRestoring(db: Database): Promise<string | null> {
  const row = await db.get(first(build.select({ restoring: revision.restoring }).from(revision)))
  return row?.restoring ?? null
}
