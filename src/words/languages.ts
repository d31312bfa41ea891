/** The languages of the pages, each with a catalogue of texts beside this file. */
export const LANGUAGES = ['en', 'de', 'es', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

const RIGHT_TO_LEFT: readonly string[] = ['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']

/** The language of the words for a tag of BCP 47: `de` for `de-AT`; undefined if there are none or it is malformed. */
export function languageOf(tag: string): Language | undefined {
  const known = LANGUAGES.find(language => language === tag.toLowerCase().split('-')[0])
  return known && isTag(tag) ? known : undefined
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** The direction in which a language is written, as the attribute `dir` has it. */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(tag.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr'

/** `weekInfo` is a getter in some engines and a method in others, and the types know neither. */
type WithWeek = { getWeekInfo?: () => { firstDay: number }; weekInfo?: { firstDay: number } }

/** Regions whose weeks begin on Sunday, for engines that don't tell. */
const SUNDAY = /-(?:US|CA|MX|BR|JP|KR|IN|ZA|AU|CO|PE|VE|IL|TW|HK|PH)\b/

/** The first day of the week in a locale: Monday is 1, Sunday 7. */
export function firstWeekday(tag: string): number {
  // A tag without a region has the one where most of its speakers are: Sunday for `en`, as in the United States.
  const locale = new Intl.Locale(tag)
  const week = locale as WithWeek
  const known = week.getWeekInfo?.().firstDay ?? week.weekInfo?.firstDay
  return known ?? (SUNDAY.test(locale.maximize().toString()) ? 7 : 1)
}
