import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { ApiError } from '../../../src/kit/lib/errors.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { logError } from '../../../src/kit/work/error-log.ts'
import { declareUser, SITE } from '../../factories.ts'
import { sendTo } from '../../request.ts'
import { faultyD1 } from './faulty-d1.ts'
import { jsonRequest } from './worker.ts'

const lines = vi.spyOn(console, 'log')
const errors = vi.spyOn(console, 'error')

const editor = declareUser('editor')

beforeEach(() => {
  lines.mockReset()
  errors.mockReset()
})

/** The only logged line. */
function logged() {
  expect(lines).toHaveBeenCalledTimes(1)
  return JSON.parse(String(lines.mock.calls[0]?.[0]))
}

describe('the line of a request', () => {
  it('has the method, the route, the status and the costs', async () => {
    // Another object counts as another database, for which no password is in memory.
    const { DB } = faultyD1()
    const response = await sendTo({ DB }, '/events?search=surgery', { headers: { authorization: editor } })
    expect(logged()).toEqual({
      id: response.headers.get('x-request-id'),
      method: 'GET',
      route: '/calendar/events/v1/events',
      status: 200,
      ms: expect.any(Number),
      sql_ms: expect.any(Number),
      round_trips: 2,
      statements: expect.any(Number),
      rows_read: expect.any(Number),
      rows_written: 0,
      cache: 'none',
      user: 1,
    })
  })

  it('names the route, not the search', async () => {
    await sendTo({}, '/events/by-slug/chess-with-anna')
    expect(logged().route).toBe('/calendar/events/v1/events/by-slug/:slug')
  })

  it.each([
    ['an unknown address', `${SITE}/secret-path?token=secret`, {}, 404],
    ['a failed log-in', '/events?q=secret', { headers: { authorization: 'Bearer secret' } }, 401],
    ['a refused write', '/events', jsonRequest('POST', { title: 'secret' }), 401],
  ])('is written for %s too, without what it contained', async (_, path, init, status) => {
    await sendTo({}, path, init)
    expect(logged()).toMatchObject({ status, user: 0 })
    expect(JSON.stringify(lines.mock.calls)).not.toContain('secret')
  })

  it('names the result of caching', async () => {
    const etag = (await sendTo({}, '/events')).headers.get('etag') ?? ''
    const ask = async (tag: string, path = '/events') => {
      lines.mockReset()
      await sendTo({}, path, { headers: { 'if-none-match': tag } })
      return logged()
    }
    expect(await ask(etag)).toMatchObject({ status: 304, cache: 'hit', rows_read: 1 })
    expect(await ask('"other"', '/events?page=1')).toMatchObject({ status: 200, cache: 'miss' })
    expect(await ask('"other"')).toMatchObject({ status: 200, cache: 'memory' })
  })

  it('counts what a write wrote', async () => {
    await sendTo({}, '/organizers', jsonRequest('POST', { organizer: 'Choir' }, { authorization: editor }))
    expect(logged()).toMatchObject({ method: 'POST', status: 201, user: 1 })
    expect(logged().rows_written).toBeGreaterThan(0)
  })
})

describe('no line', () => {
  /** Digits, which every kind of token may consist of. */
  const SECRET = '31415926535897932384626433832795'
  const VARS = { SUBMISSIONS: 'on', CORE_PREFIX: 'wp-json' }
  const { routes } = createApp(settingsOf(VARS))
  const paths = Map.groupBy(routes, ({ path }) => path)

  /** A value for a parameter of a route, with the secret if its form allows it. */
  function valueFor(form: string): string {
    const values = [
      ...[
        SECRET,
        `${SECRET}-1`,
        `1-${SECRET}`,
        `${SECRET}.ics`,
        `feed/${SECRET}`,
        `sitemap-events-${SECRET}.xml`,
      ],
      ...['2026-11', '2026-11-20', '2026-W47', '1'],
    ]
    const value = values.find(one => new RegExp(`^(?:${form})$`).test(one))
    if (value === undefined) throw new Error(`Which value has the form ${form}?`)
    return value
  }

  const withSecrets = (path: string): string =>
    path
      .replace(/\*$/, SECRET)
      .replace(/:\w+(?:\{((?:[^{}]|\{[^{}]*\})*)\})?/g, (_, form = '[^/]+') => valueFor(form))

  it.each([...paths.keys()])('of %s has a secret of the request', async path => {
    const headers = {
      cookie: `__Host-session=${SECRET}`,
      referer: `${SITE}/admin/link/${SECRET}/`,
      'idempotency-key': SECRET,
      'x-d1-bookmark': SECRET,
      'if-match': `"${SECRET}"`,
    }
    const address = `${SITE}${withSecrets(path)}?secret=${SECRET}&search=${SECRET}`
    const methods = new Set(paths.get(path)?.map(({ method }) => method.replace('ALL', 'GET')))
    for (const method of [...methods, 'PURGE']) {
      const body = method === 'GET' ? {} : { body: `secret=${SECRET}&code=${SECRET}` }
      const { status } = await sendTo(VARS, address, { method, headers, ...body })
      // Without e-mail, some routes answer 501.
      if (status !== 501) expect(status, method).toBeLessThan(500)
    }
    expect(lines).toHaveBeenCalledTimes(methods.size + 1)
    expect(JSON.stringify([lines.mock.calls, errors.mock.calls])).not.toContain(SECRET)
  })

  it('of an error has the address or the token in its message', async () => {
    const message = `no response of ${SITE}/admin/link/${SECRET}/?secret=${SECRET}: ${SECRET} is unknown`
    const { DB } = faultyD1({ message, times: Infinity })
    await sendTo({ ...VARS, DB }, `${SITE}/submit/${SECRET}/`)
    expect(JSON.parse(String(errors.mock.calls[0]?.[0])).message).toBe('no response of … … is unknown')
    expect(JSON.stringify([lines.mock.calls, errors.mock.calls])).not.toContain(SECRET)
  })
})

describe('the line of an error', () => {
  it('has the message of D1 if the response only says that it cannot be reached', async () => {
    const { DB } = faultyD1({ message: `D1_ERROR: disk of 'anna' is full: SQLITE_FULL`, times: Infinity })
    for (const path of ['/events', `${SITE}/events/`, `${SITE}/embed/fragment`]) {
      errors.mockReset()
      expect((await sendTo({ DB }, path)).status, path).toBe(503)
      expect(errors, path).toHaveBeenCalledTimes(1)
      const line = JSON.parse(String(errors.mock.calls[0]?.[0]))
      expect(line, path).toMatchObject({
        error: 'Error',
        message: `D1_ERROR: disk of '…' is full: SQLITE_FULL`,
      })
    }
  })

  it('has the request’s id, the name and the message, and where it was thrown, but nothing quoted', async () => {
    const message = `D1_ERROR: near "anna@example.org": syntax error, 'secret'`
    const { DB } = faultyD1({ message, times: Infinity })
    const response = await sendTo({ DB }, '/events')
    expect(errors).toHaveBeenCalledTimes(1)
    const line = JSON.parse(String(errors.mock.calls[0]?.[0]))
    expect(line).toEqual({
      id: response.headers.get('x-request-id'),
      error: 'Error',
      message: `D1_ERROR: near "…": syntax error, '…'`,
      at: expect.any(Array),
    })
    expect(line.at[0]).toContain('faulty-d1')
    expect(JSON.stringify(line.at)).not.toMatch(/anna|secret/)
  })

  const lineOf = (error: Error) => {
    logError('work', error)
    return JSON.parse(String(errors.mock.calls[0]?.[0]))
  }

  it('has the code of an error, and what an error with a cause made of it', () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const error = new ApiError('rest_mail_unavailable', "The e-mail to 'anna' isn't sent.", { cause })
    expect(lineOf(error)).toMatchObject({
      error: 'Error',
      code: 'ECONNREFUSED',
      message: 'connect',
      became: { code: 'rest_mail_unavailable', message: "The e-mail to '…' isn't sent." },
    })
    errors.mockReset()
    expect(lineOf(new ApiError('rest_forbidden', 'No.'))).toEqual({
      id: 'work',
      error: 'ApiError',
      code: 'rest_forbidden',
      message: 'No.',
      at: expect.any(Array),
    })
  })

  it.each([
    [
      "There aren't that many places, and the source doesn't say.",
      "There aren't that many places, and the source doesn't say.",
    ],
    ["near 'O'Brien': it isn't 'Ann's'", "near '…': it isn't '…'"],
    ["a name='secret', 'a','b' and `c`", "a name='…', '…','…' and `…`"],
    ['cut "secret wor', 'cut "…"'],
    ["cut 'they aren't secr", "cut '…'"],
    ['to anna@mail.example or <ben@mail.example>: no', 'to … or … no'],
  ])('has nothing quoted and no address, and is whole otherwise: %s', (message, shown) => {
    expect(lineOf(new Error(message)).message).toBe(shown)
  })
})

describe('the id of a request', () => {
  const idOf = async (given: string) =>
    (await sendTo({}, '/events', { headers: { 'x-request-id': given } })).headers.get('x-request-id')

  it('is the client’s if it looks like an id', async () => {
    expect(await idOf('4f0c-trace_1')).toBe('4f0c-trace_1')
  })

  it.each(['two words', '<script>', 'x'.repeat(300), '{"a":1}'])('is not %j', async given => {
    expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/)
  })
})
