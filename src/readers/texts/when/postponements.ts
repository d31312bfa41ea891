import { areInSameSentence, hasWord, sentenceOf } from '../words/clauses.ts'
import { foldedAt, type Token, tokensBefore } from '../words/tokens.ts'
import { AND, setOfPhrases, WORDS } from '../words/words.ts'
import type { DayMention } from './day-mentions.ts'
import { goesAhead, isCalledOff, isPlanned, isTarget, putsOff } from './status.ts'
import { isFeast } from './weekdays.ts'

// Where a text names an old day and a new one, only the new one is announced: “statt am 5. nun am 6.”. The
// verbs and prepositions of their sentences tell which is which.

/**
 * True if an event was put off from a day to another day that its sentence names: “se aplaza al 20 de febrero
 * la cata de este viernes”.
 */
export function isPostponedFrom(
  tokens: readonly Token[],
  day: DayMention,
  days: readonly DayMention[],
): boolean {
  if (isTarget(tokens, day)) return false
  const sentence = tokens[day.from]?.sentence
  const target = days.find(other => tokens[other.from]?.sentence === sentence && isTarget(tokens, other))
  return target !== undefined && sentenceOf(tokens, day.from).some(putsOff)
}

/** The most tokens from a word such as “at first” to the day: “abord annoncée pour le dimanche”. */
const MAX_TO_FIRST = 6

const READS_CORRECTLY = setOfPhrases('readsCorrectly')

const MAX_TO_HELD = 4

/** True if a day gives way to another one: “statt am 5. nun am 6.”, “postponed. New date: 6 March”. */
export function isReplaced(tokens: readonly Token[], day: DayMention, next: DayMention | undefined): boolean {
  if (!next || next.date === day.date) return false
  const [ownSentence, nextSentence] = [tokens[day.from]?.sentence ?? 0, tokens[next.from]?.sentence ?? 0]
  if (nextSentence - ownSentence > 2) return false
  const between = tokens.slice(day.to, next.from)
  const sentence = sentenceOf(tokens, day.from)
  const isMoved = sentence.some(putsOff)
  // “New date to follow. Saturday 13 February: …”
  const leading = between.slice(between.findLastIndex(({ folded }) => folded === '.' || folded === '!') + 1)
  const isOff = isCalledOff(sentence)
  // “The concert on 20 March is cancelled, the one on 17 April goes ahead.”
  const ownHalf = sentence.filter(({ from }) => from < (tokens[next.from]?.from ?? 0))
  const nextClause = sentence.filter(({ clause }) => clause === tokens[next.from]?.clause)
  if (nextSentence === ownSentence && isCalledOff(ownHalf) && goesAhead(nextClause)) return true
  const isNew = ({ folded }: Token, i: number, around: readonly Token[]): boolean =>
    WORDS.newDate.has(folded) || (folded === 'made' && around[i + 1]?.folded === 'up')
  // “Abgesagt! Konzert am 6. März. Ersatztermin: 13. März”
  const isOffAbove = (ownSentence > 0 && hasWord(tokens, 0, day.from, WORDS.cancelled)) || isOff
  if (nextSentence !== ownSentence && (isMoved || isOffAbove) && leading.some(isNew)) return true
  // “annoncé pour le 6 février, glisse au samedi 20”
  if (
    nextSentence === ownSentence &&
    isPlanned(tokens, day) &&
    isTarget(tokens, next) &&
    !between.some(({ folded }) => WORDS.alsoBetweenDays.has(folded))
  )
    return true
  // “… wird daher verlegt auf”, above “Freitag, 16. April”
  const lastWord = sentence.at(-1)?.folded === ':' ? sentence.at(-2) : sentence.at(-1)
  if (isMoved && (nextSentence === ownSentence || WORDS.targetsAtLineEnds.has(lastWord?.folded ?? '')))
    return true
  // “… aplazar la feria, prevista para el 23. Se celebrará el 20 de febrero.”
  const isHeld =
    nextSentence === ownSentence &&
    hasWord(tokens, next.from - MAX_TO_HELD, next.from, WORDS.heldBeforeNewDay)
  // “Le loto du 27 février aura lieu le 6 mars”
  const isOfOld = WORDS.ofOldDates.has(foldedAt(tokens, day.from - 1))
  if (isHeld && isOfOld && !between.some(({ folded }) => WORDS.alsoBetweenDays.has(folded))) return true
  // “New date: the concert planned for 27 February is now on 6 March”, “wird am 6. März nachgeholt”
  const isAnnouncedAnew =
    isPlanned(tokens, day) ||
    sentence.some((one, i) => isNew(one, i, sentence) && one.from < (tokens[day.from]?.from ?? 0))
  const isSaidAnew =
    nextSentence === ownSentence &&
    // “The workshop on 6 March will now be on 20 March”
    ((hasWord(tokens, next.from - MAX_TO_HELD, next.from, WORDS.nowOfNewDates) &&
      !between.some(({ folded }) => AND.has(folded) || WORDS.alsoBetweenDays.has(folded))) ||
      sentence.some(({ folded }) => WORDS.madeUp.has(folded)) ||
      // “d’abord annoncée pour le 7 mars, se courra le 14 mars”
      (isPlanned(tokens, day) && hasWord(tokens, day.from - MAX_TO_FIRST, day.from, WORDS.atFirst)) ||
      (isAnnouncedAnew &&
        between.some(({ folded }) => WORDS.nowOfNewDates.has(folded)) &&
        !between.some(({ folded }) => WORDS.alsoBetweenDays.has(folded))))
  if (isSaidAnew || (isPlanned(tokens, day) && (isHeld || (isMoved && !isPlanned(tokens, next))))) return true
  // “… cannot go ahead on the 13th. The vicar has offered us Saturday 6 March instead.”
  // “… muss ausfallen und wird am 27. Januar nachgeholt.”, “… has been postponed. We meet instead on 2
  // February.”
  if (isOff || isMoved)
    return sentenceOf(tokens, next.from).some(
      (one, i, some) =>
        WORDS.insteadOfCalledOff.has(one.folded) || (nextSentence === ownSentence && isNew(one, i, some)),
    )
  return (
    nextSentence === ownSentence &&
    between.some(
      ({ folded }, i) => WORDS.but.has(folded) || READS_CORRECTLY.has(`${between[i - 1]?.folded} ${folded}`),
    )
  )
}

/** The most tokens from “sold out” to the day: “Agotadas las entradas del”. */
const MAX_TO_SOLD_OUT = 5

const SOLD_OUT = /^(?:sold|agotad[oa]s?|ausverkauft\w*|ausgebucht\w*)$/
/**
 * True if a day is sold out, or called off in a list of days: “6 February is full; a second one …”,
 * “5. Februar (fällt aus), 12. Februar”.
 */
export function isSoldOut(tokens: readonly Token[], day: DayMention, days: readonly DayMention[]): boolean {
  // “Sold out on 21 January, so we added 18 March”
  const before = tokensBefore(tokens, day.from, MAX_TO_SOLD_OUT).findLast(
    ({ folded, clause }) => SOLD_OUT.test(folded) && clause === tokens[day.from]?.clause,
  )
  if (before && days.some(({ from }) => from > day.from)) return true
  for (let i = day.to; i < day.to + 8; i++) {
    const { folded, line } = tokens[i] ?? { folded: ';', line: -1 }
    if (folded === ';' || folded === '.' || line !== tokens[day.from]?.line) return false
    if (WORDS.full.has(folded)) return true
    // “22. Februar (Rosenmontag fällt aus)”
    if (WORDS.dropsOut.has(folded) && isFeast(tokens, i - 1)) return false
    if (WORDS.dropsOut.has(folded))
      return days.some(other => other !== day && areInSameSentence(tokens, other, day))
  }
  return false
}

/** The new day of what was postponed “from 21 January to 4 February”, which looks like a stretch. */
export function afterPostponement(tokens: readonly Token[], day: DayMention): DayMention {
  const { last, ...first } = day
  if (last === undefined || !sentenceOf(tokens, day.from).some(putsOff)) return day
  return { ...first, date: last }
}
