import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { eventLinkToSql } from '../../kit/db/derived.ts'
import { eachOf, first, inList, literal, type Query, readText, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import * as schema from '../../kit/db/tables.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { columnsToMerge, tablesWithFilters } from './dependents.ts'
import { redirectionStatements } from './slugs.ts'
import { comparedName, filterReplacementStatements, namedRows } from './stored-filters.ts'

// References to a row that is merged into another row, the survivor: links of events and series, imports,
// sources, stored filters, and former addresses. A merge makes them lead to the survivor, and undoing it
// makes them lead to the merged row again. The number of statements doesn't depend on the number of
// references.

const { formerSlugs, imports, sources } = schema

type Links = SQLiteTable & { target_id: SQLiteColumn; position?: SQLiteColumn }

/** A resource to which events and series refer, with the tables of links to it. */
export type LinkedResource = { singular: MergedKind; links: Links; seriesLinks: Links }

/** A table of links to a resource, with the column of the owner, and a condition for the links to a row. */
type LinkTable = { links: Links; owner: SQL; pointsToSql: (id: number) => SQL }

const linksTo = ({
  singular,
  links,
  seriesLinks,
}: LinkedResource): [ofEvents: LinkTable, ofSeries: LinkTable] => {
  const facet = singular === 'venue' || singular === 'organizer' ? singular : 'term'
  return [
    { links, owner: sql`event_id`, pointsToSql: id => eventLinkToSql(facet, inList([id])) },
    { links: seriesLinks, owner: sql`series_id`, pointsToSql: id => sql`target_id = ${id}` },
  ]
}

/**
 * The address of a merged row. `isPublic` is false if nobody else knew the address, which then leads nowhere.
 */
type MergedAddress = { id: number; slug: string; isPublic: boolean }

/** The statements that make all references to a row lead to another row. */
export const referenceMoveStatements = (
  resource: LinkedResource,
  from: MergedAddress,
  to: number,
): Statement[] => [
  ...linksTo(resource).flatMap(table => linkMoveStatements(table, from.id, to)),
  ...nameMoveStatements(resource.singular, from, to),
  ...redirectionStatements(resource.singular, from, to),
]

/**
 * The statements that move the links of one target to another. Where an owner has both, the earlier position
 * counts. Rows are inserted again rather than updated, because triggers maintain the listings of events on
 * inserts.
 */
function linkMoveStatements({ links, owner, pointsToSql }: LinkTable, from: number, to: number): Statement[] {
  const position = links.position ? sql`, position` : sql``
  const whenThere = links.position
    ? sql`ON CONFLICT DO UPDATE SET position = excluded.position WHERE excluded.position < position`
    : sql`ON CONFLICT DO NOTHING`
  return [
    sql`INSERT INTO ${links} (${owner}, target_id${position})
      SELECT ${owner}, ${to}${position} FROM ${links} WHERE ${pointsToSql(from)} ${whenThere}`,
    build.delete(links).where(pointsToSql(from)),
  ]
}

/**
 * Columns of sources, and parameters of lists, that refer to a resource: to categories and tags by lists of
 * ids or slugs.
 */
const NAMED_BY = {
  category: { column: sql`categories`, parameter: 'categories', isList: true },
  tag: { column: sql`tags`, parameter: 'tags', isList: true },
  venue: { column: sql`venue`, parameter: 'venue', isList: false },
  organizer: { column: sql`organizer`, parameter: 'organizer', isList: false },
} as const

/** A kind of resource that can be merged into another of its kind. */
export type MergedKind = keyof typeof NAMED_BY

/**
 * A condition that is true if a source adds the resource to its events, or stored filters or rows of features
 * name it.
 */
export function namedElsewhereSql(kind: MergedKind, id: SQL): SQL {
  const { column, parameter, isList } = NAMED_BY[kind]
  const namedSql = isList
    ? sql`EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${id})`
    : sql`${column} = ${id}`
  // Numbers are bound as REAL, whose text would be 5.0.
  const text = sql`CAST(CAST(${id} AS INTEGER) AS TEXT)`
  const names = isList
    ? sql`(${text}, (SELECT slug FROM ${schema.terms} AS term WHERE term.id = ${id}))`
    : sql`(${text})`
  const inFilters = tablesWithFilters().map(
    table =>
      sql`EXISTS (SELECT 1 FROM ${table} CROSS JOIN ${namedRows(`$.${parameter}`)} WHERE ${comparedName} IN ${names})`,
  )
  const inRows = columnsToMerge(kind).map(
    reference => sql`EXISTS (SELECT 1 FROM ${reference.table} WHERE ${reference} = ${id})`,
  )
  return sql`(${sql.join([sql`EXISTS (SELECT 1 FROM ${sources} WHERE ${namedSql})`, ...inFilters, ...inRows], sql` OR `)})`
}

/**
 * The statements that replace the merged row with the survivor in imports, in sources that add it to their
 * events, in stored filters and in rows of features. Later imports leave the survivor unchanged.
 */
function nameMoveStatements(kind: MergedKind, { id: from, slug }: MergedAddress, to: number): Statement[] {
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
    ...filterReplacementStatements(
      parameter,
      sql`iif(${comparedName} IN ${inList([String(from), ...(isList ? [slug] : [])])}, ${String(to)}, NULL)`,
    ),
    // Where both the merged row and the survivor have a row, but only one may exist, the survivor's stays.
    ...columnsToMerge(kind).flatMap(reference => [
      sql`UPDATE OR IGNORE ${reference.table} SET ${sql.identifier(reference.name)} = ${to} WHERE ${reference} = ${from}`,
      build.delete(reference.table).where(eq(reference, from)),
    ]),
  ]
}

/**
 * A link of an event or a series to the merged row: its owner and position, and whether the owner had the
 * survivor as well, and where.
 */
type MovedLink = readonly [owner: number, position: number, hadBoth: 0 | 1, ofSurvivor: number | null]

/** References to a row before it is merged into another. */
export type MovedReferences = {
  events: readonly MovedLink[]
  series: readonly MovedLink[]
  imports: readonly (readonly [source: string, externalId: string, version: string | null])[]
  slugs: readonly string[]
}

/** A merge of so many events, or so many series, can't be undone. */
const MAX_MOVED_LINKS = 5_000

/**
 * A query for everything that a merge moves; undefined if the merge cannot be undone, because sources, stored
 * filters or rows of features name the merged row.
 */
export function selectMoved(
  resource: LinkedResource,
  { from, into }: { from: number; into: number },
): Query<MovedReferences | undefined> {
  const { singular } = resource
  const [events, series] = linksTo(resource).map(({ links, owner, pointsToSql }) => {
    const [position, ofSurvivor] = links.position
      ? [sql`own.position`, sql`other.position`]
      : [sql`0`, sql`NULL`]
    return sql`(SELECT json_group_array(json_array(own.${owner}, ${position}, other.target_id IS NOT NULL, ${ofSurvivor}))
      FROM (SELECT * FROM ${links} WHERE ${pointsToSql(from)} LIMIT ${literal(MAX_MOVED_LINKS)}) AS own
      LEFT JOIN ${links} AS other ON other.${owner} = own.${owner} AND other.target_id = ${into})`
  })
  return first(
    sql`SELECT ${namedElsewhereSql(singular, sql`${from}`)} AS named, json_object('events', ${events}, 'series', ${series},
      'imports', (SELECT json_group_array(json_array(source, external_id, imported_version)) FROM ${imports}
        WHERE kind = ${singular} AND target_id = ${from}),
      'slugs', (SELECT json_group_array(slug) FROM ${formerSlugs} WHERE kind = ${singular} AND target_id = ${from})) AS moved`,
    row => {
      const moved = storedJson<MovedReferences>(readText(row.moved))
      const linkCount = Math.max(moved.events.length, moved.series.length)
      return row.named === 1 || linkCount >= MAX_MOVED_LINKS ? undefined : moved
    },
  )
}

/**
 * The statements that restore the references to a merged row. An owner that has since lost its link to the
 * survivor gets none, and an owner that has since moved the link keeps it where it is.
 */
export function referenceRestoreStatements(
  resource: LinkedResource,
  { events, series, imports: imported, slugs }: MovedReferences,
  { row, into }: { row: { id: number }; into: { id: number } },
): Statement[] {
  const { singular } = resource
  const [ofEvents, ofSeries] = linksTo(resource)
  const restoreLinkStatements = ({ links, owner }: LinkTable, moved: readonly MovedLink[]): Statement[] => {
    const position = links.position ? [sql`, position`, sql`, input.value ->> 1`] : []
    const survivorMove = sql`INSERT INTO ${links} (${owner}, target_id, position)
        SELECT input.value ->> 0, ${into.id}, input.value ->> 3 FROM ${eachOf(moved)} AS input
        WHERE input.value ->> 1 < input.value ->> 3 AND EXISTS (SELECT 1 FROM ${links} AS now
          WHERE now.${owner} = input.value ->> 0 AND now.target_id = ${into.id} AND now.position = input.value ->> 1)
        ON CONFLICT DO UPDATE SET position = excluded.position`
    return [
      ...(links.position ? [survivorMove] : []),
      sql`INSERT INTO ${links} (${owner}, target_id${position[0]})
        SELECT input.value ->> 0, ${row.id}${position[1]} FROM ${eachOf(moved)} AS input
        WHERE EXISTS (SELECT 1 FROM ${links} AS now WHERE now.${owner} = input.value ->> 0 AND now.target_id = ${into.id})`,
      build.delete(links).where(
        sql`target_id = ${into.id}
        AND ${owner} IN (SELECT value ->> 0 FROM ${eachOf(moved)} WHERE value ->> 2 = 0)`,
      ),
    ]
  }
  return [
    ...restoreLinkStatements(ofEvents, events),
    ...restoreLinkStatements(ofSeries, series),
    sql`UPDATE ${imports} SET target_id = ${row.id}, imported_version = input.value ->> 2
      FROM ${eachOf(imported)} AS input
      WHERE ${imports.source} = input.value ->> 0 AND ${imports.kind} = ${singular} AND ${imports.external_id} = input.value ->> 1`,
    // Found by the id of the merged row: its slug was replaced if another row with the same slug has been
    // merged since.
    build.delete(formerSlugs).where(and(eq(formerSlugs.kind, singular), eq(formerSlugs.former_id, row.id))),
    build
      .update(formerSlugs)
      .set({ target_id: row.id })
      .where(and(eq(formerSlugs.kind, singular), inArray(formerSlugs.slug, inList(slugs)))),
  ]
}
