import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { MAX_SLUG } from '../lib/slug.ts'

type Sluggable = SQLiteTable & { id: SQLiteColumn; slug: SQLiteColumn }

/**
 * An expression of the first free slug among `base`, `base-2`, `base-3` … It is part of the statement that stores the
 * slug, so that no other request can take it in between.
 *
 * @param scope a condition for the rows among which slugs must be unique
 * @param except the id of the row that is being updated: its own slug counts as free
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
