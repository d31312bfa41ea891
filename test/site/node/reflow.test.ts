import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/lib/languages.ts'
import { type Service, startService } from '../../service.ts'
import { CHROMIUM, closePages, hasBrowser, launch, onPage } from './browser.ts'

// The pages on a phone, in every language: nothing is wider than the screen, and events come first.

const PATHS = [
  '/events/',
  '/events/?page=2',
  '/events/?past=1',
  '/events/month/',
  '/events/today/',
  '/event/weekend-of-fiddles/',
  '/venue/nore-meadow/',
  '/events/category/music/',
  '/venues/',
  '/embed',
  '/nowhere',
]

const WIDTH = 320

describe.skipIf(!hasBrowser).each(LANGUAGES)(`on a phone, in %s (needs ${CHROMIUM})`, language => {
  let server: Service
  let browser: Browser
  let site: string

  beforeAll(async () => {
    server = await startService({ LANGUAGE: language })
    site = new URL(server.api).origin
    browser = await launch()
  })

  afterAll(async () => {
    await closePages(browser)
    await server?.stop()
  })

  const phone = { viewport: { width: WIDTH, height: 640 } }

  it('no page is wider than the screen, whatever is open', async () => {
    const wide: string[] = []
    await onPage(
      browser,
      `${site}/events/`,
      async page => {
        for (const path of PATHS) {
          await page.goto(site + path)
          for (const state of ['closed', 'open']) {
            const width = await page.evaluate<number>('document.documentElement.scrollWidth')
            if (width > WIDTH) wide.push(`${path} ${state} ${width}`)
            await page.evaluate("for (const e of document.querySelectorAll('details')) e.open = true")
          }
        }
      },
      phone,
    )
    expect(wide).toEqual([])
  })

  it('the first event begins on the first screen, and the form is in one line that opens', async () => {
    await onPage(
      browser,
      `${site}/events/`,
      async page => {
        const top = await page.locator('.event').first().boundingBox()
        expect(top?.y).toBeLessThan(560)
        expect(await page.locator('#find-search').isVisible()).toBe(false)
        await page.locator('.fold summary').click()
        expect(await page.locator('#find-search').isVisible()).toBe(true)
      },
      { ...phone, javaScriptEnabled: false },
    )
  })
})

describe.skipIf(!hasBrowser)('a calendar with all kinds of texts', () => {
  let server: Service
  let browser: Browser
  let site: string

  beforeAll(async () => {
    server = await startService()
    site = new URL(server.api).origin
    browser = await launch()
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const { status } = await fetch(`${server.api}/events`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`admin:${server.password}`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        title: 'أمسية شعرية في المكتبة',
        excerpt: 'قصائد من الشرق والغرب.',
        slug: 'poems',
        start_date: `${day} 20:00`,
        end_date: `${day} 21:00`,
      }),
    })
    expect(status).toBe(201)
  })

  afterAll(async () => {
    await closePages(browser)
    await server?.stop()
  })

  /** The distance of a text's first line from the right edge of its box. */
  const FROM_RIGHT = `(() => {
    const range = document.createRange()
    return selector => {
      const box = [...document.querySelectorAll(selector)].find(e => /[\u0600-\u06ff]/.test(e.textContent))
      range.selectNodeContents(box.querySelector('a')?.firstChild ?? box)
      const text = [...range.getClientRects()].filter(({ width }) => width > 2)
      return box.getBoundingClientRect().right - Math.max(...text.map(({ right }) => right))
    }
  })()`

  it.each([
    ['/event/poems/', 'h1'],
    ['/events/', '.event-title'],
    ['/events/', '.event-excerpt'],
  ])('Arabic is flush right on %s: %s', async (path, selector) => {
    await onPage(browser, site + path, async page => {
      const distance = await page.evaluate<number>(`${FROM_RIGHT}(${JSON.stringify(selector)})`)
      expect(Math.abs(distance)).toBeLessThan(3)
    })
  })

  it('a month begins today on a phone, and the days before it are a link away', async () => {
    await onPage(
      browser,
      `${site}/events/month/`,
      async page => {
        expect(await page.locator('td.is-past:not(.is-empty, .is-other)').count()).toBe(
          await page.locator('td.is-past:not(.is-empty, .is-other)').filter({ visible: false }).count(),
        )
        await page.goto(`${site}/events/month/#month`)
        const past = page.locator('td.is-past:not(.is-empty, .is-other, .is-bare)')
        expect(await past.filter({ visible: false }).count()).toBe(0)
      },
      { viewport: { width: 390, height: 800 }, javaScriptEnabled: false },
    )
  })

  it('the menu to subscribe opens without scripts, and copies with them', async () => {
    for (const javaScriptEnabled of [true, false])
      await onPage(
        browser,
        `${site}/events/`,
        async page => {
          await page.getByText('Subscribe').first().click()
          expect(await page.getByRole('link', { name: 'Apple Calendar' }).isVisible()).toBe(true)
          const copies = page.getByRole('button', { name: 'Copy address' })
          expect(await copies.count()).toBe(javaScriptEnabled ? 1 : 0)
        },
        { javaScriptEnabled },
      )
  })
})
