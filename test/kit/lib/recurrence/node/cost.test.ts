import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import { Budget, MAX_STEPS, parseRule, TooCostly } from '../../../../../src/kit/lib/recurrence/rule.ts'
import { samples } from './arbitrary.ts'

const LAST = '9999-12-31 23:59:59'
const upTo = (count: number) => [...Array(count).keys()].join()
const EVERY_SECOND = `BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)}`

type Expansion = { start?: string; from?: string; to?: string; limit?: number; max?: number }

/** The number of dates of a rule and the steps that it takes to find them. */
function expand(
  text: string,
  { start = '1990-03-05 10:00:00', from, to = LAST, limit = 5_000, max }: Expansion = {},
) {
  const budget = new Budget(max)
  const bounds = { to, limit, budget, ...(from && { from }) }
  const rule = parseRule(text)
  const { dates, hasMore: more } = ruleDates(rule, start, bounds)
  return { dates: more ? 'more' : dates.length, steps: budget.used }
}

describe('rules that can never happen', () => {
  it.each([
    // Tables for the 14 kinds of years, and a step for each of 8,010 years.
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 14_000],
    ['FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31;BYSETPOS=3', 14_000],
    ['FREQ=YEARLY;BYDAY=53MO;BYYEARDAY=1', 14_000],
    ['FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=200', 20_000],
    ['FREQ=MONTHLY;BYDAY=6MO', 14_000],
    ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31', 14_000],
    // One cycle of the calendar, after which everything repeats.
    ['FREQ=DAILY;INTERVAL=7;BYDAY=TU', 60_000],
    ['FREQ=DAILY;INTERVAL=14;BYDAY=TU', 60_000],
    ['FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29', 7_000],
    ['FREQ=YEARLY;INTERVAL=400;BYYEARDAY=366', 7_000],
    ['FREQ=MONTHLY;INTERVAL=12;BYMONTH=4', 14_000],
    // No table is needed to see that no time or position ever comes.
    ['FREQ=HOURLY;INTERVAL=24;BYHOUR=5', 10],
    ['FREQ=MINUTELY;INTERVAL=1440;BYMINUTE=5', 10],
    ['FREQ=SECONDLY;INTERVAL=60;BYSECOND=5', 1_500],
    ['FREQ=SECONDLY;INTERVAL=2;BYSECOND=5', 50_000],
    ['FREQ=DAILY;BYHOUR=1;BYSETPOS=2', 10],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=8', 10],
    ['FREQ=MINUTELY;BYSECOND=1;BYSETPOS=2', 10],
  ])('%.60s takes %i steps at most', (text, most) => {
    const { dates, steps } = expand(text)
    expect(dates).toBe(0)
    expect(steps).toBeLessThanOrEqual(most)
  })
})

describe('rules that happen rarely', () => {
  it.each<[string, Expansion, number | string, number]>([
    [
      'FREQ=SECONDLY;INTERVAL=7;BYHOUR=3;BYMINUTE=7;BYSECOND=11;BYMONTH=2;BYMONTHDAY=29',
      { start: '1990-03-05 10:00:00', to: '2100-01-01 00:00:00' },
      4,
      6_000,
    ],
    ['FREQ=DAILY;INTERVAL=99999999', {}, 1, 1_000],
    ['FREQ=SECONDLY;INTERVAL=99999999', {}, 2_528, 30_000],
    ['FREQ=MONTHLY;INTERVAL=99999999', { start: '0001-01-31 00:00:00' }, 1, 1_000],
    ['FREQ=YEARLY;INTERVAL=999999999', {}, 1, 1_000],
    ['FREQ=WEEKLY;INTERVAL=99999999;BYDAY=MO;BYSETPOS=-1', {}, 1, 1_000],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO', {}, 300, 20_000],
  ])('%s takes few steps', (text, expansion, found, most) => {
    const { dates, steps } = expand(text, expansion)
    expect(dates).toBe(found)
    expect(steps).toBeLessThanOrEqual(most)
  })
})

describe('rules that happen often', () => {
  it.each<[string, Expansion, number | string, number]>([
    ['FREQ=MINUTELY', { to: '2020-01-01 00:00:00' }, 'more', 20_000],
    ['FREQ=SECONDLY', {}, 'more', 95_000],
    [`FREQ=DAILY;${EVERY_SECOND}`, {}, 'more', 95_000],
    ['FREQ=DAILY;COUNT=999999999', { start: '0001-01-01 00:00:00' }, 'more', 14_000],
    // Earlier dates are skipped, unless COUNT needs them.
    [
      'FREQ=DAILY',
      { start: '0001-01-01 00:00:00', from: '2036-01-01 00:00:00', to: '2036-01-31 23:59:59' },
      31,
      1_000,
    ],
    ['FREQ=MINUTELY', { from: '2036-01-01 00:00:00', to: '2036-01-01 01:00:00' }, 61, 3_000],
    ['FREQ=DAILY;COUNT=20000', { from: '2036-01-01 00:00:00', to: '2036-12-31 23:59:59' }, 366, 25_000],
    ['FREQ=MINUTELY;COUNT=999999999', { from: '2036-01-01 00:00:00', to: '2036-01-01 01:00:00' }, 61, 25_000],
    [`FREQ=YEARLY;BYDAY=MO;${EVERY_SECOND};BYSETPOS=366`, { to: '2036-01-01 00:00:00' }, 45, 95_000],
  ])('%s takes steps in proportion to what is asked', (text, expansion, found, most) => {
    const { dates, steps } = expand(text, expansion)
    expect(dates).toBe(found)
    expect(steps).toBeLessThanOrEqual(most)
  })
})

describe('the bound', () => {
  it.each<[string, Expansion]>([
    ['FREQ=DAILY;COUNT=999999999', { start: '0001-01-01 00:00:00', from: '9000-01-01 00:00:00' }],
    ['FREQ=SECONDLY;INTERVAL=86399;BYHOUR=7;BYMINUTE=5;BYSECOND=5', {}],
    ['FREQ=MINUTELY', { limit: 10_000_000 }],
    [`FREQ=HOURLY;BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)}`, { limit: 10_000_000 }],
    // Each day has times of its own, which cost something even before the requested period.
    [
      `FREQ=HOURLY;INTERVAL=25;COUNT=999999999;BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)}`,
      { from: '2036-01-01 00:00:00' },
    ],
    [`FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=1`, { from: '2036-01-01 00:00:00' }],
  ])('stops %s', (text, expansion) => {
    expect(() => expand(text, expansion)).toThrow(TooCostly)
  })

  it('is never exceeded, however odd the rule', () => {
    const bounds = fc.constantFrom<Expansion>(
      {},
      { to: '2036-01-01 00:00:00' },
      { from: '2036-01-01 00:00:00' },
      { start: '0001-01-01 00:00:00' },
      { start: '9999-12-31 00:00:00' },
      { start: '2028-02-29 23:59:59', from: '9990-01-01 00:00:00' },
    )
    const interval = fc.constantFrom('', ';INTERVAL=1001', ';INTERVAL=86401', ';INTERVAL=99999999')
    fc.assert(
      fc.property(samples(), interval, bounds, ({ text }, extra, expansion) => {
        const odd = text.includes('INTERVAL') ? text : text + extra
        try {
          expect(expand(odd, expansion).steps).toBeLessThanOrEqual(MAX_STEPS)
        } catch (error) {
          expect(error).toBeInstanceOf(TooCostly)
        }
      }),
      { seed: 5545, numRuns: 500 },
    )
  })

  it('can be chosen, and shared by several expansions', () => {
    expect(() => expand('FREQ=DAILY;COUNT=300', { max: 500 })).toThrow(TooCostly)
    const budget = new Budget(5_000)
    const rule = parseRule('FREQ=DAILY;COUNT=300')
    const dates = () => ruleDates(rule, '2027-01-01 00:00:00', { to: LAST, limit: 300, budget })
    for (let times = 0; times < 3; times += 1) expect(dates().dates).toHaveLength(300)
    expect(() => [1, 2, 3, 4].map(dates)).toThrow(TooCostly)
  })
})
