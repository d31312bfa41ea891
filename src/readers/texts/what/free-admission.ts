import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { isWithinQuotes } from '../words/clauses.ts'
import { foldedAt, hasAny, isOneOf, skipBack, type Token } from '../words/tokens.ts'
import { isKind, NUMBER_WORDS, phrasesOf, WORDS } from '../words/words.ts'
import { CURRENCIES, MAX_IN_SENTENCE, MAX_WORDS_BESIDE, NEUTRAL, type PricePurpose } from './price-words.ts'

// Where a text says that something costs nothing, and for whom.

/**
 * Where a text says that something costs nothing: admission, because a word says so; perhaps admission,
 * because nothing else is named; admission for those who are named; or something that is not understood.
 */
export type FreeMention = { from: number; to: number; purpose: Exclude<PricePurpose, 'other'> | 'collected' }

const NOTHING_TO_PAY = phrasesOf('nothingToPay')

const IN_TITLE_CASE = lazyPattern(String.raw`^\p{Lu}\p{Ll}`, 'u')

/**
 * The token at which a clause begins, including a word for those who pay nothing before its mark: “3 €;
 * socios, gratis”.
 */
function payersBefore(tokens: readonly Token[], from: number): number {
  let at = from
  while (at > 0 && tokens[at - 1]?.kind === 'sign' && ',:('.includes(tokens[at - 1]?.folded ?? '')) at--
  if (at === from || !WORDS.audience.hasWordOrPlural(tokens[at - 1]?.folded ?? '')) return from
  const { sentence } = tokens[from] ?? {}
  const near = tokens.slice(Math.max(0, from - MAX_IN_SENTENCE), from + MAX_IN_SENTENCE)
  return near.some(one => one.sentence === sentence && CURRENCIES.has(one.folded)) ? at - 1 : from
}

/** Where a text says that something is free. */
export function freeIn(tokens: readonly Token[]): FreeMention[] {
  return tokens.flatMap(({ folded: word, clause, isSpaced }, i): FreeMention[] => {
    const isPhrase =
      NOTHING_TO_PAY.at(tokens, i) !== undefined ||
      (word === 'free' && tokens[i + 1]?.folded === 'to' && isOneOf(tokens[i + 2], WORDS.afterFreeTo))
    const isNothing = WORDS.nothing.has(word) || (word === 'pagan' && tokens[i - 1]?.folded === 'no')
    if (!isPhrase && !WORDS.free.has(word) && !WORDS.collected.has(word) && !isNothing) return []
    // “Peat-free and proud”
    const isHyphenated = tokens[i - 1]?.folded === '-' && !isSpaced
    if (isHyphenated && !isOneOf(tokens[i - 2], WORDS.admission)) return []
    // “Are you free on Saturday?”, “feel free to ask”, “you are free to look around”
    const addressed = ['are', 're'].includes(tokens[i - 1]?.folded ?? '')
      ? skipBack(i - 2, at => foldedAt(tokens, at) === '’' || foldedAt(tokens, at) === "'")
      : i - 1
    if (word === 'free' && ['you', 'feel'].includes(foldedAt(tokens, addressed)) && !isPhrase) return []
    let [from, to] = [i, i + 1]
    while (from > i - MAX_WORDS_BESIDE && tokens[from - 1]?.clause === clause) from--
    while (to < i + MAX_WORDS_BESIDE && tokens[to]?.clause === clause) to++
    if (from === i) from = payersBefore(tokens, from)
    const words = tokens.slice(from, to).filter(({ kind }) => kind === 'word')
    const before = words.filter(one => one.to <= (tokens[i]?.from ?? 0))
    const isNeutral = ({ folded }: Token) => NEUTRAL.has(folded) || WORDS.but.has(folded) || folded.length < 2
    const after = words.slice(before.length + 1)
    // “Free to attend”, but “free vintage bus”, “freie Platzwahl”, and “al aire libre”; and “Free Solo”
    const isNoun = (one: Token) =>
      !isNeutral(one) ||
      (word === 'free' && !WORDS.eventNouns.has(one.folded) && IN_TITLE_CASE().test(one.text))
    const isBeforeNoun = WORDS.freeBeforeNoun.has(word) && after[0] !== undefined && isNoun(after[0])
    // “Free Spirits in concert”, “free wine at the concert”
    const end = after.findIndex(one => !isNoun(one))
    const nouns = isBeforeNoun
      ? after.slice(0, Math.min(2, end < 0 ? 2 : end))
      : before.filter(one => !isNeutral(one)).slice(-3)
    const isPlain = nouns.length === 0
    const isOfEvent = nouns.some(({ folded }) => isKind(folded)) && !hasAny(nouns, WORDS.freeButNotOfCharge)
    const has = (matches: (folded: string) => boolean) => words.some(({ folded }) => matches(folded))
    const isOfAdmission = (folded: string) => WORDS.admission.hasWordOrPlural(folded)
    // The name of a film or a book, but „Eintritt frei“
    const isName = isWithinQuotes(tokens, i) && !has(folded => isOfAdmission(folded) && !isKind(folded))
    if (isName && !isPhrase) return []
    if (has(folded => WORDS.childrenFree.has(folded))) return []
    // “Se aceptan donativos de ropa”
    const isOfThings = isOneOf(tokens[i + 1], WORDS.belongingTo) && tokens[i + 2]?.kind === 'word'
    // “Délai entre deux dons”
    const isCounted = tokens[i - 1]?.kind === 'number' || isOneOf(tokens[i - 1], NUMBER_WORDS)
    if (
      WORDS.collected.has(word) &&
      (isOfThings || isCounted || has(folded => WORDS.notCollectedNow.has(folded)))
    )
      return []
    const isWithCard = words.some(
      ({ folded }, n) => WORDS.with.has(folded) && hasAny(words.slice(n, n + 4), WORDS.cardsOfHolders),
    )
    const isOfSome = has(folded => WORDS.audience.hasWordOrPlural(folded)) || isWithCard
    // “Kostet nichts”, “no cuesta nada”, but “Kaffee kostet nichts”
    const isOfCost =
      isNothing &&
      has(folded => WORDS.costs.has(folded) || folded === 'cost') &&
      !hasAny(before, WORDS.notAdmission)
    if (isNothing && !isOfSome) return isOfCost ? [{ from: i, to: i + 1, purpose: 'bare' }] : []
    const purpose = isOfSome
      ? 'audience'
      : isPhrase ||
          isOfEvent ||
          (isBeforeNoun ? [...before, ...nouns] : words).some(({ folded }) => isOfAdmission(folded))
        ? 'admission'
        : WORDS.collected.has(word)
          ? 'collected'
          : isPlain
            ? 'bare'
            : 'unknown'
    return [{ from: i, to: i + (isPhrase ? 2 : 1), purpose }]
  })
}
