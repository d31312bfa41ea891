import type { BaseContext } from '../../../kit/context.ts'
import type { ChangedFields } from '../../../kit/db/audit.ts'
import { TEXT_FIELDS } from '../../../kit/db/event-expressions.ts'
import { SERIES_SIZE } from '../../../kit/lib/budgets.ts'
import type { ValidationErrors } from '../../../kit/lib/errors.ts'
import type { Reason } from '../../../kit/lib/reasons.ts'
import {
  asRecurrence,
  type MoveStart,
  movedPattern,
  occurrenceAt,
  type Pattern,
  patternIn,
} from '../../../kit/lib/recurrence/pattern.ts'
import { namedSlug } from '../../../kit/lib/slug.ts'
import { previousStartToStore, type Status } from '../../../kit/lib/statuses.ts'
import { pick, textsOf, withoutUndefined } from '../../../kit/lib/values.ts'
import { beforeAndAfter, changesRow } from '../../content/changed-values.ts'
import { storedImage } from '../../content/images.ts'
import { type Publication, publicationOf } from '../../content/publication.ts'
import { seriesSlug } from '../../content/slugs.ts'
import { updateAction } from '../../content/writes.ts'
import { columnsOfFields, type EventOutcome } from '../prepare.ts'
import {
  type DatesToWrite,
  effectsOnDates,
  type OwnColumns,
  planOf,
  type StoredOccurrence,
} from '../recurrence/occurrences.ts'
import {
  columnsWith,
  type EventOfSeries,
  patternColumns,
  type SeriesPart,
  type StoredEvent,
  scopeOf,
  seriesPart,
  TICKET_FIELDS,
} from '../recurrence/queries.ts'
import type { PreparedSeries } from '../recurrence/statements.ts'
import { checkedStarts, checkLinks, patternOf, storedStarts } from '../recurrence-fields.ts'
import { changedRelations, isRelation, RELATIONS } from '../relations/fields.ts'
import { EVENT_FIELDS, type EventValues, type FieldName, fieldNamesOf, isFieldName } from '../schema.ts'
import { columnsOfField, isDetachedIn, isSharedField, TIMES } from '../shared-fields.ts'
import { endedSeriesRow, firstPartOf } from './start-and-end.ts'

/**
 * The names of the values that change an occurrence. Clients send back whole events to change one field. The
 * fields that they leave unchanged must not be detached from the series, nor written to all occurrences.
 */
export function changedNames(outcome: EventOutcome<StoredEvent>): FieldName[] {
  const { values, stored, columns, publication, times, image } = outcome
  const next: Readonly<Record<string, unknown>> = { ...columns, ...publication, ...times }
  const before: Readonly<Record<string, unknown>> = stored
  const relations = changedRelations(outcome.relations, stored.relations)
  return fieldNamesOf(values).filter(name => {
    if (name === 'image') return image !== undefined
    if (isRelation(name)) return name in relations
    if (name === 'slug') return values.slug !== '' && namedSlug(values.slug ?? '') !== stored.slug
    const fieldColumns = EVENT_FIELDS[name].columns.filter(column => column !== 'timezone_abbr')
    return (
      fieldColumns.length === 0 ||
      fieldColumns.some(column => next[column] !== undefined && next[column] !== before[column])
    )
  })
}

/**
 * The names of the own fields of an occurrence whose values a request spreads to the other dates.
 *
 * @param errors gets an error for a field that the request does not give a value
 */
export function spreadNames(
  { values, stored }: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): FieldName[] {
  const { spread = [] } = values
  const sharedFields = fieldNamesOf(values).filter(isSharedField)
  const unknownField = spread.find(name => !sharedFields.some(other => other === name))
  if (unknownField !== undefined)
    errors.add(
      'spread',
      `must not name ${unknownField.slice(0, 64)}: the request has no such field of all dates`,
    )
  const detachedFields = textsOf(stored.detached)
  // Start and end are wall times, so the series keeps its zone unless the request spreads the zone itself.
  const isSpread = (name: FieldName): boolean =>
    name === 'timezone' ? spread.includes(name) : isDetachedIn(spread, name)
  return sharedFields.filter(name => isSpread(name) && isDetachedIn(detachedFields, name))
}

/** A change of a series, or of its occurrences from one occurrence on. */
type SeriesChange = Omit<EventOutcome<EventOfSeries>, 'columns' | 'publication'> & {
  /** The columns of the series that the values set, except for its pattern and image. */
  columns: ReturnType<typeof columnsOfFields> & Publication & { slug: string | undefined }
  part: SeriesPart
  pattern: Pattern
  isExpanded: boolean
  dates: Omit<DatesToWrite, 'remove'>
}

/**
 * Prepares a change of a series: its row or, if the series is divided, two rows: the series itself, which
 * ends before an occurrence, and a new series for the rest.
 *
 * @param outcome the outcome of the values that change the series
 * @param errors gets errors of the new recurrence, of times that its rule forbids, and of too many rows
 * @returns an empty list if the series has everything already
 * @throws ApiError with all errors at once
 */
export function prepareChange(
  context: BaseContext,
  outcome: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): PreparedSeries[] {
  const { values, stored } = outcome
  const { series } = stored
  const part = seriesPart(stored, scopeOf(values) === 'all')
  const { pattern, move } = nextPattern(context, outcome, part, errors)
  errors.throwIfAny()
  // Giving a rule to an occurrence whose series is in the trash takes the series out of the trash.
  const revived = values.recurrence && series.status === 'trash' ? { status: stored.status } : {}
  const publication = publicationOf(context, { values, stored: { ...series, ...revived } })
  const starts = nextStarts(context, { values, pattern, status: publication.status }, errors)
  const { mayEditParent } = outcome
  const columns = columnsOfFields(context, { values, stored: series, mayEditParent }, errors)
  errors.throwIfAny()
  const ownColumns = ownColumnsOfNamed(outcome, { columns, pattern, move })
  const plan = planOf({
    pattern,
    publication,
    now: context.clock.now(),
    occurrences: part.occurrences.map(occurrence =>
      ownColumns && occurrence.id === ownColumns.id
        ? { ...occurrence, detached: textsOf(ownColumns.detached) }
        : occurrence,
    ),
    starts,
    move,
    zoneBefore: part.pattern.timezone,
    hasNewTimes: hasTimes(values),
    hasNewStatus: values.status !== undefined,
    hasNewSlug: values.slug !== undefined,
  })
  const ownColumnsOfDates = [
    ...(ownColumns ? [ownColumns] : []),
    ...columnsOfTicketedDates(stored, part.occurrences),
  ]
  const dates = { ...plan, ...(ownColumnsOfDates.length > 0 && { own: ownColumnsOfDates }) }
  checkSize(outcome, dates, errors)
  errors.throwIfAny()
  const change = {
    ...outcome,
    part,
    pattern,
    dates,
    isExpanded: starts !== undefined,
    columns: { ...columns, ...publication, slug: values.slug },
  }
  if (makesDifference(change)) return changedSeries(context, change)
  // The other dates have these values already, so the series need not be divided.
  return ownColumns ? changedSeries(context, onlyNamed(change)) : []
}

/**
 * The other dates for which people register keep what the calendar says of their tickets, whatever a change
 * of all dates says.
 */
const columnsOfTicketedDates = (
  { id: namedId, idsWithDerivedTickets = [] }: EventOfSeries,
  occurrences: readonly StoredOccurrence[],
): OwnColumns[] =>
  occurrences.flatMap(({ id, detached }) =>
    id !== namedId && idsWithDerivedTickets.includes(id)
      ? { id, detached: JSON.stringify([...new Set([...detached, ...TICKET_FIELDS])]) }
      : [],
  )

/** A change of a series that leaves all dates except the named date unchanged. */
const onlyNamed = ({ stored, dates: { update = [], own }, ...change }: SeriesChange): SeriesChange => {
  const pattern = patternIn(stored.series)
  const dates = { update: update.filter(({ id }) => id === stored.id), own }
  const part = { pattern, occurrences: stored.series.occurrences }
  return { ...change, stored, part, pattern, isExpanded: false, dates }
}

/**
 * The own columns of the named occurrence, so that it has all values of the request. The occurrence follows
 * the series in values that the series gets as well. Otherwise it keeps its own values, with the requested
 * changes: a date on another day than the rule's stays there, and custom fields of its own stay unless the
 * request changes them.
 *
 * @param next the columns and the pattern of the series after the change
 * @returns undefined if the occurrence has no values of its own
 */
function ownColumnsOfNamed(
  { values, stored, columns, times }: EventOutcome<EventOfSeries>,
  next: { columns: Readonly<Record<string, unknown>>; pattern: Pattern; move: MoveStart | undefined },
): OwnColumns | undefined {
  const detachedFields = textsOf(stored.detached)
  const namedFields = fieldNamesOf(values).filter(isSharedField)
  const { pattern, move } = next
  const date = move?.(stored.occurrence_date) ?? stored.occurrence_date
  const seriesColumns: Readonly<Record<string, unknown>> = {
    ...next.columns,
    ...occurrenceAt(pattern, date),
    ...pick(pattern, 'timezone', 'all_day'),
  }
  const requestedColumns: Readonly<Record<string, unknown>> = { ...columns, ...times }
  const isFollowed = (name: FieldName): boolean =>
    columnsOfField(name).every(column => requestedColumns[column] === seriesColumns[column])
  const changedFields = namedFields.filter(name => !isFollowed(name))
  const fieldsBackToSeries = namedFields.filter(isFollowed)
  const stillDetached = detachedFields.filter(
    name => !(isFieldName(name) && isDetachedIn(fieldsBackToSeries, name)),
  )
  const detachedAfter = [...new Set([...stillDetached, ...changedFields])]
  if (changedFields.length === 0 && detachedAfter.length === detachedFields.length) return undefined
  return {
    id: stored.id,
    detached: JSON.stringify(detachedAfter),
    ...Object.fromEntries(
      changedFields.flatMap(columnsOfField).map(column => [column, requestedColumns[column]]),
    ),
    ...(changedFields.includes('start_date') && { previous_utc_start_date: previousStartToStore(stored) }),
    // The row of the series has the shared texts.
    ...Object.fromEntries(
      TEXTS_OF_SERIES.filter(name => fieldsBackToSeries.includes(name)).map(name => [name, '']),
    ),
  }
}

const TEXTS_OF_SERIES = ['description', 'excerpt'] as const

/** The starts after a change that moves dates or may restore some. */
function nextStarts(
  context: BaseContext,
  { values, pattern, status }: { values: EventValues; pattern: Pattern; status: Status },
  errors: ValidationErrors,
) {
  if (hasTimes(values))
    return checkedStarts(context, pattern, reason => errors.add(namedTime(values), reason))
  if (values.status === undefined || status === 'trash') return undefined
  return storedStarts(pattern, context.clock.now(), reason => errors.add('status', reason))
}

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
  update.some(({ id, status }) => status !== undefined && id !== stored.id)

/**
 * Checks that a change of a series does not write too many rows. Dropped occurrences count, since they stay
 * in the trash.
 */
function checkSize(
  { values, stored }: EventOutcome<EventOfSeries>,
  { insert = [], update = [] }: SeriesChange['dates'],
  errors: ValidationErrors,
): void {
  const relation = RELATIONS.find(name => values[name] !== undefined)
  const refuse = (reason: Reason) => errors.add(relation ?? namedTime(values), reason)
  const occurrenceCount = update.length + insert.length
  const addsDates = hasTimes(values) && insert.length > 0
  if (addsDates && occurrenceCount > SERIES_SIZE.rows)
    refuse(
      `must not make more than ${SERIES_SIZE.rows} occurrences, those in the trash included: delete some of these for good first`,
    )
  else if (relation || addsDates) checkLinks({ values, occurrenceCount, stored: stored.links }, refuse)
}

/**
 * The name of a field that changes the times, preferably the recurrence, or `all_day`, which does not suit
 * every rule.
 */
const namedTime = (values: EventValues): FieldName =>
  values.recurrence ? 'recurrence' : (TIMES.findLast(name => values[name] !== undefined) ?? 'start_date')

const hasTimes = (values: EventValues): boolean =>
  values.recurrence !== undefined || TIMES.some(name => values[name] !== undefined)

function nextPattern(
  context: BaseContext,
  { values, stored, times }: EventOutcome<EventOfSeries>,
  { pattern: before, occurrences }: SeriesPart,
  errors: ValidationErrors,
) {
  const choice = values.recurrence || undefined
  // Times that are spread move the other dates from the times that the series has.
  const isSpread = isDetachedIn(values.spread ?? [], 'start_date')
  const moved = TIMES.some(name => values[name] !== undefined)
    ? movedPattern(
        {
          series: before,
          date: stored.occurrence_date,
          stored: isSpread ? occurrenceAt(before, stored.occurrence_date) : stored,
          to: {
            ...times,
            ...(values.timezone === undefined && pick(before, 'timezone')),
            ...(values.all_day === undefined && pick(before, 'all_day')),
          },
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

/** The row of a changed series, or the rows of both parts. */
function changedSeries(context: BaseContext, change: SeriesChange): PreparedSeries[] {
  const { stored, values, relations, part, dates } = change
  const { series } = stored
  const fields = fieldNamesOf(values)
  const columns = columnsOfRow(context, change)
  const changedPart = {
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
  }
  if (!part.head) return [{ ...changedPart, ...audited, stored: series, columns }]
  const { id, version, external_id, uid, sequence_offset, occurrences, rdate, exdate, ...common } = series
  return [
    {
      ...endedSeriesRow(context, series, part.head),
      fields: ['recurrence'],
      changed: { recurrence: [asRecurrence(patternIn(series)), asRecurrence(part.head)] },
      isDivided: true,
      dates: { update: [] },
    },
    {
      ...changedPart,
      // To its dates, the new series is the old one as the request has changed it.
      action: updateAction(audited.changed),
      changed: audited.changed,
      fields: [...new Set<string>([...fields, 'recurrence'])],
      // Subscribers already know the occurrences that move along, so their SEQUENCE must not decrease.
      columns: {
        ...common,
        sequence_offset: sequence_offset + version,
        former_series_id: firstPartOf(series),
        ...withoutUndefined(columns),
      },
      keepsSlug: columns.slug === undefined,
      image: values.image === undefined ? storedImage(series) : values.image,
      linksFrom: { series: id },
    },
  ]
}

/** The columns of a series after a change. An external id belongs to one event only. */
const columnsOfRow = (
  context: BaseContext,
  { stored, values: { slug }, columns, pattern, isExpanded }: SeriesChange,
) => ({
  ...columns,
  ...(isExpanded ? columnsWith(context, pattern) : patternColumns(pattern)),
  external_id: undefined,
  slug: slug && slug !== stored.series.slug ? seriesSlug(slug) : undefined,
})

/**
 * The changes of the occurrences. The occurrence that the request names also gets the external id of the
 * request.
 */
const updatesOf = ({ stored, values: { external_id }, dates: { update = [] } }: SeriesChange) =>
  external_id === undefined
    ? update
    : update.map(change => (change.id === stored.id ? { ...change, external_id } : change))

/**
 * The values of a series that a change affects, and the numbers of dates that it makes, moves, drops and
 * restores.
 */
function changedValues({
  stored,
  values,
  columns,
  times,
  relations,
  part,
  pattern,
  dates,
}: SeriesChange): ChangedFields {
  const names = Object.keys(values)
  const changedTimes = TIMES.flatMap((name): [string, ChangedFields[string]][] =>
    names.includes(name) && stored[name] !== times[name] ? [[name, [stored[name], times[name]]]] : [],
  )
  const { remaining: _, ...effects } = effectsOnDates(stored.series.occurrences, dates, pattern.all_day)
  const counts = Object.entries(effects).map(([name, { length }]) => [name, length] as const)
  return {
    ...beforeAndAfter(EVENT_FIELDS, {
      namedFields: names,
      stored: stored.series,
      columns,
      image: values.image,
    }),
    ...Object.fromEntries(changedTimes),
    ...changedRelations(relations, stored.relations),
    ...(values.recurrence && {
      recurrence: [asRecurrence(part.pattern), asRecurrence(pattern)] as const,
    }),
    ...(counts.some(([, n]) => n > 0) && { dates: [null, Object.fromEntries(counts)] as const }),
  }
}
