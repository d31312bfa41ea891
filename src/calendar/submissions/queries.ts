import { type SQL, sql } from 'drizzle-orm'
import { literal, many, type Query } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, submissions } from '../../kit/db/tables.ts'
import { isSubmissionOf } from '../events/relations/links.ts'

/**
 * An expression of the id of a submitted event or, if that event is in the trash, of the first remaining date of its series.
 *
 * @param submitted the id that was stored with the submission
 */
export const presentEvent = (submitted: SQL = sql`${submissions.event_id}`) =>
  sql<number>`coalesce((SELECT date.id FROM ${events} AS sent CROSS JOIN ${events} AS date ON date.series_id = sent.series_id
    WHERE sent.id = ${submitted} AND sent.status = 'trash' AND date.status <> 'trash'
    ORDER BY date.occurrence_date LIMIT 1), ${submitted})`

/** An event that is not in the trash, with the title and the day that a submission has. */
type Repeated = { event: number; id: number; title: string }

/** The most that are shown for the events of a page. */
const MAX_REPEATED = literal(100)

/** A query of the events of other submissions with the title and day of some submitted events. @param ids a SELECT of these events */
export const selectRepeated = (ids: SQL): Query<Repeated[]> =>
  many(
    sql`SELECT events.id AS event, again.id AS id, again.title AS title FROM ${events} CROSS JOIN ${submissions}
      CROSS JOIN ${submissions} AS other INDEXED BY submissions_event_key
        ON other.event_key = ${submissions.event_key} AND other.id <> ${submissions.id}
      CROSS JOIN ${events} AS again ON again.id = ${presentEvent(sql`other.event_id`)} AND again.status <> 'trash'
      WHERE events.id IN (${ids}) AND ${isSubmissionOf(sql`${events}`)} LIMIT ${MAX_REPEATED}`,
    ({ event, id, title }) => ({ event: Number(event), id: Number(id), title: String(title) }),
  )

/**
 * The statement that stores a note to the senders of refused submissions, or that they are spam. It leaves out events
 * that have changed since the editor looked, because they will not be refused.
 */
export const refuseStatement = (
  refused: readonly { id: number; version: number }[],
  said: { note: string } | { is_spam: true },
) =>
  build
    .update(submissions)
    .set(said)
    .where(sql`${submissions.id} IN (SELECT ${submissions.id} FROM json_each(${JSON.stringify(refused)}) AS input
      CROSS JOIN ${events} ON ${events.id} = input.value ->> 'id' AND ${events.version} = input.value ->> 'version'
      CROSS JOIN ${submissions} ON ${isSubmissionOf(sql`${events}`)})`)
