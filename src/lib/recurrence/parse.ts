import { type DateTime, endOfDay, formatInstant, toEpoch } from '../time.ts'
import {
  FREQUENCIES,
  type Frequency,
  NUMBER_PARTS,
  type NumberPart,
  type Rule,
  type RuleDay,
  WEEKDAYS,
} from './rule.ts'

/** The longest text of a rule, in characters. */
export const MAX_RULE_LENGTH = 1_000
/** The most values in a list of one part. */
export const MAX_RULE_VALUES = 400

/** A text that is not a rule. The message says which part is wrong, and why. */
export class InvalidRule extends Error {
  /** The name of the part, or '' for the text as a whole. */
  readonly part: string

  constructor(part: string, reason: string) {
    super(part === '' ? reason : `${part}: ${reason}`)
    this.name = 'InvalidRule'
    this.part = part
  }
}

const OTHER_PARTS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST']
const NAMES: ReadonlySet<string> = new Set([...OTHER_PARTS, ...NUMBER_PARTS.map(({ name }) => name)])

/** The parts by name, in upper case and without blanks. */
function splitParts(text: string): Map<string, string> {
  if (text.length > MAX_RULE_LENGTH)
    throw new InvalidRule('', `The rule has more than ${MAX_RULE_LENGTH} characters`)
  const plain = text.trim()
  // Checked before toUpperCase(), which turns some other letters into ASCII ones.
  if (!/^[\x20-\x7e]*$/.test(plain)) throw new InvalidRule('', 'The rule has characters that no rule has')
  // Some calendars write a semicolon after the last part.
  const written = plain
    .toUpperCase()
    .replace(/^RRULE *: */, '')
    .replace(/ *; *$/, '')
  const parts = new Map<string, string>()
  for (const part of written.split(';')) {
    const at = part.indexOf('=')
    const name = (at < 0 ? part : part.slice(0, at)).trim()
    if (!NAMES.has(name)) throw new InvalidRule(name, 'unknown part of a rule')
    if (parts.has(name)) throw new InvalidRule(name, 'is there twice')
    parts.set(name, at < 0 ? '' : part.slice(at + 1).trim())
  }
  return parts
}

function listOf(part: string, text: string): string[] {
  const values = text.split(',')
  if (values.length > MAX_RULE_VALUES) throw new InvalidRule(part, `more than ${MAX_RULE_VALUES} values`)
  return values.map(value => value.trim())
}

function toNumber({ name, min, max, signed }: NumberPart, text: string): number {
  const value = (signed ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/).test(text) ? Number(text) : Number.NaN
  const size = signed ? Math.abs(value) : value
  if (size >= min && size <= max) return value
  const bounds = `${min} and ${max}${signed ? `, or -${max} and -${min}` : ''}`
  throw new InvalidRule(name, `${text || 'nothing'} is no number between ${bounds}`)
}

function numbersOf(part: NumberPart, text: string, freq: Frequency): readonly number[] {
  if (part.without.includes(freq)) throw new InvalidRule(part.name, `is not allowed with FREQ=${freq}`)
  const numbers = listOf(part.name, text).map(value => toNumber(part, value))
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function weekdayOf(part: string, text: string): number {
  const weekday = WEEKDAYS.indexOf(text)
  if (weekday < 0) throw new InvalidRule(part, `${text || 'nothing'} is no day of the week`)
  return weekday
}

const NTH = { name: 'BYDAY', field: 'byWeekNo', min: 1, max: 53, signed: true, without: [] } as const

function daysOf(text: string): readonly RuleDay[] {
  const days = new Map<string, RuleDay>()
  for (const value of listOf('BYDAY', text)) {
    const weekday = weekdayOf('BYDAY', value.slice(-2))
    const nth = value.length === 2 ? 0 : toNumber(NTH, value.slice(0, -2).trim())
    days.set(`${weekday} ${nth}`, { weekday, nth })
  }
  return [...days.values()].sort((a, b) => a.weekday - b.weekday || a.nth - b.nth)
}

function naturalOf(part: string, text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1) throw new InvalidRule(part, `${text || 'nothing'} is no whole number from 1 to 999999999`)
  return value
}

const UNTIL = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/

/** The last moment of a rule. A date includes all of that day; a leap second becomes the second before it (RFC 5545 §3.3.12). */
function untilOf(text: string, toWall: (utc: DateTime) => DateTime): DateTime {
  const [, year = '', month = '', day = '', hour, minute = '', second = '', utc] = UNTIL.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  const midnight = `${date} 00:00:00`
  const epochMs = toEpoch(midnight)
  // Date reads the 30th of February as a day of March.
  const exists = year >= '0001' && !Number.isNaN(epochMs) && formatInstant(epochMs) === midnight
  const isTime = hour === undefined || (hour <= '23' && minute <= '59' && second <= '60')
  if (!exists || !isTime) throw new InvalidRule('UNTIL', `${text || 'nothing'} is no date`)
  if (hour === undefined) return endOfDay(midnight)
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
  const others = NUMBER_PARTS.some(({ field }) => field !== 'bySetPos' && rule[field] !== undefined)
  if (rule.bySetPos && !others && !rule.byDay)
    throw new InvalidRule('BYSETPOS', 'is only allowed with another BY part')
}

/**
 * Reads a recurrence rule (RFC 5545 §3.3.10). `RRULE:` before it, lower case, blanks around names and values and a
 * semicolon at the end are tolerated. Lists become ascending, without repeats.
 *
 * @param text at most {@link MAX_RULE_LENGTH} characters
 * @param toWall converts an UNTIL in UTC to the event's own clock; a stored rule's UNTIL is by that clock already
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
  read('BYDAY', value => (rule.byDay = daysOf(value)))
  for (const part of NUMBER_PARTS) read(part.name, value => (rule[part.field] = numbersOf(part, value, freq)))
  checkTogether(rule)
  return rule
}

/** The rule in a stored text; undefined if the text is empty or {@link parseRule} refuses it. */
export function readRule(text: string): Rule | undefined {
  try {
    return text === '' ? undefined : parseRule(text)
  } catch {
    return undefined
  }
}
