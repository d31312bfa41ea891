import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getTableColumns } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkRow } from '../../../../src/commands/backup/checks.ts'
import { exportCalendar } from '../../../../src/commands/backup/export.ts'
import { digestOfFile, type FieldRow, isBackup } from '../../../../src/commands/backup/manifest.ts'
import {
  type DumpedName,
  dumpedColumns,
  dumpedNames,
  dumpedTable,
  fieldColumns,
  notInBackups,
} from '../../../../src/commands/backup/tables.ts'
import { RemoteDatabase } from '../../../../src/commands/remote-database.ts'
import { runCron } from '../../../../src/cron.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import type { RawRow } from '../../../../src/kit/db/query.ts'
import { beginAtNoon } from '../../../clock.ts'
import { databaseOver } from '../../../connection.ts'
import { DERIVED, findDriftIn } from '../../../derived/values.ts'
import { PARTS } from '../../../features.ts'
import { beforeWrites, makeDatabase, makeFolder, makeStore, NOW } from '../../../readers/database.ts'
import { addPasswords, type Calendar, fill, readSource, restoreInto, send, serveFeed, VARS } from '../rich.ts'

const DUMPED = dumpedColumns()
const DUMPED_NAMES = dumpedNames()
const LEFT_OUT = notInBackups()

let from: Calendar
let feed: Awaited<ReturnType<typeof serveFeed>>
const store = makeStore()
const folder = makeFolder()
const out = join(folder, 'out')

const exportTo = (db: Calendar, path: string, bucket = store) =>
  exportCalendar(new Database(db.d1), { folder: path, store: bucket, now: NOW, progress: () => {} })

beginAtNoon()
beforeAll(async () => {
  from = await makeDatabase()
  feed = await serveFeed()
  await fill(from, store, feed.address)
  await exportTo(from, out)
})
afterAll(async () => {
  await feed.close()
  await from.close()
})

/** All files of a backup but for the stamp of its manifest. */
async function filesIn(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path, { recursive: true })).filter(name => name.includes('.')).sort()
  const texts = await Promise.all(names.map(name => readFile(join(path, name), 'latin1')))
  return Object.fromEntries(
    names.map((name, i) => [name, (texts[i] ?? '').replace(/"exported_utc": "[^"]*"/, '')]),
  )
}

/** The rows of all tables that a backup has, but for what it leaves out. */
async function rowsOf(db: Calendar): Promise<Record<string, RawRow[]>> {
  const left = Object.keys(DUMPED).flatMap(name =>
    Object.entries(getTableColumns(dumpedTable(name).table)).flatMap(([column, { name: stored }]) =>
      `${name}.${column}` in LEFT_OUT ? [`${name}.${stored}`] : [],
    ),
  )
  const tables = Object.keys(DUMPED).map(name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))
  const all = await db.batch(tables.map((table): [string] => [`SELECT * FROM ${table} ORDER BY 1`]))
  return Object.fromEntries(
    Object.keys(DUMPED).map((name, i) => [
      name,
      (all[i] ?? []).map(row =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !left.includes(`${name}.${column}`))),
      ),
    ]),
  )
}

const ANONYMOUS = undefined

/** Addresses of lists and, for some callers, of every single row, deleted ones included. */
async function addresses(db: Calendar, as: string | undefined): Promise<string[]> {
  const isPublic = as === ANONYMOUS
  const each = async (table: string, ...paths: string[]) => {
    const [row] = await db.query(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`)
    return paths.flatMap(path =>
      Array.from({ length: Number(row?.seq) }, (_, i) => path.replace('*', `${i + 1}`)),
    )
  }
  const slugs = (await db.query('SELECT slug FROM events ORDER BY id')).map(({ slug }) => String(slug))
  const all = 'start_date=2020-01-01&end_date=2095-01-01&per_page=100'
  const filters = ['search=mat', 'search=grass', 'categories=arts', 'venue=1', 'source=1', 'featured=true']
  const statuses = 'status=publish,draft,pending,private,future,trash'
  const lists = 'venues organizers categories tags media sources webhooks submissions duplicates'.split(' ')
  const pages = ['/venue/barn-the/', '/organizer/guild/', '/venue/the-barn/', '/events/', '/sitemap.xml']
  const found = [
    ...['', statuses, ...filters].map(filter => `events?${all}&${filter}`),
    ...[...lists, 'venues?status=trash', 'venues?search=kent', 'organizers?search=guild'],
  ]
  if (!isPublic && as !== 'administrator') return [...found, 'venues/2']
  return [
    ...found,
    ...(await each('events', 'events/*')),
    ...(await each('series', 'series/*')),
    ...(await each('venues', 'venues/*')),
    ...(await each('organizers', 'organizers/*')),
    ...(await each('terms', 'categories/*', 'tags/*')),
    ...(await each('images', 'media/*')),
    ...(isPublic
      ? [...pages, ...slugs.map(slug => `/event/${slug}/`), `events.ics?${all}`, `events.rss?${all}`]
      : []),
  ]
}

/**
 * Parts of responses that differ between databases: ids of calendars, the state and progress of webhooks, and
 * contact data, which backups leave out.
 */
const OWN =
  /"active":(?:true|false)|"state":"(?:new|paused)"|"behind":\d+|X-CALENDAR-ID:.*|"(?:name|email)":"(?:Ann|ann@home.example)?"/g

/** The responses to a caller, by their addresses. */
async function responsesTo(db: Calendar, as: string | undefined): Promise<Record<string, string>> {
  const responses = (await addresses(from, as)).map(async path => {
    const response = await send(db, 'GET', path, as === ANONYMOUS ? {} : { as })
    const text = await response.text()
    return [path, `${response.status} ${response.headers.get('location')} ${text.replace(OWN, '')}`]
  })
  return Object.fromEntries(await Promise.all(responses))
}

it('no file of a backup has what features keep out of it', async () => {
  const tables = await from.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'",
  )
  const rows = await from.batch(tables.map(({ name }): [string] => [`SELECT * FROM "${name}"`]))
  const files = JSON.stringify(await filesIn(out))
  for (const { keptOut } of PARTS)
    if (keptOut) expect([keptOut.test(JSON.stringify(rows)), keptOut.test(files)]).toEqual([true, false])
})

describe('a restored calendar', () => {
  let to: Calendar
  const bucket = makeStore()
  beforeAll(async () => {
    to = await makeDatabase()
    await restoreInto(to, out, { store: bucket })
    await addPasswords(to)
  })

  it('has every row, with every column that a backup does not leave out', async () => {
    const before = await rowsOf(from)
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
    expect(await rowsOf(to)).toEqual(before)
    expect(bucket.files).toEqual(store.files)
    expect(store.files.size).toBeGreaterThan(2)
  })

  // The responses to other roles follow from the same rows.
  it.each([ANONYMOUS, 'author', 'administrator'])('responds to %s as before', async as => {
    const before = await responsesTo(from, as)
    const after = await responsesTo(to, as)
    expect(Object.keys(before).filter(path => before[path] !== after[path])).toEqual([])
    const found = Object.values(before).filter(response => response.startsWith('200'))
    expect(found.length).toBeGreaterThan(as === ANONYMOUS || as === 'administrator' ? 50 : 10)
    expect(before['venues/2']).toMatch(/^301 .*\/venues\/1/)
  })

  it.each(DERIVED)('has $name', async ({ stored, base, expect: expected = row => row }) => {
    expect(await to.query(stored)).toEqual((await to.query(base)).map(row => expected(row)))
  })

  it('has the same backup', async () => {
    for (const [name, db, images] of [
      ['same', from, store],
      ['again', to, bucket],
    ] as const) {
      await exportTo(db, join(folder, name), images)
      expect(await filesIn(join(folder, name)), name).toEqual(await filesIn(out))
    }
  })

  it('sends webhooks no changes from before the restore once they are switched on', async () => {
    const [webhook] = await to.query('SELECT * FROM webhooks ORDER BY id')
    const [before] = await from.query('SELECT * FROM webhooks ORDER BY id')
    expect(webhook).toMatchObject({ active: 0, url: before?.url, filters: before?.filters })
    expect(webhook?.secret).not.toBe(before?.secret)
    const waiting = `SELECT count(*) AS n FROM webhook_places AS place JOIN changes ON changes.kind = place.kind
      AND changes.change_number > place.n`
    expect(await to.query(waiting)).toEqual([{ n: 0 }])
  })

  it('has later change numbers than the calendar ever had', async () => {
    const numbers = 'SELECT change_number, public_change_number FROM revision'
    const [before] = await from.query(numbers)
    const [after] = await to.query(numbers)
    expect(Number(after?.change_number)).toBeGreaterThan(Number(before?.change_number) + 1_000_000)
    expect(Number(after?.public_change_number)).toBeGreaterThan(
      Number(before?.public_change_number) + 1_000_000,
    )
    const left = await to.query('SELECT write_state, purges_left, image_purges_left FROM revision')
    expect(left).toEqual([{ write_state: 0, purges_left: 2, image_purges_left: 2 }])
    // Duplicates of what was restored are known.
    expect(
      await to.query(`SELECT 1 FROM changes, twins_place AS place
        WHERE kind = 'events' AND (changes.change_number, changes.id) > (place.n, place.id)`),
    ).toEqual([])
  })

  it.each([undefined, 'editor', 'author'])('makes %s copy its lists again', async as => {
    const read = (db: Calendar, since = '') =>
      send(db, 'GET', `events/changes${since && `?since=${since}`}`, as === undefined ? {} : { as })
    const { next } = await (await read(from)).json<{ next: string }>()
    expect((await read(from, next)).status).toBe(200)
    expect((await read(to, next)).status).toBe(410)
    const copy = await (await read(to)).json<{ next: string; events: unknown[]; deleted: number[] }>()
    expect(copy.events.length).toBeGreaterThan(10)
    expect(await (await read(to, copy.next)).json()).toMatchObject({ events: [], deleted: [], more: false })
  })

  it.each(['editor', 'author'])('accepts no entity tag that %s got before the restore', async as => {
    const path = 'events/4'
    const tag = (db: Calendar) =>
      send(db, 'GET', path, { as }).then(({ headers }) => headers.get('etag') ?? '')
    const before = await tag(from)
    const now = await tag(to)
    const patch = (db: Calendar, ifMatch: string) =>
      send(db, 'PATCH', path, { as, json: { cost: '' }, headers: { 'if-match': ifMatch } })
    expect((await patch(to, before)).status).toBe(412)
    expect((await patch(to, now)).status).toBe(200)
  })

  it('never reuses ids of deleted rows', async () => {
    const highest = `SELECT max(seq, (SELECT max(id) FROM events)) AS id FROM sqlite_sequence WHERE name = 'events'`
    const [last] = await from.query(highest)
    const made = await send(to, 'POST', 'events', {
      as: 'administrator',
      json: { title: 'New', start_date: '2027-06-01', end_date: '2027-06-01' },
    })
    expect((await made.json<{ id: number }>()).id).toBe(Number(last?.id) + 1)
  })

  it('imports nothing twice from its sources', async () => {
    const before = await to.query('SELECT * FROM events ORDER BY id')
    const report = await readSource(to)
    expect(report.reasons).toEqual([])
    expect(report.countOf('event', 'unchanged')).toBe(3)
    expect(await to.query('SELECT * FROM events ORDER BY id')).toEqual(before)
  })
})

/** A database that ends a restore at its n-th write, before or after that is done. */
function endingAt(db: Calendar, n: number, isDone: boolean): Database {
  let left = n
  const end = (): never => {
    throw new Error('killed')
  }
  return databaseOver({
    ...db,
    batch: async statements => {
      const isWrite = statements.some(([text]) => !/^\s*(?:SELECT|WITH)/i.test(text))
      if (isWrite) left -= 1
      if (left === 0 && isWrite && !isDone) end()
      const rows = await db.batch(statements)
      return left === 0 && isWrite ? end() : rows
    },
  })
}

describe('a restore that was interrupted', () => {
  it('is announced to everybody, continues where it stopped, and has the same result', {
    timeout: 300_000,
  }, async () => {
    const db: Calendar = await makeDatabase()
    const bucket = makeStore()
    const restoring = async () => (await db.query('SELECT restoring FROM revision'))[0]?.restoring
    const path = 'events?start_date=2020-01-01'
    const marks: unknown[] = []
    for (let i = 0; ; i++) {
      const database = endingAt(db, 3, i % 2 === 0)
      await restoreInto(db, out, { database, store: bucket }).catch(() => undefined)
      const mark = await restoring()
      // The last transaction of all may be the one after which it is interrupted.
      if (mark === null) break
      marks.push(mark)
      if (i % 5 > 0) continue
      for (const address of [path, 'events/1', 'venues', '/events/', '/', 'events.ics', '/readyz'])
        expect((await send(db, 'GET', address)).status, address).toBe(503)
      const event = { title: 'X', start_date: '2027-05-01', end_date: '2027-05-01', email: 'a@b.example' }
      expect((await send(db, 'POST', 'submissions', { json: event })).status).toBe(503)
      expect((await send(db, 'GET', '/submit/00000000000000000000000000000000/')).status).toBe(503)
      const before = await rowsOf(db)
      // The cron would read sources, delete images and publish.
      await runCron({ ...VARS, DB: db.d1 }, Date.parse('2095-01-01T00:00:00Z'))
      expect(await rowsOf(db)).toEqual(before)
    }
    expect(marks.length).toBeGreaterThan(10)
    expect(new Set(marks).size).toBeGreaterThan(marks.length / 2)
    expect(await restoring()).toBeNull()
    await addPasswords(db)
    for (const address of [path, '/readyz']) expect((await send(db, 'GET', address)).status).toBe(200)
    await exportTo(db, join(folder, 'interrupted'), bucket)
    expect(await filesIn(join(folder, 'interrupted'))).toEqual(await filesIn(out))
    expect(await findDriftIn(db.d1)).toEqual([])
  })

  it('is never mixed with the restore of another backup, and runs in one process only', async () => {
    const db: Calendar = await makeDatabase()
    await expect(restoreInto(db, out, { database: endingAt(db, 9, true) })).rejects.toThrow()
    const other = join(folder, 'other')
    await exportCalendar(new Database(from.d1), {
      folder: other,
      store,
      now: '2026-12-24 18:00:00',
      progress: () => {},
    })
    await expect(restoreInto(db, other)).rejects.toThrow(
      'The restore of another backup was interrupted here.',
    )
    const setMark = (mark: unknown) => db.query('UPDATE revision SET restoring = ?', String(mark))
    const [row] = await db.query('SELECT restoring FROM revision')
    await setMark(JSON.stringify({ ...JSON.parse(String(row?.restoring)), step: 'of another version' }))
    await expect(restoreInto(db, out)).rejects.toThrow('Another version began this restore.')
    await setMark(row?.restoring)
    const both = await Promise.allSettled([restoreInto(db, out), restoreInto(db, out)])
    const failed = both.filter(({ status }) => status === 'rejected')
    expect(failed).toMatchObject([
      { reason: { message: 'Another process is restoring this calendar, too.' } },
    ])
    await restoreInto(db, out).catch(() => undefined)
    expect(await rowsOf(db)).toEqual(await rowsOf(from))
  })
})

describe('a calendar at Cloudflare', () => {
  it('is restored and exported through commands and files of a limited length', async () => {
    const db: Calendar = await makeDatabase()
    let longest = 0
    const runFile = async (file: string) => {
      const statements = (await readFile(file, 'utf8')).split(';\n').filter(text => text.trim() !== '')
      longest = Math.max(longest, ...statements.map(text => Buffer.byteLength(text)))
      await db.batch(statements.map((text): [string] => [text]))
    }
    const remote = () => new RemoteDatabase(db.batch, runFile)
    await restoreInto(db, out, { database: remote(), batchSize: 2_000 })
    expect(longest).toBeGreaterThan(40_000)
    expect(longest).toBeLessThan(100_000)
    expect(await rowsOf(db)).toEqual(await rowsOf(from))
    const given = { folder: join(folder, 'remote'), store, now: NOW, progress: () => {} }
    await exportCalendar(remote(), given)
    expect(await filesIn(given.folder)).toEqual(await filesIn(out))
  })
})

describe('a calendar', () => {
  it('that has only users gets the users of the backup, and no rows of tables that are newer than the backup', async () => {
    const older = join(folder, 'older')
    await cp(out, older, { recursive: true })
    await rm(join(older, 'reviewNotes.jsonl'))
    const text = await readFile(join(older, 'backup.json'), 'utf8')
    const { reviewNotes: _, ...tables } = JSON.parse(text).tables
    await writeFile(join(older, 'backup.json'), JSON.stringify({ ...JSON.parse(text), tables }))
    const db: Calendar = await makeDatabase()
    const at = '2026-01-01 00:00:00'
    for (const insert of [
      `users (id, login, role, created_utc) VALUES (1, 'me', 'administrator', '${at}')`,
      `passwords (user_id, digest, created_utc) VALUES (1, 'x', '${at}')`,
      `audit (at_utc, action, kind, object_id) VALUES ('${at}', 'create', 'user', 1)`,
    ])
      await db.query(`INSERT INTO ${insert}`)
    await restoreInto(db, older)
    expect(await rowsOf(db)).toEqual({ ...(await rowsOf(from)), reviewNotes: [] })
    expect(await db.query('SELECT * FROM passwords')).toEqual([])
  })

  it('says of each file that waited to be imported that it has to be uploaded again', async () => {
    const db: Calendar = await makeDatabase()
    const at = "'2026-11-20 12:00:00'"
    await db.query(
      `INSERT INTO users (id, login, role, created_utc) VALUES (1, 'me', 'administrator', ${at})`,
    )
    await db.query(`INSERT INTO sources (name, url, file, kind, every, status, author_id, created_utc, state, next_run_utc, last_run_utc, is_being_deleted)
      VALUES ('Imported', '', 'a.csv', 'csv', '', 'draft', 1, ${at}, 'ok', NULL, ${at}, 0),
      ('Uploaded', '', 'b.csv', 'csv', '', 'draft', 1, ${at}, 'paused', ${at}, NULL, 0),
      ('Due', '', 'c.csv', 'csv', '', 'draft', 1, ${at}, 'ok', ${at}, NULL, 0),
      ('Deleted', '', 'd.csv', 'csv', '', 'draft', 1, ${at}, 'ok', ${at}, ${at}, 1),
      ('Paused', 'https://x.example/', '', 'ical', 'day', 'draft', 1, ${at}, 'paused', ${at}, ${at}, 0)`)
    const waiting = join(folder, 'waiting')
    await exportTo(db, waiting)
    const to: Calendar = await makeDatabase()
    await restoreInto(to, waiting)
    const lost = { state: 'failing', code: 'source_lost_file', is_due: 0 }
    expect(
      await to.query('SELECT name, state, code, next_run_utc IS NOT NULL AS is_due FROM sources'),
    ).toEqual([
      { name: 'Imported', state: 'ok', code: '', is_due: 0 },
      { name: 'Uploaded', ...lost },
      { name: 'Due', ...lost },
      { name: 'Deleted', state: 'ok', code: '', is_due: 1 },
      { name: 'Paused', state: 'paused', code: '', is_due: 1 },
    ])
    await db.close()
    await to.close()
  })

  it('that has content is not changed by a restore', async () => {
    const db: Calendar = await makeDatabase()
    await db.query(`INSERT INTO images (url) VALUES ('https://x.example/a.jpg')`)
    const before = await rowsOf(db)
    await expect(restoreInto(db, out)).rejects.toThrow(
      /^This calendar has content already: 1 images\. .* --persist-to; at Cloudflare, .* npx wrangler d1 create/,
    )
    expect(await rowsOf(db)).toEqual(before)
  })

  it('is exported as of one moment, while somebody writes all the time', async () => {
    const db = await makeDatabase()
    await restoreInto(db, out)
    await addPasswords(db)
    let writes = 0
    const ask = async (method: string, path: string, json?: object) => {
      const response = await send(db, method, path, { as: 'administrator', ...(json && { json }) })
      expect(response.ok, `${method} ${path}: ${await response.clone().text()}`).toBe(true)
      return (await response.json()) as { id: number }
    }
    const last: number[] = []
    const write = async () => {
      writes += 1
      const day = { start_date: '2027-05-01 20:00:00', end_date: '2027-05-01 22:00:00' }
      const along = { venue: { venue: `Hall ${writes}` }, organizer: 1, categories: ['Arts'], image: 1 }
      const { id } = await ask('POST', 'events', { title: `New ${writes}`, ...day, ...along })
      const [former] = last.splice(0, 1, id)
      if (former !== undefined) await ask('DELETE', `events/${former}?force=true`)
      // What was read before, and what is going to be read.
      await ask('PATCH', 'events/1', {
        title: `Changed ${writes}`,
        venue: writes % 2 ? [] : [1],
        tags: [`T${writes}`],
      })
      await ask('PATCH', 'organizers/1', { phone: String(writes) })
      await ask('PATCH', 'settings', { name: `Town ${writes}` })
      // A write that changes very many rows at once.
      if (writes === 3)
        await db.query(`INSERT INTO changes (kind, id, change_number, public_change_number)
          SELECT 'events', 10000 + value, (SELECT change_number FROM revision), NULL FROM json_each('[${[...Array(700).keys()]}]')`)
    }
    const busy = beforeReads(db, 'select', write)
    const given = { folder: join(folder, 'busy'), store, now: NOW, progress: () => {} }
    const { manifest } = await exportCalendar(databaseOver(busy), given)
    const written = writes
    expect(written).toBeGreaterThan(15)
    const { manifest: quiet } = await exportCalendar(new Database(db.d1), {
      ...given,
      folder: join(folder, 'quiet'),
    })
    expect(manifest).toEqual(quiet)
    expect(await filesIn(given.folder)).toEqual(await filesIn(join(folder, 'quiet')))
    expect(writes).toBe(written)
    await restoreInto(await makeDatabase(), given.folder)
  })

  it('has no backup if the export is interrupted', async () => {
    const db = beforeReads(from, 'from "twins"', async () => {
      throw new Error('lost')
    })
    const path = join(folder, 'lost')
    const given = { folder: path, store, now: NOW, progress: () => {} }
    await expect(exportCalendar(databaseOver(db), given)).rejects.toThrow('cannot be reached')
    expect(isBackup(path)).toBe(true)
    expect(await readdir(path)).toContain('backup.json.part')
    await expect(restoreInto(await makeDatabase(), path)).rejects.toThrow('lacks backup.json')
  })
})

/** A connection that does something before some reads. */
const beforeReads = (db: Calendar, part: string, work: () => Promise<unknown>): Calendar => ({
  ...db,
  batch: async statements => {
    if (statements.some(([text]) => text.includes(part))) await work()
    return db.batch(statements)
  },
})

describe('a backup is not taken', () => {
  let untouched: Calendar
  beforeAll(async () => {
    untouched = await makeDatabase()
  })

  const change = (name: string, turn: (text: string) => string) => async (path: string) =>
    writeFile(join(path, name), turn(await readFile(join(path, name), 'utf8')))
  const removed = (name: string) => (path: string) => rm(join(path, name))
  const cut = (name: string, bytes: number) => (path: string) => truncate(join(path, name), bytes)
  const manifest = (fields: object) =>
    change('backup.json', text => JSON.stringify({ ...JSON.parse(text), ...fields }))
  /** Replaces a text in the file of users, and its digest along with it. */
  const forged = (from: string, to: string) => async (path: string) => {
    await change('users.jsonl', text => text.replace(from, to))(path)
    const sha256 = await digestOfFile(join(path, 'users.jsonl'))
    const { tables } = JSON.parse(await readFile(join(path, 'backup.json'), 'utf8'))
    await manifest({ tables: { ...tables, users: { ...tables.users, sha256 } } })(path)
  }

  it.each([
    ['without a file', 'venues.jsonl cannot be read', removed('venues.jsonl')],
    ['with half a file', 'events.jsonl is damaged', cut('events.jsonl', 900)],
    [
      'with another file',
      'users.jsonl is damaged',
      change('users.jsonl', text => text.replace('editor', 'author')),
    ],
    ['without an image', '.png cannot be read', (path: string) => removed(`media/${imageOf()}`)(path)],
    ['with another image', '.png is damaged', (path: string) => cut(`media/${imageOf()}`, 50)(path)],
    ['without its manifest', 'lacks backup.json', removed('backup.json')],
    ['with half a manifest', 'backup.json is damaged', cut('backup.json', 99)],
    [
      'with a table of an impossible name',
      'backup.json is damaged',
      manifest({ tables: { '../shoes': { rows: 0, sha256: '' } } }),
    ],
    ['of another version', 'has the format 6, which this version does not know', manifest({ version: 6 })],
    ['in another format', 'is not the manifest of a backup', manifest({ format: 'photos' })],
    ['with a value of another type', 'line 1: id cannot be "1"', forged('"id":1', '"id":"1"')],
    ['with an unknown value', 'role cannot be "king"', forged('"role":"editor"', '"role":"king"')],
    ['with a row that lacks a field', 'line 1: login is missing', forged('"login":"administrator",', '')],
    ['with a row that is no object', 'line 1: this is not a JSON object', forged('{', '')],
  ])('%s', async (_, message, damage) => {
    const path = await mkdtemp(join(folder, 'damaged-'))
    await cp(out, path, { recursive: true })
    await damage(path)
    const writes: unknown[] = []
    const database = databaseOver(beforeWrites(untouched, async () => writes.push('a write')))
    await expect(restoreInto(untouched, path, { database })).rejects.toThrow(message)
    expect(writes).toEqual([])
  })
})

it('a backup with tables and fields that this version lacks is restored without them, and says so', async () => {
  const path = await mkdtemp(join(folder, 'more-'))
  await cp(out, path, { recursive: true })
  const manifest = JSON.parse(await readFile(join(path, 'backup.json'), 'utf8'))
  const shoes = '{"id":1,"size":44}\n{"id":2,"size":41}\n'
  await writeFile(join(path, 'shoes.jsonl'), shoes)
  manifest.tables.shoes = { rows: 2, sha256: await digestOfFile(join(path, 'shoes.jsonl')) }
  manifest.last_ids.shoes = 2
  const users = join(path, 'users.jsonl')
  await writeFile(users, (await readFile(users, 'utf8')).replaceAll(/^\{/gm, '{"shoe_size":44,'))
  manifest.tables.users.sha256 = await digestOfFile(users)
  await writeFile(join(path, 'backup.json'), JSON.stringify(manifest))
  const to = await makeDatabase()
  const { omissions } = await restoreInto(to, path)
  expect([...omissions].filter(text => /shoe/.test(text))).toEqual([
    'This version has no table shoes: 2 rows are left out.',
    'The field shoe_size of users is left out: backups of this version have none.',
  ])
  expect(await rowsOf(to)).toEqual(await rowsOf(from))
  await to.close()
})

it('a backup without a field is restored with the default of its column', async () => {
  const path = await mkdtemp(join(folder, 'less-'))
  await cp(out, path, { recursive: true })
  const manifest = JSON.parse(await readFile(join(path, 'backup.json'), 'utf8'))
  const venues = join(path, 'venues.jsonl')
  const rows = (await readFile(venues, 'utf8')).split('\n').filter(Boolean)
  const lines = rows.map(row => {
    const { show_map: _, accessibility: __, ...others } = JSON.parse(row)
    return `${JSON.stringify(others)}\n`
  })
  await writeFile(venues, lines.join(''))
  manifest.tables.venues.sha256 = await digestOfFile(venues)
  await writeFile(join(path, 'backup.json'), JSON.stringify(manifest))
  const to = await makeDatabase()
  await restoreInto(to, path)
  expect(await to.query('SELECT DISTINCT show_map, accessibility FROM venues')).toEqual([
    { show_map: 1, accessibility: '' },
  ])
  expect(await to.query('SELECT count(*) AS n FROM venues')).toEqual([{ n: rows.length }])
  await to.close()
})

const imageOf = () => [...store.files.keys()][0] ?? ''

describe('a backup that somebody has changed', () => {
  const HOSTILE = [
    '<script>alert(1)</script>',
    'javascript:alert(1)//',
    '"><meta http-equiv=refresh content=0><img src=x onerror=alert(1)>',
  ]

  /** A copy of the backup with other rows, and a manifest that knows them. */
  async function changed(turn: (name: DumpedName, row: FieldRow, i: number) => FieldRow): Promise<string> {
    const path = await mkdtemp(join(folder, 'hostile-'))
    await cp(out, path, { recursive: true })
    const manifest = JSON.parse(await readFile(join(path, 'backup.json'), 'utf8'))
    for (const name of DUMPED_NAMES) {
      const file = join(path, `${name}.jsonl`)
      const rows = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
      const lines = rows.map((row, i) => `${JSON.stringify(turn(name, JSON.parse(row), i))}\n`)
      await writeFile(file, lines.join(''))
      manifest.tables[name].sha256 = await digestOfFile(file)
    }
    await writeFile(join(path, 'backup.json'), JSON.stringify(manifest))
    return path
  }

  /**
   * A row with a text in every field that can have it: others would make the backup one that is not taken.
   */
  function hostileRow(name: DumpedName, row: FieldRow, text: string): FieldRow {
    const columns = new Map(Object.entries(fieldColumns(name)))
    const fields = Object.entries(row).filter(([field, value]) => {
      const isText = typeof value === 'string' && !columns.get(field)?.enumValues?.length
      return isText && 'row' in checkRow(name, { ...row, [field]: text }, columns)
    })
    // Without the rules, dates and ids of other rows, the calendar would not be the same.
    const stays = ['rrule', 'rdate', 'exdate', 'detached', 'hash', 'source', 'timezone']
    return {
      ...row,
      ...Object.fromEntries(fields.flatMap(([field]) => (stays.includes(field) ? [] : [[field, text]]))),
    }
  }

  it.each(HOSTILE)('shows nobody %s', async text => {
    const path = await changed((name, row, i) => hostileRow(name, row, `${text}${name}${i}`))
    const to = await makeDatabase()
    await restoreInto(to, path)
    await addPasswords(to)
    const pages = ['/events/', '/admin/sign-in/', '/sitemap.xml', '/categories/', '/venues/']
    for (const as of [ANONYMOUS, 'editor'])
      for (const address of [...(await addresses(to, as)), ...pages]) {
        const response = await send(to, 'GET', address, as === ANONYMOUS ? {} : { as })
        const body = await response.text()
        expect(response.status, `${address} ${body}`).toBeLessThan(500)
        if (response.headers.get('content-type')?.startsWith('text/html'))
          expect(body, address).not.toMatch(/<script>alert|<meta http-equiv="?refresh|<[^>]* onerror=/i)
        expect(body, address).not.toMatch(/(?:href|src|action)=\\?["']?\s*javascript:/i)
        expect(body, address).not.toMatch(/"(?:url|website|virtual_url|image)":"javascript:/)
        expect(body, address).not.toMatch(/"(?:description|excerpt)":"[^"]*<(?:script|meta|img)/)
      }
  })

  it('sets only what the editor could set, and reports what it leaves out', async () => {
    const vars = {
      SITE_NAME: 'Kilkenny\u0000',
      ALLOW_PRIVATE_HOSTS: 'on',
      SITE_URL: 'https://evil.example',
      GEOCODER: 'https://evil.example/{query}',
      MAIL_FROM: 'evil@evil.example',
      SETUP_CODE: 'x'.repeat(20),
      PRIVACY_URL: 'javascript:alert(1)',
      IMPRINT_URL: '/imprint/',
    }
    const path = await changed((name, row) => {
      if (name === 'settings') return { ...row, vars: JSON.stringify(vars) }
      if (name === 'users') return { ...row, email: 'stranger@evil.example', notices: 'now' }
      if (name === 'venues') return { ...row, website: 'javascript:alert(1)' }
      if (name === 'events') return { ...row, description: '<p>Fine<script>alert(1)</script></p>' }
      return row
    })
    const to = await makeDatabase()
    const { omissions } = await restoreInto(to, path)
    const said = [...omissions].join('\n')
    for (const name of Object.keys(vars))
      expect(said.includes(name), name).toEqual(!['SITE_NAME', 'IMPRINT_URL'].includes(name))
    expect(said).toContain('What no request may set as website of venues is left out: it must be an http')
    expect(said).toContain('The field email of users is left out')
    expect(said).toContain('The field notices of users is left out')
    const [settings] = await to.query('SELECT vars FROM settings')
    expect(JSON.parse(String(settings?.vars))).toEqual({ SITE_NAME: 'Kilkenny', IMPRINT_URL: '/imprint/' })
    const written = "SELECT count(*) AS n FROM users WHERE email <> '' OR notices <> 'never'"
    expect(await to.query(written)).toEqual([{ n: 0 }])
    expect(await to.query('SELECT DISTINCT website FROM venues')).toEqual([{ website: '' }])
    const descriptions = await to.query('SELECT DISTINCT description FROM events')
    expect(descriptions).toEqual([{ description: '<p>Fine</p>' }])
  })

  it.each([
    ['events', 'title', '<b></b>', 'title: must not be empty'],
    ['events', 'start_date', 'tomorrow', 'start_date: must be a time'],
    ['events', 'timezone', 'Mars/Olympus', 'timezone: must be'],
    ['venues', 'slug', '../../admin', 'slug: must be a slug'],
    ['users', 'login', 'a:b', 'login: must be a login'],
    ['images', 'url', 'javascript:alert(1)', 'url: must be the address of an image'],
    ['webhooks', 'url', 'ftp://evil.example', 'url: must be'],
  ] as const)('is not taken with %s of which %s is %j', async (table, field, value, message) => {
    const path = await changed((name, row) => (name === table ? { ...row, [field]: value } : row))
    await expect(restoreInto(await makeDatabase(), path)).rejects.toThrow(
      `${table}.jsonl, line 1: ${message}`,
    )
  })
})

it('a backup has files that only their owner may read', async () => {
  for (const name of ['events.jsonl', 'backup.json', `media/${imageOf()}`])
    expect((await stat(join(out, name))).mode & 0o777, name).toEqual(0o600)
  expect((await stat(join(out, 'media'))).mode & 0o777).toBe(0o700)
})
