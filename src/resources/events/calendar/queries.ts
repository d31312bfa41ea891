import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext, SerializeContext } from '../../../context.ts'
import { literal, mapped, type Query } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import { FEED_SIZE } from '../../../lib/budgets.ts'
import { addDays, startOfDay, toWall } from '../../../lib/time.ts'
import { type Interval, intervalOf, withinBounds } from '../listing/interval.ts'
import { eventPage, type SelectedPage, selectFrom } from '../listing/page.ts'
import type { EventListValues } from '../schema.ts'
import { type FeedRelations, relationsOf } from './relations.ts'
import { type FeedEvent, type FeedSeries, feedParts, type PlainFeedEvent } from './rows.ts'

/** Feeds without dates begin this many days ago, so that subscribers keep past events for a while. */
const DAYS_BACK = 90

/** The parameters of a feed, with the start of its window. By default a list begins yesterday, but a feed begins 90 days ago. */
export function feedWindow(context: RequestContext, values: EventListValues): EventListValues {
  const isGiven =
    values.start_date !== undefined || intervalOf(context, values).resolved.start_date === undefined
  if (isGiven) return values
  const today = startOfDay(toWall(context.now, context.settings.timezone))
  return { ...values, start_date: addDays(today, -DAYS_BACK) }
}

/** The events of a feed, by start, and the number of all matching events. */
export type FoundEvents = { events: FeedEvent[]; total: number }

/** A query for the events that a feed shows. */
export function selectFeed(context: RequestContext, values: EventListValues): Query<FoundEvents> {
  const { ids, total } = nearest(context, feedWindow(context, values))
  return selectFeedEvents(context, ids, total)
}

/** A query for the events with some ids. @param ids a SELECT of `id` */
export function selectFeedEvents(
  context: SerializeContext,
  ids: SQL,
  total: SQL = sql`0`,
): Query<FoundEvents> {
  // The size is counted once, because finding the length of a JSON list means reading it. In the order of ids, reading
  // events and links takes half the time. A list is used because rows of a subquery would each count as a row read.
  const page = sql`ids(list, size) AS MATERIALIZED (SELECT json_group_array(id ORDER BY id), count(*) FROM (${ids})),
    page(id, size) AS NOT MATERIALIZED (SELECT value, size FROM ids CROSS JOIN json_each(ids.list))`
  return mapped(feedParts(sql`WITH ${page}`, total), found => ({
    events: joined(context, found),
    total: found.head,
  }))
}

/** SELECTs of the ids of the events nearest to now, and of the number of all events. */
function nearest(context: RequestContext, values: EventListValues): { ids: SQL; total: SQL } {
  const parts = intervals(context, values).map(({ interval, order }) =>
    eventPage(context, {
      values: { ...values, order, orderby: 'start_date' },
      page: { page: 1, perPage: FEED_SIZE.events, offset: 0 },
      interval,
    }),
  )
  const total = sql.join(
    parts.map(part => sql`(${selectFrom(part, sql`SELECT ${part.total}`)})`),
    sql` + `,
  )
  const [only, ...others] = parts
  if (only && others.length === 0) return { ids: selectFrom(only), total }
  const rows = sql.join(parts.map(startsIn), sql` UNION ALL `)
  return {
    ids: sql`SELECT id FROM (${rows}) ORDER BY abs(julianday(start) - julianday(${context.now})) LIMIT ${literal(FEED_SIZE.events)}`,
    total,
  }
}

/**
 * A SELECT of `id` and `start` of a page. It avoids reading the events themselves, because it considers twice as many
 * as the feed shows.
 */
const startsIn = (part: SelectedPage): SQL =>
  part.starts
    ? sql`SELECT id, start FROM (${selectFrom(part, part.starts)})`
    : sql`SELECT found.id, utc_start_date AS start FROM (${selectFrom(part)}) AS found
        CROSS JOIN ${events} ON ${events.id} = found.id`

type IntervalPart = { interval: Interval; order: 'asc' | 'desc' }

/** The interval of a feed, split at the present moment, so that each part is read from there on. */
function intervals(context: RequestContext, values: EventListValues): IntervalPart[] {
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

type FeedRows = FeedRelations & { events: readonly PlainFeedEvent[]; series: readonly FeedSeries[] }

/** Joins events with their series, and with the related rows that the caller may read. */
function joined(context: SerializeContext, found: FeedRows): FeedEvent[] {
  const series = new Map<number, FeedSeries>(found.series.map(row => [row.id, row]))
  const relations = relationsOf(context, found)
  return found.events
    .map(event => ({
      ...event,
      ...relations(event.links),
      series: event.series_id === null ? null : (series.get(event.series_id) ?? null),
    }))
    .sort(byStart)
}
