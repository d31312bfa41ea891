import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { inOrder, many, mapped, type Query } from '../../db/query.ts'
import { organizers, terms, venues } from '../../db/schema.ts'
import { isReadable } from '../../resources/content/visibility.ts'
import { readableTerm } from '../../resources/terms/queries.ts'
import type { Filters } from './filters.ts'
import { plain } from './text.ts'

/** The names of what filters name by id or slug, by parameter and value. */
export type FilterNames = ReadonlyMap<string, string>

export const parameterKey = (parameter: string, value: string | number): string => `${parameter} ${value}`

/** A query of the names that filters are shown by. It has no statements if there is nothing to look up. */
export function namesOf(context: RequestContext, { tags, venue, organizer }: Filters): Query<FilterNames> {
  const named = (parameter: string, values: readonly (string | number)[], name: ReturnType<typeof sql>) =>
    many(
      sql`SELECT value, ${name} AS name FROM json_each(${JSON.stringify(values)})`,
      row => [parameterKey(parameter, String(row.value)), plain(String(row.name ?? row.value))] as const,
    )
  const byId = (table: typeof venues | typeof organizers) =>
    sql`(SELECT name FROM ${table} WHERE id = json_each.value AND ${isReadable(table, context)})`
  return mapped(
    inOrder([
      ...(tags
        ? [
            named(
              'tags',
              tags,
              sql`(SELECT name FROM ${terms} WHERE id = ${readableTerm(context, 'event_tag', sql`value`)})`,
            ),
          ]
        : []),
      ...(venue ? [named('venue', venue, byId(venues))] : []),
      ...(organizer ? [named('organizer', organizer, byId(organizers))] : []),
    ]),
    found => new Map(found.flat()),
  )
}
