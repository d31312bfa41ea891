import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { connectionTo } from '../src/cli/connection.ts'
import type { LocalConnection } from '../src/cli/database.ts'
import { PROJECT_CONFIG } from '../src/cli/wrangler.ts'
import { startDatabases } from './d1.ts'

// Wrangler takes five seconds to migrate an empty database. What is about other things begins on one that has its tables.

const MIGRATIONS = join(import.meta.dirname, '../drizzle')

const configuration = z.object({ d1_databases: z.tuple([z.object({ database_id: z.string().optional() })]) })

/** The id of the local database of a configuration, by which commands find it. */
export const databaseId = (config = PROJECT_CONFIG): string =>
  configuration.parse(parse(readFileSync(config, 'utf8'))).d1_databases[0].database_id ?? 'DB'

/** Runs all migrations, and notes it as wrangler does, which then has none to run. */
export async function migrate(d1: D1Database): Promise<void> {
  const names = (await readdir(MIGRATIONS)).filter(name => name.endsWith('.sql')).sort()
  const noted = `CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
    applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`
  await d1.batch([d1.prepare(noted)])
  for (const name of names) {
    const sql = await readFile(join(MIGRATIONS, name), 'utf8')
    await d1.batch([
      ...sql.split('--> statement-breakpoint').map(statement => d1.prepare(statement)),
      d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ])
  }
}

/** The files of a database, by their paths in the folder of local data. */
type Files = [path: string, bytes: Buffer][]

async function migratedFiles(id: string): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-tables-'))
  const { d1, stop } = await startDatabases([id], folder)
  await Promise.all(d1.map(migrate))
  await stop()
  const paths = (await readdir(folder, { recursive: true })).filter(path => /\.sqlite(-wal)?$/.test(path))
  const files = await Promise.all(
    paths.map(async (path): Promise<Files[number]> => [path, await readFile(join(folder, path))]),
  )
  await rm(folder, { recursive: true })
  return files
}

const known = new Map<string, Promise<Files>>()

/** Gives a folder of local data, as `--persist-to` takes it, a database with all tables. */
export async function migrateFolder(folder: string, config = PROJECT_CONFIG): Promise<void> {
  const id = databaseId(config)
  const files = known.get(id) ?? migratedFiles(id)
  known.set(id, files)
  for (const [path, bytes] of await files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
}

const CONTEXT = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }

/** Opens a folder of local data, and gives it a database with all tables. Commands may work on it meanwhile. */
export async function openMigrated(folder: string): Promise<LocalConnection> {
  await migrateFolder(folder)
  const { d1, stop } = await startDatabases([databaseId()], folder)
  const [DB] = d1
  if (!DB) throw new Error('no database')
  return { ...connectionTo(DB, stop), bindings: { DB }, context: CONTEXT }
}
