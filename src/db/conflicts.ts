/**
 * Error messages of D1 for a batch that was computed from rows which have been changed or deleted since: by the
 * `…_version` triggers, a link to a deleted row, or a category that would become its own ancestor.
 */
const CONFLICTS = [
  'version conflict',
  'FOREIGN KEY constraint failed',
  'constraint failed: term_ancestors',
  'category too deep',
]

/** Tells if a batch failed because another request changed the same rows. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Error && CONFLICTS.some(text => error.message.includes(text))

const ATTEMPTS = 10

/**
 * Runs a read-modify-write again if another request changed the same rows in between. The failed batch was rolled back,
 * and the next attempt reads the rows again.
 */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left <= 1 || !isConflict(error)) throw error
    }
  }
}
