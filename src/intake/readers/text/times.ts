import { AT_MIDNIGHT, AT_NOON, HALVES, HALVES_OF_DAY, UNITS } from '../moment-words.ts'
import type { Token } from './tokens.ts'
import { BEGINNING, NOT_THE_BEGINNING, NUMBER_WORDS, setOf, UNTIL, weekdayOf } from './words.ts'

/** A time of day that a text names, perhaps with its end. */
export type TimeMention = {
  /** The index of its first token. */
  from: number
  /** The index after its last token. */
  to: number
  /** As `19:30`; undefined where only the end is said: `until 2 am`. */
  start: string | undefined
  end: string | undefined
  /** Whether the end may be in the morning or in the evening: `until 3`. */
  isEndVague?: boolean
}

/** A time as it is written. @property isSure whether it has minutes, a unit or a half of the day */
type Clock = {
  to: number
  hour: number
  minute: number
  half: 'am' | 'pm' | undefined
  isSure: boolean
  isInWords: boolean
}

/** What goes after an amount of money. */
const MONEY = setOf('€ $ £ % euro euros eur chf fr francs franken pesos dollars pounds quid')
/** Words before a bare number that make it a time. */
const AT = new Set(['at', 'um', 'ab', '@', 'las', 'la', 'vers'])
/** What bare numbers count: «ab 12 Jahren». */
const COUNTED = setOf(
  'jahre jahren j ans anos years yrs months monate monaten mois meses personen people persons personnes personas',
)
const BETWEEN = new Set(['between', 'zwischen', 'entre'])
const JOINING = new Set(['and', 'und', 'y', 'et'])
const ONLY_END = setOf(
  'bis until till jusqu hasta ende ends finishes finish fin schluss finaliza termina ruckkehr retour regreso back',
)
/** Words between these and a time. */
const ABOUT = setOf("a las la ' ’ um ca etwa gegen vers around about : sobre at the")

/** The most times that are read. */
const MOST_TIMES = 200

const two = (number: number): string => String(number).padStart(2, '0')
const shown = ({ hour, minute }: { hour: number; minute: number }): string =>
  `${two(hour % 24)}:${two(minute)}`

/**
 * Reads the times in a text, in their order.
 *
 * @param isTaken whether a token belongs to a day
 * @param isEnglish whether the clock has twelve hours
 */
export function timesIn(
  tokens: readonly Token[],
  isTaken: (token: number) => boolean,
  isEnglish: boolean,
): TimeMention[] {
  const reader = new Times(tokens, isTaken, isEnglish)
  const found: TimeMention[] = []
  for (let i = 0; i < tokens.length && found.length < MOST_TIMES; ) {
    const mention = isTaken(i) ? undefined : reader.at(i)
    if (mention) found.push(mention)
    i = mention?.to ?? i + 1
  }
  return found
}

class Times {
  readonly #tokens: readonly Token[]
  readonly #isTaken: (token: number) => boolean
  readonly #isEnglish: boolean

  constructor(tokens: readonly Token[], isTaken: (token: number) => boolean, isEnglish: boolean) {
    this.#tokens = tokens
    this.#isTaken = isTaken
    this.#isEnglish = isEnglish
  }

  #low(i: number): string {
    return this.#tokens[i]?.low ?? ''
  }

  #isAttached(i: number): boolean {
    return this.#tokens[i]?.isSpaced === false
  }

  #number(i: number, most: number): number | undefined {
    const token = this.#tokens[i]
    if (token?.kind !== 'number' || token.text.length > 2 || this.#isTaken(i)) return undefined
    return Number(token.text) <= most ? Number(token.text) : undefined
  }

  at(i: number): TimeMention | undefined {
    const clock = this.#clockAt(i)
    // «samedi 20 à 10h30» is a day.
    if (
      !clock ||
      (!clock.isSure && weekdayOf(this.#low(i - 1)) > 0 && ['a', 'um'].includes(this.#low(i + 1)))
    )
      return undefined
    const first = this.#withHalfOfNext(clock)
    const joint = this.#jointAt(first.to, i)
    const second = joint === undefined ? undefined : this.#clockAt(joint)
    if (
      second &&
      joint !== undefined &&
      (first.isSure || second.isSure || this.#isBareSpan(i, first, second))
    )
      return this.#span(i, first, second)
    if (!first.isSure && !this.#isTime(i)) return undefined
    const bracketed = this.#low(first.to) === '(' ? this.#clockAt(first.to + 1, true) : undefined
    if (bracketed && first.isInWords && this.#low(bracketed.to) === ')')
      return { from: i, to: bracketed.to + 1, start: shown(bracketed), end: undefined }
    // The second half of a span whose first half cannot be read: `l5:00 a 18:30`.
    if (this.#isSecondHalf(i)) return undefined
    const isEnd = ONLY_END.has(this.#wordBefore(i))
    const isVague =
      isEnd && first.half === undefined && first.hour <= 12 && (!first.isSure || first.isInWords)
    const hour = isVague ? first.hour : this.#hourOf(first)
    if (hour === undefined) return undefined
    const time = shown({ hour, minute: first.minute })
    return isEnd
      ? { from: i, to: first.to, start: undefined, end: time, isEndVague: isVague }
      : { from: i, to: first.to, start: time, end: undefined }
  }

  /** `5:30 and 7 p.m.`: the half of the day stands once. */
  #withHalfOfNext(clock: Clock): Clock {
    const mark = this.#low(clock.to)
    if (clock.half !== undefined || clock.hour > 12 || !(JOINING.has(mark) || mark === '/' || mark === '&'))
      return clock
    const half = this.#digitsAt(clock.to + 1, false)?.half
    return half === undefined ? clock : { ...clock, half, isSure: true }
  }

  #isSecondHalf(i: number): boolean {
    if (this.#low(i - 1) === '-' && this.#isAttached(i) && this.#isAttached(i - 1)) return true
    const joint = this.#low(i - 1) === 'las' ? i - 2 : i - 1
    const before = this.#tokens[joint - 1]
    return (
      ['-', 'a', 'to', 'bis'].includes(this.#low(joint)) &&
      this.#tokens[joint]?.isSpaced === true &&
      before?.kind === 'number' &&
      before.isSpaced === false &&
      !this.#isTaken(joint - 1) &&
      before.line === this.#tokens[i]?.line
    )
  }

  /** The word before a time, without `à`, `las` and the apostrophe of `jusqu'à`. */
  #wordBefore(i: number): string {
    let at = i - 1
    while (i - at < 4 && ABOUT.has(this.#low(at))) at--
    return this.#low(at)
  }

  #span(i: number, first: Clock, second: Clock): TimeMention | undefined {
    const half = first.half ?? (second.half && first.hour <= 12 ? second.half : undefined)
    // A span says by its order which half of the day it is: 10:00 - 13:00.
    const isEnglish = this.#isEnglish && half === undefined && first.hour < 12 && second.hour <= 12
    // «de 5 a 7» is in the afternoon; «7.30–10.00» alone only where clocks have twelve hours.
    const isBare = (clock: Clock, at: number) =>
      !clock.isSure || (this.#low(at + 1) === '.' && this.#tokens[clock.to - 1]?.kind === 'number')
    if (
      half === undefined &&
      first.hour < 8 &&
      second.hour < 12 &&
      isBare(first, i) &&
      isBare(second, second.to - 3)
    )
      return {
        from: i,
        to: second.to,
        start: shown({ ...first, hour: first.hour + 12 }),
        end: shown({ ...second, hour: second.hour + 12 }),
      }
    const start = isEnglish ? this.#hourOf({ ...first, isInWords: true }) : this.#hourIn24({ ...first, half })
    const end = this.#hourIn24({ ...second, half: second.half ?? (first.half === 'pm' ? 'pm' : undefined) })
    if (start === undefined || end === undefined) return undefined
    // Noon to 3 ends in the afternoon.
    const isAfternoon = !second.isSure && second.half === undefined && end <= start && end + 12 > start
    // 10 to 1pm begins in the morning.
    const isMorning = first.half === undefined && second.half === 'pm' && start > end && start >= 12
    return {
      from: i,
      to: second.to,
      start: shown({ hour: isMorning ? start - 12 : start, minute: first.minute }),
      end: shown({ hour: isAfternoon ? end + 12 : end, minute: second.minute }),
    }
  }

  /** `de 11 a 14 y de 17 a 20 h`, `von 10 bis 16`: two bare hours, after which no word says that they count something else. */
  #isBareSpan(i: number, first: Clock, second: Clock): boolean {
    if (!['de', 'von', 'from'].includes(this.#low(i - 1)) || first.hour >= second.hour) return false
    const after = this.#tokens[second.to]
    return !after || after.line !== this.#tokens[i]?.line || after.kind === 'sign' || JOINING.has(after.low)
  }

  /** The index of the time after `-`, `bis`, `to`. */
  #jointAt(i: number, start = i): number | undefined {
    const isBetween = JOINING.has(this.#low(i)) && BETWEEN.has(this.#wordBefore(start))
    if (!(UNTIL.has(this.#low(i)) || isBetween) || this.#tokens[i]?.line !== this.#tokens[i - 1]?.line)
      return undefined
    return ['las', 'um', 'la'].includes(this.#low(i + 1)) ? i + 2 : i + 1
  }

  #hourIn24({ hour, half }: Pick<Clock, 'hour' | 'half'>): number {
    if (half === 'pm') return hour < 12 ? hour + 12 : hour
    return half === 'am' && hour === 12 ? 0 : hour
  }

  /** The hour by 24; undefined where it may be in the morning or in the evening. */
  #hourOf({ hour, half, isSure, isInWords }: Clock): number | undefined {
    if (half !== undefined) return this.#hourIn24({ hour, half })
    if (isSure && !isInWords && !(this.#isEnglish && hour < 12)) return hour
    if (hour > 12 || hour === 0) return hour
    if (!this.#isEnglish && hour >= 10) return hour
    return hour >= 5 && hour <= (this.#isEnglish ? 8 : 9) ? hour + 12 : hour === 12 ? 12 : undefined
  }

  /** Whether a bare number is a time: `doors 7`, `at 8`, `a las 21`. */
  #isTime(i: number): boolean {
    const before = this.#low(i - 1)
    const after = this.#tokens[i + 1]
    if (
      after?.isSpaced === false &&
      ['€', '$', '£', '%', ',', '.', '/'].includes(after.low) &&
      this.#tokens[i + 2]?.kind === 'number'
    )
      return false
    if (
      COUNTED.has(after?.low ?? '') ||
      MONEY.has(before) ||
      MONEY.has(after?.low ?? '') ||
      after?.low === '%'
    )
      return false
    return AT.has(before) || ONLY_END.has(before) || NOT_THE_BEGINNING.has(before) || BEGINNING.has(before)
  }

  #clockAt(i: number, isBracketed = false): Clock | undefined {
    return this.#digitsAt(i, isBracketed) ?? this.#wordsAt(i)
  }

  /** `20`, `20:15`, `20.15 Uhr`, `20h15`, `8.15pm`, `8 a.m.` */
  #digitsAt(i: number, isBracketed: boolean): Clock | undefined {
    const four = this.#fourDigitsAt(i)
    if (four) return four
    const hour = this.#number(i, 24)
    if (hour === undefined) return undefined
    if (this.#isAttached(i) && ['/', '.', ',', '+', '€', '$', '£', ':', '#'].includes(this.#low(i - 1)))
      return undefined
    if (this.#tokens[i - 1]?.kind === 'word' && this.#isAttached(i)) return undefined
    let to = i + 1
    let minute = 0
    let isSure = false
    const mark = this.#low(to)
    const digits = this.#tokens[to + 1]
    const hasMinutes =
      this.#isAttached(to) &&
      digits?.isSpaced === false &&
      digits.text.length === 2 &&
      this.#number(to + 1, 59) !== undefined
    if (hasMinutes && (mark === ':' || mark === 'h')) {
      minute = Number(digits?.text)
      to += 2
      isSure = true
      if (mark === ':' && this.#low(to) === ':' && this.#isAttached(to + 1)) to += 2
    } else if (
      hasMinutes &&
      mark === '.' &&
      (this.#isUnit(to + 2) ||
        isBracketed ||
        this.#isAfterAt(i) ||
        this.#startsSpan(to + 2) ||
        this.#isDotted(i) ||
        this.#isDottedSpan(i))
    ) {
      minute = Number(digits?.text)
      to += 2
    }
    const isClock = this.#low(to) === 'o' && this.#low(to + 2) === 'clock'
    if (isClock) to += 3
    else if (hour === 12 && AT_NOON.has(this.#low(to))) {
      isSure = true
      to++
    } else if (UNITS.has(this.#low(to)) && !this.#isTaken(to)) {
      isSure = true
      to++
      if (this.#low(to) === '.' && this.#isAttached(to)) to++
      const more = this.#number(to, 59)
      // 20 Uhr 15
      const isMinutes =
        ['uhr', 'h', 'heures', 'horas'].includes(this.#low(to - 1)) && this.#tokens[to]?.text.length === 2
      if (minute === 0 && more !== undefined && isMinutes && !this.#isPriced(to)) {
        minute = more
        to++
      }
    }
    if (
      ['y', 'et', 'and'].includes(this.#low(to)) &&
      ['media', 'demie', 'demi', 'cuarto', 'quart'].includes(this.#low(to + 1))
    ) {
      const { half, to: end } = this.#afterHalf(to + 2)
      return {
        to: end,
        hour,
        minute: ['quart', 'cuarto'].includes(this.#low(to + 1)) ? 15 : 30,
        half,
        isSure: true,
        isInWords: hour <= 12 && half === undefined,
      }
    }
    const quarter = this.#beforeHour(to)
    if (quarter)
      return { ...quarter, hour: hour - 1, isSure: true, isInWords: hour <= 12 && quarter.half === undefined }
    const { half, to: end } = this.#afterHalf(to)
    if (half !== undefined && hour > 12) return undefined
    // A number that goes on is misspelt: `8.3Opm`.
    const goesOn = this.#tokens[end]
    if (
      goesOn?.isSpaced === false &&
      end === to &&
      (goesOn.kind === 'word' || (['.', ':'].includes(goesOn.low) && this.#isAttached(end + 1)))
    )
      return undefined
    return {
      to: end,
      hour,
      minute,
      half,
      isSure: isSure || half !== undefined || minute > 0,
      isInWords: false,
    }
  }

  /** `1930 Uhr`, `2030 hrs` */
  #fourDigitsAt(i: number): Clock | undefined {
    const { kind, text = '' } = this.#tokens[i] ?? {}
    if (
      kind !== 'number' ||
      text.length !== 4 ||
      this.#isTaken(i) ||
      !['uhr', 'h', 'hrs', 'hs'].includes(this.#low(i + 1))
    )
      return undefined
    const [hour, minute] = [Number(text.slice(0, 2)), Number(text.slice(2))]
    return hour > 24 || minute > 59
      ? undefined
      : { to: i + 2, hour, minute, half: undefined, isSure: true, isInWords: false }
  }

  /** `deux heures moins le quart`, `las siete menos cuarto` */
  #beforeHour(i: number): { to: number; minute: number; half: 'am' | 'pm' | undefined } | undefined {
    if (!['moins', 'menos'].includes(this.#low(i))) return undefined
    const at = this.#low(i + 1) === 'le' ? i + 2 : i + 1
    if (!['quart', 'cuarto'].includes(this.#low(at))) return undefined
    const { half, to } = this.#afterHalf(at + 1)
    return { to, minute: 45, half }
  }

  /** Whether a number is an amount: `12 €`, `12,50`. */
  #isPriced(i: number): boolean {
    const after = this.#low(i + 1)
    return (
      MONEY.has(after) || ([',', '.'].includes(after) && this.#isAttached(i + 1) && this.#isAttached(i + 2))
    )
  }

  /** `Fri 5 March, 19.30, Village Hall`: a quarter of an hour between commas, and no price. */
  #isDotted(i: number): boolean {
    const before = this.#low(i - 1)
    const after = this.#tokens[i + 3]
    const isApart =
      before === ',' || this.#isTaken(i - 1) || this.#tokens[i - 1]?.line !== this.#tokens[i]?.line
    const isEnd =
      !after || after.line !== this.#tokens[i]?.line || [',', '.', ';', '-', ')', '/'].includes(after.low)
    return (
      isApart && isEnd && Number(this.#tokens[i]?.text) >= 7 && Number(this.#tokens[i + 2]?.text) % 15 === 0
    )
  }

  /** `Music 7.30–10.00`, `17.00–18.15`: both in quarters of an hour. */
  #isDottedSpan(i: number): boolean {
    const isQuarter = (at: number) =>
      this.#number(at, 24) !== undefined &&
      this.#low(at + 1) === '.' &&
      this.#isAttached(at + 2) &&
      this.#tokens[at + 2]?.text.length === 2 &&
      Number(this.#tokens[at + 2]?.text) % 15 === 0
    if (this.#low(i - 1) === '-' && isQuarter(i - 4)) return isQuarter(i) && !this.#isPriced(i + 2)
    return (
      this.#low(i + 3) === '-' &&
      isQuarter(i) &&
      isQuarter(i + 4) &&
      !MONEY.has(this.#low(i + 7)) &&
      !MONEY.has(this.#low(i - 1))
    )
  }

  #isAfterAt(i: number): boolean {
    return AT.has(this.#low(i - 1)) || ['von', 'from'].includes(this.#low(i - 1))
  }

  /** Whether a span with a unit goes on here: the `- 9.30pm` of `7.30 - 9.30pm`. */
  #startsSpan(i: number): boolean {
    const joint = this.#jointAt(i)
    if (joint === undefined || this.#number(joint, 24) === undefined) return false
    return this.#isUnit(joint + 1) || (this.#low(joint + 1) === '.' && this.#isUnit(joint + 3))
  }

  #isUnit(i: number): boolean {
    return UNITS.has(this.#low(i)) || this.#afterHalf(i).half !== undefined
  }

  /** `pm`, `p.m.`, `abends`, `de la noche`, `du soir`, `in the evening` */
  #afterHalf(i: number): { to: number; half: 'am' | 'pm' | undefined } {
    const low = this.#low(i)
    const half = HALVES.get(low)
    // «um 20 Uhr am Samstag»
    const isGerman =
      low === 'am' && (this.#tokens[i]?.text === 'Am' || ['uhr', 'h', '.'].includes(this.#low(i - 1)))
    if (half && !isGerman && !this.#isTaken(i)) return { to: i + 1, half }
    if ((low === 'a' || low === 'p') && this.#low(i + 1) === '.' && this.#low(i + 2) === 'm')
      return { to: this.#low(i + 3) === '.' ? i + 4 : i + 3, half: low === 'a' ? 'am' : 'pm' }
    let at = ['du', 'de', 'del', 'in', 'por'].includes(low) ? i + 1 : undefined
    while (at !== undefined && at < i + 4 && ['la', 'the', 'l', '’', "'"].includes(this.#low(at))) at++
    if (at !== undefined && this.#low(at) === 'apres' && this.#low(at + 2) === 'midi')
      return { to: at + 3, half: 'pm' }
    const ofDay = at === undefined ? undefined : HALVES_OF_DAY.get(this.#low(at))
    return ofDay && at !== undefined ? { to: at + 1, half: ofDay } : { to: i, half: undefined }
  }

  /** `halb acht`, `viertel nach acht`, `half past seven`, `dix-neuf heures trente`, `midi` */
  #wordsAt(i: number): Clock | undefined {
    const low = this.#low(i)
    const plain = { half: undefined, isSure: true, isInWords: false }
    if (AT_NOON.has(low) && !(low === 'midi' && this.#low(i - 2) === 'apres')) {
      const isHalfPast = this.#low(i + 1) === 'et' && this.#low(i + 2).startsWith('demi')
      return { to: isHalfPast ? i + 3 : i + 1, hour: 12, minute: isHalfPast ? 30 : 0, ...plain }
    }
    if (AT_MIDNIGHT.has(low)) return { to: i + 1, hour: 24, minute: 0, ...plain }
    const inWords = (to: number, hour: number, minute: number): Clock => {
      const { half, to: end } = this.#afterHalf(this.#low(to) === 'uhr' ? to + 1 : to)
      return {
        to: end,
        hour: minute < 0 ? hour - 1 : hour,
        minute: (minute + 60) % 60,
        half,
        isSure: true,
        isInWords: true,
      }
    }
    if (low === 'halb' || low === 'dreiviertel') {
      const hour = this.#hourNamed(i + 1)
      return hour === undefined ? undefined : inWords(i + 2, hour, low === 'halb' ? -30 : -15)
    }
    if (low === 'viertel' || low === 'quarter' || low === 'half') {
      const word = this.#low(i + 1)
      const isPast = word === 'nach' || word === 'past'
      const isTo = word === 'vor' || word === 'to'
      const hour = this.#hourNamed(isPast || isTo ? i + 2 : i + 1)
      if (hour === undefined || (low !== 'half' && !isPast && !isTo) || (low === 'half' && isTo))
        return undefined
      const minute = low === 'half' ? 30 : 15
      return inWords(isPast || isTo ? i + 3 : i + 2, hour, isTo ? -minute : minute)
    }
    return this.#frenchAt(i) ?? this.#spokenAt(i)
  }

  /** `dix-neuf heures trente` */
  #frenchAt(i: number): Clock | undefined {
    let at = i
    let hour = 0
    while (at < i + 6 && NUMBER_WORDS.has(this.#low(at))) {
      hour += NUMBER_WORDS.get(this.#low(at)) ?? 0
      at += ['-', 'et'].includes(this.#low(at + 1)) && NUMBER_WORDS.has(this.#low(at + 2)) ? 2 : 1
    }
    if (at === i || !['heures', 'heure'].includes(this.#low(at)) || hour > 24) return undefined
    const next = NUMBER_WORDS.get(this.#low(at + 1))
    const isHalf = this.#low(at + 1) === 'et' && this.#low(at + 2).startsWith('demi')
    const isQuarter = this.#low(at + 1) === 'et' && this.#low(at + 2) === 'quart'
    const minute = isHalf ? 30 : isQuarter ? 15 : next === 30 || next === 15 ? next : 0
    const quarter = this.#beforeHour(at + 1)
    const { half, to: end } = quarter
      ? { half: quarter.half, to: quarter.to }
      : this.#afterHalf(at + 1 + (isHalf || isQuarter ? 2 : minute > 0 ? 1 : 0))
    return {
      to: end,
      hour: quarter ? hour - 1 : hour,
      minute: quarter?.minute ?? minute,
      half: quarter?.half ?? half,
      isSure: true,
      isInWords: false,
    }
  }

  /** `ab sieben`, `at eight`, `las ocho y media` */
  #spokenAt(i: number): Clock | undefined {
    const hour = this.#hourNamed(i)
    if (hour === undefined || this.#tokens[i]?.kind !== 'word') return undefined
    if (!AT.has(this.#low(i - 1)) && !UNITS.has(this.#low(i + 1)) && this.#low(i + 3) !== 'clock')
      return undefined
    const isClock = this.#low(i + 1) === 'o' && this.#low(i + 3) === 'clock'
    if (isClock) {
      const { half, to } = this.#afterHalf(i + 4)
      return { to, hour, minute: 0, half, isSure: true, isInWords: true }
    }
    if (hour > 12)
      return UNITS.has(this.#low(i + 1))
        ? { to: i + 2, hour, minute: 0, half: undefined, isSure: true, isInWords: false }
        : undefined
    const before = this.#beforeHour(i + 1)
    if (before) return { ...before, hour: hour - 1, isSure: true, isInWords: true }
    const quarter = this.#low(i + 1) === 'y' ? this.#low(i + 2) : ''
    const minute = quarter === 'media' ? 30 : quarter === 'cuarto' ? 15 : 0
    const { half, to } = this.#afterHalf(i + (minute > 0 ? 3 : UNITS.has(this.#low(i + 1)) ? 2 : 1))
    return { to, hour, minute, half, isSure: true, isInWords: true }
  }

  #hourNamed(i: number): number | undefined {
    return NUMBER_WORDS.get(this.#low(i)) ?? this.#number(i, 12)
  }
}
