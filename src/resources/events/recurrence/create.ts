import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { events, series } from '../../../db/schema.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { slugify, untrashedSlug } from '../../../lib/slug.ts'
import { withoutUndefined } from '../../../lib/values.ts'
import { storedImage } from '../../content/images.ts'
import type { EventOutcome } from '../outcome.ts'
import { type Pattern, patternColumns } from './pattern.ts'
import { checkedStarts, newOccurrences, type Plan, patternOf, planOf } from './plan.ts'
import { ALL_COPIED, checkLinks } from './shared.ts'
import { seriesSlug } from './slugs.ts'
import type { StoredEvent } from './stored.ts'
import type { PreparedSeries } from './write.ts'

type NewSeries = Pick<Plan, 'added' | 'extend_from'> & { pattern: Pattern }

/**
 * Computes the dates of a new series, or of the series that an event becomes.
 *
 * @param errors gets the errors of the recurrence
 * @throws ApiError with all errors at once
 */
function newSeries(
  context: RequestContext,
  { values, stored, times, publication }: EventOutcome,
  errors: ValidationErrors,
): NewSeries {
  const pattern = patternOf(context, { choice: values.recurrence || {}, times }, errors)
  errors.throwIfAny()
  const refuse = (reason: string) => errors.add('recurrence', reason)
  const starts = checkedStarts(context, pattern, refuse)
  checkLinks({ values, rows: starts.length, stored: stored?.links }, refuse)
  if (stored && pattern.exdate.includes(pattern.start_date)) refuse('must not leave out the event itself')
  errors.throwIfAny()
  const plan = planOf({ pattern, publication, now: context.now, occurrences: [], starts, hasNewTimes: true })
  return { pattern, added: plan.added, extend_from: plan.extend_from }
}

/** Prepares a new series with its dates. @throws ApiError with all errors at once */
export function prepareNewSeries(
  context: RequestContext,
  outcome: EventOutcome,
  errors: ValidationErrors,
): PreparedSeries {
  const { values, columns, publication, relations, image } = outcome
  const { pattern, added, extend_from } = newSeries(context, outcome, errors)
  const title = values.title ?? ''
  return {
    columns: {
      ...columns,
      ...publication,
      ...patternColumns(pattern),
      extend_from,
      title,
      website: values.website ?? '',
      author_id: values.author ?? context.caller.id,
      slug: seriesSlug(values.slug || slugify(title) || 'event'),
    },
    image,
    fields: Object.keys(values),
    relations,
    texts: values,
    dates: { insert: added },
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
  const { values, columns, publication, stored, image } = outcome
  const { pattern, added, extend_from } = newSeries(context, outcome, errors)
  const { id, version } = stored
  const first = pattern.start_date
  const [suffix = ''] = newOccurrences({ pattern, publication, now: context.now }, [first]).map(
    one => one.suffix,
  )
  const after: Readonly<Record<string, unknown>> = { ...stored, ...withoutUndefined(columns) }
  const copied = [...ALL_COPIED, 'description', 'excerpt', 'external_id'] as const
  const series: PreparedSeries = {
    columns: {
      ...Object.fromEntries(copied.map(name => [name, after[name]])),
      ...publication,
      ...patternColumns(pattern),
      extend_from,
      slug: seriesSlug(untrashedSlug(stored.slug)),
      // Subscribers know the event by this UID, so the series must have a higher SEQUENCE.
      uid: stored.uid || `event-${id}@`,
      sequence: stored.sequence + version + 1,
    },
    slugOwner: id,
    image: image === undefined ? storedImage(stored) : image,
    fields: ['recurrence'],
    relations: {},
    linksFrom: { event: id },
    texts: { ...stored, ...values },
    dates: {
      update: [{ id, occurrence_date: first, suffix }],
      insert: added.filter(({ occurrence_date }) => occurrence_date !== first),
    },
  }
  return { columns: { description: '', excerpt: '' }, series: [series] }
}
