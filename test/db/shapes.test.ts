import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { insertRows } from '../../src/db/bulk.ts'
import { rendered } from '../../src/db/query.ts'
import { terms } from '../../src/db/schema.ts'
import { shaped } from '../../src/db/shapes.ts'
import { memoize } from '../../src/lib/memo.ts'

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

describe('a shaped statement', () => {
  it('has its text built once, and gets its values each time', () => {
    let built = 0
    const find = shaped<{ id: number; slug: string | SQL }>(({ id, slug }) => {
      built++
      return sql`SELECT ${terms.name} FROM ${terms} WHERE id = ${id} OR parent = ${id} OR ${slug} = slug`
    })
    const text = (slug: string) =>
      `SELECT "terms"."name" FROM "terms" WHERE id = ?1 OR parent = ?1 OR ${slug} = slug`
    expect(rendered(find({ id: 3, slug: 'jazz' }))).toEqual({ text: text('?2'), params: [3, 'jazz'] })
    expect(rendered(find({ id: 4, slug: sql`lower(${'Jazz'})` }))).toEqual({
      text: text('lower(?2)'),
      params: [4, 'Jazz'],
    })
    expect(built).toBe(1)
  })

  it('can be a part of another', () => {
    const isIt = shaped<{ id: number | null }>(({ id }) => sql`id = ${id}`)
    expect(rendered(sql`SELECT ${1} WHERE ${isIt({ id: 1 })} AND ${isIt({ id: null })}`)).toEqual({
      text: 'SELECT ?1 WHERE id = ?1 AND id = ?2',
      params: [1, null],
    })
  })

  it('binds values that columns can store, and nothing else', () => {
    for (const value of [true, false, Number.NaN, 1n, new Date(0), ['a']])
      expect(() => rendered(sql`SELECT ${sql.param(value)}`)).toThrow('no value of a parameter')
  })

  it('refuses to keep a value', () => {
    const request = { login: 'somebody' }
    expect(() => shaped(() => sql`SELECT ${request.login}`)()).toThrow('SELECT ?')
  })
})

describe('statements of rows', () => {
  it('keep no values of earlier rows, long or short', () => {
    const params = (name: string) =>
      insertRows(terms, [{ taxonomy: 'event_tag', name, slug: 'a' }]).map(rendered)
    const [short, long, again] = [params('one'), params('x'.repeat(600_000)), params('two')]
    expect(short[0]?.text).toBe(again[0]?.text)
    expect(again[0]?.params).toEqual([JSON.stringify([{ taxonomy: 'event_tag', name: 'two', slug: 'a' }])])
    expect(long[0]?.params.map(text => String(text).length)).toEqual([600_000, 37])
  })
})
