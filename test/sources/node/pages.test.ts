import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../../src/db/database.ts'
import { settingsOf } from '../../../src/settings.ts'
import { readSources } from '../../../src/sources/work/run.ts'
import { listen } from '../../listen.ts'
import { type Calendar, openCalendar } from '../../webhooks/node/calendar.ts'

// A site of pages on a server of this machine, which the cron reads. The clock is set, and nothing waits a second.

const SETTINGS = settingsOf({ SITE_URL: 'https://town.example', TIMEZONE: 'UTC', ALLOW_PRIVATE_HOSTS: 'on' })
const NOON = '2026-11-20T12:00:00Z'

type Page = string | ((request: IncomingMessage, response: ServerResponse) => void)

let calendar: Calendar
let address: string
let close: () => Promise<void>
let pages: Record<string, Page> = {}
let asked: string[] = []
let statuses: number[] = []
let sleeps: number[] = []

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOON) })
  calendar = await openCalendar()
  await calendar.set()
  ;({ address, close } = await listen(() => (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    response.on('finish', () => statuses.push(response.statusCode))
    const page = pages[path]
    if (typeof page === 'function') return page(request, response)
    if (page === undefined) return void response.writeHead(404).end()
    const etag = `"${page.length}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag }).end(page)
  }))
})

afterAll(async () => {
  await close()
  await calendar.stop()
  vi.useRealTimers()
})

beforeEach(async () => {
  vi.setSystemTime(NOON)
  for (const { id } of await calendar.rows('SELECT id FROM sources'))
    await calendar.must('DELETE', `/sources/${id}`)
  for (const { id } of await calendar.rows("SELECT id FROM events WHERE status <> 'trash'"))
    await calendar.must('DELETE', `/events/${id}?force=true`)
  ;[pages, asked, statuses, sleeps] = [{}, [], [], []]
})

const script = (json: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(json)}</script>`
const event = (name: string, more: object = {}) => ({
  ...{ '@context': 'https://schema.org', '@type': 'Event', name, startDate: '2027-03-01T20:00:00Z' },
  ...more,
})
const own = (path: string, more: object = {}): string => script(event(path, { url: path, ...more }))
const links = (paths: string[]): string => paths.map(path => `<a href="${path}">x</a>`).join('')
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `/events/${i}`)
/** A list at `/events/` of some pages of an event each. */
const site = (paths: string[]): Record<string, Page> => ({
  '/events/': links(paths),
  ...Object.fromEntries(paths.map(path => [path, own(path)])),
})

/** A source, with whose address no calendar is looked for, unless told. */
const add = (fields: object = {}) =>
  calendar.must('POST', '/sources', { name: 'Hall', url: `${address}/events/`, kind: 'jsonld', ...fields })
const state = (id: number) => calendar.must('GET', `/sources/${id}`)
const runs = async (id: number) => (await calendar.must('GET', `/sources/${id}/runs`)).runs
const later = (hours: number) => vi.setSystemTime(Date.now() + hours * 3_600_000)
const titles = async (status = 'publish') =>
  (await calendar.rows(`SELECT title FROM events WHERE status = '${status}' ORDER BY title`)).map(
    ({ title }) => title,
  )

/** A run of the cron, two minutes after the one before. */
async function piece() {
  const db = new Database(calendar.DB)
  const sleep = async (ms: number) => void sleeps.push(ms)
  await readSources({ db, settings: SETTINGS, nowMs: Date.now(), patience: { sleep, timeoutMs: 300 } })
  later(1 / 30)
  return db.metrics
}

/** Reads everything that is due. */
async function round() {
  for (let minute = 0; minute < 30; minute++) {
    await piece()
    const due = await calendar.rows(
      `SELECT 1 FROM sources WHERE next_run_utc <= '${new Date().toISOString().slice(0, 19).replace('T', ' ')}'`,
    )
    if (due.length === 0) return minute + 1
  }
  throw new Error('no end')
}

describe('a page', () => {
  it('is found, looked at and read, and costs one request while it is what it was', async () => {
    pages = { '/events/': own('/1') + own('/2') }
    const seen = await calendar.must('POST', '/sources/preview', { url: `${address}/events/` })
    expect(seen).toMatchObject({ kind: 'jsonld', name: '127.0.0.1', total: 2 })
    expect(seen.events).toMatchObject([{ title: '/1', start_date: '2027-03-01 20:00:00' }, { title: '/2' }])
    const { id } = await add({ kind: undefined })
    await round()
    expect(await titles()).toEqual(['/1', '/2'])
    expect(await state(id)).toMatchObject({ state: 'ok', kind: 'jsonld', next_run: '2026-11-21 12:00:00' })
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 2, skipped: [] }])
    asked = []
    later(24)
    await round()
    expect(asked).toEqual(['/events/'])
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 0, updated: 0, unchanged: 0 }, {}])
    pages = { '/events/': own('/1', { name: 'One' }) + own('/2') }
    later(24)
    await round()
    expect(await titles()).toEqual(['/2', 'One'])
  })

  it('with more events than a piece is read again for each, and once when all are there', async () => {
    pages = { '/events/': Array.from({ length: 120 }, (_, i) => own(`/${i}`)).join('') }
    const { id } = await add()
    await piece()
    expect((await titles()).length % 50).toBe(0)
    await round()
    expect(await titles()).toHaveLength(120)
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 120, unchanged: 0 }])
    asked = []
    later(24)
    await round()
    expect(asked).toEqual(['/events/'])
  })
})

describe('a list of pages', () => {
  it('is read a few at a time, one a second, then only what has changed', async () => {
    pages = site(numbered(90))
    const { id } = await add({ mirror: true })
    const used = await piece()
    expect(asked.length).toBeLessThanOrEqual(40)
    expect(used.statements).toBeLessThanOrEqual(45)
    await round()
    expect(await titles()).toHaveLength(90)
    expect(asked.filter(path => path !== '/robots.txt')).toEqual(['/events/', ...numbered(90)])
    expect(sleeps).toHaveLength(asked.length - 1)
    expect(sleeps.every(ms => ms === 1_000)).toBe(true)
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 90, unchanged: 0, trashed: 0 }])
    ;[asked, statuses] = [[], []]
    later(24)
    pages['/events/7'] = own('/events/7', { name: 'Seven' })
    await round()
    expect(statuses.filter(status => status === 304)).toHaveLength(89)
    expect(await runs(id)).toMatchObject([
      { state: 'done', created: 0, updated: 1, unchanged: 0, trashed: 0 },
      {},
    ])
    expect(await titles()).toContain('Seven')
  })

  it('that is killed in any phase goes on, and doubles and loses nothing', async () => {
    pages = site(numbered(60))
    const { id } = await add({ mirror: true })
    for (let i = 0; i < 3; i++) {
      const [before] = await calendar.rows('SELECT pages, crawl FROM source_pages')
      await piece()
      // Killed after its events were written, before that was written down.
      await calendar.DB.batch([
        calendar.DB.prepare('UPDATE source_pages SET pages = ?, crawl = ?').bind(
          before?.pages ?? '[]',
          before?.crawl ?? '',
        ),
        calendar.DB.prepare(
          `UPDATE sources SET next_run_utc = '2026-11-20 12:00:00', lease = '2026-11-20 12:01:30 x'`,
        ),
      ])
      await Promise.all([piece(), piece()])
    }
    await round()
    expect(await titles()).toHaveLength(60)
    const [run] = await runs(id)
    expect(run).toMatchObject({ state: 'done', trashed: 0 })
    expect(run.created).toBeLessThanOrEqual(60)
    expect(await calendar.rows('SELECT 1 FROM events')).toHaveLength(60)
  })

  it('as a mirror trashes what vanishes, not what cannot be read, and asks before it is half', async () => {
    pages = site(numbered(8))
    const { id } = await add({ mirror: true })
    await round()
    expect(await titles()).toHaveLength(8)
    // One page is gone, one is out of order: what is missing cannot be told.
    pages = { ...site(numbered(8)), '/events/3': (_, response) => void response.writeHead(503).end() }
    delete pages['/events/4']
    later(24)
    await round()
    expect(await titles()).toHaveLength(8)
    expect((await runs(id))[0]).toMatchObject({ trashed: 0, skipped: [{ what: `${address}/events/3` }] })
    pages['/events/3'] = own('/events/3')
    later(24)
    await round()
    expect(await titles('trash')).toEqual(['/events/4'])
    for (const few of [numbered(3), []]) {
      pages = site(few)
      later(24)
      await round()
      expect(await state(id)).toMatchObject({ state: 'asking', message: expect.stringContaining('half') })
      expect(await titles()).toHaveLength(7)
    }
    pages = site(numbered(3))
    await calendar.must('PATCH', `/sources/${id}`, { state: 'ok' })
    await round()
    expect(await titles()).toEqual(numbered(3))
    expect(await state(id)).toMatchObject({ state: 'ok' })
  })

  it('gives its events what it is set to, and reads everything again when that changes', async () => {
    pages = site(numbered(3))
    const { id } = await add({ search: '0 1', status: 'pending' })
    await round()
    expect(await titles('pending')).toEqual(['/events/0', '/events/1'])
    await calendar.must('PATCH', `/sources/${id}`, { search: '2' })
    later(24)
    await round()
    expect(await titles('pending')).toHaveLength(3)
  })
})
