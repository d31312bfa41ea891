import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPassword, revokePasswords } from '../../src/calendar/users/passwords.ts'
import { addUser, removeUser } from '../../src/calendar/users/users.ts'
import { showAudit } from '../../src/commands/audit.ts'
import { startDatabases } from '../../src/commands/local-d1.ts'
import { migrateFolder, openMigrated } from '../migrated.ts'
import { runNamed } from './commands.ts'
import { LONG, run, runHere, temporaryFolder } from './spawn.ts'

let db: Awaited<ReturnType<typeof openMigrated>>
const folder = temporaryFolder(afterAll)

beforeAll(async () => {
  db = await openMigrated(folder)
  const anna = await addUser(db.db, 'anna', 'editor')
  await addPassword(db.db, 'anna', null)
  await revokePasswords(db.db, 'anna', { passwordId: anna.password_id })
  await expect(revokePasswords(db.db, 'anna', { passwordId: 99 })).rejects.toThrow('99')
  await addUser(db.db, 'bert', 'author')
  await removeUser(db.db, 'bert', { heir: 'anna' })
  await db.query(
    `INSERT INTO audit (at_utc, user_id, request_id, action, kind, object_id, fields)
     VALUES ('2030-05-01 10:00:00', ?, 'r1', 'update', 'event', 7, '["title","cost"]')`,
    anna.id,
  )
  await db.query(
    `INSERT INTO audit (at_utc, request_id, action, kind, object_id) VALUES
     ('2029-01-01 10:00:00', 'import:town.example/api', 'create', 'event', 8),
     ('2029-01-01 10:00:00', 'import:village.example/api', 'create', 'event', 9),
     ('2028-11-01 10:00:00', 'calendar:itself', 'update', 'event', 12),
     ('2029-01-01 10:00:00', NULL, 'publish', 'event', 10),
     ('2028-12-01 10:00:00', NULL, 'delete', 'image', 11)`,
  )
})

afterAll(() => db.close())

const audit = (...args: string[]) => runHere(showAudit, [...args, '--persist-to', folder])

test('lists every change of users and passwords, the newest first, without secrets', async () => {
  const { stdout, stderr } = await audit('--json', '--no-imports')
  expect(stderr).toBe('')
  const { entries } = JSON.parse(stdout)
  expect(
    entries.map((entry: Record<string, unknown>) => [
      entry.action,
      entry.kind,
      entry.object_id,
      entry.fields,
    ]),
  ).toEqual([
    ['delete', 'image', 11, []],
    ['publish', 'event', 10, []],
    ['update', 'event', 12, []],
    ['update', 'event', 7, ['title', 'cost']],
    ['delete', 'user', 2, ['content']],
    ['create', 'user', 2, ['login', 'role', 'password']],
    ['revoke', 'user', 1, ['password']],
    ['update', 'user', 1, ['password']],
    ['create', 'user', 1, ['login', 'role', 'password']],
  ])
  for (const entry of entries.slice(0, 2)) expect(entry).toMatchObject({ source: 'clock', user_id: null })
  expect(entries[2]).toMatchObject({ user_id: null, source: 'calendar' })
  expect(entries[3]).toMatchObject({ login: 'anna', user_id: 1, request_id: 'r1', source: null })
  expect(entries[4]).toMatchObject({ login: null, user_id: null, request_id: null, source: 'command line' })
})

test('prints and ends as a process does, and connects to nobody elsewhere', async () => {
  // Miniflare takes some care in tests that it does not take otherwise.
  const variables = { NODE_ENV: '', NODE_DEBUG: 'net' }
  const { code, stdout, stderr } = await run('audit', ['--limit', '1', '--persist-to', folder], variables)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^[^\n]* delete image 11\n$/)])
  expect(stderr).toContain('127.0.0.1')
  expect(stderr).not.toContain('find host')
})

test('--since shows later changes only', async () => {
  const since = await audit('--since', '2030-05-01T12:00:00+02:00')
  expect(since.stdout).toBe('2030-05-01 10:00:00  anna  update event 7: title, cost\n')
})

test.each([
  ['import', [9, 8]],
  ['clock', [11, 10]],
  ['calendar', [12]],
  ['visitors', []],
  ['users', [7]],
  ['command-line', [2, 2, 1, 1, 1]],
])('--source %s shows the changes that it made, and no others', async (source, ids) => {
  const { entries } = JSON.parse((await audit('--json', '--source', source)).stdout)
  expect(entries.map((entry: { object_id: number }) => entry.object_id)).toEqual(ids)
})

test('shows the changes of one import, and names its source', async () => {
  const { stdout } = await audit('--source', 'town.example/api')
  expect(stdout).toBe('2029-01-01 10:00:00  import of town.example/api  create event 8\n')
})

test.each([
  ['cannot be combined', ['--source', 'import', '--no-imports']],
  ['--since', ['--since', 'someday']],
  ['--limit', ['--limit', '0']],
])('names a wrong argument: %s', async (name, args) => {
  const { code, stderr } = await audit(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(name)
})

test('shows values only with --values', async () => {
  await db.query(
    `INSERT INTO audit (at_utc, action, kind, object_id, fields, changed)
     VALUES ('2031-05-01 10:00:00', 'update', 'event', 12, '["cost"]', '{"cost":["5","6 \\u001b[1m"]}')`,
  )
  expect((await audit('--limit', '1')).stdout).not.toContain('"5"')
  // Characters that mean something to a terminal are escaped.
  expect((await audit('--limit', '1', '--values')).stdout).toContain('cost: "5" → "6 \\u001b[1m"')
  const { entries } = JSON.parse((await audit('--limit', '1', '--values', '--json')).stdout)
  expect(entries[0].changed).toEqual({ cost: ['5', '6 \u001b[1m'] })
})

describe('where there is no calendar', () => {
  const wrong = join(folder, 'wrong')
  const out = join(folder, 'out')

  test.each([
    ['export', ['--out', out]],
    ['audit', []],
    ['user', ['list']],
    ['user', ['link', 'anna']],
  ])('npm run %s %j fails, and makes none', async (name, args) => {
    const { code, stdout, stderr } = await runNamed(name, [...args, '--persist-to', wrong])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`There is no calendar in ${wrong}. Name its folder with --persist-to.\n`)
    expect([wrong, out].filter(existsSync)).toEqual([])
  })

  test('the database of another configuration is none', async () => {
    const other = join(folder, 'other')
    const { d1, stop } = await startDatabases(['another'], other)
    await d1[0]?.batch([d1[0].prepare('CREATE TABLE t (id INTEGER)')])
    await stop()
    const { code, stderr } = await runNamed('audit', ['--persist-to', other])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`no calendar in ${other}.`)])
  })

  test('adding the first user makes one', { timeout: LONG }, async () => {
    const state = ['--persist-to', join(folder, 'new')]
    expect((await runNamed('user', ['add', 'cleo', '--role', 'editor', ...state])).code).toBe(0)
    const { code, stdout } = await runNamed('export', ['--out', join(folder, 'full'), ...state])
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('empty')])
  })

  test('a backup of one into which nothing was written says so', async () => {
    const state = join(folder, 'unused')
    await migrateFolder(state)
    const { code, stdout } = await runNamed('export', ['--out', join(folder, 'empty'), '--persist-to', state])
    expect([code, stdout]).toEqual([1, expect.stringContaining('This calendar is empty')])
  })
})

test('a command ends where it cannot write local data', { timeout: LONG }, async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const half = join(folder, 'half')
  await mkdir(half)
  // Only the runtime meets this one.
  await writeFile(join(half, 'v3'), '')
  const ends = async (state: string) =>
    run('user', ['add', 'dora', '--role', 'editor', '--persist-to', state])
  expect(await ends(file)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The folder .*\/file cannot be written: EEXIST: .+\n$/),
  })
  expect(await ends(half)).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOTDIR') })
})

test.each([
  ['export', ['--out', '']],
  ['export', ['--out=', '--persist-to', folder]],
  ['export', ['--out', join(folder, 'unnamed'), '--persist-to', '']],
  ['dev', ['--persist-to', '']],
])('npm run %s %j: an option of a script whose variable is empty is refused', async (name, args) => {
  const { code, stdout, stderr } = await runNamed(name, args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^--(?:out|persist-to) is empty\.\n$/)
  expect(existsSync(join(folder, 'unnamed'))).toBe(false)
})
