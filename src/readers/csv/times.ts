import { reportGuess } from '../../calendar/imports/guesses.ts'
import { type RecordTimes, Unreadable } from '../../calendar/imports/records.ts'
import type { GuessCode } from '../../kit/lib/reasons.ts'
import {
  addDays,
  type DateTime,
  dayOf,
  daysLater,
  endOfDay,
  HOUR_MS,
  laterByClock,
  spanAt,
  toUtc,
  toWall,
  type ZonedTime,
} from '../../kit/lib/time.ts'
import { isSkipped, type ReadingNotes, reportLeftOut, reportSkipped } from '../fields.ts'
import { zoneNamed } from '../zone-names.ts'
import {
  type CellTimes,
  cellTimes,
  isOfEitherHalf,
  isOpen,
  isTimeCell,
  MIDNIGHT,
  readTimes,
} from './clock.ts'
import { isDayCell, readDay, readDays } from './days.ts'
import { flagIn } from './flags.ts'

// The times of an event as a row of a spreadsheet has them.

/** The cells of an event's times, and a function that names their columns in messages. */
type TimeCells = {
  cell: (column: 'start_date' | 'start_time' | 'end_date' | 'end_time' | 'all_day' | 'timezone') => string
  headingOf: (column: Parameters<TimeCells['cell']>[0]) => string
}

const OTHER_COLUMN = { end_date: 'end_time', end_time: 'end_date' } as const

/**
 * A row with its end in the right column: a column such as *Ende* may have days in some rows and times in
 * others.
 */
function withOwnEnd({ cell, headingOf }: TimeCells): TimeCells {
  const day = cell('end_date').trim()
  const time = cell('end_time').trim()
  const isDay = day === '' && cellTimes(time) === undefined && isDayCell(time, false)
  const isTime = time === '' && isTimeCell(day, false)
  if (!isDay && !isTime) return { cell, headingOf }
  const ownColumn = (column: Parameters<TimeCells['cell']>[0]) =>
    column === 'end_date' || column === 'end_time' ? OTHER_COLUMN[column] : column
  return { cell: column => cell(ownColumn(column)), headingOf: column => headingOf(ownColumn(column)) }
}

/** The days and times of a row, before it is known how they go together. */
type CellMoments = {
  from: string
  to: string | undefined
  first: CellTimes
  last: CellTimes
}

/** @throws Unreadable */
function momentsOf({ cell, headingOf }: TimeCells, context: CsvContext): CellMoments {
  if (cell('start_date').trim() === '') throw new Unreadable('it has no start date', 'record_no_start')
  const known = (column: 'start_time' | 'end_date' | 'end_time') => {
    const text = cell(column).trim()
    if (!isOpen(text)) return text
    // Dashes fill cells that are empty.
    if (/[^-–—]/.test(text)) reportLeftOut(context, headingOf(column), text)
    return ''
  }
  const end = known('end_date')
  const { from, to: until } = readDays(cell('start_date'), headingOf('start_date'), context, end)
  const to = end.trim() === '' ? until : readDay(end, headingOf('end_date'), context, { from: from.day })
  const timesIn = (column: 'start_time' | 'end_time', day: 'start_date' | 'end_date', inDay = '') => {
    const ownTimes = readTimes(known(column), headingOf(column))
    if (ownTimes.from === '') return readTimes(inDay, headingOf(day))
    // Numbers in the cell of the day may be another time, or the year of the day. Words say nothing more.
    if (/\d/.test(inDay)) readTimes(inDay, headingOf(day))
    return ownTimes
  }
  return {
    from: from.day,
    to: to?.day,
    first: timesIn('start_time', 'start_date', from.time),
    last: timesIn('end_time', 'end_date', to?.time),
  }
}

/** The settings and choices with which times are read. */
type CsvContext = Parameters<typeof readDays>[2] &
  ReadingNotes & {
    /** The zones that the rows of the file name. */
    zones?: readonly string[] | undefined
    /** True if the file writes times of all 24 hours. */
    hasAllHours?: boolean
    /** Takes what was assumed, once for each row. */
    assume?: (code: GuessCode, text: string, as: string) => void
  }

/**
 * The times of an event. Without any time it lasts whole days. An end without a day is on the day of the
 * start or, if its time is earlier and there is a night in between, on the next day.
 *
 * @throws Unreadable
 */
export function csvTimes(givenRow: TimeCells, context: CsvContext): RecordTimes {
  const row = withOwnEnd(givenRow)
  const namedZone = row.cell('timezone').trim()
  const { from: day, to, first, last } = momentsOf(row, context)
  const endInCells = last.to || last.from || first.to
  const endTime = endInCells === MIDNIGHT ? '00:00:00' : endInCells
  const all_day = wholeDaysIn(row, context) ?? (first.from === '' && endTime === '')
  const isLate = !all_day && first.from === MIDNIGHT
  const from = isLate ? daysLater(day, 1) : day
  const start = `${from} ${(!all_day && !isLate && first.from) || '00:00:00'}`
  // An event that starts at 24:00 starts on the next day, and therefore also ends on it.
  const lastDay = isLate && endInCells !== MIDNIGHT && (to ?? day) === day ? from : (to ?? day)
  const sameDay = `${lastDay} ${endTime || start.slice(11)}`
  const zoneOf = (name: string, wall: DateTime, otherwise: string) =>
    name === '' ? otherwise : readZone(name, wall, context)
  const timezone = zoneOf(namedZone, start, context.timezone)
  if (!all_day) reportHalves(row, { first, start, isLate }, context)
  if (all_day) {
    const end = endOfDay(isMidnightAfter(from, to, endTime) ? addDays(sameDay, -1) : sameDay)
    assertOrder(start, end)
    return { all_day, timezone, ...spanAt({ start, end, all_day }, timezone) }
  }
  const isNextDay =
    endInCells === MIDNIGHT || (to === undefined && sameDay < start && isAtNight(start, endTime))
  const end = isNextDay ? addDays(sameDay, 1) : sameDay
  const zone = zoneOf(first.zone, start, timezone)
  const endZone = zoneOf(last.zone, end, zone)
  const span = timedSpan({ start, end, zones: [zone, endZone], isNamed: namedZone !== '' }, timezone)
  const textIn = (time: 'start_time' | 'end_time', day: 'start_date' | 'end_date') =>
    row.cell(time).trim() || row.cell(day).trim()
  if (isSkipped(start, zone)) reportSkipped(context, textIn('start_time', 'start_date'), span)
  else if (isSkipped(end, endZone)) reportSkipped(context, textIn('end_time', 'end_date') || end, span)
  return { all_day, ...span }
}

/**
 * True if an event with an end earlier than its start may last into the next day; if not, one is mistyped.
 */
const isAtNight = (start: DateTime, endTime: string): boolean =>
  endTime <= '06:00:00' || laterByClock(`${dayOf(start)} ${endTime}`, 12 * HOUR_MS) <= start

/** Reports what a start leaves open: the half of the day, or the day whose midnight is meant. */
function reportHalves(
  { cell, headingOf }: TimeCells,
  { first, start, isLate }: { first: CellTimes; start: DateTime; isLate: boolean },
  context: CsvContext,
): void {
  const column = cell('start_time').trim() === '' ? 'start_date' : 'start_time'
  const text = cell(column).trim()
  if (isLate && !text.includes('24')) {
    const field = headingOf(column)
    reportGuess(context, {
      code: 'guess_value',
      field,
      text,
      as: start,
      what: context.what,
      line: context.line,
    })
  }
  if (!context.hasAllHours && isOfEitherHalf(first))
    context.assume?.('guess_half', text, first.from.slice(0, 5))
}

/** Outlook ends whole days at the midnight after them. */
const isMidnightAfter = (from: string, to: string | undefined, endTime: string): boolean =>
  endTime === '00:00:00' && to !== undefined && to > from

/** @throws Unreadable */
function assertOrder(start: DateTime, end: DateTime): void {
  if (end < start) throw new Unreadable('its end is before its start', 'record_ends_early')
}

/** True if an event lasts whole days; undefined if the row does not say so. */
function wholeDaysIn({ cell, headingOf }: TimeCells, context: CsvContext): boolean | undefined {
  const text = cell('all_day').trim()
  const flag = flagIn(text)
  if (flag === undefined && text !== '') reportLeftOut(context, headingOf('all_day'), text)
  return flag
}

/** The zone of a name, or else the calendar's own. */
function readZone(name: string, wall: DateTime, context: CsvContext): string {
  const { timezone, zones = [], what, line } = context
  const zone = zoneNamed(name, { wall, zones: [timezone, ...zones] })
  if (zone === undefined) reportGuess(context, { code: 'guess_zone', text: name, as: timezone, what, line })
  return zone ?? timezone
}

/** Wall times, each with its zone. */
type TimedSpan = {
  start: DateTime
  end: DateTime
  zones: readonly [start: string, end: string]
  isNamed: boolean
}

/**
 * The times of an event in the zone that shows them. Times in UTC, or at the offset of the row's or the
 * calendar's zone, are shown in it; others at their own offset, as those of pages are.
 *
 * @throws Unreadable if it ends before it starts
 */
function timedSpan({ start, end, zones, isNamed }: TimedSpan, timezone: string) {
  const [from, to] = zones
  if (from === timezone && to === timezone) {
    assertOrder(start, end)
    return { timezone, ...spanAt({ start, end }, timezone) }
  }
  const first = toUtc(start, from)
  const last = toUtc(end, to)
  assertOrder(first, last)
  const isOwn = from !== 'UTC' && !isNamed && toWall(first, timezone) !== start
  const zone = isOwn ? from : timezone
  const shownTime = (utc: DateTime): ZonedTime => ({ wall: toWall(utc, zone), utc })
  return { timezone: zone, start: shownTime(first), end: shownTime(last) }
}
