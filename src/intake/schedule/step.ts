import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { OutOfAllowance } from '../../db/allowance.ts'
import { isConflict, isDailyLimit, isPassing } from '../../db/failures.ts'
import { first, together } from '../../db/query.ts'
import { sourcePages, sourceRuns } from '../../db/schema.ts'
import { SOURCE_WORK } from '../../lib/budgets.ts'
import { messageOf } from '../../lib/errors.ts'
import { may, type Role } from '../../lib/roles.ts'
import { importSource, newestRun, type SourceRow } from '../../resources/sources/queries.ts'
import { type Client, type HttpResponse, Unreachable } from '../readers/http.ts'
import { unreadLinks } from '../readers/jsonld-site.ts'
import { importKey, Unreadable } from '../records.ts'
import {
  foundDocument,
  readStored,
  type SourceDocument,
  selectDetails,
  storeDetails,
  storeRecords,
} from './document.ts'
import { wantedRecords } from './filter.ts'
import { type FoundCalendar, look, type MeteredTransport, ownId, sourceClient } from './look.ts'
import {
  type About,
  askEditor,
  continueLater,
  fail,
  finish,
  hasReleased,
  noOutcome,
  type PieceOutcome,
  type RunningPiece,
  retryLater,
  unknown,
} from './outcome.ts'
import { NO_PAGES, type PagesPiece, readPages, recordsThatFit, roomOf, withoutValidators } from './pages.ts'
import { endPiece, lossOf, NOTHING, noteRefused, trashGone, writeRecords, writeTogether } from './writing.ts'

const RUNS_KEPT = 50

/** Does a piece of a run of a source, which the caller has reserved. @throws a conflict if another run has reserved it since */
export async function step(
  context: RequestContext,
  source: SourceRow,
  transport: MeteredTransport,
): Promise<void> {
  if (source.is_ending) return endPiece(context, source)
  const { run, owner } = await currentRun(context, source)
  if (!run) return
  const { stored = NO_PAGES, details = '' } = owner ?? {}
  const running: RunningPiece = { context, source, run, stored, details }
  if (!owner || !may({ id: source.author_id, role: owner.role }, 'manage_sources'))
    return fail(running, 'Its owner may not have sources any more: whoever changes it takes it over.')
  try {
    await readPiece(running, transport)
  } catch (error) {
    if (isConflict(error) || isDailyLimit(error) || error instanceof OutOfAllowance) throw error
    if (isPassing(error)) return retryLater(running, `Something went wrong here. ${messageOf(error)}`)
    const isTheirs = error instanceof Unreachable || error instanceof Unreadable
    await fail(
      running,
      `${isTheirs ? 'It could not be read.' : 'Something went wrong here.'} ${messageOf(error)}`,
    )
  }
}

/** The run under way, or else a new one, and the source's owner with what earlier pieces have stored. */
function currentRun({ db, now }: RequestContext, { id, author_id }: SourceRow) {
  const isThis = sql`source_id = ${id}`
  return db.change(
    [
      sql`INSERT INTO ${sourceRuns} (source_id, started_utc, state) SELECT ${id}, ${now}, 'running'
        WHERE NOT EXISTS (SELECT 1 FROM ${sourceRuns} WHERE ${isThis} AND state = 'running')`,
      sql`DELETE FROM ${sourceRuns} WHERE ${isThis} AND id <= (
        SELECT id FROM ${sourceRuns} WHERE ${isThis} ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`,
    ],
    together({
      run: newestRun(id),
      owner: first(
        sql`SELECT role, pages, crawl, ${selectDetails(id)} AS details FROM users LEFT JOIN ${sourcePages} ON ${isThis} WHERE id = ${author_id}`,
        row => ({
          role: String(row.role) as Role,
          stored: row.pages === null ? NO_PAGES : { pages: String(row.pages), crawl: String(row.crawl) },
          details: String(row.details ?? ''),
        }),
      ),
    }),
  )
}

/** Continues with the document that the run has stored, or else reads the source. */
async function readPiece(running: RunningPiece, transport: MeteredTransport): Promise<void> {
  const { context, source, stored } = running
  const document = await readStored(running)
  if (document) return documentPiece(running, document)
  const isUnderWay = source.place > 0 || source.refused_within > 0 || stored.crawl !== ''
  if (isUnderWay) return readSource(running, transport)
  const { build } = context.settings
  if (!(await mustReadKnown(running)))
    return readSource({ ...running, source: { ...source, build } }, transport)
  const anew = { ...running, source: { ...source, build, held: '[]', etag: '', last_modified: '' } }
  if (stored.pages === NO_PAGES.pages && context.db.allowance.has({ statements: SOURCE_WORK.ofRest }))
    return readSource(anew, transport)
  await continueLater(anew, noOutcome(), sql`etag = '', last_modified = ''`, {
    pages: withoutValidators(stored),
  })
}

/**
 * True if a new run has to read known content as well, because content that was edited here has been changed back, or
 * because another version of the Worker did the last run.
 */
async function mustReadKnown({ context, source, stored }: RunningPiece): Promise<boolean> {
  const isKnown = source.etag !== '' || source.last_modified !== '' || stored.pages !== NO_PAGES.pages
  return isKnown && (source.build !== context.settings.build || (await hasReleased(context, source)))
}

/** Continues with pages, or else reads the source's address, where a document, pages or nothing new may be. */
async function readSource(running: RunningPiece, transport: MeteredTransport): Promise<void> {
  const { context, source, run, stored } = running
  const { id, url, kind, etag, last_modified, place } = source
  const client = sourceClient(context, transport, await ownId(context.db, context.settings))
  const pages = { client, transport }
  if (stored.crawl !== '') return pagesPiece(running, pages)
  // All pieces of a run use the same time, so that they find the same dates and count alike.
  const found = await look(
    { ...context, now: run.started_utc },
    {
      url,
      source: importSource(id),
      kind,
      client,
      known: place === 0 ? { etag, lastModified: last_modified } : { etag: '', lastModified: '' },
    },
  )
  if (!found) return finish(running, noOutcome(), { events: source.events })
  if ('first' in found) return pagesPiece(running, { ...pages, first: found.first })
  await foundPiece(running, found)
}

/** The most pieces for which a document is read again rather than stored, since storing it takes statements of the first piece. */
const MOST_PIECES = 3

/**
 * Does the first piece of a document that was just read. A document that takes many pieces is stored for them, and
 * nothing is written yet.
 */
async function foundPiece(running: RunningPiece, found: FoundCalendar): Promise<void> {
  const { source } = running
  const records = await wantedRecords(found.records, source.search)
  const document = foundDocument(found, records, source.place)
  // Reported only once.
  const done = { ...noOutcome(), skipped: source.place === 0 ? found.skipped : [] }
  if (source.place === 0) {
    const { unread, gap } = document
    const loss = await lossOf(running, { read: await document.keys(), unread })
    if (loss) return askEditor(running, noOutcome(), { loss, gap })
  }
  const isLarge =
    document.records.length > MOST_PIECES * recordsThatFit(document.records, roomOf(source)).length
  if (!isLarge || !(await storeRecords(running, records))) return documentPiece(running, document, done)
  await continueLater(running, done, placeAt(source.place, aboutOf(source, document)), {
    beside: storeDetails(running, document),
  })
}

/** The kind and the validators of a document; without validators if it is no longer the version with which the run began. */
function aboutOf({ place, etag, last_modified }: SourceRow, document: SourceDocument): About {
  const { kind, lastModified } = document
  const isSame =
    place === 0 || (document.etag === '' ? lastModified === last_modified : document.etag === etag)
  return isSame ? { kind, etag: document.etag, last_modified: lastModified } : unknown({ kind })
}

/**
 * Columns of a source with which the run continues at a place of its document. A run that has not written anything yet
 * begins again with the whole document.
 */
const placeAt = (place: number, { kind, etag, last_modified }: About): SQL =>
  sql`place = ${place}, kind = ${kind}, etag = ${place > 0 ? etag : ''}, last_modified = ${place > 0 ? last_modified : ''}`

/** Writes a piece of a document. */
async function documentPiece(
  running: RunningPiece,
  document: SourceDocument,
  done = noOutcome(),
): Promise<void> {
  const { source } = running
  const piece = recordsThatFit(document.records, roomOf(source))
  const { gap, unread, completes, count, events } = document
  const keys = async () => ({ read: await document.keys(), unread })
  // Checked before anything is trashed. A document that each piece reads may have shrunk since the first piece.
  const isToTrash = source.mirror && piece.length === 0
  if (isToTrash) {
    const loss = await lossOf(running, await keys())
    if (loss) return askEditor(running, noOutcome(), { loss, gap })
  }
  const about = aboutOf(source, document)
  const written = await writeRecords(running, piece, done)
  const place = source.place + written.count
  if (place < count || (source.mirror && piece.length > 0))
    return continueLater(
      running,
      done,
      sql`${placeAt(place, about)}, refused_within = ${written.refusedWithin}`,
    )
  if (source.mirror && !(await trashGone(running, { ...(await keys()), completes }, done)))
    return continueLater(running, done, sql`place = ${Math.max(1, count)}`)
  await finish(running, done, { events: Math.max(1, events), about, gap })
}

type Pages = {
  client: Client
  transport: MeteredTransport
  first?: HttpResponse | undefined
}

/** Does a piece of a source that consists of pages: reads some of them, and writes their events. */
async function pagesPiece(running: RunningPiece, { first, ...pages }: Pages): Promise<void> {
  const { context, source, stored } = running
  const { url, search, place, etag, last_modified, refused_within: within } = source
  // Until a record that the database refuses is alone, each piece reads half as many, since records of pages are not stored.
  const room = roomOf(source, within > 0 ? Math.ceil(within / 2) : undefined)
  const piece = await readPages(context, {
    url,
    search,
    place,
    source: importSource(source.id),
    ...pages,
    stored,
    first,
    room,
    known: { etag, lastModified: last_modified },
  })
  const { records, validators } = piece
  const done = noOutcome()
  const error = records.length > 0 ? await writeTogether(running, records, done) : undefined
  const isRefused = error !== undefined
  if (isRefused && records.length > 1)
    return continueLater(
      running,
      done,
      sql`refused_within = ${records.length}, etag = '', last_modified = ''`,
    )
  if (isRefused) noteRefused(records[0], error, done)
  done.skipped.push(...piece.skipped)
  // Validators of pages do not count before all of their events are written.
  const known = isRefused ? withoutValidators(piece.stored) : piece.stored
  const kind = piece.crawl.events > 0 ? 'jsonld' : source.kind
  const isLast = piece.isOver && !(source.mirror && records.length > 0)
  if (isLast) return endPages(running, { ...piece, kind, stored: known }, done)
  const refused_within = isRefused ? 0 : Math.max(0, within - records.length)
  await continueLater(
    running,
    done,
    sql`place = ${piece.place}, refused_within = ${refused_within}, kind = ${kind}, etag = ${validators.etag},
      last_modified = ${validators.lastModified}`,
    { pages: known },
  )
}

/** Ends a run once all pages have been read, since only then it is known which events are missing. */
async function endPages(
  running: RunningPiece,
  { crawl, ids, gap, period, kind, stored: pages }: PagesPiece & { kind: string },
  done: PieceOutcome,
): Promise<void> {
  const { source, run } = running
  const hasEvents = crawl.events > 0
  if (!hasEvents && source.events === 0)
    return fail(running, 'There is no calendar, and no page has events as JSON-LD.', done)
  const name = importSource(source.id)
  const keysOf = (addresses: Iterable<string>) =>
    new Set([...addresses].map(id => importKey(name, 'event', id)))
  const keys = { read: keysOf(ids), unread: keysOf(unreadLinks(crawl)) }
  if (crawl.isWhole || !hasEvents) {
    const loss = await lossOf(running, hasEvents ? keys : NOTHING, run.created)
    if (loss) return askEditor(running, done, { loss, gap, pages })
  }
  const completes = period
    ? [{ type: 'complete' as const, source: name, kind: 'event' as const, ...period }]
    : []
  if (source.mirror && !(await trashGone(running, { ...keys, completes }, done)))
    return continueLater(running, done, sql`place = 0`, { pages })
  // The validators of a page say nothing about the pages that it links to.
  const isAlone = crawl.requests === 0 && crawl.isWhole
  const { etag = '', lastModified = '' } = isAlone ? crawl.first : {}
  const about = { kind, etag, last_modified: lastModified }
  await finish(running, done, { events: Math.max(1, ids.size), about, pages, gap })
}
