import { type SQL, sql } from 'drizzle-orm'
import { literal } from '../../db/query.ts'
import { events, series } from '../../db/schema.ts'
import { freeSlugSql } from '../../db/slugs.ts'
import { MAX_SLUG } from '../../lib/slug.ts'

// Single events, series and the dates of series have their pages below the same path: an event must not take the address
// of a series, nor that of one of its dates, be it one that the series leaves out.

/** Room in a slug for the date and time of an occurrence, and for the ending of slugs in the trash. */
const SUFFIX_ROOM = 30

const DATE = '-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'

/** Lengths of the part of an occurrence's slug after that of its series: a date, a date with hours and minutes, or with seconds. */
const SUFFIXES = [11, 16, 18]

const isSeries = (slug: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${series} AS other WHERE other.slug = ${slug})`

/**
 * Makes a condition for slugs that are those of a series, or of a date that a series has, had or leaves out.
 *
 * @param own the slug of the event's own series, whose dates it may have
 */
export const takenBySeries =
  (own: string | SQL = '') =>
  (slug: SQL): SQL => {
    const bases = SUFFIXES.map(
      length => sql`iif(substr(${slug}, -${literal(length)}, 11) GLOB ${DATE}
          AND substr(${slug}, length(${slug}) - ${literal(length - 13)}) NOT GLOB '*[^0-9]*',
        substr(${slug}, 1, length(${slug}) - ${literal(length)}), NULL)`,
    )
    return sql`(${isSeries(slug)} OR EXISTS (SELECT 1 FROM ${series} AS other
      WHERE other.slug IN (${sql.join(bases, sql`, `)}) AND other.slug <> ${own} AND other.status <> 'trash'))`
  }

/**
 * The first free slug of a series.
 *
 * @param except the id of the event that becomes the series
 */
export const seriesSlug = (base: string, except?: number): SQL =>
  freeSlugSql(events, base.slice(0, MAX_SLUG - SUFFIX_ROOM).replace(/-+$/, '') || 'event', {
    takenElsewhere: takenBySeries(),
    ...(except !== undefined && { except }),
  })

/** The first free slug of an occurrence. @param base an expression */
export const occurrenceSlug = (base: SQL, except?: number | SQL): SQL =>
  freeSlugSql(events, base, { takenElsewhere: isSeries, ...(except !== undefined && { except }) })
