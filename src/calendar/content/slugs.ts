import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { inputValue, jsonBatches } from '../../kit/db/bulk.ts'
import {
  combineQueries,
  first,
  literal,
  many,
  type Query,
  readNumber,
  readText,
  type Statement,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, formerSlugs, imports, series } from '../../kit/db/tables.ts'
import { MAX_SLUG_LENGTH } from '../../kit/lib/slug.ts'

type Sluggable = SQLiteTable & { id: SQLiteColumn; slug: SQLiteColumn }

type Options = {
  scope?: SQL | undefined
  except?: number | SQL | undefined
  usedElsewhere?: ((slug: SQL) => SQL) | undefined
  rank?: SQL | undefined
}

/** The search tries numbers up to here one by one; beyond, it may leave gaps. */
const TRIED_ONE_BY_ONE = 50

/**
 * An expression for the first free slug among `base`, `base-2`, `base-3` … If very many are taken, it
 * doubles and halves the number, in some ten steps, so that a name used a thousand times costs no more. It is
 * part of the statement that stores the slug, so that no other request can take the slug in between.
 *
 * @param base a text, or an expression for one, which is computed several times
 * @param scope a condition for the rows among which slugs must be unique
 * @param except the id of the row that is being updated, whose own slug counts as free
 * @param usedElsewhere returns a condition that is true if a slug, though free in the table, is taken
 * @param rank the number of earlier rows of the same statement that want the same slug
 */
export function freeSlug(
  table: Sluggable,
  base: string | SQL,
  { scope, except, usedElsewhere, rank }: Options,
): SQL {
  const numbered = (n: SQL) =>
    sql`CASE ${n} WHEN 1 THEN ${base} ELSE substr(${base}, 1, ${literal(MAX_SLUG_LENGTH - 1)} - length(${n})) || '-' || ${n} END`
  // The slug is a column, because a condition that names it several times would bind its base each time.
  const elsewhereJoin = (n: SQL) =>
    usedElsewhere
      ? sql`LEFT JOIN (SELECT 1 AS is_taken) AS elsewhere ON EXISTS (
          SELECT 1 FROM (SELECT ${numbered(n)} AS slug) AS named WHERE ${usedElsewhere(sql`named.slug`)})`
      : sql``
  const takenJoin = (n: SQL) =>
    sql`LEFT JOIN ${table} ON ${table.slug} = ${numbered(n)} ${scope ? sql`AND ${scope}` : sql``}
      ${except === undefined ? sql`` : sql`AND ${table.id} <> ${except}`} ${elsewhereJoin(n)}`
  const unusedSql = usedElsewhere
    ? sql`${table.id} IS NULL AND elsewhere.is_taken IS NULL`
    : sql`${table.id} IS NULL`
  const low = sql`iif(${unusedSql}, low, n)`
  const high = sql`iif(${unusedSql}, n, high)`
  // `low` is taken, `high` is free once it is known, and n comes next.
  return sql`(WITH RECURSIVE search(n, low, high) AS (
    SELECT 1, 0, NULL
    UNION ALL
    SELECT coalesce((${low} + ${high}) / 2, n + iif(n < ${literal(TRIED_ONE_BY_ONE)}, 1, n)), ${low}, ${high}
    FROM search ${takenJoin(sql`n`)} WHERE high IS NULL OR high - low > 1
  )${
    rank
      ? sql`, next(n, earlier) AS (
    SELECT high, coalesce(${rank}, 0) FROM search WHERE high - low = 1
    UNION ALL
    SELECT next.n + 1, earlier - (${unusedSql}) FROM next ${takenJoin(sql`(next.n + 1)`)} WHERE earlier > 0
  ) SELECT ${numbered(sql`n`)} FROM next WHERE earlier = 0)`
      : sql` SELECT ${numbered(sql`high`)} FROM search WHERE high - low = 1)`
  }`
}

// Single events, series and the dates of series have their pages below the same path. So an event must not
// take the address of a series or of any of its dates, not even of an excluded date.

/** Space in a slug for the date and time of an occurrence, and for the ending of slugs in the trash. */
const SUFFIX_ROOM = 30

const DATE = literal('-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')

/**
 * Lengths of the part of an occurrence's slug that follows the slug of its series: a date, a date with hours
 * and minutes, or one with seconds too.
 */
const SUFFIXES = [11, 16, 18]

const seriesSlugSql = (slug: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${series} AS other WHERE other.slug = ${slug})`

/**
 * A condition for the slug of a series, or of a date that a series has, had or excludes.
 *
 * @param ownSlug the slug of the event's own series, whose dates it may use
 */
export function usedBySeriesSql(slug: SQL, ownSlug: SQL = sql`''`): SQL {
  const bases = SUFFIXES.map(
    length => sql`iif(substr(${slug}, -${literal(length)}, 11) GLOB ${DATE}
        AND substr(${slug}, length(${slug}) - ${literal(length - 13)}) NOT GLOB '*[^0-9]*',
      substr(${slug}, 1, length(${slug}) - ${literal(length)}), NULL)`,
  )
  return sql`(${seriesSlugSql(slug)} OR EXISTS (SELECT 1 FROM ${series} AS other
    WHERE other.slug IN (${sql.join(bases, sql`, `)}) AND other.slug <> ${ownSlug} AND other.status <> 'trash'))`
}

/** The slug that a series asks for, shortened to leave space for the dates of its occurrences. */
export const seriesSlug = (wanted: string): string =>
  wanted.slice(0, MAX_SLUG_LENGTH - SUFFIX_ROOM).replace(/(?<!-)-+$/, '') || 'event'

/**
 * A query for the slugs that new series get, in order. Series that have the same slug in their source share
 * it here as well, because they are parts of a divided series.
 *
 * @param wantedSlugs the slugs that the series ask for, and whether their source names them
 */
export const selectSeriesSlugs = (
  wantedSlugs: readonly { slug: string; isNamed: boolean }[],
  source: string,
): Query<string[]> => {
  const ranks = new Map<string, number>()
  const rows = wantedSlugs.map(({ slug, isNamed }) => {
    const base = seriesSlug(slug)
    const rank = ranks.get(base) ?? 0
    ranks.set(base, rank + 1)
    return { base, named: Number(isNamed), rank }
  })
  const inputBase = inputValue('base')
  const ofOthers = sql`SELECT 1 FROM ${series} AS other WHERE other.slug = ${inputBase} AND NOT EXISTS (
    SELECT 1 FROM ${imports} INDEXED BY imports_target WHERE kind = 'series' AND target_id = other.id AND source = ${source})`
  const sharedSql = sql`${inputValue('named')} AND NOT EXISTS (SELECT 1 FROM ${events} WHERE slug = ${inputBase})
    AND NOT EXISTS (${ofOthers}) AND (${seriesSlugSql(inputBase)} OR NOT ${usedBySeriesSql(inputBase)})`
  const free = freeSlug(events, inputBase, { usedElsewhere: usedBySeriesSql, rank: inputValue('rank') })
  return combineQueries(
    jsonBatches(rows).map(json =>
      many(
        sql`SELECT iif(${sharedSql}, ${inputBase}, ${free}) AS slug FROM json_each(${json}) AS input ORDER BY input.key`,
        row => readText(row.slug),
      ),
    ),
    batches => batches.flat(),
  )
}

/** The first free slug of an occurrence. @param base an expression */
export const occurrenceSlug = (base: SQL, except?: SQL): SQL =>
  freeSlug(events, base, { usedElsewhere: seriesSlugSql, ...(except !== undefined && { except }) })

// Former addresses, by slug and by id, of rows that were merged into others. They lead to the surviving row,
// whatever its name is by then. A row that has taken the slug since has precedence: requests look here only
// if an address leads nowhere else.

type MergedKind = (typeof formerSlugs.kind.enumValues)[number]

type FormerKey<T> = { id: T } | { slug: T }

/**
 * A SELECT from the row that a former address leads to.
 * @param readableSql a condition for rows of the table
 */
const fromSurvivor = (
  columns: SQL,
  kind: MergedKind,
  key: FormerKey<unknown>,
  table: Sluggable,
  readableSql: SQL,
): SQL =>
  sql`SELECT ${columns} FROM ${table} WHERE ${table.id} = (SELECT target_id FROM ${formerSlugs}
    WHERE kind = ${kind} AND ${'id' in key ? sql`former_id = ${key.id}` : sql`slug = ${key.slug}`}) AND ${readableSql}`

/** An expression for the id of the row that a former address leads to; null if there is none. */
export const survivorOf = (kind: MergedKind, key: FormerKey<SQL>, table: Sluggable, readableSql: SQL): SQL =>
  sql`(${fromSurvivor(sql`${table.id}`, kind, key, table, readableSql)})`

/** The present address of a merged row. */
export type Survivor = { id: number; slug: string }

/** A query for the row that a former address leads to. */
export const selectSurvivor = (
  kind: MergedKind,
  key: FormerKey<unknown>,
  table: Sluggable,
  readableSql: SQL,
): Query<Survivor | undefined> =>
  first(fromSurvivor(sql`${table.id} AS id, ${table.slug} AS slug`, kind, key, table, readableSql), {
    id: readNumber,
    slug: readText,
  })

/**
 * The statements that redirect the addresses of a row to the row into which it is merged, along with all
 * addresses that led to the merged row.
 *
 * @param isPublic false if nobody else knew the merged row's address, which then leads nowhere
 */
export const redirectionStatements = (
  kind: MergedKind,
  { id, slug, isPublic }: Survivor & { isPublic: boolean },
  into: number,
): Statement[] => [
  build
    .update(formerSlugs)
    .set({ target_id: into })
    .where(and(eq(formerSlugs.kind, kind), eq(formerSlugs.target_id, id))),
  ...(isPublic
    ? [
        // The row that had this slug before is still found by its id, since no slug begins with a space.
        build
          .update(formerSlugs)
          .set({ slug: sql`' ' || former_id` })
          .where(and(eq(formerSlugs.kind, kind), eq(formerSlugs.slug, slug), gt(formerSlugs.former_id, 0))),
        build
          .insert(formerSlugs)
          .values({ kind, slug, former_id: id, target_id: into })
          .onConflictDoUpdate({
            target: [formerSlugs.kind, formerSlugs.slug],
            set: { former_id: id, target_id: into },
          }),
      ]
    : []),
]
