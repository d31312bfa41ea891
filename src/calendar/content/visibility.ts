import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, CallerContext, ContentContext } from '../../kit/context.ts'
import { changes, listings } from '../../kit/db/derived.ts'
import { LONGEST_SPAN, SPANS } from '../../kit/db/event-expressions.ts'
import { eachOf, inList, many, type Query, readNumber, readOneOf, resolvedQuery } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import type { ResourceKey } from '../../kit/http/input.ts'
import { requireVersion } from '../../kit/http/revision.ts'
import { ApiError, type ValidationErrors } from '../../kit/lib/errors.ts'
import { may, mayEdit, mayReadUnpublished } from '../../kit/lib/roles.ts'
import { STATUSES, type Status, statusAt } from '../../kit/lib/statuses.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import {
  type ContentRow,
  type ContentTable,
  codesOf,
  type Singular,
  type UseSelects,
  type VersionedTable,
} from './resource.ts'
import { type Survivor, selectSurvivor } from './slugs.ts'

type OwnedRow = { status: Status; author_id: number; date_utc: DateTime }

/**
 * A condition for rows that are published, or scheduled for a time that has come.
 * @param now UTC, or an expression for it
 */
export const publishedSql = (table: ContentTable, now: DateTime | SQL): SQL =>
  sql`(${table.status} = 'publish' OR (${table.status} = 'future' AND ${table.date_utc} <= ${now}))`

/**
 * A condition for events that aren't hidden behind a duplicate. The trash shows every event.
 * @see twins in kit/db/tables.ts
 */
export const noDuplicateSql: SQL = sql.raw("(events.duplicate_of IS NULL OR events.status = 'trash')")

/** The condition of `takesPlace` (kit/lib/statuses.ts) for events. */
export const takesPlaceSql: SQL = sql`event_status NOT IN ('canceled', 'postponed')`

/** A condition for the unpublished rows that the caller may read: all, the caller's own, or none. */
export function ownedByCallerSql(table: ContentTable, { caller }: Pick<CallerContext, 'caller'>): SQL {
  if (may(caller, 'edit_others_content')) return sql`1`
  return may(caller, 'edit_content') ? eq(table.author_id, caller.id) : sql`0`
}

/**
 * A condition for rows that the caller may read. Requests that refer to other rows get the same error as for
 * unknown rows.
 */
export const readableSql = (table: ContentTable, context: CallerContext): SQL =>
  sql`(${publishedSql(table, context.clock.untrackedTime)} OR (${table.status} <> 'trash' AND ${ownedByCallerSql(table, context)}))`

/** True if the caller may read a row. @see readableSql */
export const isRowReadable = (row: OwnedRow, context: CallerContext): boolean =>
  statusAt(row, context.clock.untrackedTime) === 'publish' ||
  (row.status !== 'trash' && mayReadUnpublished(context.caller, row))

/**
 * Selects the ids of rows that lists have ever shown.
 *
 * @param condition names the rows
 * @param ids a SELECT of the ids that count for a row: by default its own
 */
export const selectOncePublic = (
  { table, plural }: { table: ContentTable; plural: string },
  condition: SQL,
  ids = sql`SELECT ${table.id} AS id`,
): Query<number[]> =>
  many(
    sql`SELECT ${table.id} AS id FROM ${table} WHERE ${condition} AND EXISTS (SELECT 1 FROM (${ids}) AS own
      CROSS JOIN ${changes} AS shown ON shown.kind = ${plural} AND shown.id = own.id AND coalesce(shown.public_change_number, 0) > 0)`,
    row => readNumber(row.id),
  )

/** Reads a column `status` of content. */
export const readStatus = readOneOf(STATUSES)

const UNPUBLISHED: readonly Status[] = ['draft', 'pending', 'private', 'future']

/**
 * A SELECT of the ids of events that no list shows, except for the trash, which nobody reads and which may be
 * long: all rows of the view `unlisted_events` for which {@link readableSql} may be true.
 */
export const unlistedIdsSql: SQL = sql`SELECT id FROM ${events} INDEXED BY events_unpublished
    WHERE status <> 'publish' AND status IN ${inList(UNPUBLISHED)}
  UNION SELECT id FROM ${events} INDEXED BY events_hidden WHERE hide_from_listings = 1
  UNION SELECT id FROM ${events} INDEXED BY events_duplicates WHERE duplicate_of IS NOT NULL`

/**
 * The statuses that a list shows: the statuses that the request names, or else all that the caller may see.
 */
export const listedStatuses = (
  statuses: readonly Status[] | undefined,
  { caller }: Pick<CallerContext, 'caller'>,
) =>
  statuses ?? (may(caller, 'edit_content') ? (['publish', ...UNPUBLISHED] as const) : (['publish'] as const))

/** A condition for rows that a list of these statuses shows to the caller. */
export function listedSql(
  table: ContentTable,
  statuses: readonly Status[] | undefined,
  context: CallerContext,
): SQL {
  const listed = listedStatuses(statuses, context)
  const parts: SQL[] = []
  if (listed.includes('publish')) parts.push(publishedSql(table, context.clock.untrackedTime))
  const nonPublic = listed.filter(status => status !== 'publish')
  if (nonPublic.length > 0)
    parts.push(sql`(${table.status} IN ${inList(nonPublic)} AND ${ownedByCallerSql(table, context)}
      AND NOT (${table.status} = 'future' AND ${table.date_utc} <= ${context.clock.untrackedTime}))`)
  return sql`(${sql.join(parts, sql` OR `)})`
}

/** Adds an error if a caller who may not edit names other statuses than `publish`. */
export function checkStatuses(
  statuses: readonly Status[] | undefined,
  { caller }: Pick<CallerContext, 'caller'>,
  errors: ValidationErrors,
): void {
  if (!statuses || statuses.every(status => status === 'publish') || may(caller, 'edit_content')) return
  errors.add('status', 'must be publish, unless you may edit')
}

/**
 * Bounds of the starts and ends of events (UTC): events that start before a moment and end at or after
 * another moment, which is not earlier.
 */
export type Overlap = { startFrom?: DateTime | undefined; startBefore: DateTime; endFrom: DateTime }

/**
 * A FROM clause of all listed events that start before a moment and end at or after another moment: as
 * `event_id`, `utc_start_date` and `utc_end_date`. In each class of lengths, it reads only events that start
 * late enough: some 150 rows of 100,000 events, instead of all that have started.
 */
export function overlappingRows({ startFrom = '', startBefore, endFrom }: Overlap): SQL {
  const long = sql`SELECT ${events.id} AS event_id, utc_start_date, utc_end_date
    FROM ${eachOf([...SPANS, LONGEST_SPAN])} AS spans
    CROSS JOIN ${events} INDEXED BY events_long ON listed AND span > 0 AND span = spans.value
      AND utc_start_date >= max(coalesce(datetime(${endFrom}, -spans.value || ' days'), ''), ${startFrom})
      AND utc_start_date < ${startBefore} AND utc_end_date >= ${endFrom}`
  const short = sql`SELECT event_id, utc_start_date, utc_end_date FROM ${listings} WHERE facet = 'event' AND target_id = 0
    AND utc_start_date >= max(coalesce(datetime(${endFrom}, '-1 day'), ''), ${startFrom})
    AND utc_start_date < ${startBefore} AND utc_end_date >= ${endFrom}
    AND unixepoch(utc_end_date) - unixepoch(utc_start_date) <= 86400`
  return sql`(${long} UNION ALL ${short})`
}

// Rows that the path of a request names.

/** A condition for the row with a key. Slugs are stored in lower case; addresses may have upper case. */
export const keySql = (table: VersionedTable, key: ResourceKey): SQL =>
  'id' in key
    ? eq(table.id, key.id)
    : 'slug' in key
      ? eq(table.slug, key.slug.toLowerCase())
      : // Repeats the condition of the index, so that SQLite uses it.
        sql`${table.external_id} = ${key.externalId} AND ${table.external_id} <> ''`

/** A condition for the rows with some keys. */
export function keysSql(table: VersionedTable, keys: readonly ResourceKey[]): SQL {
  const [first] = keys
  if (first && keys.length === 1) return keySql(table, first)
  const ids = keys.flatMap(key => ('id' in key ? [key.id] : []))
  const slugs = keys.flatMap(key => ('slug' in key ? [key.slug.toLowerCase()] : []))
  const externalIds = keys.flatMap(key => ('externalId' in key ? [key.externalId] : []))
  const conditions = [
    ...(ids.length > 0 ? [inArray(table.id, inList(ids))] : []),
    ...(slugs.length > 0 ? [inArray(table.slug, inList(slugs))] : []),
    // Repeats the condition of the index, so that SQLite uses it.
    ...(externalIds.length > 0
      ? [sql`(${table.external_id} IN ${inList(externalIds)} AND ${table.external_id} <> '')`]
      : []),
  ]
  return sql`(${sql.join(conditions, sql` OR `)})`
}

/** Returns the row. @throws ApiError if there is none */
export function requireRow<R>({ singular }: { singular: Singular }, row: R | undefined): R {
  if (row === undefined)
    throw new ApiError(
      codesOf(singular).notFound,
      `There is no ${singular} with this id, slug or external id.`,
    )
  return row
}

type ResourceAndRow<R> = {
  resource: { singular: Singular }
  row: R | undefined
  /** The key by which the row was found; if absent, an id. */
  key?: ResourceKey | undefined
}

/**
 * True if a caller may learn that a row exists. Ids are consecutive and reveal nothing, but a guessed slug or
 * external id would reveal what the hidden row is about.
 */
export const isKnown = (context: BaseContext, row: ContentRow, key: ResourceKey | undefined): boolean =>
  key === undefined || 'id' in key || isRowReadable(row, context) || mayReadUnpublished(context.caller, row)

/** Returns the row, if the caller may learn that it exists. @throws ApiError if not */
const requireKnownRow = <R extends ContentRow>(
  context: BaseContext,
  { resource, row, key }: ResourceAndRow<R>,
): R => requireRow(resource, row && isKnown(context, row, key) ? row : undefined)

/**
 * Returns the row if the caller may read it, even if lists hide it.
 *
 * @throws ApiError if there is none, or it is in the trash or not published
 */
export function requireReadableRow<R extends ContentRow>(
  context: BaseContext,
  { resource, row: stored, key }: ResourceAndRow<R>,
): R {
  const row = requireKnownRow(context, { resource, row: stored, key })
  const codes = codesOf(resource.singular)
  if (row.status === 'trash') throw new ApiError(codes.trashed, `This ${resource.singular} is in the trash.`)
  if (!isRowReadable(row, context))
    throw new ApiError(codes.notAccessible, `This ${resource.singular} is not published.`)
  return row
}

/**
 * Returns the row if the caller may change it.
 *
 * @throws ApiError if there is none, `rest_forbidden` if the caller may not change it,
 *   `rest_precondition_failed` if `If-Match` names another version, or `If-None-Match` this one
 */
export function requireEditableRow<R extends ContentRow>(
  context: ContentContext,
  { resource, row: stored, key }: ResourceAndRow<R>,
): R {
  const row = requireKnownRow(context, { resource, row: stored, key })
  const { caller, clock } = context
  if (!mayEdit(caller, { ...row, status: statusAt(row, clock.now()) }))
    throw new ApiError('rest_forbidden', `The role ${caller.role} may not change this ${resource.singular}.`)
  return requireVersion(context, row)
}

/**
 * A query for the row into which the venue or organizer with a former id or slug was merged. Events are never
 * merged.
 */
export function selectMovedTo(
  context: CallerContext,
  { singular, table, uses }: { singular: Singular; table: VersionedTable; uses?: UseSelects },
  key: ResourceKey,
): Query<Survivor | undefined> {
  if (!uses || singular === 'event' || 'externalId' in key) return resolvedQuery(undefined)
  const formerKey = 'slug' in key ? { slug: key.slug.toLowerCase() } : key
  return selectSurvivor(singular, formerKey, table, readableSql(table, context))
}
