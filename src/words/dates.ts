import { firstWeekday } from '../kit/lib/languages.ts'
import { memoize } from '../kit/lib/memo.ts'
import { addMonths, type DateTime, type Day, dayOf, startOfDay, toEpoch, wallMs } from '../kit/lib/time.ts'
import { offsetOf } from '../kit/lib/zones.ts'

type Style =
  | 'day'
  | 'shortDay'
  | 'shortDayOfYear'
  | 'shortDate'
  | 'dayInMonth'
  | 'date'
  | 'dayOfYear'
  | 'month'
  | 'shortMonth'
  | 'weekday'
  | 'longWeekday'
  | 'time'

const STYLES: Readonly<Record<Style, Intl.DateTimeFormatOptions>> = {
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { weekday: 'short', day: 'numeric', month: 'short' },
  shortDayOfYear: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  shortDate: { day: 'numeric', month: 'short' },
  dayInMonth: { weekday: 'long', day: 'numeric', month: 'long' },
  date: { day: 'numeric', month: 'long', year: 'numeric' },
  dayOfYear: { day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
  weekday: { weekday: 'short' },
  longWeekday: { weekday: 'long' },
  time: { hour: 'numeric', minute: '2-digit' },
}

/** The styles of a day without its year, and with it. */
const WITH_YEAR = { dayOfYear: 'date', dayInMonth: 'day', shortDay: 'shortDayOfYear' } as const

export type YearlessStyle = keyof typeof WITH_YEAR

/** True if a day needs no year beside another one: they are less than twelve months apart. */
export const isNear = (wall: DateTime | Day, beside: DateTime | Day, months = 12): boolean =>
  wallMs(wall) > wallMs(addMonths(beside, -months)) && wallMs(wall) < wallMs(addMonths(beside, months))

/**
 * The style of a day, with its year unless that is clear.
 *
 * @param beside the day from which people count: today, or the day of the heading
 */
export const styleBeside = (style: YearlessStyle, wall: DateTime, beside: DateTime): Style =>
  isNear(wall, beside) ? style : WITH_YEAR[style]

/** The style of both ends of a period. */
export const spanStyle = (first: DateTime, last: DateTime, today: DateTime): Style =>
  isNear(first, last) ? styleBeside('shortDay', last, today) : WITH_YEAR.shortDay

/**
 * The style of the former or the new start of a moved event, beside the other one. What was moved by a year
 * often keeps its weekday and month, so it is clear within half a year only.
 */
export const movedStyle = (wall: DateTime, other: DateTime): Style =>
  isNear(wall, other, 6) ? 'shortDay' : WITH_YEAR.shortDay

/** How a language writes dates and numbers. What writes days also takes a {@link Day}. */
export type Dates = {
  format: (style: Style, wall: DateTime) => string
  /** A range of days without repeated parts: `27–29 November 2026`, or without its year. */
  range: (from: DateTime, to: DateTime, isYearKnown?: boolean) => string
  /** A range of times on one day, which may end at midnight: `8:30 – 11:00 PM`, `9:30 PM – 12:00 AM`. */
  times: (from: DateTime, to: DateTime) => string
  /** The parts of a date, with a mark for the day of the month. */
  parts: (wall: DateTime) => { isDay: boolean; text: string }[]
  /** A time on its own, with the word that some languages add: `20:30 Uhr`. */
  clock: (wall: DateTime) => string
  /** A date with its time, `12 June 2027, 20:30 Uhr`, or only the date for a whole day. */
  moment: (style: Style, wall: DateTime, isWholeDay?: boolean) => string
  /** The number of a day of the month: in French, the first is `1er`. */
  monthDay: (n: number | string) => string
  /** A list of days, each month once: `8 and 15 February`. */
  days: (walls: readonly DateTime[]) => string
  /** A list of names: `Monday and Friday`. */
  list: (names: readonly string[]) => string
  /** The name of a zone at an instant, Greenwich Mean Time or GMT; its id if it has no name. */
  zone: (zone: string, utc: DateTime, length?: 'long' | 'short') => string
  /** The first day of the week: Monday is 1, Sunday 7. */
  firstWeekday: number
  /** A whole number with separators: `1,318`. */
  number: (n: number) => string
}

/**
 * The most cached texts of each format and language: feeds write 5,000 dates with few different days and
 * times.
 */
const MAX_KEPT = 2_000

/** The formats of a language, cached because making them takes longer than a page of dates. */
export const datesOf: (tag: string) => Dates = memoize(makeDates)

// Wall times are formatted as if they were UTC, so no zone is involved.
const asDate = (wall: DateTime): Date => new Date(wallMs(wall))

/**
 * The digits of the hour in a language's ranges, which may differ from single times: 9:00, but 09:00–10:00.
 */
function hourOf(tag: string): 'numeric' | '2-digit' {
  const format = new Intl.DateTimeFormat(tag, { ...STYLES.time, timeZone: 'UTC' })
  const morning = format.formatRange(asDate('2027-01-01 03:00:00'), asDate('2027-01-01 04:00:00'))
  return /^0/.test(morning) ? '2-digit' : 'numeric'
}

/** The word after ranges of times in a language, such as ` Uhr`. */
function unitOf(times: Intl.DateTimeFormat): string {
  const from = asDate('2027-01-01 03:00:00')
  const to = asDate('2027-01-01 11:00:00')
  const last = times.formatRangeToParts(from, to).at(-1)
  return last?.type === 'literal' ? last.value : ''
}

function makeDates(tag: string): Dates {
  const isFrench = new Intl.Locale(tag).language === 'fr'
  const monthDay: Dates['monthDay'] = n => (isFrench && Number(n) === 1 ? '1er' : String(n))
  // Intl has no ordinals in dates.
  const joined = (parts: readonly Intl.DateTimeFormatPart[]): string =>
    parts.map(({ type, value }) => (type === 'day' ? monthDay(value) : value)).join('')
  const formatOf = memoize(
    (style: Style) =>
      new Intl.DateTimeFormat(tag, {
        ...STYLES[style],
        ...(style === 'time' && { hour: hourOf(tag) }),
        timeZone: 'UTC',
      }),
  )
  const numbers = new Intl.NumberFormat(tag)
  const word = unitOf(formatOf('time'))
  // With a no-break space, so that no line ends between the number and its unit.
  const unit = word.replace(/^\s/, '\u00a0')
  const format: Dates['format'] = memoize(
    (style, wall) => joined(formatOf(style).formatToParts(asDate(wall))),
    {
      most: MAX_KEPT,
      by: (style, wall) => [style, style === 'time' ? wall.slice(10) : dayOf(wall)],
    },
  )
  const zoneNameOf = memoize(
    (zone: string, utc: DateTime, length: 'long' | 'short') => zoneName(tag, { zone, utc, length }),
    {
      most: MAX_KEPT,
      by: (zone, utc, length) => [zone, length, utc.slice(0, 7), offsetOf(zone)(toEpoch(utc))],
    },
  )
  const clock = (wall: DateTime): string => format('time', wall) + unit
  const list: Dates['list'] = names => new Intl.ListFormat(tag, { type: 'conjunction' }).format(names)
  return {
    format,
    range: (from, to, isYearKnown = false) =>
      joined(formatOf(isYearKnown ? 'dayOfYear' : 'date').formatRangeToParts(asDate(from), asDate(to))),
    times: memoize(
      (from, to) => {
        const first = from.slice(10)
        const last = to.slice(10)
        // Intl writes two equal times as one time, and adds dates to times on different days.
        if (first === last) return `${format('time', from)} – ${format('time', to)}${unit}`
        const text = formatOf('time').formatRange(asDate(from), asDate(dayOf(from) + last))
        return word === '' ? text : text.slice(0, -word.length) + unit
      },
      // The text is the same on all days.
      { most: MAX_KEPT, by: (from, to) => [from.slice(10), to.slice(10)] },
    ),
    parts: memoize(
      wall =>
        formatOf('day')
          .formatToParts(asDate(wall))
          .map(({ type, value }) => ({ isDay: type === 'day', text: value })),
      { most: MAX_KEPT, by: wall => [startOfDay(wall)] },
    ),
    clock,
    moment: (style, wall, isWholeDay = false) =>
      isWholeDay ? format(style, wall) : `${format(style, wall)}, ${clock(wall)}`,
    monthDay,
    days: walls =>
      list(
        walls.map((wall, i) => joined(partsBeside(formatOf('dayOfYear'), wall, walls[i - 1], walls[i + 1]))),
      ),
    list,
    // Zones such as UTC+2 are their own names.
    zone: (zone, utc, length = 'long') => (/^UTC[+-]/.test(zone) ? zone : zoneNameOf(zone, utc, length)),
    firstWeekday: firstWeekday(tag),
    number: n => numbers.format(n),
  }
}

/** The parts of a day in a list, without its month if the day beside it on the month's side has the same. */
function partsBeside(
  format: Intl.DateTimeFormat,
  wall: DateTime,
  before: DateTime | undefined,
  after: DateTime | undefined,
): Intl.DateTimeFormatPart[] {
  const parts = format.formatToParts(asDate(wall))
  const neighbour = parts[0]?.type === 'month' ? before : after
  if (neighbour?.slice(0, 7) !== wall.slice(0, 7)) return parts
  // German has a full stop after the number.
  return parts.flatMap(({ type, value }, i) =>
    type === 'day' || (parts[i - 1]?.type === 'day' && value.startsWith('.'))
      ? [{ type, value: value.trimEnd() }]
      : [],
  )
}

type ZoneAt = { zone: string; utc: DateTime; length: 'long' | 'short' }

function zoneName(tag: string, { zone, utc, length }: ZoneAt): string {
  const parts = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: length }).formatToParts(
    asDate(utc),
  )
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
