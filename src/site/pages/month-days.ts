import { type DateTime, dayNumber, dayOf } from '../../kit/lib/time.ts'
import { compareTexts } from '../../kit/lib/values.ts'
import { badges, type DatedEvent, datedAsExpected } from '../html/events.ts'
import type { Html } from '../html/html.ts'
import type { PageContext } from '../html/page-context.ts'
import { MAX_IN_SPAN, type SpanEvent } from '../html/queries.ts'
import { weeksShown } from '../html/when.ts'

/**
 * The lines that bars may always take; they only get further ones where there is room, so that exhibitions
 * don't hide concerts.
 */
const MIN_LANES = 2

/**
 * Heights in a cell, in pixels of the usual font: of a bar, of an event that begins at a time, of a second
 * line of its title and of its badges, and of the link to further events. With another font, pages only have
 * a little more or less white space.
 */
const BAR_PX = 30
const TIMED_PX = 41
const LINE_PX = 17
const BADGES_PX = 20
const LINK_PX = 27

/** The longest title that takes one line, in characters. */
const MAX_LINE_LENGTH = 18

/**
 * The height in pixels up to which a week grows. Events that don't fit are behind a link, unless another day
 * is as high.
 */
const MAX_WEEK_PX = 290

/** The longest event in days that lists of days repeat; longer ones are exhibitions, which they list once. */
const MAX_DAYS = 7

/** The most events that are listed once for the whole month. */
const MAX_THROUGHOUT = 20

/** An event with its times at the site, and its badges. */
export type PlacedEvent = DatedEvent<SpanEvent> & { marks: Html[]; isLong: boolean; isExhibition: boolean }

/** The events of a day by line; an event of several days is a bar that keeps its line all week. */
type DayLines = { slots: (PlacedEvent | undefined)[]; hidden: PlacedEvent[] }
type Days = Map<string, DayLines>

export type Month = {
  month: DateTime
  weeks: readonly (readonly DateTime[])[]
  /** The days that the page is about: those of the month itself, or all from this week on. */
  shownDays: readonly string[]
  days: ReadonlyMap<string, Readonly<DayLines>>
  /** The first day in lists of days: today on the page of this month. */
  firstListedDay: string
  /** The exhibitions that last from the first listed day through the last day; they are in no cell. */
  throughout: readonly PlacedEvent[]
  isCut: boolean
}

const isThisMonth = (site: PageContext, month: DateTime): boolean =>
  month.slice(0, 7) === site.today.slice(0, 7)

/** The first and the last day that the page of a month is about. */
export function daysOfMonth(site: PageContext, month: DateTime): [first: DateTime, last: DateTime] {
  const days = weeksShown(site, month).flat()
  const shownDays = isThisMonth(site, month)
    ? days
    : days.filter(day => day.slice(0, 7) === month.slice(0, 7))
  return [shownDays[0] ?? month, shownDays.at(-1) ?? month]
}

/** What the page of a month shows, in words: the page of this month has days of two months. */
export const monthName = (site: PageContext, month: DateTime, isYearKnown = true): string =>
  isThisMonth(site, month)
    ? site.dates.range(...daysOfMonth(site, month), isYearKnown)
    : site.dates.format('month', month)

/** Places the events of a month on their days, those of several days first. */
export function placeEvents(site: PageContext, month: DateTime, rows: readonly SpanEvent[]): Month {
  const weeks = weeksShown(site, month)
  const days: Days = new Map(weeks.flat().map(day => [dayOf(day), { slots: [], hidden: [] }]))
  const events = rows
    .slice(0, MAX_IN_SPAN)
    .map(row => placedEventOf(site, row))
    .sort((a, b) => rankOf(a) - rankOf(b) || compareTexts(a.times.start, b.times.start))
  const [first = '', last = ''] = daysOfMonth(site, month).map(dayOf)
  const shownDays = weeks
    .flat()
    .map(dayOf)
    .filter(day => day >= first && day <= last)
  const today = dayOf(site.today)
  const begins = today > first && today <= last ? today : first
  const throughout = events
    .filter(shown => shown.isExhibition && shown.times.firstDay <= begins && shown.times.lastDay >= last)
    .slice(0, MAX_THROUGHOUT)
  const byDay = events.filter(shown => !throughout.includes(shown))
  for (const week of weeks) placeWeek(days, week.map(dayOf), byDay)
  return {
    month,
    weeks,
    shownDays,
    days,
    firstListedDay: begins,
    throughout,
    isCut: rows.length > MAX_IN_SPAN,
  }
}

/** A week whose lines are being filled. */
type Week = {
  days: Days
  /** The days of this week. */
  weekDays: readonly string[]
  /** The height of each day that its one-day events leave to bars. */
  room: ReadonlyMap<string, number>
}

const LINE_NUMBERS = Array.from({ length: Math.floor(MAX_WEEK_PX / BAR_PX) }, (_, n) => n)

/** Places events on their days in a week. @param events in the order of their ranks */
function placeWeek(days: Days, weekDays: readonly string[], events: readonly PlacedEvent[]): void {
  const first = weekDays[0] ?? ''
  const last = weekDays.at(-1) ?? ''
  const eventsOfWeek = events.filter(({ times }) => times.firstDay <= last && times.lastDay >= first)
  const daysHere = ({ times }: PlacedEvent): number =>
    weekDays.filter(day => day >= times.firstDay && day <= times.lastDay).length
  // Long bars come first, so that nothing is above them. If there is not a line for each, festivals get one
  // before exhibitions, which lists of days leave out anyway.
  const longEvents = eventsOfWeek.filter(({ isLong }) => isLong).sort((a, b) => daysHere(b) - daysHere(a))
  if (longEvents.length > MIN_LANES)
    longEvents.sort((a, b) => Number(a.isExhibition) - Number(b.isExhibition))
  const shortEvents = Map.groupBy(
    eventsOfWeek.filter(({ isLong }) => !isLong),
    ({ times }) => times.firstDay,
  )
  const roomOn = (day: string): number => {
    const neededHeight = heightOf(shortEvents.get(day) ?? [])
    const bars = longEvents.filter(shown => isOn(shown, day)).length * BAR_PX
    return MAX_WEEK_PX - neededHeight - (neededHeight + bars > MAX_WEEK_PX ? LINK_PX : 0)
  }
  const week: Week = { days, weekDays, room: new Map(weekDays.map(day => [day, roomOn(day)])) }
  for (const placedEvent of longEvents.filter(each => !placeBar(week, each))) placeBroken(week, placedEvent)
  for (const day of weekDays) placeShorts(days.get(day), shortEvents.get(day) ?? [])
  fillUp(weekDays.flatMap(day => days.get(day) ?? []))
}

/** True if a bar may take a line on a day: below the first lanes, only if the day's events still fit. */
const isFree = ({ days, room }: Week, line: number, day: string): boolean =>
  days.get(day)?.slots[line] === undefined &&
  (line < MIN_LANES || (line + 1) * BAR_PX <= (room.get(day) ?? 0))

/** Places an event of several days in one line. @returns false if none is free on all of these days */
function placeBar(week: Week, placedEvent: PlacedEvent): boolean {
  const eventDays = week.weekDays.filter(day => isOn(placedEvent, day))
  const line = LINE_NUMBERS.find(n => eventDays.every(day => isFree(week, n, day)))
  if (line !== undefined) for (const day of eventDays) put(week.days.get(day), line, placedEvent)
  return line !== undefined
}

/** Places an event of several days without a line of its own, on the days that have room for it. */
function placeBroken(week: Week, placedEvent: PlacedEvent): void {
  for (const [i, day] of week.weekDays.entries()) {
    if (!isOn(placedEvent, day)) continue
    // The line of the day before, if there is one.
    const before = week.days.get(week.weekDays[i - 1] ?? '')?.slots.indexOf(placedEvent) ?? -1
    const line = [before, ...LINE_NUMBERS].find(n => n !== -1 && isFree(week, n, day))
    put(week.days.get(day), line, placedEvent)
  }
}

/**
 * Places the events of one day below its bars; if they don't fit, the first ones in the lines that bars leave
 * above.
 */
function placeShorts(day: DayLines | undefined, shorts: readonly PlacedEvent[]): void {
  if (!day) return
  const barCount = day.slots.length
  const isTight = (placed: readonly PlacedEvent[]): boolean =>
    barCount * BAR_PX + heightOf(placed) + (day.hidden.length > 0 ? LINK_PX : 0) > MAX_WEEK_PX
  const remaining = [...shorts]
  for (let line = 0; line < barCount && isTight(remaining); line++)
    if (!day.slots[line]) put(day, line, remaining.shift())
  const maxHeight = isTight(remaining) ? MAX_WEEK_PX - LINK_PX : MAX_WEEK_PX
  const fittingCount = remaining.findIndex(
    (_, i) => barCount * BAR_PX + heightOf(remaining.slice(0, i + 1)) > maxHeight,
  )
  const shownEvents = remaining.splice(0, fittingCount === -1 ? remaining.length : fittingCount)
  day.slots.push(...shownEvents)
  day.hidden.push(...remaining)
}

/** The height of events of one day in pixels, one below the other. */
const heightOf = (events: readonly PlacedEvent[]): number =>
  events.reduce((sum, { event, marks, isLong }) => {
    if (isLong || event.all_day) return sum + BAR_PX
    return (
      sum +
      TIMED_PX +
      (event.title.length > MAX_LINE_LENGTH ? LINE_PX : 0) +
      (marks.length > 0 ? BADGES_PX : 0)
    )
  }, 0)

const lastBar = ({ slots }: DayLines): number =>
  slots.findLastIndex(shown => shown && (shown.isLong || shown.event.all_day))

/** Shows events without a place of their own where the highest day of the week leaves room. */
function fillUp(week: readonly DayLines[]): void {
  const heightOfDay = (day: DayLines): number => {
    const firstSlot = lastBar(day) + 1
    const shownSlots = day.slots.slice(firstSlot).filter(slot => slot !== undefined)
    return firstSlot * BAR_PX + heightOf(shownSlots) + (day.hidden.length > 0 ? LINK_PX : 0)
  }
  const highest = Math.max(...week.map(heightOfDay))
  for (const day of week)
    for (const placedEvent of [...day.hidden]) {
      const heightWithout = heightOfDay(day) - (day.hidden.length === 1 ? LINK_PX : 0)
      if (heightWithout + heightOf([placedEvent]) > highest) continue
      day.hidden.splice(day.hidden.indexOf(placedEvent), 1)
      // A bar below an event that begins at a time would cut that event to a line.
      day.slots.splice(
        placedEvent.isLong || placedEvent.event.all_day ? lastBar(day) + 1 : day.slots.length,
        0,
        placedEvent,
      )
    }
}

/** Puts an event into a line of a day, or among those that are only counted. */
function put(
  day: DayLines | undefined,
  line: number | undefined,
  placedEvent: PlacedEvent | undefined,
): void {
  if (!day || !placedEvent) return
  if (line === undefined) day.hidden.push(placedEvent)
  else {
    while (day.slots.length < line) day.slots.push(undefined)
    day.slots[line] = placedEvent
  }
}

function placedEventOf(site: PageContext, row: SpanEvent): PlacedEvent {
  const datedEvent = datedAsExpected(site, row)
  const { firstDay, lastDay } = datedEvent.times
  const isLong = lastDay > firstDay
  const isExhibition = isLong && dayNumber(lastDay) - dayNumber(firstDay) >= MAX_DAYS
  return { ...datedEvent, marks: badges(site, row), isLong, isExhibition }
}

const isOn = ({ times }: PlacedEvent, day: string): boolean => day >= times.firstDay && day <= times.lastDay

/**
 * The rank of an event in a day: events of several days come first, so that they can keep their line, then
 * sticky and all-day ones.
 */
const rankOf = (shown: PlacedEvent): number =>
  shown.isLong ? 0 : shown.event.sticky || shown.event.all_day ? 1 : 2
