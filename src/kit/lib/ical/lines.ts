import { lazyPattern, NOT_IN_ADDRESSES } from '../pattern.ts'
import { BLOCKS, decodeEntities, readMarkup } from '../text.ts'
import type { DateTime } from '../time.ts'

// Properties of our own, for values that iCalendar has no property for. Imports read them; other programs
// ignore them.

/** The id of the calendar, as in the header `X-Calendar-Id`: a saved file has no headers. */
export const CALENDAR_PROPERTY = 'X-CALENDAR-ID'

/** The status of an event, if STATUS has no word for it. */
export const STATUS_PROPERTY = 'X-EVENT-STATUS'

/** The title of an event whose SUMMARY says that it does not take place as announced. */
export const TITLE_PROPERTY = 'X-EVENT-TITLE'

/** The element around what X-ALT-DESC says besides the description, which imports leave out. */
export const NOTES_TAG = '<div class="x-event-notes">'

/** The zone of an all-day event, whose dates name none. In a VTIMEZONE, our name of the zone. */
export const TIMEZONE_PROPERTY = 'X-EVENT-TIMEZONE'

/** The rule of a series with its real end. RRULE ends at the last occurrence that exists so far. */
export const RULE_PROPERTY = 'X-EVENT-RRULE'

/** An additional date of a series that has no occurrence yet. */
export const DATE_PROPERTY = 'X-EVENT-RDATE'

/**
 * The period in which a shortened calendar has every event, as two times of UTC:
 * `20261001T020000Z/20270429T060000Z`.
 */
export const PERIOD_PROPERTY = 'X-COMPLETE-PERIOD'

/** Blocks that plain text separates by a blank line. */
const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 blockquote pre ul ol dl table figure'.split(' '))

/** The text of an HTML fragment with its lines and paragraphs, and the addresses of links. */
export function htmlToLines(html: string): string {
  if (html === '') return ''
  let text = ''
  let link: { address: string; from: number } | undefined
  readMarkup(html, {
    onText: part => {
      text += decodeEntities(part).replace(/[^\S ]/g, ' ')
    },
    onTag: ({ name, isClosing, attributes }) => {
      if (name === 'a') {
        if (link) text += addressAfter(text.slice(link.from).trim(), link.address)
        const href = attributes.find(([attribute]) => attribute === 'href')?.[1] ?? ''
        link = isClosing ? undefined : { address: decodeEntities(href), from: text.length }
      } else if (name === 'br') text += '\n'
      else if (name === 'li' && !isClosing) text += '\n• '
      else if (PARAGRAPHS.has(name)) text += '\n\n'
      else if (BLOCKS.has(name) && name !== 'li') text += '\n'
    },
  })
  // Line by line, because one expression for the whole text would scan long runs of spaces again and again.
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const trimmed = (line.includes('  ') ? line.replace(/ +/g, ' ') : line).trim()
    // At most one blank line in a row, and none at the beginning.
    if (trimmed !== '' || (lines.at(-1) ?? '') !== '') lines.push(trimmed)
  }
  return lines.join('\n').trimEnd()
}

/** The address of a link in parentheses, unless its text says it already, perhaps without the beginning. */
function addressAfter(linkText: string, address: string): string {
  const bare = (url: string) =>
    url
      .replace(/^(?:https?:\/\/(?:www\.)?|mailto:)/i, '')
      .replace(/\/$/, '')
      .toLowerCase()
  const isShown = linkText === '' || bare(linkText) === bare(address)
  return isShown || !/^(?:https?|mailto):/i.test(address) ? '' : ` (${address.replace(/^mailto:/i, '')})`
}

/** A stored title as plain text. */
export const plainTitle = (title: string): string => decodeEntities(title)

/** A DATE, `20270610`. */
export const dateValue = (wall: DateTime): string => wall.slice(0, 4) + wall.slice(5, 7) + wall.slice(8, 10)

/** A DATE-TIME of local time, `20270610T200000`. */
export const localValue = (wall: DateTime): string =>
  `${dateValue(wall)}T${wall.slice(11, 13)}${wall.slice(14, 16)}${wall.slice(17, 19)}`

/** A DATE-TIME in UTC, `20270610T180000Z`. */
export const utcValue = (utc: DateTime): string => `${localValue(utc)}Z`

/**
 * The end of a stored UID that may be the own UID of another event of this calendar: triggers, which add it
 * (kit/db/triggers/repeated.ts), don't know the host. No external id ends with a space.
 */
export const DOUBTED_UID_END = ' '

/**
 * True if a UID has the form of the UIDs that the calendar at this host gives its events and series, such as
 * `event-12@host`. An external id of this form may be the UID of another event.
 */
export function isOwnUid(uid: string, host: string): boolean {
  const namedHost = uid.match(/^(?:event|series)-\d+(?:\.\d+)?@(.*)$/i)?.[1]
  return namedHost?.toLowerCase() === host.toLowerCase()
}

// Content lines of iCalendar, RFC 5545 §3.1 to 3.3.

type Parameters = Readonly<Record<string, string>>

/** The most bytes of a line, without its end. */
const MAX_LINE_BYTES = 75
const END_BYTES = 2
const LINE_FEED = 0x0a
const BREAK = [0x0d, LINE_FEED, 0x20]

const encoder = new TextEncoder()

/** The most bytes that {@link foldLines} needs for each UTF-16 unit: three of UTF-8, and a gap of one. */
const MAX_BYTES_PER_UNIT = 4

/** Space for lines while they are folded. */
let foldBuffer = new Uint8Array(2 ** 14)

/**
 * Lines in UTF-8, folded between characters into lines of at most 75 bytes. Folding bytes takes one pass:
 * folding texts before encoding them took a twentieth of a calendar's time.
 *
 * @param lines each with its end
 */
export function foldLines(lines: string): Uint8Array {
  const maxBytes = MAX_BYTES_PER_UNIT * lines.length
  if (foldBuffer.length < maxBytes) foldBuffer = new Uint8Array(maxBytes)
  // The lines begin after a gap, and move forward into it. A break adds three bytes to at least 71, so the
  // lines never fill the gap.
  let copiedBytes = lines.length
  const end = copiedBytes + encoder.encodeInto(lines, foldBuffer.subarray(copiedBytes)).written
  const encoded = foldBuffer.subarray(0, end)
  let target = 0
  const copyTo = (position: number) => {
    foldBuffer.copyWithin(target, copiedBytes, position)
    target += position - copiedBytes
    copiedBytes = position
  }
  for (let line = copiedBytes, next: number; line < end; line = next) {
    next = encoded.indexOf(LINE_FEED, line) + 1 || end
    // The space at the beginning of a continuation line counts as well.
    for (let cut = line + MAX_LINE_BYTES; cut < next - END_BYTES; cut += MAX_LINE_BYTES - 1) {
      while (isWithinCharacter(encoded[cut])) cut--
      copyTo(cut)
      for (const byte of BREAK) foldBuffer[target++] = byte
    }
  }
  copyTo(end)
  return foldBuffer.slice(0, target)
}

/** True if a byte of UTF-8 is not the first of its character. */
const isWithinCharacter = (byte = 0): boolean => (byte & 0xc0) === 0x80

/** Control characters, which no value may have, and lone surrogates. */
const FORBIDDEN = lazyPattern(String.raw`(?![\t\n])\p{Cc}|\p{Cs}`, 'gu')

// Most texts have nothing to drop. A quick expression, which may match too much, saves them the slow search
// over all of Unicode, and a second expression recognises texts that need no escaping.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that values must not have
const MAYBE_FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, and those that are escaped
const MAYBE_ESCAPED = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff\\;,]/

/** A value of type TEXT. */
export function escapeText(text: string): string {
  if (!MAYBE_ESCAPED.test(text)) return text
  const cleanText = MAYBE_FORBIDDEN.test(text) ? text.replace(/\r\n?/g, '\n').replace(FORBIDDEN(), '') : text
  return cleanText.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')
}

/** The value of a parameter. Quotes, which it cannot contain, become apostrophes. */
function parameterValue(text: string): string {
  if (/^[\w/+ .-]*$/.test(text)) return text
  const cleanText = text.replace(/\s+/g, ' ').replace(FORBIDDEN(), '').replaceAll('"', "'")
  return /[:;,]/.test(cleanText) ? `"${cleanText}"` : cleanText
}

/**
 * A property with a formatted value, such as a date or an address, as one line with its end.
 * @see foldLines
 */
export function property(name: string, value: string, parameters?: Parameters): string {
  let line = name
  for (const key in parameters) line += `;${key}=${parameterValue(parameters[key] ?? '')}`
  return `${line}:${value}\r\n`
}

/** A property with a text, or nothing for an empty one. */
export const textProperty = (name: string, text: string, parameters?: Parameters): string =>
  text === '' ? '' : property(name, escapeText(text), parameters)

/** A property with an address, or nothing for an empty one. An address has no line ends. */
export const uriProperty = (name: string, uri: string, parameters?: Parameters): string =>
  uri === '' ? '' : property(name, uri.replace(NOT_IN_ADDRESSES(), ''), parameters)
