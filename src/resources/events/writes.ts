import { eq, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { firstOf, settled, together } from '../../db/query.ts'
import { events, series } from '../../db/schema.ts'
import { asOneChange } from '../../db/statements.ts'
import { SHORTENED, type Versioned } from '../../http/reply.ts'
import type { UsedName } from '../../http/shared-writes.ts'
import { spellingsOf } from '../../lib/slug.ts'
import type { ContentWrites } from '../content/resource.ts'
import { writtenBody } from '../content/routes.ts'
import { remainingDates, SERIES_DATES, SERIES_REMAINING, withDates } from '../content/series-dates.ts'
import { deleteForGood, trashedRow } from '../content/trash.ts'
import { numbered, selectWritten, withKeptValues, withStoredImages } from '../content/writes.ts'
import { nameKey } from '../terms/resource.ts'
import { type FoundForEvents, lookUp } from './outcome.ts'
import { type PreparedEvent, type PreparedEventRow, prepareEvent } from './prepare.ts'
import { type Scope, scopeParam } from './recurrence/fields.ts'
import { firstOfNew, removedPart, trashedPart, withoutDate } from './recurrence/start-and-end.ts'
import {
  assertMayEditAll,
  type EventOfSeries,
  isSeriesWide,
  partOf,
  type StoredEvent,
  selectOccurrences,
  selectSeries,
  selectStored,
} from './recurrence/stored.ts'
import type { PreparedSeries } from './recurrence/write.ts'
import { EVENTS } from './resource.ts'
import type { EventRow } from './rows.ts'
import { changedRows, rowsBefore } from './rows-before.ts'
import type { EventFields, EventResponse } from './schema.ts'
import { writeStatements } from './statements.ts'

/** The writes of events. Creating events also creates their new venues, organizers and terms, in one transaction. */
export const eventWrites: ContentWrites<
  EventFields,
  StoredEvent,
  FoundForEvents,
  PreparedEvent,
  EventResponse,
  EventRow
> = {
  options: scopeParam,
  headers: { ...SHORTENED, ...SERIES_DATES, ...SERIES_REMAINING },
  isAlone: isSeriesWide,
  usedNames,
  selectStored,
  lookUp,
  prepare: prepareEvent,
  write: writeEvents,
  prepareTrash: (context, { row, options: { scope = 'this' } }) => prepareTrash(context, { row, scope }),
  trashHeaders: prepared => remainingDates('remaining' in prepared ? prepared.remaining : undefined),
  deleteForGood: (context, { row, options: { scope = 'this' } }) => deleteEvent(context, { row, scope }),
}

/**
 * The series of an occurrence, whose pattern changes if the occurrence goes to the trash or comes back, and the slugs of new
 * terms: another name of the same slug means the one that is there by then.
 */
function* usedNames(prepared: PreparedEvent): Iterable<UsedName> {
  if (prepared.type !== 'event') return
  const { stored, columns } = prepared
  const changesPattern = (stored?.status === 'trash') !== (columns.status === 'trash')
  if (stored?.series_id) yield [`series ${stored.series_id}`, changesPattern ? prepared : 'its dates']
  for (const name of ['categories', 'tags'] as const)
    for (const term of prepared.relations[name]?.names ?? [])
      for (const slug of spellingsOf(term)) yield [`${name} ${slug}`, nameKey(term)]
}

/** Writes events and series in one transaction. @returns the events afterwards, in order; of a new series, its first date */
async function writeEvents(context: RequestContext, prepared: readonly PreparedEvent[]): Promise<EventRow[]> {
  const undo = await rowsBefore(context, prepared)
  const plain = prepared.flatMap(one =>
    one.type === 'event' ? [{ ...one, isRestored: changedRows(one) !== undefined }] : [],
  )
  const ofSeries = prepared.flatMap(({ series = [] }) => series)
  // All at once: an event that is repeated and its series have one image.
  const kept = await withKeptValues(context, await withStoredImages(context, [...plain, ...ofSeries]))
  const rows = numbered(kept.flatMap(row => ('type' in row ? [row] : [])))
  const series = numbered(kept.flatMap(row => ('type' in row ? [] : [row])))
  const changed = rows.filter(({ isUnchanged }) => !isUnchanged)
  const statements = [...writeStatements(context, { series, events: changed }), ...undo]
  // A row by itself is one change, but for another status, which changes its terms.
  const isOneRow =
    series.length === 0 && changed.length < 2 && !changed.some(hasRelations) && !changed.some(changesStatus)
  const numbers = rows.values()
  const shown = prepared.flatMap(one => {
    if (one.type === 'event') return numbers.next().value?.id ?? []
    return one.stored?.id ?? []
  })
  const isNewSeries = (one: PreparedEvent) => one.type === 'series' && one.stored === undefined
  const written = together({
    events: shown.length > 0 ? selectWritten(context, EVENTS, shown) : settled<EventRow[]>([]),
    first: prepared.some(isNewSeries)
      ? firstOf(EVENTS.select(context, sql`${events.id} = ${firstOfNew}`))
      : settled(undefined),
  })
  const found = await withDates(context, datesIn(series), () =>
    context.db.change(isOneRow ? statements : asOneChange(statements, changed.some(isPublic)), written),
  )
  const others = found.events.values()
  return prepared.flatMap(one => (isNewSeries(one) ? found.first : others.next().value) ?? [])
}

/** Tells if a row is public before or after it is written. */
const isPublic = ({ stored, columns }: PreparedEventRow): boolean =>
  [stored?.status, columns.status].includes('publish')

const changesStatus = ({ stored, columns }: PreparedEventRow): boolean =>
  stored !== undefined && columns.status !== undefined && columns.status !== stored.status

/** Tells whether links are written: a new event has none to remove. */
const hasRelations = ({ stored, relations }: PreparedEventRow): boolean =>
  Object.values(relations).some(
    relation =>
      stored || (Array.isArray(relation) ? relation : [...relation.ids, ...relation.names]).length > 0,
  )

/** The number of dates of series that are written, and of those that are made. */
function datesIn(series: readonly PreparedSeries[]): { dates: number; made: number } {
  const count = { dates: 0, made: 0 }
  for (const { dates: { insert = [], update = [], remove = [] } = {} } of series) {
    count.dates += insert.length + update.length + remove.length
    count.made += insert.length
  }
  return count
}

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
async function prepareTrash(context: RequestContext, { row, scope }: Deletion): Promise<PreparedEvent> {
  const stored = await withSeries(context, row)
  if (stored && scope !== 'this') {
    const part = partNamed(context, stored, scope)
    const series = [trashedPart(context, stored, part)]
    return { type: 'series', series, stored, remaining: remaining(stored, part.occurrences) }
  }
  return {
    ...trashedRow(context, row),
    type: 'event',
    stored: stored ?? { ...row, series: null },
    relations: {},
    text: undefined,
    series: stored ? [withoutDate(context, stored)] : [],
    ...(stored && { remaining: remaining(stored, [row]) }),
  }
}

/**
 * Deletes an event, or occurrences of its series, for good.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change all occurrences
 */
async function deleteEvent(
  context: RequestContext,
  { row, scope }: Deletion,
): Promise<Versioned<EventResponse>> {
  const stored = await withSeries(context, row)
  if (!stored || scope === 'this') {
    const series = stored ? [{ ...withoutDate(context, stored), dates: { remove: [] } }] : []
    const also = writeStatements(context, { series: numbered(series) })
    const deleted = await deleteForGood(context, { resource: EVENTS, row, also })
    return withHeaders(deleted, stored && remaining(stored, [row]))
  }
  const part = partNamed(context, stored, scope)
  const series = numbered([removedPart(context, stored, part)])
  await withDates(context, { dates: part.occurrences.length }, () =>
    context.db.change(asOneChange(writeStatements(context, { series }))),
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

async function withSeries(context: RequestContext, row: EventRow): Promise<EventOfSeries | undefined> {
  const { series_id, occurrence_date } = row
  if (series_id === null || occurrence_date === null) return undefined
  const { rows, occurrences } = await context.db.get(
    together({
      rows: selectSeries(eq(series.id, series_id)),
      occurrences: selectOccurrences(sql`SELECT ${series_id}`),
    }),
  )
  const [found] = rows
  return found && { ...row, occurrence_date, series: { ...found, occurrences } }
}
