import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { parse } from 'smol-toml'
import { z } from 'zod'
import type { PictureStore } from '../import/pictures.ts'
import type { Vars } from '../settings.ts'
import { localStore, remoteStore } from './bucket.ts'
import { connectionTo } from './connection.ts'
import { type Connection, openDatabase } from './database.ts'
import { applyMigrations, stateFolder, type Target } from './wrangler.ts'

// Wrangler takes 250 MB of memory when loaded, and imports and exports are meant to take at most 300. So a local database
// is opened here without it, by starting Miniflare with the ids from the configuration.

const section = z.object({
  vars: z.record(z.string(), z.unknown()).optional(),
  d1_databases: z
    .array(
      z.object({
        binding: z.string(),
        database_id: z.string().optional(),
        preview_database_id: z.string().optional(),
      }),
    )
    .optional(),
  r2_buckets: z
    .array(
      z.object({ binding: z.string(), bucket_name: z.string(), preview_bucket_name: z.string().optional() }),
    )
    .optional(),
})

const configuration = section.extend({ env: z.record(z.string(), section).optional() })

/** The vars and databases of a target's environment, which inherits neither from the top level. */
async function readConfiguration({ config, environment }: Target): Promise<z.output<typeof section>> {
  const all = configuration.parse(parse(await readFile(config, 'utf8')))
  if (environment === undefined) return all
  const own = all.env?.[environment]
  if (!own) throw new Error(`${config} has no environment ${environment}.`)
  return own
}

/** The vars that the Worker would get: those of `.dev.vars` come before the configuration's. */
async function readVars(target: Target, configured: Record<string, unknown> | undefined): Promise<Vars> {
  const folder = dirname(resolve(target.config))
  const files =
    target.environment === undefined ? ['.dev.vars'] : [`.dev.vars.${target.environment}`, '.dev.vars']
  const file = target.remote ? undefined : files.map(name => join(folder, name)).find(existsSync)
  const secret = file === undefined ? {} : parseEnv(await readFile(file, 'utf8'))
  const texts = Object.entries({ ...configured, ...secret }).filter(([, value]) => typeof value === 'string')
  // All our vars are texts.
  return Object.fromEntries(texts) as Vars
}

/** A connection, and the vars and the pictures of its Worker; a calendar may have no bucket for them. */
export type Opened = { db: Connection; vars: Vars; pictures: PictureStore | undefined }

/**
 * Opens a database like `openDatabase`, but without loading wrangler if it is local.
 *
 * @throws Error if the configuration names no database `DB`, or is not TOML
 */
export async function openLean(target: Target): Promise<Opened> {
  const { vars, d1_databases, r2_buckets } = await readConfiguration(target)
  const database = d1_databases?.find(({ binding }) => binding === 'DB')
  if (!database) throw new Error(`${target.config} has no D1 database with the binding DB.`)
  const opened = await readVars(target, vars)
  const id = database.preview_database_id ?? database.database_id ?? 'DB'
  const bucket = r2_buckets?.find(({ binding }) => binding === 'MEDIA')
  const { db, pictures } = target.remote
    ? { db: await openDatabase(target), pictures: bucket && remoteStore(target, bucket.bucket_name) }
    : await connect(target, id, bucket?.preview_bucket_name ?? bucket?.bucket_name)
  try {
    await assertTables(db, target)
    return { db, vars: opened, pictures }
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
