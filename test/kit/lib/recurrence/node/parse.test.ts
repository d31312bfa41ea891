import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatRule,
  InvalidRule,
  parseRule,
  UnsupportedRule,
} from '../../../../../src/kit/lib/recurrence/rule.ts'
import { toUtc, toWall } from '../../../../../src/kit/lib/time.ts'
import { samples } from './arbitrary.ts'

const parse = (text: string) => parseRule(text, { toWall: utc => toWall(utc, 'Europe/Rome') })

describe('rules', () => {
  it('have all their parts', () => {
    const text =
      'FREQ=YEARLY;INTERVAL=2;COUNT=9;BYMONTH=3,1;BYMONTHDAY=+5,-31;BYDAY=-1SU,2MO,FR;BYSETPOS=1,-1;WKST=SU'
    expect(parse(text)).toEqual({
      freq: 'YEARLY',
      interval: 2,
      count: 9,
      byMonth: [1, 3],
      byMonthDay: [-31, 5],
      byDay: [
        { weekday: 0, nth: 2 },
        { weekday: 4, nth: 0 },
        { weekday: 6, nth: -1 },
      ],
      bySetPos: [-1, 1],
      weekStart: 6,
    })
  })

  it.each([
    'RRULE:FREQ=DAILY;COUNT=3',
    'rrule:freq=daily;count=3',
    '  FREQ = DAILY ; COUNT = 3  ',
    'FREQ=DAILY;COUNT=003;',
    'COUNT=3;FREQ=DAILY;INTERVAL=1;WKST=MO',
  ])('may be written as %s', text => {
    expect(formatRule(parse(text))).toBe('FREQ=DAILY;COUNT=3')
  })

  it.each([
    ['20270331', '2027-03-31 23:59:59'],
    ['20270331T180000', '2027-03-31 18:00:00'],
    ['20270331T235960', '2027-03-31 23:59:59'],
    ['20270331T180000Z', '2027-03-31 20:00:00'],
    ['20271231T230000z', '2028-01-01 00:00:00'],
    ['20280229', '2028-02-29 23:59:59'],
  ])('end with UNTIL=%s at %s of the local clock', (text, until) => {
    expect(parse(`FREQ=DAILY;UNTIL=${text}`).until).toBe(until)
  })

  it('lose repeated values in lists', () => {
    expect(formatRule(parse('FREQ=MONTHLY;BYDAY=MO,1TU,MO;BYMONTH=5,5,05'))).toBe(
      'FREQ=MONTHLY;BYMONTH=5;BYDAY=MO,1TU',
    )
  })
})

describe('a text that is not a rule', () => {
  it.each([
    ['', ''],
    ['FREQ', 'INTERVAL=2'],
    ['FREQ', 'FREQ=FORTNIGHTLY'],
    ['FREQ', 'FREQ='],
    ['FREQ', 'FREQ=DAILY;FREQ=DAILY'],
    ['', 'FREQ=DAILY;;COUNT=2'],
    ['DTSTART', 'FREQ=DAILY;DTSTART=20270101'],
    ['BYEASTER', 'FREQ=YEARLY;BYEASTER=0'],
    ['__PROTO__', 'FREQ=DAILY;__proto__=1'],
    ['CONSTRUCTOR', 'FREQ=DAILY;constructor=1'],
    ['COUNT', 'FREQ=DAILY;COUNT=0'],
    ['COUNT', 'FREQ=DAILY;COUNT=-1'],
    ['COUNT', 'FREQ=DAILY;COUNT=1.5'],
    ['COUNT', 'FREQ=DAILY;COUNT=1e3'],
    ['COUNT', 'FREQ=DAILY;COUNT=1000000000'],
    ['COUNT', 'FREQ=DAILY;COUNT'],
    ['COUNT', 'FREQ=DAILY;COUNT=2;UNTIL=20270101'],
    ['INTERVAL', 'FREQ=DAILY;INTERVAL=0'],
    ['INTERVAL', 'FREQ=DAILY;INTERVAL=x'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=20270229'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=20271301'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=20270100'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=00000101'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=20270101T240000'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=20270101T126000'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=20270101T120061'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=20270101Z'],
    ['UNTIL', 'FREQ=DAILY;UNTIL=2027-01-01'],
    ['UNTIL', 'FREQ=DAILY;UNTIL='],
    ['WKST', 'FREQ=DAILY;WKST=1MO'],
    ['WKST', 'FREQ=DAILY;WKST=XX'],
    ['BYDAY', 'FREQ=MONTHLY;BYDAY=0MO'],
    ['BYDAY', 'FREQ=MONTHLY;BYDAY=54MO'],
    ['BYDAY', 'FREQ=MONTHLY;BYDAY=6MO'],
    ['BYDAY', 'FREQ=YEARLY;BYMONTH=2;BYDAY=-6MO'],
    ['BYDAY', 'FREQ=MONTHLY;BYDAY=M'],
    ['BYDAY', 'FREQ=MONTHLY;BYDAY=MO,'],
    ['BYDAY', 'FREQ=MONTHLY;BYDAY='],
    ['BYDAY', 'FREQ=WEEKLY;BYDAY=1MO'],
    ['BYDAY', 'FREQ=DAILY;BYDAY=-1MO'],
    ['BYMONTH', 'FREQ=DAILY;BYMONTH=13'],
    ['BYMONTH', 'FREQ=DAILY;BYMONTH=0'],
    ['BYMONTH', 'FREQ=DAILY;BYMONTH=-1'],
    ['BYMONTH', 'FREQ=DAILY;BYMONTH=1 2'],
    ['BYMONTHDAY', 'FREQ=MONTHLY;BYMONTHDAY=-32'],
    ['BYMONTHDAY', 'FREQ=WEEKLY;BYMONTHDAY=5'],
    ['BYHOUR', 'FREQ=DAILY;BYHOUR=24'],
    ['BYHOUR', 'FREQ=DAILY;BYHOUR=+5'],
    ['BYMINUTE', 'FREQ=DAILY;BYMINUTE=60'],
    ['BYSECOND', 'FREQ=DAILY;BYSECOND=61'],
    ['BYSETPOS', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0'],
    ['BYSETPOS', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367'],
    ['BYSETPOS', 'FREQ=MONTHLY;BYSETPOS=1'],
    ['BYMONTH', `FREQ=YEARLY;BYMONTH=${'1,'.repeat(400)}1`],
    ['', `FREQ=YEARLY;COUNT=1${' '.repeat(1_000)}`],
    ['', 'FREQ=ſECONDLY'],
    ['', 'FREQ=DAILY\nRRULE:FREQ=DAILY'],
  ])('is refused because of %s: %s', (part, text) => {
    const error = (() => {
      try {
        return parse(text)
      } catch (caught) {
        return caught
      }
    })()
    expect(error).toBeInstanceOf(InvalidRule)
    expect(error).toMatchObject({ part, message: expect.stringContaining(part) })
  })

  it('is refused with a reason, and nothing else is thrown, for any text', () => {
    const pieces = fc.constantFrom(
      'FREQ=',
      'DAILY',
      ';',
      '=',
      ',',
      'BYDAY',
      '1',
      '-',
      'MO',
      'UNTIL=',
      ' ',
      '\0',
      'é',
      '99',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map(all => all.join('')),
        ),
        text => {
          try {
            parse(text)
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidRule)
          }
        },
      ),
      { seed: 5545, numRuns: 2_000 },
    )
  })
})

describe('a rule with times of day', () => {
  const requested = (text: string) => formatRule(parseRule(text, { start: '2027-01-05 19:30:00' }))

  it.each([
    ['FREQ=DAILY;BYMINUTE=30;BYSECOND=0', 'FREQ=DAILY'],
    ['FREQ=DAILY;BYHOUR=19,19;BYMINUTE=30;BYSECOND=00', 'FREQ=DAILY'],
    ['FREQ=DAILY;BYMINUTE=30;BYSETPOS=1', 'FREQ=DAILY'],
    ['FREQ=MONTHLY;BYSECOND=0;BYSETPOS=-1,2', 'FREQ=MONTHLY'],
    ['FREQ=MONTHLY;BYDAY=MO;BYMINUTE=30;BYSETPOS=1', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1'],
  ])('has no parts that add nothing: %s', (text, rule) => {
    expect(requested(text)).toBe(rule)
  })

  it.each(['FREQ=DAILY;BYMINUTE=30;BYSETPOS=2', 'FREQ=DAILY;BYSETPOS=1'])('is refused: %s', text => {
    expect(() => requested(text)).toThrow(/^BYSETPOS/)
  })
})

describe('a rule of RFC 5545 that a series cannot have', () => {
  it.each([
    ['FREQ', 'FREQ=HOURLY'],
    ['FREQ', 'FREQ=MINUTELY;COUNT=3'],
    ['FREQ', 'FREQ=SECONDLY;BYHOUR=3'],
    ['BYWEEKNO', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
    ['BYYEARDAY', 'FREQ=YEARLY;BYYEARDAY=1'],
    ['BYDAY', 'FREQ=YEARLY;BYDAY=20MO'],
    ['BYDAY', 'FREQ=YEARLY;BYDAY=1MO'],
    ['BYHOUR', 'FREQ=DAILY;BYHOUR=9,20'],
    ['BYHOUR', 'FREQ=DAILY;BYHOUR=9'],
    ['BYMINUTE', 'FREQ=DAILY;BYMINUTE=0'],
    ['BYSECOND', 'FREQ=DAILY;BYSECOND=1'],
  ])('is refused because of %s: %s', (part, text) => {
    const parsing = () => parseRule(text, { start: '2027-01-05 19:30:00' })
    expect(parsing).toThrow(UnsupportedRule)
    expect(parsing).toThrow(new RegExp(`^${part}: .*use rdate`))
  })
})

describe('the text of a rule', () => {
  it('always has its parts in the same order', () => {
    const text =
      'wkst=su;bysetpos=-1;byday=su,mo;bymonthday=3;bymonth=2;freq=monthly;interval=4;until=20280101'
    expect(formatRule(parse(text))).toBe(
      'FREQ=MONTHLY;INTERVAL=4;UNTIL=20280101T235959;BYMONTH=2;BYMONTHDAY=3;BYDAY=MO,SU;BYSETPOS=-1;WKST=SU',
    )
  })

  it('writes UNTIL in the form that the caller wants', () => {
    const rule = parse('FREQ=DAILY;UNTIL=20270331T180000Z')
    const utc = formatRule(
      rule,
      wall => `${toUtc(wall, 'Europe/Rome').replace(/[-:]/g, '').replace(' ', 'T')}Z`,
    )
    expect(utc).toBe('FREQ=DAILY;UNTIL=20270331T180000Z')
    expect(formatRule(rule, wall => wall.slice(0, 10).replaceAll('-', ''))).toBe('FREQ=DAILY;UNTIL=20270331')
  })

  it('is read as the same rule', () => {
    fc.assert(
      fc.property(samples(), ({ text }) => {
        const rule = parse(text)
        const formatted = formatRule(rule)
        expect(parse(formatted)).toEqual(rule)
        expect(formatRule(parse(formatted))).toBe(formatted)
      }),
      { seed: 5545, numRuns: 1_000 },
    )
  })
})
