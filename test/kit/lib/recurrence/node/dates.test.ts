import { describe, expect, it } from 'vitest'
import { type Bounds, occurrenceDates, ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import { parseRule } from '../../../../../src/kit/lib/recurrence/rule.ts'

const rule = (text: string) => parseRule(text)

/** The first dates of a rule, up to a limit. */
const firstOf = (text: string, start: string, limit: number, to = '2060-12-31 23:59:59') =>
  ruleDates(rule(text), start, { to, limit })

/** Days at 19:30, the time of day of all starts below. */
const days = (text: string) => text.split(' ').map(day => `${day} 19:30:00`)

/** The meaning of a rule, the rule without its `FREQ=`, the start, and the first dates. */
const RULES = `
every other day | DAILY;INTERVAL=2 | 2027-02-26 | 2027-02-26 2027-02-28 2027-03-02 2027-03-04
weekdays | DAILY;BYDAY=MO,TU,WE,TH,FR | 2027-06-03 | 2027-06-03 2027-06-04 2027-06-07 2027-06-08
to a last day | DAILY;UNTIL=20270228 | 2027-02-26 | 2027-02-26 2027-02-27 2027-02-28
to a last moment | DAILY;UNTIL=20270228T193000 | 2027-02-27 | 2027-02-27 2027-02-28
to a moment too early | DAILY;UNTIL=20270228T192959 | 2027-02-27 | 2027-02-27
every week on the day of the start | WEEKLY;COUNT=3 | 2027-12-29 | 2027-12-29 2028-01-05 2028-01-12
every other week, weeks beginning on Monday | WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4 | 2027-08-03 | 2027-08-03 2027-08-08 2027-08-17 2027-08-22
every other week, weeks beginning on Sunday | WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4;WKST=SU | 2027-08-03 | 2027-08-03 2027-08-15 2027-08-17 2027-08-29
on the 31st | MONTHLY | 2027-01-31 | 2027-01-31 2027-03-31 2027-05-31 2027-07-31
on the last and the last but one | MONTHLY;BYMONTHDAY=-1,-2 | 2028-02-01 | 2028-02-28 2028-02-29 2028-03-30 2028-03-31
on numbered and plain days at once | MONTHLY;BYDAY=1MO,-1MO,SU;BYMONTH=5 | 2027-05-01 | 2027-05-02 2027-05-03 2027-05-09 2027-05-16 2027-05-23 2027-05-30 2027-05-31
on the fifth Friday | MONTHLY;BYDAY=5FR | 2027-01-01 | 2027-01-29 2027-04-30 2027-07-30 2027-10-29
on Friday the 13th | MONTHLY;BYDAY=FR;BYMONTHDAY=13 | 2027-01-01 | 2027-08-13 2028-10-13 2029-04-13
on the last working day | MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 | 2027-01-01 | 2027-01-29 2027-02-26 2027-03-31 2027-04-30
on the first and the last, which are one where there is no other | MONTHLY;BYDAY=FR;BYMONTHDAY=1,2,3,4,5,6,7;BYSETPOS=1,-1 | 2027-01-01 | 2027-01-01 2027-02-05 2027-03-05
every year on a leap day | YEARLY | 2028-02-29 | 2028-02-29 2032-02-29 2036-02-29
every 18 months | MONTHLY;INTERVAL=18;BYMONTHDAY=10 | 2027-11-10 | 2027-11-10 2029-05-10 2030-11-10
in a month, on the day of the start | YEARLY;BYMONTH=3,9 | 2027-05-20 | 2027-09-20 2028-03-20 2028-09-20
on the last Sunday of October | YEARLY;BYMONTH=10;BYDAY=-1SU | 2027-01-01 | 2027-10-31 2028-10-29
`

describe('the days of a rule', () => {
  it.each(
    RULES.trim()
      .split('\n')
      .map(row => row.split(' | ')),
  )('%s: %s', (_, text = '', start = '', expected = '') => {
    const dates = days(expected)
    expect(firstOf(`FREQ=${text}`, `${start} 19:30:00`, dates.length)).toEqual(dates)
  })

  it('are numbered within the whole week, even if the week begins before the start', () => {
    // RFC 5545 §3.3.10: “A set of recurrence instances starts at the beginning of the interval defined by the
    // FREQ rule part.” The start is a Wednesday, so the first of its week is past.
    const text = 'FREQ=WEEKLY;BYDAY=TU,WE;BYSETPOS=1'
    expect(firstOf(text, '2027-08-04 19:30:00', 2)).toEqual(days('2027-08-10 2027-08-17'))
  })

  it('repeat with the calendar after 400 years', () => {
    const text = 'FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29'
    expect(firstOf(text, '2100-01-01 19:30:00', 3, '9999-12-31 23:59:59')).toEqual(
      days('2400-02-29 2800-02-29 3200-02-29'),
    )
  })
})

describe('bounds', () => {
  const start = '2027-01-04 10:00:00'
  const dates = (text: string, bounds: Bounds) => ruleDates(rule(text), start, bounds)

  it('are both inclusive', () => {
    const bounds = { from: '2027-01-06 10:00:00', to: '2027-01-08 10:00:00', limit: 10 }
    expect(dates('FREQ=DAILY', bounds)).toEqual([
      '2027-01-06 10:00:00',
      '2027-01-07 10:00:00',
      '2027-01-08 10:00:00',
    ])
    const within = { from: '2027-01-06 10:00:01', to: '2027-01-08 09:59:59', limit: 10 }
    expect(dates('FREQ=DAILY', within)).toEqual(['2027-01-07 10:00:00'])
  })

  it('may begin before the start or after the end', () => {
    expect(
      dates('FREQ=DAILY;COUNT=1', { from: '2020-01-01 00:00:00', to: '2030-01-01 00:00:00', limit: 9 }),
    ).toEqual([start])
    expect(dates('FREQ=DAILY', { to: '2027-01-04 09:59:59', limit: 9 })).toEqual([])
    expect(dates('FREQ=DAILY;UNTIL=20270101', { to: '2030-01-01 00:00:00', limit: 9 })).toEqual([])
  })

  it.each([
    ['FREQ=DAILY;COUNT=5', ['2027-01-07 10:00:00', '2027-01-08 10:00:00']],
    ['FREQ=DAILY;COUNT=3', []],
    ['FREQ=WEEKLY;BYDAY=MO,TU,SA;BYSETPOS=1,-1;COUNT=3', ['2027-01-09 10:00:00', '2027-01-11 10:00:00']],
  ])('count what is before them: %s', (text, expected) => {
    expect(dates(text, { from: '2027-01-07 00:00:00', to: '2028-01-01 00:00:00', limit: 9 })).toEqual(
      expected,
    )
  })

  it('return the first dates if there are more than the limit', () => {
    const to = '2027-12-31 23:59:59'
    const found = (bounds: Bounds) => ruleDates(rule('FREQ=DAILY;COUNT=5'), start, bounds)
    expect(found({ to, limit: 5 })).toHaveLength(5)
    expect(found({ to, limit: 2 })).toEqual(['2027-01-04 10:00:00', '2027-01-05 10:00:00'])
    const late = { from: '2027-01-07 00:00:00', to, limit: 2 }
    expect(found(late)).toEqual(['2027-01-07 10:00:00', '2027-01-08 10:00:00'])
  })

  it('reach to the last second that can be represented', () => {
    const to = '9999-12-31 23:59:59'
    const from = (start: string, text: string) => ruleDates(rule(text), start, { to, limit: 9 })
    expect(from('9999-12-30 23:59:59', 'FREQ=DAILY')).toEqual(['9999-12-30 23:59:59', to])
    expect(from('9999-12-24 00:00:00', 'FREQ=WEEKLY')).toEqual(['9999-12-24 00:00:00', '9999-12-31 00:00:00'])
  })

  it('reach back to the first second that can be represented', () => {
    expect(firstOf('FREQ=WEEKLY;WKST=SU;BYDAY=SU,MO', '0001-01-01 00:00:00', 2)).toEqual([
      '0001-01-01 00:00:00',
      '0001-01-07 00:00:00',
    ])
  })

  it('have to be wall times', () => {
    expect(() => ruleDates(rule('FREQ=DAILY'), 'today', { to: '2027-01-01 00:00:00', limit: 1 })).toThrow(
      RangeError,
    )
    expect(() => dates('FREQ=DAILY', { to: '', limit: 1 })).toThrow(RangeError)
  })
})

describe('a recurrence set', () => {
  // A Tuesday.
  const start = '2027-06-01 20:00:00'
  const bounds = { to: '2027-12-31 23:59:59', limit: 20 }
  const at = (...days: string[]) => days.map(day => `2027-${day} 20:00:00`)
  const datesOf = (...given: Parameters<typeof occurrenceDates>) => occurrenceDates(...given).dates

  it('is the start alone without a rule', () => {
    expect(datesOf({ start }, bounds)).toEqual([start])
    expect(datesOf({ start }, { ...bounds, to: '2027-06-01 19:59:59' })).toEqual([])
    expect(datesOf({ start }, { ...bounds, from: '2027-06-01 20:00:01' })).toEqual([])
  })

  it('has additional dates, no repeats, and no excluded dates', () => {
    const set = {
      start,
      rule: rule('FREQ=WEEKLY;COUNT=4'),
      rdate: at('06-10', '06-08', '05-20', '06-10'),
      exdate: at('06-15', '07-30', '06-10'),
    }
    expect(datesOf(set, bounds)).toEqual(at('05-20', '06-01', '06-08', '06-22'))
    expect(datesOf({ ...set, exdate: at('06-01') }, bounds)[1]).toBe('2027-06-08 20:00:00')
  })

  it('has the start as its first date and as one of COUNT, whether it matches the rule or not', () => {
    const dates = (text: string) => datesOf({ start, rule: rule(text) }, bounds)
    expect(dates('FREQ=WEEKLY;BYDAY=TU,FR;COUNT=3')).toEqual(at('06-01', '06-04', '06-08'))
    expect(dates('FREQ=WEEKLY;BYDAY=FR;COUNT=3')).toEqual(at('06-01', '06-04', '06-11'))
    expect(dates('FREQ=WEEKLY;BYDAY=FR;COUNT=1')).toEqual(at('06-01'))
    expect(dates('FREQ=WEEKLY;BYDAY=FR;UNTIL=20270605')).toEqual(at('06-01', '06-04'))
    expect(dates('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')).toEqual(at('06-01'))
  })

  it('counts a start that does not match even if later dates are requested', () => {
    const set = { start, rule: rule('FREQ=WEEKLY;BYDAY=FR;COUNT=3') }
    expect(datesOf(set, { ...bounds, from: '2027-06-05 00:00:00' })).toEqual(at('06-11'))
  })

  it('can exclude its start', () => {
    const set = { start, rule: rule('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'), exdate: [start] }
    expect(datesOf(set, bounds)).toEqual(at('08-13'))
  })

  it('has no dates beyond the bound, and tells if there are more than the limit', () => {
    const set = { start, rule: rule('FREQ=DAILY;COUNT=10'), rdate: at('12-01'), exdate: at('06-02', '06-03') }
    const eight = { dates: { length: 8 } }
    expect(occurrenceDates(set, { to: '2027-06-30 00:00:00', limit: 8 })).toMatchObject({
      ...eight,
      hasMore: false,
    })
    expect(occurrenceDates(set, { to: '2027-12-31 00:00:00', limit: 8 })).toMatchObject({
      ...eight,
      hasMore: true,
    })
    const first = { dates: at('06-01', '06-04', '06-05'), hasMore: true }
    expect(occurrenceDates(set, { to: '2027-12-31 00:00:00', limit: 3 })).toEqual(first)
  })
})
