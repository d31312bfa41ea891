import { type DayMention, daysLater, isPlural, weekdayOn } from './days.ts'
import { isOtherDay, isOtherTime, sentenceOf } from './roles.ts'
import type { TimeMention } from './times.ts'
import type { Token } from './tokens.ts'
import { AND, CANCELLED, EVERY, FULL, POSTPONED, setOf, weekdayOf } from './words.ts'

/** When an event takes place, as the API takes dates: a day without a time where the text says none. */
export type When = {
  start: string
  end: string | undefined
  /** Further dates of the same event. */
  dates: string[]
  isAllDay: boolean
  /** The tokens that say it. */
  startTokens: readonly [from: number, to: number]
  endTokens: readonly [from: number, to: number] | undefined
}

/** The days and times of a text that are those of events. */
export type EventMoments = { days: DayMention[]; times: TimeMention[] }

/** Leaves out what is over, and what belongs to deadlines, doors and opening hours. */
export function eventMoments(
  tokens: readonly Token[],
  days: readonly DayMention[],
  times: readonly TimeMention[],
): EventMoments {
  const isIn = (list: readonly { from: number; to: number }[]) => {
    const taken = new Set(
      list.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
    )
    return (token: number) => taken.has(token)
  }
  const isTaken = isIn([...days, ...times])
  const announced = days.filter(day => !day.isPast && !isOtherDay(tokens, day, isTaken))
  // One that is sold out may be all that there is.
  const open = announced.filter(day => !isFull(tokens, day))
  const dated = open.length > 0 ? open : announced
  const hasNewDate =
    tokens.some(({ low }) => CANCELLED.has(low)) && tokens.some(({ low }) => NEW_DATE.has(low))
  return {
    days: dated.flatMap((day, i) => afterPostponement(tokens, day, dated[i + 1], hasNewDate) ?? []),
    times: times.filter(time => !isOtherTime(tokens, time, isTaken)),
  }
}

/** Words of a new date for what was called off. */
export const NEW_DATE = setOf('ersatztermin nachgeholt nachholtermin nachholtermins')

/** Whether a day is sold out or called off: «6 February is full; a second one …». */
function isFull(tokens: readonly Token[], { from, to }: DayMention): boolean {
  for (let i = to; i < to + 8; i++) {
    const { low, line } = tokens[i] ?? { low: ';', line: -1 }
    if (low === ';' || low === '.' || line !== tokens[from]?.line) return false
    if (FULL.has(low)) return true
  }
  return false
}

/** A day of an event that was postponed: the later one counts, of a stretch its end («from 21 January to 4 February»). */
function afterPostponement(
  tokens: readonly Token[],
  day: DayMention,
  next: DayMention | undefined,
  hasNewDate: boolean,
): DayMention | undefined {
  const sentence = sentenceOf(tokens, day.from)
  if (hasNewDate && next && next.date > day.date) return undefined
  if (!sentence.some(({ low }) => POSTPONED.has(low))) return day
  const end = sentence.at(-1)
  if (next && end && (tokens[next.from]?.from ?? Infinity) <= end.from && next.date > day.date)
    return undefined
  const { last, ...first } = day
  return last === undefined ? day : { ...first, date: last }
}

const ALL_DAY = ['all day', 'ganztagig', 'todo el dia', 'toute la journee', 'den ganzen tag'].map(phrase =>
  phrase.split(' '),
)
const EACH = setOf('jeweils each daily every chaque cada taglich nightly')
const MORE = setOf(
  'weitere weiterer further more also another second segunda segundo otra otras autre autres deuxieme tambien zweite',
)

/** Tokens between a start and an end that is said alone. */
const MOST_TO_END = 14
/** Lines between a day and its time. */
const MOST_LINES = 3
/** Tokens between a day and a time before it: `8pm on Friday 5 March`. */
const MOST_BEFORE = 5

/**
 * When the event of a part of a text takes place; undefined if it does not say it for sure.
 *
 * @param all the tokens of the text
 * @param part the first token of the part, and the one after its last
 */
export function whenOf(
  all: readonly Token[],
  [from, to]: readonly [number, number],
  { days, times }: EventMoments,
): When | undefined {
  // Mentions are known by the numbers of their tokens, so those before the part stay.
  const tokens = all.slice(0, to)
  const isAllDay = isAllDayIn(tokens.slice(from))
  const sure = days.filter(({ isContradicted }) => !isContradicted)
  const stretch = sure.find(({ last }) => last !== undefined)
  const weekly = stretch && (everyWeek(tokens, stretch) ?? everyDay(tokens, stretch, times))
  if (weekly) return ofDays(tokens, weekly[0] ?? stretch, weekly, times, isAllDay)
  if (stretch) return ofStretch(tokens, stretch, sure, times)
  const [first] = sure
  // A day that is contradicted may be the very one.
  if (!first || (days[0] !== first && days[0]?.isContradicted)) return undefined
  return ofDays(tokens, first, sure, times, isAllDay)
}

/** Words for the parts of a run: each day of it has one at the same time. */
const PERFORMANCES = setOf(
  'performances performance nightly vorstellungen auffuhrungen representations funciones jeweils each',
)
const MOST_NIGHTS = 14

/** The dates of a run: «10 to 13 March, performances at 7.30 pm». */
function everyDay(
  tokens: readonly Token[],
  stretch: DayMention,
  times: readonly TimeMention[],
): DayMention[] | undefined {
  const { last, ...mention } = stretch
  const after = times.filter(({ start, from }) => start !== undefined && from >= stretch.to)
  if (last === undefined || after.length !== 1 || !tokens.some(({ low }) => PERFORMANCES.has(low)))
    return undefined
  const dates: DayMention[] = []
  for (let date = stretch.date; date <= last; date = daysLater(date, 1))
    dates.push({ ...mention, date, isListed: true })
  return dates.length <= MOST_NIGHTS ? dates : undefined
}

/** Tokens between a stretch and its weekday. */
const NEAR = 6
/** The most weeks of a course. */
const MOST_WEEKS = 60

/** The dates of a weekly course: «every Tuesday from 2 February to 23 March». */
function everyWeek(tokens: readonly Token[], stretch: DayMention): DayMention[] | undefined {
  const { last, ...mention } = stretch
  const weekday = tokens.slice(0, stretch.to + NEAR).reduce((found, { low }, i) => {
    if (found > 0 || i < stretch.from - NEAR) return found
    // «dienstags, 1. Juni bis 29. Juni»; after it, they are days on which an exhibition is open.
    if (isPlural(low)) return i <= stretch.from ? weekdayOf(low) : 0
    return EVERY.has(low) ? weekdayOf(tokens[i + 1]?.low ?? '') || weekdayOf(tokens[i + 2]?.low ?? '') : 0
  }, 0)
  if (weekday === 0 || last === undefined) return undefined
  const first = daysLater(stretch.date, (weekday - weekdayOn(stretch.date) + 7) % 7)
  const dates: DayMention[] = []
  for (let date = first; date <= last && dates.length < MOST_WEEKS; date = daysLater(date, 7))
    dates.push({ ...mention, date, isListed: true })
  return dates
}

/** Whether words say that something lasts all day. */
export const isAllDayIn = (tokens: readonly Token[]): boolean => {
  const words = tokens.filter(({ low }) => low !== '-')
  return words.some((_, i) => ALL_DAY.some(phrase => phrase.every((word, n) => words[i + n]?.low === word)))
}

/** The end of a time on a day: of the next one if it is earlier. */
const endOn = (date: string, start: string, end: string): string =>
  `${end <= start ? daysLater(date, 1) : date} ${end}`

function ofDays(
  tokens: readonly Token[],
  first: DayMention,
  days: readonly DayMention[],
  times: readonly TimeMention[],
  isAllDay: boolean,
): When {
  const line = (i: number): number => tokens[i]?.line ?? 0
  /** The times after a day, up to the next one; else one right before it. */
  const own = (day: DayMention, next: DayMention | undefined): TimeMention[] => {
    const after = times.filter(
      ({ from, start }) =>
        start !== undefined &&
        from >= day.to &&
        (!next || from < next.from || next.from === day.from) &&
        line(from) - line(day.to - 1) <= MOST_LINES,
    )
    if (after.length > 0) return after
    return times.filter(
      ({ to, from, start }) =>
        start !== undefined && to <= day.from && day.from - to < MOST_BEFORE && line(from) === line(day.from),
    )
  }
  const series = seriesOf(tokens, first, days, times)
  const found = series.map((day, i) => ({
    day,
    times: own(day, days[days.indexOf(day) + 1] ?? series[i + 1]),
  }))
  // One time for all days stands after the last of them, or before the first.
  const heading = found[0]?.times[0]
  // «16.30 Uhr: 24. Januar, 21. Februar»
  const isAbove = heading !== undefined && heading.to <= first.from && found.length > 1
  const someTimes = (i: number): TimeMention[] =>
    isAbove
      ? [heading]
      : (found.slice(i).find(one => one.times.length > 0)?.times ??
        found.slice(0, i).findLast(one => one.times.length > 0)?.times ??
        earliest(times))
  const occurrences = found.flatMap(({ day }, i) =>
    isAllDay
      ? []
      : timesListed(tokens, someTimes(i)).map(time => ({ day, time, start: `${day.date} ${time.start}` })),
  )
  const [one] = occurrences
  const dateOnly = {
    dates: series
      .slice(1)
      .map(({ date }) => date)
      .filter(date => date !== first.date),
    end: undefined,
    endTokens: undefined,
  }
  if (!one) return { start: first.date, ...dateOnly, isAllDay, startTokens: [first.from, first.to] }
  const { day, time } = one
  const later = times.find(
    ({ start, from }) =>
      start === undefined &&
      from >= time.to &&
      from - time.to <= MOST_TO_END &&
      line(from) - line(time.to - 1) <= 1,
  )
  const end = time.end ?? (later && closing(later, time.start ?? ''))
  const endsAt = end === undefined || time.start === undefined ? undefined : endOn(day.date, time.start, end)
  return {
    start: one.start,
    end: endsAt,
    dates: [...new Set(occurrences.slice(1).map(({ start }) => start))].filter(start => start !== one.start),
    isAllDay: false,
    startTokens: [Math.min(day.from, time.from), Math.max(day.to, time.to)],
    endTokens:
      endsAt === undefined ? undefined : time.end ? [time.from, time.to] : later && [later.from, later.to],
  }
}

/** The first time of the day: of several before the day, the later ones are points of a programme. */
const earliest = (times: readonly TimeMention[]): TimeMention[] =>
  times
    .filter(({ start }) => start !== undefined)
    .sort((a, b) => ((a.start ?? '') < (b.start ?? '') ? -1 : 1))
    .slice(0, 1)

/** The end that is said alone. «Until 3» is the first three o'clock after the start. */
function closing({ end = '', isEndVague }: TimeMention, start: string): string {
  const later = `${String(Number(end.slice(0, 2)) + 12)}${end.slice(2)}`
  return isEndVague && end <= start && later > start && later < '24' ? later : end
}

/** The first time, and those that only `and` separates from it: `12:00 y 17:00 hrs`. */
function timesListed(tokens: readonly Token[], times: readonly TimeMention[]): TimeMention[] {
  const [first, ...others] = times
  if (!first) return []
  const listed = [first]
  for (const time of others) {
    const before = listed.at(-1)
    if (
      !before ||
      time.from - before.to !== 1 ||
      !AND.has(tokens[before.to]?.low ?? '') ||
      tokens[before.to]?.low === ',' ||
      tokens[before.to]?.low === '/'
    )
      break
    listed.push(time)
  }
  return listed
}

/** The days of the same event: those of a list, those with words such as «further», and lines that begin with a day each. */
function seriesOf(
  tokens: readonly Token[],
  first: DayMention,
  days: readonly DayMention[],
  times: readonly TimeMention[],
): DayMention[] {
  const series = [first]
  for (const day of days.slice(days.indexOf(first) + 1)) {
    const before = series.at(-1) ?? first
    const between = tokens.slice(before.to, day.from)
    const isSameLine = between.every(({ line }) => line === tokens[day.from]?.line)
    const words = between.filter(({ kind }) => kind === 'word').length
    const hasMore = between.slice(-12).some(({ low }) => MORE.has(low))
    const isOfList =
      [before, day].every(({ from }) => startsItem(tokens, from)) &&
      words <= 8 &&
      (tokens[day.from]?.line ?? 0) - (tokens[before.from]?.line ?? 0) <= 1
    const hasTime = times.some(({ from, to }) => from >= before.to && to <= day.from)
    if (day.date < before.date) continue
    if (day.isListed || hasMore || isOfList || (isSameLine && words <= (hasTime ? 8 : 6))) series.push(day)
  }
  return series
}

/** Whether a day begins a line, or stands after a dash or a bullet. */
const startsItem = (tokens: readonly Token[], from: number): boolean =>
  tokens[from - 1]?.line !== tokens[from]?.line || ['•', '-'].includes(tokens[from - 1]?.low ?? '')

/** A stay, a festival or an exhibition: one event from its first to its last moment. */
function ofStretch(
  tokens: readonly Token[],
  stretch: DayMention,
  days: readonly DayMention[],
  times: readonly TimeMention[],
): When | undefined {
  const last = stretch.last ?? stretch.date
  const timed = times.filter(({ start }) => start !== undefined)
  const inside = timed.filter(
    ({ from, to }) =>
      from >= stretch.from &&
      to <= stretch.to + 4 &&
      tokens.slice(stretch.to, from).every(({ kind }) => kind !== 'word'),
  )
  const points = timed.filter(({ from }) => from >= stretch.to)
  const each = tokens.some(({ low }) => EACH.has(low))
  const base = {
    dates: [],
    isAllDay: false,
    startTokens: [stretch.from, stretch.to] as const,
    endTokens: [stretch.from, stretch.to] as const,
  }
  const [opening, closing] = [inside[0], inside.at(-1)]
  const span = Date.parse(last) - Date.parse(stretch.date)
  if (opening && closing && opening !== closing)
    return { ...base, start: `${stretch.date} ${opening.start}`, end: `${last} ${closing.start}` }
  const headings = headingsIn(tokens, stretch, days)
  const dayOf = (time: TimeMention): string | undefined =>
    headings.findLast(({ from }) => from <= time.from)?.date
  const [first] = points
  const end = points.findLast(({ from }) => startsItsLine(tokens, from)) ?? points.at(-1)
  if (!first || !end || each || span > 14 * 86_400_000) return { ...base, start: stretch.date, end: last }
  if (headings.length === 0) return { ...base, start: stretch.date, end: last }
  const isFirst = dayOf(first) === stretch.date
  const endTime = times.findLast(
    ({ from, end: until }) =>
      from >= end.from && until !== undefined && tokens[from]?.line === tokens[end.from]?.line,
  )
  const closes =
    endTime?.end !== undefined && dayOf(end) === last ? endOn(last, end.start ?? '', endTime.end) : undefined
  return {
    ...base,
    start: isFirst ? `${stretch.date} ${first.start}` : stretch.date,
    end: isFirst ? closes : last,
  }
}

/** Whether a time is the first of its line, as those of a programme are. */
const startsItsLine = (tokens: readonly Token[], from: number): boolean =>
  tokens[from - 1]?.line !== tokens[from]?.line ||
  (['•', '-', '*'].includes(tokens[from - 1]?.low ?? '') && tokens[from - 2]?.line !== tokens[from]?.line)

/** Weekdays and days above the points of a programme. */
function headingsIn(
  tokens: readonly Token[],
  stretch: DayMention,
  days: readonly DayMention[],
): { from: number; date: string }[] {
  const last = stretch.last ?? stretch.date
  const dated = days.filter(({ from, date }) => from >= stretch.to && date >= stretch.date && date <= last)
  const named = tokens.flatMap(({ low, line, kind }, from) => {
    if (from < stretch.to || kind !== 'word' || tokens[from - 1]?.line === line) return []
    const weekday = weekdayOf(low)
    if (weekday === 0 || low.length < 3) return []
    for (let date = stretch.date; date <= last; date = daysLater(date, 1))
      if (weekdayOn(date) === weekday) return [{ from, date }]
    return []
  })
  return [...dated.map(({ from, date }) => ({ from, date })), ...named].sort((a, b) => a.from - b.from)
}
