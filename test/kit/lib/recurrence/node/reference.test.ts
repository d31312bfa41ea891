import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import {
  FREQUENCIES,
  type Frequency,
  NUMBER_PARTS,
  parseRule,
} from '../../../../../src/kit/lib/recurrence/rule.ts'
import { addDays, endOfDay, toUtc } from '../../../../../src/kit/lib/time.ts'
import { offsetOf } from '../../../../../src/kit/lib/zones.ts'
import { samples } from './arbitrary.ts'
import { askEveryTime } from './reference.ts'

const parse = (text: string) => parseRule(text)
const LIMIT = 50_000

describe('the dates of random rules', () => {
  it.each<[Frequency, number, number]>([
    ['YEARLY', 1_500, 25],
    ['MONTHLY', 700, 30],
    ['WEEKLY', 500, 40],
    ['DAILY', 150, 40],
    ['HOURLY', 20, 30],
    ['MINUTELY', 3, 15],
  ])('are those that asking every time finds: %s', (freq, days, numRuns) => {
    let found = 0
    fc.assert(
      fc.property(samples({ freqs: [freq] }), ({ text, start }) => {
        const rule = parse(text)
        // The last periods may be cut off.
        const to = endOfDay(addDays(start, days - (['HOURLY', 'MINUTELY', 'DAILY'].includes(freq) ? 1 : 366)))
        const expected = askEveryTime(rule, start, days).filter(date => date <= to)
        expect(ruleDates(rule, start, { to, limit: LIMIT })).toEqual({ dates: expected, hasMore: false })
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
        const rule = parse(text)
        const from = addDays(start, days)
        const to = addDays(start, text.includes('LY;') && /SECONDLY|MINUTELY/.test(text) ? 3 : 1_000)
        const all = ruleDates(rule, start, { to, limit: LIMIT })
        fc.pre(!all.hasMore)
        const { dates } = ruleDates(rule, start, { from, to, limit: LIMIT })
        expect(dates).toEqual(all.dates.filter(date => date >= from))
      }),
      { seed: 5545, numRuns: 600 },
    )
  })
})

const ZONES = ['Europe/Berlin', 'America/New_York', 'America/Nuuk', 'Australia/Lord_Howe', 'Asia/Beirut']

it('dates that a clock change moves to one instant are one, and count once', () => {
  let merged = 0
  const without = ['BYMONTH', 'BYYEARDAY', 'BYMONTHDAY', 'BYDAY', 'BYSETPOS']
  const arbitrary = samples({ freqs: ['HOURLY', 'DAILY'], without, years: [2026, 2026] })
  fc.assert(
    fc.property(arbitrary, fc.constantFrom(...ZONES), fc.nat({ max: 300 }), ({ text, start }, zone, days) => {
      const { count, until: _, ...rule } = parse(text)
      const to = addDays(start, 400)
      const plain = ruleDates(rule, start, { to, limit: LIMIT })
      fc.pre(!plain.hasMore)
      // Of two dates at one instant, the later wall time is the one that clocks show.
      const byInstant = new Map(plain.dates.map(date => [toUtc(date, zone), date]))
      const expected = [...byInstant.values()].sort().slice(0, count)
      const bounds = { to, limit: LIMIT, offsetAt: offsetOf(zone) }
      const counted = { ...rule, ...(count !== undefined && { count }) }
      expect(ruleDates(counted, start, bounds).dates).toEqual(expected)
      const from = addDays(start, days)
      expect(ruleDates(counted, start, { ...bounds, from }).dates).toEqual(
        expected.filter(date => date >= from),
      )
      merged += plain.dates.length - byInstant.size
    }),
    { seed: 5545, numRuns: 150 },
  )
  expect(merged).toBeGreaterThan(15)
})

// The tests of random rules would show little if the rules had hardly any parts.
it('random rules have all parts, alone and together', () => {
  const texts = fc.sample(samples(), { seed: 5545, numRuns: 1_000 }).map(({ text }) => text)
  const names = ['INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY', ...NUMBER_PARTS.map(({ name }) => name)]
  for (const name of names)
    expect(texts.filter(text => text.includes(`;${name}=`)).length, name).toBeGreaterThan(20)
  for (const freq of FREQUENCIES)
    expect(texts.filter(text => text.includes(`FREQ=${freq};`)).length, freq).toBeGreaterThan(80)
  expect(texts.filter(text => (text.match(/;BY/g) ?? []).length >= 3).length).toBeGreaterThan(150)
})
