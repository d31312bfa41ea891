import { ImportBatch } from '../../../calendar/imports/batch.ts'
import type { PlannedRecord } from '../../../calendar/imports/decisions.ts'
import { planBatch } from '../../../calendar/imports/plan.ts'
import { type AnyRecord, recordName } from '../../../calendar/imports/records.ts'
import { PEOPLE_ASKED } from '../../../calendar/imports/report.ts'
import { importSource, type SourceRow } from '../../../calendar/imports/source.ts'
import {
  type CompleteItem,
  countVanished,
  isHalfOrMore,
  type SourceKeys,
  trashingsOfVanished,
} from '../../../calendar/imports/vanished.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { requestIdOf } from '../../../kit/db/audit.ts'
import { isConflict, isPassing, isViolation } from '../../../kit/db/failures.ts'
import type { Statement } from '../../../kit/db/query.ts'
import { asOneChange } from '../../../kit/db/statements.ts'
import { sources } from '../../../kit/db/tables.ts'
import { messageOf } from '../../../kit/lib/errors.ts'
import { asError, logError } from '../../../kit/work/error-log.ts'
import { stillReserved } from '../../../kit/work/leases.ts'
import { SOURCE_WORK } from '../budgets.ts'
import type { BatchOutcome, LostEvents, RunningBatch } from './outcome.ts'

/** Fewer coming events than this may vanish without a question if the source does not mirror deletions. */
const FEW = 4

/**
 * Moves coming events that have vanished to the trash, for kinds that were read completely.
 * @returns false if there are more
 */
export async function trashGone(
  { context, source }: RunningBatch,
  { completes, ...there }: SourceKeys & { completes: readonly CompleteItem[] },
  done: BatchOutcome,
): Promise<boolean> {
  for (const complete of completes) {
    if (complete.kind !== 'event' && complete.kind !== 'series') continue
    const coming = {
      ...complete,
      from: [complete.from ?? '', context.clock.now()].sort().at(-1) ?? context.clock.now(),
    }
    if (!(await trashSome(context, source, { complete: coming, there }, done))) return false
  }
  return true
}

/**
 * Moves content of a kind to the trash, except for what a source still has; terms are deleted.
 *
 * @param guardOf the statement before those for some rows, which may fail
 * @returns false if there is more
 */
export async function trashSome(
  context: BaseContext,
  source: SourceRow,
  {
    guardOf,
    ...vanishing
  }: { complete: CompleteItem; there: SourceKeys; guardOf?: (ids: readonly number[]) => Statement },
  done: BatchOutcome,
): Promise<boolean> {
  const name = importSource(source.id)
  const from = { ...context, requestId: requestIdOf(name) }
  const vanished = trashingsOfVanished(from, { ...vanishing, size: SOURCE_WORK.trashed })
  for await (const { statements, gone, asked = [] } of vanished) {
    if (!context.db.allowance.has({ statements: SOURCE_WORK.ofTrashed })) return false
    const guards = guardOf ? [guardOf(gone.map(({ id }) => id))] : []
    await context.db.write(asOneChange([stillReserved(sources, source), ...guards, ...statements]))
    for (const { id, title } of asked) noteAsked(done, id, title)
    done.trashed += gone.filter(({ kind }) => kind === 'event').length
  }
  return true
}

export const NOTHING: SourceKeys = { read: new Set(), unread: new Set() }

/**
 * Moves the events of a source to the trash, except for those that it still has.
 * @returns false if there are more
 */
export async function trashAll(
  context: BaseContext,
  source: SourceRow,
  there: SourceKeys,
  done: BatchOutcome,
): Promise<boolean> {
  for (const kind of ['series', 'event'] as const) {
    const complete = { type: 'complete' as const, source: importSource(source.id), kind }
    if (!(await trashSome(context, source, { complete, there }, done))) return false
  }
  return true
}

/**
 * The loss of a source, if it is large enough to ask an editor.
 * @param created the number of events that the run has added
 */
export async function lossOf(
  { context, source }: RunningBatch,
  there: SourceKeys,
  created = 0,
): Promise<LostEvents | undefined> {
  const { id, mirror, events, state, file } = source
  // A file may lack events of an earlier file of the same name.
  const hasAgreed = file !== '' || (events === 0 && state === 'ok')
  if (hasAgreed) return undefined
  const complete = { type: 'complete' as const, source: importSource(id), kind: 'event' as const }
  const { live, gone } = await countVanished(context, {
    complete: { ...complete, from: context.clock.now() },
    there,
  })
  // New events of the run do not make up for missing ones.
  const loss = { live: Math.max(0, live - created), gone }
  return isHalfOrMore(loss) && (mirror || loss.live >= FEW) ? loss : undefined
}

type BatchProgress = {
  /** The number of finished records, from the first on. */
  count: number
  /** The number of following records among which the database refuses one; 0 if none is known. */
  refusedWithin: number
}

/**
 * Writes records in one transaction, unless another run has reserved the source since, or somebody has
 * changed or deleted it.
 *
 * @param fits tells whether a transaction may take so many statements: if not, it writes only the first
 *   records
 * @returns the number of records written, 0 if not even one fits
 */
async function writeFirst(
  { context, source }: RunningBatch,
  records: readonly AnyRecord[],
  done: BatchOutcome,
  fits: (statements: number) => boolean = () => true,
): Promise<number> {
  const { mirror, author_id: authorId } = source
  const batch = new ImportBatch(context, { source: importSource(source.id), mirror, authorId })
  const { planned, statementsOf } = await planBatch(context, { records, settings: source }, batch)
  let some = planned
  let statements = statementsOf(some)
  while (statements.length > 0 && !fits(statements.length)) {
    if (some.length === 1) return 0
    some = some.slice(0, Math.ceil(some.length / 2))
    statements = statementsOf(some)
  }
  if (statements.length > 0) await context.db.write([stillReserved(sources, source), ...statements])
  note(some, done)
  return some.length
}

function note(planned: readonly PlannedRecord[], done: BatchOutcome): void {
  for (const { action, isRestored, record, reason = '', code, trashed = [], asked = [] } of planned) {
    done.trashed += trashed.length
    for (const { id, isNew } of asked) if (isNew) noteAsked(done, id, recordName(record))
    if (action === 'skip') done.skipped.push({ what: recordName(record), why: reason, code })
    else if (record.kind !== 'event') continue
    else if (action === 'create' || isRestored) done.created++
    else if (action === 'update') done.updated++
    else done.unchanged++
  }
}

/** Notes an event about which its organizer is asked. */
function noteAsked(done: BatchOutcome, event: number, what: string): void {
  done.asked++
  done.skipped.push({ what, why: PEOPLE_ASKED, code: 'record_people', values: { event } })
}

/**
 * Notes a record that the database has refused, or that a fault of this code keeps from being written. The
 * next run tries it again.
 */
function noteRefused(record: AnyRecord | undefined, error: unknown, done: BatchOutcome): void {
  logError('a record of a source', asError(error))
  const whose = isViolation(error) ? 'the database refused it' : 'something went wrong here'
  const why = `${whose}: ${messageOf(error)}`
  done.refused++
  done.skipped.push({ what: record ? recordName(record) : '', why, code: 'source_failed_here' })
}

/**
 * @returns the error with which the work failed, if it did
 *
 * @throws errors that are due to the state of the database
 */
async function refusalOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (isPassing(error)) throw error
    return error
  }
}

/**
 * Writes the records of a batch. If the database refuses one, this finds it by halving and leaves it out, as
 * far as the statements of an invocation allow, and writes all others.
 *
 * @param beside the statements that are stored along with the outcome
 */
export async function writeRecords(
  running: RunningBatch,
  records: readonly AnyRecord[],
  done: BatchOutcome,
  beside = 0,
): Promise<BatchProgress> {
  const { allowance } = running.context.db
  const toWriteDown = SOURCE_WORK.toWriteDown + beside
  let count = 0
  let within = Math.min(running.source.refused_within, records.length)
  let [isFirst, isAfterRefused, isAfterConflict] = [true, within === 1, false]
  for (; count < records.length; isFirst = false) {
    if (!isFirst && !allowance.has({ statements: SOURCE_WORK.toPlan + toWriteDown })) break
    const size = within > 0 ? Math.ceil(within / 2) : records.length - count
    // The first attempt is always made for a single record, and for several unless the free plan limits
    // statements.
    const isTried = isFirst && (size === 1 || !allowance.isStrict)
    const fits = (statements: number) => isTried || allowance.has({ statements: statements + toWriteDown })
    let written = 0
    const error = await refusalOf(async () => {
      written = await writeFirst(running, records.slice(count, count + size), done, fits)
    })
    const isRefused = error !== undefined
    if (isConflict(error) && !isAfterConflict) {
      // Somebody else has changed something in between, so everything is looked up once more.
      isAfterConflict = true
    } else if (isRefused && size > 1) within = size
    else {
      if (isRefused) noteRefused(records[count], error, done)
      else if (written === 0) break
      count += isRefused ? 1 : written
      // After two refusals in a row, the next record is tried alone as well, because many may have the same
      // fault.
      within = isRefused
        ? Math.min(isAfterRefused ? 1 : 0, records.length - count)
        : Math.max(0, within - written)
      isAfterRefused = isRefused
    }
  }
  return { count, refusedWithin: within }
}
