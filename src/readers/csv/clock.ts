import { Unreadable } from '../../calendar/imports/records.ts'
import { fold } from '../../kit/lib/text.ts'
import { isDateTime } from '../../kit/lib/time.ts'
import {
  AT_MIDNIGHT,
  AT_NOON,
  HALVES,
  HALVES_OF_DAY,
  HOUR_WORDS,
  setOfWords,
  UNTIL_WORDS,
} from '../moment-words.ts'

// Times of day as spreadsheets write them, with their zones.

/**
 * The most characters of a cell that are read, several times as many as a day and two times have. The
 * patterns of days and times take the square of the length, or more, for some texts.
 */
const MAX_CHARACTERS = 200

/**
 * The text of a cell. A text that is too long gets a sign at its end that no day or time has, so that its
 * beginning is not taken for a day or a time.
 */
export function cellText(cell: string): string {
  const text = cell.trim()
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
}

export const twoDigits = (number: string): string => number.padStart(2, '0')

/** A time by the 24-hour clock. With points and seconds, as in `18.10.27`, it is a day. */
const TIME =
  /^(?!\d+\.\d+\.(?!00)\d\d\.?$)(\d{1,2})(?:\s?[:.h]\s?(\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?)?)?\s*(?:h|hrs?|uhr)?\.?$/i
const TIME_12_HOURS = /^(\d{1,2})(?:[:.](\d{2}))?(?:[:.](\d{2}))?\s*:?\s*([ap])\.?\s?m\.?$/i
/** Four digits, as in `1930`. */
const DIGITS = /^([01]\d|2[0-4])([0-5]\d)\s*(?:h|hrs?|uhr)?$/i
/** Words before a time. */
const BEFORE =
  /^(?:(?:ca|env|approx)\.\s*|(?:um|ab|gegen|von|ca|circa|etwa|at|from|approx|around|about|[àa] partir de|dès|vers|environ|à|de|desde|sobre|a las?|las|@)\s+)+/i
/** Words and dashes between two times. */
const BETWEEN_TIMES = /\s*(?:→|->|[-–—]|\b(?:bis|to|till|until|hasta|a las|y|and)\b|\s(?:à|a)\s)\s*/i
/** What people write where a time is not known, or the end is open. */
const UNKNOWN_TIME =
  /^(?:[-–—?.…\s]*|(?:ende )?offen|noch offen|open[ -]?end(?:e|ed)?|tb[acd]|folgt|n\.?\s?n\.?|[àa] (?:confirmer|définir|préciser)|(?:por|a) (?:confirmar|determinar))$/i

/** True if a cell says that a day or a time is not known, or is empty. */
export const isOpen = (cell: string): boolean => UNKNOWN_TIME.test(cell.trim())

/** A part of a day, which spreadsheets write for a time without a format. */
const SERIAL_TIME = /^0?[.,]\d+$/

function minutesOf(day: number): string {
  const minutes = Math.round(day * 24 * 60)
  return `${[Math.floor(minutes / 60), minutes % 60].map(n => twoDigits(String(n))).join(':')}:00`
}

/** Words for noon, alone in a cell or after 12. */
const MIDDAY = AT_NOON.union(new Set(['mittag', 'mittags']))
const RANGE_WORDS = setOfWords(UNTIL_WORDS)
/** Words before the word for a half of the day: `8 de la tarde`. */
const BEFORE_HALVES = new Set('in the de la por du'.split(' '))

/** The end of a day, as people write it. */
export const MIDNIGHT = '24:00:00'

/**
 * A text of times with `h` for each unit, `-` for each word between two times, and `am` or `pm` for words
 * with this meaning. The text stays as it is if these words leave open which half of the day is meant: `1 de
 * la noche`.
 */
function markedTimes(text: string): string {
  if (!/[a-zä-ü]{2}/i.test(text)) return text
  const givenWords = text.split(/\s+/)
  const words = givenWords.map(word => fold(word))
  const marked = givenWords.map((word, i) => {
    const foldedWord = words[i] ?? ''
    if (HOUR_WORDS.has(foldedWord)) return 'h'
    return i > 0 && RANGE_WORDS.has(foldedWord) && !/^(?:las|m\.?)$/.test(words[i + 1] ?? '') ? '-' : word
  })
  const last = words.at(-1) ?? ''
  const half = HALVES_OF_DAY.get(last) ?? (last.length > 2 ? HALVES.get(last) : undefined)
  if (half === undefined) return marked.join(' ')
  marked.pop()
  while (BEFORE_HALVES.has(words[marked.length - 1] ?? '')) marked.pop()
  const markedText = marked.join(' ').replace(/\s?h$/, '')
  const hour = Number(/(\d{1,2})(?:[:.h]\d\d)?$/.exec(markedText.replaceAll(' ', ''))?.[1] ?? 0)
  // An hour after twelve already says which half of the day is meant.
  if (hour > 12) return markedText
  const isSure =
    half === 'am'
      ? hour < 12
      : last === 'mittags'
        ? hour % 12 < 4
        : hour < 12 && (hour > 5 || last !== 'noche')
  return isSure ? `${markedText} ${half}` : text
}

/** Reads a time as `18:00:00`; undefined for anything else. */
function timeOf(cell: string): string | undefined {
  const text = cellText(cell).replace(BEFORE, '')
  const word = fold(text).replace(/^12 (?:h |uhr )?(?=\w)/, '')
  if (MIDDAY.has(word)) return '12:00:00'
  // The word midnight means the end of the day that is named with it; 0:00 would be its beginning.
  if (AT_MIDNIGHT.has(word)) return MIDNIGHT
  const [, hour12, minute12 = '0', second12 = '0', half] = TIME_12_HOURS.exec(text) ?? []
  const [, hour24, minute24 = '0', second24 = '0'] = TIME.exec(text) ?? DIGITS.exec(text) ?? []
  const hour =
    hour12 === undefined || Number(hour12) > 12 || Number(hour12) === 0
      ? hour24
      : String((Number(hour12) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0))
  const serial = SERIAL_TIME.test(text) ? minutesOf(Number(text.replace(',', '.'))) : undefined
  if (serial !== undefined && hour === undefined) return serial
  const [minute, second] = hour12 === undefined ? [minute24, second24] : [minute12, second12]
  const time = [hour ?? '', minute, second].map(twoDigits).join(':')
  if (time === MIDNIGHT) return time
  return hour !== undefined && isDateTime(`2027-01-01 ${time}`) ? time : undefined
}

/** Two times in one cell: `19-21 Uhr`, `7 to 9 pm`. */
function timesOf(cell: string): { from: string; to: string } | undefined {
  const [first = '', last, ...otherParts] = cellText(cell).replace(BEFORE, '').split(BETWEEN_TIMES)
  if (last !== undefined && otherParts.length === 0 && isOpen(last)) {
    const from = timeOf(first)
    return from === undefined ? undefined : { from, to: '' }
  }
  if (last === undefined || otherParts.length > 0 || DIGITS.test(first) !== DIGITS.test(last))
    return undefined
  const to = timeOf(last)
  // The half of the day is often written once.
  const half = /[ap]\.?\s?m\.?$/i.exec(last)?.[0] ?? ''
  const from = timeOf(/[ap]\.?\s?m\.?$/i.test(first) ? first : `${first}${half}`)
  const ownTime = timeOf(first)
  if (!from || !to) return undefined
  return { from: half && ownTime && from > to ? ownTime : from, to }
}

/**
 * An offset or an abbreviation of a zone after a time. A hyphen between two times without seconds is no sign:
 * `10:00-12:00` are two hours.
 */
const OFFSETS = [
  /^(.*(?:T\d\d:?\d\d(?::?\d\d)?|\d:\d\d:\d\d)(?:[.,]\d{1,9})?)\s?(Z|[+-]\d\d(?::?\d\d)?)$/i,
  /^(.*\d:\d\d)\s?(Z|\+\d\d(?::?\d\d)?|-\d{4})$/i,
  /^(.*(?:\d|[ap]\.?m\.?|uhr|h))\s?\(?(?:UTC|GMT)\s?([+-]\d{1,2}(?::?\d\d)?)?\)?$/i,
  /^(.*(?:\d|[apAP]\.?[mM]\.?|[uU]hr|h))\s\(?([A-Z]{1,4}T|MEZ|MESZ)\)?$/,
]

/** Abbreviations of zones that have others in English. */
const GERMAN_ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['MEZ', 'CET'],
  ['MESZ', 'CEST'],
])

/**
 * The times in a cell, each as `18:00:00`, or '' if there is none. `zone` is the text after them: an offset,
 * or the name of a zone. `text` is the text of the times without the zone.
 */
export type CellTimes = { from: string; to: string; zone: string; text: string }

const NO_TIMES: CellTimes = { from: '', to: '', zone: '', text: '' }

/** A text without the zone after its time, and that zone; '' without one. */
function withoutZone(text: string): readonly [text: string, zone: string] {
  if (!/z$|[+-]\d|utc|gmt|(?:T|MEZ|MESZ)\)?$/i.test(text)) return [text, '']
  for (const pattern of OFFSETS) {
    const [, textBefore, offset = 'UTC'] = pattern.exec(text) ?? []
    if (textBefore !== undefined) return [textBefore, GERMAN_ABBREVIATIONS.get(offset) ?? offset]
  }
  return [text, '']
}

const ALL_DAY = /^(?:all[ -]day|ganzt(?:ä|ae)gig|todo el d[ií]a|toute la journ[ée]e|journ[ée]e enti[èe]re)$/i

/** The times in a text; undefined if it has something else. */
export function cellTimes(cell: string): CellTimes | undefined {
  const wholeText = cellText(cell)
  if (wholeText === '' || ALL_DAY.test(wholeText)) return NO_TIMES
  const [timed, zone] = withoutZone(wholeText)
  const text = markedTimes(timed)
  const from = timeOf(text)
  if (from !== undefined) return { from, to: '', zone, text }
  const times = timesOf(text)
  return times && { ...times, zone, text }
}

/** An hour up to seven that names no half of the day, and is not written as on a 24-hour clock. */
const OF_EITHER_HALF = /^[1-7](?:[:.]\d\d){0,2}(?:\s?-.*\d)?$/

/** True if times may begin in the morning or in the evening: `7`, `7:30`. */
export const isOfEitherHalf = ({ text }: CellTimes): boolean => OF_EITHER_HALF.test(text)

/**
 * True if a cell has an hour by the 24-hour clock: `19:30`, `07:30`.
 *
 * @param isNamed true for a column of times
 */
export function has24HourTime(cell: string, isNamed: boolean): boolean {
  if (!isNamed) return /(?<!\d)(?:1[3-9]|2[0-4]|0[1-9])[:h]\d\d/.test(cell)
  const times = cellTimes(cell)
  return (
    times !== undefined &&
    !/[ap]\.?\s?m\b/i.test(cell) &&
    (/^0\d/.test(times.text) || times.from >= '13' || times.to >= '13')
  )
}

/** The times in a cell. @throws Unreadable */
export function readTimes(cell: string, column: string): CellTimes {
  const times = cellTimes(cell)
  if (times) return times
  throw new Unreadable(
    `${column} ${JSON.stringify(cellText(cell).slice(0, 50))} is not a time: write it as 18:30`,
    'record_date_unread',
  )
}

/** True if a cell has a time or two, and no day. @param isNamed true if plain numbers and points count */
export function isTimeCell(cell: string, isNamed: boolean): boolean {
  const text = markedTimes(withoutZone(cellText(cell))[0])
  return (
    (isNamed || /[:h]|uhr|[ap]\.?\s?m\b/i.test(text)) &&
    (timeOf(text) !== undefined || timesOf(text) !== undefined)
  )
}
