import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { columnExpressions, decodeList, type RowOf, type UnionPart, unionOf } from '../../kit/db/columns.ts'
import { combineQueries, literal, mapQuery, type Query } from '../../kit/db/query.ts'
import { selectUnknownValues, type UnknownValues } from '../../kit/db/references.ts'
import { events, eventTerms, eventVenues, series, terms, venues } from '../../kit/db/tables.ts'
import type { ListSlice, Rows } from '../../kit/http/lists.ts'
import type { StoredImage } from '../../kit/lib/images/formats.ts'
import { SUMMARY_UNITS } from '../../kit/lib/text.ts'
import { pick } from '../../kit/lib/values.ts'
import { imageExpressions, imageJoin, readImage } from '../content/images.ts'
import type { Interval } from './interval.ts'
import { type EventFilter, listReferences } from './listing/filters.ts'
import { eventPage, type SelectedPage } from './listing/page.ts'
import { withPage } from './queries.ts'
import { eventSlugs } from './resource.ts'
import { previousColumns, seriesJoin, sharedTexts, timeColumns } from './rows.ts'
import type { EventListParams } from './schema.ts'

// Lists on pages only select what they show. With the API's serialization, including long texts, venues,
// organizers and terms, a page of 24 took 3.9 ms of CPU instead of 2.9, and 286 rows more (budget “page:
// list” of the benchmark).

const listedColumns = {
  ...pick(events, 'id', 'slug', 'title'),
  ...timeColumns,
  ...previousColumns,
  ...pick(
    events,
    'cost',
    'ticket_availability',
    'featured',
    'event_status',
    'is_virtual',
    'image_id',
    'series_id',
  ),
}

export type ListedEvent = RowOf<typeof listedColumns> & {
  /** Null for single events. */
  series: { slug: string } | null
  image: StoredImage | null
  /** The beginning of its excerpt or description, as {@link excerptStart} selects it. */
  text: string
  /** Its first public venue, and the number of public venues. */
  venue: { name: string; city: string; count: number }
  /** Its first category; null without one. */
  category: { id: number; name: string; color: string } | null
}

/**
 * The beginning of an event's excerpt or, without one, of its description: one character more than summaries
 * read.
 */
export const excerptStart = (read: number): SQL =>
  sql`substr(coalesce(nullif(${sharedTexts.excerpt}, ''), ${sharedTexts.description}), 1, ${literal(read + 1)})`

/**
 * The first public venue of the event `page.id`, with the number of all, as JSON. With a single min(), SQLite
 * takes the other columns from the same row.
 */
export const FIRST_VENUE = sql`(SELECT json_array(${venues.name}, ${venues.city}, count(*), min(${eventVenues.position})) FROM ${eventVenues}
  CROSS JOIN ${venues} ON ${venues.id} = ${eventVenues.target_id}
  AND (${venues.status} = 'publish' OR (${venues.status} = 'future' AND ${venues.date_utc} <= (SELECT now FROM present)))
  WHERE ${eventVenues.event_id} = page.id)`

/**
 * The first category of the event `page.id` by name, as JSON; nulls without one. D1 would bill rows that are
 * sorted.
 */
const FIRST_CATEGORY = sql`(SELECT json_array(${terms.id}, ${terms.name}, ${terms.color}, min(${terms.sort_name})) FROM ${eventTerms}
  CROSS JOIN ${terms} ON ${terms.id} = ${eventTerms.target_id} AND ${terms.taxonomy} = 'event_category'
  WHERE ${eventTerms.event_id} = page.id)`

/** A category as {@link FIRST_CATEGORY} selects it. */
function readCategory(value: unknown): ListedEvent['category'] {
  // Made by json_array() there.
  const [id, name, color] = value as unknown[]
  return id === null ? null : { id: Number(id), name: String(name), color: String(color) }
}

/**
 * The events of a page, for a statement with the table `present` (the time).
 *
 * @param page a table or subquery with their ids and positions
 */
export const listedFrom = (page: SQL): UnionPart<ListedEvent & { position: number }> => ({
  columns: [
    ...columnExpressions(listedColumns),
    sql`page.position`,
    sql`${series.slug}`,
    excerptStart(SUMMARY_UNITS),
    sql`json(${FIRST_VENUE})`,
    sql`json(${FIRST_CATEGORY})`,
    ...imageExpressions,
  ],
  from: sql`FROM ${page} AS page CROSS JOIN ${events} ON ${events.id} = page.id ${imageJoin(events.image_id)} ${seriesJoin}`,
  read: values => {
    const row = decodeList(listedColumns, values)
    const [position, slug, text, venue, category, ...image] = values.slice(Object.keys(listedColumns).length)
    // From json_array() above.
    const [name, city, count] = venue as [name: unknown, city: unknown, count: number]
    return {
      ...row,
      position: Number(position),
      series: seriesWith(slug),
      image: readImage(row.image_id, image),
      text: String(text ?? ''),
      venue: { name: String(name ?? ''), city: String(city ?? ''), count },
      category: readCategory(category),
    }
  },
})

export type EventQuery = {
  values: Partial<EventListParams>
  page: ListSlice
  /** The interval, if it differs from the interval of the parameters. */
  interval?: Interval
  filters?: readonly EventFilter[]
}

/** A series with its slug; null for NULL. */
export const seriesWith = (slug: unknown): ListedEvent['series'] =>
  typeof slug === 'string' ? { slug } : null

/** Events, and the filter values that don't exist. */
export type EventsWithUnknown<E> = Query<{ events: E; unknown: UnknownValues[] }>

const selectListed = unionOf({ events: listedFrom(sql`page`) })

export const selectListedEvents = (context: BaseContext, query: EventQuery): Query<Rows<ListedEvent>> =>
  selectPage(context, eventPage(context, query))

/** A query for the events of a page, and for its total. */
function selectPage(context: BaseContext, page: SelectedPage): Query<Rows<ListedEvent>> {
  const withClause = sql`${withPage(page)}, present(now) AS (SELECT ${context.clock.untrackedTime})`
  return mapQuery(selectListed(withClause, page.total), ({ events, head }) => ({
    rows: events.sort((a, b) => a.position - b.position),
    total: head,
  }))
}

/** A query for the events of a page, without the total. */
export const selectListedWithoutTotal = (context: BaseContext, query: EventQuery): Query<ListedEvent[]> =>
  selectListedOnPage(context, eventPage(context, query))

export const selectListedOnPage = (
  context: BaseContext,
  page: Pick<SelectedPage, 'shared' | 'ids'>,
): Query<ListedEvent[]> => mapQuery(selectPage(context, { ...page, total: sql`0` }), ({ rows }) => rows)

/** A query for a page of events in a list, and for the filter values that don't exist. */
export const selectListedWithUnknown = (
  context: BaseContext,
  query: EventQuery,
): EventsWithUnknown<Rows<ListedEvent>> =>
  combineQueries({
    events: selectListedEvents(context, query),
    unknown: selectUnknownValues(listReferences(context, query.values)),
  })

/** The path of the page of a public event. @param base the prefix of links, such as the calendar's address */
export const eventPath = ({ base }: { base: string }, event: Parameters<typeof eventSlugs>[0]): string =>
  `${base}/event/${eventSlugs(event).map(encodeURIComponent).join('/')}/`
