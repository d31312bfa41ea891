import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { extendSeries } from '../../../src/calendar/events/extend-series.ts'
import type { RawRow } from '../../../src/kit/db/query.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { itemsSince } from '../../../src/readers/files.ts'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { beginAtNoon } from '../../clock.ts'
import { databaseOver } from '../../connection.ts'
import { findDriftIn } from '../../derived/values.ts'
import { countsOf, emptyDatabase, importInto, remoteOver } from '../database.ts'
import { calendar, itemsOf, recordsOf, seriesOf } from '../ics-calendar.ts'
import { adminSenderOver } from '../worker.ts'

const db = emptyDatabase()
let send: Awaited<ReturnType<typeof adminSenderOver>>
beginAtNoon()
beforeEach(async () => {
  send = await adminSenderOver(db)
})
afterEach(async () => {
  expect(await findDriftIn(db.d1)).toEqual([])
  expect(await liveOnExcludedDates()).toEqual([])
})

/** Live occurrences on dates that their series excludes. */
const liveOnExcludedDates = () =>
  db.query(`SELECT events.id FROM events JOIN series ON series.id = series_id
    WHERE events.status <> 'trash' AND events.occurrence_date IN (SELECT value FROM json_each(series.exdate))`)

type Lines = string[]

const MASTER = [
  'UID:w',
  'SUMMARY:Market',
  'DESCRIPTION:Fruit & more',
  'LOCATION:Square',
  'DTSTART;TZID=Europe/Rome:20270301T080000',
  'DTEND;TZID=Europe/Rome:20270301T120000',
]
const master = (...more: Lines): Lines => [...MASTER, ...more]
const weekly = (...more: Lines): Lines => master('RRULE:FREQ=WEEKLY;COUNT=4', ...more)
const override = (date: string, ...lines: Lines): Lines => [
  'UID:w',
  `RECURRENCE-ID;TZID=Europe/Rome:${date}T080000`,
  ...lines,
]
/** An override that differs in its title only. */
const renamed = (date: string, title: string): Lines =>
  override(
    date,
    `SUMMARY:${title}`,
    'DESCRIPTION:Fruit & more',
    'LOCATION:Square',
    `DTSTART;TZID=Europe/Rome:${date}T080000`,
    `DTEND;TZID=Europe/Rome:${date}T120000`,
  )

/** Lines with another title and description. */
const withOtherTexts = (lines: Lines): Lines =>
  lines.map(line => line.replace('Fruit & more', 'Vegetables').replace('SUMMARY:Market', 'SUMMARY:Bazaar'))

// A batch of records may end between a series and its dates.
const load = async (events: Lines[], options: Parameters<typeof importInto>[2] = {}) =>
  importInto(db, await itemsOf(calendar(events)), { batchSize: 3, ...options })

const rows = (): Promise<RawRow[]> =>
  db.query(
    `SELECT id, series_id, occurrence_date, title, status, slug, detached, start_date, description, event_status
     FROM events ORDER BY occurrence_date, id`,
  )
const live = async () => (await rows()).filter(({ status }) => status !== 'trash')
const dates = async () => (await live()).map(({ occurrence_date }) => String(occurrence_date).slice(0, 10))
const firstSeries = async (): Promise<RawRow> => (await db.query('SELECT * FROM series ORDER BY id'))[0] ?? {}
const titles = async () => (await live()).map(({ title }) => title)

const FOUR = ['2027-03-01', '2027-03-08', '2027-03-15', '2027-03-22']
const idAt = async (date: string): Promise<number> => {
  const row = (await rows()).find(({ occurrence_date }) => String(occurrence_date).startsWith(date))
  return Number(row?.id)
}

describe('a series of an iCalendar file', () => {
  it('is stored with its rule, exceptions and what its occurrences share', async () => {
    const lines = weekly(
      'EXDATE;TZID=Europe/Rome:20270308T080000',
      'RDATE;TZID=Europe/Rome:20270403T090000',
      'CATEGORIES:Food',
    )
    const report = await load([lines])
    expect(countsOf(report)).toEqual([
      'category created 1',
      'venue created 1',
      'series created 1',
      'event created 4',
    ])
    expect(await firstSeries()).toMatchObject({
      title: 'Market',
      slug: 'market',
      external_id: 'w',
      rrule: 'FREQ=WEEKLY;COUNT=4',
      rdate: '["2027-04-03 09:00:00"]',
      exdate: '["2027-03-08 08:00:00"]',
      start_date: '2027-03-01 08:00:00',
      end_date: '2027-03-01 12:00:00',
      timezone: 'Europe/Rome',
      extend_from: null,
    })
    expect(await dates()).toEqual(['2027-03-01', '2027-03-15', '2027-03-22', '2027-04-03'])
    const { body } = await send('GET', `events/${await idAt('2027-04-03')}`)
    expect(body).toMatchObject({
      slug: 'market-2027-04-03',
      start_date: '2027-04-03 09:00:00',
      end_date: '2027-04-03 13:00:00',
      description: '<p>Fruit & more</p>',
      venue: { venue: 'Square' },
      categories: [{ name: 'Food' }],
      series: { detached: [] },
    })
    expect((await send('GET', 'events?start_date=2027-01-01&search=fruit')).body.total).toBe(4)
  })

  it('has occurrences of its own, which are found by their own texts and those of the series', async () => {
    const moved = override(
      '20270315',
      'SUMMARY:Market indoors',
      'DESCRIPTION:Fruit & more',
      'LOCATION:Hall',
      'DTSTART;TZID=Europe/Rome:20270316T090000',
      'DTEND;TZID=Europe/Rome:20270316T120000',
    )
    const cancelled = [...renamed('20270308', 'Market'), 'STATUS:CANCELLED']
    // Only the first one asks for the UID.
    expect([...(await load([moved, weekly(), cancelled])).notes]).toEqual([])
    const [, second, third] = await live()
    expect(second).toMatchObject({ event_status: 'canceled', detached: '["event_status"]', title: 'Market' })
    expect(third).toMatchObject({
      title: 'Market indoors',
      occurrence_date: '2027-03-15 08:00:00',
      start_date: '2027-03-16 09:00:00',
      detached: '["title","venue","start_date","end_date"]',
      description: '',
    })
    const found = async (search: string) =>
      (await send('GET', `events?start_date=2027-01-01&search=${search}`)).body.total
    expect({
      ownText: await found('indoors'),
      bothTexts: await found('indoors%20fruit'),
      sharedText: await found('fruit'),
    }).toEqual({ ownText: 1, bothTexts: 1, sharedText: 4 })
  })

  it('changes nothing when imported again', async () => {
    const file = (stamp: string) => [
      weekly('EXDATE;TZID=Europe/Rome:20270308T080000', `DTSTAMP:${stamp}T000000Z`),
      renamed('20270315', 'Other'),
    ]
    await load(file('20261101'))
    const before = [await rows(), await firstSeries()]
    // The second time, its first dates have left the period that is read.
    for (const [mirror, from] of [
      [false, '2025-11-20 00:00:00'],
      [true, '2027-03-10 00:00:00'],
    ] as const) {
      const items = await itemsOf(calendar(file('20270302')), { from, to: '2028-11-20 00:00:00' })
      expect(countsOf(await importInto(db, items, { mirror, batchSize: 3 })), from).toEqual([
        'venue unchanged 1',
        'series unchanged 1',
        'event unchanged 3',
      ])
    }
    expect([await rows(), await firstSeries()]).toEqual(before)
  })

  it('keeps the events of the dates that stay, when its rule changes', async () => {
    await load([weekly()])
    const before = new Map((await rows()).map(row => [row.occurrence_date, row.id]))
    const report = await load([master('RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3', 'X:1')])
    expect(countsOf(report)).toContain('event trashed 2')
    expect(await dates()).toEqual(['2027-03-01', '2027-03-15', '2027-03-29'])
    for (const { occurrence_date: date, id } of await rows())
      if (before.has(String(date))) expect(id).toBe(before.get(String(date)))
    // And back: those in the trash come out of it.
    await load([weekly()])
    expect(await dates()).toEqual(FOUR)
    expect((await live()).map(({ id }) => id)).toEqual([...before.values()])
    expect((await live()).map(({ slug }) => slug)).toEqual(FOUR.map(date => `market-${date}`))
  })

  it('keeps its events when its time of day changes', async () => {
    await load([weekly(), renamed('20270315', 'Other')])
    const ids = (await rows()).map(({ id }) => id)
    const later = [weekly(), renamed('20270315', 'Other')].map(lines =>
      lines.map(line => line.replace('T080000', 'T083000')),
    )
    const report = await load(later)
    expect(countsOf(report)).toEqual(['venue unchanged 1', 'series updated 1', 'event updated 4'])
    expect((await live()).map(({ id, start_date }) => [id, String(start_date).slice(11)])).toEqual(
      ids.map(id => [id, '08:30:00']),
    )
    expect(await titles()).toEqual(['Market', 'Market', 'Other', 'Market'])
    expect(countsOf(await load(later, { mirror: true }))).toContain('event unchanged 4')
  })

  it('passes changes of texts on to all dates except those that differ', async () => {
    await load([weekly(), renamed('20270315', 'Other')])
    await load([withOtherTexts(weekly()), withOtherTexts(renamed('20270315', 'Other'))])
    expect(await titles()).toEqual(['Bazaar', 'Bazaar', 'Other', 'Bazaar'])
    const { body } = await send('GET', `events/${await idAt('2027-03-15')}`)
    expect(body.description).toBe('<p>Vegetables</p>')
    expect((await live()).map(({ slug }) => slug)).toEqual(FOUR.map(date => `market-${date}`))
    // The override is gone at the source: the occurrence is as the others.
    await load([withOtherTexts(weekly())])
    expect(await titles()).toEqual(['Bazaar', 'Bazaar', 'Bazaar', 'Bazaar'])
  })

  it('passes a new title on to its own dates in the trash, next to another series that changes', async () => {
    const other = weekly().map(line => line.replace('UID:w', 'UID:v').replace('T080000', 'T090000'))
    await load([weekly(), other])
    for (const { id, occurrence_date } of await rows())
      if (String(occurrence_date).startsWith('2027-03-08')) await send('DELETE', `events/${id}`)
    const rename = (lines: Lines, title: string) => lines.map(line => line.replace('Market', title))
    await load([rename(weekly(), 'Bazaar'), rename(other, 'Fair')])
    const trashed = (await rows()).filter(({ status }) => status === 'trash')
    expect(trashed.map(({ title }) => title)).toEqual(['Bazaar', 'Fair'])
  })

  it('becomes one from a single event, and a single one again, which keeps its id', async () => {
    await load([MASTER])
    const [{ id } = {}] = await rows()
    expect(countsOf(await load([weekly()]))).toEqual([
      'venue unchanged 1',
      'series created 1',
      'event created 3',
      'event updated 1',
    ])
    expect(await idAt('2027-03-01')).toBe(id)
    expect(countsOf(await load([MASTER]))).toContain('event trashed 3')
    expect(await live()).toMatchObject([{ id, series_id: null, description: '<p>Fruit & more</p>' }])
    expect(await firstSeries()).toMatchObject({ status: 'trash', extend_from: null })
    expect(countsOf(await load([MASTER]))).toContain('event unchanged 1')
    await load([weekly()])
    expect(await dates()).toEqual(FOUR)
    expect(await idAt('2027-03-01')).toBe(id)
  })

  describe('split at its first date', () => {
    const half = () => master('RRULE:FREQ=WEEKLY;UNTIL=20270228T230000Z')
    const other = () => weekly().map(line => line.replace('UID:w', 'UID:new'))

    it('has the dates of the second half only', async () => {
      const report = await load([half(), other()])
      expect(report.reasons).toEqual(['skipped: series w (Market): all its dates are left out'])
      expect(await dates()).toEqual(FOUR)
    })

    it('loses those of the first half if it was here before, and gets them again', async () => {
      await load([weekly()])
      const before = await live()
      for (let i = 0; i < 2; i++) {
        await load([half(), other()])
        expect(await dates()).toEqual(FOUR)
        expect(await firstSeries()).toMatchObject({ status: 'trash', extend_from: null })
      }
      await load([weekly()])
      expect((await live()).map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
    })

    it('keeps what was edited here', async () => {
      await load([weekly()])
      await send('PATCH', `events/${await idAt('2027-03-08')}`, { title: 'Ours' })
      for (let i = 0; i < 2; i++) {
        await load([half()])
        expect(await titles()).toEqual(['Ours'])
        expect(await firstSeries()).toMatchObject({ status: 'publish', rrule: '', extend_from: null })
      }
      expect(countsOf(await load([half()]))).toEqual(['series unchanged 1'])
      await load([half()], { mirror: true })
      expect(await titles()).toEqual([])
    })

    it('follows its source again once that has dates, also with one that was edited here', async () => {
      await load([weekly()])
      await send('PATCH', `events/${await idAt('2027-03-08')}`, { title: 'Ours' })
      await load([half()])
      expect((await load([weekly()])).reasons).not.toContain('skipped: series w (Market): it was edited here')
      expect(await dates()).toEqual(FOUR)
      expect(await titles()).toEqual(expect.arrayContaining(['Market', 'Ours']))
    })

    it('keeps all dates if it was edited here as a whole', async () => {
      await load([weekly()])
      await send('PATCH', `events/${await idAt('2027-03-08')}`, { title: 'Ours', scope: 'all' })
      expect((await load([half()])).reasons).toEqual(['skipped: series w (Market): it was edited here'])
      expect(await dates()).toEqual(FOUR)
    })

    it('has no event if it was a single one', async () => {
      await load([MASTER])
      await load([half()])
      expect(await dates()).toEqual([])
      await load([MASTER])
      expect(await live()).toHaveLength(1)
    })
  })

  it('is trashed by a mirror if it has vanished', async () => {
    const other = ['UID:o', 'SUMMARY:Other', 'DTSTART:20270101T100000Z']
    await load([weekly(), other])
    expect(countsOf(await load([other]))).toEqual(['event unchanged 1'])
    expect(await dates()).toHaveLength(5)
    expect(countsOf(await load([other], { mirror: true }))).toEqual([
      'series trashed 1',
      'event unchanged 1',
      'event trashed 4',
    ])
    expect(await firstSeries()).toMatchObject({ status: 'trash' })
    const ids = (await rows()).map(({ id }) => id)
    await load([weekly(), other], { mirror: true })
    expect(await dates()).toHaveLength(5)
    expect((await rows()).map(({ id }) => id)).toEqual(ids)
  })

  it('ends before what was read, if it has vanished from a feed of what is to come', async () => {
    const daily = ['UID:d', 'DTSTART:20270101T100000Z', 'RRULE:FREQ=DAILY;COUNT=10']
    await load([daily])
    const other = ['UID:other', 'DTSTART:20270107T100000Z']
    const items = await itemsOf(calendar([other]), { from: '2027-01-06 00:00:00', to: '2028-01-01 00:00:00' })
    expect(countsOf(await importInto(db, items, { mirror: true }))).toEqual([
      'series updated 1',
      'event created 1',
      'event trashed 5',
    ])
    expect(await firstSeries()).toMatchObject({
      status: 'publish',
      rrule: 'FREQ=DAILY;UNTIL=20270106T095959',
    })
  })

  it('begins with an additional date, if only that comes before what was read', async () => {
    const days = 'DTSTART:20270106T100000Z'
    await load([['UID:d', days, 'DURATION:PT2H', 'RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20270102T100000Z']])
    expect(await dates()).toEqual(['2027-01-02', '2027-01-06', '2027-01-07', '2027-01-08'])
    const other = ['UID:other', 'DTSTART:20270107T100000Z']
    const items = await itemsOf(calendar([other]), { from: '2027-01-06 00:00:00', to: '2028-01-01 00:00:00' })
    await importInto(db, items, { mirror: true })
    // The other event is no date of a series.
    expect(await dates()).toEqual(['null', '2027-01-02'])
    expect(await firstSeries()).toMatchObject({
      status: 'publish',
      start_date: '2027-01-02 10:00:00',
      end_date: '2027-01-02 12:00:00',
      rrule: '',
      rdate: '[]',
      exdate: '[]',
    })
  })
})

describe('a series in an import', () => {
  it('is left out by --since only if all of it is over', async () => {
    async function* items() {
      yield* await itemsOf(
        calendar([weekly(), ['UID:o', 'DTSTART:20260101T100000Z', 'RRULE:FREQ=DAILY;COUNT=2']]),
      )
    }
    await importInto(db, itemsSince(items(), '2027-03-10 00:00:00'))
    expect(await dates()).toEqual(FOUR)
  })

  it('gets into a remote database by statements under its limits, whatever its texts are', async () => {
    const long = `DESCRIPTION:${'Lang & länger; '.repeat(8_000)}`
    const file = (title: string) => [
      master('RRULE:FREQ=DAILY;COUNT=300').map(line =>
        line.startsWith('DESCRIPTION') ? long : line.replace('SUMMARY:Market', `SUMMARY:${title}`),
      ),
      renamed('20270308', 'Other'),
    ]
    const { database, sent } = remoteOver(db)
    expect((await load(file('Market'), { database, batchSize: 2_000 })).reasons).toEqual([])
    expect((await load(file('Bazaar'), { database, batchSize: 2_000 })).reasons).toEqual([])
    expect(sent.largest).toBeLessThan(100_000)
    expect(await dates()).toHaveLength(300)
    expect(new Set(await titles())).toEqual(new Set(['Bazaar', 'Other']))
    expect(String((await firstSeries()).description).length).toBeGreaterThan(100_000)
  })

  it('writes nothing in a dry run, and says what it would do', async () => {
    await load([weekly()])
    const before = [await rows(), await firstSeries()]
    const lines: string[] = []
    const changed = master('RRULE:FREQ=WEEKLY;COUNT=2')
    await load([changed], { dryRun: true, say: line => lines.push(line) })
    expect(lines).toEqual(['would trash event 3', 'would trash event 4', 'would update series 1: Market'])
    expect([await rows(), await firstSeries()]).toEqual(before)
  })
})

describe('what was changed here', () => {
  it('of one occurrence stays, and the rest of it follows the series', async () => {
    await load([weekly()])
    const id = await idAt('2027-03-15')
    await send('PATCH', `events/${id}`, { title: 'Ours', venue: { venue: 'Our place' } })
    const report = await load([withOtherTexts(weekly())])
    expect([...report.notes]).toEqual([
      'event w#20270315T070000Z (Bazaar) was edited here, and keeps its own title, venue',
    ])
    expect(await titles()).toEqual(['Bazaar', 'Bazaar', 'Ours', 'Bazaar'])
    expect((await send('GET', `events/${id}`)).body).toMatchObject({
      description: '<p>Vegetables</p>',
      venue: { venue: 'Our place' },
      series: { detached: ['title', 'venue'] },
    })
    expect((await send('GET', 'events?start_date=2027-01-01&search=ours%20vegetables')).body.total).toBe(1)
    // It is not forgotten the second time, and a mirror undoes it.
    await load([weekly()])
    expect(await titles()).toEqual(['Market', 'Market', 'Ours', 'Market'])
    await load([weekly()], { mirror: true })
    expect(await titles()).toEqual(['Market', 'Market', 'Market', 'Market'])
  })

  it('of one occurrence may be its image', async () => {
    const image = async () => (await send('GET', `events/${await idAt('2027-03-08')}`)).body.image.url
    await load([weekly('IMAGE:https://source.example/a.png')])
    const own = { url: 'https://here.example/own.png' }
    await send('PATCH', `events/${await idAt('2027-03-08')}`, { image: own })
    await load([weekly('IMAGE:https://source.example/b.png', 'PRIORITY:5', 'URL:https://source.example')])
    expect(await image()).toBe(own.url)
    expect((await send('GET', `events/${await idAt('2027-03-15')}`)).body.image.url).toBe(
      'https://source.example/b.png',
    )
    expect((await rows()).map(({ detached }) => detached)).toEqual(['[]', '["image"]', '[]', '[]'])
  })

  it('of one occurrence stays, when its date is gone at the source or moves', async () => {
    await load([weekly()])
    await send('PATCH', `events/${await idAt('2027-03-08')}`, { title: 'Ours' })
    await load([weekly('EXDATE;TZID=Europe/Rome:20270308T080000')])
    expect(await dates()).toEqual(FOUR)
    expect(await firstSeries()).toMatchObject({ rdate: '["2027-03-08 08:00:00"]', exdate: '[]' })
    await load([weekly().map(line => line.replace('T080000', 'T083000'))])
    expect((await live()).map(({ title, start_date }) => [title, String(start_date).slice(11)])).toEqual([
      ['Market', '08:30:00'],
      ['Ours', '08:30:00'],
      ['Market', '08:30:00'],
      ['Market', '08:30:00'],
    ])
  })

  it('that moved a date to the trash stays, and so does a deletion', async () => {
    await load([weekly()])
    await send('DELETE', `events/${await idAt('2027-03-08')}`)
    await send('DELETE', `events/${await idAt('2027-03-15')}?force=true`)
    const report = await load([weekly('CATEGORIES:New')])
    expect(report.reasons).toEqual(['skipped: event w#20270315T070000Z (Market): it was deleted here'])
    expect(await dates()).toEqual(['2027-03-01', '2027-03-22'])
    expect(await firstSeries()).toMatchObject({ exdate: '["2027-03-08 08:00:00","2027-03-15 08:00:00"]' })
    await load([weekly('CATEGORIES:New')], { mirror: true })
    expect(await dates()).toEqual(FOUR)
    expect(await firstSeries()).toMatchObject({ exdate: '[]' })
  })

  it.each([
    ['all', { title: 'Ours', scope: 'all' }],
    ['its time', { start_date: '2027-03-15 10:00:00', end_date: '2027-03-15 11:00:00', scope: 'all' }],
    ['its rule', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } }],
    ['what follows', { title: 'Ours', scope: 'following' }],
  ])('of the whole series stays as it is: %s', async (_, change) => {
    await load([weekly()])
    const { status } = await send('PATCH', `events/${await idAt('2027-03-15')}`, change)
    expect(status).toBe(200)
    const before = await rows()
    const report = await load([weekly().map(line => line.replace('SUMMARY:Market', 'SUMMARY:Bazaar'))])
    expect(report.reasons).toContain('skipped: series w (Bazaar): it was edited here')
    expect(await rows()).toEqual(before)
    await load([weekly()], { mirror: true })
    expect((await live()).filter(({ series_id }) => series_id === 1).map(({ title }) => title)).toEqual(
      FOUR.map(() => 'Market'),
    )
  })

  it('is not what the cron adds', async () => {
    const endless = master('RRULE:FREQ=WEEKLY')
    await load([endless])
    const { length } = await rows()
    await extendSeries({
      db: databaseOver(db),
      settings: settingsOf({}),
      nowMs: Date.parse('2027-02-20T12:00:00Z'),
    })
    expect((await rows()).length).toBe(length + 13)
    const later = { timezone: 'UTC', nowMs: Date.parse('2027-02-20T12:00:00Z'), note: () => {} }
    const file = readIcs(calendar([endless.map(line => line.replace('SUMMARY:Market', 'SUMMARY:Bazaar'))]))
    const window = { from: '2026-01-01 00:00:00', to: '2029-01-01 00:00:00' }
    const again = () =>
      importInto(db, icsItems(file, 'ics:test', window, later), { now: '2027-02-20 12:00:00' })
    await again()
    expect((await rows()).length).toBe(length + 13)
    expect(new Set(await titles())).toEqual(new Set(['Bazaar']))
    expect(countsOf(await again())).toContain(`event unchanged ${length + 13}`)
  })
})

describe('events that an earlier version has imported one by one', () => {
  /** As they were before there were series: single events, each of which belongs to the first. */
  async function ungroup(): Promise<void> {
    await load([weekly()])
    const [first] = await rows()
    await db.query(
      `UPDATE events SET description = '<p>Fruit & more</p>', series_id = NULL, occurrence_date = NULL,
      external_id = '', post_parent = iif(id = ?1, NULL, ?1)`,
      Number(first?.id),
    )
    await db.query(`INSERT INTO events_search (rowid, listed)
      SELECT search_key, 'market' || char(10) || 'fruit & more' FROM events`)
    await db.query(`DELETE FROM imports WHERE kind = 'series'`)
    await db.query(`UPDATE imports SET hash = 'before' WHERE kind = 'event'`)
    await db.query('DELETE FROM series_venues')
    await db.query('DELETE FROM series')
  }

  it('become a series and keep their ids', async () => {
    await ungroup()
    const before = (await rows()).map(({ id, slug }) => [id, slug])
    expect(countsOf(await load([weekly()]))).toEqual([
      'venue unchanged 1',
      'series created 1',
      'event updated 4',
    ])
    expect((await rows()).map(({ id, slug }) => [id, slug])).toEqual(before)
    expect(await dates()).toEqual(FOUR)
    expect(await db.query('SELECT DISTINCT post_parent, description FROM events')).toEqual([
      { post_parent: null, description: '' },
    ])
  })

  it('keep what was changed here', async () => {
    await ungroup()
    const [, second, third] = await rows()
    await send('PATCH', `events/${second?.id}`, { title: 'Ours' })
    await send('PATCH', `events/${third?.id}`, { description: 'Our fruit', cost: '5' })
    await load([weekly()])
    expect((await live()).map(({ title, detached }) => [title, detached])).toEqual([
      ['Market', '[]'],
      ['Ours', '["title"]'],
      ['Market', '["description","cost"]'],
      ['Market', '[]'],
    ])
    expect((await send('GET', `events/${second?.id}`)).body.description).toBe('<p>Fruit & more</p>')
    expect((await send('GET', `events/${third?.id}`)).body.description).toBe('<p>Our fruit</p>')
  })
})

describe('a recurrence that is odd', () => {
  const notesOf = async (events: Lines[]) => {
    const notes: string[] = []
    const window = { from: '2026-11-20 00:00:00', to: '2026-12-20 00:00:00' }
    return { notes, items: await itemsOf(calendar(events), window, note => notes.push(note)) }
  }

  it('that is too long becomes single events of the period', async () => {
    const { notes, items } = await notesOf([
      ['UID:l', 'SUMMARY:L', 'DTSTART:19900101T100000Z', 'RRULE:FREQ=DAILY'],
    ])
    expect(notes).toEqual([
      'l: it was turned into single events in the period of --from and --to, because it occurs more than 5000 times',
    ])
    expect(items.filter(item => item.type === 'record')).toHaveLength(30)
  })

  it('of a zone that only the file explains becomes single events, unless its clocks never change', async () => {
    const zone = (tzid: string, ...offsets: string[]) => [
      'BEGIN:VTIMEZONE',
      `TZID:${tzid}`,
      ...offsets.flatMap((offset, i) => [
        'BEGIN:STANDARD',
        `DTSTART:19700${i + 1}01T000000`,
        `RRULE:FREQ=YEARLY;BYMONTH=${i + 1};BYMONTHDAY=1`,
        `TZOFFSETFROM:${offsets.at(i - 1)}`,
        `TZOFFSETTO:${offset}`,
        'END:STANDARD',
      ]),
      'END:VTIMEZONE',
    ]
    const head = [...zone('Odd', '+0100', '+0230'), ...zone('Fixed', '+0530')]
    const event = (tzid: string) => [
      `UID:${tzid}`,
      `DTSTART;TZID=${tzid}:20270101T100000`,
      'RRULE:FREQ=DAILY;COUNT=3',
    ]
    const records = (await itemsOf(calendar([event('Odd'), event('Fixed')], head))).flatMap(item =>
      item.type === 'record' && !('columns' in item.record) ? [item.record] : [],
    )
    expect(records.map(({ kind, externalId }) => [kind, externalId.slice(0, 5)])).toEqual([
      ...[1, 2, 3].map(() => ['event', 'Odd#2']),
      ['series', 'Fixed'],
      ...[1, 2, 3].map(() => ['event', 'Fixed']),
    ])
    expect(records.find(({ kind }) => kind === 'series')).toMatchObject({ timezone: 'UTC+5.5' })
  })

  it('in UTC is shown by the clocks of its calendar, at the same instants', async () => {
    const file = (rule: string) =>
      calendar(
        [['UID:u', 'DTSTART:20270105T190000Z', 'DTEND:20270105T200000Z', `RRULE:${rule}`]],
        ['X-WR-TIMEZONE:Europe/Rome'],
      )
    expect(await seriesOf(file('FREQ=WEEKLY;COUNT=3'))).toMatchObject([
      {
        timezone: 'Europe/Rome',
        start: { wall: '2027-01-05 20:00:00' },
        recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
      },
    ])
    const [dated] = await seriesOf(file('FREQ=MONTHLY;COUNT=6'))
    expect(dated?.recurrence).toEqual({
      rrule: '',
      rdate: ['02', '03', '04', '05', '06'].map(
        month => `2027-${month}-05 ${month < '04' ? '20' : '21'}:00:00`,
      ),
      exdate: [],
    })
  })

  it('changed from one occurrence on is reported, and changes all later dates that exist', async () => {
    const from = [
      'UID:w',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Rome:20270315T080000',
      'SUMMARY:Late market',
      'DTSTART;TZID=Europe/Rome:20270315T100000',
      'DTEND;TZID=Europe/Rome:20270315T120000',
    ]
    const { notes } = await notesOf([weekly(), from])
    expect(notes).toHaveLength(1)
    await load([weekly(), from])
    expect((await live()).map(({ title, start_date }) => [title, start_date])).toEqual([
      ['Market', '2027-03-01 08:00:00'],
      ['Market', '2027-03-08 08:00:00'],
      ['Late market', '2027-03-15 10:00:00'],
      ['Late market', '2027-03-22 10:00:00'],
    ])
  })

  it('of several rules keeps the dates of all', async () => {
    await load([weekly('RRULE:FREQ=MONTHLY;COUNT=2', 'EXRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2')])
    expect(await dates()).toEqual(['2027-03-08', '2027-03-22', '2027-04-01'])
  })

  it('of two events with one UID is that of the newer one', async () => {
    await load([weekly('SEQUENCE:2'), master('RRULE:FREQ=DAILY;COUNT=9', 'SEQUENCE:1')])
    expect(await dates()).toEqual(FOUR)
  })

  it('has the dates that overrides add, too', async () => {
    await load([weekly(), renamed('20270331', 'Extra'), renamed('20270308', 'Other')])
    expect(await firstSeries()).toMatchObject({ rdate: '["2027-03-31 08:00:00"]' })
    expect(await titles()).toEqual(['Market', 'Other', 'Market', 'Market', 'Extra'])
  })

  it('names too many dates, and becomes single events', async () => {
    const days = Array.from({ length: 1_100 }, (_, i) =>
      new Date(Date.UTC(2027, 0, 1) + i * 3_600_000).toISOString().replace(/[-:]|\.\d+/g, ''),
    )
    const records = await recordsOf(
      calendar([['UID:n', 'DTSTART:20261231T100000Z', `RDATE:${days.join(',')}`]]),
    )
    expect(records.map(({ kind }) => kind)).toEqual(Array(1_101).fill('event'))
  })

  it('without a rule in the file stays single events', async () => {
    await load([renamed('20270315', 'One'), renamed('20270308', 'Two')])
    expect((await live()).map(({ title, series_id }) => [title, series_id]).sort()).toEqual([
      ['One', null],
      ['Two', null],
    ])
  })

  it('whose UID another event has keeps its series without it, and says so', async () => {
    const { body } = await send('POST', 'events', {
      title: 'Mine',
      start_date: '2027-01-01',
      end_date: '2027-01-02',
      external_id: 'w',
    })
    const report = await load([weekly()])
    expect([...report.notes]).toEqual([expect.stringContaining(`event ${body.id} has it: w`)])
    expect(
      await db.query(`SELECT external_id FROM events WHERE series_id IS NOT NULL AND external_id <> ''`),
    ).toEqual([])
  })
})
