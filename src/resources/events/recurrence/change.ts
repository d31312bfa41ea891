import type { RequestContext } from '../../../context.ts'
import type { Changed, UndoRequest } from '../../../db/audit.ts'
import { TEXT_FIELDS } from '../../../db/derived.ts'
import { seriesSlug } from '../../../db/slugs.ts'
import { SERIES_SIZE } from '../../../lib/budgets.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { slugify } from '../../../lib/slug.ts'
import { textsOf, withoutUndefined } from '../../../lib/values.ts'
import { beforeAndAfter, changesRow, reverting } from '../../content/changed-values.ts'
import { storedImage } from '../../content/images.ts'
import { type Publication, publicationOf } from '../../content/publication.ts'
import { columnsOf, type EventOutcome } from '../outcome.ts'
import { isRelation, RELATIONS } from '../relations/choices.ts'
import { changedRelations } from '../relations/resolve.ts'
import { EVENT_FIELDS, type EventValues, type FieldName, fieldNamesOf } from '../schema.ts'
import { checkedStarts, checkLinks, patternOf, storedStarts } from './create.ts'
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
import { isDetachedIn, isSharedField, TIMES } from './shared-fields.ts'
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
 * The names of the values that change a series. If the named occurrence already has all of them, the request is about
 * its own fields, which all others are to get.
 */
export function sharedNames(outcome: EventOutcome<StoredEvent>): FieldName[] {
  const { values, stored } = outcome
  const changed = changedNames(outcome)
  const isOfAll = values.recurrence !== undefined || changed.some(isSharedField)
  const detached = isOfAll ? [] : textsOf(stored.detached)
  const own = fieldNamesOf(values).filter(name => isSharedField(name) && isDetachedIn(detached, name))
  return [...changed, ...own]
}

/** A change of a series, or of its occurrences from one of them on. */
type SeriesChange = Omit<EventOutcome<EventOfSeries>, 'columns' | 'publication'> & {
  /** The columns of the series that the values set, except for its pattern and image. */
  columns: ReturnType<typeof columnsOf> & Publication & { slug: string | undefined }
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
 * @param outcome that of the values which change the series
 * @param errors gets errors of the new recurrence, of times that its rule forbids, and of too many rows
 * @returns an empty list if the series has everything already
 * @throws ApiError with all errors at once
 */
export function prepareChange(
  context: RequestContext,
  outcome: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): PreparedSeries[] {
  const { values, stored } = outcome
  const { series } = stored
  const part = partOf(stored, scopeOf(values) === 'all')
  const { pattern, move } = nextPattern(context, { ...outcome, part }, errors)
  errors.throwIfAny()
  // Giving a rule to an occurrence whose series is in the trash takes the series out of the trash.
  const revived = values.recurrence && series.status === 'trash' ? { status: stored.status } : {}
  const publication = publicationOf(context, { given: values, stored: { ...series, ...revived } })
  const starts = nextStarts(context, { values, pattern, publication }, errors)
  errors.throwIfAny()
  const dates = planOf({
    pattern,
    publication,
    now: context.now,
    occurrences: part.occurrences,
    starts,
    move,
    hasNewTimes: hasTimes(values),
    hasNewStatus: values.status !== undefined,
    hasNewSlug: values.slug !== undefined,
  })
  checkSize({ values, stored, dates }, errors)
  const { mayEditParent } = outcome
  const columns = columnsOf(context, { values, stored: series, mayEditParent }, errors)
  errors.throwIfAny()
  const change = {
    ...outcome,
    part,
    pattern,
    dates,
    isExpanded: starts !== undefined,
    columns: { ...columns, ...publication, slug: values.slug },
  }
  return makesDifference(change) ? changedSeries(context, change) : []
}

/** The starts after a change that moves dates or may bring some back. */
function nextStarts(
  context: RequestContext,
  {
    values,
    pattern,
    publication: { status },
  }: Pick<SeriesChange, 'values' | 'pattern'> & { publication: Publication },
  errors: ValidationErrors,
) {
  if (hasTimes(values))
    return checkedStarts(context, pattern, reason => errors.add(namedTime(values), reason))
  if (values.status === undefined || status === 'trash') return undefined
  return storedStarts(pattern, context.now, reason => errors.add('status', reason))
}

/** Tells whether a change makes any difference to the series, or to its dates and their status. */
const makesDifference = ({
  stored,
  values,
  columns,
  relations,
  part,
  pattern,
  dates: { insert = [], update = [] },
}: SeriesChange): boolean =>
  changesRow({
    stored: { ...stored.series, ...patternColumns(part.pattern) },
    columns: { ...columns, ...patternColumns(pattern) },
    image: values.image,
  }) ||
  Object.keys(relations).length + insert.length > 0 ||
  update.some(({ status }) => status !== undefined)

/** Checks that a change of a series does not write too many rows. Dropped occurrences count, since they stay in the trash. */
function checkSize(
  { values, stored, dates: { insert = [], update = [] } }: Pick<SeriesChange, 'values' | 'stored' | 'dates'>,
  errors: ValidationErrors,
): void {
  const relation = RELATIONS.find(name => values[name] !== undefined)
  const refuse = (reason: string) => errors.add(relation ?? namedTime(values), reason)
  const rows = update.length + insert.length
  if (hasTimes(values) && insert.length > 0 && rows > SERIES_SIZE.rows)
    refuse(
      `makes more than ${SERIES_SIZE.rows} occurrences, those in the trash included: delete some of these for good first`,
    )
  else if (relation || (hasTimes(values) && insert.length > 0))
    checkLinks({ values, rows, stored: stored.links }, refuse)
}

/** The name of a field that changes the times, preferably the recurrence, or `all_day`, which does not suit every rule. */
const namedTime = (values: EventValues): FieldName =>
  values.recurrence ? 'recurrence' : (TIMES.findLast(name => values[name] !== undefined) ?? 'start_date')

/** Tells whether values change the times of occurrences. */
const hasTimes = (values: EventValues): boolean =>
  values.recurrence !== undefined || TIMES.some(name => values[name] !== undefined)

function nextPattern(
  context: RequestContext,
  {
    values,
    stored,
    times,
    part: { pattern: before, occurrences },
  }: Pick<SeriesChange, 'values' | 'stored' | 'times' | 'part'>,
  errors: ValidationErrors,
) {
  const choice = values.recurrence || undefined
  const hasOtherStart = values.start_date !== undefined || values.all_day !== undefined
  const moved = TIMES.some(name => values[name] !== undefined)
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
  const { stored, values, relations, part, dates } = change
  const { series } = stored
  const fields = fieldNamesOf(values)
  const columns = columnsOfRow(context, change)
  const next = {
    relations,
    image: values.image,
    texts:
      part.head || fields.some(name => TEXT_FIELDS.includes(name)) ? { ...series, ...values } : undefined,
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
      image: values.image === undefined ? storedImage(series) : values.image,
      fields: ['recurrence'],
      linksFrom: { series: id },
    },
  ]
}

/** The columns of a series after a change. An external id belongs to one event only. */
const columnsOfRow = (
  context: RequestContext,
  { stored, values: { slug }, columns, pattern, isExpanded }: SeriesChange,
) => ({
  ...columns,
  ...(isExpanded ? columnsWith(context, pattern) : patternColumns(pattern)),
  external_id: undefined,
  slug: slug && slug !== stored.series.slug ? seriesSlug(slug) : undefined,
})

/** The changes of the occurrences, of which the named one gets an external id that the request gives. */
const updatesOf = ({ stored, values: { external_id }, dates: { update = [] } }: SeriesChange) =>
  external_id === undefined
    ? update
    : update.map(change => (change.id === stored.id ? { ...change, external_id } : change))

/** The requests that undo a change of a series: they restore its values through the same occurrence. */
const undoOf = ({ stored, values: { status } }: SeriesChange, before: object): UndoRequest[] =>
  status === 'trash'
    ? restorationOf(stored, before)
    : [reverting(`/events/${stored.id}?scope=all`, stored.version + 1, before)]

/** The values of a series that a change of it changes, and the numbers of dates that it makes, moves, drops and brings back. */
function changedValues({
  stored,
  values,
  columns,
  times,
  relations,
  part,
  pattern,
  dates,
}: SeriesChange): Changed {
  const named = Object.keys(values)
  const moved = TIMES.flatMap((name): [string, Changed[string]][] =>
    named.includes(name) && stored[name] !== times[name] ? [[name, [stored[name], times[name]]]] : [],
  )
  const { left: _, ...effects } = effectsOnDates(stored.series.occurrences, dates)
  const counts = Object.entries(effects).map(([name, { length }]) => [name, length])
  return {
    ...beforeAndAfter(EVENT_FIELDS, { named, stored: stored.series, columns, image: values.image }),
    ...Object.fromEntries(moved),
    ...changedRelations(relations, stored.relations),
    ...(values.recurrence && {
      recurrence: [asRecurrence(part.pattern), asRecurrence(pattern)] as const,
    }),
    ...(counts.some(([, n]) => n) && { dates: [null, Object.fromEntries(counts)] as const }),
  }
}
