import { ruleDates } from '../../lib/recurrence/dates.ts'
import { endBefore, remaining } from '../../lib/recurrence/edit.ts'
import { formatRule } from '../../lib/recurrence/format.ts'
import type { Rule } from '../../lib/recurrence/rule.ts'
import type { DateTime } from '../../lib/time.ts'
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
  const { start_date, end_date, rdate, exdate } = pattern
  const rule = ruleOf(pattern)
  const { start, rest } = tailOf(rule, start_date, date)
  return {
    head: {
      ...pattern,
      rrule: rule ? formatRule(endBefore(rule, start_date, date)) : '',
      rdate: rdate.filter(other => other < date),
      exdate: exdate.filter(other => other < date),
    },
    tail: {
      ...pattern,
      rrule: rest ? formatRule(rest) : '',
      rdate: rdate.filter(other => other >= date && other !== start),
      exdate: exdate.filter(other => other >= date),
      start_date: start,
      end_date: later(start, between(start_date, end_date)),
    },
  }
}

/**
 * The rule from a date on, with its start. If the date is an additional one, the rule's own next date is the start: its
 * further dates depend on that.
 */
function tailOf(
  rule: Rule | undefined,
  start: DateTime,
  date: DateTime,
): { start: DateTime; rest?: Rule | undefined } {
  if (!rule) return { start: date }
  const isOwn = ruleDates(rule, start, { from: date, to: date, limit: 1 }).length > 0
  const next = isOwn ? date : firstDate(rule, start, { from: date, to: AFTER_ALL })
  return next === undefined ? { start: date } : { start: next, rest: remaining(rule, start, next) }
}

const AFTER_ALL = '9999-12-31 23:59:59'
