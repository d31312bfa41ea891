import { type SQL, sql } from 'drizzle-orm'
import { permalink } from '../content/serialize.ts'
import { isPublished } from '../content/visibility.ts'
import { columnList, columnsWithout, decodeRow } from '../db/columns.ts'
import { many, type Query } from '../db/query.ts'
import { events } from '../db/schema.ts'
import { linkTo, type Site } from './site.ts'

// The dates of a series are events with the slugs `{base}-{YYYY-MM-DD}`, which the unique index of slugs finds.

const columns = columnsWithout(events, 'description', 'excerpt', 'listed', 'span', 'search_key')

export type OccurrenceRow = ReturnType<typeof decodeRow<typeof columns>>

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
export const occurrencesOf = (
  site: Site,
  base: string,
  most: number,
  upcoming = false,
): Query<OccurrenceRow[]> =>
  many(
    sql`SELECT ${columnList(columns)} FROM ${slugRanges(site, base.toLowerCase())}
      WHERE ${isPublished(events, site.context.now)} AND ${events.utc_end_date} >= ${upcoming ? site.context.now : ''}
      ORDER BY utc_start_date, ${events.id} LIMIT ${sql.raw(String(most))}`,
    raw => decodeRow(columns, raw),
  )

/** The path of an occurrence's page. */
export const pathOf = (site: Site, row: OccurrenceRow): string =>
  linkTo(site, permalink(row, 'event', site.context))

/** The rows whose pages lie below that of the series; others only have slugs like theirs. */
export const inSeries = (site: Site, base: string, rows: readonly OccurrenceRow[]): OccurrenceRow[] =>
  rows.filter(row => pathOf(site, row).startsWith(`/event/${encodeURIComponent(base.toLowerCase())}/`))
