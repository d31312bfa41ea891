import { sql } from 'drizzle-orm'
import type { BaseContext } from '../../../kit/context.ts'
import { newestId } from '../../../kit/db/bulk.ts'
import { TEXT_FIELDS } from '../../../kit/db/event-expressions.ts'
import { events, series } from '../../../kit/db/tables.ts'
import type { ValidationErrors } from '../../../kit/lib/errors.ts'
import { codedReason, type Reason } from '../../../kit/lib/reasons.ts'
import { hasStart, type Pattern, patternIn } from '../../../kit/lib/recurrence/pattern.ts'
import { slugBase, untrashedSlug } from '../../../kit/lib/slug.ts'
import type { Status } from '../../../kit/lib/statuses.ts'
import { pick, textsOf, withoutUndefined } from '../../../kit/lib/values.ts'
import { storedImage } from '../../content/images.ts'
import { modifiedNow } from '../../content/publication.ts'
import { seriesSlug } from '../../content/slugs.ts'
import { deletedName } from '../../content/trash.ts'
import { type EventOutcome, newColumns } from '../prepare.ts'
import {
  effectsOnDates,
  type NewOccurrence,
  newOccurrences,
  trashingChange,
} from '../recurrence/occurrences.ts'
import {
  columnsWith,
  type EventOfSeries,
  type SeriesPart,
  type SeriesRow,
  type StoredEvent,
  seriesPart,
} from '../recurrence/queries.ts'
import type { PreparedSeries } from '../recurrence/statements.ts'
import { checkedStarts, checkLinks, MAX_DATES, patternOf } from '../recurrence-fields.ts'
import { type EventValues, type FieldName, fieldNamesOf } from '../schema.ts'
import { eventText, occurrenceText } from '../search.ts'
import { ALL_COPIED, isSharedField } from '../shared-fields.ts'

// The beginning of a series, the dates that leave it, and its end.

/**
 * Computes the columns and dates of a new series, or of the series that an event becomes.
 *
 * @param errors gets the errors of the recurrence
 * @throws ApiError with all errors at once
 */
function newSeries(
  context: BaseContext,
  { values, stored, times, publication }: EventOutcome,
  errors: ValidationErrors,
) {
  const pattern = patternOf(context, { choice: values.recurrence || {}, times }, errors)
  errors.throwIfAny()
  const refuse = (reason: Reason) => errors.add('recurrence', reason)
  const starts = checkedStarts(context, pattern, refuse)
  checkLinks({ values, occurrenceCount: starts.length, stored: stored?.links }, refuse)
  if (stored && pattern.exdate.includes(pattern.start_date))
    refuse(codedReason('rule_excludes_all', 'must not leave out the event itself'))
  errors.throwIfAny()
  return {
    columns: { ...columnsWith(context, pattern), ...publication },
    dates: newOccurrences({ pattern, publication, now: context.clock.now() }, starts),
  }
}

/** Prepares a new series with its dates. @throws ApiError with all errors at once */
export function prepareNewSeries(
  context: BaseContext,
  outcome: EventOutcome,
  errors: ValidationErrors,
): PreparedSeries {
  const { values, relations, image } = outcome
  const { columns, dates } = newSeries(context, outcome, errors)
  return {
    columns: {
      ...newColumns(context, outcome),
      ...columns,
      slug: seriesSlug(
        slugBase({
          slug: values.slug,
          name: values.title ?? '',
          language: context.settings.website.language,
          fallback: 'event',
        }),
      ),
    },
    image,
    fields: Object.keys(values),
    relations,
    texts: values,
    dates: { insert: dates },
  }
}

/** A SELECT of the first date's id, in the series that the transaction has just created. */
export const firstDateOfNewSeries = sql`(SELECT id FROM ${events} WHERE series_id = ${newestId(series)}
  ORDER BY occurrence_date LIMIT 1)`

/**
 * Prepares the series whose first date a stored event becomes, and empties the columns that the event now
 * shares with the series.
 *
 * @throws ApiError with all errors at once
 */
export function startRecurrence(
  context: BaseContext,
  outcome: EventOutcome<StoredEvent>,
  errors: ValidationErrors,
) {
  const { values, columns, stored, image } = outcome
  const { id, version, slug, uid, sequence_offset } = stored
  const { columns: ofSeries, dates } = newSeries(context, outcome, errors)
  const isFirst = ({ occurrence_date }: NewOccurrence) => occurrence_date === ofSeries.start_date
  const after = { ...stored, ...withoutUndefined(columns) }
  const copiedFields = [...ALL_COPIED, 'description', 'excerpt', 'external_id'] as const
  const series: PreparedSeries = {
    columns: {
      ...pick(after, ...copiedFields),
      ...ofSeries,
      slug: seriesSlug(untrashedSlug(slug)),
      // Subscribers know the event by this UID, so the series must have a higher SEQUENCE.
      uid: uid || `event-${id}@`,
      sequence_offset: sequence_offset + version + 1,
      former_series_id: stored.former_series_id,
    },
    slugOwner: id,
    image: image === undefined ? storedImage(stored) : image,
    fields: ['recurrence'],
    relations: {},
    linksFrom: { event: id },
    texts: { ...stored, ...values },
    dates: {
      update: dates.filter(isFirst).map(({ occurrence_date, suffix }) => ({ id, occurrence_date, suffix })),
      insert: dates.filter(date => !isFirst(date)),
    },
  }
  return { columns: { description: '', excerpt: '' }, series: [series] }
}

/** The names of the fields that an update of one occurrence detaches from its series. */
const detachedBy = (changed: EventValues, status: string, stored: EventOfSeries): FieldName[] =>
  fieldNamesOf(changed).filter(name => {
    if (!isSharedField(name)) return false
    // An occurrence in the trash is a date that the series excludes. Once restored, it follows the series
    // again.
    return name !== 'status' || (status !== 'trash' && status !== stored.series.status)
  })

/**
 * Detaches the changed fields of one occurrence from its series.
 *
 * @param errors gets an error if a date comes back from the trash to a series that has no room for another
 *   additional date
 */
export function detach(
  context: BaseContext,
  { values: changedValues, publication: { status }, stored }: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
) {
  const detachedFields = new Set([...textsOf(stored.detached), ...detachedBy(changedValues, status, stored)])
  const changesText = fieldNamesOf(changedValues).some(name => TEXT_FIELDS.includes(name))
  return {
    columns: { detached: JSON.stringify([...detachedFields]) },
    text: changesText ? occurrenceText({ ...stored, ...changedValues }) : undefined,
    series: movedDate(context, stored, status, errors),
  }
}

/**
 * The series of a date that goes to the trash (the series then excludes it) or comes back; nothing for other
 * dates.
 */
function movedDate(
  context: BaseContext,
  stored: EventOfSeries,
  status: Status,
  errors: ValidationErrors,
): PreparedSeries[] {
  if ((status === 'trash') === (stored.status === 'trash')) return []
  if (status === 'trash') return [withoutDate(context, stored)]
  const { series, occurrence_date } = stored
  const pattern = withDate(patternIn(series), occurrence_date)
  if (pattern.rdate.length > Math.max(MAX_DATES, series.rdate.length))
    errors.add('status', `its series has ${MAX_DATES} additional dates already`)
  return [changedSeriesRow(series, columnsWith(context, pattern))]
}

/** The row of a series that gets another pattern, or other columns that its dates don't have. */
export const changedSeriesRow = (stored: SeriesRow, columns: PreparedSeries['columns']): PreparedSeries => ({
  stored,
  columns,
  image: undefined,
  relations: {},
  fields: ['recurrence'],
})

/** The series of a date that is deleted: it excludes the date, so that it does not come back. */
export const withoutDate = (
  context: BaseContext,
  { series, occurrence_date }: EventOfSeries,
): PreparedSeries =>
  changedSeriesRow(series, columnsWith(context, patternWithout(patternIn(series), occurrence_date)))

const patternWithout = (pattern: Pattern, date: string): Pattern =>
  pattern.exdate.includes(date) ? pattern : { ...pattern, exdate: [...pattern.exdate, date].sort() }

/** The pattern, with a date included by its rule or as an additional date. */
function withDate(pattern: Pattern, date: string): Pattern {
  const included = { ...pattern, exdate: pattern.exdate.filter(other => other !== date) }
  return hasStart(included, date) ? included : { ...included, rdate: [...included.rdate, date].sort() }
}

/** The id of the series by which subscriptions know all parts that are divided from a series. */
export const firstPartOf = ({ id, former_series_id }: SeriesRow): number => former_series_id ?? id

/** The row of a series that ends: before an occurrence, or altogether if no date is before it. */
export const endedSeriesRow = (
  context: BaseContext,
  series: SeriesRow,
  head: Pattern | undefined,
): PreparedSeries =>
  changedSeriesRow(
    series,
    head ? columnsWith(context, head) : { ...modifiedNow(context), status: 'trash', extend_from: null },
  )

/**
 * Ends the recurrence of a series: the named occurrence becomes a single event, and the others go to the
 * trash, or, with the scope `following`, only those after it.
 */
export function endRecurrence(context: BaseContext, { values, stored }: EventOutcome<EventOfSeries>) {
  const { head, occurrences } = seriesPart(stored, values.scope !== 'following')
  const series = endedSeriesRow(context, stored.series, head)
  return {
    columns: {
      series_id: null,
      occurrence_date: null,
      detached: '[]',
      former_series_id: firstPartOf(stored.series),
      description: values.description ?? stored.description,
      excerpt: values.excerpt ?? stored.excerpt,
      ...(!head && identityOfLast(stored)),
    },
    text: eventText({ ...stored, ...values }),
    series: [
      {
        ...series,
        losesDate: true,
        columns: { ...series.columns, ...(!head && columnsWithout(stored)) },
        dates: { update: occurrences.filter(({ id }) => id !== stored.id).map(trashingChange) },
      },
    ],
  }
}

/**
 * Columns of a series without the occurrence that stays. The other occurrences may come back from the trash,
 * and then need a different UID.
 */
const columnsWithout = ({ series, occurrence_date }: EventOfSeries) => ({
  exdate: JSON.stringify(patternWithout(patternIn(series), occurrence_date).exdate),
  uid: `series-${series.id}.${series.version + 1}@`,
})

/**
 * The UID and SEQUENCE with which the remaining event of a series stays the same event for subscribers. In
 * calendars where each date is an event of its own, another date may have had that UID, with a higher
 * SEQUENCE.
 */
function identityOfLast({ id, series }: EventOfSeries): { uid: string; sequence_offset: number } {
  const sequences = series.occurrences.map(
    other => other.sequence_offset + other.version + Number(other.id === id),
  )
  return {
    uid: series.uid || `series-${series.id}@`,
    sequence_offset: series.sequence_offset + series.version + 1 + Math.max(...sequences),
  }
}

/** Prepares moving a part of a series to the trash. */
export function trashedPart(
  context: BaseContext,
  { series }: EventOfSeries,
  { occurrences, head }: SeriesPart,
): PreparedSeries {
  const dates = { update: occurrences.map(trashingChange) }
  const droppedCount = effectsOnDates(occurrences, dates, series.all_day).dropped.length
  return {
    ...endedSeriesRow(context, series, head),
    action: 'trash',
    fields: [],
    changed: { ...(!head && { status: [series.status, 'trash'] }), dates: [null, { dropped: droppedCount }] },
    dates,
  }
}

/**
 * Prepares deleting a part of a series for good. The write fails if the series has changed since it was read.
 */
export const removedPart = (
  context: BaseContext,
  { series }: EventOfSeries,
  { occurrences, head }: SeriesPart,
): PreparedSeries => ({
  ...endedSeriesRow(context, series, head),
  action: 'delete',
  fields: [],
  changed: deletedName('series', series),
  dates: { remove: occurrences.map(({ id }) => id) },
})
