import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext, WriteContext } from '../../context.ts'
import { recordEach } from '../../db/audit.ts'
import { resolvedId } from '../../db/bulk.ts'
import { TEXT_FIELDS } from '../../db/derived.ts'
import { firstOf, settled, together } from '../../db/query.ts'
import { duplicatePairs, events, series } from '../../db/schema.ts'
import { freeSlugSql, isUsedBySeries } from '../../db/slugs.ts'
import { asOneChange } from '../../db/statements.ts'
import { SHORTENED } from '../../http/reply.ts'
import type { UsedName } from '../../http/shared-writes.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { isOwnUid } from '../../lib/ical/lines.ts'
import { may } from '../../lib/roles.ts'
import { spellingsOf } from '../../lib/slug.ts'
import type { ContentWrites } from '../content/resource.ts'
import { remainingDates, SERIES_DATES, SERIES_REMAINING, withDates } from '../content/series-dates.ts'
import { deleteForGood, trashedRow } from '../content/trash.ts'
import {
  auditStatements,
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
import { joinToFirst, withoutCircles } from './parents.ts'
import {
  changedEventRow,
  type EventOutcome,
  type FoundForEvents,
  lookUp,
  newEventRow,
  outcomeOf,
  type PreparedEvent,
  type PreparedEventRow,
  slugOfTitle,
} from './prepare.ts'
import { changedNames, prepareChange, spreadNames } from './recurrence/change.ts'
import { repeats, type Scope, scopeParam } from './recurrence/fields.ts'
import {
  assertMayEditAll,
  type EventOfSeries,
  isSeriesWide,
  partOf,
  type StoredEvent,
  selectOccurrences,
  selectSeries,
  selectStored,
} from './recurrence/queries.ts'
import {
  detach,
  endRecurrence,
  firstOfNew,
  prepareNewSeries,
  prepareRepeated,
  removedPart,
  trashedPart,
  withoutDate,
} from './recurrence/start-and-end.ts'
import { dateStatements, leaveDates, type PreparedSeries, seriesStatements } from './recurrence/statements.ts'
import { linksOf, relationStatements } from './relations/links.ts'
import { EVENTS } from './resource.ts'
import type { EventRow } from './rows.ts'
import { changedRows, rowsBefore } from './rows-before.ts'
import type { EventFields, EventValues } from './schema.ts'
import { indexEvents } from './search.ts'

type EventWriteTypes = {
  fields: EventFields
  stored: StoredEvent
  found: FoundForEvents
  prepared: PreparedEvent
  row: EventRow
}

/** The writes of events. Creating events also creates their new venues, organizers and terms, in one transaction. */
export const eventWrites: ContentWrites<EventWriteTypes> = {
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
 * The names that a prepared event uses: the series of an occurrence, whose pattern changes if the occurrence goes to the trash or
 * comes back, and the slugs of new terms. A later request that names a term with such a slug means the new term.
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

/** Tells an occurrence from a single event. */
const isOccurrence = (outcome: EventOutcome): outcome is EventOutcome<EventOfSeries> =>
  Boolean(outcome.stored?.series)

const isSingle = (outcome: EventOutcome): outcome is EventOutcome<StoredEvent> => outcome.stored !== undefined

/**
 * Prepares the write of an event.
 *
 * @throws ApiError `rest_forbidden` if the caller may not do this, and all errors at once
 */
export function prepareEvent(
  context: RequestContext,
  {
    values: requested,
    found,
    stored,
  }: { values: EventValues; found: FoundForEvents; stored?: StoredEvent | undefined },
  errors: ValidationErrors,
): PreparedEvent {
  const slug = stored && slugOfTitle(context, requested, stored)
  const values = slug === undefined ? requested : { ...requested, slug }
  if (stored?.series && isSeriesWide(values))
    assertMayEditAll(context, stored.series, stored.series.occurrences)
  // A date in the trash comes back with its series, which others may have published.
  else if (stored?.series && stored.status === 'trash') assertMayEditAll(context, stored.series, [])
  const { external_id = '' } = values
  if (external_id !== stored?.external_id && ['', context.host].some(host => isOwnUid(external_id, host)))
    errors.add('external_id', 'has the form of the UIDs that this calendar gives to its own events')
  const outcome: EventOutcome = outcomeOf(context, { values, found, stored }, errors)
  errors.throwIfAny()
  if (isOccurrence(outcome)) return preparedOccurrence(context, outcome, errors)
  const isRepeated = repeats(values.recurrence)
  if (!isSingle(outcome))
    return isRepeated
      ? { type: 'series', series: [prepareNewSeries(context, outcome, errors)] }
      : newEventRow(context, outcome)
  if (!isRepeated) return changedEventRow(context, outcome, { hasOwnText: true })
  return changedEventRow(context, outcome, prepareRepeated(context, outcome, errors))
}

function preparedOccurrence(
  context: RequestContext,
  outcome: EventOutcome<EventOfSeries>,
  errors: ValidationErrors,
): PreparedEvent {
  const { values, stored } = outcome
  if (values.recurrence !== undefined && values.scope === 'this')
    errors.add('scope', 'must be all or following for a change of the recurrence')
  if (isSeriesWide(values)) {
    const spread = spreadNames(outcome, errors)
    errors.throwIfAny()
    if (values.recurrence === '') return changedEventRow(context, outcome, endRecurrence(context, outcome))
    const series = prepareChange(context, narrowed(outcome, [...changedNames(outcome), ...spread]), errors)
    return { type: 'series', series, stored }
  }
  const changed = narrowed(outcome, changedNames(outcome))
  const further = detach(context, changed, errors)
  errors.throwIfAny()
  return changedEventRow(context, changed, further)
}

/** The part of an outcome that follows from some of its values. Texts that an occurrence shares with its series stay in the series unless they change. */
function narrowed<S extends StoredEvent>(
  outcome: EventOutcome<S>,
  names: readonly string[],
): EventOutcome<S> {
  const only = <T extends object>(all: T): T =>
    // A selection of the entries, each of which may be absent.
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as T
  const shared = Object.fromEntries(
    TEXT_FIELDS.filter(name => !names.includes(name)).map(name => [name, undefined]),
  )
  return {
    ...outcome,
    values: only(outcome.values),
    relations: only(outcome.relations),
    image: names.includes('image') ? outcome.image : undefined,
    columns: { ...outcome.columns, ...shared },
  }
}

/** Writes events and series in one transaction. @returns the events afterwards, in order; of a new series, its first date */
async function writeEvents(context: RequestContext, prepared: readonly PreparedEvent[]): Promise<EventRow[]> {
  const { keepsUndo = false } = context
  const undo = keepsUndo ? await rowsBefore(context, prepared) : []
  const plain = prepared.flatMap(one =>
    one.type === 'event' ? [{ ...one, isRestored: keepsUndo && changedRows(one) !== undefined }] : [],
  )
  const ofSeries = prepared.flatMap(({ series = [] }) => series)
  // All at once, because an event and the series that it becomes have one image.
  const kept = await withKeptValues(context, await withStoredImages(context, [...plain, ...ofSeries]))
  const rows = numbered(kept.flatMap(row => ('type' in row ? [row] : [])))
  const series = numbered(kept.flatMap(row => ('type' in row ? [] : [row])))
  const changed = rows.filter(({ isUnchanged }) => !isUnchanged)
  const parts = changed.filter(({ isPartOfFirst }) => isPartOfFirst).length
  const statements = [
    ...writeStatements(context, { series, events: changed }),
    ...joinToFirst(context, parts),
    ...undo,
  ]
  // A single row without links is one change anyway, unless its status changes: triggers then change its terms, too.
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

/** Tells if a row is public before or after the write. */
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

/** The number of dates of series that a write changes, and the number that it creates. */
function datesIn(series: readonly PreparedSeries[]): { dates: number; made: number } {
  const count = { dates: 0, made: 0 }
  for (const { dates: { insert = [], update = [], remove = [] } = {} } of series) {
    count.dates += insert.length + update.length + remove.length
    count.made += insert.length
  }
  return count
}

/** A row of `events` to write. An update needs only these columns of the stored row. */
export type EventRowToWrite = PreparedRow &
  Pick<PreparedEventRow, 'relations' | 'text'> & {
    stored?: { id: number; version: number; status?: string; series_id?: number | null } | undefined
    /** True if an update changes the date of the event in its series. */
    movesDate?: boolean | undefined
  }

type RowsToWrite = {
  series?: readonly Numbered<PreparedSeries>[]
  /** `series_id` may be the number of a new series of the same write. @see resolvedId */
  events?: readonly Numbered<EventRowToWrite>[]
}

/**
 * The statements that write rows of series and events with their relations. No other statements create events. Each row comes
 * after the rows that it refers to.
 */
export const writeStatements = (context: WriteContext, { series = [], events = [] }: RowsToWrite): SQL[] => [
  ...seriesStatements(context, series),
  ...keepDuplicatesHidden(context, [...events.flatMap(goesToTrash), ...series.flatMap(datesToTrash)]),
  ...leaveDates(events.flatMap(({ id, movesDate }) => (movesDate ? [id] : []))),
  ...eventStatements(context, events),
  ...dateStatements(context, series, events.flatMap(seriesToSettle)),
  ...withoutCircles(events, series),
]

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
 * The columns of a stored event, without columns whose values in its row may differ: the row of an occurrence lacks the texts that
 * it shares with its series, and an earlier statement has removed the date of an occurrence that moves.
 */
const storedColumns = ({ stored, movesDate }: EventRowToWrite): PreparedRow['stored'] =>
  stored && {
    ...stored,
    ...(stored.series_id !== null && { description: undefined, excerpt: undefined }),
    ...(movesDate && { occurrence_date: undefined }),
  }

/** No event gets the address of a series, or of a date of a series. The owner is the slug of the event's own series, whose addresses it may have. */
const slugRule: SlugRule = ({ wanted, rank, owner, except }) =>
  freeSlugSql(events, wanted, { rank, except, usedElsewhere: isUsedBySeries(owner) })

/** The series of an occurrence whose status changes: the status of the series follows. */
const seriesToSettle = ({ columns, stored }: EventRowToWrite): number[] =>
  stored?.series_id && columns.status !== undefined && columns.status !== stored.status
    ? [stored.series_id]
    : []

const goesToTrash = ({ id, columns, stored }: Numbered<EventRowToWrite>): number[] =>
  columns.status === 'trash' && stored?.status !== undefined && stored.status !== 'trash' ? [id] : []

const datesToTrash = ({ dates: { update = [] } = {} }: PreparedSeries): number[] =>
  update.flatMap(({ id, status }) => (status === 'trash' ? [id] : []))

/** A condition for the pair of two events. */
const isPair = (a: SQL, b: SQL): SQL =>
  sql`${duplicatePairs.first_id} = min(${a}, ${b}) AND ${duplicatePairs.second_id} = max(${a}, ${b})`

/**
 * The statements that come before the statements that move events to the trash. Lists hide duplicates behind such events: the duplicates
 * move to the trash, too, if the caller may move them. Otherwise lists show the duplicates again, so that nobody can take other
 * people's events off the lists by copying them.
 */
function keepDuplicatesHidden(context: WriteContext, ids: readonly number[]): SQL[] {
  if (ids.length === 0 || !may(context.caller, 'edit_others_content')) return []
  const hidden = sql`SELECT ${events.id} AS id, duplicate_of, status FROM json_each(${JSON.stringify(ids)}) AS input
    CROSS JOIN ${events} INDEXED BY events_duplicates ON duplicate_of = input.value`
  return [
    sql`UPDATE ${duplicatePairs} SET trashed_from = hidden.status FROM (${hidden}) AS hidden
      WHERE ${isPair(sql`hidden.id`, sql`hidden.duplicate_of`)}`,
    recordEach(context, { action: 'trash', kind: 'event' }, hidden),
  ]
}

type Deletion = { row: EventRow; scope: Scope }

/** @throws ApiError `rest_forbidden` if the caller may not change all occurrences */
function partNamed(context: RequestContext, stored: EventOfSeries, scope: Scope) {
  const part = partOf(stored, scope === 'all')
  assertMayEditAll(context, stored.series, part.occurrences)
  return part
}

/**
 * Prepares the write that moves an event, or occurrences of its series, to the trash.
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
 * @returns the headers of the response
 * @throws ApiError `rest_forbidden` if the caller may not change all occurrences
 */
async function deleteEvent(context: RequestContext, { row, scope }: Deletion) {
  const stored = await withSeries(context, row)
  if (!stored || scope === 'this') {
    const series = stored ? [{ ...withoutDate(context, stored), dates: { remove: [] } }] : []
    const also = writeStatements(context, { series: numbered(series) })
    await deleteForGood(context, { resource: EVENTS, row, also })
    return remainingDates(stored && remaining(stored, [row]))
  }
  const part = partNamed(context, stored, scope)
  const series = numbered([removedPart(context, stored, part)])
  await withDates(context, { dates: part.occurrences.length }, () =>
    context.db.change(asOneChange(writeStatements(context, { series }))),
  )
  return remainingDates(remaining(stored, part.occurrences))
}

/** The number of dates of a series that are not in the trash, apart from some. */
const remaining = ({ series }: EventOfSeries, gone: readonly { id: number }[]): number => {
  const ids = new Set(gone.map(({ id }) => id))
  return series.occurrences.filter(({ id, status }) => status !== 'trash' && !ids.has(id)).length
}

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
