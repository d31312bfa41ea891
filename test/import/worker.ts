import { createApp } from '../../src/app.ts'
import { digestOf } from '../../src/lib/password.ts'
import { settingsOf } from '../../src/settings.ts'
import type { makeDatabase } from './database.ts'
import { NOW } from './database.ts'

type Answer = { status: number; body: Record<string, ReturnType<typeof JSON.parse>> }

/** The service over a database that an import has filled, and an administrator who changes things there. */
export async function workerOver(db: Awaited<ReturnType<typeof makeDatabase>>) {
  const app = createApp(settingsOf({ SITE_URL: 'https://town.example', TIMEZONE: 'UTC' }))
  await db.batch([
    ['INSERT INTO users (id, login, role, created_utc) VALUES (3, ?, ?, ?)', 'ada', 'administrator', NOW],
    ['INSERT INTO passwords (user_id, digest, created_utc) VALUES (3, ?, ?)', await digestOf('secret'), NOW],
  ])
  return async (method: string, path: string, json?: object): Promise<Answer> => {
    const response = await app.request(
      `https://town.example/calendar/events/v1/${path}`,
      {
        method,
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        ...(json && { body: JSON.stringify(json) }),
      },
      { DB: db.d1 },
      { waitUntil: () => {}, passThroughOnException: () => {}, props: {} },
    )
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
}
