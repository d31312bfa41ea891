import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { first, type Query } from './query.ts'
import { formerSlugs } from './schema.ts'

// Addresses of what was merged into something else, by its slug and by its id. They lead to what is there now, whatever that
// is called by then. What has taken the slug since comes first: addresses are looked for here if they name nothing else.

type MergedKind = (typeof formerSlugs.kind.enumValues)[number]

type Table = SQLiteTable & { id: SQLiteColumn; slug: SQLiteColumn }
type FormerKey<T> = { id: T } | { slug: T }

/** A SELECT from what a former address leads to. @param isReadable a condition for rows of the table */
const fromSurvivor = (
  columns: SQL,
  kind: MergedKind,
  key: FormerKey<unknown>,
  table: Table,
  isReadable: SQL,
): SQL =>
  sql`SELECT ${columns} FROM ${table} WHERE ${table.id} = (SELECT target_id FROM ${formerSlugs}
    WHERE kind = ${kind} AND ${'id' in key ? sql`former_id = ${key.id}` : sql`slug = ${key.slug}`}) AND ${isReadable}`

/** An expression of the id of what a former address leads to; null if there is none. */
export const survivorOf = (kind: MergedKind, key: FormerKey<SQL>, table: Table, isReadable: SQL): SQL =>
  sql`(${fromSurvivor(sql`${table.id}`, kind, key, table, isReadable)})`

/** The present address of what was merged. */
export type Survivor = { id: number; slug: string }

/** A query of what a former address leads to. */
export const selectSurvivor = (
  kind: MergedKind,
  key: FormerKey<unknown>,
  table: Table,
  isReadable: SQL,
): Query<Survivor | undefined> =>
  first(fromSurvivor(sql`${table.id} AS id, ${table.slug} AS slug`, kind, key, table, isReadable), row => ({
    id: Number(row.id),
    slug: String(row.slug),
  }))

/**
 * The statements by which addresses of something lead to what it is merged into, and with them those that have led to it.
 *
 * @param isPublic false if nobody else has known its address, which then leads nowhere
 */
export const leadOn = (
  kind: MergedKind,
  { id, slug, isPublic }: Survivor & { isPublic: boolean },
  into: number,
): SQL[] => [
  sql`UPDATE ${formerSlugs} SET target_id = ${into} WHERE kind = ${kind} AND target_id = ${id}`,
  ...(isPublic
    ? [
        // What had the slug before this is still known by its id: no slug begins with a blank.
        sql`UPDATE ${formerSlugs} SET slug = ' ' || former_id WHERE kind = ${kind} AND slug = ${slug} AND former_id > 0`,
        sql`INSERT INTO ${formerSlugs} (kind, slug, former_id, target_id) VALUES (${kind}, ${slug}, ${id}, ${into})
          ON CONFLICT DO UPDATE SET former_id = excluded.former_id, target_id = excluded.target_id`,
      ]
    : []),
]
