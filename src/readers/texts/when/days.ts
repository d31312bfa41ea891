import { monthNumber } from '../../../kit/lib/date-words.ts'
import { addDays, isDateTime, isoWeekday } from '../../../kit/lib/time.ts'
import { areInLine, numberIn, OPENING_QUOTES, startsLine, type Token } from '../words/tokens.ts'
import {
  AND,
  COMING,
  EVERY,
  FEASTS,
  isKind,
  MONTHS,
  NEXT,
  NUMBER_WORDS,
  ORDINALS,
  RELATIVE_DAYS,
  SHORT_WEEKDAYS,
  SMALL,
  STREETS,
  setOf,
  UNTIL,
  weekdayOf,
} from '../words/words.ts'

// From the words and numbers of a text, this reads the days that it names: dates, lists and stretches of
// them, weekdays by today. A year that is missing is that in which the day is still to come; a weekday
// confirms it.

/** A day that a text names. */
export type DayMention = {
  /** The index of its first token. */
  from: number
  /** The index after its last token. */
  to: number
  /** As `2027-02-26`. */
  date: string
  /** The last day of a stay, a festival or an exhibition. */
  last?: string
  /** True if it continues a list: `3, 10 and 24 March`. */
  isListed: boolean
  /** It is over, or so far away without a year that it must be over. */
  isPast: boolean
  /** Its weekday is that of another day. */
  isContradicted: boolean
  /** What stands between the first and the last day of a stretch, such as a time. */
  gap?: readonly [from: number, to: number]
  /**
   * Of months in which something may recur, and whether it is known when these begin: “von Mai bis
   * September”.
   */
  season?: 'sure' | 'vague'
}

/** Today where the text is read; true if the month comes first in 2/3, and if the text is in English. */
export type DayContext = { today: string; monthFirst: boolean; isEnglish: boolean }

/** The parts of a day as they are written. */
type WrittenDay = {
  from: number
  to: number
  weekday: number
  day: number
  month: number | undefined
  year: number | undefined
}

/** The most years between today and a number that may be a year. */
const MAX_YEARS = 150
/** The most days from today to a day without a year. A later one is taken for a day of last year. */
const MAX_DAYS_AHEAD = 320
/** Phrases after a day, by the days that they add. */
const PHRASES_AFTER_DAY = [
  ['en huit', 7],
  ['week', 7],
  ['wk', 7],
  ['in einer woche', 7],
  ['in acht tagen', 7],
  ['uber acht tage', 7],
  ['en ocho', 7],
  ['en una semana', 7],
  ['in a week', 7],
  ['in vierzehn tagen', 14],
  ['in zwei wochen', 14],
  ['fortnight', 14],
  ['en quinze', 14],
] as const
/** Phrases before a day, by the days that they add: “a week on Friday”. */
const PHRASES_BEFORE_DAY = [
  ['week today', 7],
  ['week on', 7],
  ['week tomorrow', 7],
  ['fortnight on', 14],
  ['fortnight today', 14],
  ['fortnight tomorrow', 14],
] as const
const NEXT_WEEK = [
  'nachster woche',
  'nachste woche',
  'de la semana que viene',
  'de la semaine prochaine',
  'de la proxima semana',
  'next week',
  'of next week',
  'kommender woche',
]
const NIGHTS = setOf('night evening morning afternoon abend soir matin noche tarde')
const EVENINGS = setOf('abend noche tarde nachmittag')
/** Words for “this”, which name today before a part of the day: `ce soir`, `esta noche`. */
const THIS_WORDS = setOf('ce cet esta')
const DAY_AFTER_NEXT: ReadonlyMap<string, readonly string[]> = new Map([
  ['apres', ['-', 'demain']],
  ['pasado', ['manana']],
  ['day', ['after', 'tomorrow']],
])
const PARTS_OF_DAY = setOf('soir matin midi noche tarde')
const MAX_TO_AFTERNOON = 16
/** Before `mañana` and `Morgen` where these are the morning. */
const MORNINGS_AFTER = setOf('la de am jeden guten heute esta por una media cada gestern')
/** The most tokens between the first and the last day of a stretch. */
const MAX_BETWEEN = 9
/** Before the last day of a stretch: “Début : vendredi 9 avril à 18 h – Fin : dimanche 11 avril à 16 h” */
const BEFORE_LAST_DAY = setOf('ende fin end finish')
const CLOCK = setOf('h uhr : . hs hrs pm am p m horas')
/** The most days that are read. A text with more is a table, and no announcement. */
const MAX_DAYS = 200
/** The most days of a list that share a month. */
const MAX_LISTED = 31

const ROMAN = 'i ii iii iv v vi vii viii ix x xi xii'.split(' ')

const twoDigits = (number: number): string => String(number).padStart(2, '0')
const isoDate = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
const isDay = (date: string): boolean => isDateTime(`${date} 00:00:00`)
/** Monday is 1. */
export const weekdayOn = (date: string): number => isoWeekday(`${date} 00:00:00`)
export const daysLater = (date: string, days: number): string =>
  addDays(`${date} 00:00:00`, days).slice(0, 10)

export const areInARow = (dates: readonly string[]): boolean =>
  dates.every((date, i) => i === 0 || date === daysLater(dates[i - 1] ?? date, 1))

/** A mention of a day that is still to come. */
export const comingDay = (from: number, to: number, date: string): DayMention => ({
  from,
  to,
  date,
  isListed: false,
  isPast: false,
  isContradicted: false,
})

/** Reads the days in a text, in their order. */
export const daysIn = (tokens: readonly Token[], context: DayContext): DayMention[] =>
  new Days(tokens, context).all()

/** “El próximo sábado” is the coming one, whereas “next Saturday” may be the one after it. */
const COMING_IN_SPANISH = setOf('proximo proxima')
/** Words before a weekday that is not the coming one, apart from those of {@link EVERY} and {@link NEXT}. */
const NOT_COMING = setOf('los last letzten dernier pasado')

/** True if a weekday is one of another week: “Ostermontag”, “Palm Sunday”, “dimanche de Pâques”. */
export const isFeast = (tokens: readonly Token[], i: number): boolean =>
  weekdayOf(tokens[i]?.low ?? '') > 0 &&
  ((tokens[i]?.low.length ?? 0) > 10 ||
    FEASTS.has(tokens[i - 1]?.low ?? '') ||
    [1, 2, 3, 4].some(ahead => FEASTS.has(tokens[i + ahead]?.low ?? '')))

/** A weekday in a text that names no day: the coming one, “Friday, 8pm, in the Lamplighter”. */
export function bareWeekday(tokens: readonly Token[], today: string): DayMention[] {
  const found = tokens.flatMap(({ low, kind }, from) => {
    const isWeekday = kind === 'word' && low.length > 4 && weekdayOf(low) > 0 && !isPlural(low)
    return isWeekday && !isFeast(tokens, from) ? [from] : []
  })
  const [from, ...others] = found
  const low = from === undefined ? '' : (tokens[from]?.low ?? '')
  if (
    from === undefined ||
    others.length > 0 ||
    [NOT_COMING, EVERY, NEXT, ORDINALS].some(words => words.has(tokens[from - 1]?.low ?? '')) ||
    NEXT.has(tokens[from + 1]?.low ?? '') ||
    isBesideMonths(tokens, from, from + 1) ||
    // “1st and 3rd Saturday”, “am 1. Dienstag im Monat”
    (tokens[from - 2]?.text.length === 1 && ORDINAL_MARKS.has(tokens[from - 1]?.low ?? '')) ||
    // “jeudi en quinze”, “Donnerstag in drei Wochen”
    (['en', 'in', 'dans'].includes(tokens[from + 1]?.low ?? '') &&
      NUMBER_WORDS.has(tokens[from + 2]?.low ?? '')) ||
    isUnexplained(tokens, from + 1) ||
    // “Mittwoch, 24. Merz”, “Wednesday, Febuary 24”
    (tokens[from + 1]?.low === ',' &&
      (isUnexplained(tokens, from + 2) ||
        (tokens[from + 2]?.kind === 'word' && isUnexplained(tokens, from + 3)))) ||
    (tokens[from - 1]?.low === ',' && isUnexplained(tokens, from - 2))
  )
    return []
  const date = daysLater(today, (weekdayOf(low) - weekdayOn(today) + 7) % 7)
  return [comingDay(from, from + 1, date)]
}

/** After a number that says which of several: “1st”, “2.”, “1er”. */
export const ORDINAL_MARKS: ReadonlySet<string> = new Set(['.', 'st', 'nd', 'rd', 'th', 'e', 'er', 'º'])

/** Tokens around a weekday in which the months may stand in which it recurs. */
const MAX_TO_MONTHS = 10
/**
 * True if months stand beside a weekday, which is that of each of their weeks: “le samedi, de mai à
 * septembre”.
 */
export const isBesideMonths = (tokens: readonly Token[], from: number, to: number): boolean => {
  const isMonth = (i: number): boolean =>
    MONTHS.has(tokens[i]?.low ?? '') &&
    areInLine(tokens, i, from) &&
    [i - 2, i - 1, i + 1].every(at => !/^\d\d?$/.test(tokens[at]?.text ?? ''))
  const isRange = (i: number): boolean =>
    isMonth(i) &&
    (UNTIL.has(tokens[i + 1]?.low ?? '') || AND.has(tokens[i + 1]?.low ?? '')) &&
    (isMonth(i + 2) || isMonth(i + 3))
  const endsSentence = (i: number): boolean =>
    tokens[i]?.low === '.' && tokens[i - 1]?.kind === 'word' && tokens[i + 1]?.isSpaced === true
  for (let i = from; i > from - MAX_TO_MONTHS && !endsSentence(i); i--) if (isRange(i)) return true
  for (let i = to; i < to + MAX_TO_MONTHS && !endsSentence(i); i++) if (isRange(i)) return true
  return false
}

/** True if a number may be a day of which the month is not known: “sábado 6, a las 11”. */
const isUnexplained = (tokens: readonly Token[], i: number): boolean => {
  const { kind, text = '' } = tokens[i] ?? {}
  const [after, next] = [tokens[i + 1], tokens[i + 2]]
  const isClock = after?.isSpaced === false && next?.isSpaced === false && next.kind === 'number'
  // “Friday 20 – Quiz night”, but “Fr 20 – 23 Uhr”
  if (after?.low === '-' && next?.kind === 'word') return kind === 'number' && Number(text) < 32
  return (
    kind === 'number' &&
    text.length < 3 &&
    Number(text) < 32 &&
    !isClock &&
    !['h', 'uhr', 'pm', 'am', 'p', 'a', 'hs', 'hrs', 'heures', 'horas', '-', 'o', 'bis', 'to'].includes(
      after?.isSpaced === true && after.low === 'a' ? '' : (after?.low ?? ''),
    )
  )
}

/** Between weekdays and their days: “Samstag und Sonntag, den 20. und 21. März” */
const BEFORE_LISTS = setOf(', . the den dem les los le el dias vom von du del from on am')

const BEFORE_DAYS = setOf('from on at in to by until von vom am ab um im')

/** True if a number follows the name of a street: “Am Markt 1”, “calle del Molino 4”. */
const isOfStreet = (tokens: readonly Token[], i: number): boolean => {
  for (
    let at = i - 1;
    at > i - 5 && tokens[at]?.kind === 'word' && !BEFORE_DAYS.has(tokens[at]?.low ?? '');
    at--
  )
    if (STREETS.has(tokens[at]?.low ?? '') || /(?:strasse|str|gasse|weg|allee)$/.test(tokens[at]?.low ?? ''))
      return true
  return false
}

/**
 * True if a word is a weekday in the plural: `fridays`, `samedis`, `freitags`. Spanish ones that end in s may
 * be either.
 */
export const isPlural = (low: string): boolean =>
  /(?:days|dis|tags|tage|tagen|bados|mingos|wochs)$/.test(low) && weekdayOf(low) > 0

/** Spanish weekdays that are the same in the plural. */
const ALSO_PLURAL = setOf('lunes martes miercoles jueves viernes')

/** The weekdays of a list in a line, and where it ends: “martes y jueves”, “les mardis et les jeudis”. */
export function weekdaysAt(
  tokens: readonly Token[],
  from: number,
  isWeekday: (at: number) => boolean,
): { weekdays: number[]; to: number } {
  const low = (at: number): string => tokens[at]?.low ?? ''
  const weekdays: number[] = []
  let to = from
  for (let next = from; isWeekday(next) && areInLine(tokens, next, from); ) {
    weekdays.push(weekdayOf(low(next)))
    to = next + 1
    if (!AND.has(low(to))) break
    next = ['los', 'les', 'el', 'the', 'on'].includes(low(to + 1)) ? to + 2 : to + 1
  }
  return { weekdays, to }
}

class Days {
  readonly #tokens: readonly Token[]
  readonly #context: DayContext
  /** The index up to which lists are known to lead to no month. */
  #failedTo = 0
  #months: readonly { from: number; month: number; year: number | undefined }[] | undefined

  constructor(tokens: readonly Token[], context: DayContext) {
    this.#tokens = tokens
    this.#context = context
  }

  all(): DayMention[] {
    const found: (WrittenDay | DayMention)[] = []
    for (let i = 0; i < this.#tokens.length && found.length < MAX_DAYS; ) {
      const dated =
        this.#everyAt(i) ??
        this.#nthAt(i) ??
        this.#listAt(i) ??
        this.#relativeAt(i) ??
        this.#withoutMonthAt(i)
      if (dated) found.push(...dated)
      i = dated?.at(-1)?.to ?? i + 1
    }
    return this.#joined(this.#resolved(found))
  }

  #low(i: number): string {
    return this.#tokens[i]?.low ?? ''
  }

  #number(i: number, least: number, most: number): number | undefined {
    const { kind, text } = this.#tokens[i] ?? { kind: 'sign', text: '' }
    if (kind !== 'number' || text.length > 4) return undefined
    const number = Number(text)
    return number >= least && number <= most ? number : undefined
  }

  /** True if a token stands right after the one before it. */
  #isAttached(i: number): boolean {
    return this.#tokens[i]?.isSpaced === false
  }

  /** Skips the weekday before a day, with its point or comma and an article. */
  #weekdayAt(i: number): { to: number; weekday: number } {
    const weekday = this.#tokens[i]?.kind === 'word' ? weekdayOf(this.#low(i)) : 0
    // “no club, Good Friday”, above “16 April”
    if (weekday === 0 || FEASTS.has(this.#low(i - 1))) return { to: i, weekday: 0 }
    let to = i + 1
    while (['.', ','].includes(this.#low(to))) to++
    while (['the', 'den', 'dem', 'der', 'le', 'el', 'on', 'am', 'dia'].includes(this.#low(to))) to++
    return { to, weekday }
  }

  /** Skips what may follow the number of a day: `17th`, `1er`, `5.` */
  #afterDay(i: number): number {
    let to = i
    if (this.#isAttached(to) && ['st', 'nd', 'rd', 'th', 'er', 'º'].includes(this.#low(to))) to++
    else if (this.#isAttached(to) && this.#low(to) === '.') to++
    return to
  }

  /** True if what follows a number makes it a time: `:30`, `Uhr`, but not the colon after a date. */
  #isClock(i: number): boolean {
    if (this.#low(i) === ':') return this.#isAttached(i + 1) && this.#tokens[i + 1]?.kind === 'number'
    return ['h', 'uhr', 'hrs', 'hs'].includes(this.#low(i))
  }

  /** True if what follows a number makes it an hour: `Uhr`, `pm`. */
  #isHour(i: number): boolean {
    return this.#isClock(i) || ['am', 'pm', 'heures', 'horas'].includes(this.#low(i))
  }

  #yearAt(i: number): { to: number; year: number | undefined } {
    let at = i
    if (['.', ',', 'de', 'del'].includes(this.#low(at))) at++
    if (['de', 'del'].includes(this.#low(at))) at++
    const year = this.#number(at, 1900, 2200)
    const isTime = this.#isClock(at + 1)
    return year === undefined || isTime ? { to: i, year: undefined } : { to: at + 1, year }
  }

  /** A day with its month. */
  #dateAt(i: number): WrittenDay | undefined {
    const { to: start, weekday } = this.#weekdayAt(i)
    const parts =
      this.#isoAt(start) ??
      this.#namedAt(start) ??
      this.#englishAt(start) ??
      this.#numericAt(start, weekday > 0) ??
      this.#romanAt(start, weekday > 0) ??
      // “Feb 23 | Mar 30”: no Tuesday in an English text
      (this.#context.isEnglish ? this.#englishAt(i) : undefined)
    if (!parts) return undefined
    // “di” is Dienstag and dimanche.
    const isEither = this.#low(i) === 'di' || monthNumber(this.#low(i)) > 0
    return { ...parts, from: i, weekday: isEither ? 0 : weekday }
  }

  /** `2027-02-26` */
  #isoAt(i: number) {
    const [year, month, day] = [
      this.#number(i, 1900, 2200),
      this.#number(i + 2, 1, 12),
      this.#number(i + 4, 1, 31),
    ]
    if (year === undefined || month === undefined || day === undefined) return undefined
    if (this.#low(i + 1) !== '-' || this.#low(i + 3) !== '-' || !this.#isAttached(i + 4)) return undefined
    return { to: i + 5, year, month, day }
  }

  /** `26. Februar 2027`, `26 de febrero`, `1er juillet`, `26th of February` */
  #namedAt(i: number) {
    const named = this.#dayInWords(i)
    const day = this.#number(i, 1, 31) ?? named?.day
    // `l6 Jun` is misspelt.
    if (
      day === undefined ||
      (this.#isAttached(i) && (this.#tokens[i - 1]?.kind === 'word' || this.#low(i - 1) === ':'))
    )
      return undefined
    let at = named ? named.to : this.#afterDay(i + 1)
    if (['of', 'de'].includes(this.#low(at))) at++
    const month = MONTHS.get(this.#low(at))
    if (month === undefined) return undefined
    // “It finished 3-2. May …”
    const isScore = this.#low(i - 1) === '-' && this.#isAttached(i) && this.#isAttached(i - 1)
    const hasWeekday = [1, 2, 3].some(back => weekdayOf(this.#low(i - back)) > 0)
    if (!areInLine(this.#tokens, at, i) && ((this.#low(at - 1) === '.' && !hasWeekday) || isScore))
      return undefined
    const isShort = this.#low(at).length < 4 || ['sept', 'janv', 'fevr', 'juil'].includes(this.#low(at))
    if (isShort && this.#low(at + 1) === '.' && this.#isAttached(at + 1)) at++
    return { day, month, ...this.#yearAt(at + 1) }
  }

  /** `diecinueve de mayo`, `den ersten Mai` */
  #dayInWords(i: number): { day: number; to: number } | undefined {
    const ordinal = ORDINALS.get(this.#low(i))
    // “ler”, as scans have it for “1er”
    if (this.#low(i) === 'ler') return { day: 1, to: i + 1 }
    const named = numberIn(this.#tokens, i)
    if (named && named.number < 32) return { day: named.number, to: named.to }
    return ordinal !== undefined && ordinal > 0 ? { day: ordinal, to: i + 1 } : undefined
  }

  /** `February 26th, 2027`, in English only: `März 20 Uhr` has no day. */
  #englishAt(i: number) {
    const at = this.#low(i + 1) === '.' ? i + 2 : i + 1
    const day = this.#number(at, 1, 31)
    if (day === undefined || this.#tokens[i]?.kind !== 'word') return undefined
    const month = monthNumber(this.#low(i))
    // “Februar–April”, above “07.02.”
    if ((this.#tokens[at]?.line ?? 0) - (this.#tokens[i]?.line ?? 0) > 1) return undefined
    if (month === 0 || this.#isClock(at + 1) || ['am', 'pm', '%'].includes(this.#low(at + 1)))
      return undefined
    return { day, month, ...this.#yearAt(this.#afterDay(at + 1)) }
  }

  /** `20.iii.27`, `jueves 28-I` */
  #romanAt(i: number, hasWeekday: boolean) {
    const day = this.#number(i, 1, 31)
    const month = ROMAN.indexOf(this.#low(i + 2)) + 1
    const isJoined = this.#low(i + 1) === '.' || (hasWeekday && ['-', '/'].includes(this.#low(i + 1)))
    if (day === undefined || month === 0 || !isJoined || !this.#isAttached(i + 2)) return undefined
    const digits =
      this.#low(i + 3) === '.' && this.#isAttached(i + 4) ? (this.#tokens[i + 4]?.text ?? '') : ''
    const year = /^(?:\d\d|\d{4})$/.test(digits)
      ? Number(digits.length === 2 ? `20${digits}` : digits)
      : undefined
    return { to: year === undefined ? i + 3 : i + 5, day, month, year }
  }

  /**
   * Where a weekday ends that stands beside `31-1` and is that of the coming one, as Spanish texts write it;
   * undefined where these may be hours: `martes 7-9`.
   */
  #afterWeekdayOf(i: number, { day, month }: { day: number; month: number }): number | undefined {
    if (month > 12 || day < month || this.#context.isEnglish || !this.#isAttached(i + 2)) return undefined
    const before = this.#low(i - 1) === ',' ? i - 2 : i - 1
    const at = [before, i + 3].find(one => weekdayOf(this.#low(one)) > 0 && !isPlural(this.#low(one)))
    const { today } = this.#context
    const year = Number(today.slice(0, 4))
    const coming = [year, year + 1].map(one => isoDate(one, month, day)).find(date => date >= today)
    const isOfWeekday =
      at !== undefined &&
      coming !== undefined &&
      isDay(coming) &&
      weekdayOn(coming) === weekdayOf(this.#low(at))
    const isOther = /^(?:pm|am|uhr|h|hs|hrs|de|[-/.:])$/.test(this.#low(i + 3)) || this.#isMonth(i + 3)
    return isOfWeekday && !isOther ? Math.max(at + 1, i + 3) : undefined
  }

  /** `26.2.`, `26.02.2027`, `26/2`, `2/26/27` */
  #numericAt(i: number, hasWeekday: boolean) {
    const [first, second] = [this.#number(i, 1, 31), this.#number(i + 2, 1, 31)]
    const mark = this.#low(i + 1)
    if (first === undefined || second === undefined || !['.', '/', '-'].includes(mark)) return undefined
    if (!this.#isAttached(i + 1) || (mark !== '.' && !this.#isAttached(i + 2))) return undefined
    if (!areInLine(this.#tokens, i + 2, i)) return undefined
    if (['/', '.', ',', '+', '€', '$', '£', ':'].includes(this.#low(i - 1)) && this.#isAttached(i))
      return undefined
    const toWeekday = mark === '-' ? this.#afterWeekdayOf(i, { day: first, month: second }) : undefined
    if (toWeekday !== undefined) return { to: toWeekday, day: first, month: second, year: undefined }
    // `28-03-2027`, but `12-14` is a span.
    if (
      mark === '-' &&
      !(this.#low(i + 3) === '-' && this.#tokens[i + 4]?.text.length === 4 && this.#isAttached(i + 3))
    )
      return undefined
    const isMarked = this.#low(i + 3) === mark && this.#isAttached(i + 3)
    const digits = isMarked ? (this.#tokens[i + 4]?.text ?? '') : ''
    const hasYear =
      this.#tokens[i + 4]?.kind === 'number' && [2, 4].includes(digits.length) && this.#isAttached(i + 4)
    const isTime = hasYear && this.#isClock(i + 5)
    const year = hasYear && !isTime ? Number(digits.length === 2 ? `20${digits}` : digits) : undefined
    // “Kursnr. 27-1-4051”
    if (year !== undefined && Math.abs(year - Number(this.#context.today.slice(0, 4))) > MAX_YEARS)
      return undefined
    const end = year === undefined ? i + 3 : i + 5
    // “5/6 March”
    if (year === undefined && mark === '/' && this.#isMonth(end)) return undefined
    if (['uhr', 'h', 'pm', 'am', 'hs', 'hrs', '€', '%', 'km'].includes(this.#low(end))) return undefined
    if (mark === '.') {
      // “16.11 : Loto”
      const isHead = startsLine(this.#tokens, i) && this.#low(end) === ':'
      if (second > 12 || (!isMarked && !hasWeekday && !isHead)) return undefined
      return { to: isMarked && year === undefined ? end + 1 : end, day: first, month: second, year }
    }
    // ½ is no day, and neither is a part of a telephone number.
    const isAlone =
      startsLine(this.#tokens, i) ||
      ['le', 'el', 'am', 'del', 'du', ':'].includes(this.#low(i - 1)) ||
      (AND.has(this.#low(i + 3)) && this.#number(i + 4, 1, 31) !== undefined && this.#low(i + 5) === '/')
    const isSure =
      hasWeekday ||
      year !== undefined ||
      first > 12 ||
      second > 12 ||
      (isAlone && !this.#context.monthFirst && second <= 12)
    if (
      !isSure ||
      this.#low(end) === '/' ||
      (this.#low(end) === '-' && this.#isAttached(end) && this.#isAttached(end + 1)) ||
      (this.#tokens[end]?.kind === 'number' && this.#isAttached(end))
    )
      return undefined
    if (second > 12 && !this.#context.monthFirst && year === undefined) return undefined
    const monthFirst = second > 12 || (first <= 12 && this.#context.monthFirst)
    const [month, day] = monthFirst ? [first, second] : [second, first]
    return month > 12 ? undefined : { to: end, day, month, year }
  }

  /**
   * A day with its month, or several of which the last one has it: `3, 10 et 24 mars`, `del 12 (18 h) al 14
   * de marzo`.
   */
  #listAt(i: number): WrittenDay[] | undefined {
    return this.#severalAt(i) ?? (i < this.#failedTo ? undefined : this.#readList(i))
  }

  /** Several weekdays before as many days: `Sa/So 20./21. März`, `Friday to Sunday, 5 to 7 March`. */
  #severalAt(i: number): WrittenDay[] | undefined {
    const weekdays: number[] = []
    let at = i
    while (weekdays.length < 7 && this.#isWeekday(at)) {
      weekdays.push(weekdayOf(this.#low(at)))
      at += this.#low(at + 1) === '.' ? 2 : 1
      const joins = AND.has(this.#low(at)) || UNTIL.has(this.#low(at))
      if (joins && this.#isWeekday(at + 1)) at++
    }
    if (weekdays.length < 2) return undefined
    while (BEFORE_LISTS.has(this.#low(at))) at++
    const failedTo = this.#failedTo
    const days = this.#readList(at)
    // What is no list of as many days is read again, alone.
    this.#failedTo = failedTo
    if (days?.length !== weekdays.length) return undefined
    // “lunes y miércoles, del 1 al 24 de febrero” is a course.
    const isSame = (weekday: number, n: number): boolean =>
      (days[n]?.day ?? 0) - (days[0]?.day ?? 0) === (weekday - (weekdays[0] ?? 0) + 7) % 7
    if (!weekdays.every(isSame) || days.some(({ weekday }) => weekday > 0)) return undefined
    return days.map((day, n) => ({ ...day, from: n === 0 ? i : day.from, weekday: weekdays[n] ?? 0 }))
  }

  #readList(i: number): WrittenDay[] | undefined {
    const items: WrittenDay[] = []
    let at = i
    while (items.length < MAX_LISTED) {
      const dated = this.#dateAt(at)
      const listed = dated && items.length === 0 ? this.#afterMonth(dated) : undefined
      if (listed) return listed
      if (dated) {
        const { month, year } = dated
        // “noon to 6, Saturday, May 1”, “Halle 4, So. 7. März”
        const isOfOther = items.length === 1 && items[0]?.weekday === 0 && dated.weekday > 0
        if ((items.at(-1)?.day ?? 0) >= dated.day || (isOfOther && this.#low(at - 1) === ','))
          return undefined
        return [...items.map(item => ({ ...item, month, year })), dated]
      }
      const { to, weekday } = this.#weekdayAt(at)
      const day = this.#number(to, 1, 31)
      // The minutes of 20h30 are no day.
      if (
        day === undefined ||
        (this.#isAttached(to) &&
          ['h', ':', '.', '/'].includes(this.#low(to - 1)) &&
          this.#low(to - 2) !== '.')
      )
        return undefined
      // “Am Markt 1, 12. Mai”, “20 Uhr 15 / 13. Mai”
      const isOfOther = isOfStreet(this.#tokens, to) || ['uhr', 'heures', 'h'].includes(this.#low(to - 1))
      if (items.length === 0 && weekday === 0 && isOfOther && !startsLine(this.#tokens, to)) return undefined
      const end = this.#afterDay(to + 1)
      items.push({ from: at, to: end, weekday, day, month: undefined, year: undefined })
      const next = this.#overBrackets(end)
      // “für Kinder ab 6 (mit Eltern), Samstag, 20. Februar”
      if (next > end && weekday === 0 && end === to + 1) return undefined
      // “5 · 6 · 7 février”, at the beginning of a line
      const isDotted = this.#low(next) === '·' && startsLine(this.#tokens, i)
      const joins = AND.has(this.#low(next)) || UNTIL.has(this.#low(next)) || isDotted
      // A list that leads to no month leads to none from its second number on either.
      this.#failedTo = Math.max(this.#failedTo, at + 1)
      if (!joins || !areInLine(this.#tokens, next, i)) return undefined
      at = next + 1
      while (['the', 'den', 'dem', 'le', 'el', 'am'].includes(this.#low(at))) at++
    }
    return undefined
  }

  /**
   * `every Wednesday in February`, `Tuesdays in March (2, 9 & 23)`, `los viernes de julio`: those that are
   * still to come.
   */
  #everyAt(i: number): DayMention[] | undefined {
    const isEvery = EVERY.has(this.#low(i))
    let at = isEvery ? i + 1 : i
    const hasArticle = ['los', 'les'].includes(this.#low(at))
    if (hasArticle) at++
    const { weekdays, to: after } = weekdaysAt(this.#tokens, at, index => this.#isWeekday(index))
    if (weekdays.length === 0 || ORDINALS.has(this.#low(i - 1))) return undefined
    at = after - 1
    const last = this.#low(at)
    const isSeveral = isPlural(last) || (weekdays.length > 1 && ALSO_PLURAL.has(last))
    if (!isEvery && !hasArticle && !isSeveral) return undefined
    if (!['in', 'im', 'of', 'en', 'de', 'du'].includes(this.#low(at + 1))) return undefined
    const month = MONTHS.get(this.#low(at + 2))
    // “Sundays in July and August”
    const isOfMore = (AND.has(this.#low(at + 3)) || UNTIL.has(this.#low(at + 3))) && this.#isMonth(at + 4)
    if (month === undefined || isOfMore) return undefined
    const all = weekdays.map(weekday => this.#ofMonth(weekday, month, at + 3))
    const dates = all.flatMap(one => one.dates).sort()
    const to = all[0]?.to ?? at + 3
    const end = this.#overBrackets(to)
    const named = this.#tokens
      .slice(to, end)
      .flatMap(({ kind, text }) => (kind === 'number' ? [Number(text)] : []))
    const isNamed =
      named.length > 1 && dates.filter(date => named.includes(Number(date.slice(8)))).length === named.length
    return dates
      .filter(date => date >= this.#context.today && (!isNamed || named.includes(Number(date.slice(8)))))
      .map((date, n) => ({ ...comingDay(i, isNamed ? end : to, date), isListed: n > 0 }))
  }

  #isWeekday(i: number): boolean {
    return this.#tokens[i]?.kind === 'word' && weekdayOf(this.#low(i)) > 0
  }

  /** The dates of a weekday in a month, of the year that may stand at an index. */
  #ofMonth(weekday: number, month: number, at: number): { to: number; dates: string[] } {
    const { today } = this.#context
    const own = Number(today.slice(0, 4))
    const { to, year = month < Number(today.slice(5, 7)) ? own + 1 : own } = this.#yearAt(at)
    const days = Array.from({ length: 31 }, (_, day) => isoDate(year, month, day + 1))
    return { to, dates: days.filter(date => isDay(date) && weekdayOn(date) === weekday) }
  }

  /** `the last Saturday of January`, `le dernier samedi de janvier` */
  #nthAt(i: number): DayMention[] | undefined {
    const nth = ORDINALS.get(this.#low(i))
    const weekday = nth === undefined ? 0 : weekdayOf(this.#low(i + 1))
    if (
      nth === undefined ||
      weekday === 0 ||
      !['in', 'im', 'of', 'en', 'de', 'du'].includes(this.#low(i + 2))
    )
      return undefined
    const month = MONTHS.get(this.#low(i + 3))
    // “every first Monday in March”, “first and third Monday”
    if (
      month === undefined ||
      [1, 2].some(back => EVERY.has(this.#low(i - back)) || AND.has(this.#low(i - back)))
    )
      return undefined
    const { to, dates } = this.#ofMonth(weekday, month, i + 4)
    const date = nth < 0 ? dates.at(-1) : dates[nth - 1]
    if (date === undefined) return undefined
    // “…, le 30”
    const given = this.#number(this.#overSmall(to), 1, 31)
    const end = given === Number(date.slice(8)) ? this.#afterDay(this.#overSmall(to) + 1) : to
    return [{ ...comingDay(i, end, date), isPast: date < this.#context.today }]
  }

  /** Days after a month and its first day: `Feb 12-14`, `March 13 & 14`. */
  #afterMonth(dated: WrittenDay): WrittenDay[] | undefined {
    const isMonthFirst =
      dated.year === undefined && monthNumber(this.#low(this.#weekdayAt(dated.from).to)) > 0
    const listed = [dated]
    let at = dated.to
    while (
      isMonthFirst &&
      listed.length < MAX_LISTED &&
      (UNTIL.has(this.#low(at)) || ['&', 'and', ','].includes(this.#low(at)))
    ) {
      const day = this.#number(at + 1, 1, 31)
      const before = listed.at(-1)?.day ?? 0
      const end = this.#afterDay(at + 2)
      const isOther =
        [':', 'h', 'am', 'pm', 'a', 'p', 'uhr', '-', '/', '€', '$', 'noon', 'of'].includes(this.#low(end)) ||
        this.#isMonth(end) ||
        // “May 1, 8 to 5”
        (this.#low(at) === ',' && UNTIL.has(this.#low(end))) ||
        (this.#tokens[end]?.kind === 'number' && this.#isAttached(end))
      if (day === undefined || day <= before || isOther || !areInLine(this.#tokens, at + 1, dated.from)) break
      listed.push({ ...dated, from: at + 1, to: end, weekday: 0, day })
      at = end
    }
    if (listed.length === 1) return undefined
    const { year, to } = this.#yearAt(at)
    const last = listed.at(-1)
    return year === undefined || !last
      ? listed
      : listed.map(one => ({ ...one, year, to: one === last ? to : one.to }))
  }

  #isMonth(i: number): boolean {
    return this.#tokens[i]?.kind === 'word' && MONTHS.has(this.#low(i))
  }

  #overBrackets(i: number): number {
    if (this.#low(i) !== '(') return i
    for (let at = i + 1; at < i + 16; at++) if (this.#low(at) === ')') return at + 1
    return i
  }

  /** `sábado 20`, `Jeudi 1er`: the month is that of a day nearby. */
  #withoutMonthAt(i: number): WrittenDay[] | undefined {
    const { to: end, weekday } = this.#weekdayAt(i)
    if (weekday === 0) return this.#beforeWeekday(i)
    let to = end
    // “samedi prochain, le 23”, “next Friday (22nd)”, “Friday night (22nd)”
    const isQualified = [NIGHTS, NEXT].some(words => words.has(this.#low(end)))
    if (isQualified) to = this.#overSmall(end + 1)
    // “el domingo que viene, día 24”
    else if (this.#low(end) === 'que' && this.#low(end + 1) === 'viene') to = this.#overSmall(end + 2)
    // “am Samstag (10. April)” has its month.
    else if (this.#low(end) === '(') to = this.#dateAt(end + 1) ? i : end + 1
    const day = this.#number(to, 1, 31)
    if (day === undefined || !areInLine(this.#tokens, to, i)) return undefined
    // “Fr. 30.–”: francs
    if (
      this.#low(i) === 'fr' &&
      this.#low(to + 1) === '.' &&
      this.#low(to + 2) === '-' &&
      this.#isAttached(to + 2)
    )
      return undefined
    const after = this.#low(to + 1)
    // “Sonntag 11 bis 17 Uhr”, but “vendredi 5 à 20h”
    const isTo =
      ['bis', 'to', 'till'].includes(after) &&
      this.#number(to + 2, 0, 24) !== undefined &&
      this.#isHour(to + 3)
    if (
      this.#isClock(to + 1) ||
      isTo ||
      (['-', 'am', 'pm', '€', '.'].includes(after) && !this.#isDayPoint(to + 1) && !this.#isLabel(i, to))
    )
      return undefined
    return [{ from: i, to: this.#afterDay(to + 1), weekday, day, month: undefined, year: undefined }]
  }

  #overSmall(i: number): number {
    let at = i
    while (at < i + 3 && [',', '(', 'le', 'el', 'the', 'den', 'dia'].includes(this.#low(at))) at++
    return at
  }

  /**
   * True if a weekday and a number begin a line, and a dash follows: “MARTES 26 - 19:00 h”, but not “Montag
   * 15 – 18 Uhr”.
   */
  #isLabel(from: number, number: number): boolean {
    const [dash, next] = [this.#tokens[number + 1], this.#tokens[number + 2]]
    const isFirst = startsLine(this.#tokens, from)
    if (!isFirst || dash?.low !== '-' || !dash.isSpaced || !next?.isSpaced || next.line !== dash.line)
      return false
    const isTime = this.#low(number + 3) === ':' && this.#isClock(number + 3)
    // “JUE 4 - 21H”, below “MÚSICA / FEBRERO”
    const minutes = [':', '.'].includes(this.#low(number + 3)) ? number + 5 : number + 3
    const after = this.#tokens[minutes + 1]
    // “Montag 15 – 18 Uhr”, above “Mittwoch 9 – 12 und 15 – 19 Uhr”, are hours.
    const isOfHours = AND.has(after?.low ?? '') || weekdayOf(after?.low ?? '') > 0
    const isBelowMonth =
      this.#isHour(minutes) && !isOfHours && this.#headings().some(heading => heading.from < from)
    return next.kind === 'word' || (this.#low(from).length > 3 && isTime) || isBelowMonth
  }

  /** `el próximo día 25, lunes`, `the 25th, a Monday` */
  #beforeWeekday(i: number): WrittenDay[] | undefined {
    if (!['dia', 'le', 'el', 'the', 'den'].includes(this.#low(i))) return undefined
    const day = this.#number(i + 1, 1, 31)
    const end = this.#afterDay(i + 2)
    const at = [',', '('].includes(this.#low(end)) ? end + 1 : end
    const weekday = weekdayOf(this.#low(at))
    const isOther = this.#tokens[at + 1]?.kind === 'number' || this.#low(at).length < 3
    if (day === undefined || weekday === 0 || isOther || at === end) return undefined
    return [{ from: i, to: at + 1, weekday, day, month: undefined, year: undefined }]
  }

  /** A point after a number that is not the one between hours and minutes. */
  #isDayPoint(i: number): boolean {
    return this.#low(i) === '.' && !(this.#tokens[i + 1]?.kind === 'number' && this.#isAttached(i + 1))
  }

  /** `tomorrow`, `am kommenden Samstag`, `mardi prochain`, `this Saturday` */
  #relativeAt(i: number): DayMention[] | undefined {
    const token = this.#tokens[i]
    if (token?.kind !== 'word') return undefined
    const { today } = this.#context
    const mention = (date: string, to: number): DayMention[] => [comingDay(i, to, date)]
    const before = this.#low(i - 1)
    const week = this.#inAWeekAt(i)
    if (week) return week
    const next = DAY_AFTER_NEXT.get(token.low)
    if (next?.every((word, n) => this.#low(i + 1 + n) === word))
      return mention(daysLater(today, 2), i + 1 + next.length)
    if (THIS_WORDS.has(token.low) && PARTS_OF_DAY.has(this.#low(i + 1))) return mention(today, i + 2)
    const fromToday = RELATIVE_DAYS.get(token.low)
    // “Demain” in quotation marks is a film, and “le collectif Demain” a name.
    const isFirst = startsLine(this.#tokens, i)
    const isName = /^[A-Z][a-z]/.test(token.text) && this.#tokens[i - 1]?.kind === 'word' && !isFirst
    if (fromToday !== undefined && !isName && !OPENING_QUOTES.includes(before))
      return mention(daysLater(today, fromToday), i + 1)
    // “mañana viernes” and “morgen Abend”: with an article both are the morning, and so is a capital one
    // within a sentence.
    const after = this.#low(i + 1)
    const isMorning = token.low === 'manana' || token.low === 'morgen'
    // “Mañana, de 9:30 a 14:00 · tarde, de 17:00 a 20:30”
    const isOfHalves =
      token.low === 'manana' &&
      this.#tokens
        .slice(i, i + MAX_TO_AFTERNOON)
        .some(({ low, line }, n, near) => low === 'tarde' && line === token.line && near[n - 1]?.low !== 'la')
    const isOfDay = MORNINGS_AFTER.has(before) || weekdayOf(before) > 0 || isOfHalves
    const isTimed =
      ['um', 'ab', 'gegen', 'a', ',', 'vormittag', 'nachmittag'].includes(after) ||
      this.#tokens[i + 1]?.kind === 'number'
    // “Morgen Spieleabend!”
    const isTomorrow = token.low === 'manana' || token.text === 'morgen' || (isFirst && isKind(after))
    const at = after === ',' ? i + 2 : i + 1
    const isOther = EVENINGS.has(after) || weekdayOf(this.#low(at)) === weekdayOn(daysLater(today, 1))
    if (isMorning && !isOfDay && (isTimed || isTomorrow || isOther))
      return mention(daysLater(today, 1), isOther ? at + 1 : i + 1)
    if (NEXT.has(token.low) || COMING.has(token.low)) {
      const later = this.#inAWeekAt(i + 1)
      if (later) return later
      const weekday = weekdayOf(this.#low(i + 1))
      // “el próximo lunes, día 25 de enero”
      const isShort = SHORT_WEEKDAYS.has(this.#low(i + 1)) && !this.#isThisSat(i)
      if (weekday === 0 || isShort || this.#dateAt(i + 1)) return undefined
      // “am Samstag (10. April)”
      if (this.#low(i + 2) === '(' && this.#dateAt(i + 3)) return undefined
      // “this Friday, 22nd”, on a sheet of the week before
      if (this.#low(i + 2) === ',' && this.#number(i + 3, 1, 31) && this.#afterDay(i + 4) > i + 4)
        return undefined
      const date = this.#coming(weekday, token.low)
      return date === undefined ? undefined : mention(date, i + 2)
    }
    const weekday = weekdayOf(token.low)
    if (weekday === 0 || SHORT_WEEKDAYS.has(token.low) || !NEXT.has(this.#low(i + 1))) return undefined
    const date = this.#coming(weekday, this.#low(i + 1))
    return date === undefined ? undefined : mention(date, i + 2)
  }

  /** `this Sat`, but not “this sun” */
  #isThisSat(i: number): boolean {
    return (
      this.#low(i) === 'this' && /^(?:Mon|Wed|Sat|Sun|mon|wed|sat)$/.test(this.#tokens[i + 1]?.text ?? '')
    )
  }

  /**
   * `heute in einer Woche`, `Friday week`, `a week on Friday`, `vendredi en huit (le 22)`, `el viernes de la
   * semana que viene`
   */
  #inAWeekAt(i: number): DayMention[] | undefined {
    const { today } = this.#context
    const starts = (at: number, phrase: string): boolean =>
      phrase.split(' ').every((word, n) => this.#low(at + n) === word)
    const earlier = PHRASES_BEFORE_DAY.find(([phrase]) => starts(i, phrase))
    if (earlier) {
      const isNamed = earlier[0].endsWith(' on')
      const ahead = isNamed ? this.#daysTo(i + 2) : earlier[0].endsWith('today') ? 0 : 1
      return ahead === undefined
        ? undefined
        : [comingDay(i, i + (isNamed ? 3 : 2), daysLater(today, ahead + earlier[1]))]
    }
    const ahead = this.#daysTo(i)
    if (ahead === undefined) return undefined
    // `d'aujourd'hui en huit`
    const at = this.#low(i) === 'aujourd' ? i + 3 : i + 1
    const later = PHRASES_AFTER_DAY.find(([phrase]) => starts(at, phrase))
    const nextWeek = NEXT_WEEK.find(phrase => starts(at, phrase))
    const phrase = later?.[0] ?? nextWeek
    if (phrase === undefined) return undefined
    const end = at + phrase.split(' ').length
    const days = later ? ahead + later[1] : 7 + weekdayOf(this.#low(i)) - weekdayOn(today)
    // Said on a Thursday, “Thursday week” may be either, unless its day is given: “(28th)”.
    const isEither = later !== undefined && ahead === 0 && !RELATIVE_DAYS.has(this.#low(i))
    const dates = [days, ...(isEither ? [days + 7] : [])].map(ahead => daysLater(today, ahead))
    const given =
      this.#low(end) === '(' ? [1, 2].map(n => this.#number(end + n, 1, 31)).find(Boolean) : undefined
    // “this Friday week, 29th January”: its date follows.
    if (this.#dateAt(this.#low(end) === ',' ? end + 1 : end)) return []
    const date = dates.find(date => (given === undefined ? !isEither : Number(date.slice(8)) === given))
    return date === undefined ? undefined : [comingDay(i, this.#overBrackets(end), date)]
  }

  /** The days from today to the one that a word names. */
  #daysTo(i: number): number | undefined {
    const low = this.#low(i)
    const weekday = low.length < 4 ? 0 : weekdayOf(low)
    return weekday > 0 ? (weekday - weekdayOn(this.#context.today) + 7) % 7 : RELATIVE_DAYS.get(low)
  }

  /** The coming weekday. “Next Saturday”, said on a Thursday, may be either: undefined. */
  #coming(weekday: number, word: string): string | undefined {
    const { today } = this.#context
    const isNext = NEXT.has(word)
    const ahead = (weekday - weekdayOn(today) + 7) % 7
    // On the day before, people say “mañana”.
    const isSure = COMING_IN_SPANISH.has(word) && ahead > 1
    const isEither = isNext && !isSure && ahead > 0 && weekday > weekdayOn(today)
    return isEither ? undefined : daysLater(today, ahead === 0 && isNext ? 7 : ahead)
  }

  /** Months without a day: “Termine im Februar”, above “Di 2. 18.30 Messe”. */
  #monthsAlone(): { from: number; month: number; year: number | undefined }[] {
    return this.#tokens.flatMap(({ kind, low, text }, from) => {
      const month = kind === 'word' && low.length > 2 ? MONTHS.get(low) : undefined
      const isCapital = text[0] !== text[0]?.toLowerCase()
      const isDay = [from - 2, from - 1, from + 1].some(i => this.#number(i, 1, 31) !== undefined)
      if (month === undefined || isDay || (low === 'may' && !isCapital) || weekdayOf(low) > 0) return []
      return [{ from, month, year: this.#yearAt(from + 1).year }]
    })
  }

  /** The months alone, which are looked for once. */
  #headings(): readonly { from: number; month: number; year: number | undefined }[] {
    this.#months ??= this.#monthsAlone()
    return this.#months
  }

  #resolved(found: readonly (WrittenDay | DayMention)[]): DayMention[] {
    const alone = found.some(one => 'month' in one && one.month === undefined) ? this.#headings() : []
    let month: number | undefined
    let year: number | undefined
    return found.flatMap(one => {
      if ('date' in one) return [one]
      const heading =
        one.month === undefined && month === undefined
          ? alone.findLast(({ from }) => from < one.from)
          : undefined
      const headed = heading && this.#resolve({ ...one, ...heading, from: one.from })
      if (headed && !headed.isContradicted) return [headed]
      if (one.month === undefined && month === undefined) return this.#soon(one) ?? []
      const own = one.month !== undefined
      const mention = this.#resolve({
        ...one,
        month: one.month ?? month,
        year: one.year ?? (own ? undefined : year),
      })
      if (own) ({ month, year } = one)
      // A day without a month counts only if its weekday is right.
      return mention && (own || !mention.isContradicted) ? [mention] : []
    })
  }

  /**
   * `Thursday the 28th`: in this month or one of the next two, if the weekday is right in one of them alone.
   */
  #soon(one: WrittenDay): DayMention | undefined {
    const { today } = this.#context
    const [first = 0, second = 0] = today.split('-').map(Number)
    const dates = [0, 1, 2]
      .map(ahead =>
        isoDate(first + Math.floor((second - 1 + ahead) / 12), ((second - 1 + ahead) % 12) + 1, one.day),
      )
      .filter(date => isDay(date) && date >= today && weekdayOn(date) === one.weekday)
    const [date, ...others] = dates
    if (date === undefined || others.length > 0) return undefined
    return comingDay(one.from, one.to, date)
  }

  #resolve({ from, to, weekday, day, month, year }: WrittenDay): DayMention | undefined {
    if (month === undefined) return undefined
    const { today } = this.#context
    const fits = (date: string) => isDay(date) && (weekday === 0 || weekdayOn(date) === weekday)
    const mention = (date: string, isPast: boolean, isContradicted: boolean): DayMention => ({
      ...comingDay(from, to, date),
      isPast,
      isContradicted,
    })
    if (year !== undefined) {
      const date = isoDate(year, month, day)
      return isDay(date) ? mention(date, date < today, !fits(date)) : undefined
    }
    const own = Number(today.slice(0, 4))
    const dates = [own - 1, own, own + 1, own + 2, own + 3, own + 4]
      .map(one => isoDate(one, month, day))
      .filter(isDay)
    const next = dates.find(date => date >= today)
    const last = dates.findLast(date => date < today)
    if (next === undefined) return undefined
    const isFar = next > daysLater(today, MAX_DAYS_AHEAD)
    if (fits(next) && !(isFar && weekday === 0)) return mention(next, false, false)
    if (last !== undefined && fits(last)) return mention(last, true, false)
    return mention(next, isFar, !fits(next))
  }

  /** Marks lists, and makes one mention of the first and last day of a stretch. */
  #joined(mentions: readonly DayMention[]): DayMention[] {
    const joined: DayMention[] = []
    for (const mention of mentions) {
      const before = joined.at(-1)
      const link = before && this.#linkBetween(before, mention)
      const isSame = before?.from === mention.from
      // “les 5-6-7 mars”
      if (
        before &&
        link === 'until' &&
        before.last !== undefined &&
        mention.date === daysLater(before.last, 1)
      )
        joined.splice(-1, 1, { ...before, to: mention.to, last: mention.date })
      else if (
        before &&
        !isSame &&
        link === 'until' &&
        before.last === undefined &&
        before.date < mention.date
      ) {
        joined.splice(-1, 1, {
          ...before,
          to: mention.to,
          last: mention.date,
          gap: [before.to, mention.from],
          isPast: mention.isPast,
          isContradicted: before.isContradicted || mention.isContradicted,
        })
      } else joined.push({ ...mention, isListed: mention.isListed || link === 'and' })
    }
    return joined
  }

  #linkBetween(before: DayMention, after: DayMention): 'until' | 'and' | undefined {
    let link: 'until' | 'and' | undefined
    const end = this.#overBrackets(before.to)
    if (after.from - end > MAX_BETWEEN) return undefined
    let words = 0
    for (let i = end; i < after.from; i++) {
      const { low = '', kind, line } = this.#tokens[i] ?? {}
      // “vendredi 19 mars 18h au dimanche 21 mars”
      const isClock = (kind === 'number' && line === this.#tokens[end]?.line) || CLOCK.has(low)
      if (!isClock) words++
      if (low === '>' || low === '→') continue
      if ((UNTIL.has(low) || BEFORE_LAST_DAY.has(low)) && line === this.#tokens[before.to - 1]?.line)
        link = 'until'
      else if (AND.has(low)) link ??= 'and'
      else if (!SMALL.has(low) && !['•', '·', '-'].includes(low) && !isClock) return undefined
    }
    // A time stands before the “to” of a stretch: “5 mars à 20h30, 7 mars à 15h” is none.
    const isTimed = words < after.from - end
    // “mer 20 : 20h30 – sam 23 : 18h”
    if (isTimed && this.#low(end) === ':' && this.#low(after.to) === ':') return undefined
    // “- martes 9, a las 9:30 h”, above “- jueves 11”
    const startsItem = this.#low(after.from - 1) === '-' && startsLine(this.#tokens, after.from - 1)
    const isStretch =
      !startsItem &&
      [1, 2].some(back => [UNTIL, BEFORE_LAST_DAY].some(words => words.has(this.#low(after.from - back))))
    if (words > 4 || (isTimed && (link !== 'until' || !isStretch))) return undefined
    return link ?? (['•', '·', '-'].includes(this.#low(end)) || end === after.from ? 'and' : undefined)
  }
}
