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
import { type Walk, walkOf } from './walks.ts'
import type { Window } from './window.ts'

const SORTED_BY: Record<NonNullable<EventListParams['orderby']>, SQL> = {
  start_date: sql`${events.utc_start_date}`,
  end_date: sql`${events.utc_end_date}`,
  title: sql`${events.title} COLLATE NOCASE`,
  date: sql`${events.date_utc}`,
  modified: sql`${events.modified_utc}`,
  id: sql`${events.id}`,
}

/** By id where that is the same; descending lists are ascending ones read backwards. */
function ordering({ order = 'asc', orderby = 'start_date' }: EventListParams): SQL {
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`
  return sql`ORDER BY ${SORTED_BY[orderby]} ${direction}, ${events.id} ${direction}`
}

/** The way that fits every request: conditions on the base table. */
export function scan(values: EventListParams, { conditions }: Window, page: Page, view: View): Walk {
  const where = sql.join(
    [
      isListed(events, values.status, view.now, view.caller),
      sql`${events.hide_from_listings} = 0`,
      ...conditions,
      ...filterConditions(values),
    ],
    sql` AND `,
  )
  return {
    ids: sql`SELECT ${events.id} FROM ${events} WHERE ${where} ${ordering(values)}
      LIMIT ${page.perPage} OFFSET ${page.offset}`,
    total: sql`(SELECT count(*) FROM ${events} WHERE ${where})`,
  }
}

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
  window: Window,
  page: Page,
  view: View,
): Promise<{ rows: EventRow[]; total: number }> {
  const { ids, total } = walkOf(values, window.stretch, page, view) ?? scan(values, window, page, view)
  const references = filterReferences(values)
  const [rows, counted, ...unknown] = await db.batch([
    selectEvents(sql`${events.id} IN (${ids})`, ordering(values)),
    first(sql`SELECT ${total} AS total`, row => Number(row.total)),
    ...references.map(unknownValues),
  ])
  reportUnknown(problems, references, unknown)
  problems.throwIfAny()
  return { rows, total: counted ?? 0 }
}
