import { inArray, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { importRequestId, rowEntryStatements } from '../../kit/db/audit.ts'
import { inputValue, rowUpdateStatements } from '../../kit/db/bulk.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { eachOf, inList, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, twins } from '../../kit/db/tables.ts'
import type { Pair, Regrouping } from './groups.ts'

/**
 * The request id in the audit for changes that nobody has requested: events are joined and separated after
 * sources were read.
 */
export const DUPLICATES_REQUEST = importRequestId('sources')

/** The columns of a pair that are stored. */
export type NewPair = Pick<Pair, 'first_id' | 'second_id' | 'state' | 'likeness' | 'user_id'>

export type DuplicateChanges = {
  regrouping: Regrouping
  /** Pairs whose state has changed, by a decision or a comparison. */
  pairs: readonly NewPair[]
  /** Ids of pairs to delete. */
  forgottenPairs: readonly number[]
}

/** An unordered pair of events. */
export const pairOfIds = (a: number, b: number) => ({ first_id: Math.min(a, b), second_id: Math.max(a, b) })

export const pairKey = ({ first_id, second_id }: Pick<Pair, 'first_id' | 'second_id'>) =>
  `${first_id} ${second_id}`

/**
 * The statements that store the changed groups: one transaction, refused if any of the events or pairs has
 * changed since it was read. Of hidden events only `duplicate_of` changes, so that events are what they were
 * before once their group is taken apart.
 */
export function duplicateStatements(context: BaseContext, changes: DuplicateChanges): Statement[] {
  const { regrouping, forgottenPairs } = changes
  const { members, pairs: knownPairs } = regrouping.groups
  const targets = regrouping.targets()
  const movedMembers = [...members.values()].flatMap(({ id, duplicate_of }) => {
    const to = targets.get(id) ?? null
    return to === duplicate_of ? [] : [{ id, from: duplicate_of, to }]
  })
  const byKey = new Map(changes.pairs.map(pair => [pairKey(pair), pair]))
  const hiddenPairs = movedMembers.flatMap(({ id, to }) =>
    to === null ? [] : [{ ...pairOfIds(id, to), likeness: 1 }],
  )
  for (const pair of hiddenPairs)
    if (!byKey.has(pairKey(pair)) && !knownPairs.some(stored => pairKey(stored) === pairKey(pair)))
      byKey.set(pairKey(pair), { ...pair, state: 'joined', user_id: null })
  const pairs = [...byKey.values()]
  if (movedMembers.length + pairs.length + forgottenPairs.length === 0) return []
  return [
    ...unchangedStatements(regrouping),
    // Events that become shown come first, then those that another event hides from now on, so that no event
    // ever leads to a hidden one.
    ...pointerStatements(movedMembers.filter(({ to }) => to === null)),
    ...pointerStatements(movedMembers.filter(({ from, to }) => to !== null && from !== null)),
    ...pointerStatements(movedMembers.filter(({ from, to }) => to !== null && from === null)),
    ...rowEntryStatements(
      context,
      'event',
      events,
      movedMembers.map(({ id, from, to }) => ({
        id,
        action: 'update' as const,
        fields: ['duplicate_of'],
        changed: { duplicate_of: [from ?? 0, to ?? 0] },
      })),
    ),
    ...pairStatements(context, pairs),
    ...(forgottenPairs.length > 0
      ? [build.delete(twins).where(inArray(twins.id, inList(forgottenPairs)))]
      : []),
  ]
}

function unchangedStatements({ groups: { members, pairs } }: Regrouping): Statement[] {
  const rows = [...members.values()].map(({ id, version, duplicate_of }) => [id, version, duplicate_of])
  const states = pairs.map(({ id, state }) => [id, state])
  return [
    conflictIf(sql`EXISTS (SELECT 1 FROM ${eachOf(rows)} AS input
        LEFT JOIN ${events} ON events.id = input.value ->> 0
        WHERE (events.version, events.duplicate_of) IS NOT (input.value ->> 1, input.value ->> 2))
      OR EXISTS (SELECT 1 FROM ${eachOf(states)} AS input
        LEFT JOIN ${twins} ON ${twins.id} = input.value ->> 0
        WHERE ${twins.state} IS NOT input.value ->> 1)`),
  ]
}

const pointerStatements = (rows: readonly { id: number; to: number | null }[]): Statement[] =>
  rowUpdateStatements(
    events,
    rows.map(({ id, to }) => ({ id, duplicate_of: to })),
  )

/** The most open questions about the events of one pair: nobody answers hundreds about one event. */
const MAX_OPEN_QUESTIONS = 6

function pairStatements({ clock }: BaseContext, pairs: readonly NewPair[]): Statement[] {
  if (pairs.length === 0) return []
  const eitherEventSql = sql`(first_id IN (${inputValue('first_id')}, ${inputValue('second_id')})
    OR second_id IN (${inputValue('first_id')}, ${inputValue('second_id')}))`
  return [
    sql`INSERT INTO ${twins} (first_id, second_id, state, likeness, user_id, at_utc)
      SELECT ${inputValue('first_id')}, ${inputValue('second_id')}, ${inputValue('state')},
      ${inputValue('likeness')}, ${inputValue('user_id')}, ${clock.now()}
      FROM ${eachOf(pairs)} AS input
      WHERE ${inputValue('state')} <> 'asked'
      OR (SELECT count(*) FROM ${twins} WHERE state = 'asked' AND ${eitherEventSql}) < ${MAX_OPEN_QUESTIONS}
      ON CONFLICT (first_id, second_id) DO UPDATE SET state = excluded.state, likeness = excluded.likeness,
        user_id = excluded.user_id, at_utc = excluded.at_utc, trashed_from = ''`,
  ]
}
