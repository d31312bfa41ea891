import { beforeAll, describe, expect, it } from 'vitest'
import {
  declareUser,
  makeCategory,
  makeOrganizer,
  makeVenue,
  query,
  queryAll,
  send,
} from '../../factories.ts'
import { dataIn, eventMakerFor, meta, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

beforeAll(async () => {
  const music = await makeCategory(admin, 'Music')
  const hall = await makeVenue(admin, 'Hall', { address: '1 Lane' })
  const guild = await makeOrganizer(admin, 'Guild')
  const relations = { venue: hall.id, organizer: guild.id, categories: [music.id], tags: ['Outdoors'] }
  await addEvent('Choir', '2026-01-02', '2026-01-02', { ...relations })
  for (let n = 1; n <= 7; n++)
    await addEvent('Choir', `2026-12-0${n} 20:00`, `2026-12-0${n} 21:00`, { ...relations })
  await addEvent('Yoga', '2026-11-24 20:00', '2026-11-24 21:00', {
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  })
})

const titleOf = (html: string): string | undefined => html.match(/<title>([^<]*)<\/title>/)?.[1]

describe('the title of a page', () => {
  it.each([
    ['/events/category/music/', '/events/category/music/?past=1', '/events/category/music/?page=2'],
    ['/tag/outdoors/', '/tag/outdoors/?past=1', '/tag/outdoors/?page=2'],
    ['/event/yoga/2026-11-24/', '/event/yoga/2026-12-01/', '/event/yoga/all/'],
  ])('differs between %s, %s and %s', async (...paths) => {
    const titles = await Promise.all(paths.map(async path => titleOf((await page(path)).html)))
    expect(new Set(titles).size).toBe(3)
    for (const title of titles) expect(title).toMatch(/Music|Outdoors|Yoga/)
  })

  it('has the date of a date of a series', async () => {
    const { html } = await page('/event/yoga/2026-12-01/')
    expect(titleOf(html)).toBe('Yoga, December 1, 2026 · Events')
    expect(html).toContain('<h1>Yoga</h1>')
  })

  it('has the number of a further page of venues', async () => {
    await query(
      `INSERT INTO venues (name, slug, status, author_id, date, date_utc, modified, modified_utc)
       SELECT 'Room ' || value, 'room-' || value, 'publish', author_id, date, date_utc, modified, modified_utc
       FROM venues, json_each('[${Array.from({ length: 50 }, (_, n) => n)}]') WHERE slug = 'hall'`,
    )
    expect(titleOf((await page('/venues/?page=2')).html)).toBe('Venues – Page 2 · Events')
    expect(titleOf((await page('/venues/')).html)).toBe('Venues · Events')
  })
})

describe('a list of past events', () => {
  it.each(['/events/category/music/', '/tag/outdoors/', '/venue/hall/', '/events/'])(
    'says so on %s',
    async path => {
      expect((await page(`${path}?past=1`)).text).toContain('Past events')
    },
  )

  it('says that there are no past events', async () => {
    await makeVenue(admin, 'Shed')
    const { text } = await page('/venue/shed/?past=1')
    expect(text).toContain('There are no past events here.')
    expect(text).not.toContain('announced')
    expect((await page('/venue/shed/')).text).toContain('Nothing is announced here')
  })
})

describe('the dates of a series', () => {
  it('are marked if they are cancelled', async () => {
    const { body } = await send('GET', '/events/by-slug/yoga-2026-12-01')
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { event_status: 'canceled' } })
    for (const path of ['/event/yoga/2026-11-24/', '/event/yoga/all/'])
      expect((await page(path)).text, path).toMatch(/December 1, 2026 8:00 PM Cancelled/)
    expect(meta((await page('/event/yoga/2026-12-01/')).html, 'og:description')).toMatch(/^Cancelled · /)
  })

  it('have a page with a description', async () => {
    expect(meta((await page('/event/yoga/all/')).html, 'description')).toBe('All dates of Yoga.')
  })
})

// Imports accept content without a name; the API requires one.
describe('imported content without a name', () => {
  it('is shown by its slug or address', async () => {
    await queryAll([
      "UPDATE events SET title = ''",
      "UPDATE venues SET name = ''",
      "UPDATE organizers SET name = ''",
    ])
    for (const [path, name] of [
      ['/events/', 'choir-2'],
      ['/events/2026-12/', 'choir-2'],
      ['/event/choir-2/', 'choir-2'],
      ['/event/yoga/all/', 'yoga'],
      ['/venues/', '1 Lane'],
      ['/venue/hall/', '1 Lane'],
      ['/organizers/', 'guild'],
      ['/organizer/guild/', 'guild'],
    ] as const) {
      const { html, text } = await page(path)
      expect(JSON.stringify(dataIn(html)?.location ?? {}), path).not.toContain('"name":""')
      expect(text, path).toContain(name)
      expect(html, path).not.toMatch(/<h1>\s*<\/h1>|<title> ·/)
      expect(html, path).not.toMatch(/<a\b[^>]*>\s*(?:<span class="hidden">[^<]*<\/span>\s*)?<\/a>/)
    }
  })
})
