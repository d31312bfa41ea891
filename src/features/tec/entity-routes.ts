import * as z from 'zod/mini'
import {
  type ContentResource,
  type ContentRow,
  type ContentValues,
  type ContentWrites,
  codesOf,
  type WriteTypes,
} from '../../calendar/content/resource.ts'
import {
  createRoute,
  deleteRoute,
  readRoute,
  resourceParts,
  updateRoute,
} from '../../calendar/content/routes.ts'
import type { BaseContext, SerializeContext } from '../../kit/context.ts'
import { mapQuery } from '../../kit/db/query.ts'
import { defineList, type ListSource, type PageParams } from '../../kit/http/lists.ts'
import { documented } from '../../kit/http/params.ts'
import type { FieldsSchema, Route } from '../../kit/http/route.ts'
import { ApiError, withRenamedParams } from '../../kit/lib/errors.ts'
import { may, mayEdit } from '../../kit/lib/roles.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import { capitalized } from '../../kit/lib/text.ts'
import type { EntityFields, EntitySource } from './fields.ts'

// The routes of an entity are those of the calendar's own resource, with other responses, other names of
// fields and other parameters. So rights, conflicts, audit and caches are the same.

type Entity = Readonly<Record<string, unknown>>

/** A resource whose responses are entities. */
export type EntityResource<R extends ContentRow> = ContentResource<R, Entity> & {
  fields: FieldsSchema<ContentValues>
  /** For each field of the entity that sets a field of the calendar's own API: the name of that field. */
  sets: ReadonlyMap<string, string>
}

/** Makes a resource that shows its rows as entities with these fields. */
export function defineEntity<R extends ContentRow, Own>(
  resource: ContentResource<R, Own>,
  table: EntityFields<EntitySource<R, Own>>,
): EntityResource<R> {
  const id = `Tec${capitalized(resource.singular)}`
  const fields = Object.entries(table)
  const params = fields.flatMap(([name, { param }]) => (param ? [[name, param] as const] : []))
  const serialize = (row: R, context: SerializeContext): Entity => {
    const source = { row, serialized: resource.serialize(row, context) }
    return Object.fromEntries(fields.map(([name, { value }]) => [name, value(source, context)]))
  }
  return {
    ...resource,
    response: z.lazy(() =>
      documented(z.object(Object.fromEntries(fields.map(([name, { response }]) => [name, response]))), {
        id,
      }),
    ),
    serialize,
    serializeSingle: serialize,
    fields: documented(z.object(Object.fromEntries(params)), {
      id: `${id}Fields`,
    }) as FieldsSchema<ContentValues>, // The table has these fields.
    sets: new Map(fields.map(([name, { sets = name }]) => [name, sets])),
  }
}

function writesOf<T extends WriteTypes>(
  { singular, sets }: EntityResource<T['row']>,
  writes: ContentWrites<T>,
): ContentWrites<Omit<T, 'fields'> & { fields: ContentValues }> {
  const ownValues = (values: object) =>
    // The table names the fields of T, and its params return values that these writes accept.
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [sets.get(name) ?? name, value]),
    ) as Partial<T['fields']>
  const entityNames = new Map([...sets].map(([name, set]) => [set, name]))
  const { options: _, isAlone, ...sharedWrites } = writes
  return {
    ...sharedWrites,
    ...(isAlone && { isAlone: values => isAlone(ownValues(values)) }),
    selectStored: (context, condition, values) =>
      writes.selectStored(context, condition, values.map(ownValues)),
    selectReferencedRows: (context, values) => writes.selectReferencedRows(context, values.map(ownValues)),
    prepare: (context, { values, referencedRows, stored }, errors) => {
      if (stored?.status === 'trash')
        throw new ApiError(codesOf(singular).notFound, `This ${singular} is in the trash.`)
      try {
        const preparedRow = writes.prepare(
          context,
          { values: ownValues(values), referencedRows, stored },
          errors,
        )
        errors.throwIfAny()
        return preparedRow
      } catch (error) {
        throw withRenamedParams(error, name => entityNames.get(name) ?? name)
      }
    },
    prepareTrash: (context, { row }) => writes.prepareTrash(context, { row, options: {} }),
    deleteForGood: (context, input) => writes.deleteForGood(context, { ...input, options: {} }),
  }
}

type EntityDeclaration<T extends WriteTypes, Q> = ListSource<Q, T['row']> & {
  resource: EntityResource<T['row']>
  writes: ContentWrites<T>
}

/** The routes of an entity: list, create, read, update and delete. */
export function routesOfEntity<
  T extends WriteTypes,
  Q extends PageParams & { status?: readonly Status[] | undefined },
>({ resource, writes: ownWrites, params, select, references }: EntityDeclaration<T, Q>): Route[] {
  const { plural, response, fields, singular } = resource
  const itemPath = `/${plural}/{id}`
  const { notFound } = codesOf(singular)
  const permittedValues = ({ caller }: BaseContext, values: Partial<Q>): Partial<Q> =>
    values.status && may(caller, 'edit_content') ? values : { ...values, status: ['publish'] }
  const list = defineList<Q, T['row'], Entity>({
    plural,
    item: response,
    params,
    // The plugin sends this code for every entity.
    noPage: 'tec_rest_organizers_page_not_found',
    errors: ['rest_moved'],
    select: (context, input) => select(context, { ...input, values: permittedValues(context, input.values) }),
    ...(references && { references }),
    serialize: (context, rows) => rows.map(row => resource.serialize(row, context)),
  })
  const writes = writesOf(resource, ownWrites)
  const parts = resourceParts(resource, fields, writes)
  // Callers who may edit trashed content learn that it is gone; others, that they may not read it.
  const withoutTrash = (context: SerializeContext) => (rows: T['row'][]) =>
    rows.filter(row => row.status !== 'trash' || !mayEdit(context.caller, row))
  const readableResource: ContentResource<T['row'], Entity> = {
    ...resource,
    select: (context, condition) => mapQuery(resource.select(context, condition), withoutTrash(context)),
  }
  const removedResource: ContentResource<T['row'], never[]> = {
    ...resource,
    response: z.array(z.never()),
    serialize: () => [],
    serializeSingle: () => [],
  }
  return [
    list,
    createRoute(parts),
    {
      ...readRoute(readableResource, itemPath),
      errors: ['rest_moved', notFound, 'rest_unauthenticated', 'rest_forbidden'],
    },
    updateRoute(parts, itemPath, ['PUT', 'PATCH']),
    deleteRoute(resourceParts(removedResource, fields, writes), itemPath),
  ]
}
