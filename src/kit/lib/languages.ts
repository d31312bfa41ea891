/** The languages of the pages, each with a catalogue of texts next to this file. */
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
export function languageFor(asked: string | undefined, own: string): string {
  const language = asked === undefined ? undefined : languageOf(asked)
  return language === undefined || language === languageOf(own) ? own : language
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
