import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { inList } from '../../db/query.ts'
import { imports, sources, webhooks } from '../../db/schema.ts'
import { integer } from '../../http/params.ts'
import { type ApiError, invalidParams, type ValidationErrors } from '../../lib/errors.ts'

// Merging: everything that refers to one thing refers to another then, which gets what it lacks from the first, whose
// addresses lead there (db/slugs.ts). The number of statements doesn't depend on how much refers to it.

/** The body of a request that merges one thing into another. */
export const mergeFields = z
  .object({
    into: integer({ description: 'Id of the one that stays, and gets what the other has.', example: 13 }),
  })
  .register(z.globalRegistry, { id: 'MergeFields' })

type Merging = { id: number; into: number | undefined; noun: string }

/** Returns the id of the one that stays. @throws ApiError if it is absent or bad, or the one that is to go */
export function survivorIn({ id, into, noun }: Merging, errors: ValidationErrors): number {
  if (into === id) errors.add('into', `must be another ${noun}`)
  errors.throwIfAny()
  return into ?? 0
}

/** The error for something that is not there, or that the caller may not know of. */
export const unknownSurvivor = ({ into, noun }: Omit<Merging, 'id'>): ApiError =>
  invalidParams(new Map([['into', `there is no ${noun} ${into}`]]))

type Links = SQLiteTable & { target_id: SQLiteColumn; position?: SQLiteColumn }
type Move = { from: number; to: number }

/**
 * The statements that give links of one target to another. Where an owner has both, the other takes the place of the one
 * that comes first. New rows instead of changed ones, because triggers list events by these.
 */
export function moveLinks(links: Links, owner: SQLiteColumn, { from, to }: Move): SQL[] {
  const position = links.position ? sql`, position` : sql``
  const whenThere = links.position
    ? sql`ON CONFLICT DO UPDATE SET position = excluded.position WHERE excluded.position < position`
    : sql`ON CONFLICT DO NOTHING`
  const name = sql.identifier(owner.name)
  return [
    sql`INSERT INTO ${links} (${name}, target_id${position})
      SELECT ${name}, ${to}${position} FROM ${links} WHERE target_id = ${from} ${whenThere}`,
    sql`DELETE FROM ${links} WHERE target_id = ${from}`,
  ]
}

/** Columns of sources, and parameters of lists, that name something of a kind: of categories and tags, several by ids or slugs. */
const NAMED_BY = {
  category: { column: sql`categories`, parameter: 'categories' },
  tag: { column: sql`tags`, parameter: 'tags' },
  venue: { column: sql`venue`, parameter: 'venue' },
  organizer: { column: sql`organizer`, parameter: 'organizer' },
} as const

/**
 * The statements by which what refers to one thing refers to another: what is imported of it, which leaves the other as it is here,
 * sources that give it to their events, and webhooks that are told of what has it.
 */
export function moveReferences(
  kind: keyof typeof NAMED_BY,
  { from, to, slug }: Move & { slug?: string },
): SQL[] {
  const { column, parameter } = NAMED_BY[kind]
  const isList = kind === 'category' || kind === 'tag'
  return [
    sql`UPDATE ${imports} SET target_id = ${to}, imported_version = '' WHERE kind = ${kind} AND target_id = ${from}`,
    isList
      ? sql`UPDATE ${sources} SET ${column} = (SELECT json_group_array(DISTINCT iif(value = ${from}, ${to}, value))
          FROM json_each(${column})) WHERE EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${from})`
      : sql`UPDATE ${sources} SET ${column} = ${to} WHERE ${column} = ${from}`,
    inFilters(`$.${parameter}`, [String(from), ...(slug === undefined ? [] : [slug])], to),
  ]
}

/** The statement by which filters of webhooks name another thing. They are as they were given: a text may name several. */
function inFilters(path: string, names: readonly string[], to: number): SQL {
  const all = sql`json_each(filters, ${path}) AS given
    CROSS JOIN json_each('[' || replace(json_quote(CAST(given.value AS TEXT)), ',', '","') || ']') AS named`
  const isIt = sql`lower(trim(named.value)) IN ${inList(names)}`
  return sql`UPDATE ${webhooks} SET version = version + 1, filters = json_set(filters, ${path},
      (SELECT json_group_array(DISTINCT iif(${isIt}, ${String(to)}, trim(named.value))) FROM ${all}))
    WHERE EXISTS (SELECT 1 FROM ${all} WHERE ${isIt})`
}
