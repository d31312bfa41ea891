import { toHtml } from '../lib/html.ts'
import { parseDate } from '../lib/parse-date.ts'
import { slugify } from '../lib/slug.ts'
import { decodeEntities, dropControls, toPlain } from '../lib/text.ts'
import { toUtc, toWall } from '../lib/time.ts'
import { LIMIT, parseBoolean, parseEmail, parseHttpUrl } from '../lib/values.ts'
import type { Context, ImageRecord, Moment } from './records.ts'

// Values of records as other calendars hold them → clean ones. Where the API would refuse a value, a calendar
// that moves in keeps what can be kept.

export type Raw = Readonly<Record<string, unknown>>

export const isObject = (raw: unknown): raw is Raw =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/** A text or number as text; '' for anything else. */
export const asText = (raw: unknown): string =>
  typeof raw === 'string' ? raw : typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : ''

const cut = (text: string, limit: number): string => {
  // Two UTF-16 units make at most one character.
  if (text.length <= limit) return text
  return [...text].slice(0, limit).join('')
}

/**
 * One line of text. Servers of this interface answer titles with entities for what is plain text here; a `<`
 * among them stays escaped, as everywhere in this service.
 */
export const line = (raw: unknown, limit: number = LIMIT.text): string =>
  cut(
    dropControls(decodeEntities(toPlain(asText(raw))))
      .replaceAll('<', '&lt;')
      .replace(/[\t\n]+/g, ' ')
      .trim(),
    limit,
  )

/** A title or name: a line that may be longer. */
export const title = (raw: unknown): string => line(raw, LIMIT.name)

export const html = (raw: unknown, limit: number): string => toHtml(cut(asText(raw), limit))

/** A slug as we write it; servers answer those of other scripts percent-encoded, cut anywhere. */
export const slug = (raw: unknown): string => slugify(asText(raw).replace(/%[\da-f]?$/i, ''))

/** A flag in any spelling. `ticketed` was seen as a list of who sells tickets. */
export function flag(raw: unknown, fallback = false): boolean {
  if (Array.isArray(raw)) return raw.length > 0
  return raw === '' ? false : (parseBoolean(raw) ?? fallback)
}

/** A positive id, as a number or digits. */
export function id(raw: unknown): number | undefined {
  const text = asText(raw).trim()
  const number = Number(text)
  return /^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number) ? number : undefined
}

/** A number within bounds, or null. */
export function decimal(raw: unknown, bound: number): number | null {
  const text = asText(raw).trim()
  const number = Number(text)
  return text !== '' && Math.abs(number) <= bound ? number : null
}

/** An http(s) address, or '' with a note if it is none. */
export const url = (raw: unknown, what: string, context: Context): string =>
  parsed(parseHttpUrl, decodeEntities(asText(raw)), `${what}: no http or https address`, context)

/** An e-mail address, or '' with a note if it is none. */
export const email = (raw: unknown, what: string, context: Context): string =>
  parsed(parseEmail, decodeEntities(asText(raw)), `${what}: no e-mail address`, context)

function parsed(
  parse: (text: string) => string | undefined,
  text: string,
  problem: string,
  { note }: Context,
): string {
  const value = parse(text)
  if (value === undefined) note(`${problem}, left out: ${JSON.stringify(cut(text.trim(), 100))}`)
  return value ?? ''
}

/** `false`, an address, or an image as it is answered, whose id may be text. */
export function image(raw: unknown, what: string, context: Context): ImageRecord | undefined {
  const given: Raw = isObject(raw) ? raw : { url: raw }
  const address = url(given.url, `${what}, image`, context)
  if (address === '') return undefined
  const number = id(given.id)
  return { url: address, ...(number && { id: number }), ...(sizeOf(given) ?? sizeIn(given)) }
}

function sizeOf(image: Raw): Pick<ImageRecord, 'width' | 'height'> | undefined {
  const [width, height] = [id(image.width), id(image.height)]
  return width && height ? { width, height } : undefined
}

/** The size that a list of scaled copies gives for the image itself. */
function sizeIn({ url: address, sizes }: Raw): ReturnType<typeof sizeOf> {
  const copies = isObject(sizes) ? Object.values(sizes).filter(isObject) : []
  const itself = copies.find(copy => copy.url === address)
  return itself && sizeOf(itself)
}

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** A date and time in our format; '' if it is none. @param zone where it is local */
function wall(raw: unknown, zone: string, nowMs: number): string {
  const text = asText(raw).trim()
  const parsed = text === '' || text.startsWith('0000') ? undefined : parseDate(text, zone, nowMs)
  // A wall time as it stands: one that a clock change skips was shown like that where it comes from.
  return parsed ? (DATE_TIME.test(text) ? text : parsed.wall) : ''
}

/**
 * A moment of which the wall time, UTC or both are given. Both are kept as they are: it is the source's word
 * for the instant, and for what its clocks showed.
 */
export function moment(local: unknown, utc: unknown, zone: string, nowMs: number): Moment | undefined {
  const inUtc = wall(utc, 'UTC', nowMs)
  const inZone = wall(local, zone, nowMs)
  if (inZone !== '') return { wall: inZone, utc: inUtc || toUtc(inZone, zone) }
  return inUtc === '' ? undefined : { wall: toWall(inUtc, zone), utc: inUtc }
}
