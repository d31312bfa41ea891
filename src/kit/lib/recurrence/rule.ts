import { localValue } from '../ical/lines.ts'
import { codedReason, type Reason } from '../reasons.ts'
import { type DateTime, endOfDay, isDay } from '../time.ts'

/** The intervals at which a rule can recur, from the shortest to the longest. */
export const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** The days of the week. Rules refer to them by index: Monday is 0. */
export const WEEKDAYS: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/**
 * A day of the week, 0 for Monday. An `nth` other than 0 means only the nth such day of the month or year,
 * from the end if negative.
 */
export type RuleDay = { weekday: number; nth: number }

/** Numbers of a BY part, ascending and without repeats. */
type Numbers = readonly number[]

/** A recurrence rule of RFC 5545 §3.3.10, as `parseRule` checks it. */
export type Rule = {
  freq: Frequency
  interval: number
  /** The number of dates, never together with `until`. */
  count?: number
  /** The last moment for dates, inclusive, as a wall time of the event's own clock. */
  until?: DateTime
  bySecond?: Numbers
  byMinute?: Numbers
  byHour?: Numbers
  byDay?: readonly RuleDay[]
  byMonthDay?: Numbers
  byYearDay?: Numbers
  byWeekNo?: Numbers
  byMonth?: Numbers
  bySetPos?: Numbers
  /** The first day of the week, 0 for Monday. */
  weekStart: number
}

/**
 * A BY part that is a list of numbers: its field, its bounds, and the frequencies with which RFC 5545 §3.3.10
 * forbids it.
 */
type NumberPart = {
  name: string
  field: Exclude<keyof Rule, 'freq' | 'interval' | 'count' | 'until' | 'byDay' | 'weekStart'>
  min: number
  max: number
  /** True if numbers may be negative, counting from the end; 0 is then not allowed. */
  isSigned: boolean
  notWith: readonly Frequency[]
}

/** The BY parts with numbers. Second 60 is a leap second. */
export const NUMBER_PARTS: readonly NumberPart[] = [
  { name: 'BYMONTH', field: 'byMonth', min: 1, max: 12, isSigned: false, notWith: [] },
  {
    name: 'BYWEEKNO',
    field: 'byWeekNo',
    min: 1,
    max: 53,
    isSigned: true,
    notWith: FREQUENCIES.filter(freq => freq !== 'YEARLY'),
  },
  {
    name: 'BYYEARDAY',
    field: 'byYearDay',
    min: 1,
    max: 366,
    isSigned: true,
    notWith: ['DAILY', 'WEEKLY', 'MONTHLY'],
  },
  { name: 'BYMONTHDAY', field: 'byMonthDay', min: 1, max: 31, isSigned: true, notWith: ['WEEKLY'] },
  { name: 'BYHOUR', field: 'byHour', min: 0, max: 23, isSigned: false, notWith: [] },
  { name: 'BYMINUTE', field: 'byMinute', min: 0, max: 59, isSigned: false, notWith: [] },
  { name: 'BYSECOND', field: 'bySecond', min: 0, max: 60, isSigned: false, notWith: [] },
  { name: 'BYSETPOS', field: 'bySetPos', min: 1, max: 366, isSigned: true, notWith: [] },
]

/** The longest text of a rule, in characters. */
export const MAX_RULE_LENGTH = 1_000
/** The most values in a list of one part. */
export const MAX_RULE_VALUES = 400

/**
 * The most steps that one expansion may take. A step is a date, a time of day, a matching day, a skipped
 * period, a new year, or an entry in the table of a year's days: at most a tenth of a microsecond each.
 */
export const MAX_STEPS = 100_000

/** The error for a rule that takes more steps than its budget allows, so that its dates are unknown. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly'

  constructor(max: number) {
    super(`The rule takes more than ${max} steps to expand`)
  }
}

/** The steps that an expansion may take. Several expansions may share a budget. */
export class Budget {
  used = 0
  readonly max: number

  constructor(max = MAX_STEPS) {
    this.max = max
  }

  /** Takes steps from the budget before they are done. @throws TooCostly if too few are left */
  spend(steps: number): void {
    this.used += steps
    if (this.used > this.max) throw new TooCostly(this.max)
  }
}

const PART_CODES: Readonly<Record<string, 'rule_count' | 'rule_until' | 'rule_interval' | undefined>> = {
  COUNT: 'rule_count',
  UNTIL: 'rule_until',
  INTERVAL: 'rule_interval',
}

/** The error for a text that is not a rule. Its message says which part is wrong, and why. */
export class InvalidRule extends Error {
  override readonly name = 'InvalidRule'
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

const OTHER_PARTS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST']
const PART_NAMES: ReadonlySet<string> = new Set([...OTHER_PARTS, ...NUMBER_PARTS.map(({ name }) => name)])

/** The parts by name, in upper case and without spaces around names and values. */
function splitParts(text: string): Map<string, string> {
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

function numbersOf(part: NumberPart, text: string, freq: Frequency): readonly number[] {
  if (part.notWith.includes(freq)) throw new InvalidRule(part.name, `is not allowed with FREQ=${freq}`)
  const numbers = ruleValues(part.name, text).map(value => toNumber(part, value))
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function weekdayOf(part: string, text: string): number {
  const weekday = WEEKDAYS.indexOf(text)
  if (weekday < 0) throw new InvalidRule(part, `${text || 'nothing'} is not a day of the week`)
  return weekday
}

const NTH = { name: 'BYDAY', field: 'byWeekNo', min: 1, max: 53, isSigned: true, notWith: [] } as const

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

/** Checks parts that depend on one another, by RFC 5545 §3.3.10. */
function checkTogether(rule: Rule): void {
  if (rule.count !== undefined && rule.until !== undefined)
    throw new InvalidRule('COUNT', 'is not allowed together with UNTIL')
  if (rule.byDay?.some(({ nth }) => nth !== 0)) {
    if (rule.freq !== 'MONTHLY' && rule.freq !== 'YEARLY')
      throw new InvalidRule('BYDAY', `numbers are not allowed with FREQ=${rule.freq}`)
    if (rule.byWeekNo) throw new InvalidRule('BYDAY', 'numbers are not allowed with BYWEEKNO')
  }
  if (rule.bySetPos && !hasSets(rule))
    throw new InvalidRule('BYSETPOS', 'is only allowed with another BY part')
}

/** True if a rule has parts that can give several dates in a period. */
const hasSets = (rule: Rule): boolean =>
  rule.byDay !== undefined ||
  NUMBER_PARTS.some(({ field }) => field !== 'bySetPos' && rule[field] !== undefined)

/**
 * Reads a recurrence rule (RFC 5545 §3.3.10). `RRULE:` before it, lower case, spaces around names and values
 * and a semicolon at the end are tolerated. Lists become ascending, without repeats.
 *
 * @param text at most {@link MAX_RULE_LENGTH} characters
 * @param toWall converts an UNTIL in UTC to the event's own clock; a stored rule's UNTIL is by that clock
 *   already
 * @throws InvalidRule for everything that the RFC does not allow
 */
export function parseRule(text: string, toWall = (utc: DateTime): DateTime => utc): Rule {
  const parts = splitParts(text)
  const freq = FREQUENCIES.find(name => name === parts.get('FREQ'))
  if (!freq) throw new InvalidRule('FREQ', `must be one of ${FREQUENCIES.join(', ')}`)
  const rule: Rule = { freq, interval: 1, weekStart: 0 }
  const read = (name: string, set: (value: string) => void) => {
    const value = parts.get(name)
    if (value !== undefined) set(value)
  }
  read('INTERVAL', value => (rule.interval = naturalOf('INTERVAL', value)))
  read('COUNT', value => (rule.count = naturalOf('COUNT', value)))
  read('UNTIL', value => (rule.until = untilOf(value, toWall)))
  read('WKST', value => (rule.weekStart = weekdayOf('WKST', value)))
  read('BYDAY', value => (rule.byDay = ruleDays(value)))
  for (const part of NUMBER_PARTS) read(part.name, value => (rule[part.field] = numbersOf(part, value, freq)))
  checkTogether(rule)
  return rule
}

/** Frequencies that requests may not use. Imports may have them. */
const TOO_OFTEN: readonly Frequency[] = ['SECONDLY', 'MINUTELY']

/**
 * A rule as a request may set it. The result omits what adds nothing: a single minute or second that equals
 * the start's, and a BYSETPOS that, without other parts, names the only date of a period.
 *
 * @param start the wall time of DTSTART
 * @throws InvalidRule for a rule that repeats every minute or second, or names other minutes or seconds than
 *   the start's
 */
export function requestedRule({ byMinute, bySecond, ...rule }: Rule, start: DateTime): Rule {
  if (TOO_OFTEN.includes(rule.freq))
    throw new InvalidRule('FREQ', `${rule.freq} is too often: an event can repeat hourly at most`)
  for (const [part, numbers, startValue] of [
    ['BYMINUTE', byMinute, start.slice(14, 16)],
    ['BYSECOND', bySecond, start.slice(17)],
  ] as const)
    if (numbers && (numbers.length > 1 || numbers[0] !== Number(startValue)))
      throw new InvalidRule(
        part,
        `must be that of the start, ${startValue}: use rdate for dates at other minutes`,
      )
  const { bySetPos, ...ruleWithoutSetPos } = rule
  const isSetPosNeedless = !hasSets(ruleWithoutSetPos) && bySetPos?.some(position => Math.abs(position) === 1)
  const result = isSetPosNeedless ? ruleWithoutSetPos : rule
  checkTogether(result)
  return result
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
  const parts = [`FREQ=${rule.freq}`]
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`)
  if (rule.count !== undefined) parts.push(`COUNT=${rule.count}`)
  if (rule.until !== undefined) parts.push(`UNTIL=${formatUntil(rule.until)}`)
  for (const { name, field } of NUMBER_PARTS) {
    // BYDAY comes after the other parts with days, and before hours.
    if (name === 'BYHOUR' && rule.byDay)
      parts.push(`BYDAY=${rule.byDay.map(({ weekday, nth }) => `${nth || ''}${WEEKDAYS[weekday]}`).join()}`)
    const numbers = rule[field]
    if (numbers) parts.push(`${name}=${numbers.join()}`)
  }
  if (rule.weekStart !== 0) parts.push(`WKST=${WEEKDAYS[rule.weekStart]}`)
  return parts.join(';')
}
