import { and, inArray, ne, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { relatedText } from '../../calendar/content/related/resource.ts'
import { relatedTextStatements } from '../../calendar/content/related/writes.ts'
import { imageText } from '../../calendar/content/uploads.ts'
import {
  eventText,
  eventTextStatements,
  occurrenceText,
  occurrenceTextStatements,
  seriesTextStatements,
} from '../../calendar/events/search.ts'
import { ORGANIZERS } from '../../calendar/organizers/resource.ts'
import { nameColumns } from '../../calendar/terms/statements.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import type { BaseContext } from '../../kit/context.ts'
import { rowInsertStatements, rowUpdateStatements } from '../../kit/db/bulk.ts'
import { inList, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, series } from '../../kit/db/tables.ts'
import { CORE_TABLES, type DumpedName, dumpedNames, dumpedTable, featureDumps } from './tables.ts'

// The writes of a restore. Triggers derive the same values as in any write; this module computes the values
// that SQL can't derive.

/**
 * A row by its columns, with Drizzle's types. Steps don't read the id of links and other rows without an id.
 */
export type RestoredRow = { readonly id: number; readonly [column: string]: unknown }

/** A part of a restore, which reads a file once. */
export type RestoreStep = {
  name: string
  file: DumpedName
  /** True if the step writes a row; by default, it writes all. */
  writesRow?: (row: RestoredRow) => boolean
  statements: (rows: readonly RestoredRow[]) => readonly Statement[]
}

type Insertion = {
  /** Returns the row to insert; by default, the row of the backup. */
  toRow?: (row: RestoredRow) => object
  /** Further statements of the same transaction. */
  extraStatements?: (rows: readonly RestoredRow[]) => readonly Statement[]
}

const insertionStep = (
  file: DumpedName,
  { toRow = row => row, extraStatements = () => [] }: Insertion = {},
): RestoreStep => ({
  name: file,
  file,
  statements: rows => [
    ...rowInsertStatements(
      dumpedTable(file).table,
      rows.map(row => ({ ...toRow(row) })),
    ),
    ...extraStatements(rows),
  ],
})

/** Sets a column that refers to rows which didn't exist when its own row was inserted. */
const laterColumnStep = (file: 'terms' | 'series' | 'events', column: string): RestoreStep => {
  const table: SQLiteTable & { id: SQLiteColumn } = CORE_TABLES[file].table
  return {
    name: `${file}.${column}`,
    file,
    writesRow: row => Boolean(row[column]),
    statements: rows =>
      rowUpdateStatements(
        table,
        rows.map(row => ({ id: row.id, [column]: row[column] })),
      ),
  }
}

const withoutParent = ({ parent: _, post_parent: __, ...row }: RestoredRow): RestoredRow => row

const indexStatements = (resource: typeof VENUES | typeof ORGANIZERS, rows: readonly RestoredRow[]): SQL[] =>
  relatedTextStatements(
    resource,
    rows.map(row => ({ id: row.id, text: relatedText(resource, row) })),
  )

/**
 * The statement that removes the UIDs of rows without a UID in the backup: a trigger gives every new row a
 * UID.
 */
const uidRemovalStatement = (table: typeof events | typeof series, rows: readonly RestoredRow[]): Statement =>
  build
    .update(table)
    .set({ uid: '' })
    .where(
      and(
        inArray(table.id, inList(rows.flatMap(({ id, uid }) => (uid === '' ? [id] : [])))),
        ne(table.uid, ''),
      ),
    )

const eventsInsertion = insertionStep('events', {
  toRow: withoutParent,
  extraStatements: rows => [
    uidRemovalStatement(events, rows),
    ...eventTextStatements(
      rows.map(row => ({ id: row.id, text: row.series_id === null ? eventText(row) : occurrenceText(row) })),
    ),
  ],
})

/**
 * A source whose file waited to be imported, or was being imported. No backup contains that file, so the
 * restored source says that it has to be uploaded again.
 */
const withoutFile = (row: RestoredRow): RestoredRow =>
  row.file && !row.is_being_deleted && (row.state === 'paused' || row.next_run_utc !== null)
    ? {
        ...row,
        state: 'failing',
        message: 'Backups have no uploaded files: upload it again.',
        code: 'source_lost_file',
        next_run_utc: null,
      }
    : row

const isHiddenRow = (row: RestoredRow) => row.duplicate_of !== null

export function stepsOf(context: BaseContext): RestoreStep[] {
  const steps: Partial<Record<DumpedName, RestoreStep[]>> = {
    images: [insertionStep('images', { toRow: row => ({ ...row, search_text: imageText(row) }) })],
    terms: [
      // The end of the restore computes the paths.
      insertionStep('terms', {
        toRow: row => ({ ...withoutParent(row), ...nameColumns(String(row.name)), path: '' }),
      }),
      laterColumnStep('terms', 'parent'),
    ],
    venues: [insertionStep('venues', { extraStatements: rows => indexStatements(VENUES, rows) })],
    organizers: [insertionStep('organizers', { extraStatements: rows => indexStatements(ORGANIZERS, rows) })],
    series: [
      insertionStep('series', {
        toRow: withoutParent,
        extraStatements: rows => [uidRemovalStatement(series, rows), ...seriesTextStatements(rows)],
      }),
    ],
    events: [
      { ...eventsInsertion, writesRow: row => !isHiddenRow(row) },
      // Hidden events are inserted after the events that hide them, because a trigger would refuse an update.
      { ...eventsInsertion, name: 'events.hidden', writesRow: isHiddenRow },
      laterColumnStep('series', 'post_parent'),
      laterColumnStep('events', 'post_parent'),
      // Occurrences with a text of their own get their other texts from their series.
      { name: 'series.texts', file: 'series', statements: occurrenceTextStatements },
    ],
    sources: [insertionStep('sources', { toRow: withoutFile })],
  }
  for (const [file, { toRow, extraStatements }] of featureDumps())
    steps[file] = [
      insertionStep(file, {
        ...(toRow && { toRow }),
        ...(extraStatements && { extraStatements: rows => extraStatements(context, rows) }),
      }),
    ]
  return dumpedNames().flatMap(file => steps[file] ?? [insertionStep(file)])
}
