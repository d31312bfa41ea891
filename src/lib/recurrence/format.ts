import { localValue } from '../ical/times.ts'
import type { DateTime } from '../time.ts'
import { NUMBER_PARTS, type Rule, WEEKDAYS } from './rule.ts'

/**
 * The canonical text of a rule, which `parseRule` reads as the same rule: parts in one order, upper case, no INTERVAL of 1
 * and no WKST of Monday, which are what they are by default.
 *
 * @param formatUntil the form of UNTIL, given its wall time: by default local time, `20271231T235959`. RFC 5545 §3.3.10
 *   wants it in UTC where the start has a time zone, and as a date where the start is one.
 */
export function formatRule(rule: Rule, formatUntil: (wall: DateTime) => string = localValue): string {
  const parts = [`FREQ=${rule.freq}`]
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`)
  if (rule.count !== undefined) parts.push(`COUNT=${rule.count}`)
  if (rule.until !== undefined) parts.push(`UNTIL=${formatUntil(rule.until)}`)
  for (const { name, field } of NUMBER_PARTS) {
    // Days stand between those of the year or month and the hours.
    if (name === 'BYHOUR' && rule.byDay)
      parts.push(`BYDAY=${rule.byDay.map(({ weekday, nth }) => `${nth || ''}${WEEKDAYS[weekday]}`).join()}`)
    const numbers = rule[field]
    if (numbers) parts.push(`${name}=${numbers.join()}`)
  }
  if (rule.weekStart !== 0) parts.push(`WKST=${WEEKDAYS[rule.weekStart]}`)
  return parts.join(';')
}
