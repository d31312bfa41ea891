import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { UploadedFile } from '../../kit/http/form-data.ts'
import { date, externalId, field, html, integer, line, oneOf, slug, someOf } from '../../kit/http/params.ts'
import { type ImageFile, imageFileOf } from '../../kit/lib/images/formats.ts'
import { STATUSES, WHEELCHAIR_ACCESS } from '../../kit/lib/statuses.ts'
import {
  FIELD_LIMITS,
  InvalidValue,
  isEmpty,
  isFilledList,
  isObject,
  parseHttpUrl,
  scalarText,
  toHttpUrl,
  toInteger,
} from '../../kit/lib/values.ts'
import type { ImageChoice } from './uploads.ts'

type Schema = z.core.$ZodType

/**
 * A field of a resource, by the name that it has in requests and responses. Schemas, types, columns, plain
 * parts of responses and the copies of series are derived from its row.
 */
type FieldRow = {
  /** The parameter of requests: its check, its description and an example. */
  param: Schema
  /**
   * The schema of the field in responses, which leave out an empty value if the schema is optional, and the
   * whole field if there is no schema.
   */
  response?: Schema
  /**
   * True if the column of the same name stores the checked value. Otherwise the resource works out the
   * columns.
   */
  isStored: boolean
  /** True if responses show the column of the same name without changes. */
  isShown: boolean
  /** The columns that the field sets; by default the column of the same name. */
  columns?: readonly string[]
}

export type FieldTable = Readonly<Record<string, FieldRow>>

/** A field whose column has the checked value, which responses show. */
export const plainField = <P extends Schema, R extends Schema>(param: P, response: R) =>
  ({ param, response, isStored: true, isShown: true }) as const

/** A field whose columns the resource works out. Responses show the column of the same name. */
export const shownField = <P extends Schema, R extends Schema, const C extends readonly string[]>(
  param: P,
  response: R,
  columns: C,
) => ({ param, response, isStored: false, isShown: true, columns }) as const

/** A field whose columns and response the resource works out. */
export const computedField = <P extends Schema, const C extends readonly string[]>(param: P, columns: C) =>
  ({ param, isStored: false, isShown: false, columns }) as const

/** A table whose rows all name their columns, including rows that left them to the default. */
export type CompleteTable = Readonly<Record<string, FieldRow & { columns: readonly string[] }>>

export const fieldTable = <const T extends FieldTable>(rows: T) =>
  // Object.fromEntries forgets the types of the rows, to which only the columns are added.
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, { ...row, columns: row.columns ?? [name] }]),
  ) as { [K in keyof T]: T[K] & { columns: readonly string[] } }

// `schemasOf` forgets which row has which schema.
export const paramsOf = <const T extends FieldTable>(table: T) =>
  schemasOf(table, row => row.param) as { [K in keyof T]: T[K]['param'] }

type ResponseSchemas<T extends FieldTable> = {
  [K in keyof T as T[K] extends { response: Schema } ? K : never]: T[K] extends { response: infer R }
    ? R
    : never
}

/** The schemas that a table's fields have in responses, for a schema of responses. */
export const responsesOf = <const T extends FieldTable>(table: T) =>
  schemasOf(table, row => row.response) as ResponseSchemas<T>

function schemasOf(table: FieldTable, part: (row: FieldRow) => Schema | undefined): Record<string, Schema> {
  const entries = Object.entries(table).flatMap(([name, row]): [string, Schema][] => {
    const schema = part(row)
    return schema ? [[name, schema]] : []
  })
  return Object.fromEntries(entries)
}

type NamesOf<T extends FieldTable, M> = { [K in keyof T]: T[K] extends M ? K : never }[keyof T] & string

/** The names of the fields whose values are stored as they are sent. */
export type StoredNames<T extends FieldTable> = NamesOf<T, { isStored: true }>

export const storedNames = <const T extends FieldTable>(table: T) =>
  // Object.keys loses the type of the keys.
  Object.keys(table).filter(name => table[name]?.isStored) as StoredNames<T>[]

type ShownNames<T extends FieldTable> = NamesOf<T, { isShown: true }>

/**
 * Makes a function that picks the columns of the fields that are stored as sent, without absent columns. A
 * field that has no column of its name doesn't compile.
 */
export function storedColumns<const T extends FieldTable, D extends SQLiteTable>(
  table: T & (StoredNames<T> extends keyof D['_']['columns'] ? unknown : never),
  _stored: D,
) {
  const names = storedNames<FieldTable>(table)
  return <V extends { readonly [K in StoredNames<T>]?: unknown }>(
    values: V,
  ): Pick<V, StoredNames<T> & keyof V> => {
    const sentValues: Readonly<Record<string, unknown>> = values
    const columns: Record<string, unknown> = {}
    for (const name of names) if (sentValues[name] !== undefined) columns[name] = sentValues[name]
    // The columns are a selection of the values.
    return columns as Pick<V, StoredNames<T> & keyof V>
  }
}

/** The names of the columns that searches of venues or organizers read besides name and description. */
export const searchedNames = (table: FieldTable): string[] =>
  Object.entries(table).flatMap(([name, { isStored, response }]) => {
    const isText = response instanceof z.ZodMiniOptional && response.def.innerType instanceof z.ZodMiniString
    return isStored && isText && name !== 'description' && name !== 'external_id' ? [name] : []
  })

const isAbsent = (value: unknown): boolean => value === '' || value === null

/**
 * Makes a function that serializes the fields that responses show as stored, without optional fields that are
 * empty.
 */
export function shownFields<const T extends FieldTable>(table: T) {
  type Body = {
    [K in keyof ResponseSchemas<T> & ShownNames<T>]: z.core.output<Extract<ResponseSchemas<T>[K], Schema>>
  }
  const shownRows = Object.entries(table).flatMap(([name, { isShown, response }]) =>
    isShown ? [{ name, isOptional: response instanceof z.ZodMiniOptional }] : [],
  )
  return (row: { readonly [K in ShownNames<T>]: unknown }): Body => {
    const values: Readonly<Record<string, unknown>> = row
    const body: Record<string, unknown> = {}
    for (const { name, isOptional } of shownRows)
      if (!(isOptional && isAbsent(values[name]))) body[name] = values[name]
    // The columns have the types of the table's schemas: test/calendar/content/fields.test.ts reads each
    // column.
    return body as Body
  }
}

/** True if a value means no image: responses have `false`, which a form sends back as text. */
const isNone = (raw: unknown): boolean =>
  isEmpty(raw) || /^(?:0|false)?$/i.test(scalarText(raw)?.trim() ?? 'an object')

/** @throws InvalidValue */
function imageOf(raw: unknown): ImageChoice {
  if (isNone(raw)) return null
  if (raw instanceof UploadedFile) return uploadOf(raw)
  if (isObject(raw)) return imageInResponseForm({ ...raw })
  if (typeof raw === 'number' || (typeof raw === 'string' && /^\d+$/.test(raw.trim())))
    return { id: toInteger(raw, 1) }
  const url =
    typeof raw === 'string'
      ? parseHttpUrl(raw) || (raw.length > FIELD_LIMITS.url && toHttpUrl(raw))
      : undefined
  if (url) return { url }
  throw new InvalidValue(
    'must be the id of an image, an address such as https://example.org/poster.jpg, or a file, as curl sends it with -F image=@poster.jpg',
  )
}

/**
 * An image in the form of responses. The address has precedence over the id, which may be another server's.
 */
function imageInResponseForm({ url, id, width, height }: Record<string, unknown>): ImageChoice {
  if (isFilledList(url)) throw new InvalidValue('must have one address')
  const choice = typeof url === 'object' ? null : imageOf(url ?? id)
  if (choice === null || !('url' in choice)) return choice
  return { ...choice, ...pixels('width', width), ...pixels('height', height) }
}

/** Just above the longest side of a JPEG, which counts its pixels in 16 bits. */
const MAX_PIXELS = 65_536

/** @throws InvalidValue */
function pixels(side: 'width' | 'height', raw: unknown): { width?: number; height?: number } {
  if (raw === undefined || raw === null || raw === '') return {}
  const length = toInteger(raw, 1)
  if (length > MAX_PIXELS) throw new InvalidValue(`must have a ${side} of at most ${MAX_PIXELS} pixels`)
  return { [side]: length }
}

/** A file as an image, which is decoded when it is stored. @throws InvalidValue */
export const uploadOf = ({ bytes, name }: UploadedFile): { file: ImageFile; name: string } => ({
  file: imageFileOf(bytes),
  name,
})

const image = field(imageOf, {
  description:
    'Image, by id, by its http or https address, as `{id}` or `{url, width, height}`, or as a file of a multipart form; empty for none.',
  isFile: true,
  type: ['string', 'integer', 'boolean', 'object'],
  properties: {
    id: { type: 'integer' },
    url: { type: 'string' },
    width: { type: 'integer' },
    height: { type: 'integer' },
  },
  example: 'https://example.org/poster.jpg',
})

/**
 * The rows of the fields that events, venues and organizers share.
 *
 * @param descriptionLimit in characters
 * @param text the form of texts in responses, which may leave out empty ones
 */
export const contentRows = <T extends z.core.$ZodType>(descriptionLimit: number, text: T) => ({
  author: computedField(
    z.optional(
      integer({
        // Responses have the id as text, and clients may send a response back.
        type: ['integer', 'string'],
        description: 'Id of the author. Only editors may name somebody else.',
        example: 1,
      }),
    ),
    ['author_id'],
  ),
  date: computedField(
    z.optional(
      date({
        description: "Publication date, in the site's time zone. A future date schedules it.",
        example: '2026-01-02 09:00:00',
      }),
    ),
    ['date', 'date_utc'],
  ),
  date_utc: computedField(
    z.optional(
      date({
        description: 'Publication date in UTC; `date` takes precedence.',
        example: '2026-01-02 08:00:00',
      }),
    ),
    ['date', 'date_utc'],
  ),
  status: computedField(
    z.optional(
      oneOf(STATUSES, {
        description:
          'Status. By default, new content is published, or a draft if the caller may not publish.',
        example: 'publish',
      }),
    ),
    ['status'],
  ),
  slug: computedField(
    z.optional(
      slug({
        description: 'Slug; made from the name when absent, numbered when taken.',
        example: 'jazz-night',
      }),
    ),
    ['slug'],
  ),
  description: plainField(
    z.optional(
      html({
        description: 'Description, HTML or plain text.',
        limit: descriptionLimit,
        example: '<p>Doors open at eight.</p>',
      }),
    ),
    text,
  ),
  image: computedField(z.optional(image), ['image_id']),
  external_id: plainField(
    z.optional(
      externalId({
        description:
          'Its id in another system, such as `crm/4711@example.org`: unique within its kind and case-sensitive; empty for none.',
        // Two rows can't have the same id, and people send the examples of all fields unchanged.
        example: '',
      }),
    ),
    text,
  ),
})

/**
 * The rows of the fields about access that events and venues have.
 *
 * @param wheelchair the schema of the choice in responses
 * @param text the schema of the text
 */
export const accessRows = <W extends Schema, T extends Schema>(wheelchair: W, text: T) => ({
  wheelchair: plainField(
    z.optional(
      oneOf(WHEELCHAIR_ACCESS, {
        description:
          "Wheelchair access; empty if unknown. An event's own takes precedence over that of its venue.",
        default: '',
        example: 'limited',
      }),
    ),
    wheelchair,
  ),
  accessibility: plainField(
    z.optional(
      line({
        description: 'What people with disabilities should know.',
        example: 'Ramp at the back door, induction loop in the hall.',
      }),
    ),
    text,
  ),
})

export const statusFilter = z.optional(
  someOf(STATUSES, {
    description: 'Only these statuses. All except `publish` require permission to edit.',
    example: ['publish'],
  }),
)
