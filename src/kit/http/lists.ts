import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BaseContext, RequestContext } from '../context.ts'
import { type Columns, columnList, decodeRow, type RowOf } from '../db/columns.ts'
import { combineQueries, countOf, many, type Query, resolvedQuery, rowLimit } from '../db/query.ts'
import { type Reference, reportUnknown, selectUnknownValues, type UnknownValues } from '../db/references.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import { ApiError, type ValidationErrors } from '../lib/errors.ts'
import type { Capability } from '../lib/roles.ts'
import { isObject } from '../lib/values.ts'
import { defineRead } from './define-read.ts'
import type { SentParameters } from './input.ts'
import { integer, namedSchema } from './params.ts'
import { linkHeader, ok, SHORTENED } from './reply.ts'
import type { Fields } from './requested-fields.ts'
import type { FieldsSchema, Route } from './route.ts'

type Condition<V, P> = (value: V, context: BaseContext, all: Partial<P>) => SQL | undefined

/**
 * A condition for each parameter of a list except `Other`, which do not filter. Every parameter has an entry,
 * so that a declared one without a condition does not compile; `undefined` marks one that other code handles.
 */
export type FilterMap<P, Other extends keyof P> = {
  [K in Exclude<keyof P, Other>]-?: Condition<NonNullable<P[K]>, P> | undefined
}

/** The conditions of the parameters that have a value, to be joined with AND. */
export function conditionsOf<P, Other extends keyof P>(
  filters: FilterMap<P, Other>,
  context: BaseContext,
  values: Partial<P>,
): SQL[] {
  // Object.keys forgets the keys' types.
  const names = Object.keys(filters) as Exclude<keyof P, Other>[]
  return names.flatMap(name => {
    const value = values[name]
    const condition =
      value === undefined || value === null ? undefined : filters[name]?.(value, context, values)
    return condition === undefined ? [] : [condition]
  })
}

/** The parameters of every list. */
export const pageParams = {
  page: z.optional(integer({ description: 'Page of the list, from 1.', default: 1, example: 2 })),
  per_page: z.optional(
    integer({
      description: 'Items per page; limited to what the site allows.',
      default: ({ settings }) => settings.perPage,
      example: 20,
    }),
  ),
}

/** The parameters of a list without filters. */
export const plainList = z.object(pageParams)

export type PageParams = { page?: number | undefined; per_page?: number | undefined }

/** A page of a list: its number and size, and the number of items before it. */
export type ListSlice = { page: number; perPage: number; offset: number }

/**
 * The page that parameters name. Sizes above `MAX_PER_PAGE` are lowered to it, because clients ask for 100
 * and 300.
 */
export function sliceOf(values: PageParams, { settings }: BaseContext): ListSlice {
  const page = values.page ?? 1
  const perPage = Math.min(values.per_page ?? settings.perPage, settings.maxPerPage)
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) }
}

/** The header of a page that has fewer items than were asked for, with its documentation. */
export const SIZE_HEADER = {
  'X-Per-Page': 'Items per page, where `per_page` asked for more than this calendar gives.',
}

/** {@link SIZE_HEADER}, and the parameters of links to other pages, which repeat the size that was used. */
export const sizeUsed = (
  sent: SentParameters,
  { per_page: requestedSize }: PageParams,
  { perPage }: ListSlice,
) =>
  requestedSize !== undefined && requestedSize > perPage
    ? { headers: { 'X-Per-Page': String(perPage) }, sent: { ...sent, per_page: perPage } }
    : { headers: {}, sent }

/** The rows of a page, and the number of rows in the whole list. */
export type Rows<R> = { rows: R[]; total: number; headers?: Record<string, string> }

/** The rows of a read that is known to end with an error. */
export const NO_ROWS: Rows<never> = { rows: [], total: 0 }

export const withTotal = <R>(rows: Query<R[]>, total: Query<number>): Query<Rows<R>> =>
  combineQueries({ rows, total })

/** A query for a page of a table's rows, newest first, and for their number. */
export const selectNewest = <C extends Columns>(
  columns: C,
  from: SQL,
  { perPage, offset }: ListSlice,
): Query<Rows<RowOf<C>>> =>
  withTotal(
    many(
      sql`SELECT ${columnList(columns)} FROM ${from} ORDER BY id DESC LIMIT ${rowLimit(perPage)} OFFSET ${offset}`,
      row => decodeRow(columns, row),
    ),
    countOf(from),
  )

export const positionSchemas = {
  rest_url: z.string(),
  next_rest_url: z.exactOptional(z.string()),
  previous_rest_url: z.exactOptional(z.string()),
  total: z.int(),
  total_pages: z.int(),
}

const positionSchema = z.object(positionSchemas)
type Position = z.output<typeof positionSchema>

/** The body of a list: its items under their own name, and the position of the page. */
type ListBody = Position & { [plural: string]: unknown }

/** The part of a list that other outputs of the same rows share: its parameters, its rows and its checks. */
export type ListSource<P, R, Owner = unknown> = {
  params: FieldsSchema<P>
  /** A query for the rows of a page. `id` is the owner's; 0 for a list without one. */
  select: (
    context: RequestContext,
    input: { values: Partial<P>; page: ListSlice; fields: Fields | undefined; id: number },
  ) => Query<Rows<R>>
  /** The owner that the `{id}` of the path names, for a list of the rows that belong to it. */
  owner?: {
    selectById: (id: number, context: BaseContext) => Query<Owner | undefined>
    requireRow: (row: Owner | undefined, context: BaseContext) => unknown
  }
  /** The rows that filters name, which must exist: filtering by an unknown one is an error. */
  references?: (context: BaseContext, values: Partial<P>) => Reference[]
  /** Adds errors that depend on several parameters, or on the caller. */
  validate?: (context: BaseContext, values: Partial<P>, errors: ValidationErrors) => void
}

export type ListDeclaration<P, R, Item, Owner = unknown> = ListSource<P, R, Owner> & {
  /** The schema's name in the documentation; without it, the body is the array of items alone. */
  id?: string
  /** The name of the resource in addresses and in the body. */
  plural: string
  /** The path below the namespace; by default the name of the resource. */
  path?: string
  summary?: string
  item: z.ZodMiniType<Item>
  /** The capability that the caller's role needs; by default `read`. */
  requires?: Capability
  /** True if the database's revision says nothing about the rows of the list. */
  isUncached?: boolean
  /** The error of a page beyond the last; an empty first page is fine. */
  noPage: ErrorCode
  /** Errors of this list alone. */
  errors?: readonly ErrorCode[]
  /** False for lists whose `rest_url` does not name the page, such as lists of terms (recorded). */
  pageInRestUrl?: boolean
  serialize: (context: BaseContext, rows: readonly R[]) => Item[]
  /** Parameters for links that the request does not name, or names in another form. */
  resolve?: (context: BaseContext, values: Partial<P>) => SentParameters
}

/**
 * The part of a route that reads a page of a list: parameters, page, total and checks of references, in one
 * round trip. `prepared` is the page, which the route may turn into anything.
 */
export const listRead = <P extends PageParams, R, Owner = unknown>(list: ListSource<P, R, Owner>) => ({
  query: list.params,
  load: (
    context: RequestContext,
    { query: values, fields, id = 0 }: { query: Partial<P>; fields: Fields | undefined; id?: number },
    hasErrors: boolean,
  ) =>
    combineQueries({
      owner: list.owner?.selectById(id, context) ?? resolvedQuery(undefined),
      page: hasErrors
        ? resolvedQuery(NO_ROWS)
        : list.select(context, { values, page: sliceOf(values, context), fields, id }),
      unknown: selectUnknownValues(list.references?.(context, values) ?? []),
    }),
  check: (context: BaseContext, { query: values }: { query: Partial<P> }, errors: ValidationErrors) =>
    list.validate?.(context, values, errors),
  prepare: (
    context: BaseContext,
    { owner, page, unknown }: { owner: Owner | undefined; page: Rows<R>; unknown: readonly UnknownValues[] },
    __: unknown,
    errors: ValidationErrors,
  ): Rows<R> => {
    list.owner?.requireRow(owner, context)
    reportUnknown(errors, unknown)
    return page
  },
})

/**
 * Declares the list of a resource: page, total and checks of references in one round trip, with links and
 * headers.
 */
export function defineList<P extends PageParams, R, Item, Owner = unknown>(
  list: ListDeclaration<P, R, Item, Owner>,
): Route {
  const { id, plural, path = `/${plural}`, summary = `List ${plural}` } = list
  return defineRead({
    path,
    ...(id && { collection: plural }),
    summary,
    requires: list.requires ?? 'read',
    isUncached: list.isUncached ?? false,
    ...listRead(list),
    responses: { 200: id ? bodySchema(id, plural, list.item) : z.array(list.item) },
    headers: LIST_HEADERS,
    errors: [list.noPage, ...(list.errors ?? [])],
    handle: (context, input) => {
      const itemPath = path.replace('{id}', String(input.id))
      const { position, headers } = positionOf(context, { ...list, path: itemPath }, input)
      const items = list.serialize(context, input.prepared.rows)
      return ok(id ? { [plural]: items, ...position } : items, headers)
    },
  })
}

export type Paging<P> = Pick<ListDeclaration<P, never, never>, 'noPage' | 'pageInRestUrl' | 'resolve'>

/**
 * The position of a page in its list: the addresses of the page and its neighbours, totals, and the headers
 * for the same.
 *
 * @param path the path of the route, below the namespace
 * @throws ApiError `noPage` for an empty page after the first
 */
export function positionOf<P extends PageParams>(
  context: BaseContext,
  { path, noPage, pageInRestUrl = true, resolve }: Paging<P> & { path: string },
  {
    prepared: { rows, total, headers },
    query: values,
    sent,
  }: { prepared: Rows<unknown>; query: Partial<P>; sent: SentParameters },
): { position: Position; headers: Record<string, string> } {
  const page = sliceOf(values, context)
  if (rows.length === 0 && page.page > 1) throw new ApiError(noPage, `There is no page ${page.page}.`)
  const pages = Math.ceil(total / page.perPage)
  const size = sizeUsed(sent, values, page)
  const carriedParameters = { ...size.sent, ...resolve?.(context, values) }
  const address = (number: number) => pageAddress(context.api + path, carriedParameters, number)
  const links = {
    ...(page.page < pages && { next_rest_url: address(page.page + 1) }),
    ...(page.page > 1 && { previous_rest_url: address(page.page - 1) }),
  }
  return {
    position: { rest_url: address(pageInRestUrl ? page.page : 1), ...links, total, total_pages: pages },
    headers: {
      ...totalHeaders(total, pages),
      ...linkHeader({ next: links.next_rest_url, prev: links.previous_rest_url }),
      ...size.headers,
      ...headers,
    },
  }
}

const bodySchema = (id: string, plural: string, item: z.ZodMiniType) =>
  namedSchema<ListBody>(id, z.object({ [plural]: z.array(item), ...positionSchemas }))

/**
 * An address with parameters. Lists in them are comma-separated, and values by key have the key in brackets.
 */
export function withQuery(base: string, parameters: SentParameters): string {
  const params = Object.entries(parameters).flatMap(([name, value]) =>
    isObject(value)
      ? Object.entries(value).map(([key, item]) => [`${name}[${key}]`, String(item)])
      : [[name, [value].flat().join(',')]],
  )
  const query = new URLSearchParams(params).toString()
  return query === '' ? base : `${base}?${query}`
}

const pageAddress = (base: string, { page: _, ...others }: SentParameters, page: number): string =>
  withQuery(base, page > 1 ? { ...others, page } : others)

/** The totals in The Events Calendar's headers, under their old and new names. */
const totalHeaders = (total: number, pages: number): Record<string, string> => ({
  'X-TEC-Total': String(total),
  'X-TEC-TotalPages': String(pages),
  'X-WP-Total': String(total),
  'X-WP-TotalPages': String(pages),
})

/** The headers of every list, for its documentation. */
export const LIST_HEADERS = {
  'X-TEC-Total': 'Number of items in the whole list.',
  'X-TEC-TotalPages': 'Number of pages of this size.',
  'X-WP-Total': 'The same as `X-TEC-Total`.',
  'X-WP-TotalPages': 'The same as `X-TEC-TotalPages`.',
  Link: 'The next and the previous page, `rel="next"` and `rel="prev"`, where they exist and their addresses are not too long for a header.',
  ...SIZE_HEADER,
  ...SHORTENED,
}
