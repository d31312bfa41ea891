import { sentenceHas, sentenceOf, wordsBefore } from '../words/clauses.ts'
import { foldedAt, type MarkedText, type Token } from '../words/tokens.ts'
import { isKind, MONTHS, NUMBER_WORDS, setOfPhrases, WORDS, weekdayOf } from '../words/words.ts'

// What a sentence says of matters other than the event: what is closed, denied, or replaced, and which
// vehicle leaves. It holds for days and times alike.

export const saysNotBeginning = (word: string): boolean =>
  WORDS.notTheBeginning.has(word) || /(?:offnung|schluss|einlass)$/.test(word)

/**
 * True if the event is said not to be on a day or at a time: “à 18 h et non 20 h”, “heute nicht, sondern …”
 */
export const isDenied = (text: MarkedText, { from, to }: { from: number; to: number }): boolean =>
  (WORDS.denials.has(foldedAt(text.tokens, to)) && [',', ';', '!'].includes(foldedAt(text.tokens, to + 1))) ||
  WORDS.denials.has(
    wordsBefore(text, from).find(word => !WORDS.small.has(word) && !WORDS.betweenDenialAndTime.has(word)) ??
      '',
  )

/**
 * True if a bus or the like leaves at a time: “Coach from Market Square at 8.30”, but not “Coach building at
 * 8pm”.
 */
export const isOfVehicle = (text: MarkedText, { from }: { from: number }): boolean =>
  wordsBefore(text, from).some(
    (word, i, words) => WORDS.vehicles.has(word) && WORDS.afterVehicle.has(words[i - 1] ?? ''),
  )

/** How many words at the beginning of a sentence may hold its thanks. */
const MAX_WORDS_TO_THANKS = 8

const MAX_TO_REQUEST = 6
/** True if the sentence of a token says when something is closed, staffed, or thanks people. */
export const isOfOtherMatters = (tokens: readonly Token[], at: number): boolean => {
  let depth = 0
  const isWithin = isBracketed(tokens, at)
  const sentenceTokens = sentenceOf(tokens, at)
  const { clause, from = 0 } = tokens[at] ?? {}
  const isOfKind = (isHere: (token: Token) => boolean): boolean =>
    sentenceTokens.some(token => isKind(token.folded) && isHere(token))
  const [isKindBefore, isKindBeside] = [
    isOfKind(token => token.from < from),
    isOfKind(token => token.clause === clause),
  ]
  const kindBefore = sentenceTokens.findLast(token => token.from < from && isKind(token.folded))
  return sentenceTokens.some((one, i, sentence) => {
    const { folded } = one
    if (folded === '(') depth++
    if (folded === ')') depth--
    // “(pas 8h, le gardien ferme plus tôt)”
    if (!WORDS.otherMatters.has(folded) || (depth > 0 && !isWithin)) return false
    const before = sentence[i - 1]
    // “Spanisch für den Urlaub”
    if ([before, sentence[i - 2]].some(near => near && WORDS.for.has(near.folded))) return false
    // “Photo walk”, “Exhibition of photos”, and “soirée du club photo”
    const isOccasionWord = WORDS.photos.has(folded) ? namesOccasion : isKind
    if ([sentence[i - 2], before, sentence[i + 1]].some(near => near && isOccasionWord(near.folded)))
      return false
    // “Concert samedi 6 mars à 20h, fermeture à 22h”, “As the hall is closed, the concert on 6 March …”
    if (one.clause !== clause && (one.from > from ? isKindBefore : isKindBeside)) return false
    // “Por el corte de la carretera, la peregrinación, que íbamos a hacer el sábado …”
    if (kindBefore && kindBefore.from > one.from && kindBefore.clause !== one.clause) return false
    // “… y anticipan gracias”
    if (WORDS.wordsOfThanks.has(folded))
      return (
        i < MAX_WORDS_TO_THANKS &&
        !sentence.slice(i, i + MAX_TO_REQUEST).some(near => WORDS.requestsAfterThanks.has(near.folded))
      )
    // “con obras de Bach”, “Horario: 21:30”
    if (folded === 'obras') return before?.folded === 'por'
    if (folded === 'travaux') return sentence[i - 2]?.folded !== 'etant'
    // “domingo 21 de marzo, horario: 10–14 h”, but “Horario: lunes de 10 a 14 h”
    if (folded === 'horario')
      return sentence.some(
        (day, n) => weekdayOf(day.folded) > 0 && !MONTHS.has(sentence[n + 3]?.folded ?? ''),
      )
    // “16:00 premiación y cierre”, but “apertura y cierre”
    if (folded === 'cierre' && before?.folded === 'y') return sentence[i - 2]?.folded === 'apertura'
    // “until 2 May, open daily 10–4, closed Good Friday”
    if (
      WORDS.closedAfterOpen.has(folded) &&
      one.from > from &&
      sentence.slice(0, i).some(near => near.from > from && WORDS.openForVisitors.has(near.folded))
    )
      return false
    // “two hours”
    return folded !== 'hours' || (before?.kind !== 'number' && !NUMBER_WORDS.has(before?.folded ?? ''))
  })
}

export const namesOccasion = (word = ''): boolean => isKind(word) || WORDS.occasions.has(word)

/** True if a token stands in brackets. */
const isBracketed = (tokens: readonly Token[], at: number): boolean =>
  sentenceOf(tokens, at).findLast(
    ({ folded, from }) => from <= (tokens[at]?.from ?? 0) && ['(', ')'].includes(folded),
  )?.folded === '('

const INSTEAD = setOfPhrases('insteadOfMoment')

/** True if another day or time is said to replace this one: “au lieu du 9 février”, “rather than at 7pm”. */
export function isSuperseded(text: MarkedText, { from }: { from: number }): boolean {
  const { tokens } = text
  const words = wordsBefore(text, from)
  const [first = '', second = ''] = words.filter(
    word => !WORDS.beforeOldDate.has(word) && !WORDS.betweenInsteadAndDate.has(word),
  )
  return (
    // “findet statt am 9. Februar”, “… statt, am 9. Februar”
    (tokens[from - 2]?.folded !== ',' &&
      ['statt', 'anstatt', 'anstelle'].includes(first) &&
      !sentenceOf(tokens, from).some(({ folded }) => /^f[ai]nde[nt]?$/.test(folded))) ||
    // “plutôt à 20h30 qu’à 20h”
    (['que', 'qu'].includes(first) && sentenceHas(tokens, from, WORDS.ratherThan)) ||
    INSTEAD.has(`${second} ${first}`)
  )
}

/** The most tokens between “convocatoria” or “segunda” and the day or time of a call. */
export const MAX_TO_CALL = 10
