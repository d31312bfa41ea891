import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, type beforeEach } from 'vitest'
import type { EventResponse } from '../src/calendar/events/schema.ts'
import type { OrganizerResponse } from '../src/calendar/organizers/resource.ts'
import type { TermResponse } from '../src/calendar/terms/schema.ts'
import type { VenueResponse } from '../src/calendar/venues/schema.ts'
import type { Bindings } from '../src/kit/env.ts'
import { forgetPasswords } from '../src/kit/http/auth.ts'
import { forgetPurges } from '../src/kit/http/shared-caches.ts'
import { forgetSettings } from '../src/kit/http/stored-settings.ts'
import { passwordDigest } from '../src/kit/lib/hash.ts'
import type { Role } from '../src/kit/lib/roles.ts'
import { assertDeclared } from './declared-errors.ts'
import { API, request, sendTo } from './request.ts'

export { API, SITE } from './request.ts'

/** A time to come for events that need one. */
export const WHEN = { start_date: '2027-01-10 10:00:00', end_date: '2027-01-10 12:00:00' }

type Row = Record<string, unknown>

/** Runs a statement in the database. @returns its rows */
export async function query<T = Row>(sql: string, ...params: unknown[]): Promise<T[]> {
  const statement = env.DB.prepare(sql).bind(...params)
  return (await statement.all<T>()).results
}

/** Runs a statement in the database. @returns the first column of its first row, or null without one */
export async function queryValue<T = unknown>(sql: string, ...params: unknown[]): Promise<T | null> {
  const [row] = await env.DB.prepare(sql)
    .bind(...params)
    .raw<[T]>()
  return row?.[0] ?? null
}

/** Runs statements in the database as one transaction. @returns the rows of each */
export async function queryAll<T = Row>(statements: readonly string[]): Promise<T[][]> {
  const outcomes = await env.DB.batch<T>(statements.map(sql => env.DB.prepare(sql)))
  return outcomes.map(({ results }) => results)
}

/** Counts rows in the database. @param from a table, and conditions if there are any */
export const countRows = async (from: string, ...params: unknown[]): Promise<number> =>
  Number(await queryValue(`SELECT count(*) FROM ${from}`, ...params))

/** True if there is anything in the database, tables included. */
const isFilled = async () => (await countRows("sqlite_master WHERE name NOT GLOB '_cf_*'")) > 0

/**
 * Drops everything in the database. `reset` skips a database that has been idle for ten seconds, as between
 * two files on a slow machine; the query wakes it, so this loops until it is empty.
 */
export async function dropEverything(): Promise<void> {
  while (await isFilled()) await reset()
}

/** Empties the database and makes all tables again. */
export async function makeDatabaseAnew(): Promise<void> {
  await dropEverything()
  forgetPasswords()
  forgetSettings()
  forgetPurges()
  await env.DB.prepare(env.TABLES).run()
}

/** Somebody with a login. `as` is the Authorization header. */
export type Person = { id: number; as: string }

export const basic = (login: string, password: string): string => `Basic ${btoa(`${login}:${password}`)}`

export const passwordOf = (login: string): string => `password of ${login}`

const authorizationOf = (login: string): string => basic(login, passwordOf(login))

/** Makes a user with a login, a role and a password, in one transaction. */
export async function makePerson(login: string, role: Role): Promise<Person> {
  const made = '2026-01-01 00:00:00'
  const [user] = await env.DB.batch<{ id: number }>([
    env.DB.prepare('INSERT INTO users (login, role, created_utc) VALUES (?, ?, ?) RETURNING id').bind(
      login,
      role,
      made,
    ),
    env.DB.prepare(
      'INSERT INTO passwords (user_id, digest, created_utc) SELECT id, ?, ? FROM users WHERE login = ?',
    ).bind(await passwordDigest(passwordOf(login)), made, login),
  ])
  return { id: Number(user?.results[0]?.id), as: authorizationOf(login) }
}

/** Makes a user. @returns the Authorization header that logs it in */
export const makeUser = async (login: string, role: Role): Promise<string> =>
  (await makePerson(login, role)).as

/** Declares a user of a file, made before its tests. @returns the Authorization header that logs it in */
export function declareUser(role: Role, login: string = role): string {
  beforeAll(() => makePerson(login, role))
  return authorizationOf(login)
}

/** Declares a user as {@link declareUser} does. The id is known once tests run. */
export function person(
  role: Role,
  login: string = role,
  when: typeof beforeAll | typeof beforeEach = beforeAll,
): Person {
  const someone = { id: 0, as: authorizationOf(login) }
  when(async () => {
    Object.assign(someone, await makePerson(login, role))
  })
  return someone
}

/** Whatever JSON holds: tests say what they expect of it. */
type Json = ReturnType<typeof JSON.parse>
/** A response. `body` is that of one in JSON; of any other, `text` is all there is. */
export type Answer = { status: number; headers: Headers; body: Record<string, Json>; text: string }

/** A request. @property bindings of the Worker, where they differ from the configured ones */
export type Sending = {
  as?: string
  json?: unknown
  body?: BodyInit
  headers?: Record<string, string>
  bindings?: Partial<Bindings>
}

/** A body without some fields, at any depth. */
export const without = (body: Answer['body'], names: readonly string[]): Answer['body'] =>
  JSON.parse(JSON.stringify(body, (name, value) => (names.includes(name) ? undefined : value)))

/** A body without JSON-LD, which only single reads have, of the resource and of its venues and organizers. */
export const withoutJsonLd = (body: Answer['body']): Answer['body'] => without(body, ['json_ld'])

/**
 * Sends a request to the Worker.
 *
 * @param path below the namespace, or a whole address
 * @param carry how it gets there, if neither as the runtime hands it over nor to other bindings
 */
export async function send(
  method: string,
  path: string,
  { as, json, body, headers = {}, bindings }: Sending = {},
  carry = (address: string, init: RequestInit): Promise<Response> =>
    bindings ? sendTo(bindings, address, init) : request(address, init),
): Promise<Answer> {
  const response = await carry(path.startsWith('http') ? path : API + path, {
    method,
    headers: {
      ...(as && { authorization: as }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? body && { body } : { body: JSON.stringify(json) }),
    redirect: 'manual',
  })
  // The runtime warns of text() where the body is an image.
  const text = new TextDecoder().decode(await response.bytes())
  const isJson =
    text !== '' && /^application\/(geo\+)?json\b/.test(response.headers.get('content-type') ?? '')
  const answered = isJson ? JSON.parse(text) : {}
  if (response.status >= 400 && isJson) assertDeclared(method, path, answered.code)
  return { status: response.status, headers: response.headers, body: answered, text }
}

/**
 * Makes a calendar elsewhere from which some events and series come, as if it had been read.
 * @returns its id
 */
export async function makeSource(
  name: string,
  {
    events = [],
    series = [],
    rights = ['', ''],
  }: { events?: number[]; series?: number[]; rights?: string[] } = {},
): Promise<number> {
  const id = await queryValue(
    `INSERT INTO sources (name, url, kind, every, status, rights_text, rights_url, author_id, created_utc)
      VALUES (?, 'https://elsewhere.example/feed.ics', 'ical', 'day', 'publish', ?, ?, 1, '2026-01-01 00:00:00') RETURNING id`,
    name,
    ...rights,
  )
  const rows = [...events.map(target => ['event', target]), ...series.map(target => ['series', target])]
  const mapping = env.DB.prepare(
    `INSERT INTO imports (source, kind, external_id, target_id, hash) VALUES (?, ?, ?, ?, '')`,
  )
  if (rows.length > 0)
    await env.DB.batch(
      rows.map(([kind, target]) => mapping.bind(`source:${id}`, kind, `uid-${target}`, target)),
    )
  return Number(id)
}

/** The responses to resources by their plurals. */
type Responses = {
  events: EventResponse
  venues: VenueResponse
  organizers: OrganizerResponse
  categories: TermResponse
  tags: TermResponse
}

/** A response with the fields of its schema, and no others. What is in lists and objects has no type. */
type WithFieldsOf<T> = { [K in keyof T]-?: T[K] extends string | number | boolean ? T[K] : Json }
type Made<P extends string> = P extends keyof Responses ? WithFieldsOf<Responses[P]> : Answer['body']

/** Makes something through the API. @throws Error if that was refused */
export async function make<P extends string>(as: string, plural: P, json: object): Promise<Made<P>> {
  const { status, body } = await send('POST', `/${plural}`, { as, json })
  if (status !== 201) throw new Error(`POST /${plural} failed with ${status}: ${JSON.stringify(body)}`)
  // The schema of the response describes the body.
  return body as Made<P>
}

/**
 * Makes many things of a kind by one request.
 * @param all at most a hundred.
 * @throws Error if one was refused
 */
export async function makeAll<P extends string>(
  as: string,
  plural: P,
  all: readonly object[],
): Promise<Made<P>[]> {
  const requests = all.map(body => ({ path: `/${plural}`, body }))
  const { status, body } = await send('POST', '/batch', { as, json: { requests } })
  const made: { status: number; body: Made<P> }[] = body.responses ?? []
  if (status !== 207 || made.some(({ status }) => status !== 201))
    throw new Error(`${plural}: ${status} ${JSON.stringify(body).slice(0, 500)}`)
  return made.map(one => one.body)
}

export const makeEvent = (as: string, fields: object = {}) =>
  make(as, 'events', { title: 'Event', ...WHEN, ...fields })

/** Makes a venue, or finds one of the same name and fields, as the API does. */
export const makeVenue = (as: string, venue: string, fields: object = {}) =>
  make(as, 'venues', { venue, ...fields })

/** Makes an organizer, or finds one of the same name and fields, as the API does. */
export const makeOrganizer = (as: string, organizer: string, fields: object = {}) =>
  make(as, 'organizers', { organizer, ...fields })

export const makeCategory = (as: string, name: string, fields: object = {}) =>
  make(as, 'categories', { name, ...fields })

export const makeTag = (as: string, name: string, fields: object = {}) =>
  make(as, 'tags', { name, ...fields })

/** An address elsewhere, at which a text is found (`outboundService` of vitest.config.ts). */
export const elsewhere = (text: string, host = 'theatre.test'): string =>
  `https://${host}/feed.ics?${new URLSearchParams({ text })}`

/** Writes of events by somebody, or by another caller, which may be refused. */
export const eventsBy = (owner: string) => ({
  create: (fields: object, as = owner) =>
    send('POST', '/events', { as, json: { title: 'Event', ...WHEN, ...fields } }),
  change: (id: unknown, json: object, as = owner) => send('PATCH', `/events/${id}`, { as, json }),
})
