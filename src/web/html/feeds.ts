import type { RequestContext } from '../../context.ts'
import { Registry } from '../../lib/registry.ts'
import type { Settings } from '../../settings.ts'
import { eventCalendar } from './add-to-calendar.ts'
import { type QueryValues, queryOf } from './addresses.ts'
import type { Filters, SitePageParams } from './filters.ts'
import type { Html } from './html.ts'
import { redirect } from './route.ts'
import type { Site } from './site.ts'

/** A feed of events: its media type, its name and its address. */
export type FeedLink = { type: string; title: string; address: string }

/** The filters of a calendar: the filters of pages, and the one of a series' page. */
export type CalendarFilters = Filters & { series?: readonly number[] }

type Subscription = {
  filters: CalendarFilters
  /** What the events have in common; by default they are all events of the calendar. */
  name?: string
}

/** What a feature offers for following the events of a page. */
export type EventFeeds = {
  /** Links in the head of the page. */
  links: (site: Site, filters: CalendarFilters) => readonly FeedLink[]
  /** The menu with all ways to subscribe. */
  menu: (site: Site, subscription: Subscription) => Html
  /** The address of a calendar. @param more an interval of days, and whether each date of a series is an event of its own */
  calendar: (site: Site, filters: CalendarFilters, more: { happening?: string; expand?: true }) => string
  /** The address of a feed of all events for programs that show news. */
  news: (site: Site) => string
  /** The address of a spreadsheet. @param query parameters of the list of events */
  spreadsheet: (context: RequestContext, query: QueryValues) => string
}

type FeedsWhileOn = (settings: Settings) => EventFeeds | undefined

const ofFeatures = new Registry<readonly FeedsWhileOn[]>('feeds')
export const addFeeds = (feeds: readonly FeedsWhileOn[]): void => ofFeatures.set(feeds)

/** The feeds of a calendar, if it has any. */
export function feedsIn({ settings }: RequestContext): EventFeeds | undefined {
  for (const whileOn of ofFeatures.value) {
    const feeds = whileOn(settings)
    if (feeds) return feeds
  }
  return undefined
}

/** The links in the head of a page with some events. */
export const feedLinks = (site: Site, filters: CalendarFilters): readonly FeedLink[] =>
  feedsIn(site.context)?.links(site, filters) ?? []

/** The menu with all ways to subscribe to some events; '' if there is none. */
export const subscribeMenu = (site: Site, subscription: Subscription): Html | '' =>
  feedsIn(site.context)?.menu(site, subscription) ?? ''

// Programs that request calendars from pages may not support rules, so each date of a series is an event there.
const expansion = ({ expand = true }: SitePageParams): { expand?: true } => (expand ? { expand } : {})

/**
 * Redirects to the calendar with the events of a page, if the request asks for it and there is one.
 *
 * @param days the days of the page, as an interval; by default, its dates don't limit the calendar
 * @throws the redirect
 */
export function assertNotCalendar(
  site: Site,
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

type MaybeOccurrence = { id: number; series?: unknown; hasParts?: boolean }

/** Redirects to the calendar of an event, or of its programme, if the request asks for it. @throws the redirect */
export function assertNotEventCalendar(site: Site, query: SitePageParams, event: MaybeOccurrence): void {
  const more = {
    ...(event.hasParts && { programme: true }),
    ...(event.series || event.hasParts ? expansion(query) : {}),
  }
  if (query.ical) throw redirect(eventCalendar(site, event) + queryOf({}, more), 302)
}
