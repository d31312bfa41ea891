import { type SQL, sql } from 'drizzle-orm'
import { LONGEST_SPAN, listings, SPANS } from '../../db/derived.ts'
import { events } from '../../db/schema.ts'
import type { DateTime } from '../../lib/time.ts'

/** Bounds of the starts and ends of events (UTC): those that start before one moment, and end at or after another one, which is not earlier. */
export type Overlap = { startFrom?: DateTime | undefined; startBefore: DateTime; endFrom: DateTime }

/**
 * A FROM clause of all listed events that start before a moment and end at or after another one: as `event_id`,
 * `utc_start_date` and `utc_end_date`. In each class of lengths it only reads events that start late enough: some 150
 * rows of 100,000 events, instead of all that have started.
 */
export function overlapping({ startFrom = '', startBefore, endFrom }: Overlap): SQL {
  const long = sql`SELECT ${events.id} AS event_id, utc_start_date, utc_end_date FROM json_each(${JSON.stringify([...SPANS, LONGEST_SPAN])}) AS spans
    CROSS JOIN ${events} INDEXED BY events_long ON listed AND span > 0 AND span = spans.value
      AND utc_start_date >= max(coalesce(datetime(${endFrom}, -spans.value || ' days'), ''), ${startFrom})
      AND utc_start_date < ${startBefore} AND utc_end_date >= ${endFrom}`
  const short = sql`SELECT event_id, utc_start_date, utc_end_date FROM ${listings} WHERE facet = 'event' AND target_id = 0
    AND utc_start_date >= max(coalesce(datetime(${endFrom}, '-1 day'), ''), ${startFrom})
    AND utc_start_date < ${startBefore} AND utc_end_date >= ${endFrom}
    AND unixepoch(utc_end_date) - unixepoch(utc_start_date) <= 86400`
  return sql`(${long} UNION ALL ${short})`
}
