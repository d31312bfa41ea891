/**
 * Refusals by D1 of a batch that was computed from rows which have been changed or deleted since: the `…_version`
 * triggers, a link to a deleted row, or a category that would become its own ancestor.
 */
const CONFLICTS = [
  'version conflict',
  'FOREIGN KEY constraint failed',
  'constraint failed: term_ancestors',
  'category too deep',
]

/** Tells whether a batch was refused because of what another request did meanwhile. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Error && CONFLICTS.some(text => error.message.includes(text))

const ATTEMPTS = 10

/**
 * Runs a read-modify-write again when another request changed the same rows in between. The batch that lost has left
 * nothing behind, and the next attempt starts from the rows as they are now.
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
