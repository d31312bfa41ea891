import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/kit/lib/languages.ts'
import { addMonths } from '../../../../src/kit/lib/time.ts'
import { mailBody } from '../../../../src/kit/work/mail.ts'
import { askAsOwner, dayFromNow, declareService, type Service } from '../../../service.ts'
import { enlargeText, findings, findingsOfWords, overflows, resize } from './axe.ts'
import { closePages, onPage, openPage } from './browser.ts'

// The pages of the sample calendar in a browser: on phones and desks, in all languages, light and dark, by
// keyboard, on paper, with scripts and without.

/** Every kind of page of the sample calendar. */
const PAGES = {
  list: '/events/',
  'the next page of a list': '/events/?page=2',
  'a list with filters': '/events/?search=session&tags=beginners',
  'a search with a name': '/events/?search=weir',
  'an empty list': '/events/?search=xylophone',
  'past events': '/events/?past=1',
  month: '/events/month/',
  // The sample has events of several days in that month.
  'the next month': `/events/${addMonths(`${new Date().toISOString().slice(0, 10)} 00:00:00`, 1).slice(0, 7)}/`,
  'an empty month': '/events/2194-05/',
  week: '/events/week/',
  'an empty week': '/events/2194-W20/',
  day: '/events/today/',
  event: '/event/weekend-of-fiddles/',
  programme: '/event/river-festival/',
  'a part of a programme': '/event/opening-concert/',
  'an event elsewhere': '/event/live-from-lunenburg-fiddle-tunes-across-the-water/',
  venue: '/venue/nore-meadow/',
  organizer: '/organizer/noreside-sessions/',
  category: '/events/category/music/',
  tag: '/tag/outdoors/',
  venues: '/venues/',
  organizers: '/organizers/',
  imprint: '/imprint/',
  'privacy policy': '/privacy/',
  embed: '/embed?theme=dark',
  'a frame': '/embed/frame?limit=6&theme=light',
  'a month in a frame': '/embed/frame?display=month&theme=dark',
  'a digest for mail': '/calendar/events/v1/events/digest.html?days=31',
  'a missing page': '/nowhere',
} as const

/** The pages that are tested on a phone in the other languages. */
const ON_PHONES = [
  PAGES.list,
  PAGES['the next page of a list'],
  PAGES['past events'],
  PAGES.month,
  PAGES.day,
  PAGES.event,
  PAGES.venue,
  PAGES.category,
  PAGES.venues,
  PAGES.imprint,
  '/embed',
  PAGES['a digest for mail'],
  PAGES['a missing page'],
]

const PHONE = { width: 320, height: 640 }

const DESK = { width: 1280, height: 900 }

/**
 * The first screen of the list in pixels: the lowest place at which its first event may begin, without a
 * header image and with one, and the least number of categories that are whole.
 */
const FIRST_SCREEN = [
  { viewport: DESK, lowest: 220, lowestBelowImage: 260, chips: 4 },
  { viewport: { width: 360, height: 740 }, lowest: 240, lowestBelowImage: 240, chips: 2 },
] as const

/** The highest header, in pixels. */
const HIGHEST = 96

/** The numbers of chips of the bar that are whole, cut off, and under “More”, and whether that is there. */
const BAR_CHIPS = `(() => {
  const strip = document.querySelector('.strip')
  const room = strip.getBoundingClientRect()
  const ends = [...strip.querySelectorAll('li .chip')].map(chip => chip.getBoundingClientRect())
  const whole = ends.filter(box => box.left >= room.left && box.right <= room.right && box.bottom <= room.bottom).length
  const under = ends.filter(box => box.top >= room.bottom).length
  const days = document.querySelector('.quick')
  return { whole, under, cut: ends.length - whole - under, hasMore: strip.querySelector('summary').checkVisibility(), daysOver: days.scrollWidth - days.clientWidth }
})()`

type BarChips = { whole: number; under: number; cut: number; hasMore: boolean; daysOver: number }

/**
 * What the cells of a month leave out: how many events, and the days of which all hidden ones would fit into
 * the white below what is shown. An event that begins at a time takes at least 41 pixels, with the space
 * above it; a bar takes less, but the page doesn't say which kind is hidden.
 */
const HIDDEN = `(() => {
  const cells = [...document.querySelectorAll('.cell:has(.day-more)')].map(cell => {
    const inner = cell.getBoundingClientRect().bottom - parseFloat(getComputedStyle(cell).paddingBottom)
    const shown = [...cell.querySelectorAll('li')].at(-1).getBoundingClientRect()
    const n = parseInt(cell.querySelector('.day-more').textContent)
    return { day: cell.querySelector('.cell-day').textContent.trim(), n, white: inner - shown.bottom }
  })
  // An event above a bar is cut to a line.
  const cut = [...document.querySelectorAll('.cell-event:not(.is-long):has(~ .is-long)')].map(e => e.textContent.trim())
  return { hidden: cells.reduce((sum, { n }) => sum + n, 0), fitting: cells.filter(({ n, white }) => white >= n * 41), cut }
})()`

type Hidden = { hidden: number; fitting: unknown[]; cut: string[] }

/** Gives all categories a long name. */
const LONG_NAMES = `for (const e of document.querySelectorAll('.strip .chip > span')) e.textContent = 'Kinder- und Jugendtheater'`

/**
 * The numbers of rows that are wholly on the screen where nothing is featured: with images, and without any.
 */
const WHOLE_ROWS = `(() => {
  const count = () => [...document.querySelectorAll('.event')].filter(e => e.getBoundingClientRect().bottom <= innerHeight).length
  const removed = selector => { for (const e of document.querySelectorAll(selector)) e.remove() }
  removed('.features')
  const withImages = count()
  removed('.event-image')
  return [withImages, count()]
})()`

/** Makes an event with a programme of two days. */
async function makeProgramme(service: Service): Promise<void> {
  const ask = askAsOwner(service)
  const first = dayFromNow(9)
  const second = dayFromNow(10)
  const { id } = await ask<{ id: number }>('POST', '/events', {
    title: 'River festival',
    all_day: true,
    start_date: first,
    end_date: second,
    venue: { venue: 'Nore Meadow' },
  })
  for (const [title, start, venue, more] of [
    ['Opening concert', `${first} 19:30`, 'The Great Hall', { ticket_availability: 'few' }],
    ['Fiddle workshop', `${second} 10:00`, 'Small Stage', {}],
    ['Round table: who owns a tune?', `${second} 10:00`, 'The Great Hall', { event_status: 'canceled' }],
    ['Farewell', `${second} 20:00`, 'Nore Meadow', { hide_from_listings: true }],
  ] as const)
    await ask('POST', '/events', {
      title,
      start_date: start,
      end_date: start,
      venue: { venue },
      post_parent: id,
      ...more,
    })
}

/** Replaces texts that people have written by one long word each. */
const LONG_WORDS = `for (const e of document.querySelectorAll('h1, .page-head > h2, :is(h2, h3, .line, .cell-event, .trail, .back) > a, dd:not(:has(*)), .rich p, .event-place, .event-excerpt, .event-notes li, .chip'))
  e.textContent = 'Donaudampfschiff'.repeat(20)`

/** True if a page is wider than the screen while all menus and folds are open. */
const overflowsOpen = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const closed = [...document.querySelectorAll('details:not([open])')]
    for (const e of closed) e.open = true
    const { scrollWidth, clientWidth } = document.documentElement
    for (const e of closed) e.open = false
    return scrollWidth > clientWidth
  })()`)

/** A phone shows the first event at once, and the form to find others in one line that opens. */
async function expectFirstEvent(page: Page): Promise<void> {
  const top = await page.locator('.feature, .event').first().boundingBox()
  expect(top?.y).toBeLessThan(240)
  expect(await page.locator('#find-search').isVisible()).toBe(false)
  await page.locator('.bar-filter summary').click()
  expect(await page.locator('#find-search').isVisible()).toBe(true)
}

/** Taps on a target, and counts. */
type Tap = (target: Locator) => Promise<void>

const focused = (page: Page, property: string): Promise<string> =>
  page.evaluate<string>(`document.activeElement?.${property}`)

describe('the public pages in a browser', { tags: ['browser'] }, () => {
  const server = declareService({ SUBMISSIONS: 'on', FOOTER_TEXT: 'Veranstaltungskalender'.repeat(5) })
  let site: string

  beforeAll(async () => {
    site = new URL(server.api).origin
    await makeProgramme(server)
    await askAsOwner(server)('PATCH', '/settings', {
      imprint_text:
        '<h2>Responsible</h2><p>Noreside Arts, 1 Quay Lane</p><table><tr><td>Phone</td><td>056 123</td></tr></table>',
      privacy_text:
        '<h2>What is stored</h2><ul><li>Nothing about visitors</li></ul><p><a href="/events/">Events</a></p>',
    })
    const day = dayFromNow(1)
    await askAsOwner(server)('POST', '/events', {
      title: 'أمسية شعرية في المكتبة',
      excerpt: 'قصائد من الشرق والغرب.',
      slug: 'poems',
      start_date: `${day} 20:00`,
      end_date: `${day} 21:00`,
    })
  })

  afterAll(closePages)

  /** Sets the header image: any image of an event. */
  async function setHeader(isSet: boolean): Promise<void> {
    const ask = askAsOwner(server)
    const { events } = await ask<{ events: { image: { id: number } | false }[] }>(
      'GET',
      '/events?per_page=50',
    )
    const image = events.map(({ image }) => image).find(image => image !== false)
    if (!image) throw new Error('No event of the sample has an image')
    await ask('PATCH', '/settings', { header_image: isSet ? image.id : 0 })
  }

  async function expectFirstScreen({
    viewport,
    lowest,
    chips,
  }: {
    viewport: { width: number; height: number }
    lowest: number
    chips: number
  }) {
    await onPage(
      `${site}/events/`,
      async page => {
        const header = await page.locator('.masthead').boundingBox()
        expect(header?.height).toBeLessThanOrEqual(HIGHEST)
        const first = await page.locator('.feature, .event').first().boundingBox()
        expect(first?.y).toBeLessThan(lowest)
        expect((await page.evaluate<BarChips>(BAR_CHIPS)).whole).toBeGreaterThanOrEqual(chips)
        if (viewport === DESK) {
          const [withImages = 0, without = 0] = await page.evaluate<number[]>(WHOLE_ROWS)
          expect(withImages).toBeGreaterThanOrEqual(4)
          expect(without).toBeGreaterThanOrEqual(6)
        }
      },
      { viewport },
    )
  }

  async function expectFirstScreens(): Promise<void> {
    for (const { viewport, lowest, lowestBelowImage, chips } of FIRST_SCREEN) {
      await expectFirstScreen({ viewport, lowest, chips })
      await setHeader(true)
      await expectFirstScreen({ viewport, lowest: lowestBelowImage, chips })
      await setHeader(false)
    }
  }

  /**
   * This month begins with this week. On phones, days have three events; in columns, today is shaded, and its
   * number is large.
   */
  async function expectMonthAndWeek(): Promise<void> {
    const most = (selector: string, items: string) =>
      `Math.max(...[...document.querySelectorAll('${selector}')].map(day => [...day.querySelectorAll('${items}')].filter(e => e.checkVisibility()).length))`
    await onPage(
      `${site}/events/month/`,
      async page => {
        expect(await page.locator('.month tbody tr').count()).toBe(5)
        expect(await page.evaluate(`getComputedStyle(document.querySelector('.cell-title')).hyphens`)).toBe(
          'auto',
        )
        expect(await page.locator('.month tbody tr:first-child .is-today').count()).toBe(1)
        expect(await page.evaluate<number>(most('.month-list section[id]', 'li'))).toBeLessThanOrEqual(3)
        await page.goto(`${site}/events/week/`)
        await page.goto(site + (await page.locator('a[rel="next"]').first().getAttribute('href')))
        // In one line, and so high as a finger.
        expect((await page.locator('.pager-today').boundingBox())?.height).toBeLessThanOrEqual(46)
        await page.evaluate(`(() => {
          const row = document.querySelector('.week .event')
          for (let n = 0; n < 5; n++) row.after(row.cloneNode(true))
        })()`)
        expect(await page.evaluate<number>(most('.week-day', '.event'))).toBe(3)
        await page.setViewportSize(DESK)
        await page.goto(`${site}/events/week/`)
        const [today, other, ...sizes] = await page.evaluate<string[]>(`(() => {
          const styleOf = selector => getComputedStyle(document.querySelector(selector))
          return [
            styleOf('.week-day.is-today').backgroundColor,
            styleOf('.week-day:not(.is-today)').backgroundColor,
            styleOf('.day-number b').fontSize,
            styleOf('.day-number').fontSize,
          ]
        })()`)
        expect(today).not.toBe(other)
        expect(await page.evaluate(`getComputedStyle(document.querySelector('.event-title')).hyphens`)).toBe(
          'auto',
        )
        expect(Number.parseFloat(sizes[0] ?? '')).toBeGreaterThan(1.5 * Number.parseFloat(sizes[1] ?? ''))
        expect((await page.locator('.throughout').boundingBox())?.height).toBeLessThan(60)
      },
      { viewport: { width: 360, height: 740 } },
    )
  }

  /** The address of the page for remarks on an event. */
  async function remarkPath(): Promise<string> {
    const event = await (await fetch(site + PAGES.programme)).text()
    const [, path] = /href="(\/submit\/about\/\d+\/)"/.exec(event) ?? []
    if (!path) throw new Error('The page of the programme has no link for remarks')
    return path
  }

  it.each(
    Object.entries({ ...PAGES, remark: remarkPath }).map(([name, path], turn) => ({ name, path, turn })),
  )(
    '$name has no findings, light and dark, wide and narrow, whatever is open, however long words are',
    async ({ name, path, turn }) => {
      const address = site + (typeof path === 'string' ? path : await path())
      const complaints = await onPage(address, async page => {
        if (name === 'embed') await page.waitForSelector('event-calendar .embed')
        expect(await findings(page, turn)).toEqual([])
        await resize(page, PHONE.width)
        expect(await overflowsOpen(page)).toBe(false)
        await page.evaluate(LONG_WORDS)
        for (const width of [PHONE.width, 640, 768, 1280]) {
          await resize(page, width)
          expect(await overflows(page), `${width} px`).toBe(false)
        }
      })
      // The browser reports the 404 itself.
      expect(complaints).toEqual(name === 'a missing page' ? [expect.stringContaining('404')] : [])
    },
  )

  it('a phone shows the first event at once, and the form in one line that opens without scripts', async () => {
    const options = { viewport: PHONE, javaScriptEnabled: false }
    await onPage(`${site}/events/`, expectFirstEvent, options)
  })

  it.each([
    {
      what: 'what is on tonight',
      most: 2,
      find: async (page: Page, tap: Tap) => {
        await tap(page.locator('.quick').getByText('Today', { exact: true }))
        expect(await page.locator('h1').textContent()).toBe('Today')
      },
    },
    ...['wier theatr', 'weir', 'weir the'].map(typed => ({
      what: `the theatre as «${typed}»`,
      most: 2,
      find: async (page: Page, tap: Tap) => {
        await tap(page.locator('.bar-filter summary'))
        await page.locator('#find-search').fill(typed)
        await page.locator('#find-search').press('Enter')
        await tap(page.locator('.hits a').first())
        await page.waitForURL('**/venue/the-weir-theatre/')
      },
    })),
    {
      what: 'the Saturday of the festival',
      most: 3,
      find: async (page: Page, tap: Tap) => {
        await tap(page.locator('.bar-filter summary'))
        await page.locator('#find-search').fill('fiddles')
        await page.locator('#find-search').press('Enter')
        await tap(page.locator('.event-title').getByRole('link', { name: 'Weekend of Fiddles' }).first())
        await page.locator('.programme h3', { hasText: 'Saturday' }).waitFor()
        await page.locator('.timetable .parts a', { hasText: 'Dance with a Caller' }).waitFor()
      },
    },
    {
      what: 'something free for children next week',
      most: 5,
      find: async (page: Page, tap: Tap) => {
        await tap(page.locator('.dates-menu summary'))
        await tap(page.locator('.dates-menu').getByText('Next week'))
        await tap(page.locator('.strip').getByText('Children', { exact: true }))
        await tap(page.locator('.strip summary'))
        await tap(page.locator('.strip').getByText('Free', { exact: true }))
        await page.waitForURL(/categor.*is_free=true/)
        expect(await page.locator('.event .badge-good').count()).toBeGreaterThan(0)
      },
    },
  ])('a visitor with a phone finds $what with at most $most taps', async ({ most, find }) => {
    await onPage(
      `${site}/events/`,
      async page => {
        let taps = 0
        await find(page, target => {
          taps++
          return target.click()
        })
        expect(taps).toBeLessThanOrEqual(most)
      },
      { viewport: { width: 360, height: 740 }, javaScriptEnabled: false },
    )
  })

  it('a row with a time in another zone is no higher than others', async () => {
    await onPage(`${site}/events/?search=lunenburg`, async page => {
      expect((await page.locator('.event').boundingBox())?.height).toBeLessThan(100)
    })
  })

  it('the first screen has the first event, whole categories and enough events', expectFirstScreens)

  it('months begin with this week, and days of phones have three events', expectMonthAndWeek)

  it.each([1280, 768])(
    'a month names what lasts through it once, and hides only what has no room: %i px',
    async width => {
      await onPage(
        `${site}/events/month/`,
        async page => {
          const line = await page.locator('.throughout').boundingBox()
          const table = await page.locator('.month').boundingBox()
          expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(table?.y ?? 0)
          expect(await page.locator('.month').getByText('Kites over Kilkenny').count()).toBe(0)
          const { hidden, fitting, cut } = await page.evaluate<Hidden>(HIDDEN)
          expect([fitting, cut]).toEqual([[], []])
          expect(hidden).toBeLessThanOrEqual(10)
        },
        { viewport: { width, height: 900 } },
      )
    },
  )

  it('a month of festivals, exhibitions and up to nine events a day hides only what has no room', async () => {
    const ask = askAsOwner(server)
    const day = (n: number): string => `2031-03-${String(n).padStart(2, '0')}`
    const titles = [
      'Jazz',
      'An Evening with the Quiet Orchestra',
      'Donaudampfschifffahrtsgesellschaft',
    ] as const
    const events: object[] = []
    for (let n = 1; n <= 31; n++)
      for (let i = 0; i < (n * n) % 10; i++)
        events.push({
          title: `${titles[(n + i) % 3]} ${i}`,
          start_date: `${day(n)} ${10 + i}:00`,
          end_date: `${day(n)} ${10 + i}:30`,
          ...(i % 4 === 3 && { ticket_availability: 'sold_out' }),
        })
    for (let n = 0; n < 14; n++)
      events.push({
        title: `Show ${n}`,
        all_day: true,
        start_date: day(1 + ((n * 5) % 20)),
        end_date: day(Math.min(31, 3 + ((n * 5) % 20) + ((n * 7) % 19))),
      })
    for (const event of events) await ask('POST', '/events', event)
    for (const width of [1280, 768])
      await onPage(
        `${site}/events/2031-03/`,
        async page => {
          const { hidden, fitting } = await page.evaluate<Hidden>(HIDDEN)
          expect(fitting).toEqual([])
          expect(hidden).toBeGreaterThan(0)
        },
        { viewport: { width, height: 900 } },
      )
  })

  it('a chosen category is in sight, and one with the focus is whole', async () => {
    await onPage(
      `${site}/events/?is_free=1`,
      async page => {
        const chosen = await page.locator('.strip [aria-current]').boundingBox()
        expect(chosen?.x).toBeLessThan(40)
        const isFocused = () =>
          page.evaluate<boolean>(`document.activeElement.matches('.strip li:last-child .chip')`)
        await page.locator('.dates-menu summary').focus()
        for (let turn = 0; turn < 20 && !(await isFocused()); turn++) {
          await page.keyboard.press('Tab')
          const isCovered = await page.evaluate<boolean>(`(() => {
            const [box, room] = [document.activeElement, document.querySelector('.strip')].map(e => e.getBoundingClientRect())
            return document.activeElement.matches('.strip .chip') && box.bottom > room.bottom
          })()`)
          expect(isCovered).toBe(false)
        }
        expect(await isFocused()).toBe(true)
      },
      { viewport: { width: 360, height: 740 } },
    )
  })

  it.each(LANGUAGES)(
    'the bar has whole chips and a word for the display at every width: %s',
    async language => {
      await askAsOwner(server)('PATCH', '/settings', { language })
      await onPage(`${site}/events/`, async page => {
        const cut: unknown[] = []
        const checkWidth = async (width: number): Promise<void> => {
          const { whole, under, cut: cutCount, hasMore, daysOver } = await page.evaluate<BarChips>(BAR_CHIPS)
          if (cutCount > 0 || whole === 0 || hasMore !== under > 0 || daysOver > 0)
            cut.push({ width, whole, under, isCut: cutCount, hasMore, daysOver })
        }
        for (let width = 320; width <= 1600; width += 40) {
          await resize(page, width)
          await checkWidth(width)
        }
        await page.evaluate(LONG_NAMES)
        for (const width of [320, 360, 390, 768, 1024, 1280]) {
          await resize(page, width)
          await checkWidth(width)
        }
        expect(cut).toEqual([])
        await resize(page, 390)
        const display = page.locator('.displays-menu summary')
        expect((await display.innerText()).trim()).not.toBe('')
        expect(await display.locator('.icon-down').count()).toBe(1)
        const more = page.locator('.strip summary')
        await more.click()
        expect(await page.evaluate<BarChips>(BAR_CHIPS)).toMatchObject({ under: 0, cut: 0 })
        await more.click()
        await page.evaluate(`for (const e of document.querySelectorAll('.strip li + li')) e.remove()`)
        expect(await more.isVisible()).toBe(false)
      })
      await askAsOwner(server)('PATCH', '/settings', { language: 'en' })
    },
  )

  it('the image of an event is large, and nothing beside or below it leaves a hole', async () => {
    await onPage(`${site}${PAGES.event}`, async page => {
      const boxOf = (selector: string) =>
        page
          .locator(selector)
          .evaluate(e => e.getBoundingClientRect().toJSON())
          .then(({ top, bottom, width }: Record<'top' | 'bottom' | 'width', number>) => ({
            top,
            bottom,
            width,
          }))
      const image = await boxOf('.single-image')
      const facts = await boxOf('.single-facts')
      expect(image.width).toBeGreaterThanOrEqual(600)
      expect([facts.top, facts.bottom]).toEqual([image.top, image.bottom])
      expect((await boxOf('.single-side')).top).toBe((await boxOf('.single-main')).top)
      expect((await boxOf('.single-head .category')).bottom).toBeLessThanOrEqual((await boxOf('h1')).top)
      // Without a text, all else stands below the image; without an image, the text moves up.
      await page.evaluate(`document.querySelector('.single-main').remove()`)
      expect((await boxOf('.single-side')).width).toBeGreaterThan(1000)
      await page.reload()
      await page.evaluate(`document.querySelector('.single-image').remove()`)
      expect((await boxOf('.single-main')).top).toBe((await boxOf('.single-facts')).top)
    })
  })

  it('on a phone, headings of pages have two sizes, no text but that of cards is larger, and lists say how much they have', async () => {
    const sizes = new Set<number>()
    const found: unknown[] = []
    await onPage(
      site,
      async page => {
        for (const path of Object.values(PAGES)) {
          if (/embed|digest/.test(path)) continue
          await page.goto(site + path)
          const { heading, larger, count } = await page.evaluate<{
            heading: number
            larger: string[]
            count: string
          }>(`(() => {
            const sizeOf = e => parseFloat(getComputedStyle(e).fontSize)
            const heading = sizeOf(document.querySelector('h1'))
            const texts = [...document.querySelectorAll('main *, .site-name')].filter(e =>
              [...e.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && e.checkVisibility() && !e.closest('.feature, .event-card, .tile'))
            return {
              heading,
              larger: texts.filter(e => sizeOf(e) > heading).map(e => e.textContent.trim().slice(0, 40)),
              count: document.querySelector('.count')?.checkVisibility() ? document.querySelector('.count').textContent : '',
            }
          })()`)
          sizes.add(heading)
          if (larger.length > 0) found.push({ path, heading, larger })
          if (path === PAGES.list) expect(count).toMatch(/^\d+ events$/)
        }
      },
      { viewport: { width: 390, height: 844 } },
    )
    expect(found).toEqual([])
    expect(sizes.size).toBeLessThanOrEqual(2)
  })

  it('the image of an event is as high as its facts, however many these are, so that the text follows it', async () => {
    await onPage(`${site}/event/saturday-market-on-the-meadow/`, async page => {
      const distance = () =>
        page.evaluate<number>(
          `document.querySelector('.rich').getBoundingClientRect().top - document.querySelector('.single-image').getBoundingClientRect().bottom`,
        )
      expect(await distance()).toBeLessThanOrEqual(20)
      await page.evaluate(`(() => {
        const fact = document.querySelector('.facts-main .fact')
        for (let n = 0; n < 5; n++) fact.after(fact.cloneNode(true))
      })()`)
      expect(
        await page.evaluate(`document.querySelector('.single-facts').getBoundingClientRect().height`),
      ).toBeGreaterThan(450)
      expect(await distance()).toBeLessThanOrEqual(20)
    })
  })

  it('a heading stands off what follows it', async () => {
    await onPage(`${site}/events/2194-05-05/`, async page => {
      const boxOf = (selector: string) => page.locator(selector).first().boundingBox()
      const head = await boxOf('.page-head')
      expect(((await boxOf('.empty'))?.y ?? 0) - (head?.y ?? 0) - (head?.height ?? 0)).toBeGreaterThanOrEqual(
        12,
      )
    })
  })

  it('the form of visitors fits on phones whose letters are larger', async () => {
    await onPage(`${site}/submit/`, async page => {
      const session = await page.context().newCDPSession(page)
      const sides: boolean[] = []
      for (const standard of [16, 20, 24, 32]) {
        await session.send('Page.setFontSizes', { fontSizes: { standard } })
        for (const width of [320, 360, 390]) {
          await resize(page, width)
          expect(await overflows(page), `${width} pixels, letters of ${standard}`).toBe(false)
          const [day, clock] = await Promise.all(
            ['#f-start_date', '#f-start_date-time'].map(input => page.locator(input).boundingBox()),
          )
          sides.push(day?.y === clock?.y)
        }
      }
      // Side by side with the usual ones.
      expect(sides.slice(0, 3)).toEqual([true, true, true])
      // The next page may be shown by the same process.
      await session.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
    })
  })

  it('no last line of the footer, a date, a time or an introduction is one short word', async () => {
    const ask = askAsOwner(server)
    await ask('PATCH', '/settings', { tagline: 'Concerts, markets and walks along the Nore' })
    const orphans: unknown[] = []
    for (const path of ['/event/weekend-of-fiddles/', '/submit/'])
      await onPage(site + path, async page => {
        for (const width of [320, 360, 390, 768, 1280, 1600]) {
          await resize(page, width)
          const found = await page.evaluate<string[]>(`(() => {
            const lines = e => {
              const range = document.createRange()
              range.selectNodeContents(e)
              const rows = new Map()
              for (const { left, right, bottom, width } of range.getClientRects()) {
                if (width === 0) continue
                const row = [...rows.keys()].find(key => Math.abs(key - bottom) < 6) ?? bottom
                const [from, to] = rows.get(row) ?? [left, right]
                rows.set(row, [Math.min(from, left), Math.max(to, right)])
              }
              return [...rows.values()].map(([from, to]) => to - from)
            }
            return [...document.querySelectorAll('.footer-text p, .facts-main .line, .timetable th time, .lead')].filter(e => {
              const widths = lines(e)
              return widths.length > 1 && widths.at(-1) < Math.max(...widths) / 4
            }).map(e => e.textContent)
          })()`)
          if (found.length > 0) orphans.push([path, width, found])
        }
      })
    await ask('PATCH', '/settings', { tagline: '' })
    expect(orphans).toEqual([])
  })

  it('parts of a programme that begin at once stand apart on a phone', async () => {
    await onPage(
      site + PAGES.programme,
      async page => {
        const parts = await page.locator('.timetable tbody tr td:not(:empty)').all()
        const boxes = await Promise.all(parts.map(part => part.locator('.parts').boundingBox()))
        const gaps = boxes
          .slice(1)
          .map((box, i) => (box?.y ?? 0) - (boxes[i]?.y ?? 0) - (boxes[i]?.height ?? 0))
        expect(gaps.length).toBeGreaterThan(0)
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('no control is printed', async () => {
    const printed: string[] = []
    await onPage(
      site,
      async page => {
        for (const path of [...Object.values(PAGES), '/picks/', '/event/story-hour-with-the-bear/']) {
          if (/embed|digest/.test(path)) continue
          await page.goto(site + path)
          printed.push(
            ...(await page.evaluate<string[]>(
              `[...document.querySelectorAll('button, input:not([type=hidden]), select, textarea, summary, .button')].filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.hidden')).map(e => location.pathname + ' ' + e.outerHTML.slice(0, 90))`,
            )),
          )
        }
      },
      { media: 'print' },
    )
    expect(printed).toEqual([])
  })

  it('a category has the way back that events have', async () => {
    await onPage(site + PAGES.category, async page => {
      const back = page.locator('.trail li:first-child a')
      expect(await back.locator('.icon-previous').count()).toBe(1)
      expect(await back.getAttribute('href')).toBe('/events/')
    })
  })

  it.each([
    { width: 1280, path: '/event/weekend-of-fiddles/' },
    { width: 1024, path: '/event/weekend-of-fiddles/' },
    { width: 390, path: '/event/weekend-of-fiddles/' },
    { width: 1280, path: '/event/river-festival/' },
    { width: 390, path: '/event/river-festival/' },
  ])(
    'a programme follows the text, and the facts lead to it: $path at $width px',
    async ({ width, path }) => {
      await onPage(
        site + path,
        async page => {
          type Box = { top: number; bottom: number; width: number }
          const boxOf = (selector: string) =>
            page.evaluate<Box | null>(
              `document.querySelector('${selector}')?.getBoundingClientRect().toJSON() ?? null`,
            )
          const text = await boxOf('.rich > :last-child')
          const programme = await boxOf('.programme')
          const main = await boxOf('.single-main')
          if (text) expect((programme?.top ?? Infinity) - text.bottom).toBeLessThanOrEqual(64)
          else expect(programme?.top).toBe(main?.top)
          expect(programme?.width).toBe(main?.width)
          const link = page.locator('.single-facts a[href="#programme"]')
          expect(await link.locator('..').innerText()).toMatch(/^\d+ parts · to\s+the\s+programme$/)
          await link.click()
          expect((await boxOf('#programme'))?.top).toBeLessThan(200)
        },
        { viewport: { width, height: 900 } },
      )
    },
  )

  it('no «Uhr» stands alone in a line', async () => {
    await askAsOwner(server)('PATCH', '/settings', { language: 'de' })
    for (const width of [320, 390, 768, 1024, 1280])
      await onPage(
        `${site}/event/weekend-of-fiddles/`,
        async page => {
          const alone = await page.evaluate<string[]>(`(() => {
            const found = []
            const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
            for (let text = texts.nextNode(); text; text = texts.nextNode())
              for (const { index } of text.data.matchAll(/Uhr/g)) {
                const range = document.createRange()
                const topOf = at => (range.setStart(text, at), range.setEnd(text, at + 1), range.getBoundingClientRect().top)
                if (index < 2 || topOf(index) !== topOf(index - 2)) found.push(text.data)
              }
            return found
          })()`)
          expect(alone, `${width} px`).toEqual([])
        },
        { viewport: { width, height: 900 } },
      )
    await askAsOwner(server)('PATCH', '/settings', { language: 'en' })
  })

  it.each(FIRST_SCREEN)('an event has its button on the first screen: %o', async ({ viewport }) => {
    await onPage(
      site + PAGES.event,
      async page => {
        const button = await page.locator('.actions .button').first().boundingBox()
        expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThan(viewport.height)
      },
      { viewport },
    )
  })

  describe.each(LANGUAGES.filter(language => language !== 'en'))('in %s', language => {
    const speak = (tag: string) => askAsOwner(server)('PATCH', '/settings', { language: tag })
    beforeAll(() => speak(language))
    afterAll(() => speak('en'))

    it('no page is wider than a phone, whatever is open, and lists begin with an event', async () => {
      const wide: string[] = []
      await onPage(
        `${site}/events/`,
        async page => {
          expect(await page.getAttribute('html', 'lang')).toBe(language)
          await expectFirstEvent(page)
          for (const path of ON_PHONES) {
            await page.goto(site + path)
            if (await overflows(page)) wide.push(`${path} as it is`)
            if (await overflowsOpen(page)) wide.push(`${path} with everything open`)
          }
        },
        { viewport: PHONE },
      )
      expect(wide).toEqual([])
    })

    it('the first screen has the first event, whole categories and enough events', expectFirstScreens)

    it('months begin with this week, and days of phones have three events', expectMonthAndWeek)

    it('weeks, programmes and remarks have no findings either', async () => {
      for (const path of [PAGES.week, PAGES.programme, await remarkPath()]) {
        const complaints = await onPage(site + path, async page => {
          expect(await findingsOfWords(page)).toEqual([])
          for (const width of [768, 1280]) {
            await resize(page, width)
            expect(await overflows(page), `${path} ${width}`).toBe(false)
          }
        })
        expect(complaints).toEqual([])
      }
    })
  })

  it('no e-mail with a personal link is wider than a phone', async () => {
    const href = `https://events.town.example/submit/${'0123456789abcdef'.repeat(2)}/?confirm=${'0123456789abcdef'.repeat(2)}`
    const { html } = mailBody(['Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2), { href }], 'de')
    await onPage(
      'about:blank',
      async page => {
        await page.setContent(html)
        expect(await overflows(page)).toBe(false)
      },
      { viewport: PHONE },
    )
  })

  it('no link on any page is dead', async () => {
    const statuses = new Map<string, number>()
    const pages = new Set<string>(Object.values(PAGES))
    const dead: string[] = []
    for (const path of pages) {
      const response = await fetch(site + path, { headers: { accept: 'text/html' } })
      if (response.status >= 400 && path !== PAGES['a missing page']) dead.push(path)
      for (const [, href = ''] of (await response.text()).matchAll(/\b(?:href|src)="([^"#][^"]*)"/g)) {
        const url = new URL(href.replaceAll('&amp;', '&').replace(/^webcal:/, 'http:'), site + path)
        if (url.origin !== site) continue
        // Pages of events, venues, organizers and terms are checked as well; of lists, months and days, which
        // never end, one each.
        const [, thing] = /^\/(event|venue|organizer|tag|events\/category)\//.exec(url.pathname) ?? []
        if (thing) pages.add(url.pathname)
        if (thing && !url.search) continue
        const kind = `${thing ?? url.pathname.replace(/\d[\d-]*/g, '')}?${[...url.searchParams.keys()]}`
        const status = statuses.get(kind) ?? (await fetch(url)).status
        statuses.set(kind, status)
        if (status >= 400) dead.push(`${path} → ${url.href}`)
      }
    }
    expect(dead).toEqual([])
    expect(pages.size).toBeGreaterThan(40)
  })

  it.each([true, false])(
    'a visitor finds a market next month in a category (scripts: %s)',
    async javaScriptEnabled => {
      await onPage(
        `${site}/`,
        async page => {
          await page.getByRole('link', { name: 'Month', exact: true }).click()
          await page.locator('.bar-filter summary').click()
          await page.getByLabel('Category').selectOption({ label: '– Markets' })
          await page.getByRole('button', { name: 'Search', exact: true }).click()
          await page.waitForURL('**/events/month/?categories=markets')
          await page.locator('.pager a[rel^=next]').click()
          await page.waitForURL('**/events/20*-*/?categories=markets')
          // Every Saturday for three months.
          await page
            .getByRole('link', { name: /Saturday Market/ })
            .first()
            .click()
          await page.waitForURL('**/event/**')
          await page.getByText('Add to calendar').click()
          expect(await page.getByRole('link', { name: 'Calendar file (.ics)' }).isVisible()).toBe(true)
          expect(await page.getByRole('link', { name: 'Google Calendar' }).isVisible()).toBe(true)
          expect(await page.getByRole('link', { name: 'Send by e-mail' }).getAttribute('href')).toMatch(
            /^mailto:/,
          )
          // Buttons that need scripts are not there without them.
          expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(javaScriptEnabled ? 1 : 0)
          const file = await page.getByRole('link', { name: 'Calendar file (.ics)' }).getAttribute('href')
          expect(await (await fetch(new URL(file ?? '', site))).text()).toContain('BEGIN:VEVENT')
        },
        { javaScriptEnabled },
      )
    },
  )

  it('a button that copies says so for a while, however often it is clicked', async () => {
    const { page, complaints, close } = await openPage({ permissions: ['clipboard-write'] })
    await page.clock.install()
    await page.goto(`${site}/event/weekend-of-fiddles/`)
    const button = page.locator('.sharing [data-copy]')
    const text = await button.textContent()
    const done = await button.getAttribute('data-done')
    for (let click = 0; click < 2; click++) {
      await button.click()
      await button.filter({ hasText: done ?? '' }).waitFor()
    }
    // The browser may take its time to copy.
    const later = async () => {
      await page.clock.runFor(3_000)
      return button.textContent()
    }
    await expect.poll(later).toBe(text)
    expect(complaints).toEqual([])
    await close()
  })

  it('a button that may not copy shows the text, to be copied by hand', async () => {
    const { page, complaints, close } = await openPage()
    await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error())')
    const shown: string[] = []
    page.on('dialog', dialog => {
      shown.push(dialog.defaultValue())
      return dialog.accept()
    })
    await page.goto(`${site}/event/weekend-of-fiddles/`)
    const button = page.locator('.sharing [data-copy]')
    const text = await button.textContent()
    await button.click()
    await expect.poll(() => shown).toEqual([`${site}/event/weekend-of-fiddles/`])
    expect([await button.textContent(), await button.getAttribute('aria-live')]).toEqual([text, 'polite'])
    expect(complaints).toEqual([])
    await close()
  })

  it('a button shows what is near, to about a kilometre, or says that there is no position', async () => {
    const geolocation = { latitude: 52.65291, longitude: -7.25432 }
    const { page, complaints, close } = await openPage({ geolocation, permissions: ['geolocation'] })
    await page.goto(`${site}/events/?search=session`)
    await page.locator('[data-near]').click()
    await page.waitForURL(`${site}/events/?search=session&near=52.65,-7.25`)
    expect(await page.locator('.chips').textContent()).toContain('Near you, within 10 km')
    await page.context().clearPermissions()
    await page.goto(`${site}/events/`)
    const note = page.locator('.bar [role="status"]')
    expect((await note.boundingBox())?.height ?? 0).toBe(0)
    await page.locator('[data-near]').click()
    await note.filter({ hasText: 'Your position could not be found.' }).waitFor()
    expect(complaints).toEqual([])
    await close()
    const withoutScripts = { javaScriptEnabled: false }
    await onPage(
      `${site}/events/`,
      async page => expect(await page.locator('[data-near]').isVisible()).toBe(false),
      withoutScripts,
    )
  })

  it('a phone shows today and what is near at once, beside chips that scroll', async () => {
    await onPage(
      `${site}/events/`,
      async page => {
        for (const target of ['[data-near]', '.quick .chip']) {
          const box = await page.locator(target).first().boundingBox()
          expect((box?.x ?? Infinity) + (box?.width ?? 0), target).toBeLessThan(PHONE.width / 2)
        }
      },
      { viewport: PHONE },
    )
  })

  it('the keyboard alone is enough', async () => {
    await onPage(`${site}/event/weekend-of-fiddles/`, async page => {
      await page.keyboard.press('Tab')
      expect(await focused(page, 'textContent')).toBe('Skip to content')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#main:focus')
      const menu = page.locator('.menu-button').first()
      for (let i = 0; i < 30 && (await focused(page, 'tagName')) !== 'SUMMARY'; i++)
        await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await menu.getAttribute('open')).not.toBeNull()
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
      expect(outline).toBe('solid')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      expect(await menu.getAttribute('open')).toBeNull()
      expect(await focused(page, 'tagName')).toBe('SUMMARY')
    })
  })

  it('nothing moves for people who prefer reduced motion, as pages of tests do from the start', async () => {
    const isStill = (page: Page) =>
      page.evaluate<boolean>(`matchMedia('(prefers-reduced-motion: reduce)').matches`)
    await onPage(`${site}/events/`, async page => {
      expect(await isStill(page)).toBe(true)
      const moving = await page.evaluate<number>(`[...document.querySelectorAll('*')].filter(e => {
        const { transitionDuration, animationName } = getComputedStyle(e)
        return transitionDuration !== '0s' || animationName !== 'none'
      }).length`)
      expect(moving).toBe(0)
    })
    // For all others, links change their colour under the pointer only: a page that is loaded doesn't fade
    // in.
    await onPage(
      `${site}/events/`,
      async page => {
        expect(await isStill(page)).toBe(false)
        // Where an earlier test has left it, there may be a link.
        await page.mouse.move(0, 0)
        const fading =
          await page.evaluate<number>(`[...document.querySelectorAll('a, .button, .chip')].filter(e =>
          getComputedStyle(e).transitionProperty.includes('color')).length`)
        expect(fading).toBe(0)
      },
      { reducedMotion: 'no-preference' },
    )
    // Otherwise colours would be measured during transitions.
    const { page, close } = await openPage()
    expect(await isStill(page)).toBe(true)
    await close()
  })

  it('an event of several days keeps its line in a month, even below a title of two lines', async () => {
    await onPage(`${site}${PAGES['the next month']}`, async page => {
      const [alone, above, bar] = await page.evaluate<number[]>(`(() => {
        const item = document.querySelector('.cell-event:not(.is-long, .is-before, :has(~ .is-long))')
        item.querySelector('.cell-title').textContent = 'Many words '.repeat(9)
        const heightOf = e => e.querySelector('a').offsetHeight
        const alone = heightOf(item)
        const bar = document.createElement('li')
        bar.className = 'cell-event is-long'
        bar.append(document.createElement('a'))
        item.after(bar)
        return [alone, heightOf(item), heightOf(bar)]
      })()`)
      expect(alone).toBeGreaterThan(bar ?? 0)
      expect(above).toBe(bar)
    })
  })

  it('a month on a tablet has most titles in full', async () => {
    await onPage(`${site}${PAGES['the next month']}`, async page => {
      await resize(page, 768)
      const [cut, all] = await page.evaluate<number[]>(`(() => {
        const titles = [...document.querySelectorAll('.cell-event:not(.is-repeated) .cell-title')].filter(e => e.checkVisibility())
        const isCut = e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1
        return [titles.filter(isCut).length, titles.length]
      })()`)
      expect(all).toBeGreaterThan(20)
      expect(cut).toBeLessThan((all ?? 0) / 4)
    })
  })

  it('forced colours add no borders to events of one day', async () => {
    await onPage(
      `${site}${PAGES['the next month']}`,
      async page => {
        const [border, ground] = await page.evaluate<string[]>(`[
          getComputedStyle(document.querySelector('.cell-event:not(.is-long) a')).borderTopColor,
          getComputedStyle(document.body).backgroundColor,
        ]`)
        expect(border).toBe(ground)
      },
      { forcedColors: 'active' },
    )
  })

  it('a printed event has its content and no controls', async () => {
    await onPage(`${site}/event/weekend-of-fiddles/`, async page => {
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
      expect(await page.getByText('31 John Street').isVisible()).toBe(true)
      for (const hidden of ['nav', '.actions', '.sharing', '.tell-editors', '.site-footer'])
        expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false)
      const after = await page.evaluate(
        "getComputedStyle(document.querySelector('.facts a[rel~=noopener]:not(.small)'), '::after').content",
      )
      expect(after).toContain('(https://')
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(1_000)
    })
  })

  it('a printed month says how many events of a day it leaves out, and a printed week has them all', async () => {
    const ask = askAsOwner(server)
    const all = 12
    for (let n = 0; n < all; n++)
      await ask('POST', '/events', {
        title: `Concert ${n}`,
        start_date: '2032-03-10 19:00',
        end_date: '2032-03-10 21:00',
      })
    await onPage(
      `${site}/events/2032-03/`,
      async page => {
        const seen = (selector: string) => page.locator(selector).filter({ visible: true })
        // A4 upright and A5, without their margins.
        for (const [width, events] of [
          [718, '.cell-event a'],
          [484, '.month-list .event-line'],
        ] as const) {
          await resize(page, width)
          const more = (await seen('.day-more').allInnerTexts()).map(text => parseInt(text, 10))
          expect(more, `${width} px`).toEqual([all - (await seen(events).count())])
        }
        await page.goto(`${site}/events/2032-W11/`)
        expect([await seen('.week .event').count(), await seen('.day-more').count()]).toEqual([all, 0])
      },
      { media: 'print' },
    )
  })

  it('a card of a featured event has its day, however long its texts are and however large', async () => {
    await askAsOwner(server)('POST', '/events', {
      title: 'Market of all the clubs, with songs, baking, an exhibition of cribs and a show of fire',
      featured: true,
      start_date: `${dayFromNow(1)} 17:30`,
      end_date: `${dayFromNow(1)} 20:00`,
      venue: { venue: 'The house of culture in the old stables of the brewery', city: 'Kilkenny' },
    })
    await onPage(`${site}/events/`, async page => {
      const cut: unknown[] = []
      for (const size of ['usual', 'large']) {
        if (size === 'large') await enlargeText(page)
        for (const width of [320, 390, 768, 1280]) {
          await resize(page, width)
          // With room for the heart in the corner.
          const rooms = await page.evaluate<number[]>(`[...document.querySelectorAll('.feature')].map(card =>
            card.querySelector('.event-time').getBoundingClientRect().top - card.getBoundingClientRect().top)`)
          expect(rooms.length).toBeGreaterThan(0)
          if (Math.min(...rooms) < 30 || (await overflows(page))) cut.push({ size, width, rooms })
        }
      }
      expect(cut).toEqual([])
    })
  })

  it('a printed week of 40 events is one page, with its address', async () => {
    await onPage(`${site}/events/week/`, async page => {
      // On a Sunday, nothing of the sample is left in this week.
      await page.goto(site + (await page.locator('a[rel="next"]').first().getAttribute('href')))
      await page.emulateMedia({ media: 'print' })
      // With titles of two lines.
      await page.evaluate(`(() => {
        const lists = [...document.querySelectorAll('.week-day')].map(day => day.querySelector('ol') ?? day.appendChild(document.createElement('ol')))
        const row = document.querySelector('.week .event')
        for (let n = document.querySelectorAll('.week .event').length; n < 40; n++) {
          const copy = row.cloneNode(true)
          copy.querySelector('.badge')?.remove()
          copy.querySelector('a').firstChild.textContent = 'An evening of songs and stories from both sides of the river'
          lists[n % lists.length].append(copy)
        }
      })()`)
      expect(await page.locator('.week .event').count()).toBe(40)
      expect(await page.locator('.paper-link').isVisible()).toBe(true)
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
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
    { path: '/event/poems/', selectors: ['h1'] },
    { path: '/events/', selectors: ['.event-title', '.event-excerpt'] },
  ])('Arabic is aligned to the right on $path', async ({ path, selectors }) => {
    await onPage(site + path, async page => {
      for (const selector of selectors) {
        const distance = await page.evaluate<number>(`${FROM_RIGHT}(${JSON.stringify(selector)})`)
        expect(Math.abs(distance) < 3, selector).toBe(true)
      }
    })
  })

  it('on a phone, the list below this month begins today', async () => {
    await onPage(
      `${site}/events/month/`,
      async page => {
        const daysOf = (selector: string) =>
          page
            .locator(selector)
            .evaluateAll(found => found.map(e => e.id.slice(4) || e.getAttribute('data-day')))
        const past = await daysOf('td.is-past:not(.is-other) a.cell-day')
        expect((await daysOf('.month-list section[id]')).filter(day => past.includes(day))).toEqual([])
      },
      { viewport: { width: 390, height: 800 }, javaScriptEnabled: false },
    )
  })

  it('the menu to subscribe opens without scripts, and copies the address with them', async () => {
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
