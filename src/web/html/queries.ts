import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { columnExpressions, columnList, decodeList, decodeRow, type RowOf } from '../../db/columns.ts'
import { literal, many, mapped, type Query, together } from '../../db/query.ts'
import { type UnknownValues, unknownValues } from '../../db/references.ts'
import { events, series, terms } from '../../db/schema.ts'
import { shaped } from '../../db/shapes.ts'
import { type UnionPart, unionOf } from '../../db/union.ts'
import type { Page, Rows } from '../../http/lists.ts'
import { type Image, imageColumns, imageJoin, readImage } from '../../resources/content/images.ts'
import { isNoTwin, isPublished } from '../../resources/content/visibility.ts'
import type { EventFilter } from '../../resources/events/listing/filters.ts'
import { listReferences } from '../../resources/events/listing/filters.ts'
import { eventPage } from '../../resources/events/listing/page.ts'
import { withPage } from '../../resources/events/queries.ts'
import { eventSlugs } from '../../resources/events/resource.ts'
import { seriesJoin, sharedTexts } from '../../resources/events/rows.ts'
import type { EventListParams } from '../../resources/events/schema.ts'
import { isUsedTerm } from '../../resources/terms/queries.ts'
import { CATEGORIES } from '../../resources/terms/resource.ts'
import type { Site } from './site.ts'
import { READ } from './text.ts'

// Events without texts and relations, for pages and files with hundreds of them.

const summaryColumns = {
  id: events.id,
  slug: events.slug,
  title: events.title,
  sticky: events.sticky,
  all_day: events.all_day,
  start_date: events.start_date,
  end_date: events.end_date,
  utc_start_date: events.utc_start_date,
  utc_end_date: events.utc_end_date,
  timezone: events.timezone,
  event_status: events.event_status,
  series_id: events.series_id,
}

/** An event without texts and relations, and the slug of its series; null for single events. */
export type EventSummary = ReturnType<typeof decodeRow<typeof summaryColumns>> & {
  series: { slug: string } | null
}

const summarySelection = shaped(() => sql`${columnList(summaryColumns)}, ${series.slug} AS series_slug`)

/** A query of events without their texts. @param from the FROM clause with `events` @param tail WHERE and further clauses */
const selectSummaries = (from: SQL, tail: SQL): Query<EventSummary[]> =>
  many(sql`SELECT ${summarySelection()} FROM ${from} ${seriesJoin} ${tail}`, raw => ({
    ...decodeRow(summaryColumns, raw),
    series: seriesWith(raw.series_slug),
  }))

/** A series with its slug; null for NULL. */
export const seriesWith = (slug: unknown): EventSummary['series'] =>
  typeof slug === 'string' ? { slug } : null

/** A part of a statement that selects events without their texts. @param page a table or subquery with their ids, in their order */
export const summaryPart = (page: SQL): UnionPart<EventSummary> => ({
  columns: [...columnExpressions(summaryColumns), sql`${series.slug}`],
  from: sql`FROM ${page} AS page CROSS JOIN ${events} ON ${events.id} = page.id ${seriesJoin}`,
  read: values => ({
    ...decodeList(summaryColumns, values),
    series: seriesWith(values[Object.keys(summaryColumns).length]),
  }),
})

/**
 * A query of the public dates of all series with a slug, latest first: a series that was split is several.
 *
 * @param most the most dates
 */
export function occurrencesOf({ context: { now } }: Site, slug: string, most: number): Query<EventSummary[]> {
  const ids = sql`(SELECT id FROM ${series} WHERE slug = ${slug.toLowerCase()})`
  return selectSummaries(
    sql`${events} INDEXED BY events_occurrence`,
    sql`WHERE ${events.series_id} IN ${ids} AND ${isNoTwin} AND ${isPublished(events, now)}
      ORDER BY ${events.utc_start_date} DESC, ${events.id} DESC LIMIT ${literal(most)}`,
  )
}

/** The path of the page of a public event. */
export const eventPath = ({ base }: Pick<Site, 'base'>, event: Parameters<typeof eventSlugs>[0]): string =>
  `${base}/event/${eventSlugs(event).map(encodeURIComponent).join('/')}/`

// Lists on pages only select what they show. With the API's serialization, including long texts, venues, organizers and terms, a
// page of 24 took 3.9 ms of CPU instead of 2.9, and 286 rows more (budget «page: list» of the benchmark).

const listedColumns = {
  id: events.id,
  slug: events.slug,
  title: events.title,
  all_day: events.all_day,
  start_date: events.start_date,
  end_date: events.end_date,
  utc_start_date: events.utc_start_date,
  utc_end_date: events.utc_end_date,
  timezone: events.timezone,
  cost: events.cost,
  ticket_availability: events.ticket_availability,
  featured: events.featured,
  event_status: events.event_status,
  is_virtual: events.is_virtual,
  image_id: events.image_id,
}

/** An event in a list. */
export type ListedEvent = RowOf<typeof listedColumns> & {
  /** Null for single events. */
  series: { slug: string } | null
  image: Image | null
  /** The beginning of the excerpt or, without one, of the description: one character more than summaries read. */
  text: string
  /** Its first public venue, and the number of public venues. */
  venue: { name: string; city: string; count: number }
  /** The name of its first category; '' without one. */
  category: string
}

/**
 * The first public venue of the event `page.id`, with the number of all, as JSON. With a single min(), SQLite takes the other columns
 * from the same row.
 */
export const VENUE = sql`(SELECT json_array(name, city, count(*), min(event_venues.position)) FROM event_venues
  CROSS JOIN venues ON venues.id = target_id AND (status = 'publish' OR (status = 'future' AND date_utc <= (SELECT now FROM present)))
  WHERE event_id = page.id)`

const CATEGORY = sql`(SELECT name FROM event_terms CROSS JOIN terms ON terms.id = target_id
  WHERE event_id = page.id AND taxonomy = 'event_category' ORDER BY sort_name, terms.id LIMIT 1)`

/** The events of a page, for a statement with the tables `page` and `present` (the time). */
const listedPart: UnionPart<ListedEvent & { position: number }> = {
  columns: [
    ...columnExpressions(listedColumns),
    sql`page.position`,
    sql`${series.slug}`,
    sql`substr(coalesce(nullif(${sharedTexts.excerpt}, ''), ${sharedTexts.description}), 1, ${literal(READ + 1)})`,
    sql`json(${VENUE})`,
    CATEGORY,
    ...columnExpressions(imageColumns),
  ],
  from: sql`FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${imageJoin(events.image_id)} ${seriesJoin}`,
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
      category: String(category ?? ''),
    }
  },
}

type EventQuery = {
  values: Partial<EventListParams>
  page: Page
  filters?: readonly EventFilter[]
}

/** The most categories in the filter form. */
const MOST_CATEGORIES = 200

const { id, parent, name, slug, path } = terms
const categoryColumns = { id, parent, name, slug, path }

/** A category on a page. */
export type Category = ReturnType<typeof decodeRow<typeof categoryColumns>>

const categories = shaped(
  () => sql`SELECT ${columnList(categoryColumns)} FROM ${terms}
    WHERE ${terms.taxonomy} = ${sql.raw(`'${CATEGORIES.taxonomy}'`)} AND ${isUsedTerm}
    ORDER BY sort_name, id LIMIT ${literal(MOST_CATEGORIES)}`,
)

/** A query of categories with events, including those above, by name. */
export const usedCategories = (): Query<Category[]> =>
  many(categories(), row => decodeRow(categoryColumns, row))

/** Events, and the filter values that don't exist. */
type KnownEvents<E> = Query<{ events: E; unknown: UnknownValues[] }>

const selectListed = unionOf({ events: listedPart })

/** A query of a page of events in a list. */
export function listedEvents(context: RequestContext, query: EventQuery): KnownEvents<Rows<ListedEvent>> {
  const page = eventPage(context, query)
  const withClause = sql`${withPage(page)}, present(now) AS (SELECT ${context.now})`
  return together({
    events: mapped(selectListed(withClause, page.total), ({ events, head }) => ({
      rows: events.sort((a, b) => a.position - b.position),
      total: head,
    })),
    unknown: unknownValues(listReferences(context, query.values)),
  })
}

/** A query of whether a page has events. */
export function hasEvents(context: RequestContext, query: EventQuery): Query<boolean> {
  const { shared, ids } = eventPage(context, query)
  return mapped(
    many(sql`${shared ? sql`WITH ${shared}` : sql``} ${ids}`, ({ id }) => id),
    found => found.length > 0,
  )
}

const selectMonth = unionOf({ events: summaryPart(sql`page`) })

/** A query of the events in an interval, without texts and relations. */
export function monthEvents(context: RequestContext, query: EventQuery): KnownEvents<EventSummary[]> {
  const { shared, ids } = eventPage(context, query)
  const withClause = sql`WITH ${shared ? sql`${shared}, ` : sql``}page(id) AS MATERIALIZED (${ids})`
  return together({
    events: mapped(selectMonth(withClause, sql`0`), ({ events }) => events),
    unknown: unknownValues(listReferences(context, query.values)),
  })
}
