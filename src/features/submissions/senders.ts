import { type SQL, sql } from 'drizzle-orm'
import { literal, many, type Query } from '../../db/query.ts'
import { events, submissions } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { isSubmissionOf } from '../../resources/events/relations/links.ts'
import { presentEvent } from '../../resources/submissions/queries.ts'
import type { Sender, Senders } from '../../web/editor/review/queries.ts'

/**
 * A condition for other waiting submissions from the same network. The e-mail address proves nothing: nobody has verified it, and a
 * sender who enters somebody else's address would get that person's events refused along with their own. E-mails that prove no sender
 * are from anybody.
 */
const fromSame = sql`(${submissions.via} <> 'email' OR ${submissions.is_confirmed}) AND other.id <> ${submissions.id} AND other.sender <> '' AND other.sender = ${submissions.sender}
  AND EXISTS (SELECT 1 FROM ${events} AS waiting WHERE waiting.id = ${presentEvent(sql`other.event_id`)} AND waiting.status = 'pending')`

/** The number of newest undecided submissions that are searched for others from the same sender. */
const MAX_LOOKED_AT = literal(500)
const undecided = sql`(SELECT id, event_id, sender FROM ${submissions} INDEXED BY submissions_undecided
  WHERE decided_utc IS NULL ORDER BY id DESC LIMIT ${MAX_LOOKED_AT}) AS other`

const selectSenders = (ids: SQL): Query<Sender[]> =>
  many(
    build
      .select({
        event: events.id,
        name: submissions.name,
        email: submissions.email,
        sentUtc: submissions.created_utc,
        via: submissions.via,
        isConfirmed: submissions.is_confirmed,
        received: submissions.received,
        others: sql<number>`(SELECT count(*) FROM ${undecided} WHERE ${fromSame})`,
      })
      .from(events)
      .crossJoin(submissions)
      .where(sql`${events.id} IN (${ids}) AND ${isSubmissionOf(sql`${events}`)}`),
  )

const selectFromSame = (event: number): Query<number[]> =>
  many(
    sql`SELECT ${presentEvent(sql`other.event_id`)} AS id FROM ${events} CROSS JOIN ${submissions} CROSS JOIN ${undecided} ON ${fromSame}
      WHERE ${events.id} = ${event} AND ${isSubmissionOf(sql`${events}`)}`,
    ({ id }) => Number(id),
  )

/** Senders of submissions in the review. Their texts are empty once they have been deleted. */
export const senders: Senders = { select: selectSenders, fromSame: selectFromSame }
