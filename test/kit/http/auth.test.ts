import { describe, expect, it, vi } from 'vitest'
import { basic, declareUser, makeUser, query, queryValue, send } from '../../factories.ts'
import { sendTo } from '../../request.ts'
import { TODAY } from '../../setup.ts'
import { faultyD1 } from './faulty-d1.ts'

declareUser('administrator', 'admin')
declareUser('editor', 'anna')
declareUser('author', 'berta')

const read = (authorization: string) => send('GET', '/events?status=draft', { headers: { authorization } })

describe('credentials', () => {
  it.each([
    ['Basic', basic('admin', 'password of admin')],
    ['Basic, login in another case', basic('ADMIN', 'password of admin')],
    ['Basic, blanks in the password', basic('admin', 'passw ordof a d m i n')],
    ['Bearer', 'Bearer passwordofadmin'],
    ['Bearer, as passwords are printed', 'Bearer passw ordof admin'],
    ['scheme in lower case', `basic ${basic('admin', 'password of admin').slice(6)}`],
  ])('are taken: %s', async (_, authorization) => {
    expect((await read(authorization)).status).toBe(200)
  })

  it.each([
    ['wrong password', basic('admin', 'wrong')],
    ['unknown login', basic('nobody', 'password of admin')],
    ['no password', basic('admin', '')],
    ['not Base64', 'Basic %%%'],
    ['no colon', `Basic ${btoa('admin')}`],
    ['another scheme', 'Digest username="admin"'],
    ['no scheme', 'admin'],
    ['wrong token', 'Bearer nothing'],
    ['a quote', basic("' OR 1=1 --", "' OR 1=1 --")],
    ['no credentials', 'Basic'],
    ['a blank', 'Basic '],
    ['padding', 'Basic ===='],
    ['several words', 'Basic basic basic'],
    ['no login', basic('', 'password of admin')],
    ['nothing but a colon', basic('', '')],
    ['bytes that are no text', `Basic ${btoa('\xff\xfe:\xff')}`],
    ['a control in the login', basic('admin\0', 'password of admin')],
    ['the password of another', basic('admin', 'password of guest')],
    ['a long login', basic('a'.repeat(5_000), 'x')],
    ['a letter that looks like another', basic('\xe0dmin', 'password of admin')],
    ['no token', 'Bearer'],
    ['a long token', `Bearer ${'x'.repeat(7_000)}`],
    ['a word', 'undefined'],
  ])('are refused with the same response, on reads too: %s', async (_, authorization) => {
    for (const [method, path] of [
      ['GET', '/events'],
      ['GET', '/events/999999'],
      ['POST', '/events'],
      ['DELETE', '/tags/1'],
      ['GET', '/nothing'],
      ['GET', '/'],
    ] as const) {
      const { status, body, headers } = await send(method, path, { headers: { authorization } })
      expect([status, body.code], path).toEqual([401, 'incorrect_password'])
      expect(body.message).toBe('The login or the application password is wrong.')
      expect(headers.get('www-authenticate')).toContain('Basic')
    }
  })

  it('expire when they are said to', async () => {
    await makeUser('guest', 'editor')
    const set = (date: string) =>
      query(
        'UPDATE passwords SET expires_utc = ? WHERE user_id = (SELECT id FROM users WHERE login = ?)',
        date,
        'guest',
      )
    await set('2026-11-20 12:00:01')
    expect((await read(basic('guest', 'password of guest'))).status).toBe(200)
    await set('2026-11-20 12:00:00')
    expect((await read(basic('guest', 'password of guest'))).status).toBe(401)
  })

  it('are stored as digests only', async () => {
    const results = await query('SELECT * FROM passwords')
    expect(JSON.stringify(results)).not.toMatch(/password ?of/)
  })
})

const logIn = (authorization: string, bindings = {}) =>
  sendTo(bindings, '/events', { headers: { authorization } })

describe('a failed log-in', () => {
  const failures = {
    'unknown user': basic('nobody', 'password of anna'),
    'wrong password': basic('anna', 'guess'),
    'password of another': basic('anna', 'password of berta'),
    'unknown token': 'Bearer guess',
  }

  it.each(Object.entries(failures))('takes the same way through the database: %s', async (_, header) => {
    const { DB, seen } = faultyD1()
    await logIn(header, { DB })
    expect(seen.batches).toBe(1)
  })
})

describe('the last use of a password', () => {
  const lastUse = () =>
    queryValue(`SELECT last_used_utc FROM passwords JOIN users ON users.id = user_id WHERE login = 'carla'`)

  it('is kept to the hour', async () => {
    const carla = await makeUser('carla', 'author')
    expect(await lastUse()).toBeNull()
    await logIn(carla)
    expect(await lastUse()).toBe('2026-11-20 12:00:00')
    vi.setSystemTime(TODAY.getTime() + 59 * 60_000)
    await logIn(carla)
    expect(await lastUse()).toBe('2026-11-20 12:00:00')
    vi.setSystemTime(TODAY.getTime() + 61 * 60_000)
    await logIn(carla)
    expect(await lastUse()).toBe('2026-11-20 13:01:00')
    vi.setSystemTime(TODAY)
  })

  it('is not kept for a password that has expired', async () => {
    const dora = await makeUser('dora', 'author')
    await query(`UPDATE passwords SET expires_utc = '2026-11-20 12:00:01'
      WHERE user_id = (SELECT id FROM users WHERE login = 'dora')`)
    expect((await logIn(dora)).status).toBe(200)
    vi.setSystemTime(TODAY.getTime() + 1000)
    expect((await logIn(dora)).status).toBe(401)
    vi.setSystemTime(TODAY)
  })
})
