import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { fileItems } from '../../src/intake/readers/files.ts'
import type { Row } from '../../src/lib/connection.ts'
import { settingsOf } from '../../src/settings.ts'
import { CONTEXT, empty, exportTo, importInto, makeDatabases, makeFolder, NOW, WINDOW } from './database.ts'

let to: Awaited<ReturnType<typeof makeDatabases>>[number]
const folder = makeFolder()

const TIMES = { start_date: '2027-03-28 10:00:00', end_date: '2027-03-28 12:00:00' }
const BASE = {
  ...TIMES,
  ...{ status: 'publish', slug: 'x', version: 1, date: NOW, date_utc: NOW, modified: NOW, modified_utc: NOW },
}

beforeAll(async () => {
  const [from, second] = await makeDatabases()
  to = second
  const insert = (table: string, row: Row) =>
    from.query(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row).map(() => '?')})`,
      ...Object.values(row),
    )
  await insert('users', { id: 3, login: 'ada', role: 'administrator', created_utc: NOW })
  await insert('users', { id: 4, login: 'bob', role: 'author', created_utc: NOW })
  await insert('images', { id: 9, url: 'https://town.example/a.png', width: 4, height: 3 })
  await insert('images', { id: 10, url: 'https://town.example/b.png', width: 4, height: 3 })
  const content = { status: 'publish', version: 1, author_id: 3 }
  const dates = { date: NOW, date_utc: NOW, modified: NOW, modified_utc: NOW }
  await insert('venues', { ...content, ...dates, id: 5, slug: 'barn', name: 'Barn', geo_lat: 1, geo_lng: 2 })
  const utc = { utc_start_date: TIMES.start_date, utc_end_date: TIMES.end_date, timezone_abbr: 'UTC' }
  const event = { ...BASE, ...content, ...dates, ...utc, timezone: 'UTC' }
  for (const id of [1, 2])
    await insert('events', { ...event, id, title: `Event ${id}`, slug: `e-${id}`, author_id: 4, image_id: 9 })
  await exportTo(from, join(folder, 'whole'))
})
afterAll(async () => {
  await to.close()
})
beforeEach(() => empty(to))

let copies = 0

/** Restores a backup of which one file was changed. */
async function restoreWith(file: string, change: (json: Record<string, Record<string, unknown>[]>) => void) {
  copies += 1
  const copy = join(folder, `copy-${copies}`)
  await cp(join(folder, 'whole'), copy, { recursive: true })
  const json = JSON.parse(await readFile(join(copy, file), 'utf8'))
  change(json)
  await writeFile(join(copy, file), JSON.stringify(json))
  const notes: string[] = []
  const context = { ...CONTEXT, note: (text: string) => notes.push(text) }
  const report = await importInto(to, fileItems([copy], WINDOW, context))
  return { report, notes }
}

const app = createApp(settingsOf({ SITE_URL: 'https://town.example' }))
const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
const get = (path: string) => app.request(`https://town.example${path}`, {}, { DB: to.d1 }, context)

/** Everything that anybody reads. */
async function expectReadable() {
  const api = '/calendar/events/v1'
  const lists = ['events?start_date=2020-01-01', 'events.ics', 'events.rss', 'events.feed.json', 'venues']
  for (const path of [...lists.map(list => `${api}/${list}`), '/events/'])
    expect((await get(path)).status, path).toBe(200)
}

/** The row of the first record of a page. */
const storedIn = (plural: string) => (json: Record<string, Record<string, unknown>[]>) =>
  json[plural]?.[0]?.stored as Record<string, unknown>

const CHANGES: [column: string, value: unknown, kept: unknown][] = [
  ['title', 'x'.repeat(3_000), 'x'.repeat(2_000)],
  ['title', `Z${'̈'.repeat(500)}`, ''],
  ['title', '<script>alert(1)</script>Talk', 'Talk'],
  ['description', 'd'.repeat(300_000), `<p>${'d'.repeat(200_000)}</p>`],
  ['description', '<img src=x onerror=alert(1)>', '<p><img src="x"></p>'],
  ['excerpt', 'e'.repeat(30_000), `<p>${'e'.repeat(20_000)}</p>`],
  ['cost', '9'.repeat(1_001), '9'.repeat(1_000)],
  ['website', 'javascript:alert(1)', null],
  ['website', 'https://', null],
  ['virtual_url', 'https:///x', ''],
  ['external_id', 'x'.repeat(300), 'x'.repeat(255)],
  ['slug', 'a/b?c', 'event-1'],
  ['slug', '', 'event-1'],
  ['date', 'yesterday', NOW],
  ['date_utc', '2026-02-30 00:00:00', NOW],
  ['modified', 7, NOW],
  ['version', 0.5, 1],
  ['sequence', -1, 0],
  ['featured', 7, 0],
  ['uid', `x\r\nATTACH:${'y'.repeat(9)}`, 'event-1@'],
  ['custom_fields', 'no JSON', '{}'],
  ['timezone_abbr', '<b>', ''],
  ['event_status', 'gone', 'scheduled'],
]

/** Which column a value says something of: a slug follows from the title. */
const subjectOf = ([column]: (typeof CHANGES)[number]) => (column === 'slug' ? 'title' : column)

/** Changes in as few rounds as possible: the first of each column, then the second of each. */
const ROUNDS = Map.groupBy(
  CHANGES,
  (change, i) => CHANGES.slice(0, i).filter(other => subjectOf(other) === subjectOf(change)).length,
)

it.each([...ROUNDS])('bad values of an event are cleaned or left out (%i)', async (_, changes) => {
  const { report } = await restoreWith('events-00001.json', json => {
    for (const [column, value] of changes) storedIn('events')(json)[column] = value
  })
  expect(report.reasons).toEqual([])
  const [{ uid, ...row } = {}] = await to.query('SELECT * FROM events WHERE id = 1')
  expect(uid).not.toContain('ATTACH')
  for (const [column, , kept] of changes) if (column !== 'uid') expect(row[column], column).toEqual(kept)
  await expectReadable()
})

it('a value that was left out is named', async () => {
  const { notes } = await restoreWith('events-00001.json', json => {
    Object.assign(storedIn('events')(json), { website: 'javascript:alert(1)', title: 'x'.repeat(3_000) })
  })
  expect(notes).toEqual([
    'events 1: title was cut: it must be at most 2000 characters long',
    'events 1: website was left out: it must be an http or https address such as https://example.org',
  ])
})

it.each([
  ['timezone', 'Mars/Olympus', 'timezone of events must be a time zone'],
  ['start_date', '2027-02-30 00:00:00', 'start_date of events must be a date and time'],
  ['utc_start_date', 'x', 'utc_start_date of events must be a date and time'],
  ['utc_end_date', '2020-01-01 00:00:00', 'it ends before it starts'],
])('an event without a good %s is left out by itself', async (column, value, reason) => {
  const { report } = await restoreWith('events-00001.json', json => {
    storedIn('events')(json)[column] = value
  })
  expect(report.reasons).toEqual([expect.stringContaining(reason)])
  expect(await to.query('SELECT id FROM events')).toEqual([{ id: 2 }])
  await expectReadable()
})

it('images without a good address are left out', async () => {
  const bad = [
    'https://',
    'http:///x.png',
    'javascript:alert(1)',
    'data:image/png;base64,x',
    '/media/../x.png',
    '',
    7,
  ]
  const { report } = await restoreWith('backup.json', json => {
    const [image] = json.images ?? []
    json.images?.push(...bad.map((url, i) => ({ ...image, url, id: 11 + i })))
    Object.assign(image ?? {}, { url: 'https:' })
  })
  expect(report.reasons).toEqual([...bad, ''].map(() => expect.stringMatching(/^failed: image /)))
  expect(await to.query('SELECT id FROM images')).toEqual([{ id: 10 }])
  expect(await to.query('SELECT id, image_id FROM events')).toEqual([
    { id: 1, image_id: null },
    { id: 2, image_id: null },
  ])
  await expectReadable()
})

it('users without a good login, role or id are left out, and content goes to the administrator', async () => {
  const bad = [
    { login: '' },
    { login: 'a:b' },
    { login: 'x'.repeat(61) },
    { login: null },
    { role: 'king' },
    { id: 'first' },
  ]
  const { report } = await restoreWith('backup.json', json => {
    const bob = json.users?.pop()
    json.users?.push(...bad.map((fields, i) => ({ ...bob, login: `bob${i}`, id: 4 + i, ...fields })))
  })
  expect(report.reasons).toEqual(bad.map(() => expect.stringMatching(/^failed: user /)))
  expect(await to.query('SELECT login FROM users')).toEqual([{ login: 'ada' }])
  expect(await to.query('SELECT DISTINCT author_id FROM events')).toEqual([{ author_id: 3 }])
})

it.each(['users', 'images', 'imports'])('rows of %s that are none spoil nothing', async table => {
  const { report } = await restoreWith('backup.json', json => {
    json[table]?.push(...([null, 7, [], {}, { id: true }] as never[]))
  })
  expect(report.of('event', 'created')).toBe(2)
  expect(await to.query('SELECT login FROM users ORDER BY id')).toEqual([{ login: 'ada' }, { login: 'bob' }])
})

it('bad values of a venue are cleaned or left out', async () => {
  const long = 'x'.repeat(3_000)
  await restoreWith('venues-00001.json', json => {
    Object.assign(storedIn('venues')(json), {
      geo_lat: 91,
      name: long,
      address: long,
      website: 'mailto:x@y.example',
    })
  })
  expect(await to.query('SELECT geo_lat, name, address, website FROM venues')).toEqual([
    { geo_lat: null, name: 'x'.repeat(2_000), address: 'x'.repeat(1_000), website: '' },
  ])
  await expectReadable()
})
