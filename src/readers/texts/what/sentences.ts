import type { Span } from '../words/plain.ts'
import { hasAny, isOneOf, QUOTES, type Token } from '../words/tokens.ts'
import { anyOf, VERBS, WORDS } from '../words/words.ts'

// Sentences of one line, and what tells passages in them apart: marks, verbs, labels, and what leads to a
// passage.

/**
 * A sentence, or the part of one that is in a single line.
 *
 * @property sentenceTokens its tokens
 * @property isClause whether it has a verb, or a word that is found next to verbs
 * @property taken which of its tokens belong to a day, a time, a price or the venue
 * @property known which of its tokens belong to the name of a venue or an organizer
 */
export type Sentence = {
  sentenceTokens: readonly Token[]
  index: number
  isClause: boolean
  taken: readonly boolean[]
  known: readonly boolean[]
}

/** Words that say what is changed about an event: “Neuer Ort: …”. */
const WHEN_OR_WHERE_NOUNS = anyOf(WORDS.datesAhead, WORDS.whenOrWhereChanged)

/** The ends of Spanish verbs: “arrancamos”, “tenemos”, “vinieron”. */
const SPANISH_VERBS = /.{3}(?:[ae]mos|ieron)$/

/** Words before any place. */
export const AT = anyOf(WORDS.inOrAt, WORDS.frenchAu, WORDS.aBeforePlaces)

/** Words before a place, an owner, company or a purpose. */
export const PREPOSITIONS = anyOf(
  WORDS.inOrAt,
  WORDS.belongingTo,
  WORDS.for,
  WORDS.with,
  WORDS.prepositionsOfTitles,
)

/** True if words before a colon belong to no title. */
export const isLabel = (tokens: readonly Token[]): boolean =>
  (tokens.filter(({ kind, folded }) => kind === 'word' && !WORDS.small.has(folded)).length < 4 &&
    (isOneOf(tokens.at(-1), WORDS.sheets) ||
      [WORDS.labelsOfTitles, WORDS.labelsOfNotices, WORDS.sheets, WORDS.labelsOfPersons].some(words =>
        words.has(tokens[0]?.folded ?? ''),
      ))) ||
  // “Autre date à bloquer : le loto”, but “Date night: Titanic”
  (tokens.length < 7 &&
    isOneOf(tokens[0], WORDS.beforeFurtherDates) &&
    hasAny(tokens, WHEN_OR_WHERE_NOUNS)) ||
  // “La alcaldía informa: …”
  isOneOf(tokens.at(-1), WORDS.informing) ||
  // “N’oubliez pas : loto”
  (tokens.length < 5 && hasAny(tokens, WORDS.leads))

/** True if a word is a verb, or one that is found next to verbs. */
export const isVerb = ({ folded }: Token, i: number, tokens: readonly Token[]): boolean =>
  VERBS.has(folded) ||
  // “après le concert”, but “après-midi”
  (WORDS.besideVerbs.has(folded) && tokens[i + 1]?.folded !== '-') ||
  isContracted(tokens, i) ||
  SPANISH_VERBS.test(folded)

/** True for what follows the apostrophe of “we'll”, “they're” and “won't”. */
export const isContracted = (tokens: readonly Token[], i: number): boolean =>
  isOneOf(tokens[i], WORDS.contractions) && tokens[i]?.isSpaced === false && isApostrophe(tokens[i - 1])

export const isApostrophe = (token: Token | undefined): boolean =>
  token !== undefined && /^['’]$/.test(token.folded)

/** The token at which a passage begins, including its article: “à l'école”, “in der „Krone“”. */
export function withArticle(tokens: readonly Token[], from: number): number {
  const at = QUOTES.includes(tokens[from - 1]?.folded ?? '.') ? from - 1 : from
  return isApostrophe(tokens[at - 1])
    ? at - 2
    : isOneOf(tokens[at - 1], WORDS.articlesAndOwners)
      ? at - 1
      : at
}

/** The word before a passage and its article. */
export const leadOf = (tokens: readonly Token[], from: number): string => {
  const at = withArticle(tokens, from)
  return tokens[isApostrophe(tokens[at - 1]) ? at - 2 : at - 1]?.folded ?? ''
}

/**
 * Where a text names things.
 *
 * @property mentions days, times, prices and places, at which a title ends
 * @property names venues and organizers
 */
export type MentionSpans = { mentions: readonly Span[]; names: readonly Span[] }

const MAX_SENTENCES = 40

/** The most tokens of a sentence that are looked at. */
const MAX_TOKENS = 120

/** True if a token separates two parts of a sentence. */
export function isMark(tokens: readonly Token[], i: number): boolean {
  const [token, next] = [tokens[i], tokens[i + 1]]
  if (token?.kind !== 'sign') return false
  const { folded, isSpaced } = token
  const isBeforeBlank = next?.isSpaced ?? true
  if (folded === '-') return isSpaced && isBeforeBlank
  // “Jazz w/ friends”
  if (folded === ':' || folded === '/') return isBeforeBlank && tokens[i - 1]?.folded !== 'w'
  return ',;()[]|•·!?*_~="«»„“”'.includes(folded) || isPictogram(token)
}

/** True for pictures and arrows: “🎉”, “★”, “▸” */
export const isPictogram = ({ text }: Token): boolean =>
  text.length > 1 || /[\u2190-\u2bff]|\ufe0f/.test(text)

/** The sentences of a text, each at most a line. */
export function sentencesOf(tokens: readonly Token[], { mentions, names }: MentionSpans): Sentence[] {
  const sentences: Token[][] = []
  let before: Token | undefined
  for (const token of tokens) {
    const last = sentences.at(-1)
    const isSame = before?.sentence === token.sentence && before.line === token.line
    before = token
    if (last && isSame && last.length < MAX_TOKENS) last.push(token)
    else if (!isSame && sentences.push([token]) > MAX_SENTENCES) break
  }
  return sentences.slice(0, MAX_SENTENCES).map((sentenceTokens, index) => {
    const [from, to] = [sentenceTokens[0]?.from ?? 0, sentenceTokens.at(-1)?.to ?? 0]
    const covered = (spans: readonly Span[]): boolean[] => {
      const near = spans.filter(([a, b]) => a < to && b > from)
      return sentenceTokens.map(token => near.some(([a, b]) => a < token.to && token.from < b))
    }
    return {
      sentenceTokens,
      index,
      isClause: sentenceTokens.some(isVerb),
      taken: covered(mentions),
      known: covered(names),
    }
  })
}
