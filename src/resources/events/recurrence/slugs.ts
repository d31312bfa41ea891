import { type SQL, sql } from 'drizzle-orm'
import { given, jsonPieces } from '../../../db/bulk.ts'
import { inOrder, literal, many, mapped, type Query } from '../../../db/query.ts'
import { events, imports, series } from '../../../db/schema.ts'
import { freeSlugSql } from '../../../db/slugs.ts'
import { MAX_SLUG } from '../../../lib/slug.ts'

// Single events, series and the dates of series have their pages below the same path: an event must not take the address
// of a series, nor that of one of its dates, be it one that the series leaves out.

/** Room in a slug for the date and time of an occurrence, and for the ending of slugs in the trash. */
const SUFFIX_ROOM = 30

const DATE = sql.raw(`'-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`)

/** Lengths of the part of an occurrence's slug after that of its series: a date, a date with hours and minutes, or with seconds. */
const SUFFIXES = [11, 16, 18]

const isSeries = (slug: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${series} AS other WHERE other.slug = ${slug})`

/**
 * Makes a condition for slugs that are those of a series, or of a date that a series has, had or leaves out.
 *
 * @param own the slug of the event's own series, whose dates it may have
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

/** The slug that a series wants, which leaves room for the dates of its occurrences. */
export const seriesSlug = (wanted: string): string =>
  wanted.slice(0, MAX_SLUG - SUFFIX_ROOM).replace(/-+$/, '') || 'event'

/**
 * A query of the slugs that new series may have, in order. Series to which a source gives one slug have it in common here as
 * well, because they are parts of one that was divided.
 *
 * @param wanted the slugs that they are to have, and whether their source names them
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
