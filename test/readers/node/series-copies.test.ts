import { join } from 'node:path'
import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressItems } from '../../../src/readers/addresses.ts'
import { parseEvent, readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { beginAtNoon } from '../../clock.ts'
import type { Connection } from '../../connection.ts'
import { findDriftIn } from '../../derived/values.ts'
import {
  CONTEXT,
  contentsOf,
  countsOf,
  emptyTables,
  exportTo,
  importInto,
  makeDatabase,
  makeDatabases,
  makeFolder,
  restoreInto,
  WINDOW,
} from '../database.ts'
import { calendar, itemsOf } from '../ics-calendar.ts'
import { CLIENT, withStableHost } from '../site-server.ts'
import { adminSenderOver, responseFrom, serveWorker } from '../worker.ts'

// A calendar with series, which must be the same wherever it is taken.

type Database = Awaited<ReturnType<typeof makeDatabases>>[number]

let from: Database
let to: Database
const folder = makeFolder()
let send: Awaited<ReturnType<typeof adminSenderOver>>
let ids: { yoga: number; second: number }

beginAtNoon()
beforeAll(async () => {
  const [first, second] = await makeDatabases()
  from = first
  to = second
  send = await adminSenderOver(from)
  ids = await fill()
})
afterAll(async () => {
  await from.close()
})

async function make(path: string, fields: object): Promise<number> {
  const { status, body } = await send('POST', path, fields)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return Number(body.id)
}

async function change(method: string, id: number, fields: object = {}): Promise<void> {
  const { status, body } = await send(method, `events/${id}`, fields)
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** Series with everything that can be of a series, and single events beside them. */
async function fill() {
  const single = await make('events', {
    title: 'Single',
    start_date: '2027-01-01 10:00:00',
    end_date: '2027-01-01 11:00:00',
    website: 'https://x.example/single',
  })
  const yoga = await make('events', {
    title: 'Yoga & more',
    description: '<p>Bring a <b>mat</b></p>',
    start_date: '2027-01-05 20:00:00',
    end_date: '2027-01-05 21:30:00',
    timezone: 'Europe/Rome',
    website: 'https://x.example/yoga',
    venue: { venue: 'Studio', show_map: true },
    show_map: true,
    show_map_link: true,
    organizer: { organizer: 'Ada', email: 'ada@town.example' },
    categories: ['Sport'],
    external_id: 'yoga-1',
    recurrence: {
      rrule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270331T205959',
      rdate: ['2027-04-10 18:00:00'],
      exdate: ['2027-02-02 20:00:00'],
    },
  })
  const { body } = await send('GET', 'events?start_date=2027-01-05&per_page=50&search=yoga')
  const [, second, third, fourth, fifth] = body.events.map(({ id }: { id: number }) => id)
  await change('PATCH', second, { title: 'Yoga outdoors' })
  await change('PATCH', third, {
    start_date: '2027-01-20 19:00:00',
    end_date: '2027-01-20 20:00:00',
    event_status: 'canceled',
  })
  await change('PATCH', fourth, { description: 'No mat', venue: { venue: 'Park', show_map: true } })
  await change('DELETE', fifth)
  await make('events', {
    title: 'Holiday',
    start_date: '2027-05-01',
    end_date: '2027-05-01',
    all_day: true,
    timezone: 'UTC+5.5',
    website: 'https://x.example/holiday',
    recurrence: { rrule: 'FREQ=YEARLY;UNTIL=20300101', exdate: [] },
    post_parent: single,
  })
  await make('events', {
    title: 'Call',
    start_date: '2027-05-01 23:00:00',
    end_date: '2027-05-02 00:30:00',
    timezone: 'UTC-3',
    website: 'https://x.example/call',
    recurrence: 'FREQ=MONTHLY;BYDAY=1SA;COUNT=30',
  })
  await make('events', {
    title: 'Draft',
    status: 'draft',
    start_date: '2027-05-01 23:00:00',
    end_date: '2027-05-02 00:30:00',
    recurrence: 'FREQ=DAILY;COUNT=3',
  })
  return { yoga, second }
}

const drift = (db: Database) => findDriftIn(db.d1)

describe('a backup', () => {
  it('restores series as they were', async () => {
    const out = join(folder, 'out')
    await exportTo(from, out)
    const restored = await makeDatabase()
    await restoreInto(restored, out)
    expect(await contentsOf(restored)).toEqual(await contentsOf(from))
    expect(await drift(restored)).toEqual([])
  })

  it('lets imports of series from elsewhere go on where it was restored', async () => {
    const [source, target] = await makeDatabases()
    const file = () =>
      itemsOf(
        calendar([
          ['UID:w', 'SUMMARY:Market', 'DTSTART:20270301T080000Z', 'RRULE:FREQ=WEEKLY;COUNT=4'],
          ['UID:w', 'SUMMARY:Other', 'RECURRENCE-ID:20270308T080000Z', 'DTSTART:20270308T080000Z'],
        ]),
      )
    try {
      await importInto(source, await file())
      const copy = join(folder, 'copy')
      await exportTo(source, copy)
      await restoreInto(target, copy)
      expect(countsOf(await importInto(target, await file(), { mirror: true }))).toEqual([
        'series unchanged 1',
        'event unchanged 4',
      ])
      expect(await drift(target)).toEqual([])
    } finally {
      await source.close()
    }
  })
})

describe('the feed of all events', () => {
  const read = async () => {
    const response = await responseFrom(from, 'events.ics?start_date=2020-01-01&end_date=2090-01-01')
    return readIcs(new Uint8Array(await response.arrayBuffer()))
  }

  it('has one event for each series, and one for each occurrence that differs', async () => {
    const events = (await read()).events.flatMap(event => parseEvent(event) ?? [])
    const propertyLines = (name: string) =>
      events.map(event => event.getFirstProperty(name)?.toICALString() ?? '')
    expect(propertyLines('summary').map(line => line.replace('SUMMARY:', ''))).toEqual([
      'Single',
      'Yoga & more',
      'Yoga outdoors',
      'Cancelled: Yoga & more',
      'Yoga & more',
      'Holiday',
      'Call',
    ])
    expect(propertyLines('rrule').filter(Boolean)).toEqual([
      'RRULE:FREQ=WEEKLY;UNTIL=20270331T185959Z;BYDAY=TU',
      // Other programs show the occurrences that there are.
      'RRULE:FREQ=YEARLY;UNTIL=20280501',
      'RRULE:FREQ=MONTHLY;UNTIL=20281105T020000Z;BYDAY=1SA',
    ])
    expect(propertyLines('exdate')[1]).toBe('EXDATE;TZID=Europe/Rome:20270202T200000,20270209T200000')
    expect(propertyLines('rdate')[1]).toBe('RDATE;TZID=Europe/Rome:20270410T180000')
    expect(propertyLines('recurrence-id').filter(Boolean)).toEqual([
      'RECURRENCE-ID;TZID=Europe/Rome:20270112T200000',
      'RECURRENCE-ID;TZID=Europe/Rome:20270119T200000',
      'RECURRENCE-ID;TZID=Europe/Rome:20270126T200000',
    ])
    expect(propertyLines('uid').slice(1, 5)).toEqual(Array(4).fill('UID:yoga-1'))
  })

  it('gives the same dates to another reader', async () => {
    const events = (await read()).events.flatMap(event => parseEvent(event) ?? [])
    for (const title of ['Yoga & more', 'Holiday', 'Call']) {
      const event = events.find(one => one.getFirstPropertyValue('summary') === title)
      if (!event) throw new Error(title)
      const expansion = new ICAL.RecurExpansion({
        component: event,
        dtstart: event.getFirstPropertyValue('dtstart') as ICAL.Time, // DTSTART holds one.
      })
      const found: string[] = []
      for (let time = expansion.next(); time && time.year < 2029; time = expansion.next())
        found.push(time.toString().slice(0, 10))
      const stored = await from.query(
        `SELECT substr(occurrence_date, 1, 10) AS date FROM events JOIN series ON series.id = series_id
         WHERE series.title = ? AND events.status = 'publish' ORDER BY 1`,
        title,
      )
      const last = String(stored.at(-1)?.date)
      expect(
        found.filter(date => date <= last),
        title,
      ).toEqual(stored.map(({ date }) => date))
    }
  })

  it('reads back as the series that it was written from', async () => {
    await emptyTables(to)
    const file = await read()
    const report = await importInto(to, icsItems(file, 'ics:x', WINDOW, CONTEXT))
    expect(report.reasons).toEqual([])
    expect(await drift(to)).toEqual([])
    const rows = async (db: Connection) => ({
      series: await db.query(
        `SELECT title, rrule, rdate, start_date, end_date, timezone, all_day, website, extend_from, description
         FROM series WHERE status = 'publish' ORDER BY title`,
      ),
      events: await db.query(
        `SELECT series.title AS series, events.title, events.slug, occurrence_date, events.start_date, utc_start_date, utc_end_date,
           events.timezone, events.all_day, events.event_status, events.website, events.description,
           (SELECT group_concat(name) FROM event_venues JOIN venues ON venues.id = target_id WHERE event_id = events.id) AS venues,
           (SELECT group_concat(name) FROM event_terms JOIN terms ON terms.id = target_id WHERE event_id = events.id) AS terms
         FROM events LEFT JOIN series ON series.id = series_id WHERE events.status = 'publish' ORDER BY 1, 3, 4`,
      ),
    })
    expect(await rows(to)).toEqual(await rows(from))
    // Fields that depend on each other are detached together.
    const detached = await to.query(
      `SELECT detached FROM events WHERE detached <> '[]' ORDER BY occurrence_date`,
    )
    expect(detached.map(row => row.detached)).toEqual([
      '["title"]',
      '["event_status","start_date","end_date"]',
      '["description","venue"]',
    ])
    const again = await importInto(to, icsItems(file, 'ics:x', WINDOW, CONTEXT), { mirror: true })
    expect(countsOf(again)).toEqual(countsOf(report).map(line => line.replace('created', 'unchanged')))
  })
})

describe('a mirror of another instance', () => {
  const copy = async (options: Parameters<typeof importInto>[2] = {}) => {
    const server = await serveWorker(from)
    const notes: string[] = []
    const context = { ...CONTEXT, note: (text: string) => notes.push(text) }
    try {
      const items = addressItems(server.address, { window: WINDOW, client: CLIENT }, context)
      const report = await importInto(to, withStableHost(items, server.address), options)
      return { report, requests: server.requests, notes }
    } finally {
      await server.close()
    }
  }

  const COLUMNS = `events.id, series_id, events.title, events.slug, occurrence_date, events.start_date, events.detached,
    events.event_status, events.description`
  const events = (db: Connection) =>
    db.query(`SELECT ${COLUMNS} FROM events WHERE status = 'publish' ORDER BY id`)
  const series = (db: Connection) =>
    db.query(`SELECT id, title, slug, rrule, rdate, exdate, start_date, timezone, description, extend_from
      FROM series WHERE status = 'publish' ORDER BY id`)

  it('has series with the same rules, exceptions and occurrences', async () => {
    await emptyTables(to)
    const { report, requests } = await copy()
    expect(report.reasons).toEqual([])
    expect(countsOf(report)).toContain('series created 3')
    expect(requests.filter(url => url.includes('/series/'))).toHaveLength(3)
    expect(await events(to)).toEqual(await events(from))
    expect(await series(to)).toEqual(await series(from))
    expect(await drift(to)).toEqual([])
    const again = await copy({ mirror: true })
    expect(countsOf(again.report)).toEqual(countsOf(report).map(line => line.replace('created', 'unchanged')))
  })

  it('follows changes of the rule and of single occurrences', async () => {
    await copy({ mirror: true })
    await change('PATCH', ids.second, { title: 'Yoga at home' })
    await change('PATCH', ids.yoga, { recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=6' } })
    await copy({ mirror: true })
    expect(await events(to)).toEqual(await events(from))
    expect(await series(to)).toEqual(await series(from))
    expect(await drift(to)).toEqual([])
  })

  it('goes on without a category that is gone at the source', async () => {
    const categories = () => to.query(`SELECT name FROM terms WHERE taxonomy = 'event_category'`)
    await copy({ mirror: true })
    expect(await categories()).toEqual([{ name: 'Sport' }])
    const { body } = await send('GET', 'categories?hide_empty=false')
    await send('POST', 'categories', { name: 'Music' })
    await send('DELETE', `categories/${body.categories[0].id}`)
    expect((await copy({ mirror: true })).report.reasons).toEqual([])
    expect(await categories()).toEqual([{ name: 'Music' }])
    expect(await to.query('SELECT * FROM series_terms')).toEqual([])
  })

  it('ends series that have ended there', async () => {
    await copy({ mirror: true })
    await change('PATCH', ids.yoga, { recurrence: '' })
    await copy({ mirror: true })
    expect(await events(to)).toEqual(await events(from))
    expect(await drift(to)).toEqual([])
  })
})

describe('the two series into which `scope: following` splits one', () => {
  let divided: Database
  let copy: Database
  const yoga = {
    title: 'Yoga',
    start_date: '2027-01-05 20:00:00',
    end_date: '2027-01-05 21:00:00',
    recurrence: 'FREQ=WEEKLY;COUNT=4',
  }
  const slugs = async (db: Connection) => ({
    series: await db.query('SELECT title, slug FROM series ORDER BY title'),
    events: await db.query('SELECT title, slug FROM events ORDER BY start_date'),
  })

  beforeAll(async () => {
    ;[divided, copy] = await makeDatabases()
    const send = await adminSenderOver(divided)
    await send('POST', 'events', yoga)
    const third = 'events/by-slug/yoga-2027-01-19'
    const { status } = await send('PATCH', third, { title: 'Yoga outdoors', scope: 'following' })
    if (status !== 200) throw new Error(`${status}`)
  })
  afterAll(() => divided.close())

  it('share a slug', async () => {
    expect((await slugs(divided)).series).toEqual([
      { title: 'Yoga', slug: 'yoga' },
      { title: 'Yoga outdoors', slug: 'yoga' },
    ])
  })

  it('keep it in a backup', async () => {
    const out = join(folder, 'divided')
    await exportTo(divided, out)
    const restored = await makeDatabase()
    await restoreInto(restored, out)
    expect(await slugs(restored)).toEqual(await slugs(divided))
  })

  it('keep it when a site is imported, unless another event has it', async () => {
    const source = await serveWorker(divided)
    const importSite = () =>
      importInto(copy, addressItems(source.address, { window: WINDOW, client: CLIENT }, CONTEXT))
    try {
      expect((await importSite()).reasons).toEqual([])
      expect(await slugs(copy)).toEqual(await slugs(divided))
      await emptyTables(copy)
      const send = await adminSenderOver(copy)
      await send('POST', 'events', { ...yoga, title: 'Here', slug: 'yoga' })
      await importSite()
      expect((await slugs(copy)).series).toEqual([
        { title: 'Here', slug: 'yoga' },
        { title: 'Yoga', slug: 'yoga-2' },
        { title: 'Yoga outdoors', slug: 'yoga-3' },
      ])
    } finally {
      await source.close()
    }
  })
})

/**
 * Imports the feed of one database into another, which must then have the same dates, and series that go on
 * from there.
 */
async function expectEqualCopy(source: Database, target: Database): Promise<void> {
  const feed = await responseFrom(source, 'events.ics?start_date=2020-01-01&end_date=2090-01-01')
  const file = readIcs(new Uint8Array(await feed.arrayBuffer()))
  await importInto(target, icsItems(file, 'ics:x', WINDOW, CONTEXT))
  const published = `SELECT start_date FROM events WHERE status = 'publish' ORDER BY 1`
  for (const sql of [published, 'SELECT extend_from FROM series'])
    expect(await target.query(sql)).toEqual(await source.query(sql))
}

it.each([
  ['half of its dates', 'FREQ=WEEKLY', 55],
  ['most of its dates', 'FREQ=WEEKLY', 80],
  ['a date, and whose rule does not give its start', 'FREQ=WEEKLY;BYDAY=WE,FR', 1],
])(
  'a series without an end that hides one date and leaves out %s goes on in a copy of its feed',
  async (_, rrule, count) => {
    const [source, target] = await makeDatabases()
    const firstDay = rrule.includes('WE') ? 13 : 12
    const exdate = Array.from({ length: count }, (_, i) =>
      new Date(Date.UTC(2027, 0, firstDay + 7 * i, 8)).toISOString(),
    )
    const send = await adminSenderOver(source)
    const { status } = await send('POST', 'events', {
      title: 'Market',
      start_date: '2027-01-05 08:00:00',
      end_date: '2027-01-05 12:00:00',
      recurrence: { rrule, exdate },
    })
    expect(status).toBe(201)
    const { body } = await send('GET', 'events?start_date=2027-01-01&per_page=3')
    await send('PATCH', `events/${body.events[2].id}`, { status: 'draft' })
    await expectEqualCopy(source, target)
    await source.close()
  },
)

it('a series without an end of which most dates are hidden goes on in a copy of its feed', async () => {
  const [source, target] = await makeDatabases()
  const send = await adminSenderOver(source)
  await send('POST', 'events', {
    title: 'Market',
    start_date: '2027-01-05 08:00:00',
    end_date: '2027-01-05 12:00:00',
    recurrence: { rrule: 'FREQ=WEEKLY' },
  })
  const dates = await source.query('SELECT id FROM events ORDER BY start_date')
  const hidden = dates
    .slice(3, -3)
    .map(({ id }) => ({ method: 'PATCH', path: `/events/${id}`, body: { status: 'draft' } }))
  for (let i = 0; i < hidden.length; i += 40)
    expect((await send('POST', 'batch', { requests: hidden.slice(i, i + 40) })).status).toBe(207)
  await expectEqualCopy(source, target)
  await source.close()
})

/** A weekly series of a calendar file. */
const yogaAt = (title: string, hour: number) => {
  const times = [`DTSTART:20270301T${hour}0000Z`, `DTEND:20270301T210000Z`]
  return itemsOf(calendar([['UID:yoga', ...times, 'RRULE:FREQ=WEEKLY;COUNT=2', `SUMMARY:${title}`]]))
}

it('edits from before a backup was restored stay, whatever else the source changes', async () => {
  const [edited, restored] = await makeDatabases()
  const sendToEdited = await adminSenderOver(edited)
  await importInto(edited, await yogaAt('Yoga', 19))
  expect((await sendToEdited('PATCH', 'events/by-slug/yoga-2027-03-01', { title: 'Ours' })).status).toBe(200)
  await exportTo(edited, join(folder, 'edited'))
  await restoreInto(restored, join(folder, 'edited'))
  for (const title of ['Yoga', 'Pilates', 'Dance']) {
    await importInto(restored, await yogaAt(title, 18))
    expect(await restored.query('SELECT title, start_date FROM events ORDER BY start_date')).toEqual([
      { title: 'Ours', start_date: '2027-03-01 18:00:00' },
      { title, start_date: '2027-03-08 18:00:00' },
    ])
  }
  await edited.close()
  await restored.close()
})
