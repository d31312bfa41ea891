import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { countRows, declareUser, query, send, WHEN } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'

// A batch with a key of which the database has done only some parts: when it is sent again, it does nothing,
// and says what was written.

const as = declareUser('editor')
beforeAll(async () => {
  // The first log-in of an hour makes a write of its own.
  await send('GET', '/events', { as })
})

const LOST = 'D1_ERROR: Network connection lost.'
const DAILY =
  "D1_ERROR: Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue."

type Part = { status: number; headers: Record<string, string>; body: Record<string, unknown> }
type Sent = { status: number; replayed: boolean; code: unknown; parts: Part[]; written: unknown }

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
    return { status, replayed, code: body.code, parts: body.responses ?? [], written: body.data?.written }
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

const created = (kind: string) => ({ action: 'create', kind, id: expect.any(Number) })

/** Sends a batch that was cut off again: at once, and when it is known to be dead. */
async function sendAgain({ name, ask }: ReturnType<typeof batch>) {
  const soon = await ask()
  expect([soon.status, soon.code]).toEqual([409, 'rest_idempotency_conflict'])
  await age(name)
  const { status, code, written } = await ask()
  expect([status, code]).toEqual([409, 'rest_idempotency_response_lost'])
  return written
}

describe('a batch of which nobody knows whether a part was done', () => {
  it.each([
    [0, [503, 201, 201], ['venue', 'tag']],
    [1, [201, 503, 201], ['event', 'tag']],
    [2, [201, 201, 503], ['event', 'venue']],
  ])('does nothing again, and says what was written: without part %i', async (after, expected, kinds) => {
    const sent = batch()
    const first = await sent.ask(faultyD1({ message: LOST, writesOnly: true, after }).DB)
    expect([first.status, statuses(first)]).toEqual([207, expected])
    const before = await sent.made()
    expect(await sendAgain(sent)).toEqual(kinds.map(created))
    expect(await sent.made()).toEqual(before)
  })

  it('says what was written even if the part was done', async () => {
    const sent = batch()
    const first = await sent.ask(faultyD1({ message: LOST, writesOnly: true, after: 1, late: true }).DB)
    expect(statuses(first)).toEqual([201, 503, 201])
    expect(await sendAgain(sent)).toEqual(['event', 'venue', 'tag'].map(created))
    expect(await sent.made()).toEqual([1, 1, 1])
  })

  it('does nothing again even if the part was its first one, which has stored the key', async () => {
    const sent = batch()
    await sent.ask(faultyD1({ message: LOST, writesOnly: true, late: true }).DB)
    const before = await sent.made()
    expect(before[0]).toBe(1)
    await age(sent.name)
    expect((await sent.ask()).code).toBe('rest_idempotency_response_lost')
    expect(await sent.made()).toEqual(before)
  })

  it('is refused with another body', async () => {
    const { name, ask, made } = batch()
    await ask(faultyD1({ message: LOST, writesOnly: true, after: 1 }).DB)
    const other = await batch(name, { validation: 'normal' }).ask()
    expect([other.status, other.code]).toEqual([422, 'rest_idempotency_mismatch'])
    expect(await made()).toEqual([1, 0, 1])
  })

  it('is done anew if nothing of it was', async () => {
    const { ask, made } = batch()
    const { DB } = faultyD1({ message: LOST, writesOnly: true, times: Infinity })
    expect(statuses(await ask(DB))).toEqual([503, 503, 503])
    expect(statuses(await ask())).toEqual([201, 201, 201])
    expect((await ask()).replayed).toBe(true)
    expect(await made()).toEqual([1, 1, 1])
  })
})

describe('a batch that was killed', () => {
  it('says what was written once it is known to be dead', async () => {
    const sent = batch()
    // Nothing comes after the first transaction, not even the write that stores the response.
    const { DB } = faultyD1({ message: LOST, writesOnly: true, after: 1, times: Infinity })
    expect(statuses(await sent.ask(DB))).toEqual([201, 503, 503])
    expect(await sendAgain(sent)).toEqual([created('event')])
    expect(await sent.made()).toEqual([1, 0, 0])
  })

  it('is done or not as a whole, if it is one transaction', async () => {
    const sent = batch(undefined, { validation: 'require-all-validate' })
    const nothing = await sent.ask(faultyD1({ message: LOST, writesOnly: true }).DB)
    expect([nothing.status, await sent.made()]).toEqual([503, [0, 0, 0]])
    const late = await sent.ask(faultyD1({ message: LOST, writesOnly: true, late: true, times: Infinity }).DB)
    expect([late.status, await sent.made()]).toEqual([503, [1, 1, 1]])
    expect(await sendAgain(sent)).toHaveLength(3)
    expect(await sent.made()).toEqual([1, 1, 1])
  })
})

it.each([
  ['met the daily limit', DAILY, 1],
  ['met an overloaded database', 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 3],
])(
  'a batch that %s has ended: it is kept whole, with the parts that were not done',
  async (_, message, times) => {
    const { ask, made } = batch()
    // A transaction that was not begun is sent three times.
    const { DB } = faultyD1({ message, writesOnly: true, after: 2, times })
    const first = await ask(DB)
    expect(statuses(first).slice(0, 2)).toEqual([201, 201])
    expect(statuses(first)[2]).toBe(503)
    const second = await ask()
    expect([second.replayed, second.parts]).toEqual([true, first.parts])
    expect(await made()).toEqual([1, 1, 0])
  },
)

it('a batch without a key works as before', async () => {
  const requests = [{ path: '/tags', body: { name: 'keyless' } }]
  const { body } = await send('POST', '/batch', { as, json: { requests } })
  expect(body.responses[0].status).toBe(201)
})
