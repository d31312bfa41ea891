import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { settingsOf } from '../src/settings.ts'
import { API, makeUser } from './factories.ts'

// One trip to D1 for a read, three for a write at the most; checking credentials is one more.

const WHEN = { start_date: '2027-01-10 10:00:00', end_date: '2027-01-10 12:00:00' }
const app = createApp(settingsOf({ DEBUG_TIMING: '1' }))
let admin: string

async function tripsOf(method: string, path: string, json?: object): Promise<number> {
  const headers = {
    ...(method !== 'GET' && { authorization: admin }),
    ...(json && { 'content-type': 'application/json' }),
  }
  const request = { method, headers, ...(json && { body: JSON.stringify(json) }) }
  const answer = await app.request(API + path, request, env, createExecutionContext())
  expect(answer.status, `${method} ${path} ${await answer.clone().text()}`).toBeLessThan(300)
  const trips = Number(answer.headers.get('server-timing')?.match(/trips;desc="(\d+)"/)?.[1])
  return method === 'GET' ? trips : trips - 1
}

const everything = {
  ...WHEN,
  venue: [1, { venue: 'New hall' }],
  organizer: [{ organizer: 'New guild' }, 1],
  categories: ['Music', 'New'],
  tags: ['t', 'u'],
  image: 'https://example.org/i.jpg',
  author: 1,
}

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
  await tripsOf('POST', '/events', {
    title: 'First',
    ...everything,
    venue: [{ venue: 'Hall' }],
    organizer: [{ organizer: 'Guild' }],
  })
})

describe('a read makes one trip', () => {
  it.each([
    '/events',
    '/events?per_page=50&search=first&categories=music&tags=t&venue=1&organizer=1&status=publish',
    '/events?include=1&geoloc=false&ticketed=false&featured=false',
    '/events?geoloc_lat=1&geoloc_lng=1&orderby=title&order=desc',
    '/events/1',
    '/events/by-slug/first',
    '/venues?event=1&search=hall&has_events=true&only_with_upcoming=true',
    '/venues/1',
    '/organizers/by-slug/guild',
    '/categories?event=1&search=music',
    '/tags',
    '/tags/4',
  ])('GET %s', async path => {
    expect(await tripsOf('GET', path)).toBe(1)
  })
})

describe('a write makes three trips at the most', () => {
  it.each<[string, string, object?]>([
    ['POST', '/events', { title: 'Second', ...everything }],
    ['PATCH', '/events/1', everything],
    [
      'PUT',
      '/events/by-slug/first',
      { title: 'Renamed', slug: 'renamed', timezone: 'Europe/Rome', all_day: true },
    ],
    ['DELETE', '/events/1'],
    ['DELETE', '/events/1?force=true'],
    ['POST', '/venues', { venue: 'Third hall', image: 'https://example.org/h.jpg', author: 1 }],
    ['PATCH', '/venues/1', { city: 'Kent', slug: 'kent' }],
    ['DELETE', '/venues/1?force=true'],
    ['POST', '/organizers', { organizer: 'Third guild' }],
    ['POST', '/categories', { name: 'Jazz', parent: 2 }],
    ['PATCH', '/categories/2', { name: 'Sound', parent: 0, slug: 'sound' }],
    ['DELETE', '/categories/2'],
    ['POST', '/tags', { name: 'v' }],
    ['PATCH', '/tags/4', { description: 'x' }],
    ['DELETE', '/tags/4'],
  ])('%s %s', async (method, path, json) => {
    expect(await tripsOf(method, path, json)).toBeLessThanOrEqual(3)
  })
})
