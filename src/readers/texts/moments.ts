import { WORSHIP } from './calendars.ts'
import { hasWord, sentenceOf, wordsBefore } from './clauses.ts'
import { areInARow, comingDay, type DayMention, daysLater, isFeast, weekdayOn } from './days.ts'
import { countIn, datesFrom, hasPhrase, recurrencesIn, type TextRecurrence } from './recurrences.ts'
import {
  BREAKS,
  isBeforeEvent,
  isDenied,
  isHandedAt,
  isInCase,
  isOfBreak,
  isOfHandover,
  isOfOtherMatters,
  isOrigin,
  isOtherDay,
  isOtherTime,
  isSaidToBegin,
  SESSIONS,
} from './roles.ts'
import { isCalledOff, isFromHour, isPlanned, isPuttingOff, isTarget } from './status.ts'
import type { TimeMention } from './times.ts'
import { BULLETS, type Token } from './tokens.ts'
import {
  AND,
  anyOf,
  BUT,
  CANCELLED,
  FREE,
  FULL,
  isKind,
  NUMBER_WORDS,
  SHEETS,
  SMALL,
  setOf,
  UNTIL,
  WEEKS,
  weekdayOf,
  wordsFor,
} from './words.ts'

// Most texts name more days and times than their event has. This decides which of them are the event's, and
// joins these to dates: of one day, of several, of a series, or of a stretch from its first to its last
// moment.

/** When an event takes place, as the API takes dates: a day without a time where the text says none. */
type EventDates = {
  start: string
  end: string | undefined
  /** Further dates of the same event. */
  dates: string[]
  isAllDay: boolean
  /** The tokens that say it. */
  startTokens: readonly [from: number, to: number]
  endTokens: readonly [from: number, to: number] | undefined
}

/** The days and times of a text that are those of events, and what they leave out. */
export type EventMoments = {
  days: DayMention[]
  times: TimeMention[]
  recurrences: TextRecurrence[]
  /** Days that a series leaves out. */
  except: DayMention[]
  /** Days that gave way to others, or are called off while these are not. */
  gone: DayMention[]
  /** Weekdays on which what takes place each day does not: “tous les jours sauf le lundi”. */
  exceptWeekdays: readonly number[]
  /** Days of a month on which it does not: “not on the 16th”. */
  exceptNumbers: readonly number[]
  /** Where days are left out of which the text says no date: tokens of “nicht in den Ferien”. */
  unclear: readonly number[]
  /** Days up to which something takes place each week. */
  until: DayMention[]
  /** Where it says “all day”: tokens. */
  allDay: readonly number[]
}

/** Before a day of the month. */
const DATED = setOf('the le les el los dia am den der')
/** Words before a day that a series leaves out. */
const EXCEPT = setOf(
  'none menos relache pause except excluding skipping skip skips not no ausser nicht sauf excepte salvo excepto hors pas kein keine',
)
/**
 * The most words before a day in a clause that says on which days there is none, and between “not” and that
 * day.
 */
const [MAX_OF_EXCEPTION, MAX_TO_EXCEPTION] = [4, 2]
/** Days of which the text says no date: feasts, “Osterferien”, “bank holidays”. */
const HOLIDAYS = setOf(
  'ostern pfingsten weihnachten karfreitag himmelfahrt fronleichnam holiday christmas term ascension paques pentecote toussaint noel feries pascua santa navidad festivo festivos',
)
const isHoliday = (tokens: readonly Token[], i: number): boolean => {
  const { low = '' } = tokens[i] ?? {}
  return HOLIDAYS.has(low) || BREAKS.has(low) || /(?:ferien|feiertage?n?)$/.test(low) || isFeast(tokens, i)
}
/** Of what a cinema or a class does not have on a day: “mié 10 sin sesión”. */
const WITHOUT = setOf('sin sans ohne without')
/**
 * Before what is done each week already, beside the day of an event: “Geprobt wird seit Oktober jeden
 * Dienstag”.
 */
const SINCE = setOf('seit since depuis')
/** Tokens of “seit dem Oktober”. */
const MAX_TO_SINCE = 3
/** Tokens after a day in which words leave it out. */
const MAX_TO_LEFT_OUT = 5
/** Tokens before a day in which its preposition stands: “bis zum”, “à partir du”. */
const MAX_TO_DAY = 3
const UNTIL_WORDS = setOf(
  'bis until till hasta jusqu ende endet ends ending finish finishes finishing fin finit termina terminan',
)
/** A day with words around it that the series leaves out: “am 27.3. fällt sie aus”, “el 5 no hay sesión”. */
const LEFT_OUT = setOf('fallt entfallt ausfall pause pas no not kein keine relache frei')

/** Of what is moved to another day alone. */
const SAME_HOUR = [
  'meme heure',
  'same time',
  'gleiche uhrzeit',
  'gleiche zeit',
  'gleicher zeit',
  'gleichen zeit',
  'misma hora',
].map(phrase => phrase.split(' '))

/** Leaves out what is over, and what belongs to deadlines, doors and opening hours. */
export function eventMoments(
  tokens: readonly Token[],
  days: readonly DayMention[],
  times: readonly TimeMention[],
  isTaken: (token: number) => boolean,
  today: string,
): EventMoments {
  const hasDays = days.some(day => !day.isPast && !day.season)
  const isAfterExcept = (at: number): boolean => {
    // “No market Easter Sunday, March 28.”
    const from = tokens[at - 1]?.low === ',' && isFeast(tokens, at - 2) ? at - 3 : at
    const near = wordsBefore(tokens, from, isTaken).filter(word => !SMALL.has(word))
    // “(no story time Feb. 17)”
    const isOnlyException = near.length <= MAX_OF_EXCEPTION && EXCEPT.has(near.at(-1) ?? '')
    return isOnlyException || near.slice(0, MAX_TO_EXCEPTION).some(word => EXCEPT.has(word))
  }
  const recurrences = recurrencesIn(tokens).filter(
    ({ from, to }) =>
      // “Saturday and Sunday, 20 and 21 March”
      !days.some(day => day.from <= from && to <= day.to) &&
      // “Sundays free”
      ![0, 1].some(ahead => FREE.has(tokens[to + ahead]?.low ?? '')) &&
      // “15th–24th April (no show Sunday or Monday)”
      !isAfterExcept(from) &&
      !isOfOtherMatters(tokens, from) &&
      !isUnderHours(tokens, from) &&
      // “geöffnet Samstag und Sonntag 14–17 Uhr”
      !OPEN.has(tokens[from - 1]?.low ?? '') &&
      !(hasDays && hasWord(tokens, from - MAX_TO_SINCE, from, SINCE)),
  )
  const hasSeries = recurrences.length > 0
  const isExcepted = (day: { from: number; to: number }): boolean => {
    if (isAfterExcept(day.from)) return true
    // “Feb 10 – no recital”
    const next = tokens[day.to + 1]
    const isMarked = ['-', ':'].includes(tokens[day.to]?.low ?? '') && next?.line === tokens[day.from]?.line
    // “until 22 March – no class on 15 February”
    const isOfNext = (at: number): boolean =>
      days.some(
        ({ from }) =>
          from > at && from - at <= MAX_TO_LEFT_OUT && tokens[from]?.clause === tokens[at]?.clause,
      )
    // “Fri 5 March: NO TRAIN TO TRIESTE” is a film, but “Choir on Fridays, 5 March NO CHOIR TODAY”
    const isOfName = (at: number): boolean => {
      const [first, second] = tokens.slice(at + 1, at + 3)
      const areWords = [first, second].every(one => one?.kind === 'word' && one.line === tokens[at]?.line)
      const isRepeated = tokens.some(one => one !== first && one.low === first?.low)
      const isNone = isKind(first?.low ?? '') || SESSIONS.has(first?.low ?? '')
      return /^N[oO]$/.test(tokens[at]?.text ?? '') && areWords && !isRepeated && !isNone
    }
    const isLeftOut = (at: number): boolean =>
      LEFT_OUT.has(tokens[at]?.low ?? '') && !isOfNext(at) && !isOfName(at)
    if (isMarked && isLeftOut(day.to + 1)) return true
    if (WITHOUT.has(tokens[day.to]?.low ?? '') && SESSIONS.has(tokens[day.to + 1]?.low ?? '')) return true
    for (let i = day.to; i < day.to + MAX_TO_LEFT_OUT; i++)
      if (tokens[i]?.clause === tokens[day.from]?.clause && isLeftOut(i)) return true
    return false
  }
  const isUntil = (day: DayMention): boolean =>
    recurrences.some(
      ({ from, to }) =>
        tokens[from]?.sentence === tokens[day.from]?.sentence &&
        (hasWord(tokens, day.from - MAX_TO_DAY, day.from, UNTIL_WORDS) ||
          // “every Thursday to 25 March”
          (day.from === to + 1 && ['to', 'through'].includes(tokens[to]?.low ?? ''))),
    )
  const coming = days.filter(day => !day.isPast)
  const until = coming.filter(isUntil)
  const except: DayMention[] = []
  if (
    hasSeries ||
    countIn(tokens) !== undefined ||
    coming.length > 2 ||
    coming.some(({ last }) => last !== undefined)
  )
    for (const [i, day] of coming.entries()) {
      // “relâche les 18 et 25 février”, “am 23. und 30. März ist kein Kurs”
      const isFurther = day.isListed && i > 0 && except.some(one => one === coming[i - 1])
      const next = coming[i + 1]
      const isNumber = tokens.slice(day.from, day.to).every(({ kind }) => kind !== 'word')
      const isOfNext = isNumber && next?.isListed === true && isExcepted(next)
      if (!until.includes(day) && (isFurther || isOfNext || isExcepted(day))) except.push(day)
    }
  const isOfMention = (i: number): boolean =>
    isTaken(i) || recurrences.some(({ from, to }) => from <= i && i < to)
  const weekdayAt = (i: number): number => weekdayOf(tokens[i]?.low ?? '')
  const leftOut = tokens.flatMap((_, i) =>
    !isOfMention(i) && (isHoliday(tokens, i) || weekdayAt(i) > 0) && isExcepted({ from: i, to: i + 1 })
      ? [i]
      : [],
  )
  // “No class on the 16th”, “excepto el día 16”
  const exceptNumbers = tokens.flatMap(({ kind, text }, i) => {
    const before = tokens[i - 1]?.low === ',' ? weekdayOf(tokens[i - 2]?.low ?? '') : 0
    const isOrdinal =
      before > 0 ||
      DATED.has(tokens[i - 1]?.low ?? '') ||
      ['st', 'nd', 'rd', 'th'].includes(tokens[i + 1]?.low ?? '')
    const isDay = kind === 'number' && isOrdinal && Number(text) > 0 && Number(text) < 32
    return isDay && !isTaken(i) && isExcepted({ from: i, to: i + 1 }) ? [Number(text)] : []
  })
  const isErratum = tokens.some(({ low }) => ERRATA.has(low))
  const head = tokens.findIndex(({ line }, i) => i > 0 && line - (tokens[i - 1]?.line ?? line) > 1)
  // “los días 2, 3 y 4 de febrero”: what is said of the first day of a list is said of all.
  const headOf = (day: DayMention): DayMention => {
    let at = coming.indexOf(day)
    while (at > 0 && coming[at]?.isListed && coming[at - 1]?.from !== coming[at]?.from) at--
    return coming[at] ?? day
  }
  const isOther = (day: DayMention): boolean =>
    until.includes(day) ||
    except.includes(day) ||
    isOtherDay(tokens, day, isTaken) ||
    // “le jeudi 4 et non le vendredi 5”
    (coming.length > 1 &&
      ((day !== coming[0] && isInCase(tokens, day)) ||
        isOfBrackets(tokens, day, coming) ||
        isOfBreak(tokens, day) ||
        isOfHandover(tokens, headOf(day), isTaken) ||
        isDenied(tokens, day, isTaken))) ||
    // “moved from Thursday 4 March to Thursday 11 March” says both.
    (day.last === undefined &&
      isOrigin(tokens, day, isTaken) &&
      coming.every(one => one === day || !areOfOneSentence(tokens, one, day))) ||
    isDateline(tokens, day, days, today, hasSeries) ||
    isInPastTense(tokens, day, today) ||
    (isErratum && isPrinted(tokens, day)) ||
    isOfStreet(tokens, day) ||
    isOfHead(tokens, day, { days, times, head, today })
  // “todos los viernes de febrero … El viernes 12 no hay baile”
  const isLeftOut = ({ date, isListed }: DayMention): boolean =>
    isListed &&
    (exceptNumbers.includes(Number(date.slice(8))) ||
      except.some(one => one.date === date && one.last === undefined))
  const all = coming.filter(day => !day.season && !isOther(day) && !isLeftOut(day))
  const announced = all.filter(day => !isOld(tokens, day, all))
  // A date that is sold out may be the only one.
  const open = announced.filter(day => !isFull(tokens, day))
  const dated = withoutOpenDays(tokens, open.length > 0 ? open : announced, times)
  const isSameHour = hasPhrase(tokens, 0, tokens.length, SAME_HOUR)
  const others = days.filter(
    day =>
      !day.season &&
      !dated.some(one => one.from === day.from) &&
      !until.includes(day) &&
      !except.includes(day) &&
      // “reporté du mercredi 20 janvier à 15 h au mercredi 10 mars, même heure”
      !(isSameHour && all.includes(day)),
  )
  const kept: TimeMention[] = []
  let hours: TimeMention | undefined
  let isOfOther = false
  for (const [i, time] of times.entries()) {
    // “Anmeldung bis 5. März, 18 Uhr”: a time right after a day is that day's.
    const isOfOtherDay = others.some(
      day =>
        (day.to <= time.from &&
          time.from - day.to < MAX_BETWEEN_DAY_AND_TIME &&
          tokens[day.to]?.sentence === tokens[time.from]?.sentence &&
          isJoined(tokens, day.to, time.from)) ||
        // “by 5pm on Friday 26 February”
        (time.to <= day.from &&
          day.from - time.to < MAX_TO_DAY &&
          tokens[day.from]?.line === tokens[time.from]?.line &&
          !hasWord(tokens, time.to, day.from, EXCEPT) &&
          isJoined(tokens, time.to, day.from) &&
          isOtherDay(tokens, day, isTaken)),
    )
    const before = times[i - 1]
    const isSameSentence =
      before !== undefined && tokens[before.from]?.sentence === tokens[time.from]?.sentence
    isOfOther = isOtherTime(tokens, time, isTaken, isOfOther && isSameSentence) || isOfOtherDay
    if (isOfOther && !isOfOtherDay && isOpenTo(tokens, time, dated, isTaken)) hours = time
    // “We are open from 10 to 4 on Saturday. At 2 the mayor speaks.”
    if (!isOfOther && hours && isWithin(time, hours)) kept.push(hours)
    if (!isOfOther || hours !== time) hours = undefined
    if (!isOfOther) {
      // “moved from 7pm to 8pm”
      const own = isFromHour(tokens, time) ? { ...time, start: time.end, end: undefined } : time
      kept.push(isSaidToBegin(tokens, time.from, isTaken) ? { ...own, isBeginning: true } : own)
    }
  }
  // “Annahme 8–9 Uhr, Verkauf 9–14 Uhr”
  const sold = kept.filter(time => !isHandedAt(tokens, time, isTaken))
  const ofSale = sold.some(({ start }) => start !== undefined) ? sold : kept
  const isHandover = (day: DayMention, i: number): boolean => {
    const end = dated[i + 1]?.from ?? tokens.length
    const own = kept.filter(({ from }) => from >= day.to && from < end)
    return own.length > 0 && own.every(time => !ofSale.includes(time))
  }
  const moved = dated.map(day => afterPostponement(tokens, day))
  const isAhead = (time: TimeMention, i: number): boolean =>
    time.start !== undefined &&
    !days.some(day => day.from >= time.to && day.to <= (kept[i + 1]?.from ?? 0)) &&
    isBeforeEvent(tokens, time, kept[i + 1], isTaken)
  // Of a list of days, such as “el 23 y 24 de enero”, the last one is beside the next.
  const lastOfList = (i: number): number => (dated[i + 1]?.isListed === true ? lastOfList(i + 1) : i)
  const replaced = dated
    .filter((day, i) => {
      const last = lastOfList(i)
      return moved[i]?.date !== day.date || isReplaced(tokens, dated[last] ?? day, dated[last + 1])
    })
    .map(({ date }) => date)
  const gone = all.filter(
    day =>
      !announced.includes(day) ||
      replaced.includes(day.date) ||
      (!dated.includes(day) && isCalledOff(sentenceOf(tokens, day.from))),
  )
  // “jeden Samstag von Mai bis September”: without its months it would begin today.
  const seasons = coming.filter(
    day =>
      day.season &&
      !until.includes(day) &&
      !except.includes(day) &&
      ofSeason(tokens, recurrences, day).length > 0,
  )
  const ofSeasons = seasons.flatMap(season => ofSeason(tokens, recurrences, season))
  const isSure =
    seasons.length === 1 &&
    dated.length === 0 &&
    seasons.every(({ season }) => season === 'sure') &&
    ofSeasons.every(({ step }) => step === 7)
  return {
    // “4 March talk postponed”, as the subject
    days: [
      ...moved.filter((day, i) => !replaced.includes(day.date) && !isHandover(day, i)),
      ...(isSure ? seasons : []),
    ],
    times: ofSale.filter(time => !isAhead(time, kept.indexOf(time))),
    recurrences: isSure ? recurrences : recurrences.filter(one => !ofSeasons.includes(one)),
    except,
    gone,
    exceptWeekdays: leftOut.map(i => (isHoliday(tokens, i) ? 0 : weekdayAt(i))),
    // “nicht am zweiten Montag” of those that it takes place on
    exceptNumbers,
    unclear: leftOut.filter(
      i => isHoliday(tokens, i) || recurrences.some(({ weekdays }) => weekdays.includes(weekdayAt(i))),
    ),
    until,
    allDay: allDayIn(tokens),
  }
}

/** What recurs in some months: beside them, or in the sentence of one month alone. */
const ofSeason = (
  tokens: readonly Token[],
  recurrences: readonly TextRecurrence[],
  season: DayMention,
): TextRecurrence[] =>
  recurrences.filter(one =>
    season.to - season.from > 2
      ? isNear(tokens, one, season)
      : tokens[one.from]?.sentence === tokens[season.from]?.sentence,
  )

const areOfOneSentence = (tokens: readonly Token[], a: DayMention, b: DayMention): boolean =>
  tokens[a.from]?.sentence === tokens[b.from]?.sentence

/**
 * Leaves out the weekdays of a month if they have no time, but another day has: “Sonntags im März geöffnet.
 * Führung am 7. März um 15 Uhr.”
 */
function withoutOpenDays(
  tokens: readonly Token[],
  days: readonly DayMention[],
  times: readonly TimeMention[],
): readonly DayMention[] {
  const timed = new Set(times.map(({ from }) => tokens[from]?.sentence))
  const isTimed = ({ from }: DayMention): boolean => timed.has(tokens[from]?.sentence)
  const isOfList = ({ from }: DayMention, i: number): boolean =>
    days[i - 1]?.from === from || days[i + 1]?.from === from
  return days.some((day, i) => isTimed(day) && !isOfList(day, i))
    ? days.filter((day, i) => isTimed(day) || !isOfList(day, i))
    : days
}

const OPEN = setOf('open opens ouvert ouverte ouverts ouvertes abierto abierta abre abrimos geoffnet')
/** Of what is open at other hours than those of an event. */
const SERVICES = setOf(
  'box office bar kitchen cafe kasse abendkasse tageskasse taquilla billetterie buvette cuisine cocina barra',
)
/** True if a house is open from one time to another on a day of an event, and not its box office alone. */
function isOpenTo(
  tokens: readonly Token[],
  time: TimeMention,
  days: readonly DayMention[],
  isTaken: (token: number) => boolean,
): boolean {
  const words = wordsBefore(tokens, time.from, isTaken)
  const sentence = tokens[time.from]?.sentence ?? 0
  return (
    time.start !== undefined &&
    time.end !== undefined &&
    words.some(word => OPEN.has(word)) &&
    !words.some(word => SERVICES.has(word)) &&
    days.some(day => {
      const own = tokens[day.from]?.sentence ?? 0
      return day.to <= time.from && (own === sentence || own === sentence - 1)
    })
  )
}
const isWithin = (
  { start = '' }: TimeMention,
  { start: opens = '', end: closes = '' }: TimeMention,
): boolean => start > opens && (start < closes || closes < opens)

const HOURS = setOf('offnungszeiten horario horarios horaires hours sprechzeiten burozeiten oficina')
/** True if a line is one of those below “Opening hours”. */
function isUnderHours(tokens: readonly Token[], at: number): boolean {
  for (let i = at; i > Math.max(0, at - 60); i--) {
    if ((tokens[i]?.line ?? 0) - (tokens[i - 1]?.line ?? 0) > 1) return false
    if (HOURS.has(tokens[i - 1]?.low ?? '')) return true
  }
  return false
}

/**
 * True if a sentence in the past tense says a day that has no year: “Der Basar am 5. Dezember war ein
 * Erfolg.”
 */
const isInPastTense = (tokens: readonly Token[], day: DayMention, today: string): boolean =>
  day.date > daysLater(today, USUAL_DAYS_AHEAD) &&
  !tokens.slice(day.from, day.to).some(({ text }) => text.length === 4 && Number(text) > 0) &&
  sentenceOf(tokens, day.from).some(
    ({ low }, i, own) =>
      i > 0 &&
      PAST_TENSE.has(low) &&
      // “at the war memorial”
      (low !== 'war' || !own.some(one => one.low === 'the')) &&
      // “en la era del pueblo”
      (low !== 'era' || own[i - 1]?.low !== 'la'),
  )
/** Most announced events take place within this number of days. */
const USUAL_DAYS_AHEAD = 150
/** Verbs in the past tense, and words that thank for what is over. */
const PAST_TENSE = setOf(
  'dank danken dankt bedanken bedankt thanks thank remercier remercie remercient remerciements merci gracias agradece agradecemos war waren wurde wurden hatte hatten gewann gewannen fand fanden was were won raised took fut furent etait etaient fue fueron era eran hubo gano ganaron kam kamen besuchten came attended vinieron acudieron asistieron vinrent',
)

/** Of texts that correct another one. */
const ERRATA = setOf('erratas errata erratum berichtigung korrektur correction corrigendum druckfehler')
/** Before what another text says: “el cartel pone viernes 5”. */
const PRINTED = setOf(
  'pone puso dice decia figura aparecio aparece steht stand says said shows gave indique annonce indiquait annoncait',
)
/** True if a day is one that a text with a mistake says. */
const isPrinted = (tokens: readonly Token[], { from }: DayMention): boolean =>
  tokens
    .slice(Math.max(0, from - MAX_TO_PRINTED), from)
    .some(({ low, sentence }) => PRINTED.has(low) && sentence === tokens[from]?.sentence)
const MAX_TO_PRINTED = 5

const NAMED_BY_DAYS = setOf('calle avenida avda plaza rue place boulevard platz por')

/** True if a street has the name of a day: “5 de Mayo 512”, “por 18 de Julio”, “rue du 8 mai”. */
function isOfStreet(tokens: readonly Token[], { from, to }: DayMention): boolean {
  const [number, next] = [tokens[to], tokens[to + 1]]
  const isNumbered =
    number?.kind === 'number' &&
    number.isSpaced &&
    number.line === tokens[from]?.line &&
    (next?.line !== number.line ? next?.low !== 'uhr' : next.low === ',')
  const before = ['du', 'des', 'de', 'del'].includes(tokens[from - 1]?.low ?? '') ? from - 2 : from - 1
  return tokens[from]?.kind === 'number' && (isNumbered || NAMED_BY_DAYS.has(tokens[before]?.low ?? ''))
}

/** True if nothing but small words and commas stands between a day and a time. */
const isJoined = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.slice(from, to).every(({ low }) => [',', '.'].includes(low) || SMALL.has(low))

/** True if a time follows a day, perhaps in brackets or after “at”, and no comma or “and” stands between. */
const isRightAfter = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.slice(from, to).every(({ low }) => ['(', ':'].includes(low) || (SMALL.has(low) && !AND.has(low)))

/** Days from today to the date of a letter at most. */
const MAX_DAYS_TO_DATELINE = 7
/**
 * True if a day is that on which the text was written: in the head of it, at most a week ago, where other
 * days follow.
 */
function isDateline(
  tokens: readonly Token[],
  day: DayMention,
  days: readonly DayMention[],
  today: string,
  hasSeries: boolean,
): boolean {
  const isOfSheet =
    tokens[day.from]?.line === tokens[0]?.line &&
    (SHEETS.has(tokens[0]?.low ?? '') || SHEETS.has(tokens[1]?.low ?? ''))
  const isToday = day.date <= daysLater(today, MAX_DAYS_TO_DATELINE)
  const isAbove = (at: number): boolean => isToday && (days.some(one => one.from > at) || hasSeries)
  if (isPlaceAndDate(tokens, day, isAbove)) return true
  const isNow = day.date <= today && (day.last ?? day.date) <= daysLater(today, 7)
  // “Week of 17 January”, but not “Services this week” above the day
  const isOfWeek = tokens
    .slice(Math.max(0, day.from - MAX_TO_DAY), day.from)
    .some(({ low, line }) => WEEKS.has(low) && line === tokens[day.from]?.line)
  return (
    (isOfSheet || isNow || isOfWeek) &&
    (tokens[day.to]?.line ?? -1) !== tokens[day.from]?.line &&
    day.to < 30 &&
    days.some(other => other.from > day.from && other.date > day.date)
  )
}
/**
 * True if a day is that of a sheet of notices: it ends a line of the head, which has no time, and notices
 * with days and times follow.
 *
 * @param head the token at which the second paragraph begins
 */
function isOfHead(
  tokens: readonly Token[],
  { from, to, date, last, isListed }: DayMention,
  {
    days,
    times,
    head,
    today,
  }: { days: readonly DayMention[]; times: readonly TimeMention[]; head: number; today: string },
): boolean {
  const { line } = tokens[from] ?? { line: 0 }
  const first = tokens.findIndex(token => token.line === line)
  // “Newsletter, Sunday 17th January 2027 – Second Sunday in Ordinary Time”
  const isOfSheetLine =
    date <= daysLater(today, MAX_DAYS_TO_DATELINE) &&
    hasWord(tokens, first, Math.min(first + 2, from), SHEETS)
  if (
    isListed ||
    to > head ||
    (tokens[to]?.line === line && !isOfSheetLine) ||
    times.some(time => time.from < head)
  )
    return false
  const isSheet = tokens.slice(0, head).some(({ low }) => SHEETS.has(low))
  const isTimed = (day: DayMention): boolean =>
    times.some(time => time.from >= day.to && time.from - day.to < MAX_TO_ITS_TIME)
  const below = days.filter(day => day.from >= head)
  // “Fiestas de San Blas, del 2 al 7 de febrero”, above its days
  const isFestival =
    last !== undefined &&
    !tokens.slice(0, head).some(({ low }) => WEEKS.has(low) || OF_SEVERAL.has(low)) &&
    [date, last].every(end => below.some(day => day.date === end)) &&
    below.every(day => day.date >= date && day.date <= last)
  if (isFestival && !isSheet) return false
  const noticed = below.filter(day => day.date !== date && isTimed(day))
  return noticed.length > (isSheet ? 0 : 1)
}
/** Of a heading above several events: “Gottesdienste vom 7. bis 14. Februar”, a cinema. */
const OF_SEVERAL = anyOf(
  WORSHIP,
  setOf('masses filme films peliculas kino cinema cine lichtspiele termine veranstaltungen'),
)
/** The most tokens between a day and its time, and of those that join a time to a day of something else. */
const [MAX_TO_ITS_TIME, MAX_BETWEEN_DAY_AND_TIME] = [8, 5]

/** A line that says where and when something was written: “Villaserena, a 5 de marzo de 2027”. */
function isPlaceAndDate(
  tokens: readonly Token[],
  { from, to }: DayMention,
  hasOther: (at: number) => boolean,
): boolean {
  const { line } = tokens[from] ?? { line: -1 }
  const article = ['a', 'le', 'den'].includes(tokens[from - 1]?.low ?? '')
    ? (tokens[from - 1]?.low ?? '')
    : ''
  const comma = article === '' ? from - 1 : from - 2
  const after = tokens[to]
  // “Lindenau, 14. Januar 2027. Die Stadt lädt …”
  const isAfterDate =
    after?.line === line && !(MARKS_OF_DATELINE.has(after?.low ?? '') && tokens[to + 1]?.kind === 'word')
  if (tokens[comma]?.low !== ',' || isAfterDate || tokens[to - 1]?.text.length !== 4) return false
  let start = comma
  while (start > 0 && comma - start < 5 && tokens[start - 1]?.line === line) start--
  const isName = tokens.slice(start, comma).every(({ kind, low }) => kind === 'word' || low === '-')
  // “Newsletter, Sunday 17th January 2027 – Second Sunday in Ordinary Time” is that of the sheet.
  const isOfSheet = after?.line === line && SHEETS.has(tokens[start]?.low ?? '')
  const isWhole = tokens[start - 1]?.line !== line && comma - start > 0 && !isOfSheet
  return isName && isWhole && (article === 'a' || hasOther(from))
}

/** Between the place and date of a press release and its first sentence. */
const MARKS_OF_DATELINE = new Set(['.', '-', ':', '|'])

/** Words for the new date of a cancelled event. */
const NEW_DATE = wordsFor('newDate')

/**
 * True if another day of the sentence is that to which an event was put off: “se aplaza al 20 de febrero la
 * cata de este viernes”.
 */
function isOld(tokens: readonly Token[], day: DayMention, days: readonly DayMention[]): boolean {
  if (isTarget(tokens, day)) return false
  const sentence = tokens[day.from]?.sentence
  const target = days.find(other => tokens[other.from]?.sentence === sentence && isTarget(tokens, other))
  // “El concierto del viernes 5 se pasa al sábado 6”
  const isPassed = ['pasa', 'pasan', 'pasamos'].includes(tokens[(target?.from ?? 0) - 2]?.low ?? '')
  return target !== undefined && (isPassed || sentenceOf(tokens, day.from).some(isPuttingOff))
}

/** Before the day for which something was planned before it was moved. */
const AT_FIRST = setOf(
  'abord initialement first originally initially ursprunglich zunachst zuerst principio inicialmente',
)
/** Tokens of “abord annoncée pour le dimanche”. */
const MAX_TO_FIRST = 6

/** True if another day takes the place of one: “statt am 5. nun am 6.”, “postponed. New date: 6 March”. */
function isReplaced(tokens: readonly Token[], day: DayMention, next: DayMention | undefined): boolean {
  if (!next || next.date === day.date) return false
  const [own, other] = [tokens[day.from]?.sentence ?? 0, tokens[next.from]?.sentence ?? 0]
  if (other - own > 2) return false
  const between = tokens.slice(day.to, next.from)
  const sentence = sentenceOf(tokens, day.from)
  const isMoved = sentence.some(isPuttingOff)
  // “New date to follow. Saturday 13 February: …”
  const leading = between.slice(between.findLastIndex(({ low }) => low === '.' || low === '!') + 1)
  const isOff = isCalledOff(sentence)
  const isNew = ({ low }: Token, i: number, some: readonly Token[]): boolean =>
    NEW_DATE.has(low) || (low === 'made' && some[i + 1]?.low === 'up')
  // “Abgesagt! Konzert am 6. März. Ersatztermin: 13. März”
  const isOffAbove = (own > 0 && hasWord(tokens, 0, day.from, CANCELLED)) || isOff
  if (other !== own && (isMoved || isOffAbove) && leading.some(isNew)) return true
  // “… annoncée pour le 15, ne pourra pas avoir lieu. Elle est reportée au 12 février.”
  if (other !== own && isOff && isTarget(tokens, next) && sentenceOf(tokens, next.from).some(isPuttingOff))
    return true
  // “… wird daher verlegt auf”, above “Freitag, 16. April”
  const last = sentence.at(-1)?.low === ':' ? sentence.at(-2) : sentence.at(-1)
  if (isMoved && (other === own || TARGETS.has(last?.low ?? ''))) return true
  // “… aplazar la feria, prevista para el 23. Se celebrará el 20 de febrero.”
  const isHeld = other === own && hasWord(tokens, next.from - MAX_TO_HELD, next.from, HELD)
  // “New date: the concert planned for 27 February is now on 6 March”, “wird am 6. März nachgeholt”
  const isAnnouncedAnew =
    isPlanned(tokens, day) ||
    sentence.some(
      (one, i) => isNew(one, i, sentence) && (one.from < (tokens[day.from]?.from ?? 0) || NOW.has(one.low)),
    )
  const isSaidAnew =
    other === own &&
    (sentence.some(({ low }) => MADE_UP.has(low)) ||
      // “d’abord annoncée pour le 7 mars, se courra le 14 mars”
      (isPlanned(tokens, day) && hasWord(tokens, day.from - MAX_TO_FIRST, day.from, AT_FIRST)) ||
      (isAnnouncedAnew &&
        between.some(({ low }) => NOW.has(low)) &&
        !between.some(({ low }) => ALSO.has(low))))
  if (isSaidAnew || (isPlanned(tokens, day) && (isHeld || (isMoved && !isPlanned(tokens, next))))) return true
  // “… cannot go ahead on the 13th. The vicar has offered us Saturday 6 March instead.”
  // “… muss ausfallen und wird am 27. Januar nachgeholt.”, “… has been postponed. We meet instead on 2
  // February.”
  if (isOff || (isMoved && other !== own))
    return sentenceOf(tokens, next.from).some(
      (one, i, some) => INSTEAD.has(one.low) || (other === own && isNew(one, i, some)),
    )
  return other === own && between.some(({ low }) => BUT.has(low))
}
/**
 * True if a day stands alone in brackets, after a name, and that of the event in its sentence: “Con motivo
 * del Día Mundial (2 de febrero) … el sábado 6”.
 */
function isOfBrackets(tokens: readonly Token[], day: DayMention, days: readonly DayMention[]): boolean {
  const isIn = ({ from, to }: DayMention): boolean => tokens[from - 1]?.low === '(' && tokens[to]?.low === ')'
  const name = tokens[day.from - 2]
  const isAfterName =
    name?.kind === 'word' && weekdayOf(name.low) === 0 && name.line === tokens[day.from]?.line
  return (
    isIn(day) &&
    isAfterName &&
    days.some(one => !isIn(one) && one.from > day.to && areOfOneSentence(tokens, one, day))
  )
}
/** At the end of a line above the day to which something is moved. */
const TARGETS = setOf('auf zum to au a al para')
/** Before the day that is the right one now. */
const NOW = setOf('now nun jetzt finalement sera finalmente ahora')
const ALSO = setOf('also auch aussi tambien')
const MADE_UP = setOf('nachgeholt rattrape rattrapee recupera recuperara')
/** Right before the day on which something takes place: “tendrá lugar el próximo jueves 4 de febrero” */
const HELD = setOf('lugar lieu place findet held celebra celebrara')
const MAX_TO_HELD = 4
/** Of a sentence that says on which day something takes place in place of another. */
const INSTEAD = setOf(
  'instead now rearranged stattdessen weichen ausweichen dafur ersatzweise plutot place lugar haremos',
)

/** True if a day is sold out or called off: “6 February is full; a second one …”. */
function isFull(tokens: readonly Token[], { from, to }: DayMention): boolean {
  for (let i = to; i < to + 8; i++) {
    const { low, line } = tokens[i] ?? { low: ';', line: -1 }
    if (low === ';' || low === '.' || line !== tokens[from]?.line) return false
    if (FULL.has(low)) return true
  }
  return false
}

/** Of a stretch in which an event was postponed its end counts: “from 21 January to 4 February”. */
function afterPostponement(tokens: readonly Token[], day: DayMention): DayMention {
  const { last, ...first } = day
  if (last === undefined || !sentenceOf(tokens, day.from).some(isPuttingOff)) return day
  return { ...first, date: last }
}

/** Phrases by their first words. */
const ALL_DAY = Map.groupBy(
  ['all day', 'all - day', 'ganztagig', 'todo el dia', 'toute la journee', 'den ganzen tag'].map(phrase =>
    phrase.split(' '),
  ),
  ([first = '']) => first,
)
const EACH = wordsFor('eachTime')
const MORE = setOf(
  'weitere weiterer further more also another second segunda segundo otra otras autre autres deuxieme tambien zweite',
)

/** The most tokens between a start and an end that is said alone. */
const MAX_TO_END = 14
/** The most lines between a day and its time. */
const MAX_LINES = 3
/** The most tokens between a day and a time before it: `8pm on Friday 5 March`. */
const MAX_BEFORE = 5

/**
 * When the event of a part of a text takes place; undefined if it does not say it for sure.
 *
 * @param all the tokens of the text
 * @param part the first token of the part, and the one after its last
 */
export function whenOf(
  all: readonly Token[],
  [from, to]: readonly [number, number],
  moments: EventMoments,
  today: string,
): EventDates | undefined {
  // Mentions are known by the numbers of their tokens, so those before the part stay.
  const tokens = all.slice(0, to)
  const { times } = moments
  const stretch = stretchIn(moments.days, times)
  const days = stretch ? moments.days : moments.days.filter(({ last }) => last === undefined)
  const own = tokens[days[0]?.from ?? -1]?.sentence
  // “Fest am 18. April, 10–18 Uhr. … Den ganzen Tag: Streichelzoo”
  const isTimed = times.some(({ start, from }) => start !== undefined && tokens[from]?.sentence === own)
  const isAllDay = !isTimed && moments.allDay.some(at => at >= from && at < to)
  const series = recurring(tokens, [from, to], stretch, moments, today)
  const [first] = series ?? []
  if (series && first) return ofDays(tokens, first, series, times, isAllDay)
  // Nobody knows on which of their days it is.
  if (days.some(({ season }) => season)) return undefined
  if (stretch) return nightly(tokens, stretch, times) ?? ofStretch(tokens, stretch, days, times)
  const skipped = countStoryDays(tokens, days, times)
  if (skipped > 0) return whenOf(all, [from, to], { ...moments, days: days.slice(skipped) }, today)
  const other = days.findIndex((day, i) => i > 0 && isOfAnother(tokens, from, days[i - 1], day))
  return days[0] && ofDays(tokens, days[0], other < 0 ? days : days.slice(0, other), times, isAllDay)
}

/**
 * The stretch of an event: none that follows a day with a time far from it, such as that for which a supper
 * collects money.
 */
function stretchIn(days: readonly DayMention[], times: readonly TimeMention[]): DayMention | undefined {
  const stretch = days.find(({ last }) => last !== undefined)
  const [first] = days
  if (!stretch || !first || (first.date >= daysLater(stretch.date, -2) && first.date <= (stretch.last ?? '')))
    return stretch
  const isTimed = times.some(
    ({ start, from }) => start !== undefined && from >= first.to && from < stretch.from,
  )
  return isTimed ? undefined : stretch
}

/**
 * How many days of a story stand before the day of the event: that has a time in its sentence, they have none
 * in theirs.
 */
function countStoryDays(
  tokens: readonly Token[],
  days: readonly DayMention[],
  times: readonly TimeMention[],
): number {
  const sentence = ({ from }: { from: number }): number => tokens[from]?.sentence ?? 0
  const isTimed = (day: DayMention): boolean =>
    times.some(time => time.start !== undefined && sentence(time) === sentence(day))
  const timed = days.findIndex(isTimed)
  const isOfStory = (day: DayMention): boolean =>
    !startsItem(tokens, day.from) &&
    sentence(day) < sentence(days[timed] ?? day) &&
    sentenceOf(tokens, day.from).length > LONG_SENTENCE
  return timed > 0 && days.slice(0, timed).every(isOfStory) ? timed : 0
}
/** Tokens of a sentence that is no line of a poster. */
const LONG_SENTENCE = 8

/** Tokens before a day that may name what takes place on it. */
const MAX_NAMED = 60
/**
 * True if something else is named between two days of a sentence: “Lesung am 23. Januar und Spieleabend am
 * 27. Januar”.
 */
function isOfAnother(
  tokens: readonly Token[],
  from: number,
  last: DayMention | undefined,
  day: DayMention,
): boolean {
  const at = last?.to ?? day.from
  const named = tokens.slice(Math.max(from, at - MAX_NAMED), at).map(({ low }) => low)
  return tokens.slice(at, day.from).some(({ low }) => isKind(low) && !EACH.has(low) && !named.includes(low))
}

const MAX_NIGHTS = 21
/** The most hours that one event of a series lasts. What is open for longer is an exhibition. */
const MAX_HOURS = 3.5

/** Mentions of further dates of what a text says at one place. */
const mentionsOf = (dates: readonly string[], { from, to }: { from: number; to: number }): DayMention[] =>
  dates.map((date, i) => ({ ...comingDay(from, to, date), isListed: i > 0 }))

/** The days of what takes place each week, or each day of a run: undefined if the text says neither. */
function recurring(
  tokens: readonly Token[],
  [from, to]: readonly [number, number],
  stretch: DayMention | undefined,
  moments: EventMoments,
  today: string,
): DayMention[] | undefined {
  const series = seriesIn(tokens, [from, to], stretch, moments, today)
  return moments.unclear.some(at => at >= from && at < to) ? series?.slice(0, 1) : series
}

function seriesIn(
  tokens: readonly Token[],
  [from, to]: readonly [number, number],
  stretch: DayMention | undefined,
  { days, times, recurrences, except, exceptWeekdays, exceptNumbers, until }: EventMoments,
  today: string,
): DayMention[] | undefined {
  if (!times.some(({ start }) => start !== undefined)) return undefined
  const own = recurrences.filter(one => one.from >= from && one.to <= to)
  const isLeftOut = (date: string): boolean =>
    exceptNumbers.includes(Number(date.slice(8))) ||
    except.some(day => date >= day.date && date <= (day.last ?? day.date))
  if (stretch)
    return ofRun(tokens, from, stretch, { days, times, recurrences: own, isLeftOut, exceptWeekdays })
  const count = countIn(tokens.slice(from, to))
  const [begin] = days
  const [one = begin && count !== undefined && isFrom(tokens, begin) ? weeklyFrom(begin) : undefined] = own
  if (!one) return undefined
  const [end] = until.filter(day => day.from >= from && day.to <= to)
  if (begin === undefined) {
    // “Tuesdays 9.30 and Thursdays 15” are two.
    if (own.length > 1) return undefined
    const isAfter = (date: string): boolean => date < today || isLeftOut(date)
    return mentionsOf(
      datesFrom(one, today, { last: end?.date }, isAfter),
      end && end.from < one.from ? end : one,
    )
  }
  // “every Tuesday, next on 5 March” and other days that are written out.
  if (days.length > 1 || !isNear(tokens, one, begin)) return undefined
  const isItsFirst =
    end !== undefined || one.weekdays.includes(weekdayOn(begin.date)) || isFrom(tokens, begin)
  return isItsFirst
    ? mentionsOf(datesFrom(one, begin.date, { last: end?.date, count }, isLeftOut), begin)
    : undefined
}

type Mention = { from: number }
/** True if two mentions are in the same sentence or in two that follow each other. */
const isNear = (tokens: readonly Token[], a: Mention, b: Mention): boolean =>
  Math.abs((tokens[a.from]?.sentence ?? 0) - (tokens[b.from]?.sentence ?? 0)) < 2

/** The days of a run: “5–28 March, Fridays and Saturdays 7 pm”, “daily at 8 pm”, a course. */
function ofRun(
  tokens: readonly Token[],
  from: number,
  stretch: DayMention,
  {
    days,
    times,
    recurrences,
    isLeftOut,
    exceptWeekdays,
  }: Pick<EventMoments, 'days' | 'times' | 'recurrences' | 'exceptWeekdays'> & {
    isLeftOut: (date: string) => boolean
  },
): DayMention[] | undefined {
  const near = recurrences.filter(one => isNear(tokens, one, stretch))
  const weekdays = near.flatMap(one => one.weekdays)
  const isWeekly = isCourse(tokens, stretch, times) || isOnOneWeekday(tokens, from, stretch, { days, times })
  const [weekly = isWeekly ? weeklyFrom(stretch) : undefined] = near
  const dates = (recurrence: TextRecurrence): string[] =>
    datesFrom(recurrence, stretch.date, { last: stretch.last }, isLeftOut)
  // “del 4 al 14 de marzo, de jueves a sábado a las 20.30 h y domingos a las 19 h”
  if (isOnWeekdays(tokens, stretch, times)) return undefined
  const isDaily = isEachDay(tokens, from, stretch)
  const timed = times.filter(isStarting).filter(time => time.from >= from)
  // “daily at 7.15 pm, Sundays at 5 pm”
  const isExtra = isDaily && timed.length > 1 && (weekly?.from ?? 0) > (timed[0]?.from ?? 0)
  if (weekly && !isExtra)
    return mentionsOf(
      dates(weekly.nth.length > 0 || near.length < 2 ? weekly : { ...weekly, weekdays }),
      stretch,
    )
  if (!isDaily || (timed.length !== 1 && timesByWeekday(tokens, timed).size === 0)) return undefined
  if ((stretch.last ?? '') >= daysLater(stretch.date, MAX_NIGHTS)) return undefined
  // What the first of its days doesn't have is something else: “pas d'inscription le lundi”.
  if (exceptWeekdays.includes(weekdayOn(stretch.date))) return mentionsOf([stretch.date], stretch)
  const weekdaysLeft = [1, 2, 3, 4, 5, 6, 7].filter(one => !exceptWeekdays.includes(one))
  return mentionsOf(dates({ ...weeklyFrom(stretch), weekdays: weekdaysLeft }), stretch)
}

const FROM = setOf('ab from starting desde partir depuis starts beginn beginnend des')
const isFrom = (tokens: readonly Token[], { from }: DayMention): boolean =>
  tokens
    .slice(Math.max(0, from - MAX_TO_DAY), from)
    .some(({ low, text }) => FROM.has(low) && (low !== 'des' || text === 'dès'))
/** “8 Abende ab Dienstag, 19. Januar” */
const weeklyFrom = ({ from, to, date }: DayMention): TextRecurrence => ({
  from,
  to,
  weekdays: [weekdayOn(date)],
  nth: [],
  step: 7,
})
/**
 * True if a stretch is that of a course, once a week: “Mo 15.02.–22.03., 18:30–20:45 Uhr”, “martes, del 2 al
 * 16 de febrero”
 */
export const isCourse = (
  tokens: readonly Token[],
  day: DayMention,
  times: readonly TimeMention[],
): boolean => {
  const isBetween = ({ low }: Token): boolean => low === ',' || SMALL.has(low)
  const before = tokens.slice(Math.max(0, day.from - MAX_TO_DAY), day.from).findLast(one => !isBetween(one))
  const isNamed = [tokens[day.from], before].some(one => weekdayOf(one?.low ?? '') === weekdayOn(day.date))
  return (
    isLong(day) &&
    isNamed &&
    weekdayOn(day.date) === weekdayOn(day.last ?? '') &&
    times.some(({ from }) => from >= day.to && from - day.to < MAX_BEFORE)
  )
}
/**
 * True if a weekday beside the times is that on which a long stretch begins: “le mardi de 18h à 20h, du 2
 * mars au 30 mars”.
 */
function isOnOneWeekday(
  tokens: readonly Token[],
  from: number,
  stretch: DayMention,
  { days, times }: Pick<EventMoments, 'days' | 'times'>,
): boolean {
  // “Vernissage : vendredi 5 mars à 18h30” is one day.
  const isOfOther = (token: Token): boolean =>
    days.some(day => day !== stretch && tokens.slice(day.from, day.to).includes(token))
  if (!isLong(stretch)) return false
  const near = times.filter(one => one.from >= from && isNear(tokens, one, stretch))
  const isAfterException = (token: Token): boolean => {
    const at = tokens.indexOf(token)
    return hasWord(tokens, at - MAX_TO_EXCEPTION, at, EXCEPT)
  }
  const isOfWeekday = ({ from: at, start = '', end = start }: TimeMention): boolean => {
    const named = sentenceOf(tokens, at).filter(
      token =>
        weekdayOf(token.low) > 0 &&
        !(token.from >= (tokens[stretch.from]?.from ?? 0) && token.to <= (tokens[stretch.to - 1]?.to ?? 0)),
    )
    const weekday = tokens.slice(at - MAX_TO_WEEKDAY, at).findLast(token => named.includes(token))
    return (
      hours(start, end) <= MAX_HOURS &&
      weekday !== undefined &&
      !isOfOther(weekday) &&
      // “tous les jours sauf le lundi”
      !isAfterException(weekday) &&
      named.length === 1 &&
      weekdayOf(weekday.low) === weekdayOn(stretch.date)
    )
  }
  return near.length > 0 && near.every(isOfWeekday)
}
/** The most tokens of “mardi de”, “Dienstag, von” before a time. */
const MAX_TO_WEEKDAY = 4
const isLong = ({ date, last = date }: DayMention): boolean => last > daysLater(date, 7)
const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const hours = (start: string, end: string): number =>
  ((((minutes(end) - minutes(start)) % 1440) + 1440) % 1440) / 60

/** True if what is said beside a run takes place on each of its days. */
const isEachDay = (tokens: readonly Token[], from: number, stretch: DayMention): boolean =>
  tokens.some(
    ({ low }, i) =>
      i >= from &&
      // “Días: lunes y miércoles”
      ((EACH.has(low) && tokens[i + 1]?.low !== ':' && !isCount(tokens[i - 1])) ||
        (EVENINGS.has(low) && !isLong(stretch))) &&
      isNear(tokens, { from: i }, stretch),
  )
/** True for the number of “trois jours”, which says how long something lasts. */
const isCount = (token: Token | undefined): boolean =>
  token?.kind === 'number' || NUMBER_WORDS.has(token?.low ?? '')
/** True if weekdays are named beside a run: “4 to 20 March, Thursday to Saturday 8 pm”. */
const isOnWeekdays = (
  tokens: readonly Token[],
  stretch: DayMention,
  times: readonly TimeMention[],
): boolean =>
  tokens.some(
    ({ low }, i) =>
      i >= stretch.to &&
      weekdayOf(low) > 0 &&
      UNTIL.has(tokens[i + 1]?.low ?? '') &&
      weekdayOf(tokens[i + 2]?.low ?? '') > 0 &&
      times.some(({ from }) => from > i && from - i < MAX_TO_ITS_TIME) &&
      isNear(tokens, { from: i }, stretch),
  )
const EVENINGS = setOf('evenings soirs abends')
/** Of performances beside those of each evening: “Saturday matinee 2.30pm”. */
const MATINEES = setOf('matinee matinees matineen nachmittagsvorstellung')

const isMatinee = (tokens: readonly Token[], { from }: TimeMention): boolean =>
  hasWord(tokens, from - MAX_TO_DAY, from, MATINEES)

/**
 * A run with one time: `24–26 December, 7.30pm`. Whether it begins once or each evening is not said, so the
 * beginning alone.
 */
function nightly(
  tokens: readonly Token[],
  stretch: DayMention,
  times: readonly TimeMention[],
): EventDates | undefined {
  const [time] = times.filter(({ start, from }) => start !== undefined && from >= stretch.from)
  if (
    !time ||
    time.from - stretch.to >= MAX_BETWEEN_DAY_AND_TIME ||
    isLong(stretch) ||
    time.from < stretch.to
  )
    return undefined
  if (!isJoined(tokens, stretch.to, time.from)) return undefined
  return {
    start: `${stretch.date} ${time.start}`,
    end: undefined,
    dates: [],
    isAllDay: false,
    startTokens: [stretch.from, time.to],
    endTokens: undefined,
  }
}

/** Tokens of the weekdays before a time. */
const MAX_OF_WEEKDAYS = 12
/** Times of some weekdays: `Fridays and Saturdays 7 pm, Sundays 2 pm`. */
function timesByWeekday(tokens: readonly Token[], times: readonly StartingTime[]): Map<number, StartingTime> {
  const found = new Map<number, StartingTime>()
  for (const [n, time] of times.entries()) {
    const least = Math.max(times[n - 1]?.to ?? 0, time.from - MAX_OF_WEEKDAYS)
    let hasWeekday = false
    for (let i = time.from - 1; i >= least; i--) {
      const { low = '', sentence } = tokens[i] ?? {}
      const weekday = low.length > 3 || !hasWeekday ? weekdayOf(low) : 0
      if (sentence !== tokens[time.from]?.sentence) break
      if (weekday > 0 && (tokens[i + 1]?.kind !== 'number' || i + 1 === time.from)) {
        hasWeekday = true
        if (!found.has(weekday)) found.set(weekday, time)
      } else if (
        !AND.has(low) &&
        !SMALL.has(low) &&
        !MATINEES.has(low) &&
        !['(', ':', 'schon', 'las', 'los', 'les'].includes(low)
      )
        break
    }
  }
  return found
}

const PRICED = setOf('€ £ $ euro euros gbp chf eur costs kostet parking parken')
/** True if a price is that of a time: “Parking costs £2 all day”, “8 € bis Mitternacht”. */
const isPriced = (tokens: readonly Token[], i: number): boolean =>
  tokens
    .slice(Math.max(0, i - 5), i)
    .some(token => token.clause === tokens[i]?.clause && PRICED.has(token.low))

/** Where words say that something lasts all day: the indexes of their first tokens. */
function allDayIn(tokens: readonly Token[]): number[] {
  const low = (i: number): string | undefined => tokens[i]?.low
  return tokens.flatMap((token, i) =>
    ALL_DAY.get(token.low)?.some(phrase => phrase.every((word, n) => low(i + n) === word)) &&
    !isPriced(tokens, i)
      ? [i]
      : [],
  )
}

/** The end of a time on a day: of the next one if it is earlier. */
export const endOn = (date: string, start: string, end: string): string =>
  `${end <= start ? daysLater(date, 1) : date} ${end}`

/** A time at which an event begins. */
type StartingTime = TimeMention & { start: string }
const isStarting = (time: TimeMention): time is StartingTime => time.start !== undefined
/** An event on one of its days. */
type Occurrence = { day: DayMention; time: StartingTime; start: string }

/** When an event takes place on a day or on several, in the order in which they are named. */
function ofDays(
  tokens: readonly Token[],
  first: DayMention,
  days: readonly DayMention[],
  times: readonly TimeMention[],
  isAllDay: boolean,
): EventDates {
  const series = seriesOf(tokens, first, days)
  const [one, ...others] = isAllDay ? [] : occurrencesOf(tokens, series, days, times.filter(isStarting))
  return one ? ofOccurrences(tokens, one, others, times) : ofWholeDays(first, series, isAllDay)
}

/** Days without times: those in a row are one stretch, such as “Saturday 23 and Sunday 24 January”. */
function ofWholeDays(first: DayMention, series: readonly DayMention[], isAllDay: boolean): EventDates {
  const [, ...dates] = new Set(series.map(({ date }) => date))
  const last = dates.length > 0 && areInARow([first.date, ...dates]) ? series.at(-1) : undefined
  return {
    start: first.date,
    end: last?.date,
    dates: last ? [] : dates,
    isAllDay,
    startTokens: [first.from, first.to],
    endTokens: last && [last.from, last.to],
  }
}

/** The end after a break at noon: “de 9h à 12h et de 13h30 à 16h30”. */
function endAfterBreak(
  tokens: readonly Token[],
  { from, to, end }: TimeMention,
  times: readonly TimeMention[],
): string | undefined {
  if (end === undefined || end < NOON[0] || end > NOON[1]) return undefined
  const next = times.find(time => time.from >= to)
  const between = next ? tokens.slice(to, next.from) : []
  const isJoined =
    between.some(({ low }) => AND.has(low)) &&
    between.every(({ low, line }) => line === tokens[from]?.line && (AND.has(low) || SMALL.has(low)))
  const isBreak = next?.start !== undefined && next.start > end && hours(end, next.start) <= MAX_BREAK
  return isJoined && isBreak ? next?.end : undefined
}
const NOON = ['11:30', '13:30'] as const
/** The most hours of a break. */
const MAX_BREAK = 2

function ofOccurrences(
  tokens: readonly Token[],
  { day, time, start }: Occurrence,
  others: readonly Occurrence[],
  times: readonly TimeMention[],
): EventDates {
  const line = (i: number): number => tokens[i]?.line ?? 0
  const later = times.find(
    one =>
      !isStarting(one) &&
      one.from >= time.to &&
      !isPriced(tokens, one.from) &&
      one.from - time.to <= MAX_TO_END &&
      line(one.from) - line(time.to - 1) <= 1,
  )
  const end = endAfterBreak(tokens, time, times) ?? time.end ?? (later && closing(later, time.start))
  const endTime = time.end === undefined ? later : time
  return {
    start,
    end: end === undefined ? undefined : endOn(day.date, time.start, end),
    dates: [...new Set(others.map(one => one.start))].filter(one => one !== start),
    isAllDay: false,
    startTokens: [Math.min(day.from, time.from), Math.max(day.to, time.to)],
    endTokens: endTime && [endTime.from, endTime.to],
  }
}

/** Each day of an event with its times: its own, those of its weekday, or one that is said of all days. */
function occurrencesOf(
  tokens: readonly Token[],
  series: readonly DayMention[],
  days: readonly DayMention[],
  times: readonly StartingTime[],
): Occurrence[] {
  const timesAt = (day: DayMention, i: number): StartingTime[] => {
    const at = days.indexOf(day)
    const next = days[at + 1] ?? series[i + 1]
    const previous = at > 0 ? days[at - 1] : undefined
    return timesOfDay(tokens, times, day, previous, next?.from === day.from ? undefined : next)
  }
  const own = series.map((day, i) => {
    const at = timesAt(day, i)
    // “Cérémonie du 19 mars … Vendredi 19 mars, 10 h 45”
    const again = at.length > 0 ? undefined : days.find(one => one !== day && one.date === day.date)
    return again ? timesAt(again, i) : at
  })
  const heading = own[0]?.[0]
  // “16.30 Uhr: 24. Januar, 21. Februar”
  const isAbove = heading && heading.to <= (series[0]?.from ?? 0) && series.length > 1
  const byWeekday =
    series.length > 1 && times.length > 1 ? timesByWeekday(tokens, times) : new Map<number, StartingTime>()
  return series.flatMap((day, i) => {
    // “Samstag, 20. März, 10–18 Uhr … Basteln am Samstag um 14 Uhr”
    const isOwn = ({ from, end }: StartingTime): boolean =>
      end !== undefined && from >= day.to && isJoined(tokens, day.to, from)
    const hasOwn = series.every(other => other === day || other.from !== day.from) && own[i]?.some(isOwn)
    // One time for all days stands after the last of them, or before the first.
    const isTimed = (some: readonly StartingTime[]): boolean => some.length > 0
    const some = own.slice(i).find(isTimed) ?? own.slice(0, i).findLast(isTimed) ?? onlyTimeOf(times)
    const ofWeekday = hasOwn ? undefined : byWeekday.get(weekdayOn(day.date))
    const isPoint = ofWeekday !== undefined && some.some(hours => isPointWithin(tokens, ofWeekday, hours))
    const special = (isPoint ? undefined : ofWeekday) ?? (isAbove ? heading : undefined)
    const isAdded = special && isMatinee(tokens, special)
    const listed = timesListed(tokens, special && !isAdded ? [special] : some)
    return [...(isAdded ? [special] : []), ...listed].map(time => ({
      day,
      time,
      start: `${day.date} ${time.start}`,
    }))
  })
}

/**
 * True if a later sentence names a time between those of the opening hours: “Samstag und Sonntag, 10–18 Uhr. Am
 * Samstag um 14 Uhr Basteln”.
 */
const isPointWithin = (tokens: readonly Token[], time: StartingTime, hours: StartingTime): boolean =>
  isWithin(time, hours) &&
  time.from > hours.from &&
  tokens[time.from]?.sentence !== tokens[hours.from]?.sentence

/**
 * The times after a day, up to the next one; else one right before it, or where that alone is in its clause.
 */
function timesOfDay(
  tokens: readonly Token[],
  times: readonly StartingTime[],
  day: DayMention,
  previous: DayMention | undefined,
  next: DayMention | undefined,
): StartingTime[] {
  const line = (i: number): number => tokens[i]?.line ?? 0
  const after = times.filter(
    ({ from }) => from >= day.to && (!next || from < next.from) && line(from) - line(day.to - 1) <= MAX_LINES,
  )
  // “So 11.4. (18 Uhr), Fr 16.4. und Sa 17.4., jeweils 20 Uhr”: a time right after a day is that day's.
  const before = times.filter(
    ({ to, from }) =>
      to <= day.from &&
      day.from - to < MAX_BEFORE &&
      line(from) === line(day.from) &&
      !(previous && previous.to <= from && isRightAfter(tokens, previous.to, from)),
  )
  // “leaves at 8am on 6 March; the return is at 6pm”
  const isOfClause = ({ from }: TimeMention): boolean => tokens[from]?.clause === tokens[day.from]?.clause
  if (after.length === 0 || (!previous && before.some(isOfClause) && !after.some(isOfClause))) return before
  // “Besichtigung 9.15, Start 10.00”
  return after.slice(
    Math.max(
      0,
      after.findIndex(({ isBeginning }) => isBeginning),
    ),
  )
}

/** The only time in the text. Among several, nobody knows which one is meant. */
function onlyTimeOf(times: readonly StartingTime[]): StartingTime[] {
  const one = times.find(({ isBeginning }) => isBeginning) ?? times[0]
  return one && (one.isBeginning || times.every(({ start }) => start === one.start)) ? [one] : []
}

/** The end that is said alone. “Until 3” is the first three o'clock after the start. */
function closing({ end = '', isEndVague }: TimeMention, start: string): string {
  const later = `${String(Number(end.slice(0, 2)) + 12)}${end.slice(2)}`
  return isEndVague && end <= start && later > start ? later : end
}

/** The first time, and those that only `and` separates from it: `12:00 y 17:00 hrs`. */
function timesListed(tokens: readonly Token[], times: readonly StartingTime[]): StartingTime[] {
  const isJoint = (time: StartingTime, i: number): boolean => {
    const [mark, ...small] = tokens.slice(times[i - 1]?.to ?? 0, time.from)
    return (
      mark !== undefined &&
      AND.has(mark.low) &&
      ![',', '/'].includes(mark.low) &&
      small.every(({ low }) => SMALL.has(low))
    )
  }
  const end = times.findIndex((time, i) => i > 0 && (times[0]?.end !== undefined || !isJoint(time, i)))
  return times.slice(0, end < 0 ? times.length : end)
}

/** The most words of an item, and between two days of a line; and tokens between “further” and the day. */
const [MAX_WORDS_OF_ITEM, MAX_WORDS_BETWEEN, MAX_TO_MORE] = [8, 6, 12]
/**
 * The days of the same event: those of a list, those with words such as “further”, and lines that begin with
 * a day each.
 */
function seriesOf(tokens: readonly Token[], first: DayMention, days: readonly DayMention[]): DayMention[] {
  const series = [first]
  for (const day of days.slice(days.indexOf(first) + 1)) {
    const before = series.at(-1) ?? first
    const between = tokens.slice(before.to, day.from)
    const isSameLine = between.every(({ line }) => line === tokens[day.from]?.line)
    const words = between.filter(({ kind }) => kind === 'word').length
    const hasMore = between.slice(-MAX_TO_MORE).some(({ low }) => MORE.has(low))
    const isOfList =
      [before, day].every(({ from }) => startsItem(tokens, from)) &&
      words <= MAX_WORDS_OF_ITEM &&
      (tokens[day.from]?.line ?? 0) - (tokens[before.from]?.line ?? 0) <= 1
    if (day.date < before.date) continue
    if (day.isListed || hasMore || isOfList || (isSameLine && words <= MAX_WORDS_BETWEEN)) series.push(day)
  }
  return series
}

/** True if a day begins a line, or stands after a dash or a bullet. */
const startsItem = (tokens: readonly Token[], from: number): boolean =>
  tokens[from - 1]?.line !== tokens[from]?.line || BULLETS.has(tokens[from - 1]?.low ?? '')

/** The most tokens of “a las” between the last day of a stretch and its time. */
const MAX_TO_LAST_TIME = 3

/** A stay, a festival or an exhibition: one event from its first to its last moment. */
function ofStretch(
  tokens: readonly Token[],
  stretch: DayMention,
  days: readonly DayMention[],
  times: readonly TimeMention[],
): EventDates | undefined {
  const last = stretch.last ?? stretch.date
  const timed = times.filter(({ start }) => start !== undefined)
  const inside = timed.filter(
    ({ from }) =>
      from >= stretch.from &&
      from <= stretch.to + MAX_TO_LAST_TIME &&
      tokens.slice(stretch.to, from).every(({ kind, low }) => kind !== 'word' || SMALL.has(low)),
  )
  const points = timed.filter(({ from }) => from >= stretch.to)
  const base = {
    dates: [],
    isAllDay: false,
    startTokens: [stretch.from, stretch.to] as const,
    endTokens: [stretch.from, stretch.to] as const,
  }
  const [opening, closing] = [inside[0], inside.at(-1)]
  const span = Date.parse(last) - Date.parse(stretch.date)
  if (opening && closing && opening !== closing)
    return { ...base, start: `${stretch.date} ${opening.start}`, end: `${last} ${closing.start}` }
  const headings = headingsIn(tokens, stretch, days)
  const dayOf = (time: TimeMention): string | undefined =>
    headings.findLast(({ from }) => from <= time.from)?.date
  const [first] = points
  const end = points.at(-1)
  // “4 to 20 March, Thursday to Saturday 8 pm”: performances, none of which lasts until the last day.
  const isRun =
    headings.length === 0 &&
    (isEachDay(tokens, 0, stretch) || isOnWeekdays(tokens, stretch, timed)) &&
    timed.length > 0 &&
    timed.every(time => time.end === undefined)
  if (isRun) return { ...base, start: stretch.date, end: undefined, endTokens: undefined }
  if (!first || !end || span > 14 * 86_400_000) return { ...base, start: stretch.date, end: last }
  const isFirst = dayOf(first) === stretch.date
  const endTime = times.findLast(
    ({ from, end: until }) =>
      from >= end.from && until !== undefined && tokens[from]?.line === tokens[end.from]?.line,
  )
  const closes =
    endTime?.end !== undefined && dayOf(end) === last ? endOn(last, end.start ?? '', endTime.end) : undefined
  return {
    ...base,
    start: isFirst ? `${stretch.date} ${first.start}` : stretch.date,
    end: isFirst ? closes : last,
  }
}

/** Weekdays and days above the points of a programme. */
function headingsIn(
  tokens: readonly Token[],
  stretch: DayMention,
  days: readonly DayMention[],
): { from: number; date: string }[] {
  const last = stretch.last ?? stretch.date
  const dated = days.filter(
    day => day !== stretch && day.from >= stretch.from && day.date >= stretch.date && day.date <= last,
  )
  const named = tokens.flatMap(({ low, line, kind }, from) => {
    if (from < stretch.to || kind !== 'word' || tokens[from - 1]?.line === line) return []
    const weekday = weekdayOf(low)
    // “Fr: 19 Uhr”
    if (weekday === 0 || (low.length < 3 && tokens[from + 1]?.low !== ':')) return []
    for (let date = stretch.date; date <= last; date = daysLater(date, 1))
      if (weekdayOn(date) === weekday) return [{ from, date }]
    return []
  })
  return [...dated.map(({ from, date }) => ({ from, date })), ...named].sort((a, b) => a.from - b.from)
}
