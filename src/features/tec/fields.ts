import * as z from 'zod/mini'
import type { FieldTable } from '../../calendar/content/fields.ts'
import type { contentResponse, ImageResponse } from '../../calendar/content/resource.ts'
import type { SerializeContext } from '../../kit/context.ts'
import { pageParams } from '../../kit/http/lists.ts'
import * as p from '../../kit/http/params.ts'
import { summary } from '../../kit/lib/text.ts'
import { isDateTime, isoDate } from '../../kit/lib/time.ts'
import { asText, FIELD_LIMITS, refuse, toInteger, toItems } from '../../kit/lib/values.ts'
import { escapeXml } from '../../kit/lib/xml.ts'

// The tables of fields of `tec/v1`, and the common fields of all entities: texts as HTML in `rendered`, dates
// in the format of WordPress.

/** The data for an entity: a stored row, and its response in the calendar's own API. */
export type EntitySource<R, Own> = { row: R; serialized: Own }

/**
 * A field of an entity: its value in responses and, if requests may set it, the field of the calendar's own
 * API that it sets.
 */
type Field<S> = {
  response: z.ZodMiniType
  value: (source: S, context: SerializeContext) => unknown
  /** The check of values in requests. */
  param?: z.core.$ZodType | undefined
  /** The field that it sets, if the name differs. */
  sets?: string
}

export type EntityFields<S> = Readonly<Record<string, Field<S>>>

/** A field that shows a value with a schema. */
export const tecField = <S, T>(
  response: z.ZodMiniType<T>,
  value: (source: S, context: SerializeContext) => T,
  request: Pick<Field<S>, 'param' | 'sets'> = {},
): Field<S> => ({ response, value, ...request })

/** Fields with the same name in both APIs. Texts without a value are empty here. */
export const sameFields = <N extends string>(
  fields: FieldTable,
  names: readonly N[],
): EntityFields<EntitySource<unknown, { readonly [K in N]?: unknown }>> =>
  Object.fromEntries(
    names.map(name => {
      const { response, param } = fields[name] ?? {}
      const responseSchema: z.ZodMiniType<unknown> =
        response instanceof z.ZodMiniBoolean ? response : stringSchema
      return [name, tecField(responseSchema, ({ serialized }) => serialized[name] ?? '', { param })]
    }),
  )

export const stringSchema = z.string()
const rendered = z.object({ rendered: stringSchema })
const content = z.object({ rendered: stringSchema, protected: z.boolean() })
const unprotectedHtml = (html = '') => ({ rendered: html, protected: false })

/** Plain text as HTML. Titles already have entities, except for `&`. */
export const asHtml = (title: string): string => title.replace(/&(?!#?\w+;)/g, '&#038;')

/** The most characters of an excerpt that is made from the content. */
const MAX_EXCERPT_LENGTH = 300

function excerptOf({ excerpt, description = '' }: CommonResponse): string {
  const summaryText = excerpt ? '' : summary(description, MAX_EXCERPT_LENGTH)
  return excerpt || (summaryText && `<p>${escapeXml(summaryText)}</p>`)
}

/** The statuses of content whose slug may still change, so that no slug is shown. */
const STATUSES_WITHOUT_SLUG = ['draft', 'pending']

/** Statuses that a request may name. A status cannot move content to the trash. */
const STATUSES = ['publish', 'pending', 'draft', 'future', 'private'] as const

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/

/** A date of publication. Its offset doesn't count: the name of the field tells the zone. */
const publicationDate = (description: string) =>
  z.optional(
    p.field(
      raw => {
        const date = asText(raw).replace(RFC_3339, '$1 $2')
        return isDateTime(date) ? date : refuse('must be a date such as 2027-06-10T20:00:00')
      },
      { type: 'string', description, example: '2026-06-10T20:00:00' },
    ),
  )

const status = p.oneOf(STATUSES, {
  description: 'Status; without one, an update leaves it as it is.',
  example: 'publish',
})

const imageId = p.field(raw => (toInteger(raw, 0) === 0 ? null : { id: toInteger(raw, 0) }), {
  type: 'integer',
  minimum: 0,
  description: 'Id of the image; 0 for none.',
  example: 0,
})

/** The part of responses of the calendar's own API that all entities show. */
type CommonResponse = { [K in keyof typeof contentResponse]: z.output<(typeof contentResponse)[K]> } & {
  description?: string | undefined
  excerpt?: string
  image?: ImageResponse | false | undefined
}

/** The request part of a field, with the check of a field in the calendar's own API. */
export const settableAs = (fields: FieldTable, sets: string) => ({ param: fields[sets]?.param, sets })

/**
 * The fields that all entities have.
 * @param title the name of the title in the calendar's own API
 * @param fields the resource's fields in that API
 */
export const commonFields = <N extends string>(
  type: string,
  title: N,
  fields: FieldTable,
): EntityFields<EntitySource<unknown, CommonResponse & Record<N, string>>> => ({
  id: tecField(z.int(), ({ serialized }) => serialized.id),
  date: tecField(stringSchema, ({ serialized }) => isoDate(serialized.date), {
    param: publicationDate("Publication date, in the site's time zone. A future date schedules it."),
  }),
  date_gmt: tecField(stringSchema, ({ serialized }) => isoDate(serialized.date_utc), {
    param: publicationDate('Publication date in UTC; `date` takes precedence.'),
    sets: 'date_utc',
  }),
  guid: tecField(rendered, ({ serialized }, { site }) => ({
    rendered: `${site}/?post_type=${type}&p=${serialized.id}`,
  })),
  modified: tecField(stringSchema, ({ serialized }) => isoDate(serialized.modified)),
  modified_gmt: tecField(stringSchema, ({ serialized }) => isoDate(serialized.modified_utc)),
  slug: tecField(
    stringSchema,
    ({ serialized }) => (STATUSES_WITHOUT_SLUG.includes(serialized.status) ? '' : serialized.slug),
    settableAs(fields, 'slug'),
  ),
  status: tecField(stringSchema, ({ serialized }) => serialized.status, { param: z.optional(status) }),
  type: tecField(z.literal(type), () => type),
  link: tecField(stringSchema, ({ serialized }) => serialized.url),
  title: tecField(
    rendered,
    ({ serialized }) => ({ rendered: asHtml(serialized[title]) }),
    settableAs(fields, title),
  ),
  content: tecField(
    content,
    ({ serialized }) => unprotectedHtml(serialized.description),
    settableAs(fields, 'description'),
  ),
  excerpt: tecField(
    content,
    ({ serialized }) => unprotectedHtml(excerptOf(serialized)),
    settableAs(fields, 'excerpt'),
  ),
  author: tecField(z.int(), ({ serialized }) => Number(serialized.author), settableAs(fields, 'author')),
  featured_media: tecField(z.int(), ({ serialized }) => (serialized.image ? serialized.image.id : 0), {
    param: z.optional(imageId),
    sets: 'image',
  }),
  template: tecField(stringSchema, () => ''),
})

/** A list of ids, which may be empty. @param choice converts an id to a value of the calendar's own field */
export const idList = <T>(description: string, choice: (id: number) => T) =>
  z.optional(
    p.field(
      raw => [...new Set(toItems(raw, FIELD_LIMITS.links).map(item => toInteger(item, 1)))].map(choice),
      {
        type: 'array',
        items: { type: 'integer' },
        description,
        example: [],
      },
    ),
  )

const MAX_PER_PAGE = 100

export const listParams = {
  page: pageParams.page,
  per_page: z.optional(
    p.integer({
      maximum: MAX_PER_PAGE,
      description: 'Items per page; limited to what the site allows.',
      default: ({ settings }) => Math.min(settings.perPage, MAX_PER_PAGE),
      example: 20,
    }),
  ),
  status: z.optional(
    p.someOf(STATUSES, {
      description: 'Only these statuses. Callers who may not edit get what is published.',
      default: ['publish'],
      example: ['publish'],
    }),
  ),
  search: p.searchParam,
}
