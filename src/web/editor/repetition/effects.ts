import type { DateTime } from '../../../lib/time.ts'
import type { PreparedEvent } from '../../../resources/events/prepare.ts'
import type { SeriesChange } from '../../../resources/events/recurrence/change.ts'
import { occurrencesEnded } from '../../../resources/events/recurrence/exceptions.ts'
import { type FieldName, fieldNamesOf, isDetachedIn } from '../../../resources/events/recurrence/shared.ts'
import {
  type EventOfSeries,
  partOf,
  type StoredEvent,
  type StoredOccurrence,
} from '../../../resources/events/recurrence/stored.ts'

/** The effects of a change of a series on its dates. */
export type Effects = {
  /** The number of dates that get the change, including new ones. */
  changed: number
  made: readonly DateTime[]
  /** Dates that return from the trash. */
  back: readonly DateTime[]
  moved: readonly { from: DateTime; to: DateTime }[]
  dropped: readonly DateTime[]
  /** Dates that keep values of their own in changed fields, with the names of these fields. */
  own: readonly { date: DateTime; fields: readonly string[] }[]
  /** True if the earlier dates become a separate series. */
  isSplit: boolean
}

const NOTHING: Effects = { changed: 0, made: [], back: [], moved: [], dropped: [], own: [], isSplit: false }

const isLive = ({ status }: Pick<StoredOccurrence, 'status'>): boolean => status !== 'trash'

const datesOf = (occurrences: readonly StoredOccurrence[]): DateTime[] =>
  occurrences.map(({ occurrence_date }) => occurrence_date).sort()

export const isOccurrence = (stored: StoredEvent | undefined): stored is EventOfSeries =>
  Boolean(stored?.series)

/**
 * The effects of a prepared write of an occurrence, according to the plan that would be written. All occurrences of the series
 * must be loaded.
 */
export function effectsOf(prepared: PreparedEvent, scope: 'this' | 'following' | 'all'): Effects {
  if (prepared.type === 'series') return prepared.change ? effectsOfChange(prepared.change) : NOTHING
  // The series may have all that it asks for.
  if (prepared.type !== 'event' || prepared.isUnchanged || !isOccurrence(prepared.stored)) return NOTHING
  const { stored } = prepared
  if (scope === 'this') return { ...NOTHING, changed: 1 }
  const isWhole = scope === 'all'
  return {
    ...NOTHING,
    changed: 1,
    dropped: datesOf(occurrencesEnded(stored, isWhole).filter(isLive)),
    isSplit: partOf(stored, isWhole).head !== undefined,
  }
}

/** The effects of a deletion of occurrences. */
export function effectsOfDeletion(stored: EventOfSeries, scope: 'this' | 'following' | 'all'): Effects {
  const part = partOf(stored, scope === 'all')
  const going = scope === 'this' ? part.occurrences.filter(({ id }) => id === stored.id) : part.occurrences
  return {
    ...NOTHING,
    dropped: datesOf(going.filter(isLive)),
    isSplit: part.head !== undefined,
  }
}

function effectsOfChange({ stored, plan, changed, head }: SeriesChange): Effects {
  const known = new Map(stored.series.occurrences.map(occurrence => [occurrence.id, occurrence]))
  const names = fieldNamesOf(changed)
  const back: DateTime[] = []
  const moved: { from: DateTime; to: DateTime }[] = []
  const dropped: DateTime[] = []
  const own: { date: DateTime; fields: string[] }[] = []
  let left = 0
  for (const { id, occurrence_date, times, status } of plan.changes) {
    const before = known.get(id)
    if (!before) continue
    const [was, is] = [isLive(before), (status ?? before.status) !== 'trash']
    if (was && !is) dropped.push(before.occurrence_date)
    if (!is) continue
    left++
    const to = times?.start_date
    if (!was) back.push(to ?? occurrence_date)
    else if (to && before.occurrence_date !== occurrence_date)
      moved.push({ from: before.occurrence_date, to })
    const kept = detachedAmong(names, before.detached)
    if (kept.length > 0) own.push({ date: before.occurrence_date, fields: kept })
  }
  return {
    changed: left + plan.added.length,
    made: plan.added.map(({ start_date }) => start_date),
    back: back.sort(),
    moved: moved.sort((a, b) => (a.from < b.from ? -1 : 1)),
    dropped: dropped.sort(),
    own,
    isSplit: head !== undefined,
  }
}

/** The changed fields that an occurrence has of its own. A rule changes the start of all. */
const detachedAmong = (names: readonly FieldName[], detached: readonly string[]): FieldName[] =>
  [...new Set(names.map(name => (name === 'recurrence' ? 'start_date' : name)))].filter(name =>
    isDetachedIn(detached, name),
  )
