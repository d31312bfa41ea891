import { AT_NOON } from '../../moment-words.ts'
import { foldedAt, numberIn, skip, skipBack, type Token } from '../words/tokens.ts'
import { anyOf, isPlaceWord, NUMBER_WORDS, Phrases, setOf, WORDS, weekdayOf } from '../words/words.ts'
import { comingDay, type DayMention, daysLater, weekdayFrom, weekdayOn } from './day-mentions.ts'
import { isFeast, isPlural } from './weekdays.ts'

// Feast days that a text names without a date: “Pancake supper on Shrove Tuesday, 6 pm”.

/** The date of a feast in a year. */
type DateRule = (year: number) => string

/** A number of days from Easter Sunday. */
const fromEaster =
  (days: number): DateRule =>
  year =>
    daysLater(easter(year), days)

/** A feast on the same month and day each year, as `12-24`. */
const onDay =
  (day: string): DateRule =>
  year =>
    `${year}-${day}`

/** The first weekday from a day on, such as the third Monday of January from `01-15` on. */
const firstFrom =
  (day: string, weekday: number): DateRule =>
  year =>
    weekdayFrom(`${year}-${day}`, weekday)

const [MONDAY, WEDNESDAY, THURSDAY, SUNDAY] = [1, 3, 4, 7]

/** The Sunday of Advent, from 1 to 4. Sundays before it are 0 and less. */
const advent = (nth: number): DateRule => {
  const last = firstFrom('12-18', SUNDAY)
  return year => daysLater(last(year), (nth - 4) * 7)
}

/** The last Sunday of May, or the next one where that is Whit Sunday. */
const frenchMothersDay: DateRule = year => {
  const last = firstFrom('05-25', SUNDAY)(year)
  return daysLater(last, last === fromEaster(49)(year) ? 7 : 0)
}

const BRITAIN_AND_IRELAND = /^Europe\/(?:London|Belfast|Dublin)$/
const BRITAIN = /^Europe\/(?:London|Belfast)$/
const AMERICA = /^America\//

const UNITED_STATES =
  /^(?:America\/(?:New_York|Detroit|Chicago|Denver|Phoenix|Los_Angeles|Anchorage|Indiana\/.+|Kentucky\/.+)|Pacific\/Honolulu)$/

/**
 * Feasts with their names, between bars, and the time zones where they are on these days, if not everywhere.
 */
const feastRows = (): readonly (readonly [rule: DateRule, names: string, zones?: RegExp])[] => [
  [fromEaster(-52), 'weiberfastnacht|schmutziger donnerstag|schmutzigen donnerstag|jueves lardero'],
  [fromEaster(-50), 'faschingssamstag|fastnachtssamstag|karnevalssamstag|sabado de carnaval'],
  [fromEaster(-49), 'faschingssonntag|fastnachtssonntag|karnevalssonntag|domingo de carnaval'],
  [fromEaster(-48), 'rosenmontag|lunes de carnaval'],
  [
    fromEaster(-47),
    'shrove tuesday|pancake day|faschingsdienstag|fastnachtsdienstag|veilchendienstag|mardi gras|martes de carnaval',
  ],
  [fromEaster(-46), 'ash wednesday|aschermittwoch|mercredi des cendres|miercoles de ceniza'],
  [fromEaster(-21), 'mothering sunday'],
  [fromEaster(-21), 'mother s day|mothers day', BRITAIN_AND_IRELAND],
  [fromEaster(-7), 'palm sunday|palmsonntag|dimanche des rameaux|domingo de ramos'],
  [fromEaster(-3), 'maundy thursday|holy thursday|grundonnerstag|jeudi saint|jueves santo'],
  [fromEaster(-2), 'good friday|karfreitag|vendredi saint|viernes santo'],
  [fromEaster(-1), 'holy saturday|karsamstag|samedi saint|sabado santo|sabado de gloria'],
  [
    fromEaster(0),
    'easter sunday|easter day|ostersonntag|dimanche de paques|domingo de resurreccion|domingo de pascua',
  ],
  [fromEaster(1), 'easter monday|ostermontag|lundi de paques|lunes de pascua'],
  [fromEaster(7), 'weisser sonntag|weissen sonntag'],
  [fromEaster(39), 'ascension day|himmelfahrt|jeudi de l ascension|jeudi de ascension|jour de l ascension'],
  [fromEaster(49), 'whit sunday|pfingstsonntag|dimanche de pentecote|domingo de pentecostes'],
  [fromEaster(50), 'whit monday|pfingstmontag|lundi de pentecote|lunes de pentecostes'],
  [fromEaster(56), 'trinity sunday|dreifaltigkeitssonntag'],
  [fromEaster(60), 'fronleichnam'],
  [firstFrom('01-15', MONDAY), 'mlk day|martin luther king day'],
  [firstFrom('02-15', MONDAY), 'presidents day'],
  [firstFrom('05-08', SUNDAY), 'muttertag'],
  [frenchMothersDay, 'fete des meres', /^Europe\/Paris$/],
  [firstFrom('05-08', SUNDAY), 'mother s day|mothers day', AMERICA],
  [firstFrom('05-01', SUNDAY), 'dia de la madre', /^Europe\/Madrid$/],
  [firstFrom('05-25', MONDAY), 'memorial day', UNITED_STATES],
  [firstFrom('05-01', MONDAY), 'early may bank holiday|may day bank holiday', BRITAIN],
  [firstFrom('05-25', MONDAY), 'spring bank holiday', BRITAIN],
  [
    firstFrom('06-15', SUNDAY),
    'father s day|fathers day',
    /^(?:Europe\/(?:London|Belfast|Dublin)$|America\/)/,
  ],
  [firstFrom('08-25', MONDAY), 'august bank holiday', BRITAIN],
  [firstFrom('09-01', MONDAY), 'labor day'],
  [firstFrom('11-08', SUNDAY), 'remembrance sunday'],
  [firstFrom('11-16', WEDNESDAY), 'buss und bettag'],
  [firstFrom('11-22', THURSDAY), 'thanksgiving', UNITED_STATES],
  [advent(-1), 'volkstrauertag'],
  [advent(0), 'totensonntag|ewigkeitssonntag'],
  [
    advent(1),
    'advent sunday|1 advent|erster advent|ersten advent|1 adventssonntag|ersten adventssonntag|premier dimanche de l avent',
  ],
  [
    advent(2),
    '2 advent|zweiter advent|zweiten advent|2 adventssonntag|zweiten adventssonntag|deuxieme dimanche de l avent',
  ],
  [
    advent(3),
    '3 advent|dritter advent|dritten advent|3 adventssonntag|dritten adventssonntag|troisieme dimanche de l avent',
  ],
  [
    advent(4),
    '4 advent|vierter advent|vierten advent|4 adventssonntag|vierten adventssonntag|quatrieme dimanche de l avent',
  ],
  [onDay('01-01'), 'new year s day|new years day|neujahrstag|jour de l an'],
  [onDay('01-05'), 'noche de reyes'],
  [onDay('01-06'), 'dreikonigstag|dia de reyes'],
  [onDay('01-25'), 'burns night'],
  [onDay('01-26'), 'australia day'],
  [onDay('02-02'), 'candlemas|maria lichtmess|chandeleur|dia de la candelaria'],
  [onDay('02-14'), 'valentine s day|valentines day|valentinstag|saint valentin|san valentin'],
  [onDay('03-17'), 'st patrick s day|st patricks day'],
  [onDay('04-25'), 'anzac day'],
  [onDay('05-01'), 'tag der arbeit|dia del trabajo|dia del trabajador'],
  [onDay('06-21'), 'fete de la musique'],
  [onDay('06-23'), 'noche de san juan'],
  [onDay('08-15'), 'maria himmelfahrt|jour de l assomption|dia de la asuncion'],
  [onDay('10-03'), 'tag der deutschen einheit'],
  [onDay('10-26'), 'nationalfeiertag', /^Europe\/Vienna$/],
  [onDay('10-31'), 'reformationstag|halloween'],
  [onDay('11-01'), 'allerheiligen|todos los santos|jour de la toussaint|a la toussaint'],
  [onDay('11-02'), 'allerseelen|dia de muertos|dia de los muertos'],
  [onDay('11-05'), 'bonfire night'],
  [onDay('11-11'), 'remembrance day|armistice day|veterans day|martinstag'],
  [onDay('12-06'), 'nikolaustag|dia de la constitucion'],
  [onDay('12-08'), 'maria empfangnis|dia de la inmaculada|inmaculada concepcion'],
  [onDay('12-24'), 'christmas eve|heiligabend|heiligen abend|nochebuena'],
  [onDay('12-25'), 'christmas day|jour de noel|dia de navidad|erster weihnachtstag|ersten weihnachtstag'],
  [onDay('12-26'), 'boxing day|stephanstag|stefanitag|zweiter weihnachtstag|zweiten weihnachtstag'],
  [onDay('12-31'), 'new year s eve|new years eve|silvester|saint sylvestre|nochevieja'],
]

/**
 * Names of several days together, or of a saint, from which days are counted: “the Saturday before Easter”.
 */
const seasonRows = (): readonly (readonly [rule: DateRule, names: string])[] => [
  [fromEaster(-46), 'lent|fastenzeit'],
  [fromEaster(-7), 'rameaux'],
  [fromEaster(0), 'easter|ostern|paques|pascua|semana santa'],
  [fromEaster(39), 'ascension'],
  [fromEaster(49), 'whitsun|pentecost|pfingsten|pentecote|pentecostes'],
  [advent(1), 'advent|avent|adviento'],
  [onDay('01-01'), 'new year|neujahr|nouvel an|ano nuevo'],
  [onDay('01-06'), 'epiphany|dreikonig|epiphanie|reyes'],
  [onDay('01-17'), 'san anton'],
  [onDay('03-19'), 'san jose|saint joseph'],
  [onDay('06-24'), 'midsummer|johannis|saint jean|san juan'],
  [onDay('07-25'), 'santiago'],
  [onDay('11-01'), 'all saints|toussaint'],
  [onDay('11-11'), 'st martin|sankt martin|saint martin|san martin'],
  [onDay('12-06'), 'st nicholas|nikolaus|saint nicolas|san nicolas'],
  [onDay('12-25'), 'christmas|weihnachten|noel|navidad'],
]

/** Easter Sunday of a year, by the Gregorian rule in the form of Oudin (1940). */
function easter(year: number): string {
  const century = Math.trunc(year / 100)
  const golden = year % 19
  const moon =
    (century -
      Math.trunc(century / 4) -
      Math.trunc((century - Math.trunc((century - 17) / 25)) / 3) +
      19 * golden +
      15) %
    30
  const corrected =
    moon -
    Math.trunc(moon / 28) *
      (1 - Math.trunc(moon / 28) * Math.trunc(29 / (moon + 1)) * Math.trunc((21 - golden) / 11))
  const weekday = (year + Math.trunc(year / 4) + corrected + 2 - century + Math.trunc(century / 4)) % 7
  return daysLater(`${year}-03-01`, corrected - weekday + 27)
}

/** @property isSeason true if only days before and after it are meant */
type Feast = { dateIn: DateRule; zones?: RegExp | undefined; isSeason: boolean }

const FEASTS = new Phrases(() =>
  [...feastRows(), ...seasonRows()].flatMap(([dateIn, names, zones], i) =>
    names
      .split('|')
      .map((name): [string, Feast] => [name, { dateIn, zones, isSeason: i >= feastRows().length }]),
  ),
)

/** The feasts that a text names, each on its coming day. */
export function feastsIn(
  tokens: readonly Token[],
  { today, timezone }: { today: string; timezone: string },
): DayMention[] {
  const words = tokens.flatMap(({ kind, folded }, at) => (kind === 'sign' ? [] : [{ folded, at }]))
  const year = Number(today.slice(0, 4))
  // “Mariä Himmelfahrt” is not “Himmelfahrt” as well.
  let next = 0
  return words.flatMap(({ at }, i) => {
    if (i < next) return []
    const named = FEASTS.at(words, i, ({ zones }) => zones?.test(timezone) !== false)
    if (!named) return []
    next = named.to
    const feast = named.value
    const counted = countedFrom(tokens, at)
    // “in der Kirche Mariä Himmelfahrt”
    const before = foldedAt(tokens, at - 1)
    if (!counted && (feast.isSeason || isPlaceWord(before) || WORDS.beforeFeastOfChurch.has(before)))
      return []
    const to = (words[next - 1]?.at ?? at) + 1
    const writtenYear = yearAt(tokens, to)
    const dates = [year, year + 1].map(feast.dateIn).filter(one => one >= today)
    const date = dates.find(one => writtenYear === undefined || one.startsWith(writtenYear))
    const days = counted && date !== undefined ? counted.daysTo(date) : 0
    const day = days === undefined || date === undefined ? undefined : daysLater(date, days)
    // The feast of another year counts as past, and so does some day after Easter that nobody knows.
    return [{ ...comingDay(counted?.from ?? at, to, day ?? today), isPast: day === undefined || day < today }]
  })
}

const BEFORE_FEAST = anyOf(WORDS.eves, WORDS.beforeFeast)
const AFTER_FEAST = anyOf(WORDS.after, WORDS.afterFeast)

/**
 * Words that mean the day before or after without another word: “am Vorabend von Allerheiligen”, «le
 * lendemain de Noël».
 */
const ADJACENT_DAYS = anyOf(WORDS.eves, WORDS.dayAfterFeast)

/** Words between “eve”, “before” or “after” and the feast: “víspera de la”, “nach dem”. */
const TO_FEAST = anyOf(WORDS.toFeast, setOf("' ’"))

/**
 * How many days a text counts from a feast, and where that begins: “the Saturday before Easter”, “zwei Tage
 * vor Heiligabend”. For “after Easter”, nobody knows how many.
 */
function countedFrom(
  tokens: readonly Token[],
  feast: number,
): { from: number; daysTo: (date: string) => number | undefined } | undefined {
  const wordAt = (i: number): string => foldedAt(tokens, i)
  const at = skipBack(feast - 1, i => TO_FEAST.has(wordAt(i)))
  const step = BEFORE_FEAST.has(wordAt(at)) ? -1 : AFTER_FEAST.has(wordAt(at)) ? 1 : 0
  // “The Night Before Christmas” is a film.
  if (step === 0 || /^[A-Z][a-z]/.test(tokens[at]?.text ?? '')) return undefined
  // “All Souls’ Eve, Christmas”, but “eve of”
  if (ADJACENT_DAYS.has(wordAt(at))) return at < feast - 1 ? { from: at, daysTo: () => step } : undefined
  const weekday = wordAt(at - 1).length > 3 ? weekdayOf(wordAt(at - 1)) : 0
  if (weekday > 0)
    return {
      from: at - 1,
      daysTo: date => step * (((step * (weekday - weekdayOn(date)) + 13) % 7) + 1),
    }
  if (WORDS.daysBesideFeast.has(wordAt(at - 1))) return { from: at - 1, daysTo: () => step }
  const count = [at - 2, at - 3].map(i => ({ i, ...numberIn(tokens, i) })).find(({ to }) => to === at - 1)
  const number = count?.number ?? Number(wordAt(at - 2))
  const isCounted = WORDS.unitsOfDays.has(wordAt(at - 1)) && number > 0 && number < 15
  return isCounted
    ? { from: count?.i ?? at - 2, daysTo: () => step * number }
    : step > 0
      ? { from: at, daysTo: () => undefined }
      : undefined
}

/** The most tokens from a feast to the weekday on which it is kept. */
const MAX_TO_WEEKDAY = 5

/** The most days between a feast and the weekday on which it is kept. */
const MAX_DAYS_FROM_FEAST = 4

/**
 * Feasts without those that a weekday beside them contradicts: “Valentine’s dinner on Saturday” is on the
 * coming Saturday if that is near the feast, and otherwise on no known day.
 */
export const feastsBesideWeekday = (
  tokens: readonly Token[],
  feasts: readonly DayMention[],
  today: string,
): DayMention[] =>
  feasts.flatMap(feast => {
    if (isOfOtherSentence(tokens, feast)) return []
    if (feast.isPast) return [feast]
    const near = tokens.slice(Math.max(0, feast.from - MAX_TO_WEEKDAY), feast.to + MAX_TO_WEEKDAY)
    const end = near.findIndex(
      ({ folded, from }) => folded === '.' && from >= (tokens[feast.to - 1]?.to ?? 0),
    )
    const weekday = near.slice(0, end < 0 ? undefined : end).find(token => {
      const i = tokens.indexOf(token)
      const isBeside =
        (i < feast.from || i >= feast.to) && token.folded.length > 4 && weekdayOf(token.folded) > 0
      return isBeside && !isFeast(tokens, i) && !isPlural(token.folded)
    })
    if (!weekday || weekdayOf(weekday.folded) === weekdayOn(feast.date)) return [feast]
    const coming = weekdayFrom(today, weekdayOf(weekday.folded))
    const isNear =
      coming >= daysLater(feast.date, -MAX_DAYS_FROM_FEAST) &&
      coming <= daysLater(feast.date, MAX_DAYS_FROM_FEAST)
    return isNear ? [] : [{ ...feast, isPast: true }]
  })

/**
 * True if the sentence of a feast has no hour, and another one has a weekday: “Happy Halloween to all! The
 * concert is on Friday at 8pm.”
 */
function isOfOtherSentence(tokens: readonly Token[], { from, to }: DayMention): boolean {
  const isEnd = (i: number): boolean =>
    ['.', '!', '?'].includes(foldedAt(tokens, i)) && (tokens[i + 1]?.isSpaced ?? true)
  const start = skipBack(from - 1, i => i >= 0 && !isEnd(i)) + 1
  const end = skip(to, i => i < tokens.length && !isEnd(i))
  const hasHour = tokens
    .slice(start, end)
    .some(({ kind, folded }) => kind === 'number' || NUMBER_WORDS.has(folded) || AT_NOON.has(folded))
  const isWeekday = ({ folded }: Token, i: number): boolean =>
    (i < start || i >= end) &&
    folded.length > 4 &&
    weekdayOf(folded) > 0 &&
    !isFeast(tokens, i) &&
    !isPlural(folded)
  return !hasHour && tokens.some(isWeekday)
}

/** The year after the name of a feast: “Karfreitag 1975”, “Viernes Santo de 1975”. */
function yearAt(tokens: readonly Token[], to: number): string | undefined {
  const year = tokens[tokens[to]?.folded === 'de' ? to + 1 : to]
  return /^(?:19|20)\d\d$/.test(year?.text ?? '') ? year?.text : undefined
}
