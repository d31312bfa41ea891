import { addDays, type DateTime, isoWeekday } from '../../lib/time.ts'
import { filled } from '../../words/words.ts'
import { type Display, dayPath, queryOf } from '../html/addresses.ts'
import { feedsOf, subscribeMenu } from '../html/feeds.ts'
import { type FilterNames, type Filters, isUnfiltered } from '../html/filters.ts'
import { chips, displays, filterNames, finder } from '../html/finder.ts'
import { emptyState, type Html, html } from '../html/html.ts'
import { layout, type SitePage } from '../html/layout.ts'
import type { Category } from '../html/queries.ts'
import type { PageDocument } from '../html/route.ts'
import type { Site } from '../html/site.ts'

const SUNDAY = 7

/** A range of days, `YYYY-MM-DD`, inclusive. */
export type Days = { from: string; to: string }

const daysFrom = (wall: DateTime, first: number, last: number): Days => ({
  from: addDays(wall, first).slice(0, 10),
  to: addDays(wall, last).slice(0, 10),
})

/** The days that most people look for. On a weekend, `weekend` is the rest of it; the next week begins on Monday. */
export function quickDays(today: DateTime) {
  const toSunday = SUNDAY - isoWeekday(today)
  return {
    today: daysFrom(today, 0, 0),
    tomorrow: daysFrom(today, 1, 1),
    weekend: daysFrom(today, Math.max(toSunday - 1, 0), toSunday),
    nextWeek: daysFrom(today, toSunday + 1, toSunday + 7),
  } as const
}

/** Links to these days with the filters of the page. @param shown the days of the page */
function quickDates(site: Site, filters: Filters, shown: Days | undefined): Html {
  const { words, today } = site
  const days = quickDays(today)
  const within = ({ from, to }: Days): string => `/events/${queryOf(filters, { date: from, until: to })}`
  const links = [
    ['today', `/events/today/${queryOf(filters)}`],
    ['tomorrow', dayPath(days.tomorrow.from) + queryOf(filters)],
    ['weekend', within(days.weekend)],
    ['nextWeek', within(days.nextWeek)],
  ] as const
  const isShown = ({ from, to }: Days): boolean => shown?.from === from && shown.to === to
  return html`<nav class="quick" aria-label="${words.quickDates}"><ul>${links.map(
    ([name, address]) =>
      html`<li><a href="${address}"${isShown(days[name]) && html` aria-current="true"`}>${words[name]}</a></li>`,
  )}</ul></nav>`
}

/** The differences between pages of events: a list, a month, a day, and the lists of a term, venue or organizer. */
export type EventsPage = Omit<SitePage, 'main' | 'feeds'> & {
  display: Display
  /** The path of the page without its filters. */
  path: string
  /** The filters that apply to the page, including those in its path. Feeds and other displays use the same ones. */
  filters: Filters
  categories: readonly Category[]
  /** The filters that the page shows with a link to remove each; without those in its path. */
  chosen?: { filters: Filters; names: FilterNames }
  /** The name of the term, venue or organizer that the page is about. */
  subject?: string
  /** The first day of the page, if it is not today: `YYYY-MM-DD`. */
  date?: string | undefined
  /** The days of the page, if it has an end. */
  days?: Days | undefined
  /** The content above the heading. */
  above?: Html
  heading: Html
  /** The content between the heading and the form. */
  intro?: Html
  body: Html
}

/** The document of a page of events. */
export function eventsPage(site: Site, page: EventsPage): PageDocument {
  const { display, path, filters, categories, chosen, date, days } = page
  const { above, heading, intro, body, ...head } = page
  const main = html`${above}<div class="page-head">${heading}${displays(site, { display, filters, date })}</div>
${intro}
<div class="tools">${finder(site, { display, filters, categories, date })}
${subscription(site, page)}
${quickDates(site, filters, days)}</div>
${chosen && chips(site, path, chosen.filters, categories, chosen.names)}
${body}`
  return { body: String(layout(site, { section: 'events', ...head, feeds: feedsOf(site, filters), main })) }
}

/** The menu for subscribing to the events of a page. */
function subscription(site: Site, { filters, categories, chosen, subject = '' }: EventsPage): Html {
  const { words, context } = site
  const names = chosen ? filterNames(site, chosen.filters, categories, chosen.names) : []
  const name = [subject, ...names.map(({ name }) => name)].filter(Boolean).join(', ')
  const note = name ? filled(words.subscribeTo, { name }) : words.subscribeAll
  return subscribeMenu(site, { filters, name: name || context.settings.siteName, note })
}

type EmptyPage = { path: string; filters: Filters; title?: string; text?: string }

/** A note for a page without events, with links to find some. */
export function noEvents(
  site: Site,
  { path, filters, title, text = site.words.nothingHere }: EmptyPage,
  more: readonly { address: string; text: string }[] = [],
): Html {
  const { words } = site
  const isPlain = isUnfiltered(filters)
  return emptyState(site, {
    ...(title && { title }),
    text: isPlain ? text : words.nothingHint,
    links: [...(isPlain ? [] : [{ address: path, text: words.clear }]), ...more],
  })
}
