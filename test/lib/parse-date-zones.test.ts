import { describe, expect, it } from 'vitest'
import { parseDate } from '../../src/lib/parse-date.ts'

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
    ['a skipped time moves on by the gap', '2027-03-28 02:30', '2027-03-28 03:30:00', '2027-03-28 01:30:00'],
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
    expect(parseDate(text, 'Europe/Rome', NOW)).toEqual({ wall, utc })
  })

  it('adds days by the calendar and hours by the clock', () => {
    const dayBefore = Date.UTC(2027, 2, 27, 11)
    expect(parseDate('+1 day', 'Europe/Rome', dayBefore)?.wall).toBe('2027-03-28 12:00:00')
    expect(parseDate('+24 hours', 'Europe/Rome', dayBefore)?.wall).toBe('2027-03-28 13:00:00')
  })

  it('keeps the instant of now when clocks show its time twice', () => {
    expect(parseDate('now', 'Europe/Rome', Date.UTC(2027, 9, 31, 1, 30))?.utc).toBe('2027-10-31 01:30:00')
  })

  it('needs a zone that exists', () => {
    expect(() => parseDate('today', 'Mars/Olympus', NOW)).toThrow(RangeError)
  })
})

describe('what is no date', () => {
  it.each([
    '2027-02-30',
    '2027-02-29',
    '29 Feb 2027',
    'Feb 29',
    '30 Feb 2027',
    'June 31, 2027',
    '02/30/2027',
  ])('no such day: %s', text => {
    expect(inUtc(text)).toBeUndefined()
  })

  it.each(['31.04.2027', '31-04-2027', '2027/04/31', '2027-13-01', '2027-00-10', '20271301', '13/01/2027'])(
    'no such day or month: %s',
    text => {
      expect(inUtc(text)).toBeUndefined()
    },
  )

  it.each(['25:00', '24:00', '10:60', '10:00:60', '13pm', '0am', '13:00pm', 'T250000', '2027-06-10 25:00'])(
    'no such time: %s',
    text => {
      expect(inUtc(text)).toBeUndefined()
    },
  )

  it.each(['2027-06-10T18:00+15:00', '2027-06-10T18:00+02:60', '2027-06-10T18:00:00+02:00Z', '+02:00', 'Z'])(
    'no such offset: %s',
    text => {
      expect(inUtc(text)).toBeUndefined()
    },
  )

  it.each([
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
  ])('not understood: «%s»', text => {
    expect(inUtc(text)).toBeUndefined()
  })

  it.each([
    '2027-06-10 2027-06-11',
    'today tomorrow',
    'now tomorrow',
    'tomorrow 2027-06-10',
    '3pm 4pm',
    'noon 3pm',
    'Sun, 12 Jun 2027',
    'monday tuesday',
  ])('says two things: %s', text => {
    expect(inUtc(text)).toBeUndefined()
  })

  it.each([
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
  ])('outside the years 0001 to 9999: %s', input => {
    expect(inUtc(input)).toBeUndefined()
  })

  it('stays inside these years in the zone and in UTC', () => {
    expect(parseDate('9999-12-31 23:00', 'America/New_York', NOW)).toBeUndefined()
    expect(parseDate('9999-12-31T23:00Z', 'Europe/Rome', NOW)).toBeUndefined()
    expect(parseDate('0001-01-01T00:00Z', 'UTC-3', NOW)).toBeUndefined()
  })

  it('has at most 100 characters', () => {
    const long = `2027-06-10 ${'+1 day '.repeat(12)}`
    expect(inUtc(long.padEnd(100))).toBe('2027-06-22 00:00:00')
    expect(inUtc(long.padEnd(101))).toBeUndefined()
  })
})
