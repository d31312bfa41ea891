import { env } from 'cloudflare:workers'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { publishDue } from '../../../src/calendar/content/publication.ts'
import { Database } from '../../../src/kit/db/database.ts'
import * as schema from '../../../src/kit/db/tables.ts'
import { type Operation, operations, type Tick } from '../../derived/operations.ts'
import { DERIVED, findDriftIn } from '../../derived/values.ts'
import {
  makeCategory,
  makeDatabaseAnew,
  makeEvent,
  makeUser,
  query,
  queryAll,
  send,
} from '../../factories.ts'
import { TODAY } from '../../setup.ts'

/** Tables whose changes do not change a response by themselves. */
const UNSEEN: readonly unknown[] = [
  schema.users,
  schema.passwords,
  schema.audit,
  schema.imports,
  schema.images,
]

const BASE = Object.values(schema)
  .filter(table => is(table, SQLiteTable))
  .filter(table => !UNSEEN.includes(table))
  .map(table => getTableName(table))

/** All base tables as one text, and the number that must change whenever it does. */
async function state() {
  const queries = [...BASE.map(table => `SELECT * FROM ${table}`), 'SELECT change_number FROM revision']
  const rows = await queryAll(queries)
  return {
    tables: JSON.stringify(rows.slice(0, -1)),
    revision: Number(rows.at(-1)?.[0]?.change_number),
  }
}

async function pick(table: string, target: number, condition = '1'): Promise<number> {
  const rows = await query(`SELECT id FROM ${table} WHERE ${condition} ORDER BY id`)
  return Number(rows[target % Math.max(rows.length, 1)]?.id ?? 0)
}

const TABLES = {
  events: ['events', '1'],
  venues: ['venues', '1'],
  organizers: ['organizers', '1'],
  categories: ['terms', `taxonomy = 'event_category'`],
  tags: ['terms', `taxonomy = 'event_tag'`],
} as const

async function perform({ method, plural, target, into, force, json }: Operation, as: string): Promise<void> {
  const [table, condition] = TABLES[plural]
  const one = target === undefined ? `/${plural}` : `/${plural}/${await pick(table, target, condition)}`
  const path = into === undefined ? one : `${one}/merge`
  const parent = json.parent && { parent: await pick('terms', json.parent, TABLES.categories[1]) }
  const { status, body } = await send(method, force ? `${path}?force=true&detach=true` : path, {
    as,
    json: { ...json, ...parent, ...(into !== undefined && { into: await pick(table, into, condition) }) },
  })
  expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(500)
}

async function pass({ minutes }: Tick): Promise<void> {
  vi.setSystemTime(Date.now() + minutes * 60_000)
  await publishDue(new Database(env.DB), Date.now())
}

async function play(steps: readonly (Operation | Tick)[]): Promise<void> {
  await makeDatabaseAnew()
  vi.setSystemTime(TODAY)
  const editor = await makeUser('editor', 'editor')
  let before = await state()
  for (const step of steps) {
    await ('minutes' in step ? pass(step) : perform(step, editor))
    const after = await state()
    if (after.tables !== before.tables)
      expect(after.revision, JSON.stringify(step)).toBeGreaterThan(before.revision)
    before = after
  }
}

/** Lets SQLite check the integrity of its full-text tables. @throws Error if one is damaged */
async function checkFullText(): Promise<void> {
  const indexes = await query("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'")
  expect(indexes.length).toBeGreaterThan(2)
  for (const { name: table } of indexes)
    await query(`INSERT INTO ${table} (${table}, rank) VALUES ('integrity-check', 0)`)
}

describe('after any sequence of writes', () => {
  it('every derived value follows from the base tables, and each change had a revision of its own', async () => {
    const property = fc.asyncProperty(operations, async steps => {
      await play(steps)
      expect(await findDriftIn(env.DB)).toEqual([])
      await checkFullText()
    })
    await fc.assert(property, { seed: 20_261_120, numRuns: 3, endOnFailure: true })
    const [counted] = await query(
      'SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM event_terms) AS links',
    )
    // A sequence that leaves no rows would prove nothing.
    expect(counted?.events).toBeGreaterThan(3)
    expect(counted?.links).toBeGreaterThan(0)
  })
})

describe('drift is noticed', () => {
  beforeEach(async () => {
    await makeDatabaseAnew()
    const editor = await makeUser('editor', 'editor')
    const { id: parent } = await makeCategory(editor, 'Music')
    const { id: category } = await makeCategory(editor, 'Jazz', { parent })
    await makeEvent(editor, { categories: [category], tags: ['free'], venue: { venue: 'Barn' } })
    expect(await findDriftIn(env.DB)).toEqual([])
  })

  it.each([
    ['counts of terms', 'UPDATE terms SET count = count + 1'],
    ['paths of terms', `UPDATE terms SET path = path || '/x'`],
    ['ancestors of terms', 'DELETE FROM term_ancestors'],
    ['listings', 'DELETE FROM listings'],
    ['counts of listings', 'UPDATE listing_counts SET count = count + 1'],
    ['search index of events', `UPDATE events_search SET listed = 'other' WHERE listed IS NOT NULL`],
    ['search index of venues', 'DELETE FROM venues_search'],
    ['the next publication', `UPDATE revision SET next_due_utc = '2027-01-01 00:00:00'`],
  ])('in %s', async (name, damage) => {
    expect(DERIVED.map(derived => derived.name)).toContain(name)
    await query(damage)
    expect(await findDriftIn(env.DB)).toContainEqual(expect.stringContaining(`${name}:`))
  })
})
