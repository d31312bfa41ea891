import type { SerializeContext } from '../../context.ts'
import { plainTitle } from '../../lib/ical/text.ts'
import { toEpoch } from '../../lib/time.ts'
import { escapeXml } from '../../lib/xml.ts'
import { enclosedImage, mediaTypeOf } from '../../resources/content/images.ts'
import { leftOut, pauseOf } from '../../resources/events/calendar/calendar.ts'
import type { FoundEvents } from '../../resources/events/calendar/queries.ts'
import { type Feed, withinLimit } from '../../resources/events/calendar/room.ts'
import type { Texts } from '../../resources/events/calendar/vevent.ts'
import { wordsOf } from '../../words/words.ts'
import { type FeedItem, feedName, few, itemsOf } from './items.ts'

// RSS 2.0 (https://www.rssboard.org/rss-specification), with the event module
// (https://web.resource.org/rss/1.0/modules/event/).

const NAMESPACES = [
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:ev="http://purl.org/rss/1.0/modules/event/"',
].join(' ')

const element = (name: string, text: string, attributes = ''): string =>
  text === '' ? '' : `<${name}${attributes}>${escapeXml(text)}</${name}>\n`

/** @param address that of the feed itself */
export function rssText({ events, total }: FoundEvents, address: string, context: SerializeContext): Feed {
  const { settings, site, now } = context
  return withinLimit(events, context, (rows, texts, room) => {
    const items = itemsOf(rows, texts, context)
    const built = items[0]?.row.date_utc ?? now
    const description = leftOut(rows, total) || wordsOf(settings.website.language).feedDescription
    for (const each of items) room.add(itemText(each, texts, context))
    const head = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${NAMESPACES}>
<channel>
${element('title', settings.siteName)}${element('link', `${site}/events/`)}${element('description', description)}<atom:link href="${escapeXml(address)}" rel="self" type="application/rss+xml"/>
${element('pubDate', httpDate(built))}${element('ttl', String(pauseOf(settings)))}`
    return [head, '</channel>\n</rss>\n']
  })
}

function itemText(
  { row, id, url, title, content, when, start, end, place }: FeedItem,
  texts: Texts,
  context: SerializeContext,
): string {
  const categories = few(row.terms, texts)
    .map(({ name }) => element('category', feedName(name, texts)))
    .join('')
  const [organizer] = row.organizers
  const [source] = texts === 'none' ? [] : row.sources
  return `<item>
${element('title', title || when)}${element('link', url)}${element('guid', id, ' isPermaLink="false"')}${element('pubDate', httpDate(row.date_utc))}${element('description', when)}${element('content:encoded', content)}${categories}${row.image ? enclosure(enclosedImage(row.image, context)) : ''}${element('ev:startdate', start)}${element('ev:enddate', end)}${element('ev:location', place)}${element('ev:organizer', organizer ? feedName(organizer.name, texts) : '')}${source ? element('source', plainTitle(source.name), ` url="${escapeXml(source.url)}"`) : ''}</item>
`
}

/** An image beside an item. Its length, which must be there, is not known of most. */
const enclosure = (url: string): string =>
  `<enclosure url="${escapeXml(url)}" length="0" type="${mediaTypeOf(url) ?? 'image/jpeg'}"/>\n`

/** The date format of RFC 822. @param utc within the years that it can name */
const httpDate = (utc: string): string => new Date(toEpoch(utc)).toUTCString()
