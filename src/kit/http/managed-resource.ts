import type * as z from 'zod/mini'
import { type BaseContext, type RequestContext, restUrl } from '../context.ts'
import { combineQueries, type Query } from '../db/query.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import { ApiError, type ValidationErrors } from '../lib/errors.ts'
import type { Capability } from '../lib/roles.ts'
import { defineRead } from './define-read.ts'
import { defineWrite } from './define-write.ts'
import {
  defineList,
  type ListDeclaration,
  type ListSlice,
  type PageParams,
  plainList,
  type Rows,
} from './lists.ts'
import { createdReply, LOCATION, okVersioned } from './reply.ts'
import { requireVersion } from './revision.ts'
import type { FieldsSchema, Route } from './route.ts'

// Sources, webhooks and the like: rows that editors and administrators manage, and that nobody else sees.

export type ManagedRow = { id: number; version: number }

/** A written row, and fields that only the response to this request shows, such as a secret. */
export type WrittenRow<Row, Item> = { row: Row; once?: Partial<Item> }

type ManagedResource<Name extends string, Row extends ManagedRow, Item, Fields, Needed, Prepared, Params> = {
  singular: Name
  /** Its name in the documentation: `Webhook`. */
  id: string
  item: z.ZodMiniType<Item>
  fields: FieldsSchema<Fields>
  requires: Capability
  limit: number
  /** The error of a new row beyond the limit. */
  tooMany: ErrorCode
  /** The error that `requireRow` throws. */
  notFound: ErrorCode
  /** The error of a page of the list beyond the last. */
  noPage: ErrorCode
  summaries: { create: string; remove?: string }
  /** Throws ApiError if the calendar lacks what the resource needs. */
  assertAvailable?: (context: RequestContext) => void
  errors?: readonly ErrorCode[]
  asksElsewhere?: boolean
  /** The parameters of a request that deletes. */
  removal?: FieldsSchema<Params>
  selectCount: Query<number>
  selectPage: (page: ListSlice, context: BaseContext) => Query<Rows<Row>>
  selectById: (id: number, context: BaseContext) => Query<Row | undefined>
  requireRow: <T>(row: T | undefined) => T
  serialize: (row: Row, context: BaseContext) => Item
  /** A query for the rows on which a write of these fields depends. */
  selectNeeded: (context: BaseContext, values: Partial<Fields>) => Query<Needed>
  /** Prepares a write, or adds errors. `fields` are the names of the fields in the request. */
  prepare: (
    context: RequestContext,
    input: { values: Partial<Fields>; fields: string[]; stored: Row | undefined; needed: Needed },
    errors: ValidationErrors,
  ) => Prepared
  write: (context: RequestContext, prepared: Prepared) => Promise<WrittenRow<Row, Item>>
  remove: (context: RequestContext, row: Row, query: Partial<Params>) => Promise<void>
}

type ListOfOne<Params extends PageParams, D, Item> = Pick<
  ListDeclaration<Params, D, Item>,
  'id' | 'plural' | 'summary' | 'item' | 'params' | 'noPage' | 'serialize'
> & { select: (id: number, input: { values: Partial<Params>; page: ListSlice }) => Query<Rows<D>> }

/**
 * Declares a managed resource: its routes to list, create, read, update and delete, and the parts of further
 * routes about one row. Pages of the editor are made of the same value (`editor/managed.ts`).
 */
export function defineManaged<
  Name extends string,
  Row extends ManagedRow,
  Item,
  Fields,
  Needed,
  Prepared,
  Params = Record<never, never>,
>(resource: ManagedResource<Name, Row, Item, Fields, Needed, Prepared, Params>) {
  const { singular, item, requires, limit, selectPage, selectById, requireRow, serialize, summaries } =
    resource
  const plural = `${singular}s`
  const path = `/${plural}/{id}`
  const generalErrors = resource.errors ?? []
  const asksElsewhere = resource.asksElsewhere ?? false
  const replyOf = (context: BaseContext, { row, once }: WrittenRow<Row, Item>) => ({
    body: { ...serialize(row, context), ...once },
    version: row.version,
  })

  /** The parts of routes about one row. */
  const ofOne = {
    requires,
    errors: [resource.notFound, ...generalErrors],
    load: (context: RequestContext, { id }: { id: number }): Query<Row | undefined> => {
      resource.assertAvailable?.(context)
      return selectById(id, context)
    },
    prepare: (_: BaseContext, row: Row | undefined): Row => requireRow(row),
  }

  const list = defineList({
    id: `${resource.id}List`,
    plural,
    item,
    params: plainList,
    requires,
    isUncached: true,
    noPage: resource.noPage,
    errors: generalErrors,
    select: (context, { page }) => {
      resource.assertAvailable?.(context)
      return selectPage(page, context)
    },
    serialize: (context, rows) => rows.map(row => serialize(row, context)),
  })

  const create = defineWrite({
    methods: ['POST'],
    path: `/${plural}`,
    summary: summaries.create,
    requires,
    asksElsewhere,
    body: resource.fields,
    complete: true,
    responses: { 201: item },
    headers: LOCATION,
    errors: [resource.tooMany, ...generalErrors],
    load: (context, { body }) => {
      resource.assertAvailable?.(context)
      return combineQueries({ count: resource.selectCount, needed: resource.selectNeeded(context, body) })
    },
    prepare: (context, { count, needed }, { body: values }, errors) => {
      if (count >= limit) throw new ApiError(resource.tooMany, `There are ${limit} ${plural} already.`)
      return resource.prepare(
        context,
        { values, fields: Object.keys(values), stored: undefined, needed },
        errors,
      )
    },
    handle: async (context, { prepared }) => {
      const written = await resource.write(context, prepared)
      return createdReply(replyOf(context, written), restUrl(context, plural, written.row.id))
    },
  })

  const read = defineRead({
    ...ofOne,
    path,
    summary: `Read one ${singular}`,
    isUncached: true,
    responses: { 200: item },
    handle: (context, { prepared: row }) => okVersioned(replyOf(context, { row })),
  })

  const change = defineWrite({
    ...ofOne,
    methods: ['POST', 'PUT', 'PATCH'],
    path,
    summary: `Update one ${singular}`,
    asksElsewhere,
    body: resource.fields,
    responses: { 200: item },
    load: (context, input) =>
      combineQueries({ row: ofOne.load(context, input), needed: resource.selectNeeded(context, input.body) }),
    prepare: (context, { row, needed }, { body: values }, errors) => {
      const stored = requireVersion(context, requireRow(row))
      return resource.prepare(context, { values, fields: Object.keys(values), stored, needed }, errors)
    },
    handle: async (context, { prepared }) =>
      okVersioned(replyOf(context, await resource.write(context, prepared))),
  })

  const remove = defineWrite({
    ...ofOne,
    methods: ['DELETE'],
    path,
    summary: summaries.remove ?? `Delete one ${singular}`,
    ...(resource.removal && { query: resource.removal }),
    responses: { 200: item },
    prepare: (context, row) => requireVersion(context, requireRow(row)),
    handle: async (context, { prepared: row, query }) => {
      await resource.remove(context, row, query)
      return okVersioned(replyOf(context, { row }))
    },
  })

  /** The list of what belongs to one row, such as its deliveries. */
  const listOfOne = <L extends PageParams, D, I>({ select, ...declared }: ListOfOne<L, D, I>): Route =>
    defineList({
      ...declared,
      path: `${path}/${declared.plural}`,
      requires,
      isUncached: true,
      errors: ofOne.errors,
      owner: { selectById, requireRow },
      select: (context, { id, values, page }) => {
        resource.assertAvailable?.(context)
        return select(id, { values, page })
      },
    })

  const routes: Route[] = [list, create, read, change, remove]
  return {
    singular,
    requires,
    limit,
    selectPage,
    selectById,
    requireRow,
    serialize,
    routes,
    ofOne,
    listOfOne,
  }
}
