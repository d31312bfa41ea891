import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { AnyRecord } from '../../../src/calendar/imports/records.ts'
import {
  fetchCalendar,
  MeteredTransport,
  sourceClient,
} from '../../../src/features/sources/schedule/fetch.ts'
import { wantedRecords } from '../../../src/features/sources/schedule/record-filter.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { importContext } from '../../../src/kit/http/request-context.ts'
import { toEpoch } from '../../../src/kit/lib/time.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { Client, type UnreadResponse } from '../../../src/readers/http.ts'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { WORKER_LIMITS } from '../../../src/readers/ics/limits.ts'
import { siteItems } from '../../../src/readers/site.ts'

// Calendars that would keep the Worker from everything else: what is read of them has a limit, and is read in
// batches.

const NOW = '2026-11-20 12:00:00'
const WINDOW = { from: '2026-10-20 00:00:00', to: '2028-11-20 00:00:00' }

const calendarOf = (lines: readonly string[]): string =>
  `BEGIN:VCALENDAR\r\nX-WR-CALNAME:Large\r\n${lines.join('\r\n')}\r\nEND:VCALENDAR\r\n`
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
const event = (uid: string, ...lines: string[]): string =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20261201T100000Z', `SUMMARY:${uid}`, ...lines, 'END:VEVENT'].join(
    '\r\n',
  )
/** The time so many minutes after the start of events. */
const minute = (i: number): string =>
  new Date(Date.UTC(2026, 11, 1, 10, i)).toISOString().replace(/[-:]|\.\d+/g, '')
const day = (i: number): string => minute(i * 1440)

/** Does some work. @returns its result, and how often a timer was called meanwhile */
async function withTurns<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  try {
    const result = await work()
    return { result, turns }
  } finally {
    clearInterval(timer)
  }
}

/** What is read of a calendar in the Worker, and how often others have their turn meanwhile. */
async function read(...lines: string[]) {
  const reading = {
    timezone: 'UTC',
    nowMs: Date.parse(`${NOW.replace(' ', 'T')}Z`),
    note: () => {},
    limits: WORKER_LIMITS,
  }
  const file = readIcs(new TextEncoder().encode(calendarOf(lines)), WORKER_LIMITS)
  const { result: items, turns } = await withTurns(() =>
    Array.fromAsync(icsItems(file, 's', WINDOW, reading)),
  )
  const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
  const reasons = items.flatMap(item =>
    item.type === 'failed' || item.type === 'skipped' ? [`${item.what}: ${item.reason}`] : [],
  )
  return {
    records,
    reasons,
    events: records.filter(({ kind }) => kind === 'event'),
    turns,
    isComplete: items.some(({ type }) => type === 'complete'),
  }
}

const fine = event('fine')

const responseOf = (text: string): UnreadResponse => ({
  status: 200,
  headers: new Headers(),
  cancel: () => {},
  chunks: (async function* () {
    yield new TextEncoder().encode(text)
  })(),
})

const titlesIn = ({ events }: Awaited<ReturnType<typeof read>>) =>
  new Set(events.map(one => ('title' in one ? one.title : '')))

describe('dates', () => {
  it('of fifty daily events are read up to a limit, and what is beyond it is named', async () => {
    const found = await read(...times(50, i => event(`daily-${i}`, 'RRULE:FREQ=DAILY')), fine)
    expect(found.events.length).toBeGreaterThan(5_000)
    expect(found.events.length).toBeLessThanOrEqual(WORKER_LIMITS.dates + 1)
    const left = found.reasons.filter(reason =>
      reason.includes('more than 10000 dates: this one is not read'),
    )
    expect(left).toHaveLength(found.reasons.length)
    // Each is either there as a whole, or named.
    expect(titlesIn(found).size).toBe(50 - left.length + 1)
    expect(titlesIn(found)).toContain('fine')
    expect(found.turns).toBeGreaterThan(20)
  })

  it.each<[string, string[]]>([
    [
      '30,000 overrides',
      [event('busy', 'RRULE:FREQ=DAILY'), ...times(30_000, i => event('busy', `RECURRENCE-ID:${day(i)}`))],
    ],
    ['30,000 overrides without their event', times(30_000, i => event('busy', `RECURRENCE-ID:${day(i)}`))],
    [
      '9,000 changes of all that follows',
      [
        event('busy', 'RRULE:FREQ=HOURLY;COUNT=4900'),
        ...times(9_000, i => event('busy', `RECURRENCE-ID;RANGE=THISANDFUTURE:${minute(60 * i)}`)),
      ],
    ],
    ['2,000 rules', [event('busy', ...times(2_000, i => `RRULE:FREQ=DAILY;COUNT=${i + 500}`))]],
    [
      '2,000 rules of what is left out',
      [event('busy', 'RRULE:FREQ=HOURLY', ...times(2_000, i => `EXRULE:FREQ=DAILY;COUNT=${i + 500}`))],
    ],
  ])('of one event are too many: %s', async (_, lines) => {
    const found = await read(fine, ...lines)
    expect(titlesIn(found)).toEqual(new Set(['fine']))
    expect(found.reasons).toContainEqual(expect.stringMatching(/^busy: .*(more than|all its dates)/))
  })

  it('that many events name by another clock are few, and taken in batches', async () => {
    const named = (i: number) => minute(i).slice(0, -1)
    const line = `EXDATE;TZID=America/New_York:${times(9_000, i => named(7 * i)).join(',')}`
    const found = await read(...times(20, i => event(`named-${i}`, 'RRULE:FREQ=DAILY;COUNT=3', line)), fine)
    expect(titlesIn(found)).toContain('fine')
    const left = found.reasons.filter(reason =>
      reason.includes('more than 10000 dates: this one is not read'),
    )
    expect(left.length).toBeGreaterThanOrEqual(8)
    // Others have their turn after some 500 of them.
    expect(found.turns).toBeGreaterThan(100)
  })

  it('that change one after the other, each with all that follow, are made once', async () => {
    const changes = times(1_000, i =>
      event('yoga', `RECURRENCE-ID;RANGE=THISANDFUTURE:${day(i)}`, `LOCATION:Room ${i}`),
    )
    const found = await read(event('yoga', 'RRULE:FREQ=DAILY'), ...changes)
    expect(found.events).toHaveLength(721)
    expect(found.events.slice(0, 3).map(one => ('venues' in one ? one.venues : []))).toEqual([
      ['Room 0'],
      ['Room 1'],
      ['Room 2'],
    ])
    expect(found.records.filter(({ kind }) => kind === 'venue')).toHaveLength(721)
  })

  it('of events whose description is long share it', async () => {
    const zone = [
      ...['BEGIN:VTIMEZONE', 'TZID:Mine', 'BEGIN:STANDARD', 'DTSTART:19000101T000000', 'TZOFFSETFROM:+0217'],
      ...[
        'TZOFFSETTO:+0217',
        'END:STANDARD',
        'BEGIN:STANDARD',
        'DTSTART:19500101T000000',
        'TZOFFSETFROM:+0217',
      ],
      ...['TZOFFSETTO:+0337', 'END:STANDARD', 'END:VTIMEZONE'],
    ]
    const lines = ['BEGIN:VEVENT', 'UID:long', 'DTSTART;TZID=Mine:20261201T100000', 'RRULE:FREQ=DAILY']
    const found = await read(...zone, ...lines, `DESCRIPTION:${'<b>a</b> '.repeat(20_000)}`, 'END:VEVENT')
    const [first, ...others] = found.events.map(one => ('description' in one ? one.description : ''))
    expect(first?.length).toBeGreaterThan(100_000)
    expect(others).toHaveLength(719)
    expect(others.every(one => one === first)).toBe(true)
  })
})

describe('lines', () => {
  it('beyond the limit are not read, which is reported, and no event counts as vanished', async () => {
    const found = await read(...times(20_000, i => event(`e${i}`)))
    expect(found.events.length).toBe(Math.floor((WORKER_LIMITS.lines - 2) / 5))
    expect(found.reasons).toEqual([
      expect.stringMatching(/has more than 100000 lines, and the rest is not read/),
    ])
    expect(found.isComplete).toBe(false)
    expect(found.turns).toBeGreaterThan(50)
  })

  it.each<[string, string]>([
    ['of 7.5 MB', `DESCRIPTION:${'x'.repeat(7_500_000)}`],
    ['of 7.5 MB, folded', `DESCRIPTION:${'x\r\n '.repeat(1_875_000)}`],
    ['of a picture', `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUFB'.repeat(500_000)}`],
    ['of parameters', `ATTENDEE${times(100_000, i => `;X${i % 90}=1`).join('')}:mailto:a@b.example`],
    ['of a few thousand parameters', `ATTENDEE${';X=1'.repeat(2_400)}:mailto:a@b.example`],
    ['of quoted parameters', `ATTENDEE${times(100_000, i => `;X${i % 90}=":"`).join('')}:mailto:a@b.example`],
    ['of parameters without a value', `ATTENDEE${times(100_000, () => ';X=1').join('')}`],
    ['of one parameter', `ATTENDEE;MEMBER=${times(100_000, () => '"a"').join(',')}:mailto:a@b.example`],
  ])('%s are left out, and the rest of their event is read', async (_, line) => {
    const found = await read(event('one', line), fine)
    expect([...titlesIn(found)]).toEqual(['one', 'fine'])
    expect(found.reasons).toEqual([
      expect.stringMatching(/^event one: it has more than .*, which are left out$/),
    ])
    expect(found.isComplete).toBe(true)
  })

  it.each<[string, string[]]>([
    ['dates', [`RDATE:${times(60_000, minute).join(',')}`]],
    ['exceptions', ['RRULE:FREQ=DAILY', `EXDATE:${times(60_000, minute).join(',')}`]],
    ['a rule', [`RRULE:FREQ=DAILY;BYDAY=${times(200_000, () => 'MO').join(',')}`]],
    ['categories', [`CATEGORIES:${'a,'.repeat(500_000)}`]],
    ['parameters of its end', [`DTEND${';X=1'.repeat(100_000)}:20261201T110000Z`]],
    ['a line that is none', [`${'a-'.repeat(500_000)}`]],
    ['many lines', times(30_000, i => `X-P${i}:1`)],
    ['many alarms', times(20_000, () => 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VALARM')],
    ['nesting', [...times(20_000, () => 'BEGIN:X'), ...times(20_000, () => 'END:X')]],
  ])('without which it would be another event make it unreadable: %s', async (_, lines) => {
    const found = await read(event('one', ...lines), fine)
    expect([...titlesIn(found)]).toEqual(['fine'])
    expect(found.reasons).toEqual([expect.stringMatching(/^one: .*more than/)])
  })

  it('outside of events are read up to a limit, and skipped in tasks and journals', async () => {
    const todo = times(50_000, i => `SUMMARY:${i}`)
    const tasks = await read('BEGIN:VTODO', ...todo, 'BEGIN:VALARM', 'END:VALARM', 'END:VTODO', fine)
    expect(titlesIn(tasks)).toEqual(new Set(['fine']))
    await expect(read(...todo, fine)).rejects.toThrow('more than 1000000 characters')
  })

  it('of a UID are limited, since the ids of all dates contain it', async () => {
    const found = await read(event('u'.repeat(3_000), 'RRULE:FREQ=DAILY'), fine)
    expect([...titlesIn(found)]).toEqual(['fine'])
    expect(found.reasons).toEqual([expect.stringContaining('more than 2000 characters in UID')])
  })
})

describe('zones', () => {
  const zone = (name: string, ...lines: string[]) => [
    ...['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', 'DTSTART:20000101T000000', 'TZOFFSETFROM:+0200'],
    ...['TZOFFSETTO:+0300', ...lines, 'END:STANDARD', 'END:VTIMEZONE'],
  ]
  const inZone = (name: string, uid = name) =>
    [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTART;TZID=${name}:20261201T100000`,
      `SUMMARY:${uid}`,
      'END:VEVENT',
    ].join('\r\n')

  it.each<[string, string[]]>([
    [
      'many changes each',
      times(300, i => [...zone(`z${i}`, 'RRULE:FREQ=DAILY;COUNT=4999'), inZone(`z${i}`)]).flat(),
    ],
    [
      'many rules each',
      times(30, i => [
        ...zone(`z${i}`, ...times(100, n => `RRULE:FREQ=DAILY;COUNT=${n + 1}`)),
        inZone(`z${i}`),
      ]).flat(),
    ],
    [
      'rules that never give a date',
      [...zone('never', ...times(2_000, () => 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')), inZone('never')],
    ],
    [
      'rules that give the same dates',
      [...zone('same', ...times(2_000, () => 'RRULE:FREQ=YEARLY;COUNT=100')), inZone('same')],
    ],
    ['names that nobody knows', times(5_000, i => inZone(`z${i}`))],
  ])('are read up to a limit, and what is in them beyond it is named: %s', async (_, lines) => {
    const found = await read(fine, ...lines)
    expect(titlesIn(found)).toContain('fine')
    const all = lines.filter(line => line.startsWith('BEGIN:VEVENT')).length
    expect(found.reasons.length).toBe(all - (titlesIn(found).size - 1))
    expect(found.reasons.every(reason => reason.includes('more than'))).toBe(true)
  })

  it('with many changes serve many events', async () => {
    const found = await read(
      ...zone('z', 'RRULE:FREQ=DAILY;COUNT=4999'),
      ...times(5_000, i => inZone('z', `e${i}`)),
    )
    expect([found.events.length, found.reasons]).toEqual([5_000, []])
  })
})

describe('a look', () => {
  const fetchFound = (text: string, maxMs?: number) => {
    const context = importContext({
      db: new Database(env.DB),
      settings: settingsOf({ TIMEZONE: 'UTC' }),
      nowMs: toEpoch(NOW),
    })
    const url = 'https://large.example/feed.ics'
    const transport = new MeteredTransport(context.db.allowance, { transport: async () => responseOf(text) })
    const client = sourceClient(context, transport)
    const known = { etag: '', lastModified: '' }
    return fetchCalendar(context, {
      url,
      source: 's',
      kind: '',
      client,
      known,
      ...(maxMs !== undefined && { maxMs }),
    })
  }
  const daily = calendarOf(times(50, i => event(`daily-${i}`, 'RRULE:FREQ=DAILY')))

  it('lets others have their turn', async () => {
    const { result: found, turns } = await withTurns(() => fetchFound(daily))
    expect(found && 'records' in found && found.records.length).toBeGreaterThan(5_000)
    expect(found && 'skipped' in found && found.skipped.length).toBeGreaterThan(20)
    expect(turns).toBeGreaterThan(20)
  })

  it('asks for nothing more when its time is over', async () => {
    const context = importContext({
      db: new Database(env.DB),
      settings: settingsOf({ TIMEZONE: 'UTC' }),
      nowMs: toEpoch(NOW),
    })
    const signals: AbortSignal[] = []
    const first = Promise.withResolvers<UnreadResponse>()
    const transport = new MeteredTransport(context.db.allowance, {
      transport: (_, { signal }) => {
        signals.push(signal)
        return first.promise
      },
    })
    const client = sourceClient(context, transport)
    const known = { etag: '', lastModified: '' }
    const url = 'https://slow.example/'
    const look = fetchCalendar(context, { url, source: 's', kind: '', client, known, maxMs: 1 })
    await expect(look).rejects.toThrow('no end after 0.001 seconds')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    // A page without an API of its own, whose usual addresses would be asked next.
    first.resolve(responseOf('<p>Nothing here</p>'))
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(signals).toHaveLength(1)
  })

  it('ends when its time is over', async () => {
    await expect(fetchFound(daily, 1)).rejects.toThrow('no end after 0.001 seconds')
  })
})

describe('a site', () => {
  const BASE = 'https://large.example/wp-json/tribe/events/v1'
  /** What is read of a site that has some of its lists. */
  async function readSite(lists: Record<string, unknown[]>) {
    const client = new Client({
      allowsPrivate: false,
      sleep: async () => {},
      transport: async url => {
        const name = url.pathname.split('/').at(-1) ?? ''
        const items = lists[name] ?? []
        return responseOf(JSON.stringify({ [name]: items, total: items.length, total_pages: 1 }))
      },
    })
    const api = { filters: {}, name: 'Large', collection: (path: string) => new URL(`${BASE}/${path}`) }
    const context = { timezone: 'UTC', nowMs: Date.parse('2026-11-20T12:00:00Z'), note: () => {} }
    const records: AnyRecord[] = []
    for await (const item of siteItems(client, api, context))
      if (item.type === 'record') records.push(item.record)
    return records
  }
  const DAY = { start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 11:00:00', timezone: 'UTC' }
  const LONG = '<b>a</b> '.repeat(3_000)

  it('lets others have their turn between events of long texts, and what searches these does', async () => {
    const events = times(20, i => ({ id: i + 1, title: `Event ${i}`, ...DAY, description: LONG }))
    const { result: records, turns } = await withTurns(() => readSite({ events }))
    expect([records.length, turns > 15]).toEqual([20, true])
    const found = await withTurns(() => wantedRecords(records, 'event'))
    expect([found.result.length, found.turns > 15]).toEqual([20, true])
  })

  it('may have categories below each other without end, in any order', async () => {
    const categories = times(9_000, i => ({
      id: i + 1,
      name: `Category ${i}`,
      slug: `c-${i}`,
      parent: i + 2,
    }))
    const records = await readSite({ categories })
    expect(records).toHaveLength(9_000)
    expect(records[0]?.externalId).toBe('9000')
  })
})
