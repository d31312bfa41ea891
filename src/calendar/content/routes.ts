import * as z from 'zod/mini'
import { type BaseContext, restUrl } from '../../kit/context.ts'
import { combineQueries, first, resolvedQuery } from '../../kit/db/query.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineSharedWrite, defineWrite, type WriteMethod } from '../../kit/http/define-write.ts'
import { externalIdOf, missingFields, type ResourceKey, type SentParameters } from '../../kit/http/input.ts'
import { withQuery } from '../../kit/http/lists.ts'
import { flag } from '../../kit/http/params.ts'
import {
  createdReply,
  LOCATION,
  okVersioned,
  type Reply,
  SHORTENED,
  shortened,
  type Versioned,
} from '../../kit/http/reply.ts'
import { assertMayBeNew } from '../../kit/http/revision.ts'
import type { FieldsSchema, Route } from '../../kit/http/route.ts'
import type { SharedWrites } from '../../kit/http/shared-writes.ts'
import { ApiError, type ValidationErrors } from '../../kit/lib/errors.ts'
import { codedReason, type Reason } from '../../kit/lib/reasons.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import { FIELD_LIMITS, InvalidValue, omit, requireLength } from '../../kit/lib/values.ts'
import { takenIdReason } from './known-references.ts'
import {
  type ContentResource,
  type ContentRow,
  type ContentValues,
  type ContentWrites,
  codesOf,
  type VersionedTable,
  type WriteTypes,
} from './resource.ts'
import type { Survivor } from './slugs.ts'
import { assertNotInTrash, assertUnused, selectUseCount, UNCOUNTED } from './trash.ts'
import {
  isKnown,
  keySql,
  keysSql,
  requireEditableRow,
  requireReadableRow,
  requireRow,
  selectMovedTo,
} from './visibility.ts'

type WrittenContent<R extends ContentRow, Body> = {
  resource: ContentResource<R, Body>
  row: R | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** The response of a write, which shows the written row. @param written.headers further headers */
export function writtenBody<R extends ContentRow, Body>(
  context: BaseContext,
  { resource, row, headers }: WrittenContent<R, Body>,
): Versioned<Body> {
  const writtenRow = requireRow(resource, row)
  const response = versionedBody(resource, writtenRow, resource.serialize(writtenRow, context))
  return { ...response, headers: { ...response.headers, ...headers } }
}

/** The reply to a request that has created content. */
export function createdContent<R extends ContentRow, Body>(
  context: BaseContext,
  written: WrittenContent<R, Body>,
): Reply<201, Body> {
  const { id } = requireRow(written.resource, written.row)
  return createdReply(writtenBody(context, written), restUrl(context, written.resource.plural, id))
}

/** A response that shows one row. */
export const versionedBody = <R extends ContentRow, Body>(
  { isShortened }: Pick<ContentResource<R, Body>, 'isShortened'>,
  row: R,
  body: Body,
): Versioned<Body> => ({ body, version: row.version, headers: shortened(isShortened?.(row)) })

/** The error that redirects from a merged row to the row into which it was merged. */
export const mergedError = (id: number, location: string): ApiError =>
  new ApiError('rest_moved', 'This was merged into something else.', { id, location })

type MovedResource = { plural: string; survivor: Survivor; key: ResourceKey; sent: SentParameters }

/**
 * {@link mergedError}: to an address with a slug if the request has one, otherwise to an address with an id.
 */
export function movedTo(
  context: BaseContext,
  { plural, survivor: { id, slug }, key, sent }: MovedResource,
): ApiError {
  const address =
    'slug' in key
      ? `${context.api}/${plural}/by-slug/${encodeURIComponent(slug)}`
      : restUrl(context, plural, id)
  return mergedError(id, withQuery(address, sent))
}

/** The error that redirects from a duplicate to the event that lists show instead. */
export const duplicateOfError = (id: number, location: string): ApiError =>
  new ApiError('rest_moved', 'This is the same as another event, which is shown instead.', {
    id,
    location,
  })

type NewContent<F> = { fields: FieldsSchema<F>; values: Partial<F> & ContentValues }

/**
 * Adds errors about the external id of a new resource, and about required fields that are absent. An update
 * needs neither check.
 */
function checkNew<F>(externalId: string, { fields, values }: NewContent<F>, errors: ValidationErrors): void {
  const namedId = values.external_id || externalId
  if (externalId === '') errors.add('external_id', 'must not be empty in the address')
  else if (namedId !== externalId)
    errors.add('external_id', 'must be absent or the same as in the address, which creates the resource')
  const reason = reasonAgainst(externalId)
  if (reason) errors.add('external_id', reason)
  const names = Object.keys(fields.shape)
  const present = names.filter(name => Object.hasOwn(values, name) || errors.has(name))
  const missing = missingFields(fields, Object.fromEntries(present.map(name => [name, true])))
  if (missing) errors.fail(missing)
}

function reasonAgainst(externalId: string): Reason | undefined {
  try {
    requireLength(externalId, FIELD_LIMITS.externalId)
    return undefined
  } catch (error) {
    if (error instanceof InvalidValue) return error.reason
    throw error
  }
}

/**
 * Values without an empty external id. A client may send a resource that it has read without an external id
 * to an address with an external id: the resource then gets the external id of the address.
 */
function withoutEmptyId<V extends ContentValues>(values: V): V {
  // The field is optional.
  return values.external_id === '' ? (omit(values, 'external_id') as V) : values
}

/**
 * A request that creates a row, or changes the row that its key names. Some values may be parameters of the
 * address.
 */
type ContentInput<F> = { key: ResourceKey; query: object; body: Partial<F> }

/** The values of the body and of the query, whose parameters are fields too. */
const valuesIn = <F>({ query, body }: ContentInput<F>) => ({ ...query, ...body }) as Partial<F>

/** A prepared request, with the id and the external id of its row. A new row has no id. */
export type PreparedContent<P> = { prepared: P; id: number | undefined; external_id: string | undefined }

/** The rows that requests need: the rows that they change, and the rows that their values refer to. */
type NeededRows<T extends WriteTypes> = {
  stored: readonly T['stored'][]
  referencedRows: T['referencedRows']
}

const rowOf = <S extends ContentRow>({ stored }: { stored: readonly S[] }, key: ResourceKey): S | undefined =>
  stored.find(row =>
    'id' in key
      ? row.id === key.id
      : 'slug' in key
        ? row.slug === key.slug.toLowerCase()
        : row.external_id === key.externalId && key.externalId !== '',
  )

/** The writes of a resource, in the form in which several requests share them. */
const sharedWrites = <T extends WriteTypes>(
  table: VersionedTable,
  writes: ContentWrites<T>,
): SharedWrites<ContentInput<T['fields']>, NeededRows<T>, PreparedContent<T['prepared']>, T['row']> => ({
  isAlone: input => writes.isAlone?.(valuesIn(input)) ?? false,
  load: (context, inputs) => {
    // The path of a request that creates a row has no key.
    const updates = inputs.filter(({ key }) => !('id' in key) || key.id > 0)
    const keys = updates.map(({ key }) => key)
    return combineQueries({
      stored:
        keys.length > 0
          ? writes.selectStored(context, keysSql(table, keys), updates.map(valuesIn))
          : resolvedQuery<T['stored'][]>([]),
      referencedRows: writes.selectReferencedRows(context, inputs.map(valuesIn)),
    })
  },
  *usedNames(input, { prepared, id, external_id }) {
    if (id !== undefined) yield [`row ${id}`, input]
    if (external_id) yield [`external id ${external_id}`, input]
    yield* writes.usedNames?.(prepared) ?? []
  },
  write: (context, requests) =>
    writes.write(
      context,
      requests.map(({ prepared }) => prepared),
    ),
})

/** The indefinite article of each kind. */
export const ARTICLE = { event: 'an', venue: 'a', organizer: 'an' } as const

type ContentParts<T extends WriteTypes, Body> = {
  resource: ContentResource<T['row'], Body>
  fields: FieldsSchema<T['fields']>
  writes: ContentWrites<T>
  shared: ReturnType<typeof sharedWrites<T>>
}

/** The parts of which the routes of a kind of content are built, here and in other APIs. */
export const resourceParts = <T extends WriteTypes, Body>(
  resource: ContentResource<T['row'], Body>,
  fields: FieldsSchema<T['fields']>,
  writes: ContentWrites<T>,
): ContentParts<T, Body> => ({ resource, fields, writes, shared: sharedWrites(resource.table, writes) })

export function createRoute<T extends WriteTypes, Body>(parts: ContentParts<T, Body>): Route {
  const { resource, fields, writes, shared } = parts
  const { singular, plural, response } = resource
  return defineSharedWrite({
    methods: ['POST'],
    path: `/${plural}`,
    summary: `Create ${ARTICLE[singular]} ${singular}`,
    requires: 'edit_content',
    body: fields,
    complete: true,
    responses: { 201: response },
    headers: { ...LOCATION, ...writes.headers },
    shared,
    prepare: (context, { referencedRows }, { body: values }, errors) => ({
      prepared: writes.prepare(context, { values, referencedRows }, errors),
      id: undefined,
      external_id: values.external_id,
    }),
    reply: (context, row) => createdContent(context, { resource, row }),
  })
}

/**
 * The route that creates a resource with an external id, or changes fields of the resource that has the
 * external id. If two requests create it at once, the database refuses the second request, which then runs
 * again and finds the resource.
 */
function upsertRoute<T extends WriteTypes, Body>(parts: ContentParts<T, Body>): Route {
  const { resource, fields, writes, shared } = parts
  const { singular, plural, response } = resource
  return defineSharedWrite({
    methods: ['PUT'],
    path: `/${plural}/by-external-id/{external_id}`,
    summary: `Create the ${singular} with an external id, or update it`,
    requires: 'edit_content',
    ...(writes.options && { query: writes.options }),
    body: fields,
    responses: { 200: response, 201: response },
    errors: ['rest_missing_callback_param'],
    headers: { ...LOCATION, ...writes.headers },
    shared,
    prepare: (context, loaded, input, errors) => {
      const { key } = input
      const row = rowOf(loaded, key)
      const values = withoutEmptyId(valuesIn(input))
      const external_id = externalIdOf(key)
      if (row && !isKnown(context, row, key)) {
        errors.add('external_id', codedReason('taken', takenIdReason(resource, external_id)))
        errors.throwIfAny()
      }
      const stored = row && requireEditableRow(context, { resource, row })
      if (!stored) assertMayBeNew(context)
      if (!stored) checkNew(external_id, { fields, values }, errors)
      // A new resource gets the external id in the address.
      const completeValues = stored ? values : { ...values, external_id }
      const prepared = writes.prepare(
        context,
        { values: completeValues, stored, referencedRows: loaded.referencedRows },
        errors,
      )
      return { prepared, id: stored?.id, external_id: completeValues.external_id }
    },
    reply: (context, row, { id }) =>
      id === undefined
        ? createdContent(context, { resource, row })
        : okVersioned(writtenBody(context, { resource, row })),
  })
}

const forceParams = z.object({
  force: z.optional(flag({ description: 'Delete for good instead of moving to the trash.', default: false })),
})

/** The parameter of deletions of venues and organizers. */
const detachParams = z.object({
  detach: z.optional(
    flag({ description: 'With `force`: also remove it from the events that use it.', default: false }),
  ),
})

type Removal = z.output<typeof forceParams> & Partial<z.output<typeof detachParams>>

export function readRoute<R extends ContentRow, Body>(
  resource: ContentResource<R, Body>,
  path: string,
): Route {
  const { singular, plural, response, table } = resource
  const codes = codesOf(singular)
  // Venues and organizers can be merged, so their former addresses redirect.
  const canMove = resource.uses && !path.includes('{external_id}')
  return defineRead({
    path,
    summary: `Read one ${singular}`,
    requires: 'read',
    responses: { 200: response },
    ...(resource.isShortened && { headers: SHORTENED }),
    errors: [
      ...(canMove || resource.shownBy ? (['rest_moved'] as const) : []),
      codes.notFound,
      codes.notAccessible,
      codes.trashed,
    ],
    load: (context, { key, fields }) =>
      combineQueries({
        row: first(resource.select(context, keySql(table, key), fields)),
        survivor: selectMovedTo(context, resource, key),
      }),
    prepare: (context, { row, survivor }, { key, sent }) => {
      if (survivor && !(row && isKnown(context, row, key)))
        throw movedTo(context, { plural, survivor, key, sent })
      const readableRow = requireReadableRow(context, { resource, row, key })
      const shownId = resource.shownBy?.(readableRow) ?? null
      if (shownId !== null && !mayEdit(context.caller, readableRow))
        throw duplicateOfError(shownId, withQuery(restUrl(context, plural, shownId), sent))
      return readableRow
    },
    handle: (context, { prepared: row }) =>
      okVersioned(versionedBody(resource, row, resource.serializeSingle(row, context))),
  })
}

export function updateRoute<T extends WriteTypes, Body>(
  { resource, fields, writes, shared }: ContentParts<T, Body>,
  path: string,
  methods: readonly WriteMethod[],
): Route {
  const { singular, response } = resource
  return defineSharedWrite({
    methods,
    path,
    summary: `Update one ${singular}`,
    requires: 'edit_content',
    ...(writes.options && { query: writes.options }),
    body: fields,
    responses: { 200: response },
    ...(writes.headers && { headers: writes.headers }),
    errors: [codesOf(singular).notFound],
    shared,
    prepare: (context, loaded, input, errors) => {
      const { key } = input
      const values = valuesIn(input)
      const stored = requireEditableRow(context, { resource, row: rowOf(loaded, key), key })
      const prepared = writes.prepare(
        context,
        { values, stored, referencedRows: loaded.referencedRows },
        errors,
      )
      return { prepared, id: stored.id, external_id: values.external_id }
    },
    reply: (context, row) => okVersioned(writtenBody(context, { resource, row })),
  })
}

export function deleteRoute<T extends WriteTypes, Body>(
  { resource, writes }: ContentParts<T, Body>,
  path: string,
): Route {
  const { singular, response, table } = resource
  const codes = codesOf(singular)
  // The result has the fields of both schemas.
  const removalParams = z.extend(forceParams, {
    ...(resource.uses && detachParams.shape),
    ...writes.options?.shape,
  }) as FieldsSchema<Removal & Partial<T['fields']>>
  return defineWrite({
    methods: ['DELETE'],
    path,
    summary: `Move one ${singular} to the trash, or delete it`,
    requires: 'edit_content',
    query: removalParams,
    body: removalParams,
    responses: { 200: response },
    ...(writes.headers && { headers: writes.headers }),
    errors: [codes.notFound, codes.inTrash, ...(resource.uses ? [resource.uses.code] : [])],
    load: (context, { key, query, body }) => {
      const { force, detach } = { ...body, ...query }
      const condition = keySql(table, key)
      return combineQueries({
        row: first(resource.select(context, condition)),
        uses: force && !detach ? selectUseCount(context, resource, condition) : UNCOUNTED,
      })
    },
    prepare: (context, { row, uses }, { key }) => ({
      row: requireEditableRow(context, { resource, row, key }),
      uses,
    }),
    handle: async (context, { prepared: { row, uses }, query, body }) => {
      const options = { ...body, ...query }
      // No event shows a row in the trash.
      const isDetached = options.detach || row.status === 'trash'
      if (!isDetached) assertUnused(resource, uses)
      if (options.force) {
        const headers = await writes.deleteForGood(context, { row, options, detach: isDetached })
        return okVersioned(writtenBody(context, { resource, row, headers }))
      }
      const prepared = await writes.prepareTrash(context, { row, options })
      assertNotInTrash(resource, row)
      const [trashed] = await writes.write(context, [prepared])
      return okVersioned(
        writtenBody(context, { resource, row: trashed, headers: writes.trashHeaders?.(prepared) }),
      )
    },
  })
}

/** The routes of single resources of a kind, by id, slug and external id, and the route that creates them. */
export function contentRoutes<T extends WriteTypes, Body>(
  resource: ContentResource<T['row'], Body>,
  fields: FieldsSchema<T['fields']>,
  writes: ContentWrites<T>,
): Route[] {
  const parts = resourceParts(resource, fields, writes)
  const { plural } = resource
  const single = (path: string, methods: readonly WriteMethod[]): Route[] => [
    readRoute(resource, path),
    updateRoute(parts, path, methods),
    deleteRoute(parts, path),
  ]
  return [
    createRoute(parts),
    ...single(`/${plural}/{id}`, ['POST', 'PUT', 'PATCH']),
    ...single(`/${plural}/by-slug/{slug}`, ['POST', 'PUT', 'PATCH']),
    // PUT also creates resources.
    upsertRoute(parts),
    ...single(`/${plural}/by-external-id/{external_id}`, ['POST', 'PATCH']),
  ]
}
