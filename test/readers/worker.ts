import { createApp } from '../../src/app.ts'
import { passwordDigest } from '../../src/kit/lib/hash.ts'
import { settingsOf } from '../../src/kit/settings.ts'
import { listen } from '../listen.ts'
import { type makeDatabase, NOW } from './database.ts'

type Answer = { status: number; body: Record<string, ReturnType<typeof JSON.parse>> }
type Database = Awaited<ReturnType<typeof makeDatabase>>

/** A service that has just been started. Its routes take longer to make than most requests. */
const startApp = () => createApp(settingsOf({ SITE_URL: 'https://town.example', TIMEZONE: 'UTC' }))

const APP = startApp()

const CONTEXT = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }

/** Adds an administrator to a database. @returns a function that sends her requests to the service over it */
export async function adminSenderOver(db: Database, app = APP) {
  // A database that is opened again has her already.
  await db.batch([
    [
      'INSERT OR IGNORE INTO users (id, login, role, created_utc) VALUES (3, ?, ?, ?)',
      'ada',
      'administrator',
      NOW,
    ],
    [
      'INSERT OR IGNORE INTO passwords (user_id, digest, created_utc) VALUES (3, ?, ?)',
      await passwordDigest('secret'),
      NOW,
    ],
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
      CONTEXT,
    )
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
}

/** The response of the same service to an anonymous reader. @param path below the namespace */
export async function responseFrom(db: Database, path: string, app = APP): Promise<Response> {
  return app.request(`https://town.example/calendar/events/v1/${path}`, {}, { DB: db.d1 }, CONTEXT)
}

/** The same service on a port of its own, for anonymous readers. */
export async function serveWorker(db: Database) {
  const app = createApp(settingsOf({ TIMEZONE: 'UTC' }))
  const requests: string[] = []
  const { address, close } = await listen(origin => async (request, response) => {
    requests.push(request.url ?? '')
    const answer = await app.request(`${origin}${request.url}`, {}, { DB: db.d1 }, CONTEXT)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  return { address, requests, close }
}
