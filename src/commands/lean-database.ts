import { existsSync } from 'node:fs'
import { access, constants, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ExecutionContext } from 'hono'
import type { ImageStore } from '../kit/context.ts'
import { Database } from '../kit/db/database.ts'
import { findRestoreProgress, readAppliedMigrations } from '../kit/db/readiness.ts'
// For its effect: error codes and roles depend on the features, which nothing else here loads.
import '../features.ts'
import { messageOf } from '../kit/lib/errors.ts'
import type { Vars } from '../kit/settings.ts'
import { databasesIn, localStore, remoteStore, startDatabases } from './local-d1.ts'
import { openRemote } from './remote-database.ts'
import { stateFolder, type Target } from './wrangler.ts'
import {
  bucketIn,
  type ConfiguredTarget,
  databaseIn,
  localVars,
  readConfiguration,
} from './wrangler-config.ts'

// Migrations run without wrangler, which starts a new runtime for each migration. With wrangler 4.155 and
// five migrations, an empty database takes 16 seconds and 370 MB (`d1 migrations apply --local`); opening and
// migrating one here takes 5 seconds. A first start takes 12 seconds, and an import of 1,000 events takes 8;
// through wrangler, these would take more than twice as long.

const BUSY_ATTEMPTS = 10

/** Retries while the file is busy, because another process may have the local database open, and write. */
async function retryWhileBusy<T>(run: () => Promise<T>): Promise<T> {
  for (let attemptsLeft = BUSY_ATTEMPTS; ; attemptsLeft--) {
    try {
      return await run()
    } catch (error) {
      if (attemptsLeft <= 1 || !(error instanceof Error && error.message.includes('SQLITE_BUSY'))) throw error
      await setTimeout(500)
    }
  }
}

/**
 * Runs the migrations that a local database doesn't have yet, each in a transaction with the entry in
 * `d1_migrations` that wrangler relies on.
 *
 * @param folder of the files, which run in the order of their names
 * @throws Error that names the migration that fails; earlier migrations stay
 */
export async function migrate(d1: D1Database, folder: string): Promise<void> {
  const run = (...statements: D1PreparedStatement[]) =>
    retryWhileBusy(() => d1.batch<{ name: string }>(statements))
  const [, notedMigrations] = await run(
    d1.prepare(`CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`),
    d1.prepare('SELECT name FROM d1_migrations'),
  )
  const applied = notedMigrations?.results.map(({ name }) => name) ?? []
  const names = (await readdir(folder))
    .filter(name => name.endsWith('.sql') && !applied.includes(name))
    .sort()
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

// Wrangler takes seconds and 250 MB of memory to load, but imports and exports should take at most 300 MB. So
// this module opens a local database without it, by starting Miniflare with the ids from the configuration.

function varsOf(configured: ConfiguredTarget): Vars {
  const allVars = {
    ...configured.environmentSection.vars,
    ...(configured.remote ? {} : localVars(configured)),
  }
  // All our vars are texts.
  return Object.fromEntries(Object.entries(allVars).filter(([, value]) => typeof value === 'string')) as Vars
}

/**
 * An open calendar: its database, and the vars and the images of its Worker. The bucket for images may be
 * missing.
 */
export type OpenCalendar = {
  db: Database
  /** Another executor of the same database. */
  openExecutor: () => Database
  vars: Vars
  images: ImageStore | undefined
  close: () => Promise<void>
}

/** A calendar on this machine, with the bindings and the context for requests to its API. */
export type LocalCalendar = OpenCalendar & { bindings: Vars & { DB: D1Database }; context: ExecutionContext }

/** Callers wait for the whole response of the API, so no work has to continue afterwards. */
const CONTEXT = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }

/**
 * Opens a calendar. A local one without tables gets them first; one at Cloudflare is reached through
 * wrangler.
 *
 * @param options.creates false if it is an error that there is no local calendar yet, as in a wrong folder
 * @throws Error if the configuration names no database `DB`, or is not TOML
 */
export async function openCalendar(target: Target, { creates = true } = {}): Promise<OpenCalendar> {
  if (!target.remote) return creates ? openLocal(target, hasNoMigrations) : openExisting(target)
  const configured = readConfiguration(target)
  const bucket = bucketIn(configured)
  const openExecutor = () => openRemote(target)
  const db = openExecutor()
  // A calendar at Cloudflare may be in use, so nothing migrates it without being asked.
  if (await hasNoMigrations(db))
    throw new Error('The database lacks tables: first run npx wrangler d1 migrations apply DB --remote.')
  const images = bucket && remoteStore(target, bucket.bucket_name)
  return { db, openExecutor, vars: varsOf(configured), images, close: async () => {} }
}

async function openExisting(target: Target): Promise<OpenCalendar> {
  const folder = stateFolder(target)
  const assertThere = (found: boolean) => {
    if (!found) throw new Error(`There is no calendar in ${folder}. Name its folder with --persist-to.`)
  }
  // Opening a database makes its file.
  assertThere(existsSync(databasesIn(folder)))
  return openLocal(target, async db => {
    assertThere(!(await hasNoMigrations(db)))
    return false
  })
}

/** @throws Error if only a part of the calendar has been restored */
async function assertRestored(db: Database): Promise<void> {
  if ((await findRestoreProgress(db)) === null) return
  throw new Error(
    'The restore of a backup was interrupted here, or is under way. Restore that backup again with npm run import; it continues where it stopped.',
  )
}

/** Opens a calendar as {@link openCalendar} does for some work, and closes it afterwards. */
export async function withCalendar(
  target: Target,
  work: (calendar: OpenCalendar) => Promise<void>,
  options: { creates?: boolean } = {},
): Promise<void> {
  const calendar = await openCalendar(target, options)
  try {
    await assertRestored(calendar.db)
    await work(calendar)
  } finally {
    await calendar.close()
  }
}

const hasNoMigrations = async (db: Database): Promise<boolean> =>
  (await readAppliedMigrations(db)).length === 0

/** @throws Error if the folder can't be written: the runtime writes even to read, and would print a stack */
async function assertWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    for (const path of [folder, databasesIn(folder)].filter(existsSync)) await access(path, constants.W_OK)
  } catch (error) {
    throw new Error(`The folder ${folder} cannot be written: ${messageOf(error)}`, { cause: error })
  }
}

/**
 * Opens a local calendar, which `wrangler dev` may serve at the same time.
 *
 * @param needsMigration true for a database that is to be migrated first; by default for every database
 */
export async function openLocal(
  target: Target,
  needsMigration: (db: Database) => Promise<boolean> = async () => true,
): Promise<LocalCalendar> {
  const configured = readConfiguration(target)
  const { preview_database_id, database_id, migrations_dir } = databaseIn(configured)
  const bucket = bucketIn(configured)
  await assertWritable(stateFolder(target))
  const { d1, openBucket, stop } = await startDatabases(
    [preview_database_id ?? database_id ?? 'DB'],
    stateFolder(target),
    bucket?.preview_bucket_name ?? bucket?.bucket_name,
  )
  try {
    const [DB] = d1
    if (!DB) throw new Error('The database was not started.')
    const local = localCalendar(DB, varsOf(configured), stop)
    if (await needsMigration(local.db)) await migrate(DB, resolve(dirname(target.config), migrations_dir))
    return { ...local, images: openBucket && localStore(openBucket) }
  } catch (error) {
    await stop()
    throw error
  }
}

export function localCalendar(DB: D1Database, vars: Vars, close: () => Promise<void>): LocalCalendar {
  const openExecutor = () => new Database(DB)
  return {
    db: openExecutor(),
    openExecutor,
    vars,
    images: undefined,
    close,
    bindings: { ...vars, DB },
    context: CONTEXT,
  }
}
