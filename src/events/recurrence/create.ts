import { type SQL, sql } from 'drizzle-orm'
import { recordImage } from '../../content/images.ts'
import { publicationOf } from '../../content/publication.ts'
import type { RequestContext } from '../../context.ts'
import { recordInsert } from '../../db/audit.ts'
import { events, series } from '../../db/schema.ts'
import { insertInto } from '../../db/statements.ts'
import { ValidationErrors } from '../../lib/errors.ts'
import { slugify, untrashedSlug } from '../../lib/slug.ts'
import type { Status } from '../../lib/statuses.ts'
import { columnsOf } from '../columns.ts'
import { type LookedUp, linkStatements, resolved } from '../relations/lookups.ts'
import type { Owner } from '../relations/owner.ts'
import type { EventFields } from '../schema.ts'
import { indexSeries } from '../search.ts'
import { timesOf } from '../times.ts'
import { patternColumns } from './columns.ts'
import { checkOccurrences, patternOf } from './new-pattern.ts'
import { planOf } from './plan.ts'
import { ALL_COPIED } from './shared.ts'
import { checkLinks } from './sizes.ts'
import { occurrenceSlug, seriesSlug } from './slugs.ts'
import { adoptLinks, insertOccurrences, newSeriesId } from './statements.ts'
import type { StoredEvent } from './stored.ts'

type Values = Partial<EventFields>

/** Checks the recurrence of a new series. */
export function validateNewSeries(
  context: RequestContext,
  { values, stored }: { values: Values; stored?: StoredEvent | undefined },
  errors: ValidationErrors,
): void {
  if (!values.recurrence) return
  const times = timesOf(context, { values, stored }, new ValidationErrors())
  const pattern = patternOf(context, { choice: values.recurrence, times }, errors)
  const refuse = (reason: string) => errors.add('recurrence', reason)
  if (!errors.any) {
    const rows = checkOccurrences(context, pattern, refuse)
    checkLinks({ values, rows, stored: stored?.links }, refuse)
  }
  if (stored && pattern.exdate.includes(pattern.start_date))
    errors.add('recurrence', 'must not leave out the event itself')
}

type Beginning = { values: Values; stored?: StoredEvent; status: Status }

/** The pattern of a new series, with its first occurrences. */
function beginning(context: RequestContext, { values, stored, status }: Beginning) {
  const times = timesOf(context, { values, stored }, new ValidationErrors())
  const pattern = patternOf(context, { choice: values.recurrence || {}, times }, new ValidationErrors())
  const plan = planOf({ pattern, status, now: context.now, occurrences: [], hasNewTimes: true })
  return { pattern, added: plan.added, extend_from: plan.extend_from }
}

type New = { values: EventFields; found: LookedUp }

/** The statements that create a series with its occurrences, and a condition for the first of these. */
export function newSeries(context: RequestContext, { values, found }: New) {
  const publication = publicationOf(context, { given: values })
  const { pattern, added, extend_from } = beginning(context, { values, status: publication.status })
  const row = {
    ...columnsOf(context, { values }),
    ...publication,
    ...patternColumns(pattern),
    extend_from,
    title: values.title,
    website: values.website ?? '',
    author_id: values.author ?? context.caller.id,
    slug: seriesSlug(values.slug || slugify(values.title) || 'event'),
  }
  const owner: Owner = { kind: 'series', id: newSeriesId }
  const statements = [
    ...recordImage(context, values.image),
    insertInto(series, row),
    recordInsert(context, 'series', Object.keys(values)),
    indexSeries(newSeriesId, values),
    ...linkStatements(context, { values, owner, relations: resolved(values, found) }),
    ...insertOccurrences(newSeriesId, added, context.now),
  ]
  const first = sql`(SELECT id FROM ${events} WHERE series_id = ${newSeriesId} ORDER BY occurrence_date LIMIT 1)`
  return { statements, first }
}

/** The statements after those of an update of a single event, which make it the first occurrence of a series. */
export function repeatEvent(
  context: RequestContext,
  { values, stored }: { values: Values; stored: StoredEvent },
): SQL[] {
  const { status } = publicationOf(context, { given: values, stored })
  const { pattern, added, extend_from } = beginning(context, { values, stored, status })
  const isFirst = (date: string) => date === pattern.start_date
  const copied = [...ALL_COPIED, 'status', 'description', 'excerpt', 'external_id'] as const
  const columns: Record<string, SQL> = {
    ...Object.fromEntries(copied.map(name => [name, sql`${events[name]}`])),
    ...expressionsOf({
      ...patternColumns(pattern),
      extend_from,
      slug: seriesSlug(untrashedSlug(stored.slug), stored.id),
    }),
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
    indexSeries(newSeriesId, { ...stored, ...values }),
    ...adoptLinks(stored.id, newSeriesId),
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

const expressionsOf = (values: Readonly<Record<string, unknown>>): Record<string, SQL> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sql`${value}`]))
