import { type SQL, sql } from 'drizzle-orm'
import { events, submissions } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
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
