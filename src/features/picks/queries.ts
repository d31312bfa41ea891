import { type SQL, sql } from 'drizzle-orm'
import { noDuplicateSql, publishedSql } from '../../calendar/content/visibility.ts'
import { type FoundEvents, selectFeedEvents } from '../../calendar/events/ical/queries.ts'
import { beginningOfToday } from '../../calendar/events/interval.ts'
import { type ListedEvent, selectListedOnPage } from '../../calendar/events/listed-events.ts'
import { nearestDates } from '../../calendar/events/recurrence/queries.ts'
import type { BaseContext } from '../../kit/context.ts'
import {
  combineQueries,
  first,
  inList,
  literal,
  many,
  mapQuery,
  type Query,
  readNumber,
  type Statement,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events } from '../../kit/db/tables.ts'
import { FEED_SIZE } from '../../kit/lib/budgets.ts'
import { addDays, formatInstant } from '../../kit/lib/time.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import type { Picks } from './schema.ts'
import { pickLists } from './tables.ts'

/** The days between two reads of a list that are recorded. */
const NOTED_DAYS = 7
/** A list expires this many days after it was last read. */
const KEPT_DAYS = 400
/** How far back the feed goes, in days. */
const DAYS_BACK = 90
/** Rows changed per cron run. */
const MAX_ROWS = 200

export type PickList = typeof pickLists.$inferSelect

/** A query for the list that a token reads. @param digest of the token */
export const selectListByToken = (digest: string): Query<PickList | undefined> =>
  first(build.select().from(pickLists).where(sql`${pickLists.token_digest} = ${digest}`))

/** A query for the list that a key changes. @param digest of the key */
export const selectListByKey = (digest: string): Query<PickList | undefined> =>
  first(build.select().from(pickLists).where(sql`${pickLists.key_digest} = ${digest}`))

/** True if the next read of a list is to be recorded. */
export const isReadDue = ({ read_utc }: PickList, context: BaseContext): boolean =>
  read_utc < addDays(context.clock.untrackedTime, -NOTED_DAYS)

/** A query for a text that changes with the list; undefined if there is none, or a read is to be recorded. */
export const selectListState = (context: BaseContext, digest: string): Query<string | undefined> =>
  mapQuery(selectListByToken(digest), list =>
    list && !isReadDue(list, context) ? String(list.version) : undefined,
  )

/** A condition for events that lists show to everybody. */
const shownSql = (context: BaseContext): SQL =>
  sql`${publishedSql(events, context.clock.untrackedTime)} AND ${events.hide_from_listings} = 0 AND ${noDuplicateSql}`

/** A SELECT of events by id. A merged event counts as the one that it was merged into. @param ids a SELECT */
const byIds = (context: BaseContext, ids: SQL): SQL =>
  sql`SELECT ${events.id} FROM ${events} WHERE ${events.id} IN (
    SELECT coalesce(kept.duplicate_of, kept.id) FROM ${events} AS kept WHERE kept.id IN ${ids}) AND ${shownSql(context)}`

/**
 * The next date of each series, or else the last one: `series`, `event`. A date that takes place now
 * is still the next one, and so is a date without a length until its day is over.
 *
 * @param series a SELECT of ids as `value`
 */
const nextDates = (context: BaseContext, series: SQL): SQL => {
  const now = context.clock.untrackedTime
  const today = beginningOfToday(context)
  const nearest = {
    wantedSeries: sql`(SELECT value AS id FROM ${series})`,
    condition: shownSql(context),
    limit: 1,
  }
  const begunDates = nearestDates({ ...nearest, side: 'before', moment: sql`datetime(${now}, '+1 second')` })
  const comingDates = nearestDates({ ...nearest, side: 'after', moment: sql`${now}` })
  return sql`SELECT value AS series, iif(begun.end > ${now} OR (begun.end = begun.start AND begun.start >= ${today}),
      begun.id, coalesce(coming.id, begun.id)) AS event
    FROM ${series} LEFT JOIN (SELECT series, id, max(start) AS start, end FROM (${begunDates})
    GROUP BY series) AS begun ON begun.series = value
      LEFT JOIN (SELECT series, id, min(start) FROM (${comingDates}) GROUP BY series) AS coming ON coming.series = value`
}

/**
 * The events of the page of picks by start. `next` has the id of the next date of each kept series, which is
 * among them; `merged` has kept events that were merged into others, with the id of the one that is shown.
 */
export type FoundPicks = {
  events: ListedEvent[]
  next: { series: number; event: number }[]
  merged: { id: number; event: number }[]
}

export function selectPicks(context: BaseContext, { ids, series }: Picks): Query<FoundPicks> {
  const next = nextDates(context, inList(series))
  return combineQueries({
    events: selectListedOnPage(context, {
      ids: sql`SELECT ${events.id} FROM ${events} WHERE ${events.id} IN (${byIds(context, inList(ids))}
        UNION SELECT event FROM (${next})) ORDER BY ${events.utc_start_date}, ${events.id}`,
    }),
    next: mapQuery(
      many(next, row => ({ series: readNumber(row.series), event: readNumber(row.event ?? 0) })),
      rows => rows.filter(({ event }) => event > 0),
    ),
    merged: many(
      sql`SELECT kept.id AS id, ${events.id} AS event FROM ${events} AS kept CROSS JOIN ${events} ON ${events.id} = coalesce(kept.duplicate_of, 0)
        WHERE kept.id IN ${inList(ids)} AND ${shownSql(context)}`,
      { id: readNumber, event: readNumber },
    ),
  })
}

const pickedIds = (column: 'ids' | 'series', digest: string): SQL =>
  sql`(SELECT value FROM ${pickLists} CROSS JOIN json_each(${pickLists[column]}) WHERE ${pickLists.token_digest} = ${digest})`

/**
 * A query for all of a list's feed: single events at any time, and dates of series from 90 days ago on.
 */
export function selectPickFeed(context: BaseContext, digest: string): Query<FoundEvents> {
  const ids = pickedIds('ids', digest)
  const series = pickedIds('series', digest)
  const firstDay = addDays(beginningOfToday(context), -DAYS_BACK)
  // Without an order, reading ends at the limit, however many dates the series have.
  const shownIds = sql`SELECT id FROM (${byIds(context, ids)} UNION SELECT ${events.id} FROM ${series} AS kept
    CROSS JOIN ${events} INDEXED BY events_occurrence
    ON ${events.series_id} = kept.value WHERE ${events.utc_start_date} >= ${firstDay} AND ${shownSql(context)})
    LIMIT ${literal(FEED_SIZE.events)}`
  return selectFeedEvents(context, { ids: shownIds, descriptions: 'abridged' })
}

/** The statements that keep the later dates of a kept series when it is divided. */
export const restStatements = ({ from, to }: { from: SQL; to: SQL }): Statement[] => [
  build
    .update(pickLists)
    .set({ series: sql`json_set(series, '$[#]', ${to})`, version: sql`version + 1` })
    .where(sql`${from} IN (SELECT value FROM json_each(series))`),
]

/** The statements that keep a date of a kept series when it becomes a single event. */
export const separatedStatements = ({ series, event }: { series: SQL; event: SQL }): Statement[] => [
  build
    .update(pickLists)
    .set({ ids: sql`json_set(ids, '$[#]', ${event})`, version: sql`version + 1` })
    .where(
      sql`${series} IN (SELECT value FROM json_each(series)) AND ${event} NOT IN (SELECT value FROM json_each(ids))`,
    ),
]

/** Lists that expire because nobody reads them. */
export const unreadLists = (nowMs: number): DueRows => ({
  name: 'picks: unread lists',
  rowName: 'picks: unread list',
  table: pickLists,
  dueSql: sql`${pickLists.read_utc} < ${addDays(formatInstant(nowMs), -KEPT_DAYS)}`,
  limit: MAX_ROWS,
})
