import { eq, type SQL } from 'drizzle-orm'
import type { RequestContext } from '../context.ts'
import type { Key } from '../http/input.ts'
import { shortened, type Versioned } from '../http/reply.ts'
import { ApiError } from '../lib/errors.ts'
import { assertMatch } from '../lib/precondition.ts'
import { mayEdit } from '../lib/roles.ts'
import { statusAt } from '../lib/statuses.ts'
import { type ContentKind, type ContentRow, codesOf, type NamedTable, type Singular } from './kind.ts'
import { isRowReadable } from './visibility.ts'

/** A condition for the row that a path names. Slugs are lower case, addresses in the wild are not always. */
export const hasKey = (table: NamedTable, key: Key): SQL =>
  'id' in key ? eq(table.id, key.id) : eq(table.slug, key.slug.toLowerCase())

/** @throws ApiError if there is no such row */
export function found<R>({ singular }: { singular: Singular }, row: R | undefined): R {
  if (row === undefined)
    throw new ApiError(codesOf(singular).notFound, `There is no ${singular} of this id or slug.`)
  return row
}

type Looked<R> = { kind: { singular: Singular }; row: R | undefined }

/**
 * The row, which the caller may read; listing flags don't matter.
 *
 * @throws ApiError if it is not there, in the trash or hidden
 */
export function readable<R extends ContentRow>(context: RequestContext, { kind, row: looked }: Looked<R>): R {
  const row = found(kind, looked)
  const codes = codesOf(kind.singular)
  if (row.status === 'trash') throw new ApiError(codes.trashed, `This ${kind.singular} is in the trash.`)
  if (!isRowReadable(row, context))
    throw new ApiError(codes.notAccessible, `This ${kind.singular} is not published.`)
  return row
}

/**
 * The row, which the caller may change.
 *
 * @throws ApiError if it is not there, `rest_forbidden` if it is somebody else's, `rest_precondition_failed` if it is not
 *   the version that the caller has in mind
 */
export function editable<R extends ContentRow>(
  { caller, now, ifMatch }: RequestContext,
  { kind, row: looked }: Looked<R>,
): R {
  const row = found(kind, looked)
  if (!mayEdit(caller, { ...row, status: statusAt(row, now) }))
    throw new ApiError('rest_forbidden', `The role ${caller.role} may not change this one.`)
  assertMatch(ifMatch, row.version)
  return row
}

/** The response of a write: the row that it left. */
export function writtenBody<R extends ContentRow, Body>(
  context: RequestContext,
  { kind, row }: { kind: ContentKind<R, Body>; row: R | undefined },
): Versioned<Body> {
  const written = found(kind, row)
  return versioned(kind, written, kind.serialize(written, context))
}

/** A response that shows one row. */
export const versioned = <R extends ContentRow, Body>(
  { isShortened }: Pick<ContentKind<R, Body>, 'isShortened'>,
  row: R,
  body: Body,
): Versioned<Body> => ({ body, version: row.version, headers: shortened(isShortened?.(row)) })
