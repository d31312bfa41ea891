import { withinBounds } from '../../calendar/events/interval.ts'
import type { ListedEvent } from '../../calendar/events/listed-events.ts'
import type { EventFilter } from '../../calendar/events/listing/filters.ts'
import { combineQueries, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { reportUnknown, type UnknownValues } from '../../kit/db/references.ts'
import { type ListSlice, sliceOf } from '../../kit/http/lists.ts'
import { ApiError, ValidationErrors } from '../../kit/lib/errors.ts'
import { capitalized, searchWords } from '../../kit/lib/text.ts'
import { type DateTime, type Day, dayOf, daysLater, startOfDay, toUtc, toWall } from '../../kit/lib/time.ts'
import { isNear } from '../../words/dates.ts'
import { filled, plural } from '../../words/words.ts'
import {
  categoryPath,
  pathAndQuery,
  queryOf,
  type Selection,
  selectionAddress,
  TODAY_PATHS,
} from '../html/addresses.ts'
import { eventGroups, groupByDay } from '../html/agenda.ts'
import { definePage, type PageDocument } from '../html/define-page.ts'
import { leadingEvents, selectFeatured } from '../html/featured.ts'
import { assertNotCalendar, assertNotCalendarYet } from '../html/feeds.ts'
import {
  type FilterNames,
  type Filters,
  filtersIn,
  isUnfiltered,
  listFilters,
  type SitePageParams,
  selectFilterNames,
  sitePage,
} from '../html/filters.ts'
import { type Html, html, type PagerLink, pager } from '../html/html.ts'
import { type NamedRow, namedHits, selectNamed } from '../html/name-hits.ts'
import type { PageContext } from '../html/page-context.ts'
import {
  type Category,
  type Offers,
  selectBarOffers,
  selectHasEvents,
  selectUsedCategories,
} from '../html/queries.ts'
import { readListOrSimilar } from '../html/similar-search.ts'
import { dayText } from '../html/when.ts'
import { type DayRange, jumpForm } from './bar.ts'
import { type EventsPage, eventsPage, noEvents, similarTo } from './events-page.ts'
import { listInterval, type RowsOfPage, selectListPage } from './list-pages.ts'
import { type Suggestions, selectSuggestions, suggestedEvents } from './suggestions.ts'

// Lists of events by day, with pages: the list of all events, and the parts that it shares with the lists of
// a term, venue or organizer.

/** Refuses filters with values that don't exist. @throws ApiError */
export function assertFiltersExist(unknownValues: readonly UnknownValues[]): void {
  const errors = new ValidationErrors()
  reportUnknown(errors, unknownValues)
  errors.throwIfAny()
}

/** The number of pages. @throws ApiError for a page after the last one; an empty first page is fine */
export function pageCount(slice: ListSlice, rowCount: number, total: number): number {
  if (slice.page > 1 && rowCount === 0)
    throw new ApiError('event-archive-page-not-found', 'There is no such page.')
  return Math.ceil(total / slice.perPage)
}

type ListedPage = {
  events: RowsOfPage
  unknown: UnknownValues[]
  categories: Category[]
  offers: Offers
  slice: ListSlice
  /** False if the calendar certainly has no past events. */
  hasPast: boolean
  /** The featured events that lead the list of all events. */
  featured?: readonly ListedEvent[]
}

/**
 * The days of a list with an end. An end before the start is ignored: the form sends both, and people often
 * change only the start.
 */
export function requestedDays({ date, until, past }: SitePageParams): DayRange | undefined {
  if (date === undefined || until === undefined || past || until < date) return undefined
  return { from: date, to: until }
}

/** A query for a page of a list. @param filters the filters that have no parameter */
export function selectList(
  site: PageContext,
  query: SitePageParams,
  filters: readonly EventFilter[] = [],
): Query<ListedPage> {
  const { context, today, settings } = site
  const slice = sliceOf({ page: query.page, per_page: settings.eventsPerPage }, context)
  const chosenFilters = listFilters(filtersIn(query))
  const day = query.date ?? dayOf(today)
  const { from, before: beforeDay, past } = query
  const values = { ...chosenFilters, ...((past || beforeDay !== undefined) && { order: 'desc' as const }) }
  const startOfDayUtc = (name: string): DateTime => toUtc(startOfDay(name), context.settings.timezone)
  const interval = withinBounds(listInterval(site, day, { isPast: past, until: requestedDays(query)?.to }), {
    ...(from !== undefined && { startFrom: startOfDayUtc(from) }),
    ...(beforeDay !== undefined && { startBefore: startOfDayUtc(beforeDay) }),
  })
  const pastEvents = {
    values: chosenFilters,
    interval: listInterval(site, day, { isPast: true }),
    page: { ...slice, perPage: 1 },
    filters,
  }
  // A search reads all events, so it is not repeated just for a link.
  const isPastWanted = slice.page === 1 && !past && from === undefined && chosenFilters.search === undefined
  return combineQueries(
    {
      listing: selectListPage(
        site,
        day,
        { values, filters, interval, page: slice },
        slice.page === 1 && !past && from === undefined && beforeDay === undefined,
      ),
      categories: selectUsedCategories(),
      offers: selectBarOffers(site),
      hasPast: isPastWanted ? selectHasEvents(context, pastEvents) : resolvedQuery(true),
    },
    ({ listing, ...otherParts }) => ({ ...listing, ...otherParts, slice }),
  )
}

/** A page of a list: its content, and the parts that the document needs. */
type ListView = {
  body: Html
  /** “Page 2”; '' for the first page. */
  number: string
  /** The parameters of the page's own address, without its filters. */
  ownParams: Readonly<Record<string, string | number | undefined>>
  frame: Pick<EventsPage, 'selection' | 'days' | 'aside' | 'previous' | 'next' | 'listed'>
}

type ListOptions = {
  query: SitePageParams
  filters: Filters
  /** The path of the list, if that is the path of its filter. */
  path?: string
  today?: PagerLink
  /** True on the page of a venue, whose name every row would repeat. */
  isAtVenue?: boolean
}

/** The content of a page of a list, with links to the neighbouring pages. */
export function pagedList(
  site: PageContext,
  page: ListedPage,
  { query, filters, path, today, isAtVenue = false }: ListOptions,
): ListView {
  const { words } = site
  const {
    slice,
    hasPast,
    events: { rows: readRows, total, last },
    featured = [],
  } = page
  const { date, from, before: beforeDay, past, exact } = query
  const pages = pageCount(slice, readRows.length, total)
  const { rows, next } = pageOfDays(site, page.events, query)
  const days = requestedDays(query)
  const selection: Selection = {
    display: 'list',
    filters,
    date: date ?? from,
    until: days?.to,
    past,
    exact,
  }
  const chosenFilters = path === undefined ? filters : {}
  const isPlain = isUnfiltered(chosenFilters)
  const partsAt = (position: Position) => ({
    ...pathAndQuery(site, { ...selection, date, past: false }).furtherValues,
    ...position,
  })
  const addressAt = (position: Position): string =>
    (path ?? TODAY_PATHS.list) + queryOf(chosenFilters, partsAt(position))
  const ownParams = { past: past ? 1 : undefined, from, before: beforeDay, page: slice.page }
  const { before: earlierStep, after: laterStep } = neighbouringSteps(site, {
    addressAt,
    ownParams,
    last,
    pages,
    next,
    hasPast: hasPast && days === undefined,
  })
  const pastSince = past
    ? undefined
    : [date ?? dayOf(site.today), from ?? ''].reduce((a, b) => (a > b ? a : b))
  const isPresent = pastSince === dayOf(site.today) && days === undefined && beforeDay === undefined
  const isFirst = isPresent && slice.page === 1
  const isAll = path === undefined && isPlain && isPresent
  const unfilteredAddress = isPlain ? undefined : selectionAddress(site, { ...selection, filters: {} })
  const pastAddress = addressAt({ past: 1 })
  // A list without events has a link to the past in its note.
  const isPastNamed = rows.length === 0 && pastSince !== undefined && earlierStep?.address === pastAddress
  const body =
    rows.length > 0
      ? eventGroups(site, groupByDay(site, rows, pastSince), {
          isAtVenue,
          marks: searchWords(filters.search ?? ''),
          // A search is not about today.
          isFromToday: isFirst && filters.search === undefined,
          // A list of two events needs no featured one at its top.
          features: isFirst && total > 2 ? leadingEvents(site, featured) : [],
        })
      : noEvents(
          site,
          { unfiltered: unfilteredAddress, text: pastSince ? words.nothingHere : words.nothingPast },
          [
            ...(isAll ? [] : [{ address: '/events/', text: words.seeUpcoming }]),
            // Nothing was ever public, so the visitor has probably just created the calendar.
            ...(isAll && !hasPast ? [{ address: '/admin/', text: words.isYours }] : []),
            ...(pastSince && hasPast ? [{ address: pastAddress, text: words.past }] : []),
          ],
        )
  return {
    body: html`${body}${pager(words.pages, { before: isPastNamed ? undefined : earlierStep, today: isFirst ? undefined : today, after: laterStep })}
${rows.length > 0 && html`<details class="jump-to"><summary>${words.jump}</summary>${jumpForm(site, selection, 'jump-date')}</details>`}`,
    number: slice.page > 1 ? filled(words.pageNumber, { n: slice.page }) : '',
    ownParams: partsAt(ownParams),
    frame: {
      selection,
      aside: countLine(site, { slice, rowCount: rows.length, total }),
      days,
      listed: rows,
      previous: (past ? laterStep : earlierStep)?.address,
      next: (past ? earlierStep : laterStep)?.address,
    },
  }
}

/**
 * The events of a page in the order of time, and the day at which the next one begins, or before which the
 * previous one ends. Pages have whole days. Only a day that fills a page, alone or with what began before it,
 * continues on the next page.
 */
function pageOfDays(
  { context, today }: PageContext,
  { rows, size, begun }: RowsOfPage,
  { before: beforeDay, past, date, from = '' }: SitePageParams,
): { rows: ListedEvent[]; next?: string } {
  const { timezone } = context.settings
  const shownRows = rows.slice(0, size)
  const inShownOrder = (listed: readonly ListedEvent[]): ListedEvent[] =>
    beforeDay === undefined ? [...listed] : listed.toReversed()
  const nextRow = rows[size]
  if (!nextRow || past) return { rows: inShownOrder(shownRows) }
  const last = dayOf(toWall(nextRow.utc_start_date, timezone))
  // The day of the first event that is left out would be incomplete.
  const edge = beforeDay === undefined ? last : daysLater(last, 1)
  const edgeStart = toUtc(startOfDay(edge), timezone)
  const wholeDays = shownRows.filter(({ utc_start_date: start }) =>
    beforeDay === undefined ? start < edgeStart : start >= edgeStart,
  )
  const day = date ?? dayOf(today)
  const first = beforeDay === undefined && from > day ? from : day
  const isOneDay = beforeDay === undefined ? last <= first : last < day
  return wholeDays.length <= begun || isOneDay
    ? { rows: inShownOrder(shownRows) }
    : { rows: inShownOrder(wholeDays), next: edge }
}

/** The number of events and, on further pages, the range of them. */
function countLine(
  { words, dates, language }: PageContext,
  { slice, rowCount, total }: { slice: ListSlice; rowCount: number; total: number },
): Html {
  const n = dates.number(total)
  const from = dates.number(slice.offset + 1)
  const to = dates.number(slice.offset + rowCount)
  const countText = filled(plural(language, words, 'count', total), { n })
  const text = slice.page > 1 ? filled(words.countRange, { from, to, n }) : countText
  // Phones have room for the number only.
  const numberStart = text.lastIndexOf(n)
  const textBefore = text.slice(0, numberStart)
  const textAfter = text.slice(numberStart + n.length)
  return html`<p class="count" role="status">${total > 0 && html`<span>${textBefore}</span>${n}<span>${textAfter}</span>`}</p>`
}

type Position = {
  past?: number | undefined
  from?: Day | undefined
  before?: string | undefined
  page?: number | undefined
}

type PageLinks = {
  addressAt: (position: Position) => string
  ownParams: Position & { page: number }
  /** The number of the page with which this one ends. */
  last: number
  pages: number
  /** The day at which the next page begins, or before which the previous one ends. */
  next: string | undefined
  hasPast: boolean
}

/** The previous and the next page of a list, in the order of time. The past comes before the first page. */
function neighbouringSteps(
  site: PageContext,
  { addressAt, ownParams, last, pages, next, hasPast }: PageLinks,
): { before: PagerLink; after: PagerLink } {
  const { earlier, later, laterFrom, beforeDay } = site.words
  const { past, from, before: untilDay, page } = ownParams
  const dayName = (day: Day): string => dayText(site, 'dayInMonth', day)
  const toFrom = (day: Day): PagerLink => ({
    address: addressAt({ from: day }),
    text: filled(laterFrom, { day: dayName(day) }),
  })
  const toBefore = (day: Day): PagerLink => ({
    address: addressAt({ before: day }),
    text: filled(beforeDay, { day: dayName(day) }),
  })
  const toPage = (text: string, n: number): PagerLink => ({
    address: addressAt({ ...ownParams, page: n }),
    text,
  })
  const toPast = hasPast ? { address: addressAt({ past: 1 }), text: earlier } : undefined
  const hasFurther = last < pages
  if (past)
    return {
      before: hasFurther ? toPage(earlier, last + 1) : undefined,
      after: page > 1 ? toPage(later, page - 1) : { address: addressAt({}), text: later },
    }
  if (untilDay !== undefined)
    return {
      before: next ? toBefore(next) : hasFurther ? toPage(earlier, last + 1) : toPast,
      after: toFrom(untilDay),
    }
  return {
    before: page > 1 ? toPage(earlier, page - 1) : from === undefined ? toPast : toBefore(from),
    after: next ? toFrom(next) : hasFurther ? toPage(later, last + 1) : undefined,
  }
}

function listRoute(path: string) {
  const selectListData = (site: PageContext, query: SitePageParams) => {
    const filters = filtersIn(query)
    const { page = 1, date, from, before, past } = query
    const hasFeatured = page === 1 && (date ?? from ?? before ?? past) === undefined && isUnfiltered(filters)
    return combineQueries(
      {
        listing: selectList(site, query),
        names: selectFilterNames(site.context, filters),
        featured: hasFeatured ? selectFeatured(site.context, dayOf(site.today)) : resolvedQuery([]),
        namedRows:
          filters.search === undefined || page > 1
            ? resolvedQuery([])
            : selectNamed(site.context, filters.search),
      },
      ({ listing, ...otherParts }) => ({ ...listing, ...otherParts, filters }),
    )
  }
  return definePage({
    path,
    query: sitePage,
    load: (site, { query }) => {
      assertNotCalendarYet(site, query, filtersIn(query))
      return selectListData(site, query)
    },
    respond: async (site, input) => {
      assertFiltersExist(input.loaded.unknown)
      const { query, loaded, typed, suggestions } = await readListOrSimilar(site.context, input, {
        read: similarQuery => site.context.db.read(selectListData(site, similarQuery)),
        isEmpty: ({ events }) => events.total === 0,
        selectSuggestions: () => selectListSuggestions(site, input.query, filtersIn(input.query)),
      })
      assertNotCalendar(site, query, filtersIn(query))
      return listPage(site, { query, loaded, typed, suggestions, params: input.query })
    },
  })
}

type ShownList = {
  query: SitePageParams
  loaded: ListedPage & { names: FilterNames; filters: Filters; namedRows: readonly NamedRow[] }
  /** The parameters that the visitor sent, and the words that were replaced by similar ones. */
  params: SitePageParams
  typed?: string | undefined
  suggestions?: Suggestions | undefined
}

function listPage(site: PageContext, { query, loaded, typed, suggestions, params }: ShownList): PageDocument {
  const { words, context } = site
  const { filters, categories, names, namedRows } = loaded
  const { date, from, before, past, exact, page = 1 } = query
  const { search } = filters
  const today = { address: selectionAddress(site, { display: 'list', filters, exact }), text: words.today }
  const list = pagedList(site, loaded, { query, filters, today })
  const first = from ?? date
  const days = past
    ? words.past
    : first && daysHeading(site, first, from === undefined ? list.frame.days : undefined)
  const heading = [search, days].filter(Boolean).join(' · ') || words.upcoming
  const hits = search !== undefined && page === 1 && namedHits(site, search, { rows: namedRows, categories })
  const similar = similarTo(site, params, { typed, selection: list.frame.selection })
  return eventsPage(site, {
    ...list.frame,
    categories,
    offers: loaded.offers,
    names,
    similar,
    heading: html`<h1>${heading}</h1>`,
    body: html`${hits}${list.body}${suggestions && suggestedEvents(site, suggestions, loaded)}`,
    title: [heading, list.number].filter(Boolean).join(' – '),
    description: filled(words.listDescription, { site: context.settings.siteName }),
    canonical: canonicalOf(list, filters, categories),
    isUnlisted: isFiltered(filters) || (date ?? from ?? before) !== undefined,
    api: `${context.api}/events`,
  })
}

/** The front page with events that need not be stored, as setup shows it before anything is saved. */
export const frontPage = (
  site: PageContext,
  { events, categories }: { events: ListedEvent[]; categories: Category[] },
): string =>
  listPage(site, {
    query: {},
    params: {},
    loaded: {
      events: { rows: events, total: events.length, size: events.length, begun: 0, last: 1 },
      unknown: [],
      categories,
      offers: { isFree: false, isAccessible: false, isLocated: false, isOnMap: false, forChildren: [] },
      slice: { page: 1, perPage: Math.max(1, events.length), offset: 0 },
      hasPast: false,
      names: new Map(),
      namedRows: [],
      filters: {},
    },
  }).body

/** A query for suggested events for a list. They are upcoming ones, also for lists of the past. */
const selectListSuggestions = (site: PageContext, { date, until, past }: SitePageParams, filters: Filters) =>
  selectSuggestions(site, { filters, ...(date !== undefined && !past && { days: { from: date, until } }) })

/** Suggested events for a term, venue or organizer, if its list is empty. */
export const readSuggestionsIfEmpty = async (
  site: PageContext,
  { events }: ListedPage,
  { query, filters }: { query: SitePageParams; filters: Filters },
): Promise<Suggestions | undefined> =>
  events.total > 0 || query.past
    ? undefined
    : site.context.db.read(selectListSuggestions(site, query, filters))

/** The heading of a list that starts on a day, or covers some days. */
function daysHeading(site: PageContext, date: Day, days: DayRange | undefined): string {
  const { words, dates } = site
  if (!days) return filled(words.fromDay, { date: dayText(site, 'dayOfYear', date) })
  return capitalized(
    days.from === days.to
      ? dayText(site, 'dayInMonth', date)
      : dates.range(days.from, days.to, isNear(days.to, site.today)),
  )
}

/** True if there are filters without a page of their own. */
const isFiltered = ({ categories, ...others }: Filters): boolean =>
  !isUnfiltered(others) || (categories?.length ?? 0) > 1

/** The canonical address of a list: the address of the category if it is the only filter. */
function canonicalOf(
  { ownParams }: ListView,
  filters: Filters,
  categories: readonly { slug: string; path: string }[],
): string {
  const [slug, ...otherCategories] = filters.categories ?? []
  const onlyCategory =
    otherCategories.length === 0 &&
    !isFiltered(filters) &&
    categories.find(term => term.slug === slug?.toLowerCase())
  if (!onlyCategory) return TODAY_PATHS.list + queryOf(filters, ownParams)
  return categoryPath(onlyCategory.path) + queryOf({}, ownParams)
}

export const listRoutes = [listRoute('/events/'), listRoute('/events/list/')]
