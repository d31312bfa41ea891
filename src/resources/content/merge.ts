import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { inList, type Statement } from '../../db/query.ts'
import { imports, sources, webhooks } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { integer } from '../../http/params.ts'
import { type ApiError, invalidParams, type ValidationErrors } from '../../lib/errors.ts'

// Merges one resource into another: all references to the first then lead to the second, which also gets the values
// that it lacks, and the addresses of the first redirect to the second (db/slugs.ts). The number of statements doesn't
// depend on the number of references.

/** The body of a request that merges one resource into another. */
export const mergeFields = z
  .object({
    into: integer({ description: 'Id of the one that stays.', example: 13 }),
  })
  .register(z.globalRegistry, { id: 'MergeFields' })

type Merging = { id: number; into: number | undefined; noun: string }

/** Returns the id of the survivor. @throws ApiError if it is absent or bad, or is that of the merged resource */
export function survivorIn({ id, into, noun }: Merging, errors: ValidationErrors): number {
  if (into === id) errors.add('into', `must be another ${noun}`)
  errors.throwIfAny()
  return into ?? 0
}

/** The error for a survivor that doesn't exist, or that the caller may not see. */
export const unknownSurvivor = ({ into, noun }: Omit<Merging, 'id'>): ApiError =>
  invalidParams(new Map([['into', `there is no ${noun} ${into}`]]))

type Links = SQLiteTable & { target_id: SQLiteColumn; position?: SQLiteColumn }
type Move = { from: number; to: number }

/**
 * The statements that move the links of one target to another. Where an owner has both, the earlier position counts.
 * Rows are inserted again rather than updated, because triggers maintain the listings of events on inserts.
 */
export function moveLinks(links: Links, owner: SQLiteColumn, { from, to }: Move): Statement[] {
  const position = links.position ? sql`, position` : sql``
  const whenThere = links.position
    ? sql`ON CONFLICT DO UPDATE SET position = excluded.position WHERE excluded.position < position`
    : sql`ON CONFLICT DO NOTHING`
  const name = sql.identifier(owner.name)
  return [
    sql`INSERT INTO ${links} (${name}, target_id${position})
      SELECT ${name}, ${to}${position} FROM ${links} WHERE target_id = ${from} ${whenThere}`,
    build.delete(links).where(eq(links.target_id, from)),
  ]
}

/** Columns of sources, and parameters of lists, that refer to a resource: to categories and tags by lists of ids or slugs. */
const NAMED_BY = {
  category: { column: sql`categories`, parameter: 'categories', isList: true },
  tag: { column: sql`tags`, parameter: 'tags', isList: true },
  venue: { column: sql`venue`, parameter: 'venue', isList: false },
  organizer: { column: sql`organizer`, parameter: 'organizer', isList: false },
} as const

/** A resource that can be merged into another one. */
export type MergedKind = keyof typeof NAMED_BY

/** A condition for a resource that a source gives to its events, or that a webhook may name. */
export function isNamedElsewhere(kind: MergedKind, id: number): SQL {
  const { column, parameter, isList } = NAMED_BY[kind]
  const isNamed = isList
    ? sql`EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${id})`
    : sql`${column} = ${id}`
  return sql`(EXISTS (SELECT 1 FROM ${sources} WHERE ${isNamed})
    OR EXISTS (SELECT 1 FROM ${webhooks} WHERE json_extract(filters, ${`$.${parameter}`}) IS NOT NULL))`
}

/**
 * The statements that make references to one resource lead to another: in imports, which leave the survivor as it is
 * here from then on, in sources that give it to their events, and in filters of webhooks.
 */
export function moveReferences(kind: MergedKind, { from, to, slug }: Move & { slug?: string }): Statement[] {
  const { column, parameter, isList } = NAMED_BY[kind]
  return [
    build
      .update(imports)
      // A null marks a row that was here before the import, and stays null.
      .set({ target_id: to, imported_version: sql`iif(imported_version IS NULL, NULL, '')` })
      .where(and(eq(imports.kind, kind), eq(imports.target_id, from))),
    isList
      ? sql`UPDATE ${sources} SET ${column} = (SELECT json_group_array(DISTINCT iif(value = ${from}, ${to}, value))
          FROM json_each(${column})) WHERE EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${from})`
      : sql`UPDATE ${sources} SET ${column} = ${to} WHERE ${column} = ${from}`,
    inFilters(`$.${parameter}`, [String(from), ...(slug === undefined ? [] : [slug])], to),
  ]
}

/**
 * The statement that replaces a resource in filters of webhooks, which are stored as the client sent them: one text may
 * name several.
 */
function inFilters(path: string, names: readonly string[], to: number): SQL {
  const all = sql`json_each(filters, ${path}) AS given
    CROSS JOIN json_each('[' || replace(json_quote(CAST(given.value AS TEXT)), ',', '","') || ']') AS named`
  const isIt = sql`lower(trim(named.value)) IN ${inList(names)}`
  return sql`UPDATE ${webhooks} SET version = version + 1, filters = json_set(filters, ${path},
      (SELECT json_group_array(DISTINCT iif(${isIt}, ${String(to)}, trim(named.value))) FROM ${all}))
    WHERE EXISTS (SELECT 1 FROM ${all} WHERE ${isIt})`
}
