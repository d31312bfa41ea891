import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import {
  allOf,
  combineQueries,
  countOf,
  first,
  literal,
  many,
  mapQuery,
  type Query,
  rowLimit,
} from '../../kit/db/query.ts'
import { DUPLICATE_STATES, events, twins } from '../../kit/db/tables.ts'
import { type ListSlice, pageParams, type Rows, withTotal } from '../../kit/http/lists.ts'
import { documented, flag, integer, oneOf } from '../../kit/http/params.ts'
import { shortened } from '../../kit/http/reply.ts'
import { foundOrThrow } from '../../kit/lib/errors.ts'
import { EVENTS } from '../events/resource.ts'
import type { EventRow } from '../events/rows.ts'
import { eventSchema } from '../events/schema.ts'
import { type Pair, readPair } from './groups.ts'

export const duplicateList = z.object({
  ...pageParams,
  state: z.optional(
    oneOf(DUPLICATE_STATES, {
      description:
        'Pairs that wait for a decision (`asked`), are shown as one event (`joined`), or were judged to be different. With `event`, all of them.',
      default: 'asked',
      example: 'joined',
    }),
  ),
  event: z.optional(integer({ description: 'Only pairs that include this event.', example: 12 })),
})

type DuplicateListParams = z.output<typeof duplicateList>

export const decisionFields = documented(
  z.object({
    same: flag({
      description:
        'True if both are the same event: lists then show one. False if they are not: nobody is asked about them again.',
    }),
  }),
  { id: 'DuplicateFields' },
)

export const duplicateSchema = z.lazy(() =>
  documented(
    z.object({
      id: z.int(),
      state: z.enum(DUPLICATE_STATES),
      likeness: documented(z.number(), 'From 0 to 1.'),
      events: documented(
        z.array(eventSchema),
        'Both events. If they are joined, the first is the one that lists show.',
      ),
      shown: documented(
        z.int(),
        'Id of the event that lists show in place of both; 0 while they are separate.',
      ),
      author: documented(z.string(), 'Id of the user who decided; empty if nobody did.'),
      date_utc: z.string(),
    }),
    { id: 'Duplicate' },
  ),
)

export type DuplicateResponse = z.output<typeof duplicateSchema>

/** A pair with its events, in the order of responses. */
export type DuplicateRow = { pair: Pair; events: EventRow[] }

const shownEventOf = (id: SQL): SQL => sql`(SELECT duplicate_of FROM ${events} WHERE ${events.id} = ${id})`

/**
 * Conditions for pairs whose rows are still true: a row is only updated some time after its events have
 * changed.
 */
const stillTrueSql = {
  asked: sql`'trash' NOT IN (SELECT ${events.status} FROM ${events} WHERE ${events.id} IN (first_id, second_id))`,
  joined: sql`(${shownEventOf(sql`first_id`)} = second_id OR ${shownEventOf(sql`second_id`)} = first_id)`,
  different: sql`1`,
} as const satisfies Record<Pair['state'], SQL>

function pairsSql({ state, event }: Partial<DuplicateListParams>): SQL {
  const states = state
    ? [state]
    : event === undefined
      ? (['asked'] as const)
      : (['asked', 'joined', 'different'] as const)
  return allOf([
    ...(event === undefined ? [] : [sql`(first_id = ${event} OR second_id = ${event})`]),
    sql`(${sql.join(
      states.map(wanted => sql`(state = ${wanted} AND ${stillTrueSql[wanted]})`),
      sql` OR `,
    )})`,
  ])
}

type PairPageInput = { values: Partial<DuplicateListParams>; page: ListSlice }

/** A query for a page of pairs, the newest first, with their events. */
export const selectDuplicates = (
  context: BaseContext,
  { values, page: { perPage, offset } }: PairPageInput,
): Query<DuplicateRow[]> =>
  selectPairsWithEvents(
    context,
    sql`SELECT * FROM ${twins} WHERE ${pairsSql(values)} ORDER BY at_utc DESC, id DESC
      LIMIT ${rowLimit(perPage)} OFFSET ${offset}`,
  )

/** A query for a page of pairs, the newest first, with their events, and for the number of all pairs. */
export const selectDuplicatePage = (context: BaseContext, input: PairPageInput): Query<Rows<DuplicateRow>> =>
  mapQuery(withTotal(selectDuplicates(context, input), selectDuplicateCount(input.values)), page => ({
    ...page,
    headers: shortened(page.rows.some(({ events }) => events.some(({ isShortened }) => isShortened))),
  }))

/**
 * A query for the number of pairs, by default of pairs that wait for a decision.
 * @param limit the number at which counting stops
 */
export const selectDuplicateCount = (
  values: Partial<DuplicateListParams> = {},
  limit?: number,
): Query<number> =>
  countOf(sql`(SELECT 1 FROM ${twins} WHERE ${pairsSql(values)} LIMIT ${literal(limit ?? -1)})`)

const pairWithId = (id: number): SQL => sql`SELECT * FROM ${twins} WHERE id = ${id}`

/** A subquery for the ids of the events of some pairs. */
const eventsIn = (pairs: SQL): SQL =>
  sql`(SELECT value FROM (${pairs}) CROSS JOIN json_each(json_array(first_id, second_id)))`

/** A subquery for the ids of both events of a pair. */
export const idsInPair = (id: number): SQL => eventsIn(pairWithId(id))

export const selectDuplicateById = (context: BaseContext, id: number): Query<DuplicateRow | undefined> =>
  first(selectPairsWithEvents(context, pairWithId(id)))

function selectPairsWithEvents(context: BaseContext, pairs: SQL): Query<DuplicateRow[]> {
  const pairsAndEvents = combineQueries({
    pairs: many(pairs, readPair),
    events: EVENTS.select(context, sql`${events.id} IN ${eventsIn(pairs)}`),
  })
  return mapQuery(pairsAndEvents, ({ pairs: rows, events: eventRows }) => {
    const byId = new Map(eventRows.map(row => [row.id, row]))
    return rows.map(pair => {
      const pairRows = [pair.first_id, pair.second_id].flatMap(id => byId.get(id) ?? [])
      const [a, b] = pairRows
      return { pair, events: b && a?.duplicate_of === b.id ? [b, a] : pairRows }
    })
  })
}

export const requireDuplicate = foundOrThrow(
  'rest-duplicate-not-found',
  'There is no pair of events with this id.',
)

/** A pair as responses show it. */
export function serializeDuplicate(
  { pair, events: pairRows }: DuplicateRow,
  context: BaseContext,
): DuplicateResponse {
  const [event, other] = pairRows
  return {
    id: pair.id,
    state: pair.state,
    likeness: pair.likeness,
    events: pairRows.map(row => EVENTS.serialize(row, context)),
    shown: event && other?.duplicate_of === event.id ? event.id : 0,
    author: pair.user_id === null ? '' : String(pair.user_id),
    date_utc: pair.at_utc,
  }
}
