import { sentenceHas, sentenceOf, wordsBefore } from '../words/clauses.ts'
import { lowAt, skip, skipBack, startsLine, type Token } from '../words/tokens.ts'
import {
  ADMISSION,
  AND,
  anyOf,
  BEGINNING,
  FOR,
  isKind,
  MONTHS,
  NOT_THE_BEGINNING,
  NOT_THE_DAY,
  NUMBER_WORDS,
  OCCASIONS,
  ORDINALS,
  OTHER_MATTERS,
  POSTPONED,
  SMALL,
  setOf,
  THANKS,
  UNTIL,
  VEHICLES,
  weekdayOf,
} from '../words/words.ts'
import type { DayMention } from './day-mentions.ts'
import { isConditional, isPuttingOff } from './status.ts'
import { FIRST, LEAVING, type TimeMention } from './times.ts'

// Not every day and time of an announcement is that of the event: deadlines, doors, opening hours of box
// offices and earlier events have some as well. The nearest cue in the same clause tells.

const isBeginning = (word: string): boolean => BEGINNING.has(word) || word.endsWith('beginn')
const isNotBeginning = (word: string): boolean =>
  NOT_THE_BEGINNING.has(word) || /(?:offnung|schluss|einlass)$/.test(word)

/** True if the clause before is about something else: “Vorverkauf: Buchhandlung Weber, Mo–Fr 9–18 Uhr”. */
function isClauseOfOther(tokens: readonly Token[], at: number): boolean {
  const { sentence, clause = 0 } = tokens[at] ?? {}
  for (let i = at; i > Math.max(0, at - 24); i--) {
    const token = tokens[i]
    if (!token || token.sentence !== sentence || token.clause < clause - 1) return false
    if (token.clause === clause - 1 && NOT_THE_BEGINNING.has(token.low)) return true
  }
  return false
}

/** Before a place: “a las nueve en el bar”, “um 17 Uhr vor dem Rathaus” */
const BEFORE_PLACE = setOf('en in im at au dans vor')
/** True if words before a time say that the event begins: “Beginn der 1. Runde: 10.00 Uhr”. */
export const isSaidToBegin = (
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  isTaken: (token: number) => boolean,
): boolean => {
  const before = wordsBefore(tokens, from, isTaken)
  return (
    isBeforeStart(tokens, to, isTaken) ||
    (!isOfOtherBeginning(before) &&
      !isSaidToStop(before) &&
      (SHARP.has(lowAt(tokens, tokens[to]?.low === 'en' ? to + 1 : to)) ||
        before.some(
          (word, i) =>
            // “Folks start showing up at 7:30”
            (STARTS.has(word) && !before[i - 1]?.endsWith('ing')) ||
            (isBeginning(word) && word.endsWith('beginn')),
        )))
  )
}
/** True if a word for the beginning ends the clause of a time: “Arrive 6.45 for a 7pm start” */
const isBeforeStart = (tokens: readonly Token[], to: number, isTaken: (token: number) => boolean): boolean =>
  tokens[to]?.clause === tokens[to - 1]?.clause &&
  BEGINS.has(lowAt(tokens, to)) &&
  !isTaken(to + 1) &&
  tokens[to + 1]?.kind !== 'word'
const BEGINS = setOf('start beginn anfang debut inicio comienzo')
/** “Amps off at half ten sharp”, but “kicks off at 7” */
const isSaidToStop = (words: readonly string[]): boolean =>
  words.some((word, i) => word === 'off' && words[i + 1] !== 'kicks')
/** Behind the hour at which something begins: “at 7 sharp”, “a las 19 en punto”. */
const SHARP = setOf('sharp prompt pile punto precises punktlich')
/**
 * True if what begins is something else: “Die Preisverteilung beginnt um 15 Uhr”, “Registration starts at 8”.
 */
const isOfOtherBeginning = (words: readonly string[]): boolean => {
  const at = words.findIndex(word => STARTS.has(word))
  if (at < 0) return false
  const [what = '', before = ''] = words.slice(at + 1)
  // “Set-up starts at 7.30”, “Sign-in begins at 6.30”, but “the registration of dogs begins”
  const own = words.slice(at + 1).find(word => !SMALL.has(word)) ?? ''
  return isNotBeginning(own) || (PARTICLES.has(what) && isNotBeginning(before + what))
}
/** Behind a verb: “sign-in” */
const PARTICLES = setOf('up in off')
const STARTS = setOf(
  'geht kicks punkt beginnt beginnen beginne fangt fangen startet anfang start starts begins beginning kickoff debut commence commencons commencera inicio comienzo comienza empieza empezamos empezara arranca arrancamos',
)

/**
 * Parts of an evening or a race that come before its beginning: a lesson, drinks, the handing out of numbers.
 */
const PRELIMINARIES = setOf(
  'drinks taster signup pickup warmup calentamiento echauffement aufwarmen verifications verification intro introduction initiation dossards lesson lessons class cours breakfast schnupperstunde schnupperkurs crashkurs aufstellung startnummern startnummernausgabe sektempfang einfuhrung konzerteinfuhrung werkeinfuhrung clase registro numeros dorsales covoiturage fahrgemeinschaft carpool viewing',
)
const isPreliminary = (tokens: readonly Token[], i: number): boolean => {
  const { low = '' } = tokens[i] ?? {}
  return (
    PRELIMINARIES.has(low) ||
    (['sign', 'warm', 'pick'].includes(low) && ['up', '-'].includes(lowAt(tokens, i + 1))) ||
    (low === 'signing' && ['on', 'in'].includes(lowAt(tokens, i + 1)))
  )
}
/** Words before the hour at which the event itself begins: “6pm for a 6.30 start”. */
const FOR_START = setOf('for pour para')
/** The most tokens from the one time to the other, as in “pour un départ à”. */
const MAX_TO_START = 4
/** The most lines between a lesson and the dance. */
const MAX_LINES_TO_EVENT = 2
/** The most tokens before a time that are looked at, as in “Entrega de números: desde las”. */
const MAX_TO_PRELIMINARY = 6

/**
 * True if a time is that of something before the event, whose own time follows: “initiation à 20h, bal à
 * 21h”.
 *
 * @param next the time after it
 */
export function isBeforeEvent(
  tokens: readonly Token[],
  { from, to, start = '' }: TimeMention,
  next: TimeMention | undefined,
  isTaken: (token: number) => boolean,
): boolean {
  if (next?.start === undefined || next.start <= start) return false
  if ((tokens[next.from]?.line ?? 0) - (tokens[from]?.line ?? 0) > MAX_LINES_TO_EVENT) return false
  // “6pm for a 6.30 start”
  // but not “15h pour les enfants, 20h pour les adultes”
  const isOne = tokens.slice(to, next.from).every(({ kind }) => kind === 'word')
  if (FOR_START.has(lowAt(tokens, to)) && next.from - to <= MAX_TO_START && isOne) return true
  const { sentence, line } = tokens[from] ?? {}
  const isNear = (i: number): boolean => tokens[i]?.sentence === sentence || tokens[i]?.line === line
  const isFree = (i: number): boolean =>
    tokens[i] !== undefined && isNear(i) && !isTaken(i) && tokens[i]?.low !== ','
  for (let i = from - 1; i > from - MAX_TO_PRELIMINARY && isFree(i); i--)
    if (isPreliminary(tokens, i)) return true
  for (let i = to; i < to + 3 && isFree(i) && tokens[i]?.sentence === sentence; i++)
    if (isPreliminary(tokens, i)) return true
  // “Coaches' meeting 7.15, first race 8.30”
  const isFirst = wordsBefore(tokens, next.from, isTaken).some(word => FIRST.has(word))
  if (isFirst && wordsBefore(tokens, from, isTaken).some(word => BRIEFINGS.has(word))) return true
  // “Concert samedi 6 mars, caisse 19h, concert 20h”
  const [own, what] = [from, next.from].map(at =>
    wordsBefore(tokens, at, isTaken).find(word => !SMALL.has(word)),
  )
  if (own === undefined || what === undefined || own === what || !isKind(what)) return false
  if (countOf(tokens, from, what) === 0) return false
  // “Concert et bal : bal 19h, concert 20h” has both.
  return !(isKind(own) && countOf(tokens, from, own) > 1)
}

/** Before an hour from which on something no longer happens. */
const FROM_HOUR = setOf('ab nach from after partir apres des desde pasadas')
const NOTHING_FROM_THEN = setOf('no not kein keine keinen keiner nicht ne n plus pas ya nadie nobody niemand')
/**
 * True if a sentence that names no other moment says from when on something is no longer done: “Ab 16 Uhr nehmen wir
 * keine Sachen mehr an”, “No entry after 8pm”.
 */
export const isOfNone = (
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  isTaken: (token: number) => boolean,
): boolean => {
  const isHere = (i: number): boolean => tokens[i]?.sentence === tokens[from]?.sentence
  const [start, end] = [skipBack(from, isHere) + 1, skip(to, isHere)]
  const isOther = (i: number): boolean => i < from || i >= to
  const others = tokens.slice(start, end).filter((_, i) => isOther(start + i))
  return (
    end - start <= MAX_OF_NONE &&
    !others.some((_, i) => isTaken(start + i < from ? start + i : start + i + to - from)) &&
    wordsBefore(tokens, from, isTaken)
      .slice(0, 3)
      .some(word => FROM_HOUR.has(word)) &&
    others.some(({ low, clause }) => NOTHING_FROM_THEN.has(low) && clause === tokens[from]?.clause) &&
    !others.some(({ low }) => isKind(low))
  )
}
/** The most tokens of a sentence that says so. */
const MAX_OF_NONE = 40

const BRIEFINGS = setOf('warm warmup meeting briefing besprechung spielerbesprechung reunion charla tecnica')

/** How often a sentence has a word before a token. */
const countOf = (tokens: readonly Token[], at: number, word: string): number =>
  sentenceOf(tokens, at).filter(token => token.low === word && token.from < (tokens[at]?.from ?? 0)).length

const DENIALS = setOf('not nicht non no pas')
/** Between a denial and a day or a time: “nicht erst um 9.30 Uhr”, “no es este domingo”. */
const FILLERS = setOf('erst schon mehr wie angekundigt es sera')
/** True if a day or a time is said not to be that of the event: “à 18 h et non 20 h”, “heute nicht, sondern …” */
export const isDenied = (
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  isTaken: (token: number) => boolean,
): boolean =>
  (DENIALS.has(lowAt(tokens, to)) && [',', ';', '!'].includes(lowAt(tokens, to + 1))) ||
  DENIALS.has(wordsBefore(tokens, from, isTaken).find(word => !SMALL.has(word) && !FILLERS.has(word)) ?? '')

/** True if a bus or the like leaves at a time: “Coach from Market Square at 8.30”, but not “Coach building at 8pm”. */
export const isOfVehicle = (
  tokens: readonly Token[],
  { from }: { from: number },
  isTaken: (token: number) => boolean,
): boolean =>
  wordsBefore(tokens, from, isTaken).some(
    (word, i, words) => VEHICLES.has(word) && LEAVING.has(words[i - 1] ?? ''),
  )

/**
 * True if a word before a time says which weekday of a month is meant: “the last Thursday of each month at
 * 7pm”. The words are in the order of their distance from the time.
 */
const isNth = (words: readonly string[], i: number): boolean =>
  ORDINALS.has(words[i] ?? '') && weekdayOf(words[i - 1] ?? '') > 0

const ROOMS = setOf('bar kitchen box')
/**
 * True if a word before a time is where the event takes place: “in the bar at 8pm”, “leaving the chapel gate
 * at 10am”.
 */
const isRoom = (words: readonly string[], i: number): boolean =>
  (ROOMS.has(words[i] ?? '') && words.slice(i + 1, i + 3).some(word => BEFORE_PLACE.has(word))) ||
  (words[i] === 'gate' && words[i + 1] !== undefined)

const EXCEPTIONS = setOf('ausser except excluding sauf excepte hors excepto salvo menos')
/** True if a time is not that of the event: doors, deadlines, opening hours. */
export function isOtherTime(
  tokens: readonly Token[],
  time: TimeMention,
  isTaken: (token: number) => boolean,
  isOfOther: boolean,
): boolean {
  const { from, to, end } = time
  if (isBeforeStart(tokens, to, isTaken)) return false
  if ([isDenied, isInPlace, isOfEarlier].some(is => is(tokens, time, isTaken))) return true
  if (isOfBefore(tokens, from) || isAfterwards(tokens, from)) return true
  const call = callAt(tokens, time)
  if (call !== undefined) return call > 1
  const before = wordsBefore(tokens, from, isTaken)
  // “at the tourist office (9 to 12)”: brackets belong to the words before them.
  const isInBrackets = before.length === 0 && tokens[from - 1]?.low === '('
  const words = isInBrackets ? wordsBefore(tokens, from - 1, isTaken) : before
  const telling = tellingWord(words)
  // “Die Preisverteilung beginnt um 15 Uhr.”
  if (telling !== undefined) return !isBeginning(telling) || isOfOtherBeginning(words)
  const other = otherByWordAfter(tokens, to, isTaken)
  if (other) return other === 'this'
  // “Box office: Mon–Fri 10am–4pm, Sat 10am–1pm”
  const areOfWeekday = (some: readonly string[]): boolean =>
    some.some(word => weekdayOf(word) > 0) && some.every(word => weekdayOf(word) > 0 || SMALL.has(word))
  const isOfWeekday =
    areOfWeekday(before) ||
    // “(du mardi au vendredi, 14h–18h)”
    (tokens[from - 1]?.low === ',' && areOfWeekday(wordsBefore(tokens, from - 1, isTaken)))
  // “Mo–Fr 18–20 Uhr”
  const isOfWeekdays =
    isOfWeekday &&
    end !== undefined &&
    // “Samstag 14 bis 19 Uhr, Sonntag 11 bis 17 Uhr”
    tokens
      .slice(Math.max(0, from - 5), from)
      .some(({ low }, i, near) => UNTIL.has(low) && !isTaken(from - near.length + i))
  if (isOfWeekdays || (isOfWeekday && isClauseOfOther(tokens, from))) return true
  const next = tokens[to]
  const isNamed =
    next?.kind === 'word' && next.clause === tokens[from]?.clause && !SMALL.has(next.low) && !isTaken(to)
  // “ouvert de 9h à 12h et de 14h à 18h”
  const isFurther =
    end !== undefined &&
    before.some(word => AND.has(word)) &&
    before.every(word => SMALL.has(word) || AND.has(word))
  return (
    (isOfOther && (before.length === 0 || isOfWeekday || isFurther) && !isNamed) ||
    isOfOtherMatters(tokens, from)
  )
}

/** True if an hour in brackets is that of something earlier: “nach der Messe (10 Uhr) ab 11 Uhr”. */
const isOfEarlier = (
  tokens: readonly Token[],
  { from, to }: TimeMention,
  isTaken: (token: number) => boolean,
): boolean =>
  tokens[from - 1]?.low === '(' &&
  tokens[to]?.low === ')' &&
  wordsBefore(tokens, from - 1, isTaken)
    .slice(0, MAX_TO_EARLIER)
    .some(word => EARLIER.has(word))
const EARLIER = setOf('nach after following apres despues tras')
/**
 * True if a sentence begins with what is before, or a word right before a time says so: “Antes, 20.30, clase”, “fish
 * and chips beforehand at 7”, but not “Antes de la cena”.
 */
function isOfBefore(tokens: readonly Token[], at: number): boolean {
  const [first, next] = sentenceOf(tokens, at)
  const before = skipBack(at - 1, i => SMALL.has(lowAt(tokens, i)))
  return (
    (first !== undefined && first.sentence > 0 && BEFOREHAND.has(first.low) && !SMALL.has(next?.low ?? '')) ||
    EARLIER_ON.has(lowAt(tokens, before))
  )
}
/** These lead to no other word, as “before the talk” does. */
const EARLIER_ON = setOf('beforehand vorher zuvor auparavant')
const BEFOREHAND = anyOf(EARLIER_ON, setOf('antes before davor avant'))
/** True if people may call, or something else is done, after an hour: “Fragen gern nach 19 Uhr”. */
const isAfterwards = (tokens: readonly Token[], from: number): boolean => {
  const at = skipBack(from - 1, i => i > from - MAX_TO_EARLIER && SMALL.has(lowAt(tokens, i)))
  return (
    EARLIER.has(lowAt(tokens, at)) &&
    !SHORTLY.has(lowAt(tokens, at - 1)) &&
    !sentenceHas(tokens, from, STARTS)
  )
}
/** “Kurz nach 19 Uhr”, “just after 7pm” */
const SHORTLY = setOf('kurz gleich just shortly soon juste peu poco justo')
const MAX_TO_EARLIER = 4

/** The nearest of some words before a time that says whether the event begins then. */
const tellingWord = (words: readonly string[]): string | undefined =>
  words.find(
    (word, i) =>
      // “open mic”, “open house”, “bar quiz”
      (isNotBeginning(word) &&
        !isKind(words[i - 1] ?? '') &&
        !(OPENINGS.has(word) && isKind(words.slice(0, i).findLast(one => !SMALL.has(one)) ?? '')) &&
        // “ouverture officielle”, “soirée d’ouverture”
        !(OPENINGS.has(word) && (/^of+ici/.test(words[i - 1] ?? '') || isKind(words[i + 2] ?? ''))) &&
        words[i - 1] !== 'house' &&
        // “setting off at eleven”
        !(word === 'setting' && ['off', 'out'].includes(words[i - 1] ?? '')) &&
        // “We open on Friday at 6pm”
        !(word === 'open' && words[i + 1] === 'we') &&
        !isNth(words, i) &&
        !isRoom(words, i)) ||
      isBeginning(word),
  )

/**
 * Which time a word after one says to be something else: the word follows it, unless it belongs to the next,
 * as in “19 Uhr Einlass, 20 Uhr Beginn”.
 */
function otherByWordAfter(
  tokens: readonly Token[],
  to: number,
  isTaken: (token: number) => boolean,
): 'this' | 'next' | undefined {
  for (let i = to; i < to + 3; i++) {
    const [token, next] = [tokens[i], tokens[i + 1]]
    if (!token || token.clause !== tokens[to - 1]?.clause || isTaken(i) || BEFORE_PLACE.has(token.low))
      return undefined
    // “freitags um 18.30 Uhr außer am 12. Februar”
    if (EXCEPTIONS.has(token.low) || isOpeningOfEvent(tokens, i)) return undefined
    const isOtherWord =
      token.kind === 'word' && !NOT_THE_BEGINNING.has(token.low) && !SMALL.has(token.low) && next?.low !== '-'
    if (token.low === ':' || isOtherWord) return undefined
    // “17.30 Uhr Türöffnung”, above “18.00 Uhr Begrüßung”
    if (NOT_THE_BEGINNING.has(token.low)) return isTaken(i + 1) && next?.line === token.line ? 'next' : 'this'
  }
  return undefined
}

/**
 * True if the opening of the event itself stands there: “11:00 Apertura del mercado”, “Ouverture et chants”, but
 * not “Ouverture des portes”.
 */
function isOpeningOfEvent(tokens: readonly Token[], i: number): boolean {
  if (!OPENINGS.has(lowAt(tokens, i))) return false
  const named = tokens.slice(i + 1, i + MAX_TO_OPENED).filter(({ line }) => line === tokens[i]?.line)
  const first = named.find(({ low }) => !SMALL.has(low) && !AND.has(low))?.low ?? ''
  return isKind(first) || (['y', 'et', 'and', 'und'].includes(named[0]?.low ?? '') && !isNotBeginning(first))
}
const OPENINGS = setOf('apertura ouverture opening')
/** Tokens of “apertura de la feria”. */
const MAX_TO_OPENED = 5

/** Before a day on which tickets begin to be sold, something is open again, or a decision comes into force. */
const IN_FORCE = new Set([
  'on sale',
  'open again',
  'wieder geoffnet',
  'wieder offen',
  'nouveau ouvert',
  'nouveau ouverte',
  'en vente',
  'la venta',
  'takes effect',
  'take effect',
  'with effect',
  'prend effet',
  'prendra effet',
  'avec effet',
  'mit wirkung',
  'in kraft',
  'en vigueur',
  'en vigor',
  'au plus',
  'mas tardar',
])
/** Words at the beginning of a sentence that thanks people. */
const FIRST_WORDS = 8
/** “Merci d’annoncer …” asks for something. */
const REQUESTS = setOf(
  'annoncer retirer supprimer enlever ajouter publier noter inscrire diffuser afficher adding publishing posting including veroffentlichung aufnahme anunciar publicar anuncien publiquen',
)
const MAX_TO_REQUEST = 6
/** True if the sentence of a token says when something is closed, staffed, or thanks people. */
export const isOfOtherMatters = (tokens: readonly Token[], at: number): boolean => {
  let depth = 0
  const isWithin = isBracketed(tokens, at)
  const own = sentenceOf(tokens, at)
  const { clause, from = 0 } = tokens[at] ?? {}
  const isOfKind = (isHere: (token: Token) => boolean): boolean =>
    own.some(token => isKind(token.low) && isHere(token))
  const [isKindBefore, isKindBeside] = [
    isOfKind(token => token.from < from),
    isOfKind(token => token.clause === clause),
  ]
  const kindBefore = own.findLast(token => token.from < from && isKind(token.low))
  return own.some((one, i, sentence) => {
    const { low } = one
    if (low === '(') depth++
    if (low === ')') depth--
    // “(pas 8h, le gardien ferme plus tôt)”
    if (!OTHER_MATTERS.has(low) || (depth > 0 && !isWithin)) return false
    const before = sentence[i - 1]
    // “Spanisch für den Urlaub”
    if ([before, sentence[i - 2]].some(near => near && FOR.has(near.low))) return false
    // “Photo walk”, “Exhibition of photos”, and “soirée du club photo”
    const isOf = PHOTOS.has(low) ? isOfOccasion : isKind
    if ([sentence[i - 2], before, sentence[i + 1]].some(near => near && isOf(near.low))) return false
    // “Concert samedi 6 mars à 20h, fermeture à 22h”, “As the hall is closed, the concert on 6 March …”
    if (one.clause !== clause && (one.from > from ? isKindBefore : isKindBeside)) return false
    // “Por el corte de la carretera, la peregrinación, que íbamos a hacer el sábado …”
    if (kindBefore && kindBefore.from > one.from && kindBefore.clause !== one.clause) return false
    // “… y anticipan gracias”
    if (THANKS.has(low))
      return i < FIRST_WORDS && !sentence.slice(i, i + MAX_TO_REQUEST).some(near => REQUESTS.has(near.low))
    // “con obras de Bach”, “Horario: 21:30”
    if (low === 'obras') return before?.low === 'por'
    if (low === 'travaux') return sentence[i - 2]?.low !== 'etant'
    // and “domingo 21 de marzo, horario: 10–14 h”, but “Horario: lunes de 10 a 14 h”
    if (low === 'horario')
      return sentence.some((one, n) => weekdayOf(one.low) > 0 && !MONTHS.has(sentence[n + 3]?.low ?? ''))
    // “16:00 premiación y cierre”, but “apertura y cierre”
    if (low === 'cierre' && before?.low === 'y') return sentence[i - 2]?.low === 'apertura'
    // “until 2 May, open daily 10–4, closed Good Friday”
    if (
      CLOSED.has(low) &&
      one.from > from &&
      sentence.slice(0, i).some(near => near.from > from && OPEN.has(near.low))
    )
      return false
    // “two hours”
    return low !== 'hours' || (before?.kind !== 'number' && !NUMBER_WORDS.has(before?.low ?? ''))
  })
}

const PHOTOS = setOf('photo photos')
const isOfOccasion = (low = ''): boolean => isKind(low) || OCCASIONS.has(low)
const CLOSED = setOf('closed geschlossen fermee cerrado cerrada')
export const OPEN = setOf('open opens ouvert ouverte ouverts ouvertes abierto abierta abre abrimos geoffnet')

/** True if a token stands in brackets. */
function isBracketed(tokens: readonly Token[], at: number): boolean {
  for (let i = at; i > at - 30 && i >= 0; i--) {
    if (tokens[i]?.low === ')' || tokens[i]?.sentence !== tokens[at]?.sentence) return false
    if (tokens[i]?.low === '(') return true
  }
  return false
}

/** Labels of what is before or after an event. */
const AROUND = setOf(
  'depot reprise restitution montage demontage ruckgabe abholung annahme warenannahme aufbau abbau recogida entrega montaje desmontaje setup drop dropoff dorsales dossards startnummern startunterlagen bibs packet',
)

/**
 * True if a label says that a day, or the first one of its list, is before or after the event: “Dépôt :
 * vendredi 19 mars”.
 */
function isAround(tokens: readonly Token[], from: number, isTaken: (token: number) => boolean): boolean {
  const isOfList = (i: number): boolean =>
    isTaken(i) || [AND, SMALL].some(words => words.has(lowAt(tokens, i)))
  const start = skipBack(from - 1, isOfList) + 1
  if (tokens[start - 1]?.low !== ':') return false
  // “Anmeldung für das Schuljahr 2027/28: 15. bis 26. Februar”
  const first = tokens.slice(0, start).findLastIndex((_, i) => startsLine(tokens, i))
  return (
    REGISTRATIONS.has(lowAt(tokens, first)) ||
    tokens
      .slice(Math.max(0, start - MAX_OF_LABEL), start - 1)
      // An “opening reception” takes place.
      .some(({ low, text }) => AROUND.has(low) || (low === 'reception' && /é/.test(text)))
  )
}
/** Tokens of a label, with its colon: “Réception des articles :”. */
const MAX_OF_LABEL = 5

/**
 * True if a day is that on which things are handed in or out: “dépôt vendredi 12 mars, vente samedi 13 mars”,
 * but not “au Dépôt”.
 */
export const isOfHandover = (
  tokens: readonly Token[],
  { from }: DayMention,
  isTaken: (token: number) => boolean,
): boolean => {
  const words = wordsBefore(tokens, from, isTaken)
  // “Dépôt des articles le vendredi 19”, but neither “Dépôt-vente le vendredi 19” nor “au Dépôt”
  const at = words.findIndex(word => HANDED.has(word))
  return (
    (at >= 0 && (at === 0 || SMALL.has(words[at - 1] ?? '')) && !SMALL.has(words[at + 1] ?? '')) ||
    words.some(word => BROUGHT.has(word)) ||
    isGivenOut(tokens, from)
  )
}
/** “Quien quiera donar objetos puede traerlos los días 2, 3 y 4 de febrero” */
const BROUGHT = setOf('traerlos traerlas entregarlos entregarlas abgeben abgegeben deposes deposees')
/** True if one gets a stall, a number or a ticket on a day: “Die Tische vergeben wir am Montag”. */
const isGivenOut = (tokens: readonly Token[], at: number): boolean => {
  const words = sentenceOf(tokens, at).flatMap(({ low, clause }) =>
    clause === tokens[at]?.clause ? low : [],
  )
  return [GIVEN_OUT, STALLS].every(set => words.some(low => set.has(low))) && !words.some(isKind)
}
const GIVEN_OUT = setOf(
  'vergeben verlost zugeteilt verkauf gibt allocated assigned released drawn attribues attribuees distribues vente asignan asignaran adjudican reparten sortean venta',
)
const STALLS = setOf(
  'tische platze standplatze stande nummern tischnummern verkaufernummern karten tickets tables stalls pitches numbers emplacements places billets mesas puestos plazas entradas',
)
const HANDED = setOf(
  'depot annahme warenannahme retrait restitution abholung abgeholt ausgegeben ruckgabe collected recogida recogen recoger recogeran retirer',
)

/** True if a day or a time is that in whose place another is said: “au lieu du 9 février”, “rather than at 7pm”. */
export function isInPlace(
  tokens: readonly Token[],
  { from }: { from: number },
  isTaken: (token: number) => boolean,
): boolean {
  const words = wordsBefore(tokens, from, isTaken)
  const [first = '', second = ''] = words.filter(word => !BEFORE_OLD_DATE.has(word) && !DATED.has(word))
  return (
    // “findet statt am 9. Februar”, “… statt, am 9. Februar”
    (tokens[from - 2]?.low !== ',' &&
      ['statt', 'anstatt', 'anstelle'].includes(first) &&
      !sentenceOf(tokens, from).some(({ low }) => /^f[ai]nde[nt]?$/.test(low))) ||
    // “plutôt à 20h30 qu’à 20h”
    (['que', 'qu'].includes(first) && sentenceHas(tokens, from, RATHER)) ||
    IN_PLACE.has(`${second} ${first}`)
  )
}
const DATED = setOf('am on the le la el um at a las')
const RATHER = setOf('plutot mejor')
const IN_PLACE = new Set(['instead of', 'rather than', 'au lieu', 'en lugar', 'en vez', 'plutot que'])

/** True if a day is that from which something was put off: “reporté du 27 février”, “en lugar del 27”. */
export function isOrigin(
  tokens: readonly Token[],
  { from }: DayMention,
  isTaken: (token: number) => boolean,
): boolean {
  const [first = '', second = '', third = ''] = wordsBefore(tokens, from, isTaken)
  return (
    BEFORE_OLD_DATE.has(first) &&
    (POSTPONED.has(second) || (BEFORE_INSTEAD.has(third) && INSTEAD.has(second)))
  )
}
const BEFORE_OLD_DATE = setOf('from vom von du de del desde')
/** “Au lieu du 3 mai”, “en lugar del 3 de mayo” */
const BEFORE_INSTEAD = setOf('au en')
const INSTEAD = setOf('lieu lugar')

const HANDED_AT = anyOf(AROUND, setOf('auszahlung abrechnung abgabe collection payout'))
/**
 * True if things are handed in or out at a time: “Annahme 8–9 Uhr”, “8–9 Uhr Annahme”, but not “im Depot um 8
 * Uhr”.
 */
export const isHandedAt = (
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  isTaken: (token: number) => boolean,
): boolean => {
  // “Annahme: Freitag, 16–19 Uhr”
  const start = skipBack(from - 1, i => isTaken(i) || tokens[i]?.low === ',') + 1
  const isLabelled = start < from && tokens[start - 1]?.low === ':'
  const words = wordsBefore(tokens, isLabelled ? start - 1 : from, isTaken)
  return words.length === 0
    ? HANDED_AT.has(lowAt(tokens, to)) && !startsLine(tokens, to)
    : words.some((word, i) => HANDED_AT.has(word) && !SMALL.has(words[i + 1] ?? ''))
}

/**
 * True if brackets have the days of a break: “Winterferien (1. bis 5. Februar)”, “half term (15–19
 * February)”.
 */
export const isOfBreak = (tokens: readonly Token[], { from }: DayMention): boolean =>
  tokens[from - 1]?.low === '(' &&
  tokens
    .slice(Math.max(0, from - MAX_TO_BREAK), from - 1)
    .some(({ low }) => BREAKS.has(low) || /ferien$/.test(low))
/** Tokens of “vacances scolaires (”. */
const MAX_TO_BREAK = 3
export const BREAKS = setOf('vacances vacaciones holidays recess')

/**
 * True if what follows a day names a deadline or a break: “19 de febrero: fecha límite”, “15–19 Feb HALF
 * TERM”.
 */
function isNamedOther(tokens: readonly Token[], to: number): boolean {
  const first = [':', '-', ','].includes(lowAt(tokens, to)) ? to + 1 : to
  const named = tokens.slice(first, first + 3).filter(({ line }) => line === tokens[to - 1]?.line)
  const said = named.map(({ low }) => low)
  const [one = ''] = said
  return (
    DEADLINES.has(one) ||
    (named.length === 1 && (BREAKS.has(one) || /ferien$/.test(one))) ||
    OTHERS.some(phrase => `${said.join(' ')} `.startsWith(`${phrase} `)) ||
    (said.join(' ').startsWith('no hay ') && SESSIONS.has(said[2] ?? ''))
  )
}
/**
 * True if something has to be done by a day: “pour le 5 mars à 12h au plus tard”, but “Départ samedi à 9h au plus
 * tard”.
 */
function isLatest(tokens: readonly Token[], to: number, isTaken: (token: number) => boolean): boolean {
  const at = skip(to, i => isTaken(i) || tokens[i]?.low === ',' || SMALL.has(lowAt(tokens, i)))
  const [first = '', second = ''] = tokens.slice(at, at + 2).map(({ low }) => low)
  const isSaid = ['latest', 'spatestens'].includes(first) || LATEST.has(`${first} ${second}`)
  return isSaid && !sentenceOf(tokens, to - 1).some(({ low }) => isKind(low) || MEETING_WORDS.has(low))
}
const LATEST = new Set(['plus tard', 'mas tardar'])
/** Words of a sentence that says when people meet. */
const MEETING_WORDS = setOf('treffpunkt treffen treff meet meeting rendez rdv depart quedamos salida abfahrt')

/** “Wednesday 27th: Last day for permission slips” */
const OTHERS = [
  'last day for',
  'letzter tag fur',
  'dernier jour pour',
  'ultimo dia para',
  'fecha limite',
  'half term',
]
/** What a cinema, a class or a choir does not have on a day: “no hay clases”, “sin sesión”. */
export const SESSIONS = setOf(
  'sesion session seance sitzung treffen clase cours kurs probe training funcion meeting clases sesiones ensayo entreno',
)
const DEADLINES = setOf('deadline anmeldeschluss abgabeschluss redaktionsschluss inventur')

/** Words for days that are over. */
const GONE = setOf('pasado pasada pasados vergangenen vergangenem dernier derniers')
/** Right before a day: “add $15 after July 1”. */
const AFTER = setOf('after nach apres despues through thru')
/** “Nummern gibt’s ab 15. Februar”, “available from 5 March” */
const FROM_ON = setOf('ab from des desde')
const AVAILABLE = setOf('gibt gibts erhaltlich verfugbar available disponible disponibles')
const PRICES = /(?:preise|tarife|offnungszeiten|^prices|^tarifs|^precios|^tarifas|^horaires|^horarios)$/
const MAX_TO_PRICES = 6
const OPENS = setOf('opens closes begins starts ends end open')
/**
 * True if a sale begins on a day: “Der Vorverkauf für die Spielzeit beginnt am 1. März”, but not “Tickets £5: the
 * play starts on 1 March”.
 */
function isOfSales(tokens: readonly Token[], at: number, isTaken: (token: number) => boolean): boolean {
  const { clause } = tokens[at] ?? {}
  let hasBegun = false
  for (let i = at - 1; i >= at - MAX_TO_SALES && tokens[i]?.clause === clause; i--) {
    const { low = '' } = tokens[i] ?? {}
    if (hasBegun && SALES.has(low)) return true
    hasBegun ||= HAVE_BEGUN.has(low)
    if (low === ':' || (!hasBegun && !isTaken(i) && isKind(low))) return false
  }
  return false
}
const SALES = setOf(
  'vorverkauf kartenvorverkauf kartenverkauf ticketverkauf ticketvorverkauf billetterie prevente preventa abonnements abonos tickets',
)
const HAVE_BEGUN = setOf(
  'beginnt startet begins starts opens commence commencera debute debutera ouvre ouvrira demarre arranca comienza empieza inicia abre',
)
/** Tokens from “Vorverkauf” to the day. */
const MAX_TO_SALES = 20
const OPENED = setOf('registration office booking bookings sales')

/** Before the first day of some on which people can register. */
const FROM_FIRST = setOf('del de du from vom between entre zwischen')
const REGISTRATIONS = setOf(
  'inscripcion inscripciones matricula matriculacion reserva reservas registration registrations enrolment enrollment booking bookings inscription inscriptions reservation reservations anmeldung anmeldungen einschreibung',
)

const RELEASES = setOf('album ep single lp record book novel')
const PUBLISHED = setOf('erscheint erscheinen paraitra')

/** True if a day is not that of the event. */
export function isOtherDay(
  tokens: readonly Token[],
  { from, to }: DayMention,
  isTaken: (token: number) => boolean,
): boolean {
  if (isAround(tokens, from, isTaken) || isNamedOther(tokens, to) || isLatest(tokens, to, isTaken))
    return true
  // “by 5pm on Friday 26 February”, “Deadline: midnight, Sunday 28 February”
  const isComma = (i: number): boolean => tokens[i]?.low === ',' && isTaken(i - 1)
  const isOfDay = (i: number): boolean =>
    (isTaken(i) || isComma(i) || (SMALL.has(lowAt(tokens, i)) && tokens[i]?.low !== 'by')) &&
    tokens[i]?.sentence === tokens[from]?.sentence
  const start = skipBack(from - 1, isOfDay) + 1
  const isTimed = tokens.slice(start, from).some((_, i) => isTaken(start + i))
  const words = [
    ...wordsBefore(tokens, from, isTaken),
    ...(isTimed ? wordsBefore(tokens, start, isTaken) : []),
    // “Reservierung: 0660 555 01 23 (ab 18. Jänner)”
    ...(tokens[start - 1]?.low === '(' ? wordsBefore(tokens, start - 1, isTaken).slice(0, 1) : []),
  ]
  const said = words.filter(word => !SMALL.has(word))
  const isAvailable = FROM_ON.has(words[0] ?? '') && words.some(word => AVAILABLE.has(word))
  // “Eintrittspreise ab 1. Februar”, “horaires d’accueil à compter du 18 janvier”
  const isFrom = FROM_ON.has(words[0] ?? '') || ['partir', 'compter'].includes(words[1] ?? '')
  const isOfPrices = isFrom && words.slice(1, MAX_TO_PRICES).some(word => PRICES.test(word))
  return (
    isAvailable ||
    isOfPrices ||
    AFTER.has(words[0] ?? '') ||
    isBreakSaid(words) ||
    // “el pasado 4 de diciembre”, “le 5 décembre dernier”
    GONE.has(words[0] ?? '') ||
    GONE.has(lowAt(tokens, to)) ||
    // “Am 18. Februar erscheint ihr neuer Roman”
    PUBLISHED.has(lowAt(tokens, to)) ||
    // “Race number collection Friday”, “Number pick-up Friday”
    isHandedOut(words) ||
    isOfHelpers(words) ||
    isOfTrip(tokens, from, isTaken) ||
    // “El sábado 27 cerramos”, “am 14. Februar ausnahmsweise ab 10 Uhr geöffnet”
    WE_CLOSE.has(lowAt(tokens, to)) ||
    (EXCEPTIONALLY.has(lowAt(tokens, to)) && sentenceHas(tokens, from, OPEN)) ||
    // “Registration opens January 19”, “Box office opens Monday 1st February”
    (OPENS.has(said[0] ?? '') && OPENED.has(said[1] ?? '')) ||
    isMovedFrom(tokens, { from, to }) ||
    // “Inscripciones del 18 al 27 de enero”
    (FROM_FIRST.has(words[0] ?? '') && REGISTRATIONS.has(words[1] ?? '')) ||
    // “Tickets from any committee member up to Sunday 24th”
    (words[0] === 'to' && words[1] === 'up' && sentenceHas(tokens, from, ADMISSION)) ||
    // “new album out 5 Feb”
    (words.includes('out') && sentenceHas(tokens, from, RELEASES)) ||
    words.some((_, i) => isCue(words, i)) ||
    // “on sale from 5 March”, but “plant sale on 5 March”
    words.some((word, i) => IN_FORCE.has(`${words[i + 1] ?? ''} ${word}`)) ||
    isOfSales(tokens, from, isTaken) ||
    isOfOtherMatters(tokens, from) ||
    isPutOffInCase(sentenceOf(tokens, from)) ||
    isAlternative(tokens, from, isTaken)
  )
}

/** True if brackets say from which day an event was moved: “Sa, 20.02. 18:00 … (verlegt vom 13.02.)” */
function isMovedFrom(tokens: readonly Token[], { from, to }: { from: number; to: number }): boolean {
  const [open, moved, preposition] = tokens.slice(from - 3, from).map(({ low }) => low)
  return (
    open === '(' &&
    (POSTPONED.has(moved ?? '') || moved === 'report') &&
    ORIGINS.has(preposition ?? '') &&
    tokens[to]?.low === ')'
  )
}
const ORIGINS = setOf('vom from du del')
const WE_CLOSE = setOf('cerramos cerraremos cerrara fermons fermerons fermera')
const EXCEPTIONALLY = setOf('ausnahmsweise exceptionally exceptionnellement excepcionalmente')

/** “Aufbauhelfer treffen sich bereits am 9. Juni”, but “Fest der Helfer am 9. Juni” */
function isOfHelpers(words: readonly string[]): boolean {
  const at = words.findIndex(word => HELPERS.test(word))
  return words.slice(0, Math.max(at, 0)).some(word => HELPERS_DO.has(word))
}
const HELPERS = /^(?:helpers|volunteers|benevoles|voluntari[ao]s)$|helfer(?:innen)?$/
const HELPERS_DO = setOf('meet report treffen kommen retrouvent reunissent quedan reunen')

/** True if brackets say when those travel for whom an event collects: “proceeds go to the trip to the lake (20–22 May)”. */
function isOfTrip(tokens: readonly Token[], from: number, isTaken: (token: number) => boolean): boolean {
  const open = tokens.slice(0, from).findLastIndex(({ low }) => low === '(' || low === ')')
  return (
    tokens[open]?.low === '(' &&
    from - open <= MAX_TO_TRIP_DAY &&
    wordsBefore(tokens, open, isTaken)
      .slice(0, MAX_TO_TRIP)
      .some(word => TRIPS.has(word)) &&
    tokens.some((_, i) => i < open && isTaken(i))
  )
}
const TRIPS = setOf('camp trip retreat lager zeltlager austausch exchange sejour voyage campamento viaje')
/** Words from “trip to Lake Osweko” to its bracket, and tokens from that to its day. */
const MAX_TO_TRIP = 5
const MAX_TO_TRIP_DAY = 3

const isHandedOut = ([last, before, first]: readonly string[]): boolean =>
  (last === 'collection' && before === 'number') ||
  (last === 'pickup' && HANDED_OUT.has(before ?? '')) ||
  (last === 'up' && before === 'pick' && HANDED_OUT.has(first ?? ''))
const HANDED_OUT = setOf('number numbers bib bibs packet kit kits')

/** True for the words before the days of a break: “Half term is 15–19 February”, “les vacances sont du 15 au 19” */
const isBreakSaid = (words: readonly string[]): boolean =>
  words.some(
    (word, i) =>
      i < MAX_TO_BREAK && ARE.has(word) && (BREAKS.has(words[i + 1] ?? '') || words[i + 1] === 'term'),
  )
const ARE = setOf('is are ist sind est sont es son')

/**
 * Prepositions of a day that is not the event's: of anything else they say nothing about the day, as in “by
 * the Town Band”.
 */
const RIGHT_BEFORE = setOf(
  'by before until till since seit depuis excluding except instead bis vor ausser avant jusqu sauf hors excepte antes hasta salvo excepto',
)
const NEGATIONS = setOf('not no nicht kein keine pas')
/** After a negation that denies nothing: “Nicht verpassen!”, “not only for children”. */
const NOTHING_DENIED = setOf(
  'miss missed forget vergessen oublier oubliez olvidar olvides olvide olviden olvideis faltes falten falteis pierdan verpassen verpasst versaumen rate ratez manquez pierdas pierda perdais only nur solo seulement',
)
/** Words from “nicht” to the day of which it says something. */
const MAX_TO_NEGATION = 5
/** “Die Meldefrist endet am”, “Nennschluss” */
const PERIODS = /(?:frist|(?:melde|sende|abgabe|redaktions|annahme|nenn)schluss)$/
const WITHOUT = setOf('without ohne sans sin')

/**
 * True if a word before a day says that it is not the event's.
 *
 * @param words those of its clause before it, nearest first
 */
function isCue(words: readonly string[], i: number): boolean {
  const word = words[i] ?? ''
  // “Photo: 5 March”, but “photo club” and “balade photo”
  if (PHOTOS.has(word) && isOfOccasion(words[i + 1])) return false
  // “Taller sin inscripción el sábado”
  if (!(NOT_THE_DAY.has(word) || PERIODS.test(word)) || WITHOUT.has(words[i + 1] ?? '')) return false
  // “Due to illness the talk on 4 February …”, “will meet instead on 2 February”
  if ((word === 'due' && words[i - 1] === 'to') || (word === 'instead' && words[i - 1] !== 'of')) return false
  // “Die Sternwarte öffnet am Samstag”, but “Der Laden öffnet wieder am Samstag”
  if (word === 'offnet' && words[i - 1] !== 'wieder') return false
  const between = words.slice(0, i)
  // “postponed until 30 January”, “se aplaza hasta el 20”, but “Entries postponed until”
  const isUntil = UNTIL.has(word) || word === 'jusqu'
  const isOfEntries = words.some(one => isNotBeginning(one) || PERIODS.test(one))
  if (isUntil && !isOfEntries && words.slice(i + 1, i + MAX_TO_NEGATION).some(one => POSTPONED.has(one)))
    return false
  const isRightBefore = between.every(one => SMALL.has(one))
  if (isRightBefore || RIGHT_BEFORE.has(word)) return isRightBefore
  if (NEGATIONS.has(word)) {
    if (words.slice(Math.max(0, i - 3), i + 2).some(one => NOTHING_DENIED.has(one))) return false
    // “kein Training am 7.”, but “fiesta no apta para …” and “no tickets needed: the concert on …”
    const isOfKind = words.slice(Math.max(0, i - 3), i).some(isKind)
    // “Drei Celli, keine Noten: Das Trio Sandbank improvisiert am 14. März”
    const isNear = i < MAX_TO_NEGATION
    return isOfKind || (isNear && !words.slice(i + 1).some(isKind))
  }
  // “Prices and prizes: bingo on 6 March”, “último concierto de la temporada”
  return DEADLINES.has(word) || !between.some(isKind)
}

/** True if a day is the one if the weather is bad: `rain date`, `bei Regen am 14.`, `if wet, Sunday 14th`. */
function isAlternative(tokens: readonly Token[], at: number, isTaken: (token: number) => boolean): boolean {
  for (let i = at - 1; i > at - 9; i--) {
    const token = tokens[i]
    if (!token || token.sentence !== tokens[at]?.sentence || isTaken(i)) return false
    const isDate = token.low === 'date' && ALTERNATIVES.has(lowAt(tokens, i - 1))
    if (
      isDate ||
      (WEATHER.has(token.low) && [i - 1, i - 2].some(at => BEFORE_WEATHER.has(lowAt(tokens, at)))) ||
      ALTERNATIVE_DATES.has(token.low)
    )
      return true
  }
  return false
}
const ALTERNATIVES = setOf('rain cloud snow reserve backup alternative fallback storm weather')
const ALTERNATIVE_DATES = setOf('ausweichtermin ausweichdatum ersatzdatum schlechtwettertermin repli')
const BEFORE_WEATHER = setOf('bei if of de en schlechtem mauvais mal it')
const WEATHER = setOf(
  'wetter wolkendecke bewolkung regen dauerregen schlechtwetter sturm rain rains wet pluie temps intemperies lluvia tiempo',
)

/** True if few come to a first call on an earlier day: “2.ª convocatoria: sábado 30”, “el sábado 30 en segunda”. */
export const isOfSecondCall = (tokens: readonly Token[], { from, to }: DayMention): boolean => {
  const near = tokens
    .slice(Math.max(0, from - MAX_TO_CALL), to + MAX_TO_CALL)
    .flatMap(({ low, sentence }) => (sentence === tokens[from]?.sentence ? low : []))
  const isSecond = (low: string, i: number): boolean =>
    low === 'segunda' || (low === '2' && near.slice(i, i + 4).includes('convocatoria'))
  return near.includes('convocatoria') && near.some(isSecond)
}
/**
 * Whether a time is that of the first call of a meeting or of the second, for which a part of its members is enough:
 * “1.ª convocatoria 19:30, 2.ª 20:00”, “a las 19:30 en primera y a las 20:00 en segunda convocatoria”.
 */
function callAt(
  tokens: readonly Token[],
  { from, to }: Pick<TimeMention, 'from' | 'to'>,
): number | undefined {
  if (!sentenceOf(tokens, from).some(({ low }) => low === 'convocatoria')) return undefined
  const after = CALLS.get(tokens[to]?.low === 'en' ? lowAt(tokens, to + 1) : '')
  const before = tokens
    .slice(Math.max(0, from - MAX_TO_CALL), from)
    .findLast(({ low }, i, near) => CALLS.has(low) && isOrdinal(low, near[i + 1] ?? tokens[from]))
  return after ?? CALLS.get(before?.low ?? '')
}
const CALLS = new Map([
  ['primera', 1],
  ['1', 1],
  ['segunda', 2],
  ['2', 2],
])
/** True for “primera”, “1.ª” and “1a”, but not for a number alone. */
const isOrdinal = (low: string, next: Token | undefined): boolean =>
  low.length > 1 || (next?.isSpaced === false && ['.', 'a', 'ª'].includes(next.low))

/** Tokens of “2.ª convocatoria:”, and of “a las 19:00 en segunda”. */
const MAX_TO_CALL = 10

/** True if the sentence of a day begins with a condition: “If cloudy we move to Saturday 20 March”. */
export const isInCase = (tokens: readonly Token[], { from }: DayMention): boolean => {
  const [first] = sentenceOf(tokens, from)
  // “Sí, también el 6 de marzo”
  return first !== undefined && CASES.has(first.low) && !/í/i.test(first.text)
}
const CASES = setOf('if should falls wenn sollte sofern si')

/**
 * True if a sentence says to what an event is put off in a case that may not come: “bei Sturm wird er auf
 * Sonntag verschoben”.
 */
const isPutOffInCase = (sentence: readonly Token[]): boolean =>
  sentence.some(isPuttingOff) && isConditional(sentence)
