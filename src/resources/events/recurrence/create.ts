import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { events, series } from '../../../db/schema.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { slugify, untrashedSlug } from '../../../lib/slug.ts'
import { withoutUndefined } from '../../../lib/values.ts'
import { storedImage } from '../../content/images.ts'
import { type EventOutcome, newColumns } from '../outcome.ts'
import { extendFrom, horizonOf, patternColumns, planBudget } from './pattern.ts'
import { checkedStarts, type NewOccurrence, newOccurrences, patternOf } from './plan.ts'
import { ALL_COPIED, checkLinks, seriesSlug } from './shared.ts'
import type { StoredEvent } from './stored.ts'
import type { PreparedSeries } from './write.ts'

/**
 * Computes the columns and dates of a new series, or of the series that an event becomes.
 *
 * @param errors gets the errors of the recurrence
 * @throws ApiError with all errors at once
 */
function newSeries(
  context: RequestContext,
  { values, stored, times, publication }: EventOutcome,
  errors: ValidationErrors,
) {
  const { now } = context
  const pattern = patternOf(context, { choice: values.recurrence || {}, times }, errors)
  errors.throwIfAny()
  const refuse = (reason: string) => errors.add('recurrence', reason)
  const starts = checkedStarts(context, pattern, refuse)
  checkLinks({ values, rows: starts.length, stored: stored?.links }, refuse)
  if (stored && pattern.exdate.includes(pattern.start_date)) refuse('must not leave out the event itself')
  errors.throwIfAny()
  const extend_from = extendFrom(pattern, horizonOf(pattern, now), planBudget())
  return {
    columns: { ...publication, ...patternColumns(pattern), extend_from },
    dates: newOccurrences({ pattern, publication, now }, starts),
  }
}

/** Prepares a new series with its dates. @throws ApiError with all errors at once */
export function prepareNewSeries(
  context: RequestContext,
  outcome: EventOutcome,
  errors: ValidationErrors,
): PreparedSeries {
  const { values, relations, image } = outcome
  const { columns, dates } = newSeries(context, outcome, errors)
  return {
    columns: {
      ...newColumns(context, outcome),
      ...columns,
      slug: seriesSlug(values.slug || slugify(values.title ?? '') || 'event'),
    },
    image,
    fields: Object.keys(values),
    relations,
    texts: values,
    dates: { insert: dates },
  }
}

/** A SELECT of the first date's id, in the series that the transaction has just created. */
export const firstOfNew = sql`(SELECT id FROM ${events} WHERE series_id = (SELECT max(id) FROM ${series})
  ORDER BY occurrence_date LIMIT 1)`

/**
 * Prepares the series whose first date a stored event becomes, and empties the columns that the event no longer has of
 * its own.
 *
 * @throws ApiError with all errors at once
 */
export function prepareRepeated(
  context: RequestContext,
  outcome: EventOutcome<StoredEvent>,
  errors: ValidationErrors,
) {
  const { values, columns, stored, image } = outcome
  const { id, version, slug, uid, sequence } = stored
  const { columns: ofSeries, dates } = newSeries(context, outcome, errors)
  const isFirst = ({ occurrence_date }: NewOccurrence) => occurrence_date === ofSeries.start_date
  const after: Readonly<Record<string, unknown>> = { ...stored, ...withoutUndefined(columns) }
  const copied = [...ALL_COPIED, 'description', 'excerpt', 'external_id'] as const
  const series: PreparedSeries = {
    columns: {
      ...Object.fromEntries(copied.map(name => [name, after[name]])),
      ...ofSeries,
      slug: seriesSlug(untrashedSlug(slug)),
      // Subscribers know the event by this UID, so the series must have a higher SEQUENCE.
      uid: uid || `event-${id}@`,
      sequence: sequence + version + 1,
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
