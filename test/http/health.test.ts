import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { makeDatabaseAnew, SITE } from '../factories.ts'
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
  await env.DB.prepare('DELETE FROM d1_migrations WHERE name = ?').bind(last).run()
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

it('the service is not ready with migrations that have been replaced, and says what to do', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  await env.DB.prepare(`INSERT INTO d1_migrations (name) VALUES ('0000_tables.sql')`).run()
  const response = await sendTo({}, `${SITE}/readyz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ status: expect.stringMatching(/earlier version.*OPERATING\.md/) })
  errors.mockRestore()
})

it('the service is ready with later migrations than its own, because they come before the Worker that needs them', async () => {
  await env.DB.prepare(`INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')`).run()
  expect((await sendTo({}, `${SITE}/readyz`)).status).toBe(200)
})

it('the service is not ready while lists cannot be read, and the log names the command that helps', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  await env.DB.prepare('ALTER TABLE events RENAME COLUMN sticky TO glued').run()
  const response = await sendTo({}, `${SITE}/readyz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ status: 'lists cannot be read' })
  expect(JSON.parse(String(errors.mock.calls[0]?.[0])).hint).toContain('npm run dev')
  errors.mockRestore()
})
