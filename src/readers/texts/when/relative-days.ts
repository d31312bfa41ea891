import { memoize } from '../../../kit/lib/memo.ts'
import { lowAt, numberIn, OPENING_QUOTES, skip, skipBack, startsLine, type Token } from '../words/tokens.ts'
import {
  COMING,
  EVERY,
  EVES,
  isKind,
  NEXT,
  RELATIVE_DAYS,
  SHORT_WEEKDAYS,
  setOf,
  weekdayOf,
} from '../words/words.ts'
import type { DateReader } from './dates.ts'
import { comingDay, type DayMention, daysLater, daysToWeekday, weekdayOn } from './day-mentions.ts'
import { DAY_WORDS, isPlural, WEEK_WORDS } from './weekdays.ts'

// Days by today: `tomorrow`, `mardi prochain`, `heute in einer Woche`.

/** Phrases for the next week and the one after it, by their first words. */
const weeksByFirstWord = memoize(() => {
  const phrases: (readonly [phrase: string, weeks: number])[] = [
    ['nachster woche', 1],
    ['nachste woche', 1],
    ['kommender woche', 1],
    ['kommende woche', 1],
    ['next week', 1],
    ['of next week', 1],
    ['de la semana que viene', 1],
    ['la semana que viene', 1],
    ['de la proxima semana', 1],
    ['la proxima semana', 1],
    ['de la semaine prochaine', 1],
    ['la semaine prochaine', 1],
    ['ubernachster woche', 2],
    ['ubernachste woche', 2],
    ['week after next', 2],
    ['the week after next', 2],
  ]
  const weeks = phrases.map(([phrase, ahead]) => ({ words: phrase.split(' '), weeks: ahead }))
  return Map.groupBy(weeks, ({ words: [first = ''] }) => first)
})

/** How many weeks ahead a phrase is that begins at a token, and where it ends. */
function weeksAt(reader: DateReader, i: number): { weeks: number; to: number } | undefined {
  const phrases = weeksByFirstWord().get(reader.low(i))
  const found = phrases?.find(({ words }) => words.every((word, n) => reader.low(i + n) === word))
  return found && { weeks: found.weeks, to: i + found.words.length }
}

const EVENINGS = setOf('abend noche tarde nachmittag')

/** Words for “this”, which name today before a part of the day: `ce soir`, `esta noche`. */
const THIS_WORDS = setOf('ce cet esta')

const PARTS_OF_DAY = setOf('soir matin midi noche tarde')

const DAY_AFTER_NEXT: ReadonlyMap<string, readonly string[]> = new Map([
  ['apres', ['-', 'demain']],
  ['pasado', ['manana']],
  ['day', ['after', 'tomorrow']],
])

const MAX_TO_AFTERNOON = 16

/** Before `mañana` and `Morgen` where these are the morning. */
const MORNINGS_AFTER = setOf('la de am jeden guten heute esta por una media cada gestern')

/** A day by today: `tomorrow`, `am kommenden Samstag`, `mardi prochain`, `this Saturday`. */
export function relativeAt(reader: DateReader, i: number): DayMention[] | undefined {
  const token = reader.tokens[i]
  const week = inAWeekAt(reader, i) ?? afterStretchAt(reader, i)
  if (week) return week
  if (token?.kind !== 'word') return undefined
  const { today } = reader.context
  const mention = (date: string, to: number): DayMention[] => [comingDay(i, to, date)]
  const before = reader.low(i - 1)
  const next = DAY_AFTER_NEXT.get(token.low)
  if (next?.every((word, n) => reader.low(i + 1 + n) === word))
    return mention(daysLater(today, 2), i + 1 + next.length)
  // “ce soir”, but “ce soir-là”
  const isThat = reader.low(i + 2) === '-' && reader.low(i + 3) === 'la'
  if (THIS_WORDS.has(token.low) && PARTS_OF_DAY.has(reader.low(i + 1)))
    return isThat ? undefined : mention(today, i + 2)
  // “at 7.45 this evening”, “this evening, 8pm”, but “this evening of songs”
  const isTimed = [i - 2, i - 1, i + 2, i + 3].some(at => reader.tokens[at]?.kind === 'number')
  if (isTimed && token.low === 'this' && ['evening', 'afternoon'].includes(reader.low(i + 1)))
    return reader.low(i + 2) === 'of' ? undefined : mention(today, i + 2)
  // “cet après-midi”
  const isAfternoon = token.low === 'cet' && reader.low(i + 1) === 'apres' && reader.low(i + 3) === 'midi'
  if (isAfternoon) return mention(today, i + 4)
  const fromToday = RELATIVE_DAYS.get(token.low)
  // “Demain” in quotation marks is a film, and “le collectif Demain” a name.
  const isFirst = startsLine(reader.tokens, i)
  const isName = /^[A-Z][a-z]/.test(token.text) && reader.tokens[i - 1]?.kind === 'word' && !isFirst
  if (fromToday !== undefined && !isName && !OPENING_QUOTES.includes(before))
    return mention(daysLater(today, fromToday), i + 1)
  // “mañana viernes” and “morgen Abend”: with an article both are the morning, and so is a capital one
  // within a sentence.
  const after = reader.low(i + 1)
  const isMorning = token.low === 'manana' || token.low === 'morgen'
  // “Mañana, de 9:30 a 14:00 · tarde, de 17:00 a 20:30”
  const isOfHalves =
    token.low === 'manana' &&
    reader.tokens
      .slice(i, i + MAX_TO_AFTERNOON)
      .some(({ low, line }, n, near) => low === 'tarde' && line === token.line && near[n - 1]?.low !== 'la')
  const isOfDay = MORNINGS_AFTER.has(before) || weekdayOf(before) > 0 || isOfHalves
  const isBeforeHour =
    ['um', 'ab', 'gegen', 'a', ',', 'vormittag', 'nachmittag'].includes(after) ||
    reader.tokens[i + 1]?.kind === 'number'
  // “Morgen Spieleabend!”
  const isTomorrow = token.low === 'manana' || token.text === 'morgen' || (isFirst && isKind(after))
  const at = after === ',' ? i + 2 : i + 1
  const isOther = EVENINGS.has(after) || weekdayOf(reader.low(at)) === weekdayOn(daysLater(today, 1))
  if (isMorning && !isOfDay && (isBeforeHour || isTomorrow || isOther))
    return mention(daysLater(today, 1), isOther ? at + 1 : i + 1)
  if (NEXT.has(token.low) || COMING.has(token.low)) {
    const later = inAWeekAt(reader, i + 1)
    if (later) return later
    const weekday = weekdayOf(reader.low(i + 1))
    // “el próximo lunes, día 25 de enero”
    const isShort = SHORT_WEEKDAYS.has(reader.low(i + 1)) && !isThisSat(reader, i)
    if (weekday === 0 || isShort || reader.at(i + 1)) return undefined
    // “am Samstag (10. April)”
    if (reader.low(i + 2) === '(' && reader.at(i + 3)) return undefined
    // “this Friday, 22nd”, on a sheet of the week before, “kommenden Freitag, den 22.”
    const number = reader.low(i + 2) === ',' ? reader.overSmall(i + 2) : i + 2
    const isNumbered = number > i + 3 || reader.afterDay(number + 1) > number + 1
    if (number > i + 2 && reader.number(number, 1, 31) && isNumbered && !reader.isHour(number + 1))
      return undefined
    // “this coming Thurs (21st)”
    const isBracketed = reader.low(i + 2) === '('
    const numbered = numberedAt(reader, isBracketed ? i + 3 : i + 2, weekday)
    if (numbered) return mention(numbered.date, numbered.to)
    const date = coming(reader, weekday, token.low)
    return date === undefined ? undefined : mention(date, i + 2)
  }
  const weekday = weekdayOf(token.low)
  if (weekday === 0 || SHORT_WEEKDAYS.has(token.low) || !NEXT.has(reader.low(i + 1))) return undefined
  const date = coming(reader, weekday, reader.low(i + 1))
  return date === undefined ? undefined : mention(date, i + 2)
}

/**
 * Days from today to “this Saturday 23rd” at most: a later one is no “this”, and the number rather an hour.
 */
const MAX_TO_NUMBERED = 16

const AFTER_HOUR = setOf('- to till until bis am pm')

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
  const after = reader.low(i + 1)
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
    reader.low(i) === 'this' && /^(?:Mon|Wed|Sat|Sun|mon|wed|sat)$/.test(reader.tokens[i + 1]?.text ?? '')
  )
}

/** What follows a day by itself, by the days that it adds: “Friday week”, “vendredi en huit”. */
const IDIOMS_AFTER_DAY = [
  ['en huit', 7],
  ['en 8', 7],
  ['week', 7],
  ['wk', 7],
  ['uber acht tage', 7],
  ['en ocho', 7],
  ['fortnight', 14],
  ['en quinze', 14],
] as const

/** Before a stretch of time after a day: “heute in drei Wochen”, “hoy en quince días”. */
const LATER = setOf('in en dans')

/** The most tokens of “la semana que viene, el” before a weekday. */
const MAX_TO_WEEKDAY = 7

const BEFORE_WEEKDAY = setOf(', on am el le')

/**
 * `heute in einer Woche`, `Friday week`, `a week on Friday`, `vendredi en huit (le 22)`, `el viernes de la
 * semana que viene`
 */
function inAWeekAt(reader: DateReader, i: number): DayMention[] | undefined {
  const { today } = reader.context
  const starts = (at: number, phrase: string): boolean =>
    phrase.split(' ').every((word, n) => reader.low(at + n) === word)
  const named = weeksAt(reader, i)
  if (named) {
    // “Nächste Woche Freitag”, “Next week, on Friday”
    const at = skip(named.to, n => n < i + MAX_TO_WEEKDAY && BEFORE_WEEKDAY.has(reader.low(n)))
    const weekday =
      SHORT_WEEKDAYS.has(reader.low(at)) || isPlural(reader.low(at)) ? 0 : weekdayOf(reader.low(at))
    const isDate = weekday === 0 || reader.at(at) !== undefined || reader.tokens[at + 1]?.kind === 'number'
    return isDate
      ? undefined
      : [comingDay(i, at + 1, daysLater(today, named.weeks * 7 + weekday - weekdayOn(today)))]
  }
  const before = stretchAt(reader, i)
  if (before) {
    // “a week on Friday”, “one week from today”, but “Three days from Friday 5 March” says how long
    const isFrom =
      reader.low(before.to) === 'from' && (before.days === 7 || RELATIVE_DAYS.has(reader.low(before.to + 1)))
    const isOn = isFrom ? !reader.at(before.to + 1) : reader.low(before.to) === 'on'
    const day = isOn ? before.to + 1 : before.to
    // “Four weeks on Tuesdays” is a course, and so is “every week on Tuesday”.
    const isSaid =
      day > before.to
        ? !isPlural(reader.low(day)) && !EVERY.has(reader.low(i - 1))
        : ['today', 'tomorrow'].includes(reader.low(day))
    const ahead = isSaid ? daysTo(reader, day) : undefined
    return ahead === undefined ? undefined : [comingDay(i, day + 1, daysLater(today, ahead + before.days))]
  }
  const ahead = daysTo(reader, i)
  if (ahead === undefined) return undefined
  // `d'aujourd'hui en huit`
  const at = reader.low(i) === 'aujourd' ? i + 3 : i + 1
  const idiom = IDIOMS_AFTER_DAY.find(([phrase]) => starts(at, phrase))
  const lead = starts(at, 'dentro de') ? at + 2 : LATER.has(reader.low(at)) ? at + 1 : undefined
  const stretch = lead === undefined ? undefined : stretchAt(reader, lead)
  const later = stretch ?? (idiom && { days: idiom[1], to: at + idiom[0].split(' ').length })
  const week = weekdayOf(reader.low(i)) > 0 ? weeksAt(reader, at) : undefined
  if (!later && week === undefined) return undefined
  const isNamed = !RELATIVE_DAYS.has(reader.low(i))
  // “Samstag in zehn Tagen” contradicts itself, or the day is none.
  if (isNamed && later && later.days % 7 > 0) return undefined
  const end = later?.to ?? week?.to ?? at
  const days = later
    ? ahead + later.days
    : (week?.weeks ?? 0) * 7 + weekdayOf(reader.low(i)) - weekdayOn(today)
  // Said on a Thursday, “Thursday week” may be either, unless its day is given: “(28th)”.
  const isEither = later !== undefined && ahead === 0 && isNamed
  const dates = [days, ...(isEither ? [days + 7] : [])].map(ahead => daysLater(today, ahead))
  const given =
    reader.low(end) === '(' ? [1, 2].map(n => reader.number(end + n, 1, 31)).find(Boolean) : undefined
  // “this Friday week, 29th January”: its date follows.
  if (reader.at(reader.low(end) === ',' ? end + 1 : end)) return []
  const date = dates.find(date => (given === undefined ? !isEither : Number(date.slice(8)) === given))
  return date === undefined ? undefined : [comingDay(i, reader.overBrackets(end), date)]
}

const BEFORE_HOUR = setOf('a at um ab')

/**
 * `Dans quinze jours, à 20 heures`, `In zwei Wochen um 19 Uhr`, `Dentro de una semana, a las 18 h`: the same weekday,
 * at an hour. “In two weeks you will learn to dance” has none.
 */
function afterStretchAt(reader: DateReader, i: number): DayMention[] | undefined {
  const isLater = LATER.has(reader.low(i)) || (reader.low(i) === 'dentro' && reader.low(i + 1) === 'de')
  const before = reader.low(i - 1)
  const isOther = RELATIVE_DAYS.has(before) || weekdayOf(before) > 0 || OPENING_QUOTES.includes(before)
  if (!isLater || isOther) return undefined
  const stretch = stretchAt(reader, reader.low(i) === 'dentro' ? i + 2 : i + 1)
  if (!stretch || stretch.days % 7 > 0) return undefined
  const at = reader.low(stretch.to) === ',' ? stretch.to + 1 : stretch.to
  const isAt = BEFORE_HOUR.has(reader.low(at))
  const hour = reader.low(at + 1) === 'las' ? at + 2 : isAt ? at + 1 : at
  const number = reader.number(hour, 0, 24) ?? numberIn(reader.tokens, hour)?.number
  const isHour = number !== undefined && (isAt || reader.isHour(hour + 1)) && !reader.at(hour)
  return isHour ? [comingDay(i, stretch.to, daysLater(reader.context.today, stretch.days))] : undefined
}

const ONE = setOf('a one einer ner una une')

/** Days that people count with today: “in acht Tagen”, “dans quinze jours”. */
const WITH_TODAY: ReadonlyMap<number, number> = new Map([
  [8, 7],
  [15, 14],
])

const MAX_WEEKS = 12

/** A stretch of time: `a week`, `3 weeks`, `acht Tagen`, `fortnight`. */
function stretchAt(reader: DateReader, i: number): { days: number; to: number } | undefined {
  const isOne = ONE.has(reader.low(i))
  const at = isOne ? i + 1 : i
  if (reader.low(at) === 'fortnight') return { days: 14, to: at + 1 }
  if (reader.low(at) === 'week') return { days: 7, to: at + 1 }
  const named = isOne ? { number: 1, to: at } : numberIn(reader.tokens, i)
  const count = named?.number ?? reader.number(i, 1, MAX_WEEKS * 7)
  const unit = named?.to ?? i + 1
  if (count === undefined) return undefined
  if (WEEK_WORDS.has(reader.low(unit)) && count <= MAX_WEEKS) return { days: 7 * count, to: unit + 1 }
  return DAY_WORDS.has(reader.low(unit)) ? { days: WITH_TODAY.get(count) ?? count, to: unit + 1 } : undefined
}

/** The days from today to the one that a word names. */
function daysTo(reader: DateReader, i: number): number | undefined {
  const low = reader.low(i)
  const weekday = low.length < 4 ? 0 : weekdayOf(low)
  if (weekday > 0) return daysToWeekday(reader.context.today, weekday)
  // “morgen in acht Tagen”
  const isMorrow = (low === 'morgen' || low === 'manana') && !MORNINGS_AFTER.has(reader.low(i - 1))
  return isMorrow ? 1 : RELATIVE_DAYS.get(low)
}

/**
 * “Next” in Spanish: “el próximo sábado” is the coming one, whereas “next Saturday” may be the one after it.
 */
const COMING_IN_SPANISH = setOf('proximo proxima')

/** The coming weekday. “Next Saturday”, said on a Thursday, may be either: undefined. */
function coming(reader: DateReader, weekday: number, word: string): string | undefined {
  const { today } = reader.context
  const isNext = NEXT.has(word)
  const ahead = daysToWeekday(today, weekday)
  // On the day before, people say “mañana”.
  const isSure = COMING_IN_SPANISH.has(word) && ahead > 1
  const isEither = isNext && !isSure && ahead > 0 && weekday > weekdayOn(today)
  return isEither ? undefined : daysLater(today, ahead === 0 && isNext ? 7 : ahead)
}

/** Between these and that day: “la víspera del día”, “am Vorabend von”. */
const OF_DAY = setOf('of des zum zu von vom de del du')

const ARTICLES_OF_DAY = setOf('la le l the dia')

/** The most tokens from “of the” to the day. */
const MAX_TO_OF = 3

/** Days of which a text names the eve, moved to it. “New Year’s Eve, 31 December” is that day itself. */
export const movedToEves = (tokens: readonly Token[], days: readonly DayMention[]): DayMention[] =>
  days.map(day => {
    const least = day.from - MAX_TO_OF
    const of = skipBack(day.from - 1, i => i > least && ARTICLES_OF_DAY.has(lowAt(tokens, i)))
    const isEve = OF_DAY.has(lowAt(tokens, of)) && EVES.has(lowAt(tokens, of - 1))
    return isEve && day.last === undefined ? { ...day, from: of - 1, date: daysLater(day.date, -1) } : day
  })
