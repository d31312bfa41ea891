import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NearbyEvents, selectPossibleDuplicates } from '../../../src/calendar/duplicates/nearby.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { query, queryAll } from '../../factories.ts'

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
          env.DB.prepare(
            "INSERT INTO imports (source, kind, external_id, target_id, hash, imported_version) VALUES (?, 'event', ?, ?, '', NULL)",
          ).bind(`source:${row.source}`, `event-${id}`, id),
        ]),
    ...(row.venue === undefined
      ? []
      : [
          env.DB.prepare('INSERT INTO event_venues (event_id, target_id, position) VALUES (?, ?, 0)').bind(
            id,
            row.venue,
          ),
        ]),
  ]
}

async function store(...rows: Row[]): Promise<number[]> {
  const ids = rows.map(() => ++next)
  const statements = rows.flatMap((row, i) => storing(ids[i] ?? 0, row))
  for (let from = 0; from < statements.length; from += 500)
    await env.DB.batch(statements.slice(from, from + 500))
  return ids
}

const find = async (ids: readonly number[]): Promise<{ nearby: NearbyEvents[]; rowsRead: number }> => {
  const db = new Database(env.DB)
  const nearby = await db.read(selectPossibleDuplicates(ids))
  return { nearby, rowsRead: db.metrics.rowsRead }
}

/** The ids of what one event is compared with. */
async function duplicatesOf(id: number | undefined): Promise<number[]> {
  const { nearby } = await find([id ?? 0])
  return nearby.flatMap(({ others }) => others.map(({ id: other }) => other)).sort((a, b) => a - b)
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
  await queryAll(['event_venues', 'imports', 'events', 'series'].map(table => `DELETE FROM ${table}`))
})

describe('possible duplicates', () => {
  it('begin within half an hour', async () => {
    const ids = await store(
      { source: 1 },
      ...[-31, -30, -1, 0, 30, 31].map(minutes => ({ start: at(minutes) })),
    )
    expect(await duplicatesOf(ids[0])).toEqual(ids.slice(2, 6))
  })

  it('are not of the same source, and at least one of the two is of a source', async () => {
    const [a, b, c, d] = await store({ source: 1 }, { source: 1 }, { source: 2 }, {})
    expect(await duplicatesOf(a)).toEqual([c, d])
    expect(await duplicatesOf(b)).toEqual([c, d])
    expect(await duplicatesOf(d)).toEqual([a, b, c])
    const [e, f] = await store({ start: at(300) }, { start: at(300) })
    expect(await duplicatesOf(e)).toEqual([])
    expect(await duplicatesOf(f)).toEqual([])
  })

  it('count as events of the source with the lower number if they are of two sources', async () => {
    const [both, ninth] = await store({ source: 10 }, { source: 9 })
    await query(
      `INSERT INTO imports (source, kind, external_id, target_id, hash, imported_version) VALUES ('source:9', 'event', 'both', ${both}, '', NULL)`,
    )
    expect(await duplicatesOf(both)).toEqual([])
    expect(await duplicatesOf(ninth)).toEqual([])
  })

  it('last the whole day on which the other begins, in any zone', async () => {
    const day = { allDay: true, end: '2027-03-11 23:59:59' }
    const [evening, local, utc] = await store(
      { source: 1, start: '2027-03-06 19:00:00', wall: '2027-03-06 20:00:00' },
      { ...day, start: '2027-03-05 23:00:00', wall: '2027-03-06 00:00:00' },
      { ...day, start: '2027-03-06 00:00:00' },
      { ...day, start: '2027-03-06 23:00:00', wall: '2027-03-07 00:00:00' },
      { ...day, start: '2027-03-04 23:00:00', wall: '2027-03-05 00:00:00' },
    )
    expect(await duplicatesOf(evening)).toEqual([local, utc])
    expect(await duplicatesOf(local)).toEqual([evening])
    const [fair, other] = await store(
      { ...day, start: '2027-03-09 22:00:00', wall: '2027-03-10 00:00:00', source: 1 },
      { ...day, start: '2027-03-10 00:00:00', source: 2 },
    )
    expect(await duplicatesOf(fair)).toEqual([other])
    expect(await duplicatesOf(other)).toEqual([fair])
  })

  it('are in lists, or on their way into them', async () => {
    const [a, pending, draft, future] = await store(
      { source: 1 },
      ...['pending', 'draft', 'future', 'private', 'trash'].map(status => ({ status })),
      { hidden: true },
    )
    expect(await duplicatesOf(a)).toEqual([pending, draft, future])
    expect(await duplicatesOf(pending)).toEqual([a])
    const [trashed, hidden] = await store({ status: 'trash', source: 2 }, { hidden: true, source: 2 })
    expect(await duplicatesOf(trashed)).toEqual([])
    expect(await duplicatesOf(hidden)).toEqual([])
  })

  it('come with what they are judged by, each pair once', async () => {
    const [a, b] = await store({ source: 1, venue: 1 }, { source: 2, venue: 1, title: 'Jazz!' })
    const { nearby } = await find([a ?? 0, b ?? 0])
    const times = { start_date: at(0), end_date: at(0), utc_start_date: at(0), utc_end_date: at(0) }
    expect(nearby).toEqual([
      {
        event: {
          id: a,
          status: 'publish',
          source: 1,
          series: null,
          title: 'Jazz',
          ...times,
          all_day: false,
          website: '',
          venues: [{ id: 1, name: 'Venue 1', address: '', city: '', lat: null, lng: null }],
        },
        others: [expect.objectContaining({ id: b, source: 2, title: 'Jazz!' })],
      },
    ])
  })

  it('may be dates of a series, which are of the same source as the series', async () => {
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO series (id, author_id, status, slug, date, date_utc, modified, modified_utc, title, description,
          start_date, end_date, timezone) VALUES (1, 1, 'publish', 's', ?1, ?1, ?1, ?1, 'Jazz', 'Of old', ?2, ?2, 'UTC')`,
      ).bind(NOW, at(0)),
      env.DB.prepare(
        "INSERT INTO imports (source, kind, external_id, target_id, hash, imported_version) VALUES ('source:7', 'series', 'weekly', 1, '', NULL)",
      ),
    ])
    const [own, other, date] = await store({}, { source: 1 }, {})
    await query('UPDATE events SET version = 2, series_id = 1, occurrence_date = ? WHERE id = ?', at(0), date)
    const { nearby } = await find([date ?? 0])
    expect(nearby[0]?.event).toMatchObject({ source: 7 })
    expect(nearby[0]?.others.map(({ id, source }) => [id, source])).toEqual([
      [own, 0],
      [other, 1],
    ])
    expect(await duplicatesOf(own)).toEqual([other, date])
  })

  it('include those of the same venue or title where a thousand begin, for few rows', async () => {
    const ids = await store(
      ...Array.from({ length: 1000 }, (_, i) => ({
        title: `Event ${i}`,
        source: 1,
        start: at(i % 2 ? 0 : -20),
        ...(i % 3 === 0 && { venue: 2 }),
      })),
      { title: 'Late Jazz', source: 3, venue: 1 },
      { title: 'Jazz', source: 4 },
      { title: 'JAZZ', venue: 1 },
    )
    const [sameVenue, sameTitle, own] = ids.slice(1000)
    const found = await duplicatesOf(own)
    expect(found).toEqual(expect.arrayContaining([sameVenue, sameTitle]))
    expect(found.length).toBeLessThan(45)
    expect((await find([own ?? 0])).rowsRead).toBeLessThan(600)
    expect((await find(ids.slice(0, 50))).rowsRead).toBeLessThan(2_000)
  })

  it('of fifty events among 2,000, two an hour, are found in few rows', async () => {
    const ids = await store(
      ...Array.from({ length: 2000 }, (_, i) => ({ source: 1 + (i % 2), start: at(30 * i), venue: 1 })),
    )
    const { nearby, rowsRead } = await find(ids.slice(900, 950))
    expect(nearby.flatMap(({ others }) => others).length).toBe(49 + 2)
    expect(rowsRead).toBeLessThan(2_500)
  })
})
