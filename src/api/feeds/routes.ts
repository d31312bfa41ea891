import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type RequestContext, restUrl } from '../../context.ts'
import { literal, type Query, together } from '../../db/query.ts'
import { reportUnknown, unknownValues } from '../../db/references.ts'
import { events } from '../../db/schema.ts'
import { withQuery } from '../../http/lists.ts'
import { flag } from '../../http/params.ts'
import { ok, SHORTENED, shortened } from '../../http/reply.ts'
import { defineRoute, type FieldsSchema, type Route } from '../../http/route.ts'
import { FEED_SIZE } from '../../lib/budgets.ts'
import { requestTime } from '../../lib/clock.ts'
import { codesOf } from '../../resources/content/resource.ts'
import { leadsToShown } from '../../resources/content/routes.ts'
import {
  assertFound,
  hasKey,
  isNoDuplicate,
  isPublished,
  readable,
} from '../../resources/content/visibility.ts'
import {
  DIGEST_DAYS,
  type Digest,
  digestParams,
  readDigest,
  renderDigest,
} from '../../resources/digest/digest.ts'
import { calendarText, removedCalendar, singleText } from '../../resources/events/calendar/calendar.ts'
import { type FoundEvents, selectFeed, selectFeedEvents } from '../../resources/events/calendar/queries.ts'
import { type Removed, selectRemoved, selectRemovedFrom } from '../../resources/events/calendar/removed.ts'
import { type Feed, Room } from '../../resources/events/calendar/room.ts'
import { listReferences } from '../../resources/events/listing/filters.ts'
import { selectPlainEvents } from '../../resources/events/queries.ts'
import { checkList, EVENTS } from '../../resources/events/resource.ts'
import { type EventListParams, eventList } from '../../resources/events/schema.ts'
import { languageFor } from '../../words/languages.ts'
import { jsonFeedText, rssText } from './items.ts'
import { csvText } from './spreadsheet.ts'

/**
 * A feed format: its media type, the query that loads the events in one round trip, and the function that writes them. The
 * caller in the context is always anonymous.
 */
type Format<T> = {
  type: string
  select: (context: RequestContext, values: FeedValues) => Query<T>
  /** Writes the feed. @param address of the feed itself */
  write: (context: RequestContext, input: { found: T; address: string; values: FeedValues }) => Feed
  /** The content security policy of a page. */
  policy?: string
}

/** The filters of a feed, and the parameters that only some formats have. */
type FeedValues = Partial<EventListParams> & {
  expand?: boolean | undefined
  days?: number | undefined
  language?: string | undefined
}

/** A feed with a flag that says whether events are missing from it. */
const counted = (feed: Feed, { events, total }: FoundEvents): Feed => ({
  ...feed,
  isShortened: feed.isShortened || total > events.length,
})

const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

export const CALENDAR: Format<{ shown: FoundEvents; removed: Removed[] }> = {
  type: CALENDAR_TYPE,
  select: (context, values) =>
    together({ shown: selectFeed(context, values), removed: selectRemovedFrom(context, values) }),
  write: (context, { found: { shown, removed }, values: { expand = false } }) =>
    counted(calendarText({ ...shown, removed, expand }, context), shown),
}

/** A format whose items are events. @param text writes them */
const items = (
  type: string,
  text: (found: FoundEvents, address: string, context: RequestContext) => Feed,
): Format<FoundEvents> => ({
  type,
  select: selectFeed,
  write: (context, { found, address }) => counted(text(found, address, context), found),
})

/** The parameters of feeds: the filters of the list. Feeds have no pages, an order of their own, and only published events. */
const feedParams = z.omit(eventList, { page: true, per_page: true, order: true, orderby: true, status: true })

const expand = {
  expand: z.optional(
    flag({
      description:
        'Every date of a series as an event of its own, for programs that do not understand rules.',
      default: false,
    }),
  ),
}

const programme = z.optional(
  flag({ description: 'The public parts of the event instead of itself.', default: false }),
)

/** A SELECT of the ids of an event's public parts that are confirmed. Lists may not show them. */
const partsOf = (context: RequestContext, named: SQL): SQL =>
  sql`SELECT ${events.id} FROM ${events} INDEXED BY events_programme
    WHERE ${events.post_parent} = (SELECT id FROM ${events} WHERE ${named}) AND parent_confirmed_by IS NOT NULL AND ${isNoDuplicate} AND ${isPublished(events, requestTime(context))}
    ORDER BY utc_start_date, id LIMIT ${literal(FEED_SIZE.events)}`

/** The header of pages, with its documentation. */
const POLICY = { 'Content-Security-Policy': 'What the page may load: images and its own styles.' }

type FeedParams = z.output<typeof feedParams> & Omit<FeedValues, keyof EventListParams>

const feed = <T>(
  path: string,
  summary: string,
  { query = feedParams, policy, ...format }: Format<T> & { query?: FieldsSchema<FeedParams> },
): Route =>
  defineRoute({
    methods: ['GET'],
    path,
    summary,
    requires: 'read',
    readsAsAnonymous: true,
    produces: format.type,
    query,
    responses: { 200: z.string() },
    headers: { ...SHORTENED, ...(policy && POLICY) },
    errors: ['rest_moved'],
    load: (context, { query }) =>
      together({
        found: format.select(context, query),
        unknown: unknownValues(listReferences(context, query)),
      }),
    prepare: (context, { found, unknown }, { query }, errors) => {
      checkList(context, query, errors)
      reportUnknown(errors, unknown)
      return found
    },
    handle: (context, { prepared: found, query: values, sent }) => {
      const address = withQuery(context.api + path, sent)
      const { body, isShortened } = format.write(context, { found, address, values })
      return ok(body, {
        ...shortened(isShortened),
        ...(policy && { 'Content-Security-Policy': policy }),
      })
    },
  })

/** The policy of a page with a letter: only its own styles, and the images of events from any address. */
const LETTER_POLICY =
  "default-src 'none'; img-src https: http:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** A digest in one of its forms. */
const digest = (
  form: 'html' | 'text',
  type: string,
): Format<Digest> & { query: FieldsSchema<FeedParams> } => ({
  type,
  query: z.extend(feedParams, digestParams),
  select: (context, { days = DIGEST_DAYS, ...values }) => readDigest(context, { values, days }),
  write: (context, { found, values: { language: asked } }) => {
    const language = languageFor(asked, context.settings.website.language)
    const { shown, ...forms } = renderDigest(context, found, { language })
    return { body: new Room().between(forms[form], ''), isShortened: found.total > shown }
  },
  policy: LETTER_POLICY,
})

const codes = codesOf('event')

/** One event as a calendar. For a while, an event in the trash is a cancelled event. */
const single = (path: string): Route =>
  defineRoute({
    methods: ['GET'],
    path,
    summary: 'Read one event as a calendar',
    requires: 'read',
    readsAsAnonymous: true,
    produces: CALENDAR_TYPE,
    query: z.object({ ...expand, programme }),
    responses: { 200: z.string() },
    headers: SHORTENED,
    errors: ['rest_moved', codes.notFound, codes.notAccessible, codes.trashed],
    load: (context, { key, query }) => {
      const named = hasKey(events, key)
      const own = sql`SELECT ${events.id} FROM ${events} WHERE ${named}`
      return together({
        rows: selectPlainEvents(named),
        shown: query.programme
          ? selectFeedEvents(context, { ids: partsOf(context, named), descriptions: 'abridged' })
          : selectFeedEvents(context, { ids: own, descriptions: 'whole' }),
        removed: selectRemoved(context, named),
      })
    },
    prepare: (context, { rows, shown, removed }, { key, sent, query }) => {
      const row = assertFound(EVENTS, rows[0])
      const [gone] = removed
      if (gone) return { gone }
      readable(context, { resource: EVENTS, row, key })
      if (row.duplicate_of !== null)
        throw leadsToShown(
          row.duplicate_of,
          withQuery(`${restUrl(context, 'events', row.duplicate_of)}.ics`, sent),
        )
      return query.programme ? { parts: shown } : { event: assertFound(EVENTS, shown.events[0]) }
    },
    handle: (context, { prepared, query: { expand = false } }) => {
      if ('gone' in prepared) return ok(removedCalendar(prepared.gone, expand, context))
      if ('event' in prepared)
        return ok(singleText(prepared.event, expand, context), shortened(prepared.event.isCut))
      const total = prepared.parts.events.length
      const { body, isShortened } = calendarText({ ...prepared.parts, total, removed: [], expand }, context)
      return ok(body, shortened(isShortened))
    },
  })

/** The routes of feeds. They are mounted before those of events, whose slugs would match their addresses. */
export const feedRoutes: Route[] = [
  feed('/events.ics', 'Subscribe to events as a calendar', {
    ...CALENDAR,
    query: z.extend(feedParams, expand),
  }),
  feed('/events.rss', 'Subscribe to events as RSS', items('application/rss+xml; charset=utf-8', rssText)),
  feed(
    '/events.feed.json',
    'Subscribe to events as a JSON feed',
    items('application/feed+json; charset=utf-8', jsonFeedText),
  ),
  feed('/events.csv', 'Download events as a spreadsheet', {
    ...items('text/csv; charset=utf-8', (found, _, context) => csvText(found, context)),
    select: (context, values) => selectFeed(context, values, 'whole'),
  }),
  feed(
    '/events/digest.html',
    'Announce events of the next days in HTML for mail',
    digest('html', 'text/html; charset=utf-8'),
  ),
  feed(
    '/events/digest.txt',
    'Announce events of the next days as text for mail',
    digest('text', 'text/plain; charset=utf-8'),
  ),
  single('/events/{id}.ics'),
  single('/events/by-slug/{slug}.ics'),
]
