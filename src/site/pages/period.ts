import { type Interval, intervalOf, UNBOUNDED } from '../../calendar/events/interval.ts'
import {
  type EventsWithUnknown,
  type ListedEvent,
  selectListedWithoutTotal,
} from '../../calendar/events/listed-events.ts'
import { combineQueries, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { sliceOf } from '../../kit/http/lists.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { takesPlace } from '../../kit/lib/statuses.ts'
import { capitalized, searchWords } from '../../kit/lib/text.ts'
import { addDays, addMonths, type DateTime, dayOf, lastExpectedDay, toUtc } from '../../kit/lib/time.ts'
import { filled } from '../../words/words.ts'
import {
  dayPath,
  keptQuery,
  monthPath,
  pathAndQuery,
  queryOf,
  type Selection,
  selectionAddress,
  TODAY_PATHS,
} from '../html/addresses.ts'
import { dayAgenda, isOngoing, nextCard, todayFirst } from '../html/agenda.ts'
import {
  assertOwnPath,
  definePage,
  type MountPage,
  type PageDocument,
  redirect,
} from '../html/define-page.ts'
import { type DatedEvent, isOver, withTimes } from '../html/events.ts'
import { assertNotCalendar, assertNotCalendarYet } from '../html/feeds.ts'
import {
  type Filters,
  filtersIn,
  isUnfiltered,
  listFilters,
  type SitePageParams,
  selectFilterNames,
  sitePage,
} from '../html/filters.ts'
import { type Html, html, type PagerLink, pager } from '../html/html.ts'
import type { ListedLink } from '../html/json-ld.ts'
import type { PageContext } from '../html/page-context.ts'
import { selectBarOffers, selectEventsInSpan, selectUsedCategories } from '../html/queries.ts'
import { readListOrSimilar } from '../html/similar-search.ts'
import { dateOf, dayFrom, dayText, monthIn, weeksShown } from '../html/when.ts'
import type { DayRange } from './bar.ts'
import { eventsPage, noEvents, similarTo } from './events-page.ts'
import { assertFiltersExist, pageCount } from './list.ts'
import { selectListPage } from './list-pages.ts'
import { daysOfMonth, monthName, placeEvents } from './month-days.ts'
import { monthTable } from './month-table.ts'
import { type Suggestions, selectSuggestions, suggestedEvents } from './suggestions.ts'

// The pages of a day, a week and a month, each with a previous and a next one.

/** The request for a page: the beginning of its period, and its parameters. */
type PeriodInput = {
  start: DateTime
  path: string
  filters: Filters
  query: SitePageParams
  selection: Selection
}

type PeriodView = {
  title: string
  /** The heading, if it is not the title. */
  heading?: Html
  description: string
  /** The days of the period, for links to the days that most people look for. */
  days?: DayRange
  /** The content, also for a period without events. */
  body: Html | ''
  isEmpty: boolean
  listed: readonly ListedLink[]
  /** True if there are more events than the page shows. */
  isCut?: boolean
  /** True for a further page of the period. */
  isFurther?: boolean
}

type Period<T> = {
  display: 'day' | 'week' | 'month'
  /** The path of the page in Hono's notation, with the parameter `name`. */
  pattern: string
  /** The beginning of the period with a name, or of the present one; undefined if there is none. */
  startOf: (site: PageContext, name: string | undefined) => DateTime | undefined
  path: (day: DateTime) => string
  /** The beginning of the period before or after another; undefined beyond the limits of dates. */
  from: (start: DateTime, by: 1 | -1) => DateTime | undefined
  /** The first and the last day that a page shows. */
  daysOf: (site: PageContext, start: DateTime) => readonly [first: DateTime, last: DateTime]
  /**
   * The texts of links to a period, to the present one, and of a page without events. The bar links to today.
   */
  nameOf: (site: PageContext, start: DateTime) => string
  present?: 'thisWeek' | 'thisMonth'
  nothing: 'nothing' | 'nothingInWeek' | 'nothingInMonth'
  /**
   * The number of months from today up to which search engines should follow links, because there is always
   * another month.
   */
  farMonths: number
  select: (site: PageContext, input: Pick<PeriodInput, 'start' | 'filters' | 'query'>) => EventsWithUnknown<T>
  view: (site: PageContext, events: T, input: PeriodInput) => PeriodView
}

/** The pages of the present period and of periods with a name. */
export const periodRoutes = <T>(period: Period<T>): MountPage[] => [
  periodRoute(period, TODAY_PATHS[period.display]),
  periodRoute(period, period.pattern),
]

const selectionOf = <T>(
  { display, path: pathOf }: Period<T>,
  site: PageContext,
  { start, query }: Pick<PeriodInput, 'start' | 'query'>,
): Selection => {
  const { evening, exact } = query
  const date = pathOf(start) === pathOf(site.today) ? undefined : dayOf(start)
  return { display, filters: filtersIn(query), date, evening, exact }
}

function selectPeriod<T>(
  period: Period<T>,
  site: PageContext,
  { start, query }: Pick<PeriodInput, 'start' | 'query'>,
) {
  const selection = selectionOf(period, site, { start, query })
  const { filters } = selection
  return combineQueries({
    listing: period.select(site, { start, filters, query }),
    categories: selectUsedCategories(),
    offers: selectBarOffers(site),
    names: selectFilterNames(site.context, filters),
    input: resolvedQuery({ start, path: period.path(start), filters, query, selection }),
  })
}

/** The days of a period, as a value of `happening`. */
function daysIn<T>(period: Period<T>, site: PageContext, start: DateTime): string {
  const [first, last] = period.daysOf(site, start)
  return `${dayOf(first)}/${dayOf(last)}`
}

type LoadedPeriod<T> = ReturnType<typeof selectPeriod<T>> extends Query<infer L> ? L : never

function periodRoute<T>(period: Period<T>, address: string): MountPage {
  const { display, path: pathOf } = period
  return definePage({
    path: address,
    query: sitePage,
    load: (site, { params, query }) => {
      const filters = filtersIn(query)
      const { date, ical } = query
      if (date !== undefined && !ical)
        throw redirect(selectionAddress(site, selectionOf(period, site, { start: date, query })), 302)
      const name = date === undefined ? params.name : pathOf(date).split('/')[2]
      const start = period.startOf(site, name)
      if (start === undefined) throw new ApiError('rest_no_route', `There is no such ${display}.`)
      assertNotCalendarYet(site, query, filters, daysIn(period, site, start))
      return selectPeriod(period, site, { start, query })
    },
    respond: async (site, pageInput) => {
      const { params, url } = pageInput
      const { start, path } = pageInput.loaded.input
      assertFiltersExist(pageInput.loaded.listing.unknown)
      const viewOf = ({ listing, input }: LoadedPeriod<T>) => period.view(site, listing.events, input)
      // A view is the slowest part of a page: it is made once, unless similar words are shown instead.
      const loadedView = viewOf(pageInput.loaded)
      const { loaded, typed, suggestions } = await readListOrSimilar(site.context, pageInput, {
        read: query => site.context.db.read(selectPeriod(period, site, { start, query })),
        selectSuggestions: () => {
          const [first, last] = period.daysOf(site, start)
          const days = { from: dayOf(first), until: dayOf(last) }
          return selectSuggestions(site, { filters: pageInput.loaded.input.filters, days })
        },
        isEmpty: read => (read === pageInput.loaded ? loadedView : viewOf(read)).isEmpty,
      })
      assertNotCalendar(site, pageInput.query, loaded.input.filters, daysIn(period, site, start))
      if (params.name !== undefined) assertOwnPath(path, url)
      const similar = similarTo(site, pageInput.query, { typed, selection: loaded.input.selection })
      const view = loaded === pageInput.loaded ? loadedView : viewOf(loaded)
      return periodPage(site, period, { loaded, view, similar, suggestions })
    },
  })
}

type ShownPeriod<T> = {
  loaded: LoadedPeriod<T>
  view: PeriodView
  similar: ReturnType<typeof similarTo>
  suggestions: Suggestions | undefined
}

function periodPage<T>(
  site: PageContext,
  period: Period<T>,
  { loaded, view, similar, suggestions }: ShownPeriod<T>,
): PageDocument {
  const { words } = site
  const { categories, names, offers, input } = loaded
  const { path, filters, selection } = input
  const { title, heading, description, days, body, isEmpty, listed, isCut, isFurther } = view
  const { links, previous, next } = periodPager(site, period, input)
  const list = {
    address: selectionAddress(site, { ...selection, display: 'list', date: undefined }),
    text: words.seeUpcoming,
  }
  const unfilteredAddress = isUnfiltered(filters)
    ? undefined
    : selectionAddress(site, { ...selection, filters: {} })
  return eventsPage(site, {
    selection,
    categories,
    offers,
    names,
    similar,
    days,
    heading: heading ?? html`<h1>${title}</h1>`,
    aside: links,
    body: html`${isCut && html`<p class="notice">${words.tooMany}</p>`}
${isEmpty && noEvents(site, { unfiltered: unfilteredAddress, title: words[period.nothing] }, [list])}
${suggestions && suggestedEvents(site, suggestions, { categories, names })}
${body}`,
    listed,
    title,
    description,
    canonical: path,
    isUnlisted: isEmpty || isFurther || !isUnfiltered(filters),
    previous,
    next,
  })
}

/** The links to the periods before and after, and to the present one. */
function periodPager<T>(site: PageContext, period: Period<T>, { start, selection }: PeriodInput) {
  const { display, from, nameOf, present, farMonths } = period
  const earliest = addMonths(site.today, -farMonths)
  const latest = addMonths(site.today, farMonths)
  const stepTo = (moment: DateTime | undefined): PagerLink =>
    moment === undefined
      ? undefined
      : {
          address: selectionAddress(site, { ...selection, date: dayOf(moment) }),
          text: nameOf(site, moment),
          isNofollow: moment < earliest || moment > latest,
        }
  const before = stepTo(from(start, -1))
  const after = stepTo(from(start, 1))
  const today: PagerLink =
    present && selection.date !== undefined
      ? { address: selectionAddress(site, { ...selection, date: undefined }), text: site.words[present] }
      : undefined
  const links = pager(site.words[display], { before, after, today })
  return { links, previous: before?.address, next: after?.address }
}

export const monthRoutes = periodRoutes({
  display: 'month',
  pattern: '/events/:name{\\d\\d\\d\\d-\\d\\d}/',
  startOf: ({ today }, name = today.slice(0, 7)) => monthIn(name),
  path: monthPath,
  from: (month, by) => monthIn(addMonths(month, by).slice(0, 7)),
  daysOf: daysOfMonth,
  nameOf: ({ dates }, month) => dates.format('month', month),
  present: 'thisMonth',
  nothing: 'nothingInMonth',
  farMonths: 24,
  select: (site, { start, filters }) =>
    selectEventsInSpan(site.context, filters, weeksShown(site, start).flat()),
  view: (site, events, { start, selection }) => {
    const { words, context } = site
    const month = placeEvents(site, start, events)
    const title = monthName(site, start, false)
    return {
      title: capitalized(title),
      heading: html`<h1>${capitalized(monthName(site, start))}</h1>`,
      description: filled(words.monthDescription, { month: title, site: context.settings.siteName }),
      body: monthTable(site, month, keptQuery(site, selection)),
      isEmpty:
        month.throughout.length === 0 && month.shownDays.every(day => !month.days.get(day)?.slots.length),
      listed: [
        ...month.throughout,
        ...month.shownDays.flatMap(day => month.days.get(day)?.slots ?? []),
      ].flatMap(slot => (slot ? [slot.event] : [])),
      isCut: month.isCut,
    }
  },
})

const EVENING_START = '17:00:00'

/** Events on the page of a day: most days fit on one. */
const PER_PAGE = 50

const pageIn = ({ context }: PageContext, { page }: SitePageParams) =>
  sliceOf({ page, per_page: PER_PAGE }, context)

/** The events of a day that begin in the evening. Events that last all day are not among them. */
const eveningOf = ({ context }: PageContext, day: DateTime): Interval => {
  const { timezone } = context.settings
  return {
    ...UNBOUNDED,
    startFrom: toUtc(`${dayOf(day)} ${EVENING_START}`, timezone),
    startBefore: toUtc(addDays(day, 1), timezone),
  }
}

const titleOfDay = (site: PageContext, day: DateTime, isEvening = false): string => {
  const { words, today } = site
  const title = capitalized(dayText(site, 'dayInMonth', day))
  if (!isEvening) return title
  return day === today ? words.tonight : `${title}, ${words.evening}`
}

/** The number of events that are read for what comes after an empty today. */
const MAX_NEXT_READ = 4

/**
 * A query for the events after a day, for the page of today, which says what comes next if nothing is left of
 * the day.
 */
function selectNext(
  { context, today }: PageContext,
  { start, filters, query }: Pick<PeriodInput, 'start' | 'filters' | 'query'>,
): Query<ListedEvent[]> {
  if (start !== today || query.page !== undefined) return resolvedQuery([])
  const startFrom = toUtc(addDays(start, 1), context.settings.timezone)
  return selectListedWithoutTotal(context, {
    values: listFilters(filters),
    interval: { ...UNBOUNDED, startFrom },
    page: { page: 1, perPage: MAX_NEXT_READ, offset: 0 },
  })
}

export const dayRoutes = periodRoutes({
  display: 'day',
  pattern: '/events/:name{\\d\\d\\d\\d-\\d\\d-\\d\\d}/',
  startOf: ({ today }, name) => (name === undefined ? today : dateOf(name)),
  path: dayPath,
  from: dayFrom,
  daysOf: (_, day) => [day, day],
  nameOf: ({ dates }, day) => dates.format('shortDay', day),
  nothing: 'nothing',
  farMonths: 12,
  select: (site, input) => {
    const { start, filters, query } = input
    const day = dayOf(start)
    const listing = selectListPage(site, day, {
      values: listFilters(filters),
      interval: query.evening
        ? eveningOf(site, start)
        : intervalOf(site.context, { happening: day }).interval,
      page: pageIn(site, query),
    })
    return combineQueries({ listing, next: selectNext(site, input) }, ({ listing, next }) => ({
      ...listing,
      events: { ...listing.events, next },
    }))
  },
  view: (site, { rows: readRows, total, size, last, next }, { start, path, query, selection }) => {
    const { words, dates, context } = site
    const rows = readRows.slice(0, size)
    const page = pageIn(site, query)
    const pages = pageCount(page, rows.length, total)
    const day = dayOf(start)
    const { evening } = query
    const isToday = start === site.today
    // As in weeks and months, what ends in the small hours belongs to the evening before, and an all-day
    // event in another zone belongs to its own days, unless it is still on.
    const isOn = ({ event, times }: DatedEvent): boolean =>
      lastExpectedDay(times) >= day || (isToday && !isOver(site, event))
    const datedEvents = rows.map(row => withTimes(site, row))
    const events = datedEvents.filter(shown => shown.times.firstDay <= day && isOn(shown))
    const title = titleOfDay(site, start, evening)
    // Ongoing events do not count as events of today.
    const ongoing = events.filter(shown => isOngoing(site, shown, day))
    const shortEvents = events.filter(shown => !ongoing.includes(shown))
    const hasMoreToday = page.page > 1 || last < pages || todayFirst(site, shortEvents).coming.length > 0
    // All-day events of tomorrow have begun in zones further east.
    const tomorrow = datedEvents.filter(({ times }) => times.firstDay > day).map(({ event }) => event)
    const [first, ...otherEvents] =
      isToday && !hasMoreToday
        ? [...tomorrow, ...next].filter(({ event_status }) => takesPlace(event_status))
        : []
    const marks = searchWords(query.search ?? '')
    const list = (events.length > 0 || first) && dayAgenda(site, { events, day, marks, later: otherEvents })
    const pageLink = (n: number, text: string): PagerLink =>
      n >= 1 && n <= pages
        ? {
            address:
              path + queryOf(selection.filters, { ...pathAndQuery(site, selection).furtherValues, page: n }),
            text,
          }
        : undefined
    const before = pageLink(page.page - 1, words.earlier)
    const after = pageLink(last + 1, words.later)
    return {
      title,
      ...(isToday && {
        heading: html`<h1>${evening ? words.tonight : words.today}</h1><p class="count">${capitalized(dates.format('shortDay', start))}</p>`,
      }),
      description: filled(words.dayDescription, { day: title, site: context.settings.siteName }),
      days: { from: day, to: day, ...(evening && { isEvening: true }) },
      body: html`${first && nextCard(site, withTimes(site, first), { hadSome: shortEvents.length > 0, ongoing, isEvening: evening === true })}${list}
${pager(words.pages, { before, after })}`,
      listed: [...events.map(({ event }) => event), ...(first ? [first, ...otherEvents] : [])],
      // Words without hits are searched for in a similar spelling.
      isEmpty: events.length === 0 && (!first || query.search !== undefined),
      isFurther: page.page > 1 || evening === true,
    }
  },
})
