/**
 * Makes a function that names codes of languages or currencies. What has not even the form of a code, as
 * forms may send it, is its own name.
 *
 * @param language in which they are named, a tag of BCP 47
 */
export function codeNames(language: string, type: 'language' | 'currency'): (code: string) => string {
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
  const nameOfCode = codeNames(language, type)
  return codes.map(code => [code, nameOfCode(code)])
}
