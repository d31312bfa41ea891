import { isObject } from '../../kit/lib/values.ts'
import { type RawValues, type ReadingNotes, reportLeftOut } from '../fields.ts'
import { localName } from './nodes.ts'
import { nodeText } from './places.ts'

// Schedules (https://schema.org/Schedule): the dates of an event by a rule. Pages are read as single dates,
// so a rule is only reported.

/** The parts that make a schedule more than a single date. */
const REPEATS = [
  'repeatFrequency',
  'repeatCount',
  'byDay',
  'byMonth',
  'byMonthDay',
  'byMonthWeek',
  'exceptDate',
]
/** The parts of a schedule in the order in which they are reported. */
const SCHEDULE_KEYS = ['startDate', 'endDate', 'startTime', 'endTime', 'duration', ...REPEATS]
/** The most values of a part that are reported. */
const MAX_VALUES = 10
/** The most schedules that are reported. */
const MAX_SCHEDULES = 20

const textsIn = (schedule: RawValues, part: string): string[] =>
  [schedule[part]].flat().slice(0, MAX_VALUES).map(nodeText).map(localName).filter(Boolean)

const dayPart = (text: string): string => text.trim().slice(0, 10)

/** A day with a time of the schedule, and its zone if it names one. */
function withTime(schedule: RawValues, date: string, part: 'startTime' | 'endTime'): string {
  const [time = ''] = textsIn(schedule, part)
  const [zone = ''] = textsIn(schedule, 'scheduleTimezone')
  if (time === '' || date.includes('T')) return date
  return `${date}T${time}${zone === '' || /(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? '' : `[${zone}]`}`
}

/**
 * The start and the end of an event. Without a start of its own, they are those of the first date of its
 * schedule.
 */
export function writtenTimesOf({ startDate, endDate, eventSchedule }: RawValues): {
  startDate: string
  endDate: string
} {
  const ownDates = { startDate: nodeText([startDate].flat()[0]), endDate: nodeText(endDate) }
  const first = [eventSchedule].flat().find(isObject)
  const [date = ''] = first ? textsIn(first, 'startDate') : []
  if (!first || ownDates.startDate !== '' || date === '') return ownDates
  const [end] = textsIn(first, 'endTime')
  return {
    startDate: withTime(first, date, 'startTime'),
    endDate:
      ownDates.endDate || end === undefined ? ownDates.endDate : withTime(first, dayPart(date), 'endTime'),
  }
}

/** Reports what the schedules of an event have in addition to its start. */
export function reportSchedules(
  { eventSchedule }: RawValues,
  startDate: string,
  reading: ReadingNotes,
): void {
  for (const schedule of [eventSchedule].flat().slice(0, MAX_SCHEDULES)) {
    const parts = isObject(schedule)
      ? SCHEDULE_KEYS.flatMap(part => textsIn(schedule, part))
      : [nodeText(schedule)]
    const isOneDate =
      isObject(schedule) &&
      REPEATS.every(part => textsIn(schedule, part).length === 0) &&
      textsIn(schedule, 'startDate').every(date => dayPart(date) === dayPart(startDate))
    const text = parts.join(' ').trim()
    if (!isOneDate && text !== '') reportLeftOut(reading, 'eventSchedule', text)
  }
}
