import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { literal, many, type Query } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import { mayEdit } from '../../../lib/roles.ts'
import { EVENT_STATUSES, type EventStatus, STATUSES, type Status, statusAt } from '../../../lib/statuses.ts'
import type { DateTime } from '../../../lib/time.ts'
import { isNoDuplicate, isReadable, ownedBy } from '../../../resources/content/visibility.ts'
import { seriesJoin, sharedTexts } from '../../../resources/events/rows.ts'

/** The most parts of a programme that a form shows; its page shows as many. */
export const MOST_PARTS = 200

/** A part of an event, as the programme in the form of that event shows it. */
export type Part = {
  id: number
  version: number
  title: string
  slug: string
  start_date: DateTime
  end_date: DateTime
  all_day: boolean
  excerpt: string
  room: string
  status: Status
  event_status: EventStatus
  isHidden: boolean
  isConfirmed: boolean
  /** True if the caller may change it. */
  isEditable: boolean
}

const isPartOf = (id: number): SQL =>
  sql`${events.post_parent} = ${id} AND ${events.status} <> 'trash' AND ${isNoDuplicate}`

/** A query of the parts of an event that the caller may read, in order: one more than are shown. */
export const selectParts = (context: RequestContext, id: number): Query<Part[]> =>
  many(
    sql`SELECT ${events.id} AS id, ${events.version} AS version, ${events.title} AS title, ${events.slug} AS slug,
        ${events.start_date} AS start_date, ${events.end_date} AS end_date, ${events.all_day} AS all_day,
        ${sharedTexts.excerpt} AS excerpt, ${events.room} AS room, ${events.status} AS status, ${events.date_utc} AS date_utc,
        ${events.author_id} AS author_id, ${events.event_status} AS event_status,
        ${events.hide_from_listings} AS is_hidden, ${events.parent_confirmed_by} AS confirmed_by
      FROM ${events} ${seriesJoin} WHERE ${isPartOf(id)} AND ${isReadable(events, context)}
      ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(MOST_PARTS + 1)}`,
    row => {
      const stored = STATUSES.find(status => status === row.status) ?? 'draft'
      const status = statusAt({ status: stored, date_utc: String(row.date_utc) }, context.now)
      return {
        id: Number(row.id),
        version: Number(row.version),
        title: String(row.title),
        slug: String(row.slug),
        start_date: String(row.start_date),
        end_date: String(row.end_date),
        all_day: row.all_day === 1,
        excerpt: String(row.excerpt ?? ''),
        room: String(row.room),
        status,
        event_status: EVENT_STATUSES.find(name => name === row.event_status) ?? 'scheduled',
        isHidden: row.is_hidden === 1,
        isConfirmed: row.confirmed_by !== null,
        isEditable: mayEdit(context.caller, { author_id: Number(row.author_id), status }),
      }
    },
  )

/** A query of the ids of the parts that wait to be published with the event, as far as the caller may change them. */
export const selectWaitingParts = (context: RequestContext, id: number): Query<number[]> =>
  many(
    sql`SELECT ${events.id} AS id FROM ${events} WHERE ${isPartOf(id)} AND ${events.status} IN ('draft', 'pending')
        AND ${ownedBy(events, context)} ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(MOST_PARTS)}`,
    row => Number(row.id),
  )
