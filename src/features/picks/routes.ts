import * as z from 'zod/mini'
import { calendarText } from '../../calendar/events/ical/calendar.ts'
import { CALENDAR_TYPE, expand } from '../../calendar/events/ical/routes.ts'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, resolvedQuery } from '../../kit/db/query.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { createdReply, LOCATION, ok, SHORTENED, shortened } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { FEED_SIZE } from '../../kit/lib/budgets.ts'
import { foundOrThrow } from '../../kit/lib/errors.ts'
import { assertPresent, storedJson } from '../../kit/lib/values.ts'
import { listByKey, listByToken, listState, type PickList, selectPickFeed, storedDigest } from './queries.ts'
import { checkNumber, newListSchema, type Picks, pickFields, picksSchema } from './schema.ts'
import { changeList, createList, deleteList, noteRead } from './writes.ts'

const NOT_FOUND = 'rest-pick-list-not-found'
const assertList = foundOrThrow(NOT_FOUND, 'There is no such list of picks, or it has ended.')

/** For responses whose address, or whose body, has a token. */
const PRIVATE_HEADERS = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }

const numbersIn = (json: string): number[] => storedJson<number[]>(json)

const picksOf = ({ ids, series }: PickList): { ids: number[]; series: number[] } => ({
  ids: numbersIn(ids),
  series: numbersIn(series),
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
    if (picks.ids.length + picks.series.length === 0 && !errors.any)
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
  load: async (_, { token }) => listByToken(await storedDigest(token)),
  prepare: (_, list) => assertList(list),
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
  query: z.object(expand),
  responses: { 200: z.string() },
  headers: SHORTENED,
  errors: [NOT_FOUND],
  state: async (context, { token }) => listState(context, await storedDigest(token)),
  load: async (context, { token }, isBad) => {
    const digest = await storedDigest(token)
    return combineQueries({
      list: listByToken(digest),
      feed: isBad ? resolvedQuery(undefined) : selectPickFeed(context, digest),
    })
  },
  prepare: (_, { list, feed }) => ({ list: assertList(list), feed }),
  handle: async (context, { prepared: { list, feed }, query: { expand = false } }) => {
    await noteRead(context, list)
    // Without errors, it was selected.
    const { shown, removed } = assertPresent(feed, 'the events of a list')
    const { body, isShortened } = calendarText(
      { events: shown.events, removedEvents: removed, expand },
      context,
    )
    const isFull = shown.events.length === FEED_SIZE.events
    return ok(body, { ...shortened(isShortened || isFull), 'X-Robots-Tag': PRIVATE_HEADERS['X-Robots-Tag'] })
  },
})

/** What routes that change a list have in common. Their address has its key where reads have its token. */
const byKey = {
  path,
  requires: 'read',
  ignoresCaller: true,
  responses: { 200: picksSchema },
  errors: [NOT_FOUND],
} as const

const listOfKey = async ({ db }: BaseContext, key: string): Promise<PickList> =>
  assertList(await db.read(listByKey(await storedDigest(key))))

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
    const list = await listOfKey(context, key)
    assertList(await changeList(context, list, picks))
    return ok({ ids: [...picks.ids], series: [...picks.series] }, PRIVATE_HEADERS)
  },
})

const remove = defineWrite({
  ...byKey,
  methods: ['DELETE'],
  summary: 'Delete a list of picks, by its key instead of its token',
  handle: async (context, { token: key }) => {
    const list = await listOfKey(context, key)
    await deleteList(context, list)
    return ok(picksOf(list), PRIVATE_HEADERS)
  },
})

/** The calendar comes first, whose address has an ending. */
export const pickRoutes: Route[] = [create, pickFeed, read, replace, remove]
