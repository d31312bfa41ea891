import { createMiddleware } from 'hono/factory'
import { Database } from '../db/database.ts'
import type { AppEnv } from '../env.ts'

export const BOOKMARK_HEADER = 'x-d1-bookmark'

/** Bookmarks are opaque, but never long and never strange: what is goes neither to D1 nor back to the client. */
const givenBookmark = (header: string | undefined): string | undefined => header?.match(/^[\w-]{1,128}$/)?.[0]

/**
 * Sets `db`: one for the whole request, which counts all that D1 does for it. Reads go to the nearest replica,
 * unless the caller sends the bookmark of a write that it wants to see; writes go to the primary and answer
 * with theirs. A bookmark never rides on an answer that shared caches may keep.
 */
export const openDatabase = createMiddleware<AppEnv>(async (c, next) => {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD'
  const bookmark = givenBookmark(c.req.header(BOOKMARK_HEADER))
  const session = c.env.DB.withSession(bookmark ?? (reads ? 'first-unconstrained' : 'first-primary'))
  c.set('db', new Database(session))
  await next()
  const reached = session.getBookmark()
  if (reached && (bookmark !== undefined || !reads)) c.header(BOOKMARK_HEADER, reached)
})
