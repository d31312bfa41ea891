import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { countRows, query, send, user, WHEN } from '../factories.ts'
import { faultyD1 } from './faulty-d1.ts'

// A batch with a key of which the database has done only some parts: when it is sent again, it does the others, and
// nothing twice.

const as = user('editor')
beforeAll(async () => {
  // The first log-in of an hour makes a write of its own.
  await send('GET', '/events', { as })
})

const LOST = 'D1_ERROR: Network connection lost.'
const DAILY =
  "D1_ERROR: Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue."

type Part = { status: number; headers: Record<string, string>; body: Record<string, unknown> }
type Sent = { status: number; replayed: boolean; code: unknown; parts: Part[] }

let keys = 0

/** A batch of three resources, which take a transaction each. */
function batch(name = `batch ${++keys}`, more: object = {}, headers: Record<string, string> = {}) {
  const requests = [
    { path: '/events', body: { title: name, ...WHEN } },
    { path: '/venues', body: { venue: name } },
    { path: '/tags', body: { name } },
  ]
  const sent = { as, json: { requests, ...more }, headers: { 'idempotency-key': name, ...headers } }
  const ask = async (DB: D1Database = env.DB): Promise<Sent> => {
    const { status, headers, body } = await send('POST', '/batch', { ...sent, bindings: { DB } })
    const replayed = headers.get('idempotency-replayed') === 'true'
    return { status, replayed, code: body.code, parts: body.responses ?? [] }
  }
  const made = async () =>
    Promise.all(
      ['events WHERE title', 'venues WHERE name', 'terms WHERE name'].map(from =>
        countRows(`${from} = ?`, name),
      ),
    )
  return { name, ask, made }
}

const statuses = ({ parts }: Sent) => parts.map(({ status }) => status)
const age = (key: string) =>
  query("UPDATE idempotency_keys SET at_utc = datetime(at_utc, '-2 minutes') WHERE key = ?", key)

describe('a batch that was partly done', () => {
  it.each([
    [0, [503, 201, 201]],
    [1, [201, 503, 201]],
    [2, [201, 201, 503]],
  ])('is finished when it is sent again: without part %i', async (after, expected) => {
    const { ask, made } = batch()
    const first = await ask(faultyD1({ message: LOST, writesOnly: true, after }).DB)
    expect([first.status, statuses(first)]).toEqual([207, expected])
    const second = await ask()
    expect([second.status, second.replayed, statuses(second)]).toEqual([207, false, [201, 201, 201]])
    for (const [i, part] of first.parts.entries())
      if (part.status === 201) expect(second.parts[i]).toEqual(part)
    const third = await ask()
    expect([third.replayed, third.parts]).toEqual([true, second.parts])
    expect(await made()).toEqual([1, 1, 1])
  })

  it('is finished part by part after several failures', async () => {
    const { ask, made } = batch()
    for (const expected of [
      [201, 503, 503],
      [201, 503, 503],
    ]) {
      const { DB } = faultyD1({ message: LOST, writesOnly: true, after: (await made())[0] ? 0 : 1, times: 2 })
      expect(statuses(await ask(DB))).toEqual(expected)
    }
    expect(statuses(await ask(faultyD1({ message: LOST, writesOnly: true, after: 1 }).DB))).toEqual([
      201, 201, 503,
    ])
    expect(statuses(await ask())).toEqual([201, 201, 201])
    expect(await made()).toEqual([1, 1, 1])
  })

  it('does nothing twice if only the response of D1 was lost: the audit has what was written', async () => {
    const { ask, made } = batch()
    const first = await ask(faultyD1({ message: LOST, writesOnly: true, after: 1, late: true }).DB)
    expect(statuses(first)).toEqual([201, 503, 201])
    const second = await ask()
    expect(statuses(second)).toEqual([201, 409, 201])
    expect(second.parts[1]?.body).toMatchObject({
      code: 'rest_idempotency_response_lost',
      data: {
        written: expect.arrayContaining([{ action: 'create', kind: 'venue', id: expect.any(Number) }]),
      },
    })
    expect((await ask()).replayed).toBe(true)
    expect(await made()).toEqual([1, 1, 1])
  })

  it('is the same request with the same body only', async () => {
    const { name, ask, made } = batch()
    await ask(faultyD1({ message: LOST, writesOnly: true, after: 1 }).DB)
    const other = await batch(name, { validation: 'normal' }).ask()
    expect([other.status, other.code]).toEqual([422, 'rest_idempotency_mismatch'])
    expect(await made()).toEqual([1, 0, 1])
  })

  it.each([undefined, 'of-a-gateway'])(
    'is finished by one of two who send it again at once: id %s',
    async id => {
      const { ask, made } = batch(undefined, {}, id ? { 'x-request-id': id } : {})
      await ask(faultyD1({ message: LOST, writesOnly: true, after: 1, times: 2 }).DB)
      const both = await Promise.all([ask(), ask()])
      expect(both.map(({ status }) => status).sort()).toEqual([207, 409])
      expect(both.find(({ status }) => status === 409)?.code).toBe('rest_idempotency_conflict')
      expect(statuses(await ask())).toEqual([201, 201, 201])
      expect(await made()).toEqual([1, 1, 1])
    },
  )

  it('does the parts that were refused because an earlier one had failed', async () => {
    const name = `batch ${++keys}`
    const requests = [
      { path: '/venues', body: { venue: name } },
      { path: `/venues/by-slug/${name.replace(' ', '-')}`, method: 'PATCH', body: { city: 'Found' } },
    ]
    const sent = { as, json: { requests }, headers: { 'idempotency-key': name } }
    const ask = async (DB: D1Database = env.DB): Promise<number[]> => {
      const { body } = await send('POST', '/batch', { ...sent, bindings: { DB } })
      return body.responses.map(({ status }: Part) => status)
    }
    const { DB } = faultyD1({ message: LOST, writesOnly: true })
    expect(await ask(DB)).toEqual([503, 503])
    expect(await ask()).toEqual([201, 200])
  })
})

describe('a batch that was killed', () => {
  it('is finished once it is known to be dead', async () => {
    const { name, ask, made } = batch()
    // Nothing comes after the first transaction, not even the write that records its end.
    const { DB } = faultyD1({ message: LOST, writesOnly: true, after: 1, times: Infinity })
    expect(statuses(await ask(DB))).toEqual([201, 503, 503])
    const soon = await ask()
    expect([soon.status, soon.code]).toEqual([409, 'rest_idempotency_conflict'])
    await age(name)
    const second = await ask()
    expect(statuses(second)).toEqual([409, 201, 201])
    expect(second.parts[0]?.body).toMatchObject({
      data: { written: [{ action: 'create', kind: 'event', id: expect.any(Number) }] },
    })
    expect((await ask()).parts).toEqual(second.parts)
    expect(await made()).toEqual([1, 1, 1])
  })

  it('is finished by two further ones, of which the first is killed as well', async () => {
    const { name, ask, made } = batch()
    for (const after of [1, 1]) {
      await ask(faultyD1({ message: LOST, writesOnly: true, after, times: Infinity }).DB)
      await age(name)
    }
    const last = await ask()
    expect(statuses(last)).toEqual([409, 409, 201])
    expect(await made()).toEqual([1, 1, 1])
  })

  it('is done or not as a whole, if it is one transaction', async () => {
    const { name, ask, made } = batch(undefined, { validation: 'require-all-validate' })
    const nothing = await ask(faultyD1({ message: LOST, writesOnly: true }).DB)
    expect([nothing.status, await made()]).toEqual([503, [0, 0, 0]])
    const late = await ask(faultyD1({ message: LOST, writesOnly: true, late: true, times: Infinity }).DB)
    expect([late.status, await made()]).toEqual([503, [1, 1, 1]])
    await age(name)
    expect(statuses(await ask())).toEqual([409, 409, 409])
    expect(await made()).toEqual([1, 1, 1])
  })
})

it('a batch that met the daily limit is finished on the next day', async () => {
  const { name, ask, made } = batch()
  const { DB } = faultyD1({ message: DAILY, writesOnly: true, after: 2, times: Infinity })
  expect(statuses(await ask(DB))).toEqual([201, 201, 503])
  await age(name)
  expect(statuses(await ask())).toEqual([409, 409, 201])
  expect(await made()).toEqual([1, 1, 1])
})

it('a batch without a key works as before', async () => {
  const requests = [{ path: '/tags', body: { name: 'keyless' } }]
  const { body } = await send('POST', '/batch', { as, json: { requests } })
  expect(body.responses[0].status).toBe(201)
})
