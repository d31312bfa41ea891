import { createHash } from 'node:crypto'
import type { SeedEvent } from './calendar.ts'

type Statements = Pick<D1Database, 'prepare' | 'batch'>

const NOT_COLUMNS: readonly string[] = ['venue', 'organizer', 'categories', 'tags', 'search_text']

/** The statement of an import for many rows, each a list of values in one JSON text. */
const insert = (db: Statements, into: string, rows: readonly (readonly unknown[])[]) =>
  db
    .prepare(
      `INSERT INTO ${into} SELECT ${(rows[0] ?? []).map((_, i) => `value ->> ${i}`)} FROM json_each(?)`,
    )
    .bind(JSON.stringify(rows))

/**
 * Writes events as an import does, in one transaction and in the order of its statements, but without reading
 * documents and planning first: what derives from the base tables is left to their triggers, row by row.
 */
export async function insertEvents(db: Statements, rows: readonly SeedEvent[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).filter(name => !NOT_COLUMNS.includes(name))
  const events = rows.map(row =>
    Object.entries(row).flatMap(([name, value]) => (columns.includes(name) ? [value] : [])),
  )
  const hash = (id: number) => createHash('sha256').update(String(id)).digest('base64url').slice(0, 27)
  await db.batch([
    insert(db, `events (${columns})`, events),
    db
      .prepare(
        `INSERT OR REPLACE INTO events_search (rowid, listed, unlisted)
         SELECT search_key, iif(listed, given.value ->> 1, NULL), iif(listed, NULL, given.value ->> 1)
         FROM json_each(?) AS given JOIN events ON events.id = given.value ->> 0`,
      )
      .bind(JSON.stringify(rows.map(({ id, search_text }) => [id, search_text]))),
    insert(
      db,
      'event_venues (event_id, target_id, position)',
      rows.map(({ id, venue }) => [id, venue, 0]),
    ),
    insert(
      db,
      'event_organizers (event_id, target_id, position)',
      rows.map(({ id, organizer }) => [id, organizer, 0]),
    ),
    insert(
      db,
      'event_terms (event_id, target_id)',
      rows.flatMap(({ id, categories, tags }) => [...categories, ...tags].map(term => [id, term])),
    ),
    insert(
      db,
      'audit (at_utc, request_id, action, kind, object_id)',
      rows.map(({ id, date_utc }) => [date_utc, 'import', 'create', 'event', id]),
    ),
    insert(
      db,
      'imports',
      rows.map(({ id }) => [
        'calendar.example.org/calendar/events/v1',
        'event',
        String(id),
        id,
        hash(id),
        '1',
      ]),
    ),
  ])
}
