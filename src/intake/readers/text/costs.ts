import type { Token } from './tokens.ts'
import { ADMISSION, anyOf, FREE, isKind, NOT_ADMISSION, SMALL, setOf, VERBS, wordsFor } from './words.ts'

/** What admission costs, as the API takes it: `12 - 15`, or `0` where it is free. */
export type CostMention = { cost: string; from: number; to: number }

/** The signs and codes of currencies by the words for them. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', '€'],
  ['euro', '€'],
  ['euros', '€'],
  ['eur', '€'],
  ['$', '$'],
  ['£', '£'],
  ['chf', 'CHF'],
])

const CURRENCIES = anyOf(SYMBOLS, setOf('fr francs franken pesos dollars pounds pavos'))
const UNPRICED = wordsFor('unpriced')
const COLLECTED = wordsFor('collected')
/** Ends of German compounds for what one pays. */
const FEES = /(?:gebuhr|eintritt|beitrag|preis|karten?)$/
/** With a colon it is what one pays, otherwise what one wins. */
const PRICES = setOf('preis prix price precio')
/** Words around an amount that say nothing of what it is for. */
const NEUTRAL = anyOf(
  SMALL,
  VERBS,
  setOf(
    'only just per about nur je pro ca circa etwa oder or o ou ab bis jeweils kostet betragt costs desde cada chacun hors it its you get bitte nous wir seulement only solo plus',
  ),
)
/** Nobody pays as much for an event that is announced like this, in these currencies. */
const MOST = 1_000
const DEAR = setOf('€ £ euro euros eur chf')
/** Words before an amount that are looked at. */
const BEFORE = 10
/** After which something else is in the price, or comes on top of it. */
const INCLUDING = setOf(
  '+ including incl includes inkl inklusive mit compris comprenant avec incluye incluido con sin sans ohne without',
)
const STOPS = setOf(', ; • | )')

/** What an amount is, by the words around it. */
type Role = 'admission' | 'other' | 'unknown'

/** Amounts with a currency that is not the calendar's own. */
function written(amounts: readonly number[], symbol: string | undefined): string {
  if (symbol === undefined) return amounts.join(' - ')
  return symbol === '€' ? `${amounts.join(' - ')} €` : amounts.map(amount => `${symbol}${amount}`).join(' - ')
}

/**
 * The admission that a text names: its lowest and highest amount.
 *
 * @param isTaken whether a token belongs to a day or a time
 * @param currency the sign of the calendar's own
 */
export function costIn(
  tokens: readonly Token[],
  isTaken: (token: number) => boolean,
  currency: string,
): CostMention | undefined {
  const low = (i: number): string => tokens[i]?.low ?? ''
  const isAttached = (i: number): boolean => tokens[i]?.isSpaced === false
  const amounts: { value: number; from: number; to: number }[] = []

  const amountAt = (i: number): { value: number; to: number } | undefined => {
    if (tokens[i]?.kind !== 'number' || isTaken(i) || (tokens[i]?.text.length ?? 9) > 6) return undefined
    let text = tokens[i]?.text ?? ''
    let to = i + 1
    while (
      ['.', ',', "'", '’'].includes(low(to)) &&
      isAttached(to) &&
      tokens[to + 1]?.kind === 'number' &&
      isAttached(to + 1)
    ) {
      const digits = tokens[to + 1]?.text ?? ''
      text += digits.length === 3 ? digits : `.${digits}`
      to += 2
      if (digits.length !== 3) break
    }
    return { value: Number(text), to }
  }
  const currencyAt = (i: number): number | undefined => {
    // «kids 5-12 $4»
    if (/^[$£]$/.test(low(i)) && tokens[i]?.isSpaced && isAttached(i + 1)) return undefined
    if (CURRENCIES.has(low(i)) && !isTaken(i) && tokens[i]?.line === tokens[i - 1]?.line) return i + 1
    // 14,- and 14.-- and 25.–
    if ((low(i) === ',' || low(i) === '.') && isAttached(i) && low(i + 1) === '-' && isAttached(i + 1))
      return low(i + 2) === '-' && isAttached(i + 2) ? i + 3 : i + 2
    return undefined
  }
  /** Whether words around it say that it is something else, such as a prize, or a thing of which nobody says that it is admission. */
  const roleOf = (from: number, to: number): Role => {
    // «Abendkasse + 2 €»
    if (low(from - 1) === '+') return 'other'
    // «£2 off», «2 € de réduction», in the same clause
    let isNamed = false
    for (let i = to; i < to + 3; i++) {
      if (
        tokens[i]?.clause !== tokens[to - 1]?.clause ||
        tokens[i]?.kind === 'number' ||
        INCLUDING.has(low(i))
      )
        break
      if (NOT_ADMISSION.has(low(i))) return 'other'
      isNamed ||= ADMISSION.has(low(i))
    }
    let unknown = 0
    for (let i = from - 1; i >= from - BEFORE; i--) {
      const { kind = 'sign', sentence } = tokens[i] ?? {}
      if (sentence !== tokens[from]?.sentence || isTaken(i)) break
      // «Premios: 300, 150 y 75 €»
      if (
        STOPS.has(low(i)) &&
        !(low(i) === ',' && tokens[i - 1]?.kind === 'number' && tokens[i + 1]?.kind === 'number')
      )
        break
      if (['-', '/'].includes(low(i)) && tokens[i]?.isSpaced) break
      if (PRICES.has(low(i)) && low(i + 1) === ':') return 'admission'
      if (NOT_ADMISSION.has(low(i))) return 'other'
      // «team entry»
      if (ADMISSION.has(low(i)) && NOT_ADMISSION.has(low(i - 1))) return 'other'
      if (ADMISSION.has(low(i)) || FEES.test(low(i)) || (isKind(low(i)) && unknown === 0)) return 'admission'
      if (CURRENCIES.has(low(i))) break
      if (kind === 'word' && low(i).length > 1 && !NEUTRAL.has(low(i))) unknown++
    }
    return unknown > 0 && !isNamed ? 'unknown' : 'admission'
  }
  /** `VVK 12 / AK 15`: a number alone after a word for a price. */
  const isLabelled = (i: number, to: number): boolean => {
    const label = low(i - 1) === ':' ? low(i - 2) : low(i - 1)
    const isEnd =
      tokens[to] === undefined ||
      tokens[to]?.line !== tokens[i]?.line ||
      ['/', ',', '.', ';', ')', '|'].includes(low(to))
    return ADMISSION.has(label) && isEnd && tokens[i]?.isSpaced === true
  }
  /** Whether a number is the end of one that is written with a blank. */
  const isThousands = (i: number): boolean =>
    tokens[i]?.text.length === 3 &&
    tokens[i - 1]?.kind === 'number' &&
    tokens[i]?.line === tokens[i - 1]?.line
  let was: Role = 'admission'
  let sentence = -1
  /** The end of the amount before. */
  let last = 0
  for (let i = 0; i < tokens.length; i++) {
    const amount = amountAt(i)
    if (!amount || Number.isNaN(amount.value)) continue
    // «42 600 €», and what was collected or is planned
    const isDear = amount.value >= MOST && [low(i - 1), low(amount.to)].some(sign => DEAR.has(sign))
    if (isDear || isThousands(i)) {
      i = amount.to - 1
      continue
    }
    const before = low(i - 1) === '.' && low(i - 2) === 'fr' ? i - 2 : i - 1
    const isBefore =
      CURRENCIES.has(low(before)) &&
      !(low(before) === 'fr' && isAttached(i)) &&
      tokens[before]?.line === tokens[i]?.line &&
      before >= last
    const after = currencyAt(amount.to)
    const cents =
      after !== undefined && isAttached(after) && isAttached(amount.to) ? tokens[after]?.text : undefined
    // 6€50
    const hasCents = cents !== undefined && /^\d\d$/.test(cents)
    if (hasCents) amount.value += Number(cents) / 100
    const end = (after ?? amount.to) + (hasCents ? 1 : 0)
    // «prizes ($25/$15/$10)»
    const isOfOther: boolean =
      ['/', '-'].includes(low(i - 1)) || ['/', '-'].includes(low(before - 1)) ? was === 'other' : false
    const shares: boolean =
      ['/', '-', 'bis', 'to', 'o', 'ou', 'oder', 'or'].includes(low(end)) && hasPriceAfter(end + 1)
    const isPrice = isBefore || after !== undefined || shares || isLabelled(i, amount.to)
    if (isPrice) was = isOfOther ? 'other' : roleOf(isBefore ? before : i, end)
    // «Eintritt 12 €, Inhaber der Stadtkarte 8 €»
    const isFurther = was === 'unknown' && tokens[i]?.sentence === sentence
    if (isPrice && (was === 'admission' || isFurther)) {
      amounts.push({ value: amount.value, from: isBefore ? before : i, to: end })
      sentence = tokens[i]?.sentence ?? -1
    }
    if (isPrice) last = end
    i = end - 1
  }
  /** `5 / 3 €`: the currency stands once. */
  function hasPriceAfter(i: number): boolean {
    const amount = amountAt(i)
    return amount !== undefined && currencyAt(amount.to) !== undefined
  }
  const [first] = amounts
  const most = amounts.at(-1)
  if (first && most) {
    const values = amounts.map(({ value }) => value).sort((a, b) => a - b)
    const range = new Set([values[0] ?? 0, values.at(-1) ?? 0])
    const symbol = tokens
      .slice(first.from, most.to)
      .map(({ low: word }) => SYMBOLS.get(word))
      .find(one => one !== undefined)
    return {
      cost: written([...range], symbol === currency ? undefined : symbol),
      from: first.from,
      to: most.to,
    }
  }
  const free = tokens.findIndex(
    ({ low: word }, i) =>
      (FREE.has(word) && !UNPRICED.has(low(i + 1)) && !UNPRICED.has(low(i - 1))) ||
      (word === 'no' && low(i + 1) === 'charge') ||
      (word === 'kein' && low(i + 1) === 'eintritt') ||
      COLLECTED.has(word),
  )
  return free < 0
    ? undefined
    : { cost: '0', from: free, to: free + (['no', 'kein'].includes(low(free)) ? 2 : 1) }
}
