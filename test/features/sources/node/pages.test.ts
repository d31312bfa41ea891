import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSources } from '../../../../src/features/sources/schedule/run.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import { NOON } from '../../../clock.ts'
import { event, linksTo, script } from '../../../readers/json-ld.ts'
import { ignoreDatabaseFailure, watchedD1 } from '../../../watched-d1.ts'
import { ics, useServer, VARS, vevent } from './feed.ts'

// A site of pages on a server of this machine, which the cron reads. The clock is set, and nothing waits a
// second.

const SETTINGS = settingsOf(VARS)
type Page = string | ((request: IncomingMessage, response: ServerResponse) => void)

let pages: Record<string, Page> = {}
let asked: string[] = []
let statuses: number[] = []
let sleeps: number[] = []
beforeEach(() => {
  pages = {}
  asked = []
  statuses = []
  sleeps = []
})
const server = await useServer((request, response) => {
  const path = request.url ?? ''
  asked.push(path)
  response.on('finish', () => statuses.push(response.statusCode))
  const page = pages[path]
  if (typeof page === 'function') return page(request, response)
  if (page === undefined) return void response.writeHead(404).end()
  const etag = `"${page.length}"`
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag }).end(page)
})
const { calendar, address, state, runs, titles, passHours } = server

const eventPage = (path: string, more: object = {}): string => script(event(path, { url: path, ...more }))
const numberedPaths = (count: number): string[] => Array.from({ length: count }, (_, i) => `/events/${i}`)
/** A list at `/events/` of some pages of an event each. */
const site = (paths: string[]): Record<string, Page> => ({
  '/events/': linksTo(paths),
  ...Object.fromEntries(paths.map(path => [path, eventPage(path)])),
})

/** A source of pages, unless `kind` says something else. */
const add = (fields: object = {}) =>
  calendar.must('POST', '/sources', { name: 'Hall', url: `${address}/events/`, kind: 'jsonld', ...fields })

/** A run of the cron, two minutes after the one before. */
async function runCron() {
  const db = new Database(calendar.DB)
  const sleep = async (ms: number) => void sleeps.push(ms)
  await readSources({ db, settings: SETTINGS, nowMs: Date.now(), patience: { sleep, timeoutMs: 2_000 } })
  passHours(1 / 30)
  return db.metrics
}

/** Reads everything that is due. */
async function readDueSources() {
  for (let minute = 0; minute < 30; minute++) {
    await runCron()
    const due = await calendar.rows(
      `SELECT 1 FROM sources WHERE next_run_utc <= '${new Date().toISOString().slice(0, 19).replace('T', ' ')}'`,
    )
    if (due.length === 0) return minute + 1
  }
  throw new Error('no end')
}

describe('a page', () => {
  it('is found, previewed and read, and costs one request while it is unchanged', async () => {
    pages = { '/events/': eventPage('/1') + eventPage('/2') }
    const seen = await calendar.must('POST', '/sources/preview', { url: `${address}/events/` })
    expect(seen).toMatchObject({ kind: 'jsonld', name: '127.0.0.1', total: 2 })
    expect(seen.events).toMatchObject([{ title: '/1', start_date: '2027-03-01 20:00:00' }, { title: '/2' }])
    const { id } = await add({ kind: undefined })
    await readDueSources()
    expect(await titles()).toEqual(['/1', '/2'])
    expect(await state(id)).toMatchObject({ state: 'ok', kind: 'jsonld', next_run: '2026-11-21 12:00:00' })
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 2, skipped: [] }])
    asked = []
    passHours(24)
    await readDueSources()
    expect(asked).toEqual(['/events/'])
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 0, updated: 0, unchanged: 0 }, {}])
    pages = { '/events/': eventPage('/1', { name: 'One' }) + eventPage('/2') }
    passHours(24)
    await readDueSources()
    expect(await titles()).toEqual(['/2', 'One'])
  })

  it('with more events than a batch is read once, even if it changes meanwhile', async () => {
    const events = Array.from({ length: 120 }, (_, i) => eventPage(`/${i}`))
    pages = { '/events/': events.join('') }
    const { id } = await add()
    await runCron()
    expect(await titles()).toHaveLength(50)
    pages = { '/events/': events.slice(2).join('') }
    await readDueSources()
    expect(await titles()).toHaveLength(120)
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 120, unchanged: 0 }])
    expect(await calendar.rows('SELECT count(*) AS n FROM source_documents')).toEqual([{ n: 0 }])
    expect(asked.filter(path => path === '/events/')).toHaveLength(1)
    for (let day = 0; day < 2; day++) {
      passHours(24)
      await readDueSources()
    }
    expect(statuses.at(-1)).toBe(304)
    expect(await titles()).toHaveLength(120)
  })

  it('says what was not understood, or corrected, in its words', async () => {
    pages = {
      '/events/': [
        eventPage('/1', { startDate: 'soon' }),
        eventPage('/2', { startDate: '2027-02-30T20:00' }),
        eventPage('/3', { startDate: '2027-03-01T20:00', endDate: '2027-03-01T02:00' }),
        eventPage('/4', { startDate: '2027-03-04', endDate: '2027-03-01' }),
        eventPage('/5').replace(/}\s*<\/script>/, ',}</script>'),
      ].join(''),
    }
    const { id } = await add()
    await readDueSources()
    const { skipped } = (await runs(id))[0]
    expect(await titles()).toEqual(['/3', '/4', '/5'])
    expect(
      skipped.map(({ code, values }: { code: string; values?: { text?: string } }) => [code, values?.text]),
    ).toEqual([
      ['guess_early', '2027-03-01T02:00'],
      ['guess_early', '2027-03-01'],
      ['record_date_unread', undefined],
      ['record_no_such_date', undefined],
      ['record_repaired', undefined],
    ])
  })

  it('with events that wait is read again if its run fails, though it has not changed', async () => {
    pages = { '/events/': Array.from({ length: 120 }, (_, i) => eventPage(`/${i}`)).join('') }
    const { id } = await add()
    await runCron()
    await calendar.rows("UPDATE users SET role = 'author'")
    await runCron()
    await calendar.rows("UPDATE users SET role = 'administrator'")
    expect(await state(id)).toMatchObject({ state: 'failing' })
    passHours(24)
    await readDueSources()
    expect(await titles()).toHaveLength(120)
  })
})

/** The ids, the statuses and the starts of all events. */
const rows = () => calendar.rows('SELECT id, status, utc_start_date FROM events ORDER BY id')
const hours = ['18:00', '19:00', '20:00', '21:00']
/** Events of some hours, at addresses in a folder. */
const inFolder = (folder: string) =>
  hours.map((hour, i) =>
    eventPage(`/${folder}/${i}`, {
      name: `Play ${i}`,
      startDate: `2027-03-01T${hour}:00Z`,
      endDate: undefined,
    }),
  )

describe('events that get other addresses', () => {
  it('stay the same events, and those that were deleted here stay deleted', async () => {
    pages = { '/events/': inFolder('old').join('') }
    const { id } = await add()
    await readDueSources()
    const [first] = await rows()
    await calendar.must('DELETE', `/events/${first?.id}`)
    const before = await rows()
    expect(before.map(({ status }) => status)).toEqual(['trash', 'publish', 'publish', 'publish'])
    for (const folder of ['other', 'newest']) {
      pages = { '/events/': inFolder(folder).join('') }
      passHours(24)
      await readDueSources()
      expect(await rows()).toEqual(before)
      expect((await runs(id))[0]).toMatchObject({ created: 0, state: 'done' })
    }
  })

  it('are found although they are read over several batches', async () => {
    const many = (folder: string) =>
      Array.from({ length: 120 }, (_, i) => eventPage(`/${folder}/${i}`, { name: `Play ${i}` })).join('')
    pages = { '/events/': many('old') }
    await add()
    await readDueSources()
    const before = await rows()
    pages = { '/events/': many('other') }
    passHours(24)
    await readDueSources()
    expect(await rows()).toEqual(before)
  })

  it('have pages of their own, of which some are read later', async () => {
    const named = (folder: string) =>
      Object.fromEntries(
        numberedPaths(60).map((_, i) => [
          `/${folder}/${i}`,
          eventPage(`/${folder}/${i}`, { name: `Play ${i}` }),
        ]),
      )
    const siteIn = (folder: string, more: Record<string, Page> = {}) => {
      const pagesByPath = { ...named(folder), ...more }
      pages = { ...pagesByPath, '/events/': linksTo(Object.keys(pagesByPath)) }
    }
    siteIn('old', { '/old/60': eventPage('/old/60', { name: 'Play 7' }) })
    await add()
    await readDueSources()
    const before = await rows()
    expect(before).toHaveLength(61)
    siteIn('other', { '/old/60': eventPage('/old/60', { name: 'Play 7' }) })
    passHours(24)
    await readDueSources()
    expect(await rows()).toEqual(before)
  })

  it('are not those of the same title and start that the page still has', async () => {
    pages = { '/events/': inFolder('old').slice(0, 2).join('') }
    await add()
    await readDueSources()
    const twin = eventPage('/other', {
      name: 'Play 0',
      startDate: '2027-03-01T18:00:00Z',
      endDate: undefined,
    })
    pages = { '/events/': [...inFolder('old').slice(0, 2), twin].join('') }
    passHours(24)
    await readDueSources()
    expect(await rows()).toHaveLength(3)
  })

  it('stay when the source is read as a calendar file, and as a page again', async () => {
    const file = ics(
      hours.map((hour, i) => [
        ...['BEGIN:VEVENT', `UID:${i}@hall`, `DTSTART:20270301T${hour.replace(':', '')}00Z`],
        ...[`SUMMARY:Play ${i}`, 'END:VEVENT'],
      ]),
    )
    pages = { '/events/': inFolder('old').join(''), '/events.ics': (_, response) => void response.end(file) }
    const { id } = await add({ kind: undefined })
    await readDueSources()
    const before = await rows()
    for (const url of ['/events.ics', '/events/']) {
      await calendar.must('PATCH', `/sources/${id}`, { url: `${address}${url}` })
      passHours(24)
      await readDueSources()
      expect(await state(id)).toMatchObject({ state: 'ok' })
      expect(await rows()).toEqual(before)
    }
  })

  it('become the dates of a series in a calendar file', async () => {
    const daily = ['DTSTART:20270301T180000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'SUMMARY:Play 0']
    const dates = ['01', '02', '03'].map((day, i) =>
      eventPage(`/old/${i}`, { name: 'Play 0', startDate: `2027-03-${day}T18:00:00Z`, endDate: undefined }),
    )
    pages = {
      '/events/': dates.join(''),
      '/events.ics': (_, response) =>
        void response.end(ics([['BEGIN:VEVENT', 'UID:play@hall', ...daily, 'END:VEVENT']])),
    }
    const { id } = await add({ kind: undefined })
    await readDueSources()
    const before = await rows()
    await calendar.must('PATCH', `/sources/${id}`, { url: `${address}/events.ics` })
    passHours(24)
    await readDueSources()
    expect(await rows()).toEqual(before)
    expect(await calendar.rows('SELECT count(*) AS n FROM events WHERE series_id IS NOT NULL')).toEqual([
      { n: 3 },
    ])
  })
})

describe('a list of pages', () => {
  it('is read a few at a time, one a second, then only what has changed', async () => {
    pages = site(numberedPaths(90))
    const { id } = await add({ mirror: true })
    const used = await runCron()
    expect(asked.length).toBeLessThanOrEqual(40)
    expect(used.statements).toBeLessThanOrEqual(45)
    await readDueSources()
    expect(await titles()).toHaveLength(90)
    expect(asked.filter(path => path !== '/robots.txt')).toEqual(['/events/', ...numberedPaths(90)])
    expect(sleeps).toHaveLength(asked.length - 1)
    expect(sleeps.every(ms => ms === 1_000)).toBe(true)
    expect(await runs(id)).toMatchObject([{ state: 'done', created: 90, unchanged: 0, trashed: 0 }])
    asked = []
    statuses = []
    passHours(24)
    pages['/events/7'] = eventPage('/events/7', { name: 'Seven' })
    await readDueSources()
    expect(statuses.filter(status => status === 304)).toHaveLength(89)
    expect(await runs(id)).toMatchObject([
      { state: 'done', created: 0, updated: 1, unchanged: 0, trashed: 0 },
      {},
    ])
    expect(await titles()).toContain('Seven')
  })

  it('that is killed in any phase continues without losing or doubling events', async () => {
    pages = site(numberedPaths(60))
    const { id } = await add({ mirror: true })
    for (let i = 0; i < 3; i++) {
      const [before] = await calendar.rows('SELECT pages, crawl FROM source_pages')
      await runCron()
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
      await Promise.all([runCron(), runCron()])
    }
    await readDueSources()
    expect(await titles()).toHaveLength(60)
    const [run] = await runs(id)
    expect(run).toMatchObject({ state: 'done', trashed: 0 })
    expect(run.created).toBeLessThanOrEqual(60)
    expect(await calendar.rows('SELECT 1 FROM events')).toHaveLength(60)
  })

  it('as a mirror trashes no event of pages that are linked, and not read since the list has some itself', async () => {
    const paths = numberedPaths(3)
    pages = site(paths)
    const { id } = await add({ mirror: true })
    await readDueSources()
    const others = script([4, 5, 6, 7, 8].map(n => event(`${n}`, { url: `/${n}`, startDate: '2027-04-01' })))
    for (const linked of [paths, paths.slice(1)]) {
      pages['/events/'] = linksTo(linked) + others
      passHours(24)
      await readDueSources()
      expect(await titles('trash')).toEqual(paths.filter(path => !linked.includes(path)))
    }
    expect(await state(id)).toMatchObject({ state: 'ok' })
  })

  it('as a mirror trashes vanished events, not unreadable ones, and asks before it trashes half', async () => {
    pages = site(numberedPaths(8))
    const { id } = await add({ mirror: true })
    await readDueSources()
    expect(await titles()).toHaveLength(8)
    // One page is gone and one is out of order, so nobody knows which events are missing.
    pages = { ...site(numberedPaths(8)), '/events/3': (_, response) => void response.writeHead(503).end() }
    delete pages['/events/4']
    passHours(24)
    await readDueSources()
    expect(await titles()).toHaveLength(8)
    expect((await runs(id))[0]).toMatchObject({ trashed: 0, skipped: [{ what: `${address}/events/3` }] })
    pages['/events/3'] = eventPage('/events/3')
    passHours(24)
    await readDueSources()
    expect(await titles('trash')).toEqual(['/events/4'])
    for (const few of [numberedPaths(3), []]) {
      pages = site(few)
      passHours(24)
      await readDueSources()
      expect(await state(id)).toMatchObject({ state: 'asking', message: expect.stringMatching(/half/i) })
      expect(await titles()).toHaveLength(7)
    }
    pages = site(numberedPaths(3))
    await calendar.must('PATCH', `/sources/${id}`, { state: 'ok' })
    await readDueSources()
    expect(await titles()).toEqual(numberedPaths(3))
    expect(await state(id)).toMatchObject({ state: 'ok' })
  })

  it('that is changed while it is read is read anew, and one that is deleted is not', async () => {
    let between = async (_: number): Promise<unknown> => undefined
    pages = site(numberedPaths(3))
    const { id } = await add()
    pages['/events/1'] = (_, response) => void between(id).then(() => response.end(eventPage('/events/1')))
    between = of => calendar.must('PATCH', `/sources/${of}`, { status: 'draft' })
    await runCron()
    expect(await calendar.rows('SELECT lease, failures FROM sources')).toEqual([{ lease: '', failures: 0 }])
    between = async () => {}
    await readDueSources()
    expect(await titles('draft')).toEqual(numberedPaths(3))
    expect((await runs(id))[0]).toMatchObject({ state: 'done', created: 3, unchanged: 0 })
    passHours(24)
    between = of => calendar.must('DELETE', `/sources/${of}`)
    pages['/events/2'] = eventPage('/events/2', { name: 'Two' })
    await runCron()
    for (const table of ['sources', 'source_runs', 'source_pages'])
      expect(await calendar.rows(`SELECT 1 FROM ${table}`), table).toEqual([])
    expect(await titles('draft')).toEqual(numberedPaths(3))
  })

  it('gives its events what it is set to, and reads everything again when that changes', async () => {
    const more = { location: 'Hall', organizer: 'Club', image: '/a.jpg' }
    pages = { ...site(numberedPaths(3)), '/events/0': eventPage('/events/0', more) }
    const { id: category } = await calendar.must('POST', '/categories', { name: 'Stage' })
    const { id: venue } = await calendar.must('POST', '/venues', { venue: 'Green' })
    const { id } = await add({
      search: '0 1',
      status: 'pending',
      categories: [category],
      venue,
      mirror: true,
    })
    expect((await runCron()).statements).toBeLessThanOrEqual(45)
    await readDueSources()
    expect(await titles('pending')).toEqual(['/events/0', '/events/1'])
    const { events } = await calendar.must('GET', '/events?status=pending&orderby=title')
    expect(events).toMatchObject([
      { venue: { venue: 'Hall' }, organizer: [{ organizer: 'Club' }], categories: [{ name: 'Stage' }] },
      { venue: { venue: 'Green' }, categories: [{ name: 'Stage' }] },
    ])
    await calendar.must('PATCH', `/sources/${id}`, { search: '2' })
    passHours(24)
    await readDueSources()
    // To a mirror, what is let in no more has vanished.
    expect(await state(id)).toMatchObject({ state: 'asking' })
    await calendar.must('PATCH', `/sources/${id}`, { state: 'ok' })
    await readDueSources()
    expect(await titles('pending')).toEqual(['/events/2'])
  })
})

describe('a hostile site', () => {
  it('has 10,000 links, and pages and lists without end', async () => {
    pages = site(numberedPaths(10_000))
    const { id } = await add({ mirror: true })
    await readDueSources()
    expect(await titles()).toHaveLength(200)
    expect((await runs(id))[0].skipped).toEqual([
      {
        what: `${address}/events/`,
        why: 'More than 200 pages: the rest is not read.',
        code: 'record_not_all',
      },
    ])
    const [stored] = await calendar.rows('SELECT length(pages) + length(crawl) AS size FROM source_pages')
    expect(stored?.size).toBeLessThan(100_000)
  })

  it.each<[string, Page, string]>([
    ['hangs', () => {}, 'could not be read'],
    ['never ends', (_, response) => void response.write('User-agent: *'), 'could not be read'],
    ['is too long', (_, response) => void response.end('#'.repeat(10_000_001)), 'longer than'],
    ['fails', (_, response) => void response.writeHead(500).end(), 'HTTP 500'],
    ['forbids all', 'User-agent: event-calendar-import\nDisallow: /', 'does not allow it'],
  ])('has a robots.txt that %s: none of its pages is read', async (_, robots, message) => {
    pages = { ...site(numberedPaths(2)), '/robots.txt': robots }
    const { id } = await add()
    await readDueSources()
    expect(await state(id)).toMatchObject({ state: 'failing', message: expect.stringContaining(message) })
    expect([asked, await titles()]).toEqual([['/events/', '/robots.txt'], []])
  })

  it('has a robots.txt that fails in the middle of a run: pages that were read stay, and are not requested again', async () => {
    pages = site(numberedPaths(60))
    const { id } = await add({ mirror: true })
    await runCron()
    pages['/robots.txt'] = (_, response) => void response.writeHead(503).end()
    await runCron()
    expect(await state(id)).toMatchObject({ state: 'failing' })
    const before = (await titles()).length
    expect(before).toBeGreaterThan(0)
    delete pages['/robots.txt']
    passHours(1)
    statuses = []
    await readDueSources()
    expect(await titles()).toHaveLength(60)
    expect(statuses.filter(status => status === 304)).toHaveLength(before)
  })

  it('has events of other pages: the page of an event describes it best', async () => {
    const claim = (name: string, more = {}) =>
      script(event(name, { '@id': '/events/b', url: '/events/b', ...more }))
    pages = {
      ...site(numberedPaths(0)),
      '/events/': linksTo(['/events/a', '/events/b', '/events/c']),
      '/events/a': claim('A is B'),
      '/events/b': eventPage('/events/b'),
      '/events/c': claim('C is B at another time', { startDate: '2027-05-01T20:00:00Z' }),
    }
    await add()
    await readDueSources()
    expect(await titles()).toEqual(['/events/b'])
    pages['/events/a'] = claim('A is still B')
    passHours(24)
    await readDueSources()
    expect(await titles()).toEqual(['/events/b'])
  })

  it('answers 304 although it was never read', async () => {
    let isLying = true
    pages = {
      ...site(['/events/a', '/events/b']),
      '/events/a': (_, response) =>
        void response
          .writeHead(isLying ? 304 : 200, { etag: '"1"' })
          .end(isLying ? '' : eventPage('/events/a')),
    }
    const { id } = await add()
    await readDueSources()
    expect((await runs(id))[0].skipped).toMatchObject([{ why: expect.stringContaining('HTTP 304') }])
    isLying = false
    passHours(24)
    await readDueSources()
    expect(await titles()).toEqual(['/events/a', '/events/b'])
  })
})

describe('several sources', () => {
  it('get their turn whatever one does: hang, break off, send too much, have thousands of events, be killed', async () => {
    pages = {
      '/hangs': () => {},
      '/breaks': request => void request.socket.destroy(),
      '/long': (_, response) => void response.end('x'.repeat(10_000_001)),
      '/huge': Array.from({ length: 2_000 }, (_, i) => eventPage(`/huge/${i}`)).join(''),
      '/site': (_, response) =>
        void response.writeHead(200, { 'x-tec-api-root': '/nowhere' }).end('{"events":'),
      '/good.ics': ics([vevent('good')]),
    }
    const killed = await add({ url: `${address}/killed` })
    for (const path of ['/hangs', '/breaks', '/long', '/huge', '/site'])
      await add({ url: address + path, kind: path === '/site' ? 'site' : 'jsonld' })
    const good = await add({ url: `${address}/good.ics`, kind: 'ical' })
    for (let minute = 0; minute < 8; minute++) {
      // As if each invocation that takes it was killed.
      await calendar.rows(`UPDATE sources SET lease = '2026-11-20 11:00:00 x' WHERE id = ${killed.id}`)
      await Promise.all([runCron(), runCron()])
    }
    expect(await state(good.id)).toMatchObject({ state: 'ok' })
    expect(await calendar.rows(`SELECT state, count(*) AS n FROM sources GROUP BY 1 ORDER BY 1`)).toEqual([
      { state: 'failing', n: 5 },
      { state: 'new', n: 1 },
      { state: 'ok', n: 1 },
    ])
  })

  it('that are killed again and again are postponed further and further', async () => {
    pages = { '/events/': eventPage('/1') }
    const { id } = await add()
    const row = async () =>
      (await calendar.rows(`SELECT next_run_utc AS next, failures FROM sources WHERE id = ${id}`))[0]
    const { DB } = calendar
    const seen = []
    for (let i = 0; i < 3; i++) {
      await calendar.rows(
        `UPDATE sources SET lease = '2026-11-20 11:00:00 x', next_run_utc = '2026-11-20 12:00:00'`,
      )
      // D1 fails after it was taken, as if the invocation had ended there.
      let batches = 0
      const failing = watchedD1(DB, {
        batch: () => {
          if (batches++ > 0) throw new Error('gone')
        },
      })
      await readSources({
        db: new Database(failing),
        settings: SETTINGS,
        nowMs: Date.parse(NOON),
      }).catch(ignoreDatabaseFailure)
      seen.push(await row())
    }
    expect(seen).toEqual([
      { next: '2026-11-20 12:05:00', failures: 1 },
      { next: '2026-11-20 12:10:00', failures: 2 },
      { next: '2026-11-20 12:20:00', failures: 3 },
    ])
  })
})
