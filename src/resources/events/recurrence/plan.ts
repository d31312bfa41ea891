import { trashedSlug, untrashedSlug } from '../../../lib/slug.ts'
import { lessPublic, type Status } from '../../../lib/statuses.ts'
import type { DateTime } from '../../../lib/time.ts'
import type { Move } from './new-pattern.ts'
import {
  extendFrom,
  horizonOf,
  later,
  type Occurrence,
  occurrenceAt,
  type Pattern,
  planBudget,
  startsOf,
} from './pattern.ts'
import { isDetachedIn } from './shared.ts'
import { MOST_SERIES_ROWS } from './sizes.ts'
import type { StoredOccurrence } from './stored.ts'

/** The change of one occurrence by a change of its series. Undefined parts stay as they are. */
export type OccurrenceChange = {
  id: number
  version: number
  occurrence_date: DateTime
  times?: Occurrence
  status?: Status
  /** A slug to be taken if it is free, or numbered. */
  slug?: string
  /** The same, without the slug of the series and a hyphen. */
  suffix?: string
}

/** A new occurrence, and the part of its slug after that of the series. */
export type NewOccurrence = Occurrence & { suffix: string }

export type Plan = {
  changes: OccurrenceChange[]
  added: NewOccurrence[]
  /** Undefined if it stays. */
  extend_from?: DateTime | null | undefined
}

type Change = {
  pattern: Pattern
  status: Status
  /** UTC. */
  now: DateTime
  occurrences: readonly StoredOccurrence[]
  /** The starts up to the horizon, if they have been worked out. */
  starts?: readonly DateTime[] | undefined
  /** The move of all occurrences, if they move. */
  move?: Move | undefined
  /** Parts of the series that the change concerns; the others need not be written. */
  hasNewTimes?: boolean
  hasNewStatus?: boolean
  hasNewSlug?: boolean
}

/**
 * The occurrences of a series after a change: those whose date stays keep their id, those whose date is gone go to the
 * trash, others are added.
 *
 * @throws TooManyDates, TooCostly for rules with too many dates
 */
export function planOf(change: Change): Plan {
  const { pattern, now, hasNewTimes, hasNewStatus, status } = change
  const kept = movedDates(change)
  // What neither moves nor comes back is as it was, and costs no expansion of the rule.
  const isExpanded = hasNewTimes || (hasNewStatus && status !== 'trash')
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
    added: starts
      .filter(date => !known.has(date))
      .map(date => ({ ...occurrenceAt(pattern, date), suffix: suffix(date) })),
    extend_from,
  }
}

/**
 * The occurrences with their starts by the rule after the change. Only those of a series that becomes one of whole days come
 * to the same start: the beginning of their day. Only one of them can have it, of those that are not in the trash the first;
 * the others get a second each from there on, which other days don't have.
 */
function movedDates({ occurrences, move }: Change): { occurrence: StoredOccurrence; date: DateTime }[] {
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

/** The starts of a series up to the horizon, and when there will be more. */
function expanded(pattern: Pattern, now: DateTime, known: readonly DateTime[] | undefined) {
  const horizon = horizonOf(pattern, now)
  const budget = planBudget()
  const starts = known ?? startsOf(pattern, { to: horizon, limit: MOST_SERIES_ROWS, budget })
  return { starts, extend_from: extendFrom(pattern, horizon, budget) }
}

function statusOf(
  { status, hasNewStatus, hasNewTimes }: Change,
  occurrence: StoredOccurrence,
  isLive: boolean,
): Status {
  if (!hasNewStatus && !hasNewTimes) return occurrence.status
  if (status === 'trash' && hasNewStatus) return 'trash'
  if (!isLive) return 'trash'
  const hasOwn = isDetachedIn(occurrence.detached, 'status')
  // A date that the rule gives again comes back from the trash. One that had a status of its own may not have been public.
  if (occurrence.status === 'trash') return hasOwn ? lessPublic(status, 'draft') : status
  return hasNewStatus && !hasOwn ? status : occurrence.status
}

/** The slug of an occurrence that goes to the trash, where it leaves its slug to others, or comes back from it. */
function movedSlug({ slug, status: before }: StoredOccurrence, status: Status): { slug?: string } {
  if ((status === 'trash') === (before === 'trash')) return {}
  return { slug: status === 'trash' ? trashedSlug(slug) : untrashedSlug(slug) }
}

/**
 * Makes a function of the part of a slug that tells an occurrence from the others: its date, and the time after the first
 * one of a day.
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

/** The ids of the occurrences that changes move to the trash. */
export const trashedIn = (changes: readonly OccurrenceChange[]): number[] =>
  changes.flatMap(({ id, status }) => (status === 'trash' ? [id] : []))
