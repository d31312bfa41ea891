import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  changes,
  handovers,
  listingCounts,
  listings,
  revision,
  termAncestors,
  unlisted,
} from '../../src/db/derived.ts'
import { findDriftIn } from '../derived/values.ts'
import { dropEverything, makeDatabaseAnew, makeUser, send } from '../factories.ts'

type Row = Record<string, unknown>
type Column = { name: string; type: string; notnull: number; pk: number; hidden: number }

const select = async <T = Row>(sql: string): Promise<T[]> => (await env.DB.prepare(sql).all<T>()).results

/** Tables that triggers fill. A migration may compute them again, with other columns. */
const DERIVED_TABLES: readonly string[] = [
  termAncestors,
  listings,
  listingCounts,
  revision,
  changes,
  unlisted,
  handovers,
].map(getTableName)

/**
 * Columns that are not derived, by table. The tables are neither views nor derived tables, nor full-text tables and
 * their shadow tables.
 */
async function columns(): Promise<Map<string, Column[]>> {
  const rows = await select<Column & { of: string }>(
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
  const results = await env.DB.batch<Row>(
    known.map(([table, of]) => {
      const names = of.map(({ name }) => name).join(', ')
      return env.DB.prepare(`SELECT ${names} FROM ${table} ORDER BY ${names}`)
    }),
  )
  return new Map(known.map(([table], i) => [table, results[i]?.results ?? []]))
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

/** Drizzle's way of changing a table. It drops the old one, and a cascade would empty the tables that refer to it. */
const rebuildsTable = (sql: string): boolean =>
  /\bDROP\s+TABLE\b/i.test(sql) && /\bALTER\s+TABLE\b[^;]*\bRENAME\s+TO\b/i.test(sql)

describe('every migration', () => {
  it('keeps all existing rows', async () => {
    await dropEverything()
    for (const [i, migration] of env.MIGRATIONS.entries()) {
      const before = i > 0 ? await fill() : new Map()
      await applyD1Migrations(env.DB, [migration])
      expectKept(before, await contents(), migration)
      expect(await select('PRAGMA foreign_key_check'), migration.name).toEqual([])
    }
    // Otherwise the next migration would not be tried on every table.
    for (const [table, rows] of await fill()) expect(rows.length, table).toBeGreaterThan(0)
    const drift = (await findDriftIn(env.DB)).map(text => text.replace(/:.*/, ''))
    for (const name of ['ancestors of terms', 'listings', 'counts of listings'])
      expect(drift, name).not.toContain(name)
    expect((await select(`SELECT * FROM listings WHERE facet = 'venue'`)).length).toBeGreaterThan(0)
  })

  it.each(env.MIGRATIONS)('$name neither cascades nor drops a table to rename another', ({ queries }) => {
    const sql = queries.join(';\n')
    expect(sql).not.toMatch(/ON DELETE CASCADE/i)
    expect(rebuildsTable(sql)).toBe(false)
  })
})

it('a rebuilt table is recognised', () => {
  const rebuilt = `CREATE TABLE __new_events (id integer);
    INSERT INTO __new_events SELECT id FROM events;
    drop table events;
    ALTER TABLE "__new_events" RENAME TO "events";`
  expect(rebuildsTable(rebuilt)).toBe(true)
  expect(rebuildsTable('ALTER TABLE events ADD color text; DROP TABLE scratch;')).toBe(false)
  expect(rebuildsTable('ALTER TABLE events RENAME COLUMN a TO b; DROP TABLE scratch;')).toBe(false)
})

it('the API works on a migrated database, which has the same tables as tests begin with', async () => {
  const objects = () =>
    select(
      `SELECT name, sql FROM sqlite_master WHERE name NOT GLOB '_cf_*' AND name <> 'd1_migrations' ORDER BY name`,
    )
  await makeDatabaseAnew()
  const begun = await objects()
  await dropEverything()
  for (const migration of env.MIGRATIONS) await applyD1Migrations(env.DB, [migration])
  expect(begun).toEqual(await objects())
  const as = await makeUser('editor', 'editor')
  const json = { title: 'Ball', start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00', tags: ['new'] }
  expect((await send('POST', '/events', { as, json })).status).toBe(201)
  expect((await send('GET', '/events')).body.total).toBe(1)
})

it('former authors are found in the audit', async () => {
  await dropEverything()
  const at = env.MIGRATIONS.findIndex(({ name }) => name.includes('handovers'))
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, at))
  const when = `'2027-01-01 10:00:00'`
  const event = (id: number, author: number, series: number | 'NULL') =>
    `INSERT INTO events (id, author_id, series_id, status, slug, title, date, date_utc, modified, modified_utc, start_date, end_date,
        utc_start_date, utc_end_date, timezone, timezone_abbr, occurrence_date)
      SELECT ${id}, ${author}, ${series}, 'draft', 'e-${id}', 'E', ${`${when}, `.repeat(8)} 'UTC', 'UTC', '2027-01-0${id} 10:00:00'`
  const entry = (
    action: string,
    kind: string,
    id: number,
    user: number,
    { fields = [] as string[], changed = {} } = {},
  ) =>
    `INSERT INTO audit (at_utc, user_id, action, kind, object_id, fields, changed)
      VALUES (${when}, ${user}, '${action}', '${kind}', ${id}, '${JSON.stringify(fields)}', '${JSON.stringify(changed)}')`
  await env.DB.batch(
    [
      ...[1, 2, 3].map(id => `INSERT INTO users VALUES (${id}, 'u${id}', 'author', ${when})`),
      `INSERT INTO series (id, author_id, status, slug, title, date, date_utc, modified, modified_utc, start_date, end_date, timezone)
        VALUES (7, 2, 'draft', 's', 'S', ${`${when}, `.repeat(6)} 'UTC')`,
      event(1, 2, 'NULL'),
      event(2, 2, 7),
      event(3, 3, 'NULL'),
      event(4, 1, 'NULL'),
      entry('create', 'event', 1, 1),
      entry('update', 'event', 1, 9, { changed: { author: [1, 2], title: ['Private', 'E'] } }),
      entry('update', 'series', 7, 9, { changed: { author: [1, 2] } }),
      entry('create', 'event', 3, 8),
      entry('update', 'event', 3, 8),
      entry('delete', 'user', 8, 9, { fields: ['content'] }),
      entry('create', 'event', 4, 1),
      "UPDATE changes SET authors = ',1,2,' WHERE kind = 'events' AND id = 1",
    ].map(sql => env.DB.prepare(sql)),
  )
  await applyD1Migrations(env.DB, env.MIGRATIONS)
  expect(await select('SELECT * FROM handovers ORDER BY kind, object_id')).toEqual([
    { kind: 'event', object_id: 1, author_id: 1, audit_id: 1, n: 0 },
    { kind: 'event', object_id: 2, author_id: 1, audit_id: 2, n: 0 },
    { kind: 'event', object_id: 3, author_id: 8, audit_id: 6, n: 0 },
    { kind: 'series', object_id: 7, author_id: 1, audit_id: 2, n: 0 },
  ])
  expect(await select('SELECT id, authors FROM changes ORDER BY id')).toEqual([
    { id: 1, authors: ',2,' },
    { id: 2, authors: ',2,' },
    { id: 3, authors: ',3,' },
    { id: 4, authors: ',1,' },
  ])
  await makeDatabaseAnew()
})
