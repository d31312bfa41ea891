import { expect, it } from 'vitest'
import { datesOf, movedStyle, spanStyle, styleBeside } from '../../src/words/dates.ts'

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
])('in %s the first of a month is written like other days', (tag, date, range, days) => {
  const dates = datesOf(tag)
  expect(dates.format('date', first)).toBe(date)
  expect(dates.range(first, wall('2027-02-03'))).toBe(range)
  expect(dates.days([wall('2026-12-28'), first, wall('2027-02-08')])).toBe(days)
  expect(dates.monthDay(1)).toBe('1')
})

const today = '2026-11-30 00:00:00'
const day = (text: string): string => `${text} 00:00:00`

it.each([
  ['en-US', 'Sat, Dec 5', 'Sun, Dec 5, 2027'],
  ['de', 'Sa., 5. Dez.', 'So., 5. Dez. 2027'],
  ['fr', 'sam. 5 déc.', 'dim. 5 déc. 2027'],
  ['es', 'sáb, 5 dic', 'dom, 5 dic 2027'],
])('a short day has its year where it is not clear, in %s', (tag, near, far) => {
  const { format } = datesOf(tag)
  const short = (wall: string): string => format(styleBeside('shortDay', wall, today), wall)
  expect([short(day('2026-12-05')), short(day('2027-12-05'))]).toEqual([near, far])
})

it('a day within twelve months needs no year, nor does a period that is shorter than that', () => {
  const isShort = (wall: string): boolean => styleBeside('shortDay', day(wall), today) === 'shortDay'
  expect(['2025-12-01', '2026-11-30', '2027-11-29'].every(isShort)).toBe(true)
  expect(['2025-11-30', '2027-11-30', '2035-12-31', '0001-01-01', '9999-12-31'].some(isShort)).toBe(false)
  expect(['2027-11-29', '2027-11-30'].map(date => styleBeside('shortDay', date, today))).toEqual([
    'shortDay',
    'shortDayOfYear',
  ])
  const span = (from: string, to: string) => spanStyle(day(from), day(to), today)
  expect(span('2026-11-01', '2027-02-28')).toBe('shortDay')
  expect(span('2026-02-01', '2027-02-28')).toBe('shortDayOfYear')
  expect(span('2027-12-03', '2027-12-05')).toBe('shortDayOfYear')
})

it('what was moved by a year on the same weekday has its year', () => {
  expect(movedStyle(day('2026-12-15'), day('2027-12-14'))).toBe('shortDayOfYear')
  expect(movedStyle(day('2026-12-15'), day('2027-01-12'))).toBe('shortDay')
  expect(movedStyle(day('2027-01-12'), day('2026-12-15'))).toBe('shortDay')
})
