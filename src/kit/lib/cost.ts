import { memoize } from './memo.ts'
import { normalizeText } from './text.ts'

/**
 * The details of a cost in responses; `currency_position` is the side of the number on which the symbol or
 * code stands.
 */
export type CostDetails = {
  currency_symbol: string
  currency_code: string
  currency_position: '' | 'prefix' | 'postfix'
  values: string[]
}

/**
 * The site's currency, which applies to bare numbers, and the side of the number on which its symbol stands.
 */
export type Currency = { symbol: string; code: string; position?: 'prefix' | 'postfix' }

/** An amount found in a text, and the currency next to it, if any. */
type Amount = { value: string; start: number; end: number; before: string; after: string }

// Spaces may separate groups of three digits (kr 1 200); points, commas and apostrophes may separate groups
// of any length. At most seven groups, so that matching takes linear time.
const NUMBER = String.raw`\d{1,3}(?: \d{3}){1,7}(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,'’]\d+)*`
const LETTERS = 'kr\\.?|zł|Kč|Ft|CHF|Fr\\.|Rs\\.?|RM|R|lei|лв|руб\\.?|din|円|元|원'
const CURRENCY_BEFORE = String.raw`(?<!\p{L})(?:[A-Z]{1,2}\p{Sc}|(?:${LETTERS})(?!\p{L})|[A-Z]{3}(?![\p{L}])(?: ?\p{Sc})?)|\p{Sc}`
const CURRENCY_AFTER = String.raw`\p{Sc}|(?:${LETTERS})(?!\p{L})|[A-Z]{3}(?!\p{L})`
const BETWEEN_RANGE_ENDS = /^\s*(?:-|–|—|~|\/|to|bis|à|a|hasta)\s*$/
/** Texts that consist of numbers and ranges. */
const BARE_AMOUNTS = /^(?:[\d\s.,'’–—~/-]|(?<=\d\s)(?:to|bis|à|a|hasta)(?=\s\d))+$/

/**
 * Beginnings of texts that mean no cost, in lower case, in the languages of the pages; `*` stands for any
 * letters.
 */
export const FREE_BEGINNINGS = [
  'free',
  'entry free',
  'admission free',
  'gratis',
  'kostenlos',
  'kostenfrei',
  'umsonst',
  'frei',
  'eintritt frei',
  'freier eintritt',
  'gratuit*',
  'entrée libre',
  'entrée gratuit*',
  'libre',
  'entrada libre',
  'entrada gratis',
  'entrada gratuit*',
] as const

// Compiled at first use.
const freePattern = memoize(
  () =>
    new RegExp(
      `^\\s*(?:${FREE_BEGINNINGS.map(words => words.replace('*', '\\p{L}*')).join('|')})(?!\\p{L})`,
      'iu',
    ),
)

/** True if a cost begins with words that mean no cost. */
const beginsFree = (cost: string): boolean => freePattern().test(cost)

/**
 * True if an event with this stored cost costs nothing, by the rule of the filter (`freeSql` in
 * kit/db/event-expressions.ts).
 */
export const isFree = (cost: string): boolean =>
  !/[1-9]/.test(cost) && (cost.includes('0') || beginsFree(cost))

const escapedForRegex = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** The pattern for a symbol that is not part of a longer word. */
const symbolPattern = (symbol: string) =>
  symbol === '' ? '' : `(?<!\\p{L})${escapedForRegex(symbol)}(?!\\p{L})|`

// Compiled at first use.
const amountPattern = memoize((symbol: string): RegExp => {
  const siteSymbol = symbolPattern(symbol)
  return new RegExp(
    `(?:(${siteSymbol}${CURRENCY_BEFORE})\\s?)?(?<![\\d.,])(${NUMBER})(?:\\s?(${siteSymbol}${CURRENCY_AFTER})(?!\\d))?`,
    'gu',
  )
})

const currencyCodes = memoize((): ReadonlySet<string> => new Set(Intl.supportedValuesOf('currency')))

/** '1,200.50', '1.200,50', "1'200.50" and '1 200,50' all give '1200.50'; '12,50' gives '12.50'. */
const plainNumber = (written: string) => {
  const digits = written.replace(/['’ ]/g, '')
  const mark = digits.match(/[.,](?=\d+$)/)?.[0]
  if (!mark) return digits
  const other = mark === '.' ? ',' : '.'
  const [whole = '', decimals = '', ...more] = digits.replaceAll(other, '').split(mark)
  // A single mark before three digits separates thousands, and so does a mark that occurs twice.
  const separatesThousands =
    !digits.includes(other) && decimals.length === 3 && whole !== '0' && whole.length <= 3
  return separatesThousands || more.length > 0 ? whole + decimals + more.join('') : `${whole}.${decimals}`
}

const codeIn = (currency: string) => {
  const code = currency.slice(0, 3)
  return currencyCodes().has(code) ? code : ''
}

/**
 * The text if it is a currency, else ''. Three capital letters that are not a currency code, as in "ADV 20",
 * are a word.
 */
const realCurrency = (text = '') => (/^[A-Z]{3}/.test(text) && codeIn(text) === '' ? '' : text)

const findAmounts = (text: string, symbol: string): Amount[] =>
  [...text.matchAll(amountPattern(symbol))].map(match => {
    const [whole, before, number = '', after] = match
    return {
      value: plainNumber(number),
      start: match.index,
      end: match.index + whole.length,
      before: realCurrency(before),
      after: realCurrency(after),
    }
  })

/**
 * The amounts that are prices. If some have a currency, the others (ages, rooms, times) are not prices,
 * except for the ends of ranges.
 */
const onlyPrices = (text: string, amounts: Amount[]) => {
  const isPrice = (amount: Amount | undefined) => !!amount && (amount.before !== '' || amount.after !== '')
  if (!amounts.some(isPrice)) return amounts
  const areJoined = (left: Amount | undefined, right: Amount | undefined) =>
    !!left && !!right && BETWEEN_RANGE_ENDS.test(text.slice(left.end, right.start))
  return amounts.filter((amount, i) => {
    const previous = amounts[i - 1]
    const next = amounts[i + 1]
    if (isPrice(amount)) return true
    return (isPrice(previous) && areJoined(previous, amount)) || (isPrice(next) && areJoined(amount, next))
  })
}

const distinctAscending = (values: string[]) => {
  const byAmount = new Map<number, string>()
  for (const value of values) if (!byAmount.has(Number(value))) byAmount.set(Number(value), value)
  return [...byAmount].sort(([a], [b]) => a - b).map(([, value]) => value)
}

const currencyDetails = (prices: Amount[]): Omit<CostDetails, 'values'> => {
  const price = prices.find(({ before, after }) => before !== '' || after !== '')
  const currency = price?.before || price?.after || ''
  const code = codeIn(currency)
  const symbol = code === '' || code === 'CHF' ? currency : currency.slice(3).trim()
  const position = price ? (price.before ? 'prefix' : 'postfix') : ''
  return { currency_symbol: symbol, currency_code: code, currency_position: position }
}

const NO_DETAILS: CostDetails = { currency_symbol: '', currency_code: '', currency_position: '', values: [] }

const DASH = /^\s*([-–—~])\s*$/

/**
 * The text with the site's symbol next to its amounts, and spaces around the dashes of ranges; an amount of
 * zero becomes Free.
 */
const withSymbol = (text: string, amounts: Amount[], { symbol, position }: Currency) => {
  let cost = ''
  let from = 0
  for (const { value, start, end } of amounts) {
    const written = text.slice(start, end)
    const priced = position === 'postfix' ? `${written}${symbol}` : `${symbol}${written}`
    const between = text.slice(from, start)
    cost += from > 0 ? between.replace(DASH, ' $1 ') : between
    cost += Number(value) === 0 ? 'Free' : priced
    from = end
  }
  return cost + text.slice(from)
}

/** The amounts of a cost in responses in the order in which they are written; “Free” is 0. */
export const writtenAmounts = (cost: string, { symbol }: Pick<Currency, 'symbol'>): number[] =>
  findAmounts(normalizeText(cost.replaceAll('Free', '0'), 'NFKC'), symbol).map(({ value }) => Number(value))

/** Codes of symbols that stand for one currency only, unlike `$`, `¥` and `kr`. */
const CODES_BY_SYMBOL: ReadonlyMap<string, string> = new Map(
  '€ EUR, £ GBP, zł PLN, Kč CZK, Ft HUF, лв BGN, ₹ INR, ₽ RUB, ₺ TRY, ₪ ILS, ₩ KRW, 원 KRW, 円 JPY, ₴ UAH, ₫ VND, ₦ NGN, ฿ THB, ₱ PHP, RM MYR, US$ USD, C$ CAD, A$ AUD, NZ$ NZD, HK$ HKD, R$ BRL'
    .split(', ')
    .map(entry => [entry.slice(0, -4), entry.slice(-3)]),
)

/**
 * The code of the currency of a cost (ISO 4217), which is the site's if the cost names none; undefined for a
 * symbol of several currencies.
 */
export const currencyCodeOf = (
  { currency_code, currency_symbol }: CostDetails,
  { symbol, code }: Currency,
): string | undefined =>
  currency_code ||
  (currency_symbol === '' || currency_symbol === symbol ? code : CODES_BY_SYMBOL.get(currency_symbol)) ||
  undefined

type ShownCost = { cost: string; cost_details: CostDetails }

/**
 * Formats a cost for responses, and works out its details. Bare numbers and ranges get the site's symbol and
 * the same spacing, a bare 0 becomes Free, and other texts stay unchanged.
 *
 * @returns values as plain decimals ('1200.50') in ascending order; for a text without numbers ('Free'), the
 *   text in lower case; for a text that begins with "Free" and names prices, '0' is among them
 */
// Memoized, because many events cost the same: formatting took a fifth of the time for serializing a page of
// a hundred.
export const formatCost = memoize((input: string, currency: Currency): ShownCost => {
  const text = input.trim()
  if (text === '') return { cost: '', cost_details: { ...NO_DETAILS, values: [] } }
  // Full-width digits and signs and no-break spaces count as the plain ones.
  const normalized = normalizeText(text, 'NFKC')
  const amounts = findAmounts(normalized, currency.symbol)
  if (amounts.length === 0)
    return { cost: text, cost_details: { ...NO_DETAILS, values: [text.toLowerCase()] } }
  if (BARE_AMOUNTS.test(normalized)) {
    const cost_details: CostDetails = {
      currency_symbol: currency.symbol,
      currency_code: currency.code,
      currency_position: currency.position ?? 'prefix',
      values: distinctAscending(amounts.map(({ value }) => value)),
    }
    return asRange({ cost: withSymbol(normalized, amounts, currency), cost_details }, currency.symbol)
  }
  const prices = onlyPrices(normalized, amounts)
  const free = beginsFree(normalized) ? ['0'] : []
  const values = distinctAscending([...free, ...prices.map(({ value }) => value)])
  return asRange({ cost: text, cost_details: { ...currencyDetails(prices), values } }, currency.symbol)
})

/** The dash between the prices of a list. */
const DASH_BETWEEN_PRICES = ' – '

/** A text that is one price and nothing else; undefined for other texts. */
function lonePrice(text: string, symbol = ''): { amount: number; currency: string } | undefined {
  const normalized = normalizeText(text.trim(), 'NFKC')
  const [price, ...more] = findAmounts(normalized, symbol)
  if (price === undefined)
    return freePattern().exec(normalized)?.[0] === normalized ? { amount: 0, currency: '' } : undefined
  return more.length === 0 && price.start === 0 && price.end === normalized.length
    ? { amount: Number(price.value), currency: price.before || price.after }
    : undefined
}

/** The amounts of texts that are prices in one currency, and nothing else; undefined for other texts. */
function amountsOf(costs: readonly string[], symbol?: string): number[] | undefined {
  const prices = costs.flatMap(cost => lonePrice(cost, symbol) ?? [])
  const currencies = new Set(prices.flatMap(({ currency }) => currency || []))
  return prices.length === costs.length && currencies.size <= 1
    ? prices.map(({ amount }) => amount)
    : undefined
}

/**
 * The text to store for a list of costs: prices in ascending order, because responses show the first and the
 * last, as The Events Calendar does. Other texts, and prices in several currencies, follow one after the
 * other.
 */
export function costOfList(costs: readonly string[]): string {
  const [first = '', ...more] = costs.filter(cost => cost.trim() !== '')
  if (more.length === 0) return first
  const trimmedCosts = [first, ...more].map(cost => cost.trim())
  const amounts = amountsOf(trimmedCosts)
  if (amounts === undefined) return [...new Set(trimmedCosts)].join(', ')
  const byAmount = [...new Map(trimmedCosts.map((cost, i) => [amounts[i] ?? 0, cost]))].sort(
    ([a], [b]) => a - b,
  )
  const isBare = byAmount.every(([, cost]) => BARE_AMOUNTS.test(cost))
  return byAmount.map(([amount, cost]) => (amount === 0 && !isBare ? 'Free' : cost)).join(DASH_BETWEEN_PRICES)
}

/** The cost of an ascending list of prices as the range from the first to the last. */
function asRange({ cost, cost_details }: ShownCost, symbol: string): ShownCost {
  const prices = cost.split(DASH_BETWEEN_PRICES)
  if (prices.length <= 2) return { cost, cost_details }
  const amounts = amountsOf(prices, symbol)
  const isList = amounts?.join() === cost_details.values.map(Number).join()
  return { cost: isList ? [prices[0], prices.at(-1)].join(DASH_BETWEEN_PRICES) : cost, cost_details }
}

const areSameDetails = (details: CostDetails, given: Partial<Record<keyof CostDetails, unknown>>) =>
  details.currency_symbol === given.currency_symbol &&
  details.currency_code === given.currency_code &&
  details.currency_position === given.currency_position &&
  JSON.stringify(details.values) === JSON.stringify(given.values)

/**
 * The text to store for a cost that a client sends. A client that sends back the cost that it read does not
 * change it: responses show `13` as `$13` and `0` as `Free`, but the texts `$13` and `Free` have other
 * details, without a currency code or a value of 0. So the number is stored again if the client sends its
 * formatted text.
 *
 * @param stored the stored cost, for an update
 * @param details `cost_details`, if the client sent them
 */
export const costToStore = (
  given: string,
  currency: Currency,
  { stored, details }: { stored?: string | undefined; details?: unknown },
): string => {
  const trimmedText = given.trim()
  if (stored !== undefined && formatCost(stored, currency).cost === trimmedText) return stored
  if (typeof details !== 'object' || details === null) return given
  if (areSameDetails(formatCost(given, currency).cost_details, details)) return given
  const { values }: { values?: unknown } = details
  const zero = Array.isArray(values)
    ? values.find(value => typeof value === 'string' && Number(value) === 0)
    : '0'
  const bare = trimmedText.replaceAll(currency.symbol, '').replaceAll('Free', () => String(zero ?? '0'))
  const reformatted = formatCost(bare, currency)
  return reformatted.cost === trimmedText && areSameDetails(reformatted.cost_details, details) ? bare : given
}
