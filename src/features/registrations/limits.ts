import { type SQL, sql } from 'drizzle-orm'
import type { CalendarContext, RequestContext } from '../../kit/context.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { many, mapQuery, type Query, readText, type Statement } from '../../kit/db/query.ts'
import { ApiError, tooOften } from '../../kit/lib/errors.ts'
import { widerNetworkOf } from '../../kit/lib/network.ts'
import { DAY_MS, dayOf, formatInstant, HOUR_MS, startOfDay, toEpoch } from '../../kit/lib/time.ts'
import { keyedHash } from '../../kit/work/day-keys.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import { mailboxOf, mailedFeature, mayWriteToStrangers } from '../../kit/work/mail.ts'
import { FIRST_MAILS } from './budgets.ts'
import { registrationCounts } from './tables.ts'

// A calendar that collects people's data has to say what it does with it.
const mailedRegistration = mailedFeature(
  settings =>
    settings.registrations.firstMails > 0 &&
    settings.website.links.privacy !== '' &&
    mayWriteToStrangers(settings),
  'Nobody can register here: the calendar has no imprint, no privacy page or no pages, or REGISTRATION_FIRST_MAILS is 0.',
)
/** True if people can register here. */
export const isRegistrationOn = mailedRegistration.isOn
export const assertRegistrationOn = mailedRegistration.assertOn

// First e-mails go to any address that a stranger enters, so they are counted per mailbox, network and event,
// and in total. The transaction that counts an e-mail fails if it is one too many.

/** A count with its limit, and what the limit is for. */
type Count = { key: string; limit: number; untilMs: number; of: 'all' | 'event' | 'network' | 'mailbox' }

type Counts = readonly Count[]

/** The most first e-mails per day about one event: half of all, to leave some for others. */
const maxOfEvent = (firstMails: number): number => Math.ceil(firstMails / 2)

/**
 * The counts of a first e-mail to an address.
 *
 * @param input.secret of the database
 * @param input.isRepeated true if an address on the list is entered again: it gets one e-mail a day, besides
 *   those before it was confirmed
 */
export async function countsOf(
  context: RequestContext,
  {
    secret,
    email,
    registration,
    isRepeated,
  }: { secret: string; email: string; registration: number; isRepeated: boolean },
): Promise<Counts> {
  const { network, clock, settings } = context
  const { firstMails } = settings.registrations
  const digest = (text: string) => keyedHash({ key: secret }, `registrations ${text}`)
  const [day, hour] = [dayOf(clock.now()), clock.now().slice(0, 13)]
  const [dayEndMs, hourEndMs] = [toEpoch(startOfDay(day)) + DAY_MS, toEpoch(`${hour}:00:00`) + HOUR_MS]
  const mailbox = await digest(mailboxOf(email))
  const ofNetwork = settings.turnstile ? FIRST_MAILS.ofNetworkWithTurnstile : FIRST_MAILS.ofNetwork
  const counts: Count[] = [
    { key: `all ${day}`, limit: firstMails, untilMs: dayEndMs, of: 'all' },
    { key: `event ${registration} ${day}`, limit: maxOfEvent(firstMails), untilMs: dayEndMs, of: 'event' },
    { key: `mailbox ${mailbox} ${day}`, limit: FIRST_MAILS.ofMailbox, untilMs: dayEndMs, of: 'mailbox' },
    {
      key: `mailbox ${mailbox} ${registration} ${isRepeated ? 'known ' : ''}${day}`,
      limit: isRepeated ? 1 : FIRST_MAILS.ofMailboxAndEvent,
      untilMs: dayEndMs,
      of: 'mailbox',
    },
  ]
  if (network === undefined) return counts
  // For IPv4 both are the same network, and the lower limit holds.
  const networks = new Map([
    [widerNetworkOf(network), ofNetwork * FIRST_MAILS.widerNetworkFactor],
    [network, ofNetwork],
  ])
  for (const [each, limit] of networks)
    counts.push({ key: `network ${await digest(each)} ${hour}`, limit, untilMs: hourEndMs, of: 'network' })
  return counts
}

export const selectUsedUp = (counts: Counts): Query<Count[]> =>
  mapQuery(
    many(
      sql`SELECT key FROM ${registrationCounts} WHERE ${anyOf(counts, ({ key, limit }) => sql`(key = ${key} AND n >= ${limit})`)}`,
      { key: readText },
    ),
    rows => counts.filter(({ key }) => rows.some(row => row.key === key)),
  )

/** True for any of the counts, in a form in which SQLite looks up each key. */
const anyOf = (counts: Counts, condition: (count: Count) => SQL): SQL =>
  sql.join(counts.map(condition), sql` OR `)

/**
 * Refuses what is too much for everybody, for an event, or for a network.
 *
 * @throws ApiError `rest_registration_mails_used_up`, `rest_too_many_requests`
 */
export function assertNotUsedUp(usedUp: Counts): void {
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

const isUsedUp = (usedUp: Counts, scope: Count['of']): boolean => usedUp.some(count => count.of === scope)

/** True if a mailbox has had all its e-mails, which nobody else must find out. */
export const isMailboxUsedUp = (usedUp: Counts): boolean => isUsedUp(usedUp, 'mailbox')

/**
 * The statements that count an e-mail. One that isn't sent because its mailbox has had enough still counts
 * for its network and in total: otherwise limits would reveal which mailboxes have had theirs. Conflicts if
 * it is one too many.
 */
export function countStatements(counts: Counts, { isSilent }: { isSilent: boolean }): Statement[] {
  const counted = isSilent ? counts.filter(({ of }) => of !== 'mailbox') : counts
  const rows = counted.map(({ key, untilMs }) => sql`(${key}, 1, ${formatInstant(untilMs)})`)
  return [
    sql`INSERT INTO ${registrationCounts} (key, n, until_utc) VALUES ${sql.join(rows, sql`, `)}
      ON CONFLICT (key) DO UPDATE SET n = n + 1`,
    conflictIf(
      sql`EXISTS (SELECT 1 FROM ${registrationCounts}
        WHERE ${anyOf(counted, ({ key, limit }) => sql`(key = ${key} AND n > ${limit})`)})`,
    ),
  ]
}

/**
 * The statement that gives counts back.
 *
 * @param keys a JSON array, or an expression of one; NULL gives nothing back
 */
export const returnOfCounts = (keys: string | SQL): Statement =>
  sql`UPDATE ${registrationCounts} SET n = max(0, n - 1) WHERE key IN (SELECT value FROM json_each(${keys}))`

export const keysOf = (counts: Counts, scope: Count['of']): string =>
  JSON.stringify(counts.flatMap(count => (count.of === scope ? [count.key] : [])))

/**
 * A query that tells whether a registration, or the calendar, has used up its first e-mails of the day: the
 * counts `event` and `all` of {@link countsOf}.
 *
 * @param id an expression
 */
export const selectDayUsedUp = ({ clock, settings }: CalendarContext, id: SQL): Query<boolean> => {
  const [day, { firstMails }] = [dayOf(clock.now()), settings.registrations]
  return mapQuery(
    many(
      sql`SELECT 1 FROM ${registrationCounts} WHERE (key = ${`all ${day}`} AND n >= ${firstMails})
        OR (key = 'event ' || ${id} || ' ' || ${day} AND n >= ${maxOfEvent(firstMails)})`,
      () => true,
    ),
    rows => rows.length > 0,
  )
}

/** Counts of hours and days that are over. */
export const oldCounts = (nowMs: number): DueRows => ({
  name: 'counts of registrations',
  rowName: 'count of registrations',
  table: registrationCounts,
  due: sql`until_utc < ${formatInstant(nowMs)}`,
  limit: 1_000,
})
