import { describe, expect, it } from 'vitest'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import type { ImportPeriod } from '../../../src/readers/ics/recurrence.ts'
import { zoneNamed } from '../../../src/readers/zone-names.ts'
import { CONTEXT, WINDOW } from '../database.ts'
import { calendar, eventsOf, itemsOf, seriesOf } from '../ics-calendar.ts'

/**
 * The times of an event: by the wall clock of its zone, and its start in UTC.
 * @param lines DTSTART, and after a space DTEND or DURATION
 */
const timesOf = async (lines: string, head?: string[]) => {
  const [event] = await eventsOf(
    calendar([['UID:1', 'SUMMARY:x', ...lines.split(/ (?=DTEND|DURATION)/)]], head),
  )
  if (!event) return undefined
  const { start, end, timezone, all_day } = event
  return `${start.wall} – ${end.wall} ${timezone}${all_day ? ', all day' : ''}, ${start.utc}`
}

describe('times', () => {
  it.each<[string, string, string, string?]>([
    [
      'that keep their duration, though clocks skip the start',
      'DTSTART;TZID=Europe/Berlin:20270328T023000 DTEND;TZID=Europe/Berlin:20270328T031000',
      '2027-03-28 03:30:00 – 2027-03-28 04:10:00 Europe/Berlin, 2027-03-28 01:30:00',
    ],
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
  ])('%s', async (_, lines, expected, head) => {
    expect(await timesOf(lines, head === undefined ? [] : [head])).toBe(expected)
  })

  it('of a zone that only the file explains are in it', async () => {
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
    expect(await timesOf('DTSTART;TZID=Ours:20270610T200000', zone)).toBe(
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
    ['Z', 'UTC'],
    ['Coordinated Universal Time', 'UTC'],
    ['tzone://Microsoft/Utc', 'UTC'],
    ['(UTC) Coordinated Universal Time', 'UTC'],
    ['GMT-0500', 'UTC-5'],
    ['GMT+1', 'UTC+1'],
    ['+05:30', 'UTC+5.5'],
    ['America/New York', 'America/New_York'],
    ['America-New_York', 'America/New_York'],
    ['(UTC-05:00) Eastern Time (US and Canada)', 'America/New_York'],
    ['"(GMT+10:00) Canberra, Melbourne, Sydney"', 'Australia/Canberra'],
    ['(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London', 'Europe/Dublin'],
    ['tzone://Microsoft/Custom', undefined],
    ['EST', undefined],
    ['Nowhere', undefined],
  ])('of the zone %s are in %s', (name, zone) => {
    expect(zoneNamed(name)).toBe(zone)
  })

  it.each(['constructor', 'toString', '__proto__'])('knows no zone called %s', name => {
    expect(zoneNamed(name)).toBeUndefined()
  })

  it.each([
    ['EST', '2027-01-10 20:00:00', 'America/New_York'],
    ['EDT', '2027-01-10 20:00:00', undefined],
    ['EDT', '2027-06-10 20:00:00', 'America/New_York'],
    ['BST', '2027-06-10 20:00:00', 'Europe/London'],
    ['cest', '2027-06-10 20:00:00', undefined],
  ])('of the abbreviation %s at %s are in %s', (name, wall, zone) => {
    expect(zoneNamed(name, { wall, zones: ['Europe/London', 'America/New_York'] })).toBe(zone)
  })
})

/** The clocks of Berlin, in a zone whose name nobody knows. */
const BERLIN = [
  'BEGIN:VTIMEZONE',
  'TZID:Own',
  ...['STANDARD 20261025T030000 +0200 +0100', 'DAYLIGHT 20270328T020000 +0100 +0200'].flatMap(line => {
    const [name, start, from, to] = line.split(' ')
    return [`BEGIN:${name}`, `DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${name}`]
  }),
  'END:VTIMEZONE',
]

describe('recurring events', () => {
  const weekly = [
    'UID:w',
    'SUMMARY:Market',
    'DTSTART;TZID=Europe/Rome:20270301T080000',
    'DTEND;TZID=Europe/Rome:20270301T120000',
  ]
  const starts = async (bytes: Uint8Array, window?: ImportPeriod) =>
    (await eventsOf(bytes, window)).map(({ start }) => start.utc)

  it.each([
    ['a zone of the database', []],
    ['a zone that only the file explains', BERLIN],
  ])('have one date where a clock change moves two to one, and it counts once: %s', async (_, zone) => {
    const tzid = zone.length > 0 ? 'Own' : 'Europe/Berlin'
    const hourly = [
      'UID:h',
      'SUMMARY:Tour',
      `DTSTART;TZID=${tzid}:20270327T230000`,
      `DTEND;TZID=${tzid}:20270327T233000`,
      'RRULE:FREQ=HOURLY;COUNT=6',
      'EXDATE:20270328T020000Z',
    ]
    expect(await starts(calendar([hourly], zone))).toEqual(
      ['27 22', '27 23', '28 00', '28 01', '28 03'].map(time => `2027-03-${time}:00:00`),
    )
  })

  it.each<[string, string[], string[], RegExp | undefined]>([
    [
      'at several times of day',
      ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=8,17;COUNT=5', 'EXDATE;TZID=Europe/Rome:20270302T170000'],
      ['03-01 07', '03-01 16', '03-02 07', '03-08 07'],
      /BYHOUR=8,17.* one by one/,
    ],
    [
      'every few hours',
      ['RRULE:FREQ=HOURLY;INTERVAL=10;COUNT=3'],
      ['03-01 07', '03-01 17', '03-02 03'],
      /HOURLY/,
    ],
    [
      'until a moment',
      ['RRULE:FREQ=HOURLY;INTERVAL=10;UNTIL=20270302T030000Z'],
      ['03-01 07', '03-01 17', '03-02 03'],
      /HOURLY/,
    ],
    [
      'by a second rule',
      ['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=DAILY;COUNT=3;BYHOUR=8,10'],
      ['03-01 07', '03-01 09', '03-02 07'],
      /BYHOUR=8,10/,
    ],
    [
      'in weeks of the year',
      ['RRULE:FREQ=YEARLY;BYWEEKNO=9,53,-1;BYDAY=MO;COUNT=2'],
      ['03-01 07', '12-27 07'],
      /BYWEEKNO/,
    ],
    [
      'on days of the year',
      ['RRULE:FREQ=YEARLY;BYYEARDAY=61,-100;UNTIL=20271231T000000Z'],
      ['03-01 07', '03-02 07', '09-23 06'],
      /BYYEARDAY/,
    ],
    [
      'on numbered weekdays of the year',
      ['RRULE:FREQ=YEARLY;BYDAY=10MO,-1SU;BYSETPOS=-1;COUNT=2'],
      ['03-01 07', '12-26 07'],
      /-1SU/,
    ],
    [
      'at the time of the start',
      ['RRULE:FREQ=DAILY;COUNT=2;BYHOUR=8;BYMINUTE=0;BYSECOND=0'],
      ['03-01 07', '03-02 07'],
      undefined,
    ],
  ])('name the dates that a series cannot have one by one, and say so: %s', async (_, rules, dates, note) => {
    const notes: string[] = []
    const events = await eventsOf(calendar([[...weekly, ...rules]]), undefined, text => notes.push(text))
    expect(events.map(({ start }) => start.utc)).toEqual(dates.map(date => `2027-${date}:00:00`))
    expect(notes).toEqual(note ? [expect.stringMatching(note)] : [])
  })

  it('of whole days have no times, whatever their rule says', async () => {
    const lines = ['UID:w', 'DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30;COUNT=2']
    const [series] = await seriesOf(calendar([lines]))
    expect(series?.recurrence.rrule).toBe('FREQ=DAILY;COUNT=2')
  })

  it('leave out a date that the clocks skip by its instant', async () => {
    const market = ['UID:n', 'SUMMARY:Market', 'DTSTART;TZID=Europe/Berlin:20270321T023000']
    const rule = ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20270328T013000Z']
    expect(await starts(calendar([[...market, ...rule]]))).toEqual([
      '2027-03-21 01:30:00',
      '2027-04-04 00:30:00',
    ])
  })

  it('follow their wall clock, without what is excluded and with what is added', async () => {
    const rule = [
      'RRULE:FREQ=WEEKLY;UNTIL=20270405T060000Z',
      'EXDATE;TZID=Europe/Rome:20270308T080000',
      'EXDATE:20270315T070000Z',
      'RDATE;TZID=Europe/Rome:20270303T090000',
    ]
    expect(await starts(calendar([[...weekly, ...rule]]))).toEqual([
      '2027-03-01 07:00:00',
      '2027-03-03 08:00:00',
      '2027-03-22 07:00:00',
      '2027-03-29 06:00:00',
      '2027-04-05 06:00:00',
    ])
  })

  it('are expanded from their start to two years ahead, however endless', async () => {
    const endless = calendar([['UID:e', 'DTSTART:20150131T100000Z', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1']])
    const found = await starts(endless, { from: '2027-01-01 00:00:00', to: '2027-03-31 23:59:59' })
    expect({ count: found.length, first: found.at(0), last: found.at(-1) }).toEqual({
      count: 166,
      first: '2015-01-31 10:00:00',
      last: '2028-10-31 10:00:00',
    })
  })

  it('may consist of single occurrences only', async () => {
    const one = (day: string) => [
      'UID:o',
      `SUMMARY:${day}`,
      `RECURRENCE-ID:2027030${day}T100000Z`,
      `DTSTART:2027030${day}T100000Z`,
    ]
    expect(
      (await eventsOf(calendar([one('5'), one('4')]))).map(({ externalId, chain }) => [externalId, chain]),
    ).toEqual([
      ['o#20270304T100000Z', 'o'],
      ['o#20270305T100000Z', 'o'],
    ])
  })

  it.each<[string, string[]]>([
    ['all left out', ['RRULE:FREQ=DAILY;COUNT=1', 'EXDATE:20200101T100000Z']],
    ['of a rule that ended before', ['RRULE:FREQ=DAILY;UNTIL=20200101T095959Z']],
    ['of a rule that ended on the day before', ['RRULE:FREQ=DAILY;UNTIL=20191231']],
    ['of a rule with no date', ['RRULE:FREQ=DAILY;COUNT=0']],
    ['of several such rules', ['RRULE:FREQ=DAILY;COUNT=0', 'RRULE:FREQ=WEEKLY;UNTIL=20190101T100000Z']],
    [
      'of a rule that ended before, and left out',
      ['RRULE:FREQ=DAILY;UNTIL=20191231', 'RDATE:20210101T100000Z', 'EXDATE:20210101T100000Z'],
    ],
  ])('have no dates: %s', async (_, lines) => {
    const items = await itemsOf(calendar([['UID:p', 'LOCATION:Hall', 'DTSTART:20200101T100000Z', ...lines]]))
    const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
    expect(records).toMatchObject([{ kind: 'series', externalId: 'p', dates: [], venues: [] }])
  })

  it.each<[string, string[], string[]]>([
    ['whose rule ends with its start', ['RRULE:FREQ=DAILY;UNTIL=20200101T100000Z'], ['20200101']],
    ['whose rule ends on the day of its start', ['RRULE:FREQ=DAILY;UNTIL=20200101'], ['20200101']],
    [
      'whose rule ended before, with dates',
      ['RRULE:FREQ=DAILY;UNTIL=20191231', 'RDATE:20200105T100000Z'],
      ['20200105'],
    ],
    [
      'whose rule ended before, with its start as a date',
      ['RRULE:FREQ=DAILY;UNTIL=20191231', 'RDATE:20200101T100000Z,20200105T100000Z'],
      ['20200101', '20200105'],
    ],
    [
      'one of whose rules ended before',
      ['RRULE:FREQ=DAILY;UNTIL=20191231', 'RRULE:FREQ=WEEKLY;COUNT=2'],
      ['20200101', '20200108'],
    ],
    ['without a rule', ['RDATE:20200105T100000Z'], ['20200101', '20200105']],
    ['without dates of EXRULE', ['RRULE:FREQ=DAILY;COUNT=1', 'EXRULE:FREQ=DAILY;COUNT=0'], ['20200101']],
  ])('have the dates that other calendar programs show: %s', async (_, lines, days) => {
    const events = await eventsOf(calendar([['UID:p', 'DTSTART:20200101T100000Z', ...lines]]))
    expect(events.map(({ start }) => start.utc.slice(0, 10).replaceAll('-', ''))).toEqual(days)
  })

  it('of whole days last to the day on which their rule ends', async () => {
    const daysOf = async (until: string) => {
      const lines = ['UID:p', 'DTSTART;VALUE=DATE:20200101', `RRULE:FREQ=DAILY;UNTIL=${until}`]
      return (await eventsOf(calendar([lines]))).length
    }
    expect(await Promise.all(['20191231', '20200101', '20200102'].map(daysOf))).toEqual([0, 1, 2])
  })

  it('with too many dates in the period fail', async () => {
    const items = await itemsOf(calendar([['UID:s', 'DTSTART:20270101T100000Z', 'RRULE:FREQ=SECONDLY']]))
    expect(items[0]).toMatchObject({ type: 'failed', what: 's' })
  })
})

it('times in UTC of a calendar that names no zone are shown by the clocks of the site', async () => {
  const lines = ['UID:utc', 'SUMMARY:Talk', 'DTSTART:20270610T180000Z', 'DTEND:20270610T190000Z']
  const reading = { ...CONTEXT, timezone: 'Europe/Rome' }
  const items = await Array.fromAsync(icsItems(readIcs(calendar([lines])), 'ics:test', WINDOW, reading))
  const [event] = items.flatMap(item =>
    item.type === 'record' && item.record.kind === 'event' && 'start' in item.record ? [item.record] : [],
  )
  expect([event?.timezone, event?.start]).toEqual([
    'Europe/Rome',
    { wall: '2027-06-10 20:00:00', utc: '2027-06-10 18:00:00' },
  ])
})

it('an event that cannot be read is named by its title and line as well', async () => {
  const bytes = calendar([
    ['UID:good', 'SUMMARY:Good', 'DTSTART:20270610T180000Z'],
    ['UID:bad', 'SUMMARY:Jazz in the park'],
    ['UID:worse', 'SUMMARY:Worse', 'DTSTART:nonsense'],
    ['UID:rule', 'SUMMARY:Talk\\, tea', 'DTSTART:20270610T180000Z', 'RRULE:FREQ=FORTNIGHTLY'],
  ])
  const failed = (await itemsOf(bytes)).flatMap(item => (item.type === 'failed' ? [item] : []))
  expect(failed.map(({ what, title, line }) => [what, title, line])).toEqual(
    expect.arrayContaining([
      ['bad', 'Jazz in the park', 8],
      ['rule', 'Talk, tea', 17],
    ]),
  )
  expect(failed.map(({ line }) => line).sort()).toEqual([12, 17, 8])
})
