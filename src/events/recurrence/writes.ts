import { eq, type SQL, sql } from 'drizzle-orm'
import { recordImage } from '../../content/images.ts'
import { publicationOf } from '../../content/publication.ts'
import type { RequestContext } from '../../context.ts'
import { recordChange, recordInsert } from '../../db/audit.ts'
import { events, series } from '../../db/schema.ts'
import { freeSlugSql } from '../../db/slugs.ts'
import { insertInto, update } from '../../db/statements.ts'
import { ApiError, ValidationErrors } from '../../lib/errors.ts'
import { mayEdit } from '../../lib/roles.ts'
import { MAX_SLUG, slugify, untrashedSlug } from '../../lib/slug.ts'
import { statusAt } from '../../lib/statuses.ts'
import { columnsOf } from '../columns.ts'
import { type LookedUp, linkStatements, resolveRelations, unlinkStatements } from '../relations/lookups.ts'
import type { Owner } from '../relations/owner.ts'
import type { EventFields } from '../schema.ts'
import { indexSeries, reindexOccurrences } from '../search.ts'
import { timesOf } from '../times.ts'
import { changeOf, type Input, type SeriesChange } from './change.ts'
import { patternOf } from './new-pattern.ts'
import { extendFrom, horizonOf, type Pattern } from './pattern.ts'
import { planOf } from './plan.ts'
import { ALL_COPIED, type FieldName, namesOf } from './shared.ts'
import {
  adoptLinks,
  copySeriesLinks,
  insertOccurrences,
  newSeriesId,
  replaceLinks,
  updateOccurrences,
} from './statements.ts'
import type { StoredEvent, StoredOccurrence, StoredSeries } from './stored.ts'

type Values = Partial<EventFields>

/** Room in a slug for the date and time of an occurrence, and for the ending of slugs in the trash. */
const SUFFIX_ROOM = 30

/** The first free slug of a series. Single events have theirs at the same addresses. */
const seriesSlug = (base: string): SQL =>
  freeSlugSql(
    events,
    freeSlugSql(series, base.slice(0, MAX_SLUG - SUFFIX_ROOM).replace(/-+$/, '') || 'event'),
  )

/** The columns of a pattern as they are stored. */
const patternColumns = ({ rdate, exdate, ...columns }: Pattern) => ({
  ...columns,
  rdate: JSON.stringify(rdate),
  exdate: JSON.stringify(exdate),
})

const resolved = (values: Values, found: LookedUp) => resolveRelations(values, found, new ValidationErrors())

/** Checks the recurrence of a new series. */
export function validateNewSeries(
  context: RequestContext,
  { values, stored }: { values: Values; stored?: StoredEvent | undefined },
  errors: ValidationErrors,
): void {
  if (!values.recurrence) return
  const times = timesOf(context, { values, stored }, new ValidationErrors())
  const pattern = patternOf(context, { choice: values.recurrence, times }, errors)
  if (stored && pattern.exdate.includes(pattern.start_date))
    errors.add('recurrence', 'must not leave out the event itself')
}

/** Checks a change of an occurrence. */
export function validateOccurrence(context: RequestContext, input: Input, errors: ValidationErrors): void {
  const { values } = input
  if (values.recurrence && values.scope === 'this')
    errors.add('scope', 'must be all or following for a change of the recurrence')
  if (isWide(values)) changeOf(context, input, errors)
}

/** Tells if an update concerns other occurrences than the named one. */
export const isWide = ({ scope = 'this', recurrence }: Values): boolean =>
  scope !== 'this' || recurrence !== undefined

/** @throws ApiError `rest_forbidden` if the caller may not change all occurrences */
export function assertMayEditAll(
  { caller, now }: RequestContext,
  occurrences: readonly StoredOccurrence[],
): void {
  if (
    occurrences.every(
      row => row.status === 'trash' || mayEdit(caller, { ...row, status: statusAt(row, now) }),
    )
  )
    return
  throw new ApiError(
    'rest_forbidden',
    `The role ${caller.role} may not change all occurrences of this series.`,
  )
}

type New = { values: EventFields; found: LookedUp }

/** The statements that create a series with its occurrences, and a condition for the first of these. */
export function newSeries(context: RequestContext, { values, found }: New) {
  const publication = publicationOf(context, { given: values })
  const times = timesOf(context, { values }, new ValidationErrors())
  const choice = values.recurrence || {}
  const pattern = patternOf(context, { choice, times }, new ValidationErrors())
  const { status } = publication
  const { added, extend_from } = planOf({ pattern, status, now: context.now, occurrences: [] })
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
    ...recordImage(values.image),
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
  const times = timesOf(context, { values, stored }, new ValidationErrors())
  const pattern = patternOf(context, { choice: values.recurrence || {}, times }, new ValidationErrors())
  const status = publicationOf(context, { given: values, stored }).status
  const { added, extend_from } = planOf({ pattern, status, now: context.now, occurrences: [] })
  const isFirst = (date: string) => date === pattern.start_date
  const copied = [...ALL_COPIED, 'status', 'description', 'excerpt', 'external_id'] as const
  const columns: Record<string, SQL> = {
    ...Object.fromEntries(copied.map(name => [name, sql`${events[name]}`])),
    ...expressionsOf({
      ...patternColumns(pattern),
      extend_from,
      slug: seriesSlug(untrashedSlug(stored.slug)),
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
        slug = ${freeSlugSql(events, sql`(${series.slug} || ${`-${suffix}`} || iif(${series.status} = 'trash', '__trashed', ''))`, { except: stored.id })}
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

const SEARCHED: readonly FieldName[] = ['title', 'description', 'excerpt']

/** The statements that change a series, or its occurrences from the named one on. */
export function changeStatements(context: RequestContext, input: Input): SQL[] {
  const change = changeOf(context, input, new ValidationErrors())
  const { stored, found } = input
  const { changed, plan, before, head } = change
  const names = namesOf(changed)
  const id = head ? newSeriesId : sql`${stored.series.id}`
  const owner: Owner = { kind: 'series', id }
  const isSearched = names.some(name => SEARCHED.includes(name))
  const shared = { ...stored.series, ...changed }
  return [
    ...recordImage(changed.image),
    ...(head ? separate(context, stored, change, head) : [updateSeries(context, stored.series, change)]),
    recordChange(context, { action: 'update', kind: 'series', fields: names }, stored.series.id),
    ...(head ? copySeriesLinks(stored.series.id, newSeriesId) : []),
    ...unlinkStatements(changed, owner),
    ...linkStatements(context, { values: changed, owner, relations: resolved(changed, found) }),
    ...updateOccurrences(id, plan.changes, { copied: names, before }),
    ...replaceLinks(id, names),
    ...insertOccurrences(id, plan.added, context.now),
    ...(head || isSearched ? [indexSeries(id, shared)] : []),
    ...(isSearched ? [reindexOccurrences(id, shared)] : []),
    ...(changed.external_id === undefined
      ? []
      : [update(events, { external_id: changed.external_id }, eq(events.id, stored.id))]),
  ]
}

/** The columns of a series after a change. */
const changedColumns = (
  context: RequestContext,
  stored: StoredSeries,
  { changed, publication, pattern, plan }: SeriesChange,
) => ({
  ...columnsOf(context, { values: changed, stored }),
  ...publication,
  ...patternColumns(pattern),
  extend_from: plan.extend_from,
  // That of one event.
  external_id: undefined,
  ...(changed.slug && { slug: seriesSlug(changed.slug) }),
})

function updateSeries(context: RequestContext, stored: StoredSeries, change: SeriesChange): SQL {
  const columns = { ...changedColumns(context, stored, change), version: stored.version + 1 }
  return update(series, columns, eq(series.id, stored.id))
}

/** The statements that end a series before an occurrence, and make another one of the rest. */
function separate(
  context: RequestContext,
  { series: stored }: Input['stored'],
  change: SeriesChange,
  head: Pattern,
): SQL[] {
  const {
    id: _,
    version: _version,
    external_id: _externalId,
    uid: _uid,
    sequence: _sequence,
    relations: _relations,
    occurrences: _occurrences,
    ...columns
  } = stored
  const row = {
    ...columns,
    ...withoutUndefined(changedColumns(context, stored, change)),
  }
  return [
    endSeries(context, stored, head),
    insertInto(series, row),
    recordInsert(context, 'series', ['recurrence']),
  ]
}

/** The statement that leaves a series only its first dates. */
export const endSeries = (
  { now }: RequestContext,
  { id, version }: Pick<StoredSeries, 'id' | 'version'>,
  head: Pattern,
): SQL =>
  update(
    series,
    {
      ...patternColumns(head),
      extend_from: extendFrom(head, horizonOf(head, now)),
      version: version + 1,
    },
    eq(series.id, id),
  )

const withoutUndefined = <T extends object>(columns: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  // The entries are those of the columns that have a value.
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as never
