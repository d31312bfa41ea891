import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { first } from '../../../src/kit/db/query.ts'
import type { AppEnv } from '../../../src/kit/env.ts'
import { authenticate } from '../../../src/kit/http/auth.ts'
import { responseCache } from '../../../src/kit/http/caching.ts'
import { defineRead } from '../../../src/kit/http/define-read.ts'
import { respondToError } from '../../../src/kit/http/error-replies.ts'
import { integer } from '../../../src/kit/http/params.ts'
import { ok } from '../../../src/kit/http/reply.ts'
import { openDatabase, requestContext } from '../../../src/kit/http/request-context.ts'
import { settingsOf } from '../../../src/kit/settings.ts'

// A route of another media type, with a header of its own.

const poem = defineRead({
  path: '/poem.txt',
  summary: 'Read a poem',
  requires: 'read',
  produces: 'text/plain; charset=utf-8',
  query: z.object({ lines: z.optional(integer({ description: 'How many lines.' })) }),
  responses: { 200: z.string() },
  headers: { 'Poem-Lines': 'Number of lines.' },
  errors: ['rest_invalid_param'],
  load: () => first(sql`SELECT 7 AS n`, row => Number(row.n)),
  handle: (_, { prepared, query: { lines = prepared ?? 0 } }) =>
    ok('Roses are red\n'.repeat(lines), { 'Poem-Lines': String(lines), 'Poem-Secret': '1' }),
})

// A handler gets what its path names, and nothing else.
defineRead({
  path: '/poems/{id}',
  summary: 'Read one of several poems',
  requires: 'read',
  responses: { 200: z.string() },
  // @ts-expect-error
  handle: (_, { id, token }) => ok(`${id}${token}`),
})

const app = new Hono<AppEnv>()
app.use((c, next) => {
  c.set('settings', settingsOf({}))
  return next()
})
app.use(requestId(), openDatabase, authenticate, requestContext('poems/v1'))
app.onError(respondToError)
poem.mount(app)

const read = (query = '', headers = {}) =>
  app.request(`https://poems.example/poem.txt${query}`, { headers }, env)

beforeEach(() => {
  responseCache.clear()
})

it('a route may produce a text instead of JSON', async () => {
  const response = await read('?lines=1')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe('Roses are red\n')
  const etag = response.headers.get('etag') ?? ''
  expect((await read('?lines=1', { 'if-none-match': etag })).status).toBe(304)
})

it('its errors are JSON', async () => {
  const response = await read('?lines=no')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'rest_invalid_param' })
})

it('a response from memory has the headers that its route declares, and no others', async () => {
  const first = await read()
  const again = await read()
  expect(first.headers.get('poem-secret')).toBe('1')
  expect(again.headers.get('poem-secret')).toBeNull()
  for (const name of ['poem-lines', 'content-type', 'etag', 'last-modified'])
    expect([again.headers.has(name), again.headers.get(name)], name).toEqual([true, first.headers.get(name)])
  expect(await again.text()).toBe(await first.text())
})
