import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { RRule } from 'rrule'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Database } from '../../../../src/db/database.ts'
import { extendSeries } from '../../../../src/resources/events/recurrence/extend.ts'
import { settingsOf } from '../../../../src/settings.ts'
import { findDriftIn } from '../../../derived/values.ts'
import { makeEvent, makeVenue, query, queryValue, send, user } from '../../../factories.ts'
import { TODAY } from '../../../setup.ts'
import { deleteEvents } from './calendar.ts'

// Compares random edits of series with a model of their meaning: it keeps each series' rule and shared fields, expands
// the rule with another library, and gives every occurrence its detached fields, and the shared ones otherwise.

type Shared = { title: string; cost: string; venue: number[]; time: string; hours: number }
type Own = Partial<Shared>
/** `kept` occurrences were restored from the trash on their own, while the series stayed there. */
type Row = { id: number | undefined; date: string; own: Own; trashed: boolean; kept?: boolean }
type Series = {
  id: number
  rule: { freq: 'DAILY' | 'WEEKLY'; interval: number; count?: number; until?: string }
  start: string
  extra: string[]
  without: string[]
  shared: Shared
  trashed: boolean
  rows: Map<string, Row>
}

const DAY = 86_400_000
const instant = (wall: string) => Date.parse(`${wall.replace(' ', 'T')}Z`)
const wall = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** The dates of a series, by another library. */
function datesOf({ rule, start, extra, without, shared }: Series): string[] {
  const dates = new RRule({
    freq: RRule[rule.freq],
    interval: rule.interval,
    dtstart: new Date(instant(`${start} ${shared.time}`)),
    count: rule.count ?? null,
    until: rule.until ? new Date(instant(`${rule.until} 23:59:59`)) : null,
  }).all()
  const all = new Set([start, ...dates.map(date => wall(date.getTime()).slice(0, 10)), ...extra])
  return [...all].filter(date => !without.includes(date)).sort()
}

const ruleText = ({ freq, interval, count, until }: Series['rule']): string =>
  [
    `FREQ=${freq}`,
    `INTERVAL=${interval}`,
    ...(count === undefined ? [] : [`COUNT=${count}`]),
    ...(until === undefined ? [] : [`UNTIL=${until.replaceAll('-', '')}T235959`]),
  ].join(';')

/** The expected content of the calendar: series, and events that have left theirs. */
class Model {
  readonly series: Series[] = []
  readonly singles: { id: number; shared: Shared; date: string }[] = []

  /** Brings the rows of a series in line with its dates. */
  settle(series: Series): void {
    const dates = new Set(datesOf(series))
    for (const row of series.rows.values())
      row.trashed = (series.trashed && !row.kept) || !dates.has(row.date)
    for (const date of dates)
      if (!series.rows.has(date))
        series.rows.set(date, { id: undefined, date, own: {}, trashed: series.trashed })
  }

  live(): { series: Series; row: Row }[] {
    return this.series.flatMap(series =>
      [...series.rows.values()].filter(row => !row.trashed).map(row => ({ series, row })),
    )
  }

  /** The events that lists must show. */
  expected() {
    const of = (date: string, shared: Shared) => ({
      title: shared.title,
      cost: shared.cost,
      venue: shared.venue,
      start: `${date} ${shared.time}`,
      end: wall(instant(`${date} ${shared.time}`) + shared.hours * 3_600_000),
    })
    return [
      ...this.live().map(({ series, row }) => ({
        id: row.id,
        series: series.id,
        ...of(row.date, { ...series.shared, ...row.own }),
      })),
      ...this.singles.map(({ id, date, shared }) => ({ id, series: null, ...of(date, shared) })),
    ].sort((a, b) => a.start.localeCompare(b.start) || (a.id ?? 0) - (b.id ?? 0))
  }
}

const as = user('editor')

/** Everything that is listed, without pages. */
async function listed() {
  const results = await query<
    Record<string, unknown>
  >(`SELECT id, series_id AS series, title, cost, start_date AS start, end_date AS "end",
      (SELECT json_group_array(target_id) FROM (SELECT target_id FROM event_venues WHERE event_id = events.id ORDER BY position)) AS venue
    FROM events WHERE status = 'publish' ORDER BY start_date, id`)
  return results.map(({ venue, ...row }) => ({ ...row, venue: JSON.parse(String(venue)) }))
}

const choice = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(1, items.length)]

const patches = fc.record(
  {
    title: fc.constantFrom('Jazz', 'Choir', 'Yoga', 'Chess'),
    cost: fc.constantFrom('$5', '$7', 'Free'),
    venue: fc.subarray([1, 2]),
    time: fc.constantFrom('09:00:00', '18:30:00', '20:00:00'),
    hours: fc.constantFrom(1, 2, 5),
  },
  { requiredKeys: [] },
)

const rules = fc.record({
  freq: fc.constantFrom('DAILY' as const, 'WEEKLY' as const),
  interval: fc.integer({ min: 1, max: 3 }),
  count: fc.integer({ min: 2, max: 9 }),
})

const kind = <const K extends string>(name: K) => fc.constant(name)
const scopes = fc.oneof(kind('this'), kind('following'), kind('all'))
const at = fc.nat(50)

const edits = fc.oneof(
  fc.record({ kind: kind('patch'), at, scope: scopes, patch: patches }),
  fc.record({ kind: kind('rule'), at, rule: rules }),
  fc.record({ kind: kind('delete'), at, scope: fc.oneof(kind('this'), scopes) }),
  fc.record({ kind: kind('restore'), at, scope: fc.oneof(kind('this'), kind('all')) }),
  fc.record({ kind: kind('end'), at }),
)

type Edit = typeof edits extends fc.Arbitrary<infer T> ? T : never

/** The body of a request for a patch of an occurrence. */
function bodyOf(patch: Own, date: string, shared: Shared) {
  const { time = shared.time, hours = shared.hours, ...fields } = patch
  if (patch.time === undefined && patch.hours === undefined) return fields
  return {
    ...fields,
    start_date: `${date} ${time}`,
    end_date: wall(instant(`${date} ${time}`) + hours * 3_600_000),
  }
}

/** Only fields that differ are detached, or written to all. */
const differing = (patch: Own, now: Shared): Own =>
  Object.fromEntries(
    Object.entries(patch).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name as keyof Shared]),
    ),
  )

/** Times are one thing: an occurrence with a time of its own keeps it whole. */
const detachTimes = (own: Own, now: Shared): Own =>
  own.time === undefined && own.hours === undefined
    ? own
    : { ...own, time: own.time ?? now.time, hours: own.hours ?? now.hours }

/** Makes an edit in the model and in the calendar. */
async function apply(model: Model, edit: Edit): Promise<void> {
  if (edit.kind === 'restore') return restore(model, edit)
  const found = choice(model.live(), edit.at)
  if (!found) return
  const { series, row } = found
  const now = { ...series.shared, ...row.own }
  const dates = [...series.rows.keys()].sort()
  const isFirst = row.date === dates[0]
  if (edit.kind === 'patch') {
    const patch = differing(edit.patch, now)
    const answer = await send('PATCH', `/events/${row.id}`, {
      as,
      json: { ...bodyOf(edit.patch, row.date, now), scope: edit.scope },
    })
    expect(answer.status, answer.text).toBe(200)
    if (edit.scope === 'this') row.own = { ...row.own, ...detachTimes(patch, now) }
    else
      changeAll(
        edit.scope === 'all' || isFirst ? series : split(model, series, row.date, answer.body.series.id),
        patch,
        now,
      )
  }
  if (edit.kind === 'rule') {
    const answer = await send('PATCH', `/events/${row.id}`, {
      as,
      json: { recurrence: { rrule: ruleText(edit.rule) } },
    })
    // A rule with a single date, which is left out, leaves no occurrences.
    const next = { ...series, rule: edit.rule }
    if (datesOf(next).length === 0) expect(answer.status).toBe(400)
    else {
      expect(answer.status, answer.text).toBe(200)
      series.rule = edit.rule
      series.trashed = false
      model.settle(series)
    }
  }
  if (edit.kind === 'delete') {
    const answer = await send('DELETE', `/events/${row.id}?scope=${edit.scope}`, { as })
    expect(answer.status, answer.text).toBe(200)
    if (edit.scope === 'this') {
      series.without.push(row.date)
      model.settle(series)
    } else if (edit.scope === 'all' || isFirst) {
      discard(series)
    } else {
      truncate(series, row.date)
      model.settle(series)
    }
  }
  if (edit.kind === 'end') {
    const answer = await send('PATCH', `/events/${row.id}`, { as, json: { recurrence: '' } })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.series).toBeUndefined()
    model.singles.push({ id: row.id ?? 0, date: row.date, shared: now })
    series.rows.delete(row.date)
    series.without.push(row.date)
    discard(series)
  }
}

/** Moves a series to the trash. */
function discard(series: Series): void {
  series.trashed = true
  for (const row of series.rows.values()) Object.assign(row, { trashed: true, kept: false })
}

/** Gives a series other shared fields. The named occurrence moves as far as the others. */
function changeAll({ shared }: Series, { time, hours, ...fields }: Own, now: Shared): void {
  const isTimed = time !== undefined || hours !== undefined
  Object.assign(shared, fields, isTimed && { time: time ?? shared.time, hours: hours ?? now.hours })
}

/** The rule of a series up to a date. */
function truncate(series: Series, date: string): void {
  const { count: _, ...rest } = series.rule
  // A rule that has ended before keeps its end.
  if (datesOf({ ...series, without: [], extra: [] }).some(other => other >= date))
    series.rule = { ...rest, until: wall(instant(`${date} 00:00:00`) - DAY).slice(0, 10) }
  series.extra = series.extra.filter(other => other < date)
  series.without = series.without.filter(other => other < date)
}

function split(model: Model, series: Series, date: string, id: number): Series {
  const whole = datesOf({ ...series, without: [], extra: [] })
  const isOwn = whole.includes(date)
  const start = isOwn ? date : (whole.find(other => other > date) ?? date)
  const left = whole.filter(other => other >= start).length
  const tail: Series = {
    id,
    rule: { ...series.rule, ...(series.rule.count !== undefined && { count: Math.max(1, left) }) },
    start,
    extra: series.extra.filter(other => other >= date && other !== start),
    without: series.without.filter(other => other >= date),
    shared: { ...series.shared },
    trashed: series.trashed,
    rows: new Map([...series.rows].filter(([other]) => other >= date)),
  }
  if (left === 0) tail.rule = { freq: 'DAILY', interval: 1, count: 1 }
  for (const other of tail.rows.keys()) series.rows.delete(other)
  truncate(series, date)
  model.settle(series)
  model.settle(tail)
  model.series.push(tail)
  return tail
}

async function restore(model: Model, { at, scope }: Extract<Edit, { kind: 'restore' }>): Promise<void> {
  const gone = model.series.flatMap(series =>
    [...series.rows.values()]
      .filter(row => row.trashed && row.id !== undefined)
      .map(row => ({ series, row })),
  )
  const found = choice(gone, at)
  if (!found) return
  const { series, row } = found
  const answer = await send('PATCH', `/events/${row.id}`, { as, json: { status: 'publish', scope } })
  expect(answer.status, answer.text).toBe(200)
  if (scope === 'this') {
    series.without = series.without.filter(date => date !== row.date)
    if (!datesOf(series).includes(row.date)) series.extra = [...series.extra, row.date].sort()
    row.trashed = false
    row.kept = series.trashed
  } else {
    series.trashed = false
    model.settle(series)
  }
}

/** Compares the calendar with the model, and learns the ids of new occurrences. */
async function compare(model: Model, step: string): Promise<void> {
  const rows = await listed()
  for (const { series, row } of model.live()) {
    if (row.id !== undefined) continue
    const found = await queryValue<number>(
      'SELECT id FROM events WHERE series_id = ? AND occurrence_date LIKE ?',
      series.id,
      `${row.date}%`,
    )
    row.id = found ?? undefined
  }
  expect(rows, step).toEqual(model.expected())
}

beforeAll(async () => {
  await makeVenue(as, 'Hall')
  await makeVenue(as, 'Yard')
})

async function startModel(rule: Series['rule']): Promise<Model> {
  const shared = { title: 'Yoga', cost: '$5', venue: [1], time: '20:00:00', hours: 2 }
  const { title, cost, venue } = shared
  const { series } = await makeEvent(as, {
    title,
    cost,
    venue,
    start_date: '2027-01-05 20:00:00',
    end_date: '2027-01-05 22:00:00',
    recurrence: { rrule: ruleText(rule) },
  })
  const first: Series = {
    id: series.id,
    rule,
    start: '2027-01-05',
    shared,
    extra: [],
    without: [],
    trashed: false,
    rows: new Map(),
  }
  const model = new Model()
  model.series.push(first)
  model.settle(first)
  return model
}

describe('a series after random edits', () => {
  it('has the occurrences and fields that a naive expansion gives', async () => {
    await fc.assert(
      fc.asyncProperty(rules, fc.array(edits, { minLength: 1, maxLength: 8 }), async (rule, list) => {
        await deleteEvents()
        const model = await startModel(rule)
        await compare(model, 'new')
        for (const [i, edit] of list.entries()) {
          await apply(model, edit)
          await compare(model, JSON.stringify(list.slice(0, i + 1)))
        }
        expect(await findDriftIn(env.DB)).toEqual([])
      }),
      { seed: 12, numRuns: 40 },
    )
  })
})

describe('the cron', () => {
  it('adds occurrences as time passes', async () => {
    const { series } = await makeEvent(as, {
      start_date: '2026-12-01 20:00:00',
      end_date: '2026-12-01 22:00:00',
      recurrence: { rrule: 'FREQ=WEEKLY' },
    })
    const count = () =>
      env.DB.prepare(`SELECT count(*) AS n, max(start_date) AS last FROM events WHERE series_id = ?`)
        .bind(series.id)
        .first()
    expect(await count()).toEqual({ n: 103, last: '2028-11-14 20:00:00' })
    vi.setSystemTime(TODAY.getTime() + 365 * DAY)
    const run = () => extendSeries({ db: new Database(env.DB), settings: settingsOf({}), nowMs: Date.now() })
    await Promise.all([run(), run()])
    await run()
    expect(await count()).toEqual({ n: 155, last: '2029-11-13 20:00:00' })
    await run()
    expect(await count()).toEqual({ n: 155, last: '2029-11-13 20:00:00' })
    expect(await findDriftIn(env.DB)).toEqual([])
  })
})
