import { COMMON_WORD, MONTH, RARE_WORD } from './calendar.ts'

/** A request to measure, and what it may cost at most. */
export type BenchRequest = {
  name: string
  method?: 'POST' | 'PATCH'
  path: string
  body?: (n: number) => object
  /** The smallest calendar that has such a page. */
  minEvents?: number
  /** Sends the tag of an earlier answer. */
  conditional?: boolean
  /** Rows read by D1, for a number of events. */
  rows: (events: number) => number
  /** Round trips to D1, without the one that checks credentials. */
  trips: number
}

const flat = (rows: number) => () => rows
/** The allowance of issue-sized lists: derived counts are constant, long events grow with the calendar. */
const list = (events: number) => (events <= 10_000 ? 600 : events <= 100_000 ? 1_000 : 1_500)

const write = (n: number) => ({
  title: `Bench event ${n}`,
  start_date: '2027-06-10 20:00:00',
  end_date: '2027-06-10 23:00:00',
  venue: 1 + (n % 200),
  organizer: 1 + (n % 100),
  categories: [2 + (n % 30)],
  tags: [32 + (n % 60)],
})

export const REQUESTS: readonly BenchRequest[] = [
  { name: 'default list', path: '/events', rows: list, trips: 1 },
  { name: 'list of 50', path: '/events?per_page=50', rows: events => list(events) + 900, trips: 1 },
  { name: 'a month', path: `/events?start_date=${MONTH.start}&end_date=${MONTH.end}`, rows: list, trips: 1 },
  { name: 'category', path: '/events?categories=category-12', rows: list, trips: 1 },
  { name: 'category with children', path: '/events?categories=category-3', rows: list, trips: 1 },
  { name: 'tag', path: '/events?tags=tag-7', rows: list, trips: 1 },
  { name: 'venue', path: '/events?venue=42', rows: list, trips: 1 },
  {
    name: 'search, rare word',
    path: `/events?search=${RARE_WORD}`,
    rows: events => 3 * list(events),
    trips: 1,
  },
  {
    name: 'search, common word',
    path: `/events?search=${COMMON_WORD}`,
    rows: events => 3 * list(events) + events / 4,
    trips: 1,
  },
  { name: 'search, no hit', path: '/events?search=xylophonist', rows: events => 3 * list(events), trips: 1 },
  { name: 'page 50', path: '/events?page=50', rows: events => list(events) + 300, trips: 1 },
  {
    name: 'page 500',
    path: '/events?page=500',
    minEvents: 10_000,
    rows: events => list(events) + 800,
    trips: 1,
  },
  { name: 'single by id', path: '/events/500', rows: flat(30), trips: 1 },
  { name: 'single by slug', path: '/events/by-slug/{slug}', rows: flat(30), trips: 1 },
  { name: 'venues', path: '/venues', rows: flat(1_000), trips: 1 },
  { name: 'categories', path: '/categories', rows: flat(800), trips: 1 },
  { name: '304', path: '/events', conditional: true, rows: flat(1), trips: 1 },
  { name: 'create', method: 'POST', path: '/events', body: write, rows: flat(400), trips: 2 },
  { name: 'update', method: 'PATCH', path: '/events/500', body: write, rows: flat(600), trips: 2 },
]
