import { type SQL, sql } from 'drizzle-orm'
import { type Facet, listingCounts, listings } from '../db/derived.ts'
import { LONGEST_SPAN, SPANS } from '../db/keys.ts'
import { addDays, type DateTime, endOfDay, startOfDay } from '../lib/time.ts'

/** One list of the table `listings`: all events, or those of a term, venue or organizer. */
export type Listing = { facet: Facet; target: SQL }

/** A stretch of time, both ends included, UTC: events that start at or after one and end at or before the other. */
export type Stretch = { start: DateTime; end: DateTime }

const inListing = ({ facet, target }: Listing): SQL => sql`facet = ${facet} AND target_id = ${target}`

const dayOf = (moment: DateTime): string => moment.slice(0, 10)
export const monthOf = (day: string): string => day.slice(0, 7)

/** Sum of the counts of a run of days or months, both included. */
export const counted = (listing: Listing, grain: 'day' | 'month', from: string, to: string): SQL =>
  sql`(SELECT coalesce(sum(n), 0) FROM ${listingCounts}
    WHERE ${inListing(listing)} AND grain = ${grain} AND period BETWEEN ${from} AND ${to})`

/** Events counted one by one, for a part of a day. */
export const startingBetween = (listing: Listing, { start, end }: Stretch): SQL =>
  sql`(SELECT count(*) FROM ${listings} WHERE ${inListing(listing)} AND utc_start_date BETWEEN ${start} AND ${end})`

const nextDay = (day: string): string => dayOf(addDays(`${day} 00:00:00`, 1))
export const previousDay = (day: string): string => dayOf(addDays(`${day} 00:00:00`, -1))
export const firstOfMonth = (day: string): string => `${monthOf(day)}-01`
export const firstOfNextMonth = (day: string): string =>
  firstOfMonth(dayOf(addDays(`${firstOfMonth(day)} 00:00:00`, 31)))

/** Whole days, from the counts: months where they are whole, too. Both ends included. */
function wholeDays(listing: Listing, first: string, last: string): SQL[] {
  if (first > last) return []
  const monthFrom = first === firstOfMonth(first) ? first : firstOfNextMonth(first)
  const monthTo = nextDay(last) === firstOfNextMonth(last) ? nextDay(last) : firstOfMonth(last)
  if (monthFrom >= monthTo) return [counted(listing, 'day', first, last)]
  return [
    ...(first < monthFrom ? [counted(listing, 'day', first, previousDay(monthFrom))] : []),
    counted(listing, 'month', monthOf(monthFrom), monthOf(previousDay(monthTo))),
    ...(last >= monthTo ? [counted(listing, 'day', monthTo, last)] : []),
  ]
}

/** How many events of a listing start in a stretch: parts of days one by one, the rest from the counts. */
function starting(listing: Listing, { start, end }: Stretch): SQL {
  if (start > end) return sql`0`
  const firstWhole = start === startOfDay(start) ? dayOf(start) : nextDay(dayOf(start))
  const lastWhole = end === endOfDay(end) ? dayOf(end) : previousDay(dayOf(end))
  if (firstWhole > lastWhole) return startingBetween(listing, { start, end })
  return sql.join(
    [
      ...(dayOf(start) < firstWhole ? [startingBetween(listing, { start, end: endOfDay(start) })] : []),
      ...wholeDays(listing, firstWhole, lastWhole),
      ...(dayOf(end) > lastWhole ? [startingBetween(listing, { start: startOfDay(end), end })] : []),
    ],
    sql` + `,
  )
}

/**
 * The events of a listing that start in a stretch and end after it, as a FROM clause with the alias `over`.
 * Those that take several days are looked for by how long they take, not before they could reach the end.
 */
export const outlasting = (listing: Listing, { start, end }: Stretch): SQL => sql`(
    SELECT event_id, utc_start_date FROM json_each(${JSON.stringify([...SPANS, LONGEST_SPAN])}) AS spans
    CROSS JOIN ${listings} ON ${inListing(listing)} AND span > 0 AND span = spans.value
      AND utc_start_date BETWEEN max(${start}, coalesce(date(${end}, '+1 second', -spans.value || ' days'), '')) AND ${end}
      AND utc_end_date > ${end}
    UNION ALL
    SELECT event_id, utc_start_date FROM ${listings} WHERE ${inListing(listing)} AND span = 0
      AND utc_start_date BETWEEN max(${start}, ${startOfDay(end)}) AND ${end} AND utc_end_date > ${end}
  ) AS over`

/** The scheduled events of a listing that lie in a stretch and are not to be seen yet: a FROM clause, `ahead`. */
export const unseen = (listing: Listing, { start, end }: Stretch, now: DateTime): SQL => sql`(
    SELECT scheduled.id AS event_id, scheduled.utc_start_date FROM events AS scheduled
    JOIN ${listings} ON ${listings.event_id} = scheduled.id AND ${inListing(listing)}
    WHERE scheduled.status = 'future' AND scheduled.date_utc > ${now}
    AND scheduled.utc_start_date >= ${start} AND scheduled.utc_end_date <= ${end}
  ) AS ahead`

/**
 * How many events of a listing lie in a stretch and may be seen, without reading them: those that start in it,
 * less those that end after it, less those that are scheduled for later.
 *
 * @param now UTC
 */
export const totalOf = (listing: Listing, stretch: Stretch, now: DateTime): SQL =>
  sql`${starting(listing, stretch)}
    - (SELECT count(*) FROM ${outlasting(listing, stretch)})
    - (SELECT count(*) FROM ${unseen(listing, stretch, now)})`
