import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { toEpoch } from '../../../src/kit/lib/time.ts'
import zoneLetters from '../../../src/kit/lib/zone-letters.json' with { type: 'json' }
import {
  canonicalZone,
  formatOffset,
  offsetOf,
  temporalZone,
  zoneAbbreviation,
} from '../../../src/kit/lib/zones.ts'

describe('the name of a zone', () => {
  it('has at most 100 characters, because Temporal takes seconds for a megabyte', () => {
    expect(canonicalZone('UTC'.padEnd(100))).toBe('UTC')
    expect(canonicalZone('UTC'.padEnd(101))).toBeUndefined()
  })

  it.each([
    ['Europe/Rome', 'Europe/Rome'],
    ['europe/rome', 'Europe/Rome'],
    [' EUROPE/ROME ', 'Europe/Rome'],
    ['us/eastern', 'US/Eastern'],
    ['asia/calcutta', 'Asia/Calcutta'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
    ['america/argentina/buenos_aires', 'America/Argentina/Buenos_Aires'],
    ['antarctica/dumontdurville', 'Antarctica/DumontDUrville'],
    ['est5edt', 'EST5EDT'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['gmt', 'GMT'],
    ['utc', 'UTC'],
    ['UTC+3', 'UTC+3'],
    ['utc-3', 'UTC-3'],
    ['UTC+03:00', 'UTC+3'],
    ['UTC+5.5', 'UTC+5.5'],
    ['UTC+5.50', 'UTC+5.5'],
    ['UTC+5:30', 'UTC+5.5'],
    ['UTC+5.75', 'UTC+5.75'],
    ['UTC-9:30', 'UTC-9.5'],
    ['UTC+0', 'UTC+0'],
    ['UTC-0', 'UTC+0'],
    ['UTC-12', 'UTC-12'],
    ['UTC+14', 'UTC+14'],
    ['+02:00', 'UTC+2'],
    ['-0330', 'UTC-3.5'],
    ['+02', 'UTC+2'],
  ])('%s is %s', (given, name) => {
    expect(canonicalZone(given)).toBe(name)
  })

  it.each([
    '',
    'Z',
    'Mars/Olympus',
    'Rome',
    'CEST',
    'UTC+',
    'UTC3',
    'UTC+14.25',
    'UTC-12:15',
    'UTC+5.1',
    'UTC+5:10',
    'UTC+5:60',
    'UTC+5.5.5',
    '+15:00',
    '+02:60',
    '+2',
    'GMT+3',
    '2027-01-01T00:00Z',
    '[Europe/Rome]',
    'constructor',
  ])('there is no zone «%s»', name => {
    expect(canonicalZone(name)).toBeUndefined()
  })

  it.each([
    ['UTC+3', '+03:00'],
    ['UTC-3', '-03:00'],
    ['UTC+5.5', '+05:30'],
    ['UTC-0.25', '-00:15'],
    ['UTC+0', '+00:00'],
    ['UTC', 'UTC'],
    ['US/Eastern', 'US/Eastern'],
  ])('Temporal calls %s %s', (zone, name) => {
    expect(temporalZone(zone)).toBe(name)
  })

  it('writes offsets with and without a colon', () => {
    expect(formatOffset(345)).toBe('+05:45')
    expect(formatOffset(-210, '')).toBe('-0330')
  })
})

describe('letters', () => {
  it.each([
    ['Europe/Rome', 'CET', 'CEST'],
    ['Europe/London', 'GMT', 'BST'],
    ['Europe/Dublin', 'GMT', 'IST'],
    ['Europe/Lisbon', 'WET', 'WEST'],
    ['Europe/Athens', 'EET', 'EEST'],
    ['Europe/Kyiv', 'EET', 'EEST'],
    ['Europe/Moscow', 'MSK', 'MSK'],
    ['Europe/Istanbul', '+03', '+03'],
    ['Atlantic/Azores', '-01', '+00'],
    ['Atlantic/Reykjavik', 'GMT', 'GMT'],
    ['America/New_York', 'EST', 'EDT'],
    ['US/Eastern', 'EST', 'EDT'],
    ['America/Chicago', 'CST', 'CDT'],
    ['America/Denver', 'MST', 'MDT'],
    ['America/Phoenix', 'MST', 'MST'],
    ['America/Los_Angeles', 'PST', 'PDT'],
    ['America/Anchorage', 'AKST', 'AKDT'],
    ['Pacific/Honolulu', 'HST', 'HST'],
    ['America/Halifax', 'AST', 'ADT'],
    ['America/St_Johns', 'NST', 'NDT'],
    ['America/Sao_Paulo', '-03', '-03'],
    ['America/Argentina/Buenos_Aires', '-03', '-03'],
    ['Africa/Johannesburg', 'SAST', 'SAST'],
    ['Africa/Lagos', 'WAT', 'WAT'],
    ['Africa/Nairobi', 'EAT', 'EAT'],
    ['Africa/Cairo', 'EET', 'EEST'],
    ['Asia/Jerusalem', 'IST', 'IDT'],
    ['Asia/Dubai', '+04', '+04'],
    ['Asia/Karachi', 'PKT', 'PKT'],
    ['Asia/Kolkata', 'IST', 'IST'],
    ['Asia/Kathmandu', '+0545', '+0545'],
    ['Asia/Shanghai', 'CST', 'CST'],
    ['Asia/Hong_Kong', 'HKT', 'HKT'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['Asia/Seoul', 'KST', 'KST'],
    ['Asia/Jakarta', 'WIB', 'WIB'],
    ['Australia/Sydney', 'AEDT', 'AEST'],
    ['Australia/Adelaide', 'ACDT', 'ACST'],
    ['Australia/Perth', 'AWST', 'AWST'],
    ['Australia/Lord_Howe', '+11', '+1030'],
    ['Pacific/Auckland', 'NZDT', 'NZST'],
    ['Pacific/Guam', 'ChST', 'ChST'],
    ['Etc/GMT+5', '-05', '-05'],
    ['GMT', 'GMT', 'GMT'],
    ['Zulu', 'UTC', 'UTC'],
    ['UTC', 'UTC', 'UTC'],
    ['UTC+5.5', 'UTC+5.5', 'UTC+5.5'],
    ['UTC-3', 'UTC-3', 'UTC-3'],
  ])('%s is %s in January and %s in July', (zone, january, july) => {
    expect(zoneAbbreviation('2024-01-15 12:00:00', zone)).toBe(january)
    expect(zoneAbbreviation('2024-07-15 12:00:00', zone)).toBe(july)
  })

  it.each([
    ['Europe/Istanbul', '2015-07-01 00:00:00', 'EEST'],
    ['Europe/Istanbul', '2016-09-06 20:59:59', 'EEST'],
    ['Europe/Istanbul', '2016-09-06 21:00:00', '+03'],
    ['Europe/Moscow', '2010-07-01 00:00:00', 'MSD'],
    ['Europe/Moscow', '2012-07-01 00:00:00', 'MSK'],
    ['Europe/Moscow', '2020-07-01 00:00:00', 'MSK'],
    ['America/Sao_Paulo', '2018-01-15 00:00:00', '-02'],
    ['Africa/Casablanca', '2010-07-15 00:00:00', '+01'],
    ['Africa/Casablanca', '2010-01-15 00:00:00', '+00'],
    ['America/Metlakatla', '2015-07-01 00:00:00', 'PST'],
    ['America/Metlakatla', '2017-07-01 00:00:00', 'AKDT'],
    ['America/Metlakatla', '2019-01-01 00:00:00', 'PST'],
    ['America/Metlakatla', '2019-07-01 00:00:00', 'AKDT'],
    ['Asia/Karachi', '2008-07-01 00:00:00', 'PKST'],
    ['Asia/Pyongyang', '2016-07-01 00:00:00', 'KST'],
    ['Pacific/Guam', '2000-12-22 13:59:59', 'GST'],
    ['America/Cancun', '2014-07-01 00:00:00', 'CDT'],
    ['America/Cancun', '2015-07-01 00:00:00', 'EST'],
  ])('%s was at %s %s', (zone, utc, letters) => {
    expect(zoneAbbreviation(utc, zone)).toBe(letters)
  })

  it('change in the same second as the clock', () => {
    expect(zoneAbbreviation('2027-03-28 00:59:59', 'Europe/Rome')).toBe('CET')
    expect(zoneAbbreviation('2027-03-28 01:00:00', 'Europe/Rome')).toBe('CEST')
  })

  it('need a zone', () => {
    expect(() => zoneAbbreviation('2027-03-28 00:59:59', 'Mars/Olympus')).toThrow(RangeError)
  })

  it('belong to zones that exist, under the names that are stored', () => {
    const names = Object.values(zoneLetters)
      .flatMap(areas => areas.split(' '))
      .flatMap(area => area.split(',').map((city, at) => (at ? area.replace(/[^/]*$/, '') + city : city)))
    expect(names.length).toBe(374)
    expect(names.filter(name => canonicalZone(name.toLowerCase()) !== name)).toEqual([])
  })
})

const HOUR = 3_600_000

const byTemporal = (zone: string) => (moment: number) =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(temporalZone(zone)).offsetNanoseconds /
  1e6

describe('the offset of a zone', () => {
  it.each([
    ['Europe/Rome', '2026-10-20'],
    ['Australia/Lord_Howe', '2027-03-30'],
    ['Africa/Casablanca', '2027-02-01'],
    // Changes that lie as near to each other as anywhere: four and seven days.
    ['Africa/Freetown', '1939-08-28'],
    ['America/Recife', '2000-10-05'],
    ['Asia/Gaza', '2040-10-15'],
    ['Asia/Kathmandu', '1985-12-30'],
    ['UTC+5.5', '2026-10-20'],
  ])('of %s is that of Temporal at every hour of a month from %s on', (zone, day) => {
    const first = toEpoch(`${day} 00:00:00`)
    const moments = Array.from({ length: 30 * 24 }, (_, n) => first + n * HOUR - 1000)
    expect(moments.map(offsetOf(zone))).toEqual(moments.map(byTemporal(zone)))
  })

  it('is right even if more years are asked for than the cache keeps', () => {
    const offsetAt = offsetOf('America/New_York')
    for (const year of [1990, 2000, 2010, 2020, 2030]) {
      const moments = Array.from({ length: 365 }, (_, n) => Date.UTC(year, 0, 1 + n))
      expect(moments.map(offsetAt)).toEqual(moments.map(byTemporal('America/New_York')))
    }
  })
})
