import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { recordChange, recordEach } from '../../../db/audit.ts'
import { conflictIf, isConflict } from '../../../db/conflicts.ts'
import { first, firstOf, literal, type Query, type Statement } from '../../../db/query.ts'
import { formerSlugs, imports, sources, webhooks } from '../../../db/schema.ts'
import { asOneChange, build } from '../../../db/statements.ts'
import { SIZES } from '../../../lib/budgets.ts'
import { ApiError } from '../../../lib/errors.ts'
import { toWall } from '../../../lib/time.ts'
import { indexTexts } from '../search.ts'
import { editable } from '../single.ts'
import { withUses } from '../trash.ts'
import type { RelatedResource, RelatedRow } from './resource.ts'
import { relatedText } from './writes.ts'

type Columns = Readonly<Record<string, unknown>>

/** A link of an event or a series to the merged row: its owner and position, and whether the owner had the survivor as well. */
type MovedLink = readonly [owner: number, position: number, hadBoth: 0 | 1]

/** References to a venue or organizer before it is merged into another one. */
type MovedReferences = {
  events: readonly MovedLink[]
  series: readonly MovedLink[]
  imports: readonly (readonly [source: string, externalId: string, version: string | null])[]
  slugs: readonly string[]
}

/** Everything that undoes a merge. It is kept for an hour. */
export type MergeRecord = MovedReferences & {
  row: Columns
  /** The survivor with its version after the merge, and its values before of what it got. */
  into: { id: number; version: number; columns: Columns }
}

/** The most events whose links are read in order to be restored. */
const MOST_LINKS = 5_000

/** A query of everything that a merge moves; undefined if it cannot be undone, because sources or webhooks name the merged row. */
export function selectMoved<R extends RelatedRow, Body>(
  { singular, links, seriesLinks }: RelatedResource<R, Body>,
  { from, into }: { from: number; into: number },
): Query<MovedReferences | undefined> {
  const linksOf = (table: typeof links | typeof seriesLinks, name: 'event_id' | 'series_id') => {
    const owner = sql.identifier(name)
    return sql`(SELECT json_group_array(json_array(own.${owner}, own.position, EXISTS (SELECT 1 FROM ${table} AS other
        WHERE other.${owner} = own.${owner} AND other.target_id = ${into})))
      FROM (SELECT * FROM ${table} WHERE target_id = ${from} LIMIT ${literal(MOST_LINKS)}) AS own)`
  }
  const named = sql`EXISTS (SELECT 1 FROM ${sources} WHERE ${sql.identifier(singular)} = ${from})
    OR EXISTS (SELECT 1 FROM ${webhooks} WHERE json_extract(filters, ${`$.${singular}`}) IS NOT NULL)`
  return first(
    sql`SELECT ${named} AS named, json_object(
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

/** A record that undoes a merge; null if it would be too large. @param columns those that the survivor gets */
export function mergeRecord(
  { table }: Pick<RelatedResource<RelatedRow, unknown>, 'table'>,
  { row, into, columns }: { row: RelatedRow; into: RelatedRow; columns: Columns },
  moved: MovedReferences | undefined,
): MergeRecord | null {
  const [from, to]: Columns[] = [row, into]
  const own = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated)
  const record = {
    ...(moved ?? { events: [], series: [], imports: [], slugs: [] }),
    row: Object.fromEntries(own.map(([name]) => [name, from?.[name]])),
    into: {
      id: into.id,
      version: into.version + 1,
      columns: Object.fromEntries(Object.keys(columns).map(name => [name, to?.[name]])),
    },
  }
  return moved && JSON.stringify(record).length <= SIZES.undoUnits ? record : null
}

/** The statements that give the links of a merge back. Owners that have since lost the survivor keep none. */
function restoreLinks(
  table: RelatedResource<RelatedRow, unknown>['links' | 'seriesLinks'],
  owner: 'event_id' | 'series_id',
  moved: readonly MovedLink[],
  { from, into }: { from: number; into: number },
): Statement[] {
  const json = JSON.stringify(moved)
  const name = sql.identifier(owner)
  return [
    sql`INSERT INTO ${table} (${name}, target_id, position)
      SELECT given.value ->> 0, ${from}, given.value ->> 1 FROM json_each(${json}) AS given
      WHERE EXISTS (SELECT 1 FROM ${table} AS now WHERE now.${name} = given.value ->> 0 AND now.target_id = ${into})`,
    sql`DELETE FROM ${table} WHERE target_id = ${into}
      AND ${name} IN (SELECT value ->> 0 FROM json_each(${json}) WHERE value ->> 2 = 0)`,
  ]
}

/**
 * Undoes the merge of a venue or organizer: it is there again with its id, its address and its events.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change the survivor, `rest_precondition_failed` if somebody has
 */
export async function unmerge<R extends RelatedRow, Body>(
  context: RequestContext,
  resource: RelatedResource<R, Body>,
  { row, into, events, series, imports: imported, slugs }: MergeRecord,
): Promise<void> {
  const { singular, table, links, seriesLinks } = resource
  const { now, settings } = context
  const stored = await context.db.get(firstOf(resource.select(context, eq(table.id, into.id))))
  const survivor = editable(
    { ...context, ifMatch: undefined, ifNoneMatch: undefined },
    { resource, row: stored },
  )
  // The record was made from a row of the table.
  const merged = row as RelatedRow
  const move = { from: merged.id, to: into.id }
  const ends = { from: move.from, into: move.to }
  const statements: Statement[] = [
    conflictIf(sql`EXISTS (SELECT 1 FROM ${table} WHERE id = ${merged.id} OR slug = ${merged.slug})
      OR (SELECT version FROM ${table} WHERE id = ${into.id}) IS NOT ${into.version}`),
    // An external id is free before it is given back.
    build
      .update(table)
      .set({
        ...into.columns,
        version: into.version + 1,
        modified: toWall(now, settings.timezone),
        modified_utc: now,
      })
      .where(eq(table.id, into.id)),
    recordChange(context, { action: 'update', kind: singular, fields: Object.keys(into.columns) }, into.id),
    build.insert(table).values({ ...merged, version: merged.version + 2 }),
    recordEach(context, { action: 'create', kind: singular }, sql`SELECT ${merged.id} AS id`),
    ...indexTexts(resource.searchTable, [
      { id: merged.id, text: relatedText(resource, merged) },
      { id: into.id, text: relatedText(resource, { ...survivor, ...into.columns }) },
    ]),
    ...restoreLinks(links, 'event_id', events, ends),
    ...restoreLinks(seriesLinks, 'series_id', series, ends),
    sql`UPDATE ${imports} SET target_id = ${move.from}, imported_version = given.value ->> 2
      FROM json_each(${JSON.stringify(imported)}) AS given
      WHERE ${imports.source} = given.value ->> 0 AND ${imports.kind} = ${singular} AND ${imports.external_id} = given.value ->> 1`,
    sql`DELETE FROM ${formerSlugs} WHERE kind = ${singular} AND former_id = ${move.from} AND slug = ${merged.slug}`,
    sql`UPDATE ${formerSlugs} SET target_id = ${move.from}
      WHERE kind = ${singular} AND slug IN (SELECT value FROM json_each(${JSON.stringify(slugs)}))`,
  ]
  try {
    await withUses(context, resource, [into.id], () => context.db.change(asOneChange(statements)))
  } catch (error) {
    if (!isConflict(error)) throw error
    throw new ApiError('rest_precondition_failed', 'Somebody has changed this since.')
  }
}
