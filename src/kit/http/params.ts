import * as z from 'zod/mini'
import type { DocsContext } from '../context.ts'
import { convertErrors } from '../lib/errors.ts'
import { toHtml } from '../lib/html.ts'
import { nonexistentDay, parseDate } from '../lib/parse-date.ts'
import { codedReason, MISSING, NO_ZONE, type Reason } from '../lib/reasons.ts'
import { namedSlug } from '../lib/slug.ts'
import { dropControls, toPlain } from '../lib/text.ts'
import {
  asText,
  FIELD_LIMITS,
  IgnoredValue,
  InvalidValue,
  isEmpty,
  isMailAddress,
  parseBoolean,
  parseEmail,
  refuse,
  requireLength,
  scalarText,
  singleValue,
  toExternalId,
  toHttpUrl,
  toInteger,
  toItems,
  withoutMinusZero,
} from '../lib/values.ts'
import { canonicalZone } from '../lib/zones.ts'

// The types of fields and parameters. Each one parses a raw value from JSON, a form or a query, or gives the
// reason why it cannot, and describes itself in JSON Schema for the index and the documentation.

type PlainDefault = string | number | boolean | readonly string[]

/**
 * A default value, or a function of the context, which documents call because JSON Schema has no functions.
 */
export type Default = PlainDefault | ((context: DocsContext) => PlainDefault)

/** The description of a field: JSON Schema with some keywords of our own. */
type Description = {
  description: string
  example?: unknown
  /** The value if the field is absent. */
  default?: Default
  /** True if the value may be a file of a multipart form. */
  isFile?: boolean
  [keyword: string]: unknown
}

/**
 * Says in documents what a schema is, and returns the schema itself.
 *
 * @param docs its description, or keywords of JSON Schema; `id` is its name in documents
 */
export function documented<S extends z.ZodMiniType>(schema: S, docs: string | z.core.GlobalMeta): S {
  z.globalRegistry.add(schema, typeof docs === 'string' ? { description: docs } : docs)
  return schema
}

/** Makes a type of field from a parser, which throws InvalidValue. */
export function field<T>(parse: (raw: unknown) => T, description: Description): z.ZodMiniType<T> {
  return documented(
    z.transform((raw: unknown, { issues }): T => {
      try {
        return parse(raw)
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error
        const params = { isIgnored: error instanceof IgnoredValue, reason: error.reason }
        issues.push({ code: 'custom', message: error.message, input: raw, params })
        return z.NEVER
      }
    }),
    description,
  )
}

/**
 * An object of fields or properties, which are made at their first use: making those of all routes takes 2 %
 * of a start.
 *
 * @param id its name in documents
 */
export function lazyObject<S extends z.core.$ZodLooseShape>(
  id: string,
  shapeOf: () => S,
): z.ZodMiniObject<S> {
  let lazyShape: S | undefined
  const object = new z.ZodMiniObject({
    type: 'object',
    get shape() {
      lazyShape ??= shapeOf()
      return lazyShape
    },
  })
  // Its type forgets which shape it was made of.
  return documented(object, { id }) as z.ZodMiniObject<S>
}

/**
 * Names a schema in documents, and gives it the type of its output: what the compiler infers from a computed
 * property name is too wide.
 */
export const namedSchema = <T>(id: string, schema: z.ZodMiniType): z.ZodMiniType<T> =>
  documented(schema, { id }) as z.ZodMiniType<T>

export function descriptionOf(declared: unknown): Description {
  const schema = declared instanceof z.ZodMiniOptional ? declared.def.innerType : declared
  // Fields are made by field() above, from a Description.
  return z.globalRegistry.get(schema as z.ZodMiniType) as Description
}

/** The names of the fields that may be files. */
export const filesOf = (schema: z.ZodMiniObject): string[] =>
  Object.entries(schema.shape).flatMap(([name, declared]) => (descriptionOf(declared).isFile ? [name] : []))

type FieldDocs = Description & { limit?: number }

/** A text that is within its limit both before and after it is cleaned. */
const cleanedText = (raw: unknown, cleanText: (text: string) => string, limit: number): string =>
  requireLength(cleanText(requireLength(asText(raw), limit)), limit)

const textField = (
  cleanText: (text: string) => string,
  maxLength: number,
  { limit = maxLength, ...docs }: FieldDocs,
  isRequired = false,
) =>
  field(
    raw => {
      const cleaned = cleanedText(raw, cleanText, limit)
      return isRequired && cleaned === '' ? refuse(MISSING) : cleaned
    },
    { type: 'string', maxLength: limit, ...(isRequired && { minLength: 1 }), ...docs },
  )

/** A line of text without markup. @throws InvalidValue for other values, and for longer ones */
export const lineOf = (raw: unknown, limit: number): string => cleanedText(raw, toPlain, limit)

/** A line of text without markup. */
export const line = (docs: FieldDocs) => textField(toPlain, FIELD_LIMITS.text, docs)

/** An id in another system: unchanged text, except for surrounding spaces and control characters. */
export const externalId = (docs: FieldDocs) => textField(toExternalId, FIELD_LIMITS.externalId, docs)

/** A title or name: text without markup, never empty. */
export const name = (docs: FieldDocs) => textField(toPlain, FIELD_LIMITS.name, docs, true)

/** A title or name in responses. */
export const escapedName = documented(
  z.string(),
  'Escaped for HTML: `<` is `&lt;`, and `&` is `&amp;` before what would be an entity.',
)

const BREAKS = /<\/?p>|<br \/>/g

/** Counts the parts of a text that take long to sanitise. */
const marksIn = (text: string): number => text.match(/[<\n]/g)?.length ?? 0

/**
 * Rich text: sanitised HTML. Tags of paragraphs and line breaks don't count, up to twice the limit, because
 * they are added to plain text, and clients must be able to send a text back that they have read.
 *
 * @param clean makes the HTML that is stored
 * @param marks limit on tags and line breaks, both in the given and in the stored text
 */
export const html = ({
  limit,
  clean = toHtml,
  marks = Infinity,
  ...docs
}: FieldDocs & { limit: number; clean?: (given: string) => string; marks?: number }) =>
  field(
    raw => {
      const sent = asText(raw)
      // Sanitising cannot make a text of this length short enough.
      if (sent.length > 6 * limit) requireLength(sent, limit)
      const assertFewMarks = (markup: string): void => {
        if (marksIn(markup) > marks)
          refuse(
            codedReason('too_many_tags', `must have at most ${marks} tags and line breaks`, { n: marks }),
          )
      }
      assertFewMarks(sent)
      const cleaned = clean(sent)
      assertFewMarks(cleaned)
      const countedText = requireLength(cleaned.replace(BREAKS, ''), limit)
      if (cleaned.length - countedText.length > 2 * limit)
        refuse('must have fewer paragraphs and line breaks')
      return cleaned
    },
    { type: 'string', maxLength: limit, ...docs },
  )

/** A slug, or text to make one from. Empty means none given. */
export const slug = (docs: FieldDocs) => textField(namedSlug, FIELD_LIMITS.slug, docs)

export const search = (docs: FieldDocs) =>
  textField(typed => dropControls(typed).trim(), FIELD_LIMITS.text, docs, true)

/** An http(s) address; empty removes it. */
export const url = (docs: FieldDocs) =>
  field(raw => toHttpUrl(asText(raw)), { type: 'string', maxLength: FIELD_LIMITS.url, ...docs })

/**
 * An address that can get mail, which limits count by its mailbox. It is ASCII, because other spellings of a
 * host are delivered to the same one.
 *
 * @param isRequired false where an empty text is found missing along with what else is wrong
 */
export const mailAddress = (docs: FieldDocs, isRequired = true) =>
  field(
    raw => {
      // Other fields take the last of several values; several addresses are an error.
      const text = typeof raw === 'string' ? raw.trim() : ''
      if (raw === '') return isRequired ? refuse(MISSING) : ''
      return isMailAddress(text)
        ? text
        : refuse(codedReason('no_email', 'must be one e-mail address in ASCII, such as ann@example.org'))
    },
    { type: 'string', format: 'email', maxLength: 254, ...docs },
  )

/** An e-mail address that is only shown, such as an organizer's; empty removes it. */
export const email = (docs: FieldDocs) =>
  field(
    raw =>
      parseEmail(requireLength(asText(raw), FIELD_LIMITS.text)) ??
      refuse(codedReason('no_email', 'must be an e-mail address such as info@example.org')),
    {
      type: 'string',
      format: 'email',
      ...docs,
    },
  )

/** A boolean, in any of the usual spellings: true, 1, yes, on, and their opposites. */
export const flag = (docs: FieldDocs) =>
  field(raw => parseBoolean(scalarText(raw)) ?? refuse('must be true or false'), {
    type: 'boolean',
    ...docs,
  })

/** A whole number of at least `minimum` (1) and at most `maximum`. */
export const integer = ({
  minimum = 1,
  maximum = Number.MAX_SAFE_INTEGER,
  ...docs
}: FieldDocs & { minimum?: number; maximum?: number }) =>
  field(raw => toInteger(raw, minimum, maximum), { type: 'integer', minimum, maximum, ...docs })

/** The id of a parent; 0 for none, which an empty value means as well. */
export const idOrNone = (docs: FieldDocs) =>
  field(raw => (isEmpty(raw) ? 0 : toInteger(raw, 0)), {
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...docs,
  })

/** Decimal notation as people write it: no exponent, no 0x10. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

type Bounds = { minimum: number; maximum: number }

/** @throws InvalidValue */
function toDecimal(raw: unknown, { minimum, maximum }: Bounds): number {
  const value = singleValue(raw)
  const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value
  if (typeof number !== 'number' || !(number >= minimum && number <= maximum))
    return refuse(
      codedReason('no_number', `must be a number from ${minimum} to ${maximum}`, {
        from: minimum,
        to: maximum,
      }),
    )
  return withoutMinusZero(number)
}

/** A decimal number between two bounds, inclusive. */
export const decimal = ({ minimum, maximum, ...docs }: FieldDocs & Bounds) =>
  field(raw => toDecimal(raw, { minimum, maximum }), { type: 'number', minimum, maximum, ...docs })

/** A decimal number between two bounds, or null for an empty value. */
export const decimalOrNone = ({ minimum, maximum, ...docs }: FieldDocs & Bounds) =>
  field(raw => (isEmpty(raw) ? null : toDecimal(raw, { minimum, maximum })), {
    type: ['number', 'string'],
    minimum,
    maximum,
    ...docs,
  })

export const LATITUDE = { minimum: -90, maximum: 90 }
export const LONGITUDE = { minimum: -180, maximum: 180 }
const NO_BOX =
  'must be west,south,east,north in degrees, such as -9.2,53.2,-8.9,53.4: longitudes from -180 to 180, latitudes from -90 to 90, the southern one first'

/** A bounding box (WGS 84, degrees). If `west` is greater than `east`, the box crosses the date line. */
export type Box = { west: number; south: number; east: number; north: number }

/** @throws InvalidValue */
function toBox(raw: unknown): Box {
  const items: unknown[] = Array.isArray(raw) ? raw : asText(raw).split(',')
  const [west, south, east, north, ...surplus] = items.map((item, i) => {
    const bounds = i % 2 === 0 ? LONGITUDE : LATITUDE
    return convertErrors(
      InvalidValue,
      () => new InvalidValue(NO_BOX),
      () => toDecimal(item, bounds),
    )
  })
  if (
    west === undefined ||
    south === undefined ||
    east === undefined ||
    north === undefined ||
    surplus.length > 0
  )
    return refuse(NO_BOX)
  return south > north ? refuse(NO_BOX) : { west, south, east, north }
}

/** A box on the map, as in GeoJSON: `west,south,east,north`. One with west > east crosses the date line. */
export const box = ({ description, ...docs }: FieldDocs) =>
  field(toBox, {
    type: 'array',
    items: { type: 'number' },
    minItems: 4,
    maxItems: 4,
    description: `${description} \`west,south,east,north\` in degrees; with west greater than east it crosses the date line.`,
    example: [-9.2, 53.2, -8.9, 53.4],
    ...docs,
  })

/** A list of items, each once, and at least one. @param whenEmpty the reason why an empty list is refused */
const listOf = <T>(parse: (item: unknown) => T, whenEmpty: string, description: Description) =>
  field(
    raw => {
      const items = [...new Set(toItems(raw, FIELD_LIMITS.ids).map(parse))]
      return items.length > 0 ? items : refuse(whenEmpty)
    },
    { type: 'array', ...description },
  )

/** A list of ids, each once. */
export const ids = (docs: FieldDocs) =>
  listOf(item => toInteger(item, 1), 'must name at least one id', {
    items: { type: 'integer', minimum: 1 },
    maxItems: FIELD_LIMITS.ids,
    ...docs,
  })

/** A list of texts, such as ids and slugs mixed, each once. */
export const texts = (docs: FieldDocs) =>
  listOf(item => requireLength(asText(item), FIELD_LIMITS.name), 'must name at least one', {
    items: { type: 'string' },
    maxItems: FIELD_LIMITS.ids,
    ...docs,
  })

/** One of some words, any case. */
export const oneOf = <const W extends string>(allowed: readonly W[], docs: FieldDocs) =>
  field(raw => toWord(raw, allowed), { type: 'string', enum: allowed, ...docs })

/** Several of some words, each once. */
export const someOf = <const W extends string>(allowed: readonly W[], docs: FieldDocs) =>
  listOf(item => toWord(item, allowed), `must be one or more of ${allowed.join(', ')}`, {
    items: { type: 'string', enum: allowed },
    ...docs,
  })

/** Other words for allowed ones: a spelling, and names in The Events Calendar. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['cancelled', 'canceled'],
  ['event_date', 'start_date'],
  ['event_date_utc', 'start_date'],
])

function toWord<W extends string>(raw: unknown, allowed: readonly W[]): W {
  const given = (isEmpty(raw) ? '' : scalarText(raw))?.trim().toLowerCase()
  const meant = given === undefined ? undefined : (OTHER_WORDS.get(given) ?? given)
  return allowed.find(word => word === meant) ?? refuse(`must be ${choiceOf(allowed)}`)
}

function choiceOf(allowed: readonly string[]): string {
  const words = allowed.filter(word => word !== '')
  return `${words.length < allowed.length ? 'empty or ' : ''}one of ${words.join(', ')}`
}

/** The reason why a text is refused as a date. */
function noDate(dateText: string): string {
  const nonexistent = nonexistentDay(dateText)
  const reason = 'must be a date such as 2027-06-10 or 2027-06-10 15:00:00'
  const [, day, month, year] = /^\s*(1[3-9]|[23]\d)\/(\d{1,2})\/(\d{4})(?!\d)/.exec(dateText) ?? []
  if (day !== undefined) return `${reason}: with slashes the month comes first, as in ${month}/${day}/${year}`
  return nonexistent ? `${reason}: there is no ${nonexistent}` : reason
}

/**
 * A date in any form that kit/lib/parse-date.ts reads. It stays text, because its zone is only known later. A
 * date in UTC is a date in every zone.
 */
export const date = (docs: FieldDocs) =>
  field(
    raw => {
      const sent = asText(raw).trim()
      if (!parseDate(sent, 'UTC', Date.now())) refuse(codedReason('no_date', noDate(sent)))
      return sent
    },
    { type: 'string', ...docs },
  )

type TextForm = { isValid: (text: string) => boolean; reason: Reason }

/** Text, in a certain form or in any. @param isValid true for a text in that form */
export const text = (docs: FieldDocs & (TextForm | { isValid?: never; reason?: never })) => {
  const { isValid = () => true, reason = '', ...otherDocs } = docs
  return field(
    raw => {
      const value = requireLength(asText(raw), FIELD_LIMITS.text).trim()
      return isValid(value) ? value : refuse(reason)
    },
    { type: 'string', ...otherDocs },
  )
}

/**
 * A time zone, in its usual spelling. An empty one, which forms and the plugin's clients send, names none.
 */
export const zone = (docs: FieldDocs) =>
  field(
    raw => {
      const sent = asText(raw).trim()
      if (sent === '') throw new IgnoredValue('must name a time zone')
      return canonicalZone(sent) ?? refuse(NO_ZONE)
    },
    { type: 'string', ...docs },
  )

/** Search words of an interface of WordPress, which treats an empty text as absent. */
export const searchParam = z.optional(
  field(raw => requireLength(asText(raw), FIELD_LIMITS.text).trim() || undefined, {
    type: 'string',
    description: 'Words that must occur; empty for any.',
    example: 'jazz',
  }),
)
