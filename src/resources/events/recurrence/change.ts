import type { RequestContext } from '../../../context.ts'
import type { Changed, UndoRequest } from '../../../db/audit.ts'
import { SERIES_SIZE } from '../../../lib/budgets.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { slugify } from '../../../lib/slug.ts'
import { withoutUndefined } from '../../../lib/values.ts'
import { storedImage } from '../../content/images.ts'
import { type Publication, publicationOf } from '../../content/publication.ts'
import { beforeAndAfter, changesRow, reverting } from '../../content/writes.ts'
import { columnsOf, type EventOutcome, type Times } from '../outcome.ts'
import { changedRelations, type Relations } from '../relations/resolve.ts'
import { EVENT_FIELDS, type EventValues } from '../schema.ts'
import { changedRow, restorationOf } from './exceptions.ts'
import {
  asRecurrence,
  columnsWith,
  movedPattern,
  occurrenceAt,
  type Pattern,
  patternColumns,
} from './pattern.ts'
import { checkedStarts, type OccurrenceChange, type Plan, patternOf, planOf } from './plan.ts'
import {
  checkLinks,
  type FieldName,
  fieldNamesOf,
  isDetachedIn,
  isRelation,
  isSharedField,
  namedRelation,
  seriesSlug,
  TEXT_FIELDS,
  TIMES,
  textsOf,
} from './shared.ts'
import { type EventOfSeries, partOf, type SeriesPart, type StoredEvent, scopeOf } from './stored.ts'
import type { PreparedSeries } from './write.ts'

/**
 * The names of the values that change an occurrence. Clients send back whole events to change one field. The fields
 * that they leave unchanged must not be detached from the series, nor written to all occurrences.
 */
export function changedNames(outcome: EventOutcome<StoredEvent>): FieldName[] {
  const { values, stored, columns, publication, times, image } = outcome
  const next: Readonly<Record<string, unknown>> = { ...columns, ...publication, ...times }
  const before: Readonly<Record<string, unknown>> = stored
  const relations = changedRelations(outcome.relations, stored.relations)
  return fieldNamesOf(values).filter(name => {
    if (name === 'image') return image !== undefined
    if (isRelation(name)) return name in relations
    if (name === 'slug') return values.slug !== '' && slugify(values.slug ?? '') !== stored.slug
    const named = EVENT_FIELDS[name].columns.filter(column => column !== 'timezone_abbr')
    return (
      named.length === 0 ||
      named.some(column => next[column] !== undefined && next[column] !== before[column])
    )
  })
}

/**
 * The values that change a series. If the named occurrence already has all of them, the request is about its own
 * fields, which all others are to get.
 */
function sharedValues(outcome: EventOutcome<StoredEvent>): EventValues {
  const { values, stored } = outcome
  const changed = changedNames(outcome)
  const isOfAll = values.recurrence !== undefined || changed.some(isSharedField)
  const detached = isOfAll ? [] : textsOf(stored.detached)
  const own = fieldNamesOf(values).filter(name => isSharedField(name) && isDetachedIn(detached, name))
  // The entries are a selection of the given values.
  return Object.fromEntries([...changed, ...own].map(name => [name, values[name]])) as EventValues
}

/** A change of a series, or of its occurrences from one of them on. */
export type SeriesChange = {
  /** The named occurrence, with its series, before the change. */
  stored: EventOfSeries
  /** The values that differ from the named occurrence. */
  changed: EventValues
  /** The columns of the series that these values set, except for its pattern, publication, slug and image. */
  columns: ReturnType<typeof columnsOf>
  times: Times
  relations: Relations
  publication: Publication
  /** The pattern of the changed part, before and after. */
  before: Pattern
  pattern: Pattern
  plan: Plan
  /** The part of the series before the named occurrence, if the rest becomes another series. */
  head?: Pattern
}

/**
 * Computes a change of a series.
 *
 * @param errors gets errors of the new recurrence, of times that its rule forbids, and of too many rows
 * @throws ApiError with all errors at once
 */
export function prepareChange(
  context: RequestContext,
  outcome: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): SeriesChange {
  const { values, stored, relations, times } = outcome
  const changed = sharedValues(outcome)
  const part = partOf(stored, scopeOf(values) === 'all')
  const { occurrences, head } = part
  const { pattern, move } = nextPattern(context, { changed, stored, part, times }, errors)
  errors.throwIfAny()
  const parameter = changed.recurrence ? 'recurrence' : namedTime(changed)
  const hasNewTimes = hasTimes(changed)
  const starts = hasNewTimes
    ? checkedStarts(context, pattern, reason => errors.add(parameter, reason))
    : undefined
  errors.throwIfAny()
  // Giving a rule to an occurrence whose series is in the trash takes the series out of the trash.
  const revived = values.recurrence && stored.series.status === 'trash' ? { status: stored.status } : {}
  const publication = publicationOf(context, { given: changed, stored: { ...stored.series, ...revived } })
  const plan = planOf({
    pattern,
    publication,
    now: context.now,
    occurrences,
    starts,
    move,
    hasNewTimes,
    hasNewStatus: changed.status !== undefined,
    hasNewSlug: changed.slug !== undefined,
  })
  checkSize({ changed, stored, plan }, reason => errors.add(namedRelation(changed) ?? parameter, reason))
  const columns = columnsOf(context, { values: changed, stored: stored.series }, errors)
  errors.throwIfAny()
  return {
    ...{ stored, changed, columns, times, publication, pattern, plan },
    before: part.pattern,
    // The entries are a selection of the given relations.
    relations: Object.fromEntries(
      Object.entries(relations).filter(([name]) => Object.hasOwn(changed, name)),
    ) as Relations,
    ...(head && { head }),
  }
}

/** Tells whether a change makes any difference to the series, or to its dates and their status. */
export const changesSeries = ({
  stored,
  changed,
  columns,
  publication,
  relations,
  before,
  pattern,
  plan,
}: SeriesChange): boolean =>
  changesRow({
    stored: { ...stored.series, ...patternColumns(before) },
    columns: { ...columns, ...publication, ...patternColumns(pattern), slug: changed.slug },
    image: changed.image,
  }) ||
  Object.keys(relations).length + plan.added.length > 0 ||
  plan.changes.some(({ status }) => status !== undefined)

/** Checks that a change of a series does not write too many rows. Dropped occurrences count, since they stay in the trash. */
function checkSize(
  { changed, stored, plan }: Pick<SeriesChange, 'changed' | 'stored' | 'plan'>,
  refuse: (reason: string) => void,
): void {
  const changesLinks = namedRelation(changed) !== undefined
  if (!hasTimes(changed) && !changesLinks) return
  const { changes, added } = plan
  const rows = changes.length + added.length
  if (added.length > 0 && rows > SERIES_SIZE.rows)
    refuse(
      `makes more than ${SERIES_SIZE.rows} occurrences, those in the trash included: delete some of these for good first`,
    )
  else if (added.length > 0 || changesLinks)
    checkLinks({ values: changed, rows, stored: stored.links }, refuse)
}

/** The name of a time that changes, preferably `all_day`, which does not suit every rule. */
const namedTime = (changed: EventValues): FieldName =>
  TIMES.findLast(name => changed[name] !== undefined) ?? 'start_date'

/** Tells whether values change the times of occurrences. */
const hasTimes = (changed: EventValues): boolean =>
  changed.recurrence !== undefined || TIMES.some(name => changed[name] !== undefined)

type Next = { changed: EventValues; stored: EventOfSeries; part: SeriesPart; times: Times }

function nextPattern(
  context: RequestContext,
  { changed, stored, part: { pattern: before, occurrences }, times }: Next,
  errors: ValidationErrors,
) {
  const choice = changed.recurrence || undefined
  const hasOtherStart = changed.start_date !== undefined || changed.all_day !== undefined
  const moved = TIMES.some(name => changed[name] !== undefined)
    ? movedPattern(
        {
          series: before,
          // The named occurrence may have had a start of its own.
          from: hasOtherStart ? occurrenceAt(before, stored.occurrence_date).start_date : undefined,
          to: times,
          namesRule: choice?.rrule !== undefined,
          dates: occurrences.map(({ occurrence_date }) => occurrence_date),
        },
        errors,
      )
    : { pattern: before, move: undefined }
  const pattern = choice
    ? patternOf(context, { choice, times: moved.pattern, before: moved.pattern }, errors)
    : moved.pattern
  return { ...moved, pattern }
}

/**
 * The row of a changed series, or, if it is divided, the row of the one that ends before an occurrence and that of a
 * new one for the rest.
 */
export function changedSeries(context: RequestContext, change: SeriesChange): PreparedSeries[] {
  const { stored, changed, relations, plan, head } = change
  const { series } = stored
  const fields = fieldNamesOf(changed)
  const columns = changedColumns(change)
  const next = {
    relations,
    image: changed.image,
    texts: head || fields.some(name => TEXT_FIELDS.includes(name)) ? { ...series, ...changed } : undefined,
    follows: fields,
    dates: { update: changesOf(change), stepAside: plan.stepAside, insert: plan.added },
  }
  const audited = {
    fields,
    changed: changedValues(change),
    undoBy: (before: object) => undoOf(change, before),
  }
  if (!head) return [{ ...next, ...audited, stored: series, columns }]
  const { id, version, external_id, uid, sequence, occurrences, ...common } = series
  return [
    { ...changedRow(series, columnsWith(context, head)), ...audited, isDivided: true, dates: { update: [] } },
    {
      ...next,
      // Subscribers already know the occurrences that move along, so their SEQUENCE must not decrease.
      columns: { ...common, sequence: sequence + version, ...withoutUndefined(columns) },
      keepsSlug: columns.slug === undefined,
      image: changed.image === undefined ? storedImage(series) : changed.image,
      fields: ['recurrence'],
      linksFrom: { series: id },
    },
  ]
}

/** The columns of a series after a change. An external id belongs to one event only. */
const changedColumns = ({ stored, changed, columns, publication, pattern, plan }: SeriesChange) => ({
  ...columns,
  ...publication,
  ...patternColumns(pattern),
  extend_from: plan.extend_from,
  external_id: undefined,
  slug: changed.slug && changed.slug !== stored.series.slug ? seriesSlug(changed.slug) : undefined,
})

const changesOf = ({ stored, changed: { external_id }, plan }: SeriesChange) =>
  external_id === undefined
    ? plan.changes
    : plan.changes.map(change => (change.id === stored.id ? { ...change, external_id } : change))

/** The requests that undo a change of a series: they restore its values through the same occurrence. */
const undoOf = ({ stored, changed }: SeriesChange, values: object): UndoRequest[] =>
  changed.status === 'trash'
    ? restorationOf(stored, values)
    : [reverting(`/events/${stored.id}?scope=all`, stored.version + 1, values)]

/** The values of a series that a change of it changes, and the numbers of dates that it makes, moves, drops and brings back. */
function changedValues(change: SeriesChange): Changed {
  const { stored, changed, columns, times, relations, publication, before, pattern } = change
  const named = Object.keys(changed)
  const moved = TIMES.flatMap((name): [string, Changed[string]][] =>
    named.includes(name) && stored[name] !== times[name] ? [[name, [stored[name], times[name]]]] : [],
  )
  return {
    ...beforeAndAfter(EVENT_FIELDS, {
      named,
      stored: stored.series,
      columns: { ...columns, ...publication, slug: changed.slug },
      image: changed.image,
    }),
    ...Object.fromEntries(moved),
    ...changedRelations(relations, stored.relations),
    ...(changed.recurrence && { recurrence: [asRecurrence(before), asRecurrence(pattern)] as const }),
    ...datesOf(change),
  }
}

/** The numbers of dates that a plan makes, moves, drops and brings back. */
function datesOf({ stored, plan: { changes, added } }: SeriesChange): Changed {
  const before = new Map(stored.series.occurrences.map(occurrence => [occurrence.id, occurrence]))
  const isMoved = ({ id, occurrence_date }: OccurrenceChange) =>
    before.get(id)?.occurrence_date !== occurrence_date
  const count = (isCounted: (change: OccurrenceChange) => unknown) => changes.filter(isCounted).length
  const dates = {
    made: added.length,
    // A change of the rule writes the times of all dates, also of those that stay where they are.
    moved: count(change => change.times && change.status !== 'trash' && isMoved(change)),
    dropped: count(({ status }) => status === 'trash'),
    back: count(({ id, status }) => status && status !== 'trash' && before.get(id)?.status === 'trash'),
  }
  return Object.values(dates).some(n => n > 0) ? { dates: [null, dates] } : {}
}
