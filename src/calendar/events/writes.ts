import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext, ContentContext, WriteContext } from '../../kit/context.ts'
import { auditEntriesStatement } from '../../kit/db/audit.ts'
import { resolvedId } from '../../kit/db/bulk.ts'
import { combineQueries, eachOf, first, literal, resolvedQuery, type Statement } from '../../kit/db/query.ts'
import { asOneChange } from '../../kit/db/statements.ts'
import { events, series, twins } from '../../kit/db/tables.ts'
import { SHORTENED } from '../../kit/http/reply.ts'
import type { UsedName } from '../../kit/http/shared-writes.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { isOwnUid } from '../../kit/lib/ical/lines.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { may } from '../../kit/lib/roles.ts'
import { spellingsOf } from '../../kit/lib/slug.ts'
import {
  afterCopyStatements,
  afterSeparationStatements,
  readDivisionGuardStatements,
} from '../content/dependents.ts'
import type { ContentWrites } from '../content/resource.ts'
import { remainingDates, SERIES_DATES, SERIES_REMAINING, withDates } from '../content/series-dates.ts'
import { freeSlug, usedBySeriesSql } from '../content/slugs.ts'
import { deleteForGood, trashedRow } from '../content/trash.ts'
import {
  auditStatements,
  type Numbered,
  numberRows,
  rowStatements,
  type SlugRule,
  selectWritten,
  withAuditedValues,
  withStoredImages,
} from '../content/writes.ts'
import { nameKey } from '../terms/resource.ts'
import { circleGuardStatements, joiningStatements } from './parents.ts'
import {
  changedEventRow,
  type EventOutcome,
  type EventRowToWrite,
  isStored,
  linkedPublicationOf,
  newEventRow,
  outcomeOf,
  type PreparedEvent,
  type PreparedEventRow,
  type ReferencedByEvents,
  selectReferencedByEvents,
  slugOfTitle,
} from './prepare.ts'
import { isSeriesWide, type StoredEvent, selectStored, TICKET_FIELDS } from './recurrence/queries.ts'
import {
  dateStatements,
  datesAsideStatements,
  type PreparedSeries,
  seriesStatements,
} from './recurrence/statements.ts'
import { scopeParam } from './recurrence-fields.ts'
import { withLinkedPublications } from './relations/linked-publications.ts'
import { linksOf, relationStatements, selectNewLinks } from './relations/links.ts'
import { EVENTS } from './resource.ts'
import type { EventRow } from './rows.ts'
import type { EventFields, EventValues } from './schema.ts'
import { eventTextStatements } from './search.ts'
import {
  assertMayWriteDates,
  comparableColumns,
  countChangedDates,
  type Deletion,
  datesToTrash,
  isNewSeries,
  prepareDeletionInSeries,
  prepareInSeries,
  prepareTrashInSeries,
  seriesToSettle,
  usedSeries,
} from './series-writes/prepare-in-series.ts'
import { firstDateOfNewSeries } from './series-writes/start-and-end.ts'
import { readUndoStatements, undoScopeOf } from './undo-rows.ts'

type EventWriteTypes = {
  fields: EventFields
  stored: StoredEvent
  referencedRows: ReferencedByEvents
  prepared: PreparedEvent
  row: EventRow
}

/**
 * The writes of events. Creating events also creates their new venues, organizers and terms, in one
 * transaction.
 */
export const eventWrites: ContentWrites<EventWriteTypes> = {
  options: scopeParam,
  headers: { ...SHORTENED, ...SERIES_DATES, ...SERIES_REMAINING },
  isAlone: isSeriesWide,
  usedNames,
  selectStored,
  selectReferencedRows: selectReferencedByEvents,
  prepare: prepareEvent,
  write: writeEvents,
  prepareTrash: (context, { row, options: { scope = 'this' } }) => prepareTrash(context, { row, scope }),
  trashHeaders: prepared => remainingDates(prepared.remaining),
  deleteForGood: (context, { row, options: { scope = 'this' } }) => deleteEvent(context, { row, scope }),
}

/**
 * The names that a prepared event uses: its series, and the slugs of new terms. A later request that names a
 * term with such a slug means the new term.
 */
function* usedNames(prepared: PreparedEvent): Iterable<UsedName> {
  if (prepared.type !== 'event') return
  yield* usedSeries(prepared)
  for (const name of ['categories', 'tags'] as const)
    for (const term of prepared.relations[name]?.names ?? [])
      for (const slug of spellingsOf(term)) yield [`${name} ${slug}`, nameKey(term)]
}

/**
 * Prepares the write of an event.
 *
 * @throws ApiError `rest_forbidden` if the caller may not do this, and all errors at once
 */
function prepareEvent(
  context: ContentContext,
  {
    values: requestedValues,
    referencedRows,
    stored,
  }: { values: EventValues; referencedRows: ReferencedByEvents; stored?: StoredEvent | undefined },
  errors: ValidationErrors,
): PreparedEvent {
  const slug = stored && slugOfTitle(context, requestedValues, stored)
  const values = slug === undefined ? requestedValues : { ...requestedValues, slug }
  assertMayWriteDates(context, values, stored)
  const { external_id = '' } = values
  if (external_id !== stored?.external_id && ['', context.host].some(host => isOwnUid(external_id, host)))
    errors.add('external_id', 'must not have the form of the UIDs that this calendar gives to its own events')
  if (stored?.idsWithDerivedTickets?.includes(stored.id))
    for (const name of TICKET_FIELDS)
      if (values[name] !== undefined && values[name] !== stored[name])
        errors.add(
          name,
          codedReason('tickets_held', 'must stay as it is: it follows from who has registered for the event'),
        )
  const outcome: EventOutcome = outcomeOf(context, { values, referencedRows, stored }, errors)
  errors.throwIfAny()
  const prepared = prepareInSeries(context, outcome, errors) ?? prepareOutsideSeries(context, outcome)
  const linkedPublication = linkedPublicationOf(context, outcome)
  return linkedPublication ? { ...prepared, linkedPublication } : prepared
}

const prepareOutsideSeries = (context: BaseContext, outcome: EventOutcome): PreparedEvent =>
  isStored(outcome) ? changedEventRow(context, outcome, { hasOwnText: true }) : newEventRow(context, outcome)

const isEndless = ({ rrule }: PreparedSeries['columns']): boolean =>
  rrule !== undefined && rrule !== '' && !/;?(?:COUNT|UNTIL)=/.test(String(rrule))

/**
 * Statements of the transaction that writes events: those before the statements that write the events, and
 * those after.
 */
type SurroundingStatements = { before?: readonly Statement[]; after?: readonly Statement[] }

/**
 * Writes events and series in one transaction.
 *
 * @returns the events as they are after the write, in the given order. A new series is represented by its
 *   first date.
 */
export function writeEvents(
  context: ContentContext,
  prepared: readonly PreparedEvent[],
  surrounding: SurroundingStatements = {},
): Promise<EventRow[]> {
  return withLinkedPublications(
    context,
    prepared.flatMap(event => event.linkedPublication ?? []),
    publications => writeWithPublications(context, { ...surrounding, prepared, publications }),
  )
}

async function writeWithPublications(
  context: ContentContext,
  {
    prepared,
    publications,
    before = [],
    after = [],
  }: SurroundingStatements & { prepared: readonly PreparedEvent[]; publications: readonly SQL[] },
): Promise<EventRow[]> {
  const { keepsUndo = false } = context
  const undo = keepsUndo ? await readUndoStatements(context, prepared) : []
  const eventRows = prepared.flatMap(event =>
    event.type === 'event'
      ? [{ ...event, isUndoneByRows: keepsUndo && undoScopeOf(event) !== undefined }]
      : [],
  )
  const seriesRows = prepared.flatMap(({ series = [] }) => series)
  const guard = await readDivisionGuardStatements(
    context,
    seriesRows.flatMap(row =>
      row.stored && (row.isDivided || row.losesDate || isEndless(row.columns)) ? [row.stored.id] : [],
    ),
  )
  // All images at once, because an event and the series that it becomes have one image.
  const rows = await withAuditedValues(
    context,
    await withStoredImages(context, [...eventRows, ...seriesRows]),
  )
  const allEvents = numberRows(rows.flatMap(row => ('type' in row ? [row] : [])))
  const allSeries = numberRows(rows.flatMap(row => ('type' in row ? [] : [row])))
  const changedEvents = allEvents.filter(({ isUnchanged }) => !isUnchanged)
  const partCount = changedEvents.filter(({ isPartOfFirst }) => isPartOfFirst).length
  const statements = [
    ...guard,
    // The publications come before the event, so that undoing the write, and undoing that, takes the two in
    // turn.
    ...publications,
    ...writeStatements(context, { series: allSeries, events: changedEvents }),
    ...joiningStatements(context, partCount),
    ...featureStatements(changedEvents),
    ...undo,
  ]
  // A single row without links is one change anyway, unless its status changes: triggers then change its
  // terms, too.
  const isOneRow =
    allSeries.length + publications.length === 0 &&
    changedEvents.length < 2 &&
    !changedEvents.some(hasRelations) &&
    !changedEvents.some(changesStatus)
  const change = isOneRow ? statements : asOneChange(statements, changedEvents.some(concernsPublic))
  const result = await withDates(context, countChangedDates(allSeries), () =>
    context.db.write([...before, ...change, ...after], selectAfterWrite(context, prepared, allEvents)),
  )
  const otherEvents = result.events.values()
  return prepared.flatMap(event => (isNewSeries(event) ? result.first : otherEvents.next().value) ?? [])
}

/** What features do for events that are copies, or have left their series. */
const featureStatements = (changedEvents: readonly Numbered<PreparedEventRow>[]): Statement[] => [
  ...changedEvents.flatMap(({ id, copyOf }) =>
    copyOf === undefined
      ? []
      : afterCopyStatements('event', { from: sql`${copyOf}`, to: resolvedId(events, sql`${id}`) }),
  ),
  ...changedEvents.flatMap(({ stored, columns }) =>
    stored?.series_id && columns.series_id === null
      ? afterSeparationStatements({ series: literal(stored.series_id), event: literal(stored.id) })
      : [],
  ),
]

/** A query for the written events and, apart from them, for the first date of a new series. */
function selectAfterWrite(
  context: ContentContext,
  prepared: readonly PreparedEvent[],
  writtenRows: readonly { id: number }[],
) {
  const writtenEvents = writtenRows.values()
  const shownIds = prepared.flatMap(event => {
    if (event.type === 'event') return writtenEvents.next().value?.id ?? []
    return event.stored?.id ?? []
  })
  return combineQueries({
    events: shownIds.length > 0 ? selectWritten(context, EVENTS, shownIds) : resolvedQuery<EventRow[]>([]),
    first: prepared.some(isNewSeries)
      ? first(EVENTS.select(context, sql`${events.id} = ${firstDateOfNewSeries}`))
      : resolvedQuery(undefined),
  })
}

const concernsPublic = ({ stored, columns }: PreparedEventRow): boolean =>
  [stored?.status, columns.status].includes('publish')

const changesStatus = ({ stored, columns }: PreparedEventRow): boolean =>
  stored !== undefined && columns.status !== undefined && columns.status !== stored.status

/** True if links are written: a new event has none to remove. */
const hasRelations = ({ stored, relations }: PreparedEventRow): boolean =>
  Object.values(relations).some(
    relation =>
      stored || (Array.isArray(relation) ? relation : [...relation.ids, ...relation.names]).length > 0,
  )

type RowsToWrite = {
  series?: readonly Numbered<PreparedSeries>[]
  /** `series_id` may be the number of a new series of the same write. @see resolvedId */
  events?: readonly Numbered<EventRowToWrite>[]
}

/**
 * The statements that write rows of series and events with their relations. No other statements create
 * events. Each row comes after the rows that it refers to.
 */
export const writeStatements = (
  context: WriteContext,
  { series = [], events = [] }: RowsToWrite,
): Statement[] => [
  ...seriesStatements(context, series),
  ...duplicateTrashStatements(context, [...events.flatMap(idsToTrash), ...series.flatMap(datesToTrash)]),
  // Occurrences that get another date leave theirs first.
  ...datesAsideStatements(events.flatMap(({ id, movesDate }) => (movesDate ? [id] : []))),
  ...eventStatements(context, events),
  ...dateStatements(context, series, events.flatMap(seriesToSettle)),
  ...circleGuardStatements(events, series),
]

const AUDITED_LINKS = linksOf('event')
const REFERENCES = { series_id: (value: SQL) => resolvedId(series, value) }

const eventStatements = (context: WriteContext, rows: readonly Numbered<EventRowToWrite>[]): Statement[] => [
  ...rowStatements(
    context,
    { resource: EVENTS, slugRule, computed: REFERENCES },
    rows.map(row => ({ ...row, stored: comparableColumns(row) })),
  ),
  ...eventTextStatements(rows.flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }]))),
  ...relationStatements(
    context,
    'event',
    rows.map(({ id, stored, relations }) => ({ id, isNew: !stored, relations })),
  ),
  ...auditStatements(context, EVENTS, rows, AUDITED_LINKS),
]

/**
 * No event gets the address of a series, or of a date of a series. An event of the series `owner`, which is a
 * slug, may have the addresses of that series.
 */
const slugRule: SlugRule = ({ wanted, rank, owner, except }) =>
  freeSlug(events, wanted, { rank, except, usedElsewhere: slug => usedBySeriesSql(slug, owner) })

const idsToTrash = ({ id, columns, stored }: Numbered<EventRowToWrite>): number[] =>
  columns.status === 'trash' && stored?.status !== undefined && stored.status !== 'trash' ? [id] : []

const pairSql = (a: SQL, b: SQL): SQL =>
  sql`${twins.first_id} = min(${a}, ${b}) AND ${twins.second_id} = max(${a}, ${b})`

/**
 * The statements that come before the statements that move events to the trash. Lists hide duplicates behind
 * such events: the duplicates move to the trash, too, if the caller may move them. Otherwise lists show the
 * duplicates again, so that nobody can take other people's events off the lists by copying them.
 */
function duplicateTrashStatements(context: WriteContext, ids: readonly number[]): Statement[] {
  if (ids.length === 0 || !may(context.caller, 'edit_others_content')) return []
  const hiddenEvents = sql`SELECT ${events.id} AS id, duplicate_of, status FROM ${eachOf(ids)} AS input
    CROSS JOIN ${events} INDEXED BY events_duplicates ON duplicate_of = input.value`
  return [
    sql`UPDATE ${twins} SET trashed_from = hidden.status FROM (${hiddenEvents}) AS hidden
      WHERE ${pairSql(sql`hidden.id`, sql`hidden.duplicate_of`)}`,
    auditEntriesStatement(context, { action: 'trash', kind: 'event' }, hiddenEvents),
  ]
}

/**
 * Prepares the write that moves an event, or occurrences of its series, to the trash.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change all occurrences
 */
async function prepareTrash(context: BaseContext, deletion: Deletion): Promise<PreparedEvent> {
  const { row } = deletion
  // Venues and organizers that were to become public with a planned event no longer do. Dates of a series
  // share them with the other dates.
  const newLinks =
    row.status === 'future' && row.series_id === null
      ? (await context.db.read(selectNewLinks(sql`SELECT ${row.id}`))).get(row.id)
      : undefined
  return prepareTrashInSeries(context, deletion, {
    ...trashedRow(context, row),
    type: 'event',
    stored: { ...row, series: null },
    relations: {},
    text: undefined,
    series: [],
    ...(newLinks && {
      linkedPublication: {
        links: newLinks,
        before: row,
        after: { status: 'trash', date_utc: row.date_utc },
      },
    }),
  })
}

/**
 * Deletes an event, or occurrences of its series, for good.
 *
 * @returns the headers of the response
 * @throws ApiError `rest_forbidden` if the caller may not change all occurrences
 */
async function deleteEvent(context: ContentContext, deletion: Deletion) {
  const seriesDeletion = await prepareDeletionInSeries(context, deletion)
  const furtherStatements = writeStatements(context, { series: numberRows(seriesDeletion?.series ?? []) })
  if (seriesDeletion?.dates !== undefined)
    await withDates(context, { dates: seriesDeletion.dates }, () =>
      context.db.write(asOneChange(furtherStatements)),
    )
  else
    await deleteForGood(context, { resource: EVENTS, row: deletion.row, extraStatements: furtherStatements })
  return remainingDates(seriesDeletion?.remainingCount)
}
