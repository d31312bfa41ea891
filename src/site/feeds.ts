import { queryOf } from './addresses.ts'
import type { Filters } from './filters.ts'
import type { Site } from './site.ts'

/** A feed of events: its media type, its address for programs, and the one that people follow to subscribe. */
export type Feed = { type: string; title: string; address: string; subscribe: string }

/** True where the API has feeds; pages then announce them, and offer to subscribe. */
const HAS_FEEDS: boolean = false

/** The feeds with the events of a page, if there are any: the one for calendar programs first. */
export const feedsOf = (site: Site, filters: Filters): Feed[] => (HAS_FEEDS ? feedsAt(site, filters) : [])

/** The feeds of the API for some filters. */
export function feedsAt({ context, words }: Site, filters: Filters): Feed[] {
  const query = queryOf(filters)
  const calendar = `${context.api}/events.ics${query}`
  const others = [
    { type: 'application/rss+xml', title: 'RSS', address: `${context.api}/events.rss${query}` },
    { type: 'application/feed+json', title: 'JSON Feed', address: `${context.api}/events.feed.json${query}` },
  ]
  return [
    // Programs for calendars have made this scheme theirs.
    {
      type: 'text/calendar',
      title: words.subscribe,
      address: calendar,
      subscribe: calendar.replace(/^https?:/, 'webcal:'),
    },
    ...others.map(feed => ({ ...feed, subscribe: feed.address })),
  ]
}
