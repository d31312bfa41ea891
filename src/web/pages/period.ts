import { settled, together } from '../../db/query.ts'
import { ApiError } from '../../lib/errors.ts'
import { addMonths, type DateTime } from '../../lib/time.ts'
import type { KnownEvents } from '../../resources/events/listed.ts'
import { displayPath, PRESENT, queryOf } from '../html/addresses.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import {
  type Filters,
  filtersIn,
  isUnfiltered,
  namesOf,
  pageList,
  type SitePageParams,
} from '../html/filters.ts'
import { type Html, html, pager, type Step } from '../html/html.ts'
import { usedCategories } from '../html/queries.ts'
import { assertOwnPath, definePage, type PageRoute, redirect } from '../html/route.ts'
import type { Site } from '../html/site.ts'
import { type Days, eventsPage, noEvents } from './events-page.ts'
import { assertKnown } from './list.ts'

// The pages of a day, a week and a month: each stands between two others of its kind.

/** The request for a page: its period, by the beginning of that, and its parameters. */
export type PeriodInput = { start: DateTime; path: string; filters: Filters; query: SitePageParams }

type PeriodView = {
  title: string
  description: string
  /** The days of the period, for links to the days that most people look for. */
  days?: Days
  /** The content, also for a period without events. */
  body: Html | ''
  isEmpty: boolean
  /** True if there are more events than the page shows. */
  isCut?: boolean
  /** True for a further page of the period. */
  isFurther?: boolean
}

type Period<T> = {
  display: 'day' | 'week' | 'month'
  /** The path of the page in Hono's notation, with the parameter `name`. */
  pattern: string
  /** The beginning of the period with a name, or of the present one; undefined if there is none. */
  startOf: (site: Site, name: string | undefined) => DateTime | undefined
  /** The path of the period that a day is in. */
  path: (day: DateTime) => string
  /** The beginning of the period so many after another; undefined beyond the limits of dates. */
  from: (start: DateTime, by: 1 | -1) => DateTime | undefined
  /** The texts of links to a period, to the present one, and of a page without events. */
  nameOf: (site: Site, start: DateTime) => string
  present: 'today' | 'thisWeek'
  nothing: 'nothing' | 'nothingInWeek' | 'nothingInMonth'
  /** The months from today up to which search engines should follow links to others, of which there is no end. */
  farMonths: number
  select: (site: Site, input: Omit<PeriodInput, 'path'>) => KnownEvents<T>
  view: (site: Site, events: T, input: PeriodInput) => PeriodView
}

/** The pages of the present period and of those with a name. */
export const periodRoutes = <T>(period: Period<T>): PageRoute[] => [
  periodRoute(period, PRESENT[period.display]),
  periodRoute(period, period.pattern),
]

function periodRoute<T>(period: Period<T>, address: string): PageRoute {
  const { display, path: pathOf } = period
  return definePage({
    path: address,
    query: pageList,
    load: (site, { params, query }) => {
      const filters = filtersIn(query)
      const { date, ical } = query
      if (date !== undefined && !ical) throw redirect(pathOf(date) + queryOf(filters), 302)
      const start = period.startOf(site, params.name)
      if (start === undefined) throw new ApiError('rest_no_route', `There is no such ${display}.`)
      assertNotCalendar(site, query, filters)
      return together({
        listing: period.select(site, { start, filters, query }),
        categories: usedCategories(),
        names: namesOf(site.context, filters),
        input: settled({ start, path: pathOf(start), filters, query }),
      })
    },
    respond: (site, { params, url, loaded: { listing, categories, names, input } }) => {
      assertKnown(listing.unknown)
      const { start, path, filters } = input
      if (params.name !== undefined) assertOwnPath(path, url)
      const { title, description, days, body, isEmpty, isCut, isFurther } = period.view(
        site,
        listing.events,
        input,
      )
      const { links, previous, next } = periodPager(site, period, input)
      const { words, today } = site
      const list = { address: `/events/${queryOf(filters)}`, text: words.seeUpcoming }
      return eventsPage(site, {
        display,
        path,
        filters,
        categories,
        chosen: { filters, names },
        date: path === pathOf(today) ? undefined : start.slice(0, 10),
        days,
        heading: html`<h1>${title}</h1>`,
        body: html`${links}
${isCut && html`<p class="notice">${words.tooMany}</p>`}
${isEmpty && noEvents(site, { path, filters, title: words[period.nothing] }, [list])}
${body}`,
        title,
        description,
        canonical: path,
        isUnlisted: isEmpty || isFurther || !isUnfiltered(filters),
        previous,
        next,
      })
    },
  })
}

/** The links to the periods before and after, and to the present one. */
function periodPager<T>(site: Site, period: Period<T>, { start, filters }: PeriodInput) {
  const { display, from, path, nameOf, present, farMonths } = period
  const near = [addMonths(site.today, -farMonths), addMonths(site.today, farMonths)] as const
  const stepTo = (other: DateTime | undefined): Step =>
    other === undefined
      ? undefined
      : {
          address: path(other) + queryOf(filters),
          text: nameOf(site, other),
          isNofollow: other < near[0] || other > near[1],
        }
  const [before, after] = [stepTo(from(start, -1)), stepTo(from(start, 1))]
  const today = { address: displayPath(site, display, filters), text: site.words[present] }
  const links = pager(site.words[display], { before, after, today })
  return { links, previous: before?.address, next: after?.address }
}
