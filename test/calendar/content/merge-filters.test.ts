import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { declareUser, makeCategory, makeOrganizer, makeTag, makeVenue, query, send } from '../../factories.ts'

const editor = declareUser('editor')

type Column = { name: string; type: string; notnull: number; dflt_value: unknown; pk: number }

/**
 * Inserts a row with filters into a table of any feature, whatever its other columns are.
 * @returns its rowid
 */
async function store(table: string, filters: object): Promise<number> {
  const columns = await query<Column>(`SELECT * FROM pragma_table_info('${table}')`)
  const needed = columns.filter(
    ({ notnull, dflt_value, pk }) => notnull === 1 && dflt_value === null && pk === 0,
  )
  const values = new Map<string, string>([
    ...needed.map(({ name, type }) => [name, type === 'integer' ? '1' : `'x${Math.random()}'`] as const),
    ['filters', `'${JSON.stringify(filters)}'`],
  ])
  const { meta } = await env.DB.prepare(
    `INSERT INTO ${table} (${[...values.keys()].join(', ')}) VALUES (${[...values.values()].join(', ')})`,
  ).run()
  return meta.last_row_id
}

// Found in the database itself, so that a table which stores filters and is left out by merges fails here.
const tables = async (): Promise<string[]> => {
  const found = await query<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql GLOB '*[^a-z_]filters[^a-z_]*' ORDER BY name",
  )
  return found.map(({ name }) => name)
}

const RESOURCES = [
  ['venues', 'venue', makeVenue],
  ['organizers', 'organizer', makeOrganizer],
  ['categories', 'categories', makeCategory],
  ['tags', 'tags', makeTag],
] as const

describe('a merge', () => {
  it.each(RESOURCES)(
    'of %s changes all filters that name the merged one',
    async (plural, parameter, make) => {
      const from = await make(editor, `Old ${plural}`)
      const into = await make(editor, `New ${plural}`)
      const other = await make(editor, `Other ${plural}`)
      const all = await tables()
      expect(all.length).toBeGreaterThan(0)
      const rows = await Promise.all(
        all.map(async table => ({
          table,
          one: await store(table, { [parameter]: `${from.id}, ${other.id}`, featured: 'true' }),
          none: await store(table, { [parameter]: String(other.id) }),
        })),
      )
      expect(
        (await send('POST', `/${plural}/${from.id}/merge`, { as: editor, json: { into: into.id } })).status,
      ).toBe(200)
      for (const { table, one, none } of rows) {
        const stored = await query<{ filters: string; version: number }>(
          `SELECT filters, version FROM ${table} WHERE rowid IN (${one}, ${none}) ORDER BY rowid = ${none}`,
        )
        expect(
          stored.map(({ filters, version }) => [JSON.parse(filters), version]),
          table,
        ).toEqual([
          [{ [parameter]: [String(into.id), String(other.id)], featured: 'true' }, 2],
          [{ [parameter]: String(other.id) }, 1],
        ])
      }
    },
  )
})
