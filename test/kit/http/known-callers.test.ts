import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { removeUser } from '../../../src/calendar/users/users.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { first, mapQuery, resolvedQuery } from '../../../src/kit/db/query.ts'
import { JPEG } from '../../calendar/media/samples.ts'
import { storedFiles, upload } from '../../calendar/media/upload.ts'
import { signIn } from '../../editor/session.ts'
import {
  type Answer,
  basic,
  countRows,
  declareUser,
  makeEvent,
  makeUser,
  query,
  queryAll,
  SITE,
  send,
  WHEN,
} from '../../factories.ts'
import { sendTo } from '../../request.ts'
import { faultyD1 } from './faulty-d1.ts'
import { measure } from './metrics.ts'
import { jsonRequest } from './worker.ts'

// Credentials that were right a moment ago are trusted, and checked along with the first rows of a request.
// Nobody must notice.

const admin = declareUser('administrator', 'admin')

let n = 0
/** A user who has just made a request, whose password is remembered. */
async function someone(role: Parameters<typeof makeUser>[1], path = '/tags') {
  const login = `${role}${n++}`
  const as = await makeUser(login, role)
  const known = await send('GET', path, { as })
  expect(known.status).toBe(200)
  return { as, login, known }
}

const revoke = (login: string) =>
  query('DELETE FROM passwords WHERE user_id = (SELECT id FROM users WHERE login = ?)', login)
const setRole = (login: string, role: string) =>
  query('UPDATE users SET role = ? WHERE login = ?', role, login)

const countEvents = () => countRows('events')

describe('a password that is revoked is refused at once', () => {
  it.each<[string, string, object?]>([
    ['GET', '/events'],
    ['GET', '/openapi.json'],
    ['GET', '/events?page=x'],
    ['GET', '/nowhere'],
    ['POST', '/events', { title: '' }],
    ['PUT', '/events/by-external-id/x', { title: 'T', ...WHEN }],
  ])('on %s %s', async (method, path, fields) => {
    const { as, login } = await someone('administrator')
    await revoke(login)
    const before = await countEvents()
    const { status, body } = await send(method, path, { as, ...(fields && { json: fields }) })
    expect([status, body.code]).toEqual([401, 'incorrect_password'])
    expect(await countEvents()).toBe(before)
  })

  it('an unknown login is refused as well', async () => {
    const { login } = await someone('editor')
    const as = basic(`x${login}`, `password of ${login}`)
    expect((await send('GET', '/events', { as })).status).toBe(401)
  })
})

it('a role that may do more counts at once', async () => {
  const { as, login } = await someone('subscriber')
  const create = () => send('POST', '/events', { as, json: { title: 'T', ...WHEN } })
  expect((await create()).status).toBe(403)
  await setRole(login, 'author')
  expect((await create()).status).toBe(201)
  await setRole(login, 'administrator')
  const { id } = await makeEvent(admin, { status: 'draft' })
  expect((await send('GET', `/events/${id}`, { as })).status).toBe(200)
  expect((await send('PATCH', `/events/${id}`, { as, json: { title: 'U' } })).status).toBe(200)
})

/** Everything that a write could leave behind. */
async function contents(): Promise<unknown> {
  const tables = ['events', 'venues', 'terms', 'images', 'audit']
  return [...(await queryAll(tables.map(table => `SELECT * FROM ${table}`))), await storedFiles()]
}

const CORE = { CORE_PREFIX: 'wp-json', NAMESPACE_ALIASES: 'wp-json/tribe/events/v1' }
/** A request to WordPress's routes, or to these routes at WordPress's address. */
async function wordpress(method: string, path: string, as: string, fields?: object) {
  const headers = { authorization: as }
  const init = fields ? jsonRequest(method, fields, headers) : { method, headers }
  const response = await sendTo(CORE, `${SITE}/wp-json${path}`, init)
  return { status: response.status, text: await response.text() }
}

/** Attempts with rights that the caller had a moment ago. The status and the text show whether one failed. */
type Attempt = (as: string, draft: Answer['body'], tag: string) => Promise<{ status: number; text: string }>
const ATTEMPTS: Record<string, Attempt> = {
  'a draft': (as, { id }) => send('GET', `/events/${id}`, { as }),
  'a draft that is at hand': (as, { id }, tag) =>
    send('GET', `/events/${id}`, { as, headers: { 'if-none-match': tag } }),
  'a list of drafts': async as => {
    const { status, body, text } = await send('GET', '/events?status=draft', { as })
    // Callers who may not see drafts get a list without any.
    return body.total === 0 ? { status: 404, text: '' } : { status, text: text || JSON.stringify(body) }
  },
  'a change': (as, { id }) => send('PATCH', `/events/${id}`, { as, json: { title: 'Taken' } }),
  'a deletion': (as, { id }) => send('DELETE', `/events/${id}?force=true`, { as }),
  'a new venue': as => send('POST', '/venues', { as, json: { venue: 'Taken' } }),
  'a batch': as =>
    send('POST', '/batch', { as, json: { requests: [{ path: '/venues', body: { venue: 'Taken' } }] } }),
  'a batch as one': (as, { id }) =>
    send('POST', '/batch', {
      as,
      json: { validation: 'require-all-validate', requests: [{ method: 'DELETE', path: `/events/${id}` }] },
    }),
  'a key': as =>
    send('POST', '/venues', { as, json: { venue: 'Taken' }, headers: { 'idempotency-key': 'another' } }),
  'a key that was used': as => withKey(as),
  'an image': as => upload(as, JPEG),
  'a tag by WordPress': as => wordpress('POST', '/wp/v2/tags', as, { name: 'Taken' }),
  'a draft by WordPress': (as, { id }) => wordpress('GET', `/tribe/events/v1/events/${id}`, as),
}
const withKey = (as: string) =>
  send('POST', '/events', {
    as,
    json: { title: 'Secret', status: 'draft', ...WHEN },
    headers: { 'idempotency-key': `key of ${as}` },
  })

const remove = (login: string) => removeUser(new Database(env.DB), login, { heir: 'admin' })
const WAYS: Record<string, (login: string) => Promise<unknown>> = {
  revoked: revoke,
  removed: remove,
  demoted: login => setRole(login, 'subscriber'),
}
const EVERY = Object.keys(ATTEMPTS)

describe('with rights that have just been taken away', () => {
  let draft: Answer['body']
  beforeAll(async () => {
    draft = await makeEvent(admin, { title: 'Secret', status: 'draft' })
  })

  it.each([
    ...EVERY.map(name => [name, 'revoked']),
    ...EVERY.map(name => [name, 'demoted']),
    // A user is removed with their passwords.
    ...['a draft', 'a new venue', 'a key that was used'].map(name => [name, 'removed']),
  ] as const)('a caller gets nothing by %s: %s', async (name, way) => {
    const attempt = ATTEMPTS[name] as Attempt
    const { as, login, known } = await someone('administrator', `/events/${draft.id}`)
    expect(known.body.title).toBe('Secret')
    if (name === 'a key that was used') expect((await withKey(as)).status).toBe(201)
    if (name.endsWith('WordPress')) await wordpress('GET', '/wp/v2/tags', as)
    await WAYS[way]?.(login)
    const before = await contents()
    const { status, text } = await attempt(as, draft, known.headers.get('etag') ?? '')
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toContain('Secret')
    expect(await contents()).toEqual(before)
  })
})

it('a session of the editor has the rights of the present role of its user', async () => {
  const login = 'signed-in'
  const { browser } = await signIn('administrator', login)
  const create = () => browser.post('/admin/users/', { login: 'taken', role: 'administrator' })
  expect((await browser.get('/admin/users/')).status).toBe(200)
  await setRole(login, 'author')
  const users = () => query('SELECT login, role FROM users')
  const before = await users()
  expect((await browser.get('/admin/users/')).status).toBe(403)
  expect((await create()).status).toBe(403)
  await remove(login)
  const after = before.filter(user => user.login !== login)
  expect((await browser.get('/admin/')).status).toBe(302)
  expect((await create()).html).not.toContain('taken has')
  expect(await users()).toEqual(after)
})

it('what a request expects while another read is under way is checked by the next', async () => {
  const db = new Database(env.DB)
  db.assume('settings', resolvedQuery(undefined))
  const reading = db.read(first(sql`SELECT 1 AS n`, row => row.n))
  db.assume(
    'caller',
    mapQuery(resolvedQuery(0), () => {
      throw new Error('not as expected')
    }),
  )
  expect(await reading).toBe(1)
  await expect(db.read(first(sql`SELECT 2 AS n`, row => row.n))).rejects.toThrow('not as expected')
})

it('a write waits until the expectations of its request have been checked', async () => {
  const db = new Database(env.DB)
  db.assume(
    'caller',
    mapQuery(resolvedQuery(0), () => {
      throw new Error('not as expected')
    }),
  )
  const before = await contents()
  const write = () => db.write([sql`INSERT INTO venues (venue) VALUES ('Taken')`])
  for (const _ of [1, 2]) await expect(write()).rejects.toThrow('not as expected')
  expect(await contents()).toEqual(before)
})

describe('credentials are checked', () => {
  it('along with the first rows of a request, if they were right before', async () => {
    // Another object is another database, of which nothing is remembered.
    const { DB } = faultyD1()
    const trips = async (method: string, path: string, fields?: object) => {
      const bindings = { DB, DEBUG_TIMING: '1' }
      const { status, trips } = await measure(method, path, { as: admin, json: fields, bindings })
      expect(status).toBeLessThan(300)
      return trips
    }
    expect(await trips('GET', '/events?status=draft')).toBe(2)
    expect(await trips('GET', '/events?status=draft')).toBe(1)
    expect(await trips('POST', '/events', { title: 'T', ...WHEN })).toBe(2)
    expect(await trips('POST', '/venues', { venue: 'Another hall' })).toBe(2)
  })

  it('where a batch fails: nothing is written, and the next request is as good as any', async () => {
    const { DB, seen } = faultyD1({ message: 'D1_ERROR: Network connection lost.', times: 3 })
    const create = () =>
      send('POST', '/events', { as: admin, json: { title: 'T', ...WHEN }, bindings: { DB } })
    const before = await countEvents()
    expect((await create()).status).toBe(503)
    expect(seen.failed).toBe(3)
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(201)
    expect(await countEvents()).toBe((before ?? 0) + 2)
  })
})
