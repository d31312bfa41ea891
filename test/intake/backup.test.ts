import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { gapsIn } from '../../src/intake/readers/complete.ts'
import { fileItems } from '../../src/intake/readers/files.ts'
import { icsItems } from '../../src/intake/readers/ics.ts'
import { readIcs } from '../../src/intake/readers/ics-file.ts'
import { BACKUP_SOURCE } from '../../src/intake/records.ts'
import type { Row } from '../../src/lib/connection.ts'
import { digestOf } from '../../src/lib/digest.ts'
import { settingsOf } from '../../src/settings.ts'
import type { Connection } from '../connection.ts'
import {
  CONTEXT,
  contentsOf,
  countsOf,
  exportTo,
  importInto,
  makeDatabases,
  makeFolder,
  NOW,
  WINDOW,
} from './database.ts'
import { event, venue } from './site-server.ts'

let from: Awaited<ReturnType<typeof makeDatabases>>[number]
let to: Connection
const folder = makeFolder()

const settings = settingsOf({ SITE_URL: 'https://town.example', TIMEZONE: 'Europe/Rome' })

beforeAll(async () => {
  const [first, second] = await makeDatabases()
  from = first
  to = second
  await fill(from)
})
afterAll(async () => {
  await from.close()
})

/** A calendar with something of everything, made by way of the API, by an import, and by hand. */
async function fill(db: typeof from): Promise<void> {
  await db.batch([
    [
      `INSERT INTO users (id, login, role, created_utc) VALUES (3, 'Ada', 'administrator', '2026-01-01 00:00:00')`,
    ],
    [`INSERT INTO users (id, login, role, created_utc) VALUES (7, 'bob', 'author', '2026-01-02 00:00:00')`],
    ['INSERT INTO passwords (user_id, digest, created_utc) VALUES (3, ?, ?)', await digestOf('secret'), NOW],
    [`INSERT INTO images (id, url, width, height) VALUES (9, 'https://town.example/unused.png', 4, 3)`],
  ])
  const app = createApp(settings)
  const bindings = { DB: db.d1 }
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
  const send = async (method: string, path: string, body?: object): Promise<number> => {
    const response = await app.request(
      `https://town.example/calendar/events/v1/${path}`,
      {
        method,
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      },
      bindings,
      context,
    )
    const answer = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${answer}`)
    return Number(JSON.parse(answer).id)
  }
  const music = await send('POST', 'categories', { name: 'Music', description: 'Loud & <soft>' })
  await send('POST', 'categories', { name: 'Jazz', parent: music })
  await send('POST', 'categories', { name: 'Unused', slug: 'leer' })
  await send('PATCH', `categories/${music}`, { description: 'Louder & <softer>' })
  const barn = await send('POST', 'venues', {
    venue: 'The Barn',
    city: 'Kent',
    geo_lat: 51.5,
    geo_lng: -0.1,
    description: 'Old.',
  })
  const shed = await send('POST', 'venues', { venue: 'The Shed', show_map: false })
  const times = { start_date: '2027-03-28 01:30:00', end_date: '2027-03-28 04:00:00' }
  const parent = await send('POST', 'events', {
    ...times,
    title: 'Rock & Roll <3 – café',
    description: '<p onclick="x()">Bring <b>ears</b></p>',
    excerpt: 'Short.',
    cost: '10',
    venue: [shed, barn],
    organizer: [{ organizer: 'The Guild', email: 'guild@town.example' }, { organizer: 'Others' }],
    categories: ['Jazz', 'music'],
    tags: ['open air', 'late'],
    image: 'https://town.example/a.jpg',
    featured: true,
    sticky: true,
    timezone: 'Europe/London',
  })
  await send('POST', 'events', {
    ...times,
    title: 'All day',
    all_day: true,
    post_parent: parent,
    website: 'https://x.example',
  })
  await send('POST', 'events', {
    ...times,
    title: 'Draft',
    status: 'draft',
    author: 7,
    hide_from_listings: true,
    timezone: 'UTC+5.5',
  })
  await send('POST', 'events', { ...times, title: 'Later', date: '2090-01-01', slug: 'einmal' })
  const gone = await send('POST', 'events', { ...times, title: 'Gone' })
  await send('DELETE', `events/${gone}`)
  await send('DELETE', `venues/${shed}`)
  await send('PATCH', `events/${parent}`, { title: 'Rock & Roll <3 – café!' })
  // An event may belong to one of a higher id.
  await db.query('UPDATE events SET post_parent = ? WHERE title = ?', gone, 'Draft')
  const page = { events: [event(900, { venue: venue(901) })], rest_url: 'https://else.example/v1/events' }
  const path = join(folder, 'page.json')
  await writeFile(path, JSON.stringify(page))
  await importInto(db, fileItems([path], WINDOW, CONTEXT))
  await db.query(`UPDATE venues SET geo_lat = 1.5 WHERE id = 901`)
  // Joined, and shown by one that comes after it.
  await db.query(
    `UPDATE events SET duplicate_of = (SELECT max(id) FROM events WHERE status = 'publish') WHERE title = 'Later'`,
  )
}

/** What triggers keep, beside the views that say what must be in it. */
const DERIVED = [
  ['term_ancestors', '*'],
  ['listings', 'facet, target_id, utc_start_date, event_id, utc_end_date'],
  ['listing_counts', '*'],
]

/** Everything but password digests, and how a backup was restored. */
const contents = async (db: Connection): Promise<Record<string, Row[]>> => ({
  ...(await contentsOf(db)),
  imports: await db.query(
    `SELECT * FROM imports WHERE source NOT LIKE '${BACKUP_SOURCE}%' ORDER BY source, kind, external_id`,
  ),
})

describe('a backup', () => {
  const out = () => join(folder, 'out')

  it('is pages of the interface, one calendar file, and a manifest without digests', async () => {
    const exported = await exportTo(from, out(), 'Europe/Rome')
    expect(exported).toEqual({ categories: 3, tags: 2, venues: 3, organizers: 2, series: 0, events: 6 })
    expect(await readdir(out())).toEqual([
      'backup.json',
      'calendar.ics',
      'categories-00001.json',
      'events-00001.json',
      'organizers-00001.json',
      'series-00001.json',
      'tags-00001.json',
      'venues-00001.json',
    ])
    expect(await readFile(join(out(), 'backup.json'), 'utf8')).not.toContain(await digestOf('secret'))
  })

  it('restores every field of every table into an empty database', async () => {
    const report = await importInto(to, fileItems([out()], WINDOW, CONTEXT), { timezone: 'Europe/Rome' })
    expect(report.reasons).toEqual([])
    expect(await contents(to)).toEqual(await contents(from))
    expect((await contents(to)).imports).toHaveLength(2)
    expect(await to.query('SELECT state FROM twins')).toEqual([{ state: 'joined' }])
  })

  it('names its files alike, and is read alike, however its folder is named and whoever looks into it', async () => {
    const filesOf = async (path: string) =>
      JSON.parse(await readFile(join(folder, path, 'backup.json'), 'utf8')).files as { name: string }[]
    const before = process.cwd()
    process.chdir(folder)
    try {
      await mkdir('named')
      await writeFile('named/.DS_Store', '')
      await exportTo(from, './named', 'Europe/Rome')
      expect(await filesOf('named')).toEqual(await filesOf('out'))
      process.chdir('named')
      for (const path of ['.', './', '../named', '../out/../named/']) {
        expect(await gapsIn([path])).toEqual([])
        const report = await importInto(to, fileItems([path], WINDOW, CONTEXT), { timezone: 'Europe/Rome' })
        expect(report.reasons).toEqual([])
        expect(report.of('event', 'unchanged')).toBe(6)
      }
    } finally {
      process.chdir(before)
    }
  })

  it('leaves everything derived as it must be', async () => {
    for (const [table, columns] of DERIVED) {
      const rows = await to.query(`SELECT ${columns} FROM ${table}`)
      const expected = await to.query(`SELECT ${columns} FROM expected_${table}`)
      expect(new Set(rows.map(row => JSON.stringify(row)))).toEqual(
        new Set(expected.map(row => JSON.stringify(row))),
      )
    }
  })

  it('changes nothing when restored again', async () => {
    const before = await contents(to)
    const report = await importInto(to, fileItems([out()], WINDOW, CONTEXT))
    expect(countsOf(report).every(line => line.includes('unchanged'))).toBe(true)
    expect(await contents(to)).toEqual(before)
  })

  it('lets imports from elsewhere go on where it was restored', async () => {
    const report = await importInto(to, fileItems([join(folder, 'page.json')], WINDOW, CONTEXT))
    expect(countsOf(report)).toEqual(['venue unchanged 1', 'event unchanged 1'])
    // An edit of before, which its audit does not tell of, beside one that was undone.
    await to.batch([
      [`UPDATE events SET title = 'Ours', version = version + 1 WHERE title = 'Concert 900'`],
      [
        `INSERT INTO audit (at_utc, user_id, action, kind, object_id, fields, changed)
          SELECT '2026-11-20 12:00:00', 3, 'update', 'event', events.id, '["cost"]', undone.value FROM events,
            json_each('[{"cost":["","1"]},{"cost":["1",""]}]') AS undone WHERE title = 'Ours'`,
      ],
    ])
    const path = join(folder, 'changed.json')
    const page = { events: [event(900, { title: 'Theirs' })], rest_url: 'https://else.example/v1/events' }
    await writeFile(path, JSON.stringify(page))
    expect((await importInto(to, fileItems([path], WINDOW, CONTEXT))).reasons).toEqual([
      'skipped: event 900 (Theirs): it was edited here',
    ])
  })

  it('tells other programs of published events, by a calendar that reads back alike', async () => {
    const file = readIcs(await readFile(join(out(), 'calendar.ics')))
    const records = [...icsItems(file, 'ics:x', WINDOW, CONTEXT)].flatMap(item =>
      item.type === 'record' && item.record.kind === 'event' && !('columns' in item.record)
        ? [item.record]
        : [],
    )
    const stored = await from.query(
      `SELECT title, utc_start_date, utc_end_date, timezone FROM events WHERE status = 'publish' AND all_day = 0 ORDER BY id`,
    )
    const timed = records.filter(({ all_day }) => !all_day)
    expect(
      timed.map(({ title, start, end, timezone }) => ({
        title,
        utc_start_date: start.utc,
        utc_end_date: end.utc,
        timezone,
      })),
    ).toEqual(stored)
    expect(records.filter(({ all_day }) => all_day).map(({ start, end }) => [start.wall, end.wall])).toEqual([
      ['2027-03-28 00:00:00', '2027-03-28 23:59:59'],
    ])
  })
})
