import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many } from '../../db/query.ts'
import { sources } from '../../db/schema.ts'
import { asOneChange } from '../../db/statements.ts'
import { requestIdOf } from '../../lib/audit-source.ts'
import { importSource, type SourceRow } from '../../resources/sources/queries.ts'
import { forgetSource } from '../../resources/sources/writes.ts'
import { type Complete, isHalfOrMore, isStillThere, type There, trashVanished } from '../sync/vanished.ts'
import { type Going, isMine, type Loss, noOutcome, type PieceOutcome } from './outcome.ts'

/** Rows that go to the trash in one transaction, and the statements that this takes, with writing down what was done. */
const TRASHED = 50
const OF_TRASHED = 18

/** Fewer coming events than this may vanish without a question where nothing is trashed for it. */
const FEW = 4

/** Moves to the trash what has vanished of what is still to come, of kinds that were read to their end. @returns false if there is more of it */
export async function trashGone(
  { context, source }: Going,
  { completes, ...there }: There & { completes: readonly Complete[] },
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
  vanishing: { complete: Complete; there: There },
  done: PieceOutcome,
): Promise<boolean> {
  const name = importSource(source.id)
  const from = { ...context, requestId: requestIdOf(name) }
  const { now, settings } = context
  const options = { mirror: true, authorId: source.author_id, now, timezone: settings.timezone }
  for await (const { statements, gone } of trashVanished(from, { ...vanishing, size: TRASHED }, options)) {
    if (!context.db.allowance.has({ statements: OF_TRASHED })) return false
    await context.db.change(asOneChange([isMine(source), ...statements]))
    done.trashed += gone.filter(({ kind }) => kind === 'event').length
  }
  return true
}

export const NOTHING: There = { read: new Set(), unread: new Set() }

/** Moves a piece of what came of a deleted source to the trash, and forgets the source when nothing is left. */
export async function endPiece(context: RequestContext, source: SourceRow): Promise<void> {
  const done = noOutcome()
  for (const kind of ['series', 'event'] as const) {
    const complete = { type: 'complete' as const, source: importSource(source.id), kind }
    if (!(await trashSome(context, source, { complete, there: NOTHING }, done)))
      return context.db.change([
        isMine(source),
        sql`UPDATE ${sources} SET lease = '' WHERE id = ${source.id}`,
      ])
  }
  await context.db.change(asOneChange([isMine(source), ...forgetSource(source.id)]))
}

/** The loss of a source, if it is so much that an editor is to be asked. @param created how much was not there before */
export async function lossOf(
  { context: { db, now }, source }: Going,
  there: There,
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
