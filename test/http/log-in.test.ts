import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { basic, makeUser, user } from '../factories.ts'
import { TODAY } from '../setup.ts'
import { faultyD1 } from './faulty-d1.ts'
import { sendTo } from './worker.ts'

user('editor', 'anna')
user('author', 'berta')

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
    env.DB.prepare(
      `SELECT last_used_utc FROM passwords JOIN users ON users.id = user_id WHERE login = 'carla'`,
    ).first('last_used_utc')

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
    await env.DB.prepare(`UPDATE passwords SET expires_utc = '2026-11-20 12:00:01'
      WHERE user_id = (SELECT id FROM users WHERE login = 'dora')`).run()
    expect((await logIn(dora)).status).toBe(200)
    vi.setSystemTime(TODAY.getTime() + 1000)
    expect((await logIn(dora)).status).toBe(401)
    vi.setSystemTime(TODAY)
  })
})
