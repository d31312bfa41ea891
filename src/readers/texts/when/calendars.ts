import { skip, startsLine, type Token } from '../words/tokens.ts'
import { anyOf, phrasesOf, WORDS, weekdayOf } from '../words/words.ts'
import type { DayMention } from './day-mentions.ts'
import type { TimeMention } from './times.ts'

// Newspapers and towns print calendars: a day alone in a line, and below it a line with a time for each
// event. This distinguishes a calendar from the programme of one event, by a heading that says so, and finds
// its items.

/** An item of a calendar of events: its tokens, and its day, which is in a line above it. */
type CalendarItem = { from: number; to: number; day: DayMention }

/** Words for events that have a programme of their own, in which all points belong together. */
export const FESTIVALS = anyOf(WORDS.feastsOfDays, WORDS.withProgrammes)

const PHRASES_OF_HEADINGS = phrasesOf('phrasesAboveCalendars')

/** The most tokens at the beginning of a text that are looked at as its heading. */
const MAX_OF_HEADING = 12

/** The most tokens above the first day that are looked at as well. */
const MAX_ABOVE_DAY = 20

/**
 * The items of a calendar, as newspapers, towns and parishes print it: lines that begin with a day, and lines
 * with a time below each. A programme of one event looks the same, so a heading has to say that it is a
 * calendar.
 *
 * @param days those of events
 * @param allDays the days of the text, also those on which there is nothing
 */
export function calendarItemsIn(
  tokens: readonly Token[],
  days: readonly DayMention[],
  times: readonly TimeMention[],
  allDays: readonly DayMention[],
): CalendarItem[] {
  const headings = days.filter(day => day.last === undefined && isHeading(tokens, day, times))
  const [first] = headings
  if (!first || headings.length < 2 || headings.some(({ date }, i) => date <= (headings[i - 1]?.date ?? '')))
    return []
  const above = [
    ...tokens.slice(0, Math.min(first.from, MAX_OF_HEADING)),
    ...tokens.slice(Math.max(MAX_OF_HEADING, first.from - MAX_ABOVE_DAY), first.from),
  ]
  const isCalendar =
    // Where a day and its first hour come before everything else, there is no name of one event.
    (first.from === 0 && hasTimeBelow(tokens, first, times)) ||
    above.some(
      ({ folded }) => WORDS.headingsOfCalendars.has(folded) || WORDS.headingsOfWorship.has(folded),
    ) ||
    PHRASES_OF_HEADINGS.isIn(above)
  if (!isCalendar || above.some(({ folded }) => FESTIVALS.has(folded))) return []
  // “So 21.02. Kein Gottesdienst bei uns, um 11.00 in Oberau” is no item of the Sunday before.
  const starts = [...headings, ...allDays.filter(({ from }) => startsLine(tokens, from))].map(
    ({ from }) => from,
  )
  const below = headings.map(day =>
    itemsOf(tokens, day, Math.min(tokens.length, ...starts.filter(from => from > day.from)), times),
  )
  return below.some(items => items.length > 1) ? below.flat() : []
}

/** The most words next to the day of a line above its items: “Jueves Santo, 25 de marzo”. */
const MAX_BESIDE_DAY = 4

/** True if a line begins with a day, and has a time as well or hardly anything else. */
function isHeading(
  tokens: readonly Token[],
  { from, to }: DayMention,
  times: readonly TimeMention[],
): boolean {
  const line = tokens[from]?.line
  const countWords = (first: number, step: 1 | -1): number => {
    let count = 0
    for (let i = first; tokens[i]?.line === line && count <= MAX_BESIDE_DAY; i += step)
      if (tokens[i]?.kind !== 'sign') count++
    return count
  }
  const before = countWords(from - 1, -1)
  const isTimed = times.some(
    ({ start, from: at }) => start !== undefined && at >= to && tokens[at]?.line === line,
  )
  return isTimed ? before === 0 : before + countWords(to, 1) <= MAX_BESIDE_DAY
}

/** True if the line of a day or the one below it has a time. */
function hasTimeBelow(tokens: readonly Token[], { to }: DayMention, times: readonly TimeMention[]): boolean {
  const line = tokens[tokens.findIndex((token, i) => i >= to && token.kind === 'word')]?.line
  const end = tokens.findIndex((token, i) => i >= to && token.line > (line ?? 0))
  return timeIn(times, to, end < 0 ? tokens.length : end) !== undefined
}

const timeIn = (times: readonly TimeMention[], from: number, to: number): TimeMention | undefined =>
  times.find(({ start, from: at }) => start !== undefined && at >= from && at < to)

/**
 * The rest of a day’s line if it has a time, and the lines with a time below, each with those that follow it
 * in its paragraph.
 */
function itemsOf(
  tokens: readonly Token[],
  day: DayMention,
  end: number,
  times: readonly TimeMention[],
): CalendarItem[] {
  const line = (at: number): number => tokens[at]?.line ?? 0
  const items: CalendarItem[] = []
  /** True if there is an empty line between the day and what is below it. */
  let hasGap: boolean | undefined
  for (let from = day.to; from < end; ) {
    const to = skip(from + 1, i => i < end && line(i) === line(from))
    const time = timeIn(times, from, to)
    // “(en semaine : mardi et jeudi 9 h)”
    if (time && tokens.slice(from, time.from).filter(({ folded }) => weekdayOf(folded) > 0).length > 1) break
    const item = items.at(-1)
    const isApart = line(from) - line(from - 1) > 1
    // “Apothekendienst: …”, below an item that is close to its day
    if (item && isApart && (hasGap === false || !time)) break
    if (line(from) > line(day.to - 1)) hasGap ??= isApart
    else if (time) hasGap = false
    if (time)
      // The day is read as if it were right before the time.
      items.push({ from, to, day: { ...day, from: time.from, to: time.from, isListed: false } })
    else if (item) item.to = to
    from = to
  }
  return items
}
