import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { importStored } from '../../../../src/commands/import-run.ts'
import type { Database } from '../../../../src/kit/db/database.ts'
import { databaseOver } from '../../../connection.ts'
import { listen } from '../../../listen.ts'
import { emptyTables, makeDatabase, remoteOver } from '../../../readers/database.ts'

// npm run import -- --source: a source of the calendar, read by the command in the batches of the cron.

const VARS = { TIMEZONE: 'UTC', ALLOW_PRIVATE_HOSTS: 'on' }
const COUNT = 120

let db: Awaited<ReturnType<typeof makeDatabase>>
let server: Awaited<ReturnType<typeof listen>>
let respond: (response: ServerResponse) => void
beforeAll(async () => {
  db = await makeDatabase()
  server = await listen(() => (_, response) => respond(response))
})
afterAll(async () => {
  await server.close()
  await db.close()
})

const local = () => databaseOver(db)
/** As a database at Cloudflare: what is long gets there as a file, which gives no rows back. */
const remote = () => remoteOver(db).database

const read = async (executor: () => Database, id = '1', vars = VARS) => {
  const shown: number[] = []
  const report = await importStored(
    { openExecutor: executor, vars },
    { id, progress: done => shown.push(done) },
  )
  return { report, shown }
}

const vevent = (n: number) =>
  `BEGIN:VEVENT\r\nUID:e${n}\r\nDTSTART:21000101T200000Z\r\nSUMMARY:Concert ${n}\r\nEND:VEVENT\r\n`
const calendar = (count: number) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${Array.from({ length: count }, (_, n) => vevent(n)).join('')}END:VCALENDAR\r\n`

beforeEach(async () => {
  await emptyTables(db)
  await db.batch([
    ['DELETE FROM source_runs'],
    ['DELETE FROM sources'],
    [`INSERT INTO users (id, login, role, created_utc) VALUES (1, 'eve', 'editor', '2026-01-01 00:00:00')`],
    [
      `INSERT INTO sources (id, name, url, kind, every, status, state, author_id, created_utc)
        VALUES (1, 'Theatre', ?, '', '', 'publish', 'paused', 1, '2026-01-01 00:00:00')`,
      `${server.address}/feed.ics`,
    ],
    // As of a calendar's first source: what other tests have changed is not looked through for duplicates.
    [
      `UPDATE twins_place SET id = 0, public_n = 0,
        n = 1 + coalesce((SELECT change_number FROM changes WHERE kind = 'events' ORDER BY change_number DESC LIMIT 1), 0)`,
    ],
  ])
  respond = response => void response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendar(COUNT))
})

it.each([
  ['here', local],
  ['at Cloudflare', remote],
])('a source is read to its end %s, though it is paused, with the usual report', async (_, open) => {
  const { report, shown } = await read(open)
  expect(report.text({ verbose: false })).toMatch(new RegExp(`^event +${COUNT} +0 +0 +0 +0$`, 'm'))
  expect(shown.slice(0, 2)).toEqual([50, 100])
  expect(await db.query('SELECT count(*) AS n FROM event_sources WHERE source_id = 1')).toEqual([
    { n: COUNT },
  ])
  expect(await db.query('SELECT state, lease FROM sources')).toEqual([{ state: 'paused', lease: '' }])
  expect((await read(open)).report.text({ verbose: false })).toMatch(
    new RegExp(`^event +0 +0 +${COUNT} `, 'm'),
  )
})

it('an event like one of another source is found in the same run', async () => {
  await db.query(
    `INSERT INTO sources (id, name, url, kind, every, status, author_id, created_utc)
      SELECT 2, 'Club', url, '', '', 'publish', 1, created_utc FROM sources`,
  )
  const body = calendar(1).replace('SUMMARY', 'LOCATION:Hall\r\nSUMMARY')
  respond = response => void response.writeHead(200, { 'content-type': 'text/calendar' }).end(body)
  await read(local)
  const { report } = await read(local, '2')
  expect([...report.notes]).toEqual([
    '0 events were joined with the same events of other calendars; 1 are waiting for a decision.',
  ])
})

it('failures are reported, and so are questions', async () => {
  respond = response => void response.writeHead(500).end()
  const { report } = await read(local)
  expect(report.total('failed')).toBe(1)
  expect(report.text({ verbose: false })).toContain('failed: page events: It could not be read.')
  respond = response => void response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendar(9))
  await read(local)
  respond = response => void response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendar(1))
  const { report: asked } = await read(local)
  expect(asked.text({ verbose: false })).toContain('Half or more of its coming events are gone, 8 of 9')
  expect(asked.exitCode).toBe(3)
  expect(await db.query(`SELECT count(*) AS n FROM events WHERE status = 'publish'`)).toEqual([{ n: 9 }])
})

it('a source that two invocations read at the same time is read once', async () => {
  const reports = await Promise.all([read(local), read(local)])
  expect(reports.map(({ report }) => report.countOf('event', 'created'))).toEqual([COUNT, COUNT])
  expect(await db.query('SELECT count(*) AS n FROM events')).toEqual([{ n: COUNT }])
})

it('a source that does not exist, or leads into a private network, is refused', async () => {
  await expect(read(local, '7')).rejects.toThrow('there is no source 7. There are: 1 (Theatre).')
  const { report } = await read(local, '1', { ...VARS, ALLOW_PRIVATE_HOSTS: 'off' })
  expect(report.text({ verbose: false })).toMatch(/^failed: .*private/m)
})
