import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext, SerializeContext } from '../../../kit/context.ts'
import { decodeRow, type RowOf } from '../../../kit/db/columns.ts'
import { unlisted } from '../../../kit/db/derived.ts'
import { allOf, literal, many, type Query, readNumber, readText } from '../../../kit/db/query.ts'
import { events, series } from '../../../kit/db/tables.ts'
import { FEED_SIZE } from '../../../kit/lib/budgets.ts'
import { timeForm, type Zones } from '../../../kit/lib/ical/clock-changes.ts'
import { plainTitle, property } from '../../../kit/lib/ical/lines.ts'
import { addDays } from '../../../kit/lib/time.ts'
import { pick } from '../../../kit/lib/values.ts'
import { textsIn } from '../../../words/words.ts'
import { beginningOfToday, intervalOf, withinIntervalSql } from '../interval.ts'
import { filtersOf } from '../listing/filters.ts'
import type { EventListValues } from '../schema.ts'
import { feedWindow } from './queries.ts'
import { eventUid, headLines, ownUid, seriesUid, timeLine, titleLines, vevent } from './vevent.ts'

// Events that were moved to the trash stay in calendars for a while, as cancelled, so that subscribers'
// programs remove them. The calendar shows only the UID, and the title and time that the public saw last, not
// any changes made after the event was hidden.

const DAYS_SHOWN = 90
const removedColumns = {
  id: events.id,
  date_utc: unlisted.date_utc,
  uid: events.uid,
  sequence_offset: events.sequence_offset,
  ...pick(
    unlisted,
    'version',
    'series_sequence',
    'modified_utc',
    'title',
    'all_day',
    'start_date',
    'utc_start_date',
  ),
  timezone: unlisted.timezone,
}

export type RemovedEvent = RowOf<typeof removedColumns> & {
  series: { id: number; uid: string; sequence_offset: number } | null
}

const selectedColumns = Object.entries(removedColumns).map(
  ([name, column]) => sql`${column} AS ${sql.identifier(name)}`,
)

/** A query for events that lists no longer show. @param from the beginning of a FROM clause, with `events` */
const selectRemovedRows = (context: BaseContext, from: SQL, condition: SQL): Query<RemovedEvent[]> =>
  many(
    sql`SELECT ${sql.join(selectedColumns, sql`, `)}, ${series.id} AS of_series, ${series.uid} AS series_uid,
        ${series.sequence_offset} AS first_sequence, ${series.sequence_offset} + ${series.version} AS series_now
      FROM ${from} CROSS JOIN ${unlisted} ON ${unlisted.event_id} = ${events.id}
      LEFT JOIN ${series} ON ${series.id} = ${events.series_id}
      WHERE ${events.modified_utc} >= ${addDays(beginningOfToday(context), -DAYS_SHOWN)} AND ${condition}
      ORDER BY ${events.modified_utc} DESC, ${events.id} DESC LIMIT ${literal(FEED_SIZE.removed)}`,
    raw => ({
      ...decodeRow(removedColumns, raw),
      series_sequence: readNumber(raw.series_sequence) || Number(raw.series_now),
      series:
        raw.of_series === null
          ? null
          : {
              id: readNumber(raw.of_series),
              uid: readText(raw.series_uid),
              sequence_offset: readNumber(raw.first_sequence),
            },
    }),
  )

/** A query for the public events that were moved to the trash in the last 90 days. */
export const selectRemoved = (context: BaseContext, condition: SQL): Query<RemovedEvent[]> =>
  selectRemovedRows(
    context,
    sql`${events} INDEXED BY events_trashed`,
    sql`${events.status} = 'trash' AND ${events.hide_from_listings} = 0 AND ${events.duplicate_of} IS NULL AND ${condition}`,
  )

/**
 * A query for some of the events that the public could see, until they were hidden or removed in the last 90
 * days.
 * @param ids a SELECT
 */
export const selectUnlisted = (context: BaseContext, ids: SQL): Query<RemovedEvent[]> =>
  selectRemovedRows(context, sql`${events}`, sql`${events.id} IN ${ids}`)

const SPAN = { start: sql`${unlisted.utc_start_date}`, end: sql`${unlisted.utc_end_date}` }

/**
 * A query for removed events that match the parameters of a feed. Filters find only events that have not
 * changed since the public saw them. Searches do not find occurrences, since the texts of their series may
 * have changed.
 */
export function selectRemovedInFeed(context: BaseContext, values: EventListValues): Query<RemovedEvent[]> {
  const bounded = feedWindow(context, values)
  const conditions = filtersOf(context, bounded).map(({ condition }) => condition)
  const ownTextsSql = values.search === undefined ? sql`1` : sql`${events.series_id} IS NULL`
  const unchangedSql = sql`${events.version} = ${unlisted.version} AND ${ownTextsSql}`
  return selectRemoved(
    context,
    allOf([
      withinIntervalSql(intervalOf(context, bounded).interval, SPAN),
      ...(conditions.length > 0 ? [unchangedSql, ...conditions] : []),
    ]),
  )
}

/**
 * The removed events of a feed by UID. The dates of a series that has no dates left share one UID: of the
 * dates that were removed last, the first stands for all.
 */
export function removedByUid(
  rows: readonly RemovedEvent[],
  expand: boolean,
  context: SerializeContext,
): Map<string, RemovedEvent> {
  const byUid = new Map<string, RemovedEvent>()
  for (const row of rows) {
    if (!expand && !hadSeriesUid(row)) continue
    const uid = removedUid(row, expand, context)
    const known = byUid.get(uid)
    const later = known ? removedSequence(row, expand) - removedSequence(known, expand) : 1
    if (!known || later > 0 || (later === 0 && row.utc_start_date < known.utc_start_date)) byUid.set(uid, row)
  }
  return byUid
}

/**
 * False for a date that went to the trash when its series ended: the event that stayed got the UID, and the
 * series got another UID with its version, for dates that come back.
 */
function hadSeriesUid({ series, series_sequence }: RemovedEvent): boolean {
  const version = /^series-\d+\.(\d+)@$/.exec(series?.uid ?? '')?.[1]
  return !series || version === undefined || series_sequence > series.sequence_offset + Number(version) + 1
}

/** The UID that an event in the trash had. */
function removedUid(row: RemovedEvent, expand: boolean, context: SerializeContext): string {
  if (expand) return ownUid(row, context)
  return row.series ? seriesUid(row.series, context) : eventUid(row, context)
}

/** The SEQUENCE that an event had when it was hidden, whatever has changed since. */
const removedSequence = (
  { series, series_sequence, sequence_offset, version }: RemovedEvent,
  expand: boolean,
): number => series_sequence + (series && !expand ? 0 : sequence_offset + Math.abs(version))

/**
 * A cancelled VEVENT. If a series has no dates left, the first occurrence stands for all; otherwise an
 * occurrence is an exception of its series.
 */
export function removedText(
  row: RemovedEvent,
  { zones, expand }: { zones: Zones; expand: boolean },
  context: SerializeContext,
): string {
  if (!row.all_day) zones.add(row.timezone, row.utc_start_date)
  const head = {
    uid: removedUid(row, expand, context),
    sequence: removedSequence(row, expand),
    created: row.date_utc,
    modified: row.modified_utc,
  }
  return vevent(
    headLines(head) +
      timeLine('DTSTART', row.start_date, timeForm(row)) +
      // Some programs fail without a SUMMARY.
      titleLines(
        plainTitle(row.title) || textsIn(context.settings.website.language).pages.event,
        'canceled',
        context,
      ) +
      property('STATUS', 'CANCELLED'),
  )
}
