import { type SQL, sql } from 'drizzle-orm'
import { type Facet, listingCounts, listings, periodDays } from '../../../db/derived.ts'
import { DAY_MS, type DateTime, dayNumber, formatInstant, toEpoch } from '../../../lib/time.ts'
import { type Overlap, overlapping } from '../../content/visibility.ts'
import { beginning, END_OF_TIME, type Interval, isEmptyInterval, startsBefore } from './interval.ts'

/** A listing in the table `listings`: all events, or those of a term, venue, organizer … */
export type Listing = { facet: Facet; target: SQL }

/** The listing of all events. */
export const ALL: Listing = { facet: 'event', target: sql`0` }

const inListing = ({ facet, target }: Listing): SQL => sql`facet = ${facet} AND target_id = ${target}`

/** A row with an event, for conditions. */
export type EventColumns = { start: SQL; end: SQL; id: SQL }

const columnsOf = (name: SQL): EventColumns => ({
  start: sql`${name}.utc_start_date`,
  end: sql`${name}.utc_end_date`,
  id: sql`${name}.event_id`,
})

/** The columns of `listings`. */
export const LISTED = columnsOf(sql`listings`)

/** Those of events that have begun earlier. */
export const BEGUN = columnsOf(sql`begun`)

/** A condition for rows whose event is in another listing. */
export const isIn = ({ facet, target }: Listing, { start, id }: EventColumns = LISTED): SQL =>
  sql`EXISTS (SELECT 1 FROM listings AS other WHERE other.facet = ${facet} AND other.target_id = ${target}
    AND other.utc_start_date = ${start} AND other.event_id = ${id})`

/** A FROM clause of the events of a listing, as `begun`, that start before a moment and end at or after another one. */
export const overlappingIn = (listing: Listing, bounds: Overlap): SQL =>
  sql`${overlapping(bounds)} AS begun WHERE ${listing.facet === 'event' ? sql`1` : isIn(listing, BEGUN)}`

// Periods are numbered from the beginning of the year 1 on (db/triggers/listings.sql).

const DAY_ONE = dayNumber('0001-01-01 00:00:00')

/** The number of a period, with the part of it that a moment has reached. */
const periodAt = (facet: Facet, moment: DateTime): number =>
  (toEpoch(moment) / DAY_MS - DAY_ONE) / periodDays(facet)

const startOfPeriod = (facet: Facet, period: number): DateTime =>
  formatInstant((period * periodDays(facet) + DAY_ONE) * DAY_MS)

/** The first period that begins at or after a moment, and its start; undefined at the end of time. */
export function periodFrom(facet: Facet, moment: DateTime): { period: number; start: DateTime } | undefined {
  if (moment === END_OF_TIME) return undefined
  const period = Math.ceil(periodAt(facet, moment))
  return period > periodAt(facet, LAST) ? undefined : { period, start: startOfPeriod(facet, period) }
}

/** The first and the last period in which events of an interval may start, except for those that are already on at its beginning. */
export function countedPeriods(facet: Facet, interval: Interval): [first: number, last: number] {
  const numberOf = (moment: DateTime) => Math.floor(periodAt(facet, moment === END_OF_TIME ? LAST : moment))
  const { startFrom, endFrom } = interval
  return [numberOf(startFrom ?? endFrom ?? FIRST), numberOf(startsBefore(interval) ?? LAST)]
}

const FIRST = '0001-01-01 00:00:00'
const LAST = '9999-12-31 23:59:59'

/** An expression of the number of a listing's rows that start between two moments. */
const rowsBetween = (listing: Listing, from: DateTime, before: DateTime): SQL =>
  sql`(SELECT count(*) FROM ${listings} WHERE ${inListing(listing)} AND utc_start_date >= ${from} AND utc_start_date < ${before})`

/**
 * An expression of the number of a listing's events that start between two moments (UTC, the second excluded), from counts of
 * periods, and from the events of the parts of periods at both ends.
 */
export function startingBetween(listing: Listing, from: DateTime = '', before: DateTime = END_OF_TIME): SQL {
  if (from >= before) return sql`0`
  const { facet } = listing
  const first = from === '' ? { period: 0, start: '' } : periodFrom(facet, from)
  const last = before === END_OF_TIME ? undefined : Math.floor(periodAt(facet, before))
  if (!first || (last !== undefined && first.period >= last)) return rowsBetween(listing, from, before)
  const whole = sql`(SELECT coalesce(sum(n), 0) FROM ${listingCounts} WHERE ${inListing(listing)}
    AND period >= ${first.period} ${last === undefined ? sql`` : sql`AND period < ${last}`})`
  const end = last === undefined ? before : startOfPeriod(facet, last)
  const parts = [
    ...(first.start === from ? [] : [rowsBetween(listing, from, first.start)]),
    ...(end === before ? [] : [rowsBetween(listing, end, before)]),
  ]
  return sql`(${sql.join([whole, ...parts], sql` + `)})`
}

/**
 * An expression of the number of a listing's events in an interval: of those that start in it and those that are on at its
 * beginning, without those that end too late.
 */
export function totalOf(listing: Listing, interval: Interval): SQL {
  if (isEmptyInterval(interval)) return sql`0`
  const { startFrom = '', endFrom, endBefore = END_OF_TIME } = interval
  const last = startsBefore(interval) ?? END_OF_TIME
  const first = beginning(interval) ?? startFrom
  const begins = first < last ? first : last
  const overlap = (startBefore: DateTime, endFrom: DateTime): SQL =>
    sql`(SELECT count(*) FROM ${overlappingIn(listing, { startFrom, startBefore, endFrom })})`
  const parts = [startingBetween(listing, begins, last)]
  if (endFrom !== undefined) parts.push(sql`+ ${overlap(begins, endFrom)}`)
  if (endBefore !== END_OF_TIME) parts.push(sql`- ${overlap(last, endBefore)}`)
  return sql`(${sql.join(parts, sql` `)})`
}

/** The entry to a deep page: parts of a WITH clause, the start from which to read, and the number of events before it. */
type DeepEntry = { entry: SQL[]; start: SQL; before: SQL }

/** The last period before which at most `offset` events of a list start. Those that end too late for the list are subtracted. */
export function entryBefore(
  offset: SQL,
  listing: Listing,
  { startFrom = '', endBefore }: Interval,
): DeepEntry {
  const first = periodFrom(listing.facet, startFrom === '' ? FIRST : startFrom)
  const early = startFrom === '' ? sql`0` : startingBetween(listing, startFrom, first?.start)
  const periods = sql`(SELECT period, sum(n) OVER (ORDER BY period) - n AS before FROM ${listingCounts}
    WHERE ${inListing(listing)} AND period >= ${first?.period ?? 0})`
  // The day on which a period begins, as a Julian day: see listings.sql.
  const day = sql`period * ${periodDays(listing.facet)} + 1721425.5`
  const start = sql`(SELECT start FROM entry)`
  const late =
    endBefore === undefined
      ? sql`0`
      : sql`(SELECT count(*) FROM ${overlappingIn(listing, { startFrom, startBefore: endBefore, endFrom: endBefore })}
          AND utc_start_date < ${start})`
  return {
    entry: [
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
