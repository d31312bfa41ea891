import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { inList } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import { may } from '../../../lib/roles.ts'
import type { Status } from '../../../lib/statuses.ts'
import { isListed, isNoTwin, listedStatuses, ownedBy } from '../../content/visibility.ts'
import { type Interval, within } from './interval.ts'

type Unlisted = {
  statuses: readonly Status[] | undefined
  interval: Interval
  /** Conditions of the filters on a row of `events`. */
  conditions: SQL
}

/**
 * SELECTs of the start and id of events that a list shows although they are in no listing: scheduled ones that have just
 * become due, and unpublished ones that the caller may read. They have few rows.
 */
export function unlistedEvents(context: RequestContext, { statuses, interval, conditions }: Unlisted): SQL[] {
  const shown = listedStatuses(statuses, context)
  const others = may(context.caller, 'edit_content') ? shown.filter(status => status !== 'publish') : []
  const rest = sql`${events.hide_from_listings} = 0 AND ${isNoTwin} AND ${within(interval)} AND ${conditions}`
  const selects: SQL[] = []
  if (shown.includes('publish'))
    selects.push(sql`SELECT utc_start_date, id AS event_id FROM ${events} INDEXED BY events_scheduled
      WHERE ${events.status} = 'future' AND ${events.date_utc} <= ${context.now} AND ${rest}`)
  if (others.length > 0)
    selects.push(sql`SELECT utc_start_date, id AS event_id FROM ${events} INDEXED BY events_unpublished
      WHERE ${events.status} <> 'publish' AND ${events.status} IN ${inList(others)} AND ${ownedBy(events, context)}
      AND ${isListed(events, others, context)} AND ${rest}`)
  return selects
}
