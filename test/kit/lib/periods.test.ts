import { expect, it } from 'vitest'
import { periodOf } from '../../../src/kit/lib/periods.ts'

// A Friday.
const NOW = Date.parse('2026-11-20T12:00:00Z')
const read = (text: string, zone = 'UTC', now = NOW) => {
  const period = periodOf(text, zone, now)
  return period && `${period.from} ${period.to ?? '…'}`
}

it.each([
  ['', '2026-11-20 …'],
  ['now', '2026-11-20 …'],
  ['from now on', '2026-11-20 …'],
  ['today', '2026-11-20 2026-11-20'],
  ['tonight', '2026-11-20 2026-11-20'],
  ['this evening', '2026-11-20 2026-11-20'],
  ['tomorrow night', '2026-11-21 2026-11-21'],
  ['on Friday evening', '2026-11-20 2026-11-20'],
  ['Tomorrow', '2026-11-21 2026-11-21'],
  ['this weekend', '2026-11-21 2026-11-22'],
  ['the weekend', '2026-11-21 2026-11-22'],
  ['next weekend', '2026-11-28 2026-11-29'],
  ['last weekend', '2026-11-14 2026-11-15'],
  ['this week', '2026-11-20 2026-11-22'],
  ['next week', '2026-11-23 2026-11-29'],
  ['this month', '2026-11-20 2026-11-30'],
  ['next month', '2026-12-01 2026-12-31'],
  ['last month', '2026-10-01 2026-10-31'],
  ['next year', '2027-01-01 2027-12-31'],
  ['June', '2027-06-01 2027-06-30'],
  ['in december', '2026-12-01 2026-12-31'],
  ['november', '2026-11-01 2026-11-30'],
  ['June 2028', '2028-06-01 2028-06-30'],
  ['2027-02', '2027-02-01 2027-02-28'],
  ['2027', '2027-01-01 2027-12-31'],
  ['next 10 days', '2026-11-20 2026-11-30'],
  ['in the next ten days', '2026-11-20 2026-11-30'],
  ['the next two weeks', '2026-11-20 2026-12-04'],
  ['the next 2 weeks', '2026-11-20 2026-12-04'],
  ['monday', '2026-11-23 2026-11-23'],
  ['on Saturday', '2026-11-21 2026-11-21'],
  ['2027-06-10', '2027-06-10 2027-06-10'],
  ['June 10, 2027', '2027-06-10 2027-06-10'],
  ['2027-06-10T20:00:00Z', '2027-06-10 2027-06-10'],
  ['2027-06-01/2027-06-07', '2027-06-01 2027-06-07'],
  ['2027-06-01/..', '2027-06-01 …'],
  ['2027-06-01 to 2027-06-07', '2027-06-01 2027-06-07'],
  ['from tomorrow until next weekend', '2026-11-21 2026-11-29'],
  ['June to August', '2027-06-01 2027-08-31'],
  ['tomorrow to Sunday', '2026-11-21 2026-11-22'],
  ['tomorrow to Friday', '2026-11-21 2026-11-27'],
  ['Monday to Sat', '2026-11-23 2026-11-28'],
  ['2027-06-01 until Tuesday', '2027-06-01 2027-06-01'],
])('«%s» is %s', (text, period) => {
  expect(read(text)).toBe(period)
})

it.each(['someday', '2027-02-30', '2027-06-07/2027-06-01', 'a/b', '/', 'x'.repeat(10_000), "'; DROP TABLE"])(
  'is not understood: %s',
  text => {
    const period = read(text)
    expect(period).toBeUndefined()
  },
)

it('periods are days of the given zone', () => {
  const late = Date.parse('2026-11-20T23:30:00Z')
  expect(read('today', 'Asia/Tokyo', late)).toBe('2026-11-21 2026-11-21')
  expect(read('this weekend', 'Asia/Tokyo', Date.parse('2026-11-22T01:00:00Z'))).toBe('2026-11-22 2026-11-22')
})
