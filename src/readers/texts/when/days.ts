import { areInLine, skipBack, startsLine, type Token } from '../words/tokens.ts'
import { AND, anyOf, MONTHS, setOf, UNTIL, WORDS, weekdayOf } from '../words/words.ts'
import { DateReader, type DayContext, type WrittenDay } from './dates.ts'
import { DayListReader } from './day-lists.ts'
import { comingDay, type DayMention, daysLater, isDay, isoDay, weekdayOn } from './day-mentions.ts'
import { relativeAt } from './relative-days.ts'
import { everyAt, nthAt, weekendAt } from './weekdays-of-months.ts'

// From the words and numbers of a text, this reads the days that it names: dates, lists and stretches of
// them, and weekdays relative to today. If the year is missing, it is the one in which the day is still to
// come; a weekday confirms it.

/** Reads the days in a text, in their order. */
export const daysIn = (tokens: readonly Token[], context: DayContext): DayMention[] =>
  new DayReader(tokens, context).readAll()

/** How many more days the other order of day and month must make right: a single one may be a mistake. */
const MIN_MORE_RIGHT = 2

/**
 * Reads the days in an English text, with the other order of day and month if the weekdays say so:
 * “Sat. 3/6”, “Thurs. 2/25”.
 */
export function englishDaysIn(tokens: readonly Token[], context: DayContext): DayMention[] {
  const usual = daysIn(tokens, context)
  const isWrong = ({ isContradicted, isPast }: DayMention): boolean => isContradicted || isPast
  if (!usual.some(isWrong)) return usual
  const other = daysIn(tokens, { ...context, monthFirst: !context.monthFirst })
  const countRight = (days: readonly DayMention[]): number =>
    days.flatMap(day => (isWrong(day) ? [] : [day.date, ...(day.last ? [day.last] : [])])).length
  return countRight(other) - countRight(usual) >= MIN_MORE_RIGHT ? other : usual
}

/** The most days from today to a day without a year. A later one is taken for a day of last year. */
const MAX_DAYS_AHEAD = 320

/** The most tokens between the first and the last day of a stretch. */
const MAX_BETWEEN = 9

const CLOCK_WORDS = anyOf(WORDS.clockOfStretch, setOf('h : .'))

/** Words between a day and the one to which it is moved. */
const BETWEEN_MOVED_DAYS = anyOf(WORDS.postponed, WORDS.movedToEarlier, WORDS.verbsOfMovingDays)

const MAX_TO_MOVED = 12

/** Words between a stretch's first day and the hour at which it ends. */
const TO_LAST_TIME = anyOf(WORDS.upToMoment, WORDS.toLastHour)

const SENTENCE_ENDS = setOf('. ! ?')

/** The most days that are read. A text with more is a table, and no announcement. */
const MAX_DAYS = 200

class DayReader extends DateReader {
  readonly #lists = new DayListReader(this)
  #months: readonly { from: number; month: number; year: number | undefined }[] | undefined

  readAll(): DayMention[] {
    const written: (WrittenDay | DayMention)[] = []
    for (let i = 0; i < this.tokens.length && written.length < MAX_DAYS; ) {
      const dated =
        this.#ofMonth(i) ??
        everyAt(this, i) ??
        nthAt(this, i) ??
        weekendAt(this, i) ??
        this.#lists.daysAt(i) ??
        relativeAt(this, i) ??
        this.#withoutMonthAt(i) ??
        this.#movedTo(i, written.at(-1))
      if (dated) written.push(...dated)
      i = dated?.at(-1)?.to ?? i + 1
    }
    return this.#joinStretches(this.#resolveAll(written))
  }

  /** The days after their month at the beginning of a line: `Feb: 6, 13 & 20`. */
  #ofMonth(i: number): WrittenDay[] | undefined {
    const { tokens } = this
    const month = startsLine(tokens, i) ? MONTHS.get(this.foldedAt(i)) : undefined
    const colon = this.foldedAt(i + 1) === '.' ? i + 2 : i + 1
    if (month === undefined || this.foldedAt(colon) !== ':') return undefined
    const days: WrittenDay[] = []
    for (let at = colon + 1; areInLine(tokens, at, i); ) {
      const day = this.number(at, 1, 31)
      const to = this.afterDay(at + 1)
      if (day === undefined || day <= (days.at(-1)?.day ?? 0)) return undefined
      days.push({ from: days.length === 0 ? i : at, to, weekday: 0, day, month, year: undefined })
      const isJoint = this.foldedAt(to) === ',' || AND.has(this.foldedAt(to))
      if (areInLine(tokens, to, i) && !isJoint) return undefined
      at = to + 1
    }
    return days.length > 1 ? days : undefined
  }

  /** A weekday and a number, whose month is that of a day nearby: `sábado 20`, `Jeudi 1er`. */
  #withoutMonthAt(i: number): WrittenDay[] | undefined {
    const { to: end, weekday } = this.weekdayAt(i)
    if (weekday === 0) return this.#inColumn(i) ?? this.#beforeWeekday(i)
    let to = end
    // “samedi prochain, le 23”, “next Friday (22nd)”, “Friday night (22nd)”
    const isQualified = [WORDS.partsOfNamedDay, WORDS.next].some(words => words.has(this.foldedAt(end)))
    if (isQualified) to = this.skipSmallWords(end + 1)
    // “el domingo que viene, día 24”
    else if (this.foldedAt(end) === 'que' && this.foldedAt(end + 1) === 'viene')
      to = this.skipSmallWords(end + 2)
    else to = this.skipSmallWords(end)
    // “am Samstag (10. April)” has its month.
    if (to > end && this.dateAt(to)) return undefined
    const day = this.number(to, 1, 31)
    if (day === undefined || !areInLine(this.tokens, to, i)) return undefined
    // “Fr. 30.–”: francs
    if (
      this.foldedAt(i) === 'fr' &&
      this.foldedAt(to + 1) === '.' &&
      this.foldedAt(to + 2) === '-' &&
      this.isAttached(to + 2)
    )
      return undefined
    const after = this.foldedAt(to + 1)
    // “Sonntag 11 bis 17 Uhr”, but “vendredi 5 à 20h”
    const isTo =
      ['bis', 'to', 'till'].includes(after) &&
      this.number(to + 2, 0, 24) !== undefined &&
      // “je 19 bis 21.30 Uhr”
      (this.isHour(to + 3) || (this.foldedAt(to + 3) === '.' && this.isHour(to + 5)))
    if (
      this.isClock(to + 1) ||
      isTo ||
      (['-', 'am', 'pm', '€', '.'].includes(after) && !this.#isDayPoint(to + 1) && !this.#isLabel(i, to))
    )
      return undefined
    return [{ from: i, to: this.afterDay(to + 1), weekday, day, month: undefined, year: undefined }]
  }

  /** The number to which a day is moved: `The talk on 6 March is now on the 20th`. */
  #movedTo(i: number, before: WrittenDay | DayMention | undefined): WrittenDay[] | undefined {
    const number = this.number(i + 1, 1, 31)
    if (number === undefined || !WORDS.beforeMovedDay.has(this.foldedAt(i)) || this.dateAt(i + 1))
      return undefined
    if (!before || !('month' in before) || before.month === undefined || i - before.to >= MAX_TO_MOVED)
      return undefined
    const end = this.afterDay(i + 2)
    const isOrdinal = end > i + 2 || ['le', 'el', 'al', 'au'].includes(this.foldedAt(i))
    const isOther = this.isHour(end) || this.tokens[end]?.kind === 'number'
    const between = this.tokens.slice(before.to, i + 1)
    // “se traslada al 3 de la calle Mayor”, “déplacé au 12, rue du Port”
    const isHouse = WORDS.streets.has(this.foldedAt(this.foldedAt(end) === ',' ? end + 1 : end + 2))
    if (!isOrdinal || isOther || isHouse || !areInLine(this.tokens, i, before.from)) return undefined
    // “wird auf den 6. verschoben”
    const verb = this.foldedAt(end)
    const isAim = this.foldedAt(i - 1) === 'auf' && BETWEEN_MOVED_DAYS.has(verb)
    const isMoved = isAim || between.some(({ folded }) => BETWEEN_MOVED_DAYS.has(folded))
    if (!isMoved || between.some(({ folded }) => SENTENCE_ENDS.has(folded))) return undefined
    // “reportée du 27 février au 6”, but “du 6 au 20 mars, sera inaugurée le 6”
    const isLater = number > before.day
    const verbs = [...between.map(({ folded }) => folded), ...(isAim ? [verb] : [])]
    const isEarlier = verbs.some(folded => WORDS.movedToEarlier.has(folded))
    if (
      isEarlier
        ? isLater
        : !isLater && !verbs.some(folded => WORDS.postponed.has(folded) || WORDS.movedWithinMonth.has(folded))
    )
      return undefined
    const { month, year } = before
    const moved = { from: i, to: end, weekday: 0, day: number }
    const isInMonth = isLater || isEarlier || verbs.some(folded => WORDS.movedWithinMonth.has(folded))
    // “The talk on 27 January has been moved to the 6th”
    const { today } = this.context
    const isOver = !isLater && month === Number(today.slice(5, 7)) && number < Number(today.slice(8))
    return [
      isInMonth && !isOver
        ? { ...moved, month, year }
        : { ...moved, month: (month % 12) + 1, year: undefined },
    ]
  }

  /** The first columns of a table: `04 DO 20.00 Konzert` and `12. Fr | Konzert`, below “MÄRZ” */
  #inColumn(i: number): WrittenDay[] | undefined {
    const { tokens } = this
    const day = startsLine(tokens, i) ? this.number(i, 1, 31) : undefined
    const at = this.foldedAt(i + 1) === '.' ? i + 2 : i + 1
    const weekday = weekdayOf(this.foldedAt(at))
    const next = tokens[at + 1]
    const isColumn = weekday > 0 && !this.isAttached(at) && (next?.kind === 'number' || next?.folded === '|')
    // “12 sam 16/01 18h” has the number of a match before its day.
    const isDated = this.dateAt(at) !== undefined
    if (day === undefined || !isColumn || isDated || !areInLine(tokens, at + 1, i)) return undefined
    return [{ from: i, to: at + 1, weekday, day, month: undefined, year: undefined }]
  }

  /** A number before its weekday: `el próximo día 25, lunes`, `the 25th, a Monday`. */
  #beforeWeekday(i: number): WrittenDay[] | undefined {
    if (!['dia', 'le', 'el', 'the', 'den'].includes(this.foldedAt(i))) return undefined
    const day = this.number(i + 1, 1, 31)
    const end = this.afterDay(i + 2)
    const at = [',', '('].includes(this.foldedAt(end)) ? end + 1 : end
    const weekday = weekdayOf(this.foldedAt(at))
    const isOther = this.tokens[at + 1]?.kind === 'number' || this.foldedAt(at).length < 3
    if (day === undefined || weekday === 0 || isOther || at === end) return undefined
    return [{ from: i, to: at + 1, weekday, day, month: undefined, year: undefined }]
  }

  /**
   * True if a weekday and a number begin a line, and a dash follows: “MARTES 26 - 19:00 h”, but not “Montag
   * 15 – 18 Uhr”.
   */
  #isLabel(from: number, number: number): boolean {
    const [dash, next] = [this.tokens[number + 1], this.tokens[number + 2]]
    const isFirst = startsLine(this.tokens, from)
    if (!isFirst || dash?.folded !== '-' || !dash.isSpaced || !next) return false
    const isTime = this.foldedAt(number + 3) === ':'
    // “JUE 4 - 21H”, below “MÚSICA / FEBRERO”
    const minutes = [':', '.'].includes(this.foldedAt(number + 3)) ? number + 5 : number + 3
    const after = this.tokens[minutes + 1]
    // “Montag 15 – 18 Uhr”, above “Mittwoch 9 – 12 und 15 – 19 Uhr”, are hours.
    const isOfHours = AND.has(after?.folded ?? '') || weekdayOf(after?.folded ?? '') > 0
    const isBelowMonth =
      this.isHour(minutes) && !isOfHours && this.#headings().some(heading => heading.from < from)
    return next.kind === 'word' || (this.foldedAt(from).length > 3 && isTime) || isBelowMonth
  }

  /** A point after a number that is not the one between hours and minutes. */
  #isDayPoint(i: number): boolean {
    return this.foldedAt(i) === '.' && !(this.tokens[i + 1]?.kind === 'number' && this.isAttached(i + 1))
  }

  /** Months without a day, which are looked for only once. */
  #headings(): readonly { from: number; month: number; year: number | undefined }[] {
    this.#months ??= this.#monthsAlone()
    return this.#months
  }

  /** Months without a day: “Termine im Februar”, above “Di 2. 18.30 Messe”. */
  #monthsAlone(): { from: number; month: number; year: number | undefined }[] {
    return this.tokens.flatMap(({ kind, folded, text }, from) => {
      const month = kind === 'word' && folded.length > 2 ? MONTHS.get(folded) : undefined
      const isCapital = text[0] !== text[0]?.toLowerCase()
      // “SPIELPLAN MÄRZ”, above “04 DO 20.00”
      const isDay = [from - 2, from - 1, from + 1].some(
        i => this.number(i, 1, 31) !== undefined && areInLine(this.tokens, i, from),
      )
      if (month === undefined || isDay || (folded === 'may' && !isCapital) || weekdayOf(folded) > 0) return []
      return [{ from, month, year: this.yearAt(from + 1).year }]
    })
  }

  #resolveAll(written: readonly (WrittenDay | DayMention)[]): DayMention[] {
    const monthsAlone = written.some(one => 'month' in one && one.month === undefined) ? this.#headings() : []
    let month: number | undefined
    let year: number | undefined
    return written.flatMap(one => {
      if ('date' in one) return [one]
      const heading =
        one.month === undefined ? monthsAlone.findLast(({ from }) => from < one.from) : undefined
      const headed = heading && this.#resolve({ ...one, ...heading, from: one.from })
      // “Set dancing”, above “Six Tuesdays, 8 to 9.30”
      const isHeaded =
        headed !== undefined && !headed.isContradicted && (month === undefined || !headed.isPast)
      if (isHeaded && month === undefined) return [headed]
      if (one.month === undefined && month === undefined) return this.#inNextMonths(one) ?? []
      const hasOwnMonth = one.month !== undefined
      const mention = this.#resolve({
        ...one,
        month: one.month ?? month,
        year: one.year ?? (hasOwnMonth ? undefined : year),
      })
      // “sam. 20”, below “FÉVRIER” and “(paru le 8 janvier)”
      if (isHeaded && mention?.isContradicted) return [headed]
      if (hasOwnMonth) ({ month, year } = one)
      // A day without a month counts only if its weekday is right.
      return mention && (hasOwnMonth || !mention.isContradicted) ? [mention] : []
    })
  }

  /**
   * `Thursday the 28th`: in this month or one of the next two, if the weekday is right in one of them alone.
   */
  #inNextMonths(written: WrittenDay): DayMention | undefined {
    const { today } = this.context
    const [year = 0, month = 0] = today.split('-').map(Number)
    const dates = [0, 1, 2]
      .map(ahead =>
        isoDay(year + Math.floor((month - 1 + ahead) / 12), ((month - 1 + ahead) % 12) + 1, written.day),
      )
      .filter(date => isDay(date) && date >= today && weekdayOn(date) === written.weekday)
    const [date, ...others] = dates
    if (date === undefined || others.length > 0) return undefined
    return comingDay(written.from, written.to, date)
  }

  #resolve({ from, to, weekday, day, month, year }: WrittenDay): DayMention | undefined {
    if (month === undefined) return undefined
    const { today } = this.context
    const fits = (date: string) => weekday === 0 || weekdayOn(date) === weekday
    const mention = (date: string, isPast: boolean, isContradicted: boolean): DayMention => ({
      ...comingDay(from, to, date),
      isPast,
      isContradicted,
    })
    if (year !== undefined) {
      const date = isoDay(year, month, day)
      return isDay(date) ? mention(date, date < today, !fits(date)) : undefined
    }
    const thisYear = Number(today.slice(0, 4))
    const dates = [thisYear - 1, thisYear, thisYear + 1, thisYear + 2, thisYear + 3, thisYear + 4]
      .map(one => isoDay(one, month, day))
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
  #joinStretches(mentions: readonly DayMention[]): DayMention[] {
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
        before.date <= mention.date
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

  /** True if an hour comes right before a day: “18:00 vie, 14 may”. */
  #isHourBefore(i: number): boolean {
    return this.tokens[i - 1]?.kind === 'number' && this.foldedAt(i - 2) === ':'
  }

  #linkBetween(before: DayMention, after: DayMention): 'until' | 'and' | undefined {
    let link: 'until' | 'and' | undefined
    const end = this.skipBrackets(before.to)
    if (after.from - end > MAX_BETWEEN) return undefined
    let isTimed = false
    let hasLabel = false
    for (let i = end; i < after.from; i++) {
      const { folded = '', kind, line } = this.tokens[i] ?? {}
      // “Vernissage le 20 janvier à 18 heures. - Mercredi 27 janvier : …”
      if (folded === '.' && this.foldedAt(i + 1) === '-' && this.tokens[i - 1]?.kind === 'word')
        return undefined
      // “vendredi 19 mars 18h au dimanche 21 mars”
      const isClock = (kind === 'number' && line === this.tokens[end]?.line) || CLOCK_WORDS.has(folded)
      isTimed ||= isClock
      // “Start: 5 March, 10am”, above “End: …”, and “de 18:00 vie, 14 may”, above “a 17:00 dom, 16 may”
      const isLabel =
        (isTimed || this.#isHourBefore(before.from)) &&
        startsLine(this.tokens, i) &&
        (this.foldedAt(i + 1) === ':' || i + 1 === after.from || TO_LAST_TIME.has(folded) || folded === 'a')
      hasLabel ||= isLabel
      if (
        ((UNTIL.has(folded) || WORDS.ending.has(folded)) &&
          (isLabel || line === this.tokens[before.to - 1]?.line)) ||
        (isLabel && folded === 'a')
      )
        link = 'until'
      else if (AND.has(folded)) link ??= 'and'
      else if (!WORDS.small.has(folded) && !['•', '·', '-', 'up'].includes(folded) && !isClock)
        return undefined
    }
    // “mer 20 : 20h30 – sam 23 : 18h”
    if (isTimed && this.foldedAt(end) === ':' && this.foldedAt(after.to) === ':') return undefined
    // “- martes 9, a las 9:30 h”, above “- jueves 11”
    const startsItem = this.foldedAt(after.from - 1) === '-' && startsLine(this.tokens, after.from - 1)
    const isClockAt = (i: number): boolean =>
      this.tokens[i]?.kind === 'number' || CLOCK_WORDS.has(this.foldedAt(i))
    // “8pm Friday 12 March to 8am Saturday 13 March”, but not “10am to 5pm Sunday”
    let last = skipBack(after.from - 1, i => i > end && isClockAt(i))
    // “kicks off at noon on Friday 5 March and wraps up 4pm Sunday 7th”
    if (this.foldedAt(last) === 'up') last--
    const isToTime =
      [TO_LAST_TIME, WORDS.ending].some(words => words.has(this.foldedAt(last))) && !isClockAt(last - 1)
    const isStretch =
      !startsItem &&
      (isToTime ||
        hasLabel ||
        [1, 2].some(back => [UNTIL, WORDS.ending].some(words => words.has(this.foldedAt(after.from - back)))))
    // In a stretch, a time comes before the “to”: “5 mars à 20h30, 7 mars à 15h” is none.
    if (isTimed && (link !== 'until' || !isStretch)) return undefined
    return link ?? (['•', '·', '-'].includes(this.foldedAt(end)) || end === after.from ? 'and' : undefined)
  }
}
