import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { events, series } from '../../../db/schema.ts'
import { isPublished } from '../../content/visibility.ts'

/**
 * The statement after a write that may give occurrences other statuses than their series has. A series none of whose
 * occurrences is public is not public either: whoever may change what is unpublished would publish through it, and the
 * cron would. If all share a status, it is that of the series again.
 *
 * One in the trash stays there: its dates are not left out one by one, so that they would all come back with it.
 */
export function settleStatus({ now }: Pick<RequestContext, 'now'>, id: SQL | number): SQL {
  const live = sql`FROM ${events} WHERE ${events.series_id} = ${series.id} AND ${events.status} <> 'trash'`
  const isPublic = isPublished(events, now)
  const wasPublic = isPublished(series, now)
  const status = sql`CASE
    WHEN EXISTS (SELECT 1 ${live} AND ${isPublic})
      THEN iif(${wasPublic} OR EXISTS (SELECT 1 ${live} AND NOT ${isPublic}), ${series.status}, 'publish')
    ELSE coalesce(
      (SELECT min(${events.status}) ${live}
        HAVING min(${events.status}) = max(${events.status}) AND min(${events.status}) <> 'future'),
      iif(${wasPublic}, 'draft', ${series.status}))
    END`
  return sql`UPDATE ${series} SET status = ${status}, version = version + 1
    WHERE ${series.id} = ${id} AND ${series.status} <> 'trash' AND ${series.status} <> ${status}`
}
