import { type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../lib/errors.ts'

/** The message with which triggers refuse a write (db/triggers/conflicts.sql). */
export const CONFLICT = 'version conflict'

/**
 * Error messages of D1 for a batch that was computed from rows which have been changed or deleted since. They come
 * from the `…_version` triggers, from {@link conflictIf}, and from a link to a deleted row, a category that would
 * become its own ancestor, an external id that is taken, or an image whose file is being deleted
 * (resources/content/uploads.ts).
 */
const CONFLICTS = [
  CONFLICT,
  'FOREIGN KEY constraint failed',
  'constraint failed: term_ancestors',
  'category too deep',
  // Another request has just used the external id; the next attempt will find it.
  'UNIQUE constraint failed: events.external_id',
  'UNIQUE constraint failed: venues.external_id',
  'UNIQUE constraint failed: organizers.external_id',
  'NOT NULL constraint failed: images.url',
]

/**
 * The statement that makes a batch fail with a conflict if a condition is true: somebody else has meanwhile done what
 * the batch was meant to do.
 */
export const conflictIf = (condition: SQL): SQL =>
  sql`INSERT INTO conflicts (is_conflict) SELECT ${condition}`

/** Tells whether a batch failed because another request changed the same rows. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Error && CONFLICTS.some(text => error.message.includes(text))

const ATTEMPTS = 10

/**
 * Repeats a read-modify-write if another request changed the same rows in between. D1 has rolled the failed batch back,
 * and the next attempt reads the rows again.
 *
 * @throws ApiError `rest_service_unavailable` if all attempts fail
 */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConflict(error)) throw error
      if (left <= 1)
        throw new ApiError('rest_service_unavailable', 'Others keep changing this. Please try again.')
    }
  }
}
