import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { codesOf } from '../content/kind.ts'
import { assertFound, hasKey, readable } from '../content/single.ts'
import type { RequestContext } from '../context.ts'
import { type Query, together } from '../db/query.ts'
import { reportUnknown, type UnknownValues, unknownValues } from '../db/references.ts'
import { events } from '../db/schema.ts'
import { EVENTS } from '../events/kind.ts'
import { listReferences } from '../events/listing/references.ts'
import { checkCoordinates } from '../events/parameters.ts'
import { selectPlainEvents } from '../events/queries.ts'
import { type EventListParams, eventList } from '../events/schema.ts'
import type { Given } from '../http/input.ts'
import { ok, type Reply, SHORTENED, shortened } from '../http/reply.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { ValidationErrors } from '../lib/errors.ts'
import { calendarText, type Feed, removedCalendar, singleText } from './calendar.ts'
import { jsonFeedText } from './json-feed.ts'
import { type Found, selectFeed, selectFeedEvents } from './queries.ts'
import { selectRemoved, selectRemovedFrom } from './removed.ts'
import { rssText } from './rss.ts'

/** The parameters of feeds: the filters of the list. They have no pages, an order of their own, and only what is published. */
const feedParams = eventList.omit({ page: true, per_page: true, order: true, orderby: true, status: true })

type Values = Partial<EventListParams>
type Loaded<T> = { found: T; unknown: readonly UnknownValues[] }

/** The part of a route that reads a feed with some filters. */
const feedRead = <T>(select: (context: RequestContext, values: Values) => Query<T>) => ({
  methods: ['GET'] as const,
  requires: 'read' as const,
  readsAsAnonymous: true,
  query: feedParams,
  responses: { 200: z.string() },
  headers: SHORTENED,
  errors: ['rest_invalid_param'] as const,
  load: (context: RequestContext, { query: values }: { query: Values }) =>
    together({ found: select(context, values), unknown: unknownValues(listReferences(context, values)) }),
  validate: (
    _: RequestContext,
    { unknown }: Loaded<T>,
    { query }: { query: Values },
    errors: ValidationErrors,
  ) => {
    checkCoordinates(query, errors)
    reportUnknown(errors, unknown)
  },
})

const sent = ({ text, isShortened }: Feed): Reply<200, string> => ok(text, shortened(isShortened))

/** The address of a feed with its filters. */
function addressOf({ api }: RequestContext, path: string, given: Given): string {
  const params = new URLSearchParams(
    Object.entries(given).map(([name, value]) => [name, [value].flat().join(',')]),
  )
  const query = params.toString()
  return `${api}${path}${query === '' ? '' : `?${query}`}`
}

const calendar = defineRoute({
  ...feedRead((context, values) =>
    together({ shown: selectFeed(context, values), removed: selectRemovedFrom(context, values) }),
  ),
  path: '/events.ics',
  summary: 'Subscribe to events as a calendar',
  produces: 'text/calendar; charset=utf-8',
  handle: (context, { loaded: { found } }) =>
    sent(calendarText({ ...found.shown, removed: found.removed }, context)),
})

const rss = defineRoute({
  ...feedRead<Found>(selectFeed),
  path: '/events.rss',
  summary: 'Subscribe to events as RSS',
  produces: 'application/rss+xml; charset=utf-8',
  handle: (context, { loaded: { found }, given }) =>
    sent(rssText(found, addressOf(context, '/events.rss', given), context)),
})

const jsonFeed = defineRoute({
  ...feedRead<Found>(selectFeed),
  path: '/events.feed.json',
  summary: 'Subscribe to events as a JSON feed',
  produces: 'application/feed+json; charset=utf-8',
  handle: (context, { loaded: { found }, given }) =>
    sent(jsonFeedText(found, addressOf(context, '/events.feed.json', given), context)),
})

const codes = codesOf('event')

/** One event as a calendar. In the trash, it is a cancelled one for a while. */
const single = (path: string): Route =>
  defineRoute({
    methods: ['GET'],
    path,
    summary: 'Read one event as a calendar',
    requires: 'read',
    readsAsAnonymous: true,
    produces: 'text/calendar; charset=utf-8',
    responses: { 200: z.string() },
    headers: SHORTENED,
    errors: [codes.notFound, codes.notAccessible, codes.trashed],
    load: (context, { key }) => {
      const named = hasKey(events, key)
      return together({
        rows: selectPlainEvents(named),
        shown: selectFeedEvents(context, sql`SELECT ${events.id} FROM ${events} WHERE ${named}`),
        removed: selectRemoved(context, named),
      })
    },
    permit: (context, { rows, shown, removed }) => {
      const row = assertFound(EVENTS, rows[0])
      const [gone] = removed
      if (row.status === 'trash' && gone) return { gone }
      readable(context, { kind: EVENTS, row })
      return { event: assertFound(EVENTS, shown.events[0]) }
    },
    handle: (context, { loaded }) =>
      'gone' in loaded
        ? ok(removedCalendar(loaded.gone, context))
        : ok(singleText(loaded.event, context), shortened(loaded.event.isCut)),
  })

/** The routes of feeds. They come before those of events, whose slugs would take their addresses. */
export const feedRoutes: Route[] = [
  calendar,
  rss,
  jsonFeed,
  single('/events/{id}.ics'),
  single('/events/by-slug/{slug}.ics'),
]
