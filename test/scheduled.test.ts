import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import worker from '../src/index.ts'
import type { Bindings } from '../src/kit/env.ts'
import {
  countRows,
  makeAll,
  makeDatabaseAnew,
  makeEvent,
  makeUser,
  makeVenue,
  query,
  queryAll,
  queryValue,
  WHEN,
} from './factories.ts'
import { faultyD1 } from './kit/http/faulty-d1.ts'
import { TODAY } from './setup.ts'

// The cron does whatever can be done, however much of the rest fails.

let as: string

beforeEach(async () => {
  await makeDatabaseAnew()
  as = await makeUser('editor', 'editor')
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.setSystemTime(TODAY)
})

/** A time at which images are looked after as well. */
const LATER = '2026-12-20T03:17:00Z'
const NEXT_DAY = '2026-12-21T03:18:00Z'

/** Runs the cron. @returns the ids under which errors were reported */
async function tick(time = LATER, bindings: Partial<Bindings> = {}): Promise<string[]> {
  vi.setSystemTime(new Date(time))
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(time) }), {
    ...env,
    ...bindings,
  })
  const ids = log.mock.calls.flatMap(([line]) => JSON.parse(String(line)).id ?? [])
  log.mockRestore()
  return ids
}

/** A series without an end, on every fourth Friday. */
const SERIES = {
  title: 'Series',
  start_date: '2026-11-20 18:00:00',
  end_date: '2026-11-20 19:00:00',
  recurrence: 'FREQ=WEEKLY;INTERVAL=4',
}
const countOf = (series: number) => countRows(`events WHERE series_id = ${series}`)

const NONSENSE = [
  "rrule = 'FREQ=NEVER'",
  "rrule = 'whenever'",
  "timezone = 'Mars/Olympus'",
  "start_date = 'soon'",
  "end_date = ''",
  "extend_from = ''",
  "extend_from = '0'",
  "rdate = '['",
  `exdate = '{"a":1}'`,
  "rdate = '[7]'",
]

it('a run that fails is logged with what it took, like any other', async () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await expect(tick(LATER, { TIMEZONE: 'Mars/Olympus' })).rejects.toThrow('TIMEZONE')
  expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
    expect.objectContaining({ id: 'cron', statements: 0, left: [] }),
  ])
})

describe('series that make no sense', () => {
  it('are reported and retried later, and all else is done', async () => {
    await makeAll(as, 'events', Array(NONSENSE.length + 1).fill(SERIES))
    const last = NONSENSE.length + 1
    await queryAll(
      NONSENSE.map(
        (change, i) =>
          `UPDATE series SET extend_from = '2000-01-01', ${change}, version = version + 1 WHERE id = ${i + 1}`,
      ),
    )
    await makeEvent(as, { title: 'Due', date_utc: '2026-12-01 00:00:00' })
    const before = Number(await countOf(last))
    const reported: string[] = []
    for (let i = 0; i < 4; i++) reported.push(...(await tick()))
    expect(await countOf(last)).toBe(before + 1)
    expect(await tick()).toEqual([])
    expect(await queryValue("SELECT status FROM events WHERE title = 'Due'")).toBe('publish')
    expect(reported).toContain('series 1')
    expect(await tick(NEXT_DAY)).toContain('series 1')
  })

  it('get all missing dates once they make sense again', async () => {
    await makeEvent(as, SERIES)
    const before = Number(await countOf(1))
    await query("UPDATE series SET rrule = 'FREQ=NEVER', version = version + 1")
    for (const time of ['2026-12-20T00:00:00Z', '2027-02-20T00:00:00Z'])
      expect(await tick(time), time).toEqual(['series 1'])
    expect(await countOf(1)).toBe(before)
    await query("UPDATE series SET rrule = 'FREQ=WEEKLY;INTERVAL=4', version = version + 1")
    await tick('2027-03-12T18:00:00Z')
    expect(await countOf(1)).toBe(before + 4)
  })

  it('that the database refuses are retried later as well', async () => {
    await makeAll(as, 'events', [
      { ...SERIES, title: 'Bad' },
      { ...SERIES, title: 'Good' },
    ])
    await query(
      `CREATE TRIGGER refused BEFORE INSERT ON events WHEN NEW.title = 'Bad' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    )
    const before = Number(await countOf(2))
    for (let i = 0; i < 2; i++) expect(await tick()).toEqual(['series 1'])
    expect([await countOf(1), await countOf(2)]).toEqual([before, before + 1])
    expect(await tick()).toEqual([])
  })
})

describe('publication', () => {
  it('of what can be published does not depend on what cannot', async () => {
    const date_utc = '2026-12-01 00:00:00'
    for (const title of ['Bad', 'Good', 'Fine']) await makeEvent(as, { title, date_utc })
    await makeVenue(as, 'Hall', { date_utc })
    await query(
      `CREATE TRIGGER refused BEFORE UPDATE ON events WHEN NEW.title = 'Bad' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    )
    expect(await tick()).toEqual(['publication of events', 'publication of event 1'])
    const statuses = 'SELECT group_concat(status) FROM (SELECT status FROM events ORDER BY id)'
    expect(await queryValue(statuses)).toBe('future,publish,publish')
    expect(await queryValue('SELECT status FROM venues')).toBe('publish')
    expect(await countRows("audit WHERE action = 'publish'")).toBe(3)
    await query('DROP TRIGGER refused')
    expect(await tick()).toEqual([])
    expect(await queryValue(statuses)).toBe('publish,publish,publish')
  })
})

/** Has the database refuse to write some rows. */
const refuse = (name: string, event: string, when: string) =>
  query(`CREATE TRIGGER ${name} BEFORE ${event} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'refused'); END`)

describe('a row that the database refuses to change', () => {
  const PAST = "'2026-01-01 00:00:00'"
  const LONG_AGO = "'2020-01-01 00:00:00'"
  const submission = (id: number, columns: string, values: string) =>
    `INSERT INTO submissions (id, event_id, token_digest, event_key, created_utc, ${columns})
      VALUES (${id}, ${id}, 'd${id}', '', ${LONG_AGO}, ${values})`

  /**
   * A task, the third of some rows, the trigger that refuses it, and a count of the rows that are left as
   * they were.
   */
  const CASES: [string, (id: number) => string, [event: string, when: string], string][] = [
    [
      'session',
      id =>
        `INSERT INTO sessions (id, user_id, digest, method, device, created_utc, expires_utc, last_used_utc) VALUES (${id}, 1, 'd${id}', 'link', '', ${PAST}, ${PAST}, ${PAST})`,
      ['DELETE ON sessions', 'OLD.id = 3'],
      'sessions',
    ],
    [
      'sign-in link',
      id => `INSERT INTO sign_in_links (digest, user_id, expires_utc) VALUES ('d${id}', 1, ${PAST})`,
      ['DELETE ON sign_in_links', "OLD.digest = 'd3'"],
      'sign_in_links',
    ],
    [
      'kept response',
      id => `INSERT INTO idempotency_keys (user_id, key, request_digest, request_id, at_utc, audit_id, total_bytes)
        VALUES (1, 'k${id}', '', '', ${PAST}, 0, 0)`,
      ['DELETE ON idempotency_keys', "OLD.key = 'k3'"],
      'idempotency_keys',
    ],
    [
      'submission: decision',
      id => submission(id, 'sender', "''"),
      ['UPDATE ON submissions', 'OLD.id = 3'],
      'submissions WHERE decided_utc IS NULL',
    ],
    [
      'submission: contact',
      id => submission(id, 'email, decided_utc', `'a@example.org', '2026-01-01 00:00:00'`),
      ['UPDATE ON submissions', 'OLD.id = 3'],
      "submissions WHERE email <> ''",
    ],
    [
      'submission: page',
      id => submission(id, 'decided_utc', LONG_AGO),
      ['DELETE ON submissions', 'OLD.id = 3'],
      'submissions',
    ],
    [
      'publication of venue',
      id => `UPDATE venues SET status = 'future', version = version + 1 WHERE id = ${id}`,
      ['UPDATE ON venues', 'OLD.id = 3'],
      "venues WHERE status = 'future'",
    ],
  ]

  it.each(CASES)(
    'is retried later, and stops no other: %s',
    async (one, insert, [event, when], remaining) => {
      await makeAll(
        as,
        'venues',
        Array.from({ length: 7 }, (_, i) => ({ venue: `Hall ${i}` })),
      )
      for (let id = 1; id <= 7; id++) await query(insert(id))
      await refuse('refused', event, when)
      const count = () => countRows(`${remaining}`)
      expect(await count()).toBe(7)
      expect(await tick()).toContain(`${one} 3`)
      for (let i = 0; i < 3; i++) await tick()
      expect(await count()).toBe(1)
      // By now it is left alone for some time, and not looked for any more.
      expect(await tick()).toEqual([])
      await query('DROP TRIGGER refused')
      expect(await tick()).toEqual([])
      await tick('2026-12-20T04:30:00Z')
      expect(await count()).toBe(0)
    },
  )

  it('is passed over where the values of the audit are forgotten', async () => {
    await query(`INSERT INTO audit (at_utc, action, kind, object_id, changed)
      SELECT ${LONG_AGO}, 'update', 'event', value, '{}' FROM json_each('[1,2,3,4,5,6]')`)
    await refuse('refused', 'UPDATE ON audit', 'OLD.id = 3')
    await query(
      "INSERT INTO undo_requests (audit_id, at_utc, request) VALUES (1, '2020-01-01 00:00:00', '{}')",
    )
    for (let i = 0; i < 9; i++) await tick()
    expect(await queryValue('SELECT group_concat(id) FROM audit WHERE changed IS NOT NULL')).toBe('3')
    expect(await countRows('undo_requests')).toBe(0)
    expect(await tick()).toEqual([])
  })

  it('is logged, and so is another one, of the audit and of what could be undone', async () => {
    await query(
      `INSERT INTO audit (at_utc, action, kind, object_id, changed) VALUES (${LONG_AGO}, 'update', 'event', 1, '{}')`,
    )
    await query(`INSERT INTO undo_requests (audit_id, at_utc, request) VALUES (1, ${LONG_AGO}, '{}')`)
    await refuse('refused', 'UPDATE ON audit', 'true')
    await refuse('refused_too', 'DELETE ON undo_requests', 'true')
    const failedTasks = await tick()
    for (const trigger of ['refused', 'refused_too']) await query(`DROP TRIGGER ${trigger}`)
    expect(failedTasks.toSorted()).toEqual(['undo data', 'values of the audit'])
  })
})

describe('the cron, while D1 fails,', () => {
  const FAILURES = [
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'Network connection lost.',
    'D1_ERROR: something new',
  ]

  it.each(FAILURES)('does nothing twice and puts nothing off: %s', async message => {
    const due = { title: 'Due', ...WHEN, date_utc: '2026-12-01 00:00:00' }
    await makeAll(as, 'events', [SERIES, SERIES, due])
    await makeVenue(as, 'Hall', { date_utc: '2026-12-01 00:00:00' })
    const before = Number(await countOf(1))
    for (const fault of [
      { message, times: 100 },
      { message, times: 1 },
      { message, times: 2, writesOnly: true },
      { message, times: 1, writesOnly: true, late: true },
      { message, times: 100, late: true },
    ])
      await tick(LATER, { DB: faultyD1(fault).DB })
    await tick(LATER)
    await tick(NEXT_DAY)
    expect([await countOf(1), await countOf(2)]).toEqual([before + 1, before + 1])
    expect(await countRows("events WHERE status = 'future'")).toBe(0)
    expect(await countRows("venues WHERE status = 'future'")).toBe(0)
    expect(await countRows("audit WHERE action = 'publish'")).toBe(2)
  })

  it('does nothing while it cannot tell if a restore is under way', async () => {
    await makeEvent(as, { date_utc: '2026-12-01 00:00:00' })
    const { DB } = faultyD1({ message: 'D1_ERROR: something new', times: 3 })
    expect(await tick(LATER, { DB })).toEqual(['restore'])
    expect(await countRows("events WHERE status = 'future'")).toBe(1)
  })

  it('goes on with the next task', async () => {
    await makeEvent(as, SERIES)
    const before = Number(await countOf(1))
    await makeEvent(as, { date_utc: '2026-12-01 00:00:00' })
    const { DB } = faultyD1({ message: 'D1_ERROR: something new', times: 1, writesOnly: true })
    expect(await tick(LATER, { DB })).toEqual(['publication of events'])
    expect(await countOf(1)).toBe(before + 1)
  })
})
