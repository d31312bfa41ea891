const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/**
 * JSON that may stand in a script element of a page as it is: no `</script>` or `<!--` in it ends or changes
 * the element, and no line separator ends a line of the script. To a JSON parser it is the same.
 *
 * @throws TypeError for what JSON has no words for
 */
export const toScriptSafeJson = (value: object | string | number | boolean | null): string =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, character => ESCAPES[character] ?? character)
