import * as z from 'zod/mini'
import { TAXONOMIES } from '../../kit/db/tables.ts'
import { pageParams } from '../../kit/http/lists.ts'
import {
  documented,
  escapedName,
  field,
  flag,
  html,
  idOrNone,
  ids,
  integer,
  name,
  oneOf,
  search,
  slug,
  texts,
} from '../../kit/http/params.ts'
import { COLOUR_NAMES, colourNameOf } from '../../kit/lib/colour.ts'
import { toInlineHtml } from '../../kit/lib/html.ts'
import { asText, FIELD_LIMITS, refuse } from '../../kit/lib/values.ts'

const sharedParams = {
  name: name({ description: 'Name.', example: 'Music' }),
  description: z.optional(
    html({
      description: 'Description: text with `a`, `em` and `strong`; line breaks are kept.',
      limit: FIELD_LIMITS.termDescription,
      clean: toInlineHtml,
      example: 'Concerts and sessions.',
    }),
  ),
  slug: z.optional(slug({ description: 'Slug; made from the name when absent.', example: 'music' })),
}

export const categoryFields = documented(
  z.object({
    ...sharedParams,
    parent: z.optional(idOrNone({ description: 'Id of the parent category; 0 for none.', example: 0 })),
    color: z.optional(
      field(
        raw => {
          const text = asText(raw).trim().toLowerCase()
          return text === '' || colourNameOf(text) !== undefined
            ? text
            : refuse(`must be a colour such as #1a6b54, or one of ${COLOUR_NAMES.join(', ')}`)
        },
        {
          type: 'string',
          description: `Colour on the pages: ${COLOUR_NAMES.join(', ')}, or a colour such as \`#1a6b54\`, of which pages show the hue; empty for one that they choose.`,
          example: 'teal',
        },
      ),
    ),
  }),
  { id: 'CategoryFields' },
)
export const tagFields = documented(z.object(sharedParams), { id: 'TagFields' })

const ORDERBY = ['name', 'id', 'slug', 'count', 'description', 'term_group', 'include'] as const

const listParams = {
  ...pageParams,
  search: z.optional(search({ description: 'Words that must occur in name or slug.', example: 'jazz' })),
  exclude: z.optional(ids({ description: 'Ids to leave out.', example: [7] })),
  include: z.optional(ids({ description: 'Only these ids.', example: [7] })),
  order: z.optional(oneOf(['asc', 'desc'], { description: 'Sort direction.', default: 'asc' })),
  orderby: z.optional(
    oneOf(ORDERBY, {
      description:
        'Sort key; `include` means the order of that parameter. Terms have no groups: `term_group` sorts by `id`.',
      default: 'name',
    }),
  ),
  hide_empty: z.optional(flag({ description: 'Leave out terms without published events.', default: true })),
  post: z.optional(integer({ description: 'Only terms of this event.', example: 12 })),
  event: z.optional(integer({ description: 'The same as `post`, which it replaces.', example: 12 })),
  slug: z.optional(texts({ description: 'Only these slugs.', example: ['music'] })),
}

export const categoryList = z.object({
  ...listParams,
  parent: z.optional(
    integer({
      minimum: 0,
      description: 'Only direct children of this category; 0 for the roots.',
      example: 0,
    }),
  ),
})
export const tagList = z.object(listParams)

export type TermFields = z.output<typeof categoryFields>
export type TermListParams = z.output<typeof categoryList>

export const termSchema = documented(
  z.object({
    id: z.int(),
    name: escapedName,
    slug: z.string(),
    description: z.string(),
    count: documented(z.int(), 'Published events with the term itself.'),
    parent: documented(z.optional(z.int()), 'Id of the parent category, 0 for none.'),
    color: documented(z.optional(z.string()), 'Colour of a category that has one.'),
    taxonomy: z.enum(TAXONOMIES),
    url: z.string(),
    urls: z.object({ self: z.string(), collection: z.string(), up: z.optional(z.string()) }),
  }),
  { id: 'Term' },
)

export type TermResponse = z.output<typeof termSchema>
