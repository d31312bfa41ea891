import { imageUrl } from '../content/images.ts'
import type { SerializeContext } from '../context.ts'
import { htmlToLines, plainTitle } from '../lib/ical/text.ts'
import { isoUtc } from '../lib/time.ts'
import { type Feed, leftOut, withinLimit } from './calendar.ts'
import { type Item, itemsOf } from './items.ts'
import type { Found } from './queries.ts'
import type { FeedVenue } from './rows.ts'

/** https://www.jsonfeed.org/version/1.1/ @param address that of the feed itself */
export function jsonFeedText({ events, total }: Found, address: string, context: SerializeContext): Feed {
  const { settings, site } = context
  return withinLimit(events, context, (rows, texts) => {
    const description = leftOut(rows, total)
    return JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: settings.siteName,
      home_page_url: `${site}/events/`,
      feed_url: address,
      ...(description !== '' && { description }),
      items: itemsOf(rows, texts, context).map(each => item(each, context)),
    })
  })
}

function item({ row, id, url, title, content, when, start, end }: Item, context: SerializeContext): object {
  const summary = htmlToLines(row.excerpt)
  const tags = row.terms.map(({ name }) => plainTitle(name))
  const authors = row.organizers.map(({ name, website }) => ({
    name: plainTitle(name),
    ...(website !== '' && { url: website }),
  }))
  return {
    id,
    url,
    ...(row.website && { external_url: row.website }),
    ...(title !== '' && { title }),
    // One of them must be there.
    ...(content === '' ? { content_text: when } : { content_html: content }),
    ...(summary !== '' && { summary }),
    ...(row.image && { image: imageUrl(row.image, context) }),
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
      ...(row.venues.length > 0 && { venue: row.venues.map(place) }),
      ...(row.is_virtual && row.virtual_url !== '' && { virtual_url: row.virtual_url }),
    },
  }
}

/** A venue without what is empty. */
const place = ({ name, address, city, state, province, zip, country, geo_lat, geo_lng }: FeedVenue): object =>
  Object.fromEntries(
    Object.entries({
      name: plainTitle(name),
      address,
      city,
      province: state || province,
      zip,
      country,
      geo_lat,
      geo_lng,
    }).filter(([, value]) => value !== '' && value !== null),
  )
