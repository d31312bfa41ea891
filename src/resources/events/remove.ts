import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { together } from '../../db/query.ts'
import { series } from '../../db/schema.ts'
import { asOneChange } from '../../db/statements.ts'
import type { Versioned } from '../../http/reply.ts'
import { remainingDates, withDates } from '../content/series-dates.ts'
import { writtenBody } from '../content/single.ts'
import { deleteForGood, trashedRow } from '../content/trash.ts'
import { numbered } from '../content/writes.ts'
import type { PreparedEvent } from './prepare.ts'
import { assertMayEditAll } from './recurrence/change.ts'
import type { Scope } from './recurrence/fields.ts'
import { moveDate } from './recurrence/one.ts'
import { removedPart, trashedPart, withoutDate } from './recurrence/remove.ts'
import { partOf } from './recurrence/series-change.ts'
import { type EventOfSeries, NO_RELATIONS, selectOccurrences, selectSeries } from './recurrence/stored.ts'
import { dateStatements, type PreparedSeries, seriesStatements } from './recurrence/write.ts'
import { EVENTS } from './resource.ts'
import type { EventRow } from './rows.ts'
import type { EventResponse } from './schema.ts'

type Deletion = { row: EventRow; scope: Scope }

/** @throws ApiError `rest_forbidden` if the caller may not change all occurrences */
function partNamed(context: RequestContext, stored: EventOfSeries, scope: Scope) {
  const part = partOf(stored, scope === 'all')
  assertMayEditAll(context, stored.series, part.occurrences)
  return part
}

/**
 * What moves an event to the trash, or occurrences of its series.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change all occurrences
 */
export async function prepareTrash(
  context: RequestContext,
  { row, scope }: Deletion,
): Promise<PreparedEvent> {
  const stored = await withSeries(context, row)
  if (stored && scope !== 'this') {
    const part = partNamed(context, stored, scope)
    const series = trashedPart(context, stored, part)
    return { type: 'series', series: [series], shown: row.id, remaining: remaining(stored, part.occurrences) }
  }
  return {
    ...trashedRow(context, row),
    type: 'event',
    stored: stored ?? { ...row, series: null },
    relations: {},
    text: undefined,
    series: stored ? moveDate(context, stored, 'trash') : [],
    ...(stored && { remaining: remaining(stored, [row]) }),
  }
}

/**
 * Deletes an event, or occurrences of its series, for good.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change all occurrences
 */
export async function deleteEvent(
  context: RequestContext,
  { row, scope }: Deletion,
): Promise<Versioned<EventResponse>> {
  const stored = await withSeries(context, row)
  if (!stored || scope === 'this') {
    const also = stored ? removal(context, withoutDate(context, stored)) : []
    const deleted = await deleteForGood(context, { resource: EVENTS, row, also })
    return withHeaders(deleted, stored && remaining(stored, [row]))
  }
  const part = partNamed(context, stored, scope)
  await withDates(context, part.occurrences.length, () =>
    context.db.change(asOneChange(removal(context, removedPart(context, stored, part)))),
  )
  return withHeaders(writtenBody(context, { resource: EVENTS, row }), remaining(stored, part.occurrences))
}

/** The number of dates of a series that are not in the trash, apart from some. */
const remaining = ({ series }: EventOfSeries, gone: readonly { id: number }[]): number => {
  const ids = new Set(gone.map(({ id }) => id))
  return series.occurrences.filter(({ id, status }) => status !== 'trash' && !ids.has(id)).length
}

const withHeaders = <Body>(shown: Versioned<Body>, dates: number | undefined): Versioned<Body> => ({
  ...shown,
  headers: { ...shown.headers, ...remainingDates(dates) },
})

function removal(context: RequestContext, series: PreparedSeries): SQL[] {
  const rows = numbered([series])
  return [...seriesStatements(context, rows), ...dateStatements(context, rows)]
}

async function withSeries(context: RequestContext, row: EventRow): Promise<EventOfSeries | undefined> {
  if (row.series_id === null) return undefined
  const { rows, occurrences } = await context.db.get(
    together({
      rows: selectSeries(eq(series.id, row.series_id)),
      occurrences: selectOccurrences(sql`SELECT ${row.series_id}`),
    }),
  )
  const [found] = rows
  // Deletions don't compare relations.
  return found && { ...row, series: { ...found, relations: NO_RELATIONS, occurrences } }
}
