import { type SQL, sql } from 'drizzle-orm'
import { given, jsonPieces } from '../../../db/bulk.ts'
import { inOrder, literal, many, mapped, type Query } from '../../../db/query.ts'
import { events, imports, series } from '../../../db/schema.ts'
import { freeSlugSql } from '../../../db/slugs.ts'
import { MAX_SLUG } from '../../../lib/slug.ts'

// Single events, series and the dates of series have their pages below the same path. So an event must not take the
// address of a series, nor that of any of its dates, not even an excluded one.

/** Space in a slug for the date and time of an occurrence, and for the ending of slugs in the trash. */
const SUFFIX_ROOM = 30

const DATE = sql.raw(`'-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`)

/**
 * Lengths of the part of an occurrence's slug that follows the slug of its series: a date, a date with hours and
 * minutes, or one with seconds too.
 */
const SUFFIXES = [11, 16, 18]

const isSeries = (slug: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${series} AS other WHERE other.slug = ${slug})`

/**
 * Makes a condition that is true for the slug of a series, or of a date that a series has, had or excludes.
 *
 * @param own the slug of the event's own series, whose dates it may use
 */
export const takenBySeries =
  (own: SQL = sql`''`) =>
  (slug: SQL): SQL => {
    const bases = SUFFIXES.map(
      length => sql`iif(substr(${slug}, -${literal(length)}, 11) GLOB ${DATE}
          AND substr(${slug}, length(${slug}) - ${literal(length - 13)}) NOT GLOB '*[^0-9]*',
        substr(${slug}, 1, length(${slug}) - ${literal(length)}), NULL)`,
    )
    return sql`(${isSeries(slug)} OR EXISTS (SELECT 1 FROM ${series} AS other
      WHERE other.slug IN (${sql.join(bases, sql`, `)}) AND other.slug <> ${own} AND other.status <> 'trash'))`
  }

/** The slug that a series asks for, shortened to leave space for the dates of its occurrences. */
export const seriesSlug = (wanted: string): string =>
  wanted.slice(0, MAX_SLUG - SUFFIX_ROOM).replace(/-+$/, '') || 'event'

/**
 * A query for the slugs that new series get, in order. Series that have the same slug in their source share it here as
 * well, because they are parts of a divided series.
 *
 * @param wanted the slugs that the series ask for, and whether their source names them
 */
export const selectSeriesSlugs = (
  wanted: readonly { slug: string; isNamed: boolean }[],
  source: string,
): Query<string[]> => {
  const ranks = new Map<string, number>()
  const rows = wanted.map(({ slug, isNamed }) => {
    const base = seriesSlug(slug)
    const rank = ranks.get(base) ?? 0
    ranks.set(base, rank + 1)
    return { base, named: Number(isNamed), rank }
  })
  const base = given('base')
  const ofOthers = sql`SELECT 1 FROM ${series} AS other WHERE other.slug = ${base} AND NOT EXISTS (
    SELECT 1 FROM ${imports} INDEXED BY imports_target WHERE kind = 'series' AND target_id = other.id AND source = ${source})`
  const isShared = sql`${given('named')} AND NOT EXISTS (SELECT 1 FROM ${events} WHERE slug = ${base})
    AND NOT EXISTS (${ofOthers}) AND (${isSeries(base)} OR NOT ${takenBySeries()(base)})`
  const free = freeSlugSql(events, base, { takenElsewhere: takenBySeries(), rank: given('rank') })
  return mapped(
    inOrder(
      jsonPieces(rows).map(json =>
        many(
          sql`SELECT iif(${isShared}, ${base}, ${free}) AS slug FROM json_each(${json}) AS given ORDER BY given.key`,
          row => String(row.slug),
        ),
      ),
    ),
    pieces => pieces.flat(),
  )
}

/** The first free slug of an occurrence. @param base an expression */
export const occurrenceSlug = (base: SQL, except?: SQL): SQL =>
  freeSlugSql(events, base, { takenElsewhere: isSeries, ...(except !== undefined && { except }) })
