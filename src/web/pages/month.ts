import { mapped, together } from '../../db/query.ts'
import { ApiError } from '../../lib/errors.ts'
import { capitalized } from '../../lib/text.ts'
import { addMonths, type DateTime } from '../../lib/time.ts'
import { filled } from '../../words/words.ts'
import { displayPath, monthPath, queryOf } from '../html/addresses.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import {
  type Filters,
  filtersIn,
  isUnfiltered,
  namesOf,
  pageList,
  type SitePageParams,
} from '../html/filters.ts'
import { html, pager, type Step } from '../html/html.ts'
import { monthEvents, usedCategories } from '../html/queries.ts'
import { definePage, redirect } from '../html/route.ts'
import type { Site } from '../html/site.ts'
import { monthIn, weeksOf } from '../html/when.ts'
import { eventsPage, noEvents } from './events-page.ts'
import { MOST_IN_MONTH, monthTable, placed } from './month-table.ts'
import { assertKnown } from './paged-list.ts'

/** The query of a month's events, one more than are shown. */
export const monthQuery = (site: Site, month: DateTime, filters: Filters) => {
  const days = weeksOf(month, site.dates.firstWeekday).flat()
  const [first = month, last = month] = [days[0], days.at(-1)]
  return {
    values: { ...filters, happening: `${first.slice(0, 10)}/${last.slice(0, 10)}` },
    page: { page: 1, perPage: MOST_IN_MONTH + 1, offset: 0 },
  }
}

/** The distance from today up to which search engines should follow links to months, which never end. */
const FAR_MONTHS = 24

function steps(site: Site, month: DateTime, filters: Filters): { before: Step; after: Step } {
  const far = [addMonths(site.today, -FAR_MONTHS), addMonths(site.today, FAR_MONTHS)] as const
  const step = (by: number): Step => {
    const other = addMonths(month, by)
    if (monthIn(other.slice(0, 7)) === undefined) return undefined
    return {
      address: monthPath(other) + queryOf(filters),
      text: site.dates.format('month', other),
      isNofollow: other < far[0] || other > far[1],
    }
  }
  return { before: step(-1), after: step(1) }
}

/** The month of the page. @throws ApiError if there is no such month, `redirect` to the month of the form's date */
function monthNamed(
  site: Site,
  name: string | undefined,
  { date, ical }: SitePageParams,
  filters: Filters,
): DateTime {
  if (date !== undefined && !ical) throw redirect(monthPath(date) + queryOf(filters), 302)
  const month = monthIn(name ?? site.today.slice(0, 7))
  if (month === undefined) throw new ApiError('rest_no_route', 'There is no such month.')
  return month
}

function monthRoute(path: string) {
  return definePage({
    path,
    query: pageList,
    load: (site, { params, query }) => {
      const { context } = site
      const filters = filtersIn(query)
      const month = monthNamed(site, params.month, query, filters)
      assertNotCalendar(site, query, filters)
      return mapped(
        together({
          listing: monthEvents(context, monthQuery(site, month, filters)),
          categories: usedCategories(),
          names: namesOf(context, filters),
        }),
        ({ listing, categories, names }) => ({ ...listing, categories, names, month, filters }),
      )
    },
    respond: (site, { loaded }) => {
      assertKnown(loaded.unknown)
      const { words, dates, context, today } = site
      const { month, filters, categories, names, events } = loaded
      const shown = placed(site, month, events)
      const title = dates.format('month', month)
      const { before, after } = steps(site, month, filters)
      const isNow = month.slice(0, 7) === today.slice(0, 7)
      const isEmpty = !weeksOf(month, dates.firstWeekday)
        .flat()
        .some(day => day.slice(0, 7) === month.slice(0, 7) && shown.days.get(day.slice(0, 10))?.slots.length)
      return eventsPage(site, {
        display: 'month',
        path: monthPath(month),
        filters,
        categories,
        chosen: { filters, names },
        date: isNow ? undefined : month.slice(0, 10),
        heading: html`<h1>${capitalized(title)}</h1>`,
        body: html`${pager(words.month, { before, after, today: { address: displayPath(site, 'month', filters), text: words.today } })}
${shown.isCut && html`<p class="notice">${words.tooMany}</p>`}
${isEmpty && noEvents(site, { path: monthPath(month), filters, title: words.nothingInMonth }, [{ address: `/events/${queryOf(filters)}`, text: words.seeUpcoming }])}
${monthTable(site, shown, filters)}`,
        title: capitalized(title),
        description: filled(words.monthDescription, { month: title, site: context.settings.siteName }),
        canonical: monthPath(month),
        isUnlisted: isEmpty || !isUnfiltered(filters),
        previous: before?.address,
        next: after?.address,
      })
    },
  })
}

export const monthRoutes = [monthRoute('/events/month/'), monthRoute('/events/:month{\\d\\d\\d\\d-\\d\\d}/')]
