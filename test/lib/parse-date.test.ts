import { describe, expect, it } from 'vitest'
import { parseDate } from '../../src/lib/parse-date.ts'

// A Wednesday, 14:23 in UTC and 16:23 in Rome.
const NOW = Date.UTC(2027, 5, 9, 14, 23, 17, 500)

const inUtc = (input: string | number, nowMs = NOW) => parseDate(input, 'UTC', nowMs)?.utc

describe('dates as programs write them', () => {
  it.each([
    ['2027-06-10', '2027-06-10 00:00:00'],
    ['2027-6-1', '2027-06-01 00:00:00'],
    ['2027-06-10 18:00', '2027-06-10 18:00:00'],
    ['2027-06-10 18:00:05', '2027-06-10 18:00:05'],
    ['  2027-06-10 18:00:05\n', '2027-06-10 18:00:05'],
    ['2027-06-10T18:00', '2027-06-10 18:00:00'],
    ['2027-06-10t18:00:05.987', '2027-06-10 18:00:05'],
    ['2027-06-10T18:00:05Z', '2027-06-10 18:00:05'],
    ['2027-06-10T18:00:05+02:00', '2027-06-10 16:00:05'],
    ['2027-06-10T18:00:05+0200', '2027-06-10 16:00:05'],
    ['2027-06-10T18:00:05+02', '2027-06-10 16:00:05'],
    ['2027-06-10T18:00:05.5-03:30', '2027-06-10 21:30:05'],
    ['2027-06-10 18:00:05 +02:00', '2027-06-10 16:00:05'],
    ['2027-06-10 18:00-05', '2027-06-10 23:00:00'],
    ['2027-06-10+02:00', '2027-06-09 22:00:00'],
    ['20270610', '2027-06-10 00:00:00'],
    ['20270610T180005Z', '2027-06-10 18:00:05'],
    ['20270610T1800', '2027-06-10 18:00:00'],
    ['2028-02-29', '2028-02-29 00:00:00'],
    ['0001-01-01', '0001-01-01 00:00:00'],
    ['9999-12-31 23:59:59', '9999-12-31 23:59:59'],
    ['Sat, 12 Jun 2027 10:00:00 GMT', '2027-06-12 10:00:00'],
    ['Sat, 12 Jun 2027 10:00:00 +0200', '2027-06-12 08:00:00'],
    ['Sat Jun 12 2027 10:00:00 GMT+0200 (Central European Summer Time)', '2027-06-12 08:00:00'],
    ['6/10/2027, 4:00:00\u202fPM', '2027-06-10 16:00:00'],
  ])('%s', (text, utc) => {
    expect(inUtc(text)).toBe(utc)
  })

  it.each([
    [1812636000, '2027-06-10 14:00:00'],
    [1812636000.9, '2027-06-10 14:00:00'],
    [0, '1970-01-01 00:00:00'],
    [-1, '1969-12-31 23:59:59'],
    [-0.0001, '1969-12-31 23:59:59'],
    [20270610, '1970-08-23 14:43:30'],
    ['1812636000', '2027-06-10 14:00:00'],
    ['123456789', '1973-11-29 21:33:09'],
    ['-1234567890', '1930-11-18 00:28:30'],
    ['@1234567890', '2009-02-13 23:31:30'],
    ['@-86400', '1969-12-31 00:00:00'],
    ['@0', '1970-01-01 00:00:00'],
  ])('%s as Unix seconds', (input, utc) => {
    expect(inUtc(input)).toBe(utc)
  })
})

describe('dates as people write them', () => {
  it.each([
    ['06/10/2027 3:00 pm', '2027-06-10 15:00:00'],
    ['6/10/27', '2027-06-10 00:00:00'],
    ['6/10/70', '1970-06-10 00:00:00'],
    ['2027/06/10', '2027-06-10 00:00:00'],
    ['10.06.2027', '2027-06-10 00:00:00'],
    ['10-06-2027', '2027-06-10 00:00:00'],
    ['June 10, 2027 4pm', '2027-06-10 16:00:00'],
    ['JUNE 10TH, 2027 AT 4:30 P.M.', '2027-06-10 16:30:00'],
    ['10 June 2027', '2027-06-10 00:00:00'],
    ['10th of June 2027', '2027-06-10 00:00:00'],
    ['10-Jun-2027 9:05', '2027-06-10 09:05:00'],
    ['Jun 10 2027 16:00', '2027-06-10 16:00:00'],
    ['Jun. 10 16:00', '2027-06-10 16:00:00'],
    ['10 Sept 16:00', '2027-09-10 16:00:00'],
    ['4pm June 10', '2027-06-10 16:00:00'],
    ['3pm', '2027-06-09 15:00:00'],
    ['12am', '2027-06-09 00:00:00'],
    ['12:30 pm', '2027-06-09 12:30:00'],
    ['15:30', '2027-06-09 15:30:00'],
  ])('%s', (text, utc) => {
    expect(inUtc(text)).toBe(utc)
  })

  it.each([
    ['now', '2027-06-09 14:23:17'],
    ['now +2 hours', '2027-06-09 16:23:17'],
    ['today', '2027-06-09 00:00:00'],
    ['midnight', '2027-06-09 00:00:00'],
    ['noon', '2027-06-09 12:00:00'],
    ['yesterday', '2027-06-08 00:00:00'],
    ['yesterday noon', '2027-06-08 12:00:00'],
    ['tomorrow', '2027-06-10 00:00:00'],
    ['Tomorrow 9am', '2027-06-10 09:00:00'],
    ['9am tomorrow', '2027-06-10 09:00:00'],
    ['tomorrow +02:00', '2027-06-09 22:00:00'],
    ['+1 week', '2027-06-16 14:23:17'],
    ['1 week', '2027-06-16 14:23:17'],
    ['-2 days', '2027-06-07 14:23:17'],
    ['+02 days', '2027-06-11 14:23:17'],
    ['+90 min', '2027-06-09 15:53:17'],
    ['+20 secs', '2027-06-09 14:23:37'],
    ['+1 month 2 days', '2027-07-11 14:23:17'],
    ['+1 month -2 days', '2027-07-07 14:23:17'],
    ['2 weeks ago', '2027-05-26 14:23:17'],
    ['1 month 2 days ago', '2027-05-07 14:23:17'],
    ['2027-06-10 +1 year', '2028-06-10 00:00:00'],
    ['next week', '2027-06-16 14:23:17'],
    ['next month', '2027-07-09 14:23:17'],
    ['last year', '2026-06-09 14:23:17'],
    ['first day of next month', '2027-07-01 14:23:17'],
    ['first day of next month midnight', '2027-07-01 00:00:00'],
    ['last day of this month', '2027-06-30 14:23:17'],
    ['last day of february 2028', '2028-02-29 00:00:00'],
    ['first day of june', '2027-06-01 00:00:00'],
  ])('%s', (text, utc) => {
    expect(inUtc(text)).toBe(utc)
  })

  it.each([
    ['monday', '2027-06-14'],
    ['wednesday', '2027-06-09'],
    ['wed', '2027-06-09'],
    ['sun', '2027-06-13'],
    ['on tuesday', '2027-06-15'],
    ['this friday', '2027-06-11'],
    ['next monday', '2027-06-14'],
    ['next wednesday', '2027-06-16'],
    ['last friday', '2027-06-04'],
    ['last wed', '2027-06-02'],
    ['previous thu', '2027-06-03'],
    ['monday next week', '2027-06-14'],
    ['sunday this week', '2027-06-13'],
    ['sunday last week', '2027-06-06'],
  ])('%s', (text, day) => {
    expect(inUtc(text)).toBe(`${day} 00:00:00`)
    expect(inUtc(`${text} 3pm`)).toBe(`${day} 15:00:00`)
  })

  it('ends on the last day of a month that is too short', () => {
    const endOfMay = Date.UTC(2027, 4, 31, 8)
    expect(inUtc('+1 month', endOfMay)).toBe('2027-06-30 08:00:00')
    expect(inUtc('first day of next month', endOfMay)).toBe('2027-06-01 08:00:00')
    expect(inUtc('2028-02-29 +1 year')).toBe('2029-02-28 00:00:00')
  })
})

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
