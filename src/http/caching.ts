import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { first, type Query } from '../db/client.ts'
import { revision } from '../db/derived.ts'
import type { AppEnv } from '../env.ts'
import { may } from '../lib/roles.ts'
import { type DateTime, startOfDay, toEpoch, toUtc, toWall } from '../lib/time.ts'
import type { Settings } from '../settings.ts'
import type { View } from '../view.ts'
import { parseBrackets } from './body.ts'
import { purgeSoon } from './purge.ts'
import { VERSION_HEADER } from './reply.ts'

/** The tag under which shared caches keep every answer, and by which they forget them all after a write. */
export const CACHE_TAG = 'calendar'

/** What every answer depends on: how often anything was changed, and when the next scheduled post is due, UTC. */
type Revision = { n: number; modified: DateTime; nextDue: DateTime | undefined }

const revisionQuery = (): Query<Revision | undefined> =>
  first(sql`SELECT n, modified_utc, next_due_utc FROM ${revision}`, row => ({
    n: Number(row.n),
    modified: String(row.modified_utc),
    nextDue: row.next_due_utc === null ? undefined : String(row.next_due_utc),
  }))

/** Callers who see the same share a tag: editors all, authors and contributors theirs, everyone else what is public. */
function audience({ caller }: View): string {
  if (may(caller, 'edit_others_posts')) return 'e'
  return may(caller, 'edit_posts') ? String(caller.id) : 'p'
}

const DATES = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']

/** Whether an answer may change from one second to the next, without any change in the data. */
function dependsOnClock(url: string): boolean {
  const { search } = new URL(url)
  if (search === '') return false
  const query = parseBrackets(search.slice(1))
  if (query.only_with_upcoming !== undefined) return true
  return DATES.some(name => query[name] !== undefined && !/^\s*\d{4}-\d\d-\d\d/.test(String(query[name])))
}

/**
 * The part of an entity tag that one row decides. It need not tell addresses apart, since tags belong to
 * one; the day is in it because the default window of lists moves with it, and the build because code
 * decides what answers look like.
 */
function stateTag({ n, nextDue }: Revision, view: View, build: string, url: string): string {
  // What is due shows before the cron trigger has published it, and more may become due before it does.
  const due = nextDue !== undefined && nextDue <= view.now
  const moment = due || dependsOnClock(url) ? view.now : toWall(view.now, view.settings.timezone).slice(0, 10)
  return [n, moment.replace(/\D/g, ''), audience(view), build].join('.')
}

/** A strong entity tag. @param version of the one resource that is answered, which `If-Match` compares */
const entityTag = (state: string, version: string | undefined): string =>
  `"${state}${version === undefined ? '' : `-v${version}`}"`

const isState = (header: string, state: string): boolean =>
  header.split(',').some(
    tag =>
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/-v\d+"$/, '"') === `"${state}"`,
  )

/** The default window moves at midnight, so nothing was last modified before today. */
function lastModified({ modified }: Revision, { now, settings }: View): string {
  const midnight = toUtc(startOfDay(toWall(now, settings.timezone)), settings.timezone)
  return new Date(toEpoch(modified > midnight ? modified : midnight)).toUTCString()
}

/**
 * Tags what is read, and answers 304 where the client has it already: that costs one row, whatever the
 * list. Otherwise the row is read along with the answer's own, in the same round trip.
 */
export const revalidate = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next()
  const view = c.get('view')
  const build = `${view.settings.fingerprint}${c.env.CF_VERSION_METADATA?.id.slice(0, 8) ?? ''}`
  const query = revisionQuery()
  const known = c.req.header('if-none-match')
  if (known) {
    const current = await c.get('db').get(query)
    const state = current && stateTag(current, view, build, c.req.url)
    if (current && state && isState(known, state)) {
      setValidators(
        c,
        known
          .split(',')
          .find(tag => isState(tag, state))
          ?.trim() ?? '',
        current,
      )
      return c.body(null, 304)
    }
  }
  let current: Revision | undefined
  c.get('db').rideAlong({
    sql: query.sql,
    read: rows => {
      current = query.read(rows)
    },
  })
  await next()
  const version = c.res.headers.get(VERSION_HEADER) ?? undefined
  if (current && c.res.ok)
    setValidators(c, entityTag(stateTag(current, view, build, c.req.url), version), current)
})

function setValidators(c: Context<AppEnv>, tag: string, current: Revision): void {
  c.header('ETag', tag.replace(/^W\//, ''))
  c.header('Last-Modified', lastModified(current, c.get('view')))
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
    if (changed) purgeSoon(c, CACHE_TAG)
    if (c.res.headers.has('cache-control')) return
    const personal =
      c.req.header('authorization') !== undefined || c.req.header('x-d1-bookmark') !== undefined
    if (!read || personal) c.header('Cache-Control', 'private, no-store')
    else if (!c.res.ok && c.res.status !== 304) c.header('Cache-Control', 'no-store')
    else {
      const { maxAge, staleWhileRevalidate } = cache
      c.header('Cache-Control', `public, max-age=${maxAge}, stale-while-revalidate=${staleWhileRevalidate}`)
      c.header('Cache-Tag', CACHE_TAG)
      c.header('Vary', 'Authorization', { append: true })
    }
  })
