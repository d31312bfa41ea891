import { type SQL, sql } from 'drizzle-orm'
import { isPublished } from '../content/visibility.ts'
import { literal, type Query } from '../db/query.ts'
import { events } from '../db/schema.ts'
import { addressOf, type LeanEvent, selectLean } from './lean-events.ts'
import { linkTo, type Site } from './site.ts'

// The dates of a series are events with the slugs `{base}-{YYYY-MM-DD}`, which the unique index of slugs finds.

const YEARS_BACK = 2
const YEARS_AHEAD = 3

/** A range of slugs for each year, so that events with the same slug and a number are not read. */
function slugRanges(site: Site, base: string): SQL {
  const year = Number(site.today.slice(0, 4))
  const years = Array.from({ length: YEARS_BACK + 1 + YEARS_AHEAD }, (_, i) => year - YEARS_BACK + i)
  const from = JSON.stringify(years.map(each => `${base}-${each}-`))
  // A full stop comes after a hyphen.
  return sql`json_each(${from}) AS year CROSS JOIN ${events} INDEXED BY events_slug
    ON slug >= year.value AND slug < substr(year.value, 1, length(year.value) - 1) || '.'`
}

/** The public dates of a series, in order. @param most how many of them */
export const occurrencesOf = (site: Site, base: string, most: number, upcoming = false): Query<LeanEvent[]> =>
  selectLean(
    slugRanges(site, base.toLowerCase()),
    sql`WHERE ${isPublished(events, site.context.now)} AND ${events.utc_end_date} >= ${upcoming ? site.context.now : ''}
      ORDER BY utc_start_date, ${events.id} LIMIT ${literal(most)}`,
  )

/** The path of an occurrence's page. */
export const pathOf = (site: Site, row: LeanEvent): string => linkTo(site, addressOf(site.context, row))

/** The rows whose pages lie below that of the series; others only have slugs like theirs. */
export const inSeries = (site: Site, base: string, rows: readonly LeanEvent[]): LeanEvent[] =>
  rows.filter(row => pathOf(site, row).startsWith(`/event/${encodeURIComponent(base.toLowerCase())}/`))
