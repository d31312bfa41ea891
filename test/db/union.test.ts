import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { Database } from '../../src/db/database.ts'
import { unionOf } from '../../src/db/union.ts'

const all = (values: readonly unknown[]) => values

test('rows of several kinds are separated, each kind with its own columns and in its own order', async () => {
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
  expect(await new Database(env.DB).get(query)).toEqual({
    head: 6,
    short: [[1], [2], [3]],
    long: [
      [2, -2, null],
      [3, -3, null],
    ],
    none: [],
  })
})

test('rows that do not meet the condition have other columns', async () => {
  const select = unionOf({
    rows: {
      columns: ['1', 'list.n'].map(sql.raw),
      otherwise: { unless: sql`n < 3`, columns: ['0', 'NULL'].map(sql.raw) },
      from: sql`FROM list`,
      read: all,
    },
  })
  const query = select(sql`WITH list(n) AS (VALUES (1), (5), (2))`, sql`0`)
  expect((await new Database(env.DB).get(query)).rows).toEqual([
    [1, 1],
    [0, null],
    [1, 2],
  ])
})

test('values of rows are exactly those in the database: texts with all characters, numbers with all digits', async () => {
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
  expect((await new Database(env.DB).get(query)).rows).toEqual([stored])
})
