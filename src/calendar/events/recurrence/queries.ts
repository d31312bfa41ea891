import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, CalendarContext } from '../../../kit/context.ts'
import { columnList, decodeRow, type RowOf } from '../../../kit/db/columns.ts'
import { movedSql } from '../../../kit/db/event-expressions.ts'
import {
  combineQueries,
  first,
  literal,
  many,
  mapQuery,
  orNull,
  type Query,
  type RawRow,
  readIds,
  readNumber,
  readText,
  resolvedQuery,
} from '../../../kit/db/query.ts'
import { events, images, series } from '../../../kit/db/tables.ts'
import { ApiError } from '../../../kit/lib/errors.ts'
import type { StoredImage } from '../../../kit/lib/images/formats.ts'
import {
  extendFrom,
  headOf,
  horizonOf,
  type Pattern,
  patternIn,
  tailOf,
} from '../../../kit/lib/recurrence/pattern.ts'
import { mayEdit } from '../../../kit/lib/roles.ts'
import { statusAt } from '../../../kit/lib/statuses.ts'
import type { DateTime } from '../../../kit/lib/time.ts'
import { pick, textsOf } from '../../../kit/lib/values.ts'
import { protectionColumn } from '../../content/dependents.ts'
import { imageJoin } from '../../content/images.ts'
import { modifiedNow } from '../../content/publication.ts'
import { selectOncePublic } from '../../content/visibility.ts'
import { selectPlainEvents } from '../queries.ts'
import type { LinkCounts, Scope } from '../recurrence-fields.ts'
import { RELATIONS, type RelationName } from '../relations/fields.ts'
import { linksOf, type NewLinks, NO_NEW_LINKS, selectNewLinks } from '../relations/links.ts'
import type { PlainEventRow } from '../rows.ts'
import type { EventValues } from '../schema.ts'
import { detachedSql } from '../shared-fields.ts'
import type { StoredOccurrence } from './occurrences.ts'

export const allSeriesColumns = getTableColumns(series)

/** A series, with its dates read from JSON. */
export type SeriesRow = Omit<RowOf<typeof allSeriesColumns>, 'rdate' | 'exdate'> &
  Pick<Pattern, 'rdate' | 'exdate'>

/** The ids of an event's relations, in order, and its image. */
type StoredRelations = Record<RelationName, number[]> & {
  image: Pick<StoredImage, 'url' | 'width' | 'height'> | null
}

/** The fields that the calendar itself writes into an event for which people register. */
export const TICKET_FIELDS = ['ticketed', 'ticket_availability'] as const

type StoredSeries = SeriesRow & {
  /** All occurrences, if the write may affect several. */
  occurrences: readonly StoredOccurrence[]
}

export type StoredEvent = PlainEventRow & {
  /** Null for single events. */
  series: StoredSeries | null
  /** Undefined for a deletion, which compares no relations. */
  relations?: StoredRelations | undefined
  /**
   * True if lists have ever shown the event or, if the write may affect several, a date of its series. Only
   * for writes of a title.
   */
  wasPublic?: boolean
  /**
   * Of this event and the dates of its series, the ids of those whose {@link TICKET_FIELDS} follow from who
   * has registered. Only for writes of these fields.
   */
  idsWithDerivedTickets?: readonly number[]
  /**
   * The venues and organizers that are published along with the event or, if the write may affect several,
   * with dates of its series. Only for writes of its publication.
   */
  newLinks?: readonly NewLinks[]
  /** The number of its links, or of its series' links, if the write may affect several occurrences. */
  links?: LinkCounts | undefined
}

/** An occurrence with its series. Every event that has a series has a date in it. */
export type EventOfSeries = StoredEvent & { series: StoredSeries; occurrence_date: DateTime }

/** True if an update affects occurrences other than the named one. */
export const isSeriesWide = ({ scope = 'this', recurrence }: EventValues): boolean =>
  scope !== 'this' || recurrence !== undefined

/**
 * The scope of a write. A change of the recurrence affects all occurrences unless the client says otherwise.
 */
export const scopeOf = ({ scope, recurrence }: EventValues): Scope =>
  scope ?? (recurrence === undefined ? 'this' : 'all')

export const selectSeries = (condition: SQL): Query<SeriesRow[]> =>
  many(sql`SELECT ${columnList(allSeriesColumns)} FROM ${series} WHERE ${condition}`, decodeSeries)

export function decodeSeries(raw: RawRow): SeriesRow {
  const row = decodeRow(allSeriesColumns, raw)
  return { ...row, rdate: textsOf(row.rdate), exdate: textsOf(row.exdate) }
}

export const patternColumns = ({ rdate, exdate, ...columns }: Pattern) => ({
  ...columns,
  rdate: JSON.stringify(rdate),
  exdate: JSON.stringify(exdate),
})

/** The columns of a series that gets a pattern whose occurrences exist up to the horizon. */
export const columnsWith = (context: CalendarContext, pattern: Pattern) => ({
  ...patternColumns(pattern),
  ...modifiedNow(context),
  extend_from: extendFrom(pattern, horizonOf(pattern, context.clock.now())),
})

const OCCURRENCE_COLUMNS = {
  ...pick(
    events,
    'id',
    'version',
    'sequence_offset',
    'author_id',
    'status',
    'slug',
    'date_utc',
    'occurrence_date',
  ),
  ...pick(events, 'start_date', 'all_day', 'detached'),
}

/** Selects the occurrences of series, including those in the trash. @param ids a SELECT of ids of series */
export const selectOccurrences = (ids: SQL): Query<StoredOccurrence[]> =>
  many(
    sql`SELECT ${columnList(OCCURRENCE_COLUMNS)} FROM ${events} WHERE ${events.series_id} IN (${ids})
      ORDER BY ${events.occurrence_date}`,
    raw => {
      const row = decodeRow(OCCURRENCE_COLUMNS, raw)
      return { ...row, occurrence_date: row.occurrence_date ?? '', detached: textsOf(row.detached) }
    },
  )

const LINKS = linksOf('event', sql`${events.id}`)
const SERIES_LINKS = linksOf('series', sql`${events.series_id}`)

/** A list of columns for each relation. @param column an expression, made from the name of the relation */
const relationColumns = (column: (name: (typeof RELATIONS)[number]) => SQL): SQL =>
  sql.join(
    RELATIONS.map(name => sql`${column(name)} AS ${sql.identifier(name)}`),
    sql`, `,
  )

/** Selects the relations of events, by id. @param ids a SELECT of ids of events */
export const selectRelations = (ids: SQL): Query<ReadonlyMap<number, StoredRelations>> =>
  mapQuery(
    many(
      sql`SELECT ${events.id} AS id, ${relationColumns(name => LINKS[name])}, ${images.url} AS url, ${images.width} AS width,
        ${images.height} AS height FROM ${events} ${imageJoin(events.image_id)} WHERE ${events.id} IN (${ids})`,
      readRelations,
    ),
    rows => new Map(rows),
  )

const readRelations = ({ id, url, width, height, ...ids }: RawRow): [number, StoredRelations] => [
  readNumber(id),
  {
    venue: readIds(ids.venue),
    organizer: readIds(ids.organizer),
    categories: readIds(ids.categories),
    tags: readIds(ids.tags),
    image:
      url === null
        ? null
        : { url: readText(url), width: orNull(readNumber)(width), height: orNull(readNumber)(height) },
  },
]

const LINK_COUNTS = relationColumns(
  name => sql`json_array_length(iif(${events.series_id} IS NULL, ${LINKS[name]}, ${SERIES_LINKS[name]}))`,
)

/**
 * Counts the links of an event's series, or of the event itself if it is a single event.
 * @param condition names the event
 */
const selectLinkCounts = (condition: SQL): Query<LinkCounts | undefined> =>
  first(sql`SELECT ${LINK_COUNTS} FROM ${events} WHERE ${condition}`, {
    venue: readNumber,
    organizer: readNumber,
    categories: readNumber,
    tags: readNumber,
  })

/**
 * A condition for dates that become public with their series, including those that come back from the trash.
 */
export const publishedWithSeriesSql = sql`(NOT ${detachedSql('status')} AND ${events.status} NOT IN ('publish', 'future')
  AND (${events.status} <> 'trash'
  OR instr((SELECT exdate FROM ${series} WHERE id = ${events.series_id}), ${events.occurrence_date}) = 0))`

/** A condition for dates with values of their own. */
export const ownValuesSql = sql`(${events.detached} NOT IN ('[]', '["status"]') OR ${events.external_id} <> '')`

/**
 * Selects the ids of events whose {@link TICKET_FIELDS} follow from who has registered.
 *
 * @param condition names the events
 * @param ofSeries true for all dates of their series, too
 */
function selectWithDerivedTickets(condition: SQL, ofSeries: boolean): Query<number[]> {
  const dates = sql`SELECT date.id FROM ${events} AS date
    WHERE date.series_id IN (SELECT ${events.series_id} FROM ${events} WHERE ${condition})`
  return many(
    sql`SELECT id, ${protectionColumn(sql`events`)} FROM ${events}
      WHERE id IN (SELECT ${events.id} FROM ${events}
      WHERE ${condition} ${ofSeries ? sql`UNION ALL ${dates}` : sql``}) AND protection IS NOT NULL`,
    row => readNumber(row.id),
  )
}

/**
 * A SELECT of the ids of dates with values of their own that become public with their series.
 *
 * @param condition names a date
 * @param isFollowing true for this date and the later ones
 */
const datesPublishedWithSeries = (condition: SQL, isFollowing: boolean): SQL =>
  sql`SELECT ${events.id} FROM ${events} WHERE ${events.series_id} IN (SELECT named.series_id FROM (
      SELECT ${events.series_id}, ${events.occurrence_date} FROM ${events} WHERE ${condition}) AS named
      ${isFollowing ? sql`WHERE ${events.occurrence_date} >= named.occurrence_date` : sql``})
    AND ${publishedWithSeriesSql} AND ${ownValuesSql}`

/** Selects events for updates, with their series if they are occurrences. */
export function selectStored(
  { caller }: BaseContext,
  condition: SQL,
  values: readonly EventValues[],
): Query<StoredEvent[]> {
  const ofSeries = sql`SELECT ${events.series_id} FROM ${events} WHERE ${condition}`
  // A write that may affect several occurrences names one event.
  const affectsMany = values.some(isSeriesWide)
  const isFollowing = values.some(({ scope }) => scope === 'following')
  const furtherDates = sql`UNION ${datesPublishedWithSeries(condition, isFollowing)}`
  const sameSeries = sql`SELECT ${events.id} AS id UNION ALL
    SELECT date.id FROM ${events} AS date WHERE date.series_id = ${events.series_id}`
  const parts = combineQueries({
    rows: selectPlainEvents(condition),
    series: selectSeries(sql`${series.id} IN (${ofSeries})`),
    relations: selectRelations(sql`SELECT ${events.id} FROM ${events} WHERE ${condition}`),
    // A title may change the slug of an event that nobody has seen yet.
    oncePublic: values.some(({ title }) => title !== undefined)
      ? selectOncePublic({ table: events, plural: 'events' }, condition, affectsMany ? sameSeries : undefined)
      : resolvedQuery([]),
    idsWithDerivedTickets: values.some(
      ({ ticketed, ticket_availability }) => (ticketed ?? ticket_availability) !== undefined,
    )
      ? selectWithDerivedTickets(condition, affectsMany)
      : resolvedQuery<number[]>([]),
    newLinks: values.some(({ status, date, date_utc }) => (status ?? date ?? date_utc) !== undefined)
      ? selectNewLinks(
          sql`SELECT ${events.id} FROM ${events} WHERE ${condition} ${affectsMany ? furtherDates : sql``}`,
        )
      : resolvedQuery<ReadonlyMap<number, NewLinks>>(new Map()),
    occurrences: affectsMany ? selectOccurrences(ofSeries) : resolvedQuery<StoredOccurrence[]>([]),
    links: affectsMany ? selectLinkCounts(condition) : resolvedQuery(undefined),
  })
  return mapQuery(
    parts,
    ({
      rows,
      series: seriesRows,
      relations,
      oncePublic,
      idsWithDerivedTickets,
      newLinks,
      occurrences,
      links,
    }) => {
      const byId = new Map(seriesRows.map(row => [row.id, row]))
      // Users may not change tickets that follow from who has registered. The calendar itself, whose id is 0,
      // writes them.
      const ticketIds = caller.id === 0 ? [] : idsWithDerivedTickets
      return rows.map(event => {
        const row = event.series_id === null ? undefined : byId.get(event.series_id)
        return {
          ...event,
          series: row && event.occurrence_date !== null ? { ...row, occurrences } : null,
          relations: relations.get(event.id),
          wasPublic: oncePublic.includes(event.id),
          idsWithDerivedTickets: ticketIds,
          newLinks: affectsMany ? [...newLinks.values()] : [newLinks.get(event.id) ?? NO_NEW_LINKS],
          links,
        }
      })
    },
  )
}

/** The part of a series that a change affects. */
export function seriesPart({ series, occurrence_date }: EventOfSeries, isWhole: boolean): SeriesPart {
  const pattern = patternIn(series)
  const { occurrences } = series
  const laterOccurrences = occurrences.filter(other => other.occurrence_date >= occurrence_date)
  if (isWhole || laterOccurrences.length === occurrences.length) return { pattern, occurrences }
  return {
    pattern: tailOf(pattern, occurrence_date),
    occurrences: laterOccurrences,
    head: headOf(pattern, occurrence_date),
  }
}

export type SeriesPart = {
  pattern: Pattern
  occurrences: readonly StoredOccurrence[]
  /** The dates before the part, if it is not the whole series. */
  head?: Pattern
}

/**
 * Checks the caller's rights to the series as well, because new occurrences get its status, and other
 * occurrences show its texts.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change the series and all of the occurrences
 */
export function assertMayEditAll(
  { caller, clock }: BaseContext,
  series: SeriesRow,
  occurrences: readonly StoredOccurrence[],
): void {
  if ([series, ...occurrences].every(row => mayEdit(caller, { ...row, status: statusAt(row, clock.now()) })))
    return
  throw new ApiError(
    'rest_forbidden',
    `The role ${caller.role} may not change all occurrences of this series.`,
  )
}

/** The dates of series that start nearest to a moment, on one side of it. */
export type Nearest = {
  /** A table or SELECT of the ids of series as `id`. */
  wantedSeries: SQL
  side: 'before' | 'after'
  /** The moment, UTC. */
  moment: SQL
  /** The most dates to take of each series. */
  limit: number
  condition: SQL
}

/**
 * A moment after all dates, for {@link nearestDates}, which adds a day to it. SQLite knows no day after the
 * year 9999.
 */
export const LAST_MOMENT = sql`'9999-12-30 00:00:00'`

/**
 * A SELECT of dates as `series`, `id`, `start` and `end`: the nearest that are where their rule has them, and
 * the nearest of the few that were moved, since each of the two kinds has an index.
 */
export function nearestDates({ wantedSeries, side, moment, limit, condition }: Nearest): SQL {
  const [sign, order, slack] =
    side === 'after' ? [sql`>`, sql`ASC`, sql`'-1 day'`] : [sql`<`, sql`DESC`, sql`'+1 day'`]
  const movedDateSql = sql.raw(movedSql)
  const idsOf = (index: SQL, ofIndexSql: SQL, orderColumn: SQL) => sql`SELECT id FROM (
    SELECT id FROM ${events} INDEXED BY ${index}
    WHERE ${events.series_id} = wanted.id AND utc_start_date ${sign} ${moment} AND ${condition} AND ${ofIndexSql}
    ORDER BY ${orderColumn} ${order} LIMIT ${literal(limit)})`
  // The dates of rules are by the clock of the series' zone, which is less than a day from UTC.
  const nearSql = sql`occurrence_date ${sign}= coalesce(datetime(${moment}, ${slack}), '')`
  const unmovedIds = idsOf(
    sql`events_occurrence`,
    sql`${nearSql} AND NOT (${movedDateSql})`,
    sql`occurrence_date`,
  )
  const movedIds = idsOf(sql`events_moved`, movedDateSql, sql`utc_start_date`)
  return sql`SELECT found.series_id AS series, found.id AS id, utc_start_date AS start, utc_end_date AS end
    FROM ${wantedSeries} AS wanted CROSS JOIN ${events} AS found ON found.id IN (${unmovedIds} UNION ALL ${movedIds})`
}
