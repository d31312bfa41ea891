import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { responseCache } from '../../../src/kit/http/caching.ts'
import type { Role } from '../../../src/kit/lib/roles.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { signIn } from '../../editor/session.ts'
import { query, SITE } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { sendTo } from '../../request.ts'
import { message } from '../mcp/agent.ts'
import { Course } from './course.ts'

// What people who register have entered is on the list of their event, and nowhere else: whatever routes,
// tables, caches and tools there are, a new one is among them.

const NAMES = /registered-person|secret-answer/i
const PERSON = { name: 'Registered-Person', answer: 'Secret-answer' }
const addressOf = (who: string) => `${who}-registered-person@mail.example`

const VARS = { SUBMISSIONS: 'on', CORE_PREFIX: 'wp-json' }
const API = '/calendar/events/v1'

/**
 * Every route but those of the editor that end the session: `POST /calendar/events/v1/events/:id{[0-9]+}`.
 */
const ROUTES = [
  ...new Set(
    createApp(settingsOf(VARS)).routes.flatMap(({ method, path }) =>
      /^(?:ALL|OPTIONS)$/.test(method) || path.includes('/sign-out') ? [] : [`${method} ${path}`],
    ),
  ),
].map(route => {
  const [method = '', path = ''] = route.split(' ')
  return { method, path }
})

type Route = (typeof ROUTES)[number]

/** Where those who may change the event read who has registered. */
const LISTS = [
  /^GET \/calendar\/events\/v1\/events\/1\/registrations(?:\.csv)?$/,
  /^(?:PATCH|PUT|DELETE) \/calendar\/events\/v1\/registrations\/\d+$/,
  /^(?:GET|POST) \/admin\/registrations\/1\/$/,
  /^GET \/admin\/registrations\/1\/(?:spreadsheet|people\/1\/remove)\/$/,
  // The form of somebody who is entered by hand, shown again.
  /^POST \/admin\/registrations\/1\/enter\/$/,
]
const isList = (method: string, address: string) =>
  LISTS.some(list => list.test(`${method} ${address.replace(/\?.*/, '')}`))

/** Everything of a name or a number in an address has this one. */
const SLUG = 'bread-for-beginners'
const VALUES: Readonly<Record<string, string>> = {
  ...{ slug: SLUG, base: SLUG, path: SLUG, external_id: SLUG },
  ...{ name: '2026-12-10', date: '2026-12-10', tail: 'list', file: 'sitemap-events-1.xml' },
  ...{ token: '0'.repeat(32), secret: '0'.repeat(32) },
}

/** The address of a route, with 1 for each id. */
const addressIn = (path: string): string => {
  const filled = path.replace(
    /:(\w+)(?:\{(?:[^{}]|\{[^}]*\})*\})?/g,
    (variable, name) => `${VALUES[name] ?? 1}${/\\(\.ics)/.exec(variable)?.[1] ?? ''}`,
  )
  return path.startsWith('/admin') && !/\.\w+$/.test(filled) ? `${filled}/` : filled
}

/** What changes or ends so much that nothing is left to be read afterwards comes last. */
const isLast = ({ method, path }: Route) =>
  method === 'DELETE' ||
  /\/(?:trash|delete|merge|end|erase|answer|remove|separate|bulk|publish|undo)\b/.test(path)

const CONTENT = {
  title: 'Bread for beginners',
  start_date: '2026-12-11 18:00:00',
  end_date: '2026-12-11 20:00:00',
  venue: 'Mill',
  organizer: 'Guild',
  name: 'Baking',
}
const bodyFor = (path: string) => {
  // A form of the editor is shown again with what was typed: to visitors who have to sign in first, too.
  if (path.startsWith('/admin/registrations')) return { name: 'Eve', places: 1, came: true }
  if (path.includes('/registration'))
    return { ...PERSON, email: addressOf('known'), places: 1, consent: true, came: true }
  return path.endsWith('/batch') ? { requests: [{ method: 'PATCH', path: '/events/1', body: {} }] } : CONTENT
}

const CALLERS = [
  'anonymous',
  'subscriber',
  'contributor',
  'another author',
  'author',
  'editor',
  'administrator',
] as const
type Caller = (typeof CALLERS)[number]
const mayRead = (caller: Caller) => CALLERS.indexOf(caller) >= CALLERS.indexOf('author')

/**
 * The routes that a caller is asked for: pages are the same to everybody, and rights.test.ts has who comes
 * into the editor at all.
 */
const routesFor = (caller: Caller) =>
  ROUTES.filter(({ path }) =>
    path.startsWith('/admin')
      ? /author|administrator/.test(caller)
      : caller === 'anonymous' || /^\/(?:calendar|wp-json|mcp)\b/.test(path),
  )

/**
 * A course with people of all kinds: confirmed, waiting, not confirmed, entered by hand, moved up, changed,
 * removed, given back.
 */
async function begin(): Promise<Course> {
  const course = await Course.begin(
    { places: 4, per_person: 2, question: 'Why?' },
    {
      slug: SLUG,
      external_id: SLUG,
      organizer: { organizer: 'Bread for beginners' },
      categories: ['Bread for beginners'],
      tags: ['Bread for beginners'],
    },
    VARS,
  )
  await course.ask('POST', '/webhooks', { url: 'https://programs.test/?text=taken' })
  await course.ask('POST', '/events', { ...CONTENT, recurrence: 'FREQ=DAILY;COUNT=3' })
  const join = (who: string) => course.join(addressOf(who), PERSON)
  await join('known')
  const gone = await join('gone')
  for (const who of ['second', 'third', 'waiting', 'last']) await join(who)
  await course.register(addressOf('unconfirmed'), PERSON)
  await course.press(gone, { do: 'leave' })
  await course.ask('POST', `${course.path}s/by-hand`, { name: PERSON.name, over: true })
  await course.ask('PATCH', '/registrations/3', { came: true, places: 2, over: true })
  await course.ask('DELETE', '/registrations/4')
  await course.ask('PATCH', '/events/1', {
    start_date: '2026-12-10 19:00:00',
    end_date: '2026-12-10 21:00:00',
  })
  return course
}

const { fetch } = globalThis

describe.each(CALLERS)('to the caller: %s', name => {
  const told: unknown[][] = []
  const asked: string[] = []
  const routes = routesFor(name)
  let course: Course
  let as: string | undefined
  let visit: (
    method: string,
    address: string,
    body?: object,
  ) => Promise<{ status: number; headers: Headers; text: string }>

  beforeEach(async () => {
    vi.setSystemTime('2026-11-26T10:00:00Z')
    responseCache.clear()
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation((...line) => void told.push(line))
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...sent) => {
      const request = new Request(...sent)
      asked.push(`${request.url} ${await request.clone().text()}`)
      return fetch(request)
    })
    course = await begin()
    const role = name.split(' ').at(-1)
    const person = name === 'anonymous' ? undefined : await signIn(role as Role)
    as = person?.as
    if (name === 'author') await query('UPDATE events SET author_id = ?', person?.id)
    const browser = person?.browser.with(course.outbox.bindings) ?? course.browser()
    const send = sendWith(course.outbox.bindings)
    visit = async (method, address, body) => {
      if (!address.startsWith('/admin') && !/^\/regist/.test(address))
        return send(method, SITE + address, {
          ...(as && { as }),
          ...(body && { json: body }),
          headers: {
            ...(method === 'POST' && { 'idempotency-key': address }),
            'cf-connecting-ip': '198.51.100.7',
          },
        })
      const fields = Object.entries(body ?? {}).map(([name, value]) => [name, String(value)])
      const page = await (method === 'GET'
        ? browser.get(address)
        : browser.post(address, Object.fromEntries(fields)))
      return { ...page, text: page.html }
    }
  })

  afterEach(() => void vi.restoreAllMocks())

  const expectNone = (where: string, text: string) => expect(text, where).not.toMatch(NAMES)

  /** Sends a request. @returns true if the answer names people, as only lists may */
  async function ask(method: string, address: string, body?: object): Promise<boolean> {
    const { status, headers, text } = await visit(method, address, body)
    const all = JSON.stringify([[...headers], text])
    expect(status === 500, `${method} ${address}`).toBe(false)
    if (!NAMES.test(all)) return false
    expect(mayRead(name) && isList(method, address), `${method} ${address}`).toBe(true)
    expect(headers.get('cache-control')).toContain('no-store')
    return true
  }

  const writes = routes.filter(({ method }) => method !== 'GET')
  const write = async (route: Route) => {
    const address = addressIn(route.path)
    const body = bodyFor(route.path)
    if (name === 'administrator' && address.startsWith(API) && !address.endsWith('/batch')) {
      const requests = [{ method: route.method, path: address.slice(API.length), body }]
      await ask('POST', `${API}/batch`, { requests })
    }
    await ask(route.method, address, body)
  }

  it('no route, table, log, cache, e-mail, message or tool has a name or an address', async () => {
    for (const route of writes.filter(route => !isLast(route))) await write(route)
    const lists = []
    for (const { method, path } of routes)
      if (method === 'GET') {
        const address = addressIn(path)
        if (await ask(method, address)) lists.push(address)
        if (!path.includes(':')) await ask(method, `${address}?search=registered&per_page=50`)
      }
    const expected = routes.filter(({ method, path }) => method === 'GET' && isList(method, addressIn(path)))
    expect(lists).toEqual(mayRead(name) ? expected.map(({ path }) => addressIn(path)) : [])
    await expectNoTool()
    await expectNothingKept()
    await course.cron()
    for (const route of writes.filter(isLast)) await write(route)
    await course.cron()
    await expectNothingKept()
  })

  async function expectNoTool(): Promise<void> {
    const call = async (init: RequestInit) =>
      (await sendTo(course.outbox.bindings, `${SITE}/mcp`, init)).text()
    const listed = await call(message('tools/list', {}, { as }))
    const { tools } = JSON.parse(listed).result
    expect(tools.length).toBeGreaterThan(3)
    for (const { name, inputSchema } of tools) {
      const args = {
        ...CONTENT,
        id: 1,
        event: 1,
        query: 'registered',
        search: 'registered',
        when: '2026-12-10',
      }
      const known = Object.entries(args).filter(([name]) => name in (inputSchema.properties ?? {}))
      expectNone(
        name,
        await call(message('tools/call', { name, arguments: Object.fromEntries(known) }, { as })),
      )
    }
  }

  async function expectNothingKept(): Promise<void> {
    const tables = await query<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'",
    )
    expect(tables.length).toBeGreaterThan(40)
    for (const { name } of tables)
      if (name !== 'registrants')
        expectNone(
          name,
          JSON.stringify(
            (await query(`SELECT * FROM "${name}"`)).map(row =>
              name === 'registration_mails' ? { ...row, email: '' } : row,
            ),
          ),
        )
    expectNone('log', JSON.stringify(told))
    expect(asked.join()).toMatch(/programs\.test.*event\./s)
    expectNone('requests to others', asked.join('\n'))
    if (name === 'anonymous') expect([...responseCache.entries()].length).toBeGreaterThan(20)
    expectNone('cached', JSON.stringify([...responseCache.entries()]))
    for (const mail of course.outbox.mails) expectNone(mail.subject, JSON.stringify({ ...mail, to: '' }))
  }
})
