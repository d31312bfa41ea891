import { type SQL, sql } from 'drizzle-orm'
import type { CalendarContext, RequestContext } from '../../kit/context.ts'
import { literal, mapQuery, type Query } from '../../kit/db/query.ts'
import { ApiError, tooOften } from '../../kit/lib/errors.ts'
import { HOUR_MS } from '../../kit/lib/time.ts'
import { type Count, countsOfNetwork, hiddenKey, selectUsedUp } from '../../kit/work/counts.ts'
import { mailboxOf, mailedFeature, mayWriteToStrangers } from '../../kit/work/mail.ts'
import { FIRST_MAILS, OWN_CHANGES } from './budgets.ts'

// A calendar that collects people's data has to say what it does with the data.
const mailedRegistration = mailedFeature(
  settings =>
    settings.registrations.firstMails > 0 &&
    settings.website.links.privacy !== '' &&
    mayWriteToStrangers(settings),
  'Nobody can register here: the calendar has no imprint, no privacy page or no pages, or REGISTRATION_FIRST_MAILS is 0.',
)
/** True if people can register here. */
export const isRegistrationOn = mailedRegistration.isOn
export const requireRegistrationMailer = mailedRegistration.requireMailerIfOn

/** The changes on somebody's own page. @param id of the person */
export const ownChanges = (id: number): Count => ({
  key: `changes of registrant ${id}`,
  limit: OWN_CHANGES,
  per: 'day',
})

// First e-mails go to any address that a stranger enters, so they are counted per mailbox, network and event,
// and in total.

/** A count, and what its limit is for. */
type FirstMailCount = Count & { scope: 'all' | 'event' | 'network' | 'mailbox' }

type FirstMailCounts = readonly FirstMailCount[]

/**
 * The counts that are the same for everybody: an event takes at most half of all e-mails, to leave some for
 * others.
 * @param id an expression
 */
function countsForAll({ settings }: CalendarContext, id: SQL): FirstMailCount[] {
  const { firstMails } = settings.registrations
  const eventLimit = Math.ceil(firstMails / 2)
  return [
    { key: 'registrations', limit: firstMails, per: 'day', scope: 'all' },
    { key: sql`'registrations for ' || ${id}`, limit: eventLimit, per: 'day', scope: 'event' },
  ]
}

/**
 * The counts of a first e-mail to an address.
 *
 * @param input.secret of the database
 * @param input.isRepeated true if an address on the list is entered again: it gets one e-mail a day, besides
 *   those before it was confirmed
 */
export async function countsOfFirstMail(
  context: RequestContext,
  {
    secret,
    email,
    registration,
    isRepeated,
  }: { secret: string; email: string; registration: number; isRepeated: boolean },
): Promise<FirstMailCounts> {
  const mailbox = await hiddenKey(secret, 'registrations to', mailboxOf(email))
  const networks = await countsOfNetwork(context, secret, {
    name: 'registrations from',
    limit: context.settings.turnstile ? FIRST_MAILS.ofNetworkWithTurnstile : FIRST_MAILS.ofNetwork,
    per: 'hour',
  })
  return [
    ...countsForAll(context, literal(registration)),
    { key: mailbox, limit: FIRST_MAILS.ofMailbox, per: 'day', scope: 'mailbox' },
    {
      key: `${mailbox} for ${registration}${isRepeated ? ' again' : ''}`,
      limit: isRepeated ? 1 : FIRST_MAILS.ofMailboxAndEvent,
      per: 'day',
      scope: 'mailbox',
    },
    ...networks.map(count => ({ ...count, scope: 'network' as const })),
  ]
}

/**
 * Refuses a first e-mail if there are too many in total, for an event, or for a network.
 *
 * @throws ApiError `rest_registration_mails_used_up`, `rest_too_many_requests`
 */
export function assertNotUsedUp(usedUp: FirstMailCounts): void {
  const isForAll = isUsedUp(usedUp, 'all')
  if (isForAll || isUsedUp(usedUp, 'event'))
    throw new ApiError(
      'rest_registration_mails_used_up',
      isForAll
        ? 'This calendar can send no more e-mails about registrations today. Please ask the organizer.'
        : 'No more e-mails about registrations for this event can be sent today. Please ask the organizer.',
      { retry_after: HOUR_MS / 1000 },
    )
  if (isUsedUp(usedUp, 'network'))
    throw tooOften('Too many people have registered from your network. Please try again later.')
}

const isUsedUp = (usedUp: FirstMailCounts, scope: FirstMailCount['scope']): boolean =>
  usedUp.some(count => count.scope === scope)

/** True if a mailbox has had all its e-mails, which nobody else must find out. */
export const isMailboxUsedUp = (usedUp: FirstMailCounts): boolean => isUsedUp(usedUp, 'mailbox')

/**
 * The counts of an e-mail that isn't sent because its mailbox has had enough. It still counts for its network
 * and in total: otherwise limits would reveal which mailboxes have had theirs.
 */
export const countsOfSilence = (counts: FirstMailCounts): FirstMailCounts =>
  counts.filter(({ scope }) => scope !== 'mailbox')

export const keysOf = (counts: FirstMailCounts, scope: FirstMailCount['scope']): string =>
  JSON.stringify(counts.flatMap(count => (count.scope === scope ? [count.key] : [])))

/**
 * A query that tells whether a registration, or the calendar, has used up its first e-mails of the day.
 *
 * @param id an expression
 */
export const selectDayUsedUp = (context: CalendarContext, id: SQL): Query<boolean> =>
  mapQuery(selectUsedUp(context.clock, countsForAll(context, id)), usedUp => usedUp.length > 0)
