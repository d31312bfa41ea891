import { dirname, resolve } from 'node:path'
import type { ExecutionContext } from 'hono'
import type { ImageStore } from '../intake/images.ts'
import type { Vars } from '../settings.ts'
import { localStore, remoteStore } from './bucket.ts'
import { connectionTo } from './connection.ts'
import { type Connection, openThroughWrangler } from './database.ts'
import { startDatabases } from './local-d1.ts'
import { migrate } from './local-migrations.ts'
import { stateFolder, type Target } from './wrangler.ts'
import { bucketIn, type Configured, databaseIn, localVars, readConfiguration } from './wrangler-config.ts'

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
