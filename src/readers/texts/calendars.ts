import type { DayMention } from './days.ts'
import { hasPhrase } from './recurrences.ts'
import type { TimeMention } from './times.ts'
import type { Token } from './tokens.ts'
import { anyOf, setOf } from './words.ts'

// Newspapers and towns print calendars: a day alone in a line, and below it a line with a time for each
// event. By a heading that says so, this tells a calendar from the programme of one event, and finds its
// items.

/** An item of a calendar of events: its tokens, and its day, which stands in a line above it. */
type CalendarItem = { from: number; to: number; day: DayMention }

/** Of headings: “Agenda”, “Veranstaltungen” */
const CALENDARS = setOf(
  'agenda wochenprogramm termine veranstaltungen veranstaltungskalender veranstaltungstipps cartelera sorties diary listings',
)
/** “What’s on this week”, “Was ist los?” */
const QUESTIONS = [
  ['what', '’', 's', 'on'],
  ['what', "'", 's', 'on'],
  ['whats', 'on'],
  ['ist', 'los'],
  ['was', 'los'],
]
/** Of feasts that last for days, each with points of its own. */
export const FEASTS_OF_DAYS = setOf(
  'fasnacht fasnet fasching karneval carnaval carnival fiesta fiestas feria fete kirmes kirchweih kerwe kermesse festival festwoche volksfest dorffest stadtfest',
)
/** Of what has a programme of its own, in which all points belong together. */
export const FESTIVALS = anyOf(
  FEASTS_OF_DAYS,
  setOf(
    'fest fetes tagung congreso jornadas journees seminar stage retreat camp campamento course kurs curso ferien holiday',
  ),
)
/** Tokens of a heading that are looked at. */
const MAX_OF_HEADING = 12

/**
 * The items of a calendar, as newspapers and towns print it: lines that are days alone, and lines with a time
 * below each. A programme of one event looks the same, so a heading has to say that it is a calendar.
 */
export function calendarItemsIn(
  tokens: readonly Token[],
  days: readonly DayMention[],
  times: readonly TimeMention[],
): CalendarItem[] {
  const headings = days.filter(day => day.last === undefined && isHeading(tokens, day))
  const [first] = headings
  if (!first || headings.length < 2 || headings.some(({ date }, i) => date <= (headings[i - 1]?.date ?? '')))
    return []
  const above = tokens.slice(0, Math.min(first.from, MAX_OF_HEADING))
  const isCalendar =
    above.some(({ low }) => CALENDARS.has(low)) || hasPhrase(above, 0, above.length, QUESTIONS)
  if (!isCalendar || above.some(({ low }) => FESTIVALS.has(low))) return []
  const below = headings.map((day, i) =>
    itemsBelow(tokens, day, headings[i + 1]?.from ?? tokens.length, times),
  )
  return below.every(items => items.length > 0) && below.some(items => items.length > 1) ? below.flat() : []
}

/** True if a line is a day and nothing else. */
function isHeading(tokens: readonly Token[], { from, to }: DayMention): boolean {
  const line = tokens[from]?.line
  const isMark = (at: number): boolean => tokens[at]?.line !== line || tokens[at]?.kind === 'sign'
  let [start, end] = [from, to]
  while (tokens[start - 1]?.line === line && isMark(start - 1)) start--
  while (tokens[end]?.line === line && isMark(end)) end++
  return tokens[start - 1]?.line !== line && tokens[end]?.line !== line
}

/** The lines with a time below a day, each with those that follow it in its paragraph. */
function itemsBelow(
  tokens: readonly Token[],
  day: DayMention,
  end: number,
  times: readonly TimeMention[],
): CalendarItem[] {
  const line = (at: number): number => tokens[at]?.line ?? 0
  const items: CalendarItem[] = []
  /** True if an empty line stands between the day and what is below it. */
  let hasGap: boolean | undefined
  for (let from = day.to; from < end; ) {
    let to = from + 1
    while (to < end && line(to) === line(from)) to++
    const time = times.find(({ start, from: at }) => start !== undefined && at >= from && at < to)
    const item = items.at(-1)
    const isApart = line(from) - line(from - 1) > 1
    // “Apothekendienst: …”, below an item that stands close to its day
    if (item && isApart && (hasGap === false || !time)) break
    const isBelow = line(from) > line(day.to - 1)
    if (isBelow) hasGap ??= isApart
    if (time && isBelow)
      // The day is read as if it stood right before the time.
      items.push({ from, to, day: { ...day, from: time.from, to: time.from, isListed: false } })
    else if (item) item.to = to
    from = to
  }
  return items
}
