import { createMiddleware } from 'hono/factory'
import { Database } from '../db/database.ts'
import type { AppEnv } from '../env.ts'

export const BOOKMARK_HEADER = 'x-d1-bookmark'

/** The bookmark in a header; undefined if it has unusual characters, which must reach neither D1 nor the response. */
const givenBookmark = (header: string | undefined): string | undefined => header?.match(/^[\w-]{1,128}$/)?.[0]

/**
 * Sets `db`: one executor for the whole request, with its metrics. Reads go to the nearest replica, unless the client
 * sends the bookmark of a write that it wants to see; writes go to the primary, and the response has their bookmark.
 * Responses that shared caches may keep have none.
 */
export const openDatabase = createMiddleware<AppEnv>(async (c, next) => {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD'
  const bookmark = givenBookmark(c.req.header(BOOKMARK_HEADER))
  const session = c.env.DB.withSession(bookmark ?? (reads ? 'first-unconstrained' : 'first-primary'))
  c.set('db', new Database(session))
  await next()
  const reached = session.getBookmark()
  if (reached && (bookmark !== undefined || !reads)) c.res.headers.set(BOOKMARK_HEADER, reached)
})
