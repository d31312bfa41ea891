import { env } from 'cloudflare:workers'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import * as derived from '../../src/db/derived.ts'
import { FACETS } from '../../src/db/derived.ts'
import * as schema from '../../src/db/schema.ts'
import { DERIVED } from '../derived/values.ts'

// Migrations are partly written by hand, and tables of triggers and texts wholly: what the code believes of the
// database is compared with what it is.

type Row = Record<string, unknown>

const select = async (sql: string): Promise<Row[]> => (await env.DB.prepare(sql).all<Row>()).results

const tablesOf = (declared: object): SQLiteTable[] =>
  Object.values(declared).filter((value): value is SQLiteTable => is(value, SQLiteTable))

const OWN = tablesOf(schema)
const FILLED_BY_TRIGGERS = tablesOf(derived)

const named = (tables: readonly SQLiteTable[]) =>
  tables.map((table): [name: string, table: SQLiteTable] => [getTableName(table), table])

/** Names of what there is of a kind, without what SQLite and D1 keep for themselves. */
async function namesOf(type: 'table' | 'index' | 'trigger', condition = '1'): Promise<string[]> {
  const rows = await select(
    `SELECT name FROM sqlite_master WHERE type = '${type}' AND ${condition} AND name NOT GLOB 'sqlite_*'
      AND name NOT GLOB 'd1_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB '*_search_*' ORDER BY name`,
  )
  return rows.map(({ name }) => String(name))
}

const IS_TEXT_INDEX = "sql LIKE 'CREATE VIRTUAL%'"

describe.each(named([...OWN, ...FILLED_BY_TRIGGERS]))('the table %s', (name, table) => {
  it('has the declared columns, and no others', async () => {
    const stored = await select(`PRAGMA table_xinfo(${name})`)
    const declared = getTableConfig(table).columns
    expect(stored.map(column => column.name).sort()).toEqual(declared.map(column => column.name).sort())
    for (const { name: of, notNull, generated } of declared) {
      const column = stored.find(one => one.name === of)
      expect([column?.notnull, column?.hidden !== 0], of).toEqual([notNull ? 1 : 0, generated !== undefined])
    }
  })
})

it.each(named(OWN))('the table %s has the declared indexes, and no others', async (name, table) => {
  const stored = await namesOf('index', `tbl_name = '${name}'`)
  expect(stored).toEqual(
    getTableConfig(table)
      .indexes.map(({ config }) => config.name)
      .sort(),
  )
})

it('every table is declared, but for text indexes', async () => {
  const declared = named([...OWN, ...FILLED_BY_TRIGGERS]).map(([name]) => name)
  expect(await namesOf('table', `NOT (${IS_TEXT_INDEX})`)).toEqual(declared.sort())
})

it('every table that triggers or searches fill is compared with what it is derived from', async () => {
  const filled = [
    ...named(FILLED_BY_TRIGGERS).map(([name]) => name),
    ...(await namesOf('table', IS_TEXT_INDEX)),
  ]
  expect(filled.length).toBeGreaterThan(3)
  for (const name of filled)
    expect(
      DERIVED.filter(({ stored }) => new RegExp(`\\bFROM ${name}\\b`).test(stored)),
      name,
    ).not.toEqual([])
})

it.each(named(OWN).filter(([, table]) => 'version' in table))(
  'the versions of %s rise one by one',
  async name => {
    const triggers = await select(
      `SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '${name}' AND name = '${name}_version'`,
    )
    expect(String(triggers[0]?.sql)).toMatch(/BEFORE UPDATE OF version .*RAISE/s)
  },
)

it('the view of facets has those that are declared', async () => {
  const [view] = await select(
    `SELECT group_concat(sql) AS sql FROM sqlite_master WHERE type = 'view' AND name GLOB 'event_*facets'`,
  )
  const facets = [...String(view?.sql).matchAll(/id, '(\w+)',/g)].map(([, facet]) => facet)
  expect(facets.sort()).toEqual([...FACETS].sort())
})
