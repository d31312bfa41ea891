import { CAPITAL } from '../words/clauses.ts'
import { de } from '../words/de.ts'
import { en } from '../words/en.ts'
import { es } from '../words/es.ts'
import { fr } from '../words/fr.ts'
import type { Span } from '../words/plain.ts'
import { hasAny, isOneOf, type Token } from '../words/tokens.ts'
import {
  EVERY,
  FEASTS,
  GREETINGS,
  HOUSES,
  isKind,
  isPlaceWord,
  KINDS,
  LEADS,
  LINKS,
  NO_TITLES,
  NUMBER_WORDS,
  OCCASIONS,
  PRESENTING,
  SMALL,
  STREETS,
  setOf,
  VERBS,
  WordSet,
  weekdayOf,
} from '../words/words.ts'
import { ARTICLES, AT } from './sentences.ts'

// In a sentence, what takes place is named by words around one that says what kind of event it is: “our
// traditional spring walk”.

/** Words that belong to no name: pronouns, conjunctions and the like. */
const OTHERS = setOf(
  'this that these those next last another dernier derniere letzte letzter letztes ultimo ultima my your his her its our their we you i it they he she who which not no so if when where after before until see some any tomorrow today tonight all more also same there here up out',
  'heute morgen abend nachmittag vormittag mittag dieser diese dieses diesem diesen nachste nachsten nachster nachstes letzte letzten unser unsere unseren unserem unserer ihr ihre ihren euer eure mein meine sein seine kein keine keinen zu zur nach auf bis aus als wie dass sich wir sie er es ihr wer was wenn auch noch nur wieder jede jeder jedes jeden alle beim fur uber vor',
  'demain cette ces mon ma mes son sa ses notre nos votre vos leur leurs nous vous ils elles il elle on qui que quoi ne pas plus si quand apres avant jusqu chez aussi prochain prochaine c s n y sans sous vers',
  'manana hoy ese esa esos esas mi mis tu tus su sus nuestro nuestra nuestros nuestras que quien no si cuando despues antes hasta desde se nos os les me te lo sin sobre tambien proximo proxima ya muy o hay',
)

/** True if a word says a kind alone, and is no compound: “course”, but not “Nähkurs”. */
const isGeneral = (low: string): boolean => KINDS.hasWordOrPlural(low)

const GERMAN = new WordSet(() => [de().kinds])
const ELSEWHERE = new WordSet(() => [en().kinds, fr().kinds, es().kinds])

const isGermanKind = (low: string): boolean => GERMAN.has(low) && !ELSEWHERE.has(low)

/** Before what is over. */
const PAST = setOf('last letzter letzte letztes letzten dernier derniere ultimo ultima pasado pasada')

/** Before something else, or what there isn't. */
const NOT_HERE = setOf(
  'after nach apres despues tras before antes no kein keine pas sans sin aucun aucune ningun ninguna',
)

/** Kinds that an adjective may follow. */
const ROMANCE = new WordSet(() => [fr().kinds, es().kinds])

/** Words for what goes somewhere. */
const OUTINGS = setOf(
  'walk hike ramble trip outing excursion visit ausflug exkursion rundgang balade randonnee rando sortie visite ruta visita caminata marcha paseo guiada guiado',
)

/**
 * What goes somewhere, and the words before where: “Wanderung auf den Hochberg”, “visita al casco histórico”.
 */
const isOuting = (low: string): boolean => OUTINGS.has(low) || /(?:wanderung|fuhrung|tour|fahrt)$/.test(low)

/** Before where it goes. */
const TOWARDS = setOf('auf nach durch ins por al hasta through around round into vers autour dans')

const MAX_BEFORE = 4
const MAX_AFTER = 8

/**
 * @property says what it names: a kind of event, a general one alone (“course”), or only when (“coffee
 * morning”)
 */
export type KindPhrase = { span: Span; says: 'kind' | 'general' | 'occasion' }

/** The words around each kind of event in a line, whose tokens are given. */
export function kindPhrases(own: readonly Token[], isTaken: (token: Token) => boolean): KindPhrase[] {
  const found: KindPhrase[] = []
  let done = 0
  for (const [i, token] of own.entries()) {
    if (i < done || token.kind !== 'word') continue
    const isOccasion = OCCASIONS.has(token.low)
    if ((!isOccasion && !isKind(token.low)) || isTaken(token)) continue
    // “wir treffen uns”, “steht fest”
    const isNoNoun = !CAPITAL().test(token.text) && (/en$/.test(token.low) || isGermanKind(token.low))
    // “wir treffen uns”, but “das Treffen”
    const isNoun = CAPITAL().test(token.text) && isOneOf(own[i - 1], ARTICLES)
    if (isNoNoun || (VERBS.has(token.low) && !isNoun) || NO_TITLES.has(token.low)) continue
    const next = own[i + 1]
    const isCafe = token.low === 'repair' && next?.low === 'cafe'
    if (next && !isCafe && (isPlaceWord(next.low) || STREETS.has(next.low))) continue
    const from = beginning(own, i, isTaken)
    const to = ending(own, i, isTaken)
    const [first, last] = [own[from], own[to - 1]]
    const after = own[to]
    // “Kurs K2207”
    const isCode = after?.kind === 'number' && !after.isSpaced
    // “Drei Abende”
    const before = own[from - 1]
    const isCounted = isOneOf(first, NUMBER_WORDS) || before?.kind === 'number'
    // “nach der 9-Uhr-Messe”
    const isOfHour = before?.low === '-' && own[from - 2]?.kind === 'number' && !first?.isSpaced
    if (!first || !last || isOfHour) continue
    // “después de misa”, “no class on 17 February”
    const isOther = [before, own[from - 2]].some(one => isOneOf(one, NOT_HERE))
    if (isCode || isClub(own, i) || presents(own, to) || isOneOf(before, PAST) || isOther) continue
    // “Mother's Day”
    if (isOccasion && (isCounted || to - from < 2 || before?.low === 's')) continue
    done = to
    found.push({
      span: [first.from, last.to],
      says: isOccasion ? 'occasion' : to - from > 1 || !isGeneral(token.low) ? 'kind' : 'general',
    })
  }
  return found
}

/** True if a word is “club”, but no “club de lectura”. */
const isClub = (own: readonly Token[], at: number): boolean =>
  own[at]?.low === 'club' && !own.slice(at + 1, at + 4).some(({ low }) => isKind(low))

/** True if somebody is named who presents something: “The rowing group invites …”, but «se ofrecerá» */
const presents = (own: readonly Token[], to: number): boolean =>
  own[to]?.low !== 'se' && hasAny(own.slice(to, to + 2), PRESENTING)

/** The index of the first word of a name that ends in a kind. */
function beginning(own: readonly Token[], at: number, isTaken: (token: Token) => boolean): number {
  let from = at
  let words = 0
  while (words < MAX_BEFORE) {
    const before = own[from - 1]
    const owned = possessiveBefore(own, from)
    if (owned !== undefined && words > 0 && isPart(own[owned] as Token, isTaken)) {
      from = owned
      break
    }
    const isJoint = before !== undefined && ['-', '&', '’', "'"].includes(before.low)
    const word = isJoint ? own[from - 2] : before
    if (!word || !isPart(word, isTaken)) break
    // “d’été” belongs together, “ - Konzert” does not.
    if (isJoint && before.low !== '&' && own[from]?.isSpaced) break
    // “holding Knit and Natter”
    if (!isJoint && CAPITAL().test(own[from]?.text ?? '') && !CAPITAL().test(word.text)) break
    from -= isJoint ? 2 : 1
    words++
  }
  return from
}

/**
 * The index of the word before an English possessive's end: “Children's craft session”, “Ladies' choir
 * concert”.
 */
function possessiveBefore(own: readonly Token[], from: number): number | undefined {
  const at = own[from - 1]?.low === 's' ? from - 2 : from - 1
  const [word, mark] = [own[at - 1], own[at]]
  const isOne = mark !== undefined && "’'".includes(mark.low) && own[from]?.isSpaced === true
  const isPlural = at === from - 2 || word?.low.endsWith('s') === true
  return isOne && isPlural && word?.kind === 'word' ? at - 1 : undefined
}

const isPart = (word: Token, isTaken: (token: Token) => boolean): boolean =>
  word.kind === 'word' &&
  !isTaken(word) &&
  weekdayOf(word.low) === 0 &&
  // “tenemos”, “celebramos”
  !/.{2}(?:amos|emos)$/.test(word.low) &&
  ![SMALL, OTHERS, NOT_HERE, VERBS, LEADS, NO_TITLES, GREETINGS, EVERY].some(words => words.has(word.low))

/** The index after the last word of a name that begins with a kind. */
function ending(own: readonly Token[], at: number, isTaken: (token: Token) => boolean): number {
  let to = at + 1
  for (let i = to; i < own.length && i - at <= MAX_AFTER; i++) {
    const token = own[i]
    // “races on Shrove Tuesday”
    const isFeast = isOneOf(token, FEASTS) && weekdayOf(own[i + 1]?.low ?? '') > 0
    if (!token || isFeast || isTaken(token)) break
    const isMark = ['-', '’', "'", '&', '«', '»', '„', '“', '”', '"'].includes(token.low)
    // “Der Kurs umfasst”, but “taller infantil”
    const isVerb = i === at + 1 && !CAPITAL().test(token.text) && !isOneOf(own[at], ROMANCE)
    // “balade en train”, but “charla en la biblioteca” and “concierto en Madrid”
    const next = own[i + 1]
    const isManner = token.low === 'en' && next && !SMALL.has(next.low) && !CAPITAL().test(next.text)
    const isTowards = isOuting(own[at]?.low ?? '') && TOWARDS.has(token.low)
    // “a celebration of Jim’s life”
    const isOwner = token.low === 's' && possessiveBefore(own, i + 1) !== undefined
    if (LINKS.has(token.low) || isManner || isTowards || isOwner) continue
    // “concierto de Los Sin Rumbo”
    const isName = isOneOf(own[at], ROMANCE) && OTHERS.has(token.low) && CAPITAL().test(token.text)
    if (isName || isPart(token, isTaken)) {
      // “talk on bees in the garden”, but “Konzert im Gasthaus”
      const isPlace = isPlaceWord(token.low) || HOUSES.has(token.low)
      if (isVerb || (isPlace && hasAny(own.slice(to, i), AT))) break
      to = i + 1
    } else if (!isMark || (token.isSpaced && token.low === '-')) break
  }
  return to
}
