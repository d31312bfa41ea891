import { anyOf, isKind, setOf, VERBS, WORDS } from '../words/words.ts'

// Words around amounts: what one pays, and who pays it.

/**
 * What an amount is for, by the words around it: admission, because there is a word for it or for those who
 * pay it; bare, where no word says anything; unknown, where words say something that is not understood.
 */
export type PricePurpose = 'admission' | 'audience' | 'bare' | 'unknown' | 'other'

/** The signs and codes of currencies by the words for them. */
export const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', '€'],
  ['euro', '€'],
  ['euros', '€'],
  ['eur', '€'],
  ['$', '$'],
  ['dollars', '$'],
  ['£', '£'],
  ['pounds', '£'],
  ['chf', 'CHF'],
  ['fr', 'CHF'],
  ['franken', 'CHF'],
])

/** Words and signs of currencies. */
export const CURRENCIES = anyOf(WORDS.currencies, setOf([...SYMBOLS.keys()].join(' ')))

/** German compounds for what one pays: their first part says what for. */
const FEE = /^(.{3,}?)s?(?:gebuhr|gebuhren|eintritt|beitrag|preis|kosten|pauschale|geld|karten?)$/

/** Words around an amount that do not say what is paid for. */
export const NEUTRAL = anyOf(WORDS.small, VERBS, WORDS.neutralAroundPrices)

/** The most words before an amount that are looked at. */
export const MAX_WORDS_BESIDE = 10

/** How many words next to an amount are searched for what is paid for. */
export const MAX_IN_SENTENCE = 40

/** True if one pays for something else: “Rents (£48 full plot)”. */
export const isOtherExpense = (word: string): boolean =>
  WORDS.notAdmission.has(word) || (WORDS.notAdmission.hasWordOrPlural(word) && !isPayer(word))

export const isFee = (word: string): boolean => {
  const [, first = ''] = FEE.exec(word) ?? []
  return (
    WORDS.admission.hasWordOrPlural(word) ||
    (first !== '' && (WORDS.feeCompounds.has(first) || isPayer(first) || isKind(first)))
  )
}

export const isPayer = (word: string): boolean =>
  WORDS.admission.hasWordOrPlural(word) || WORDS.audience.hasWordOrPlural(word)
