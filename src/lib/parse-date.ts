import { Temporal } from 'temporal-polyfill'
import { type DateTime, formatInstant, isRepresentable } from './time.ts'
import { temporalZone } from './zones.ts'

const LONGEST = 100
const MONTHS = 'january february march april may june july august september october november december'
const DAY_WORDS: Record<string, number> = { yesterday: -1, tomorrow: 1 }
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const

/** What the words read so far have said. */
interface Draft {
  day?: { year: number | undefined; month: number; day: number } | { fromToday: number; keepsTime: boolean }
  /** Monday is 1. The search for it begins today (0), tomorrow (1) or, backwards, yesterday (-1). */
  weekday?: { number: number; begins: number }
  /** Counted from this one. */
  week?: number
  /** The day of the month to end on; 31 is the last of any. */
  edge?: 1 | 31
  time?: Temporal.PlainTime
  /** `+02:00` */
  offset?: string
  shifts?: Temporal.Duration[]
}

/** Sets what may be said only once; false when it has been said. */
const claim = <K extends keyof Draft>(draft: Draft, key: K, value: Draft[K]): boolean => {
  if (draft[key] !== undefined) return false
  draft[key] = value
  return true
}

/** 1 for the first name; 0 when the word, full or shortened to three letters or more, is none of them. */
const numberOf = (word: string | undefined, names: string): number =>
  word && word.length > 2 ? names.split(' ').findIndex(name => name.startsWith(word)) + 1 : 0

const addShift = (draft: Draft, word: string, count: number): boolean => {
  const short = /^(sec|min)s?$/.exec(word)?.[1]
  const unit = UNITS.find(name => name === word || name === `${word}s` || (short && name.startsWith(short)))
  if (unit) draft.shifts = [...(draft.shifts ?? []), Temporal.Duration.from({ [unit]: count })]
  return unit !== undefined
}

const turnBack = (draft: Draft): boolean => {
  draft.shifts = draft.shifts?.map(shift => shift.negated()) ?? []
  return draft.shifts.length > 0
}

type Text = string | undefined

const setDate = (draft: Draft, year: Text, month: Text | number, day: Text | number): boolean =>
  claim(draft, 'day', { year: year ? Number(year) : undefined, month: Number(month), day: Number(day) })

const setNamedDate = (draft: Draft, day: Text | number, name: Text, year: Text): boolean => {
  const month = numberOf(name, MONTHS)
  return month > 0 && setDate(draft, year, month, day)
}

const setWeekday = (draft: Draft, name: Text, begins: number): boolean => {
  const number = numberOf(name, WEEKDAYS)
  return number > 0 && claim(draft, 'weekday', { number, begins })
}

const setTime = (draft: Draft, [hour, minute = '0', second = '0', meridiem]: Text[]): boolean => {
  const onFace = Number(hour)
  if (meridiem && (onFace < 1 || onFace > 12)) return false
  const hours = meridiem ? (onFace % 12) + (meridiem === 'p' ? 12 : 0) : onFace
  const parts = { hour: hours, minute: Number(minute), second: Number(second) }
  return claim(draft, 'time', Temporal.PlainTime.from(parts, { overflow: 'reject' }))
}

const setOffset = (draft: Draft, [sign, hours, minutes = '00']: Text[]): boolean => {
  // An offset alone names no time, and no clock on Earth is further from UTC.
  if (Object.keys(draft).length === 0 || Number(hours) > 14 || Number(minutes) > 59) return false
  return claim(draft, 'offset', `${sign}${hours}:${minutes}`)
}

const stepOf = (word: Text): number => (word === 'next' ? 1 : word === 'this' ? 0 : -1)

/** PHP's rule for years of two digits. */
const fullYear = (year = ''): string => (year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`)

/** Takes what the pattern's groups caught into the draft; false leaves the text to the rules below. */
type Rule = [pattern: RegExp, read: (draft: Draft, groups: Text[]) => boolean]

/** In order of precedence: `last day of` comes before `last day`, `+02 days` before `+02`. */
const RULES: Rule[] = [
  // 2027-06-10, 2027/06/10
  [/(\d{4})([-/])(\d\d?)\2(\d\d?)(?!\d)/y, (draft, [year, , month, day]) => setDate(draft, year, month, day)],
  // 20270610
  [/(\d{4})(\d\d)(\d\d)(?!\d)/y, (draft, [year, month, day]) => setDate(draft, year, month, day)],
  // 06/10/2027, the American order
  [
    /(\d\d?)\/(\d\d?)\/(\d{4}|\d\d)(?!\d)/y,
    (draft, [month, day, year]) => setDate(draft, fullYear(year), month, day),
  ],
  // 10.06.2027, 10-06-2027
  [/(\d\d?)([.-])(\d\d?)\2(\d{4})(?!\d)/y, (draft, [day, , month, year]) => setDate(draft, year, month, day)],
  // 10 June 2027, 10th of June, 10-Jun-2027
  [
    /(\d\d?)(?:st|nd|rd|th)?(?:\s+of\s)?[\s.-]*([a-z]{3,9})(?![a-z])\.?(?:(?:\s*,\s*|\s+|-)(\d{4})(?![\d:]))?/y,
    (draft, [day, name, year]) => setNamedDate(draft, day, name, year),
  ],
  // June 10, 2027
  [
    /([a-z]{3,9})\.?[\s-]*(\d\d?)(?![\d:])(?:st|nd|rd|th)?(?:(?:\s*,\s*|\s+|-)(\d{4})(?![\d:]))?/y,
    (draft, [name, day, year]) => setNamedDate(draft, day, name, year),
  ],
  // 18:00, T18:00:00.123, at 3:30 pm, 3pm
  [
    /(?:at\s+|t)?(\d\d?)(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?(?!\d)(?:\s*([ap])(?:m|\.m\.)(?![a-z\d]))?/y,
    (draft, time) => (time[1] ?? time[3]) !== undefined && setTime(draft, time),
  ],
  // T180000
  [/t(\d\d)(\d\d)(\d\d)?(?![\d:])/y, setTime],
  [/(?:at\s+)?(noon|midnight)(?![a-z])/y, (draft, [word]) => setTime(draft, [word === 'noon' ? '12' : '0'])],
  [
    /(yesterday|today|now|tomorrow)(?![a-z])/y,
    (draft, [word = '']) =>
      claim(draft, 'day', { fromToday: DAY_WORDS[word] ?? 0, keepsTime: word === 'now' }),
  ],
  [/(first|last)\s+day\s+of(?![a-z])/y, (draft, [end]) => claim(draft, 'edge', end === 'last' ? 31 : 1)],
  // A month alone is a date only in «last day of February 2028».
  [
    /([a-z]{3,9})(?![a-z])(?:\s+(\d{4})(?![\d:]))?/y,
    (draft, [name, year]) => draft.edge !== undefined && setNamedDate(draft, 1, name, year),
  ],
  [/(next|last|previous|this)\s+week(?![a-z])/y, (draft, [step]) => claim(draft, 'week', stepOf(step))],
  [
    /(next|last|previous|this)\s+([a-z]+)/y,
    (draft, [step, word = '']) =>
      addShift(draft, word, stepOf(step)) || setWeekday(draft, word, stepOf(step)),
  ],
  // +1 week, 2 days
  [
    /([+-]?)\s*(\d+)\s*([a-z]+)/y,
    (draft, [sign, count, word = '']) => addShift(draft, word, Number(`${sign}${count}`)),
  ],
  [/ago(?![a-z])/y, turnBack],
  [/(?:on\s+)?([a-z]{3,9})(?![a-z])\.?/y, (draft, [word]) => setWeekday(draft, word, 0)],
  // +02:00, +0200, GMT+0200 (Central European Summer Time)
  [/(?:utc|gmt)?([+-])(\d\d)(?::?(\d\d))?(?![\d:])(?:\s*\([^()]*\))?/y, setOffset],
  [/(?:z|utc|gmt)(?![a-z\d+-])/y, draft => setOffset(draft, ['+', '00'])],
]

/** What a text says, or undefined when any of it is left over. */
const readDraft = (text: string): Draft | undefined => {
  const draft: Draft = {}
  let at = 0
  while (at < text.length) {
    const rule = RULES.find(([pattern, read]) => {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      return match !== null && read(draft, match.slice(1))
    })
    if (!rule) return undefined
    at = rule[0].lastIndex
    while (/[\s,]/.test(text.charAt(at))) at++
  }
  return at > 0 ? draft : undefined
}

/** The day that the draft starts from, before anything is added to it. */
const startingDay = (draft: Draft, today: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  const { day, weekday, week } = draft
  let date = today
  if (day && 'month' in day) {
    date = Temporal.PlainDate.from({ ...day, year: day.year ?? today.year }, { overflow: 'reject' })
  } else if (day) date = today.add({ days: day.fromToday })

  if (!weekday) return date.add({ weeks: week ?? 0 })
  const { number, begins } = weekday
  if (week !== undefined) return date.add({ days: week * 7 + number - date.dayOfWeek })
  // «Sat, 12 June» where the 12th is no Saturday: one of the two is a mistake.
  if (day) return date.dayOfWeek === number ? date : undefined
  if (begins < 0) return date.subtract({ days: ((date.dayOfWeek - number + 6) % 7) + 1 })
  return date.add({ days: ((number - date.dayOfWeek - begins + 7) % 7) + begins })
}

const resolve = (draft: Draft, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined => {
  const date = startingDay(draft, now.toPlainDate())
  if (!date) return undefined
  const named = draft.weekday ?? draft.day
  const keepsTime = !draft.time && (!named || ('keepsTime' in named && named.keepsTime))
  const start = keepsTime
    ? now.with({ year: date.year, month: date.month, day: date.day })
    : date.toZonedDateTime({ timeZone: now.timeZoneId, plainTime: draft.time ?? new Temporal.PlainTime() })

  const shifted = (draft.shifts ?? []).reduce((moment, shift) => moment.add(shift), start)
  return draft.edge ? shifted.with({ day: draft.edge }) : shifted
}

const epochOfText = (text: string, zone: string, nowMs: number): number | undefined => {
  // Eight digits are a day; nine are Unix seconds since 1973.
  const unix = /^@(-?\d+)$|^(-?\d{9,})$/.exec(text)
  if (unix) return Number(unix[1] ?? unix[2]) * 1000
  const now = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs / 1000) * 1000)
  const local = now.toZonedDateTimeISO(temporalZone(zone))
  try {
    const draft = readDraft(text)
    return draft && resolve(draft, local.withTimeZone(draft.offset ?? local.timeZoneId))?.epochMilliseconds
  } catch (error) {
    // Temporal's word for a day or time that does not exist.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Reads a date as people and programs write it.
 *
 * - `2027-06-10`, `2027-06-10 18:00[:00]`, ISO 8601 with `T`, also without separators, with `Z` or an offset
 * - Unix seconds: a number, nine or more digits, or `@` and digits
 * - `06/10/2027 3:00 pm` (the American order), `10.06.2027` and `10-06-2027` (day first), `June 10, 2027
 *   4pm`, `Sat, 12 Jun 2027 10:00:00 +0200`; the year may be missing after the name of a month
 * - `now`, `today`, `tomorrow 9am`, `+1 week`, `2 days ago`, `next monday`, `monday next week`,
 *   `last day of next month`
 *
 * Days and times may stand in either order, and capitals do not matter. As in PHP's strtotime, a day has
 * 00:00:00 where no time is given, while `+1 week`, `next month` and `first day of next month` keep the time
 * of now. Unlike there, nothing rolls over: `+1 month` ends on a short month's last day, and 30 February is
 * no date.
 *
 * @param zone as `canonicalZone` gives it: where a date without an offset is local, and what `wall` is in. A
 *   local time that a clock change skips moves forward by the gap; one that occurs twice is the earlier.
 * @param nowMs the present, milliseconds since 1970
 * @returns the instant in that zone and in UTC; undefined when the text is not wholly understood, over 100
 *   characters long, names a day or time that does not exist, or lies outside the years 0001 to 9999
 * @throws RangeError when there is no such zone
 */
export const parseDate = (
  input: string | number,
  zone: string,
  nowMs: number,
): { wall: DateTime; utc: DateTime } | undefined => {
  if (typeof input === 'string' && input.length > LONGEST) return undefined
  const epochMs =
    typeof input === 'number' ? input * 1000 : epochOfText(input.trim().toLowerCase(), zone, nowMs)
  if (epochMs === undefined || !isRepresentable(epochMs)) return undefined
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(epochMs))
  const wallMs =
    instant.epochMilliseconds + instant.toZonedDateTimeISO(temporalZone(zone)).offsetNanoseconds / 1e6
  return isRepresentable(wallMs)
    ? { wall: formatInstant(wallMs), utc: formatInstant(instant.epochMilliseconds) }
    : undefined
}
