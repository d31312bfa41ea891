import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDatabases } from '../../src/commands/local-d1.ts'
import { personalLinks } from '../../src/kit/http/personal-links.ts'
import { formatInstant } from '../../src/kit/lib/time.ts'
import { bundleWorker } from '../bench/build.ts'
import { Random } from '../bench/random.ts'
import { migrate } from '../migrated.ts'
import { ISOLATE, ISOLATES } from './isolates.ts'
import { ServerProcess } from './process.ts'
import { DATABASE } from './worker.ts'

// Everybody wants the last places of a course at the same moment, while answers get lost and the server is
// killed.

const EVENT_START = '2099-06-10 18:00:00'

/** What somebody did, and when: from the first attempt to the answer. */
type Attempt = { id: number; state: string; beganMs: number; endedMs: number }

type RaceReport = {
  /** Answers that nobody got. */
  lost: number
  kills: number
  problems: string[]
}

/**
 * People confirm at once, in two isolates; half of those who got a place give it back at once.
 *
 * @param people who registered, each for one place
 */
export async function race(people: number, places: number, port: number): Promise<RaceReport> {
  const folder = await mkdtemp(join(tmpdir(), 'race-'))
  const script = await bundleWorker()
  const server = new ServerProcess(script, folder, port, 'isolates.ts')
  const report: RaceReport = { lost: 0, kills: 0, problems: [] }
  try {
    const secret = await withDatabase(folder, db => prepare(db, people, places))
    await server.start()
    const runners = await Promise.all(
      Array.from({ length: people }, async (_, i) => {
        const links = personalLinks('registrant', `http://127.0.0.1:${port}/registrations`)
        const token = await links.tokenOf(secret, { id: i + 1, version: 1 })
        return new Runner(i + 1, links.pathOf(token), report)
      }),
    )
    const confirmed = await killDuring(server, report, () =>
      Promise.all(runners.map(runner => runner.press('confirm'))),
    )
    await server.kill()
    await withDatabase(folder, async db => {
      const rows = await listOf(db)
      checkList(rows, places, report)
      checkOrder(rows, confirmed, report)
      if (rows.length !== people) report.problems.push(`${rows.length} of ${people} are on the list`)
      for (const { id, state } of confirmed)
        if (rows.find(row => row.id === id)?.state !== state) report.problems.push(`${id} was told ${state}`)
    })
    await server.start()
    const half = confirmed.filter(({ state }) => state === 'confirmed').slice(0, places / 2)
    await killDuring(server, report, () => Promise.all(half.map(({ id }) => runners[id - 1]?.press('leave'))))
    await server.kill()
    await withDatabase(folder, async db => {
      const rows = await listOf(db)
      checkList(rows, places, report)
      if (rows.length !== people - half.length) report.problems.push(`${rows.length} are left`)
    })
    return report
  } finally {
    await server.kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function withDatabase<T>(folder: string, work: (db: D1Database) => Promise<T>): Promise<T> {
  const { d1, stop } = await startDatabases([DATABASE], folder)
  const [db] = d1
  if (!db) throw new Error('There is no database.')
  try {
    return await work(db)
  } finally {
    await stop()
  }
}

/** Rows of one statement, sent as a batch, because these databases offer nothing else. */
async function rowsOf<T>(db: D1Database, sql: string): Promise<T[]> {
  const [result] = await db.batch<T>([db.prepare(sql)])
  return result?.results ?? []
}

/** Makes a course, and people who have not confirmed yet. @returns the secret of their links */
async function prepare(db: D1Database, people: number, places: number): Promise<string> {
  await migrate(db)
  const now = formatInstant(Date.now())
  const run = (sql: string) => rowsOf(db, sql)
  await run(`INSERT INTO users (login, role, created_utc) VALUES ('ada', 'administrator', '')`)
  await run(`INSERT INTO events (title, slug, status, author_id, date, date_utc, modified, modified_utc, timezone, timezone_abbr,
      start_date, end_date, utc_start_date, utc_end_date)
    VALUES ('Bread', 'bread', 'publish', 1, '${now}', '${now}', '${now}', '${now}', 'UTC', 'UTC',
      '${EVENT_START}', '${EVENT_START}', '${EVENT_START}', '${EVENT_START.replace('18', '20')}')`)
  await run(
    `INSERT INTO registrations (event_id, places, api) VALUES (1, ${places}, 'http://127.0.0.1/calendar/events/v1')`,
  )
  await run(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${people})
    INSERT INTO registrants (registration_id, name, email, language, created_utc)
    SELECT 1, 'Person ' || n, 'person-' || n || '@people.example', 'en', '${now}' FROM n`)
  const [row] = await rowsOf<{ secret: string }>(db, 'SELECT secret FROM revision')
  return row?.secret ?? ''
}

/**
 * Kills the server 300 ms after the work began, unless it is done, and starts it again. Answers are lost in
 * between.
 */
async function killDuring<T>(server: ServerProcess, report: RaceReport, work: () => Promise<T>): Promise<T> {
  const working = work()
  let isDone = false
  working.then(
    () => (isDone = true),
    () => (isDone = true),
  )
  await new Promise(resolve => setTimeout(resolve, 300))
  if (!isDone) {
    await server.kill()
    report.kills++
    await server.start()
  }
  return working
}

/** Somebody with a link, who presses a button until there is an answer. */
class Runner {
  readonly id: number
  readonly #url: string
  readonly #report: RaceReport
  readonly #random: Random

  constructor(id: number, url: string, report: RaceReport) {
    this.id = id
    this.#url = url
    this.#report = report
    this.#random = new Random(id)
  }

  /** @returns what the page says at last */
  async press(button: 'confirm' | 'leave'): Promise<Attempt> {
    const beganMs = performance.now()
    for (let attempt = 0; attempt < 500; attempt++) {
      const state = await this.#try(button, attempt).catch(() => undefined)
      if (state !== undefined) return { id: this.id, state, beganMs, endedMs: performance.now() }
      this.#report.lost++
      await new Promise(resolve => setTimeout(resolve, 20 + this.#random.below(60)))
    }
    throw new Error(`${this.id} got no answer.`)
  }

  async #try(button: string, attempt: number): Promise<string | undefined> {
    const page = await this.#fetch({})
    const text = await page.text()
    if (page.status === 410 && button === 'leave') return 'left'
    if (page.status !== 200) return undefined
    // If an earlier attempt confirmed but its answer was lost, the page shows it now.
    const ticket = /name="ticket" value="([^"]+)"/.exec(text)?.[1]
    if (button === 'confirm' && ticket === undefined)
      return text.includes('You are on the waiting list') ? 'waiting' : 'confirmed'
    const body = new URLSearchParams({ do: button, ticket: ticket ?? '' })
    // One in five leaves before the answer.
    const signal = this.#random.below(5) === 0 && attempt === 0 ? AbortSignal.timeout(5) : undefined
    const done = await this.#fetch({ method: 'POST', body, ...(signal && { signal }) })
    if (button === 'leave') return done.status === 200 ? 'left' : undefined
    return /\?(confirmed|waiting)=1/.exec(done.headers.get('location') ?? '')?.[1]
  }

  #fetch(init: RequestInit): Promise<Response> {
    const { origin } = new URL(this.#url)
    return fetch(this.#url, {
      redirect: 'manual',
      ...init,
      headers: { origin, 'sec-fetch-site': 'same-origin', [ISOLATE]: this.#random.pick(ISOLATES) },
    })
  }
}

type Row = { id: number; state: string; position: number }

const listOf = (db: D1Database) =>
  rowsOf<Row & { taken: number; waiting: number }>(
    db,
    `SELECT p.id, p.state, p.position, r.taken, r.waiting FROM registrants AS p JOIN registrations AS r ON r.id = registration_id
      WHERE p.state <> 'unconfirmed' ORDER BY position`,
  )

/**
 * Exactly so many have a place, and these are the first of the list, in which no two have the same position.
 */
function checkList(rows: Awaited<ReturnType<typeof listOf>>, places: number, { problems }: RaceReport): void {
  const confirmed = rows.filter(({ state }) => state === 'confirmed').length
  if (confirmed !== places) problems.push(`${confirmed} have one of ${places} places`)
  for (const [i, { id, state }] of rows.entries())
    if (state !== (i < places ? 'confirmed' : 'waiting')) problems.push(`${id}, number ${i + 1}, is ${state}`)
  if (new Set(rows.map(({ position }) => position)).size !== rows.length)
    problems.push('two have one position')
  const [first] = rows
  if (first?.taken !== places || first.waiting !== rows.length - places)
    problems.push(`the sums are ${first?.taken} and ${first?.waiting}`)
}

/** Whoever had an answer before somebody else began comes first on the list. */
function checkOrder(rows: readonly Row[], attempts: readonly Attempt[], { problems }: RaceReport): void {
  const positions = new Map(rows.map(({ id, position }) => [id, position]))
  for (const a of attempts)
    for (const b of attempts)
      if (a.endedMs < b.beganMs && (positions.get(a.id) ?? 0) > (positions.get(b.id) ?? 0))
        problems.push(`${a.id} came before ${b.id}`)
}
