import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSources } from '../../../src/features/sources/schedule/run.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { makeCategory, makeDatabaseAnew, makeEvent, makeUser, query, send } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { ignoreDatabaseFailure } from '../../watched-d1.ts'

// Undoing the import of a file also takes back what the import made and nobody else uses.

const MINUTE_MS = 60_000

let as: string
let minute: number

beforeEach(async () => {
  await makeDatabaseAnew()
  as = await makeUser('ada', 'editor')
  minute = 0
})

/** Does the work of the cron on sources every minute, for some minutes. */
async function runEveryMinute(minutes: number, DB = env.DB): Promise<void> {
  const settings = settingsOf({ TIMEZONE: 'UTC', SITE_URL: 'https://town.example' })
  for (const end = minute + minutes; minute < end; minute++)
    await readSources({
      db: new Database(DB),
      settings,
      nowMs: Date.now() + minute * MINUTE_MS,
    }).catch(ignoreDatabaseFailure)
}

const HEAD = 'Title,Date,Time,Place,Organizer,Category,Tags'
const ROWS = [
  'Walk,2027-07-01,8:00,Hill,Walkers,Outdoors,green',
  'Swim,2027-07-02,9:00,Lake,Swimmers,Sport,wet',
]

/** Uploads a file. @returns the path of its source */
async function upload(rows: readonly string[], name = 'club.csv'): Promise<string> {
  const body = new FormData()
  body.append('file', new File([[HEAD, ...rows].join('\n')], name))
  const { body: source } = await send('POST', '/sources/files', { as, body })
  return `/sources/${source.id}`
}

/** Imports a file. @returns the path of its source */
async function importFile(rows: readonly string[], name = 'club.csv', status = 'publish'): Promise<string> {
  const path = await upload(rows, name)
  await send('PATCH', path, { as, json: { state: 'ok', status } })
  await runEveryMinute(4)
  return path
}

async function undo(path: string): Promise<void> {
  expect((await send('POST', `${path}/undo`, { as })).status).toBe(202)
  await runEveryMinute(4)
  expect((await send('GET', `${path}/runs`, { as })).body.runs[0]).toMatchObject({ code: 'undone' })
}

/** The names of everything outside the trash. */
async function namesOutsideTrash(): Promise<string[]> {
  const rows = await query<{ name: string }>(`SELECT title AS name FROM events WHERE status <> 'trash'
    UNION ALL SELECT name FROM venues WHERE status <> 'trash' UNION ALL SELECT name FROM organizers WHERE status <> 'trash'
    UNION ALL SELECT name FROM terms`)
  return rows.map(({ name }) => name).sort()
}

const idOf = async (table: 'venues' | 'organizers' | 'terms' | 'events', name: string): Promise<number> => {
  const [row] = await query<{ id: number }>(
    `SELECT id FROM ${table} WHERE ${table === 'events' ? 'title' : 'name'} = ?`,
    name,
  )
  return row?.id ?? expect.fail(`no ${name}`)
}

const patch = async (path: string, json: object): Promise<void> =>
  expect((await send('PATCH', path, { as, json })).status).toBe(200)

const WALK = ['Hill', 'Outdoors', 'Walk', 'Walkers', 'green']
const SWIM = ['Lake', 'Sport', 'Swim', 'Swimmers', 'wet']

describe('undoing the import of a file', () => {
  it('takes back what the import made, and the same file brings it all again', async () => {
    const path = await importFile(ROWS)
    expect(await namesOutsideTrash()).toEqual([...WALK, ...SWIM].sort())
    await undo(path)
    expect(await namesOutsideTrash()).toEqual([])
    // A second time, there is nothing more to do.
    await undo(path)
    expect(await namesOutsideTrash()).toEqual([])
    await importFile(ROWS)
    expect(await namesOutsideTrash()).toEqual([...WALK, ...SWIM].sort())
    expect((await send('GET', `${path}/runs`, { as })).body.runs[0]).toMatchObject({ created: 2, updated: 0 })
    const [row] = await query(`SELECT (SELECT count(*) FROM venues) AS venues,
      (SELECT count(*) FROM event_venues) AS places, (SELECT count(*) FROM event_terms) AS terms`)
    expect(row).toEqual({ venues: 2, places: 2, terms: 4 })
    await undo(path)
    expect(await namesOutsideTrash()).toEqual([])
  })

  it('goes on when a file of the same name is uploaded meanwhile, which is imported after that', async () => {
    const path = await importFile(ROWS)
    // As if more was to do than one request may do.
    const startUndoing = () =>
      query(`UPDATE sources SET undoing = (SELECT max(id) FROM source_runs), next_run_utc = datetime('now')`)
    await startUndoing()
    await importFile(ROWS)
    expect(await namesOutsideTrash()).toEqual([...WALK, ...SWIM].sort())
    expect((await send('GET', `${path}/runs`, { as })).body.runs).toMatchObject([
      { code: '', created: 2, trashed: 0 },
      { code: 'undone', created: 2, trashed: 2 },
    ])
    await startUndoing()
    await upload(ROWS)
    await runEveryMinute(4)
    expect(await namesOutsideTrash()).toEqual([])
    expect((await send('GET', path, { as })).body).toMatchObject({ state: 'paused' })
    expect((await send('POST', `${path}/preview`, { as, json: {} })).body.total).toBe(2)
  })

  it('takes back what it brought back from an earlier import, and leaves the rest of that', async () => {
    const path = await importFile(ROWS)
    await undo(path)
    await importFile(ROWS.slice(0, 1))
    // Another import changes one of its events, and brings back the other one.
    await importFile(ROWS.map(row => row.replace('Outdoors', 'Sport')))
    expect(await namesOutsideTrash()).toEqual([...WALK, ...SWIM].sort())
    await undo(path)
    expect(await namesOutsideTrash()).toEqual([...WALK, 'Sport'].sort())
  })

  it('leaves what earlier imports made, and what there was before', async () => {
    await makeEvent(as, {
      title: 'Old',
      venue: { venue: 'Lake', status: 'publish' },
      categories: [(await makeCategory(as, 'Sport')).id],
    })
    const path = await importFile(ROWS.slice(0, 1))
    await send('DELETE', `/events/${await idOf('events', 'Old')}`, { as })
    await importFile(ROWS)
    await undo(path)
    expect(await namesOutsideTrash()).toEqual([...WALK, 'Lake', 'Sport'].sort())
  })

  it.each<[user: string, kept: readonly string[], use: () => Promise<unknown>]>([
    [
      'another event',
      ['Other', 'Lake', 'Swimmers', 'Sport', 'wet'],
      async () =>
        makeEvent(as, {
          title: 'Other',
          venue: await idOf('venues', 'Lake'),
          organizer: await idOf('organizers', 'Swimmers'),
          categories: [await idOf('terms', 'Sport')],
          tags: [await idOf('terms', 'wet')],
        }),
    ],
    [
      'a series',
      ['Other', 'Other', 'Lake', 'Sport'],
      async () =>
        makeEvent(as, {
          title: 'Other',
          recurrence: 'FREQ=WEEKLY;COUNT=2',
          venue: await idOf('venues', 'Lake'),
          categories: [await idOf('terms', 'Sport')],
        }),
    ],
    [
      'an event that waits in the trash',
      ['Lake', 'wet'],
      async () => {
        const { id } = await makeEvent(as, {
          title: 'Other',
          venue: await idOf('venues', 'Lake'),
          tags: [await idOf('terms', 'wet')],
        })
        await send('DELETE', `/events/${id}`, { as })
      },
    ],
    [
      'another file',
      ['Dive', 'Lake', 'Sport'],
      () => importFile(['Dive,2027-07-03,9:00,Lake,,Sport,'], 'other.csv'),
    ],
    [
      'a category below it',
      ['Sport', 'Below'],
      async () => makeCategory(as, 'Below', { parent: await idOf('terms', 'Sport') }),
    ],
    [
      'a webhook',
      ['Sport', 'Lake'],
      async () => {
        const filters = [{ categories: 'music, sport' }, { venue: String(await idOf('venues', 'Lake')) }]
        for (const one of filters)
          await query(
            `INSERT INTO webhooks (url, events, filters, secret, api, created_utc, audit_id)
              VALUES ('', '[]', ?, '', '', '2027-01-01 00:00:00', 0)`,
            JSON.stringify(one),
          )
      },
    ],
    [
      'somebody who has changed it',
      ['Lake', 'Swimmers', 'Sport'],
      async () => {
        await patch(`/venues/${await idOf('venues', 'Lake')}`, { city: 'Lakeside' })
        await patch(`/organizers/${await idOf('organizers', 'Swimmers')}`, {
          website: 'https://swim.example',
        })
        await patch(`/categories/${await idOf('terms', 'Sport')}`, { color: 'blue' })
      },
    ],
  ])('leaves what %s uses', async (_, kept, use) => {
    const path = await importFile(ROWS)
    await use()
    await undo(path)
    expect(await namesOutsideTrash()).toEqual([...kept].sort())
    const links = await query(`SELECT title FROM events JOIN event_venues ON event_id = events.id
      JOIN venues ON venues.id = target_id WHERE events.status <> 'trash' AND venues.status = 'trash'`)
    expect(links).toEqual([])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('goes on if it is killed after batch %i', async after => {
    const path = await importFile(ROWS)
    const { DB } = faultyD1({ message: 'D1_ERROR: killed', times: 1_000, after })
    await send('POST', `${path}/undo`, { as, bindings: { DB } })
    await runEveryMinute(20)
    const isAsked =
      (await query("SELECT 1 FROM audit WHERE kind = 'source' AND fields = '[\"undoing\"]'")).length > 0
    expect(await namesOutsideTrash()).toEqual(isAsked ? [] : [...WALK, ...SWIM].sort())
    await undo(path)
    expect(await namesOutsideTrash()).toEqual([])
  })

  it.each(['publish', 'pending'])('takes back a venue that the file spells in two ways: %s', async status => {
    const rows = ['Lake', 'LAKE', 'lake'].map((place, n) => `Swim ${n},2027-07-0${n + 2},9:00,${place},,,`)
    const countVenues = () =>
      query("SELECT status, count(*) AS n FROM venues GROUP BY status ORDER BY status = 'trash'")
    const path = await importFile(rows, 'club.csv', status)
    expect(await countVenues()).toEqual([{ status, n: 1 }])
    await undo(path)
    const trashed = { status: 'trash', n: 1 }
    expect(await countVenues()).toEqual([trashed])
    await importFile(rows, 'club.csv', status)
    expect(await countVenues()).toEqual([{ status, n: 1 }, trashed])
    const used = await query('SELECT DISTINCT status FROM event_venues JOIN venues ON venues.id = target_id')
    expect(used).toEqual([{ status }])
    // Undoing a later import leaves the venue, whichever spelling that names.
    await importFile(['Dive,2027-07-03,9:00,LAKE,,,'], 'club.csv', status)
    await undo(path)
    expect(await countVenues()).toEqual([{ status, n: 1 }, trashed])
  })

  it('leaves what somebody begins to use meanwhile', async () => {
    const path = await importFile(ROWS)
    const lake = await idOf('venues', 'Lake')
    await send('POST', `${path}/undo`, {
      as,
      bindings: { DB: faultyD1({ message: 'D1_ERROR: killed', times: 1_000, after: 3 }).DB },
    })
    await makeEvent(as, { title: 'Other', venue: lake })
    await runEveryMinute(20)
    await undo(path)
    expect(await namesOutsideTrash()).toEqual(['Lake', 'Other'])
  })

  it('leaves events that users have edited since, with all that they use', async () => {
    const path = await importFile(ROWS)
    await patch(`/events/${await idOf('events', 'Swim')}`, { title: 'Swim with a guide' })
    const kept = ['Lake', 'Sport', 'Swim with a guide', 'Swimmers', 'wet']
    await undo(path)
    expect(await namesOutsideTrash()).toEqual(kept)
    await undo(path)
    expect(await namesOutsideTrash()).toEqual(kept)
    // The same file brings back the other one.
    await importFile(ROWS)
    expect(await namesOutsideTrash()).toEqual([...WALK, ...kept].sort())
  })

  it('takes back events that users have only published, or have taken from the trash', async () => {
    const path = await importFile(ROWS, 'club.csv', 'draft')
    const walk = await idOf('events', 'Walk')
    const swim = await idOf('events', 'Swim')
    for (const id of [walk, swim]) await patch(`/events/${id}`, { status: 'publish' })
    expect((await send('DELETE', `/events/${swim}`, { as })).status).toBe(200)
    await patch(`/events/${swim}`, { status: 'publish' })
    await undo(path)
    expect(await query("SELECT title FROM events WHERE status <> 'trash'")).toEqual([])
  })

  it('takes back what users had edited before the import that is undone brought it back', async () => {
    const path = await importFile(ROWS)
    const swim = await idOf('events', 'Swim')
    await patch(`/events/${swim}`, { title: 'Swimming' })
    await undo(path)
    expect(await namesOutsideTrash()).toContain('Swimming')
    await query(
      "UPDATE audit SET at_utc = '2020-01-01 00:00:00' WHERE user_id IS NOT NULL AND kind = 'event'",
    )
    await undo(path)
    expect(await namesOutsideTrash()).toEqual([])
  })

  const SERIES = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//x//x//EN
BEGIN:VEVENT
UID:choir@x.example
SUMMARY:Choir
DTSTART:20270701T180000Z
DTEND:20270701T190000Z
RRULE:FREQ=WEEKLY;COUNT=4
END:VEVENT
END:VCALENDAR`.replaceAll('\n', '\r\n')

  it.each<[scope: string, kept: readonly string[]]>([
    ['this', ['2027-07-08']],
    ['following', ['2027-07-01', '2027-07-08', '2027-07-15', '2027-07-22']],
    ['all', ['2027-07-01', '2027-07-08', '2027-07-15', '2027-07-22']],
  ])('leaves the dates of a series that were edited: %s', async (scope, kept) => {
    const body = new FormData()
    body.append('file', new File([SERIES], 'choir.ics'))
    const { body: source } = await send('POST', '/sources/files', { as, body })
    const path = `/sources/${source.id}`
    await send('PATCH', path, { as, json: { state: 'ok', status: 'publish' } })
    await runEveryMinute(4)
    const dates = () =>
      query<{ id: number; day: string }>(
        "SELECT id, substr(start_date, 1, 10) AS day FROM events WHERE status <> 'trash' ORDER BY start_date",
      )
    const [, second] = await dates()
    await patch(`/events/${second?.id}?scope=${scope}`, { title: 'Choir with a guest' })
    await undo(path)
    expect((await dates()).map(({ day }) => day)).toEqual(kept)
    // The series makes no further dates.
    await runEveryMinute(4)
    expect((await dates()).map(({ day }) => day)).toEqual(kept)
  })
})

describe('deleting a source with its events', () => {
  const end = async (path: string): Promise<void> => {
    expect((await send('DELETE', `${path}?events=trash`, { as })).status).toBe(200)
    await runEveryMinute(20)
    expect((await send('GET', path, { as })).status).toBe(404)
  }

  it('takes back what the source has made for them, by whichever import', async () => {
    const path = await importFile(ROWS.slice(0, 1))
    await importFile(ROWS)
    await end(path)
    expect(await namesOutsideTrash()).toEqual([])
  })

  it('leaves what there was before, and what anything else uses', async () => {
    await makeCategory(as, 'Outdoors')
    const path = await importFile(ROWS)
    await makeEvent(as, { title: 'Other', venue: await idOf('venues', 'Lake') })
    await patch(`/organizers/${await idOf('organizers', 'Swimmers')}`, { website: 'https://swim.example' })
    await end(path)
    expect(await namesOutsideTrash()).toEqual(['Lake', 'Other', 'Outdoors', 'Swimmers'])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('goes on if it is killed after batch %i', async after => {
    const path = await importFile(ROWS)
    await send('DELETE', `${path}?events=trash`, { as })
    await runEveryMinute(1, faultyD1({ message: 'D1_ERROR: killed', times: 1_000, after }).DB)
    await runEveryMinute(20)
    expect((await send('GET', path, { as })).status).toBe(404)
    expect(await namesOutsideTrash()).toEqual([])
  })
})
