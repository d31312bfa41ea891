import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { occurrenceDates, ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import {
  endBefore,
  fixesDay,
  lastDayOfRule,
  laterRule,
  onLaterDays,
  shiftedRule,
} from '../../../../../src/kit/lib/recurrence/edit.ts'
import { formatRule, parseRule } from '../../../../../src/kit/lib/recurrence/rule.ts'
import { addDays } from '../../../../../src/kit/lib/time.ts'
import { samples } from './arbitrary.ts'

const rule = (text: string) => parseRule(text)
const text = (given: ReturnType<typeof laterRule>) => given && formatRule(given)

const start = '2027-06-01 20:00:00'

describe('the part of a rule before a moment', () => {
  it.each([
    ['FREQ=WEEKLY', 'FREQ=WEEKLY;UNTIL=20270615T195959'],
    ['FREQ=WEEKLY;COUNT=9', 'FREQ=WEEKLY;UNTIL=20270615T195959'],
    ['FREQ=WEEKLY;UNTIL=20271231', 'FREQ=WEEKLY;UNTIL=20270615T195959'],
    // The rule must not last longer than before.
    ['FREQ=WEEKLY;COUNT=2', 'FREQ=WEEKLY;COUNT=2'],
    ['FREQ=WEEKLY;UNTIL=20270610', 'FREQ=WEEKLY;UNTIL=20270610T235959'],
    // The start counts, though it is a Tuesday.
    ['FREQ=WEEKLY;BYDAY=FR;COUNT=3', 'FREQ=WEEKLY;COUNT=3;BYDAY=FR'],
  ])('of %s is %s', (given, expected) => {
    expect(text(endBefore(rule(given), start, '2027-06-15 20:00:00'))).toBe(expected)
  })
})

describe('the last day of a rule', () => {
  it.each([
    ['FREQ=WEEKLY', undefined],
    ['FREQ=WEEKLY;UNTIL=20270615', '2027-06-15'],
    ['FREQ=WEEKLY;UNTIL=20270615T200000', '2027-06-15'],
    ['FREQ=WEEKLY;UNTIL=20270615T195959', '2027-06-14'],
  ])('of %s is %s', (given, expected) => {
    expect(lastDayOfRule(rule(given), start)).toBe(expected)
  })
})

describe('the part of a rule from a moment on', () => {
  it.each([
    ['FREQ=WEEKLY', 'FREQ=WEEKLY'],
    ['FREQ=WEEKLY;COUNT=9', 'FREQ=WEEKLY;COUNT=7'],
    ['FREQ=WEEKLY;COUNT=3', 'FREQ=WEEKLY;COUNT=1'],
    ['FREQ=WEEKLY;COUNT=2', undefined],
    ['FREQ=WEEKLY;UNTIL=20270615T200000', 'FREQ=WEEKLY;UNTIL=20270615T200000'],
    ['FREQ=WEEKLY;UNTIL=20270615T195959', undefined],
    ['FREQ=WEEKLY;BYDAY=FR;COUNT=4', 'FREQ=WEEKLY;COUNT=1;BYDAY=FR'],
  ])('of %s is %s', (given, expected) => {
    expect(text(laterRule(rule(given), start, '2027-06-15 20:00:00'))).toBe(expected)
  })

  it('is the whole rule if the moment is the start', () => {
    expect(text(laterRule(rule('FREQ=DAILY;COUNT=3'), start, start))).toBe('FREQ=DAILY;COUNT=3')
  })
})

describe('both parts together', () => {
  it('have the dates of the whole, wherever it is split', () => {
    const to = '2031-12-31 23:59:59'
    const datesOf = (set: Parameters<typeof occurrenceDates>[0]) =>
      occurrenceDates(set, { to, limit: 100_000 }).dates
    const arbitrary = samples()
    let splits = 0
    fc.assert(
      fc.property(arbitrary, fc.nat(), (sample, pick) => {
        const whole = rule(sample.text)
        const all = datesOf({ start: sample.start, rule: whole })
        // The second part begins with a date of the rule, like the first.
        const [first = sample.start] = all.slice(1)
        fc.pre(whole.until === undefined || whole.until >= first)
        const dates = datesOf({ start: first, rule: whole })
        const at = dates[pick % dates.length] ?? first
        const before = endBefore(whole, first, at)
        const after = laterRule(whole, first, at)
        const split = [
          ...(at > first ? datesOf({ start: first, rule: before }) : []),
          ...(after ? datesOf({ start: at, rule: after }) : []),
        ]
        expect(split).toEqual(dates)
        if (at > first) splits += 1
      }),
      { seed: 5545, numRuns: 400 },
    )
    expect(splits).toBeGreaterThan(200)
  })
})

describe('a rule', () => {
  it.each([
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=3;WKST=SU', false],
    ['FREQ=WEEKLY;BYDAY=MO', true],
    ['FREQ=MONTHLY;BYMONTHDAY=1', true],
    ['FREQ=YEARLY;BYMONTH=1', true],
    ['FREQ=DAILY;BYMONTH=1;BYSETPOS=1', true],
  ])('%s names its days: %s', (given, day) => {
    expect(fixesDay(rule(given))).toBe(day)
  })

  it('ends some seconds later or earlier', () => {
    expect(text(shiftedRule(rule('FREQ=DAILY;UNTIL=20270228T233000'), 3_600))).toBe(
      'FREQ=DAILY;UNTIL=20270301T003000',
    )
    expect(text(shiftedRule(rule('FREQ=DAILY;UNTIL=20270301T003000'), -3_600))).toBe(
      'FREQ=DAILY;UNTIL=20270228T233000',
    )
    expect(text(shiftedRule(rule('FREQ=DAILY;COUNT=3'), 3_600))).toBe('FREQ=DAILY;COUNT=3')
  })

  it.each([
    'FREQ=WEEKLY;BYDAY=TU',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH',
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,MO;WKST=SU',
    'FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR',
  ])('%s gives dates of other weekdays, all as many days later', given => {
    const bounds = { to: '2028-12-31 00:00:00', limit: 20 }
    const dates = ruleDates(rule(given), '2027-06-08 20:00:00', bounds)
    for (const days of [-9, -1, 0, 1, 4, 7, 30])
      expect(ruleDates(onLaterDays(rule(given), days), addDays('2027-06-08 20:00:00', days), bounds)).toEqual(
        dates.map(date => addDays(date, days)),
      )
  })

  it.each([
    'FREQ=WEEKLY',
    'FREQ=MONTHLY;BYDAY=2TU',
    'FREQ=WEEKLY;BYDAY=TU,TH;BYSETPOS=1',
    'FREQ=DAILY;BYMONTH=6',
  ])('%s keeps its days', given => expect(onLaterDays(rule(given), 1)).toEqual(rule(given)))
})
