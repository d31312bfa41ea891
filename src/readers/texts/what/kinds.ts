import { STARTS_UPPERCASE } from '../words/clauses.ts'
import { de } from '../words/de.ts'
import { en } from '../words/en.ts'
import { es } from '../words/es.ts'
import { fr } from '../words/fr.ts'
import type { Span } from '../words/plain.ts'
import { hasAny, isOneOf, type Token } from '../words/tokens.ts'
import { isKind, isPlaceWord, NUMBER_WORDS, VERBS, WORDS, WordSet, weekdayOf } from '../words/words.ts'
import { AT } from './sentences.ts'

// In a sentence, what takes place is named by words around one that says what kind of event it is: “our
// traditional spring walk”.

/** True if a word says a kind alone, and is no compound: “course”, but not “Nähkurs”. */
const isGeneral = (word: string): boolean => WORDS.kinds.hasWordOrPlural(word)

const GERMAN_KINDS = new WordSet(() => de().kinds.split(' '))
const OTHER_KINDS = new WordSet(() => [en, fr, es].flatMap(words => words().kinds.split(' ')))

const isGermanKind = (word: string): boolean => GERMAN_KINDS.has(word) && !OTHER_KINDS.has(word)

/** Kinds that an adjective may follow. */
const ROMANCE_KINDS = new WordSet(() => [fr, es].flatMap(words => words().kinds.split(' ')))

/**
 * True for a word for what goes somewhere, after which the text says where: “Wanderung auf den Hochberg”,
 * “visita al casco histórico”.
 */
const isOuting = (word: string): boolean =>
  WORDS.outings.has(word) || /(?:wanderung|fuhrung|tour|fahrt)$/.test(word)

const MAX_BEFORE = 4
const MAX_AFTER = 8

/**
 * @property says what it names: a kind of event, a general one alone (“course”), or only when (“coffee
 * morning”)
 */
export type KindPhrase = { span: Span; says: 'kind' | 'general' | 'occasion' }

/** The words around each kind of event in a line, whose tokens are given. */
export function kindPhrases(tokens: readonly Token[], isTaken: (token: Token) => boolean): KindPhrase[] {
  const found: KindPhrase[] = []
  let doneTo = 0
  for (const [i, token] of tokens.entries()) {
    if (i < doneTo || token.kind !== 'word') continue
    const isOccasion = WORDS.occasions.has(token.folded)
    if ((!isOccasion && !isKind(token.folded)) || isTaken(token)) continue
    // “wir treffen uns”, “steht fest”
    const isNoNoun =
      !STARTS_UPPERCASE().test(token.text) && (/en$/.test(token.folded) || isGermanKind(token.folded))
    // “wir treffen uns”, but “das Treffen”
    const isNoun = STARTS_UPPERCASE().test(token.text) && isOneOf(tokens[i - 1], WORDS.articlesAndOwners)
    if (isNoNoun || (VERBS.has(token.folded) && !isNoun) || WORDS.noTitles.has(token.folded)) continue
    const next = tokens[i + 1]
    const isCafe = token.folded === 'repair' && next?.folded === 'cafe'
    if (next && !isCafe && (isPlaceWord(next.folded) || WORDS.streets.has(next.folded))) continue
    const from = startOfPhrase(tokens, i, isTaken)
    const to = endOfPhrase(tokens, i, isTaken)
    const [first, last] = [tokens[from], tokens[to - 1]]
    const after = tokens[to]
    // “Kurs K2207”
    const isCode = after?.kind === 'number' && !after.isSpaced
    // “Drei Abende”
    const before = tokens[from - 1]
    const isCounted = isOneOf(first, NUMBER_WORDS) || before?.kind === 'number'
    // “nach der 9-Uhr-Messe”
    const isOfHour = before?.folded === '-' && tokens[from - 2]?.kind === 'number' && !first?.isSpaced
    if (!first || !last || isOfHour) continue
    // “después de misa”, “no class on 17 February”
    const isOther = [before, tokens[from - 2]].some(one => isOneOf(one, WORDS.beforeOtherKinds))
    if (
      isCode ||
      isClub(tokens, i) ||
      presents(tokens, to) ||
      isOneOf(before, WORDS.beforePastKinds) ||
      isOther
    )
      continue
    // “Mother's Day”
    if (isOccasion && (isCounted || to - from < 2 || before?.folded === 's')) continue
    doneTo = to
    found.push({
      span: [first.from, last.to],
      says: isOccasion ? 'occasion' : to - from > 1 || !isGeneral(token.folded) ? 'kind' : 'general',
    })
  }
  return found
}

/** True if a word is “club”, but no “club de lectura”. */
const isClub = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.folded === 'club' && !tokens.slice(at + 1, at + 4).some(({ folded }) => isKind(folded))

/** True if somebody is named who presents something: “The rowing group invites …”, but «se ofrecerá» */
const presents = (tokens: readonly Token[], to: number): boolean =>
  tokens[to]?.folded !== 'se' && hasAny(tokens.slice(to, to + 2), WORDS.presenting)

/** The index of the first word of a name that ends in a kind. */
function startOfPhrase(tokens: readonly Token[], at: number, isTaken: (token: Token) => boolean): number {
  let from = at
  let words = 0
  while (words < MAX_BEFORE) {
    const before = tokens[from - 1]
    const owned = possessiveBefore(tokens, from)
    if (owned !== undefined && words > 0 && mayBelong(tokens[owned] as Token, isTaken)) {
      from = owned
      break
    }
    const isJoint = before !== undefined && ['-', '&', '’', "'"].includes(before.folded)
    const word = isJoint ? tokens[from - 2] : before
    if (!word || !mayBelong(word, isTaken)) break
    // “d’été” belongs together, “ - Konzert” does not.
    if (isJoint && before.folded !== '&' && tokens[from]?.isSpaced) break
    // “holding Knit and Natter”
    if (!isJoint && STARTS_UPPERCASE().test(tokens[from]?.text ?? '') && !STARTS_UPPERCASE().test(word.text))
      break
    from -= isJoint ? 2 : 1
    words++
  }
  return from
}

/**
 * The index of the word before an English possessive's end: “Children's craft session”, “Ladies' choir
 * concert”.
 */
function possessiveBefore(tokens: readonly Token[], from: number): number | undefined {
  const at = tokens[from - 1]?.folded === 's' ? from - 2 : from - 1
  const [word, mark] = [tokens[at - 1], tokens[at]]
  const isPossessive = mark !== undefined && "’'".includes(mark.folded) && tokens[from]?.isSpaced === true
  const isPlural = at === from - 2 || word?.folded.endsWith('s') === true
  return isPossessive && isPlural && word?.kind === 'word' ? at - 1 : undefined
}

const mayBelong = (word: Token, isTaken: (token: Token) => boolean): boolean =>
  word.kind === 'word' &&
  !isTaken(word) &&
  weekdayOf(word.folded) === 0 &&
  // “tenemos”, “celebramos”
  !/.{2}(?:amos|emos)$/.test(word.folded) &&
  ![
    WORDS.small,
    WORDS.outsideNames,
    WORDS.beforeOtherKinds,
    VERBS,
    WORDS.leads,
    WORDS.noTitles,
    WORDS.greetings,
    WORDS.every,
  ].some(words => words.has(word.folded))

/** The index after the last word of a name that begins with a kind. */
function endOfPhrase(tokens: readonly Token[], at: number, isTaken: (token: Token) => boolean): number {
  let to = at + 1
  for (let i = to; i < tokens.length && i - at <= MAX_AFTER; i++) {
    const token = tokens[i]
    // “races on Shrove Tuesday”
    const isFeast = isOneOf(token, WORDS.feastsBesideWeekdays) && weekdayOf(tokens[i + 1]?.folded ?? '') > 0
    if (!token || isFeast || isTaken(token)) break
    const isMark = ['-', '’', "'", '&', '«', '»', '„', '“', '”', '"'].includes(token.folded)
    // “Der Kurs umfasst”, but “taller infantil”
    const isVerb = i === at + 1 && !STARTS_UPPERCASE().test(token.text) && !isOneOf(tokens[at], ROMANCE_KINDS)
    // “balade en train”, but “charla en la biblioteca” and “concierto en Madrid”
    const next = tokens[i + 1]
    const isManner =
      token.folded === 'en' && next && !WORDS.small.has(next.folded) && !STARTS_UPPERCASE().test(next.text)
    const isTowards = isOuting(tokens[at]?.folded ?? '') && WORDS.towards.has(token.folded)
    // “a celebration of Jim’s life”
    const isOwner = token.folded === 's' && possessiveBefore(tokens, i + 1) !== undefined
    if (WORDS.links.has(token.folded) || isManner || isTowards || isOwner) continue
    // “concierto de Los Sin Rumbo”
    const isName =
      isOneOf(tokens[at], ROMANCE_KINDS) &&
      WORDS.outsideNames.has(token.folded) &&
      STARTS_UPPERCASE().test(token.text)
    if (isName || mayBelong(token, isTaken)) {
      // “talk on bees in the garden”, but “Konzert im Gasthaus”
      const isPlace = isPlaceWord(token.folded) || WORDS.houses.has(token.folded)
      if (isVerb || (isPlace && hasAny(tokens.slice(to, i), AT))) break
      to = i + 1
    } else if (!isMark || (token.isSpaced && token.folded === '-')) break
  }
  return to
}
