import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { Database } from '../../../src/kit/db/database.ts'
import { isConflict } from '../../../src/kit/db/failures.ts'
import { clockAt } from '../../../src/kit/lib/clock.ts'
import {
  type Count,
  countReturnStatement,
  countStatements,
  selectUsedUp,
} from '../../../src/kit/work/counts.ts'
import { query } from '../../factories.ts'

const db = new Database(env.DB)

const twice = (key: string): Count => ({ key, limit: 2, per: 'hour' })

/** @returns false if it was one time too many */
const count = async (time: string, counts: readonly Count[]): Promise<boolean> => {
  try {
    await db.write(countStatements(clockAt(`2026-11-20 ${time}`), counts))
    return true
  } catch (error) {
    if (!isConflict(error)) throw error
    return false
  }
}

const usedUp = async (time: string, counts: readonly Count[]) =>
  (await db.read(selectUsedUp(clockAt(`2026-11-20 ${time}`), counts))).map(({ key }) => key)

it('an hour begins with the first time', async () => {
  const counts = [twice('a')]
  expect([await count('12:50:00', counts), await count('13:10:00', counts)]).toEqual([true, true])
  expect([await usedUp('13:49:59', counts), await count('13:49:59', counts)]).toEqual([['a'], false])
  expect([await usedUp('13:50:00', counts), await count('13:50:00', counts)]).toEqual([[], true])
  expect([await count('14:49:59', counts), await count('14:49:59', counts)]).toEqual([true, false])
})

it('nothing is counted if one of several counts is used up', async () => {
  await count('12:00:00', [twice('b')])
  await count('12:00:00', [twice('b')])
  const counts = [twice('c'), twice('b'), twice('d')]
  expect(await count('12:30:00', counts)).toBe(false)
  expect(await usedUp('12:30:00', counts)).toEqual(['b'])
  expect(await query("SELECT key FROM limit_counts WHERE key IN ('c', 'd')")).toEqual([])
})

it('what is given back can be done again, but not in a later hour', async () => {
  const counts = [twice('e')]
  await count('12:00:00', counts)
  await count('12:30:00', counts)
  const giveBack = () =>
    db.write([countReturnStatement('["e", "f"]', { at: '2026-11-20 12:30:00', per: 'hour' })])
  await giveBack()
  expect([await count('12:40:00', counts), await count('12:40:00', counts)]).toEqual([true, false])
  for (let n = 0; n < 2; n++) await count('13:00:00', counts)
  await giveBack()
  expect(await usedUp('13:00:00', counts)).toEqual(['e'])
})
