import { type SQL, sql } from 'drizzle-orm'
import { listings } from '../../../db/derived.ts'
import { literal } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import { unionAll } from '../../../db/union.ts'
import type { DateTime } from '../../../lib/time.ts'
import type { EventListParams } from '../schema.ts'
import { inListing } from './counts.ts'
import {
  alreadyOn,
  beginning,
  type IndexedList,
  intervalCount,
  type SelectedPage,
  startingIn,
} from './indexed-list.ts'

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

type SortedList = Omit<IndexedList, 'order' | 'deep'> & { order: Order; mostSorted: number }

/**
 * The most events of a list by title that are put in order. Of more, those of the page are not far from each other in the
 * index of titles, as long as titles have nothing to do with dates: at 100,000 events a page of ten reads 1,500 rows at most.
 */
export const MOST_SORTED = 500

/**
 * A page of a list of one listing that is not ordered by the start. Only titles have an index, of all events: in another order,
 * all events of the interval are read and put in order.
 */
export function sortedPage(list: SortedList): SelectedPage {
  const { listing, page, order, unlisted, mostSorted } = list
  const most = sql`${page.perPage} + ${page.offset}`
  const total = intervalCount(list)
  const isIndexed = order.by === 'title' && listing.facet === 'event'
  const few = [...alreadyOn(list), ...unlisted]
  const parts = [
    ...(isIndexed ? [byTitle(list, sql`iif((SELECT n FROM listed) > ${mostSorted}, ${most}, 0)`)] : []),
    ofListing(list, isIndexed ? sql`iif((SELECT n FROM listed) > ${mostSorted}, 0, -1)` : sql`-1`),
    ...few.map(
      rows => sql`SELECT ${SORTED_BY[order.by]} AS sort_key, ${events.id} AS event_id
        FROM (${rows}) AS few CROSS JOIN ${events} ON ${events.id} = few.event_id`,
    ),
  ]
  const direction = sql.raw(order.direction)
  return {
    shared: sql`listed(n) AS MATERIALIZED (SELECT ${total})`,
    ids: sql`SELECT event_id AS id FROM (${unionAll(parts)})
      ORDER BY sort_key COLLATE NOCASE ${direction}, event_id ${direction}
      LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`,
    total: sql`(SELECT n FROM listed)`,
  }
}

/** The first of all events that start in an interval, by title. */
function byTitle(list: SortedList, most: SQL): SQL {
  const { interval, order } = list
  const row = {
    start: sql`${events.utc_start_date}`,
    end: sql`${events.utc_end_date}`,
    id: sql`${events.id}`,
  }
  const direction = sql.raw(order.direction)
  return sql`SELECT * FROM (SELECT title AS sort_key, id AS event_id FROM ${events} INDEXED BY events_title
    WHERE listed AND ${startingIn(list, given(beginning(interval)), row)}
    ORDER BY ${SORTED_BY.title} ${direction}, id ${direction} LIMIT ${most})`
}

const given = (moment: DateTime | undefined): SQL | undefined =>
  moment === undefined ? undefined : sql`${moment}`

/** All events of a listing that start in an interval. */
function ofListing(list: SortedList, most: SQL): SQL {
  const { listing, interval, order } = list
  return sql`SELECT * FROM (SELECT ${SORTED_BY[order.by]} AS sort_key, event_id FROM ${listings} CROSS JOIN ${events} ON ${events.id} = event_id
    WHERE ${inListing(listing)} AND ${startingIn(list, given(beginning(interval)))} LIMIT ${most})`
}
