import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startDatabases } from '../../src/commands/local-d1.ts'
import type { Transport } from '../../src/readers/http.ts'
import type { Calendar } from '../commands/backup/rich.ts'
import { connectionTo } from '../connection.ts'

// The calendar that 1.0.0 left: rows, their backup, and the documents of its sources. Its own code made all
// of it, through the API, the editor, the cron and commands. These files are never changed: every later
// version must be able to upgrade them.

const FOLDER = join(import.meta.dirname, '1.0.0')

/** The migrations that 1.0.0 had. */
const MIGRATIONS = 4

/** The backup that 1.0.0 made of its calendar. */
export const BACKUP = join(FOLDER, 'backup')

/** The time at which the calendar was left. */
export const SNAPSHOT_TIME = '2026-11-22T12:30:00Z'

const statementsIn = (sql: string): string[] =>
  sql
    .split(/;\n|--> statement-breakpoint/)
    .map(text => text.replace(/^\s*--.*$/gm, '').trim())
    .filter(text => text !== '')

const DRIZZLE = join(import.meta.dirname, '../../drizzle')

/** The statements of all migrations, one list each. Triggers have statements within them. */
async function migrations(): Promise<string[][]> {
  const names = (await readdir(DRIZZLE)).filter(name => name.endsWith('.sql')).sort()
  const texts = await Promise.all(names.map(name => readFile(join(DRIZZLE, name), 'utf8')))
  return texts.map(text => text.split('--> statement-breakpoint').filter(one => one.trim() !== ''))
}

/** Opens a database of 1.0.0 with its rows, which triggers have not met. */
export async function openRelease(): Promise<Calendar> {
  const {
    d1: [d1],
    stop,
  } = await startDatabases(['release'])
  if (!d1) throw new Error('no database')
  const db = { ...connectionTo(d1, stop), d1 }
  const run = (statements: readonly string[]) => d1.batch(statements.map(sql => d1.prepare(sql)))
  for (const migration of (await migrations()).slice(0, MIGRATIONS)) await run(migration)
  const triggers = await db.query("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
  const rows = statementsIn(readFileSync(join(FOLDER, 'database.sql'), 'utf8'))
  const tables = rows.map(sql => /^INSERT INTO (\w+)/.exec(sql)?.[1] ?? '')
  await run([
    'PRAGMA defer_foreign_keys = on',
    ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
    ...tables.map(table => `DELETE FROM ${table}`),
    ...rows,
    ...triggers.map(({ sql }) => String(sql)),
  ])
  return db
}

/** Applies the migrations that came after 1.0.0. */
export async function upgrade({ d1 }: Calendar): Promise<void> {
  for (const migration of (await migrations()).slice(MIGRATIONS))
    await d1.batch(migration.map(sql => d1.prepare(sql)))
}

const TYPES: Readonly<Record<string, string>> = {
  ics: 'text/calendar',
  json: 'application/json',
  html: 'text/html',
}

/** The network as it was then: the hosts of the sources, whose files may be changed by their paths. */
export const networkWith =
  (change: (path: string, text: string) => string = (_, text) => text): Transport =>
  async ({ hostname, pathname }) => {
    const path = `${hostname}${pathname.replace(/\/$/, '')}`
    for (const file of [path, `${path}.json`, `${path}/index.html`, `${path}/index.json`]) {
      const text = await readFile(join(FOLDER, 'sources', file), 'utf8').catch(() => undefined)
      if (text === undefined) continue
      const body = change(file, text)
      const etag = `"${createHash('sha1').update(body).digest('hex')}"`
      const headers = new Headers({ 'content-type': TYPES[file.split('.').at(-1) ?? ''] ?? '', etag })
      if (path === 'town.example')
        headers.set('x-tec-api-root', 'https://town.example/wp-json/tribe/events/v1/')
      return { status: 200, headers, chunks: chunksOf(body), cancel: () => {} }
    }
    return { status: 404, headers: new Headers(), chunks: chunksOf('Not found'), cancel: () => {} }
  }

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** A spreadsheet that was imported by a command. */
export const SPREADSHEET = join(FOLDER, 'sources/programme.csv')
