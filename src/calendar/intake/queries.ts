import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { auditEntriesStatement, type Origin } from '../../kit/db/audit.ts'
import {
  combineQueries,
  eachOf,
  first,
  literal,
  many,
  type Query,
  type RowOfQuery,
  readNumber,
  readText,
  rowlessQuery,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, remarks, submissions } from '../../kit/db/tables.ts'
import { submissionOfSql } from '../events/relations/links.ts'
import { SPAM_ABOVE } from './spam.ts'

/**
 * An expression of the id of a submitted event or, if that event is in the trash, of the first remaining date
 * of its series.
 *
 * @param submitted the id that was stored with the submission
 */
export const presentEvent = (submitted: SQL = sql`${submissions.event_id}`) =>
  sql<number>`coalesce((SELECT date.id FROM ${events} AS sent CROSS JOIN ${events} AS date ON date.series_id = coalesce(sent.series_id, 0)
    WHERE sent.id = ${submitted} AND +sent.status = 'trash' AND date.status <> 'trash'
    ORDER BY date.occurrence_date LIMIT 1), ${submitted})`

/** An event that is not in the trash, with the title and the day that a submission has. */
type Repeated = { event: number; id: number; title: string }

/** The most repeated events that are shown for the events of a page. */
const MAX_REPEATED = literal(100)

/**
 * A query for the events of other submissions with the title and day of some submitted events.
 * @param ids a SELECT of these events
 */
export const selectRepeated = (ids: SQL): Query<Repeated[]> =>
  many(
    sql`SELECT events.id AS event, again.id AS id, again.title AS title FROM ${events} CROSS JOIN ${submissions}
      CROSS JOIN ${submissions} AS other INDEXED BY submissions_event_key
        ON other.event_key = ${submissions.event_key} AND other.id <> ${submissions.id}
      CROSS JOIN ${events} AS again ON again.id = ${presentEvent(sql`other.event_id`)} AND again.status <> 'trash'
      WHERE events.id IN (${ids}) AND ${submissionOfSql(sql`${events}`)} LIMIT ${MAX_REPEATED}`,
    { event: readNumber, id: readNumber, title: readText },
  )

/** Who sent an event without having an account. */
export type Sender = {
  event: number
  name: string
  email: string
  sentUtc: string
  /** How the event was sent: by e-mail, or else '' for forms and programs. */
  via: '' | 'email'
  /** True if the address certainly belongs to the sender. */
  isConfirmed: boolean
  /** The text of the e-mail; '' if it has been deleted, and for forms. */
  mailText: string
  /** The number of other waiting events from the same sender. */
  others: number
}

/**
 * A condition for other waiting submissions from the same network. The e-mail address proves nothing: nobody
 * has verified it, and a sender who enters somebody else's address would get that person's events refused
 * along with their own. E-mails that prove no sender are from anybody.
 */
const fromSameNetworkSql = sql`(${submissions.via} <> 'email' OR ${submissions.is_confirmed})
  AND other.id <> ${submissions.id} AND other.sender <> '' AND other.sender = ${submissions.sender}
  AND EXISTS (SELECT 1 FROM ${events} AS waiting WHERE waiting.id = ${presentEvent(sql`other.event_id`)}
    AND waiting.status = 'pending')`

/** The number of newest undecided submissions that are searched for others from the same sender. */
const MAX_SEARCHED = literal(500)
const undecided = sql`(SELECT id, event_id, sender FROM ${submissions} INDEXED BY submissions_undecided
  WHERE decided_utc IS NULL ORDER BY id DESC LIMIT ${MAX_SEARCHED}) AS other`

/**
 * A query for the senders of submissions among some events. Their texts are empty once deleted.
 * @param ids a SELECT of the ids of events
 */
export const selectSenders = (ids: SQL): Query<Sender[]> =>
  many(
    build
      .select({
        event: events.id,
        name: submissions.name,
        email: submissions.email,
        sentUtc: submissions.created_utc,
        via: submissions.via,
        isConfirmed: submissions.is_confirmed,
        mailText: submissions.mail_text,
        others: sql<number>`(SELECT count(*) FROM ${undecided} WHERE ${fromSameNetworkSql})`,
      })
      .from(events)
      .crossJoin(submissions)
      .where(sql`${events.id} IN (${ids}) AND ${submissionOfSql(sql`${events}`)}`),
  )

/** A query for the waiting events from the same sender as an event. */
export const selectFromSame = (event: number): Query<number[]> =>
  many(
    sql`SELECT ${presentEvent(sql`other.event_id`)} AS id FROM ${events} CROSS JOIN ${submissions}
      CROSS JOIN ${undecided} ON ${fromSameNetworkSql}
      WHERE ${events.id} = ${event} AND ${submissionOfSql(sql`${events}`)}`,
    ({ id }) => readNumber(id),
  )

/**
 * The statement that stores a note to the senders of refused submissions, or that they are spam. It leaves
 * out events that have changed since the editor looked, because they will not be refused.
 */
export const refuseStatement = (
  rows: readonly { id: number; version: number }[],
  refusal: { note: string } | { is_spam: true },
) =>
  build
    .update(submissions)
    .set(refusal)
    .where(sql`${submissions.id} IN (SELECT ${submissions.id} FROM ${eachOf(rows)} AS input
      CROSS JOIN ${events} ON ${events.id} = input.value ->> 'id' AND ${events.version} = input.value ->> 'version'
      CROSS JOIN ${submissions} ON ${submissionOfSql(sql`${events}`)})`)

/** The most remarks that the review shows, the oldest first. */
const MAX_REMARKS = 50

/** A query for the remarks that wait, with the titles of their events; null for a deleted event. */
export const selectRemarks = () =>
  many(
    build
      .select({
        id: remarks.id,
        event: remarks.event_id,
        title: sql<
          string | null
        >`(SELECT ${events.title} FROM ${events} WHERE ${events.id} = ${remarks.event_id})`.as('title'),
        text: remarks.text,
        name: remarks.name,
        email: remarks.email,
        sentUtc: remarks.created_utc,
        isLikelySpam: sql<number>`(${remarks.likeness} > ${literal(SPAM_ABOVE)})`.as('is_likely_spam'),
      })
      .from(remarks)
      .orderBy(remarks.id)
      .limit(MAX_REMARKS),
  )

/** A remark as editors see it. */
export type Remark = RowOfQuery<typeof selectRemarks>

/**
 * Deletes a remark that an editor has dealt with, along with the sender's name and address.
 *
 * @returns false if it was gone
 */
export const deleteRemark = async ({ db }: BaseContext, id: number): Promise<boolean> =>
  (await db.write(first(build.delete(remarks).where(eq(remarks.id, id)).returning({ id: remarks.id })))) !==
  undefined

/** A condition for what a sender has sent. @param table the table of submissions or remarks */
const sentBySql = (table: typeof submissions | typeof remarks, email: string) =>
  and(sql`${table.email} = ${email} COLLATE NOCASE`, ne(table.email, ''))

/**
 * A query that deletes the names and addresses of a sender, and the sender's e-mails as received, which are
 * signed.
 */
export const eraseSenderQuery = (origin: Origin, email: string) =>
  combineQueries([
    rowlessQuery(
      // The entries come before the changes, while there are rows to look for.
      auditEntriesStatement(
        origin,
        { action: 'delete', kind: 'sender' },
        sql`SELECT 0 AS id WHERE EXISTS (SELECT 1 FROM ${submissions} WHERE ${sentBySql(submissions, email)})
          OR EXISTS (SELECT 1 FROM ${remarks} WHERE ${sentBySql(remarks, email)})`,
      ),
    ),
    many(
      build
        .update(submissions)
        .set({ name: '', email: '', mail_text: '' })
        .where(sentBySql(submissions, email))
        .returning({ id: submissions.id }),
    ),
    many(
      build
        .update(remarks)
        .set({ name: '', email: '' })
        .where(sentBySql(remarks, email))
        .returning({ id: remarks.id }),
    ),
  ])
