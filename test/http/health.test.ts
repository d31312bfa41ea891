import { env } from 'cloudflare:workers'
import { afterEach, expect, it } from 'vitest'
import { makeDatabaseAnew, SITE } from '../factories.ts'
import { sendTo } from './worker.ts'

afterEach(makeDatabaseAnew)

it.each(['/healthz', '/readyz'])('%s says that all is well, and is never cached', async path => {
  const response = await sendTo({}, SITE + path)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok' })
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('readiness expects exactly the migrations that there are', async () => {
  const last = env.MIGRATIONS.at(-1)?.name ?? ''
  await env.DB.prepare('DELETE FROM d1_migrations WHERE name = ?').bind(last).run()
  const response = await sendTo({}, `${SITE}/readyz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ status: 'migrations missing', missing: [last] })
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('the service is ready with later migrations than its own: they come before the Worker that needs them', async () => {
  await env.DB.prepare(`INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')`).run()
  expect((await sendTo({}, `${SITE}/readyz`)).status).toBe(200)
})
