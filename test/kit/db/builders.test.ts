import { env } from 'cloudflare:workers'
import { and, desc, eq, sql } from 'drizzle-orm'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { Database } from '../../../src/kit/db/database.ts'
import { combineQueries, first, many, rowlessQuery } from '../../../src/kit/db/query.ts'
import { build, renderStatement, withValues } from '../../../src/kit/db/statements.ts'
import { events, images, users } from '../../../src/kit/db/tables.ts'

const db = new Database(env.DB)

const user = (login: string) =>
  build
    .insert(users)
    .values({ login, role: 'author', created_utc: '2027-01-01 00:00:00' })
    .returning({ id: users.id })

const image = (url: string, authorId?: number) =>
  build.insert(images).values({ url, author_id: authorId ?? null, has_sizes: true })

const textOf = (query: { statements: readonly Parameters<typeof renderStatement>[0][] }) =>
  query.statements.map(statement => renderStatement(statement).text)

describe('rows of a builder', () => {
  it('have the types and the values of their columns', async () => {
    const made = await db.write(first(user('one')))
    expectTypeOf(made).toEqualTypeOf<{ id: number } | undefined>()
    const id = made?.id ?? 0
    await db.write([image('https://img.example/one.png', id)])
    const url = eq(images.url, 'https://img.example/one.png')
    const found = await db.read(
      first(
        build
          .select({ flag: images.has_sizes, width: images.width, type: images.mime_type })
          .from(images)
          .where(url),
      ),
    )
    expectTypeOf(found).toEqualTypeOf<{ flag: boolean; width: number | null; type: string } | undefined>()
    expect(found).toEqual({ flag: true, width: null, type: '' })
    expect(await db.read(first(build.select().from(users).where(eq(users.id, id))))).toEqual({
      id,
      login: 'one',
      name: '',
      role: 'author',
      created_utc: '2027-01-01 00:00:00',
      email: '',
      notices: 'never',
      noticed_utc: '',
      setup_code: null,
      is_setup_code_used: false,
    })
    expect(await db.read(first(build.select().from(users).where(eq(users.id, 0))))).toBeUndefined()
  })

  it('keep columns of the same name apart', async () => {
    const [made] = await db.write(combineQueries([first(user('two')), rowlessQuery(sql`SELECT 1`)]))
    const id = made?.id ?? 0
    await db.write([image('https://img.example/two.png', id), image('https://img.example/three.png')])
    const rows = await db.read(
      many(
        build
          .select({ url: images.url, id: images.id, author: users.id, login: users.login })
          .from(images)
          .leftJoin(users, eq(users.id, images.author_id))
          .where(sql`${images.url} LIKE '%/t%.png'`)
          .orderBy(desc(images.id)),
      ),
    )
    expectTypeOf(rows).toEqualTypeOf<
      { url: string; id: number; author: number | null; login: string | null }[]
    >()
    const imageId = rows[1]?.id ?? 0
    expect(rows).toEqual([
      { url: 'https://img.example/three.png', id: imageId + 1, author: null, login: null },
      { url: 'https://img.example/two.png', id: imageId, author: id, login: 'two' },
    ])
  })

  it('are in the order of their keys, also where these are numbers', async () => {
    const made = await db.write(first(user('numbered')))
    const id = made?.id ?? 0
    const numbered = build.select({ login: users.login, 10: users.role, 9: users.id }).from(users)
    const rows = await db.read(many(numbered.where(eq(users.id, id))))
    expect(rows).toEqual([{ login: 'numbered', 10: 'author', 9: id }])
  })

  it('are refused if two columns have the same name, which only those that a write returns can', async () => {
    const twice = build
      .update(users)
      .set({ name: 'Two' })
      .returning({ id: users.id, login: users.login, again: users.id })
    await expect(db.write(many(twice))).rejects.toThrow('Two columns of a builder have the same name.')
  })

  it('can count rows of another table, whose columns have the same names', async () => {
    const made = await db.write(first(user('three')))
    const id = made?.id ?? 0
    await db.write([image('https://img.example/a.png', id), image('https://img.example/b.png', id)])
    const count = sql<number>`(SELECT count(*) FROM ${images} WHERE ${images.author_id} = ${users.id})`
    const owner = build
      .select({ id: users.id, images: count, none: sql<number>`0`.as('nothing') })
      .from(users)
    expect(await db.read(many(owner.where(eq(users.id, id))))).toEqual([{ id, images: 2, none: 0 }])
  })
})

describe('the text of a builder', () => {
  it('begins where its offset says', async () => {
    const ids = (offset: number) =>
      db.read(many(build.select({ id: users.id }).from(users).orderBy(users.id).limit(1).offset(offset)))
    await db.write(combineQueries([first(user('before')), first(user('after'))]))
    const [one] = await ids(0)
    const [other] = await ids(1)
    expect(Number(other?.id)).toBeGreaterThan(Number(one?.id))
  })

  it('binds equal values once, and holds its limit', () => {
    const own = and(eq(events.author_id, 7), eq(events.series_id, 7), eq(events.sticky, true))
    const query = many(build.select({ id: events.id }).from(events).where(own).limit(5))
    expect(query.statements.map(renderStatement)).toEqual([
      {
        text: 'select "id" from "events" where ("events"."author_id" = ?1 and "events"."series_id" = ?1 and "events"."sticky" = ?2) limit 5',
        params: [7, 1],
      },
    ])
  })

  it('is built once, and gets its values each time', async () => {
    const byLogin = first(
      build
        .select({ login: users.login })
        .from(users)
        .where(eq(users.login, sql.placeholder('login'))),
    )
    await db.write(combineQueries([first(user('four')), first(user('five'))]))
    const four = withValues(byLogin, { login: 'four' })
    const five = withValues(byLogin, { login: 'five' })
    expect(await db.read(combineQueries([four, five]))).toEqual([{ login: 'four' }, { login: 'five' }])
    expect(textOf(four)).toEqual(textOf(five))
  })

  it('must get all of its values', () => {
    const byLogin = many(
      build
        .select()
        .from(users)
        .where(eq(users.login, sql.placeholder('login'))),
    )
    expect(() => withValues(byLogin, { name: 'four' })).toThrow('login')
  })
})
