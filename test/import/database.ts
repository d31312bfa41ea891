import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { connectionTo } from '../../src/cli/connection.ts'
import type { Item } from '../../src/import/records.ts'
import type { Report } from '../../src/import/report.ts'
import { Import, type ImportOptions } from '../../src/import/run.ts'
import { localWriter, type Writer } from '../../src/import/writer.ts'
import type { Connection } from '../../src/lib/connection.ts'

const MIGRATIONS = join(import.meta.dirname, '../../drizzle')

type TestDatabase = Connection & { d1: D1Database }

/** An empty database in memory, with all tables. */
export async function makeDatabase(): Promise<TestDatabase> {
  const [db] = await makeDatabases('first')
  if (!db) throw new Error('no database')
  return db
}

/** Empty databases of one server, with all tables. Closing one closes them all. */
export async function makeDatabases(...names: string[]): Promise<TestDatabase[]> {
  const d1Databases = Object.fromEntries(names.map(name => [name, name]))
  const miniflare = new Miniflare(convertV4MiniflareOptions({ modules: true, script: '', d1Databases }))
  return Promise.all(
    names.map(async name => {
      // Miniflare declares the same type for itself.
      const d1 = (await miniflare.getD1Database(name)) as unknown as D1Database
      const connection = connectionTo(d1, () => miniflare.dispose())
      await migrate(connection)
      return { ...connection, d1 }
    }),
  )
}

async function migrate(db: Connection): Promise<void> {
  for (const file of (await readdir(MIGRATIONS)).filter(name => name.endsWith('.sql')).sort()) {
    const sql = await readFile(join(MIGRATIONS, file), 'utf8')
    await db.batch(sql.split('--> statement-breakpoint').map((statement): [string] => [statement]))
  }
}

const TABLES = [
  'event_terms',
  'event_venues',
  'event_organizers',
  'series_terms',
  'series_venues',
  'series_organizers',
  'events',
  'series',
  'venues',
  'organizers',
  'terms',
]

/** Makes a database as good as new. */
export async function empty(db: Connection): Promise<void> {
  // Series and events may refer to each other.
  await db.query('UPDATE series SET post_parent = NULL')
  await db.batch(
    [...TABLES, 'images', 'passwords', 'users', 'imports'].map((table): [string] => [`DELETE FROM ${table}`]),
  )
  await db.query('DELETE FROM sqlite_sequence')
}

export const NOW = '2026-11-20 12:00:00'
export const CONTEXT = { timezone: 'UTC', nowMs: Date.parse('2026-11-20T12:00:00Z'), note: () => {} }
export const WINDOW = { from: '2025-11-20 00:00:00', to: '2028-11-20 00:00:00' }

/** Imports, and answers what became of it. */
export async function importInto(
  db: Connection,
  items: AsyncIterable<Item> | Iterable<Item>,
  options: Partial<ImportOptions> & { writer?: Writer } = {},
): Promise<Report> {
  const { writer = localWriter(db), ...given } = options
  const started = await Import.begin(db, writer, {
    mirror: false,
    dryRun: false,
    now: NOW,
    timezone: 'UTC',
    say: () => {},
    progress: () => {},
    ...given,
  })
  return started.run(items)
}

/** The counts of a report that aren't zero, as `event created 2`. */
export const countsOf = (report: Report): string[] =>
  (['category', 'tag', 'venue', 'organizer', 'series', 'event', 'page'] as const).flatMap(kind =>
    (['created', 'updated', 'unchanged', 'skipped', 'failed', 'trashed'] as const).flatMap(outcome => {
      const count = report.of(kind, outcome)
      return count === 0 ? [] : [`${kind} ${outcome} ${count}`]
    }),
  )
