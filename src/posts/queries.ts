import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import type { Versioned } from '../http/reply.ts'
import type { Key } from '../http/route.ts'
import { ApiError } from '../lib/errors.ts'
import { mayReadUnpublished } from '../lib/roles.ts'
import { statusAt } from '../lib/statuses.ts'
import type { View } from '../view.ts'
import { codesOf, type PostKind, type PostRow, type Posts, type Singular } from './kind.ts'

/** The row that a path names. Slugs are lower case, addresses in the wild are not always. */
export const hasKey = (table: Posts, key: Key): SQL =>
  'id' in key ? sql`${table.id} = ${key.id}` : sql`${table.slug} = ${key.slug.toLowerCase()}`

/** @throws ApiError if there is no such row */
export function demandFound<R extends PostRow>({ singular }: { singular: Singular }, row: R | undefined): R {
  if (!row) throw new ApiError(codesOf(singular).notFound, `There is no ${singular} of this id or slug.`)
  return row
}

/** Whether the caller may see a row, wherever it turns up. */
export const isReadable = (row: PostRow, view: View): boolean =>
  statusAt(row, view.now) === 'publish' || (row.status !== 'trash' && mayReadUnpublished(view.caller, row))

/**
 * One post, whatever its listing flags say.
 *
 * @throws ApiError if it isn't there or not for the caller to read
 */
export async function readPost<R extends PostRow, A>(
  db: Database,
  kind: PostKind<R, A>,
  key: Key,
  view: View,
): Promise<Versioned<A>> {
  const [found] = await db.get(kind.select(hasKey(kind.table, key)))
  const row = demandFound(kind, found)
  const codes = codesOf(kind.singular)
  if (row.status === 'trash') throw new ApiError(codes.trashed, `This ${kind.singular} is in the trash.`)
  if (!isReadable(row, view))
    throw new ApiError(codes.notAccessible, `This ${kind.singular} is not published.`)
  return { answer: kind.serializeSingle(row, view), version: row.version }
}

/** What a write answers with: the row that it left, as the caller may see it. */
export const answerOf = <R extends PostRow, A>(
  kind: PostKind<R, A>,
  found: R | undefined,
  view: View,
): Versioned<A> => {
  const row = demandFound(kind, found)
  return { answer: kind.serialize(row, view), version: row.version }
}
