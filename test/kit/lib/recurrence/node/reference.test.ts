import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { occurrenceDates, ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import { FREQUENCIES, type Frequency, parseRule } from '../../../../../src/kit/lib/recurrence/rule.ts'
import { addDays, endOfDay, toUtc } from '../../../../../src/kit/lib/time.ts'
import { offsetOf } from '../../../../../src/kit/lib/zones.ts'
import { samples } from './arbitrary.ts'
import { askEveryDay } from './reference.ts'

describe('the dates of random rules', () => {
  it.each<[Frequency, number, number]>([
    ['YEARLY', 1_500, 40],
    ['MONTHLY', 700, 50],
    ['WEEKLY', 500, 60],
    ['DAILY', 150, 60],
  ])('are those that asking every day finds: %s', (freq, days, numRuns) => {
    let found = 0
    fc.assert(
      fc.property(samples({ freqs: [freq] }), ({ text, start }) => {
        const rule = parseRule(text)
        // The last periods may be cut off.
        const to = endOfDay(addDays(start, days - (freq === 'DAILY' ? 1 : 366)))
        const expected = askEveryDay(rule, start, days).filter(date => date <= to)
        expect(ruleDates(rule, start, { to })).toEqual(expected)
        found += expected.length
      }),
      { seed: 5545, numRuns },
    )
    // Comparing nothing with nothing would show little.
    expect(found).toBeGreaterThan(numRuns)
  })

  it('from a moment on are the last of all dates', () => {
    fc.assert(
      fc.property(samples(), fc.integer({ min: 0, max: 900 }), ({ text, start }, days) => {
        const rule = parseRule(text)
        const from = addDays(start, days)
        const to = addDays(start, 1_000)
        const all = ruleDates(rule, start, { to })
        expect(ruleDates(rule, start, { from, to })).toEqual(all.filter(date => date >= from))
      }),
      { seed: 5545, numRuns: 600 },
    )
  })
})

/** Zones with a day before a night in which their clocks change, some by half an hour or at midnight. */
const NIGHTS = [
  ['Europe/Berlin', '2027-03-27'],
  ['Europe/Berlin', '2027-10-30'],
  ['America/New_York', '2027-03-13'],
  ['America/New_York', '2027-11-06'],
  ['America/Nuuk', '2027-03-27'],
  ['Australia/Lord_Howe', '2027-10-02'],
  ['Australia/Lord_Howe', '2027-04-03'],
  ['Australia/Adelaide', '2027-10-02'],
  ['Asia/Beirut', '2027-03-27'],
] as const

it('dates that a clock change moves to one instant are one', () => {
  let merged = 0
  // In the night of the clock change, every quarter of an hour.
  const quarters = Array.from({ length: 60 }, (_, i) => i)
  const at = (night: string, quarter: number) =>
    new Date(Date.parse(`${night}T20:00Z`) + quarter * 900_000).toISOString().slice(0, 19).replace('T', ' ')
  const times = fc.uniqueArray(fc.constantFrom(...quarters), { minLength: 20, maxLength: 50 })
  fc.assert(
    fc.property(fc.constantFrom(...NIGHTS), times, ([zone, night], named) => {
      const rdate = named.map(quarter => at(night, quarter))
      const start = addDays(at(night, named[0] ?? 0), -3)
      const rule = parseRule('FREQ=DAILY;COUNT=6')
      const all = [...new Set([...ruleDates(rule, start, { to: '2028-01-01 00:00:00' }), ...rdate])].sort()
      // Of two dates at one instant, the later wall time is the one that clocks show.
      const byInstant = new Map(all.map(date => [toUtc(date, zone), date]))
      const [left = ''] = rdate
      const bounds = { to: '2028-01-01 00:00:00', offsetAt: offsetOf(zone) }
      expect(occurrenceDates({ start, rule, rdate }, bounds).dates).toEqual([...byInstant.values()].sort())
      const given = new Set(byInstant.values())
      for (const date of all) {
        const { dates } = occurrenceDates({ start, rule, rdate }, { ...bounds, from: date, to: date })
        expect(dates).toEqual(given.has(date) ? [date] : [])
      }
      merged += all.length - byInstant.size
      byInstant.delete(toUtc(left, zone))
      const without = occurrenceDates({ start, rule, rdate, exdate: [left] }, bounds)
      expect(without.dates).toEqual([...byInstant.values()].sort())
    }),
    { seed: 5545, numRuns: 60 },
  )
  expect(merged).toBeGreaterThan(15)
})

// The tests of random rules would show little if the rules had hardly any parts.
it('random rules have all parts, alone and together', () => {
  const texts = fc.sample(samples(), { seed: 5545, numRuns: 1_000 }).map(({ text }) => text)
  const names = ['INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYSETPOS']
  for (const name of names)
    expect(texts.filter(text => text.includes(`;${name}=`)).length, name).toBeGreaterThan(20)
  for (const freq of FREQUENCIES)
    expect(texts.filter(text => text.includes(`FREQ=${freq};`)).length, freq).toBeGreaterThan(80)
  expect(texts.filter(text => (text.match(/;BY/g) ?? []).length >= 3).length).toBeGreaterThan(100)
})
