import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import {
  eachOf,
  inList,
  literal,
  many,
  mapQuery,
  type Query,
  readIds,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import { readableSql } from '../content/visibility.ts'
import type { Numbered, PreparedRow } from '../content/writes.ts'
import { type StoredEvent, scopeOf } from './recurrence/queries.ts'
import type { PlainEventRow } from './rows.ts'
import type { EventValues } from './schema.ts'

// An event may be a part of another event, its parent, whose programme lists it.

/** The parent of a part, and the user who has confirmed that the programme of the parent shows the part. */
export type ParentColumns = Pick<PlainEventRow, 'post_parent' | 'parent_confirmed_by'>

/**
 * The columns of the parent after a write. Callers who may edit the parent confirm the part by naming the
 * parent, even if they name it again. If other callers name another parent, the part is unconfirmed.
 *
 * @param parent the id that the request names, 0 for none
 */
export function parentColumns(
  { caller }: BaseContext,
  {
    parent,
    isEditable,
    stored,
  }: { parent: number | undefined; isEditable: boolean; stored: ParentColumns | undefined },
): Partial<ParentColumns> {
  if (parent === undefined) return {}
  if (parent === 0) return { post_parent: null, parent_confirmed_by: null }
  const confirmedBy = stored?.post_parent === parent ? stored.parent_confirmed_by : null
  return { post_parent: parent, parent_confirmed_by: confirmedBy ?? (isEditable ? caller.id : null) }
}

/**
 * A parent that a request names: the ids of the parent and of all events above it, and whether the caller may
 * edit the parent.
 */
export type KnownParent = { ancestors: ReadonlySet<number>; mayEdit: boolean }

/** The most levels of programmes within programmes that a query follows. */
const MAX_PARENTS = 100

/**
 * A SELECT of events and all events above them. UNION ends circles that other programs have written.
 * @param from a SELECT of the ids
 */
const withAbove = (from: SQL): SQL => sql`WITH RECURSIVE above(id) AS (${from} UNION
  SELECT whole.post_parent FROM above CROSS JOIN ${events} AS whole ON whole.id = above.id
    WHERE coalesce(whole.post_parent, 0) <> 0 LIMIT ${literal(MAX_PARENTS)})`

/** A query for the parents that the caller may read. */
export function selectParents(
  context: BaseContext,
  ids: readonly number[],
): Query<ReadonlyMap<number, KnownParent>> {
  if (ids.length === 0) return resolvedQuery(new Map())
  return mapQuery(
    many(
      sql`SELECT id, author_id, status, (${withAbove(sql`SELECT ${events.id}`)} SELECT json_group_array(id) FROM above) AS above
        FROM ${events} WHERE ${events.id} IN ${inList(ids)} AND ${readableSql(events, context)}`,
      ({ id, author_id, status, above }) => {
        const parent = { author_id: readNumber(author_id), status: readText(status) }
        const idsAbove = new Set(readIds(above))
        return [readNumber(id), { ancestors: idsAbove, mayEdit: mayEdit(context.caller, parent) }] as const
      },
    ),
    parents => new Map(parents),
  )
}

/** Adds an error for a parent that is unknown, or that is the event itself or one of its parts. */
export function checkParent(
  {
    values,
    parents,
    stored,
  }: {
    values: EventValues
    parents: ReadonlyMap<number, KnownParent>
    stored: StoredEvent | undefined
  },
  errors: ValidationErrors,
): void {
  const { post_parent: parent } = values
  if (!parent) return
  const ancestors = parents.get(parent)?.ancestors
  if (!ancestors) errors.add('post_parent', codedReason('unknown', `there is no event ${parent}`))
  if (!ancestors || !stored) return
  const dates = scopeOf(values) !== 'this' ? (stored.series?.occurrences ?? []) : []
  if (parent === stored.id)
    errors.add('post_parent', codedReason('own_part', 'an event cannot be its own parent'))
  else if ([stored, ...dates].some(({ id }) => ancestors.has(id)) || ancestors.size >= MAX_PARENTS)
    errors.add('post_parent', codedReason('own_part', `event ${parent} is itself a part of this one`))
}

/** A condition that is true if one of some events, or of the dates of some series, is a part of itself. */
const inCircleSql = (ids: readonly number[], seriesIds: readonly number[]): SQL =>
  sql`EXISTS (SELECT 1 FROM (SELECT value AS id FROM ${eachOf(ids)} UNION ALL
      SELECT ${events.id} FROM ${events} WHERE series_id IN ${inList(seriesIds)}) AS part WHERE part.id IN (
    ${withAbove(sql`SELECT post_parent FROM ${events} WHERE ${events.id} = part.id`)} SELECT id FROM above))`

type Child = Pick<Numbered<PreparedRow>, 'id' | 'stored' | 'columns'>

/** The ids of the stored rows that get a parent. Nothing is a part of a new event yet. */
const idsWithParent = (rows: readonly Child[]): number[] =>
  rows.flatMap(({ id, stored, columns }) => (stored && columns.post_parent ? [id] : []))

/**
 * The statement that makes a write fail if another write has made the parent of an event a part of the same
 * event.
 */
export function circleGuardStatements(
  eventChildren: readonly Child[],
  seriesChildren: readonly Child[],
): SQL[] {
  const ids = idsWithParent(eventChildren)
  const seriesIds = idsWithParent(seriesChildren)
  return ids.length + seriesIds.length > 0 ? [conflictIf(inCircleSql(ids, seriesIds))] : []
}

/**
 * The statement that makes the events inserted last parts of the event before them. The caller, who creates
 * all of them, confirms the parts.
 */
export const joiningStatements = ({ caller }: BaseContext, count: number): SQL[] =>
  count === 0
    ? []
    : [
        sql`UPDATE ${events} SET post_parent = newest.id - ${count}, parent_confirmed_by = ${caller.id}
          FROM (SELECT max(id) AS id FROM ${events}) AS newest WHERE ${events.id} > newest.id - ${count}`,
      ]
