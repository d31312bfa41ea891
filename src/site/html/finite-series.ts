import { type SQL, sql } from 'drizzle-orm'
import { noDuplicateSql, publishedSql } from '../../calendar/content/visibility.ts'
import type { UnionPart } from '../../kit/db/columns.ts'
import { literal } from '../../kit/db/query.ts'
import { events, series } from '../../kit/db/tables.ts'
import { givesDate } from '../../kit/lib/recurrence/dates.ts'
import { readRule, TooCostly } from '../../kit/lib/recurrence/rule.ts'
import { addMonths, type DateTime, isDateTime, startOfDay } from '../../kit/lib/time.ts'
import { textsOf } from '../../kit/lib/values.ts'
import { filled, plural } from '../../words/words.ts'
import { counted, type PageContext } from './page-context.ts'

// A finite series has an end, and all of its dates are stored: “10 dates until 29 March, not on 8 and 15 February”.

/** The number of public dates that take place, the last of them, and the days in between without a date. */
export type FiniteSeries = { held: number; last: DateTime; without: readonly DateTime[] }

/** The most dates of a finite series: a page reads all of them, and a longer series is better described by its rule. */
const MAX_DATES = 40

const MAX_NAMED = 6

/**
 * The dates of the event's series, those in the table `wanted`, unless the series goes on. A series that was split is several with
 * one slug.
 *
 * @param now the moment of the request
 */
export function finiteSeriesPart(now: SQL): UnionPart<FiniteSeries | undefined> {
  // Conditions on the series are in the list of ids, because SQLite would test them for each of the dates.
  const goesOn = sql`EXISTS (SELECT 1 FROM ${series} WHERE id IN (SELECT id FROM wanted) AND extend_from IS NOT NULL)`
  const ids = sql`SELECT wanted.id FROM own CROSS JOIN wanted WHERE own.series IS NOT NULL AND NOT ${goesOn}`
  const protectedSql = sql`event_status NOT IN ('canceled', 'postponed')`
  return {
    columns: [sql`held`, sql`last`, sql`json(cancelled)`, sql`json(rules)`],
    from: sql`FROM (SELECT count(*) AS found, count(*) FILTER (WHERE ${protectedSql}) AS held,
      max(start_date) FILTER (WHERE ${protectedSql}) AS last,
        json_group_array(start_date) FILTER (WHERE NOT (${protectedSql})) AS cancelled,
        (SELECT json_group_array(json_array(rrule, start_date, json(exdate))) FROM ${series}
          WHERE id IN (SELECT id FROM wanted) AND ${publishedSql(series, now)}) AS rules
      FROM (SELECT event_status, start_date FROM ${events} INDEXED BY events_occurrence
        WHERE series_id IN (${ids}) AND ${noDuplicateSql} AND ${publishedSql(events, now)}
        LIMIT ${literal(MAX_DATES + 1)}))
      WHERE held > 1 AND found <= ${literal(MAX_DATES)}`,
    read: ([held, last, cancelled, rules]) => ({
      held: Number(held),
      last: String(last),
      without: daysBefore(String(last), [
        ...textsOf(JSON.stringify(cancelled)),
        ...(Array.isArray(rules) ? rules : []).flatMap(leftOutOf),
      ]),
    }),
  }
}

const daysBefore = (last: DateTime, dates: readonly DateTime[]): DateTime[] =>
  [...new Set(dates.map(startOfDay))].filter(day => day < last).sort()

/** The dates that a rule would give, had they not been left out. @param raw rule, start and excluded dates */
function leftOutOf(raw: unknown): DateTime[] {
  if (!Array.isArray(raw)) return []
  const [rrule, start, exdate]: unknown[] = raw
  const rule = readRule(String(rrule))
  if (!rule) return []
  const { count: _, ...endless } = rule
  const named = textsOf(JSON.stringify(exdate)).filter(isDateTime)
  try {
    return named.filter(date => givesDate(endless, String(start), date, {}))
  } catch (error) {
    if (error instanceof TooCostly) return []
    throw error
  }
}

/** A finite series in words: “10 dates until 29 March, not on 8 and 15 February”. Long lists of days are only on the page of all dates. */
export function finiteSeriesWords(site: PageContext, { held, last, without }: FiniteSeries): string {
  const { dates, words, today } = site
  const isNear = last < addMonths(today, 12) && last > addMonths(today, -12)
  const date = dates.format(isNear ? 'dayOfYear' : 'date', last)
  const until = filled(counted({ site }, words, 'datesUntil', held), { date })
  if (without.length === 0 || without.length > MAX_NAMED) return until
  return filled(plural(site.language, words, 'notOn', without.length), {
    dates: until,
    days: dates.days(without),
  })
}
