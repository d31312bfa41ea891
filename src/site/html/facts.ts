import { accessOf } from '../../calendar/events/rows.ts'
import type { EventResponse } from '../../calendar/events/schema.ts'
import { UNVOUCHED } from '../../kit/lib/html.ts'
import { regionOf } from '../../kit/lib/region.ts'
import { type Movable, startsByRule } from '../../kit/lib/statuses.ts'
import { formatInstant, isElsewhere, siteTimes } from '../../kit/lib/time.ts'
import { asObject } from '../../kit/lib/values.ts'
import { costWords } from '../../words/cost.ts'
import { ticketsWord } from '../../words/events.ts'
import { filled } from '../../words/words.ts'
import { isOver, startOf, venuesOf } from './events.ts'
import { type Html, html, type IconName, icon } from './html.ts'
import { placeMap } from './map.ts'
import { linkTo, type PageContext } from './page-context.ts'
import { type FiniteSeries, finiteSeriesWords } from './related-events.ts'
import { inLine, nameOf, plain } from './text.ts'
import { describeWhen, repeatWords } from './when.ts'

/** A term with its description. */
export const fact = (name: IconName | undefined, term: string, detail: Html | string): Html =>
  html`<div class="fact"><dt>${name && icon(name)}<span>${term}</span></dt><dd>${detail}</dd></div>`

type Venue = ReturnType<typeof venuesOf>[number]

/** An address in lines, like on an envelope. */
export function addressLines(venue: Venue): string[] {
  const town = [venue.zip, venue.city].filter(Boolean).join(' ')
  return [venue.address, town, [regionOf(venue), venue.country].filter(Boolean).join(', ')].flatMap(line =>
    line ? [plain(line)] : [],
  )
}

/** The name of a venue, or its address if it has none. */
export const venueName = (venue: Venue): string => nameOf(venue.venue, addressLines(venue)[0] ?? venue.slug)

/**
 * The location of a venue: coordinates, or else its address in one line; undefined if it is unknown or
 * hidden.
 */
function pointOf(venue: Venue): { lat: number; lng: number } | string | undefined {
  const { geo_lat, geo_lng, address, zip, city, country, show_map_link } = venue
  if (!show_map_link) return undefined
  if (geo_lat !== undefined && geo_lng !== undefined) return { lat: geo_lat, lng: geo_lng }
  return inLine([address, zip, city, country]) || undefined
}

const MAP_SITE = 'https://www.openstreetmap.org'

/** The address of a map with a venue; undefined if its location is unknown. */
function mapAddress(venue: Venue): string | undefined {
  const point = pointOf(venue)
  if (typeof point !== 'object') return point && `${MAP_SITE}/search?query=${encodeURIComponent(point)}`
  const { lat, lng } = point
  return `${MAP_SITE}/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
}

/** The small map of a venue; '' if its location is unknown, or if it shows no map. */
export function venueMap(site: PageContext, venue: Venue): Html | '' {
  const { geo_lat: lat, geo_lng: lng, show_map } = venue
  return show_map && lat !== undefined && lng !== undefined
    ? placeMap(site, { name: venueName(venue), lat, lng })
    : ''
}

/** The address of directions to a venue; undefined if its location is unknown. */
function directionsAddress(venue: Venue): string | undefined {
  const point = pointOf(venue)
  const to = typeof point === 'object' ? `${point.lat},${point.lng}` : point
  return to && `${MAP_SITE}/directions?to=${encodeURIComponent(to)}`
}

export function mapLinks({ words }: PageContext, venue: Venue): Html | '' {
  const map = mapAddress(venue)
  const directions = directionsAddress(venue)
  if (!map || !directions) return ''
  return html`<span class="line links"><a class="small" href="${map}" rel="noopener">${words.map}</a> <a class="small" href="${directions}" rel="noopener">${words.directions}</a></span>`
}

function venueDetail(site: PageContext, venue: Venue, room: Html | '' = ''): Html {
  const address = addressLines(venue).join(', ')
  return html`<div class="place"><a class="strong" href="${linkTo(site, venue.url)}">${venueName(venue)}</a>
${room}
${address && html`<span class="line">${address}</span>`}
${mapLinks(site, venue)}</div>`
}

function whenDetail(site: PageContext, event: EventResponse, course: FiniteSeries | undefined): Html {
  const shownWhen = describeWhen(site, event)
  const repeats = course && event.series ? finiteSeriesWords(site, course) : ruleInWords(site, event)
  return html`<time datetime="${startOf(event)}"><span class="line strong">${shownWhen.day}</span><span class="line">${shownWhen.time}</span></time>${shownWhen.zone && html`<span class="line small">${shownWhen.zone}</span>`}${shownWhen.timeThere && html`<span class="line small">${shownWhen.timeThere}</span>`}${repeats && html`<span class="line repeats">${repeats}</span>`}`
}

/** An event with the time it was moved from, which the JSON-LD has. */
export function movableEvent(event: EventResponse): Movable {
  const { previousStartDate: previous } = asObject(event.json_ld)
  const isKnown = typeof previous === 'string'
  return {
    ...event,
    occurrence_date: event.series?.occurrence_date ?? null,
    previous_utc_start_date: isKnown ? formatInstant(Date.parse(previous)) : '',
    detached: isKnown ? JSON.stringify(event.series?.detached ?? []) : '[]',
  }
}

/**
 * The rule of a series in words, with its time in the zone of the event; undefined for a date at another time
 * than the rule's.
 */
export function ruleInWords(site: PageContext, event: EventResponse): string | undefined {
  const { dates, words, context } = site
  const { all_day, timezone, utc_start_date, series } = event
  if (!series || !startsByRule({ ...event, occurrence_date: series.occurrence_date })) return undefined
  // The date itself may be an hour later, where clocks skip the time of the rule.
  const start = series.occurrence_date
  const days = repeatWords(site, series.recurrence?.rrule ?? '', start)
  if (!days || all_day) return days
  const zone = isElsewhere(event, siteTimes(event, context.settings.timezone))
    ? ` (${dates.zone(timezone, utc_start_date)})`
    : ''
  return filled(words.repeatAt, { days, time: dates.clock(start) }) + zone
}

/**
 * A link to an address from a field. The address may come from a visitor: once the event is published, nobody
 * can tell any more.
 */
const outsideLink = (address: string, text: string, rel = UNVOUCHED): Html =>
  html`<a href="${address}" rel="${rel}"${isHost(address, text) && html` class="is-host"`}>${text}</a>`

/** True if a text says all of an address, so that the address is not printed after it. */
const isHost = (address: string, text: string): boolean =>
  text === hostOf(address) && URL.canParse(address) && new URL(address).href.endsWith(`${text}/`)

/** The host of an address, which says enough about where a link leads. */
const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address

/**
 * When and where an event is, and what it costs: what everybody looks for first.
 *
 * @param hasJoinButton true if a button leads to where it is online
 */
export function mainFacts(
  site: PageContext,
  event: EventResponse,
  { course, hasJoinButton }: { course: FiniteSeries | undefined; hasJoinButton: boolean },
): Html {
  const { words } = site
  const venues = venuesOf(event)
  const cost = costWords({ language: site.language, currency: site.context.settings.currency }, event)
  // How many tickets are left stands beside the title.
  const hasTickets = event.ticket_availability === 'available' && !isOver(site, event)
  const ticketsText = hasTickets ? ticketsWord(site, event) : ''
  const join = hasJoinButton ? hostOf(event.virtual_url) : outsideLink(event.virtual_url, words.join)
  const roomText = plain(event.room)
  const room = roomText && html`<span class="line">${roomText}</span>`
  const [venue] = venues
  // Of several venues, nobody knows which one has the room.
  const where =
    venue && venues.length === 1
      ? venueDetail(site, venue, room)
      : html`${venues.map(each => venueDetail(site, each))}${room}`
  return html`<dl class="facts facts-main">
${fact('calendar', words.when, whenDetail(site, event, course))}
${(venues.length > 0 || room) && fact('place', words.where, where)}
${event.is_virtual && fact('online', event.virtual_event_type === 'hybrid' ? words.hybrid : words.online, event.virtual_url ? join : words.online)}
${(cost || ticketsText) && fact('ticket', cost ? words.cost : words.tickets, html`${cost && html`<span class="strong">${cost}</span>`}${ticketsText && html`${cost && ' '}<span class="badge">${ticketsText}</span>`}`)}
</dl>`
}

/** The further facts about an event; '' if there are none. */
export function moreFacts(site: PageContext, event: EventResponse): Html | '' {
  const { words } = site
  const { organizer, website } = event
  const calendars = calendarsOf(event)
  const facts = [
    organizer.length > 0 &&
      fact(
        'person',
        words.who,
        html`${organizer.map(({ url, organizer: name, slug }) => html`<a class="line" href="${linkTo(site, url)}">${nameOf(name, slug)}</a>`)}`,
      ),
    accessFact(site, accessOf(event, venuesOf(event))),
    website && fact('web', words.website, outsideLink(website, hostOf(website))),
    calendars.length > 0 && fact('subscribe', words.source, html`${calendars.map(originDetail)}`),
    ...customFields(event).map(({ label, value }) => fact(undefined, label, value)),
  ].filter(Boolean)
  return facts.length > 0 ? html`<dl class="facts">${facts}</dl>` : ''
}

/** The access to an event or venue; '' if nothing is known. */
export function accessFact(
  { words }: PageContext,
  { wheelchair, accessibility }: ReturnType<typeof accessOf>,
): Html | '' {
  const lines = [wheelchair && words[`access_${wheelchair}`], plain(accessibility)].filter(Boolean)
  if (lines.length === 0) return ''
  return fact('access', words.access, html`${lines.map(line => html`<span class="line">${line}</span>`)}`)
}

const calendarsOf = ({ source, other_sources = [] }: EventResponse) => [
  ...(source ? [source] : []),
  ...other_sources,
]

/** A source of an event, with the rights to its events. */
function originDetail({ name, url, rights }: ReturnType<typeof calendarsOf>[number]): Html {
  const text = rights && (plain(rights.text) || hostOf(rights.url))
  // Editors add sources, and showing their events requires a link to them.
  const sourceLink = (address: string, label: string): Html => outsideLink(address, label, 'noopener')
  return html`<div class="origin">${sourceLink(url, nameOf(name, hostOf(url)))}${text && html`<span class="line small">${rights.url ? sourceLink(rights.url, text) : text}</span>`}</div>`
}

function customFields({ custom_fields }: EventResponse): { label: string; value: string }[] {
  const fields: unknown[] = Object.values(custom_fields)
  return fields.flatMap(field => {
    const { label, value } = asObject(field)
    return typeof label === 'string' && typeof value === 'string' && value
      ? [{ label: plain(label), value: plain(value) }]
      : []
  })
}

/** The categories and tags of an event, with links to their pages. */
export function eventTermLists(site: PageContext, event: EventResponse): Html | '' {
  const lists = [
    [site.words.categories, event.categories],
    [site.words.tags, event.tags],
  ] as const
  if (lists.every(([, terms]) => terms.length === 0)) return ''
  return html`<div class="terms">${lists.map(
    ([heading, terms]) =>
      terms.length > 0 &&
      html`<h2>${heading}</h2><ul class="chip-list">${terms.map(({ url, name }) => html`<li><a class="chip" href="${linkTo(site, url)}">${plain(name)}</a></li>`)}</ul>`,
  )}</div>`
}

/** The contact data of a venue or organizer. */
export function contactFacts(
  { words }: PageContext,
  {
    phone,
    website,
    email,
  }: { phone?: string | undefined; website?: string | undefined; email?: string | undefined },
): Html {
  return html`${phone && fact('phone', words.phone, html`<a href="tel:${phone.replace(/[^\d+]/g, '')}">${plain(phone)}</a>`)}
${email && fact('email', words.email, html`<a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${email}</a>`)}
${website && fact('web', words.website, outsideLink(website, hostOf(website)))}`
}
