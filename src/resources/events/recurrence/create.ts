import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { events, series } from '../../../db/schema.ts'
import { seriesSlug } from '../../../db/slugs.ts'
import { SERIES_SIZE } from '../../../lib/budgets.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { parseDate } from '../../../lib/parse-date.ts'
import { coded, type Reason } from '../../../lib/reasons.ts'
import { givesTimes } from '../../../lib/recurrence/edit.ts'
import {
  type Budget,
  formatRule,
  InvalidRule,
  parseRule,
  type Rule,
  requestedRule,
  TooCostly,
} from '../../../lib/recurrence/rule.ts'
import { slugBase, untrashedSlug } from '../../../lib/slug.ts'
import { addMonths, type DateTime, startOfDay, toEpoch, toWall } from '../../../lib/time.ts'
import { pick, withoutUndefined } from '../../../lib/values.ts'
import { storedImage } from '../../content/images.ts'
import { type EventOutcome, newColumns } from '../outcome.ts'
import { RELATIONS } from '../relations/fields.ts'
import type { EventValues } from '../schema.ts'
import { MOST_DATES, type RecurrenceChoice } from './fields.ts'
import {
  columnsWith,
  firstDate,
  horizonOf,
  mostOccurrences,
  type Pattern,
  type PatternTimes,
  planBudget,
  type Recurrence,
  ruleOf,
  startsOf,
  stepBudget,
} from './pattern.ts'
import { type NewOccurrence, newOccurrences } from './plan.ts'
import { ALL_COPIED } from './shared-fields.ts'
import type { LinkCounts, StoredEvent } from './stored.ts'
import type { PreparedSeries } from './write.ts'

// Recurrences that requests ask for, and the series that they make.

const NONE: Recurrence = { rrule: '', rdate: [], exdate: [] }

/** The time in which a rule must give at least one date: the cycle of the calendar. */
const CYCLE_MONTHS = 4_800

type Choice = Exclude<RecurrenceChoice, ''>

/**
 * The recurrence that a request asks for, for an event with these times. Parts that the request doesn't name are taken
 * from `before`.
 *
 * @param errors gets an error for invalid rules and dates
 */
export function patternOf(
  context: RequestContext,
  { choice, times, before = NONE }: { choice: Choice; times: PatternTimes; before?: Recurrence },
  errors: ValidationErrors,
): Pattern {
  const { start_date, end_date, timezone, all_day } = times
  const refuse = (reason: Reason) => errors.add('recurrence', reason)
  const rule = readRule(choice, times, refuse)
  const dates = (given: readonly string[] | undefined, known: readonly DateTime[]) =>
    given === undefined ? known : readDates(context, { given, times }, refuse)
  return {
    rrule: choice.rrule === undefined ? before.rrule : rule ? formatRule(rule) : '',
    rdate: dates(choice.rdate, before.rdate),
    exdate: dates(choice.exdate, before.exdate),
    start_date,
    end_date,
    timezone,
    all_day,
  }
}

type Refuse = (reason: Reason) => void

function readRule(
  { rrule }: Choice,
  { start_date, timezone }: PatternTimes,
  refuse: Refuse,
): Rule | undefined {
  if (!rrule) return undefined
  try {
    return requestedRule(
      parseRule(rrule, utc => toWall(utc, timezone)),
      start_date,
    )
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error
    refuse(error.reason)
    return undefined
  }
}

const IS_DATE = /^\s*\d{4}-?\d{2}-?\d{2}\s*$/

/** Starts in the event's zone, in order, each once. A date without a time gets the time of the event's start. */
function readDates(
  context: RequestContext,
  { given, times }: { given: readonly string[]; times: PatternTimes },
  refuse: Refuse,
): DateTime[] {
  const { start_date, timezone, all_day } = times
  const [limit, now] = [mostOccurrences(context), toEpoch(context.now)]
  if (given.length > limit) {
    refuse(coded('rule_too_large', `gives more than ${limit} dates in rdate or exdate`, { n: limit }))
    return []
  }
  const read = (text: string): DateTime[] => {
    const time = IS_DATE.test(text) ? `${text.trim()} ${start_date.slice(11)}` : text
    const parsed = parseDate(time, timezone, now) ?? parseDate(text, timezone, now)
    if (parsed) return [all_day ? startOfDay(parsed.wall) : parsed.wall]
    refuse(coded('rule_bad_dates', `needs dates in rdate and exdate, and ${text.slice(0, 64)} is none`))
    return []
  }
  return [...new Set(given.flatMap(read))].sort()
}

/**
 * Computes the starts of a series up to the horizon, and checks that there are any, and not too many.
 *
 * @param refuse gets the reasons against it, of which the first counts
 */
export function checkedStarts(context: RequestContext, pattern: Pattern, refuse: Refuse): DateTime[] {
  const { start_date: from, rdate, exdate, all_day } = pattern
  const rule = ruleOf(pattern)
  if (all_day && rule && givesTimes(rule))
    refuse('its rule gives times of day, which events of whole days do not have')
  // Deleted dates are excluded as well, and count.
  if (exdate.length > MOST_DATES)
    refuse(`leaves out more than ${MOST_DATES} dates: send the recurrence with fewer of them in exdate`)
  const budget = stepBudget(context)
  return searched(refuse, () => {
    const starts = fewStarts(pattern, { now: context.now, limit: mostOccurrences(context), budget }, refuse)
    const isRuled = starts.some(start => start !== from && !rdate.includes(start))
    const cycle = { from, to: addMonths(from, CYCLE_MONTHS), budget }
    if (rule && !isRuled && firstDate(rule, from, cycle) === undefined)
      refuse(coded('rule_without_dates', 'its rule never gives a date'))
    if (starts.length === 0) refuse(coded('rule_excludes_all', 'leaves out every date'))
    return starts
  })
}

const NO_LINKS: LinkCounts = { venue: 0, organizer: 0, categories: 0, tags: 0 }

/**
 * Checks that a write does not make too many links.
 *
 * @param rows the number of occurrences that it writes
 * @param stored the number of links before
 */
export function checkLinks(
  { values, rows, stored = NO_LINKS }: { values: EventValues; rows: number; stored?: LinkCounts | undefined },
  refuse: Refuse,
): void {
  const each = RELATIONS.reduce((sum, name) => sum + (values[name]?.length ?? stored[name]), 0)
  const most = Math.min(SERIES_SIZE.links, Math.floor(SERIES_SIZE.pairs / each))
  if (rows * each > most)
    refuse(
      `makes ${rows} occurrences, those in the trash included, with ${each} venues, organizers, categories and tags each: with so many each, a series has at most ${most} of them in all`,
    )
}

/** Computes the starts of a stored series up to the horizon, which may have become more since its rule was checked. */
export const storedStarts = (pattern: Pattern, now: DateTime, refuse: Refuse): DateTime[] =>
  searched(refuse, () => fewStarts(pattern, { now, limit: SERIES_SIZE.rows, budget: planBudget() }, refuse))

/** The result of a search for starts; none if it takes too long. */
function searched(refuse: Refuse, search: () => DateTime[]): DateTime[] {
  try {
    return search()
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    refuse(coded('rule_too_costly', 'its rule takes too long to work out'))
    return []
  }
}

type Few = { now: DateTime; limit: number; budget: Budget }

function fewStarts(pattern: Pattern, { now, limit, budget }: Few, refuse: Refuse): DateTime[] {
  const { dates, more } = startsOf(pattern, { to: horizonOf(pattern, now), limit, budget })
  if (more)
    refuse(
      coded('rule_too_large', `gives more than ${limit} dates from its start to two years from today`, {
        n: limit,
      }),
    )
  return dates
}

/**
 * Computes the columns and dates of a new series, or of the series that an event becomes.
 *
 * @param errors gets the errors of the recurrence
 * @throws ApiError with all errors at once
 */
function newSeries(
  context: RequestContext,
  { values, stored, times, publication }: EventOutcome,
  errors: ValidationErrors,
) {
  const pattern = patternOf(context, { choice: values.recurrence || {}, times }, errors)
  errors.throwIfAny()
  const refuse = (reason: Reason) => errors.add('recurrence', reason)
  const starts = checkedStarts(context, pattern, refuse)
  checkLinks({ values, rows: starts.length, stored: stored?.links }, refuse)
  if (stored && pattern.exdate.includes(pattern.start_date))
    refuse(coded('rule_excludes_all', 'must not leave out the event itself'))
  errors.throwIfAny()
  return {
    columns: { ...columnsWith(context, pattern), ...publication },
    dates: newOccurrences({ pattern, publication, now: context.now }, starts),
  }
}

/** Prepares a new series with its dates. @throws ApiError with all errors at once */
export function prepareNewSeries(
  context: RequestContext,
  outcome: EventOutcome,
  errors: ValidationErrors,
): PreparedSeries {
  const { values, relations, image } = outcome
  const { columns, dates } = newSeries(context, outcome, errors)
  return {
    columns: {
      ...newColumns(context, outcome),
      ...columns,
      slug: seriesSlug(
        slugBase({
          slug: values.slug,
          name: values.title ?? '',
          language: context.settings.website.language,
          fallback: 'event',
        }),
      ),
    },
    image,
    fields: Object.keys(values),
    relations,
    texts: values,
    dates: { insert: dates },
  }
}

/** A SELECT of the first date's id, in the series that the transaction has just created. */
export const firstOfNew = sql`(SELECT id FROM ${events} WHERE series_id = (SELECT max(id) FROM ${series})
  ORDER BY occurrence_date LIMIT 1)`

/**
 * Prepares the series whose first date a stored event becomes, and empties the columns that the event no longer has of
 * its own.
 *
 * @throws ApiError with all errors at once
 */
export function prepareRepeated(
  context: RequestContext,
  outcome: EventOutcome<StoredEvent>,
  errors: ValidationErrors,
) {
  const { values, columns, stored, image } = outcome
  const { id, version, slug, uid, sequence } = stored
  const { columns: ofSeries, dates } = newSeries(context, outcome, errors)
  const isFirst = ({ occurrence_date }: NewOccurrence) => occurrence_date === ofSeries.start_date
  const after: Readonly<Record<string, unknown>> = { ...stored, ...withoutUndefined(columns) }
  const copied = [...ALL_COPIED, 'description', 'excerpt', 'external_id'] as const
  const series: PreparedSeries = {
    columns: {
      ...pick(after, ...copied),
      ...ofSeries,
      slug: seriesSlug(untrashedSlug(slug)),
      // Subscribers know the event by this UID, so the series must have a higher SEQUENCE.
      uid: uid || `event-${id}@`,
      sequence: sequence + version + 1,
    },
    slugOwner: id,
    image: image === undefined ? storedImage(stored) : image,
    fields: ['recurrence'],
    relations: {},
    linksFrom: { event: id },
    texts: { ...stored, ...values },
    dates: {
      update: dates.filter(isFirst).map(({ occurrence_date, suffix }) => ({ id, occurrence_date, suffix })),
      insert: dates.filter(date => !isFirst(date)),
    },
  }
  return { columns: { description: '', excerpt: '' }, series: [series] }
}
