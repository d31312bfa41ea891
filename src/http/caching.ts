import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type RawRow, Unchanged } from '../db/client.ts'
import type { AppEnv } from '../env.ts'
import type { Settings } from '../settings.ts'
import { BOOKMARK_HEADER } from './database.ts'
import { Memory, type Remembered } from './memory.ts'
import { purgeSoon } from './purge.ts'
import { VERSION_HEADER } from './reply.ts'
import {
  entityTag,
  lastModified,
  PUBLIC,
  type Revision,
  revisionQuery,
  standingOf,
  stateInTag,
  stateOf,
  stillIn,
} from './state.ts'

/** The tag under which shared caches keep every answer, and by which they forget them all after a write. */
export const CACHE_TAG = 'calendar'

const memory = new Memory()

/** What an answer says of its content, and not of the request. */
const KEPT = /^(content-type|etag|last-modified|link|x-(tec|wp)-)/

/**
 * Tags what is read, and works out nothing again that has not changed. A client that sends its tag is told so at
 * the cost of one row, whatever the list, and what another client has just been given is given again at the same
 * cost. Where that is less likely to be still right, the queries of an answer are sent along with the question
 * whether anything has changed, and read nothing if not: either way it takes one round trip.
 */
export const revalidate = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next()
  const [view, db] = [c.get('view'), c.get('db')]
  const standing = standingOf(view, c.env.CF_VERSION_METADATA?.id ?? '', c.req.url)
  let remembered = standing.audience === PUBLIC ? memory.recall(c.req.url) : undefined
  let unless = remembered && stillIn(remembered.state, standing, view.now)
  const tags = c.req.header('if-none-match')
  if (tags !== undefined || (unless && memory.isLikely(c.req.url, Date.now()))) {
    const asked = await db.get(revisionQuery)
    const state = asked && stateOf(asked, standing, view.now)
    const known = tags?.split(',').find(tag => stateInTag(tag) === state)
    if (asked && known) return notModified(c, known, asked)
    if (remembered && remembered.state === state) return answerAgain(c, remembered)
    // What was just found to be out of date need not be asked about again.
    remembered = undefined
    unless = undefined
  }

  let current: Revision | undefined
  const read = (rows: RawRow[]) => {
    current = revisionQuery.read(rows)
    if (current && remembered?.state === stateOf(current, standing, view.now)) throw new Unchanged()
  }
  db.rideAlong({ sql: revisionQuery.sql, read }, unless)
  await next()
  if (remembered && c.error instanceof Unchanged) c.res = answerAgain(c, remembered)
  else if (current && c.res.ok) {
    const state = stateOf(current, standing, view.now)
    c.header('ETag', entityTag(state, c.res.headers.get(VERSION_HEADER) ?? undefined))
    c.header('Last-Modified', lastModified(current, view))
    if (standing.audience === PUBLIC) await remember(c, state)
  }
})

function notModified(c: Context<AppEnv>, tag: string, current: Revision): Response {
  c.header('ETag', tag.trim().replace(/^W\//, ''))
  c.header('Last-Modified', lastModified(current, c.get('view')))
  return c.body(null, 304)
}

async function remember(c: Context<AppEnv>, state: string): Promise<void> {
  const headers = [...c.res.headers].filter(([name]) => KEPT.test(name))
  memory.keep(c.req.url, { state, body: await c.res.clone().text(), headers })
  memory.confirm(c.req.url, Date.now())
}

function answerAgain(c: Context<AppEnv>, { body, headers }: Remembered): Response {
  c.set('cache', 'memory')
  memory.confirm(c.req.url, Date.now())
  return c.body(body, 200, Object.fromEntries(headers))
}

/**
 * Says how long an answer may be kept, and by whom: what anonymous callers read by everyone for a while,
 * anything else by nobody. Without this header Workers Cache would keep answers for two hours.
 */
export const cacheControl = ({ cache }: Settings) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await next()
    c.res.headers.delete(VERSION_HEADER)
    const read = c.req.method === 'GET' || c.req.method === 'HEAD'
    const changed = !read && c.req.method !== 'OPTIONS' && c.res.ok
    if (changed) {
      memory.noteWrite()
      purgeSoon(c, CACHE_TAG)
    }
    if (c.res.headers.has('cache-control')) return
    const personal =
      c.req.header('authorization') !== undefined || c.req.header(BOOKMARK_HEADER) !== undefined
    if (!read || personal) c.header('Cache-Control', 'private, no-store')
    else if (!c.res.ok && c.res.status !== 304) c.header('Cache-Control', 'no-store')
    else {
      const { maxAge, staleWhileRevalidate } = cache
      c.header('Cache-Control', `public, max-age=${maxAge}, stale-while-revalidate=${staleWhileRevalidate}`)
      c.header('Cache-Tag', CACHE_TAG)
      c.header('Vary', 'Authorization', { append: true })
    }
  })
