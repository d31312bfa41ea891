import { monthWith, weekdayFromMonday } from '../../../kit/lib/recurrence/days.ts'
import type { Frequency, Rule } from '../../../kit/lib/recurrence/rule.ts'
import { type DateTime, dayNumber, dayOf } from '../../../kit/lib/time.ts'
import { typedKeys } from '../../../kit/lib/values.ts'

export const INTERVAL_UNITS = ['day', 'week', 'month', 'year'] as const
type Unit = (typeof INTERVAL_UNITS)[number]

/**
 * How a monthly or yearly rule names its day: by its date, as the second Tuesday, as the last Tuesday, or as
 * the end of the month.
 */
export const WAYS = ['date', 'nth', 'last', 'end'] as const
export type Way = (typeof WAYS)[number]

/**
 * A rule as people say it, from a start day: every so many units, in weeks on some days (Monday is 0), in
 * months and years on the start day. It does not include the end.
 */
export type Shape = { interval: number; unit: Unit; days: readonly number[]; way: Way }

/** A day in the ways that rules may name it. `nth` counts that weekday in its month from 1. */
type NamedDay = {
  weekday: number
  day: number
  month: number
  nth: number
  isLast: boolean
  isEnd: boolean
}

/** Names a day. @param wall any time on that day */
export function namedDay(wall: DateTime): NamedDay {
  const [, month = 1, day = 1] = dayOf(wall).split('-').map(Number)
  const number = dayNumber(wall)
  const { end } = monthWith(number)
  return {
    weekday: weekdayFromMonday(number),
    day,
    month,
    nth: Math.ceil(day / 7),
    isLast: number + 7 >= end,
    isEnd: number + 1 === end,
  }
}

export const FREQUENCY: Readonly<Record<Unit, Frequency>> = {
  day: 'DAILY',
  week: 'WEEKLY',
  month: 'MONTHLY',
  year: 'YEARLY',
}

/**
 * The parts of a rule that name its days. Days that follow from the start are left out, so they move with it.
 */
function shapeDays({ unit, days, way }: Shape, { weekday, month, nth }: NamedDay): Partial<Rule> {
  if (unit === 'week')
    return days.length === 1 && days[0] === weekday
      ? {}
      : { byDay: days.map(day => ({ weekday: day, nth: 0 })) }
  if (unit === 'day' || way === 'date') return {}
  const inMonth = unit === 'year' ? { byMonth: [month] } : {}
  if (way === 'end') return { ...inMonth, byMonthDay: [-1] }
  return { ...inMonth, byDay: [{ weekday, nth: way === 'last' ? -1 : nth }] }
}

/** The rule of a shape, without an end. @param from the start day */
export const ruleOfShape = (shape: Shape, from: DateTime): Rule => ({
  freq: FREQUENCY[shape.unit],
  interval: shape.interval,
  weekStart: 0,
  ...shapeDays(shape, namedDay(from)),
})

/** The shape of a rule; undefined for a rule that has none. @param from its first date */
export function shapeOf(rule: Rule, from: DateTime): Shape | undefined {
  const { freq, interval, byDay, byMonthDay, byMonth, bySetPos } = rule
  if (bySetPos) return undefined
  const unit = INTERVAL_UNITS.find(name => FREQUENCY[name] === freq)
  const start = namedDay(from)
  const shape = (parts: Partial<Shape>): Shape => ({
    interval,
    unit: unit ?? 'day',
    days: [],
    way: 'date',
    ...parts,
  })
  if (unit === 'day' || unit === 'week') {
    if (byMonth || byMonthDay || byDay?.some(({ nth }) => nth !== 0)) return undefined
    if (unit === 'week') return shape({ days: byDay?.map(({ weekday }) => weekday) ?? [start.weekday] })
    if (!byDay) return shape({})
    // Some programs write weekly rules as “every day, from Monday to Friday”.
    return interval === 1 ? shape({ unit: 'week', days: byDay.map(({ weekday }) => weekday) }) : undefined
  }
  if (unit === undefined || (byMonth && unit === 'month')) return undefined
  if (byMonth && (byMonth.length > 1 || byMonth[0] !== start.month)) return undefined
  // In a yearly rule without months, these parts would apply to each month.
  if (unit === 'year' && !byMonth && (byDay || byMonthDay)) return undefined
  const way = wayOf(rule, start)
  return way && shape({ way })
}

function wayOf({ byDay, byMonthDay }: Rule, start: NamedDay): Way | undefined {
  if (!byDay && !byMonthDay) return 'date'
  if (byDay && byMonthDay) return undefined
  const [number, ...numbers] = byMonthDay ?? []
  if (number !== undefined && numbers.length === 0)
    return number === start.day ? 'date' : number === -1 && start.isEnd ? 'end' : undefined
  const [day, ...days] = byDay ?? []
  if (!day || days.length > 0 || day.weekday !== start.weekday) return undefined
  return day.nth === start.nth ? 'nth' : day.nth === -1 && start.isLast ? 'last' : undefined
}

export const isSameShape = (a: Shape, b: Shape): boolean =>
  a.interval === b.interval && a.unit === b.unit && a.way === b.way && a.days.join() === b.days.join()

const WORKING_DAYS = [0, 1, 2, 3, 4]

/**
 * Common rules that are offered by name, most frequent first. A weekly one without days is on the start day.
 */
const PRESET_SHAPES = {
  weekly: { unit: 'week' },
  'month-nth': { unit: 'month', way: 'nth' },
  'month-last': { unit: 'month', way: 'last' },
  'month-date': { unit: 'month' },
  'month-end': { unit: 'month', way: 'end' },
  yearly: { unit: 'year' },
  daily: { unit: 'day' },
  weekdays: { unit: 'week', days: WORKING_DAYS },
} as const satisfies Record<string, Partial<Shape>>

export type Preset = keyof typeof PRESET_SHAPES
// The keys are those of the object.
export const PRESETS = typedKeys(PRESET_SHAPES)

/** The shape of a preset. @param from the start day */
export const shapeOfPreset = (preset: Preset, from: DateTime): Shape => ({
  interval: 1,
  days: preset === 'weekly' ? [namedDay(from).weekday] : [],
  way: 'date',
  ...PRESET_SHAPES[preset],
})

/** The ways to name a day in months and years. Not every month has a fifth Tuesday. */
export const waysOf = ({ nth, isLast, isEnd }: NamedDay): Way[] =>
  WAYS.filter(
    way =>
      way === 'date' || (way === 'nth' && nth < 5) || (way === 'last' && isLast) || (way === 'end' && isEnd),
  )

/** The presets that apply to a start day. */
export function presetsFrom(from: DateTime): Preset[] {
  const day = namedDay(from)
  const ways = waysOf(day)
  return PRESETS.filter(preset =>
    preset === 'weekdays'
      ? WORKING_DAYS.includes(day.weekday)
      : ways.includes(shapeOfPreset(preset, from).way),
  )
}
