import { beforeAll, describe, expect, it } from 'vitest'
import { responseCache } from '../../../src/kit/http/caching.ts'
import {
  API,
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeVenue,
  SITE,
  send,
} from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { sendTo } from '../../request.ts'
import { canonical, eventMakerFor, linksIn, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

beforeAll(async () => {
  const music = await makeCategory(admin, 'Music')
  const folk = await makeCategory(admin, 'Folk', { parent: music.id })
  const hall = await makeVenue(admin, 'The Hall', { address: '1 Lane', city: 'Kent', country: 'Ireland' })
  const guild = await makeOrganizer(admin, 'The Guild', {
    phone: '+353 1 234',
    email: 'guild&co@example.org',
  })
  const relations = { venue: hall.id, organizer: guild.id, categories: [folk.id], tags: ['Outdoor'] }
  for (let n = 1; n <= 8; n++)
    await addEvent(`Session ${n}`, `2026-12-0${n} 20:00:00`, `2026-12-0${n} 23:00:00`, { ...relations })
  await addEvent('Long ago', '2026-01-02 10:00', '2026-01-02 11:00')
  await makeEvent(admin, { title: 'Secret plan', status: 'draft', ...relations })
  await makeEvent(admin, { title: 'By word of mouth', hide_from_listings: true })
  await makeVenue(admin, 'Secret hall', { status: 'draft' })
  await makeOrganizer(admin, 'Secret guild', { status: 'draft' })
  await send('PATCH', '/settings', { as: admin, json: { imprint_text: 'Ada Lovelace, 1 Lane, Kent' } })
  // Settings that have just changed take another round trip.
  await page('/events/', { vars: { DEBUG_TIMING: '1' } })
})

/** Every kind of page: its address and its heading. */
const PAGES = [
  ['/events/', 'Upcoming events'],
  ['/events/list/', 'Upcoming events'],
  ['/events/month/', 'November 15 – December 19'],
  ['/events/2026-12/', 'December 2026'],
  ['/events/week/', 'November 16 – 22, 2026'],
  ['/events/2026-W49/', 'November 30 – December 6, 2026'],
  ['/events/today/', 'Today'],
  ['/events/2026-12-03/', 'Thursday, December 3'],
  ['/events/category/music/', 'Music'],
  ['/events/category/music/folk/', 'Folk'],
  ['/tag/outdoor/', 'Outdoor'],
  ['/event/session-1/', 'Session 1'],
  ['/venue/the-hall/', 'The Hall'],
  ['/organizer/the-guild/', 'The Guild'],
  ['/venues/', 'Venues'],
  ['/organizers/', 'Organizers'],
  ['/imprint/', 'Imprint'],
  ['/embed', 'Put this calendar on your own site'],
] as const

/** Links that were followed already. */
const checkedLinks = new Set<string>()

describe.each(PAGES)('%s', (path, heading) => {
  it('has a heading, a title, a description and a canonical address', async () => {
    const { status, headers, html } = await page(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html.match(/<h1[^>]*>([\s\S]*?)<\/h1>/g)).toHaveLength(1)
    expect(html).toContain(`<h1>${heading}</h1>`)
    expect(html).toMatch(/<title>[^<]+ · Events<\/title>/)
    expect(html).toMatch(/<meta name="description" content="[^"]{12,}">/)
    expect(canonical(html)).toMatch(new RegExp(`^${SITE}/`))
  })

  it('takes one round trip, and has no dead links', async () => {
    responseCache.clear()
    const shown = await page(path, { vars: { DEBUG_TIMING: '1' } })
    // A page without events has others instead.
    expect(metricsOf(shown).trips).toBe(shown.html.includes('class="empty"') ? 2 : 1)
    for (const link of shown.links.filter(href => href.startsWith('/') && !checkedLinks.has(href))) {
      const { status } = await page(link)
      expect(status, link).toBe(200)
      checkedLinks.add(link)
    }
  })

  it('is cached like responses of the API', async () => {
    const first = await page(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    // Browsers revalidate each time.
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(first.headers.get('cloudflare-cdn-cache-control')).toBe('public, max-age=60')
    expect((await page(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const again = await page(path)
    expect([again.html, again.headers.get('content-security-policy')]).toEqual([
      first.html,
      first.headers.get('content-security-policy'),
    ])
  })

  it('has a strict policy and nothing inline', async () => {
    const { headers, html } = await page(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: http: data:; " +
        "media-src 'self' https: http:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(html).not.toMatch(/<style|<[a-z][^>]* on\w+=/)
    const styled = path === '/embed' ? html.replace(/<pre[\s\S]*<\/pre>|data-copy="[^"]*"/g, '') : html
    expect(styled).not.toMatch(/<[a-z][^>]* style=/)
    for (const [script] of html.matchAll(/<script\b[^>]*>/g))
      expect(script).toMatch(/ src="\/|type="application\/ld\+json"/)
  })

  it('tells clients where the API is', async () => {
    const { headers, html } = await page(path)
    expect(html).toContain('<meta name="tec-api-version" content="v1">')
    expect(html).toContain(`<meta name="tec-api-origin" content="${SITE}">`)
    expect(html).toMatch(new RegExp(`<link rel="alternate" type="application/json" href="${API}/`))
    expect(headers.get('x-tec-api-version')).toBe('v1')
    // Pages of one event name its address, those of a category or tag that of the list of its events, every
    // time that they are sent.
    const [, alternate = ''] =
      html.match(/<link rel="alternate" type="application\/json" href="([^"]+)"/) ?? []
    const root = /\/(event|category|tag)\//.test(path) ? alternate : `${API}/`
    const [, kind, slug] = /\/(category|tag)\/(?:\w+\/)*?(\w+)\/$/.exec(path) ?? []
    if (kind) expect(root).toBe(`${API}/events/?${kind === 'tag' ? 'tags' : 'categories'}=${slug}`)
    else if (path.startsWith('/event/')) expect((await send('GET', root)).body.rest_url).toBe(root)
    const etag = headers.get('etag') ?? ''
    const again = await page(path)
    const unchanged = await page(path, { headers: { 'if-none-match': etag } })
    expect([headers, again.headers, unchanged.headers].map(sent => sent.get('x-tec-api-root'))).toEqual([
      root,
      root,
      etag === '' ? root : null,
    ])
    expect(headers.get('x-tec-api-origin')).toBe(SITE)
  })

  it('names the root of the API if there is anything below it', async () => {
    const root = `${SITE}/wp-json/`
    const alias = 'wp-json/tribe/events/v1'
    for (const vars of [
      {},
      { TEC: 'off', NAMESPACE_ALIASES: alias },
      { TEC: 'off', CORE_PREFIX: 'wp-json' },
    ]) {
      const found = await page(path, { vars })
      expect(found.headers.get('link')).toBe(`<${root}>; rel="https://api.w.org/"`)
      expect(found.html).toContain(`<link rel="https://api.w.org/" href="${root}">`)
    }
    const { headers, html } = await page(path, { vars: { TEC: 'off', NAMESPACE_ALIASES: '' } })
    expect([headers.get('link'), html.includes('api.w.org')]).toEqual([null, false])
  })

  it('responds to HEAD with the same headers and no body', async () => {
    const get = await page(path)
    const head = await page(path, { method: 'HEAD' })
    expect([head.status, head.html]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
  })

  it('ignores credentials', async () => {
    for (const authorization of [admin, 'Basic d3Jvbmc6cGFzc3dvcmQ=']) {
      const shown = await page(path, { headers: { authorization } })
      expect(shown.status).toBe(200)
      expect(shown.html).not.toContain('Secret plan')
    }
  })

  it('is 404 without the website', async () => {
    const off = await page(path, { vars: { WEBSITE: 'off' } })
    expect([off.status, JSON.parse(off.html).code]).toEqual([404, 'rest_no_route'])
  })
})

describe('addresses', () => {
  it('include /favicon.ico for programs that read no pages', async () => {
    const { status, headers } = await page('/favicon.ico')
    expect([status, headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^\/_site\/icon\.\w+\.svg$/),
    ])
    expect(headers.get('cache-control')).toBe('public, max-age=86400')
  })

  const SLASHED = PAGES.map(([path]) => path).filter(path => path.endsWith('/'))

  it.each(SLASHED)('without a trailing slash redirect, with their query: %s', async path => {
    const { status, headers } = await page(`${path.slice(0, -1)}?page=1&search=a`)
    expect([status, headers.get('location')]).toEqual([301, `${path}?search=a`])
  })

  it.each([
    ['/', '/events/', 302],
    ['/event/Session-1/', '/event/session-1/', 301],
    ['/venue/The-Hall/', '/venue/the-hall/', 301],
    ['/organizer/THE-GUILD/?past=1', '/organizer/the-guild/?past=1', 301],
    ['/events/category/folk/', '/events/category/music/folk/', 301],
    ['/events/category/Music/', '/events/category/music/', 301],
    ['/events/category/nonsense/folk/', '/events/category/music/folk/', 301],
    ['/events/tag/outdoor/', '/tag/outdoor/', 301],
    ['/events/category/%ff/music/', '/events/category/music/', 301],
    ['/events/?search=&categories=music&date=', '/events/?categories=music', 302],
    ['/events/month/?date=2027-03-09&search=', '/events/month/?date=2027-03-09', 302],
    ['/events/month/?date=2027-03-09&categories=music', '/events/2027-03/?categories=music', 302],
    ['/events/today/?date=2027-03-09', '/events/2027-03-09/', 302],
    ['/?post_type=event&p=1', '/event/session-1/', 302],
    ['/?post_type=venue&p=1', '/venue/the-hall/', 302],
    ['/?post_type=organizer&p=1', '/organizer/the-guild/', 302],
  ])('%s leads to %s', async (path, target, expected) => {
    const { status, headers } = await page(path)
    expect([status, headers.get('location')]).toEqual([expected, target])
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([
      null,
      'public, max-age=0, must-revalidate',
    ])
    // Redirects are purged like pages, because their targets change.
    expect([headers.get('cloudflare-cdn-cache-control'), headers.get('cache-tag')]).toEqual([
      'public, max-age=60',
      'calendar',
    ])
  })

  it('in responses of the API lead to pages', async () => {
    const { body } = await send('GET', '/events?per_page=100&start_date=2026-01-01')
    const [event] = body.events
    const all = [event, event.venue, event.organizer[0], event.categories[0], event.tags[0]]
    for (const { url } of all.filter(resource => resource?.url))
      expect((await page(url)).status, url).toBe(200)
    expect(body.events.length).toBe(9)
  })

  it('that are too long for a header are served without a redirect, or rejected if they need one', async () => {
    const long = `unknown=${'x'.repeat(5_000)}`
    for (const path of [`/events?${long}`, `/events/?page=1&${long}`, `/events/category/FOLK/?${long}`]) {
      const { status, headers } = await page(path)
      expect([status, headers.get('location')], path).toEqual([200, null])
    }
    const search = 'é'.repeat(900)
    for (const path of [
      `/events/?ical=1&search=${search}`,
      `/events/month/?date=2026-12-01&search=${search}`,
    ]) {
      const { status, headers } = await page(path)
      expect([status, headers.get('location')], path).toEqual([400, null])
    }
    expect((await page(`/events?unknown=${'x'.repeat(100)}`)).status).toBe(301)
  })

  it('never lead to another host', async () => {
    for (const path of ['//evil.example/events', '/events//evil.example', '/event//evil.example/x']) {
      const { status, headers } = await page(`${SITE}${path}`)
      expect([status, headers.get('location')], path).toEqual([404, null])
    }
  })

  it.each([
    '/nowhere',
    '/events/2026-13/',
    '/events/2026-02-30/',
    '/events/0000-01/',
    '/event/none/',
    '/event/session-1/2026-12-01/',
    '/event/session-1/all/',
    '/event/secret-plan/',
    '/?p=10',
    '/?p=999',
    '/venue/none/',
    '/organizer/none/',
    '/tag/none/',
    '/events/category/none/',
    '/events/?page=30',
    '/venues/?page=2',
    '/event/%ff/',
    '/events/category/%ff/none/',
  ])('%s is an error page with links', async path => {
    const { status, headers, html } = await page(path)
    expect(status).toBe(404)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(html).toContain('This page doesn’t exist')
    expect(html).toContain('<form')
    expect(linksIn(html)).toEqual(expect.arrayContaining(['/events/', '/events/month/']))
    expect(html).toContain('noindex')
  })

  it.each([
    '/events/?categories=none',
    '/events/?page=two',
    '/events/2026-12/?venue=99',
    '/events/?date=soon',
  ])('%s is an error page for an invalid address', async path => {
    const { status, html } = await page(path)
    expect([status, html.includes('This address does not work')]).toEqual([400, true])
  })

  it('of the API have errors in JSON, as requests for JSON and writes have', async () => {
    for (const path of ['/calendar/nothing', '/calendar/events/v2/events', '/wp-json/x/y']) {
      const { status, html } = await page(path)
      expect([status, JSON.parse(html).code], path).toEqual([404, 'rest_no_route'])
    }
    const asked = await page('/nowhere', { headers: { accept: 'application/json' } })
    expect(JSON.parse(asked.html).code).toBe('rest_no_route')
    const written = await page('/events/', { method: 'POST' })
    expect([written.status, JSON.parse(written.html).code]).toEqual([404, 'rest_no_route'])
  })
})

describe('a failing database', () => {
  it.each([
    ['D1_ERROR: Network connection lost.', 503, '5'],
    ['D1_ERROR: no such table: events: SQLITE_ERROR', 500, null],
  ])('leads to an error page: %s', async (message, status, wait) => {
    const { DB } = faultyD1({ message, times: Infinity })
    const response = await sendTo({ DB }, `${SITE}/events/?search=${crypto.randomUUID()}`)
    const html = await response.text()
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, wait])
    expect(html).toContain('Something went wrong')
    expect(html).not.toContain('D1_ERROR')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

describe('content that is not public', () => {
  it('is on no list; events that are hidden from lists have a page', async () => {
    const lists = ['/events/', '/events/2027-01/', '/events/2027-01-10/', '/sitemap.xml', '/venue/the-hall/']
    for (const path of [...lists, '/venues/', '/organizers/'])
      expect((await page(path)).html).not.toMatch(/secret|By word/i)
    expect((await page('/event/by-word-of-mouth/')).status).toBe(200)
  })

  it.each([
    ['/events/?page=2', false],
    ['/events/?categories=music', false],
    ['/events/?categories=music,folk', true],
    ['/events/?date=2026-12-01', true],
    ['/events/2026-12/', false],
    ['/events/2026-12/?search=session', true],
    ['/events/2026-12-03/', false],
    ['/events/2026-12-03/?search=session', true],
    ['/events/2026-12-20/', true],
    ['/venue/the-hall/', false],
    ['/venue/the-hall/?page=2', true],
    ['/venue/the-hall/?past=1', true],
    ['/venue/the-hall/?date=2026-12-02', true],
    ['/tag/outdoor/', false],
    ['/tag/outdoor/?date=2026-12-02', true],
    ['/event/session-1/', false],
    ['/event/by-word-of-mouth/', true],
  ])('pages for search engines: %s, noindex %s', async (path, isUnlisted) => {
    const { status, html } = await page(path)
    expect([status, html.includes('<meta name="robots" content="noindex, follow">')]).toEqual([
      200,
      isUnlisted,
    ])
  })

  it('organizers have links to call and to write to them', async () => {
    const { links, html } = await page('/organizer/the-guild/')
    expect(links).toEqual(expect.arrayContaining(['tel:+3531234', 'mailto:guild%26co@example.org']))
    expect(html).toMatch(/icon-phone[\s\S]*icon-email/)
  })

  it('leads to an event by the emoji of its address, and by those of an address that lost them', async () => {
    await makeEvent(admin, { title: 'Walk', slug: 'walk-🎷-3' })
    await makeEvent(admin, { title: 'Stroll', slug: 'stroll-3' })
    expect(await page('/event/walk-%f0%9f%8e%b7-3/')).toMatchObject({ status: 200 })
    const lost = await page('/event/stroll-%f0%9f%8e%b7-3/')
    expect([lost.status, lost.headers.get('location')]).toEqual([301, '/event/stroll-3/'])
    expect(await page('/event/walk-3/')).toMatchObject({ status: 404 })
  })

  it('removed events are 410, with links', async () => {
    const { id } = await makeEvent(admin, { title: 'Rained off' })
    expect((await page('/event/rained-off/')).status).toBe(200)
    await send('DELETE', `/events/${id}`, { as: admin })
    for (const path of ['/event/rained-off/', '/event/rained-off__trashed/']) {
      const { status, html, links } = await page(path)
      expect(status, path).toBe(410)
      expect(html, path).not.toContain('Rained off')
      expect(links, path).toContain('/events/')
    }
    await send('DELETE', `/events/${id}?force=true`, { as: admin })
    expect((await page('/event/rained-off/')).status).toBe(404)
  })

  it('drafts look like missing pages', async () => {
    const draft = await page('/event/secret-plan/')
    const none = await page('/event/none/')
    expect(draft.html).toBe(none.html)
  })
})
