import { type Bounds, ruleDates } from '../../kit/lib/recurrence/dates.ts'
import {
  numbersOf,
  parseRule,
  partsOfRule,
  type Rule,
  type RuleReading,
  TIME_PARTS,
  type UnsupportedRule,
} from '../../kit/lib/recurrence/rule.ts'
import {
  type DateTime,
  dayOf,
  formatInstant,
  HOUR_MS,
  instantByClock,
  MINUTE_MS,
  SECOND_MS,
  wallMs,
} from '../../kit/lib/time.ts'
import type { OffsetAt } from '../../kit/lib/zones.ts'

/** A rule that a series cannot have, so that its dates are named one by one. */
export type OtherRule = {
  text: string
  until?: DateTime | undefined
  /** The first dates within bounds; with a COUNT that exceeds the limit, the first ones of all. */
  datesWithin: (bounds: Bounds) => DateTime[]
}

export const isOther = (rule: Rule | OtherRule): rule is OtherRule => 'datesWithin' in rule

type OtherReading = Required<Omit<RuleReading, 'isOfYear'>> & {
  /** COUNT. The start counts, whether it matches the rule or not. */
  count: number | undefined
  /** The offsets of the clock; undefined for whole days. */
  offsetAt: OffsetAt | undefined
}

const STEP_MS: Readonly<Record<string, number | undefined>> = {
  HOURLY: HOUR_MS,
  MINUTELY: MINUTE_MS,
  SECONDLY: SECOND_MS,
}

/**
 * Reads a rule with weeks, days or numbered weekdays of the year, with several times of day, or one that
 * gives dates every few hours, minutes or seconds. ical.js would expand all rules of RFC 5545, but gives wrong
 * dates for weeks and numbered weekdays of the year and for BYSETPOS, and never returns from some rules that
 * no date matches.
 *
 * @param text without COUNT
 * @param unsupported the reason why a series cannot have the rule
 * @throws UnsupportedRule for all other rules
 */
export function otherRule(text: string, unsupported: UnsupportedRule, reading: OtherReading): OtherRule {
  const parts = partsOfRule(text)
  const stepMs = STEP_MS[parts.get('FREQ') ?? '']
  if (stepMs !== undefined && [...parts.keys()].some(name => name.startsWith('BY'))) throw unsupported
  const ownParts = [...parts].filter(([name]) => !TIME_PARTS.some(part => part.name === name))
  const ruleOf = (freq: string) =>
    parseRule(ownParts.map(([name, value]) => `${name}=${name === 'FREQ' ? freq : value}`).join(';'), {
      ...reading,
      isOfYear: true,
    })
  const times = timesIn(parts, reading.start)
  // Positions would be counted among all times of a period.
  if (times.length > (parts.has('BYSETPOS') ? 1 : MAX_TIMES)) throw unsupported
  const rule = ruleOf(stepMs === undefined ? (parts.get('FREQ') ?? '') : 'DAILY')
  return {
    text,
    until: rule.until,
    datesWithin:
      stepMs === undefined ? atTimes(rule, times, reading) : everyFew(rule, stepMs * rule.interval, reading),
  }
}

/** The most times of a day. */
const MAX_TIMES = 24

/** All times of day in a rule, `HH:MM:SS`. */
const timesIn = (parts: ReadonlyMap<string, string>, start: DateTime): string[] =>
  TIME_PARTS.map(part => {
    const text = parts.get(part.name)
    return text === undefined ? [Number(start.slice(part.from, part.from + 2))] : numbersOf(part, text)
  })
    // Our clock has no leap seconds (RFC 5545 §3.3.12).
    .map(numbers => numbers.map(number => String(Math.min(number, 59)).padStart(2, '0')))
    .reduce(
      (times, list) => times.flatMap(time => list.map(value => (time === '' ? value : `${time}:${value}`))),
      [''],
    )

function atTimes(
  rule: Rule,
  times: readonly string[],
  { start, count }: OtherReading,
): OtherRule['datesWithin'] {
  return ({ from = start, to, limit = Number.POSITIVE_INFINITY, ...counting }) => {
    // One date may be before the start.
    const bounds = { to, limit: limit + 1, ...(count === undefined && { from }), ...counting }
    const dates = [...new Set(times.flatMap(time => ruleDates(rule, `${dayOf(start)} ${time}`, bounds)))]
      .filter(date => date >= start)
      .sort()
    const counted = count === undefined || dates[0] === start ? count : count - 1
    const countedDates = dates.slice(0, counted)
    return (countedDates.length < limit ? countedDates.filter(date => date >= from) : countedDates).slice(
      0,
      limit,
    )
  }
}

const everyFew =
  ({ until }: Rule, stepMs: number, { start, count, offsetAt }: OtherReading): OtherRule['datesWithin'] =>
  ({ from = start, to, limit = Number.POSITIVE_INFINITY }) => {
    const last = wallMs(until !== undefined && until < to ? until : to)
    const first = wallMs(start)
    const skipped = count === undefined ? Math.max(0, Math.ceil((wallMs(from) - first) / stepMs)) : 0
    const most = Math.min(limit, count ?? limit)
    // Of two wall times at one instant only the later one is a date, which is the one that clocks show.
    const byInstant = new Map<number, DateTime>()
    for (let ms = first + skipped * stepMs; ms <= last; ms += stepMs) {
      const date = formatInstant(ms)
      const instant = offsetAt ? instantByClock(date, offsetAt) : ms
      if (byInstant.size === most && !byInstant.has(instant)) break
      byInstant.set(instant, date)
    }
    const dates = [...byInstant.values()]
    return dates.length < limit ? dates.filter(date => date >= from) : dates
  }
