import { localValue } from '../ical/lines.ts'
import { codedReason, type Reason } from '../reasons.ts'
import { type DateTime, endOfDay, isDay } from '../time.ts'

// The rules of people's calendars: those of RFC 5545 §3.3.10 that give at most one date a day. Weeks and days
// of the year are read where a file's dates are named one by one; no series has them.

/** The intervals at which a rule can recur. */
export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** The days of the week. Rules refer to them by index: Monday is 0. */
export const WEEKDAYS: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/**
 * A day of the week, 0 for Monday. An `nth` other than 0 means only the nth such day of the month, or of the
 * year in a yearly rule without months, from the end if negative.
 */
export type RuleDay = { weekday: number; nth: number }

/** Numbers of a BY part, ascending and without repeats. */
type Numbers = readonly number[]

/** A recurrence rule, as {@link parseRule} checks it. */
export type Rule = {
  freq: Frequency
  interval: number
  /** The number of dates, never together with `until`. */
  count?: number
  /** The last moment for dates, inclusive, as a wall time of the event's own clock. */
  until?: DateTime
  byMonth?: Numbers
  /** Weeks of the year, of which the first has at least four days in it. */
  byWeekNo?: Numbers
  byYearDay?: Numbers
  byMonthDay?: Numbers
  byDay?: readonly RuleDay[]
  bySetPos?: Numbers
  /** The first day of the week, 0 for Monday. */
  weekStart: number
}

/** A part with numbers, and their bounds. Signed ones count from the end if they are negative. */
type NumberPart = { name: string; min: number; max: number; isSigned: boolean }

/** The BY parts with numbers of days, in the order in which rules are written. BYDAY follows BYMONTHDAY. */
const NUMBER_PARTS = [
  { name: 'BYMONTH', field: 'byMonth', min: 1, max: 12, isSigned: false },
  { name: 'BYWEEKNO', field: 'byWeekNo', min: 1, max: 53, isSigned: true },
  { name: 'BYYEARDAY', field: 'byYearDay', min: 1, max: 366, isSigned: true },
  { name: 'BYMONTHDAY', field: 'byMonthDay', min: 1, max: 31, isSigned: true },
  { name: 'BYSETPOS', field: 'bySetPos', min: 1, max: 366, isSigned: true },
] as const

/** The BY parts with a time of day, and where a wall time has it. Second 60 is a leap second. */
export const TIME_PARTS = [
  { name: 'BYHOUR', from: 11, min: 0, max: 23, isSigned: false },
  { name: 'BYMINUTE', from: 14, min: 0, max: 59, isSigned: false },
  { name: 'BYSECOND', from: 17, min: 0, max: 60, isSigned: false },
] as const

/** The longest text of a rule, in characters. */
const MAX_RULE_LENGTH = 1_000
/** The most values in a list of one part. */
const MAX_RULE_VALUES = 400

const PART_CODES: Readonly<Record<string, 'rule_count' | 'rule_until' | 'rule_interval' | undefined>> = {
  COUNT: 'rule_count',
  UNTIL: 'rule_until',
  INTERVAL: 'rule_interval',
}

/** The error for a text that is not a rule. Its message says which part is wrong, and why. */
export class InvalidRule extends Error {
  override readonly name: string = 'InvalidRule'
  /** The name of the part, or '' for the text as a whole. */
  readonly part: string

  constructor(part: string, reason: string) {
    super(part === '' ? reason : `${part}: ${reason}`)
    this.part = part
  }

  get reason(): Reason {
    const code = PART_CODES[this.part]
    return code === undefined ? this.message : codedReason(code, this.message)
  }
}

/** The error for a rule of RFC 5545 that a series cannot have. */
export class UnsupportedRule extends InvalidRule {
  override readonly name = 'UnsupportedRule'

  constructor(part: string, reason: string) {
    super(part, `${reason}: use rdate for other dates`)
  }

  /** True if the rule names a time of day, which may be that of a start that was not given. */
  get isAboutTime(): boolean {
    return TIME_PARTS.some(({ name }) => name === this.part)
  }
}

const UNSUPPORTED_FREQUENCIES: readonly string[] = ['SECONDLY', 'MINUTELY', 'HOURLY']
/** Parts that only rules with FREQ=YEARLY can have. */
const YEAR_PARTS = ['BYYEARDAY', 'BYWEEKNO'] as const

const OTHER_PARTS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST']
const PART_NAMES: ReadonlySet<string> = new Set([
  ...OTHER_PARTS,
  ...[...NUMBER_PARTS, ...TIME_PARTS].map(({ name }) => name),
])

/**
 * The parts of a rule by name, in upper case and without spaces around names and values.
 * @throws InvalidRule for an unknown part, or one that is there twice
 */
export function partsOfRule(text: string): Map<string, string> {
  if (text.length > MAX_RULE_LENGTH)
    throw new InvalidRule('', `The rule has more than ${MAX_RULE_LENGTH} characters`)
  const plain = text.trim()
  // Checked before toUpperCase(), which turns some other letters into ASCII ones.
  if (!/^[\x20-\x7e]*$/.test(plain)) throw new InvalidRule('', 'The rule has characters that no rule has')
  // Some calendars write a semicolon after the last part.
  const cleanRule = plain
    .toUpperCase()
    .replace(/^RRULE *: */, '')
    .replace(/(?<! ) *; *$/, '')
  const parts = new Map<string, string>()
  for (const part of cleanRule.split(';')) {
    const equals = part.indexOf('=')
    const name = (equals < 0 ? part : part.slice(0, equals)).trim()
    if (!PART_NAMES.has(name)) throw new InvalidRule(name, 'unknown part of a rule')
    if (parts.has(name)) throw new InvalidRule(name, 'is there twice')
    parts.set(name, equals < 0 ? '' : part.slice(equals + 1).trim())
  }
  return parts
}

function ruleValues(part: string, text: string): string[] {
  const values = text.split(',')
  if (values.length > MAX_RULE_VALUES) throw new InvalidRule(part, `more than ${MAX_RULE_VALUES} values`)
  return values.map(value => value.trim())
}

function toNumber({ name, min, max, isSigned }: NumberPart, text: string): number {
  const value = (isSigned ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/).test(text) ? Number(text) : Number.NaN
  const size = isSigned ? Math.abs(value) : value
  if (size >= min && size <= max) return value
  const bounds = `${min} and ${max}${isSigned ? `, or -${max} and -${min}` : ''}`
  throw new InvalidRule(name, `${text || 'nothing'} is not a number between ${bounds}`)
}

/** The numbers of a part, ascending and without repeats. @throws InvalidRule */
export function numbersOf(part: NumberPart, text: string): Numbers {
  const numbers = ruleValues(part.name, text).map(value => toNumber(part, value))
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function weekdayOf(part: string, text: string): number {
  const weekday = WEEKDAYS.indexOf(text)
  if (weekday < 0) throw new InvalidRule(part, `${text || 'nothing'} is not a day of the week`)
  return weekday
}

/** RFC 5545 numbers the days of a year as well. */
const NTH = { name: 'BYDAY', min: 1, max: 53, isSigned: true }
const NTH_OF_MONTH = { ...NTH, max: 5 }

function ruleDays(text: string): readonly RuleDay[] {
  const days = new Map<string, RuleDay>()
  for (const value of ruleValues('BYDAY', text)) {
    const weekday = weekdayOf('BYDAY', value.slice(-2))
    const nth = value.length === 2 ? 0 : toNumber(NTH, value.slice(0, -2).trim())
    days.set(`${weekday} ${nth}`, { weekday, nth })
  }
  return [...days.values()].sort((a, b) => a.weekday - b.weekday || a.nth - b.nth)
}

function naturalOf(part: string, text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1) throw new InvalidRule(part, `${text || 'nothing'} is not a whole number from 1 to 999999999`)
  return value
}

const UNTIL_VALUE = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/

/**
 * The last moment of a rule. A date includes the whole day; a leap second becomes the second before it (RFC
 * 5545 §3.3.12).
 */
function untilOf(text: string, toWall: (utc: DateTime) => DateTime): DateTime {
  const [, year = '', month = '', day = '', hour, minute = '', second = '', utc] =
    UNTIL_VALUE.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  const isTime = hour === undefined || (hour <= '23' && minute <= '59' && second <= '60')
  if (!isDay(date) || !isTime) throw new InvalidRule('UNTIL', `${text || 'nothing'} is no date`)
  if (hour === undefined) return endOfDay(date)
  const time = `${date} ${hour}:${minute}:${second === '60' ? '59' : second}`
  return utc ? toWall(time) : time
}

/**
 * Checks the parts with a time of day, which add nothing: a rule gives its dates at the time of the start.
 * @returns true if there are any
 */
function checkTimes(parts: ReadonlyMap<string, string>, start: DateTime | undefined): boolean {
  const named = TIME_PARTS.filter(({ name }) => parts.has(name))
  for (const part of named) {
    const numbers = numbersOf(part, parts.get(part.name) ?? '')
    const startValue = start?.slice(part.from, part.from + 2)
    if (startValue === undefined || numbers.length > 1 || numbers[0] !== Number(startValue))
      throw new UnsupportedRule(part.name, `must be that of the start${startValue ? `, ${startValue}` : ''}`)
  }
  return named.length > 0
}

/** Checks the numbers of weekdays. @throws InvalidRule */
function checkNumberedDays({ freq, byMonth, byWeekNo, byDay = [] }: Rule, isOfYear: boolean): void {
  const numbers = byDay.map(({ nth }) => nth).filter(nth => nth !== 0)
  if (numbers.length === 0) return
  if (freq === 'DAILY' || freq === 'WEEKLY')
    throw new InvalidRule('BYDAY', `numbers are not allowed with FREQ=${freq}`)
  if (byWeekNo) throw new InvalidRule('BYDAY', 'numbers are not allowed with BYWEEKNO')
  if (freq === 'YEARLY' && !byMonth) {
    if (isOfYear) return
    throw new UnsupportedRule('BYDAY', 'numbers need BYMONTH with FREQ=YEARLY')
  }
  for (const nth of numbers) toNumber(NTH_OF_MONTH, String(nth))
}

function freqOf(text: string | undefined): Frequency {
  const freq = FREQUENCIES.find(name => name === text)
  if (freq) return freq
  const others = `must be one of ${FREQUENCIES.join(', ')}`
  if (text !== undefined && UNSUPPORTED_FREQUENCIES.includes(text))
    throw new UnsupportedRule('FREQ', `${text} is too often, it ${others}`)
  throw new InvalidRule('FREQ', others)
}

export type RuleReading = {
  /** The wall time of DTSTART, for rules that may name its time of day. */
  start?: DateTime
  /**
   * Converts an UNTIL in UTC to the event's own clock; a stored rule's UNTIL is by that clock already.
   */
  toWall?: (utc: DateTime) => DateTime
  /** True to read weeks, days and numbered weekdays of the year as well, which a series cannot have. */
  isOfYear?: boolean
}

/**
 * Reads a recurrence rule. `RRULE:` before it, lower case, spaces around names and values and a semicolon at
 * the end are tolerated. Lists become ascending, without repeats. The hour, minute and second of the start
 * are left out, as they add nothing, and so is a BYSETPOS that, without other parts, names the only date of a
 * period.
 *
 * @param text at most {@link MAX_RULE_LENGTH} characters
 * @throws InvalidRule for everything that RFC 5545 does not allow
 * @throws UnsupportedRule for what it allows, but a series cannot have
 */
export function parseRule(
  text: string,
  { start, toWall = utc => utc, isOfYear = false }: RuleReading = {},
): Rule {
  const parts = partsOfRule(text)
  const freq = freqOf(parts.get('FREQ'))
  const rule: Rule = { freq, interval: 1, weekStart: 0 }
  const read = (name: string, set: (value: string) => void) => {
    const value = parts.get(name)
    if (value !== undefined) set(value)
  }
  for (const name of YEAR_PARTS)
    read(name, () => {
      if (!isOfYear) throw new UnsupportedRule(name, 'is not supported')
      if (freq !== 'YEARLY') throw new InvalidRule(name, `is not allowed with FREQ=${freq}`)
    })
  read('INTERVAL', value => (rule.interval = naturalOf('INTERVAL', value)))
  read('COUNT', value => (rule.count = naturalOf('COUNT', value)))
  read('UNTIL', value => (rule.until = untilOf(value, toWall)))
  read('WKST', value => (rule.weekStart = weekdayOf('WKST', value)))
  read('BYDAY', value => (rule.byDay = ruleDays(value)))
  for (const part of NUMBER_PARTS) read(part.name, value => (rule[part.field] = numbersOf(part, value)))
  if (rule.count !== undefined && rule.until !== undefined)
    throw new InvalidRule('COUNT', 'is not allowed together with UNTIL')
  if (freq === 'WEEKLY' && rule.byMonthDay)
    throw new InvalidRule('BYMONTHDAY', 'is not allowed with FREQ=WEEKLY')
  checkNumberedDays(rule, isOfYear)
  const hasTimes = checkTimes(parts, start)
  const { bySetPos, ...withoutSetPos } = rule
  const { byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule
  if (!bySetPos || byMonth || byWeekNo || byYearDay || byMonthDay || byDay) return rule
  if (hasTimes && bySetPos.some(position => Math.abs(position) === 1)) return withoutSetPos
  throw new InvalidRule('BYSETPOS', 'is only allowed with another BY part')
}

/** The rule in a stored text; undefined if the text is empty or {@link parseRule} refuses it. */
export function readRule(text: string): Rule | undefined {
  try {
    return text === '' ? undefined : parseRule(text)
  } catch {
    return undefined
  }
}

/**
 * The canonical text of a rule, which `parseRule` reads as the same rule: parts in one order, upper case,
 * without an INTERVAL of 1 and a WKST of Monday, which are the defaults.
 *
 * @param formatUntil formats UNTIL, given its wall time: by default as local time, `20271231T235959`. RFC
 *   5545 §3.3.10 wants it in UTC where the start has a time zone, and as a date where the start is one.
 */
export function formatRule(rule: Rule, formatUntil: (wall: DateTime) => string = localValue): string {
  const { freq, interval, count, until, byMonth, byMonthDay, byDay, bySetPos, weekStart } = rule
  const days = byDay?.map(({ weekday, nth }) => `${nth || ''}${WEEKDAYS[weekday]}`)
  const parts: [name: string, value: unknown][] = [
    ['FREQ', freq],
    ['INTERVAL', interval === 1 ? undefined : interval],
    ['COUNT', count],
    ['UNTIL', until === undefined ? undefined : formatUntil(until)],
    ['BYMONTH', byMonth],
    ['BYMONTHDAY', byMonthDay],
    ['BYDAY', days],
    ['BYSETPOS', bySetPos],
    ['WKST', weekStart === 0 ? undefined : WEEKDAYS[weekStart]],
  ]
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])).join(';')
}
