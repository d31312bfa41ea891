import * as z from 'zod/mini'
import {
  DIGEST_DAYS,
  type Digest,
  digestParams,
  renderDigest,
  selectDigest,
} from '../../calendar/digest/digest.ts'
import { calendarText } from '../../calendar/events/ical/calendar.ts'
import { type Feed, FeedBody } from '../../calendar/events/ical/feed-body.ts'
import { type FoundEvents, selectFeed } from '../../calendar/events/ical/queries.ts'
import { type RemovedEvent, selectRemovedFrom } from '../../calendar/events/ical/removed.ts'
import { CALENDAR_TYPE, expand } from '../../calendar/events/ical/routes.ts'
import { listReferences } from '../../calendar/events/listing/filters.ts'
import { checkList } from '../../calendar/events/resource.ts'
import { type EventListParams, eventList } from '../../calendar/events/schema.ts'
import type { RequestContext } from '../../kit/context.ts'
import { type Query, settled, together } from '../../kit/db/query.ts'
import { reportUnknown, unknownValues } from '../../kit/db/references.ts'
import { withQuery } from '../../kit/http/lists.ts'
import { ok, SHORTENED, shortened } from '../../kit/http/reply.ts'
import { defineRoute, type FieldsSchema, type Route } from '../../kit/http/route.ts'
import { languageFor } from '../../kit/lib/languages.ts'
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
const withTotal = (feed: Feed, { events, total }: FoundEvents): Feed => ({
  ...feed,
  isShortened: feed.isShortened || total > events.length,
})

export const CALENDAR_FORMAT: Format<{ shown: FoundEvents; removed: RemovedEvent[] }> = {
  type: CALENDAR_TYPE,
  select: (context, values) =>
    together({ shown: selectFeed(context, values), removed: selectRemovedFrom(context, values) }),
  write: (context, { found: { shown, removed }, values: { expand = false } }) =>
    withTotal(calendarText({ ...shown, removed, expand }, context), shown),
}

/** A format whose items are events. @param text writes them */
const items = (
  type: string,
  text: (found: FoundEvents, address: string, context: RequestContext) => Feed,
): Format<FoundEvents> => ({
  type,
  select: selectFeed,
  write: (context, { found, address }) => withTotal(text(found, address, context), found),
})

/** The parameters of feeds: the filters of the list. Feeds have no pages, an order of their own, and only published events. */
const feedParams = z.omit(eventList, { page: true, per_page: true, order: true, orderby: true, status: true })

/** The header of pages, with its documentation. */
const POLICY = { 'Content-Security-Policy': 'What the page may load: images and its own styles.' }

type FeedParams = z.output<typeof feedParams> & Omit<FeedValues, keyof EventListParams>

const feedRoute = <T>(
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
    check: (context, { query }, errors) => checkList(context, query, errors),
    load: (context, { query }, isBad) =>
      together({
        found: isBad ? settled(undefined) : format.select(context, query),
        unknown: unknownValues(listReferences(context, query)),
      }),
    prepare: (_, { found, unknown }, __, errors) => {
      reportUnknown(errors, unknown)
      errors.throwIfAny()
      // Without errors, it was selected.
      return found as T
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
  select: (context, { days = DIGEST_DAYS, ...values }) => selectDigest(context, { values, days }),
  write: (context, { found, values: { language: asked } }) => {
    const language = languageFor(asked, context.settings.website.language)
    const { shown, ...forms } = renderDigest(context, found, { language })
    return { body: new FeedBody().between(forms[form], ''), isShortened: found.total > shown }
  },
  policy: LETTER_POLICY,
})

export const feedRoutes: Route[] = [
  feedRoute('/events.ics', 'Subscribe to events as a calendar', {
    ...CALENDAR_FORMAT,
    query: z.extend(feedParams, expand),
  }),
  feedRoute(
    '/events.rss',
    'Subscribe to events as RSS',
    items('application/rss+xml; charset=utf-8', rssText),
  ),
  feedRoute(
    '/events.feed.json',
    'Subscribe to events as a JSON feed',
    items('application/feed+json; charset=utf-8', jsonFeedText),
  ),
  feedRoute('/events.csv', 'Download events as a spreadsheet', {
    ...items('text/csv; charset=utf-8', (found, _, context) => csvText(found, context)),
    select: (context, values) => selectFeed(context, values, 'whole'),
  }),
  feedRoute(
    '/events/digest.html',
    'Announce events of the next days in HTML for mail',
    digest('html', 'text/html; charset=utf-8'),
  ),
  feedRoute(
    '/events/digest.txt',
    'Announce events of the next days as text for mail',
    digest('text', 'text/plain; charset=utf-8'),
  ),
]
