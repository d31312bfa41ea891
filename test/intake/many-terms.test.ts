import { expect, it } from 'vitest'
import type { SourceItem } from '../../src/intake/records.ts'
import { connectionTo } from '../connection.ts'
import { importInto, makeDatabase } from './database.ts'

/** Categories in families of ten. */
const categories = (count: number): SourceItem[] =>
  Array.from({ length: count }, (_, i) => ({
    type: 'record',
    record: {
      ...{ source: 's', externalId: String(i + 1), kind: 'category', description: '' },
      ...{ name: `Category ${i}`, slug: `category-${i}` },
      ...(i % 10 > 0 && { parent: String(i - (i % 10) + 1) }),
    },
  }))

it('a category does not cost several times as many rows when there are thousands', async () => {
  const db = await makeDatabase()
  const rows: number[] = []
  const counting = {
    ...db.d1,
    prepare: db.d1.prepare,
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await db.d1.batch(statements)
      rows.push(results.reduce((sum, { meta }) => sum + meta.rows_read + meta.rows_written, 0))
      return results
    },
  } as unknown as D1Database // All that connections use.
  const counted = connectionTo(counting, async () => {})
  const report = await importInto(counted, categories(3_000))
  expect(report.of('category', 'created')).toBe(3_000)
  const chunks = rows.filter(count => count > 2_000)
  expect(chunks).toHaveLength(15)
  expect(chunks.at(-1)).toBeLessThan(1.5 * (chunks[1] ?? 0))
  const wrong = await db.query(
    `SELECT terms.slug FROM terms LEFT JOIN terms AS above ON above.id = terms.parent
      WHERE terms.path <> coalesce(above.path || '/', '') || terms.slug`,
  )
  expect(wrong).toEqual([])
  await db.close()
})
