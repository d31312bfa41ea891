import { expect, it } from 'vitest'
import type { SourceItem } from '../../src/intake/records.ts'
import { connectionTo } from '../connection.ts'
import { importInto, makeDatabase } from './database.ts'

const tag = (i: number): SourceItem => ({
  type: 'record',
  record: {
    source: 's',
    externalId: String(i + 1),
    kind: 'tag',
    name: `Tag ${i}`,
    slug: `tag-${i}`,
    description: '',
  },
})

it('a disk that is full ends an import at once, and says so', async () => {
  const db = await makeDatabase()
  let writes = 0
  const full = {
    ...db.d1,
    prepare: db.d1.prepare,
    batch: async (statements: D1PreparedStatement[]) => {
      if (statements.length > 3) writes += 1
      if (statements.length > 3 && writes > 1)
        throw new Error('D1_ERROR: database or disk is full: SQLITE_FULL')
      return db.d1.batch(statements)
    },
  } as unknown as D1Database // All that connections use.
  const connection = connectionTo(full, async () => {})
  const items = Array.from({ length: 900 }, (_, i) => tag(i))
  const done = importInto(connection, items)
  await expect(done).rejects.toThrow('The disk is full')
  expect(writes).toBe(2)
  expect(await db.query('SELECT count(*) AS n FROM terms')).toEqual([{ n: 200 }])
  await db.close()
})
