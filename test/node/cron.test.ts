import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { tasksOf } from '../../src/cron.ts'
import { FEATURES } from '../../src/features.ts'
import worker from '../../src/index.ts'
import { Database } from '../../src/kit/db/database.ts'
import { first } from '../../src/kit/db/query.ts'
import { mailerOf } from '../../src/kit/http/request-context.ts'
import { settingsOf } from '../../src/kit/settings.ts'
import { anyDueSql } from '../../src/kit/work/due-rows.ts'
import { beginAtNoon } from '../clock.ts'
import { EVENTS_PER_FEED, FEEDS, leftAt, makeEverythingDue } from '../everything-due.ts'
import { listen } from '../listen.ts'
import { type Calendar, openCalendar } from '../node-calendar.ts'
import { makeReceiver, type Receiver } from '../receiver.ts'
import { watchedD1 } from '../watched-d1.ts'

// The worst minutes of the cron: everything that it does is due at once, with real servers to read from and
// to tell.

let calendar: Calendar
let receiver: Receiver
let address: string
let close: () => Promise<void>
let requests = 0

beginAtNoon()
beforeAll(async () => {
  calendar = await openCalendar()
  await calendar.setUp()
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

const LEFT = leftAt('2026-12-20 03:10:00')

async function unfinishedNames(): Promise<string[]> {
  const counts = await calendar.DB.batch<{ n: number }>(
    Object.values(LEFT).map(sql => calendar.DB.prepare(sql)),
  )
  return Object.keys(LEFT).filter((_, i) => counts[i]?.results[0]?.n !== 0)
}

/** The tasks of features, and the rows that they delete, of which nothing is due at a time. */
async function notDue(env: Parameters<typeof worker.scheduled>[1], nowMs: number): Promise<string[]> {
  const db = new Database(env.DB)
  const settings = settingsOf(env)
  const run = { db, settings, nowMs, mailer: mailerOf(env.EMAIL, settings) }
  const rows = FEATURES.flatMap(({ expired }) => expired?.(nowMs) ?? [])
  const tasks = [
    ...tasksOf(FEATURES, run),
    ...rows.map(each => ({ name: each.name, dueSql: anyDueSql(each, nowMs) })),
  ]
  const due = await Promise.all(
    tasks.map(({ dueSql }) => db.read(first(sql`SELECT ${dueSql} AS due`, row => row.due === 1))),
  )
  return tasks.flatMap(({ name }, i) => (due[i] ? [] : [name]))
}

it('everything that is due at once is done by and by, with at most 50 statements and 50 requests in each minute', async () => {
  await makeEverythingDue(calendar, { feeds: address, receiver, soon: '2026-11-20 12:00:30' })
  vi.setSystemTime('2026-12-20T03:10:00Z')
  expect(await unfinishedNames()).toEqual(Object.keys(LEFT))
  let statements = 0
  const DB = watchedD1(calendar.DB, {
    batch: ({ length }) => {
      statements += length
    },
  })
  const mails: unknown[] = []
  const send = async (mail: unknown) => ({ messageId: String(mails.push(mail)) })
  // The Worker uses nothing else of this binding.
  const EMAIL = { send } as unknown as SendEmail
  const env = {
    SITE_URL: 'https://town.example',
    TIMEZONE: 'UTC',
    ALLOW_PRIVATE_HOSTS: 'on',
    MAIL_FROM: 'Town Hall <events@town.example>',
    IMPRINT_URL: 'https://town.example/imprint',
    PRIVACY_URL: 'https://town.example/privacy',
    DB,
    EMAIL,
  }
  // Each task of a feature is part of the worst minutes, by `due` of its test/features/…/part.ts; some run in
  // one of ten minutes only.
  const minutely = Array.from({ length: 10 }, (_, minute) => notDue(env, Date.now() + minute * 60_000))
  const [never = [], ...later] = await Promise.all(minutely)
  expect(never.filter(name => later.every(names => names.includes(name)))).toEqual([])
  const purge = vi.fn(async () => ({ success: true, errors: [] }))
  // The Worker uses nothing else of it here.
  const context = { cache: { purge } } as unknown as ExecutionContext
  const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const failed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let sent = 0
  const minutes: { statements: number; requests: number; left: number }[] = []
  while ((await unfinishedNames()).length > 0 && minutes.length < 90) {
    statements = 0
    requests = 0
    receiver.received.length = 0
    sent += mails.splice(0).length
    logged.mockClear()
    purge.mockClear()
    await worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, env, context)
    const said = JSON.parse(String(logged.mock.calls.at(-1)?.[0]))
    expect(said).toMatchObject({ id: 'cron', statements })
    minutes.push({
      statements,
      requests: requests + receiver.received.length + purge.mock.calls.length + mails.length,
      left: said.left.length,
    })
    vi.setSystemTime(Date.now() + 60_000)
  }
  const errors = failed.mock.calls.map(([line]) => line)
  vi.mocked(console.log).mockRestore()
  vi.mocked(console.error).mockRestore()
  expect(errors).toEqual([])
  expect(await unfinishedNames()).toEqual([])
  expect(minutes.filter(minute => minute.statements > 50 || minute.requests > 50)).toEqual([])
  // It says what it leaves as long as something is left.
  expect(minutes[0]?.left).toBeGreaterThan(0)
  expect(await calendar.rows("SELECT count(*) AS n FROM imports WHERE kind = 'event'")).toEqual([
    { n: 2 * EVENTS_PER_FEED },
  ])
  expect(receiver.bad).toEqual([])
  // A decision, and at least one notice; what features send is in what is left.
  expect(sent + mails.length).toBeGreaterThanOrEqual(2)
  // Minutes of work in one test: slow machines take several times as long as the usual limit allows.
}, 600_000)
