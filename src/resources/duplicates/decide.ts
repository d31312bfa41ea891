import type { RequestContext } from '../../context.ts'
import { byRank, type Pair, pairAmong, Regrouping, selectGroups } from './groups.ts'
import { type NewPair, pairOfIds, twinStatements } from './writes.ts'

/**
 * Takes an event apart from all that are the same: by itself if it is hidden, or else from each that it hides. All are as they
 * were before, and remembered as not the same. Nothing changes if it has no twins.
 */
export async function separate(context: RequestContext, id: number): Promise<void> {
  const regrouping = new Regrouping(await context.db.get(selectGroups([id])))
  const group = regrouping.of(id)
  const own = regrouping.groups.members.get(id)
  if (!own || group.length < 2) return
  const pairs = group
    .filter(one => one !== own)
    .map(other => saidOf(context, regrouping, [id, other.id], 'different'))
  for (const other of own.duplicate_of === null ? group.filter(one => one !== own) : [own])
    regrouping.leave(other.id)
  await context.db.change(twinStatements(context, { regrouping, pairs, forgotten: [] }))
}

/**
 * Writes down what an editor says of two events. If they are the same and one is public, that one shows, own events first; if
 * none is, it will as soon as one is. A draft hides nothing.
 */
export async function decideTwins(context: RequestContext, pair: Pair, isSame: boolean): Promise<void> {
  const { first_id: a, second_id: b } = pair
  const regrouping = new Regrouping(await context.db.get(selectGroups([a, b])))
  const pairs = [saidOf(context, regrouping, [a, b], isSame ? 'joined' : 'different')]
  const areTogether = regrouping.areTogether(a, b)
  if (isSame && !areTogether && !regrouping.isInTrash(a) && !regrouping.isInTrash(b)) regrouping.join(a, b)
  if (!isSame && areTogether) {
    const [, leaving] = [a, b]
      .flatMap(id => regrouping.groups.members.get(id) ?? [])
      .sort(
        (one, other) =>
          Number(one.duplicate_of !== null) - Number(other.duplicate_of !== null) || byRank(one, other),
      )
    if (leaving) regrouping.leave(leaving.id)
  }
  await context.db.change(twinStatements(context, { regrouping, pairs, forgotten: [] }))
}

function saidOf(
  { caller }: RequestContext,
  { groups: { pairs } }: Regrouping,
  [a, b]: readonly [number, number],
  state: Pair['state'],
): NewPair {
  const known = pairAmong(pairs, a, b)
  return { ...pairOfIds(a, b), state, likeness: known?.likeness ?? 1, user_id: caller.id }
}
