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
import { isMine, type Loss, noOutcome, type PieceOutcome, type RunningPiece } from './outcome.ts'
import { withOwn } from './own.ts'

/** Fewer coming events than this may vanish without a question where nothing is trashed for it. */
const FEW = 4

/** Moves to the trash what has vanished of what is still to come, of kinds that were read to their end. @returns false if there is more of it */
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
    await context.db.change(asOneChange([isMine(source), ...statements]))
    done.trashed += gone.filter(({ kind }) => kind === 'event').length
  }
  return true
}

export const NOTHING: SourceKeys = { read: new Set(), unread: new Set() }

/** Moves a piece of what came of a deleted source to the trash, and forgets the source when nothing is left. */
export async function endPiece(context: RequestContext, source: SourceRow): Promise<void> {
  const done = noOutcome()
  for (const kind of ['series', 'event'] as const) {
    const complete = { type: 'complete' as const, source: importSource(source.id), kind }
    if (!(await trashSome(context, source, { complete, there: NOTHING }, done)))
      return context.db.change([
        isMine(source),
        build.update(sources).set({ lease: '' }).where(eq(sources.id, source.id)),
      ])
  }
  await context.db.change(asOneChange([isMine(source), ...forgetSource(source.id)]))
}

/** The loss of a source, if it is so much that an editor is to be asked. @param created how much was not there before */
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
  // What a run has brought makes up for nothing.
  const loss = {
    live: Math.max(0, coming.length - created),
    gone: coming.filter(one => !isStillThere(there, { source: importSource(id), kind: 'event' }, one)).length,
  }
  return isHalfOrMore(loss) && (mirror || loss.live >= FEW) ? loss : undefined
}

/** How far the records of a piece have come. */
type Written = {
  /** How many of them are done, from the first on. */
  count: number
  /** The number of records after these among which the database refuses one; 0 if it refuses none, as far as is known. */
  refusedWithin: number
}

/** Works out what is to be done about some records. */
async function planned(
  { context, source }: RunningPiece,
  piece: readonly AnyRecord[],
): Promise<PlannedPiece> {
  const { records, state } = await withOwn(context, source, piece)
  const { mirror, author_id: authorId } = source
  return planPiece(context, importSource(source.id), records, { mirror, authorId, state })
}

/** Carries out what was planned, unless the source belongs to another run by now, or somebody has changed or deleted it. */
async function carryOut(
  { context: { db }, source }: RunningPiece,
  statements: readonly SQL[],
): Promise<void> {
  if (statements.length > 0) await db.change([isMine(source), ...statements])
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

/** Notes a record that the database has refused. It is tried again with the next run. */
export function noteRefused(record: AnyRecord | undefined, error: unknown, done: PieceOutcome): void {
  const why = `the database refused it: ${messageOf(error)}`
  done.refused++
  done.skipped.push({ what: record ? recordName(record) : '', why })
}

/** @returns the error by which work was refused; undefined if it was not @throws what is wrong with the database */
async function refusalOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (isPassing(error)) throw error
    return error
  }
}

/** Writes records in one transaction. @returns the error by which the database refuses it; undefined if it does not */
export const writeTogether = (
  going: RunningPiece,
  records: readonly AnyRecord[],
  done: PieceOutcome,
): Promise<unknown> =>
  refusalOf(async () => {
    const piece = await planned(going, records)
    await carryOut(going, piece.statementsOf(piece.planned))
    note(piece.planned, done)
  })

/** Tells what events and series refer to from these. */
const isReferredTo = ({ kind }: AnyRecord): boolean => kind !== 'event' && kind !== 'series'

/**
 * Writes the records of a piece. If the database refuses one, that is found by halving and left out, as far as the statements of
 * an invocation allow; all others are written.
 */
export async function writeRecords(
  going: RunningPiece,
  records: readonly AnyRecord[],
  done: PieceOutcome,
): Promise<Written> {
  const tries = new Tries(going, records, done)
  let count = 0
  let within = Math.min(going.source.refused_within, records.length)
  let [isAfterRefused, isAfterConflict] = [within === 1, false]
  while (count < records.length) {
    let size = within > 0 ? Math.ceil(within / 2) : records.length - count
    // Most of what takes statements is seldom refused: without it, halves take few.
    if (within > 1 && (await tries.writeReferredTo(count, within)) === 'no room') break
    let tried = await tries.write(count, size)
    // What there is no room for as a whole is written in parts, what others refer to first.
    if (tried === 'no room' && size > 1 && (await tries.writeReferredTo(count, size)) === 'no room') break
    while (tried === 'no room' && size > 1) {
      size = Math.ceil(size / 2)
      tried = await tries.write(count, size)
    }
    if (tried === 'no room') break
    const { error } = tried
    const isRefused = error !== undefined
    if (isConflict(error) && !isAfterConflict) {
      // Somebody else has changed something in between: it is looked up once more.
      isAfterConflict = true
    } else if (isRefused && size > 1) within = size
    else {
      if (isRefused) noteRefused(records[count], error, done)
      count += size
      // After two in a row, the next one is tried by itself as well: whatever it is may be wrong with many.
      if (isRefused) within = Math.min(isAfterRefused ? 1 : 0, records.length - count)
      else within = Math.max(0, within - size)
      isAfterRefused = isRefused
    }
  }
  return { count, refusedWithin: within }
}

type Tried = { error: unknown } | 'no room'

/** Writes of parts of some records, which are planned once: each takes only the statements that write it. */
class Tries {
  readonly #going: RunningPiece
  readonly #records: readonly AnyRecord[]
  readonly #done: PieceOutcome
  #piece: PlannedPiece | undefined
  /** The first of the records that are planned. */
  #from = 0
  readonly #written = new Set<Planned>()
  #isFirst = true
  /** False once planning them has failed: then each part is planned by itself. */
  #plansTogether = true
  #wroteReferredTo = false

  constructor(going: RunningPiece, records: readonly AnyRecord[], done: PieceOutcome) {
    this.#going = going
    this.#records = records
    this.#done = done
  }

  /** Writes some records. @returns the error by which that was refused, if it was */
  async write(at: number, size: number): Promise<Tried> {
    const failed = await this.#plan(at, size)
    if (failed) return failed
    return this.#carryOut(this.#plannedOf(at, size), size === 1)
  }

  /** Writes what others among some records refer to, once, if the database does not refuse one of these. */
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

  /** @returns undefined if some records are planned */
  async #plan(at: number, size: number): Promise<Tried | undefined> {
    if (this.#piece) return undefined
    if (!this.#isFirst && !this.#hasRoomFor(SOURCE_WORK.toPlan)) return 'no room'
    const isPart = this.#plansTogether && at + size < this.#records.length
    const records = this.#records.slice(at, this.#plansTogether ? undefined : at + size)
    const error = await refusalOf(async () => {
      this.#piece = await planned(this.#going, records)
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
    // The first is always tried, as a whole where more statements than those of the free plan may do.
    const isTried = this.#isFirst && (isAlone || !this.#going.context.db.allowance.isStrict)
    if (!isTried && !this.#hasRoomFor(statements.length)) return 'no room'
    if (statements.length > 0) this.#isFirst = false
    const error = await refusalOf(() => carryOut(this.#going, statements))
    if (error === undefined) {
      note(left, this.#done)
      for (const one of left) this.#written.add(one)
    }
    // What refers to one that is left out, or has changed, is to be planned anew.
    if (isConflict(error) || (error !== undefined && isAlone) || !this.#plansTogether) this.#piece = undefined
    return { error }
  }

  #hasRoomFor(statements: number): boolean {
    const { allowance } = this.#going.context.db
    return statements === 0 || allowance.has({ statements: statements + SOURCE_WORK.toWriteDown })
  }
}
