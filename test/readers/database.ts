import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { SourceItem } from '../../src/calendar/imports/records.ts'
import type { Report } from '../../src/calendar/imports/report.ts'
import { exportCalendar } from '../../src/commands/backup/export.ts'
import { restoreCalendar } from '../../src/commands/backup/restore.ts'
import { Import, type ImportOptions } from '../../src/commands/import-items.ts'
import { inline, type PlainStatement, RemoteDatabase } from '../../src/commands/remote-database.ts'
import type { ImageStore } from '../../src/kit/context.ts'
import type { Database } from '../../src/kit/db/database.ts'
import type { RawRow } from '../../src/kit/db/query.ts'
import { importContext } from '../../src/kit/http/request-context.ts'
import { toEpoch } from '../../src/kit/lib/time.ts'
import { settingsOf } from '../../src/kit/settings.ts'
import type { Connection } from '../connection.ts'
import { connectionTo, databaseOver } from '../connection.ts'
import { freshDatabase } from '../migrated.ts'

type TestDatabase = Connection & { d1: D1Database }

/** Makes an empty database, with all tables. */
export async function makeDatabase(): Promise<TestDatabase> {
  const d1 = await freshDatabase()
  return { ...connectionTo(d1, async () => {}), d1 }
}

/** Declares the database of a file's tests: empty before each, and closed after them. */
export function emptyDatabase(): TestDatabase {
  // Everything is there once tests run.
  const db = {} as TestDatabase
  beforeAll(async () => {
    Object.assign(db, await makeDatabase())
  })
  beforeEach(() => emptyTables(db))
  afterAll(() => db.close())
  return db
}

/** Makes two empty databases. */
export const makeDatabases = async (): Promise<[TestDatabase, TestDatabase]> => [
  await makeDatabase(),
  await makeDatabase(),
]

/** The tables of content, each before those that it refers to. */
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

/** All content, images and users, and the texts that searches look through. */
export async function contentsOf(db: Connection): Promise<Record<string, RawRow[]>> {
  const tables = [
    ...TABLES,
    'images',
    'users',
    ...['events', 'series', 'venues', 'organizers'].map(name => `${name}_search`),
  ]
  const rows = await db.batch(
    tables.map((table): [string] => [
      // Rows of links are in the order in which they were written.
      `SELECT ${table.endsWith('_search') ? 'rowid, ' : ''}* FROM ${table} ORDER BY 1, 2`,
    ]),
  )
  // Each database counts its own changes.
  const uncounted = ({ change_number, public_change_number, ...row }: RawRow): RawRow => row
  return Object.fromEntries(tables.map((table, i) => [table, (rows[i] ?? []).map(uncounted)]))
}

/** A folder for the tests of a file, which is deleted after them. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A bucket in memory. */
export function makeStore(): ImageStore & { files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>()
  return {
    files,
    put: async (file, content) => void files.set(file, Uint8Array.from(content)),
    get: async file => files.get(file),
  }
}

/** Exports a calendar without image files. */
export const exportTo = (db: Connection, folder: string) =>
  exportCalendar(databaseOver(db), { folder, store: undefined, now: NOW, progress: () => {} })

/** Restores a backup without image files. */
export const restoreInto = (db: Connection, folder: string) =>
  restoreCalendar(
    importContext({ db: databaseOver(db), settings: settingsOf({ TIMEZONE: 'UTC' }), nowMs: toEpoch(NOW) }),
    {
      folder,
      store: undefined,
      batchSize: 50,
      dryRun: false,
      progress: () => {},
    },
  )

/** Makes a database as good as new. */
export async function emptyTables(db: Connection): Promise<void> {
  await db.batch([
    // Series and events may refer to each other.
    ['UPDATE series SET post_parent = NULL'],
    ...[...TABLES, 'images', 'passwords', 'users', 'imports', 'audit', 'sqlite_sequence'].map(
      (table): [string] => [`DELETE FROM ${table}`],
    ),
  ])
}

export const NOW = '2026-11-20 12:00:00'
export const CONTEXT = { timezone: 'UTC', nowMs: Date.parse('2026-11-20T12:00:00Z'), note: () => {} }
export const WINDOW = { from: '2025-11-20 00:00:00', to: '2028-11-20 00:00:00' }

export type Importing = Partial<ImportOptions> & {
  now?: string
  timezone?: string
  language?: string
  database?: Database
}

/** Imports. @returns the report */
export async function importInto(
  db: Connection,
  items: AsyncIterable<SourceItem> | Iterable<SourceItem>,
  { now = NOW, timezone = 'UTC', language = 'en', database = databaseOver(db), ...options }: Importing = {},
): Promise<Report> {
  const context = importContext({
    db: database,
    settings: settingsOf({ TIMEZONE: timezone, LANGUAGE: language }),
    nowMs: toEpoch(now),
  })
  return new Import(context, {
    mirror: false,
    agrees: true,
    dryRun: false,
    batchSize: 200,
    say: () => {},
    progress: () => {},
    ...options,
  }).run(items)
}

/** A connection that does something before each write. */
export const beforeWrites = (db: Connection, work: () => Promise<unknown>): Connection => ({
  ...db,
  batch: async statements => {
    if (statements.some(([text]) => !/^\s*(?:SELECT|WITH)/.test(text))) await work()
    return db.batch(statements)
  },
})

/** A database that takes writes as files of statements, as one far away does, and what it was sent. */
export function remoteOver(db: Connection) {
  const sent = { requests: 0, largest: 0 }
  const note = (texts: string[]) => {
    sent.requests += 1
    sent.largest = Math.max(sent.largest, ...texts.map(text => Buffer.byteLength(text)))
  }
  const read = (statements: readonly PlainStatement[]) => {
    note([statements.map(statement => inline(statement)).join(';\n')])
    return db.batch(statements)
  }
  const runFile = async (path: string) => {
    const statements = (await readFile(path, 'utf8')).split(';\n').filter(text => text.trim() !== '')
    note(statements)
    await db.batch(statements.map((statement): PlainStatement => [statement]))
  }
  return { database: new RemoteDatabase(read, runFile), sent }
}

/** The counts of a report that aren't zero, as `event created 2`. */
export const countsOf = (report: Report): string[] =>
  (['category', 'tag', 'venue', 'organizer', 'series', 'event', 'page'] as const).flatMap(kind =>
    (['created', 'updated', 'unchanged', 'skipped', 'failed', 'trashed'] as const).flatMap(outcome => {
      const count = report.countOf(kind, outcome)
      return count === 0 ? [] : [`${kind} ${outcome} ${count}`]
    }),
  )
