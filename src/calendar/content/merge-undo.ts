import { type SQL, sql } from 'drizzle-orm'
import { writtenColumns } from '../../kit/db/columns.ts'
import { termAncestors } from '../../kit/db/derived.ts'
import { literal } from '../../kit/db/query.ts'
import { audit, terms, undoRequests } from '../../kit/db/tables.ts'
import { typedKeys } from '../../kit/lib/values.ts'
import type { MergedKind } from './merge.ts'
import { RECORD_TABLES } from './resource.ts'

// Whether a merge can be undone. The history asks this before it offers to undo a merge, and the request that
// undoes it asks once more. Both have the entry of the merge (`audit`) and its record (`undo_requests`) in
// scope.

const recordValue = (path: string): SQL => sql`(${undoRequests.request} ->> ${literal(`$.merge.${path}`)})`

const sameSlugSql = sql`other.slug = ${recordValue('row.slug')}`
// The survivor doesn't count: it may have got the external id in the merge, and then gives it back.
const sameNamesSql = sql`(${sameSlugSql} OR (other.external_id = ${recordValue('row.external_id')}
  AND other.external_id <> '' AND other.id <> ${recordValue('into.id')}))`

/** The conditions for another row that has a value of the merged row which only one row may have. */
const TAKEN: Readonly<Record<MergedKind, SQL>> = {
  venue: sameNamesSql,
  organizer: sameNamesSql,
  category: sql`(other.taxonomy = 'event_category' AND ${sameSlugSql})`,
  tag: sql`(other.taxonomy = 'event_tag' AND ${sameSlugSql})`,
}

/** The ids of the events or series that a merge has moved. @param request the request that undoes it */
const movedIds = (request: SQL, owners: 'events' | 'series'): SQL =>
  sql`SELECT value ->> 0 FROM json_each(${request}, ${literal(`$.merge.${owners}`)})`

/**
 * A condition for a later merge into the same survivor that has moved some of the same events: it is then
 * unknown to which of the rows each of them belonged. The later merge has to be undone first. If it can't be
 * undone, its record no longer says what it has moved.
 */
function followedSql(): SQL {
  const sharesSql = (owners: 'events' | 'series') =>
    sql`EXISTS (${movedIds(sql`later.request`, owners)} INTERSECT ${movedIds(sql`${undoRequests.request}`, owners)})`
  return sql`EXISTS (SELECT 1 FROM ${undoRequests} AS later CROSS JOIN ${audit} AS entry ON entry.id = later.audit_id
    WHERE later.audit_id > ${undoRequests.audit_id} AND entry.action = 'merge' AND entry.kind = ${audit.kind}
      AND entry.changed ->> '$.into[1]' = ${recordValue('into.id')}
      AND (later.request = 'null' OR ${sharesSql('events')} OR ${sharesSql('series')}))`
}

/** A condition for a survivor that still has all the values that the merge gave it. */
function keptValuesSql(kind: MergedKind): SQL {
  const values = Object.entries(writtenColumns(RECORD_TABLES[kind])).map(
    ([name, column]) => sql`WHEN ${literal(name)} THEN survivor.${sql.identifier(column.name)}`,
  )
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${undoRequests.request}, '$.merge.into.columns') AS former
    WHERE ${recordValue('into.given')} ->> former.key IS NOT CASE former.key ${sql.join(values, sql` `)} END)`
}

/**
 * A condition for a merge that can be undone: its survivor is still there, and has the values that the merge
 * gave it; nothing else has the ids or the address of the merged row; a category has its parent, which is
 * not below it; and no later merge has moved the same events.
 */
export function undoableMergeSql(kind: MergedKind): SQL {
  const table = RECORD_TABLES[kind]
  const parent = recordValue('row.parent')
  return sql`(EXISTS (SELECT 1 FROM ${table} AS survivor
      WHERE survivor.id = ${recordValue('into.id')} AND ${keptValuesSql(kind)})
    AND NOT EXISTS (SELECT 1 FROM ${table} AS other
      WHERE other.id = ${recordValue('row.id')} OR ${TAKEN[kind]})
    AND (coalesce(${parent}, 0) = 0 OR EXISTS (SELECT 1 FROM ${terms} AS above WHERE above.id = ${parent}))
    AND NOT EXISTS (SELECT 1 FROM ${termAncestors} WHERE term_id = ${parent} AND ancestor_id IN (
      SELECT ${terms.id} FROM ${terms} WHERE ${terms.parent} = ${recordValue('into.id')}
        AND ${terms.id} IN (SELECT value FROM json_each(${undoRequests.request}, '$.merge.children'))))
    AND NOT ${followedSql()})`
}

/** A condition for entries of the audit of any kind: false only for merges that can't be undone. */
export const undoableIfMergeSql = (): SQL =>
  sql`CASE WHEN ${audit.action} <> 'merge' THEN 1 ${sql.join(
    typedKeys(TAKEN).map(kind => sql`WHEN ${audit.kind} = ${literal(kind)} THEN ${undoableMergeSql(kind)}`),
    sql` `,
  )} END`
