import { type CostDetails, type Currency, formatCost, writtenAmounts } from '../kit/lib/cost.ts'
import { memoize } from '../kit/lib/memo.ts'
import { lazyPattern } from '../kit/lib/pattern.ts'
import { decodeEntities } from '../kit/lib/text.ts'
import { textsIn } from './words.ts'

/** Currencies with a unique sign. */
const CODES: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '₹': 'INR', '₽': 'RUB', '₺': 'TRY' }

const NUMBERS = /^[\s\d.,'’–—~/-]*$/
const RANGE = /[–—~-]/

/**
 * The currency code of a cost. The sign counts first, since a site may have changed its sign without its
 * code.
 */
const codeOf = ({ currency_symbol, currency_code }: CostDetails): string =>
  CODES[currency_symbol] ?? currency_code

/**
 * The cost of an event in the language of the page, such as `8–12 €`. The API has it in English. A cost with
 * other words stays unchanged. Amounts stay in the order in which they were typed, which `cost_details` does
 * not have: the regular price often comes first.
 */
export function costWords(
  { language, currency: site }: { language: string; currency: Currency },
  { cost, cost_details: details }: { cost: string; cost_details: CostDetails },
): string {
  if (cost === 'Free') return textsIn(language).pages.free
  const text = decodeEntities(cost)
  const { currency_symbol: symbol, currency_code, values } = details
  const otherText = [symbol, currency_code, 'Free'].reduce(
    (remaining, part) => (part ? remaining.replaceAll(part, '') : remaining),
    text,
  )
  const order = values.length > 1 ? writtenAmounts(text, { symbol }) : []
  const amounts = values.map(Number)
  // The text of a list of prices has only the ends of the range.
  if (amounts.every(amount => order.includes(amount)))
    amounts.sort((a, b) => order.indexOf(a) - order.indexOf(b))
  const [first, second, ...further] = amounts
  const siteCode = symbol === site.symbol ? site.code : ''
  const currency = codeOf(details) || siteCode
  if (
    first === undefined ||
    amounts.some(Number.isNaN) ||
    !NUMBERS.test(otherText) ||
    !/^[A-Z]{3}$/.test(currency)
  )
    return withHardSpaces(text)
  const digits = amounts.every(Number.isInteger) ? 0 : 2
  const format = amountFormat(language, currency, digits)
  if (second === undefined) return format.format(first)
  return further.length === 0 && RANGE.test(otherText)
    ? format.formatRange(first, second).replace('-', '–')
    : amounts.map(amount => format.format(amount)).join(' / ')
}

/**
 * {@link costWords} for a stored cost, memoized: events have few different costs, and parsing a cost takes as
 * long as the rest of a line.
 */
export const storedCostWords: (language: string, cost: string, currency: Currency) => string = memoize(
  (language, cost, currency) => costWords({ language, currency }, formatCost(cost, currency)),
  {
    most: 1_000,
    by: (language, cost, { symbol, code, position }) => [language, symbol, code, position, cost],
  },
)

/**
 * The format of amounts, memoized because making it is the slowest part of a cost: the formats for ten events
 * took a tenth of the page.
 */
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

/** The space between an amount and a currency. */
const BLANK_OF_AMOUNT = lazyPattern(String.raw`(?<=\d) (?=\p{Sc})|(?<=\p{Sc}) (?=\d)`, 'gu')

/** A text with no-break spaces between amounts and currencies. */
const withHardSpaces = (text: string): string => text.replace(BLANK_OF_AMOUNT(), '\u00a0')
