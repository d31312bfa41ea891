import { selectListedWithUnknown } from '../../calendar/events/listed-events.ts'
import { locatedFilters } from '../../calendar/events/listing/filters.ts'
import { combineQueries, mapQuery, resolvedQuery } from '../../kit/db/query.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { dayOf } from '../../kit/lib/time.ts'
import { filled, plural } from '../../words/words.ts'
import { queryOf, type Selection, selectionAddress, TODAY_PATHS } from '../html/addresses.ts'
import { eventGroups, groupByDay } from '../html/agenda.ts'
import { definePage } from '../html/define-page.ts'
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
import { html } from '../html/html.ts'
import { eventsMap, mapScripts } from '../html/map.ts'
import type { PageContext } from '../html/page-context.ts'
import { selectBarOffers, selectUsedCategories } from '../html/queries.ts'
import { readListOrSimilar } from '../html/similar-search.ts'
import { eventsPage, noEvents, similarTo } from './events-page.ts'
import { assertFiltersExist, requestedDays } from './list.ts'

// Upcoming events on a map, and next to it in a list, which says the same without a map.

/** The most events of the list, and as many as a visitor can look through; days and filters leave fewer. */
const MAX_EVENTS = 100

const selectionIn = (filters: Filters, query: SitePageParams): Selection => ({
  display: 'map',
  filters,
  date: query.date,
  until: requestedDays(query)?.to,
  exact: query.exact,
})

/** The interval of the events: from a day on, or from today. */
const happeningIn = ({ today }: PageContext, { date, until }: Selection): string =>
  `${date ?? dayOf(today)}/${until ?? '..'}`

function selectMapPage(site: PageContext, query: SitePageParams) {
  const { context } = site
  const filters = filtersIn(query)
  const selection = selectionIn(filters, query)
  const values = { ...listFilters(filters), happening: happeningIn(site, selection) }
  const page = { page: 1, perPage: MAX_EVENTS, offset: 0 }
  return combineQueries(
    {
      listing: selectListedWithUnknown(context, { values, page, filters: locatedFilters(context, values) }),
      // Events whose places have no position are in the list alone.
      listedCount: mapQuery(
        selectListedWithUnknown(context, { values, page: { ...page, perPage: 1 } }),
        ({ events }) => events.total,
      ),
      categories: selectUsedCategories(),
      offers: selectBarOffers(site),
      names: selectFilterNames(context, filters),
      selection: resolvedQuery(selection),
    },
    ({ listing, ...otherParts }) => ({ ...listing, ...otherParts }),
  )
}

const mapRoute = definePage({
  path: TODAY_PATHS.map,
  query: sitePage,
  load: (site, { query }) => {
    if (!site.settings.map) throw new ApiError('rest_no_route', 'This calendar has no map.')
    assertNotCalendarYet(site, query, filtersIn(query))
    return selectMapPage(site, query)
  },
  respond: async (site, input) => {
    assertFiltersExist(input.loaded.unknown)
    const { loaded, typed } = await readListOrSimilar(site.context, input, {
      read: query => site.context.db.read(selectMapPage(site, query)),
      isEmpty: ({ listedCount }) => listedCount === 0,
    })
    const { words, language, dates, context, today } = site
    const { events, listedCount, selection, categories, offers, names } = loaded
    const { rows, total } = events
    const offMapCount = listedCount - total
    const { filters, date, until } = selection
    assertNotCalendar(site, input.query, filters)
    const unfilteredAddress = isUnfiltered(filters)
      ? undefined
      : selectionAddress(site, { ...selection, filters: {} })
    const list = {
      address: selectionAddress(site, { ...selection, display: 'list' }),
      text: listedCount > 0 ? words.seeInList : words.seeUpcoming,
    }
    return eventsPage(site, {
      selection,
      categories,
      offers,
      names,
      similar: similarTo(site, input.query, { typed, selection }),
      days: date && until ? { from: date, to: until } : undefined,
      heading: html`<h1>${words.mapDisplay}</h1>`,
      aside: html`<p class="count" role="status">${total > 0 && filled(plural(language, words, 'count', total), { n: dates.number(total) })}</p>`,
      body:
        total === 0
          ? noEvents(
              site,
              listedCount > 0
                ? { unfiltered: undefined, title: words.nothingOnMap, text: words.withoutPosition }
                : { unfiltered: unfilteredAddress, title: words.nothingOnMap },
              [list],
            )
          : html`<div class="on-map">${eventsMap(site, filters, happeningIn(site, selection))}
<div>${eventGroups(site, groupByDay(site, rows, date ?? dayOf(today)))}${total > rows.length && html`<p class="notice">${words.tooMany}</p>`}${offMapCount > 0 && html`<p class="notice">${filled(plural(language, words, 'offMap', offMapCount), { n: dates.number(offMapCount) })} <a href="${list.address}">${words.seeInList}</a></p>`}</div></div>`,
      listed: rows,
      title: words.mapDisplay,
      description: filled(words.mapDescription, { site: context.settings.siteName }),
      canonical: TODAY_PATHS.map + queryOf(filters, { date, until }),
      isUnlisted: !isUnfiltered(filters) || date !== undefined,
      api: `${context.api}/events.geojson`,
      scripts: mapScripts(site),
    })
  },
})

export const mapRoutes = [mapRoute]
