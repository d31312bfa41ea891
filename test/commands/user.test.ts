import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { addUser } from '../../src/calendar/users/users.ts'
import { manageUsers } from '../../src/commands/user.ts'
import { NAMESPACE, settingsOf } from '../../src/kit/settings.ts'
import { openMigrated } from '../migrated.ts'
import { run, runHere, temporaryFolder } from './spawn.ts'

let db: Awaited<ReturnType<typeof openMigrated>>
const folder = temporaryFolder(afterAll)

beforeAll(async () => {
  db = await openMigrated(folder)
})

afterAll(() => db.close())

const user = (...args: string[]) => runHere(manageUsers, [...args, '--persist-to', folder])

const call = (path: string, login: string, password: string, fields?: object) =>
  createApp(settingsOf(db.bindings)).request(
    `/${NAMESPACE}${path}`,
    {
      method: fields ? 'POST' : 'GET',
      headers: { authorization: `Basic ${btoa(`${login}:${password}`)}`, 'content-type': 'application/json' },
      body: fields ? JSON.stringify(fields) : null,
    },
    db.bindings,
    db.context,
  )

describe('add', () => {
  test('prints one JSON object, and its password gives access to the API', async () => {
    const { code, stdout, stderr } = await user('add', 'anna', '--role', 'author', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const made = JSON.parse(stdout)
    expect(made).toEqual({
      id: expect.any(Number),
      login: 'anna',
      role: 'author',
      password: expect.stringMatching(/^([a-z0-9]{5} ?){8}$/),
    })
    expect((await call('/events', 'anna', made.password)).status).toBe(200)
    expect((await call('/events', 'bert', made.password)).status).toBe(401)
  })

  test('refuses a login that exists, in any case', async () => {
    await addUser(db.db, 'cleo', 'editor')
    const { code, stdout, stderr } = await user('add', 'CLEO', '--role', 'author')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('CLEO')
  })

  test.each([
    ['--role', ['add', 'dora', '--role', 'boss']],
    ['--role', ['add', 'dora']],
    ['<login>', ['add', '--role', 'editor']],
    ['<login>', ['add', 'do:ra', '--role', 'editor']],
    ['<login>', ['add', 'do ra', '--role', 'editor']],
    ['<login>', ['add', 'd'.repeat(61), '--role', 'editor']],
    ['--reassign', ['add', 'dora', '--role', 'editor', '--reassign', 'anna']],
    ['--remote', ['add', 'dora', '--role', 'editor', '--local', '--remote']],
    ['--persist-to', ['add', 'dora', '--role', 'editor', '--remote']],
    ['--config', ['list', '--config', 'nowhere.toml']],
    ['--passwords', ['list', '--passwords']],
    ['--password-id', ['revoke', 'dora', '--password-id', 'first']],
    ['--site', ['link', 'dora', '--site', 'example.org']],
    ['--expires', ['password', 'dora', '--expires', 'yesterday']],
  ])('names a wrong argument: %s of %j', async (name, args) => {
    const { code, stdout, stderr } = await user(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(name)
  })

  test('ends with 2 after a wrong argument', async () => {
    const { code, stdout, stderr } = await run('user', ['constructor'])
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('constructor'),
    })
  })
})

test('a link to sign in is printed, for the calendar here or at an address', async () => {
  await addUser(db.db, 'lena', 'editor')
  const { stdout } = await user('link', 'lena')
  expect(stdout).toMatch(
    /^lena can sign in once until .* UTC: http:\/\/localhost:8787\/admin\/link\/[a-z\d]{40}\/$/m,
  )
  expect(stdout).toContain('pass it with --site')
  const { link } = JSON.parse((await user('link', 'LENA', '--site', 'https://a.example/x', '--json')).stdout)
  expect(link).toMatch(/^https:\/\/a\.example\/admin\/link\/[a-z\d]{40}\/$/)
  expect(await db.query('SELECT count(*) AS links FROM sign_in_links')).toEqual([{ links: 1 }])
  expect((await user('link', 'nobody')).code).toBe(1)
})

test('a link lasts seven days until a new user has signed in, then an hour', async () => {
  const { password } = await addUser(db.db, 'nina', 'editor')
  const hours = async () => {
    const { expires_utc } = JSON.parse((await user('link', 'nina', '--json')).stdout)
    return Math.round((Date.parse(`${expires_utc}Z`) - Date.now()) / 3_600_000)
  }
  expect(await hours()).toBe(7 * 24)
  await call('/events', 'nina', password)
  expect(await hours()).toBe(1)
})

test('one of several passwords is revoked, then all', async () => {
  const { password: first } = await addUser(db.db, 'emil', 'subscriber')
  const second = JSON.parse((await user('password', 'emil', '--expires', '+1 week', '--json')).stdout)
  const status = async (password: string) => (await call('/events', 'emil', password)).status
  expect([await status(first), await status(second.password)]).toEqual([200, 200])

  const { users } = JSON.parse((await user('list', '--json')).stdout)
  const emil = users.find((listed: { login: string }) => listed.login === 'emil')
  expect(emil).toMatchObject({ role: 'subscriber', content: 0 })
  expect(emil.passwords).toEqual([
    expect.objectContaining({ expires_utc: null }),
    expect.objectContaining({ id: second.password_id, expires_utc: second.expires_utc }),
  ])

  await user('link', 'emil')
  const links = () => db.query('SELECT count(*) AS links FROM sign_in_links WHERE user_id = ?', emil.id)
  await db.query(
    `INSERT INTO sessions (user_id, digest, method, device, created_utc, expires_utc, last_used_utc)
     SELECT ?, value, value, '', '2026-01-01 00:00:00', '2100-01-01 00:00:00', '2026-01-01 00:00:00'
     FROM json_each('["passkey", "password"]')`,
    emil.id,
  )
  const sessions = () => db.query('SELECT method FROM sessions WHERE user_id = ? ORDER BY id', emil.id)
  expect((await user('revoke', 'emil', '--password-id', '99999')).code).toBe(1)
  expect(await sessions()).toHaveLength(2)
  expect((await user('revoke', 'emil', '--password-id', String(second.password_id))).code).toBe(0)
  expect([await status(first), await status(second.password)]).toEqual([200, 401])
  expect(await links()).toEqual([{ links: 1 }])
  expect(await sessions()).toEqual([{ method: 'passkey' }])
  const { stdout } = await user('revoke', 'emil', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ login: 'emil', revoked: 1 })
  expect(await status(first)).toBe(401)
  expect(await links()).toEqual([{ links: 0 }])
  expect(await sessions()).toEqual([])
})

test('a user who owns content is removed only when another user gets it', async () => {
  const { id, password } = await addUser(db.db, 'fred', 'author')
  const heir = await addUser(db.db, 'gina', 'editor')
  const created = await call('/organizers', 'fred', password, { organizer: 'Quartet' })
  const organizer: { id: number } = await created.json()
  const day = { start_date: '2027-01-10', end_date: '2027-01-10' }
  await call('/events', 'fred', password, { title: 'Daily', ...day, recurrence: 'FREQ=DAILY;COUNT=2' })
  await db.query(`INSERT INTO images (url, author_id) VALUES ('/media/x.jpg', ?)`, id)
  // What came of a source, and was edited since or not.
  const origins = `VALUES ('source:1', 'organizer', 'same', ?1, '', '1'), ('source:1', 'organizer', 'edited', ?1, '', '0')`
  await db.query(
    `INSERT INTO imports (source, kind, external_id, target_id, hash, imported_version) ${origins}`,
    organizer.id,
  )
  await db.query(
    `INSERT INTO sources (name, url, kind, every, status, author_id, created_utc)
     VALUES ('Theatre', 'https://t.example/', 'ical', 'day', 'publish', ?, '2026-01-01 00:00:00')`,
    id,
  )

  const refused = await user('remove', 'fred')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('--reassign')
  const { stdout } = await user('remove', 'fred', '--reassign', 'gina', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ login: 'fred', reassigned: 4 })
  for (const table of ['images', 'series', 'sources'])
    expect(await db.query(`SELECT author_id FROM ${table}`), table).toEqual([{ author_id: heir.id }])
  expect(
    await db.query(
      'SELECT version, imported_version FROM imports JOIN organizers ON organizers.id = target_id ORDER BY 2',
    ),
  ).toEqual([
    { version: 2, imported_version: '0' },
    { version: 2, imported_version: '2' },
  ])

  const read = await call(`/organizers/${organizer.id}`, 'gina', heir.password)
  expect(await read.json()).toMatchObject({ author: String(heir.id) })
  expect((await call('/events', 'fred', password)).status).toBe(401)
  expect((await user('remove', 'fred')).stderr).toContain('fred')
})

test('forget deletes who sent submissions and remarks, whatever the case of the address', async () => {
  const { DB } = db.bindings
  const rows = async (sql: string) => (await DB.batch([DB.prepare(sql)]))[0]?.results
  const entries = () => rows("SELECT action, object_id FROM audit WHERE kind = 'sender'")
  expect((await user('forget', 'ann@example.org')).stdout).toContain('deleted: 0')
  expect(await entries()).toEqual([])
  const sender = `name, email, created_utc) VALUES (1, 'x', 'Ann', 'Ann@example.org', '2027-01-01 00:00:00')`
  await DB.batch([
    DB.prepare(
      `INSERT INTO submissions (event_key, event_id, token_digest, ${sender.replace('VALUES (', "VALUES ('k', ")}`,
    ),
    DB.prepare("UPDATE submissions SET via = 'email', mail_text = 'Yours, Ann'"),
    DB.prepare(`INSERT INTO remarks (event_id, text, ${sender}`),
    DB.prepare(`INSERT INTO remarks (event_id, text, ${sender.replace('Ann@', 'bob@')}`),
  ])
  expect(await user('forget', 'ann@EXAMPLE.org', '--json')).toMatchObject({
    code: 0,
    stdout: '{"forgotten":2}\n',
  })
  const [left] = await DB.batch<{ email: string }>([
    DB.prepare('SELECT email FROM submissions UNION ALL SELECT email FROM remarks ORDER BY 1'),
  ])
  expect(left?.results.map(({ email }) => email)).toEqual(['', '', 'bob@example.org'])
  expect(await rows('SELECT name, mail_text FROM submissions')).toEqual([{ name: '', mail_text: '' }])
  expect(await entries()).toEqual([{ action: 'delete', object_id: 0 }])
})

test('a command without its operand names it', async () => {
  expect((await user('forget')).stderr).toBe('<address> is missing: forget <address>\n')
  expect((await user('link')).stderr).toMatch(/^<login> is missing: link <login>/)
})

test('the last administrator who can sign in needs --yes, and a warning follows', async () => {
  const { password_id } = await addUser(db.db, 'olga', 'administrator')
  for (const args of [
    ['remove', 'olga'],
    ['revoke', 'olga'],
    ['revoke', 'olga', '--password-id', String(password_id)],
  ]) {
    const { code, stderr } = await user(...args)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--yes') })
  }
  await addUser(db.db, 'pia', 'administrator')
  expect((await user('revoke', 'olga')).stdout).toBe('Passwords of olga revoked: 1.\n')
  expect((await user('remove', 'pia')).stderr).toContain('Without pia, no administrator could sign in')
  const { code, stdout } = await user('revoke', 'pia', '--yes')
  expect([code, stdout]).toEqual([0, expect.stringContaining('Warning: No administrator')])
  await user('remove', 'pia')
  const { stdout: json } = await user('remove', 'olga', '--yes', '--json')
  expect(JSON.parse(json)).toMatchObject({
    login: 'olga',
    warning: expect.stringContaining('npm run user -- add'),
  })
  expect(await db.query("SELECT id FROM users WHERE role = 'administrator'")).toEqual([])
})
