import type { Agent } from 'node:http'
import { ADMINISTRATOR, passwordOf } from './api.ts'
import { send } from './measure.ts'

let known: Promise<string> | undefined

/** The cookie of an administrator who is signed in to the editor, by the names that it has here and elsewhere. */
export async function editorCookie(agent: Agent, base: URL): Promise<string> {
  known ??= signIn(agent, base)
  const secret = await known
  return `session=${secret}; __Host-session=${secret}`
}

const cookieIn = (headers: Readonly<Record<string, unknown>>, name: string): string =>
  new RegExp(`\\b${name}=([^;]+)`).exec(String(headers['set-cookie']))?.[1] ?? ''

async function signIn(agent: Agent, base: URL): Promise<string> {
  const shown = await send(agent, new URL('/admin/sign-in/', base))
  const [, action = ''] = /action="([^"]*password[^"]*)"/.exec(shown.text) ?? []
  const [, token = ''] = /name="_token" value="([^"]*)"/.exec(shown.text) ?? []
  const { headers, status } = await send(agent, new URL(action, base), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `visit=${cookieIn(shown.headers, 'visit')}`,
      origin: base.origin,
    },
    body: String(
      new URLSearchParams({ _token: token, login: ADMINISTRATOR, password: passwordOf(ADMINISTRATOR) }),
    ),
  })
  const secret = cookieIn(headers, 'session')
  if (status !== 303 || secret === '')
    throw new Error(`The sign-in of ${ADMINISTRATOR} failed with ${status}.`)
  return secret
}
