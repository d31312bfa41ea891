import { readdirSync, readFileSync } from 'node:fs'
import { digestOf } from '../../src/lib/password.ts'
import { eventRow, organizerRows, type SeedEvent, termRows, venueRows } from './calendar.ts'
import { Random } from './random.ts'

type Db = Pick<D1Database, 'prepare'>

// As many rows in a statement as stay well below the two megabytes that D1 takes for a value.
const CHUNK = 1_500
const TEXT_CHUNK = 4_000
export const PASSWORD = 'bench'

const migrations = () =>
  readdirSync('drizzle')
    .filter(name => name.endsWith('.sql'))
    .sort()
    .map(name => readFileSync(`drizzle/${name}`, 'utf8').split('--> statement-breakpoint'))

const columnsOf = (row: object) =>
  Object.keys(row).filter(name => !['venue', 'organizer', 'terms', 'search_text'].includes(name))

/** Many rows in one statement. */
async function insert(db: Db, table: string, rows: readonly object[]): Promise<void> {
  const [row] = rows
  if (!row) return
  const columns = columnsOf(row)
  const values = columns.map(name => `value ->> '$.${name}'`)
  await db
    .prepare(`INSERT INTO ${table} (${columns}) SELECT ${values} FROM json_each(?)`)
    .bind(JSON.stringify(rows))
    .run()
}

const insertLinks = (db: Db, table: string, links: readonly (readonly number[])[], columns: string[]) =>
  db
    .prepare(
      `INSERT OR IGNORE INTO ${table} (${columns}) SELECT ${columns.map((_, i) => `value ->> ${i}`)} FROM json_each(?)`,
    )
    .bind(JSON.stringify(links))
    .run()

async function insertEvents(db: Db, rows: readonly SeedEvent[]): Promise<void> {
  await insert(db, 'events', rows)
  const linked = ['event_id', 'target_id', 'position']
  await insertLinks(
    db,
    'event_venues',
    rows.map(({ id, venue }) => [id, venue, 0]),
    linked,
  )
  await insertLinks(
    db,
    'event_organizers',
    rows.map(({ id, organizer }) => [id, organizer, 0]),
    linked,
  )
  const terms = rows.flatMap(({ id, terms }) => terms.map(term => [id, term]))
  await insertLinks(db, 'event_terms', terms, linked.slice(0, 2))
}

/** Full text in the order of its keys, which is how FTS5 likes it best. */
async function indexEvents(db: Db, rows: readonly { id: number; text: string }[]): Promise<void> {
  await db
    .prepare(
      `INSERT INTO events_search (rowid, listed)
       SELECT search_key, value ->> 1 FROM json_each(?) JOIN events ON events.id = value ->> 0 ORDER BY search_key`,
    )
    .bind(JSON.stringify(rows.map(({ id, text }) => [id, text])))
    .run()
}

/**
 * Fills an empty database with a calendar. The base tables are filled before the migrations that derive
 * tables from them: these then do in bulk what triggers would do row by row, and are tested on the way.
 *
 * @param progress told how far it is, from 0 to 1
 */
export async function seed(
  db: Db,
  events: number,
  progress: (done: number, what: string) => void,
): Promise<void> {
  const [tables = [], ...derived] = migrations()
  for (const statement of tables) await db.prepare(statement).run()
  await db.prepare("INSERT INTO users VALUES (1, 'bench', 'administrator', '2024-01-01 00:00:00')").run()
  await db
    .prepare("INSERT INTO passwords (user_id, digest, created_utc) VALUES (1, ?, '2024-01-01 00:00:00')")
    .bind(await digestOf(PASSWORD))
    .run()
  await insert(db, 'venues', venueRows())
  await insert(db, 'organizers', organizerRows())
  await insert(db, 'terms', termRows())
  const random = new Random(1)
  const texts: { id: number; start: string; text: string }[] = []
  for (let id = 1; id <= events; id += CHUNK) {
    const size = Math.min(CHUNK, events - id + 1)
    const rows = Array.from({ length: size }, (_, i) => eventRow(id + i, random))
    await insertEvents(db, rows)
    for (const row of rows) texts.push({ id: row.id, start: row.utc_start_date, text: row.search_text })
    progress(0.4 * (id / events), 'events')
  }
  progress(0.4, 'derived tables')
  for (const statement of derived.flat()) await db.prepare(statement).run()
  await db
    .prepare('UPDATE terms SET count = (SELECT count FROM expected_term_counts AS e WHERE e.id = terms.id)')
    .run()
  texts.sort((a, b) => (a.start < b.start ? -1 : 1))
  for (let at = 0; at < texts.length; at += TEXT_CHUNK) {
    await indexEvents(db, texts.slice(at, at + TEXT_CHUNK))
    progress(0.5 + 0.5 * (at / events), 'full text')
  }
  await db.prepare("INSERT INTO events_search (events_search) VALUES ('optimize')").run()
  await db.prepare('PRAGMA optimize').run()
  progress(1, 'done')
}
