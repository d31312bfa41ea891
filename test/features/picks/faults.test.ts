import { beforeEach, describe, expect, it } from 'vitest'
import { makeDatabaseAnew, query } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { sendWith } from '../../kit/http/worker.ts'

// A database that fails between any two of the batches of a request, or whose answer is lost.

beforeEach(makeDatabaseAnew)

const FULL = 'D1_ERROR: database or disk is full: SQLITE_FULL'
const LOST = 'D1_ERROR: Network connection lost.'

/** More batches than a request has. */
const MOST = 8

const FIRST = { ids: [7, 5], series: [3] }
const NEXT = { ids: [9], series: [4, 8] }
const put = (key: string, DB?: D1Database) =>
  sendWith(DB ? { DB } : {})('PUT', `/picks/${key}`, { json: NEXT })

const lists = async () =>
  (await query('SELECT * FROM pick_lists')).map(row => ({
    ids: JSON.parse(String(row.ids)),
    series: JSON.parse(String(row.series)),
    digests: [row.token_digest, row.key_digest].map(digest => String(digest).length),
    version: row.version,
  }))

const whole = (picks: object, version: number) => ({ ...picks, digests: [64, 64], version })

type Case = { message: string; late: boolean }
const CASES: readonly Case[] = [
  { message: FULL, late: false },
  { message: LOST, late: false },
  { message: LOST, late: true },
]

/** Acts once for each batch at which the database may fail, the last time without a failure. */
async function atEachBatch(
  { message, late }: Case,
  act: (fault: ReturnType<typeof faultyD1>) => Promise<void>,
): Promise<void> {
  for (let after = 0; after < MOST; after++) {
    const fault = faultyD1({ message, late, after, times: 99 })
    await makeDatabaseAnew()
    await act(fault)
    if (fault.seen.failed === 0) return
  }
  expect.fail('It has more batches.')
}

describe.each(CASES)('a database that fails ($message, done before: $late)', fault => {
  it('has a new list as a whole, or not at all', async () => {
    let failures = 0
    await atEachBatch(fault, async ({ DB, seen }) => {
      const { status, body } = await sendWith({ DB })('POST', '/picks', { json: FIRST })
      const stored = await lists()
      for (const list of stored) expect(list).toEqual(whole(FIRST, 1))
      expect(stored.length).toBeLessThanOrEqual(1)
      if (seen.failed > 0) failures++
      // Who was told of a list has one.
      if (status === 201) expect(stored).toHaveLength(1)
      else expect([status >= 500, body.token]).toEqual([true, undefined])
    })
    expect(failures).toBeGreaterThan(0)
  })

  it('has a changed list as a whole, or as it was', async () => {
    let failures = 0
    await atEachBatch(fault, async ({ DB, seen }) => {
      const { body } = await sendWith({})('POST', '/picks', { json: FIRST })
      const { status } = await put(body.key, DB)
      const [list] = await lists()
      expect([whole(FIRST, 1), whole(NEXT, 2)]).toContainEqual(list)
      if (seen.failed > 0) failures++
      if (status === 200) expect(list).toEqual(whole(NEXT, 2))
      else expect(status).toBeGreaterThanOrEqual(500)
      // Sent again, it is what was meant.
      expect((await put(body.key)).status).toBe(200)
      expect(await lists()).toEqual([whole(NEXT, 2)])
    })
    expect(failures).toBeGreaterThan(0)
  })
})

describe('two changes at the same time', () => {
  it('leave one of the two, whole', async () => {
    const { body } = await sendWith({})('POST', '/picks', { json: FIRST })
    const other = { ids: [1], series: [2] }
    const { DB } = faultyD1({
      beforeWrite: () => sendWith({})('PUT', `/picks/${body.key}`, { json: other }),
    })
    expect((await put(body.key, DB)).status).toBe(200)
    expect(await lists()).toEqual([whole(NEXT, 3)])
  })

  it('don’t bring back a list that was deleted meanwhile', async () => {
    const { body } = await sendWith({})('POST', '/picks', { json: FIRST })
    const { DB } = faultyD1({ beforeWrite: () => sendWith({})('DELETE', `/picks/${body.key}`) })
    expect((await put(body.key, DB)).status).toBe(404)
    expect(await lists()).toEqual([])
  })
})
