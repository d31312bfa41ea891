import { env } from 'cloudflare:workers'
import { type SQL, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { eventPage, type SelectedPage } from '../../../../src/calendar/events/listing/page.ts'
import { selectEventPage } from '../../../../src/calendar/events/queries.ts'
import { type EventListParams, ORDERBY } from '../../../../src/calendar/events/schema.ts'
import type { Statement } from '../../../../src/kit/db/query.ts'
import { renderStatement } from '../../../../src/kit/db/statements.ts'
import { contextFor } from './calendar.ts'
import { FILTERED, valuesOf } from './samples.ts'

// A plan that reads a whole table costs nothing on a small database, and everything on a large one. An empty
// database has no statistics, as one that has grown by its own writes.

type Step = { detail: string }

/** The plans of statements, in one round trip. */
async function plansOf(statements: readonly Statement[]): Promise<string[][]> {
  const results = await env.DB.batch<Step>(
    statements.map(statement => {
      const { text, params } = renderStatement(statement)
      return env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`).bind(...params)
    }),
  )
  return results.map(plan => plan.results.map(({ detail }) => detail))
}

/** Tables whose rows grow with the calendar. Aliases are those of the statements. */
const LARGE = [
  'events',
  'listings',
  'other',
  'shown',
  'own',
  'imports',
  'event_venues',
  'event_organizers',
  'event_terms',
  'listing_counts',
  'venues',
  'organizers',
]

/**
 * Steps of a plan that read all of a large table, or that look for one event's listings by all of their
 * facet.
 */
const wholeTables = (plan: readonly string[]): string[] =>
  plan.filter(
    step =>
      (LARGE.some(table => new RegExp(`^SCAN ${table}\\b(?!.*VIRTUAL)`).test(step)) &&
        // In the order of the index, until a page is full.
        !/^SCAN events USING (COVERING )?INDEX events_title$/.test(step)) ||
      /^SEARCH (listings|other) .*\((facet=\? AND target_id=\?)\)$/.test(step) ||
      /AUTOMATIC/.test(step),
  )

const WINDOWS: Record<string, Partial<EventListParams>> = {
  'the default window': {},
  'a month': { start_date: '2027-01-01', end_date: '2027-01-31' },
  ends_after: { ends_after: '2027-01-01' },
  starts_after: { starts_after: '2027-01-01' },
  starts_before: { starts_before: '2027-01-01' },
  ends_before: { ends_before: '2027-01-01' },
  'happening now': { happening: 'now' },
  'happening in days': { happening: '2027-01-01/2027-01-03' },
}

const FILTERS: Record<string, Partial<EventListParams>> = {
  ...Object.fromEntries(FILTERED.map(([name, query]) => [name, valuesOf(query)])),
  none: {},
  'two categories': { categories: ['music', 'art'] },
  venues: { venue: [3, 4] },
  sources: { source: [3, 4] },
  'source and search': { source: [3], search: 'concert' },
  'not featured': { featured: false },
  'not ticketed': { ticketed: false },
  'not online': { is_virtual: false },
  'not free': { is_free: false },
  scheduled: { event_status: ['scheduled'] },
  'canceled or postponed': { event_status: ['canceled', 'postponed'] },
  'scheduled or rescheduled': { event_status: ['scheduled', 'rescheduled'] },
  'category and scheduled': { categories: ['music'], event_status: ['scheduled'] },
  'canceled and online': { event_status: ['canceled'], is_virtual: true },
  'several kinds of tickets': { ticket_availability: ['few', 'available'] },
  'tickets and access': { ticket_availability: ['few'], wheelchair: ['yes', 'no'] },
  'not at a place': { geoloc: false },
  'category and venue': { categories: ['music'], venue: [3] },
  'category, tag and featured': { categories: ['music'], tags: ['jazz'], featured: false },
  'short words in names': { search: 'u2 at weir', search_in: 'all' },
  'search in names and category': { search: 'jazz weir', search_in: 'all', categories: ['music'] },
  'search and category': { search: 'concert', categories: ['music'] },
  'over the date line': { bbox: { west: 179, south: -20, east: -179, north: -10 } },
  'box and category': { bbox: { west: -9, south: 53, east: -8, north: 54 }, categories: ['music'] },
  'many filters': {
    ...{ categories: ['music', 'art'], venue: [3, 4], is_free: true, featured: false, geoloc: false },
    ...{ author: ['3'], custom_fields: { age: 'from 6' } },
  },
  'many filters and search': {
    ...{ categories: ['music'], tags: ['jazz'], venue: [3], organizer: [3], search: 'jazz weir' },
    search_in: 'all',
  },
  'many filters without an index': {
    ...{ featured: false, ticketed: false, is_virtual: false, is_free: false, geoloc: false },
  },
  'place and venue': { geoloc_lat: 53, geoloc_lng: -9, venue: [3, 4] },
}

const requests = Object.entries(WINDOWS).flatMap(([when, window]) => [
  ...Object.entries(FILTERS).map(([what, filter]): [string, Partial<EventListParams>] => [
    `${what}, ${when}`,
    { ...window, ...filter },
  ]),
  ...[{}, { venue: [3] }, { featured: false }].flatMap(filter =>
    ORDERBY.map((orderby): [string, Partial<EventListParams>] => [
      `${JSON.stringify(filter)} by ${orderby}, ${when}`,
      { ...window, ...filter, orderby, order: 'desc' },
    ]),
  ),
])

const PAGES = [
  { page: 1, perPage: 6, offset: 0 },
  { page: 500, perPage: 6, offset: 2_994 },
] as const

/** The part of a page's statement that differs between lists: the events of the page, and the total. */
const chosen = ({ shared, ids, total }: SelectedPage): SQL =>
  sql`WITH ${shared ? sql`${shared}, ` : sql``} ids(list) AS MATERIALIZED (SELECT json_group_array(id) FROM (${ids}))
    SELECT list, ${total} FROM ids`

it.each(['anonymous', 'author', 'editor'] as const)(
  'no list for %s callers reads a whole table',
  async role => {
    const context = contextFor({ id: role === 'anonymous' ? 0 : 1, role })
    // Deep pages do not depend on the caller.
    const pages = role === 'anonymous' ? PAGES : PAGES.slice(0, 1)
    const lists: { name: string; statement: Statement }[] = requests.flatMap(([name, values]) =>
      pages.map(page => ({
        name: `${name}, page ${page.page}`,
        statement: chosen(eventPage(context, { values, page })),
      })),
    )
    // The columns and relations of the chosen events are the same for all lists.
    const first = eventPage(context, { values: {}, page: PAGES[0] })
    for (const statement of selectEventPage(context, first).statements)
      lists.push({ name: 'a whole page', statement })
    const plans = await plansOf(lists.map(({ statement }) => statement))
    const bad = plans.flatMap((plan, i) => wholeTables(plan).map(step => `${lists[i]?.name}: ${step}`))
    expect(bad).toEqual([])
  },
)

it('plans that read a whole table or a whole facet are noticed', async () => {
  const [scan = [], facet = []] = await plansOf([
    sql`SELECT count(*) FROM events WHERE title = 'x'`,
    sql`SELECT * FROM listings WHERE facet = 'event' AND target_id = 0 AND event_id + 0 = 1`,
  ])
  expect(wholeTables(scan)).toEqual(['SCAN events'])
  expect(wholeTables(facet)).toHaveLength(1)
})
