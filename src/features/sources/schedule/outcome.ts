import { eq, sql } from 'drizzle-orm'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import type { BaseContext } from '../../../kit/context.ts'
import type { Statement } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { sourcePages, sourceRuns, sources } from '../../../kit/db/tables.ts'
import type { ReadingCode } from '../../../kit/lib/reasons.ts'
import { pauseMs, RETRIES_OF_PARTS, RETRIES_OF_RECORDS } from '../../../kit/lib/retries.ts'
import { DAY_MS, formatInstant, HOUR_MS, toEpoch } from '../../../kit/lib/time.ts'
import { storedJson } from '../../../kit/lib/values.ts'
import { conflictUnlessReserved } from '../../../kit/work/leases.ts'
import { plain } from '../../../site/html/text.ts'
import { SOURCES_WAITING } from '../budgets.ts'
import { HALF_GONE, INCOMPLETE, type RunRow } from '../queries.ts'
import { dayFromNow, fileWaitsSql } from '../stored-files.ts'
import { documentRemovalStatement } from '../writes.ts'
import { type StoredPages, withoutValidators } from './pages.ts'
import type { SkippedItem } from './record-filter.ts'

const MAX_SKIPPED = 100
/** The most characters of a source's texts in reports. */
const MAX_REPORTED_LENGTH = 500
/** The most characters of each title that a question names. */
const MAX_TITLE_LENGTH = 80

const INTERVALS_MS = { hour: HOUR_MS, '6 hours': 6 * HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const

/** The outcome of a batch. Counts are of events, except for records that the database has refused. */
export type BatchOutcome = Record<
  'created' | 'updated' | 'unchanged' | 'trashed' | 'asked' | 'refused',
  number
> & {
  skipped: SkippedItem[]
}

export const noOutcome = (): BatchOutcome => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  trashed: 0,
  asked: 0,
  refused: 0,
  skipped: [],
})

/** A batch under way. */
export type RunningBatch = {
  context: BaseContext
  source: SourceRow
  run: RunRow
  /** The state of the source's pages: as it is now, and as it is stored. */
  pages: StoredPages
  storedPages: StoredPages
  /** The head of the staged records that the run has stored, as JSON; '' if there is none. */
  head: string
}

type SourceColumns = SQLiteUpdateSetSource<typeof sources>

/**
 * Stores the outcome of a batch.
 *
 * @param stored.pages the state of the source's pages from now on
 * @param stored.extraStatements statements for the same transaction
 */
function storeOutcome(
  { context, source, run, storedPages, ...running }: RunningBatch,
  outcome: BatchOutcome,
  {
    source: sourceColumns,
    run: runColumns,
    pages = running.pages,
    extraStatements = [],
  }: {
    source: SourceColumns
    run?: SQLiteUpdateSetSource<typeof sourceRuns>
    pages?: StoredPages
    extraStatements?: readonly Statement[]
  },
): Promise<void> {
  // A repeated batch reports the same items again.
  const skippedItems = new Map(
    storedJson<SkippedItem[]>(run.skipped).map(one => [`${one.what}\n${one.why}`, one]),
  )
  for (const item of outcome.skipped) {
    const what = item.what.slice(0, MAX_REPORTED_LENGTH)
    const why = item.why.slice(0, MAX_REPORTED_LENGTH)
    const { code, values } = item
    if (skippedItems.size < MAX_SKIPPED)
      skippedItems.set(`${what}\n${why}`, { what, why, ...(code && { code }), ...(values && { values }) })
  }
  return context.db.write([
    conflictUnlessReserved(sources, source),
    ...extraStatements,
    ...(pages.pages === storedPages.pages && pages.crawl === storedPages.crawl
      ? []
      : [
          build
            .insert(sourcePages)
            .values({ source_id: source.id, ...pages })
            .onConflictDoUpdate({ target: sourcePages.source_id, set: pages }),
        ]),
    build
      .update(sourceRuns)
      .set({
        created: sql`created + ${outcome.created}`,
        updated: sql`updated + ${outcome.updated}`,
        unchanged: sql`unchanged + ${outcome.unchanged}`,
        trashed: sql`trashed + ${outcome.trashed}`,
        asked: sql`asked + ${outcome.asked}`,
        skipped: JSON.stringify([...skippedItems.values()]),
        ...runColumns,
      })
      .where(eq(sourceRuns.id, run.id)),
    build
      .update(sources)
      .set({ lease: '', build: source.build, ...sourceColumns })
      .where(eq(sources.id, source.id)),
  ])
}

/** The time of the next run, in milliseconds from now; null if there is none. */
const pauseOf = ({ every }: SourceRow): number | null => (every === '' ? null : INTERVALS_MS[every])

const timeAfter = ({ clock }: BaseContext, ms: number | null): string | null =>
  ms === null ? null : formatInstant(toEpoch(clock.now()) + ms)

type Validators = Pick<SourceRow, 'kind' | 'etag' | 'last_modified'>

/** Lets the run continue at the source's next turn. A source that was failing no longer is. */
export const continueLater = (
  running: RunningBatch,
  outcome: BatchOutcome,
  columns: SourceColumns,
  extraStatements: readonly Statement[] = [],
): Promise<void> =>
  storeOutcome(running, outcome, {
    extraStatements,
    source: {
      ...columns,
      state: sql`iif(state = 'failing', 'ok', state)`,
      message: '',
      code: '',
      failures: 0,
      failing_since_utc: null,
      refused: running.source.refused + outcome.refused,
      next_run_utc: running.context.clock.now(),
    },
  })

/**
 * Leaves a batch to be tried again, because something is wrong with the database. The document's validators
 * do not count until everything is done.
 */
export const retryLater = (running: RunningBatch, why: string): Promise<void> => {
  const { failures } = running.source
  // The batch will be read again, so nothing that it has read counts.
  return storeOutcome(running, noOutcome(), {
    pages: running.storedPages,
    source: {
      state: sql`iif(state = 'paused', state, 'failing')`,
      message: why.slice(0, 2 * MAX_REPORTED_LENGTH),
      code: 'source_failed_here',
      failures: failures + 1,
      failing_since_utc: sql`coalesce(failing_since_utc, ${running.context.clock.now()})`,
      etag: '',
      last_modified: '',
      next_run_utc: timeAfter(running.context, pauseMs(RETRIES_OF_PARTS, failures + 1)),
    },
  })
}

type RunEnd = {
  state: 'ok' | 'asking' | 'failing'
  message: string
  code: SourceRow['code']
  /** The kind of the source, and the validators that the next run sends. */
  validators: Validators
  events?: number | undefined
  pauseMs?: number | null
  refusedRuns?: number
  pages?: StoredPages
}

function storeRunEnd(
  running: RunningBatch,
  batchOutcome: BatchOutcome,
  { state, message, code, validators, ...values }: RunEnd,
): Promise<void> {
  const { context, source } = running
  const {
    events = source.events,
    pauseMs: pause = pauseOf(source),
    refusedRuns = source.refused_runs,
    pages = running.pages,
  } = values
  const isFailing = state === 'failing'
  const now = context.clock.now()
  // The next run tries refused records again, whether or not their pages have changed.
  const knownPages = source.refused + batchOutcome.refused > 0 ? withoutValidators(pages) : pages
  return storeOutcome(running, batchOutcome, {
    source: {
      kind: validators.kind,
      etag: validators.etag,
      last_modified: validators.last_modified,
      state: sql`iif(state = 'paused' AND file = '', state, ${state})`,
      message,
      code,
      failures: isFailing ? sql`failures + 1` : 0,
      failing_since_utc: state === 'ok' ? null : sql`coalesce(failing_since_utc, ${now})`,
      place: 0,
      refused: 0,
      refused_within: 0,
      refused_runs: refusedRuns,
      events,
      last_run_utc: now,
      next_run_utc: timeAfter(context, pause),
    },
    // No run is under way any more.
    pages: knownPages.crawl === '' ? knownPages : { ...knownPages, crawl: '' },
    run: { state: isFailing ? 'failed' : 'done', ended_utc: now, message, code },
    extraStatements: running.head === '' && source.file === '' ? [] : [documentRemovalStatement(source.id)],
  })
}

const unknownValidators = ({ kind }: Validators): Validators => ({ kind, etag: '', last_modified: '' })

/**
 * The number of coming events that a source had before a run, and how many of them are missing now, with some
 * of their titles.
 */
export type LostEvents = { live: number; gone: number; titles: readonly string[] }

/** The message about a list that may be incomplete. @param gap the reason */
const incompleteMessage = (gap: string | undefined): string =>
  gap === undefined ? '' : `${INCOMPLETE}, and none of them counts as vanished: ${gap}.`

/**
 * Ends a run. Records that the database has refused are tried again soon, and later less often, whether or
 * not the document has changed.
 *
 * @param events the number of events
 * @param gap the reason why there may be more
 */
export function completeRun(
  running: RunningBatch,
  outcome: BatchOutcome,
  {
    events,
    validators = running.source,
    gap,
  }: { events: number; validators?: Validators; gap?: string | undefined },
): Promise<void> {
  const { source } = running
  const isRefused = source.refused + outcome.refused > 0
  const refusedRuns = isRefused ? source.refused_runs + 1 : 0
  const usualMs = pauseOf(source)
  const soonMs = isRefused ? pauseMs(RETRIES_OF_RECORDS, refusedRuns) : null
  return storeRunEnd(running, outcome, {
    state: 'ok',
    message: incompleteMessage(gap),
    code: gap === undefined ? '' : 'incomplete',
    events,
    // Without validators, the document is read again whether or not it has changed.
    validators: gap === undefined && !isRefused ? validators : unknownValidators(validators),
    refusedRuns,
    pauseMs: usualMs && Math.min(usualMs, soonMs ?? usualMs),
  })
}

/**
 * Ends a run that does nothing before an editor agrees.
 * @param gap the reason why there may be more events than were read
 */
export function askEditor(
  running: RunningBatch,
  outcome: BatchOutcome,
  { loss, gap }: { loss: LostEvents; gap: string | undefined },
): Promise<void> {
  const question = `${HALF_GONE}, ${loss.gone} of ${loss.live}: nothing is done until an editor agrees.`
  const message = [question, incompleteMessage(gap)].filter(Boolean).join(' ')
  const code = gap === undefined ? 'half_gone' : 'half_gone_incomplete'
  const names = loss.titles.map(title => plain(title).slice(0, MAX_TITLE_LENGTH))
  const titles = `${names.join(', ')}${loss.gone > names.length ? ' …' : ''}`
  const values = { gone: loss.gone, live: loss.live, titles }
  const asked = { what: 'the calendar', why: question, code: 'half_vanished', values } as const
  const skipped = [...outcome.skipped, asked]
  return storeRunEnd(
    running,
    { ...outcome, skipped },
    {
      state: 'asking',
      message,
      code,
      validators: unknownValidators(running.source),
    },
  )
}

/**
 * Records that some of what a run has added is gone, and which events have gone to the trash.
 * A file of the same name that was uploaded meanwhile goes on waiting, or is imported if somebody asked for
 * that.
 *
 * @param isWhole true if nothing of what the run has added is left
 */
export const storeUndone = (
  { context: { db, clock }, source }: Pick<RunningBatch, 'context' | 'source'>,
  { trashed }: BatchOutcome,
  isWhole: boolean,
): Promise<void> =>
  db.write([
    conflictUnlessReserved(sources, source),
    build
      .update(sourceRuns)
      .set({
        trashed: sql`trashed + ${trashed}`,
        code: 'undone',
        message: 'Undone: its new events are in the trash, except for those that were edited since.',
      })
      .where(sql`id = ${source.undoing}`),
    build
      .update(sources)
      .set({
        lease: '',
        ...(isWhole && {
          undoing: null,
          next_run_utc: sql`CASE WHEN NOT ${fileWaitsSql} THEN NULL
            WHEN state = 'paused' THEN ${dayFromNow(clock)} ELSE ${clock.now()} END`,
        }),
      })
      .where(eq(sources.id, source.id)),
  ])

/**
 * Ends a run that cannot continue. If events are still waiting to be written, the next run reads all pages
 * again.
 *
 * @param readPages the pages that count as read
 */
export function failRun(
  running: RunningBatch,
  { reason, code, readPages = running.pages }: { reason: string; code: ReadingCode; readPages?: StoredPages },
  outcome = noOutcome(),
): Promise<void> {
  const { source, head } = running
  const { count = 0 } = head === '' ? {} : storedJson<{ count?: number }>(head)
  const pages = count > source.place ? withoutValidators(readPages) : readPages
  const message = reason.slice(0, 2 * MAX_REPORTED_LENGTH)
  return storeRunEnd(running, outcome, {
    pages,
    state: 'failing',
    message,
    code,
    validators: unknownValidators(source),
    pauseMs: source.every === '' ? null : pauseMs(SOURCES_WAITING.retries, source.failures + 1),
  })
}
