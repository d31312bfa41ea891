import { hasWord, sentenceHas, sentenceOf } from '../words/clauses.ts'
import {
  areInLine,
  foldedAt,
  type MarkedText,
  skip,
  skipBack,
  startsLine,
  type Token,
  tokensBefore,
} from '../words/tokens.ts'
import { anyOf, isKind, WORDS, weekdayOf } from '../words/words.ts'
import { FESTIVALS } from './calendars.ts'
import { type DayMention, daysLater } from './day-mentions.ts'
import type { TimeMention } from './times.ts'

// Days that belong to the text itself or to a name rather than to an event: the date of a letter or a sheet,
// what an earlier text said by mistake, thanks for what is over, a street. Their places in the text show
// which they are.

/** A text with the days and times that it names. */
export type DatedText = MarkedText & {
  days: readonly DayMention[]
  times: readonly TimeMention[]
  today: string
}

/**
 * Makes a test for the days of a text that belong to the text itself or to a name.
 *
 * @param hasSeries whether the text names what takes place again and again
 */
export function datelineTest(text: DatedText, hasSeries: boolean): (day: DayMention) => boolean {
  const { tokens, days, times, today } = text
  const isErratum = tokens.some(({ folded }) => WORDS.errata.has(folded))
  const head = tokens.findIndex(({ line }, i) => i > 0 && line - (tokens[i - 1]?.line ?? line) > 1)
  const heads = days.filter(day => isOfHead(text, day, head))
  const week = heads.find(day => day.last !== undefined || isOfWeek(tokens, day.from))
  // “Sat 30 Verger's day off” in the sheet of a week, and “Sun 24 usual services” on its first day
  const isBare = ({ from, to, date }: DayMention): boolean => {
    const next = days.find(day => day.from >= to)?.from ?? tokens.length
    const isNamed = date !== week?.date && tokens.slice(to, next).some(({ folded }) => isKind(folded))
    return startsLine(tokens, from) && !isNamed && !times.some(time => time.from >= to && time.from < next)
  }
  return day =>
    isDateline(text, day, hasSeries) ||
    isInPastTense(tokens, day, today) ||
    isOfLastYear(tokens, day) ||
    (isErratum && isPrinted(tokens, day)) ||
    isNameOfStreet(tokens, day) ||
    heads.includes(day) ||
    (week !== undefined && isBare(day))
}

/**
 * True if the sentence of a day without a year is in the past tense: “Der Basar am 5. Dezember war ein
 * Erfolg.”
 */
const isInPastTense = (tokens: readonly Token[], day: DayMention, today: string): boolean =>
  isOfResult(tokens, day) || isLongAgo(tokens, day, today)

/** True if a weekday alone is that of a match that is over: “We won 3–1 on Saturday”. */
const isOfResult = (tokens: readonly Token[], { from, to }: DayMention): boolean =>
  to === from + 1 &&
  weekdayOf(foldedAt(tokens, from)) > 0 &&
  sentenceOf(tokens, from).some(
    ({ kind }, i, own) =>
      kind === 'number' && ['-', ':'].includes(own[i + 1]?.folded ?? '') && own[i + 2]?.kind === 'number',
  ) &&
  sentenceHas(tokens, from, WORDS.resultsOfMatches)

/** Most announced events take place within this number of days. */
const USUAL_DAYS_AHEAD = 150

/**
 * True if a day without a year is so far ahead that it must be one of last year, and its sentence is in the
 * past tense.
 */
const isLongAgo = (tokens: readonly Token[], day: DayMention, today: string): boolean =>
  day.date > daysLater(today, USUAL_DAYS_AHEAD) &&
  !tokens.slice(day.from, day.to).some(({ text }) => text.length === 4 && Number(text) > 0) &&
  (isAfterOtherEvent(tokens, day) || hasPastTense(tokens, day))

/** The most tokens before a day that are looked at, as in “nach dem großen Flohmarkt vom”. */
const MAX_TO_AFTER = 5

/** True if a day is that of an event after which another one comes: “Nach dem Flohmarkt vom 28. November”. */
const isAfterOtherEvent = (tokens: readonly Token[], { from }: DayMention): boolean =>
  ['vom', 'du', 'del', 'on'].includes(foldedAt(tokens, from - 1)) &&
  isKind(foldedAt(tokens, from - 2)) &&
  hasWord(tokens, from - MAX_TO_AFTER, from - 2, WORDS.after)

const hasPastTense = (tokens: readonly Token[], day: DayMention): boolean =>
  sentenceOf(tokens, day.from).some(
    ({ folded }, i, sentence) =>
      i > 0 &&
      WORDS.pastTense.has(folded) &&
      // “at the war memorial”
      (folded !== 'war' || !sentence.some(token => token.folded === 'the')) &&
      // “en la era del pueblo”
      (folded !== 'era' || sentence[i - 1]?.folded !== 'la'),
  )

const LAST_YEARS =
  /^(?:(?:last|letztes|voriges|im letzten|im vorigen) (?:year|jahr)|im vorjahr|l [’'] an dernier|l [’'] annee derniere|el ano (?:pasado|anterior))(?: |$)/

/**
 * True if a sentence begins with an earlier year, and is in the past tense: “Last year, on 6 June, it was …”
 */
const isOfLastYear = (tokens: readonly Token[], day: DayMention): boolean => {
  const sentence = sentenceOf(tokens, day.from)
  if (!WORDS.beforeLastYear.has(sentence[0]?.folded ?? '')) return false
  const first = sentence
    .slice(0, 5)
    .map(({ folded }) => folded)
    .join(' ')
  return LAST_YEARS.test(first) && sentence.some(({ folded }) => WORDS.pastTense.has(folded))
}

const MAX_TO_WAS = 3
const MAX_TO_PRINTED = 5

/** True if a day or a time is quoted from a text with a mistake. */
const isPrinted = (tokens: readonly Token[], { from }: { from: number }): boolean =>
  tokensBefore(tokens, from, MAX_TO_PRINTED).some(
    ({ folded, sentence }, i, before) =>
      sentence === tokens[from]?.sentence &&
      (WORDS.beforePrinted.has(folded) || (i >= before.length - MAX_TO_WAS && WORDS.wasPrinted.has(folded))),
  )

const MAX_TO_MEDIUM = 8

/** True if a time is what another text says: “Im Blatt stand 17 Uhr: Das Konzert beginnt um 16 Uhr.” */
export const isPrintedTime = (tokens: readonly Token[], time: { from: number }): boolean =>
  isPrinted(tokens, time) && hasWord(tokens, time.from - MAX_TO_MEDIUM, time.from, WORDS.printedMedia)

/** True if a street has the name of a day: “5 de Mayo 512”, “por 18 de Julio”, “rue du 8 mai”. */
function isNameOfStreet(tokens: readonly Token[], { from, to }: DayMention): boolean {
  const [number, next] = [tokens[to], tokens[to + 1]]
  const isNumbered =
    number?.kind === 'number' &&
    number.line === tokens[from]?.line &&
    (next?.line !== number.line ? next?.folded !== 'uhr' : next.folded === ',')
  const before = tokens[['du', 'des', 'de', 'del'].includes(foldedAt(tokens, from - 1)) ? from - 2 : from - 1]
  // “Date | Time | Place”, above “06/02/2027 | …”
  const isNamed = WORDS.beforeStreetOfDay.has(before?.folded ?? '') && before?.line === tokens[from]?.line
  return tokens[from]?.kind === 'number' && (isNumbered || isNamed)
}

/** The most tokens before a day that are looked at, as in “semana del”, “Woche vom”. */
const MAX_TO_WEEK = 3

/** Days from today to the date of a letter at most. */
const MAX_DAYS_TO_DATELINE = 7

/**
 * True if a day is that on which the text was written: in the head of it, at most a week ahead, where other
 * days follow.
 */
function isDateline({ tokens, days, times, today }: DatedText, day: DayMention, hasSeries: boolean): boolean {
  const isOfSheet =
    areInLine(tokens, day.from, 0) &&
    (WORDS.sheets.has(foldedAt(tokens, 0)) || WORDS.sheets.has(foldedAt(tokens, 1)))
  const isPastOrSoon = day.date <= daysLater(today, MAX_DAYS_TO_DATELINE)
  const isAboveOthers = isPastOrSoon && (days.some(({ from }) => from > day.from) || hasSeries)
  const sentenceAfter = (mentions: readonly { from: number }[]): number =>
    tokens[mentions.find(({ from }) => from >= day.to)?.from ?? Infinity]?.sentence ?? Infinity
  // “Valmont, 16 janvier 2027 – concert à 20h. Prochain concert le 20 mars”: the first time is of this day.
  const isOfTime = areInLine(tokens, day.to, day.from) && sentenceAfter(times) < sentenceAfter(days)
  if (!isOfTime && isPlaceAndDate(tokens, day, today, isAboveOthers)) return true
  const isNow = day.date <= today && (day.last ?? day.date) <= daysLater(today, MAX_DAYS_TO_DATELINE)
  // “Week of 17 January”, but not “Services this week” above the day
  const isAfterWordOfWeek = tokensBefore(tokens, day.from, MAX_TO_WEEK).some(
    ({ folded, line }) => WORDS.weeks.has(folded) && line === tokens[day.from]?.line,
  )
  return (
    (isOfSheet || isNow || isAfterWordOfWeek) &&
    (tokens[day.to]?.line ?? -1) !== tokens[day.from]?.line &&
    day.to < 30 &&
    days.some(other => other.from > day.from && other.date > day.date)
  )
}

/** Words of a heading above several events: “Gottesdienste vom 7. bis 14. Februar”, a cinema. */
const ABOVE_SEVERAL_EVENTS = anyOf(WORDS.headingsOfWorship, WORDS.headingsOfSeveral)

/** The most tokens between a day and its time. */
const MAX_TO_ITS_TIME = 8

/**
 * True if a day is that of a sheet of notices: it ends a line of the head, which has no time, and notices
 * with days and times follow. A line that names the sheet is a head on its own.
 *
 * @param secondParagraph the token at which the second paragraph begins
 */
function isOfHead(
  { tokens, days, times, today }: DatedText,
  day: DayMention,
  secondParagraph: number,
): boolean {
  const { from, to, date, last, isListed } = day
  const { line } = tokens[from] ?? { line: 0 }
  const first = tokens.findIndex(token => token.line === line)
  const next = tokens.findIndex(token => token.line > line)
  const isStretch = last !== undefined && last <= daysLater(date, 7)
  // “Newsletter, Sunday 17th January 2027 – Second Sunday in Ordinary Time”, “Feuille n° 3, du 24 au 31
  // janvier – gratuit”
  const isOfSheetLine =
    date <= daysLater(today, 2 * MAX_DAYS_TO_DATELINE) &&
    (hasWord(tokens, first, isStretch ? from : Math.min(first + 2, from), WORDS.sheets) ||
      isOfWeek(tokens, from) ||
      // “Parish newsletter”, above “Second Sunday in Ordinary Time – 17th January 2027”
      (first > 0 && from > first && hasWord(tokens, 0, first, WORDS.periodicals)))
  const isOwnHead =
    isOfSheetLine &&
    line < 4 &&
    !times.some(time => time.from >= to && time.from < next + 2) &&
    !tokens
      .slice(0, next)
      .some(({ folded }) => isKind(folded) || FESTIVALS.has(folded) || folded.endsWith('festival'))
  const head = isOwnHead ? next : secondParagraph
  if (
    isListed ||
    to > head ||
    (tokens[to]?.line === line && !isOfSheetLine) ||
    times.some(time => time.from < head)
  )
    return false
  const isSheet = isOwnHead || tokens.slice(0, head).some(({ folded }) => WORDS.sheets.has(folded))
  const isTimed = (other: DayMention): boolean =>
    times.some(
      ({ from: at }) =>
        at >= other.to &&
        (at - other.to < MAX_TO_ITS_TIME || tokens[at]?.sentence === tokens[other.to - 1]?.sentence),
    )
  const below = days.filter(other => other.from >= head)
  // “Fiestas de San Blas, del 2 al 7 de febrero”, above its days
  const isFestival =
    last !== undefined &&
    !tokens
      .slice(0, head)
      .some(({ folded }) => WORDS.weeks.has(folded) || ABOVE_SEVERAL_EVENTS.has(folded)) &&
    [date, last].every(end => below.some(other => other.date === end)) &&
    below.every(other => other.date >= date && other.date <= last)
  if (isFestival && !isSheet) return false
  const noticed = below.filter(other => other.date !== date && isTimed(other))
  return noticed.length > (isSheet ? 0 : 1)
}

/** True if a day is that on which a week begins: “Week of 17 January”, “semana del 18”. */
const isOfWeek = (tokens: readonly Token[], at: number): boolean => WORDS.weeks.has(foldedAt(tokens, at - 2))

/** Signs between the place and date of a press release and its first sentence. */
const MARKS_OF_DATELINE = new Set(['.', '-', ':', '|'])

/**
 * True if a day ends a line that says where and when something was written: “Villaserena, a 5 de marzo de
 * 2027”.
 *
 * @param isAboveOthers true if other days follow it
 */
function isPlaceAndDate(
  tokens: readonly Token[],
  { from, to, date }: DayMention,
  today: string,
  isAboveOthers: boolean,
): boolean {
  const { line } = tokens[from] ?? { line: -1 }
  // “Lindenau, 14. Januar. In acht Tagen …”
  const isDated = tokens[to - 1]?.text.length === 4 || date === today
  const article = foldedAt(tokens, from - 1)
  const comma = ['a', 'le', 'den'].includes(article) ? from - 2 : from - 1
  // “Lindenau, 14. Januar 2027. Die Stadt lädt …”, “Valdeorca, 14 de enero de 2027.- El escritor …”
  const next = skip(to, i => i < to + 2 && MARKS_OF_DATELINE.has(foldedAt(tokens, i)))
  const isAfterDate = tokens[to]?.line === line && (next === to || tokens[next]?.kind !== 'word')
  if (tokens[comma]?.folded !== ',' || isAfterDate || !isDated) return false
  const start = skipBack(comma - 1, i => comma - i <= 5 && tokens[i]?.line === line) + 1
  const isName = tokens.slice(start, comma).every(({ kind, folded }) => kind === 'word' || folded === '-')
  const isWhole = tokens[start - 1]?.line !== line
  return isName && isWhole && (article === 'a' || isAboveOthers)
}
