import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext, SerializeContext } from '../context.ts'
import { decodeRow, type RowOf } from '../db/columns.ts'
import { changes } from '../db/derived.ts'
import { allOf, literal, many, type Query } from '../db/query.ts'
import { events, series } from '../db/schema.ts'
import { filtersOf } from '../events/listing/filters.ts'
import { intervalOf, within } from '../events/listing/interval.ts'
import type { EventListParams } from '../events/schema.ts'
import { property } from '../lib/ical/lines.ts'
import { timeForm, type Zones } from '../lib/ical/zones.ts'
import { addDays } from '../lib/time.ts'
import { eventUid, headLines, sequenceOf, seriesUid, timeLine, vevent } from './vevent.ts'
import { feedWindow } from './window.ts'

// Events that were moved to the trash stay in calendars for a while, as cancelled, so that programs of subscribers remove
// them. Nothing of them is shown but which one it was and when.

const DAYS_SHOWN = 90
/** The most of them in a feed: the latest. */
const MOST_REMOVED = 1_000

const columns = {
  id: events.id,
  version: events.version,
  date_utc: events.date_utc,
  modified_utc: events.modified_utc,
  all_day: events.all_day,
  start_date: events.start_date,
  utc_start_date: events.utc_start_date,
  timezone: events.timezone,
  uid: events.uid,
  sequence: events.sequence,
}

/** An event in the trash. */
export type Removed = RowOf<typeof columns> & {
  series: { id: number; uid: string; sequence: number; version: number } | null
}

const names = Object.entries(columns).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`)

/** True of an event that anonymous callers could read at some time: the table of changes remembers it. */
const wasPublic = sql`EXISTS (SELECT 1 FROM ${changes} WHERE kind = 'events' AND id = ${events.id} AND public_n IS NOT NULL)`

/** A query of the public events that were moved to the trash in the last 90 days. */
export const selectRemoved = (context: RequestContext, condition: SQL): Query<Removed[]> =>
  many(
    sql`SELECT ${sql.join(names, sql`, `)}, ${series.id} AS of_series, ${series.uid} AS series_uid,
        ${series.sequence} AS series_sequence, ${series.version} AS series_version
      FROM ${events} INDEXED BY events_trashed LEFT JOIN ${series} ON ${series.id} = ${events.series_id}
      WHERE ${events.status} = 'trash' AND ${events.modified_utc} >= ${addDays(context.now, -DAYS_SHOWN)}
        AND ${events.hide_from_listings} = 0 AND ${condition} AND ${wasPublic}
      ORDER BY ${events.modified_utc} DESC, ${events.id} DESC LIMIT ${literal(MOST_REMOVED)}`,
    raw => ({
      ...decodeRow(columns, raw),
      series:
        raw.of_series === null
          ? null
          : {
              id: Number(raw.of_series),
              uid: String(raw.series_uid),
              sequence: Number(raw.series_sequence),
              version: Number(raw.series_version),
            },
    }),
  )

/** A query of those that match the parameters of a feed. */
export function selectRemovedFrom(
  context: RequestContext,
  values: Partial<EventListParams>,
): Query<Removed[]> {
  const bounded = feedWindow(context, values)
  const conditions = filtersOf(context, bounded).map(({ condition }) => condition)
  return selectRemoved(context, allOf([within(intervalOf(context, bounded).interval), ...conditions]))
}

/** The UID that an event in the trash had. */
export const removedUid = (row: Removed, context: SerializeContext): string =>
  row.series ? seriesUid(row.series, context) : eventUid(row, context)

/**
 * A cancelled VEVENT. Of a series of which nothing is left, the first occurrence stands for all; those of others are
 * exceptions of theirs.
 */
export function removedText(row: Removed, zones: Zones, context: SerializeContext): string {
  if (!row.all_day) zones.add(row.timezone, row.utc_start_date)
  const head = {
    uid: removedUid(row, context),
    sequence: row.series ? sequenceOf(row.series) : sequenceOf(row),
    created: row.date_utc,
    modified: row.modified_utc,
  }
  return vevent(
    headLines(head) +
      timeLine('DTSTART', row.start_date, timeForm(row, zones)) +
      property('STATUS', 'CANCELLED'),
  )
}
