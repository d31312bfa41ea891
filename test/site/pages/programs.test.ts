import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  SITE,
} from '../../factories.ts'
import { allDataIn, page } from './page.ts'

// What programs find in pages: the events of a list, and the address of the same data in the API.

const admin = declareUser('administrator', 'admin')
let hall: Answer['body']
let guild: Answer['body']
let single: Answer['body']

beforeAll(async () => {
  hall = await makeVenue(admin, 'The Hall')
  guild = await makeOrganizer(admin, 'The Guild')
  const music = await makeCategory(admin, 'Music')
  const jazz = await makeTag(admin, 'jazz')
  const relations = { venue: hall.id, organizer: guild.id, categories: [music.id], tags: [jazz.id] }
  const at = (day: string) => ({ start_date: `${day} 20:00:00`, end_date: `${day} 22:00:00`, ...relations })
  single = await makeEvent(admin, { title: 'Rock & <em>Roll</em>', ...at('2027-01-12') })
  await makeEvent(admin, { title: 'Session', recurrence: 'FREQ=DAILY;COUNT=3', ...at('2027-01-13') })
  await makeEvent(admin, { title: 'Another month', start_date: '2027-03-02', end_date: '2027-03-02' })
})

const SESSIONS = ['13', '14', '15'].map(day => [`${SITE}/event/session/2027-01-${day}/`, 'Session'])
const FIRST = [`${SITE}/event/rock-roll/`, 'Rock & Roll']
const LAST = [`${SITE}/event/another-month/`, 'Another month']
const OF_JANUARY = [FIRST, ...SESSIONS]

const listsIn = (html: string) => allDataIn(html).filter(data => data['@type'] === 'ItemList')

describe('the data of a list', () => {
  it.each([
    ['/events/', [...OF_JANUARY, LAST]],
    ['/events/2027-01/', OF_JANUARY],
    ['/events/2027-W02/', OF_JANUARY],
    ['/events/2027-01-12/', [FIRST]],
    ['/events/category/music/', OF_JANUARY],
    ['/events/?tags=jazz', OF_JANUARY],
    ['/tag/jazz/', OF_JANUARY],
    ['/venue/the-hall/', OF_JANUARY],
    ['/organizer/the-guild/', OF_JANUARY],
  ])('has what the page shows, in its order: %s', async (path, events) => {
    const { html } = await page(path)
    expect(listsIn(html)).toEqual([
      {
        '@context': 'https://schema.org',
        '@type': 'ItemList',
        itemListElement: events.map(([url, name], i) => ({
          '@type': 'ListItem',
          position: i + 1,
          url,
          name,
        })),
      },
    ])
    expect(gzipSync(html).length).toBeLessThan(12_000)
  })

  it.each(['/events/2026-03/', '/events/?tags=jazz&date=2028-01-01', '/event/rock-roll/'])(
    'is not on a page without a list: %s',
    async path => {
      expect(listsIn((await page(path)).html)).toEqual([])
    },
  )
})

describe("the address in the plugin's namespace", () => {
  const alias = 'shop/wp-json/tribe/events/v1'
  const readAlternates = async (path: string, aliases = alias) => {
    const { html } = await page(path, { vars: { NAMESPACE_ALIASES: aliases } })
    const links = [...html.matchAll(/<link rel="alternate" href="([^"]*)">/g)].map(([, href = '']) => href)
    return { links, isMarked: /<body class="tribe-events-[^"]*"/.test(html) }
  }

  it.each([
    ['/events/', ''],
    ['/events/2027-01/', ''],
    ['/venues/', ''],
    ['/events/category/music/', 'events/?categories=music'],
    ['/events/?categories=music', 'events/?categories=music'],
    ['/tag/jazz/', 'events/?tags=jazz'],
    ['/events/2027-W02/?tags=jazz', 'events/?tags=jazz'],
    ['/venue/the-hall/', () => `venues/${hall.id}`],
    ['/organizer/the-guild/', () => `organizers/${guild.id}`],
    ['/event/rock-roll/', () => `events/${single.id}`],
  ] as const)('is that of what the page shows: %s', async (path, rest) => {
    const expected = typeof rest === 'string' ? rest : rest()
    expect(await readAlternates(path)).toEqual({
      links: [`${SITE}/${alias}/${expected}`],
      isMarked: true,
    })
  })

  it('is in no page without that namespace', async () => {
    for (const aliases of ['', 'old/v1'])
      expect(await readAlternates('/events/', aliases), aliases).toEqual({ links: [], isMarked: false })
  })
})
