import { mapped, together } from '../../db/query.ts'
import { ApiError } from '../../lib/errors.ts'
import { capitalized } from '../../lib/text.ts'
import { addMonths, type DateTime } from '../../lib/time.ts'
import { filled } from '../../lib/words.ts'
import { dayPath, displayPath, monthPath, queryOf } from '../addresses.ts'
import { monthOf, weeksOf } from '../days.ts'
import { statusWord } from '../events.ts'
import { eventsPage, noEvents } from '../events-page.ts'
import { assertNotCalendar } from '../feeds.ts'
import { type Filters, filtersIn, isUnfiltered, type PageParams, pageList } from '../filters.ts'
import { type Html, html } from '../html.ts'
import { fitting, MOST_IN_MONTH, type Month, type Placed, placed } from '../month-slots.ts'
import { namesOf } from '../names.ts'
import { pathOf } from '../occurrences.ts'
import { assertKnown } from '../paged-list.ts'
import { pager, type Step } from '../pager.ts'
import { monthListing } from '../queries.ts'
import { definePage, redirect } from '../route.ts'
import type { Site } from '../site.ts'
import { nameOf } from '../text.ts'

/** The query of a month's events, one more than are shown. */
export const monthQuery = (site: Site, month: DateTime, filters: Filters) => {
  const days = weeksOf(month, site.dates.firstWeekday).flat()
  const [first = month, last = month] = [days[0], days.at(-1)]
  return {
    values: { ...filters, happening: `${first.slice(0, 10)}/${last.slice(0, 10)}` },
    page: { page: 1, perPage: MOST_IN_MONTH + 1, offset: 0 },
  }
}

/** The table of a month. On narrow screens it becomes a list of the days that have events. */
export function monthTable(site: Site, shown: Month, filters: Filters): Html {
  const { dates } = site
  const { month, weeks } = shown
  return html`<table class="month">
<caption class="hidden">${dates.format('month', month)}</caption>
<thead><tr>${(weeks[0] ?? []).map(
    day =>
      html`<th scope="col"><span aria-hidden="true">${dates.format('weekday', day)}</span><span class="hidden">${dates.format('longWeekday', day)}</span></th>`,
  )}</tr></thead>
<tbody>${weeks.map(week => html`<tr>${week.map((day, i) => cell(site, shown, { day, before: i > 0 ? week[i - 1] : undefined }, filters))}</tr>`)}</tbody>
</table>`
}

/** @param before the day before in the same week */
function cell(
  site: Site,
  { month, slots }: Month,
  { day, before }: { day: DateTime; before: DateTime | undefined },
  filters: Filters,
): Html {
  const { words, dates, today, base } = site
  const all = slots.get(day.slice(0, 10)) ?? []
  const events = all.filter(event => event !== undefined)
  const shown = fitting(all)
  const shownBefore = fitting(slots.get(before?.slice(0, 10) ?? '') ?? [])
  const more = events.length - shown.filter(event => event !== undefined).length
  const classes = [
    'cell',
    day.slice(0, 7) !== month.slice(0, 7) && 'is-other',
    day === today && 'is-today',
    day < today && 'is-past',
    events.length === 0 && 'is-empty',
  ]
  const parts = dates
    .parts(day)
    .map(({ isDay, text }) => (isDay ? html`<b>${text}</b>` : html`<span class="cell-words">${text}</span>`))
  const address = base + dayPath(day) + queryOf(filters)
  const full = dates.format('day', day)
  return html`<td class="${classes.filter(Boolean).join(' ')}"${day === today && html` aria-current="date"`}>
${events.length > 0 ? html`<a class="cell-day" href="${address}">${parts}</a>` : html`<span class="cell-day">${parts}</span>`}
${events.length > more && html`<ul>${shown.map((event, slot) => (event ? cellEvent(site, event, { day, isRepeated: shownBefore[slot] === event }) : html`<li class="cell-gap" aria-hidden="true"></li>`))}</ul>`}
${more > 0 && html`<a class="cell-more" href="${address}">${filled(words.more, { n: more })}<span class="hidden">, ${full}</span></a>`}
</td>`
}

/** @param isRepeated true if the event stands in the cell beside this one, with its title */
function cellEvent(
  site: Site,
  { row, times }: Placed,
  { day, isRepeated }: { day: DateTime; isRepeated: boolean },
): Html {
  const { firstDay, lastDay } = times
  const isLong = lastDay > firstDay || row.all_day
  const status = statusWord(site, row.event_status)
  const classes = [
    'cell-event',
    isLong && 'is-long',
    day.slice(0, 10) > firstDay && 'is-before',
    isRepeated && 'is-repeated',
    day.slice(0, 10) < lastDay && 'is-after',
    status && status !== site.words.rescheduled && 'is-off',
  ]
  const address = pathOf(site, row)
  return html`<li class="${classes.filter(Boolean).join(' ')}"><a href="${address}">${!isLong && html`<span class="cell-time">${site.dates.format('time', times.start)}</span> `}<span class="cell-title">${nameOf(row.title, row.slug)}</span>${status && html` <span class="hidden">(${status})</span>`}<span class="hidden">, ${site.dates.format('day', day)}</span></a></li>`
}

/** Months further away than this from today have links that search engines should not follow: they never end. */
const FAR_MONTHS = 24

function steps(site: Site, month: DateTime, filters: Filters): { before: Step; after: Step } {
  const far = [addMonths(site.today, -FAR_MONTHS), addMonths(site.today, FAR_MONTHS)] as const
  const step = (by: number): Step => {
    const other = addMonths(month, by)
    if (monthOf(other.slice(0, 7)) === undefined) return undefined
    return {
      address: monthPath(other) + queryOf(filters),
      text: site.dates.format('month', other),
      isNofollow: other < far[0] || other > far[1],
    }
  }
  return { before: step(-1), after: step(1) }
}

/** @throws ApiError if there is no such month, `redirect` to the month of the form's date */
function monthNamed(
  site: Site,
  name: string | undefined,
  { date, ical }: PageParams,
  filters: Filters,
): DateTime {
  if (date !== undefined && !ical) throw redirect(monthPath(date) + queryOf(filters), 302)
  const month = monthOf(name ?? site.today.slice(0, 7))
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
          listing: monthListing(context, monthQuery(site, month, filters)),
          names: namesOf(context, filters),
        }),
        ({ listing, names }) => ({ ...listing, names, month, filters }),
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
        .some(day => day.slice(0, 7) === month.slice(0, 7) && shown.slots.get(day.slice(0, 10))?.length)
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
