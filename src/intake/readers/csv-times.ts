import { memoize } from '../../lib/memo.ts'
import { isRelativeDate, parseDate } from '../../lib/parse-date.ts'
import { lazyPattern } from '../../lib/pattern.ts'
import { fold } from '../../lib/text.ts'
import { addDays, addMonths, endOfDay, formatInstant, isDateTime, spanAt, toWall } from '../../lib/time.ts'
import { canonicalZone } from '../../lib/zones.ts'
import { LANGUAGES } from '../../words/languages.ts'
import { type DayOrder, type ReaderContext, type RecordTimes, Unreadable } from '../records.ts'
import { flagIn } from './csv-flags.ts'

// Days and times as spreadsheets write them.

/**
 * The most characters of a cell that are read, several times as many as a day and two times have. The patterns below take the square of
 * the length, or more, for some texts.
 */
const MOST_CHARACTERS = 200

/** The text of a cell. One that is too long ends in a sign that no day or time has, so that its beginning is not taken for one. */
function textOf(cell: string): string {
  const text = cell.trim()
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

/** A day, and the time if the cell has one as well. */
type CsvDay = { day: string; time: string }

const two = (number: string): string => number.padStart(2, '0')

const isDay = (day: string): boolean => isDateTime(`${day} 00:00:00`)

/** A day in our format. Years of two digits are of this century. */
const dayOf = (year: string, month: string, day: string): string =>
  `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T, ]+(.*))?$/
/** A day with the name of its month: `Samstag, den 12. Juni 2027`, `le 1er août 2027`, `12 de junio de 2027`, `Sa 12. Juni`. */
const MONTH_NAMED = lazyPattern(
  String.raw`^(?:(\p{L}+)\.?,?\s+)?(?:(?:den|dem|le|el)\s+)?(\d{1,2})(?:\.|er|º)?\s*(?:de\s+)?(\p{L}{3,})\.?,?(?:\s*(?:del?\s+)?(\d{4}))?(?:[, ]+(.*))?$`,
  'iu',
)
/** A day whose year comes last, perhaps after a weekday: `Sa., 12.06.2027`. */
const YEAR_LAST = lazyPattern(
  String.raw`^(?:\p{L}+\.?,?\s+)?(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?:[T, ]+(.*))?$`,
  'u',
)
/** A day without a year: `Sa 12.12.`, `12/6`. */
const NO_YEAR = lazyPattern(
  String.raw`^(?:(\p{L}+)\.?,?\s+)?(\d{1,2})([/.])\s?(\d{1,2})\.?(?:[T, ]+(.*))?$`,
  'u',
)
/** The same, where it can't be a time. */
const NO_YEAR_FOR_SURE = lazyPattern(
  String.raw`^(?:\p{L}+\.?,?\s+\d{1,2}\.\s?\d{1,2}|\d{1,2}\.\s?\d{1,2}\.|.*\d\/\d)`,
  'u',
)

/** Names of months or weekdays by their numbers, folded, long and short. @param epochMs a moment of the one with a number */
const numbersOf = (part: 'month' | 'weekday', count: number, epochMs: (i: number) => number) =>
  new Map(
    LANGUAGES.flatMap(language =>
      (['long', 'short'] as const).flatMap(length => {
        const format = new Intl.DateTimeFormat(language, { [part]: length, timeZone: 'UTC' })
        return Array.from({ length: count }, (_, i): [string, number] => [
          fold(format.format(epochMs(i + 1))).replace(/\.$/, ''),
          i + 1,
        ])
      }),
    ),
  )

const months = memoize(() => numbersOf('month', 12, i => Date.UTC(2027, i - 1, 1)))

/** The weekdays from 1, Monday: 1 November 2027 is a Monday. */
const weekdays = memoize(() => numbersOf('weekday', 7, i => Date.UTC(2027, 10, i)))

/** Months before today in which a day without a year may be: a programme is often imported after it has begun. */
const MONTHS_BEFORE = 3

/**
 * The year of a day that has none: that in which it is on its weekday, the nearest one, or else the first from three months ago on.
 *
 * @param from the day of the event's start, on or after which its end is
 */
function yearOf(
  { month, day, weekday }: { month: string; day: string; weekday: string },
  { timezone, nowMs }: Pick<ReaderContext, 'timezone' | 'nowMs'>,
  from?: string,
): string | undefined {
  const today = toWall(formatInstant(nowMs), timezone).slice(0, 10)
  const number = weekdays().get(fold(weekday))
  const first = from ?? addMonths(`${today} 00:00:00`, -MONTHS_BEFORE).slice(0, 10)
  const isAfter = from !== undefined || number === undefined
  const days = Array.from({ length: 9 }, (_, i) =>
    dayOf(String(Number(first.slice(0, 4)) + i - 1), month, day),
  )
  const distance = (one: string) => Math.abs(Date.parse(one) - Date.parse(today))
  return days
    .filter(isDay)
    .filter(one => (isAfter ? one >= first : new Date(one).getUTCDay() === (number ?? 0) % 7))
    .sort((a, b) => (isAfter ? (a < b ? -1 : 1) : distance(a) - distance(b)))[0]
    ?.slice(0, 4)
}

/** A number of days since 1900, which spreadsheets write for a day without a format. */
const SERIAL = /^\d{5}(?:[.,]\d+)?$/

/**
 * Reads the cell of a day. With dots the day comes first everywhere; with slashes and hyphens either may.
 *
 * @param from the day of the start, for the end of an event
 * @throws Unreadable for anything that is no day, or that can be read as two
 */
function readDay(
  cell: string,
  column: string,
  context: Pick<ReaderContext, 'dayOrder' | 'timezone' | 'nowMs'>,
  from?: string,
): CsvDay {
  const { dayOrder, timezone, nowMs } = context
  const text = textOf(cell)
  const quoted = `${column} ${JSON.stringify(text.slice(0, 50))}`
  const existing = (day: string, time = ''): CsvDay => {
    if (!isDay(day)) throw new Unreadable(`${quoted} is no day that exists`, 'record_no_such_date')
    return { day, time }
  }
  const [, year, month = '', date = '', time] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return existing(dayOf(year, month, date), time)
  /** A day whose year may be absent. */
  const dated = ({ year, month, day, weekday, time }: DayParts): CsvDay => {
    const known = year ?? yearOf({ month, day, weekday }, context, from) ?? formatInstant(nowMs).slice(0, 4)
    return existing(dayOf(known, month, day), time)
  }
  const named = monthNamed(text)
  if (named) return dated(named)
  const numbered = inNumbers(text)
  if (numbered) {
    const { first, second, isDotted, ...rest } = numbered
    const [dayFirst, monthFirst] = [
      { ...rest, day: first, month: second },
      { ...rest, day: second, month: first },
    ]
    const order = isDotted ? 'dmy' : dayOrder
    if (order !== undefined) return dated(order === 'dmy' ? dayFirst : monthFirst)
    // Each year with a day of that number has it, but for 29 February.
    const [isDayFirst, isMonthFirst] = [dayFirst, monthFirst].map(({ year = '2028', month, day }) =>
      isDay(dayOf(year, month, day)),
    )
    if (isDayFirst && isMonthFirst && Number(first) !== Number(second))
      throw new Unreadable(
        `${quoted} can be read as ${dated(dayFirst).day} and as ${dated(monthFirst).day}: say which with --dates dmy (day first) or --dates mdy (month first)`,
        'record_two_dates',
      )
    return dated(isMonthFirst && !isDayFirst ? monthFirst : dayFirst)
  }
  if (SERIAL.test(text))
    throw new Unreadable(
      `${quoted} is a number: give the column a date format and save the file again`,
      'record_date_unread',
    )
  const words = isRelativeDate(text) ? undefined : parseDate(text, timezone, nowMs)
  if (!words) throw new Unreadable(`${quoted} is no day: write it as 2027-12-31`, 'record_date_unread')
  const [day = '', ownTime = ''] = words.wall.split(' ')
  return { day, time: ownTime === '00:00:00' ? '' : ownTime }
}

/** The order in which the days of a column are written, if any of them can only be read in one, and none only in the other. */
export function dayOrderIn(cells: readonly string[]): DayOrder | undefined {
  const found = new Set<DayOrder>()
  for (const cell of cells) {
    const { first, second, isDotted } = inNumbers(cell.trim()) ?? { first: '', second: '', isDotted: true }
    if (isDotted || Number(first) > 31 || Number(second) > 31) continue
    if (Number(first) > 12 && Number(second) <= 12) found.add('dmy')
    if (Number(second) > 12 && Number(first) <= 12) found.add('mdy')
  }
  const [only, ...others] = found
  return others.length === 0 ? only : undefined
}

/** The parts of a day in a cell, and the time after it. */
type DayParts = {
  year: string | undefined
  month: string
  day: string
  weekday: string
  time: string | undefined
}

/** The parts of a day that names its month: `12. Juni 2027`, or `Sat, Dec 12` without a year. */
function monthNamed(text: string): DayParts | undefined {
  const [, weekday = '', day = '', name = '', year, time] = MONTH_NAMED().exec(text) ?? []
  const number = months().get(fold(name))
  if (number !== undefined) return { weekday, day, year, month: String(number), time }
  const [, before = '', english = '', date = '', rest] = MONTH_FIRST_NO_YEAR().exec(text) ?? []
  const month = months().get(fold(english))
  if (month === undefined) return undefined
  return { weekday: before, day: date, year: undefined, month: String(month), time: rest }
}

/** The two numbers of a day, with its year if it has one. */
function inNumbers(text: string) {
  const [, first = '', separator, second = '', year, time] = YEAR_LAST().exec(text) ?? []
  if (year !== undefined) return { first, second, isDotted: separator === '.', year, weekday: '', time }
  const [, weekday = '', one = '', mark, other = '', rest] = NO_YEAR().exec(text) ?? []
  return mark === undefined
    ? undefined
    : { first: one, second: other, isDotted: mark === '.', year: undefined, weekday, time: rest }
}

const TIME = /^(\d{1,2})(?:\s?[:.h]\s?(\d{2}))?(?:[:.](\d{2}))?\s*(?:h|hrs?|uhr)?\.?$/i
const TIME_OF_12 = /^(\d{1,2})(?:[:.](\d{2}))?(?:[:.](\d{2}))?\s*([ap])\.?\s?m\.?$/i
/** Words before a time. */
const BEFORE = /^(?:um|ab|gegen|von|at|from|à|de|desde|a las?|las|@)\s+/i
/** Words and dashes between two times. */
const BETWEEN = /\s*(?:[-–—]|\b(?:bis|to|till|until|hasta|a las|y|and)\b|\s(?:à|a)\s)\s*/i

/** Reads a time as `18:00:00`; undefined for anything else. */
function timeOf(cell: string): string | undefined {
  const text = textOf(cell).replace(BEFORE, '')
  const [, hour12, minute12 = '0', second12 = '0', half] = TIME_OF_12.exec(text) ?? []
  const [, hour24, minute24 = '0', second24 = '0'] = TIME.exec(text) ?? []
  const hour =
    hour12 === undefined || Number(hour12) > 12 || Number(hour12) === 0
      ? hour24
      : String((Number(hour12) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0))
  const [minute, second] = hour12 === undefined ? [minute24, second24] : [minute12, second12]
  const time = [hour ?? '', minute, second].map(two).join(':')
  if (time === MIDNIGHT) return time
  return hour !== undefined && isDateTime(`2027-01-01 ${time}`) ? time : undefined
}

/** The end of a day, as people write it. */
const MIDNIGHT = '24:00:00'

/** Two times in one cell: `19-21 Uhr`, `7 to 9 pm`. */
function timesOf(cell: string): { from: string; to: string } | undefined {
  const [first = '', last, ...more] = textOf(cell).replace(BEFORE, '').split(BETWEEN)
  if (last === undefined || more.length > 0) return undefined
  const to = timeOf(last)
  // The half of the day is often written once.
  const half = /[ap]\.?\s?m\.?$/i.exec(last)?.[0] ?? ''
  const from = timeOf(/[ap]\.?\s?m\.?$/i.test(first) ? first : `${first}${half}`)
  const own = timeOf(first)
  if (!from || !to) return undefined
  return { from: half && own && from > to ? own : from, to }
}

const ALL_DAY = /^(?:all[ -]day|ganzt(?:ä|ae)gig|todo el d[ií]a|toute la journ[ée]e|journ[ée]e enti[èe]re)$/i

/** The times in a cell, each as `18:00:00`, or '' if there is none. @throws Unreadable */
function readTimes(cell: string, column: string): { from: string; to: string } {
  const text = textOf(cell)
  if (text === '' || ALL_DAY.test(text)) return { from: '', to: '' }
  const from = timeOf(text)
  const both = from === undefined ? timesOf(text) : { from, to: '' }
  if (!both)
    throw new Unreadable(
      `${column} ${JSON.stringify(text.slice(0, 50))} is no time: write it as 18:30`,
      'record_date_unread',
    )
  return both
}

/** Tells if a cell has a time or two, and no day. @param isNamed true if plain numbers and points count */
export const isTimeCell = (cell: string, isNamed: boolean): boolean =>
  (isNamed || /[:h]|uhr|[ap]\.?\s?m\b/i.test(cell)) &&
  (timeOf(cell) !== undefined || timesOf(cell) !== undefined)

/** Tells if a cell has a day, perhaps with a time. */
export function isDayCell(cell: string): boolean {
  const text = textOf(cell)
  if (!/\d/.test(text) || text.length > 80) return false
  return (
    YEAR_FIRST.test(text) ||
    YEAR_LAST().test(text) ||
    MONTH_FIRST.test(text) ||
    monthNamed(text) !== undefined ||
    (NO_YEAR().test(text) && NO_YEAR_FOR_SURE().test(text))
  )
}

/** A day as Americans write it: `June 10, 2027`. */
const MONTH_FIRST =
  /^(?:[a-z]+,? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b/i

/** The same without a year: `Sat, Dec 12`, `June 10, 8 pm`. */
const MONTH_FIRST_NO_YEAR = lazyPattern(
  String.raw`^(?:(\p{L}+)\.?,?\s+)?(\p{L}{3,})\.? (\d{1,2})(?:st|nd|rd|th)?(?:[, ]+(?![, ]*\d{4}\b)(.*))?$`,
  'iu',
)

/** The cells of an event's times, and a function that names their columns in messages. */
export type CsvTimes = {
  cell: (column: 'start_date' | 'start_time' | 'end_date' | 'end_time' | 'all_day' | 'timezone') => string
  nameOf: (column: 'start_date' | 'start_time' | 'end_date' | 'end_time') => string
}

/**
 * The times of an event. Without any time it lasts whole days. An end without a day is on the day of the start, or on
 * the next one if its time is earlier.
 *
 * @throws Unreadable
 */
export function csvTimes(
  { cell, nameOf }: CsvTimes,
  context: Pick<ReaderContext, 'dayOrder' | 'timezone' | 'nowMs'>,
): RecordTimes {
  const named = cell('timezone').trim()
  const timezone = named === '' ? context.timezone : canonicalZone(named)
  if (timezone === undefined)
    throw new Unreadable(`there is no time zone ${JSON.stringify(named)}`, 'record_zone')
  const dayIn = (column: 'start_date' | 'end_date', from?: string) =>
    cell(column).trim() === '' ? undefined : readDay(cell(column), nameOf(column), context, from)
  const timesIn = (column: 'start_time' | 'end_time', day: 'start_date' | 'end_date', inDay = '') => {
    const own = readTimes(cell(column), nameOf(column))
    return own.from === '' ? readTimes(inDay, nameOf(day)) : own
  }
  const from = dayIn('start_date')
  if (!from) throw new Unreadable('it has no start date', 'record_no_start')
  const to = dayIn('end_date', from.day)
  const first = timesIn('start_time', 'start_date', from.time)
  const last = timesIn('end_time', 'end_date', to?.time)
  if (first.from === MIDNIGHT)
    throw new Unreadable('it starts at 24:00: write 00:00 and the next day', 'record_no_such_date')
  const startTime = first.from
  const ends = last.to || last.from || first.to
  const endTime = ends === MIDNIGHT ? '00:00:00' : ends
  const all_day = flagIn(cell('all_day')) ?? (startTime === '' && endTime === '')
  const start = `${from.day} ${(!all_day && startTime) || '00:00:00'}`
  const sameDay = `${to?.day ?? from.day} ${endTime || start.slice(11)}`
  const isNextDay = ends === MIDNIGHT || (to === undefined && sameDay < start)
  const end = all_day ? endOfDay(sameDay) : isNextDay ? addDays(sameDay, 1) : sameDay
  if (end < start) throw new Unreadable('its end lies before its start', 'record_ends_early')
  return { all_day, timezone, ...spanAt({ start, end, all_day }, timezone) }
}
