import type { SQL } from 'drizzle-orm'
import type { EventResponse } from '../../calendar/events/schema.ts'
import type { ORGANIZERS } from '../../calendar/organizers/resource.ts'
import type { TermRow } from '../../calendar/terms/resource.ts'
import type { VENUES } from '../../calendar/venues/resource.ts'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, type Query } from '../../kit/db/query.ts'
import { linkHeader } from '../../kit/http/reply.ts'
import { fromFeatures } from '../../kit/lib/started-features.ts'
import { isFeatureOn } from '../../kit/settings.ts'
import type { QueryValues } from './addresses.ts'
import type { Filters } from './filters.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'

/** A link from every page to something that programs use. */
export type HeadLink = {
  rel: string
  href: string
  type?: string
  /** True if programs look for it in the header `Link`, too. */
  isHeader?: boolean
}

/** A feed of events: its media type, its name and its address. */
export type FeedLink = { type: string; title: string; address: string }

/** The filters of a calendar: the filters of pages, and the filter of a series' page. */
export type CalendarFilters = Filters & { series?: readonly number[] }

export type Subscription = {
  filters: CalendarFilters
  /** What the events have in common; by default they are all events of the calendar. */
  name?: string
}

/** What a feature offers for following the events of a page. */
export type EventFeeds = {
  /** Links in the head of the page. */
  links: (site: PageContext, filters: CalendarFilters) => readonly FeedLink[]
  menu: (site: PageContext, subscription: Subscription) => Html
  /**
   * The address of a calendar.
   * @param furtherValues an interval of days, and whether each date of a series is an event of its own
   */
  calendar: (
    site: PageContext,
    filters: CalendarFilters,
    furtherValues: { happening?: string; expand?: true },
  ) => string
  /** The address of a feed of all events for programs that show news. */
  news: (site: PageContext) => string
  /** The address of a spreadsheet. @param query parameters of the list of events */
  spreadsheet: (context: BaseContext, query: QueryValues) => string
}

/** A link at the bottom of all pages, and in their menu unless it is minor. */
export type SiteLink = { href: string; text: string; isMinor?: true }

/** What a page may be about: responses of the API, and the rows of categories and tags. */
type Subjects = {
  event: EventResponse
  /** An event that takes place, for its first button. */
  eventAction: EventResponse
  venue: ReturnType<typeof VENUES.serializeSingle>
  organizer: ReturnType<typeof ORGANIZERS.serializeSingle>
  category: TermRow
  tag: TermRow
}

/** The first button of an event, and whether people can get places there now. */
export type EventAction = { button: Html; isOpen: boolean }

type Parts = { [K in keyof Subjects]: K extends 'eventAction' ? EventAction | '' : Html | '' }

/**
 * A part that a feature adds to the page of an event, venue, organizer or term. Its query joins the query of
 * the page.
 */
export type PagePart<Subject, Part = Html | ''> = {
  /**
   * True if triggers raise the revision with every change of the rows that the part reads besides those of
   * the core. Otherwise the page is cached until the end of the minute at most.
   */
  raisesRevision: boolean
  /**
   * Returns a query for the function that makes the part; `resolvedQuery` for a part that reads no rows.
   *
   * @param ids a SELECT of the id of what the page is about. It may find others that are not shown, and rows
   *   that are not public
   */
  select: (site: PageContext, ids: SQL) => Query<(subject: Subject) => Part>
}

/** What a feature adds to pages, by the place. */
export type Slots = {
  /** Links from every page to what it offers to programs. */
  headLinks?: (context: BaseContext) => readonly HeadLink[]
  /** Ways to follow the events of a page. */
  eventFeeds?: EventFeeds
  /** Links in the menu and at the bottom of every page. */
  siteLinks?: (site: PageContext) => readonly SiteLink[]
  /** A line below the events of lists, weeks, months and days. */
  belowLists?: (site: PageContext, filters: Filters) => Html | ''
  /**
   * Parts of the pages of events, below the ways of sharing them or as their first button, and of venues,
   * organizers, categories and tags, below their texts.
   */
  parts?: { readonly [K in keyof Subjects]?: PagePart<Subjects[K], Parts[K]> }
  /** What it adds at the end of every page, such as a template for its script. */
  pageEnd?: (site: PageContext) => Html | ''
}

const allFeatures = fromFeatures((features): readonly (Slots & { name: string })[] => features)

/** What the enabled features put into a slot. */
export const slot = <K extends keyof Slots>({ settings }: BaseContext, name: K): NonNullable<Slots[K]>[] =>
  allFeatures().flatMap(feature =>
    isFeatureOn(settings, feature.name) ? (feature[name] ?? []) : [],
  ) as NonNullable<Slots[K]>[] // The slot has this type.

/**
 * A query for what the enabled features add to the page of something.
 * @param ids a SELECT of its id
 */
export const selectPageParts = <K extends keyof Subjects>(
  site: PageContext,
  kind: K,
  ids: SQL,
): Query<(subject: Subjects[K]) => Parts[K][]> =>
  combineQueries(
    slot(site.context, 'parts').flatMap(parts => {
      const part: PagePart<Subjects[K], Parts[K]> | undefined = parts[kind]
      if (part?.raisesRevision === false) site.context.clock.endWithMinute()
      return part ? [part.select(site, ids)] : []
    }),
    shown => subject => shown.map(show => show(subject)),
  )

const linksOf = (context: BaseContext): HeadLink[] =>
  slot(context, 'headLinks').flatMap(links => links(context))

/** The links of features as elements, a line each. */
export const headLinks = (context: BaseContext): Html[] =>
  linksOf(context).map(
    ({ rel, href, type }) => html`<link rel="${rel}"${type && html` type="${type}"`} href="${href}">\n`,
  )

/** The links of features that are a header as well. */
export const headerLinks = (context: BaseContext): Record<string, string> =>
  linkHeader(
    Object.fromEntries(
      linksOf(context).flatMap(({ rel, href, isHeader }) => (isHeader ? [[rel, href]] : [])),
    ),
  )
