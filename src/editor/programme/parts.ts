import { type SQL, sql } from 'drizzle-orm'
import { noDuplicateSql, ownedByCallerSql, readableSql } from '../../calendar/content/visibility.ts'
import { seriesJoin, sharedTexts } from '../../calendar/events/rows.ts'
import type { BaseContext } from '../../kit/context.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import {
  literal,
  many,
  orNull,
  type Query,
  type RowOfQuery,
  readNumber,
  readText,
} from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import { statusAt } from '../../kit/lib/statuses.ts'
import { pick } from '../../kit/lib/values.ts'

/** The most parts of a programme that a form shows; its page shows as many. */
export const MAX_PARTS = 200

const COLUMNS = pick(
  events,
  'id',
  'version',
  'title',
  'slug',
  'start_date',
  'end_date',
  'all_day',
  'room',
  'status',
  'date_utc',
  'author_id',
  'event_status',
  'hide_from_listings',
  'parent_confirmed_by',
)

const partOfSql = (id: number): SQL =>
  sql`${events.post_parent} = ${id} AND ${events.status} <> 'trash' AND ${noDuplicateSql}`

/** A query for the parts of an event that the caller may read, in order: one more than are shown. */
export const selectParts = (context: BaseContext, id: number) =>
  many(
    sql`SELECT ${columnList(COLUMNS)}, ${sharedTexts.excerpt} AS excerpt
      FROM ${events} ${seriesJoin} WHERE ${partOfSql(id)} AND ${readableSql(events, context)}
      ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(MAX_PARTS + 1)}`,
    raw => {
      const row = decodeRow(COLUMNS, raw)
      const status = statusAt(row, context.clock.now())
      const isEditable = mayEdit(context.caller, { ...row, status })
      return { ...row, status, excerpt: orNull(readText)(raw.excerpt) ?? '', isEditable }
    },
  )

/**
 * A part of an event, as the programme in the form of that event shows it. `isEditable` is true if the caller
 * may change it.
 */
export type Part = RowOfQuery<typeof selectParts>

/**
 * A query for the ids of the parts that wait to be published with the event, as far as the caller may change
 * them.
 */
export const selectWaitingParts = (context: BaseContext, id: number): Query<number[]> =>
  many(
    sql`SELECT ${events.id} AS id FROM ${events} WHERE ${partOfSql(id)} AND ${events.status} IN ('draft', 'pending')
        AND ${ownedByCallerSql(events, context)} ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(MAX_PARTS)}`,
    row => readNumber(row.id),
  )
