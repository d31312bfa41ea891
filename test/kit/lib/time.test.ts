import { describe, expect, it } from 'vitest'
import {
  addDays,
  addMonths,
  dateDetails,
  dayNumber,
  dayOf,
  daysLater,
  endOfDay,
  formatInstant,
  isDateTime,
  isDay,
  isoWeekday,
  isoWithOffset,
  isRepresentable,
  isShownTwice,
  startOfDay,
  toEpoch,
  toUtc,
  toWall,
} from '../../../src/kit/lib/time.ts'

describe('instants as text', () => {
  it.each([
    [0, '1970-01-01 00:00:00'],
    [Date.UTC(2027, 1, 1, 18, 30, 5), '2027-02-01 18:30:05'],
    [-1, '1969-12-31 23:59:59'],
    [-62_135_596_800_000, '0001-01-01 00:00:00'],
    [253_402_300_799_999, '9999-12-31 23:59:59'],
  ])('%d is %s', (epochMs, text) => {
    expect(formatInstant(epochMs)).toBe(text)
    expect(toEpoch(text)).toBe(Math.floor(epochMs / 1000) * 1000)
    expect(isRepresentable(epochMs)).toBe(true)
  })

  it.each([
    [-62_135_596_800_001, '0001-01-01 00:00:00'],
    [253_402_300_800_000, '9999-12-31 23:59:59'],
    [Number.POSITIVE_INFINITY, '9999-12-31 23:59:59'],
  ])('%d is clamped to %s', (epochMs, text) => {
    expect(isRepresentable(epochMs)).toBe(false)
    expect(formatInstant(epochMs)).toBe(text)
  })

  it('has no text for NaN', () => {
    expect(isRepresentable(Number.NaN)).toBe(false)
    expect(() => formatInstant(Number.NaN)).toThrow(RangeError)
  })
})

describe('wall times and UTC', () => {
  it.each([
    ['2027-02-01 18:00:00', 'Europe/Rome', '2027-02-01 17:00:00'],
    ['2027-07-01 18:00:00', 'Europe/Rome', '2027-07-01 16:00:00'],
    ['2027-03-14 12:00:00', 'America/New_York', '2027-03-14 16:00:00'],
    ['2027-01-01 03:00:00', 'Asia/Tokyo', '2026-12-31 18:00:00'],
    ['2027-02-01 18:00:00', 'UTC', '2027-02-01 18:00:00'],
    ['2027-02-01 18:00:00', 'UTC+5.5', '2027-02-01 12:30:00'],
    ['2027-02-01 18:00:00', 'UTC-3', '2027-02-01 21:00:00'],
    ['2027-07-01 18:00:00', 'Australia/Lord_Howe', '2027-07-01 07:30:00'],
  ])('%s in %s is %s in UTC', (wall, zone, utc) => {
    expect(toUtc(wall, zone)).toBe(utc)
    expect(toWall(utc, zone)).toBe(wall)
  })

  it.each([
    ['a skipped time moves on by the gap', '2027-03-28 02:30:00', 'Europe/Rome', '2027-03-28 01:30:00'],
    [
      'of a time that occurs twice it is the earlier',
      '2027-10-31 02:30:00',
      'Europe/Rome',
      '2027-10-31 00:30:00',
    ],
    ['a skipped time in America', '2027-03-14 02:30:00', 'America/New_York', '2027-03-14 07:30:00'],
    ['a gap of half an hour', '2027-10-03 02:15:00', 'Australia/Lord_Howe', '2027-10-02 15:45:00'],
  ])('%s', (_, wall, zone, utc) => {
    expect(toUtc(wall, zone)).toBe(utc)
  })

  it('shows the skipped time after the gap, and the later of two like the earlier', () => {
    expect(toWall(toUtc('2027-03-28 02:30:00', 'Europe/Rome'), 'Europe/Rome')).toBe('2027-03-28 03:30:00')
    expect(toWall('2027-10-31 01:30:00', 'Europe/Rome')).toBe('2027-10-31 02:30:00')
  })

  it.each([
    ['Europe/Rome', '2027-10-31 00:30:00', '2027-10-31 01:30:00', '2027-10-31 02:30:00'],
    ['Australia/Lord_Howe', '2027-04-03 14:45:00', '2027-04-03 15:15:00', '2027-04-03 15:45:00'],
    ['Antarctica/Troll', '2027-10-31 00:30:00', '2027-10-31 02:30:00', '2027-10-31 03:30:00'],
  ])('knows which times clocks in %s show twice', (zone, first, second, once) => {
    expect(toWall(first, zone)).toBe(toWall(second, zone))
    expect([first, second, once].map(utc => isShownTwice(utc, zone))).toEqual([true, true, false])
  })

  it('keeps the ends of time inside four digits of a year', () => {
    expect(toUtc('9999-12-31 23:59:59', 'America/New_York')).toBe('9999-12-31 23:59:59')
    expect(toWall('0001-01-01 00:00:00', 'UTC-3')).toBe('0001-01-01 00:00:00')
  })

  it('throws for an unknown zone', () => {
    expect(() => toUtc('2027-02-01 18:00:00', 'Mars/Olympus')).toThrow(RangeError)
    expect(() => toWall('2027-02-01 18:00:00', 'Mars/Olympus')).toThrow(RangeError)
  })
})

describe('calendar arithmetic', () => {
  it('finds the ends of a day', () => {
    expect(startOfDay('2027-02-01 18:30:05')).toBe('2027-02-01 00:00:00')
    expect(endOfDay('2027-02-01 18:30:05')).toBe('2027-02-01 23:59:59')
  })

  it('takes a day as well as a time on it', () => {
    for (const time of ['2027-01-31', '2027-01-31 18:30:05']) {
      expect(dayOf(time)).toBe('2027-01-31')
      expect(endOfDay(time)).toBe('2027-01-31 23:59:59')
      expect(daysLater(time, 1)).toBe('2027-02-01')
      expect([isoWeekday(time), dayNumber(time)]).toEqual([7, 20_849])
    }
    expect(addDays('2027-01-31', 1)).toBe('2027-02-01 00:00:00')
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28 00:00:00')
    expect(daysLater('9999-12-31', 1)).toBe('9999-12-31')
  })

  it('knows the days that exist', () => {
    const texts = ['2028-02-29', '2027-02-29', '2027-02-30', '2027-2-28', '', '2027-02-28 10:00:00']
    expect(texts.filter(isDay)).toEqual(['2028-02-29'])
  })

  it.each([
    ['2027-02-28 18:30:05', 1, '2027-03-01 18:30:05'],
    ['2028-03-01 00:00:00', -1, '2028-02-29 00:00:00'],
    ['9999-12-31 12:00:00', 1, '9999-12-31 23:59:59'],
  ])('%s and %d days', (wall, days, later) => {
    expect(addDays(wall, days)).toBe(later)
  })

  it.each([
    ['2027-01-15 18:30:05', 24, '2029-01-15 18:30:05'],
    ['2027-01-31 10:00:00', 1, '2027-02-28 10:00:00'],
    ['2028-03-31 10:00:00', -1, '2028-02-29 10:00:00'],
    ['9999-12-31 12:00:00', 1, '9999-12-31 23:59:59'],
  ])('%s and %d months', (wall, months, later) => {
    expect(addMonths(wall, months)).toBe(later)
  })
})

describe('parts and offsets', () => {
  it.each([
    ['2027-02-01 18:00:00', '2027-02-01 17:00:00', '2027-02-01T18:00:00+01:00'],
    ['2027-02-01 18:00:00', '2027-02-01 18:00:00', '2027-02-01T18:00:00+00:00'],
    ['2026-12-31 20:00:00', '2027-01-01 01:00:00', '2026-12-31T20:00:00-05:00'],
    ['2027-02-01 18:00:00', '2027-02-01 21:30:00', '2027-02-01T18:00:00-03:30'],
    ['2027-02-01 18:00:00', '2027-02-01 12:15:00', '2027-02-01T18:00:00+05:45'],
  ])('%s local, %s in UTC', (wall, utc, iso) => {
    expect(isoWithOffset(wall, utc)).toBe(iso)
  })

  it('divides a time into its parts', () => {
    expect(dateDetails('2027-02-01 08:09:05')).toEqual({
      year: '2027',
      month: '02',
      day: '01',
      hour: '08',
      minutes: '09',
      seconds: '05',
    })
  })
})

describe('isDateTime', () => {
  const upTo = (most: number) => Array.from({ length: most + 1 }, (_, n) => String(n).padStart(2, '0'))
  const exists = (year: string, month: string, day: string): boolean => {
    const date = new Date(0)
    date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
    return Number(year) > 0 && date.toISOString().slice(0, 10) === `${year}-${month}-${day}`
  }

  it.each(['0000', '0001', '1900', '2000', '2027', '2028', '9999'])('knows the days of %s', year => {
    for (const month of upTo(13))
      for (const day of upTo(32))
        for (const time of ['00:00:00', '23:59:59', '24:00:00', '10:00'])
          expect([month, day, time, isDateTime(`${year}-${month}-${day} ${time}`)]).toEqual([
            ...[month, day, time],
            exists(year, month, day) && /^(?:00|23):..:..$/.test(time),
          ])
  })
})

it('the compiler keeps wall times and UTC apart', () => {
  const utc = toUtc('2027-02-01 18:30:00', 'UTC')
  const wall = toWall(utc, 'UTC')
  // @ts-expect-error A time in UTC is not a wall time.
  expect(toUtc(utc, 'UTC')).toBe(wall)
  // @ts-expect-error A wall time is no time in UTC.
  expect(toWall(wall, 'UTC')).toBe(utc)
})
