import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { recordChange } from '../../../db/audit.ts'
import { events, series } from '../../../db/schema.ts'
import { update } from '../../../db/statements.ts'
import type { ValidationErrors } from '../../../lib/errors.ts'
import type { Status } from '../../../lib/statuses.ts'
import type { EventOutcome } from '../outcome.ts'
import { eventText, indexEvents, occurrenceText } from '../search.ts'
import { changePattern, modifiedNow } from './columns.ts'
import { MOST_DATES } from './fields.ts'
import { hasStart, type Pattern, patternIn } from './pattern.ts'
import { planOf } from './plan.ts'
import { detachedBy, partOf } from './series-change.ts'
import { fieldNamesOf, TEXT_FIELDS, textsOf } from './shared.ts'
import { settleStatus, updateOccurrences } from './statements.ts'
import type { StoredEvent, StoredSeries } from './stored.ts'

type Occurrence = StoredEvent & { series: StoredSeries }

/** Additional columns and statements of an update of one occurrence. */
type Detachment = { columns: { detached: string }; also: SQL[] }

/**
 * Detaches the changed fields of one occurrence from its series. One that goes to the trash is left out by the series; one
 * that comes back is again in it.
 */
export function detach(
  context: RequestContext,
  { values: changed, publication: { status }, stored }: EventOutcome<Occurrence>,
): Detachment {
  const before = textsOf(stored.detached)
  const names = detachedBy(changed, status, stored)
  const detached = [...new Set([...before, ...names])]
  const changesText = fieldNamesOf(changed).some(name => TEXT_FIELDS.includes(name))
  return {
    columns: { detached: JSON.stringify(detached) },
    also: [
      ...(changesText
        ? indexEvents([{ id: stored.id, text: occurrenceText({ ...stored, ...changed }) }])
        : []),
      ...moveDate(context, stored, status),
      ...(status === stored.status ? [] : [settleStatus(context, stored.series.id)]),
    ],
  }
}

/** The statements that leave a date out of a series, or take it in again, when its occurrence changes to this status. */
export function moveDate(context: RequestContext, stored: Occurrence, status: Status): SQL[] {
  const { series: row, occurrence_date } = stored
  if ((status === 'trash') === (stored.status === 'trash') || occurrence_date === null) return []
  const pattern = patternIn(row)
  const changed = status === 'trash' ? without(pattern, occurrence_date) : withDate(pattern, occurrence_date)
  return [
    changePattern(context, row, changed),
    recordChange(context, { action: 'update', kind: 'series', fields: ['recurrence'] }, row.id),
  ]
}

/**
 * Adds an error for an occurrence that comes back from the trash to a series that has no room for another additional date.
 *
 * @param status of the occurrence after the update
 */
export function validateReturn(stored: Occurrence, status: Status, errors: ValidationErrors): void {
  const { series: row, occurrence_date } = stored
  if (status === 'trash' || stored.status !== 'trash' || occurrence_date === null) return
  const { rdate } = withDate(patternIn(row), occurrence_date)
  if (rdate.length > MOST_DATES && rdate.length > row.rdate.length)
    errors.add('status', `its series has ${MOST_DATES} additional dates already`)
}

/** The pattern that leaves out a date. */
export const without = (pattern: Pattern, date: string): Pattern =>
  pattern.exdate.includes(date) ? pattern : { ...pattern, exdate: [...pattern.exdate, date].sort() }

/** The pattern that has a date, by its rule or as an additional one. */
function withDate(pattern: Pattern, date: string): Pattern {
  const included = { ...pattern, exdate: pattern.exdate.filter(other => other !== date) }
  return hasStart(included, date) ? included : { ...included, rdate: [...included.rdate, date].sort() }
}

/** The other occurrences that end with the recurrence: all of the series, or those after the named one. */
export const occurrencesEnded = ({ series, id, occurrence_date }: Occurrence, isWhole: boolean) =>
  series.occurrences.filter(
    other => other.id !== id && (isWhole || other.occurrence_date > (occurrence_date ?? series.start_date)),
  )

/**
 * The statements that end the recurrence of a series: the named occurrence becomes a single event, the others go to the
 * trash. With the scope `following`, only those after it.
 */
export function endRecurrence(context: RequestContext, { values, stored }: EventOutcome<Occurrence>): SQL[] {
  const { series: row, id } = stored
  const isWhole = values.scope !== 'following'
  const pattern = patternIn(row)
  const isSeriesOver = partOf(stored, isWhole).head === undefined
  const others = occurrencesEnded(stored, isWhole)
  const plan = planOf({
    pattern,
    status: 'trash',
    now: context.now,
    occurrences: others,
    hasNewStatus: true,
  })
  return [
    ...endStatements(context, stored, isWhole),
    recordChange(context, { action: 'update', kind: 'series', fields: ['recurrence'] }, row.id),
    sql`UPDATE ${events} SET series_id = NULL, occurrence_date = NULL, detached = '[]',
        description = ${values.description ?? stored.description}, excerpt = ${values.excerpt ?? stored.excerpt}
        ${isSeriesOver ? takeUid(row.id) : sql``}
      WHERE ${events.id} = ${id}`,
    ...(isSeriesOver ? [giveUpUid(row.id)] : []),
    ...indexEvents([{ id, text: eventText({ ...stored, ...values }) }]),
    ...updateOccurrences(row.id, plan.changes, {
      copied: [],
      before: new Map(others.map(other => [other.id, other.occurrence_date])),
    }),
    settleStatus(context, row.id),
  ]
}

/**
 * The assignments by which the event that is left of a series stays what it was for subscribers. Where each date is an event of its
 * own, another one may have had that UID, with a higher SEQUENCE.
 */
const takeUid = (id: number): SQL => sql`,
  uid = (SELECT iif(uid = '', 'series-' || id || '@', uid) FROM ${series} WHERE id = ${id}),
  sequence = (SELECT sequence + version FROM ${series} WHERE id = ${id})
    + (SELECT max(sequence + version) FROM ${events} WHERE series_id = ${id})`

/** The statement by which a series gets another UID: its occurrences may come back from the trash. */
const giveUpUid = (id: number): SQL =>
  sql`UPDATE ${series} SET uid = 'series-' || id || '.' || version || '@' WHERE id = ${id}`

/** The statements that end a series, or leave it its dates before the named occurrence, which it gives away. */
function endStatements(context: RequestContext, stored: Occurrence, isWhole: boolean): SQL[] {
  const { series: row } = stored
  const { head } = partOf(stored, isWhole)
  if (head) return [changePattern(context, row, head)]
  const { exdate } = without(patternIn(row), stored.occurrence_date ?? row.start_date)
  const columns = { status: 'trash' as const, extend_from: null, exdate: JSON.stringify(exdate) }
  return [
    update(series, { ...columns, ...modifiedNow(context), version: row.version + 1 }, eq(series.id, row.id)),
  ]
}
