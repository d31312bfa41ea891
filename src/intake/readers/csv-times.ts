import { memoize } from '../../lib/memo.ts'
import { isRelativeDate, parseDate } from '../../lib/parse-date.ts'
import { fold } from '../../lib/text.ts'
import { addDays, atWall, type DateTime, endOfDay, isDateTime } from '../../lib/time.ts'
import { parseBoolean } from '../../lib/values.ts'
import { canonicalZone } from '../../lib/zones.ts'
import { type ReaderContext, type RecordTimes, Unreadable } from '../records.ts'

// Days, times and yes or no as spreadsheets write them.

/** A day, and the time if the cell has one as well. */
type CsvDay = { day: string; time: string }

const two = (number: string): string => number.padStart(2, '0')

const isDay = (day: string): boolean => isDateTime(`${day} 00:00:00`)

/** A day in our format. Years of two digits are of this century. */
const dayOf = (year: string, month: string, day: string): string =>
  `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T, ]+(.*))?$/
/** A day with the name of its month: `Samstag, den 12. Juni 2027`, `le 1er août 2027`, `12 de junio de 2027`, `Sa 12. Juni`. */
const MONTH_NAMED =
  /^(?:\p{L}+\.?,?\s+)?(?:(?:den|dem|le|el)\s+)?(\d{1,2})(?:\.|er|º)?\s*(?:de\s+)?(\p{L}{3,})\.?,?\s*(?:del?\s+)?(\d{4})(?:[, ]+(.*))?$/iu
/** A day whose year comes last, perhaps after a weekday: `Sa., 12.06.2027`. */
const YEAR_LAST = /^(?:\p{L}+\.?,?\s+)?(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?:[T, ]+(.*))?$/u
const MONTH_LANGUAGES = ['en', 'de', 'es', 'fr']

/** The months by their folded names, long and short. */
const months = memoize(
  () =>
    new Map(
      MONTH_LANGUAGES.flatMap(language =>
        (['long', 'short'] as const).flatMap(month => {
          const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
          return Array.from({ length: 12 }, (_, i): [string, number] => [
            fold(format.format(Date.UTC(2027, i, 1))).replace(/\.$/, ''),
            i + 1,
          ])
        }),
      ),
    ),
)

/** A number of days since 1900, which spreadsheets write for a day without a format. */
const SERIAL = /^\d{5}(?:[.,]\d+)?$/

/**
 * Reads the cell of a day. With dots the day comes first everywhere; with slashes and hyphens either may.
 *
 * @throws Unreadable for anything that is no day, or that can be read as two
 */
function readDay(
  cell: string,
  column: string,
  { dayOrder, timezone, nowMs }: Pick<ReaderContext, 'dayOrder' | 'timezone' | 'nowMs'>,
): CsvDay {
  const text = cell.trim()
  const quoted = `${column} ${JSON.stringify(text.slice(0, 50))}`
  const existing = (day: string, time = ''): CsvDay => {
    if (!isDay(day)) throw new Unreadable(`${quoted} is no day that exists`, 'record_no_such_date')
    return { day, time }
  }
  const [, year, month = '', date = '', time] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return existing(dayOf(year, month, date), time)
  const [, dayOfMonth = '', name = '', named = '', after] = MONTH_NAMED.exec(text) ?? []
  const number = months().get(fold(name))
  if (number !== undefined) return existing(dayOf(named, String(number), dayOfMonth), after)
  const [, first = '', separator, second = '', last, rest] = YEAR_LAST.exec(text) ?? []
  if (last !== undefined) {
    const dayFirst = dayOf(last, second, first)
    const monthFirst = dayOf(last, first, second)
    const order = separator === '.' ? 'dmy' : dayOrder
    if (order !== undefined) return existing(order === 'dmy' ? dayFirst : monthFirst, rest)
    if (isDay(dayFirst) && isDay(monthFirst) && dayFirst !== monthFirst)
      throw new Unreadable(
        `${quoted} can be read as ${dayFirst} and as ${monthFirst}: say which with --dates dmy (day first) or --dates mdy (month first)`,
        'record_no_such_date',
      )
    return existing(isDay(dayFirst) ? dayFirst : monthFirst, rest)
  }
  if (SERIAL.test(text))
    throw new Unreadable(
      `${quoted} is a number: give the column a date format and save the file again`,
      'record_no_such_date',
    )
  const words = isRelativeDate(text) ? undefined : parseDate(text, timezone, nowMs)
  if (!words) throw new Unreadable(`${quoted} is no day: write it as 2027-12-31`, 'record_no_such_date')
  const [day = '', ownTime = ''] = words.wall.split(' ')
  return { day, time: ownTime === '00:00:00' ? '' : ownTime }
}

/** What spreadsheets write for true and false in the languages of the columns, and what people write. */
const YES = ['ja', 'sí', 'si', 'oui', 'wahr', 'verdadero', 'vrai', 'x']
const NO = ['nein', 'non', 'falsch', 'falso', 'faux']

/** Reads the cell of a yes or no; undefined for an empty one, and for anything else. */
export function flagIn(cell: string): boolean | undefined {
  const text = cell.trim().toLowerCase()
  return YES.includes(text) ? true : NO.includes(text) ? false : parseBoolean(text)
}

const TIME = /^(\d{1,2})(?:\s?[:.h]\s?(\d{2}))?(?:[:.](\d{2}))?\s*(?:h|hrs?|uhr)?\.?$/i
const TIME_OF_12 = /^(\d{1,2})(?:[:.](\d{2}))?(?:[:.](\d{2}))?\s*([ap])\.?\s?m\.?$/i
/** Words before a time. */
const BEFORE = /^(?:um|ab|gegen|von|at|from|à|de|desde|a las?|las|@)\s+/i
/** What stands between two times. */
const BETWEEN = /\s*(?:[-–—]|\b(?:bis|to|till|until|hasta|a las|y|and)\b|\s(?:à|a)\s)\s*/i

/** Reads a time as `18:00:00`; undefined for anything else. */
function timeOf(cell: string): string | undefined {
  const text = cell.trim().replace(BEFORE, '')
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
  const [first = '', last, ...more] = cell.trim().replace(BEFORE, '').split(BETWEEN)
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
  const text = cell.trim()
  if (text === '' || ALL_DAY.test(text)) return { from: '', to: '' }
  const from = timeOf(text)
  const both = from === undefined ? timesOf(text) : { from, to: '' }
  if (!both)
    throw new Unreadable(
      `${column} ${JSON.stringify(text.slice(0, 50))} is no time: write it as 18:30`,
      'record_no_such_date',
    )
  return both
}

/** Tells if a cell has a time or two, and no day. @param isNamed true if plain numbers and points count */
export const isTimeCell = (cell: string, isNamed: boolean): boolean =>
  (isNamed || /[:h]|uhr|[ap]\.?\s?m\b/i.test(cell)) &&
  (timeOf(cell) !== undefined || timesOf(cell) !== undefined)

/** Tells if a cell has a day, perhaps with a time. */
export function isDayCell(cell: string): boolean {
  const text = cell.trim()
  if (!/\d/.test(text) || text.length > 80) return false
  const [, , name = ''] = MONTH_NAMED.exec(text) ?? []
  return YEAR_FIRST.test(text) || YEAR_LAST.test(text) || months().has(fold(name)) || MONTH_FIRST.test(text)
}

/** A day as Americans write it: `June 10, 2027`. */
const MONTH_FIRST =
  /^(?:[a-z]+,? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b/i

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
  const dayIn = (column: 'start_date' | 'end_date') =>
    cell(column).trim() === '' ? undefined : readDay(cell(column), nameOf(column), context)
  const timesIn = (column: 'start_time' | 'end_time', day: 'start_date' | 'end_date', inDay = '') => {
    const own = readTimes(cell(column), nameOf(column))
    return own.from === '' ? readTimes(inDay, nameOf(day)) : own
  }
  const from = dayIn('start_date')
  if (!from) throw new Unreadable('it has no start date', 'record_no_start')
  const to = dayIn('end_date')
  const first = timesIn('start_time', 'start_date', from.time)
  const last = timesIn('end_time', 'end_date', to?.time)
  if (first.from === MIDNIGHT)
    throw new Unreadable('it starts at 24:00: write 00:00 and the next day', 'record_no_such_date')
  const startTime = first.from
  const ends = last.to || last.from || first.to
  const endTime = ends === MIDNIGHT ? '00:00:00' : ends
  const all_day = flagIn(cell('all_day')) ?? (startTime === '' && endTime === '')
  const at = (wall: DateTime) => atWall(wall, timezone)
  if (all_day) {
    const last = to?.day ?? from.day
    if (last < from.day) throw new Unreadable('its end lies before its start', 'record_ends_early')
    return { all_day, timezone, start: at(`${from.day} 00:00:00`), end: at(endOfDay(`${last} 00:00:00`)) }
  }
  const start = at(`${from.day} ${startTime || '00:00:00'}`)
  const sameDay = at(`${to?.day ?? from.day} ${endTime || start.wall.slice(11)}`)
  const isNextDay = ends === MIDNIGHT || (to === undefined && sameDay.utc < start.utc)
  const end = isNextDay ? at(addDays(sameDay.wall, 1)) : sameDay
  if (end.utc < start.utc) throw new Unreadable('its end lies before its start', 'record_ends_early')
  return { all_day, timezone, start, end }
}
