import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { isConflict } from '../../db/conflicts.ts'
import { isPassing } from '../../db/database.ts'
import { many } from '../../db/query.ts'
import { sources } from '../../db/schema.ts'
import { asOneChange, build } from '../../db/statements.ts'
import { requestIdOf } from '../../lib/audit-source.ts'
import { SOURCE_WORK } from '../../lib/budgets.ts'
import { messageOf } from '../../lib/errors.ts'
import { importSource, type SourceRow } from '../../resources/sources/queries.ts'
import { forgetSource } from '../../resources/sources/writes.ts'
import { type AnyRecord, recordName } from '../records.ts'
import type { Planned } from '../sync/decisions.ts'
import { type PlannedPiece, planPiece } from '../sync/piece.ts'
import {
  type Complete,
  isHalfOrMore,
  isStillThere,
  type SourceKeys,
  trashVanished,
} from '../sync/vanished.ts'
import { type Loss, noOutcome, type PieceOutcome, type RunningPiece, stillReserved } from './outcome.ts'
import { withSourceSettings } from './own.ts'

/** Fewer coming events than this may vanish without a question if the source does not mirror deletions. */
const FEW = 4

/** Moves coming events that have vanished to the trash, for kinds that were read completely. @returns false if there are more */
export async function trashGone(
  { context, source }: RunningPiece,
  { completes, ...there }: SourceKeys & { completes: readonly Complete[] },
  done: PieceOutcome,
): Promise<boolean> {
  for (const complete of completes) {
    if (complete.kind !== 'event' && complete.kind !== 'series') continue
    const coming = { ...complete, from: [complete.from ?? '', context.now].sort().at(-1) ?? context.now }
    if (!(await trashSome(context, source, { complete: coming, there }, done))) return false
  }
  return true
}

async function trashSome(
  context: RequestContext,
  source: SourceRow,
  vanishing: { complete: Complete; there: SourceKeys },
  done: PieceOutcome,
): Promise<boolean> {
  const name = importSource(source.id)
  const from = { ...context, requestId: requestIdOf(name) }
  const options = { mirror: true, authorId: source.author_id, context }
  for await (const { statements, gone } of trashVanished(
    from,
    { ...vanishing, size: SOURCE_WORK.trashed },
    options,
  )) {
    if (!context.db.allowance.has({ statements: SOURCE_WORK.ofTrashed })) return false
    await context.db.change(asOneChange([stillReserved(source), ...statements]))
    done.trashed += gone.filter(({ kind }) => kind === 'event').length
  }
  return true
}

export const NOTHING: SourceKeys = { read: new Set(), unread: new Set() }

/** Moves some of a deleted source's content to the trash, and removes the source once nothing is left. */
export async function endPiece(context: RequestContext, source: SourceRow): Promise<void> {
  const done = noOutcome()
  for (const kind of ['series', 'event'] as const) {
    const complete = { type: 'complete' as const, source: importSource(source.id), kind }
    if (!(await trashSome(context, source, { complete, there: NOTHING }, done)))
      return context.db.change([
        stillReserved(source),
        build.update(sources).set({ lease: '' }).where(eq(sources.id, source.id)),
      ])
  }
  await context.db.change(asOneChange([stillReserved(source), ...forgetSource(source.id)]))
}

/** The loss of a source, if it is large enough to ask an editor. @param created the number of events that the run has added */
export async function lossOf(
  { context: { db, now }, source }: RunningPiece,
  there: SourceKeys,
  created = 0,
): Promise<Loss | undefined> {
  const { id, mirror, events, state } = source
  const hasAgreed = events === 0 && state === 'ok'
  if (hasAgreed) return undefined
  const coming = await db.get(
    many(
      sql`SELECT of.external_id
        FROM (SELECT imports.external_id, target_id FROM imports WHERE source = ${importSource(id)} AND kind = 'event') AS of
        CROSS JOIN events ON events.id = of.target_id WHERE utc_start_date >= ${now} AND status <> 'trash'`,
      row => String(row.external_id),
    ),
  )
  // New events of the run do not make up for missing ones.
  const loss = {
    live: Math.max(0, coming.length - created),
    gone: coming.filter(one => !isStillThere(there, { source: importSource(id), kind: 'event' }, one)).length,
  }
  return isHalfOrMore(loss) && (mirror || loss.live >= FEW) ? loss : undefined
}

/** The progress with the records of a piece. */
type Written = {
  /** The number of finished records, from the first on. */
  count: number
  /** The number of following records among which the database refuses one; 0 if none is known. */
  refusedWithin: number
}

/** Plans what to do with some records. */
async function planned(
  { context, source }: RunningPiece,
  piece: readonly AnyRecord[],
): Promise<PlannedPiece> {
  const { records, state } = await withSourceSettings(context, source, piece)
  const { mirror, author_id: authorId } = source
  return planPiece(context, importSource(source.id), records, { mirror, authorId, state })
}

/** Carries out a plan, unless another run has reserved the source since, or somebody has changed or deleted it. */
async function carryOut(
  { context: { db }, source }: RunningPiece,
  statements: readonly SQL[],
): Promise<void> {
  if (statements.length > 0) await db.change([stillReserved(source), ...statements])
}

function note(planned: readonly Planned[], done: PieceOutcome): void {
  for (const { action, record, reason = '', trashed = [], holder } of planned) {
    done.trashed += trashed.length
    if (holder) done.held.push(holder)
    if (action === 'skip') done.skipped.push({ what: recordName(record), why: reason })
    else if (record.kind !== 'event') continue
    else if (action === 'create') done.created++
    else if (action === 'update') done.updated++
    else done.unchanged++
  }
}

/** Notes a record that the database has refused. The next run tries it again. */
export function noteRefused(record: AnyRecord | undefined, error: unknown, done: PieceOutcome): void {
  const why = `the database refused it: ${messageOf(error)}`
  done.refused++
  done.skipped.push({ what: record ? recordName(record) : '', why })
}

/**
 * @returns the error with which the database refused the work, if it did
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

/** Writes records in one transaction. @returns the error with which the database refuses them, if it does */
export const writeTogether = (
  running: RunningPiece,
  records: readonly AnyRecord[],
  done: PieceOutcome,
): Promise<unknown> =>
  refusalOf(async () => {
    const piece = await planned(running, records)
    await carryOut(running, piece.statementsOf(piece.planned))
    note(piece.planned, done)
  })

/** Tells whether other records may refer to this one: all except events and series. */
const isReferredTo = ({ kind }: AnyRecord): boolean => kind !== 'event' && kind !== 'series'

/**
 * Writes the records of a piece. If the database refuses one, this finds it by halving and leaves it out, as far as the
 * statements of an invocation allow, and writes all others.
 */
export async function writeRecords(
  running: RunningPiece,
  records: readonly AnyRecord[],
  done: PieceOutcome,
): Promise<Written> {
  const tries = new Tries(running, records, done)
  let count = 0
  let within = Math.min(running.source.refused_within, records.length)
  let [isAfterRefused, isAfterConflict] = [within === 1, false]
  while (count < records.length) {
    let size = within > 0 ? Math.ceil(within / 2) : records.length - count
    // Records that others refer to take most statements, and are seldom refused: once they are written, halves take
    // few.
    if (within > 1 && (await tries.writeReferredTo(count, within)) === 'no room') break
    let tried = await tries.write(count, size)
    // If there is no room for everything, it is written in parts, beginning with records that others refer to.
    if (tried === 'no room' && size > 1 && (await tries.writeReferredTo(count, size)) === 'no room') break
    while (tried === 'no room' && size > 1) {
      size = Math.ceil(size / 2)
      tried = await tries.write(count, size)
    }
    if (tried === 'no room') break
    const { error } = tried
    const isRefused = error !== undefined
    if (isConflict(error) && !isAfterConflict) {
      // Somebody else has changed something in between, so everything is looked up once more.
      isAfterConflict = true
    } else if (isRefused && size > 1) within = size
    else {
      if (isRefused) noteRefused(records[count], error, done)
      count += size
      // After two refusals in a row, the next record is tried alone as well, because many may have the same fault.
      if (isRefused) within = Math.min(isAfterRefused ? 1 : 0, records.length - count)
      else within = Math.max(0, within - size)
      isAfterRefused = isRefused
    }
  }
  return { count, refusedWithin: within }
}

type Tried = { error: unknown } | 'no room'

/**
 * Attempts to write parts of some records. All are planned once, so that an attempt takes only the statements that
 * write its part.
 */
class Tries {
  readonly #running: RunningPiece
  readonly #records: readonly AnyRecord[]
  readonly #done: PieceOutcome
  #piece: PlannedPiece | undefined
  /** The position of the first planned record. */
  #from = 0
  readonly #written = new Set<Planned>()
  #isFirst = true
  /** False once planning all of them has failed. Then each part is planned separately. */
  #plansTogether = true
  #wroteReferredTo = false

  constructor(running: RunningPiece, records: readonly AnyRecord[], done: PieceOutcome) {
    this.#running = running
    this.#records = records
    this.#done = done
  }

  /** Writes some records. @returns the error with which the database refuses them, if it does */
  async write(at: number, size: number): Promise<Tried> {
    const failed = await this.#plan(at, size)
    if (failed) return failed
    return this.#carryOut(this.#plannedOf(at, size), size === 1)
  }

  /** Writes those among some records that others refer to, once, unless the database refuses one of these. */
  async writeReferredTo(at: number, size: number): Promise<Tried | undefined> {
    if (this.#wroteReferredTo) return undefined
    const failed = await this.#plan(at, size)
    if (failed) return failed
    const all = this.#plannedOf(at, size)
    const some = all.filter(({ record }) => isReferredTo(record))
    const tried = some.length === all.length ? undefined : await this.#carryOut(some, false)
    this.#wroteReferredTo = tried !== 'no room'
    return tried
  }

  #plannedOf = (at: number, size: number): Planned[] =>
    this.#piece?.planned.slice(at - this.#from, at - this.#from + size) ?? []

  /** @returns undefined if the records are planned */
  async #plan(at: number, size: number): Promise<Tried | undefined> {
    if (this.#piece) return undefined
    if (!this.#isFirst && !this.#hasRoomFor(SOURCE_WORK.toPlan)) return 'no room'
    const isPart = this.#plansTogether && at + size < this.#records.length
    const records = this.#records.slice(at, this.#plansTogether ? undefined : at + size)
    const error = await refusalOf(async () => {
      this.#piece = await planned(this.#running, records)
      this.#from = at
    })
    if (error === undefined) return undefined
    this.#plansTogether = false
    return isPart ? this.#plan(at, size) : { error }
  }

  async #carryOut(some: readonly Planned[], isAlone: boolean): Promise<Tried> {
    const piece = this.#piece
    const left = some.filter(one => !this.#written.has(one))
    const statements = piece?.statementsOf(left) ?? []
    // The first attempt is always made for a single record, and for several unless the free plan limits statements.
    const isTried = this.#isFirst && (isAlone || !this.#running.context.db.allowance.isStrict)
    if (!isTried && !this.#hasRoomFor(statements.length)) return 'no room'
    if (statements.length > 0) this.#isFirst = false
    const error = await refusalOf(() => carryOut(this.#running, statements))
    if (error === undefined) {
      note(left, this.#done)
      for (const one of left) this.#written.add(one)
    }
    // Records that refer to one that is left out, or has changed, must be planned again.
    if (isConflict(error) || (error !== undefined && isAlone) || !this.#plansTogether) this.#piece = undefined
    return { error }
  }

  #hasRoomFor(statements: number): boolean {
    const { allowance } = this.#running.context.db
    return statements === 0 || allowance.has({ statements: statements + SOURCE_WORK.toWriteDown })
  }
}
