import { dropControls } from './text.ts'

// Values as people and programs write them → values as they are stored. What to do about a bad one is up to the
// caller: the API refuses it, an import leaves it out.

/** Limits, in characters or items. */
export const LIMIT = {
  name: 2_000,
  slug: 200,
  excerpt: 20_000,
  description: 500_000,
  url: 2_048,
  text: 1_000,
  links: 200,
  ids: 500,
} as const

/** `www.example.org/x`: what people type for an address, and many calendars hold. */
const BARE_HOST = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}([/?#]\S*)?$/u

/** An http(s) address, whose scheme may be left out; empty stays empty. Undefined if it is none, or too long. */
export function parseHttpUrl(raw: string): string | undefined {
  const given = dropControls(raw).trim()
  if (given === '') return ''
  if (given.length > LIMIT.url) return undefined
  const text = BARE_HOST.test(given) ? `http://${given}` : given
  if (!/^https?:\/\/[^\s/]/i.test(text) || !URL.canParse(text)) return undefined
  return /[\s<>"]/.test(text) ? new URL(text).href : text
}

const EMAIL = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\.]+(\.[^\s@<>"(),:;\\.]+)+$/u

/** An e-mail address; empty stays empty. Undefined if it is none, or too long. */
export function parseEmail(raw: string): string | undefined {
  const text = dropControls(raw).trim()
  return text === '' || (text.length <= LIMIT.text && EMAIL.test(text)) ? text : undefined
}

const TRUE = new Set(['true', '1', 'yes', 'on'])
const FALSE = new Set(['false', '0', 'no', 'off'])

/** A boolean in any of the usual spellings: true, 1, yes, on, and their opposites. Undefined for anything else. */
export function parseBoolean(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw
  const text = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim().toLowerCase() : ''
  if (TRUE.has(text)) return true
  return FALSE.has(text) ? false : undefined
}
