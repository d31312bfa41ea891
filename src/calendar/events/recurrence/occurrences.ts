import type { ColumnValues } from '../../../kit/db/bulk.ts'
import type { RowOf } from '../../../kit/db/columns.ts'
import type { events } from '../../../kit/db/tables.ts'
import {
  type MoveStart,
  type Occurrence,
  occurrenceAt,
  type Pattern,
} from '../../../kit/lib/recurrence/pattern.ts'
import { trashedSlug, untrashedSlug } from '../../../kit/lib/slug.ts'
import { lessPublic, type Status, statusAt } from '../../../kit/lib/statuses.ts'
import { atWall, type DateTime, dayOf, laterByClock } from '../../../kit/lib/time.ts'
import { pick } from '../../../kit/lib/values.ts'
import type { Publication } from '../../content/publication.ts'
import { isDetachedIn } from '../shared-fields.ts'

// The effects on each date when its series changes.

/** The part of an occurrence that writes of its series need. */
export type StoredOccurrence = Pick<
  RowOf<(typeof events)['_']['columns']>,
  | 'id'
  | 'version'
  | 'sequence_offset'
  | 'author_id'
  | 'status'
  | 'slug'
  | 'date_utc'
  | 'start_date'
  | 'all_day'
> & {
  occurrence_date: DateTime
  detached: readonly string[]
}

/** The effect on one occurrence of a change of its series. Undefined parts stay as they are. */
export type OccurrenceChange = {
  id: number
  /** Undefined if another row of the same write has changed the event. */
  version?: number
  occurrence_date: DateTime
  times?: Occurrence
  /** For a date with a start of its own, the start by the rule before the change, UTC. */
  startByRule?: DateTime
  status?: Status
  external_id?: string
  /** A slug for the occurrence, with a number if it is in use. */
  slug?: string
  /** The slug without the slug of the series and the hyphen. */
  suffix?: string
}

/** The change of an occurrence that goes to the trash, or is there already. */
export const trashingChange = (occurrence: StoredOccurrence): OccurrenceChange => ({
  id: occurrence.id,
  version: occurrence.version,
  occurrence_date: occurrence.occurrence_date,
  ...(occurrence.status !== 'trash' && { status: 'trash' }),
  ...movedSlug(occurrence, 'trash'),
})

/** A new occurrence, and the part of its slug after the slug of the series. */
export type NewOccurrence = Occurrence & { status: Status; suffix: string }

/** The columns of an occurrence that it does not share with its series, and the names of its own fields. */
export type OwnColumns = { id: number; detached: string } & ColumnValues<typeof events>

/**
 * The dates of a series that a write creates, changes and deletes. Moving a date to the trash, or back, is a
 * change.
 */
export type DatesToWrite = {
  insert?: readonly NewOccurrence[]
  /** Afterwards, the status of the series follows from the statuses of its dates. */
  update?: readonly OccurrenceChange[]
  /** True if some occurrences get the former dates of other occurrences. */
  swapsDates?: boolean
  /** Columns that some dates get for themselves, before the others follow the series. */
  own?: readonly OwnColumns[] | undefined
  /** The ids of dates that are deleted for good. The series goes with the last date. */
  remove?: readonly number[]
}

type PlanInput = {
  pattern: Pattern
  /** The publication of the series after the change. */
  publication: Pick<Publication, 'status' | 'date_utc'>
  /** UTC. */
  now: DateTime
  occurrences: readonly StoredOccurrence[]
  /**
   * The starts up to the horizon; undefined if no occurrence moves or comes back, and the rule need not be
   * expanded.
   */
  starts: readonly DateTime[] | undefined
  move: MoveStart | undefined
  /** The zone of the series before the change. */
  zoneBefore: string
  /** The parts of the series that change; the others need not be written. */
  hasNewTimes: boolean
  hasNewStatus: boolean
  hasNewSlug: boolean
}

/**
 * The occurrences of a series after a change. Occurrences whose date stays keep their id, occurrences whose
 * date disappears go to the trash, and new dates are added.
 */
export function planOf(change: PlanInput): Required<Pick<DatesToWrite, 'insert' | 'update' | 'swapsDates'>> {
  const { pattern, starts = [], hasNewTimes, zoneBefore } = change
  const keptDates = movedDates(change)
  const liveDates = new Set(starts)
  const knownDates = new Set(keptDates.map(({ date }) => date))
  const suffix = suffixes([...liveDates, ...knownDates].sort())
  return {
    update: keptDates.map(({ occurrence, date }) => {
      const next = statusOf(change, occurrence, liveDates.has(date))
      const isRenamed = change.hasNewSlug && !isDetachedIn(occurrence.detached, 'slug')
      return {
        id: occurrence.id,
        version: occurrence.version,
        occurrence_date: date,
        ...(hasNewTimes &&
          !isDetachedIn(occurrence.detached, 'start_date') && { times: occurrenceAt(pattern, date) }),
        ...(date !== occurrence.occurrence_date &&
          occurrence.detached.includes('start_date') && {
            startByRule: atWall(occurrence.occurrence_date, zoneBefore).utc,
          }),
        ...(next !== occurrence.status && { status: next }),
        ...(isRenamed
          ? { suffix: next === 'trash' ? trashedSlug(suffix(date)) : suffix(date) }
          : movedSlug(occurrence, next)),
      }
    }),
    swapsDates: movesOnto(keptDates),
    insert: newOccurrences(
      change,
      starts.filter(date => !knownDates.has(date)),
      suffix,
    ),
  }
}

/** The start of a date; the beginning of the day if it lasts for whole days. */
export type DateStart = Pick<StoredOccurrence, 'start_date' | 'all_day'>

/** The effects of a write on the dates of a series, by their own starts, which may differ from the rule's. */
export type DateEffects = {
  made: DateStart[]
  moved: { from: DateStart; to: DateStart }[]
  dropped: DateStart[]
  /** Dates that return from the trash. */
  back: DateStart[]
  /** Occurrences that stay, move or return, as they were before. */
  remaining: StoredOccurrence[]
}

/** @param all_day true if the series lasts for whole days after the write */
export function effectsOnDates(
  occurrences: readonly StoredOccurrence[],
  { insert = [], update = [], own = [] }: DatesToWrite,
  all_day: boolean,
): DateEffects {
  const occurrencesById = new Map(occurrences.map(occurrence => [occurrence.id, occurrence]))
  const ownById = new Map(own.map(columns => [columns.id, columns]))
  const effects: DateEffects = {
    made: insert.map(({ start_date }) => ({ start_date, all_day })),
    moved: [],
    dropped: [],
    back: [],
    remaining: [],
  }
  for (const { id, times, status } of update) {
    const before = occurrencesById.get(id)
    if (!before) continue
    const wasLive = before.status !== 'trash'
    const isLive = (status ?? before.status) !== 'trash'
    const from = pick(before, 'start_date', 'all_day')
    const to = times ? { start_date: times.start_date, all_day } : { ...from, ...startIn(ownById.get(id)) }
    if (isLive) effects.remaining.push(before)
    if (wasLive && !isLive) effects.dropped.push(from)
    if (!wasLive && isLive) effects.back.push(to)
    // A change of the rule writes the times of all dates, even of dates that stay where they are.
    if (wasLive && isLive && (from.start_date !== to.start_date || from.all_day !== to.all_day))
      effects.moved.push({ from, to })
  }
  return effects
}

/** The start among the own columns of a date. */
const startIn = ({ start_date, all_day }: Partial<OwnColumns> = {}): Partial<DateStart> => ({
  ...(typeof start_date === 'string' && { start_date }),
  ...(typeof all_day === 'boolean' && { all_day }),
})

/**
 * New occurrences of a series at some starts. Their status depends on the time, because a scheduled series
 * keeps its stored status when it is published.
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

function movesOnto(moved: readonly MovedOccurrence[]): boolean {
  const taken = new Set(moved.map(({ occurrence }) => occurrence.occurrence_date))
  return moved.some(({ occurrence, date }) => date !== occurrence.occurrence_date && taken.has(date))
}

/**
 * The occurrences with their starts according to the rule after the change. Two occurrences can get the same
 * start only if the series becomes all-day: the beginning of their day. Only the first occurrence outside the
 * trash gets this start. The others get the seconds after it, one each, which no other day uses.
 */
function movedDates({ occurrences, move }: PlanInput): MovedOccurrence[] {
  if (!move) return occurrences.map(occurrence => ({ occurrence, date: occurrence.occurrence_date }))
  const uses = new Map<DateTime, number>()
  const trashRank = ({ status }: StoredOccurrence) => Number(status === 'trash')
  return occurrences
    .toSorted((a, b) => trashRank(a) - trashRank(b))
    .map(occurrence => {
      const date = move(occurrence.occurrence_date)
      const before = uses.get(date) ?? 0
      uses.set(date, before + 1)
      return { occurrence, date: before === 0 ? date : laterByClock(date, before * 1000) }
    })
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
  // The rule restores a date from the trash by giving it again. If the date had a status of its own, it may
  // not have been public.
  if (occurrence.status === 'trash') return hasOwn ? lessPublic(status, 'draft') : status
  return hasNewStatus && !hasOwn ? status : occurrence.status
}

/** The slug of an occurrence that goes to the trash, so that others can have its slug, or comes back. */
function movedSlug({ slug, status: before }: StoredOccurrence, status: Status): { slug?: string } {
  if ((status === 'trash') === (before === 'trash')) return {}
  return { slug: status === 'trash' ? trashedSlug(slug) : untrashedSlug(slug) }
}

/**
 * Makes a function that returns the part of a slug that distinguishes an occurrence from the others: its
 * date, and also its time unless it is the first of its day.
 */
export function suffixes(starts: readonly DateTime[]): (start: DateTime) => string {
  const firstStartOfDay = new Map<string, DateTime>()
  for (const start of starts) {
    const day = dayOf(start)
    if (!firstStartOfDay.has(day)) firstStartOfDay.set(day, start)
  }
  return start => {
    const day = dayOf(start)
    const first = firstStartOfDay.get(day)
    if (first === undefined || first === start) return day
    return `${day}-${start.slice(11).replaceAll(':', '').replace(/00$/, '')}`
  }
}
