import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { recordChange, recordUndo } from '../../../db/audit.ts'
import { listings } from '../../../db/derived.ts'
import { together } from '../../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  series,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
} from '../../../db/schema.ts'
import { asOneChange, update } from '../../../db/statements.ts'
import type { Versioned } from '../../../http/reply.ts'
import { ApiError } from '../../../lib/errors.ts'
import { withDates } from '../../content/series-dates.ts'
import { writtenBody } from '../../content/single.ts'
import { deleteContent, nameForTrash } from '../../content/trash.ts'
import { reverting } from '../../content/writes.ts'
import { EVENTS } from '../resource.ts'
import type { EventRow } from '../rows.ts'
import type { EventResponse } from '../schema.ts'
import { keepTwinsHidden } from '../twins.ts'
import { changePattern, modifiedNow } from './columns.ts'
import type { Scope } from './fields.ts'
import { moveDate, without } from './one.ts'
import { patternIn } from './pattern.ts'
import { planOf, trashedIn } from './plan.ts'
import { partOf } from './series-change.ts'
import { settleStatus, updateOccurrences } from './statements.ts'
import { type StoredEvent, type StoredSeries, selectOccurrences, selectSeries } from './stored.ts'
import { assertMayEditAll, restorationOf } from './update.ts'

type Deletion = { row: EventRow; force: boolean; scope: Scope }
type Occurrence = StoredEvent & { series: StoredSeries }

/**
 * Deletes an event, or occurrences of its series.
 *
 * @throws ApiError `event-is-in-trash`, or `rest_forbidden` if the caller may not change all occurrences
 */
export async function deleteEvent(
  context: RequestContext,
  { row, force, scope }: Deletion,
): Promise<Versioned<EventResponse>> {
  const stored = await withSeries(context, row)
  const before = keepTwinsHidden(context, [row.id])
  if (!stored) return deleteContent(context, { resource: EVENTS, row, force, before })
  if (scope === 'this') {
    const also = force
      ? forget(context, stored)
      : [...moveDate(context, stored, 'trash'), settleStatus(context, stored.series.id)]
    return deleteContent(context, { resource: EVENTS, row, force, also, before })
  }
  const part = partOf(stored, scope === 'all')
  assertMayEditAll(context, stored.series, part.occurrences)
  const { length: dates } = part.occurrences
  if (force) {
    await withDates(context, dates, () => context.db.change(asOneChange(removal(context, stored, part))))
    return writtenBody(context, { resource: EVENTS, row })
  }
  if (row.status === 'trash') throw new ApiError('event-is-in-trash', 'This event is in the trash already.')
  const [trashed] = await withDates(context, dates, () =>
    context.db.change(
      asOneChange(toTrash(context, stored, part)),
      EVENTS.select(context, eq(events.id, row.id)),
    ),
  )
  return writtenBody(context, { resource: EVENTS, row: trashed })
}

async function withSeries(context: RequestContext, row: EventRow): Promise<Occurrence | undefined> {
  if (row.series_id === null) return undefined
  const { rows, occurrences } = await context.db.get(
    together({
      rows: selectSeries(eq(series.id, row.series_id)),
      occurrences: selectOccurrences(sql`SELECT ${row.series_id}`),
    }),
  )
  const [found] = rows
  return found && { ...row, series: { ...found, relations: NO_RELATIONS, occurrences } }
}

/** Deletions don't compare relations. */
const NO_RELATIONS = { venue: [], organizer: [], categories: [], tags: [], image: null }

type SeriesPart = ReturnType<typeof partOf>

/** The statements that move a part of a series to the trash. */
function toTrash(context: RequestContext, stored: Occurrence, part: SeriesPart): SQL[] {
  const { series: row } = stored
  const { occurrences, pattern, head } = part
  const plan = planOf({ pattern, status: 'trash', now: context.now, occurrences, hasNewStatus: true })
  return [
    ...keepTwinsHidden(context, trashedIn(plan.changes)),
    head
      ? changePattern(context, row, head)
      : update(
          series,
          { status: 'trash', extend_from: null, ...modifiedNow(context), version: row.version + 1 },
          eq(series.id, row.id),
        ),
    recordChange(
      context,
      {
        action: 'trash',
        kind: 'series',
        changed: {
          ...(!head && { status: [row.status, 'trash'] as const }),
          dates: [null, { dropped: occurrences.filter(({ status }) => status !== 'trash').length }],
        },
      },
      row.id,
    ),
    ...updateOccurrences(row.id, plan.changes, {
      copied: [],
      before: new Map(occurrences.map(({ id, occurrence_date }) => [id, occurrence_date])),
    }),
    settleStatus(context, row.id),
    ...recordUndo(context, 'series', context.keepsUndo ? [undoOf(stored, part)] : [], sql`${row.id}`),
  ]
}

/** What takes a part of a series out of the trash again: its statuses, or the rule as it was before it ended. */
function undoOf(stored: Occurrence, { occurrences, head }: SeriesPart) {
  const { series: row } = stored
  if (!head) return { id: row.id, requests: restorationOf(stored, { status: row.status }) }
  const before = row.occurrences.findLast(other => other.status !== 'trash' && !occurrences.includes(other))
  const { rrule, rdate, exdate } = patternIn(row)
  const body = { recurrence: { rrule, rdate, exdate } }
  return {
    id: row.id,
    requests: before ? [reverting(`/events/${before.id}?scope=all`, before.version, body)] : [],
  }
}

/** The statements that delete a part of a series for good. */
function removal(
  context: RequestContext,
  { series: row }: Occurrence,
  { occurrences, head }: SeriesPart,
): SQL[] {
  const ids = sql`(SELECT value ->> 0 FROM json_each(${JSON.stringify(occurrences.map(({ id, version }) => [id, version]))}))`
  return [
    // Fails if the series was changed since it was read.
    head
      ? changePattern(context, row, head)
      : update(series, { version: row.version + 1, extend_from: null }, eq(series.id, row.id)),
    recordChange(context, { action: 'delete', kind: 'series', changed: nameForTrash('series', row) }, row.id),
    // Else each term of an event that goes makes a trigger read all its others: that took six seconds for 150 events of
    // 200 terms, and takes one like this (test/resources/events/recurrence/sizes.test.ts).
    sql`DELETE FROM ${listings} WHERE event_id IN ${ids}`,
    ...[eventVenues, eventOrganizers, eventTerms].map(
      links => sql`DELETE FROM ${links} WHERE ${links.event_id} IN ${ids}`,
    ),
    sql`UPDATE ${events} SET post_parent = NULL WHERE post_parent IN ${ids}`,
    sql`UPDATE ${series} SET post_parent = NULL WHERE post_parent IN ${ids}`,
    sql`DELETE FROM ${events} WHERE id IN ${ids}`,
    settleStatus(context, row.id),
    ...removeEmpty(row.id),
  ]
}

/** The statements after the deletion of one occurrence for good: its date does not come back. */
function forget(context: RequestContext, stored: Occurrence): SQL[] {
  const { series: row, occurrence_date } = stored
  return [
    changePattern(context, row, without(patternIn(row), occurrence_date ?? row.start_date)),
    settleStatus(context, row.id),
    ...removeEmpty(row.id),
  ]
}

/** The statements that delete a series without occurrences, if it gets no more. */
const removeEmpty = (id: number): SQL[] => {
  const isEmpty = sql`NOT EXISTS (SELECT 1 FROM ${events} WHERE series_id = ${id})
    AND EXISTS (SELECT 1 FROM ${series} WHERE id = ${id} AND extend_from IS NULL)`
  return [
    ...[seriesVenues, seriesOrganizers, seriesTerms].map(
      links => sql`DELETE FROM ${links} WHERE series_id = ${id} AND ${isEmpty}`,
    ),
    sql`DELETE FROM ${series} WHERE id = ${id} AND ${isEmpty}`,
  ]
}
