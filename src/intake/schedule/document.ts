import { type SQL, sql } from 'drizzle-orm'
import { countOf, many, type Query, type Statement } from '../../db/query.ts'
import { sourceDocuments } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { SIZES, SOURCE_WORK } from '../../lib/budgets.ts'
import { piecesWithin } from '../../lib/values.ts'
import { forgetDocument } from '../../resources/sources/writes.ts'
import { type AnyRecord, importKey, keyOfRecord } from '../records.ts'
import type { FoundCalendar } from './look.ts'
import { type RunningPiece, stillReserved } from './outcome.ts'

// Reading a large document takes seconds, and writing a piece of it milliseconds. So the first piece of a run stores
// the records of a document that takes many pieces, and each of the others gets its own. A document that cannot be
// stored is read again for each piece.

/** The details of a document besides its records. */
type DocumentDetails = Pick<FoundCalendar, 'kind' | 'etag' | 'lastModified' | 'completes' | 'gap'> & {
  /** The number of records, and of events among them. */
  count: number
  events: number
  /** Keys of records that exist but could not be read. */
  unread: Set<string>
}

/** A document in the form that a piece gets. */
export type SourceDocument = DocumentDetails & {
  /** The records from the source's place on, at least as many as a piece takes. */
  records: readonly AnyRecord[]
  /** The keys of all records. */
  keys: () => Promise<Set<string>>
}

/**
 * The details of a stored document, with the run and the version of the Worker that it was stored for: others read the
 * document themselves.
 */
type StoredDetails = Omit<DocumentDetails, 'unread'> & { unread: string[]; run: number; build: string }

/** The place of the row with the document's details. */
const DETAILS = -1

/** A document that was just read. @param records the records that pass the source's filter */
export function foundDocument(
  { kind, etag, lastModified, completes, gap, unread }: FoundCalendar,
  records: readonly AnyRecord[],
  place: number,
): SourceDocument {
  const keys = new Set(records.map(keyOfRecord))
  return {
    kind,
    etag,
    lastModified,
    completes,
    gap,
    unread,
    count: records.length,
    events: records.filter(record => record.kind === 'event').length,
    records: records.slice(place),
    keys: async () => keys,
  }
}

/** An expression for the details of a source's stored document, as JSON. */
export const selectDetails = (source: number): SQL => sql`(SELECT content FROM ${sourceDocuments}
  WHERE source_id = ${source} AND place = ${DETAILS})`

/** A query for the next records of a stored document. */
function nextRecords(source: number, place: number): Query<AnyRecord[]> {
  const from = Math.max(0, place - SOURCE_WORK.document.records + 1)
  const end = place + SOURCE_WORK.records
  return many(
    sql`SELECT one.value AS record FROM ${sourceDocuments} AS part CROSS JOIN json_each(part.content) AS one
      WHERE part.source_id = ${source} AND part.place >= ${from} AND part.place < ${end}
        AND part.place + one.key >= ${place} AND part.place + one.key < ${end} ORDER BY part.place, one.key`,
    // The JSON was stored from here.
    row => JSON.parse(String(row.record)) as AnyRecord,
  )
}

/** The document that the current run has stored, if this version of the Worker did so. */
export async function readStored({
  context: { db, settings },
  source: { id, place },
  run,
  details,
}: RunningPiece): Promise<SourceDocument | undefined> {
  if (details === '') return undefined
  // The JSON was stored from here.
  const stored = JSON.parse(details) as StoredDetails | { run?: never }
  if (stored.run === undefined || stored.run !== run.id || stored.build !== settings.build) return undefined
  const records = place < stored.count ? await db.get(nextRecords(id, place)) : []
  if (place < stored.count && records.length === 0) return undefined
  const keys = many(
    sql`SELECT value ->> 'source' AS source, value ->> 'kind' AS kind, value ->> 'externalId' AS id
      FROM ${sourceDocuments}, json_each(content) WHERE source_id = ${id} AND place > ${DETAILS}`,
    // The column holds the kind of a stored record.
    row => importKey(String(row.source), row.kind as AnyRecord['kind'], String(row.id)),
  )
  return {
    ...stored,
    unread: new Set(stored.unread),
    records,
    keys: async () => new Set(await db.get(keys)),
  }
}

/** The details of an incompletely stored document, which match no run. */
const NO_DETAILS = '{}'

const { records: MOST_RECORDS, ...MOST } = SOURCE_WORK.document

/** JSON texts of rows of records, each with its place; undefined if they are too long. */
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
 * Stores the records of a document for the other pieces of the run. The document does not count before {@link
 * storeDetails}.
 *
 * @returns false if it is too large, if there are too many others, or if this invocation has too few statements left
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
    ...details,
    unread: [...unread],
    run: run.id,
    build: context.settings.build,
  }
  return detailsRow(source.id, JSON.stringify(stored))
}
