import type { RequestContext } from '../../../context.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import type { Status } from '../../../lib/statuses.ts'
import { modifiedNow } from '../../content/publication.ts'
import type { EventOutcome } from '../outcome.ts'
import { occurrenceText } from '../search.ts'
import { MOST_DATES } from './fields.ts'
import { columnsWith, hasStart, type Pattern, patternIn } from './pattern.ts'
import { planOf } from './plan.ts'
import { detachedBy, partOf } from './series-change.ts'
import { fieldNamesOf, TEXT_FIELDS, textsOf } from './shared.ts'
import type { EventOfSeries, SeriesRow, StoredOccurrence } from './stored.ts'
import type { PreparedSeries } from './write.ts'

/** Further changes by an update of one occurrence, besides the columns of its values. */
type Detachment = { columns: { detached: string }; text: string | undefined; series: PreparedSeries[] }

/** Detaches the changed fields of one occurrence from its series. */
export function detach(
  context: RequestContext,
  { values: changed, publication: { status }, stored }: EventOutcome<EventOfSeries>,
): Detachment {
  const detached = new Set([...textsOf(stored.detached), ...detachedBy(changed, status, stored)])
  const changesText = fieldNamesOf(changed).some(name => TEXT_FIELDS.includes(name))
  return {
    columns: { detached: JSON.stringify([...detached]) },
    text: changesText ? occurrenceText({ ...stored, ...changed }) : undefined,
    series: moveDate(context, stored, status),
  }
}

/** The row of a series that gets another pattern, or other columns that its dates don't have. */
export const changedRow = (stored: SeriesRow, columns: PreparedSeries['columns']): PreparedSeries => ({
  ...{ stored, columns, image: undefined, relations: {} },
  fields: ['recurrence'],
})

/**
 * The series after one of its occurrences has changed its status: it excludes the date of an occurrence that goes to
 * the trash, and includes the date of one that comes back.
 */
export function moveDate(
  context: RequestContext,
  { series, status: before, occurrence_date }: EventOfSeries,
  status: Status,
): PreparedSeries[] {
  if ((status === 'trash') === (before === 'trash') || occurrence_date === null) return []
  const pattern = patternIn(series)
  const changed = status === 'trash' ? without(pattern, occurrence_date) : withDate(pattern, occurrence_date)
  return [changedRow(series, columnsWith(context, changed))]
}

/**
 * Adds an error if an occurrence comes back from the trash to a series that has no room for another additional date.
 *
 * @param status the status of the occurrence after the update
 */
export function validateReturn(stored: EventOfSeries, status: Status, errors: ValidationErrors): void {
  const { series: row, occurrence_date } = stored
  if (status === 'trash' || stored.status !== 'trash' || occurrence_date === null) return
  const { rdate } = withDate(patternIn(row), occurrence_date)
  if (rdate.length > MOST_DATES && rdate.length > row.rdate.length)
    errors.add('status', `its series has ${MOST_DATES} additional dates already`)
}

/** The pattern, with a date excluded. */
export const without = (pattern: Pattern, date: string): Pattern =>
  pattern.exdate.includes(date) ? pattern : { ...pattern, exdate: [...pattern.exdate, date].sort() }

/** The pattern, with a date included by its rule or as an additional date. */
function withDate(pattern: Pattern, date: string): Pattern {
  const included = { ...pattern, exdate: pattern.exdate.filter(other => other !== date) }
  return hasStart(included, date) ? included : { ...included, rdate: [...included.rdate, date].sort() }
}

/** The other occurrences that end along with the recurrence: all of the series, or those after the named one. */
export const occurrencesEnded = ({ series, id, occurrence_date }: EventOfSeries, isWhole: boolean) =>
  series.occurrences.filter(
    other => other.id !== id && (isWhole || other.occurrence_date > (occurrence_date ?? series.start_date)),
  )

type End = { columns: Readonly<Record<string, unknown>>; series: PreparedSeries }

/**
 * Ends the recurrence of a series: the named occurrence becomes a single event, and the others go to the trash, or,
 * with the scope `following`, only those after it.
 */
export function endRecurrence(context: RequestContext, { values, stored }: EventOutcome<EventOfSeries>): End {
  const isWhole = values.scope !== 'following'
  const { head } = partOf(stored, isWhole)
  const others = occurrencesEnded(stored, isWhole)
  const plan = planOf({
    pattern: patternIn(stored.series),
    publication: { ...stored.series, status: 'trash' },
    now: context.now,
    occurrences: others,
    hasNewStatus: true,
  })
  return {
    columns: {
      ...{ series_id: null, occurrence_date: null, detached: '[]' },
      description: values.description ?? stored.description,
      excerpt: values.excerpt ?? stored.excerpt,
      ...(!head && identityOfLast(stored)),
    },
    series: {
      ...changedRow(stored.series, head ? columnsWith(context, head) : endedColumns(context, stored)),
      dates: { update: plan.changes },
    },
  }
}

/** The columns of a series that has ended. Its occurrences may come back from the trash, and then need a different UID. */
function endedColumns(context: RequestContext, { series: row, occurrence_date }: EventOfSeries) {
  const { exdate } = without(patternIn(row), occurrence_date ?? row.start_date)
  return {
    ...modifiedNow(context),
    status: 'trash' as const,
    extend_from: null,
    exdate: JSON.stringify(exdate),
    uid: `series-${row.id}.${row.version + 1}@`,
  }
}

/**
 * The UID and SEQUENCE with which the event that is left of a series stays the same event for subscribers. In calendars
 * in which each date is an event of its own, another date may have had that UID, with a higher SEQUENCE.
 */
function identityOfLast({ id, series }: EventOfSeries): { uid: string; sequence: number } {
  const sequences = series.occurrences.map(
    (other: StoredOccurrence) => other.sequence + other.version + Number(other.id === id),
  )
  return {
    uid: series.uid || `series-${series.id}@`,
    sequence: series.sequence + series.version + 1 + Math.max(...sequences),
  }
}
