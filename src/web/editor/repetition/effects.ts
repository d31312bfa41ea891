import type { DateTime } from '../../../lib/time.ts'
import type { PreparedEvent } from '../../../resources/events/prepare.ts'
import {
  type DateEffects,
  effectsOnDates,
  isDetachedIn,
  type StoredOccurrence,
} from '../../../resources/events/recurrence/dates.ts'
import { type EventOfSeries, partOf, type StoredEvent } from '../../../resources/events/recurrence/queries.ts'
import { type FieldName, isFieldName } from '../../../resources/events/schema.ts'

/** The effects of a change of a series on its dates. */
export type Effects = Readonly<Omit<DateEffects, 'left'>> & {
  /** The number of dates that get the change, including new ones. */
  changed: number
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

/** The effects of a prepared write of an occurrence, all occurrences of whose series are loaded. */
export function effectsOf(prepared: PreparedEvent, scope: 'this' | 'following' | 'all'): Effects {
  const { stored, series = [] } = prepared
  // The series may have all that it asks for.
  const isUnchanged = prepared.type === 'event' ? prepared.isUnchanged : series.length === 0
  if (isUnchanged || !isOccurrence(stored)) return NOTHING
  if (scope === 'this') return { ...NOTHING, changed: 1 }
  const update = series.flatMap(({ dates }) => dates?.update ?? [])
  const insert = series.flatMap(({ dates }) => dates?.insert ?? [])
  const { left, ...effects } = effectsOnDates(stored.series.occurrences, { update, insert })
  // If the series is divided, its own row comes first.
  const names = (series[0]?.fields ?? []).filter(isFieldName)
  return {
    made: effects.made,
    back: effects.back.sort(),
    moved: effects.moved.sort((a, b) => (a.from < b.from ? -1 : 1)),
    dropped: effects.dropped.sort(),
    // An occurrence that becomes a single event is a row of its own.
    changed: left.length + insert.length + (prepared.type === 'event' ? 1 : 0),
    // The named one has all that the request gives it.
    own: left.flatMap(({ id, occurrence_date: date, detached }) => {
      const fields = id === stored.id ? [] : detachedAmong(names, detached)
      return fields.length > 0 ? [{ date, fields }] : []
    }),
    isSplit:
      prepared.type === 'event'
        ? partOf(stored, scope === 'all').head !== undefined
        : series.some(({ isDivided }) => isDivided),
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

/** The changed fields that an occurrence has of its own. A rule changes the start of all. */
const detachedAmong = (names: readonly FieldName[], detached: readonly string[]): FieldName[] =>
  [...new Set(names.map(name => (name === 'recurrence' ? 'start_date' : name)))].filter(name =>
    isDetachedIn(detached, name),
  )
