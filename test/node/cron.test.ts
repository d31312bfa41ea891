import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { beginAtNoon } from '../clock.ts'
import { listen } from '../listen.ts'
import { type Calendar, openCalendar } from '../resources/webhooks/node/calendar.ts'
import { makeReceiver, type Receiver } from '../resources/webhooks/node/receiver.ts'

// The worst minutes of the cron: everything that it does is due at once, with real servers to read from and to tell.

let calendar: Calendar
let receiver: Receiver
let address: string
let close: () => Promise<void>
let requests = 0

beginAtNoon()
beforeAll(async () => {
  calendar = await openCalendar()
  await calendar.set()
  receiver = await makeReceiver()
  ;({ address, close } = await listen(() => (request, response) => {
    requests++
    const body = FEEDS[request.url ?? ''] ?? ''
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(body)
  }))
})

afterAll(async () => {
  await close()
  await receiver.close()
  await calendar.stop()
})

const vevent = (uid: string, start: string, more: string[] = []) => [
  ...[
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART:${start}T190000Z`,
    `DTEND:${start}T210000Z`,
    `SUMMARY:Concert ${uid}`,
  ],
  ...[`LOCATION:Hall ${uid}\\, Main Street`, `ORGANIZER;CN=Club ${uid}:mailto:${uid}@club.example`],
  ...[`CATEGORIES:Genre ${uid}`, `IMAGE;VALUE=URI:https://club.example/${uid}.jpg`, ...more, 'END:VEVENT'],
]
const ics = (events: string[][]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR'].join('\r\n')
const feed = (name: string) =>
  ics(
    Array.from({ length: 30 }, (_, i) =>
      vevent(`${name}${i}`, `202703${10 + (i % 20)}`, i % 10 === 0 ? ['RRULE:FREQ=WEEKLY;COUNT=6'] : []),
    ),
  )
const FEEDS: Record<string, string> = { '/a.ics': feed('a'), '/b.ics': feed('b') }
const EVENTS_OF_FEED = 27 + 3 * 6

const LONG_AGO = "'2020-01-01 00:00:00'"
const PAST = "'2026-01-01 00:00:00'"

/** What waits for the cron when it begins. */
async function makeEverythingDue(): Promise<void> {
  const times = { start_date: '2027-01-10 10:00:00', end_date: '2027-01-10 12:00:00' }
  for (let i = 0; i < 6; i++) {
    const { secret } = await calendar.must('POST', '/webhooks', {
      url: receiver.url,
      events: ['venue.created', 'organizer.created'],
      secret: `whsec_${btoa('s'.repeat(32))}`,
    })
    receiver.secret = secret ?? `whsec_${btoa('s'.repeat(32))}`
  }
  for (let i = 0; i < 3; i++) {
    await calendar.must('POST', '/events', { title: `Due ${i}`, ...times, date_utc: '2026-11-20 12:00:30' })
    await calendar.must('POST', '/venues', { venue: `Due ${i}`, date_utc: '2026-11-20 12:00:30' })
    await calendar.must('POST', '/organizers', { organizer: `Due ${i}`, date_utc: '2026-11-20 12:00:30' })
  }
  for (let i = 0; i < 10; i++)
    await calendar.must('POST', '/events', {
      title: `Series ${i}`,
      ...{ ...times, recurrence: 'FREQ=WEEKLY;INTERVAL=4' },
      ...{ venue: { venue: `Barn ${i}` }, organizer: { organizer: `Band ${i}` }, categories: [`Style ${i}`] },
    })
  // Twins of what comes of the first source.
  for (let i = 1; i < 9; i++)
    await calendar.must('POST', '/events', {
      title: `Concert a${i}`,
      ...{ start_date: `2027-03-${10 + i} 19:00:00`, end_date: `2027-03-${10 + i} 21:00:00` },
      venue: { venue: `Hall a${i}`, address: 'Main Street' },
    })
  for (const name of ['a', 'b'])
    await calendar.must('POST', '/sources', { name, url: `${address}/${name}.ics`, mirror: true })
  for (let id = 1; id <= 5; id++)
    for (const sql of [
      `INSERT INTO sessions VALUES (${id}, 1, 'd${id}', 'link', '', ${PAST}, ${PAST}, ${PAST})`,
      `INSERT INTO sign_in_links VALUES ('d${id}', 1, ${PAST})`,
      `INSERT INTO used_challenges VALUES ('d${id}', ${PAST})`,
      `INSERT INTO idempotency_keys (user_id, key, request, request_id, at_utc, audit_id, total)
        VALUES (1, 'k${id}', '', '', ${PAST}, 0, 0)`,
      `INSERT INTO undo_requests VALUES (${id}, ${PAST}, '{}')`,
      `INSERT INTO submission_keys VALUES ('2026-01-0${id}', '')`,
      `INSERT INTO webhook_deliveries
        (webhook_id, message_id, type, object_id, body, state, tries, at_utc, response, message)
        VALUES (1, 'old ${id}', '', 0, '', 'delivered', 1, ${LONG_AGO}, '', '')`,
    ])
      await calendar.rows(sql)
  for (const [i, columns] of [
    ['sender', "'x'"],
    ['email, decided_utc', `'a@example.org', ${PAST}`],
    ['decided_utc', LONG_AGO],
    ['sender', "''"],
  ].entries())
    await calendar.rows(`INSERT INTO submissions (id, event_id, token_digest, event_key, created_utc, ${columns[0]})
      VALUES (${i + 1}, ${i + 1000}, 'd${i}', '', ${LONG_AGO}, ${columns[1]})`)
  await calendar.rows(
    `UPDATE audit SET at_utc = ${LONG_AGO}, changed = '{}' WHERE id <= (SELECT max(id) FROM audit) - 20`,
  )
}

/** Counts that are 0 when nothing is left. */
const LEFT = {
  caches: 'SELECT purges_left + image_purges_left AS n FROM revision',
  scheduled:
    "SELECT count(*) AS n FROM (SELECT status FROM events UNION ALL SELECT status FROM venues UNION ALL SELECT status FROM organizers) WHERE status = 'future'",
  sources: "SELECT count(*) AS n FROM sources WHERE state <> 'ok'",
  twins: 'SELECT 8 - count(*) AS n FROM events WHERE duplicate_of IS NOT NULL',
  series:
    "SELECT count(*) AS n FROM series WHERE extend_from <= datetime('2026-12-20 03:10:00', '+24 months')",
  sessions: 'SELECT count(*) AS n FROM sessions',
  links: 'SELECT count(*) AS n FROM sign_in_links',
  challenges: 'SELECT count(*) AS n FROM used_challenges',
  keys: 'SELECT count(*) AS n FROM idempotency_keys',
  undo: 'SELECT count(*) AS n FROM undo_requests',
  values: `SELECT count(*) AS n FROM audit WHERE at_utc = ${LONG_AGO} AND changed IS NOT NULL`,
  days: 'SELECT count(*) AS n FROM submission_keys',
  senders: "SELECT count(*) AS n FROM submissions WHERE sender <> '' OR email <> '' OR decided_utc IS NULL",
  pages: 'SELECT count(*) - 3 AS n FROM submissions',
  deliveries: `SELECT count(*) AS n FROM webhook_deliveries WHERE at_utc = ${LONG_AGO}`,
  statistics: "SELECT count(*) = 0 AS n FROM sqlite_schema WHERE name = 'sqlite_stat1'",
  messages:
    'SELECT count(*) AS n FROM webhook_places AS place JOIN changes ON changes.kind = place.kind AND changes.n > place.n',
}

async function left(): Promise<string[]> {
  const names: string[] = []
  for (const [name, sql] of Object.entries(LEFT)) if ((await calendar.rows(sql))[0]?.n !== 0) names.push(name)
  return names
}

it('everything that is due at once is done by and by, with at most 50 statements and 50 requests in each minute', async () => {
  await makeEverythingDue()
  vi.setSystemTime('2026-12-20T03:10:00Z')
  expect(await left()).toEqual(Object.keys(LEFT))
  let statements = 0
  const session = {
    prepare: (text: string) => calendar.DB.prepare(text),
    batch: (all: D1PreparedStatement[]) => {
      statements += all.length
      return calendar.DB.batch(all)
    },
    withSession: () => session,
  }
  // The Worker uses nothing else of the binding.
  const DB = session as unknown as D1Database
  const env = { SITE_URL: 'https://town.example', TIMEZONE: 'UTC', ALLOW_PRIVATE_HOSTS: 'on', DB }
  const purge = vi.fn(async () => ({ success: true, errors: [] }))
  // The Worker uses nothing else of it here.
  const context = { cache: { purge } } as unknown as ExecutionContext
  const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const failed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const minutes: { statements: number; requests: number; left: number }[] = []
  while ((await left()).length > 0 && minutes.length < 60) {
    statements = 0
    requests = 0
    receiver.received.length = 0
    logged.mockClear()
    purge.mockClear()
    await worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, env, context)
    const said = JSON.parse(String(logged.mock.calls.at(-1)?.[0]))
    expect(said).toMatchObject({ id: 'cron', statements })
    minutes.push({
      statements,
      requests: requests + receiver.received.length + purge.mock.calls.length,
      left: said.left.length,
    })
    vi.setSystemTime(Date.now() + 60_000)
  }
  const errors = failed.mock.calls.map(([line]) => line)
  vi.mocked(console.log).mockRestore()
  vi.mocked(console.error).mockRestore()
  expect(errors).toEqual([])
  expect(await left()).toEqual([])
  expect(minutes.filter(minute => minute.statements > 50 || minute.requests > 50)).toEqual([])
  // It says what it leaves as long as something is left.
  expect(minutes[0]?.left).toBeGreaterThan(0)
  expect(await calendar.rows("SELECT count(*) AS n FROM imports WHERE kind = 'event'")).toEqual([
    { n: 2 * EVENTS_OF_FEED },
  ])
  expect(receiver.bad).toEqual([])
})
