import { areNear, hasWord, isJoined } from '../words/clauses.ts'
import { areInLine, startsLine, type Token, tokensBefore } from '../words/tokens.ts'
import { AND, anyOf, WORDS, weekdayOf } from '../words/words.ts'
import { type DayMention, daysLater, weekdayFrom } from './day-mentions.ts'
import { MAX_BETWEEN_DAY_AND_TIME } from './moments.ts'
import {
  announcesExhibition,
  isEachDay,
  isLong,
  MAX_OF_WEEKDAYS,
  MAX_TO_DAY,
  MAX_TO_TIME,
  MAX_TO_WEEKDAY,
  weekdaysOfRun,
} from './series.ts'
import type { TimeMention } from './times.ts'

// A stay, a festival or an exhibition: one event from its first to its last moment.

/** When an event takes place, as the API takes dates: a day without a time where the text says none. */
export type EventDates = {
  start: string
  end: string | undefined
  /** Further dates of the same event. */
  dates: string[]
  isAllDay: boolean
  /** The tokens that say the start. */
  startTokens: readonly [from: number, to: number]
  endTokens: readonly [from: number, to: number] | undefined
}

/**
 * A run with one time: `24–26 December, 7.30pm`. Since the text does not say whether it begins once or each
 * evening, only its first beginning is read.
 */
export function nightlyDates(
  tokens: readonly Token[],
  stretch: DayMention,
  times: readonly TimeMention[],
): EventDates | undefined {
  const [time] = times.filter(({ start, from }) => start !== undefined && from >= stretch.from)
  if (
    !time ||
    time.from - stretch.to >= MAX_BETWEEN_DAY_AND_TIME ||
    isLong(stretch) ||
    time.from < stretch.to
  )
    return undefined
  if (!isJoined(tokens, stretch.to, time.from)) return undefined
  return {
    start: `${stretch.date} ${time.start}`,
    end: undefined,
    dates: [],
    isAllDay: false,
    startTokens: [stretch.from, time.to],
    endTokens: undefined,
  }
}

/** The moment of an end by the day of its start: on the next day if the end is the earlier time. */
export const endOn = (date: string, start: string, end: string): string =>
  `${end <= start ? daysLater(date, 1) : date} ${end}`

/** A longer stretch has no hours of its own. */
const MAX_DAYS_WITH_HOURS = 14

/** The most tokens of “a las” between the last day of a stretch and its time. */
const MAX_TO_LAST_TIME = 3

const OPENINGS_AND_ENDS = anyOf(WORDS.ending, WORDS.openingsAndClosings)

/** A stay, a festival or an exhibition: one event from its first to its last moment. */
export function datesOfStretch(
  tokens: readonly Token[],
  stretch: DayMention,
  days: readonly DayMention[],
  times: readonly TimeMention[],
): EventDates | undefined {
  const last = stretch.last ?? stretch.date
  const timed = times.filter(({ start }) => start !== undefined)
  const timesBeside = timed.filter(
    ({ from, to }) =>
      // “8pm Friday to 8am Saturday”
      (from >= stretch.from || (stretch.gap && isJoined(tokens, to, stretch.from))) &&
      from <= stretch.to + MAX_TO_LAST_TIME &&
      tokens.slice(stretch.to, from).every(({ kind, folded }) => kind !== 'word' || WORDS.small.has(folded)),
  )
  const points = timed.filter(({ from }) => from >= stretch.to)
  const base = {
    dates: [],
    isAllDay: false,
    startTokens: [stretch.from, stretch.to] as const,
    endTokens: [stretch.from, stretch.to] as const,
  }
  const [opening, closing] = [timesBeside[0], timesBeside.at(-1)]
  const isTooLong = last > daysLater(stretch.date, MAX_DAYS_WITH_HOURS)
  // “le 5 mars à 18 h, fin le 7 mars”, but “5. März, 10–18 Uhr, bis 7. März”
  const begun = timesBeside.find(
    one => one.from > stretch.from && one.from < stretch.to && one.end === undefined,
  )
  const startMoment = begun && !isTooLong ? `${stretch.date} ${begun.start}` : stretch.date
  if (opening && closing && opening !== closing)
    return { ...base, start: `${stretch.date} ${opening.start}`, end: `${last} ${closing.start}` }
  const headings = headingsIn(tokens, stretch, days, points)
  // “Freitag um 20 Uhr …, Samstag um 11 Uhr …”, but not “Karten am Freitag ab 9 Uhr”
  const isProgramme =
    points[0]?.end === undefined &&
    !hasWord(tokens, stretch.to, points.at(-1)?.from ?? 0, WORDS.admission) &&
    new Set(points.map(one => weekdayBeside(tokens, one, stretch) ?? stretch.date)).size > 1
  const dayOf = (time: TimeMention): string | undefined =>
    headings.findLast(({ from }) => from <= time.from)?.date ??
    (isProgramme ||
    time.isBeginning ||
    hasWord(tokens, time.from - MAX_OF_WEEKDAYS, time.to + MAX_TO_DAY, OPENINGS_AND_ENDS)
      ? weekdayBeside(tokens, time, stretch)
      : undefined)
  const [first] = points
  const end = points.at(-1)
  // “4 to 20 March, Thursday to Saturday 8 pm”: performances, none of which lasts until the last day.
  const isRun =
    headings.length === 0 &&
    !announcesExhibition(tokens) &&
    (isEachDay(tokens, 0, stretch) || weekdaysOfRun(tokens, stretch, areNear).length > 0) &&
    timed.length > 0 &&
    timed.every(time => time.end === undefined)
  if (isRun) return { ...base, start: stretch.date, end: undefined, endTokens: undefined }
  if (!first || !end || isTooLong) return { ...base, start: startMoment, end: last }
  const isFirst = dayOf(first) === stretch.date
  const endTime = times.findLast(
    ({ from, end: until }) => from >= end.from && until !== undefined && areInLine(tokens, from, end.from),
  )
  const isEnd = ({ from }: TimeMention): boolean => hasWord(tokens, from - MAX_TO_TIME, from, WORDS.ending)
  const isOnLast = dayOf(end) === last
  const endMoment =
    isFirst && isOnLast && isEnd(end)
      ? `${last} ${end.start}`
      : endTime?.end !== undefined && (isOnLast || dayOf(endTime) === last)
        ? endOn(last, (isOnLast && end.start) || '', endTime.end)
        : last
  return { ...base, start: isFirst ? `${stretch.date} ${first.start}` : startMoment, end: endMoment }
}

/**
 * The day of a stretch whose weekday stands right beside a time: “el viernes a las 18 h”, “at 6pm on Friday”.
 */
function weekdayBeside(
  tokens: readonly Token[],
  { from, to }: TimeMention,
  { date, last = date }: DayMention,
): string | undefined {
  const isWeekday = ({ folded, sentence }: Token): boolean =>
    weekdayOf(folded) > 0 && sentence === tokens[from]?.sentence
  const next = tokens
    .slice(to, to + MAX_TO_DAY)
    .find(({ folded }) => !WORDS.small.has(folded) || AND.has(folded))
  const named =
    next && isWeekday(next) ? next : tokensBefore(tokens, from, MAX_TO_WEEKDAY).findLast(isWeekday)
  const day = named && weekdayFrom(date, weekdayOf(named.folded))
  return day !== undefined && day <= last && last <= daysLater(date, 6) ? day : undefined
}

/** Weekdays and days above the points of a programme. */
function headingsIn(
  tokens: readonly Token[],
  stretch: DayMention,
  days: readonly DayMention[],
  points: readonly TimeMention[],
): { from: number; date: string }[] {
  const last = stretch.last ?? stretch.date
  const dated = days.filter(
    day => day !== stretch && day.from >= stretch.from && day.date >= stretch.date && day.date <= last,
  )
  // “Fr 20 Uhr Slam, Sa 15 Uhr Zirkus”
  const beforePoints = new Set(points.flatMap(({ from, end }) => (end === undefined ? from - 1 : [])))
  const named = tokens.flatMap(({ folded, kind }, from) => {
    if (from < stretch.to || kind !== 'word') return []
    // “Fr: 19 Uhr”
    const isHeading = startsLine(tokens, from) && (folded.length > 2 || tokens[from + 1]?.folded === ':')
    const weekday = isHeading || beforePoints.has(from) ? weekdayOf(folded) : 0
    const date = weekdayFrom(stretch.date, weekday)
    return weekday > 0 && date <= last ? [{ from, date }] : []
  })
  return [...dated.map(({ from, date }) => ({ from, date })), ...named].sort((a, b) => a.from - b.from)
}
