import * as z from 'zod/mini'
import type { SerializeContext } from '../../context.ts'
import { pageParams } from '../../http/lists.ts'
import * as p from '../../http/params.ts'
import { escapeXml } from '../../lib/escape.ts'
import { summary } from '../../lib/text.ts'
import { type DateTime, isDateTime } from '../../lib/time.ts'
import { asText, LIMIT, refuse, scalarText, toInteger, toItems } from '../../lib/values.ts'
import type { ImageResponse } from '../../resources/content/resource.ts'
import { EVENT_FIELDS } from '../../resources/events/schema.ts'

// Shapes shared by the entities of `tec/v1`: texts as HTML in `rendered`, dates as WordPress writes them.

const rendered = z.object({ rendered: z.string() })
const protectedText = z.object({ rendered: z.string(), protected: z.boolean() })

/** The fields that all entities have in responses. */
export const headShape = {
  id: z.int(),
  date: z.string(),
  date_gmt: z.string(),
  guid: rendered,
  modified: z.string(),
  modified_gmt: z.string(),
  slug: z.string(),
  status: z.string(),
  link: z.string(),
  title: rendered,
  content: protectedText,
  excerpt: protectedText,
  author: z.int(),
  featured_media: z.int(),
  template: z.string(),
}

type Common = {
  id: number
  date: DateTime
  date_utc: DateTime
  modified: DateTime
  modified_utc: DateTime
  slug: string
  status: string
  url: string
  author: string
  description?: string | undefined
  excerpt?: string
  image?: ImageResponse | false | undefined
}

const iso = (date: DateTime): string => date.replace(' ', 'T')

/** Plain text as HTML: titles have entities already, but for `&`. */
export const asHtml = (title: string): string => title.replace(/&(?!#?\w+;)/g, '&#038;')

/** The most characters of an excerpt that is made from the content. */
const EXCERPT = 300

function excerptOf({ excerpt, description = '' }: Common): string {
  if (excerpt) return excerpt
  const text = summary(description, EXCERPT)
  return text && `<p>${escapeXml(text)}</p>`
}

/** The statuses of content whose slug may still change. */
const UNADDRESSED = ['draft', 'pending']

/** The fields that all entities have, from the response of the calendar's own API. */
export const entityHead = (
  one: Common,
  { title, type }: { title: string; type: string },
  { site }: SerializeContext,
) => ({
  id: one.id,
  date: iso(one.date),
  date_gmt: iso(one.date_utc),
  guid: { rendered: `${site}/?post_type=${type}&p=${one.id}` },
  modified: iso(one.modified),
  modified_gmt: iso(one.modified_utc),
  slug: UNADDRESSED.includes(one.status) ? '' : one.slug,
  status: one.status,
  link: one.url,
  title: { rendered: asHtml(title) },
  content: { rendered: one.description ?? '', protected: false },
  excerpt: { rendered: excerptOf(one), protected: false },
  author: Number(one.author),
  featured_media: one.image ? one.image.id : 0,
  template: '',
})

/** A field of an entity: the name of the same field in the calendar's own API, and the check of its values. */
export const row = <const N extends string, P extends z.core.$ZodType>(own: N, param: P) => ({ own, param })

type Rows = Readonly<Record<string, { own: string; param: z.core.$ZodType }>>

/** The parameters of a table of fields. */
export const paramsIn = <const T extends Rows>(rows: T) =>
  Object.fromEntries(Object.entries(rows).map(([name, { param }]) => [name, param])) as {
    [K in keyof T]: T[K]['param'] // Each row gives its own.
  }

const WRITTEN = 'YYYY-MM-DD HH:MM:SS'

/** A local date in the one form that the plugin takes. */
export const exactDate = (description: string) =>
  p.field(
    raw => {
      const text = asText(raw)
      return isDateTime(text) ? text : refuse(`must be an existing date of the form ${WRITTEN}`)
    },
    { type: 'string', description: `${description} ${WRITTEN}.`, example: '2027-06-10 20:00:00' },
  )

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/

/** A date of publication. Its offset says nothing: the field says which zone is meant. */
const publicationDate = (description: string) =>
  z.optional(
    p.field(
      raw => {
        const [, day, time] = RFC_3339.exec(asText(raw)) ?? []
        const date = `${day} ${time}`
        return isDateTime(date) ? date : refuse('must be a date such as 2027-06-10T20:00:00')
      },
      { type: 'string', description, example: '2026-06-10T20:00:00' },
    ),
  )

/** Statuses that a request may name. Nothing is moved to the trash by its status. */
const STATUSES = ['publish', 'pending', 'draft', 'future', 'private'] as const

/** A text, which must not be a number. */
export const textOnly = (line: z.ZodMiniType<string>, description: string, example: string) =>
  z.optional(
    p.field(
      raw => {
        const result = z.safeParse(line, typeof raw === 'string' ? raw : refuse('must be text'))
        return result.success ? result.data : refuse('must be a line of text')
      },
      { type: 'string', description, example },
    ),
  )

const items = (raw: unknown): number[] => [
  ...new Set(toItems(raw, LIMIT.links).map(item => toInteger(item, 1))),
]

/** A list of ids, which may be empty. @param choice makes what the calendar's own field takes of one */
export const idList = <T>(description: string, choice: (id: number) => T) =>
  z.optional(
    p.field(raw => items(raw).map(choice), {
      type: 'array',
      items: { type: 'integer' },
      description,
      example: [],
    }),
  )

/** The fields that all entities take. Those of events have the widest limits; the writes of each check its own. */
export const headFields = {
  date: row('date', publicationDate("Publication date, in the site's time zone. A future date schedules.")),
  date_gmt: row('date_utc', publicationDate('Publication date in UTC; `date` takes precedence.')),
  slug: row('slug', EVENT_FIELDS.slug.param),
  status: row(
    'status',
    z.optional(
      p.oneOf(STATUSES, {
        description: 'Status; without one, an update leaves it as it is.',
        example: 'publish',
      }),
    ),
  ),
  author: row('author', EVENT_FIELDS.author.param),
  featured_media: row(
    'image',
    z.optional(
      p.field(
        raw => {
          const id = toInteger(raw, 0)
          return id === 0 ? null : { id }
        },
        { type: 'integer', minimum: 0, description: 'Id of the image; 0 for none.', example: 0 },
      ),
    ),
  ),
}

const MOST_PER_PAGE = 100

/** The parameters of all lists. */
export const listParams = {
  page: pageParams.page,
  per_page: z.optional(
    p.integer({
      maximum: MOST_PER_PAGE,
      description: 'Items per page; limited to what the site allows.',
      default: ({ settings }) => Math.min(settings.perPage, MOST_PER_PAGE),
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
}

/** One of some words, exactly as they are written. */
export const exactly = <const W extends string>(
  allowed: readonly W[],
  { description, fallback }: { description: string; fallback: W },
) =>
  z.optional(
    p.field(
      raw => {
        const text = scalarText(raw)
        return allowed.find(word => word === text) ?? refuse(`must be one of ${allowed.join(', ')}`)
      },
      { type: 'string', enum: allowed, description, default: fallback, example: fallback },
    ),
  )
