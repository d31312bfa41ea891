import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { RequestContext } from '../../kit/context.ts'
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
import { type ChangeSource, type Cursor, checkCopiedStatuses } from './queries.ts'

type NextRows<P> = { values: Partial<P>; after: Cursor | null; limit: number }

const nextById = (
  table: ChangeSource<unknown, never, unknown>['table'],
  condition: SQL,
  { after, limit }: NextRows<unknown>,
): SQL =>
  sql`SELECT ${table.id} FROM ${table} WHERE ${table.id} > ${after?.[0] ?? 0} AND ${condition}
    ORDER BY ${table.id} LIMIT ${literal(limit)}`

/**
 * Adds an error for each filter that depends on other resources, because no change of a row would show that it no
 * longer matches.
 */
function refuseOthers<P>(
  values: Partial<P>,
  names: readonly (keyof P & string)[],
  errors: ValidationErrors,
): void {
  for (const name of names)
    if (values[name] !== undefined)
      errors.add(name, 'is not possible here: it depends on changes of other resources')
}

const relatedSource = <R extends RelatedRow, Body>(
  kind: RelatedResource<R, Body>,
  schemaId: string,
): ChangeSource<RelatedListParams, R, Body> => {
  const { plural, table } = kind
  const listedSql = (context: RequestContext, values: Partial<RelatedListParams>): SQL =>
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
    following: (context, input) => nextById(table, listedSql(context, input.values), input),
    cursorOf: ({ id }) => [id],
    select: (context, ids) => kind.select(context, sql`${table.id} IN (${ids})`),
    serialize: kind.serialize,
    validate: (context, values, errors) => {
      checkCopiedStatuses(values.status, context, errors)
      refuseOthers(values, ['event', 'has_events', 'only_with_upcoming'], errors)
    },
  }
}

const termSource = (
  kind: TermKind,
  params: z.ZodMiniObject,
  schemaId: string,
): ChangeSource<TermListParams, TermRow, TermResponse> => {
  const listedSql = (context: RequestContext, values: Partial<TermListParams>): SQL =>
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
    following: (context, input) => nextById(terms, listedSql(context, input.values), input),
    cursorOf: ({ id }) => [id],
    select: (_, ids) => selectTerms(kind, sql`${terms.id} IN (${ids})`),
    serialize: serializeTerm,
    // A term of these that is deleted is a change, and no error.
    references: (context, values) => termReferences(context, kind, omit(values, 'include', 'exclude')),
    validate: (_, values, errors) => refuseOthers(values, ['post', 'event', 'hide_empty'], errors),
  }
}

export const VENUE_SOURCE = relatedSource(VENUES, 'VenueChanges')
export const ORGANIZER_SOURCE = relatedSource(ORGANIZERS, 'OrganizerChanges')

const NO_PAGES = { page: true, per_page: true, order: true, orderby: true } as const

export const TERM_SOURCES = [
  termSource(CATEGORIES, z.omit(categoryList, NO_PAGES), 'CategoryChanges'),
  termSource(TAGS, z.omit(tagList, NO_PAGES), 'TagChanges'),
] as const
