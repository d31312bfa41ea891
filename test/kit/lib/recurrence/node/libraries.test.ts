import fc from 'fast-check'
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import { formatRule, parseRule } from '../../../../../src/kit/lib/recurrence/rule.ts'
import { formatInstant, toEpoch } from '../../../../../src/kit/lib/time.ts'
import { type Sample, samples } from './arbitrary.ts'

// Other libraries as judges, each for rules that it is known to read in accordance with RFC 5545. They never
// return from rules that match nothing, so they only get rules that have as many dates as are compared.

const COMPARED = 12

const datesOf = ({ text, start }: Sample): readonly string[] =>
  ruleDates(parseRule(text), start, { to: '2060-12-31 23:59:59', limit: COMPARED })

/** The first dates by rrule, each once, because it repeats dates that several positions mean. */
function byRrule({ text, start }: Sample): string[] {
  const options = rrule.RRule.parseString(text)
  const dates = new Set<string>()
  new rrule.RRule({ ...options, dtstart: new Date(toEpoch(start)) }).all(date => {
    dates.add(formatInstant(date.getTime()))
    return dates.size < COMPARED
  })
  return [...dates]
}

/** The first dates by rrule-temporal, in UTC, which is why UNTIL is too. */
function byTemporal({ text, start }: Sample): string[] {
  const rule = new RRuleTemporal({
    rruleString: text.replace(/UNTIL=(\w+)/, 'UNTIL=$1Z'),
    dtstart: Temporal.PlainDateTime.from(start).toZonedDateTime('UTC'),
  })
  return rule.all((_, i) => i < COMPARED).map(date => formatInstant(date.epochMilliseconds))
}

/**
 * Compares random rules that the judge reads correctly. It gets them in canonical form, because not all
 * libraries sort the values of a list.
 *
 * @returns the number of rules compared
 */
function compare(
  arbitrary: fc.Arbitrary<Sample>,
  judge: (sample: Sample) => string[],
  isFair: (text: string, dates: readonly string[], start: string) => boolean,
): number {
  let compared = 0
  fc.assert(
    fc.property(arbitrary, ({ text, start }) => {
      const dates = datesOf({ text, start })
      if (dates.length < COMPARED || !isFair(text, dates, start)) return
      compared += 1
      const canonical = formatRule(parseRule(text))
      expect(judge({ text: canonical, start })).toEqual(dates)
    }),
    { seed: 5545, numRuns: 500 },
  )
  return compared
}

const numbered = (text: string) => /\d(?:MO|TU|WE|TH|FR|SA|SU)/.test(text)
const mixed = (text: string) =>
  numbered(text) && /(?:=|,)(?:MO|TU|WE|TH|FR|SA|SU)/.test(text.replace(/WKST=../, ''))

describe('random rules have the dates that other libraries give', () => {
  it('rrule', () => {
    const arbitrary = samples({ without: ['BYSETPOS'] })
    // It mixes up numbered and plain days, and looks for the fifth Monday beyond the month's end.
    const compared = compare(
      arbitrary,
      byRrule,
      text => !mixed(text) && !(numbered(text) && text.includes('BYMONTH=')),
    )
    expect(compared).toBeGreaterThan(150)
  })

  it('rrule-temporal', () => {
    const arbitrary = samples()
    // It does not let other parts limit numbered days of a year.
    const compared = compare(arbitrary, byTemporal, text => !(text.includes('YEARLY') && numbered(text)))
    expect(compared).toBeGreaterThan(150)
  })
})
