import { expect, it } from 'vitest'
import { type EventSource, originsOf, type Related } from '../../../../src/resources/events/rows.ts'

const source = (id: number, uses: Related<EventSource>['uses'], text = ''): Related<EventSource> => ({
  row: {
    id,
    name: `Source ${id}`,
    url: 'https://a.example/',
    rights_text: text,
    rights_url: '',
    mirror: false,
  },
  uses,
})

it('an event has its own source, the older of two, and others once; an own event has none', () => {
  const origin = originsOf([
    source(2, [[0, 0]]),
    source(1, [
      [0, 1],
      [0, 0],
      [0, 0],
    ]),
    source(3, [
      [0, 1],
      [1, 1],
    ]),
  ])
  expect([origin(0).source?.id, origin(0).others.map(({ id }) => id)]).toEqual([1, [2, 3]])
  expect([origin(1).source?.id, origin(1).others.map(({ id }) => id)]).toEqual([undefined, []])
  expect(origin(2)).toEqual({ source: undefined, others: [] })
})

it('long texts of many sources do not make a page too long', () => {
  const page = Array.from({ length: 100 }, (_, n): [number, number] => [n, 1])
  const own = source(
    1_000,
    page.map(([n]) => [n, 0]),
  )
  const origin = originsOf([
    own,
    ...Array.from({ length: 200 }, (_, n) => source(n, page, 'x'.repeat(1_000))),
  ])
  const others = page.map(([n]) => origin(n).others.length)
  expect(Math.max(...others)).toBeLessThanOrEqual(10)
  expect(others.reduce((sum, length) => sum + length)).toBeLessThan(500)
})
