import * as z from 'zod/mini'
import { type BaseContext, wordpressBase } from '../../kit/context.ts'
import { type Query, resolvedQuery } from '../../kit/db/query.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import {
  LIST_HEADERS,
  type ListSlice,
  NO_ROWS,
  type PageParams,
  pageParams,
  type Rows,
  SIZE_HEADER,
  sizeUsed,
  sliceOf,
  withQuery,
} from '../../kit/http/lists.ts'
import { field, integer } from '../../kit/http/params.ts'
import { linkHeader, ok } from '../../kit/http/reply.ts'
import type { FieldsSchema, Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { asText, FIELD_LIMITS, isObject, requireLength, scalarText, toItems } from '../../kit/lib/values.ts'

// Shapes that all routes of WordPress share. Clients send parameters without a use here (`context`, `_embed`),
// which are ignored.

/** The subject of these routes in the documentation. */
export const WORDPRESS_SUBJECT = 'wordpress'

/** A text in the format of WordPress: as written, and as HTML. Without markup, both are the same. */
export const renderedField = z.object({ raw: z.string(), rendered: z.string() })
export const renderedText = (text: string): z.output<typeof renderedField> => ({ raw: text, rendered: text })

/** Links to other resources, by relation. */
export const linksSchema = z.record(z.string(), z.array(z.looseObject({ href: z.string() })))

/** The links of a resource in a collection. @param collection the collection's address */
export const linksIn = (collection: string, id: number): z.output<typeof linksSchema> => ({
  self: [{ href: `${collection}/${id}` }],
  collection: [{ href: collection }],
})

/** The value of a field, which may be an object of `raw` text, as in {@link renderedField}. */
export const rawValue = (raw: unknown): unknown => (isObject(raw) ? (raw.raw ?? raw.rendered ?? '') : raw)

const DEFAULT_SIZE = 10

export const wordpressPageParams = {
  page: pageParams.page,
  per_page: z.optional(
    integer({
      description: 'Items per page; limited to what the site allows.',
      default: DEFAULT_SIZE,
      example: 100,
    }),
  ),
}

// WordPress treats empty filters as absent.

const listOrNone = <T>(items: T[]): T[] | undefined => (items.length > 0 ? items : undefined)

/** The direction of a list; anything but `asc` and `desc` means the default. */
export const orderParam = (fallback: 'asc' | 'desc') =>
  z.optional(
    field(
      raw => {
        const direction = scalarText(raw)?.toLowerCase()
        return direction === 'asc' || direction === 'desc' ? direction : fallback
      },
      { type: 'string', enum: ['asc', 'desc'], description: 'Sort direction.', default: fallback },
    ),
  )

/** The sort key of a list; anything but these keys means the default. */
export const orderByParam = <const K extends string>(keys: readonly K[], fallback: K, example: K) =>
  z.optional(
    field(raw => keys.find(name => name === scalarText(raw)) ?? fallback, {
      type: 'string',
      description: `One of ${keys.join(', ')}; anything else means ${fallback}.`,
      default: fallback,
      example,
    }),
  )

export const idsParam = (description: string) =>
  z.optional(
    field(
      raw => {
        const givenIds = toItems(raw, FIELD_LIMITS.ids).map(Number)
        return listOrNone(givenIds.filter(id => Number.isSafeInteger(id) && id > 0))
      },
      { type: 'array', items: { type: 'integer' }, description, example: [7] },
    ),
  )

/** A list of slugs. @param read parses a slug */
export const slugsParam = <T>(read: (slug: string) => T, limit: number, example: string) =>
  z.optional(
    field(
      raw => listOrNone(toItems(raw, FIELD_LIMITS.ids).map(item => read(requireLength(asText(item), limit)))),
      {
        type: 'array',
        items: { type: 'string' },
        description: 'Only these slugs.',
        example: [example],
      },
    ),
  )

type ListDeclaration<P, R, Item> = {
  path: string
  summary: string
  params: FieldsSchema<P>
  item: z.ZodMiniType<Item>
  select: (context: BaseContext, input: { values: Partial<P>; page: ListSlice }) => Query<Rows<R>>
  serialize: (context: BaseContext, row: R) => Item
  /** True if a page after the last is an error, which tells clients that they have all pages. */
  endsWithError?: boolean
}

/** Declares a list whose body is an array. Its totals are in headers. */
export const defineWordpressList = <P extends PageParams, R, Item>(
  list: ListDeclaration<P, R, Item>,
): Route =>
  defineRead({
    path: list.path,
    subject: WORDPRESS_SUBJECT,
    summary: list.summary,
    requires: 'read',
    query: list.params,
    responses: { 200: z.array(list.item) },
    headers: {
      'X-WP-Total': 'Number of items in the whole list.',
      'X-WP-TotalPages': 'Number of pages of this size.',
      Link: LIST_HEADERS.Link,
      ...SIZE_HEADER,
    },
    errors: list.endsWithError ? ['rest_post_invalid_page_number'] : [],
    load: (context, { query: values }, isBad) =>
      isBad
        ? resolvedQuery(NO_ROWS)
        : list.select(context, { values, page: sliceOf({ per_page: DEFAULT_SIZE, ...values }, context) }),
    handle: (context, { prepared, query: values, sent }) => {
      const usedSlice = sliceOf({ per_page: DEFAULT_SIZE, ...values }, context)
      const { page, perPage } = usedSlice
      const size = sizeUsed(sent, values, usedSlice)
      const { rows, total } = prepared
      const pages = Math.ceil(total / perPage)
      if (list.endsWithError && page > Math.max(1, pages))
        throw new ApiError('rest_post_invalid_page_number', `There is no page ${page}.`)
      const address = (number: number) =>
        withQuery(wordpressBase(context) + list.path, { ...size.sent, page: number })
      return ok(
        rows.map(row => list.serialize(context, row)),
        {
          'X-WP-Total': String(total),
          'X-WP-TotalPages': String(pages),
          ...size.headers,
          ...linkHeader({
            prev: page > 1 && address(Math.min(page - 1, Math.max(pages, 1))),
            next: page < pages && address(page + 1),
          }),
        },
      )
    },
  })
