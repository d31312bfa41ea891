import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type LocalCalendar, localCalendar } from '../src/commands/lean-database.ts'
import { startDatabases } from '../src/commands/local-d1.ts'
import { PROJECT_CONFIG } from '../src/commands/wrangler.ts'
import { databaseIn, readConfiguration } from '../src/commands/wrangler-config.ts'
import { type Connection, connectionTo } from './connection.ts'
import { makeOnce } from './once.ts'
import { sqlOf } from './tables.ts'

// Wrangler takes five seconds to migrate an empty database. What is about other things begins on one that has
// its tables.

const MIGRATIONS = join(import.meta.dirname, '../drizzle')

/** The id of the local database of a configuration, by which commands find it. */
export const databaseId = (config = PROJECT_CONFIG): string =>
  databaseIn(readConfiguration({ config, environment: undefined, remote: false, persistTo: undefined }))
    .database_id ?? 'DB'

const TABLES = 'tables.sql'

let tables: Promise<string> | undefined

async function writeTables(folder: string): Promise<void> {
  const names = (await readdir(MIGRATIONS)).filter(name => name.endsWith('.sql')).sort()
  const migrations = names.map(async name => {
    const sql = await readFile(join(MIGRATIONS, name), 'utf8')
    return { name, queries: sql.split('--> statement-breakpoint') }
  })
  await writeFile(join(folder, TABLES), sqlOf(await Promise.all(migrations)))
}

const tablesOfMigrations = async (): Promise<string> =>
  readFile(join(await makeOnce('tables', writeTables), TABLES), 'utf8')

/** Gives an empty database the same tables as all migrations, in one statement instead of hundreds. */
export async function migrate(d1: D1Database): Promise<void> {
  tables ??= tablesOfMigrations()
  await d1.batch([d1.prepare(await tables)])
}

const DATABASE_NAMES = Array.from({ length: 24 }, (_, i) => `database-${i}`)
let unused: Promise<D1Database[]> | undefined

/**
 * An empty database with all tables, that nobody else has. Files of one process share its server, of which
 * each start takes half a second of computing; it ends with the process.
 */
export async function freshDatabase(): Promise<D1Database> {
  unused ??= startDatabases(DATABASE_NAMES).then(({ d1 }) => d1)
  const asked = unused
  const database = (await asked).pop()
  if (!database) {
    // Another file may have started the next server meanwhile.
    if (unused === asked) unused = undefined
    return freshDatabase()
  }
  await migrate(database)
  return database
}

/** The files of a database, by their paths in the folder of local data. */
export type Files = readonly [path: string, bytes: Buffer][]

/** Reads the databases of a folder, of which none is open. */
export async function readFiles(folder: string): Promise<Files> {
  const paths = (await readdir(folder, { recursive: true })).filter(path => /\.sqlite(-wal)?$/.test(path))
  return Promise.all(
    paths.map(async (path): Promise<Files[number]> => [path, await readFile(join(folder, path))]),
  )
}

/** Puts databases into a folder. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
}

async function migratedFiles(id: string): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-tables-'))
  const { d1, stop } = await startDatabases([id], folder)
  await Promise.all(d1.map(migrate))
  await stop()
  const files = await readFiles(folder)
  await rm(folder, { recursive: true })
  return files
}

const known = new Map<string, Promise<Files>>()

/** Gives a folder of local data, as `--persist-to` takes it, a database with all tables. */
export async function migrateFolder(folder: string, config = PROJECT_CONFIG): Promise<void> {
  const id = databaseId(config)
  const files = known.get(id) ?? migratedFiles(id)
  known.set(id, files)
  await writeFiles(folder, await files)
}

/**
 * Opens a folder of local data, and gives it a database with all tables. Commands may work on it meanwhile.
 */
export async function openMigrated(folder: string): Promise<LocalCalendar & Connection> {
  await migrateFolder(folder)
  const { d1, stop } = await startDatabases([databaseId()], folder)
  const [DB] = d1
  if (!DB) throw new Error('no database')
  return { ...connectionTo(DB), ...localCalendar(DB, {}, stop) }
}
