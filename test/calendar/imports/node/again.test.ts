import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fileItems } from '../../../../src/readers/files.ts'
import type { Connection } from '../../../connection.ts'
import {
  beforeWrites,
  CONTEXT,
  countsOf,
  emptyDatabase,
  emptyTables,
  type Importing,
  importInto,
  makeFolder,
  remoteOver,
  WINDOW,
} from '../../../readers/database.ts'
import { calendar, itemsOf } from '../../../readers/ics-calendar.ts'
import { event, venue } from '../../../readers/site-server.ts'

const db = emptyDatabase()
const folder = makeFolder()
afterEach(async () => {
  // Whatever an import does, all that is derived follows; a count of zero may stay or not.
  const nonZero = (table: string) => (table === 'listing_counts' ? ' WHERE count <> 0' : '')
  for (const table of ['term_ancestors', 'listings', 'listing_counts']) {
    const columns = table === 'listings' ? 'facet, target_id, utc_start_date, event_id, utc_end_date' : '*'
    const [stored, owed] = [table, `expected_${table}`].map(name => `SELECT ${columns} FROM ${name}`)
    const wrong = `SELECT * FROM (${stored} EXCEPT ${owed})${nonZero(table)}`
    const missing = `SELECT * FROM (${owed} EXCEPT ${stored})`
    expect(await db.query(`${wrong} UNION ALL ${missing}`), table).toEqual([])
  }
})

type Lists = Partial<Record<'events' | 'series' | 'venues' | 'categories' | 'tags', object[]>>

/** Imports lists as one saved page each. */
async function importPages(lists: Lists, options: Importing & { connection?: Connection } = {}) {
  const paths = await Promise.all(
    Object.entries(lists).map(async ([name, items]) => {
      const path = join(folder, `${name}.json`)
      await writeFile(
        path,
        JSON.stringify({ [name]: items, rest_url: `https://town.example/api/v1/${name}/?page=1` }),
      )
      return path
    }),
  )
  return importInto(options.connection ?? db, fileItems(paths, WINDOW, CONTEXT), options)
}

const three = (): Lists => ({
  events: [
    event(1, { venue: venue(10) }),
    event(2, { venue: venue(11), tags: [{ id: 50, name: 'old' }] }),
    event(3),
  ],
  venues: [venue(10), venue(11)],
  tags: [{ id: 50, name: 'old', slug: 'old' }],
})

const edit = (id: number) =>
  db.query(`UPDATE events SET title = 'Ours', version = version + 1 WHERE id = ?`, id)

/** What a calendar whose events have no slugs of their own becomes, with a summary of each. */
const readNames = async (summary: string, language: string) => {
  const about = [`SUMMARY:Führung ${summary}`, 'LOCATION:Süd\\, Åhus', 'CATEGORIES:Öffentlich']
  const lines = ['DTSTART:20270301T080000Z', 'DTEND:20270301T120000Z', ...about]
  const events = [
    ['UID:one', ...lines],
    ['UID:many', ...lines, 'RRULE:FREQ=WEEKLY;COUNT=2'],
  ]
  await importInto(db, await itemsOf(calendar(events)), { language })
  const rows = await db.query(`SELECT slug FROM events UNION ALL SELECT slug FROM series
    UNION ALL SELECT slug FROM venues UNION ALL SELECT slug FROM terms`)
  return rows.map(({ slug }) => slug)
}

describe('slugs that are made from names', () => {
  it('are spelled in the language of the calendar, and stay as they are in another one', async () => {
    const before = await readNames('im Park', 'en')
    expect(before).toEqual(expect.arrayContaining(['fuhrung-im-park', 'sud', 'offentlich']))
    expect(await readNames('im Park', 'de')).toEqual(before)
    await db.query(`UPDATE imports SET hash = ''`)
    expect(await readNames('im Park', 'de')).toEqual(before)
    await emptyTables(db)
    const german = await readNames('im Park', 'de-AT')
    expect(german).toEqual(expect.arrayContaining(['fuehrung-im-park', 'sued', 'oeffentlich']))
    await db.query(`UPDATE imports SET hash = ''`)
    expect(await readNames('im Park', 'en')).toEqual(german)
    expect(await readNames('am See', 'de')).toContain('fuehrung-am-see')
  })
})

describe('importing again', () => {
  it('leaves alone what was edited here, and reports it if it has changed there too', async () => {
    await importPages(three())
    await edit(2)
    expect(countsOf(await importPages(three()))).toEqual([
      'tag unchanged 1',
      'venue unchanged 2',
      'event unchanged 3',
    ])
    const changed = three()
    changed.events?.splice(
      1,
      1,
      event(2, { title: 'Theirs', venue: venue(11), tags: [{ id: 50, name: 'old' }] }),
    )
    const report = await importPages(changed)
    expect(report.reasons).toEqual(['skipped: event 2 (Theirs): it was edited here'])
    expect(await db.query('SELECT title FROM events WHERE id = 2')).toEqual([{ title: 'Ours' }])
  })

  it('leaves alone what was edited here and put back, and changes what was only published', async () => {
    await importPages(three())
    const change = async (before: string, after: string) => {
      await db.query('UPDATE events SET title = ?, version = version + 1 WHERE id = 1', after)
      await db.query(
        `INSERT INTO audit (at_utc, user_id, request_id, action, kind, object_id, fields, changed)
          VALUES ('2026-11-20 12:00:00', 1, 'r', 'update', 'event', 1, '["title"]', json_object('title', json_array(?, ?)))`,
        ...[before, after],
      )
    }
    await change('Concert 1', 'Ours')
    await change('Ours', 'Concert 1')
    const theirs = [1, 2, 3].map(id => event(id, { title: 'Theirs' }))
    expect((await importPages({ events: theirs })).reasons).toEqual([
      'skipped: event 1 (Theirs): it was edited here',
    ])
    // What an administrator has published counts as an edit, if it is a draft at its source.
    await importPages({ events: [event(4, { status: 'draft' })] })
    await db.query(`UPDATE events SET status = 'publish', version = version + 1 WHERE id = 4`)
    await db.query(
      `INSERT INTO audit (at_utc, user_id, action, kind, object_id, fields, changed)
        VALUES ('2026-11-20 12:00:00', 1, 'update', 'event', 4, '["status"]', '{"status":["draft","publish"]}')`,
    )
    const changed = (status: string) => importPages({ events: [event(4, { status, title: 'Fourth' })] })
    expect((await changed('draft')).reasons).toEqual(['skipped: event 4 (Fourth): it was edited here'])
    expect(countsOf(await changed('publish'))).toEqual(['event updated 1'])
    // What was taken off the lists stays so when the audit has forgotten the values.
    await importPages({ events: [event(5)] })
    await db.query(`UPDATE events SET status = 'draft', version = version + 1 WHERE id = 5`)
    await db.query(
      `INSERT INTO audit (at_utc, user_id, action, kind, object_id, fields)
        VALUES ('2025-10-01 12:00:00', 1, 'update', 'event', 5, '["status"]')`,
    )
    expect((await importPages({ events: [event(5, { title: 'Fifth' })] })).reasons).toEqual([
      'skipped: event 5 (Fifth): it was edited here',
    ])
  })

  it('does not bring back what was deleted here', async () => {
    await importPages(three())
    await db.query('DELETE FROM events WHERE id = 3')
    expect((await importPages(three())).reasons).toEqual([
      'skipped: event 3 (Concert 3): it was deleted here',
    ])
  })

  it('as a mirror undoes edits, restores deleted events and trashes vanished ones', async () => {
    await importPages(three())
    await edit(1)
    await db.query('DELETE FROM events WHERE id = 3')
    const less = three()
    less.events?.splice(1, 1)
    less.venues?.splice(1, 1)
    less.tags?.splice(0, 1, { id: 51, name: 'new', slug: 'new' })
    const report = await importPages(less, { mirror: true })
    expect(countsOf(report)).toEqual([
      'tag created 1',
      'tag trashed 1',
      'venue unchanged 1',
      'venue trashed 1',
      'event created 1',
      'event updated 1',
      'event trashed 1',
    ])
    expect(await db.query('SELECT id, title, status, slug FROM events ORDER BY id')).toEqual([
      { id: 1, title: 'Concert 1', status: 'publish', slug: 'concert-1' },
      { id: 2, title: 'Concert 2', status: 'trash', slug: 'concert-2__trashed' },
      { id: 3, title: 'Concert 3', status: 'publish', slug: 'concert-3' },
    ])
    expect(await db.query('SELECT id FROM terms')).toEqual([{ id: 51 }])
    expect(countsOf(await importPages(less, { mirror: true }))).toEqual([
      'tag unchanged 1',
      'venue unchanged 1',
      'event unchanged 2',
    ])
  })

  it('takes out of the trash what returns', async () => {
    await importPages(three())
    await importPages({ ...three(), events: [event(1)] }, { mirror: true })
    expect(countsOf(await importPages(three()))).toContain('event updated 3')
    expect(await db.query('SELECT DISTINCT status FROM events')).toEqual([{ status: 'publish' }])
  })

  it('of an older run that broke off writes the rest', async () => {
    let left = 2
    const connection = beforeWrites(db, async () => {
      // As if the process were killed: nothing is written any more.
      if (left-- <= 0) throw new Error('SQLITE_ERROR: gone')
    })
    await importPages(three(), { connection, batchSize: 2 }).catch(() => {})
    const [first] = await db.query(
      'SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM venues) AS n',
    )
    expect(Number(first?.n)).toBeLessThan(5)
    expect((await importPages(three())).total('failed')).toBe(0)
    expect(await db.query('SELECT id, version FROM events ORDER BY id')).toEqual(
      [1, 2, 3].map(id => ({ id, version: 1 })),
    )
  })

  it('writes nothing in a dry run, and says what it would do', async () => {
    const lines: string[] = []
    const report = await importPages(three(), { dryRun: true, say: line => lines.push(line) })
    expect(countsOf(report)).toEqual(['tag created 1', 'venue created 2', 'event created 3'])
    expect(lines).toContain('would create event 1: Concert 1')
    for (const table of ['events', 'venues', 'terms', 'users', 'imports', 'images'])
      expect(await db.query(`SELECT * FROM ${table}`), table).toEqual([])
  })

  it('gives other ids and slugs where those are taken', async () => {
    await importPages(three())
    const other = { events: [event(1, { title: 'Elsewhere' })] }
    const path = join(folder, 'other.json')
    await writeFile(path, JSON.stringify({ ...other, rest_url: 'https://village.example/api/v1/events' }))
    await importInto(db, fileItems([path], WINDOW, CONTEXT))
    expect(await db.query(`SELECT id, slug FROM events WHERE title = 'Elsewhere'`)).toEqual([
      { id: 4, slug: 'concert-1-2' },
    ])
    expect(countsOf(await importInto(db, fileItems([path], WINDOW, CONTEXT)))).toEqual(['event unchanged 1'])
  })

  it('links a category that is here already, and never changes that', async () => {
    await db.query(
      `INSERT INTO terms (taxonomy, name, name_key, sort_name, slug, path) VALUES ('event_category', 'JAZZ', 'jazz', 'jazz', 'jazz', 'jazz')`,
    )
    const lists = { events: [event(1, { categories: [{ id: 77, name: 'Jazz', slug: 'jazz' }] })] }
    await importPages(lists)
    expect(await db.query('SELECT name, count FROM terms')).toEqual([{ name: 'JAZZ', count: 1 }])
    expect(countsOf(await importPages(lists, { mirror: true }))).toEqual([
      'category unchanged 1',
      'event unchanged 1',
    ])
  })

  it('keeps a chain of categories as deep as it may be, and what would be deeper at its end', async () => {
    const categories = Array.from({ length: 13 }, (_, i) => ({
      id: 100 + i,
      name: `Level ${i + 1}`,
      slug: `level-${i + 1}`,
      parent: i === 0 ? 0 : 99 + i,
    }))
    for (const expected of ['category created 13', 'category unchanged 13'])
      expect(countsOf(await importPages({ categories }))).toEqual([expected])
    const depths = await db.query(
      `SELECT name, count(*) AS depth FROM terms JOIN term_ancestors ON term_id = terms.id GROUP BY terms.id ORDER BY terms.id`,
    )
    expect(depths.map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10])
  })

  it('copes with a change of the database in between', async () => {
    await importPages(three())
    const changed = { ...three(), events: [event(1, { title: 'New' }), event(2, { title: 'New' }), event(3)] }
    let meddled = false
    const connection = beforeWrites(db, async () => {
      if (!meddled) await edit(2)
      meddled = true
    })
    const report = await importPages(changed, { connection })
    expect(report.reasons).toEqual(['skipped: event 2 (New): it was edited here'])
    expect(await db.query('SELECT title FROM events ORDER BY id')).toEqual(
      ['New', 'Ours', 'Concert 3'].map(title => ({ title })),
    )
  })

  it('keeps the emoji of slugs', async () => {
    const lists = { events: [event(1, { slug: 'walk-%f0%9f%8e%b7-3' }), event(2, { slug: '%f0%9f%8e%b7' })] }
    await importPages(lists)
    const slugs = () => db.query('SELECT slug FROM events ORDER BY id')
    expect(await slugs()).toEqual([{ slug: 'walk-🎷-3' }, { slug: '🎷' }])
  })

  it('numbers a slug that another row is only about to give up', async () => {
    await importPages({ events: [event(1, { slug: 'a' }), event(2, { slug: 'b' })] })
    await importPages({ events: [event(1, { slug: 'b' }), event(2, { slug: 'c' })] })
    expect(await db.query('SELECT slug FROM events ORDER BY id')).toEqual([{ slug: 'b-2' }, { slug: 'c' }])
  })
})

describe('a remote database', () => {
  it('gets files of statements under its limits, and texts of any length', async () => {
    const long = `<p>${'Lang & länger; "so" geht’s 🎻 '.repeat(6_000)}</p>`
    const { database, sent } = remoteOver(db)
    const lists = { events: [event(1, { description: long, title: `It's; "quoted"` }), event(2), event(3)] }
    const report = await importPages(lists, { database })
    expect(report.total('failed')).toBe(0)
    expect(sent.largest).toBeLessThan(100_000)
    const [remote] = await db.query('SELECT title, description FROM events WHERE id = 1')
    const search = await db.query('SELECT listed FROM events_search ORDER BY rowid')
    await emptyTables(db)
    await importPages(lists)
    expect(await db.query('SELECT title, description FROM events WHERE id = 1')).toEqual([remote])
    expect(await db.query('SELECT listed FROM events_search ORDER BY rowid')).toEqual(search)
  })

  it('is asked at most once for a hundred records', async () => {
    const { database, sent } = remoteOver(db)
    const events = Array.from({ length: 1_000 }, (_, i) =>
      event(i + 1, {
        image: `https://images.example/${'x'.repeat(60)}/${i}.jpg`,
        venue: venue(5_000 + (i % 100)),
      }),
    )
    for (const outcome of ['created', 'unchanged'] as const) {
      sent.requests = 0
      expect(
        (await importPages({ events }, { database, batchSize: 2_000 })).countOf('event', outcome),
        outcome,
      ).toBe(1_000)
      expect(sent.requests, outcome).toBeLessThanOrEqual(11)
    }
  })
})

describe('dates of a series, importing again', () => {
  const day = (n: number) => `2027-03-0${n} 20:00:00`
  const series = () => [
    {
      ...event(9, { start_date: day(1), end_date: day(1) }),
      id: 70,
      recurrence: { rrule: 'FREQ=DAILY;COUNT=4' },
    },
  ]
  const dated = (id: number, n: number) =>
    event(id, {
      start_date: day(n),
      end_date: day(n),
      utc_start_date: day(n),
      utc_end_date: day(n),
      series: { id: 70, occurrence_date: day(n) },
    })
  const rows = () => db.query('SELECT id, title, occurrence_date AS date FROM events ORDER BY id')
  const row = (id: number, of: number, n: number) => ({ id, title: `Concert ${of}`, date: day(n) })

  it('leave their places to others that come there', async () => {
    await importPages({ series: series(), events: [dated(1, 1), dated(2, 2)] })
    expect(await rows()).toEqual([row(1, 1, 1), row(2, 2, 2)])
    const moved = () => ({ series: series(), events: [dated(1, 3), dated(2, 2), dated(4, 1)] })
    await importPages(moved())
    expect(await rows()).toEqual([row(1, 1, 3), row(2, 2, 2), row(4, 4, 1)])
    expect(countsOf(await importPages(moved()))).toEqual(['series unchanged 1', 'event unchanged 3'])
  })

  it('stay, while the events of the source change places', async () => {
    await importPages({ series: series(), events: [dated(1, 1), dated(2, 2)] })
    const swapped = () => ({ series: series(), events: [dated(1, 2), dated(2, 1)] })
    await importPages(swapped())
    expect(await rows()).toEqual([row(1, 2, 1), row(2, 1, 2)])
    expect(
      await db.query(
        "SELECT external_id AS id, target_id AS target FROM imports WHERE kind = 'event' ORDER BY 1",
      ),
    ).toEqual([
      { id: '1', target: 2 },
      { id: '2', target: 1 },
    ])
    expect(countsOf(await importPages(swapped()))).toEqual(['series unchanged 1', 'event unchanged 2'])
  })
})
