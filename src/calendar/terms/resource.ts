import { getTableColumns } from 'drizzle-orm'
import { restUrl, type SerializeContext } from '../../kit/context.ts'
import type { RowOf } from '../../kit/db/columns.ts'
import { type Taxonomy, terms } from '../../kit/db/tables.ts'
import type { ErrorCode } from '../../kit/lib/error-codes.ts'
import type { Capability } from '../../kit/lib/roles.ts'
import { normalizeText } from '../../kit/lib/text.ts'
import { omit } from '../../kit/lib/values.ts'
import type { TermResponse } from './schema.ts'

/** The last parts of addresses of categories: feeds, ways to show them, pages of their lists. */
const RESERVED =
  /^(?:all|day|feed|ical|list|map|month|page|past|photo|summary|today|upcoming|week|\d{4}-\d{2}(?:-\d{2})?)$/

/** True if a category must not have a slug, because the address of another category may end with it. */
export const isReserved = (taxonomy: Taxonomy, slug: string): boolean =>
  taxonomy === 'event_category' && RESERVED.test(slug)

/**
 * The key of a term's name. Names that differ only in case are one term; accents make a difference, unlike in
 * search.
 */
export const nameKey = (name: string): string => normalizeText(name, 'NFC').toLowerCase()

/** A kind of term: the differences between categories and tags. */
export type TermKind = {
  taxonomy: Taxonomy
  singular: 'category' | 'tag'
  plural: 'categories' | 'tags'
  notFound: ErrorCode
  /** The part of a permalink between the site and the term's path. */
  permalinkBase: string
  hierarchical: boolean
  /** The capability for creating one by its own route. New names on events need `create_terms`. */
  creatableBy: Capability
}

export const CATEGORIES = {
  taxonomy: 'event_category',
  singular: 'category',
  plural: 'categories',
  notFound: 'rest-category-not-found',
  permalinkBase: 'events/category',
  hierarchical: true,
  creatableBy: 'create_terms',
} as const satisfies TermKind

export const TAGS = {
  taxonomy: 'event_tag',
  singular: 'tag',
  plural: 'tags',
  notFound: 'rest-tag-not-found',
  permalinkBase: 'tag',
  hierarchical: false,
  creatableBy: 'manage_terms',
} as const satisfies TermKind

export const kindOf = (taxonomy: Taxonomy): TermKind => (taxonomy === TAGS.taxonomy ? TAGS : CATEGORIES)

/** Levels of categories, at most. A trigger of `term_ancestors` refuses more. */
export const MAX_LEVELS = 10

export const termColumns = omit(
  getTableColumns(terms),
  'name_key',
  'standalone',
  'change_number',
  'public_change_number',
)
export type TermRow = RowOf<typeof termColumns>

/** A term as its own routes show it: there, tags have no `parent`. */
export function serializeTerm(row: TermRow, context: SerializeContext): TermResponse {
  const { parent: _, ...term } = serializeEmbeddedTerm(row, context)
  return kindOf(row.taxonomy).hierarchical ? { ...term, parent: row.parent } : term
}

export function serializeEmbeddedTerm(row: TermRow, context: SerializeContext): TermResponse {
  const kind = kindOf(row.taxonomy)
  const path = row.path.split('/').map(encodeURIComponent).join('/')
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    count: row.count,
    parent: row.parent,
    ...(row.color !== '' && { color: row.color }),
    taxonomy: row.taxonomy,
    url: `${context.site}/${kind.permalinkBase}/${path}/`,
    urls: {
      self: restUrl(context, kind.plural, row.id),
      collection: `${context.api}/${kind.plural}`,
      ...(row.parent > 0 && { up: restUrl(context, kind.plural, row.parent) }),
    },
  }
}
