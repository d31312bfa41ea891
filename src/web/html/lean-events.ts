import { type SQL, sql } from 'drizzle-orm'
import { columnExpressions, columnList, decodeList, decodeRow } from '../../db/columns.ts'
import { literal, many, type Query } from '../../db/query.ts'
import { events, series } from '../../db/schema.ts'
import { shaped } from '../../db/shapes.ts'
import type { UnionPart } from '../../db/union.ts'
import { isNoTwin, isPublished } from '../../resources/content/visibility.ts'
import { eventSlugs } from '../../resources/events/resource.ts'
import { seriesJoin } from '../../resources/events/rows.ts'
import type { Site } from './site.ts'

// Events as pages and files with hundreds of them name them: their titles, times and addresses.

const leanColumns = {
  id: events.id,
  slug: events.slug,
  title: events.title,
  sticky: events.sticky,
  all_day: events.all_day,
  start_date: events.start_date,
  end_date: events.end_date,
  utc_start_date: events.utc_start_date,
  utc_end_date: events.utc_end_date,
  timezone: events.timezone,
  event_status: events.event_status,
  series_id: events.series_id,
}

/** An event, and the slug of its series; that is null for single events. */
export type LeanEvent = ReturnType<typeof decodeRow<typeof leanColumns>> & { series: { slug: string } | null }

const columns = shaped(() => sql`${columnList(leanColumns)}, ${series.slug} AS series_slug`)

/** Selects events without their texts. @param from the FROM clause with `events` @param tail WHERE and further clauses */
const selectLean = (from: SQL, tail: SQL): Query<LeanEvent[]> =>
  many(sql`SELECT ${columns()} FROM ${from} ${seriesJoin} ${tail}`, raw => ({
    ...decodeRow(leanColumns, raw),
    series: seriesWith(raw.series_slug),
  }))

/** The series of an event, of which its slug is shown; null for a NULL. */
export const seriesWith = (slug: unknown): LeanEvent['series'] => (typeof slug === 'string' ? { slug } : null)

/** Events without their texts as a part of a statement. @param page a table or subquery with their ids, in their order */
export const leanPart = (page: SQL): UnionPart<LeanEvent> => ({
  columns: [...columnExpressions(leanColumns), sql`${series.slug}`],
  from: sql`FROM ${page} AS page CROSS JOIN ${events} ON ${events.id} = page.id ${seriesJoin}`,
  read: values => ({
    ...decodeList(leanColumns, values),
    series: seriesWith(values[Object.keys(leanColumns).length]),
  }),
})

/**
 * The public dates of all series with a slug, the latest first: one that was divided is several.
 *
 * @param most the largest number of dates
 */
export function occurrencesOf({ context: { now } }: Site, slug: string, most: number): Query<LeanEvent[]> {
  const ids = sql`(SELECT id FROM ${series} WHERE slug = ${slug.toLowerCase()})`
  return selectLean(
    sql`${events} INDEXED BY events_series_start`,
    sql`WHERE ${events.series_id} IN ${ids} AND ${isNoTwin} AND ${isPublished(events, now)}
      ORDER BY ${events.utc_start_date} DESC, ${events.id} DESC LIMIT ${literal(most)}`,
  )
}

/** The path of the page of an event that is public. */
export const eventPath = ({ base }: Site, event: Parameters<typeof eventSlugs>[0]): string =>
  `${base}/event/${eventSlugs(event).map(encodeURIComponent).join('/')}/`
