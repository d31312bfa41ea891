import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FREQUENCIES, NUMBER_PARTS } from '../../../src/lib/recurrence/rule.ts'
import { samples } from './arbitrary.ts'

// The other tests of random rules would show little if the rules had hardly any parts.
it('random rules have all parts, alone and together', () => {
  const texts = fc.sample(samples(), { seed: 5545, numRuns: 1_000 }).map(({ text }) => text)
  const names = ['INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY', ...NUMBER_PARTS.map(({ name }) => name)]
  for (const name of names)
    expect(texts.filter(text => text.includes(`;${name}=`)).length, name).toBeGreaterThan(20)
  for (const freq of FREQUENCIES)
    expect(texts.filter(text => text.includes(`FREQ=${freq};`)).length, freq).toBeGreaterThan(80)
  expect(texts.filter(text => (text.match(/;BY/g) ?? []).length >= 3).length).toBeGreaterThan(150)
})
