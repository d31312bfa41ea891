import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type RequestContext, restUrl } from '../../context.ts'
import { inList, type Query, settled, together } from '../../db/query.ts'
import { type Survivor, selectSurvivor } from '../../db/slugs.ts'
import type { Key, SentParameters } from '../../http/input.ts'
import { withQuery } from '../../http/lists.ts'
import { created, type Reply, shortened, type Versioned } from '../../http/reply.ts'
import { assertConditions } from '../../http/revision.ts'
import type { SharedWrites } from '../../http/shared-writes.ts'
import { ApiError } from '../../lib/errors.ts'
import { mayEdit, mayReadUnpublished } from '../../lib/roles.ts'
import { statusAt } from '../../lib/statuses.ts'
import {
  type ContentResource,
  type ContentRow,
  type ContentValues,
  type ContentWrites,
  codesOf,
  type NamedTable,
  type Singular,
  type Uses,
} from './resource.ts'
import { isReadable, isRowReadable } from './visibility.ts'

/** A condition for the row that a path names. Slugs are stored in lower case; addresses may have upper case. */
export const hasKey = (table: NamedTable, key: Key): SQL =>
  'id' in key
    ? eq(table.id, key.id)
    : 'slug' in key
      ? eq(table.slug, key.slug.toLowerCase())
      : // Repeats the condition of the index, so that SQLite uses it.
        sql`${table.external_id} = ${key.externalId} AND ${table.external_id} <> ''`

/** Returns the row. @throws ApiError if there is none */
export function assertFound<R>({ singular }: { singular: Singular }, row: R | undefined): R {
  if (row === undefined)
    throw new ApiError(codesOf(singular).notFound, `There is no ${singular} of this id, slug or external id.`)
  return row
}

type ResourceAndRow<R> = {
  resource: { singular: Singular }
  row: R | undefined
  /** The key by which the row was found; if absent, an id. */
  key?: Key | undefined
}

/**
 * Tells whether a caller may learn that a row exists. Ids are consecutive and reveal nothing, but a guessed slug or
 * external id would tell what the hidden row is about.
 */
export const isKnown = (context: RequestContext, row: ContentRow, key: Key | undefined): boolean =>
  key === undefined || 'id' in key || isRowReadable(row, context) || mayReadUnpublished(context.caller, row)

/** Returns the row, if the caller may learn that it exists. @throws ApiError if not */
const assertKnown = <R extends ContentRow>(
  context: RequestContext,
  { resource, row, key }: ResourceAndRow<R>,
): R => assertFound(resource, row && isKnown(context, row, key) ? row : undefined)

/**
 * Returns the row if the caller may read it, even if lists hide it.
 *
 * @throws ApiError if there is none, or it is in the trash or not published
 */
export function readable<R extends ContentRow>(
  context: RequestContext,
  { resource, row: stored, key }: ResourceAndRow<R>,
): R {
  const row = assertKnown(context, { resource, row: stored, key })
  const codes = codesOf(resource.singular)
  if (row.status === 'trash') throw new ApiError(codes.trashed, `This ${resource.singular} is in the trash.`)
  if (!isRowReadable(row, context))
    throw new ApiError(codes.notAccessible, `This ${resource.singular} is not published.`)
  return row
}

/**
 * Returns the row if the caller may change it.
 *
 * @throws ApiError if there is none, `rest_forbidden` if the caller may not change it, `rest_precondition_failed` if
 *   `If-Match` names another version, or `If-None-Match` this one
 */
export function editable<R extends ContentRow>(
  context: RequestContext,
  { resource, row: stored, key }: ResourceAndRow<R>,
): R {
  const row = assertKnown(context, { resource, row: stored, key })
  const { caller, now } = context
  if (!mayEdit(caller, { ...row, status: statusAt(row, now) }))
    throw new ApiError('rest_forbidden', `The role ${caller.role} may not change this one.`)
  return assertConditions(context, row)
}

/** The response of a write, which shows the written row. */
export function writtenBody<R extends ContentRow, Body>(
  context: RequestContext,
  { resource, row }: { resource: ContentResource<R, Body>; row: R | undefined },
): Versioned<Body> {
  const written = assertFound(resource, row)
  return versioned(resource, written, resource.serialize(written, context))
}

/** The reply to a request that has created content. */
export function createdContent<R extends ContentRow, Body>(
  context: RequestContext,
  written: { resource: ContentResource<R, Body>; row: R | undefined },
): Reply<201, Body> {
  const { id } = assertFound(written.resource, written.row)
  return created(writtenBody(context, written), restUrl(context, written.resource.plural, id))
}

/** A response that shows one row. */
export const versioned = <R extends ContentRow, Body>(
  { isShortened }: Pick<ContentResource<R, Body>, 'isShortened'>,
  row: R,
  body: Body,
): Versioned<Body> => ({ body, version: row.version, headers: shortened(isShortened?.(row)) })

type Moved = { plural: string; survivor: Survivor; key: Key; sent: SentParameters }

/** The error that redirects to the row into which another one was merged, by the same kind of key. */
export function moved(
  context: RequestContext,
  { plural, survivor: { id, slug }, key, sent }: Moved,
): ApiError {
  const address =
    'slug' in key
      ? `${context.api}/${plural}/by-slug/${encodeURIComponent(slug)}`
      : restUrl(context, plural, id)
  return new ApiError('rest_moved', 'This was merged into something else.', {
    id,
    location: withQuery(address, sent),
  })
}

/** The error that redirects from a duplicate to the event that lists show in its place. */
export const leadsToShown = (id: number, location: string): ApiError =>
  new ApiError('rest_moved', 'This is the same as another event, which is shown instead.', {
    id,
    location,
  })

type NamedResource = { singular: Singular; table: NamedTable; uses?: Uses }

/** A query for the row into which the venue or organizer with an id or slug was merged. Events are never merged. */
export function selectMovedTo(
  context: Pick<RequestContext, 'caller' | 'now'>,
  { singular, table, uses }: NamedResource,
  key: Key,
): Query<Survivor | undefined> {
  if (!uses || singular === 'event' || 'externalId' in key) return settled(undefined)
  const former = 'slug' in key ? { slug: key.slug.toLowerCase() } : key
  return selectSurvivor(singular, former, table, isReadable(table, context))
}

/** A request that writes content: it creates a row, or changes the one that its key names. */
export type ContentWrite<F> = { key?: Key | undefined; values: Partial<F> }

/** A prepared request. `id` and `external_id` are those of its row; a new row has no id. */
export type PreparedContent<P> = { prepared: P; id: number | undefined; external_id: string | undefined }

/** The rows that requests need: those that they change, and those that their values refer to. */
export type FoundContent<S, L> = { stored: readonly S[]; found: L }

/** The stored row that a key names. */
export const rowOf = <S extends ContentRow>({ stored }: { stored: readonly S[] }, key: Key): S | undefined =>
  stored.find(row =>
    'id' in key
      ? row.id === key.id
      : 'slug' in key
        ? row.slug === key.slug.toLowerCase()
        : row.external_id === key.externalId && key.externalId !== '',
  )

/** A condition for the rows that some keys name. */
function hasKeys(table: NamedTable, keys: readonly Key[]): SQL {
  const [first] = keys
  if (first && keys.length === 1) return hasKey(table, first)
  const ids = keys.flatMap(key => ('id' in key ? [key.id] : []))
  const slugs = keys.flatMap(key => ('slug' in key ? [key.slug.toLowerCase()] : []))
  const externalIds = keys.flatMap(key => ('externalId' in key ? [key.externalId] : []))
  const conditions = [
    ...(ids.length > 0 ? [inArray(table.id, inList(ids))] : []),
    ...(slugs.length > 0 ? [inArray(table.slug, inList(slugs))] : []),
    // Repeats the condition of the index, so that SQLite uses it.
    ...(externalIds.length > 0
      ? [sql`(${table.external_id} IN ${inList(externalIds)} AND ${table.external_id} <> '')`]
      : []),
  ]
  return sql`(${sql.join(conditions, sql` OR `)})`
}

/** The writes of a resource, in the form in which several requests share them. */
export const sharedWrites = <R extends ContentRow, S extends ContentRow, L, P, Body, F extends ContentValues>(
  { table }: Pick<ContentResource<R, Body>, 'table'>,
  writes: ContentWrites<F, S, L, P, Body, R>,
): SharedWrites<ContentWrite<F>, FoundContent<S, L>, PreparedContent<P>, R> => ({
  isAlone: ({ values }) => writes.isAlone?.(values) ?? false,
  load: (context, items) => {
    const updates = items.flatMap(({ key, values }) => (key ? [{ key, values }] : []))
    return together({
      stored:
        updates.length === 0
          ? settled<S[]>([])
          : writes.selectStored(
              context,
              hasKeys(
                table,
                updates.map(({ key }) => key),
              ),
              updates.map(({ values }) => values),
            ),
      found: writes.lookUp(
        context,
        items.map(({ values }) => values),
      ),
    })
  },
  *usedNames(item, { prepared, id, external_id }) {
    if (id !== undefined) yield [`row ${id}`, item]
    if (external_id) yield [`external id ${external_id}`, item]
    yield* writes.usedNames?.(prepared) ?? []
  },
  write: (context, all) =>
    writes.write(
      context,
      all.map(({ prepared }) => prepared),
    ),
})
