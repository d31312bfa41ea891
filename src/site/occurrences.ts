import { type SQL, sql } from 'drizzle-orm'
import { isNoTwin, isPublished } from '../content/visibility.ts'
import { literal, mapped, type Query, together } from '../db/query.ts'
import { events, series } from '../db/schema.ts'
import { eventSlugs } from '../events/recurrence/serialize.ts'
import { type LeanEvent, selectLean } from './lean-events.ts'
import type { Site } from './site.ts'

/** The slugs that an address may mean: of an event, and of a series. */
export type Slugs = { event: string; series: string }

type Wanted = {
  slugs: Slugs
  /** The largest number of dates. */
  most: number
  /** Without those before the one that began last, and without that if it is over. */
  upcoming?: boolean
}

/** The public dates of a series, in order: of that of an event, or of the one with a slug. */
export function occurrencesOf(
  { context: { now } }: Site,
  { slugs, most, upcoming = false }: Wanted,
): Query<LeanEvent[]> {
  const wanted = sql`WITH wanted(id) AS MATERIALIZED (SELECT coalesce(
    (SELECT series_id FROM events WHERE slug = ${slugs.event.toLowerCase()}),
    (SELECT id FROM ${series} WHERE slug = ${slugs.series.toLowerCase()})))`
  const shown = sql`${events.series_id} = (SELECT id FROM wanted) AND ${isNoTwin} AND ${isPublished(events, now)}`
  // A series may have a thousand dates that are over: the index leads to the one that began last.
  const begun = sql`SELECT ${events.utc_start_date} FROM ${events} INDEXED BY events_series_start
    WHERE ${shown} AND ${events.utc_start_date} <= ${now} ORDER BY ${events.utc_start_date} DESC LIMIT 1`
  const condition = upcoming
    ? sql`${shown} AND ${events.utc_start_date} >= coalesce((${begun}), '') AND ${events.utc_end_date} >= ${now}`
    : shown
  return selectLean(
    sql`${events} INDEXED BY events_series_start`,
    sql`WHERE ${condition} ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(most)}`,
    wanted,
  )
}

/** The public dates of a series before and after one of them. @param slug that of the one's event */
export function datesBeside(
  { context: { now } }: Site,
  slug: string,
): Query<{ before: LeanEvent | undefined; after: LeanEvent | undefined }> {
  const own = sql`WITH own(series, start) AS MATERIALIZED (
    SELECT series_id, utc_start_date FROM events WHERE slug = ${slug.toLowerCase()} AND series_id IS NOT NULL)`
  const beside = (is: SQL, order: SQL) =>
    selectLean(
      sql`${events} INDEXED BY events_series_start`,
      sql`WHERE ${events.series_id} = (SELECT series FROM own) AND ${events.utc_start_date} ${is} (SELECT start FROM own)
        AND ${isNoTwin} AND ${isPublished(events, now)} ORDER BY ${events.utc_start_date} ${order} LIMIT 1`,
      own,
    )
  return mapped(
    together({ before: beside(sql`<`, sql`DESC`), after: beside(sql`>`, sql`ASC`) }),
    ({ before: [before], after: [after] }) => ({ before, after }),
  )
}

/** The path of the page of an event that is public. */
export const eventPath = ({ base }: Site, event: Parameters<typeof eventSlugs>[0]): string =>
  `${base}/event/${eventSlugs(event).map(encodeURIComponent).join('/')}/`
