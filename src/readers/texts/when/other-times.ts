import { sentenceHas, sentenceOf, wordsBefore } from '../words/clauses.ts'
import {
  foldedAt,
  type MarkedText,
  skip,
  skipBack,
  startsLine,
  type Token,
  tokensBefore,
} from '../words/tokens.ts'
import { AND, anyOf, isKind, ORDINALS, UNTIL, WORDS, weekdayOf } from '../words/words.ts'
import { isDenied, isOfOtherMatters, isSuperseded, MAX_TO_CALL, saysNotBeginning } from './roles.ts'
import type { TimeMention } from './times.ts'

// Which times of an announcement are not that at which the event begins: those of doors, deadlines, opening
// hours and of what comes before. The nearest cue in the same clause decides.

const saysBeginning = (word: string): boolean => WORDS.beginning.has(word) || word.endsWith('beginn')

/** True if the clause before is about something else: “Vorverkauf: Buchhandlung Weber, Mo–Fr 9–18 Uhr”. */
function isClauseOfOther(tokens: readonly Token[], at: number): boolean {
  const { clause = 0 } = tokens[at] ?? {}
  return sentenceOf(tokens, at).some(
    one => one.clause === clause - 1 && WORDS.notTheBeginning.has(one.folded),
  )
}

/** True if words before a time say that the event begins: “Beginn der 1. Runde: 10.00 Uhr”. */
export const isSaidToBegin = (text: MarkedText, { from, to }: { from: number; to: number }): boolean => {
  const { tokens } = text
  const before = wordsBefore(text, from)
  return (
    isBeforeStart(text, to) ||
    (!isOfOtherBeginning(before) &&
      !isSaidToStop(before) &&
      (WORDS.sharp.has(foldedAt(tokens, tokens[to]?.folded === 'en' ? to + 1 : to)) ||
        before.some(
          (word, i) =>
            // “Folks start showing up at 7:30”
            (WORDS.saidToBegin.has(word) && !before[i - 1]?.endsWith('ing')) || word.endsWith('beginn'),
        )))
  )
}

/** True if a word for the beginning ends the clause of a time: “Arrive 6.45 for a 7pm start” */
const isBeforeStart = ({ tokens, isTaken }: MarkedText, to: number): boolean =>
  tokens[to]?.clause === tokens[to - 1]?.clause &&
  WORDS.startAfterTime.has(foldedAt(tokens, to)) &&
  !isTaken(to + 1) &&
  tokens[to + 1]?.kind !== 'word'

/** True if something stops at a time: “Amps off at half ten sharp”, but not “kicks off at 7”. */
const isSaidToStop = (words: readonly string[]): boolean =>
  words.some((word, i) => word === 'off' && words[i + 1] !== 'kicks')

/**
 * True if what begins is something else: “Die Preisverteilung beginnt um 15 Uhr”, “Registration starts at 8”.
 */
const isOfOtherBeginning = (words: readonly string[]): boolean => {
  const at = words.findIndex(word => WORDS.saidToBegin.has(word))
  if (at < 0) return false
  const [what = '', before = ''] = words.slice(at + 1)
  // “Set-up starts at 7.30”, “Sign-in begins at 6.30”, but “the registration of dogs begins”
  const own = words.slice(at + 1).find(word => !WORDS.small.has(word)) ?? ''
  return saysNotBeginning(own) || (WORDS.particlesOfVerbs.has(what) && saysNotBeginning(before + what))
}

const isPreliminary = (tokens: readonly Token[], i: number): boolean => {
  const { folded = '' } = tokens[i] ?? {}
  return (
    WORDS.preliminaries.has(folded) ||
    (['sign', 'warm', 'pick'].includes(folded) && ['up', '-'].includes(foldedAt(tokens, i + 1))) ||
    (folded === 'signing' && ['on', 'in'].includes(foldedAt(tokens, i + 1)))
  )
}

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
  text: MarkedText,
  { from, to, start = '' }: TimeMention,
  next: TimeMention | undefined,
): boolean {
  const { tokens, isTaken } = text
  if (next?.start === undefined || next.start <= start) return false
  if ((tokens[next.from]?.line ?? 0) - (tokens[from]?.line ?? 0) > MAX_LINES_TO_EVENT) return false
  // “6pm for a 6.30 start”, but not “15h pour les enfants, 20h pour les adultes”
  const isUnbroken = tokens.slice(to, next.from).every(({ kind }) => kind === 'word')
  if (WORDS.for.has(foldedAt(tokens, to)) && next.from - to <= MAX_TO_START && isUnbroken) return true
  const { sentence, line } = tokens[from] ?? {}
  const isNear = (i: number): boolean => tokens[i]?.sentence === sentence || tokens[i]?.line === line
  const isFree = (i: number): boolean =>
    tokens[i] !== undefined && isNear(i) && !isTaken(i) && tokens[i]?.folded !== ','
  for (let i = from - 1; i > from - MAX_TO_PRELIMINARY && isFree(i); i--)
    if (isPreliminary(tokens, i)) return true
  for (let i = to; i < to + 3 && isFree(i) && tokens[i]?.sentence === sentence; i++)
    if (isPreliminary(tokens, i)) return true
  // “Coaches' meeting 7.15, first race 8.30”
  const isFirst = wordsBefore(text, next.from).some(word => WORDS.firstOfEvent.has(word))
  if (isFirst && wordsBefore(text, from).some(word => WORDS.briefings.has(word))) return true
  // “Concert samedi 6 mars, caisse 19h, concert 20h”
  const [ownWord, nextWord] = [from, next.from].map(at =>
    wordsBefore(text, at).find(word => !WORDS.small.has(word)),
  )
  if (ownWord === undefined || nextWord === undefined || ownWord === nextWord || !isKind(nextWord))
    return false
  if (countOf(tokens, from, nextWord) === 0) return false
  // “Concert et bal : bal 19h, concert 20h” has both.
  return !(isKind(ownWord) && countOf(tokens, from, ownWord) > 1)
}

/** The most tokens of a sentence that says from when on something is no longer done. */
const MAX_OF_CUT_OFF = 40

/**
 * True if a sentence that names no other moment says from when on something is no longer done: “Ab 16 Uhr
 * nehmen wir keine Sachen mehr an”, “No entry after 8pm”.
 */
export const isCutOff = (text: MarkedText, { from, to }: { from: number; to: number }): boolean => {
  const { tokens, isTaken } = text
  const isHere = (i: number): boolean => tokens[i]?.sentence === tokens[from]?.sentence
  const [start, end] = [skipBack(from, isHere) + 1, skip(to, isHere)]
  const isOther = (i: number): boolean => i < from || i >= to
  const others = tokens.slice(start, end).filter((_, i) => isOther(start + i))
  return (
    end - start <= MAX_OF_CUT_OFF &&
    !others.some((_, i) => isTaken(start + i < from ? start + i : start + i + to - from)) &&
    wordsBefore(text, from)
      .slice(0, 3)
      .some(word => WORDS.fromHourOn.has(word)) &&
    others.some(
      ({ folded, clause }) => WORDS.nothingFromHourOn.has(folded) && clause === tokens[from]?.clause,
    ) &&
    !others.some(({ folded }) => isKind(folded))
  )
}

/** How often a word occurs before a token in its sentence. */
const countOf = (tokens: readonly Token[], at: number, word: string): number =>
  sentenceOf(tokens, at).filter(token => token.folded === word && token.from < (tokens[at]?.from ?? 0)).length

/**
 * True if a word before a time says which weekday of a month is meant: “the last Thursday of each month at
 * 7pm”. The words are in the order of their distance from the time.
 */
const isNth = (words: readonly string[], i: number): boolean =>
  ORDINALS.has(words[i] ?? '') && weekdayOf(words[i - 1] ?? '') > 0

/**
 * True if a word before a time is where the event takes place: “in the bar at 8pm”, “leaving the chapel gate
 * at 10am”.
 */
const isRoom = (words: readonly string[], i: number): boolean =>
  (WORDS.roomsForServices.has(words[i] ?? '') &&
    words.slice(i + 1, i + 3).some(word => WORDS.beforePlaceOfTime.has(word))) ||
  (words[i] === 'gate' && words[i + 1] !== undefined)

/** True if a time is not that of the event: doors, deadlines, opening hours. */
export function isOtherTime(text: MarkedText, time: TimeMention, isPreviousOther: boolean): boolean {
  const { tokens, isTaken } = text
  const { from, to, end } = time
  if (isBeforeStart(text, to)) return false
  if (isDenied(text, time) || isSuperseded(text, time) || isBracketedEarlier(text, time)) return true
  if (isBeforehand(tokens, from) || isAfterHour(tokens, from)) return true
  const call = callOfMeeting(tokens, time)
  if (call !== undefined) return call > 1
  const before = wordsBefore(text, from)
  // “at the tourist office (9 to 12)”: brackets belong to the words before them.
  const isInBrackets = before.length === 0 && tokens[from - 1]?.folded === '('
  const words = isInBrackets ? wordsBefore(text, from - 1) : before
  const telling = tellingWord(words)
  // “Die Preisverteilung beginnt um 15 Uhr.”
  if (telling !== undefined) return !saysBeginning(telling) || isOfOtherBeginning(words)
  const other = otherByWordAfter(text, to)
  if (other) return other === 'this'
  // “Box office: Mon–Fri 10am–4pm, Sat 10am–1pm”
  const areOfWeekday = (words: readonly string[]): boolean =>
    words.some(word => weekdayOf(word) > 0) &&
    words.every(word => weekdayOf(word) > 0 || WORDS.small.has(word))
  const isOfWeekday =
    areOfWeekday(before) ||
    // “(du mardi au vendredi, 14h–18h)”
    (tokens[from - 1]?.folded === ',' && areOfWeekday(wordsBefore(text, from - 1)))
  // “Mo–Fr 18–20 Uhr”
  const isOfWeekdays =
    isOfWeekday &&
    end !== undefined &&
    // “Samstag 14 bis 19 Uhr, Sonntag 11 bis 17 Uhr”
    tokensBefore(tokens, from, 5).some(
      ({ folded }, i, near) => UNTIL.has(folded) && !isTaken(from - near.length + i),
    )
  if (isOfWeekdays || (isOfWeekday && isClauseOfOther(tokens, from))) return true
  const next = tokens[to]
  const isNamed =
    next?.kind === 'word' &&
    next.clause === tokens[from]?.clause &&
    !WORDS.small.has(next.folded) &&
    !isTaken(to)
  // “ouvert de 9h à 12h et de 14h à 18h”
  const isFurther =
    end !== undefined &&
    before.some(word => AND.has(word)) &&
    before.every(word => WORDS.small.has(word) || AND.has(word))
  return (
    (isPreviousOther && (before.length === 0 || isOfWeekday || isFurther) && !isNamed) ||
    isOfOtherMatters(tokens, from)
  )
}

const MAX_TO_EARLIER = 4

/** True if an hour in brackets is that of something earlier: “nach der Messe (10 Uhr) ab 11 Uhr”. */
const isBracketedEarlier = (text: MarkedText, { from, to }: TimeMention): boolean =>
  text.tokens[from - 1]?.folded === '(' &&
  text.tokens[to]?.folded === ')' &&
  wordsBefore(text, from - 1)
    .slice(0, MAX_TO_EARLIER)
    .some(word => WORDS.after.has(word))

const BEFOREHAND = anyOf(WORDS.earlierOn, WORDS.beforehandAtStart)

/**
 * True if a sentence begins with a word for “before”, or if such a word comes right before a time: “Antes,
 * 20.30, clase”, “fish and chips beforehand at 7”, but not “Antes de la cena”.
 */
function isBeforehand(tokens: readonly Token[], at: number): boolean {
  const [first, next] = sentenceOf(tokens, at)
  const before = skipBack(at - 1, i => WORDS.small.has(foldedAt(tokens, i)))
  return (
    (first !== undefined &&
      first.sentence > 0 &&
      BEFOREHAND.has(first.folded) &&
      !WORDS.small.has(next?.folded ?? '')) ||
    WORDS.earlierOn.has(foldedAt(tokens, before))
  )
}

/** True if people may call, or something else is done, after an hour: “Fragen gern nach 19 Uhr”. */
const isAfterHour = (tokens: readonly Token[], from: number): boolean => {
  const at = skipBack(from - 1, i => i > from - MAX_TO_EARLIER && WORDS.small.has(foldedAt(tokens, i)))
  return (
    WORDS.after.has(foldedAt(tokens, at)) &&
    !WORDS.shortly.has(foldedAt(tokens, at - 1)) &&
    !sentenceHas(tokens, from, WORDS.saidToBegin)
  )
}

/** The nearest word before a time, out of some, that says whether the event begins then. */
const tellingWord = (words: readonly string[]): string | undefined =>
  words.find(
    (word, i) =>
      // “open mic”, “open house”, “bar quiz”
      (saysNotBeginning(word) &&
        !isKind(words[i - 1] ?? '') &&
        !(
          WORDS.openingsOfEvents.has(word) &&
          isKind(words.slice(0, i).findLast(one => !WORDS.small.has(one)) ?? '')
        ) &&
        // “ouverture officielle”, “soirée d’ouverture”
        !(
          WORDS.openingsOfEvents.has(word) &&
          (/^of+ici/.test(words[i - 1] ?? '') || isKind(words[i + 2] ?? ''))
        ) &&
        words[i - 1] !== 'house' &&
        // “setting off at eleven”
        !(word === 'setting' && ['off', 'out'].includes(words[i - 1] ?? '')) &&
        // “We open on Friday at 6pm”
        !(word === 'open' && words[i + 1] === 'we') &&
        !isNth(words, i) &&
        !isRoom(words, i)) ||
      saysBeginning(word),
  )

/**
 * Whether a word after a time, such as “Einlass”, makes this time or the next one that of something else:
 * “19 Uhr Einlass, 20 Uhr Beginn”. It is undefined if there is no such word.
 */
function otherByWordAfter({ tokens, isTaken }: MarkedText, to: number): 'this' | 'next' | undefined {
  for (let i = to; i < to + 3; i++) {
    const [token, next] = [tokens[i], tokens[i + 1]]
    if (
      !token ||
      token.clause !== tokens[to - 1]?.clause ||
      isTaken(i) ||
      WORDS.beforePlaceOfTime.has(token.folded)
    )
      return undefined
    // “freitags um 18.30 Uhr außer am 12. Februar”
    if (WORDS.exceptAfterTimes.has(token.folded) || isOpeningOfEvent(tokens, i)) return undefined
    const isOtherWord =
      token.kind === 'word' &&
      !WORDS.notTheBeginning.has(token.folded) &&
      !WORDS.small.has(token.folded) &&
      next?.folded !== '-'
    if (token.folded === ':' || isOtherWord) return undefined
    // “17.30 Uhr Türöffnung”, above “18.00 Uhr Begrüßung”
    if (WORDS.notTheBeginning.has(token.folded))
      return isTaken(i + 1) && next?.line === token.line ? 'next' : 'this'
  }
  return undefined
}

/** The most tokens of an opening that are looked at, as in “apertura de la feria”. */
const MAX_TO_OPENED = 5

/**
 * True if a token is the opening of the event itself: “11:00 Apertura del mercado”, “Ouverture et chants”,
 * but not “Ouverture des portes”.
 */
function isOpeningOfEvent(tokens: readonly Token[], i: number): boolean {
  if (!WORDS.openingsOfEvents.has(foldedAt(tokens, i))) return false
  const named = tokens.slice(i + 1, i + MAX_TO_OPENED).filter(({ line }) => line === tokens[i]?.line)
  const first = named.find(({ folded }) => !WORDS.small.has(folded) && !AND.has(folded))?.folded ?? ''
  return (
    isKind(first) || (['y', 'et', 'and', 'und'].includes(named[0]?.folded ?? '') && !saysNotBeginning(first))
  )
}

const HANDOVER_WORDS = anyOf(WORDS.settingUp, WORDS.handedInOrOut)

/**
 * True if things are handed in or out at a time: “Annahme 8–9 Uhr”, “8–9 Uhr Annahme”, but not “im Depot um 8
 * Uhr”.
 */
export const isHandedAt = (text: MarkedText, { from, to }: { from: number; to: number }): boolean => {
  const { tokens, isTaken } = text
  // “Annahme: Freitag, 16–19 Uhr”
  const start = skipBack(from - 1, i => isTaken(i) || tokens[i]?.folded === ',') + 1
  const isLabelled = start < from && tokens[start - 1]?.folded === ':'
  const words = wordsBefore(text, isLabelled ? start - 1 : from)
  return words.length === 0
    ? HANDOVER_WORDS.has(foldedAt(tokens, to)) && !startsLine(tokens, to)
    : words.some((word, i) => HANDOVER_WORDS.has(word) && !WORDS.small.has(words[i + 1] ?? ''))
}

const CALLS = new Map([
  ['primera', 1],
  ['1', 1],
  ['segunda', 2],
  ['2', 2],
])

/**
 * Which call of a meeting a time is of, 1 or 2: for the second one, a part of the members is enough. “1.ª
 * convocatoria 19:30, 2.ª 20:00”, “a las 19:30 en primera y a las 20:00 en segunda convocatoria”.
 */
function callOfMeeting(
  tokens: readonly Token[],
  { from, to }: Pick<TimeMention, 'from' | 'to'>,
): number | undefined {
  if (!sentenceOf(tokens, from).some(({ folded }) => folded === 'convocatoria')) return undefined
  const after = CALLS.get(tokens[to]?.folded === 'en' ? foldedAt(tokens, to + 1) : '')
  const before = tokensBefore(tokens, from, MAX_TO_CALL).findLast(
    ({ folded }, i, near) => CALLS.has(folded) && isOrdinal(folded, near[i + 1] ?? tokens[from]),
  )
  return after ?? CALLS.get(before?.folded ?? '')
}

/** True for “primera”, “1.ª” and “1a”, but not for a number alone. */
const isOrdinal = (word: string, next: Token | undefined): boolean =>
  word.length > 1 || (next?.isSpaced === false && ['.', 'a', 'ª'].includes(next.folded))
