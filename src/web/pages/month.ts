import { mapped } from '../../db/query.ts'
import { ApiError } from '../../lib/errors.ts'
import { capitalized } from '../../lib/text.ts'
import { addMonths, type DateTime } from '../../lib/time.ts'
import { filled } from '../../words/words.ts'
import { monthPath, queryOf } from '../html/addresses.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { type Filters, filtersIn, isUnfiltered, pageList, type SitePageParams } from '../html/filters.ts'
import { html } from '../html/html.ts'
import { monthEvents } from '../html/queries.ts'
import { definePage, redirect } from '../html/route.ts'
import type { Site } from '../html/site.ts'
import { monthIn, weeksOf } from '../html/when.ts'
import { eventsPage, noEvents } from './events-page.ts'
import { MOST_IN_MONTH, monthTable, placed } from './month-table.ts'
import { assertKnown } from './paged-list.ts'
import { periodPager, withChoices } from './period.ts'

/** The query of a month's events, one more than are shown. */
export const monthQuery = (site: Site, month: DateTime, filters: Filters) => {
  const days = weeksOf(month, site.dates.firstWeekday).flat()
  const [first = month, last = month] = [days[0], days.at(-1)]
  return {
    values: { ...filters, happening: `${first.slice(0, 10)}/${last.slice(0, 10)}` },
    page: { page: 1, perPage: MOST_IN_MONTH + 1, offset: 0 },
  }
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
      const listing = monthEvents(context, monthQuery(site, month, filters))
      return mapped(withChoices(context, filters, listing), loaded => ({ ...loaded, month }))
    },
    respond: (site, { loaded }) => {
      assertKnown(loaded.unknown)
      const { words, dates, context, today } = site
      const { month, filters, categories, names, events } = loaded
      const shown = placed(site, month, events)
      const title = dates.format('month', month)
      const monthFrom = (by: number) => monthIn(addMonths(month, by).slice(0, 7))
      const { links, ...around } = periodPager(site, {
        ...{ display: 'month', filters, path: monthPath, present: words.today, farMonths: 24 },
        name: other => dates.format('month', other),
        before: monthFrom(-1),
        after: monthFrom(1),
      })
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
        body: html`${links}
${shown.isCut && html`<p class="notice">${words.tooMany}</p>`}
${isEmpty && noEvents(site, { path: monthPath(month), filters, title: words.nothingInMonth }, [{ address: `/events/${queryOf(filters)}`, text: words.seeUpcoming }])}
${monthTable(site, shown, filters)}`,
        title: capitalized(title),
        description: filled(words.monthDescription, { month: title, site: context.settings.siteName }),
        canonical: monthPath(month),
        isUnlisted: isEmpty || !isUnfiltered(filters),
        ...around,
      })
    },
  })
}

export const monthRoutes = [monthRoute('/events/month/'), monthRoute('/events/:month{\\d\\d\\d\\d-\\d\\d}/')]
