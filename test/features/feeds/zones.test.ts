import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { declareUser, makeAll, makeEvent, send } from '../../factories.ts'
import { expanded } from './expand.ts'

// The zones of calendars: right at all times that a calendar has, for programs that know no zones of their
// own, and short.

const admin = declareUser('administrator', 'admin')

/** The observances of a calendar's zones, each as its lines in a text. */
const observances = (text: string): string[] =>
  [...text.matchAll(/BEGIN:(?:STANDARD|DAYLIGHT)[\s\S]*?END:\w+/g)].map(([part]) =>
    part.replaceAll('\r\n', ' '),
  )

const at = (date: string, zone: string) => ({ start_date: date, end_date: date, timezone: zone })

async function zoneOf(fields: object): Promise<string[]> {
  const { id } = await makeEvent(admin, fields)
  return observances((await send('GET', `/events/${id}.ics`)).text)
}

describe('a series in whose time clocks skip an hour', () => {
  const BERLIN = { timezone: 'Europe/Berlin' }

  it('has each of two dates at one instant once, for programs that expand rules as well', async () => {
    const times = { start_date: '2027-03-27 02:30', end_date: '2027-03-27 03:00', ...BERLIN }
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=3', rdate: ['2027-03-28 03:30'] }
    const { id } = await makeEvent(admin, { ...times, recurrence })
    const { text } = await send('GET', `/events.ics?series=${await seriesIdOf(id)}`)
    expect(expanded(text).map(({ start }) => start)).toEqual(
      ['27T01', '28T01', '29T00'].map(time => `2027-03-${time}:30:00Z`),
    )
  })

  it('keeps the duration of a date that would end before it starts', async () => {
    const times = { start_date: '2027-03-21 02:30', end_date: '2027-03-21 03:10', ...BERLIN }
    const { id } = await makeEvent(admin, { ...times, recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const { text } = await send('GET', `/events.ics?series=${await seriesIdOf(id)}`)
    expect(expanded(text).map(({ start, end }) => [start, end])).toEqual([
      ['2027-03-21T01:30:00Z', '2027-03-21T02:10:00Z'],
      ['2027-03-28T01:30:00Z', '2027-03-28T02:10:00Z'],
      ['2027-04-04T00:30:00Z', '2027-04-04T01:10:00Z'],
    ])
  })
})

describe('a series in whose time clocks show an hour twice', () => {
  it.each([
    ['a night that ends then', 'Europe/Berlin', '30 22:00', '31 02:00', 'FREQ=WEEKLY;COUNT=3'],
    ['a night that ends then', 'Europe/Dublin', '30 22:30', '31 01:15', 'FREQ=DAILY;COUNT=3'],
    ['a date within it', 'Europe/Dublin', '30 01:00', '30 01:30', 'FREQ=DAILY;COUNT=3'],
    ['a first date within it', 'Europe/Dublin', '31 01:00', '31 01:30', 'FREQ=DAILY;COUNT=3'],
    ['a night after it', 'Europe/Berlin', '31 22:00', '31 23:30', 'FREQ=DAILY;COUNT=3'],
  ])('has the times of the list for programs that expand rules: %s in %s', async (_, timezone, ...rest) => {
    const [from, to, recurrence] = rest
    const times = { start_date: `2027-10-${from}`, end_date: `2027-10-${to}`, timezone }
    const { series } = await makeEvent(admin, { title: 'Twice', ...times, recurrence })
    const { body } = await send('GET', `/events?series=${series.id}`)
    const { text } = await send('GET', `/events.ics?series=${series.id}`)
    expect(expanded(text).map(({ start, end }) => [start, end])).toEqual(
      body.events.map((event: Record<string, string>) =>
        [event.utc_start_date, event.utc_end_date].map(utc => `${utc?.replace(' ', 'T')}Z`),
      ),
    )
  })

  it('has an end of its first date if clocks don’t show that twice', async () => {
    const times = { start_date: '2027-10-23 22:00', end_date: '2027-10-24 02:00', timezone: 'Europe/Berlin' }
    const { series } = await makeEvent(admin, { ...times, recurrence: 'FREQ=WEEKLY;COUNT=3' })
    expect((await send('GET', `/events.ics?series=${series.id}`)).text).toContain(
      'DTEND;TZID=Europe/Berlin:20271024T020000',
    )
  })
})

const seriesIdOf = async (id: number): Promise<number> => (await send('GET', `/events/${id}`)).body.series.id

describe('a zone', () => {
  it('that changes its clocks by a rule has this rule, from before the first event on', async () => {
    expect(await zoneOf(at('2027-06-10 20:00:00', 'Europe/Rome'))).toEqual([
      'BEGIN:STANDARD DTSTART:20261025T030000 RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU TZOFFSETFROM:+0200 TZOFFSETTO:+0100 TZNAME:CET END:STANDARD',
      'BEGIN:DAYLIGHT DTSTART:20270328T020000 RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU TZOFFSETFROM:+0100 TZOFFSETTO:+0200 TZNAME:CEST END:DAYLIGHT',
    ])
    expect(await zoneOf(at('2027-01-10 20:00:00', 'America/Santiago'))).toContainEqual(
      expect.stringContaining('RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=SU'),
    )
  })

  it('that changes its clocks without a rule has the single changes that its events need', async () => {
    const text = (
      await zoneOf({ ...at('2027-01-10 20:00:00', 'Africa/Cairo'), end_date: '2028-06-01' })
    ).join()
    expect(text).not.toContain('RRULE')
    expect(text.match(/(?:DTSTART|RDATE):\d+/g)?.sort()).toEqual([
      'DTSTART:20260424',
      'DTSTART:20261030',
      'RDATE:20260424',
      'RDATE:20280428',
    ])
    expect(text).toMatch(/BEGIN:DAYLIGHT [\s\S]*TZOFFSETFROM:\+0200 TZOFFSETTO:\+0300/)
  })

  it('that had another offset in 1970 has its name of today', async () => {
    for (const [zone, offset, name] of [
      ['Pacific/Apia', '+1300', '+13'],
      ['Pacific/Kiritimati', '+1400', '+14'],
      ['Asia/Kathmandu', '+0545', '+0545'],
      ['Africa/Lagos', '+0100', 'WAT'],
    ] as const)
      expect((await zoneOf(at('2027-01-10 20:00:00', zone))).join(), zone).toContain(
        `TZOFFSETFROM:${offset} TZOFFSETTO:${offset} TZNAME:${name} `,
      )
  })

  it('that is an offset of half an hour is not needed, unless for a rule', async () => {
    const own = { title: 'Half', ...at('2027-01-10 20:00:00', 'UTC+5.5') }
    const { id } = await makeEvent(admin, own)
    const { text } = await send('GET', `/events/${id}.ics`)
    expect(text.match(/^(DTSTART|TZID|BEGIN:VTIMEZONE|X-EVENT-TIMEZONE).*(?=\r)/gm)).toEqual([
      'DTSTART:20270110T143000Z',
      'X-EVENT-TIMEZONE:UTC+5.5',
    ])
    const whole = await makeEvent(admin, { ...own, timezone: 'UTC-3' })
    expect((await send('GET', `/events/${whole.id}.ics`)).text).toContain('DTSTART;TZID=Etc/GMT+3:20270110T')
    const { series } = await makeEvent(admin, { ...own, recurrence: 'FREQ=DAILY;COUNT=3' })
    const ics = (await send('GET', `/events.ics?series=${series.id}`)).text
    expect(expanded(ics).map(({ start }) => start.slice(11))).toEqual(Array(3).fill('14:30:00Z'))
  })

  it('that never changes its clocks has one offset, and daylight time is never called standard', async () => {
    expect(await zoneOf(at('2027-01-10 20:00:00', 'Asia/Kolkata'))).toEqual([
      'BEGIN:STANDARD DTSTART:19700101T053000 TZOFFSETFROM:+0530 TZOFFSETTO:+0530 TZNAME:IST END:STANDARD',
    ])
    // Clocks there are put forward for the last time.
    const last = await zoneOf(at('2026-09-10 20:00:00', 'America/Vancouver'))
    expect(last.find(part => part.includes('TZNAME:PDT'))).toMatch(/^BEGIN:DAYLIGHT/)
    for (const zone of ['America/New_York', 'Europe/Dublin', 'Africa/Cairo', 'Australia/Lord_Howe'])
      for (const month of ['01', '07'])
        for (const part of await zoneOf(at(`2027-${month}-10 20:00:00`, zone))) {
          const [, from = '', to = ''] = /FROM:(\S+) TZOFFSETTO:(\S+)/.exec(part) ?? []
          expect(part.startsWith('BEGIN:DAYLIGHT'), part).toEqual(Number(to) > Number(from))
        }
  })
})

describe('far dates', () => {
  it.each(['America/New_York', 'Africa/Cairo', 'Africa/Casablanca', 'UTC+3'])(
    'in %s take a few lines, and are right',
    async zone => {
      const title = `Far ${zone.replace(/\W/g, ' ')}`
      const { id } = await makeEvent(admin, {
        title,
        timezone: zone,
        start_date: '1930-01-01 20:00:00',
        end_date: '9999-07-10 20:00:00',
      })
      const series = await makeEvent(admin, {
        title,
        timezone: zone,
        recurrence: {
          rrule: 'FREQ=WEEKLY;COUNT=5',
          rdate: ['9998-07-10 10:00:00'],
          exdate: ['9999-07-01 10:00:00'],
        },
      })
      const far = await makeEvent(admin, { title, ...at('9997-07-10 20:00:00', zone) })
      const { body } = await send('GET', `/events?include=${id},${far.id}`)
      const starts = new Map(
        body.events.map((event: Record<string, string>) => [
          event.id,
          `${event.utc_start_date?.replace(' ', 'T')}Z`,
        ]),
      )
      for (const address of [
        `/events/${id}.ics`,
        `/events/${far.id}.ics`,
        `/events.ics?search=${encodeURIComponent(title)}&start_date=1900-01-01&end_date=9999-12-31`,
        `/events.ics?series=${series.series.id}`,
      ]) {
        const { status, text } = await send('GET', address)
        expect(status, address).toBe(200)
        const [zoneText = ''] = /BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE/.exec(text) ?? []
        expect(zoneText.length, address).toBeLessThan(1_500)
        for (const { uid, start } of expanded(text).filter(({ uid }) => uid.startsWith('event')))
          expect(start, address).toEqual(starts.get(Number(/\d+/.exec(uid))))
      }
    },
  )

  it('of thousands of years, each with its changes, are right by an own reader', async () => {
    const zone = 'Africa/Cairo'
    const all = Array.from({ length: 40 }, (_, n) => 1960 + n * 200).flatMap(year =>
      ['01', '07'].map(month => ({ title: 'Scattered', ...at(`${year}-${month}-10 20:00:00`, zone) })),
    )
    await makeAll(admin, 'events', all)
    const query = 'search=scattered&start_date=1900-01-01&end_date=9999-12-31'
    const { text } = await send('GET', `/events.ics?${query}`)
    const { body } = await send('GET', `/events?${query}&per_page=100`)
    expect(expanded(text).map(({ start }) => start)).toEqual(
      body.events.map((event: Record<string, string>) => `${event.utc_start_date?.replace(' ', 'T')}Z`),
    )
    const zones = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vtimezone')
    expect(zones).toHaveLength(1)
  })
})
