import { beforeAll, describe, expect, it, vi } from 'vitest'
import { declareUser, makeCategory } from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { eventMakerFor, page } from './page.ts'

// What runs for weeks, and what is over, takes no room from what comes.

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)
const TODAY = '2026-11-20'
const vars = { EVENTS_PER_PAGE: '24' }
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The number of events that run, are over, are on now, and come today and tomorrow, of each category. */
const COUNTS = {
  busy: [0, 30, 0, 5, 3],
  shows: [40, 0, 0, 4, 4],
  full: [40, 30, 2, 40, 20],
  one: [1, 0, 1, 30, 1],
  none: [0, 0, 0, 30, 1],
} as const
type Name = keyof typeof COUNTS
const totalOf = (name: Name): number => COUNTS[name].reduce<number>((sum, count) => sum + count, 0)

beforeAll(async () => {
  for (const [name, [run, over, now, today, tomorrow]] of Object.entries(COUNTS)) {
    const categories = [(await makeCategory(admin, name)).id]
    const many = async (count: number, title: string, times: (n: number) => [start: string, end: string]) => {
      for (let n = 0; n < count; n++) await addEvent(`${name} ${title} ${n}`, ...times(n), { categories })
    }
    await many(run, 'runs', n => [`2026-10-0${1 + (n % 9)} 10:00`, '2027-03-01 18:00'])
    await many(over, 'over', n => [`${TODAY} ${clock(360 + n)}`, `${TODAY} ${clock(540 + n)}`])
    await many(now, 'now', n => [`${TODAY} ${clock(480 + n)}`, `${TODAY} 15:00`])
    await many(today, 'comes', n => [`${TODAY} ${clock(1_080 + n)}`, `${TODAY} 23:00`])
    await many(tomorrow, 'tomorrow', n => [`2026-11-21 ${clock(600 + n)}`, '2026-11-21 23:00'])
  }
})

/** The kinds of the events of a page, with the number of each. */
function kindsIn(html: string): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const [, kind = ''] of html.matchAll(/<h3(?: class="event-title")?><a[^>]*>\w+ (\w+) \d+</g))
    kinds[kind] = (kinds[kind] ?? 0) + 1
  return kinds
}

const titlesIn = (html: string): string[] =>
  Array.from(
    html.matchAll(/<h[23](?: class="event-title")?><a[^>]*>(\w+ \w+ \d+)</g),
    ([, title = '']) => title,
  )

/** The titles on all pages of a list or a day, as links lead to them. */
async function titlesOnAllPages(path: string): Promise<string[]> {
  const found: string[] = []
  for (let next: string | undefined = path, n = 0; next !== undefined && n < 20; n++) {
    const { html } = await page(next, { vars })
    found.push(...titlesIn(html))
    // The page of a day has a link to the next day, too.
    next = html.match(/<a href="([^"]*\b(?:page|from)=[^"]*)" rel="next/)?.[1]?.replaceAll('&amp;', '&')
  }
  return found
}

describe('the first page of a list', () => {
  it.each<[Name, object]>([
    ['busy', { over: 30, comes: 5, tomorrow: 3 }],
    ['shows', { runs: 40, comes: 4, tomorrow: 4 }],
    // The pages of the whole list have 24 events each, and this one ends with the fourth.
    ['full', { runs: 40, over: 30, now: 2, comes: 24 }],
    ['one', { runs: 1, now: 1, comes: 22 }],
    ['none', { comes: 24 }],
  ])('of %s has all that has begun and a page of what comes', async (name, kinds) => {
    const { html, headers, text } = await page(`/events/?categories=${name}`, {
      vars: { ...vars, DEBUG_TIMING: '1' },
    })
    expect(kindsIn(html)).toEqual(kinds)
    expect(text).toContain(` ${totalOf(name)} events `)
    expect(metricsOf({ headers }).trips).toBe(1)
  })

  it.each(Object.keys(COUNTS) as Name[])('of %s is followed by the others, each event once', async name => {
    const all = await titlesOnAllPages(`/events/?categories=${name}`)
    expect([all.length, new Set(all).size]).toEqual([totalOf(name), totalOf(name)])
  })

  it('leaves out what ended first, if more than a hundred have begun, and the next page is the second', async () => {
    const { html, links } = await page('/events/', { vars })
    expect(kindsIn(html)).toEqual({ runs: 81, now: 3, over: 16, comes: 24 })
    expect(links).toContain('/events/?page=2')
    const names = Object.keys(COUNTS) as Name[]
    expect(new Set(await titlesOnAllPages('/events/')).size).toBe(
      names.reduce((sum, name) => sum + totalOf(name), 0),
    )
  })

  it('is followed by the same page after more has begun', async () => {
    const first = await titlesOnAllPages('/events/?categories=full')
    const later = await page('/events/?categories=full&page=5', { vars })
    vi.setSystemTime(`${TODAY}T18:10:30Z`)
    expect((await page('/events/?categories=full&page=5', { vars })).text).toBe(later.text)
    const now = await page('/events/?categories=full', { vars })
    expect(kindsIn(now.html)).toEqual({ runs: 40, over: 30, now: 2, comes: 24 })
    expect(new Set(await titlesOnAllPages('/events/?categories=full'))).toEqual(new Set(first))
  })

  it('is another one as soon as the next event begins', async () => {
    const requestPage = async (headers = {}) => page('/events/?categories=none', { vars, headers })
    vi.setSystemTime(`${TODAY}T17:59:00Z`)
    const etag = (await requestPage()).headers.get('etag') ?? ''
    vi.setSystemTime(`${TODAY}T17:59:59Z`)
    expect((await requestPage({ 'if-none-match': etag })).status).toBe(304)
    vi.setSystemTime(`${TODAY}T18:00:01Z`)
    expect((await requestPage({ 'if-none-match': etag })).status).toBe(200)
  })

  it('of a later day has what began before it besides', async () => {
    const { html } = await page('/events/?categories=shows&date=2026-11-21', { vars })
    expect(kindsIn(html)).toEqual({ runs: 40, tomorrow: 4 })
  })
})

describe('the page of a day', () => {
  it.each<[Name, object]>([
    ['shows', { runs: 40, comes: 4 }],
    ['full', { runs: 40, over: 30, now: 2, comes: 28 }],
    ['none', { comes: 30 }],
  ])('has all that has begun and a page of what comes: %s', async (name, kinds) => {
    const { html } = await page(`/events/today/?categories=${name}`)
    expect(kindsIn(html)).toEqual(kinds)
  })

  it('is followed by the others, each event once', async () => {
    const today = await titlesOnAllPages('/events/today/?categories=full')
    expect([today.length, new Set(today).size]).toEqual([112, 112])
    const tomorrow = await titlesOnAllPages('/events/2026-11-21/?categories=full')
    expect([tomorrow.length, new Set(tomorrow).size]).toEqual([60, 60])
  })
})

describe('an embedded list', () => {
  it.each<[Name, object]>([
    ['busy', { comes: 5, tomorrow: 1 }],
    ['shows', { runs: 6, comes: 4, tomorrow: 2 }],
    ['full', { runs: 6, now: 2, comes: 4 }],
    ['one', { runs: 1, now: 1, comes: 5 }],
    ['none', { comes: 6 }],
  ])('counts what is on and what comes: %s', async (name, kinds) => {
    const { html } = await page(`/embed/fragment?categories=${name}`)
    expect(kindsIn(html)).toEqual(kinds)
  })
})
