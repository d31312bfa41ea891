import { eq, gte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RequestContext } from '../../context.ts'
import { UNDO_MS } from '../../db/audit.ts'
import { conflictIf, isConflict } from '../../db/conflicts.ts'
import { first, literal, type Query, type Statement } from '../../db/query.ts'
import { audit, formerSlugs, imports, undoRequests } from '../../db/schema.ts'
import { asOneChange, build } from '../../db/statements.ts'
import { SIZES } from '../../lib/budgets.ts'
import { ApiError, type ErrorCode } from '../../lib/errors.ts'
import { may } from '../../lib/roles.ts'
import { formatInstant, toEpoch } from '../../lib/time.ts'
import { isNamedElsewhere, type MergedKind } from './merge.ts'

// Undoes a merge: the merged resource is there again, with its id, its address and its events, and the survivor has the
// values that it had. What has changed since stays as it is, and what is then uncertain is refused as a conflict.

type Columns = Readonly<Record<string, unknown>>

/** A link of an event or a series to the merged row: its owner and position, and whether the owner had the survivor as well. */
type MovedLink = readonly [owner: number, position: number, hadBoth: 0 | 1]

/** References to a resource before it is merged into another one. */
type MovedReferences = {
  events: readonly MovedLink[]
  series: readonly MovedLink[]
  imports: readonly (readonly [source: string, externalId: string, version: string | null])[]
  slugs: readonly string[]
}

/** Everything that undoes a merge. It is kept for an hour. */
export type MergeRecord = MovedReferences & {
  row: Columns & { id: number; version: number; slug: string }
  /** The survivor with its version after the merge, and its values before of what it got. */
  into: { id: number; version: number; columns: Columns }
  /** The ids of categories that were below the merged one. */
  children?: readonly number[]
}

type Links = SQLiteTable & { target_id: SQLiteColumn; position?: SQLiteColumn }

/** A resource that can be merged, with the tables of links to it. */
export type MergeableResource = {
  singular: MergedKind
  table: SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn; slug: SQLiteColumn }
  links: Links
  seriesLinks: Links
}

/** The most events whose links are read in order to be restored. */
const MOST_LINKS = 5_000

/** A query of everything that a merge moves; undefined if it cannot be undone, because sources or webhooks name the merged row. */
export function selectMoved(
  { singular, links, seriesLinks }: MergeableResource,
  { from, into }: { from: number; into: number },
): Query<MovedReferences | undefined> {
  const linksOf = (table: Links, name: 'event_id' | 'series_id') => {
    const owner = sql.identifier(name)
    return sql`(SELECT json_group_array(json_array(own.${owner}, ${table.position ? sql`own.position` : sql`0`}, EXISTS (
        SELECT 1 FROM ${table} AS other WHERE other.${owner} = own.${owner} AND other.target_id = ${into})))
      FROM (SELECT * FROM ${table} WHERE target_id = ${from} LIMIT ${literal(MOST_LINKS)}) AS own)`
  }
  return first(
    sql`SELECT ${isNamedElsewhere(singular, from)} AS named, json_object(
      'events', ${linksOf(links, 'event_id')}, 'series', ${linksOf(seriesLinks, 'series_id')},
      'imports', (SELECT json_group_array(json_array(source, external_id, imported_version)) FROM ${imports}
        WHERE kind = ${singular} AND target_id = ${from}),
      'slugs', (SELECT json_group_array(slug) FROM ${formerSlugs} WHERE kind = ${singular} AND target_id = ${from})) AS moved`,
    row => {
      const moved: MovedReferences = JSON.parse(String(row.moved))
      return row.named === 1 || moved.events.length >= MOST_LINKS ? undefined : moved
    },
  )
}

/** A record that undoes a merge; null if it would be too large, or if nothing can undo it. */
export function mergeRecord(
  parts: Omit<MergeRecord, keyof MovedReferences>,
  moved: MovedReferences | undefined,
): MergeRecord | null {
  if (!moved) return null
  const record = { ...moved, ...parts }
  return JSON.stringify(record).length <= SIZES.undoUnits ? record : null
}

/** A merge that can still be undone. `entry` is that of the audit. */
export type KeptMerge = { entry: number; merge: MergeRecord }

/** The latest merge of a resource that is kept, from `FROM` on: the caller's own, and for editors those of others. */
const fromKept = ({ caller, now }: RequestContext, kind: MergedKind, id: number): SQL =>
  sql`FROM ${undoRequests} AS kept CROSS JOIN ${audit} ON ${audit.id} = kept.audit_id
    WHERE ${audit.kind} = ${kind} AND ${audit.object_id} = ${id} AND ${audit.action} = 'merge'
      AND ${gte(sql`kept.at_utc`, formatInstant(toEpoch(now) - UNDO_MS))}
      AND ${may(caller, 'edit_others_content') ? sql`1` : eq(audit.user_id, caller.id)}
    ORDER BY ${audit.id} DESC LIMIT 1`

/** A query of what undoes the merge of a resource; undefined if nothing does, or not any more. */
export const selectMerge = (
  context: RequestContext,
  kind: MergedKind,
  id: number,
): Query<KeptMerge | undefined> =>
  first(
    sql`SELECT kept.audit_id AS entry, kept.request -> '$.merge' AS merge ${fromKept(context, kind, id)}`,
    row => ({ entry: Number(row.entry), merge: JSON.parse(String(row.merge)) }),
  )

/** A condition for the survivor of such a merge. */
export const isSurvivorOf = (
  context: RequestContext,
  { singular, table }: Pick<MergeableResource, 'singular' | 'table'>,
  id: number,
): SQL => sql`${table.id} = (SELECT kept.request ->> '$.merge.into.id' ${fromKept(context, singular, id)})`

/** Returns the merge. @throws ApiError if there is none that can be undone */
export function assertKept(kept: KeptMerge | undefined, notFound: ErrorCode): KeptMerge {
  if (kept?.merge) return kept
  throw new ApiError(
    notFound,
    'There is no merge of this id that can be undone: it must be less than an hour old.',
  )
}

/** The statements that give the links of a merge back. Owners that have since lost the survivor keep none. */
function restoreLinks(
  table: Links,
  owner: 'event_id' | 'series_id',
  moved: readonly MovedLink[],
  { row, into }: MergeRecord,
): Statement[] {
  const json = JSON.stringify(moved)
  const name = sql.identifier(owner)
  const position = table.position ? [sql`, position`, sql`, given.value ->> 1`] : []
  return [
    sql`INSERT INTO ${table} (${name}, target_id${position[0]})
      SELECT given.value ->> 0, ${row.id}${position[1]} FROM json_each(${json}) AS given
      WHERE EXISTS (SELECT 1 FROM ${table} AS now WHERE now.${name} = given.value ->> 0 AND now.target_id = ${into.id})`,
    sql`DELETE FROM ${table} WHERE target_id = ${into.id}
      AND ${name} IN (SELECT value ->> 0 FROM json_each(${json}) WHERE value ->> 2 = 0)`,
  ]
}

/** The statements that give back what led to the merged row: links, imports and former addresses. */
function restoreReferences(
  { singular, links, seriesLinks }: MergeableResource,
  merge: MergeRecord,
): Statement[] {
  const { row, events, series, imports: imported, slugs } = merge
  return [
    ...restoreLinks(links, 'event_id', events, merge),
    ...restoreLinks(seriesLinks, 'series_id', series, merge),
    sql`UPDATE ${imports} SET target_id = ${row.id}, imported_version = given.value ->> 2
      FROM json_each(${JSON.stringify(imported)}) AS given
      WHERE ${imports.source} = given.value ->> 0 AND ${imports.kind} = ${singular} AND ${imports.external_id} = given.value ->> 1`,
    sql`DELETE FROM ${formerSlugs} WHERE kind = ${singular} AND former_id = ${row.id} AND slug = ${row.slug}`,
    sql`UPDATE ${formerSlugs} SET target_id = ${row.id}
      WHERE kind = ${singular} AND slug IN (SELECT value FROM json_each(${JSON.stringify(slugs)}))`,
  ]
}

/** A condition for rows that are where the merged one would be. @param scope the rows among which slugs are unique */
const isTaken = ({ table }: MergeableResource, { row }: MergeRecord, scope: SQL = sql`1`): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${row.id} OR (${table.slug} = ${row.slug} AND ${scope}))`

/**
 * Undoes a merge in one transaction.
 *
 * @param rows the statements that give the survivor its values back, and insert the merged row
 * @param scope a condition for the rows among which slugs are unique
 * @throws ApiError `rest_precondition_failed` if the survivor has changed since, or something else has the address
 */
export async function restoreMerged<T>(
  context: RequestContext,
  resource: MergeableResource,
  { entry, merge }: KeptMerge,
  { rows, scope, select }: { rows: readonly Statement[]; scope?: SQL; select: Query<T> },
): Promise<T> {
  const { table } = resource
  const { into } = merge
  const statements: Statement[] = [
    conflictIf(sql`${isTaken(resource, merge, scope)}
      OR (SELECT version FROM ${table} WHERE id = ${into.id}) IS NOT ${into.version}`),
    ...rows,
    ...restoreReferences(resource, merge),
    build.delete(undoRequests).where(eq(undoRequests.audit_id, entry)),
  ]
  try {
    return await context.db.change(asOneChange(statements), select)
  } catch (error) {
    if (!isConflict(error)) throw error
    throw new ApiError('rest_precondition_failed', 'Somebody has changed this since.')
  }
}
