import { eq, type SQL, sql } from 'drizzle-orm'
import { type RequestContext, restUrl } from '../../context.ts'
import { type Query, settled } from '../../db/query.ts'
import { type Survivor, selectSurvivor } from '../../db/slugs.ts'
import type { Given, Key } from '../../http/input.ts'
import { withQuery } from '../../http/lists.ts'
import { shortened, type Versioned } from '../../http/reply.ts'
import { ApiError } from '../../lib/errors.ts'
import { assertConditions } from '../../lib/precondition.ts'
import { mayEdit, mayReadUnpublished } from '../../lib/roles.ts'
import { statusAt } from '../../lib/statuses.ts'
import {
  type ContentKind,
  type ContentRow,
  codesOf,
  type NamedTable,
  type Singular,
  type Uses,
} from './kind.ts'
import { isReadable, isRowReadable } from './visibility.ts'

/** A condition for the row that a path names. Slugs are stored in lower case; addresses may have upper case. */
export const hasKey = (table: NamedTable, key: Key): SQL =>
  'id' in key
    ? eq(table.id, key.id)
    : 'slug' in key
      ? eq(table.slug, key.slug.toLowerCase())
      : // The condition of the index as well, so that it is used.
        sql`${table.external_id} = ${key.externalId} AND ${table.external_id} <> ''`

/** Returns the row. @throws ApiError if there is none */
export function assertFound<R>({ singular }: { singular: Singular }, row: R | undefined): R {
  if (row === undefined)
    throw new ApiError(codesOf(singular).notFound, `There is no ${singular} of this id, slug or external id.`)
  return row
}

type KindAndRow<R> = {
  kind: { singular: Singular }
  row: R | undefined
  /** What the row was found by; if absent, an id. */
  key?: Key | undefined
}

/**
 * Tells if a caller may learn that a row is there. Ids only grow, so that everybody knows of them, but slugs and external ids
 * can be guessed, and tell what the hidden thing is.
 */
export const isKnown = (context: RequestContext, row: ContentRow, key: Key | undefined): boolean =>
  key === undefined || 'id' in key || isRowReadable(row, context) || mayReadUnpublished(context.caller, row)

/** Returns the row, if the caller may learn that it is there. @throws ApiError if not */
const assertKnown = <R extends ContentRow>(context: RequestContext, { kind, row, key }: KindAndRow<R>): R =>
  assertFound(kind, row && isKnown(context, row, key) ? row : undefined)

/**
 * Returns the row, if the caller may read it, also if lists hide it.
 *
 * @throws ApiError if there is none, or it is in the trash or not published
 */
export function readable<R extends ContentRow>(
  context: RequestContext,
  { kind, row: stored, key }: KindAndRow<R>,
): R {
  const row = assertKnown(context, { kind, row: stored, key })
  const codes = codesOf(kind.singular)
  if (row.status === 'trash') throw new ApiError(codes.trashed, `This ${kind.singular} is in the trash.`)
  if (!isRowReadable(row, context))
    throw new ApiError(codes.notAccessible, `This ${kind.singular} is not published.`)
  return row
}

/**
 * Returns the row, if the caller may change it.
 *
 * @throws ApiError if there is none, `rest_forbidden` if the caller may not change it, `rest_precondition_failed` if
 *   `If-Match` names another version, or `If-None-Match` this one
 */
export function editable<R extends ContentRow>(
  context: RequestContext,
  { kind, row: stored, key }: KindAndRow<R>,
): R {
  const row = assertKnown(context, { kind, row: stored, key })
  const { caller, now } = context
  if (!mayEdit(caller, { ...row, status: statusAt(row, now) }))
    throw new ApiError('rest_forbidden', `The role ${caller.role} may not change this one.`)
  return assertConditions(context, row)
}

/** The response of a write, which shows the written row. */
export function writtenBody<R extends ContentRow, Body>(
  context: RequestContext,
  { kind, row }: { kind: ContentKind<R, Body>; row: R | undefined },
): Versioned<Body> {
  const written = assertFound(kind, row)
  return versioned(kind, written, kind.serialize(written, context))
}

/** A response that shows one row. */
export const versioned = <R extends ContentRow, Body>(
  { isShortened }: Pick<ContentKind<R, Body>, 'isShortened'>,
  row: R,
  body: Body,
): Versioned<Body> => ({ body, version: row.version, headers: shortened(isShortened?.(row)) })

type Moved = { plural: string; survivor: Survivor; key: Key; given: Given }

/** The error that leads to what something was merged into, by the same kind of address. */
export function moved(
  context: RequestContext,
  { plural, survivor: { id, slug }, key, given }: Moved,
): ApiError {
  const address =
    'slug' in key
      ? `${context.api}/${plural}/by-slug/${encodeURIComponent(slug)}`
      : restUrl(context, plural, id)
  return new ApiError('rest_moved', 'This was merged into something else.', {
    id,
    location: withQuery(address, given),
  })
}

/** The error that leads to the event which is shown in place of another one. */
export const leadsToShown = (id: number, location: string): ApiError =>
  new ApiError('rest_moved', 'This is the same as another event, which is shown in its place.', {
    id,
    location,
  })

type Kind = { singular: Singular; table: NamedTable; uses?: Uses }

/** A query of what the thing of an id or slug was merged into, if that is a kind of thing that can be. */
export function selectMovedTo(
  context: Pick<RequestContext, 'caller' | 'now'>,
  { singular, table, uses }: Kind,
  key: Key,
): Query<Survivor | undefined> {
  if (!uses || singular === 'event' || 'externalId' in key) return settled(undefined)
  const former = 'slug' in key ? { slug: key.slug.toLowerCase() } : key
  return selectSurvivor(singular, former, table, isReadable(table, context))
}
