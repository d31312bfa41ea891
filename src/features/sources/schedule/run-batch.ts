import { sql } from 'drizzle-orm'
import { readUidStatements } from '../../../calendar/imports/changed-uids.ts'
import {
  type AnyRecord,
  codeOf,
  importKey,
  keyOfRecord,
  ReadingError,
} from '../../../calendar/imports/records.ts'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import type { SourceKeys } from '../../../calendar/imports/vanished.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { OutOfAllowance } from '../../../kit/db/allowance.ts'
import { isConflict, isDailyLimit, isTemporary } from '../../../kit/db/failures.ts'
import { combineQueries, first, readText } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { importSource, sourcePages, sourceRuns, sources, users } from '../../../kit/db/tables.ts'
import { readOwnCalendarId } from '../../../kit/http/revision.ts'
import { clockAt } from '../../../kit/lib/clock.ts'
import { messageOf } from '../../../kit/lib/errors.ts'
import { knownRole, may } from '../../../kit/lib/roles.ts'
import { storedJson } from '../../../kit/lib/values.ts'
import { asError, logError } from '../../../kit/work/error-log.ts'
import { conflictUnlessReserved } from '../../../kit/work/leases.ts'
import type { CrawlState } from '../../../readers/jsonld/crawl.ts'
import { SOURCE_WORK } from '../budgets.ts'
import { selectNewestRun } from '../queries.ts'
import { comingFirst } from './coming-events.ts'
import { type FoundCalendar, fetchCalendar, type MeteredTransport, sourceClient } from './fetch.ts'
import { readFile } from './file-records.ts'
import {
  askEditor,
  type BatchOutcome,
  completeRun,
  continueLater,
  failRun,
  noOutcome,
  type RunningBatch,
  retryLater,
} from './outcome.ts'
import {
  keysOfPages,
  killsOf,
  NO_PAGES,
  type PagesReading,
  readPages,
  recordsThatFit,
  roomOf,
  withoutValidators,
} from './pages.ts'
import { skippedGuesses, wantedRecords } from './record-filter.ts'
import {
  NOTHING_STAGED,
  openStaged,
  readStagedKeys,
  type StagedRecords,
  stagedHead,
  stagingStatements,
  storeLarge,
} from './staged-records.ts'
import { endSourceBatch, undoBatch } from './undo.ts'
import { findLoss, NO_KEYS, trashGone, writeRecords } from './write-records.ts'

const RUNS_KEPT = 50

/**
 * Does a batch of a run of a source, which the caller has reserved.
 * @throws a conflict if another run has reserved it since
 */
export async function runBatch(
  context: BaseContext,
  source: SourceRow,
  transport: MeteredTransport,
): Promise<void> {
  if (source.is_being_deleted) return endSourceBatch(context, source)
  if (source.undoing !== null) return undoBatch(context, source)
  const { run, owner } = await openRun(context, source)
  if (!run) return
  const { pages = NO_PAGES, head = '' } = owner ?? {}
  const running: RunningBatch = { context, source, run, pages, storedPages: pages, head }
  if (!owner || !may({ id: source.author_id, role: owner.role }, 'manage_sources'))
    return failRun(running, {
      reason: 'Its owner may no longer have sources. Anybody who changes it takes it over.',
      code: 'source_owner',
    })
  try {
    await doBatch(running, transport)
  } catch (error) {
    if (isConflict(error) || isDailyLimit(error) || error instanceof OutOfAllowance) throw error
    if (isTemporary(error)) return retryLater(running, `Something went wrong here. ${messageOf(error)}`)
    const isTheirs = error instanceof ReadingError
    if (!isTheirs) logError(`source ${source.id}`, asError(error))
    const causeText = isTheirs ? 'It could not be read.' : 'Something went wrong here.'
    await failRun(running, {
      reason: `${causeText} ${messageOf(error)}`,
      code: codeOf(error, 'source_failed_here'),
    })
  }
}

/**
 * Opens the run under way, or else a new one. Also reads the role of the source's owner, and what earlier
 * batches have stored.
 */
function openRun({ db, clock }: BaseContext, { id, author_id }: SourceRow) {
  const thisSourceSql = sql`source_id = ${id}`
  return db.write(
    [
      sql`INSERT INTO ${sourceRuns} (source_id, started_utc, state) SELECT ${id}, ${clock.now()}, 'running'
        WHERE NOT EXISTS (SELECT 1 FROM ${sourceRuns} WHERE ${thisSourceSql} AND state = 'running')`,
      build.delete(sourceRuns).where(
        sql`${thisSourceSql} AND id <= (
        SELECT id FROM ${sourceRuns} WHERE ${thisSourceSql} ORDER BY id DESC LIMIT 1 OFFSET ${RUNS_KEPT})`,
      ),
    ],
    combineQueries({
      run: selectNewestRun(id),
      owner: first(
        sql`SELECT ${users.role}, ${sourcePages.pages}, ${sourcePages.crawl}, ${stagedHead(id)} AS head FROM ${users}
          LEFT JOIN ${sourcePages} ON ${thisSourceSql} WHERE ${users.id} = ${author_id}`,
        row => ({
          role: knownRole(readText(row.role)),
          pages: row.pages === null ? NO_PAGES : { pages: readText(row.pages), crawl: readText(row.crawl) },
          head: String(row.head ?? ''),
        }),
      ),
    }),
  )
}

/** Writes waiting records, or else reads more, or else ends the run. */
async function doBatch(running: RunningBatch, transport: MeteredTransport): Promise<void> {
  const { context, source, pages, head } = running
  const stagedRecords = await openStaged(running)
  if (stagedRecords && (stagedRecords.isRead || stagedRecords.waiting.length > 0))
    return writeBatch(running, stagedRecords)
  if (stagedRecords) return readBatch(running, transport, stagedRecords)
  // After a kill, or if the staged records of the run are missing, it is not known which of the present
  // records have been written.
  const isLost = head !== '' || pages.crawl !== '' || source.place > 0 || killsOf(source) > 0
  const freshSource = { ...source, place: 0, refused_within: 0, build: context.settings.build }
  if (!isLost && !mustReadKnown(running)) return readBatch({ ...running, source: freshSource }, transport)
  const allPages = { ...withoutValidators(pages), crawl: '' }
  const restartedBatch = {
    ...running,
    source: { ...freshSource, etag: '', last_modified: '' },
    pages: allPages,
  }
  if (context.db.allowance.has({ statements: SOURCE_WORK.ofRest }))
    return readBatch(restartedBatch, transport)
  await continueLater(restartedBatch, noOutcome(), { place: 0, etag: '', last_modified: '' })
}

/**
 * True if a new run has to read known content as well, because another version of the Worker did the last
 * run.
 */
const mustReadKnown = ({ context, source, pages }: RunningBatch): boolean =>
  source.build !== context.settings.build &&
  (source.etag !== '' || source.last_modified !== '' || pages.pages !== NO_PAGES.pages)

/** Reads the document at the source's address, or some of its pages, and writes what fits into the batch. */
async function readBatch(
  running: RunningBatch,
  transport: MeteredTransport,
  stagedRecords = NOTHING_STAGED,
): Promise<void> {
  const { context, source, run, pages } = running
  const { id, url, kind, etag, last_modified: lastModified } = source
  const name = importSource(id)
  // All batches of a run use the same time, so that they find the same dates and count alike.
  const contextOfRun = { ...context, clock: clockAt(run.started_utc) }
  if (source.file !== '') {
    const calendar = await readFile(contextOfRun, source)
    if (!calendar) return completeRun(running, noOutcome(), { events: source.events })
    return documentBatch(running, calendar)
  }
  const client = sourceClient(context, transport, await readOwnCalendarId(context.db, context.settings))
  if (pages.crawl !== '') return pagesBatch(running, stagedRecords, { client, transport })
  const calendar = await fetchCalendar(contextOfRun, {
    url,
    source: name,
    kind,
    client,
    known: { etag, lastModified },
  })
  if (!calendar) return completeRun(running, noOutcome(), { events: source.events })
  if ('first' in calendar)
    return pagesBatch(running, stagedRecords, { client, transport, first: calendar.first })
  await documentBatch(running, calendar)
}

/** Does the first batch of a document that was just read. */
async function documentBatch(running: RunningBatch, calendar: FoundCalendar): Promise<void> {
  const { skipped, guesses, unread, records, name, ...head } = calendar
  const searchedRecords = await wantedRecords(records, running.source.search)
  // The first batch of a new source brings what its preview has shown.
  const isNew = running.source.last_run_utc === null
  const waitingRecords = isNew ? comingFirst(searchedRecords, running.run.started_utc) : searchedRecords
  const events = waitingRecords.filter(({ kind }) => kind === 'event').length
  const presentKeys = { read: new Set(waitingRecords.map(keyOfRecord)), unread }
  await followChangedUids(running, { records: waitingRecords, presentKeys })
  const loss = await findLoss(running, presentKeys, { present: events })
  if (loss) return askEditor(running, noOutcome(), { loss, gap: head.gap })
  const remainder = {
    unread: [...unread],
    count: waitingRecords.length,
    events,
    isRead: true,
    waiting: waitingRecords,
    stored: 0,
    isNew: true,
  }
  await writeBatch(
    running,
    { ...head, ...remainder },
    { ...noOutcome(), skipped: [...skippedGuesses(guesses, name), ...skipped] },
  )
}

/** Matches events whose UIDs have changed at the source with the events that are already stored. */
async function followChangedUids(
  { context, source }: RunningBatch,
  document: { records: readonly AnyRecord[]; presentKeys: SourceKeys },
): Promise<void> {
  if (source.last_run_utc === null) return
  const changes = await readUidStatements(context, { source: importSource(source.id), ...document })
  if (changes.length > 0) await context.db.write([conflictUnlessReserved(sources, source), ...changes])
}

/** Reads some pages, and writes their events. */
async function pagesBatch(
  running: RunningBatch,
  stagedRecords: StagedRecords,
  pages: Pick<PagesReading, 'client' | 'transport' | 'first'>,
): Promise<void> {
  const { context, source, pages: storedPages } = running
  const { id, url, search } = source
  const input = { url, search, source: importSource(id), stored: storedPages, room: roomOf(source), ...pages }
  const { records, skipped, isRead, gap, completes, stored } = await readPages(context, input)
  const head = { ...stagedRecords, kind: 'jsonld' as const, isRead, gap, completes, isNew: true }
  const nextStaged = { count: stagedRecords.count + records.length, waiting: records }
  const outcome = { ...noOutcome(), skipped }
  const nextBatch = { ...running, source: { ...source, place: stagedRecords.count }, pages: stored }
  // If a page could not be read, an event may still be there under its former address.
  if (storedJson<CrawlState>(stored.crawl).isWhole)
    await followChangedUids(nextBatch, { records, presentKeys: keysOnPages(nextBatch) })
  await writeBatch(nextBatch, { ...head, ...nextStaged }, outcome)
}

const TOO_LARGE = {
  reason: 'It has more events than can be kept while they are written.',
  code: 'source_too_large',
} as const

/** Writes as many waiting records as a batch takes, keeps the rest, and ends the run after the last batch. */
async function writeBatch(
  running: RunningBatch,
  stagedRecords: StagedRecords,
  outcome = noOutcome(),
): Promise<void> {
  const { source } = running
  const { waiting, isRead, isNew, kind } = stagedRecords
  const batch = recordsThatFit(waiting, roomOf(source))
  const stagingWrites = isNew ? stagingStatements(running, stagedRecords) : []
  const failAsTooLarge = () => failRun(running, { ...TOO_LARGE, readPages: running.storedPages })
  if (!stagingWrites) return failAsTooLarge()
  // Storing a large document takes most of a batch.
  if (batch.length < waiting.length && stagingWrites.length > SOURCE_WORK.toStore) {
    const stored = await storeLarge(running, stagingWrites)
    if (stored === 'tooLarge') return failAsTooLarge()
    if (stored === 'noRoom')
      return retryLater(running, 'There is no room for it while other calendars are being read.')
    return continueLater(running, outcome, { place: source.place }, [stored.last])
  }
  const progress = await writeRecords(running, batch, outcome, stagingWrites.length)
  // The state of the pages has the keys of their events, so that only unwritten records are staged.
  const isRest = isNew && kind === 'jsonld'
  const remainingRecords = isRest
    ? {
        ...stagedRecords,
        waiting: waiting.slice(progress.count),
        count: stagedRecords.count - progress.count,
      }
    : stagedRecords
  const position = source.place + (isRest ? 0 : progress.count)
  // A mirror trashes vanished content in a batch of its own.
  const isOver = isRead && position === remainingRecords.count && !(source.mirror && batch.length > 0)
  if (isOver && (await endWrittenRun(running, stagedRecords, outcome))) return
  // The page of a file shows how many of its events are written.
  const events = source.file === '' ? source.events : stagedRecords.events
  await continueLater(
    running,
    outcome,
    { place: position, refused_within: progress.refusedWithin, events },
    isRest ? (stagingStatements(running, remainingRecords) ?? []) : stagingWrites,
  )
}

async function readSourceKeys(running: RunningBatch, stagedRecords: StagedRecords): Promise<SourceKeys> {
  if (stagedRecords.kind !== 'jsonld')
    return { read: await readStagedKeys(running, stagedRecords), unread: new Set(stagedRecords.unread) }
  return keysOnPages(running)
}

function keysOnPages({ source, pages }: RunningBatch): SourceKeys {
  const name = importSource(source.id)
  const { ids, unread } = keysOfPages(pages)
  const keys = (externalIds: Iterable<string>) =>
    new Set([...externalIds].map(id => importKey(name, 'event', id)))
  return { read: keys(ids), unread: keys(unread) }
}

/**
 * Ends a run whose records are all written.
 * @returns false if a batch is not enough to trash vanished content
 */
async function endWrittenRun(
  running: RunningBatch,
  stagedRecords: StagedRecords,
  outcome: BatchOutcome,
): Promise<boolean> {
  const { source, run } = running
  const { gap, completes, kind, events: count, etag, lastModified } = stagedRecords
  const isOfPages = kind === 'jsonld'
  const keys = source.mirror || isOfPages ? await readSourceKeys(running, stagedRecords) : NO_KEYS
  let validators = { kind, etag, last_modified: lastModified }
  let events = count
  if (isOfPages) {
    const crawl = storedJson<CrawlState>(running.pages.crawl)
    const hasEvents = crawl.events > 0
    if (!hasEvents && source.events === 0) {
      const reason = 'There is no calendar, and no page has events as JSON-LD.'
      await failRun(running, { reason, code: 'source_no_calendar' }, outcome)
      return true
    }
    // Missing events are known only once all pages have been read.
    const loss =
      crawl.isWhole || !hasEvents
        ? await findLoss(running, hasEvents ? keys : NO_KEYS, { present: crawl.events, created: run.created })
        : undefined
    if (loss) {
      await askEditor(running, outcome, { loss, gap })
      return true
    }
    // The validators of a page say nothing about the pages that it links to.
    const ownValidators = crawl.requests === 0 && crawl.isWhole ? crawl.first : {}
    validators = {
      kind: hasEvents ? kind : source.kind,
      etag: ownValidators.etag ?? '',
      last_modified: ownValidators.lastModified ?? '',
    }
    events = keys.read.size
  }
  if (source.mirror && !(await trashGone(running, { ...keys, completes }, outcome))) return false
  await completeRun(running, outcome, { events: Math.max(1, events), validators, gap })
  return true
}
