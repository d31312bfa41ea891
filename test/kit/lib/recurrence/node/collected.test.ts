import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import { parseRule } from '../../../../../src/kit/lib/recurrence/rule.ts'

// Rules as calendars write them, and rarer ones, with the dates that another library gives. The collection is
// no part of the project: without the file ../shared/data/recurrence/rules.json beside it these tests are
// skipped.

type Collected = { group: string; dtstart: string; rrule: string; first40before2036: string[] }

const file = '../shared/data/recurrence/rules.json'
const collection: Collected[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []

const wall = (compact: string) =>
  compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3 $4:$5:$6')

/** The first dates of a rule, as many as the collection has of each. */
const datesOf = ({ dtstart, rrule }: Collected): readonly string[] =>
  ruleDates(parseRule(rrule), wall(dtstart), { to: '2035-12-31 23:59:59', limit: 40 }).dates

/** Texts of the rules in a group whose dates differ from those in the collection. */
const differing = (rules: Collected[]) =>
  rules
    .filter(item => datesOf(item).join() !== item.first40before2036.map(wall).join())
    .map(({ dtstart, rrule }) => `${dtstart} ${rrule}`)

const groups = Map.groupBy(collection, ({ group }) => group)

describe.skipIf(collection.length === 0)('collected rules', () => {
  it.each(['rfc', 'common'])('%s: have the dates of the collection', group => {
    const rules = groups.get(group) ?? []
    expect(rules.length).toBeGreaterThan(30)
    expect(differing(rules)).toEqual([])
  })

  it('rare rules differ only where RFC 5545 demands it', () => {
    const rules = groups.get('wild') ?? []
    expect(rules.length).toBeGreaterThan(200)
    const others = differing(rules).filter(
      // Without BYDAY, a week of the year means the weekday of the start, while that library takes all seven
      // (§3.3.10: what a rule does not name “would have been retrieved from the "DTSTART" property”).
      text => !(text.includes('BYWEEKNO') && !/BYDAY|BYMONTHDAY|BYYEARDAY/.test(text)),
    )
    // Positions count in the whole week, while that library begins with the start.
    expect(others.filter(text => !/FREQ=WEEKLY.*BYSETPOS/.test(text))).toEqual([])
    expect(differing(rules).length).toBeLessThanOrEqual(rules.length * 0.03)
  })
})
