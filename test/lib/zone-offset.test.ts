import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { toEpoch } from '../../src/lib/time.ts'
import { offsetOf, temporalZone } from '../../src/lib/zones.ts'

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

  it('is right in more years than are kept', () => {
    const offsetAt = offsetOf('America/New_York')
    for (const year of [1990, 2000, 2010, 2020, 2030]) {
      const moments = Array.from({ length: 365 }, (_, n) => Date.UTC(year, 0, 1 + n))
      expect(moments.map(offsetAt)).toEqual(moments.map(byTemporal('America/New_York')))
    }
  })
})
