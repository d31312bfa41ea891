import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportCalendar } from '../../../src/backup/run.ts'
import { ownId } from '../../../src/intake/schedule/look.ts'
import { commandContext } from '../../../src/intake/sync/run.ts'
import { settingsOf } from '../../../src/settings.ts'
import { beginAtNoon } from '../../clock.ts'
import { databaseOver } from '../../connection.ts'
import { importInto, makeDatabases, NOW } from '../../intake/database.ts'
import { bytesOf, calendar, itemsOf } from '../../intake/ics-calendar.ts'
import { responseFrom, workerOver } from '../../intake/worker.ts'

// The exported calendar is the feed of all events, and an empty calendar that imports it becomes the same.

type Database = Awaited<ReturnType<typeof makeDatabases>>[number]

const settings = settingsOf({ SITE_URL: 'https://town.example', TIMEZONE: 'UTC' })
let from: Database
let to: Database
let folder: string
let send: Awaited<ReturnType<typeof workerOver>>

beginAtNoon()
beforeAll(async () => {
  const [first, second] = await makeDatabases()
  from = first
  to = second
  folder = await mkdtemp(join(tmpdir(), 'export-calendar-'))
  send = await workerOver(from)
  await importInto(from, itemsOf(IMPORTED))
  await fill()
})
afterAll(async () => {
  await from.close()
  await rm(folder, { recursive: true })
})

const IMPORTED = calendar([
  ['UID:single@elsewhere', 'SUMMARY:Imported', 'DTSTART;TZID=Europe/Rome:20250610T200000', 'DURATION:PT2H'],
  [
    'UID:weekly@elsewhere',
    'SUMMARY:Imported series',
    'DTSTART;TZID=America/New_York:20270301T080000',
    'DTEND;TZID=America/New_York:20270301T090000',
    'RRULE:FREQ=WEEKLY;COUNT=6',
    'EXDATE;TZID=America/New_York:20270315T080000',
  ],
  [
    'UID:weekly@elsewhere',
    'SUMMARY:Another',
    'RECURRENCE-ID;TZID=America/New_York:20270308T080000',
    'DTSTART;TZID=America/New_York:20270308T100000',
    'DTEND;TZID=America/New_York:20270308T110000',
  ],
])

const at = (day: string, start = '20:00', end = '21:30') => ({
  start_date: `${day} ${start}`,
  end_date: `${day} ${end}`,
})

type Fields = Record<string, unknown>

async function call(method: string, path: string, fields?: Fields) {
  const { status, body } = await send(method, path, fields)
  if (status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
  return body
}
const make = (fields: Fields) => call('POST', 'events', fields)

/** The ids of a series' occurrences, in their order. */
async function occurrencesOf(title: string, fields: Fields): Promise<number[]> {
  const { series } = await make({ title, ...fields })
  const { events } = await call('GET', `events?series=${series.id}&per_page=20&start_date=2020-01-01`)
  return events.map(({ id }: { id: number }) => id)
}

async function fill(): Promise<void> {
  const roma = { timezone: 'Europe/Rome' }
  await make({
    title: 'Text, with; all \\ of "it" 日本語 &lt; 𝄞',
    description: `<h2>Head</h2><p>${'Käse &amp; Brot, '.repeat(99)}</p>`,
    venue: [{ venue: 'The "Hall"', address: 'Main St; 1', city: 'Rome', geo_lat: 41.9, geo_lng: 12.5 }],
    organizer: [{ organizer: 'Ann: A', email: 'ann@town.example' }, { organizer: 'Bob, and others' }],
    categories: ['Music', 'A, b'],
    image: 'https://x.example/a.png',
    website: 'https://x.example/tickets?a=1;b=2',
    ...at('2027-01-01'),
    ...roma,
  })
  await make({ title: 'Nameless', organizer: { organizer: 'No mail' }, ...at('2021-01-01') })
  await make({ title: 'Days', all_day: true, start_date: '2027-01-02', end_date: '2027-01-04', ...roma })
  await make({ title: 'Offset', timezone: 'UTC+5.5', ...at('2027-01-03') })
  await make({ title: 'Hours', timezone: 'UTC-3', ...at('2027-01-03') })
  const reason = { event_status: 'postponed', event_status_reason: 'Rain, and wind' }
  await make({ title: 'Postponed', ...reason, ...at('2027-01-04') })
  await make({ title: 'Cancelled', event_status: 'canceled', ...at('2027-01-04') })
  await make({ title: 'On', event_status_reason: 'It rained, but is over', ...at('2027-01-04') })
  await make({
    title: 'Online',
    is_virtual: true,
    virtual_url: 'https://meet.example/1',
    ...at('2027-01-05'),
  })
  await make({ title: 'Far', ...at('2199-01-05'), ...roma })

  await occurrencesOf('Endless', { recurrence: 'FREQ=WEEKLY;BYDAY=TU', ...at('2027-01-05'), ...roma })
  const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = await occurrencesOf('Changed', {
    recurrence: {
      rrule: 'FREQ=WEEKLY;BYDAY=WE;UNTIL=20270331T215959',
      rdate: ['2027-04-10 18:00:00'],
      exdate: ['2027-02-24 20:00:00'],
    },
    external_id: 'changed/1',
    ...at('2027-01-06'),
    ...roma,
  })
  await call('PATCH', `events/${second}`, { title: 'Other title' })
  await call('PATCH', `events/${third}`, at('2027-01-21', '18:00', '19:00'))
  await call('PATCH', `events/${fourth}`, { status: 'draft' })
  await call('DELETE', `events/${fifth}`)
  await call('PATCH', `events/${sixth}`, { event_status: 'canceled', event_status_reason: 'Ill' })
  const nights = { start_date: '2027-03-27 22:00', end_date: '2027-03-28 06:00' }
  await occurrencesOf('Nights', { recurrence: 'FREQ=DAILY;COUNT=150', ...nights, ...roma })
  const holiday = { all_day: true, start_date: '2027-05-01', end_date: '2027-05-01', timezone: 'Asia/Tokyo' }
  await occurrencesOf('Holiday', { recurrence: 'FREQ=YEARLY', ...holiday })
  const monthly = { recurrence: 'FREQ=MONTHLY;BYDAY=1SA;COUNT=30', timezone: 'UTC+5.5' }
  await occurrencesOf('Call', { ...monthly, ...at('2027-05-01') })
  await occurrencesOf('Rare', { recurrence: 'FREQ=YEARLY;INTERVAL=4', ...at('2027-05-02'), ...roma })
  const rdate = ['2027-06-09 20:00:00', '2035-06-10 20:00:00']
  await occurrencesOf('Named', { recurrence: { rdate }, ...at('2027-06-01'), ...roma })
  const thursdays = { recurrence: 'FREQ=WEEKLY;BYDAY=TH', timezone: 'UTC' }
  await occurrencesOf('From another day', { ...thursdays, ...at('2028-06-05') })
  const last = await occurrencesOf('Last is gone', { recurrence: 'FREQ=DAILY;COUNT=4', ...at('2027-06-01') })
  await call('DELETE', `events/${last.at(-1)}`)
  const gone = await occurrencesOf('All is gone', { recurrence: 'FREQ=DAILY;COUNT=4', ...at('2027-06-01') })
  await call('DELETE', `events/${gone[0]}?scope=all`)

  const secret = {
    venue: { venue: 'Secret', status: 'draft' },
    organizer: { organizer: 'S', status: 'draft' },
  }
  await make({ title: 'With secrets', ...secret, ...at('2027-01-06') })
  await make({ title: 'Secret draft', status: 'draft', ...at('2027-01-06') })
  await make({ title: 'Secret private', status: 'private', ...at('2027-01-06') })
  await make({ title: 'Secret later', date: '2090-01-01', ...at('2099-01-06') })
  await make({ title: 'Secret hidden', hide_from_listings: true, ...at('2027-01-06') })
  const { id } = await make({ title: 'Secret trash', ...at('2027-01-06') })
  await call('DELETE', `events/${id}`)
}

/** Exports a calendar, and returns its calendar.ics. */
async function exported(db: Database, name: string): Promise<string> {
  const out = join(folder, name)
  const calendarId = await ownId(databaseOver(db), settings)
  await exportCalendar(databaseOver(db), { ...commandContext(settings, NOW), calendarId }, out, () => {})
  expect((await readdir(out)).filter(file => file.startsWith('calendar'))).toEqual(['calendar.ics'])
  return readFile(join(out, 'calendar.ics'), 'utf8')
}

/** The components of a calendar of one kind, in a fixed order. */
const components = (text: string, kind: string): string[] =>
  text.match(new RegExp(`BEGIN:${kind}\r\n[^]*?END:${kind}\r\n`, 'g'))?.sort() ?? []

const feedOf = async (path = 'events.ics?start_date=0001-01-01&end_date=9999-12-31') =>
  (await responseFrom(from, path)).text()

/** The head of a calendar. */
const headOf = (text: string): string => text.slice(0, text.indexOf('BEGIN:V', 1))

describe('calendar.ics', () => {
  it('is the feed of all events, without those that are gone', async () => {
    const [file, feed] = [await exported(from, 'same'), await feedOf()]
    expect(headOf(file)).toBe(headOf(feed))
    expect(file.endsWith('\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true)
    const shown = components(feed, 'VEVENT').filter(event => event.includes('\r\nURL:'))
    expect(components(file, 'VEVENT')).toEqual(shown)
    expect(components(file, 'VTIMEZONE')).toEqual(components(feed, 'VTIMEZONE'))
    expect(components(file, 'VTIMEZONE')).toHaveLength(4)
    expect(file).not.toMatch(/Secret/)
    expect(file).toContain('SUMMARY:With secrets\r\n')
    const uids = new Set(file.match(/^UID:.*$/gm)?.map(line => line.slice(4).trim()))
    expect([...uids].filter(uid => !uid.endsWith('@town.example')).sort()).toEqual([
      'changed/1',
      'single@elsewhere',
      'weekly@elsewhere',
    ])
    expect(uids.size).toBe(22)
  })

  it('is read into an empty calendar, which is then exported the same', async () => {
    const once = await exported(from, 'once')
    const report = await importInto(to, itemsOf(bytesOf(once)))
    expect(report.reasons).toEqual([])
    const known = (text: string) => components(text, 'VEVENT').map(withoutVersion).sort()
    expect(known(await exported(to, 'twice'))).toEqual(known(once))
  })

  it('has descriptions of any length, and any number of events', async () => {
    const description = `<p>${',;日'.repeat(4_000)}</p>`
    const { id } = await make({ title: 'Long', description, ...at('2027-07-01') })
    const names = await from.query(
      `SELECT name FROM pragma_table_info('events') WHERE name NOT IN ('id', 'slug')`,
    )
    const columns = names.map(({ name }) => name).join()
    await from.query(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 120)
      INSERT INTO events (slug, ${columns}) SELECT 'copy-' || n, ${columns} FROM events CROSS JOIN numbers
      WHERE events.id = ${id}`)
    const events = components(await exported(from, 'long'), 'VEVENT').filter(text =>
      text.includes(':Long\r\n'),
    )
    expect(events).toHaveLength(121)
    // All of them are the same, but for their UID.
    for (const event of events.filter((_, i) => i % 12 === 0)) {
      const [, uid] = /^UID:event-(\d+)@/m.exec(event) ?? []
      expect(components(await feedOf(`events/${uid}.ics`), 'VEVENT')).toEqual([event])
    }
  })
})

/** A VEVENT without the times at which its row was written. */
const withoutVersion = (event: string): string =>
  event.replace(/^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE):.*\r\n/gm, '')
