import type { RequestContext } from '../../context.ts'
import { type Query, together } from '../../db/query.ts'
import { calendarText } from '../../resources/events/calendar/calendar.ts'
import { type FoundEvents, selectFeed } from '../../resources/events/calendar/queries.ts'
import { type Removed, selectRemovedFrom } from '../../resources/events/calendar/removed.ts'
import type { Feed } from '../../resources/events/calendar/room.ts'
import type { EventListParams } from '../../resources/events/schema.ts'
import { jsonFeedText } from './json-feed.ts'
import { rssText } from './rss.ts'

/**
 * A format of feeds: its media type, the query of what it shows, in one round trip, and the text that it makes of that. The
 * context is that of an anonymous caller, whoever asks.
 */
export type Format<T> = {
  type: string
  select: (context: RequestContext, values: Partial<EventListParams>) => Query<T>
  /** @param address that of the feed itself */
  write: (
    context: RequestContext,
    input: { found: T; address: string; values?: { expand?: boolean | undefined } },
  ) => Feed
}

/** A feed that tells if it lacks events. */
const counted = (feed: Feed, { events, total }: FoundEvents): Feed => ({
  ...feed,
  isShortened: feed.isShortened || total > events.length,
})

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

export const CALENDAR: Format<{ shown: FoundEvents; removed: Removed[] }> = {
  type: CALENDAR_TYPE,
  select: (context, values) =>
    together({ shown: selectFeed(context, values), removed: selectRemovedFrom(context, values) }),
  write: (context, { found: { shown, removed }, values: { expand = false } = {} }) =>
    counted(calendarText({ ...shown, removed, expand }, context), shown),
}

export const RSS: Format<FoundEvents> = {
  type: 'application/rss+xml; charset=utf-8',
  select: selectFeed,
  write: (context, { found, address }) => counted(rssText(found, address, context), found),
}

export const JSON_FEED: Format<FoundEvents> = {
  type: 'application/feed+json; charset=utf-8',
  select: selectFeed,
  write: (context, { found, address }) => counted(jsonFeedText(found, address, context), found),
}
