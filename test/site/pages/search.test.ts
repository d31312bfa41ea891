import { beforeAll, describe, expect, it } from 'vitest'
import { searchWords } from '../../../src/kit/lib/text.ts'
import { markWords } from '../../../src/site/html/text.ts'
import { declareUser, makeOrganizer, makeVenue } from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { eventMakerFor, page, textOf } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

beforeAll(async () => {
  const theatre = await makeVenue(admin, 'Städtisches Theater', { city: 'Kent' })
  await makeVenue(admin, 'Theater am Turm')
  await makeVenue(admin, 'Barn', { description: 'Once a theater.' })
  await makeVenue(admin, 'Secret Theater', { status: 'draft' })
  await makeOrganizer(admin, 'Friends of the Theater')
  await addEvent('Comedy <1>', '2026-12-01 20:00', '2026-12-01 21:00', {
    venue: theatre.id,
    excerpt: 'A théâter evening.',
    categories: ['Youth theater'],
  })
  await addEvent('Theatergoers', '2026-12-02 20:00', '2026-12-02 21:00')
  await addEvent('Fiddle night', '2026-12-03 20:00', '2026-12-03 21:00')
})

const VARS = { DEBUG_TIMING: '1' }
const search = (words: string, more = '') =>
  page(`/events/?search=${encodeURIComponent(words)}${more}`, { vars: VARS })

/** The first hits of a search: their addresses, and their texts. */
const hitsIn = (html: string): string[][] => {
  const [, list = ''] = /<ul class="directory hits">([\s\S]*?)<\/ul>/.exec(html) ?? []
  return [...list.matchAll(/<h2><a href="([^"]*)">([\s\S]*?)<\/li>/g)].map(([, href = '', text = '']) => [
    href,
    textOf(text),
  ])
}

const marksIn = (html: string): string[] =>
  [...html.matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, text = '']) => text)

describe('a search', () => {
  it('has the query as its heading, with what else is chosen', async () => {
    const { html } = await search('<b>theater</b>', '&exact=1')
    expect(html).toContain('<h1>&lt;b&gt;theater&lt;/b&gt;</h1>')
    expect(html).toContain('<title>&lt;b&gt;theater&lt;/b&gt; · Events</title>')
    expect((await search('theater', '&past=1')).html).toContain('<h1>theater · Past events</h1>')
    expect((await search('theater', '&date=2026-12-01&until=2026-12-01')).html).toContain(
      '<h1>theater · Tuesday, December 1</h1>',
    )
  })

  it('leads to past events once if it finds nothing', async () => {
    const { html, text } = await search('xyzzyqq')
    expect(text).toContain('Past events')
    expect(html.match(/<main[\s\S]*<\/main>/)?.[0].match(/href="[^"]*past=1/g)).toHaveLength(1)
  })

  it('first has the venues, organizers and categories with all of its words in their names', async () => {
    const { html } = await search('THEATER')
    expect(hitsIn(html)).toEqual([
      ['/venue/theater-am-turm/', 'Theater am Turm Venue'],
      ['/venue/stadtisches-theater/', 'Städtisches Theater Venue, Kent'],
      ['/organizer/friends-of-the-theater/', 'Friends of the Theater Organizer'],
      ['/events/category/youth-theater/', 'Youth theater Category'],
    ])
    expect(html.indexOf('directory hits')).toBeLessThan(html.indexOf('class="agenda'))
    expect(hitsIn((await search('theater stadtisches')).html)).toHaveLength(1)
    expect(hitsIn((await search('am')).html).map(([, text]) => text)).toEqual(['Theater am Turm Venue'])
    expect(hitsIn((await search('theater fiddle')).html)).toEqual([])
    // Further pages and pages without a search have none.
    expect((await page('/events/')).html).not.toContain('hits')
  })

  it('takes one round trip, and nothing more on pages without a search', async () => {
    const costOf = async (path: string) => metricsOf(await page(path, { vars: VARS }))
    await costOf('/events/')
    const plain = await costOf('/events/?is_free=0')
    const searched = await costOf('/events/?search=fiddle')
    expect([plain.trips, searched.trips]).toEqual([1, 1])
    // A search looks neither for the past nor, by itself, for what has begun; it looks for names.
    expect(searched.statements).toBe(plain.statements - 1)
  })

  it('marks its words in titles, places, categories and texts, whatever their accents', async () => {
    expect(marksIn((await search('theater')).html)).toEqual([
      'Theater',
      'Theater',
      'Theater',
      'theater',
      'Theater',
      'theater',
      'théâter',
      'Theater',
    ])
    for (const path of ['/events/2026-12-02/', '/events/2026-W49/'])
      expect(marksIn((await page(`${path}?search=goers`)).html), path).toEqual(['goers'])
    expect(marksIn((await page('/events/')).html)).toEqual([])
  })

  it('says another spelling in heading, title, field and chip, and the typed words once', async () => {
    const { html, text } = await search('fidle')
    for (const part of ['<h1>fiddle</h1>', '<title>fiddle · Events</title>', 'name="search" value="fiddle"'])
      expect(html).toContain(part)
    expect(html).toContain('<span aria-hidden="true">“fiddle”</span>')
    expect(marksIn(html)).toEqual(['Fiddle'])
    expect(text.split('fidle')).toHaveLength(2)
    expect(text).toContain('Search only for “fidle” instead')
    expect(html).toContain('href="/events/?search=fidle&amp;exact=1"')
    expect((await search('fiddle')).text).not.toContain('instead')
  })
})

describe('marks', () => {
  it.each([
    ['Straße 12', 'strasse', '<mark>Straße</mark> 12'],
    ['Cafe\u0301 & Bar', 'cafe bar', '<mark>Cafe</mark>\u0301 &amp; <mark>Bar</mark>'],
    ['ananas', 'ana nas', '<mark>ananas</mark>'],
    ['a<b>c', 'b>', 'a&lt;<mark>b&gt;</mark>c'],
    ['🎻 Fiddles', '🎻', '<mark>🎻</mark> Fiddles'],
    ['Øresund', 'oresund', '<mark>Øresund</mark>'],
    ['Two  words', 'two words', '<mark>Two</mark>  <mark>words</mark>'],
    ['nothing', 'else', 'nothing'],
  ])('of %s for %s', (text, query, expected) => {
    const html = markWords(text, searchWords(query))
    expect(String(html)).toBe(expected)
  })
})
