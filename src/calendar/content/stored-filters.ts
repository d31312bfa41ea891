import { type SQL, sql } from 'drizzle-orm'
import { eachOf } from '../../kit/db/query.ts'
import { type Taxonomy, terms } from '../../kit/db/tables.ts'
import { tablesWithFilters } from './dependents.ts'

// Stored filters, such as those of webhooks and letters, name content as the client sent it: by ids, and
// categories and tags also by slugs. If the content is merged or gets another slug, the filters follow it.

/** What follows FROM in a SELECT of the names in a parameter of stored filters. One text may have several. */
export const namedRows = (path: string | SQL): SQL =>
  sql`json_each(filters, ${path}) AS input
    CROSS JOIN json_each('[' || replace(json_quote(CAST(input.value AS TEXT)), ',', '","') || ']') AS named`

/** A name in stored filters, as it is compared with ids and slugs, among {@link namedRows}. */
export const comparedName = sql`lower(trim(named.value))`

/**
 * The statements that replace names in stored filters.
 *
 * @param parameter the parameter with the names
 * @param newName an expression for what replaces {@link comparedName}; null to keep it
 */
export const filterReplacementStatements = (parameter: string, newName: SQL): SQL[] => {
  const nameRows = namedRows(`$.${parameter}`)
  return tablesWithFilters().map(
    table => sql`UPDATE ${table} SET version = version + 1, filters = json_set(filters, ${`$.${parameter}`},
        (SELECT json_group_array(DISTINCT coalesce(${newName}, trim(named.value))) FROM ${nameRows}))
      WHERE EXISTS (SELECT 1 FROM ${nameRows} WHERE ${newName} IS NOT NULL)`,
  )
}

/** The statements that replace former slugs of terms in stored filters with the ids of these terms. */
export function slugReplacementStatements(
  taxonomy: Taxonomy,
  renamedTerms: readonly { id: number; slug: string }[],
): SQL[] {
  if (renamedTerms.length === 0) return []
  const ids = Object.fromEntries(renamedTerms.map(({ id, slug }) => [slug, id]))
  // A number that is the id of a term means this term, even if it is also the slug of another term.
  const takenByIdSql = sql`(${comparedName} NOT GLOB '*[^0-9]*' AND EXISTS (SELECT 1 FROM ${terms}
    WHERE ${terms.taxonomy} = ${taxonomy} AND ${terms.id} = CAST(${comparedName} AS INTEGER)))`
  return filterReplacementStatements(
    taxonomy === 'event_category' ? 'categories' : 'tags',
    sql`(SELECT CAST(value AS TEXT) FROM ${eachOf(ids)} WHERE key = ${comparedName} AND NOT ${takenByIdSql})`,
  )
}
