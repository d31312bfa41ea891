import { type SQL, sql } from 'drizzle-orm'
import { listingCounts, listings } from '../../../db/derived.ts'
import { allOf, literal } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import type { DateTime } from '../../../lib/time.ts'
import type { EventListParams } from '../schema.ts'
import { inListing, overlapping } from './counts.ts'
import {
  alreadyOn,
  beginning,
  type IndexedList,
  intervalCount,
  notIn,
  type SelectedPage,
  startingIn,
} from './indexed-list.ts'
import { startsBefore, within } from './interval.ts'

/** What lists are sorted by. Equal values are ordered by id; a descending list is the exact reverse of the ascending one. */
export type Order = { by: NonNullable<EventListParams['orderby']>; direction: 'asc' | 'desc' }

const SORTED_BY: Record<Order['by'], SQL> = {
  start_date: sql`${events.utc_start_date}`,
  end_date: sql`${events.utc_end_date}`,
  title: sql`${events.title} COLLATE NOCASE`,
  date: sql`${events.date_utc}`,
  modified: sql`${events.modified_utc}`,
  id: sql`${events.id}`,
}

/** The terms of ORDER BY for rows of `events`. */
export const ordering = ({ by, direction }: Order): SQL =>
  sql`${SORTED_BY[by]} ${sql.raw(direction)}, ${events.id} ${sql.raw(direction)}`

type SortedList = Omit<IndexedList, 'order' | 'deep'> & { order: Order }

/**
 * A page of a list of one listing that is not ordered by the start: the first rows, in this order, of each part of it.
 */
export function sortedPage(list: SortedList): SelectedPage {
  const { listing, page, order, unlisted } = list
  const most = sql`${page.perPage} + ${page.offset}`
  const isOfAll = listing.facet === 'event'
  const [first, ...few] =
    order.by === 'end_date'
      ? byEnd(list, most)
      : [isOfAll ? byMonths(list, most) : ofListing(list), ...alreadyOn(list)]
  const others = sql.join([...few, ...unlisted], sql` UNION ALL `)
  const rows = sql`SELECT * FROM (${first}) UNION ALL
    SELECT ${SORTED_BY[order.by]}, ${events.id} FROM (${others}) AS few CROSS JOIN ${events} ON ${events.id} = few.event_id`
  const direction = sql.raw(order.direction)
  return {
    ids: sql`SELECT event_id AS id FROM (${few.length + unlisted.length > 0 ? rows : first})
      ORDER BY sort_key COLLATE NOCASE ${direction}, event_id ${direction}
      LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`,
    total: intervalCount(list),
  }
}

/**
 * The first of the events that start in an interval, merged from those of each month: at 10,000 events a page of ten reads
 * 400 rows instead of 21,000. An index of the order alone would read all of the past first if what is earlier has lower ids.
 */
function byMonths(list: SortedList, most: SQL): SQL {
  const { listing, interval, order } = list
  const from = beginning(interval) ?? interval.startFrom
  const row = { start: sql`utc_start_date`, end: sql`utc_end_date`, id: sql`id` }
  const direction = sql.raw(order.direction)
  const key = SORTED_BY[order.by]
  // The plus is there because an expression has no affinity: compared with a column that has one, its index is not used.
  const first = (
    after: SQL,
  ) => sql`(SELECT id FROM ${events} INDEXED BY ${sql.identifier(`events_month_${order.by}`)}
    WHERE listed AND substr(utc_start_date, 1, 7) = +months.period AND ${after} AND ${startingIn(list, given(from), row)}
    ORDER BY ${key} ${direction}, id ${direction} LIMIT 1)`
  const comesAfter = sql.raw(order.direction === 'asc' ? '>' : '<')
  // In two looks: an index with a COLLATE is not used for a comparison of pairs, and what is looked through is all of a month then.
  const next = sql`coalesce(${first(sql`${key} = months.sort_key AND id ${comesAfter} months.event_id`)},
    ${first(sql`${key} ${comesAfter} months.sort_key`)})`
  // The ORDER BY of a recursion is that of its queue: each step takes the first event of all, and adds the next of its month.
  return sql`WITH RECURSIVE months(period, sort_key, event_id) AS (
      SELECT months.period, ${key}, ${events.id} FROM ${listingCounts} AS months CROSS JOIN ${events} ON ${events.id} = ${first(sql`1`)}
      WHERE ${inListing(listing)} AND grain = 'month' AND starts > 0
        AND period BETWEEN ${(from ?? '').slice(0, 7)} AND ${(startsBefore(interval) ?? '9999-99').slice(0, 7)}
      UNION ALL SELECT months.period, ${key}, ${events.id} FROM months CROSS JOIN ${events} ON ${events.id} = ${next}
      ORDER BY 2 COLLATE NOCASE ${direction}, 3 ${direction} LIMIT ${most}
    ) SELECT sort_key, event_id FROM months`
}

const given = (moment: DateTime | undefined): SQL | undefined =>
  moment === undefined ? undefined : sql`${moment}`

/** All events of a listing that start in an interval. */
function ofListing(list: SortedList): SQL {
  const { listing, interval, order } = list
  return sql`SELECT ${SORTED_BY[order.by]} AS sort_key, event_id FROM ${listings} CROSS JOIN ${events} ON ${events.id} = event_id
    WHERE ${inListing(listing)} AND ${startingIn(list, given(beginning(interval)))}`
}

/**
 * The first events of a listing by their end, from the index that counts use; then those that are on at the moment before
 * which all start, or else all that is later would be read before what comes last.
 */
function byEnd(list: SortedList, most: SQL): SQL[] {
  const { listing, except, interval, order } = list
  const { startFrom, startBefore, endFrom, endBefore, atOnce } = interval
  const first = atOnce ?? endFrom ?? startFrom
  const last = startBefore ?? endBefore
  const direction = sql.raw(order.direction)
  const rest = (end: SQL) =>
    allOf([
      within(interval, { start: sql`listings.utc_start_date`, end }),
      ...except.map(listing => notIn(listing)),
    ])
  const end = sql`listings.utc_end_date`
  const bounds = allOf([
    ...(first === undefined ? [] : [sql`${end} >= ${first}`]),
    ...(last === undefined ? [] : [sql`${end} < ${last}`]),
  ])
  return [
    sql`SELECT utc_end_date AS sort_key, event_id FROM ${listings} INDEXED BY listings_end
      WHERE ${inListing(listing)} AND ${bounds} AND ${rest(sql`+${end}`)}
      ORDER BY utc_end_date ${direction}, event_id ${direction} LIMIT ${most}`,
    ...(startBefore === undefined
      ? []
      : [
          sql`SELECT utc_start_date, event_id FROM ${overlapping(listing, { startBefore, endFrom: startBefore })} AS listings
            WHERE ${rest(end)}`,
        ]),
  ]
}
