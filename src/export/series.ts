import ICAL from 'ical.js'
import { permalink } from '../content/serialize.ts'
import type { SerializeContext } from '../context.ts'
import { horizonOf, type Pattern, ruleOf, startsOf } from '../events/recurrence/pattern.ts'
import { textsOf } from '../events/recurrence/texts.ts'
import type { EventRow } from '../events/rows.ts'
import { TooCostly } from '../lib/recurrence/budget.ts'
import { TooManyDates } from '../lib/recurrence/dates.ts'
import { formatRule } from '../lib/recurrence/format.ts'
import { type DateTime, toUtc } from '../lib/time.ts'
import { eventText, isNamed } from './calendar.ts'

/** Limit of the dates that are compared with the occurrences that there are. */
const MOST_COMPARED = 10_000

const compact = (time: DateTime): string => time.replace(/[-:]/g, '').replace(' ', 'T')

/**
 * A series for an iCalendar file: one VEVENT with the rule, and one for each occurrence that differs from it (RFC 5545
 * §3.8.4.4). Dates whose occurrences are not public are left out.
 */
export class ExportedSeries {
  /** The series, as an event at the times of its first occurrence. */
  readonly row: EventRow
  readonly #uid: string
  readonly #url: string
  readonly #context: SerializeContext
  readonly #pattern: Pattern
  readonly #overrides: string[] = []
  /** The dates of public occurrences, and the last one of all. */
  readonly #dates = new Set<DateTime>()
  #last: DateTime = ''

  constructor(row: EventRow, uid: string | undefined, context: SerializeContext) {
    const { rrule = '', rdate = '[]', exdate = '[]' } = row.series ?? {}
    const { start_date, end_date, timezone, all_day } = row
    this.row = row
    this.#uid = uid ?? (row.external_id || `series-${row.id}@${context.host}`)
    this.#url = permalink(row, 'event', context)
    this.#context = context
    this.#pattern = {
      ...{ rrule, start_date, end_date, timezone, all_day },
      rdate: textsOf(rdate),
      exdate: textsOf(exdate),
    }
  }

  /** Adds an occurrence, public or not. */
  add(row: EventRow): void {
    const date = row.occurrence_date ?? row.start_date
    if (date > this.#last) this.#last = date
    if (row.status !== 'publish') return
    this.#dates.add(date)
    if (textsOf(row.detached).length === 0) return
    const repetition = { properties: [this.#property('recurrence-id', [date])], url: this.#url }
    this.#overrides.push(eventText(row, this.#uid, this.#context, repetition))
  }

  /** The VEVENTs; none if no occurrence is public. */
  texts(): string[] {
    if (this.#dates.size === 0) return []
    const { rdate } = this.#pattern
    const exdate = this.#leftOut()
    const rule = this.#rule()
    const properties = [
      ...(rule === undefined
        ? []
        : [new ICAL.Property(['rrule', {}, 'recur', ICAL.Recur.fromString(rule).toJSON()])]),
      ...(rdate.length > 0 ? [this.#property('rdate', rdate)] : []),
      ...(exdate.length > 0 ? [this.#property('exdate', exdate)] : []),
    ]
    const url = this.#url
    return [eventText(this.row, this.#uid, this.#context, { properties, url }), ...this.#overrides]
  }

  /** The rule with UNTIL in UTC where the start has a zone, and as a date where it is one (RFC 5545 §3.3.10). */
  #rule(): string | undefined {
    const { timezone, all_day } = this.#pattern
    const rule = ruleOf(this.#pattern)
    return (
      rule &&
      formatRule(rule, until =>
        all_day ? compact(until).slice(0, 8) : `${compact(toUtc(until, timezone))}Z`,
      )
    )
  }

  /** The dates left out: those of the series, and those whose occurrences are not public. */
  #leftOut(): DateTime[] {
    const { exdate } = this.#pattern
    try {
      const to = horizonOf(this.#pattern, this.#context.now)
      const made = startsOf(this.#pattern, { to, limit: MOST_COMPARED }).filter(date => date <= this.#last)
      return [...new Set([...exdate, ...made.filter(date => !this.#dates.has(date))])].sort()
    } catch (error) {
      if (error instanceof TooManyDates || error instanceof TooCostly) return [...exdate]
      throw error
    }
  }

  /** A property of starts, in the form of DTSTART. */
  #property(name: string, dates: readonly DateTime[]): ICAL.Property {
    const { timezone, all_day } = this.#pattern
    if (all_day) return new ICAL.Property([name, {}, 'date', ...dates.map(date => date.slice(0, 10))])
    const named = isNamed(timezone, true)
    const times = dates.map(date => `${date.replace(' ', 'T')}${named ? '' : 'Z'}`)
    return new ICAL.Property([name, named ? { tzid: timezone } : {}, 'date-time', ...times])
  }
}
