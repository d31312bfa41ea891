import type ICAL from 'ical.js'
import { MAX_DATES } from '../../calendar/events/recurrence-fields.ts'
import { Unreadable } from '../../calendar/imports/records.ts'
import { convertErrors } from '../../kit/lib/errors.ts'
import { DATE_PROPERTY, RULE_PROPERTY } from '../../kit/lib/ical/lines.ts'
import { type Bounds, occurrenceDates, ruleDates } from '../../kit/lib/recurrence/dates.ts'
import { HORIZON_MONTHS } from '../../kit/lib/recurrence/pattern.ts'
import { InvalidRule, parseRule, type Rule, UnsupportedRule } from '../../kit/lib/recurrence/rule.ts'
import {
  addMonths,
  type DateTime,
  dayOf,
  formatInstant,
  instantByClock,
  startOfDay,
} from '../../kit/lib/time.ts'
import type { IcsReading } from './events.ts'
import { propertyName, propertyText } from './file.ts'
import { STEP_COSTS, type WorkMeter } from './limits.ts'
import { isOther, type OtherRule, otherRule } from './other-rules.ts'
import { countValues, type IcsTime, icsTimesIn, ruleText } from './times.ts'

/**
 * The period in which occurrences that become single events are read: its first and last instant, UTC,
 * inclusive.
 */
export type ImportPeriod = { from: DateTime; to: DateTime }

/**
 * Limit on the occurrences of an event, from its start to the horizon. A weekly event has 1,100 of them in
 * twenty years.
 */
export const MAX_IMPORTED = 5_000

/** Limit on the dates in an event's RDATE, and on those in its EXDATE. */
const MAX_NAMED = 20_000

/** The time in which a rule must give at least one date: the cycle of the calendar. */
const CYCLE_MONTHS = 4_800

type AnyRule = Rule | OtherRule

/** The recurrence of an event, by the clock of its start. */
export type RecurringEvent = {
  start: IcsTime
  /** The rules that give dates: one that ended before the start gives none. */
  rules: AnyRule[]
  /**
   * True if the start is not a date because all rules ended before it: that is how programs end a series at
   * its first date.
   */
  isWithoutStart: boolean
  /** EXRULE, which RFC 5545 has dropped. */
  exclusionRules: AnyRule[]
  rdate: DateTime[]
  exdate: DateTime[]
  /** Days whose occurrences are all left out. */
  exdays: ReadonlySet<string>
}

/**
 * The properties of rules and of additional dates. In our own calendars, RRULE ends with the last existing
 * occurrence.
 */
const RULE_PROPERTIES = { ended: 'rrule', whole: propertyName(RULE_PROPERTY) }
const DATE_PROPERTIES = ['rdate', propertyName(DATE_PROPERTY)]

/** True if an event has a rule or additional dates. */
export const isRecurring = (event: ICAL.Component): boolean =>
  [...Object.values(RULE_PROPERTIES), ...DATE_PROPERTIES].some(name => event.hasProperty(name))

/** Reads the recurrence of an event. @throws Unreadable */
export async function recurringOf(
  event: ICAL.Component,
  start: IcsTime,
  reading: IcsReading,
): Promise<RecurringEvent> {
  // The parser keeps only remains of an invalid end.
  const endIn = (name: string) =>
    /(?:^|;)\s*UNTIL=([^;]*)/i.exec(reading.writtenIn(event, name.toUpperCase()).text)?.[1]
  const rulesIn = (name: string) =>
    event
      .getAllProperties(name)
      .flatMap(property => ruleIn(property, start, { work: reading.work, writtenEnd: () => endIn(name) }))
  const wholeRules = rulesIn(RULE_PROPERTIES.whole)
  const endedRules = rulesIn(RULE_PROPERTIES.ended)
  const rdate = (await namedTimes(event, DATE_PROPERTIES, start, reading)).map(({ wall }) => wall)
  const excluded = await namedTimes(event, ['exdate'], start, reading)
  const rules = wholeRules.length > 0 ? wholeRules : endedRules
  const lastDay = dayOf(readingEnd(start, reading.nowMs))
  for (const { text } of rules.filter(isOther))
    reading.note(
      `${propertyText(event, 'uid')}: its rule ${text} is none that a series can have: its dates until ${lastDay} are kept one by one`,
    )
  return {
    start,
    rules,
    isWithoutStart:
      endedRules.length === 0 && event.hasProperty(RULE_PROPERTIES.ended) && !rdate.includes(start.wall),
    exclusionRules: rulesIn('exrule'),
    rdate: sortedDates(rdate),
    exdate: sortedDates(excluded.filter(({ isDay }) => !isDay).map(({ wall }) => wall)),
    exdays: new Set(excluded.filter(({ isDay }) => isDay).map(({ wall }) => wall.slice(0, 10))),
  }
}

const sortedDates = (dates: readonly DateTime[]): DateTime[] => [...new Set(dates)].sort()

/**
 * A time that an event names, by the clock of its start. A day has no time, and means all occurrences on it.
 */
type NamedTime = { wall: DateTime; isDay: boolean }

async function namedTimes(
  event: ICAL.Component,
  names: readonly string[],
  start: IcsTime,
  { clocks, work }: IcsReading,
): Promise<NamedTime[]> {
  const properties = names.flatMap(name => event.getAllProperties(name))
  const count = countValues(properties)
  if (count > MAX_NAMED)
    throw new Unreadable(
      `it has ${count} dates in ${names[0]?.toUpperCase()}, and at most ${MAX_NAMED} are read`,
      'record_too_much',
    )
  work.takeNamed(count)
  const times: NamedTime[] = []
  for (const property of properties)
    for (const time of icsTimesIn(property, clocks)) {
      await work.spend(STEP_COSTS.conversion)
      times.push({ wall: wallOnClock(time, start), isDay: time.isDate && !start.isDate })
    }
  return times
}

/**
 * Converts a time of any clock to a wall time of the event's own clock. For an all-day event, only the day
 * counts.
 */
export function wallOnClock(time: IcsTime, start: IcsTime): DateTime {
  if (start.isDate) return startOfDay(time.wall)
  if (time.isDate) return `${time.wall.slice(0, 10)} ${start.wall.slice(11)}`
  return time.clock === start.clock ? time.wall : start.clock.toWall(time.utc)
}

/** A moment after which there can be no dates. */
const LAST_DAY: DateTime = '9999-12-31 23:59:59'

/**
 * A rule, whose end is usually in UTC; none if it gives no date because it ended before the start.
 * @throws Unreadable
 */
function ruleIn(
  property: ICAL.Property,
  start: IcsTime,
  { work, writtenEnd }: { work: WorkMeter; writtenEnd: () => string | undefined },
): AnyRule[] {
  const givenRule = ruleText(property, writtenEnd)
  if (givenRule === undefined) return []
  // Whole days have no times (RFC 5545 §3.3.10: such parts “MUST be ignored”).
  const wholeRule = start.isDate ? givenRule.replace(/;BY(?:HOUR|MINUTE|SECOND)=[^;]*/gi, '') : givenRule
  // The standard allows only one of COUNT and UNTIL. Programs that write both mean the one that ends first.
  const [, count] = /(?:^|;)COUNT=(\d+)/i.exec(wholeRule) ?? []
  const uncountedRule = wholeRule.replace(/(^|;)COUNT=\d+/i, '')
  const text = /(?:^|;)UNTIL=/i.test(wholeRule) ? uncountedRule : wholeRule
  // Programs that add a time to the last day of an all-day event don't mean another day.
  const toWall = (utc: DateTime) => (start.isDate ? utc : start.clock.toWall(utc))
  const reading = { start: start.wall, toWall }
  const parse = (): AnyRule => {
    try {
      return parseRule(text, reading)
    } catch (error) {
      if (!(error instanceof UnsupportedRule)) throw error
      const others = {
        ...reading,
        count: count === undefined ? undefined : Number(count),
        offsetAt: start.isDate ? undefined : start.clock.offsetAt,
      }
      return otherRule(uncountedRule, error, others)
    }
  }
  const unreadable = ({ message }: Error) =>
    new Unreadable(`${property.name.toUpperCase()} is not a rule that is read: ${message}`, 'record_rule')
  const rule = convertErrors(InvalidRule, unreadable, parse)
  if (rule.until !== undefined && rule.until < start.wall) return []
  if (text === wholeRule || isOther(rule)) return [rule]
  const most = Number(count)
  const dates = work.take(counting =>
    ruleDates(rule, start.wall, { to: rule.until ?? LAST_DAY, limit: most + 1, ...counting }),
  )
  // The start counts as a date, even if the rule doesn't give it.
  if (dates.length + (dates[0] === start.wall ? 0 : 1) <= most) return [rule]
  const { until: _, ...others } = rule
  return [{ ...others, count: Number(count) }]
}

/** The moment until which occurrences exist, UTC. */
export const readingEnd = ({ utc }: IcsTime, nowMs: number): DateTime => {
  const horizon = addMonths(formatInstant(nowMs), HORIZON_MONTHS)
  return utc > horizon ? utc : horizon
}

/** The dates of an event, and the lists that yield them together with its first rule. */
export type RecurrenceDates = {
  rule: Rule | undefined
  rdate: DateTime[]
  exdate: DateTime[]
  dates: DateTime[]
}

/** The error for an event that has more dates than a series may have. */
export class TooMany extends Error {
  override readonly name = 'TooMany'
}

const TOO_OFTEN = `it occurs more than ${MAX_IMPORTED} times`

type ReadingBounds = { from?: DateTime | undefined; to: DateTime; work: WorkMeter }

/**
 * The starts of an event's occurrences between two instants, by its own clock. Rules go by the wall clock of
 * DTSTART, which is itself the first occurrence (RFC 5545 §3.8.5) unless all rules ended before it. Further
 * rules, those that a series cannot have, and EXRULE, become dates.
 *
 * @throws Unreadable for rules that never give a date, or if the calendar has too many dates
 * @throws TooMany if the event has too many dates
 */
export async function recurrenceDates(
  { start, rules, isWithoutStart, exclusionRules, ...named }: RecurringEvent,
  { from, to, work }: ReadingBounds,
): Promise<RecurrenceDates> {
  const rule = rules.find((givenRule): givenRule is Rule => !isOther(givenRule))
  const bounds = {
    to: start.clock.toWall(to),
    ...(from !== undefined && { from: start.clock.toWall(from) }),
  }
  const limit = Math.min(MAX_IMPORTED, work.dates)
  const offsetAt = start.isDate ? undefined : start.clock.offsetAt
  const allOf = (expand: (withinLimit: Bounds) => DateTime[]): DateTime[] => {
    const dates = work.take(counting => expand({ ...bounds, ...counting, limit: limit + 1 }))
    if (dates.length > limit) throw limit < MAX_IMPORTED ? work.tooManyDates() : new TooMany(TOO_OFTEN)
    return dates
  }
  const expanded = async (
    starts: readonly DateTime[],
    rulesToExpand: readonly AnyRule[],
  ): Promise<Set<DateTime>> => {
    const dates = new Set(starts)
    for (const ruleToExpand of rulesToExpand) {
      await work.letOthersRun()
      for (const date of allOf(within => datesOfRule(ruleToExpand, start, within))) dates.add(date)
      if (dates.size > MAX_NAMED) throw new TooMany(TOO_OFTEN)
    }
    return dates
  }
  for (const givenRule of rules) {
    assertHappens(givenRule, start, work)
    await work.letOthersRun()
  }
  const furtherRules = rules.filter(givenRule => givenRule !== rule)
  const rdate = [...(await expanded(named.rdate, furtherRules))].sort()
  const set = { start: start.wall, rule, rdate }
  const givenDates = allOf(within => occurrenceDates(set, { ...within, offsetAt }).dates)
  const known = new Set(givenDates)
  // Some programs exclude a whole day by its midnight, when no occurrence of the series begins.
  const midnights = named.exdate.filter(date => date.endsWith(' 00:00:00') && !known.has(date))
  const exdays = new Set([...named.exdays, ...midnights.map(date => date.slice(0, 10))])
  const onDays = givenDates.filter(date => exdays.has(date.slice(0, 10)))
  const exclusions = isWithoutStart ? [...named.exdate, ...onDays, start.wall] : [...named.exdate, ...onDays]
  const excluded = await expanded(exclusions, exclusionRules)
  const instantOf = (date: DateTime) => (offsetAt ? instantByClock(date, offsetAt) : date)
  const excludedInstants = new Set([...excluded].map(instantOf))
  const dates = givenDates.filter(date => !excludedInstants.has(instantOf(date)))
  return { rule, rdate, exdate: withoutIdle([...excluded].sort(), givenDates, bounds.to), dates }
}

/** The excluded dates. If there are too many, those without an effect are dropped. */
function withoutIdle(exdate: DateTime[], dates: readonly DateTime[], to: DateTime): DateTime[] {
  if (exdate.length <= MAX_DATES) return exdate
  const knownDates = new Set(dates)
  return exdate.filter(date => date > to || knownDates.has(date))
}

const datesOfRule = (rule: AnyRule, { wall }: IcsTime, bounds: Bounds): DateTime[] =>
  isOther(rule) ? rule.datesWithin(bounds) : ruleDates(rule, wall, bounds)

/** @throws Unreadable if a rule never gives a date */
function assertHappens(rule: AnyRule, start: IcsTime, work: WorkMeter): void {
  const to = addMonths(start.wall, CYCLE_MONTHS)
  const dates = work.take(counting => datesOfRule(rule, start, { ...counting, to, limit: 1 }))
  if (dates.length === 0) throw new Unreadable('RRULE matches no date', 'record_no_dates')
}
