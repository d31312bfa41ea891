import { type SQL, sql } from 'drizzle-orm'
import type { WriteContext } from '../../context.ts'
import { recordEach } from '../../db/audit.ts'
import { events, twins } from '../../db/schema.ts'
import { may } from '../../lib/roles.ts'

/** A condition for the row of `twins` that is about two events. */
const isPair = (a: SQL, b: SQL): SQL =>
  sql`${twins.first_id} = min(${a}, ${b}) AND ${twins.second_id} = max(${a}, ${b})`

/**
 * The statements before those that move events to the trash: the duplicates that lists hide behind these events move
 * there, too, if the caller may move them. Otherwise they are shown again: nobody can take other people's events off
 * the lists by copying them.
 */
export function keepTwinsHidden(context: WriteContext, ids: readonly number[]): SQL[] {
  if (ids.length === 0 || !may(context.caller, 'edit_others_content')) return []
  const hidden = sql`SELECT ${events.id} AS id, duplicate_of, status FROM json_each(${JSON.stringify(ids)}) AS given
    CROSS JOIN ${events} INDEXED BY events_duplicates ON duplicate_of = given.value`
  return [
    sql`UPDATE ${twins} SET trashed_from = hidden.status FROM (${hidden}) AS hidden
      WHERE ${isPair(sql`hidden.id`, sql`hidden.duplicate_of`)}`,
    recordEach(context, { action: 'trash', kind: 'event' }, hidden),
  ]
}
