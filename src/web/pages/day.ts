import { pageOf } from '../../http/lists.ts'
import { capitalized } from '../../lib/text.ts'
import { listedEvents } from '../../resources/events/listed.ts'
import { filled } from '../../words/words.ts'
import { dayPath, queryOf } from '../html/addresses.ts'
import { dated, eventItem } from '../html/events.ts'
import type { SitePageParams } from '../html/filters.ts'
import { html, pager, type Step } from '../html/html.ts'
import type { Site } from '../html/site.ts'
import { dateOf, dayFrom } from '../html/when.ts'
import { pagesOf } from './list.ts'
import { periodRoutes } from './period.ts'

/** Events on the page of a day: most days fit on one. */
const PER_PAGE = 50

const pageIn = ({ context }: Site, { page }: SitePageParams) => pageOf({ page, per_page: PER_PAGE }, context)

export const dayRoutes = periodRoutes({
  display: 'day',
  pattern: '/events/:name{\\d\\d\\d\\d-\\d\\d-\\d\\d}/',
  startOf: ({ today }, name) => (name === undefined ? today : dateOf(name)),
  path: dayPath,
  from: dayFrom,
  nameOf: ({ dates }, day) => dates.format('shortDay', day),
  present: 'today',
  nothing: 'nothing',
  farMonths: 12,
  select: (site, { start, filters, query }) =>
    listedEvents(site.context, {
      values: { ...filters, happening: start.slice(0, 10) },
      page: pageIn(site, query),
    }),
  view: (site, { rows, total }, { start, path, filters, query }) => {
    const { words, dates, context } = site
    const page = pageIn(site, query)
    const pages = pagesOf(page, rows.length, total)
    const day = start.slice(0, 10)
    // An all-day event in another zone belongs to its own days, even if it overlaps with others here.
    const events = rows
      .map(row => dated(site, row))
      .filter(({ times }) => times.firstDay <= day && times.lastDay >= day)
    const title = dates.format('day', start)
    const turn = (n: number, text: string): Step =>
      n >= 1 && n <= pages ? { address: path + queryOf(filters, { page: n }), text } : undefined
    const [before, after] = [turn(page.page - 1, words.earlier), turn(page.page + 1, words.later)]
    return {
      title: capitalized(title),
      description: filled(words.dayDescription, { day: title, site: context.settings.siteName }),
      days: { from: day, to: day },
      body: html`${events.length > 0 && html`<ol class="events">${events.map(shown => eventItem(site, shown, day, 'h2'))}</ol>`}
${pages > 1 && pager(words.pages, { before, after })}`,
      isEmpty: events.length === 0,
      isFurther: page.page > 1,
    }
  },
})
