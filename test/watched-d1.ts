import { DatabaseUnavailable, isDailyLimit } from '../src/kit/db/failures.ts'
import { messageOf } from '../src/kit/lib/errors.ts'

type Watch = {
  /** Called with the text of each statement. */
  prepare?: (text: string) => void
  /** Called before each batch, which does not happen if this throws. */
  batch?: (statements: readonly D1PreparedStatement[]) => void
}

/** A D1 that a test watches, in workerd and in Node alike. It has what the Worker uses of the binding. */
export function watchedD1(DB: D1Database, { prepare = () => {}, batch = () => {} }: Watch): D1Database {
  const session = {
    prepare: (text: string) => {
      prepare(text)
      return DB.prepare(text)
    },
    batch: async (statements: D1PreparedStatement[]) => {
      batch(statements)
      return DB.batch(statements)
    },
    getBookmark: () => null,
    withSession: () => session,
  }
  // Nothing else of it is used.
  return session as unknown as D1Database
}

/** The D1 of a Worker that is killed at a statement: neither that nor anything after it happens. */
export function dyingAt(DB: D1Database, isItsEnd: (text: string) => boolean): D1Database {
  let isDead = false
  return watchedD1(DB, {
    prepare: text => {
      isDead ||= isItsEnd(text)
    },
    batch: () => {
      if (isDead) throw new Error('SQLITE_ERROR: nothing is written after the end')
    },
  })
}

/** Ignores a failure of the database, which a test simulates. @throws any other error, which is ours */
export function ignoreDatabaseFailure(error: unknown): void {
  const isOfDatabase = error instanceof DatabaseUnavailable || isDailyLimit(error)
  if (!isOfDatabase && !messageOf(error).startsWith('D1_ERROR')) throw error
}
