/** As the API answers it: `currency_position` says on which side of the values the symbol or code stands. */
export type CostDetails = {
  currency_symbol: string
  currency_code: string
  currency_position: '' | 'prefix' | 'postfix'
  values: string[]
}

/** An amount found in a text, with the currency that touches it, if any. */
type Amount = { value: string; start: number; end: number; before: string; after: string }

// Groups of three may be parted by blanks (kr 1 200), anything may by points, commas and apostrophes.
const NUMBER = String.raw`\d{1,3}(?: \d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,'’]\d+)*`
const LETTERS = 'kr\\.?|zł|Kč|Ft|CHF|Fr\\.|Rs\\.?|RM|R|lei|лв|руб\\.?|din|円|元|원'
const CURRENCY = String.raw`(?<!\p{L})(?:[A-Z]{1,2}\p{Sc}|(?:${LETTERS})(?!\p{L})|[A-Z]{3}(?![\p{L}])(?: ?\p{Sc})?)|\p{Sc}`
const CURRENCY_AFTER = String.raw`\p{Sc}|(?:${LETTERS})(?!\p{L})|[A-Z]{3}(?!\p{L})`
const RANGE = /^\s*(?:-|–|—|~|\/|to)\s*$/
const BARE = /^[\d\s.,'’–—~/-]*\d[\d\s.,'’–—~/-]*$/
const FREE = /^\s*(?:free|gratis|gratuit\p{L}*|kostenlos)(?!\p{L})/iu

let patterns: { amount: RegExp; codes: ReadonlySet<string> } | undefined
const lazily = () => {
  patterns ??= {
    amount: new RegExp(
      `(?:(${CURRENCY})\\s?)?(?<![\\d.,])(${NUMBER})(?:\\s?(${CURRENCY_AFTER})(?!\\d))?`,
      'gu',
    ),
    codes: new Set(Intl.supportedValuesOf('currency')),
  }
  return patterns
}

/** '1,200.50', '1.200,50', "1'200.50" and '1 200,50' all give '1200.50'; '12,50' gives '12.50'. */
const plainNumber = (written: string) => {
  const digits = written.replace(/['’ ]/g, '')
  const mark = digits.match(/[.,](?=\d+$)/)?.[0]
  if (!mark) return digits
  const other = mark === '.' ? ',' : '.'
  const [whole = '', decimals = '', ...more] = digits.replaceAll(other, '').split(mark)
  // A single mark before three digits parts thousands; so does one that occurs twice.
  const parts = !digits.includes(other) && decimals.length === 3 && whole !== '0' && whole.length <= 3
  return parts || more.length > 0 ? whole + decimals + more.join('') : `${whole}.${decimals}`
}

const codeIn = (currency: string) => {
  const code = currency.slice(0, 3)
  return lazily().codes.has(code) ? code : ''
}

/** Three capital letters that are no currency, as in "ADV 20", are words. */
const realCurrency = (text = '') => (/^[A-Z]{3}/.test(text) && codeIn(text) === '' ? '' : text)

const findAmounts = (text: string): Amount[] =>
  [...text.matchAll(lazily().amount)].map(found => {
    const [whole, before, number = '', after] = found
    return {
      value: plainNumber(number),
      start: found.index,
      end: found.index + whole.length,
      before: realCurrency(before),
      after: realCurrency(after),
    }
  })

/** Where some numbers carry a currency, the rest (ages, rooms, times) are no prices, but for ends of ranges. */
const onlyPrices = (text: string, amounts: Amount[]) => {
  const isPrice = (amount: Amount | undefined) => !!amount && (amount.before !== '' || amount.after !== '')
  if (!amounts.some(isPrice)) return amounts
  const joined = (left: Amount | undefined, right: Amount | undefined) =>
    !!left && !!right && RANGE.test(text.slice(left.end, right.start))
  return amounts.filter((amount, i) => {
    const [previous, next] = [amounts[i - 1], amounts[i + 1]]
    if (isPrice(amount)) return true
    return (isPrice(previous) && joined(previous, amount)) || (isPrice(next) && joined(amount, next))
  })
}

const ascending = (values: string[]) => {
  const byAmount = new Map<number, string>()
  for (const value of values) if (!byAmount.has(Number(value))) byAmount.set(Number(value), value)
  return [...byAmount].sort(([a], [b]) => a - b).map(([, value]) => value)
}

const currencyOf = (prices: Amount[]): Omit<CostDetails, 'values'> => {
  const price = prices.find(({ before, after }) => before !== '' || after !== '')
  const currency = price?.before || price?.after || ''
  const code = codeIn(currency)
  const symbol = code === '' || code === 'CHF' ? currency : currency.slice(3).trim()
  const position = price ? (price.before ? 'prefix' : 'postfix') : ''
  return { currency_symbol: symbol, currency_code: code, currency_position: position }
}

/**
 * The cost as the API answers it, and its details. The text stays as given, except that
 * bare numbers and ranges of them get the site's symbol in front, and a bare 0 reads Free.
 *
 * @param currency the site's own, which bare numbers are in
 * @returns values as plain decimals ('1200.50') in ascending order; of words only ('Free'), the words in lower
 * case; a text that begins with "Free" and names prices too has '0' among its values
 */
export const formatCost = (
  input: string,
  currency: { symbol: string; code: string },
): { cost: string; cost_details: CostDetails } => {
  const text = input.trim()
  const none: CostDetails = { currency_symbol: '', currency_code: '', currency_position: '', values: [] }
  if (text === '') return { cost: '', cost_details: none }
  // Full-width digits and signs, and blanks that do not break, are read like the plain ones.
  const read = text.normalize('NFKC')
  const amounts = findAmounts(read)
  if (amounts.length === 0) return { cost: text, cost_details: { ...none, values: [text.toLowerCase()] } }
  const values = ascending(amounts.map(({ value }) => value))
  if (BARE.test(read)) {
    const written = new RegExp(NUMBER, 'g')
    const cost = read.replace(written, number =>
      Number(plainNumber(number)) === 0 ? 'Free' : `${currency.symbol}${number}`,
    )
    const own = { currency_symbol: currency.symbol, currency_code: currency.code }
    return { cost, cost_details: { ...own, currency_position: 'prefix', values } }
  }
  const prices = onlyPrices(read, amounts)
  const free = FREE.test(read) ? ['0'] : []
  const all = ascending([...free, ...prices.map(({ value }) => value)])
  return { cost: text, cost_details: { ...currencyOf(prices), values: all } }
}
