import { type SQL, sql } from 'drizzle-orm'
import { type Database, first } from '../db/client.ts'
import { events } from '../db/schema.ts'
import type { Page } from '../http/lists.ts'
import type { Problems } from '../lib/errors.ts'
import { byId, reportUnknown, unknownValues } from '../posts/references.ts'
import { matches } from '../posts/search.ts'
import { isListed, isPublished } from '../posts/visibility.ts'
import type { View } from '../view.ts'
import type { LinkedKind, LinkedRow } from './kind.ts'
import type { LinkedListParams } from './schema.ts'

type Kind = Pick<LinkedKind<LinkedRow, unknown>, 'table' | 'links' | 'searchTable'>

/** Whether a published event is linked, of which `condition` holds. */
const hasEvent = ({ table, links }: Kind, now: string, condition: SQL = sql`1`): SQL =>
  sql`EXISTS (SELECT 1 FROM ${links} JOIN ${events} ON ${events.id} = ${links.event_id}
    WHERE ${links.target_id} = ${table.id} AND ${isPublished(events, now)} AND ${condition})`

function filterConditions(kind: Kind, values: LinkedListParams, now: string): SQL[] {
  const { search, event, has_events, only_with_upcoming } = values
  const conditions: SQL[] = []
  if (search !== undefined) conditions.push(matches(kind.table.id, kind.searchTable, search))
  if (event !== undefined)
    conditions.push(sql`${kind.table.id} IN (SELECT target_id FROM ${kind.links} WHERE event_id = ${event})`)
  if (has_events !== undefined)
    conditions.push(has_events ? hasEvent(kind, now) : sql`NOT ${hasEvent(kind, now)}`)
  if (only_with_upcoming) conditions.push(hasEvent(kind, now, sql`${events.utc_end_date} >= ${now}`))
  return conditions
}

/**
 * A page of venues or organizers, the newest first (recorded), and how many there are in all, in one round trip.
 *
 * @throws ApiError `rest_invalid_param` for what is in `problems`, or an unknown event
 */
export async function listLinked<R extends LinkedRow, A>(
  kind: LinkedKind<R, A>,
  db: Database,
  values: LinkedListParams,
  problems: Problems,
  page: Page,
  view: View,
): Promise<{ rows: R[]; total: number }> {
  const { table } = kind
  const where = sql.join(
    [isListed(table, values.status, view.now, view.caller), ...filterConditions(kind, values, view.now)],
    sql` AND `,
  )
  const order = sql`ORDER BY ${table.date_utc} DESC, ${table.id} DESC`
  const ids = sql`SELECT ${table.id} FROM ${table} WHERE ${where} ${order} LIMIT ${page.perPage} OFFSET ${page.offset}`
  const references =
    values.event === undefined ? [] : [byId('event', 'event', [values.event], sql`${events}`)]
  const [rows, total, ...unknown] = await db.batch([
    kind.select(sql`${table.id} IN (${ids})`, order),
    first(sql`SELECT count(*) AS total FROM ${table} WHERE ${where}`, row => Number(row.total)),
    ...references.map(unknownValues),
  ])
  reportUnknown(problems, references, unknown)
  problems.throwIfAny()
  return { rows, total: total ?? 0 }
}
