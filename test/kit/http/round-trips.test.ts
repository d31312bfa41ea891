import { beforeEach, describe, expect, it } from 'vitest'
import { responseCache } from '../../../src/kit/http/caching.ts'
import { declareUser, makeEvent, WHEN } from '../../factories.ts'
import { measure } from './metrics.ts'

// A read makes one trip to D1, or two if this instance has an older response; a write makes three at most.
// The first trip also checks the credentials, if they were right the last time.

const admin = declareUser('administrator', 'admin')

async function tripsOf(method: string, path: string, json?: object): Promise<number> {
  const answer = await measure(method, path, { ...(method !== 'GET' && { as: admin }), json })
  expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
  return answer.trips
}

type Things = { event: number; venue: number; organizer: number; category: number; tag: number; n: number }
let things: Things
let n = 0

/** The fields of an event with every kind of related rows, existing and new. */
const everything = ({ venue, organizer, category, tag, n }: Record<keyof Things, unknown>) => ({
  ...WHEN,
  venue: [venue, { venue: `New hall ${n}` }],
  organizer: [{ organizer: `New guild ${n}` }, organizer],
  categories: [category, `New ${n}`],
  tags: [tag, `u ${n}`],
  image: `https://example.org/${n}.jpg`,
  author: 1,
})

// Creating the event also creates its venue, organizer and terms.
beforeEach(async () => {
  n++
  const venue = { venue: `Hall ${n}` }
  const organizer = { organizer: `Guild ${n}` }
  const made = { venue, organizer, category: `Music ${n}`, tag: `t ${n}`, event: 0, n }
  const event = await makeEvent(admin, { title: `First ${n}`, ...everything(made) })
  const idOf = (all: { id: number; name: string }[], name: string) =>
    all.find(one => one.name === name)?.id ?? 0
  things = {
    n,
    event: event.id,
    venue: event.venue[0].id,
    organizer: event.organizer[1].id,
    category: idOf(event.categories, made.category),
    tag: idOf(event.tags, made.tag),
  }
})

/** Fills ids and the number of the test into a path. */
const pathOf = (pattern: string): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name) => String(things[name as keyof Things])) // The names below are keys.

describe('a read makes one trip, and one more after a change', () => {
  it.each([
    '/events',
    '/events?per_page=50&search=first&categories=music-{n}&tags=t-{n}&venue={venue}&organizer={organizer}&status=publish',
    '/events?include={event}&geoloc=false&ticketed=false&featured=false',
    '/events?geoloc_lat=1&geoloc_lng=1&orderby=title&order=desc',
    '/events/{event}',
    '/events/by-slug/first-{n}',
    '/venues?event={event}&search=hall&has_events=true&only_with_upcoming=true',
    '/venues/{venue}',
    '/organizers/by-slug/guild-{n}',
    '/categories?event={event}&search=music',
    '/tags',
    '/tags/{tag}',
  ])('when it is GET %s', async pattern => {
    const path = pathOf(pattern)
    responseCache.clear()
    expect(await tripsOf('GET', path)).toBe(1)
    expect(await tripsOf('GET', path)).toBe(1)
    await tripsOf('PATCH', pathOf('/events/{event}'), { cost: `$${n}` })
    // The first shows that something has changed.
    expect(await tripsOf('GET', path)).toBe(2)
    expect(await tripsOf('GET', path)).toBe(1)
  })
})

describe('a write makes three trips at most', () => {
  it.each<[string, string, ((things: Things) => object)?]>([
    ['POST', '/events', things => ({ title: 'Second', ...everything(things) })],
    ['PATCH', '/events/{event}', everything],
    [
      'PUT',
      '/events/by-slug/first-{n}',
      () => ({ title: 'Renamed', slug: 'renamed', timezone: 'Europe/Rome', all_day: true }),
    ],
    ['DELETE', '/events/{event}'],
    ['DELETE', '/events/{event}?force=true'],
    ['POST', '/venues', () => ({ venue: 'Third hall', image: 'https://example.org/h.jpg', author: 1 })],
    ['PATCH', '/venues/{venue}', () => ({ city: 'Kent', slug: 'kent' })],
    ['DELETE', '/venues/{venue}?force=true&detach=true'],
    ['POST', '/organizers', () => ({ organizer: 'Third guild' })],
    ['POST', '/categories', ({ category }) => ({ name: 'Jazz', parent: category })],
    ['PATCH', '/categories/{category}', () => ({ name: 'Sound', parent: 0, slug: 'sound' })],
    ['DELETE', '/categories/{category}'],
    ['POST', '/tags', () => ({ name: 'v' })],
    ['PATCH', '/tags/{tag}', () => ({ description: 'x' })],
    ['DELETE', '/tags/{tag}'],
  ])('when it is %s %s', async (method, pattern, fields) => {
    expect(await tripsOf(method, pathOf(pattern), fields?.(things))).toBeLessThanOrEqual(3)
  })
})
