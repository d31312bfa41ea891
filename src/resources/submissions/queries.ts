import { type SQL, sql } from 'drizzle-orm'
import { literal, many, type Query, type RowOfQuery } from '../../db/query.ts'
import { events, submissions } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'

/**
 * A condition for submissions that came from where another one did, and wait as that does. Their e-mail address tells nothing:
 * nobody has verified it, and whoever writes somebody else's would have that person's events refused along with their own.
 */
const fromSame = sql`other.id <> ${submissions.id} AND other.sender <> '' AND other.sender = ${submissions.sender}
  AND EXISTS (SELECT 1 FROM ${events} AS waiting WHERE waiting.id = other.event_id AND waiting.status = 'pending')`

/** What is looked through for others from the same sender: the newest of what was not decided. */
const MOST_LOOKED_AT = literal(500)
const undecided = sql`(SELECT id, event_id, sender FROM ${submissions} INDEXED BY submissions_undecided
  WHERE decided_utc IS NULL ORDER BY id DESC LIMIT ${MOST_LOOKED_AT}) AS other`

/** A query of who sent in some events. @param ids a SELECT of the ids of events */
export const selectSenders = (ids: SQL) =>
  many(
    build
      .select({
        event: submissions.event_id,
        name: submissions.name,
        email: submissions.email,
        sentUtc: submissions.created_utc,
        /** How many others wait that came from the same network. */
        others: sql<number>`(SELECT count(*) FROM ${undecided} WHERE ${fromSame})`,
      })
      .from(submissions)
      .where(sql`${submissions.event_id} IN (${ids})`),
  )

/** Who sent an event in, for editors. Both texts are empty once they were deleted. */
export type Sender = RowOfQuery<typeof selectSenders>

/** A query of the events that wait and came from the same network as one. */
export const selectFromSame = (event: number): Query<number[]> =>
  many(
    sql`SELECT other.event_id AS id FROM ${submissions} CROSS JOIN ${undecided} ON ${fromSame}
      WHERE ${submissions.event_id} = ${event}`,
    ({ id }) => Number(id),
  )

/**
 * The statement that keeps what editors say about the submissions they refuse: a note to the senders, or that these are spam. An
 * event that has changed since it was looked at is left out, as it will not be refused.
 */
export const refuseStatement = (
  refused: readonly { id: number; version: number }[],
  said: { note: string } | { is_spam: true },
) =>
  build
    .update(submissions)
    .set(said)
    .where(sql`${submissions.event_id} IN (
    SELECT ${events.id} FROM json_each(${JSON.stringify(refused)}) AS given
    CROSS JOIN ${events} ON ${events.id} = given.value ->> 'id' AND ${events.version} = given.value ->> 'version')`)
