import { areInLine, type MarkedText, type Token } from '../words/tokens.ts'
import { type FreeMention, freeIn } from './free-admission.ts'
import { SYMBOLS } from './price-words.ts'
import { type Price, PriceReader } from './prices.ts'

// What admission to an event costs, by the amounts of its part of the text, and where it says that something
// is free.

/** What admission costs, as the API takes it: `12 - 15`, or `0` where it is free. */
type CostMention = { cost: string; from: number; to: number }

/**
 * The highest amount that is taken for the price of a cake or a raffle, unless a word says that it is
 * admission.
 */
const SMALL_CHANGE = 3

/** What the events of a text cost. */
export class Costs {
  readonly #tokens: readonly Token[]
  readonly #currency: string
  readonly #prices: readonly Price[]
  readonly #free: readonly FreeMention[]

  /** @param currency the sign of the calendar's currency */
  constructor(text: MarkedText, currency: string) {
    this.#tokens = text.tokens
    // “Fr.” or “CHF”
    this.#currency = SYMBOLS.get(currency.toLowerCase().replace('.', '')) ?? currency
    this.#prices = new PriceReader(text).prices
    this.#free = freeIn(text.tokens)
  }

  /**
   * The admission in a part of the text: its lowest and highest amount, and none where an amount of the same
   * list is not understood, or where one that is admission contradicts “free”. `isSaid` is true if the part
   * has an amount at all.
   *
   * @param isOwn whether what is said at a token is said of the event
   * @param isShared whether the part is above or below several events: an amount for one kind of them is not
   *   the amount for all
   */
  costIn(
    [start, end]: readonly [from: number, to: number],
    isOwn: (token: number) => boolean,
    isShared = false,
  ): { cost?: CostMention; isSaid: boolean } {
    const isIn = ({ from, to }: { from: number; to: number }): boolean =>
      from >= start && to <= end && isOwn(from)
    const [prices, free] = [this.#prices.filter(isIn), this.#free.filter(isIn)]
    if (isShared && prices.some(({ isOfKind }) => isOfKind) && !prices.every(({ isOfKind }) => isOfKind))
      return { isSaid: true }
    const cost = this.#costOf(prices, free)
    return { ...(cost && { cost }), isSaid: prices.length + free.length > 0 }
  }

  #costOf(prices: readonly Price[], free: readonly FreeMention[]): CostMention | undefined {
    const known = prices.filter(({ purpose }) => purpose !== 'unknown' && purpose !== 'other')
    const unknown = prices.filter(({ purpose }) => purpose === 'unknown')
    const isBare = known.every(({ purpose }) => purpose === 'bare')
    const isBeside = (others: readonly Price[], { from }: { from: number }) =>
      others.some(one => this.#tokens[one.from]?.sentence === this.#tokens[from]?.sentence)
    const freeForAll = free.find(
      one =>
        ['admission', 'bare', 'collected'].includes(one.purpose) &&
        // “Free entry, hardbacks £2”
        !isBeside(
          one.purpose === 'collected' ? prices : one.purpose === 'admission' ? known : [...known, ...unknown],
          one,
        ) &&
        // “Primer equipo: 6 €, jubilados 3 €. El resto, gratis.”
        // “Gratis. La miel, a 9 € el kilo.”
        (one.purpose !== 'bare' ||
          prices.every(({ from, purpose }) => from > one.from && purpose === 'other')),
    )
    if (freeForAll && known.length === 0) return { cost: '0', from: freeForAll.from, to: freeForAll.to }
    // “Entry free. Tasting 5 €”, “Teilnahme kostenlos, Führung 12 €”
    const isForAll = known.every(({ purpose }) => purpose !== 'audience')
    if (isForAll && free.some(({ purpose }) => purpose === 'admission')) return undefined
    const [first] = known
    const last = known.at(-1)
    const isSmallChange = isBare && known.every(({ value }) => value <= SMALL_CHANGE)
    const isUnclear = isBare
      ? unknown.length > 0
      : known.some(one => isBeside(unknown, one) || unknown.some(other => this.#areListed(one, other)))
    if (!first || !last || isUnclear || isSmallChange || this.#areOfSeveral(known)) return undefined
    const contradicts = (mention: FreeMention) =>
      !['audience', 'collected'].includes(mention.purpose) &&
      mention.from < first.from &&
      isBeside(known, mention)
    if (free.some(contradicts)) return undefined
    const isFreeForSome = free.some(one => one.purpose === 'audience')
    const values = [...known.map(({ value }) => value), ...(isFreeForSome ? [0] : [])].sort((a, b) => a - b)
    const range = new Set([values[0] ?? 0, values.at(-1) ?? 0])
    const signs = this.#tokens.slice(first.from, last.to).filter(({ folded }) => SYMBOLS.has(folded))
    // “Do 10, Fr 12 €”
    const sign = signs.find(({ folded }) => folded !== 'fr') ?? signs[0]
    const symbol = SYMBOLS.get(sign?.folded ?? '')
    return {
      cost: formatAmounts([...range], symbol === this.#currency ? undefined : symbol),
      from: first.from,
      to: last.to,
    }
  }

  /** True if amounts of several sentences may be for several things, unlike “VVK 8 €. Abendkasse 10 €.” */
  #areOfSeveral(known: readonly Price[]): boolean {
    const sentences = new Set(known.map(({ from }) => this.#tokens[from]?.sentence))
    const [first, second] = known.map(({ value }) => value).sort((a, b) => a - b)
    const areAlike = known.length === 2 && (second ?? 0) <= 2 * (first ?? 0)
    return sentences.size > 1 && !(areAlike && known.every(({ purpose }) => purpose === 'admission'))
  }

  /** True if two amounts end lines, one below the other: “Early entry: $25”, “Regular: $30”. */
  #areListed(a: Price, b: Price): boolean {
    const [first, second] = [a, b].map(({ from }) => this.#tokens[from]?.line ?? 0)
    const endsLine = ({ from, to }: Price) => !areInLine(this.#tokens, to, from)
    return Math.abs((first ?? 0) - (second ?? 0)) === 1 && endsLine(a) && endsLine(b)
  }
}

/** Amounts, with their currency if it is not the calendar's own. */
function formatAmounts(values: readonly number[], symbol: string | undefined): string {
  // “12,50 €”
  const amounts = values.map(value => (Number.isInteger(value) ? String(value) : value.toFixed(2)))
  if (symbol === undefined) return amounts.join(' - ')
  if (symbol === '€') return `${amounts.join(' - ')} €`
  const before = symbol.length > 1 ? `${symbol} ` : symbol
  return amounts.map(amount => before + amount).join(' - ')
}
