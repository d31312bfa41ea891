import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { literal } from '../../kit/db/query.ts'
import { terms } from '../../kit/db/tables.ts'
import type { FieldsSchema } from '../../kit/http/route.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { omit } from '../../kit/lib/values.ts'
import { relatedListedSql } from '../content/related/queries.ts'
import type { RelatedListParams, RelatedResource, RelatedRow } from '../content/related/resource.ts'
import { ORGANIZERS } from '../organizers/resource.ts'
import { selectTerms, termListedSql, termReferences } from '../terms/queries.ts'
import { CATEGORIES, serializeTerm, TAGS, type TermKind, type TermRow } from '../terms/resource.ts'
import { categoryList, type TermListParams, type TermResponse, tagList, termSchema } from '../terms/schema.ts'
import { VENUES } from '../venues/resource.ts'
import { type CopiedResource, type Cursor, checkCopiedStatuses, PAGES_AND_ORDER } from './queries.ts'

// Venues, organizers, categories and tags, as others copy them. Events are in events.ts.

type NextRows<P> = { values: Partial<P>; after: Cursor | null; limit: number }

const nextById = (
  table: CopiedResource<unknown, never, unknown>['table'],
  condition: SQL,
  { after, limit }: NextRows<unknown>,
): SQL =>
  sql`SELECT ${table.id} FROM ${table} WHERE ${table.id} > ${after?.[0] ?? 0} AND ${condition}
    ORDER BY ${table.id} LIMIT ${literal(limit)}`

/**
 * Adds an error for each filter that depends on other resources, because no change of a row would show that
 * it no longer matches.
 */
function checkSelfContained<P>(
  values: Partial<P>,
  names: readonly (keyof P & string)[],
  errors: ValidationErrors,
): void {
  for (const name of names)
    if (values[name] !== undefined)
      errors.add(name, 'must be left out here: it depends on changes of other resources')
}

const copiedRelated = <R extends RelatedRow, Body>(
  kind: RelatedResource<R, Body>,
  schemaId: string,
): CopiedResource<RelatedListParams, R, Body> => {
  const { plural, table } = kind
  const listedSql = (context: BaseContext, values: Partial<RelatedListParams>): SQL =>
    relatedListedSql(context, kind, values)
  return {
    kind: plural,
    plural,
    schemaId,
    item: kind.response,
    // The parameters of the list except for pages.
    params: z.omit(kind.listParams, {
      page: true,
      per_page: true,
    }) as FieldsSchema<RelatedListParams>,
    table,
    bytes: sql`octet_length(${table.description})`,
    listedSql,
    nextIds: (context, input) => nextById(table, listedSql(context, input.values), input),
    cursorOf: ({ id }) => [id],
    select: (context, ids) => kind.select(context, sql`${table.id} IN (${ids})`),
    serialize: kind.serialize,
    validate: (context, values, errors) => {
      checkCopiedStatuses(values.status, context, errors)
      checkSelfContained(values, ['event', 'has_events', 'only_with_upcoming'], errors)
    },
  }
}

const copiedTerms = (
  kind: TermKind,
  params: z.ZodMiniObject,
  schemaId: string,
): CopiedResource<TermListParams, TermRow, TermResponse> => {
  const listedSql = (context: BaseContext, values: Partial<TermListParams>): SQL =>
    sql`${terms.taxonomy} = ${kind.taxonomy} AND ${termListedSql(context, values)}`
  return {
    kind: kind.taxonomy,
    plural: kind.plural,
    schemaId,
    item: termSchema,
    // The parameters of the list except for pages and order.
    params: params as FieldsSchema<TermListParams>,
    table: terms,
    bytes: sql`octet_length(${terms.description})`,
    listedSql,
    nextIds: (context, input) => nextById(terms, listedSql(context, input.values), input),
    cursorOf: ({ id }) => [id],
    select: (_, ids) => selectTerms(kind, sql`${terms.id} IN (${ids})`),
    serialize: serializeTerm,
    // If one of these terms has been deleted, that is a change, and not an error.
    references: (context, values) => termReferences(context, kind, omit(values, 'include', 'exclude')),
    validate: (_, values, errors) => checkSelfContained(values, ['post', 'event', 'hide_empty'], errors),
  }
}

export const COPIED_VENUES = copiedRelated(VENUES, 'VenueChanges')
export const COPIED_ORGANIZERS = copiedRelated(ORGANIZERS, 'OrganizerChanges')

export const COPIED_TERMS = [
  copiedTerms(CATEGORIES, z.omit(categoryList, PAGES_AND_ORDER), 'CategoryChanges'),
  copiedTerms(TAGS, z.omit(tagList, PAGES_AND_ORDER), 'TagChanges'),
] as const
