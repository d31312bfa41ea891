import { monthNumber } from '../../../kit/lib/date-words.ts'
import { areInLine, foldedAt, skip, startsLine, type Token } from '../words/tokens.ts'
import { AND, anyOf, setOf, UNTIL, WORDS, weekdayOf } from '../words/words.ts'
import type { DateReader, WrittenDay } from './dates.ts'

// Several days of which one has the month: `3, 10 et 24 mars`, `Sa/So 20./21. März`, `Feb 12-14`.

/** The most days of a list that share a month. */
const MAX_LISTED = 31

/** Words and signs between weekdays and their days: “Samstag und Sonntag, den 20. und 21. März” */
const BEFORE_LISTS = anyOf(WORDS.beforeListsOfDays, setOf(', .'))

/** Words before a number that is no day: “20 Uhr 15”, “número 14” */
const NOT_BEFORE_DAYS = anyOf(WORDS.beforeNumberOfNoDay, setOf('h'))

/** Reads dates and lists of them, each at the number of its first token. */
export class DayListReader {
  readonly #dates: DateReader
  /** Lists that begin before this index are known to lead to no month. */
  #failedTo = 0

  constructor(dates: DateReader) {
    this.#dates = dates
  }

  /**
   * A day with its month, or several of which the last one has it: `3, 10 et 24 mars`, `del 12 (18 h) al 14
   * de marzo`.
   */
  daysAt(i: number): WrittenDay[] | undefined {
    return this.#severalAt(i) ?? (i < this.#failedTo ? undefined : this.#readList(i))
  }

  /** Several weekdays before as many days: `Sa/So 20./21. März`, `Friday to Sunday, 5 to 7 March`. */
  #severalAt(i: number): WrittenDay[] | undefined {
    const weekdays: number[] = []
    let at = i
    while (weekdays.length < 7 && this.#dates.isWeekday(at)) {
      weekdays.push(weekdayOf(this.#dates.foldedAt(at)))
      at += this.#dates.foldedAt(at + 1) === '.' ? 2 : 1
      const joins = AND.has(this.#dates.foldedAt(at)) || UNTIL.has(this.#dates.foldedAt(at))
      if (joins && this.#dates.isWeekday(at + 1)) at++
    }
    if (weekdays.length < 2) return undefined
    const failedTo = this.#failedTo
    const days = this.#readList(skip(at, i => BEFORE_LISTS.has(this.#dates.foldedAt(i))))
    // Unless this is a list of as many days as weekdays, its parts are read again, alone.
    this.#failedTo = failedTo
    if (days?.length !== weekdays.length) return undefined
    // “lunes y miércoles, del 1 al 24 de febrero” is a course.
    const isThatWeekday = (weekday: number, n: number): boolean =>
      (days[n]?.day ?? 0) - (days[0]?.day ?? 0) === (weekday - (weekdays[0] ?? 0) + 7) % 7
    if (days.some(({ weekday }) => weekday > 0)) return undefined
    // “Thursdays to Sundays, June 10–20”: the weekdays are not those of the first day and the last.
    if (!weekdays.every(isThatWeekday))
      return (days.at(-1)?.day ?? 0) - (days[0]?.day ?? 0) > 6 ? days : undefined
    return days.map((day, n) => ({ ...day, from: n === 0 ? i : day.from, weekday: weekdays[n] ?? 0 }))
  }

  #readList(i: number): WrittenDay[] | undefined {
    const items: WrittenDay[] = []
    let [at, isContrast] = [i, false]
    while (items.length < MAX_LISTED) {
      const dated = this.#dates.dateAt(at)
      const listed = dated && items.length === 0 ? afterMonth(this.#dates, dated) : undefined
      if (listed) return listed
      if (dated) {
        const { month, year } = dated
        // “noon to 6, Saturday, May 1”, “Halle 4, So. 7. März”
        const isOfOther = items.length > 0 && items.every(({ weekday }) => weekday === 0) && dated.weekday > 0
        const isBefore = !isContrast && (items.at(-1)?.day ?? 0) >= dated.day
        if (isBefore || (isOfOther && this.#dates.foldedAt(at - 1) === ',')) return undefined
        return [...items.map(item => ({ ...item, month, year })), dated]
      }
      const { to, weekday } = this.#dates.weekdayAt(at)
      const day = this.#dates.number(to, 1, 31)
      // The minutes of 20h30 are no day.
      if (
        day === undefined ||
        (this.#dates.isAttached(to) &&
          ['h', ':', '.', '/'].includes(this.#dates.foldedAt(to - 1)) &&
          this.#dates.foldedAt(to - 2) !== '.')
      )
        return undefined
      // “J14 – sábado 16/01”, the day of a league
      const isCode = this.#dates.isAttached(to) && this.#dates.tokens[to - 1]?.kind === 'word'
      if (items.length === 0 && isCode) return undefined
      // “Am Markt 1, 12. Mai”, “20 Uhr 15 / 13. Mai”
      const isOfOther =
        isOfStreet(this.#dates.tokens, to) || NOT_BEFORE_DAYS.has(this.#dates.foldedAt(to - 1))
      if (items.length === 0 && weekday === 0 && isOfOther && !startsLine(this.#dates.tokens, to))
        return undefined
      // “brunch 11-2, Sunday 7 March”, “de 22 a 2”
      if (day <= (items.at(-1)?.day ?? 0)) return undefined
      const end = this.#dates.afterDay(to + 1)
      items.push({ from: at, to: end, weekday, day, month: undefined, year: undefined })
      const next = this.#dates.skipBrackets(end)
      // “für Kinder ab 6 (mit Eltern), Samstag, 20. Februar”
      if (next > end && weekday === 0 && end === to + 1) return undefined
      // “5 · 6 · 7 février”, at the beginning of a line
      const isDotted = this.#dates.foldedAt(next) === '·' && startsLine(this.#dates.tokens, i)
      const joins = AND.has(this.#dates.foldedAt(next)) || UNTIL.has(this.#dates.foldedAt(next)) || isDotted
      // “ages 3+”, above “Sunday 7 March”
      const isAge =
        this.#dates.foldedAt(next) === '+' &&
        this.#dates.isAttached(next) &&
        !this.#dates.isAttached(next + 1)
      // A list that leads to no month leads to none from its second number on either.
      this.#failedTo = Math.max(this.#failedTo, at + 1)
      if (!joins || isAge || !areInLine(this.#dates.tokens, next, i)) return undefined
      // “Sesión 1 → 19 enero”, “Fecha 1 – sáb 6/3”
      const isCounted =
        items.length === 1 &&
        WORDS.countedMeetings.has(this.#dates.foldedAt(i - 1)) &&
        areInLine(this.#dates.tokens, i - 1, i)
      if (isCounted && ['→', '-'].includes(this.#dates.foldedAt(next))) return undefined
      at = next + 1
      // “am 22., nicht am 23. Januar”: both are of the same month
      isContrast =
        WORDS.negations.has(this.#dates.foldedAt(at)) &&
        (end > to + 1 || WORDS.beforeDate.has(this.#dates.foldedAt(i - 1)))
      if (isContrast) at++
      at = skip(at, i => WORDS.beforeDate.has(this.#dates.foldedAt(i)))
    }
    return undefined
  }
}

/** Days after a month and its first day: `Feb 12-14`, `March 13 & 14`. */
function afterMonth(reader: DateReader, dated: WrittenDay): WrittenDay[] | undefined {
  const isMonthFirst =
    dated.year === undefined && monthNumber(reader.foldedAt(reader.weekdayAt(dated.from).to)) > 0
  const listed = [dated]
  let at = dated.to
  while (
    isMonthFirst &&
    listed.length < MAX_LISTED &&
    (UNTIL.has(reader.foldedAt(at)) || ['&', 'and', ','].includes(reader.foldedAt(at)))
  ) {
    const day = reader.number(at + 1, 1, 31)
    const before = listed.at(-1)?.day ?? 0
    const end = reader.afterDay(at + 2)
    const isOther =
      [':', 'h', 'am', 'pm', 'a', 'p', 'uhr', '-', '/', '€', '$', 'noon', 'of'].includes(
        reader.foldedAt(end),
      ) ||
      reader.isMonth(end) ||
      // “May 1, 8 to 5”
      (reader.foldedAt(at) === ',' && UNTIL.has(reader.foldedAt(end))) ||
      (reader.tokens[end]?.kind === 'number' && reader.isAttached(end))
    if (day === undefined || day <= before || isOther || !areInLine(reader.tokens, at + 1, dated.from)) break
    const to = reader.afterEnglishDay(at + 2)
    listed.push({ ...dated, from: at + 1, to, weekday: 0, day })
    at = to
  }
  if (listed.length === 1) return undefined
  const { year, to } = reader.yearAt(at)
  const last = listed.at(-1)
  return year === undefined || !last
    ? listed
    : listed.map(one => ({ ...one, year, to: one === last ? to : one.to }))
}

/** True if a number follows the name of a street: “Am Markt 1”, “calle del Molino 4”. */
const isOfStreet = (tokens: readonly Token[], i: number): boolean => {
  for (
    let at = i - 1;
    at > i - 5 && tokens[at]?.kind === 'word' && !WORDS.beforeDaysNotStreets.has(foldedAt(tokens, at));
    at--
  )
    if (
      WORDS.streets.has(foldedAt(tokens, at)) ||
      /(?:strasse|str|gasse|weg|allee)$/.test(foldedAt(tokens, at))
    )
      return true
  return false
}
