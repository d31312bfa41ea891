import type { RequestContext } from '../../context.ts'
import { asOneChange } from '../../db/one-change.ts'
import { requestIdOf } from '../../lib/audit-source.ts'
import type { AnyRecord } from '../records.ts'
import type { Planned } from './decisions.ts'
import { draftOf } from './draft.ts'
import { load } from './load.ts'
import { withUsedPlaces } from './places.ts'
import { plan } from './plan.ts'
import { State } from './state.ts'
import { statementsFor } from './writes.ts'

type PieceOptions = {
  /** Makes everything as it is at the source, and undoes edits made here. */
  mirror: boolean
  /** The author of new content whose source names none. */
  authorId: number
  /** Writes nothing. `state` then knows what would have been written before. */
  dryRun?: boolean
  state?: State
}

/**
 * Brings the calendar in line with some records of one source, in one transaction: what was imported before is updated, unless
 * it was edited here. It reads and writes nothing else, and works wherever the service does: a hundred new events with venues,
 * organizers, terms and images take some 40 statements.
 *
 * @param records each after those that it refers to; what is not here yet is left out, and told as `incomplete`
 * @returns what has become of each record, in order
 * @throws Error if the database refuses the transaction: then nothing was written
 */
export async function syncPiece(
  context: RequestContext,
  source: string,
  records: readonly AnyRecord[],
  options: PieceOptions,
): Promise<Planned[]> {
  const { mirror, authorId, dryRun = false, state = new State() } = options
  const { now, settings } = context
  const drafts = (await withUsedPlaces(context, source, records)).map(draftOf)
  await load(context, { source, drafts, mirror }, state)
  const planned: Planned[] = []
  // One after the other: each sees what those before it do.
  for (const draft of drafts)
    planned.push(await plan(draft, state, { mirror, authorId, now, timezone: settings.timezone }))
  const statements = statementsFor({ ...context, requestId: requestIdOf(source) }, planned, state)
  if (!dryRun && statements.length > 0) await context.db.change(asOneChange(statements))
  return planned
}
