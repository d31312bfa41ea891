import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FREE_BEGINNINGS } from '../../../src/kit/lib/cost.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { quickDays } from '../../../src/site/pages/bar.ts'
import { declareUser, makeCategory, makeVenue, query, SITE, send } from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { canonical, eventMakerFor, linksIn, page, textOf } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)
/** Makes an event that only one test knows: it is gone after that. */
const addTemporaryEvent = async (...given: Parameters<typeof addEvent>) => {
  const made = await addEvent(...given)
  onTestFinished(async () => {
    await send('DELETE', `/events/${made.id}?force=true&scope=all`, { as: admin })
  })
  return made
}
let hall: number

beforeAll(async () => {
  hall = (await makeVenue(admin, 'Tom & Jerry’s <Hall>')).id
  const music = await makeCategory(admin, 'Music')
  await makeCategory(admin, 'Empty')
  await addEvent('Over since yesterday', '2026-11-19 10:00', '2026-11-19 23:59:59')
  await addEvent('Ended at midnight', '2026-11-19 20:00', '2026-11-20 00:00')
  await addEvent('Open since summer', '2026-07-01', '2026-12-31', { all_day: true })
  await addEvent('This morning', '2026-11-20 08:00', '2026-11-20 09:00')
  await addEvent('Tonight', '2026-11-20 20:00', '2026-11-20 23:00', {
    categories: [music.id],
    venue: hall,
    cost: '0',
  })
  await addEvent('Two days', '2026-11-21 20:00', '2026-11-22 23:00', { tags: ['outdoors'], featured: true })
  for (let n = 1; n <= 9; n++) await addEvent(`Later ${n}`, `2027-02-0${n} 10:00`, `2027-02-0${n} 11:00`)
})

const titles = (html: string): string[] =>
  [...html.replace(/<\/?mark>/g, '').matchAll(/<h[23] class="event-title"><a[^>]*>([^<]*)</g)].map(
    ([, title = '']) => title,
  )
/** The titles of the events that run on. */
const ongoing = (html: string): string[] =>
  [
    ...(html.match(/<section class="ongoing"[\s\S]*?<\/section>/)?.[0] ?? '').matchAll(
      /<h3><a[^>]*>([^<]*)</g,
    ),
  ].map(([, title = '']) => title)
const headings = (html: string): string[] =>
  [...html.matchAll(/<h2 class="day-heading[^>]*>([\s\S]*?)<\/h2>/g)].map(([, inner = '']) =>
    inner.replace(/<[^>]*>/g, ''),
  )

describe('the list', () => {
  it('goes by days, with what runs on for a week or more in a block of its own', async () => {
    const { html, text } = await page('/events/')
    expect(ongoing(html)).toEqual(['Open since summer'])
    // Events of today that are over become one line.
    expect(text).toMatch(/Tonight[\s\S]*Earlier today: 1 event[\s\S]*This morning[\s\S]*Two days/)
    expect(titles(html)).toEqual(['Tonight', 'This morning', 'Two days', 'Later 1', 'Later 2'])
    expect(headings(html).slice(0, 3)).toEqual([
      'Today, Fri, Nov 20',
      'Tomorrow, Sat, Nov 21',
      // The year goes without saying.
      'Monday, February 1',
    ])
    expect(text).toContain('until Thu, Dec 31')
    expect(text).toContain('8:00 PM until Sun, Nov 22')
    expect(text).toContain('Free')
  })

  it('keeps cancelled events at their time, and gives them a heading on the page of today', async () => {
    await addTemporaryEvent('Called-off concert', '2026-11-20 19:00', '2026-11-20 21:00', {
      event_status: 'canceled',
    })
    expect(titles((await page('/events/')).html).slice(0, 2)).toEqual(['Called-off concert', 'Tonight'])
    const today = await page('/events/today/')
    expect(titles(today.html)).toEqual(['Tonight', 'Called-off concert', 'This morning'])
    expect(today.text).toMatch(/Still to come[\s\S]*Tonight[\s\S]*Called off[\s\S]*Called-off concert/)
  })

  it('has every event once when walked forwards and backwards', async () => {
    const walk = async (path: string, rel: string): Promise<string[]> => {
      const { html } = await page(path)
      const next = html.match(new RegExp(`<a href="([^"]+)" rel="${rel}"`))?.[1]?.replaceAll('&amp;', '&')
      return [...ongoing(html), ...titles(html), ...(next ? await walk(next, rel) : [])]
    }
    const forth = await walk('/events/', 'next')
    expect(forth).toHaveLength(13)
    expect(new Set(forth).size).toBe(13)
    const back = await walk('/events/?past=1', 'prev')
    expect(back).toEqual(['Ended at midnight', 'Over since yesterday'])
    expect((await page('/events/?past=1')).html).toContain('rel="next"')
    // From the last page of upcoming events back to the first of past ones.
    expect((await walk('/events/?page=3', 'prev')).length).toBe(15)
    // Today leads to the first page, which has no link to itself.
    expect(forth).toContain('Tonight')
    expect((await page('/events/?page=2')).html).toContain('pager-today')
    expect((await page('/events/')).html).not.toContain('pager-today')
  })

  it('leads with featured events whatever their date, each series once, unless they are cancelled or run on', async () => {
    const cards = async (path: string): Promise<string[]> =>
      [...(await page(path)).html.matchAll(/class="feature-title"><a[^>]*>([^<]*)</g)].map(
        ([, title = '']) => title,
      )
    expect(await cards('/events/')).toEqual(['Two days'])
    const featured = true
    await addTemporaryEvent('Cancelled gala', '2026-12-01 20:00', '2026-12-01 22:00', {
      featured,
      event_status: 'canceled',
    })
    await addTemporaryEvent('Old show', '2026-10-01 10:00', '2027-01-31 20:00', { featured })
    await addTemporaryEvent('Weekly', '2027-05-01 20:00', '2027-05-01 22:00', {
      featured,
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=30' },
    })
    await addTemporaryEvent('Far away', '2027-12-01 20:00', '2027-12-01 22:00', { featured })
    expect(await cards('/events/')).toEqual(['Two days', 'Weekly'])
    const { html, headers } = await page('/events/', { vars: { DEBUG_TIMING: '1' } })
    expect(metricsOf({ headers }).trips).toBe(1)
    // Its day has it as well.
    expect(titles(html)).toContain('Two days')
    for (const path of [
      '/events/?search=o',
      '/events/?date=2026-11-21',
      '/events/?page=2',
      '/events/?from=2026-11-21',
    ])
      expect(await cards(path), path).toEqual([])
  })

  it('has pages of whole days, and leads to any day', async () => {
    for (const [n, day] of ['03-01', '03-01', '03-02', '03-02', '03-02', '03-03', '03-04'].entries())
      await addTemporaryEvent(`March ${n}`, `2027-${day} 1${n}:00`, `2027-${day} 2${n % 4}:00`)
    const read = async (path: string) => (await page(path, { vars: { EVENTS_PER_PAGE: '4' } })).html
    const first = await read('/events/?date=2027-03-01')
    expect(titles(first)).toEqual(['March 0', 'March 1'])
    expect(first).toContain('<span>Tuesday, March 2 and later</span>')
    expect(first).toMatch(
      /<form class="jump" action="\/events\/" method="get">.*name="date" value="2027-03-01"/s,
    )
    const second = await read('/events/?date=2027-03-01&from=2027-03-02')
    expect(titles(second)).toEqual(['March 2', 'March 3', 'March 4', 'March 5'])
    expect(second).toContain('href="/events/?date=2027-03-01&amp;before=2027-03-02" rel="prev"')
    expect(second).toContain('<span>Before Tuesday, March 2</span>')
    expect(titles(await read('/events/?date=2027-03-01&before=2027-03-04'))).toEqual([
      'March 2',
      'March 3',
      'March 4',
      'March 5',
    ])
    // A day that fills a page by itself continues on the next.
    const full = await page('/events/?date=2027-03-02', { vars: { EVENTS_PER_PAGE: '2' } })
    expect(titles(full.html)).toEqual(['March 2', 'March 3'])
    expect(full.links).toContain('/events/?date=2027-03-02&page=2')
  })

  it('says what comes next if nothing is left of today', async () => {
    const next = async (now: string, path = '/events/', vars = {}): Promise<string> => {
      vi.setSystemTime(now)
      return textOf((await page(path, { vars })).html.match(/<p class="next-up">[\s\S]*?<\/p>/)?.[0] ?? '')
    }
    expect(await next('2026-11-20T12:00:00Z')).toBe('')
    expect(await next('2026-11-20T23:30:00Z')).toBe(
      'Nothing more begins today; 1 is open. Next: Saturday, 8:00 PM, Two days',
    )
    expect(await next('2026-11-20T23:30:00Z', '/tag/outdoors/')).toBe(
      'Nothing today. Next: Saturday, 8:00 PM, Two days',
    )
    const NOON = '2026-11-25T12:00:00Z'
    for (const path of ['/events/', '/events/today/'])
      expect(await next(NOON, path), path).toBe(
        'Nothing new begins today; 1 is open. Next: Monday, February 1, 10:00 AM, Later 1',
      )
    expect(await next(NOON, '/events/', { LANGUAGE: 'de' })).toMatch(
      /^Heute beginnt nichts Neues; 1 läuft weiterhin\. Als Nächstes/,
    )
    // What is cancelled, and what has ended, is not open.
    const { id } = await addTemporaryEvent('Second show', '2026-11-01', '2026-12-20', { all_day: true })
    expect(await next(NOON)).toMatch(/; 2 are open\./)
    await send('PATCH', `/events/${id}`, { as: admin, json: { event_status: 'canceled' } })
    expect(await next(NOON)).toMatch(/; 1 is open\./)
    vi.setSystemTime(NOON)
    const today = await page('/events/today/')
    expect(today.text).not.toContain('No events')
  })

  it('marks every event that the filter finds as free, and no other', async () => {
    const free = [
      ...FREE_BEGINNINGS.map(words => words.replace('*', 'e')),
      '0',
      '0 €',
      'KOSTENLOS',
      'Free, donations welcome',
    ]
    const others = ['Free – 30$', '5 €', 'Freiwillig', 'ask', '']
    const category = await makeCategory(admin, 'Costs')
    const made = await Promise.all(
      [...free, ...others].map((cost, n) =>
        addTemporaryEvent(`Cost ${n}`, '2027-05-01 10:00', '2027-05-01 11:00', {
          cost,
          categories: [category.id],
        }),
      ),
    )
    const badges = async (query: string) => {
      const { html } = await page(`/events/?categories=costs${query}`, { vars: { EVENTS_PER_PAGE: '60' } })
      return [titles(html).length, html.match(/<span class="badge badge-good">/g)?.length ?? 0]
    }
    expect(await badges('&is_free=1')).toEqual([free.length, free.length])
    expect(await badges('')).toEqual([made.length, free.length])
  })

  it('begins on the chosen day', async () => {
    const { html } = await page('/events/?date=2027-02-08')
    expect(titles(html)).toEqual(['Later 8', 'Later 9'])
    // Events that began before belong to the chosen day.
    const second = await page('/events/?date=2026-11-22')
    expect(headings(second.html).slice(0, 2)).toEqual(['Sunday, November 22', 'Monday, February 1'])
    expect(ongoing(second.html)).toEqual(['Open since summer'])
    expect(titles(second.html)[0]).toBe('Two days')
    expect(html).toContain('name="date" value="2027-02-08"')
    expect(html).toContain('noindex')
  })

  it('uses days of the calendar’s zone, not of UTC', async () => {
    const { html } = await page('/events/?date=2026-11-21', { vars: { TIMEZONE: 'Pacific/Auckland' } })
    // 20:00 UTC is 9:00 of the next day there.
    expect(headings(html)[0]).toBe('Today, Sat, Nov 21')
    expect(titles(html)).toContain('Tonight')
    expect(headings(html)[1]).toBe('Tomorrow, Sun, Nov 22')
  })

  it.each([
    ['search=tonight', ['Tonight']],
    ['categories=music', ['Tonight']],
    ['categories=MUSIC', ['Tonight']],
    ['tags=outdoors', ['Two days']],
    ['featured=1', ['Two days']],
    ['search=later&date=2027-02-09', ['Later 9']],
    ['venue=1', ['Tonight']],
  ])('filters by %s, and offers to remove the filter', async (query, expected) => {
    const { html, links } = await page(`/events/?${query}`)
    expect(titles(html)).toEqual(expected)
    expect(html).toContain('Filtered by')
    expect(links.some(href => href === '/events/')).toBe(true)
    expect(html).toMatch(/<a class="chip"/)
  })

  it('finds by names of venues, cities, organizers, categories and tags, each word anywhere', async () => {
    const weir = { venue: 'Weir Theatre', city: 'Coleraine', description: 'Free parking' }
    const about = { venue: weir, organizer: { organizer: 'Müller Bühne' }, tags: ['puppets'] }
    await addEvent('A winter tale', '2028-01-02 20:00', '2028-01-02 22:00', {
      ...about,
      categories: ['Drama'],
    })
    for (const search of ['weir', 'WEIR theatre', 'tale weir', 'coleraine drama', 'Muller', 'puppets winter'])
      expect(titles((await page(`/events/?search=${encodeURIComponent(search)}`)).html), search).toEqual([
        'A winter tale',
      ])
    // A description is about the venue, not about its events.
    for (const search of ['parking', 'weir jazz'])
      expect(titles((await page(`/events/?search=${search}`)).html), search).toEqual([])
    expect((await send('GET', '/events?search=weir')).body.total).toBe(0)
    await send('DELETE', '/events/by-slug/a-winter-tale', { as: admin })
  })

  it('shows the names of filter values', async () => {
    const { text } = await page(`/events/?venue=${hall}&tags=outdoors&categories=music`)
    expect(text).toContain('Remove filter Tom & Jerry’s')
    expect(text).toContain('Remove filter outdoors')
    expect(text).toContain('Remove filter Music')
    expect(text).toContain('Clear all')
  })

  it('keeps filters in links to other displays', async () => {
    const { links, html } = await page('/events/?search=a+b&categories=music')
    for (const path of ['/events/2026-11/', '/events/today/'])
      expect(links).toContain(`${path}?search=a+b&categories=music`)
    expect(html).toContain('name="search" value="a b"')
    expect(html).toContain('<option value="music" selected>Music</option>')
    // Categories without events are left out.
    expect(html).not.toContain('Empty')
  })

  it('offers a way on if nothing is found', async () => {
    const { status, text, links } = await page('/events/?search=xylophone')
    expect(status).toBe(200)
    expect(text).toContain('No events found Try other words')
    expect(links).toEqual(expect.arrayContaining(['/events/', '/events/?search=xylophone&past=1']))
  })

  it('shows what comes close if nothing is found, and says what was left out', async () => {
    const near = async (path: string): Promise<string> => {
      const { text, html } = await page(path, { vars: { DEBUG_TIMING: '1' } })
      expect(text).toMatch(/No events/)
      return `${text.match(/Left out: ([^.]*)\./)?.[1]} > ${[...html.matchAll(/<h3 class="card-title"><a[^>]*>([^<]*)/g)].map(([, title]) => title).join(', ')}`
    }
    expect(await near('/events/?search=xyxyxy&categories=music')).toBe('“xyxyxy” > Tonight')
    expect(await near('/events/?search=xyxyxy&date=2026-11-21&until=2026-11-22')).toBe(
      '“xyxyxy” > Two days, Open since summer',
    )
    // No event of the category is on these days, so any is shown, and then of any day.
    expect(await near('/events/?categories=music&date=2027-02-01&until=2027-02-02')).toBe(
      'Music > Later 1, Later 2',
    )
    expect(await near('/events/?search=xyxyxy&tags=outdoors&categories=music')).toMatch(
      /^“xyxyxy”, outdoors > Tonight$/,
    )
    expect(await near('/events/2028-03-01/')).toMatch(/^the chosen days > Tonight,.*Later 1/)
    expect(await near('/events/2028-03/?categories=music')).toMatch(
      /^Music, the chosen days > Tonight,.*Later 1/,
    )
    expect(await near('/events/2028-W10/')).toMatch(/^the chosen days > /)
    expect(await near('/events/category/empty/')).toMatch(/^Empty > Tonight,.*Later 1/)
    const { links } = await page('/events/?search=xyxyxy&categories=music')
    expect(links).toContain('/events/?categories=music')
  })

  it('has one canonical address', async () => {
    const SITE_URL = 'https://www.example.org'
    const known = async (path: string) => canonical((await page(path, { vars: { SITE_URL } })).html)
    expect(await known('/events/list/')).toBe(`${SITE_URL}/events/`)
    expect(await known('/events/?utm_source=x')).toBe(`${SITE_URL}/events/`)
    expect(await known('/events/?page=2')).toBe(`${SITE_URL}/events/?page=2`)
    expect(await known('/events/?categories=music')).toBe(`${SITE_URL}/events/category/music/`)
    expect((await page('/events/?search=a')).html).toContain('noindex')
    expect((await page('/events/')).html).not.toContain('noindex')
  })

  it('links to its own pages even if SITE_URL is elsewhere', async () => {
    const { links } = await page('/events/', { vars: { SITE_URL: 'https://www.example.org' } })
    expect(links).toContain('/event/tonight/')
    expect(links.filter(href => href.includes('www.example.org'))).toEqual([])
  })

  it('has the date in the accessible name of each link', async () => {
    const { html } = await page('/events/')
    expect(html).toContain('Tonight<span class="hidden">, Friday, November 20</span></a>')
  })

  it('has 24 events a page by default, and says how many there are', async () => {
    const shown = await page('/events/', { vars: { EVENTS_PER_PAGE: '' } })
    expect([...ongoing(shown.html), ...titles(shown.html)]).toHaveLength(13)
    expect(shown.text).toContain(' 13 events ')
    expect((await page('/events/?page=2', { vars: { EVENTS_PER_PAGE: '10' } })).text).toContain(
      '11–13 of 13 events',
    )
    const german = await page('/events/category/music/', { vars: { LANGUAGE: 'de' } })
    expect(german.text).toContain('1 Veranstaltung ')
    for (const EVENTS_PER_PAGE of ['0', '-1', 'many', '1.5'])
      expect(() => settingsOf({ EVENTS_PER_PAGE })).toThrow(/^EVENTS_PER_PAGE: /)
  })

  it('has no link to earlier events if there are none', async () => {
    const earlier = async (path: string) => / rel="prev/.test((await page(path)).html)
    expect(await earlier('/events/')).toBe(true)
    expect(await earlier('/events/?page=2')).toBe(true)
    expect(await earlier('/events/?categories=music')).toBe(false)
    expect(await earlier('/events/category/music/')).toBe(false)
    expect(await earlier('/tag/outdoors/?date=2027-01-01')).toBe(true)
  })
})

describe('quick dates', () => {
  const quick = (html: string): string[] =>
    [...(html.match(/<nav class="quick"[\s\S]*?<\/nav>/)?.[0] ?? '').matchAll(/href="([^"]*)"/g)].map(
      ([, href = '']) => href.replaceAll('&amp;', '&'),
    )

  it('are links above the list that keep its filters', async () => {
    // Today is a Friday.
    const { html } = await page('/events/?search=o')
    expect(quick(html)).toEqual([
      '/events/today/?search=o',
      '/events/?search=o&date=2026-11-21&until=2026-11-22',
      '/events/today/?search=o&evening=1',
      '/events/2026-11-21/?search=o',
      '/events/?search=o&date=2026-11-23&until=2026-11-29',
    ])
  })

  it('have the evening of today from noon on', async () => {
    const { html, text } = await page('/events/today/?evening=1')
    expect(titles(html)).toEqual(['Tonight'])
    expect(text).toMatch(/^Tonight /)
    expect(html).toContain('aria-current="true">Tonight</a>')
    expect(html).not.toContain('aria-current="true">Today</a>')
    expect(html).toContain('name="robots"')
    expect((await page('/events/2026-11-21/?evening=1')).text).toContain('Saturday, November 21, evening')
    vi.setSystemTime('2026-11-20T11:30:00Z')
    const morning = await page('/events/?search=later')
    expect(quick(morning.html)).not.toContain('/events/today/?search=later&evening=1')
    // It is another page from noon on, so no cache keeps it beyond that.
    vi.setSystemTime('2026-11-20T12:00:00Z')
    const etag = morning.headers.get('etag') ?? ''
    const later = await page('/events/?search=later', { headers: { 'if-none-match': etag } })
    expect(later.status).toBe(200)
    expect(quick(later.html)).toContain('/events/today/?search=later&evening=1')
    // Noon is that of the calendar.
    const far = await page('/events/?search=later', { vars: { TIMEZONE: 'America/New_York' } })
    expect(quick(far.html)).not.toContain('/events/today/?search=later&evening=1')
  })

  it('lead to the events of these days only', async () => {
    const { html, text } = await page('/events/?date=2026-11-21&until=2026-11-22')
    expect([...ongoing(html), ...titles(html)]).toEqual(['Open since summer', 'Two days'])
    expect(text).toContain('November 21 – 22 ')
    expect(html).toContain('aria-current="true">Weekend</a>')
    expect(html).not.toMatch(/ rel="(?:prev|next)/)
    expect(titles((await page('/tag/outdoors/?date=2026-11-23&until=2026-11-29')).html)).toEqual([])
    // Further pages stay within these days.
    const second = await page('/events/?date=2026-11-20&until=2027-02-09&page=2')
    expect(second.text).toContain('7–12 of 13 events')
    expect(second.links).toContain('/events/?date=2026-11-20&until=2027-02-09&from=2027-02-09')
    expect((await page('/events/?until=2026-02-30')).status).toBe(400)
    // Who changes only the first day in the form may pass the last one.
    const crossed = await page('/events/?date=2026-11-22&until=2026-11-21')
    expect(crossed.text).toContain('From November 22')
    expect(crossed.html).not.toContain('until=2026-11-21')
  })

  it('have one link to the shown page, on Sundays as well, when today is the rest of the weekend', async () => {
    vi.setSystemTime('2026-11-22T12:00:00Z')
    for (const [path, name] of [
      ['/events/today/', 'Today'],
      ['/events/?date=2026-11-22&until=2026-11-22', 'Weekend'],
    ] as const) {
      const { html } = await page(path)
      const current = html.matchAll(/<a class="chip" [^>]*aria-current="true">(Today|Weekend)</g)
      expect(Array.from(current, ([, text]) => text)).toEqual([name])
    }
  })

  it.each([
    ['2026-11-18', '2026-11-21', '2026-11-22', '2026-11-23'],
    ['2026-11-21', '2026-11-21', '2026-11-22', '2026-11-23'],
    ['2026-11-22', '2026-11-22', '2026-11-22', '2026-11-23'],
    ['2026-11-23', '2026-11-28', '2026-11-29', '2026-11-30'],
  ])('on %s the weekend is %s to %s, and the next week begins on %s', (today, from, to, monday) => {
    const days = quickDays(`${today} 00:00:00`)
    expect([days.weekend, days.nextWeek.from]).toEqual([{ from, to }, monday])
  })
})

it('the bar and its menus are in landmarks, which people who use a screen reader go by', async () => {
  const { html } = await page('/events/')
  const bar = html.match(/<section class="bar" aria-label="Events">[\s\S]*?<\/section>/)?.[0] ?? ''
  expect(bar).toContain('<search class="menu-items" aria-label="Search &amp; filters"><form class="finder"')
  expect(bar).toContain('<nav class="quick"')
  expect(html).toMatch(/<main[\s\S]*Google Calendar[\s\S]*<\/main>/)
})

describe('the menu to subscribe', () => {
  const menu = (html: string): string =>
    html.match(/<details class="menu-button">[\s\S]*?<\/details>/)?.[0] ?? ''

  it('has links for calendar programs, a note, the address to copy, and feeds of news', async () => {
    const all = menu((await page('/events/')).html)
    expect(all).toContain('All events of this calendar, always up to date.')
    const address = `${SITE}/calendar/events/v1/events.ics`
    const program = address.replace('https:', 'webcal:')
    expect(linksIn(all)).toEqual([
      `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(program)}`,
      program,
      `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=Events`,
      address,
      `${SITE}/calendar/events/v1/events.rss`,
      `${SITE}/calendar/events/v1/events.feed.json`,
    ])
    expect(all).toContain(`data-copy="${address}"`)
  })

  it.each([
    ['/events/?search=o&tags=outdoors', '“o”, outdoors: all events', '?search=o&tags=outdoors&search_in=all'],
    ['/events/category/music/', 'Music: all events', '?categories=music'],
    ['/venue/tom-jerrys-hall/', 'Tom & Jerry’s <Hall>: all events', '?venue=1'],
  ])('on %s names the subscription', async (path, note, query) => {
    const { html } = await page(path)
    expect(textOf(menu(html))).toContain(note)
    expect(linksIn(menu(html))).toContain(`webcal://calendar.example/calendar/events/v1/events.ics${query}`)
  })
})

describe('an event in a list', () => {
  const DAY = '2030-05-05'
  const item = async (title: string): Promise<string> => {
    const { html } = await page(`/events/${DAY}/`)
    return textOf(html.slice(html.indexOf(title), html.indexOf('</li>\n</ol>')))
  }

  it('shows its first public venue and category, and the number of further venues', async () => {
    const draft = await makeVenue(admin, 'Unfinished', { status: 'draft', city: 'Nowhere' })
    const square = await makeVenue(admin, 'Square', { city: 'Cork' })
    const zebra = await makeCategory(admin, 'Zebra')
    const apple = await makeCategory(admin, 'Äpfel')
    await addEvent('Fair', `${DAY} 10:00`, `${DAY} 11:00`, {
      venue: [draft.id, square.id, hall],
      categories: [zebra.id, apple.id],
      tags: ['Aardvark'],
      excerpt: 'Stalls &amp; more',
      description: 'A long story.',
    })
    // The venue is scheduled, and due.
    await query(
      `UPDATE venues SET status = 'future', date_utc = '2026-11-20 11:00:00' WHERE id = ?`,
      square.id,
    )
    const text = await item('Fair')
    expect(text).toContain('Square, Cork +1')
    expect(text).toContain('Äpfel')
    expect(text).toContain('Stalls & more')
    for (const other of ['Aardvark', 'Zebra', 'Unfinished', 'A long story']) expect(text).not.toContain(other)
  })

  it('has an excerpt that ends with a whole character', async () => {
    await addEvent('Party', `${DAY} 11:00`, `${DAY} 12:00`, { description: `!${'🎉'.repeat(200)}` })
    expect(await item('Party')).toMatch(/!🎉{39}…/u)
  })

  it('has the beginning of the text of its series', async () => {
    await addEvent('Dance', `${DAY} 12:00`, `${DAY} 13:00`, {
      description: `<p>Come &lt;in&gt;</p><ul>${'<li>and dance</li>'.repeat(500)}</ul>`,
      recurrence: { rrule: 'FREQ=DAILY;COUNT=2' },
    })
    expect(await item('Dance')).toMatch(/Come <in> (?:and dance ){10,}and…/)
  })
})
