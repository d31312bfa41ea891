import { expect, it, onTestFinished } from 'vitest'
import type { SourceItem } from '../../../../src/calendar/imports/records.ts'
import { rowsNotice } from '../../../../src/commands/progress.ts'
import { connectionTo } from '../../../connection.ts'
import { countsOf, importInto, makeDatabase } from '../../../readers/database.ts'
import { watchedD1 } from '../../../watched-d1.ts'

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

const ITEMS: SourceItem[] = [{ type: 'expect', count: 900 }, ...Array.from({ length: 900 }, (_, i) => tag(i))]

/** A database of one test, closed after it. */
async function openDatabase() {
  const db = await makeDatabase()
  onTestFinished(() => db.close())
  return db
}

/** A database that fails with an error from its second write on. */
function failingD1(d1: D1Database, message: string) {
  const seen = { writes: 0 }
  const failing = watchedD1(d1, {
    batch: ({ length }) => {
      if (length > 3) seen.writes += 1
      if (length > 3 && seen.writes > 1) throw new Error(message)
    },
  })
  return { connection: connectionTo(failing, async () => {}), seen }
}

it('a disk that is full ends an import at once, and says so', async () => {
  const db = await openDatabase()
  const { connection, seen } = failingD1(db.d1, 'D1_ERROR: database or disk is full: SQLITE_FULL')
  await expect(importInto(connection, ITEMS)).rejects.toThrow('The disk is full')
  expect(seen.writes).toBe(2)
  expect(await db.query('SELECT count(*) AS n FROM terms')).toEqual([{ n: 200 }])
})

it("the end of a day's rows ends an import, which goes on the next day", async () => {
  const db = await openDatabase()
  const message =
    "D1_ERROR: Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue."
  const { connection, seen } = failingD1(db.d1, message)
  const expected: number[] = []
  const today = importInto(connection, ITEMS, { expecting: records => expected.push(records) })
  await expect(today).rejects.toThrow('Run the same command again after midnight')
  expect(seen.writes).toBe(2)
  // Told before anything is written.
  expect(expected).toEqual([900])
  expect(await db.query('SELECT count(*) AS n FROM terms')).toEqual([{ n: 200 }])
  const report = await importInto(db, ITEMS)
  expect(countsOf(report)).toEqual(['tag created 700', 'tag unchanged 200'])
})

it('an outage ends an import at once, and is the fault of no record', async () => {
  const db = await openDatabase()
  const { connection, seen } = failingD1(db.d1, 'D1_ERROR: Network connection lost.')
  await expect(importInto(connection, ITEMS)).rejects.toThrow('The database cannot be reached')
  expect(seen.writes).toBe(2)
  const report = await importInto(db, ITEMS)
  expect(countsOf(report)).toEqual(['tag created 700', 'tag unchanged 200'])
})

it('a fault of the program ends an import, and names the record', async () => {
  const db = await openDatabase()
  const items = ITEMS.slice(0, 20)
  const bad = items[10]
  if (bad?.type !== 'record') throw new Error('no record')
  items[10] = { ...bad, record: { ...bad.record, name: 7 as unknown as string } as typeof bad.record }
  await expect(importInto(db, items)).rejects.toThrow(/^10 .*is not a function/)
  // What had been written before it stays.
  expect(await db.query('SELECT count(*) AS n FROM terms')).toEqual([{ n: 9 }])
})

it('the notice before an import says how many days the free plan takes', () => {
  expect(rowsNotice(10_000)).toContain('300,000 rows')
  expect(rowsNotice(10_000)).toContain('this takes 3 days there')
  expect(rowsNotice(100)).not.toContain('days')
})

/** Categories in families of ten. */
const categories = (count: number): SourceItem[] =>
  Array.from({ length: count }, (_, i) => ({
    type: 'record',
    record: {
      source: 's',
      externalId: String(i + 1),
      kind: 'category',
      description: '',
      name: `Category ${i}`,
      slug: `category-${i}`,
      ...(i % 10 > 0 && { parent: String(i - (i % 10) + 1) }),
    },
  }))

it('a category does not cost several times as many rows when there are thousands', async () => {
  const db = await openDatabase()
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
  expect(report.countOf('category', 'created')).toBe(3_000)
  const chunks = rows.filter(count => count > 2_000)
  expect(chunks).toHaveLength(15)
  expect(chunks.at(-1)).toBeLessThan(1.5 * (chunks[1] ?? 0))
  const wrong = await db.query(
    `SELECT terms.slug FROM terms LEFT JOIN terms AS above ON above.id = terms.parent
      WHERE terms.path <> coalesce(above.path || '/', '') || terms.slug`,
  )
  expect(wrong).toEqual([])
})
