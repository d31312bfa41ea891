import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { declareUser, makeEvent, SITE, send } from '../../factories.ts'
import { sendTo } from '../../request.ts'

const admin = declareUser('administrator', 'admin')
const reader = declareUser('subscriber')
const PLUGIN = `${SITE}/wp-json/tribe/events/v1`
/** A calendar whose vars don't mention aliases. */
const app = createApp(settingsOf({ TIMEZONE: 'UTC' }))
const ask = async (address: string, init: RequestInit = {}) => {
  const response = await app.request(address, init, env)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
}
const statusOf = async (id: number) => (await send('GET', `/events/${id}`, { as: admin })).body.status

describe('the address of the plugin', () => {
  it('serves the API, whose links lead back to it', async () => {
    const { id } = await makeEvent(admin, { title: 'By the other way' })
    for (const address of [
      `${PLUGIN}/events/${id}`,
      `${PLUGIN}/events/${id}/`,
      `${SITE}/?rest_route=/tribe/events/v1/events/${id}`,
      `${SITE}/index.php?rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents%2F${id}`,
      `${SITE}/index.php/wp-json/tribe/events/v1/events/${id}`,
    ]) {
      const { status, body } = await ask(address)
      expect({ status, title: body.title, rest_url: body.rest_url }, address).toEqual({
        status: 200,
        title: 'By the other way',
        rest_url: `${PLUGIN}/events/${id}`,
      })
    }
  })

  it('is in the header where clients look for the root', async () => {
    for (const [root, address] of [
      [PLUGIN, PLUGIN],
      [PLUGIN, `${SITE}/?rest_route=/tribe/events/v1/`],
      [`${SITE}/calendar/events/v1`, `${SITE}/calendar/events/v1/`],
    ]) {
      const { headers } = await ask(address ?? '')
      expect([headers.get('x-tec-api-root'), headers.get('x-tec-api-origin')]).toEqual([`${root}/`, SITE])
    }
  })

  it('keeps the parameters, and has cached responses of its own', async () => {
    const list = (query: string) => ask(`${SITE}/?rest_route=/tribe/events/v1/events${query}`)
    const two = await list('&per_page=2')
    expect(two.body.rest_url).toContain(`${PLUGIN}/events?`)
    expect(two.body.rest_url).not.toContain('rest_route')
    const tag = two.headers.get('etag') ?? ''
    const again = await ask(`${SITE}/?rest_route=/tribe/events/v1/events&per_page=3`, {
      headers: { 'if-none-match': tag },
    })
    expect(again.status).toBe(200)
  })

  it('serves none of the pages, and answers unknown routes like any below it', async () => {
    expect((await ask(`${PLUGIN}/nothing`)).body.code).toBe('rest_no_route')
    expect((await ask(`${SITE}/?rest_route=/nothing`)).body.code).toBe('rest_no_route')
    for (const way of ['/../', '/./../', '/%2e%2e/', '/tribe/../../', '/\\..\\', '//x/../../', '/.%2E/'])
      for (const page of ['admin/sign-in/', 'events/', 'healthz', 'calendar/events/v1/events', '']) {
        const { status, body } = await ask(`${SITE}/?rest_route=${encodeURIComponent(way + page)}`)
        // What ends below is the index.
        const isIndex = page === '' && body.namespaces !== undefined
        expect([status, body.code], way + page).toEqual(isIndex ? [200, undefined] : [404, 'rest_no_route'])
      }
    expect(
      (await ask(`${SITE}/events/?rest_route=/tribe/events/v1/events`)).headers.get('content-type'),
    ).toMatch(/^text\/html/)
    const without = createApp(settingsOf({ NAMESPACE_ALIASES: '' }))
    expect((await without.request(`${PLUGIN}/events`, {}, env)).status).toBe(404)
  })
})

describe('a method that overrides POST', () => {
  const post = (path: string, headers: Record<string, string>, body?: object) =>
    ask(path.startsWith('http') ? path : `${PLUGIN}${path}`, {
      method: 'POST',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })

  it('replaces POST, with the rights of that method', async () => {
    const { id } = await makeEvent(admin, { title: 'Overridden' })
    const as = { authorization: admin }
    const patched = await post(
      `/events/${id}`,
      { ...as, 'x-http-method-override': 'patch' },
      { title: 'Changed' },
    )
    expect([patched.status, patched.body.title]).toEqual([200, 'Changed'])
    const refused = await post(`/events/${id}`, { authorization: reader, 'x-http-method-override': 'DELETE' })
    expect(refused.status).toBe(403)
    expect((await post(`/events/${id}`, { 'x-http-method-override': 'DELETE' })).status).toBe(401)
    expect(await statusOf(id)).toBe('publish')
    const deleted = await post(`/events/${id}?_method=DELETE`, as)
    expect([deleted.status, deleted.body.status]).toEqual([200, 'trash'])
  })

  it('is refused, and nothing is done, if it may not override POST', async () => {
    const { id } = await makeEvent(admin, { title: 'Not overridden' })
    const as = { authorization: admin }
    for (const method of ['GET', 'HEAD', 'TRACE', 'x'])
      for (const [path, headers, params] of [
        [
          `/events/${id}`,
          { 'x-http-method-override': method },
          { 'X-HTTP-Method-Override': 'must be PUT, PATCH or DELETE' },
        ],
        [`/events/${id}?_method=${method}`, {}, { _method: 'must be PUT, PATCH or DELETE' }],
        [
          `/events/${id}?_method=${method}`,
          { 'x-http-method-override': 'DELETE' },
          { 'X-HTTP-Method-Override': 'must name one method only' },
        ],
      ] as const) {
        const { status, body, headers: got } = await post(path, { ...as, ...headers }, { title: 'Changed' })
        expect([status, body.data.params]).toEqual([400, params])
        expect(got.get('x-request-id')).toMatch(/./)
      }
    expect((await send('GET', `/events/${id}`)).body.title).toBe('Not overridden')
  })

  it('is ignored for pages of other origins, and outside the API', async () => {
    const { id } = await makeEvent(admin, { title: 'Elsewhere' })
    const origin = 'https://evil.example'
    const headers = { authorization: admin, origin, 'x-http-method-override': 'DELETE' }
    expect((await post(`/events/${id}`, headers)).status).toBe(403)
    expect(await statusOf(id)).toBe('publish')
    for (const path of ['/admin/events/', '/submit/']) {
      const { status } = await post(SITE + path, { 'x-http-method-override': 'x' })
      expect(status, path).not.toBe(400)
    }
    const asked = await ask(`${PLUGIN}/events/${id}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(asked.headers.get('access-control-allow-headers') ?? '').not.toMatch(/override/i)
  })

  it('is ignored in the requests of a batch', async () => {
    const { id } = await makeEvent(admin, { title: 'In a batch' })
    const requests = [
      {
        method: 'POST',
        path: `/events/${id}?_method=DELETE`,
        headers: { 'x-http-method-override': 'DELETE' },
        body: { title: 'X' },
      },
    ]
    await sendTo({}, `${SITE}/calendar/events/v1/batch`, {
      method: 'POST',
      headers: { authorization: admin, 'content-type': 'application/json' },
      body: JSON.stringify({ requests }),
    })
    expect(await statusOf(id)).toBe('publish')
  })
})
