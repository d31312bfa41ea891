import type { RequestContext } from '../../../context.ts'
import { SERIES_SIZE } from '../../../lib/budgets.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { parseDate } from '../../../lib/parse-date.ts'
import { TooManyDates } from '../../../lib/recurrence/dates.ts'
import { givesTimes } from '../../../lib/recurrence/edit.ts'
import { formatRule, InvalidRule, parseRule, type Rule, TooCostly } from '../../../lib/recurrence/rule.ts'
import { trashedSlug, untrashedSlug } from '../../../lib/slug.ts'
import { lessPublic, type Status, statusAt } from '../../../lib/statuses.ts'
import { addMonths, type DateTime, startOfDay, toEpoch, toWall } from '../../../lib/time.ts'
import type { Publication } from '../../content/publication.ts'
import { MOST_DATES, type RecurrenceChoice } from './fields.ts'
import {
  extendFrom,
  firstDate,
  horizonOf,
  later,
  type Move,
  mostOccurrences,
  type Occurrence,
  occurrenceAt,
  type Pattern,
  type PatternTimes,
  planBudget,
  type Recurrence,
  ruleOf,
  startsOf,
  stepBudget,
} from './pattern.ts'
import { isDetachedIn } from './shared.ts'
import type { StoredOccurrence } from './stored.ts'

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
  const refuse = (reason: string) => errors.add('recurrence', reason)
  const rule = readRule(choice, timezone, refuse)
  const dates = (given: readonly string[] | undefined, known: readonly DateTime[]) =>
    given === undefined ? known : readDates(context, { given, times }, refuse)
  return {
    rrule: choice.rrule === undefined ? before.rrule : rule ? formatRule(rule) : '',
    rdate: dates(choice.rdate, before.rdate),
    exdate: dates(choice.exdate, before.exdate),
    ...{ start_date, end_date, timezone, all_day },
  }
}

type Refuse = (reason: string) => void

function readRule({ rrule }: Choice, timezone: string, refuse: Refuse): Rule | undefined {
  if (!rrule) return undefined
  try {
    return parseRule(rrule, utc => toWall(utc, timezone))
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error
    refuse(error.message)
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
    refuse(`gives more than ${limit} dates in rdate or exdate`)
    return []
  }
  const read = (text: string): DateTime[] => {
    const time = IS_DATE.test(text) ? `${text.trim()} ${start_date.slice(11)}` : text
    const parsed = parseDate(time, timezone, now) ?? parseDate(text, timezone, now)
    if (parsed) return [all_day ? startOfDay(parsed.wall) : parsed.wall]
    refuse(`needs dates in rdate and exdate, and ${text.slice(0, 64)} is none`)
    return []
  }
  return [...new Set(given.flatMap(read))].sort()
}

/** Computes the starts of a series up to the horizon, and checks that there are any, and not too many. */
export function checkedStarts(context: RequestContext, pattern: Pattern, refuse: Refuse): DateTime[] {
  const { now } = context
  const limit = mostOccurrences(context)
  const given = ruleOf(pattern)
  if (pattern.all_day && given && givesTimes(given)) {
    refuse('its rule gives times of day, which events of whole days do not have')
    return []
  }
  // Deleted dates are excluded as well, and count.
  if (pattern.exdate.length > MOST_DATES) {
    refuse(`leaves out more than ${MOST_DATES} dates: send the recurrence with fewer of them in exdate`)
    return []
  }
  try {
    const budget = stepBudget(context)
    const starts = startsOf(pattern, { to: horizonOf(pattern, now), limit, budget })
    const { start_date: from, rdate } = pattern
    const rule = starts.every(start => start === from || rdate.includes(start)) && ruleOf(pattern)
    if (rule && firstDate(rule, from, { from, to: addMonths(from, CYCLE_MONTHS), budget }) === undefined)
      refuse('its rule never gives a date')
    if (starts.length === 0) refuse('leaves out every date')
    return starts
  } catch (error) {
    if (error instanceof TooManyDates)
      refuse(`gives more than ${limit} dates from its start to two years from today`)
    else if (error instanceof TooCostly) refuse('its rule takes too long to work out')
    else throw error
    return []
  }
}

/** The effect on one occurrence of a change of its series. Undefined parts stay as they are. */
export type OccurrenceChange = {
  id: number
  /** Undefined if another row of the same write has changed the event. */
  version?: number
  occurrence_date: DateTime
  times?: Occurrence
  status?: Status
  external_id?: string
  /** A slug to take if it is free, or to number. */
  slug?: string
  /** The same, without the slug of the series and the hyphen. */
  suffix?: string
}

/** The change of an occurrence that goes to the trash, where one may be already. */
export const toTrash = (occurrence: StoredOccurrence): OccurrenceChange => ({
  id: occurrence.id,
  version: occurrence.version,
  occurrence_date: occurrence.occurrence_date,
  ...(occurrence.status !== 'trash' && { status: 'trash' }),
  ...movedSlug(occurrence, 'trash'),
})

/** A new occurrence, and the part of its slug after the slug of the series. */
export type NewOccurrence = Occurrence & { status: Status; suffix: string }

export type Plan = {
  changes: OccurrenceChange[]
  /** True if an occurrence gets a date that another one leaves. */
  stepAside: boolean
  added: NewOccurrence[]
  /** Undefined if it stays. */
  extend_from?: DateTime | null | undefined
}

type PlanInput = {
  pattern: Pattern
  /** The publication of the series after the change. */
  publication: Pick<Publication, 'status' | 'date_utc'>
  /** UTC. */
  now: DateTime
  occurrences: readonly StoredOccurrence[]
  /** The starts up to the horizon, if they are known already. */
  starts?: readonly DateTime[] | undefined
  /** The move of all occurrences, if they move. */
  move?: Move | undefined
  /** The parts of the series that change; the others need not be written. */
  hasNewTimes?: boolean
  hasNewStatus?: boolean
  hasNewSlug?: boolean
}

/**
 * The occurrences of a series after a change: those whose date stays keep their id, those whose date disappears go to
 * the trash, and new dates are added.
 *
 * @throws TooManyDates, TooCostly for rules with too many dates
 */
export function planOf(change: PlanInput): Plan {
  const { pattern, now, hasNewTimes, hasNewStatus, publication } = change
  const kept = movedDates(change)
  // If occurrences neither move nor come back, they stay as they are, and the rule need not be expanded.
  const isExpanded = hasNewTimes || (hasNewStatus && publication.status !== 'trash')
  const { starts, extend_from } = isExpanded ? expanded(pattern, now, change.starts) : { starts: [] }
  const [isLive, known] = [new Set(starts), new Set(kept.map(({ date }) => date))]
  const suffix = suffixes([...isLive, ...known].sort())
  return {
    changes: kept.map(({ occurrence, date }) => {
      const next = statusOf(change, occurrence, isLive.has(date))
      const isRenamed = change.hasNewSlug && !isDetachedIn(occurrence.detached, 'slug')
      return {
        id: occurrence.id,
        version: occurrence.version,
        occurrence_date: date,
        ...(hasNewTimes &&
          !isDetachedIn(occurrence.detached, 'start_date') && { times: occurrenceAt(pattern, date) }),
        ...(next !== occurrence.status && { status: next }),
        ...(isRenamed
          ? { suffix: next === 'trash' ? trashedSlug(suffix(date)) : suffix(date) }
          : movedSlug(occurrence, next)),
      }
    }),
    stepAside: movesOnto(kept),
    added: newOccurrences(
      change,
      starts.filter(date => !known.has(date)),
      suffix,
    ),
    extend_from,
  }
}

/**
 * New occurrences of a series at some starts. Their status depends on the time, because a scheduled series keeps its
 * stored status when it is published.
 */
export function newOccurrences(
  { pattern, publication, now }: Pick<PlanInput, 'pattern' | 'publication' | 'now'>,
  starts: readonly DateTime[],
  suffix = suffixes(starts),
): NewOccurrence[] {
  const status = statusAt(publication, now)
  return starts.map(date => ({
    ...occurrenceAt(pattern, date),
    status,
    suffix: status === 'trash' ? trashedSlug(suffix(date)) : suffix(date),
  }))
}

type MovedOccurrence = { occurrence: StoredOccurrence; date: DateTime }

/** Tells whether an occurrence moves to the date of another one. */
function movesOnto(moved: readonly MovedOccurrence[]): boolean {
  const taken = new Set(moved.map(({ occurrence }) => occurrence.occurrence_date))
  return moved.some(({ occurrence, date }) => date !== occurrence.occurrence_date && taken.has(date))
}

/**
 * The occurrences with their starts according to the rule after the change. Two of them can get the same start only if
 * the series becomes all-day: the beginning of their day. Only one can have it, the first that is not in the trash. The
 * others get the seconds after it, one each, which no other day uses.
 */
function movedDates({ occurrences, move }: PlanInput): MovedOccurrence[] {
  if (!move) return occurrences.map(occurrence => ({ occurrence, date: occurrence.occurrence_date }))
  const uses = new Map<DateTime, number>()
  const isTrashed = ({ status }: StoredOccurrence) => Number(status === 'trash')
  return occurrences
    .toSorted((a, b) => isTrashed(a) - isTrashed(b))
    .map(occurrence => {
      const date = move(occurrence.occurrence_date)
      const before = uses.get(date) ?? 0
      uses.set(date, before + 1)
      return { occurrence, date: before === 0 ? date : later(date, before * 1000) }
    })
}

/** The starts of a series up to the horizon, and the moment from which there will be more. */
function expanded(pattern: Pattern, now: DateTime, known: readonly DateTime[] | undefined) {
  const horizon = horizonOf(pattern, now)
  const budget = planBudget()
  const starts = known ?? startsOf(pattern, { to: horizon, limit: SERIES_SIZE.rows, budget })
  return { starts, extend_from: extendFrom(pattern, horizon, budget) }
}

function statusOf(
  { publication: { status }, hasNewStatus, hasNewTimes }: PlanInput,
  occurrence: StoredOccurrence,
  isLive: boolean,
): Status {
  if (!hasNewStatus && !hasNewTimes) return occurrence.status
  if (status === 'trash' && hasNewStatus) return 'trash'
  if (!isLive) return 'trash'
  const hasOwn = isDetachedIn(occurrence.detached, 'status')
  // A date that the rule gives again comes back from the trash. If it had a status of its own, it may not have been
  // public.
  if (occurrence.status === 'trash') return hasOwn ? lessPublic(status, 'draft') : status
  return hasNewStatus && !hasOwn ? status : occurrence.status
}

/** The slug of an occurrence that goes to the trash, which frees its slug for others, or that comes back. */
function movedSlug({ slug, status: before }: StoredOccurrence, status: Status): { slug?: string } {
  if ((status === 'trash') === (before === 'trash')) return {}
  return { slug: status === 'trash' ? trashedSlug(slug) : untrashedSlug(slug) }
}

/**
 * Makes a function that returns the part of a slug that distinguishes an occurrence from the others: its date, and also
 * its time unless it is the first of its day.
 */
export function suffixes(starts: readonly DateTime[]): (start: DateTime) => string {
  const firstOf = new Map<string, DateTime>()
  for (const start of starts) {
    const day = start.slice(0, 10)
    if (!firstOf.has(day)) firstOf.set(day, start)
  }
  return start => {
    const day = start.slice(0, 10)
    const first = firstOf.get(day)
    if (first === undefined || first === start) return day
    return `${day}-${start.slice(11).replaceAll(':', '').replace(/00$/, '')}`
  }
}
