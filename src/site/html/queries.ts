import { type SQL, sql } from 'drizzle-orm'
import { locatedSql } from '../../calendar/content/related/queries.ts'
import { noDuplicateSql, publishedSql } from '../../calendar/content/visibility.ts'
import { beginningOfToday } from '../../calendar/events/interval.ts'
import {
  type EventQuery,
  type EventsWithUnknown,
  type ListedEvent,
  seriesWith,
} from '../../calendar/events/listed-events.ts'
import { listReferences, locatedFilters } from '../../calendar/events/listing/filters.ts'
import { eventPage, pageStatement } from '../../calendar/events/listing/page.ts'
import { byStart, previousColumns, seriesJoin, timeColumns } from '../../calendar/events/rows.ts'
import { usedTermSql } from '../../calendar/terms/queries.ts'
import { CATEGORIES } from '../../calendar/terms/resource.ts'
import type { BaseContext } from '../../kit/context.ts'
import {
  columnExpressions,
  columnList,
  decodeList,
  decodeRow,
  type RowOf,
  type UnionPart,
  unionOf,
} from '../../kit/db/columns.ts'
import { listings } from '../../kit/db/derived.ts'
import {
  combineQueries,
  literal,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { selectUnknownValues } from '../../kit/db/references.ts'
import { sqlText } from '../../kit/db/statements.ts'
import {
  events,
  eventTerms,
  eventVenues,
  series,
  TAXONOMIES,
  type Taxonomy,
  terms,
  venues,
} from '../../kit/db/tables.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { type DateTime, dayOf } from '../../kit/lib/time.ts'
import { pick } from '../../kit/lib/values.ts'
import { type Filters, listFilters } from './filters.ts'
import type { PageContext } from './page-context.ts'

// Events without texts and relations, for pages and files with hundreds of them.

const summaryColumns = {
  id: events.id,
  slug: events.slug,
  title: events.title,
  sticky: events.sticky,
  ...timeColumns,
  ...previousColumns,
  event_status: events.event_status,
  ticket_availability: events.ticket_availability,
  is_virtual: events.is_virtual,
  virtual_event_type: events.virtual_event_type,
  series_id: events.series_id,
}

/** An event without texts and relations, and the slug of its series; null for single events. */
export type EventSummary = RowOf<typeof summaryColumns> & {
  series: { slug: string } | null
}

/**
 * A part of a statement that selects events without their texts.
 * @param page a table or subquery with their ids, in their order
 */
export const summaryPart = (page: SQL): UnionPart<EventSummary> => ({
  columns: [...columnExpressions(summaryColumns), sql`${series.slug}`],
  from: sql`FROM ${page} AS page CROSS JOIN ${events} ON ${events.id} = page.id ${seriesJoin}`,
  read: values => ({
    ...decodeList(summaryColumns, values),
    series: seriesWith(values[Object.keys(summaryColumns).length]),
  }),
})

const selectPage = unionOf({ events: summaryPart(sql`page`) })

/** An event of a week or month: with its first category. */
export type SpanEvent = EventSummary & Pick<ListedEvent, 'category'>

/** The ids of the terms of the event `page.id`, as JSON. */
const TERM_IDS = sql`(SELECT json_group_array(${eventTerms.target_id}) FROM ${eventTerms} WHERE ${eventTerms.event_id} = page.id)`

/** Events with the ids of their terms. Reading the terms of each as well would double the rows of a month. */
const withTermIds = <T>({ columns, from, read }: UnionPart<T>): UnionPart<T & { termIds: number[] }> => ({
  columns: [...columns, sql`json(${TERM_IDS})`],
  from,
  // From json_group_array() above.
  read: values => ({ ...read(values), termIds: values.at(-1) as number[] }),
})

const selectSpan = unionOf({ events: withTermIds(summaryPart(sql`page`)) })

/**
 * A query for the public dates of all series with a slug by start: a series that was split is several.
 * @param limit the number of dates; the latest ones are read
 */
export function selectSeriesOccurrences(
  { context }: PageContext,
  seriesSlug: string,
  limit: number,
): Query<EventSummary[]> {
  const latest = sql`SELECT ${events.id} FROM ${events} INDEXED BY events_occurrence
    WHERE ${events.series_id} IN (SELECT id FROM ${series} WHERE slug = ${seriesSlug.toLowerCase()})
    AND ${noDuplicateSql} AND ${publishedSql(events, context.clock.untrackedTime)}
    ORDER BY ${events.utc_start_date} DESC, ${events.id} DESC LIMIT ${literal(limit)}`
  return mapQuery(selectPage(sql`WITH page(id) AS NOT MATERIALIZED (${latest})`, sql`0`), ({ events }) =>
    events.sort(byStart),
  )
}

/** The most categories in the filter form. */
const MAX_CATEGORIES = 200

const categoryColumns = pick(terms, 'id', 'parent', 'name', 'slug', 'path', 'color')

export type Category = RowOf<typeof categoryColumns>

const usedCategoriesText = memoize(() =>
  sqlText(sql`SELECT ${columnList(categoryColumns)} FROM ${terms}
    WHERE ${terms.taxonomy} = ${literal(CATEGORIES.taxonomy)} AND ${usedTermSql}
    ORDER BY sort_name, id LIMIT ${literal(MAX_CATEGORIES)}`),
)

/** A query for categories with events, including their ancestors, by name. */
export const selectUsedCategories = (): Query<Category[]> =>
  many(usedCategoriesText(), row => decodeRow(categoryColumns, row))

/** Slugs of categories and tags for children, in the languages of the pages. */
const CHILDREN_SLUGS = (
  'kids children family for-kids for-children kinder familie familien fuer-kinder ' +
  'ninos infantil familia para-ninos enfants famille en-famille jeune-public'
).split(' ')

/**
 * The filters and displays that the bar offers because an upcoming event matches them: cost, access,
 * position, terms for children, and the map, which also has events that have begun.
 */
export type Offers = {
  isFree: boolean
  isAccessible: boolean
  isLocated: boolean
  isOnMap: boolean
  forChildren: { taxonomy: Taxonomy; id: number; slug: string; name: string }[]
}

/** A condition for an event to come among those that a condition on `listings` finds. */
const comingSql = (context: BaseContext, condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${listings} WHERE ${condition} AND utc_start_date >= ${beginningOfToday(context)})`

/** A condition for an event to come among those of an index of `events`. */
const comingInIndexSql = (context: BaseContext, index: SQL, condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} INDEXED BY ${index}
    WHERE listed AND ${condition} AND utc_start_date >= ${beginningOfToday(context)})`

/** A condition for an event to come with access by wheelchair: its own or, if it has none, that of a venue. */
const anyAccessibleSql = (context: BaseContext): SQL => {
  const atVenueSql = sql`facet = 'venue' AND target_id = ${venues.id}
    AND EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = event_id AND ${events.wheelchair} = '')`
  return sql`(${comingInIndexSql(context, sql`events_accessible`, sql`wheelchair = 'yes'`)}
    OR EXISTS (SELECT 1 FROM ${venues} INDEXED BY venues_accessible
      WHERE ${venues.status} = 'publish' AND ${venues.wheelchair} = 'yes' AND ${comingSql(context, atVenueSql)}))`
}

// Written into the statement, since D1 bills each row of a list in JSON.
const CHILDREN = sql.raw(CHILDREN_SLUGS.map(each => `'${each}'`).join())

/**
 * The number of events to come among which one must have a position. Most calendars have one among the first.
 */
const MAX_UNLOCATED = 20

/**
 * A condition that one of the next events has a position. Calendars without any position read no events for
 * it.
 */
const anyLocatedSql = (context: BaseContext): SQL =>
  sql`EXISTS (SELECT 1 FROM ${venues} WHERE ${locatedSql}) AND EXISTS (
    SELECT 1 FROM (SELECT event_id FROM ${listings} WHERE facet = 'event' AND target_id = 0
      AND utc_start_date >= ${beginningOfToday(context)} ORDER BY utc_start_date, event_id
      LIMIT ${literal(MAX_UNLOCATED)}) AS coming
    CROSS JOIN ${eventVenues} ON ${eventVenues.event_id} = coming.event_id
    CROSS JOIN ${venues} ON ${venues.id} = ${eventVenues.target_id}
    WHERE iif(${locatedSql}, 1, 0) AND ${publishedSql(venues, context.clock.untrackedTime)})`

/** A query that tells whether a page has events. */
export const selectHasEvents = (context: BaseContext, query: EventQuery): Query<boolean> =>
  mapQuery(
    many(pageStatement(eventPage(context, query)), ({ id }) => id),
    eventIds => eventIds.length > 0,
  )

/** A query for what the bar offers. Each filter is one look-up in an index. */
export function selectBarOffers({ context, settings, today }: PageContext): Query<Offers> {
  const values = { happening: `${dayOf(today)}/..` }
  const locatedList = {
    values,
    page: { page: 1, perPage: 1, offset: 0 },
    filters: locatedFilters(context, values),
  }
  const childrensTerms = (
    taxonomy: string,
  ) => sql`SELECT taxonomy, id, slug, name FROM ${terms} INDEXED BY terms_slug
      WHERE taxonomy = ${literal(taxonomy)} AND slug IN (${CHILDREN})
      AND ${comingSql(context, sql`facet = 'term' AND target_id = ${terms.id}`)}`
  const offerRows = many(
    sql`SELECT 'access' AS taxonomy, 0 AS id, '' AS slug, '' AS name
      WHERE ${anyAccessibleSql(context)}
      UNION ALL SELECT 'cost', 0, '', '' WHERE ${comingInIndexSql(context, sql`events_free`, sql`is_free = 1`)}
      UNION ALL SELECT 'position', 0, '', '' WHERE ${anyLocatedSql(context)}
      UNION ALL ${childrensTerms('event_category')} UNION ALL ${childrensTerms('event_tag')}`,
    { taxonomy: readText, id: readNumber, slug: readText, name: readText },
  )
  return combineQueries(
    { offerRows, isOnMap: settings.map ? selectHasEvents(context, locatedList) : resolvedQuery(false) },
    ({ offerRows, isOnMap }) => ({
      isFree: offerRows.some(({ taxonomy }) => taxonomy === 'cost'),
      isAccessible: offerRows.some(({ taxonomy }) => taxonomy === 'access'),
      isLocated: offerRows.some(({ taxonomy }) => taxonomy === 'position'),
      isOnMap,
      forChildren: offerRows.flatMap(row =>
        TAXONOMIES.flatMap(taxonomy => (row.taxonomy === taxonomy ? [{ ...row, taxonomy }] : [])),
      ),
    }),
  )
}

/** The most events of a week or month that are shown. */
export const MAX_IN_SPAN = 1_000

/**
 * A query for the events in a span of days by start, without texts and relations, one more than are shown.
 * They are put in order here: D1 bills every row that SQLite sorts or materializes, which doubled the rows of
 * a full month.
 */
export function selectEventsInSpan(
  context: BaseContext,
  filters: Filters,
  days: readonly DateTime[],
): EventsWithUnknown<SpanEvent[]> {
  const happening = `${dayOf(days[0] ?? '')}/${dayOf(days.at(-1) ?? '')}`
  const values = { ...listFilters(filters), happening }
  const limit = MAX_IN_SPAN + 1
  const { shared, ids, starts } = eventPage(context, { values, page: { page: 1, perPage: limit, offset: 0 } })
  // The limit is twice the number, so that events that began before the span find room beside those that
  // start in it.
  const page = starts ? sql`SELECT id FROM (${starts}) LIMIT ${literal(2 * limit)}` : ids
  const withClause = sql`WITH ${shared ? sql`${shared}, ` : sql``}page(id) AS NOT MATERIALIZED (${page})`
  return combineQueries({
    events: combineQueries(
      { span: selectSpan(withClause, sql`0`), categories: selectUsedCategories() },
      ({ span, categories }) =>
        span.events
          .sort(byStart)
          .slice(0, limit)
          .map(({ termIds, ...event }) => ({
            ...event,
            category: categories.find(({ id }) => termIds.includes(id)) ?? null,
          })),
    ),
    unknown: selectUnknownValues(listReferences(context, values)),
  })
}
