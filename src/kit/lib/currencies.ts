import { memoize } from './memo.ts'

/** The currencies of regions in which people speak the languages of the pages, other than the euro. */
const BY_REGION: Readonly<Record<string, string>> = {
  US: 'USD',
  GB: 'GBP',
  CH: 'CHF',
  LI: 'CHF',
  CA: 'CAD',
  AU: 'AUD',
  NZ: 'NZD',
  IN: 'INR',
  ZA: 'ZAR',
  SG: 'SGD',
  HK: 'HKD',
  MX: 'MXN',
  AR: 'ARS',
  BO: 'BOB',
  CL: 'CLP',
  CO: 'COP',
  CR: 'CRC',
  DO: 'DOP',
  GT: 'GTQ',
  PE: 'PEN',
  PY: 'PYG',
  UY: 'UYU',
  MA: 'MAD',
  SN: 'XOF',
  DK: 'DKK',
  SE: 'SEK',
  NO: 'NOK',
}

type UsualCurrency = { code: string; symbol: string; position: 'prefix' | 'postfix' }

/**
 * The currency of a language's region, with the symbol and its position in that language.
 *
 * @param tag of BCP 47; without a region, the region with most speakers counts
 * @param given the code of another currency (ISO 4217)
 */
export const currencyOf = memoize((tag: string, given?: string): UsualCurrency => {
  const code = given || (BY_REGION[new Intl.Locale(tag).maximize().region ?? ''] ?? 'EUR')
  // The var may have any text; Intl accepts only three letters.
  if (!/^[a-z]{3}$/i.test(code)) return { code, symbol: '$', position: 'prefix' }
  const parts = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(1)
  const at = (type: string) => parts.findIndex(part => part.type === type)
  return {
    code,
    symbol: parts[at('currency')]?.value ?? code,
    position: at('currency') < at('integer') ? 'prefix' : 'postfix',
  }
})
