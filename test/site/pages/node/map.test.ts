import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAsOwner, dayFromNow, declareService } from '../../../service.ts'
import { enlargeText, findings, overflows, resize } from './axe.ts'
import { closePages, onPage, openPage } from './browser.ts'

// A transparent image of one pixel.
const TILE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Answers requests for tiles, and counts them. */
async function serveTiles(page: Page): Promise<() => number> {
  let asked = 0
  await page.route('https://tiles.example.org/**', route => {
    asked++
    return route.fulfill({ contentType: 'image/gif', body: TILE })
  })
  return () => asked
}

describe('maps in a browser', { tags: ['browser'] }, () => {
  const server = declareService({
    MAP_TILES: 'https://tiles.example.org/{z}/{x}/{y}.gif',
    MAP_ATTRIBUTION: '© Mappers https://tiles.example.org/copyright',
  })
  let site: string
  afterAll(closePages)

  beforeAll(async () => {
    site = new URL(server.api).origin
    const ask = askAsOwner(server)
    for (const [title, lat] of [
      ['Concert &amp; dance', 10.001],
      ['Film', 10.001],
      ['Walk', 10.2],
    ] as const)
      await ask('POST', '/events', {
        title,
        tags: ['mapped'],
        start_date: `${dayFromNow(3)} 20:00`,
        end_date: `${dayFromNow(3)} 22:00`,
        venue: { venue: `Place at ${lat}`, geo_lat: lat, geo_lng: 20 },
      })
    for (const [lat, lng] of [
      [10.3, 19.2],
      [10, 20],
    ])
      await ask('POST', '/events', {
        title: `Corner at ${lng}`,
        tags: ['corners'],
        start_date: `${dayFromNow(3)} 20:00`,
        end_date: `${dayFromNow(3)} 22:00`,
        venue: { venue: `Corner at ${lng}`, geo_lat: lat, geo_lng: lng },
      })
    for (const [title, from, to] of [
      ['Photographs of the river', -20, 40],
      ['A morning of stories for everybody', 4, 4],
    ] as const)
      await ask('POST', '/events', {
        title,
        tags: ['beside'],
        start_date: `${dayFromNow(from)} 10:00`,
        end_date: `${dayFromNow(to)} 12:00`,
        venue: { venue: 'House', geo_lat: 10, geo_lng: 20 },
      })
  })

  it('leave room for the titles of the list, also beside what is ongoing', () =>
    onPage(`${site}/events/map/?tags=beside`, async page => {
      expect(await page.locator('.ongoing').count()).toBe(1)
      for (const width of [1600, 1280, 1024, 768, 320]) {
        await resize(page, width)
        const title = await page.locator('.event-title').first().boundingBox()
        expect(title?.width, `${width} px`).toBeGreaterThan(150)
        expect(await overflows(page)).toBe(false)
      }
    }))

  it('request no tile before a click, and then show events as points with links', () =>
    onPage(`${site}/events/map/?tags=mapped`, async page => {
      const tiles = await serveTiles(page)
      expect(await findings(page, 0)).toEqual([])
      expect(tiles()).toBe(0)
      await page.locator('.map button').focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => page.locator('.map-point').count()).toBe(2)
      await expect.poll(tiles).toBeGreaterThan(0)
      const many = page.locator('.map-point.is-many')
      expect(await many.textContent()).toBe('2')
      await many.focus()
      await page.keyboard.press('Enter')
      const links = page.locator('.leaflet-popup a[href*="/event/"]')
      await expect.poll(() => links.allTextContents()).toEqual(['Concert & dance', 'Film'])
      expect(await findings(page, 1)).toEqual([])
      await resize(page, 320)
      expect(await overflows(page)).toBe(false)
    }))

  it('have buttons as large as a finger, no point below them, and none that an edge cuts', async () => {
    const { page, close } = await openPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.goto(`${site}/events/map/?tags=corners`)
    await serveTiles(page)
    await page.locator('.map button').click()
    await expect.poll(() => page.locator('.map-point').count()).toBe(2)
    for (const button of await page.locator('.leaflet-control-zoom a').all()) {
      const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }
    expect(
      await page.evaluate<boolean[]>(`(() => {
            const area = document.querySelector('.map-area').getBoundingClientRect()
            const buttons = document.querySelector('.leaflet-control-zoom').getBoundingClientRect()
            return [...document.querySelectorAll('.map-point')].map(point => {
              const { left, top, right, bottom } = point.getBoundingClientRect()
              return left > area.left && right < area.right && top > area.top && bottom < area.bottom &&
                (left > buttons.right || top > buttons.bottom)
            })
          })()`),
    ).toEqual([true, true])
    await close()
  })

  it('have their attribution on the page of an event', () =>
    onPage(`${site}/event/walk/`, async page => {
      await serveTiles(page)
      await page.locator('.map button').click()
      await expect.poll(() => page.locator('.map-point').count()).toBe(1)
      expect(await page.locator('.map figcaption a').getAttribute('href')).toBe(
        'https://tiles.example.org/copyright',
      )
    }))

  it('of an event are printed only if they were loaded, and cards of other events never', () =>
    onPage(`${site}/event/photographs-of-the-river/`, async page => {
      await serveTiles(page)
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('.more').count()).toBe(1)
      for (const hidden of ['.map', '.more'])
        expect(await page.locator(hidden).isVisible(), hidden).toBe(false)
      await page.emulateMedia({ media: null })
      await page.locator('.map button').click()
      await expect.poll(() => page.locator('.map-point').count()).toBe(1)
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('.map').isVisible()).toBe(true)
    }))

  it('of an event are no wider than a phone, however large the text is', () =>
    onPage(`${site}/event/photographs-of-the-river/`, async page => {
      await enlargeText(page)
      await resize(page, 320)
      expect(await overflows(page)).toBe(false)
    }))

  it('of a venue are loaded by a button with another name than the link to a map elsewhere', () =>
    onPage(`${site}/venue/house/`, async page => {
      const ofMap = async (role: 'button' | 'link') =>
        page
          .locator('main')
          .getByRole(role, { name: /\bmap$/ })
          .allTextContents()
      expect([...(await ofMap('link')), ...(await ofMap('button'))]).toEqual([
        'Show on a map',
        'Load the map',
      ])
    }))

  it('are left out without scripts, where the list says the same', () =>
    onPage(
      `${site}/events/map/?tags=mapped`,
      async page => {
        expect(await page.locator('.map').isVisible()).toBe(false)
        expect(await page.locator('.event').count()).toBe(3)
      },
      { javaScriptEnabled: false },
    ))
})
