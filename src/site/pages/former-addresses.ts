import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type ContentRow, permalink } from '../../calendar/content/resource.ts'
import { selectPlainEvents } from '../../calendar/events/queries.ts'
import { ORGANIZERS } from '../../calendar/organizers/resource.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import { type Query, resolvedQuery } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { integer, oneOf, texts } from '../../kit/http/params.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { pick, withoutTrailingSlashes } from '../../kit/lib/values.ts'
import { type Display, dayPath, monthPath, queryOf, TODAY_PATHS, weekPath } from '../html/addresses.ts'
import { definePage, redirect } from '../html/define-page.ts'
import { assertNotCalendar, feedsIn } from '../html/feeds.ts'
import { asCalendar, type Filters, sitePage } from '../html/filters.ts'
import { linkTo, type PageContext, requirePublic } from '../html/page-context.ts'
import { dateOf } from '../html/when.ts'

// Addresses of The Events Calendar in subscriptions, bookmarks and other sites: the path of a list, and its
// display.

/** The former names of the views: list, month, day, and the number of a page. */
const TAIL =
  /^(?:(all|day|list|map|month|past|photo|summary|today|upcoming|week)(?:\/|$))?(?:(\d{4}-\d\d)(-\d\d)?(?:\/|$))?(?:page\/(\d+))?$/

type Period = Exclude<Display, 'list' | 'map'>

/** The displays with pages of their own, by their former names. The others are lists. */
const DISPLAYS: Readonly<Record<string, Period>> = {
  day: 'day',
  today: 'day',
  week: 'week',
  month: 'month',
}

type FormerAddress = {
  /** The path of the whole list, and the equivalent filters for other pages and for its feed. */
  path: string
  filters: Filters
  /** The rest of the address, without a slash at either end. */
  tail: string
  url: URL
}

/**
 * Redirects from a former address to its replacement; does nothing for other addresses.
 * @throws HTTPException
 */
export function redirectFromFormer(site: PageContext, { path, filters, tail, url }: FormerAddress): void {
  if (tail === 'ical') assertNotCalendar(site, { ical: true }, filters)
  const [, view, month, day, page] = TAIL.exec(tail) ?? []
  const news = tail === 'feed' ? feedsIn(site.context)?.news(site) : undefined
  if ((news ?? view ?? month ?? page) === undefined) return
  const newPath = news ?? periodPath(DISPLAYS[view ?? ''], month, day)
  const params = new URLSearchParams(url.search)
  if (newPath)
    for (const [name, values] of Object.entries(filters)) params.set(name, [values].flat().join(','))
  if (view === 'past') params.set('past', '1')
  if (page !== undefined && Number(page) > 1) params.set('page', page)
  const query = params.toString().replaceAll('%2C', ',')
  throw redirect((newPath ?? path) + (query && `?${query}`))
}

/** The path of a period; undefined for a list. @param day with a hyphen before it, as in addresses */
function periodPath(display: Period | undefined, month?: string, day?: string) {
  if (month === undefined) return display && TODAY_PATHS[display]
  if (day === undefined || display === 'month') return monthPath(month)
  const date = dateOf(month + day)
  return display === 'week' && date ? weekPath(date) : dayPath(month + day)
}

/** The path of a category, and the rest of a former address. */
export function splitPath(path: string): { ownPath: string; tail: string } {
  const parts = withoutTrailingSlashes(path).split('/')
  for (let n = 1; n < parts.length; n++) {
    const tail = parts.slice(n).join('/')
    if (tail === 'feed' || tail === 'ical' || TAIL.test(tail))
      return { ownPath: parts.slice(0, n).join('/'), tail }
  }
  return { ownPath: parts.join('/'), tail: '' }
}

/** Declares redirects from the former addresses of lists. The pages of categories handle their own. */
const formerRoute = (path: string, list: (slug: string) => { path: string; filters: Filters }) =>
  definePage({
    path,
    load: () => resolvedQuery(undefined),
    respond: (site, { params: { slug = '', tail = '' }, url }) => {
      redirectFromFormer(site, { ...list(slug), tail: withoutTrailingSlashes(tail), url })
      throw new ApiError('rest_no_route', 'There is no such page.')
    },
  })

/** The resources by the type of their posts, also in former addresses. */
const KINDS = {
  event: 'event',
  venue: 'venue',
  organizer: 'organizer',
  tribe_events: 'event',
  tribe_venue: 'venue',
  tribe_organizer: 'organizer',
} as const

type ContentKind = (typeof KINDS)[keyof typeof KINDS]

const wordsParam = (description: string) => z.optional(texts({ description }))

/**
 * The parameters of the address that the API gives to content without a permanent one,
 * `/?post_type=venue&p=12`, and of former addresses: of content, `/?tribe_events=jazz-night`, and of lists
 * and calendars, `/?post_type=tribe_events&eventDisplay=month`.
 */
const homeQuery = z.object({
  ...asCalendar,
  ...pick(sitePage.shape, 'search', 'date'),
  p: z.optional(integer({ description: 'Id of an event, venue or organizer.' })),
  post_type: z.optional(
    oneOf(['event', 'venue', 'organizer', 'tribe_events', 'tribe_venue', 'tribe_organizer'], {
      description: 'What the id is of.',
    }),
  ),
  eventDisplay: wordsParam('The way to show the events.'),
  eventDate: wordsParam('The month or day to show.'),
  tribe_events_cat: wordsParam('A category.'),
  tribe_events: wordsParam('The slug of an event.'),
  tribe_venue: wordsParam('The slug of a venue.'),
  tribe_organizer: wordsParam('The slug of an organizer.'),
  feed: wordsParam('The form of a feed.'),
})

function selectRow({ context }: PageContext, kind: ContentKind, id: number | undefined): Query<ContentRow[]> {
  if (id === undefined) return resolvedQuery([])
  if (kind === 'venue') return VENUES.select(context, eq(VENUES.table.id, id))
  if (kind === 'organizer') return ORGANIZERS.select(context, eq(ORGANIZERS.table.id, id))
  return selectPlainEvents(eq(events.id, id))
}

/** The redirect to the events, or to the resource of an id. */
const homeRoute = definePage({
  path: '/',
  query: homeQuery,
  load: (site, { query: { p, post_type = 'event' } }) => selectRow(site, KINDS[post_type], p),
  respond: (site, { query, loaded: [row] }) => {
    if (query.p === undefined) {
      for (const type of ['tribe_events', 'tribe_venue', 'tribe_organizer'] as const)
        if (query[type])
          throw redirect(
            `/${KINDS[type]}/${encodeURIComponent(query[type].join())}/${queryOf({}, pick(query, 'ical', 'expand'))}`,
          )
      const { search, date, tribe_events_cat: categories } = query
      const filters: Filters = { ...(search && { search }), ...(categories && { categories }) }
      assertNotCalendar(site, query, filters)
      const { feed, eventDisplay = [], eventDate = [] } = query
      const tail = feed ? 'feed' : [...eventDisplay, ...eventDate].join('/')
      const filterQuery = queryOf(filters, { date })
      redirectFromFormer(site, {
        path: '/events/',
        filters,
        tail,
        url: new URL(`/${filterQuery}`, site.context.site),
      })
      throw redirect(`/events/${filterQuery}`, 302)
    }
    const singular = KINDS[query.post_type ?? 'event']
    const publicRow = requirePublic(site, singular, row)
    throw redirect(linkTo(site, permalink(publicRow, singular, site.context)), 302)
  },
})

const tagList = (slug: string) => ({ path: `/tag/${encodeURIComponent(slug)}/`, filters: { tags: [slug] } })

export const formerRoutes = [
  homeRoute,
  formerRoute(
    '/events/:tail{(?:feed|ical|all|day|list|map|month|page|past|photo|summary|today|upcoming|week)(?:/.*)?}/',
    () => ({ path: '/events/', filters: {} }),
  ),
  formerRoute('/tag/:slug/:tail{.+}/', tagList),
  formerRoute('/events/tag/:slug/:tail{.+}/', tagList),
]
