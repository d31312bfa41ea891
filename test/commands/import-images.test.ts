import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Report } from '../../src/calendar/imports/report.ts'
import { copyImages } from '../../src/commands/import-images.ts'
import { openImages } from '../../src/commands/local-d1.ts'
import type { ImageStore } from '../../src/kit/context.ts'
import { addressItems } from '../../src/readers/addresses.ts'
import { fileItems } from '../../src/readers/files.ts'
import { Client } from '../../src/readers/http.ts'
import { bytes } from '../calendar/media/build.ts'
import { JPEG, PNG, WEBP } from '../calendar/media/samples.ts'
import { databaseOver } from '../connection.ts'
import {
  CONTEXT,
  emptyTables,
  importInto,
  makeDatabases,
  makeFolder,
  makeStore,
  NOW,
  WINDOW,
} from '../readers/database.ts'
import { calendar } from '../readers/ics-calendar.ts'
import { CLIENT, emptySite, event, serveSite, venue } from '../readers/site-server.ts'

type TestDatabase = Awaited<ReturnType<typeof makeDatabases>>[number]

let from: TestDatabase
let to: TestDatabase
const folder = makeFolder()
let server: Awaited<ReturnType<typeof serveSite>>
const site = emptySite()
/** What the site has at its addresses: bytes, or a status. */
const files = new Map<string, Uint8Array | number>()
let failures = 0
let reader: Awaited<ReturnType<typeof openImages>>

beforeAll(async () => {
  const [first, second] = await makeDatabases()
  from = first
  to = second
  reader = await openImages()
  server = await serveSite(site, (url, response) => {
    const file = files.get(url.pathname)
    if (file === undefined) return false
    const status = typeof file === 'number' ? file : failures-- > 0 ? 503 : 200
    response.writeHead(status)
    response.end(status === 200 ? file : '')
    return true
  })
})
afterAll(async () => {
  await server.close()
  await from.close()
  await reader.close()
})
beforeEach(async () => {
  for (const db of [from, to]) {
    await db.batch([
      ['DELETE FROM image_removals'],
      ['DELETE FROM image_uploaders'],
      ['DELETE FROM unused_images'],
    ])
    await db.query('DELETE FROM audit')
    await emptyTables(db)
  }
  Object.assign(site, emptySite())
  files.clear()
  failures = 0
})

const retry = { ...CLIENT, attempts: 3 }

const importSite = () =>
  importInto(from, addressItems(server.address, { window: WINDOW, client: retry }, CONTEXT))

async function copy(store: ImageStore): Promise<Report> {
  const report = new Report()
  await copyImages({
    db: databaseOver(from),
    store,
    images: reader.images,
    client: new Client(retry),
    report,
    authorId: 1,
    now: NOW,
    progress: () => {},
  })
  return report
}

const put = (path: string, content: Uint8Array | number) => {
  files.set(path, content)
  return `${server.address}${path}`
}

/** The addresses of the images of all content, by table. */
const shown = async (db: TestDatabase) =>
  Promise.all(
    ['events', 'venues', 'organizers'].map(async table => {
      const rows = await db.query(
        `SELECT url FROM ${table} LEFT JOIN images ON images.id = image_id ORDER BY ${table}.id`,
      )
      return rows.map(({ url }) => url)
    }),
  )

const pathOf = (store: { files: Map<string, Uint8Array> }, i: number) =>
  `/media/${[...store.files.keys()][i]}`
const image = (url: string) => ({
  image: { url, id: '77', extension: 'jpg', width: 10, height: 10, sizes: {} },
})

/** A calendar of an event. */
const ics = (lines: string[]) => calendar([['UID:a', ...lines]])

describe('images of a site', () => {
  it('keep their alternative texts', async () => {
    site.events.push(event(1, image(put('/uploads/band.jpg', JPEG))), event(2, image(put('/b.png', PNG))))
    await importSite()
    await from.query("UPDATE images SET alt_text = 'Four people with fiddles' WHERE url LIKE '%band.jpg'")
    await copy(makeStore())
    expect(
      await from.query("SELECT alt_text, search_text FROM images WHERE url LIKE '/media/%' ORDER BY id"),
    ).toEqual([
      { alt_text: 'Four people with fiddles', search_text: expect.stringContaining('four people with') },
      { alt_text: '', search_text: 'b' },
    ])
  })

  it('are copied, cleaned, once each, and used wherever they were', async () => {
    const a = put('/uploads/Jazz%20night.jpg', JPEG)
    const same = put('/uploads/again.png', JPEG)
    const b = put('/uploads/b.png', PNG)
    site.events.push(
      event(1, image(a)),
      event(2, image(same)),
      event(3, { ...image(b), venue: venue(5, image(a)) }),
    )
    site.organizers.push({ id: 8, organizer: 'The Guild', slug: 'the-guild', ...image(b) })
    await importSite()
    const store = makeStore()
    const report = await copy(store)
    expect([report.countOf('image', 'created'), report.countOf('image', 'failed')]).toEqual([3, 0])
    expect(store.files.size).toBe(2)
    for (const [name, content] of store.files) {
      expect(name.split('.')[0]).toBe(createHash('sha256').update(content).digest('hex'))
      expect(Buffer.from(content).includes('SECRET')).toBe(false)
    }
    const [one, two] = ['.jpg', '.png'].map(
      end => `/media/${[...store.files.keys()].find(name => name.endsWith(end))}`,
    )
    expect(await shown(from)).toEqual([[one, one, two], [one], [two]])
    const rows = await from.query(`SELECT * FROM images WHERE url = ?`, one ?? '')
    expect(rows).toMatchObject([
      {
        width: 16,
        height: 24,
        mime_type: 'image/jpeg',
        author_id: 1,
        title: 'Jazz night',
        slug: 'jazz-night',
        search_text: 'jazz night',
      },
    ])
    const entries = await from.query(`SELECT action, request_id FROM audit WHERE kind = 'image'`)
    expect(entries).toEqual(
      [1, 2].map(() => ({ action: 'create', request_id: expect.stringContaining('import:127') })),
    )
  })

  it('are reported as failed if the database does not keep them', async () => {
    site.events.push(event(1, image(put('/a.jpg', JPEG))))
    await importSite()
    await from.query(`CREATE TRIGGER unkept AFTER INSERT ON images WHEN NEW.url LIKE '/media/%'
      BEGIN DELETE FROM images WHERE id = NEW.id; END`)
    const report = await copy(makeStore())
    await from.query('DROP TRIGGER unkept')
    expect([report.countOf('image', 'created'), report.countOf('image', 'failed')]).toEqual([0, 1])
  })

  it('are those of series as well, for the occurrences that time adds', async () => {
    const file = join(folder, 'series.ics')
    const lines = ['DTSTART:20270105T200000Z', 'RRULE:FREQ=WEEKLY;COUNT=3', `IMAGE:${put('/a.jpg', JPEG)}`]
    await writeFile(file, ics(lines))
    await importInto(from, fileItems([file], WINDOW, CONTEXT))
    const store = makeStore()
    await copy(store)
    const path = pathOf(store, 0)
    expect(await shown(from)).toEqual([[path, path, path], [], []])
    const all = 'SELECT url FROM series JOIN images ON images.id = image_id'
    expect(await from.query(all)).toEqual([{ url: path }])
    await writeFile(file, ics([...lines, 'SUMMARY:A new title']))
    expect((await importInto(from, fileItems([file], WINDOW, CONTEXT))).countOf('series', 'updated')).toBe(1)
    expect(await from.query(all)).toEqual([{ url: path }])
  })

  it('do not count as edited when an event begins to repeat', async () => {
    const file = join(folder, 'repeats.ics')
    const lines = ['DTSTART:20270105T200000Z', `IMAGE:${put('/a.jpg', JPEG)}`]
    await writeFile(file, ics(lines))
    await importInto(from, fileItems([file], WINDOW, CONTEXT))
    await copy(makeStore())
    await from.query(`UPDATE events SET title = 'Changed here', version = version + 1`)
    await from.query(`INSERT INTO audit (at_utc, user_id, action, kind, object_id, fields, changed)
      SELECT '2026-11-20 12:00:00', 1, 'update', 'event', id, '["title"]', '{"title":["","Changed here"]}' FROM events`)
    await writeFile(file, ics([...lines, 'RRULE:FREQ=WEEKLY;COUNT=2']))
    await importInto(from, fileItems([file], WINDOW, CONTEXT))
    const rows = await from.query('SELECT title, detached FROM events ORDER BY start_date')
    expect(rows.map(({ title, detached }) => [title, JSON.parse(String(detached))])).toEqual([
      ['Changed here', ['title']],
      ['', []],
    ])
  })

  it('are not fetched again, and later imports know them', async () => {
    const a = put('/a.jpg', JPEG)
    const unchanged = event(2, image(a))
    site.events.push(event(1, image(a)), unchanged)
    await importSite()
    const store = makeStore()
    await copy(store)
    const path = pathOf(store, 0)
    site.events[0] = event(1, { ...image(a), title: 'A new title' })
    const again = await importSite()
    expect([again.countOf('event', 'updated'), again.countOf('event', 'unchanged')]).toEqual([1, 1])
    expect(await shown(from)).toEqual([[path, path], [], []])
    const before = server.requests.length
    expect((await copy(store)).countOf('image', 'created')).toBe(0)
    expect(server.requests).toHaveLength(before)
  })

  it('count as edited at the next import if they did before', async () => {
    site.events.push(event(1, image(put('/a.jpg', JPEG))))
    await importSite()
    await copy(makeStore())
    expect(await from.query('SELECT version FROM events')).toEqual([{ version: 2 }])
    const [entry] = await from.query("SELECT action, fields FROM audit WHERE kind = 'event' ORDER BY id DESC")
    expect(entry).toEqual({ action: 'update', fields: '["image"]' })
    site.events[0] = event(1, { title: 'A new title' })
    expect((await importSite()).countOf('event', 'updated')).toBe(1)
    expect(await shown(from)).toEqual([[null], [], []])
  })

  it('that cannot be fetched stay where they are, and are reported with the reason', async () => {
    const bad = {
      missing: put('/missing.jpg', 404),
      svg: put('/x.svg', bytes('<svg onload="alert(1)"/>')),
      long: put('/long.jpg', bytes(JPEG, new Uint8Array(11 * 1024 * 1024))),
      broken: put('/broken.png', PNG.slice(0, 100)),
      down: put('/down.jpg', 503),
    }
    site.events.push(
      ...Object.values(bad).map((url, i) => event(i + 1, image(url))),
      event(9, image(put('/good.jpg', WEBP))),
    )
    await importSite()
    const store = makeStore()
    const report = await copy(store)
    expect([report.countOf('image', 'created'), report.countOf('image', 'failed')]).toEqual([1, 5])
    expect(report.reasons).toEqual([
      `failed: image ${bad.missing}: HTTP 404`,
      expect.stringMatching(/^failed: image .*x\.svg: it is an SVG/),
      expect.stringMatching(/^failed: image .*long\.jpg: longer than 10485760 bytes/),
      expect.stringMatching(/^failed: image .*broken\.png: it is a broken image/),
      expect.stringMatching(/^failed: image .*down\.jpg: .*HTTP 503, 3 times/),
    ])
    expect((await shown(from))[0]).toEqual([...Object.values(bad), pathOf(store, 0)])
    expect(report.text({ verbose: false })).toMatch(/^image +1 +0 +0 +0 +5$/m)
  })

  it('are tried again when a server is busy', async () => {
    site.events.push(event(1, image(put('/a.jpg', JPEG))))
    await importSite()
    failures = 2
    expect((await copy(makeStore())).countOf('image', 'created')).toBe(1)
  })

  it('that nothing shows any more are left alone', async () => {
    await from.query(`INSERT INTO images (url) VALUES (?)`, put('/unused.jpg', JPEG))
    const store = makeStore()
    expect((await copy(store)).countOf('image', 'created')).toBe(0)
    expect(store.files.size).toBe(0)
  })

  it('whose file is just being deleted fail, and do not point to nothing', async () => {
    site.events.push(event(1, image(put('/a.jpg', JPEG))))
    await importSite()
    const store = makeStore()
    await copy(store)
    const [file = ''] = store.files.keys()
    await from.batch([
      ['UPDATE events SET image_id = NULL'],
      ['DELETE FROM image_uploaders'],
      ['DELETE FROM images WHERE url = ?', `/media/${file}`],
      ['INSERT INTO image_removals (file, at_utc) VALUES (?, ?)', file, NOW],
      [`UPDATE events SET image_id = (SELECT id FROM images)`],
      ['UPDATE images SET copied_id = NULL'],
    ])
    expect((await copy(store)).countOf('image', 'failed')).toBe(1)
    await from.query('UPDATE image_removals SET is_done = 1')
    expect((await copy(store)).countOf('image', 'created')).toBe(1)
    expect(await shown(from)).toEqual([[`/media/${file}`], [], []])
  })
})
