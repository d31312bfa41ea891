import { areInSameSentence, hasWord, sentenceOf } from '../words/clauses.ts'
import { lowAt, type Token, tokensBefore } from '../words/tokens.ts'
import { AND, BUT, CANCELLED, FULL, setOf, wordsFor } from '../words/words.ts'
import type { DayMention } from './day-mentions.ts'
import { goesAhead, isCalledOff, isPlanned, isPuttingOff, isTarget } from './status.ts'
import { isFeast } from './weekdays.ts'

// Where a text names an old day and a new one, only the new one is announced: “statt am 5. nun am 6.”. The
// verbs and prepositions of their sentences tell which is which.

/** Words for the new date of a cancelled event. */
export const NEW_DATE = wordsFor('newDate')

/**
 * True if another day of the sentence is that to which an event was put off: “se aplaza al 20 de febrero la
 * cata de este viernes”.
 */
export function isOld(tokens: readonly Token[], day: DayMention, days: readonly DayMention[]): boolean {
  if (isTarget(tokens, day)) return false
  const sentence = tokens[day.from]?.sentence
  const target = days.find(other => tokens[other.from]?.sentence === sentence && isTarget(tokens, other))
  return target !== undefined && sentenceOf(tokens, day.from).some(isPuttingOff)
}

/** Before the day for which something was planned before it was moved. */
const AT_FIRST = setOf(
  'abord initialement first originally initially ursprunglich zunachst zuerst principio inicialmente',
)

/** Tokens of “abord annoncée pour le dimanche”. */
const MAX_TO_FIRST = 6

/** At the end of a line above the day to which something is moved. */
const TARGETS = setOf('auf zum to au a al para')

/** Before the day that is the right one now. */
const NOW = setOf('now nun jetzt neu finalement sera finalmente ahora')

/** Before the right day in place of a misprinted one. */
const READS = new Set(['should read', 'must read', 'debe decir', 'es heissen', 'faut lire'])

const ALSO = setOf('also auch aussi tambien')
const MADE_UP = setOf('nachgeholt rattrape rattrapee recupera recuperara')
const OF_OLD_DATE = setOf('of vom du del')

/** Right before the day on which something takes place: “tendrá lugar el próximo jueves 4 de febrero” */
const HELD = setOf('lugar lieu tiendra place findet held celebra celebrara joue jouee')

const MAX_TO_HELD = 4

/** Words of a sentence that says on which day something takes place in place of another. */
const INSTEAD = setOf(
  'instead now rearranged stattdessen weichen ausweichen dafur ersatzweise plutot place lugar haremos',
)

/** True if another day takes the place of one: “statt am 5. nun am 6.”, “postponed. New date: 6 March”. */
export function isReplaced(tokens: readonly Token[], day: DayMention, next: DayMention | undefined): boolean {
  if (!next || next.date === day.date) return false
  const [own, other] = [tokens[day.from]?.sentence ?? 0, tokens[next.from]?.sentence ?? 0]
  if (other - own > 2) return false
  const between = tokens.slice(day.to, next.from)
  const sentence = sentenceOf(tokens, day.from)
  const isMoved = sentence.some(isPuttingOff)
  // “New date to follow. Saturday 13 February: …”
  const leading = between.slice(between.findLastIndex(({ low }) => low === '.' || low === '!') + 1)
  const isOff = isCalledOff(sentence)
  // “The concert on 20 March is cancelled, the one on 17 April goes ahead.”
  const ownHalf = sentence.filter(({ from }) => from < (tokens[next.from]?.from ?? 0))
  const nextClause = sentence.filter(({ clause }) => clause === tokens[next.from]?.clause)
  if (other === own && isCalledOff(ownHalf) && goesAhead(nextClause)) return true
  const isNew = ({ low }: Token, i: number, some: readonly Token[]): boolean =>
    NEW_DATE.has(low) || (low === 'made' && some[i + 1]?.low === 'up')
  // “Abgesagt! Konzert am 6. März. Ersatztermin: 13. März”
  const isOffAbove = (own > 0 && hasWord(tokens, 0, day.from, CANCELLED)) || isOff
  if (other !== own && (isMoved || isOffAbove) && leading.some(isNew)) return true
  // “annoncé pour le 6 février, glisse au samedi 20”
  if (
    other === own &&
    isPlanned(tokens, day) &&
    isTarget(tokens, next) &&
    !between.some(({ low }) => ALSO.has(low))
  )
    return true
  // “… wird daher verlegt auf”, above “Freitag, 16. April”
  const last = sentence.at(-1)?.low === ':' ? sentence.at(-2) : sentence.at(-1)
  if (isMoved && (other === own || TARGETS.has(last?.low ?? ''))) return true
  // “… aplazar la feria, prevista para el 23. Se celebrará el 20 de febrero.”
  const isHeld = other === own && hasWord(tokens, next.from - MAX_TO_HELD, next.from, HELD)
  // “Le loto du 27 février aura lieu le 6 mars”
  const isOfOld = OF_OLD_DATE.has(lowAt(tokens, day.from - 1))
  if (isHeld && isOfOld && !between.some(({ low }) => ALSO.has(low))) return true
  // “New date: the concert planned for 27 February is now on 6 March”, “wird am 6. März nachgeholt”
  const isAnnouncedAnew =
    isPlanned(tokens, day) ||
    sentence.some((one, i) => isNew(one, i, sentence) && one.from < (tokens[day.from]?.from ?? 0))
  const isSaidAnew =
    other === own &&
    // “The workshop on 6 March will now be on 20 March”
    ((hasWord(tokens, next.from - MAX_TO_HELD, next.from, NOW) &&
      !between.some(({ low }) => AND.has(low) || ALSO.has(low))) ||
      sentence.some(({ low }) => MADE_UP.has(low)) ||
      // “d’abord annoncée pour le 7 mars, se courra le 14 mars”
      (isPlanned(tokens, day) && hasWord(tokens, day.from - MAX_TO_FIRST, day.from, AT_FIRST)) ||
      (isAnnouncedAnew &&
        between.some(({ low }) => NOW.has(low)) &&
        !between.some(({ low }) => ALSO.has(low))))
  if (isSaidAnew || (isPlanned(tokens, day) && (isHeld || (isMoved && !isPlanned(tokens, next))))) return true
  // “… cannot go ahead on the 13th. The vicar has offered us Saturday 6 March instead.”
  // “… muss ausfallen und wird am 27. Januar nachgeholt.”, “… has been postponed. We meet instead on 2
  // February.”
  if (isOff || isMoved)
    return sentenceOf(tokens, next.from).some(
      (one, i, some) => INSTEAD.has(one.low) || (other === own && isNew(one, i, some)),
    )
  return (
    other === own && between.some(({ low }, i) => BUT.has(low) || READS.has(`${between[i - 1]?.low} ${low}`))
  )
}

/** The most tokens of “Agotadas las entradas del”. */
const MAX_TO_FULL = 5

const SOLD_OUT = /^(?:sold|agotad[oa]s?|ausverkauft\w*|ausgebucht\w*)$/
const OFF = setOf('fallt entfallt')

/**
 * True if a day is sold out, or called off in a list of days: “6 February is full; a second one …”, “5. Februar
 * (fällt aus), 12. Februar”.
 */
export function isSoldOut(tokens: readonly Token[], day: DayMention, days: readonly DayMention[]): boolean {
  // “Sold out on 21 January, so we added 18 March”
  const before = tokensBefore(tokens, day.from, MAX_TO_FULL).findLast(
    ({ low, clause }) => SOLD_OUT.test(low) && clause === tokens[day.from]?.clause,
  )
  if (before && days.some(({ from }) => from > day.from)) return true
  for (let i = day.to; i < day.to + 8; i++) {
    const { low, line } = tokens[i] ?? { low: ';', line: -1 }
    if (low === ';' || low === '.' || line !== tokens[day.from]?.line) return false
    if (FULL.has(low)) return true
    // “22. Februar (Rosenmontag fällt aus)”
    if (OFF.has(low) && isFeast(tokens, i - 1)) return false
    if (OFF.has(low)) return days.some(other => other !== day && areInSameSentence(tokens, other, day))
  }
  return false
}

/** Of a stretch in which an event was postponed its end counts: “from 21 January to 4 February”. */
export function afterPostponement(tokens: readonly Token[], day: DayMention): DayMention {
  const { last, ...first } = day
  if (last === undefined || !sentenceOf(tokens, day.from).some(isPuttingOff)) return day
  return { ...first, date: last }
}
