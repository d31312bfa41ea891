import { enclosedImage, mediaTypeOf } from '../../calendar/content/images.ts'
import { pauseOf, shortenedNote } from '../../calendar/events/ical/calendar.ts'
import { type Feed, withinLimit } from '../../calendar/events/ical/feed-body.ts'
import type { FeedEvent, FoundEvents } from '../../calendar/events/ical/queries.ts'
import type { FeedVenue } from '../../calendar/events/ical/relations.ts'
import {
  fullTextLink,
  type IncludedTexts,
  notesOf,
  ownUid,
  placesText,
  statusReason,
} from '../../calendar/events/ical/vevent.ts'
import { beginningOfToday } from '../../calendar/events/interval.ts'
import { eventLink } from '../../calendar/events/resource.ts'
import type { SerializeContext } from '../../kit/context.ts'
import { htmlToLines, plainTitle } from '../../kit/lib/ical/lines.ts'
import { regionOf } from '../../kit/lib/region.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { type DateTime, dayOf, isoUtc, isoWithOffset, lastDayOf, toEpoch } from '../../kit/lib/time.ts'
import { compareTexts } from '../../kit/lib/values.ts'
import { escapeXml } from '../../kit/lib/xml.ts'
import { datesOf } from '../../words/dates.ts'
import { movedWords, statusWord, withStatusWord } from '../../words/events.ts'
import { textsIn } from '../../words/words.ts'
import type { FeedHead } from './head.ts'

// Items of RSS and JSON Feed. Every occurrence is an item.

type FeedItem = {
  row: FeedEvent
  /** A permanent id. */
  id: string
  url: string
  /** Starts with the status of an event that does not take place as announced. */
  title: string
  /**
   * The line `timeText`, the description and the fields that visitors decide by, as HTML; '' if the event has
   * neither a description nor such fields.
   */
  content: string
  /** A line with time and place, in the site's language. */
  timeText: string
  /** ISO 8601 with an offset, or a date for an all-day event. */
  start: string
  end: string
  place: string
}

/** Limits on names and lists of names in the shortest form of a feed. */
const MAX_SHORT_NAME = 100
const MAX_SHORT_LIST = 3

/** The rows whose names an item lists. */
const firstRows = <R>(rows: readonly R[], texts: IncludedTexts): readonly R[] =>
  texts === 'none' ? rows.slice(0, MAX_SHORT_LIST) : rows

/** A name as an item displays it. */
function feedName(name: string, texts: IncludedTexts): string {
  const plain = plainTitle(name)
  return texts !== 'none' || plain.length <= MAX_SHORT_NAME
    ? plain
    : `${plain.slice(0, MAX_SHORT_NAME).toWellFormed()}…`
}

/** The items of a feed, most recently published first. */
function feedItems(
  events: readonly FeedEvent[],
  texts: IncludedTexts,
  context: SerializeContext,
): FeedItem[] {
  return [...events]
    .sort((a, b) => compareTexts(b.date_utc, a.date_utc) || b.id - a.id)
    .map(row => itemOf(row, texts, context))
}

function itemOf(row: FeedEvent, texts: IncludedTexts, context: SerializeContext): FeedItem {
  const { all_day } = row
  const place = placesText(row.venues)
  const { language } = context.settings.website
  const wording = { words: textsIn(language).pages, dates: datesOf(language) }
  const status = statusWord(wording, row.event_status)
  const timeText = [status, periodText(row, language), place].filter(Boolean).join(' · ')
  const notes = [movedWords(wording, row, row.timezone), ...notesOf(row, context)]
    .filter(Boolean)
    .map(note => `<p>${escapeXml(note)}</p>`)
    .join('')
  const url = eventLink(row, context)
  const restLink = row.isAbridged ? fullTextLink(url) : ''
  return {
    row,
    id: ownUid(row, context),
    url,
    title: withStatusWord(wording, row.event_status, plainTitle(row.title)),
    content:
      texts === 'all' && (row.description || notes)
        ? `<p>${escapeXml(timeText)}</p>${row.description}${notes}${restLink}`
        : '',
    timeText,
    start: all_day ? dayOf(row.start_date) : isoWithOffset(row.start_date, row.utc_start_date),
    end: all_day ? dayOf(row.end_date) : isoWithOffset(row.end_date, row.utc_end_date),
    place,
  }
}

/** The time of an event in words. */
function periodText(row: FeedEvent, language: string): string {
  const { all_day, start_date: start, end_date: end, timezone, utc_start_date } = row
  const dates = datesOf(language)
  const isOneDay = dayOf(start) === lastDayOf(start, end)
  const day = (wall: DateTime): string => capitalized(dates.format('day', wall))
  if (all_day) return isOneDay ? day(start) : dates.range(start, end)
  const moment = (wall: DateTime): string => `${day(wall)}, ${dates.format('time', wall)}`
  const dayAndTimes = end > start ? `${day(start)}, ${dates.times(start, end)}` : moment(start)
  const words = isOneDay ? dayAndTimes : `${moment(start)} – ${moment(end)}`
  return `${words} (${dates.zone(timezone, utc_start_date)})`
}

// RSS 2.0 (https://www.rssboard.org/rss-specification), with the event module
// (https://web.resource.org/rss/1.0/modules/event/).

const NAMESPACES = [
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:ev="http://purl.org/rss/1.0/modules/event/"',
].join(' ')

const element = (name: string, text: string, attributes = ''): string =>
  text === '' ? '' : `<${name}${attributes}>${escapeXml(text)}</${name}>\n`

export function rssText(
  { events, total }: FoundEvents,
  { title, page, address }: FeedHead,
  context: SerializeContext,
): Feed {
  const { settings } = context
  return withinLimit(events, context, (rows, texts, room) => {
    const items = feedItems(rows, texts, context)
    const latestPublication = items[0]?.row.date_utc ?? beginningOfToday(context)
    const description = shortenedNote(rows, total) || textsIn(settings.website.language).pages.feedDescription
    for (const feedItem of items) room.add(rssItem(feedItem, texts, context))
    const head = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${NAMESPACES}>
<channel>
${element('title', title)}${element('link', page)}${element('description', description)}<atom:link href="${escapeXml(address)}" rel="self" type="application/rss+xml"/>
${element('pubDate', httpDate(latestPublication))}${element('ttl', String(pauseOf(settings)))}`
    return [head, '</channel>\n</rss>\n']
  })
}

function rssItem(
  { row, id, url, title, content, timeText, start, end, place }: FeedItem,
  texts: IncludedTexts,
  context: SerializeContext,
): string {
  const categories = firstRows(row.terms, texts)
    .map(({ name }) => element('category', feedName(name, texts)))
    .join('')
  const [organizer] = row.organizers
  const [source] = texts === 'none' ? [] : row.sources
  return `<item>
${element('title', title || timeText)}${element('link', url)}${element('guid', id, ' isPermaLink="false"')}${element('pubDate', httpDate(row.date_utc))}${element('description', timeText)}${element('content:encoded', content)}${categories}${row.image ? enclosure(enclosedImage(row.image, context)) : ''}${element('ev:startdate', start)}${element('ev:enddate', end)}${element('ev:location', place)}${element('ev:organizer', organizer ? feedName(organizer.name, texts) : '')}${source ? element('source', plainTitle(source.name), ` url="${escapeXml(source.url)}"`) : ''}</item>
`
}

/** An image of an item. RSS requires a length, which is unknown for most images. */
const enclosure = (url: string): string =>
  `<enclosure url="${escapeXml(url)}" length="0" type="${mediaTypeOf(url) ?? 'image/jpeg'}"/>\n`

/** A date in the format of RFC 822. @param utc within the years that the format can express */
const httpDate = (utc: string): string => new Date(toEpoch(utc)).toUTCString()

/** A feed of JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function jsonFeedText(
  { events, total }: FoundEvents,
  { title, page, address }: FeedHead,
  context: SerializeContext,
): Feed {
  return withinLimit(events, context, (rows, texts, room) => {
    const description = shortenedNote(rows, total)
    const head = JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title,
      home_page_url: page,
      feed_url: address,
      ...(description !== '' && { description }),
    })
    for (const feedItem of feedItems(rows, texts, context))
      room.add((room.count === 0 ? '' : ',') + JSON.stringify(jsonItem(feedItem, texts, context)))
    return [`${head.slice(0, -1)},"items":[`, ']}']
  })
}

function jsonItem(
  { row, id, url, title, content, timeText, start, end }: FeedItem,
  texts: IncludedTexts,
  context: SerializeContext,
): object {
  const summary = texts === 'none' ? '' : htmlToLines(row.excerpt)
  const tags = firstRows(row.terms, texts).map(({ name }) => feedName(name, texts))
  const authors = firstRows(row.organizers, texts).map(({ name, website }) => ({
    name: feedName(name, texts),
    ...(website !== '' && texts !== 'none' && { url: website }),
  }))
  return {
    id,
    url,
    ...(row.website && { external_url: row.website }),
    ...(title !== '' && { title }),
    // The format requires one of the two.
    ...(content === '' ? { content_text: timeText } : { content_html: content }),
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
      ...(statusReason(row) !== '' && { status_reason: plainTitle(statusReason(row)) }),
      ...(row.venues.length > 0 && {
        venue: firstRows(row.venues, texts).map(venue => feedVenue(venue, texts)),
      }),
      ...(row.is_virtual && row.virtual_url !== '' && { virtual_url: row.virtual_url }),
      ...(row.sources.length > 0 &&
        texts !== 'none' && {
          sources: row.sources.map(source => ({ name: feedName(source.name, texts), url: source.url })),
        }),
    },
  }
}

/** A venue without its empty fields. */
const feedVenue = (
  { name, address, city, zip, geo_lat, geo_lng, ...region }: FeedVenue,
  texts: IncludedTexts,
): object =>
  Object.fromEntries(
    Object.entries({
      name: feedName(name, texts),
      address: feedName(address, texts),
      city: feedName(city, texts),
      province: feedName(regionOf(region), texts),
      zip: feedName(zip, texts),
      country: feedName(region.country, texts),
      geo_lat,
      geo_lng,
    }).filter(([, value]) => value !== '' && value !== null),
  )
