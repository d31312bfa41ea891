import { sql } from 'drizzle-orm'
import { changes } from '../../db/derived.ts'
import { literal, many, type Query } from '../../db/query.ts'
import { events, sources, twinsPlace } from '../../db/schema.ts'

/** A change of an event, and the place up to which twins have been looked for. */
export type ChangedEvent = { n: number; id: number; place: readonly [n: number, id: number] }

/** The next events whose twins are to be looked for, in SQL from FROM on: what has changed since. */
const changed = sql`FROM ${twinsPlace} AS place CROSS JOIN ${changes} INDEXED BY changes_n
    ON changes.kind = 'events' AND (changes.n, changes.id) > (place.n, place.id)
  WHERE EXISTS (SELECT 1 FROM ${sources}) OR EXISTS (SELECT 1 FROM ${events} WHERE duplicate_of IS NOT NULL)`

/** A condition that is true if there are any. */
export const hasChangedEvents = sql`EXISTS (SELECT 1 ${changed})`

/** A query of them. One row is read if there is none, and nothing is looked for while there are neither sources nor twins. */
export const selectChangedEvents = (most: number): Query<ChangedEvent[]> =>
  many(
    sql`SELECT changes.n, changes.id, place.n AS place_n, place.id AS place_id ${changed}
      ORDER BY changes.n, changes.id LIMIT ${literal(most)}`,
    row => ({
      n: Number(row.n),
      id: Number(row.id),
      place: [Number(row.place_n), Number(row.place_id)],
    }),
  )
