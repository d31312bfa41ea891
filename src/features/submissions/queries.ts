import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { presentEvent } from '../../calendar/intake/queries.ts'
import { SPAM_ABOVE } from '../../calendar/intake/spam.ts'
import {
  countOf,
  first,
  literal,
  many,
  type Query,
  type RowOfQuery,
  type Statement,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, remarks, submissions } from '../../kit/db/tables.ts'
import { type ListSlice, type Rows, withTotal } from '../../kit/http/lists.ts'
import { foundOrThrow } from '../../kit/lib/errors.ts'
import { addDays, formatInstant } from '../../kit/lib/time.ts'
import { oldNetworkSql } from '../../kit/work/day-keys.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import type { SubmissionState } from './schema.ts'

/** The state of a submission, which follows from the state of its event. */
export const stateOfSubmission = sql<SubmissionState>`CASE
  WHEN ${events.status} IN ('publish', 'future') THEN 'published'
  WHEN ${submissions.is_withdrawn} THEN 'withdrawn'
  WHEN ${events.status} = 'pending' THEN 'pending'
  WHEN ${events.status} = 'draft' THEN 'returned'
  WHEN ${submissions.is_spam} THEN 'spam' ELSE 'refused' END`

const likelySpamSql = sql<number>`(${submissions.likeness} > ${literal(SPAM_ABOVE)})`

const submissionRows = (condition: SQL | undefined) =>
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

export const selectSubmissionById = (id: number) => first(many(submissionRows(eq(submissions.id, id))))

/** A submission as editors see it. */
export type SubmissionRow = NonNullable<RowOfQuery<typeof selectSubmissionById>>

export const requireSubmission = foundOrThrow(
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
    many(submissionRows(condition).orderBy(desc(submissions.id)).limit(perPage).offset(offset)),
    countOf(
      sql`${submissions} LEFT JOIN ${events} ON ${events.id} = ${presentEvent()} WHERE ${condition ?? sql`1`}`,
    ),
  )
}

/** Days after a decision for which an editor can contact the sender. */
const CONTACT_DAYS = 90
/** Days after a decision for which the submission's page exists. */
const PAGE_DAYS = 400
/** Days after which the text of an e-mail is deleted. */
const TEXT_DAYS = 30
/** Days after which another e-mail may have the same Message-ID. */
const SAME_MAIL_DAYS = 7

/** The most rows that a run of the cron changes. */
const MAX_ROWS = 200

/** A condition: the event is pending, or was returned to its sender. */
const undecidedSql = sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${presentEvent()}
  AND ${events.status} IN ('pending', 'draft'))`

/** Makes a function that names due rows of a table. @param rowName the name of one of its rows */
const dueRowsOf =
  (table: typeof submissions | typeof remarks, rowName: string) =>
  (name: string, due: SQL, changeStatement: (chosen: SQL) => Statement): DueRows => ({
    name: `${rowName}s: ${name}`,
    rowName: `${rowName}: ${name}`,
    table,
    dueSql: due,
    limit: MAX_ROWS,
    changeStatements: chosen => [changeStatement(chosen)],
  })

/**
 * Submissions whose decision the cron records, however it was made, and submissions from which it deletes
 * data: names and addresses 90 days after the decision, the network after two days, and everything after 400;
 * of e-mails, their text and Message-ID. Remarks have no decision, and editors delete them: the cron deletes
 * the same data, counting from the day they were sent.
 */
export function oldSubmissions(nowMs: number): DueRows[] {
  const now = formatInstant(nowMs)
  const contactEnd = addDays(now, -CONTACT_DAYS)
  const pageEnd = addDays(now, -PAGE_DAYS)
  const change = build.update(submissions)
  const changeRemark = build.update(remarks)
  const submission = dueRowsOf(submissions, 'submission')
  const remark = dueRowsOf(remarks, 'remark')
  return [
    submission(
      'decision',
      sql`${submissions.id} IN (SELECT id FROM ${submissions} INDEXED BY submissions_undecided WHERE decided_utc IS NULL)
      AND NOT ${undecidedSql}`,
      chosen => change.set({ decided_utc: now }).where(chosen),
    ),
    submission(
      'contact',
      sql`${submissions.email} <> '' AND ${submissions.decided_utc} < ${contactEnd}`,
      chosen => change.set({ name: '', email: '', mail_text: '' }).where(chosen),
    ),
    submission('sender', oldNetworkSql(submissions.sender, nowMs), chosen =>
      change.set({ sender: '' }).where(chosen),
    ),
    submission(
      'text',
      sql`${submissions.mail_text} <> '' AND ${submissions.created_utc} < ${addDays(now, -TEXT_DAYS)}`,
      chosen => change.set({ mail_text: '' }).where(chosen),
    ),
    submission(
      'mail',
      sql`${submissions.via} = 'email' AND ${submissions.form_digest} IS NOT NULL
        AND ${submissions.created_utc} < ${addDays(now, -SAME_MAIL_DAYS)}`,
      chosen => change.set({ form_digest: null }).where(chosen),
    ),
    submission(
      'page',
      sql`${submissions.created_utc} < ${pageEnd} AND ${submissions.decided_utc} < ${pageEnd}`,
      chosen => build.delete(submissions).where(chosen),
    ),
    remark(
      'contact',
      sql`(${remarks.name} <> '' OR ${remarks.email} <> '') AND ${remarks.created_utc} < ${contactEnd}`,
      chosen => changeRemark.set({ name: '', email: '' }).where(chosen),
    ),
    remark('all', sql`${remarks.created_utc} < ${pageEnd}`, chosen => build.delete(remarks).where(chosen)),
  ]
}
