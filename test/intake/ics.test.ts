import { describe, expect, it } from 'vitest'
import { icsItems } from '../../src/intake/readers/ics.ts'
import { readIcs } from '../../src/intake/readers/ics-file.ts'
import type { Window } from '../../src/intake/readers/ics-recurrence.ts'
import { zoneNamed } from '../../src/intake/readers/ics-times.ts'
import { CONTEXT, countsOf, emptyDatabase, importInto, WINDOW } from './database.ts'
import { calendar, eventsOf, itemsOf } from './ics-calendar.ts'

const timesOf = (lines: string[], head?: string[]) => {
  const [event] = eventsOf(calendar([['UID:1', 'SUMMARY:x', ...lines]], head))
  return event && [event.start.wall, event.end.wall, event.timezone, event.start.utc, event.all_day]
}

describe('times', () => {
  it.each([
    [
      'of a named zone',
      ['DTSTART;TZID=Europe/Rome:20270610T200000', 'DTEND;TZID=Europe/Rome:20270610T220000'],
      [],
      ['2027-06-10 20:00:00', '2027-06-10 22:00:00', 'Europe/Rome', '2027-06-10 18:00:00', false],
    ],
    [
      'in UTC',
      ['DTSTART:20270610T180000Z', 'DURATION:PT1H30M'],
      [],
      ['2027-06-10 18:00:00', '2027-06-10 19:30:00', 'UTC', '2027-06-10 18:00:00', false],
    ],
    [
      'in UTC, of a calendar that lives elsewhere',
      ['DTSTART:20270610T180000Z'],
      ['X-WR-TIMEZONE:Eastern Time (US & Canada)'],
      ['2027-06-10 14:00:00', '2027-06-10 14:00:00', 'America/New_York', '2027-06-10 18:00:00', false],
    ],
    [
      'without any zone',
      ['DTSTART:20270610T180000', 'DTEND:20270611T020000'],
      ['X-WR-TIMEZONE:Asia/Tokyo'],
      ['2027-06-10 18:00:00', '2027-06-11 02:00:00', 'Asia/Tokyo', '2027-06-10 09:00:00', false],
    ],
    [
      'of a whole day',
      ['DTSTART;VALUE=DATE:20270610'],
      [],
      ['2027-06-10 00:00:00', '2027-06-10 23:59:59', 'UTC', '2027-06-10 00:00:00', true],
    ],
    [
      'of several days',
      ['DTSTART;VALUE=DATE:20270610', 'DTEND;VALUE=DATE:20270613'],
      [],
      ['2027-06-10 00:00:00', '2027-06-12 23:59:59', 'UTC', '2027-06-10 00:00:00', true],
    ],
    [
      'of a day that ends on itself',
      ['DTSTART;VALUE=DATE:20270610', 'DTEND;VALUE=DATE:20270610'],
      [],
      ['2027-06-10 00:00:00', '2027-06-10 23:59:59', 'UTC', '2027-06-10 00:00:00', true],
    ],
    [
      'lasting days, over a change of clocks',
      ['DTSTART;TZID=Europe/Rome:20270327T120000', 'DURATION:P1D'],
      [],
      ['2027-03-27 12:00:00', '2027-03-28 12:00:00', 'Europe/Rome', '2027-03-27 11:00:00', false],
    ],
    [
      'of Windows',
      ['DTSTART;TZID="W. Europe Standard Time":20270610T200000'],
      [],
      ['2027-06-10 20:00:00', '2027-06-10 20:00:00', 'Europe/Berlin', '2027-06-10 18:00:00', false],
    ],
  ])('%s', (_, lines, head, expected) => {
    expect(timesOf(lines, head)).toEqual(expected)
  })

  it('of a zone that only the file explains', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Ours',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0530',
      'TZOFFSETTO:+0530',
      'END:STANDARD',
      'END:VTIMEZONE',
    ]
    expect(timesOf(['DTSTART;TZID=Ours:20270610T200000'], zone)).toEqual([
      '2027-06-10 20:00:00',
      '2027-06-10 20:00:00',
      'UTC+5.5',
      '2027-06-10 14:30:00',
      false,
    ])
  })

  it('know zones by many names', () => {
    expect(
      [
        'Eastern Standard Time',
        'Central Time (US & Canada)',
        '(GMT-05:00) Eastern Time (US & Canada)',
        '/citadel.org/20210210_1/America/Argentina/Salta',
        '/freeassociation.sourceforge.net/Europe/Berlin',
        'Brasilia',
        'GMT',
        'Nowhere',
      ].map(zoneNamed),
    ).toEqual([
      'America/New_York',
      'America/Chicago',
      'America/New_York',
      'America/Argentina/Salta',
      'Europe/Berlin',
      'America/Sao_Paulo',
      'GMT',
      undefined,
    ])
  })
})

describe('recurring events', () => {
  const weekly = [
    'UID:w',
    'SUMMARY:Market',
    'DTSTART;TZID=Europe/Rome:20270301T080000',
    'DTEND;TZID=Europe/Rome:20270301T120000',
  ]
  const starts = (bytes: Uint8Array, window?: Window) => eventsOf(bytes, window).map(({ start }) => start.utc)

  it('follow their wall clock, without what is excluded and with what is added', () => {
    const rule = [
      'RRULE:FREQ=WEEKLY;UNTIL=20270405T060000Z',
      'EXDATE;TZID=Europe/Rome:20270308T080000',
      'EXDATE:20270315T070000Z',
      'RDATE;TZID=Europe/Rome:20270303T090000',
    ]
    expect(starts(calendar([[...weekly, ...rule]]))).toEqual([
      '2027-03-01 07:00:00',
      '2027-03-03 08:00:00',
      '2027-03-22 07:00:00',
      '2027-03-29 06:00:00',
      '2027-04-05 06:00:00',
    ])
  })

  it('are expanded from their start to two years ahead, however endless', () => {
    const endless = calendar([['UID:e', 'DTSTART:20150131T100000Z', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1']])
    const found = starts(endless, { from: '2027-01-01 00:00:00', to: '2027-03-31 23:59:59' })
    expect([found.length, found.at(0), found.at(-1)]).toEqual([
      166,
      '2015-01-31 10:00:00',
      '2028-10-31 10:00:00',
    ])
  })

  it('differ at single occurrences', () => {
    const master = [...weekly, 'RRULE:FREQ=WEEKLY;COUNT=3']
    const moved = [
      'UID:w',
      'SUMMARY:Market, indoors',
      'RECURRENCE-ID;TZID=Europe/Rome:20270308T080000',
      'DTSTART;TZID=Europe/Rome:20270309T100000',
      'DTEND;TZID=Europe/Rome:20270309T110000',
    ]
    const cancelled = [
      'UID:w',
      'SUMMARY:Market',
      'STATUS:CANCELLED',
      'RECURRENCE-ID:20270315T070000Z',
      'DTSTART:20270315T070000Z',
      'DTEND:20270315T110000Z',
    ]
    const events = eventsOf(calendar([moved, master, cancelled]))
    expect(
      events.map(({ title, event_status, start, externalId }) => [
        title,
        event_status,
        start.utc,
        externalId,
      ]),
    ).toEqual([
      ['Market', 'scheduled', '2027-03-01 07:00:00', 'w#20270301T070000Z'],
      ['Market, indoors', 'scheduled', '2027-03-09 09:00:00', 'w#20270308T070000Z'],
      ['Market', 'canceled', '2027-03-15 07:00:00', 'w#20270315T070000Z'],
    ])
    expect(events.map(({ occurrence }) => occurrence?.detached)).toEqual([
      [],
      ['title', 'start_date', 'end_date'],
      ['event_status'],
    ])
    // Only one event can have the UID.
    expect(events.map(({ status, external_id }) => [status, external_id])).toEqual([
      ['publish', 'w'],
      ['publish', ''],
      ['publish', ''],
    ])
  })

  it('may consist of single occurrences only', () => {
    const one = (day: string) => [
      'UID:o',
      `SUMMARY:${day}`,
      `RECURRENCE-ID:2027030${day}T100000Z`,
      `DTSTART:2027030${day}T100000Z`,
    ]
    expect(
      eventsOf(calendar([one('5'), one('4')])).map(({ externalId, chain }) => [externalId, chain]),
    ).toEqual([
      ['o#20270304T100000Z', 'o'],
      ['o#20270305T100000Z', 'o'],
    ])
  })

  it('that never occur are reported', () => {
    const lines = ['UID:p', 'DTSTART:20200101T100000Z', 'RRULE:FREQ=DAILY;COUNT=1', 'EXDATE:20200101T100000Z']
    expect(itemsOf(calendar([lines]))[0]).toMatchObject({
      type: 'skipped',
      what: 'p',
      reason: 'all its dates are left out',
    })
  })

  it('that never end in a period are refused', () => {
    const items = itemsOf(calendar([['UID:s', 'DTSTART:20270101T100000Z', 'RRULE:FREQ=SECONDLY']]))
    expect(items[0]).toMatchObject({ type: 'failed', what: 's' })
  })
})

describe('an imported calendar', () => {
  const db = emptyDatabase()

  const daily = (summary: string, stamp: string) =>
    calendar([
      [
        'UID:d',
        `SUMMARY:${summary}`,
        `DTSTAMP:${stamp}T000000Z`,
        'DTSTART:20270101T100000Z',
        'RRULE:FREQ=DAILY;COUNT=3',
        'LOCATION:Hall',
      ],
      ['UID:s', 'SUMMARY:Single', 'DTSTART:20270101T100000Z'],
    ])

  it('is a series, and a single event', async () => {
    await importInto(db, itemsOf(daily('Daily', '20261101')))
    const rows = await db.query('SELECT id, slug, series_id, occurrence_date FROM events ORDER BY id')
    expect(rows.map(({ slug }) => slug)).toEqual([
      'daily-2027-01-01',
      'daily-2027-01-02',
      'daily-2027-01-03',
      'single',
    ])
    expect(rows.map(({ series_id, occurrence_date }) => [series_id, occurrence_date])).toEqual([
      [1, '2027-01-01 10:00:00'],
      [1, '2027-01-02 10:00:00'],
      [1, '2027-01-03 10:00:00'],
      [null, null],
    ])
  })

  it('has categories that only events name, and that are as public as those events', async () => {
    const of = (category: string, ...more: string[]) => [
      ...[`UID:${category}`, `SUMMARY:${category}`, 'DTSTART:20270101T100000Z', `CATEGORIES:${category}`],
      ...more,
    ]
    await importInto(db, itemsOf(calendar([of('Layoffs', 'CLASS:PRIVATE'), of('Music')])))
    expect(await db.query('SELECT name, standalone, count FROM terms ORDER BY name')).toEqual([
      { name: 'Layoffs', standalone: 0, count: 0 },
      { name: 'Music', standalone: 0, count: 1 },
    ])
  })

  it('has places that are as public as the events which name them', async () => {
    const of = (title: string, place: string, ...more: string[]) => [
      ...[`UID:${title}`, `SUMMARY:${title}`, 'DTSTART:20270101T100000Z', `LOCATION:${place}`],
      ...[`ORGANIZER;CN=${place} guild:mailto:guild@x.example`, ...more],
    ]
    const items = () =>
      itemsOf(
        calendar([
          of('Board', 'Attic', 'CLASS:PRIVATE'),
          of('Vote', 'Green', 'CLASS:CONFIDENTIAL'),
          of('Fair', 'Green'),
        ]),
      )
    await importInto(db, items())
    for (const table of ['venues', 'organizers'])
      expect(await db.query(`SELECT name, status FROM ${table} ORDER BY name`)).toMatchObject([
        { name: expect.stringContaining('Attic'), status: 'private' },
        { name: expect.stringContaining('Green'), status: 'publish' },
      ])
    expect(countsOf(await importInto(db, items()))).toEqual([
      'venue unchanged 2',
      'organizer unchanged 2',
      'event unchanged 3',
    ])
  })

  it('changes nothing the second time, whenever that is', async () => {
    await importInto(db, itemsOf(daily('Daily', '20261101')))
    expect(countsOf(await importInto(db, itemsOf(daily('Daily', '20261102'))))).toEqual([
      'venue unchanged 1',
      'series unchanged 1',
      'event unchanged 4',
    ])
    // The first occurrence has left the period, and the series is whole all the same.
    const later = { from: '2027-01-02 00:00:00', to: WINDOW.to }
    const report = await importInto(db, itemsOf(daily('Daily', '20270102'), later), { mirror: true })
    expect(countsOf(report)).toEqual(['venue unchanged 1', 'series unchanged 1', 'event unchanged 4'])
  })

  it('is updated by UID, and mirrored', async () => {
    await importInto(db, itemsOf(daily('Daily', '20261101')))
    expect(countsOf(await importInto(db, itemsOf(daily('Every day', '20261101'))))).toContain(
      'event updated 3',
    )
    const shorter = calendar([
      ['UID:d', 'SUMMARY:Every day', 'DTSTART:20270101T100000Z', 'RRULE:FREQ=DAILY;COUNT=2', 'LOCATION:Hall'],
    ])
    expect(countsOf(await importInto(db, itemsOf(shorter), { mirror: true }))).toContain('event trashed 2')
  })
})

it('times in UTC of a calendar that names no zone are shown by the clocks of the site', () => {
  const lines = ['UID:utc', 'SUMMARY:Talk', 'DTSTART:20270610T180000Z', 'DTEND:20270610T190000Z']
  const items = [
    ...icsItems(readIcs(calendar([lines])), 'ics:test', WINDOW, { ...CONTEXT, timezone: 'Europe/Rome' }),
  ]
  const [event] = items.flatMap(item =>
    item.type === 'record' && item.record.kind === 'event' && 'start' in item.record ? [item.record] : [],
  )
  expect([event?.timezone, event?.start]).toEqual([
    'Europe/Rome',
    { wall: '2027-06-10 20:00:00', utc: '2027-06-10 18:00:00' },
  ])
})

it('an event that cannot be read is named by its title and line as well', () => {
  const bytes = calendar([
    ['UID:good', 'SUMMARY:Good', 'DTSTART:20270610T180000Z'],
    ['UID:bad', 'SUMMARY:Jazz in the park'],
    ['UID:worse', 'SUMMARY:Worse', 'DTSTART:nonsense'],
  ])
  const failed = itemsOf(bytes).flatMap(item => (item.type === 'failed' ? [item] : []))
  expect(failed.map(({ what, title, line }) => [what, title, line])).toEqual(
    expect.arrayContaining([['bad', 'Jazz in the park', 8]]),
  )
  expect(failed.map(({ line }) => line).sort()).toEqual([12, 8])
})
