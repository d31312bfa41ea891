import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import worker from '../../../src/index.ts'
import type { Bindings } from '../../../src/kit/env.ts'
import { JPEG } from '../../calendar/media/samples.ts'
import { bucket, emptyBucket } from '../../calendar/media/upload.ts'
import { API, makeDatabaseAnew, makeEvent, makeUser, query, SITE, send, WHEN } from '../../factories.ts'
import { request } from '../../request.ts'
import { TODAY } from '../../setup.ts'
import { jsonRequest } from './worker.ts'

// Replaces the part of the runtime that local development lacks.
const done = { success: true, errors: [] }
const purge = vi.fn<(options: CachePurgeOptions) => Promise<CachePurgeResult>>()
const waiting: Promise<unknown>[] = []
const context = {
  waitUntil: (promise: Promise<unknown>) => waiting.push(promise),
  passThroughOnException: () => undefined,
  props: {},
  cache: { purge },
} as unknown as ExecutionContext

let admin: string
let event: number
/** Each test runs an hour later than the one before, after any pause has ended. */
let hour = 0

beforeEach(async () => {
  await makeDatabaseAnew()
  vi.setSystemTime(TODAY.getTime() + ++hour * 3_600_000)
  purge.mockReset().mockResolvedValue(done)
  admin = await makeUser('admin', 'administrator')
  event = (await makeEvent(admin)).id
  await query('UPDATE revision SET purges_left = 0, image_purges_left = 0')
})

afterEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: TODAY })
})

/** The tags of all purges. */
const purged = () => purge.mock.calls.map(([{ tags }]) => tags)

const carry = (path: string, init: RequestInit = {}, bindings: Bindings = env): Promise<Response> =>
  request(path.startsWith('http') ? path : API + path, init, bindings, context)

/** Sends a request and waits for the work after its response. */
async function ask(...given: Parameters<typeof carry>): Promise<Response> {
  const response = await carry(...given)
  await Promise.all(waiting.splice(0))
  return response
}

const patchOf = (fields: object) => jsonRequest('PATCH', fields, { authorization: admin })
const patch = (fields: object) => ask(`/events/${event}`, patchOf(fields))

const run = () => worker.scheduled(createScheduledController({ scheduledTime: new Date() }), env, context)

/** Runs the cron of the next minute. @returns the logged errors */
async function tick(): Promise<string[]> {
  vi.setSystemTime(Date.now() + 60_000)
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await run()
  const ids = log.mock.calls.map(([line]) => JSON.parse(String(line)).id)
  log.mockRestore()
  return ids
}

const FAILURES = [
  ['are too busy', () => Promise.resolve({ success: false, errors: [{ code: 1, message: 'Slow down.' }] })],
  ['cannot be reached', () => Promise.reject(new Error('Network connection lost.'))],
] as const

describe('after a request, shared caches', () => {
  it('keep everything if it only read', async () => {
    for (const [address, init] of [
      ['/events', {}],
      ['/events', { method: 'OPTIONS', headers: { origin: 'https://elsewhere.example' } }],
    ] as const) {
      const answer = await ask(address, init)
      expect(answer.ok, address).toBe(true)
    }
    expect(purge).not.toHaveBeenCalled()
  })

  it('are purged at once for a first write, and then once for all later ones', async () => {
    expect((await patch({ cost: '$7' })).status).toBe(200)
    expect(purged()).toEqual([['calendar']])
    expect((await patch({ status: 'nonsense' })).status).toBe(400)
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: Date.now() })
    for (const cost of ['$8', '$9']) await carry(`/events/${event}`, patchOf({ cost }))
    expect(purge).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(15_000)
    await Promise.all(waiting.splice(0))
    expect(purged()).toEqual([['calendar'], ['calendar']])
  })

  it('keep everything if it changed nothing public', async () => {
    const draft = { title: 'Draft', ...WHEN, status: 'draft' }
    expect((await ask('/events', jsonRequest('POST', draft, { authorization: admin }))).status).toBe(201)
    const vars = { ...env, SUBMISSIONS: 'on' }
    const sent = { title: 'Sent in', ...WHEN, name: 'Ann', email: 'ann@example.org' }
    const submission = await ask('/submissions', jsonRequest('POST', sent), vars)
    expect([submission.status, await submission.text()]).toEqual([201, expect.anything()])
    expect(purge).not.toHaveBeenCalled()
    // No later purge is due, either.
    await tick()
    expect(purge).not.toHaveBeenCalled()
  })

  it('are only purged of images when one is deleted', async () => {
    const headers = { authorization: admin, 'content-type': 'image/jpeg' }
    const uploaded = await ask('/media', { method: 'POST', headers, body: JPEG })
    const { id, url } = await uploaded.json<{ id: number; url: string }>()
    const served = await ask(url)
    expect(served.headers.get('cache-tag')).toBe('media')
    await served.arrayBuffer()
    expect(purge).not.toHaveBeenCalled()
    vi.setSystemTime(Date.now() + 60_000)
    expect((await ask(`/media/${id}`, { method: 'DELETE', headers })).status).toBe(200)
    expect(purged()).toEqual([['media']])
  })

  it.each(FAILURES)('are purged by the cron if they %s', async (_, fail) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    purge.mockImplementationOnce(fail)
    expect((await patch({ cost: '$7' })).status).toBe(200)
    log.mockRestore()
    expect(purge).toHaveBeenCalledTimes(1)
    await tick()
    expect(purged().slice(1)).toEqual([['calendar']])
  })
})

/**
 * Simulates Workers Cache, which keeps responses under their paths for as long as its header says, unless
 * they are purged.
 */
function workersCache() {
  const kept = new Map<string, { text: string; tag: string; untilMs: number }>()
  const keep = async (path: string, response: Response) => {
    const control = response.headers.get('cloudflare-cdn-cache-control') ?? ''
    const text = await response.text()
    const [, seconds = 0, stale = 0] =
      /^public, max-age=(\d+)(?:, stale-while-revalidate=(\d+))?$/.exec(control) ?? []
    const untilMs = Date.now() + 1000 * (Number(seconds) + Number(stale))
    kept.set(path, { text, tag: response.headers.get('cache-tag') ?? '', untilMs })
    return text
  }
  return {
    keep,
    read: async (path: string) => {
      const found = kept.get(path)
      return found && found.untilMs > Date.now() ? found.text : keep(path, await ask(path))
    },
    purge: async ({ tags = [] }: CachePurgeOptions) => {
      for (const [path, { tag }] of kept) if (tags.includes(tag)) kept.delete(path)
      return done
    },
  }
}

describe('withdrawn content', () => {
  const PATHS = [
    '/events',
    '/events.ics',
    '/events?happening=2027-01-01/2027-12-31',
    `${SITE}/event/secret/`,
    `${SITE}/events/`,
  ]
  const TITLE = 'Secret'

  it('is not shown any more once a purge succeeds, and for at most a minute by responses that were read meanwhile', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const cache = workersCache()
    const { id } = await makeEvent(admin, { title: TITLE })
    await query('UPDATE revision SET purges_left = 0')
    const all = () => Promise.all(PATHS.map(path => cache.read(path)))
    const shown = async () => (await all()).filter(text => text.includes(TITLE)).length
    expect(await shown()).toBeGreaterThan(2)
    const before = await shown()
    purge.mockRejectedValue(new Error('Network connection lost.'))
    await ask(`/events/${id}`, { method: 'DELETE', headers: { authorization: admin } })
    for (let minute = 0; minute < 3; minute++) await tick()
    // Nothing reaches the cache, which may keep all of this for the day.
    expect(await shown()).toBe(before)
    purge.mockImplementation(cache.purge)
    await tick()
    const gone = (await all()).map(text => !text.includes(TITLE))
    expect(gone).toEqual(PATHS.map(() => true))
    log.mockRestore()
  })

  it('does not come back through a slow read that began before', async () => {
    const cache = workersCache()
    purge.mockImplementation(cache.purge)
    const { id } = await makeEvent(admin, { title: TITLE })
    await query('UPDATE revision SET purges_left = 0')
    const slow = await ask('/events')
    await ask(`/events/${id}`, { method: 'DELETE', headers: { authorization: admin } })
    await tick()
    expect(await cache.keep('/events', slow)).toContain(TITLE)
    await tick()
    expect(await cache.read('/events')).not.toContain(TITLE)
  })

  it('is cached for a minute at most until caches were purged twice', async () => {
    const cache = workersCache()
    const { id } = await makeEvent(admin, { title: TITLE })
    for (const path of PATHS) expect(await cache.read(path)).toContain(TITLE)
    // Purging never works in this test.
    purge.mockResolvedValue({ success: false, errors: [] })
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await ask(`/events/${id}`, { method: 'DELETE', headers: { authorization: admin } })
    log.mockRestore()
    vi.setSystemTime(Date.now() + 60_000)
    for (const path of PATHS.filter(path => !path.includes('.ics')))
      expect((await cache.read(path)).includes(TITLE), path).toBe(false)
  })
})

describe('the cron', () => {
  it('purges once when scheduled content is published, once more in the next minute, and then no more', async () => {
    const date_utc = new Date(Date.now() + 30_000).toISOString().slice(0, 19).replace('T', ' ')
    await makeEvent(admin, { title: 'Scheduled', date_utc })
    await tick()
    expect(purged()).toEqual([['calendar']])
    for (let minute = 0; minute < 3; minute++) await tick()
    expect(purged()).toEqual([['calendar'], ['calendar']])
  })

  it('purges twice after the latest change', async () => {
    await send('PATCH', `/events/${event}`, { as: admin, json: { cost: '$1' } })
    await tick()
    // This happens between the check and the purge.
    purge.mockImplementationOnce(async () => {
      await send('PATCH', `/events/${event}`, { as: admin, json: { cost: '$2' } })
      return done
    })
    await tick()
    expect(purge).toHaveBeenCalledTimes(2)
    for (let minute = 0; minute < 4; minute++) await tick()
    expect(purge).toHaveBeenCalledTimes(4)
  })

  it('counts the purges of two runs in one minute as one', async () => {
    await send('PATCH', `/events/${event}`, { as: admin, json: { cost: '$1' } })
    await Promise.all([run(), run()])
    expect(purge).toHaveBeenCalledTimes(2)
    await tick()
    expect(purge).toHaveBeenCalledTimes(3)
    await tick()
    expect(purge).toHaveBeenCalledTimes(3)
  })

  it.each(FAILURES)('tries again each minute while caches %s, and does all else', async (_, fail) => {
    await send('PATCH', `/events/${event}`, { as: admin, json: { cost: '$1' } })
    purge.mockImplementation(fail)
    await query(
      "INSERT INTO sign_in_links (digest, user_id, expires_utc) VALUES ('digest', 1, '2026-01-01 00:00:00')",
    )
    for (let minute = 0; minute < 3; minute++) expect(await tick()).toEqual(['shared caches'])
    expect(purge).toHaveBeenCalledTimes(3)
    const results = await query('SELECT * FROM sign_in_links')
    expect(results).toEqual([])
    purge.mockResolvedValue(done)
    for (let minute = 0; minute < 4; minute++) expect(await tick()).toEqual([])
    expect(purge).toHaveBeenCalledTimes(5)
  })

  it('does not wait for caches that never respond', async () => {
    await send('PATCH', `/events/${event}`, { as: admin, json: { cost: '$1' } })
    purge.mockReturnValueOnce(new Promise(() => undefined))
    const real = globalThis.setTimeout
    // Makes the longest wait end at once.
    const timer = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void) => real(work)) as typeof setTimeout)
    expect(await tick()).toEqual(['shared caches'])
    timer.mockRestore()
    expect(await tick()).toEqual([])
    expect(purge).toHaveBeenCalledTimes(2)
  })

  it('purges images twice after deleting their files', async () => {
    await emptyBucket()
    await bucket().put(`${'a1'.repeat(32)}.jpg`, 'x')
    await query(
      "INSERT INTO image_removals (file, at_utc, is_done) VALUES (?, '2026-01-01 00:00:00', 0)",
      `${'a1'.repeat(32)}.jpg`,
    )
    for (let minute = 0; minute < 12; minute++) await tick()
    expect((await bucket().list()).objects).toEqual([])
    expect(purged()).toEqual([['media'], ['media']])
  })
})
