import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { makeDatabaseAnew, query, SITE } from '../factories.ts'
import { sendTo } from './worker.ts'

afterEach(makeDatabaseAnew)

it.each(['/healthz', '/readyz'])('%s says that all is well, and is never cached', async path => {
  const response = await sendTo({}, SITE + path)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok' })
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('readiness expects exactly the existing migrations', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const last = env.MIGRATIONS.at(-1)?.name ?? ''
  await query('DELETE FROM d1_migrations WHERE name = ?', last)
  const response = await sendTo({}, `${SITE}/readyz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ status: 'migrations missing', missing: [last] })
  expect(JSON.parse(String(errors.mock.calls[0]?.[0]))).toMatchObject({
    migrations: [last],
    hint: expect.stringContaining('npm run deploy'),
  })
  errors.mockRestore()
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('the service is ready with later migrations than its own, because they come before the Worker that needs them', async () => {
  await query(`INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')`)
  expect((await sendTo({}, `${SITE}/readyz`)).status).toBe(200)
})

it.each([
  [
    'with migrations that have been replaced',
    `INSERT INTO d1_migrations (name) VALUES ('0000_tables.sql')`,
    expect.stringMatching(/earlier version.*OPERATING\.md/),
    { message: expect.stringContaining('OPERATING.md') },
  ],
  [
    'while lists cannot be read',
    'ALTER TABLE events RENAME COLUMN sticky TO glued',
    'lists cannot be read',
    { hint: expect.stringContaining('npm run dev') },
  ],
])('the service is not ready %s, and the log says what to do', async (_, sql, status, logged) => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  await query(sql)
  const response = await sendTo({}, `${SITE}/readyz`)
  expect([response.status, await response.json()]).toEqual([503, { status }])
  expect(JSON.parse(String(errors.mock.calls[0]?.[0]))).toMatchObject(logged)
  errors.mockRestore()
})
