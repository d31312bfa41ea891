import * as z from 'zod/mini'
import type { RequestContext, SerializeContext } from '../../context.ts'
import { mapped, type Query } from '../../db/query.ts'
import type { Reference } from '../../db/references.ts'
import {
  LIST_HEADERS,
  listRead,
  type Page,
  type PageParams,
  positionOf,
  type Rows,
} from '../../http/lists.ts'
import { ok } from '../../http/reply.ts'
import { defineRoute, type FieldsSchema, type Route } from '../../http/route.ts'
import { ApiError, invalidParams, type ValidationErrors } from '../../lib/errors.ts'
import type { Reason, ReasonCode } from '../../lib/reasons.ts'
import { may, mayEdit } from '../../lib/roles.ts'
import type { Status } from '../../lib/statuses.ts'
import { capitalized } from '../../lib/text.ts'
import { isObject } from '../../lib/values.ts'
import {
  type ContentResource,
  type ContentValues,
  type ContentWrites,
  codesOf,
  type WriteTypes,
} from '../../resources/content/resource.ts'
import { createRoute, deleteRoute, partsOf, readRoute, updateRoute } from '../../resources/content/routes.ts'
import { paramsIn } from './shapes.ts'

// The routes of an entity are those of the calendar's own resource, with other responses, other names of fields and other
// parameters. Rights, conflicts, audit and caches are therefore the same.

type FieldRows = Parameters<typeof paramsIn>[0]

/** Values by the names that they have in the calendar's own API. The checks of the table have made them. */
const ownValues = (rows: FieldRows, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [rows[name]?.own ?? name, value]))

/** An error about parameters, by their names in the entity. Others stay as they are. */
function renamed(rows: FieldRows, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'rest_invalid_param') return error
  const { params, details } = error.data
  const names = new Map(Object.entries(rows).map(([name, { own }]) => [own, name]))
  const reasons = Object.entries(isObject(params) ? params : {}).map(([own, message]): [string, Reason] => {
    const detail: unknown = isObject(details) ? details[own] : undefined
    const reason = isObject(detail)
      ? // As `detailsOf` makes it.
        { code: detail.code as ReasonCode, message: String(message), values: { ...Object(detail.data) } }
      : String(message)
    return [names.get(own) ?? own, reason]
  })
  return invalidParams(new Map(reasons))
}

type EntityDeclaration<T extends WriteTypes, Body, V, Q extends PageParams> = {
  /** The resource, with the entity as its response. */
  resource: ContentResource<T['row'], Body>
  writes: ContentWrites<T>
  rows: FieldRows
  /** Works out values that depend on others, or on the stored row. */
  complete?: (
    context: RequestContext,
    input: { values: Partial<T['fields']>; stored: T['stored'] | undefined },
    errors: ValidationErrors,
  ) => Partial<T['fields']>
  params: FieldsSchema<Q>
  /** The filters of the calendar's own list. */
  filters: (values: Partial<Q>) => V & { status?: readonly Status[] | undefined }
  select: (context: RequestContext, input: { values: V; page: Page }) => Query<Rows<T['row']>>
  references: (context: RequestContext, values: V) => Reference[]
}

/** Writes that take the fields of an entity. */
function writesOf<T extends WriteTypes, Body, V, Q extends PageParams>({
  resource: { singular },
  writes,
  rows,
  complete = (_, { values }) => values,
}: EntityDeclaration<T, Body, V, Q>): ContentWrites<Omit<T, 'fields'> & { fields: ContentValues }> {
  // The rows name the fields of T, with values that their writes take.
  const own = (values: object) => ownValues(rows, values) as Partial<T['fields']>
  const { options: _, isAlone, ...same } = writes
  return {
    ...same,
    ...(isAlone && { isAlone: values => isAlone(own(values)) }),
    selectStored: (context, condition, values) => writes.selectStored(context, condition, values.map(own)),
    lookUp: (context, values) => writes.lookUp(context, values.map(own)),
    prepare: (context, { values, found, stored }, errors) => {
      if (stored?.status === 'trash')
        throw new ApiError(codesOf(singular).notFound, `This ${singular} is in the trash.`)
      const all = errors.copy()
      try {
        const completed = complete(context, { values: own(values), stored }, all)
        const prepared = writes.prepare(context, { values: completed, found, stored }, all)
        all.throwIfAny()
        return prepared
      } catch (error) {
        throw renamed(rows, error)
      }
    },
    prepareTrash: (context, { row }) => writes.prepareTrash(context, { row, options: {} }),
    deleteForGood: (context, input) => writes.deleteForGood(context, { ...input, options: {} }),
  }
}

/** The routes of an entity: list, create, read, update and delete. */
export function routesOfEntity<T extends WriteTypes, Body, V, Q extends PageParams>(
  entity: EntityDeclaration<T, Body, V, Q>,
): Route[] {
  const { resource, rows, params, filters, select, references } = entity
  const { plural, response, singular } = resource
  const path = `/${plural}`
  const noPage = 'tec_rest_organizers_page_not_found'
  const fields = z.object(paramsIn(rows)).register(z.globalRegistry, {
    id: `Tec${capitalized(singular)}Fields`,
  }) as unknown as FieldsSchema<ContentValues> // Its values are those of the rows.
  const own = ({ caller }: RequestContext, values: Partial<Q>) => {
    const found = filters(values)
    return {
      ...found,
      status: may(caller, 'edit_content') ? (found.status ?? (['publish'] as const)) : (['publish'] as const),
    }
  }
  const list = defineRoute({
    methods: ['GET'],
    path,
    summary: `List ${plural}`,
    requires: 'read',
    ...listRead<Q, T['row']>({
      params,
      select: (context, { values, page }) => select(context, { values: own(context, values), page }),
      references: (context, values) => references(context, own(context, values)),
    }),
    responses: { 200: z.array(response) },
    headers: LIST_HEADERS,
    errors: [noPage, 'rest_moved'],
    handle: (context, input) => {
      const { headers } = positionOf<Q>(context, { path, noPage }, input)
      return ok(
        input.prepared.rows.map(row => resource.serialize(row, context)),
        headers,
      )
    },
  })
  const writes = writesOf(entity)
  const parts = partsOf(resource, fields, writes)
  // Whoever may edit what is in the trash learns that it is gone, and others that they may not read it.
  const withoutTrash = (context: SerializeContext) => (found: T['row'][]) =>
    found.filter(row => row.status !== 'trash' || !mayEdit(context.caller, row))
  const read: ContentResource<T['row'], Body> = {
    ...resource,
    select: (context, condition) => mapped(resource.select(context, condition), withoutTrash(context)),
  }
  const none = (): never[] => []
  const removed: ContentResource<T['row'], never[]> = {
    ...resource,
    response: z.array(z.never()),
    serialize: none,
    serializeSingle: none,
  }
  const refused = ['rest_unauthenticated', 'rest_forbidden'] as const
  const { notFound } = codesOf(singular)
  const errors = [
    ...(resource.uses || resource.shownBy ? (['rest_moved'] as const) : []),
    notFound,
    ...refused,
  ]
  const one = `${path}/{id}`
  return [
    list,
    createRoute(parts),
    { ...readRoute(read, one), errors },
    updateRoute(parts, one, ['PUT', 'PATCH']),
    deleteRoute(partsOf(removed, fields, writes), one),
  ]
}
