import { memoize } from './memo.ts'

/** The languages of the pages, each with a catalogue of texts in src/words. */
export const LANGUAGES = ['en', 'de', 'es', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/** The regions of each language with their own formats of dates and prices. */
const REGIONS: Readonly<Record<Language, readonly string[]>> = {
  en: ['AU', 'CA', 'GB', 'IE', 'NZ'],
  de: ['AT', 'CH'],
  es: ['AR', 'CL', 'CO', 'MX'],
  fr: ['BE', 'CA', 'CH'],
}

/** The languages of the pages, with and without regions. */
export const LOCALES: readonly string[] = LANGUAGES.flatMap(language => [
  language,
  ...REGIONS[language].map(region => `${language}-${region}`),
])

/**
 * The catalogue's language for a tag of BCP 47: `de` for `de-AT`; undefined if there is none or the tag is
 * malformed.
 */
export function languageOf(tag: string): Language | undefined {
  const known = LANGUAGES.find(language => language === tag.toLowerCase().split('-')[0])
  return known && isTag(tag) ? known : undefined
}

/**
 * The language for a requested tag; the calendar's own language if only the region differs, because formats
 * are cached for each tag, and there are thousands of tags.
 */
export function languageFor(askedLanguage: string | undefined, fallback: string): string {
  const language = askedLanguage === undefined ? undefined : languageOf(askedLanguage)
  return language === undefined || language === languageOf(fallback) ? fallback : language
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** The writing direction of a language, for the attribute `dir`. */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  new Intl.Locale(tag).getTextInfo().direction ?? 'ltr'

/**
 * The first day of the week in a locale: Monday is 1, Sunday 7. A tag without a region gets the region of
 * most speakers.
 */
export const firstWeekday = (tag: string): number => new Intl.Locale(tag).getWeekInfo().firstDay

/** The currencies of regions in which people speak the languages of the pages, other than the euro. */
const CURRENCIES_BY_REGION: Readonly<Record<string, string>> = {
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
 * @param givenCode the code of another currency (ISO 4217)
 */
export const currencyOf = memoize((tag: string, givenCode?: string): UsualCurrency => {
  const code = givenCode || (CURRENCIES_BY_REGION[new Intl.Locale(tag).maximize().region ?? ''] ?? 'EUR')
  // The var may have any text; Intl accepts only three letters.
  if (!/^[a-z]{3}$/i.test(code)) return { code, symbol: '$', position: 'prefix' }
  const parts = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(1)
  const indexOfPart = (type: string) => parts.findIndex(part => part.type === type)
  return {
    code,
    symbol: parts[indexOfPart('currency')]?.value ?? code,
    position: indexOfPart('currency') < indexOfPart('integer') ? 'prefix' : 'postfix',
  }
})

/**
 * Makes a function that names codes of languages or currencies. A text that does not even have the form of a
 * code, which forms may send, is its own name.
 *
 * @param language in which they are named, a tag of BCP 47
 */
export function codeNamer(language: string, type: 'language' | 'currency'): (code: string) => string {
  const names = new Intl.DisplayNames(language, { type })
  return code => {
    try {
      return names.of(code) ?? code
    } catch {
      return code
    }
  }
}

/** Codes with their names, as the options of a choice. */
export function namedCodes(
  language: string,
  type: 'language' | 'currency',
  codes: readonly string[],
): (readonly [code: string, name: string])[] {
  const nameOfCode = codeNamer(language, type)
  return codes.map(code => [code, nameOfCode(code)])
}
