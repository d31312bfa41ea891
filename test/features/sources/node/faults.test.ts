import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { event, linksTo, script } from '../../../readers/json-ld.ts'
import { numberedEvents, useFeed, vevent } from './feed.ts'

// Events of a source are not lost while the database fails, or refuses some of them.

const feed = await useFeed()
const { calendar } = feed

/**
 * As D1 words them (https://developers.cloudflare.com/d1/observability/debug-d1/#error-list): what was not
 * begun and is tried again at once, what may have been done, and what SQLite says.
 */
const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'
const LOST = 'D1_ERROR: Network connection lost.'
const MESSAGES = [OVERLOADED, LOST, 'D1_ERROR: database or disk is full: SQLITE_FULL']

type Fault = { of: RegExp; message: string; late?: boolean; when?: () => boolean }

/**
 * The database, where some statements make their batch fail.
 * @param late after it was done: an answer that was lost on its way
 */
function failing({ of, message, late = false, when = () => true }: Fault): D1Database {
  const { DB } = calendar
  const texts = new WeakMap<D1PreparedStatement, string>()
  const prepare = (text: string) => ({
    bind: (...params: unknown[]) => {
      const statement = DB.prepare(text).bind(...params)
      texts.set(statement, text)
      return statement
    },
  })
  const batch = async (statements: D1PreparedStatement[]) => {
    const fails = statements.some(statement => of.test(texts.get(statement) ?? '')) && when()
    if (fails && !late) throw new Error(message)
    const results = await DB.batch(statements)
    if (fails) throw new Error(message)
    return results
  }
  // All that is used of it.
  return { prepare, batch } as unknown as D1Database
}

/** An event of a page. */
const concert = (i: number) => event(`Concert ${i}`, { url: `/e/${i}` })

const INSERT = /INSERT INTO "?events"?[ (]/i

const isRead = async () => (await feed.state()).state === 'ok'

const isEnded = async () =>
  (await isRead()) && (await calendar.rows(`SELECT id FROM source_runs WHERE state = 'running'`)).length === 0

/**
 * Runs the cron until something is so, which takes at most so many minutes.
 * @param DB the database as the cron sees it
 */
async function runCronWithin(minutes: number, isSo = isRead, DB = calendar.DB): Promise<void> {
  for (let left = minutes; left > 0; left -= 2) {
    const [statements] = await feed.runEveryOtherMinute(2, DB)
    expect(statements).toBeLessThanOrEqual(50)
    if (await isSo()) return
  }
  expect.fail(`not so within ${minutes} minutes`)
}

/** Runs the cron until there are so many events, and has read what it could. */
const expectCountWithin = async (minutes: number, count: number): Promise<void> =>
  runCronWithin(minutes, async () => (await feed.titles()).length === count && (await isRead()))

const titlesUpTo = (count: number) =>
  numberedEvents(count)
    .map((_, i) => `Concert ${i}`)
    .sort()

describe('a database that fails for an hour', () => {
  it.each(MESSAGES)('loses no event: %s', async message => {
    feed.serve(numberedEvents(10))
    const id = await feed.add()
    await feed.runEveryOtherMinute(60, failing({ of: INSERT, message }))
    expect(await feed.titles()).toEqual([])
    expect(await feed.state()).toMatchObject({
      state: 'failing',
      message: expect.stringContaining('went wrong here'),
    })
    expect(await feed.runs(id)).toMatchObject([{ state: 'running', skipped: [] }])
    // A few tries in an hour: the other server is no part of this.
    expect(feed.statuses().length).toBeLessThan(12)
    await runCronWithin(16)
    expect(await feed.titles()).toEqual(titlesUpTo(10))
    expect(await feed.state()).toMatchObject({ state: 'ok', message: '' })
    expect(await feed.runs(id)).toMatchObject([{ state: 'done', created: 10, skipped: [] }])
  })

  it.each<[string, RegExp]>([
    ['of venues', /INSERT INTO "?venues"?[ (]/i],
    ['of categories', /INSERT INTO "?terms"?[ (]/i],
    ['of series', /INSERT INTO "?series"?[ (]/i],
    ['of what came of records', /INSERT INTO "?imports"?[ (]/i],
    ['reads', /FROM "?imports"?/i],
    ['of all writes but of sources', /^\s*(?:INSERT|DELETE|UPDATE (?!"?sources"?))/i],
    ['of the place that a run has come to', /UPDATE "?source_runs"?/i],
  ])('loses nothing in a feed of several batches: %s', async (_, of) => {
    feed.serve([
      ...numberedEvents(60, i => [`LOCATION:Hall ${i}`, `CATEGORIES:C${i % 4}`]),
      ...Array.from({ length: 10 }, (_, i) => vevent(`w${i}`, `Weekly ${i}`, ['RRULE:FREQ=WEEKLY;COUNT=2'])),
    ])
    await feed.add()
    let tries = 0
    await feed.runEveryOtherMinute(60, failing({ of, message: LOST, when: () => ++tries > 0 }))
    expect(tries).toBeGreaterThan(1)
    // What seemed to be refused is tried again later.
    await expectCountWithin(120, 80)
    expect(await calendar.rows('SELECT count(*) AS n FROM event_venues')).toEqual([{ n: 60 }])
  })

  it('loses no event when the daily limit is reached', async () => {
    feed.serve(numberedEvents(10))
    const id = await feed.add()
    const message = "D1_ERROR: Your account has exceeded D1's free tier daily row write limit."
    await feed.runEveryOtherMinute(60, failing({ of: INSERT, message }))
    expect(await feed.titles()).toEqual([])
    await runCronWithin(120)
    expect(await feed.titles()).toEqual(titlesUpTo(10))
    expect(await feed.runs(id)).toMatchObject([{ state: 'done', skipped: [] }])
  })

  it('creates no event twice if only its responses are lost', async () => {
    feed.serve(numberedEvents(70))
    await feed.add()
    await feed.runEveryOtherMinute(30, failing({ of: INSERT, message: LOST, late: true }))
    await runCronWithin(30)
    expect(await feed.titles()).toEqual(titlesUpTo(70))
  })

  it('lets a run end if it fails every third time afterwards', async () => {
    feed.serve(numberedEvents(130))
    await feed.add()
    let n = 0
    const flaky = failing({
      of: /INSERT|UPDATE "?source/i,
      message: OVERLOADED,
      when: () => ++n % 3 === 0,
    })
    await runCronWithin(480, isRead, flaky)
    expect(await feed.titles()).toEqual(titlesUpTo(130))
  })

  it('loses no event of pages', async () => {
    feed.answer((response, url, headers) => {
      const [, i] = /^\/e\/(\d)$/.exec(url) ?? []
      if (url === '/robots.txt') return void response.writeHead(404).end()
      if (i && headers['if-none-match'] === `"${i}"`) return void response.writeHead(304).end()
      response.writeHead(200, { 'content-type': 'text/html', ...(i && { etag: `"${i}"` }) })
      response.end(i ? script(concert(Number(i))) : linksTo([0, 1, 2, 3].map(one => `/e/${one}`)))
    })
    await feed.add({ url: `${feed.address}/events/`, kind: 'jsonld' })
    await feed.runEveryOtherMinute(60, failing({ of: INSERT, message: OVERLOADED }))
    expect(await feed.titles()).toEqual([])
    await runCronWithin(30)
    expect(await feed.titles()).toEqual(titlesUpTo(4))
  })
})

describe('a run that is killed', () => {
  it.each([
    ...[1, 3, 5, 7].map(most => [most, 60] as const),
    ...[2, 4, 6, 8, 10, 12, 14].map(most => [most, 160] as const),
  ])('after batch %i loses none of %i events, and creates none twice', async (most, count) => {
    feed.serve(numberedEvents(count, i => [`LOCATION:Hall ${i % 7}`, 'CATEGORIES:Music']))
    await feed.add()
    let n = 0
    // Nothing is done any more, as if there was no process.
    await feed.runEveryOtherMinute(
      4,
      failing({ of: /(?:)/, message: 'D1_ERROR: killed', when: () => ++n > most }),
    )
    expect(n).toBeGreaterThan(most)
    await runCronWithin(40)
    expect(await feed.titles()).toEqual(titlesUpTo(count))
    expect(await calendar.rows('SELECT count(*) AS n FROM source_documents')).toEqual([{ n: 0 }])
    expect(await calendar.rows('SELECT count(*) AS n FROM venues')).toEqual([{ n: 7 }])
    expect(await feed.state()).toMatchObject({ state: 'ok', message: '' })
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16])(
    'after batch %i loses nothing of a feed that changes meanwhile, and creates nothing twice',
    async most => {
      const before = numberedEvents(70)
      const after = [...numberedEvents(70).slice(1), vevent('new', 'New')]
      feed.serve(before)
      await feed.add()
      let n = 0
      await feed.runEveryOtherMinute(
        4,
        failing({ of: /(?:)/, message: 'D1_ERROR: killed', when: () => ++n > most }),
      )
      feed.serve(after)
      await runCronWithin(40)
      const first = await feed.titles()
      expect(first).toEqual([...new Set(first)])
      expect(first).toEqual(expect.arrayContaining(titlesUpTo(70).filter(title => title !== 'Concert 0')))
      feed.passMinutes(24 * 60)
      await runCronWithin(40, isEnded)
      const titles = await feed.titles()
      expect(titles).toEqual([...new Set([...first, 'New'])].sort())
      expect(await calendar.rows('SELECT count(*) AS n FROM source_documents')).toEqual([{ n: 0 }])
    },
  )

  it('reads a feed that has changed back, though it is the same as at the last complete run', async () => {
    const was = numberedEvents(3)
    feed.serve(was)
    await feed.add()
    await runCronWithin(2)
    feed.passMinutes(24 * 60)
    feed.serve(was.map((_, i) => vevent(`e${i}`, 'Changed')))
    // Killed once its events were written, and before that was written down.
    const fault = { of: /UPDATE "?source_runs"?/i, message: 'D1_ERROR: killed' }
    await feed.runEveryOtherMinute(2, failing(fault))
    expect(await feed.titles()).toEqual(['Changed', 'Changed', 'Changed'])
    feed.serve(was)
    await feed.runEveryOtherMinute(10)
    expect(await feed.titles()).toEqual(titlesUpTo(3))
  })
})

const refuse = (table: string, condition: string) =>
  calendar.rows(
    `CREATE TRIGGER refused BEFORE INSERT ON ${table} WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  )
const allow = () => calendar.rows('DROP TRIGGER IF EXISTS refused')

describe('a record that the database refuses', () => {
  beforeEach(allow)
  afterAll(allow)

  it.each([0, 31, 50, 59])('is found among 60 within sixteen minutes: %i', async bad => {
    await refuse('events', `NEW.title = 'Concert ${bad}'`)
    feed.serve(numberedEvents(60))
    const id = await feed.add()
    await runCronWithin(16)
    expect(await feed.titles()).toEqual(titlesUpTo(60).filter(title => title !== `Concert ${bad}`))
    const skipped = [{ what: `Concert ${bad}`, why: expect.stringContaining('the database refused it') }]
    expect(await feed.runs(id)).toMatchObject([{ state: 'done', created: 59, skipped }])
    await allow()
    await feed.runEveryOtherMinute(20)
    expect(await feed.titles()).toEqual(titlesUpTo(60))
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(2)
    expect(feed.statuses().at(-1)).toBe(304)
  })

  it.each([0, 36, 59])('is found among what brings venues, organizers and categories: %i', async bad => {
    await refuse('events', `NEW.title = 'Concert ${bad}'`)
    feed.serve(
      numberedEvents(60, i => [
        ...[`LOCATION:Hall ${i}`, `CATEGORIES:C${i}`, `ORGANIZER;CN=O ${i}:mailto:o${i}@x.example`],
      ]),
    )
    await feed.add()
    await runCronWithin(30)
    expect(await feed.titles()).toEqual(titlesUpTo(60).filter(title => title !== `Concert ${bad}`))
  })

  it.each<[string, string, string]>([
    ['venue', 'venues', "NEW.name = 'Hall 3'"],
    ['category', 'terms', "NEW.name = 'C3'"],
    ['series', 'series', "NEW.title = 'Weekly 3'"],
    ['image', 'images', "NEW.url LIKE '%/3.png'"],
  ])('may be a %s, which is imported with its events as soon as possible', async (_, table, condition) => {
    await calendar.rows('DELETE FROM images')
    await refuse(table, condition)
    feed.serve([
      ...numberedEvents(20, i => [
        `LOCATION:Hall ${i}`,
        `CATEGORIES:C${i}`,
        `IMAGE:https://i.example/${i}.png`,
      ]),
      ...Array.from({ length: 6 }, (_, i) => vevent(`w${i}`, `Weekly ${i}`, ['RRULE:FREQ=WEEKLY;COUNT=2'])),
    ])
    await feed.add()
    await runCronWithin(24)
    expect((await feed.titles()).length).toBeGreaterThanOrEqual(29)
    await allow()
    await expectCountWithin(40, 32)
    await feed.runEveryOtherMinute(16)
    for (const link of ['event_venues', 'event_terms'])
      expect(await calendar.rows(`SELECT count(*) AS n FROM ${link}`), link).toEqual([{ n: 20 }])
    expect(await calendar.rows('SELECT count(*) AS n FROM events WHERE image_id IS NOT NULL')).toEqual([
      { n: 20 },
    ])
  })

  it('is one of several, one after the other and apart', async () => {
    const bad = [2, 3, 4, 20, 41]
    await refuse('events', `NEW.title IN (${bad.map(i => `'Concert ${i}'`)})`)
    feed.serve(numberedEvents(60))
    await feed.add()
    await runCronWithin(60)
    expect(await feed.titles()).toHaveLength(55)
    await allow()
    await expectCountWithin(30, 60)
    expect(await feed.titles()).toEqual(titlesUpTo(60))
  })

  it('is every event, for an hour', async () => {
    await refuse('events', '1')
    feed.serve(numberedEvents(10, i => [`LOCATION:Hall ${i}`]))
    await feed.add()
    await feed.runEveryOtherMinute(60)
    expect(await feed.titles()).toEqual([])
    await allow()
    await expectCountWithin(60, 10)
    expect(await feed.titles()).toEqual(titlesUpTo(10))
  })

  it('is tried again ever less often, up to the usual time', async () => {
    await refuse('events', "NEW.title = 'Concert 1'")
    feed.serve(numberedEvents(2))
    const id = await feed.add({ every: 'hour' })
    const pauses: number[] = []
    for (let run = 0; run < 4; run++) {
      await runCronWithin(8)
      const { next_run, last_run } = await feed.state()
      pauses.push((Date.parse(`${next_run}Z`) - Date.parse(`${last_run}Z`)) / 60_000)
      feed.passMinutes(60)
    }
    expect(pauses).toEqual([15, 30, 60, 60])
    expect(new Set(feed.statuses())).toEqual(new Set([200]))
    expect(await feed.runs(id)).toHaveLength(4)
  })

  it('is one of a page', async () => {
    await refuse('events', "NEW.title = 'Concert 1'")
    feed.answer((response, url, headers) => {
      if (url === '/robots.txt') return void response.writeHead(404).end()
      if (headers['if-none-match'] === '"1"') return void response.writeHead(304).end()
      response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' })
      response.end(script([0, 1, 2, 3].map(concert)))
    })
    const id = await feed.add({ url: `${feed.address}/events/`, kind: 'jsonld' })
    await feed.runEveryOtherMinute(12)
    expect(await feed.titles()).toEqual(['Concert 0', 'Concert 2', 'Concert 3'])
    expect(await feed.runs(id)).toMatchObject([{ state: 'done', skipped: [{ what: 'Concert 1' }] }])
    await allow()
    await expectCountWithin(30, 4)
    expect(await feed.titles()).toEqual(titlesUpTo(4))
  })
})

describe('another version of the Worker', () => {
  it('reads once more what has not changed, and then no more', async () => {
    feed.serve(numberedEvents(2))
    await feed.add()
    const versions = ['one', 'one', 'two', 'two']
    for (const id of versions) {
      await feed.runEveryOtherMinute(2, calendar.DB, id)
      feed.passMinutes(25 * 60)
    }
    expect(feed.statuses()).toEqual([200, 304, 200, 304])
  })

  it('that reads more finds it even if the first attempt fails', async () => {
    feed.serve(numberedEvents(2))
    await feed.add()
    await feed.runEveryOtherMinute(2, calendar.DB, 'one')
    // As if the first version could not read it.
    await calendar.rows("DELETE FROM imports WHERE external_id = 'e1'")
    await calendar.rows("UPDATE events SET external_id = '' WHERE title = 'Concert 1'")
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(2, failing({ of: INSERT, message: OVERLOADED }), 'two')
    await feed.runEveryOtherMinute(20, calendar.DB, 'two')
    expect(await feed.titles()).toEqual(['Concert 0', 'Concert 1', 'Concert 1'])
  })
})
