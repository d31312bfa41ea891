import { addDays, addMonths, endOfDay } from '../../src/kit/lib/time.ts'
import { MONTH, TODAY } from './calendar.ts'

// Numbers of events that budgets depend on, counted by plain conditions on the base tables.

/** A condition on `events`, with what to bind. */
export type Matching = { sql: string; values: (string | number)[] }

const linked = (links: string, target: string, ...values: (string | number)[]): Matching => ({
  sql: `id IN (SELECT event_id FROM ${links} WHERE target_id IN (${target}))`,
  values,
})

/** Events in any of some categories, or in one below them. */
export const inCategories = (...slugs: string[]): Matching =>
  linked(
    'event_terms',
    `SELECT terms.id FROM terms, json_each(?) AS input
     WHERE taxonomy = 'event_category' AND '/' || terms.path || '/' LIKE '%/' || input.value || '/%'`,
    JSON.stringify(slugs),
  )

export const withTags = (...slugs: string[]): Matching =>
  linked(
    'event_terms',
    `SELECT id FROM terms WHERE taxonomy = 'event_tag' AND slug IN (SELECT value FROM json_each(?))`,
    JSON.stringify(slugs),
  )

export const atVenue = (id: number): Matching => linked('event_venues', '?', id)
export const byOrganizer = (id: number): Matching => linked('event_organizers', '?', id)

export const withWord = (word: string): Matching => ({
  sql: `instr(lower(title || ' ' || description || ' ' ||
    coalesce((SELECT description FROM series WHERE id = series_id), '')), ?) > 0`,
  values: [word],
})

/** Events at venues within some kilometres, by the spherical law of cosines. */
export const near = (lat: number, lng: number, radius: number): Matching =>
  linked(
    'event_venues',
    `SELECT id FROM venues WHERE geo_lat IS NOT NULL AND 6371.0088 * acos(min(1,
       sin(radians(?)) * sin(radians(geo_lat)) + cos(radians(?)) * cos(radians(geo_lat)) * cos(radians(geo_lng - ?)))) <= ?`,
    lat,
    lat,
    lng,
    radius,
  )

/** Events at venues in a box that does not cross the date line. */
export const inBox = ([west, south, east, north]: readonly [number, number, number, number]): Matching =>
  linked(
    'event_venues',
    'SELECT id FROM venues WHERE geo_lng BETWEEN ? AND ? AND geo_lat BETWEEN ? AND ?',
    west,
    east,
    south,
    north,
  )

/** The dates of lists by default, or the month of the month requests. */
export type Period = 'default' | 'month'

const PERIODS: Record<Period, [from: string, to: string]> = {
  default: [addDays(TODAY, -1), endOfDay(addMonths(TODAY, 24))],
  month: [`${MONTH.start} 00:00:00`, `${MONTH.end} 23:59:59`],
}

/** Counts the events that lists may show, now or later, that lie in a period and match. */
export async function countMatching(
  db: D1Database,
  { sql, values }: Matching,
  period: Period = 'default',
): Promise<number> {
  const count = await db
    .prepare(
      `SELECT count(*) AS n FROM events WHERE listed
       AND utc_start_date >= ? AND utc_end_date <= ? AND ${sql}`,
    )
    .bind(...PERIODS[period], ...values)
    .first<number>('n')
  return count ?? 0
}
