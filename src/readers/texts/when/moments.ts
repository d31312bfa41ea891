import { areInSameSentence, areNear, hasWord, isJoined, sentenceOf, wordsBefore } from '../words/clauses.ts'
import { areInLine, foldedAt, type MarkedText, skipBack, type Token, tokensBefore } from '../words/tokens.ts'
import { AND, anyOf, isKind, ORDINALS, phrasesOf, setOf, WORDS, weekdayOf } from '../words/words.ts'
import { type DatedText, datelineTest, isPrintedTime } from './datelines.ts'
import { type DayMention, weekdayOn } from './day-mentions.ts'
import { type Exceptions, exceptionsIn, isAfterException } from './exceptions.ts'
import {
  beginsWithCondition,
  isOfBreak,
  isOfHandover,
  isOfSecondCall,
  isOrigin,
  isOtherDay,
} from './other-days.ts'
import { isBeforeEvent, isCutOff, isHandedAt, isOtherTime, isSaidToBegin } from './other-times.ts'
import { afterPostponement, isPostponedFrom, isReplaced, isSoldOut } from './postponements.ts'
import { recurrencesIn, type TextRecurrence } from './recurrences.ts'
import { isDenied, isOfOtherMatters, isSuperseded } from './roles.ts'
import { isCalledOff, isFromHour, isNewHour } from './status.ts'
import type { TimeMention } from './times.ts'

// Most texts name more days and times than their event has: deadlines, doors, opening hours, old dates. This
// decides which of them are the event's, by all that the text names and by the words around each.

/** The days and times of a text that are those of events, and what they leave out. */
export type EventMoments = Exceptions & {
  days: DayMention[]
  times: TimeMention[]
  recurrences: readonly TextRecurrence[]
  /** Days that others replace, or that are called off while others are not. */
  gone: DayMention[]
  /** Days up to which something takes place each week. */
  seriesEnds: DayMention[]
  /** The tokens at which “all day” begins. */
  allDayTokens: readonly number[]
}

const SAME_HOUR = phrasesOf('sameHour')

/** The days and times of events: without what is over, and those of deadlines, doors and opening hours. */
export function eventMoments(text: DatedText): EventMoments {
  const { tokens, days, times } = text
  const coming = days.filter(day => !day.isPast)
  const recurrences = recurrencesOf(text)
  const until = coming.filter(day => isEndOfSeries(tokens, day, recurrences))
  const exceptions = exceptionsIn(text, recurrences, coming, until)
  const { except } = exceptions
  const isOfSeries = (day: DayMention): boolean =>
    until.includes(day) || except.includes(day) || isConfirmed(text, day, recurrences)
  const isOther = otherDayTest(text, coming, recurrences.length > 0)
  const ofEvents = coming.filter(
    day => !day.season && !isOfSeries(day) && !isOther(day) && !isLeftOut(day, exceptions),
  )
  const calledOff = calledOffDates(tokens, ofEvents)
  const announced = ofEvents.filter(
    day => !isPostponedFrom(tokens, day, ofEvents) && !calledOff.has(day.date),
  )
  // A date that is sold out may be the only one.
  const notSoldOut = announced.filter(day => !isSoldOut(tokens, day, announced))
  const dated = withoutOpenDays(tokens, notSoldOut.length > 0 ? notSoldOut : announced, times)
  const isSameHour = SAME_HOUR.isIn(tokens)
  const otherDays = days.filter(
    day =>
      !day.season &&
      !dated.some(({ from }) => from === day.from) &&
      !isOfSeries(day) &&
      // “am 12., nicht am 13. Februar, um 19 Uhr”
      !(times.length === 1 && dated.length > 0 && isDenied(text, day)) &&
      // “reporté du mercredi 20 janvier à 15 h au mercredi 10 mars, même heure”
      !(isSameHour && ofEvents.includes(day)),
  )
  // “Probe dienstags um 19 Uhr. Am 16. beginnen wir schon um 18 Uhr.”
  const isOfDifferingDay = ({ from }: TimeMention): boolean =>
    exceptions.differing.some(at => at < from && tokens[at]?.clause === tokens[from]?.clause)
  const kept = timesOfEvents(
    { ...text, times: times.filter(time => !isOfDifferingDay(time)) },
    dated,
    otherDays,
  )
  // “Annahme 8–9 Uhr, Verkauf 9–14 Uhr”
  const withoutHandover = kept.filter(time => !isHandedAt(text, time))
  const eventTimes = withoutHandover.some(({ start }) => start !== undefined) ? withoutHandover : kept
  const moved = dated.map(day => afterPostponement(tokens, day))
  const replaced = replacedDates(tokens, dated, moved)
  const months = coming.filter(day => day.season && !isOfSeries(day))
  const series = seriesOfMonths(tokens, months, recurrences, dated.length > 0)
  return {
    ...exceptions,
    // “4 March talk postponed”, as the subject
    days: [
      ...moved.filter(
        (day, i) =>
          !replaced.includes(day.date) && !isHandover(tokens, [day, dated[i + 1]], kept, eventTimes),
      ),
      ...series.months,
    ],
    times: eventTimes.filter(time => !isPreliminaryTime(text, time, kept)),
    recurrences: series.recurrences,
    gone: ofEvents.filter(
      day =>
        !announced.includes(day) ||
        replaced.includes(day.date) ||
        (!dated.includes(day) && isCalledOff(sentenceOf(tokens, day.from))),
    ),
    seriesEnds: until,
    allDayTokens: allDayIn(tokens),
  }
}

/**
 * The dates of a list that another sentence calls off: “Fri 22 Jan; Fri 5 Feb. UPDATE: Fri 5 Feb is
 * cancelled.” A date that is named once keeps its event, which is called off.
 */
function calledOffDates(tokens: readonly Token[], days: readonly DayMention[]): ReadonlySet<string> {
  const sentences = new Map(days.map(day => [day, tokens[day.from]?.sentence]))
  const isOff = (day: DayMention): boolean =>
    days.every(other => other === day || sentences.get(other) !== sentences.get(day)) &&
    isCalledOff(sentenceOf(tokens, day.from))
  const [off, on] = [days.filter(isOff), days.filter(day => !isOff(day))]
  const isElsewhere = ({ date }: DayMention): boolean => on.some(day => day.date === date)
  const dates = new Set(off.filter(isElsewhere).map(({ date }) => date))
  return on.some(({ date }) => !dates.has(date)) ? dates : new Set()
}

/** The most tokens before a weekday that are looked at, as in “seit dem Oktober”. */
const MAX_TO_SINCE = 3

/** What takes place again and again, without opening hours, exceptions and the weekdays of dates. */
function recurrencesOf(text: DatedText): TextRecurrence[] {
  const { tokens, days } = text
  const hasDays = days.some(day => !day.isPast && !day.season)
  return recurrencesIn(tokens).filter(
    ({ from, to }) =>
      // “Saturday and Sunday, 20 and 21 March”
      !days.some(day => day.from <= from && to <= day.to) &&
      // “Sundays free”
      ![0, 1].some(ahead => WORDS.free.has(foldedAt(tokens, to + ahead))) &&
      // “15th–24th April (no show Sunday or Monday)”
      !isAfterException(text, from) &&
      !isOfOtherMatters(tokens, from) &&
      // “geöffnet Samstag und Sonntag 14–17 Uhr”
      !WORDS.openForVisitors.has(foldedAt(tokens, from - 1)) &&
      !(hasDays && hasWord(tokens, from - MAX_TO_SINCE, from, WORDS.sinceLongAgo)),
  )
}

/** True if a day is that up to which something takes place each week. */
const isEndOfSeries = (
  tokens: readonly Token[],
  day: DayMention,
  recurrences: readonly TextRecurrence[],
): boolean =>
  // “Thursdays to Sundays, 10–20 June”
  day.last === undefined &&
  recurrences.some(
    recurrence =>
      (areInSameSentence(tokens, recurrence, day) ||
        // “… No class on the 17th, so we finish on 10th March.”
        recurrence.weekdays.includes(weekdayOn(day.date))) &&
      // “donnerstags bis sonntags, 3. bis 13. Juni” does not end on 3 June.
      (isAfterEnding(tokens, recurrence, day) ||
        isLastMeeting(tokens, day) ||
        // “every Thursday to 25 March”
        (day.from === recurrence.to + 1 && ['to', 'through'].includes(foldedAt(tokens, recurrence.to)))),
  )

/** The number of tokens before a day among which its preposition is: “bis zum”, “à partir du”. */
const MAX_TO_DAY = 3

const ENDING_WORDS = anyOf(WORDS.ending, WORDS.upToMoment, WORDS.endOfSeries)

/** True for “bis 26. Januar” and «termine le 26 janvier», but not “Termine: 26. Januar”. */
const isAfterEnding = (tokens: readonly Token[], { to }: TextRecurrence, { from }: DayMention): boolean =>
  tokens
    .slice(Math.max(0, from - (to === from - 1 ? 1 : MAX_TO_DAY)), from)
    .some(({ folded, text }) => ENDING_WORDS.has(folded) && text !== 'Termine')

/** True if a day without an hour is said to be one of a series as well: “every Friday, 26 March too”. */
function isConfirmed(
  { tokens, times }: DatedText,
  { from, date, last }: DayMention,
  recurrences: readonly TextRecurrence[],
): boolean {
  const { clause } = tokens[from] ?? {}
  return (
    last === undefined &&
    recurrences.some(({ weekdays }) => weekdays.includes(weekdayOn(date))) &&
    sentenceOf(tokens, from).some(one => one.clause === clause && WORDS.tooInSeries.has(one.folded)) &&
    !times.some(time => tokens[time.from]?.clause === clause)
  )
}

/**
 * Words at the head of a sentence, before a reason that may have a day: “Como el lunes 29 es festivo”, “Por
 * ser feriado”
 */
const BEFORE_REASON = anyOf(WORDS.beforeReason, WORDS.beforeReasonAtHead)

/**
 * True if a sentence begins with a reason that has a day, and continues with an event on another day:
 * “Because of the match on 20 March, the concert is on 27 March”, but not “Con motivo de las fiestas, el 5
 * concierto y el 6 baile”.
 */
function isReasonFor(tokens: readonly Token[], day: DayMention, other: DayMention): boolean {
  if (other.from < day.to || !areInSameSentence(tokens, other, day)) return false
  const sentence = sentenceOf(tokens, day.from)
  const reason = sentence.slice(0, 2).findIndex(({ folded }) => BEFORE_REASON.has(folded))
  const begin = tokens.indexOf(sentence[0] as Token)
  if (reason < 0 || tokens.slice(begin, day.from).some(({ folded }) => folded === ',' || folded === ':'))
    return false
  const between = tokens.slice(day.to, other.from)
  const kind = between.findIndex(({ folded }) => isKind(folded))
  const comma = between.slice(0, Math.max(kind, 0)).findLastIndex(({ folded }) => folded === ',')
  // “Wegen des Jubiläums am 5. Konzert, am 6. Tanz” has no article or verb before its kind.
  if (kind < 1 || (comma < 0 && !WORDS.beforeReason.has(sentence[reason]?.folded ?? ''))) return false
  return !between.slice(comma + 1, kind).some(({ folded }) => AND.has(folded))
}

/**
 * True if a day is that of the last meeting of a course: “Letzter Abend: 16. März”, “last class 16 March”.
 */
const isLastMeeting = (tokens: readonly Token[], { from }: DayMention): boolean =>
  tokensBefore(tokens, from, MAX_TO_DAY).some(({ folded }) => ORDINALS.get(folded) === -1)

/**
 * Makes a test for days that are not those of an event: deadlines, breaks, datelines, days from which it was
 * moved.
 */
function otherDayTest(
  text: DatedText,
  coming: readonly DayMention[],
  hasSeries: boolean,
): (day: DayMention) => boolean {
  const { tokens, times, today } = text
  const isDateline = datelineTest(text, hasSeries)
  // “los días 2, 3 y 4 de febrero”: what is said of the first day of a list is said of all.
  const headOf = (day: DayMention): DayMention => {
    const isFurther = (i: number): boolean =>
      coming[i]?.isListed === true && coming[i - 1]?.from !== coming[i]?.from
    return coming[skipBack(coming.indexOf(day), isFurther)] ?? day
  }
  // “Is there a quiz tonight?”, “No, not tonight”
  const denied = coming.filter(day => isDenied(text, day)).map(({ date }) => date)
  const isAsked = (day: DayMention): boolean =>
    sentenceOf(tokens, day.from).some(({ folded }) => folded === '?')
  // “la fuite d’eau constatée ce matin”, “heute Morgen”, if there is a later day as well
  const isMorningOfNews = (day: DayMention): boolean =>
    day.date === today &&
    tokens.slice(day.from, day.to + 1).some(({ folded }) => WORDS.morningsOfNews.has(folded)) &&
    coming.some(other => other.date > today) &&
    !times.some(time => areInSameSentence(tokens, time, day))
  // “El Ayuntamiento ha presentado hoy la feria, que será el 16 de abril a las 18 h”, but “today and
  // tomorrow”
  const isDayOfNews = (day: DayMention): boolean =>
    day.date === today &&
    // A word such as “today”
    day.to === day.from + 1 &&
    coming.some(
      other =>
        other.from > day.to &&
        other.date > day.date &&
        !other.isListed &&
        areInSameSentence(tokens, other, day) &&
        !times.some(({ from }) => from >= day.to && from < other.from),
    )
  // “… el 6 de marzo, porque el 20 de febrero coincide con el corso”, “car le 27 …”, but “car boot sale on 27
  // …”
  const isReasonAfter = (day: DayMention): boolean =>
    /\b(?:because|weil|puisque|porque)\b|^(?:le )?car\b/.test(wordsBefore(text, day.from).join(' ')) &&
    coming.some(other => other.to <= day.from && areInSameSentence(tokens, other, day))
  const isBesideEvent = (day: DayMention): boolean =>
    isDayOfNews(day) ||
    isMorningOfNews(day) ||
    isReasonAfter(day) ||
    coming.some(other => isReasonFor(tokens, day, other)) ||
    isSuperseded(text, day) ||
    (day !== coming[0] && (beginsWithCondition(tokens, day) || isOfSecondCall(tokens, day))) ||
    isInBrackets(tokens, day, coming) ||
    isOfPerson(tokens, day, coming) ||
    isOfBreak(tokens, day) ||
    isOfHandover(text, headOf(day)) ||
    (denied.includes(day.date) && isAsked(day))
  // “moved from Thursday 4 March to Thursday 11 March” says both.
  const isOldDay = (day: DayMention): boolean =>
    day.last === undefined &&
    isOrigin(text, day) &&
    coming.every(other => other === day || !areInSameSentence(tokens, other, day))
  return day =>
    isOtherDay(text, day) ||
    // “le jeudi 4 et non le vendredi 5”
    isDenied(text, day) ||
    (coming.length > 1 && isBesideEvent(day)) ||
    isOldDay(day) ||
    isDateline(day)
}

/**
 * True if a day of a list is left out elsewhere: “todos los viernes de febrero … El viernes 12 no hay baile”.
 */
const isLeftOut = ({ date, isListed }: DayMention, { except, exceptNumbers }: Exceptions): boolean =>
  isListed &&
  (exceptNumbers.includes(Number(date.slice(8))) ||
    except.some(day => day.date === date && day.last === undefined))

/**
 * The times that are those of events, without the hours that are said of days of something else.
 *
 * @param dated the days of events
 */
function timesOfEvents(
  text: DatedText,
  dated: readonly DayMention[],
  ofOthers: readonly DayMention[],
): TimeMention[] {
  const { tokens, times } = text
  const kept: TimeMention[] = []
  let openingHours: TimeMention | undefined
  let isOfOther = false
  for (const [i, time] of times.entries()) {
    const before = times[i - 1]
    const isSameSentence = before !== undefined && areInSameSentence(tokens, before, time)
    const isOfOtherDay = ofOthers.some(day => isTimeOf(text, time, day))
    isOfOther =
      isOtherTime(text, time, isOfOther && isSameSentence) ||
      isOfOtherDay ||
      (i < times.length - 1 && isPrintedTime(tokens, time))
    if (isOfOther) {
      openingHours = !isOfOtherDay && isOpenTo(text, time, dated) ? time : undefined
      continue
    }
    // “We are open from 10 to 4 on Saturday. At 2 the mayor speaks.”
    if (openingHours && isTimeWithin(time, openingHours)) kept.push(openingHours)
    openingHours = undefined
    if (kept.length > 0 && isCutOff(text, time)) continue
    // “moved from 7pm to 8pm”
    const moved = isFromHour(tokens, time) ? { ...time, start: time.end, end: undefined } : time
    const isBeginning = isSaidToBegin(text, time) || isNewHour(tokens, time)
    kept.push(isBeginning ? { ...moved, isBeginning } : moved)
  }
  const sentences = sentencesWithOpenHour(tokens, times)
  return sentences.size === 0 ? kept : kept.filter(({ from }) => !sentences.has(tokens[from]?.sentence ?? 0))
}

/**
 * The sentences in which the event begins at an hour that may be in the morning or in the evening: “We start
 * at 10 and sing it at 4.30.”
 */
const sentencesWithOpenHour = (
  tokens: readonly Token[],
  times: readonly TimeMention[],
): ReadonlySet<number> =>
  new Set(
    tokens.flatMap(({ folded, sentence }, i) => {
      if (!WORDS.beginning.has(folded) || !['at', 'um', 'a'].includes(foldedAt(tokens, i + 1))) return []
      const { kind, text = '' } = tokens[i + 2] ?? {}
      const isRead = times.some(({ from, start }) => from === i + 2 && start !== undefined)
      return kind === 'number' && Number(text) <= 12 && !isRead ? [sentence] : []
    }),
  )

/** The most tokens that join a time to a day of something else. */
export const MAX_BETWEEN_DAY_AND_TIME = 5

/** True if a time is right next to a day of something else. */
function isTimeOf(text: MarkedText, time: TimeMention, day: DayMention): boolean {
  const { tokens } = text
  return (
    // “Anmeldung bis 5. März, 18 Uhr”: a time right after a day is that day's.
    (day.to <= time.from &&
      time.from - day.to < MAX_BETWEEN_DAY_AND_TIME &&
      tokens[day.to]?.sentence === tokens[time.from]?.sentence &&
      isJoined(tokens, day.to, time.from)) ||
    // “by 5pm on Friday 26 February”
    (time.to <= day.from &&
      day.from - time.to < MAX_TO_DAY &&
      areInLine(tokens, day.from, time.from) &&
      areInSameSentence(tokens, day, time) &&
      !hasWord(tokens, time.to, day.from, WORDS.exceptDays) &&
      isJoined(tokens, time.to, day.from) &&
      isOtherDay(text, day))
  )
}

/** The dates that others replace. @param moved the same days, each as its postponement leaves it */
function replacedDates(
  tokens: readonly Token[],
  dated: readonly DayMention[],
  moved: readonly DayMention[],
): string[] {
  // Of a list of days, such as “el 23 y 24 de enero”, the last one is next to the day after the list.
  const lastOfList = (i: number): number => (dated[i + 1]?.isListed === true ? lastOfList(i + 1) : i)
  return dated
    .filter((day, i) => {
      const last = lastOfList(i)
      return moved[i]?.date !== day.date || isReplaced(tokens, dated[last] ?? day, dated[last + 1])
    })
    .map(({ date }) => date)
}

/**
 * True if all times between a day and the next one are those at which things are handed in or out.
 *
 * @param eventTimes the times at which nothing is handed in or out
 */
function isHandover(
  tokens: readonly Token[],
  [day, next]: readonly [DayMention, DayMention | undefined],
  times: readonly TimeMention[],
  eventTimes: readonly TimeMention[],
): boolean {
  const end = next?.from ?? tokens.length
  const ofDay = times.filter(({ from }) => from >= day.to && from < end)
  return ofDay.length > 0 && ofDay.every(time => !eventTimes.includes(time))
}

/** True if a time is that of something before the event, whose own time is the next one. */
function isPreliminaryTime(text: DatedText, time: TimeMention, times: readonly TimeMention[]): boolean {
  const next = times[times.indexOf(time) + 1]
  return (
    time.start !== undefined &&
    !text.days.some(day => day.from >= time.to && day.to <= (next?.from ?? 0)) &&
    isBeforeEvent(text, time, next)
  )
}

/**
 * The months of a series, and what recurs. Without its months, “jeden Samstag von Mai bis September” would
 * begin today. So nothing recurs in months that are vague, or if there are other days.
 */
function seriesOfMonths(
  tokens: readonly Token[],
  months: readonly DayMention[],
  recurrences: readonly TextRecurrence[],
  hasDays: boolean,
): { months: readonly DayMention[]; recurrences: readonly TextRecurrence[] } {
  const seasons = months.filter(season => ofSeason(tokens, recurrences, season).length > 0)
  const ofSeasons = seasons.flatMap(season => ofSeason(tokens, recurrences, season))
  const isSure =
    seasons.length === 1 &&
    !hasDays &&
    seasons.every(({ season }) => season === 'sure') &&
    ofSeasons.every(({ step }) => step === 7)
  return isSure
    ? { months: seasons, recurrences }
    : { months: [], recurrences: recurrences.filter(recurrence => !ofSeasons.includes(recurrence)) }
}

/** What recurs in some months: beside them, or in the sentence of one month alone. */
const ofSeason = (
  tokens: readonly Token[],
  recurrences: readonly TextRecurrence[],
  season: DayMention,
): TextRecurrence[] =>
  recurrences.filter(recurrence =>
    season.to - season.from > 2
      ? areNear(tokens, recurrence, season)
      : areInSameSentence(tokens, recurrence, season),
  )

/**
 * Leaves out the weekdays of a month if they have no time, but another day has: “Sonntags im März geöffnet.
 * Führung am 7. März um 15 Uhr.”
 */
function withoutOpenDays(
  tokens: readonly Token[],
  days: readonly DayMention[],
  times: readonly TimeMention[],
): readonly DayMention[] {
  const timed = new Set(times.map(({ from }) => tokens[from]?.sentence))
  const isTimed = ({ from }: DayMention): boolean => timed.has(tokens[from]?.sentence)
  const isOfList = ({ from }: DayMention, i: number): boolean =>
    days[i - 1]?.from === from || days[i + 1]?.from === from
  return days.some((day, i) => isTimed(day) && !isOfList(day, i))
    ? days.filter((day, i) => isTimed(day) || !isOfList(day, i))
    : days
}

/** True if a house is open from one time to another on a day of an event, and not its box office alone. */
function isOpenTo(text: MarkedText, time: TimeMention, days: readonly DayMention[]): boolean {
  const { tokens } = text
  const words = wordsBefore(text, time.from)
  const sentence = tokens[time.from]?.sentence ?? 0
  return (
    time.start !== undefined &&
    time.end !== undefined &&
    words.some(word => WORDS.openForVisitors.has(word)) &&
    !words.some(word => WORDS.servicesOfHouses.has(word)) &&
    days.some(day => {
      const daySentence = tokens[day.from]?.sentence ?? 0
      return day.to <= time.from && (daySentence === sentence || daySentence === sentence - 1)
    })
  )
}

export const isTimeWithin = (
  { start = '' }: TimeMention,
  { start: opens = '', end: closes = '' }: TimeMention,
): boolean => start > opens && (start < closes || closes < opens)

/**
 * True if a day is alone in brackets, after a name, and the day of the event is in the same sentence: “Con
 * motivo del Día Mundial (2 de febrero) … el sábado 6”.
 */
function isInBrackets(tokens: readonly Token[], day: DayMention, days: readonly DayMention[]): boolean {
  const isIn = ({ from, to }: DayMention): boolean =>
    tokens[from - 1]?.folded === '(' && tokens[to]?.folded === ')'
  const name = tokens[day.from - 2]
  const isAfterName =
    name?.kind === 'word' && weekdayOf(name.folded) === 0 && name.line === tokens[day.from]?.line
  return (
    isIn(day) &&
    isAfterName &&
    days.some(other => !isIn(other) && other.from > day.to && areInSameSentence(tokens, other, day))
  )
}

/**
 * True if a clause says what somebody does on a day, and the day of the event follows: “Our cook, who retires
 * on 31 March, …”
 */
function isOfPerson(tokens: readonly Token[], day: DayMention, days: readonly DayMention[]): boolean {
  const { clause } = tokens[day.from] ?? {}
  const isFollowed = days.some(other => other.from > day.to && tokens[other.from]?.clause !== clause)
  return (
    isFollowed &&
    WORDS.whoDoes.has(foldedAt(tokens, skipBack(day.from, i => tokens[i]?.clause === clause) + 1))
  )
}

const PRICE_WORDS = anyOf(WORDS.pricesOfHours, setOf('€ £ $ gbp chf eur'))

/** True if a price is that of a time: “Parking costs £2 all day”, “8 € bis Mitternacht”. */
export const isPriced = (tokens: readonly Token[], i: number): boolean =>
  tokensBefore(tokens, i, 5).some(
    token => token.clause === tokens[i]?.clause && PRICE_WORDS.has(token.folded),
  )

const ALL_DAY = phrasesOf('allDay')

/** Where words say that something lasts all day: the indexes of their first tokens. */
const allDayIn = (tokens: readonly Token[]): number[] =>
  tokens.flatMap((_, i) => (ALL_DAY.at(tokens, i) && !isPriced(tokens, i) ? [i] : []))
