import { HALVES, HALVES_OF_DAY, HOUR_WORDS } from '../../moment-words.ts'
import { type MarkedText, OPENING_QUOTES, skip, skipBack, startsLine, type Token } from '../words/tokens.ts'
import { anyOf, MONTHS, NUMBER_WORDS, UNTIL, WORDS, weekdayOf } from '../words/words.ts'
import { AND_ONLY, BEFORE_HOUR, BEFORE_SPAN, CURRENCY_WORDS, type WrittenClock } from './clocks.ts'
import { padded } from './day-mentions.ts'
import { FAR_TOKENS, HourReader, NEAR_TOKENS } from './hours.ts'

// The times of day that a text names, with their ends. A bare number is a time only if words beside it say
// so.

/** A time of day that a text names, perhaps with its end. */
export type TimeMention = {
  /** The index of its first token. */
  from: number
  /** The index after its last token. */
  to: number
  /** As `19:30`; undefined where only the end is said: `until 2 am`. */
  start: string | undefined
  end: string | undefined
  /** True if the end may be in the morning or in the evening: `until 3`. */
  isEndVague?: boolean
  /** True if words say that the event begins then. */
  isBeginning?: boolean
  /** True if nothing says that the start is in the evening, and not in the morning: “quiz at 8”. */
  isAssumed?: boolean
}

const clockText = ({ hour, minute }: { hour: number; minute: number }): string =>
  `${padded(hour % 24)}:${padded(minute)}`

/** The most times that are read. */
const MAX_TIMES = 200

/**
 * Reads the times in a text, in their order.
 *
 * @param text in which only days are marked
 * @param isEnglish true if the text uses the 12-hour clock
 */
export function timesIn(text: MarkedText, isEnglish: boolean): TimeMention[] {
  const { tokens, isTaken } = text
  const reader = new TimeReader(text, isEnglish)
  const mentions: TimeMention[] = []
  for (let i = 0; i < tokens.length && mentions.length < MAX_TIMES; ) {
    const mention = isTaken(i) ? undefined : reader.timeAt(i)
    if (mention) mentions.push(mention)
    i = mention?.to ?? i + 1
  }
  return mentions
}

/** True if an hour is before another one of the same day. */
const isBefore = (
  a: Pick<WrittenClock, 'hour' | 'minute'>,
  b: Pick<WrittenClock, 'hour' | 'minute'>,
): boolean => a.hour * 60 + a.minute < b.hour * 60 + b.minute

/** From this time on, “at 8” may mean the morning as well; before it, the other half would be at night. */
const EVENING = '18:00'

/** Between these times hardly anything begins. */
const NIGHT = ['00:10', '05:59'] as const

/** Kinds of events that may end at noon: “7–12”. */
const UNTIL_NOON = anyOf(WORDS.kindsAtAnyEight, WORDS.kindsOfMornings)

/** The earliest hour of a departure, where clocks have 24 hours. */
const FIRST_EARLY_DEPARTURE = 4

class TimeReader extends HourReader {
  timeAt(i: number): TimeMention | undefined {
    // “Midnight at Marlow” in quotation marks is a film.
    if (WORDS.twelves.has(this.foldedAt(i)) && OPENING_QUOTES.includes(this.foldedAt(i - 1))) return undefined
    const mention = this.#read(i)
    const likely = mention && this.#likelyTime(mention)
    return likely && this.#isAssumed(likely) ? { ...likely, isAssumed: true } : likely
  }

  /** True if a time is written as in the morning, and neither it nor its line names a part of the day. */
  #isAssumed({ from, to, start = '' }: TimeMention): boolean {
    const hour = this.clockAt(from)?.hour ?? 12
    const isHalfSaid = this.tokens
      .slice(from, to)
      .some((_, n) => this.halfOfDayAt(from + n).half !== undefined)
    return hour < 12 && start >= EVENING && !isHalfSaid && this.partOfDay(from, NEAR_TOKENS) === undefined
  }

  /**
   * Hardly anything begins between midnight and six in the morning, unless the text says so. A span or hour
   * in words is in the afternoon; other hours are lengths, such as those of films, or nobody knows what they
   * are.
   */
  #likelyTime(mention: TimeMention): TimeMention | undefined {
    const { from, to, start, end } = mention
    const isNightly = start !== undefined && start >= NIGHT[0] && start <= NIGHT[1]
    if (!isNightly || this.#isAtNight(mention) || this.#endsStretch(from)) return mention
    const later = (time: string): string => `${padded(Number(time.slice(0, 2)) + 12)}${time.slice(2)}`
    // “von halb drei bis fünf”, but “02:30”
    const isSpan = end !== undefined && end > start && end < '12' && !this.tokens[from]?.text.startsWith('0')
    if (isSpan) return { from, to, start: later(start), end: later(end) }
    return undefined
  }

  /** True for the hour of the day on which something ends: “26/03/2027 19:00 – 27/03/2027 01:00”. */
  #endsStretch(i: number): boolean {
    const at = skipBack(i - 1, n => this.isTaken(n) || this.foldedAt(n) === ',')
    const isLast = UNTIL.has(this.foldedAt(at)) || WORDS.endings.has(this.foldedAt(at))
    return at < i - 1 && isLast && this.isAttached(i + 1)
  }

  /** True if a word beside a time says that it is at night or early in the morning. */
  #isAtNight({ from, to }: TimeMention): boolean {
    const { line } = this.tokens[from] ?? {}
    for (let i = from - NEAR_TOKENS; i < to + NEAR_TOKENS; i++) {
      const { folded = '', line: other } = this.tokens[i] ?? {}
      if (other !== line) continue
      const isHalf =
        i >= from && i < to && (HALVES.get(folded) === 'am' || HALVES_OF_DAY.get(folded) === 'am')
      const isDotted = i >= from && i < to && folded === 'a' && this.foldedAt(i + 1) === '.'
      // “Abfahrt 5.45 Uhr”, but “Fahrt 2:15 Stunden”
      const isEarly = WORDS.departures.has(folded) && (this.number(from, 24) ?? 0) >= FIRST_EARLY_DEPARTURE
      if (isHalf || isDotted || isEarly || WORDS.nightlyEvents.has(folded)) return true
    }
    return false
  }

  #read(i: number): TimeMention | undefined {
    const clock = this.clockAt(i)
    // “samedi 20 à 10h30” and “el 16 a las 20 h” are days.
    const isNamed = weekdayOf(this.foldedAt(i - 1)) > 0 || ['el', 'dia'].includes(this.foldedAt(i - 1))
    if (!clock || (!clock.isSure && isNamed && ['a', 'um'].includes(this.foldedAt(i + 1)))) return undefined
    const first = this.#withHalfOfNext(clock, i)
    // “environ 4h30 de marche”, “durent environ une heure et demie”
    if (this.foldedAt(first.to) === 'de' && WORDS.lengthsOfThings.has(this.foldedAt(first.to + 1)))
      return undefined
    // “1 hr 50 with interval”
    const isLength = this.isEnglish && first.hour < 4 && ['hr', 'hrs'].includes(this.foldedAt(i + 1))
    if (isLength) return { from: i, to: first.to, start: undefined, end: undefined }
    if (WORDS.lasts.has(this.wordBefore(i))) return undefined
    const secondAt = this.secondHourAt(first.to, i)
    // “curso de 20 horas”, but “de 8 horas a 20 horas”
    const isOfHours =
      this.foldedAt(i - 1) === 'de' && this.foldedAt(i + 1) === 'horas' && secondAt === undefined
    if (isOfHours) return { from: i, to: first.to, start: undefined, end: undefined }
    const second = secondAt === undefined ? undefined : this.clockAt(secondAt)
    if (second && this.#isVerse(i, second.to)) return undefined
    // “bal 21h – 8 €”, “21 h – 12, 18 et 24 €”
    const isAmount = second !== undefined && !second.isSure && this.#isBeforeMoney(second.to)
    if (second && !isAmount && (first.isSure || second.isSure || this.#isBareSpan(i, first, second)))
      return this.#span(i, first, second)
    // “7 for 7.30”, “6.45 for a 7pm start”
    const at =
      this.foldedAt(first.to) === 'for' ? first.to + (this.foldedAt(first.to + 1) === 'a' ? 2 : 1) : undefined
    const startAfterFor = at === undefined ? undefined : (this.timeAt(at) ?? this.#bareAfter(first, at))
    if (startAfterFor?.start !== undefined) return { ...startAfterFor, from: i }
    if (!first.isSure && !this.#isBareTime(i, first)) return undefined
    const bracketed = this.foldedAt(first.to) === '(' ? this.clockAt(first.to + 1, true) : undefined
    if (bracketed && first.isSpoken && this.foldedAt(bracketed.to) === ')')
      return { from: i, to: bracketed.to + 1, start: clockText(bracketed), end: undefined }
    // The second half of a span whose first half cannot be read: `l5:00 a 18:30`.
    if (this.#isSecondHalf(i)) return undefined
    const before = this.wordBefore(i)
    // “home by 3pm”, but “Oak Lodge Care Home, 3pm”
    const isEnd =
      WORDS.onlyEnds.has(before) ||
      (before === 'home' && this.foldedAt(i - 1) === 'by') ||
      // “1.00 Uhr Ende”
      (WORDS.endings.has(this.foldedAt(first.to)) && startsLine(this.tokens, first.to + 1))
    const isVague = isEnd && first.half === undefined && first.hour <= 12 && (!first.isSure || first.isSpoken)
    const hour = isVague ? first.hour : this.hourOf(first, i)
    // An hour that may be in the morning or in the evening still belongs to its line, which then takes no
    // other time.
    // “Midnight on 24 December” is the end of that day, or its beginning.
    if (hour === undefined || (hour === 24 && !isEnd))
      return { from: i, to: first.to, start: undefined, end: undefined }
    const time = clockText({ hour, minute: first.minute })
    return isEnd
      ? { from: i, to: first.to, start: undefined, end: time, isEndVague: isVague }
      : { from: i, to: first.to, start: time, end: undefined }
  }

  /** The number of “7.30 for 8” that is the next full hour, but not “7.30 for 8 people”. */
  #bareAfter(first: WrittenClock, i: number): TimeMention | undefined {
    const hour = this.number(i, 12)
    const isNext = first.isSure && hour === (first.hour % 12) + 1
    if (hour === undefined || !isNext || this.tokens[i + 1]?.kind === 'word') return undefined
    const start = this.hourOf({ ...first, hour, half: first.half }, i)
    if (start === undefined) return undefined
    const text = clockText({ hour: start, minute: 0 })
    return { from: i, to: i + 1, start: text, end: undefined, isAssumed: text >= EVENING }
  }

  /** True if money follows, perhaps after further numbers. */
  #isBeforeMoney(i: number): boolean {
    const isOfList = (at: number): boolean =>
      this.tokens[at]?.kind === 'number' ||
      [',', '/'].includes(this.foldedAt(at)) ||
      AND_ONLY.has(this.foldedAt(at))
    return CURRENCY_WORDS.has(this.foldedAt(skip(i, at => at < i + NEAR_TOKENS && isOfList(at))))
  }

  /** True for verses of the Bible: “(Luke 2:10-12)”. */
  #isVerse(i: number, to: number): boolean {
    const before = this.tokens[i - 1]
    const isNamed =
      before?.kind === 'word' && weekdayOf(before.folded) === 0 && !WORDS.beginning.has(before.folded)
    return isNamed && before.isSpaced === false && this.foldedAt(i - 2) === '(' && this.foldedAt(to) === ')'
  }

  /**
   * A time whose half of the day or unit stands after the next one: `5:30 and 7 p.m.`, `um 14, 15 und 16
   * Uhr`.
   */
  #withHalfOfNext(clock: WrittenClock, i: number): WrittenClock {
    if (clock.half !== undefined) return clock
    let next: WrittenClock | undefined = clock
    while (next && this.foldedAt(next.to) === ',' && this.#isInList(i))
      next = this.numbersAt(next.to + 1, false)
    const mark = next && this.foldedAt(next.to)
    if (mark === undefined || !(AND_ONLY.has(mark) || ['/', '&', '+'].includes(mark))) return clock
    next = next && this.numbersAt(next.to + 1, false)
    // “at 11 and 2 pm”
    const isBeforeNoon = clock.hour % 12 > (next?.hour ?? 0) % 12
    if (next?.half !== undefined && clock.hour <= 12)
      return { ...clock, half: isBeforeNoon ? 'am' : next.half, isSure: true }
    const unit = next && this.foldedAt(this.foldedAt(next.to - 1) === '.' ? next.to - 2 : next.to - 1)
    const isOfUnit = next?.isSure === true && next.hour > clock.hour && HOUR_WORDS.has(unit ?? '')
    return isOfUnit && !clock.isSure ? { ...clock, isSure: true } : clock
  }

  /** True if a number is one of several after “at”: “at 2, 3 and 4 pm”, but not “Mill Lane 2, 3 and 4 pm”. */
  #isInList(i: number): boolean {
    let at = i
    while (this.foldedAt(at - 1) === ',' && this.tokens[at - 2]?.kind === 'number') at -= 2
    const before = this.foldedAt(at - 1)
    // “ab 6, 8 und 10 Uhr” may be ages
    return (BEFORE_HOUR.has(before) && before !== 'ab') || before === 'a' || this.isAfterDay(at)
  }

  /** True if a span counts years of age or people: “für Kinder von 6 bis 12”. */
  #isOfCount(i: number): boolean {
    const before = this.foldedAt(i - 2)
    return (
      BEFORE_SPAN.has(this.foldedAt(i - 1)) &&
      (WORDS.audience.has(before) || WORDS.beforeSpansOfGroups.has(before))
    )
  }

  #isSecondHalf(i: number): boolean {
    if (UNTIL.has(this.foldedAt(i - 1)) && this.#isOfCount(i - 2)) return true
    if (this.foldedAt(i - 1) === '-' && this.isAttached(i) && this.isAttached(i - 1)) return true
    const joint = this.foldedAt(i - 1) === 'las' ? i - 2 : i - 1
    const before = this.tokens[joint - 1]
    // “Craft club nine till noon”
    if (NUMBER_WORDS.has(before?.folded ?? '') && ['to', 'till', 'til', 'bis'].includes(this.foldedAt(joint)))
      return true
    return (
      ['-', 'a', 'to', 'bis'].includes(this.foldedAt(joint)) &&
      this.tokens[joint]?.isSpaced === true &&
      before?.kind === 'number' &&
      before.isSpaced === false &&
      !this.isTaken(joint - 1) &&
      before.line === this.tokens[i]?.line
    )
  }

  /**
   * Whether twelve is noon or midnight: “9 to 12 in the morning” and “9–12am” end at noon, “9 to 12 in the
   * evening” and “disco, 9–12am” at midnight.
   */
  #atTwelve(i: number, first: WrittenClock, second: WrittenClock): WrittenClock {
    if (second.hour !== 12 || second.half === undefined || first.hour >= 12 || first.half !== undefined)
      return second
    const isInMorning = this.foldedAt(second.to - 1) === 'morning'
    if (second.half === 'am' && (isInMorning || !this.isNear(i, WORDS.nightlife)))
      return { ...second, half: undefined }
    return ['evening', 'night', 'am'].includes(this.foldedAt(second.to - 1))
      ? { ...second, hour: 24, half: undefined }
      : second
  }

  #span(i: number, first: WrittenClock, last: WrittenClock): TimeMention | undefined {
    const second = this.#atTwelve(i, first, last)
    const half = first.half ?? (second.half && first.hour <= 12 ? second.half : undefined)
    // A span says by its order which half of the day it is: 10:00 - 13:00.
    const isEnglish = this.isEnglish && half === undefined && first.hour < 12 && second.hour <= 12
    // “de 5 a 7” and “von halb sieben bis neun” are in the afternoon, “breakfast 7–9” is not.
    const isBare = (clock: WrittenClock, at: number) =>
      !clock.isSure ||
      clock.isSpoken ||
      (this.foldedAt(at + 1) === '.' && this.tokens[clock.to - 1]?.kind === 'number')
    if (
      half === undefined &&
      first.hour < 8 &&
      second.hour < 12 &&
      isBare(first, i) &&
      isBare(second, second.to - 3) &&
      this.partOfDay(i, NEAR_TOKENS) !== 'am'
    )
      return {
        from: i,
        to: second.to,
        start: clockText({ ...first, hour: first.hour + 12 }),
        end: clockText({ ...second, hour: second.hour + 12 }),
      }
    // “10–12”, “10–4” and “story time 9.30 to 11” are by day.
    const isMorningSpan = isBefore(first, second) && this.isNear(i, WORDS.kindsOfMornings)
    // “car boot 7:00–12:00”
    const isUntilNoon = second.hour === 12 && first.hour > 5 && this.isNear(i, UNTIL_NOON)
    const isByDay =
      isUntilNoon ||
      this.#isPastNoon(i, first, second) ||
      (first.hour >= 9 && (second.hour === 12 || isMorningSpan))
    // “half seven till midnight”, “de 9 a 12 de la noche”
    const isUntilMidnight = second.hour === 24 && half === undefined && first.hour < 12
    const start =
      isUntilMidnight && (first.isSpoken || second.isSpoken || this.isEnglish)
        ? first.hour + 12
        : isEnglish && !isByDay
          ? this.hourOf({ ...first, isSpoken: true }, i, FAR_TOKENS)
          : this.hourIn24({ ...first, half })
    // “8 pm–1:30” ends at night.
    const isLater = first.half === 'pm' && this.hourIn24({ ...second, half: 'pm' }) > (start ?? 0)
    const isAtNight = first.half === 'pm' && second.half === undefined && !isLater
    const end = this.hourIn24({
      ...second,
      half: isAtNight ? 'am' : (second.half ?? (isLater ? 'pm' : undefined)),
    })
    if (start === undefined) return undefined
    // Noon to 3 ends in the afternoon, and “6:00–7:30” in the evening.
    const isAfternoon =
      (isByDay || isEnglish || !second.isSure) &&
      second.half === undefined &&
      isBefore({ hour: end, minute: second.minute }, { hour: start, minute: first.minute }) &&
      isBefore({ hour: start, minute: first.minute }, { hour: end + 12, minute: second.minute })
    // 10 to 1pm begins in the morning.
    const isMorning = first.half === undefined && second.half === 'pm' && start > end
    return {
      from: i,
      to: second.to,
      start: clockText({ hour: isMorning ? start - 12 : start, minute: first.minute }),
      end: clockText({ hour: isAfternoon ? end + 12 : end, minute: second.minute }),
    }
  }

  /**
   * True if a span by day ends in the afternoon: “10 to 4”, and by the 12-hour clock “9.30 to 6.30”, but not
   * “disco, 10 to 2”.
   */
  #isPastNoon(i: number, first: WrittenClock, second: WrittenClock): boolean {
    return (
      first.hour >= 9 &&
      second.hour < (this.isEnglish ? first.hour - 1 : 6) &&
      !this.isNear(i, WORDS.nightlife)
    )
  }

  /**
   * True for two hours such as `von 10 bis 16` and `Sat 6 Feb, 10–12`: after “from” or a day, if no word
   * after them says that they count something else.
   */
  #isBareSpan(i: number, first: WrittenClock, second: WrittenClock): boolean {
    const isByDay = first.hour <= 12 && this.#isPastNoon(i, first, second)
    // “de 22 a 2”
    const isByNight = first.hour >= 18 && second.hour < 6 && BEFORE_SPAN.has(this.foldedAt(i - 1))
    const after = this.tokens[second.to]
    if (!isBefore(first, second) && !isByDay && !isByNight) return false
    const isEnd = !after || after.line !== this.tokens[i]?.line || AND_ONLY.has(after.folded)
    // “10-14 y 17-21h”
    const next = after && AND_ONLY.has(after.folded) ? this.numbersAt(second.to + 1, false) : undefined
    const end = next && this.secondHourAt(next.to)
    if (end !== undefined && this.numbersAt(end, false)?.isSure) return true
    // “between 5 and 7 on Friday”
    const isBeforeDay = after && WORDS.small.has(after.folded) && this.isTaken(second.to + 1)
    if (this.#isOfCount(i)) return false
    if (BEFORE_SPAN.has(this.foldedAt(i - 1)) && after && WORDS.beforePlacesAfterHours.has(after.folded))
      return true
    if (BEFORE_SPAN.has(this.foldedAt(i - 1))) return isEnd || after.kind === 'sign' || isBeforeDay === true
    const isBetweenCommas = isByDay && this.foldedAt(i - 1) === ',' && after?.folded === ','
    return (
      (isBetweenCommas || this.isAfterDay(i)) &&
      (isEnd ||
        [',', '.', ';', ')', '|', '·'].includes(after.folded) ||
        WORDS.small.has(after.folded) ||
        WORDS.afterBareSpans.has(after.folded))
    )
  }

  /** True if a bare number is a time: `doors 7`, `at 8`, `a las 21`, `8 till late`. */
  #isBareTime(i: number, { to }: WrittenClock): boolean {
    const before = this.foldedAt(i - 1)
    const after = this.tokens[i + 1]
    // “meet at Gate 3”, but “gates 7”
    if (WORDS.numberedPlaces.has(before) && this.tokens[i - 1]?.text !== before) return false
    // “bis 10,- €”
    if (after?.folded === ',' && this.foldedAt(i + 2) === '-') return false
    // “ab 7. Dezember”, in two lines
    if (after?.folded === '.' && MONTHS.has(this.foldedAt(i + 2))) return false
    if (
      after?.isSpaced === false &&
      ['€', '$', '£', '%', ',', '.', '/'].includes(after.folded) &&
      this.tokens[i + 2]?.kind === 'number'
    )
      return false
    if (
      [before, after?.folded ?? ''].some(folded => CURRENCY_WORDS.has(folded)) ||
      WORDS.countedUnits.has(after?.folded ?? '')
    )
      return false
    // “Teams bis 5 Leute”
    if (
      WORDS.onlyEnds.has(before) &&
      after?.kind === 'word' &&
      after.line === this.tokens[i]?.line &&
      !WORDS.small.has(after.folded)
    )
      return false
    if (WORDS.admission.has(before) && this.#isInPriceList(to)) return false
    const late = this.foldedAt(to) === "'" || this.foldedAt(to) === '’' ? to + 2 : to + 1
    if (UNTIL.has(this.foldedAt(late - 1)) && WORDS.lateEnds.has(this.foldedAt(late))) return true
    return (
      [BEFORE_HOUR, WORDS.onlyEnds, WORDS.notTheBeginning, WORDS.beginning].some(words =>
        words.has(before),
      ) || this.isLabelled(i)
    )
  }

  /**
   * True if an amount stands beside a number in its line, and no time: “Vorverkauf 16, Abendkasse 19,
   * ermäßigt 12 Euro”.
   */
  #isInPriceList(to: number): boolean {
    const { line } = this.tokens[to - 1] ?? {}
    const isTelling = ({ folded }: Token): boolean => CURRENCY_WORDS.has(folded) || HOUR_WORDS.has(folded)
    const near = [
      this.tokens.slice(to, to + NEAR_TOKENS).find(isTelling),
      // “Vorverkauf 8 Euro, Abendkasse 10.”
      this.tokens.slice(Math.max(0, to - NEAR_TOKENS), to - 1).findLast(isTelling),
    ].filter(one => one?.line === line)
    return near[0] !== undefined && CURRENCY_WORDS.has(near[0].folded)
  }
}
