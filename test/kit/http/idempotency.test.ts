import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../../src/index.ts'
import type { Bindings } from '../../../src/kit/env.ts'
import { badNames } from '../../attacks/requests.ts'
import { GIF } from '../../calendar/media/samples.ts'
import {
  type Answer,
  countRows,
  declareUser,
  makeUser,
  query,
  type Sending,
  SITE,
  send,
  WHEN,
} from '../../factories.ts'
import { faultyD1 } from './faulty-d1.ts'
import { measure } from './metrics.ts'

const admin = declareUser('administrator', 'admin')
const other = declareUser('editor', 'other')

let keys = 0
const newKey = () => `key ${++keys}`

type Post = Omit<Sending, 'json'> & { key?: string; path?: string; json?: object }

const post = ({ key, path = '/events', headers, ...sent }: Post = {}) =>
  send('POST', path, {
    as: admin,
    json: { title: 'Once', ...WHEN },
    ...sent,
    headers: { ...(key !== undefined && { 'idempotency-key': key }), ...headers },
  })

const isReplayed = ({ headers }: Pick<Answer, 'headers'>) => headers.get('idempotency-replayed') === 'true'

describe('a key that was used before', () => {
  it.each<[string, Post, string]>([
    ['an event', {}, 'events'],
    ['a refused one', { json: { title: 'x' } }, 'events'],
    [
      'one with an unknown field',
      { json: { title: 'x', ...WHEN, colour: 'red', descripton: 'y' } },
      'events',
    ],
    ['a tag', { path: '/tags', json: { name: 'only once' } }, 'terms'],
    [
      'a batch',
      { path: '/batch', json: { requests: [{ path: '/venues', body: { venue: 'V' } }] } },
      'venues',
    ],
    [
      'a batch as one',
      {
        path: '/batch',
        json: {
          validation: 'require-all-validate',
          requests: [
            { path: '/organizers', body: { organizer: 'V' } },
            { path: '/tags', body: { name: 'joint' } },
          ],
        },
      },
      'terms',
    ],
    [
      'a batch as one that is not valid',
      { path: '/batch', json: { validation: 'require-all-validate', requests: [{ path: '/nothing' }] } },
      'terms',
    ],
    ['no address', { path: '/nothing', json: {} }, 'events'],
  ])('gives the response again, and writes nothing: %s', async (_, request, table) => {
    const key = newKey()
    const first = await post({ key, ...request })
    const rows = await countRows(table)
    const audited = await countRows('audit')
    const second = await post({ key, ...request })
    expect([second.status, second.text]).toEqual([first.status, first.text])
    const names = ['content-type', 'location', 'etag', 'x-ignored-fields', 'x-did-you-mean', 'x-batch-failed']
    for (const name of names) expect(second.headers.get(name)).toBe(first.headers.get(name))
    expect([isReplayed(first), isReplayed(second)]).toEqual([false, true])
    expect([await countRows(table), await countRows('audit')]).toEqual([rows, audited])
  })

  it('belongs to one user', async () => {
    const key = newKey()
    const first = await post({ key })
    const second = await post({ key, as: other })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.id).not.toBe(first.body.id)
    expect(isReplayed(second)).toBe(false)
  })

  it('counts for an upload with any boundary', async () => {
    const key = newKey()
    const upload = (boundary: string) =>
      send('POST', '/media', {
        as: admin,
        body: Buffer.concat([
          Buffer.from(
            `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\n`,
          ),
          Buffer.from(GIF),
          Buffer.from(`\r\n--${boundary}--\r\n`),
        ]),
        headers: { 'idempotency-key': key, 'content-type': `multipart/form-data; boundary=${boundary}` },
      })
    const first = await upload('abc123')
    const second = await upload('xyz789')
    expect(first.status).toBe(201)
    expect({ status: second.status, text: second.text, isReplayed: isReplayed(second) }).toEqual({
      status: 201,
      text: first.text,
      isReplayed: true,
    })
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
  })

  it.each<[string, Post]>([
    ['body', { json: { title: 'Other', ...WHEN } }],
    ['address', { path: '/events?scope=this' }],
    ['resource', { path: '/venues' }],
    ['type of its body', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('is refused with another %s', async (_, request) => {
    const key = newKey()
    await post({ key })
    const events = await countRows('events')
    const answer = await post({ key, ...request })
    expect([answer.status, answer.body.code]).toEqual([422, 'rest_idempotency_mismatch'])
    expect(await countRows('events')).toBe(events)
  })

  it('is refused to a user whose role has changed, and who may not see the response', async () => {
    const as = await makeUser('demoted', 'editor')
    const key = newKey()
    expect((await post({ as, key })).status).toBe(201)
    await query("UPDATE users SET role = 'contributor' WHERE login = 'demoted'")
    expect((await post({ as, key })).body.code).toBe('rest_idempotency_mismatch')
  })

  it('counts for a day, until the cron deletes it', async () => {
    const key = newKey()
    const first = await post({ key })
    const age = (by: string) =>
      query('UPDATE idempotency_keys SET at_utc = datetime(at_utc, ?) WHERE key = ?', by, key)
    const controller = createScheduledController({ scheduledTime: new Date() })
    const countAfterCron = async () => {
      // The handler uses nothing else of the bindings.
      await worker.scheduled(controller, env as unknown as Bindings)
      return countRows(`idempotency_keys WHERE key = '${key}'`)
    }
    await age('-1 day')
    expect([await countAfterCron(), isReplayed(await post({ key }))]).toEqual([1, true])
    await age('-1 second')
    const second = await post({ key, json: { title: 'A day later', ...WHEN } })
    expect([second.status, isReplayed(second)]).toEqual([201, false])
    expect(second.body.id).not.toBe(first.body.id)
    expect(isReplayed(await post({ key, json: { title: 'A day later', ...WHEN } }))).toBe(true)
    expect(await countAfterCron()).toBe(1)
    await age('-86401 seconds')
    expect(await countAfterCron()).toBe(0)
  })
})

it.each(['', 'x'.repeat(256), 'a\tb'])('a key is 1 to 255 printable characters, not %j', async key => {
  const answer = await post({ key })
  expect([answer.status, badNames(answer)]).toEqual([400, ['Idempotency-Key']])
})

it('other methods, and callers without credentials, have no keys', async () => {
  const key = newKey()
  const keysBefore = await countRows('idempotency_keys')
  const { id } = (await post({})).body
  const headers = { 'idempotency-key': key }
  for (const title of ['a', 'b'])
    expect((await send('PATCH', `/events/${id}`, { as: admin, json: { title }, headers })).body.title).toBe(
      title,
    )
  expect((await send('POST', '/events', { json: WHEN, headers })).status).toBe(401)
  expect(await countRows('idempotency_keys')).toBe(keysBefore)
})

describe('two requests at once with the same key', () => {
  it('write once: the second has to wait, or gets the response', async () => {
    const key = newKey()
    const events = await countRows('events')
    const answers = await Promise.all([1, 2, 3, 4].map(() => post({ key })))
    expect(await countRows('events')).toBe(events + 1)
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    for (const { status, body, headers } of answers.filter(({ status }) => status !== 201)) {
      expect([status, body.code]).toEqual([409, 'rest_idempotency_conflict'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(isReplayed(await post({ key }))).toBe(true)
  })

  it.each([
    ['an event', '/events', { title: 'Between', ...WHEN }],
    [
      'a batch',
      '/batch',
      { requests: [1, 2, 3].map(n => ({ path: '/tags', body: { name: `between ${n}` } })) },
    ],
    [
      'a batch as one',
      '/batch',
      {
        validation: 'require-all-validate',
        requests: [1, 2].map(n => ({ path: '/tags', body: { name: `both ${n}` } })),
      },
    ],
  ])('write once, if one comes before the write of the other: %s', async (_, path, fields) => {
    const key = newKey()
    const { DB } = faultyD1({ beforeWrite: () => post({ key, path, json: fields }) })
    const audited = await countRows('audit')
    expect((await post({ key, path, json: fields, bindings: { DB } })).status).toBe(409)
    const written = 'requests' in fields ? (fields.requests?.length ?? 0) : 1
    expect(await countRows('audit')).toBe(audited + written)
    expect(isReplayed(await post({ key, path, json: fields }))).toBe(true)
  })
})

describe('a response that was lost', () => {
  const age = (key: string) =>
    query("UPDATE idempotency_keys SET at_utc = datetime(at_utc, '-2 minutes') WHERE key = ?", key)

  it('is not invented, and the write is not done again: the audit has what was written', async () => {
    const key = newKey()
    const fields = { title: 'Lost', ...WHEN, tags: ['lost'] }
    // A gateway may set the id of the request, and others may set the same.
    const headers = { 'x-request-id': 'of-a-gateway' }
    const writeBeside = (as: string, name: string) => send('POST', '/tags', { as, json: { name }, headers })
    await writeBeside(admin, 'before it')
    // D1 has written, but its response is lost.
    const { DB } = faultyD1({ message: 'D1_ERROR: Network connection lost.', writesOnly: true, late: true })
    expect((await post({ key, json: fields, headers, bindings: { DB } })).status).toBe(503)
    const events = await countRows('events')
    expect((await post({ key, json: fields })).body.code).toBe('rest_idempotency_conflict')
    await age(key)
    await post({ json: { ...fields, title: 'Later' } })
    await writeBeside(other, 'of another')
    const answer = await post({ key, json: fields })
    expect([answer.status, answer.body.code]).toEqual([409, 'rest_idempotency_response_lost'])
    const [made] = (await send('GET', '/events?search=lost')).body.events
    const { written } = answer.body.data
    expect(written).toContainEqual({ action: 'create', kind: 'event', id: made.id })
    expect(written).toContainEqual({ action: 'create', kind: 'tag', id: made.tags[0].id })
    // Without the writes of other callers and other requests.
    expect(written).toHaveLength(2)
    expect(await countRows('events')).toBe(events + 1)
  })

  it('leaves no key if nothing was written', async () => {
    const key = newKey()
    const { DB } = faultyD1({ message: 'D1_ERROR: Network connection lost.', writesOnly: true })
    expect((await post({ key, bindings: { DB } })).status).toBe(503)
    const answer = await post({ key })
    expect([answer.status, isReplayed(answer)]).toEqual([201, false])
  })

  it('is one that was too long to store', async () => {
    const key = newKey()
    const fields = { title: 'Long', ...WHEN, description: 'x'.repeat(190_000) }
    const requests = Array.from({ length: 8 }, () => ({ path: '/events', body: fields }))
    expect((await post({ key, path: '/batch', json: { requests } })).status).toBe(207)
    const answer = await post({ key, path: '/batch', json: { requests } })
    expect([answer.status, answer.body.code]).toEqual([409, 'rest_idempotency_response_lost'])
    expect(answer.body.data.written).toHaveLength(8)
  })
})

it('a response of 401, 429 or 5xx is not stored', async () => {
  const key = newKey()
  // The Worker uses nothing else of the binding.
  const WRITE_LIMIT = { limit: async () => ({ success: false }) } as RateLimit
  expect((await post({ key, bindings: { WRITE_LIMIT } })).status).toBe(429)
  expect((await post({ key })).status).toBe(201)
  // A batch is only counted after its requests are read.
  let asked = 0
  const few = { limit: async () => ({ success: ++asked < 2 }) } as RateLimit
  const requests = ['one', 'two'].map(name => ({ path: '/tags', body: { name } }))
  const batch = { key: newKey(), path: '/batch', json: { requests } }
  expect((await post({ ...batch, bindings: { WRITE_LIMIT: few } })).status).toBe(429)
  expect((await post(batch)).status).toBe(207)
})

it('a batch as one is not stored if others were in its way', async () => {
  const requests = ['one', 'two'].map(name => ({ path: '/tags', body: { name: `not at once ${name}` } }))
  const batch = { key: newKey(), path: '/batch', json: { validation: 'require-all-validate', requests } }
  const { DB } = faultyD1({ message: 'D1_ERROR: version conflict', writesOnly: true, times: 3 })
  const refused = await post({ ...batch, bindings: { DB } })
  expect([refused.status, refused.body.code]).toEqual([409, 'rest_batch_conflict'])
  const answer = await post(batch)
  expect([answer.status, isReplayed(answer)]).toEqual([207, false])
})

it('the stored responses of a user are limited', async () => {
  const greedy = await makeUser('greedy', 'author')
  expect((await post({ as: greedy, key: 'first' })).status).toBe(201)
  expect((await post({ as: greedy, key: 'second', json: { title: '' } })).status).toBe(400)
  const totals = await query("SELECT total_bytes FROM idempotency_keys WHERE key IN ('first', 'second')")
  const [first, second] = totals.map(({ total_bytes }) => Number(total_bytes))
  // Keys of short responses are limited as well.
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(5_000)
  await query("UPDATE idempotency_keys SET total_bytes = total_bytes + 60000000 WHERE key = 'second'")
  const refused = await post({ as: greedy, key: 'third' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  expect(isReplayed(await post({ as: greedy, key: 'first' }))).toBe(true)
  expect((await post({ as: greedy })).status).toBe(201)
})

it('a key costs two round trips, and requests without one nothing', async () => {
  const json = { title: 'Cost', ...WHEN }
  const tripsOf = async (headers: Record<string, string>) =>
    (await measure('POST', '/events', { as: admin, json, headers })).trips
  const plain = await tripsOf({})
  const key = newKey()
  expect(await tripsOf({ 'idempotency-key': key })).toBeLessThanOrEqual(plain + 2)
  expect(await tripsOf({ 'idempotency-key': key })).toBe(2)
})

it('routes of WordPress accept keys as well', async () => {
  const sent = { key: newKey(), json: { name: 'of WordPress' }, bindings: { CORE_PREFIX: 'wp-json' } }
  const ask = () => post({ ...sent, path: `${SITE}/wp-json/wp/v2/tags` })
  const first = await ask()
  const second = await ask()
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect(second.text).toBe(first.text)
})
