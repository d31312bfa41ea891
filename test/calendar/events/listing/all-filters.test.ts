import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  send,
  WHEN,
} from '../../../factories.ts'
import { page } from '../../../site/pages/page.ts'
import { fillCalendar } from './calendar.ts'

// D1 takes statements of at most 100 KB, however many filters there are.

const admin = declareUser('administrator', 'owner')

beforeAll(fillCalendar)

type Params = Readonly<Record<string, string>>

const queryOf = (...given: Params[]): string => new URLSearchParams(Object.assign({}, ...given)).toString()

describe('all filters at once', () => {
  let ofPages: Params
  let ofApi: Params

  beforeAll(async () => {
    const position = { geo_lat: 53.27, geo_lng: -9.05 }
    const hall = await makeVenue(admin, 'Weir Hall', position)
    const barn = await makeVenue(admin, 'Weir Barn', position)
    const guild = await makeOrganizer(admin, 'Guild')
    const choir = await makeOrganizer(admin, 'Choir')
    const music = await makeCategory(admin, 'Music')
    const folk = await makeCategory(admin, 'Folk', { parent: music.id })
    const tags = [await makeTag(admin, 'outdoor'), await makeTag(admin, 'kids')]
    const parent = await makeEvent(admin, { title: 'Festival' })
    const fields = {
      title: 'Jazz and songs by the river',
      venue: hall.id,
      organizer: [guild.id],
      categories: [folk.id],
      tags: [tags[0]?.id],
      featured: true,
      cost: '0',
      ticketed: true,
      ticket_availability: 'few',
      wheelchair: 'yes',
      event_status: 'rescheduled',
      is_virtual: true,
      post_parent: parent.id,
      custom_fields: Object.fromEntries(
        Object.entries({ age: '6', room: 'A', band: 'B' }).map(([key, value]) => [
          key,
          { label: key, value },
        ]),
      ),
    }
    await makeEvent(admin, fields)
    // Each of these lacks one thing.
    await makeEvent(admin, { ...fields, title: 'Jazz and songs by a lake' })
    await makeEvent(admin, { ...fields, title: 'Jazz and songs by the river, anywhere', venue: undefined })
    await makeEvent(admin, { ...fields, title: 'Jazz and songs by the river, unmarked', tags: [] })
    await makeEvent(admin, { ...fields, title: 'Jazz and songs by the river, quietly', featured: false })
    const shared = {
      search: 'jazz songs the river weir guild by and',
      categories: `${music.slug},${folk.slug}`,
      tags: tags.map(({ slug }) => slug).join(),
      venue: `${hall.id},${barn.id}`,
      organizer: `${guild.id},${choir.id}`,
      featured: 'true',
      is_free: 'true',
      ticket_availability: 'available,few',
      wheelchair: 'yes,limited',
    }
    ofPages = { ...shared, near: '53.27,-9.05' }
    ofApi = {
      ...shared,
      search_in: 'all',
      geoloc: 'true',
      geoloc_lat: '53.27',
      geoloc_lng: '-9.05',
      geoloc_radius: '10',
      place: 'weir',
      bbox: '-10,53,-9,54',
      post_parent: String(parent.id),
      ticketed: 'true',
      'custom_fields[age]': '6',
      'custom_fields[room]': 'A',
      'custom_fields[band]': 'B',
      author: '1,2',
      event_status: 'scheduled,rescheduled',
      is_virtual: 'true',
    }
  })

  const DAY = WHEN.start_date.slice(0, 10)

  it.each([
    '/events/',
    `/events/${DAY.slice(0, 7)}/`,
    '/events/2027-W01/',
    `/events/${DAY}/`,
    '/events/map/',
  ])('find what meets them all on the page %s', async path => {
    const vars = { MAP_TILES: 'https://tiles.test/{z}/{x}/{y}.png', MAP_ATTRIBUTION: 'Tiles' }
    const { status, text } = await page(`${path}?${queryOf(ofPages)}`, { vars })
    expect(status, text).toBe(200)
    for (const other of ['lake', 'anywhere', 'unmarked', 'quietly']) expect(text).not.toContain(other)
    expect(text).toContain('Jazz and songs by the river')
    // Nothing meets these, so that what comes close is looked for.
    const none = await page(`${path}?${queryOf(ofPages, { search: 'zxqv jazz' })}`, { vars })
    expect(none.status, none.text).toBe(200)
  })

  it.each(['start_date', 'title', 'modified'])(
    'find what meets them all in the list by %s',
    async orderby => {
      const { status, body } = await send('GET', `/events?${queryOf(ofApi, { orderby })}`, { as: admin })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.events.map(({ title }: Answer['body']) => title)).toEqual(['Jazz and songs by the river'])
    },
  )

  it.each([
    '/events/changes',
    '/events.ics',
    '/events.rss',
    '/events.feed.json',
    '/events.geojson',
    '/events.csv',
    '/events/digest.html?days=60',
    '/events/digest.txt?days=60',
  ])('find what meets them all in %s', async path => {
    const { status, text } = await send('GET', `${path}${path.includes('?') ? '&' : '?'}${queryOf(ofApi)}`)
    expect(status, text).toBe(200)
    // Lines of calendars are folded.
    const shown = text.replaceAll('\r\n ', '')
    expect(shown).toContain('by the river')
    for (const other of ['lake', 'anywhere', 'unmarked', 'quietly']) expect(shown).not.toContain(other)
  })
})

/** Filters of which many together still leave something. */
const FILTERS: Readonly<Record<string, Params>> = {
  search: { search: 'con' },
  searchInNames: { search: 'c e', search_in: 'all' },
  categories: { categories: 'root,branch,leaf,other' },
  tags: { tags: 'one,two' },
  venue: { venue: '1,2,4' },
  organizer: { organizer: '1,2' },
  featured: { featured: 'false' },
  ticketed: { ticketed: 'false' },
  tickets: { ticket_availability: 'available,few' },
  wheelchair: { wheelchair: 'yes,limited,no' },
  custom: { 'custom_fields[age]': '6' },
  author: { author: '1,2' },
  status: { event_status: 'scheduled,canceled,postponed' },
  isVirtual: { is_virtual: 'false' },
  isFree: { is_free: 'false' },
  parent: { post_parent: '1' },
  series: { series: '1,2,3' },
  source: { source: '1,2' },
  include: { include: Array.from({ length: 60 }, (_, n) => 2 * n + 1).join() },
  geoloc: { geoloc: 'true' },
  near: { geoloc_lat: '53.1', geoloc_lng: '-9', geoloc_radius: '50' },
  place: { place: 'e' },
  bbox: { bbox: '-10,53,-8.9,53.2' },
}

const WINDOW = { start_date: '2025-01-01', end_date: '2029-12-31' }

/**
 * Filters that are drawn, and whether an administrator asks. The rare ones are drawn rarely: few events meet
 * them and others.
 */
const draws = fc.record({
  names: fc
    .subarray(
      Object.keys(FILTERS).filter(name => !['parent', 'series', 'include', 'custom'].includes(name)),
      {
        minLength: 3,
      },
    )
    .chain(names =>
      fc.constantFrom(
        names,
        names,
        names,
        [...names, 'parent'],
        [...names, 'series'],
        [...names, 'include', 'custom'],
      ),
    ),
  isAdmin: fc.boolean(),
})

describe('any filters at once', () => {
  const found = new Map<string, Set<string>>()

  /** The addresses of all events that a list shows. */
  async function listed(as: string | undefined, ...given: Params[]): Promise<Set<string>> {
    const query = queryOf(WINDOW, { per_page: '100', _fields: 'url' }, ...given)
    const key = `${as} ${query}`
    const known = found.get(key)
    if (known) return known
    const urls: string[] = []
    for (let n = 1, pages = 1; n <= pages; n++) {
      const { status, body } = await send('GET', `/events?${query}&page=${n}`, { ...(as && { as }) })
      expect(status, `${query} ${JSON.stringify(body)}`).toBe(200)
      urls.push(...body.events.map(({ url }: Answer['body']) => url))
      pages = body.total_pages
    }
    expect(new Set(urls).size).toBe(urls.length)
    found.set(key, new Set(urls))
    return new Set(urls)
  }

  it('find the events that each of them finds, in lists and feeds', async () => {
    let some = 0
    await fc.assert(
      fc.asyncProperty(draws, async ({ names, isAdmin }) => {
        const as = isAdmin ? admin : undefined
        const params = names.map(name => FILTERS[name] ?? {})
        // Of two searches the last one counts.
        const given = names.filter(name => name !== 'search' || !names.includes('searchInNames'))
        const each = await Promise.all(given.map(name => listed(as, FILTERS[name] ?? {})))
        const [first = new Set<string>(), ...others] = each
        const expected = [...others.reduce((left, right) => left.intersection(right), first)].sort()
        expect([...(await listed(as, ...params))].sort(), names.join()).toEqual(expected)
        if (as) return
        some += Number(expected.length > 0)
        const query = queryOf(WINDOW, ...params)
        const feed = async (path: string): Promise<Answer> => {
          const sent = await send('GET', `${path}?${query}`)
          expect(sent.status, `${path} ${names} ${sent.text}`).toBe(200)
          return sent
        }
        const { items } = JSON.parse((await feed('/events.feed.json')).text)
        expect(items.map(({ url }: Answer['body']) => url).sort()).toEqual(expected)
        await feed('/events.ics')
        await feed('/events.geojson')
      }),
      // The longest texts of the most filters whose conditions stand in every range.
      {
        seed: 61,
        numRuns: 30,
        examples: [[{ names: ['searchInNames', 'near', 'place', 'bbox'], isAdmin: true }]],
      },
    )
    expect(some).toBeGreaterThan(5)
  })

  it('are no error on pages', async () => {
    const ofPages = fc.subarray(
      Object.entries(FILTERS)
        .filter(([name]) =>
          /^(search|categories|tags|venue|organizer|featured|isFree|tickets|wheelchair)$/.test(name),
        )
        .map(([, params]) => params),
      { minLength: 4 },
    )
    const paths = fc.constantFrom('/events/', '/events/2026-12/', '/events/2026-12-24/', '/events/week/')
    await fc.assert(
      fc.asyncProperty(ofPages, paths, async (params, path) => {
        const { status, text } = await page(`${path}?${queryOf({ near: '53.1,-9,50' }, ...params)}`)
        expect(status, text).toBe(200)
      }),
      { seed: 62, numRuns: 20 },
    )
  })
})
