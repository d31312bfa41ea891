import { COMMON_WORD, categoryId, dayFromToday, MONTH, placeOf, RARE_WORD, tagId } from './calendar.ts'
import {
  atVenue,
  byOrganizer,
  inBox,
  inCategories,
  type Matching,
  near,
  type Period,
  withTags,
  withWord,
} from './matching.ts'
import { CHANGED } from './placeholders.ts'
import { OCCURRENCES } from './writers.ts'

/** A request to measure, with its budgets. */
export type BenchRequest = {
  name: string
  method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the API's address, with names in braces for what the calendar has; of writes, for the n-th time that it is sent. */
  path: string | ((n: number) => string)
  body?: (n: number) => object
  /** The path that deletes the row of the n-th request after each round, so that measuring does not make the calendar larger. */
  undo?: (n: number) => string
  /** The smallest calendar that has such a page. */
  minEvents?: number
  /** Asks for a public page: its path is below the site's address. */
  isPage?: boolean
  /** Asks for a page of the editor, with the session of an administrator. */
  isEditor?: boolean
  /** Sends the ETag of an earlier response. */
  conditional?: boolean
  /** Sends credentials, as all writes do. */
  credentials?: boolean
  /** Events that `rows` needs the numbers of, in the order of its arguments. */
  matching?: readonly Matching[]
  period?: Period
  /** Rows read by D1, for a number of events in all and of those that match. */
  rows: (events: number, ...matching: number[]) => number
  /** Round trips to D1. */
  trips: number
  /** Statements, without the one that checks credentials; the free plan allows 50. */
  statements?: number
  /** Rows written, with those of indexes: D1 takes a thousand times as much for one as for a row read. */
  written?: number
  /** CPU in multiples of the floor's. */
  cpu?: number
}

const flat = (rows: number) => () => rows
/** The allowance of issue-sized lists: derived counts are constant, long events grow with the calendar. */
const list = (events: number) => (events <= 10_000 ? 800 : events <= 100_000 ? 1_800 : 2_400)
/** A day of a calendar of a million events has hundreds: those of the days on which an interval begins or ends are read. */
const atEnds = (events: number) => (events <= 100_000 ? 0 : (5 * events) / 1_461)
/** Any window or flag beside the defaults. */
const window = (events: number) => (events <= 10_000 ? 1_500 : 2_100) + atEnds(events)
const interval = (events: number) => list(events) + atEnds(events)
/** A month's events, of which each is looked at, for the page and for the total. */
const ofMonth = (rows: number) => (events: number) => list(events) + (rows * events * 31) / 1_461
/** The rarest of several conditions decides. */
const smallest = (_: number, ...matching: number[]) => 4 * Math.min(...matching) + 600
const either = (_: number, events = 0) => 2 * events + 900
const nearby = (_: number, events = 0) => 4 * events + 600
/** A map of everything looks through the events of all places. */
const map = (events: number, located = 0) => list(events) + 3 * located + 2_100

const listed = (
  name: string,
  query: string,
  rows: BenchRequest['rows'] = list,
  more: Partial<BenchRequest> = {},
): BenchRequest => ({ name, path: `/events${query && `?${query}`}`, rows, trips: 1, ...more })

const MONTH_QUERY = `start_date=${MONTH.start}&end_date=${MONTH.end}`
const SOON = dayFromToday(30)

const PLAIN: readonly BenchRequest[] = [
  listed('default list', '', list, { cpu: 2.7 }),
  listed('list of 50', 'per_page=50', events => list(events) + 900, { cpu: 4.8 }),
  listed('list of 100', 'per_page=100', events => list(events) + 2_100, { cpu: 7 }),
  listed("editors' default list", '', window, { credentials: true }),
  listed('page 50', 'page=50', events => interval(events) + 300),
  listed('page 500', 'page=500', events => interval(events) + 800, { minEvents: 10_000 }),
]

const DATES: readonly BenchRequest[] = [
  listed('a month', MONTH_QUERY),
  listed('ends_after=now', 'ends_after=now', window),
  listed('ends_after', `ends_after=${SOON}`, window),
  listed('starts_after', `starts_after=${SOON}`, window),
  listed('starts_before', `starts_before=${SOON}`, window),
  listed('ends_before', `ends_before=${SOON}`, window),
  listed('happening=now', 'happening=now', interval),
  listed('happening in a month', `happening=${MONTH.start}/${MONTH.end}`, interval),
]

const SINGLE_FILTERS: readonly BenchRequest[] = [
  listed('category', 'categories=category-12'),
  listed('category with children', 'categories=category-3'),
  listed('largest category', 'categories=category-1'),
  listed('tag', 'tags=tag-7'),
  listed('venue', 'venue=42'),
  listed('organizer', 'organizer=17'),
  listed('featured', 'featured=1', window),
  listed('featured, a month', `featured=1&${MONTH_QUERY}`, window),
  listed('not featured', 'featured=0', window),
  listed('canceled', 'event_status=canceled', window),
  listed(
    'canceled or postponed',
    'event_status=canceled,postponed',
    (events: number) => window(events) + events / 5,
  ),
  listed('scheduled', 'event_status=scheduled', window),
  listed('scheduled, a month', `event_status=scheduled&${MONTH_QUERY}`, window),
  listed('online', 'is_virtual=1', window),
  listed('not online', 'is_virtual=0', window),
  listed('tickets left, a month', `ticket_availability=available,few&${MONTH_QUERY}`, ofMonth(5)),
  listed('custom field, a month', `custom_fields[age]=6&${MONTH_QUERY}`, ofMonth(5)),
  listed('author, a month', `author=2&${MONTH_QUERY}`, ofMonth(5)),
  listed('for wheelchairs, a month', `wheelchair=yes&${MONTH_QUERY}`, ofMonth(10)),
]

/** Long events, whose words are looked up one by one. */
const found = (events: number) => (events <= 100_000 ? 1.5 : 3) * list(events)
/** Every tenth event has the word and lies in the window. */
const commonWord = (events: number) => found(events) + events / 5

const SEARCHES: readonly BenchRequest[] = [
  listed('search, rare word', `search=${RARE_WORD}`, found),
  listed('search, common word', `search=${COMMON_WORD}`, commonWord),
  listed('search, no hit', 'search=xylophonist', found),
]

/** Orders without an index read the events of two years, half of them all, with their rows. */
const unordered = (events: number) => 2.4 * events + 500

const ORDERS: readonly BenchRequest[] = [
  listed('by title', 'orderby=title', events => list(events) + 700),
  listed('by title, page 20', 'orderby=title&page=20', events => list(events) + 1_300),
  listed("editors' list by title", 'orderby=title&order=desc', events => interval(events) + 1_000, {
    credentials: true,
  }),
  ...['date', 'modified', 'id', 'end_date'].map(name => listed(`by ${name}`, `orderby=${name}`, unordered)),
]

const { geo_lat: LAT, geo_lng: LNG } = placeOf(6)
const BOX = [LNG - 0.02, LAT - 0.013, LNG + 0.02, LAT + 0.013] as const
const WORLD = [-180, -90, 180, 90] as const

// «Large» and «small» are categories, tags and venues that many events have, or few.
const SEVERAL_FILTERS: readonly BenchRequest[] = [
  listed('large category, small venue', 'categories=category-1&venue=120', smallest, {
    matching: [inCategories('category-1'), atVenue(120)],
  }),
  listed('small category, large venue', 'categories=category-26&venue=1', smallest, {
    matching: [inCategories('category-26'), atVenue(1)],
  }),
  listed('large category, small tag', 'categories=category-2&tags=tag-50', smallest, {
    matching: [inCategories('category-2'), withTags('tag-50')],
  }),
  listed('small category, large tag', 'categories=category-29&tags=tag-1', smallest, {
    matching: [inCategories('category-29'), withTags('tag-1')],
  }),
  listed('category, venue, organizer', 'categories=category-1&venue=3&organizer=2', smallest, {
    matching: [inCategories('category-1'), atVenue(3), byOrganizer(2)],
  }),
  listed('common word, small category', `search=${COMMON_WORD}&categories=category-27`, smallest, {
    matching: [withWord(COMMON_WORD), inCategories('category-27')],
  }),
  listed('rare word, large category', `search=${RARE_WORD}&categories=category-1`, smallest, {
    matching: [withWord(RARE_WORD), inCategories('category-1')],
  }),
  listed('category and venue, a month', `categories=category-4&venue=3&${MONTH_QUERY}`, smallest, {
    matching: [inCategories('category-4'), atVenue(3)],
    period: 'month',
  }),
  listed('two categories', 'categories=category-5,category-8', either, {
    matching: [inCategories('category-5', 'category-8')],
  }),
  listed('three tags', 'tags=tag-9,tag-20,tag-31', either, {
    matching: [withTags('tag-9', 'tag-20', 'tag-31')],
  }),
  listed('near a place', `geoloc_lat=${LAT}&geoloc_lng=${LNG}&geoloc_radius=1.5`, nearby, {
    matching: [near(LAT, LNG, 1.5)],
  }),
  listed('at places of some words', 'place=hall+42', (...numbers) => nearby(...numbers) + 800, {
    matching: [atVenue(42)],
  }),
  listed('in a box', `bbox=${BOX.join()}`, nearby, { matching: [inBox(BOX)] }),
  { ...listed('map', '', map, { matching: [inBox(WORLD)], cpu: 9 }), path: '/events.geojson?per_page=100' },
  {
    ...listed('map of a box', '', (...numbers) => nearby(...numbers) + 1_500, { matching: [inBox(BOX)] }),
    path: `/events.geojson?per_page=100&bbox=${BOX.join()}`,
  },
  listed('near a place, a month', `geoloc_lat=${LAT}&geoloc_lng=${LNG}&${MONTH_QUERY}`, nearby, {
    matching: [near(LAT, LNG, 40)],
    period: 'month',
  }),
]

/** Twelve rows for each event that a feed shows, eight of them links, and one or two for each that it chooses from. */
const feed = (events: number) => 16 * Math.min(events, 5_000) + window(events)

const FEEDS: readonly BenchRequest[] = [
  { name: 'calendar', path: '/events.ics', rows: feed, trips: 1 },
  { name: 'calendar of a category', path: '/events.ics?categories=category-12', rows: feed, trips: 1 },
  {
    name: 'calendar of 1,000 events',
    path: '/events.ics?starts_after=now&starts_before={thousandth}',
    rows: events => 15 * 1_100 + window(events),
    trips: 1,
    cpu: 26,
    minEvents: 10_000,
  },
  { name: 'RSS', path: '/events.rss', rows: feed, trips: 1 },
  { name: 'JSON Feed', path: '/events.feed.json', rows: feed, trips: 1 },
  {
    name: 'digest for mail',
    path: '/events/digest.html?days=62',
    rows: events => window(events) + 2_900,
    trips: 1,
  },
  { name: 'copy, first page', path: '/events/changes', rows: flat(5_000), trips: 1 },
  {
    name: 'copy of a category, first page',
    path: '/events/changes?categories=category-12',
    rows: flat(6_000),
    trips: 1,
  },
  {
    name: `copy, ${CHANGED} changes`,
    path: `/events/changes?limit=${CHANGED}&since={since}`,
    rows: flat(1_000),
    trips: 1,
  },
  {
    name: 'list of 50, few fields',
    path: '/events?per_page=50&_fields=id,title',
    rows: events => list(events) + 300,
    trips: 1,
  },
]

const OTHERS: readonly BenchRequest[] = [
  { name: 'single by id', path: '/events/500', rows: flat(40), trips: 1, cpu: 2.4 },
  { name: 'single by slug', path: '/events/by-slug/{slug}', rows: flat(40), trips: 1 },
  { name: 'single by external id', path: '/events/by-external-id/bench-500', rows: flat(40), trips: 1 },
  { name: 'venues', path: '/venues', rows: flat(1_000), trips: 1 },
  { name: 'venues with events', path: '/venues?has_events=1', rows: flat(1_500), trips: 1 },
  { name: 'organizers', path: '/organizers', rows: flat(1_000), trips: 1 },
  { name: 'categories', path: '/categories', rows: flat(800), trips: 1 },
  { name: 'categories of an event', path: '/categories?event=500', rows: flat(1_000), trips: 1 },
  { name: 'tags of an event', path: '/tags?event=500', rows: flat(1_000), trips: 1 },
  { name: '304', path: '/events', conditional: true, rows: flat(1), trips: 1 },
]

/** A page, which reads the categories of its form besides the rows of the API's list. */
const page = (
  name: string,
  path: string,
  rows: BenchRequest['rows'],
  more: Partial<BenchRequest> = {},
): BenchRequest => ({ name: `page: ${name}`, path, isPage: true, rows, trips: 1, ...more })

const CATEGORY_ROWS = 100
/** A month has its events twice, in the index of listings and in their table, a thousand of them at most. */
const monthRows = (events: number) =>
  Math.min((2.2 * 42 * events) / 1_461, 2_200) + list(events) + atEnds(events)

const PUBLIC_PAGES: readonly BenchRequest[] = [
  page('list', '/events/', events => interval(events) + CATEGORY_ROWS, { cpu: 3.7, statements: 4 }),
  // Twenty-four events, at the end of a hundred.
  page('page 5', '/events/?page=5', events => interval(events) + CATEGORY_ROWS + 150),
  page('search, common word', `/events/?search=${COMMON_WORD}`, events => commonWord(events) + CATEGORY_ROWS),
  page('what is over', '/events/?past=1', events => window(events) + CATEGORY_ROWS),
  page('month', `/events/${MONTH.start.slice(0, 7)}/`, events => monthRows(events) + 300, { cpu: 5.3 }),
  page('day', `/events/${SOON}/`, events => interval(events) + CATEGORY_ROWS + 1_000),
  page('category', '/events/category/category-1/', events => interval(events) + CATEGORY_ROWS),
  page('venue', '/venue/hall-42/', events => interval(events) + CATEGORY_ROWS),
  // With up to 16 events each at its venue and in its category.
  page('event', '/event/{slug}/', flat(180), { cpu: 3.8, statements: 3 }),
  page('venues', '/venues/', flat(1_000)),
  page('fragment', '/embed/fragment', events => interval(events) + CATEGORY_ROWS),
  // Smaller calendars have one file.
  { ...page('sitemap index', '/sitemap.xml', flat(100)), minEvents: 10_000 },
  page('sitemap of events', '/sitemap-events-1.xml', flat(11_000)),
]

/** A page of the editor, whose session is another trip. */
const editorPage = (
  name: string,
  path: string,
  rows: BenchRequest['rows'],
  more: Partial<BenchRequest> = {},
): BenchRequest => ({
  name: `editor: ${name}`,
  path,
  isPage: true,
  isEditor: true,
  rows,
  trips: 2,
  ...more,
})

/** A form offers all categories and the newest images. */
const FORM_ROWS = 500

const EDITOR_PAGES: readonly BenchRequest[] = [
  editorPage('start', '/admin/', window),
  editorPage('events', '/admin/events/', events => window(events) + 600, { cpu: 4.9 }),
  editorPage('events that are over', '/admin/events/?view=past', window),
  editorPage(
    'events, common word',
    `/admin/events/?search=${COMMON_WORD}`,
    events => window(events) + commonWord(events),
  ),
  editorPage('new event', '/admin/events/new/', flat(FORM_ROWS)),
  editorPage('event', '/admin/events/500/', flat(FORM_ROWS)),
  editorPage('search as one types', '/admin/find/?field=venue&search=hall', flat(1_000)),
  editorPage('images', '/admin/images/', flat(500)),
  editorPage('review', '/admin/review/', flat(500)),
  // The events of each venue are counted month by month.
  editorPage('venues', '/admin/venues/', flat(3_000)),
  editorPage('venues, search', '/admin/venues/?search=hall', events => 2 * window(events)),
  editorPage('venue', '/admin/venues/5/', flat(FORM_ROWS)),
  editorPage('categories', '/admin/categories/', flat(500)),
  editorPage('tags', '/admin/tags/', flat(500)),
]

const fields = (n: number) => ({
  title: `Bench event ${n}`,
  start_date: `${dayFromToday(200)} 20:00:00`,
  end_date: `${dayFromToday(200)} 23:00:00`,
  venue: 1 + (n % 200),
  organizer: 1 + (n % 100),
  // The first ten have no parent, which would list the event as well.
  categories: [categoryId(n % 10)],
  tags: [tagId(n % 60)],
})

const byExternalId = (id: string) => `/events/by-external-id/${id}`

/** The n-th of the events that the benchmark makes first, with a venue, an organizer, a category and a tag. */
const madeBefore = (n: 0 | 1 | 2 | 3) => byExternalId(`bench-new-${n}`)

/** Publishes events, and takes them back, by turns: each time another status. */
const byTurns = (status: string) => (n: number) => ({ status: n % 2 === 0 ? status : 'publish' })

const HUNDRED = Array.from({ length: 100 }, (_, i) => i)

/** Rows that writes may write: of an event with a venue, an organizer, a category and a tag, but for `plain` ones. */
const WRITTEN = { create: 28, plain: 13, title: 8, moved: 13, again: 6, status: 24, date: 14 } as const

const WRITES: readonly BenchRequest[] = [
  {
    name: 'create',
    method: 'POST',
    path: '/events',
    body: fields,
    rows: flat(220),
    trips: 2,
    cpu: 4.9,
    written: WRITTEN.create,
  },
  {
    name: 'create, without venue and terms',
    method: 'POST',
    path: '/events',
    body: n => ({ ...fields(n), venue: [], organizer: [], categories: [], tags: [] }),
    rows: flat(220),
    trips: 2,
    written: WRITTEN.plain,
  },
  {
    name: 'create by external id',
    method: 'PUT',
    path: n => byExternalId(`bench-new-${n}`),
    body: fields,
    rows: flat(240),
    trips: 2,
  },
  {
    name: 'batch of 100',
    method: 'POST',
    path: '/batch',
    body: n => ({
      requests: Array.from({ length: 100 }, (_, i) => ({
        method: 'PUT',
        path: byExternalId(`bench-batch-${i}`),
        body: { ...fields(n + i), tags: [tagId(i % 60), `Batch ${n % 10}`] },
      })),
    }),
    rows: flat(32_000),
    // It begins by checking credentials, as single requests do along with their rows.
    trips: 3,
    statements: 45,
  },
  {
    name: 'update',
    method: 'PATCH',
    path: '/events/500',
    body: fields,
    rows: flat(310),
    trips: 2,
    cpu: 5,
  },
  {
    name: 'update, all of it sent again',
    method: 'PATCH',
    path: '/events/499',
    body: n => ({ ...fields(0), cost: String(n) }),
    rows: flat(130),
    trips: 2,
    statements: 12,
    written: WRITTEN.again,
  },
  {
    name: 'another title',
    method: 'PATCH',
    path: madeBefore(0),
    body: n => ({ title: `Another title ${n}` }),
    rows: flat(310),
    trips: 2,
    written: WRITTEN.title,
  },
  {
    name: 'moved by an hour',
    method: 'PATCH',
    path: madeBefore(1),
    body: n => ({
      start_date: `${dayFromToday(200)} ${20 + (n % 2)}:00:00`,
      end_date: `${dayFromToday(200)} ${22 + (n % 2)}:00:00`,
    }),
    rows: flat(310),
    trips: 2,
    written: WRITTEN.moved,
  },
  {
    name: 'publish, and back to draft',
    method: 'PATCH',
    path: madeBefore(2),
    body: byTurns('draft'),
    rows: flat(310),
    trips: 2,
    written: WRITTEN.status,
  },
  {
    name: 'trash, and back',
    method: 'PATCH',
    path: madeBefore(3),
    body: byTurns('trash'),
    rows: flat(310),
    trips: 2,
    written: WRITTEN.status,
  },
  {
    name: 'publish 100, and back to draft',
    method: 'POST',
    path: '/batch',
    body: n => ({
      requests: HUNDRED.map(i => ({
        method: 'PUT',
        path: byExternalId(`bench-many-${i}`),
        body: { ...fields(i), ...byTurns('draft')(n) },
      })),
    }),
    rows: flat(32_000),
    trips: 3,
    statements: 45,
    written: 100 * WRITTEN.status,
  },
  {
    name: 'trash 100, and back',
    method: 'POST',
    path: '/batch',
    body: n => ({
      requests: HUNDRED.map(i => ({
        method: 'PATCH',
        path: byExternalId(`bench-many-${i}`),
        body: byTurns('trash')(n),
      })),
    }),
    rows: flat(32_000),
    trips: 3,
    statements: 45,
    written: 100 * WRITTEN.status,
  },
  { name: 'delete', method: 'DELETE', path: n => `/events/${501 + n}`, rows: flat(240), trips: 2, cpu: 5 },
]

const ofSeries = (n: number) => byExternalId(`bench-series-${n}`)
const madeSeries = (n: number) => `bench-made-series-${n}`
const madeYear = (n: number) => `bench-made-year-${n}`
/** The dates of a weekly series of a year. */
const DATES_OF_YEAR = 52
/** Rows for each occurrence of a series that is written: with its indexes, listings and counts. */
const each = (rows: number) => flat(600 + rows * OCCURRENCES)

const SERIES: readonly BenchRequest[] = [
  // The occurrence that callers see who may not read drafts, with its relations.
  { name: 'series', path: '/series/3', rows: flat(400), trips: 1 },
  listed('occurrences of a series', 'series=3'),
  {
    name: `create a series of ${OCCURRENCES}`,
    method: 'POST',
    path: '/events',
    body: n => ({
      ...fields(n),
      external_id: madeSeries(n),
      recurrence: { rrule: `FREQ=WEEKLY;COUNT=${OCCURRENCES}` },
    }),
    undo: n => `${byExternalId(madeSeries(n))}?scope=all&force=true`,
    rows: each(85),
    trips: 2,
  },
  {
    name: `create a series of ${DATES_OF_YEAR}`,
    method: 'POST',
    path: '/events',
    body: n => {
      const { organizer: _, tags: __, ...more } = fields(n)
      return {
        ...more,
        external_id: madeYear(n),
        recurrence: { rrule: `FREQ=WEEKLY;COUNT=${DATES_OF_YEAR}` },
      }
    },
    undo: n => `${byExternalId(madeYear(n))}?scope=all&force=true`,
    rows: each(85),
    trips: 2,
    written: WRITTEN.date * DATES_OF_YEAR,
  },
  {
    name: 'title of all occurrences',
    method: 'PATCH',
    path: ofSeries(1),
    body: n => ({ title: `Another title ${n}`, scope: 'all' }),
    rows: each(10),
    trips: 2,
  },
  {
    name: 'time of all occurrences',
    method: 'PATCH',
    path: ofSeries(2),
    body: n => ({
      start_date: `${dayFromToday(-363)} ${10 + (n % 2)}:00:00`,
      end_date: `${dayFromToday(-363)} 12:00:00`,
      scope: 'all',
    }),
    // Each date has its listings looked up by their whole keys.
    rows: each(48),
    trips: 2,
  },
  {
    name: 'title of one occurrence',
    method: 'PATCH',
    path: ofSeries(4),
    body: n => ({ title: `Another title ${n}` }),
    rows: flat(600),
    trips: 2,
  },
]

export const REQUESTS: readonly BenchRequest[] = [
  ...PLAIN,
  ...DATES,
  ...SINGLE_FILTERS,
  ...SEARCHES,
  ...ORDERS,
  ...SEVERAL_FILTERS,
  ...FEEDS,
  ...OTHERS,
  ...PUBLIC_PAGES,
  ...EDITOR_PAGES,
  ...WRITES,
  ...SERIES,
]
