import * as z from 'zod/mini'
import { imageUrl } from '../../calendar/content/images.ts'
import {
  DIGEST_DAYS,
  type Digest,
  digestParams,
  renderDigest,
  selectDigest,
} from '../../calendar/digest/digest.ts'
import { calendarText } from '../../calendar/events/ical/calendar.ts'
import { type Feed, FeedBody, withinLimit } from '../../calendar/events/ical/feed-body.ts'
import { type FeedEvent, type FoundEvents, selectFeed } from '../../calendar/events/ical/queries.ts'
import { CALENDAR_TYPE, expandParam } from '../../calendar/events/ical/routes.ts'
import { type IncludedTexts, ownUid } from '../../calendar/events/ical/vevent.ts'
import { listReferences } from '../../calendar/events/listing/filters.ts'
import { checkList } from '../../calendar/events/resource.ts'
import {
  type EventListParams,
  type EventListValues,
  eventList,
  followingSeries,
  type PlainFieldName,
} from '../../calendar/events/schema.ts'
import type { BaseContext, SerializeContext } from '../../kit/context.ts'
import { combineQueries, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { reportUnknown, selectUnknownValues } from '../../kit/db/references.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { withQuery } from '../../kit/http/lists.ts'
import { ok, SHORTENED, shortened } from '../../kit/http/reply.ts'
import type { FieldsSchema, Route } from '../../kit/http/route.ts'
import {
  CSV_COLUMN_KEYS,
  CSV_COLUMNS,
  type CsvColumn,
  csvList,
  csvRow,
  csvSeparatorOf,
} from '../../kit/lib/csv.ts'
import { htmlToLines, plainTitle } from '../../kit/lib/ical/lines.ts'
import { languageFor } from '../../kit/lib/languages.ts'
import { regionOf } from '../../kit/lib/region.ts'
import { dayOf, exactTime } from '../../kit/lib/time.ts'
import { requirePresent } from '../../kit/lib/values.ts'
import { type FeedHead, feedHeadOf, selectSubjects } from './head.ts'
import { jsonFeedText, rssText } from './items.ts'

// Events as CSV. Every occurrence is a row. `npm run import` reads these columns (readers/csv/items.ts).

/** The UTF-8 byte order mark. Without it, Excel assumes a Windows code page. */
const BOM = '\uFEFF'

const flag = (value: boolean): string => (value ? 'TRUE' : 'FALSE')

const degrees = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value)

const nameList = (rows: readonly { name: string }[]): string =>
  csvList(rows.map(({ name }) => plainTitle(name)))

/** Plain fields that have no column on purpose. */
type WithoutColumn = 'external_id' | 'ticketed' | 'ticket_availability' | 'virtual_video_source'

/** The names of the columns, in which the compiler demands all other plain fields. */
const HEADINGS: Readonly<Record<Exclude<PlainFieldName, WithoutColumn>, string>> = CSV_COLUMNS

function cellsOf(row: FeedEvent, texts: IncludedTexts, context: SerializeContext): Record<CsvColumn, string> {
  const { start_date, end_date, all_day, organizers, image, event_status } = row
  const [venue] = row.venues
  const termsOf = (taxonomy: string) => nameList(row.terms.filter(term => term.taxonomy === taxonomy))
  const hasStatus = event_status !== 'scheduled'
  return {
    title: plainTitle(row.title),
    // If there is no room for HTML, it is plain text.
    description: texts === 'all' ? row.description : texts === 'plain' ? htmlToLines(row.description) : '',
    excerpt: texts === 'all' ? row.excerpt : '',
    start_date: dayOf(start_date),
    start_time: all_day ? '' : exactTime(start_date, row.utc_start_date, row.timezone).slice(11),
    end_date: dayOf(end_date),
    end_time: all_day ? '' : exactTime(end_date, row.utc_end_date, row.timezone).slice(11),
    all_day: flag(all_day),
    timezone: row.timezone,
    venue: plainTitle(venue?.name ?? ''),
    address: plainTitle(venue?.address ?? ''),
    city: plainTitle(venue?.city ?? ''),
    province: plainTitle(venue ? regionOf(venue) : ''),
    zip: plainTitle(venue?.zip ?? ''),
    country: plainTitle(venue?.country ?? ''),
    room: plainTitle(row.room),
    latitude: degrees(venue?.geo_lat),
    longitude: degrees(venue?.geo_lng),
    organizers: nameList(organizers),
    email: organizers.some(({ email }) => email !== '') ? csvList(organizers.map(({ email }) => email)) : '',
    categories: termsOf('event_category'),
    tags: termsOf('event_tag'),
    cost: plainTitle(row.cost),
    website: row.website ?? '',
    image: image ? imageUrl(image, context) : '',
    show_map: flag(row.show_map),
    show_map_link: flag(row.show_map_link),
    hide_from_listings: flag(row.hide_from_listings),
    sticky: flag(row.sticky),
    featured: flag(row.featured),
    event_status: hasStatus ? event_status : '',
    event_status_reason: hasStatus ? plainTitle(row.event_status_reason) : '',
    virtual_url: row.is_virtual ? row.virtual_url : '',
    wheelchair: row.wheelchair,
    accessibility: plainTitle(row.accessibility),
    uid: ownUid(row, context),
  }
}

/** Events as a CSV file, by start, in UTF-8 with a byte order mark. */
const csvText = ({ events }: FoundEvents, context: SerializeContext): Feed => {
  const separator = csvSeparatorOf(context.settings.website.language)
  return withinLimit(events, context, (rows, texts, room) => {
    for (const row of rows) {
      const cells = cellsOf(row, texts, context)
      room.add(
        csvRow(
          CSV_COLUMN_KEYS.map(name => cells[name]),
          separator,
        ),
      )
    }
    return [BOM + csvRow(Object.values(HEADINGS), separator), '']
  })
}

/**
 * A feed format: its media type, the query that loads the events in one round trip, and the function that
 * writes them. The caller in the context is always anonymous.
 */
type Format<T> = {
  type: string
  select: (context: BaseContext, values: FeedValues) => Query<T>
  write: (context: BaseContext, input: FeedHead & { loadedEvents: T; values: FeedValues }) => Feed
  /** The content security policy of a page. */
  policy?: string
}

/** The filters of a feed, and the parameters that only some formats have. */
type FeedValues = EventListValues & {
  expand?: boolean | undefined
  days?: number | undefined
  language?: string | undefined
}

/** A feed with a flag that says whether events are missing from it. */
const withTotal = (feed: Feed, { events, total }: FoundEvents): Feed => ({
  ...feed,
  isShortened: feed.isShortened || total > events.length,
})

export const CALENDAR_FORMAT: Format<FoundEvents> = {
  type: CALENDAR_TYPE,
  select: selectFeed,
  write: (context, { loadedEvents, title, values: { expand = false } }) =>
    withTotal(calendarText({ ...loadedEvents, title, expand }, context), loadedEvents),
}

/** A format whose items are events. @param text writes them */
const itemFormat = (
  type: string,
  text: (loadedEvents: FoundEvents, head: FeedHead, context: BaseContext) => Feed,
): Format<FoundEvents> => ({
  type,
  select: selectFeed,
  write: (context, { loadedEvents, ...head }) => withTotal(text(loadedEvents, head, context), loadedEvents),
})

/**
 * The parameters of feeds: the filters of the list. Feeds have no pages, an order of their own, and only
 * published events.
 */
const feedParams = z.omit(eventList, { page: true, per_page: true, order: true, orderby: true, status: true })

/** The header of pages, with its documentation. */
const POLICY_HEADER = { 'Content-Security-Policy': 'What the page may load: images and its own styles.' }

type FeedParams = z.output<typeof feedParams> & Omit<FeedValues, keyof EventListParams>

const feedRoute = <T>(
  path: string,
  summary: string,
  { query: schema = feedParams, policy, ...format }: Format<T> & { query?: FieldsSchema<FeedParams> },
): Route =>
  defineRead({
    path,
    summary,
    requires: 'read',
    ignoresCaller: true,
    produces: format.type,
    query: schema,
    responses: { 200: z.string() },
    headers: { ...SHORTENED, ...(policy && POLICY_HEADER) },
    errors: ['rest_moved'],
    check: (context, { query }, errors) => checkList(context, query, errors),
    load: (context, { query }, isBad) =>
      combineQueries({
        loadedEvents: isBad ? resolvedQuery(undefined) : format.select(context, followingSeries(query)),
        subjects: selectSubjects(context, query),
        unknown: selectUnknownValues(listReferences(context, followingSeries(query))),
      }),
    prepare: (_, { loadedEvents, subjects, unknown }, __, errors) => {
      reportUnknown(errors, unknown)
      errors.throwIfAny()
      // The request had no errors, so the events were selected.
      return { loadedEvents: requirePresent(loadedEvents, 'the events of a feed'), subjects }
    },
    handle: (context, { prepared: { loadedEvents, subjects }, query: values, sent }) => {
      const address = withQuery(context.api + path, sent)
      const head = { address, ...feedHeadOf(context, values, subjects) }
      const { body, isShortened } = format.write(context, { loadedEvents, values, ...head })
      return ok(body, {
        ...shortened(isShortened),
        ...(policy && { 'Content-Security-Policy': policy }),
      })
    },
  })

/** The policy of a page with a letter: only its own styles, and the images of events from any address. */
const LETTER_POLICY =
  "default-src 'none'; img-src https: http:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const digestFormat = (
  form: 'html' | 'text',
  type: string,
): Format<Digest> & { query: FieldsSchema<FeedParams> } => ({
  type,
  query: z.extend(feedParams, digestParams),
  select: (context, { days = DIGEST_DAYS, ...values }) => selectDigest(context, { values, days }),
  write: (context, { loadedEvents, values: { language: askedLanguage } }) => {
    const language = languageFor(askedLanguage, context.settings.website.language)
    const { shownCount, ...forms } = renderDigest(context, loadedEvents, { language })
    return { body: new FeedBody().between(forms[form], ''), isShortened: loadedEvents.total > shownCount }
  },
  policy: LETTER_POLICY,
})

export const feedRoutes: Route[] = [
  feedRoute('/events.ics', 'Subscribe to events as a calendar', {
    ...CALENDAR_FORMAT,
    query: z.extend(feedParams, expandParam),
  }),
  feedRoute(
    '/events.rss',
    'Subscribe to events as RSS',
    itemFormat('application/rss+xml; charset=utf-8', rssText),
  ),
  feedRoute(
    '/events.feed.json',
    'Subscribe to events as a JSON feed',
    itemFormat('application/feed+json; charset=utf-8', jsonFeedText),
  ),
  feedRoute('/events.csv', 'Download events as a spreadsheet', {
    ...itemFormat('text/csv; charset=utf-8', (loadedEvents, _, context) => csvText(loadedEvents, context)),
    select: (context, values) => selectFeed(context, values, 'whole'),
  }),
  feedRoute(
    '/events/digest.html',
    'Announce the events of the coming days in HTML for e-mails',
    digestFormat('html', 'text/html; charset=utf-8'),
  ),
  feedRoute(
    '/events/digest.txt',
    'Announce the events of the coming days as text for e-mails',
    digestFormat('text', 'text/plain; charset=utf-8'),
  ),
]
