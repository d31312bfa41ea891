import { mapped } from '../../db/query.ts'
import { pageOf } from '../../http/lists.ts'
import { ApiError } from '../../lib/errors.ts'
import { capitalized } from '../../lib/text.ts'
import type { DateTime } from '../../lib/time.ts'
import { listedEvents } from '../../resources/events/listed.ts'
import { filled } from '../../words/words.ts'
import { dayPath, queryOf } from '../html/addresses.ts'
import { dated, eventItem } from '../html/events.ts'
import { assertNotCalendar } from '../html/feeds.ts'
import { type Filters, filtersIn, isUnfiltered, pageList, type SitePageParams } from '../html/filters.ts'
import { html, pager, type Step } from '../html/html.ts'
import { definePage, redirect } from '../html/route.ts'
import type { Site } from '../html/site.ts'
import { dateOf, dayFrom } from '../html/when.ts'
import { eventsPage, noEvents } from './events-page.ts'
import { assertKnown, pagesOf } from './paged-list.ts'
import { periodPager, withChoices } from './period.ts'

/** Events on the page of a day: most days fit on one. */
const PER_PAGE = 50

/** The day of the page. @throws ApiError if there is no such day, `redirect` to the day of the form's date */
function dayNamed(
  site: Site,
  name: string | undefined,
  { date, ical }: SitePageParams,
  filters: Filters,
): DateTime {
  if (date !== undefined && !ical) throw redirect(dayPath(date) + queryOf(filters), 302)
  const day = name === undefined ? site.today : dateOf(name)
  if (day === undefined) throw new ApiError('rest_no_route', 'There is no such day.')
  return day
}

function dayRoute(path: string) {
  return definePage({
    path,
    query: pageList,
    load: (site, { params, query }) => {
      const { context } = site
      const filters = filtersIn(query)
      const day = dayNamed(site, params.day, query, filters)
      assertNotCalendar(site, query, filters)
      const page = pageOf({ page: query.page, per_page: PER_PAGE }, context)
      const values = { ...filters, happening: day.slice(0, 10) }
      return mapped(withChoices(context, filters, listedEvents(context, { values, page })), loaded => ({
        ...loaded,
        day,
        page,
      }))
    },
    respond: (site, { loaded }) => {
      assertKnown(loaded.unknown)
      const { words, dates, context, today } = site
      const { day, filters, categories, names, page } = loaded
      const { rows, total } = loaded.events
      const pages = pagesOf(page, rows.length, total)
      const name = day.slice(0, 10)
      // An all-day event in another zone belongs to its own days, even if it overlaps with others here.
      const events = rows
        .map(row => dated(site, row))
        .filter(({ times }) => times.firstDay <= name && times.lastDay >= name)
      const title = dates.format('day', day)
      const path = dayPath(day)
      const { links, ...around } = periodPager(site, {
        ...{ display: 'day', filters, path: dayPath, present: words.today, farMonths: 12 },
        name: other => dates.format('shortDay', other),
        before: dayFrom(day, -1),
        after: dayFrom(day, 1),
      })
      const turn = (n: number, text: string): Step =>
        n >= 1 && n <= pages ? { address: path + queryOf(filters, { page: n }), text } : undefined
      return eventsPage(site, {
        display: 'day',
        path,
        filters,
        categories,
        chosen: { filters, names },
        date: day === today ? undefined : name,
        days: { from: name, to: name },
        heading: html`<h1>${capitalized(title)}</h1>`,
        body: html`${links}
${
  events.length > 0
    ? html`<ol class="events">${events.map(shown => eventItem(site, shown, name, 'h2'))}</ol>`
    : noEvents(site, { path, filters }, [{ address: `/events/${queryOf(filters)}`, text: words.seeUpcoming }])
}
${pages > 1 && pager(words.pages, { before: turn(page.page - 1, words.earlier), after: turn(page.page + 1, words.later) })}`,
        title: capitalized(title),
        description: filled(words.dayDescription, { day: title, site: context.settings.siteName }),
        canonical: path,
        isUnlisted: events.length === 0 || !isUnfiltered(filters) || page.page > 1,
        ...around,
      })
    },
  })
}

export const dayRoutes = [dayRoute('/events/today/'), dayRoute('/events/:day{\\d\\d\\d\\d-\\d\\d-\\d\\d}/')]
