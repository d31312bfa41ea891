import { areInSameSentence, areNear, hasWord, sentenceOf } from '../words/clauses.ts'
import { areInLine, type Token, tokensBefore } from '../words/tokens.ts'
import { AND, anyOf, isKind, isPlaceWord, NUMBER_WORDS, phrasesOf, WORDS, weekdayOf } from '../words/words.ts'
import { comingDay, type DayMention, daysLater, weekdayOn } from './day-mentions.ts'
import { MAX_TO_EXCEPTION } from './exceptions.ts'
import type { EventMoments } from './moments.ts'
import { datesFrom, meetingCountIn, type TextRecurrence } from './recurrences.ts'
import type { TimeMention } from './times.ts'
import { weekdayRangeAt } from './weekdays.ts'

// What takes place each week or on each day of a run: its weekdays, its days and what it leaves out become
// dates.

/** How many tokens before a day its preposition may stand: “bis zum”, “à partir du”. */
export const MAX_TO_DAY = 3

/** The most tokens between a weekday and its time. */
export const MAX_TO_TIME = 8

/** The most tokens between a day and a time before it: `8pm on Friday 5 March`. */
export const MAX_BEFORE = 5

/** A mention of each of the dates that a text gives at one place; all but the first are further ones. */
const mentionsOf = (dates: readonly string[], { from, to }: { from: number; to: number }): DayMention[] =>
  dates.map((date, i) => ({ ...comingDay(from, to, date), isListed: i > 0 }))

/** The days of what takes place each week, or each day of a run: undefined if the text says neither. */
export function recurringDays(
  tokens: readonly Token[],
  [from, to]: readonly [number, number],
  stretch: DayMention | undefined,
  moments: EventMoments,
  today: string,
): DayMention[] | undefined {
  const series = seriesIn(tokens, [from, to], stretch, moments, today)
  return moments.unclear.some(at => at >= from && at < to) ? series?.slice(0, 1) : series
}

function seriesIn(
  tokens: readonly Token[],
  [from, to]: readonly [number, number],
  stretch: DayMention | undefined,
  { days, times, recurrences, except, exceptWeekdays, exceptNumbers, seriesEnds }: EventMoments,
  today: string,
): DayMention[] | undefined {
  if (!times.some(({ start }) => start !== undefined)) return undefined
  const ownRecurrences = recurrences.filter(one => one.from >= from && one.to <= to)
  // “No class on the 16th” is said of the first month that has such a date.
  const firstWithNumber = new Map<number, string>()
  const isLeftOut = (date: string): boolean => {
    const number = Number(date.slice(8))
    if (exceptNumbers.includes(number) && !firstWithNumber.has(number)) firstWithNumber.set(number, date)
    return (
      firstWithNumber.get(number) === date ||
      except.some(day => date >= day.date && date <= (day.last ?? day.date))
    )
  }
  // The weekdays of an exhibition are those on which it is open.
  const isExhibition = announcesExhibition(tokens.slice(from, to))
  if (stretch && isExhibition && isLong(stretch)) return undefined
  if (stretch)
    return daysOfRun(tokens, from, stretch, {
      days,
      times,
      recurrences: ownRecurrences,
      isLeftOut,
      exceptWeekdays,
    })
  const count = meetingCountIn(tokens.slice(from, to))
  const [begin] = days
  const [
    recurrence = begin && count !== undefined && isAfterFrom(tokens, begin) ? weeklyFrom(begin) : undefined,
  ] = ownRecurrences
  if (!recurrence) return undefined
  const [end] = seriesEnds.filter(day => day.from >= from && day.to <= to)
  if (end && isExhibition) return undefined
  if (begin === undefined) {
    // “Tuesdays 9.30, and a choir Thursdays 15” are two events.
    if (ownRecurrences.length > 1 && !areOfOneEvent(tokens, ownRecurrences, times.filter(isStarting)))
      return undefined
    const isLater = beginsNextWeek(tokens, [from, to])
    const first = isLater ? daysLater(today, 8 - weekdayOn(today)) : today
    const weekdays = ownRecurrences.flatMap(other => other.weekdays)
    const dates = datesFrom({ ...recurrence, weekdays }, first, { last: end?.date }, isLeftOut)
    const ofWeekday =
      ownRecurrences.find(other => other.weekdays.includes(weekdayOn(dates[0] ?? first))) ?? recurrence
    return mentionsOf(dates, end && end.from < recurrence.from ? end : ofWeekday)
  }
  // “every Tuesday, next on 5 March” and other days that are written out.
  if (days.length > 1 || !areNear(tokens, recurrence, begin)) return undefined
  const isItsFirst =
    end !== undefined || recurrence.weekdays.includes(weekdayOn(begin.date)) || isAfterFrom(tokens, begin)
  return isItsFirst
    ? mentionsOf(datesFrom(recurrence, begin.date, { last: end?.date, count }, isLeftOut), begin)
    : undefined
}

/**
 * True if one event has an hour for each of some weekdays: “Mondays at 6 pm and Saturdays at 9.30”. “Mondays
 * 14–18 and Saturdays 9–12” may be opening hours.
 */
function areOfOneEvent(
  tokens: readonly Token[],
  recurrences: readonly TextRecurrence[],
  times: readonly StartingTime[],
): boolean {
  const timed = timesByWeekday(tokens, times)
  return recurrences.every(({ from, weekdays, nth, step }, i) => {
    const before = times.findLast(time => time.to <= from)
    const between = i === 0 ? [] : tokens.slice(before?.to ?? 0, from)
    const isTimed = weekdays.every(weekday => timed.has(weekday) && timed.get(weekday)?.end === undefined)
    return nth.length === 0 && step === 7 && isTimed && between.every(isSmall)
  })
}

const isSmall = ({ folded }: Token): boolean => AND.has(folded) || WORDS.small.has(folded) || folded === ';'

const WEEKS_AHEAD = phrasesOf('weeksAhead')

/** True if a series begins next week: “Every Thursday from next week”, but not “Next week: cake sale”. */
const beginsNextWeek = (tokens: readonly Token[], [from, to]: readonly [number, number]): boolean =>
  tokens
    .slice(from, to)
    .some((_, i) => isAfterFrom(tokens, { from: from + i }) && WEEKS_AHEAD.at(tokens, from + i)?.value === 1)

const EXHIBITIONS =
  /^(?:exhibitions?|expositions?|expos?|exposicion(?:es)?|muestras?|vernissage|finissage)$|ausstellung(?:en)?$/

/**
 * True if an exhibition is what a part announces first: “Ausstellung vom 2. bis 28. März”, but neither
 * “Führung durch die Ausstellung” nor “Tai chi in the exhibition hall”.
 */
export const announcesExhibition = (part: readonly Token[]): boolean => {
  const at = part.findIndex(({ folded }) => isKind(folded) || EXHIBITIONS.test(folded))
  return EXHIBITIONS.test(part[at]?.folded ?? '') && !isPlaceWord(part[at + 1]?.folded ?? '')
}

const MAX_NIGHTS = 21

/** The days of a run: “5–28 March, Fridays and Saturdays 7 pm”, “daily at 8 pm”, a course. */
function daysOfRun(
  tokens: readonly Token[],
  from: number,
  stretch: DayMention,
  {
    days,
    times,
    recurrences,
    isLeftOut,
    exceptWeekdays,
  }: Pick<EventMoments, 'days' | 'times' | 'recurrences' | 'exceptWeekdays'> & {
    isLeftOut: (date: string) => boolean
  },
): DayMention[] | undefined {
  const near = recurrences.filter(one => areNear(tokens, one, stretch))
  const nearWeekdays = near.flatMap(one => one.weekdays)
  const isWeekly = isCourse(tokens, stretch, times) || isOnOneWeekday(tokens, stretch, { days, times })
  const [weekly = isWeekly ? weeklyFrom(stretch) : undefined] = near
  const dates = (recurrence: TextRecurrence): string[] =>
    datesFrom(recurrence, stretch.date, { last: stretch.last }, isLeftOut)
  const timed = times.filter(isStarting)
  // “del 4 al 14 de marzo, de jueves a sábado a las 20.30 h y domingos a las 19 h”
  if (weekdaysOfRun(tokens, stretch, areNear).length > 0) {
    const named = weekdaysOfRun(tokens, stretch, areInSameSentence)
    const timeByWeekday = timesByWeekday(tokens, timed)
    // “Thursdays to Sundays, 3–13 June, 8 pm”
    const isAhead = tokens.slice(0, stretch.from).some((_, i) => weekdayRangeAt(tokens, i).length > 0)
    const areShows =
      named.length > 0 &&
      named.every(one => isAhead || timeByWeekday.has(one)) &&
      times.every(({ end }) => end === undefined)
    const weekdays = [...named, ...timeByWeekday.keys()]
    return areShows ? mentionsOf(dates({ ...weeklyFrom(stretch), weekdays }), stretch) : undefined
  }
  const isDaily = isEachDay(tokens, from, stretch) || hasDailyHours(tokens, from, stretch, timed)
  // “daily at 7.15 pm, Sundays at 5 pm”
  const isExtra = isDaily && timed.length > 1 && (weekly?.from ?? 0) > (timed[0]?.from ?? 0)
  if (weekly && !isExtra)
    return mentionsOf(
      dates(weekly.nth.length > 0 || near.length < 2 ? weekly : { ...weekly, weekdays: nearWeekdays }),
      stretch,
    )
  const regular = timed.filter(time => !isMatinee(tokens, time))
  if (!isDaily || (regular.length !== 1 && timesByWeekday(tokens, timed).size === 0)) return undefined
  if ((stretch.last ?? '') >= daysLater(stretch.date, MAX_NIGHTS)) return undefined
  // An exception for the very first day is about something else: “pas d'inscription le lundi”.
  if (exceptWeekdays.includes(weekdayOn(stretch.date))) return mentionsOf([stretch.date], stretch)
  const weekdaysLeft = [1, 2, 3, 4, 5, 6, 7].filter(one => !exceptWeekdays.includes(one))
  return mentionsOf(dates({ ...weeklyFrom(stretch), weekdays: weekdaysLeft }), stretch)
}

const BEFORE_FIRST_DAY = anyOf(WORDS.fromOn, WORDS.beginningsOfSeries)

const isAfterFrom = (tokens: readonly Token[], { from }: Pick<DayMention, 'from'>): boolean =>
  tokensBefore(tokens, from, MAX_TO_DAY).some(
    ({ folded, text }) => BEFORE_FIRST_DAY.has(folded) && (folded !== 'des' || text === 'dès'),
  )

/** What takes place once a week from a day on: “8 Abende ab Dienstag, 19. Januar”. */
const weeklyFrom = ({ from, to, date }: DayMention): TextRecurrence => ({
  from,
  to,
  weekdays: [weekdayOn(date)],
  nth: [],
  step: 7,
})

/**
 * True if a stretch is a course, which meets once a week: “Mo 15.02.–22.03., 18:30–20:45 Uhr”, “martes, del 2
 * al 16 de febrero”
 */
export const isCourse = (
  tokens: readonly Token[],
  day: DayMention,
  times: readonly TimeMention[],
): boolean => {
  const isBetween = ({ folded }: Token): boolean => folded === ',' || WORDS.small.has(folded)
  const before = tokensBefore(tokens, day.from, MAX_TO_DAY).findLast(one => !isBetween(one))
  // “del 2 al 23 de marzo (el 9 no hay clase)”
  const isBracketed = tokens[day.to]?.folded === '('
  const end = isBracketed
    ? tokens.findIndex(({ folded }, i) => i > day.to && folded === ')') + 1 || day.to
    : day.to
  const isNamed = [tokens[day.from], before].some(one => weekdayOf(one?.folded ?? '') === weekdayOn(day.date))
  return (
    isLong(day) &&
    isNamed &&
    weekdayOn(day.date) === weekdayOn(day.last ?? '') &&
    times.some(({ from }) => from >= end && from - end < MAX_BEFORE)
  )
}

/** The most tokens of “mardi de”, “Dienstag, von” before a time. */
export const MAX_TO_WEEKDAY = 4

/** The most hours that one event of a series lasts. What is open for longer is an exhibition. */
const MAX_HOURS = 3.5

/** Words before a weekday that is not meant each week: “sauf le lundi”, “Abfahrt ist Samstag um 8 Uhr”. */
const EXCEPT_OR_DEPARTURE = anyOf(WORDS.exceptDays, WORDS.departures)

/**
 * True if the weekday beside the times is the one on which a long stretch begins: “le mardi de 18h à 20h, du
 * 2 mars au 30 mars”.
 */
function isOnOneWeekday(
  tokens: readonly Token[],
  stretch: DayMention,
  { days, times }: Pick<EventMoments, 'days' | 'times'>,
): boolean {
  // “Vernissage : vendredi 5 mars à 18h30” is one day.
  const isOfOther = (token: Token): boolean =>
    days.some(day => day !== stretch && tokens.slice(day.from, day.to).includes(token))
  if (!isLong(stretch)) return false
  const near = times.filter(one => areNear(tokens, one, stretch))
  const isAfterException = (token: Token): boolean => {
    const at = tokens.indexOf(token)
    return hasWord(tokens, at - MAX_TO_EXCEPTION, at, EXCEPT_OR_DEPARTURE)
  }
  const isOfWeekday = ({ from: at, start = '', end = start }: TimeMention): boolean => {
    const named = sentenceOf(tokens, at).filter(
      token =>
        weekdayOf(token.folded) > 0 &&
        !(token.from >= (tokens[stretch.from]?.from ?? 0) && token.to <= (tokens[stretch.to - 1]?.to ?? 0)),
    )
    const weekday = tokens.slice(at - MAX_TO_WEEKDAY, at).findLast(token => named.includes(token))
    return (
      hoursBetween(start, end) <= MAX_HOURS &&
      weekday !== undefined &&
      !isOfOther(weekday) &&
      // “tous les jours sauf le lundi”
      !isAfterException(weekday) &&
      named.length === 1 &&
      weekdayOf(weekday.folded) === weekdayOn(stretch.date)
    )
  }
  return near.length > 0 && near.every(isOfWeekday)
}

export const isLong = ({ date, last = date }: DayMention): boolean => last > daysLater(date, 7)

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

export const hoursBetween = (start: string, end: string): number =>
  ((((minutesOf(end) - minutesOf(start)) % 1440) + 1440) % 1440) / 60

const BOTH_DAYS = phrasesOf('bothDays')

/** True if words beside a run say that something takes place on each of its days. */
export const isEachDay = (tokens: readonly Token[], from: number, stretch: DayMention): boolean =>
  tokens.some(
    ({ folded }, i) =>
      i >= from &&
      // “Días: lunes y miércoles”
      ((WORDS.eachTime.has(folded) && tokens[i + 1]?.folded !== ':' && !isCount(tokens[i - 1])) ||
        BOTH_DAYS.at(tokens, i) !== undefined ||
        (WORDS.eveningsOfRuns.has(folded) && !isLong(stretch))) &&
      areNear(tokens, { from: i }, stretch),
  )

/**
 * Where people stay overnight: “silent retreat”, «Hüttenwochenende», but not «am Wochenende», «Anreise»
 * and «Eintrittspreise».
 */
const OVERNIGHT =
  /^(?:camp|camping|retreat|trip|pilgrimage|sejour|voyage|campamento|retiro|viaje|ausflug|fahrt|reise)$|.{3}(?:ausflug|fahrt|freizeit|lager|(?<!p)reise|wochenende)$/

/**
 * True if hours right after a few days are the hours of each day: “9-10 January, 10am-6pm”. Where people stay
 * overnight, they are the start on the first day and the end on the last.
 */
function hasDailyHours(
  tokens: readonly Token[],
  from: number,
  stretch: DayMention,
  [time, ...others]: readonly TimeMention[],
): boolean {
  if (!time?.start || !time.end || others.length > 0 || isLong(stretch)) return false
  const between = tokens.slice(stretch.to, time.from)
  return (
    time.start < time.end &&
    time.from >= stretch.to &&
    areInLine(tokens, stretch.from, time.from) &&
    between.every(({ kind, folded }) => kind === 'sign' || WORDS.small.has(folded)) &&
    !announcesExhibition(tokens) &&
    !tokens.slice(from, time.from).some(({ folded }) => OVERNIGHT.test(folded))
  )
}

/** True for the number of “trois jours”, which says how long something lasts. */
const isCount = (token: Token | undefined): boolean =>
  token?.kind === 'number' || NUMBER_WORDS.has(token?.folded ?? '')

/** The weekdays from one to another beside a run: “4 to 20 March, Thursday to Saturday 8 pm”. */
export const weekdaysOfRun = (
  tokens: readonly Token[],
  stretch: DayMention,
  areBeside: typeof areNear,
): number[] =>
  tokens.flatMap((_, i) =>
    (i >= stretch.to || i + 2 < stretch.from) &&
    tokens.slice(i + 3, i + MAX_TO_TIME).some(({ kind }) => kind === 'number') &&
    areBeside(tokens, { from: i }, stretch)
      ? weekdayRangeAt(tokens, i)
      : [],
  )

/** Tokens of “matinee on the Saturday,”. */
const MAX_TO_MATINEE = 6

export const isMatinee = (tokens: readonly Token[], { from }: TimeMention): boolean =>
  hasWord(tokens, from - MAX_TO_MATINEE, from, WORDS.matinees)

/** Tokens of the weekdays before a time. */
export const MAX_OF_WEEKDAYS = 12

/** Times of some weekdays: `Fridays and Saturdays 7 pm, Sundays 2 pm`. */
export function timesByWeekday(
  tokens: readonly Token[],
  times: readonly StartingTime[],
): Map<number, StartingTime> {
  const found = new Map<number, StartingTime>()
  for (const [n, time] of times.entries()) {
    const least = Math.max(times[n - 1]?.to ?? 0, time.from - MAX_OF_WEEKDAYS)
    let hasWeekday = false
    for (let i = time.from - 1; i >= least; i--) {
      const { folded = '', sentence } = tokens[i] ?? {}
      const weekday = folded.length > 3 || !hasWeekday ? weekdayOf(folded) : 0
      if (sentence !== tokens[time.from]?.sentence) break
      if (weekday > 0 && (tokens[i + 1]?.kind !== 'number' || i + 1 === time.from)) {
        hasWeekday = true
        const range = weekdayRangeAt(tokens, i - 2)
        // “Kasse Di–So 17–21 Uhr”
        if (range.length > 0 && time.end !== undefined) break
        for (const one of [weekday, ...range]) if (!found.has(one)) found.set(one, time)
        if (range.length > 0) i -= 2
      } else if (
        !AND.has(folded) &&
        !WORDS.small.has(folded) &&
        !WORDS.matinees.has(folded) &&
        !['(', ':', 'schon', 'las', 'los', 'les'].includes(folded)
      )
        break
    }
  }
  return found
}

/** A time at which an event begins. */
export type StartingTime = TimeMention & { start: string }

export const isStarting = (time: TimeMention): time is StartingTime => time.start !== undefined
