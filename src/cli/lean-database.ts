import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import type { PictureStore } from '../import/pictures.ts'
import type { Vars } from '../settings.ts'
import { localStore, remoteStore } from './bucket.ts'
import { connectionTo } from './connection.ts'
import { type Connection, openDatabase } from './database.ts'
import { applyMigrations, stateFolder, type Target } from './wrangler.ts'
import { bucketIn, type Configured, databaseIn, localVars, readConfiguration } from './wrangler-config.ts'

// Wrangler takes 250 MB of memory when loaded, and imports and exports are meant to take at most 300. So a local database
// is opened here without it, by starting Miniflare with the ids from the configuration.

/** The vars that the Worker would get. */
function varsOf(configured: Configured): Vars {
  const all = { ...configured.own.vars, ...(configured.remote ? {} : localVars(configured)) }
  // All our vars are texts.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value === 'string')) as Vars
}

/** A connection, and the vars and the pictures of its Worker; a calendar may have no bucket for them. */
export type Opened = { db: Connection; vars: Vars; pictures: PictureStore | undefined }

/**
 * Opens a database like `openDatabase`, but without loading wrangler if it is local.
 *
 * @throws Error if the configuration names no database `DB`, or is not TOML
 */
export async function openLean(target: Target): Promise<Opened> {
  const configured = readConfiguration(target)
  const { preview_database_id, database_id } = databaseIn(configured)
  const vars = varsOf(configured)
  const bucket = bucketIn(configured)
  const { db, pictures } = target.remote
    ? { db: await openDatabase(target), pictures: bucket && remoteStore(target, bucket.bucket_name) }
    : await connect(
        target,
        preview_database_id ?? database_id ?? 'DB',
        bucket?.preview_bucket_name ?? bucket?.bucket_name,
      )
  try {
    await assertTables(db, target)
    return { db, vars, pictures }
  } catch (error) {
    await db.close()
    throw error
  }
}

async function connect(
  target: Target,
  id: string,
  bucket: string | undefined,
): Promise<{ db: Connection; pictures: PictureStore | undefined }> {
  const options = convertV4MiniflareOptions({
    modules: true,
    script: '',
    d1Databases: { DB: id },
    ...(bucket && { r2Buckets: { MEDIA: bucket } }),
  })
  const miniflare = new Miniflare({ ...options, resourcePersistencePath: join(stateFolder(target), 'v3') })
  const d1 = await miniflare.getD1Database('DB')
  const db = connectionTo(d1, () => miniflare.dispose())
  return { db, pictures: bucket ? localStore(await miniflare.getR2Bucket('MEDIA')) : undefined }
}

/** Creates missing tables of a local database. One that is older than imports lacks the table for them. */
async function assertTables(db: Connection, target: Target): Promise<void> {
  const [table] = await db.query(`SELECT 1 FROM sqlite_master WHERE name = 'imports'`)
  if (table) return
  // A remote database may be in use, and is not migrated without being asked to.
  if (target.remote)
    throw new Error('The database lacks tables: run npx wrangler d1 migrations apply DB --remote first.')
  await applyMigrations(target)
}
