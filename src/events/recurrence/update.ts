import { eq, type SQL, sql } from 'drizzle-orm'
import { recordImage } from '../../content/images.ts'
import { publicationOf } from '../../content/publication.ts'
import type { RequestContext } from '../../context.ts'
import { recordChange, recordInsert } from '../../db/audit.ts'
import { events, series } from '../../db/schema.ts'
import { insertInto, update } from '../../db/statements.ts'
import { ApiError, type ValidationErrors } from '../../lib/errors.ts'
import { mayEdit } from '../../lib/roles.ts'
import { statusAt } from '../../lib/statuses.ts'
import { columnsOf } from '../columns.ts'
import { linkStatements, resolved, unlinkStatements } from '../relations/lookups.ts'
import type { Owner } from '../relations/owner.ts'
import type { EventFields } from '../schema.ts'
import { indexSeries, reindexOccurrences } from '../search.ts'
import { changeOf, type Input, type SeriesChange, validateChange } from './change.ts'
import { changePattern, patternColumns } from './columns.ts'
import { validateReturn } from './one.ts'
import type { Pattern } from './pattern.ts'
import { namesOf, TEXT_FIELDS } from './shared.ts'
import { seriesSlug } from './slugs.ts'
import {
  copySeriesLinks,
  insertOccurrences,
  newSeriesId,
  replaceLinks,
  updateOccurrences,
} from './statements.ts'
import { settleStatus } from './status.ts'
import type { SeriesRow, StoredOccurrence, StoredSeries } from './stored.ts'

type Values = Partial<EventFields>

/** Checks a change of an occurrence. */
export function validateOccurrence(context: RequestContext, input: Input, errors: ValidationErrors): void {
  const { values } = input
  if (values.recurrence !== undefined && values.scope === 'this')
    errors.add('scope', 'must be all or following for a change of the recurrence')
  if (isWide(values)) validateChange(context, input, errors)
  else
    validateReturn(
      input.stored,
      publicationOf(context, { given: values, stored: input.stored }).status,
      errors,
    )
}

/** Tells if an update concerns other occurrences than the named one. */
export const isWide = ({ scope = 'this', recurrence }: Values): boolean =>
  scope !== 'this' || recurrence !== undefined

/**
 * Checks the rights to the series as well: new occurrences take its status, and its text is that of others.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change the series and all of the occurrences
 */
export function assertMayEditAll(
  { caller, now }: RequestContext,
  series: SeriesRow,
  occurrences: readonly StoredOccurrence[],
): void {
  if ([series, ...occurrences].every(row => mayEdit(caller, { ...row, status: statusAt(row, now) }))) return
  throw new ApiError(
    'rest_forbidden',
    `The role ${caller.role} may not change all occurrences of this series.`,
  )
}

/** The statements that change a series, or its occurrences from the named one on. */
export function changeStatements(context: RequestContext, input: Input): SQL[] {
  const change = changeOf(context, input)
  const { stored, found } = input
  const { changed, plan, before, head } = change
  const names = namesOf(changed)
  const id = head ? newSeriesId : sql`${stored.series.id}`
  const owner: Owner = { kind: 'series', id }
  const changesText = names.some(name => TEXT_FIELDS.includes(name))
  const shared = { ...stored.series, ...changed }
  return [
    ...recordImage(context, changed.image),
    ...(head ? separate(context, stored, change, head) : [updateSeries(context, stored.series, change)]),
    recordChange(context, { action: 'update', kind: 'series', fields: names }, stored.series.id),
    ...(head ? copySeriesLinks(stored.series.id, newSeriesId) : []),
    ...unlinkStatements(changed, owner),
    ...linkStatements(context, { values: changed, owner, relations: resolved(changed, found) }),
    ...updateOccurrences(id, plan.changes, { copied: names, before }),
    ...replaceLinks(id, names),
    ...insertOccurrences(id, plan.added, context.now),
    ...(head || changesText ? [indexSeries(id, shared)] : []),
    ...(changesText ? [reindexOccurrences(id, shared)] : []),
    ...(changed.external_id === undefined
      ? []
      : [update(events, { external_id: changed.external_id }, eq(events.id, stored.id))]),
    ...(head ? [settleStatus(context, stored.series.id)] : []),
    settleStatus(context, id),
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
  ...(changed.slug && changed.slug !== stored.slug && { slug: seriesSlug(changed.slug) }),
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
    changePattern(context, stored, head),
    insertInto(series, row),
    recordInsert(context, 'series', ['recurrence']),
  ]
}

const withoutUndefined = <T extends object>(columns: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  // The entries are those of the columns that have a value.
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as never
