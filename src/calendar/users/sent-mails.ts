import { gt, type SQL, sql } from 'drizzle-orm'
import type { CallerContext } from '../../kit/context.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { first, mapQuery, type Query, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { type MAIL_PURPOSES, sentMails } from '../../kit/db/tables.ts'
import { tooOften } from '../../kit/lib/errors.ts'
import { addDays, formatInstant, HOUR_MS, toEpoch } from '../../kit/lib/time.ts'
import { mailboxOf } from '../../kit/work/mail.ts'

// The transaction that makes an e-mail counts it, before it is sent, and deletions don't change the count.
// Simultaneous requests therefore can't send more e-mails than consecutive requests, and nobody gets further
// e-mails by deleting the rows that earlier e-mails were about.

/**
 * The most links within a day: for one user, for all visitors together, to one mailbox, whoever asks, and for
 * the whole calendar. Visitors leave half of the calendar's links to users.
 */
const MAX_LINKS = { byUser: 10, byVisitors: 50, toAddress: 3, all: 100 } as const

/** The most tests of letters within an hour, for the whole calendar. */
const MAX_TESTS = 10

/** An e-mail that the caller wants to have sent at once. */
type MailToCount = { purpose: (typeof MAIL_PURPOSES)[number]; email: string }

type Sender = CallerContext

function tooManyMailsSql({ caller, clock }: Sender, { purpose, email }: MailToCount): SQL {
  const tooManySql = {
    link: sql`count(*) >= ${MAX_LINKS.all}
      OR total(user_id = ${caller.id}) >= ${caller.role === 'anonymous' ? MAX_LINKS.byVisitors : MAX_LINKS.byUser}
      OR total(email = ${mailboxOf(email)}) >= ${MAX_LINKS.toAddress}`,
    test: sql`count(*) >= ${MAX_TESTS}`,
  }[purpose]
  const sentSince =
    purpose === 'link' ? addDays(clock.now(), -1) : formatInstant(toEpoch(clock.now()) - HOUR_MS)
  return sql`(SELECT ${tooManySql} FROM ${sentMails} WHERE purpose = ${purpose} AND ${gt(sentMails.created_utc, sentSince)})`
}

/** A query that tells whether an e-mail would be one too many. */
export const mailTooManyQuery = (sender: Sender, mail: MailToCount): Query<boolean> =>
  mapQuery(
    first(sql`SELECT ${tooManyMailsSql(sender, mail)} AS is_too_many`, row => row.is_too_many === 1),
    isTooMany => isTooMany ?? false,
  )

/**
 * The statements that count an e-mail, in the transaction before it is sent; a conflict if it would be one
 * too many.
 */
export const mailCountStatements = (sender: Sender, mail: MailToCount): Statement[] => [
  conflictIf(tooManyMailsSql(sender, mail)),
  build.insert(sentMails).values({
    purpose: mail.purpose,
    email: mailboxOf(mail.email),
    user_id: sender.caller.id,
    created_utc: sender.clock.now(),
    expires_utc: addDays(sender.clock.now(), 1),
  }),
]

/** @throws ApiError `rest_too_many_requests` if a link would be one too many */
export function assertFewMailedLinks(isTooMany: boolean): void {
  if (isTooMany)
    throw tooOften(
      'Too many links were sent to this address, by you or by all users, within a day. Please try again tomorrow.',
    )
}

/** @throws ApiError `rest_too_many_requests` if a test would be one too many */
export function assertFewTests(isTooMany: boolean): void {
  if (isTooMany) throw tooOften('Too many tests within an hour. Please try again later.')
}
