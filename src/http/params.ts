import * as z from 'zod'
import { toHtml } from '../lib/html.ts'
import { parseDate } from '../lib/parse-date.ts'
import { slugify } from '../lib/slug.ts'
import { dropControls, toPlain } from '../lib/text.ts'
import { canonicalZone } from '../lib/zones.ts'
import type { Standpoint } from '../view.ts'

// Every field and parameter of the API is one of these kinds. Each turns what a client sent, be it JSON,
// a form or a query, into a value, or gives the reason why it can't; and each describes itself in JSON
// Schema, from which the index and the documentation are made.

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

/** JSON Schema knows no function, so whoever describes a field to someone calls it first. */
export type Default = string | number | boolean | ((view: Standpoint) => string | number | boolean)

/** JSON Schema beside the words for people. */
export type Description = {
  description: string
  example?: unknown
  /** The value when absent, or how it follows from the settings and the time. */
  default?: Default
  [keyword: string]: unknown
}

/** Thrown by a kind's parser: the reason why a value is bad. */
export class Refusal extends Error {}

const refuse = (reason: string): never => {
  throw new Refusal(reason)
}

/** A kind of field from its parser. */
export function field<T>(parse: (raw: unknown) => T, description: Description): z.ZodType<T> {
  return z
    .unknown()
    .transform((raw, context): T => {
      try {
        return parse(raw)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        context.addIssue({ code: 'custom', message: error.message })
        return z.NEVER
      }
    })
    .meta(description)
}

/** A repeated parameter that takes one value counts by its last, as servers of this interface do. */
const single = (raw: unknown): unknown => (Array.isArray(raw) && raw.length > 0 ? raw.at(-1) : raw)

const isEmpty = (raw: unknown): boolean => raw === '' || (Array.isArray(raw) && raw.length === 0)

/** The text of a scalar; emptied fields are the empty text. */
function asText(raw: unknown): string {
  if (isEmpty(raw)) return ''
  const value = single(raw)
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return refuse('must be text')
}

function limited(text: string, limit: number): string {
  // Two UTF-16 units make at most one character, so most texts need no counting.
  if (text.length > limit && [...text].length > limit) refuse(`must be at most ${limit} characters long`)
  return text
}

type Words = Description & { limit?: number }

const textField = (clean: (text: string) => string, limit: number, words: Words, required = false) =>
  field(
    raw => {
      const text = limited(clean(limited(asText(raw), words.limit ?? limit)), words.limit ?? limit)
      return required && text === '' ? refuse('must not be empty') : text
    },
    { type: 'string', maxLength: words.limit ?? limit, ...(required && { minLength: 1 }), ...omit(words) },
  )

const omit = ({ limit: _, ...rest }: Words): Description => rest

/** A line of text without markup. */
export const line = (words: Words) => textField(toPlain, LIMIT.text, words)

/** A title or name: text without markup, never empty. */
export const name = (words: Words) => textField(toPlain, LIMIT.name, words, true)

/** Rich text: sanitised HTML. */
export const html = (words: Words) => textField(toHtml, LIMIT.description, words)

/** A slug, or text to make one from. Empty means none given. */
export const slug = (words: Words) => textField(slugify, LIMIT.slug, words)

/** Words to look for. */
export const search = (words: Words) => textField(text => dropControls(text).trim(), LIMIT.text, words, true)

/** An http(s) address; empty removes it. */
export const url = (words: Words) =>
  field(raw => httpUrl(asText(raw)), { type: 'string', maxLength: LIMIT.url, ...words })

/** `www.example.org/x`: what people type for an address, and many calendars hold. */
const BARE_HOST = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}([/?#]\S*)?$/u

/** @throws Refusal unless the text is empty or an http(s) address, whose scheme may be left out */
export function httpUrl(raw: string): string {
  const given = limited(dropControls(raw).trim(), LIMIT.url)
  if (given === '') return ''
  const text = BARE_HOST.test(given) ? `http://${given}` : given
  if (!/^https?:\/\/[^\s/]/i.test(text) || !URL.canParse(text)) refuse('must be an http or https address')
  return /[\s<>"]/.test(text) ? new URL(text).href : text
}

const EMAIL = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\.]+(\.[^\s@<>"(),:;\\.]+)+$/u

/** An e-mail address; empty removes it. */
export const email = (words: Words) =>
  field(
    raw => {
      const text = limited(dropControls(asText(raw)).trim(), LIMIT.text)
      return text === '' || EMAIL.test(text) ? text : refuse('must be an e-mail address')
    },
    { type: 'string', format: 'email', ...words },
  )

const TRUE = new Set(['true', '1', 'yes', 'on'])
const FALSE = new Set(['false', '0', 'no', 'off'])

/** A boolean, in any of the usual spellings: true, 1, yes, on, and their opposites. */
export const flag = (words: Words) =>
  field(
    raw => {
      const text = String(single(raw)).trim().toLowerCase()
      if (TRUE.has(text)) return true
      return FALSE.has(text) ? false : refuse('must be true or false')
    },
    { type: 'boolean', ...words },
  )

/** A whole number of at least `minimum`, as a number or digits. */
export function toInteger(raw: unknown, minimum: number): number {
  const value = single(raw)
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < minimum)
    return refuse(
      minimum > 0 ? 'must be a positive whole number' : `must be a whole number of at least ${minimum}`,
    )
  return number
}

/** A whole number of at least `minimum` (1). */
export const integer = ({ minimum = 1, ...words }: Words & { minimum?: number }) =>
  field(raw => toInteger(raw, minimum), {
    type: 'integer',
    minimum,
    maximum: Number.MAX_SAFE_INTEGER,
    ...words,
  })

/** A decimal number between two bounds, both allowed. */
export const decimal = ({ minimum, maximum, ...words }: Words & { minimum: number; maximum: number }) =>
  field(
    raw => {
      const value = single(raw)
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      if (typeof number !== 'number' || !(number >= minimum && number <= maximum))
        return refuse(`must be a number from ${minimum} to ${maximum}`)
      return number
    },
    { type: 'number', minimum, maximum, ...words },
  )

/** The items of a list that came as an array, as comma-separated text, or as one value; never empty ones. */
export function toItems(raw: unknown, limit: number): unknown[] {
  const list = Array.isArray(raw) ? raw : [raw]
  const items = list
    .flatMap(item => (typeof item === 'string' ? item.split(',').map(part => part.trim()) : [item]))
    .filter(item => item !== '' && item !== null && item !== undefined)
  if (items.length > limit) refuse(`must have at most ${limit} items`)
  return items
}

/** A list of ids. */
export const ids = (words: Words) =>
  field(
    raw => {
      const items = toItems(raw, LIMIT.ids).map(item => toInteger(item, 1))
      return items.length > 0 ? items : refuse('must name at least one id')
    },
    { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: LIMIT.ids, ...words },
  )

/** A list of texts, such as ids and slugs mixed. */
export const texts = (words: Words) =>
  field(
    raw => {
      const items = toItems(raw, LIMIT.ids).map(item => limited(asText(item), LIMIT.name))
      return items.length > 0 ? items : refuse('must name at least one')
    },
    { type: 'array', items: { type: 'string' }, maxItems: LIMIT.ids, ...words },
  )

/** One of some words, any case. */
export const oneOf = <const W extends string>(allowed: readonly W[], words: Words) =>
  field(raw => toWord(single(raw), allowed), { type: 'string', enum: allowed, ...words })

/** Several of some words. */
export const someOf = <const W extends string>(allowed: readonly W[], words: Words) =>
  field(
    raw => {
      const items = toItems(raw, LIMIT.ids).map(item => toWord(item, allowed))
      return items.length > 0 ? items : refuse(`must be one or several of ${allowed.join(', ')}`)
    },
    { type: 'array', items: { type: 'string', enum: allowed }, ...words },
  )

function toWord<W extends string>(raw: unknown, allowed: readonly W[]): W {
  const text = String(raw).trim().toLowerCase()
  return allowed.find(word => word === text) ?? refuse(`must be one of ${allowed.join(', ')}`)
}

/** A date in any form that lib/parse-date.ts reads. The zone it is meant in is only known later, so it stays text. */
export const date = (words: Words) =>
  field(
    raw => {
      const text = asText(raw).trim()
      if (!parseDate(text, 'UTC', Date.now()))
        refuse('must be a date such as 2027-06-10 or 2027-06-10 15:00:00')
      return text
    },
    { type: 'string', ...words },
  )

/** A time zone, in its usual spelling. */
export const zone = (words: Words) =>
  field(
    raw => canonicalZone(asText(raw).trim()) ?? refuse('must be a time zone such as Europe/Rome or UTC+2'),
    { type: 'string', ...words },
  )
