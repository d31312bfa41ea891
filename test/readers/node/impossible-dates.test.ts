import { describe, expect, it } from 'vitest'
import type { RecordTimes } from '../../../src/calendar/imports/records.ts'
import { csvItems } from '../../../src/readers/csv/items.ts'
import { nodeTimes } from '../../../src/readers/jsonld/events.ts'
import { readEvent } from '../../../src/readers/read-event.ts'
import { CONTEXT } from '../database.ts'
import { bytesOf, calendar, eventsOf, itemsOf } from '../ics-calendar.ts'

// Dates that no calendar has, and years that have no place in ours.

const IMPOSSIBLE = [
  ...['', 'tomorrow', '20270230', '20270229T100000Z', '20271301', '20270001', '20270100T100000'],
  ...['20270101T250000Z', '20270101T106000Z', '00000101', '00000000T000000Z', '100000101T100000Z'],
  ...['-0270101T100000Z', '17000229T100000Z'],
]

const failureReasons = async (...events: string[][]) =>
  (await itemsOf(calendar(events))).flatMap(item => (item.type === 'failed' ? [item.reason] : []))
const fine = ['UID:fine', 'DTSTART:20270101T100000Z', 'SUMMARY:Fine']
const daily = ['UID:daily', 'DTSTART:20270101T100000Z', 'RRULE:FREQ=DAILY;COUNT=3']

describe.each(IMPOSSIBLE)('%s in an iCalendar file', async date => {
  // An empty RDATE or EXDATE is valid: it names no date.
  const LISTS = [
    { name: 'RDATE', event: [...daily, `RDATE:20270105T100000Z,${date}`] },
    { name: 'EXDATE', event: [...daily, `EXDATE:${date}`] },
  ]
  it.each([
    { name: 'DTSTART', event: [`UID:bad`, `DTSTART:${date}`] },
    ...(date === '' ? [] : LISTS),
    { name: 'RRULE', event: ['UID:daily', 'DTSTART:20270101T100000Z', `RRULE:FREQ=DAILY;UNTIL=${date}`] },
    { name: 'EXRULE', event: [...daily, `EXRULE:FREQ=DAILY;UNTIL=${date}`] },
  ])('as $name is refused with its event, and spoils no other', async ({ name, event }) => {
    const bytes = calendar([event, fine])
    expect((await eventsOf(bytes)).map(({ externalId }) => externalId)).toEqual(['fine'])
    expect(await failureReasons(event)).toEqual([
      expect.stringMatching(new RegExp(`^${name}.*(is no|UNTIL)`)),
    ])
  })

  it('as RECURRENCE-ID is refused with its override', async () => {
    const override = ['UID:daily', `RECURRENCE-ID:${date}`, 'DTSTART:20270102T110000Z']
    expect(await failureReasons(daily, override)).toEqual([expect.stringContaining('RECURRENCE-ID')])
    expect(await eventsOf(calendar([daily, override]))).toHaveLength(3)
  })

  it('as DTEND is left out, with a remark', async () => {
    const notes: string[] = []
    const [event] = await eventsOf(calendar([[...fine, `DTEND:${date}`]]), undefined, text =>
      notes.push(text),
    )
    expect(event?.end.utc).toBe('2027-01-01 10:00:00')
    // An end that is empty is none.
    const remark = expect.stringMatching(/^Fine, line \d+: DTEND cannot be understood, left out/)
    expect(notes).toEqual(date === '' ? [] : [remark])
  })
})

it('an event without UID, and with values of other types than it says, spoils no other', async () => {
  const lines = ['DTSTART:2027', 'SUMMARY;VALUE=DATE-TIME:x']
  const bytes = calendar([lines, ['UID;VALUE=DATE:y', 'SEQUENCE;VALUE=DATE:z', 'DTSTART:2028'], fine])
  expect((await eventsOf(bytes)).map(({ externalId }) => externalId)).toEqual(['fine'])
  expect(await failureReasons(lines)).toHaveLength(1)
})

it('the ends of time, leap seconds and midnight at 24 o’clock are read', async () => {
  const read = [
    ['00010101T000000Z', '0001-01-01 00:00:00'],
    ['99991231T235959Z', '9999-12-31 23:59:59'],
    ['20161231T235960Z', '2016-12-31 23:59:59'],
    ['20270228T240000Z', '2027-03-01 00:00:00'],
    ['20280229T000000Z', '2028-02-29 00:00:00'],
  ]
  const events = read.map(([start], i) => [`UID:${i}`, `DTSTART:${start}`])
  expect((await eventsOf(calendar(events))).map(({ start }) => start.wall)).toEqual(
    read.map(([, wall]) => wall),
  )
})

it('a zone that changes its clocks on 30 February spoils its own events only', async () => {
  const zone = [
    ...['BEGIN:VTIMEZONE', 'TZID:Bad', 'BEGIN:STANDARD', 'DTSTART:20000101T000000', 'RDATE:20270230T000000'],
    ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0300', 'END:STANDARD', 'END:VTIMEZONE'],
  ]
  const bytes = calendar([['UID:bad', 'DTSTART;TZID=Bad:20270401T100000'], fine], zone)
  expect((await eventsOf(bytes)).map(({ externalId }) => externalId)).toEqual(['fine'])
})

describe.each([
  ...['2027-02-30', '2027-02-30T10:00:00Z', '2027-13-01', '2027-01-01T25:00'],
  ...['0000-01-01', '10000-01-01', '-2027-01-01'],
])('%s on a page', date => {
  const read = (given: { startDate: string; endDate: string }) => {
    const notes: string[] = []
    const reading = { ...CONTEXT, what: 'Fine', note: (text: string) => void notes.push(text) }
    return { notes, times: nodeTimes({ duration: '', ...given }, reading) }
  }

  it('as startDate is refused', () => {
    expect(() => read({ startDate: date, endDate: '' })).toThrow('its startDate is not an ISO 8601 date')
  })

  it('as endDate is left out, with a remark', () => {
    const { times, notes } = read({ startDate: '2027-01-01T10:00:00Z', endDate: date })
    expect(times.end).toEqual(times.start)
    expect(notes).toEqual([`Fine: endDate cannot be understood, left out: ${JSON.stringify(date)}`])
  })

  it('in a response of a site is refused as its start, and left out as its end', () => {
    const notes: string[] = []
    const reading = { ...CONTEXT, source: 's', what: '', note: (text: string) => void notes.push(text) }
    const event = (more: object) =>
      readEvent(
        { id: 1, title: 'Fine', start_date: '2027-01-01 10:00:00', ...more },
        { categories: [], tags: [], venues: [], organizers: [] },
        reading,
      )
    expect(() => event({ start_date: date })).toThrow('it has no start date')
    expect(event({ end_date: date }).end.wall).toBe('2027-01-01 10:00:00')
    expect(notes).toEqual([`event 1: end_date cannot be understood, left out: ${JSON.stringify(date)}`])
  })
})

it('an hour that a clock change skips is the next one, whatever reads it', async () => {
  const reading = { ...CONTEXT, timezone: 'Europe/Berlin', source: 'x', what: 'x' }
  const skipped = { wall: '2027-03-28 03:30:00', utc: '2027-03-28 01:30:00' }
  const givenTimes = { startDate: '2027-03-28T02:30:00', endDate: '2027-03-28T02:45:00', duration: '' }
  expect(nodeTimes(givenTimes, reading)).toMatchObject({
    start: skipped,
    end: { wall: '2027-03-28 03:45:00', utc: '2027-03-28 01:45:00' },
  })
  for (const utc_start_date of [undefined, skipped.utc]) {
    const raw = { id: 1, start_date: '2027-03-28 02:30:00', timezone: 'Europe/Berlin', utc_start_date }
    const none = { categories: [], tags: [], venues: [], organizers: [] }
    expect(readEvent(raw, none, reading).start).toEqual(skipped)
  }
  const lines = ['UID:a', 'DTSTART;TZID=Europe/Berlin:20270328T023000']
  const [event] = await eventsOf(calendar([lines]))
  expect(event?.start).toMatchObject(skipped)
})

describe('clocks that skip a time', async () => {
  const timezone = 'Europe/Berlin'
  const ics = async (start: string, end: string, rule = '') => {
    const written = (time: string) =>
      `;TZID=${timezone}:${time.replace(/[- :]/g, '').replace(/^.{8}/, '$&T')}00`
    const lines = [`DTSTART${written(start)}`, `DTEND${written(end)}`, rule].filter(Boolean)
    return calendar([['UID:a', 'SUMMARY:Night', ...lines]])
  }
  /** The first event that each reader finds, and what it says. */
  const READERS: Record<
    string,
    (start: string, end: string) => Promise<[event: RecordTimes | undefined, notes: string[]]>
  > = {
    'a feed': async (start, end) => {
      const notes: string[] = []
      const [event] = await eventsOf(await ics(start, end), undefined, note => notes.push(note))
      return [event, notes]
    },
    'the series of a feed': async (start, end) => {
      const notes: string[] = []
      const bytes = await ics(start, end, 'RRULE:FREQ=DAILY;COUNT=3')
      const [event] = await eventsOf(bytes, undefined, note => notes.push(note))
      return [event, notes]
    },
    'a table': async (start, end) => {
      const notes: string[] = []
      const bytes = bytesOf(`Title,Start,End\nNight,${start},${end}\n`)
      const context = { ...CONTEXT, timezone, note: (text: string) => void notes.push(text) }
      const items = await Array.fromAsync(csvItems(bytes, 'x.csv', context))
      const [event] = items.flatMap(item =>
        item.type === 'record' && item.record.kind === 'event' ? [item.record] : [],
      )
      return [event, notes]
    },
    'a page': async (start, end) => {
      const notes: string[] = []
      const reading = { ...CONTEXT, timezone, what: 'Night', note: (text: string) => void notes.push(text) }
      return [nodeTimes({ startDate: start, endDate: end, duration: '' }, reading), notes]
    },
    'a site': async (start, end) => {
      const notes: string[] = []
      const reading = { ...CONTEXT, source: 'x', what: 'x', note: (text: string) => void notes.push(text) }
      const raw = { id: 1, title: 'Night', start_date: start, end_date: end, timezone }
      const none = { categories: [], tags: [], venues: [], organizers: [] }
      return [readEvent(raw, none, reading), notes]
    },
  }
  const startAndEnd = (event: RecordTimes | undefined) =>
    `${event?.start.wall.slice(0, 16)} – ${event?.end.wall.slice(11, 16)}`

  it.each(Object.entries(READERS))('are named by %s, and a later end stands', async (_, read) => {
    for (const [start, end, times, skips] of [
      ['02:30', '04:00', '03:30 – 04:00', true],
      ['02:30', '02:45', '03:30 – 03:45', true],
      ['01:30', '02:30', '01:30 – 03:30', true],
      ['01:30', '03:00', '01:30 – 03:00', false],
      ['03:00', '03:30', '03:00 – 03:30', false],
    ] as const) {
      const [event, notes] = await read(`2027-03-28 ${start}`, `2027-03-28 ${end}`)
      expect(startAndEnd(event)).toBe(`2027-03-28 ${times}`)
      const note = expect.stringContaining(`, so start and end were read as 2027-03-28 ${times}`)
      expect(notes, `${start} – ${end}`).toEqual(skips ? [note] : [])
    }
    // In autumn, an hour comes twice.
    const [event, notes] = await read('2027-10-31 02:30', '2027-10-31 02:45')
    expect([startAndEnd(event), notes]).toEqual(['2027-10-31 02:30 – 02:45', []])
  })

  it('are not named for days, or for times in UTC', async () => {
    const notes: string[] = []
    for (const times of [
      ['DTSTART:20270328T023000Z', 'DTEND:20270328T024500Z'],
      ['DTSTART;VALUE=DATE:20270328'],
      ['DTSTART;TZID=America/New_York:20270328T023000', 'DTEND;TZID=America/New_York:99991231T235959'],
    ])
      await eventsOf(calendar([['UID:a', 'SUMMARY:Night', ...times]]), undefined, note => notes.push(note))
    expect(notes.filter(note => note.includes('clocks skip'))).toEqual([])
  })
})
