import { ImportBatch } from '../../../calendar/imports/batch.ts'
import type { PlannedRecord } from '../../../calendar/imports/decisions.ts'
import { planBatch } from '../../../calendar/imports/plan.ts'
import { type AnyRecord, recordName } from '../../../calendar/imports/records.ts'
import { PEOPLE_ASKED } from '../../../calendar/imports/report.ts'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import {
  type CompleteItem,
  countVanished,
  isHalfOrMore,
  MIN_QUESTIONABLE,
  type SourceKeys,
  trashingsOfVanished,
} from '../../../calendar/imports/vanished.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { importRequestId } from '../../../kit/db/audit.ts'
import { isConflict, isConstraintViolation, isTemporary } from '../../../kit/db/failures.ts'
import type { Statement } from '../../../kit/db/query.ts'
import { asOneChange } from '../../../kit/db/statements.ts'
import { importSource, sources } from '../../../kit/db/tables.ts'
import { messageOf } from '../../../kit/lib/errors.ts'
import { asError, logError } from '../../../kit/work/error-log.ts'
import { conflictUnlessReserved } from '../../../kit/work/leases.ts'
import { SOURCE_WORK } from '../budgets.ts'
import type { BatchOutcome, LostEvents, RunningBatch } from './outcome.ts'

/**
 * Moves coming events that have vanished to the trash, for kinds that were read completely.
 * @returns false if there are more
 */
export async function trashGone(
  { context, source }: RunningBatch,
  { completes, ...presentKeys }: SourceKeys & { completes: readonly CompleteItem[] },
  outcome: BatchOutcome,
): Promise<boolean> {
  for (const complete of completes) {
    if (complete.kind !== 'event' && complete.kind !== 'series') continue
    const comingPart = {
      ...complete,
      from: [complete.from ?? '', context.clock.now()].sort().at(-1) ?? context.clock.now(),
    }
    if (!(await trashSome(context, source, { complete: comingPart, presentKeys }, outcome))) return false
  }
  return true
}

/**
 * Moves content of a kind to the trash, except for what a source still has; terms are deleted.
 *
 * @param guardStatement makes a statement that fails if some rows must not be moved, and precedes their move
 * @returns false if there is more
 */
export async function trashSome(
  context: BaseContext,
  source: SourceRow,
  {
    guardStatement,
    ...vanishing
  }: {
    complete: CompleteItem
    presentKeys: SourceKeys
    guardStatement?: (ids: readonly number[]) => Statement
  },
  outcome: BatchOutcome,
): Promise<boolean> {
  const name = importSource(source.id)
  const contextOfSource = { ...context, requestId: importRequestId(name) }
  const vanished = trashingsOfVanished(contextOfSource, { ...vanishing, size: SOURCE_WORK.trashed })
  for await (const { statements, gone, keptEvents = [] } of vanished) {
    if (!context.db.allowance.has({ statements: SOURCE_WORK.ofTrashed })) return false
    const guards = guardStatement ? [guardStatement(gone.map(({ id }) => id))] : []
    await context.db.write(asOneChange([conflictUnlessReserved(sources, source), ...guards, ...statements]))
    for (const { id, title } of keptEvents) noteAsked(outcome, id, title)
    outcome.trashed += gone.filter(({ kind }) => kind === 'event').length
  }
  return true
}

export const NO_KEYS: SourceKeys = { read: new Set(), unread: new Set() }

/**
 * Moves the events of a source to the trash, except for those that it still has.
 * @returns false if there are more
 */
export async function trashAll(
  context: BaseContext,
  source: SourceRow,
  presentKeys: SourceKeys,
  outcome: BatchOutcome,
): Promise<boolean> {
  for (const kind of ['series', 'event'] as const) {
    const complete = { type: 'complete' as const, source: importSource(source.id), kind }
    if (!(await trashSome(context, source, { complete, presentKeys }, outcome))) return false
  }
  return true
}

/**
 * The loss of a source, if it is large enough to ask an editor. Events that vanish from a source that is not
 * a mirror stay here, so such a source is only suspected of having become another calendar if it has far
 * fewer events than at the last reading. Otherwise it is read as usual, even if all of its events have moved
 * or are new.
 *
 * @param counts.present the number of the source's events
 * @param counts.created the number of events that the run has added
 */
export async function findLoss(
  { context, source }: RunningBatch,
  presentKeys: SourceKeys,
  { present, created = 0 }: { present: number; created?: number },
): Promise<LostEvents | undefined> {
  const { id, mirror, events, state, file } = source
  // A file may lack events of an earlier file of the same name.
  const hasAgreed = file !== '' || (events === 0 && state === 'ok')
  if (hasAgreed || !(mirror || present * 2 <= events)) return undefined
  const complete = { type: 'complete' as const, source: importSource(id), kind: 'event' as const }
  const { live, gone, titles } = await countVanished(context, {
    complete: { ...complete, from: context.clock.now() },
    presentKeys,
  })
  // New events of the run do not make up for missing ones.
  const loss = { live: Math.max(0, live - created), gone, titles }
  return isHalfOrMore(loss) && (mirror || loss.live >= MIN_QUESTIONABLE) ? loss : undefined
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
 * @param fits returns true if a transaction may take so many statements: otherwise, only the first records
 *   are written
 * @returns the number of records written, 0 if not even one fits
 */
async function writeFirst(
  { context, source }: RunningBatch,
  records: readonly AnyRecord[],
  outcome: BatchOutcome,
  fits: (statements: number) => boolean,
): Promise<number> {
  const { mirror, author_id: authorId } = source
  const batch = new ImportBatch(context, { source: importSource(source.id), mirror, authorId })
  const { planned, partStatements } = await planBatch(context, { records, settings: source }, batch)
  let recordsToWrite = planned
  let statements = partStatements(recordsToWrite)
  while (statements.length > 0 && !fits(statements.length)) {
    if (recordsToWrite.length === 1) return 0
    recordsToWrite = recordsToWrite.slice(0, Math.ceil(recordsToWrite.length / 2))
    statements = partStatements(recordsToWrite)
  }
  if (statements.length > 0) await context.db.write([conflictUnlessReserved(sources, source), ...statements])
  countPlanned(recordsToWrite, outcome)
  return recordsToWrite.length
}

/**
 * Counts what becomes of events. A date that its series drops, but that its own record then updates, counts
 * as updated only.
 */
function countPlanned(plannedRecords: readonly PlannedRecord[], outcome: BatchOutcome): void {
  const trashedIds = new Set(
    plannedRecords.flatMap(({ trashed = [] }) => trashed.map(({ content: { id } }) => id)),
  )
  for (const planned of plannedRecords) {
    const { record, questions = [] } = planned
    for (const { id, isNew } of questions) if (isNew) noteAsked(outcome, id, recordName(record))
    if (planned.action === 'skip')
      outcome.skipped.push({
        what: recordName(record),
        why: planned.reason,
        code: planned.code,
        ...(planned.values && { values: planned.values }),
      })
    else if (record.kind !== 'event') continue
    else if (planned.action === 'update' && trashedIds.delete(planned.id)) outcome.updated++
    else if (planned.action === 'create' || (planned.action === 'update' && planned.isRestored))
      outcome.created++
    else if (planned.action === 'update') outcome.updated++
    else outcome.unchanged++
  }
  outcome.trashed += trashedIds.size
}

/** Notes an event about which its organizer is asked. */
function noteAsked(outcome: BatchOutcome, event: number, what: string): void {
  outcome.asked++
  outcome.skipped.push({ what, why: PEOPLE_ASKED, code: 'record_people', values: { event } })
}

/**
 * Notes a record that the database has refused, or that a bug here keeps from being written. The next run
 * tries it again.
 */
function noteRefused(record: AnyRecord | undefined, error: unknown, outcome: BatchOutcome): void {
  logError('a record of a source', asError(error))
  const cause = isConstraintViolation(error) ? 'the database refused it' : 'something went wrong here'
  const why = `${cause}: ${messageOf(error)}`
  outcome.refused++
  outcome.skipped.push({ what: record ? recordName(record) : '', why, code: 'source_failed_here' })
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
    if (isTemporary(error)) throw error
    return error
  }
}

/**
 * Writes the records of a batch. If the database refuses one, this finds it by halving and leaves it out, as
 * far as the statements of an invocation allow, and writes all others.
 *
 * @param extraCount the number of statements that the caller adds when it stores the outcome
 */
export async function writeRecords(
  running: RunningBatch,
  records: readonly AnyRecord[],
  outcome: BatchOutcome,
  extraCount: number,
): Promise<BatchProgress> {
  const { allowance } = running.context.db
  const toStoreOutcome = SOURCE_WORK.toStoreOutcome + extraCount
  let count = 0
  let refusedWithin = Math.min(running.source.refused_within, records.length)
  let isFirst = true
  let isAfterRefused = refusedWithin === 1
  let isAfterConflict = false
  for (; count < records.length; isFirst = false) {
    if (!isFirst && !allowance.has({ statements: SOURCE_WORK.toPlan + toStoreOutcome })) break
    const size = refusedWithin > 0 ? Math.ceil(refusedWithin / 2) : records.length - count
    // The first attempt is always made for a single record, and for several unless the free plan limits
    // statements.
    const mustTry = isFirst && (size === 1 || !allowance.isStrict)
    const fits = (statements: number) => mustTry || allowance.has({ statements: statements + toStoreOutcome })
    let writtenCount = 0
    const error = await refusalOf(async () => {
      writtenCount = await writeFirst(running, records.slice(count, count + size), outcome, fits)
    })
    const isRefused = error !== undefined
    if (isConflict(error) && !isAfterConflict) {
      // Somebody else has changed something in between, so everything is looked up once more.
      isAfterConflict = true
    } else if (isRefused && size > 1) refusedWithin = size
    else {
      if (isRefused) noteRefused(records[count], error, outcome)
      else if (writtenCount === 0) break
      count += isRefused ? 1 : writtenCount
      // After two refusals in a row, the next record is tried alone as well, because many may have the same
      // fault.
      refusedWithin = isRefused
        ? Math.min(isAfterRefused ? 1 : 0, records.length - count)
        : Math.max(0, refusedWithin - writtenCount)
      isAfterRefused = isRefused
    }
  }
  return { count, refusedWithin }
}
