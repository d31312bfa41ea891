import * as z from 'zod'
import { ApiError, type ErrorCode } from '../lib/errors.ts'
import type { View } from '../view.ts'
import { integer } from './params.ts'
import { ok } from './reply.ts'

/** The parameters of every list. */
export const pageParams = {
  page: integer({ description: 'Page of the list, from 1.', default: 1, example: 2 }).optional(),
  per_page: integer({
    description: 'Items a page; more than the site allows count as what it allows.',
    default: ({ settings }) => settings.perPage,
    example: 20,
  }).optional(),
}

export type Page = { page: number; perPage: number; offset: number }

/** Where in a list a page is. `MAX_PER_PAGE` caps silently: clients ask for 100 and 300. */
export function pageOf(
  values: { page?: number | undefined; per_page?: number | undefined },
  view: View,
): Page {
  const { perPage, maxPerPage } = view.settings
  const page = values.page ?? 1
  const size = Math.min(values.per_page ?? perPage, maxPerPage)
  return { page, perPage: size, offset: (page - 1) * size }
}

/** A filter as the client gave it; a list came repeated, with brackets or comma-separated. */
export type Given = Readonly<Record<string, unknown>>

type List<T> = {
  items: readonly T[]
  total: number
  page: Page
  /** All known parameters that the request gave, to be carried by links. */
  given: Given
}

/** A list's answer: its items under their own name, and how to walk on. */
type ListAnswer = {
  rest_url: string
  next_rest_url?: string
  previous_rest_url?: string
  total: number
  total_pages: number
  [plural: string]: unknown
}

/**
 * The lists of one resource.
 *
 * @param id the schema's name in the documentation
 * @param plural the resource, as in addresses and in the answer
 * @param pageInRestUrl whether a list's own address names its page; the lists of terms don't (recorded)
 * @param noPage what a page beyond the last is answered with; an empty first page is fine
 */
export function listsOf<T>(
  id: string,
  plural: string,
  item: z.ZodType<T>,
  noPage: ErrorCode,
  { pageInRestUrl = true } = {},
) {
  const schema = z
    .object({
      [plural]: z.array(item),
      rest_url: z.string(),
      next_rest_url: z.string().exactOptional(),
      previous_rest_url: z.string().exactOptional(),
      total: z.int(),
      total_pages: z.int(),
    })
    // The computed name widens the type to one of any properties.
    .meta({ id }) as unknown as z.ZodType<ListAnswer>

  /** @throws ApiError `noPage` */
  function reply(view: View, { items, total, page, given }: List<T>) {
    if (items.length === 0 && page.page > 1) throw new ApiError(noPage, `There is no page ${page.page}.`)
    const totalPages = Math.ceil(total / page.perPage)
    const address = (number: number) => pageAddress(`${view.api}/${plural}`, given, number)
    const links = {
      ...(page.page < totalPages && { next_rest_url: address(page.page + 1) }),
      ...(page.page > 1 && { previous_rest_url: address(page.page - 1) }),
    }
    const answer: ListAnswer = {
      [plural]: items,
      rest_url: address(pageInRestUrl ? page.page : 1),
      ...links,
      total,
      total_pages: totalPages,
    }
    return ok(answer, { ...totalHeaders(total, totalPages), ...linkHeader(links) })
  }

  return { schema, reply, noPage, headers: HEADERS }
}

function pageAddress(base: string, given: Given, page: number): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(given))
    if (name !== 'page') params.set(name, [value].flat().join(','))
  if (page > 1) params.set('page', String(page))
  const query = params.toString()
  return query === '' ? base : `${base}?${query}`
}

/** The totals under the names that servers of this interface use, old and new. */
const totalHeaders = (total: number, pages: number): Record<string, string> => ({
  'X-TEC-Total': String(total),
  'X-TEC-TotalPages': String(pages),
  'X-WP-Total': String(total),
  'X-WP-TotalPages': String(pages),
})

/** The headers of every list, for its documentation. */
const HEADERS = {
  'X-TEC-Total': 'How many items the list has in all.',
  'X-TEC-TotalPages': 'How many pages of this size it has.',
  'X-WP-Total': 'The same as `X-TEC-Total`.',
  'X-WP-TotalPages': 'The same as `X-TEC-TotalPages`.',
  Link: 'The next and the previous page, `rel="next"` and `rel="prev"`, where there are such.',
}

/** RFC 8288. */
function linkHeader(links: { next_rest_url?: string; previous_rest_url?: string }): Record<string, string> {
  const relations = [
    links.next_rest_url && `<${links.next_rest_url}>; rel="next"`,
    links.previous_rest_url && `<${links.previous_rest_url}>; rel="prev"`,
  ].filter(Boolean)
  return relations.length > 0 ? { Link: relations.join(', ') } : {}
}
