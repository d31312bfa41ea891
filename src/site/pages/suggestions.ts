import { type ListedEvent, selectListedWithoutTotal } from '../../calendar/events/listed-events.ts'
import { combineQueries, mapQuery, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { type Day, dayOf } from '../../kit/lib/time.ts'
import { filled } from '../../words/words.ts'
import { queryOf } from '../html/addresses.ts'
import { groupByDay } from '../html/agenda.ts'
import { eventCards } from '../html/cards.ts'
import { isOver } from '../html/events.ts'
import { type FilterNames, type Filters, listFilters } from '../html/filters.ts'
import { removableFilters } from '../html/finder.ts'
import type { Html } from '../html/html.ts'
import type { PageContext } from '../html/page-context.ts'
import type { Category } from '../html/queries.ts'

// A page without events suggests others: it drops the filters that leave the fewest events, one by one, and
// finally its days.

/** The filters from the one that usually leaves the fewest events to the one that leaves the most. */
const NARROWEST_FIRST = Object.keys({
  search: true,
  organizer: true,
  tags: true,
  venue: true,
  near: true,
  ticket_availability: true,
  wheelchair: true,
  featured: true,
  is_free: true,
  categories: true,
} satisfies Record<keyof Filters, true>)

/** What a page shows: its filters and, if there are any, its days. */
type ShownPage = { filters: Filters; days?: { from: Day; until: Day | undefined } | undefined }

/** Suggested events, the filters that found them, and the filters that were dropped. */
export type Suggestions = { events: ListedEvent[]; page: ShownPage; without: ShownPage }

/** The most events that are shown, and that are read for them, since some may be dates of one series. */
const MAX_SUGGESTED = 8
const MAX_READ = 24

/** The filters of a page, fewer and fewer: without one, two, or all of them, and at last without its days. */
function widenFilters({ filters, days }: ShownPage): ShownPage[] {
  const names = NARROWEST_FIRST.filter(name => name in filters)
  const filtersWithout = (count: number): Filters =>
    Object.fromEntries(Object.entries(filters).filter(([name]) => !names.slice(0, count).includes(name)))
  const fewer = [1, 2]
    .filter(count => count < names.length)
    .map(count => ({ filters: filtersWithout(count), days }))
  const ofDays = days && names.length > 0 ? [{ filters: {}, days }] : []
  return [...fewer, ...ofDays, ...(days || names.length > 0 ? [{ filters: {} }] : [])]
}

const droppedFilters = (shownPage: ShownPage, { filters, days }: ShownPage): ShownPage => ({
  filters: Object.fromEntries(Object.entries(shownPage.filters).filter(([name]) => !(name in filters))),
  ...(shownPage.days && !days && { days: shownPage.days }),
})

/** A query for the suggested events for a page without events. */
export function selectSuggestions(site: PageContext, currentPage: ShownPage): Query<Suggestions | undefined> {
  const { context, today } = site
  const page = { page: 1, perPage: MAX_READ, offset: 0 }
  const widened = widenFilters(currentPage)
  const queries = widened.map(({ filters, days }) => {
    const happening = `${days?.from ?? dayOf(today)}/${days?.until ?? '..'}`
    return selectListedWithoutTotal(context, { values: { ...listFilters(filters), happening }, page })
  })
  return mapQuery(queries.length === 0 ? resolvedQuery([]) : combineQueries(queries), lists => {
    const i = lists.findIndex(each => each.length > 0)
    const widenedPage = widened[i]
    const events = lists[i]
    if (!widenedPage || !events) return undefined
    // Events that have been on for long come last, because the others begin soon.
    const { days, ongoing } = groupByDay(site, firstDates(events), widenedPage.days?.from ?? dayOf(today))
    const inTime = [...days.flatMap(day => day.events), ...ongoing]
      .map(({ event }) => event)
      .filter(event => !isOver(site, event))
    return {
      events: inTime.slice(0, MAX_SUGGESTED),
      page: widenedPage,
      without: droppedFilters(currentPage, widenedPage),
    }
  })
}

/** The events, with the first date of each series. */
const firstDates = (events: readonly ListedEvent[]): ListedEvent[] =>
  events.filter(
    ({ series }, i) => !series || events.findIndex(other => other.series?.slug === series.slug) === i,
  )

/** The suggested events, with the filters that were dropped and a link to all of them. */
export function suggestedEvents(
  site: PageContext,
  suggestions: Suggestions,
  { categories, names = new Map() }: { categories: readonly Category[]; names: FilterNames | undefined },
): Html {
  const { words } = site
  const { events, page, without } = suggestions
  const omittedNames = [
    ...removableFilters(site, without.filters, categories, names).map(({ name }) => name),
    ...(without.days ? [words.chosenDays] : []),
  ]
  const address = `/events/${queryOf(page.filters, { date: page.days?.from, until: page.days?.until })}`
  return eventCards(site, words.near, events, {
    note: filled(words.leftOut, { names: omittedNames.join(', ') }),
    allLink: { address, text: words.seeNear },
  })
}
