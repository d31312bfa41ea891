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
} from '../../../src/kit/db/derived.ts'
import { findDriftIn } from '../../derived/values.ts'
import { dropEverything, makeDatabaseAnew, makeUser, query, queryAll, send } from '../../factories.ts'

type Row = Record<string, unknown>
type Column = { name: string; type: string; notnull: number; pk: number; hidden: number }

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

const NOON = '2027-01-01 12:00:00'

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

const insert = (table: string, row: object) =>
  query(
    `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`,
    ...Object.values(row),
  )

const WRITTEN = { author_id: 1, date: NOON, date_utc: NOON, modified: NOON, modified_utc: NOON }

const EVENT = {
  ...WRITTEN,
  title: '',
  start_date: NOON,
  end_date: NOON,
  utc_start_date: NOON,
  utc_end_date: NOON,
  timezone: 'UTC',
  timezone_abbr: 'UTC',
}

it('confirmed_parts confirms the parts that are public, or whose author may edit their parent', async () => {
  const added = env.MIGRATIONS.findIndex(({ name }) => name.includes('confirmed_parts'))
  await dropEverything()
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, added))
  for (const [id, role] of ['editor', 'author', 'author'].entries())
    await insert('users', { id: id + 1, login: `user ${id}`, name: '', role, created_utc: NOON })
  const rows = [
    [1, 2, 'publish'],
    [2, 3, 'publish', 1],
    [3, 3, 'draft', 1],
    [4, 1, 'draft', 1],
    [5, 2, 'draft', 1],
    [6, 3, 'publish'],
  ] as const
  for (const [id, author_id, status, post_parent = null] of rows)
    await insert('events', { ...EVENT, id, author_id, status, slug: `e-${id}`, post_parent })
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(added))
  expect(
    await query('SELECT id, parent_confirmed_by AS user FROM events WHERE parent_confirmed_by IS NOT NULL'),
  ).toEqual([
    { id: 2, user: 3 },
    { id: 4, user: 1 },
    { id: 5, user: 2 },
  ])
  expect(await query(`SELECT event_id FROM listings WHERE facet = 'parent'`)).toEqual([{ event_id: 2 }])
})

it('access_and_tickets lists events by access, by tickets and by several venues', async () => {
  const added = env.MIGRATIONS.findIndex(({ name }) => name.includes('access_and_tickets'))
  await dropEverything()
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, added))
  await insert('users', { id: 1, login: 'user', name: '', role: 'editor', created_utc: NOON })
  for (const [id, wheelchair, status] of [
    [1, 'yes', 'publish'],
    [2, 'no', 'publish'],
    [3, 'limited', 'private'],
  ] as const)
    await insert('venues', { ...WRITTEN, id, slug: `v-${id}`, name: '', wheelchair, status })
  for (const [id, wheelchair, ticket_availability, ...venues] of [
    [1, 'limited', '', 1],
    [2, '', 'few', 1, 2],
    [3, '', 'few', 3],
    [4, '', ''],
  ] as const) {
    await insert('events', {
      ...EVENT,
      id,
      slug: `e-${id}`,
      status: 'publish',
      wheelchair,
      ticket_availability,
      cost: id === 3 ? 'Free' : '5',
    })
    for (const [position, target_id] of venues.entries())
      await insert('event_venues', { event_id: id, target_id, position })
  }
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(added))
  const listed = await query(
    `SELECT facet, target_id, event_id FROM listings WHERE facet IN ('access', 'free', 'several_venues', 'ticket_availability') ORDER BY 1, 2, 3`,
  )
  expect(listed.map(row => Object.values(row))).toEqual([
    ['access', 2, 1],
    ['access', 5, 2],
    ['free', 1, 3],
    ['several_venues', 1, 2],
    ['ticket_availability', 2, 2],
    ['ticket_availability', 2, 3],
  ])
  expect((await findDriftIn(env.DB)).filter(text => /listings/.test(text))).toEqual([])
})

it('search_words_as_shown gives searches titles and names as people read them', async () => {
  const added = env.MIGRATIONS.findIndex(({ name }) => name.includes('search_words_as_shown'))
  await dropEverything()
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, added))
  await insert('users', { id: 1, login: 'user', name: '', role: 'editor', created_utc: NOON })
  const name = 'I &lt;3 R&amp;amp;B'
  const search_text = name.toLowerCase()
  const row = { ...WRITTEN, id: 1, slug: 'one', status: 'publish' }
  const times = { start_date: NOON, end_date: NOON, timezone: 'UTC' }
  await insert('events', { ...EVENT, ...row, title: name })
  const about = { title: 'HTML', description: '&amp;lt;', status: 'draft' }
  await insert('events', { ...EVENT, ...row, id: 2, slug: 'two', ...about })
  await insert('series', { ...row, ...times, title: name })
  for (const table of ['venues', 'organizers']) await insert(table, { ...row, name })
  const term = { id: 1, taxonomy: 'event_tag', slug: 'one', path: '', name, name_key: search_text }
  await insert('terms', { ...term, sort_name: search_text })
  await insert('images', { id: 1, url: 'https://example.org/1.png', search_text })
  for (const table of ['series_search', 'venues_search', 'organizers_search'])
    await insert(table, { rowid: 1, search_text })
  const key = '(SELECT search_key FROM events WHERE id = ?)'
  await query(`INSERT INTO events_search (rowid, listed) VALUES (${key}, ?)`, 1, search_text)
  await query(`INSERT INTO events_search (rowid, unlisted) VALUES (${key}, ?)`, 2, 'html &lt;')
  const drift = async () =>
    (await findDriftIn(env.DB)).filter(text => /^(search index|names of terms)/.test(text))
  expect(await drift()).toHaveLength(5)
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(added))
  expect(await drift()).toEqual([])
  expect(await query(`SELECT search_text FROM images`)).toEqual([{ search_text: 'i <3 r&amp;b' }])
  expect(await query(`SELECT 1 FROM events_search WHERE events_search MATCH '"i <3"'`)).toHaveLength(1)
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
