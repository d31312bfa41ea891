import { ApiError } from '../lib/errors.ts'
import type { Database } from './database.ts'
import { revision } from './derived.ts'
import { first } from './query.ts'
import { build } from './statements.ts'

// A restore of a backup takes many transactions. Until the last one, the calendar is only a part of one: nobody reads or
// writes it but the restore, which `revision.restoring` says.

/** @throws ApiError `rest_service_unavailable` in a calendar of which only a part has been restored */
export function assertWhole({ restoring }: { restoring: string | null }): void {
  if (restoring === null) return
  throw new ApiError(
    'rest_service_unavailable',
    'This calendar is being restored from a backup. Please come back in a few minutes.',
    { retry_after: 60 },
  )
}

/** The part of a backup that has been restored, as backup/restore.ts notes it; null in a whole calendar. */
export async function findRestoring(db: Database): Promise<string | null> {
  const row = await db.get(first(build.select({ restoring: revision.restoring }).from(revision)))
  return row?.restoring ?? null
}
