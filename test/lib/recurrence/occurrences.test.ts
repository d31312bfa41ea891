import { describe, expect, it } from 'vitest'
import { occurrenceDates, TooManyDates } from '../../../src/lib/recurrence/dates.ts'
import { parseRule } from '../../../src/lib/recurrence/rule.ts'

const rule = (text: string) => parseRule(text)
const at = (...days: string[]) => days.map(day => `2027-${day} 20:00:00`)

// A Tuesday.
const start = '2027-06-01 20:00:00'
const bounds = { to: '2027-12-31 23:59:59', limit: 20 }

describe('a recurrence set', () => {
  it('is the start alone without a rule', () => {
    expect(occurrenceDates({ start }, bounds)).toEqual([start])
    expect(occurrenceDates({ start }, { ...bounds, to: '2027-06-01 19:59:59' })).toEqual([])
    expect(occurrenceDates({ start }, { ...bounds, from: '2027-06-01 20:00:01' })).toEqual([])
  })

  it('has additional dates, no repeats, and no excluded dates', () => {
    const set = {
      start,
      rule: rule('FREQ=WEEKLY;COUNT=4'),
      rdate: at('06-10', '06-08', '05-20', '06-10'),
      exdate: at('06-15', '07-30', '06-10'),
    }
    expect(occurrenceDates(set, bounds)).toEqual(at('05-20', '06-01', '06-08', '06-22'))
    expect(occurrenceDates({ ...set, exdate: at('06-01') }, bounds)[1]).toBe('2027-06-08 20:00:00')
  })

  it('has the start as its first date and as one of COUNT, whether it matches the rule or not', () => {
    const dates = (text: string) => occurrenceDates({ start, rule: rule(text) }, bounds)
    expect(dates('FREQ=WEEKLY;BYDAY=TU,FR;COUNT=3')).toEqual(at('06-01', '06-04', '06-08'))
    expect(dates('FREQ=WEEKLY;BYDAY=FR;COUNT=3')).toEqual(at('06-01', '06-04', '06-11'))
    expect(dates('FREQ=WEEKLY;BYDAY=FR;COUNT=1')).toEqual(at('06-01'))
    expect(dates('FREQ=WEEKLY;BYDAY=FR;UNTIL=20270605')).toEqual(at('06-01', '06-04'))
    expect(dates('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')).toEqual(at('06-01'))
  })

  it('counts a start that does not match even if later dates are requested', () => {
    const set = { start, rule: rule('FREQ=WEEKLY;BYDAY=FR;COUNT=3') }
    expect(occurrenceDates(set, { ...bounds, from: '2027-06-05 00:00:00' })).toEqual(at('06-11'))
  })

  it('may lack its start', () => {
    const set = { start, rule: rule('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'), exdate: [start] }
    expect(occurrenceDates(set, bounds)).toEqual(at('08-13'))
  })

  it('has no dates beyond the bound, and throws if there are too many', () => {
    const set = { start, rule: rule('FREQ=DAILY;COUNT=10'), rdate: at('12-01'), exdate: at('06-02', '06-03') }
    expect(occurrenceDates(set, { to: '2027-06-30 00:00:00', limit: 8 })).toHaveLength(8)
    expect(() => occurrenceDates(set, { to: '2027-12-31 00:00:00', limit: 8 })).toThrow(TooManyDates)
    const error = (() => {
      try {
        return occurrenceDates(set, { to: '2027-12-31 00:00:00', limit: 3 })
      } catch (caught) {
        return caught
      }
    })()
    expect(error).toMatchObject({ dates: at('06-01', '06-04', '06-05') })
  })
})
