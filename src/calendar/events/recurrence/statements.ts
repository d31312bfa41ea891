import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { WriteContext } from '../../../kit/context.ts'
import {
  inputValue,
  jsonBatches,
  newestId,
  resolvedId,
  resolvedIds,
  rowUpdateStatements,
} from '../../../kit/db/bulk.ts'
import { TEXT_FIELDS } from '../../../kit/db/event-expressions.ts'
import { inList, type Statement } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { events, series, seriesOrganizers, seriesTerms, seriesVenues } from '../../../kit/db/tables.ts'
import { mergedFields, typedKeys } from '../../../kit/lib/values.ts'
import {
  afterCopyStatements,
  afterNewDatesStatements,
  beforeDeletionStatements,
} from '../../content/dependents.ts'
import { freeSlug, occurrenceSlug, usedBySeriesSql } from '../../content/slugs.ts'
import { publishedSql } from '../../content/visibility.ts'
import {
  entryStatements,
  type Numbered,
  type PreparedRow,
  rowStatements,
  type SlugRule,
} from '../../content/writes.ts'
import type { Relations } from '../relations/fields.ts'
import {
  linkCopyStatements,
  linkReplacementStatements,
  linksOf,
  relationStatements,
} from '../relations/links.ts'
import { eventRemovalStatements } from '../resource.ts'
import type { FieldName } from '../schema.ts'
import { occurrenceTextStatements, seriesTextStatements } from '../search.ts'
import { ALL_COPIED, copiedColumns, detachedSql, TIMES } from '../shared-fields.ts'
import type { DatesToWrite, OccurrenceChange } from './occurrences.ts'

export type PreparedSeries = PreparedRow<typeof series> & {
  relations: Relations
  /** The row from which a new series gets its links: another series, or the event that is repeated. */
  linksFrom?: { series: number } | { event: number }
  /** The title, description and excerpt for searches, if they may have changed. */
  texts?: Readonly<Record<string, unknown>> | undefined
  /** The fields that stored dates get from the series, unless they are detached. */
  follows?: readonly FieldName[]
  dates?: DatesToWrite
  /**
   * True for a series that is divided: the new series of the same write has the changed values, and its entry
   * in the audit records the change.
   */
  isDivided?: boolean
  /** True if one of the dates becomes a single event. */
  losesDate?: boolean
}

type Rows = readonly Numbered<PreparedSeries>[]

const SERIES = { table: series, singular: 'series', plural: 'series' } as const

/**
 * The statements that write the rows of series. The statements for their dates follow, after those for rows
 * of events.
 */
export function seriesStatements(context: WriteContext, rows: Rows): Statement[] {
  const owners = rows.map(({ id, stored, linksFrom, relations }) => ({
    id,
    relations,
    isNew: !stored && !linksFrom,
  }))
  return rows.length === 0
    ? []
    : [
        ...rowStatements(context, { resource: SERIES, slugRule }, rows),
        ...rows.flatMap(({ linksFrom }) =>
          linksFrom && 'series' in linksFrom
            ? [
                ...linkCopyStatements(
                  'series',
                  'series',
                  sql`SELECT ${newestSeriesId} AS id, ${linksFrom.series} AS other`,
                ),
                ...afterCopyStatements('series', { from: sql`${linksFrom.series}`, to: newestSeriesId }),
              ]
            : [],
        ),
        ...relationStatements(context, 'series', owners),
        ...entryStatements(context, SERIES, rows, linksOf('series')),
        ...seriesTextStatements(rows.flatMap(({ id, texts }) => (texts ? [{ ...texts, id }] : []))),
      ]
}

/**
 * Series share their slugs with events. The owner is the event that is repeated, whose own slug counts as
 * free.
 */
const slugRule: SlugRule = ({ wanted, rank, owner }) =>
  freeSlug(events, wanted, { rank, except: owner, usedElsewhere: usedBySeriesSql })

const newestSeriesId = newestId(series)

/**
 * The statements that write the dates of series, after the rows of these series.
 *
 * @param alsoSettled ids of other series in which dates have changed their status
 */
export function dateStatements(
  context: WriteContext,
  rows: Rows,
  alsoSettled: readonly number[],
): Statement[] {
  const followedSeries = rows.filter(({ stored, linksFrom }) => stored || linksFrom)
  const settledIds = rows.flatMap(({ id, dates }) => (dates?.update || dates?.remove ? [id] : []))
  return [
    ...rows.flatMap(dateChangeStatements),
    ...[...Map.groupBy(followedSeries, ({ follows = [] }) => follows.join()).values()].flatMap(
      followingStatements,
    ),
    ...rows.flatMap(newDateStatements),
    ...rows.flatMap(({ dates }) => (dates?.remove?.length ? eventRemovalStatements(dates.remove) : [])),
    ...statusStatements(context, [...new Set([...settledIds, ...alsoSettled])]),
    ...rows.flatMap(({ id, dates }) => (dates?.remove ? emptySeriesRemovalStatements(id) : [])),
  ]
}

function dateChangeStatements({
  id,
  linksFrom,
  follows = [],
  dates: { update = [], own = [], swapsDates = false } = {},
}: Numbered<PreparedSeries>): Statement[] {
  const parts = PART_NAMES.filter(part => update.some(change => change[part] !== undefined))
  return [
    ...(linksFrom && 'event' in linksFrom
      ? linkCopyStatements(
          'event',
          'series',
          sql`SELECT ${newestSeriesId} AS id, ${linksFrom.event} AS other`,
        )
      : []),
    ...rowUpdateStatements(events, own),
    ...(swapsDates ? datesAsideStatements(update.map(({ id: updated }) => updated)) : []),
    ...jsonBatches(update).map(
      json => sql`${dateUpdate(follows, parts, linksFrom !== undefined)} ${fromSeries(json, id)}
        WHERE ${events.id} = ${inputValue('id')}`,
    ),
  ]
}

/**
 * The statements that copy new values of series to their stored dates.
 * @param rows series whose dates follow the same fields
 */
function followingStatements(rows: Rows): Statement[] {
  const [{ follows = [] } = {}] = rows
  if (follows.length === 0) return []
  const texts = follows.some(name => TEXT_FIELDS.includes(name))
    ? rows.flatMap(({ id, texts }) => (texts ? [{ ...texts, id }] : []))
    : []
  // Callers that write the stored dates as rows of their own leave out dates in the trash.
  const otherIds = rows.flatMap(({ id, dates }) => (dates ? [] : [id]))
  const ids = resolvedIds(
    series,
    rows.map(({ id }) => id),
  )
  return [
    ...(otherIds.length > 0 ? [trashedDateUpdateStatement(otherIds, follows)] : []),
    ...linkReplacementStatements(name => datesOfSeries(ids, sql`NOT ${detachedSql(name)}`), follows),
    ...occurrenceTextStatements(texts),
  ]
}

function newDateStatements({
  id,
  stored,
  linksFrom,
  dates: { insert = [] } = {},
}: Numbered<PreparedSeries>): Statement[] {
  if (insert.length === 0) return []
  const seriesId = resolvedId(series, sql`${id}`)
  const newSql = sql`occurrence_date IN ${inList(insert.map(({ occurrence_date }) => occurrence_date))}`
  return [
    ...jsonBatches(insert).map(
      json => sql`${dateInsertion} ${fromSeries(json, id)}
        WHERE NOT EXISTS (SELECT 1 FROM ${events} WHERE series_id = ${series.id}
          AND occurrence_date = ${inputValue('occurrence_date')})`,
    ),
    ...linkCopyStatements('series', 'event', datesOfSeries(resolvedIds(series, [id]), newSql)),
    ...(stored || linksFrom
      ? afterNewDatesStatements({
          series: seriesId,
          dates: sql`(SELECT id FROM ${events} WHERE series_id = ${seriesId} AND ${newSql})`,
        })
      : []),
  ]
}

/** A SELECT of dates of some series, for `linkCopyStatements`. */
const datesOfSeries = (ids: SQL, condition: SQL): SQL =>
  sql`SELECT id, series_id AS other FROM ${events} WHERE series_id IN ${ids} AND ${condition}`

/**
 * Moves dates aside for a moment, because a series may have each date only once even while its dates move.
 */
export const datesAsideStatements = (ids: readonly number[]): Statement[] =>
  ids.length === 0
    ? []
    : [
        build
          .update(events)
          .set({ occurrence_date: sql`'-' || occurrence_date` })
          .where(inArray(events.id, inList(ids))),
      ]

// SQL copies shared columns from the row of the series. With all columns of each date in JSON, the statements
// of 600 dates take 13 ms of CPU instead of one (Node, first quartile of 100), and the free plan allows ten.

const TIME_COLUMNS = ['start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'timezone_abbr'] as const

const fromSeries = (json: string, id: number): SQL =>
  sql`FROM json_each(${json}) AS input CROSS JOIN ${series} ON ${series.id} = ${resolvedId(series, sql`${id}`)}`

const NEW_COLUMNS: Readonly<Record<string, SQL>> = {
  ...Object.fromEntries(ALL_COPIED.map(name => [name, sql`${series[name]}`])),
  ...Object.fromEntries(['status', 'occurrence_date', ...TIME_COLUMNS].map(name => [name, inputValue(name)])),
  series_id: sql`${series.id}`,
  external_id: sql`iif(${inputValue('occurrence_date')} = ${series.start_date}, ${series.external_id}, '')`,
  slug: occurrenceSlug(sql`(${series.slug} || '-' || ${inputValue('suffix')})`),
}

const dateInsertion = sql`INSERT INTO ${events} (${sql.raw(Object.keys(NEW_COLUMNS).join(', '))})
  SELECT ${sql.join(Object.values(NEW_COLUMNS), sql`, `)}`

const ownSlug = sql`CASE
  WHEN ${inputValue('suffix')} IS NOT NULL
    THEN ${occurrenceSlug(sql`(${series.slug} || '-' || ${inputValue('suffix')})`, inputValue('id'))}
  WHEN ${inputValue('slug')} IS NOT NULL THEN ${occurrenceSlug(sql`(${inputValue('slug')})`, inputValue('id'))}
  ELSE ${events.slug} END`

/**
 * The columns that each part of a change sets, for all dates if any date has that part. Columns that are not
 * set cost no rows of indexes: a new title for 600 dates writes 3,610 rows instead of 7,210.
 */
const COLUMNS_OF_PARTS = {
  version: { version: sql`${inputValue('version')} + 1` },
  status: { status: sql`coalesce(${inputValue('status')}, ${events.status})` },
  external_id: { external_id: sql`coalesce(${inputValue('external_id')}, ${events.external_id})` },
  times: Object.fromEntries([
    ...TIME_COLUMNS.map(
      name => [name, sql`coalesce(${inputValue(`times.${name}`)}, ${events[name]})`] as const,
    ),
    ...(['timezone', 'all_day'] as const).map(
      name => [name, sql`iif(${inputValue('times')} IS NULL, ${events[name]}, ${series[name]})`] as const,
    ),
  ]),
  // Imports don't say when a date with a start of its own was before, and after the change the rule doesn't
  // either.
  startByRule: {
    previous_utc_start_date: sql`coalesce(nullif(${events.previous_utc_start_date}, ''), ${inputValue('startByRule')}, '')`,
  },
  slug: { slug: ownSlug },
  suffix: { slug: ownSlug },
} satisfies { [part in keyof OccurrenceChange]?: Readonly<Record<string, SQL>> }

const PART_NAMES = typedKeys(COLUMNS_OF_PARTS)

const assignments = (columns: Readonly<Record<string, SQL>>): SQL =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`),
    sql`, `,
  )

/** @param isOther true if the dates did not belong to this series before */
function dateUpdate(
  follows: readonly FieldName[],
  parts: readonly (keyof typeof COLUMNS_OF_PARTS)[],
  isOther: boolean,
): SQL {
  const moves = isOther || TIMES.some(name => follows.includes(name))
  const columns: Readonly<Record<string, SQL>> = {
    modified: sql`${series.modified}`,
    modified_utc: sql`${series.modified_utc}`,
    ...(isOther && { series_id: sql`${series.id}` }),
    ...(moves && { occurrence_date: inputValue('occurrence_date') }),
    ...mergedFields<SQL>(parts.map(part => COLUMNS_OF_PARTS[part])),
    ...copiedValues(follows),
  }
  return sql`UPDATE ${events} SET ${assignments(columns)}`
}

/** The columns of fields, with the expressions by which stored dates get them from their series. */
const copiedValues = (names: readonly FieldName[]): Record<string, SQL> =>
  Object.fromEntries(
    [...copiedColumns(names)].map(([column, name]) => [
      column,
      sql`iif(${detachedSql(name)}, ${events[column]}, ${series[column]})`,
    ]),
  )

const trashedDateUpdateStatement = (ids: readonly number[], names: readonly FieldName[]): SQL =>
  sql`UPDATE ${events} SET ${assignments(copiedValues(names))} FROM ${series}
    WHERE ${series.id} IN ${inList(ids)} AND ${events.series_id} = ${series.id} AND ${events.status} = 'trash'`

/**
 * The statements after a write that may give dates another status than their series has. A series without a
 * public date must not be public, because users who may only change unpublished content, and the cron, would
 * publish through it. If all dates share a status, the series gets it as well.
 *
 * A series in the trash stays there. The series does not exclude its dates one by one, so restoring it would
 * restore all of them.
 */
function statusStatements({ clock }: WriteContext, ids: readonly number[]): Statement[] {
  if (ids.length === 0) return []
  const fromLiveDates = sql`FROM ${events} WHERE ${events.series_id} = ${series.id} AND ${events.status} <> 'trash'`
  const eventPublicSql = publishedSql(events, clock.now())
  const seriesPublicSql = publishedSql(series, clock.now())
  const status = sql`CASE
    WHEN EXISTS (SELECT 1 ${fromLiveDates} AND ${eventPublicSql})
      THEN iif(${seriesPublicSql} OR EXISTS (SELECT 1 ${fromLiveDates} AND NOT ${eventPublicSql}), ${series.status}, 'publish')
    ELSE coalesce(
      (SELECT min(${events.status}) ${fromLiveDates}
        HAVING min(${events.status}) = max(${events.status}) AND min(${events.status}) <> 'future'),
      iif(${seriesPublicSql}, 'draft', ${series.status}))
    END`
  return [
    build
      .update(series)
      .set({ status, version: sql`version + 1` })
      .where(
        sql`${series.id} IN ${resolvedIds(series, ids)}
        AND ${series.status} <> 'trash' AND ${series.status} <> ${status}`,
      ),
  ]
}

/** The statements that delete a series that has no dates and gets no more. */
function emptySeriesRemovalStatements(id: number): Statement[] {
  const emptySql = sql`NOT EXISTS (SELECT 1 FROM ${events} WHERE series_id = ${id})
    AND EXISTS (SELECT 1 FROM ${series} WHERE id = ${id} AND extend_from IS NULL)`
  return [
    ...beforeDeletionStatements('series', sql`(SELECT id FROM ${series} WHERE id = ${id} AND ${emptySql})`),
    ...[seriesVenues, seriesOrganizers, seriesTerms].map(links =>
      build.delete(links).where(and(eq(links.series_id, id), emptySql)),
    ),
    build.delete(series).where(and(eq(series.id, id), emptySql)),
  ]
}
