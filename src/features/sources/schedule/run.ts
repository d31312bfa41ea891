import { and, eq, type SQL, sql } from 'drizzle-orm'
import { findDuplicates } from '../../../calendar/imports/duplicates.ts'
import { type SourceRow, selectSourceById } from '../../../calendar/imports/source.ts'
import type { StoredImport } from '../../../feature.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { OutOfAllowance } from '../../../kit/db/allowance.ts'
import type { Database } from '../../../kit/db/database.ts'
import { isConflict } from '../../../kit/db/failures.ts'
import { combineQueries, first, literal, many, type Query, readNumber } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { sources } from '../../../kit/db/tables.ts'
import { importContext } from '../../../kit/http/request-context.ts'
import { DUPLICATE_WORK } from '../../../kit/lib/budgets.ts'
import { pause } from '../../../kit/lib/pause.ts'
import { dayOf, formatInstant } from '../../../kit/lib/time.ts'
import type { Settings } from '../../../kit/settings.ts'
import { runLogged } from '../../../kit/work/error-log.ts'
import {
  leaseFor,
  minutesAfter,
  notPostponedSql,
  reserveDue,
  unreservedSql,
} from '../../../kit/work/leases.ts'
import { SOURCE_WORK, SOURCES_WAITING } from '../budgets.ts'
import { type RunRow, requireSource, selectNewestRun } from '../queries.ts'
import { MeteredTransport, type Patience } from './fetch.ts'
import { runBatch } from './run-batch.ts'

const { rowName } = SOURCES_WAITING

/**
 * The sources to read: a single one by its id, even if it is paused, or those whose events go to the trash.
 */
type RunScope = { onlyId?: number | undefined; isClearing?: boolean }

type RunInput = RunScope & { db: Database; settings: Settings; nowMs: number; patience?: Patience }

/**
 * Reads due sources, a batch of one after a batch of another, as far as statements, requests and time allow.
 * It can run twice at the same time, because a run reserves each source that it reads. If a run is killed,
 * the next one finds everything that it has written unchanged.
 */
export async function readSources(reading: RunInput): Promise<void> {
  const { allowance } = reading.db
  const limits = { statements: allowance.statements, requests: SOURCE_WORK.requests }
  await allowance.within(limits, () => readBatches(reading))
}

async function readBatches({ db, settings, nowMs, patience, ...scope }: RunInput): Promise<void> {
  const { onlyId } = scope
  const startMs = Date.now()
  const { allowance } = db
  for (let batches = 0; batches < SOURCE_WORK.batches; batches++) {
    if (batches > 0 && !allowance.has(SOURCE_WORK.batch)) return
    if (onlyId !== undefined && Date.now() - startMs >= SOURCE_WORK.waitMs) return
    if (!allowance.allows('sources', SOURCE_WORK.batch)) return
    const due = { rowName, nowMs, next: selectNextSource(nowMs, scope) }
    const reserved = await reserveDue(db, due, () => db.write(claimQuery(nowMs, scope)))
    if (!reserved) continue
    const [source] = reserved
    if (!source) return
    const context = importContext({ db, settings, nowMs })
    const transport = new MeteredTransport(allowance, patience)
    const rowsBefore = db.metrics.rowsWritten
    await runLogged(`${rowName} ${source.id}`, () => runReserved(context, source, transport))
    allowance.spend({ cpuMs: SOURCE_WORK.cpuOf(transport.bytes, db.metrics.rowsWritten - rowsBefore) })
    // If too little of the allowance is left to look for duplicates, the cron does so in another minute.
    if (allowance.has(DUPLICATE_WORK.together))
      await runLogged('duplicates', () => findDuplicates({ db, settings, nowMs }))
  }
}

/**
 * Does a batch of a source. If another run has reserved it since, if somebody has changed or deleted it, or
 * if it takes more statements than are left, the source is released for the next run.
 */
async function runReserved(
  context: BaseContext,
  source: SourceRow,
  transport: MeteredTransport,
): Promise<void> {
  const { allowance } = context.db
  const limits = { statements: allowance.statements - SOURCE_WORK.toRelease, requests: allowance.requests }
  try {
    return await allowance.within(limits, () => runBatch(context, source, transport))
  } catch (error) {
    if (!isConflict(error) && !(error instanceof OutOfAllowance)) throw error
  }
  const { id, lease } = source
  await context.db.write([
    build
      .update(sources)
      .set({ lease: '' })
      .where(and(eq(sources.id, id), eq(sources.lease, lease))),
  ])
}

/** Pause before the next attempt to reserve a source that another run has. */
const PAUSE_MS = 1_000

/**
 * Reads one source to the end of a run, even if it is paused, in the same batches as the cron. It continues a
 * run that is under way.
 *
 * @throws ApiError if there is no such source; Error if something is wrong with the database, so that the
 *   cron has to continue later
 */
export async function readToItsEnd({
  open,
  settings,
  id,
  transport,
  progress,
}: StoredImport): Promise<RunRow> {
  const sourceAndRun = combineQueries({ source: selectSourceById(id), run: selectNewestRun(id) })
  const before = await open().read(sourceAndRun)
  requireSource(before.source)
  await open().write([
    build
      .update(sources)
      .set({ next_run_utc: formatInstant(Date.now()) })
      .where(eq(sources.id, id)),
  ])
  for (;;) {
    const db = open()
    const nowMs = Date.now()
    const [reserved] = await db.write(claimQuery(nowMs, { onlyId: id }))
    if (reserved)
      await runReserved(
        importContext({ db, settings, nowMs }),
        reserved,
        new MeteredTransport(db.allowance, { transport }),
      )
    await runLogged('duplicates', () => findDuplicates({ db: open(), settings, nowMs }))
    const { source, run } = await open().read(sourceAndRun)
    const knownSource = requireSource(source)
    progress(knownSource.place, Math.max(knownSource.place, knownSource.events))
    if (reserved && run?.state === 'running' && knownSource.failures > reserved.failures)
      throw new Error(knownSource.message)
    const isNew = run?.id !== before.run?.id || before.run?.state === 'running'
    if (run && isNew && run.state !== 'running') return run
    if (!reserved) await pause(PAUSE_MS)
  }
}

/**
 * A condition for sources whose events go to the trash, because somebody has deleted the source or undone its
 * import.
 */
const clearedSql = sql`(is_being_deleted OR undoing IS NOT NULL)`

/** A SELECT of the id of the source whose turn it is. */
function dueSourceId(nowMs: number, { onlyId, isClearing = false }: RunScope = {}): SQL {
  const now = formatInstant(nowMs)
  const activeSql = isClearing ? clearedSql : sql`(state <> 'paused' OR ${clearedSql})`
  const wantedSql =
    onlyId === undefined ? sql`${activeSql} AND ${notPostponedSql(rowName, nowMs)}` : sql`id = ${onlyId}`
  return sql`SELECT id FROM ${sources} WHERE next_run_utc <= ${now} AND ${unreservedSql(sources.lease, nowMs)} AND ${wantedSql}
    ORDER BY served_utc, id LIMIT ${literal(SOURCES_WAITING.atOnce)}`
}

/** A condition that is true if a source is due for reading or cleaning up. @param nowMs epoch milliseconds */
export const sourceDueSql = (nowMs: number): SQL => sql`EXISTS (${dueSourceId(nowMs)})`

/** A condition that is true if events of a deleted source or an undone import are to go to the trash. */
export const sourceToClearSql = (nowMs: number): SQL =>
  sql`EXISTS (${dueSourceId(nowMs, { isClearing: true })})`

const selectNextSource = (nowMs: number, scope: RunScope): Query<number | undefined> =>
  first(dueSourceId(nowMs, scope), row => readNumber(row.id))

/**
 * A write that reserves the source whose turn it is. If an expired lease is still set, its run was killed in
 * the middle: the next batch is smaller, and if that is killed as well, the source is postponed, so that it
 * cannot use up the time of all others.
 */
function claimQuery(nowMs: number, scope: RunScope): Query<SourceRow[]> {
  const now = formatInstant(nowMs)
  // A lease of another day may be left over because the database had reached its limit for that day.
  const killedSql = sql`(lease >= ${dayOf(now)})`
  return many(
    build
      .update(sources)
      .set({
        ...leaseFor(SOURCES_WAITING, nowMs),
        failures: sql`failures + ${killedSql}`,
        next_run_utc: sql`iif(NOT ${killedSql}, next_run_utc,
          datetime(${now}, '+' || ${minutesAfter(SOURCES_WAITING.retries, sql`failures + 1`)} || ' minutes'))`,
      })
      .where(sql`${sources.id} IN (${dueSourceId(nowMs, scope)})`)
      .returning(),
  )
}
