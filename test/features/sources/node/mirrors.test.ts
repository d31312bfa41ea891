import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSources } from '../../../../src/features/sources/schedule/run.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import { listen } from '../../../listen.ts'
import { event, script } from '../../../readers/json-ld.ts'
import { ics, siteEvent, siteOf, useServer, VARS, vevent } from './feed.ts'

// Mirrors whose calendars are incomplete: nothing is trashed because of that. Half of the events or more are
// only trashed if an editor agrees.

const SETTINGS = settingsOf(VARS)
let respond: (response: ServerResponse, url: string) => void
const server = await useServer((request, response) => respond(response, request.url ?? ''))
const { calendar, address, state, passHours } = server

const numberedIds = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)

/** Serves a feed of some events. */
function serveFeed(ids: readonly number[], end = 'END:VCALENDAR'): void {
  const text = ics(ids.map(id => vevent(`e${id}`))).replace('END:VCALENDAR', end)
  respond = response => void response.end(text)
}

/** Serves a site whose only page has some events. */
function serveSite(ids: readonly number[], more: object = {}): void {
  const site = siteOf({ events: ids.map(id => siteEvent(id + 1)) }, more)
  respond = (response, url) => site(response, url, {})
}

const page = (id: number) => script(event(`${id}`, { url: `/events/${id}` }))
const sitemap = (ids: readonly number[]) =>
  `<urlset>${ids.map(id => `<url><loc>${address}/events/${id}</loc></url>`).join('')}</urlset>`

/** Serves a sitemap and a page for each event, or what stands for one of them. */
function servePages(ids: readonly number[], instead: Record<string, string> = {}): void {
  const pages: Record<string, string> = {
    '/sitemap.xml': sitemap(ids),
    ...Object.fromEntries(ids.map(id => [`/events/${id}`, page(id)])),
    ...instead,
  }
  respond = (response, url) => {
    const body = pages[url]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body)
  }
}

const add = async (path: string, fields: object = {}): Promise<number> =>
  (await calendar.must('POST', '/sources', { name: 'Theatre', url: address + path, mirror: true, ...fields }))
    .id
const newest = async (id: number) => (await calendar.must('GET', `/sources/${id}/runs`)).runs[0]
const agree = (id: number) => calendar.must('PATCH', `/sources/${id}`, { state: 'ok' })
const count = async (status: string) =>
  (await calendar.rows(`SELECT count(*) AS n FROM events WHERE status = '${status}'`))[0]?.n

/** A run of the cron, which waits for nothing. */
const runCron = () =>
  readSources({
    db: new Database(calendar.DB),
    settings: SETTINGS,
    nowMs: Date.now(),
    patience: { sleep: async () => {} },
  })

/** Reads what is due to its end, a day later. */
async function readDueSources(): Promise<void> {
  passHours(24)
  for (let minute = 0; minute < 12; minute++) {
    await runCron()
    passHours(1 / 30)
    const [{ n } = {}] = await calendar.rows(`SELECT count(*) AS n FROM source_runs WHERE state = 'running'`)
    if (n === 0) return
  }
  throw new Error('no end')
}

describe('a site that says that it has more than it lists', () => {
  beforeEach(async () => {
    serveSite(numberedIds(8))
    await add('/')
    await readDueSources()
    expect(await count('publish')).toBe(8)
  })
  const only = async () => Number((await calendar.rows('SELECT id FROM sources'))[0]?.id)

  it('trashes no event, and is reported', async () => {
    serveSite(numberedIds(5), { total: 8 })
    await readDueSources()
    expect(await count('trash')).toBe(0)
    const message = expect.stringContaining(
      'Its list of events is incomplete, and none of them counts as vanished',
    )
    expect(await state(await only())).toMatchObject({ state: 'ok', message })
    expect(await newest(await only())).toMatchObject({ state: 'done', unchanged: 5, trashed: 0, message })
  })

  it('is asked about if half is missing, and trashes no event after that either', async () => {
    serveSite(numberedIds(4), { total: 8 })
    await readDueSources()
    expect(await state(await only())).toMatchObject({
      state: 'asking',
      message: expect.stringMatching(/^Half or more .*4 of 8.* incomplete, .*4 of 8 are in its pages\.$/),
    })
    await agree(await only())
    await readDueSources()
    expect(await count('trash')).toBe(0)
    expect(await state(await only())).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('incomplete'),
    })
  })

  it('trashes missing events once it has as many as it claims', async () => {
    serveSite(numberedIds(5), { total: 8 })
    await readDueSources()
    serveSite(numberedIds(5), { total: 5, total_pages: 1 })
    await readDueSources()
    expect(await count('trash')).toBe(3)
    expect(await state(await only())).toMatchObject({ state: 'ok', message: '' })
  })
})

describe('a feed', () => {
  it.each([
    ['that has no event is asked about, and empties the calendar if an editor agrees', 'END:VCALENDAR', 0],
    ['that has no end is not complete, whatever an editor says', '', 3],
  ])('%s', async (_, end, kept) => {
    serveFeed(numberedIds(3))
    const id = await add('/feed.ics')
    await readDueSources()
    serveFeed([], end)
    await readDueSources()
    expect(await state(id)).toMatchObject({ state: 'asking' })
    expect(await count('publish')).toBe(3)
    await agree(id)
    await readDueSources()
    expect(await count('publish')).toBe(kept)
    const message = kept === 0 ? '' : expect.stringContaining('incomplete')
    expect(await state(id)).toMatchObject({ state: 'ok', message })
  })

  it('that shrinks between two batches of a run is asked about, once that has ended', async () => {
    serveFeed(numberedIds(70))
    const id = await add('/feed.ics')
    await runCron()
    expect(await count('publish')).toBe(50)
    serveFeed(numberedIds(10))
    await readDueSources()
    expect(await count('publish')).toBe(70)
    passHours(24)
    await readDueSources()
    expect(await state(id)).toMatchObject({ state: 'asking' })
    expect(await count('trash')).toBe(0)
  })

  it('is read again if it was incomplete, even if it has not been modified', async () => {
    serveFeed(numberedIds(3))
    await add('/feed.ics')
    await readDueSources()
    const asked: unknown[] = []
    const { address: other, close: stop } = await listen(() => (request, response) => {
      asked.push(request.headers['if-none-match'])
      response.writeHead(200, { etag: '"a"' }).end(ics([]).replace('END:VCALENDAR', ''))
    })
    await calendar.must('POST', '/sources', { name: 'Empty', url: `${other}/feed.ics` })
    await readDueSources()
    await readDueSources()
    await stop()
    expect(asked).toEqual([undefined, undefined])
  })
})

describe('pages', () => {
  const ALL = numberedIds(6)

  it.each<[string, () => void]>([
    ['shows an error as a page', () => servePages(ALL, { '/events/3': '<h1>Sorry</h1>' })],
    [
      'breaks off',
      () => servePages(ALL, { '/sitemap.xml': sitemap(ALL.slice(0, 4)).replace('</urlset>', '') }),
    ],
  ])('of which one %s trash no event', async (_, broken) => {
    servePages(ALL)
    const id = await add('/sitemap.xml')
    await readDueSources()
    expect(await count('publish')).toBe(6)
    // Neither at first nor when the same broken pages are read again.
    for (const _ of ['once', 'twice']) {
      broken()
      await readDueSources()
      expect(await count('trash')).toBe(0)
      expect(await state(id)).toMatchObject({
        state: 'ok',
        message: expect.stringContaining('some of its pages could not be read'),
      })
    }
    servePages(ALL.slice(0, 5))
    await readDueSources()
    expect(await count('trash')).toBe(1)
    expect(await state(id)).toMatchObject({ state: 'ok', message: '' })
  })

  it.each<[string, string]>([
    ['a sitemap without links', sitemap([])],
    ['an error', '<h1>Sorry</h1>'],
  ])('that are %s are asked about, and trash no event', async (_, text) => {
    servePages(ALL)
    const id = await add('/sitemap.xml')
    await readDueSources()
    servePages([], { '/sitemap.xml': text })
    await readDueSources()
    expect(await state(id)).toMatchObject({ state: 'asking', message: expect.stringContaining('6 of 6') })
    await agree(id)
    await readDueSources()
    expect(await count('trash')).toBe(0)
  })
})
