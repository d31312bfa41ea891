import { env } from 'cloudflare:workers'
import {
  Column,
  eq,
  is,
  Name,
  noopEncoder,
  Param,
  Placeholder,
  SQL,
  StringChunk,
  sql,
  Table,
} from 'drizzle-orm'
import {
  SQLiteAsyncDialect,
  type SQLiteColumn,
  type SQLiteSelectConfig,
  type SQLiteTable,
} from 'drizzle-orm/sqlite-core'
import { SQLiteRemoteSession, SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowInsertStatements, rowUpdateStatements } from '../../../src/kit/db/bulk.ts'
import { unionOf } from '../../../src/kit/db/columns.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { combineQueries, rowlessQuery } from '../../../src/kit/db/query.ts'
import { renderStatement, sqlText } from '../../../src/kit/db/statements.ts'
import { terms, venues } from '../../../src/kit/db/tables.ts'
import { memoize } from '../../../src/kit/lib/memo.ts'
import { makeAll, makeUser, query, send } from '../../factories.ts'

describe('memoized results', () => {
  it('are made once for each shape, which compares objects by identity', () => {
    let made = 0
    const make = memoize((...shape: (string | number | object | undefined)[]) => `${shape.length} ${++made}`)
    const one = {}
    expect([make('a', 1), make('a', 1), make('a', 2), make('a,1')]).toEqual(['2 1', '2 1', '2 2', '1 3'])
    expect([make(one), make(one), make({}), make(undefined), make('undefined')]).toEqual([
      '1 4',
      '1 4',
      '1 5',
      '1 6',
      '1 7',
    ])
  })

  it('are forgotten if there are too many', () => {
    let made = 0
    const make = memoize((n: number) => {
      made++
      return n
    })
    for (let n = 0; n < 600; n++) make(n)
    make(599)
    expect(made).toBe(600)
    make(0)
    expect(made).toBe(601)
  })
})

describe('a statement', () => {
  it('takes memoized texts as its parts', () => {
    let made = 0
    const named = memoize((name: string) => {
      made++
      return sqlText(sql`${terms.name} = ${sql.raw(`'${name}'`)}`)
    })
    const find = (id: number) => sql`SELECT ${terms.id} FROM ${terms} WHERE ${named('Jazz')} AND id = ${id}`
    const text = `SELECT "terms"."id" FROM "terms" WHERE "terms"."name" = 'Jazz' AND id = ?1`
    expect([3, 4].map(id => renderStatement(find(id)))).toEqual([
      { text, params: [3] },
      { text, params: [4] },
    ])
    expect(made).toBe(1)
  })

  it('has a text that does not depend on which of its values are equal', () => {
    const at = (id: number, from: string, to: string) => {
      const start = sql`start >= ${id} + ${sql.param(from)}`
      return renderStatement(
        sql`${start} AND id = ${id} AND ${start} AND day IN (${from}, ${sql.param(to)}, ${from})`,
      )
    }
    // A part that comes twice has the same parameters each time, and so have equal texts.
    const text = 'start >= ?1 + ?2 AND id = ?3 AND start >= ?1 + ?2 AND day IN (?4, ?5, ?4)'
    expect(at(3, 'a', 'b')).toEqual({ text, params: [3, 'a', 3, 'a', 'b'] })
    expect(at(3, 'a', 'a').text).toBe(text)
  })

  it('refuses to make a text of a value', () => {
    const request = { login: 'somebody' }
    expect(() => sqlText(sql`SELECT ${request.login}`)).toThrow('SELECT ?1')
  })

  it('binds values that columns can store, and nothing else', () => {
    for (const value of [true, false, Number.NaN, 1n, new Date(0), ['a']])
      expect(() => renderStatement(sql`SELECT ${sql.param(value)}`)).toThrow('Cannot bind')
  })
})

// What kit/db/statements.ts takes from inside Drizzle: an upgrade that changes it fails here first.
describe('Drizzle', () => {
  it('makes chunks of these classes, in the order of the template', () => {
    const { queryChunks } =
      sql`SELECT ${terms.id}, ${terms}, ${sql.identifier('a')}, ${sql`b`}, ${sql.placeholder('c')}, ${7}, ${'d'}, ${null}`
    const parts = queryChunks.filter(chunk => !(chunk instanceof StringChunk))
    expect(queryChunks).toHaveLength(2 * parts.length + 1)
    expect(queryChunks[0]).toMatchObject({ value: ['SELECT '] })
    expect(parts.slice(0, 2)).toEqual([terms.id, terms])
    expect([Column, Table, Name, SQL, Placeholder].map((kind, at) => is(parts[at], kind))).toEqual(
      Array(5).fill(true),
    )
    expect(parts.slice(5)).toEqual([7, 'd', null])
    expect(parts[2]).toMatchObject({ value: 'a' })
    expect(parts[4]).toMatchObject({ name: 'c' })
  })

  it('makes parameters, with the encoder of a column only if they are for a column', () => {
    expect(sql.param(7)).toMatchObject({ value: 7, encoder: noopEncoder })
    const [forColumn] = eq(terms.id, 7).queryChunks.filter(chunk => is(chunk, Param))
    expect(forColumn).toMatchObject({ value: 7, encoder: terms.id })
  })

  it('hands the values of other chunks, such as lists, to `escapeParam`', () => {
    const values: unknown[] = []
    const dialect = new SQLiteAsyncDialect()
    dialect.escapeParam = (_, value?: unknown) => `?${values.push(value)}`
    expect(dialect.sqlToQuery(sql`${['a', 7]}`).sql).toBe('(?1, ?2)')
    expect(values).toEqual(['a', 7])
  })

  it('builds each SELECT by `buildSelectQuery`, with its fields by their keys, and makes its text by `sqlToQuery`', () => {
    const configs: SQLiteSelectConfig[] = []
    class Dialect extends SQLiteAsyncDialect {
      override buildSelectQuery(config: SQLiteSelectConfig): SQL {
        configs.push(config)
        return sql`SELECT 1`
      }
      override sqlToQuery(statement: SQL) {
        return { ...super.sqlToQuery(statement), params: ['ours'] }
      }
    }
    const dialect = new Dialect()
    const session = new SQLiteRemoteSession(() => Promise.reject(new Error()), dialect, undefined)
    const builder = new SqliteRemoteDatabase('async', dialect, session, undefined)
    const query = builder.select({ key: terms.id }).from(terms).limit(3).offset(4)
    expect(query.toSQL()).toEqual({ sql: 'SELECT 1', params: ['ours'] })
    expect(configs[0]).toMatchObject({ fields: { key: terms.id }, limit: 3, offset: 4 })
  })
})

describe('statements of rows', () => {
  it('keep no values of earlier rows, long or short', () => {
    const params = (name: string) =>
      rowInsertStatements(terms, [{ taxonomy: 'event_tag', name, slug: 'a' }]).map(renderStatement)
    const short = params('one')
    const long = params('x'.repeat(600_000))
    const again = params('two')
    expect(short[0]?.text).toBe(again[0]?.text)
    expect(again[0]?.params).toEqual([JSON.stringify([{ taxonomy: 'event_tag', name: 'two', slug: 'a' }])])
    expect(long[0]?.params.map(text => String(text).length)).toEqual([600_000, 37])
  })
})

describe('rows that change in many different columns', () => {
  const COLUMNS = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website'] as const
  const VENUES = 20

  beforeAll(async () => {
    const before = Object.fromEntries(COLUMNS.slice(0, 3).map(name => [name, `${name} before`]))
    await makeAll(
      await makeUser('admin', 'administrator'),
      'venues',
      Array.from({ length: VENUES }, (_, n) => ({ venue: `Hall ${n}`, ...before })),
    )
  })

  const stored = async (): Promise<Record<string, unknown>[]> =>
    await query(`SELECT id, version, ${COLUMNS} FROM venues ORDER BY id`)

  it('take few statements, and keep all others', async () => {
    const long = 'x'.repeat(1_800_000)
    const before = await stored()
    // Every row names a different set of columns; the last one has a text that needs a parameter of its own.
    const rows = before.map(({ id, version }, n) => ({
      id: Number(id),
      version: Number(version) + 1,
      ...Object.fromEntries(
        COLUMNS.filter((_, bit) => ((n + 1) >> (bit % 5)) % 2 === 1).map(name => [
          name,
          n === VENUES - 1 && name === 'country' ? long : `${name} ${n}`,
        ]),
      ),
    }))
    const statements = rowUpdateStatements(venues, rows)
    expect(statements.length).toBeLessThanOrEqual(5)
    await new Database(env.DB).write(combineQueries(statements.map(rowlessQuery)))
    expect(await stored()).toEqual(before.map((row, n) => ({ ...row, ...rows[n] })))
  })
})

describe('rows of a union', () => {
  const all = (values: readonly unknown[]) => values

  it('are separated by kind, each kind with its own columns and in its own order', async () => {
    const select = unionOf({
      short: { columns: [sql.raw('list.n')], from: sql`FROM list`, read: all },
      long: {
        columns: ['list.n', '-list.n', 'NULL'].map(sql.raw),
        from: sql`FROM list WHERE n > 1`,
        read: all,
      },
      none: { columns: [sql.raw('list.n')], from: sql`FROM list WHERE n > 9`, read: all },
    })
    const query = select(sql`WITH list(n) AS (VALUES (${1}), (${2}), (${3}))`, sql`(SELECT sum(n) FROM list)`)
    expect(await new Database(env.DB).read(query)).toEqual({
      head: 6,
      short: [[1], [2], [3]],
      long: [
        [2, -2, null],
        [3, -3, null],
      ],
      none: [],
    })
  })

  it('that do not meet the condition have other columns', async () => {
    const select = unionOf({
      rows: {
        columns: ['1', 'list.n'].map(sql.raw),
        otherwise: { unless: sql`n < 3`, columns: ['0', 'NULL'].map(sql.raw) },
        from: sql`FROM list`,
        read: all,
      },
    })
    const query = select(sql`WITH list(n) AS (VALUES (1), (5), (2))`, sql`0`)
    expect((await new Database(env.DB).read(query)).rows).toEqual([
      [1, 1],
      [0, null],
      [1, 2],
    ])
  })

  it('have exactly the values of the database: texts with all characters, numbers with all digits', async () => {
    const texts = [
      '',
      '"\\/\b\f\n\r\t',
      '\u0001\u001f\u007f\u2028',
      '𝄞 é e\u0301 語',
      '[1]',
      '{"a":null}',
      '1',
      'null',
    ]
    const numbers = [
      48.123456789012344,
      -12.345678901234567,
      0.1 + 0.2,
      1 / 3,
      1e-7,
      179.99999999999997,
      2 ** 53 - 1,
    ]
    const stored = [...texts, ...numbers]
    const select = unionOf({
      rows: { columns: stored.map((_, i) => sql.raw(`list.c${i}`)), from: sql`FROM list`, read: all },
    })
    const names = sql.raw(stored.map((_, i) => `c${i}`).join())
    const values = sql.join(
      stored.map(value => sql`${value}`),
      sql`, `,
    )
    const query = select(sql`WITH list(${names}) AS (VALUES (${values}))`, sql`0`)
    expect((await new Database(env.DB).read(query)).rows).toEqual([stored])
  })
})

/** D1, with a list of the statements that it receives. */
const watched = <T extends D1Database | D1DatabaseSession>(db: T, statements: string[]): T =>
  new Proxy(db, {
    get(_, name) {
      const value: unknown = Reflect.get(db, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'prepare') statements.push(String(args[0]))
        const result = value.apply(db, args)
        return name === 'withSession' ? watched(result, statements) : result
      }
    },
  })

async function statementsOf(path: string): Promise<string[]> {
  const statements: string[] = []
  const bindings = { DB: watched(env.DB, statements) }
  expect((await send('GET', path, { bindings })).status).toBe(200)
  return statements
}

// SQLite uses the parameter for its plan, and compiles the statement again whenever one is bound.
it.each([
  '/events',
  '/events?per_page=7&page=1&featured=1',
  '/events?per_page=7&featured=1&search=a',
  '/events?per_page=7&orderby=title',
  '/events?include=1,2',
  '/venues?per_page=7',
  '/organizers?per_page=7&search=a',
  '/categories?per_page=7',
  '/tags?per_page=7',
])('no statement of %s has a parameter as its LIMIT', async path => {
  const statements = (await statementsOf(path)).join('\n')
  expect(statements).toMatch(/LIMIT (\d|\?\d+ \+ 0)/)
  expect(statements).not.toMatch(/LIMIT \?\d*\s*(OFFSET|\)|$)/im)
})

it('rows with a column that their table lacks are refused', () => {
  // @ts-expect-error: the compiler refuses a literal,
  expect(() => rowInsertStatements(venues, [{ name: 'Shed', nmae: 'Barn' }])).toThrow(
    'venues has no column nmae',
  )
  const rows = [{ id: 1, nmae: 'Barn' }]
  // @ts-expect-error: and rows that are no literals.
  expect(() => rowUpdateStatements(venues, rows)).toThrow('venues has no column nmae')
  const restoredRows: { id: number; [column: string]: unknown }[] = rows
  // @ts-expect-error: Rows with any names are for code that knows no columns.
  expect(() => rowUpdateStatements(venues, restoredRows)).toThrow('venues has no column nmae')
  const anyTable: SQLiteTable & { id: SQLiteColumn } = venues
  expect(() => rowUpdateStatements(anyTable, restoredRows)).toThrow('venues has no column nmae')
})
