import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { FEATURES } from '../../../../src/features.ts'
import { formerSlugs } from '../../../../src/kit/db/tables.ts'
import { startFeatures } from '../../../../src/kit/lib/started-features.ts'
import { addressItems } from '../../../../src/readers/addresses.ts'
import { fileItems } from '../../../../src/readers/files.ts'
import {
  CONTEXT,
  countsOf,
  emptyDatabase,
  emptyTables,
  type Importing,
  importInto,
  makeFolder,
  WINDOW,
} from '../../../readers/database.ts'
import {
  CLIENT,
  emptySite,
  event,
  type Mischief,
  type Site,
  serveSite,
  venue,
  withStableHost,
} from '../../../readers/site-server.ts'

// Which records npm run import -- --mirror takes to have vanished: none of a list that may be incomplete, and
// many only if somebody agrees.

const db = emptyDatabase()
const folder = makeFolder()

const REST_URL = 'https://site.example/wp-json/acme/events/v1/events'

type Page = { body: object; status?: number; headers?: Record<string, string> }

/** Imports a site as a mirror whose list of events a test serves, a page at a time. */
async function mirror(page: Pages, options: Importing & { site?: Site } = {}) {
  const { site = emptySite(), ...rest } = options
  const mischief: Mischief = (url, response) => {
    if (!url.pathname.endsWith('/v1/events')) return false
    const number = Number(url.searchParams.get('page') ?? 1)
    const next = new URL(url)
    next.searchParams.set('page', String(number + 1))
    const { body, status = 200, headers = {} } = page(number, next.href)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    return true
  }
  return importSite(site, mischief, rest)
}

/** Imports a site as a mirror. */
async function importSite(site: Site, mischief: Mischief, options: Importing = {}) {
  const server = await serveSite(site, mischief)
  try {
    const items = addressItems(server.address, { window: WINDOW, client: CLIENT }, CONTEXT)
    return await importInto(db, withStableHost(items, server.address), { mirror: true, ...options })
  } finally {
    await server.close()
  }
}

const events = (...ids: number[]) => ids.map(id => event(id))
const whole = (...ids: number[]) => ({ events: events(...ids), rest_url: REST_URL })
const ALL = [1, 2, 3, 4, 5, 6, 7, 8]
const SEVEN = ALL.slice(0, 7)

type Pages = (number: number, next: string) => Page

/** A list of a single page. */
const one =
  (ids: readonly number[], more: object = {}): Pages =>
  () => ({ body: { ...whole(...ids), ...more } })

/** A list of two pages, of which the first leads to the second. */
const two =
  (first: object, second: object, status = 200): Pages =>
  (n, next) =>
    n === 1 ? { body: { ...first, next_rest_url: next } } : { body: second, status }

const pageOf = (address: string, page: number) => address.replace(/\bpage=\d/, `page=${page}`)

const idsWith = async (status: string) =>
  (await db.query('SELECT id FROM events WHERE status = ? ORDER BY id', status)).map(({ id }) => id)

describe('a list of a site', () => {
  beforeEach(async () => {
    await mirror(() => ({ body: whole(...ALL) }))
    expect(await idsWith('publish')).toEqual(ALL)
  })

  it.each<[string, Pages]>([
    ['has fewer than its total', one(SEVEN, { total: 8 })],
    ['has fewer than its total, a text', one(SEVEN, { total: '8' })],
    ['has fewer than its total of thousands', one([1, 2, 3, 4, 5, 6], { total: '1,008' })],
    ['has fewer than its header', () => ({ body: whole(...SEVEN), headers: { 'x-tec-total': '8' } })],
    ['has fewer pages', one(SEVEN, { total_pages: 2 })],
    [
      'has fewer pages than its header',
      () => ({ body: whole(1, 2, 3, 4, 5, 6), headers: { 'x-tec-totalpages': '2' } }),
    ],
    [
      'leads back',
      (n, next) => two(whole(1, 2, 3, 4), { ...whole(5, 6, 7), next_rest_url: pageOf(next, 2) })(n, next),
    ],
    ['leads nowhere', one(SEVEN, { next_rest_url: 'https://[' })],
    ['has an empty page', two({ ...whole(1, 2, 3, 4, 5), total: 8 }, { ...whole(), total: 8 })],
    ['has a short page', two({ ...whole(1, 2, 3), total: 8 }, { ...whole(5, 6, 7, 8), total: 8 })],
    ['has some twice', two({ ...whole(1, 2, 3, 4), total: 8 }, { ...whole(4, 5, 6, 7), total: 8 })],
    ['shrinks while it is read', two({ ...whole(1, 2, 3, 4), total: 8 }, { ...whole(6, 7, 8), total: 7 })],
    ['has something without an id', one(SEVEN, { events: [...events(...SEVEN), null] })],
    ['has a page that does not exist', two(whole(1, 2, 3, 4, 5, 6), { code: 'rest_no_route' }, 404)],
    [
      'has an empty page before others, without totals',
      (n, next) =>
        n === 1
          ? { body: { ...whole(1, 2, 3, 4, 5), next_rest_url: next } }
          : { body: n === 2 ? whole() : whole(7, 8) },
    ],
    [
      'ends where older servers do, and goes on',
      (n, next) =>
        n === 2
          ? { body: { code: 'event-archive-page-not-found' }, status: 404 }
          : { body: n === 1 ? { ...whole(1, 2, 3, 4, 5), next_rest_url: next } : whole(7, 8) },
    ],
    [
      'leads over an empty page to others',
      (n, next) => ({
        body: {
          ...[whole(1, 2, 3, 4, 5), whole(), whole(7, 8)][n - 1],
          ...(n < 3 && { next_rest_url: next }),
        },
      }),
    ],
    ['has an empty last page, which it counts', two(whole(...SEVEN), { ...whole(), total_pages: 2 })],
    ['has a page that is not a list', two(whole(1, 2, 3, 4, 5, 6), { error: 'sorry' })],
    [
      'has a page that fails',
      (n, next) => (n === 2 ? { body: {}, status: 503 } : two(whole(1, 2, 3, 4), whole(7, 8))(n, next)),
    ],
    ['never ends', (_, next) => ({ body: { ...whole(1), next_rest_url: next } })],
    ['is empty', one([], { total: 0, total_pages: 0 })],
    ['is empty and says so', () => ({ body: { code: 'event-archive-page-not-found' }, status: 404 })],
  ])('that %s is incomplete: none of its events counts as vanished', async (_, page) => {
    const report = await mirror(page)
    expect(await idsWith('publish')).toEqual(ALL)
    expect(report.total('trashed')).toBe(0)
    expect(report.text({ verbose: true })).toContain(
      'The events of site.example/wp-json/acme/events/v1 are incomplete, so none of them counts as vanished',
    )
  })

  it.each<[string, Pages]>([
    ['says nothing', one(SEVEN)],
    ['says too little', one(SEVEN, { total: '1', total_pages: 1 })],
    ['says that there is none', one(SEVEN, { total: 0, total_pages: 0 })],
    [
      'has as many as it says',
      two(
        { ...whole(1, 2, 3, 4), total: 7, total_pages: 2 },
        { ...whole(5, 6, 7), total: 7, total_pages: 2 },
      ),
    ],
    ['ends where older servers do', two(whole(...SEVEN), { code: 'event-archive-page-not-found' }, 404)],
    ['ends with an empty page', two(whole(...SEVEN), whole())],
    [
      'ends with an empty page, and then does not exist',
      (n, next) => (n < 3 ? two(whole(...SEVEN), whole())(n, next) : { body: {}, status: 404 }),
    ],
    [
      'has all, and leads back',
      (_, next) => ({ body: { ...whole(...SEVEN), total: 7, next_rest_url: pageOf(next, 1) } }),
    ],
  ])('that %s is complete', async (_, page) => {
    expect((await mirror(page)).countOf('event', 'trashed')).toBe(1)
    expect(await idsWith('trash')).toEqual([8])
  })

  it('does not take an event to the trash that people depend on', async () => {
    const protection = ({ event }: { event: SQL }) =>
      sql`iif(${event} = 7, '{"hasPeople": true, "proposal": null}', NULL)`
    const references = { formerSlugs: { target_id: { event: { protection } } } }
    onTestFinished(() => startFeatures(FEATURES))
    startFeatures([...FEATURES, { name: 'people', tables: { formerSlugs }, references }])
    await mirror(one([1, 2, 3, 4, 5, 6]))
    expect([await idsWith('publish'), await idsWith('trash')]).toEqual([SEVEN, [8]])
    startFeatures(FEATURES)
    await mirror(one([1, 2, 3, 4, 5, 6]))
    expect(await idsWith('trash')).toEqual([7, 8])
  })

  it('adds no note about an empty list if none of its records was imported', async () => {
    const report = await mirror(() => ({ body: whole(...ALL) }))
    expect([...report.notes]).toEqual([])
  })

  it('of venues is checked separately', async () => {
    const site = { ...emptySite(), venues: [venue(20), venue(21), venue(22)] }
    await mirror(() => ({ body: whole(...ALL) }), { site })
    site.venues = []
    const report = await mirror(() => ({ body: whole(...ALL.slice(1)) }), { site })
    expect(countsOf(report)).toEqual(['event unchanged 7', 'event trashed 1'])
    expect([...report.notes]).toEqual([expect.stringMatching(/^The venues of .* are incomplete/)])
  })

  it('names series, of which one that gives no response has not vanished', async () => {
    const dated = (id: number, day: string) =>
      event(id, {
        start_date: `2027-03-0${day} 20:00:00`,
        end_date: `2027-03-0${day} 22:00:00`,
        utc_start_date: `2027-03-0${day} 19:00:00`,
        utc_end_date: `2027-03-0${day} 21:00:00`,
        series: { id: 70, occurrence_date: `2027-03-0${day} 20:00:00` },
      })
    const series = { ...event(9), id: 70, recurrence: { rrule: 'FREQ=DAILY;COUNT=2' } }
    let isBroken = false
    const site = { ...emptySite() }
    const mischief: Mischief = (url, response) => {
      const isSeries = url.pathname.endsWith('/series/70')
      if (!isSeries && !url.pathname.endsWith('/v1/events')) return false
      const body = isSeries
        ? series
        : { ...whole(1, 2), events: [...events(1, 2), dated(9, '1'), dated(10, '2')] }
      response.writeHead(isSeries && isBroken ? 503 : 200).end(JSON.stringify(body))
      return true
    }
    const read = () => importSite(site, mischief)
    await emptyTables(db)
    await read()
    const rows = () => db.query('SELECT id, series_id, status FROM events ORDER BY id')
    const before = await rows()
    expect(before.map(row => row.series_id)).toEqual([null, null, 70, 70])
    isBroken = true
    expect((await read()).total('trashed')).toBe(0)
    isBroken = false
    expect((await read()).total('trashed')).toBe(0)
    expect(await rows()).toEqual(before)
  })
})

async function saveFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const read = (...paths: string[]) => importInto(db, fileItems(paths, WINDOW, CONTEXT), { mirror: true })

describe('saved pages', () => {
  const save = (name: string, page: object) => saveFile(name, JSON.stringify(page))
  const readAll = async (pages: readonly object[]) =>
    read(...(await Promise.all(pages.map((page, i) => save(`page-${i}.json`, page)))))
  const at = (query: string) => ({ rest_url: `${REST_URL}?${query}` })

  it.each<[string, object[]]>([
    ['fewer than their total', [{ ...whole(1, 2, 3, 4, 5), total: 8 }]],
    [
      'some twice',
      [
        { ...whole(1, 2, 3, 4), total: 8, next_rest_url: `${REST_URL}?page=2` },
        { ...whole(4, 5, 6, 7), total: 8, previous_rest_url: REST_URL },
      ],
    ],
    ['no further page', [{ ...whole(1, 2, 3, 4, 5), next_rest_url: `${REST_URL}?page=2` }]],
    [
      'no page in between',
      [
        { ...whole(1, 2, 3, 4), total: 8, next_rest_url: `${REST_URL}?page=2` },
        { ...whole(7, 8), total: 8, previous_rest_url: `${REST_URL}?page=2` },
      ],
    ],
    [
      'no page in between, without totals',
      [
        { ...whole(1, 2, 3, 4, 5), next_rest_url: `${REST_URL}?page=2` },
        { ...whole(7, 8), previous_rest_url: `${REST_URL}?page=2` },
      ],
    ],
    [
      'links without numbers, and no totals',
      [
        { ...whole(1, 2, 3, 4, 5), next_rest_url: `${REST_URL}?after=5` },
        { ...whole(7, 8), previous_rest_url: `${REST_URL}?before=7` },
      ],
    ],
    ['fewer pages than they say', [{ ...whole(1, 2, 3, 4, 5), total_pages: 2 }]],
    ['fewer than their total of thousands', [{ ...whole(1, 2, 3, 4, 5), total: '1,008' }]],
    ['one category only', [{ ...whole(...SEVEN), ...at('categories=music') }]],
    ['the next months only', [{ ...whole(...SEVEN), ...at('end_date=%2B2 months') }]],
    ['drafts only', [{ ...whole(...SEVEN), ...at('status=draft') }]],
    ['later events only', [{ ...whole(...SEVEN), ...at('start_date=2027-03-01') }]],
    ['earlier events only', [{ ...whole(...SEVEN), ...at('start_date=2026-01-01&end_date=2027-03-01') }]],
    ['nothing', [whole()]],
    ['something without an id', [{ ...whole(), events: [...events(1, 2, 3, 4, 5, 6, 7), 'x'] }]],
  ])('that have %s are incomplete', async (_, pages) => {
    await read(await save('all.json', whole(...ALL)))
    expect((await readAll(pages)).total('trashed')).toBe(0)
    expect(await idsWith('publish')).toEqual(ALL)
  })

  it.each<[string, object[]]>([
    ['no address', [{ events: events(...SEVEN) }]],
    [
      'every page',
      [
        { ...whole(1, 2, 3), next_rest_url: `${REST_URL}?page=2` },
        { ...whole(4, 5), next_rest_url: `${REST_URL}?page=3`, previous_rest_url: `${REST_URL}?page=1` },
        { ...whole(6, 7), previous_rest_url: `${REST_URL}?page=2` },
      ],
    ],
    [
      'all of their total',
      [
        { ...whole(1, 2, 3, 4), total: 7, next_rest_url: `${REST_URL}?after=4` },
        { ...whole(5, 6, 7), total: 7, previous_rest_url: REST_URL },
      ],
    ],
    [
      'an address with dates',
      [{ ...whole(...SEVEN), ...at('status=publish&per_page=50&start_date=2026-01-01&end_date=2028-01-01') }],
    ],
  ])('that have %s are complete', async (_, pages) => {
    // A calendar is known by its addresses.
    const first = pages.some(page => 'rest_url' in page) ? whole(...ALL) : { events: events(...ALL) }
    await readAll([first])
    expect((await readAll(pages)).countOf('event', 'trashed')).toBe(1)
    expect(await idsWith('trash')).toEqual([8])
  })

  it('without dates say nothing about what is over', async () => {
    const over = event(9, {
      start_date: '2026-03-01 20:00:00',
      end_date: '2026-03-01 22:00:00',
      utc_start_date: '2026-03-01 19:00:00',
      utc_end_date: '2026-03-01 21:00:00',
    })
    await readAll([{ ...whole(...ALL), events: [over, ...events(...ALL)] }])
    await readAll([whole(...SEVEN)])
    expect(await idsWith('trash')).toEqual([8])
  })
})

describe('a calendar file', () => {
  const vevent = (uid: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20270301T190000Z\r\nSUMMARY:${uid}\r\nEND:VEVENT\r\n`
  const vevents = (...uids: string[]) => uids.map(vevent).join('')
  const head = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Theatre\r\n'
  const file = (body: string) => `${head}${body}END:VCALENDAR\r\n`
  const save = (text: string, name = 'events.ics') => saveFile(name, text)
  const shown = async () =>
    (await db.query(`SELECT title FROM events WHERE status = 'publish' ORDER BY title`)).map(row => row.title)
  const four = ['a', 'b', 'c', 'd']

  it.each<[string, string]>([
    ['breaks off', head + vevent('a') + vevent('b')],
    ['breaks off in an event', `${head}${vevent('a')}${vevent('b')}BEGIN:VEVENT\r\nUID:c\r\nSUMM`],
    [
      'says what has failed in its program, and has an end',
      file(`${vevent('a')}${vevent('b')}${vevent('c')}<b>Fatal error</b>: Out of memory in feed.php\r\n`),
    ],
    [
      'breaks off in an event, and has an end',
      file(`${vevent('a')}${vevent('b')}BEGIN:VEVENT\r\nUID:c\r\nSUMM\r\n`),
    ],
    [
      'breaks off in an event before its UID, and has an end',
      file(`${vevents('b', 'c', 'd')}BEGIN:VEVENT\r\nSUMMARY:a\r\n`),
    ],
    [
      'has an event without an end before others',
      file(`BEGIN:VEVENT\r\nUID:a\r\nSUMMARY:a\r\n${vevents('b', 'c', 'd')}`),
    ],
  ])('that %s trashes no event', async (_, text) => {
    await read(await save(file(vevents(...four))))
    expect((await read(await save(text))).total('trashed')).toBe(0)
    expect(await shown()).toEqual(four)
  })

  it('that lacks a UID is no failure but for a mirror, which then trashes nothing', async () => {
    await read(await save(file(vevents(...four))))
    const saved = await save(file(vevents('b', 'c', 'd') + vevent('a').replace('UID:a\r\n', '')))
    const plain = await importInto(db, fileItems([saved], WINDOW, CONTEXT))
    expect([plain.exitCode, plain.reasons]).toEqual([0, []])
    const mirrored = await read(saved)
    expect(mirrored.reasons).toEqual([expect.stringContaining('without UID beside others')])
    expect([mirrored.exitCode, mirrored.total('trashed')]).toEqual([1, 0])
  })

  it.each<[string, string]>([
    ['nothing', file('')],
    ['other things', file('BEGIN:VTODO\r\nUID:t\r\nEND:VTODO\r\n')],
  ])('that has only %s is asked about, and empties the calendar if somebody agrees', async (_, text) => {
    await read(await save(file(vevents(...four))))
    const emptied = await save(text)
    const { question } = await importInto(db, fileItems([emptied], WINDOW, CONTEXT), {
      mirror: true,
      agrees: false,
    })
    expect(question).toContain('4 of 4 events')
    expect(await shown()).toEqual(four)
    await read(emptied)
    expect(await shown()).toEqual([])
  })

  it.each<[string, { first?: string; second?: string; days: number[] }, string[]]>([
    [
      'that has the next events only, as those of The Events Calendar, trashes none after its last',
      { first: 'PRODID:ECPv6.15.17.1', second: 'PRODID:ECPv6.15.17.1', days: [0, 2] },
      ['a', 'c', 'd'],
    ],
    ['of another program trashes those after its last, too', { days: [0, 2] }, ['a', 'c']],
    [
      'of ours that lacks events trashes none outside of the period that it has',
      { second: 'X-COMPLETE-PERIOD:20270302T000000Z/20270303T235959Z', days: [1] },
      ['a', 'b', 'd'],
    ],
    [
      'with a period that nobody understands trashes all that are not in it',
      { second: 'X-COMPLETE-PERIOD:most/all', days: [1] },
      ['b'],
    ],
  ])('%s', async (_, { first = 'PRODID:Other', second = 'PRODID:Other', days }, kept) => {
    const text = (line: string, all: number[]) =>
      `${head}${line}\r\n${all.map(day => vevent(four[day] ?? '').replace('20270301', `2027030${day + 1}`)).join('')}END:VCALENDAR\r\n`
    await read(await save(text(first, [0, 1, 2, 3])))
    await read(await save(text(second, days)))
    expect(await shown()).toEqual(kept)
  })

  it('next to one of the same calendar that breaks off trashes no event', async () => {
    await read(await save(file(vevents(...four))))
    const other = await save(head + vevent('b'), 'other.ics')
    const report = await read(await save(file(vevent('a') + vevent('c'))), other)
    expect(report.total('trashed')).toBe(0)
    expect(await shown()).toEqual(four)
  })
})

describe('half of what is here', () => {
  const first = () => mirror(() => ({ body: whole(...ALL) }))
  const rereadWith = (...ids: number[]) => mirror(() => ({ body: whole(...ids) }), { agrees: false })

  it('is asked about, and stays: half, or more', async () => {
    await first()
    for (const ids of [[1, 2, 3, 4], [1], [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 1, 2, 3]]) {
      const report = await rereadWith(...ids)
      const gone = ALL.filter(id => !ids.includes(id)).length
      expect(report.question).toContain(
        `${gone} of 8 events of site.example/wp-json/acme/events/v1 would go to the trash`,
      )
      expect(report.exitCode).toBe(3)
      expect(report.text({ verbose: false })).toContain(report.question)
      expect(await idsWith('trash')).toEqual([])
    }
    await mirror(() => ({ body: whole(1, 2, 3, 4) }), { agrees: true })
    expect(await idsWith('publish')).toEqual([1, 2, 3, 4])
  })

  it('is not asked about if it is less', async () => {
    await first()
    const report = await rereadWith(1, 2, 3, 4, 5)
    expect([report.question, report.exitCode]).toEqual([undefined, 0])
    expect(await idsWith('trash')).toEqual([6, 7, 8])
  })

  it.each([
    [[1], [2]],
    [[1, 2], [1]],
  ])('is asked about, too, if there were %j and %j is left', async (before, after) => {
    await mirror(() => ({ body: whole(...before) }))
    expect((await rereadWith(...after)).exitCode).toBe(3)
    expect(await idsWith('trash')).toEqual([])
  })

  it('is that of what is still to come, too, as a source asks', async () => {
    const over = [11, 12, 13, 14, 15, 16].map(id =>
      event(id, {
        start_date: '2026-01-01 20:00:00',
        end_date: '2026-01-01 22:00:00',
        utc_start_date: '2026-01-01 19:00:00',
        utc_end_date: '2026-01-01 21:00:00',
      }),
    )
    const read = (ids: number[], options: Importing = {}) =>
      mirror(() => ({ body: { events: [...over, ...events(...ids)], rest_url: REST_URL } }), options)
    await read([1, 2])
    expect((await read([1], { agrees: false })).question).toContain('1 of 8 events')
    expect(await idsWith('trash')).toEqual([])
  })

  it('is named by a dry run, with all that it is', async () => {
    await first()
    const lines: string[] = []
    const say = (line: string) => void lines.push(line)
    const options = { agrees: false, dryRun: true, say }
    const report = await mirror(() => ({ body: whole(1, 2, 3, 4) }), options)
    expect(report.exitCode).toBe(3)
    expect(lines).toEqual([5, 6, 7, 8].map(id => `would trash event ${id}`))
    expect(await idsWith('trash')).toEqual([])
  })

  it('of the venues is asked about as well', async () => {
    const site = { ...emptySite(), venues: [20, 21, 22, 23].map(id => venue(id)) }
    await mirror(() => ({ body: whole(...ALL) }), { site })
    site.venues.splice(0, 2)
    const report = await mirror(() => ({ body: whole(...ALL) }), { site, agrees: false })
    expect(report.question).toContain('2 of 4 venues')
    expect(report.total('trashed')).toBe(0)
  })
})
