import type { RequestContext } from '../../context.ts'
import type { Changed } from '../../db/audit.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { isOwnUid } from '../../lib/ical/lines.ts'
import { changedSlug, newSlug } from '../content/publication.ts'
import type { RelatedTarget } from '../content/related/writes.ts'
import { beforeAndAfter, changesRow, type PreparedRow } from '../content/writes.ts'
import { type EventOutcome, type FoundForEvents, outcomeOf } from './outcome.ts'
import { assertMayEditAll, changedSeries, isSeriesWide } from './recurrence/change.ts'
import { prepareNewSeries, prepareRepeated } from './recurrence/create.ts'
import { repeats } from './recurrence/fields.ts'
import { detach, endRecurrence, validateReturn } from './recurrence/one.ts'
import type { Pattern } from './recurrence/pattern.ts'
import type { Plan } from './recurrence/plan.ts'
import {
  changedNames,
  changesSeries,
  partOf,
  prepareChange,
  type SeriesChange,
} from './recurrence/series-change.ts'
import { RELATIONS, TEXT_FIELDS, TIMES } from './recurrence/shared.ts'
import { type EventOfSeries, type StoredEvent, type StoredSeries, scopeOf } from './recurrence/stored.ts'
import type { PreparedSeries } from './recurrence/write.ts'
import type { Relations, ResolvedTerms } from './relations/resolve.ts'
import { EVENT_FIELDS, type EventValues } from './schema.ts'
import { eventText } from './search.ts'

const isTerms = (relation: ResolvedTerms | readonly RelatedTarget[]): relation is ResolvedTerms =>
  'ids' in relation

/** The ids that a relation is to have. New targets are 0, which no stored list has. */
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
const changedEventValues = ({
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

/** The recurrence of an event that starts or stops repeating. */
function changedRecurrence({ values, stored }: EventOutcome<StoredEvent>): Changed {
  const { recurrence } = values
  if (recurrence === '' && stored.series) return { recurrence: [asRecurrence(stored.series), ''] }
  return recurrence && repeats(recurrence) && !stored.series ? { recurrence: ['', recurrence] } : {}
}

/** The values of a series that a change of it changes, and the numbers of dates that it makes, moves, drops and brings back. */
function changedSeriesValues(
  { values, stored, times }: EventOutcome<EventOfSeries>,
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

/** The numbers of dates that a plan makes, moves, drops and brings back. */
function datesOf({ series }: { series: StoredSeries }, { changes, added }: Plan): Changed {
  const before = new Map(series.occurrences.map(occurrence => [occurrence.id, occurrence]))
  const isMoved = ({ id, occurrence_date }: Plan['changes'][number]) =>
    before.get(id)?.occurrence_date !== occurrence_date
  const count = (isCounted: (change: Plan['changes'][number]) => unknown) => changes.filter(isCounted).length
  const dates = {
    made: added.length,
    // A change of the rule writes the times of all dates, also of those that stay where they are.
    moved: count(change => change.times && change.status !== 'trash' && isMoved(change)),
    dropped: count(({ status }) => status === 'trash'),
    back: count(({ id, status }) => status && status !== 'trash' && before.get(id)?.status === 'trash'),
  }
  return Object.values(dates).some(n => n > 0) ? { dates: [null, dates] } : {}
}

/** A row of `events` that is to be written, with its relations. */
export type PreparedEventRow = PreparedRow & {
  type: 'event'
  stored?: StoredEvent | undefined
  relations: Relations
  /** The text for searches, if it changes and isn't that of a series. */
  text: string | undefined
  /** The series that changes with an occurrence, or with an event that starts or ends a recurrence. */
  series?: readonly PreparedSeries[]
  /** True for an update that changes nothing, which is not written. */
  isUnchanged?: boolean
  /** The number of dates that a deletion leaves of a series. */
  remaining?: number
}

/** What is to be written of an event: its row, a new series, or a change of a series. */
export type PreparedEvent =
  | PreparedEventRow
  | { type: 'new series'; series: readonly PreparedSeries[] }
  | {
      type: 'series'
      series: readonly PreparedSeries[]
      /** The id of the event that the response shows. */
      shown: number
      /** Undefined for a deletion. */
      change?: SeriesChange
      /** The number of dates that a deletion leaves. */
      remaining?: number
    }

/** Tells an occurrence from a single event. */
const isOccurrence = (outcome: EventOutcome): outcome is EventOutcome<EventOfSeries> =>
  Boolean(outcome.stored?.series)

const isSingle = (outcome: EventOutcome): outcome is EventOutcome<StoredEvent> => outcome.stored !== undefined

/**
 * Works out what is to be written of an event.
 *
 * @throws ApiError `rest_forbidden` if the caller may not do this, and all errors at once
 */
export function prepareEvent(
  context: RequestContext,
  { values, found, stored }: { values: EventValues; found: FoundForEvents; stored?: StoredEvent | undefined },
  errors: ValidationErrors,
): PreparedEvent {
  if (stored?.series && isSeriesWide(values))
    assertMayEditAll(context, stored.series, stored.series.occurrences)
  // A date in the trash comes back with its series, which others may have published.
  else if (stored?.series && stored.status === 'trash') assertMayEditAll(context, stored.series, [])
  const { external_id = '' } = values
  if (external_id !== stored?.external_id && ['', context.host].some(host => isOwnUid(external_id, host)))
    errors.add('external_id', 'has the form of the UIDs that this calendar gives to its own events')
  const outcome: EventOutcome = outcomeOf(context, { values, found, stored }, errors)
  errors.throwIfAny()
  if (isOccurrence(outcome)) return preparedOccurrence(context, outcome, errors)
  const isRepeated = repeats(values.recurrence)
  if (!isSingle(outcome))
    return isRepeated
      ? { type: 'new series', series: [prepareNewSeries(context, outcome, errors)] }
      : preparedNew(context, outcome)
  if (!isRepeated) return preparedUpdate(outcome, { hasOwnText: true })
  const { columns, series } = prepareRepeated(context, outcome, errors)
  return preparedUpdate(outcome, { columns, series: [series] })
}

function preparedNew(context: RequestContext, outcome: EventOutcome): PreparedEventRow {
  const { values, columns, times, publication, relations } = outcome
  const title = values.title ?? ''
  return {
    type: 'event',
    columns: {
      ...columns,
      ...times,
      ...publication,
      title,
      website: values.website ?? '',
      author_id: values.author ?? context.caller.id,
      slug: newSlug({ slug: values.slug, name: title, status: publication.status, fallback: 'event' }),
    },
    image: values.image,
    fields: Object.keys(values),
    relations,
    text: eventText(values),
  }
}

type Further = {
  /** True if it is found by a text of its own, which follows from its columns. */
  hasOwnText?: boolean
  /** Another text by which it is found from now on. */
  text?: string | undefined
  columns?: Readonly<Record<string, unknown>>
  series?: readonly PreparedSeries[]
}

/** The update of one row. @param further columns and rows beside those of the values */
function preparedUpdate(
  outcome: EventOutcome<StoredEvent>,
  { hasOwnText = false, text, columns: others, series = [] }: Further,
): PreparedEventRow {
  const { values, stored, times, publication, image } = outcome
  const { status } = publication
  const naming = { slug: values.slug, name: values.title ?? stored.title, status, fallback: 'event' }
  const changed = { ...changedEventValues(outcome), ...changedRecurrence(outcome) }
  const isNewText = hasOwnText && TEXT_FIELDS.some(name => changed[name])
  const slug = changedSlug(naming, stored)
  const columns = {
    ...outcome.columns,
    ...times,
    ...(times.utc_start_date !== stored.utc_start_date && { previous_utc_start_date: stored.utc_start_date }),
    ...publication,
    ...others,
    slug,
  }
  // Forms send all fields. Links and texts that stay as they are are not written again.
  const relations = Object.fromEntries(Object.entries(outcome.relations).filter(([name]) => changed[name]))
  const isUnchanged =
    series.length + Object.keys(relations).length === 0 && !changesRow({ stored, columns, image })
  return {
    type: 'event',
    isUnchanged,
    stored,
    columns,
    slugOwner: stored.series?.slug,
    image,
    fields: Object.keys(values),
    changed,
    // Its other dates are in the trash then, and its former rule would not bring them back.
    isFinal: values.recurrence === '' && stored.series !== null,
    relations,
    text: isNewText ? eventText({ ...stored, ...values }) : text,
    series,
  }
}

function preparedOccurrence(
  context: RequestContext,
  outcome: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): PreparedEvent {
  const { values, stored } = outcome
  if (values.recurrence !== undefined && values.scope === 'this')
    errors.add('scope', 'must be all or following for a change of the recurrence')
  if (isSeriesWide(values)) {
    errors.throwIfAny()
    if (values.recurrence === '') {
      const { columns, series } = endRecurrence(context, outcome)
      return preparedUpdate(outcome, { columns, series: [series], text: eventText({ ...stored, ...values }) })
    }
    const change = prepareChange(context, outcome, errors)
    if (!changesSeries(change, scopeOf(values))) return unchangedRow(outcome)
    const series = changedSeries(context, change, changedSeriesValues(outcome, change))
    return { type: 'series', series, shown: stored.id, change }
  }
  validateReturn(stored, outcome.publication.status, errors)
  errors.throwIfAny()
  const changed = narrowed(outcome, changedNames(outcome))
  return preparedUpdate(changed, detach(context, changed))
}

/** An update that changes nothing: the series has everything that it asks for. */
const unchangedRow = ({ stored, values }: EventOutcome<EventOfSeries>): PreparedEventRow => ({
  type: 'event',
  isUnchanged: true,
  stored,
  columns: { status: stored.status },
  image: undefined,
  fields: Object.keys(values),
  changed: {},
  relations: {},
  text: undefined,
})

/** An outcome of some of its values. Texts that an occurrence shares with its series stay there unless they change. */
function narrowed<S extends StoredEvent>(
  outcome: EventOutcome<S>,
  names: readonly string[],
): EventOutcome<S> {
  const only = <T extends object>(given: T): T =>
    // A selection of the given entries, each of which may be absent.
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name))) as T
  const shared = Object.fromEntries(
    TEXT_FIELDS.filter(name => !names.includes(name)).map(name => [name, undefined]),
  )
  return {
    ...outcome,
    values: only(outcome.values),
    relations: only(outcome.relations),
    image: names.includes('image') ? outcome.image : undefined,
    columns: { ...outcome.columns, ...shared },
  }
}
