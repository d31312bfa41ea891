import { beforeAll, describe, expect, it } from 'vitest'
import { decodeEntities } from '../../../src/kit/lib/text.ts'
import { dayPath, monthPath, weekPath } from '../../../src/site/html/addresses.ts'
import { type Filters, filterList, listFilters } from '../../../src/site/html/filters.ts'
import { declareUser, makeCategory, makeOrganizer, makeVenue, SITE, send } from '../../factories.ts'
import { eventMakerFor, linksIn, page } from './page.ts'

// Every link and form of a page of events changes one part of what it shows, a filter or its days, and keeps
// all others. The clock of the tests stands at 2026-11-20.

const admin = declareUser('administrator', 'admin')

/** A value of every filter. The event below matches all of them. */
const SAMPLES = {
  search: 'lantern',
  categories: 'music',
  tags: 'kids',
  venue: '1',
  organizer: '1',
  featured: 'true',
  is_free: 'true',
  ticket_availability: 'few',
  wheelchair: 'yes',
  near: '53.27,-9.05,20',
} satisfies Record<keyof Filters, string>

const FILTERS = Object.keys(filterList.shape)

/** The days that a page can have: a path, and the parameters that belong to it. */
const DAYS = [
  '/events/',
  '/events/?date=2026-11-23',
  '/events/?date=2026-11-23&until=2026-11-29',
  '/events/?date=2026-11-20&until=2026-11-29',
  '/events/?past=1',
  '/events/today/',
  '/events/today/?evening=1',
  '/events/2026-11-24/',
  '/events/2026-W48/',
  '/events/2026-12/',
]

/** An address with further parameters. */
function withParams(address: string, more: Readonly<Record<string, string>>): string {
  const url = new URL(address, SITE)
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value)
  return url.pathname + url.search
}

/** The path of a page whose name depends on today, or which has a date as a parameter. */
function datedPath(path: string, date = '2026-11-20'): string {
  if (path === '/events/today/') return dayPath(date)
  if (path === '/events/week/') return weekPath(date)
  if (path === '/events/month/') return monthPath(date)
  return path
}

/** The parts of what an address shows, by name: each filter, and the days. The number of the page is none. */
function partsOf(address: string): Map<string, string> {
  const { pathname, searchParams: params } = new URL(address, SITE)
  const [, category] = /^\/events\/category\/(?:.*\/)?([^/]+)\/$/.exec(pathname) ?? []
  if (category) params.set('categories', category)
  const path = category ? '/events/' : datedPath(pathname, params.get('date') ?? undefined)
  const own = path === '/events/' ? ['date', 'until', 'past'] : ['evening']
  // A further page of a list begins on a day, which links with other filters keep.
  if (path === '/events/' && !params.has('date')) params.set('date', params.get('from') ?? '')
  const days = own.map(name => params.get(name) ?? '').join(' ')
  const search = params.get('search') && `${params.get('search')} ${params.get('exact') ?? ''}`
  const filters = FILTERS.map(name => [name, (name === 'search' ? search : params.get(name)) ?? ''] as const)
  return new Map([...filters.filter(([, value]) => value !== ''), ['days', `${path} ${days}`.trim()]])
}

/** The parts in which two addresses differ. */
function changedParts(a: string, b: string): string[] {
  const before = partsOf(a)
  const after = partsOf(b)
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    name => before.get(name) !== after.get(name),
  )
}

/** The addresses that the forms of a page are sent to if nobody changes a field. */
const formsIn = (html: string): string[] =>
  [...html.matchAll(/<form (?:class="finder" )?action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', form = '']) => {
      const inputs = [...form.matchAll(/<input\b([^>]*)>/g)].flatMap(([, attributes = '']) => {
        const [name, value] = ['name', 'value'].map(
          key => new RegExp(`\\b${key}="([^"]*)"`).exec(attributes)?.[1],
        )
        const isSent = !attributes.includes('type="checkbox"') || / checked\b/.test(attributes)
        return name && value && isSent ? [[name, decodeEntities(value)] as const] : []
      })
      const choices = [...form.matchAll(/<select [^>]*name="([^"]*)">([\s\S]*?)<\/select>/g)].flatMap(
        ([, name = '', options = '']) => {
          const value = /<option value="([^"]*)" selected/.exec(options)?.[1]
          return value ? [[name, value] as const] : []
        },
      )
      return withParams(action, Object.fromEntries([...inputs, ...choices]))
    },
  )

/**
 * What a page offers to change: the addresses of links in its bar and its main part, and of the button for
 * events nearby.
 */
function controlsIn(html: string): string[] {
  const bar = html.match(/<section class="bar"[\s\S]*?<\/section>/)?.[0] ?? ''
  const main = (html.match(/<main[\s\S]*<\/main>/)?.[0] ?? '').replace(
    /<nav class="trail"[\s\S]*?<\/nav>/,
    '',
  )
  const near = html.match(/data-near="([^"]*)"/)?.[1]
  const links = linksIn(bar + main).filter(address => address.startsWith('/events/'))
  return near === undefined ? links : [...links, withParams(decodeEntities(near), { near: SAMPLES.near })]
}

/** The filters of an address as parameters of the API. */
function apiFilters(address: string): [string, string][] {
  const { searchParams } = new URL(withParams('/', Object.fromEntries(partsOf(address))), SITE)
  searchParams.delete('days')
  const search = searchParams.get('search')?.replace(/ 1?$/, '')
  if (search !== undefined) searchParams.set('search', search)
  return Object.entries(listFilters(Object.fromEntries(searchParams))).map(([name, value]) => [
    name,
    String(value),
  ])
}

/** The footer, which is the same on every page: it leads to feeds of the whole calendar. */
const FOOTER = /<footer class="site-footer"[\s\S]*/

/** The parameters of the feeds to which a page leads, whatever the program. */
const feedsIn = (html: string): [string, string][][] =>
  [
    ...html
      .replace(FOOTER, '')
      .matchAll(/(?:href|data-copy)="([^"]*(?:events\.(?:ics|rss|feed\.json))[^"]*)"/g),
  ].map(([, raw = '']) => {
    const address = decodeEntities(raw)
    const { searchParams } = new URL(address)
    const feed = searchParams.get('cid') ?? searchParams.get('url') ?? address
    return [...new URL(feed.replace(/^webcal:/, 'https:')).searchParams]
  })

const sorted = (entries: readonly [string, string][]): string[] =>
  entries.map(entry => entry.join('=')).sort()

const withoutExact = (address: string): string => {
  const url = new URL(address, SITE)
  url.searchParams.delete('exact')
  return url.pathname + url.search
}

/** Everything that a page offers. @throws if something changes more than one part of what the page shows */
async function checkPage(address: string): Promise<string[]> {
  const { status, html } = await page(address)
  expect(status, address).toBe(200)
  const controls = controlsIn(html)
  expect(controls.length).toBeGreaterThan(8)
  for (const control of controls) {
    const parts = changedParts(address, control)
    // One link of a page with several filters removes them all, but not the days.
    const isClear = parts.length > 1 && partsOf(control).size === 1 && !parts.includes('days')
    if (!isClear) expect.soft(parts.length, `${address} leads to ${control}: ${parts}`).toBeLessThan(2)
  }
  const forms = formsIn(html)
  expect(forms).toHaveLength(2)
  // A form searches anew, so it allows similar words again.
  for (const form of forms)
    expect.soft(changedParts(withoutExact(address), form), `${address} sends ${form}`).toEqual([])
  const feeds = feedsIn(html)
  expect(feeds.length).toBeGreaterThan(6)
  for (const feed of feeds) expect.soft(sorted(feed), address).toEqual(sorted(apiFilters(address)))
  return controls
}

beforeAll(async () => {
  const venue = await makeVenue(admin, 'Harbour', { geo_lat: 53.27, geo_lng: -9.05 })
  const organizer = await makeOrganizer(admin, 'Guild')
  expect([venue.id, organizer.id].map(String)).toEqual([SAMPLES.venue, SAMPLES.organizer])
  const everything = {
    categories: ['Music'],
    tags: ['Kids'],
    venue: venue.id,
    organizer: organizer.id,
    featured: true,
    cost: 'Free',
    ticket_availability: 'few',
    wheelchair: 'yes',
  }
  const days = [
    '2026-11-20',
    '2026-11-24',
    '2026-12-03',
    '2026-11-02',
    ...Array<string>(8).fill('2026-11-25'),
  ]
  for (const day of days)
    await eventMakerFor(admin)('Lantern walk', `${day} 19:00`, `${day} 20:00`, everything)
})

describe('whatever is chosen', () => {
  it.each(FILTERS)('the filter %s is kept by everything else, whatever the days', async name => {
    for (const days of DAYS) await checkPage(withParams(days, { [name]: Reflect.get(SAMPLES, name) }))
  })

  it.each(DAYS)('half of the filters are kept by everything else on %s', async days => {
    await checkPage(days)
    const all = Object.entries(SAMPLES)
    const half = all.length / 2
    for (const some of [all.slice(0, half), all.slice(half)])
      await checkPage(withParams(days, { ...Object.fromEntries(some), search: SAMPLES.search, exact: '1' }))
  })

  it('a first choice stays over each second one', async () => {
    const first = await checkPage('/events/')
    for (const address of first) await checkPage(address)
    // Those of the list of filters that a page has as links or buttons, and days.
    const chosen = new Set(first.flatMap(address => changedParts('/events/', address)))
    expect([...chosen].sort()).toEqual(['categories', 'days', 'is_free', 'near', 'tags', 'wheelchair'])
  })
})

it('two choices lead to the same page in either order', async () => {
  const choices = (await checkPage('/events/')).filter(
    address => changedParts('/events/', address).length === 1,
  )
  const pages = new Map<string, string[]>()
  for (const address of choices) pages.set(address, await checkPage(address))
  const partOf = (address: string) => String(changedParts('/events/', address))
  let pairs = 0
  for (const a of choices)
    for (const b of choices) {
      if (partOf(a) === partOf(b)) continue
      const wanted = new Map([...partsOf(a), [partOf(b), partsOf(b).get(partOf(b)) ?? '']])
      const isWanted = (address: string) =>
        JSON.stringify([...partsOf(address)].sort()) === JSON.stringify([...wanted].sort())
      expect.soft(pages.get(a)?.some(isWanted), `${a}, then ${b}`).toBe(true)
      pairs++
    }
  expect(pairs).toBeGreaterThan(40)
})

it('the form has the last day of the page beside the first one', async () => {
  const { html } = await page('/events/?date=2026-11-23&until=2026-11-29')
  expect(html).toMatch(
    /<label for="find-until">Last day<\/label>\s*<input id="find-until" type="date" name="until" value="2026-11-29">/,
  )
  expect((await page('/events/?date=2026-11-23')).html).not.toContain('find-until')
})

it('one of several values can be removed alone', async () => {
  await makeVenue(admin, 'Other')
  await eventMakerFor(admin)('More', '2026-12-10 19:00', '2026-12-10 20:00', {
    categories: ['Film'],
    tags: ['Outdoors'],
  })
  const { html } = await page('/events/?categories=film,music&tags=kids,outdoors')
  expect(controlsIn(html)).toEqual(
    expect.arrayContaining([
      '/events/?categories=film&tags=kids,outdoors',
      '/events/?categories=film,music&tags=outdoors',
    ]),
  )
})

it('the subcategories of a category keep its days', async () => {
  const [music] = (await send('GET', '/categories?slug=music')).body.categories
  await makeCategory(admin, 'Folk', { parent: music.id })
  await eventMakerFor(admin)('Reel', '2026-11-26 19:00', '2026-11-26 20:00', { categories: ['Folk'] })
  const week = '?date=2026-11-23&until=2026-11-29'
  const { links } = await page(`/events/category/music/${week}`)
  expect(links).toContain(`/events/category/music/folk/${week}`)
  expect(links).toContain(`/events/${week}`)
})
