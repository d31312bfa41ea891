import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { OutOfAllowance } from '../../db/allowance.ts'
import { isConflict } from '../../db/conflicts.ts'
import { isDailyLimit, isPassing } from '../../db/database.ts'
import { first, together } from '../../db/query.ts'
import { sourcePages, sourceRuns } from '../../db/schema.ts'
import { SOURCE_WORK } from '../../lib/budgets.ts'
import { messageOf } from '../../lib/errors.ts'
import { may, type Role } from '../../lib/roles.ts'
import { importSource, newestRun, type SourceRow } from '../../resources/sources/queries.ts'
import { type Client, type HttpResponse, Unreachable } from '../readers/http.ts'
import { type AnyRecord, importKey, Unreadable } from '../records.ts'
import {
  foundDocument,
  readStored,
  type SourceDocument,
  selectDetails,
  storeDetails,
  storeRecords,
} from './document.ts'
import {
  type FoundCalendar,
  look,
  type MeteredTransport,
  ownId,
  type Patience,
  sourceClient,
} from './look.ts'
import {
  type About,
  askEditor,
  fail,
  finish,
  goOn,
  hasReleased,
  leave,
  noOutcome,
  type RunningPiece,
  unknown,
} from './outcome.ts'
import { letIn } from './own.ts'
import { NO_PAGES, readPages, roomOf, withoutValidators } from './pages.ts'
import { endPiece, lossOf, NOTHING, noteRefused, trashGone, writeRecords, writeTogether } from './writing.ts'

const RUNS_KEPT = 50

/** Does a piece of the run of a source, which the caller has taken. @throws a conflict if another one has taken it since */
export async function step(
  context: RequestContext,
  source: SourceRow,
  transport: MeteredTransport,
  patience?: Patience,
): Promise<void> {
  const { db, now } = context
  const { id } = source
  if (source.is_ending) return endPiece(context, source)
  const isThis = sql`source_id = ${id}`
  const { run, owner } = await db.change(
    [
      sql`INSERT INTO ${sourceRuns} (source_id, started_utc, state) SELECT ${id}, ${now}, 'running'
        WHERE NOT EXISTS (SELECT 1 FROM ${sourceRuns} WHERE ${isThis} AND state = 'running')`,
      sql`DELETE FROM ${sourceRuns} WHERE ${isThis} AND id <= (
        SELECT id FROM ${sourceRuns} WHERE ${isThis} ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`,
    ],
    together({
      run: newestRun(id),
      owner: first(
        sql`SELECT role, pages, crawl, ${selectDetails(id)} AS details FROM users LEFT JOIN ${sourcePages} ON ${isThis} WHERE id = ${source.author_id}`,
        row => ({
          role: String(row.role) as Role,
          stored: row.pages === null ? NO_PAGES : { pages: String(row.pages), crawl: String(row.crawl) },
          details: String(row.details ?? ''),
        }),
      ),
    }),
  )
  if (!run) return
  const { stored = NO_PAGES, details = '' } = owner ?? {}
  const going: RunningPiece = { context, source, run, stored, details }
  if (!owner || !may({ id: source.author_id, role: owner.role }, 'manage_sources'))
    return fail(going, 'Its owner may not have sources any more: whoever changes it takes it over.')
  try {
    await readPiece(going, transport, patience)
  } catch (error) {
    if (isConflict(error) || isDailyLimit(error) || error instanceof OutOfAllowance) throw error
    if (isPassing(error)) return leave(going, `Something went wrong here. ${messageOf(error)}`)
    const isTheirs = error instanceof Unreachable || error instanceof Unreadable
    await fail(
      going,
      `${isTheirs ? 'It could not be read.' : 'Something went wrong here.'} ${messageOf(error)}`,
    )
  }
}

async function readPiece(
  given: RunningPiece,
  transport: MeteredTransport,
  patience: Patience | undefined,
): Promise<void> {
  const document = await readStored(given)
  if (document) return pieceOf(given, document)
  const going = await withReleased(given)
  if (!going) return
  const { context, source, run, stored } = going
  const { id, url, kind, etag, last_modified, place } = source
  const own = await ownId(context.db, context.settings)
  const client = sourceClient(context, url, transport, { ...patience, own })
  const pages = { client, transport, patience }
  if (stored.crawl !== '') return pagesPiece(going, pages)
  // All pieces of a run find the same dates, so that they are counted alike.
  const found = await look(
    { ...context, now: run.started_utc },
    {
      ...{ url, source: importSource(id), kind, client },
      known: place === 0 ? { etag, lastModified: last_modified } : { etag: '', lastModified: '' },
    },
  )
  if (!found) return finish(going, noOutcome(), { events: source.events })
  if ('first' in found) return pagesPiece(going, { ...pages, first: found.first })
  await readDocument(going, found)
}

/**
 * Has a run that begins read what it knows, too, if something has been released, or if another version of the Worker has read it.
 *
 * @returns undefined if another piece does that
 */
async function withReleased(given: RunningPiece): Promise<RunningPiece | undefined> {
  const { context, stored } = given
  const { place, refused_within, etag, last_modified } = given.source
  if (place > 0 || refused_within > 0 || stored.crawl !== '') return given
  const { build } = context.settings
  const going = { ...given, source: { ...given.source, build } }
  const hasPages = stored.pages !== NO_PAGES.pages
  if (!(etag || last_modified || hasPages)) return going
  if (given.source.build === build && !(await hasReleased(context, given.source))) return going
  const anew = { ...going, source: { ...going.source, held: '[]', etag: '', last_modified: '' } }
  if (!hasPages && context.db.allowance.has({ statements: SOURCE_WORK.ofRest })) return anew
  await goOn(anew, noOutcome(), sql`etag = '', last_modified = ''`, { pages: withoutValidators(stored) })
  return undefined
}

/** Pieces of a document for which it is rather read again than stored: that takes statements of the first one. */
const MOST_PIECES = 3

/** A piece of a document that was read just now. One that takes many pieces is stored for them, and not written yet. */
async function readDocument(going: RunningPiece, found: FoundCalendar): Promise<void> {
  const { source } = going
  const records = await letIn(found.records, source.search)
  const document = foundDocument(found, records, source.place)
  // Said once.
  const done = { ...noOutcome(), skipped: source.place === 0 ? found.skipped : [] }
  if (source.place === 0) {
    const { unread, gap } = document
    const loss = await lossOf(going, { read: await document.keys(), unread })
    if (loss) return askEditor(going, noOutcome(), { loss, gap })
  }
  const isLarge = document.records.length > MOST_PIECES * pieceFrom(document, source).length
  if (!isLarge || !(await storeRecords(going, records))) return pieceOf(going, document, done)
  await goOn(going, done, placeAt(source.place, aboutOf(source, document)), {
    beside: storeDetails(going, document),
  })
}

/** What a document says of itself, if it is the one with which the run has begun, whatever else has been read meanwhile. */
function aboutOf({ place, etag, last_modified }: SourceRow, document: SourceDocument): About {
  const { kind, lastModified } = document
  const isSame =
    place === 0 || (document.etag === '' ? lastModified === last_modified : document.etag === etag)
  return isSame ? { kind, etag: document.etag, last_modified: lastModified } : unknown({ kind })
}

/** Columns of a source that is to go on at a place of its document. A run that has not come far begins again with the whole document. */
const placeAt = (place: number, { kind, etag, last_modified }: About): SQL =>
  sql`place = ${place}, kind = ${kind}, etag = ${place > 0 ? etag : ''}, last_modified = ${place > 0 ? last_modified : ''}`

/** Writes a piece of a document. */
async function pieceOf(going: RunningPiece, document: SourceDocument, done = noOutcome()): Promise<void> {
  const { source } = going
  const piece = pieceFrom(document, source)
  const { gap, unread, completes, count, events } = document
  const there = async () => ({ read: await document.keys(), unread })
  // Before anything is trashed. A document that each piece reads may have shrunk since the first one.
  const isToTrash = source.mirror && piece.length === 0
  if (isToTrash) {
    const loss = await lossOf(going, await there())
    if (loss) return askEditor(going, noOutcome(), { loss, gap })
  }
  const about = aboutOf(source, document)
  const written = await writeRecords(going, piece, done)
  const place = source.place + written.count
  if (place < count || (source.mirror && piece.length > 0))
    return goOn(going, done, sql`${placeAt(place, about)}, refused_within = ${written.refusedWithin}`)
  if (source.mirror && !(await trashGone(going, { ...(await there()), completes }, done)))
    return goOn(going, done, sql`place = ${Math.max(1, count)}`)
  await finish(going, done, { events: Math.max(1, events), about, gap })
}

/** The next records. */
function pieceFrom({ records }: SourceDocument, source: SourceRow): AnyRecord[] {
  const room = roomOf(source)
  const piece: AnyRecord[] = []
  for (const record of records) {
    if (room.isFull()) break
    piece.push(record)
    room.take(record)
  }
  return piece
}

type Pages = {
  client: Client
  transport: MeteredTransport
  patience: Patience | undefined
  first?: HttpResponse | undefined
}

/** A piece of a source that consists of pages. What is missing of it is known when all were read. */
async function pagesPiece(going: RunningPiece, { first, ...pages }: Pages): Promise<void> {
  const { context, source, stored } = going
  const { url, search, place, etag, last_modified } = source
  const name = importSource(source.id)
  // Those of pages are tried as they are read.
  const within = source.refused_within
  const room = within > 0 ? roomOf(source, Math.ceil(within / 2)) : roomOf(source)
  const piece = await readPages(context, {
    ...{ url, search, place, source: name, ...pages, stored, first, room },
    known: { etag, lastModified: last_modified },
  })
  const { records, crawl, ids, gap, period, validators } = piece
  const done = noOutcome()
  const error = records.length > 0 ? await writeTogether(going, records, done) : undefined
  if (error !== undefined && records.length > 1)
    return goOn(going, done, sql`refused_within = ${records.length}, etag = '', last_modified = ''`)
  if (error !== undefined) noteRefused(records[0], error, done)
  const refused_within = error === undefined ? Math.max(0, within - records.length) : 0
  done.skipped.push(...piece.skipped)
  // What pages say of themselves does not count before all that they have is taken.
  const known = done.refused > 0 ? withoutValidators(piece.stored) : piece.stored
  const kind = crawl.events > 0 ? 'jsonld' : source.kind
  if (!piece.isOver || (source.mirror && records.length > 0)) {
    const of = piece.place > 0 ? validators : { etag: '', lastModified: '' }
    return goOn(
      going,
      done,
      sql`place = ${piece.place}, refused_within = ${refused_within}, kind = ${kind}, etag = ${of.etag},
        last_modified = ${of.lastModified}`,
      { pages: known },
    )
  }
  if (crawl.events === 0 && source.events === 0)
    return fail(going, 'There is no calendar, and no page has events as JSON-LD.', done)
  const there = { read: new Set([...ids].map(id => importKey(name, 'event', id))), unread: new Set<string>() }
  if (crawl.isWhole || crawl.events === 0) {
    const loss = await lossOf(going, crawl.events === 0 ? NOTHING : there, going.run.created)
    if (loss) return askEditor(going, done, { loss, gap, pages: known })
  }
  const completes = period
    ? [{ type: 'complete' as const, source: name, kind: 'event' as const, ...period }]
    : []
  if (source.mirror && !(await trashGone(going, { ...there, completes }, done)))
    return goOn(going, done, sql`place = 0`, { pages: known })
  // What a page says of itself says nothing of those that it leads to.
  const isAlone = crawl.requests === 0 && crawl.isWhole
  const { etag: tag = '', lastModified = '' } = isAlone ? crawl.first : {}
  await finish(going, done, {
    events: Math.max(1, ids.size),
    about: { kind, etag: tag, last_modified: lastModified },
    ...{ pages: known, gap },
  })
}
