import { type SQL, sql } from 'drizzle-orm'
import { isPublished } from '../content/visibility.ts'
import { type Facet, listings } from '../db/derived.ts'
import { literal, many, mapped, type Query, together } from '../db/query.ts'
import { events } from '../db/schema.ts'
import { type LeanEvent, selectLean } from './lean-events.ts'
import type { Site } from './site.ts'

/** What else is on at the first venue of an event, and in its first category, with the ids of these. */
export type MoreEvents = Readonly<Record<'venue' | 'category', { target: number; rows: LeanEvent[] }>>

/** Events that are shown at most, and that are read for them: some may be dates of the same series. */
const MOST = 4
const READ = 16

/** Events of a listing that begin from now on. */
function coming({ context: { now } }: Site, facet: Facet, target: SQL): Query<LeanEvent[]> {
  const from = sql`${listings} CROSS JOIN ${events} ON ${events.id} = ${listings.event_id}`
  return selectLean(
    from,
    sql`WHERE ${listings.facet} = ${facet} AND ${listings.target_id} = ${target} AND ${listings.utc_start_date} >= ${now}
      AND ${isPublished(events, now)} ORDER BY ${listings.utc_start_date}, ${listings.event_id} LIMIT ${literal(READ)}`,
  )
}

const targetOf = (target: SQL): Query<number> =>
  mapped(
    many(sql`SELECT ${target} AS id`, row => Number(row.id)),
    ([id = 0]) => id,
  )

/** Selects what else is on where and in what an event is. @param slug the event's */
export function moreEvents(site: Site, slug: string): Query<MoreEvents> {
  const own = sql`(SELECT id FROM events WHERE slug = ${slug.toLowerCase()})`
  const venue = sql`(SELECT target_id FROM event_venues WHERE event_id = ${own} ORDER BY position LIMIT 1)`
  const category = sql`(SELECT terms.id FROM event_terms CROSS JOIN terms ON terms.id = target_id
    WHERE event_id = ${own} AND taxonomy = 'event_category' ORDER BY terms.id LIMIT 1)`
  return mapped(
    together({
      venue: targetOf(venue),
      atVenue: coming(site, 'venue', venue),
      category: targetOf(category),
      inCategory: coming(site, 'term', category),
    }),
    found => ({
      venue: { target: found.venue, rows: found.atVenue },
      category: { target: found.category, rows: found.inCategory },
    }),
  )
}

/** The first of some events, without an event and its series; what has the same name stands once. */
export function others(
  rows: readonly LeanEvent[],
  { id, series }: { id: number; series?: { id: number } | undefined },
): LeanEvent[] {
  const named = new Map<string, LeanEvent>()
  for (const row of rows)
    if (row.id !== id && (series === undefined || row.series_id !== series.id) && !named.has(row.title))
      named.set(row.title, row)
  return [...named.values()].slice(0, MOST)
}
