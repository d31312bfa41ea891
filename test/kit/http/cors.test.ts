import { describe, expect, it, vi } from 'vitest'
import { settingsOf } from '../../../src/kit/settings.ts'
import { declareUser, SITE } from '../../factories.ts'
import { sendTo } from '../../request.ts'
import { jsonRequest } from './worker.ts'

const TRUSTED = 'https://admin.example'
const STRANGER = 'https://stranger.example'
const bindings = { ALLOWED_ORIGINS: `${TRUSTED}, http://localhost:3000` }

const ask = (path: string, init?: RequestInit) => sendTo(bindings, path, init)
const preflight = (origin: string, method: string) =>
  ask('/events', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } })
const allowed = (response: Response) => response.headers.get('access-control-allow-origin')

const editor = declareUser('editor')

describe('reads', () => {
  it.each([STRANGER, TRUSTED, undefined])('are open to %s, without credentials', async origin => {
    const response = await ask('/events', origin ? { headers: { origin } } : {})
    expect(response.status).toBe(200)
    expect(allowed(response)).toBe('*')
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
    expect(response.headers.get('vary') ?? '').not.toContain('Origin')
  })

  it('expose totals, links, the entity tag and the rest that clients need', async () => {
    const exposed = (await ask('/events')).headers.get('access-control-expose-headers')?.split(', ')
    // test/kit/docs/complete.test.ts demands all headers that the document has.
    expect(exposed).toEqual(expect.arrayContaining(['X-TEC-Total', 'Link', 'Allow', 'ETag', 'x-d1-bookmark']))
  })

  it('show their errors to scripts as well', async () => {
    const response = await ask('/events/999', { headers: { origin: STRANGER } })
    expect(response.status).toBe(404)
    expect(allowed(response)).toBe('*')
  })
})

describe('preflights', () => {
  it('let strangers read, but not log in', async () => {
    const response = await preflight(STRANGER, 'GET')
    expect(response.status).toBe(204)
    expect(allowed(response)).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
    expect(response.headers.get('access-control-allow-headers')).not.toContain('Authorization')
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('refuse %s to strangers', async method => {
    const response = await preflight(STRANGER, method)
    expect(response.status).toBe(204)
    expect(allowed(response)).toBeNull()
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'allow %s with a log-in to trusted origins',
    async method => {
      const response = await preflight(TRUSTED, method)
      expect(allowed(response)).toBe(TRUSTED)
      expect(response.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
      expect(response.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['Authorization', 'Content-Type', 'If-Match', 'X-WP-Nonce']),
      )
      expect(response.headers.get('vary')).toContain('Origin')
    },
  )
})

describe('writes', () => {
  const create = (headers: Record<string, string>) =>
    ask('/organizers', jsonRequest('POST', { organizer: 'Choir' }, { authorization: editor, ...headers }))

  it('from trusted origins get a response that these can read', async () => {
    const response = await create({ origin: TRUSTED })
    expect(response.status).toBe(201)
    expect(allowed(response)).toBe(TRUSTED)
    expect(response.headers.get('vary')).toContain('Origin')
  })

  it('from strangers are refused, in case the browser added a remembered password', async () => {
    const response = await create({ origin: STRANGER })
    expect(response.status).toBe(403)
    expect(allowed(response)).toBeNull()
  })

  it.each(['http://localhost:5173', 'http://127.0.0.1:3000'])(
    'from %s are taken by a service on the same computer, and by no other',
    async origin => {
      const local = 'http://localhost:8787/calendar/events/v1/organizers'
      const headers = { authorization: editor, origin }
      const response = await sendTo({}, local, jsonRequest('POST', { organizer: 'Choir' }, headers))
      expect([response.status, allowed(response)]).toEqual([201, origin])
      const asked = { origin, 'access-control-request-method': 'POST' }
      expect(allowed(await sendTo({}, local, { method: 'OPTIONS', headers: asked }))).toBe(origin)
      const elsewhere = await sendTo({}, '/organizers', jsonRequest('POST', { organizer: 'Choir' }, headers))
      expect([elsewhere.status, allowed(elsewhere)]).toEqual([403, null])
      const stranger = jsonRequest(
        'POST',
        { organizer: 'Choir' },
        { authorization: editor, origin: STRANGER },
      )
      expect((await sendTo({}, local, stranger)).status).toBe(403)
    },
  )

  it('that are refused are logged, with what would allow them', async () => {
    const logged = vi.spyOn(console, 'warn').mockReturnValue()
    const long = `https://${'x'.repeat(5_000)}.example`
    for (const origin of [STRANGER, long]) {
      expect((await create({ origin })).status).toBe(403)
      await preflight(origin, 'DELETE')
    }
    await preflight(TRUSTED, 'DELETE')
    await preflight(STRANGER, 'GET')
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)))
    logged.mockRestore()
    expect(lines.map(({ refused_origin }) => refused_origin)).toEqual([
      ...[STRANGER, STRANGER],
      ...[long.slice(0, 200), long.slice(0, 200)],
    ])
    for (const { hint } of lines) expect(hint).toContain('ALLOWED_ORIGINS')
  })

  it('from the site itself and from outside of browsers need no permission', async () => {
    expect((await create({ origin: SITE })).status).toBe(201)
    expect((await create({})).status).toBe(201)
  })
})

it.each(['admin.example', 'https://admin.example/', '*', 'https://*.example.org'])(
  '%s is refused as an allowed origin',
  ALLOWED_ORIGINS => {
    expect(() => settingsOf({ ALLOWED_ORIGINS })).toThrow('ALLOWED_ORIGINS')
  },
)
