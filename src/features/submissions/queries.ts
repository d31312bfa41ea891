import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { isSubmissionOf } from '../../calendar/events/relations/links.ts'
import { presentEvent } from '../../calendar/submissions/queries.ts'
import { SPAM_ABOVE } from '../../calendar/submissions/spam.ts'
import type { Sender, Senders } from '../../editor/review/queries.ts'
import { countOf, first, literal, many, number, type Query, type RowOfQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, submissions } from '../../kit/db/tables.ts'
import { type Page, type Rows, withTotal } from '../../kit/http/lists.ts'
import { foundOr } from '../../kit/lib/errors.ts'
import type { SubmissionState } from './schema.ts'

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
      via: submissions.via,
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
export const submissionById = (id: number) => first(many(selectSubmissions(eq(submissions.id, id))))

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

/**
 * A condition for other waiting submissions from the same network. The e-mail address proves nothing: nobody has verified it, and a
 * sender who enters somebody else's address would get that person's events refused along with their own. E-mails that prove no sender
 * are from anybody.
 */
const fromSame = sql`(${submissions.via} <> 'email' OR ${submissions.is_confirmed})
  AND other.id <> ${submissions.id} AND other.sender <> '' AND other.sender = ${submissions.sender}
  AND EXISTS (SELECT 1 FROM ${events} AS waiting WHERE waiting.id = ${presentEvent(sql`other.event_id`)}
    AND waiting.status = 'pending')`

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
    sql`SELECT ${presentEvent(sql`other.event_id`)} AS id FROM ${events} CROSS JOIN ${submissions}
      CROSS JOIN ${undecided} ON ${fromSame}
      WHERE ${events.id} = ${event} AND ${isSubmissionOf(sql`${events}`)}`,
    ({ id }) => number(id),
  )

/** Senders of submissions in the review. Their texts are empty once they have been deleted. */
export const senders: Senders = { select: selectSenders, fromSame: selectFromSame }
