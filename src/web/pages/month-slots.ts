import { type DateTime, dayNumber } from '../../lib/time.ts'
import { type SiteTimes, siteTimes, weeksOf } from '../html/days.ts'
import type { LeanEvent } from '../html/lean-events.ts'
import type { Site } from '../html/site.ts'

/** Lanes that bars may take whatever else is on: further ones only where they leave room. Exhibitions may not hide the concerts. */
const LANES = 2

/** Events of a month that are read, at most. */
export const MOST_IN_MONTH = 1_000
/** Lines in the cell of a day. One of them leads to the others, if there are more events. */
const LINES = 5

/** An event that lasts more days than this is an exhibition, which lists of days name once. */
const MOST_DAYS = 7

/** Events that are named once for a whole month, at most. */
const MOST_THROUGHOUT = 20

/** An event with its times at the site. */
export type PlacedEvent = { row: LeanEvent; times: SiteTimes; isLong: boolean; isExhibition: boolean }

type Slot = PlacedEvent | undefined

/** A day's events in its lines; an event of several days is a bar, in the same line all week. */
export type Day = { slots: Slot[]; hidden: PlacedEvent[] }
type Days = Map<string, Day>

/** A month as a table. */
export type Month = {
  month: DateTime
  weeks: DateTime[][]
  days: ReadonlyMap<string, Readonly<Day>>
  /** The day with which lists of the month's days begin: today, in this month. */
  begins: string
  /** What is on on each of those days. */
  throughout: ReadonlySet<PlacedEvent>
  isCut: boolean
}

const dayOf = (wall: DateTime): string => wall.slice(0, 10)

/** The events of a month on each of their days, those of several days first. */
export function placed(site: Site, month: DateTime, rows: readonly LeanEvent[]): Month {
  const weeks = weeksOf(month, site.dates.firstWeekday)
  const days: Days = new Map(weeks.flat().map(day => [dayOf(day), { slots: [], hidden: [] }]))
  const all = rows
    .slice(0, MOST_IN_MONTH)
    .map(row => timed(site, row))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.times.start < b.times.start ? -1 : 1))
  for (const week of weeks) placeAll(days, week.map(dayOf), all)
  const own = weeks
    .flat()
    .map(dayOf)
    .filter(day => day.slice(0, 7) === month.slice(0, 7))
  const [first = '', last = ''] = [own[0], own.at(-1)]
  const today = dayOf(site.today)
  const begins = today > first && today <= last ? today : first
  const throughout = all
    .filter(shown => shown.isExhibition && shown.times.firstDay <= begins && shown.times.lastDay >= last)
    .slice(0, MOST_THROUGHOUT)
  return {
    month,
    weeks,
    days,
    begins,
    throughout: new Set(throughout),
    isCut: rows.length > MOST_IN_MONTH,
  }
}

/** Puts events on their days in a week. @param all in the order of their ranks */
function placeAll(days: Days, week: readonly string[], all: readonly PlacedEvent[]): void {
  const [first = '', last = ''] = [week[0], week.at(-1)]
  const here = all.filter(({ times }) => times.firstDay <= last && times.lastDay >= first)
  const [long, short] = [here.filter(({ isLong }) => isLong), here.filter(({ isLong }) => !isLong)]
  // A line is free for a bar below the first ones if the events of one day still fit beside it.
  const room = new Map(week.map(day => [day, LINES]))
  const total = new Map(week.map(day => [day, long.filter(shown => isOn(shown, day)).length]))
  for (const { times } of short) {
    room.set(times.firstDay, (room.get(times.firstDay) ?? 0) - 1)
    total.set(times.firstDay, (total.get(times.firstDay) ?? 0) + 1)
  }
  const isFree = (lane: number, day: string): boolean =>
    days.get(day)?.slots[lane] === undefined &&
    (lane < LANES || lane < (room.get(day) ?? 0) - ((total.get(day) ?? 0) > LINES ? 1 : 0))
  for (const shown of long) {
    const own = week.filter(day => isOn(shown, day))
    const lane = Array.from({ length: LINES }, (_, n) => n).find(n => own.every(day => isFree(n, day)))
    for (const day of own) put(days.get(day), lane, shown)
  }
  for (const shown of short) {
    const day = days.get(shown.times.firstDay)
    const lines = (total.get(shown.times.firstDay) ?? 0) > LINES ? LINES - 1 : LINES
    const free = day?.slots.indexOf(undefined) ?? -1
    const next = free === -1 ? (day?.slots.length ?? 0) : free
    put(day, next < lines ? next : undefined, shown)
  }
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

function timed(site: Site, row: LeanEvent): PlacedEvent {
  const times = siteTimes(row, site.context.settings.timezone)
  const { firstDay, lastDay } = times
  const isLong = lastDay > firstDay
  return { row, times, isLong, isExhibition: isLong && dayNumber(lastDay) - dayNumber(firstDay) >= MOST_DAYS }
}

const isOn = ({ times }: PlacedEvent, day: string): boolean => day >= times.firstDay && day <= times.lastDay

/** The rank of an event in a day: longer ones stand higher, so that they can go on in the same line; then come sticky events. */
const rankOf = (shown: PlacedEvent): number =>
  shown.isLong ? 0 : shown.row.sticky || shown.row.all_day ? 1 : 2
