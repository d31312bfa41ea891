import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { presentEvent } from '../../calendar/intake/queries.ts'
import { SPAM_ABOVE } from '../../calendar/intake/spam.ts'
import { countOf, first, literal, many, type Query, type RowOfQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, submissions } from '../../kit/db/tables.ts'
import { type ListSlice, type Rows, withTotal } from '../../kit/http/lists.ts'
import { foundOrThrow } from '../../kit/lib/errors.ts'
import type { SubmissionState } from './schema.ts'

/** The state of a submission, which follows from the state of its event. */
export const stateOfSubmission = sql<SubmissionState>`CASE
  WHEN ${events.status} IN ('publish', 'future') THEN 'published'
  WHEN ${submissions.is_withdrawn} THEN 'withdrawn'
  WHEN ${events.status} = 'pending' THEN 'pending'
  WHEN ${events.status} = 'draft' THEN 'returned'
  WHEN ${submissions.is_spam} THEN 'spam' ELSE 'refused' END`

const likelySpamSql = sql<number>`(${submissions.likeness} > ${literal(SPAM_ABOVE)})`

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
      isLikelySpam: likelySpamSql.as('is_likely_spam'),
      state: stateOfSubmission.as('state'),
      /** The version of the event; 0 once it has been deleted. */
      version: sql<number>`coalesce(${events.version}, 0)`.as('event_version'),
    })
    .from(submissions)
    .leftJoin(events, eq(events.id, presentEvent()))
    .where(condition)

export const submissionById = (id: number) => first(many(selectSubmissions(eq(submissions.id, id))))

/** A submission as editors see it. */
export type SubmissionRow = NonNullable<RowOfQuery<typeof submissionById>>

export const assertSubmission = foundOrThrow(
  'rest-submission-not-found',
  'There is no submission with this id.',
)

/** A query for a page of submissions, newest first, and for their number. */
export function selectSubmissionPage(
  { state, likely_spam }: { state?: SubmissionState | undefined; likely_spam?: boolean | undefined },
  { perPage, offset }: ListSlice,
): Query<Rows<SubmissionRow>> {
  const condition = and(
    state === undefined ? undefined : sql`${stateOfSubmission} = ${state}`,
    likely_spam === undefined ? undefined : sql`${likelySpamSql} = ${literal(Number(likely_spam))}`,
  )
  return withTotal(
    many(selectSubmissions(condition).orderBy(desc(submissions.id)).limit(perPage).offset(offset)),
    countOf(
      sql`${submissions} LEFT JOIN ${events} ON ${events.id} = ${presentEvent()} WHERE ${condition ?? sql`1`}`,
    ),
  )
}
