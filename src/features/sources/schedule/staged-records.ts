import { type SQL, sql } from 'drizzle-orm'
import { type AnyRecord, importKey, keyOfRecord } from '../../../calendar/imports/records.ts'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import type { CompleteItem } from '../../../calendar/imports/vanished.ts'
import { OutOfAllowance } from '../../../kit/db/allowance.ts'
import {
  countOf,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  type Statement,
} from '../../../kit/db/query.ts'
import { sourceDocuments, sources } from '../../../kit/db/tables.ts'
import { INVOCATION, SIZES } from '../../../kit/lib/budgets.ts'
import { toUtf8 } from '../../../kit/lib/streams.ts'
import { batchesWithin, storedJson } from '../../../kit/lib/values.ts'
import { conflictUnlessReserved } from '../../../kit/work/leases.ts'
import { SOURCE_WORK } from '../budgets.ts'
import { stagedRemovalStatement } from '../writes.ts'
import type { RunningBatch } from './outcome.ts'

// Reading takes requests and seconds, and what is read may change from one request to the next. So a run
// reads each document and page once. The records that the batch which reads it doesn't write are staged for
// the next batches. `place` of the source is the number of staged records that have been written. They are
// deleted when the run ends.

/** The details of what a run has read, besides its records. */
type StagedHead = {
  kind: SourceRow['kind']
  etag: string
  lastModified: string
  /** The kinds that were read completely. */
  completes: readonly CompleteItem[]
  /** The reason why some events may not have been read; absent if all were. */
  gap?: string | undefined
  /** Keys of records that exist but could not be read. */
  unread: readonly string[]
  /** The number of records so far, and of events. */
  count: number
  events: number
  /** True once the source has been read to its end. */
  isRead: boolean
}

export type StagedRecords = StagedHead & {
  /** Records that have not been written: all of them, or at least as many as a batch takes. */
  waiting: readonly AnyRecord[]
  /** The number of staged records that earlier batches have stored. */
  stored: number
  /** True if this batch has read something. */
  isNew: boolean
}

export const NOTHING_STAGED: StagedRecords = {
  kind: '',
  etag: '',
  lastModified: '',
  completes: [],
  unread: [],
  count: 0,
  events: 0,
  isRead: false,
  waiting: [],
  stored: 0,
  isNew: false,
}

/** The position of the row with the head. */
const HEAD = -1

/**
 * An expression for the head of a source's staged records, as JSON: `{}` if there are only records, '' if
 * there is nothing.
 */
export const stagedHead = (source: number): SQL => {
  const rows = sql`FROM ${sourceDocuments} WHERE source_id = ${source} AND place >= ${HEAD}`
  return sql`coalesce((SELECT content ${rows} AND place = ${HEAD}), iif(EXISTS (SELECT 1 ${rows}), '{}', ''))`
}

function selectNextRecords(source: number, position: number): Query<AnyRecord[]> {
  const rows = sql`${sourceDocuments} WHERE source_id = ${source}`
  return mapQuery(
    many(
      sql`SELECT place, content FROM ${rows} AND place < ${position + SOURCE_WORK.records}
        AND place >= (SELECT max(place) FROM ${rows} AND place <= ${position}) ORDER BY place`,
      row => ({ first: readNumber(row.place), records: recordsIn(readText(row.content)) }),
    ),
    chunks => chunks.flatMap(({ first, records }) => records.slice(Math.max(0, position - first))),
  )
}

/**
 * The staged records of the run; undefined if it has none, if rows are missing, or if another version of the
 * Worker has stored them.
 */
export async function openStaged({
  context,
  source,
  run,
  head,
}: RunningBatch): Promise<StagedRecords | undefined> {
  if (head === '') return undefined
  const { run: runOfHead, build, ...known } = storedJson<StagedHead & { run: number; build: string }>(head)
  if (runOfHead !== run.id || build !== context.settings.build) return undefined
  const { place: position } = source
  const waitingRecords =
    position < known.count ? await context.db.read(selectNextRecords(source.id, position)) : []
  return position < known.count && waitingRecords.length === 0
    ? undefined
    : { ...known, waiting: waitingRecords, stored: known.count, isNew: false }
}

export async function readStagedKeys(
  { context, source }: RunningBatch,
  stagedRecords: StagedRecords,
): Promise<Set<string>> {
  if (stagedRecords.stored < stagedRecords.count) return new Set(stagedRecords.waiting.map(keyOfRecord))
  const keys = many(
    sql`SELECT value ->> 'source' AS source, value ->> 'kind' AS kind, value ->> 'externalId' AS id
      FROM ${sourceDocuments}, json_each(content) WHERE source_id = ${source.id} AND place > ${HEAD}`,
    // The column holds the kind of a stored record.
    row => importKey(readText(row.source), row.kind as AnyRecord['kind'], readText(row.id)),
  )
  return new Set(await context.db.read(keys))
}

const { document: DOCUMENT_LIMITS } = SOURCE_WORK

/**
 * The statements that add the new staged records and finally their head, which makes them count; undefined if
 * they are too long. The first ones of a run replace what is left of earlier staged records.
 */
export function stagingStatements(
  { context, source, run }: RunningBatch,
  stagedRecords: StagedRecords,
): Statement[] | undefined {
  const { waiting, stored, isNew: _, ...head } = stagedRecords
  const rows = stored < head.count ? rowsOf(waiting, stored) : []
  if (!rows) return undefined
  const headRow = JSON.stringify([HEAD, { ...head, run: run.id, build: context.settings.build }])
  const texts = batchesWithin([...rows, headRow], SIZES.jsonBytes, text => toUtf8(text).length + 1)
  return [
    ...(stored === 0 ? [stagedRemovalStatement(source.id)] : []),
    ...texts.map(
      batch => sql`INSERT INTO ${sourceDocuments} (source_id, place, content)
        SELECT ${source.id}, value ->> 0, value -> 1 FROM json_each(${`[${batch.join(',')}]`}) WHERE true
        ON CONFLICT DO UPDATE SET content = excluded.content`,
    ),
  ]
}

/**
 * JSON texts of rows of records, each with its position; undefined if they are too long.
 * @param from the position of the first record
 */
function rowsOf(records: readonly AnyRecord[], from: number): string[] | undefined {
  const rows: string[] = []
  let position = from
  let row: string[] = []
  let length = 0
  let total = 0
  const endRow = () => {
    if (row.length > 0) rows.push(`[${position},[${row.join(',')}]]`)
    position += row.length
    row = []
    length = 0
  }
  for (const [i, record] of records.entries()) {
    let text = recordText(record, row.length > 0 ? records[i - 1] : undefined)
    if (row.length === DOCUMENT_LIMITS.records || length + text.length > DOCUMENT_LIMITS.units) {
      endRow()
      text = recordText(record, undefined)
    }
    row.push(text)
    length += text.length
    total += text.length
    if (text.length > SIZES.jsonUnits || total > DOCUMENT_LIMITS.allUnits) return undefined
  }
  endRow()
  return rows
}

// The dates of an event share a description, which may be long: if it equals that of the previous record, it
// is left out.

/** A record as JSON. @param before the one before it in its row */
const recordText = (record: AnyRecord, before: AnyRecord | undefined): string =>
  JSON.stringify(before?.description === record.description ? { ...record, description: undefined } : record)

function recordsIn(content: string): AnyRecord[] {
  let description = ''
  return storedJson<AnyRecord[]>(content).map(record => {
    description = record.description ?? description
    return { ...record, description }
  })
}

/**
 * Stores the records of a large document, which takes several round trips.
 *
 * @returns the statement that makes them count, or the reason why there is no room for them
 * @throws OutOfAllowance if this invocation has too few statements left, but another may have enough
 */
export async function storeLarge(
  { context: { db }, source }: RunningBatch,
  statements: readonly Statement[],
): Promise<{ last: Statement } | 'tooLarge' | 'noRoom'> {
  const last = statements.at(-1)
  if (!last) return 'tooLarge'
  const trips = [...batchesWithin(statements.slice(0, -1), DOCUMENT_LIMITS.texts, () => 1)]
  const neededStatements = statements.length + trips.length + SOURCE_WORK.toStoreOutcome + 1
  if (db.allowance.isStrict && !db.allowance.has({ statements: neededStatements })) {
    if (neededStatements > INVOCATION.statements - SOURCE_WORK.toPlan) return 'tooLarge'
    throw new OutOfAllowance()
  }
  const otherDocuments = await db.read(
    countOf(sql`${sourceDocuments} WHERE source_id <> ${source.id} AND place >= ${HEAD}`),
  )
  if (otherDocuments >= DOCUMENT_LIMITS.rows) return 'noRoom'
  for (const trip of trips) await db.write([conflictUnlessReserved(sources, source), ...trip])
  return { last }
}
