import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { MAX_BODY_BYTES } from '../../../src/kit/http/body.ts'
import { type Answer, basic, declareUser, makeUser, SITE, send } from '../../factories.ts'
import { sendTo } from '../../request.ts'

const editor = declareUser('editor')

describe('security headers', () => {
  it.each([
    ['a list', '/events', {}],
    ['an unknown resource', '/events/999', {}],
    ['no route', `${SITE}/nowhere`, {}],
    ['a wrong log-in', '/events', { headers: { authorization: 'Basic eDp5' } }],
    ['a refused write', '/events', { method: 'POST' }],
    ['a preflight', '/events', { method: 'OPTIONS' }],
    ['health', `${SITE}/healthz`, {}],
  ])('are on the response to %s', async (_, path, init) => {
    const { headers } = await sendTo({}, path, init)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toContain('max-age=')
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })
})

describe('bodies over the limit', () => {
  const post = (body: BodyInit) =>
    send('POST', '/events', { as: editor, body, headers: { 'content-type': 'application/json' } })

  it('are refused by their announced length', async () => {
    const { status, body } = await post('x'.repeat(MAX_BODY_BYTES + 1))
    expect([status, body.code]).toEqual([413, 'rest_payload_too_large'])
  })

  it('are refused while they stream in without a length, and read no further', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(32))
      },
    })
    expect((await post(endless)).status).toBe(413)
    expect(sent).toBeLessThan(2 * MAX_BODY_BYTES)
  })

  it('of exactly the limit are read', async () => {
    const { body } = await post(JSON.stringify({}).padEnd(MAX_BODY_BYTES, ' '))
    expect(body.code).toBe('rest_missing_callback_param')
  })
})

/**
 * A limit of two for each key. The runtime's own limit starts again with every minute of the real clock,
 * which would sometimes happen in the middle of a test.
 */
function limitOfTwo(): RateLimit {
  const counts = new Map<string, number>()
  return {
    limit: async ({ key }) => {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= 2 }
    },
  }
}

describe('rate limits', () => {
  const expectTooMany = ({ status, headers, body }: Answer) =>
    expect({ status, retryAfter: headers.get('retry-after'), code: body.code }).toEqual({
      status: 429,
      retryAfter: '60',
      code: 'rest_too_many_requests',
    })

  it('limit the writes of each user, and no reads', async () => {
    const bindings = { WRITE_LIMIT: limitOfTwo() }
    const write = (as: string) => send('POST', '/organizers', { as, json: { organizer: 'Choir' }, bindings })
    expect((await write(editor)).status).toBe(201)
    expect((await write(editor)).status).toBe(201)
    expectTooMany(await write(editor))
    expect((await send('GET', '/organizers', { as: editor, bindings })).status).toBe(200)
    expect((await write(await makeUser('other', 'author'))).status).toBe(201)
  })

  it('limit failed log-ins by address, whatever the logins, and then refuse right passwords as well', async () => {
    const bindings = { NETWORK_LIMIT: limitOfTwo() }
    const logIn = (as: string, address: string) =>
      send('GET', '/events', { as, headers: { 'cf-connecting-ip': address }, bindings })
    const wrong = basic('editor', 'guess')
    expect((await logIn(wrong, '192.0.2.1')).status).toBe(401)
    expect((await logIn(editor, '192.0.2.1')).status).toBe(200)
    expect((await logIn(basic('nobody', 'guess'), '192.0.2.1')).status).toBe(401)
    expectTooMany(await logIn('Bearer guess', '192.0.2.1'))
    expectTooMany(await logIn(editor, '192.0.2.1'))
    expect((await logIn(editor, '192.0.2.2')).status).toBe(200)
    vi.setSystemTime(Date.now() + 61_000)
    expect((await logIn(editor, '192.0.2.1')).status).toBe(200)
  })

  it('limit failed log-ins by address and login, so that others at the same address can log in', async () => {
    const counted: string[] = []
    const NETWORK_LIMIT: RateLimit = {
      limit: async ({ key }) => {
        counted.push(key)
        return { success: true }
      },
    }
    const bindings = { LOGIN_LIMIT: limitOfTwo(), NETWORK_LIMIT }
    const other = await makeUser('neighbour', 'author')
    const logIn = (as: string) =>
      send('GET', '/events', { as, headers: { 'cf-connecting-ip': '192.0.2.9' }, bindings })
    for (const wrong of [basic('editor', 'guess'), 'Bearer guess']) {
      expect((await logIn(wrong)).status).toBe(401)
      expect((await logIn(wrong)).status).toBe(401)
      expectTooMany(await logIn(wrong))
      expectTooMany(await logIn(wrong))
    }
    expectTooMany(await logIn(editor))
    expectTooMany(await logIn(basic('EDITOR', 'guess')))
    expect((await logIn(other)).status).toBe(200)
    // What a login's own limit refuses does not count for its neighbours.
    expect(counted).toEqual(new Array(4).fill('192.0.2.9'))
  })

  it('count the failures of an address with its logins where it has no limit of its own', async () => {
    const bindings = { LOGIN_LIMIT: limitOfTwo(), NETWORK_LIMIT: undefined }
    // exactOptionalPropertyTypes distinguishes an absent binding from an undefined one; the Worker doesn't.
    const older = bindings as unknown as Parameters<typeof sendTo>[0]
    const logIn = (login: string) =>
      send('GET', '/events', {
        as: basic(login, 'guess'),
        headers: { 'cf-connecting-ip': '192.0.2.10' },
        bindings: older,
      })
    expect((await logIn('one')).status).toBe(401)
    expect((await logIn('two')).status).toBe(401)
    expectTooMany(await logIn('three'))
  })

  it('limit failed log-ins by the network of IPv6, in which everybody has 2^64 addresses', async () => {
    const sent = { as: basic('editor', 'guess'), bindings: { LOGIN_LIMIT: limitOfTwo() } }
    const logIn = (address: string) =>
      send('GET', '/events', { ...sent, headers: { 'cf-connecting-ip': address } })
    expect((await logIn('2001:db8:0:1::1')).status).toBe(401)
    expect((await logIn('2001:db8:0:1:ffff::2')).status).toBe(401)
    expectTooMany(await logIn('2001:DB8:0:1:0:0:0:3'))
    expect((await logIn('2001:db8:0:2::1')).status).toBe(401)
  })

  it('are counted by the runtime', async () => {
    const bindings = { WRITE_LIMIT: env.NARROW_LIMIT }
    const sent = { as: editor, json: { organizer: 'Choir' }, bindings }
    const statuses: number[] = []
    // The limit is two a minute. If a new minute begins meanwhile, three of five requests are still in the
    // same one.
    for (let i = 0; i < 5; i++) statuses.push((await send('POST', '/organizers', sent)).status)
    expect(statuses).toContain(429)
  })

  it.each([
    ['is not bound', undefined, 0],
    ['fails, which is logged once a minute', { limit: () => Promise.reject(new Error('out of order')) }, 1],
  ])('limit nobody where one %s', async (_, limit, lines) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const bindings = { WRITE_LIMIT: limit, LOGIN_LIMIT: limit, NETWORK_LIMIT: limit }
    // exactOptionalPropertyTypes distinguishes an absent binding from an undefined one; the Worker doesn't.
    const unlimited = bindings as unknown as Parameters<typeof sendTo>[0]
    const sent = { headers: { 'cf-connecting-ip': '192.0.2.3' }, bindings: unlimited }
    expect((await send('GET', '/events', { ...sent, as: basic('editor', 'guess') })).status).toBe(401)
    const json = { organizer: 'Choir' }
    expect((await send('POST', '/organizers', { ...sent, as: editor, json })).status).toBe(201)
    const messages = logged.mock.calls.map(([line]) => JSON.parse(line).message)
    logged.mockRestore()
    expect(messages).toEqual(Array(lines).fill('out of order'))
  })
})

it.each(['<script>', 'x'.repeat(5000)])('a malformed bookmark is ignored: %.10s', async bookmark => {
  const { status, headers } = await send('GET', '/events', { headers: { 'x-d1-bookmark': bookmark } })
  expect([status, headers.get('x-d1-bookmark')]).toEqual([200, null])
})
