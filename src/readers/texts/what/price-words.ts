import {
  ADMISSION,
  AUDIENCE,
  anyOf,
  isKind,
  NOT_ADMISSION,
  SMALL_WORDS,
  setOf,
  VERBS,
} from '../words/words.ts'

// Words around amounts: what one pays, and who pays it.

/**
 * What an amount is for, by the words around it: admission, because a word for it or one for those who pay it
 * stands there; bare, where no word says anything; unknown, where words say something that is not understood.
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
export const CURRENCIES = setOf(
  [...SYMBOLS.keys()].join(' '),
  'dolares francs pesos pavos soles quetzales colones',
)

/** German compounds for what one pays: their first part says what for. */
const FEE = /^(.{3,}?)s?(?:gebuhr|gebuhren|eintritt|beitrag|preis|kosten|pauschale|geld|karten?)$/

/** The first parts of such compounds: “Teilnahmegebühr”. */
const FEES = setOf('teilnahme teilnehmer kurs start melde einzel dauer vorverkauf abend regie festival tage')

/** Words around an amount that do not tell what is paid for. */
export const NEUTRAL = anyOf(
  SMALL_WORDS,
  VERBS,
  setOf(
    'single otherwise sonst sinon only just per about nur je pro ca circa etwa oder or o ou ab bis jeweils kostet betragt costs cuesta coute pay desde cada chacun hors it its you get bitte nous wir seulement only solo plus event veranstaltung evento actividad activite evenement todo tout alles everything this ce cette este esta diese dieses totally completely entirely vollig komplett ganz absolut totalement entierement totalmente completamente',
  ),
)

/** Verbs before a price. */
export const COST_VERBS = setOf('kost kostet kosten costs cuesta coute')

/** The most words before an amount that are looked at. */
export const MAX_WORDS_BESIDE = 10

/** How many words beside an amount are searched for what is paid for. */
export const MAX_IN_SENTENCE = 40

/** True if one pays for something else: “Rents (£48 full plot)”. */
export const isOtherExpense = (word: string): boolean =>
  NOT_ADMISSION.has(word) || (NOT_ADMISSION.hasWordOrPlural(word) && !isPayer(word))

export const isFee = (word: string): boolean => {
  const [, first = ''] = FEE.exec(word) ?? []
  return (
    ADMISSION.hasWordOrPlural(word) || (first !== '' && (FEES.has(first) || isPayer(first) || isKind(first)))
  )
}

export const isPayer = (word: string): boolean =>
  ADMISSION.hasWordOrPlural(word) || AUDIENCE.hasWordOrPlural(word)

/** Words beside “free” where that says nothing of a price: “al aire libre”, “quelques places libres”. */
export const OF_SEATS = setOf('aire plazas places placement platze platz')
