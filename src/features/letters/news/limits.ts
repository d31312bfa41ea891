import { and, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, RequestContext } from '../../../kit/context.ts'
import { conflictIf } from '../../../kit/db/failures.ts'
import { first, mapQuery, type Query, type Statement } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { tooOften } from '../../../kit/lib/errors.ts'
import { addDays, DAY_MS, formatInstant, HOUR_MS, toEpoch } from '../../../kit/lib/time.ts'
import { keyedHash, readDayKeys } from '../../../kit/work/day-keys.ts'
import type { DueRows } from '../../../kit/work/due-rows.ts'
import { mailboxOf, mailedFeature, mayWriteToStrangers } from '../../../kit/work/mail.ts'
import { newsMails } from '../tables.ts'

const mailedNews = mailedFeature(
  settings => settings.newsFirstMails > 0 && mayWriteToStrangers(settings),
  'Nobody can sign up to news here: the calendar has no imprint or no pages, or NEWS_FIRST_MAILS is 0.',
)
export const isNewsOn = mailedNews.isOn
export const assertNewsOn = mailedNews.assertOn

// First e-mails have limits of their own: strangers who sign up others take nothing from the links of users
// and senders. The transaction that counts a first e-mail fails if it is one too many, and deleting a
// subscriber doesn't change the count.

/** Within an hour. */
const MAX_OF_NETWORK = 3

/** A sign-up, by the keyed digests that its mailbox and its network have today and had yesterday. */
export type SignUp = { address: readonly string[]; network: readonly string[] }

/** A sign-up from the network of the request. Networks are unknown where Cloudflare is not in front. */
export async function signUpOf(context: RequestContext, email: string): Promise<SignUp> {
  const keys = await readDayKeys(context)
  const digests = (text: string) => Promise.all(keys.map(key => keyedHash(key, text)))
  const { network } = context
  return {
    address: await digests(`news of ${mailboxOf(email)}`),
    network: network === undefined ? [] : await digests(`news from ${network}`),
  }
}

const withinDaySql = ({ clock }: Pick<BaseContext, 'clock'>): SQL =>
  gt(newsMails.at_utc, addDays(clock.now(), -1))

/** A condition that is true if a sign-up would be one too many, of all or of its network. */
function tooManySignUpsSql(context: BaseContext, { network }: SignUp): SQL {
  const hourAgo = formatInstant(toEpoch(context.clock.now()) - HOUR_MS)
  const ofNetworkSql = network.length > 0 ? inArray(newsMails.network, [...network]) : sql`0`
  return sql`(SELECT count(*) >= ${context.settings.newsFirstMails}
    OR total(${gt(newsMails.at_utc, hourAgo)} AND ${ofNetworkSql}) >= ${MAX_OF_NETWORK}
    FROM ${newsMails} WHERE ${withinDaySql(context)})`
}

/** A condition that is true if an address was sent a first e-mail within the last day. */
const mailedBeforeSql = (context: BaseContext, { address }: SignUp): SQL =>
  sql`EXISTS (SELECT 1 FROM ${newsMails} WHERE ${withinDaySql(context)} AND ${inArray(newsMails.address, [...address])})`

export const selectSignUpLimits = (
  context: BaseContext,
  signUp: SignUp,
): Query<{ isUsedUp: boolean; wasMailed: boolean }> =>
  mapQuery(
    first(
      sql`SELECT ${tooManySignUpsSql(context, signUp)} AS used_up, ${mailedBeforeSql(context, signUp)} AS mailed`,
      row => ({ isUsedUp: row.used_up === 1, wasMailed: row.mailed === 1 }),
    ),
    limits => limits ?? { isUsedUp: true, wasMailed: true },
  )

/**
 * The statements that count a sign-up, even if its address gets no e-mail: otherwise, the limit would tell
 * which addresses have been sent one. A sign-up without an e-mail counts towards the limits of the calendar
 * and the network, but not of the address. The transaction fails with a conflict if a limit is exceeded.
 *
 * @param isSilent true if the address gets no e-mail
 */
export const signUpCountStatements = (
  context: BaseContext,
  signUp: SignUp,
  { isSilent }: { isSilent: boolean },
): Statement[] => [
  conflictIf(
    or(tooManySignUpsSql(context, signUp), isSilent ? undefined : mailedBeforeSql(context, signUp)) ?? sql`0`,
  ),
  build.insert(newsMails).values({
    at_utc: context.clock.now(),
    address: isSilent ? '' : (signUp.address[0] ?? ''),
    network: signUp.network[0] ?? '',
  }),
]

/**
 * The statement after which an address may have another first e-mail, because that of this sign-up was not
 * sent.
 */
export const addressReset = (
  { clock }: Pick<BaseContext, 'clock'>,
  { address, network }: SignUp,
): Statement =>
  build
    .update(newsMails)
    .set({ address: '' })
    .where(
      and(
        eq(newsMails.at_utc, clock.now()),
        eq(newsMails.address, address[0] ?? ''),
        eq(newsMails.network, network[0] ?? ''),
      ),
    )

/** @throws ApiError `rest_too_many_requests` */
export function assertWithinLimits({ isUsedUp }: { isUsedUp: boolean }): void {
  if (isUsedUp)
    throw tooOften(
      'Too many people have signed up for news, from your network or in total. Please try again later.',
    )
}

/** Rows that no longer count. @param nowMs epoch milliseconds */
export const oldNewsMails = (nowMs: number): DueRows => ({
  name: 'first mails of news',
  rowName: 'first mail of news',
  table: newsMails,
  due: sql`at_utc < ${formatInstant(nowMs - DAY_MS)}`,
  limit: 1_000,
})
