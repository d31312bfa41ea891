import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { updateRows } from '../../src/db/bulk.ts'
import { Database } from '../../src/db/database.ts'
import { exec } from '../../src/db/query.ts'
import { venues } from '../../src/db/schema.ts'
import { makeAll, makeUser } from '../factories.ts'

const COLUMNS = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website'] as const
const VENUES = 20

beforeAll(async () => {
  const before = Object.fromEntries(COLUMNS.slice(0, 3).map(name => [name, `${name} before`]))
  await makeAll(
    await makeUser('admin', 'administrator'),
    'venues',
    Array.from({ length: VENUES }, (_, n) => ({ venue: `Hall ${n}`, ...before })),
  )
})

const stored = async (): Promise<Record<string, unknown>[]> =>
  (await env.DB.prepare(`SELECT id, version, ${COLUMNS} FROM venues ORDER BY id`).all()).results

it('rows that change in many different columns take few statements, and keep all others', async () => {
  const long = 'x'.repeat(1_800_000)
  const before = await stored()
  // Every row names a different set of columns; the last one has a text that needs a parameter of its own.
  const rows = before.map(({ id, version }, n) => ({
    id,
    version: Number(version) + 1,
    ...Object.fromEntries(
      COLUMNS.filter((_, bit) => ((n + 1) >> (bit % 5)) % 2 === 1).map(name => [
        name,
        n === VENUES - 1 && name === 'country' ? long : `${name} ${n}`,
      ]),
    ),
  }))
  const statements = updateRows(venues, rows)
  expect(statements.length).toBeLessThanOrEqual(5)
  await new Database(env.DB).write(statements.map(exec))
  expect(await stored()).toEqual(before.map((row, n) => ({ ...row, ...rows[n] })))
})
