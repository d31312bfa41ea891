import { isObject } from '../../kit/lib/values.ts'
import type { RawValues } from '../fields.ts'
import { isOneSlipAway } from '../ics/slips.ts'

// Keys of events with a slip: another case, or a letter too many, too few, wrong, or in the place of its
// neighbour.

/** Keys without which it would be a different event. */
const KEYS: readonly string[] = [
  ...['name', 'startDate', 'endDate', 'duration', 'eventSchedule', 'eventStatus', 'subEvent'],
  ...['eventAttendanceMode', 'description', 'location', 'organizer', 'offers', 'image'],
  ...['address', 'streetAddress', 'addressLocality', 'addressRegion', 'addressCountry', 'postalCode'],
  ...['geo', 'latitude', 'longitude', 'price', 'lowPrice', 'highPrice', 'priceCurrency', 'availability'],
]
const KNOWN = new Set(KEYS)
/** The parts of an event whose keys are looked at, and how deep. */
const PARTS = ['location', 'address', 'geo', 'organizer', 'offers'] as const
const [MAX_PARTS, MAX_DEPTH, MAX_KEYS, MAX_KEY_LENGTH] = [20, 3, 100, 30]

/** The one key that another is near to. Short ones are near to too much. */
function nearestKey(key: string): string | undefined {
  const low = key.toLowerCase()
  const near = KEYS.filter(one => {
    const known = one.toLowerCase()
    return known === low || (key.length > 2 && isOneSlipAway(low, known))
  })
  return near.length === 1 ? near[0] : undefined
}

/**
 * Gives keys of an event with a slip the name that they are near to.
 * @param say takes the key, and that name
 */
export function mendKeys(node: RawValues, say: (key: string, as: string) => void, depth = 0): void {
  // What the parser has made belongs to nobody else.
  const own = node as Record<string, unknown>
  for (const key of Object.keys(own).slice(0, MAX_KEYS)) {
    if (KNOWN.has(key) || key.startsWith('@') || key.length > MAX_KEY_LENGTH) continue
    const as = nearestKey(key)
    if (as === undefined || Object.hasOwn(own, as)) continue
    say(key, as)
    own[as] = own[key]
    delete own[key]
  }
  if (depth < MAX_DEPTH)
    for (const part of PARTS)
      for (const one of [node[part]].flat().slice(0, MAX_PARTS))
        if (isObject(one)) mendKeys(one, say, depth + 1)
}

// JSON as programs and people write it into pages. What is mended has one reading only; a text that is none
// afterwards is no JSON.

/** Skips a comment. @returns the position after it; the same position if there is none */
function afterComment(text: string, at: number): number {
  if (text[at] !== '/') return at
  const end =
    text[at + 1] === '/' ? text.indexOf('\n', at) : text[at + 1] === '*' ? text.indexOf('*/', at + 2) : -2
  if (end === -2) return at
  return end === -1 ? text.length : end + (text[at + 1] === '*' ? 2 : 0)
}

/**
 * Mends slips: comments, a comma before a closing bracket, `;` or byte order marks around the JSON, line
 * breaks and `\'` in texts, and several values one after the other, which become a list. In one pass,
 * whatever the text.
 */
export function mendedJson(given: string): string {
  const text = given.includes('"') ? given : given.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const out: string[] = []
  let [depth, values, isAfterValue] = [0, 0, false]
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? ''
    const next = afterComment(text, at)
    if (next > at) {
      // The numbers of lines stay the same.
      out.push(text.slice(at, next).replace(/[^\n]/g, ' '))
      at = next
      continue
    }
    if (character === '"') {
      const literal: string[] = []
      const end = literalEnd(text, at, literal)
      out.push(literal.join(''))
      at = end
      continue
    }
    at++
    if (depth === 0 && (character === ';' || character === '\uFEFF')) continue
    if (character === '{' || character === '[') {
      if (depth === 0 && isAfterValue) out.push(',')
      if (depth === 0) values++
      depth++
    } else if (character === '}' || character === ']') {
      depth--
      isAfterValue = depth === 0
      dropComma(out)
    } else if (depth === 0 && character === ',') continue
    out.push(character)
  }
  return values > 1 ? `[${out.join('')}]` : out.join('')
}

/**
 * Copies a string literal: `\'` is an apostrophe, and control characters are blanks.
 * @returns the position after it
 */
function literalEnd(text: string, from: number, parts: string[]): number {
  let at = from + 1
  let piece = from
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\' && text[at + 1] === "'") {
      parts.push(text.slice(piece, at))
      piece = at + 1
      at += 2
    } else if (text[at] === '\\') at += 2
    else if (text.charCodeAt(at) < 0x20) {
      parts.push(text.slice(piece, at), ' ')
      piece = at + 1
      at++
    } else at++
  }
  parts.push(text.slice(piece, at + 1))
  return at + 1
}

/** Drops a comma that is the last character but for blanks. */
function dropComma(out: string[]): void {
  let last = out.length - 1
  while (last >= 0 && (out[last] ?? '').trim() === '') last--
  if (out[last] === ',') out[last] = ''
}
