import { describe, expect, it } from 'vitest'
import { icsItems } from '../../src/intake/readers/ics.ts'
import { readIcs } from '../../src/intake/readers/ics-file.ts'
import type { Window } from '../../src/intake/readers/ics-recurrence.ts'
import { zoneNamed } from '../../src/intake/readers/ics-times.ts'
import { CONTEXT, countsOf, emptyDatabase, importInto, WINDOW } from './database.ts'
import { calendar, eventsOf, itemsOf } from './ics-calendar.ts'

/** The times of an event: by the wall clock of its zone, and its start in UTC. @param lines DTSTART, and after a space DTEND or DURATION */
const timesOf = (lines: string, head?: string[]) => {
  const [event] = eventsOf(calendar([['UID:1', 'SUMMARY:x', ...lines.split(/ (?=DTEND|DURATION)/)]], head))
  if (!event) return undefined
  const { start, end, timezone, all_day } = event
  return `${start.wall} – ${end.wall} ${timezone}${all_day ? ', all day' : ''}, ${start.utc}`
}

describe('times', () => {
  it.each<[string, string, string, string?]>([
    [
      'of a named zone',
      'DTSTART;TZID=Europe/Rome:20270610T200000 DTEND;TZID=Europe/Rome:20270610T220000',
      '2027-06-10 20:00:00 – 2027-06-10 22:00:00 Europe/Rome, 2027-06-10 18:00:00',
    ],
    [
      'in UTC',
      'DTSTART:20270610T180000Z DURATION:PT1H30M',
      '2027-06-10 18:00:00 – 2027-06-10 19:30:00 UTC, 2027-06-10 18:00:00',
    ],
    [
      'in UTC, of a calendar that lives elsewhere',
      'DTSTART:20270610T180000Z',
      '2027-06-10 14:00:00 – 2027-06-10 14:00:00 America/New_York, 2027-06-10 18:00:00',
      'X-WR-TIMEZONE:Eastern Time (US & Canada)',
    ],
    [
      'without any zone',
      'DTSTART:20270610T180000 DTEND:20270611T020000',
      '2027-06-10 18:00:00 – 2027-06-11 02:00:00 Asia/Tokyo, 2027-06-10 09:00:00',
      'X-WR-TIMEZONE:Asia/Tokyo',
    ],
    [
      'of a whole day',
      'DTSTART;VALUE=DATE:20270610',
      '2027-06-10 00:00:00 – 2027-06-10 23:59:59 UTC, all day, 2027-06-10 00:00:00',
    ],
    [
      'of several days',
      'DTSTART;VALUE=DATE:20270610 DTEND;VALUE=DATE:20270613',
      '2027-06-10 00:00:00 – 2027-06-12 23:59:59 UTC, all day, 2027-06-10 00:00:00',
    ],
    [
      'of a day that ends on itself',
      'DTSTART;VALUE=DATE:20270610 DTEND;VALUE=DATE:20270610',
      '2027-06-10 00:00:00 – 2027-06-10 23:59:59 UTC, all day, 2027-06-10 00:00:00',
    ],
    [
      'lasting days, over a change of clocks',
      'DTSTART;TZID=Europe/Rome:20270327T120000 DURATION:P1D',
      '2027-03-27 12:00:00 – 2027-03-28 12:00:00 Europe/Rome, 2027-03-27 11:00:00',
    ],
    [
      'of Windows',
      'DTSTART;TZID="W. Europe Standard Time":20270610T200000',
      '2027-06-10 20:00:00 – 2027-06-10 20:00:00 Europe/Berlin, 2027-06-10 18:00:00',
    ],
  ])('%s', (_, lines, expected, head) => {
    expect(timesOf(lines, head === undefined ? [] : [head])).toBe(expected)
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
    expect(timesOf('DTSTART;TZID=Ours:20270610T200000', zone)).toBe(
      '2027-06-10 20:00:00 – 2027-06-10 20:00:00 UTC+5.5, 2027-06-10 14:30:00',
    )
  })

  it.each([
    ['Eastern Standard Time', 'America/New_York'],
    ['Central Time (US & Canada)', 'America/Chicago'],
    ['(GMT-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['/citadel.org/20210210_1/America/Argentina/Salta', 'America/Argentina/Salta'],
    ['/freeassociation.sourceforge.net/Europe/Berlin', 'Europe/Berlin'],
    ['Brasilia', 'America/Sao_Paulo'],
    ['GMT', 'GMT'],
    ['Nowhere', undefined],
  ])('of the zone %s are in %s', (name, zone) => {
    expect(zoneNamed(name)).toBe(zone)
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
