import { type SQL, sql } from 'drizzle-orm'
import type { ContentTable } from '../../calendar/content/resource.ts'
import { ownedByCallerSql } from '../../calendar/content/visibility.ts'
import { detachedSql } from '../../calendar/events/shared-fields.ts'
import { displayName } from '../../calendar/users/records.ts'
import type { BaseContext } from '../../kit/context.ts'
import {
  eachOf,
  inList,
  literal,
  many,
  mapQuery,
  orNull,
  type Query,
  readNumber,
  readOneOf,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { audit, events, organizers, series, users, venues } from '../../kit/db/tables.ts'
import { isPublicStatus, STATUSES, type Status } from '../../kit/lib/statuses.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { plain } from '../../site/html/text.ts'
import { visibleSql } from '../history/queries.ts'

/**
 * The resources in the trash. A series that is there as a whole is one item, with the id of its first date.
 */
export const TRASHED_KINDS = ['event', 'series', 'venue', 'organizer'] as const
export type TrashedKind = (typeof TRASHED_KINDS)[number]

export type TrashedItem = {
  kind: TrashedKind
  id: number
  series_id: number | null
  name: string
  /** The last change, UTC. */
  at: DateTime
  /** The start of an event, in its own zone. */
  start: DateTime | undefined
}

/** An item in a form, with the version that the form was made for if that matters. */
export type TrashKey = Pick<TrashedItem, 'kind' | 'id'> & { version?: number }

export type TrashCursor = Pick<TrashedItem, 'kind' | 'id' | 'at'>

export const TRASHED_PER_PAGE = 50

/** A query for the trash that the caller may change, one item more than a page if there are more. */
export function selectTrash(context: BaseContext, after?: TrashCursor): Query<TrashedItem[]> {
  const ownTrashSql = (table: typeof events | typeof venues | typeof organizers) =>
    sql`${table.status} = 'trash' AND ${ownedByCallerSql(table, context)}
      ${after ? sql`AND ${table.modified_utc} <= ${after.at}` : sql``}`
  // All dates of a series that is in the trash as a whole are one item.
  const firstOfSeriesSql = sql`(${events.series_id} IS NULL
    OR (SELECT status FROM ${series} WHERE ${series.id} = ${events.series_id}) <> 'trash'
    OR ${events.id} = (SELECT min(dates.id) FROM ${events} AS dates WHERE dates.series_id = ${events.series_id}))`
  const kind = sql`iif((SELECT status FROM ${series} WHERE ${series.id} = ${events.series_id}) = 'trash', 'series', 'event')`
  const place = after ? sql`WHERE (at, kind, id) < (${after.at}, ${after.kind}, ${after.id})` : sql``
  return many(
    sql`SELECT kind, id, series_id, name, at, start FROM (
        SELECT ${kind} AS kind, ${events.id} AS id, ${events.series_id} AS series_id, ${events.title} AS name,
          ${events.modified_utc} AS at, ${events.start_date} AS start FROM ${events} INDEXED BY events_trashed
          WHERE ${ownTrashSql(events)} AND ${firstOfSeriesSql}
        UNION ALL SELECT 'venue', ${venues.id}, NULL, ${venues.name}, ${venues.modified_utc}, NULL
        FROM ${venues} WHERE ${ownTrashSql(venues)}
        UNION ALL SELECT 'organizer', ${organizers.id}, NULL, ${organizers.name}, ${organizers.modified_utc}, NULL
          FROM ${organizers} WHERE ${ownTrashSql(organizers)}
      ) ${place} ORDER BY at DESC, kind DESC, id DESC LIMIT ${literal(TRASHED_PER_PAGE + 1)}`,
    row => ({
      kind: readOneOf(TRASHED_KINDS)(row.kind),
      id: readNumber(row.id),
      series_id: orNull(readNumber)(row.series_id),
      name: plain(readText(row.name)),
      at: readText(row.at),
      start: orNull(readText)(row.start) ?? undefined,
    }),
  )
}

/** The audit's record of how an item came into the trash. */
export type TrashRecord = {
  who: string | null
  /**
   * The former status; `draft` if the item was public and has changed in the trash, where nobody has reviewed
   * it.
   */
  status: Status | undefined
  isRestoredAsDraft: boolean
}

/**
 * A condition for entries that change more than which dates there are and what status they have: restoring an
 * item, or another date of its series, changes nothing that anybody would have to review.
 */
const changesContentSql = sql`(later.action = 'create' OR iif(later.changed IS NULL, later.fields <> '["recurrence"]',
  EXISTS (SELECT 1 FROM json_each(later.changed) WHERE key NOT IN ('status', 'date', 'dates', 'recurrence'))))`

const hasLaterSql = (kind: SQL, id: SQL, condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${audit} AS later INDEXED BY audit_object
    WHERE later.kind = ${kind} AND later.object_id = ${id} AND ${condition})`

const sinceThenSql = sql`later.id > ${audit.id} AND NOT (later.request_id IS ${audit.request_id} AND later.at_utc = ${audit.at_utc})
  AND ${changesContentSql}`

/**
 * A condition for items that changed after they were moved to the trash. Changes of dates count for their
 * series, and vice versa.
 */
const changedSinceSql = sql`(${hasLaterSql(sql`${audit.kind}`, sql`${audit.object_id}`, sinceThenSql)}
  OR ${audit.kind} = 'event' AND ${hasLaterSql(
    sql`'series'`,
    sql`(SELECT series_id FROM ${events} WHERE id = ${audit.object_id})`,
    sinceThenSql,
  )}
  OR ${audit.kind} = 'series' AND EXISTS (SELECT 1 FROM ${events} CROSS JOIN ${audit} AS later INDEXED BY audit_object
    ON later.kind = 'event' AND later.object_id = ${events.id} WHERE ${events.series_id} = ${audit.object_id} AND ${sinceThenSql}))`

const statusIn = (entry: string, index: 0 | 1): SQL => sql.raw(`(${entry}.changed ->> '$.status[${index}]')`)

/** A condition for entries that moved an item to the trash. */
const trashedHereSql = sql`${statusIn('audit', 1)} = 'trash' AND ${statusIn('audit', 0)} IS NOT 'trash'`

/** The status that a date was last given by itself, not with its series. */
const ownStatus = sql`(SELECT ${statusIn('later', 1)} FROM ${audit} AS later INDEXED BY audit_object
  WHERE later.kind = 'event' AND later.object_id = ${events.id} AND ${statusIn('later', 1)} IS NOT NULL
  ORDER BY later.id DESC LIMIT 1)`

/**
 * A SELECT of the entries by which dates came into the trash along with others. Only their series has an
 * entry, which wrote the dates at the same time; whatever has written them since may have changed them. A
 * date follows the status of its series unless it has one of its own.
 */
const entriesOfTrashedSeries = (context: BaseContext, ids: readonly number[]): SQL =>
  sql`SELECT ${audit.id} AS entry, 'event' AS kind, ${events.id} AS id, ${displayName} AS who,
    CASE WHEN ${detachedSql('status')} THEN ${ownStatus}
      WHEN ${series.status} = 'trash' THEN ${statusIn('audit', 0)} ELSE ${series.status} END AS status,
    ${hasLaterSql(
      sql`'event'`,
      sql`${events.id}`,
      sql`${changesContentSql} AND later.id > coalesce((SELECT min(first.id) FROM ${audit} AS first INDEXED BY audit_object
        WHERE first.kind = 'series' AND first.object_id = ${events.series_id} AND ${statusIn('first', 1)} = 'trash'
          AND first.id < ${audit.id}), ${audit.id})`,
    )} OR ${hasLaterSql(sql`'series'`, sql`${events.series_id}`, sinceThenSql)} AS is_changed
  FROM ${eachOf(ids)} AS input CROSS JOIN ${events} ON ${events.id} = input.value
  CROSS JOIN ${series} ON ${series.id} = ${events.series_id}
  CROSS JOIN ${audit} INDEXED BY audit_object ON ${audit.kind} = 'series' AND ${audit.object_id} = ${events.series_id}
    AND ${audit.at_utc} = ${events.modified_utc}
  LEFT JOIN ${users} ON ${users.id} = ${audit.user_id}
  WHERE (${trashedHereSql} OR ${audit.changed} ->> '$.dates[1].dropped' > 0)
    AND ${ownStatus} IS NOT 'trash' AND ${visibleSql(context)}`

const trashedItemKey = (kind: string, id: number) => `${kind} ${id}`

/** A query for how items came into the trash, as far as the audit has it and the caller may read it. */
export function selectTrashRecords(
  context: BaseContext,
  items: readonly Pick<TrashedItem, 'kind' | 'id' | 'series_id'>[],
): Query<(thing: Pick<TrashedItem, 'kind' | 'id' | 'series_id'>) => TrashRecord | undefined> {
  const objectOf = ({ kind, id, series_id }: Pick<TrashedItem, 'kind' | 'id' | 'series_id'>) =>
    kind === 'series' ? (series_id ?? 0) : id
  if (items.length === 0) return resolvedQuery(() => undefined)
  const objects = items.map(thing => [thing.kind, objectOf(thing)])
  const dateIds = items.flatMap(({ kind, id, series_id }) =>
    kind === 'event' && series_id !== null ? [id] : [],
  )
  return mapQuery(
    many(
      sql`SELECT ${audit.id} AS entry, ${audit.kind} AS kind, ${audit.object_id} AS id, ${displayName} AS who,
        ${statusIn('audit', 0)} AS status, ${changedSinceSql} AS is_changed
        FROM ${eachOf(objects)} AS input CROSS JOIN ${audit} INDEXED BY audit_object
          ON ${audit.kind} = input.value ->> 0 AND ${audit.object_id} = input.value ->> 1
        LEFT JOIN ${users} ON ${users.id} = ${audit.user_id}
        WHERE ${trashedHereSql} AND ${visibleSql(context)}
        UNION ALL ${entriesOfTrashedSeries(context, dateIds)} ORDER BY entry`,
      (row): [string, TrashRecord] => {
        // A date that was in the trash before its series has no status to go back to.
        const status = STATUSES.find(each => each === row.status && each !== 'trash')
        const isRestoredAsDraft = row.is_changed === 1 && isPublicStatus(status)
        return [
          trashedItemKey(readText(row.kind), readNumber(row.id)),
          {
            who: orNull(readText)(row.who),
            status: isRestoredAsDraft ? 'draft' : status,
            isRestoredAsDraft,
          },
        ]
      },
    ),
    entries => {
      const records = new Map<string, TrashRecord>(entries)
      return thing => records.get(trashedItemKey(thing.kind, objectOf(thing)))
    },
  )
}

/** An item chosen in a form, with the version that it must have. */
export type ChosenTrash = Omit<TrashedItem, 'at' | 'start'> & { version: number }

/** A query for items that are still in the trash and that the caller may change. */
export function selectChosenTrashed(
  context: BaseContext,
  trashKeys: readonly TrashKey[],
): Query<ChosenTrash[]> {
  const idsOf = (...kinds: TrashedKind[]) =>
    trashKeys.flatMap(({ kind, id }) => (kinds.includes(kind) ? [id] : []))
  const chosenSql = (table: ContentTable, ids: readonly number[]) =>
    sql`${table.id} IN ${inList(ids)} AND ${table.status} = 'trash' AND ${ownedByCallerSql(table, context)}`
  return mapQuery(
    many(
      sql`SELECT 'event' AS kind, ${events.id} AS id, ${events.version} AS version, ${events.series_id} AS series_id,
          ${events.title} AS name FROM ${events} WHERE ${chosenSql(events, idsOf('event', 'series'))}
        UNION ALL SELECT 'venue', ${venues.id}, ${venues.version}, NULL, ${venues.name} FROM ${venues}
          WHERE ${chosenSql(venues, idsOf('venue'))}
        UNION ALL SELECT 'organizer', ${organizers.id}, ${organizers.version}, NULL, ${organizers.name} FROM ${organizers}
          WHERE ${chosenSql(organizers, idsOf('organizer'))}`,
      row => ({
        kind: readText(row.kind),
        id: readNumber(row.id),
        version: readNumber(row.version),
        series_id: orNull(readNumber)(row.series_id),
        name: plain(readText(row.name)),
      }),
    ),
    items =>
      trashKeys.flatMap(({ kind, id, version }): ChosenTrash[] => {
        const item = items.find(row => row.id === id && row.kind === (kind === 'series' ? 'event' : kind))
        return item ? [{ ...item, kind, version: version ?? item.version }] : []
      }),
  )
}
