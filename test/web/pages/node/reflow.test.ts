import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/words/languages.ts'
import { askAsOwner, dayFromNow, type Service, startService } from '../../../service.ts'
import { closePages, onPage } from './browser.ts'

// The pages on a phone, in every language: nothing is wider than the screen, and events come first. And what people write.

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
  '/calendar/events/v1/events/digest.html?days=31',
  '/nowhere',
]

const WIDTH = 320

describe('a calendar', { tags: ['browser'] }, () => {
  let server: Service
  let site: string

  beforeAll(async () => {
    server = await startService({ FOOTER_TEXT: 'Veranstaltungskalender'.repeat(5) })
    site = new URL(server.api).origin
    const day = dayFromNow(1)
    await askAsOwner(server)('POST', '/events', {
      title: 'أمسية شعرية في المكتبة',
      excerpt: 'قصائد من الشرق والغرب.',
      slug: 'poems',
      start_date: `${day} 20:00`,
      end_date: `${day} 21:00`,
    })
  })

  afterAll(async () => {
    await closePages()
    await server?.stop()
  })

  const phone = { viewport: { width: WIDTH, height: 640 } }

  describe.each(LANGUAGES)('in %s', language => {
    const speak = (tag: string) => askAsOwner(server)('PATCH', '/settings', { language: tag })
    beforeAll(() => speak(language))
    afterAll(() => speak('en'))

    it('no page is wider than the screen of a phone, whatever is open', async () => {
      const wide: string[] = []
      await onPage(
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

    it('the first event begins on the first screen of a phone, and the form is in one line that opens', async () => {
      await onPage(
        `${site}/events/`,
        async page => {
          expect(await page.getAttribute('html', 'lang')).toBe(language)
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
    await onPage(site + path, async page => {
      const distance = await page.evaluate<number>(`${FROM_RIGHT}(${JSON.stringify(selector)})`)
      expect(Math.abs(distance)).toBeLessThan(3)
    })
  })

  it('a month begins today on a phone, and the days before it are a link away', async () => {
    await onPage(
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
