import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { makeDatabaseAnew, makeEvent, makeUser } from '../factories.ts'

beforeAll(async () => {
  await makeDatabaseAnew()
  const admin = await makeUser('admin', 'administrator')
  for (let i = 0; i < 3; i++) await makeEvent(admin)
})

async function tick(time: string): Promise<void> {
  const context = createExecutionContext()
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(time) }), env)
  await waitOnExecutionContext(context)
}

const statistics = async (): Promise<number> =>
  (await env.DB.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'sqlite_stat1'").first<number>(
    'n',
  )) ?? 0

it('the cron brings statistics up to date once a day, and not every minute', async () => {
  await tick('2026-11-20T03:16:00Z')
  expect(await statistics()).toBe(0)
  await tick('2026-11-20T03:17:00Z')
  expect(await statistics()).toBe(1)
})
