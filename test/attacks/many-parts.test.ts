import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_FORM_PARTS } from '../../src/kit/http/form-data.ts'
import { signIn } from '../editor/session.ts'
import { SITE, WHEN } from '../factories.ts'
import { sendTo } from '../request.ts'
import { everyRole, type People } from './people.ts'

// Bodies of very many small parts would take seconds to parse, in which the Worker serves nobody else. So
// parts are counted first.

const people = everyRole()

const parsing = vi.spyOn(Response.prototype, 'formData')
afterEach(() => parsing.mockClear())

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' }
const PAIRS = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

const part = (name: string, value = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const parts = (count: number) => `${part('a').repeat(count)}--x--\r\n`

const CORE = { SUBMISSIONS: 'on', CORE_PREFIX: 'wp-json' } as const

type Sent = { path: string; as?: string; headers: Record<string, string>; body: BodyInit }

/** @param path below the namespace, or a whole address */
async function post({ path, as, headers, body }: Sent) {
  const own = /\/(admin|submit)\//.test(path) ? { origin: SITE } : {}
  const all = { ...own, ...headers, ...(as && { authorization: as }) }
  const response = await sendTo(CORE, path, { method: 'POST', headers: all, body, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

/** Doors that take a form, the person who comes by it, and what it says to a form of too many parts. */
const DOORS: readonly [path: string, role: keyof People | undefined, status: number][] = [
  ['/submissions', undefined, 400],
  ['/events', undefined, 401],
  ['/media', undefined, 401],
  ['/batch', 'subscriber', 403],
  ['/media', 'contributor', 403],
  ['/events', 'contributor', 400],
  ['/media', 'author', 400],
  [`${SITE}/wp-json/wp/v2/media`, 'author', 400],
  [`${SITE}/submit/`, undefined, 400],
  [`${SITE}/submit/repetition/`, undefined, 400],
  [`${SITE}/admin/sign-in/password/`, undefined, 400],
  [`${SITE}/admin/events/new/`, undefined, 400],
]

describe.each(DOORS)('%s (%s)', (path, role, status) => {
  it.each([
    ['parts', MULTIPART, parts(MAX_FORM_PARTS + 1)],
    ['parts that end at once', MULTIPART, '--x--'.repeat(MAX_FORM_PARTS + 2)],
    ['a part of very many headers', MULTIPART, `--x\r\n${'a: b\r\n'.repeat(5_000)}\r\n\r\n--x--\r\n`],
    ['a part of a long name', MULTIPART, `${part('a'.repeat(100_000))}--x--\r\n`],
    [
      'a long boundary',
      { 'content-type': `multipart/form-data; boundary=${'-'.repeat(71)}` },
      '-'.repeat(200_000),
    ],
  ])('refuses %s before any is parsed', async (_, headers, body) => {
    const as = role && people[role].as
    const { status: given, text } = await post({ path, headers, body, ...(as && { as }) })
    // Some doors take fewer bytes than that, which is a refusal of its own.
    expect([given === 413 ? 400 : given, text.length < 10_000]).toEqual([status, true])
    expect(parsing).not.toHaveBeenCalled()
  })
})

describe('forms in pairs', () => {
  it.each([
    ['/submissions', 'a=1&'.repeat(501)],
    ['/submissions', `a${'[b]'.repeat(400)}=1`],
    [`${SITE}/submit/`, 'a=1&'.repeat(501)],
    [`${SITE}/admin/events/new/`, 'a=1&'.repeat(MAX_FORM_PARTS + 1)],
    [`${SITE}/admin/sign-in/password/`, 'a=1&'.repeat(21)],
  ])('of strangers at %s have few', async (path, body) => {
    expect((await post({ path, headers: PAIRS, body })).status).toBe(400)
    expect(parsing).not.toHaveBeenCalled()
  })

  it('of the sign-in are small', async () => {
    const sent = { path: `${SITE}/admin/sign-in/password/`, headers: PAIRS }
    expect((await post({ ...sent, body: `login=${'a'.repeat(40_000)}` })).status).toBe(413)
    expect(parsing).not.toHaveBeenCalled()
    expect((await post({ ...sent, body: 'login=ada' })).status).toBe(409)
  })
})

describe('a form that comes too often from one network', () => {
  // One too many, whatever was before.
  const limit: RateLimit = { limit: async () => ({ success: false }) }

  it.each(['sign-in/password', 'link/abc', 'events/new'])('to %s is refused unread', async path => {
    const body = new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(1_000)) })
    const headers = { ...PAIRS, origin: SITE, 'cf-connecting-ip': '192.0.2.30' }
    const request = new Request(`${SITE}/admin/${path}/`, { method: 'POST', headers, body })
    const response = await sendTo({ LOGIN_LIMIT: limit, NETWORK_LIMIT: limit }, request.url, request)
    expect({
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      bodyUsed: request.bodyUsed,
    }).toEqual({ status: 429, retryAfter: '60', bodyUsed: false })
  })
})

describe('JSON', () => {
  const numbers = (count: number) => `[${Array(count).fill(1).join(',')}]`
  const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`

  it.each([
    ['a list', '/submissions', `{"categories":${numbers(3_000)}}`],
    ['names', '/submissions', keys(3_000)],
  ])('of strangers has few values: %s', async (_, path, body) => {
    const parse = vi.spyOn(JSON, 'parse')
    expect((await post({ path, headers: JSON_TYPE, body })).status).toBe(413)
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })

  it('of those who write has more, but not any number', async () => {
    const sent = { path: '/events', as: people.author.as, headers: JSON_TYPE }
    const fields = { title: 'Many tags', ...WHEN }
    const many = JSON.stringify({ ...fields, unknown: Array(49_000).fill(1) })
    expect((await post({ ...sent, body: many })).status).toBe(201)
    expect((await post({ ...sent, body: numbers(60_000) })).status).toBe(413)
  })
})

describe('queries', () => {
  it.each(['a=1&', 'a[]=1&', 'categories[]=1&', 'a&'])('of 100,000 times %s are refused', async pair => {
    for (const path of ['/events', '/submissions'])
      expect((await sendTo(CORE, `${path}?${pair.repeat(100_000)}`)).status).toBe(
        path === '/events' ? 400 : 401,
      )
    expect((await sendTo(CORE, `${SITE}/events/?${pair.repeat(100_000)}`)).status).toBe(400)
  })
})

describe('a large form that somebody needs', () => {
  it('is taken: every field of an event in parts', async () => {
    const fields: [string, string][] = [
      ['title', 'Everything'],
      ...Object.entries(WHEN),
      ...Array.from({ length: 200 }, (_, i): [string, string] => ['tags[]', `tag ${i}`]),
      ...Array.from({ length: 200 }, (_, i): [string, string] => [`organizer[${i}][organizer]`, `Band ${i}`]),
      ...Array.from({ length: 200 }, (_, i): [string, string] => [`organizer[${i}][phone]`, `${i}`]),
      ...Array.from({ length: 50 }, (_, i): [string, string] => [`custom_fields[k${i}][value]`, `${i}`]),
    ]
    const body = `${fields.map(([name, value]) => part(name, value)).join('')}--x--\r\n`
    const { status, text } = await post({ path: '/events', as: people.editor.as, headers: MULTIPART, body })
    expect({
      status,
      tags: JSON.parse(text).tags?.length,
      organizers: JSON.parse(text).organizer?.length,
    }).toEqual({ status: 201, tags: 200, organizers: 200 })
  })

  it('is parsed with a session: 3,000 fields of the editor', async () => {
    const { browser } = await signIn('editor')
    const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`was.${i}`, `${i}`]))
    const { status } = await browser.post('/admin/events/new/', { ...fields, do: 'save' })
    expect(status).toBe(422)
  })
})
