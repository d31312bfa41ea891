import { type SQL, sql } from 'drizzle-orm'
import { type Facet, LONGEST_SPAN, listingCounts, listings, SPANS } from '../../../db/derived.ts'
import { type DateTime, dayNumber, startOfDay } from '../../../lib/time.ts'
import { type Interval, isEmptyInterval } from './interval.ts'

/** A listing in the table `listings`: all events, or those of a term, venue, organizer … */
export type Listing = { facet: Facet; target: SQL }

export const inListing = ({ facet, target }: Listing): SQL => sql`facet = ${facet} AND target_id = ${target}`

type Edge = 'starts' | 'ends'

const EDGES = {
  starts: { column: sql`utc_start_date`, index: sql`` },
  ends: { column: sql`utc_end_date`, index: sql`INDEXED BY listings_end` },
} as const

/** An expression of the number of a listing's events that start, or end, before a moment (UTC), from counts of months and days. */
function before(listing: Listing, edge: Edge, moment: DateTime): SQL {
  const counted = (grain: 'day' | 'month', periods: SQL) =>
    sql`(SELECT coalesce(sum(${sql.identifier(edge)}), 0) FROM ${listingCounts}
      WHERE ${inListing(listing)} AND grain = ${grain} AND ${periods})`
  const [month, day] = [moment.slice(0, 7), moment.slice(0, 10)]
  const { column, index } = EDGES[edge]
  const parts = [
    counted('month', sql`period < ${month}`),
    counted('day', sql`period >= ${`${month}-01`} AND period < ${day}`),
  ]
  if (moment !== startOfDay(moment))
    parts.push(sql`(SELECT count(*) FROM ${listings} ${index} WHERE ${inListing(listing)}
      AND ${column} >= ${startOfDay(moment)} AND ${column} < ${moment})`)
  return sql`(${sql.join(parts, sql` + `)})`
}

const everything = (listing: Listing): SQL =>
  sql`(SELECT coalesce(sum(starts), 0) FROM ${listingCounts} WHERE ${inListing(listing)} AND grain = 'month')`

/**
 * A FROM clause of the events of a listing that start before a moment and end at or after another one, which is not
 * earlier (UTC). Of each class by length, only those are read that start late enough to reach the second moment: at
 * 100,000 events some 150 rows instead of all that have started.
 */
export function overlapping(
  listing: Listing,
  { startBefore, endFrom }: { startBefore: DateTime; endFrom: DateTime },
): SQL {
  const days = dayNumber(endFrom) - dayNumber(startBefore)
  const spans = [...SPANS, LONGEST_SPAN].filter(span => span >= days - 1)
  const longer = sql`SELECT event_id, utc_start_date, utc_end_date FROM json_each(${JSON.stringify(spans)}) AS spans
    CROSS JOIN ${listings} INDEXED BY listings_span ON ${inListing(listing)} AND span > 0 AND span = spans.value
      AND utc_start_date >= coalesce(date(${endFrom}, -spans.value || ' days'), '')
      AND utc_start_date < ${startBefore} AND utc_end_date >= ${endFrom}`
  // Events that end on the day on which they start.
  const short = sql`SELECT event_id, utc_start_date, utc_end_date FROM ${listings} WHERE ${inListing(listing)} AND span = 0
    AND utc_start_date >= ${startOfDay(endFrom)} AND utc_start_date < ${startBefore} AND +utc_end_date >= ${endFrom}`
  return startBefore > startOfDay(endFrom) ? sql`(${longer} UNION ALL ${short})` : sql`(${longer})`
}

/** A sum of SQL expressions by name. Equal ones with opposite signs cancel each other. */
class Sum {
  readonly #terms = new Map<string, { sign: number; term: () => SQL }>()

  add(sign: 1 | -1, name: string, term: () => SQL): void {
    const known = this.#terms.get(name)?.sign ?? 0
    this.#terms.set(name, { sign: known + sign, term })
  }

  get sql(): SQL {
    const parts = [...this.#terms.values()].filter(({ sign }) => sign !== 0)
    return sql`(0${sql.join(
      parts.map(({ sign, term }) => sql`${sql.raw(sign > 0 ? '+' : '-')} ${term()}`),
      sql` `,
    )})`
  }
}

/**
 * An expression of the number of a listing's events in an interval, from counts of starts and ends. Of the events
 * themselves, only those are read that extend across the whole interval, or that lie on parts of days.
 */
export function totalOf(listing: Listing, interval: Interval): SQL {
  const { startFrom, startBefore, endFrom, endBefore, atOnce } = interval
  if (isEmptyInterval(interval)) return sql`0`
  const sum = new Sum()
  /** Adds the events that start before one moment and end at or after another; an undefined moment is no bound. */
  const add = (sign: 1 | -1, start: DateTime | undefined, end: DateTime | undefined) => {
    const opposite = sign === 1 ? -1 : 1
    if (start !== undefined && end !== undefined && start <= end) {
      const rows = () => overlapping(listing, { startBefore: start, endFrom: end })
      sum.add(sign, `${start} ${end}`, () => sql`(SELECT count(*) FROM ${rows()})`)
      return
    }
    // Events that end before `end` have started before `start`, which is later.
    if (start === undefined) sum.add(sign, 'all', () => everything(listing))
    else sum.add(sign, `starts ${start}`, () => before(listing, 'starts', start))
    if (end !== undefined) sum.add(opposite, `ends ${end}`, () => before(listing, 'ends', end))
  }
  add(1, startBefore, endFrom)
  if (startFrom !== undefined) add(-1, startFrom, endFrom)
  if (endBefore !== undefined) add(-1, startBefore, endBefore)
  if (startFrom !== undefined && endBefore !== undefined) add(1, startFrom, endBefore)
  if (atOnce !== undefined)
    sum.add(
      1,
      'at once',
      () => sql`(SELECT count(*) FROM ${listings} WHERE ${inListing(listing)}
        AND utc_start_date = ${atOnce} AND utc_end_date = ${atOnce})`,
    )
  return sum.sql
}
