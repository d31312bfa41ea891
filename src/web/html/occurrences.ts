import { sql } from 'drizzle-orm'
import { literal, type Query } from '../../db/query.ts'
import { events, series } from '../../db/schema.ts'
import { isNoTwin, isPublished } from '../../resources/content/visibility.ts'
import { eventSlugs } from '../../resources/events/recurrence/serialize.ts'
import { type LeanEvent, selectLean } from './lean-events.ts'
import type { Site } from './site.ts'

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
