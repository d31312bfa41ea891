import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { recordInsert, recordRows, recordUndo, type UndoRequest } from '../../../db/audit.ts'
import { events, series } from '../../../db/schema.ts'
import { insertInto, update } from '../../../db/statements.ts'
import { ApiError } from '../../../lib/errors.ts'
import { memoize } from '../../../lib/memo.ts'
import { mayEdit } from '../../../lib/roles.ts'
import { statusAt } from '../../../lib/statuses.ts'
import { imageIdOf, recordImages } from '../../content/images.ts'
import type { ImageChoice } from '../../content/uploads.ts'
import { type Audited, reverting } from '../../content/writes.ts'
import { linksOf, relationStatements } from '../relations/links.ts'
import type { EventValues } from '../schema.ts'
import { indexSeries, reindexOccurrences } from '../search.ts'
import { keepTwinsHidden } from '../twins.ts'
import { changePattern, patternColumns, seriesSlug } from './columns.ts'
import type { Pattern } from './pattern.ts'
import { trashedIn } from './plan.ts'
import type { SeriesChange } from './series-change.ts'
import { fieldNamesOf, isDetachedIn, TEXT_FIELDS } from './shared.ts'
import {
  copySeriesLinks,
  insertOccurrences,
  newSeriesId,
  replaceLinks,
  settleStatus,
  updateOccurrences,
} from './statements.ts'
import type { SeriesRow, StoredEvent, StoredOccurrence, StoredSeries } from './stored.ts'

type TrashedSeriesEvent = Pick<StoredEvent, 'id' | 'version'> & {
  series: Pick<StoredSeries, 'status' | 'occurrences'>
}

/** Tells if an update concerns other occurrences than the named one. */
export const isSeriesWide = ({ scope = 'this', recurrence }: EventValues): boolean =>
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

/**
 * The statements that change a series, or its occurrences from the named one on.
 *
 * @param image that of the changed values, stored if it is a file
 */
export function changeStatements(
  context: RequestContext,
  change: SeriesChange,
  { image, changed: values, undo }: { image: ImageChoice | undefined } & Audited,
): SQL[] {
  const { stored, changed, relations, plan, before, head } = change
  const names = fieldNamesOf(changed)
  const id = head ? newSeriesId : sql`${stored.series.id}`
  const changesText = names.some(name => TEXT_FIELDS.includes(name))
  const shared = { ...stored.series, ...changed, id: head ? -1 : stored.series.id }
  return [
    ...recordImages(context, [image]),
    ...(head ? separate(context, change, head, image) : [updateSeries(change, image)]),
    ...(head ? copySeriesLinks(stored.series.id, newSeriesId) : []),
    // A new one has those of the series that it was a part of.
    ...relationStatements(context, 'series', [{ id: head ? -1 : stored.series.id, isNew: false, relations }]),
    ...recordRows(
      context,
      'series',
      series,
      [{ id: stored.series.id, action: 'update', fields: names, changed: values }],
      workedOut(Boolean(head)),
    ),
    ...keepTwinsHidden(context, trashedIn(plan.changes)),
    ...updateOccurrences(id, plan.changes, { copied: names, before }),
    ...replaceLinks(sql`(${id})`, names),
    ...insertOccurrences(id, plan.added, context.now),
    ...(head || changesText ? indexSeries([shared]) : []),
    ...(changesText ? reindexOccurrences([shared]) : []),
    ...(changed.external_id === undefined
      ? []
      : [update(events, { external_id: changed.external_id }, eq(events.id, stored.id))]),
    ...(head ? [settleStatus(context, stored.series.id)] : []),
    settleStatus(context, id),
    ...recordUndo(context, 'series', undo ? [undoOf(change, undo)] : [], id),
  ]
}

/** Expressions of what only the database works out of a series. @param isNew true for one that was divided from that of `row` */
const workedOut = memoize((isNew: boolean) => {
  const id = isNew ? newSeriesId : sql`row.id`
  return {
    slug: sql`(SELECT json_quote(slug) FROM ${series} WHERE id = ${id})`,
    image: sql`(SELECT json_quote(coalesce(image_id, 0)) FROM ${series} WHERE id = ${id})`,
    ...linksOf('series', isNew ? newSeriesId : undefined),
  }
})

/** What undoes a change of a series: the values that it had, by the same occurrence. */
const undoOf = ({ stored, changed }: SeriesChange, undo: object) => ({
  id: stored.series.id,
  requests:
    changed.status === 'trash'
      ? restorationOf(stored, undo)
      : [reverting(`/events/${stored.id}?scope=all`, stored.version + 1, undo)],
})

/** The most occurrences with a status of their own for which a series is taken out of the trash again. */
const MOST_OWN_STATUSES = 20

/**
 * What takes a series out of the trash again: the values that it had, and the status of each occurrence that had its own; nothing
 * if these are too many.
 */
export function restorationOf(
  { id, version, series: row }: TrashedSeriesEvent,
  values: object,
): UndoRequest[] {
  const own = row.occurrences.filter(
    ({ status, detached }) =>
      status !== 'trash' && (status !== row.status || isDetachedIn(detached, 'status')),
  )
  if (own.length > MOST_OWN_STATUSES) return []
  return [
    reverting(`/events/${id}?scope=all`, version + 1, values),
    ...own.map(other => reverting(`/events/${other.id}`, other.version + 2, { status: other.status })),
  ]
}

/** The columns of a series after a change. */
const changedColumns = (
  { stored, changed, columns, publication, pattern, plan }: SeriesChange,
  image: ImageChoice | undefined,
) => ({
  ...columns,
  ...publication,
  ...patternColumns(pattern),
  image_id: imageIdOf(image),
  extend_from: plan.extend_from,
  // That of one event.
  external_id: undefined,
  ...(changed.slug && changed.slug !== stored.series.slug && { slug: seriesSlug(changed.slug) }),
})

function updateSeries(change: SeriesChange, image: ImageChoice | undefined): SQL {
  const { id, version } = change.stored.series
  return update(series, { ...changedColumns(change, image), version: version + 1 }, eq(series.id, id))
}

/** The statements that end a series before an occurrence, and make another one of the rest. */
function separate(
  context: RequestContext,
  change: SeriesChange,
  head: Pattern,
  image: ImageChoice | undefined,
): SQL[] {
  const stored = change.stored.series
  const {
    id: _,
    version,
    external_id: _externalId,
    uid: _uid,
    sequence,
    relations: _relations,
    occurrences: _occurrences,
    ...columns
  } = stored
  return [
    changePattern(context, stored, head),
    // The occurrences that come along are known to subscribers by one that must not decrease.
    insertInto(series, {
      ...columns,
      sequence: sequence + version,
      ...withoutUndefined(changedColumns(change, image)),
    }),
    recordInsert(context, 'series', ['recurrence']),
  ]
}

const withoutUndefined = <T extends object>(columns: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  // The entries are those of the columns that have a value.
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as never
