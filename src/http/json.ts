import { ApiError } from '../lib/errors.ts'

/** Limit on levels of lists and objects in JSON; a complete event has five. */
export const MAX_JSON_DEPTH = 20

/** The number that PHP and WordPress have for a syntax error in JSON. */
const JSON_ERROR_SYNTAX = 4

/** The error for a body that is not JSON. */
export const invalidJson = (message: string): ApiError =>
  new ApiError('rest_invalid_json', message, { json_error_code: JSON_ERROR_SYNTAX })

/**
 * Parses JSON that is cheap to work with.
 *
 * @param values limit on its values
 * @param otherwise makes the error for text that is not JSON; by default the error names the position at which it
 *   becomes invalid
 * @throws ApiError `rest_invalid_json`, `rest_payload_too_large`
 */
export function parseJson(
  text: string,
  values: number,
  otherwise = () => invalidJson(`The body is not valid JSON: ${syntaxError(text)}.`),
): unknown {
  assertSimple(text, values)
  try {
    return JSON.parse(text)
  } catch {
    throw otherwise()
  }
}

/** Makes sure that JSON is cheap to work with, before parsing it, because recursive code fails at great depths. */
function assertSimple(json: string, values: number): void {
  let [depth, count] = [0, 1]
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') {
      at = stringEnd(json, at)
      if (at === -1) return
    } else if (character === '{' || character === '[') {
      depth += 1
      if (depth > MAX_JSON_DEPTH) throw invalidJson(`The body nests deeper than ${MAX_JSON_DEPTH} levels.`)
    } else if (character === '}' || character === ']') depth -= 1
    else if (character === ',' && ++count > values)
      throw new ApiError('rest_payload_too_large', `The body must have at most ${values} values.`)
  }
}

/** The position of the quote that closes a string, or -1. */
function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at
  }
  return -1
}

/**
 * A description of the syntax error in a text that is not JSON, with its position. Engines describe it differently, or
 * not at all.
 */
function syntaxError(json: string): string {
  const at = errorPosition(json)
  let [line, start] = [1, 0]
  for (let next = json.indexOf('\n'); next !== -1 && next < at; next = json.indexOf('\n', start)) {
    line += 1
    start = next + 1
  }
  // In the units of JavaScript and most editors, of which emoji are two.
  const place = `line ${line}, column ${at - start + 1}`
  const character = json.codePointAt(at)
  if (character === undefined) return `it ends too early, at ${place}`
  const shown = character < 32 ? 'line break or control character' : String.fromCodePoint(character)
  return `unexpected ${shown.toWellFormed()} at ${place}`
}

const SPACE = /[ \t\n\r]*/y
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const BAD_IN_STRING = /[^ -\u{10ffff}]|\\(?!["\\/bfnrt]|u[\da-fA-F]{4})/u

/**
 * The position of the first character at which a text stops being JSON; its length if the text is incomplete.
 *
 * @param json a text that {@link assertSimple} has accepted
 */
function errorPosition(json: string): number {
  let at = 0
  /** Moves past the match of a pattern at this position. */
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const [found = ''] = pattern.exec(json) ?? []
    at += found.length
    return found !== ''
  }
  const next = (character: string): boolean => {
    skip(SPACE)
    if (json[at] !== character) return false
    at += 1
    return true
  }
  const string = (): boolean => {
    skip(SPACE)
    if (json[at] !== '"') return false
    const end = stringEnd(json, at)
    const inside = json.slice(at + 1, end === -1 ? undefined : end)
    // Escaped backslashes escape nothing.
    const bad = inside.replaceAll('\\\\', '__').search(BAD_IN_STRING)
    const isGood = bad === -1 && end !== -1
    at = isGood ? end + 1 : bad === -1 ? json.length : at + 1 + bad
    return isGood
  }
  const list = (close: string, item: () => boolean): boolean => {
    if (next(close)) return true
    do if (!item()) return false
    while (next(','))
    return next(close)
  }
  const value = (): boolean => {
    if (next('{')) return list('}', () => string() && next(':') && value())
    if (next('[')) return list(']', value)
    return json[at] === '"' ? string() : skip(WORD)
  }
  if (value()) skip(SPACE)
  return at
}
