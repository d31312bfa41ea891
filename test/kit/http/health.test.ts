import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { makeDatabaseAnew, query, SITE, send } from '../../factories.ts'

afterEach(makeDatabaseAnew)

it.each(['/healthz', '/readyz'])('%s says that all is well, and is never cached', async path => {
  const { status, headers, body } = await send('GET', SITE + path)
  expect({ status, body, cacheControl: headers.get('cache-control') }).toEqual({
    status: 200,
    body: { status: 'ok' },
    cacheControl: 'no-store',
  })
})

it('readiness expects exactly the existing migrations', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const last = env.MIGRATIONS.at(-1)?.name ?? ''
  await query('DELETE FROM d1_migrations WHERE name = ?', last)
  const { status, headers, body } = await send('GET', `${SITE}/readyz`)
  expect([status, headers.get('cache-control')]).toEqual([503, 'no-store'])
  expect(body).toEqual({ status: 'migrations missing', missing: [last] })
  expect(JSON.parse(String(errors.mock.calls[0]?.[0]))).toMatchObject({
    migrations: [last],
    hint: expect.stringContaining('npm run deploy'),
  })
  errors.mockRestore()
})

it('the service is ready with later migrations than its own, because they come before the Worker that needs them', async () => {
  await query(`INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')`)
  expect((await send('GET', `${SITE}/readyz`)).status).toBe(200)
})

it('the service is not ready while lists cannot be read, and the log says what to do', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  await query('ALTER TABLE events RENAME COLUMN sticky TO glued')
  expect(await send('GET', `${SITE}/readyz`)).toMatchObject({
    status: 503,
    body: { status: 'lists cannot be read' },
  })
  const logged = { hint: expect.stringContaining('npm run dev') }
  expect(JSON.parse(String(errors.mock.calls[0]?.[0]))).toMatchObject(logged)
  errors.mockRestore()
})
