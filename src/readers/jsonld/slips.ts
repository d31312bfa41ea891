import { isObject } from '../../kit/lib/values.ts'
import type { RawValues } from '../fields.ts'
import { isOneSlipAway } from '../ics/slips.ts'

// Keys of events with a slip: another case, or a letter too many, too few, wrong, or in the place of its
// neighbour.

/** Keys that a reader of events needs. */
const KEYS: readonly string[] = [
  'name startDate endDate duration eventSchedule eventStatus subEvent',
  'eventAttendanceMode description location organizer offers image',
  'address streetAddress addressLocality addressRegion addressCountry postalCode',
  'geo latitude longitude price lowPrice highPrice priceCurrency availability',
].flatMap(keys => keys.split(' '))
const KNOWN_KEYS = new Set(KEYS)
/** The parts of an event whose keys are looked at. */
const NESTED_KEYS = ['location', 'address', 'geo', 'organizer', 'offers'] as const
const MAX_PARTS = 20
/** The most levels of parts within parts that are looked at. */
const MAX_DEPTH = 3
const MAX_KEYS = 100
const MAX_KEY_LENGTH = 30

/**
 * The only known key that a key is near to; undefined if there are several. Short keys are near to too many.
 */
function nearestKey(key: string): string | undefined {
  const lowerCase = key.toLowerCase()
  const nearKeys = KEYS.filter(candidate => {
    const known = candidate.toLowerCase()
    return known === lowerCase || (key.length > 2 && isOneSlipAway(lowerCase, known))
  })
  return nearKeys.length === 1 ? nearKeys[0] : undefined
}

/**
 * Renames the keys of an event that have a slip to the known keys that they are near to.
 * @param report gets the key and the name that it is given
 */
export function mendKeys(node: RawValues, report: (key: string, as: string) => void, depth = 0): void {
  // The parser has made the object for this reader alone, so it may be changed.
  const properties = node as Record<string, unknown>
  for (const key of Object.keys(properties).slice(0, MAX_KEYS)) {
    if (KNOWN_KEYS.has(key) || key.startsWith('@') || key.length > MAX_KEY_LENGTH) continue
    const correctKey = nearestKey(key)
    if (correctKey === undefined || Object.hasOwn(properties, correctKey)) continue
    report(key, correctKey)
    properties[correctKey] = properties[key]
    delete properties[key]
  }
  if (depth < MAX_DEPTH)
    for (const part of NESTED_KEYS)
      for (const partNode of [node[part]].flat().slice(0, MAX_PARTS))
        if (isObject(partNode)) mendKeys(partNode, report, depth + 1)
}

// JSON as programs and people write it into pages. Only what has a single reading is repaired; a text that is
// still invalid afterwards is not JSON.

/** Skips a comment. @returns the position after it; the same position if there is none */
function afterComment(text: string, position: number): number {
  if (text[position] !== '/') return position
  const end =
    text[position + 1] === '/'
      ? text.indexOf('\n', position)
      : text[position + 1] === '*'
        ? text.indexOf('*/', position + 2)
        : -2
  if (end === -2) return position
  return end === -1 ? text.length : end + (text[position + 1] === '*' ? 2 : 0)
}

/**
 * Repairs slips: comments, a comma before a closing bracket, `;` or byte order marks around the JSON, line
 * breaks and `\'` in texts, and several values one after the other, which become a list. It takes one pass,
 * whatever the text.
 */
export function mendedJson(givenJson: string): string {
  const text = givenJson.includes('"')
    ? givenJson
    : givenJson.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const output: string[] = []
  let depth = 0
  let values = 0
  let isAfterValue = false
  for (let position = 0; position < text.length; ) {
    const character = text[position] ?? ''
    const next = afterComment(text, position)
    if (next > position) {
      // The numbers of lines stay the same.
      output.push(text.slice(position, next).replace(/[^\n]/g, ' '))
      position = next
      continue
    }
    if (character === '"') {
      const literal: string[] = []
      const end = literalEnd(text, position, literal)
      output.push(literal.join(''))
      position = end
      continue
    }
    position++
    if (depth === 0 && (character === ';' || character === '\uFEFF')) continue
    if (character === '{' || character === '[') {
      if (depth === 0 && isAfterValue) output.push(',')
      if (depth === 0) values++
      depth++
    } else if (character === '}' || character === ']') {
      depth--
      isAfterValue = depth === 0
      dropComma(output)
    } else if (depth === 0 && character === ',') continue
    output.push(character)
  }
  return values > 1 ? `[${output.join('')}]` : output.join('')
}

/**
 * Copies a string literal: `\'` is an apostrophe, and control characters become spaces.
 * @returns the position after it
 */
function literalEnd(text: string, from: number, parts: string[]): number {
  let position = from + 1
  let piece = from
  while (position < text.length && text[position] !== '"') {
    if (text[position] === '\\' && text[position + 1] === "'") {
      parts.push(text.slice(piece, position))
      piece = position + 1
      position += 2
    } else if (text[position] === '\\') position += 2
    else if (text.charCodeAt(position) < 0x20) {
      parts.push(text.slice(piece, position), ' ')
      piece = position + 1
      position++
    } else position++
  }
  parts.push(text.slice(piece, position + 1))
  return position + 1
}

/** Drops a comma that is the last character, except for spaces. */
function dropComma(output: string[]): void {
  let last = output.length - 1
  while (last >= 0 && (output[last] ?? '').trim() === '') last--
  if (output[last] === ',') output[last] = ''
}
