import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext, ContentContext } from '../../kit/context.ts'
import type { ChangedFields } from '../../kit/db/audit.ts'
import { conflictIf, isConflict, isUniqueViolation } from '../../kit/db/failures.ts'
import { combineQueries, inList, orNull, type RawRow, readNumber, readText } from '../../kit/db/query.ts'
import { asOneChange } from '../../kit/db/statements.ts'
import { events, series, undoRequests } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import { type Status, statusAt } from '../../kit/lib/statuses.ts'
import { pick } from '../../kit/lib/values.ts'
import { changesRow } from '../content/changed-values.ts'
import { storedImage } from '../content/images.ts'
import { modifiedNow } from '../content/publication.ts'
import { withDates } from '../content/series-dates.ts'
import { numberRows } from '../content/writes.ts'
import { choicesOf, occurrenceTexts } from './imported-events.ts'
import type { EventRowToWrite } from './prepare.ts'
import type { PreparedSeries } from './recurrence/statements.ts'
import { eventRemovalStatements } from './resource.ts'
import { eventText } from './search.ts'
import {
  linksOfRow,
  RESTORABLE_COLUMNS,
  type RestorableKind,
  selectRows,
  type UndoRows,
  undoRowsVersion,
  unpackRows,
} from './undo-rows.ts'
import { writeStatements } from './writes.ts'

/**
 * The entry of the audit of a change, with the rows before it, and the ids of all series that it changed or
 * made.
 */
export type RestorableChange = {
  entry: number
  rows: UndoRows
  of: readonly number[]
  changed: ChangedFields
}

/**
 * Restores the rows before changes, all of them or none.
 *
 * @throws ApiError `rest_forbidden` if the caller may not change them, `rest_precondition_failed` if any has
 *   changed since
 */
export async function restoreRows(
  context: ContentContext,
  stored: readonly RestorableChange[],
): Promise<void> {
  const changes = stored.map(({ rows, ...change }) => ({
    ...change,
    before: { events: unpackRows('event', rows.events), series: unpackRows('series', rows.series) },
  }))
  const eventsBefore = changes.flatMap(({ before }) => before.events)
  const ids = rowIds(eventsBefore)
  const seriesIds = changes.flatMap(({ of }) => of)
  const storedRows = await context.db.read(
    combineQueries({
      events: selectRows(
        'event',
        sql`(${events.id} IN ${inList(ids)} OR ${events.series_id} IN ${inList(seriesIds)})`,
      ),
      // Searches find dates by the texts of their series.
      series: selectRows(
        'series',
        sql`${series.id} IN ${inList([...seriesIds, ...rowIds(eventsBefore, 'series_id')])}`,
      ),
    }),
  )
  assertMayRestore(context, [
    ...eventsBefore,
    ...storedRows.events,
    ...changes.flatMap(({ before }) => before.series),
  ])
  const rows = changes.map(change => restoredRows(context, change, storedRows))
  const createdIds = rowIds(storedRows.events).filter(id => !ids.includes(id))
  const statements = [
    ...changes.map(({ entry }) => unchangedStatement(entry)),
    ...(createdIds.length > 0 ? eventRemovalStatements(createdIds) : []),
    ...writeStatements(context, {
      events: numberRows(rows.flatMap(({ events }) => events)),
      series: numberRows(rows.flatMap(({ series }) => series)),
    }),
  ]
  await withDates(context, { dates: seriesIds.length > 0 ? storedRows.events.length : 0 }, () =>
    context.db.write(asOneChange(statements)).catch((error: unknown) => {
      if (!isConflict(error) && !isUniqueViolation(error, events.slug)) throw error
      throw new ApiError('rest_precondition_failed', 'Somebody has changed this since.')
    }),
  )
}

const rowIds = (rows: readonly RawRow[], name = 'id'): number[] =>
  rows.flatMap(({ [name]: id }) => (typeof id === 'number' ? [id] : []))

/**
 * The statement that makes undoing fail if anything has changed since, or if the change was undone already.
 */
function unchangedStatement(entry: number): SQL {
  const stored = sql`(SELECT request FROM ${undoRequests} WHERE audit_id = ${entry})`
  return conflictIf(sql`${undoRowsVersion(stored)} IS NOT ${stored} ->> '$.version'`)
}

function assertMayRestore({ caller, clock }: BaseContext, rows: readonly RawRow[]): void {
  const isAllowed = rows.every(row => {
    // A column of events and series, as it was read or stored.
    const status = statusAt({ status: row.status as Status, date_utc: readText(row.date_utc) }, clock.now())
    return mayEdit(caller, { author_id: readNumber(row.author_id), status })
  })
  if (!isAllowed) throw new ApiError('rest_forbidden', `The role ${caller.role} may not change all of this.`)
}

type RowsToRestore = { events: readonly RawRow[]; series: readonly RawRow[] }

/**
 * The rows to write: changed rows get their former columns, and a series that the change has made is deleted.
 */
function restoredRows(
  context: BaseContext,
  { of, changed, before }: Omit<RestorableChange, 'rows'> & { before: RowsToRestore },
  now: RowsToRestore,
): { events: EventRowToWrite[]; series: PreparedSeries[] } {
  const eventsNow = rowsById(now.events)
  const seriesNow = rowsById(now.series)
  const seriesBefore = rowsById(before.series)
  const undone = reversedChanges(changed)
  const audited = { changed: undone, fields: Object.keys(undone) }
  const leaving = new Set(before.events.flatMap(({ id, series_id }) => (series_id === null ? [] : [id])))
  const singles = now.events.filter(({ id, series_id }) => series_id === null && leaving.has(id))
  return {
    events: before.events.flatMap((row): EventRowToWrite[] => {
      const stored = eventsNow.get(row.id ?? 0)
      if (!stored) return []
      const joins = row.series_id === null && stored.series_id !== null ? now.series : []
      const preparedRow = restoredRow(context, 'event', { row, stored, sameUid: joins })
      const texts = seriesBefore.get(row.series_id) ?? seriesNow.get(row.series_id)
      const isMoved = ['series_id', 'occurrence_date'].some(name => row[name] !== stored[name])
      const isUnchanged =
        Object.keys(preparedRow.relations).length === 0 && !changesRow({ ...preparedRow, stored })
      return isUnchanged
        ? []
        : [
            {
              ...preparedRow,
              ...(before.series.length > 0 ? { action: null } : audited),
              keepsSlug: true,
              text: texts ? occurrenceTexts(row, texts) : eventText(row),
              movesDate: isMoved,
            },
          ]
    }),
    series: of.flatMap((id): PreparedSeries[] => {
      const row = seriesBefore.get(id)
      const stored = seriesNow.get(id)
      if (!stored) return []
      if (!row) return [removedSeries(stored)]
      return [
        { ...restoredRow(context, 'series', { row, stored, sameUid: singles }), ...audited, texts: row },
      ]
    }),
  }
}

const rowsById = (rows: readonly RawRow[]) => new Map<unknown, RawRow>(rows.map(row => [row.id, row]))

/**
 * The changed values in reverse, without the numbers of dates that the change made or moved: undoing it has
 * other numbers.
 */
const reversedChanges = ({ dates: _, ...changed }: ChangedFields): ChangedFields =>
  Object.fromEntries(Object.entries(changed).map(([name, [before, after]]) => [name, [after, before]]))

const storedRow = (stored: RawRow) => ({ ...stored, id: Number(stored.id), version: Number(stored.version) })

type RestoredRow = { row: RawRow; stored: RawRow; sameUid: readonly RawRow[] }

/**
 * The write of a row as it was before.
 *
 * @param input.sameUid rows that the row replaces in subscribers' calendars, where SEQUENCE must not decrease
 */
function restoredRow(context: BaseContext, kind: RestorableKind, { row, stored, sameUid }: RestoredRow) {
  const { id, version, sequence_offset, slug, status, image_id, ...columns } = row
  return {
    stored: storedRow(stored),
    columns: {
      ...pick(row, ...Object.keys(RESTORABLE_COLUMNS[kind]).filter(name => Object.hasOwn(columns, name))),
      ...modifiedNow(context),
      sequence_offset: Math.max(Number(stored.sequence_offset), ...sameUid.map(sequenceOf)),
      // The column has no other values.
      status: status as Status,
      ...(slug !== stored.slug && { slug: String(slug) }),
    },
    image: image_id === stored.image_id ? undefined : storedImage({ image_id: orNull(readNumber)(image_id) }),
    relations: choicesOf(linksOfRow(row), linksOfRow(stored)),
    fields: [],
  }
}

const sequenceOf = ({ sequence_offset, version }: RawRow): number => Number(sequence_offset) + Number(version)

/** The write that deletes a series when it has no dates any more. */
const removedSeries = (stored: RawRow): PreparedSeries => ({
  stored: storedRow(stored),
  action: null,
  columns: { extend_from: null },
  image: undefined,
  relations: {},
  fields: [],
  dates: { remove: [] },
})
