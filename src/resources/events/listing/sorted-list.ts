import { type SQL, sql } from 'drizzle-orm'
import { listings } from '../../../db/derived.ts'
import { literal } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import { unionAll } from '../../../db/union.ts'
import type { EventListParams } from '../schema.ts'
import { ALL, inListing } from './counts.ts'
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

/**
 * The most events of a list by title that are put in order. Of more, those of the page are not far from each other in the
 * index of titles, as long as titles have nothing to do with dates: at 100,000 events a page of ten reads 1,500 rows at most.
 */
export const MOST_SORTED = 500

type TitledList = Omit<IndexedList, 'deep'> & { mostSorted: number }

/** A page of a list of all events by title, the only order besides the start that has an index. */
export function titledPage(list: TitledList): SelectedPage {
  const { page, order, unlisted, mostSorted, interval } = list
  const direction = sql.raw(order)
  const begins = beginning(interval)
  const from = begins === undefined ? undefined : sql`${begins}`
  const columns = sql`SELECT title AS sort_key, ${events.id} AS event_id`
  const row = {
    start: sql`${events.utc_start_date}`,
    end: sql`${events.utc_end_date}`,
    id: sql`${events.id}`,
  }
  const isMany = sql`(SELECT n FROM listed) > ${mostSorted}`
  const parts = [
    sql`SELECT * FROM (${columns} FROM ${events} INDEXED BY events_title WHERE listed AND ${startingIn(list, from, row)}
      ORDER BY ${SORTED_BY.title} ${direction}, id ${direction} LIMIT iif(${isMany}, ${page.perPage} + ${page.offset}, 0))`,
    sql`SELECT * FROM (${columns} FROM ${listings} CROSS JOIN ${events} ON ${events.id} = event_id
      WHERE ${inListing(ALL)} AND ${startingIn(list, from)} LIMIT iif(${isMany}, 0, -1))`,
    ...[...alreadyOn(list), ...unlisted].map(
      rows => sql`${columns} FROM (${rows}) AS few CROSS JOIN ${events} ON ${events.id} = few.event_id`,
    ),
  ]
  return {
    shared: sql`listed(n) AS MATERIALIZED (SELECT ${intervalCount(list)})`,
    ids: sql`SELECT event_id AS id FROM (${unionAll(parts)})
      ORDER BY sort_key COLLATE NOCASE ${direction}, event_id ${direction}
      LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`,
    total: sql`(SELECT n FROM listed)`,
  }
}
