import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { eventLinkToSql } from '../../kit/db/derived.ts'
import { inList, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import * as schema from '../../kit/db/tables.ts'
import { columnsToMerge, tablesWithFilters } from './dependents.ts'
import { redirectionStatements } from './slugs.ts'
import { comparedName, filterReplacementStatements, namedRows } from './stored-filters.ts'

// References to a row that is merged into another row, the survivor: links of events and series, imports,
// sources, stored filters, and former addresses. A merge makes them lead to the survivor. The number of
// statements doesn't depend on the number of references.

const { imports, sources } = schema

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
