import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext, WriteContext } from '../../context.ts'
import { resolvedId } from '../../db/bulk.ts'
import { conflictIf } from '../../db/conflicts.ts'
import { firstOf, settled, together } from '../../db/query.ts'
import { events, series } from '../../db/schema.ts'
import { freeSlugSql } from '../../db/slugs.ts'
import { asOneChange } from '../../db/statements.ts'
import { SHORTENED } from '../../http/reply.ts'
import type { Taken } from '../../http/shared-writes.ts'
import { slugify } from '../../lib/slug.ts'
import { remainingDates, SERIES_DATES, SERIES_REMAINING, withDates } from '../content/series-dates.ts'
import {
  auditStatements,
  type ContentWrites,
  type Numbered,
  numbered,
  type PreparedRow,
  rowStatements,
  type SlugRule,
  selectWritten,
  withKeptValues,
  withStoredImages,
} from '../content/writes.ts'
import { nameKey } from '../terms/resource.ts'
import { type FoundForEvents, isInCircle, lookUp } from './outcome.ts'
import { type PreparedEvent, type PreparedEventRow, prepareEvent } from './prepare.ts'
import { isSeriesWide } from './recurrence/change.ts'
import { firstOfNew } from './recurrence/create.ts'
import { scopeParam } from './recurrence/fields.ts'
import { takenBySeries } from './recurrence/slugs.ts'
import { type StoredEvent, selectStored } from './recurrence/stored.ts'
import { dateStatements, leaveDates, type PreparedSeries, seriesStatements } from './recurrence/write.ts'
import { linksOf, relationStatements } from './relations/links.ts'
import { deleteEvent, prepareTrash } from './remove.ts'
import { EVENTS } from './resource.ts'
import type { EventRow } from './rows.ts'
import type { EventFields, EventResponse } from './schema.ts'
import { indexEvents } from './search.ts'
import { keepTwinsHidden } from './twins.ts'

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
  isAlone: values => isSeriesWide(values) || values.recurrence !== undefined,
  taken,
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
function* taken(prepared: PreparedEvent): Iterable<Taken> {
  if (prepared.type !== 'event') return
  const { stored, columns } = prepared
  const changesPattern = (stored?.status === 'trash') !== (columns.status === 'trash')
  if (stored?.series_id) yield [`series ${stored.series_id}`, changesPattern ? prepared : 'its dates']
  for (const name of ['categories', 'tags'] as const)
    for (const term of prepared.relations[name]?.names ?? [])
      yield [`${name} ${slugify(term)}`, nameKey(term)]
}

/** Writes events and series in one transaction. @returns the events afterwards, in order; of a new series, its first date */
async function writeEvents(context: RequestContext, prepared: readonly PreparedEvent[]): Promise<EventRow[]> {
  const plain = prepared.flatMap(one => (one.type === 'event' ? [one] : []))
  const ofSeries = prepared.flatMap(({ series = [] }) => series)
  // All at once: an event that is repeated and its series have one image.
  const kept = await withKeptValues(context, await withStoredImages(context, [...plain, ...ofSeries]))
  const rows = numbered(kept.flatMap(row => ('type' in row ? [row] : [])))
  const series = numbered(kept.flatMap(row => ('type' in row ? [] : [row])))
  const changed = rows.filter(({ isUnchanged }) => !isUnchanged)
  const statements = writeStatements(context, { series, events: changed })
  // A row by itself is one change, but for another status, which changes its terms.
  const isOneRow =
    series.length === 0 && changed.length < 2 && !changed.some(hasRelations) && !changed.some(changesStatus)
  const numbers = rows.values()
  const shown = prepared.flatMap(one => {
    if (one.type === 'event') return numbers.next().value?.id ?? []
    return one.type === 'series' ? one.shown : []
  })
  const isNewSeries = prepared.some(({ type }) => type === 'new series')
  const written = together({
    events: shown.length > 0 ? selectWritten(context, EVENTS, shown) : settled<EventRow[]>([]),
    first: isNewSeries
      ? firstOf(EVENTS.select(context, sql`${events.id} = ${firstOfNew}`))
      : settled(undefined),
  })
  const found = await withDates(context, datesIn(series), () =>
    context.db.change(isOneRow ? statements : asOneChange(statements, changed.some(isPublic)), written),
  )
  const others = found.events.values()
  return prepared.flatMap(({ type }) => (type === 'new series' ? found.first : others.next().value) ?? [])
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

/** The number of dates of series that are written. */
const datesIn = (series: readonly PreparedSeries[]): number =>
  series.reduce(
    (sum, { dates: { insert = [], update = [], remove = [] } = {} }) =>
      sum + insert.length + update.length + remove.length,
    0,
  )

/** A row of `events` as it is written: an update needs no more of the stored one. */
export type EventRowToWrite = PreparedRow &
  Pick<PreparedEventRow, 'relations' | 'text'> & {
    stored?: { id: number; version: number; status?: string; series_id?: number | null } | undefined
    /** True if an update changes the date that it has in its series. */
    movesDate?: boolean | undefined
  }

type RowsToWrite = {
  series: readonly Numbered<PreparedSeries>[]
  /** `series_id` may be the number of a new series of the same write. @see resolvedId */
  events: readonly Numbered<EventRowToWrite>[]
}

/**
 * The statements that write rows of series and events, all of them at once, with their relations: the only ones that make events.
 * Rows come after those that they refer to.
 */
export const writeStatements = (context: WriteContext, { series, events }: RowsToWrite): SQL[] => [
  ...seriesStatements(context, series),
  ...keepTwinsHidden(
    context,
    events.filter(goesToTrash).map(({ id }) => id),
  ),
  ...leaveDates(events.flatMap(({ id, movesDate }) => (movesDate ? [id] : []))),
  ...eventStatements(context, events),
  ...dateStatements(context, series, events.flatMap(seriesToSettle)),
  ...withoutCircles(events, series),
]

/** The statement that makes a write fail if one at the same time has made a parent a part of what is now a part of it. */
function withoutCircles(...rows: readonly [events: readonly Parented[], series: readonly Parented[]]): SQL[] {
  // Nothing is a part of a new event yet.
  const [ids, seriesIds] = rows.map(some =>
    some.flatMap(({ id, stored, columns }) => (stored && columns.post_parent ? [id] : [])),
  )
  return ids?.length || seriesIds?.length ? [conflictIf(isInCircle(ids ?? [], seriesIds ?? []))] : []
}

type Parented = Pick<Numbered<PreparedRow>, 'id' | 'stored' | 'columns'>

const LINKS = linksOf('event')
const REFERENCES = { series_id: (value: SQL) => resolvedId(series, value) }

const eventStatements = (context: WriteContext, rows: readonly Numbered<EventRowToWrite>[]): SQL[] => [
  ...rowStatements(
    context,
    { resource: EVENTS, slugRule, computed: REFERENCES },
    rows.map(row => ({ ...row, stored: storedColumns(row) })),
  ),
  ...indexEvents(rows.flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }]))),
  ...relationStatements(
    context,
    'event',
    rows.map(({ id, stored, relations }) => ({ id, isNew: !stored, relations })),
  ),
  ...auditStatements(context, EVENTS, rows, LINKS),
]

/**
 * The columns of a stored event, without those that may be others by now: texts that it shares with its series are not in its
 * own row, and a date that moves has left its place.
 */
const storedColumns = ({ stored, movesDate }: EventRowToWrite): PreparedRow['stored'] =>
  stored && {
    ...stored,
    ...(stored.series_id !== null && { description: undefined, excerpt: undefined }),
    ...(movesDate && { occurrence_date: undefined }),
  }

/** No event has the address of a series, or of one of its dates. The owner is the slug of its own series, whose dates it may have. */
const slugRule: SlugRule = ({ wanted, rank, owner, except }) =>
  freeSlugSql(events, wanted, { rank, except, takenElsewhere: takenBySeries(owner) })

const goesToTrash = ({ columns, stored }: EventRowToWrite): boolean =>
  columns.status === 'trash' && stored?.status !== undefined && stored.status !== 'trash'

/** The series of an occurrence whose status changes, which that of the series follows. */
const seriesToSettle = ({ columns, stored }: EventRowToWrite): number[] =>
  stored?.series_id && columns.status !== undefined && columns.status !== stored.status
    ? [stored.series_id]
    : []
