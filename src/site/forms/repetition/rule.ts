import * as z from 'zod/mini'
import type { RecurrenceChoice, Scope } from '../../../calendar/events/recurrence-fields.ts'
import { isFieldName } from '../../../calendar/events/schema.ts'
import { isDetachedIn } from '../../../calendar/events/shared-fields.ts'
import { givesDate, occurrenceDates } from '../../../kit/lib/recurrence/dates.ts'
import { followsDay, lastDayOfRule, laterRule } from '../../../kit/lib/recurrence/edit.ts'
import { shiftOf } from '../../../kit/lib/recurrence/pattern.ts'
import { formatRule, type Rule, readRule, WEEKDAYS } from '../../../kit/lib/recurrence/rule.ts'
import {
  type DateTime,
  dayOf,
  endOfDay,
  isDateTime,
  isDay,
  laterByClock,
  startOfDay,
} from '../../../kit/lib/time.ts'
import { typedKeys } from '../../../kit/lib/values.ts'
import { type Entries, entriesNamed, entry } from '../entries.ts'
import { countFor, datesTakingPlace, lastExpanded, MAX_RULE_DATES } from './date-count.ts'
import {
  INTERVAL_UNITS,
  isSameShape,
  PRESETS,
  presetsFrom,
  ruleOfShape,
  type Shape,
  shapeOf,
  shapeOfPreset,
  WAYS,
} from './shapes.ts'

const wallTime = z.string().check(z.refine(isDateTime))

const knownSchema = z.object({
  rrule: z.string(),
  rdate: z.array(wallTime),
  exdate: z.array(wallTime),
  first: wallTime,
  date: wallTime,
  shown: wallTime,
})

/**
 * A stored recurrence, with the first date of the series, the date of the event by the rule, and the start
 * that a form shows.
 */
export type KnownRecurrence = z.output<typeof knownSchema>

/**
 * The contents of the controls of a repetition, as text, so that a form that is shown again keeps the input.
 * `repeat` is one of the presets, '' for none, `own` for a rule made of interval, unit, days and way, `kept`
 * for one that cannot be put into words and stays as it is, or `dates` for single dates only.
 */
export type Controls = {
  repeat: string
  interval: string
  unit: string
  /** In the notation of rules: `MO`. */
  days: readonly string[]
  way: string
  /** `never`, `on` a date, or `after` a number of dates; '' before one is chosen. */
  end: string
  /** `YYYY-MM-DD`, inclusive. */
  until: string
  /** The number of the rule's dates that take place. COUNT of the rule includes those that are left out. */
  count: string
  also: readonly string[]
  not: readonly string[]
  /** The first and last day, `YYYY-MM-DD`, of a break; its dates become part of `not`. */
  from: string
  to: string
}

export type Repetition = { controls: Controls; known?: KnownRecurrence | undefined }

// Nothing repeats for ever unless somebody chose so.
const NO_END = { end: '', until: '', count: '' }
const NO_BREAK = { from: '', to: '' }

/**
 * The controls of an event without a repetition. A rule of one's own starts with the weekday of the start.
 */
export const NO_REPETITION: Controls = {
  repeat: '',
  interval: '1',
  unit: 'week',
  days: [],
  way: 'date',
  ...NO_END,
  also: [],
  not: [],
  ...NO_BREAK,
}

const intervalControls = ({ interval, unit, days, way }: Shape) => ({
  interval: String(interval),
  unit,
  days: days.map(day => WEEKDAYS[day] ?? ''),
  way,
})

export function controlsOf(known: KnownRecurrence): Controls {
  const { rrule, rdate, exdate, first } = known
  const rule = readRule(rrule)
  const shape = rule && shapeOf(rule, first)
  const preset = shape && presetsFrom(first).find(name => isSameShape(shape, shapeOfPreset(name, first)))
  const { count, until } = rule ?? {}
  const excludedValues = exdate.map(date => excludedValue(date, first))
  return {
    repeat: rrule === '' ? 'dates' : (preset ?? (shape ? 'own' : 'kept')),
    ...intervalControls(shape ?? shapeOfPreset('weekly', first)),
    end: count !== undefined ? 'after' : until !== undefined ? 'on' : 'never',
    until: (rule && lastDayOfRule(rule, first)) ?? '',
    count: rule && count !== undefined ? String(datesTakingPlace(rule, count, first, excludedValues)) : '',
    also: rdate.map(date => inputValue(date)),
    not: excludedValues,
    ...NO_BREAK,
  }
}

const inputValue = (wall: DateTime): string => wall.replace(' ', 'T').replace(/:00$/, '')

/** An excluded date: only the day, if all dates have its time. */
export const excludedValue = (date: DateTime, first: DateTime): string =>
  date.slice(10) === first.slice(10) ? dayOf(date) : inputValue(date)

export const INPUT_NAMES = {
  repeat: 'recurrence',
  interval: 'recurrence_interval',
  unit: 'recurrence_unit',
  days: 'recurrence_days',
  way: 'recurrence_way',
  end: 'recurrence_end',
  until: 'recurrence_until',
  count: 'recurrence_count',
  also: 'recurrence_also',
  not: 'recurrence_not',
  from: 'recurrence_from',
  to: 'recurrence_to',
} as const satisfies Record<keyof Controls, string>

// Objects forget the types of their keys.
const CONTROL_NAMES = typedKeys(INPUT_NAMES)

/** The name of the checkboxes for values of this date that the other dates are to get as well. */
export const SPREAD_INPUT = 'spread'

/** True if the other dates are to get the value of a field, although nobody has changed it in the form. */
export function isSpread(entries: Entries, name: string): boolean {
  const spread = entriesNamed(entries, SPREAD_INPUT)
  // The rule may name the day from which the dates move away.
  return isFieldName(name) && isDetachedIn(spread, name === 'recurrence' ? 'start_date' : name)
}

/** The name of the hidden input with the recurrence as it was stored when the form was made. */
export const KNOWN_INPUT = 'recurrence_known'

const MAX_INPUT_LENGTH = 100

const clipped = (text: string): string => text.trim().slice(0, MAX_INPUT_LENGTH)

/** Reads the controls of a repetition; undefined if the form has none. */
export function repetitionIn(entries: Entries): Repetition | undefined {
  if (!entries.has(INPUT_NAMES.repeat)) return undefined
  const clippedEntry = (name: keyof Controls) => clipped(entry(entries, INPUT_NAMES[name]))
  const storedRecurrence = readKnownRecurrence(entry(entries, KNOWN_INPUT))
  // Times that are spread move the dates from where the rule has them.
  const known =
    storedRecurrence && isSpread(entries, 'start_date')
      ? { ...storedRecurrence, shown: storedRecurrence.date }
      : storedRecurrence
  const allEntries = (name: keyof Controls) =>
    entriesNamed(entries, INPUT_NAMES[name])
      .slice(0, MAX_RULE_DATES)
      .map(clipped)
      .filter(text => text !== '')
  return {
    controls: {
      repeat: clippedEntry('repeat'),
      interval: clippedEntry('interval'),
      unit: clippedEntry('unit'),
      days: allEntries('days'),
      way: clippedEntry('way'),
      end: endIn(clippedEntry, known),
      until: clippedEntry('until'),
      count: clippedEntry('count'),
      also: allEntries('also'),
      not: allEntries('not'),
      from: clippedEntry('from'),
      to: clippedEntry('to'),
    },
    known,
  }
}

/** The chosen end. A typed date or number counts even if the radio button beside it was not selected. */
function endIn(
  clippedEntry: (name: 'end' | 'until' | 'count') => string,
  known: KnownRecurrence | undefined,
): string {
  const end = clippedEntry('end')
  const before = known && controlsOf(known)
  const isTyped = (name: 'until' | 'count') =>
    clippedEntry(name) !== '' && clippedEntry(name) !== before?.[name]
  if (end !== 'on' && isTyped('until')) return 'on'
  return end !== 'on' && end !== 'after' && isTyped('count') ? 'after' : end
}

/** True if a repetition has no end, and “never” was not chosen. */
export const lacksEnd = ({ controls: { repeat, end } }: Repetition): boolean =>
  end === '' && repeat !== '' && repeat !== 'dates' && repeat !== 'kept'

/** True if a break has only one of its days, or ends before it begins. */
export const hasUnclearBreak = ({ controls: { repeat, from, to } }: Repetition): boolean =>
  repeat !== '' && from + to !== '' && !(isDay(from) && isDay(to) && from <= to)

/**
 * The rule of a repetition, with the rule's dates in the break among those that are left out.
 *
 * @param start of the event, as a wall time
 */
export function withoutBreak(
  repetition: Repetition,
  start: DateTime,
): { repetition: Repetition; rrule: string } {
  const { controls, known } = repetition
  const { from, to } = controls
  const rrule = ruleIn(repetition, start)
  if (from + to === '' || hasUnclearBreak(repetition)) return { repetition, rrule }
  const first = firstDateOf(known, start)
  const span = { from: startOfDay(from), to: lastExpanded(first, endOfDay(to)), limit: MAX_RULE_DATES }
  const excludedBy = (rule: Rule | undefined) => {
    const dates = rule ? occurrenceDates({ start: first, rule }, span).dates : []
    return [...new Set([...controls.not, ...dates.map(date => excludedValue(date, first))])]
  }
  // The number of dates is reached after the break: COUNT includes all dates in the break, and the dates
  // after the last one need not be left out.
  const allExcluded = excludedBy(endless(readRule(rrule)))
  const countedRule =
    allExcluded.length === new Set(controls.not).size
      ? rrule
      : ruleIn({ known, controls: { ...controls, not: allExcluded } }, start, { recounts: true })
  const not = excludedBy(readRule(countedRule))
  return { repetition: { known, controls: { ...controls, ...NO_BREAK, not } }, rrule: countedRule }
}

function endless(rule: Rule | undefined): Rule | undefined {
  if (!rule) return undefined
  const { count: _, ...endlessRule } = rule
  return endlessRule
}

/** Empty inputs after the dates of each list. */
export const EMPTY_DATES: readonly string[] = ['', '']

export const entriesOfRepetition = ({
  controls,
  known,
}: Repetition): [name: string, texts: readonly string[]][] => {
  const { also, not } = controls
  const shownControls = { ...controls, also: [...also, ...EMPTY_DATES], not: [...not, ...EMPTY_DATES] }
  return [
    ...CONTROL_NAMES.map((name): [string, readonly string[]] => [
      INPUT_NAMES[name],
      [shownControls[name]].flat(),
    ]),
    ...(known ? [[KNOWN_INPUT, [JSON.stringify(known)]] as [string, readonly string[]]] : []),
  ]
}

/**
 * The longest stored recurrence in a form, in characters: some four thousand dates, though only a thousand
 * can be stored.
 */
const MAX_KNOWN = 100_000

/** Reads the stored recurrence from a form; undefined if it is malformed. */
function readKnownRecurrence(value: string): KnownRecurrence | undefined {
  if (value === '' || value.length > MAX_KNOWN) return undefined
  try {
    return knownSchema.safeParse(JSON.parse(value)).data
  } catch {
    return undefined
  }
}

/** The milliseconds that the dates of a series move when the start of one moves. @see shiftOf */
export const shiftTo = ({ date, shown }: KnownRecurrence, start: DateTime): number =>
  shiftOf({ ruled: date, stored: shown, to: start })

/** The first date of the series that an event with this start belongs to. */
export const firstDateOf = (known: KnownRecurrence | undefined, start: DateTime): DateTime =>
  known ? laterByClock(known.first, shiftTo(known, start)) : start

/**
 * The day on which a rule is based: its first date, unless the event was moved to another day; then its own
 * date by the rule.
 */
export function dayOfRule(known: KnownRecurrence | undefined, start: DateTime): DateTime {
  if (!known) return start
  return dayOf(known.shown) === dayOf(start) ? known.first : laterByClock(known.date, shiftTo(known, start))
}

/** The shape in the controls; undefined if they contain none. */
function shapeIn({ repeat, interval, unit, days, way }: Controls, from: DateTime): Shape | undefined {
  const preset = PRESETS.find(name => name === repeat)
  if (preset) return shapeOfPreset(preset, from)
  if (repeat !== 'own') return undefined
  const knownUnit = INTERVAL_UNITS.find(name => name === unit)
  if (!knownUnit || !/^\d{1,9}$/.test(interval) || Number(interval) < 1) return undefined
  const weekly = shapeOfPreset('weekly', from)
  const chosenDays = WEEKDAYS.flatMap((name, day) => (days.includes(name) ? [day] : []))
  return {
    interval: Number(interval),
    unit: knownUnit,
    days: knownUnit !== 'week' ? [] : chosenDays.length > 0 ? chosenDays : weekly.days,
    way: knownUnit === 'month' || knownUnit === 'year' ? (WAYS.find(name => name === way) ?? 'date') : 'date',
  }
}

/**
 * The rule in the controls, as text; '' for none. Invalid numbers and dates stay in it, so that
 * the API reports them. Unchanged controls give the same text as before.
 *
 * @param start of the event, as a wall time
 * @param options.recounts true if a break leaves out further dates
 */
export function ruleIn(repetition: Repetition, start: DateTime, { recounts = false } = {}): string {
  const { controls, known } = repetition
  const { repeat } = controls
  if (repeat === '' || repeat === 'dates') return ''
  const from = dayOfRule(known, start)
  const before = known && readRule(known.rrule)
  // When the start moves, the box of its former weekday stays ticked, although the rule names no weekday.
  const followsStart = before && followsDay(before) && isSameList(controls.days, controlsOf(known).days)
  const shape = shapeIn(followsStart ? { ...controls, days: [] } : controls, from)
  const shapeBefore = before && known && shapeOf(before, known.first)
  const isSame = shape && shapeBefore && from === known?.first && isSameShape(shape, shapeBefore)
  if (!shape && !(repeat === 'kept' && before)) return refusedRule(controls)
  const rule =
    shape && !isSame
      ? {
          ...ruleOfShape(shape, from),
          ...(before && shape.unit === 'week' && { weekStart: before.weekStart }),
        }
      : before
  const isKept = !recounts && rule === before
  return rule
    ? withEnd(rule, { controls, known }, held => countIn({ rule, held, isKept }, repetition, start))
    : refusedRule(controls)
}

/**
 * The COUNT for the number of dates that take place. An existing series keeps its COUNT if nobody has changed
 * the number: it has fewer dates if some are left out one by one.
 */
function countIn(
  { rule, held, isKept }: { rule: Rule; held: number; isKept: boolean },
  { controls, known }: Repetition,
  start: DateTime,
): number {
  const first = firstDateOf(known, start)
  const before = known && controlsOf(known)
  const storedCount = known && readRule(known.rrule)?.count
  const not =
    known && before && isSameList(controls.not, before.not)
      ? known.exdate.map(date => laterByClock(date, shiftTo(known, start)))
      : controls.not
  const isSameNumber = storedCount !== undefined && controls.count === before?.count
  if (isSameNumber && (isKept || datesTakingPlace(rule, storedCount, first, not) === held)) return storedCount
  return countFor(rule, held, first, not)
}

/** A text that is not a rule, so that the API reports what is wrong with the controls. */
const refusedRule = ({ repeat, interval }: Controls): string =>
  repeat === 'own'
    ? `FREQ=WEEKLY;INTERVAL=${withoutDelimiters(interval)}`
    : `FREQ=${withoutDelimiters(repeat)}`

const withoutDelimiters = (text: string): string => text.replace(/[;=]/g, ' ')

function withEnd(
  ruleWithOldEnd: Rule,
  { controls: { end, ...controls }, known }: Repetition,
  countOf: (held: number) => number,
): string {
  const { count: _, until, ...rule } = ruleWithOldEnd
  if (end === 'after')
    return /^[1-9]\d{0,8}$/.test(controls.count)
      ? formatRule({ ...rule, count: countOf(Number(controls.count)) })
      : `${formatRule(rule)};COUNT=${withoutDelimiters(controls.count)}`
  if (end !== 'on') return formatRule(rule)
  if (!/^\d{4}-\d\d-\d\d$/.test(controls.until))
    return `${formatRule(rule)};UNTIL=${withoutDelimiters(controls.until)}`
  // The last date may be at any time of its day.
  return formatRule({
    ...rule,
    until:
      until !== undefined && known && lastDayOfRule(ruleWithOldEnd, known.first) === controls.until
        ? until
        : endOfDay(controls.until),
  })
}

/**
 * The recurrence in the controls, as the API takes it. For an existing one it only contains what has changed:
 * the rest then moves with the event.
 *
 * @param start of the event, as a wall time
 * @param scope the dates that it applies to: from this date on, an unchanged count includes earlier dates,
 *   and a single date that moves leaves the rule as it is
 * @returns undefined if nothing changes
 */
export function recurrenceOf(
  repetition: Repetition,
  start: DateTime,
  scope?: Scope,
): RecurrenceChoice | undefined {
  const { known } = repetition
  const {
    repetition: { controls },
    rrule,
  } = withoutBreak(repetition, start)
  const { repeat, also, not } = controls
  if (!known) {
    if (repeat === '' || (repeat === 'dates' && also.length === 0)) return undefined
    return {
      ...(rrule && { rrule }),
      ...(also.length > 0 && { rdate: [...also] }),
      ...(not.length > 0 && { exdate: [...not] }),
    }
  }
  const before = controlsOf(known)
  if (scope === 'this' && isSameControls(controls, before)) return undefined
  if (repeat === '') return ''
  const rule = readRule(rrule)
  // The event has moved to another date of the same rule. If the rule were not sent again, all dates would
  // move as far as the event does.
  const day = dayOfRule(known, start)
  const isNamedAgain =
    rule !== undefined && day !== known.first && !followsDay(rule) && givesDate(rule, day, day)
  const choice = {
    ...((rrule !== known.rrule || isNamedAgain) && {
      rrule: scope === 'following' ? remainingRuleText(rrule, known, { controls, start }) : rrule,
    }),
    ...(!isSameList(also, before.also) && { rdate: [...also] }),
    ...(!isSameList(not, before.not) && { exdate: [...not] }),
  }
  return Object.keys(choice).length > 0 ? choice : undefined
}

/**
 * A rule for the dates of a series from one on. An unchanged number of dates counts the whole series, so it
 * is reduced to the dates that are left; a changed number counts the dates from this one on.
 */
function remainingRuleText(
  rrule: string,
  known: KnownRecurrence,
  { controls, start }: { controls: Controls; start: DateTime },
): string {
  const rule = readRule(rrule)
  const before = readRule(known.rrule)
  if (!rule || rule.count === undefined) return rrule
  const { count, not } = controlsOf(known)
  const { first, date } = known
  const isSameNumber = controls.count === count && before?.count !== undefined
  const remainingRule = isSameNumber ? laterRule(before, first, date) : undefined
  if (isSameNumber && remainingRule?.count === undefined) return rrule
  const heldCount =
    remainingRule?.count === undefined
      ? Number(controls.count)
      : datesTakingPlace(remainingRule, remainingRule.count, date, not)
  const from = laterByClock(date, shiftTo(known, start))
  return formatRule({ ...rule, count: countFor(rule, heldCount, from, controls.not) })
}

const isSameControls = (a: Controls, b: Controls): boolean =>
  CONTROL_NAMES.every(name => isSameList([a[name]].flat(), [b[name]].flat()))

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  [...a].sort().join() === [...b].sort().join()
