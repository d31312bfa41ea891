import { describe, expect, it } from 'vitest'
import { REFUSED_FROM, weigh } from '../../src/submissions/weigh.ts'
import { EVENTS, SPAM } from './samples.ts'

describe('the weight of what is sent in', () => {
  it('is known for a hundred of each kind', () => {
    expect([EVENTS.length, SPAM.length]).toEqual([100, 100])
  })

  it('refuses none of the true events', () => {
    const refused = EVENTS.filter(sample => weigh(sample) >= REFUSED_FROM).map(sample => [
      sample.title,
      weigh(sample),
    ])
    expect(refused).toEqual([])
  })

  it('refuses the spam', () => {
    const passed = SPAM.filter(sample => weigh(sample) < REFUSED_FROM).map(sample => [
      sample.title,
      weigh(sample),
    ])
    expect(passed).toEqual([])
  })
})
