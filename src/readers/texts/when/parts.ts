import { sentenceOf } from '../words/clauses.ts'
import { blocksOfListing } from '../words/listings.ts'
import {
  areInLine,
  BULLETS,
  foldedAt,
  OPENING_QUOTES,
  skip,
  skipBack,
  startsLine,
  type Token,
} from '../words/tokens.ts'
import { anyOf, isKind, isPlaceWord, setOf, WORDS, weekdayOf } from '../words/words.ts'
import { calendarItemsIn } from './calendars.ts'
import type { DatedText } from './datelines.ts'
import { areConsecutive, type DayMention, daysLater, weekdayOn } from './day-mentions.ts'
import type { EventMoments } from './moments.ts'
import { isCourse } from './series.ts'
import type { TimeMention } from './times.ts'

// Which parts of a text announce an event each: the items of a calendar, bullets, paragraphs, lines,
// sentences, or what stands on each side of an “and”. The ways are tried in turn, until each part has a day
// and its own words, and every day is in one of the parts. The points of a programme and the days of a
// festival are one event.

/** A stretch of tokens: an announcement, or one item of a list. */
export type TextPart = readonly [from: number, to: number]

const beginsIn = ({ from }: { from: number }, [start, end]: TextPart): boolean => from >= start && from < end

/** The most days of an event that begins at a time. */
export const MAX_DAYS = 14

/** The fewest lines with a day each that count as a list; a day in any other line is then no item of it. */
export const MIN_LIST_ITEMS = 3

/** Leaves out the dates of a line such as “Los jueves de julio” if the lines below it have the same ones. */
function withoutWeekdaysAbove(days: readonly DayMention[]): DayMention[] {
  const [first] = days
  const above = days.filter(({ from }) => from === first?.from)
  const below = days.slice(above.length)
  const isListed = ({ date }: DayMention): boolean => above.some(day => day.date === date)
  return above.length > 1 && below.length >= MIN_LIST_ITEMS && below.every(isListed) ? below : [...days]
}

/**
 * The fewest parts of a programme that has an exhibition in it; fewer are an exhibition with its opening and
 * a talk.
 */
const MIN_BESIDE_EXHIBITION = 5

/** Tokens of a heading that are looked at. */
const MAX_OF_HEADING = 16

const MAX_DAYS_OF_FEAST = 10

/** Words and marks between two events of a sentence. */
const EVENT_JOINTS = anyOf(WORDS.jointsOfEvents, setOf(', ;'))

/** Splits a text into its parts, and joins the days of what is one event. */
export class PartsReader {
  readonly #tokens: readonly Token[]
  readonly #days: readonly DayMention[]
  readonly #isTaken: (token: number) => boolean
  #moments: EventMoments
  /** True if the parts are lines below days that stand alone. */
  isCalendar = false
  readonly #kinds = new Map<number, readonly string[]>()

  /** @param moments the days and times of events; the text may name other days */
  constructor({ tokens, isTaken, days }: DatedText, moments: EventMoments) {
    this.#tokens = tokens
    this.#days = days
    this.#moments = moments
    this.#isTaken = isTaken
  }

  /** The days and times of events; once the parts are read, the days of one event are joined. */
  get moments(): EventMoments {
    return this.#moments
  }

  /**
   * What stands above and below the lines of a list, and is said of all its items: two stretches, or none.
   */
  around(parts: readonly TextPart[]): TextPart[] {
    const [first] = parts
    const last = parts.at(-1)
    if (!first || !last || parts.length < 2) return []
    const lineOf = (token: number): number => this.#tokens[token]?.line ?? 0
    const isOfLines = parts.slice(0, -1).every(([from, to]) => lineOf(from) === lineOf(to - 1))
    // “AUS DEN GRUPPEN”, above “Der Frauenkreis trifft sich am 18. Februar”
    let end = this.#moments.days.find(day => beginsIn(day, last))?.from ?? last[0]
    const isNext = (token: number): boolean =>
      lineOf(token) === lineOf(token - 1) || BULLETS.has(foldedAt(this.#tokens, token))
    // Further items that announce nothing
    do end++
    while (end < this.#tokens.length && isNext(end))
    return isOfLines
      ? [
          [0, first[0]],
          [end, this.#tokens.length],
        ]
      : []
  }

  /** What stands above and below paragraphs that announce an event each. */
  outside(parts: readonly TextPart[]): TextPart[] {
    const [first] = parts
    const last = parts.at(-1)
    if (!first || !last || parts.length < 2) return []
    const end = this.#paragraphs(this.#lineStarts(last))[1]
    return [[0, first[0]], ...(end === undefined ? [] : [[end, last[1]] as const])]
  }

  /** The items of a list or the paragraphs that announce an event each; otherwise the whole text. */
  parts(): TextPart[] {
    const items = calendarItemsIn(this.#tokens, this.#moments.days, this.#moments.times, this.#days)
    if (items.length > 0) {
      this.isCalendar = true
      this.#moments = { ...this.#moments, days: items.map(({ day }) => day) }
      return items.map(({ from, to }) => [from, to])
    }
    const { days } = this.#moments
    const whole: TextPart = [0, this.#tokens.length]
    // The points of a programme are no events of their own.
    const stay = this.#stayAround(days)
    if (stay) {
      // Splits a programme for a month with an exhibition among its items, but not an exhibition with its
      // opening and a talk
      const isLong = (stay.last ?? '') > daysLater(stay.date, MAX_DAYS)
      const parts = isLong ? this.#split(whole) : []
      const isOpened = this.#tokens.some(({ folded }) => WORDS.vernissages.has(folded))
      const minParts = stay === days[0] || isOpened ? MIN_BESIDE_EXHIBITION : MIN_LIST_ITEMS
      return parts.length >= minParts ? parts : [whole]
    }
    if (this.#isProgramme()) {
      this.#joinDays(days)
      return [whole]
    }
    return this.#split(whole)
  }

  /** The stretch of a stay or an exhibition, if all days are within it. */
  #stayAround(days: readonly DayMention[]): DayMention | undefined {
    const stay = days.find(({ last }) => last !== undefined)
    // An exhibition may be opened up to two evenings before.
    const eve = stay && daysLater(stay.date, -2)
    const isWithin = ({ date, last }: DayMention): boolean =>
      date >= (eve ?? '') && date <= (stay?.last ?? '') && (last === undefined || last === stay?.last)
    return stay && days.every(isWithin) && !this.#isWeekly(stay) ? stay : undefined
  }

  /** True if something takes place once a week within a stretch. */
  #isWeekly(stay: DayMention): boolean {
    const sentence = this.#tokens[stay.from]?.sentence
    return (
      isCourse(this.#tokens, stay, this.#moments.times) ||
      this.#moments.recurrences.some(
        ({ from, weekdays: [weekday, ...others] }) =>
          this.#tokens[from]?.sentence === sentence &&
          weekday === weekdayOn(stay.date) &&
          others.length === 0,
      )
    )
  }

  /**
   * The smallest parts of a part that announce an event each: paragraphs, and the lines of a list within
   * them.
   */
  #split(part: TextPart): TextPart[] {
    const { times, allDayTokens } = this.#moments
    const days = withoutWeekdaysAbove(this.#moments.days.filter(day => beginsIn(day, part)))
    if (days.length < 2) return [part]
    const lines = this.#lineStarts(part)
    const ways = [
      () => this.#bullets(lines),
      () => this.#paragraphs(lines),
      () => lines,
      () => this.#blocks(part, lines, days),
      () => this.#datedSentences(part),
      () => this.#itemsOfSentence(part),
      () => this.#namedDays(part, days),
      () => this.#joinedEvents(part),
      () => this.#announcingSentences(days),
    ]
    // If no way gives each part its time, bullets are enough, or paragraphs with kinds of events: “Flea
    // market on 5 March in the hall”
    for (const [n, startsOf] of [...ways, ...ways.slice(0, 2)].entries()) {
      const starts = startsOf()
      const parts = starts.map((from, i): TextPart => [from, starts[i + 1] ?? part[1]])
      const isTable = starts === lines && this.#isTable(parts, days)
      const dated = parts.filter(candidate =>
        isTable ? this.#hasDay(candidate, days) : this.#announces(candidate, days),
      )
      const dates = new Set(
        days.filter(day => dated.some(datedPart => beginsIn(day, datedPart))).map(({ date }) => date),
      )
      const isAll = days.every(({ date }) => dates.has(date))
      // “Fri 5 Feb – The Pennyweights”, one below the other
      const items = new Set(dated.filter(item => this.#startsWithDay(item, days)))
      const isTimed = (item: TextPart): boolean => times.some(time => beginsIn(time, item))
      const isOfItems = items.size === dated.length || [...items].filter(isTimed).length >= MIN_LIST_ITEMS
      // Another day without a time is a deadline, the date of the sheet, or the end of a holiday.
      const announcing = dated.filter(
        item =>
          isTimed(item) ||
          n === ways.length ||
          (n > ways.length && this.#namesKind(item, days)) ||
          (isOfItems
            ? items.has(item)
            : days.some(day => beginsIn(day, item) && day.last !== undefined) ||
              allDayTokens.some(from => beginsIn({ from }, item))),
      )
      // “Anniversary on 6 March”, above its points
      const isProgramme =
        n < ways.length ? announcing.length < dated.length && dates.size < 2 : dates.size < dated.length
      if (announcing.length < 2 || !isAll || isProgramme) continue
      if (this.#areDatesOfOne(announcing)) return [part]
      if (!this.#isFestival(announcing))
        return announcing.flatMap(item => {
          // An exhibition among other events stays one part with its opening.
          const isStay = this.#stayAround(days.filter(day => beginsIn(day, item))) !== undefined
          return isStay ? [item] : this.#split(item)
        })
      this.#joinDays(days)
      return [part]
    }
    return [part]
  }

  /** True if a sentence of a part says on which day a kind of event takes place. */
  #namesKind(part: TextPart, days: readonly DayMention[]): boolean {
    return days.some(
      day => beginsIn(day, part) && this.#kindsOf(sentenceOf(this.#tokens, day.from)).length > 0,
    )
  }

  /** True if a part begins with a day, perhaps after a bullet. */
  #startsWithDay([start]: TextPart, days: readonly DayMention[]): boolean {
    // “Weds. (please note the day), March 24”
    const isNamed = weekdayOf(foldedAt(this.#tokens, start)) > 0
    return days.some(
      ({ from }) =>
        from === start ||
        from === start + 1 ||
        (isNamed && from > start && areInLine(this.#tokens, start, from)),
    )
  }

  /**
   * True if what is below an event is the list of its dates, which begins with its day and hour: “Beginn:
   * Di., 23.2., 18:30 Uhr”, “Termine: 23.2., 18:30–20 Uhr …”.
   */
  #areDatesOfOne([first = [0, 0], ...others]: readonly TextPart[]): boolean {
    const { days, times } = this.#moments
    const beginningOf = (part: TextPart): string =>
      `${days.find(day => beginsIn(day, part))?.date} ${times.find(time => beginsIn(time, part))?.start}`
    const isList = (part: TextPart): boolean =>
      days.filter(day => beginsIn(day, part)).length >= MIN_LIST_ITEMS
    return others.every(other => isList(other) && beginningOf(other) === beginningOf(first))
  }

  /** True if lines below a heading have the days of one festival, one after the other. */
  #isFestival(parts: readonly TextPart[]): boolean {
    const dates = parts.map(part => this.#moments.days.find(day => beginsIn(day, part))?.date ?? '')
    const start = parts[0]?.[0] ?? 0
    const heading = this.#tokens.slice(0, Math.min(start, MAX_OF_HEADING))
    const [first = '', last = ''] = [dates[0], dates.at(-1)]
    // “Fasnacht Bärenwil”, above its days of a week; “CARNAVAL 2027”, below the name of the town
    const isAlone = (at: number): boolean =>
      heading.filter(({ line, kind }) => line === at && kind === 'word').length === 1
    const isFeast =
      heading.some(({ folded, line }) => WORDS.feastsOfDays.has(folded) && (line < 2 || isAlone(line))) &&
      dates.every((date, i) => i === 0 || date > (dates[i - 1] ?? '')) &&
      last <= daysLater(first, MAX_DAYS_OF_FEAST)
    return (
      (areConsecutive(dates) || isFeast) &&
      start > 0 &&
      !this.#isTitleOfFirst(parts) &&
      // “Semana del 18 al 22 de enero”
      !heading.some(({ folded }) => WORDS.weeks.has(folded) || WORDS.calendarsAndNewsletters.has(folded)) &&
      !BULLETS.has(foldedAt(this.#tokens, start))
    )
  }

  /**
   * True if the line above some parts is the title of the first alone: “Spring fair”, “Spring fair, 15 May …”
   */
  #isTitleOfFirst(parts: readonly TextPart[]): boolean {
    const [[start] = [0], ...others] = parts
    const line = this.#tokens[start - 1]?.line
    const heading = this.#tokens.slice(0, start).filter(token => token.line === line)
    const isAt = (from: number): boolean =>
      heading.every(({ folded }, i) => this.#tokens[from + i]?.folded === folded)
    return isAt(start) && !others.some(([from]) => isAt(from))
  }

  /**
   * True if days in a row are listed, and named again above their points: “22, 23 y 24 de octubre … Viernes
   * 22, 19:00: charla”.
   */
  #isProgramme(): boolean {
    const { days } = this.#moments
    const count = days.findIndex(
      ({ isListed, date }, i) => i > 0 && (!isListed || date <= (days[i - 1]?.date ?? '')),
    )
    const listed = days.slice(0, count < 0 ? days.length : count).map(({ date }) => date)
    const points = this.#moments.times.filter(
      time => startsLine(this.#tokens, time.from) || this.#isOfLabelled(time),
    )
    if (count < 0 && days.length > 1 && points.length > 2 && areConsecutive(listed)) return true
    return (
      count > 1 &&
      days.length > count + 1 &&
      areConsecutive(listed) &&
      days.slice(count).every(({ date }) => listed.includes(date))
    )
  }

  /**
   * True if the line of a time begins with a weekday as its label, and names something after the time:
   * “Samstag: 17 Uhr Bieranstich, 20 Uhr Tanz”, “Sam. 6 – 15h : contes”.
   */
  #isOfLabelled({ from, to, end }: TimeMention): boolean {
    const first = skipBack(from, i => areInLine(this.#tokens, i, from)) + 1
    const isLabel =
      this.#tokens[first + 1]?.folded === ':' ||
      this.#tokens
        .slice(first + 1, from)
        .every(({ kind, folded }) => kind !== 'word' || WORDS.small.has(folded))
    const at = skip(
      to,
      i =>
        areInLine(this.#tokens, i, from) &&
        (this.#tokens[i]?.kind === 'sign' || WORDS.small.has(foldedAt(this.#tokens, i))),
    )
    const isNamed =
      areInLine(this.#tokens, at, from) && this.#tokens[at]?.kind === 'word' && !this.#isTaken(at)
    return end === undefined && weekdayOf(foldedAt(this.#tokens, first)) > 0 && isLabel && isNamed
  }

  /** Adds one stretch from the first to the last day of a festival. */
  #joinDays(days: readonly DayMention[]): void {
    const [first] = days
    const last = days.at(-1)
    if (!first || !last || last.date <= first.date) return
    const at = this.#moments.days.indexOf(first)
    this.#moments = {
      ...this.#moments,
      days: this.#moments.days.toSpliced(at, 0, { ...first, last: last.date }),
    }
  }

  #hasDay(part: TextPart, days: readonly DayMention[]): boolean {
    return days.some(day => beginsIn(day, part))
  }

  /**
   * True if most lines with a day have an hour, and most of these say something, so that the rest belong to
   * the table: “Excel | Sa 06.03. | 09:00”, “Sun 17th 9am”. The lines of a course with its dates have no
   * words.
   */
  #isTable(lines: readonly TextPart[], days: readonly DayMention[]): boolean {
    const rows = lines.filter(line => this.#hasDay(line, days))
    const timed = rows.filter(row =>
      this.#moments.times.some(time => time.start !== undefined && beginsIn(time, row)),
    )
    const named = timed.filter(row => this.#wordsOf(row).length > 0)
    return timed.length >= MIN_LIST_ITEMS && timed.length > rows.length / 2 && named.length > timed.length / 2
  }

  /** The words of a part other than days, times and names. */
  #wordsOf([from, to]: TextPart): Token[] {
    return this.#tokens
      .slice(from, to)
      .filter(
        ({ kind, folded }, i) =>
          kind === 'word' && folded.length > 2 && !WORDS.small.has(folded) && !this.#isTaken(from + i),
      )
  }

  /** True if a part has a day, and words other than days, times and names. */
  #announces(part: TextPart, days: readonly DayMention[]): boolean {
    const [from, to] = part
    if (!days.some(day => beginsIn(day, part))) return false
    let words = 0
    let isNamed = false
    for (let i = from; i < to && words < 3; i++) {
      const { kind, folded } = this.#tokens[i] ?? { kind: 'sign', folded: '' }
      // A name in quotation marks is enough.
      if (OPENING_QUOTES.includes(folded)) return true
      if (kind === 'word' && folded.length > 2 && !WORDS.small.has(folded) && !this.#isTaken(i)) {
        isNamed ||= isKind(folded)
        words++
      }
    }
    const start = BULLETS.has(foldedAt(this.#tokens, from)) ? from + 1 : from
    // “Temporada: 15 de diciembre al 7 de marzo” says when something is open.
    const isTimed =
      this.#moments.times.some(time => beginsIn(time, part)) ||
      days.some(day => beginsIn(day, part) && day.last !== undefined)
    return words >= (isNamed || !isTimed || days.some(day => day.from === start) ? 1 : 2)
  }

  #lineStarts([from, to]: TextPart): number[] {
    const starts: number[] = []
    for (let i = from; i < to; i++) if (i === from || startsLine(this.#tokens, i)) starts.push(i)
    return starts
  }

  #blocks([, end]: TextPart, starts: readonly number[], days: readonly DayMention[]): number[] {
    return blocksOfListing({ tokens: this.#tokens, isTaken: this.#isTaken, starts, end }, days)
  }

  #bullets(lines: readonly number[]): number[] {
    return lines.filter(i => BULLETS.has(foldedAt(this.#tokens, i)))
  }

  #paragraphs(lines: readonly number[]): number[] {
    return lines.filter(
      (i, n) => n === 0 || (this.#tokens[i]?.line ?? 0) - (this.#tokens[i - 1]?.line ?? 0) > 1,
    )
  }

  /** Sentences that begin with a day: “Fri Feb 5, 6 pm: Art Walk. Sat Feb 6, 10 am: Story hour.” */
  #datedSentences(part: TextPart): number[] {
    return this.#days
      .map(({ from }) => from)
      .filter(
        (from, i, all) =>
          beginsIn({ from }, part) &&
          from !== all[i - 1] &&
          (from === 0 || ['.', '!', ';'].includes(foldedAt(this.#tokens, from - 1))),
      )
  }

  /**
   * The items of a list in one sentence, each with its day, its time and what takes place: “Fr 5.2. 20 Uhr
   * Konzert, Sa 6.2. 15 Uhr Kasperl”.
   */
  #itemsOfSentence(part: TextPart): number[] {
    const starts = this.#days
      .map(({ from }) => from)
      .filter((from, i, all) => {
        // “…, y el domingo 7”
        const at = skipBack(from - 1, i => WORDS.small.has(foldedAt(this.#tokens, i)))
        const before = foldedAt(this.#tokens, at)
        return beginsIn({ from }, part) && from !== all[i - 1] && [',', ';', ':', '.', '!'].includes(before)
      })
    const items = starts.map((from, i): TextPart => [from, starts[i + 1] ?? part[1]])
    const isOfOneSentence = items.every(
      ([from]) => this.#tokens[from]?.sentence === this.#tokens[starts[0] ?? 0]?.sentence,
    )
    const named = items.map(([from, to]) =>
      this.#tokens.slice(from, to).filter((_, i) => !this.#isTaken(from + i)),
    )
    const times = items.map(item => this.#moments.times.find(mention => beginsIn(mention, item)))
    const isNamed = named.every(
      (words, i) =>
        times[i]?.start !== undefined &&
        words.some(({ kind, folded }) => kind === 'word' && !WORDS.small.has(folded)),
    )
    const kinds = named.filter(item =>
      item.some(({ folded }) => isKind(folded) && !WORDS.sessionsLeftOut.has(folded)),
    )
    // “Fr 5.2., 20 Uhr, The Larks, So 7.2., 11 Uhr, Lesung”
    const isNamedFirst = times.every(time => this.#isNameAfter(time))
    return isOfOneSentence && isNamed && kinds.length > (isNamedFirst ? 0 : 1) ? starts : []
  }

  /**
   * Days of a list, each with the name of its event after a mark: “Trips: 12 May – Scotney Castle; 12 June –
   * Postal Museum; …”
   */
  #namedDays(part: TextPart, days: readonly DayMention[]): number[] {
    const wordAt = (at: number): string => foldedAt(this.#tokens, at)
    const starts = days.flatMap(({ from, to }, i) =>
      (i === 0 || wordAt(from - 1) === ';') && ['-', ':'].includes(wordAt(to)) && beginsIn({ from }, part)
        ? [from]
        : [],
    )
    return starts.length === days.length && starts.length >= MIN_LIST_ITEMS ? starts : []
  }

  /** True if what stands right after a time is neither a place nor a word that leads to one. */
  #isNameAfter(time: TimeMention | undefined): boolean {
    const at = skip(time?.to ?? 0, i => this.#tokens[i]?.folded === ',')
    const { kind, folded = '' } = this.#tokens[at] ?? {}
    return (
      kind === 'word' &&
      !this.#isTaken(at) &&
      !WORDS.beforePlacesAfterHours.has(folded) &&
      !isPlaceWord(folded)
    )
  }

  /**
   * “A talk on 9 March at 11am, and a walk on 18 March at 2pm”: a kind of event and an hour on each side of a
   * comma or an “and”.
   */
  #joinedEvents(part: TextPart): number[] {
    const [start, end] = part
    const { times } = this.#moments
    const days = this.#moments.days.filter(day => beginsIn(day, part))
    const kindsOf = (from: number, to: number): string =>
      this.#tokens
        .slice(from, to)
        .filter(({ folded }) => isKind(folded))
        .map(({ folded }) => folded)
        .join()
    // “Festival with a concert on 5 March and a walk on 7 March”
    const isFestival = this.#tokens
      .slice(start, days[0]?.from)
      .some(({ folded }) => WORDS.feastsOfDays.has(folded))
    const isOneSentence = days.every(
      day => this.#tokens[day.from]?.sentence === this.#tokens[days[0]?.from ?? 0]?.sentence,
    )
    if (isFestival || !isOneSentence) return []
    const starts = [start]
    for (const [i, { from }] of days.entries()) {
      const before = days[i - 1]
      if (!before) continue
      const next = days[i + 1]?.from ?? end
      const isJoint = (at: number): boolean =>
        EVENT_JOINTS.has(foldedAt(this.#tokens, at)) && !this.#isTaken(at)
      let at = from
      let hasKind = kindsOf(from, next) !== ''
      for (; at > before.to && !(isJoint(at) && hasKind); at--) hasKind ||= isKind(foldedAt(this.#tokens, at))
      if (at <= before.to) return []
      starts.push(at + 1)
    }
    const items = starts.map((from, i): TextPart => [from, starts[i + 1] ?? end])
    const kinds = items.map(([from, to]) => kindsOf(from, to))
    const isTimed = items.every(item => times.some(time => time.start !== undefined && beginsIn(time, item)))
    return isTimed && kinds.every(Boolean) && new Set(kinds).size === kinds.length ? starts : []
  }

  /**
   * Sentences that have a day, a time and a kind of event that no sentence before them has: “… Join the
   * online briefing on Tuesday at 6pm.”
   */
  #announcingSentences(days: readonly DayMention[]): number[] {
    const { times } = this.#moments
    const starts: number[] = []
    const kinds = new Set<string>()
    for (const { from } of days) {
      const sentence = sentenceOf(this.#tokens, from)
      const start = this.#tokens.indexOf(sentence[0] as Token, Math.max(0, from - sentence.length))
      const named = this.#kindsOf(sentence)
      const isTimed = times.some(
        time => time.start !== undefined && beginsIn(time, [start, start + sentence.length]),
      )
      const isOther = named.some(folded => !kinds.has(folded))
      for (const folded of named) kinds.add(folded)
      if (starts.length === 0) starts.push(0)
      else if (isTimed && isOther) starts.push(start)
    }
    return starts
  }

  /** The words for kinds of events in a sentence. Memoized, since parts are split again and again. */
  #kindsOf(sentence: readonly Token[]): readonly string[] {
    const sentenceNumber = sentence[0]?.sentence ?? 0
    const kinds = this.#kinds.get(sentenceNumber) ?? sentence.map(({ folded }) => folded).filter(isKind)
    this.#kinds.set(sentenceNumber, kinds)
    return kinds
  }
}
