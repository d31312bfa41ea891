import * as z from 'zod/mini'
import { requireTerm, selectTermById, selectTermPage } from '../../calendar/terms/queries.ts'
import {
  CATEGORIES,
  serializeEmbeddedTerm,
  TAGS,
  type TermKind,
  type TermRow,
} from '../../calendar/terms/resource.ts'
import { categoryFields, categoryList, type TermFields, tagFields } from '../../calendar/terms/schema.ts'
import { prepareTerm, termWrites } from '../../calendar/terms/writes.ts'
import { type BaseContext, wordpressBase } from '../../kit/context.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineSharedWrite } from '../../kit/http/define-write.ts'
import { flag, lazyObject, searchParam } from '../../kit/http/params.ts'
import { createdReply, LOCATION, okVersioned, type Versioned } from '../../kit/http/reply.ts'
import type { FieldsSchema, Route } from '../../kit/http/route.ts'
import { namedSlug } from '../../kit/lib/slug.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import {
  defineWordpressList,
  idsParam,
  linksIn,
  linksSchema,
  orderByParam,
  orderParam,
  slugsParam,
  WORDPRESS_SUBJECT,
  wordpressPageParams,
} from './shapes.ts'

/** WordPress's names for the taxonomies. */
const TAXONOMY = { event_category: 'category', event_tag: 'post_tag' } as const

const termShape = lazyObject('WordPressTerm', () => ({
  id: z.int(),
  count: z.int(),
  description: z.string(),
  link: z.string(),
  name: z.string(),
  slug: z.string(),
  taxonomy: z.enum(['category', 'post_tag']),
  parent: z.exactOptional(z.int()),
  meta: z.array(z.unknown()),
  _links: linksSchema,
}))
type TermShape = z.output<typeof termShape>

function serialize(context: BaseContext, kind: TermKind, row: TermRow): TermShape {
  const { id, count, description, url, name, slug, parent = 0 } = serializeEmbeddedTerm(row, context)
  return {
    id,
    count,
    description,
    link: url,
    name,
    slug,
    taxonomy: TAXONOMY[row.taxonomy],
    ...(kind.hierarchical && { parent }),
    meta: [],
    _links: linksIn(`${wordpressBase(context)}/wp/v2/${kind.plural}`, id),
  }
}

const listParams = () => ({
  ...wordpressPageParams,
  search: searchParam,
  slug: slugsParam(namedSlug, FIELD_LIMITS.name, 'jazz'),
  include: idsParam('Only these ids.'),
  exclude: idsParam('Ids to leave out.'),
  hide_empty: z.optional(flag({ description: 'Leave out terms without published events.', default: false })),
  order: orderParam('asc'),
  orderby: orderByParam(['name', 'id', 'slug', 'count', 'include'], 'name', 'count'),
  post: categoryList.shape.post,
})
const tagParams = lazyObject('WordPressTagParams', listParams)
const categoryParams = lazyObject('WordPressCategoryParams', () => ({
  ...listParams(),
  parent: categoryList.shape.parent,
}))
type ListParams = z.output<typeof categoryParams>

function termRoutes(
  kind: TermKind,
  params: FieldsSchema<ListParams>,
  fields: FieldsSchema<TermFields>,
): Route[] {
  const path = `/wp/v2/${kind.plural}`
  const bodyOf = (context: BaseContext, row: TermRow): Versioned<TermShape> => ({
    body: serialize(context, kind, row),
    version: row.version,
  })
  return [
    defineWordpressList({
      path,
      summary: `List ${kind.plural} as WordPress does`,
      params,
      item: termShape,
      select: (context, { values, page }) =>
        selectTermPage(context, kind, { values: { hide_empty: false, ...values }, page }),
      serialize: (context, row) => serialize(context, kind, row),
    }),
    defineSharedWrite({
      methods: ['POST'],
      path,
      subject: WORDPRESS_SUBJECT,
      summary: `Create a ${kind.singular}`,
      requires: kind.creatableBy,
      body: fields,
      complete: true,
      responses: { 201: termShape },
      headers: LOCATION,
      errors: ['term_exists'],
      shared: termWrites(kind),
      prepare: (context, neededTerms, { body: values }, errors) =>
        prepareTerm(context, kind, { values, neededTerms }, errors),
      reply: (context, row) => {
        const term = bodyOf(context, requireTerm(kind, row))
        return createdReply(term, `${wordpressBase(context)}${path}/${term.body.id}`)
      },
    }),
    defineRead({
      path: `${path}/{id}`,
      subject: WORDPRESS_SUBJECT,
      summary: `Read one ${kind.singular} as WordPress shows it`,
      requires: 'read',
      responses: { 200: termShape },
      errors: [kind.notFound],
      load: (context, { id }) => selectTermById(context, kind, id),
      prepare: (_, row) => requireTerm(kind, row),
      handle: (context, { prepared: row }) => okVersioned(bodyOf(context, row)),
    }),
  ]
}

export const wordpressTerms: Route[] = [
  ...termRoutes(TAGS, tagParams, tagFields),
  ...termRoutes(CATEGORIES, categoryParams, categoryFields),
]
