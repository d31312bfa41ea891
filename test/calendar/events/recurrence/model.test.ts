import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { RRule } from 'rrule'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { extendSeries } from '../../../../src/calendar/events/extend-series.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import { findDriftIn } from '../../../derived/values.ts'
import { declareUser, makeEvent, makeVenue, query, queryValue, send } from '../../../factories.ts'
import { TODAY } from '../../../setup.ts'
import { deleteEvents } from './calendar.ts'

// Compares random edits of series with a model of their meaning: it keeps each series' rule and shared
// fields, expands the rule with another library, and gives every occurrence its detached fields, and the
// shared ones otherwise.

type Shared = { title: string; cost: string; venue: number[]; time: string; hours: number }
/**
 * Fields of a date that are its own. `day` is that on which it takes place, and is its own if its times are.
 */
type Own = Partial<Shared & { day: string }>
/** The values of a date. */
type Now = Shared & { day: string }
type Patch = Partial<Shared & { days: number }>
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

const HOUR = 3_600_000
const DAY = 24 * HOUR
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

const nowOf = ({ shared }: Series, { date, own }: Row): Now => ({ ...shared, day: date, ...own })
const startOf = ({ day, time }: Now): string => `${day} ${time}`
const endOf = (now: Now): string => wall(instant(startOf(now)) + now.hours * HOUR)
const dayOf = (moment: string): string => moment.slice(0, 10)
const clockOf = (moment: string): string => moment.slice(11)
const daysLater = (day: string, n: number): string => dayOf(wall(instant(`${day} 00:00:00`) + n * DAY))
const daysBetween = (from: string, to: string): number =>
  (instant(`${dayOf(to)} 00:00:00`) - instant(`${dayOf(from)} 00:00:00`)) / DAY

/** The expected content of the calendar: series, and events that have left theirs. */
class Model {
  readonly series: Series[] = []
  readonly singles: { id: number; now: Now }[] = []

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

  /** The events that must be published. */
  expected() {
    const of = (now: Now) => ({
      title: now.title,
      cost: now.cost,
      venue: now.venue,
      start: startOf(now),
      end: endOf(now),
    })
    return [
      ...this.live().map(({ series, row }) => ({
        id: row.id,
        series: series.id,
        ...of(nowOf(series, row)),
      })),
      ...this.singles.map(({ id, now }) => ({ id, series: null, ...of(now) })),
    ].sort((a, b) => a.start.localeCompare(b.start) || (a.id ?? 0) - (b.id ?? 0))
  }
}

const as = declareUser('editor')

/** Every published event, from the table. */
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
    days: fc.constantFrom(1, 2),
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
function bodyOf(patch: Patch, now: Now) {
  const { time: _, hours: _hours, days: _days, ...fields } = patch
  const to = edited(now, patch)
  if (startOf(to) === startOf(now) && endOf(to) === endOf(now)) return fields
  return { ...fields, start_date: startOf(to), end_date: endOf(to) }
}

/** The values of a date after a patch. */
const edited = (now: Now, { days = 0, ...patch }: Patch): Now => ({
  ...now,
  ...patch,
  day: daysLater(now.day, days),
})

const TIMES = ['day', 'time', 'hours'] as const
const FIELDS = ['title', 'cost', 'venue'] as const
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const some = <K extends keyof Now>(now: Now, names: readonly K[]): Own =>
  Object.fromEntries(names.map(name => [name, now[name]]))

/** Gives one date what differs. Times are one thing: a date with a time of its own keeps it whole. */
function changeOne(series: Series, row: Row, patch: Patch): void {
  const now = nowOf(series, row)
  const to = edited(now, patch)
  for (const name of FIELDS) if (!isSame(to[name], now[name])) Object.assign(row.own, some(to, [name]))
  if (TIMES.some(name => to[name] !== now[name])) Object.assign(row.own, some(to, TIMES))
}

/**
 * The times that the dates of a series get from the one that is edited: a clock that was changed, on their
 * own days.
 */
function sharedTimes({ shared }: Series, { date }: Row, now: Now, to: Now) {
  const ruled = { ...shared, day: date }
  const moved = (at: (now: Now) => string) => {
    const clock = clockOf(at(to)) === clockOf(at(now)) ? clockOf(at(ruled)) : clockOf(at(to))
    return `${daysLater(dayOf(at(ruled)), daysBetween(at(now), at(to)))} ${clock}`
  }
  const start = moved(startOf)
  const hours = now.hours === to.hours ? shared.hours : (instant(moved(endOf)) - instant(start)) / HOUR
  return { time: clockOf(start), hours, days: daysBetween(startOf(ruled), start) }
}

/** Makes an edit in the model and in the calendar. */
async function apply(model: Model, edit: Edit): Promise<void> {
  if (edit.kind === 'restore') return restore(model, edit)
  const found = choice(model.live(), edit.at)
  if (!found) return
  const { series, row } = found
  const now = nowOf(series, row)
  const dates = [...series.rows.keys()].sort()
  const isFirst = row.date === dates[0]
  if (edit.kind === 'patch') {
    const answer = await send('PATCH', `/events/${row.id}`, {
      as,
      json: { ...bodyOf(edit.patch, now), scope: edit.scope },
    })
    const isNegative = sharedTimes(series, row, now, edited(now, edit.patch)).hours < 0
    if (edit.scope !== 'this' && isNegative) {
      expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, ['end_date']])
      return
    }
    expect(answer.status, answer.text).toBe(200)
    if (edit.scope === 'this') changeOne(series, row, edit.patch)
    else {
      // Nothing is divided if only the edited date differs.
      const isDivided = answer.body.series.id !== series.id
      expect(isDivided && (edit.scope === 'all' || isFirst)).toBe(false)
      changeAll(isDivided ? split(model, series, row.date, answer.body.series.id) : series, row, edit.patch)
    }
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
    model.singles.push({ id: row.id ?? 0, now })
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

/**
 * Gives a series what is changed, and nothing that the edited date had of its own. That date gets all that
 * was typed.
 */
function changeAll(series: Series, row: Row, patch: Patch): void {
  const now = nowOf(series, row)
  const to = edited(now, patch)
  const changed = FIELDS.filter(name => !isSame(to[name], now[name]))
  Object.assign(series.shared, some(to, changed))
  for (const name of changed) delete row.own[name]
  if (TIMES.every(name => to[name] === now[name])) return
  const { days, ...times } = sharedTimes(series, row, now, to)
  Object.assign(series.shared, times)
  moveDays(series, days)
  for (const name of TIMES) delete row.own[name]
  if (!isSame(some(nowOf(series, row), TIMES), some(to, TIMES))) Object.assign(row.own, some(to, TIMES))
}

/** Moves the dates of a series to other days; those with times of their own stay where they are. */
function moveDays(series: Series, days: number): void {
  const move = (day: string) => daysLater(day, days)
  series.start = move(series.start)
  series.extra = series.extra.map(move)
  series.without = series.without.map(move)
  if (series.rule.until) series.rule = { ...series.rule, until: move(series.rule.until) }
  for (const row of series.rows.values()) row.date = move(row.date)
  series.rows = new Map([...series.rows.values()].map(row => [row.date, row]))
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
      { seed: 12, numRuns: 60 },
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
