import type { RequestContext } from '../../../context.ts'
import type { UndoRequest } from '../../../db/audit.ts'
import { ApiError } from '../../../lib/errors.ts'
import { mayEdit } from '../../../lib/roles.ts'
import { statusAt } from '../../../lib/statuses.ts'
import { withoutUndefined } from '../../../lib/values.ts'
import { storedImage } from '../../content/images.ts'
import { reverting } from '../../content/writes.ts'
import type { EventValues } from '../schema.ts'
import { changedRow } from './one.ts'
import { columnsWith, patternColumns } from './pattern.ts'
import type { SeriesChange } from './series-change.ts'
import { fieldNamesOf, isDetachedIn, TEXT_FIELDS } from './shared.ts'
import { seriesSlug } from './slugs.ts'
import type { SeriesRow, StoredEvent, StoredOccurrence, StoredSeries } from './stored.ts'
import type { PreparedSeries } from './write.ts'

/** Tells whether an update affects occurrences other than the named one. */
export const isSeriesWide = ({ scope = 'this', recurrence }: EventValues): boolean =>
  scope !== 'this' || recurrence !== undefined

/**
 * Checks the caller's rights to the series as well, because new occurrences take its status, and its text is that of
 * other occurrences.
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
 * The row of a changed series, or, if it is divided, the row of the one that ends before an occurrence and that of a
 * new one for the rest.
 */
export function changedSeries(
  context: RequestContext,
  change: SeriesChange,
  values: PreparedSeries['changed'],
): PreparedSeries[] {
  const { stored, changed, relations, plan, head } = change
  const { series } = stored
  const fields = fieldNamesOf(changed)
  const columns = changedColumns(change)
  const next = {
    relations,
    image: changed.image,
    texts: head || fields.some(name => TEXT_FIELDS.includes(name)) ? { ...series, ...changed } : undefined,
    follows: fields,
    dates: { update: changesOf(change), stepAside: plan.stepAside, insert: plan.added },
  }
  const audited = { fields, changed: values, undoBy: (before: object) => undoOf(change, before) }
  if (!head) return [{ ...next, ...audited, stored: series, columns }]
  const { id, version, external_id, uid, sequence, relations: _, occurrences, ...common } = series
  return [
    { ...changedRow(series, columnsWith(context, head)), ...audited, isDivided: true, dates: { update: [] } },
    {
      ...next,
      // Subscribers already know the occurrences that move along, so their SEQUENCE must not decrease.
      columns: { ...common, sequence: sequence + version, ...withoutUndefined(columns) },
      keepsSlug: columns.slug === undefined,
      image: changed.image === undefined ? storedImage(series) : changed.image,
      fields: ['recurrence'],
      linksFrom: { series: id },
    },
  ]
}

/** The columns of a series after a change. An external id belongs to one event only. */
const changedColumns = ({ stored, changed, columns, publication, pattern, plan }: SeriesChange) => ({
  ...columns,
  ...publication,
  ...patternColumns(pattern),
  extend_from: plan.extend_from,
  external_id: undefined,
  slug: changed.slug && changed.slug !== stored.series.slug ? seriesSlug(changed.slug) : undefined,
})

const changesOf = ({ stored, changed: { external_id }, plan }: SeriesChange) =>
  external_id === undefined
    ? plan.changes
    : plan.changes.map(change => (change.id === stored.id ? { ...change, external_id } : change))

/** The requests that undo a change of a series: they restore its values through the same occurrence. */
const undoOf = ({ stored, changed }: SeriesChange, values: object): UndoRequest[] =>
  changed.status === 'trash'
    ? restorationOf(stored, values)
    : [reverting(`/events/${stored.id}?scope=all`, stored.version + 1, values)]

/** The most occurrences with a status of their own for which moving a series to the trash can be undone. */
const MOST_OWN_STATUSES = 20

type TrashedSeriesEvent = Pick<StoredEvent, 'id' | 'version'> & {
  series: Pick<StoredSeries, 'status' | 'occurrences'>
}

/**
 * The requests that take a series out of the trash again: its previous values, and the status of each occurrence that
 * had its own. Empty if there are too many of these.
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
