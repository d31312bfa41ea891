import { slugify } from '../../../lib/slug.ts'
import type { RelatedTarget } from '../../content/related/writes.ts'
import type { EventOutcome } from '../outcome.ts'
import type { EventFields } from '../schema.ts'
import {
  copiedColumns,
  type FieldName,
  fieldNamesOf,
  isDetachedIn,
  isSharedField,
  TIMES,
  textsOf,
} from './shared.ts'
import type { StoredEvent } from './stored.ts'

type Values = Partial<EventFields>

/**
 * The names of the values that change an occurrence. Clients send back whole events to change one field: what they leave as
 * it is must not be detached from the series, nor be written to all occurrences.
 */
export const changedNames = (outcome: EventOutcome<StoredEvent>): FieldName[] =>
  fieldNamesOf(outcome.values).filter(changeTest(outcome))

/**
 * The values that change a series. If there is nothing in them that the named occurrence doesn't have, they are about what
 * it has of its own, and all others are to get it.
 */
export function sharedValues(outcome: EventOutcome<StoredEvent>): Values {
  const { values, stored } = outcome
  const changed = changedNames(outcome)
  const isOfAll = values.recurrence !== undefined || changed.some(isSharedField)
  const detached = isOfAll ? [] : textsOf(stored.detached)
  const own = fieldNamesOf(values).filter(name => isSharedField(name) && isDetachedIn(detached, name))
  // A selection of the given values.
  return Object.fromEntries([...changed, ...own].map(name => [name, values[name]])) as Values
}

/** Makes a function that tells if the value of a field differs from the stored event. */
function changeTest({
  values,
  stored,
  columns,
  publication,
  times,
  relations,
  image,
}: EventOutcome<StoredEvent>) {
  const next: Readonly<Record<string, unknown>> = { ...columns, ...publication, ...times }
  const before: Readonly<Record<string, unknown>> = stored
  const known = stored.series?.relations
  const differs = (column: string) => next[column] !== undefined && next[column] !== before[column]
  return (name: FieldName): boolean => {
    if (name === 'image') return image !== undefined
    if (name === 'venue' || name === 'organizer') return !areLinked(relations[name], known?.[name])
    if (name === 'categories' || name === 'tags') {
      const { ids = [], names = [] } = relations[name] ?? {}
      return names.length > 0 || !isEqual(sorted(ids), sorted(known?.[name]))
    }
    if (name === 'slug') return slugify(values.slug ?? '') !== stored.slug && values.slug !== ''
    if (TIMES.some(time => time === name)) return differs(name) || differs(`utc_${name}`)
    if (name === 'status' || name === 'description' || name === 'excerpt') return differs(name)
    const copied = [...copiedColumns([name]).keys()]
    return copied.length === 0 || copied.some(differs)
  }
}

const sorted = (ids: readonly number[] = []) => [...new Set(ids)].sort((a, b) => a - b)

const isEqual = (ids: readonly number[], known: readonly number[] = []): boolean =>
  ids.length === known.length && ids.every((id, i) => id === known[i])

/** Tells if an event has these venues or organizers already, in this order. */
const areLinked = (targets: readonly RelatedTarget[] = [], known: readonly number[] | undefined): boolean =>
  isEqual([...new Set(targets.map(target => ('same' in target ? target.same : 0)))], known)

/** The names of the fields that an update of one occurrence detaches from its series. */
export const detachedBy = (changed: Values, status: string, stored: StoredEvent): FieldName[] =>
  fieldNamesOf(changed).filter(name => {
    if (!isSharedField(name)) return false
    // An occurrence in the trash is one that the rule leaves out; restored, it is as the series again.
    return name !== 'status' || (status !== 'trash' && status !== stored.series?.status)
  })
