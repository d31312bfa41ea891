import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { calendarText } from '../../calendar/events/ical/calendar.ts'
import { CALENDAR_TYPE, expandParam } from '../../calendar/events/ical/routes.ts'
import type { BaseContext, RequestContext } from '../../kit/context.ts'
import { isConflict } from '../../kit/db/failures.ts'
import { combineQueries, resolvedQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { selectSecret } from '../../kit/http/personal-links.ts'
import { createdReply, LOCATION, ok, SHORTENED, shortened } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { FEED_SIZE } from '../../kit/lib/budgets.ts'
import { foundOrThrow, tooOften } from '../../kit/lib/errors.ts'
import { hexDigest, randomHex } from '../../kit/lib/hash.ts'
import { requirePresent, storedJson } from '../../kit/lib/values.ts'
import { type Count, countStatements, countsOfNetwork } from '../../kit/work/counts.ts'
import {
  isReadDue,
  type PickList,
  selectListByKey,
  selectListByToken,
  selectListState,
  selectPickFeed,
} from './queries.ts'
import { checkNumber, newListSchema, type Picks, pickFields, picksSchema } from './schema.ts'
import { pickLists } from './tables.ts'

/** The most new lists per day from a network. */
const MAX_NEW_LISTS = 20
/** The most changes of a list per hour. */
const MAX_CHANGES = 60

const jsonColumns = ({ ids, series }: Picks) => ({ ids: JSON.stringify(ids), series: JSON.stringify(series) })

/**
 * Stores a list.
 *
 * @returns the token that reads it, and the key that changes it, of 128 random bits each
 * @throws ApiError `rest_too_many_requests` if its network has stored too many today, or all together have
 */
async function createList(context: RequestContext, picks: Picks): Promise<{ token: string; key: string }> {
  const { db, clock, settings } = context
  const token = randomHex(16)
  const key = randomHex(16)
  const [token_digest, key_digest] = await Promise.all([hexDigest(token), hexDigest(key)])
  const secret = await db.read(selectSecret())
  const counts: Count[] = [
    { key: 'picks', limit: settings.picksNewLists, per: 'day' },
    ...(await countsOfNetwork(context, secret, { name: 'picks from', limit: MAX_NEW_LISTS, per: 'day' })),
  ]
  await db
    .write([
      ...countStatements(clock, counts),
      build
        .insert(pickLists)
        .values({ token_digest, key_digest, ...jsonColumns(picks), read_utc: clock.now() }),
    ])
    .catch(throwIfUsedUp('Too many new lists. Please try again later.'))
  return { token, key }
}

/** A handler of errors that turns a conflict, because a count is used up, into `rest_too_many_requests`. */
const throwIfUsedUp =
  (message: string) =>
  (error: unknown): never => {
    throw isConflict(error) ? tooOften(message) : error
  }

/**
 * Replaces the picks of a list.
 *
 * @returns the list; undefined if somebody has deleted it in the meantime
 * @throws ApiError `rest_too_many_requests` after too many changes in an hour
 */
async function changeList(
  { db, clock }: BaseContext,
  list: PickList,
  picks: Picks,
): Promise<PickList | undefined> {
  const columns = jsonColumns(picks)
  if (columns.ids === list.ids && columns.series === list.series) return list
  return db
    .write(
      [
        ...countStatements(clock, [{ key: `changes of picks ${list.id}`, limit: MAX_CHANGES, per: 'hour' }]),
        build
          .update(pickLists)
          .set({ ...columns, version: sql`${pickLists.version} + 1` })
          .where(eq(pickLists.id, list.id)),
      ],
      selectListByKey(list.key_digest),
    )
    .catch(throwIfUsedUp('Too many changes. Please try again later.'))
}

/** Records that a list is read, at most once a week, because lists that nobody reads expire. */
async function noteRead(context: BaseContext, list: PickList): Promise<void> {
  if (!isReadDue(list, context)) return
  const read_utc = context.clock.untrackedTime
  await context.db.write([build.update(pickLists).set({ read_utc }).where(sql`${pickLists.id} = ${list.id}`)])
}

const NOT_FOUND = 'rest-pick-list-not-found'
const requireList = foundOrThrow(NOT_FOUND, 'There is no such list of picks, or it has ended.')

/** The headers of responses with a token in their address or body. */
const PRIVATE_HEADERS = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }

const picksOf = ({ ids, series }: PickList): { ids: number[]; series: number[] } => ({
  ids: storedJson(ids),
  series: storedJson(series),
})

const wholePicks = ({ ids = [], series = [] }: Partial<z.output<typeof pickFields>>): Picks => ({
  ids,
  series,
})

const pickListAddress = ({ api }: BaseContext, token: string): string => `${api}/picks/${token}`

const create = defineWrite({
  methods: ['POST'],
  path: '/picks',
  summary: 'Store a list of picks, to subscribe to it',
  requires: 'read',
  ignoresCaller: true,
  body: pickFields,
  responses: { 201: newListSchema },
  headers: LOCATION,
  prepare: (_, _loaded, { body }, errors) => {
    const picks = wholePicks(body)
    checkNumber(picks, errors)
    if (picks.ids.length + picks.series.length === 0 && !errors.hasAny)
      errors.add(
        body.ids || !body.series ? 'ids' : 'series',
        'must not be empty, unless the other list is not',
      )
    return picks
  },
  handle: async (context, { prepared: picks }) => {
    const { token, key } = await createList(context, picks)
    const url = pickListAddress(context, token)
    return createdReply(
      { body: { token, key, url, ics: `${url}.ics` }, version: 1, headers: PRIVATE_HEADERS },
      url,
    )
  },
})

const path = '/picks/{token}'

const read = defineRead({
  path,
  summary: 'Read a list of picks by its token',
  requires: 'read',
  ignoresCaller: true,
  isUncached: true,
  responses: { 200: picksSchema },
  errors: [NOT_FOUND],
  load: async (_, { token }) => selectListByToken(await hexDigest(token)),
  prepare: (_, list) => requireList(list),
  handle: async (context, { prepared: list }) => {
    await noteRead(context, list)
    return ok(picksOf(list), PRIVATE_HEADERS)
  },
})

const pickFeed = defineRead({
  path: `${path}.ics`,
  summary: 'Subscribe to a list of picks by its token',
  requires: 'read',
  ignoresCaller: true,
  produces: CALENDAR_TYPE,
  query: z.object(expandParam),
  responses: { 200: z.string() },
  headers: SHORTENED,
  errors: [NOT_FOUND],
  state: async (context, { token }) => selectListState(context, await hexDigest(token)),
  load: async (context, { token }, isBad) => {
    const digest = await hexDigest(token)
    return combineQueries({
      list: selectListByToken(digest),
      feed: isBad ? resolvedQuery(undefined) : selectPickFeed(context, digest),
    })
  },
  prepare: (_, { list, feed }) => ({ list: requireList(list), feed }),
  handle: async (context, { prepared: { list, feed }, query: { expand = false } }) => {
    await noteRead(context, list)
    // The request had no errors, so the feed was selected.
    const { events } = requirePresent(feed, 'the events of a list')
    const { body, isShortened } = calendarText({ events, expand }, context)
    const isFull = events.length === FEED_SIZE.events
    return ok(body, { ...shortened(isShortened || isFull), 'X-Robots-Tag': PRIVATE_HEADERS['X-Robots-Tag'] })
  },
})

/** What the routes that change a list share. Their address has the list's key where reads have its token. */
const byKey = {
  path,
  requires: 'read',
  ignoresCaller: true,
  responses: { 200: picksSchema },
  errors: [NOT_FOUND],
} as const

const readListByKey = async ({ db }: BaseContext, key: string): Promise<PickList> =>
  requireList(await db.read(selectListByKey(await hexDigest(key))))

const replace = defineWrite({
  ...byKey,
  methods: ['PUT'],
  summary: 'Replace a list of picks, by its key instead of its token',
  body: pickFields,
  prepare: (_, _loaded, { body }, errors) => {
    const picks = wholePicks(body)
    checkNumber(picks, errors)
    return picks
  },
  handle: async (context, { token: key, prepared: picks }) => {
    const list = await readListByKey(context, key)
    requireList(await changeList(context, list, picks))
    return ok({ ids: [...picks.ids], series: [...picks.series] }, PRIVATE_HEADERS)
  },
})

const remove = defineWrite({
  ...byKey,
  methods: ['DELETE'],
  summary: 'Delete a list of picks, by its key instead of its token',
  handle: async (context, { token: key }) => {
    const list = await readListByKey(context, key)
    await context.db.write([build.delete(pickLists).where(eq(pickLists.id, list.id))])
    return ok(picksOf(list), PRIVATE_HEADERS)
  },
})

/** The calendar comes first, because its address has an ending. */
export const pickRoutes: Route[] = [create, pickFeed, read, replace, remove]
