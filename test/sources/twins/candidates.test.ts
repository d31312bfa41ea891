import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../../src/db/database.ts'
import { type Nearby, selectCandidates } from '../../../src/sources/twins/candidates.ts'

const NOW = '2026-11-20 12:00:00'

/** Minutes after 19:00 on the day of the tests. */
const at = (minutes: number): string =>
  new Date(Date.UTC(2027, 2, 6, 19, minutes)).toISOString().slice(0, 19).replace('T', ' ')

type Row = Partial<{
  title: string
  start: string
  wall: string
  end: string
  allDay: boolean
  status: string
  hidden: boolean
  source: number
  venue: number
}>

let next = 0

/** Statements that store an event. */
function storing(id: number, row: Row): D1PreparedStatement[] {
  const { title = 'Jazz', start = at(0), allDay = false, status = 'publish', hidden = false } = row
  const { wall = start, end = start } = row
  return [
    env.DB.prepare(
      `INSERT INTO events (id, author_id, status, slug, date, date_utc, modified, modified_utc, title, all_day, start_date,
        end_date, timezone, utc_start_date, utc_end_date, timezone_abbr, hide_from_listings)
        VALUES (?, 1, ?, ?, ?4, ?4, ?4, ?4, ?, ?, ?, ?, 'UTC', ?, ?, 'UTC', ?)`,
    ).bind(id, status, `event-${id}`, NOW, title, allDay ? 1 : 0, wall, end, start, end, hidden ? 1 : 0),
    ...(row.source === undefined
      ? []
      : [
          env.DB.prepare("INSERT INTO imports VALUES (?, 'event', ?, ?, '', NULL)").bind(
            `source:${row.source}`,
            `event-${id}`,
            id,
          ),
        ]),
    ...(row.venue === undefined
      ? []
      : [env.DB.prepare('INSERT INTO event_venues VALUES (?, ?, 0)').bind(id, row.venue)]),
  ]
}

async function store(...rows: Row[]): Promise<number[]> {
  const ids = rows.map(() => ++next)
  const statements = rows.flatMap((row, i) => storing(ids[i] ?? 0, row))
  for (let from = 0; from < statements.length; from += 500)
    await env.DB.batch(statements.slice(from, from + 500))
  return ids
}

const find = async (ids: readonly number[]): Promise<{ nearby: Nearby[]; rowsRead: number }> => {
  const db = new Database(env.DB)
  const nearby = await db.get(selectCandidates(ids))
  return { nearby, rowsRead: db.metrics.rowsRead }
}

/** The ids of what one event is compared with. */
async function candidatesOf(id: number | undefined): Promise<number[]> {
  const { nearby } = await find([id ?? 0])
  return nearby.flatMap(({ candidates }) => candidates.map(twin => twin.id)).sort((a, b) => a - b)
}

beforeAll(() =>
  env.DB.batch([
    env.DB.prepare(
      `INSERT OR IGNORE INTO users (id, login, role, created_utc) VALUES (1, 'admin', 'administrator', '${NOW}')`,
    ),
    ...[1, 2].map(id =>
      env.DB.prepare(
        `INSERT INTO venues (id, author_id, status, slug, date, date_utc, modified, modified_utc, name)
          VALUES (${id}, 1, 'publish', 'venue-${id}', '${NOW}', '${NOW}', '${NOW}', '${NOW}', 'Venue ${id}')`,
      ),
    ),
  ]),
)

beforeEach(async () => {
  next = 0
  await env.DB.batch(
    ['event_venues', 'imports', 'events'].map(table => env.DB.prepare(`DELETE FROM ${table}`)),
  )
})

describe('candidates of twins', () => {
  it('begin within half an hour', async () => {
    const ids = await store(
      { source: 1 },
      ...[-31, -30, -1, 0, 30, 31].map(minutes => ({ start: at(minutes) })),
    )
    expect(await candidatesOf(ids[0])).toEqual(ids.slice(2, 6))
  })
})
