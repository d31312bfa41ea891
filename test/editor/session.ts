import { beforeAll } from 'vitest'
import { digestFor, formToken, newSecret } from '../../src/editor/sessions.ts'
import type { Bindings } from '../../src/kit/env.ts'
import type { Role } from '../../src/kit/lib/roles.ts'
import { decodeEntities } from '../../src/kit/lib/text.ts'
import { DAY_MS, formatInstant } from '../../src/kit/lib/time.ts'
import { makePerson, type Person, passwordOf, query, SITE } from '../factories.ts'
import { request, sendTo } from '../request.ts'
import { linksIn, type ShownPage, textOf } from '../site/pages/page.ts'
import { fieldsIn } from './forms.ts'

type Fields = Readonly<Record<string, string | readonly string[] | File>>
type FormOptions = {
  headers?: Record<string, string>
  /** Another token than that of the session, or none. */
  token?: string | undefined
}

/** A browser: it keeps cookies, and sends `Origin` as browsers do. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** The token of the forms of the page that it was shown last. */
  token = ''
  readonly #bindings: Partial<Bindings> | undefined

  /**
   * @param bindings other ones than those that are configured; the browser then waits for work after
   * responses, too
   */
  constructor(bindings?: Partial<Bindings>) {
    this.#bindings = bindings
  }

  /** The same session, at a Worker with other bindings. */
  with(bindings: Partial<Bindings>): Browser {
    const browser = new Browser(bindings)
    for (const [name, value] of this.cookies) browser.cookies.set(name, value)
    browser.token = this.token
    return browser
  }

  /** The header `Cookie`. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Asks for a page, without following redirects. @param path below the origin, or a whole address */
  get(path: string, headers: Record<string, string> = {}): Promise<ShownPage> {
    return this.#send(path, { method: 'GET', headers })
  }

  /** Sends a form with the token of the last page. Fields with several values are lists. */
  post(path: string, fields: Fields = {}, sending: FormOptions = {}): Promise<ShownPage> {
    const token = 'token' in sending ? sending.token : this.token
    const hasFile = Object.values(fields).some(value => value instanceof File)
    const form = hasFile ? new FormData() : new URLSearchParams()
    if (token !== undefined) form.append('_token', token)
    // Only a FormData gets a file.
    for (const [name, value] of Object.entries(fields))
      for (const one of value instanceof File ? [value] : [value].flat()) form.append(name, one as string)
    return this.#send(path, { method: 'POST', body: form, headers: { origin: SITE, ...sending.headers } })
  }

  /** Sends a form and follows where that leads. */
  async submit(path: string, fields: Fields = {}): Promise<ShownPage> {
    const answer = await this.post(path, fields)
    const onward = answer.headers.get('location')
    return answer.status === 303 && onward ? this.get(onward) : answer
  }

  /** Changes some fields of the form on a page, saves it, and follows where that leads. */
  async save(path: string, fields: Fields = {}): Promise<ShownPage> {
    const { html } = await this.get(path)
    return this.submit(path, { ...fieldsIn(html), do: 'save', ...fields })
  }

  async #send(path: string, { headers, ...init }: RequestInit & { headers: Record<string, string> }) {
    const address = path.startsWith('http') ? path : SITE + path
    const cookies = this.cookies.size > 0 && { cookie: this.cookie }
    const sent = { ...init, headers: { ...cookies, ...headers }, redirect: 'manual' } as const
    const response = await (this.#bindings ? sendTo(this.#bindings, address, sent) : request(address, sent))
    for (const set of response.headers.getSetCookie()) this.#keep(set)
    const html = await response.text()
    this.token = html.match(/name="_token" value="([^"]*)"/)?.[1] ?? this.token
    const { status, headers: received } = response
    return { status, headers: received, html, text: decodeEntities(textOf(html)), links: linksIn(html) }
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    if (/; max-age=0/i.test(set)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** Somebody who is signed in, in a browser of their own. `as` is the Authorization header for the API. */
export type SignedIn = Person & { browser: Browser }

let people = 0

/** Signs a person in by the form of the sign-in. @param browser instead of a new one */
export async function signInAs(person: Person, login: string, browser = new Browser()): Promise<SignedIn> {
  await browser.get('/admin/sign-in/')
  const { status, text } = await browser.post('/admin/sign-in/password/', {
    login,
    password: passwordOf(login),
  })
  if (status !== 303) throw new Error(`The sign-in of ${login} failed with ${status}: ${text}`)
  await browser.get('/admin/')
  return { ...person, browser }
}

/**
 * Makes a user with a role who is signed in, as by {@link signInAs}, but without its requests. Each call
 * makes another, unless it has a login.
 */
export async function signIn(role: Role, login = `${role}-${++people}`): Promise<SignedIn> {
  const person = await makePerson(login, role)
  const secret = newSecret()
  const now = Date.now()
  const expires = formatInstant(now + 14 * DAY_MS)
  await query(
    `INSERT INTO sessions (user_id, digest, method, device, created_utc, expires_utc, last_used_utc)
      VALUES (?1, ?2, 'password', '', ?3, ?4, ?3)`,
    person.id,
    await digestFor('session', secret),
    formatInstant(now),
    expires,
  )
  const browser = new Browser()
  browser.cookies.set('__Host-session', secret)
  browser.token = await formToken(secret)
  return { ...person, browser }
}

/**
 * Declares somebody who is signed in before the tests of a file, as by {@link signIn}. Everything is known
 * once tests run.
 */
export function signedIn(role: Role, login?: string): SignedIn {
  const someone: SignedIn = { id: 0, as: '', browser: new Browser() }
  beforeAll(async () => {
    Object.assign(someone, await signIn(role, login))
  })
  return someone
}
