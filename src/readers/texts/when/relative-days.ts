import {
  foldedAt,
  numberIn,
  OPENING_QUOTES,
  skip,
  skipBack,
  startsLine,
  type Token,
} from '../words/tokens.ts'
import { anyOf, isKind, phrasesOf, RELATIVE_DAYS, setOf, WORDS, weekdayOf } from '../words/words.ts'
import type { DateReader } from './dates.ts'
import { comingDay, type DayMention, daysLater, daysToWeekday, weekdayOn } from './day-mentions.ts'
import { isPlural } from './weekdays.ts'

// Days relative to today: `tomorrow`, `mardi prochain`, `heute in einer Woche`.

const WEEKS_AHEAD = phrasesOf('weeksAhead')

const DAY_AFTER_TOMORROW = phrasesOf('dayAfterTomorrow')

const MAX_TO_AFTERNOON = 16

/** A day relative to today: `tomorrow`, `am kommenden Samstag`, `mardi prochain`, `this Saturday`. */
export function relativeAt(reader: DateReader, i: number): DayMention[] | undefined {
  const token = reader.tokens[i]
  const week = inAWeekAt(reader, i) ?? afterDurationAt(reader, i)
  if (week) return week
  if (token?.kind !== 'word') return undefined
  const { today } = reader.context
  const mention = (date: string, to: number): DayMention[] => [comingDay(i, to, date)]
  const before = reader.foldedAt(i - 1)
  const dayAfterTomorrow = DAY_AFTER_TOMORROW.at(reader.tokens, i)
  if (dayAfterTomorrow) return mention(daysLater(today, 2), dayAfterTomorrow.to)
  // “ce soir”, but “ce soir-là”
  const isThat = reader.foldedAt(i + 2) === '-' && reader.foldedAt(i + 3) === 'la'
  if (WORDS.thisBeforePartsOfDay.has(token.folded) && WORDS.partsOfToday.has(reader.foldedAt(i + 1)))
    return isThat ? undefined : mention(today, i + 2)
  // “at 7.45 this evening”, “this evening, 8pm”, but “this evening of songs”
  const isTimed = [i - 2, i - 1, i + 2, i + 3].some(at => reader.tokens[at]?.kind === 'number')
  if (isTimed && token.folded === 'this' && ['evening', 'afternoon'].includes(reader.foldedAt(i + 1)))
    return reader.foldedAt(i + 2) === 'of' ? undefined : mention(today, i + 2)
  // “cet après-midi”
  const isAfternoon =
    token.folded === 'cet' && reader.foldedAt(i + 1) === 'apres' && reader.foldedAt(i + 3) === 'midi'
  if (isAfternoon) return mention(today, i + 4)
  const fromToday = RELATIVE_DAYS.get(token.folded)
  // “Demain” in quotation marks is a film, and “le collectif Demain” a name.
  const isFirst = startsLine(reader.tokens, i)
  const isName = /^[A-Z][a-z]/.test(token.text) && reader.tokens[i - 1]?.kind === 'word' && !isFirst
  if (fromToday !== undefined && !isName && !OPENING_QUOTES.includes(before))
    return mention(daysLater(today, fromToday), i + 1)
  // “mañana viernes” and “morgen Abend” are tomorrow. With an article, both words are the morning, and so is
  // a capitalized one within a sentence.
  const after = reader.foldedAt(i + 1)
  const isMorning = token.folded === 'manana' || token.folded === 'morgen'
  // “Mañana, de 9:30 a 14:00 · tarde, de 17:00 a 20:30”
  const isOfHalves =
    token.folded === 'manana' &&
    reader.tokens
      .slice(i, i + MAX_TO_AFTERNOON)
      .some(
        ({ folded, line }, n, near) =>
          folded === 'tarde' && line === token.line && near[n - 1]?.folded !== 'la',
      )
  const isOfDay = WORDS.beforeMornings.has(before) || weekdayOf(before) > 0 || isOfHalves
  const isBeforeHour =
    ['um', 'ab', 'gegen', 'a', ',', 'vormittag', 'nachmittag'].includes(after) ||
    reader.tokens[i + 1]?.kind === 'number'
  // “Morgen Spieleabend!”
  const isTomorrow = token.folded === 'manana' || token.text === 'morgen' || (isFirst && isKind(after))
  const at = after === ',' ? i + 2 : i + 1
  const isOther =
    WORDS.partsOfDayAfterTomorrow.has(after) ||
    weekdayOf(reader.foldedAt(at)) === weekdayOn(daysLater(today, 1))
  if (isMorning && !isOfDay && (isBeforeHour || isTomorrow || isOther))
    return mention(daysLater(today, 1), isOther ? at + 1 : i + 1)
  if (WORDS.next.has(token.folded) || WORDS.coming.has(token.folded)) {
    const later = inAWeekAt(reader, i + 1)
    if (later) return later
    const weekday = weekdayOf(reader.foldedAt(i + 1))
    // “el próximo lunes, día 25 de enero”
    const isShort = WORDS.shortWeekdays.has(reader.foldedAt(i + 1)) && !isThisSat(reader, i)
    if (weekday === 0 || isShort || reader.dateAt(i + 1)) return undefined
    // “am Samstag (10. April)”
    if (reader.foldedAt(i + 2) === '(' && reader.dateAt(i + 3)) return undefined
    // “this Friday, 22nd”, on a sheet of the week before, “kommenden Freitag, den 22.”
    const number = reader.foldedAt(i + 2) === ',' ? reader.skipSmallWords(i + 2) : i + 2
    const isNumbered = number > i + 3 || reader.afterDay(number + 1) > number + 1
    if (number > i + 2 && reader.number(number, 1, 31) && isNumbered && !reader.isHour(number + 1))
      return undefined
    // “this coming Thurs (21st)”
    const isBracketed = reader.foldedAt(i + 2) === '('
    const numbered = numberedAt(reader, isBracketed ? i + 3 : i + 2, weekday)
    if (numbered) return mention(numbered.date, numbered.to)
    const date = comingWeekday(reader, weekday, token.folded)
    return date === undefined ? undefined : mention(date, i + 2)
  }
  const weekday = weekdayOf(token.folded)
  if (weekday === 0 || WORDS.shortWeekdays.has(token.folded) || !WORDS.next.has(reader.foldedAt(i + 1)))
    return undefined
  const date = comingWeekday(reader, weekday, reader.foldedAt(i + 1))
  return date === undefined ? undefined : mention(date, i + 2)
}

/**
 * The most days from today to “this Saturday 23rd”: a later Saturday is not “this” one, and the number is
 * rather an hour.
 */
const MAX_TO_NUMBERED = 16

const AFTER_HOUR = anyOf(WORDS.afterHoursOfWeekdays, setOf('-'))

/**
 * The day of a number right after its weekday: `este sábado 23 es …`, `this Saturday 23rd`, but not
 * `Saturday 8pm`.
 */
function numberedAt(
  reader: DateReader,
  i: number,
  weekday: number,
): { date: string; to: number } | undefined {
  const day = reader.number(i, 1, 31)
  const after = reader.foldedAt(i + 1)
  if (day === undefined || reader.isHour(i + 1) || reader.isClock(i + 1) || AFTER_HOUR.has(after))
    return undefined
  const ahead = Array.from({ length: MAX_TO_NUMBERED + 1 }, (_, days) =>
    daysLater(reader.context.today, days),
  )
  const date = ahead.find(one => Number(one.slice(8)) === day && weekdayOn(one) === weekday)
  return date === undefined ? undefined : { date, to: reader.afterDay(i + 1) }
}

/** True for a short weekday after “this”: `this Sat`, but not “this sun”. */
function isThisSat(reader: DateReader, i: number): boolean {
  return (
    reader.foldedAt(i) === 'this' &&
    /^(?:Mon|Wed|Sat|Sun|mon|wed|sat)$/.test(reader.tokens[i + 1]?.text ?? '')
  )
}

const DAYS_AFTER_DAY = phrasesOf('daysAfterDay')
const BEFORE_STRETCHES = phrasesOf('beforeStretchesAfterDays')

/** The most tokens of “la semana que viene, el” before a weekday. */
const MAX_TO_WEEKDAY = 7

const BEFORE_WEEKDAY = anyOf(WORDS.betweenWeekAndWeekday, setOf(','))

/**
 * `heute in einer Woche`, `Friday week`, `a week on Friday`, `vendredi en huit (le 22)`, `el viernes de la
 * semana que viene`
 */
function inAWeekAt(reader: DateReader, i: number): DayMention[] | undefined {
  const { today } = reader.context
  const named = WEEKS_AHEAD.at(reader.tokens, i)
  if (named) {
    // “Nächste Woche Freitag”, “Next week, on Friday”
    const at = skip(named.to, n => n < i + MAX_TO_WEEKDAY && BEFORE_WEEKDAY.has(reader.foldedAt(n)))
    const weekday =
      WORDS.shortWeekdays.has(reader.foldedAt(at)) || isPlural(reader.foldedAt(at))
        ? 0
        : weekdayOf(reader.foldedAt(at))
    const isDate =
      weekday === 0 || reader.dateAt(at) !== undefined || reader.tokens[at + 1]?.kind === 'number'
    return isDate
      ? undefined
      : [comingDay(i, at + 1, daysLater(today, named.value * 7 + weekday - weekdayOn(today)))]
  }
  const leadingDuration = durationAt(reader, i)
  if (leadingDuration) {
    // “a week on Friday”, “one week from today”, but “Three days from Friday 5 March” says how long
    const isFrom =
      reader.foldedAt(leadingDuration.to) === 'from' &&
      (leadingDuration.days === 7 || RELATIVE_DAYS.has(reader.foldedAt(leadingDuration.to + 1)))
    const isOn = isFrom
      ? !reader.dateAt(leadingDuration.to + 1)
      : reader.foldedAt(leadingDuration.to) === 'on'
    const day = isOn ? leadingDuration.to + 1 : leadingDuration.to
    // “Four weeks on Tuesdays” is a course, and so is “every week on Tuesday”.
    const isCounted =
      day > leadingDuration.to
        ? !isPlural(reader.foldedAt(day)) && !WORDS.every.has(reader.foldedAt(i - 1))
        : ['today', 'tomorrow'].includes(reader.foldedAt(day))
    const ahead = isCounted ? daysTo(reader, day) : undefined
    return ahead === undefined
      ? undefined
      : [comingDay(i, day + 1, daysLater(today, ahead + leadingDuration.days))]
  }
  const ahead = daysTo(reader, i)
  if (ahead === undefined) return undefined
  // `d'aujourd'hui en huit`
  const at = reader.foldedAt(i) === 'aujourd' ? i + 3 : i + 1
  const idiom = DAYS_AFTER_DAY.at(reader.tokens, at)
  const lead = BEFORE_STRETCHES.at(reader.tokens, at)
  const duration = lead && durationAt(reader, lead.to)
  const later = duration ?? (idiom && { days: idiom.value, to: idiom.to })
  const week = weekdayOf(reader.foldedAt(i)) > 0 ? WEEKS_AHEAD.at(reader.tokens, at) : undefined
  if (!later && week === undefined) return undefined
  const isNamed = !RELATIVE_DAYS.has(reader.foldedAt(i))
  // “Samstag in zehn Tagen” contradicts itself, or its weekday is another word.
  if (isNamed && later && later.days % 7 > 0) return undefined
  const end = later?.to ?? week?.to ?? at
  const days = later
    ? ahead + later.days
    : (week?.value ?? 0) * 7 + weekdayOf(reader.foldedAt(i)) - weekdayOn(today)
  // Said on a Thursday, “Thursday week” may be one week ahead or two, unless its date is given: “(28th)”.
  const isEither = later !== undefined && ahead === 0 && isNamed
  const dates = [days, ...(isEither ? [days + 7] : [])].map(days => daysLater(today, days))
  const given =
    reader.foldedAt(end) === '(' ? [1, 2].map(n => reader.number(end + n, 1, 31)).find(Boolean) : undefined
  // “this Friday week, 29th January”: its date follows.
  if (reader.dateAt(reader.foldedAt(end) === ',' ? end + 1 : end)) return []
  const date = dates.find(date => (given === undefined ? !isEither : Number(date.slice(8)) === given))
  return date === undefined ? undefined : [comingDay(i, reader.skipBrackets(end), date)]
}

/**
 * `Dans quinze jours, à 20 heures`, `In zwei Wochen um 19 Uhr`, `Dentro de una semana, a las 18 h`: a day
 * some weeks after today, if an hour follows. “In two weeks you will learn to dance” has none.
 */
function afterDurationAt(reader: DateReader, i: number): DayMention[] | undefined {
  const lead = BEFORE_STRETCHES.at(reader.tokens, i)
  const before = reader.foldedAt(i - 1)
  const isOther = RELATIVE_DAYS.has(before) || weekdayOf(before) > 0 || OPENING_QUOTES.includes(before)
  if (!lead || isOther) return undefined
  const duration = durationAt(reader, lead.to)
  if (!duration || duration.days % 7 > 0) return undefined
  const at = reader.foldedAt(duration.to) === ',' ? duration.to + 1 : duration.to
  const isAt = WORDS.beforeHoursAfterStretches.has(reader.foldedAt(at))
  const hour = reader.foldedAt(at + 1) === 'las' ? at + 2 : isAt ? at + 1 : at
  const number = reader.number(hour, 0, 24) ?? numberIn(reader.tokens, hour)?.number
  const isHour = number !== undefined && (isAt || reader.isHour(hour + 1)) && !reader.dateAt(hour)
  return isHour ? [comingDay(i, duration.to, daysLater(reader.context.today, duration.days))] : undefined
}

/**
 * Spans in which people count today, with the days from today on: “in acht Tagen”, “dans quinze jours”.
 * Nobody says so in English.
 */
const WITH_TODAY: ReadonlyMap<string, number> = new Map([
  ['8 tagen', 7],
  ['8 jours', 7],
  ['15 jours', 14],
  ['8 dias', 7],
  ['15 dias', 14],
])

const MAX_WEEKS = 12

/** A duration: `a week`, `3 weeks`, `acht Tagen`, `fortnight`. */
function durationAt(reader: DateReader, i: number): { days: number; to: number } | undefined {
  const isOne = WORDS.oneBeforeUnits.has(reader.foldedAt(i))
  const at = isOne ? i + 1 : i
  if (reader.foldedAt(at) === 'fortnight') return { days: 14, to: at + 1 }
  if (reader.foldedAt(at) === 'week') return { days: 7, to: at + 1 }
  const named = isOne ? { number: 1, to: at } : numberIn(reader.tokens, i)
  const count = named?.number ?? reader.number(i, 1, MAX_WEEKS * 7)
  const unit = named?.to ?? i + 1
  if (count === undefined) return undefined
  if (WORDS.unitsOfWeeks.has(reader.foldedAt(unit)) && count <= MAX_WEEKS)
    return { days: 7 * count, to: unit + 1 }
  return WORDS.unitsOfDays.has(reader.foldedAt(unit))
    ? { days: WITH_TODAY.get(`${count} ${reader.foldedAt(unit)}`) ?? count, to: unit + 1 }
    : undefined
}

/** The number of days from today to the day that a word names. */
function daysTo(reader: DateReader, i: number): number | undefined {
  const word = reader.foldedAt(i)
  const weekday = word.length < 4 ? 0 : weekdayOf(word)
  if (weekday > 0) return daysToWeekday(reader.context.today, weekday)
  // “morgen in acht Tagen”
  const isTomorrow =
    (word === 'morgen' || word === 'manana') && !WORDS.beforeMornings.has(reader.foldedAt(i - 1))
  return isTomorrow ? 1 : RELATIVE_DAYS.get(word)
}

/**
 * The date of the coming weekday; undefined for “Next Saturday”, said on a Thursday, which may be this week
 * or the next.
 */
function comingWeekday(reader: DateReader, weekday: number, word: string): string | undefined {
  const { today } = reader.context
  const isNext = WORDS.next.has(word)
  const ahead = daysToWeekday(today, weekday)
  // Spanish “próximo” is the coming weekday, unless that is tomorrow: then people say “mañana”.
  const isSure = WORDS.nextInSpanish.has(word) && ahead > 1
  const isEither = isNext && !isSure && ahead > 0 && weekday > weekdayOn(today)
  return isEither ? undefined : daysLater(today, ahead === 0 && isNext ? 7 : ahead)
}

/** The most tokens from “of the” to the day. */
const MAX_TO_OF = 3

/**
 * Moves each day of which a text names the eve to that eve. “New Year’s Eve, 31 December” already is the eve.
 */
export const movedToEves = (tokens: readonly Token[], days: readonly DayMention[]): DayMention[] =>
  days.map(day => {
    const least = day.from - MAX_TO_OF
    const ofAt = skipBack(day.from - 1, i => i > least && WORDS.articlesAfterEves.has(foldedAt(tokens, i)))
    const isEve =
      WORDS.betweenEveAndDay.has(foldedAt(tokens, ofAt)) && WORDS.eves.has(foldedAt(tokens, ofAt - 1))
    return isEve && day.last === undefined ? { ...day, from: ofAt - 1, date: daysLater(day.date, -1) } : day
  })
