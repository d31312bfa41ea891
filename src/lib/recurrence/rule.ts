import { localValue } from '../ical/lines.ts'
import type { DateTime } from '../time.ts'

/**
 * The canonical text of a rule, which `parseRule` reads as the same rule: parts in one order, upper case, without an
 * INTERVAL of 1 and a WKST of Monday, which are the defaults.
 *
 * @param formatUntil formats UNTIL, given its wall time: by default as local time, `20271231T235959`. RFC 5545
 *   §3.3.10 wants it in UTC where the start has a time zone, and as a date where the start is one.
 */
export function formatRule(rule: Rule, formatUntil: (wall: DateTime) => string = localValue): string {
  const parts = [`FREQ=${rule.freq}`]
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`)
  if (rule.count !== undefined) parts.push(`COUNT=${rule.count}`)
  if (rule.until !== undefined) parts.push(`UNTIL=${formatUntil(rule.until)}`)
  for (const { name, field } of NUMBER_PARTS) {
    // Days stand between those of the year or month and the hours.
    if (name === 'BYHOUR' && rule.byDay)
      parts.push(`BYDAY=${rule.byDay.map(({ weekday, nth }) => `${nth || ''}${WEEKDAYS[weekday]}`).join()}`)
    const numbers = rule[field]
    if (numbers) parts.push(`${name}=${numbers.join()}`)
  }
  if (rule.weekStart !== 0) parts.push(`WKST=${WEEKDAYS[rule.weekStart]}`)
  return parts.join(';')
}

/** The intervals at which a rule can recur, from the shortest to the longest. */
export const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** The days of the week. Rules refer to them by index: Monday is 0. */
export const WEEKDAYS: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/**
 * A day of the week, 0 for Monday. With `nth` other than 0 it is only the nth one of the month or year, from the end if
 * negative.
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
  /** The last moment at which a date may be, inclusive, as a wall time of the event's own clock. */
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

/** A BY part that is a list of numbers: its field, bounds, and the frequencies with which RFC 5545 §3.3.10 forbids it. */
export type NumberPart = {
  name: string
  field: Exclude<keyof Rule, 'freq' | 'interval' | 'count' | 'until' | 'byDay' | 'weekStart'>
  min: number
  max: number
  /** True if numbers may be negative, counting from the end; 0 is then not allowed. */
  signed: boolean
  without: readonly Frequency[]
}

/** The BY parts with numbers. Second 60 is a leap second. */
export const NUMBER_PARTS: readonly NumberPart[] = [
  { name: 'BYMONTH', field: 'byMonth', min: 1, max: 12, signed: false, without: [] },
  {
    name: 'BYWEEKNO',
    field: 'byWeekNo',
    min: 1,
    max: 53,
    signed: true,
    without: FREQUENCIES.filter(freq => freq !== 'YEARLY'),
  },
  {
    name: 'BYYEARDAY',
    field: 'byYearDay',
    min: 1,
    max: 366,
    signed: true,
    without: ['DAILY', 'WEEKLY', 'MONTHLY'],
  },
  { name: 'BYMONTHDAY', field: 'byMonthDay', min: 1, max: 31, signed: true, without: ['WEEKLY'] },
  { name: 'BYHOUR', field: 'byHour', min: 0, max: 23, signed: false, without: [] },
  { name: 'BYMINUTE', field: 'byMinute', min: 0, max: 59, signed: false, without: [] },
  { name: 'BYSECOND', field: 'bySecond', min: 0, max: 60, signed: false, without: [] },
  { name: 'BYSETPOS', field: 'bySetPos', min: 1, max: 366, signed: true, without: [] },
]
