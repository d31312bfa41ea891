import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { countOf, firstOf, literal, many, type Query, type RowOfQuery } from '../../db/query.ts'
import { events, submissions } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { type Page, type Rows, withTotal } from '../../http/lists.ts'
import { foundOr } from '../../lib/errors.ts'
import { isSubmissionOf } from '../events/relations/links.ts'
import type { SubmissionState } from './schema.ts'
import { SPAM_ABOVE } from './spam.ts'

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
 * A condition for other waiting submissions from the same network. The e-mail address proves nothing: nobody has verified it, and a
 * sender who enters somebody else's address would get that person's events refused along with their own.
 */
const fromSame = sql`other.id <> ${submissions.id} AND other.sender <> '' AND other.sender = ${submissions.sender}
  AND EXISTS (SELECT 1 FROM ${events} AS waiting WHERE waiting.id = ${presentEvent(sql`other.event_id`)} AND waiting.status = 'pending')`

/** The number of newest undecided submissions that are searched for others from the same sender. */
const MOST_LOOKED_AT = literal(500)
const undecided = sql`(SELECT id, event_id, sender FROM ${submissions} INDEXED BY submissions_undecided
  WHERE decided_utc IS NULL ORDER BY id DESC LIMIT ${MOST_LOOKED_AT}) AS other`

/** A query for the senders of some events. @param ids a SELECT of the ids of events */
export const selectSenders = (ids: SQL) =>
  many(
    build
      .select({
        event: events.id,
        name: submissions.name,
        email: submissions.email,
        sentUtc: submissions.created_utc,
        /** The number of other waiting submissions from the same network. */
        others: sql<number>`(SELECT count(*) FROM ${undecided} WHERE ${fromSame})`,
      })
      .from(events)
      .crossJoin(submissions)
      .where(sql`${events.id} IN (${ids}) AND ${isSubmissionOf(sql`${events}`)}`),
  )

/** The sender of an event, for editors. Both texts are empty once they have been deleted. */
export type Sender = RowOfQuery<typeof selectSenders>

/** A query for the waiting events from the same network as an event. */
export const selectFromSame = (event: number): Query<number[]> =>
  many(
    sql`SELECT ${presentEvent(sql`other.event_id`)} AS id FROM ${events} CROSS JOIN ${submissions} CROSS JOIN ${undecided} ON ${fromSame}
      WHERE ${events.id} = ${event} AND ${isSubmissionOf(sql`${events}`)}`,
    ({ id }) => Number(id),
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

/** The state of a submission, which follows from the state of its event. */
export const stateSql = sql<SubmissionState>`CASE
  WHEN ${events.status} IN ('publish', 'future') THEN 'published'
  WHEN ${submissions.is_withdrawn} THEN 'withdrawn'
  WHEN ${events.status} = 'pending' THEN 'pending'
  WHEN ${events.status} = 'draft' THEN 'returned'
  WHEN ${submissions.is_spam} THEN 'spam' ELSE 'refused' END`

const isLikelySpam = sql<number>`(${submissions.likeness} > ${literal(SPAM_ABOVE)})`

const selectSubmissions = (condition: SQL | undefined) =>
  build
    .select({
      id: submissions.id,
      event_id: sql<number>`coalesce(${events.id}, ${submissions.event_id})`.as('present_event'),
      series_id: events.series_id,
      name: submissions.name,
      email: submissions.email,
      created_utc: submissions.created_utc,
      likeness: submissions.likeness,
      isLikelySpam: isLikelySpam.as('is_likely_spam'),
      state: stateSql.as('state'),
      /** The version of the event; 0 once it has been deleted. */
      version: sql<number>`coalesce(${events.version}, 0)`.as('event_version'),
    })
    .from(submissions)
    .leftJoin(events, eq(events.id, presentEvent()))
    .where(condition)

/** A query for one submission. */
export const submissionById = (id: number) => firstOf(many(selectSubmissions(eq(submissions.id, id))))

/** A submission as editors see it. */
export type SubmissionRow = NonNullable<RowOfQuery<typeof submissionById>>

export const assertSubmission = foundOr('rest-submission-not-found', 'There is no submission with this id.')

/** A query for a page of submissions, newest first, and for their number. */
export function selectSubmissionPage(
  { state, likely_spam }: { state?: SubmissionState | undefined; likely_spam?: boolean | undefined },
  { perPage, offset }: Page,
): Query<Rows<SubmissionRow>> {
  const condition = and(
    state === undefined ? undefined : sql`${stateSql} = ${state}`,
    likely_spam === undefined ? undefined : sql`${isLikelySpam} = ${literal(Number(likely_spam))}`,
  )
  return withTotal(
    many(selectSubmissions(condition).orderBy(desc(submissions.id)).limit(perPage).offset(offset)),
    countOf(
      sql`${submissions} LEFT JOIN ${events} ON ${events.id} = ${presentEvent()} WHERE ${condition ?? sql`1`}`,
    ),
  )
}
