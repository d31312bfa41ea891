import { and, asc, desc, eq, gt, inArray, isNull, like, or, type SQLWrapper, sql } from 'drizzle-orm'
import { alias, SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { build, render } from '../../../src/kit/db/statements.ts'
import { events, images, sourceRuns, terms, users } from '../../../src/kit/db/tables.ts'

// `render` does what Drizzle's own renderer does, only faster, and binds equal values once. A new version of
// Drizzle that makes other parts fails here first.

const other = alias(users, 'other')

const KINDS: Record<string, SQLWrapper> = {
  'a SELECT of all columns': build.select().from(users),
  'a SELECT with conditions, an order and a limit': build
    .select({ id: events.id, isAllDay: events.all_day })
    .from(events)
    .where(
      and(
        eq(events.all_day, true),
        or(gt(events.id, 7), isNull(events.series_id)),
        like(events.title, '%a"b%'),
      ),
    )
    .orderBy(desc(events.utc_start_date), asc(events.id))
    .limit(5)
    .offset(10),
  'a SELECT with joins and an alias': build
    .select({ title: events.title, name: other.name })
    .from(events)
    .leftJoin(other, eq(other.id, events.author_id))
    .innerJoin(images, eq(images.id, events.image_id)),
  'a SELECT with groups': build
    .select({ kind: terms.taxonomy, n: sql<number>`count(*)` })
    .from(terms)
    .groupBy(terms.taxonomy)
    .having(sql`count(*) > ${2}`),
  'a SELECT in a condition': build
    .select({ id: events.id })
    .from(events)
    .where(
      inArray(events.author_id, build.select({ id: users.id }).from(users).where(eq(users.role, 'editor'))),
    ),
  'a SELECT with a list of values': build
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [3, 4, 3])),
  'a SELECT with placeholders': build
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.login, sql.placeholder('login')), gt(users.id, sql.placeholder('id')))),
  'an INSERT of rows with values of all types': build.insert(images).values([
    { url: 'https://img.example/1.png', has_sizes: true, width: 0 },
    { url: "it's", author_id: null, has_sizes: false },
  ]),
  'an INSERT that may meet a row': build
    .insert(users)
    .values({ login: 'a', role: 'author', created_utc: '' })
    .onConflictDoUpdate({ target: users.login, set: { name: sql`excluded.login`, role: 'editor' } })
    .returning({ id: users.id }),
  'an UPDATE with an expression': build
    .update(events)
    .set({ title: 'x', version: sql`${events.version} + 1`, all_day: false })
    .where(eq(events.id, 1)),
  'a DELETE': build.delete(sourceRuns).where(gt(sourceRuns.id, 5)).returning({ id: sourceRuns.id }),
  'a template with columns, tables, names, values and a part of its own': sql`SELECT ${events.id}, ${sql.identifier('an "odd" name')} FROM ${events}
    WHERE ${eq(events.hide_from_listings, true)} AND ${sql`${events.title} = ${'a'} OR ${events.title} = ${'a'}`} AND ${5} IN ${[1, 'b']} AND ${null} IS NULL`,
  'a template of parts that are joined': sql.join([sql`SELECT ${1}`, sql.raw('2'), sql`${'x'}`], sql`, `),
}

it.each(Object.entries(KINDS))(
  '%s is the text that Drizzle makes of it, with the same values',
  (_, statement) => {
    const own = render(statement.getSQL())
    const drizzle = new SQLiteAsyncDialect().sqlToQuery(statement.getSQL())
    // Parameters have numbers here, and may be shared.
    const numbers = [...own.text.matchAll(/\?(\d+)/g)].map(([, n]) => Number(n) - 1)
    expect(own.text.replaceAll(/\?\d+/g, '?')).toBe(drizzle.sql)
    expect(numbers.map(n => own.params[n])).toEqual(drizzle.params)
    expect(new Set(numbers).size).toBe(own.params.length)
  },
)
