import type { DateTime } from '../lib/time.ts'
import { type SiteTimes, siteTimes, weeksOf } from './days.ts'
import type { LeanEvent } from './lean-events.ts'
import type { Site } from './site.ts'

/** Events of several days in a cell, at most, in weeks that have others, too: exhibitions may not hide the concerts. */
const MOST_LONG = 2

/** Events of a month that are read, at most. */
export const MOST_IN_MONTH = 1_000
/** Events in the cell of a day, at most; the others are behind a link to the day. */
const MOST_IN_CELL = 5

/** An event with its times at the site. */
export type Placed = { row: LeanEvent; times: SiteTimes }

type Slot = Placed | undefined
type Slots = Map<string, Slot[]>

/** A month as a table. The slots of a day hold its events; one of several days has the same slot all week. */
export type Month = {
  month: DateTime
  weeks: DateTime[][]
  slots: ReadonlyMap<string, readonly Slot[]>
  isCut: boolean
}

/** The events of a month on each of their days, those of several days first. */
export function placed(site: Site, month: DateTime, rows: readonly LeanEvent[]): Month {
  const weeks = weeksOf(month, site.dates.firstWeekday)
  const slots = new Map<string, Slot[]>(weeks.flat().map(day => [day.slice(0, 10), []]))
  const all = rows
    .slice(0, MOST_IN_MONTH)
    .map(row => ({ row, times: siteTimes(row, site.context.settings.timezone) }))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.times.start < b.times.start ? -1 : 1))
  for (const week of weeks) placeAll(slots, week, all)
  return { month, weeks, slots, isCut: rows.length > MOST_IN_MONTH }
}

/** Puts events on their days in a week. @param all in the order of their ranks */
function placeAll(slots: Slots, week: readonly DateTime[], all: readonly Placed[]): void {
  const [first = '', last = ''] = [week[0], week.at(-1)]
  const here = all.filter(
    ({ times }) => times.firstDay <= last.slice(0, 10) && times.lastDay >= first.slice(0, 10),
  )
  const long = here.filter(isLong)
  const short = here.filter(shown => !isLong(shown))
  const most = short.length > 0 ? MOST_LONG : MOST_IN_CELL
  const others = long.filter(shown => !place(slots, week, shown, most))
  for (const shown of [...short, ...others]) placeAnywhere(slots, week, shown)
}

const isLong = ({ times }: Placed): boolean => times.lastDay > times.firstDay

/** The slots of an event's days in a week. */
const listsOf = (slots: Slots, week: readonly DateTime[], { times }: Placed): Slot[][] =>
  week.flatMap(wall => {
    const day = wall.slice(0, 10)
    const list = day >= times.firstDay && day <= times.lastDay && slots.get(day)
    return list ? [list] : []
  })

/** Puts an event into the first slot that is free on all of its days. False if there is none among so many. */
function place(slots: Slots, week: readonly DateTime[], shown: Placed, most: number): boolean {
  const lists = listsOf(slots, week, shown)
  let slot = 0
  while (slot < most && lists.some(list => list[slot] !== undefined)) slot++
  if (slot === most) return false
  for (const list of lists) put(list, slot, shown)
  return true
}

/** Puts an event where each of its days has room. Below those that are shown, events are only counted. */
function placeAnywhere(slots: Slots, week: readonly DateTime[], shown: Placed): void {
  for (const list of listsOf(slots, week, shown)) {
    const free = list.slice(0, MOST_IN_CELL).indexOf(undefined)
    put(list, free < 0 ? list.length : free, shown)
  }
}

function put(list: Slot[], slot: number, shown: Placed): void {
  while (list.length < slot) list.push(undefined)
  list[slot] = shown
}

/** The rank of an event in a day: longer ones stand higher, so that they can go on in the same slot; then come sticky events. */
const rankOf = (shown: Placed): number => (isLong(shown) ? 0 : shown.row.sticky || shown.row.all_day ? 1 : 2)

/** The slots that fit into the cell of a day. */
export const fitting = (all: readonly Slot[]): readonly Slot[] =>
  all.length > MOST_IN_CELL ? all.slice(0, MOST_IN_CELL - 1) : all
