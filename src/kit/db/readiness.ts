import { sql } from 'drizzle-orm'
import { ApiError } from '../lib/errors.ts'
import type { Database } from './database.ts'
import { revision } from './derived.ts'
import { MigrationsMissing } from './failures.ts'
import { first, many, readText } from './query.ts'
import { build } from './statements.ts'

// A database can be used once all migrations are applied and no backup is being restored.

/** Returns the names of the migrations that a database has, none for an empty one. */
export const readAppliedMigrations = (db: Database): Promise<string[]> =>
  db.read(selectAppliedMigrations).catch((error: unknown) => {
    if (error instanceof MigrationsMissing) return []
    throw error
  })

/** A query for the names of all migrations that a database has. An empty one has no such table. */
export const selectAppliedMigrations = many(sql`SELECT name FROM d1_migrations`, row => readText(row.name))

// Restoring a backup takes many transactions. Until the last one, the calendar is incomplete:
// `revision.restoring` is set, and nothing but the restore reads or writes it.

/** @throws ApiError `rest_being_restored` if only a part of the calendar has been restored */
export function assertNotRestoring({ restoring }: { restoring: string | null }): void {
  if (restoring === null) return
  throw new ApiError(
    'rest_being_restored',
    'This calendar is being restored from a backup. Please come back in a few minutes.',
    { retry_after: 60 },
  )
}

/**
 * The part of a backup that has been restored, as commands/backup/restore.ts notes it; null in a complete
 * calendar.
 */
export async function findRestoreProgress(db: Database): Promise<string | null> {
  const row = await db.read(first(build.select({ restoring: revision.restoring }).from(revision)))
  return row?.restoring ?? null
}
