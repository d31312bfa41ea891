import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { parse } from 'smol-toml'
import { z } from 'zod'
import type { Vars } from '../settings.ts'
import { type Connection, openDatabase, type Row } from './database.ts'
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

/** A connection and the vars of its Worker. */
export type Opened = { db: Connection; vars: Vars }

/**
 * Opens a database like `openDatabase`, but without loading wrangler if it is local.
 *
 * @throws Error if the configuration names no database `DB`, or is not TOML
 */
export async function openLean(target: Target): Promise<Opened> {
  const { vars, d1_databases } = await readConfiguration(target)
  const database = d1_databases?.find(({ binding }) => binding === 'DB')
  if (!database) throw new Error(`${target.config} has no D1 database with the binding DB.`)
  const opened = await readVars(target, vars)
  const id = database.preview_database_id ?? database.database_id ?? 'DB'
  const db = target.remote ? await openDatabase(target) : await connect(target, id)
  try {
    await assertTables(db, target)
    return { db, vars: opened }
  } catch (error) {
    await db.close()
    throw error
  }
}

async function connect(target: Target, id: string): Promise<Connection> {
  const options = convertV4MiniflareOptions({ modules: true, script: '', d1Databases: { DB: id } })
  const miniflare = new Miniflare({ ...options, resourcePersistencePath: join(stateFolder(target), 'v3') })
  const d1 = await miniflare.getD1Database('DB')
  const batch: Connection['batch'] = async statements => {
    const results = await d1.batch<Row>(statements.map(([sql, ...params]) => d1.prepare(sql).bind(...params)))
    return results.map(result => result.results)
  }
  return {
    batch,
    query: async (...statement) => (await batch([statement]))[0] ?? [],
    close: () => miniflare.dispose(),
  }
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
