import type { EventListParams } from '../../calendar/events/schema.ts'
import type { BaseContext, RequestContext } from '../../kit/context.ts'
import { combineQueries, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { queryOf } from '../../site/html/addresses.ts'
import { type FilterNames, filtersIn, selectFilterNames } from '../../site/html/filters.ts'
import { removableFilters } from '../../site/html/finder.ts'
import { pageContextOf } from '../../site/html/page-context.ts'
import { type Category, usedCategories } from '../../site/html/queries.ts'

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
type Subjects = { names: FilterNames; categories: Category[] }

export const selectSubjects = (context: BaseContext, values: Partial<EventListParams>): Query<Subjects> =>
  combineQueries({
    names: selectFilterNames(context, filtersIn(values)),
    categories: values.categories ? usedCategories() : resolvedQuery([]),
  })

/** The most characters of what a title says about filters. */
const MAX_SUBJECT_LENGTH = 100

export function feedHeadOf(
  context: RequestContext,
  values: Partial<EventListParams>,
  { names, categories }: Subjects,
): Pick<FeedHead, 'title' | 'page'> {
  const filters = filtersIn(values)
  const subjects = removableFilters(pageContextOf(context), filters, categories, names)
    .map(({ name }) => name)
    .join(', ')
  const subject =
    subjects.length > MAX_SUBJECT_LENGTH
      ? `${subjects.slice(0, MAX_SUBJECT_LENGTH).toWellFormed()}…`
      : subjects
  return {
    title: [subject, context.settings.siteName].filter(Boolean).join(' · '),
    page: `${context.site}/events/${queryOf(filters)}`,
  }
}
