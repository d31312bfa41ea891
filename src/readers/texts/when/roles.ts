import { sentenceHas, sentenceOf, wordsBefore } from '../words/clauses.ts'
import { lowAt, type Token } from '../words/tokens.ts'
import {
  BEFORE_OLD_DATE,
  FOR,
  isKind,
  MONTHS,
  NOT_THE_BEGINNING,
  NUMBER_WORDS,
  OCCASIONS,
  OTHER_MATTERS,
  SMALL,
  setOf,
  THANKS,
  VEHICLES,
  weekdayOf,
} from '../words/words.ts'
import { LEAVING } from './hours.ts'

// What a sentence says of other matters than the event, of its days and its times alike: what is closed,
// denied, or replaced, and which vehicle leaves.

export const isNotBeginning = (word: string): boolean =>
  NOT_THE_BEGINNING.has(word) || /(?:offnung|schluss|einlass)$/.test(word)

const DENIALS = setOf('not nicht non no pas')

/** Between a denial and a day or a time: “nicht erst um 9.30 Uhr”, “no es este domingo”. */
const FILLERS = setOf('erst schon mehr wie angekundigt es sera')

/**
 * True if a day or a time is said not to be that of the event: “à 18 h et non 20 h”, “heute nicht, sondern …”
 */
export const isDenied = (
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  isTaken: (token: number) => boolean,
): boolean =>
  (DENIALS.has(lowAt(tokens, to)) && [',', ';', '!'].includes(lowAt(tokens, to + 1))) ||
  DENIALS.has(wordsBefore(tokens, from, isTaken).find(word => !SMALL.has(word) && !FILLERS.has(word)) ?? '')

/**
 * True if a bus or the like leaves at a time: “Coach from Market Square at 8.30”, but not “Coach building at
 * 8pm”.
 */
export const isOfVehicle = (
  tokens: readonly Token[],
  { from }: { from: number },
  isTaken: (token: number) => boolean,
): boolean =>
  wordsBefore(tokens, from, isTaken).some(
    (word, i, words) => VEHICLES.has(word) && LEAVING.has(words[i - 1] ?? ''),
  )

export const PHOTOS = setOf('photo photos')
export const OPEN = setOf('open opens ouvert ouverte ouverts ouvertes abierto abierta abre abrimos geoffnet')

/** Words at the beginning of a sentence that thanks people. */
const FIRST_WORDS = 8

/** What a text asks for with its thanks: “Merci d’annoncer …”. */
const REQUESTS = setOf(
  'annoncer retirer supprimer enlever ajouter publier noter inscrire diffuser afficher adding publishing posting including veroffentlichung aufnahme anunciar publicar anuncien publiquen',
)

const MAX_TO_REQUEST = 6
const CLOSED = setOf('closed geschlossen fermee cerrado cerrada')

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

export const isOfOccasion = (low = ''): boolean => isKind(low) || OCCASIONS.has(low)

/** True if a token stands in brackets. */
const isBracketed = (tokens: readonly Token[], at: number): boolean =>
  sentenceOf(tokens, at).findLast(
    ({ low, from }) => from <= (tokens[at]?.from ?? 0) && ['(', ')'].includes(low),
  )?.low === '('

/** Labels of what is before or after an event. */
export const SET_UP = setOf(
  'depot reprise restitution montage demontage ruckgabe abholung annahme warenannahme aufbau abbau recogida entrega montaje desmontaje setup drop dropoff dorsales dossards startnummern startunterlagen bibs packet',
)

const DATED = setOf('am on the le la el um at a las')
const RATHER = setOf('plutot mejor')
const IN_PLACE = new Set(['instead of', 'rather than', 'au lieu', 'en lugar', 'en vez', 'plutot que'])

/**
 * True if a day or a time is that in whose place another is said: “au lieu du 9 février”, “rather than at
 * 7pm”.
 */
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

export const BREAKS = setOf('vacances vacaciones holidays recess')

/** What a cinema, a class or a choir does not have on a day: “no hay clases”, “sin sesión”. */
export const SESSIONS = setOf(
  'sesion session seance sitzung treffen clase cours kurs probe training funcion meeting clases sesiones ensayo entreno',
)

/** Tokens of “2.ª convocatoria:”, and of “a las 19:00 en segunda”. */
export const MAX_TO_CALL = 10
