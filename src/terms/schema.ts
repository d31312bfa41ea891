import * as z from 'zod'
import { TAXONOMIES } from '../db/schema.ts'
import { pageParams } from '../http/lists.ts'
import {
  field,
  flag,
  ids,
  integer,
  LIMIT,
  line,
  name,
  oneOf,
  search,
  slug,
  texts,
  toInteger,
} from '../http/params.ts'

const shared = {
  name: name({ description: 'Name.', example: 'Music' }),
  description: line({
    description: 'Description, plain text.',
    limit: LIMIT.termDescription,
    example: 'Concerts and sessions.',
  }).optional(),
  slug: slug({ description: 'Slug; made from the name when absent.', example: 'music' }).optional(),
}

const parent = field(raw => (raw === '' ? 0 : toInteger(raw, 0)), {
  type: 'integer',
  minimum: 0,
  description: 'Id of the parent category; 0 for none.',
  example: 0,
})

export const categoryFields = z
  .object({ ...shared, parent: parent.optional() })
  .meta({ id: 'CategoryFields' })
export const tagFields = z.object(shared).meta({ id: 'TagFields' })

const ORDERBY = ['name', 'id', 'slug', 'count', 'include'] as const

const listParams = {
  ...pageParams,
  search: search({ description: 'Words that must occur in name or slug.', example: 'jazz' }).optional(),
  exclude: ids({ description: 'Ids to leave out.', example: [7] }).optional(),
  include: ids({ description: 'Only these ids.', example: [7] }).optional(),
  order: oneOf(['asc', 'desc'], { description: 'Direction of sorting.', default: 'asc' }).optional(),
  orderby: oneOf(ORDERBY, {
    description: 'What to sort by; `include` keeps the order of that parameter.',
    default: 'name',
  }).optional(),
  hide_empty: flag({ description: 'Leave out terms without published events.', default: true }).optional(),
  post: integer({ description: 'Only terms of this event.', example: 12 }).optional(),
  event: integer({ description: 'The same as `post`.', example: 12 }).optional(),
  slug: texts({ description: 'Only these slugs.', example: ['music'] }).optional(),
}

export const categoryList = z.object({
  ...listParams,
  parent: integer({
    minimum: 0,
    description: 'Only direct children of this category; 0 for the roots.',
    example: 0,
  }).optional(),
})
export const tagList = z.object(listParams)

export type TermFields = z.output<typeof categoryFields>
export type TermListParams = z.output<typeof categoryList>

export const termSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    count: z.int().meta({ description: 'Published events that carry the term itself.' }),
    parent: z.int().optional().meta({ description: 'Id of the parent category, 0 for none.' }),
    taxonomy: z.enum(TAXONOMIES),
    url: z.string(),
    urls: z.object({ self: z.string(), collection: z.string(), up: z.string().optional() }),
  })
  .meta({ id: 'Term' })

export type TermResponse = z.output<typeof termSchema>
