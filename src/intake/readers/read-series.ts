import { TooCostly } from '../../lib/recurrence/budget.ts'
import { TooManyDates } from '../../lib/recurrence/dates.ts'
import { formatRule } from '../../lib/recurrence/rule.ts'
import { type DateTime, formatInstant, isDateTime } from '../../lib/time.ts'
import { isObject } from '../../lib/values.ts'
import { MOST_DATES } from '../../resources/events/recurrence/fields.ts'
import { horizonOf, type Pattern, startsOf } from '../../resources/events/recurrence/pattern.ts'
import { suffixes } from '../../resources/events/recurrence/plan.ts'
import { type FieldName, isFieldName } from '../../resources/events/recurrence/shared.ts'
import { type EventRecord, type OccurrenceOf, type SeriesRecord, Unreadable } from '../records.ts'
import { type Raw, readId, textOrEmpty } from './fields.ts'
import { MOST_IMPORTED } from './ics-recurrence.ts'
import { sourceRule } from './rules.ts'

// Series as instances of this service show them: a resource of its own, and in each occurrence.

function datesIn(raw: unknown, name: string, most: number): DateTime[] {
  const dates: unknown[] = Array.isArray(raw) ? raw : []
  if (!Array.isArray(raw ?? []) || dates.length > most || !dates.every(isDateTime))
    throw new Unreadable(`its ${name} is no list of at most ${most} dates`)
  return dates
}

/** Reads the recurrence of a series. @throws Unreadable */
export function readRecurrence(raw: unknown, most = MOST_DATES): Pick<Pattern, 'rrule' | 'rdate' | 'exdate'> {
  const given: Raw = isObject(raw) ? raw : {}
  const rrule = textOrEmpty(given.rrule)
  return {
    // UNTIL is in the zone of the series.
    rrule: rrule === '' ? '' : formatRule(sourceRule(rrule, 'its rule is none', wall => wall)),
    rdate: datesIn(given.rdate, 'rdate', most),
    exdate: datesIn(given.exdate, 'exdate', most),
  }
}

/** The starts of a pattern up to the horizon. @throws Unreadable if there are too many */
function startsUntil(pattern: Pattern, now: DateTime): DateTime[] {
  try {
    return startsOf(pattern, { to: horizonOf(pattern, now), limit: MOST_IMPORTED })
  } catch (error) {
    if (error instanceof TooManyDates) throw new Unreadable(`it occurs more than ${MOST_IMPORTED} times`)
    if (error instanceof TooCostly) throw new Unreadable('its rule takes too many steps')
    throw error
  }
}

/**
 * Makes a series of what was read of it like an event.
 *
 * @throws Unreadable for rules that are none, or that occur too often
 */
export function seriesRecord(event: EventRecord, raw: Raw, nowMs: number): SeriesRecord {
  const { kind: _, occurrence: _occurrence, chain: _chain, start, end, timezone, all_day, ...shared } = event
  const recurrence = readRecurrence(raw.recurrence)
  const pattern = { ...recurrence, start_date: start.wall, end_date: end.wall, timezone, all_day }
  const last = raw.last_date
  return {
    ...shared,
    kind: 'series',
    ...{ start, end, timezone, all_day, recurrence },
    dates: startsUntil(pattern, formatInstant(nowMs)).map(date => ({ date })),
    ...(isDateTime(last) && { madeUpTo: last }),
  }
}

/** The id of the series that an occurrence names; undefined for single events. */
export const seriesIdIn = (raw: unknown): string | undefined => {
  const number = isObject(raw) && isObject(raw.series) ? readId(raw.series.id) : undefined
  return number === undefined ? undefined : String(number)
}

/** Reads the place of an occurrence in its series. @throws Unreadable */
export function occurrenceIn(raw: Raw): OccurrenceOf | undefined {
  const series = seriesIdIn(raw)
  if (series === undefined || !isObject(raw.series)) return undefined
  const { occurrence_date: date, detached } = raw.series
  if (!isDateTime(date)) throw new Unreadable('it does not tell its date in its series')
  const names: unknown[] = Array.isArray(detached) ? detached : []
  return { series, date, suffix: suffixes([date])(date), detached: names.filter(isField) }
}

const isField = (name: unknown): name is FieldName => typeof name === 'string' && isFieldName(name)
