import { defineFeature, type Feature } from '../../feature.ts'
import { queryOf } from '../../site/html/addresses.ts'
import { subscriptionMenu } from '../../site/html/calendar-menus.ts'
import { listFilters } from '../../site/html/filters.ts'
import { html } from '../../site/html/html.ts'
import type { PageContext } from '../../site/html/page-context.ts'
import type { CalendarFilters, EventFeeds, FeedLink } from '../../site/html/slots.ts'
import { filled } from '../../words/words.ts'
import { feedRoutes } from './routes.ts'
import words from './words.ts'

const calendarOf: EventFeeds['calendar'] = ({ context }, filters, more) =>
  `${context.api}/events.ics${queryOf(listFilters(filters), more)}`

const rssOf = ({ context }: PageContext, filters: CalendarFilters): string =>
  `${context.api}/events.rss${queryOf(listFilters(filters))}`

/** The feeds for programs that show news. */
const newsOf = (site: PageContext, filters: CalendarFilters): FeedLink[] => [
  { type: 'application/rss+xml', title: 'RSS', address: rssOf(site, filters) },
  {
    type: 'application/feed+json',
    title: 'JSON Feed',
    address: `${site.context.api}/events.feed.json${queryOf(listFilters(filters))}`,
  },
]

function noteOf({ words }: PageContext, { series }: CalendarFilters, name: string | undefined): string {
  if (name === undefined) return words.subscribeAll
  return filled(series ? words.subscribeSeries : words.subscribeTo, { name })
}

/** The ways to subscribe, and feeds of news. */
const menu: EventFeeds['menu'] = (site, { filters, name }) =>
  subscriptionMenu(site, {
    address: calendarOf(site, filters, {}),
    name,
    note: noteOf(site, filters, name),
    furtherLinks: newsOf(site, filters).map(({ address, title }) => html`<a href="${address}">${title}</a>`),
  })

const eventFeeds: EventFeeds = {
  links: (site, filters) => [
    { type: 'text/calendar', title: site.words.subscribe, address: calendarOf(site, filters, {}) },
    ...newsOf(site, filters),
  ],
  menu,
  calendar: calendarOf,
  news: site => rssOf(site, {}),
  spreadsheet: (context, query) => `${context.api}/events.csv${queryOf({}, query)}`,
}

const DECLARED = { words } as const

/** The events of a list as a calendar to subscribe to, as news, as a spreadsheet and as a text for mail. */
export const feedsFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'feeds',
  declares: DECLARED,
  routes: feedRoutes,
  eventFeeds,
})
