import { sql } from 'drizzle-orm'
import { readableSql } from '../../calendar/content/visibility.ts'
import type { EventListParams } from '../../calendar/events/schema.ts'
import type { BaseContext, RequestContext } from '../../kit/context.ts'
import { combineQueries, eachOf, many, type Query, readText, resolvedQuery } from '../../kit/db/query.ts'
import { events, series } from '../../kit/db/tables.ts'
import { queryOf } from '../../site/html/addresses.ts'
import { type FilterNames, filtersIn, selectFilterNames } from '../../site/html/filters.ts'
import { removableFilters } from '../../site/html/finder.ts'
import { pageContextOf } from '../../site/html/page-context.ts'
import { type Category, selectUsedCategories } from '../../site/html/queries.ts'
import { plain } from '../../site/html/text.ts'

/** What a feed says of itself. */
export type FeedHead = {
  /**
   * What the feed is filtered by, and the name of the calendar: people have several feeds of one calendar.
   */
  title: string
  /** The page with these events. */
  page: string
  /** The address of the feed itself. */
  address: string
}

/** The names of what filters of feeds mean. */
type Subjects = { series: string[]; names: FilterNames; categories: Category[] }

/** A query for the titles of series that a date which the caller may read shows. */
const selectTitles = (context: BaseContext, ids: readonly number[]): Query<string[]> =>
  many(
    sql`SELECT ${series.title} AS title FROM ${eachOf(ids)} CROSS JOIN ${series} ON ${series.id} = value
      WHERE EXISTS (SELECT 1 FROM ${events}
        WHERE ${events.series_id} = ${series.id} AND ${events.title} = ${series.title} AND ${readableSql(events, context)})
      ORDER BY key`,
    row => plain(readText(row.title)),
  )

export const selectSubjects = (context: BaseContext, values: Partial<EventListParams>): Query<Subjects> =>
  combineQueries({
    series: values.series ? selectTitles(context, values.series) : resolvedQuery([]),
    names: selectFilterNames(context, filtersIn(values)),
    categories: values.categories ? selectUsedCategories() : resolvedQuery([]),
  })

/** The most characters of what a title says about filters. */
const MAX_SUBJECT_LENGTH = 100

export function feedHeadOf(
  context: RequestContext,
  values: Partial<EventListParams>,
  { series: titles, names, categories }: Subjects,
): Pick<FeedHead, 'title' | 'page'> {
  const filters = filtersIn(values)
  const filterNames = removableFilters(pageContextOf(context), filters, categories, names)
  const subjects = [...titles, ...filterNames.map(({ name }) => name)].join(', ')
  const subject =
    subjects.length > MAX_SUBJECT_LENGTH
      ? `${subjects.slice(0, MAX_SUBJECT_LENGTH).toWellFormed()}…`
      : subjects
  return {
    title: [subject, context.settings.siteName].filter(Boolean).join(' · '),
    page: `${context.site}/events/${queryOf(filters)}`,
  }
}
