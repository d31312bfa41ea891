import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { basic, makeEvent, makeUser, send, WHEN } from '../factories.ts'
import { faultyD1 } from './faulty-d1.ts'
import { metricsOf } from './metrics.ts'
import { json, sendTo } from './worker.ts'

// Credentials that were right are taken to be so again, and looked at with the first rows of a request: it must not matter.

let admin: string
beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
})

let n = 0
/** A user who has just made a request, whose password is remembered. */
async function someone(role: Parameters<typeof makeUser>[1]): Promise<{ as: string; login: string }> {
  const login = `${role}${n++}`
  const as = await makeUser(login, role)
  expect((await send('GET', '/events', { as })).status).toBe(200)
  return { as, login }
}

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()
const revoke = (login: string) =>
  run('DELETE FROM passwords WHERE user_id = (SELECT id FROM users WHERE login = ?)', login)
const setRole = (login: string, role: string) => run('UPDATE users SET role = ? WHERE login = ?', role, login)

const countEvents = () => env.DB.prepare('SELECT count(*) AS n FROM events').first<number>('n')

describe('a password that is revoked is refused at once', () => {
  it.each<[string, string, object?]>([
    ['GET', '/events'],
    ['GET', '/events?status=draft'],
    ['GET', '/openapi.json'],
    ['GET', '/events?page=x'],
    ['GET', '/nowhere'],
    ['POST', '/events', { title: 'T', ...WHEN }],
    ['POST', '/events', { title: '' }],
    ['POST', '/venues', { venue: 'Hall' }],
    ['POST', '/batch', { requests: [{ method: 'POST', path: '/venues', body: { venue: 'Hall' } }] }],
    ['DELETE', '/events/1'],
    ['PUT', '/events/by-external-id/x', { title: 'T', ...WHEN }],
  ])('on %s %s', async (method, path, fields) => {
    const { as, login } = await someone('administrator')
    await revoke(login)
    const before = await countEvents()
    for (const _ of [1, 2]) {
      const { status, body } = await send(method, path, { as, ...(fields && { json: fields }) })
      expect([status, body.code]).toEqual([401, 'incorrect_password'])
    }
    expect(await countEvents()).toBe(before)
  })

  it('and with it its login', async () => {
    const { login } = await someone('editor')
    const as = basic(`x${login}`, `password of ${login}`)
    expect((await send('GET', '/events', { as })).status).toBe(401)
  })
})

describe('a role counts from when it is given', () => {
  it('to who may more', async () => {
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

  it('to who may less', async () => {
    const { as, login } = await someone('administrator')
    const { id } = await makeEvent(admin, { status: 'draft' })
    expect((await send('GET', `/events/${id}`, { as })).status).toBe(200)
    await setRole(login, 'author')
    expect((await send('GET', `/events/${id}`, { as })).status).not.toBe(200)
    await setRole(login, 'administrator')
    expect((await send('GET', `/events/${id}`, { as })).status).toBe(200)
    await setRole(login, 'author')
    expect((await send('PATCH', `/events/${id}`, { as, json: { title: 'V' } })).status).not.toBe(200)
    await setRole(login, 'subscriber')
    expect((await send('POST', '/events', { as, json: { title: 'T', ...WHEN } })).status).toBe(403)
    expect((await send('POST', '/batch', { as, json: { requests: [] } })).status).toBe(403)
  })

  it('also where a request comes with a key', async () => {
    const { as, login } = await someone('administrator')
    await setRole(login, 'subscriber')
    const { status } = await send('POST', '/events', {
      as,
      json: { title: 'T', ...WHEN },
      headers: { 'idempotency-key': 'k' },
    })
    expect(status).toBe(403)
  })
})

describe('credentials are looked at', () => {
  it('along with the first rows of a request, if they were right before', async () => {
    // Another object is another database, of which nothing is remembered.
    const { DB } = faultyD1()
    const trips = async (method: string, path: string, fields?: object) => {
      const init = fields
        ? json(method, fields, { authorization: admin })
        : { method, headers: { authorization: admin } }
      const response = await sendTo({ DB, DEBUG_TIMING: '1' }, path, init)
      expect(response.ok).toBe(true)
      return metricsOf(response).trips
    }
    expect(await trips('GET', '/events?status=draft')).toBe(2)
    expect(await trips('GET', '/events?status=draft')).toBe(1)
    expect(await trips('POST', '/events', { title: 'T', ...WHEN })).toBe(2)
    expect(await trips('POST', '/venues', { venue: 'Another hall' })).toBe(2)
  })

  it('where a batch fails: nothing is written, and the next request is as good as any', async () => {
    const { DB, seen } = faultyD1({ message: 'D1_ERROR: Network connection lost.', times: 3 })
    const create = () =>
      sendTo({ DB }, '/events', json('POST', { title: 'T', ...WHEN }, { authorization: admin }))
    const before = await countEvents()
    expect((await create()).status).toBe(503)
    expect(seen.failed).toBe(3)
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(201)
    expect(await countEvents()).toBe((before ?? 0) + 2)
  })
})
