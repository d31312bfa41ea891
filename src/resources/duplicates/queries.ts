import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { allOf, countOf, firstOf, literal, many, mapped, type Query, together } from '../../db/query.ts'
import { events, twins } from '../../db/schema.ts'
import { type Page, type Rows, withTotal } from '../../http/lists.ts'
import { shortened } from '../../http/reply.ts'
import { ApiError } from '../../lib/errors.ts'
import { EVENTS } from '../events/resource.ts'
import type { EventRow } from '../events/rows.ts'
import { type Pair, readPair } from './groups.ts'
import type { DuplicateListParams, DuplicateResponse } from './schema.ts'

/** A pair with its events, in the order of responses. */
export type DuplicateRow = { pair: Pair; at: string; events: EventRow[] }

const shownBy = (id: SQL): SQL => sql`(SELECT duplicate_of FROM ${events} WHERE ${events.id} = ${id})`

/** Conditions for pairs whose rows are still true: a row is only updated some time after its events have changed. */
const IS_STILL = {
  asked: sql`'trash' NOT IN (SELECT ${events.status} FROM ${events} WHERE ${events.id} IN (first_id, second_id))`,
  joined: sql`(${shownBy(sql`first_id`)} = second_id OR ${shownBy(sql`second_id`)} = first_id)`,
  different: sql`1`,
} as const satisfies Record<Pair['state'], SQL>

function conditionOf({ state, event }: Partial<DuplicateListParams>): SQL {
  const states = state
    ? [state]
    : event === undefined
      ? (['asked'] as const)
      : (['asked', 'joined', 'different'] as const)
  return allOf([
    ...(event === undefined ? [] : [sql`(first_id = ${event} OR second_id = ${event})`]),
    sql`(${sql.join(
      states.map(one => sql`(state = ${one} AND ${IS_STILL[one]})`),
      sql` OR `,
    )})`,
  ])
}

type Wanted = { values: Partial<DuplicateListParams>; page: Page }

/** A query for a page of pairs, the newest first, with their events. */
export const selectDuplicates = (
  context: RequestContext,
  { values, page: { perPage, offset } }: Wanted,
): Query<DuplicateRow[]> =>
  withEvents(
    context,
    sql`SELECT * FROM ${twins} WHERE ${conditionOf(values)} ORDER BY at_utc DESC, id DESC LIMIT ${literal(perPage)} OFFSET ${offset}`,
  )

/** A query for such a page, and for the number of all pairs. */
export const selectDuplicatePage = (context: RequestContext, wanted: Wanted): Query<Rows<DuplicateRow>> =>
  mapped(withTotal(selectDuplicates(context, wanted), selectDuplicateCount(wanted.values)), page => ({
    ...page,
    headers: shortened(page.rows.some(({ events: both }) => both.some(({ isShortened }) => isShortened))),
  }))

/** A query for the number of pairs, by default of those that wait for a decision. @param most after which no more are counted */
export const selectDuplicateCount = (
  values: Partial<DuplicateListParams> = {},
  most?: number,
): Query<number> =>
  countOf(sql`(SELECT 1 FROM ${twins} WHERE ${conditionOf(values)} LIMIT ${literal(most ?? -1)})`)

/** A query for one pair with its events. */
export const duplicateById = (context: RequestContext, id: number): Query<DuplicateRow | undefined> =>
  firstOf(withEvents(context, sql`SELECT * FROM ${twins} WHERE id = ${id}`))

function withEvents(context: RequestContext, pairs: SQL): Query<DuplicateRow[]> {
  const found = together({
    pairs: many(pairs, row => ({ pair: readPair(row), at: String(row.at_utc) })),
    events: EVENTS.select(
      context,
      sql`${events.id} IN (SELECT first_id FROM (${pairs}) UNION ALL SELECT second_id FROM (${pairs}))`,
    ),
  })
  return mapped(found, ({ pairs: rows, events: all }) => {
    const byId = new Map(all.map(row => [row.id, row]))
    return rows.map(({ pair, at }) => {
      const both = [pair.first_id, pair.second_id].flatMap(id => byId.get(id) ?? [])
      const [shown, hidden] = both.toReversed()
      return { pair, at, events: shown && hidden?.duplicate_of === shown.id ? [shown, hidden] : both }
    })
  })
}

/** Returns the pair. @throws ApiError if there is none */
export function assertDuplicate(row: DuplicateRow | undefined): DuplicateRow {
  if (!row) throw new ApiError('rest-duplicate-not-found', 'There is no pair of events with this id.')
  return row
}

/** A pair as responses show it. */
export function serializeDuplicate(
  { pair, at, events: both }: DuplicateRow,
  context: RequestContext,
): DuplicateResponse {
  const [one, other] = both
  return {
    id: pair.id,
    state: pair.state,
    likeness: pair.likeness,
    events: both.map(row => EVENTS.serialize(row, context)),
    shown: one && other?.duplicate_of === one.id ? one.id : 0,
    author: pair.user_id === null ? '' : String(pair.user_id),
    date_utc: at,
  }
}
