import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate } from '../../../src/kit/lib/parse-date.ts'
import { atWall, wallMs } from '../../../src/kit/lib/time.ts'
import { zoneAbbreviation } from '../../../src/kit/lib/zones.ts'

// A Wednesday, 14:23 in UTC and 16:23 in Rome.
const NOW = Date.UTC(2027, 5, 9, 14, 23, 17, 500)

const inUtc = (input: string | number, nowMs = NOW) => parseDate(input, 'UTC', nowMs)?.utc

describe('zones', () => {
  it.each([
    ['2027-06-10 18:00', 'Europe/Rome', '2027-06-10 18:00:00', '2027-06-10 16:00:00'],
    ['2027-06-10 18:00', 'America/New_York', '2027-06-10 18:00:00', '2027-06-10 22:00:00'],
    ['2027-01-10 18:00', 'America/New_York', '2027-01-10 18:00:00', '2027-01-10 23:00:00'],
    ['2027-06-10 18:00', 'UTC+5.5', '2027-06-10 18:00:00', '2027-06-10 12:30:00'],
    ['2027-06-10T18:00:00Z', 'Europe/Rome', '2027-06-10 20:00:00', '2027-06-10 18:00:00'],
    ['2027-06-10T18:00:00+02:00', 'America/New_York', '2027-06-10 12:00:00', '2027-06-10 16:00:00'],
    ['2027-06-10T18:00:00-04:00', 'UTC+5.5', '2027-06-11 03:30:00', '2027-06-10 22:00:00'],
    [1812636000, 'America/New_York', '2027-06-10 10:00:00', '2027-06-10 14:00:00'],
    ['now', 'Europe/Rome', '2027-06-09 16:23:17', '2027-06-09 14:23:17'],
    ['today', 'Europe/Rome', '2027-06-09 00:00:00', '2027-06-08 22:00:00'],
    ['tomorrow 9am', 'America/New_York', '2027-06-10 09:00:00', '2027-06-10 13:00:00'],
    ['3pm', 'UTC+5.5', '2027-06-09 15:00:00', '2027-06-09 09:30:00'],
    ['today', 'Pacific/Kiritimati', '2027-06-10 00:00:00', '2027-06-09 10:00:00'],
  ])('%s in %s', (input, zone, wall, utc) => {
    expect(parseDate(input, zone, NOW)).toEqual({ wall, utc })
  })

  it.each([
    [
      'a skipped time moves forward by the gap',
      '2027-03-28 02:30',
      '2027-03-28 03:30:00',
      '2027-03-28 01:30:00',
    ],
    [
      'of a time that occurs twice it is the earlier',
      '2027-10-31 02:30',
      '2027-10-31 02:30:00',
      '2027-10-31 00:30:00',
    ],
    [
      'unless its offset says the later',
      '2027-10-31 02:30+01:00',
      '2027-10-31 02:30:00',
      '2027-10-31 01:30:00',
    ],
  ])('%s', (_, text, wall, utc) => {
    expect(parseDate(text, 'Europe/Rome', NOW)).toMatchObject({ wall, utc })
  })

  it('adds days by the calendar and hours by the clock', () => {
    const dayBefore = Date.UTC(2027, 2, 27, 11)
    expect(parseDate('+1 day', 'Europe/Rome', dayBefore)?.wall).toBe('2027-03-28 12:00:00')
    expect(parseDate('+24 hours', 'Europe/Rome', dayBefore)?.wall).toBe('2027-03-28 13:00:00')
  })

  it('keeps the instant of now when clocks show its time twice', () => {
    expect(parseDate('now', 'Europe/Rome', Date.UTC(2027, 9, 31, 1, 30))?.utc).toBe('2027-10-31 01:30:00')
  })

  it('refuses a zone that does not exist', () => {
    expect(() => parseDate('today', 'Mars/Olympus', NOW)).toThrow(RangeError)
  })
})

describe('a text that is not a date', () => {
  const NO_DATES: Record<string, (string | number)[]> = {
    'no such day': [
      '2027-02-30',
      '2027-02-29',
      '29 Feb 2027',
      'Feb 29',
      '30 Feb 2027',
      'June 31, 2027',
      '02/30/2027',
    ],
    'no such day or month': [
      '31.04.2027',
      '31-04-2027',
      '2027/04/31',
      '2027-13-01',
      '2027-00-10',
      '20271301',
      '13/01/2027',
    ],
    'no such time': [
      '25:00',
      '24:00',
      '10:60',
      '10:00:60',
      '13pm',
      '0am',
      '13:00pm',
      'T250000',
      '2027-06-10 25:00',
    ],
    'no such offset': [
      '2027-06-10T18:00+15:00',
      '2027-06-10T18:00+02:60',
      '2027-06-10T18:00:00+02:00Z',
      '+02:00',
      'Z',
    ],
    'not understood': [
      '',
      '   ',
      ',',
      'gibberish',
      'not a date',
      'nope',
      'true',
      'null',
      'a',
      'x',
      'may',
      'may be',
      'june 2027',
      '2027',
      '12345',
      '2027-06',
      '2027-W10',
      '2027-01-01 foo',
      'foo 2027-01-01',
      '2027-06-10T',
      '2027-06-10 18',
      '2027-06-1018:00',
      '10:00:00:00',
      'sat x',
      'next',
      'ago',
      'tomorrow ago',
      '+1 constructor',
      '+1 weekk',
      'next constructor',
      'June 10, 20270',
      '3 pm pm',
    ],
    'says two things': [
      '2027-06-10 2027-06-11',
      'today tomorrow',
      'now tomorrow',
      'tomorrow 2027-06-10',
      '3pm 4pm',
      'noon 3pm',
      'Sun, 12 Jun 2027',
      'monday tuesday',
    ],
    'outside the years 0001 to 9999': [
      '0000-01-01',
      '10000-01-01',
      '9999-12-31 +1 day',
      '9999 years ago',
      '+99999999999999999999 days',
      '1812636000000',
      '9'.repeat(90),
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1812636000000,
    ],
  }
  const rows = Object.entries(NO_DATES).flatMap(([reason, all]) => all.map(input => [reason, input] as const))
  it.each(rows)('%s: «%s»', (_, input) => expect(inUtc(input)).toBeUndefined())

  it('has at most 100 characters', () => {
    const long = `2027-06-10 ${'+1 day '.repeat(12)}`
    expect(inUtc(long.padEnd(100))).toBe('2027-06-22 00:00:00')
    expect(inUtc(long.padEnd(101))).toBeUndefined()
  })
})

describe('the ends of time', () => {
  const FIRST = '0001-01-01 00:00:00'
  const LAST = '9999-12-31 23:59:59'

  it.each([
    // “Never” is the same time everywhere.
    [LAST, 'America/New_York', LAST, LAST],
    [LAST, 'UTC-12', LAST, LAST],
    [LAST, 'Pacific/Kiritimati', LAST, '9999-12-31 09:59:59'],
    ['9999-12-31', 'America/New_York', '9999-12-31 00:00:00', '9999-12-31 05:00:00'],
    ['9999-12-31 23:00', 'America/New_York', '9999-12-31 23:00:00', LAST],
    ['9999-12-31 23:00', 'UTC-12', '9999-12-31 23:00:00', LAST],
    ['0001-01-01', 'UTC+14', FIRST, FIRST],
    ['0001-01-01', 'UTC-3', FIRST, '0001-01-01 03:00:00'],
    ['9999-12-31T23:00Z', 'Europe/Rome', LAST, '9999-12-31 23:00:00'],
    ['0001-01-01T00:00Z', 'UTC-3', FIRST, FIRST],
  ])('%s in %s is %s, %s in UTC', (text, zone, wall, utc) => {
    expect(parseDate(text, zone, NOW)).toEqual({ wall, utc })
  })

  it.each([
    ['9999-12-31T23:00-05:00', 'UTC'],
    ['9999-12-31T23:00-05:00', 'America/New_York'],
    ['0001-01-01T00:00+14:00', 'Asia/Tokyo'],
  ])('refuses %s in %s, an instant outside the years 0001 to 9999 by its own offset', (text, zone) => {
    expect(parseDate(text, zone, NOW)).toBeUndefined()
  })

  it('keeps a wall time that only UTC cannot represent', () => {
    expect(atWall(LAST, 'America/New_York')).toEqual({ wall: LAST, utc: LAST })
    expect(atWall('2027-03-28 02:30:00', 'Europe/Rome').wall).toBe('2027-03-28 03:30:00')
  })

  it('reads dates that do not exist in a zone as in UTC', () => {
    const newYear = Date.UTC(2028, 0, 1, 0, 30)
    expect(parseDate('Feb 29', 'America/New_York', newYear)?.wall).toBe('2028-02-29 00:00:00')
    expect(parseDate('Feb 29', 'Europe/Rome', Date.UTC(2027, 11, 31, 23, 30))).toBeUndefined()
  })
})

describe('any text in any zone', () => {
  const ZONES = [
    'UTC',
    'UTC+14',
    'UTC-12',
    'UTC+5.75',
    'America/New_York',
    'Pacific/Kiritimati',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Africa/Monrovia',
    'Antarctica/Troll',
  ]
  const year = fc.constantFrom('0001', '0002', '1883', '1972', '2027', '2028', '9998', '9999', '0000')
  const day = fc.constantFrom('01-01', '01-02', '02-28', '02-29', '03-28', '10-31', '12-30', '12-31', '02-30')
  const time = fc.constantFrom('', ' 00:00', ' 02:30', ' 12:00', ' 23:00', ' 23:59:59', 'T23:59:59')
  const offset = fc.constantFrom('', '', 'Z', '+14:00', '-12:00', '+05:30')
  const shift = fc.constantFrom('', '', ' +1 day', ' -1 day', ' +1 hour', ' +1 second', ' 1 month ago')
  const written = fc.tuple(year, day, time, offset, shift).map(([y, d, t, o, s]) => `${y}-${d}${t}${o}${s}`)
  const spoken = fc.constantFrom(
    'now',
    'today',
    'tomorrow 9am',
    'next monday',
    'monday next week',
    'last day of next month',
    'Feb 29',
    'Sat, 1 Jan',
    'Dec 31',
    '+7971 years',
    '+7972 years',
    '2027 years ago',
    '2026 years ago',
    '@253402300799',
    '@253402300800',
    '-62135596800',
    '-62135596801',
  )
  const moments = fc.constantFrom(
    NOW,
    Date.UTC(2027, 11, 31, 23, 30),
    Date.UTC(2028, 0, 1, 0, 30),
    Date.UTC(2027, 2, 28, 1, 30),
  )
  const FORMAT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

  it('is a date in all zones or in none, and other functions accept the result', () => {
    fc.assert(
      fc.property(fc.oneof(written, spoken), moments, (text, now) => {
        const parsed = ZONES.map(zone => parseDate(text, zone, now))
        expect(new Set(parsed.map(result => result === undefined)).size).toBe(1)
        for (const [i, result] of parsed.entries()) {
          if (!result) continue
          expect(result.wall).toMatch(FORMAT)
          expect(result.utc).toMatch(FORMAT)
          expect(Number.isNaN(wallMs(result.wall))).toBe(false)
          expect(zoneAbbreviation(result.utc, ZONES[i] ?? '')).not.toBe('')
          // Written as a plain wall time, it is the same moment or, in a repeated hour, an hour earlier.
          expect(atWall(result.wall, ZONES[i] ?? '').wall).toBe(result.wall)
        }
      }),
      { seed: 20_261_120, numRuns: 500 },
    )
  })

  it('keeps the time of day of a wall time, unless a clock change skips it', () => {
    fc.assert(
      fc.property(year, day, fc.constantFrom(...ZONES), (y, d, zone) => {
        const parsed = parseDate(`${y}-${d} 23:59:59`, zone, NOW)
        const exists = d !== '02-30' && (d !== '02-29' || Number(y) % 4 === 0)
        // The first and the last days may be out of bounds in UTC.
        const isWithin = !['0000', '0001', '9999'].includes(y)
        if (parsed || (exists && isWithin)) expect(parsed?.wall).toBe(`${y}-${d} 23:59:59`)
      }),
      { seed: 20_261_120, numRuns: 300 },
    )
  })
})
