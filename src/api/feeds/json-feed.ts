import type { SerializeContext } from '../../context.ts'
import { htmlToLines } from '../../lib/ical/text.ts'
import { isoUtc } from '../../lib/time.ts'
import { enclosedImage } from '../../resources/content/images.ts'
import { leftOut } from '../../resources/events/calendar/calendar.ts'
import type { FoundEvents } from '../../resources/events/calendar/queries.ts'
import type { FeedVenue } from '../../resources/events/calendar/relations.ts'
import { type Feed, withinLimit } from '../../resources/events/calendar/room.ts'
import type { Texts } from '../../resources/events/calendar/vevent.ts'
import { type FeedItem, feedName, few, itemsOf } from './items.ts'

/** https://www.jsonfeed.org/version/1.1/ @param address that of the feed itself */
export function jsonFeedText(
  { events, total }: FoundEvents,
  address: string,
  context: SerializeContext,
): Feed {
  const { settings, site } = context
  return withinLimit(events, context, (rows, texts, room) => {
    const description = leftOut(rows, total)
    const head = JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: settings.siteName,
      home_page_url: `${site}/events/`,
      feed_url: address,
      ...(description !== '' && { description }),
    })
    for (const each of itemsOf(rows, texts, context))
      room.add((room.count === 0 ? '' : ',') + JSON.stringify(item(each, texts, context)))
    return [`${head.slice(0, -1)},"items":[`, ']}']
  })
}

function item(
  { row, id, url, title, content, when, start, end }: FeedItem,
  texts: Texts,
  context: SerializeContext,
): object {
  const summary = texts === 'none' ? '' : htmlToLines(row.excerpt)
  const tags = few(row.terms, texts).map(({ name }) => feedName(name, texts))
  const authors = few(row.organizers, texts).map(({ name, website }) => ({
    name: feedName(name, texts),
    ...(website !== '' && texts !== 'none' && { url: website }),
  }))
  return {
    id,
    url,
    ...(row.website && { external_url: row.website }),
    ...(title !== '' && { title }),
    // One of them must be there.
    ...(content === '' ? { content_text: when } : { content_html: content }),
    ...(summary !== '' && { summary }),
    ...(row.image && { image: enclosedImage(row.image, context) }),
    date_published: isoUtc(row.date_utc),
    date_modified: isoUtc(row.modified_utc),
    ...(authors.length > 0 && { authors }),
    ...(tags.length > 0 && { tags }),
    _event: {
      start,
      end,
      all_day: row.all_day,
      timezone: row.timezone,
      status: row.event_status,
      ...(row.venues.length > 0 && { venue: few(row.venues, texts).map(venue => place(venue, texts)) }),
      ...(row.is_virtual && row.virtual_url !== '' && { virtual_url: row.virtual_url }),
      ...(row.sources.length > 0 &&
        texts !== 'none' && {
          sources: row.sources.map(({ name, url }) => ({ name: feedName(name, texts), url })),
        }),
    },
  }
}

/** A venue without what is empty. */
const place = (
  { name, address, city, state, province, zip, country, geo_lat, geo_lng }: FeedVenue,
  texts: Texts,
): object =>
  Object.fromEntries(
    Object.entries({
      name: feedName(name, texts),
      address: feedName(address, texts),
      city: feedName(city, texts),
      province: feedName(state || province, texts),
      zip: feedName(zip, texts),
      country: feedName(country, texts),
      geo_lat,
      geo_lng,
    }).filter(([, value]) => value !== '' && value !== null),
  )
