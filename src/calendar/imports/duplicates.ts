import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext, CronRun } from '../../kit/context.ts'
import { publicNumberAt } from '../../kit/db/derived.ts'
import { conflictIf, isConflict } from '../../kit/db/failures.ts'
import { combineQueries, eachOf, inList, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { sourceRuns, twinsPosition } from '../../kit/db/tables.ts'
import { importContext } from '../../kit/http/request-context.ts'
import { DUPLICATE_WORK } from '../../kit/lib/budgets.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import { runLogged } from '../../kit/work/error-log.ts'
import {
  type Groups,
  type Pair,
  pairAmong,
  Regrouping,
  selectGroups,
  selectPairsOf,
} from '../duplicates/groups.ts'
import { judgePair } from '../duplicates/judge.ts'
import {
  type ChangedEvent,
  type EventToCompare,
  type NearbyEvents,
  selectChangedEvents,
  selectJudged,
  selectPossibleDuplicates,
} from '../duplicates/nearby.ts'
import { DuplicateOutcome, type JudgedPair, verdictsOf } from '../duplicates/outcome.ts'
import { DUPLICATES_REQUEST, duplicateStatements } from '../duplicates/writes.ts'

/**
 * Looks for duplicates of a bounded number of events that have changed since the last time, and separates
 * events that are not the same any more. If an event cannot be compared, or the database refuses the result,
 * each event is compared on its own, and the failing event is skipped. If two runs do this at the same time,
 * only one succeeds. The next run does the work that a killed run has left.
 */
export async function findDuplicates({ db, settings, nowMs }: CronRun): Promise<void> {
  if (!db.allowance.allows('duplicates', DUPLICATE_WORK.together)) return
  const context = { ...importContext({ db, settings, nowMs }), requestId: DUPLICATES_REQUEST }
  const changedEvents = await db.read(selectChangedEvents(DUPLICATE_WORK.events))
  try {
    await compareEvents(context, changedEvents)
  } catch (error) {
    // If D1 itself fails, it would also fail for each event alone.
    if (error instanceof ApiError) throw error
    await compareEachAlone(context, changedEvents.length)
  }
}

async function compareEachAlone(context: BaseContext, maxEvents: number): Promise<void> {
  const { db } = context
  for (
    let eventsLeft = maxEvents;
    eventsLeft > 0 && db.allowance.allows('duplicates', DUPLICATE_WORK.alone);
    eventsLeft--
  ) {
    const [event] = await db.read(selectChangedEvents(1))
    if (!event) return
    const failure = await runLogged(
      `duplicates of event ${event.id}`,
      () => compareEvents(context, [event]),
      error => error,
    )
    if (failure instanceof ApiError) return
    if (!failure) continue
    try {
      await db.write(progressStatements(event))
    } catch (error) {
      // Another run has done it in the meantime.
      if (!isConflict(error)) throw error
    }
  }
}

async function compareEvents(context: BaseContext, changedEvents: readonly ChangedEvent[]): Promise<void> {
  const last = changedEvents.at(-1)
  if (!last) return
  context.db.allowance.spend({ cpuMs: changedEvents.length * DUPLICATE_WORK.cpuOfEvent })
  const statements = await readDuplicateStatements(
    context,
    changedEvents.map(({ id }) => id),
  )
  await context.db.write([...statements, ...progressStatements(last)])
}

const progressStatements = ({ n, id, position: [fromN, fromId] }: ChangedEvent): Statement[] => [
  conflictIf(sql`NOT EXISTS (SELECT 1 FROM ${twinsPosition} WHERE n = ${fromN} AND id = ${fromId})`),
  build.update(twinsPosition).set({
    n,
    id,
    public_n: publicNumberAt(
      { kind: sql`'events'`, changeNumber: sql`${n}`, id: sql`${id}` },
      twinsPosition.public_n,
    ),
  }),
]

/** The statements that store the duplicates of some events. */
async function readDuplicateStatements(context: BaseContext, ids: readonly number[]): Promise<Statement[]> {
  const { db } = context
  const { nearby, pairs } = await db.read(
    combineQueries({ nearby: selectPossibleDuplicates(ids), pairs: selectPairsOf(ids) }),
  )
  const fresh = judgedOf(nearby).filter(({ a, b }) => !pairAmong(pairs, a, b))
  const knownPairs = pairs.filter(({ state }) => state !== 'different')
  if (fresh.length + knownPairs.length === 0) return []
  const idsInPairs = [...new Set(knownPairs.flatMap(({ first_id, second_id }) => [first_id, second_id]))]
  const concernedIds = [...new Set([...idsInPairs, ...fresh.flatMap(({ a, b }) => [a, b])])]
  const groupsAndEvents = await db.read(
    combineQueries({ groups: selectGroups(inList(concernedIds)), stored: selectJudged(idsInPairs) }),
  )
  const outcome = duplicateOutcomeOf({ ...groupsAndEvents, known: knownPairs, fresh })
  return [...duplicateStatements(context, outcome.changes()), ...runCountStatements(outcome)]
}

/**
 * The statuses of events that editors are asked about: events in lists and pending ones. Drafts and scheduled
 * events become questions once they have one of these statuses.
 */
const STATUSES_IN_QUESTION: readonly Status[] = ['publish', 'pending']

const judgedOf = (nearby: readonly NearbyEvents[]): JudgedPair[] =>
  verdictsOf(nearby).flatMap(({ a, b, ...judgement }) =>
    judgement.verdict === 'same' || [a, b].every(({ status }) => STATUSES_IN_QUESTION.includes(status))
      ? [{ a: a.id, b: b.id, ...judgement }]
      : [],
  )

type LoadedComparison = {
  groups: Groups
  stored: readonly EventToCompare[]
  known: readonly Pair[]
  fresh: readonly JudgedPair[]
}

function duplicateOutcomeOf({ groups, stored, known, fresh }: LoadedComparison): DuplicateOutcome {
  const byId = new Map(stored.map(event => [event.id, event]))
  const outcome = new DuplicateOutcome(new Regrouping(groups))
  for (const pair of known) {
    const a = byId.get(pair.first_id)
    const b = byId.get(pair.second_id)
    outcome.review(pair, a && b && { a: a.id, b: b.id, ...judgePair(a, b) })
  }
  for (const pair of fresh) outcome.add(pair)
  return outcome
}

/** The statements that add the numbers of joined events and of questions to the runs of their sources. */
function runCountStatements(outcome: DuplicateOutcome): SQL[] {
  const counts = outcome.counts()
  if (counts.length === 0) return []
  return [
    sql`UPDATE ${sourceRuns} SET joined = joined + (input.value ->> 1), asked = asked + (input.value ->> 2)
      FROM ${eachOf(counts)} AS input
      WHERE ${sourceRuns}.id = (SELECT max(id) FROM ${sourceRuns} AS of WHERE of.source_id = input.value ->> 0)`,
  ]
}
