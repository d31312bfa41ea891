import { beforeEach, describe, expect, it } from 'vitest'
import {
  countRows,
  makeDatabaseAnew,
  makeEvent,
  makeUser,
  query,
  queryValue,
  send,
} from '../../../factories.ts'
import { measure } from '../../../kit/http/metrics.ts'
import { makeWeekly, patch, readListed, WEEKLY } from './calendar.ts'

// The results of one write of a series are limited, because all its occurrences are written at once, and read
// again.

let as: string

beforeEach(async () => {
  await makeDatabaseAnew()
  as = await makeUser('author', 'author')
})

const list = <T>(length: number, item: (i: number) => T): T[] => Array.from({ length }, (_, i) => item(i))
const tags = list(200, i => `tag ${i}`)
/** Dates that are too far away for occurrences. */
const far = (length: number) =>
  list(length, i => `20${30 + Math.floor(i / 28)}-02-${String((i % 28) + 1).padStart(2, '0')}`)
const refusal = ({ status, body }: { status: number; body: { data?: { params?: object } } }) => [
  status,
  ...Object.keys(body.data?.params ?? {}),
]

describe('the links of all occurrences', () => {
  const LONG = 'FREQ=DAILY;COUNT=160'

  it('are limited when a series is created, and when an event becomes one', async () => {
    const json = { ...WEEKLY, recurrence: LONG, tags }
    expect(refusal(await send('POST', '/events', { as, json }))).toEqual([400, 'recurrence'])
    expect(await queryValue('SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM terms)')).toBe(0)
    const { id } = await makeEvent(as, { tags })
    expect(refusal(await patch(as, id, { recurrence: LONG }))).toEqual([400, 'recurrence'])
    expect((await patch(as, id, { recurrence: LONG, tags: ['one'] })).status).toBe(200)
    expect(refusal(await patch(as, id, { tags, scope: 'all' }))).toEqual([400, 'tags'])
  })

  it('are fewer if each occurrence has many, because each deleted link is measured with all others', async () => {
    const json = { ...WEEKLY, tags }
    const days = (count: number) => ({ ...json, recurrence: `FREQ=DAILY;COUNT=${count}` })
    expect(refusal(await send('POST', '/events', { as, json: days(38) }))).toEqual([400, 'recurrence'])
    expect((await send('POST', '/events', { as, json: days(37) })).status).toBe(201)
  })

  it('are those of the series, whatever the named occurrence has', async () => {
    const { id } = await makeWeekly(as, { tags })
    expect((await patch(as, id, { tags: [] })).status).toBe(200)
    expect(refusal(await patch(as, id, { recurrence: LONG }))).toEqual([400, 'recurrence'])
    expect((await patch(as, id, { title: 'New', scope: 'all' })).status).toBe(200)
  })
})

it('the deletion of a series with many terms for good reads each link a few times', async () => {
  const { id } = await makeWeekly(as, { tags: tags.slice(0, 100), recurrence: 'FREQ=DAILY;COUNT=20' })
  const { status, rows } = await measure('DELETE', `/events/${id}?scope=all&force=true`, { as })
  expect(status).toBe(200)
  // It would take a hundred reads of each link to measure it with all others of its event.
  expect(rows).toBeLessThan(20 * 100 * 50)
})

describe('a series that has been changed many times', () => {
  it('has a limit of occurrences, including those in the trash', async () => {
    const { id } = await makeWeekly(as)
    const results = await query(`SELECT name FROM pragma_table_xinfo('events') WHERE hidden = 0
        AND name NOT IN ('id', 'slug', 'uid', 'occurrence_date', 'status')`)
    const columns = results.map(({ name }) => name).join()
    await query(`INSERT INTO events (slug, occurrence_date, status, ${columns})
        WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 5994)
        SELECT 'old-' || i, datetime('2027-01-05 20:00:00', i || ' seconds'), 'trash', ${columns}
        FROM numbers CROSS JOIN events WHERE id = ${id}`)
    expect((await patch(as, id, { recurrence: 'FREQ=WEEKLY;COUNT=6' })).status).toBe(200)
    const more = await patch(as, id, { recurrence: 'FREQ=WEEKLY;COUNT=7' })
    expect(refusal(more)).toEqual([400, 'recurrence'])
    expect((await patch(as, id, { recurrence: 'FREQ=WEEKLY;COUNT=3' })).status).toBe(200)
    expect((await send('DELETE', `/events/${id}?scope=all&force=true`, { as })).status).toBe(200)
    expect(await countRows('events')).toBe(0)
  })

  it('keeps its dates and its status if its rule has become too much', async () => {
    const { id } = await makeWeekly(as, { status: 'draft' })
    await query(
      `UPDATE series SET rrule = 'FREQ=DAILY', start_date = '0001-01-01 20:00:00', version = version + 1`,
    )
    const { status, body } = await patch(as, id, { scope: 'all', status: 'publish' })
    const reason = expect.stringMatching(/^must not give more than 6000 dates/)
    expect([status, body.data?.params?.status]).toEqual([400, reason])
    expect(await countRows(`events WHERE status = 'draft'`)).toBe(5)
  })

  it('has a limit of additional dates, including those that come back from the trash', async () => {
    const { id } = await makeWeekly(as)
    const [, second] = await readListed()
    expect((await patch(as, id, { recurrence: { rrule: '', rdate: far(1_000) } })).status).toBe(200)
    expect(refusal(await patch(as, second?.id, { status: 'publish' }))).toEqual([400, 'status'])
    expect((await patch(as, id, { recurrence: { rdate: far(999) } })).status).toBe(200)
    expect((await patch(as, second?.id, { status: 'publish' })).status).toBe(200)
  })

  it('has a limit of left-out dates, including deleted ones', async () => {
    const { id, start_date, end_date } = await makeWeekly(as, {
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', exdate: far(1_000) },
    })
    const [, second] = await readListed()
    const moved = { start_date: start_date.replace('20:', '19:'), end_date, scope: 'all' }
    expect((await patch(as, id, moved)).status).toBe(200)
    expect((await send('DELETE', `/events/${second?.id}`, { as })).status).toBe(200)
    expect(refusal(await patch(as, id, { ...moved, start_date }))).toEqual([400, 'start_date'])
    expect((await patch(as, id, { recurrence: { exdate: [] } })).status).toBe(200)
  })
})

describe('a page of occurrences whose series adds and leaves out a thousand dates', () => {
  const long = (i: number, length: number) => `${i} ${'日'.repeat(length)}`.slice(0, length)
  const recurrence = { rrule: 'FREQ=DAILY;COUNT=120', rdate: far(1_000), exdate: far(1_000) }
  const read = async (path: string) => {
    const { status, text, headers, body } = await send('GET', path)
    expect(status, text.slice(0, 200)).toBe(200)
    return { bytes: Buffer.byteLength(text), shortened: headers.get('x-shortened'), body }
  }
  const both = ({ series }: Record<string, { recurrence?: Record<string, string[]> }>) => [
    series?.recurrence?.rdate?.length,
    series?.recurrence?.exdate?.length,
  ]

  it('stays below ten megabytes, even if everything is as long as possible', async () => {
    const others = Object.fromEntries(
      ['address', 'city', 'country', 'province', 'state', 'phone'].map(name => [name, long(0, 1_000)]),
    )
    const { id } = await makeWeekly(as, {
      recurrence,
      title: long(0, 2_000),
      slug: long(0, 160),
      description: long(0, 30_000),
      event_status_reason: long(0, 1_000),
      venue: list(10, i => ({
        venue: long(i, 2_000),
        slug: long(i, 200),
        description: long(i, 20_000),
        ...others,
      })),
      organizer: list(10, i => ({
        organizer: long(i, 2_000),
        slug: long(i, 200),
        description: long(i, 20_000),
      })),
      categories: list(10, i => long(i, 2_000)),
      tags: list(10, i => long(i, 2_000)),
    })
    for (const query of ['', '&_fields=id,series.recurrence']) {
      const page = await read(`/events?per_page=100&start_date=2027-01-01${query}`)
      expect(page.bytes, query).toBeLessThan(10_000_000)
      expect([page.shortened, page.body.events.length], query).toEqual(['true', 100])
      expect(both(page.body.events[0]), query).toEqual([0, 0])
    }
    const lean = await read('/events?per_page=100&start_date=2027-01-01&_fields=id,slug')
    expect([lean.shortened, lean.body.events.length]).toEqual([null, 100])
    for (const path of [`/events/${id}`, '/series/1'])
      expect((await read(path)).bytes, path).toBeLessThan(10_000_000)
    expect(both((await read(`/events/${id}`)).body)).toEqual([1_000, 1_000])
    expect(both((await read('/events?per_page=5&start_date=2027-01-01')).body.events[0])).toEqual([
      1_000, 1_000,
    ])
    let next = ''
    let count = 0
    for (let more = true; more; ) {
      // Some thirty of them, which fill two responses, are enough to be read whole.
      const isWhole = count > 80
      const fields = isWhole ? '' : '&_fields=id'
      const part = await read(`/events/changes?limit=500${next && `&since=${next}`}${fields}`)
      expect(part.bytes).toBeLessThan(10_000_000)
      if (isWhole) for (const event of part.body.events) expect(both(event)).toEqual([1_000, 1_000])
      count += part.body.events.length
      ;({ next, more } = part.body)
    }
    expect(count).toBe(120)
  })
})
