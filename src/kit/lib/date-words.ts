import { Temporal } from 'temporal-polyfill'

const MONTHS = 'january february march april may june july august september october november december'
const DAY_WORDS: Record<string, number> = { yesterday: -1, tomorrow: 1 }
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const

/** The parts of a date, as far as the words read so far name them. */
export interface DateDraft {
  day?: { year: number | undefined; month: number; day: number } | { fromToday: number; keepsTime: boolean }
  /** The weekday, Monday is 1. The search begins today (0), tomorrow (1) or, backwards, yesterday (-1). */
  weekday?: { number: number; searchStart: number }
  /** The number of weeks from this one. */
  week?: number
  /** The day of the month that `first day of` or `last day of` names; 31 means the last of any month. */
  edge?: 1 | 31
  time?: Temporal.PlainTime
  /** The offset from UTC: `+02:00`. */
  offset?: string
  shifts?: Temporal.Duration[]
}

/** Sets a part that a text may name only once. @returns false if it was set before */
const setOnce = <K extends keyof DateDraft>(draft: DateDraft, key: K, value: DateDraft[K]): boolean => {
  if (draft[key] !== undefined) return false
  draft[key] = value
  return true
}

/** The position of a name, from 1, by its first three letters or more; 0 for any other word. */
const numberOfName = (word: string | undefined, names: string): number =>
  word && word.length > 2 ? names.split(' ').findIndex(name => name.startsWith(word)) + 1 : 0

/** The number of a month by its English name, or by its first three letters or more; 0 for other words. */
export const monthNumber = (word: string | undefined): number => numberOfName(word, MONTHS)

const addShift = (draft: DateDraft, word: string, count: number): boolean => {
  const short = /^(sec|min)s?$/.exec(word)?.[1]
  const unit = UNITS.find(name => name === word || name === `${word}s` || (short && name.startsWith(short)))
  if (unit) draft.shifts = [...(draft.shifts ?? []), Temporal.Duration.from({ [unit]: count })]
  return unit !== undefined
}

const negateShifts = (draft: DateDraft): boolean => {
  draft.shifts = draft.shifts?.map(shift => shift.negated()) ?? []
  return draft.shifts.length > 0
}

type Group = string | undefined

const setDate = (draft: DateDraft, year: Group, month: Group | number, day: Group | number): boolean =>
  setOnce(draft, 'day', { year: year ? Number(year) : undefined, month: Number(month), day: Number(day) })

const setNamedDate = (draft: DateDraft, day: Group | number, name: Group, year: Group): boolean => {
  const month = monthNumber(name)
  return month > 0 && setDate(draft, year, month, day)
}

const setWeekday = (draft: DateDraft, name: Group, searchStart: number): boolean => {
  const number = numberOfName(name, WEEKDAYS)
  return number > 0 && setOnce(draft, 'weekday', { number, searchStart })
}

const setTime = (draft: DateDraft, [hour, minute = '0', second = '0', meridiem]: Group[]): boolean => {
  const writtenHour = Number(hour)
  if (meridiem && (writtenHour < 1 || writtenHour > 12)) return false
  const hour24 = meridiem ? (writtenHour % 12) + (meridiem === 'p' ? 12 : 0) : writtenHour
  const parts = { hour: hour24, minute: Number(minute), second: Number(second) }
  return setOnce(draft, 'time', Temporal.PlainTime.from(parts, { overflow: 'reject' }))
}

const setOffset = (draft: DateDraft, [sign, hours, minutes = '00']: Group[]): boolean => {
  // An offset alone is no date, and no clock on Earth is more than 14 hours from UTC.
  if (Object.keys(draft).length === 0 || Number(hours) > 14 || Number(minutes) > 59) return false
  return setOnce(draft, 'offset', `${sign}${hours}:${minutes}`)
}

const stepOf = (word: Group): number => (word === 'next' ? 1 : word === 'this' ? 0 : -1)

/** The full year for two digits, by PHP's rule: 00 to 69 are in this century. */
const fullYear = (year = ''): string => (year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`)

/**
 * A pattern, and a function that puts its groups into the draft. If the function returns false, the next rule
 * that matches applies.
 */
type Rule = [pattern: RegExp, read: (draft: DateDraft, groups: Group[]) => boolean]

/** The rules in order of precedence: `last day of` comes before `last day`, `+02 days` before `+02`. */
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
      setOnce(draft, 'day', { fromToday: DAY_WORDS[word] ?? 0, keepsTime: word === 'now' }),
  ],
  [/(first|last)\s+day\s+of(?![a-z])/y, (draft, [end]) => setOnce(draft, 'edge', end === 'last' ? 31 : 1)],
  // A month alone is a date only in texts like “last day of February 2028”.
  [
    /([a-z]{3,9})(?![a-z])(?:\s+(\d{4})(?![\d:]))?/y,
    (draft, [name, year]) => draft.edge !== undefined && setNamedDate(draft, 1, name, year),
  ],
  [/(next|last|previous|this)\s+week(?![a-z])/y, (draft, [step]) => setOnce(draft, 'week', stepOf(step))],
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
  [/ago(?![a-z])/y, negateShifts],
  [/(?:on\s+)?([a-z]{3,9})(?![a-z])\.?/y, (draft, [word]) => setWeekday(draft, word, 0)],
  // +02:00, +0200, GMT+0200 (Central European Summer Time)
  [/(?:utc|gmt)?([+-])(\d\d)(?::?(\d\d))?(?![\d:])(?:\s*\([^()]*\))?/y, setOffset],
  [/(?:z|utc|gmt)(?![a-z\d+-])/y, draft => setOffset(draft, ['+', '00'])],
]

/**
 * Reads a text in lower case. Undefined if any part of the text matches no rule.
 *
 * @throws RangeError for a time of day that does not exist
 */
export const readDraft = (text: string): DateDraft | undefined => {
  const draft: DateDraft = {}
  let position = 0
  while (position < text.length) {
    const rule = RULES.find(([pattern, read]) => {
      pattern.lastIndex = position
      const match = pattern.exec(text)
      return match !== null && read(draft, match.slice(1))
    })
    if (!rule) return undefined
    position = rule[0].lastIndex
    while (/[\s,]/.test(text.charAt(position))) position++
  }
  return position > 0 ? draft : undefined
}
