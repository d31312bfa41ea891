import { currencyOf, LANGUAGES, LOCALES } from '../../kit/lib/languages.ts'
import { fold } from '../../kit/lib/text.ts'
import { citiesOf, zonesFor } from '../../kit/lib/zones.ts'

// Settings are codes, but people also give them by name: “Berlin”, “Deutsch”, “Euro”.

/** The only code that has a name; undefined if none has it, or several do. */
function codeNamed(
  text: string,
  codes: readonly string[],
  namesOf: (code: string) => readonly (string | undefined)[],
): string | undefined {
  const name = fold(text.trim())
  const matchingCodes = codes.filter(code =>
    namesOf(code).some(each => each !== undefined && fold(each) === name),
  )
  return matchingCodes.length === 1 ? matchingCodes[0] : undefined
}

/** The time zone of a city, by its name of today or an older one: `Berlin`, `New York`, `Kiev`. */
export const zoneOfCity = (text: string): string | undefined => codeNamed(text, zonesFor('en'), citiesOf)

/** The language of a name in any language of the pages: `Deutsch`, `German`, `Deutsch (Schweiz)`. */
export function languageNamed(text: string): string | undefined {
  const names = LANGUAGES.flatMap(tag =>
    (['standard', 'dialect'] as const).map(
      languageDisplay => new Intl.DisplayNames(tag, { type: 'language', languageDisplay }),
    ),
  )
  return codeNamed(text, LOCALES, code => names.map(each => each.of(code)))
}

/**
 * The currency of a name in any language of the pages, or of a sign that only one of their regions uses:
 * `Euro`, `£`.
 */
export function currencyNamed(text: string): string | undefined {
  const signs = LOCALES.map(tag => currencyOf(tag)).filter(({ symbol }) => symbol === text.trim())
  const [{ code: ownCode } = { code: undefined }] = signs
  if (ownCode !== undefined && signs.every(({ code }) => code === ownCode)) return ownCode
  const names = LANGUAGES.map(tag => new Intl.DisplayNames(tag, { type: 'currency' }))
  return codeNamed(text, Intl.supportedValuesOf('currency'), code => names.map(each => each.of(code)))
}
