import { eq, sql } from 'drizzle-orm'
import type { BaseContext } from '../../../kit/context.ts'
import { TEXT_FIELDS } from '../../../kit/db/event-expressions.ts'
import { combineQueries } from '../../../kit/db/query.ts'
import { series } from '../../../kit/db/tables.ts'
import type { UsedName } from '../../../kit/http/shared-writes.ts'
import type { ValidationErrors } from '../../../kit/lib/errors.ts'
import type { Numbered, PreparedRow } from '../../content/writes.ts'
import {
  changedEventRow,
  type EventOutcome,
  type EventRowToWrite,
  isStored,
  type PreparedEvent,
  type PreparedEventRow,
} from '../prepare.ts'
import {
  assertMayEditAll,
  type EventOfSeries,
  isSeriesWide,
  type StoredEvent,
  selectOccurrences,
  selectSeries,
  seriesPart,
} from '../recurrence/queries.ts'
import type { PreparedSeries } from '../recurrence/statements.ts'
import { repeats, type Scope } from '../recurrence-fields.ts'
import type { EventRow } from '../rows.ts'
import type { EventValues } from '../schema.ts'
import { changedNames, prepareChange, spreadNames } from './split-or-change.ts'
import {
  detach,
  endRecurrence,
  prepareNewSeries,
  removedPart,
  startRecurrence,
  trashedPart,
  withoutDate,
} from './start-and-end.ts'

/** An event to trash or delete, and which dates of its series go with it. */
export type Deletion = { row: EventRow; scope: Scope }

type DeletedPart = {
  series: PreparedSeries[]
  /** How many dates the series removes, the event itself among them; undefined if it only loses the event. */
  dates?: number
  remainingCount: number
}

const isOccurrence = (outcome: EventOutcome): outcome is EventOutcome<EventOfSeries> =>
  Boolean(outcome.stored?.series)

/**
 * @throws ApiError `rest_forbidden` if the values would change dates of a series that the caller may not edit
 */
export function assertMayWriteDates(
  context: BaseContext,
  values: EventValues,
  stored: StoredEvent | undefined,
): void {
  if (!stored?.series) return
  if (isSeriesWide(values)) assertMayEditAll(context, stored.series, stored.series.occurrences)
  // A date in the trash comes back with its series, which others may have published.
  else if (stored.status === 'trash') assertMayEditAll(context, stored.series, [])
}

/**
 * Prepares the write of an event that is a date of a series, or begins one; undefined for any other.
 *
 * @throws ApiError with all errors at once
 */
export function prepareInSeries(
  context: BaseContext,
  outcome: EventOutcome,
  errors: ValidationErrors,
): PreparedEvent | undefined {
  if (isOccurrence(outcome)) return prepareOccurrence(context, outcome, errors)
  if (!repeats(outcome.values.recurrence)) return undefined
  return isStored(outcome)
    ? changedEventRow(context, outcome, startRecurrence(context, outcome, errors))
    : { type: 'series', series: [prepareNewSeries(context, outcome, errors)] }
}

function prepareOccurrence(
  context: BaseContext,
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
    const series = prepareChange(
      context,
      narrowOutcome(outcome, [...changedNames(outcome), ...spread]),
      errors,
    )
    return { type: 'series', series, stored }
  }
  const changedPart = narrowOutcome(outcome, changedNames(outcome))
  const furtherChanges = detach(context, changedPart, errors)
  errors.throwIfAny()
  return changedEventRow(context, changedPart, furtherChanges)
}

/**
 * The part of an outcome that follows from some of its values. Texts that an occurrence shares with its
 * series stay in the series unless they change.
 */
function narrowOutcome<S extends StoredEvent>(
  outcome: EventOutcome<S>,
  names: readonly string[],
): EventOutcome<S> {
  const onlyNamed = <T extends object>(all: T): T =>
    // The result is a selection of the entries, each of which may be absent.
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as T
  const sharedTexts = Object.fromEntries(
    TEXT_FIELDS.filter(name => !names.includes(name)).map(name => [name, undefined]),
  )
  return {
    ...outcome,
    values: onlyNamed(outcome.values),
    relations: onlyNamed(outcome.relations),
    image: names.includes('image') ? outcome.image : undefined,
    columns: { ...outcome.columns, ...sharedTexts },
  }
}

/** The series of an occurrence, whose pattern changes if the occurrence goes to the trash or comes back. */
export function* usedSeries(prepared: PreparedEventRow): Iterable<UsedName> {
  const { stored, columns } = prepared
  const changesPattern = (stored?.status === 'trash') !== (columns.status === 'trash')
  if (stored?.series_id) yield [`series ${stored.series_id}`, changesPattern ? prepared : 'its dates']
}

/** The number of dates of series that a write changes, and the number that it creates. */
export function countChangedDates(series: readonly PreparedSeries[]): { dates: number; made: number } {
  const counts = { dates: 0, made: 0 }
  for (const { dates: { insert = [], update = [], remove = [] } = {} } of series) {
    counts.dates += insert.length + update.length + remove.length
    counts.made += insert.length
  }
  return counts
}

/** The series of an occurrence whose status changes: the status of the series follows. */
export const seriesToSettle = ({ columns, stored }: Numbered<EventRowToWrite>): number[] =>
  stored?.series_id && columns.status !== undefined && columns.status !== stored.status
    ? [stored.series_id]
    : []

/** Ids of dates that a write moves to the trash. */
export const datesToTrash = ({ dates: { update = [] } = {} }: PreparedSeries): number[] =>
  update.flatMap(({ id, status }) => (status === 'trash' ? [id] : []))

/**
 * The columns of a stored event, without columns whose values in its row may differ: the row of an occurrence
 * lacks the texts that it shares with its series, and an earlier statement has removed the date of an
 * occurrence that moves.
 */
export const comparableColumns = ({ stored, movesDate }: Numbered<EventRowToWrite>): PreparedRow['stored'] =>
  stored && {
    ...stored,
    ...(stored.series_id !== null && { description: undefined, excerpt: undefined }),
    ...(movesDate && { occurrence_date: undefined }),
  }

/**
 * Prepares the write that moves occurrences to the trash. For an event that is no occurrence, this is
 * `alone`.
 *
 * @param alone the write that moves an event of no series to the trash
 * @throws ApiError `rest_forbidden` if the caller may not change all occurrences
 */
export async function prepareTrashInSeries(
  context: BaseContext,
  { row, scope }: Deletion,
  alone: PreparedEventRow,
): Promise<PreparedEvent> {
  const stored = await readWithSeries(context, row)
  if (!stored) return alone
  if (scope === 'this')
    return {
      ...alone,
      stored,
      series: [withoutDate(context, stored)],
      remaining: countRemaining(stored, [row]),
    }
  const part = partNamed(context, stored, scope)
  const series = [trashedPart(context, stored, part)]
  return { type: 'series', series, stored, remaining: countRemaining(stored, part.occurrences) }
}

/**
 * What deleting an event for good changes in its series; undefined if it has none.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change all occurrences
 */
export async function prepareDeletionInSeries(
  context: BaseContext,
  { row, scope }: Deletion,
): Promise<DeletedPart | undefined> {
  const stored = await readWithSeries(context, row)
  if (!stored) return undefined
  if (scope === 'this') {
    const series = [{ ...withoutDate(context, stored), dates: { remove: [] } }]
    return { series, remainingCount: countRemaining(stored, [row]) }
  }
  const part = partNamed(context, stored, scope)
  return {
    series: [removedPart(context, stored, part)],
    dates: part.occurrences.length,
    remainingCount: countRemaining(stored, part.occurrences),
  }
}

/** @throws ApiError `rest_forbidden` if the caller may not change all occurrences */
function partNamed(context: BaseContext, stored: EventOfSeries, scope: Scope) {
  const part = seriesPart(stored, scope === 'all')
  assertMayEditAll(context, stored.series, part.occurrences)
  return part
}

/** The number of dates of a series that are not in the trash, apart from some. */
const countRemaining = ({ series }: EventOfSeries, gone: readonly { id: number }[]): number => {
  const ids = new Set(gone.map(({ id }) => id))
  return series.occurrences.filter(({ id, status }) => status !== 'trash' && !ids.has(id)).length
}

async function readWithSeries(context: BaseContext, row: EventRow): Promise<EventOfSeries | undefined> {
  const { series_id, occurrence_date } = row
  if (series_id === null || occurrence_date === null) return undefined
  const { rows, occurrences } = await context.db.read(
    combineQueries({
      rows: selectSeries(eq(series.id, series_id)),
      occurrences: selectOccurrences(sql`SELECT ${series_id}`),
    }),
  )
  const [firstRow] = rows
  return firstRow && { ...row, occurrence_date, series: { ...firstRow, occurrences } }
}

/** True for the write of a new series, whose first date is the response. */
export const isNewSeries = (event: PreparedEvent): boolean =>
  event.type === 'series' && event.stored === undefined
