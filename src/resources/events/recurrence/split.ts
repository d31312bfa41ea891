import { endBefore, remaining } from '../../../lib/recurrence/edit.ts'
import { formatRule, type Rule } from '../../../lib/recurrence/rule.ts'
import type { DateTime } from '../../../lib/time.ts'
import { between, firstDate, later, type Pattern, ruleOf } from './pattern.ts'
import type { SeriesRow } from './stored.ts'

/** The pattern in a row of a series. */
export const patternIn = ({
  rrule,
  rdate,
  exdate,
  start_date,
  end_date,
  timezone,
  all_day,
}: SeriesRow): Pattern => ({ rrule, rdate, exdate, start_date, end_date, timezone, all_day })

/** A pattern in two: the dates before a start, which is not the first, and those from it on. */
export function splitAt(pattern: Pattern, date: DateTime): { head: Pattern; tail: Pattern } {
  return { head: headOf(pattern, date), tail: tailOf(pattern, date) }
}

/** The pattern of the dates before a moment. Additional ones may come before the start, and so before the rule's. */
function headOf(pattern: Pattern, date: DateTime): Pattern {
  const { start_date, rdate, exdate } = pattern
  const rule = ruleOf(pattern)
  const ended = rule && start_date < date ? endBefore(rule, start_date, date) : undefined
  // A rule that gives no date any more would be refused with the next change.
  const isLeft = ended && firstDate(ended, start_date, { from: start_date, to: date }) !== undefined
  const head = {
    ...pattern,
    rrule: isLeft ? formatRule(ended) : '',
    rdate: rdate.filter(other => other < date),
    exdate: exdate.filter(other => other < date),
  }
  if (start_date < date) return head
  const [start] = head.rdate
  // Where all that was there before is in the trash, no date is left.
  return start === undefined ? { ...head, exdate: [start_date] } : startingAt(head, start)
}

/**
 * The pattern of the dates from a moment on. If that is an additional date, the rule's own next date is the start: its
 * further dates depend on that.
 */
function tailOf(pattern: Pattern, date: DateTime): Pattern {
  const { start_date, rdate, exdate } = pattern
  const rule = ruleOf(pattern)
  const tail = {
    ...pattern,
    rdate: rdate.filter(other => other >= date),
    exdate: exdate.filter(other => other >= date),
  }
  if (date <= start_date) {
    if (rule) return tail
    const dates = [...tail.rdate, start_date].sort()
    return startingAt({ ...tail, rdate: dates }, dates[0] ?? start_date)
  }
  const next = rule && nextDate(rule, start_date, date)
  const rest = next && remaining(rule, start_date, next)
  if (rest) return startingAt({ ...tail, rrule: formatRule(rest) }, next)
  return startingAt({ ...tail, rrule: '' }, tail.rdate[0] ?? date)
}

/** The pattern with another one of its dates as the first. */
const startingAt = (pattern: Pattern, start: DateTime): Pattern => ({
  ...pattern,
  rdate: pattern.rdate.filter(other => other !== start),
  start_date: start,
  end_date: later(start, between(pattern.start_date, pattern.end_date)),
})

/** The date of a rule at a moment, or the next one after it. */
const nextDate = (rule: Rule, start: DateTime, from: DateTime): DateTime | undefined =>
  firstDate(rule, start, { from, to: AFTER_ALL })

const AFTER_ALL = '9999-12-31 23:59:59'
