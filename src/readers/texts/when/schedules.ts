import { areInSameSentence, hasWord, isJoined, sentenceOf } from '../words/clauses.ts'
import { areInLine, BULLETS, startsLine, type Token, tokensBefore } from '../words/tokens.ts'
import { AND, isKind, WORDS, weekdayOf } from '../words/words.ts'
import { areConsecutive, type DayMention, daysLater, weekdayOn } from './day-mentions.ts'
import { type EventMoments, isPriced, isTimeWithin } from './moments.ts'
import {
  hoursBetween,
  isMatinee,
  isStarting,
  MAX_BEFORE,
  MAX_TO_TIME,
  MAX_TO_WEEKDAY,
  recurringDays,
  type StartingTime,
  timesByWeekday,
} from './series.ts'
import { datesOfStretch, type EventDates, endOn, nightlyDates } from './stretches.ts'
import type { TimeMention } from './times.ts'
import { isDeniedWeekday } from './weekdays.ts'

// When an event takes place: its days and times become the dates of one day, of several, of a series, or of a
// stretch from its first to its last moment. Which time belongs to which day is told by what is between them.

/**
 * When the event of a part of a text takes place; undefined unless the text says so for sure.
 *
 * @param allTokens the tokens of the whole text
 * @param part the first token of the part, and the one after its last
 */
export function eventDatesOf(
  allTokens: readonly Token[],
  [from, to]: readonly [number, number],
  moments: EventMoments,
  today: string,
): EventDates | undefined {
  // Mentions refer to tokens by their indexes, so the tokens before the part are kept.
  const tokens = allTokens.slice(0, to)
  const { times } = moments
  const stay = stayIn(tokens, moments.days, times)
  const stretch = stay ?? stretchIn(moments.days, times)
  const days = stay ? [stay] : stretch ? moments.days : moments.days.filter(({ last }) => last === undefined)
  const daySentence = tokens[days[0]?.from ?? -1]?.sentence
  // “Fest am 18. April, 10–18 Uhr. … Den ganzen Tag: Streichelzoo”
  const isTimed = times.some(
    ({ start, from }) => start !== undefined && tokens[from]?.sentence === daySentence,
  )
  const isAllDay = !isTimed && moments.allDayTokens.some(at => at >= from && at < to)
  const series = recurringDays(tokens, [from, to], stretch, moments, today)
  const [first] = series ?? []
  if (series && first) return datesOfDays(tokens, first, series, times, isAllDay)
  // If seasons are named, nobody knows on which of their days the event is.
  if (days.some(({ season }) => season)) return undefined
  if (stretch) return nightlyDates(tokens, stretch, times) ?? datesOfStretch(tokens, stretch, days, times)
  const skipped = countStoryDays(tokens, days, times)
  if (skipped > 0)
    return eventDatesOf(allTokens, [from, to], { ...moments, days: days.slice(skipped) }, today)
  const firstOther = days.findIndex((day, i) => i > 0 && namesOtherEvent(tokens, from, days[i - 1], day))
  return (
    days[0] &&
    datesOfDays(tokens, days[0], firstOther < 0 ? days : days.slice(0, firstOther), times, isAllDay)
  )
}

/**
 * The stretch of an event, but not one far from an earlier day with a time, such as the trip for which a
 * supper collects money.
 */
function stretchIn(days: readonly DayMention[], times: readonly TimeMention[]): DayMention | undefined {
  const stretch = days.find(({ last }) => last !== undefined)
  const [first] = days
  if (!stretch || !first || (first.date >= daysLater(stretch.date, -2) && first.date <= (stretch.last ?? '')))
    return stretch
  const isTimed = times.some(
    ({ start, from }) => start !== undefined && from >= first.to && from < stretch.from,
  )
  return isTimed ? undefined : stretch
}

/**
 * Days in a row that are one stay, since its end is said: “9, 10 y 11 de abril … termina el domingo a las
 * 22”.
 */
function stayIn(
  tokens: readonly Token[],
  [first, ...further]: readonly DayMention[],
  times: readonly TimeMention[],
): DayMention | undefined {
  const last = further.at(-1)
  if (!first || !last || !further.every(({ isListed }) => isListed)) return undefined
  const isEnd = ({ from, start }: TimeMention): boolean =>
    start !== undefined &&
    from > last.to &&
    hasWord(tokens, from - MAX_TO_TIME, from, WORDS.ending) &&
    tokens
      .slice(Math.max(last.to, from - MAX_TO_TIME), from)
      .some(({ folded }) => weekdayOf(folded) === weekdayOn(last.date))
  return areConsecutive([first.date, ...further.map(({ date }) => date)]) && times.some(isEnd)
    ? { ...first, to: last.to, last: last.date }
    : undefined
}

/** A longer sentence, in tokens, is part of a story rather than a line of a poster. */
const LONG_SENTENCE = 8

/**
 * How many of the days that are named before the day of the event belong to a story: the sentence of the
 * event has a time, and the sentences of the story have none.
 */
function countStoryDays(
  tokens: readonly Token[],
  days: readonly DayMention[],
  times: readonly TimeMention[],
): number {
  const sentence = ({ from }: { from: number }): number => tokens[from]?.sentence ?? 0
  const isTimed = (day: DayMention): boolean =>
    times.some(time => time.start !== undefined && sentence(time) === sentence(day))
  const timed = days.findIndex(isTimed)
  const isOfStory = (day: DayMention): boolean =>
    !startsItem(tokens, day.from) && sentenceOf(tokens, day.from).length > LONG_SENTENCE
  return timed > 0 && days.slice(0, timed).every(isOfStory) ? timed : 0
}

/** How many tokens before a day may name what takes place on it. */
const MAX_TO_NAME = 60

/**
 * True if something else is named between two days of a sentence: “Lesung am 23. Januar und Spieleabend am
 * 27. Januar”.
 */
function namesOtherEvent(
  tokens: readonly Token[],
  from: number,
  last: DayMention | undefined,
  day: DayMention,
): boolean {
  const at = last?.to ?? day.from
  const named = tokens.slice(Math.max(from, at - MAX_TO_NAME), at).map(({ folded }) => folded)
  const isAgain = last?.date === day.date
  const between = tokens.slice(at, day.from).map(({ folded }) => folded)
  // “um 20 Uhr Premiere. Weitere Vorstellungen: 27. Februar”
  const lastNames = between.slice(
    between.findLastIndex(
      (folded, i) => WORDS.eachTime.has(folded) && WORDS.moreOfSeries.has(between[i - 1] ?? ''),
    ) + 1,
  )
  // “lundi 15 : pas de cours”
  const isNone = (i: number): boolean =>
    lastNames.slice(Math.max(0, i - 2), i).some(folded => WORDS.exceptDays.has(folded))
  return (
    !isAgain &&
    lastNames.some(
      (folded, i) => isKind(folded) && !WORDS.eachTime.has(folded) && !named.includes(folded) && !isNone(i),
    )
  )
}

/** An event on one of its days. */
type Occurrence = { day: DayMention; time: StartingTime; start: string }

/** When an event takes place on a day or on several, in the order in which they are named. */
function datesOfDays(
  tokens: readonly Token[],
  first: DayMention,
  days: readonly DayMention[],
  times: readonly TimeMention[],
  isAllDay: boolean,
): EventDates {
  const series = seriesOf(tokens, first, days)
  // “Thursday 11 March …, with a matinee on the Saturday at 2.30pm”
  const isOfOther = (time: TimeMention): boolean => {
    const before = tokens.slice(Math.max(first.to, time.from - MAX_TO_WEEKDAY), time.from)
    const named = before.findLast(
      ({ folded }, i) =>
        folded.length > 3 && weekdayOf(folded) > 0 && !isDeniedWeekday(tokens, time.from - before.length + i),
    )
    return (
      named !== undefined &&
      named.sentence === tokens[time.from]?.sentence &&
      weekdayOf(named.folded) !== weekdayOn(first.date)
    )
  }
  const starting = times.filter(isStarting).filter(time => series.length > 1 || !isOfOther(time))
  const [one, ...others] = isAllDay ? [] : occurrencesOf(tokens, series, days, starting)
  return one ? datesOfOccurrences(tokens, one, others, times) : datesOfWholeDays(first, series, isAllDay)
}

/** Days without times: those in a row are one stretch, such as “Saturday 23 and Sunday 24 January”. */
function datesOfWholeDays(first: DayMention, series: readonly DayMention[], isAllDay: boolean): EventDates {
  const [, ...dates] = new Set(series.map(({ date }) => date))
  const last = dates.length > 0 && areConsecutive([first.date, ...dates]) ? series.at(-1) : undefined
  return {
    start: first.date,
    end: last?.date,
    dates: last ? [] : dates,
    isAllDay,
    startTokens: [first.from, first.to],
    endTokens: last && [last.from, last.to],
  }
}

const NOON_BREAK = ['11:30', '13:30'] as const

/** The most hours of a break. */
const MAX_BREAK = 2

/** The end after a break at noon: “de 9h à 12h et de 13h30 à 16h30”. */
function endAfterBreak(
  tokens: readonly Token[],
  { from, to, end }: TimeMention,
  times: readonly TimeMention[],
): string | undefined {
  if (end === undefined || end < NOON_BREAK[0] || end > NOON_BREAK[1]) return undefined
  const next = times.find(time => time.from >= to)
  const between = next ? tokens.slice(to, next.from) : []
  const isJoined =
    between.some(({ folded }) => AND.has(folded) || WORDS.thenAfterBreaks.has(folded)) &&
    between.every(
      ({ folded, line }) =>
        line === tokens[from]?.line &&
        (AND.has(folded) || WORDS.thenAfterBreaks.has(folded) || WORDS.small.has(folded)),
    )
  const isBreak = next?.start !== undefined && next.start > end && hoursBetween(end, next.start) <= MAX_BREAK
  return isJoined && isBreak ? next?.end : undefined
}

/** The most tokens between a start and an end that is said alone. */
const MAX_TO_END = 14

function datesOfOccurrences(
  tokens: readonly Token[],
  { day, time, start }: Occurrence,
  others: readonly Occurrence[],
  times: readonly TimeMention[],
): EventDates {
  const line = (i: number): number => tokens[i]?.line ?? 0
  const later = times.find(
    one =>
      one.start === undefined &&
      one.end !== undefined &&
      one.from >= time.to &&
      !isPriced(tokens, one.from) &&
      one.from - time.to <= MAX_TO_END &&
      !isOfOtherWeekday(tokens, one, day) &&
      line(one.from) - line(time.to - 1) <= 1,
  )
  const end = endAfterBreak(tokens, time, times) ?? time.end ?? (later && closingTime(later, time.start))
  const endTime = time.end === undefined ? later : time
  return {
    start,
    end: end === undefined ? undefined : endOn(day.date, time.start, end),
    dates: [...new Set(others.map(one => one.start))].filter(one => one !== start),
    isAllDay: false,
    startTokens: [Math.min(day.from, time.from), Math.max(day.to, time.to)],
    endTokens: endTime && [endTime.from, endTime.to],
  }
}

/** True if an end belongs to something on another weekday: “Kuchen bitte am Samstag bis 17 Uhr abgeben” */
const isOfOtherWeekday = (tokens: readonly Token[], { from }: TimeMention, { date }: DayMention): boolean =>
  tokensBefore(tokens, from, MAX_TO_TIME).some(
    ({ folded, sentence }) =>
      folded.length > 3 &&
      sentence === tokens[from]?.sentence &&
      ![0, weekdayOn(date)].includes(weekdayOf(folded)),
  )

/** Each day of an event with its times: its own, those of its weekday, or one that is said of all days. */
function occurrencesOf(
  tokens: readonly Token[],
  series: readonly DayMention[],
  days: readonly DayMention[],
  times: readonly StartingTime[],
): Occurrence[] {
  const timesAt = (day: DayMention, i: number): StartingTime[] => {
    const at = days.indexOf(day)
    const next = days[at + 1] ?? series[i + 1]
    const previous = at > 0 ? days[at - 1] : undefined
    return timesOfDay(tokens, times, day, previous, next?.from === day.from ? undefined : next)
  }
  const timesOfDays = series.map((day, i) => {
    const at = timesAt(day, i)
    // “Cérémonie du 19 mars … Vendredi 19 mars, 10 h 45”
    const again = at.length > 0 ? undefined : days.find(one => one !== day && one.date === day.date)
    return again ? timesAt(again, i) : at
  })
  const heading = timesOfDays[0]?.[0]
  // “16.30 Uhr: 24. Januar, 21. Februar”
  const isAbove = heading && heading.to <= (series[0]?.from ?? 0) && series.length > 1
  const byWeekday =
    series.length > 1 && times.length > 1 ? timesByWeekday(tokens, times) : new Map<number, StartingTime>()
  return series.flatMap((day, i) => {
    // “Samstag, 20. März, 10–18 Uhr … Basteln am Samstag um 14 Uhr”
    const isOwn = ({ from, end }: StartingTime): boolean =>
      end !== undefined && from >= day.to && isJoined(tokens, day.to, from)
    const hasOwn =
      series.every(other => other === day || other.from !== day.from) && timesOfDays[i]?.some(isOwn)
    // One time for all days stands after the last of them, or before the first.
    const isTimed = (dayTimes: readonly StartingTime[]): boolean => dayTimes.length > 0
    const sharedTimes =
      timesOfDays.slice(i).find(isTimed) ?? timesOfDays.slice(0, i).findLast(isTimed) ?? onlyTimeOf(times)
    const ofWeekday = hasOwn ? undefined : byWeekday.get(weekdayOn(day.date))
    const isPoint =
      ofWeekday !== undefined &&
      sharedTimes.some(openingHours => isPointWithin(tokens, ofWeekday, openingHours))
    // “20 Uhr am Freitag, 5. März, und 17 Uhr am Sonntag, 7. März”
    const hasOwnBefore = timesOfDays[i]?.some(({ to }) => to <= day.from && isJoined(tokens, to, day.from))
    const special = (isPoint ? undefined : ofWeekday) ?? (isAbove && !hasOwnBefore ? heading : undefined)
    const isAdded = special && isMatinee(tokens, special)
    const listed = timesListed(tokens, special && !isAdded ? [special] : sharedTimes)
    return [...(isAdded ? [special] : []), ...listed].map(time => ({
      day,
      time,
      start: `${day.date} ${time.start}`,
    }))
  })
}

/**
 * True if a later sentence names a time within the opening hours: “Samstag und Sonntag, 10–18 Uhr. Am Samstag
 * um 14 Uhr Basteln”.
 */
const isPointWithin = (tokens: readonly Token[], time: StartingTime, hours: StartingTime): boolean =>
  isTimeWithin(time, hours) && time.from > hours.from && !areInSameSentence(tokens, time, hours)

/** The most lines between a day and its time. */
const MAX_LINES = 3

/**
 * The times after a day, up to the next day. The times before it in its line are taken instead if none
 * follow, or if they belong to it more closely.
 */
function timesOfDay(
  tokens: readonly Token[],
  times: readonly StartingTime[],
  day: DayMention,
  previous: DayMention | undefined,
  next: DayMention | undefined,
): StartingTime[] {
  const line = (i: number): number => tokens[i]?.line ?? 0
  const after = times.filter(
    ({ from }) => from >= day.to && (!next || from < next.from) && line(from) - line(day.to - 1) <= MAX_LINES,
  )
  // “So 11.4. (18 Uhr), Fr 16.4. und Sa 17.4., jeweils 20 Uhr”: a time right after a day is that day's.
  // “9–12 und 14–17 Uhr am Samstag, 6. März”: each is near the next one, and the last is near the day.
  const earlier = times.filter(({ from, to }) => to <= day.from && from >= (previous?.to ?? 0))
  const far = earlier.findLastIndex(({ to }, i) => (earlier[i + 1]?.from ?? day.from) - to >= MAX_BEFORE)
  const before = earlier
    .slice(far + 1)
    .filter(
      ({ from }) => line(from) === line(day.from) && !(previous && isRightAfter(tokens, previous.to, from)),
    )
  // “jeden zweiten Dienstag von 17 bis 18 Uhr im Lesesaal, das nächste Mal am 9. Februar”, above the hours of
  // the office
  const [ofSentence, ...others] = previous ? [] : earlier.filter(time => areInSameSentence(tokens, time, day))
  if (
    ofSentence &&
    others.length === 0 &&
    !after.some(time => areInSameSentence(tokens, time, day) || time.isBeginning) &&
    sentenceOf(tokens, ofSentence.from).some(
      ({ folded, from }) =>
        from < (tokens[ofSentence.from]?.from ?? 0) && weekdayOf(folded) === weekdayOn(day.date),
    )
  )
    return [ofSentence]
  // “leaves at 8am on 6 March; the return is at 6pm”
  const isOfClause = ({ from }: TimeMention): boolean => tokens[from]?.clause === tokens[day.from]?.clause
  // “20 Uhr, Freitag, 5. März; 10 Uhr, Sonntag, 7. März”
  const [last] = before.slice(-1)
  const areBeforeDays =
    next &&
    last &&
    isJoined(tokens, last.to, day.from) &&
    after.every(({ to }) => isJoined(tokens, to, next.from))
  // “8pm, Saturday 6 February: dance, with supper at 9”
  const isRightBefore =
    !previous &&
    !next &&
    last &&
    areInSameSentence(tokens, last, day) &&
    isJoined(tokens, last.to, day.from) &&
    !isJoined(tokens, day.to, after[0]?.from ?? 0)
  if (
    after.length === 0 ||
    areBeforeDays ||
    isRightBefore ||
    (!previous && before.some(isOfClause) && !after.some(isOfClause))
  ) {
    // “Büro 9–12 Uhr. Konzert 20 Uhr, Samstag, 6. März”
    const own = before.filter(time => areInSameSentence(tokens, time, day))
    return own.length > 0 ? own : before
  }
  // “Besichtigung 9.15, Start 10.00”, but “The run is at 10. Bag drop starts at 8.30.”
  const [firstAfter] = after
  const isOfEvent = (time: StartingTime): boolean => {
    const [label, ...others] = sentenceOf(tokens, time.from)
    return (
      time.start >= (firstAfter?.start ?? '') ||
      label?.sentence === tokens[firstAfter?.from ?? -1]?.sentence ||
      WORDS.beginning.has(label?.folded ?? '') ||
      others.some(({ folded }) => isKind(folded))
    )
  }
  return after.slice(
    Math.max(
      0,
      after.findIndex(time => time.isBeginning && isOfEvent(time)),
    ),
  )
}

/**
 * The time at which the event is said to begin, or the only one in the text: of several, nobody knows which
 * is meant.
 */
function onlyTimeOf(times: readonly StartingTime[]): StartingTime[] {
  const one = times.find(({ isBeginning }) => isBeginning) ?? times[0]
  return one && (one.isBeginning || times.every(({ start }) => start === one.start)) ? [one] : []
}

/** The time of an end that is said alone: “until 3” is the first three o'clock after the start. */
function closingTime({ end = '', isEndVague }: TimeMention, start: string): string {
  const later = `${String(Number(end.slice(0, 2)) + 12)}${end.slice(2)}`
  return isEndVague && end <= start && later > start ? later : end
}

const hasBareNumber = (time: StartingTime | undefined): boolean =>
  time !== undefined && time.to === time.from + 1 && time.end === undefined

/** The first time, and those that only `and` separates from it: `12:00 y 17:00 hrs`. */
function timesListed(tokens: readonly Token[], times: readonly StartingTime[]): StartingTime[] {
  const isJoint = (time: StartingTime, i: number): boolean => {
    const [mark, ...small] = tokens.slice(times[i - 1]?.to ?? 0, time.from)
    return (
      mark !== undefined &&
      AND.has(mark.folded) &&
      // “um 14, 15 und 16 Uhr”, but “Kasse 14 Uhr, 15 Uhr Beginn”
      (mark.folded !== ',' || hasBareNumber(times[i - 1])) &&
      mark.folded !== '/' &&
      small.every(({ folded }) => WORDS.small.has(folded))
    )
  }
  const end = times.findIndex((time, i) => i > 0 && (times[0]?.end !== undefined || !isJoint(time, i)))
  return times.slice(0, end < 0 ? times.length : end)
}

/** The most words of an item of a list of days. */
const MAX_WORDS_OF_ITEM = 8

/** The most words between two days of a line. */
const MAX_WORDS_BETWEEN = 6

/** The most tokens between “further” and the day. */
const MAX_TO_MORE = 12

/**
 * The days of the same event: those of a list, those with words such as “further”, and lines that begin with
 * a day each.
 */
function seriesOf(tokens: readonly Token[], first: DayMention, days: readonly DayMention[]): DayMention[] {
  const series = [first]
  let before = first
  for (const day of days.slice(days.indexOf(first) + 1)) {
    const dayLines = [before, day].map(({ from }) => tokens[from]?.line ?? 0)
    const all = tokens.slice(before.to, day.from)
    // “lundi 15 février : pas de cours”, a line of its own
    const linesWithout = new Set(
      all
        .filter(({ folded, line }) => WORDS.exceptDays.has(folded) && !dayLines.includes(line))
        .map(({ line }) => line),
    )
    const between = all.filter(({ line }) => !linesWithout.has(line))
    const isSameLine = between.every(({ line }) => line === tokens[day.from]?.line)
    const words = between.filter(({ kind }) => kind === 'word').length
    const hasMore = between.slice(-MAX_TO_MORE).some(({ folded }) => WORDS.moreOfSeries.has(folded))
    // “Jeudi 4 et vendredi 5 à 20 h 30”, above “Dimanche 7 à 16 h”
    const head = days.find(({ from }) => areInLine(tokens, from, before.from)) ?? before
    const isOfList =
      [head, day].every(({ from }) => startsItem(tokens, from)) &&
      words <= MAX_WORDS_OF_ITEM &&
      (tokens[day.from]?.line ?? 0) - (tokens[before.from]?.line ?? 0) <= 1 + linesWithout.size
    if (day.date < before.date) continue
    // “Beginn: 23.2. … 1. Di., 23.2.”, “2. Di., 2.3.”
    const isAgain = series.length === 1 && day.date === first.date && startsItem(tokens, day.from)
    if (!isAgain && !day.isListed && !hasMore && !isOfList && !(isSameLine && words <= MAX_WORDS_BETWEEN))
      continue
    if (!isAgain) series.push(day)
    before = day
  }
  return series
}

/** One more than the tokens of “1. Abend:”. */
const MAX_OF_LABEL = 5

/**
 * True if a day begins a line, or stands after a dash, a bullet, a number, or what is counted: “Week 1: 25
 * Jan”.
 */
const startsItem = (tokens: readonly Token[], from: number): boolean => {
  const before = tokens[from - 1]
  const label = tokensBefore(tokens, from, MAX_OF_LABEL).filter(({ line }) => line === tokens[from]?.line)
  const isCounted =
    [':', '-', '→', '|'].includes(before?.folded ?? '') &&
    label.length < MAX_OF_LABEL &&
    label.some(({ kind }) => kind === 'number') &&
    label.filter(({ kind }) => kind === 'word').length === 1
  return (
    startsLine(tokens, from) ||
    isCounted ||
    BULLETS.has(before?.folded ?? '') ||
    (before?.kind === 'number' && startsLine(tokens, from - 1))
  )
}

/** True if a time follows a day, perhaps in brackets or after “at”, and no comma or “and” stands between. */
const isRightAfter = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens
    .slice(from, to)
    .every(({ folded }) => ['(', ':'].includes(folded) || (WORDS.small.has(folded) && !AND.has(folded)))
