import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startDatabases } from '../../src/cli/local-d1.ts'
import { databaseId } from '../migrated.ts'
import { runNamed } from './commands.ts'
import { freePort, LONG, PROJECT, run, temporaryFolder } from './spawn.ts'

// A database with the migrations that one has replaced: every command says what to do with it in one line, and leaves it alone.

const MESSAGE = /^This database was made by the migrations of an earlier version.*OPERATING\.md.*$/m
const BACKUP = join(import.meta.dirname, '../backup/version-5')

async function open(): Promise<{ DB: D1Database; stop: () => Promise<void> }> {
  const { d1, stop } = await startDatabases([databaseId()], folder)
  const [DB] = d1
  if (!DB) throw new Error('no database')
  return { DB, stop }
}

const folder = temporaryFolder(afterAll)
beforeAll(async () => {
  const { DB, stop } = await open()
  await DB.batch(
    [
      'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)',
      "INSERT INTO d1_migrations (name) VALUES ('0000_tables.sql'), ('0001_derived.sql')",
      'CREATE TABLE users (id INTEGER PRIMARY KEY, login TEXT)',
      "INSERT INTO users VALUES (1, 'anna')",
    ].map(sql => DB.prepare(sql)),
  )
  await stop()
})

async function expectRefused(script: string, ...args: string[]): Promise<void> {
  // What sets up the service prints its errors itself.
  const runIt = script === 'dev' ? run : runNamed
  const { code, stdout, stderr } = await runIt(script, [...args, '--persist-to', folder])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(MESSAGE)
}

test.each([
  ['user', 'list'],
  ['audit'],
  ['export', '--out', join(tmpdir(), 'no-backup')],
  ['import', BACKUP],
  ['import', 'https://events.example'],
])('npm run %s', (script, ...args) => expectRefused(script, ...args), LONG)

test('npm run dev', async () => expectRefused('dev', '--port', String(await freePort())), LONG)

test('the database is unchanged', async () => {
  const { DB, stop } = await open()
  const [objects] = await DB.batch<{ name: string }>([
    DB.prepare(
      "SELECT name FROM sqlite_master WHERE name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*' ORDER BY 1",
    ),
  ])
  await stop()
  expect(objects?.results.map(({ name }) => name)).toEqual(['d1_migrations', 'users'])
})

test(
  'a backup of the earlier version is restored into a new database, as OPERATING.md says',
  async () => {
    const text = readFileSync(join(PROJECT, '.github/OPERATING.md'), 'utf8')
    expect(text).toContain('### A database with the earlier migrations')
    expect(text).toMatch(/npm run import -- \S+ --persist-to/)
    const other = temporaryFolder(onTestFinished)
    const { code, stderr } = await runNamed('import', [BACKUP, '--persist-to', other])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { stdout } = await runNamed('user', ['list', '--persist-to', other])
    expect(stdout).toContain('administrator')
  },
  LONG,
)
