import { sql } from 'drizzle-orm'
import { isPublished } from '../content/visibility.ts'
import { literal, type Query } from '../db/query.ts'
import { events, series } from '../db/schema.ts'
import { eventLink } from '../events/recurrence/serialize.ts'
import { type LeanEvent, selectLean } from './lean-events.ts'
import { linkTo, type Site } from './site.ts'

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
  const shown = sql`${events.series_id} = (SELECT id FROM wanted) AND ${isPublished(events, now)}`
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

/** The path of an occurrence's page. */
export const pathOf = (site: Site, row: LeanEvent): string => linkTo(site, eventLink(row, site.context))
