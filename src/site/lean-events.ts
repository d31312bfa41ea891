import { type SQL, sql } from 'drizzle-orm'
import { permalink } from '../content/serialize.ts'
import type { SerializeContext } from '../context.ts'
import { columnList, columnsWithout, decodeRow } from '../db/columns.ts'
import { many, type Query } from '../db/query.ts'
import { events } from '../db/schema.ts'

// Events without their texts and what belongs to them, for pages and files with hundreds of them.

const leanColumns = columnsWithout(events, 'description', 'excerpt', 'listed', 'span', 'search_key')

export type LeanEvent = ReturnType<typeof decodeRow<typeof leanColumns>>

/**
 * Selects events without their texts.
 *
 * @param from the part of FROM before and with `events`
 * @param tail WHERE and further clauses
 * @param shared a WITH clause
 */
export const selectLean = (from: SQL, tail: SQL, shared: SQL = sql``): Query<LeanEvent[]> =>
  many(sql`${shared} SELECT ${columnList(leanColumns)} FROM ${from} ${tail}`, raw =>
    decodeRow(leanColumns, raw),
  )

/** The address that the API gives of an event. */
export const addressOf = (context: SerializeContext, row: LeanEvent): string =>
  permalink(row, 'event', context)
