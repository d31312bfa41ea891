import { AT_MIDNIGHT, AT_NOON, HALVES, HALVES_OF_DAY, HOUR_WORDS } from '../../moment-words.ts'
import { type MarkedText, numberIn, skip, skipBack, startsLine, TokenReader } from '../words/tokens.ts'
import { anyOf, NUMBER_WORDS, setOf, UNTIL, WORDS, WordNumbers, weekdayOf } from '../words/words.ts'

// From numbers and words, this reads the times of day as they are written: `20.15 Uhr`, `half past seven`. A
// bare number is left to what reads the words around it.

/**
 * A time as it is written.
 *
 * @property isSure true if it has minutes, a unit or a half of the day
 * @property isSpoken true if it is said by twelve hours, also where clocks have 24: `halb acht`
 */
export type WrittenClock = {
  to: number
  hour: number
  minute: number
  half: 'am' | 'pm' | undefined
  isSure: boolean
  isSpoken: boolean
}

/** Signs and words next to an amount of money. */
export const CURRENCY_WORDS = anyOf(WORDS.afterAmount, setOf('€ $ £ % eur chf'))

/** Words that make a bare number after them a time. */
export const BEFORE_HOUR = anyOf(WORDS.beforeBareHour, setOf('@'))

export const BEFORE_SPAN = anyOf(WORDS.between, WORDS.beforeSpanOfHours)
export const AND_ONLY = new Set(['and', 'und', 'y', 'et'])

/** The earliest departure in the morning: “Coach leaves at 5.30 for the pantomime” may mean the afternoon. */
export const FIRST_DEPARTURE = 7

/** The hour before another, in words: “halb eins” is before one, at noon. */
const hourBefore = (hour: number): number => (hour === 1 ? 12 : (hour + 23) % 24)

/** Words between a time and the word that says what it is the time of. */
const BEFORE_TIME = anyOf(WORDS.aboutTimes, setOf("' ’ :"))

const AFTER_LABELS = anyOf(WORDS.afterLabelsOfTimes, setOf(':'))

/** Signs between hours and minutes before a unit: `20'30 h`, `7,45 h`. */
const OTHER_MINUTE_MARKS = setOf("' ’ ,")

const MINUTES = new WordNumbers('minutesBeforePast')
const TO_HOUR = new WordNumbers('minutesToHour')
const AFTER_HOUR = new WordNumbers('minutesAfterHour')
const RIGHT_AFTER_HOUR = new WordNumbers('minutesRightAfterHour')

/** Above this, four digits may be a year as well as a time. */
const MIN_YEAR = 2000

/** Reads the times of a text as they are written, each at the number of its first token. */
export class ClockReader extends TokenReader {
  readonly isTaken: (token: number) => boolean
  readonly isEnglish: boolean

  constructor({ tokens, isTaken }: MarkedText, isEnglish: boolean) {
    super(tokens)
    this.isTaken = isTaken
    this.isEnglish = isEnglish
  }

  number(i: number, most: number): number | undefined {
    const token = this.tokens[i]
    if (token?.kind !== 'number' || token.text.length > 2 || this.isTaken(i)) return undefined
    return Number(token.text) <= most ? Number(token.text) : undefined
  }

  clockAt(i: number, isBracketed = false): WrittenClock | undefined {
    return this.numbersAt(i, isBracketed) ?? this.#wordsAt(i)
  }

  /** An hour in numbers: `20`, `20:15`, `20.15 Uhr`, `20h15`, `8.15pm`, `8 a.m.` */
  numbersAt(i: number, isBracketed: boolean): WrittenClock | undefined {
    const four = this.#fourDigitsAt(i)
    if (four) return four
    const hour = this.number(i, 24)
    if (hour === undefined) return undefined
    if (
      this.isAttached(i) &&
      ['/', '.', ',', '+', '€', '$', '£', ':', '#'].includes(this.foldedAt(i - 1)) &&
      !this.#isColumn(i)
    )
      return undefined
    if (this.tokens[i - 1]?.kind === 'word' && this.isAttached(i)) return undefined
    let to = i + 1
    let minute = 0
    let isSure = false
    const mark = this.foldedAt(to)
    const digits = this.tokens[to + 1]
    const hasMinutes =
      this.isAttached(to) &&
      digits?.isSpaced === false &&
      digits.text.length === 2 &&
      this.number(to + 1, 59) !== undefined
    if (hasMinutes && (mark === ':' || mark === 'h')) {
      minute = Number(digits?.text)
      to += 2
      isSure = true
      if (mark === ':' && this.foldedAt(to) === ':' && this.isAttached(to + 1)) to += 2
    } else if (
      hasMinutes &&
      ((OTHER_MINUTE_MARKS.has(mark) && this.#isUnit(to + 2)) ||
        (mark === '.' && (isBracketed || this.#isDotted(i))))
    ) {
      minute = Number(digits?.text)
      isSure = true
      to += 2
    }
    if (hour === 12 && AT_NOON.has(this.foldedAt(to))) {
      isSure = true
      to++
    } else if (hour === 12 && this.#isMeridian(i))
      [to, isSure] = [this.foldedAt(to + 1) === '.' ? to + 2 : to + 1, true]
    return this.#completed({ to, hour, minute, isSure, isSpoken: false })
  }

  /**
   * True after dots that lead to a column, and after the comma after a day: “7 FÉVRIER....12h30”,
   * `2027-02-03,18:00`.
   */
  #isColumn(i: number): boolean {
    const areDots = [1, 2, 3].every(back => this.foldedAt(i - back) === '.')
    return areDots || (this.foldedAt(i - 1) === ',' && this.isTaken(i - 2) && this.foldedAt(i + 1) === ':')
  }

  /**
   * True for noon, as Latin America writes it: “a las 12 m.”, “de 9 a. m. a 12 m.”, but not “de 10 a 12 m”.
   */
  #isMeridian(i: number): boolean {
    if (this.foldedAt(i + 1) !== 'm') return false
    const after = this.foldedAt(i + 2) === '.' ? i + 3 : i + 2
    const second = this.secondHourAt(after)
    const next = second === undefined ? undefined : this.number(second, 12)
    const isFirst =
      next !== undefined && second !== undefined && this.halfOfDayAt(second + 1).half !== undefined
    const isSecond = UNTIL.has(this.foldedAt(i - 1)) && ['m', 'am', '.'].includes(this.foldedAt(i - 2))
    return this.foldedAt(i - 1) === 'las' || isFirst || isSecond
  }

  /**
   * A time with its unit, its minutes in words, and its half of the day: `20 Uhr 15`, `8 o'clock`, `sept
   * heures et quart du soir`.
   */
  #completed(clock: Omit<WrittenClock, 'half'>): WrittenClock | undefined {
    let { to, hour, minute, isSure, isSpoken } = clock
    if (this.foldedAt(to) === 'o' && this.foldedAt(to + 2) === 'clock') [to, isSure] = [to + 3, true]
    // “7ish”, “7:30-ish”
    else if (this.foldedAt(this.foldedAt(to) === '-' ? to + 1 : to) === 'ish' && hour <= 12)
      [to, isSure] = [this.foldedAt(to) === '-' ? to + 2 : to + 1, true]
    else if (HOUR_WORDS.has(this.foldedAt(to))) {
      isSure = true
      to++
      if (this.foldedAt(to) === '.' && this.isAttached(to)) to++
      // “10:00 h 10 km”, “à 20h. Cinq minutes par passage”
      const more = clock.isSure || this.foldedAt(to - 1) === '.' ? undefined : this.#minutesAt(to)
      if (more) [minute, to] = [more.number, more.to]
      // “19 Uhr c. t.”
      const academic =
        this.foldedAt(to) === 'c' && this.foldedAt(to + 1) === '.' && this.foldedAt(to + 2) === 't'
      if (academic) [minute, to] = [15, this.foldedAt(to + 3) === '.' ? to + 4 : to + 3]
    }
    const isBefore = ['moins', 'menos'].includes(this.foldedAt(to))
    if (isBefore || ['y', 'et', 'and'].includes(this.foldedAt(to))) {
      const at = this.foldedAt(to + 1) === 'le' ? to + 2 : to + 1
      const quarter = AFTER_HOUR.get(this.foldedAt(at))
      const part =
        quarter !== undefined
          ? { number: quarter, to: at + 1 }
          : this.foldedAt(to) === 'and'
            ? undefined
            : this.#minutesNamed(at)
      if (part && minute === 0) {
        ;[minute, to, isSure] = [isBefore ? 60 - part.number : part.number, part.to, true]
        // “8 heures et demie” is in the morning, “a las ocho y media” rather in the evening.
        const hasUnit = hour > 7 && HOUR_WORDS.has(this.foldedAt(clock.to))
        isSpoken = !(hasUnit && this.tokens[clock.to - 1]?.kind === 'number')
        if (isBefore) hour = hourBefore(hour)
      }
    }
    const { half: named, to: end } = this.halfOfDayAt(to)
    if (named !== undefined && hour > 12) return undefined
    // “elf Uhr mittags”
    const noon = this.foldedAt(to) === 'mittags' && hour < 12 && hour > 9 ? 'am' : named
    // “las doce y media de la mañana” is past noon, and “las doce de la noche” midnight.
    const isOfNoon = hour === 12 && this.foldedAt(end - 1) === 'manana'
    const isOfNight = hour === 12 && (this.foldedAt(end - 1) === 'noche' || this.foldedAt(to) === 'nachts')
    if (isOfNight) [hour, isSpoken] = [24, true]
    const half = isOfNoon || isOfNight ? undefined : noon
    // A number with more characters right after it is misspelt: `8.3Opm`.
    const goesOn = this.tokens[end]
    if (
      goesOn?.isSpaced === false &&
      end === clock.to &&
      !isSpoken &&
      (goesOn.kind === 'word' ||
        // but not “20h00......Loto”
        (['.', ':'].includes(goesOn.folded) && this.isAttached(end + 1) && this.foldedAt(end + 1) !== '.'))
    )
      return undefined
    return { to: end, hour, minute, half, isSure: isSure || half !== undefined, isSpoken }
  }

  /** Minutes after a unit: `20 Uhr 15`, `dix-neuf heures trente`. */
  #minutesAt(i: number): { number: number; to: number } | undefined {
    // “19 h”, and “35 places” or “28. | Sunday” in the next line
    if (startsLine(this.tokens, i)) return undefined
    const isTwo =
      this.tokens[i]?.text.length === 2 && ['uhr', 'h', 'heures', 'horas'].includes(this.foldedAt(i - 1))
    const number = isTwo && !this.#isPriced(i) ? this.number(i, 59) : undefined
    return number === undefined ? this.#minutesNamed(i) : { number, to: i + 1 }
  }

  #minutesNamed(i: number): { number: number; to: number } | undefined {
    const minutes = numberIn(this.tokens, i)
    return minutes && minutes.number % 5 === 0 ? minutes : undefined
  }

  /** An hour and its minutes without a mark between them: `1930 Uhr`, `2030 hrs`. */
  #fourDigitsAt(i: number): WrittenClock | undefined {
    const { kind, text = '' } = this.tokens[i] ?? {}
    if (kind !== 'number' || text.length !== 4 || this.isTaken(i)) return undefined
    const hasUnit = ['uhr', 'h', 'hrs', 'hs'].includes(this.foldedAt(i + 1))
    const isSpan = this.#isFourDigitSpan(i) || this.#isFourDigitSpan(i - 2)
    if (!hasUnit && !isSpan && !this.#isFourDigitColumn(i)) return undefined
    const [hour, minute] = [Number(text.slice(0, 2)), Number(text.slice(2))]
    return hour > 24 || minute > 59
      ? undefined
      : { to: hasUnit ? i + 2 : i + 1, hour, minute, half: undefined, isSure: true, isSpoken: false }
  }

  /** True for hours of four digits after a day, which are no years: “Friday 19 February, 1830–2000”. */
  #isFourDigitSpan(i: number): boolean {
    const isClock = (at: number): boolean => /^(?:[01]\d|2[0-3])[0-5][05]$/.test(this.tokens[at]?.text ?? '')
    return this.foldedAt(i + 1) === '-' && isClock(i) && isClock(i + 2) && this.isAfterDay(i)
  }

  /**
   * True for an hour between a day and a mark: “Fr 15.01. - 1930 - Übung”, but not “15 January - 2027 - …”.
   */
  #isFourDigitColumn(i: number): boolean {
    const { text = '' } = this.tokens[i] ?? {}
    const isMark = (at: number): boolean =>
      ['-', '|', '/'].includes(this.foldedAt(at)) && !this.isAttached(at)
    const isYear = text.startsWith('20') && Number(text) > MIN_YEAR
    const isClock = /^(?:[01]\d|2[0-3])[0-5][05]$/.test(text)
    return isClock && !isYear && isMark(i - 1) && isMark(i + 1) && this.isTaken(i - 2)
  }

  /** True if a number is an amount: `12 €`, `12,50`. */
  #isPriced(i: number): boolean {
    const after = this.foldedAt(i + 1)
    const isSameLine = !startsLine(this.tokens, i + 1)
    return (
      (CURRENCY_WORDS.has(after) && isSameLine) ||
      // “21 h 15/10 €”
      ([',', '.', '/'].includes(after) && this.isAttached(i + 1) && this.isAttached(i + 2))
    )
  }

  /**
   * True if a number with a point is a time: it has a unit or a word before it, or is a quarter of an hour
   * after a day, in a span or alone.
   */
  #isDotted(i: number): boolean {
    const second = this.secondHourAt(i + 3, i)
    if (this.#isUnit(i + 3) || BEFORE_HOUR.has(this.foldedAt(i - 1)) || this.isLabelled(i)) return true
    if (
      // “Arrive 6.45 for a 7.15 start”
      (this.foldedAt(i - 1) === 'a' && this.foldedAt(i - 2) === 'for') ||
      ['von', 'from', 'stage', 'for'].includes(this.foldedAt(i - 1)) ||
      WORDS.beginning.has(this.foldedAt(i - 1)) ||
      // “first note 7.30”
      (WORDS.firstOfEvent.has(this.foldedAt(i - 2)) &&
        this.#isQuarter(i) &&
        !CURRENCY_WORDS.has(this.foldedAt(i + 3)))
    )
      return true
    if (second !== undefined && this.number(second, 24) !== undefined)
      if (this.#isUnit(second + 1) || (this.foldedAt(second + 1) === '.' && this.#isUnit(second + 3)))
        return true
    // “12.00 y 17.30 h”
    if (AND_ONLY.has(this.foldedAt(i + 3)) && this.foldedAt(i + 5) === '.' && this.#isUnit(i + 7)) return true
    const isMoney = (at: number): boolean => CURRENCY_WORDS.has(this.foldedAt(at)) && !this.isTaken(at)
    if (!this.#isQuarter(i) || isMoney(i - 1) || isMoney(i + 3)) return false
    // “de 9.15 a 10.30”
    if (
      BEFORE_SPAN.has(this.foldedAt(i - 1)) &&
      second !== undefined &&
      this.#isQuarter(second) &&
      !this.#isPriced(second + 2)
    )
      return true
    // `Music 7.30–10.00`, `17.00–18.15`
    // “10 to 12.30”, “9.30 to 11.30”
    const hour = this.number(i - 2, 24) ?? 0
    const isAfterHour = !this.isAttached(i - 2) && hour >= (this.isEnglish ? 1 : FIRST_DEPARTURE)
    const isSecond = UNTIL.has(this.foldedAt(i - 1)) && (this.#isQuarter(i - 4) || isAfterHour)
    const isFirst =
      this.foldedAt(i + 3) === '-' && this.#isQuarter(i + 4) && !CURRENCY_WORDS.has(this.foldedAt(i + 7))
    if (isSecond ? !this.#isPriced(i + 2) : isFirst) return true
    // “…, 20.15 im Kino”
    const isLate =
      UNTIL.has(this.foldedAt(i + 3)) ||
      this.foldedAt(i + 3) === 'for' ||
      WORDS.small.has(this.foldedAt(i + 3))
    // `Fri 5 March, 19.30, Village Hall`
    const after = this.tokens[i + 3]
    const isEnd =
      !after ||
      after.line !== this.tokens[i]?.line ||
      [',', '.', ';', '-', '(', ')', '/', '|', '·'].includes(after.folded)
    const isCounted = WORDS.countedUnits.has(after?.folded ?? '')
    const isAfterDay = this.isAfterDay(i)
    // `Fr 11.12. 6.00 Rorate`, `06.30`
    const { text: hours = '' } = this.tokens[i] ?? {}
    const isOfDay = Number(hours) >= (isAfterDay ? 6 : 7) || /^0[1-9]/.test(hours)
    return (
      (isOfDay || (this.isEnglish && isAfterDay)) &&
      !isCounted &&
      (isAfterDay || startsLine(this.tokens, i) || (this.foldedAt(i - 1) === ',' && (isEnd || isLate)))
    )
  }

  #isQuarter(i: number): boolean {
    return (
      this.number(i, 24) !== undefined &&
      this.foldedAt(i + 1) === '.' &&
      this.isAttached(i + 2) &&
      this.tokens[i + 2]?.text.length === 2 &&
      Number(this.tokens[i + 2]?.text) % 15 === 0
    )
  }

  #isUnit(i: number): boolean {
    return HOUR_WORDS.has(this.foldedAt(i)) || this.halfOfDayAt(i).half !== undefined
  }

  /** True for the letter of an hour: “11a-2p”, “at 7p”, but “20p” is a price, and “12a Mill Lane” a house. */
  #isShortHalf(i: number): boolean {
    // “10:30a”
    const hourIndexBefore = (at: number): number => (this.foldedAt(at - 2) === ':' ? at - 3 : at - 1)
    const isHour = (at: number): boolean =>
      ['a', 'p'].includes(this.foldedAt(at)) &&
      this.isAttached(at) &&
      this.number(hourIndexBefore(at), 12) !== undefined
    const before = hourIndexBefore(i) - 1
    const isFirst = UNTIL.has(this.foldedAt(i + 1)) && (isHour(i + 3) || isHour(i + 5))
    const isSecond = UNTIL.has(this.foldedAt(before)) && isHour(before - 1)
    const hasMinutes = this.foldedAt(i - 2) === ':'
    return (
      this.isEnglish && isHour(i) && (isFirst || isSecond || hasMinutes || this.foldedAt(before) === 'at')
    )
  }

  /** The half of the day after an hour: `pm`, `p.m.`, `abends`, `de la noche`, `in the evening`. */
  halfOfDayAt(i: number): { to: number; half: 'am' | 'pm' | undefined } {
    const word = this.foldedAt(i)
    const half = HALVES.get(word)
    // “um 20 Uhr am Samstag”
    const isGerman =
      word === 'am' &&
      (this.tokens[i]?.text === 'Am' ||
        ['uhr', 'h', '.'].includes(this.foldedAt(i - 1)) ||
        // “von 10 bis 12 am Bahnhof”
        WORDS.beforeHourAndAm.has(this.foldedAt(i - 2)) ||
        // “um halb acht am Bahnhof”, “Viertel nach sieben am Abend”
        (!this.isEnglish && this.tokens[i - 1]?.kind === 'word'))
    if (half && !isGerman && !this.isTaken(i)) return { to: i + 1, half }
    if (word === 'at' && this.foldedAt(i + 1) === 'night') return { to: i + 2, half: 'pm' }
    if (this.#isShortHalf(i)) return { to: i + 1, half: word === 'a' ? 'am' : 'pm' }
    if ((word === 'a' || word === 'p') && this.foldedAt(i + 1) === '.' && this.foldedAt(i + 2) === 'm')
      return { to: this.foldedAt(i + 3) === '.' ? i + 4 : i + 3, half: word === 'a' ? 'am' : 'pm' }
    if (!['du', 'de', 'del', 'in', 'por', 'am'].includes(word)) return { to: i, half: undefined }
    const at = skip(i + 1, n => n < i + 4 && ['la', 'the', 'l', '’', "'"].includes(this.foldedAt(n)))
    if (this.foldedAt(at) === 'apres' && this.foldedAt(at + 2) === 'midi') return { to: at + 3, half: 'pm' }
    const ofDay = HALVES_OF_DAY.get(this.foldedAt(at))
    return { to: ofDay ? at + 1 : i, half: ofDay }
  }

  /**
   * `halb acht`, `viertel nach acht`, `ten past seven`, `dix-neuf heures trente`, `las ocho y media`, `midi`
   */
  #wordsAt(i: number): WrittenClock | undefined {
    const word = this.foldedAt(i)
    // “pique-nique le midi”
    if (
      AT_NOON.has(word) &&
      !(word === 'midi' && (this.foldedAt(i - 2) === 'apres' || this.foldedAt(i - 1) === 'le')) &&
      // “la pause de midi”
      !(this.foldedAt(i - 1) === 'de' && this.foldedAt(i - 2) === 'pause') &&
      // “midi-concert”
      !(
        this.isAttached(i + 1) &&
        this.foldedAt(i + 1) === '-' &&
        this.tokens[i + 2]?.kind === 'word' &&
        !AT_MIDNIGHT.has(this.foldedAt(i + 2))
      )
    ) {
      const more = this.#minutesNamed(i + 1)
      const noon = {
        to: more?.to ?? i + 1,
        hour: 12,
        minute: more?.number ?? 0,
        isSure: true,
        isSpoken: false,
      }
      return this.#completed(noon)
    }
    if (AT_MIDNIGHT.has(word))
      return { to: i + 1, hour: 24, minute: 0, half: undefined, isSure: true, isSpoken: false }
    return this.#fractionAt(i) ?? this.#spokenAt(i)
  }

  /**
   * A time with words for its minutes before the hour: `halb acht`, `viertel nach acht`, `ten past seven`,
   * `cuarto para las ocho`
   */
  #fractionAt(i: number): WrittenClock | undefined {
    const word = this.foldedAt(i)
    const named = this.#minutesNamed(i)
    const end = named?.to ?? i + 1
    // “diez para las siete”, but “mesas de diez para ocho”
    const isNumber = this.foldedAt(end) !== 'para' || ['la', 'las'].includes(this.foldedAt(end + 1))
    const minutes = (isNumber ? named?.number : undefined) ?? MINUTES.get(word)
    const ofHour = TO_HOUR.get(word)
    if (minutes === undefined && ofHour === undefined) return undefined
    const mark = ['minutes', 'minuten'].includes(this.foldedAt(end)) ? end + 1 : end
    const isPast = WORDS.pastHour.has(this.foldedAt(mark))
    // “at a quarter of seven”, in America
    const isOf =
      this.foldedAt(mark) === 'of' && this.foldedAt(this.foldedAt(i - 1) === 'a' ? i - 2 : i - 1) === 'at'
    const isTo = WORDS.toHour.has(this.foldedAt(mark)) || isOf
    // “fünf vor halb sieben”
    const isOfHalf = (isPast || isTo) && this.foldedAt(mark + 1) === 'halb'
    const hasArticle = isOfHalf || ['la', 'las'].includes(this.foldedAt(mark + 1))
    const at = isPast || isTo ? (hasArticle ? mark + 2 : mark + 1) : i + 1
    const hour = this.#hourNamed(at)
    const before = isOfHalf ? -30 : 0
    const more = minutes !== undefined && (isPast || isTo) ? before + (isPast ? minutes : -minutes) : ofHour
    // “ten to eight” may be a span, but “at ten to eight” is none, and “im Viertel 8” is a part of a town.
    const isOther = isTo
      ? word === 'half' || ((word === 'ten' || word === 'five') && this.foldedAt(i - 1) !== 'at')
      : word === 'viertel' && this.tokens[at]?.kind === 'number' && !isPast
    if (hour === undefined || hour > 12 || more === undefined || isOther) return undefined
    const [wholeHour, minute] = more < 0 ? [hourBefore(hour), 60 + more] : [hour, more]
    const clock = this.#completed({ to: at + 1, hour: wholeHour, minute, isSure: true, isSpoken: true })
    return clock && { ...clock, isSpoken: clock.half === undefined }
  }

  /** An hour in words: `ab sieben`, `at eight`, `las ocho y media`, `dix-neuf heures trente`. */
  #spokenAt(i: number): WrittenClock | undefined {
    const named = numberIn(this.tokens, i)
    if (named === undefined || named.number > 24) return undefined
    const { number: hour, to: after } = named
    // “seven thirty”, “ten-fifteen”
    const at = this.foldedAt(after) === '-' && this.isAttached(after) ? after + 1 : after
    const quarter =
      hour > 12 || this.foldedAt(at + 1) === '-' ? undefined : RIGHT_AFTER_HOUR.get(this.foldedAt(at))
    const [to, minute] = quarter === undefined ? [after, 0] : [at + 1, quarter]
    const clock = this.#completed({ to, hour, minute, isSure: minute > 0, isSpoken: hour <= 12 })
    if (!clock) return undefined
    // “Bono de las tres”
    const isOfThese =
      this.foldedAt(i - 1) === 'las' && this.foldedAt(i - 2) === 'de' && this.foldedAt(i - 3) !== 'partir'
    // “von neun bis zwölf”: a span, if both of its hours are read
    const isOfSpan = this.#isSpannedInWords(i, to)
    if (!clock.isSure && !isOfSpan && (!BEFORE_HOUR.has(this.foldedAt(i - 1)) || hour > 12 || isOfThese))
      return undefined
    return { ...clock, isSure: clock.isSure || !isOfSpan, isSpoken: clock.half === undefined && hour <= 12 }
  }

  /** True if an hour in words begins or ends a span: “von neun bis zwölf”, “Saturday, nine to noon”. */
  #isSpannedInWords(i: number, to: number): boolean {
    const end = this.secondHourAt(to, i)
    const isAfterDay = this.isAfterDay(i) || this.foldedAt(i - 1) === ','
    // “nine to one”, but “ten to one” may be a time
    const isSpan = !(MINUTES.has(this.foldedAt(i)) && this.foldedAt(to) === 'to')
    const isFirst =
      end !== undefined &&
      (BEFORE_SPAN.has(this.foldedAt(i - 1)) ||
        (isAfterDay && (this.#isSureAt(end) || (isSpan && this.#isHourAt(end)))))
    const joint = ['las', 'la'].includes(this.foldedAt(i - 1)) ? i - 2 : i - 1
    const isSecond =
      (UNTIL.has(this.foldedAt(joint)) || AND_ONLY.has(this.foldedAt(joint))) &&
      [joint - 1, joint - 2].some(at => at > 0 && BEFORE_SPAN.has(this.foldedAt(at - 1)))
    const isAfterSpan =
      UNTIL.has(this.foldedAt(joint)) &&
      ((this.#isHourAt(joint - 1) && (this.isAfterDay(joint - 1) || this.foldedAt(joint - 2) === ',')) ||
        // “nine-thirty till one”, “9.30 till one”
        RIGHT_AFTER_HOUR.has(this.foldedAt(joint - 1)) ||
        this.#isQuarter(joint - 3)) &&
      !(MINUTES.has(this.foldedAt(joint - 1)) && this.foldedAt(joint) === 'to')
    return isFirst || isSecond || isAfterSpan
  }

  #isHourAt(i: number): boolean {
    return (NUMBER_WORDS.get(this.foldedAt(i)) ?? 13) <= 12
  }

  /** True for an hour that can be nothing else: “noon”, “half past twelve”, “1pm”. */
  #isSureAt(i: number): boolean {
    const isTwelve = AT_NOON.has(this.foldedAt(i)) || AT_MIDNIGHT.has(this.foldedAt(i))
    return isTwelve || (this.#fractionAt(i) ?? this.numbersAt(i, false))?.isSure === true
  }

  #hourNamed(i: number): number | undefined {
    return NUMBER_WORDS.get(this.foldedAt(i)) ?? this.number(i, 12)
  }

  /** True if a label comes before a time: `Time: 7.30`, `curtain up 7.45`. */
  isLabelled(i: number): boolean {
    const label = this.foldedAt(AFTER_LABELS.has(this.foldedAt(i - 1)) ? i - 2 : i - 1)
    return WORDS.labelsOfTimes.has(label) || (label !== this.foldedAt(i - 1) && WORDS.beginning.has(label))
  }

  /** The index of the hour that ends a span, if `-`, `bis` or `to` is at an index. */
  secondHourAt(i: number, start = i): number | undefined {
    // “11 'til 1”
    if (/^['’‘]$/.test(this.foldedAt(i)) && this.foldedAt(i + 1) === 'til') return i + 2
    const isBetween = AND_ONLY.has(this.foldedAt(i)) && WORDS.between.has(this.wordBefore(start))
    if (!(UNTIL.has(this.foldedAt(i)) || isBetween) || startsLine(this.tokens, i)) return undefined
    // “Baile, 22.30 h. A las 00.30 concurso”
    if (this.tokens[i]?.text === 'A' && this.foldedAt(i - 1) === '.') return undefined
    return ['las', 'um', 'la'].includes(this.foldedAt(i + 1)) ? i + 2 : i + 1
  }

  /** The word before a time, without `à`, `las` and the apostrophe of `jusqu'à`. */
  wordBefore(i: number): string {
    return this.foldedAt(skipBack(i - 1, at => i - at < 4 && BEFORE_TIME.has(this.foldedAt(at))))
  }

  /** True if a number comes right after a day or a weekday: “every wednesday 9.30 to 11”. */
  isAfterDay(i: number): boolean {
    const mark =
      [',', '|', '·', '-', ':', '/'].includes(this.foldedAt(i - 1)) && this.tokens[i]?.isSpaced
        ? i - 2
        : i - 1
    // “Second Saturday in February (13th), 2 to 4”, “Saturday 13 February!! 10–12”
    const at = skipBack(mark, n => n > mark - 3 && [')', '!'].includes(this.foldedAt(n)))
    const isDay = this.isTaken(at) || (this.foldedAt(at).length > 3 && weekdayOf(this.foldedAt(at)) > 0)
    return isDay && (this.tokens[i]?.line ?? 0) - (this.tokens[at]?.line ?? 0) <= 1
  }
}
