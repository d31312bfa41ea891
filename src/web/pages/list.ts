import { mapped, together } from '../../db/query.ts'
import { capitalized } from '../../lib/text.ts'
import type { DateTime } from '../../lib/time.ts'
import { filled } from '../../words/words.ts'
import { categoryPath, displayPath, queryOf } from '../html/addresses.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import {
  type Filters,
  filtersIn,
  isUnfiltered,
  namesOf,
  pageList,
  type SitePageParams,
} from '../html/filters.ts'
import { html } from '../html/html.ts'
import { definePage } from '../html/route.ts'
import type { Site } from '../html/site.ts'
import { type Days, eventsPage } from './events-page.ts'
import { assertKnown, pagedList, selectList } from './paged-list.ts'

function listRoute(path: string) {
  return definePage({
    path,
    query: pageList,
    load: (site, { query }) => {
      const filters = filtersIn(query)
      assertNotCalendar(site, query, filters)
      return mapped(
        together({ listing: selectList(site, query), names: namesOf(site.context, filters) }),
        ({ listing, names }) => ({ ...listing, names, filters }),
      )
    },
    respond: (site, { query, loaded }) => {
      assertKnown(loaded.unknown)
      const { words, context } = site
      const { filters, categories, names } = loaded
      const { date, past } = query
      const today = { address: displayPath(site, 'list', filters), text: words.today }
      const list = pagedList(site, loaded, { query, path: '/events/', filters, today })
      const heading = past ? words.past : date ? daysHeading(site, date, list.page.days) : words.upcoming
      return eventsPage(site, {
        ...list.page,
        path: '/events/',
        filters,
        categories,
        chosen: { filters, names },
        heading: html`<h1>${heading}</h1>`,
        body: list.body,
        title: [heading, list.number].filter(Boolean).join(' – '),
        description: filled(words.listDescription, { site: context.settings.siteName }),
        canonical: canonicalOf(filters, categories, query),
        isUnlisted: isFiltered(filters) || date !== undefined,
        api: `${context.api}/events`,
      })
    },
  })
}

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

/** The canonical address of a list: that of the category if it is the only filter. */
function canonicalOf(
  filters: Filters,
  categories: readonly { slug: string; path: string }[],
  { page, past, date }: SitePageParams,
): string {
  const [slug, ...more] = filters.categories ?? []
  const only =
    more.length === 0 && !isFiltered(filters) && categories.find(term => term.slug === slug?.toLowerCase())
  const query = { page, past: past ? 1 : undefined, date }
  if (!only) return `/events/${queryOf(filters, query)}`
  return categoryPath(only.path) + queryOf({}, query)
}

export const listRoutes = [listRoute('/events/'), listRoute('/events/list/')]
