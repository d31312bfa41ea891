import {
  byRank,
  FILLED_FIELDS,
  type Filled,
  type FilledField,
  type Groups,
  type Member,
  type Pair,
  pairAmong,
} from './groups.ts'

/** What changes of an event that is shown: values by field, and what the pairs with its twins gave. */
export type Filling = { member: Member; values: Partial<Member['values']>; given: Map<Pair, Filled> }

const isEmpty = (value: unknown): boolean => value === null || value === ''

/**
 * What hidden events give to those that are shown in their place: what these lack and nobody here has changed. What one gave
 * is taken back with it, as long as it is still what it gave. Dates of series are left as their series has them.
 */
export function fillings(
  { members, pairs }: Groups,
  targets: ReadonlyMap<number, number | null>,
  newPairs: readonly Pair[],
): Filling[] {
  const all = [...pairs, ...newPairs.filter(one => !pairAmong(pairs, one.first_id, one.second_id))]
  return [...members.values()].flatMap(member => {
    if (member.isOccurrence) return []
    const donors = [...members.values()]
      .filter(({ id, mayGive }) => mayGive && targets.get(id) === member.id)
      .sort(byRank)
    const own = all.filter(pair => pair.first_id === member.id || pair.second_id === member.id)
    const values: Filling['values'] = {}
    const given = new Map<Pair, Filled>()
    for (const field of FILLED_FIELDS) fillOne({ member, donors, own, values, given }, field)
    return Object.keys(values).length + given.size === 0 ? [] : [{ member, values, given }]
  })
}

type One = Filling & { donors: readonly Member[]; own: readonly Pair[] }

function fillOne({ member, donors, own, values, given }: One, field: FilledField): void {
  const now = member.values[field]
  // Of two that are joined, either may have been shown at the time.
  const givers = own.filter(({ filled }) => filled[field] !== undefined && filled.to === member.id)
  const isGiven = givers.some(({ filled }) => filled[field] === now)
  const isOpen = isGiven || (isEmpty(now) && !member.edited.includes(field))
  const donor = isOpen ? donors.find(other => !isEmpty(other.values[field])) : undefined
  const next = isOpen ? (donor?.values[field] ?? (field === 'image' ? null : '')) : now
  const giver = donor && pairAmong(own, member.id, donor.id)
  if (next !== now) values[field] = next
  for (const pair of own) {
    const before = given.get(pair) ?? pair.filled
    if (before.to !== undefined && before.to !== member.id) continue
    const { [field]: had, ...others } = before
    const has = pair === giver ? (next ?? undefined) : undefined
    if (had !== has) given.set(pair, has === undefined ? others : { ...others, to: member.id, [field]: has })
  }
}
