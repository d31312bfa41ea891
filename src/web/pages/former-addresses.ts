import { settled } from '../../db/query.ts'
import { ApiError } from '../../lib/errors.ts'
import { dayPath, monthPath, weekPath } from '../html/addresses.ts'
import { assertNotCalendar, rssOf } from '../html/feeds.ts'
import { type Filters, filterList, filtersIn } from '../html/filters.ts'
import { definePage, redirect } from '../html/route.ts'
import type { Site } from '../html/site.ts'
import { dateOf } from '../html/when.ts'

// Addresses of The Events Calendar in subscriptions, bookmarks and other sites: the path of a list, and its display.

/** The displays of a list, a month or a day, and a page of it. */
const TAIL =
  /^(?:(all|day|list|map|month|past|photo|summary|today|upcoming|week)(?:\/|$))?(?:(\d{4}-\d\d)(-\d\d)?(?:\/|$))?(?:page\/(\d+))?$/

type FormerAddress = {
  /** The path of the list with all of it, and the equivalent filters for other pages. */
  path: string
  filters: Filters
  /** The rest of the address, without a slash at either end. */
  tail: string
  url: URL
}

/** Redirects from a former address to its replacement; does nothing for other addresses. @throws HTTPException */
export function redirectFromFormer(site: Site, { path, filters, tail, url }: FormerAddress): void {
  if (tail === 'feed') throw redirect(rssOf(site, filters), 302)
  if (tail === 'ical') assertNotCalendar(site, { ical: true }, filters)
  const [, view, month, day, page] = TAIL.exec(tail) ?? []
  if (tail === '' || (view ?? month ?? page) === undefined) return
  const isDay = view === 'day' || view === 'today'
  const isMonth = view === 'month'
  const isWeek = view === 'week'
  const date = day === undefined ? undefined : dateOf(`${month}${day}`)
  const other =
    month !== undefined
      ? day === undefined || isMonth
        ? monthPath(month)
        : isWeek && date
          ? weekPath(date)
          : dayPath(month + day)
      : isDay
        ? '/events/today/'
        : (isMonth && '/events/month/') || (isWeek && '/events/week/')
  const params = new URLSearchParams(url.search)
  if (other) for (const [name, values] of Object.entries(filters)) params.set(name, [values].flat().join(','))
  if (view === 'past') params.set('past', '1')
  if (page !== undefined && Number(page) > 1) params.set('page', page)
  const query = params.toString().replaceAll('%2C', ',')
  throw redirect((other || path) + (query && `?${query}`))
}

/** The path of a category, and the rest of a former address. */
export function splitPath(path: string): { own: string; tail: string } {
  const parts = path.replace(/\/+$/, '').split('/')
  for (let n = 1; n < parts.length; n++) {
    const tail = parts.slice(n).join('/')
    if (tail === 'feed' || tail === 'ical' || TAIL.test(tail))
      return { own: parts.slice(0, n).join('/'), tail }
  }
  return { own: parts.join('/'), tail: '' }
}

/** Declares redirects from the former addresses of lists. The pages of categories handle their own. */
const formerRoute = (path: string, list: (slug: string) => { path: string; filters: Filters }) =>
  definePage({
    path,
    load: () => settled(undefined),
    respond: (site, { params: { slug = '', tail = '' }, url }) => {
      redirectFromFormer(site, { ...list(slug), tail: tail.replace(/\/+$/, ''), url })
      throw new ApiError('rest_no_route', 'There is no such page.')
    },
  })

const tag = (slug: string) => ({ path: `/tag/${encodeURIComponent(slug)}/`, filters: { tags: [slug] } })

export const formerRoutes = [
  formerRoute(
    '/events/:tail{(?:feed|ical|all|day|list|map|month|page|past|photo|summary|today|upcoming|week)(?:/.*)?}/',
    () => ({ path: '/events/', filters: {} }),
  ),
  formerRoute('/tag/:slug/:tail{.+}/', tag),
  formerRoute('/events/tag/:slug/:tail{.+}/', tag),
]

/** Declares a redirect from a former address of a feed to the API's, which checks the filters. */
const feedRoute = (path: string, own: (slug: string) => Filters) =>
  definePage({
    path,
    query: filterList,
    load: () => settled(undefined),
    respond: (site, { params: { slug = '' }, query }) => {
      throw redirect(rssOf(site, { ...filtersIn(query), ...own(slug) }), 302)
    },
  })

export const feedPageRoutes = [
  feedRoute('/events/feed/', () => ({})),
  feedRoute('/tag/:slug/feed/', slug => ({ tags: [slug] })),
  feedRoute('/events/tag/:slug/feed/', slug => ({ tags: [slug] })),
]
