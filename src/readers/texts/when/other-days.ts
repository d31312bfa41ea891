import { sentenceHas, sentenceOf, wordsBefore } from '../words/clauses.ts'
import { foldedAt, type MarkedText, skip, skipBack, startsLine, type Token } from '../words/tokens.ts'
import { AND, anyOf, isKind, phrasesOf, setOfPhrases, UNTIL, WORDS } from '../words/words.ts'
import type { DayMention } from './day-mentions.ts'
import { isOfOtherMatters, MAX_TO_CALL, namesOccasion, saysNotBeginning } from './roles.ts'
import { isConditional, putsOff } from './status.ts'

// Which days of an announcement are not that of the event: deadlines, breaks, days on which things are handed
// in, and rain dates. The nearest cue in the same clause decides.

/** The most tokens of a label, with its colon: “Réception des articles :”. */
const MAX_OF_LABEL = 5

/**
 * True if a label says that a day, or the first one of its list, is before or after the event: “Dépôt :
 * vendredi 19 mars”.
 */
function isOfSetUp({ tokens, isTaken }: MarkedText, from: number): boolean {
  const isOfList = (i: number): boolean =>
    isTaken(i) || [AND, WORDS.small].some(words => words.has(foldedAt(tokens, i)))
  const start = skipBack(from - 1, isOfList) + 1
  if (tokens[start - 1]?.folded !== ':') return false
  // “Anmeldung für das Schuljahr 2027/28: 15. bis 26. Februar”
  const first = tokens.slice(0, start).findLastIndex((_, i) => startsLine(tokens, i))
  return (
    WORDS.registrations.has(foldedAt(tokens, first)) ||
    tokens
      .slice(Math.max(0, start - MAX_OF_LABEL), start - 1)
      // An “opening reception” takes place.
      .some(({ folded, text }) => WORDS.settingUp.has(folded) || (folded === 'reception' && /é/.test(text)))
  )
}

/**
 * True if a day is that on which things are handed in or out: “dépôt vendredi 12 mars, vente samedi 13 mars”,
 * but not “au Dépôt”.
 */
export const isOfHandover = (text: MarkedText, { from }: DayMention): boolean => {
  const { tokens } = text
  const words = wordsBefore(text, from)
  // “Dépôt des articles le vendredi 19”, but neither “Dépôt-vente le vendredi 19” nor “au Dépôt”
  const at = words.findIndex(word => WORDS.handedOver.has(word))
  return (
    (at >= 0 &&
      (at === 0 || WORDS.small.has(words[at - 1] ?? '')) &&
      !WORDS.small.has(words[at + 1] ?? '')) ||
    words.some(word => WORDS.verbsOfHandingIn.has(word)) ||
    isGivenOut(tokens, from)
  )
}

/** True if one gets a stall, a number or a ticket on a day: “Die Tische vergeben wir am Montag”. */
const isGivenOut = (tokens: readonly Token[], at: number): boolean => {
  const words = sentenceOf(tokens, at).flatMap(({ folded, clause }) =>
    clause === tokens[at]?.clause ? folded : [],
  )
  return (
    [WORDS.givenOut, WORDS.stallsAndTickets].every(set => words.some(folded => set.has(folded))) &&
    !words.some(isKind)
  )
}

/** True if a day is that from which something was put off: “reporté du 27 février”, “en lugar del 27”. */
export function isOrigin(text: MarkedText, { from }: DayMention): boolean {
  const [first = '', second = '', third = ''] = wordsBefore(text, from)
  return (
    WORDS.beforeOldDate.has(first) &&
    (WORDS.postponed.has(second) || (WORDS.beforeLieuOfDay.has(third) && WORDS.inSteadOfPlace.has(second)))
  )
}

/** The most tokens before the days of a break that are looked at, as in “vacances scolaires (”. */
const MAX_TO_BREAK = 3

/**
 * True if brackets have the days of a break: “Winterferien (1. bis 5. Februar)”, “half term (15–19
 * February)”.
 */
export const isOfBreak = (tokens: readonly Token[], { from }: DayMention): boolean =>
  tokens[from - 1]?.folded === '(' &&
  tokens
    .slice(Math.max(0, from - MAX_TO_BREAK), from - 1)
    .some(({ folded }) => WORDS.breaksOfSchools.has(folded) || /ferien$/.test(folded))

const OTHER_DAYS = phrasesOf('otherDays')

/**
 * True if what follows a day names a deadline or a break: “19 de febrero: fecha límite”, “15–19 Feb HALF
 * TERM”.
 */
function namesOtherDay(tokens: readonly Token[], to: number): boolean {
  const first = [':', '-', ','].includes(foldedAt(tokens, to)) ? to + 1 : to
  const named = tokens.slice(first, first + 3).filter(({ line }) => line === tokens[to - 1]?.line)
  const words = named.map(({ folded }) => folded)
  const [firstWord = ''] = words
  return (
    WORDS.deadlines.has(firstWord) ||
    (named.length === 1 && (WORDS.breaksOfSchools.has(firstWord) || /ferien$/.test(firstWord))) ||
    OTHER_DAYS.at(named, 0) !== undefined ||
    (words.join(' ').startsWith('no hay ') && WORDS.sessionsLeftOut.has(words[2] ?? ''))
  )
}

const LATEST = phrasesOf('latest')

/**
 * True if something has to be done by a day: “pour le 5 mars à 12h au plus tard”, but not “Départ samedi à 9h
 * au plus tard”.
 */
function isLatest({ tokens, isTaken }: MarkedText, to: number): boolean {
  const at = skip(to, i => isTaken(i) || tokens[i]?.folded === ',' || WORDS.small.has(foldedAt(tokens, i)))
  return (
    LATEST.at(tokens, at) !== undefined &&
    !sentenceOf(tokens, to - 1).some(({ folded }) => isKind(folded) || WORDS.wordsOfMeetingUp.has(folded))
  )
}

/** The most tokens from “Vorverkauf” to the day. */
const MAX_TO_SALES = 20

/**
 * True if a sale begins on a day: “Der Vorverkauf für die Spielzeit beginnt am 1. März”, but not “Tickets £5:
 * the play starts on 1 March”.
 */
function isOfSales({ tokens, isTaken }: MarkedText, at: number): boolean {
  const { clause } = tokens[at] ?? {}
  let hasBegun = false
  for (let i = at - 1; i >= at - MAX_TO_SALES && tokens[i]?.clause === clause; i--) {
    const { folded = '' } = tokens[i] ?? {}
    if (hasBegun && WORDS.salesOfTickets.has(folded)) return true
    hasBegun ||= WORDS.saleBegins.has(folded)
    if (folded === ':' || (!hasBegun && !isTaken(i) && isKind(folded))) return false
  }
  return false
}

const IN_FORCE = setOfPhrases('inForce')

/** Words right before the day from which a price is higher: “add $15 after July 1”. */
const BEFORE_LATER = anyOf(WORDS.after, WORDS.beforeLaterPrice)

const PRICE_NOUNS = /(?:preise|tarife|offnungszeiten|^prices|^tarifs|^precios|^tarifas|^horaires|^horarios)$/
const MAX_TO_PRICES = 6
/** True if a day is not that of the event. */
export function isOtherDay(text: MarkedText, { from, to }: DayMention): boolean {
  const { tokens, isTaken } = text
  if (isOfSetUp(text, from) || namesOtherDay(tokens, to) || isLatest(text, to)) return true
  // “by 5pm on Friday 26 February”, “Deadline: midnight, Sunday 28 February”
  const isComma = (i: number): boolean => tokens[i]?.folded === ',' && isTaken(i - 1)
  const isOfDay = (i: number): boolean =>
    (isTaken(i) || isComma(i) || (WORDS.small.has(foldedAt(tokens, i)) && tokens[i]?.folded !== 'by')) &&
    tokens[i]?.sentence === tokens[from]?.sentence
  const start = skipBack(from - 1, isOfDay) + 1
  const isTimed = tokens.slice(start, from).some((_, i) => isTaken(start + i))
  const words = [
    ...wordsBefore(text, from),
    ...(isTimed ? wordsBefore(text, start) : []),
    // “Reservierung: 0660 555 01 23 (ab 18. Jänner)”
    ...(tokens[start - 1]?.folded === '(' ? wordsBefore(text, start - 1).slice(0, 1) : []),
  ]
  const significant = words.filter(word => !WORDS.small.has(word))
  const isAvailable = WORDS.fromOn.has(words[0] ?? '') && words.some(word => WORDS.availableFrom.has(word))
  // “Eintrittspreise ab 1. Februar”, “horaires d’accueil à compter du 18 janvier”
  const isFrom = WORDS.fromOn.has(words[0] ?? '') || ['partir', 'compter'].includes(words[1] ?? '')
  const isOfPrices = isFrom && words.slice(1, MAX_TO_PRICES).some(word => PRICE_NOUNS.test(word))
  return (
    isAvailable ||
    isOfPrices ||
    BEFORE_LATER.has(words[0] ?? '') ||
    isBreakSaid(words) ||
    // “el pasado 4 de diciembre”, “le 5 décembre dernier”
    WORDS.beforePastDay.has(words[0] ?? '') ||
    WORDS.beforePastDay.has(foldedAt(tokens, to)) ||
    // “Am 18. Februar erscheint ihr neuer Roman”
    WORDS.appears.has(foldedAt(tokens, to)) ||
    // “Race number collection Friday”, “Number pick-up Friday”
    isHandedOut(words) ||
    isOfHelpers(words) ||
    isOfTravellers(text, from) ||
    // “El sábado 27 cerramos”, “am 14. Februar ausnahmsweise ab 10 Uhr geöffnet”
    WORDS.weClose.has(foldedAt(tokens, to)) ||
    (WORDS.exceptionally.has(foldedAt(tokens, to)) && sentenceHas(tokens, from, WORDS.openForVisitors)) ||
    // “Registration opens January 19”, “Box office opens Monday 1st February”
    (WORDS.registrationOpens.has(significant[0] ?? '') && WORDS.opensForBookings.has(significant[1] ?? '')) ||
    isMovedFrom(tokens, { from, to }) ||
    // “Inscripciones del 18 al 27 de enero”
    (WORDS.beforeDaysOfRegistration.has(words[0] ?? '') && WORDS.registrations.has(words[1] ?? '')) ||
    // “Tickets from any committee member up to Sunday 24th”
    (words[0] === 'to' && words[1] === 'up' && sentenceHas(tokens, from, WORDS.admission)) ||
    // “new album out 5 Feb”
    (words.includes('out') && sentenceHas(tokens, from, WORDS.releases)) ||
    words.some((_, i) => saysOtherDay(words, i)) ||
    // “on sale from 5 March”, but “plant sale on 5 March”
    words.some((word, i) => IN_FORCE.has(`${words[i + 1] ?? ''} ${word}`)) ||
    isOfSales(text, from) ||
    isOfOtherMatters(tokens, from) ||
    isPutOffInCase(sentenceOf(tokens, from)) ||
    isAlternative(text, from)
  )
}

/** True if brackets say from which day an event was moved: “Sa, 20.02. 18:00 … (verlegt vom 13.02.)” */
function isMovedFrom(tokens: readonly Token[], { from, to }: { from: number; to: number }): boolean {
  const [open, moved, preposition] = tokens.slice(from - 3, from).map(({ folded }) => folded)
  return (
    open === '(' &&
    (WORDS.postponed.has(moved ?? '') || moved === 'report') &&
    WORDS.beforeOldDate.has(preposition ?? '') &&
    tokens[to]?.folded === ')'
  )
}

const HELPERS = /^(?:helpers|volunteers|benevoles|voluntari[ao]s)$|helfer(?:innen)?$/
/**
 * True if helpers meet on a day: “Aufbauhelfer treffen sich bereits am 9. Juni”, but not “Fest der Helfer am
 * 9. Juni”.
 */
function isOfHelpers(words: readonly string[]): boolean {
  const at = words.findIndex(word => HELPERS.test(word))
  return words.slice(0, Math.max(at, 0)).some(word => WORDS.helpersMeet.has(word))
}

/**
 * The most words from “trip to Lake Osweko” to its bracket, and the most tokens from the bracket to its day.
 */
const MAX_TO_TRIP = 5

const MAX_TO_TRIP_DAY = 3

/**
 * True if brackets say when those travel for whom an event collects: “proceeds go to the trip to the lake
 * (20–22 May)”.
 */
function isOfTravellers(text: MarkedText, from: number): boolean {
  const { tokens, isTaken } = text
  const bracket = tokens.slice(0, from).findLastIndex(({ folded }) => folded === '(' || folded === ')')
  return (
    tokens[bracket]?.folded === '(' &&
    from - bracket <= MAX_TO_TRIP_DAY &&
    wordsBefore(text, bracket)
      .slice(0, MAX_TO_TRIP)
      .some(word => WORDS.tripsCollectedFor.has(word)) &&
    tokens.some((_, i) => i < bracket && isTaken(i))
  )
}

const isHandedOut = ([last, before, first]: readonly string[]): boolean =>
  (last === 'collection' && before === 'number') ||
  (last === 'pickup' && WORDS.handedOutBeforeRace.has(before ?? '')) ||
  (last === 'up' && before === 'pick' && WORDS.handedOutBeforeRace.has(first ?? ''))

/**
 * True for the words before the days of a break: “Half term is 15–19 February”, “les vacances sont du 15 au
 * 19”
 */
const isBreakSaid = (words: readonly string[]): boolean =>
  words.some(
    (word, i) =>
      i < MAX_TO_BREAK &&
      WORDS.areDaysOfBreak.has(word) &&
      (WORDS.breaksOfSchools.has(words[i + 1] ?? '') || words[i + 1] === 'term'),
  )

/** The most words between “nicht” and the day that it denies. */
const MAX_TO_NEGATION = 5

/** Ends of compounds that mean a deadline: “Meldefrist”, “Nennschluss”. */
const DEADLINE_ENDS = /(?:frist|(?:melde|sende|abgabe|redaktions|annahme|nenn)schluss)$/

/**
 * True if a word before a day says that it is not the event's.
 *
 * @param words the words of its clause before the day, nearest first
 */
function saysOtherDay(words: readonly string[], i: number): boolean {
  const word = words[i] ?? ''
  // “Photo: 5 March”, but “photo club” and “balade photo”
  if (WORDS.photos.has(word) && namesOccasion(words[i + 1])) return false
  // “Taller sin inscripción el sábado”
  if (!(WORDS.notTheDay.has(word) || DEADLINE_ENDS.test(word)) || WORDS.withoutThings.has(words[i + 1] ?? ''))
    return false
  // “Due to illness the talk on 4 February …”, “will meet instead on 2 February”
  if ((word === 'due' && words[i - 1] === 'to') || (word === 'instead' && words[i - 1] !== 'of')) return false
  // “Die Sternwarte öffnet am Samstag”, but “Der Laden öffnet wieder am Samstag”
  if (word === 'offnet' && words[i - 1] !== 'wieder') return false
  const between = words.slice(0, i)
  // “postponed until 30 January”, “se aplaza hasta el 20”, but “Entries postponed until”
  const isUntil = UNTIL.has(word) || word === 'jusqu'
  const isOfEntries = words.some(one => saysNotBeginning(one) || DEADLINE_ENDS.test(one))
  if (
    isUntil &&
    !isOfEntries &&
    words.slice(i + 1, i + MAX_TO_NEGATION).some(one => WORDS.postponed.has(one))
  )
    return false
  const isRightBefore = between.every(one => WORDS.small.has(one))
  if (isRightBefore || WORDS.rightBeforeOtherDay.has(word)) return isRightBefore
  if (WORDS.negationsOfDays.has(word)) {
    if (words.slice(Math.max(0, i - 3), i + 2).some(one => WORDS.afterNegationOfNothing.has(one)))
      return false
    // “kein Training am 7.”, but “fiesta no apta para …” and “no tickets needed: the concert on …”
    const isOfKind = words.slice(Math.max(0, i - 3), i).some(isKind)
    // “Drei Celli, keine Noten: Das Trio Sandbank improvisiert am 14. März”
    const isNear = i < MAX_TO_NEGATION
    return isOfKind || (isNear && !words.slice(i + 1).some(isKind))
  }
  // “Prices and prizes: bingo on 6 March”, “último concierto de la temporada”
  return WORDS.deadlines.has(word) || !between.some(isKind)
}

/** True if a day is that for bad weather: `rain date`, `bei Regen am 14.`, `if wet, Sunday 14th`. */
function isAlternative({ tokens, isTaken }: MarkedText, at: number): boolean {
  for (let i = at - 1; i > at - 9; i--) {
    const token = tokens[i]
    if (!token || token.sentence !== tokens[at]?.sentence || isTaken(i)) return false
    const isDate = token.folded === 'date' && WORDS.beforeDateInCase.has(foldedAt(tokens, i - 1))
    if (
      isDate ||
      (WORDS.badWeather.has(token.folded) &&
        [i - 1, i - 2].some(at => WORDS.beforeBadWeather.has(foldedAt(tokens, at)))) ||
      WORDS.datesInCase.has(token.folded)
    )
      return true
  }
  return false
}

/**
 * True if a day is that of the second call of a meeting, for which a part of its members is enough: “2.ª
 * convocatoria: sábado 30”, “el sábado 30 en segunda”.
 */
export const isOfSecondCall = (tokens: readonly Token[], { from, to }: DayMention): boolean => {
  const near = tokens
    .slice(Math.max(0, from - MAX_TO_CALL), to + MAX_TO_CALL)
    .flatMap(({ folded, sentence }) => (sentence === tokens[from]?.sentence ? folded : []))
  const isSecond = (word: string, i: number): boolean =>
    word === 'segunda' || (word === '2' && near.slice(i, i + 4).includes('convocatoria'))
  return near.includes('convocatoria') && near.some(isSecond)
}

/** True if the sentence of a day begins with a condition: “If cloudy we move to Saturday 20 March”. */
export const beginsWithCondition = (tokens: readonly Token[], { from }: DayMention): boolean => {
  const [first] = sentenceOf(tokens, from)
  // “Sí, también el 6 de marzo”
  return first !== undefined && WORDS.conditionsAtHead.has(first.folded) && !/í/i.test(first.text)
}

/**
 * True if a sentence puts an event off only in a case that may not come: “bei Sturm wird er auf
 * Sonntag verschoben”.
 */
const isPutOffInCase = (sentence: readonly Token[]): boolean =>
  sentence.some(putsOff) && isConditional(sentence)
