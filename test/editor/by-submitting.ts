import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { ROUTES } from '../../src/app.ts'
import type { RequestContext } from '../../src/kit/context.ts'
import { Database } from '../../src/kit/db/database.ts'
import { dispatchTo } from '../../src/kit/http/dispatch.ts'
import { clockAt } from '../../src/kit/lib/clock.ts'
import type { Role } from '../../src/kit/lib/roles.ts'
import { settingsOf } from '../../src/kit/settings.ts'
import { submit } from '../../src/site/forms/requests.ts'
import { API, SITE } from '../factories.ts'

type Request = { method: string; path: string; body: object }

/** The context of a request by a user, as the editor has it. */
export async function contextOf(
  login: string,
  requestId: string = crypto.randomUUID(),
): Promise<RequestContext> {
  const user = await env.DB.prepare('SELECT id, role FROM users WHERE login = ?')
    .bind(login)
    .first<{ id: number; role: Role }>()
  if (!user) throw new Error(`There is no ${login}.`)
  return {
    db: new Database(env.DB),
    caller: user,
    requestId,
    dispatch: dispatchTo(() => ROUTES),
    clock: clockAt('2026-11-20 12:00:00'),
    settings: settingsOf({}),
    site: SITE,
    host: new URL(SITE).host,
    api: API,
    countWrites: async () => {},
    afterResponse: () => {},
    databaseSecret: undefined,
    network: undefined,
    media: undefined,
    images: undefined,
    files: undefined,
    mailer: undefined,
    model: undefined,
    ifMatch: undefined,
    ifNoneMatch: undefined,
  }
}

/** Makes requests of the API as the editor does for its forms, and gives the address that undoes them. */
export async function bySubmitting(login: string, requests: readonly Request[]): Promise<string> {
  const requestId = crypto.randomUUID()
  const context = await contextOf(login, requestId)
  const replies = await submit({ context }, requests)
  expect(
    replies.map(({ status }) => status),
    JSON.stringify([requests, replies.map(({ body }) => body)]).slice(0, 2_000),
  ).toEqual(requests.map(() => 200))
  return `/admin/undo/?request=${requestId}`
}
