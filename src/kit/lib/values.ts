import { lazyPattern } from './pattern.ts'
import { codedReason, messageIn, type Reason } from './reasons.ts'
import { dropControls, hasStackedMarks } from './text.ts'

// Functions that convert values from people and programs to stored values. Functions called `parse…` return
// undefined for a bad value; others that refuse one throw InvalidValue with a reason for the client.

/** Limits, in characters or items. */
export const FIELD_LIMITS = {
  name: 2_000,
  slug: 200,
  excerpt: 20_000,
  eventDescription: 200_000,
  placeDescription: 20_000,
  termDescription: 5_000,
  legalText: 100_000,
  url: 2_048,
  text: 1_000,
  externalId: 255,
  links: 200,
  ids: 500,
} as const

/** Thrown for a bad value. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue'
  readonly reason: Reason

  constructor(reason: Reason) {
    super(messageIn(reason))
    this.reason = reason
  }
}

/**
 * Thrown for a value without a meaning, like an unknown field: the request ignores it, and the response names
 * its field.
 */
export class IgnoredValue extends InvalidValue {}

/** Refuses a value. @throws InvalidValue always */
export const refuse = (reason: Reason): never => {
  throw new InvalidValue(reason)
}

/** Any JSON object. */
export type Json = { [name: string]: unknown }

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The texts in a column's JSON array. */
export function textsOf(json: string): string[] {
  // The Worker writes valid arrays. An invalid array from another source must not stop the whole read.
  const texts = parseJson(json)
  return Array.isArray(texts) ? texts.filter(text => typeof text === 'string') : []
}

/** True if a value is an object with fields, and not a list. */
export const isObject = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/** Lists that a form or a query made of a repeated name. */
const repetitions = new WeakSet<object>()

/**
 * Notes that the lists of a value come from repeated names, because forms and queries have no lists of their
 * own.
 */
export function noteRepetitions(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) repetitions.add(value)
  for (const item of Object.values(value)) noteRepetitions(item)
}

/** True if a value is a list with entries. */
export const isFilledList = (raw: unknown): raw is readonly unknown[] => Array.isArray(raw) && raw.length > 0

/**
 * The value of a parameter that takes one value: of a repeated name the last one, as in PHP. A list of JSON
 * stays a list.
 */
export const singleValue = (raw: unknown): unknown =>
  isFilledList(raw) && repetitions.has(raw) ? raw.at(-1) : raw

/** True for values that empty a field. */
export const isEmpty = (raw: unknown): boolean => raw === '' || (Array.isArray(raw) && raw.length === 0)

/** The text of a scalar value; undefined for objects, whose `toString` may do anything. */
export function scalarText(raw: unknown): string | undefined {
  const value = singleValue(raw)
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value)
  return undefined
}

/**
 * A text or number as text; '' for values that empty a field.
 *
 * @throws InvalidValue for other values
 */
export function asText(raw: unknown): string {
  if (isEmpty(raw)) return ''
  const text = typeof singleValue(raw) === 'boolean' ? undefined : scalarText(raw)
  return text ?? refuse('must be text')
}

/**
 * Returns a text that is within the limit, in characters.
 *
 * @throws InvalidValue for longer texts, and for characters with more combining marks than any language has
 */
export function requireLength(text: string, limit: number): string {
  // Two UTF-16 units make at most one character, so most texts need no counting.
  if (text.length > limit && (text.length > 2 * limit || [...text].length > limit))
    refuse(codedReason('too_long', `must be at most ${limit} characters long`, { n: limit }))
  if (hasStackedMarks(text)) refuse('must not stack so many combining marks')
  return text
}

/**
 * A whole number of at least `minimum` and at most `maximum`, as a number or digits. Between two bounds, the
 * reason for refusing it has a code: people choose such numbers in forms.
 *
 * @throws InvalidValue
 */
export function toInteger(raw: unknown, minimum: number, maximum = Number.MAX_SAFE_INTEGER): number {
  const refuseWith = (message: string) =>
    refuse(
      maximum === Number.MAX_SAFE_INTEGER
        ? message
        : codedReason('no_integer', message, { from: minimum, to: maximum }),
    )
  const value = singleValue(raw)
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < minimum)
    return refuseWith(
      minimum > 0 ? 'must be a positive whole number' : `must be a whole number of at least ${minimum}`,
    )
  if (number > maximum) refuseWith(`must be at most ${maximum}`)
  return withoutMinusZero(number)
}

/** The number, or 0 for minus zero, which JSON can contain. */
export const withoutMinusZero = (number: number): number => (number === 0 ? 0 : number)

/**
 * The non-empty items of a list that arrived as an array, as comma-separated text or as one value.
 *
 * @throws InvalidValue for more than `limit`, and for lists among the items
 */
export function toItems(raw: unknown, limit: number, separator: string | RegExp = ','): unknown[] {
  const list: unknown[] = Array.isArray(raw) ? raw : [raw]
  const items = list
    .flatMap(item => (typeof item === 'string' ? item.split(separator).map(part => part.trim()) : [item]))
    .filter(item => item !== '' && item !== null && item !== undefined)
  if (items.length > limit)
    refuse(codedReason('too_many_items', `must have at most ${limit} items`, { n: limit }))
  if (items.some(Array.isArray)) refuse('must not have a list as an item')
  return items
}

/** An id of another system in its stored form: without control characters and surrounding white space. */
export const toExternalId = (raw: string): string => dropControls(raw).trim()

const LOGIN = lazyPattern(String.raw`^[^\p{Cc}:]{1,60}$`, 'u')

/** True if a text can be a login name. Basic authentication allows no colons in it. */
export const isLogin = (text: string): boolean => LOGIN().test(text) && text.trim() === text

/**
 * True if a text can be the login name of a new user. Older login names may have spaces, which are easily
 * typed by mistake.
 */
export const isNewLogin = (text: string): boolean => isLogin(text) && !/\s/.test(text)

/** A path or address without slashes at its end. With the lookbehind, many slashes take linear time. */
export const withoutTrailingSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '')

/** A path without slashes at both ends. */
export const withoutSlashes = (path: string): string => withoutTrailingSlashes(path.replace(/^\/+/, ''))

/** An address without a scheme, as people type it: `www.example.org/x`. */
const ADDRESS_WITHOUT_SCHEME = lazyPattern(
  String.raw`^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}([/?#]\S*)?$`,
  'u',
)

/** Adds a scheme to an address that begins with a host. */
export const withScheme = (text: string, scheme: 'http' | 'https'): string =>
  ADDRESS_WITHOUT_SCHEME().test(text) ? `${scheme}://${text}` : text

/**
 * File extensions, none of which is a top-level domain. Forms send the name of a file if people type it
 * instead of choosing the file.
 */
const FILE_EXTENSION = /\.(avif|bmp|gif|hei[cf]|html?|ico|ics|jpe?g|json|pdf|png|svg|tiff?|txt|webp)$/

/** True if the host of a URL can exist: `poster.gif` and `a..b` cannot, an IPv6 address can. */
const isHost = (host: string): boolean =>
  host.startsWith('[') || (/^(?!-)[\w-]{1,63}(\.[\w-]{1,63})*\.?$/.test(host) && !FILE_EXTENSION.test(host))

/**
 * Reads an http(s) address, whose scheme may be left out; empty stays empty. Undefined if the text is not an
 * address or too long.
 */
export function parseHttpUrl(raw: string): string | undefined {
  const address = addressIn(raw)
  return address === undefined || address.length > FIELD_LIMITS.url ? undefined : address
}

/**
 * The normalised address, which callers check, because it may be longer than the text. An address without a
 * scheme gets `http`, as in WordPress.
 */
function addressIn(raw: string): string | undefined {
  const cleanText = dropControls(raw).trim()
  if (cleanText === '') return ''
  if (cleanText.length > FIELD_LIMITS.url) return undefined
  const text = withScheme(cleanText, 'http')
  if (!/^https?:\/\/[^\s/]/i.test(text) || !URL.canParse(text) || !isHost(new URL(text).hostname))
    return undefined
  return /[\s<>"]/.test(text) ? new URL(text).href : text
}

const NO_URL = codedReason('no_url', 'must be an http or https address such as https://example.org')

/**
 * Reads an http(s) address; empty stays empty.
 *
 * @throws InvalidValue for any other text
 */
export const toHttpUrl = (raw: string, reason: Reason = NO_URL): string =>
  requireLength(
    addressIn(requireLength(dropControls(raw).trim(), FIELD_LIMITS.url)) ?? refuse(reason),
    FIELD_LIMITS.url,
  )

const EMAIL = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\.]+(\.[^\s@<>"(),:;\\.]+)+$/u

/** An e-mail address whose parts are atoms (RFC 5322). Quoted local parts come only from attackers. */
const MAILBOX =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/i

/** True if an address can receive mail: one address in ASCII, without a name, comments or quotes. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && text.indexOf('@') <= 64 && MAILBOX.test(text)

/** Reads an e-mail address; empty stays empty. Undefined if the text is not an address or too long. */
export function parseEmail(raw: string): string | undefined {
  const text = dropControls(raw).trim()
  return text === '' || (text.length <= FIELD_LIMITS.text && EMAIL.test(text)) ? text : undefined
}

const TRUE = new Set(['true', '1', 'yes', 'on'])
const FALSE = new Set(['false', '0', 'no', 'off'])

/**
 * A boolean in any of the usual spellings: true, 1, yes, on, and their opposites. Undefined for anything
 * else.
 */
export function parseBoolean(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw
  const text = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim().toLowerCase() : ''
  if (TRUE.has(text)) return true
  return FALSE.has(text) ? false : undefined
}

export const withoutUndefined = <T extends object>(entries: T) =>
  // The filter leaves out undefined values, as the type does.
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** Returns a value that cannot be missing. @throws Error with its name if it is missing all the same */
export function requirePresent<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined)
    throw new Error(`Missing value that should always be present: ${name}.`)
  return value
}

/** The order of two texts by code units, as in the database; `localeCompare` depends on the language. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A copy of an object with only some properties, such as the columns that a statement reads. */
export const pick = <T extends object, const N extends readonly (keyof T & string)[]>(
  from: T,
  ...names: N
): Pick<T, N[number]> =>
  // Object.fromEntries forgets the keys' types.
  Object.fromEntries(names.map(name => [name, from[name]])) as Pick<T, N[number]>

/** A copy of an object without some properties. */
export const omit = <T extends object, const N extends readonly (keyof T & string)[]>(
  from: T,
  ...names: N
): Omit<T, N[number]> => {
  const omittedNames: readonly string[] = names
  return Object.fromEntries(Object.entries(from).filter(([name]) => !omittedNames.includes(name))) as Omit<
    T,
    N[number]
  >
}

/** The fields of several objects, of which a later one wins. `Object.assign` of a list returns `any`. */
export const mergedFields = <V>(
  objects: readonly (Readonly<Record<string, V>> | undefined)[],
): Record<string, V> => Object.fromEntries(objects.flatMap(object => Object.entries(object ?? {})))

/** Splits items into lists with a total size of at most `maxSize`. A larger item gets its own list. */
export function* batchesWithin<T>(
  items: Iterable<T>,
  maxSize: number,
  sizeOf: (item: T) => number,
): Generator<T[]> {
  let batch: T[] = []
  let size = 0
  for (const item of items) {
    const itemSize = sizeOf(item)
    if (batch.length > 0 && size + itemSize > maxSize) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(item)
    size += itemSize
  }
  if (batch.length > 0) yield batch
}

/**
 * Reads JSON that this calendar has written itself, so that only the column and its type have to agree. JSON
 * from elsewhere needs a schema.
 */
export const storedJson = <T>(text: string): T => JSON.parse(text)

/** A value as an object; one without fields if the value is not an object. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

// Object.keys() and Object.entries() return keys as any strings, because an object may have more properties
// than its type says. The functions below are for objects that a module writes out in full, which have no
// more.

export const typedKeys = <T extends object>(object: T): (keyof T & string)[] =>
  Object.keys(object) as (keyof T & string)[]

export const typedEntries = <K extends string, V>(object: Readonly<Record<K, V>>): [K, V][] =>
  Object.entries(object) as [K, V][]
