import { monthNumber } from '../../../kit/lib/date-words.ts'
import { HOUR_WORDS } from '../../moment-words.ts'
import {
  areInLine,
  numberIn,
  skip,
  startsLine,
  type Token,
  TokenReader,
  tokensBefore,
} from '../words/tokens.ts'
import { AND, anyOf, MONTHS, ORDINALS, phrasesOf, setOf, UNTIL, WORDS, weekdayOf } from '../words/words.ts'
import { isDay, isoDay, weekdayOn } from './day-mentions.ts'
import { isPlural } from './weekdays.ts'

// A day with its month, as people write it: in numbers, in words, with its weekday and its year.

/**
 * @property today as `2027-01-14`, in the time zone of the calendar
 * @property monthFirst true if 2/3 is February 3
 * @property isEnglish true if the text is in English
 */
export type DayContext = { today: string; monthFirst: boolean; isEnglish: boolean }

/** The parts of a day as they are written. */
export type WrittenDay = {
  from: number
  to: number
  weekday: number
  day: number
  month: number | undefined
  year: number | undefined
}

/**
 * Words between a weekday and its number: “nächsten Freitag (also den 22.)”, “next Friday, that’s the 22nd”
 */
const BETWEEN_WEEKDAY_AND_NUMBER = anyOf(WORDS.beforeNumberOfDay, setOf(", ( ' ’"))

/** The most years between today and a number that may be a year. */
const MAX_YEARS = 150

/** The most tokens between “weekends” and a pair of days. */
const MAX_TO_WEEKEND = 8

/** Words and signs after numbers that are no day. */
const UNITS_AFTER_NUMBER = anyOf(WORDS.unitsAfterNumbers, setOf('h € % km'))

const MONTHS_AHEAD = phrasesOf('monthsAhead')

const ROMAN = 'i ii iii iv v vi vii viii ix x xi xii'.split(' ')

/** Reads the dates of a text, each at the number of its first token. */
export class DateReader extends TokenReader {
  readonly context: DayContext

  constructor(tokens: readonly Token[], context: DayContext) {
    super(tokens)
    this.context = context
  }

  /** A day with its month. */
  dateAt(i: number): WrittenDay | undefined {
    const { to: start, weekday } = this.weekdayAt(i)
    const parts =
      this.#isoAt(start) ??
      this.#namedAt(start) ??
      this.#englishAt(start, weekday > 0) ??
      this.#numericAt(start, weekday) ??
      this.#romanAt(start, weekday > 0) ??
      // “Feb 23 | Mar 30”: no Tuesday in an English text
      (this.context.isEnglish ? this.#englishAt(i, false) : undefined)
    if (!parts) return undefined
    // “di” is Dienstag and dimanche.
    const isEither = this.foldedAt(i) === 'di' || monthNumber(this.foldedAt(i)) > 0
    return { ...parts, from: i, weekday: isEither ? 0 : weekday }
  }

  /** A date as computers write it: `2027-02-26`. */
  #isoAt(i: number) {
    const [year, month, day] = [
      this.number(i, 1900, 2200),
      this.number(i + 2, 1, 12),
      this.number(i + 4, 1, 31),
    ]
    if (year === undefined || month === undefined || day === undefined) return undefined
    if (this.foldedAt(i + 1) !== '-' || this.foldedAt(i + 3) !== '-') return undefined
    return { to: i + 5, year, month, day }
  }

  /**
   * The number of a day, and its month in words: `26. Februar 2027`, `26 de febrero`, `1er juillet`, `26th of
   * February`
   */
  #namedAt(i: number) {
    const named = this.#dayInWords(i)
    const day = this.number(i, 1, 31) ?? named?.day
    // `l6 Jun` is misspelt.
    if (
      day === undefined ||
      (this.isAttached(i) && (this.tokens[i - 1]?.kind === 'word' || this.foldedAt(i - 1) === ':'))
    )
      return undefined
    let at = named ? named.to : this.afterDay(i + 1)
    // “28/feb”, “28-Feb-2027”
    const isJoined = ['/', '-'].includes(this.foldedAt(at)) && this.isAttached(at) && this.isAttached(at + 1)
    if (['of', 'de'].includes(this.foldedAt(at)) || isJoined) at++
    const byToday = this.#monthByToday(at)
    if (byToday) return { day, ...byToday }
    const month = MONTHS.get(this.foldedAt(at))
    // “first set 8pm”, “Jan: 18, 25”, above “Feb: 1, 8” or “Feb 1, 8”
    const isLabel =
      !areInLine(this.tokens, at, i) &&
      (this.foldedAt(at + 1) === ':' ||
        (areInLine(this.tokens, at + 1, at) && this.number(at + 1, 1, 31) !== undefined))
    if (month === undefined || (named && this.foldedAt(at) === 'set') || isLabel) return undefined
    // “It finished 3-2. May …”
    const isScore = this.foldedAt(i - 1) === '-' && this.isAttached(i) && this.isAttached(i - 1)
    const hasWeekday = [1, 2, 3].some(back => weekdayOf(this.foldedAt(i - back)) > 0)
    if (!areInLine(this.tokens, at, i) && ((this.foldedAt(at - 1) === '.' && !hasWeekday) || isScore))
      return undefined
    const isShort =
      this.foldedAt(at).length < 4 || ['sept', 'janv', 'fevr', 'juil'].includes(this.foldedAt(at))
    if (isShort && this.foldedAt(at + 1) === '.' && this.isAttached(at + 1)) at++
    return {
      day,
      month,
      ...this.yearAt(isJoined && this.foldedAt(at + 1) === this.foldedAt(at - 1) ? at + 2 : at + 1),
    }
  }

  /** The month after the number of a day: “du mois prochain”, “of this month”, “d. M.” */
  #monthByToday(i: number): { to: number; month: number; year: number } | undefined {
    const phrase = MONTHS_AHEAD.at(this.tokens, i)
    if (!phrase || !areInLine(this.tokens, i, i - 1)) return undefined
    const [year = 0, month = 0] = this.context.today.split('-').map(Number)
    const months = month - 1 + phrase.value
    return { to: phrase.to, month: (months % 12) + 1, year: year + Math.floor(months / 12) }
  }

  /** The number of a day in words: `diecinueve de mayo`, `den ersten Mai`. */
  #dayInWords(i: number): { day: number; to: number } | undefined {
    const ordinal = ORDINALS.get(this.foldedAt(i))
    // “ler”, as scans have it for “1er”
    if (this.foldedAt(i) === 'ler') return { day: 1, to: i + 1 }
    const named = numberIn(this.tokens, i)
    // “the twenty-first of February”
    const unit = this.foldedAt(i + 1) === '-' ? ORDINALS.get(this.foldedAt(i + 2)) : undefined
    if (named && unit !== undefined) return { day: named.number + unit, to: i + 3 }
    if (named && named.number < 32) return { day: named.number, to: named.to }
    return ordinal !== undefined && ordinal > 0 ? { day: ordinal, to: i + 1 } : undefined
  }

  /** A month before its day, in English only, for `März 20 Uhr` has no day: `February 26th, 2027`. */
  #englishAt(i: number, hasWeekday: boolean) {
    const at = this.foldedAt(i + 1) === '.' ? i + 2 : i + 1
    // “Sunday, February twenty-first”, but “the May first aid course”
    const named = hasWeekday ? this.#dayInWords(at) : undefined
    const day = this.number(at, 1, 31) ?? named?.day
    if (day === undefined || this.tokens[i]?.kind !== 'word') return undefined
    const month = monthNumber(this.foldedAt(i))
    // “Februar–April”, above “07.02.”, and “Februar”, above “12. Fr | Konzert”
    const lines = (this.tokens[at]?.line ?? 0) - (this.tokens[i]?.line ?? 0)
    const next = this.foldedAt(at + 1) === '.' ? at + 2 : at + 1
    const isColumn = weekdayOf(this.foldedAt(next)) > 0 && areInLine(this.tokens, next, at)
    if (lines > 1 || (lines > 0 && isColumn)) return undefined
    if (month === 0 || this.isClock(at + 1) || ['am', 'pm', '%'].includes(this.foldedAt(at + 1)))
      return undefined
    return { day, month, ...this.yearAt(named?.to ?? this.afterEnglishDay(at + 1)) }
  }

  /** A month in Roman numerals: `20.iii.27`, `jueves 28-I`, `23-I, 30-I y 6-II`. */
  #romanAt(i: number, hasWeekday: boolean) {
    const day = this.number(i, 1, 31)
    const month = this.#romanMonth(i)
    const isJoined =
      this.foldedAt(i + 1) === '.' || hasWeekday || [i - 4, i + 4].some(at => this.#romanMonth(at) > 0)
    if (day === undefined || month === 0 || !isJoined) return undefined
    const isMarked = this.foldedAt(i + 1) === '.' && this.foldedAt(i + 3) === '.' && this.isAttached(i + 3)
    const digits = isMarked ? (this.tokens[i + 4]?.text ?? '') : ''
    const year = (this.isAttached(i + 4) ? /^(?:\d\d|\d{4})$/ : /^20\d\d$/).test(digits)
      ? Number(digits.length === 2 ? `20${digits}` : digits)
      : undefined
    const end = isMarked ? i + 4 : i + 3
    return { to: year === undefined ? end : end + 1, day, month, year }
  }

  /** The month after the number of a day and a mark; 0 if there is none. */
  #romanMonth(i: number): number {
    const [mark, month, after] = [this.foldedAt(i + 1), this.tokens[i + 2], this.tokens[i + 4]]
    // “13. III. 2027”, but “13. V. Ebner”
    const isWide =
      mark === '.' &&
      month?.text.toLowerCase() !== month?.text &&
      this.foldedAt(i + 3) === '.' &&
      after?.kind !== 'word'
    const isMarked = (['.', '-', '/'].includes(mark) && this.isAttached(i + 2)) || isWide
    return isMarked && this.tokens[i]?.kind === 'number' ? ROMAN.indexOf(this.foldedAt(i + 2)) + 1 : 0
  }

  /**
   * The index after a date such as `31-1` and the weekday next to it, as Spanish texts write it, if the date
   * next falls on this weekday; undefined where the numbers may be hours: `martes 7-9`.
   */
  #afterWeekdayOf(i: number, { day, month }: { day: number; month: number }): number | undefined {
    if (month > 12 || day < month || this.context.isEnglish || !this.isAttached(i + 2)) return undefined
    const before = this.foldedAt(i - 1) === ',' ? i - 2 : i - 1
    const at = [before, i + 3].find(one => weekdayOf(this.foldedAt(one)) > 0 && !isPlural(this.foldedAt(one)))
    const isOfWeekday = at !== undefined && this.#isComing(weekdayOf(this.foldedAt(at)), { day, month })
    const after = this.foldedAt(i + 3)
    const isOther =
      /^(?:pm|am|uhr|h|hs|hrs|de)$/.test(after) ||
      // “Lun 18-01 / 19:00 hrs”
      (/^[-/.:]$/.test(after) && this.isAttached(i + 3)) ||
      this.isMonth(i + 3)
    return isOfWeekday && !isOther ? Math.max(at + 1, i + 3) : undefined
  }

  /** True if a day and month next fall on a given weekday. */
  #isComing(weekday: number, { day, month }: { day: number; month: number }): boolean {
    const { today } = this.context
    const year = Number(today.slice(0, 4))
    const coming = [year, year + 1].map(one => isoDay(one, month, day)).find(date => date >= today)
    return coming !== undefined && isDay(coming) && weekdayOn(coming) === weekday
  }

  /** True between the first and the last day of `06.03 > 11.04.2027`, `du 06.03 au 11.04.`. */
  #isBeforeLastDay(i: number): boolean {
    const at = this.foldedAt(i + 1) === 'zum' ? i + 2 : i + 1
    return (
      UNTIL.has(this.foldedAt(i)) &&
      this.number(at, 1, 31) !== undefined &&
      this.foldedAt(at + 1) === '.' &&
      this.number(at + 2, 1, 12) !== undefined &&
      this.foldedAt(at + 3) === '.' &&
      this.isAttached(at + 3)
    )
  }

  /** A year of four digits, or after a weekday of two: “Wed 24-2-27”. */
  #isYearAt(i: number, hasWeekday: boolean): boolean {
    const { kind, text = '' } = this.tokens[i] ?? {}
    return kind === 'number' && (text.length === 4 || (hasWeekday && text.length === 2 && this.isAttached(i)))
  }

  /** A day and its month in numbers: `26.2.`, `26.02.2027`, `26/2`, `2/26/27`. */
  #numericAt(i: number, weekday: number) {
    const hasWeekday = weekday > 0
    const [first, second] = [this.number(i, 1, 31), this.number(i + 2, 1, 31)]
    const mark = this.foldedAt(i + 1)
    if (first === undefined || second === undefined || !['.', '/', '-'].includes(mark)) return undefined
    if (!this.isAttached(i + 1) || (mark !== '.' && !this.isAttached(i + 2))) return undefined
    if (!areInLine(this.tokens, i + 2, i)) return undefined
    // “20./21.2.”
    const isSecond =
      this.foldedAt(i - 1) === '/' && this.foldedAt(i - 2) === '.' && this.number(i - 3, 1, 31) !== undefined
    if (
      ['/', '.', ',', '+', '€', '$', '£', ':'].includes(this.foldedAt(i - 1)) &&
      this.isAttached(i) &&
      !(isSecond && mark === '.')
    )
      return undefined
    // “Room B2.06.”, but “Sa6.2.”
    if (this.isAttached(i) && this.tokens[i - 1]?.kind === 'word' && !this.isWeekday(i - 1)) return undefined
    const endOfWeekday = mark === '-' ? this.#afterWeekdayOf(i, { day: first, month: second }) : undefined
    if (endOfWeekday !== undefined) return { to: endOfWeekday, day: first, month: second, year: undefined }
    // `28-03-2027`, but `12-14` is a span.
    if (
      mark === '-' &&
      !(this.foldedAt(i + 3) === '-' && this.#isYearAt(i + 4, hasWeekday) && this.isAttached(i + 3))
    )
      return undefined
    const isMarked = this.foldedAt(i + 3) === mark && this.isAttached(i + 3)
    const digits = isMarked ? (this.tokens[i + 4]?.text ?? '') : ''
    const hasYear =
      this.tokens[i + 4]?.kind === 'number' && [2, 4].includes(digits.length) && this.isAttached(i + 4)
    // “So 24. 9.30 Familienmesse”, “So 24. 11:00 Filmfrühstück”
    const isHour = hasYear || this.isClock(i + 3)
    if (mark === '.' && isHour && hasWeekday && !this.isAttached(i + 2) && second < 24) return undefined
    const isTime = hasYear && this.isClock(i + 5)
    const year = hasYear && !isTime ? Number(digits.length === 2 ? `20${digits}` : digits) : undefined
    // “Kursnr. 27-1-4051”
    if (year !== undefined && Math.abs(year - Number(this.context.today.slice(0, 4))) > MAX_YEARS)
      return undefined
    const end = year === undefined ? i + 3 : i + 5
    // “5/6 March”
    if (year === undefined && mark === '/' && this.isMonth(end)) return undefined
    // “weekends of 4/5 and 11/12 December”
    const before = tokensBefore(this.tokens, i, MAX_TO_WEEKEND)
    if (year === undefined && second === first + 1 && before.some(({ folded }) => WORDS.weekends.has(folded)))
      return undefined
    // “10/12 ans”, “Sa 6. 8-12 Uhr”
    if (UNITS_AFTER_NUMBER.has(this.foldedAt(end))) return undefined
    const isSpan = this.foldedAt(end) === '-' && this.isAttached(end) && this.isAttached(end + 1)
    if (mark === '.' && isSpan && !this.isAttached(i + 2) && HOUR_WORDS.has(this.foldedAt(end + 2)))
      return undefined
    if (mark === '.') {
      // “16.11 : Loto”
      const isHead = startsLine(this.tokens, i) && this.foldedAt(end) === ':'
      if (!isMarked && !hasWeekday && !isHead && !this.#isBeforeLastDay(end)) return undefined
      // “3.20.27”
      const isAmerican =
        year !== undefined && this.context.monthFirst && this.context.isEnglish && first <= 12
      const [month, day] = isAmerican ? [first, second] : [second, first]
      return month > 12 ? undefined : { to: isMarked && year === undefined ? end + 1 : end, day, month, year }
    }
    // ½ is no day, and neither is a part of a telephone number.
    const isAlone =
      startsLine(this.tokens, i) ||
      ['le', 'el', 'am', 'del', 'du', ':'].includes(this.foldedAt(i - 1)) ||
      // “les mardis 2/2, 2/3 et 6/4”
      (AND.has(this.foldedAt(i - 1)) &&
        this.foldedAt(i - 3) === '/' &&
        this.number(i - 4, 1, 31) !== undefined) ||
      (AND.has(this.foldedAt(i + 3)) &&
        this.number(i + 4, 1, 31) !== undefined &&
        this.foldedAt(i + 5) === '/')
    const isSure =
      hasWeekday || year !== undefined || first > 12 || second > 12 || (isAlone && !this.context.monthFirst)
    if (
      !isSure ||
      this.foldedAt(end) === '/' ||
      (this.foldedAt(end) === '-' && this.isAttached(end) && this.isAttached(end + 1)) ||
      (this.tokens[end]?.kind === 'number' && this.isAttached(end))
    )
      return undefined
    // “sábado 2/20”: only the month can be first, and the weekday is right
    const isOfWeekday =
      hasWeekday && !this.context.isEnglish && this.#isComing(weekday, { day: second, month: first })
    if (second > 12 && !this.context.monthFirst && year === undefined && !isOfWeekday) return undefined
    const monthFirst = second > 12 || (first <= 12 && this.context.monthFirst)
    const [month, day] = monthFirst ? [first, second] : [second, first]
    return month > 12 ? undefined : { to: end, day, month, year }
  }

  number(i: number, least: number, most: number): number | undefined {
    const { kind, text } = this.tokens[i] ?? { kind: 'sign', text: '' }
    if (kind !== 'number' || text.length > 4) return undefined
    const number = Number(text)
    return number >= least && number <= most ? number : undefined
  }

  /** Skips the weekday before a day, with its point or comma and an article. */
  weekdayAt(i: number): { to: number; weekday: number } {
    // “el vier 5/2”, but “vier Konzerte”
    const isShort = this.foldedAt(i) === 'vier' && this.foldedAt(i - 1) === 'el'
    const weekday = this.tokens[i]?.kind !== 'word' ? 0 : isShort ? 5 : weekdayOf(this.foldedAt(i))
    // “Thursdays to Sundays, 3–13 June”
    const isOfRange = UNTIL.has(this.foldedAt(i - 1)) && isPlural(this.foldedAt(i))
    // “no club, Good Friday”, above “16 April”
    // “J14 – sábado 16/01”, the day of a league
    const isCode =
      this.foldedAt(i).length === 1 && this.tokens[i + 1]?.kind === 'number' && this.isAttached(i + 1)
    if (weekday === 0 || WORDS.feastsBesideWeekdays.has(this.foldedAt(i - 1)) || isOfRange || isCode)
      return { to: i, weekday: 0 }
    const end = skip(i + 1, at => ['.', ','].includes(this.foldedAt(at)))
    return { to: skip(end, at => WORDS.beforeDate.has(this.foldedAt(at))), weekday }
  }

  isWeekday(i: number): boolean {
    return this.tokens[i]?.kind === 'word' && weekdayOf(this.foldedAt(i)) > 0
  }

  /** The index after what may follow the number of a day: `17th`, `1er`, `5.` */
  afterDay(i: number): number {
    let to = i
    if (this.isAttached(to) && ['st', 'nd', 'rd', 'th', 'er', 'º'].includes(this.foldedAt(to))) to++
    else if (this.isAttached(to) && this.foldedAt(to) === '.') to++
    return to
  }

  /** As afterDay, for a day after its month, where a full stop ends the sentence: “February 19. No fee.” */
  afterEnglishDay(i: number): number {
    return this.isAttached(i) && this.foldedAt(i) === '.' ? i : this.afterDay(i)
  }

  /** True if what follows a number makes it a time: `:30`, `Uhr`, but not the colon after a date. */
  isClock(i: number): boolean {
    if (this.foldedAt(i) === ':') return this.isAttached(i + 1) && this.tokens[i + 1]?.kind === 'number'
    return ['h', 'uhr', 'hrs', 'hs'].includes(this.foldedAt(i))
  }

  /** True if what follows a number makes it an hour: `Uhr`, `pm`. */
  isHour(i: number): boolean {
    return this.isClock(i) || ['am', 'pm', 'heures', 'horas'].includes(this.foldedAt(i))
  }

  isMonth(i: number): boolean {
    return this.tokens[i]?.kind === 'word' && MONTHS.has(this.foldedAt(i))
  }

  yearAt(i: number): { to: number; year: number | undefined } {
    let at = i
    if (['.', ',', 'de', 'del'].includes(this.foldedAt(at))) at++
    if (['de', 'del'].includes(this.foldedAt(at))) at++
    const year = this.number(at, 1900, 2200)
    const isTime = this.isClock(at + 1)
    return year === undefined || isTime ? { to: i, year: undefined } : { to: at + 1, year }
  }

  skipSmallWords(i: number): number {
    return skip(i, at => at < i + 7 && BETWEEN_WEEKDAY_AND_NUMBER.has(this.foldedAt(at)))
  }

  skipBrackets(i: number): number {
    if (this.foldedAt(i) !== '(') return i
    for (let at = i + 1; at < i + 16; at++) if (this.foldedAt(at) === ')') return at + 1
    return i
  }
}
