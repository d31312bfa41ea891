import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../kit/context.ts'
import { literal, many, type RowOfQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { remarks } from '../../kit/db/tables.ts'
import { SPAM_ABOVE } from './spam.ts'

/** The most remarks that the review shows, the oldest first. */
const MAX_SHOWN = 50

/** A query of the remarks that wait, with the titles of their events; null for a deleted event. */
export const selectRemarks = () =>
  many(
    build
      .select({
        id: remarks.id,
        event: remarks.event_id,
        title: sql<string | null>`(SELECT title FROM events WHERE events.id = remarks.event_id)`.as('title'),
        text: remarks.text,
        name: remarks.name,
        email: remarks.email,
        sentUtc: remarks.created_utc,
        isLikelySpam: sql<number>`(${remarks.likeness} > ${literal(SPAM_ABOVE)})`.as('is_likely_spam'),
      })
      .from(remarks)
      .orderBy(remarks.id)
      .limit(MAX_SHOWN),
  )

/** A remark as editors see it. */
export type Remark = RowOfQuery<typeof selectRemarks>

/** Deletes a remark that an editor has dealt with, along with the sender's name and address. */
export const deleteRemark = (context: RequestContext, id: number): Promise<unknown> =>
  context.db.write([sql`DELETE FROM ${remarks} WHERE ${remarks.id} = ${id}`])
