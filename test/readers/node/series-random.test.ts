import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startsOf } from '../../../src/kit/lib/recurrence/pattern.ts'
import { textsOf } from '../../../src/kit/lib/values.ts'
import { beginAtNoon } from '../../clock.ts'
import type { Connection } from '../../connection.ts'
import { findDriftIn } from '../../derived/values.ts'
import { emptyTables, importInto, makeDatabases } from '../database.ts'
import { calendar, itemsOf } from '../ics-calendar.ts'
import { adminSenderOver } from '../worker.ts'

// A source that changes, an administrator who changes things here, and imports in between.

type Database = Awaited<ReturnType<typeof makeDatabases>>[number]

let db: Database
let fresh: Database
beginAtNoon()
beforeAll(async () => {
  const [first, second] = await makeDatabases()
  db = first
  fresh = second
})
afterAll(() => db.close())

type Override = { index: number; title?: string; hour?: number; description?: string; isCanceled?: boolean }
type Source = {
  rule: string
  hour: number
  title: string
  description: string
  location: string
  exdays: number[]
  overrides: Override[]
}
type Step =
  | { kind: 'import'; source: Source; mirror: boolean }
  | { kind: 'edit'; index: number; fields: Record<string, string> }
  | { kind: 'delete'; index: number; force: boolean }
  | { kind: 'all'; title: string }

const day = (index: number): string =>
  new Date(Date.UTC(2027, 2, 1 + index * 7)).toISOString().slice(0, 10).replaceAll('-', '')
const at = (index: number, hour: number): string => `${day(index)}T${String(hour).padStart(2, '0')}0000`

function fileOf({ rule, hour, title, description, location, exdays, overrides }: Source): Uint8Array {
  const texts = (own: Override | undefined) => [
    `SUMMARY:${own?.title ?? title}`,
    `DESCRIPTION:${own?.description ?? description}`,
    `LOCATION:${location}`,
  ]
  const times = (start: string, from: number, index: number) => [
    `DTSTART;TZID=Europe/Rome:${start}`,
    `DTEND;TZID=Europe/Rome:${at(index, from + 1)}`,
  ]
  const master = ['UID:u', ...texts(undefined), ...times(at(0, hour), hour, 0)]
  if (rule !== '') master.push(`RRULE:${rule}`)
  if (rule !== '') for (const index of exdays) master.push(`EXDATE;TZID=Europe/Rome:${at(index, hour)}`)
  const others = overrides.map(own => [
    'UID:u',
    `RECURRENCE-ID;TZID=Europe/Rome:${at(own.index, hour)}`,
    ...texts(own),
    ...times(at(own.index, own.hour ?? hour), own.hour ?? hour, own.index),
    ...(own.isCanceled ? ['STATUS:CANCELLED'] : []),
  ])
  return calendar([master, ...(rule === '' ? [] : others)])
}

const word = fc.constantFrom('Amber', 'Birch', 'Cedar', 'Dune')
const index = fc.integer({ min: 0, max: 6 })
const override: fc.Arbitrary<Override> = fc.record(
  { index, title: word, hour: fc.constantFrom(9, 14), description: word, isCanceled: fc.boolean() },
  { requiredKeys: ['index'] },
)
const source: fc.Arbitrary<Source> = fc.record({
  rule: fc.constantFrom(
    'FREQ=WEEKLY;COUNT=5',
    'FREQ=WEEKLY;COUNT=7',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4',
    'FREQ=DAILY;COUNT=9',
    '',
  ),
  hour: fc.constantFrom(8, 10),
  title: word,
  description: word,
  location: fc.constantFrom('Hall', 'Barn'),
  exdays: fc.uniqueArray(index, { maxLength: 2 }),
  overrides: fc.uniqueArray(override, { maxLength: 3, selector: one => one.index }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('import' as const), source, mirror: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      index,
      fields: fc.constantFrom<Record<string, string>>(
        { title: 'Ours' },
        { description: 'Ours too' },
        { cost: '5' },
        { start_date: '2027-03-02 15:00:00', end_date: '2027-03-02 16:00:00' },
        { venue: '' },
        { event_status: 'postponed' },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), index, force: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('all' as const), title: word }) },
)

const live = (of: Connection) =>
  of.query(`SELECT id, series_id FROM events WHERE status <> 'trash' ORDER BY utc_start_date, id`)

/** The live occurrences of each series must be the dates that it gives. */
async function assertDates(of: Connection): Promise<void> {
  for (const row of await of.query(`SELECT * FROM series WHERE status <> 'trash'`)) {
    const pattern = {
      rrule: String(row.rrule),
      rdate: textsOf(String(row.rdate)),
      exdate: textsOf(String(row.exdate)),
      start_date: String(row.start_date),
      end_date: String(row.end_date),
      timezone: String(row.timezone),
      all_day: row.all_day === 1,
    }
    const rows = await of.query(
      `SELECT occurrence_date AS date FROM events WHERE series_id = ? AND status <> 'trash' ORDER BY 1`,
      row.id ?? 0,
    )
    const { dates } = startsOf(pattern, { to: '2029-01-01 00:00:00', limit: 100 })
    expect(rows.map(({ date }) => date)).toEqual(dates)
  }
}

/** All that people see, without ids and versions. */
const shown = (of: Connection) =>
  of.query(`SELECT events.title, events.start_date, events.end_date, events.occurrence_date, events.detached, events.cost,
      events.event_status, series.rrule, series.rdate, series.exdate, series.title AS shared,
      iif(series.id IS NULL OR instr(detached, '"description"'), events.description, series.description) AS description,
      (SELECT group_concat(name) FROM event_venues JOIN venues ON venues.id = target_id WHERE event_id = events.id) AS venues
    FROM events LEFT JOIN series ON series.id = series_id WHERE events.status <> 'trash'
    ORDER BY events.utc_start_date, events.occurrence_date, events.title`)

async function takeStep(one: Step, send: Awaited<ReturnType<typeof adminSenderOver>>): Promise<void> {
  if (one.kind === 'import') {
    const report = await importInto(db, await itemsOf(fileOf(one.source)), { mirror: one.mirror })
    expect(report.reasons.filter(reason => reason.startsWith('failed'))).toEqual([])
    if (!one.mirror) return
    await emptyTables(fresh)
    await importInto(fresh, await itemsOf(fileOf(one.source)))
    expect(await shown(db)).toEqual(await shown(fresh))
    return
  }
  const rows = await live(db)
  const id = rows[one.kind === 'all' ? 0 : one.index]?.id
  if (id === undefined) return
  if (one.kind === 'edit') await send('PATCH', `events/${id}`, one.fields)
  else if (one.kind === 'all') await send('PATCH', `events/${id}`, { title: one.title, scope: 'all' })
  else await send('DELETE', `events/${id}${one.force ? '?force=true' : ''}`)
}

it('series stay consistent, whatever is changed at the source and here, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(source, fc.array(step, { minLength: 3, maxLength: 8 }), async (firstSource, steps) => {
      await emptyTables(db)
      const send = await adminSenderOver(db)
      for (const one of [{ kind: 'import' as const, source: firstSource, mirror: false }, ...steps]) {
        await takeStep(one, send)
        expect(await findDriftIn(db.d1)).toEqual([])
        await assertDates(db)
      }
    }),
    { seed: 20_270_301, numRuns: 3, endOnFailure: true },
  )
})
