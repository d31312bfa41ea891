import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { events, series } from '../../../db/schema.ts'
import { isReadable } from '../../content/visibility.ts'

/** A condition for series of which the caller may read an occurrence. Others are unknown to the caller. */
export const hasReadableOccurrence = (context: Pick<RequestContext, 'caller' | 'now'>): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.series_id} = ${series.id} AND ${isReadable(events, context)})`
