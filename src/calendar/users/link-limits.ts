import type { CallerContext } from '../../kit/context.ts'
import { tooOften } from '../../kit/lib/errors.ts'
import type { Count } from '../../kit/work/counts.ts'
import { mailboxOf } from '../../kit/work/mail.ts'

/**
 * The most links that are sent by e-mail within a day: for one user, for all visitors together, to one
 * mailbox (whoever asks), and in all. Visitors can use only half of all, so that users keep the rest.
 */
const MAX_LINKS = { byUser: 10, byVisitors: 50, toMailbox: 3, all: 100 } as const

/** The counts of a link that the caller wants to have sent at once. */
export const countsOfLink = ({ caller }: Pick<CallerContext, 'caller'>, email: string): Count[] => [
  { key: 'links', limit: MAX_LINKS.all, per: 'day' },
  caller.role === 'anonymous'
    ? { key: 'links by visitors', limit: MAX_LINKS.byVisitors, per: 'day' }
    : { key: `links by ${caller.id}`, limit: MAX_LINKS.byUser, per: 'day' },
  { key: `links to ${mailboxOf(email)}`, limit: MAX_LINKS.toMailbox, per: 'day' },
]

/** @throws ApiError `rest_too_many_requests` if a link would be one too many */
export function assertFewMailedLinks(usedUp: readonly Count[]): void {
  if (usedUp.length > 0)
    throw tooOften(
      'Too many links were sent to this address, by you or by all users, within a day. Please try again tomorrow.',
    )
}
