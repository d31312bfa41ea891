import type { Changed } from '../../db/audit.ts'
import { beforeAndAfter } from '../content/changed-values.ts'
import type { RelatedTarget } from '../content/related/writes.ts'
import type { EventOutcome } from './outcome.ts'
import { repeats } from './recurrence/fields.ts'
import type { Pattern } from './recurrence/pattern.ts'
import type { Plan } from './recurrence/plan.ts'
import { partOf, type SeriesChange } from './recurrence/series-change.ts'
import { TIMES } from './recurrence/shared.ts'
import { RELATIONS, type StoredEvent, type StoredSeries, scopeOf } from './recurrence/stored.ts'
import type { Relations } from './relations/resolve.ts'
import type { ResolvedTerms } from './relations/terms.ts'
import { EVENT_FIELDS } from './schema.ts'

const isTerms = (relation: ResolvedTerms | readonly RelatedTarget[]): relation is ResolvedTerms =>
  'ids' in relation

/** The ids that a relation is to have, as far as they are known; a new one makes it another list in any case. */
const idsOf = (relation: ResolvedTerms | readonly RelatedTarget[]): number[] =>
  isTerms(relation)
    ? [...new Set([...relation.ids, ...relation.names.map(() => 0)])].sort((a, b) => a - b)
    : [...new Set(relation.map(target => ('same' in target ? target.same : 0)))]

/** The relations that a write changes. They are null afterwards: the audit takes them from the links. */
function changedRelations(relations: Relations, stored: StoredEvent): Changed {
  const changed = RELATIONS.flatMap((name): [string, readonly [unknown, unknown]][] => {
    const relation = relations[name]
    const known = stored.relations?.[name] ?? []
    const before = name === 'categories' || name === 'tags' ? known.toSorted((a, b) => a - b) : known
    return relation && JSON.stringify(idsOf(relation)) !== JSON.stringify(before)
      ? [[name, [before, null]]]
      : []
  })
  return Object.fromEntries(changed)
}

/** The values of an event that an update changes. */
export const changedEventValues = ({
  values,
  stored,
  columns,
  times,
  publication,
  relations,
  image,
}: EventOutcome<StoredEvent>): Changed => ({
  ...beforeAndAfter(EVENT_FIELDS, {
    named: Object.keys(values),
    stored,
    columns: { ...columns, ...times, ...publication, slug: values.slug },
    image,
  }),
  ...changedRelations(relations, stored),
})

/** A pattern as requests have it. */
const asRecurrence = ({ rrule, rdate, exdate }: Pick<Pattern, 'rrule' | 'rdate' | 'exdate'>) => ({
  rrule,
  rdate,
  exdate,
})

/** The rule of an event that begins to be repeated, or is no more. */
export function changedRecurrence({ values, stored }: EventOutcome<StoredEvent>): Changed {
  const { recurrence } = values
  if (recurrence === '' && stored.series) return { recurrence: [asRecurrence(stored.series), ''] }
  return recurrence && repeats(recurrence) && !stored.series ? { recurrence: ['', recurrence] } : {}
}

/** The values of a series that a change of it changes, and what that makes of its dates: once, however many there are. */
export function changedSeries(
  { values, stored, times }: EventOutcome<StoredEvent & { series: StoredSeries }>,
  { changed, columns, relations, publication, pattern, plan }: SeriesChange,
): Changed {
  const named = Object.keys(changed)
  const before: Readonly<Record<string, unknown>> = stored
  const after: Readonly<Record<string, unknown>> = times
  const moved = TIMES.flatMap((name): [string, readonly [unknown, unknown]][] =>
    named.includes(name) && before[name] !== after[name] ? [[name, [before[name], after[name]]]] : [],
  )
  return {
    ...beforeAndAfter(EVENT_FIELDS, {
      named,
      stored: stored.series,
      columns: { ...columns, ...publication, slug: changed.slug },
      image: changed.image,
    }),
    ...Object.fromEntries(moved),
    ...changedRelations(relations, stored),
    ...(changed.recurrence && {
      recurrence: [
        asRecurrence(partOf(stored, scopeOf(values) === 'all').pattern),
        asRecurrence(pattern),
      ] as const,
    }),
    ...datesOf(stored, plan),
  }
}

/** What a plan makes of the dates of a series. */
function datesOf({ series }: { series: StoredSeries }, { changes, added }: Plan): Changed {
  const statuses = new Map(series.occurrences.map(({ id, status }) => [id, status]))
  const count = (isCounted: (change: Plan['changes'][number]) => unknown) => changes.filter(isCounted).length
  const dates = {
    made: added.length,
    moved: count(({ times, status }) => times && status !== 'trash'),
    dropped: count(({ status }) => status === 'trash'),
    back: count(({ id, status }) => status && status !== 'trash' && statuses.get(id) === 'trash'),
  }
  return Object.values(dates).some(n => n > 0) ? { dates: [null, dates] } : {}
}
