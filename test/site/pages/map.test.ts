import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/kit/lib/languages.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { textsIn } from '../../../src/words/words.ts'
import { declareUser, SITE, send } from '../../factories.ts'
import { eventMakerFor, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

const TILES = 'https://tiles.example.org/{z}/{x}/{y}.png'
const vars = { MAP_TILES: TILES, MAP_ATTRIBUTION: '© Mappers <b> https://tiles.example.org/copyright' }

beforeAll(async () => {
  const venue = { venue: 'The Weir', geo_lat: 52.65, geo_lng: -7.25 }
  await addEvent('Concert', '2027-06-09 20:00', '2027-06-09 22:00', { venue, categories: ['Music'] })
  await addEvent('Elsewhere', '2027-06-10 20:00', '2027-06-10 22:00', {
    venue: { venue: 'Nobody knows where' },
  })
  await addEvent('Secret', '2027-06-11 20:00', '2027-06-11 22:00', { venue, status: 'draft' })
})

const titles = (html: string): string[] =>
  ['Concert', 'Elsewhere', 'Secret'].filter(title => html.includes(title))

describe('the map of events', () => {
  it('is no page without tiles', async () => {
    expect((await page('/events/map/')).status).toBe(404)
    expect((await page('/events/')).html).not.toContain('/events/map/')
    expect((await page('/venue/the-weir/')).html).not.toContain('data-map')
  })

  it('lists what has a place, and draws the same events', async () => {
    const { html } = await page('/events/map/?categories=music&date=2027-06-01', { vars })
    expect(titles(html)).toEqual(['Concert'])
    const address = /data-features="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const { body } = await send('GET', SITE + address)
    expect(body.features).toMatchObject([{ properties: { title: 'Concert' } }])
    expect(html).toContain(
      '<a href="https://tiles.example.org/copyright" rel="noopener">© Mappers &lt;b&gt;</a>',
    )
  })
})

describe('a map without some events', () => {
  it('says how many are in the list alone, and leads there', async () => {
    const { text, links } = await page('/events/map/?date=2027-06-01', { vars })
    expect(text).toContain('One more event has no place on the map. See them in the list')
    expect(links).toContain('/events/?date=2027-06-01')
    expect((await page('/events/map/?categories=music&date=2027-06-01', { vars })).text).not.toContain(
      'no place on the map',
    )
  })
})

describe('a map without a position', () => {
  const path = '/events/map/?date=2027-06-10&until=2027-06-10'

  it('says so, whatever the filters, and leads to the list with these', async () => {
    for (const filter of ['', '&search=elsewhere']) {
      const { text, links } = await page(path + filter, { vars })
      expect(text, filter).toContain('none has a location that can be shown on the map')
      expect(text, filter).not.toContain('Try other words')
      expect(links).toContain(
        `/events/?${filter.replace('&', '')}${filter && '&'}date=2027-06-10&until=2027-06-10`,
      )
    }
  })

  it('says what to try where there is no event at all', async () => {
    const { text } = await page('/events/map/?date=2027-06-10&until=2027-06-10&search=nothing', { vars })
    expect(text).toContain('Try other words')
  })

  it('is offered while an event would be on it, also one that is under way', async () => {
    const isOffered = async () => (await page('/events/', { vars })).html.includes('/events/map/')
    const { id } = (await send('GET', '/events?search=Concert&start_date=2027-01-01', {})).body.events[0]
    const coming = { start_date: '2040-01-01 10:00', end_date: '2040-01-01 12:00' }
    await send('PUT', `/events/${id}`, { as: admin, json: coming })
    expect(await isOffered()).toBe(true)
    await send('PUT', `/events/${id}`, { as: admin, json: { status: 'draft' } })
    expect(await isOffered()).toBe(false)
    const begun = { start_date: '2020-01-01 10:00', end_date: '2040-01-01 10:00', status: 'publish' }
    await send('PUT', `/events/${id}`, { as: admin, json: begun })
    expect(await isOffered()).toBe(true)
    const again = { start_date: '2027-06-09 20:00', end_date: '2027-06-09 22:00' }
    await send('PUT', `/events/${id}`, { as: admin, json: again })
  })
})

describe('a small map', () => {
  it.each(['/venue/the-weir/', '/event/concert/'])('is on %s', async path => {
    const { html, headers } = await page(path, { vars })
    expect(html).toContain('data-at="52.65,-7.25"')
    expect(html).toContain(`data-map="${TILES}"`)
    expect(html).toContain('tiles.example.org, which learns your IP address')
    expect(headers.get('Content-Security-Policy')).toContain("script-src 'self';")
  })

  it('is left out where a venue shows none, or has no position', async () => {
    const venue = { venue: 'The Cellar', geo_lat: 1, geo_lng: 2, show_map: false }
    await addEvent('Down there', '2027-06-12 20:00', '2027-06-12 22:00', { venue })
    for (const path of ['/event/down-there/', '/venue/the-cellar/', '/event/elsewhere/'])
      expect((await page(path, { vars })).html, path).not.toContain('data-map')
  })
})

describe('the map on a page and the one elsewhere', () => {
  it.each(LANGUAGES)('have names with only one word in common: %s', language => {
    const { map, showMap } = textsIn(language).pages
    const wordsOf = (name: string) => name.toLowerCase().match(/\p{L}+/gu) ?? []
    // Words such as “zeigen” and “anzeigen” are taken for the same.
    const shared = wordsOf(map).filter(word =>
      wordsOf(showMap).some(other => word.endsWith(other) || other.endsWith(word)),
    )
    expect(shared).toHaveLength(1)
  })
})

describe('the address of tiles', () => {
  it.each([
    ['http://tiles.example.org/{z}/{x}/{y}.png'],
    ['https://{x}.example.org/{z}/{y}.png'],
    ['https://tiles.example.org/{z}/{x}.png'],
    ['https://user:secret@tiles.example.org/{z}/{x}/{y}.png'],
    ['javascript:alert(1)//{z}{x}{y}'],
    ['//tiles.example.org/{z}/{x}/{y}.png'],
  ])('is not %s', async map_tiles => {
    expect(() => settingsOf({ MAP_TILES: map_tiles })).toThrow('MAP_TILES')
    const { status, body } = await send('PATCH', '/settings', { as: admin, json: { map_tiles } })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['map_tiles']])
  })

  it('is written so that nothing of it can leave its attribute', () => {
    const { website } = settingsOf({
      MAP_TILES: ' https://tiles.example.org/a"b c/{z}/{x}/{y}?key=1; img-src * ',
    })
    expect(website.map).toMatchObject({
      tiles: 'https://tiles.example.org/a%22b%20c/{z}/{x}/{y}?key=1;%20img-src%20*',
      host: 'tiles.example.org',
    })
  })
})
