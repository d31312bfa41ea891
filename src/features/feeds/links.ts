import { queryOf } from '../../web/html/addresses.ts'
import type { CalendarFilters, EventFeeds, FeedLink } from '../../web/html/feeds.ts'
import { listFilters } from '../../web/html/filters.ts'
import { type Html, html, menuButton } from '../../web/html/html.ts'
import type { Site } from '../../web/html/site.ts'
import { filled } from '../../words/words.ts'

/** The address of the calendar for some filters. */
const calendarOf: EventFeeds['calendar'] = ({ context }, filters, more) =>
  `${context.api}/events.ics${queryOf(listFilters(filters), more)}`

/** The address of the RSS feed for some filters. */
const rssOf = ({ context }: Site, filters: CalendarFilters): string =>
  `${context.api}/events.rss${queryOf(listFilters(filters))}`

/** The feeds for programs that show news. */
const newsOf = (site: Site, filters: CalendarFilters): FeedLink[] => [
  { type: 'application/rss+xml', title: 'RSS', address: rssOf(site, filters) },
  {
    type: 'application/feed+json',
    title: 'JSON Feed',
    address: `${site.context.api}/events.feed.json${queryOf(listFilters(filters))}`,
  },
]

/** The address of a calendar with the scheme that calendar programs handle. */
const webcal = (address: string): string => address.replace(/^https?:/, 'webcal:')

/** A button that copies a text to the clipboard. It is hidden without scripts. */
const copyButton = (text: string, { label, done }: { label: string; done: string }): Html =>
  html`<button class="link-button" type="button" data-copy="${text}" data-done="${done}" hidden>${label}</button>`

/** The sentence about a subscription. */
function noteOf({ words }: Site, { series }: CalendarFilters, name: string | undefined): string {
  if (name === undefined) return words.subscribeAll
  return filled(series ? words.subscribeSeries : words.subscribeTo, { name })
}

/** The most common programs, the address for others, and feeds of news. */
const menu: EventFeeds['menu'] = (site, { filters, name }) => {
  const { words, context } = site
  const address = calendarOf(site, filters, {})
  const program = webcal(address)
  const google = `https://calendar.google.com/calendar/render${queryOf({}, { cid: program })}`
  const named = { url: address, name: name ?? context.settings.siteName }
  const outlook = `https://outlook.live.com/calendar/0/addfromweb${queryOf({}, named)}`
  return menuButton({
    name: 'subscribe',
    text: words.subscribe,
    isQuiet: true,
    note: noteOf(site, filters, name),
    items: [
      html`<a href="${google}" rel="noopener">Google Calendar</a>`,
      html`<a href="${program}">Apple Calendar</a>`,
      html`<a href="${outlook}" rel="noopener">Outlook.com</a>`,
      html`<a href="${address}">${words.calendarFile}</a>`,
      copyButton(address, { label: words.copyAddress, done: words.copied }),
      ...newsOf(site, filters).map(({ address, title }) => html`<a href="${address}">${title}</a>`),
    ],
  })
}

/** Feeds as pages offer them. */
export const eventFeeds: EventFeeds = {
  links: (site, filters) => [
    { type: 'text/calendar', title: site.words.subscribe, address: calendarOf(site, filters, {}) },
    ...newsOf(site, filters),
  ],
  menu,
  calendar: calendarOf,
  news: site => rssOf(site, {}),
  spreadsheet: (context, query) => `${context.api}/events.csv${queryOf({}, query)}`,
}
