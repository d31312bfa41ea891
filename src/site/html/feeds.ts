import type { BaseContext } from '../../kit/context.ts'
import { queryOf } from './addresses.ts'
import { eventCalendarAddress } from './calendar-menus.ts'
import { redirect } from './define-page.ts'
import type { SitePageParams } from './filters.ts'
import type { Html } from './html.ts'
import type { PageContext } from './page-context.ts'
import { type CalendarFilters, type EventFeeds, type FeedLink, type Subscription, slot } from './slots.ts'

/** The feeds of a calendar, if it has any. */
export const feedsIn = (context: BaseContext): EventFeeds | undefined => slot(context, 'eventFeeds')[0]

/** The links in the head of a page with some events. */
export const feedLinks = (site: PageContext, filters: CalendarFilters): readonly FeedLink[] =>
  feedsIn(site.context)?.links(site, filters) ?? []

/** The menu with all ways to subscribe to some events; '' if there is none. */
export const subscribeMenu = (site: PageContext, subscription: Subscription): Html | '' =>
  feedsIn(site.context)?.menu(site, subscription) ?? ''

// Programs that request calendars from pages may not support rules, so each date of a series is an event
// there.
const expansion = ({ expand = true }: SitePageParams): { expand?: true } => (expand ? { expand } : {})

/**
 * Redirects to the calendar with the events of a page, if the request asks for it and there is one.
 *
 * @param days the days of the page, as an interval; by default, its dates don't limit the calendar
 * @throws the redirect
 */
export function assertNotCalendar(
  site: PageContext,
  query: SitePageParams,
  filters: CalendarFilters,
  days?: string,
): void {
  const feeds = query.ical && feedsIn(site.context)
  if (!feeds) return
  throw redirect(
    feeds.calendar(site, filters, { ...(days && { happening: days }), ...expansion(query) }),
    302,
  )
}

/**
 * {@link assertNotCalendar} before the list is read. It does nothing for a search whose words may be replaced
 * by similar ones, because the calendar has events with these, too: such a page asks again once it knows the
 * words.
 */
export function assertNotCalendarYet(
  site: PageContext,
  query: SitePageParams,
  filters: CalendarFilters,
  days?: string,
): void {
  if (query.search === undefined || query.exact) assertNotCalendar(site, query, filters, days)
}

/**
 * Redirects to the calendar of an event, or of its programme, if the request asks for it.
 * @throws the redirect
 */
export function assertNotEventCalendar(
  site: PageContext,
  query: SitePageParams,
  event: { id: number; series?: unknown; hasParts: boolean },
): void {
  const furtherValues = {
    ...(event.hasParts && { programme: true }),
    ...(event.series || event.hasParts ? expansion(query) : {}),
  }
  if (query.ical) throw redirect(eventCalendarAddress(site, event) + queryOf({}, furtherValues), 302)
}
