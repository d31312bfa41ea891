import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { FEATURES } from '../../../src/features.ts'
import * as derived from '../../../src/kit/db/derived.ts'
import { FACETS } from '../../../src/kit/db/derived.ts'
import * as schema from '../../../src/kit/db/tables.ts'
import { DERIVED } from '../../derived/values.ts'
import { query } from '../../factories.ts'

// Compares the declarations of tables that Drizzle doesn't create with the actual ones;
// test/kit/db/node/schema.test.ts compares everything else.

const named = (declared: object): [name: string, table: SQLiteTable][] =>
  Object.values(declared)
    .filter((value): value is SQLiteTable => is(value, SQLiteTable))
    .map(table => [getTableName(table), table])

const OWN = [...named(schema), ...FEATURES.flatMap(({ tables = {} }) => named(tables))]

it.each(named(derived))('the table %s has the declared columns, and no others', async (name, table) => {
  const columns = await query(
    `SELECT name, "notnull" AS is_required FROM pragma_table_info('${name}') ORDER BY name`,
  )
  const declared = getTableConfig(table).columns.map(column => ({
    name: column.name,
    is_required: column.notNull ? 1 : 0,
  }))
  expect(columns).toEqual(declared.sort((a, b) => (a.name < b.name ? -1 : 1)))
})

it('every table that triggers or searches fill is compared with the tables from which it is derived', async () => {
  const tables = await query(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
      AND name NOT GLOB 'd1_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB '*_search_*'`,
  )
  const names = tables.map(({ name }) => String(name))
  const filled = names.filter(name => !OWN.some(([own]) => own === name))
  expect(filled.length).toBeGreaterThan(named(derived).length)
  for (const name of filled)
    expect(
      DERIVED.filter(({ stored }) => new RegExp(`\\bFROM ${name}\\b`).test(stored)),
      name,
    ).not.toEqual([])
})

it.each(OWN.filter(([, table]) => 'version' in table))('the versions of %s rise one by one', async name => {
  const triggers = await query(
    `SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '${name}' AND name = '${name}_version'`,
  )
  expect(String(triggers[0]?.sql)).toMatch(/BEFORE UPDATE OF version .*RAISE/s)
})

/** A name that a text with ids may have. */
const OF_IDS = /(^|_)ids?$|^(series|filters)$/
/**
 * Columns that may hold ids of content by their names, types or defaults, and don't: whoever adds a column
 * says here that it is one more, or in `references` of what it has ids.
 */
const NO_CONTENT =
  `about audit_id closes_days consent days events former hour message_id n network_counts opens_days per_person
  places position public_n refusals registrant_id registration_id status taken tries version waiting webhook_places.id`.split(
    /\s+/,
  )
/** The defaults of columns with JSON, in which anything may be. */
const JSON_DEFAULTS: readonly unknown[] = ['[]', '{}']

/** Columns of features that may hold ids, but refer to no table of theirs or of the core. */
const idsOfFeatures = FEATURES.flatMap(({ name, tables = {}, references = {} }) =>
  Object.entries(tables).flatMap(([key, table]) => {
    const { columns, foreignKeys } = getTableConfig(table)
    const known = foreignKeys.flatMap(foreign => foreign.reference().columns)
    const declared = references[key] ?? {}
    const properties = new Map(
      Object.entries(getTableColumns(table)).map(([name, { name: sql }]) => [sql, name]),
    )
    return columns
      .filter(
        column =>
          (OF_IDS.test(column.name) ||
            JSON_DEFAULTS.includes(column.default) ||
            column.dataType === 'number') &&
          !NO_CONTENT.includes(column.name) &&
          !NO_CONTENT.includes(`${getTableName(table)}.${column.name}`) &&
          !column.primary &&
          !known.includes(column),
      )
      .map(column => ({
        what: `${name}: ${key}.${column.name}`,
        isDeclared: (properties.get(column.name) ?? column.name) in declared,
      }))
  }),
)

it('every feature says of what its tables hold ids, and what becomes of the rows', () => {
  expect(idsOfFeatures.length).toBeGreaterThan(8)
  expect(idsOfFeatures.filter(({ isDeclared }) => !isDeclared)).toEqual([])
})

it('the views of facets have the declared facets', async () => {
  const [view] = await query(
    `SELECT group_concat(sql) AS sql FROM sqlite_master WHERE type = 'view' AND name GLOB 'event_*facets'`,
  )
  const facets = [...String(view?.sql).matchAll(/id, '(\w+)',/g)].map(([, facet]) => facet)
  expect(facets.sort()).toEqual([...FACETS].sort())
})
