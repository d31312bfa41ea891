import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { changes } from '../../db/derived.ts'
import { inList } from '../../db/query.ts'
import { events, webhookPlaces, webhookResources } from '../../db/schema.ts'
import { LISTS, viewOfFilters, type WebhookFilters } from './filters.ts'
import type { WebhookKind } from './types.ts'

/** After everything that has the number of a change. */
const LAST_ID = Number.MAX_SAFE_INTEGER

/**
 * The statements by which a webhook begins with what its list shows now, and is told of what changes from here. What has changed
 * before and was not told yet stays to be told, by the list that it has now.
 *
 * @param webhook an expression of its id
 */
export function takeStock(
  context: RequestContext,
  { webhook, kinds, filters }: { webhook: SQL; kinds: readonly WebhookKind[]; filters: WebhookFilters },
): SQL[] {
  const untold = (kind: SQL, id: SQL): SQL =>
    sql`EXISTS (SELECT 1 FROM ${webhookPlaces} AS place CROSS JOIN ${changes} ON changes.kind = place.kind AND changes.id = ${id}
      WHERE place.webhook_id = ${webhook} AND place.kind = ${kind}
        AND (changes.n > place.n OR (changes.n = place.n AND changes.id > place.id)))`
  const others = sql`webhook_id = ${webhook} AND kind NOT IN ${inList(kinds)}`
  return [
    sql`DELETE FROM ${webhookPlaces} WHERE ${others}`,
    sql`DELETE FROM ${webhookResources} WHERE ${others}`,
    sql`DELETE FROM ${webhookResources} WHERE webhook_id = ${webhook} AND tries = 0
      AND NOT ${untold(sql`${webhookResources.kind}`, sql`${webhookResources.id}`)}`,
    sql`INSERT OR IGNORE INTO ${webhookPlaces} (webhook_id, kind, n, id)
      SELECT ${webhook}, value, coalesce((SELECT n FROM ${changes} WHERE kind = value ORDER BY n DESC LIMIT 1), 0), ${LAST_ID}
      FROM json_each(${JSON.stringify(kinds)})`,
    ...kinds.map(kind => {
      const { table, isListed } = LISTS[kind]
      const isEvent = kind === 'events'
      return sql`INSERT OR IGNORE INTO ${webhookResources} (webhook_id, kind, id, is_listed, is_public, is_canceled)
        SELECT ${webhook}, ${kind}, ${table.id}, 1, ${isEvent ? sql`${events.listed}` : sql`0`},
          ${isEvent ? sql`${events.event_status} = 'canceled'` : sql`0`}
        FROM ${table} WHERE ${isListed(viewOfFilters(context, filters), filters)}
          AND NOT ${untold(sql`${kind}`, sql`${table.id}`)}`
    }),
  ]
}
