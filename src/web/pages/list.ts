import { mapped, type Query, settled, together } from '../../db/query.ts'
import { reportUnknown, type UnknownValues } from '../../db/references.ts'
import { type Page as ListPage, pageOf, type Rows } from '../../http/lists.ts'
import { ApiError, ValidationErrors } from '../../lib/errors.ts'
import { capitalized } from '../../lib/text.ts'
import type { DateTime } from '../../lib/time.ts'
import { type ListedEvent, listedEvents } from '../../resources/events/listed.ts'
import type { EventFilter } from '../../resources/events/listing/filters.ts'
import type { EventListParams } from '../../resources/events/schema.ts'
import { filled, plural } from '../../words/words.ts'
import { addressOf, categoryPath, PRESENT, partsOf, queryOf, type Selection } from '../html/addresses.ts'
import { eventGroups, grouped } from '../html/agenda.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import {
  type Filters,
  filtersIn,
  isUnfiltered,
  listFilters,
  namesOf,
  type SitePageParams,
  sitePage,
} from '../html/filters.ts'
import { type Html, html, pager, type Step } from '../html/html.ts'
import { type Category, hasEvents, type Offers, offersIn, usedCategories } from '../html/queries.ts'
import { definePage } from '../html/route.ts'
import { orSimilar } from '../html/similar.ts'
import type { Site } from '../html/site.ts'
import type { Days } from './bar.ts'
import { type EventsPage, eventsPage, noEvents, similarTo } from './events-page.ts'
import { type Near, nearEvents, selectNear } from './near.ts'

// Lists of events by day, with pages: the list of all events, and the parts that it shares with the lists of a term, venue or organizer.

/** The time filter of a list: from a day on, or before it. Together they cover every event once. */
export const timeFilter = (day: string, isPast = false, until = '..'): Partial<EventListParams> =>
  isPast
    ? { ends_before: `${day} 00:00:01`, strict_dates: true, order: 'desc' }
    : { happening: `${day}/${until}` }

/** Throws an error for filters that name nothing. @throws ApiError */
export function assertKnown(unknown: readonly UnknownValues[]): void {
  const errors = new ValidationErrors()
  reportUnknown(errors, unknown)
  errors.throwIfAny()
}

/** The number of pages. @throws ApiError for a page after the last one; an empty first page is fine */
export function pagesOf(page: ListPage, found: number, total: number): number {
  if (page.page > 1 && found === 0)
    throw new ApiError('event-archive-page-not-found', 'There is no such page.')
  return Math.ceil(total / page.perPage)
}

type ListedPage = {
  events: Rows<ListedEvent>
  unknown: UnknownValues[]
  categories: Category[]
  offers: Offers
  page: ListPage
  /** False if it is known that there are no past events. */
  hasPast: boolean
}

/** The days of a list with an end. An end before the start is none: the form has both, and people change only one. */
function daysOf({ date, until, past }: SitePageParams): Days | undefined {
  if (date === undefined || until === undefined || past || until < date) return undefined
  return { from: date, to: until }
}

/** A query for a page of a list. @param filters the filters that have no parameter */
export function selectList(
  site: Site,
  query: SitePageParams,
  filters: readonly EventFilter[] = [],
): Query<ListedPage> {
  const { context, today, settings } = site
  const page = pageOf({ page: query.page, per_page: settings.eventsPerPage }, context)
  const chosen = listFilters(filtersIn(query))
  const day = query.date ?? today.slice(0, 10)
  const values = { ...chosen, ...timeFilter(day, query.past, daysOf(query)?.to) }
  const before = { values: { ...chosen, ...timeFilter(day, true) }, page: { ...page, perPage: 1 }, filters }
  // A search reads all events, so it is not repeated for the sake of a link.
  const asks = page.page === 1 && !query.past && chosen.search === undefined
  return mapped(
    together({
      listing: listedEvents(context, { values, page, filters }),
      categories: usedCategories(),
      offers: offersIn(context),
      hasPast: asks ? hasEvents(context, before) : settled(true),
    }),
    ({ listing, ...rest }) => ({ ...listing, ...rest, page }),
  )
}

/** A page of a list: its content, and the parts that the document needs. */
type ListView = {
  body: Html
  /** «Page 2»; '' for the first page. */
  number: string
  /** The parameters of the page's own address, without its filters. */
  own: Readonly<Record<string, string | number | undefined>>
  /** The options of its page of events. */
  page: Pick<EventsPage, 'selection' | 'days' | 'beside' | 'previous' | 'next'>
}

type ListOptions = {
  query: SitePageParams
  filters: Filters
  /** The path of the list, if it is the one of its filter. */
  path?: string
  today?: Step
}

/** The content of a page of a list, with links to the neighbouring pages. */
export function pagedList(
  site: Site,
  { page, hasPast, events: { rows, total } }: ListedPage,
  { query, filters, path, today }: ListOptions,
): ListView {
  const { words } = site
  const { date, past, exact } = query
  const pages = pagesOf(page, rows.length, total)
  const days = daysOf(query)
  const selection: Selection = { display: 'list', filters, date, until: days?.to, past, exact }
  const chosen = path === undefined ? filters : {}
  const isPlain = isUnfiltered(chosen)
  const partsAt = (n: number, isPast = false) => ({
    ...partsOf(site, { ...selection, past: isPast }).more,
    page: n,
  })
  const at = (n: number, isPast?: boolean): string =>
    (path ?? PRESENT.list) + queryOf(chosen, partsAt(n, isPast))
  const isFirst = hasPast && days === undefined
  const { before, after } = turns(site, { at, past, page: page.page, pages, hasPast: isFirst })
  const since = past ? undefined : (date ?? site.today.slice(0, 10))
  const isPresent = since === site.today.slice(0, 10) && days === undefined
  const isAll = path === undefined && isPlain && isPresent
  const unfiltered = isPlain ? undefined : addressOf(site, { ...selection, filters: {} })
  const body =
    rows.length > 0
      ? eventGroups(site, grouped(site, rows, since), {
          // Filtered lists are short, and past events need no advertising.
          hasFeatures: page.page === 1 && since !== undefined && isPlain,
        })
      : noEvents(site, { unfiltered, text: since ? words.nothingHere : words.nothingPast }, [
          ...(isAll ? [] : [{ address: '/events/', text: words.seeUpcoming }]),
          // Nothing was ever public: whoever comes here has probably just made the calendar.
          ...(isAll && !hasPast ? [{ address: '/admin/', text: words.isYours }] : []),
          ...(since && hasPast ? [{ address: at(1, true), text: words.past }] : []),
        ])
  return {
    body: html`${body}${pager(words.pages, { before, today: isPresent && page.page === 1 ? undefined : today, after })}`,
    number: page.page > 1 ? filled(words.pageNumber, { n: page.page }) : '',
    own: partsAt(page.page, past),
    page: {
      selection,
      beside: count(site, { page, found: rows.length, total }),
      days,
      previous: (past ? after : before)?.address,
      next: (past ? before : after)?.address,
    },
  }
}

/** The number of events and, on further pages, the range of them. */
function count(
  { words, dates, language }: Site,
  { page, found, total }: { page: ListPage; found: number; total: number },
): Html {
  const n = dates.number(total)
  const [from, to] = [dates.number(page.offset + 1), dates.number(page.offset + found)]
  const all = filled(plural(language, words, 'count', total), { n })
  const text = page.page > 1 ? filled(words.countRange, { from, to, n }) : all
  return html`<p class="count" role="status">${total > 0 && text}</p>`
}

type ListPosition = {
  /** The address of a page of the list, or of its past. */
  at: (n: number, isPast?: boolean) => string
  past: boolean | undefined
  page: number
  pages: number
  hasPast: boolean
}

/** The previous and the next page of a list, in the order of time. The past comes before the first page. */
function turns(
  { words }: Site,
  { at, past, page, pages, hasPast }: ListPosition,
): { before: Step; after: Step } {
  const step = (text: string, n: number, isPast = false): Step => ({ address: at(n, isPast), text })
  const { earlier, later } = words
  if (past)
    return {
      before: page < pages ? step(earlier, page + 1, true) : undefined,
      after: page > 1 ? step(later, page - 1, true) : step(later, 1),
    }
  return {
    before: page > 1 ? step(earlier, page - 1) : hasPast ? step(earlier, 1, true) : undefined,
    after: page < pages ? step(later, page + 1) : undefined,
  }
}

function listRoute(path: string) {
  const load = (site: Site, query: SitePageParams) => {
    const filters = filtersIn(query)
    return mapped(
      together({ listing: selectList(site, query), names: namesOf(site.context, filters) }),
      ({ listing, names }) => ({ ...listing, names, filters }),
    )
  }
  return definePage({
    path,
    query: sitePage,
    load: (site, { query }) => {
      assertNotCalendar(site, query, filtersIn(query))
      return load(site, query)
    },
    respond: async (site, asked) => {
      assertKnown(asked.loaded.unknown)
      const { query, loaded, typed, near } = await orSimilar(site.context, asked, {
        read: query => site.context.db.get(load(site, query)),
        isEmpty: ({ events }) => events.total === 0,
        near: () => nearList(site, asked.query, filtersIn(asked.query)),
      })
      const { words, context } = site
      const { filters, categories, names } = loaded
      const { date, past, exact } = query
      const today = { address: addressOf(site, { display: 'list', filters, exact }), text: words.today }
      const list = pagedList(site, loaded, { query, filters, today })
      const heading = past ? words.past : date ? daysHeading(site, date, list.page.days) : words.upcoming
      return eventsPage(site, {
        ...list.page,
        categories,
        offers: loaded.offers,
        names,
        similar: similarTo(site, asked.query, { typed, selection: list.page.selection }),
        heading: html`<h1>${heading}</h1>`,
        body: html`${list.body}${near && nearEvents(site, near, loaded)}`,
        title: [heading, list.number].filter(Boolean).join(' – '),
        description: filled(words.listDescription, { site: context.settings.siteName }),
        canonical: canonicalOf(list, filters, categories),
        isUnlisted: isFiltered(filters) || date !== undefined,
        api: `${context.api}/events`,
      })
    },
  })
}

/** A query of events that come close to those of a list. They are upcoming ones, also for lists of the past. */
const nearList = (site: Site, { date, until, past }: SitePageParams, filters: Filters) =>
  selectNear(site, { filters, ...(date !== undefined && !past && { days: { from: date, until } }) })

/** Events that come close to those of a term, venue or organizer, if its list is empty. */
export const nearIfEmpty = async (
  site: Site,
  { events }: Pick<ListedPage, 'events'>,
  { query, filters }: { query: SitePageParams; filters: Filters },
): Promise<Near | undefined> =>
  events.total > 0 || query.past ? undefined : site.context.db.get(nearList(site, query, filters))

/** The heading of a list that starts on a day, or covers some days. */
function daysHeading({ words, dates }: Site, date: string, days: Days | undefined): string {
  const wall = (day: string): DateTime => `${day} 00:00:00`
  if (!days) return filled(words.fromDay, { date: dates.format('date', wall(date)) })
  return capitalized(
    days.from === days.to ? dates.format('day', wall(date)) : dates.range(wall(days.from), wall(days.to)),
  )
}

/** Tells whether there are filters without a page of their own. */
const isFiltered = ({ categories, ...others }: Filters): boolean =>
  !isUnfiltered(others) || (categories?.length ?? 0) > 1

/** The canonical address of a list: the address of the category if it is the only filter. */
function canonicalOf(
  { own }: ListView,
  filters: Filters,
  categories: readonly { slug: string; path: string }[],
): string {
  const [slug, ...more] = filters.categories ?? []
  const only =
    more.length === 0 && !isFiltered(filters) && categories.find(term => term.slug === slug?.toLowerCase())
  if (!only) return PRESENT.list + queryOf(filters, own)
  return categoryPath(only.path) + queryOf({}, own)
}

export const listRoutes = [listRoute('/events/'), listRoute('/events/list/')]
