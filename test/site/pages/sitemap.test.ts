import { beforeAll, describe, expect, it } from 'vitest'
import {
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeVenue,
  query,
  SITE,
} from '../../factories.ts'
import { page } from './page.ts'

const admin = declareUser('administrator', 'admin')

beforeAll(async () => {
  const music = await makeCategory(admin, 'Music')
  const folk = await makeCategory(admin, 'Folk', { parent: music.id })
  await makeCategory(admin, 'Unused')
  await makeVenue(admin, 'Düsseldorf & 東京')
  await makeOrganizer(admin, 'Guild')
  await makeEvent(admin, { title: 'Shown', categories: [folk.id], tags: ['Outdoor'] })
  await makeEvent(admin, { title: 'Draft', status: 'draft' })
  await makeEvent(admin, { title: 'Hidden', hide_from_listings: true })
})

const addresses = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc)

describe('the sitemap', () => {
  it('has everything that is public, with the time of its last change', async () => {
    const { status, headers, html } = await page('/sitemap.xml')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    const all = addresses(html)
    for (const path of [
      'events/',
      'event/shown/',
      'organizer/guild/',
      'events/category/music/',
      'events/category/music/folk/',
      'tag/outdoor/',
    ])
      expect(all).toContain(`${SITE}/${path}`)
    expect(all.some(address => address.includes('%E6%9D%B1'))).toBe(true)
    expect(html).not.toMatch(/draft|hidden|unused/)
    expect(html).toMatch(
      /<loc>[^<]*\/event\/shown\/<\/loc><lastmod>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ<\/lastmod>/,
    )
    for (const address of all) expect((await page(address)).status, address).toBe(200)
  })

  it('has addresses below SITE_URL', async () => {
    const { html } = await page('/sitemap.xml', { vars: { SITE_URL: 'https://www.example.org' } })
    for (const address of addresses(html)) expect(address).toMatch(/^https:\/\/www\.example\.org\//)
    expect((await page('/robots.txt', { vars: { SITE_URL: 'https://www.example.org' } })).html).toContain(
      'Sitemap: https://www.example.org/sitemap.xml',
    )
  })

  it('of a large calendar is an index of files that contain everything once', async () => {
    const { id } = await makeEvent(admin, { title: 'Far' })
    await query('UPDATE events SET id = 12001, version = version + 1 WHERE id = ?', id)
    const index = addresses((await page('/sitemap.xml')).html)
    expect(index).toContain(`${SITE}/sitemap-events-3.xml`)
    expect(index).not.toContain(`${SITE}/sitemap-events-4.xml`)
    const all = (await Promise.all(index.map(async file => addresses((await page(file)).html)))).flat()
    expect(new Set(all).size).toBe(all.length)
    expect(all).toEqual(
      expect.arrayContaining([
        `${SITE}/event/far/`,
        `${SITE}/event/shown/`,
        `${SITE}/events/`,
        `${SITE}/tag/outdoor/`,
      ]),
    )
  })

  it.each(['/sitemap-users-1.xml', '/sitemap-events-0.xml', '/sitemap-events-99999999999999999.xml'])(
    '%s does not exist',
    async path => {
      expect((await page(path)).status).toBe(404)
    },
  )
})

it('robots.txt allows pages, but not searches', async () => {
  const { headers, html } = await page('/robots.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(html).toMatch(/^User-agent: \*\nAllow: \/\n/)
  expect(html).toContain(`Sitemap: ${SITE}/sitemap.xml`)
})
