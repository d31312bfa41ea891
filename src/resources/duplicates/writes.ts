import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { recordRows } from '../../db/audit.ts'
import { given, updateRows } from '../../db/bulk.ts'
import { conflictIf } from '../../db/conflicts.ts'
import { inList } from '../../db/query.ts'
import { events, imports, twins } from '../../db/schema.ts'
import { requestIdOf } from '../../lib/audit-source.ts'
import { toWall } from '../../lib/time.ts'
import {
  byRank,
  FILLED,
  FILLED_FIELDS,
  type Filled,
  type FilledField,
  type Groups,
  type Member,
  type Pair,
  pairAmong,
  type Regrouping,
} from './groups.ts'

/** The id under which the audit has what nobody has done: joining, taking apart and filling follow from what sources bring. */
export const TWINS_REQUEST = requestIdOf('sources')

/** What is to be remembered of a pair. */
export type NewPair = Pick<Pair, 'first_id' | 'second_id' | 'state' | 'likeness' | 'user_id'>

export type TwinChanges = {
  regrouping: Regrouping
  /** Pairs that are said or found to be something else than before. */
  pairs: readonly NewPair[]
  /** Ids of pairs that are none any more. */
  forgotten: readonly number[]
}

/** An unordered pair of events. */
export const pairOfIds = (a: number, b: number) => ({ first_id: Math.min(a, b), second_id: Math.max(a, b) })

const keyOf = ({ first_id, second_id }: Pick<Pair, 'first_id' | 'second_id'>) => `${first_id} ${second_id}`

/**
 * The statements that write down groups as they are to be: one transaction, refused if any of the events or pairs has changed
 * since it was read. Hidden events stay as they are, but for what shows them: taken apart, they are what they were.
 */
export function twinStatements(context: RequestContext, changes: TwinChanges): SQL[] {
  const { regrouping, forgotten } = changes
  const { members, pairs: known } = regrouping.groups
  const targets = regrouping.targets()
  const moved = [...members.values()].flatMap(({ id, duplicate_of }) => {
    const to = targets.get(id) ?? null
    return to === duplicate_of ? [] : [{ id, from: duplicate_of, to }]
  })
  const said = new Map(changes.pairs.map(pair => [keyOf(pair), pair]))
  // What leads to another one has a pair with that, which keeps what it gave.
  const led = moved.flatMap(({ id, to }) => (to === null ? [] : [{ ...pairOfIds(id, to), likeness: 1 }]))
  for (const pair of led)
    if (!said.has(keyOf(pair)) && !known.some(one => keyOf(one) === keyOf(pair)))
      said.set(keyOf(pair), { ...pair, state: 'joined', user_id: null })
  const pairs = [...said.values()]
  const filled = fillings(
    regrouping.groups,
    targets,
    pairs.map(pair => ({ id: 0, filled: {}, ...pair })),
  )
  if (moved.length + pairs.length + forgotten.length + filled.length === 0) return []
  return [
    ...unlessChanged(regrouping),
    // What is to be shown comes first, then what others were hidden by: each write leaves nothing that leads to what is hidden.
    ...pointing(moved.filter(({ to }) => to === null)),
    ...pointing(moved.filter(({ from, to }) => to !== null && from !== null)),
    ...pointing(moved.filter(({ from, to }) => to !== null && from === null)),
    ...recordRows(
      context,
      'event',
      events,
      moved.map(({ id, from, to }) => ({
        ...{ id, action: 'update' as const, fields: ['duplicate_of'] },
        changed: { duplicate_of: [from ?? 0, to ?? 0] },
      })),
    ),
    ...remembering(context, pairs),
    ...(forgotten.length > 0 ? [sql`DELETE FROM ${twins} WHERE id IN ${inList(forgotten)}`] : []),
    ...filling(context, filled),
  ]
}

function unlessChanged({ groups: { members, pairs } }: Regrouping): SQL[] {
  const rows = [...members.values()].map(({ id, version, duplicate_of }) => [id, version, duplicate_of])
  const states = pairs.map(({ id, state }) => [id, state])
  return [
    conflictIf(sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(rows)}) AS given
        LEFT JOIN ${events} ON events.id = given.value ->> 0
        WHERE (events.version, events.duplicate_of) IS NOT (given.value ->> 1, given.value ->> 2))
      OR EXISTS (SELECT 1 FROM json_each(${JSON.stringify(states)}) AS given
        LEFT JOIN ${twins} ON twins.id = given.value ->> 0 WHERE twins.state IS NOT given.value ->> 1)`),
  ]
}

const pointing = (rows: readonly { id: number; to: number | null }[]): SQL[] =>
  rows.length === 0
    ? []
    : updateRows(
        events,
        rows.map(({ id, to }) => ({ id, duplicate_of: to })),
      )

/** Questions that wait about the events of one pair, at most: nobody answers hundreds about one event. */
const MOST_ASKED = 6

function remembering({ now }: RequestContext, pairs: readonly NewPair[]): SQL[] {
  if (pairs.length === 0) return []
  const isOf = sql`(first_id IN (${given('first_id')}, ${given('second_id')}) OR second_id IN (${given('first_id')}, ${given('second_id')}))`
  return [
    sql`INSERT INTO ${twins} (first_id, second_id, state, likeness, user_id, at_utc)
      SELECT ${given('first_id')}, ${given('second_id')}, ${given('state')}, ${given('likeness')}, ${given('user_id')}, ${now}
      FROM json_each(${JSON.stringify(pairs)}) AS given
      WHERE ${given('state')} <> 'asked' OR (SELECT count(*) FROM ${twins} WHERE state = 'asked' AND ${isOf}) < ${MOST_ASKED}
      ON CONFLICT (first_id, second_id) DO UPDATE SET state = excluded.state, likeness = excluded.likeness,
        user_id = excluded.user_id, at_utc = excluded.at_utc, trashed_from = ''`,
  ]
}

/** The statements that fill what is shown, without making it look edited here to its own source, and remember what was given. */
function filling(context: RequestContext, filled: readonly Filling[]): SQL[] {
  if (filled.length === 0) return []
  const { now, settings } = context
  const changed = filled.filter(({ values }) => Object.keys(values).length > 0)
  const memory = filled.flatMap(({ given: pairs }) =>
    [...pairs].map(([pair, value]) => [pair.first_id, pair.second_id, JSON.stringify(value)]),
  )
  const versions = changed.map(({ member: { id, version } }) => [id, String(version), String(version + 1)])
  return [
    ...updateRows(
      events,
      // All columns of each, so that it is one statement.
      changed.map(({ member: { id, version, values: before }, values }) => ({
        id,
        ...Object.fromEntries(
          FILLED_FIELDS.map(field => [FILLED[field], field in values ? values[field] : before[field]]),
        ),
        version: version + 1,
        modified: toWall(now, settings.timezone),
        modified_utc: now,
      })),
    ),
    ...(changed.length === 0
      ? []
      : [
          sql`UPDATE ${imports} SET imported_version = given.value ->> 2 FROM json_each(${JSON.stringify(versions)}) AS given
            WHERE kind = 'event' AND target_id = given.value ->> 0 AND imported_version = given.value ->> 1`,
        ]),
    // By nobody: else it would count as a change by a user.
    ...recordRows(
      { ...context, caller: { id: 0 }, requestId: TWINS_REQUEST },
      'event',
      events,
      changed.map(({ member: { id, values: before }, values }) => ({
        ...{ id, action: 'update' as const, fields: Object.keys(values) },
        changed: Object.fromEntries(
          Object.entries(values).map(([field, value]) => [field, [shown(before, field), value ?? 0]]),
        ),
      })),
    ),
    ...(memory.length === 0
      ? []
      : [
          sql`UPDATE ${twins} SET filled = given.value ->> 2 FROM json_each(${JSON.stringify(memory)}) AS given
            WHERE first_id = given.value ->> 0 AND second_id = given.value ->> 1`,
        ]),
  ]
}

const shown = (values: Readonly<Record<string, unknown>>, field: string): unknown => values[field] ?? 0

/** What changes of an event that is shown: values by field, and what the pairs with its twins gave. */
type Filling = { member: Member; values: Partial<Member['values']>; given: Map<Pair, Filled> }

const isEmpty = (value: unknown): boolean => value === null || value === ''

/**
 * What hidden events give to those that are shown in their place: what these lack and nobody here has changed. What one gave
 * is taken back with it, as long as it is still what it gave. Dates of series are left as their series has them.
 */
function fillings(
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
