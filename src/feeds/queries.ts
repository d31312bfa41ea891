import { type SQL, sql } from 'drizzle-orm'
import { isRowReadable } from '../content/visibility.ts'
import type { RequestContext, SerializeContext } from '../context.ts'
import { literal, mapped, type Query } from '../db/query.ts'
import { events } from '../db/schema.ts'
import type { SelectedPage } from '../events/listing/indexed-list.ts'
import { type Interval, intervalOf, withinBounds } from '../events/listing/interval.ts'
import { eventPage } from '../events/listing/page.ts'
import type { EventListParams } from '../events/schema.ts'
import { type FeedEvent, type FeedRows, type FeedSeries, feedParts, type Used } from './rows.ts'
import { feedWindow } from './window.ts'

/** The most events of a feed. */
export const MOST_EVENTS = 5_000

/** The events of a feed, by their start, and the number of all that match. */
export type Found = { events: FeedEvent[]; total: number }

type Values = Partial<EventListParams>

/** A query of the events that a feed shows. */
export function selectFeed(context: RequestContext, values: Values): Query<Found> {
  const { ids, total } = nearest(context, feedWindow(context, values))
  return selectFeedEvents(context, ids, total)
}

/** A query of the events with some ids. @param ids a SELECT of `id` */
export function selectFeedEvents(context: SerializeContext, ids: SQL, total: SQL = sql`0`): Query<Found> {
  const page = sql`ids(list) AS MATERIALIZED (SELECT json_group_array(id) FROM (${ids})),
    page(position, id, size) AS MATERIALIZED (
      SELECT key, value, json_array_length(ids.list) FROM ids CROSS JOIN json_each(ids.list))`
  return mapped(feedParts(sql`WITH ${page}`, total), found => ({
    events: joined(context, found),
    total: found.head,
  }))
}

/** A statement that stands inside of another, with a WITH clause of its own. */
const nested = ({ shared }: SelectedPage, select: SQL): SQL =>
  shared ? sql`(WITH ${shared} ${select})` : sql`(${select})`

/** SELECTs of the ids of the events nearest to now, and of the number of all. */
function nearest(context: RequestContext, values: Values): { ids: SQL; total: SQL } {
  const parts = intervals(context, values).map(({ interval, order }) =>
    eventPage(context, {
      values: { ...values, order, orderby: 'start_date' },
      page: { page: 1, perPage: MOST_EVENTS, offset: 0 },
      interval,
    }),
  )
  const rows = parts.map(part => sql`SELECT id FROM ${nested(part, part.ids)}`)
  const total = sql.join(
    parts.map(part => nested(part, sql`SELECT ${part.total}`)),
    sql` + `,
  )
  if (parts.length === 1) return { ids: sql.join(rows, sql``), total }
  const distance = sql`abs(julianday(${events.utc_start_date}) - julianday(${context.now}))`
  return {
    ids: sql`SELECT found.id FROM (${sql.join(rows, sql` UNION ALL `)}) AS found
      CROSS JOIN ${events} ON ${events.id} = found.id ORDER BY ${distance} LIMIT ${literal(MOST_EVENTS)}`,
    total,
  }
}

type Part = { interval: Interval; order: 'asc' | 'desc' }

/** The interval of a feed in two at the present moment, so that each part is read from there on. */
function intervals(context: RequestContext, values: Values): Part[] {
  const { now } = context
  const { interval } = intervalOf(context, values)
  const { startFrom = '', startBefore, endBefore } = interval
  const isPast = (startBefore ?? endBefore ?? '9999') <= now
  if (values.include || startFrom >= now) return [{ interval, order: 'asc' }]
  if (isPast) return [{ interval, order: 'desc' }]
  return [
    { interval: withinBounds(interval, { startFrom: now }), order: 'asc' },
    { interval: withinBounds(interval, { startBefore: now }), order: 'desc' },
  ]
}

const byStart = (a: FeedEvent, b: FeedEvent): number =>
  a.utc_start_date < b.utc_start_date ? -1 : a.utc_start_date > b.utc_start_date ? 1 : a.id - b.id

/** The most relations of a kind that a feed shows of an event: each is a part of one line. */
const MOST_RELATED = 20

/** Joins events with their series, and with the related rows that the caller may read. */
function joined(context: SerializeContext, found: FeedRows): FeedEvent[] {
  const series = new Map<number, FeedSeries>(found.series.map(row => [row.id, row]))
  const venues = byEvent(found.venues.filter(({ row }) => isRowReadable(row, context)))
  const organizers = byEvent(found.organizers.filter(({ row }) => isRowReadable(row, context)))
  const terms = byEvent(found.terms.toSorted((a, b) => (a.row.sort_name < b.row.sort_name ? -1 : 1)))
  return found.events
    .map(({ position, ...event }) => ({
      ...event,
      series: event.series_id === null ? null : (series.get(event.series_id) ?? null),
      venues: venues.get(position) ?? [],
      organizers: organizers.get(position) ?? [],
      terms: terms.get(position) ?? [],
    }))
    .sort(byStart)
}

/** The related rows of each event, in their order, by its position. */
function byEvent<R>(related: readonly Used<R>[]): Map<number, R[]> {
  const rows = new Map<number, { place: number; row: R }[]>()
  for (const { row, uses } of related)
    for (const [event, place] of uses) {
      const known = rows.get(event)
      if (!known) rows.set(event, [{ place, row }])
      else known.push({ place, row })
    }
  return new Map(
    [...rows].map(([event, uses]): [number, R[]] => [
      event,
      uses
        .sort((a, b) => a.place - b.place)
        .slice(0, MOST_RELATED)
        .map(({ row }) => row),
    ]),
  )
}
