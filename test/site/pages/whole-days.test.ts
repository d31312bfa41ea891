import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser } from '../../factories.ts'
import { eventMakerFor, page } from './page.ts'

const addEvent = eventMakerFor(declareUser('administrator', 'admin'))

/** The number of events that begin on each day from today on, some of which are fuller than small pages. */
const EVENTS_PER_DAY = [9, 1, 0, 4, 2, 7, 1, 3]
const EXHIBITIONS = 5
const dayAfter = (n: number): string => `2026-11-${20 + n}`

beforeAll(async () => {
  for (let n = 0; n < EXHIBITIONS; n++)
    await addEvent(`Exhibition ${n}`, '2026-10-01 10:00', '2027-03-01 18:00')
  for (const [day, count] of EVENTS_PER_DAY.entries())
    for (let n = 0; n < count; n++)
      await addEvent(`On ${dayAfter(day)} no ${n}`, `${dayAfter(day)} 14:${10 + n}`, `${dayAfter(day)} 15:00`)
})

/** The addresses of the events of a page, in the order of the list. */
const eventsIn = (html: string): string[] => [
  ...new Set(
    [...(html.match(/<main[\s\S]*<\/main>/)?.[0] ?? '').matchAll(/href="(\/event\/[^"?#]+)"/g)].map(
      ([, address = '']) => address,
    ),
  ),
]

/** The pages of the list, from the first to the last, as links lead to them. */
async function readAllPages(size: number): Promise<string[][]> {
  const pages: string[][] = []
  let path: string | undefined = '/events/'
  while (path !== undefined && pages.length < 40) {
    const { html } = await page(path, { vars: { EVENTS_PER_PAGE: String(size) } })
    pages.push(eventsIn(html))
    path = /<a[^>]*href="([^"]*)"[^>]*rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  }
  return pages
}

const total = EXHIBITIONS + EVENTS_PER_DAY.reduce((sum, count) => sum + count, 0)
const daysOn = (events: readonly string[]): string[] => [
  ...new Set(events.flatMap(address => /\/on-(\d{4}-\d\d-\d\d)-/.exec(address)?.[1] ?? [])),
]

describe('pages of whole days', () => {
  it.each([1, 2, 3, 4, 5, 6, 8, 10, 13, 14, 15, 24, 40])('of %i have each event once', async size => {
    const pages = await readAllPages(size)
    const all = pages.flat()
    expect([all.length, new Set(all).size]).toEqual([total, total])
    for (const [n, events] of pages.entries()) {
      const days = daysOn(events)
      // Only a day that a page has no room for is divided.
      for (const day of days.filter(day => pages[n + 1]?.some(address => address.includes(day)))) {
        const count = EVENTS_PER_DAY[Number(day.slice(-2)) - 20] ?? 0
        expect(count + (day === dayAfter(0) ? EXHIBITIONS : 0) > size, day).toBe(true)
      }
    }
  })

  it('begin with today, however full it is', async () => {
    for (const size of [6, 8, 10]) {
      const [first = []] = await readAllPages(size)
      expect(daysOn(first)[0]).toBe(dayAfter(0))
    }
  })
})
