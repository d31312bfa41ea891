import { isObject, LIMIT } from '../../lib/values.ts'
import type { ImageRecord, OrganizerRecord, VenueRecord } from '../records.ts'
import {
  type Raw,
  type Reading,
  readDecimal,
  readEmail,
  readHtml,
  readImageRecord,
  readLine,
  readTitle,
  readUrl,
  textOrEmpty,
} from './fields.ts'
import { absolute } from './html-page.ts'
import { hasType } from './jsonld-nodes.ts'

// Places, organizers, images and prices of events on pages. Many have no ids: their texts are their external ids.

/** What the values of an event are read with. */
export type PageReading = Reading & {
  /** The address of the page, to which relative ones belong. */
  base: string
  byId: ReadonlyMap<string, Raw>
} & KnownNodes

/** What was made of nodes to which thousands of events may refer. */
type KnownNodes = { places: WeakMap<object, VenueRecord[]>; organizers: WeakMap<object, OrganizerRecord[]> }

export const noNodes = (): KnownNodes => ({ places: new WeakMap(), organizers: new WeakMap() })

/** Values of a list that are looked at, and characters of a text. */
const MOST_VALUES = 5 * LIMIT.links
const LONGEST_TEXT = 2 * LIMIT.eventDescription

/** Longer addresses than this are none that are kept. */
const LONGEST_ADDRESS = 2 * LIMIT.url

const listOf = (raw: unknown): unknown[] => (Array.isArray(raw) ? raw.slice(0, MOST_VALUES) : [raw])

/** A text, also of a value with a language, or the first one of several. */
export function nodeText(raw: unknown): string {
  const texts = listOf(raw).map(one =>
    textOrEmpty(isObject(one) ? (one['@value'] ?? one['@id'] ?? one.name) : one),
  )
  return (texts.find(Boolean) ?? '').slice(0, LONGEST_TEXT)
}

/** Values of a property, of which there may be one or a list; what only refers to a node is that node. */
const valuesOf = (raw: unknown, byId: PageReading['byId']): unknown[] =>
  listOf(raw)
    .filter(one => one !== null && one !== undefined && one !== '')
    .slice(0, LIMIT.links)
    .map(one => (isObject(one) && typeof one['@id'] === 'string' ? (byId.get(one['@id']) ?? one) : one))

/** An address of the web, made absolute; '' with a note if it is none. */
export function addressIn(raw: unknown, reading: PageReading, part?: string): string {
  const text = nodeText(raw).trim().slice(0, LONGEST_ADDRESS)
  return readUrl(absolute(text, reading.base)?.href ?? text, reading, part)
}

const key = (...texts: string[]): string =>
  texts.filter(Boolean).join(', ').normalize('NFC').replace(/\s+/g, ' ').slice(0, LIMIT.name)

/** Where an event takes place: places, and the address of what is online. */
export type Location = { venues: VenueRecord[]; isOnline: boolean; online: string }

export function locationOf(raw: unknown, reading: PageReading): Location {
  const values = valuesOf(raw, reading.byId)
  const isVirtual = (value: unknown): value is Raw => isObject(value) && hasType(value, 'VirtualLocation')
  const virtual = values.filter(isVirtual)
  const venues = values
    .filter(value => !isVirtual(value))
    .flatMap(value => once(reading.places, value, () => [placeOf(value, reading) ?? []].flat()))
  return {
    venues: [...new Map(venues.map(venue => [venue.externalId, venue])).values()],
    isOnline: virtual.length > 0,
    online: virtual.map(({ url }) => addressIn(url, reading, 'virtual_url')).find(Boolean) ?? '',
  }
}

/** What is made of a value, which is made once of each node. */
function once<T>(known: WeakMap<object, T[]>, value: unknown, make: () => T[]): T[] {
  const before = isObject(value) ? known.get(value) : undefined
  if (before) return before
  const made = make()
  if (isObject(value)) known.set(value, made)
  return made
}

function placeOf(value: unknown, within: PageReading): VenueRecord | undefined {
  const given: Raw = isObject(value) ? value : { name: value }
  const place = hasType(given, 'PostalAddress') ? { address: given, name: given.name } : given
  const [address] = valuesOf(place.address, within.byId)
  const parts: Raw = isObject(address) ? address : { streetAddress: address }
  const line = (raw: unknown) => readLine(nodeText(raw))
  const street = line(parts.streetAddress)
  const city = line(parts.addressLocality)
  const name = readTitle(nodeText(place.name)) || [street, city].filter(Boolean).join(', ')
  if (name === '') return undefined
  const reading = { ...within, what: `venue ${name}` }
  const [geo] = valuesOf(place.geo, reading.byId)
  const [lat, lng] = isObject(geo) ? [readDecimal(geo.latitude, 90), readDecimal(geo.longitude, 180)] : []
  // Programs write 0, 0 for unknown coordinates.
  const isKnown =
    typeof lat === 'number' && typeof lng === 'number' && (Math.abs(lat) > 0 || Math.abs(lng) > 0)
  const region = line(parts.addressRegion)
  return {
    ...{ source: reading.source, externalId: key(name, street, city), kind: 'venue', status: 'publish' },
    ...{ slug: '', name, description: readHtml(nodeText(place.description), LIMIT.placeDescription) },
    image: nodeImage(place.image, reading),
    ...{ address: street === name ? '' : street, city, zip: line(parts.postalCode) },
    ...{ country: line(parts.addressCountry), province: region, stateprovince: region },
    phone: line(place.telephone),
    website: addressIn(place.url, reading),
    ...{ geo_lat: isKnown ? lat : null, geo_lng: isKnown ? lng : null },
  }
}

/** Who an event is held by. Those who perform are no organizers. */
export function nodeOrganizers(raw: unknown, within: PageReading): OrganizerRecord[] {
  const read = (value: unknown): OrganizerRecord[] => {
    const given: Raw = isObject(value) ? value : { name: value }
    const name = readTitle(nodeText(given.name))
    const reading = { ...within, what: `organizer ${name}` }
    const website = addressIn(given.url, reading)
    const email = readEmail(nodeText(given.email).replace(/^mailto:/i, ''), reading)
    const shown = name || email || website
    if (shown === '') return []
    return [
      {
        ...{ source: reading.source, externalId: key(shown), kind: 'organizer', status: 'publish', slug: '' },
        description: readHtml(nodeText(given.description), LIMIT.placeDescription),
        image: nodeImage(given.image ?? given.logo, reading),
        ...{ name: shown, phone: readLine(nodeText(given.telephone)), website, email },
      },
    ]
  }
  const all = valuesOf(raw, within.byId).flatMap(value => once(within.organizers, value, () => read(value)))
  return [...new Map(all.map(one => [one.externalId, one])).values()]
}

/** The first image that has an address: a text, an `ImageObject`, or one of a list. */
export function nodeImage(raw: unknown, reading: PageReading): ImageRecord | undefined {
  for (const value of valuesOf(raw, reading.byId)) {
    const given: Raw = isObject(value) ? value : { url: value }
    const { width, height } = given
    const url = nodeText(given.contentUrl ?? given.url ?? given['@id'])
    // What is within the page has no address.
    if (url === '' || /^data:/i.test(url)) continue
    const size = { width: numberIn(width), height: numberIn(height) }
    const image = readImageRecord({ url: addressIn(url, reading, 'image'), ...size }, reading)
    if (image) return image
  }
  return undefined
}

const numberIn = (raw: unknown): unknown =>
  textOrEmpty(isObject(raw) ? raw.value : raw).replace(/\s*px$/i, '')

/** What offers say: the cost as a text, and where tickets are sold. */
export function offersOf(event: Raw, reading: PageReading): { cost: string; tickets: string } {
  const offers = valuesOf(event.offers, reading.byId).filter(isObject)
  const amounts = offers.flatMap(offer => {
    const [given] = valuesOf(offer.priceSpecification, reading.byId)
    const named = (name: string): unknown => (name in offer || !isObject(given) ? offer[name] : given[name])
    const currency = readLine(nodeText(named('priceCurrency')), 20)
    return [named('lowPrice'), named('price'), named('highPrice')].flatMap(price => {
      const text = readLine(nodeText(price), 100)
      const number = Number(text.replace(/^(\d+),(\d{1,2})$/, '$1.$2'))
      return text === '' ? [] : [{ text, currency, number }]
    })
  })
  const tickets = offers.map(({ url }) => addressIn(url, reading, 'offers')).find(Boolean) ?? ''
  const isFree = /^(?:true|(?:https?:\/\/schema\.org\/)?True)$/i.test(String(event.isAccessibleForFree))
  return { cost: costOf(amounts) || (isFree ? '0' : ''), tickets }
}

type Amount = { text: string; currency: string; number: number }

/** Amounts as people write them: `10 – 25 EUR`. Those that are no numbers, or of several currencies, stay as they are. */
function costOf(amounts: readonly Amount[]): string {
  const currencies = [...new Set(amounts.map(({ currency }) => currency))]
  const priced = amounts.map(({ number }) => number)
  const written = ({ text, currency }: Amount) =>
    currency === '' || !/^[\d.,]+$/.test(text) ? text : `${text} ${currency}`
  if (currencies.length > 1 || priced.some(Number.isNaN))
    return readLine([...new Set(amounts.map(written))].join(', '))
  const sorted = [...amounts].sort((a, b) => a.number - b.number)
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (!least || !most) return ''
  // Nothing costs nothing in every currency.
  if (most.number === 0) return '0'
  return least.number === most.number ? written(least) : `${least.text} – ${written(most)}`
}
