import { describe, expect, it } from 'vitest'
import { occurrenceDates, ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import { parseRule } from '../../../../../src/kit/lib/recurrence/rule.ts'

const LAST = '9999-12-31 23:59:59'

type Expansion = { start?: string; from?: string; to?: string; limit?: number }

/** The number of dates of a rule, and the number of days that are asked to find them. */
function expand(
  text: string,
  { start = '1990-03-05 10:00:00', to = LAST, limit = 5_000, ...bounds }: Expansion = {},
) {
  let asked = 0
  const onDaysAsked = (days: number) => {
    asked += days
  }
  const dates = ruleDates(parseRule(text), start, { ...bounds, to, limit, onDaysAsked })
  return { dates: dates.length, asked }
}

describe('rules that can never happen', () => {
  it.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31;BYSETPOS=3',
    'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
    'FREQ=DAILY;INTERVAL=14;BYDAY=TU',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=MONTHLY;INTERVAL=12;BYMONTH=4',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=8',
  ])('end without a date, and each day is asked once at most: %s', text => {
    const { dates, asked } = expand(text, { to: '2390-03-05 10:00:00' })
    expect(dates).toBe(0)
    expect(asked).toBeLessThanOrEqual(146_500)
  })
})

describe('the days that are asked', () => {
  it.each<[string, Expansion, number, number]>([
    // Periods that INTERVAL skips, and months that the rule does not name.
    ['FREQ=DAILY;INTERVAL=99999999', {}, 1, 1],
    ['FREQ=MONTHLY;INTERVAL=99999999', { start: '0001-01-31 00:00:00' }, 1, 31],
    ['FREQ=YEARLY;INTERVAL=999999999', {}, 1, 42],
    ['FREQ=WEEKLY;INTERVAL=99999999;BYDAY=MO;BYSETPOS=-1', {}, 1, 7],
    ['FREQ=YEARLY', { to: '2089-12-31 23:59:59' }, 100, 4_200],
    // Days before the bounds, unless COUNT needs them.
    [
      'FREQ=DAILY',
      { start: '0001-01-01 00:00:00', from: '2036-01-01 00:00:00', to: '2036-01-31 23:59:59' },
      31,
      31,
    ],
    ['FREQ=DAILY;COUNT=20000', { from: '2036-01-01 00:00:00', to: '2036-12-31 23:59:59' }, 366, 17_500],
    // Days after the last date that is wanted.
    ['FREQ=DAILY;COUNT=300', {}, 300, 300],
    ['FREQ=DAILY', { limit: 7 }, 7, 7],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO', { limit: 5 }, 5, 7_000],
  ])('are few: %s %o', (text, expansion, found, most) => {
    const { dates, asked } = expand(text, expansion)
    expect(dates).toBe(found)
    expect(asked).toBeLessThanOrEqual(most)
  })

  it('can be too many for the one who counts them', () => {
    const onDaysAsked = () => {
      throw new RangeError('enough')
    }
    const set = { start: '1990-03-05 10:00:00', rule: parseRule('FREQ=DAILY') }
    expect(() => occurrenceDates(set, { to: LAST, limit: 3, onDaysAsked })).toThrow('enough')
  })
})
