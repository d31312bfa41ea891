import { type CostDetails, formatCost } from '../../lib/cost.ts'
import { memoize } from '../../lib/memo.ts'
import type { Site } from './site.ts'
import { plain } from './text.ts'

/** Currencies whose sign is that of no other. */
const CODES: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '₹': 'INR', '₽': 'RUB', '₺': 'TRY' }

const NUMBERS = /^[\s\d.,'’–—~/-]*$/
const RANGE = /[–—~-]/

/** The code of the currency of a cost, by its sign first: a site may have changed its sign and not its code. */
const codeOf = ({ currency_symbol, currency_code }: CostDetails): string =>
  CODES[currency_symbol] ?? currency_code

/**
 * The words for a cost, of which the API has one in English: amounts as the language writes them, `8–12 €`. A cost that says
 * more than amounts stays as it was written.
 */
export function costWords(
  { words, language, context }: Site,
  { cost, cost_details: details }: { cost: string; cost_details: CostDetails },
): string {
  if (cost === 'Free') return words.free
  const text = plain(cost)
  const { currency_symbol: symbol, currency_code, values } = details
  const rest = [symbol, currency_code, 'Free'].reduce(
    (left, part) => (part ? left.replaceAll(part, '') : left),
    text,
  )
  const amounts = values.map(Number)
  const [low, high, ...more] = amounts
  const own = symbol === context.settings.currency.symbol ? context.settings.currency.code : ''
  const currency = codeOf(details) || own
  if (low === undefined || amounts.some(Number.isNaN) || !NUMBERS.test(rest) || !/^[A-Z]{3}$/.test(currency))
    return spaced(text)
  const digits = amounts.every(Number.isInteger) ? 0 : 2
  const format = amountFormat(language, currency, digits)
  if (high === undefined) return format.format(low)
  return more.length === 0 && RANGE.test(rest)
    ? format.formatRange(low, high).replace('-', '–')
    : amounts.map(amount => format.format(amount)).join(' / ')
}

/** The same for a cost as it is stored. Those of events repeat, and reading one takes as long as the rest of its line. */
export const storedCostWords: (site: Site, cost: string) => string = memoize(
  (site, cost) => costWords(site, formatCost(cost, site.context.settings.currency)),
  {
    most: 1_000,
    by: ({ language, context }, cost) => {
      const { symbol, code, position } = context.settings.currency
      return [language, symbol, code, position, cost]
    },
  },
)

/** Making a format takes longer than all else of a cost: those of a page of ten events a tenth of the page. */
const amountFormat = memoize(
  (language: string, currency: string, digits: number) =>
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }),
)

/** A text whose amounts are not parted from their currency at the end of a line. */
const spaced = (text: string): string => text.replace(/(?<=\d) (?=\p{Sc})|(?<=\p{Sc}) (?=\d)/gu, '\u00a0')
