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
  /**
   * Below the API's address, with names in braces for what the calendar has; of writes, for the n-th time
   * that it is sent.
   */
  path: string | ((n: number) => string)
  body?: (n: number) => object
  /**
   * The path that deletes the row of the n-th request after each round, so that measuring does not make the
   * calendar larger.
   */
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
  /** Instructions in multiples of the floor's. */
  instructions?: number
}

const flat = (rows: number) => () => rows
/** Calendars of 10,000 and of 100,000 events, and those that every calendar has besides. */
const MEDIUM = 12_000
const LARGE = 105_000
/**
 * Rows that a list may read: its derived counts are constant, but the number of long events grows with the
 * calendar.
 */
const list = (events: number) => (events <= MEDIUM ? 800 : events <= LARGE ? 1_800 : 2_400)
/**
 * All events on the first and on the last day of an interval are read. In a calendar of a million events,
 * these are hundreds.
 */
const atEnds = (events: number) => (events <= LARGE ? 0 : (5 * events) / 1_461)
/** Any window or flag beside the defaults. */
const window = (events: number) => (events <= MEDIUM ? 1_500 : 2_100) + atEnds(events)
const interval = (events: number) => list(events) + atEnds(events)
/** A month's events, of which each is looked at, for the page and for the total. */
const ofMonth = (rows: number) => (events: number) => list(events) + (rows * events * 31) / 1_461
/**
 * A condition on each event of the two years of the window, which are half of all, for the total, and for the
 * page until it is full. Of flags that have an index, only the events that have them are read.
 */
const lookedAt = (rows: number) => (events: number) => list(events) + rows * events
/** The rarest of several conditions decides. */
const smallest = (_: number, ...matching: number[]) => 4 * Math.min(...matching) + 600
/** The events of all but the largest of two or three are read for the total. */
const either = (_: number, events = 0) => (2 * events) / 3 + 1_000
const nearby = (_: number, events = 0) => 4 * events + 600
/** A map of everything reads the first events of every place, and its counts. */
const map = (events: number, located = 0) => list(events) + 3 * located + 2_800

const read = (
  name: string,
  path: string,
  rows: BenchRequest['rows'],
  more: Partial<BenchRequest> = {},
): BenchRequest => ({ name, path, rows, trips: 1, ...more })

const listed = (
  name: string,
  query: string,
  rows: BenchRequest['rows'] = list,
  more: Partial<BenchRequest> = {},
): BenchRequest => read(name, `/events${query && `?${query}`}`, rows, more)

const MONTH_QUERY = `start_date=${MONTH.start}&end_date=${MONTH.end}`
const SOON = dayFromToday(30)

const PLAIN: readonly BenchRequest[] = [
  listed('default list', '', list, { instructions: 6.3 }),
  listed('list of 50', 'per_page=50', events => list(events) + 900, { instructions: 21.5 }),
  listed('list of 100', 'per_page=100', events => list(events) + 2_100, { instructions: 39 }),
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
  listed('featured', 'featured=1', lookedAt(0.03)),
  listed('featured, a month', `featured=1&${MONTH_QUERY}`, window),
  listed('free', 'is_free=1', lookedAt(0.17)),
  listed('not featured', 'featured=0', lookedAt(1.1)),
  listed('canceled', 'event_status=canceled', lookedAt(1.1)),
  listed('canceled or postponed', 'event_status=canceled,postponed', lookedAt(1.1)),
  listed('scheduled', 'event_status=scheduled', lookedAt(1.1)),
  listed('scheduled, a month', `event_status=scheduled&${MONTH_QUERY}`, window),
  listed('online', 'is_virtual=1', lookedAt(1.1)),
  listed('not online', 'is_virtual=0', lookedAt(1.1)),
  listed('tickets left', 'ticket_availability=available,few', lookedAt(2.1)),
  listed('custom field, a month', `custom_fields[age]=6&${MONTH_QUERY}`, ofMonth(5)),
  listed('author, a month', `author=2&${MONTH_QUERY}`, ofMonth(5)),
  listed('for wheelchairs', 'wheelchair=yes', lookedAt(5.2)),
]

/** Long events, whose words are looked up one by one. */
const found = (events: number) => (events <= LARGE ? 1.5 : 3) * list(events)
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

// “Large” and “small” are categories, tags and venues that many events have, or few.
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
  read('map', '/events.geojson?per_page=100', map, { matching: [inBox(WORLD)], instructions: 53 }),
  read(
    'map of a box',
    `/events.geojson?per_page=100&bbox=${BOX.join()}`,
    (...numbers) => nearby(...numbers) + 1_500,
    { matching: [inBox(BOX)] },
  ),
  listed('near a place, a month', `geoloc_lat=${LAT}&geoloc_lng=${LNG}&${MONTH_QUERY}`, nearby, {
    matching: [near(LAT, LNG, 40)],
    period: 'month',
  }),
]

/**
 * Twelve rows for each event that a feed shows, eight of them links, and one or two for each that it chooses
 * from.
 */
const feed = (events: number) => 16 * Math.min(events, 5_000) + window(events)

const FEEDS: readonly BenchRequest[] = [
  read('calendar', '/events.ics', feed),
  read('calendar of a category', '/events.ics?categories=category-12', feed),
  read(
    'calendar of 1,000 events',
    '/events.ics?starts_after=now&starts_before={thousandth}',
    events => 15 * 1_100 + window(events),
    { instructions: 168, minEvents: 10_000 },
  ),
  read('RSS', '/events.rss', feed),
  read('JSON Feed', '/events.feed.json', feed),
  read('digest for mail', '/events/digest.html?days=62', events => window(events) + 2_900),
  read('copy, first page', '/events/changes', flat(5_000)),
  read('copy of a category, first page', '/events/changes?categories=category-12', flat(6_000)),
  read(`copy, ${CHANGED} changes`, `/events/changes?limit=${CHANGED}&since={since}`, flat(1_000)),
  read('list of 50, few fields', '/events?per_page=50&_fields=id,title', events => list(events) + 300),
]

const OTHERS: readonly BenchRequest[] = [
  read('single by id', '/events/500', flat(40), { instructions: 3.2 }),
  read('single by slug', '/events/by-slug/{slug}', flat(40)),
  read('single by external id', '/events/by-external-id/bench-500', flat(40)),
  read('venues', '/venues', flat(1_000)),
  read('venues with events', '/venues?has_events=1', flat(1_500)),
  read('organizers', '/organizers', flat(1_000)),
  read('categories', '/categories', flat(800)),
  read('categories of an event', '/categories?event=500', flat(1_000)),
  read('tags of an event', '/tags?event=500', flat(1_000)),
  read('index', '', flat(0), { instructions: 24 }),
  read('304', '/events', flat(1), { conditional: true }),
]

/** A page, which reads the categories of its form besides the rows of the API's list. */
const page = (
  name: string,
  path: string,
  rows: BenchRequest['rows'],
  more: Partial<BenchRequest> = {},
): BenchRequest => read(`page: ${name}`, path, rows, { isPage: true, ...more })

const CATEGORY_ROWS = 100
/**
 * A first page has up to a hundred events that have begun, beside those to come, and compares the ends of
 * all.
 */
const begun = (events: number) => Math.min(events / 25, 1_000) + events / 500
/** Pages also look for words in the names that long events have. */
const named = (events: number) => events / 20 + CATEGORY_ROWS
/** What is read for words that are written like one that was found nowhere. */
const SIMILAR_ROWS = 3_000
/**
 * A month has its events in the index of listings and in their table, and their terms, for the colours: a
 * thousand events at most.
 */
const monthRows = (events: number) =>
  Math.min((5 * 42 * events) / 1_461, 5_000) + list(events) + atEnds(events)

const PUBLIC_PAGES: readonly BenchRequest[] = [
  // With what is featured, and the categories of the calendar.
  page('list', '/events/', events => interval(events) + 2 * CATEGORY_ROWS + begun(events), {
    instructions: 16,
    statements: 7,
  }),
  // Twenty-four events, at the end of a hundred.
  page('page 5', '/events/?page=5', events => interval(events) + CATEGORY_ROWS + 150),
  page('search, common word', `/events/?search=${COMMON_WORD}`, events => named(events) + commonWord(events)),
  // Titles and names that contain parts of the words, and then the page of the one that is meant.
  page(
    'search, nothing like it',
    '/events/?search=gardnist',
    events => named(events) + found(events) + SIMILAR_ROWS,
    {
      trips: 2,
    },
  ),
  page(
    'search, wrong letters',
    `/events/?search=orchestar%20${RARE_WORD}`,
    events => 2 * (named(events) + found(events)) + SIMILAR_ROWS,
    { trips: 3 },
  ),
  page('what is over', '/events/?past=1', events => window(events) + CATEGORY_ROWS),
  page('month', `/events/${MONTH.start.slice(0, 7)}/`, events => monthRows(events) + 300, {
    instructions: 28.4,
  }),
  page('day', `/events/${SOON}/`, events => interval(events) + CATEGORY_ROWS + 1_000 + begun(events)),
  page('near a place', `/events/?near=${LAT},${LNG},2`, flat(1_900)),
  page(
    'category',
    '/events/category/category-1/',
    events => interval(events) + CATEGORY_ROWS + begun(events),
  ),
  page('venue', '/venue/hall-42/', events => interval(events) + CATEGORY_ROWS),
  // With up to 16 events each at its venue and in its category.
  // One statement is the link of registration. Cards of further events have images, venues and categories.
  page('event', '{event}', flat(440), { instructions: 6.2, statements: 4 }),
  // With the next event of each venue: how many are past depends on the hour at which it runs.
  page('venues', '/venues/', flat(1_400)),
  page('fragment', '/embed/fragment', events => interval(events) + CATEGORY_ROWS),
  // Smaller calendars have one file.
  page('sitemap index', '/sitemap.xml', flat(100), { minEvents: 10_000 }),
  page('sitemap of events', '/sitemap-events-1.xml', flat(11_000)),
]

/** A page of the editor, whose session is another trip. */
const editorPage = (
  name: string,
  path: string,
  rows: BenchRequest['rows'],
  more: Partial<BenchRequest> = {},
): BenchRequest => read(`editor: ${name}`, path, rows, { isPage: true, isEditor: true, trips: 2, ...more })

/** A form offers all categories and the newest images. */
const FORM_ROWS = 500

const EDITOR_PAGES: readonly BenchRequest[] = [
  editorPage('start', '/admin/', window),
  editorPage('events', '/admin/events/', events => window(events) + 900, { instructions: 15.5 }),
  editorPage('events that are over', '/admin/events/?view=past', window),
  editorPage(
    'events, common word',
    `/admin/events/?search=${COMMON_WORD}`,
    events => window(events) + named(events) + commonWord(events),
  ),
  editorPage('new event', '/admin/events/new/', flat(FORM_ROWS)),
  editorPage('event', '/admin/events/500/', flat(FORM_ROWS)),
  // The names with the word, and those like it: each of 200 halls is read by both.
  editorPage('search as one types', '/admin/find/?field=venue&search=hall', flat(1_700)),
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

/**
 * The n-th of the events that the benchmark makes first, with a venue, an organizer, a category and a tag.
 */
const madeBefore = (n: 0 | 1 | 2 | 3) => byExternalId(`bench-new-${n}`)

/** Publishes events, and takes them back, by turns: each time another status. */
const byTurns = (status: string) => (n: number) => ({ status: n % 2 === 0 ? status : 'publish' })

const HUNDRED = Array.from({ length: 100 }, (_, i) => i)

/**
 * Rows that writes may write: of an event with a venue, an organizer, a category and a tag, but for `plain`
 * ones.
 */
const WRITTEN = { create: 28, plain: 13, title: 8, moved: 13, again: 6, status: 24, date: 14 } as const

const write =
  (method: NonNullable<BenchRequest['method']>) =>
  (
    name: string,
    path: BenchRequest['path'],
    body: BenchRequest['body'],
    rows: BenchRequest['rows'],
    more: Partial<BenchRequest> = {},
  ): BenchRequest => ({ name, method, path, ...(body && { body }), rows, trips: 2, ...more })
const post = write('POST')
const patch = write('PATCH')

/** A batch, which begins by checking credentials, as single requests do along with their rows. */
const batch = (name: string, partsOf: (n: number) => object[], more: Partial<BenchRequest> = {}) =>
  post(name, '/batch', n => ({ requests: partsOf(n) }), flat(31_500), { trips: 3, statements: 45, ...more })
const ofHundred = { written: 100 * WRITTEN.status }

const WRITES: readonly BenchRequest[] = [
  post('create', '/events', fields, flat(220), { instructions: 7.7, written: WRITTEN.create }),
  post(
    'create, without venue and terms',
    '/events',
    n => ({ ...fields(n), venue: [], organizer: [], categories: [], tags: [] }),
    flat(75),
    { written: WRITTEN.plain },
  ),
  write('PUT')('create by external id', n => byExternalId(`bench-new-${n}`), fields, flat(225)),
  batch('batch of 100', n =>
    HUNDRED.map(i => ({
      method: 'PUT',
      path: byExternalId(`bench-batch-${i}`),
      body: { ...fields(n + i), tags: [tagId(i % 60), `Batch ${n % 10}`] },
    })),
  ),
  patch('update', '/events/500', fields, flat(295), { instructions: 10.7 }),
  patch('update, all of it sent again', '/events/499', n => ({ ...fields(0), cost: String(n) }), flat(130), {
    statements: 12,
    written: WRITTEN.again,
  }),
  patch('another title', madeBefore(0), n => ({ title: `Another title ${n}` }), flat(310), {
    written: WRITTEN.title,
  }),
  patch(
    'moved by an hour',
    madeBefore(1),
    n => ({
      start_date: `${dayFromToday(200)} ${20 + (n % 2)}:00:00`,
      end_date: `${dayFromToday(200)} ${22 + (n % 2)}:00:00`,
    }),
    flat(310),
    { written: WRITTEN.moved },
  ),
  patch('publish, and back to draft', madeBefore(2), byTurns('draft'), flat(185), {
    written: WRITTEN.status,
  }),
  patch('trash, and back', madeBefore(3), byTurns('trash'), flat(185), { written: WRITTEN.status }),
  batch(
    'publish 100, and back to draft',
    n =>
      HUNDRED.map(i => ({
        method: 'PUT',
        path: byExternalId(`bench-many-${i}`),
        body: { ...fields(i), ...byTurns('draft')(n) },
      })),
    ofHundred,
  ),
  batch(
    'trash 100, and back',
    n =>
      HUNDRED.map(i => ({
        method: 'PATCH',
        path: byExternalId(`bench-many-${i}`),
        body: byTurns('trash')(n),
      })),
    ofHundred,
  ),
  write('DELETE')('delete', n => `/events/${501 + n}`, undefined, flat(205), { instructions: 7.2 }),
]

const ofSeries = (n: number) => byExternalId(`bench-series-${n}`)
/** The dates of a weekly series of a year. */
const DATES_OF_YEAR = 52
/** Rows for each occurrence of a series that is written: with its indexes, listings and counts. */
const each = (rows: number) => flat(600 + rows * OCCURRENCES)

/** The request that makes a weekly series of so many dates, and the one that deletes it. */
const created = (dates: number, name: string, fieldsOf: (n: number) => object, written?: number) =>
  post(
    `create a series of ${dates}`,
    '/events',
    n => ({
      ...fieldsOf(n),
      external_id: `${name}-${n}`,
      recurrence: { rrule: `FREQ=WEEKLY;COUNT=${dates}` },
    }),
    each(78),
    { undo: n => `${byExternalId(`${name}-${n}`)}?scope=all&force=true`, ...(written && { written }) },
  )

const SERIES: readonly BenchRequest[] = [
  // The occurrence that callers see who may not read drafts, with its relations.
  read('series', '/series/3', flat(400)),
  listed('occurrences of a series', 'series=3'),
  created(OCCURRENCES, 'bench-made-series', fields),
  created(
    DATES_OF_YEAR,
    'bench-made-year',
    n => {
      const { organizer: _, tags: __, ...more } = fields(n)
      return more
    },
    WRITTEN.date * DATES_OF_YEAR,
  ),
  patch(
    'title of all occurrences',
    ofSeries(1),
    n => ({ title: `Another title ${n}`, scope: 'all' }),
    each(10),
  ),
  patch(
    'time of all occurrences',
    ofSeries(2),
    n => ({
      start_date: `${dayFromToday(-363)} ${10 + (n % 2)}:00:00`,
      end_date: `${dayFromToday(-363)} 12:00:00`,
      scope: 'all',
    }),
    each(42),
  ),
  patch('title of one occurrence', ofSeries(4), n => ({ title: `Another title ${n}` }), flat(600)),
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
