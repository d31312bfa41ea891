import { eq, inArray, sql } from 'drizzle-orm'
import { type SourceRow, selectSourceById } from '../../calendar/imports/source.ts'
import type { BaseContext } from '../../kit/context.ts'
import { insertedId, recorded } from '../../kit/db/audit.ts'
import { newestId } from '../../kit/db/bulk.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { countOf, first, many, mapQuery, type Query, readText } from '../../kit/db/query.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import { type FILE_KINDS, sourceDocuments, sourceRuns, sources } from '../../kit/db/tables.ts'
import type { UploadedFile } from '../../kit/http/form-data.ts'
import { SIZES } from '../../kit/lib/budgets.ts'
import type { Clock } from '../../kit/lib/clock.ts'
import { toPlain } from '../../kit/lib/text.ts'
import { addDays, type DateTime, formatInstant } from '../../kit/lib/time.ts'
import { batchesWithin, FIELD_LIMITS } from '../../kit/lib/values.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import { UPLOADS_OF_RUN } from './budgets.ts'
import { presentSources, requireSource } from './queries.ts'
import { documentRemovalStatement, MAX_SOURCES, skippingOfOlderEvents } from './writes.ts'

// An uploaded file is a source without an address. Its bytes wait in rows of source_documents, from this
// position down, until it has been imported. It is paused until somebody has looked at it, and known by its
// name: the same file adds nothing twice.
const FIRST_POSITION = -2

/** Characters of a row. */
const ROW_UNITS = 400_000

/** The most rows of all files, which take 40 MB. */
const MAX_ROWS = 100

/**
 * The name by which a file is known again: browsers number files that they save twice, as in
 * `events (1).csv`.
 */
const fileName = ({ name }: UploadedFile): string =>
  toPlain(name)
    .replace(/ ?\(\d{1,3}\)(?=\.\w+$)/, '')
    .slice(0, FIELD_LIMITS.name) || 'file'

/** A query for the source of a file, if it was uploaded before. */
export const selectSourceOfFile = (file: UploadedFile): Query<SourceRow | undefined> =>
  first(
    build
      .select()
      .from(sources)
      .where(sql`${eq(sources.file, fileName(file))} AND NOT is_being_deleted`)
      .limit(1),
  )

/** The time at which a file that nobody has imported is deleted. */
export const dayFromNow = (clock: Clock): DateTime => addDays(clock.now(), 1)

type StoredFile = { file: UploadedFile; kind: (typeof FILE_KINDS)[number]; stored: SourceRow | undefined }

/**
 * Stores a file until it is imported.
 * @param input.stored the source of a file of this name
 * @returns its source
 */
export async function storeFile(
  context: BaseContext,
  { file, kind, stored }: StoredFile,
): Promise<SourceRow> {
  const name = fileName(file)
  const id = stored?.id ?? newestId(sources)
  const waitingColumns = {
    kind,
    state: 'paused',
    message: '',
    code: '',
    lease: '',
    place: 0,
    refused_within: 0,
    refused: 0,
    failures: 0,
    events: 0,
  } as const
  const base64 = Buffer.from(file.bytes).toString('base64')
  const rows = Array.from({ length: Math.ceil(base64.length / ROW_UNITS) }, (_, i) =>
    JSON.stringify([FIRST_POSITION - i, base64.slice(i * ROW_UNITS, (i + 1) * ROW_UNITS)]),
  )
  const statements = [
    ...(stored
      ? recorded(
          context,
          build
            .update(sources)
            .set({
              ...waitingColumns,
              // An undo under way continues first.
              reading: sql`json_set(${sources.reading}, '$.host', ${context.host})`,
              next_run_utc: stored.undoing === null ? dayFromNow(context.clock) : context.clock.now(),
              version: stored.version + 1,
              author_id: context.caller.id,
            })
            .where(eq(sources.id, stored.id)),
          { action: 'update', kind: 'source', fields: ['file'], id: stored.id },
        )
      : recorded(
          context,
          build.insert(sources).values({
            ...waitingColumns,
            next_run_utc: dayFromNow(context.clock),
            reading: JSON.stringify({ host: context.host }),
            name,
            url: '',
            file: name,
            every: '',
            status: 'draft',
            author_id: context.caller.id,
            created_utc: context.clock.now(),
            // A file has its turn before all others, because somebody waits for it.
            served_utc: formatInstant(0),
          }),
          { action: 'create', kind: 'source', fields: ['file'], id: insertedId },
        )),
    conflictIf(sql`(SELECT count(*) FROM ${presentSources}) > ${MAX_SOURCES}
      OR (SELECT count(*) FROM ${presentSources} AND file = ${name}) > 1`),
    documentRemovalStatement(sql`${id}`),
    ...[...batchesWithin(rows, SIZES.jsonBytes, row => row.length + 1)].map(
      batch => sql`INSERT INTO ${sourceDocuments} (source_id, place, content)
        SELECT ${id}, value ->> 0, value ->> 1 FROM json_each(${`[${batch.join(',')}]`})`,
    ),
    skippingOfOlderEvents,
  ]
  return requireSource(
    await context.db.write(stored ? asOneChange(statements) : statements, selectSourceById(id)),
  )
}

/** An expression that is true for a source whose file waits to be imported. */
export const fileWaitsSql = sql`EXISTS (SELECT 1 FROM ${sourceDocuments} WHERE source_id = ${sources.id} AND place <= ${FIRST_POSITION})`

/** A query for the rows that uploaded files take. */
export const selectFileRowCount = countOf(sql`${sourceDocuments} WHERE place <= ${FIRST_POSITION}`)

/** True if there is no room for another file. */
export const isFileSpaceFull = (rows: number): boolean => rows >= MAX_ROWS

/** A query for the bytes of the file that waits for a source; undefined once it has been imported. */
export const selectFileBytes = (id: number): Query<Uint8Array | undefined> =>
  mapQuery(
    many(
      sql`SELECT content FROM ${sourceDocuments} WHERE source_id = ${id} AND place <= ${FIRST_POSITION} ORDER BY place DESC`,
      row => readText(row.content),
    ),
    parts => (parts.length === 0 ? undefined : new Uint8Array(Buffer.from(parts.join(''), 'base64'))),
  )

/**
 * Files that nobody has imported for a day. A source that has never had a run is deleted with its file.
 * Sources restored from a backup have no runs, but know when the last one was.
 *
 * @param nowMs epoch milliseconds
 */
export const abandonedFiles = (nowMs: number): DueRows => ({
  name: 'uploaded files',
  rowName: 'uploaded file',
  table: sources,
  limit: UPLOADS_OF_RUN,
  dueSql: sql`next_run_utc <= ${formatInstant(nowMs)} AND state = 'paused' AND file <> '' AND NOT is_being_deleted AND undoing IS NULL`,
  changeStatements: chosenSql => {
    const ids = sql`(SELECT id FROM ${sources} WHERE ${chosenSql})`
    return [
      build.delete(sourceDocuments).where(inArray(sourceDocuments.source_id, ids)),
      build
        .delete(sources)
        .where(
          sql`${chosenSql} AND last_run_utc IS NULL AND NOT EXISTS (SELECT 1 FROM ${sourceRuns} WHERE source_id = ${sources.id})`,
        ),
      build.update(sources).set({ state: 'ok', next_run_utc: null }).where(chosenSql),
    ]
  },
})
