import { type RequestContext, restUrl } from '../../context.ts'
import { type Survivor, selectSurvivor } from '../../db/former-slugs.ts'
import { type Query, settled } from '../../db/query.ts'
import type { Given, Key } from '../../http/input.ts'
import { withQuery } from '../../http/lists.ts'
import { ApiError } from '../../lib/errors.ts'
import type { NamedTable, Singular, Uses } from './kind.ts'
import { isReadable } from './visibility.ts'

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
