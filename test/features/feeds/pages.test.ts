import { beforeAll, describe, expect, it } from 'vitest'
import {
  API,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeUser,
  makeVenue,
  query,
  SITE,
  send,
} from '../../factories.ts'
import { canonical, page } from '../../site/pages/page.ts'

let hall: number
let guild: number

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  hall = (await makeVenue(admin, 'The Hall')).id
  guild = (await makeOrganizer(admin, 'The Guild')).id
  const music = await makeCategory(admin, 'Music')
  await makeCategory(admin, 'Folk', { parent: music.id })
  const fields = { venue: hall, organizer: guild, categories: ['folk'], tags: ['Outdoors'] }
  await makeEvent(admin, { title: 'Fiddles', ...fields })
  await makeEvent(admin, { title: 'Talk' })
})

/** The last address of a chain of redirects. */
async function lastAddress(path: string): Promise<string> {
  const { status, headers } = await page(path)
  return status === 301 || status === 302 ? lastAddress(headers.get('location') ?? '') : path
}

describe('?ical=1', () => {
  /** The queries of calendars that were requested already. */
  const seen = new Set<string>()

  it.each([
    ['/?ical=1', '?'],
    ['/events/?ical=1', '?'],
    ['/events/list/?ical=true&page=9', '?'],
    ['/events/?ical=1&past=1&date=2027-01-01', '?'],
    [
      '/events/?categories=folk,music&search=a+%26+b&ical=1',
      '?search=a+%26+b&categories=folk,music&search_in=all&',
    ],
    ['/events/?featured=1&tags=outdoors&ical=1', '?tags=outdoors&featured=true&'],
    ['/events/month/?ical=1&categories=folk', '?categories=folk&happening=2026-11-15%2F2026-12-19&'],
    ['/events/month/?ical=1&date=2027-03-01', '?happening=2027-03-01%2F2027-03-31&'],
    ['/events/2027-01/?ical=1&tags=outdoors', '?tags=outdoors&happening=2027-01-01%2F2027-01-31&'],
    ['/events/2027-W02/?ical=1', '?happening=2027-01-11%2F2027-01-17&'],
    ['/events/today/?ical=1', '?happening=2026-11-20%2F2026-11-20&'],
    [
      '/events/2027-01-10/?ical=1&search=fiddles',
      '?search=fiddles&search_in=all&happening=2027-01-10%2F2027-01-10&',
    ],
    ['/events/category/music/?ical=1', '?categories=music&'],
    ['/events/category/music/folk/?ical=1', '?categories=folk&'],
    ['/events/category/FOLK?ical=1', '?categories=folk&'],
    ['/tag/outdoors/?ical=1&page=9', '?tags=outdoors&'],
    ['/events/tag/outdoors/?ical=1', '?tags=outdoors&'],
    ['/?post_type=tribe_events&ical=1&eventDisplay=list', '?'],
    ['/?post_type=tribe_events&ical=1&tribe_events_cat=music', '?categories=music&'],
    ['/events/list/?ical=1&tribe-bar-search=fiddle', '?search=fiddle&search_in=all&'],
    ['/?post_type=tribe_events&ical=1&tribe-bar-search=fiddle', '?search=fiddle&search_in=all&'],
    ['/events/?outlook-ical=1', '?'],
    ['/events/month/?outlook-ical=1&tribe-bar-date=2027-03', '?happening=2027-03-01%2F2027-03-31&'],
    ['/events/category/music/list/?outlook-ical=1', '?categories=music&'],
    ['/events/category/music/list/?ical=1', '?categories=music&'],
    ['/events/category/music/folk/month/?ical=1', '?categories=folk&happening=2026-11-15%2F2026-12-19&'],
    [
      '/events/category/music/folk/month/2026-12/?ical=1',
      '?categories=folk&happening=2026-12-01%2F2026-12-31&',
    ],
    ['/events/month/2026-12/?ical=1', '?happening=2026-12-01%2F2026-12-31&'],
    ['/events/list/page/2/?ical=1', '?'],
    ['/events/ical/', '?'],
    ['/tag/outdoors/list/?ical=1', '?tags=outdoors&'],
    ['/venues/?ical=1', '?'],
    ['/organizers/?ical=1&page=9', '?'],
  ])(
    '%s leads to the calendar with the same filters and days, and every date as an event',
    async (path, query) => {
      expect(await lastAddress(path)).toBe(`${API}/events.ics${query}expand=true`)
      if (seen.has(query)) return
      seen.add(query)
      const { status, html } = await page(`${API}/events.ics${query}expand=true`)
      expect([status, html.startsWith('BEGIN:VCALENDAR')]).toEqual([200, true])
      if (path.includes('ical=1'))
        expect(await lastAddress(`${path}&expand=false`)).toBe(
          `${API}/events.ics${query.replace(/[?&]$/, '')}`,
        )
    },
  )

  it('on a series leads to a calendar with every date as an event, for programs without support for rules', async () => {
    const admin = await makeUser('series', 'administrator')
    const { series, url } = await makeEvent(admin, { title: 'Weekly', recurrence: 'FREQ=WEEKLY;COUNT=6' })
    const address = await lastAddress(`${new URL(url).pathname.replace(/[\d-]+\/$/, 'all/')}?ical=1`)
    expect(address).toBe(`${API}/events.ics?series=${series.id}&expand=true`)
    const { html } = await page(address)
    expect(html).not.toMatch(/RRULE|RDATE|RECURRENCE-ID/)
    expect(html.match(/BEGIN:VEVENT/g)).toHaveLength(6)
    expect(new Set(html.match(/^UID:.*/gm)).size).toBe(6)
    expect((await page(`${API}/events.ics?series=${series.id}`)).html.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    const one = (await page(await lastAddress(`${new URL(url).pathname}?ical=1`))).html
    expect(html).toContain(one.match(/^UID:.*/m)?.[0])
    expect(one).not.toContain('RECURRENCE-ID')
  })

  it('on a venue or organizer leads to the calendar with its id', async () => {
    expect(await lastAddress('/venue/the-hall/?ical=1')).toBe(`${API}/events.ics?venue=${hall}&expand=true`)
    expect(await lastAddress('/organizer/The-Guild/?ical=1&past=1')).toBe(
      `${API}/events.ics?organizer=${guild}&expand=true`,
    )
    const { html } = await page(`${API}/events.ics?venue=${hall}`)
    expect(html).toContain('SUMMARY:Fiddles')
    expect(html).not.toContain('SUMMARY:Talk')
  })

  it('on a missing page is 404', async () => {
    for (const path of [
      '/events/2027-13/?ical=1',
      '/events/2027-02-30/?ical=1',
      '/venue/none/?ical=1',
      '/tag/none/?ical=1',
      '/event/none/?ical=1',
      '/event/none/all/?ical=1',
    ])
      expect((await page(path)).status, path).toBe(404)
  })

  it('is not carried into links, and =0 means no', async () => {
    for (const path of [
      '/events/?ical=0',
      '/events/month/?ical=0',
      '/events/today/?ical=0',
      '/tag/outdoors/?ical=0',
      '/venue/the-hall/?ical=0',
      '/event/fiddles/?ical=0',
    ]) {
      const { status, html } = await page(path)
      expect([status, /\bical\b/.test(html)], path).toEqual([200, false])
      expect(canonical(html), path).not.toContain('?')
    }
    expect((await page('/events/?ical=maybe')).status).toBe(400)
  })
})

describe('former addresses', () => {
  it.each([
    ['/events/list/page/2/?search=a', '/events/?search=a&page=2'],
    ['/events/page/1/', '/events/'],
    ['/events/month/2026-12/', '/events/2026-12/'],
    ['/events/day/2026-12-24/', '/events/2026-12-24/'],
    ['/events/past/', '/events/?past=1'],
    ['/events/category/music/list/', '/events/category/music/'],
    ['/events/category/music/folk/list/page/2/', '/events/category/music/folk/?page=2'],
    ['/events/category/music/page/3/', '/events/category/music/?page=3'],
    ['/events/category/music/month/', '/events/month/?categories=music'],
    ['/events/category/music/2026-12/', '/events/2026-12/?categories=music'],
    ['/events/category/music/month/2026-12/', '/events/2026-12/?categories=music'],
    ['/events/category/music/today/', '/events/today/?categories=music'],
    ['/tag/outdoors/month/', '/events/month/?tags=outdoors'],
    ['/events/tag/outdoors/list/page/2/', '/tag/outdoors/?page=2'],
    ['/?post_type=tribe_events', '/events/'],
    ['/?post_type=tribe_events&eventDisplay=month&eventDate=2026-12-01', '/events/2026-12/'],
    ['/?post_type=tribe_events&feed=rss2', `${API}/events.rss`],
    ['/events/list/?eventDisplay=past', '/events/list/?past=1'],
    ['/events/list/page/2/?eventDisplay=past&utm_source=a', '/events/?utm_source=a&page=2&past=1'],
    ['/events/category/music/?eventDisplay=past', '/events/category/music/?past=1'],
    ['/events?tribe-bar-date=2026-12-10&tribe-bar-search=', '/events/?date=2026-12-10'],
    ['/events/month/?tribe-bar-date=2026-12', '/events/2026-12/'],
    [
      '/events/?categories=music,folk&tribe-bar-search=a+%26+b',
      '/events/?categories=music,folk&search=a+%26+b',
    ],
    ['/events/?tribe_events_cat=music', '/events/?categories=music'],
    ['/?s=fiddle', '/events/?search=fiddle'],
    ['/?s=fiddle&post_type=tribe_events&tribe-bar-date=2026-12-10', '/events/?search=fiddle&date=2026-12-10'],
    ['/?post_type=tribe_events&eventDisplay=past&tribe_events_cat=music', '/events/?categories=music&past=1'],
    ['/?tribe_events=fiddles', '/event/fiddles/'],
    ['/?tribe_events=fiddles&outlook-ical=1', `${API}/events/1.ics`],
    ['/?tribe_venue=the-hall', '/venue/the-hall/'],
    ['/?tribe_organizer=the-guild', '/organizer/the-guild/'],
  ])('%s leads to %s', async (path, address) => {
    expect(await lastAddress(path)).toBe(address)
  })

  it.each([
    '/events/?search=a&tribe-bar-search=b&eventDisplay=list',
    '/events/?eventDisplay=month',
    '/events/?tribe-bar-date=tomorrow&outlook-ical=no',
    '/venues/?s=fiddle&eventDisplay=past',
    '/event/fiddles/?tribe-bar-search=a&s=b',
  ])('that mean nothing here stay, and our own parameters come first: %s', async path => {
    expect(await lastAddress(path)).toBe(path.replace('&tribe-bar-search=b', ''))
  })

  it.each(['//other.example', '../admin', 'a/../../b?c=d', 'https://other.example/'])(
    'lead to no other site or part of this one by the slug %s',
    async slug => {
      const { headers } = await page(`/?${new URLSearchParams({ tribe_events: slug })}`)
      const { origin, pathname, search } = new URL(headers.get('location') ?? '', SITE)
      expect([origin, pathname.split('/').length, search]).toEqual([SITE, 4, ''])
    },
  )

  it('that never existed are 404', async () => {
    for (const path of [
      '/events/month/2026-13/',
      '/events/list/more/',
      '/events/category/none/list/',
      '/tag/outdoors/more/',
    ])
      expect((await page(await lastAddress(path))).status, path).toBe(404)
  })
})

describe('the addresses of feeds', () => {
  it.each([
    ['/events/feed/', ''],
    ['/events/feed', ''],
    ['/events/feed/?categories=folk&search=a+b', '?categories=folk&search=a+b'],
    ['/events/category/music/feed/', '?categories=music'],
    ['/events/category/music/feed/?search=a+b', '?search=a+b&categories=music'],
    ['/events/category/music/folk/feed/', '?categories=folk'],
    ['/tag/outdoors/feed/', '?tags=outdoors'],
    ['/events/tag/outdoors/feed/', '?tags=outdoors'],
    ['/events/tag/outdoors/feed/?tags=other&utm_source=a', '?tags=outdoors&utm_source=a'],
  ])('%s leads to the RSS feed', async (path, query) => {
    expect(await lastAddress(path)).toBe(`${API}/events.rss${query}`)
    const { status, html } = await page(`${API}/events.rss${query}`)
    expect([status, html.includes('<rss')]).toEqual([200, true])
  })

  it('are not taken by a category called “Feed”', async () => {
    const author = await makeUser('another', 'author')
    const film = await makeCategory(author, 'Film')
    const feed = await makeCategory(author, 'Feed')
    const below = await makeCategory(author, 'Feed', { parent: film.id })
    await makeEvent(author, { title: 'Reel', categories: [feed.id, below.id], tags: ['Feed'] })
    for (const slug of ['film', 'music', 'music/folk'])
      expect(await lastAddress(`/events/category/${slug}/feed/`), slug).toMatch(/events\.rss\?categories=/)
    for (const path of [feed.url.replace(SITE, ''), below.url.replace(SITE, ''), '/tag/feed/'])
      expect((await page(path)).status, path).toBe(200)
  })

  it('lead to the page of a category that already has this slug', async () => {
    const admin = await makeUser('other', 'administrator')
    const old = await makeCategory(admin, 'Old', { parent: (await makeCategory(admin, 'Dance')).id })
    await query(
      "UPDATE terms SET slug = 'feed', path = 'dance/feed', version = version + 1 WHERE id = ?",
      old.id,
    )
    expect((await page('/events/category/dance/feed/')).status).toBe(200)
    expect(await lastAddress('/events/category/music/feed/')).toBe(`${API}/events.rss?categories=music`)
    const { body } = await send('PATCH', `/categories/${old.id}`, {
      as: admin,
      json: { slug: 'feed', name: 'X' },
    })
    expect([body.slug, body.name]).toEqual(['feed', 'X'])
  })
})

describe('every page of events', () => {
  it.each([
    ['/events/', 'List', ''],
    ['/events/?tags=outdoors', 'List', 'tags=outdoors'],
    ['/events/2027-01/?categories=folk', 'Month', 'categories=folk'],
    ['/events/2027-W02/?venue=1', 'Week', 'venue=1'],
    ['/events/2027-01-10/', undefined, ''],
    ['/events/category/music/', 'List', 'categories=music'],
    ['/tag/outdoors/', 'List', 'tags=outdoors'],
    ['/venue/the-hall/', 'List', 'venue=1'],
    ['/organizer/the-guild/', 'List', 'organizer=1'],
  ])(
    'announces its feeds, and has a form and other displays with the same filters: %s',
    async (path, display, filter) => {
      const { html, links } = await page(path)
      const query = filter && `?${filter}`
      for (const feed of ['events.ics', 'events.rss', 'events.feed.json'])
        expect(html).toMatch(
          new RegExp(`<link rel="alternate" [^>]*href="${RegExp.escape(`${API}/${feed}${query}`)}"`),
        )
      expect(links).toContain(`${API}/events.ics${query}`.replace(/^https?:/, 'webcal:'))
      expect(html.match(/<nav class="displays"/g)).toHaveLength(1)
      if (display) expect(html).toContain(`aria-current="true">${display}</a>`)
      expect(links).toContain(`/events/${path.includes('2027') ? '2027-01' : '2026-11'}/${query}`)
      expect(html.match(/<form class="finder"/g)).toHaveLength(1)
      const [name, value] = filter.split('=')
      if (name && name !== 'categories')
        expect(html).toContain(`<input type="hidden" name="${name}" value="${value}">`)
    },
  )
})
