import type { ImageRecord, OrganizerRecord, VenueRecord } from '../../calendar/imports/records.ts'
import { FIELD_LIMITS, isObject } from '../../kit/lib/values.ts'
import {
  type FieldReading,
  type RawValues,
  readEmail,
  readHtml,
  readImageRecord,
  readKnownPosition,
  readLine,
  readTitle,
  readUrl,
  reportLeftOut,
  textOrEmpty,
  uniqueRecords,
} from '../fields.ts'
import { absoluteUrl } from '../html-page.ts'
import { bareRecord, textKey } from '../named-records.ts'
import { isOnlineAt, isPlace, meetingIn, type Placeless, placelessIn } from '../placeless.ts'
import { hasType } from './nodes.ts'

// Places, organizers, images and prices of events on pages. Many have no ids, so their texts are their
// external ids.

/** The context in which the values of an event are read. */
export type PageReading = FieldReading & {
  /** The address of the page, the base of relative ones. */
  base: string
  byId: ReadonlyMap<string, RawValues>
} & KnownNodes

/** Records made from nodes to which thousands of events may refer. */
type KnownNodes = { places: WeakMap<object, VenueRecord[]>; organizers: WeakMap<object, OrganizerRecord[]> }

export const noNodes = (): KnownNodes => ({ places: new WeakMap(), organizers: new WeakMap() })

/** The most values of a list, and characters of a text, that are read. */
const MAX_VALUES = 5 * FIELD_LIMITS.links
const MAX_TEXT_LENGTH = 2 * FIELD_LIMITS.eventDescription

/** Longer addresses are never kept. */
const MAX_ADDRESS_LENGTH = 2 * FIELD_LIMITS.url

const asList = (raw: unknown): unknown[] => (Array.isArray(raw) ? raw.slice(0, MAX_VALUES) : [raw])

/** A text: of a plain value, of a value with a language, or the first of several. */
export function nodeText(raw: unknown): string {
  const texts = asList(raw).map(one =>
    textOrEmpty(isObject(one) ? (one['@value'] ?? one['@id'] ?? one.name) : one),
  )
  return (texts.find(Boolean) ?? '').slice(0, MAX_TEXT_LENGTH)
}

/**
 * The values of a property, which may be one or a list. References are replaced with the nodes that they
 * name.
 */
const presentValues = (raw: unknown, byId: PageReading['byId']): unknown[] =>
  asList(raw)
    .filter(one => one !== null && one !== undefined && one !== '')
    .slice(0, FIELD_LIMITS.links)
    .map(one => (isObject(one) && typeof one['@id'] === 'string' ? (byId.get(one['@id']) ?? one) : one))

/** An http or https address, made absolute; '' with a note if it is invalid. */
export function addressIn(raw: unknown, reading: PageReading, part?: string): string {
  const text = nodeText(raw).trim().slice(0, MAX_ADDRESS_LENGTH)
  return readUrl(absoluteUrl(text, reading.base)?.href ?? text, reading, part)
}

const externalKey = (...texts: string[]): string =>
  textKey(texts.filter(Boolean).join(', ')).slice(0, FIELD_LIMITS.name)

type Location = { venues: VenueRecord[]; isOnline: boolean; online: string; placeless: Placeless[] }

export function locationOf(raw: unknown, reading: PageReading): Location {
  const values = presentValues(raw, reading.byId)
  const isVirtual = (value: unknown): value is RawValues =>
    isObject(value) && hasType(value, 'VirtualLocation')
  const virtual = values.filter(isVirtual)
  const places = values
    .filter(value => !isVirtual(value))
    .flatMap(value => reuseResult(reading.places, value, () => [placeOf(value, reading) ?? []].flat()))
  const placeless = places.flatMap(placelessIn)
  const addresses = [...virtual.map(({ url }) => url), meetingIn(placeless)]
  return {
    venues: uniqueRecords(places.filter(isPlace)),
    isOnline: virtual.length > 0 || isOnlineAt(placeless),
    online: addresses.map(url => addressIn(url, reading, 'virtual_url')).find(Boolean) ?? '',
    placeless,
  }
}

/** Returns the records made from a value. For each node they are made once. */
function reuseResult<T>(knownResults: WeakMap<object, T[]>, value: unknown, make: () => T[]): T[] {
  const before = isObject(value) ? knownResults.get(value) : undefined
  if (before) return before
  const results = make()
  if (isObject(value)) knownResults.set(value, results)
  return results
}

function placeOf(value: unknown, pageReading: PageReading): VenueRecord | undefined {
  const values: RawValues = isObject(value) ? value : { name: value }
  const place = hasType(values, 'PostalAddress') ? { address: values, name: values.name } : values
  const [address] = presentValues(place.address, pageReading.byId)
  const parts: RawValues = isObject(address) ? address : { streetAddress: address }
  const line = (raw: unknown) => readLine(nodeText(raw))
  const street = line(parts.streetAddress)
  const city = line(parts.addressLocality)
  const name = readTitle(nodeText(place.name)) || [street, city].filter(Boolean).join(', ')
  if (name === '') return undefined
  const reading = { ...pageReading, what: `venue ${name}` }
  const [geo] = presentValues(place.geo, reading.byId)
  const { latitude, longitude }: RawValues = isObject(geo) ? geo : {}
  const region = line(parts.addressRegion)
  return {
    ...bareRecord(reading, externalKey(name, street, city)),
    kind: 'venue',
    name,
    description: readHtml(nodeText(place.description), FIELD_LIMITS.placeDescription),
    image: nodeImage(place.image, reading),
    address: street === name ? '' : street,
    city,
    zip: line(parts.postalCode),
    country: line(parts.addressCountry),
    province: region,
    stateprovince: region,
    phone: line(place.telephone),
    website: addressIn(place.url, reading),
    ...readKnownPosition(latitude, longitude),
  }
}

/** The organizers of an event. Performers are not organizers. */
export function nodeOrganizers(raw: unknown, pageReading: PageReading): OrganizerRecord[] {
  const read = (value: unknown): OrganizerRecord[] => {
    const values: RawValues = isObject(value) ? value : { name: value }
    const name = readTitle(nodeText(values.name))
    const reading = { ...pageReading, what: `organizer ${name}` }
    const website = addressIn(values.url, reading)
    const email = readEmail(nodeText(values.email).replace(/^mailto:/i, ''), reading)
    const shownName = name || email || website
    if (shownName === '') return []
    return [
      {
        ...bareRecord(reading, externalKey(shownName)),
        kind: 'organizer',
        description: readHtml(nodeText(values.description), FIELD_LIMITS.placeDescription),
        image: nodeImage(values.image ?? values.logo, reading),
        name: shownName,
        phone: readLine(nodeText(values.telephone)),
        website,
        email,
      },
    ]
  }
  const organizers = presentValues(raw, pageReading.byId).flatMap(value =>
    reuseResult(pageReading.organizers, value, () => read(value)),
  )
  return uniqueRecords(organizers)
}

/** The first image that has an address: a text, an `ImageObject`, or one of a list. */
export function nodeImage(raw: unknown, reading: PageReading): ImageRecord | undefined {
  for (const value of presentValues(raw, reading.byId)) {
    const values: RawValues = isObject(value) ? value : { url: value }
    const { width, height } = values
    const url = nodeText(values.contentUrl ?? values.url ?? values['@id'])
    // An image inside the page has no address.
    if (url === '' || /^data:/i.test(url)) continue
    const size = { width: numberIn(width), height: numberIn(height) }
    const image = readImageRecord({ url: addressIn(url, reading, 'image'), ...size }, reading)
    if (image) return image
  }
  return undefined
}

const numberIn = (raw: unknown): unknown =>
  textOrEmpty(isObject(raw) ? raw.value : raw)
    .replace(/px$/i, '')
    .trimEnd()

const PRICES = ['lowPrice', 'minPrice', 'price', 'maxPrice', 'highPrice'] as const

/** The most prices of an offer that are read. */
const MAX_PRICES = 50

/** The content of offers: the cost as text, and the address where tickets are sold. */
export function offersOf(
  event: RawValues,
  reading: PageReading,
): { cost: string; tickets: string; availability: 'available' | 'few' | 'sold_out' | undefined } {
  const offers = presentValues(event.offers, reading.byId).filter(isObject)
  const priced = offers.flatMap(offer => {
    const specifications = presentValues(offer.priceSpecification, reading.byId)
      .filter(isObject)
      .slice(0, MAX_PRICES)
    return specifications.length > 0
      ? specifications.map((given): [RawValues, RawValues] => [offer, given])
      : [[offer, offer] as const]
  })
  const amounts = priced.flatMap(([offer, specification]) => {
    // Offers may have many keys, so they are not copied.
    const priceField = (name: string): unknown => (name in offer ? offer[name] : specification[name])
    const currency = readLine(nodeText(priceField('priceCurrency')), 20)
    return PRICES.map(priceField).flatMap(amount => {
      const text = readLine(nodeText(amount), 100)
      const number = Number(text.replace(/^(\d+),(\d{1,2})$/, '$1.$2'))
      return text === '' ? [] : [{ text, currency, number }]
    })
  })
  const tickets = offers.map(({ url }) => addressIn(url, reading, 'offers')).find(Boolean) ?? ''
  const isFree = /^(?:true|(?:https?:\/\/schema\.org\/)?True)$/i.test(String(event.isAccessibleForFree))
  return {
    cost: costOf(amounts) || (isFree ? '0' : ''),
    tickets,
    availability: availabilityOf(offers, reading),
  }
}

/** What is left, by the names of schema.org (https://schema.org/ItemAvailability) in lower case. */
const AVAILABILITIES: Readonly<Record<string, 'available' | 'few' | 'sold_out'>> = {
  instock: 'available',
  onlineonly: 'available',
  instoreonly: 'available',
  preorder: 'available',
  presale: 'available',
  limitedavailability: 'few',
  soldout: 'sold_out',
  outofstock: 'sold_out',
}

/**
 * The tickets that offers say are left: the most of any offer, since people who find one kind of tickets sold
 * out take another. If an offer doesn't say, there may be tickets of its kind.
 */
function availabilityOf(offers: readonly RawValues[], reading: PageReading) {
  const availabilities = offers.map(({ availability }) => {
    const text = nodeText(availability).trim()
    const name = text
      .replace(/^.*[/:]/, '')
      .replace(/\s+/g, '')
      .toLowerCase()
    const knownAvailability = Object.hasOwn(AVAILABILITIES, name) ? AVAILABILITIES[name] : undefined
    if (name !== '' && knownAvailability === undefined) reportLeftOut(reading, 'availability', text)
    return knownAvailability
  })
  const best = (['available', 'few', 'sold_out'] as const).find(one => availabilities.includes(one))
  return best === 'sold_out' && availabilities.includes(undefined) ? undefined : best
}

type Amount = { text: string; currency: string; number: number }

/**
 * Amounts as people write them: `10 – 25 EUR`. Amounts that are not numbers, or in several currencies, stay
 * as they are.
 */
function costOf(amounts: readonly Amount[]): string {
  const currencies = [...new Set(amounts.map(({ currency }) => currency))]
  const priced = amounts.map(({ number }) => number)
  const amountText = ({ text, currency }: Amount) =>
    currency === '' || !/^[\d.,]+$/.test(text) ? text : `${text} ${currency}`
  if (currencies.length > 1 || priced.some(Number.isNaN))
    return readLine([...new Set(amounts.map(amountText))].join(', '))
  const sorted = [...amounts].sort((a, b) => a.number - b.number)
  const lowest = sorted[0]
  const highest = sorted.at(-1)
  if (!lowest || !highest) return ''
  // Free is free in every currency.
  if (highest.number === 0) return '0'
  return lowest.number === highest.number ? amountText(lowest) : `${lowest.text} – ${amountText(highest)}`
}
