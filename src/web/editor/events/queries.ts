import { eq } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { firstOf, type Query } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import { ApiError } from '../../../lib/errors.ts'
import { editable } from '../../../resources/content/visibility.ts'
import { EVENTS } from '../../../resources/events/resource.ts'
import type { EventRow } from '../../../resources/events/rows.ts'

/** A query of an event with its relations. */
export const eventById = (context: RequestContext, id: number): Query<EventRow | undefined> =>
  firstOf(EVENTS.select(context, eq(events.id, id)))

/**
 * The event, if the caller may change it.
 *
 * @throws ApiError of 403 and 404, and `rest_payload_too_large` for one that was not read in full
 */
export function assertEditableEvent(context: RequestContext, row: EventRow | undefined): EventRow {
  const { ifMatch: _, ifNoneMatch: __, ...rest } = context
  const stored = editable({ ...rest, ifMatch: undefined, ifNoneMatch: undefined }, { resource: EVENTS, row })
  if (stored.isShortened)
    throw new ApiError('rest_payload_too_large', 'This event is too large to be edited in a form.')
  return stored
}
