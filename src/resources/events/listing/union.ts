import { type SQL, sql } from 'drizzle-orm'

/** D1 allows five SELECTs in a UNION, but not how often one stands in another. */
const MOST_SELECTS = 4

/** A UNION ALL of any number of SELECTs. */
export function unionAll(selects: readonly SQL[]): SQL {
  if (selects.length <= MOST_SELECTS) return sql.join([...selects], sql` UNION ALL `)
  const rest = sql`SELECT * FROM (${unionAll(selects.slice(MOST_SELECTS - 1))})`
  return unionAll([...selects.slice(0, MOST_SELECTS - 1), rest])
}
