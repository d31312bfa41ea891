import { memoize } from '../../../kit/lib/memo.ts'
import { areInSameSentence, areNear, hasWord, isJoined, sentenceOf } from '../words/clauses.ts'
import { areInLine, BULLETS, startsLine, type Token } from '../words/tokens.ts'
import {
  ADMISSION,
  AND,
  anyOf,
  BEGINNING,
  ENDING,
  isKind,
  isPlaceWord,
  NUMBER_WORDS,
  SMALL,
  setOf,
  weekdayOf,
  wordsFor,
} from '../words/words.ts'
import { areInARow, comingDay, type DayMention, daysLater, weekdayOn } from './day-mentions.ts'
import { EXCEPT, MAX_TO_EXCEPTION } from './exceptions.ts'
import { type EventMoments, isPriced, isWithin, MAX_BETWEEN_DAY_AND_TIME } from './moments.ts'
import { countIn, datesFrom, hasPhrase, type TextRecurrence } from './recurrences.ts'
import { DEPARTURES, type TimeMention } from './times.ts'
import { isDeniedWeekday, weekdayRangeAt } from './weekdays.ts'

// When an event takes place: its days and times become the dates of one day, of several, of a series, or of a
// stretch from its first to its last moment. Which time belongs to which day is told by what is between them.

/** When an event takes place, as the API takes dates: a day without a time where the text says none. */
export type EventDates = {
  start: string
  end: string | undefined
  /** Further dates of the same event. */
  dates: string[]
  isAllDay: boolean
  /** The tokens that say it. */
  startTokens: readonly [from: number, to: number]
  endTokens: readonly [from: number, to: number] | undefined
}

/** Tokens before a day in which its preposition stands: “bis zum”, “à partir du”. */
const MAX_TO_DAY = 3
/** The most tokens between a weekday and its time. */
const MAX_TO_TIME = 8
const EACH = wordsFor('eachTime')
const MORE = setOf(
  'weitere weiterer further more also another second segunda segundo otra otras autre autres deuxieme tambien zweite',
)

/** The most tokens between a start and an end that is said alone. */
const MAX_TO_END = 14
/** The most lines between a day and its time. */
const MAX_LINES = 3
/** The most tokens between a day and a time before it: `8pm on Friday 5 March`. */
const MAX_BEFORE = 5

/**
 * When the event of a part of a text takes place; undefined if it does not say it for sure.
 *
 * @param all the tokens of the text
 * @param part the first token of the part, and the one after its last
 */
export function whenOf(
  all: readonly Token[],
  [from, to]: readonly [number, number],
  moments: EventMoments,
  today: string,
): EventDates | undefined {
  // Mentions are known by the numbers of their tokens, so those before the part stay.
  const tokens = all.slice(0, to)
  const { times } = moments
  const stay = stayIn(tokens, moments.days, times)
  const stretch = stay ?? stretchIn(moments.days, times)
  const days = stay ? [stay] : stretch ? moments.days : moments.days.filter(({ last }) => last === undefined)
  const own = tokens[days[0]?.from ?? -1]?.sentence
  // “Fest am 18. April, 10–18 Uhr. … Den ganzen Tag: Streichelzoo”
  const isTimed = times.some(({ start, from }) => start !== undefined && tokens[from]?.sentence === own)
  const isAllDay = !isTimed && moments.allDay.some(at => at >= from && at < to)
  const series = recurring(tokens, [from, to], stretch, moments, today)
  const [first] = series ?? []
  if (series && first) return ofDays(tokens, first, series, times, isAllDay)
  // Nobody knows on which of their days it is.
  if (days.some(({ season }) => season)) return undefined
  if (stretch) return nightly(tokens, stretch, times) ?? ofStretch(tokens, stretch, days, times)
  const skipped = countStoryDays(tokens, days, times)
  if (skipped > 0) return whenOf(all, [from, to], { ...moments, days: days.slice(skipped) }, today)
  const other = days.findIndex((day, i) => i > 0 && isOfAnother(tokens, from, days[i - 1], day))
  return days[0] && ofDays(tokens, days[0], other < 0 ? days : days.slice(0, other), times, isAllDay)
}

/**
 * The stretch of an event: none that follows a day with a time far from it, such as that for which a supper
 * collects money.
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

/** Days in a row that are one stay, since its end is said: “9, 10 y 11 de abril … termina el domingo a las 22”. */
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
    hasWord(tokens, from - MAX_TO_TIME, from, ENDING) &&
    tokens
      .slice(Math.max(last.to, from - MAX_TO_TIME), from)
      .some(({ low }) => weekdayOf(low) === weekdayOn(last.date))
  return areInARow([first.date, ...further.map(({ date }) => date)]) && times.some(isEnd)
    ? { ...first, to: last.to, last: last.date }
    : undefined
}

/**
 * The number of days before that of the event which belong to a story that the text tells: the sentence of the
 * event has a time, and those of the story have none.
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
/** Tokens of a sentence that is no line of a poster. */
const LONG_SENTENCE = 8

/** Tokens before a day that may name what takes place on it. */
const MAX_NAMED = 60
/**
 * True if something else is named between two days of a sentence: “Lesung am 23. Januar und Spieleabend am
 * 27. Januar”.
 */
function isOfAnother(
  tokens: readonly Token[],
  from: number,
  last: DayMention | undefined,
  day: DayMention,
): boolean {
  const at = last?.to ?? day.from
  const named = tokens.slice(Math.max(from, at - MAX_NAMED), at).map(({ low }) => low)
  const isAgain = last?.date === day.date
  const between = tokens.slice(at, day.from).map(({ low }) => low)
  // “um 20 Uhr Premiere. Weitere Vorstellungen: 27. Februar”
  const since = between.slice(
    between.findLastIndex((low, i) => EACH.has(low) && MORE.has(between[i - 1] ?? '')) + 1,
  )
  // “lundi 15 : pas de cours”
  const isNone = (i: number): boolean => since.slice(Math.max(0, i - 2), i).some(low => EXCEPT.has(low))
  return (
    !isAgain && since.some((low, i) => isKind(low) && !EACH.has(low) && !named.includes(low) && !isNone(i))
  )
}

const MAX_NIGHTS = 21
/** The most hours that one event of a series lasts. What is open for longer is an exhibition. */
const MAX_HOURS = 3.5

/** Mentions of further dates of what a text says at one place. */
const mentionsOf = (dates: readonly string[], { from, to }: { from: number; to: number }): DayMention[] =>
  dates.map((date, i) => ({ ...comingDay(from, to, date), isListed: i > 0 }))

/** The days of what takes place each week, or each day of a run: undefined if the text says neither. */
function recurring(
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
  { days, times, recurrences, except, exceptWeekdays, exceptNumbers, until }: EventMoments,
  today: string,
): DayMention[] | undefined {
  if (!times.some(({ start }) => start !== undefined)) return undefined
  const own = recurrences.filter(one => one.from >= from && one.to <= to)
  // “No class on the 16th” is said of the first month that has such a date.
  const firstOf = new Map<number, string>()
  const isLeftOut = (date: string): boolean => {
    const number = Number(date.slice(8))
    if (exceptNumbers.includes(number) && !firstOf.has(number)) firstOf.set(number, date)
    return (
      firstOf.get(number) === date || except.some(day => date >= day.date && date <= (day.last ?? day.date))
    )
  }
  // The weekdays of an exhibition are those on which it is open.
  const isExhibition = announcesExhibition(tokens.slice(from, to))
  if (stretch && isExhibition && isLong(stretch)) return undefined
  if (stretch)
    return ofRun(tokens, from, stretch, { days, times, recurrences: own, isLeftOut, exceptWeekdays })
  const count = countIn(tokens.slice(from, to))
  const [begin] = days
  const [one = begin && count !== undefined && isFrom(tokens, begin) ? weeklyFrom(begin) : undefined] = own
  if (!one) return undefined
  const [end] = until.filter(day => day.from >= from && day.to <= to)
  if (end && isExhibition) return undefined
  if (begin === undefined) {
    // “Tuesdays 9.30, and a choir Thursdays 15” are two.
    if (own.length > 1 && !isOfOne(tokens, own, times.filter(isStarting))) return undefined
    const isLater = beginsNextWeek(tokens, [from, to])
    const first = isLater ? daysLater(today, 8 - weekdayOn(today)) : today
    const weekdays = own.flatMap(other => other.weekdays)
    const dates = datesFrom({ ...one, weekdays }, first, { last: end?.date }, isLeftOut)
    const ofWeekday = own.find(other => other.weekdays.includes(weekdayOn(dates[0] ?? first))) ?? one
    return mentionsOf(dates, end && end.from < one.from ? end : ofWeekday)
  }
  // “every Tuesday, next on 5 March” and other days that are written out.
  if (days.length > 1 || !areNear(tokens, one, begin)) return undefined
  const isItsFirst =
    end !== undefined || one.weekdays.includes(weekdayOn(begin.date)) || isFrom(tokens, begin)
  return isItsFirst
    ? mentionsOf(datesFrom(one, begin.date, { last: end?.date, count }, isLeftOut), begin)
    : undefined
}

/**
 * True if one event has an hour for each of some weekdays: “Mondays at 6 pm and Saturdays at 9.30”. “Mondays 14–18 and
 * Saturdays 9–12” may be opening hours.
 */
function isOfOne(
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
const isSmall = ({ low }: Token): boolean => AND.has(low) || SMALL.has(low) || low === ';'

/** True if a series begins next week: “Every Thursday from next week”, but not “Next week: cake sale”. */
const beginsNextWeek = (tokens: readonly Token[], [from, to]: readonly [number, number]): boolean =>
  tokens
    .slice(from, to)
    .some(
      (_, i) => isFrom(tokens, { from: from + i }) && hasPhrase(tokens, from + i, from + i + 1, NEXT_WEEKS()),
    )
const NEXT_WEEKS = memoize(() =>
  [
    'next week',
    'nachster woche',
    'kommender woche',
    'la semaine prochaine',
    'la semana que viene',
    'la proxima semana',
  ].map(phrase => phrase.split(' ')),
)

const EXHIBITIONS =
  /^(?:exhibitions?|expositions?|expos?|exposicion(?:es)?|muestras?|vernissage|finissage)$|ausstellung(?:en)?$/
/**
 * True if an exhibition is what a part announces first: “Ausstellung vom 2. bis 28. März”, but neither “Führung durch
 * die Ausstellung” nor “Tai chi in the exhibition hall”.
 */
const announcesExhibition = (part: readonly Token[]): boolean => {
  const at = part.findIndex(({ low }) => isKind(low) || EXHIBITIONS.test(low))
  return EXHIBITIONS.test(part[at]?.low ?? '') && !isPlaceWord(part[at + 1]?.low ?? '')
}

/** The days of a run: “5–28 March, Fridays and Saturdays 7 pm”, “daily at 8 pm”, a course. */
function ofRun(
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
  const weekdays = near.flatMap(one => one.weekdays)
  const isWeekly = isCourse(tokens, stretch, times) || isOnOneWeekday(tokens, stretch, { days, times })
  const [weekly = isWeekly ? weeklyFrom(stretch) : undefined] = near
  const dates = (recurrence: TextRecurrence): string[] =>
    datesFrom(recurrence, stretch.date, { last: stretch.last }, isLeftOut)
  const timed = times.filter(isStarting)
  // “del 4 al 14 de marzo, de jueves a sábado a las 20.30 h y domingos a las 19 h”
  if (weekdaysOfRun(tokens, stretch, areNear).length > 0) {
    const named = weekdaysOfRun(tokens, stretch, areInSameSentence)
    const hours = timesByWeekday(tokens, timed)
    // “Thursdays to Sundays, 3–13 June, 8 pm”
    const isAhead = tokens.slice(0, stretch.from).some((_, i) => weekdayRangeAt(tokens, i).length > 0)
    const areShows =
      named.length > 0 &&
      named.every(one => isAhead || hours.has(one)) &&
      times.every(({ end }) => end === undefined)
    const weekdays = [...named, ...hours.keys()]
    return areShows ? mentionsOf(dates({ ...weeklyFrom(stretch), weekdays }), stretch) : undefined
  }
  const isDaily = isEachDay(tokens, from, stretch) || hasHoursOfDay(tokens, from, stretch, timed)
  // “daily at 7.15 pm, Sundays at 5 pm”
  const isExtra = isDaily && timed.length > 1 && (weekly?.from ?? 0) > (timed[0]?.from ?? 0)
  if (weekly && !isExtra)
    return mentionsOf(
      dates(weekly.nth.length > 0 || near.length < 2 ? weekly : { ...weekly, weekdays }),
      stretch,
    )
  const regular = timed.filter(time => !isMatinee(tokens, time))
  if (!isDaily || (regular.length !== 1 && timesByWeekday(tokens, timed).size === 0)) return undefined
  if ((stretch.last ?? '') >= daysLater(stretch.date, MAX_NIGHTS)) return undefined
  // What the first of its days doesn't have is something else: “pas d'inscription le lundi”.
  if (exceptWeekdays.includes(weekdayOn(stretch.date))) return mentionsOf([stretch.date], stretch)
  const weekdaysLeft = [1, 2, 3, 4, 5, 6, 7].filter(one => !exceptWeekdays.includes(one))
  return mentionsOf(dates({ ...weeklyFrom(stretch), weekdays: weekdaysLeft }), stretch)
}

const BEFORE_FIRST_DAY = setOf(
  'ab from starting desde partir depuis starts beginn beginnend beginnt des reprend reprenons commence empieza comienza',
)
const isFrom = (tokens: readonly Token[], { from }: Pick<DayMention, 'from'>): boolean =>
  tokens
    .slice(Math.max(0, from - MAX_TO_DAY), from)
    .some(({ low, text }) => BEFORE_FIRST_DAY.has(low) && (low !== 'des' || text === 'dès'))
/** “8 Abende ab Dienstag, 19. Januar” */
const weeklyFrom = ({ from, to, date }: DayMention): TextRecurrence => ({
  from,
  to,
  weekdays: [weekdayOn(date)],
  nth: [],
  step: 7,
})
/**
 * True if a stretch is that of a course, once a week: “Mo 15.02.–22.03., 18:30–20:45 Uhr”, “martes, del 2 al
 * 16 de febrero”
 */
export const isCourse = (
  tokens: readonly Token[],
  day: DayMention,
  times: readonly TimeMention[],
): boolean => {
  const isBetween = ({ low }: Token): boolean => low === ',' || SMALL.has(low)
  const before = tokens.slice(Math.max(0, day.from - MAX_TO_DAY), day.from).findLast(one => !isBetween(one))
  // “del 2 al 23 de marzo (el 9 no hay clase)”
  const isBracketed = tokens[day.to]?.low === '('
  const end = isBracketed ? tokens.findIndex(({ low }, i) => i > day.to && low === ')') + 1 || day.to : day.to
  const isNamed = [tokens[day.from], before].some(one => weekdayOf(one?.low ?? '') === weekdayOn(day.date))
  return (
    isLong(day) &&
    isNamed &&
    weekdayOn(day.date) === weekdayOn(day.last ?? '') &&
    times.some(({ from }) => from >= end && from - end < MAX_BEFORE)
  )
}
/**
 * True if a weekday beside the times is that on which a long stretch begins: “le mardi de 18h à 20h, du 2
 * mars au 30 mars”.
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
        weekdayOf(token.low) > 0 &&
        !(token.from >= (tokens[stretch.from]?.from ?? 0) && token.to <= (tokens[stretch.to - 1]?.to ?? 0)),
    )
    const weekday = tokens.slice(at - MAX_TO_WEEKDAY, at).findLast(token => named.includes(token))
    return (
      hours(start, end) <= MAX_HOURS &&
      weekday !== undefined &&
      !isOfOther(weekday) &&
      // “tous les jours sauf le lundi”
      !isAfterException(weekday) &&
      named.length === 1 &&
      weekdayOf(weekday.low) === weekdayOn(stretch.date)
    )
  }
  return near.length > 0 && near.every(isOfWeekday)
}
/** “Abfahrt ist Samstag um 8 Uhr” is not every week. */
const EXCEPT_OR_DEPARTURE = anyOf(EXCEPT, DEPARTURES)
/** The most tokens of “mardi de”, “Dienstag, von” before a time. */
const MAX_TO_WEEKDAY = 4
const isLong = ({ date, last = date }: DayMention): boolean => last > daysLater(date, 7)
const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const hours = (start: string, end: string): number =>
  ((((minutes(end) - minutes(start)) % 1440) + 1440) % 1440) / 60

/** True if what is said beside a run takes place on each of its days. */
const isEachDay = (tokens: readonly Token[], from: number, stretch: DayMention): boolean =>
  tokens.some(
    ({ low }, i) =>
      i >= from &&
      // “Días: lunes y miércoles”
      ((EACH.has(low) && tokens[i + 1]?.low !== ':' && !isCount(tokens[i - 1])) ||
        (BOTH.has(low) && hasPhrase(tokens, i, i + 1, BOTH_DAYS())) ||
        (EVENINGS.has(low) && !isLong(stretch))) &&
      areNear(tokens, { from: i }, stretch),
  )
/**
 * True if hours right behind a few days are those of each: “9-10 January, 10am-6pm”. Where people stay for the nights,
 * they are those of the first day and the last.
 */
function hasHoursOfDay(
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
    between.every(({ kind, low }) => kind === 'sign' || SMALL.has(low)) &&
    !announcesExhibition(tokens) &&
    !tokens.slice(from, time.from).some(({ low }) => STAYS.test(low))
  )
}
/** “Silent retreat”, «Hüttenwochenende», but «am Wochenende», «Anreise» and «Eintrittspreise» */
const STAYS =
  /^(?:camp|camping|retreat|trip|pilgrimage|sejour|voyage|campamento|retiro|viaje|ausflug|fahrt|reise)$|.{3}(?:ausflug|fahrt|freizeit|lager|(?<!p)reise|wochenende)$/
const BOTH = setOf('both beiden les ambos los')
const BOTH_DAYS = memoize(() =>
  ['both days', 'beiden tagen', 'les deux jours', 'ambos dias', 'los dos dias'].map(phrase =>
    phrase.split(' '),
  ),
)
/** True for the number of “trois jours”, which says how long something lasts. */
const isCount = (token: Token | undefined): boolean =>
  token?.kind === 'number' || NUMBER_WORDS.has(token?.low ?? '')
/** The weekdays from one to another beside a run: “4 to 20 March, Thursday to Saturday 8 pm”. */
const weekdaysOfRun = (tokens: readonly Token[], stretch: DayMention, areBeside: typeof areNear): number[] =>
  tokens.flatMap((_, i) =>
    (i >= stretch.to || i + 2 < stretch.from) &&
    tokens.slice(i + 3, i + MAX_TO_TIME).some(({ kind }) => kind === 'number') &&
    areBeside(tokens, { from: i }, stretch)
      ? weekdayRangeAt(tokens, i)
      : [],
  )
const EVENINGS = setOf('evenings soirs abends')
/** Words of performances beside those of each evening: “Saturday matinee 2.30pm”, “samstags auch um 15 Uhr”. */
const MATINEES = setOf('matinee matinees matineen nachmittagsvorstellung auch also aussi tambien')

const isMatinee = (tokens: readonly Token[], { from }: TimeMention): boolean =>
  hasWord(tokens, from - MAX_TO_MATINEE, from, MATINEES)
/** Tokens of “matinee on the Saturday,”. */
const MAX_TO_MATINEE = 6

/**
 * A run with one time: `24–26 December, 7.30pm`. Whether it begins once or each evening is not said, so the
 * beginning alone.
 */
function nightly(
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

/** Tokens of the weekdays before a time. */
const MAX_OF_WEEKDAYS = 12
/** Times of some weekdays: `Fridays and Saturdays 7 pm, Sundays 2 pm`. */
function timesByWeekday(tokens: readonly Token[], times: readonly StartingTime[]): Map<number, StartingTime> {
  const found = new Map<number, StartingTime>()
  for (const [n, time] of times.entries()) {
    const least = Math.max(times[n - 1]?.to ?? 0, time.from - MAX_OF_WEEKDAYS)
    let hasWeekday = false
    for (let i = time.from - 1; i >= least; i--) {
      const { low = '', sentence } = tokens[i] ?? {}
      const weekday = low.length > 3 || !hasWeekday ? weekdayOf(low) : 0
      if (sentence !== tokens[time.from]?.sentence) break
      if (weekday > 0 && (tokens[i + 1]?.kind !== 'number' || i + 1 === time.from)) {
        hasWeekday = true
        const range = weekdayRangeAt(tokens, i - 2)
        // “Kasse Di–So 17–21 Uhr”
        if (range.length > 0 && time.end !== undefined) break
        for (const one of [weekday, ...range]) if (!found.has(one)) found.set(one, time)
        if (range.length > 0) i -= 2
      } else if (
        !AND.has(low) &&
        !SMALL.has(low) &&
        !MATINEES.has(low) &&
        !['(', ':', 'schon', 'las', 'los', 'les'].includes(low)
      )
        break
    }
  }
  return found
}

/** The end of a time on a day: of the next one if it is earlier. */
export const endOn = (date: string, start: string, end: string): string =>
  `${end <= start ? daysLater(date, 1) : date} ${end}`

/** A time at which an event begins. */
type StartingTime = TimeMention & { start: string }
const isStarting = (time: TimeMention): time is StartingTime => time.start !== undefined
/** An event on one of its days. */
type Occurrence = { day: DayMention; time: StartingTime; start: string }

/** When an event takes place on a day or on several, in the order in which they are named. */
function ofDays(
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
      ({ low }, i) =>
        low.length > 3 && weekdayOf(low) > 0 && !isDeniedWeekday(tokens, time.from - before.length + i),
    )
    return (
      named !== undefined &&
      named.sentence === tokens[time.from]?.sentence &&
      weekdayOf(named.low) !== weekdayOn(first.date)
    )
  }
  const starting = times.filter(isStarting).filter(time => series.length > 1 || !isOfOther(time))
  const [one, ...others] = isAllDay ? [] : occurrencesOf(tokens, series, days, starting)
  return one ? ofOccurrences(tokens, one, others, times) : ofWholeDays(first, series, isAllDay)
}

/** Days without times: those in a row are one stretch, such as “Saturday 23 and Sunday 24 January”. */
function ofWholeDays(first: DayMention, series: readonly DayMention[], isAllDay: boolean): EventDates {
  const [, ...dates] = new Set(series.map(({ date }) => date))
  const last = dates.length > 0 && areInARow([first.date, ...dates]) ? series.at(-1) : undefined
  return {
    start: first.date,
    end: last?.date,
    dates: last ? [] : dates,
    isAllDay,
    startTokens: [first.from, first.to],
    endTokens: last && [last.from, last.to],
  }
}

/** The end after a break at noon: “de 9h à 12h et de 13h30 à 16h30”. */
function endAfterBreak(
  tokens: readonly Token[],
  { from, to, end }: TimeMention,
  times: readonly TimeMention[],
): string | undefined {
  if (end === undefined || end < NOON[0] || end > NOON[1]) return undefined
  const next = times.find(time => time.from >= to)
  const between = next ? tokens.slice(to, next.from) : []
  const isJoined =
    between.some(({ low }) => AND.has(low) || THEN.has(low)) &&
    between.every(
      ({ low, line }) => line === tokens[from]?.line && (AND.has(low) || THEN.has(low) || SMALL.has(low)),
    )
  const isBreak = next?.start !== undefined && next.start > end && hours(end, next.start) <= MAX_BREAK
  return isJoined && isBreak ? next?.end : undefined
}
const THEN = setOf('then puis dann danach luego')
const NOON = ['11:30', '13:30'] as const
/** The most hours of a break. */
const MAX_BREAK = 2

function ofOccurrences(
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
  const end = endAfterBreak(tokens, time, times) ?? time.end ?? (later && closing(later, time.start))
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

/** True if an end is that of something on another weekday: “Kuchen bitte am Samstag bis 17 Uhr abgeben” */
const isOfOtherWeekday = (tokens: readonly Token[], { from }: TimeMention, { date }: DayMention): boolean =>
  tokens
    .slice(Math.max(0, from - MAX_TO_TIME), from)
    .some(
      ({ low, sentence }) =>
        low.length > 3 &&
        sentence === tokens[from]?.sentence &&
        ![0, weekdayOn(date)].includes(weekdayOf(low)),
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
  const own = series.map((day, i) => {
    const at = timesAt(day, i)
    // “Cérémonie du 19 mars … Vendredi 19 mars, 10 h 45”
    const again = at.length > 0 ? undefined : days.find(one => one !== day && one.date === day.date)
    return again ? timesAt(again, i) : at
  })
  const heading = own[0]?.[0]
  // “16.30 Uhr: 24. Januar, 21. Februar”
  const isAbove = heading && heading.to <= (series[0]?.from ?? 0) && series.length > 1
  const byWeekday =
    series.length > 1 && times.length > 1 ? timesByWeekday(tokens, times) : new Map<number, StartingTime>()
  return series.flatMap((day, i) => {
    // “Samstag, 20. März, 10–18 Uhr … Basteln am Samstag um 14 Uhr”
    const isOwn = ({ from, end }: StartingTime): boolean =>
      end !== undefined && from >= day.to && isJoined(tokens, day.to, from)
    const hasOwn = series.every(other => other === day || other.from !== day.from) && own[i]?.some(isOwn)
    // One time for all days stands after the last of them, or before the first.
    const isTimed = (some: readonly StartingTime[]): boolean => some.length > 0
    const some = own.slice(i).find(isTimed) ?? own.slice(0, i).findLast(isTimed) ?? onlyTimeOf(times)
    const ofWeekday = hasOwn ? undefined : byWeekday.get(weekdayOn(day.date))
    const isPoint = ofWeekday !== undefined && some.some(hours => isPointWithin(tokens, ofWeekday, hours))
    // “20 Uhr am Freitag, 5. März, und 17 Uhr am Sonntag, 7. März”
    const hasOwnBefore = own[i]?.some(({ to }) => to <= day.from && isJoined(tokens, to, day.from))
    const special = (isPoint ? undefined : ofWeekday) ?? (isAbove && !hasOwnBefore ? heading : undefined)
    const isAdded = special && isMatinee(tokens, special)
    const listed = timesListed(tokens, special && !isAdded ? [special] : some)
    return [...(isAdded ? [special] : []), ...listed].map(time => ({
      day,
      time,
      start: `${day.date} ${time.start}`,
    }))
  })
}

/**
 * True if a later sentence names a time between those of the opening hours: “Samstag und Sonntag, 10–18 Uhr. Am
 * Samstag um 14 Uhr Basteln”.
 */
const isPointWithin = (tokens: readonly Token[], time: StartingTime, hours: StartingTime): boolean =>
  isWithin(time, hours) && time.from > hours.from && !areInSameSentence(tokens, time, hours)

/**
 * The times after a day, up to the next one; else one right before it, or where that alone is in its clause.
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
  // “jeden zweiten Dienstag von 17 bis 18 Uhr im Lesesaal, das nächste Mal am 9. Februar”, above the hours of the office
  const ofSentence = earlier.filter(time => areInSameSentence(tokens, time, day))
  const isOfWeekday = tokens
    .slice(0, ofSentence[0]?.from)
    .some(
      ({ low, sentence }) =>
        weekdayOf(low) === weekdayOn(day.date) && sentence === tokens[day.from]?.sentence,
    )
  const isAlone = ofSentence.length === 1 && !after.some(time => areInSameSentence(tokens, time, day))
  if (!previous && isAlone && isOfWeekday && !after.some(({ isBeginning }) => isBeginning)) return ofSentence
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
  const [said] = after
  const isOfEvent = (time: StartingTime): boolean => {
    const [label, ...others] = sentenceOf(tokens, time.from)
    return (
      time.start >= (said?.start ?? '') ||
      label?.sentence === tokens[said?.from ?? -1]?.sentence ||
      BEGINNING.has(label?.low ?? '') ||
      others.some(({ low }) => isKind(low))
    )
  }
  return after.slice(
    Math.max(
      0,
      after.findIndex(time => time.isBeginning && isOfEvent(time)),
    ),
  )
}

/** The only time in the text. Among several, nobody knows which one is meant. */
function onlyTimeOf(times: readonly StartingTime[]): StartingTime[] {
  const one = times.find(({ isBeginning }) => isBeginning) ?? times[0]
  return one && (one.isBeginning || times.every(({ start }) => start === one.start)) ? [one] : []
}

/** The end that is said alone. “Until 3” is the first three o'clock after the start. */
function closing({ end = '', isEndVague }: TimeMention, start: string): string {
  const later = `${String(Number(end.slice(0, 2)) + 12)}${end.slice(2)}`
  return isEndVague && end <= start && later > start ? later : end
}

const isBareNumber = (time: StartingTime | undefined): boolean =>
  time !== undefined && time.to === time.from + 1 && time.end === undefined

/** The first time, and those that only `and` separates from it: `12:00 y 17:00 hrs`. */
function timesListed(tokens: readonly Token[], times: readonly StartingTime[]): StartingTime[] {
  const isJoint = (time: StartingTime, i: number): boolean => {
    const [mark, ...small] = tokens.slice(times[i - 1]?.to ?? 0, time.from)
    return (
      mark !== undefined &&
      AND.has(mark.low) &&
      // “um 14, 15 und 16 Uhr”, but “Kasse 14 Uhr, 15 Uhr Beginn”
      (mark.low !== ',' || isBareNumber(times[i - 1])) &&
      mark.low !== '/' &&
      small.every(({ low }) => SMALL.has(low))
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
    const own = [before, day].map(({ from }) => tokens[from]?.line ?? 0)
    const all = tokens.slice(before.to, day.from)
    // “lundi 15 février : pas de cours”, a line of its own
    const none = new Set(
      all.filter(({ low, line }) => EXCEPT.has(low) && !own.includes(line)).map(({ line }) => line),
    )
    const between = all.filter(({ line }) => !none.has(line))
    const isSameLine = between.every(({ line }) => line === tokens[day.from]?.line)
    const words = between.filter(({ kind }) => kind === 'word').length
    const hasMore = between.slice(-MAX_TO_MORE).some(({ low }) => MORE.has(low))
    // “Jeudi 4 et vendredi 5 à 20 h 30”, above “Dimanche 7 à 16 h”
    const head = days.find(({ from }) => areInLine(tokens, from, before.from)) ?? before
    const isOfList =
      [head, day].every(({ from }) => startsItem(tokens, from)) &&
      words <= MAX_WORDS_OF_ITEM &&
      (tokens[day.from]?.line ?? 0) - (tokens[before.from]?.line ?? 0) <= 1 + none.size
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

/** True if a day begins a line, or stands after a dash, a bullet, a number, or what is counted: “Week 1: 25 Jan”. */
const startsItem = (tokens: readonly Token[], from: number): boolean => {
  const before = tokens[from - 1]
  const label = tokens
    .slice(Math.max(0, from - MAX_OF_LABEL), from)
    .filter(({ line }) => line === tokens[from]?.line)
  const isCounted =
    [':', '-', '→', '|'].includes(before?.low ?? '') &&
    label.length < MAX_OF_LABEL &&
    label.some(({ kind }) => kind === 'number') &&
    label.filter(({ kind }) => kind === 'word').length === 1
  return (
    startsLine(tokens, from) ||
    isCounted ||
    BULLETS.has(before?.low ?? '') ||
    (before?.kind === 'number' && startsLine(tokens, from - 1))
  )
}
/** More than the tokens of “1. Abend:”. */
const MAX_OF_LABEL = 5

/** A longer stretch has no hours of its own. */
const MAX_DAYS_WITH_HOURS = 14
/** The most tokens of “a las” between the last day of a stretch and its time. */
const MAX_TO_LAST_TIME = 3

/** A stay, a festival or an exhibition: one event from its first to its last moment. */
function ofStretch(
  tokens: readonly Token[],
  stretch: DayMention,
  days: readonly DayMention[],
  times: readonly TimeMention[],
): EventDates | undefined {
  const last = stretch.last ?? stretch.date
  const timed = times.filter(({ start }) => start !== undefined)
  const inside = timed.filter(
    ({ from, to }) =>
      // “8pm Friday to 8am Saturday”
      (from >= stretch.from || (stretch.gap && isJoined(tokens, to, stretch.from))) &&
      from <= stretch.to + MAX_TO_LAST_TIME &&
      tokens.slice(stretch.to, from).every(({ kind, low }) => kind !== 'word' || SMALL.has(low)),
  )
  const points = timed.filter(({ from }) => from >= stretch.to)
  const base = {
    dates: [],
    isAllDay: false,
    startTokens: [stretch.from, stretch.to] as const,
    endTokens: [stretch.from, stretch.to] as const,
  }
  const [opening, closing] = [inside[0], inside.at(-1)]
  const isTooLong = last > daysLater(stretch.date, MAX_DAYS_WITH_HOURS)
  // “le 5 mars à 18 h, fin le 7 mars”, but “5. März, 10–18 Uhr, bis 7. März”
  const begun = inside.find(one => one.from > stretch.from && one.from < stretch.to && one.end === undefined)
  const begin = begun && !isTooLong ? `${stretch.date} ${begun.start}` : stretch.date
  if (opening && closing && opening !== closing)
    return { ...base, start: `${stretch.date} ${opening.start}`, end: `${last} ${closing.start}` }
  const headings = headingsIn(tokens, stretch, days, points)
  // “Freitag um 20 Uhr …, Samstag um 11 Uhr …”, but not “Karten am Freitag ab 9 Uhr”
  const isProgramme =
    points[0]?.end === undefined &&
    !hasWord(tokens, stretch.to, points.at(-1)?.from ?? 0, ADMISSION) &&
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
  if (!first || !end || isTooLong) return { ...base, start: begin, end: last }
  const isFirst = dayOf(first) === stretch.date
  const endTime = times.findLast(
    ({ from, end: until }) => from >= end.from && until !== undefined && areInLine(tokens, from, end.from),
  )
  const isEnd = ({ from }: TimeMention): boolean => hasWord(tokens, from - MAX_TO_TIME, from, ENDING)
  const isOnLast = dayOf(end) === last
  const closes =
    isFirst && isOnLast && isEnd(end)
      ? `${last} ${end.start}`
      : endTime?.end !== undefined && (isOnLast || dayOf(endTime) === last)
        ? endOn(last, (isOnLast && end.start) || '', endTime.end)
        : last
  return { ...base, start: isFirst ? `${stretch.date} ${first.start}` : begin, end: closes }
}

/** The day of a stretch whose weekday stands right beside a time: “el viernes a las 18 h”, “at 6pm on Friday”. */
function weekdayBeside(
  tokens: readonly Token[],
  { from, to }: TimeMention,
  { date, last = date }: DayMention,
): string | undefined {
  const isWeekday = ({ low, sentence }: Token): boolean =>
    weekdayOf(low) > 0 && sentence === tokens[from]?.sentence
  const next = tokens.slice(to, to + MAX_TO_DAY).find(({ low }) => !SMALL.has(low) || AND.has(low))
  const named =
    next && isWeekday(next)
      ? next
      : tokens.slice(Math.max(0, from - MAX_TO_WEEKDAY), from).findLast(isWeekday)
  if (!named || last > daysLater(date, 6)) return undefined
  for (let day = date; day <= last; day = daysLater(day, 1))
    if (weekdayOn(day) === weekdayOf(named.low)) return day
  return undefined
}
const OPENINGS_AND_ENDS = anyOf(
  ENDING,
  setOf(
    'eroffnet eroffnung open opening opens close closes ouverture ouvre apertura abre inauguracion inauguration vernissage',
  ),
)

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
  const named = tokens.flatMap(({ low, kind }, from) => {
    if (from < stretch.to || kind !== 'word') return []
    // “Fr: 19 Uhr”
    const isHeading = startsLine(tokens, from) && (low.length > 2 || tokens[from + 1]?.low === ':')
    const weekday = isHeading || beforePoints.has(from) ? weekdayOf(low) : 0
    if (weekday === 0) return []
    for (let date = stretch.date; date <= last; date = daysLater(date, 1))
      if (weekdayOn(date) === weekday) return [{ from, date }]
    return []
  })
  return [...dated.map(({ from, date }) => ({ from, date })), ...named].sort((a, b) => a.from - b.from)
}

/** True if a time follows a day, perhaps in brackets or after “at”, and no comma or “and” stands between. */
const isRightAfter = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.slice(from, to).every(({ low }) => ['(', ':'].includes(low) || (SMALL.has(low) && !AND.has(low)))
