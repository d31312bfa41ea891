import { type SQL, sql } from 'drizzle-orm'
import { noDuplicateSql, publishedSql, takesPlaceSql } from '../../calendar/content/visibility.ts'
import { beginningOfToday } from '../../calendar/events/interval.ts'
import {
  excerptStart,
  FIRST_VENUE,
  type ListedEvent,
  listedFrom,
} from '../../calendar/events/listed-events.ts'
import { LAST_MOMENT, type Nearest, nearestDates } from '../../calendar/events/recurrence/queries.ts'
import { columnExpressions, decodeList, type RowOf, type UnionPart, unionOf } from '../../kit/db/columns.ts'
import { type Facet, listings } from '../../kit/db/derived.ts'
import { literal, mapQuery, type RowOfQuery } from '../../kit/db/query.ts'
import { events, eventTerms, eventVenues, series, terms } from '../../kit/db/tables.ts'
import { givesDate } from '../../kit/lib/recurrence/dates.ts'
import { readRule } from '../../kit/lib/recurrence/rule.ts'
import { addMonths, type DateTime, isDateTime, startOfDay } from '../../kit/lib/time.ts'
import { compareTexts, textsOf } from '../../kit/lib/values.ts'
import { filled, plural } from '../../words/words.ts'
import { countedText, type PageContext } from './page-context.ts'
import { type EventSummary, summaryPart } from './queries.ts'

// A finite series has an end, and all of its dates are stored: “10 dates until 29 March, not on 8 and 15
// February”.

/**
 * The number of public dates that take place, the last of them ('' if there is none), and the days in between
 * without a date.
 */
export type FiniteSeries = { heldCount: number; last: DateTime; without: readonly DateTime[] }

/**
 * The most dates of a finite series: a page reads all of them, and a longer series is better described by its
 * rule.
 */
const MAX_DATES = 40

const MAX_NAMED = 6

/**
 * The dates of the event's series, unless it has no end. A series that was split is several with one slug,
 * which are in the table `wanted`.
 */
function finiteSeriesPart(): UnionPart<FiniteSeries | undefined> {
  // Conditions on the series are in the list of ids, because SQLite would test them for each of the dates.
  const continuesSql = sql`EXISTS (SELECT 1 FROM ${series} WHERE id IN (SELECT id FROM wanted) AND coalesce(extend_from, '') <> '')`
  const ids = sql`SELECT wanted.id FROM own CROSS JOIN wanted WHERE own.series IS NOT NULL AND NOT ${continuesSql}`
  return {
    columns: [sql`held`, sql`last`, sql`json(cancelled)`, sql`json(rules)`],
    from: sql`FROM (SELECT count(*) AS found, count(*) FILTER (WHERE ${takesPlaceSql}) AS held,
      coalesce(max(start_date) FILTER (WHERE ${takesPlaceSql}), '') AS last,
        json_group_array(start_date) FILTER (WHERE NOT (${takesPlaceSql})) AS cancelled,
        (SELECT json_group_array(json_array(rrule, start_date, json(exdate))) FROM ${series}
          WHERE id IN (SELECT id FROM wanted) AND ${publishedSql(series, NOW)}) AS rules
      FROM (SELECT event_status, start_date FROM ${events} INDEXED BY events_occurrence
        WHERE series_id IN (${ids}) AND ${noDuplicateSql} AND ${publishedSql(events, NOW)}
        LIMIT ${literal(MAX_DATES + 1)}))
      WHERE found BETWEEN 1 AND ${literal(MAX_DATES)}`,
    read: ([held, last, cancelled, rules]) => ({
      heldCount: Number(held),
      last: String(last),
      without: daysBefore(String(last), [
        ...textsOf(JSON.stringify(cancelled)),
        ...(Array.isArray(rules) ? rules : []).flatMap(excludedDatesOf),
      ]),
    }),
  }
}

const daysBefore = (last: DateTime, dates: readonly DateTime[]): DateTime[] =>
  [...new Set(dates.map(startOfDay))].filter(day => day < last).sort()

/** The dates that a rule would give, had they not been left out. @param raw rule, start and excluded dates */
function excludedDatesOf(raw: unknown): DateTime[] {
  if (!Array.isArray(raw)) return []
  const [rrule, start, exdate]: unknown[] = raw
  const rule = readRule(String(rrule))
  if (!rule) return []
  const { count: _, ...endless } = rule
  const namedDates = textsOf(JSON.stringify(exdate)).filter(isDateTime)
  return namedDates.filter(date => givesDate(endless, String(start), date))
}

/**
 * A finite series in words: “10 dates until 29 March, not on 8 and 15 February”. Long lists of days are only
 * on the page of all dates. '' if at most one date takes place, since nothing repeats then.
 */
export function finiteSeriesWords(site: PageContext, { heldCount, last, without }: FiniteSeries): string {
  const { dates, words, today } = site
  if (heldCount < 2) return ''
  const isNear = last < addMonths(today, 12) && last > addMonths(today, -12)
  const date = dates.format(isNear ? 'dayOfYear' : 'date', last)
  const until = filled(countedText({ site }, words, 'datesUntil', heldCount), { date })
  if (without.length === 0 || without.length > MAX_NAMED) return until
  return filled(plural(site.language, words, 'notOn', without.length), {
    dates: until,
    days: dates.days(without),
  })
}

// The related events on the page of an event: other dates of its series, and further events at its venue and
// in its category. They are read by one statement, because nine took up to half as much CPU again as the
// benchmark's floor (statements of “page: event”).

/** The number of other dates that are read: six are shown, and the event may be one of them. */
const MAX_DATES_READ = 7

/**
 * The most events that are shown of a venue or category, and the number that is read for them, since some may
 * be dates of the same series.
 */
const MAX_RELATED = 4
const MAX_RELATED_READ = 16

const NOW = sql`(SELECT now FROM present)`
const TODAY = sql`(SELECT today FROM present)`
const OWN_START = sql`(SELECT start FROM own)`

const nearestTo = (nearest: Pick<Nearest, 'side' | 'moment' | 'limit'>): SQL =>
  nearestDates({
    ...nearest,
    wantedSeries: sql`wanted`,
    condition: sql`${noDuplicateSql} AND ${publishedSql(events, NOW)}`,
  })

/**
 * The first of some dates, or the last ones if they descend.
 * @param rows a SELECT of their `id` and `start`
 */
const firstOfDates = (rows: SQL, order: 'ASC' | 'DESC', limit: number): UnionPart<EventSummary> =>
  summaryPart(sql`(SELECT id FROM (${rows}) ORDER BY start ${sql.raw(order)}, id LIMIT ${literal(limit)})`)

/**
 * The dates that are not over, as `isOver` of a list has it; of the dates that have begun, only the latest.
 */
const datesFromNow = sql`
  SELECT * FROM (${nearestTo({ side: 'before', moment: sql`datetime(${NOW}, '+1 second')`, limit: 1 })})
    WHERE end > ${NOW} OR (end = start AND start >= ${TODAY})
  UNION ALL ${nearestTo({ side: 'after', moment: NOW, limit: MAX_DATES_READ })}`

/** All series with the slug of the event's own or with the given one: a series that was split is several. */
const wantedSeries = (slug: string): SQL => sql`SELECT ${series.id} FROM ${series}
  WHERE ${series.slug} = coalesce((SELECT other.slug FROM ${series} AS other WHERE other.id = (SELECT series FROM own)), ${slug})`

/** The event that an event is a confirmed part of; NULL for others. */
const PARENT = sql`iif(parent_confirmed_by IS NULL, NULL, post_parent)`

type EventOfTarget = ListedEvent & { target: number }

/**
 * Upcoming events of a venue or category, with its id: none of the event's own programme or series, whatever
 * that was split into, and of each other series only the first.
 */
function comingAt(facet: Facet, target: SQL): UnionPart<EventOfTarget> {
  const { columns, from, read } = listedFrom(
    sql`(SELECT id, target_id, min(start) AS position FROM (
        SELECT event_id AS id, target_id, ${listings.utc_start_date} AS start, coalesce(${events.series_id}, -${events.id}) AS whole
        FROM ${listings} CROSS JOIN ${events} ON ${events.id} = event_id
        WHERE facet = ${literal(facet)} AND target_id = (${target}) AND ${listings.utc_start_date} > ${NOW}
          AND coalesce(${PARENT}, ${events.id}) <> (SELECT coalesce(parent, id) FROM own)
        ORDER BY ${listings.utc_start_date}, event_id LIMIT ${literal(MAX_RELATED_READ)})
      WHERE whole IS NOT (SELECT series FROM own) AND whole NOT IN (SELECT id FROM wanted)
      GROUP BY whole ORDER BY position, id LIMIT ${literal(2 * MAX_RELATED)})`,
  )
  return {
    columns: [...columns, sql`page.target_id`],
    from,
    read: values => ({ ...read(values), target: Number(values.at(-1)) }),
  }
}

const MAX_PARTS = 200

const partColumns = {
  cost: events.cost,
  room: events.room,
  ticket_availability: events.ticket_availability,
  virtual_url: events.virtual_url,
}

/** The characters of a part's text that are read, which are enough for a line. */
export const MAX_PART_TEXT_LENGTH = 600

/**
 * A part of the event's programme, with the name of its venue, its room, its address online, what it costs,
 * and the beginning of its text.
 */
export type ProgrammePart = EventSummary & RowOf<typeof partColumns> & { venue: string; text: string }

/** The public parts of the event that are confirmed, in order. Lists may not show them. */
const programmePart = (): UnionPart<ProgrammePart> => {
  const { columns, from, read } = summaryPart(
    sql`(SELECT id FROM ${events} INDEXED BY events_programme WHERE post_parent = (SELECT id FROM own)
      AND parent_confirmed_by IS NOT NULL AND ${noDuplicateSql} AND ${publishedSql(events, NOW)}
      ORDER BY utc_start_date, id LIMIT ${literal(MAX_PARTS)})`,
  )
  return {
    columns: [
      ...columns,
      ...columnExpressions(partColumns),
      excerptStart(MAX_PART_TEXT_LENGTH),
      sql`json(${FIRST_VENUE})`,
    ],
    from,
    read: values => {
      // From json_array() in FIRST_VENUE.
      const [name] = values.at(-1) as [name: unknown]
      return {
        ...read(values),
        ...decodeList(partColumns, values.slice(columns.length)),
        text: String(values.at(-2) ?? ''),
        venue: String(name ?? ''),
      }
    },
  }
}

/**
 * The event that the event is a confirmed part of, if it is public. One that lists don't show is only named
 * if it is a part itself.
 */
const parentPart = summaryPart(
  sql`(SELECT id FROM ${events} WHERE id = (SELECT parent FROM own) AND ${noDuplicateSql} AND ${publishedSql(events, NOW)}
    AND (hide_from_listings = 0 OR parent_confirmed_by IS NOT NULL))`,
)

const selectRelated = unionOf({
  /** The parts of the event, and the event that it is a part of. */
  programme: programmePart(),
  parent: parentPart,
  /**
   * Public dates of the series: from the one that began last, without those that are over; and the last date
   * of all.
   */
  coming: firstOfDates(datesFromNow, 'ASC', MAX_DATES_READ),
  last: firstOfDates(nearestTo({ side: 'before', moment: LAST_MOMENT, limit: 1 }), 'DESC', 1),
  course: finiteSeriesPart(),
  /** The dates right before and after the event. */
  before: firstOfDates(nearestTo({ side: 'before', moment: OWN_START, limit: 1 }), 'DESC', 1),
  after: firstOfDates(nearestTo({ side: 'after', moment: OWN_START, limit: 1 }), 'ASC', 1),
  /** Further events at the first venue of the event, and in its first category, with the ids of these. */
  atVenue: comingAt(
    'venue',
    sql`SELECT ${eventVenues.target_id} FROM ${eventVenues} WHERE ${eventVenues.event_id} = (SELECT id FROM own)
      ORDER BY ${eventVenues.position} LIMIT 1`,
  ),
  inCategory: comingAt(
    'term',
    // By name, like the category above the title.
    sql`SELECT ${terms.id} FROM ${eventTerms} CROSS JOIN ${terms} ON ${terms.id} = ${eventTerms.target_id}
      WHERE ${eventTerms.event_id} = (SELECT id FROM own) AND ${terms.taxonomy} = 'event_category'
      ORDER BY ${terms.sort_name}, ${terms.id} LIMIT 1`,
  ),
})

/** The slugs that an address may stand for: of an event, and of a series. */
type Slugs = { event: string; series: string }

/**
 * A query for the related events of the event with a slug, and for the dates of its series or of the series
 * with a slug. They change when one of the dates begins or ends, and when an event that is yet to come
 * begins.
 */
export function selectRelatedEvents(site: PageContext, { event, series: ofSlug }: Slugs) {
  const { context } = site
  return mapQuery(
    selectRelated(
      sql`WITH present(now, today) AS (SELECT ${context.clock.untrackedTime}, ${beginningOfToday(context)}),
        own(id, series, start, parent) AS MATERIALIZED (SELECT id, series_id, utc_start_date, ${PARENT}
        FROM ${events} WHERE slug = ${event.toLowerCase()}),
        wanted(id) AS MATERIALIZED (${wantedSeries(ofSlug.toLowerCase())})`,
      sql`0`,
    ),
    ({ last: [last], before: [before], after: [after], parent: [parent], course: [course], ...lists }) => {
      for (const { utc_end_date } of lists.coming) context.clock.changesAt(utc_end_date)
      for (const { utc_start_date } of [...lists.coming, ...lists.atVenue, ...lists.inCategory])
        context.clock.changesAt(utc_start_date)
      return { last, before, after, parent, course, ...lists }
    },
  )
}

export type RelatedEvents = RowOfQuery<typeof selectRelatedEvents>

/** The first of some events in the order of time, each title once, without those that are shown already. */
export function otherEvents(
  rows: readonly EventOfTarget[],
  shownEvents: readonly EventOfTarget[] = [],
): EventOfTarget[] {
  const byTitle = Map.groupBy(
    rows.toSorted((a, b) => compareTexts(a.utc_start_date, b.utc_start_date)),
    ({ title }) => title,
  )
  for (const { title } of shownEvents) byTitle.delete(title)
  return [...byTitle.values()].flatMap(([first]) => first ?? []).slice(0, MAX_RELATED)
}
