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
import { checkedStarts, patternOf, storedStarts } from './create.ts'
import { endedRow, restorationOf } from './exceptions.ts'
import {
  asRecurrence,
  columnsWith,
  movedPattern,
  occurrenceAt,
  type Pattern,
  patternColumns,
} from './pattern.ts'
import { type DatesToWrite, effectsOnDates, planOf } from './plan.ts'
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
type SeriesChange = {
  /** The named occurrence, with its series, before the change. */
  stored: EventOfSeries
  /** The values that differ from the named occurrence. */
  changed: EventValues
  /** The columns of the series that these values set, except for its pattern and image. */
  columns: ReturnType<typeof columnsOf> & Publication & { slug: string | undefined }
  times: Times
  relations: Relations
  part: SeriesPart
  /** The pattern of the part after the change. */
  pattern: Pattern
  /** True if the rule was expanded. */
  isExpanded: boolean
  dates: Pick<DatesToWrite, 'insert' | 'update' | 'stepAside'>
}

/**
 * Prepares a change of a series: its row, or, if it is divided, the row of the one that ends before an occurrence and
 * that of a new one for the rest.
 *
 * @param errors gets errors of the new recurrence, of times that its rule forbids, and of too many rows
 * @returns an empty list if the series has everything already
 * @throws ApiError with all errors at once
 */
export function prepareChange(
  context: RequestContext,
  outcome: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): PreparedSeries[] {
  const { values, stored, times } = outcome
  const { series } = stored
  const changed = sharedValues(outcome)
  const part = partOf(stored, scopeOf(values) === 'all')
  const { pattern, move } = nextPattern(context, { changed, stored, part, times }, errors)
  errors.throwIfAny()
  // Giving a rule to an occurrence whose series is in the trash takes the series out of the trash.
  const revived = values.recurrence && series.status === 'trash' ? { status: stored.status } : {}
  const publication = publicationOf(context, { given: changed, stored: { ...series, ...revived } })
  const starts = nextStarts(context, { changed, pattern, publication }, errors)
  errors.throwIfAny()
  const dates = planOf({
    ...{ pattern, publication, now: context.now, occurrences: part.occurrences, starts, move },
    hasNewTimes: hasTimes(changed),
    hasNewStatus: changed.status !== undefined,
    hasNewSlug: changed.slug !== undefined,
  })
  checkSize({ changed, stored, dates }, errors)
  const columns = columnsOf(context, { values: changed, stored: series }, errors)
  errors.throwIfAny()
  const change = {
    ...{ stored, changed, times, part, pattern, dates, isExpanded: starts !== undefined },
    columns: { ...columns, ...publication, slug: changed.slug },
    // The entries are a selection of the given relations.
    relations: Object.fromEntries(
      Object.entries(outcome.relations).filter(([name]) => Object.hasOwn(changed, name)),
    ) as Relations,
  }
  return makesDifference(change) ? changedSeries(context, change) : []
}

/** The starts after a change that moves dates or may bring some back. */
function nextStarts(
  context: RequestContext,
  { changed, pattern, publication }: Pick<SeriesChange, 'changed' | 'pattern'> & { publication: Publication },
  errors: ValidationErrors,
) {
  if (hasTimes(changed))
    return checkedStarts(context, pattern, reason => errors.add(namedTime(changed), reason))
  if (changed.status === undefined || publication.status === 'trash') return undefined
  return storedStarts(pattern, context.now, reason => errors.add('status', reason))
}

/** Tells whether a change makes any difference to the series, or to its dates and their status. */
const makesDifference = ({
  stored,
  changed,
  columns,
  relations,
  part,
  pattern,
  dates: { insert = [], update = [] },
}: SeriesChange): boolean =>
  changesRow({
    stored: { ...stored.series, ...patternColumns(part.pattern) },
    columns: { ...columns, ...patternColumns(pattern) },
    image: changed.image,
  }) ||
  Object.keys(relations).length + insert.length > 0 ||
  update.some(({ status }) => status !== undefined)

/** Checks that a change of a series does not write too many rows. Dropped occurrences count, since they stay in the trash. */
function checkSize(
  {
    changed,
    stored,
    dates: { insert = [], update = [] },
  }: Pick<SeriesChange, 'changed' | 'stored' | 'dates'>,
  errors: ValidationErrors,
): void {
  const relation = namedRelation(changed)
  const refuse = (reason: string) => errors.add(relation ?? namedTime(changed), reason)
  const rows = update.length + insert.length
  if (hasTimes(changed) && insert.length > 0 && rows > SERIES_SIZE.rows)
    refuse(
      `makes more than ${SERIES_SIZE.rows} occurrences, those in the trash included: delete some of these for good first`,
    )
  else if (relation || (hasTimes(changed) && insert.length > 0))
    checkLinks({ values: changed, rows, stored: stored.links }, refuse)
}

/** The name of a field that changes the times, preferably the recurrence, or `all_day`, which does not suit every rule. */
const namedTime = (changed: EventValues): FieldName =>
  changed.recurrence ? 'recurrence' : (TIMES.findLast(name => changed[name] !== undefined) ?? 'start_date')

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

/** The row of a changed series, or those of both parts. */
function changedSeries(context: RequestContext, change: SeriesChange): PreparedSeries[] {
  const { stored, changed, relations, part, dates } = change
  const { series } = stored
  const fields = fieldNamesOf(changed)
  const columns = columnsOfRow(context, change)
  const next = {
    relations,
    image: changed.image,
    texts:
      part.head || fields.some(name => TEXT_FIELDS.includes(name)) ? { ...series, ...changed } : undefined,
    follows: fields,
    dates: { ...dates, update: updatesOf(change) },
  }
  const audited = {
    fields,
    changed: changedValues(change),
    undoBy: (before: object) => undoOf(change, before),
  }
  if (!part.head) return [{ ...next, ...audited, stored: series, columns }]
  const { id, version, external_id, uid, sequence, occurrences, ...common } = series
  return [
    { ...endedRow(context, series, part.head), ...audited, isDivided: true, dates: { update: [] } },
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
const columnsOfRow = (
  context: RequestContext,
  { stored, changed: { slug }, columns, pattern, isExpanded }: SeriesChange,
) => ({
  ...columns,
  ...(isExpanded ? columnsWith(context, pattern) : patternColumns(pattern)),
  external_id: undefined,
  slug: slug && slug !== stored.series.slug ? seriesSlug(slug) : undefined,
})

/** The changes of the occurrences, of which the named one gets an external id that the request gives. */
const updatesOf = ({ stored, changed: { external_id }, dates: { update = [] } }: SeriesChange) =>
  external_id === undefined
    ? update
    : update.map(change => (change.id === stored.id ? { ...change, external_id } : change))

/** The requests that undo a change of a series: they restore its values through the same occurrence. */
const undoOf = ({ stored, changed }: SeriesChange, values: object): UndoRequest[] =>
  changed.status === 'trash'
    ? restorationOf(stored, values)
    : [reverting(`/events/${stored.id}?scope=all`, stored.version + 1, values)]

/** The values of a series that a change of it changes, and the numbers of dates that it makes, moves, drops and brings back. */
function changedValues({
  stored,
  changed,
  columns,
  times,
  relations,
  part,
  pattern,
  dates,
}: SeriesChange): Changed {
  const named = Object.keys(changed)
  const moved = TIMES.flatMap((name): [string, Changed[string]][] =>
    named.includes(name) && stored[name] !== times[name] ? [[name, [stored[name], times[name]]]] : [],
  )
  const { left: _, ...effects } = effectsOnDates(stored.series.occurrences, dates)
  const counts = Object.entries(effects).map(([name, { length }]) => [name, length])
  return {
    ...beforeAndAfter(EVENT_FIELDS, { named, stored: stored.series, columns, image: changed.image }),
    ...Object.fromEntries(moved),
    ...changedRelations(relations, stored.relations),
    ...(changed.recurrence && {
      recurrence: [asRecurrence(part.pattern), asRecurrence(pattern)] as const,
    }),
    ...(counts.some(([, n]) => n) && { dates: [null, Object.fromEntries(counts)] as const }),
  }
}
