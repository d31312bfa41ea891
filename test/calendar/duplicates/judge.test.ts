import { describe, expect, it } from 'vitest'
import { judgePair } from '../../../src/calendar/duplicates/judge.ts'
import { PAIRS, type Pair } from './pairs.ts'

const verdictOf = ({ a, b }: Pair) => judgePair(a, b).verdict
const of = (pairs: readonly Pair[], verdict: string) => pairs.filter(pair => verdictOf(pair) === verdict)
const lines = (pairs: readonly Pair[]) => pairs.map(({ line }) => line)

it('has as many pairs that are the same as others', () => {
  expect(PAIRS.length).toBeGreaterThanOrEqual(400)
  const same = PAIRS.filter(({ isSame }) => isSame)
  expect(Math.abs(same.length / PAIRS.length - 0.5)).toBeLessThan(0.03)
})

describe('duplicates of the labelled set', () => {
  const same = PAIRS.filter(({ isSame }) => isSame)
  const others = PAIRS.filter(({ isSame }) => !isSame)

  it('are joined unasked only where that is right', () => {
    const wrong = of(others, 'same')
    expect(lines(wrong)).toEqual([])
    expect(same.some(pair => verdictOf(pair) === 'same')).toBe(true)
  })

  it('are found, by joining or by asking', () => {
    expect(of(same, 'different').length / same.length).toBeLessThan(0.06)
  })

  it('are asked about rightly more often than wrongly', () => {
    expect(of(others, 'ask').length).toBeLessThan(of(same, 'ask').length)
  })

  it('are judged without regard to the order', () => {
    for (const { a, b } of PAIRS) expect(judgePair(b, a)).toEqual(judgePair(a, b))
  })
})

it('events of one title are joined unasked at a venue that both name, unless nothing but its name is known', () => {
  const [pair] = PAIRS
  const venue = { id: 7, name: 'Aula', address: '', city: '', lat: null, lng: null }
  const event = pair && { ...pair.a, venues: [venue] }
  expect(event && judgePair(event, event).verdict).toBe('ask')
  const known = event && { ...event, venues: [{ ...venue, city: 'Kent' }] }
  expect(known && judgePair(known, known).verdict).toBe('same')
})

it.each([
  ['100 Main St, Dover', '', 'Salem', 'different'],
  ['1 Lane, Essen', '1 Lane, Hessen', '', 'different'],
  ['5 Main St, Dover', '', 'Dover', 'same'],
])('events of one title are compared by their towns: %s, and %s %s', (one, address, city, verdict) => {
  const [pair] = PAIRS
  const at = (id: number, known: object) =>
    pair && {
      ...pair.a,
      venues: [{ id, name: 'Library', address: '', city: '', lat: null, lng: null, ...known }],
    }
  const a = at(1, { address: one })
  const b = at(2, { address, city })
  expect(a && b && judgePair(a, b).verdict).toBe(verdict)
})
