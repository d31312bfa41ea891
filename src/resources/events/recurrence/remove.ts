import type { RequestContext } from '../../../context.ts'
import { modifiedNow } from '../../content/publication.ts'
import { nameForTrash } from '../../content/trash.ts'
import { reverting } from '../../content/writes.ts'
import { restorationOf } from './change.ts'
import { changedRow, without } from './one.ts'
import { columnsWith, patternIn } from './pattern.ts'
import { planOf } from './plan.ts'
import type { partOf } from './series-change.ts'
import type { EventOfSeries } from './stored.ts'
import type { PreparedSeries } from './write.ts'

type SeriesPart = ReturnType<typeof partOf>

/** Prepares moving a part of a series to the trash. */
export function trashedPart(
  context: RequestContext,
  stored: EventOfSeries,
  part: SeriesPart,
): PreparedSeries {
  const { series } = stored
  const { occurrences, pattern, head } = part
  const publication = { ...series, status: 'trash' as const }
  const plan = planOf({ pattern, publication, now: context.now, occurrences, hasNewStatus: true })
  const ended = { ...modifiedNow(context), status: 'trash' as const, extend_from: null }
  const dropped = occurrences.filter(({ status }) => status !== 'trash').length
  return {
    ...changedRow(series, head ? columnsWith(context, head) : ended),
    action: 'trash',
    fields: [],
    changed: { ...(!head && { status: [series.status, 'trash'] }), dates: [null, { dropped }] },
    undoBy: values => (head ? ruleBefore(stored, part) : restorationOf(stored, values)),
    dates: { update: plan.changes },
  }
}

/** The request that makes a series continue after it was ended before an occurrence: it restores the previous rule. */
function ruleBefore({ series }: EventOfSeries, { occurrences }: SeriesPart) {
  const before = series.occurrences.findLast(
    other => other.status !== 'trash' && !occurrences.includes(other),
  )
  const { rrule, rdate, exdate } = patternIn(series)
  const body = { recurrence: { rrule, rdate, exdate } }
  return before ? [reverting(`/events/${before.id}?scope=all`, before.version, body)] : []
}

/** Prepares deleting a part of a series for good. */
export const removedPart = (
  context: RequestContext,
  { series }: EventOfSeries,
  { occurrences, head }: SeriesPart,
): PreparedSeries => ({
  // Fails if the series has changed since it was read.
  ...changedRow(series, head ? columnsWith(context, head) : { extend_from: null }),
  action: 'delete',
  fields: [],
  changed: nameForTrash('series', series),
  dates: { remove: occurrences.map(({ id }) => id) },
})

/** Prepares deleting a single date for good. The series excludes it, so that it does not come back. */
export const withoutDate = (
  context: RequestContext,
  { series, occurrence_date }: EventOfSeries,
): PreparedSeries => ({
  ...changedRow(
    series,
    columnsWith(context, without(patternIn(series), occurrence_date ?? series.start_date)),
  ),
  dates: { remove: [] },
})
