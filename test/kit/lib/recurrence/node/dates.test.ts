import { describe, expect, it } from 'vitest'
import { type Bounds, occurrenceDates, ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import { parseRule } from '../../../../../src/kit/lib/recurrence/rule.ts'

const rule = (text: string) => parseRule(text)

/** The first dates of a rule, up to a limit. */
const firstOf = (text: string, start: string, limit: number, to = '2060-12-31 23:59:59') =>
  ruleDates(rule(text), start, { to, limit }).dates

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
on the 20th Monday of the year | YEARLY;BYDAY=20MO | 2027-01-01 | 2027-05-17 2028-05-15 2029-05-14
on the last Sunday of October | YEARLY;BYMONTH=10;BYDAY=-1SU | 2027-01-01 | 2027-10-31 2028-10-29
on days of the year | YEARLY;BYYEARDAY=60,-1 | 2027-01-01 | 2027-03-01 2027-12-31 2028-02-29 2028-12-31
on the day that only leap years have | YEARLY;BYYEARDAY=366 | 2027-01-01 | 2028-12-31 2032-12-31
on the first day counted as leap years do | YEARLY;BYYEARDAY=-366 | 2027-01-01 | 2028-01-01 2032-01-01
in a week of the year | YEARLY;BYWEEKNO=20;BYDAY=MO | 2027-01-01 | 2027-05-17 2028-05-15 2029-05-14
in a week of the year, on the weekday of the start | YEARLY;BYWEEKNO=20 | 2027-01-01 | 2027-05-21 2028-05-19 2029-05-18
in week 1, which may begin in the year before | YEARLY;BYWEEKNO=1;BYDAY=MO | 2027-01-01 | 2027-01-04 2028-01-03 2029-01-01 2029-12-31
in week 53 | YEARLY;BYWEEKNO=53;BYDAY=SA | 2026-06-01 | 2027-01-02 2033-01-01
in the last week, weeks beginning on Sunday | YEARLY;BYWEEKNO=-1;BYDAY=SA;WKST=SU | 2027-01-02 | 2027-01-02 2028-01-01 2028-12-30 2029-12-29
in the week that is first of 53, and so the -53rd | YEARLY;BYWEEKNO=-53;BYDAY=FR | 2025-01-01 | 2026-01-02 2032-01-02
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

describe('the times of a rule', () => {
  const on = (day: string, times: string) => times.split(' ').map(time => `${day} ${time}`)

  it.each([
    [
      'several a day',
      'FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30',
      on('2027-05-01', '09:00:15 09:30:15 17:00:15 17:30:15'),
    ],
    [
      'a leap second as the one before',
      'FREQ=DAILY;BYHOUR=9;BYSECOND=59,60;COUNT=1',
      on('2027-05-01', '09:30:59'),
    ],
    [
      'every eight hours',
      'FREQ=HOURLY;INTERVAL=8;COUNT=3',
      ['2027-05-01 08:30:15', '2027-05-01 16:30:15', '2027-05-02 00:30:15'],
    ],
    ['hours with minutes', 'FREQ=HOURLY;BYMINUTE=5,50', on('2027-05-01', '08:50:15 09:05:15 09:50:15')],
    ['only in some hours', 'FREQ=HOURLY;BYHOUR=7,20', ['2027-05-01 20:30:15', '2027-05-02 07:30:15']],
    ['every 90 minutes', 'FREQ=MINUTELY;INTERVAL=90', on('2027-05-01', '08:30:15 10:00:15 11:30:15')],
    [
      'the last minute of an hour',
      'FREQ=HOURLY;BYMINUTE=5,50;BYSETPOS=-1',
      on('2027-05-01', '08:50:15 09:50:15'),
    ],
    [
      'the second time of a day',
      'FREQ=DAILY;BYHOUR=9,17,20;BYSETPOS=2',
      ['2027-05-01 17:30:15', '2027-05-02 17:30:15'],
    ],
    [
      'the last time of a month',
      'FREQ=MONTHLY;BYDAY=SU;BYHOUR=9,17;BYSETPOS=-1,1',
      ['2027-05-02 09:30:15', '2027-05-30 17:30:15', '2027-06-06 09:30:15', '2027-06-27 17:30:15'],
    ],
    ['every 40 seconds', 'FREQ=SECONDLY;INTERVAL=40', on('2027-05-01', '08:30:15 08:30:55 08:31:35')],
    [
      'seconds that meet the interval once in some days',
      'FREQ=SECONDLY;INTERVAL=7;BYHOUR=3;BYMINUTE=7;BYSECOND=11',
      // 86400 is 6 more than a multiple of 7.
      ['2027-05-07 03:07:11', '2027-05-14 03:07:11'],
    ],
  ])('%s: %s', (_, text, expected) => {
    expect(firstOf(text, '2027-05-01 08:30:15', expected.length)).toEqual(expected)
  })
})

describe('bounds', () => {
  const start = '2027-01-04 10:00:00'
  const dates = (text: string, bounds: Bounds) => ruleDates(rule(text), start, bounds).dates

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
    [
      'FREQ=DAILY;BYHOUR=8,10,12;COUNT=11',
      ['2027-01-07 08:00:00', '2027-01-07 10:00:00', '2027-01-07 12:00:00'],
    ],
    ['FREQ=HOURLY;INTERVAL=12;COUNT=7', ['2027-01-07 10:00:00']],
    ['FREQ=WEEKLY;BYDAY=MO,TU,SA;BYSETPOS=1,-1;COUNT=3', ['2027-01-09 10:00:00', '2027-01-11 10:00:00']],
  ])('count what is before them: %s', (text, expected) => {
    expect(dates(text, { from: '2027-01-07 00:00:00', to: '2028-01-01 00:00:00', limit: 9 })).toEqual(
      expected,
    )
  })

  it('return the first dates if there are more than the limit', () => {
    const to = '2027-12-31 23:59:59'
    const found = (bounds: Bounds) => ruleDates(rule('FREQ=DAILY;COUNT=5'), start, bounds)
    expect(found({ to, limit: 5 })).toMatchObject({ dates: { length: 5 }, hasMore: false })
    const dates = ['2027-01-04 10:00:00', '2027-01-05 10:00:00']
    expect(found({ to, limit: 2 })).toEqual({ dates, hasMore: true })
    const late = { from: '2027-01-07 00:00:00', to, limit: 2 }
    expect(found(late)).toMatchObject({ dates: { length: 2 }, hasMore: false })
  })

  it('reach to the last second that can be represented', () => {
    const to = '9999-12-31 23:59:59'
    const from = (start: string, text: string) => ruleDates(rule(text), start, { to, limit: 9 }).dates
    expect(from('9999-12-30 23:59:59', 'FREQ=DAILY')).toEqual(['9999-12-30 23:59:59', to])
    expect(from('9999-12-31 23:59:58', 'FREQ=SECONDLY')).toHaveLength(2)
    const weekly = from('9999-01-02 00:00:00', 'FREQ=YEARLY;BYWEEKNO=52;BYDAY=FR')
    expect(weekly).toEqual(['9999-12-31 00:00:00'])
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
