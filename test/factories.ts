import { env, exports } from 'cloudflare:workers'
import { digestOf } from '../src/lib/password.ts'
import type { Role } from '../src/lib/roles.ts'

export const SITE = 'https://calendar.example'
export const API = `${SITE}/calendar/events/v1`

/** Makes a user and answers the Authorization header that logs it in. */
export async function makeUser(login: string, role: Role): Promise<string> {
  const password = `password of ${login}`
  const user = await env.DB.prepare(
    'INSERT INTO users (login, role, created_utc) VALUES (?, ?, ?) RETURNING id',
  )
    .bind(login, role, '2026-01-01 00:00:00')
    .first<number>('id')
  await env.DB.prepare('INSERT INTO passwords (user_id, digest, created_utc) VALUES (?, ?, ?)')
    .bind(user, await digestOf(password), '2026-01-01 00:00:00')
    .run()
  return basic(login, password)
}

export const basic = (login: string, password: string): string => `Basic ${btoa(`${login}:${password}`)}`

/** Whatever JSON holds: tests say what they expect of it. */
type Json = ReturnType<typeof JSON.parse>
export type Answer = { status: number; headers: Headers; body: Record<string, Json> }

type Sending = { as?: string; json?: unknown; body?: BodyInit; headers?: Record<string, string> }

/** Sends a request to the Worker. @param path below the namespace, or a whole address */
export async function send(
  method: string,
  path: string,
  { as, json, body, headers = {} }: Sending = {},
): Promise<Answer> {
  const response = await exports.default.fetch(path.startsWith('http') ? path : API + path, {
    method,
    headers: {
      ...(as && { authorization: as }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? body && { body } : { body: JSON.stringify(json) }),
    redirect: 'manual',
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}
