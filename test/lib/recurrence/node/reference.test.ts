import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ruleDates } from '../../../../src/lib/recurrence/dates.ts'
import { FREQUENCIES, type Frequency, NUMBER_PARTS, parseRule } from '../../../../src/lib/recurrence/rule.ts'
import { addDays, endOfDay } from '../../../../src/lib/time.ts'
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
        expect(ruleDates(rule, start, { to, limit: LIMIT })).toEqual({ dates: expected, more: false })
        found += expected.length
      }),
      { seed: 5545, numRuns },
    )
    // Comparing nothing with nothing would show little.
    expect(found).toBeGreaterThan(numRuns)
  })

  it('from a moment on are the last ones of all', () => {
    fc.assert(
      fc.property(samples(), fc.integer({ min: 0, max: 900 }), ({ text, start }, days) => {
        const rule = parse(text)
        const from = addDays(start, days)
        const to = addDays(start, text.includes('LY;') && /SECONDLY|MINUTELY/.test(text) ? 3 : 1_000)
        const all = ruleDates(rule, start, { to, limit: LIMIT })
        fc.pre(!all.more)
        const { dates } = ruleDates(rule, start, { from, to, limit: LIMIT })
        expect(dates).toEqual(all.dates.filter(date => date >= from))
      }),
      { seed: 5545, numRuns: 600 },
    )
  })
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
