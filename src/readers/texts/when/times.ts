import { AT_MIDNIGHT, AT_NOON, HALVES, HALVES_OF_DAY, HOUR_WORDS } from '../../moment-words.ts'
import {
  numberIn,
  OPENING_QUOTES,
  skip,
  skipBack,
  startsLine,
  type Token,
  TokenReader,
} from '../words/tokens.ts'
import {
  ADMISSION,
  AUDIENCE,
  anyOf,
  BEGINNING,
  MONTHS,
  NOT_THE_BEGINNING,
  NUMBER_WORDS,
  SMALL,
  setOf,
  UNTIL,
  VEHICLES,
  type WordSet,
  weekdayOf,
} from '../words/words.ts'

// From numbers and words, this reads the times of day that a text names, with their ends. A bare number is a
// time only if words beside it say so; whether “8” is in the morning is decided by its line, or left open.

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

/**
 * A time as it is written.
 *
 * @property isSure true if it has minutes, a unit or a half of the day
 * @property isSpoken true if it is said by twelve hours, also where clocks have 24: `halb acht`
 */
type Clock = {
  to: number
  hour: number
  minute: number
  half: 'am' | 'pm' | undefined
  isSure: boolean
  isSpoken: boolean
}

/** Places that have numbers where they are written with a capital: “Gate 3”. */
const NUMBERED = setOf('gate door pitch stall table court tor porte puerta mesa')
/** What goes after an amount of money. */
const MONEY = setOf('€ $ £ % euro euros eur chf fr francs franken pesos dollars pounds quid')
/** Words before a bare number that make it a time. */
const BEFORE_HOUR = setOf('at um ab @ las la vers punkt schlag gegen')
/** What bare numbers count: “ab 12 Jahren”. */
const COUNTED = setOf(
  'jahre jahren j ans anos years yrs year months monate monaten mois meses personen people persons personnes personas km miles min minuten minutes places platze points runden teams and st nd rd th',
)
/** “Gruppen von drei bis fünf” */
const GROUPS = setOf(
  'gruppen groups grupos groupes teams equipos equipes mannschaften ages aged alter edad edades preise prices precios prix',
)
export const BETWEEN = setOf('between zwischen entre')
const SPANNING = anyOf(BETWEEN, setOf('de von from'))
const JOINING = new Set(['and', 'und', 'y', 'et'])
const ONLY_END = setOf(
  'bis until till jusqu hasta ende festende ends finishes finish fin schluss finaliza termina ruckkehr ruckkunft ruckfahrt heimkehr heimfahrt retour regreso back return carriages vuelta',
)
const ENDINGS = setOf('ende end finish fin schluss final')
/** Words between these and a time. */
const ABOUT = setOf("a las la ' ’ um ca etwa gegen vers around about approx by : sobre at the pour")
/** Words of what takes some hours: “4h30 de marche”. */
const LASTS = setOf(
  'dure durent durera dureront duree dura duran durara duraran duracion dauert dauern dauer lasts takes unas',
)
const LENGTHS = setOf('marche route trajet spectacle caminata marcha')
/** Between these times hardly anything begins. */
/** From here on, a time by twelve hours could as well be in the morning; before, it would be in the night. */
const EVENING = '18:00'
const NIGHT = ['00:10', '05:59'] as const
/** What begins at night or early in the morning. */
const NIGHTLY = setOf(
  'nachts fruh morgens morgengrauen sonnenaufgang osternacht osterfeuer mitternacht tagwache morgestraich madrugada amanecer aurora nuit aube matin minuit midnight sunrise dawn vigil overnight dj disco club rave silvester nochevieja reveillon',
)
/** Labels of times: “Heure : 14h”, “curtain up 7.45”, “eyes down 7.30”. */
const LABELS = setOf(
  'time uhrzeit zeit heure hora horario horaire horaires when eyes meet treffpunkt abfahrt salida',
)
const AFTER_LABELS = setOf(': up off down')
/** Before what an event begins with. */
export const FIRST = setOf('first erstes erster erste premier premiere primera primer')
/** Between hours and minutes before a unit: `20'30 h`, `7,45 h`. */
const OTHER_POINTS = setOf("' ’ ,")
/** What has no end: “8 till late”. */
const LATE = setOf('late close')
/** Minutes before an hour: `ten past seven`, and those of the hour before: `halb acht`. */
const MINUTES = new Map([
  ['quarter', 15],
  ['viertel', 15],
  ['cuarto', 15],
  ['half', 30],
  ['twenty', 20],
  ['ten', 10],
  ['five', 5],
])
const OF_HOUR = new Map([
  ['half', 30],
  ['halb', -30],
  ['dreiviertel', -15],
  ['viertel', -45],
])
const PAST = setOf('past nach')
const BEFORE_FULL_HOUR = setOf('to vor para')
/** Minutes after an hour: `sept heures et quart`, `siete y media`, `neunzehn Uhr dreißig`. */
const PARTS = new Map([
  ['quart', 15],
  ['cuarto', 15],
  ['media', 30],
  ['demie', 30],
  ['demi', 30],
])
/** Minutes right behind an hour in words: `seven thirty`, `las siete quince`. */
const QUARTERS = new Map([
  ['fifteen', 15],
  ['thirty', 30],
  ['quince', 15],
  ['treinta', 30],
])
/** Parts of the day in the line of a time: “tonight 7.30”, “coffee morning, 10”. */
const BY_DAY = setOf(
  'morning mornings vormittag morgens vormittags matin brunch breakfast fruhstuck desayuno dejeuner amanecer aube dawn sunrise sonnenaufgang',
)
/** “Sonntagsbrunch”, “Samstagvormittag” */
const BY_DAY_AT_END = /(?:fruhstuck|brunch|vormittag|tagmorgen|fruhschoppen)$/
const BY_NIGHT = setOf(
  'night evening tonight afternoon abend abends nachmittag soir apero noche tarde tardes',
)

/** What takes place in the morning as often as in the evening: nobody knows which eight o’clock is meant. */
const EITHER = setOf(
  'market markets boot walk walks ramble mass messe culte grenier greniers brocante balade mercado mercadillo rastro misa caminata ruta senderismo excursion krabbelgruppe spaziergang',
)
/** “Familiengottesdienst”, but “Nachtwanderung” */
const EITHER_AT_END = /^(?!nacht|abend).*(?:markt|borse|basar|gottesdienst|messe|wanderung|ausflug)$/
const ofEither = { has: (low: string): boolean => EITHER.has(low) || EITHER_AT_END.test(low) }
const LAST_OF_EITHER = 9

const LIVELY = setOf(
  'gig gigs band bands music dj disco club late bar pub session dance party live rave karaoke trad folk blues jazz ceilidh quiz comedy konzert concierto bal baile tanz fiesta verbena soiree cena diner souper repas kino cine pelicula teatro kneipe',
)

/** What goes on until the morning. */
const NIGHTLIFE = setOf('disco rave dj djs')

/** What takes place in the morning if it may be in the evening as well. */
const OF_MORNINGS = setOf(
  'toddler toddlers baby babies playgroup preschool story storytime rhyme rhymetime market jumble coffee parkrun',
)

/** What may end at noon: “7–12”. */
const UNTIL_NOON = anyOf(EITHER, OF_MORNINGS)

/** What begins in the morning from eight o’clock on: “8.00 Holy Communion”. */
const EARLY = setOf('communion eucharist matins parkrun')
const FIRST_EARLY = 8

const OF_MOUNTAINS = setOf(
  'mountain mountains hill hills hike hikers climb climbing summit marcher marche rando randonnee kilometres',
)

/** Before the time at which an outing leaves, in the morning. */
export const DEPARTURES = setOf(
  'leaves leave leaving departs departing departure salida salimos abfahrt abmarsch depart partons',
)
/** Behind what leaves. */
export const LEAVING = setOf(
  'from leaves leaving departs departing ab fahrt desde sale salen part au depuis place',
)
/** An earlier hour may be in the afternoon: “Coach leaves at 5.30 for the pantomime”. */
const FIRST_DEPARTURE = 7
/** Where clocks have 24 hours. */
const FIRST_EARLY_DEPARTURE = 4

/** The most times that are read. */
const MAX_TIMES = 200
/** German words before an hour, after which “am” leads to a place or a day. */
const BEFORE_AM = setOf('bis um ab und gegen von')
/** Before a place: “von drei bis sechs im Saal” */
export const INSIDE = setOf('im in am at auf bei beim en dans au aux chez')
/** After hours without a unit: “Saturday 2–4 upstairs”, “10 to 12.30 each morning”. */
const WHERE = setOf(
  'upstairs downstairs outside inside here sharp prompt oben unten draussen each every both',
)
/** Tokens around a time in which a part of the day may stand. */
const NEAR = 12
/** The same for “7:30 to 11”, which is as often in the morning as in the evening. */
const FAR = 30
/** From here on, four digits may be a year as well. */
const MIN_YEAR = 2000
/** Tokens between a half of the day and its hour. */
const MAX_TO_HOUR = 3

const twoDigits = (number: number): string => String(number).padStart(2, '0')
const clockText = ({ hour, minute }: { hour: number; minute: number }): string =>
  `${twoDigits(hour % 24)}:${twoDigits(minute)}`

/**
 * Reads the times in a text, in their order.
 *
 * @param isTaken true if a token belongs to a day
 * @param isEnglish true if the clock has twelve hours
 */
export function timesIn(
  tokens: readonly Token[],
  isTaken: (token: number) => boolean,
  isEnglish: boolean,
): TimeMention[] {
  const reader = new Times(tokens, isTaken, isEnglish)
  const found: TimeMention[] = []
  for (let i = 0; i < tokens.length && found.length < MAX_TIMES; ) {
    const mention = isTaken(i) ? undefined : reader.at(i)
    if (mention) found.push(mention)
    i = mention?.to ?? i + 1
  }
  return found
}

/** True if an hour is before another one of the same day. */
const isBefore = (a: Pick<Clock, 'hour' | 'minute'>, b: Pick<Clock, 'hour' | 'minute'>): boolean =>
  a.hour * 60 + a.minute < b.hour * 60 + b.minute

const TWELVE = setOf('midnight noon mitternacht mittag minuit midi medianoche mediodia')

/** The hour before another, in words: “halb eins” is before one, at noon. */
const hourBefore = (hour: number): number => (hour === 1 ? 12 : (hour + 23) % 24)

class Times extends TokenReader {
  readonly #isTaken: (token: number) => boolean
  readonly #isEnglish: boolean

  constructor(tokens: readonly Token[], isTaken: (token: number) => boolean, isEnglish: boolean) {
    super(tokens)
    this.#isTaken = isTaken
    this.#isEnglish = isEnglish
  }

  #number(i: number, most: number): number | undefined {
    const token = this.tokens[i]
    if (token?.kind !== 'number' || token.text.length > 2 || this.#isTaken(i)) return undefined
    return Number(token.text) <= most ? Number(token.text) : undefined
  }

  at(i: number): TimeMention | undefined {
    // “Midnight at Marlow” in quotation marks is a film.
    if (TWELVE.has(this.low(i)) && OPENING_QUOTES.includes(this.low(i - 1))) return undefined
    const mention = this.#read(i)
    const likely = mention && this.#likely(mention)
    return likely && this.#isAssumed(likely) ? { ...likely, isAssumed: true } : likely
  }

  /** True if a time is written as in the morning, and neither it nor its line names a part of the day. */
  #isAssumed({ from, to, start = '' }: TimeMention): boolean {
    const hour = this.#clockAt(from)?.hour ?? 12
    const isHalfSaid = this.tokens
      .slice(from, to)
      .some((_, n) => this.#afterHalf(from + n).half !== undefined)
    return hour < 12 && start >= EVENING && !isHalfSaid && this.#partOfDay(from, NEAR) === undefined
  }

  /**
   * Hardly anything begins between midnight and six in the morning, unless the text says so. A span or hour
   * in words is in the afternoon; other hours are lengths, such as those of films, or nobody knows what they
   * are.
   */
  #likely(mention: TimeMention): TimeMention | undefined {
    const { from, to, start, end } = mention
    const isNightly = start !== undefined && start >= NIGHT[0] && start <= NIGHT[1]
    if (!isNightly || this.#isAtNight(mention) || this.#endsStretch(from)) return mention
    const later = (time: string): string => `${twoDigits(Number(time.slice(0, 2)) + 12)}${time.slice(2)}`
    // “von halb drei bis fünf”, but “02:30”
    const isSpan = end !== undefined && end > start && end < '12' && !this.tokens[from]?.text.startsWith('0')
    if (isSpan) return { from, to, start: later(start), end: later(end) }
    return undefined
  }

  /** True for the hour of the day on which something ends: “26/03/2027 19:00 – 27/03/2027 01:00”. */
  #endsStretch(i: number): boolean {
    const at = skipBack(i - 1, n => this.#isTaken(n) || this.low(n) === ',')
    const isLast = UNTIL.has(this.low(at)) || ENDINGS.has(this.low(at))
    return at < i - 1 && isLast && this.isAttached(i + 1)
  }

  /** True if a word beside a time says that it is at night or early in the morning. */
  #isAtNight({ from, to }: TimeMention): boolean {
    const { line } = this.tokens[from] ?? {}
    for (let i = from - NEAR; i < to + NEAR; i++) {
      const { low = '', line: other } = this.tokens[i] ?? {}
      if (other !== line) continue
      const isHalf = i >= from && i < to && (HALVES.get(low) === 'am' || HALVES_OF_DAY.get(low) === 'am')
      const isDotted = i >= from && i < to && low === 'a' && this.low(i + 1) === '.'
      // “Abfahrt 5.45 Uhr”, but “Fahrt 2:15 Stunden”
      const isEarly = DEPARTURES.has(low) && (this.#number(from, 24) ?? 0) >= FIRST_EARLY_DEPARTURE
      if (isHalf || isDotted || isEarly || NIGHTLY.has(low)) return true
    }
    return false
  }

  #read(i: number): TimeMention | undefined {
    const clock = this.#clockAt(i)
    // “samedi 20 à 10h30” and “el 16 a las 20 h” are days.
    const isNamed = weekdayOf(this.low(i - 1)) > 0 || ['el', 'dia'].includes(this.low(i - 1))
    if (!clock || (!clock.isSure && isNamed && ['a', 'um'].includes(this.low(i + 1)))) return undefined
    const first = this.#withHalfOfNext(clock, i)
    // “environ 4h30 de marche”, “durent environ une heure et demie”
    if (this.low(first.to) === 'de' && LENGTHS.has(this.low(first.to + 1))) return undefined
    // “1 hr 50 with interval”
    const isLength = this.#isEnglish && first.hour < 4 && ['hr', 'hrs'].includes(this.low(i + 1))
    if (isLength) return { from: i, to: first.to, start: undefined, end: undefined }
    if (LASTS.has(this.#wordBefore(i))) return undefined
    const joint = this.#jointAt(first.to, i)
    // “curso de 20 horas”, but “de 8 horas a 20 horas”
    const isOfHours = this.low(i - 1) === 'de' && this.low(i + 1) === 'horas' && joint === undefined
    if (isOfHours) return { from: i, to: first.to, start: undefined, end: undefined }
    const second = joint === undefined ? undefined : this.#clockAt(joint)
    if (second && this.#isVerse(i, second.to)) return undefined
    // “bal 21h – 8 €”, “21 h – 12, 18 et 24 €”
    const isAmount = second !== undefined && !second.isSure && this.#isBeforeMoney(second.to)
    if (second && !isAmount && (first.isSure || second.isSure || this.#isBareSpan(i, first, second)))
      return this.#span(i, first, second)
    // “7 for 7.30”, “6.45 for a 7pm start”
    const at = this.low(first.to) === 'for' ? first.to + (this.low(first.to + 1) === 'a' ? 2 : 1) : undefined
    const begun = at === undefined ? undefined : (this.at(at) ?? this.#bareAfter(first, at))
    if (begun?.start !== undefined) return { ...begun, from: i }
    if (!first.isSure && !this.#isTime(i, first)) return undefined
    const bracketed = this.low(first.to) === '(' ? this.#clockAt(first.to + 1, true) : undefined
    if (bracketed && first.isSpoken && this.low(bracketed.to) === ')')
      return { from: i, to: bracketed.to + 1, start: clockText(bracketed), end: undefined }
    // The second half of a span whose first half cannot be read: `l5:00 a 18:30`.
    if (this.#isSecondHalf(i)) return undefined
    const before = this.#wordBefore(i)
    // “home by 3pm”, but “Oak Lodge Care Home, 3pm”
    const isEnd =
      ONLY_END.has(before) ||
      (before === 'home' && this.low(i - 1) === 'by') ||
      // “1.00 Uhr Ende”
      (ENDINGS.has(this.low(first.to)) && startsLine(this.tokens, first.to + 1))
    const isVague = isEnd && first.half === undefined && first.hour <= 12 && (!first.isSure || first.isSpoken)
    const hour = isVague ? first.hour : this.#hourOf(first, i)
    // An hour that may be in the morning or in the evening is still that of its line, and not the one of all.
    // “Midnight on 24 December” is the end of that day, or its beginning.
    if (hour === undefined || (hour === 24 && !isEnd))
      return { from: i, to: first.to, start: undefined, end: undefined }
    const time = clockText({ hour, minute: first.minute })
    return isEnd
      ? { from: i, to: first.to, start: undefined, end: time, isEndVague: isVague }
      : { from: i, to: first.to, start: time, end: undefined }
  }

  /** The number of “7.30 for 8” that is the next full hour, but not “7.30 for 8 people”. */
  #bareAfter(first: Clock, i: number): TimeMention | undefined {
    const hour = this.#number(i, 12)
    const isNext = first.isSure && hour === (first.hour % 12) + 1
    if (hour === undefined || !isNext || this.tokens[i + 1]?.kind === 'word') return undefined
    const start = this.#hourOf({ ...first, hour, half: first.half }, i)
    if (start === undefined) return undefined
    const text = clockText({ hour: start, minute: 0 })
    return { from: i, to: i + 1, start: text, end: undefined, isAssumed: text >= EVENING }
  }

  /** True if money follows, perhaps after further numbers. */
  #isBeforeMoney(i: number): boolean {
    const isOfList = (at: number): boolean =>
      this.tokens[at]?.kind === 'number' || [',', '/'].includes(this.low(at)) || JOINING.has(this.low(at))
    return MONEY.has(this.low(skip(i, at => at < i + NEAR && isOfList(at))))
  }

  /** “(Luke 2:10-12)” */
  #isVerse(i: number, to: number): boolean {
    const before = this.tokens[i - 1]
    const isNamed = before?.kind === 'word' && weekdayOf(before.low) === 0 && !BEGINNING.has(before.low)
    return isNamed && before.isSpaced === false && this.low(i - 2) === '(' && this.low(to) === ')'
  }

  /** `5:30 and 7 p.m.`, `15 + 17 Uhr`, `um 14, 15 und 16 Uhr`: the half of the day and the unit stand once. */
  #withHalfOfNext(clock: Clock, i: number): Clock {
    if (clock.half !== undefined) return clock
    let next: Clock | undefined = clock
    while (next && this.low(next.to) === ',' && this.#isInList(i)) next = this.#numbersAt(next.to + 1, false)
    const mark = next && this.low(next.to)
    if (mark === undefined || !(JOINING.has(mark) || ['/', '&', '+'].includes(mark))) return clock
    next = next && this.#numbersAt(next.to + 1, false)
    // “at 11 and 2 pm”
    const isBeforeNoon = clock.hour % 12 > (next?.hour ?? 0) % 12
    if (next?.half !== undefined && clock.hour <= 12)
      return { ...clock, half: isBeforeNoon ? 'am' : next.half, isSure: true }
    const unit = next && this.low(this.low(next.to - 1) === '.' ? next.to - 2 : next.to - 1)
    const isOfUnit = next?.isSure === true && next.hour > clock.hour && HOUR_WORDS.has(unit ?? '')
    return isOfUnit && !clock.isSure ? { ...clock, isSure: true } : clock
  }

  /** True if a number is one of several after “at”: “at 2, 3 and 4 pm”, but not “Mill Lane 2, 3 and 4 pm”. */
  #isInList(i: number): boolean {
    let at = i
    while (this.low(at - 1) === ',' && this.tokens[at - 2]?.kind === 'number') at -= 2
    const before = this.low(at - 1)
    // “ab 6, 8 und 10 Uhr” may be ages
    return (BEFORE_HOUR.has(before) && before !== 'ab') || before === 'a' || this.#isAfterDay(at)
  }

  /** True if a span is that of ages or of people: “für Kinder von 6 bis 12”. */
  #isOfCount(i: number): boolean {
    const before = this.low(i - 2)
    return SPANNING.has(this.low(i - 1)) && (AUDIENCE.has(before) || GROUPS.has(before))
  }

  #isSecondHalf(i: number): boolean {
    if (UNTIL.has(this.low(i - 1)) && this.#isOfCount(i - 2)) return true
    if (this.low(i - 1) === '-' && this.isAttached(i) && this.isAttached(i - 1)) return true
    const joint = this.low(i - 1) === 'las' ? i - 2 : i - 1
    const before = this.tokens[joint - 1]
    // “Craft club nine till noon”
    if (NUMBER_WORDS.has(before?.low ?? '') && ['to', 'till', 'til', 'bis'].includes(this.low(joint)))
      return true
    return (
      ['-', 'a', 'to', 'bis'].includes(this.low(joint)) &&
      this.tokens[joint]?.isSpaced === true &&
      before?.kind === 'number' &&
      before.isSpaced === false &&
      !this.#isTaken(joint - 1) &&
      before.line === this.tokens[i]?.line
    )
  }

  /** The word before a time, without `à`, `las` and the apostrophe of `jusqu'à`. */
  #wordBefore(i: number): string {
    return this.low(skipBack(i - 1, at => i - at < 4 && ABOUT.has(this.low(at))))
  }

  /** “9 to 12 in the morning” and “9–12am” end at noon, “9 to 12 in the evening” and “disco, 9–12am” at midnight. */
  #atTwelve(i: number, first: Clock, second: Clock): Clock {
    if (second.hour !== 12 || second.half === undefined || first.hour >= 12 || first.half !== undefined)
      return second
    const isInMorning = this.low(second.to - 1) === 'morning'
    if (second.half === 'am' && (isInMorning || !this.#isNear(i, NIGHTLIFE)))
      return { ...second, half: undefined }
    return ['evening', 'night', 'am'].includes(this.low(second.to - 1))
      ? { ...second, hour: 24, half: undefined }
      : second
  }

  #span(i: number, first: Clock, last: Clock): TimeMention | undefined {
    const second = this.#atTwelve(i, first, last)
    const half = first.half ?? (second.half && first.hour <= 12 ? second.half : undefined)
    // A span says by its order which half of the day it is: 10:00 - 13:00.
    const isEnglish = this.#isEnglish && half === undefined && first.hour < 12 && second.hour <= 12
    // “de 5 a 7” and “von halb sieben bis neun” are in the afternoon, “breakfast 7–9” is not.
    const isBare = (clock: Clock, at: number) =>
      !clock.isSure ||
      clock.isSpoken ||
      (this.low(at + 1) === '.' && this.tokens[clock.to - 1]?.kind === 'number')
    if (
      half === undefined &&
      first.hour < 8 &&
      second.hour < 12 &&
      isBare(first, i) &&
      isBare(second, second.to - 3) &&
      this.#partOfDay(i, NEAR) !== 'am'
    )
      return {
        from: i,
        to: second.to,
        start: clockText({ ...first, hour: first.hour + 12 }),
        end: clockText({ ...second, hour: second.hour + 12 }),
      }
    // “10–12”, “10–4” and “story time 9.30 to 11” are by day.
    const isMorningSpan = isBefore(first, second) && this.#isNear(i, OF_MORNINGS)
    // “car boot 7:00–12:00”
    const isUntilNoon = second.hour === 12 && first.hour > 5 && this.#isNear(i, UNTIL_NOON)
    const isByDay =
      isUntilNoon ||
      this.#isPastNoon(i, first, second) ||
      (first.hour >= 9 && (second.hour === 12 || isMorningSpan))
    // “half seven till midnight”, “de 9 a 12 de la noche”
    const isUntilMidnight = second.hour === 24 && half === undefined && first.hour < 12
    const start =
      isUntilMidnight && (first.isSpoken || second.isSpoken || this.#isEnglish)
        ? first.hour + 12
        : isEnglish && !isByDay
          ? this.#hourOf({ ...first, isSpoken: true }, i, FAR)
          : this.#hourIn24({ ...first, half })
    // “8 pm–1:30” ends at night.
    const isLater = first.half === 'pm' && this.#hourIn24({ ...second, half: 'pm' }) > (start ?? 0)
    const isAtNight = first.half === 'pm' && second.half === undefined && !isLater
    const end = this.#hourIn24({
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
   * True if a span by day ends in the afternoon: “10 to 4”, and by the clock of twelve hours “9.30 to 6.30”, but not
   * “disco, 10 to 2”.
   */
  #isPastNoon(i: number, first: Clock, second: Clock): boolean {
    return (
      first.hour >= 9 && second.hour < (this.#isEnglish ? first.hour - 1 : 6) && !this.#isNear(i, NIGHTLIFE)
    )
  }

  /**
   * `von 10 bis 16`, `Sat 6 Feb, 10–12`: two hours after “from” or a day, after which no word says that they
   * count something else.
   */
  #isBareSpan(i: number, first: Clock, second: Clock): boolean {
    const isByDay = first.hour <= 12 && this.#isPastNoon(i, first, second)
    // “de 22 a 2”
    const isByNight = first.hour >= 18 && second.hour < 6 && SPANNING.has(this.low(i - 1))
    const after = this.tokens[second.to]
    if (!isBefore(first, second) && !isByDay && !isByNight) return false
    const isEnd = !after || after.line !== this.tokens[i]?.line || JOINING.has(after.low)
    // “10-14 y 17-21h”
    const next = after && JOINING.has(after.low) ? this.#numbersAt(second.to + 1, false) : undefined
    const end = next && this.#jointAt(next.to)
    if (end !== undefined && this.#numbersAt(end, false)?.isSure) return true
    // “between 5 and 7 on Friday”
    const isBeforeDay = after && SMALL.has(after.low) && this.#isTaken(second.to + 1)
    if (this.#isOfCount(i)) return false
    if (SPANNING.has(this.low(i - 1)) && after && INSIDE.has(after.low)) return true
    if (SPANNING.has(this.low(i - 1))) return isEnd || after.kind === 'sign' || isBeforeDay === true
    const isBetweenCommas = isByDay && this.low(i - 1) === ',' && after?.low === ','
    return (
      (isBetweenCommas || this.#isAfterDay(i)) &&
      (isEnd ||
        [',', '.', ';', ')', '|', '·'].includes(after.low) ||
        SMALL.has(after.low) ||
        WHERE.has(after.low))
    )
  }

  /** True if a number stands right after a day or a weekday: “every wednesday 9.30 to 11”. */
  #isAfterDay(i: number): boolean {
    const mark =
      [',', '|', '·', '-', ':', '/'].includes(this.low(i - 1)) && this.tokens[i]?.isSpaced ? i - 2 : i - 1
    // “Second Saturday in February (13th), 2 to 4”, “Saturday 13 February!! 10–12”
    const at = skipBack(mark, n => n > mark - 3 && [')', '!'].includes(this.low(n)))
    const isDay = this.#isTaken(at) || (this.low(at).length > 3 && weekdayOf(this.low(at)) > 0)
    return isDay && (this.tokens[i]?.line ?? 0) - (this.tokens[at]?.line ?? 0) <= 1
  }

  /** The index of the time after `-`, `bis`, `to`. */
  #jointAt(i: number, start = i): number | undefined {
    // “11 'til 1”
    if (/^['’‘]$/.test(this.low(i)) && this.low(i + 1) === 'til') return i + 2
    const isBetween = JOINING.has(this.low(i)) && BETWEEN.has(this.#wordBefore(start))
    if (!(UNTIL.has(this.low(i)) || isBetween) || startsLine(this.tokens, i)) return undefined
    // “Baile, 22.30 h. A las 00.30 concurso”
    if (this.tokens[i]?.text === 'A' && this.low(i - 1) === '.') return undefined
    return ['las', 'um', 'la'].includes(this.low(i + 1)) ? i + 2 : i + 1
  }

  #hourIn24({ hour, half }: Pick<Clock, 'hour' | 'half'>): number {
    if (half === 'pm') return hour < 12 ? hour + 12 : hour
    return half === 'am' && hour === 12 ? 0 : hour
  }

  /** The hour by 24; undefined where it may be in the morning or in the evening. */
  #hourOf({ hour, half, isSure, isSpoken }: Clock, i: number, near = NEAR): number | undefined {
    if (half !== undefined) return this.#hourIn24({ hour, half })
    // “08:14”
    const is24 = this.tokens[i]?.text.startsWith('0')
    if (isSure && !isSpoken && (is24 || !(this.#isEnglish && hour < 12))) return hour
    if (hour >= 12 || hour === 0) return hour
    const part = this.#partOfDay(i, near)
    if (part !== undefined && (part === 'pm' || hour > 5)) return this.#hourIn24({ hour, half: part })
    // “Coach leaves the car park at 8.30”
    if (this.#isDeparture(i) || this.#isNear(i, OF_MOUNTAINS))
      return hour >= FIRST_DEPARTURE ? hour : undefined
    if (hour >= FIRST_EARLY && (this.#isNear(i, EARLY) || this.#isWorkingParty(i))) return hour
    // “Registration 8:00 to 9:00 a.m., we pair at 9:10”
    if (this.#isAfterMorning(i, hour) || this.#isBeforeMorning(i, hour)) return hour
    if (hour >= FIRST_EARLY && hour <= LAST_OF_EITHER && this.#isNear(i, ofEither)) return undefined
    // “10.30” is in the morning, unless there is music
    if (hour >= 10 && (!this.#isEnglish || (isSure && !this.#isLively(i)))) return hour
    // “Atelier à neuf heures et demie”
    return hour <= (this.#isLively(i) ? 9 : 8) ? hour + 12 : undefined
  }

  /** True if the last half of a day that is named in the line is the morning, up to an earlier hour. */
  #isAfterMorning(i: number, hour: number): boolean {
    const { line } = this.tokens[i] ?? {}
    for (let at = i - 1; at > i - FAR && this.tokens[at]?.line === line; at--) {
      const { half } = this.#afterHalf(at)
      if (half === undefined) continue
      let before = at - 1
      while (before > at - MAX_TO_HOUR && this.tokens[before]?.kind !== 'number') before--
      if (this.low(before - 1) === ':' || this.low(before - 1) === '.') before -= 2
      return half === 'am' && (this.#number(before, 12) ?? 13) <= hour
    }
    return false
  }

  /** True if the next hour of the sentence is later in the morning: “Signing on from 8.15, first group away at 9am”. */
  #isBeforeMorning(i: number, hour: number): boolean {
    const { line } = this.tokens[i] ?? {}
    for (let at = i + 1; at < i + FAR && this.tokens[at]?.line === line; at++) {
      const { half } = this.#afterHalf(at)
      if (half === undefined) continue
      let before = at - 1
      if (this.low(before - 1) === ':' || this.low(before - 1) === '.') before -= 2
      return half === 'am' && (this.#number(before, 12) ?? 0) > hour
    }
    return false
  }

  #isDeparture(i: number): boolean {
    const { line } = this.tokens[i] ?? {}
    const before = this.tokens.slice(Math.max(0, i - NEAR), i)
    return before.some(
      (token, n) =>
        token.line === line &&
        // “Coach from Market Square at 8.30”, but “Coach trip to Ely, concert at 7.30”
        (DEPARTURES.has(token.low) || (VEHICLES.has(token.low) && LEAVING.has(before[n + 1]?.low ?? ''))),
    )
  }

  /** The part of the day that the line of a time names; undefined if it names both. */
  #partOfDay(i: number, near: number): 'am' | 'pm' | undefined {
    let part: 'am' | 'pm' | undefined
    for (let at = Math.max(0, i - near); at < i + near; at++) {
      const { low, line } = this.tokens[at] ?? { low: '', line: -1 }
      // “el sábado por la mañana, a las 9”, but “mañana a las 9”
      const isByDay =
        BY_DAY.has(low) || BY_DAY_AT_END.test(low) || (low === 'manana' && this.low(at - 1) === 'la')
      const half = isByDay ? 'am' : BY_NIGHT.has(low) ? 'pm' : undefined
      const own = line === this.tokens[i]?.line ? half : undefined
      if (own !== undefined && part !== undefined && own !== part) return undefined
      part ??= own
    }
    return part
  }

  #isLively(i: number): boolean {
    return this.#isNear(i, LIVELY)
  }

  /** “9.30 Churchyard working party”, but “the Working Men’s Club, 8.30” */
  #isWorkingParty(i: number): boolean {
    return this.tokens
      .slice(Math.max(0, i - NEAR), i + NEAR)
      .some(
        ({ low, line }, n, near) =>
          low === 'party' && near[n - 1]?.low === 'working' && line === this.tokens[i]?.line,
      )
  }

  /** True if one of some words stands near a time in its line. */
  #isNear(i: number, words: Pick<WordSet, 'has'>): boolean {
    const { line } = this.tokens[i] ?? {}
    return this.tokens
      .slice(Math.max(0, i - NEAR), i + NEAR)
      .some(token => token.line === line && words.has(token.low))
  }

  /** True if a bare number is a time: `doors 7`, `at 8`, `a las 21`, `8 till late`. */
  #isTime(i: number, { to }: Clock): boolean {
    const before = this.low(i - 1)
    const after = this.tokens[i + 1]
    // “meet at Gate 3”, but “gates 7”
    if (NUMBERED.has(before) && this.tokens[i - 1]?.text !== before) return false
    // “bis 10,- €”
    if (after?.low === ',' && this.low(i + 2) === '-') return false
    // “ab 7. Dezember”, in two lines
    if (after?.low === '.' && MONTHS.has(this.low(i + 2))) return false
    if (
      after?.isSpaced === false &&
      ['€', '$', '£', '%', ',', '.', '/'].includes(after.low) &&
      this.tokens[i + 2]?.kind === 'number'
    )
      return false
    if ([before, after?.low ?? ''].some(low => MONEY.has(low)) || COUNTED.has(after?.low ?? '')) return false
    // “Teams bis 5 Leute”
    if (
      ONLY_END.has(before) &&
      after?.kind === 'word' &&
      after.line === this.tokens[i]?.line &&
      !SMALL.has(after.low)
    )
      return false
    if (ADMISSION.has(before) && this.#isInPriceList(to)) return false
    const late = this.low(to) === "'" || this.low(to) === '’' ? to + 2 : to + 1
    if (UNTIL.has(this.low(late - 1)) && LATE.has(this.low(late))) return true
    return (
      [BEFORE_HOUR, ONLY_END, NOT_THE_BEGINNING, BEGINNING].some(words => words.has(before)) ||
      this.#isLabelled(i)
    )
  }

  /**
   * True if an amount stands beside it in its line, and no time: “Vorverkauf 16, Abendkasse 19, ermäßigt 12
   * Euro”.
   */
  #isInPriceList(to: number): boolean {
    const { line } = this.tokens[to - 1] ?? {}
    const isTelling = ({ low }: Token): boolean => MONEY.has(low) || HOUR_WORDS.has(low)
    const near = [
      this.tokens.slice(to, to + NEAR).find(isTelling),
      // “Vorverkauf 8 Euro, Abendkasse 10.”
      this.tokens.slice(Math.max(0, to - NEAR), to - 1).findLast(isTelling),
    ].filter(one => one?.line === line)
    return near[0] !== undefined && MONEY.has(near[0].low)
  }

  /** True if a label stands before a time: `Time: 7.30`, `curtain up 7.45`. */
  #isLabelled(i: number): boolean {
    const label = this.low(AFTER_LABELS.has(this.low(i - 1)) ? i - 2 : i - 1)
    return LABELS.has(label) || (label !== this.low(i - 1) && BEGINNING.has(label))
  }

  #clockAt(i: number, isBracketed = false): Clock | undefined {
    return this.#numbersAt(i, isBracketed) ?? this.#wordsAt(i)
  }

  /** `20`, `20:15`, `20.15 Uhr`, `20h15`, `8.15pm`, `8 a.m.` */
  #numbersAt(i: number, isBracketed: boolean): Clock | undefined {
    const four = this.#fourDigitsAt(i)
    if (four) return four
    const hour = this.#number(i, 24)
    if (hour === undefined) return undefined
    if (
      this.isAttached(i) &&
      ['/', '.', ',', '+', '€', '$', '£', ':', '#'].includes(this.low(i - 1)) &&
      !this.#isColumn(i)
    )
      return undefined
    if (this.tokens[i - 1]?.kind === 'word' && this.isAttached(i)) return undefined
    let to = i + 1
    let minute = 0
    let isSure = false
    const mark = this.low(to)
    const digits = this.tokens[to + 1]
    const hasMinutes =
      this.isAttached(to) &&
      digits?.isSpaced === false &&
      digits.text.length === 2 &&
      this.#number(to + 1, 59) !== undefined
    if (hasMinutes && (mark === ':' || mark === 'h')) {
      minute = Number(digits?.text)
      to += 2
      isSure = true
      if (mark === ':' && this.low(to) === ':' && this.isAttached(to + 1)) to += 2
    } else if (
      hasMinutes &&
      ((OTHER_POINTS.has(mark) && this.#isUnit(to + 2)) ||
        (mark === '.' && (isBracketed || this.#isDotted(i))))
    ) {
      minute = Number(digits?.text)
      isSure = true
      to += 2
    }
    if (hour === 12 && AT_NOON.has(this.low(to))) {
      isSure = true
      to++
    } else if (hour === 12 && this.#isMeridian(i))
      [to, isSure] = [this.low(to + 1) === '.' ? to + 2 : to + 1, true]
    return this.#completed({ to, hour, minute, isSure, isSpoken: false })
  }

  /** True behind dots that lead to a column, and behind the comma after a day: “7 FÉVRIER....12h30”, `2027-02-03,18:00`. */
  #isColumn(i: number): boolean {
    const areDots = [1, 2, 3].every(back => this.low(i - back) === '.')
    return areDots || (this.low(i - 1) === ',' && this.#isTaken(i - 2) && this.low(i + 1) === ':')
  }

  /** True for noon, as Latin America writes it: “a las 12 m.”, “de 9 a. m. a 12 m.”, but not “de 10 a 12 m”. */
  #isMeridian(i: number): boolean {
    if (this.low(i + 1) !== 'm') return false
    const after = this.low(i + 2) === '.' ? i + 3 : i + 2
    const joint = this.#jointAt(after)
    const next = joint === undefined ? undefined : this.#number(joint, 12)
    const isFirst = next !== undefined && joint !== undefined && this.#afterHalf(joint + 1).half !== undefined
    const isSecond = UNTIL.has(this.low(i - 1)) && ['m', 'am', '.'].includes(this.low(i - 2))
    return this.low(i - 1) === 'las' || isFirst || isSecond
  }

  /**
   * A time with its unit, its minutes in words, and its half of the day: `20 Uhr 15`, `8 o'clock`, `sept
   * heures et quart du soir`.
   */
  #completed(clock: Omit<Clock, 'half'>): Clock | undefined {
    let { to, hour, minute, isSure, isSpoken } = clock
    if (this.low(to) === 'o' && this.low(to + 2) === 'clock') [to, isSure] = [to + 3, true]
    // “7ish”, “7:30-ish”
    else if (this.low(this.low(to) === '-' ? to + 1 : to) === 'ish' && hour <= 12)
      [to, isSure] = [this.low(to) === '-' ? to + 2 : to + 1, true]
    else if (HOUR_WORDS.has(this.low(to))) {
      isSure = true
      to++
      if (this.low(to) === '.' && this.isAttached(to)) to++
      // “10:00 h 10 km”, “à 20h. Cinq minutes par passage”
      const more = clock.isSure || this.low(to - 1) === '.' ? undefined : this.#minutesAt(to)
      if (more) [minute, to] = [more.number, more.to]
      // “19 Uhr c. t.”
      const academic = this.low(to) === 'c' && this.low(to + 1) === '.' && this.low(to + 2) === 't'
      if (academic) [minute, to] = [15, this.low(to + 3) === '.' ? to + 4 : to + 3]
    }
    const isBefore = ['moins', 'menos'].includes(this.low(to))
    if (isBefore || ['y', 'et', 'and'].includes(this.low(to))) {
      const at = this.low(to + 1) === 'le' ? to + 2 : to + 1
      const quarter = PARTS.get(this.low(at))
      const part =
        quarter !== undefined
          ? { number: quarter, to: at + 1 }
          : this.low(to) === 'and'
            ? undefined
            : this.#minutesNamed(at)
      if (part && minute === 0) {
        ;[minute, to, isSure] = [isBefore ? 60 - part.number : part.number, part.to, true]
        // “8 heures et demie” is in the morning, “a las ocho y media” rather in the evening.
        const hasUnit = hour > 7 && HOUR_WORDS.has(this.low(clock.to))
        isSpoken = !(hasUnit && this.tokens[clock.to - 1]?.kind === 'number')
        if (isBefore) hour = hourBefore(hour)
      }
    }
    const { half: named, to: end } = this.#afterHalf(to)
    if (named !== undefined && hour > 12) return undefined
    // “elf Uhr mittags”
    const noon = this.low(to) === 'mittags' && hour < 12 && hour > 9 ? 'am' : named
    // “las doce y media de la mañana” is past noon, and “las doce de la noche” midnight.
    const isOfNoon = hour === 12 && this.low(end - 1) === 'manana'
    const isOfNight = hour === 12 && (this.low(end - 1) === 'noche' || this.low(to) === 'nachts')
    if (isOfNight) [hour, isSpoken] = [24, true]
    const half = isOfNoon || isOfNight ? undefined : noon
    // A number that goes on is misspelt: `8.3Opm`.
    const goesOn = this.tokens[end]
    if (
      goesOn?.isSpaced === false &&
      end === clock.to &&
      !isSpoken &&
      (goesOn.kind === 'word' ||
        // but not “20h00......Loto”
        (['.', ':'].includes(goesOn.low) && this.isAttached(end + 1) && this.low(end + 1) !== '.'))
    )
      return undefined
    return { to: end, hour, minute, half, isSure: isSure || half !== undefined, isSpoken }
  }

  /** Minutes after a unit: `20 Uhr 15`, `dix-neuf heures trente`. */
  #minutesAt(i: number): { number: number; to: number } | undefined {
    // “19 h”, and “35 places” or “28. | Sunday” in the next line
    if (startsLine(this.tokens, i)) return undefined
    const isTwo =
      this.tokens[i]?.text.length === 2 && ['uhr', 'h', 'heures', 'horas'].includes(this.low(i - 1))
    const number = isTwo && !this.#isPriced(i) ? this.#number(i, 59) : undefined
    return number === undefined ? this.#minutesNamed(i) : { number, to: i + 1 }
  }

  #minutesNamed(i: number): { number: number; to: number } | undefined {
    const minutes = numberIn(this.tokens, i)
    return minutes && minutes.number % 5 === 0 ? minutes : undefined
  }

  /** `1930 Uhr`, `2030 hrs` */
  #fourDigitsAt(i: number): Clock | undefined {
    const { kind, text = '' } = this.tokens[i] ?? {}
    if (kind !== 'number' || text.length !== 4 || this.#isTaken(i)) return undefined
    const hasUnit = ['uhr', 'h', 'hrs', 'hs'].includes(this.low(i + 1))
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
    return this.low(i + 1) === '-' && isClock(i) && isClock(i + 2) && this.#isAfterDay(i)
  }

  /** True for an hour between a day and a mark: “Fr 15.01. - 1930 - Übung”, but not “15 January - 2027 - …”. */
  #isFourDigitColumn(i: number): boolean {
    const { text = '' } = this.tokens[i] ?? {}
    const isMark = (at: number): boolean => ['-', '|', '/'].includes(this.low(at)) && !this.isAttached(at)
    const isYear = text.startsWith('20') && Number(text) > MIN_YEAR
    const isClock = /^(?:[01]\d|2[0-3])[0-5][05]$/.test(text)
    return isClock && !isYear && isMark(i - 1) && isMark(i + 1) && this.#isTaken(i - 2)
  }

  /** True if a number is an amount: `12 €`, `12,50`. */
  #isPriced(i: number): boolean {
    const after = this.low(i + 1)
    const isSameLine = !startsLine(this.tokens, i + 1)
    return (
      (MONEY.has(after) && isSameLine) ||
      // “21 h 15/10 €”
      ([',', '.', '/'].includes(after) && this.isAttached(i + 1) && this.isAttached(i + 2))
    )
  }

  /**
   * True if a number with a point is a time: it has a unit or a word before it, or is a quarter of an hour
   * after a day, in a span or alone.
   */
  #isDotted(i: number): boolean {
    const joint = this.#jointAt(i + 3, i)
    if (this.#isUnit(i + 3) || BEFORE_HOUR.has(this.low(i - 1)) || this.#isLabelled(i)) return true
    if (
      // “Arrive 6.45 for a 7.15 start”
      (this.low(i - 1) === 'a' && this.low(i - 2) === 'for') ||
      ['von', 'from', 'stage', 'for'].includes(this.low(i - 1)) ||
      BEGINNING.has(this.low(i - 1)) ||
      // “first note 7.30”
      (FIRST.has(this.low(i - 2)) && this.#isQuarter(i) && !MONEY.has(this.low(i + 3)))
    )
      return true
    if (joint !== undefined && this.#number(joint, 24) !== undefined)
      if (this.#isUnit(joint + 1) || (this.low(joint + 1) === '.' && this.#isUnit(joint + 3))) return true
    // “12.00 y 17.30 h”
    if (JOINING.has(this.low(i + 3)) && this.low(i + 5) === '.' && this.#isUnit(i + 7)) return true
    const isMoney = (at: number): boolean => MONEY.has(this.low(at)) && !this.#isTaken(at)
    if (!this.#isQuarter(i) || isMoney(i - 1) || isMoney(i + 3)) return false
    // “de 9.15 a 10.30”
    if (
      SPANNING.has(this.low(i - 1)) &&
      joint !== undefined &&
      this.#isQuarter(joint) &&
      !this.#isPriced(joint + 2)
    )
      return true
    // `Music 7.30–10.00`, `17.00–18.15`
    // “10 to 12.30”, “9.30 to 11.30”
    const hour = this.#number(i - 2, 24) ?? 0
    const isAfterHour = !this.isAttached(i - 2) && hour >= (this.#isEnglish ? 1 : FIRST_DEPARTURE)
    const isSecond = UNTIL.has(this.low(i - 1)) && (this.#isQuarter(i - 4) || isAfterHour)
    const isFirst = this.low(i + 3) === '-' && this.#isQuarter(i + 4) && !MONEY.has(this.low(i + 7))
    if (isSecond ? !this.#isPriced(i + 2) : isFirst) return true
    // “…, 20.15 im Kino”
    const isLate = UNTIL.has(this.low(i + 3)) || this.low(i + 3) === 'for' || SMALL.has(this.low(i + 3))
    // `Fri 5 March, 19.30, Village Hall`
    const after = this.tokens[i + 3]
    const isEnd =
      !after ||
      after.line !== this.tokens[i]?.line ||
      [',', '.', ';', '-', '(', ')', '/', '|', '·'].includes(after.low)
    const isCounted = COUNTED.has(after?.low ?? '')
    const isAfterDay = this.#isAfterDay(i)
    // `Fr 11.12. 6.00 Rorate`, `06.30`
    const { text: hours = '' } = this.tokens[i] ?? {}
    const isOfDay = Number(hours) >= (isAfterDay ? 6 : 7) || /^0[1-9]/.test(hours)
    return (
      (isOfDay || (this.#isEnglish && isAfterDay)) &&
      !isCounted &&
      (isAfterDay || startsLine(this.tokens, i) || (this.low(i - 1) === ',' && (isEnd || isLate)))
    )
  }

  #isQuarter(i: number): boolean {
    return (
      this.#number(i, 24) !== undefined &&
      this.low(i + 1) === '.' &&
      this.isAttached(i + 2) &&
      this.tokens[i + 2]?.text.length === 2 &&
      Number(this.tokens[i + 2]?.text) % 15 === 0
    )
  }

  #isUnit(i: number): boolean {
    return HOUR_WORDS.has(this.low(i)) || this.#afterHalf(i).half !== undefined
  }

  /** True for the letter of an hour: “11a-2p”, “at 7p”, but “20p” is a price, and “12a Mill Lane” a house. */
  #isShortHalf(i: number): boolean {
    // “10:30a”
    const hourBefore = (at: number): number => (this.low(at - 2) === ':' ? at - 3 : at - 1)
    const isHour = (at: number): boolean =>
      ['a', 'p'].includes(this.low(at)) &&
      this.isAttached(at) &&
      this.#number(hourBefore(at), 12) !== undefined
    const before = hourBefore(i) - 1
    const isFirst = UNTIL.has(this.low(i + 1)) && (isHour(i + 3) || isHour(i + 5))
    const isSecond = UNTIL.has(this.low(before)) && isHour(before - 1)
    const hasMinutes = this.low(i - 2) === ':'
    return this.#isEnglish && isHour(i) && (isFirst || isSecond || hasMinutes || this.low(before) === 'at')
  }

  /** `pm`, `p.m.`, `abends`, `de la noche`, `du soir`, `in the evening`, `am Abend` */
  #afterHalf(i: number): { to: number; half: 'am' | 'pm' | undefined } {
    const low = this.low(i)
    const half = HALVES.get(low)
    // “um 20 Uhr am Samstag”
    const isGerman =
      low === 'am' &&
      (this.tokens[i]?.text === 'Am' ||
        ['uhr', 'h', '.'].includes(this.low(i - 1)) ||
        // “von 10 bis 12 am Bahnhof”
        BEFORE_AM.has(this.low(i - 2)) ||
        // “um halb acht am Bahnhof”, “Viertel nach sieben am Abend”
        (!this.#isEnglish && this.tokens[i - 1]?.kind === 'word'))
    if (half && !isGerman && !this.#isTaken(i)) return { to: i + 1, half }
    if (low === 'at' && this.low(i + 1) === 'night') return { to: i + 2, half: 'pm' }
    if (this.#isShortHalf(i)) return { to: i + 1, half: low === 'a' ? 'am' : 'pm' }
    if ((low === 'a' || low === 'p') && this.low(i + 1) === '.' && this.low(i + 2) === 'm')
      return { to: this.low(i + 3) === '.' ? i + 4 : i + 3, half: low === 'a' ? 'am' : 'pm' }
    if (!['du', 'de', 'del', 'in', 'por', 'am'].includes(low)) return { to: i, half: undefined }
    const at = skip(i + 1, n => n < i + 4 && ['la', 'the', 'l', '’', "'"].includes(this.low(n)))
    if (this.low(at) === 'apres' && this.low(at + 2) === 'midi') return { to: at + 3, half: 'pm' }
    const ofDay = HALVES_OF_DAY.get(this.low(at))
    return { to: ofDay ? at + 1 : i, half: ofDay }
  }

  /**
   * `halb acht`, `viertel nach acht`, `ten past seven`, `dix-neuf heures trente`, `las ocho y media`, `midi`
   */
  #wordsAt(i: number): Clock | undefined {
    const low = this.low(i)
    // “pique-nique le midi”
    if (
      AT_NOON.has(low) &&
      !(low === 'midi' && (this.low(i - 2) === 'apres' || this.low(i - 1) === 'le')) &&
      // “la pause de midi”
      !(this.low(i - 1) === 'de' && this.low(i - 2) === 'pause') &&
      // “midi-concert”
      !(
        this.isAttached(i + 1) &&
        this.low(i + 1) === '-' &&
        this.tokens[i + 2]?.kind === 'word' &&
        !AT_MIDNIGHT.has(this.low(i + 2))
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
    if (AT_MIDNIGHT.has(low))
      return { to: i + 1, hour: 24, minute: 0, half: undefined, isSure: true, isSpoken: false }
    return this.#fractionAt(i) ?? this.#spokenAt(i)
  }

  /**
   * What stands before an hour: `halb acht`, `viertel nach acht`, `ten past seven`, `cuarto para las ocho`
   */
  #fractionAt(i: number): Clock | undefined {
    const low = this.low(i)
    const named = this.#minutesNamed(i)
    const end = named?.to ?? i + 1
    // “diez para las siete”, but “mesas de diez para ocho”
    const isNumber = this.low(end) !== 'para' || ['la', 'las'].includes(this.low(end + 1))
    const minutes = (isNumber ? named?.number : undefined) ?? MINUTES.get(low)
    const ofHour = OF_HOUR.get(low)
    if (minutes === undefined && ofHour === undefined) return undefined
    const mark = ['minutes', 'minuten'].includes(this.low(end)) ? end + 1 : end
    const isPast = PAST.has(this.low(mark))
    // “at a quarter of seven”, in America
    const isOf = this.low(mark) === 'of' && this.low(this.low(i - 1) === 'a' ? i - 2 : i - 1) === 'at'
    const isTo = BEFORE_FULL_HOUR.has(this.low(mark)) || isOf
    // “fünf vor halb sieben”
    const isOfHalf = (isPast || isTo) && this.low(mark + 1) === 'halb'
    const hasArticle = isOfHalf || ['la', 'las'].includes(this.low(mark + 1))
    const at = isPast || isTo ? (hasArticle ? mark + 2 : mark + 1) : i + 1
    const hour = this.#hourNamed(at)
    const before = isOfHalf ? -30 : 0
    const more = minutes !== undefined && (isPast || isTo) ? before + (isPast ? minutes : -minutes) : ofHour
    // “ten to eight” may be a span, but “at ten to eight” is none, and “im Viertel 8” is a part of a town.
    const isOther = isTo
      ? low === 'half' || ((low === 'ten' || low === 'five') && this.low(i - 1) !== 'at')
      : low === 'viertel' && this.tokens[at]?.kind === 'number' && !isPast
    if (hour === undefined || hour > 12 || more === undefined || isOther) return undefined
    const [wholeHour, minute] = more < 0 ? [hourBefore(hour), 60 + more] : [hour, more]
    const clock = this.#completed({ to: at + 1, hour: wholeHour, minute, isSure: true, isSpoken: true })
    return clock && { ...clock, isSpoken: clock.half === undefined }
  }

  /** `ab sieben`, `at eight`, `las ocho y media`, `dix-neuf heures trente` */
  #spokenAt(i: number): Clock | undefined {
    const named = numberIn(this.tokens, i)
    if (named === undefined || named.number > 24) return undefined
    const { number: hour, to: after } = named
    // “seven thirty”, “ten-fifteen”
    const at = this.low(after) === '-' && this.isAttached(after) ? after + 1 : after
    const quarter = hour > 12 || this.low(at + 1) === '-' ? undefined : QUARTERS.get(this.low(at))
    const [to, minute] = quarter === undefined ? [after, 0] : [at + 1, quarter]
    const clock = this.#completed({ to, hour, minute, isSure: minute > 0, isSpoken: hour <= 12 })
    if (!clock) return undefined
    // “Bono de las tres”
    const isOfThese = this.low(i - 1) === 'las' && this.low(i - 2) === 'de' && this.low(i - 3) !== 'partir'
    // “von neun bis zwölf”: a span, if both of its hours are read
    const isOfSpan = this.#isSpannedInWords(i, to)
    if (!clock.isSure && !isOfSpan && (!BEFORE_HOUR.has(this.low(i - 1)) || hour > 12 || isOfThese))
      return undefined
    return { ...clock, isSure: clock.isSure || !isOfSpan, isSpoken: clock.half === undefined && hour <= 12 }
  }

  /** True if an hour in words begins or ends a span: “von neun bis zwölf”, “Saturday, nine to noon”. */
  #isSpannedInWords(i: number, to: number): boolean {
    const end = this.#jointAt(to, i)
    const isAfterDay = this.#isAfterDay(i) || this.low(i - 1) === ','
    // “nine to one”, but “ten to one” may be a time
    const isSpan = !(MINUTES.has(this.low(i)) && this.low(to) === 'to')
    const isFirst =
      end !== undefined &&
      (SPANNING.has(this.low(i - 1)) ||
        (isAfterDay && (this.#isSureAt(end) || (isSpan && this.#isHourAt(end)))))
    const joint = ['las', 'la'].includes(this.low(i - 1)) ? i - 2 : i - 1
    const isSecond =
      (UNTIL.has(this.low(joint)) || JOINING.has(this.low(joint))) &&
      [joint - 1, joint - 2].some(at => at > 0 && SPANNING.has(this.low(at - 1)))
    const isAfterSpan =
      UNTIL.has(this.low(joint)) &&
      ((this.#isHourAt(joint - 1) && (this.#isAfterDay(joint - 1) || this.low(joint - 2) === ',')) ||
        // “nine-thirty till one”, “9.30 till one”
        QUARTERS.has(this.low(joint - 1)) ||
        this.#isQuarter(joint - 3)) &&
      !(MINUTES.has(this.low(joint - 1)) && this.low(joint) === 'to')
    return isFirst || isSecond || isAfterSpan
  }

  #isHourAt(i: number): boolean {
    return (NUMBER_WORDS.get(this.low(i)) ?? 13) <= 12
  }

  /** True for an hour that can be nothing else: “noon”, “half past twelve”, “1pm”. */
  #isSureAt(i: number): boolean {
    const isTwelve = AT_NOON.has(this.low(i)) || AT_MIDNIGHT.has(this.low(i))
    return isTwelve || (this.#fractionAt(i) ?? this.#numbersAt(i, false))?.isSure === true
  }

  #hourNamed(i: number): number | undefined {
    return NUMBER_WORDS.get(this.low(i)) ?? this.#number(i, 12)
  }
}
