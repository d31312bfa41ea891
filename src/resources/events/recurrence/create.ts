import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { recordInsert } from '../../../db/audit.ts'
import { type GivenRow, storedValues } from '../../../db/bulk.ts'
import { events, series } from '../../../db/schema.ts'
import { insertInto } from '../../../db/statements.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import { slugify, untrashedSlug } from '../../../lib/slug.ts'
import { imageIdOf, recordImages } from '../../content/images.ts'
import type { ImageChoice } from '../../content/uploads.ts'
import type { EventOutcome } from '../outcome.ts'
import { relationStatements } from '../relations/links.ts'
import { indexSeries } from '../search.ts'
import { occurrenceSlug, patternColumns, seriesSlug } from './columns.ts'
import type { Pattern } from './pattern.ts'
import { checkedStarts, type Plan, patternOf, planOf } from './plan.ts'
import { ALL_COPIED, checkLinks } from './shared.ts'
import { copyLinksOfEvent, insertOccurrences, newSeriesId } from './statements.ts'
import type { StoredEvent } from './stored.ts'

/** A new series, with the occurrences that it begins with. */
export type NewSeries = EventOutcome & Pick<Plan, 'added' | 'extend_from'> & { pattern: Pattern }

/**
 * Works out the series that an event becomes, or that a new one is.
 *
 * @param errors gets those of the recurrence
 * @throws ApiError with all errors at once
 */
export function prepareSeries(
  context: RequestContext,
  outcome: EventOutcome,
  errors: ValidationErrors,
): NewSeries {
  const { values, stored, times, publication } = outcome
  const pattern = patternOf(context, { choice: values.recurrence || {}, times }, errors)
  errors.throwIfAny()
  const refuse = (reason: string) => errors.add('recurrence', reason)
  const starts = checkedStarts(context, pattern, refuse)
  checkLinks({ values, rows: starts.length, stored: stored?.links }, refuse)
  if (stored && pattern.exdate.includes(pattern.start_date)) refuse('must not leave out the event itself')
  errors.throwIfAny()
  const { status } = publication
  const plan = planOf({ pattern, status, now: context.now, occurrences: [], starts, hasNewTimes: true })
  return { ...outcome, pattern, added: plan.added, extend_from: plan.extend_from }
}

/** The statements that create a series with its occurrences. @param image that of its values, stored if it is a file */
export function seriesStatements(
  context: RequestContext,
  prepared: NewSeries,
  image: ImageChoice | undefined,
): SQL[] {
  const { values, columns, publication, relations, pattern, added, extend_from } = prepared
  const title = values.title ?? ''
  const row = {
    ...columns,
    ...publication,
    ...patternColumns(pattern),
    extend_from,
    title,
    image_id: imageIdOf(image),
    website: values.website ?? '',
    author_id: values.author ?? context.caller.id,
    slug: seriesSlug(values.slug || slugify(title) || 'event'),
  }
  return [
    ...recordImages(context, [image]),
    insertInto(series, row),
    recordInsert(context, 'series', Object.keys(values)),
    ...indexSeries([{ ...values, id: -1 }]),
    ...relationStatements(context, 'series', [{ id: -1, isNew: true, relations }]),
    ...insertOccurrences(newSeriesId, added, context.now),
  ]
}

/** A SELECT of the id of the first occurrence of the series that a transaction has just made. */
export const firstOfNew = sql`(SELECT id FROM ${events} WHERE series_id = ${newSeriesId} ORDER BY occurrence_date LIMIT 1)`

/** The statements after those of an update of a single event, which make it the first occurrence of a series. */
export function repeatEvent(
  context: RequestContext,
  { values, stored }: EventOutcome<StoredEvent>,
  { pattern, added, extend_from }: NewSeries,
): SQL[] {
  const isFirst = (date: string) => date === pattern.start_date
  const copied = [...ALL_COPIED, 'status', 'description', 'excerpt', 'external_id'] as const
  const columns: Record<string, SQL> = {
    ...Object.fromEntries(copied.map(name => [name, sql`${events[name]}`])),
    ...expressionsOf({ ...patternColumns(pattern), extend_from }),
    slug: seriesSlug(untrashedSlug(stored.slug), stored.id),
    // Subscribers know it by its UID, and what follows must have a higher SEQUENCE.
    uid: sql`iif(${events.uid} = '', 'event-' || ${events.id} || '@', ${events.uid})`,
    sequence: sql`${events.sequence} + ${events.version}`,
  }
  const names = Object.keys(columns).map(name => sql.identifier(name))
  const suffix = pattern.start_date.slice(0, 10)
  return [
    sql`INSERT INTO ${series} (${sql.join(names, sql`, `)})
      SELECT ${sql.join(Object.values(columns), sql`, `)}
      FROM ${events} WHERE ${events.id} = ${stored.id}`,
    recordInsert(context, 'series', ['recurrence']),
    ...indexSeries([{ ...stored, ...values, id: -1 }]),
    ...copyLinksOfEvent(stored.id, newSeriesId),
    sql`UPDATE ${events} SET series_id = ${series.id}, occurrence_date = ${pattern.start_date},
        description = '', excerpt = '',
        slug = ${occurrenceSlug(sql`(${series.slug} || ${`-${suffix}`} || iif(${series.status} = 'trash', '__trashed', ''))`, stored.id)}
      FROM ${series} WHERE ${events.id} = ${stored.id} AND ${series.id} = ${newSeriesId}`,
    ...insertOccurrences(
      newSeriesId,
      added.filter(({ occurrence_date: date }) => !isFirst(date)),
      context.now,
    ),
  ]
}

const expressionsOf = (values: GivenRow): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(storedValues(series, values)).map(([name, value]) => [name, sql`${value}`]),
  )
