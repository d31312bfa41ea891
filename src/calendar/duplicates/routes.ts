import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, first, inList } from '../../kit/db/query.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { defineList } from '../../kit/http/lists.ts'
import { ok, okVersioned, SHORTENED } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { codesOf } from '../content/resource.ts'
import { writtenBody } from '../content/routes.ts'
import { keySql, requireEditableRow } from '../content/visibility.ts'
import { EVENTS } from '../events/resource.ts'
import { byRank, type Pair, pairAmong, Regrouping, selectGroups } from './groups.ts'
import {
  decisionFields,
  duplicateList,
  duplicateSchema,
  idsInPair,
  requireDuplicate,
  selectDuplicateById,
  selectDuplicatePage,
  serializeDuplicate,
} from './queries.ts'
import { duplicateStatements, type NewPair, pairOfIds } from './writes.ts'

/**
 * Takes an event out of its group: a hidden event leaves alone, and a shown event is separated from each
 * event that it hides. All of them are then as they were before, and their pairs are stored as different.
 * Nothing changes if the event has no duplicates.
 */
async function separate(context: BaseContext, id: number): Promise<void> {
  const regrouping = new Regrouping(await context.db.read(selectGroups(inList([id]))))
  const group = regrouping.membersOf(id)
  const ownMember = regrouping.groups.members.get(id)
  if (!ownMember || group.length < 2) return
  const pairs = group
    .filter(member => member !== ownMember)
    .map(other => decisionOf(context, regrouping, [id, other.id], 'different'))
  for (const otherMember of ownMember.duplicate_of === null
    ? group.filter(member => member !== ownMember)
    : [ownMember])
    regrouping.leave(otherMember.id)
  await context.db.write(duplicateStatements(context, { regrouping, pairs, forgottenPairs: [] }))
}

/** @throws ApiError `rest_event_protected` if people depend on both events of a pair that is to be joined */
function assertMayDecide(regrouping: Regrouping, { first_id: a, second_id: b }: Pair, isSame: boolean): void {
  if (isSame && !regrouping.areTogether(a, b) && regrouping.areBothProtected(a, b))
    throw new ApiError(
      'rest_event_protected',
      'People depend on both of these events, so they cannot be merged.',
    )
}

type Decision = { pair: Pair; regrouping: Regrouping; isSame: boolean }

/**
 * Stores an editor's decision about two events. If they are the same and one is public, that one is shown,
 * own events first; if none is public, the first one that becomes public is. A draft hides nothing.
 */
async function decideDuplicates(context: BaseContext, { pair, regrouping, isSame }: Decision): Promise<void> {
  const { first_id: a, second_id: b } = pair
  const pairs = [decisionOf(context, regrouping, [a, b], isSame ? 'joined' : 'different')]
  const areTogether = regrouping.areTogether(a, b)
  if (isSame && !areTogether && !regrouping.isBehindNonPublic(a) && !regrouping.isBehindNonPublic(b))
    regrouping.join(a, b)
  if (!isSame && areTogether) {
    const [, leavingMember] = [a, b]
      .flatMap(id => regrouping.groups.members.get(id) ?? [])
      .sort(
        (member, other) =>
          Number(member.duplicate_of !== null) - Number(other.duplicate_of !== null) || byRank(member, other),
      )
    if (leavingMember) regrouping.leave(leavingMember.id)
  }
  await context.db.write(duplicateStatements(context, { regrouping, pairs, forgottenPairs: [] }))
}

function decisionOf(
  { caller }: BaseContext,
  { groups: { pairs } }: Regrouping,
  [a, b]: readonly [number, number],
  state: Pair['state'],
): NewPair {
  const knownPair = pairAmong(pairs, a, b)
  return { ...pairOfIds(a, b), state, likeness: knownPair?.likeness ?? 1, user_id: caller.id }
}

const requires = 'manage_sources'
const codes = codesOf('event')

const list = defineList({
  id: 'DuplicateList',
  plural: 'duplicates',
  item: duplicateSchema,
  params: duplicateList,
  requires,
  isUncached: true,
  noPage: 'duplicate-archive-page-not-found',
  select: selectDuplicatePage,
  serialize: (context, rows) => rows.map(row => serializeDuplicate(row, context)),
})

const decision = defineWrite({
  methods: ['POST'],
  path: '/duplicates/{id}',
  summary: 'Say whether two events are the same',
  requires,
  body: decisionFields,
  complete: true,
  responses: { 200: duplicateSchema },
  errors: ['rest-duplicate-not-found', 'rest_event_protected'],
  load: (context, { id }) =>
    combineQueries({ row: selectDuplicateById(context, id), groups: selectGroups(idsInPair(id)) }),
  prepare: (_, { row, groups }, { body: { same: isSame = false } }) => {
    const { pair } = requireDuplicate(row)
    const regrouping = new Regrouping(groups)
    assertMayDecide(regrouping, pair, isSame)
    return { pair, regrouping, isSame }
  },
  handle: async (context, { prepared }) => {
    await decideDuplicates(context, prepared)
    const row = await context.db.read(selectDuplicateById(context, prepared.pair.id))
    return ok(serializeDuplicate(requireDuplicate(row), context))
  },
})

const separation = defineWrite({
  methods: ['POST'],
  path: '/events/{id}/separate',
  summary: 'Separate one event from those that were joined with it',
  requires,
  responses: { 200: EVENTS.response },
  headers: SHORTENED,
  errors: [codes.notFound],
  load: (context, { key }) => first(EVENTS.select(context, keySql(EVENTS.table, key))),
  prepare: (context, row, { key }) => requireEditableRow(context, { resource: EVENTS, row, key }),
  handle: async (context, { prepared: { id }, key }) => {
    await separate(context, id)
    const [row] = await context.db.read(EVENTS.select(context, keySql(EVENTS.table, key)))
    return okVersioned(writtenBody(context, { resource: EVENTS, row }))
  },
})

export const duplicateRoutes: Route[] = [list, decision, separation]
