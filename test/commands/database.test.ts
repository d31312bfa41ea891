import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, readUsers } from '../../src/calendar/users/users.ts'
import { inline, openRemote, RemoteDatabase } from '../../src/commands/remote-database.ts'
import { PROJECT_CONFIG, type Target } from '../../src/commands/wrangler.ts'
import { openMigrated } from '../migrated.ts'
import { LONG, temporaryFolder } from './spawn.ts'

let db: Awaited<ReturnType<typeof openMigrated>>
let target: Target
const folder = temporaryFolder(afterAll)

beforeAll(async () => {
  target = { remote: false, persistTo: folder, environment: undefined, config: PROJECT_CONFIG }
  db = await openMigrated(folder)
})

afterAll(() => db.close())

test.each([
  'plain',
  '',
  'it’s "quoted"; -- '.concat("'twice' ''?"),
  'line\nend\r\n\ttab',
  'Ünïcödé 🎻',
  '100%',
  0,
  -1.5,
  2 ** 53,
  1e-7,
  null,
])('a literal is read back as the parameter that it replaces: %j', async value => {
  const [row] = await db.query(inline(['SELECT ? AS value, ? AS next', value, 'n']))
  expect(row).toEqual({ value, next: 'n' })
})

test('question marks in texts are no parameters', () => {
  expect(inline([`SELECT 'it''s ?', ?`, 1])).toBe(`SELECT 'it''s ?', 1`)
})

test('parameters have to be as many as question marks, and numbers finite', () => {
  expect(() => inline(['SELECT ?, ?', 1])).toThrow('Too few')
  expect(() => inline(['SELECT ?', 1, 2])).toThrow('Too many')
  expect(() => inline(['SELECT ?', Number.NaN])).toThrow('NaN')
})

test('a failed batch leaves nothing behind', async () => {
  const insert = `INSERT INTO images (url) VALUES (?)`
  await expect(
    db.batch([
      [insert, 'a'],
      [insert, 'b'],
      [insert, 'a'],
    ]),
  ).rejects.toThrow('UNIQUE')
  expect(await db.query('SELECT * FROM images')).toEqual([])
})

// What reaches D1 at Cloudflare, tried on a local database.
test('a database behind wrangler behaves the same', { timeout: LONG }, async () => {
  const throughWrangler = openRemote(target)
  const login = 'O’Hara; "Ö"'
  const made = await addUser(throughWrangler, login, 'editor')
  expect(made).toMatchObject({ login, role: 'editor' })
  await expect(addUser(throughWrangler, login, 'author')).rejects.toThrow('already')
  expect(await readUsers(db.db)).toMatchObject([
    { login, passwords: [{ id: made.password_id, expires_utc: null }] },
  ])
})

test('a write that is too long for a command goes as a file, even if it is one statement', async () => {
  const sent: string[] = []
  const remote = new RemoteDatabase(
    async () => {
      sent.push('command')
      return []
    },
    async path => {
      sent.push('file')
      await db.batch(
        (await readFile(path, 'utf8'))
          .split(';\n')
          .filter(text => text.trim() !== '')
          .map((text): [string] => [text]),
      )
    },
  )
  const url = 'é'.repeat(60_000)
  await remote.write([sql`INSERT INTO images (url) VALUES (${url})`])
  expect(sent).toEqual(['file'])
  expect(await db.query('SELECT url FROM images')).toEqual([{ url }])
})
