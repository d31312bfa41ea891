import { expect, it } from 'vitest'
import { datesOf } from '../../src/words/dates.ts'

const wall = (day: string): string => `${day} 10:00:00`
const first = wall('2027-02-01')

it.each(['fr', 'fr-CA', 'fr-CH'])('the first of a month is «1er» in %s, and no other day or number', tag => {
  const { format, range, days, moment, monthDay } = datesOf(tag)
  for (const style of ['day', 'shortDay', 'shortDate', 'dayInMonth', 'date', 'dayOfYear'] as const)
    expect(format(style, first)).toMatch(/(?:^| )1er févr/)
  expect(moment('date', first, true)).toBe('1er février 2027')
  expect(range(first, wall('2027-02-03'))).toBe('1er–3 février 2027')
  expect(range(wall('2027-01-30'), first, true)).toBe('30 janvier – 1er février')
  expect(days([wall('2026-12-28'), first, wall('2027-02-08')])).toBe('28 décembre, 1er et 8 février')
  const ofOthers = ['2027-02-11', '2027-01-21', '2027-01-31'].map(day => format('date', wall(day)))
  expect(ofOthers).toEqual(['11 février 2027', '21 janvier 2027', '31 janvier 2027'])
  expect(format('month', first)).toBe('février 2027')
  expect(format('time', '2027-02-01 01:00:00')).toMatch(/^0?1\D/)
  expect([1, 2, 11, 21].map(monthDay)).toEqual(['1er', '2', '11', '21'])
})

it.each([
  ['de', '1. Februar 2027', '1.–3. Februar 2027', '28. Dezember, 1. und 8. Februar'],
  ['en-GB', '1 February 2027', '1 – 3 February 2027', '28 December, 1 and 8 February'],
  ['es', '1 de febrero de 2027', '1–3 de febrero de 2027', '28 de diciembre, 1 y 8 de febrero'],
])('in %s it is written like other days', (tag, date, range, days) => {
  const dates = datesOf(tag)
  expect(dates.format('date', first)).toBe(date)
  expect(dates.range(first, wall('2027-02-03'))).toBe(range)
  expect(dates.days([wall('2026-12-28'), first, wall('2027-02-08')])).toBe(days)
  expect(dates.monthDay(1)).toBe('1')
})
