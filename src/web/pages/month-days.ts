import { type DateTime, dayNumber } from '../../lib/time.ts'
import { type DatedEvent, datedAsExpected } from '../html/events.ts'
import { MOST_IN_SPAN, type SpanEvent } from '../html/queries.ts'
import type { Site } from '../html/site.ts'
import { weeksShown } from '../html/when.ts'

/** The lanes that bars may always take; they only get further ones where there is room, so that exhibitions don't hide concerts. */
const LANES = 2

/** The lines in the cell of a day. If there are more events, one line links to the others. */
const LINES = 5

/** The longest event in days that lists of days repeat; longer ones are exhibitions, which they list once. */
const MOST_DAYS = 7

/** The most events that are listed once for the whole month. */
const MOST_THROUGHOUT = 20

/** An event with its times at the site. */
export type PlacedEvent = DatedEvent<SpanEvent> & { isLong: boolean; isExhibition: boolean }

type Slot = PlacedEvent | undefined

/** The events of a day by line; an event of several days is a bar that keeps its line all week. */
type Day = { slots: Slot[]; hidden: PlacedEvent[] }
type Days = Map<string, Day>

export type Month = {
  month: DateTime
  weeks: readonly (readonly DateTime[])[]
  /** The days that the page is about: those of the month itself, or all from this week on. */
  own: readonly string[]
  days: ReadonlyMap<string, Readonly<Day>>
  /** The first day in lists of days: today on the page of this month. */
  begins: string
  /** The exhibitions that last through all of these days. */
  throughout: ReadonlySet<PlacedEvent>
  isCut: boolean
}

const dayOf = (wall: DateTime): string => wall.slice(0, 10)

/** The first and the last day that the page of a month is about. */
export function daysOfMonth(site: Site, month: DateTime): [first: DateTime, last: DateTime] {
  const days = weeksShown(site, month).flat()
  const isNow = month.slice(0, 7) === site.today.slice(0, 7)
  const own = isNow ? days : days.filter(day => day.slice(0, 7) === month.slice(0, 7))
  return [own[0] ?? month, own.at(-1) ?? month]
}

/** Places the events of a month on their days, those of several days first. */
export function placed(site: Site, month: DateTime, rows: readonly SpanEvent[]): Month {
  const weeks = weeksShown(site, month)
  const days: Days = new Map(weeks.flat().map(day => [dayOf(day), { slots: [], hidden: [] }]))
  const all = rows
    .slice(0, MOST_IN_SPAN)
    .map(row => timed(site, row))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.times.start < b.times.start ? -1 : 1))
  for (const week of weeks) placeAll(days, week.map(dayOf), all)
  const [first = '', last = ''] = daysOfMonth(site, month).map(dayOf)
  const own = weeks
    .flat()
    .map(dayOf)
    .filter(day => day >= first && day <= last)
  const today = dayOf(site.today)
  const begins = today > first && today <= last ? today : first
  const throughout = all
    .filter(shown => shown.isExhibition && shown.times.firstDay <= begins && shown.times.lastDay >= last)
    .slice(0, MOST_THROUGHOUT)
  return {
    month,
    weeks,
    own,
    days,
    begins,
    throughout: new Set(throughout),
    isCut: rows.length > MOST_IN_SPAN,
  }
}

/** A week whose lines are being filled. */
type Week = {
  days: Days
  /** The days of this week. */
  own: readonly string[]
  /** The lines of each day that its short events leave. */
  room: ReadonlyMap<string, number>
  total: ReadonlyMap<string, number>
}

const LINE_NUMBERS = Array.from({ length: LINES }, (_, n) => n)

/** Places events on their days in a week. @param all in the order of their ranks */
function placeAll(days: Days, own: readonly string[], all: readonly PlacedEvent[]): void {
  const [first = '', last = ''] = [own[0], own.at(-1)]
  const here = all.filter(({ times }) => times.firstDay <= last && times.lastDay >= first)
  const [long, short] = [here.filter(({ isLong }) => isLong), here.filter(({ isLong }) => !isLong)]
  // Where not all have a line, festivals come first: lists of days leave out exhibitions, and would only count the others.
  if (long.length > LANES) long.sort((a, b) => Number(a.isExhibition) - Number(b.isExhibition))
  const shorts = new Map<string, number>()
  for (const { times } of short) shorts.set(times.firstDay, (shorts.get(times.firstDay) ?? 0) + 1)
  const shortOn = (day: string): number => shorts.get(day) ?? 0
  const week: Week = {
    days,
    own,
    room: new Map(own.map(day => [day, LINES - shortOn(day)])),
    total: new Map(own.map(day => [day, shortOn(day) + long.filter(shown => isOn(shown, day)).length])),
  }
  const broken = long.filter(shown => !placeBar(week, shown))
  for (const shown of broken) placeBroken(week, shown)
  for (const shown of short) placeShort(week, shown)
}

/** Tells if a bar may take a line on a day: below the first lanes, only if the day's events still fit. */
const isFree = ({ days, room, total }: Week, line: number, day: string): boolean =>
  days.get(day)?.slots[line] === undefined &&
  (line < LANES || line < (room.get(day) ?? 0) - ((total.get(day) ?? 0) > LINES ? 1 : 0))

/** Places an event of several days in one line. @returns false if none is free on all of these days */
function placeBar(week: Week, shown: PlacedEvent): boolean {
  const own = week.own.filter(day => isOn(shown, day))
  const line = LINE_NUMBERS.find(n => own.every(day => isFree(week, n, day)))
  if (line !== undefined) for (const day of own) put(week.days.get(day), line, shown)
  return line !== undefined
}

/**
 * Places an event of several days without a line of its own. It is only shown on days that would otherwise show nothing but a
 * number; lists of days leave out exhibitions.
 */
function placeBroken(week: Week, shown: PlacedEvent): void {
  const slotsOf = (day: string): Slot[] => week.days.get(day)?.slots ?? []
  const own = week.own.filter(day => isOn(shown, day))
  const bare = own.filter(
    day =>
      week.room.get(day) === LINES &&
      slotsOf(day).every(other => !other || (other.isExhibition && !shown.isExhibition)),
  )
  for (const day of own) {
    // The same line on all of these days, if there is one.
    const line =
      LINE_NUMBERS.find(n => bare.every(other => isFree(week, n, other) || slotsOf(other)[n] === shown)) ??
      LINE_NUMBERS.find(n => isFree(week, n, day))
    put(week.days.get(day), bare.includes(day) ? line : undefined, shown)
  }
}

/** Places an event of one day in the first free line, if it is not the line that links to the others. */
function placeShort({ days, total }: Week, shown: PlacedEvent): void {
  const { firstDay } = shown.times
  const day = days.get(firstDay)
  const lines = (total.get(firstDay) ?? 0) > LINES ? LINES - 1 : LINES
  const free = day?.slots.indexOf(undefined) ?? -1
  const next = free === -1 ? (day?.slots.length ?? 0) : free
  put(day, next < lines ? next : undefined, shown)
}

/** Puts an event into a line of a day, or among those that are only counted. */
function put(day: Day | undefined, line: number | undefined, shown: PlacedEvent): void {
  if (!day) return
  if (line === undefined) day.hidden.push(shown)
  else {
    while (day.slots.length < line) day.slots.push(undefined)
    day.slots[line] = shown
  }
}

function timed(site: Site, row: SpanEvent): PlacedEvent {
  const shown = datedAsExpected(site, row)
  const { firstDay, lastDay } = shown.times
  const isLong = lastDay > firstDay
  return { ...shown, isLong, isExhibition: isLong && dayNumber(lastDay) - dayNumber(firstDay) >= MOST_DAYS }
}

const isOn = ({ times }: PlacedEvent, day: string): boolean => day >= times.firstDay && day <= times.lastDay

/**
 * The rank of an event in a day: events of several days come first, so that they can keep their line, then sticky and all-day
 * ones.
 */
const rankOf = (shown: PlacedEvent): number =>
  shown.isLong ? 0 : shown.event.sticky || shown.event.all_day ? 1 : 2
