import { eq, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { first, firstOf, type Query } from '../../../db/query.ts'
import { events, series } from '../../../db/schema.ts'
import { ApiError } from '../../../lib/errors.ts'
import { editable } from '../../../resources/content/single.ts'
import { EVENTS } from '../../../resources/events/kind.ts'
import type { EventRow } from '../../../resources/events/rows.ts'

/** A query of an event with its relations. */
export const eventById = (context: RequestContext, id: number): Query<EventRow | undefined> =>
  firstOf(EVENTS.select(context, eq(events.id, id)))

/**
 * The event, if the caller may change it here.
 *
 * @throws ApiError of 403 and 404, and `rest_payload_too_large` for one that is not read as a whole
 */
export function assertEditableEvent(context: RequestContext, row: EventRow | undefined): EventRow {
  const { ifMatch: _, ifNoneMatch: __, ...rest } = context
  const stored = editable({ ...rest, ifMatch: undefined, ifNoneMatch: undefined }, { kind: EVENTS, row })
  if (stored.isShortened)
    throw new ApiError('rest_payload_too_large', 'This event is too large to be edited in a form.')
  return stored
}

/** A query of the first date of the series of an event, by its rule. */
export const seriesStart = (id: number): Query<string | undefined> =>
  first(
    sql`SELECT ${series.start_date} AS start_date FROM ${events} CROSS JOIN ${series}
      ON ${series.id} = ${events.series_id} WHERE ${events.id} = ${id}`,
    row => String(row.start_date),
  )
