import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ExecutionContext } from 'hono'
import type { ImageStore } from '../intake/images.ts'
import type { Vars } from '../settings.ts'
import { connectionTo } from './connection.ts'
import { type Connection, openThroughWrangler } from './database.ts'
import { localStore, remoteStore, startDatabases } from './local-d1.ts'
import { stateFolder, type Target } from './wrangler.ts'
import { bucketIn, type Configured, databaseIn, localVars, readConfiguration } from './wrangler-config.ts'

// Wrangler starts a runtime of its own for each migration, which took half of the time of a first start.

const BUSY_ATTEMPTS = 10

/** Another process may have a local database open: while that writes, the file is busy for a moment. */
async function whenFree<T>(run: () => Promise<T>): Promise<T> {
  for (let left = BUSY_ATTEMPTS; ; left--) {
    try {
      return await run()
    } catch (error) {
      if (left <= 1 || !(error instanceof Error && error.message.includes('SQLITE_BUSY'))) throw error
      await setTimeout(500)
    }
  }
}

/**
 * Runs the migrations that a local database doesn't have yet, each in a transaction with the note of it that wrangler
 * makes as well, and goes by.
 *
 * @param folder of the files, which run in the order of their names
 * @throws Error that names the migration that fails; those before it stay
 */
export async function migrate(d1: D1Database, folder: string): Promise<void> {
  const run = (...statements: D1PreparedStatement[]) => whenFree(() => d1.batch<{ name: string }>(statements))
  const [, noted] = await run(
    d1.prepare(`CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`),
    d1.prepare('SELECT name FROM d1_migrations'),
  )
  const applied = new Set(noted?.results.map(({ name }) => name))
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql') && !applied.has(name)).sort()
  for (const name of names) {
    const sql = await readFile(join(folder, name), 'utf8')
    await run(
      ...sql.split('--> statement-breakpoint').map(statement => d1.prepare(statement)),
      d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ).catch((error: Error) => {
      throw new Error(`Migration ${name} failed: ${error.message}`, { cause: error })
    })
  }
}

// Wrangler takes seconds and 250 MB of memory to load, and imports and exports are meant to take at most 300. So a local
// database is opened here without it, by starting Miniflare with the ids from the configuration.

/** The vars that the Worker would get. */
function varsOf(configured: Configured): Vars {
  const all = { ...configured.own.vars, ...(configured.remote ? {} : localVars(configured)) }
  // All our vars are texts.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value === 'string')) as Vars
}

/** A connection, and the vars and the images of its Worker; a calendar may have no bucket for them. */
export type Opened = { db: Connection; vars: Vars; images: ImageStore | undefined }

/** A local database, with the bindings and the context with which the API can be asked on it. */
export type LocalConnection = Connection & {
  bindings: Vars & { DB: D1Database }
  context: ExecutionContext
}

/** Whoever asks the API waits for it. */
const CONTEXT = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }

export const localConnection = (DB: D1Database, vars: Vars, close: () => Promise<void>): LocalConnection => ({
  ...connectionTo(DB, close),
  bindings: { ...vars, DB },
  context: CONTEXT,
})

/**
 * Opens a database. A local one without tables gets them first; one at Cloudflare is asked through wrangler.
 *
 * @throws Error if the configuration names no database `DB`, or is not TOML
 */
export async function openLean(target: Target): Promise<Opened> {
  if (!target.remote) return openLocal(target, isOlderThanImports)
  const configured = readConfiguration(target)
  const bucket = bucketIn(configured)
  const db = openThroughWrangler(target)
  // It may be in use, and is not migrated without being asked to.
  if (await isOlderThanImports(db))
    throw new Error('The database lacks tables: run npx wrangler d1 migrations apply DB --remote first.')
  return { db, vars: varsOf(configured), images: bucket && remoteStore(target, bucket.bucket_name) }
}

/** Does something with a database, and closes it. */
export async function withDatabase(target: Target, work: (opened: Opened) => Promise<void>): Promise<void> {
  const opened = await openLean(target)
  try {
    await work(opened)
  } finally {
    await opened.db.close()
  }
}

/** Imports note in this table what they have made; export reads it. */
const isOlderThanImports = async (db: Connection): Promise<boolean> =>
  (await db.query(`SELECT 1 FROM sqlite_master WHERE name = 'imports'`)).length === 0

/**
 * Opens a local database, on which `wrangler dev` may run meanwhile.
 *
 * @param isOld tells if it is brought up to date first; it is unless told
 */
export async function openLocal(
  target: Target,
  isOld: (db: Connection) => Promise<boolean> = async () => true,
): Promise<Opened & { db: LocalConnection }> {
  const configured = readConfiguration(target)
  const { preview_database_id, database_id, migrations_dir } = databaseIn(configured)
  const named = bucketIn(configured)
  const { d1, openBucket, stop } = await startDatabases(
    [preview_database_id ?? database_id ?? 'DB'],
    stateFolder(target),
    named?.preview_bucket_name ?? named?.bucket_name,
  )
  try {
    const [DB] = d1
    if (!DB) throw new Error('The database was not started.')
    const vars = varsOf(configured)
    const db = localConnection(DB, vars, stop)
    if (await isOld(db)) await migrate(DB, resolve(dirname(target.config), migrations_dir))
    return { db, vars, images: openBucket && localStore(openBucket) }
  } catch (error) {
    await stop()
    throw error
  }
}
