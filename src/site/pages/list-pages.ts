import {
  type Interval,
  intervalOf,
  nextSecond,
  UNBOUNDED,
  withinBounds,
} from '../../calendar/events/interval.ts'
import {
  type EventQuery,
  type EventsWithUnknown,
  type ListedEvent,
  selectListedEvents,
} from '../../calendar/events/listed-events.ts'
import { listReferences } from '../../calendar/events/listing/filters.ts'
import { byStart } from '../../calendar/events/rows.ts'
import { combineQueries, mapQuery, type Query } from '../../kit/db/query.ts'
import { selectUnknownValues } from '../../kit/db/references.ts'
import type { Rows } from '../../kit/http/lists.ts'
import { type Day, dayOf, MORNING, startOfDay, toUtc } from '../../kit/lib/time.ts'
import type { PageContext } from '../html/page-context.ts'

// How the lists of pages are read: the time that they cover, and first pages, which have all that has begun.

/**
 * The time of a list: from a day on, or before it. The two together cover every event once. An event that
 * ends by 6:00 belongs to the day before, except during that night itself.
 */
export function listInterval(
  { context, today }: PageContext,
  day: Day,
  { isPast = false, until = '..' } = {},
): Interval {
  const utc = (clock: string) => toUtc(`${day} ${clock}`, context.settings.timezone)
  const start = utc('00:00:00')
  const morning = utc(MORNING)
  const isNight = day === dayOf(today) && !context.clock.hasPassed(morning)
  const end = nextSecond(isNight ? start : morning)
  if (isPast) return { ...UNBOUNDED, startBefore: start, endBefore: end }
  return { ...intervalOf(context, { happening: `${day}/${until}` }).interval, endFrom: end }
}

/**
 * The most events that have begun on a first page. If there are more, those that end first are left out: most
 * of them are over.
 */
const MAX_BEGUN = 100

type ListQuery = EventQuery & { interval: Interval }

/**
 * A page of a list: its rows in the order of time, and one more if there is one, which begins the next page.
 */
export type RowsOfPage = Rows<ListedEvent> & {
  /** The number of its rows, without the additional one. */
  size: number
  /** How many of its rows a first page adds because they had begun; 0 on any other page. */
  begun: number
  /** Its number in the whole list; of a first page, the number of the page with which it ends. */
  last: number
}

/** A query for a page of a list. @param isFirst true for {@link selectFirstPage}; by default, for page 1 */
export function selectListPage(
  site: PageContext,
  day: Day,
  query: ListQuery,
  isFirst = query.page.page === 1,
): EventsWithUnknown<RowsOfPage> {
  const { page, values } = query
  const { perPage } = page
  // A search is not about today, and takes events as they come.
  const events =
    isFirst && values.search === undefined
      ? selectFirstPage(site, day, query)
      : mapQuery(
          selectListedEvents(site.context, { ...query, page: { ...page, perPage: perPage + 1 } }),
          (events): RowsOfPage => ({ ...events, size: perPage, begun: 0, last: page.page }),
        )
  return combineQueries({ events, unknown: selectUnknownValues(listReferences(site.context, values)) })
}

/**
 * A query for a first page, on which events that run for weeks or are over do not push out any that are to
 * come. It has all events that have begun: today those that have by now, on another day those that began
 * before it. In addition, it has half a page to one and a half of events to come, up to the end of a page of
 * the whole list. So further pages have the same numbers and events all day, however much has begun since.
 */
function selectFirstPage(
  { context, today }: PageContext,
  day: Day,
  { interval, values, page: { perPage }, ...query }: ListQuery,
): Query<RowsOfPage> {
  const { clock, settings } = context
  const isToday = day === dayOf(today)
  const startFrom = isToday ? nextSecond(clock.untrackedTime) : toUtc(startOfDay(day), settings.timezone)
  const queries = {
    begun: selectListedEvents(context, {
      ...query,
      values: { ...values, orderby: 'end_date', order: 'desc' },
      interval: withinBounds(interval, { startBefore: startFrom }),
      page: { page: 1, perPage: MAX_BEGUN, offset: 0 },
    }),
    coming: selectListedEvents(context, {
      ...query,
      values,
      interval: withinBounds(interval, { startFrom }),
      page: { page: 1, perPage: Math.ceil(1.5 * perPage), offset: 0 },
    }),
  }
  return mapQuery(combineQueries(queries), ({ begun, coming }) => {
    const [next] = coming.rows
    if (isToday && next) clock.changesAt(next.utc_start_date)
    const pages = Math.ceil((begun.total + perPage / 2) / perPage)
    const size = begun.rows.length + pages * perPage - begun.total
    return {
      rows: [...begun.rows.sort(byStart), ...coming.rows].slice(0, size + 1),
      total: begun.total + coming.total,
      size,
      begun: begun.rows.length,
      // If some of what has begun is missing, the next page is the second one, which may have it.
      last: begun.total > begun.rows.length ? 1 : pages,
    }
  })
}
