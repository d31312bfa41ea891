import { type Param, type SQL, sql } from 'drizzle-orm'
import { type Facet, listingCounts, listings, periodDays } from '../../../kit/db/derived.ts'
import { DAY_MS, type DateTime, dayNumber, formatInstant, toEpoch } from '../../../kit/lib/time.ts'
import { type Overlap, overlappingRows } from '../../content/visibility.ts'
import {
  END_OF_TIME,
  type Interval,
  isEmptyInterval,
  lowerBoundOfStarts,
  START_OF_TIME,
  upperBoundOfStarts,
} from '../interval.ts'

/**
 * A listing in the table `listings`: all events, or those of a term, venue, organizer … The column `facet`
 * names its index.
 */
export type Listing = { facet: Facet; target: SQL }

export const ALL_EVENTS: Listing = { facet: 'event', target: sql`0` }

const ofListingSql = ({ facet, target }: Listing): SQL => sql`facet = ${facet} AND target_id = ${target}`

/** A row with an event, for conditions. */
export type EventColumns = { start: SQL; end: SQL; id: SQL }

const eventColumnsIn = (name: SQL): EventColumns => ({
  start: sql`${name}.utc_start_date`,
  end: sql`${name}.utc_end_date`,
  id: sql`${name}.event_id`,
})

export const LISTED_COLUMNS = eventColumnsIn(sql`listings`)

export const BEGUN_COLUMNS = eventColumnsIn(sql`begun`)

/** The columns for events of several targets, leaving out the events of the largest target. */
export const REST_COLUMNS = eventColumnsIn(sql`rest`)

/** A condition for rows whose event is in another listing. */
export const alsoListedSql = ({ facet, target }: Listing, { start, id }: EventColumns): SQL =>
  sql`EXISTS (SELECT 1 FROM listings AS other WHERE other.facet = ${facet} AND other.target_id = ${target}
    AND other.utc_start_date = ${start} AND other.event_id = ${id})`

/**
 * A FROM clause of the events of a listing, as `begun`, that start before a moment and end at or after
 * another moment.
 */
const overlappingIn = (listing: Listing, bounds: Overlap): SQL =>
  sql`${overlappingRows(bounds)} AS begun WHERE ${listing.facet === 'event' ? sql`1` : alsoListedSql(listing, BEGUN_COLUMNS)}`

// Periods are numbered from the beginning of the year 1 on (kit/db/triggers/listings.sql).

const DAY_ONE = dayNumber(START_OF_TIME)

/** The number of a period, with the part of it that a moment has reached. */
const periodAt = (facet: Facet, moment: DateTime): number =>
  ((moment === END_OF_TIME ? Date.UTC(10_000, 0) : toEpoch(moment)) / DAY_MS - DAY_ONE) / periodDays(facet)

const startOfPeriod = (facet: Facet, period: number): DateTime =>
  formatInstant((period * periodDays(facet) + DAY_ONE) * DAY_MS)

/**
 * The first and the last period in which events of an interval may start, except for events that are already
 * on at its beginning.
 */
export const countedPeriods = (facet: Facet, interval: Interval): [first: number, last: number] => [
  Math.floor(periodAt(facet, lowerBoundOfStarts(interval))),
  Math.floor(periodAt(facet, upperBoundOfStarts(interval))),
]

/** An expression of the number of a listing's rows that start between two moments. */
const rowsBetween = (listing: Listing, from: DateTime | Param, before: DateTime | Param): SQL =>
  sql`(SELECT count(*) FROM ${listings} WHERE ${ofListingSql(listing)} AND utc_start_date >= ${from} AND utc_start_date < ${before})`

/**
 * An expression of the number of a listing's events that start between two moments (UTC, the second
 * excluded), from counts of periods, and from the events of the parts of periods at both ends.
 */
function startingBetween(listing: Listing, from: DateTime, before: DateTime): SQL {
  const { facet } = listing
  const first = Math.ceil(periodAt(facet, from))
  const last = Math.floor(periodAt(facet, before))
  const isWithinPeriod = first >= last
  // An interval within a period contains no whole period. Its expression has the same text nevertheless, so
  // that SQLite compiles it once.
  const wholeFrom = sql.param(isWithinPeriod ? before : startOfPeriod(facet, first))
  const wholeBefore = sql.param(isWithinPeriod ? before : startOfPeriod(facet, last))
  const wholePeriods = sql`(SELECT coalesce(sum(count), 0) FROM ${listingCounts} WHERE ${ofListingSql(listing)}
    AND period >= ${first} AND period < ${last})`
  const parts = [
    ...(from === START_OF_TIME ? [] : [rowsBetween(listing, from, wholeFrom)]),
    rowsBetween(listing, wholeBefore, before),
  ]
  return sql`(${sql.join([wholePeriods, ...parts], sql` + `)})`
}

/**
 * An expression of the number of a listing's events in an interval: events that start in it and events that
 * are on at its beginning, without events that end too late.
 */
export function totalOf(listing: Listing, interval: Interval): SQL {
  if (isEmptyInterval(interval)) return sql`0`
  const { startFrom, endFrom, endBefore } = interval
  const last = upperBoundOfStarts(interval)
  const first = lowerBoundOfStarts(interval)
  const begins = first < last ? first : last
  const overlap = (startBefore: DateTime, runningFrom: DateTime): SQL =>
    sql`(SELECT count(*) FROM ${overlappingIn(listing, { startFrom, startBefore, endFrom: runningFrom })})`
  const parts = [startingBetween(listing, begins, last)]
  if (endFrom !== START_OF_TIME) parts.push(sql`+ ${overlap(begins, endFrom)}`)
  if (endBefore !== END_OF_TIME) parts.push(sql`- ${overlap(last, endBefore)}`)
  return sql`(${sql.join(parts, sql` `)})`
}

/**
 * The entry to a deep page: parts of a WITH clause, the start from which to read, and the number of events
 * before it.
 */
type DeepEntry = { clauses: SQL[]; start: SQL; before: SQL }

/**
 * The last period before which at most `offset` events of a list start. Events that end too late for the list
 * are subtracted.
 */
export function entryBefore(offset: SQL, listing: Listing, { startFrom, endBefore }: Interval): DeepEntry {
  const first = Math.ceil(periodAt(listing.facet, startFrom))
  const early = startingBetween(listing, startFrom, startOfPeriod(listing.facet, first))
  const periods = sql`(SELECT period, sum(count) OVER (ORDER BY period) - count AS before FROM ${listingCounts}
    WHERE ${ofListingSql(listing)} AND period >= ${first})`
  // The day on which a period begins, as a Julian day: see listings.sql.
  const day = sql`period * ${periodDays(listing.facet)} + 1721425.5`
  const start = sql`(SELECT start FROM entry)`
  const late =
    endBefore === END_OF_TIME
      ? sql`0`
      : sql`(SELECT count(*) FROM ${overlappingIn(listing, { startFrom, startBefore: endBefore, endFrom: endBefore })}
          AND utc_start_date < ${start})`
  return {
    clauses: [
      sql`early(n) AS MATERIALIZED (SELECT ${early})`,
      sql`entry(start, before) AS MATERIALIZED (
        SELECT datetime(${day}), before + early.n FROM early CROSS JOIN ${periods} WHERE before + early.n <= ${offset}
        UNION ALL SELECT ${startFrom}, 0
        ORDER BY 1 DESC LIMIT 1)`,
    ],
    start,
    before: sql`((SELECT before FROM entry) - ${late})`,
  }
}
