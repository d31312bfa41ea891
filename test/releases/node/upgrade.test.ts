import { getTableName } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp, ROUTES } from '../../../src/app.ts'
import { checkFiles, readManifest } from '../../../src/commands/backup/manifest.ts'
import { dumpedNames, dumpedTable, notInBackups } from '../../../src/commands/backup/tables.ts'
import { readSources } from '../../../src/features/sources/schedule/run.ts'
import { Database } from '../../../src/kit/db/database.ts'
import type { RawRow } from '../../../src/kit/db/query.ts'
import { formatInstant } from '../../../src/kit/lib/time.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { fileItems } from '../../../src/readers/files.ts'
import { type Calendar, restoreInto } from '../../commands/backup/rich.ts'
import { findDriftIn } from '../../derived/values.ts'
import { countsOf, importInto, makeDatabase, makeStore } from '../../readers/database.ts'
import { BACKUP, networkWith, openRelease, SNAPSHOT_TIME, SPREADSHEET, upgrade } from '../release.ts'

const DUMPED_NAMES = dumpedNames()
const LEFT_OUT = notInBackups()

// A database and a backup of 1.0.0 come over to every later version with all that they hold.

const SETTINGS = settingsOf({
  SITE_URL: 'https://calendar.example',
  TIMEZONE: 'Europe/Berlin',
  SUBMISSIONS: 'on',
  MAIL_FROM: 'events@town.example',
})
const APP = createApp(SETTINGS)

const SITE = 'https://calendar.example'

/**
 * Asks for something, as nobody or as a user of the calendar.
 * @param path below the namespace, or from `/` on
 */
async function ask(
  { d1 }: Calendar,
  path: string,
  login?: string,
): Promise<{ status: number; text: string }> {
  const address = path.startsWith('/') ? path : `/calendar/events/v1/${path}`
  const headers = login ? { authorization: `Basic ${btoa(`${login}:password of ${login}`)}` } : {}
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
  const response = await APP.request(SITE + address, { headers }, { DB: d1, EMAIL: {} }, context)
  return { status: response.status, text: await response.text() }
}

const ALL = 'start_date=2020-01-01&end_date=2095-01-01&per_page=100'
const EVERY_STATUS = `${ALL}&status=publish,draft,pending,private,future,trash`

let old: Calendar
let calendar: Calendar
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(SNAPSHOT_TIME) })
  ;[old, calendar] = await Promise.all([openRelease(), openRelease()])
  await upgrade(calendar)
})
afterAll(async () => {
  vi.useRealTimers()
  await Promise.all([old.close(), calendar.close()])
})

/** Tables, views, triggers and indexes. */
const objectsOf = (db: Calendar) =>
  db.query(`SELECT type, name, sql FROM sqlite_master WHERE name NOT GLOB '_cf_*' AND name <> 'd1_migrations'
    AND name NOT GLOB 'sqlite_*' ORDER BY type, name`)

const columnsOf = async (db: Calendar): Promise<Map<string, string[]>> => {
  const rows = await db.query(`SELECT objects.name AS "of", info.name AS name FROM sqlite_master AS objects
    JOIN pragma_table_xinfo(objects.name) AS info WHERE objects.type = 'table' AND hidden = 0
      AND objects.name NOT GLOB 'sqlite_*' AND objects.name NOT GLOB '_cf_*' AND objects.name NOT GLOB '*_search_*'`)
  const grouped = Map.groupBy(rows, row => String(row.of))
  return new Map([...grouped].map(([table, some]) => [table, some.map(({ name }) => String(name))]))
}

async function contentOf(db: Calendar, tables: ReadonlyMap<string, readonly string[]>) {
  const read = [...tables].map(([table, columns]) => [
    table,
    `SELECT ${columns} FROM ${table} ORDER BY ${columns.slice(0, 3)}`,
  ])
  const rows = await db.batch(read.map(([, sql = '']): [string] => [sql]))
  return new Map(read.map(([table = ''], i): [string, RawRow[]] => [table, rows[i] ?? []]))
}

describe('a database of 1.0.0', () => {
  it('has something in every table', async () => {
    for (const [table, rows] of await contentOf(old, await columnsOf(old)))
      expect(rows.length > 0, table).toBe(true)
    expect(await old.query('PRAGMA foreign_key_check')).toEqual([])
    // It searched a title with “<” as it is stored, and its texts for searches had no parts.
    expect(await findDriftIn(old.d1)).toEqual([
      expect.stringContaining('rock & roll &lt;3'),
      expect.stringContaining('the barn old. aldwick 02101'),
      expect.stringContaining('the club club@town.example'),
    ])
  })

  it('has the tables and triggers of a new one after its upgrade', async () => {
    expect(await objectsOf(calendar)).toEqual(await objectsOf(await makeDatabase()))
    expect(await calendar.query('PRAGMA foreign_key_check')).toEqual([])
  })

  it('has all of its rows, and what is derived of them', async () => {
    const tables = await columnsOf(old)
    const before = await contentOf(old, tables)
    const after = await contentOf(calendar, tables)
    // Programmes have confirmed parts only, which counts as a change of these.
    const derived = [
      ...['changes', 'revision', 'listings', 'listing_counts'],
      ...['events_search', 'venues_search', 'organizers_search'],
    ]
    for (const [table, rows] of before)
      if (!derived.includes(table)) expect(after.get(table), table).toEqual(rows)
    expect(await findDriftIn(calendar.d1)).toEqual([])
  })
})

/** Reads a source as the cron does, until its run ends. @returns the run */
async function readSource(db: Calendar, id: number, transport = networkWith(), build = ''): Promise<RawRow> {
  const patience = { transport, sleep: async () => {} }
  await db.query('UPDATE sources SET next_run_utc = ? WHERE id = ?', formatInstant(Date.now()), id)
  for (let minute = 0; minute < 20; minute++) {
    const settings = { ...SETTINGS, build }
    await readSources({ db: new Database(db.d1), settings, nowMs: Date.now(), onlyId: id, patience })
    vi.setSystemTime(Date.now() + 60_000)
    const [run] = await db.query('SELECT * FROM source_runs WHERE source_id = ? ORDER BY id DESC LIMIT 1', id)
    if (run && run.state !== 'running') return run
  }
  throw new Error(`The run of source ${id} does not end.`)
}

const titlesOf = async (db: Calendar, source: number): Promise<unknown[]> =>
  (
    await db.query(
      `SELECT title FROM events JOIN imports ON kind = 'event' AND target_id = events.id
        WHERE source = ? AND status IN ('publish', 'pending') ORDER BY title, utc_start_date`,
      `source:${source}`,
    )
  ).map(({ title }) => title)

describe('the sources of a calendar of 1.0.0', () => {
  // With the same version of the Worker, a source continues or reads on; another reads what is known as well.
  describe.each(['', 'another'])('read by the Worker %j', build => {
    let upgraded: Calendar
    beforeAll(async () => {
      upgraded = await openRelease()
      await upgrade(upgraded)
    })
    afterAll(() => upgraded.close())

    it.each([
      ['a feed with series', 1, { unchanged: 12 }],
      ['a site whose calendar follows it', 3, { unchanged: 4 }],
      ['pages', 4, { unchanged: 2 }],
    ])('%s has no changes', async (_, id, counts) => {
      const tables = await columnsOf(upgraded)
      const content = new Map(
        ['events', 'series', 'venues', 'organizers', 'terms', 'event_terms', 'images', 'imports'].map(
          name => [name, tables.get(name) ?? []],
        ),
      )
      const before = await contentOf(upgraded, content)
      const run = await readSource(upgraded, id, networkWith(), build)
      expect(run).toMatchObject({
        state: 'done',
        created: 0,
        updated: 0,
        trashed: 0,
        skipped: '[]',
        ...counts,
      })
      expect(await contentOf(upgraded, content)).toEqual(before)
    })

    it('halves of series have no changes, except that one which ends before it begins has no dates', async () => {
      expect((await titlesOf(upgraded, 2)).filter(title => title === 'Evensong')).toHaveLength(3)
      const run = await readSource(upgraded, 2, networkWith(), build)
      expect(run).toMatchObject({ state: 'done', created: 0, updated: 0, unchanged: 8 })
      expect((await titlesOf(upgraded, 2)).filter(title => title === 'Evensong')).toHaveLength(2)
    })

    it('runs under way go on without a loss', async () => {
      const films = Array.from({ length: 8 }, (_, i) => `Film ${i + 1}`)
      expect(await titlesOf(upgraded, 5)).not.toEqual(films)
      expect(await readSource(upgraded, 5, networkWith(), build)).toMatchObject({ id: 6, state: 'done' })
      expect(await titlesOf(upgraded, 5)).toEqual(films)
      expect(await readSource(upgraded, 7, networkWith(), build)).toMatchObject({ id: 7, state: 'done' })
      expect(await titlesOf(upgraded, 7)).toEqual(['Clay workshop', 'Glass workshop', 'Lino workshop'])
    })

    it('changes come over, but for what was edited here', async () => {
      const network = networkWith((path, text) =>
        /^(theatre|choir|town)/.test(path)
          ? text.replaceAll(/(SUMMARY:|"title": ")([^"\r\n]*)/g, '$1$2, new')
          : text,
      )
      for (const id of [1, 2, 3]) await readSource(upgraded, id, network, build)
      const titles = [
        ...(await titlesOf(upgraded, 1)),
        ...(await titlesOf(upgraded, 2)),
        ...(await titlesOf(upgraded, 3)),
      ]
      expect(titles.filter(title => !/, new$/.test(String(title)))).toEqual(['Costume fair in the foyer'])
      expect(titles).toHaveLength(12 + 8 + 4)
      // What was published in the review follows its source.
      expect(titles).toContain('Easter concert, new')
      expect(titles).toContain('Rehearsal, new')
    })
  })

  it('a spreadsheet that was imported has no changes', async () => {
    const items = fileItems(
      [SPREADSHEET],
      { from: '2025-11-20 00:00:00', to: '2028-11-20 00:00:00' },
      {
        timezone: 'Europe/Berlin',
        nowMs: Date.now(),
        note: () => {},
      },
    )
    const counts = countsOf(await importInto(calendar, items, { timezone: 'Europe/Berlin' }))
    expect(counts.filter(count => !/ unchanged /.test(count))).toEqual([])
    expect(counts).toContain('event unchanged 2')
  })
})

describe('a calendar of 1.0.0, upgraded', () => {
  it.each([
    ...[
      '/events/',
      '/events/?search=yoga',
      '/events/2027-01/',
      '/events/2027-W02/',
      '/event/rock-roll-3-cafe/',
    ],
    ...['/venues/', '/venue/the-barn/', '/organizers/', '/events/category/arts/', '/embed', '/sitemap.xml'],
    ...['events.ics', 'events.rss', 'events.feed.json', 'events.geojson', 'events.csv', 'events/changes'],
    ...['events', 'venues', 'organizers', 'categories', 'tags', 'series/1'],
  ])('has %s', async path => {
    const { status, text } = await ask(calendar, path)
    expect([status, text.length > 100]).toEqual([200, true])
  })

  it.each([
    [`events?${EVERY_STATUS}`, 'events'],
    [`venues?${EVERY_STATUS}`, 'venues'],
    [`organizers?${EVERY_STATUS}`, 'organizers'],
  ])('lists all of %s that it had', async (path, name) => {
    const shown = name === 'events' ? 'events WHERE duplicate_of IS NULL' : name
    const [before] = await old.query(`SELECT count(*) AS n FROM ${shown}`)
    const { total } = JSON.parse((await ask(calendar, path, 'administrator')).text)
    expect(total).toBe(before?.n)
  })

  const COUNTS: readonly [string, number][] = [
    ['sources', 7],
    ['submissions', 4],
    ['webhooks', 3],
    ['letters', 2],
    ['media', 6],
    ['duplicates', 1],
  ]
  const ofRoutes = COUNTS.filter(([path]) => ROUTES.some(route => route.path === `/${path}`))

  it.each(ofRoutes)('has its %s', async (path, n) => {
    const body = JSON.parse((await ask(calendar, path, 'administrator')).text)
    expect(body.total, path).toEqual(n)
  })
})

describe('a backup of 1.0.0', () => {
  it('has the content of its calendar', async () => {
    const manifest = await readManifest(BACKUP)
    const said = [...(await checkFiles(BACKUP, manifest))].filter(text => !/no table/.test(text))
    expect(said.sort()).toEqual([
      expect.stringMatching(/^Confirmed addresses and notices are left out/),
      expect.stringMatching(/^What the calendar learned about spam is left out/),
    ])
    const restored = await makeDatabase()
    const store = makeStore()
    await restoreInto(restored, BACKUP, { store })
    expect([...store.files.keys()].sort()).toEqual(Object.keys(manifest.images).sort())
    expect(await findDriftIn(restored.d1)).toEqual([])
    const upgraded = await openRelease()
    await upgrade(upgraded)
    // What backups leave out, and numbers of changes, which begin anew.
    const excludedColumns = Object.keys(LEFT_OUT)
    const columns = await columnsOf(restored)
    const tables = new Map(
      DUMPED_NAMES.map(name => {
        const table = getTableName(dumpedTable(name).table)
        const comparedColumns = (columns.get(table) ?? []).filter(
          column => !excludedColumns.includes(`${name}.${column}`),
        )
        return [table, comparedColumns] as const
      }),
    )
    const before = await contentOf(upgraded, tables)
    const after = await contentOf(restored, tables)
    for (const [table, rows] of before) expect(after.get(table), table).toEqual(rows)
    await upgraded.close()
  })
})
