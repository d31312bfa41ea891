import type { ServerResponse } from 'node:http'
import { nodeTransport } from '../../src/readers/node-transport.ts'
import { listen } from '../listen.ts'

/** How servers of this machine are asked: without waiting. */
export const CLIENT = {
  transport: nodeTransport,
  allowsPrivate: true,
  attempts: 1,
  pauseMs: 0,
  sleep: async () => {},
}

type Record_ = Record<string, unknown>

/** What a test's site holds. */
export type Site = Record<'events' | 'venues' | 'organizers' | 'categories' | 'tags', Record_[]>

/** Takes a request before the site does; true if it has answered. */
export type Mischief = (url: URL, response: ServerResponse) => boolean

/**
 * A site with this interface on a port of its own, under the namespace `acme/events/v1`, which only its index
 * tells. It returns at most three records a page.
 */
export async function serveSite(site: Site, mischief: Mischief = () => false) {
  const requests: { url: string; userAgent: string | undefined; conditions: unknown[] }[] = []
  const { address, close } = await listen(origin => (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const { 'if-none-match': etag, 'if-modified-since': since, 'user-agent': userAgent } = request.headers
    requests.push({ url: url.pathname + url.search, userAgent, conditions: [etag, since] })
    if (!mischief(url, response)) answer(site, url, response)
  })
  return { address, requests, close }
}

/** Items with the host replaced by one name: on another port, the site would be another source. */
export async function* withStableHost<T>(items: AsyncIterable<T>, address: string): AsyncGenerator<T> {
  const { host } = new URL(address)
  for await (const item of items) yield JSON.parse(JSON.stringify(item).replaceAll(host, 'site.example'))
}

const BASE = '/wp-json/acme/events/v1'
const PER_PAGE = 3

function answer(site: Site, url: URL, response: ServerResponse): void {
  const json = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  if (url.pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>A site</title>')
    return
  }
  if (url.pathname === '/wp-json/') {
    const names = [
      '/acme/events/v1',
      ...['events', 'venues', 'organizers'].map(name => `/acme/events/v1/${name}`),
    ]
    json(200, {
      name: 'A site',
      namespaces: ['wp/v2', 'acme/events/v1'],
      routes: Object.fromEntries(['/wp/v2/posts', ...names].map(name => [name, {}])),
    })
    return
  }
  const name = (Object.keys(site) as (keyof Site)[]).find(key => url.pathname === `${BASE}/${key}`) // Its keys are these.
  if (!name) {
    json(404, { code: 'rest_no_route', message: 'no', data: { status: 404 } })
    return
  }
  const page = Number(url.searchParams.get('page') ?? 1)
  const items = site[name].slice((page - 1) * PER_PAGE, page * PER_PAGE)
  if (items.length === 0 && page > 1) {
    json(404, { code: `${name}-archive-page-not-found` })
    return
  }
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  const more = site[name].length > page * PER_PAGE
  json(200, {
    [name]: items,
    rest_url: url.href,
    ...(more && { next_rest_url: next.href }),
    // Totals are not to be trusted, and some are texts.
    total: '1',
    total_pages: 1,
  })
}

/** An event as such a site returns it. */
export const event = (id: number, more: Record_ = {}): Record_ => ({
  id,
  title: `Concert ${id}`,
  slug: `concert-${id}`,
  status: 'publish',
  date: '2026-01-02 10:00:00',
  date_utc: '2026-01-02 09:00:00',
  modified: '2026-01-03 10:00:00',
  modified_utc: '2026-01-03 09:00:00',
  description: '<p>Music.</p>',
  excerpt: '',
  image: false,
  all_day: false,
  start_date: '2027-03-01 20:00:00',
  end_date: '2027-03-01 22:00:00',
  utc_start_date: '2027-03-01 19:00:00',
  utc_end_date: '2027-03-01 21:00:00',
  timezone: 'Europe/Rome',
  cost: '',
  website: '',
  venue: [],
  organizer: [],
  categories: [],
  tags: [],
  ...more,
})

export const venue = (id: number, more: Record_ = {}): Record_ => ({
  id,
  venue: `Hall ${id}`,
  slug: `hall-${id}`,
  status: 'publish',
  date: '2026-01-02 10:00:00',
  date_utc: '2026-01-02 09:00:00',
  modified: '2026-01-02 10:00:00',
  modified_utc: '2026-01-02 09:00:00',
  ...more,
})

export const emptySite = (): Site => ({ events: [], venues: [], organizers: [], categories: [], tags: [] })
