import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAsOwner, dayFromNow, declareService } from '../../../service.ts'
import { overflows } from './axe.ts'
import { closePages, onPage } from './browser.ts'

// Where things stand on the public pages, in pixels, on a desk and on a phone: what people open a page for is
// in sight, and nothing has a hole beside it.

const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

const EXHIBITIONS = ['Photographs of the river and of all its bridges', 'Ice rink', 'Kites']

describe('positions', { tags: ['browser'] }, () => {
  const server = declareService({
    SUBMISSIONS: 'on',
    MAP_TILES: 'https://tiles.example.org/{z}/{x}/{y}.png',
    MAP_ATTRIBUTION: '© Mappers',
  })
  let site: string

  beforeAll(async () => {
    site = new URL(server.api).origin
    const ask = askAsOwner(server)
    for (const [i, title] of EXHIBITIONS.entries())
      await ask('POST', '/events', {
        title,
        tags: i === 0 ? ['runs', 'runs-alone'] : ['runs'],
        start_date: `${dayFromNow(-90 + i)} 10:00`,
        end_date: `${dayFromNow(60)} 18:00`,
        venue: {
          venue: i === 0 ? 'House of pictures' : 'Square',
          address: '1 Quay Lane',
          city: 'Kilkenny',
          phone: '+353 56 000 000',
          website: 'https://pictures.example',
          geo_lat: 52.65,
          geo_lng: -7.25,
        },
      })
    for (const [title, day] of [
      ['Concert', 2],
      ['Film', 3],
    ] as const)
      await ask('POST', '/events', {
        title,
        tags: ['runs'],
        start_date: `${dayFromNow(day)} 20:00`,
        end_date: `${dayFromNow(day)} 22:00`,
        cost: '5',
      })
  })

  afterAll(closePages)

  it('no long title makes a row of cards high, and none hides its badges', async () => {
    await askAsOwner(server)('POST', '/events', {
      title:
        'An evening of songs and stories from both sides of the river, with tea, cake and a raffle '.repeat(
          2,
        ),
      tags: ['long'],
      start_date: `${dayFromNow(2)} 19:00`,
      end_date: `${dayFromNow(2)} 22:00`,
      ticket_availability: 'sold_out',
      venue: { venue: 'The house of culture in the old stables of the brewery by the river' },
    })
    for (const on of [onDesk, onPhone])
      await on('/events/?search=xylophone&tags=long', async page => {
        const card = await box(page, '.event-card')
        const badge = await box(page, '.event-card .badge')
        expect(card.height).toBeGreaterThan(140)
        expect(card.height).toBeLessThan(320)
        expect([badge.height > 10, badge.y + badge.height < card.y + card.height]).toEqual([true, true])
      })
  })

  it.each([768, 1023])('the head of a week or month is one row: %i px', async width => {
    await onPage(
      `${site}/events/week/`,
      async page => {
        for (const path of ['/events/week/', '/events/month/', `/events/${dayFromNow(70).slice(0, 7)}/`]) {
          await page.goto(site + path)
          const title = await box(page, '.page-head h1')
          const subscribe = await box(page, '.page-head > .menu-button')
          expect(subscribe.y, path).toBeLessThan(title.y + title.height)
          expect(subscribe.x, path).toBeGreaterThan(width * 0.85)
          expect(await overflows(page), path).toBe(false)
        }
      },
      { viewport: { width, height: 900 } },
    )
  })

  it('a long name leaves the menu its line', async () => {
    const ask = askAsOwner(server)
    await ask('PATCH', '/settings', {
      name: 'Veranstaltungskalender Oberammergau-Unterdingharting',
      language: 'de',
    })
    // Pages follow settings with a delay.
    await onDesk('/venues/', async page => {
      await expect
        .poll(
          async () => {
            await page.reload()
            return (await page.locator('.site-name').textContent())?.includes('Oberammergau')
          },
          { timeout: 20_000 },
        )
        .toBe(true)
      expect((await box(page, '.menu')).height).toBeLessThan(50)
      expect(await overflows(page)).toBe(false)
    })
    await ask('PATCH', '/settings', { name: 'Events', language: 'en' })
  })

  it('the icon of the menu stays in its place while events are kept', () =>
    onPhone('/events/?tags=runs', async page => {
      const heart = page.locator('.heart').first()
      await heart.waitFor()
      const before = await box(page, '.site-menu > summary .icon')
      await heart.click()
      const count = await box(page, '.site-menu .pick-count')
      expect(count.width).toBeGreaterThan(16)
      expect(await box(page, '.site-menu > summary .icon')).toEqual(before)
      await heart.click()
    }))

  it('a printed week strikes through what is cancelled', async () => {
    const day = dayFromNow(7)
    await askAsOwner(server)('POST', '/events', {
      title: 'Parade',
      event_status: 'canceled',
      start_date: `${day} 19:00`,
      end_date: `${day} 20:00`,
    })
    await onDesk(`/events/week/?date=${day}`, async page => {
      // On some days, the event is where an earlier test has clicked, and links are underlined under the
      // mouse.
      await page.mouse.move(0, 0)
      await page.emulateMedia({ media: 'print' })
      expect(
        await page.evaluate(
          `getComputedStyle(document.querySelector('.week .is-off .event-title a')).textDecorationLine`,
        ),
      ).toBe('line-through')
    })
  })

  const onDesk = async (path: string, act: (page: Page) => Promise<unknown>): Promise<void> => {
    await onPage(site + path, act, { viewport: DESK })
  }
  const onPhone = async (path: string, act: (page: Page) => Promise<unknown>): Promise<void> => {
    await onPage(site + path, act, { viewport: PHONE })
  }

  const box = async (page: Page, selector: string) => {
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await page.locator(selector).filter({ visible: true }).first().boundingBox()) ?? {}
    return { x, y, width, height }
  }

  it('an event without picture and text has its facts right below its title', async () => {
    const expectFactsBelowTitle = (most: number) => async (page: Page) => {
      expect(await page.locator('.single-image, .single .tile').count()).toBe(0)
      expect((await box(page, '.facts-main .fact')).y).toBeLessThanOrEqual(most)
      expect(await overflows(page)).toBe(false)
    }
    await onDesk('/event/concert/', async page => {
      await expectFactsBelowTitle(260)(page)
      const facts = await page.locator('.facts-main .fact').all()
      const tops = await Promise.all(facts.map(async fact => (await fact.boundingBox())?.y))
      // In a row.
      expect([facts.length > 1, new Set(tops).size]).toEqual([true, 1])
    })
    await onPhone('/event/concert/', expectFactsBelowTitle(200))
  })

  it('a venue has its events on the first screen, and its map beside its address', async () => {
    await onDesk('/venue/house-of-pictures/', async page => {
      const map = await box(page, '.map')
      const text = await box(page, '.resource-text')
      expect(map.x).toBeGreaterThan(text.x + 300)
      expect((await box(page, '.map-area')).height).toBeLessThanOrEqual(180)
      expect((await box(page, '.event')).y).toBeLessThanOrEqual(560)
    })
    await onPhone('/venue/house-of-pictures/', async page => {
      expect((await box(page, '.event')).y).toBeLessThanOrEqual(640)
      expect(await overflows(page)).toBe(false)
    })
  })

  describe('what runs for months', () => {
    it.each([
      '/events/?tags=runs-alone',
      '/events/today/?tags=runs-alone',
      `/events/${dayFromNow(5)}/?tags=runs-alone`,
      '/venue/house-of-pictures/',
    ])('stands in rows over the full width where nothing else does: %s', path =>
      onDesk(path, async page => {
        expect(await page.locator('.has-ongoing, section.ongoing').count()).toBe(0)
        expect((await box(page, '.event')).width).toBeGreaterThan(1000)
      }),
    )

    it('has room for its titles beside the days, and on phones a line each, before the days to come', async () => {
      const WIDTHS = `[...document.querySelectorAll('.ongoing h3')].map(e => e.parentElement.getBoundingClientRect().width)`
      for (const path of ['/events/?tags=runs', '/events/today/?tags=runs']) {
        await onDesk(path, async page => {
          await page.locator('.ongoing .heart').first().waitFor()
          expect(Math.min(...(await page.evaluate<number[]>(WIDTHS))), path).toBeGreaterThanOrEqual(170)
          const row = await box(page, '.agenda .event')
          const aside = await box(page, '.ongoing > div')
          expect(Math.abs(row.y - aside.y), path).toBeLessThan(60)
        })
        await onPhone(path, async page => {
          await page.locator('.ongoing .heart').first().waitFor()
          expect(Math.min(...(await page.evaluate<number[]>(WIDTHS))), path).toBeGreaterThanOrEqual(240)
          const next = await page.locator('.next-up').boundingBox()
          const runs = await box(page, '.ongoing li')
          const begins = await box(page, '.event')
          expect(next?.y, path).toBeLessThan(runs.y)
          expect(runs.y, path).toBeLessThan(begins.y)
          expect(await overflows(page), path).toBe(false)
        })
      }
    })

    it('leaves rows of other days a heading of their own', () =>
      onDesk('/events/today/?tags=runs', async page => {
        const heading = await page.locator('h2').filter({ hasText: 'Afterwards' }).boundingBox()
        expect(heading?.y).toBeLessThan((await box(page, '.agenda .event')).y)
        expect(heading?.y).toBeGreaterThan((await box(page, '.feature')).y)
      }))
  })
})
