import type { RequestContext } from '../../../kit/context.ts'
import { tooOften } from '../../../kit/lib/errors.ts'
import { type Count, countsOfNetwork, hiddenKey } from '../../../kit/work/counts.ts'
import { mailboxOf, mailedFeature, mayWriteToStrangers } from '../../../kit/work/mail.ts'

const mailedNews = mailedFeature(
  settings => settings.newsFirstMails > 0 && mayWriteToStrangers(settings),
  'Nobody can sign up to news here: the calendar has no imprint or no pages, or NEWS_FIRST_MAILS is 0.',
)
export const isNewsOn = mailedNews.isOn
export const requireNewsMailer = mailedNews.requireMailerIfOn

// First e-mails have limits of their own, so that strangers who sign up others don't use up the limits for
// links to users and senders.

/** The most sign-ups from a network within an hour. */
const MAX_FROM_NETWORK = 3

/** The key of the count of all sign-ups. */
export const ALL_SIGN_UPS = 'news'

/**
 * The counts of a sign-up. The count of its mailbox is separate: if it is used up, the sign-up sends no
 * e-mail and says nothing. It still counts for its network and in total: otherwise limits would tell which
 * addresses have been sent an e-mail.
 */
export type SignUpCounts = { mailbox: Count & { key: string }; others: readonly Count[] }

/** @param secret of the database */
export async function countsOfSignUp(
  context: RequestContext,
  secret: string,
  email: string,
): Promise<SignUpCounts> {
  const all = { key: ALL_SIGN_UPS, limit: context.settings.newsFirstMails, per: 'day' } as const
  const limit = MAX_FROM_NETWORK
  const networks = await countsOfNetwork(context, secret, { name: 'news from', limit, per: 'hour' })
  return {
    mailbox: { key: await hiddenKey(secret, 'news to', mailboxOf(email)), limit: 1, per: 'day' },
    others: [all, ...networks],
  }
}

/** @throws ApiError `rest_too_many_requests` */
export function assertWithinLimits(usedUp: readonly Count[]): void {
  if (usedUp.length > 0)
    throw tooOften(
      'Too many people have signed up for news, from your network or in total. Please try again later.',
    )
}
