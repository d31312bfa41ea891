import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { MAX_SLUG } from '../lib/slug.ts'

type Sluggable = SQLiteTable & { id: SQLiteColumn; slug: SQLiteColumn }

/**
 * An expression for the first free slug of `base`, `base-2`, `base-3` … Being part of the statement that
 * stores it, it can't be overtaken by another request.
 *
 * @param scope narrows down the rows that slugs must differ from
 * @param except the row that is being updated: its own slug counts as free
 */
export function freeSlugSql(
  table: Sluggable,
  base: string,
  { scope, except }: { scope?: SQL; except?: number } = {},
): SQL {
  const others = sql`SELECT 1 FROM ${table} WHERE ${table.slug} = candidate.slug
    ${scope ? sql`AND ${scope}` : sql``} ${except === undefined ? sql`` : sql`AND ${table.id} <> ${except}`}`
  return sql`(WITH RECURSIVE candidate(n, slug) AS (
    SELECT 1, ${base}
    UNION ALL
    SELECT n + 1, substr(${base}, 1, ${MAX_SLUG - 1} - length(n + 1)) || '-' || (n + 1)
    FROM candidate WHERE EXISTS (${others})
  ) SELECT slug FROM candidate ORDER BY n DESC LIMIT 1)`
}
