import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, API, makeEvent, makeVenue, query, SITE } from '../factories.ts'
import { request } from '../request.ts'
import { signedIn } from './session.ts'

const editor = signedIn('editor')
let event: Answer['body']
let venue: Answer['body']

beforeAll(async () => {
  venue = await makeVenue(editor.as, 'Town hall')
  event = await makeEvent(editor.as, { title: 'Harvest fair' })
  await query('UPDATE revision SET purges_left = 0')
})

const FRESH = '/event/harvest-fair/?fresh=1'
const CLEAN = '/event/harvest-fair/'

describe('the page of an event, as the editor links to it,', () => {
  it.each([
    ['event', () => `/admin/events/${event.id}/`, FRESH],
    ['venue', () => `/admin/venues/${venue.id}/`, '/venue/town-hall/?fresh=1'],
  ])('bypasses shared caches: %s', async (_, form, address) => {
    expect((await editor.browser.get(form())).links).toContain(address)
    const shown = await editor.browser.get(address)
    expect(shown.status).toBe(200)
    for (const [name, expected] of [
      ['cache-control', 'private, no-store'],
      ['cloudflare-cdn-cache-control', null],
      ['cache-tag', null],
    ] as const)
      expect(shown.headers.get(name), name).toEqual(expected)
  })

  it('shows what everybody sees', async () => {
    const hidden = await makeEvent(editor.as, { title: 'Hidden', status: 'draft' })
    const { status, headers } = await editor.browser.get(`/?post_type=event&p=${hidden.id}&fresh=1`)
    expect([status, headers.get('cache-control')]).toEqual([404, 'private, no-store'])
  })

  it('is read from the primary, since replicas lag behind', async () => {
    const sessions: (string | undefined)[] = []
    const DB = new Proxy(env.DB, {
      get: (target, name) => {
        if (name === 'withSession')
          return (constraint?: string) => {
            sessions.push(constraint)
            return target.withSession(constraint)
          }
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    expect((await editor.browser.with({ DB }).get(FRESH)).status).toBe(200)
    expect(sessions).toEqual(['first-unconstrained', 'first-primary'])
  })
})

describe('visitors are redirected to the cached address', () => {
  it.each<[string, Record<string, string>]>([
    ['without a cookie', {}],
    ['with a made up one', { cookie: '__Host-session=00112233' }],
    ['with a password', { authorization: 'Basic YTpi' }],
  ])('%s, with a redirect that is not cached', async (_, headers) => {
    for (const [path, clean] of [
      [FRESH, CLEAN],
      ['/events/?search=fair&fresh', '/events/?search=fair'],
      ['/events/?fresh=1&fresh=2&search=caf%C3%A9', '/events/?search=caf%C3%A9'],
      ['//evil.example/?fresh=1', '//evil.example/'],
    ] as const) {
      const response = await request(SITE + path, { headers, redirect: 'manual' })
      expect([response.status, response.headers.get('location')], path).toEqual([302, SITE + clean])
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(response.headers.get('cache-tag')).toBeNull()
    }
  })

  it('but not from an address of the API', async () => {
    expect((await request(`${API}/events?fresh=1`)).status).toBe(200)
  })
})
