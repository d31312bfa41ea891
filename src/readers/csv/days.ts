import { type DayOrder, type ReaderContext, Unreadable } from '../../calendar/imports/records.ts'
import { isRelativeDate, parseDate } from '../../kit/lib/parse-date.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { fold } from '../../kit/lib/text.ts'
import { addMonths, dayOf, daysLater, formatInstant, isDay, isoWeekday, toWall } from '../../kit/lib/time.ts'
import { compareTexts } from '../../kit/lib/values.ts'
import { MONTHS, weekdayOf } from '../moment-words.ts'
import { cellText, cellTimes, twoDigits } from './clock.ts'

// Days as spreadsheets write them: a single day, or the first and the last of several days.

type CsvDay = { day: string; time: string }

type DayReading = Pick<ReaderContext, 'dayOrder' | 'timezone' | 'nowMs'> & {
  /** Takes each day that could be read in two ways, and is read in the order of others. */
  ordered?: (text: string, day: string) => void
  /** Takes what was assumed: a year that is not written. */
  assume?: (code: 'guess_year', text: string, as: string) => void
}

/** A day in our format. Years of two digits are of this century. */
const isoDay = (year: string, month: string, day: string): string =>
  `${year.length === 2 ? `20${year}` : year}-${twoDigits(month)}-${twoDigits(day)}`

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T, ]+(.*))?$/
/**
 * A day with the name of its month: `Samstag, den 12. Juni 2027`, `le 1er août 2027`, `12 de junio de 2027`,
 * `Sa 12. Juni`, `Saturday 12th of June`.
 */
const MONTH_NAMED = lazyPattern(
  String.raw`^(?:(\p{L}+)\.?,?\s+)?(?:(?:den|dem|le|el|the)\s+)?(\d{1,2})(?:\.|er|º|st|nd|rd|th)?\s*(?:(?:de|of)\s+)?(\p{L}{3,})\.?,?(?:\s*(?:del?\s+)?(\d{4}))?(?:[, ]+(.*))?$`,
  'iu',
)
/** A day as Americans write it: `June 10, 2027`, `Sat, Dec 12`, `June 10, 8 pm`. */
const MONTH_FIRST = lazyPattern(
  String.raw`^(?:(\p{L}+)\.?,?\s+)?(\p{L}{3,})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4})(?=[, ]|$))?(?:[, ]+(?![, ]*\d{4}\b)(.*))?$`,
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
/** A day without a year that can't be a time. */
const NO_YEAR_FOR_SURE = lazyPattern(
  String.raw`^(?:\p{L}+\.?,?\s+\d{1,2}\.\s?\d{1,2}|\d{1,2}\.\s?\d{1,2}\.|.*\d\/\d)`,
  'u',
)

/**
 * Months before today in which a day without a year may be: a programme is often imported after it has begun.
 */
const MONTHS_BEFORE = 3

/** What is known of the other end of an event: the day of its start, or the text of its end. */
type OtherDay = { from?: string | undefined; end?: string | undefined }

/**
 * The year of a day without one: the nearest in which it falls on its weekday; without a weekday, the first
 * from three months ago on. The year of an end follows from the start.
 */
function yearOf(
  { month, day, weekday }: Pick<DayParts, 'month' | 'day' | 'weekday'>,
  { timezone, nowMs }: DayReading,
  { from, end }: OtherDay,
): string | undefined {
  if (from !== undefined) return endAfter(from, { month, day }).slice(0, 4)
  const today = dayOf(toWall(formatInstant(nowMs), timezone))
  const number = weekdayOf(fold(weekday))
  const first = monthsAfter(today, -MONTHS_BEFORE)
  const isAfter = number === 0
  const days = Array.from({ length: 9 }, (_, i) =>
    isoDay(String(Number(first.slice(0, 4)) + i - 1), month, day),
  )
  const distance = (one: string) => Math.abs(Date.parse(one) - Date.parse(today))
  const last = end === undefined ? undefined : yearlessParts(end)
  return days
    .filter(isDay)
    .filter(one => (isAfter ? one >= first : isoWeekday(one) === number))
    .filter(one => !last || isDay(endAfter(one, last)))
    .sort((a, b) => (isAfter ? compareTexts(a, b) : distance(a) - distance(b)))[0]
    ?.slice(0, 4)
}

/** The first day with this number and month from the start on. It may not exist, such as 29 February. */
function endAfter(start: string, { month, day }: Pick<DayParts, 'month' | 'day'>): string {
  const year = Number(start.slice(0, 4))
  const found = isoDay(String(year), month, day)
  return found >= start ? found : isoDay(String(year + 1), month, day)
}

/** The parts of a day without a year, if that day exists in at least some years. */
function yearlessParts(text: string): Pick<DayParts, 'month' | 'day'> | undefined {
  const parts = splitDay(cellText(text))
  if (!parts || parts.year !== undefined) return undefined
  const { month, day } = parts
  return [parts, { month: day, day: month }].find(one => isDay(isoDay(LEAP_YEAR, one.month, one.day)))
}

/** A year in which every day exists, 29 February included. */
const LEAP_YEAR = '2028'

/** A number of days since 1900, which spreadsheets write for a day without a format. */
const SERIAL = /^\d{5}(?:[.,]\d+)?$/

/**
 * Reads the cell of a day. With dots the day comes first everywhere; with slashes and hyphens either may.
 *
 * @throws Unreadable for anything that is not a day, or that can be read as two
 */
export function readDay(cell: string, column: string, reading: DayReading, other: OtherDay = {}): CsvDay {
  const { dayOrder, timezone, nowMs } = reading
  const text = cellText(cell)
  const quoted = `${column} ${JSON.stringify(text.slice(0, 50))}`
  /** A day whose year may be absent. */
  const dayOfParts = ({ year, month, day, weekday, time = '' }: DayParts): CsvDay => {
    const known = year ?? yearOf({ month, day, weekday }, reading, other) ?? formatInstant(nowMs).slice(0, 4)
    const found = isoDay(known, month, day)
    if (!isDay(found)) throw new Unreadable(`${quoted} is not a day that exists`, 'record_no_such_date')
    return { day: found, time }
  }
  const parts = splitDay(text)
  if (parts && hasFurtherDay(parts))
    throw new Unreadable(`${quoted} has several days: give each a row of its own`, 'record_date_unread')
  const read = (givenParts: DayParts): CsvDay => {
    const csvDay = dayOfParts(givenParts)
    if (givenParts.year === undefined) reading.assume?.('guess_year', text, csvDay.day)
    return csvDay
  }
  if (parts?.isEither) {
    const swapped = { ...parts, day: parts.month, month: parts.day }
    // Whether a day exists depends on the year only for 29 February.
    const exists = ({ year = LEAP_YEAR, month, day }: DayParts) => isDay(isoDay(year, month, day))
    const isOpen = exists(parts) && exists(swapped) && Number(parts.day) !== Number(parts.month)
    if (isOpen && dayOrder === undefined)
      throw new Unreadable(
        `${quoted} can be read as ${dayOfParts(parts).day} and as ${dayOfParts(swapped).day}: say which with --dates dmy (day first) or --dates mdy (month first)`,
        'record_two_dates',
      )
    const isMonthFirst = dayOrder === undefined ? exists(swapped) && !exists(parts) : dayOrder === 'mdy'
    const orderedDay = read(isMonthFirst ? swapped : parts)
    if (isOpen) reading.ordered?.(text, orderedDay.day)
    return orderedDay
  }
  if (parts) return read(parts)
  if (SERIAL.test(text))
    throw new Unreadable(
      `${quoted} is a number: give the column a date format and save the file again`,
      'record_date_unread',
    )
  const words = isRelativeDate(text) ? undefined : parseDate(text, timezone, nowMs)
  if (!words) throw new Unreadable(`${quoted} is not a day: write it as 2027-12-31`, 'record_date_unread')
  const [day = '', ownTime = ''] = words.wall.split(' ')
  return { day, time: ownTime === '00:00:00' ? '' : ownTime }
}

/** The orders of those days in some cells that exist in one order only. */
export function ordersIn(cells: readonly string[]): ReadonlySet<DayOrder> {
  const found = new Set<DayOrder>()
  for (const cell of cells.filter(text => /[/-]/.test(text)))
    for (const text of daySpan(cell) ?? [cell.trim()]) {
      const parts = splitDay(cellText(text))
      if (!parts?.isEither) continue
      const first = Number(parts.day)
      const second = Number(parts.month)
      if (first > 31 || second > 31) continue
      if (first > 12 && second <= 12) found.add('dmy')
      if (second > 12 && first <= 12) found.add('mdy')
    }
  return found
}

type DayParts = {
  year: string | undefined
  month: string
  day: string
  weekday: string
  time: string | undefined
  /** True if the day and the month may be the other way round. */
  isEither?: boolean
}

/** The parts of a day; undefined if a text does not begin with one. */
function splitDay(text: string): DayParts | undefined {
  const [, year, month = '', day = '', rest] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return { weekday: '', year, month, day, time: rest }
  return monthNamed(text) ?? inNumbers(text)
}

/** The parts of a day that names its month: `12. Juni 2027`, or `Sat, Dec 12` without a year. */
function monthNamed(text: string): DayParts | undefined {
  const [, weekday = '', day = '', name = '', year, time] = MONTH_NAMED().exec(text) ?? []
  const number = MONTHS.get(fold(name))
  if (number !== undefined) return { weekday, day, year, month: String(number), time }
  const [, before = '', english = '', date = '', own, rest] = MONTH_FIRST().exec(text) ?? []
  const month = MONTHS.get(fold(english))
  if (month === undefined) return undefined
  return { weekday: before, day: date, year: own, month: String(month), time: rest }
}

function inNumbers(text: string): DayParts | undefined {
  const [, first = '', separator, second = '', year, time] = YEAR_LAST().exec(text) ?? []
  if (year !== undefined)
    return { day: first, month: second, year, weekday: '', time, isEither: separator !== '.' }
  const [, weekday = '', one = '', mark, other = '', rest] = NO_YEAR().exec(text) ?? []
  return mark === undefined
    ? undefined
    : { day: one, month: other, year: undefined, weekday, time: rest, isEither: mark !== '.' }
}

/** True if the text after a day begins with another day: `5.6., 12.6. und 19.6.2027`. */
const hasFurtherDay = ({ time = '' }: DayParts): boolean =>
  cellTimes(time) === undefined &&
  isDayCell(time.replace(/^(?:[,;/&+\s]|(?:und|u\.|and|et|y)\s)+/i, ''), false)

/** The parts of a day in a text that can be nothing but a day: `19.30` is a time. */
function sureParts(text: string): DayParts | undefined {
  const parts = splitDay(text)
  const isSure = parts?.year !== undefined || !NO_YEAR().test(text) || NO_YEAR_FOR_SURE().test(text)
  return isSure ? parts : undefined
}

/** True if a text is a day, perhaps with a time or two. */
function isOneDay(text: string): boolean {
  const parts = sureParts(text)
  return parts !== undefined && cellTimes(parts.time ?? '') !== undefined
}

/** True if a cell has a day, perhaps with a time. @param isNamed true if several days count as well */
export function isDayCell(cell: string, isNamed: boolean): boolean {
  const text = cellText(cell)
  if (!/\d/.test(text) || text.length > 80) return false
  return sureParts(text) !== undefined || (isNamed && daySpan(text) !== undefined)
}

/** The text between the first and the last of some days, or between two. */
const JOINTS = lazyPattern(
  String.raw`\s*(?:→|->|[-–—]|(?<=[\s.])(?:bis(?: zum)?|to|till|until|through|thru|au|al|hasta(?: el)?|à|a)(?=\s))\s*|\s*([/+&]|(?<=\s)(?:und|u\.|and|et|y)(?=\s))\s*`,
  'giu',
)
/** The most joints that are looked at: an ISO day has two hyphens of its own. */
const MAX_JOINTS = 4
/** What each day has: a year, two numbers, or the name of a month. */
const A_DAY = /\d{4}|\d[./]|[a-zäéû]{3}/i
/** Words before the first of some days. */
const LEAD = /^(?:(?:du|vom|von|from|del|desde|de|le|el|den|der|ab|the)\s+)+/i
/** A day without month and year: `13.`, `10th`. */
const ONLY_NUMBER = /^(\d{1,2})(?:\.|er|º|st|nd|rd|th)?$/i
/** A day without a month, perhaps with the year after it: `12, 2027`. */
const NUMBER_AND_YEAR = /^(\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/i

/** A day, with the year of another day if it has none of its own. */
function withYear(text: string, other: string): string {
  const year = splitDay(other)?.year ?? /(?<!\d)\d{4}(?!\d)/.exec(other)?.[0]
  const parts = splitDay(text)
  if (year === undefined || !parts || parts.year !== undefined || parts.time) return text
  if (monthNamed(text)) return `${text} ${year}`
  const mark = /\d([./])/.exec(text)?.[1] ?? '.'
  return `${text.replace(/[./]$/, '')}${mark}${year}`
}

/**
 * The first and the last of the days in a cell, each as a day of its own: `13. - 15.03.2027`,
 * `April 30 – May 2, 2027`, `13./14.03.2027`. Undefined if it has one day, or something else.
 */
function daySpan(cell: string): readonly [first: string, last: string] | undefined {
  const text = cellText(cell)
  if (!A_DAY.test(text) || isOneDay(text)) return undefined
  for (const { 0: joint, 1: pairMark, index } of [...text.matchAll(JOINTS())].slice(0, MAX_JOINTS)) {
    const left = text.slice(0, index).replace(LEAD, '')
    const right = text.slice(index + joint.length)
    const [, number] = ONLY_NUMBER.exec(left) ?? []
    const [, lastNumber, year = ''] = NUMBER_AND_YEAR.exec(right) ?? []
    const isMonthFirst = lastNumber !== undefined && /^\D/.test(left) && isOneDay(left)
    const last = isMonthFirst ? withYear(left.replace(/\d{1,2}/, lastNumber), year) : right
    const first = number === undefined ? withYear(left, right) : right.replace(/^\D*\d{1,2}(?!\d)/, number)
    if (!isOneDay(first) || !isOneDay(last)) continue
    const days = [first, last] as const
    const isDated = [left, right].every(day => splitDay(day)?.year !== undefined)
    if (pairMark === undefined || isNextDay(days, isDated)) return days
  }
  return undefined
}

/**
 * True if the second of two days is the one after the first.
 * @param isDated true if both have a year of their own
 */
function isNextDay(days: readonly [string, string], isDated: boolean): boolean {
  const [one, other] = days.map(splitDay)
  if (!one || !other) return false
  const written = one.year ?? other.year
  return (written === undefined ? ['2027', LEAP_YEAR] : [written]).some(year => {
    const first = isoDay(one.year ?? year, one.month, one.day)
    const last = isoDay(other.year ?? year, other.month, other.day)
    if (!isDay(first)) return false
    const next = daysLater(first, 1)
    // A year that is written once, or not at all, may change between the two: `31.12./1.1.2028`.
    return isDated ? next === last : next.slice(5) === last.slice(5)
  })
}

/**
 * Reads the cell of a day, or of the first and the last of some.
 *
 * @param end the cell of the last day, if it has one of its own
 * @throws Unreadable
 */
export function readDays(
  cell: string,
  column: string,
  reading: DayReading,
  end?: string,
): { from: CsvDay; to?: CsvDay | undefined } {
  const span = daySpan(cell)
  if (!span) return { from: readDay(cell, column, reading, { end }) }
  const from = readDay(span[0], column, reading, { end: span[1] })
  const to = readDay(span[1], column, reading, { from: from.day })
  if (from.day <= to.day || (cell.match(/(?<!\d)\d{4}(?!\d)/g) ?? []).length > 1) return { from, to }
  // The year was written once, for the end: `30.12. - 2.1.2027`.
  const day = monthsAfter(from.day, -12)
  return { from: monthsAfter(day, MAX_MONTHS) > to.day ? { ...from, day } : from, to }
}

/** The most months that an event may last if it begins in the year before the one that is written. */
const MAX_MONTHS = 6

const monthsAfter = (day: string, months: number): string => dayOf(addMonths(day, months))
