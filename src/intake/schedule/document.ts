import { type SQL, sql } from 'drizzle-orm'
import { countOf, many, type Query, type Statement } from '../../db/query.ts'
import { sourceDocuments } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { SIZES, SOURCE_WORK } from '../../lib/budgets.ts'
import { piecesWithin } from '../../lib/values.ts'
import { forgetDocument } from '../../resources/sources/writes.ts'
import { type AnyRecord, importKey } from '../records.ts'
import type { FoundCalendar } from './look.ts'
import { type RunningPiece, stillReserved } from './outcome.ts'

// Reading a large document takes seconds, and writing a piece of it milliseconds: the first piece of a run stores the records of one
// that takes many, and each of the others gets its own. What cannot be stored is read again for each piece.

/** What is known of a document beside its records. */
type DocumentDetails = Pick<FoundCalendar, 'kind' | 'etag' | 'lastModified' | 'completes' | 'gap'> & {
  /** How many records there are, and how many of these are events. */
  count: number
  events: number
  /** Keys of what is there and could not be read. */
  unread: Set<string>
}

/** A document, as a piece gets it. */
export type SourceDocument = DocumentDetails & {
  /** The records from the place of the source on, at least as many as a piece takes. */
  records: readonly AnyRecord[]
  /** The keys of all records. */
  keys: () => Promise<Set<string>>
}

/** A stored document, with what it was stored for: another run has read another one, and another version of the Worker reads others. */
type StoredDetails = Omit<DocumentDetails, 'unread'> & { unread: string[]; run: number; build: string }

const keyOf = ({ source, kind, externalId }: Pick<AnyRecord, 'source' | 'kind' | 'externalId'>): string =>
  importKey(source, kind, externalId)

/** The place of the row of the document itself. */
const DETAILS = -1

/** A document that was read just now. @param records those that the source lets in */
export function foundDocument(
  { kind, etag, lastModified, completes, gap, unread }: FoundCalendar,
  records: readonly AnyRecord[],
  place: number,
): SourceDocument {
  const keys = new Set(records.map(keyOf))
  return {
    ...{ kind, etag, lastModified, completes, gap, unread },
    count: records.length,
    events: records.filter(record => record.kind === 'event').length,
    records: records.slice(place),
    keys: async () => keys,
  }
}

/** An expression for the details of the document that is stored of a source, as JSON. */
export const selectDetails = (source: number): SQL => sql`(SELECT content FROM ${sourceDocuments}
  WHERE source_id = ${source} AND place = ${DETAILS})`

/** A query of the next records of a stored document. */
function nextRecords(source: number, place: number): Query<AnyRecord[]> {
  const from = Math.max(0, place - SOURCE_WORK.document.records + 1)
  const end = place + SOURCE_WORK.records
  return many(
    sql`SELECT one.value AS record FROM ${sourceDocuments} AS part CROSS JOIN json_each(part.content) AS one
      WHERE part.source_id = ${source} AND part.place >= ${from} AND part.place < ${end}
        AND part.place + one.key >= ${place} AND part.place + one.key < ${end} ORDER BY part.place, one.key`,
    // Of JSON that was stored from here.
    row => JSON.parse(String(row.record)) as AnyRecord,
  )
}

/** The document that the run under way has stored, if it has, and this version of the Worker. */
export async function readStored({
  context: { db, settings },
  source: { id, place },
  run,
  details,
}: RunningPiece): Promise<SourceDocument | undefined> {
  if (details === '') return undefined
  // Of JSON that was stored from here.
  const stored = JSON.parse(details) as StoredDetails | { run?: never }
  if (stored.run === undefined || stored.run !== run.id || stored.build !== settings.build) return undefined
  const records = place < stored.count ? await db.get(nextRecords(id, place)) : []
  if (place < stored.count && records.length === 0) return undefined
  const name = sql`value ->> 'source'`
  const keys = many(
    sql`SELECT ${name} AS source, value ->> 'kind' AS kind, value ->> 'externalId' AS id
      FROM ${sourceDocuments}, json_each(content) WHERE source_id = ${id} AND place > ${DETAILS}`,
    // A record's kind, as it was stored.
    row => importKey(String(row.source), row.kind as AnyRecord['kind'], String(row.id)),
  )
  return {
    ...stored,
    unread: new Set(stored.unread),
    records,
    keys: async () => new Set(await db.get(keys)),
  }
}

/** The details of a document that is not stored whole: they are those of no run. */
const NO_DETAILS = '{}'

const { records: MOST_RECORDS, ...MOST } = SOURCE_WORK.document

/** Records as JSON texts of rows, each with its place; undefined if they are too long. */
function rowsOf(records: readonly AnyRecord[]): string[] | undefined {
  const rows: string[] = []
  let place = 0
  let units = 0
  const texts = function* () {
    for (const record of records) yield JSON.stringify(record)
  }
  const sizeOf = ({ length }: string) => Math.max(length, MOST.units / MOST_RECORDS)
  for (const row of piecesWithin(texts(), MOST.units, sizeOf)) {
    const text = `[${place},[${row.join(',')}]]`
    place += row.length
    units += text.length
    if (text.length > SIZES.jsonUnits || units > MOST.allUnits) return undefined
    rows.push(text)
  }
  return rows
}

const detailsRow = (source_id: number, content: string): Statement =>
  build
    .insert(sourceDocuments)
    .values({ source_id, place: DETAILS, content })
    .onConflictDoUpdate({ target: [sourceDocuments.source_id, sourceDocuments.place], set: { content } })

/**
 * Stores a document for the other pieces of the run, but for its details: without {@link storeDetails} it counts for nothing.
 *
 * @returns false if it is too large, there are too many others, or too few statements are left to this invocation
 */
export async function storeRecords(
  { context: { db }, source }: RunningPiece,
  records: readonly AnyRecord[],
): Promise<boolean> {
  const rows = rowsOf(records)
  if (!rows) return false
  const texts = [...piecesWithin(rows, SIZES.jsonUnits, ({ length }) => length + 1)]
  const trips = [...piecesWithin(texts, MOST.texts, () => 1)]
  const statements = 3 + texts.length + trips.length + SOURCE_WORK.toWriteDown
  if (!db.allowance.has({ statements })) return false
  const others = await db.change(
    [stillReserved(source), forgetDocument(source.id), detailsRow(source.id, NO_DETAILS)],
    countOf(sql`${sourceDocuments}`),
  )
  if (others + rows.length >= MOST.rows) return false
  for (const trip of trips)
    await db.change([
      stillReserved(source),
      ...trip.map(
        text => sql`INSERT INTO ${sourceDocuments} (source_id, place, content)
          SELECT ${source.id}, value ->> 0, value -> 1 FROM json_each(${`[${text.join(',')}]`})`,
      ),
    ])
  return true
}

/** The statement that makes a stored document count for the other pieces of the run. */
export function storeDetails({ context, source, run }: RunningPiece, document: SourceDocument): Statement {
  const { records: _, keys: __, unread, ...details } = document
  const stored: StoredDetails = {
    ...{ ...details, unread: [...unread], run: run.id, build: context.settings.build },
  }
  return detailsRow(source.id, JSON.stringify(stored))
}
