import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { changes, listingCounts, listings, revision, termAncestors } from '../../../src/kit/db/derived.ts'
import { findDriftIn } from '../../derived/values.ts'
import { dropEverything, makeDatabaseAnew, makeUser, query, queryAll, send } from '../../factories.ts'

type Row = Record<string, unknown>
type Column = { name: string; type: string; notnull: number; pk: number; hidden: number }

/** Tables that triggers fill. A migration may compute them again, with other columns. */
const DERIVED_TABLES: readonly string[] = [termAncestors, listings, listingCounts, revision, changes].map(
  getTableName,
)

/**
 * Columns that are not derived, by table. The tables are neither views nor derived tables, nor full-text
 * tables and their shadow tables.
 */
async function columns(): Promise<Map<string, Column[]>> {
  const rows = await query<Column & { of: string }>(
    `SELECT objects.name AS "of", info.* FROM sqlite_master AS objects JOIN pragma_table_xinfo(objects.name) AS info
      WHERE objects.type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND hidden = 0 AND objects.name NOT GLOB '*_search_*'
        AND objects.name NOT GLOB 'sqlite_*' AND objects.name NOT GLOB 'd1_*' AND objects.name NOT GLOB '_cf_*'
      ORDER BY objects.name, cid`,
  )
  return Map.groupBy(
    rows.filter(({ of }) => !DERIVED_TABLES.includes(of)),
    ({ of }) => of,
  )
}

/** The values of columns that allow no others. */
const GIVEN: Row = {
  status: 'publish',
  hide_from_listings: 0,
  taxonomy: 'event_category',
  parent: 0,
  duplicate_of: null,
}

/** An arbitrary value: the number `n`, the nth of January, or a text with `n`. */
function sample({ name, type }: Column, n: number): unknown {
  if (name in GIVEN) return GIVEN[name]
  if (/^(integer|real)$/i.test(type)) return n
  return /(_|^)(date|utc|modified)(_|$)/.test(name) ? `2027-01-0${n} 10:00:00` : `${name} ${n}`
}

type Contents = Map<string, Row[]>

async function contents(tables?: Map<string, Column[]>): Promise<Contents> {
  const known = [...(tables ?? (await columns()))]
  if (known.length === 0) return new Map()
  const rows = await queryAll(
    known.map(([table, of]) => {
      const names = of.map(({ name }) => name).join(', ')
      return `SELECT ${names} FROM ${table} ORDER BY ${names}`
    }),
  )
  return new Map(known.map(([table], i) => [table, rows[i] ?? []]))
}

/** Puts two rows into every empty table. Every reference leads to the row with the same number. */
async function fill(): Promise<Contents> {
  const tables = await columns()
  const rows = await contents(tables)
  const inserts = [...tables].flatMap(([table, of]) => {
    if (rows.get(table)?.length !== 0) return []
    const sql = `INSERT INTO ${table} (${of.map(({ name }) => name)}) VALUES (${of.map(() => '?')})`
    return [1, 2].map(n => env.DB.prepare(sql).bind(...of.map(column => sample(column, n))))
  })
  await env.DB.batch([env.DB.prepare('PRAGMA defer_foreign_keys = on'), ...inserts])
  return contents(tables)
}

/** A row with the names that a migration gives to its columns. */
function renamed(row: Row, table: string, { queries }: D1Migration): Row {
  const names = queries
    .flatMap(query => [...query.matchAll(/ALTER TABLE (\w+) RENAME COLUMN (\w+) TO (\w+)/gi)])
    .flatMap(([, of, from = '', to]) => (of === table ? [[from, to] as const] : []))
  const current = new Map(names)
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [current.get(name) ?? name, value]))
}

/** Triggers may add rows, but in the previous columns nothing may be missing or changed. */
function expectKept(before: Contents, after: Contents, migration: D1Migration): void {
  for (const [table, rows] of before) {
    const kept = after.get(table) ?? []
    for (const row of rows)
      expect(kept, `${migration.name}: ${table}`).toContainEqual(
        expect.objectContaining(renamed(row, table, migration)),
      )
  }
}

/** A sample which shows that the checks below also cover later migrations. */
const SAMPLE: D1Migration = {
  name: '9999_sample.sql',
  queries: ['ALTER TABLE venues ADD color text', "UPDATE venues SET color = 'red'"],
}

async function migrate(): Promise<void> {
  await dropEverything()
  for (const migration of env.MIGRATIONS) await applyD1Migrations(env.DB, [migration])
}

describe('every migration', () => {
  it('keeps all existing rows, and makes derived ones for them', async () => {
    // Some derived values differ because rows come in the order of the tables' names, not in one in which
    // they are written.
    const driftOf = async () => (await findDriftIn(env.DB)).map(text => text.replace(/:.*/, ''))
    await migrate()
    await fill()
    const drift = await driftOf()
    await dropEverything()
    for (const [i, migration] of [...env.MIGRATIONS, SAMPLE].entries()) {
      const before = i > 0 ? await fill() : new Map()
      await applyD1Migrations(env.DB, [migration])
      expectKept(before, await contents(), migration)
      expect(await query('PRAGMA foreign_key_check'), migration.name).toEqual([])
    }
    // Otherwise the next migration would not be tried on every table.
    for (const [table, rows] of await fill()) expect(rows.length, table).toBeGreaterThan(0)
    for (const name of await driftOf()) expect(drift).toContain(name)
    expect((await query(`SELECT * FROM listings WHERE facet = 'venue'`)).length).toBeGreaterThan(0)
  })

  it.each([
    "DELETE FROM review_notes WHERE note = 'note 1'",
    'UPDATE review_notes SET note = upper(note)',
    'DROP TABLE review_notes',
  ])('would be noticed if it did not: %s', async query => {
    await migrate()
    const before = await fill()
    const migration = { ...SAMPLE, queries: [query] }
    await applyD1Migrations(env.DB, [migration])
    const after = await contents()
    expect(() => expectKept(before, after, migration)).toThrow()
  })
})

it('the API works on a migrated database, which has the same tables as tests begin with', async () => {
  const objects = () =>
    query(
      `SELECT name, sql FROM sqlite_master WHERE name NOT GLOB '_cf_*' AND name <> 'd1_migrations' ORDER BY name`,
    )
  await makeDatabaseAnew()
  const begun = await objects()
  await migrate()
  expect(begun).toEqual(await objects())
  const as = await makeUser('editor', 'editor')
  const json = { title: 'Ball', start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00', tags: ['new'] }
  expect((await send('POST', '/events', { as, json })).status).toBe(201)
  expect((await send('GET', '/events')).body.total).toBe(1)
})
