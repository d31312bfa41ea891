import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ruleDates } from '../../../../../src/kit/lib/recurrence/dates.ts'
import { parseRule, UnsupportedRule } from '../../../../../src/kit/lib/recurrence/rule.ts'

// Rules as calendars write them, and rarer ones, with the dates that another library gives. The collection is
// no part of the project: without the file ../shared/data/recurrence/rules.json beside it these tests are
// skipped.

type Collected = { group: string; dtstart: string; rrule: string; first40before2036: string[] }

const file = '../shared/data/recurrence/rules.json'
const collection: Collected[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []

const wall = (compact: string) =>
  compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3 $4:$5:$6')

/** The first dates of a rule, as many as the collection has of each; the name of a part that is refused. */
function datesOf({ dtstart, rrule }: Collected, isOfYear = false): readonly string[] {
  try {
    const rule = parseRule(rrule, { start: wall(dtstart), isOfYear })
    return ruleDates(rule, wall(dtstart), { to: '2035-12-31 23:59:59', limit: 40 })
  } catch (error) {
    if (error instanceof UnsupportedRule) return [error.part]
    throw error
  }
}

const isRefused = (dates: readonly string[]) => /^[A-Z]/.test(dates[0] ?? '')

/** Texts of the rules in a group whose dates differ from those in the collection. */
const differing = (rules: Collected[], isOfYear = false) =>
  rules
    .filter(item => {
      const dates = datesOf(item, isOfYear)
      return !isRefused(dates) && dates.join() !== item.first40before2036.map(wall).join()
    })
    .map(({ dtstart, rrule }) => `${dtstart} ${rrule}`)

/** How many rules of a group are refused, by the part for which they are. */
function refusedIn(rules: Collected[]): Record<string, number> {
  const parts = rules.map(rule => datesOf(rule)).flatMap(dates => (isRefused(dates) ? dates : []))
  return Object.fromEntries([...Map.groupBy(parts, part => part)].map(([part, all]) => [part, all.length]))
}

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
    // Positions count in the whole week, while that library begins with the start.
    expect(differing(rules).filter(text => !/FREQ=WEEKLY.*BYSETPOS/.test(text))).toEqual([])
    expect(differing(rules).length).toBeLessThanOrEqual(rules.length * 0.03)
  })

  it('of weeks and days of the year have the dates of the collection', () => {
    const rules = collection.filter(item => isRefused(datesOf(item)) && !isRefused(datesOf(item, true)))
    expect(rules.length).toBeGreaterThan(10)
    // Without a weekday, weeks have that of the start (RFC 5545 §3.3.10); that library gives all of them.
    expect(differing(rules, true).filter(text => !/BYWEEKNO/.test(text) || /BYDAY/.test(text))).toEqual([])
  })

  it('that a series cannot have are refused by name, and none that calendars write', () => {
    expect(refusedIn(groups.get('common') ?? [])).toEqual({})
    expect(refusedIn(groups.get('rfc') ?? [])).toEqual({
      FREQ: 4,
      BYDAY: 1,
      BYHOUR: 1,
      BYWEEKNO: 1,
      BYYEARDAY: 1,
    })
    expect(refusedIn(groups.get('wild') ?? [])).toEqual({ BYDAY: 3, BYHOUR: 42, BYWEEKNO: 6, BYYEARDAY: 7 })
  })
})
