import { type SQL, sql } from 'drizzle-orm'
import { type Database, first } from '../db/client.ts'
import { events } from '../db/schema.ts'
import type { Page } from '../http/lists.ts'
import type { Problems } from '../lib/errors.ts'
import { reportUnknown, unknownValues } from '../posts/references.ts'
import { isListed } from '../posts/visibility.ts'
import type { View } from '../view.ts'
import { filterConditions, filterReferences } from './filters.ts'
import { type EventRow, selectEvents } from './rows.ts'
import type { EventListParams } from './schema.ts'
import type { Window } from './window.ts'

const SORTED_BY: Record<NonNullable<EventListParams['orderby']>, SQL> = {
  start_date: sql`${events.utc_start_date}`,
  end_date: sql`${events.utc_end_date}`,
  title: sql`${events.title} COLLATE NOCASE`,
  date: sql`${events.date_utc}`,
  modified: sql`${events.modified_utc}`,
  id: sql`${events.id}`,
}

const ordering = ({ order = 'asc', orderby = 'start_date' }: EventListParams): SQL =>
  sql`ORDER BY ${SORTED_BY[orderby]} ${order === 'asc' ? sql`ASC` : sql`DESC`}, ${events.id} ASC`

/**
 * A page of events and how many there are in all, in one round trip together with the check that what is
 * filtered by exists.
 *
 * @throws ApiError `rest_invalid_param` for what is in `problems` or filtered by and unknown
 */
export async function listEvents(
  db: Database,
  values: EventListParams,
  problems: Problems,
  { conditions }: Window,
  page: Page,
  view: View,
): Promise<{ rows: EventRow[]; total: number }> {
  const where = sql.join(
    [
      isListed(events, values.status, view.now, view.caller),
      sql`${events.hide_from_listings} = 0`,
      ...conditions,
      ...filterConditions(values),
    ],
    sql` AND `,
  )
  const order = ordering(values)
  const ids = sql`SELECT ${events.id} FROM ${events} WHERE ${where} ${order} LIMIT ${page.perPage} OFFSET ${page.offset}`
  const references = filterReferences(values)
  const [rows, total, ...unknown] = await db.batch([
    selectEvents(sql`${events.id} IN (${ids})`, order),
    first(sql`SELECT count(*) AS total FROM ${events} WHERE ${where}`, row => Number(row.total)),
    ...references.map(unknownValues),
  ])
  reportUnknown(problems, references, unknown)
  problems.throwIfAny()
  return { rows, total: total ?? 0 }
}
