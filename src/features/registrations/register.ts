import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, Mailer, RequestContext } from '../../kit/context.ts'
import { conflictIf, isUniqueViolation, retryConflicts } from '../../kit/db/failures.ts'
import { combineQueries, countOf, first, mapQuery, type Query, readText } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events } from '../../kit/db/tables.ts'
import { selectSecret } from '../../kit/http/personal-links.ts'
import { assertHumanOnce } from '../../kit/http/turnstile.ts'
import type { Clock } from '../../kit/lib/clock.ts'
import { ApiError, type ValidationErrors } from '../../kit/lib/errors.ts'
import { languageFor } from '../../kit/lib/languages.ts'
import { codedReason, MISSING } from '../../kit/lib/reasons.ts'
import { countReturnStatement, countStatements, selectUsedUp } from '../../kit/work/counts.ts'
import { isOwnMailbox, OWN_ADDRESS, refusalSubject, requireMailer, sendMail } from '../../kit/work/mail.ts'
import { assertNotUsedUp, countsOfFirstMail, countsOfSilence, isMailboxUsedUp, keysOf } from './limits.ts'
import { type RegistrantRow, selectPersonById } from './links.ts'
import { firstMailInsertStatement } from './mail-queue.ts'
import { firstMail } from './mails.ts'
import {
  conflictIfEnded,
  knownDates,
  NOTHING_TOLD,
  noRegistration,
  type OccasionWithRegistration,
  registrationMeetsSql,
} from './occasion.ts'
import { freeToAllSql, knownDatesStatement, positionAtEnd } from './places.ts'
import { maxPlacesOfNewcomer, phaseOf, registrationState } from './rules.ts'
import type { RegistrationFields } from './schema.ts'
import { registrants, registrations, sameEmailSql, UNCONFIRMED, unconfirmedSql } from './tables.ts'

// Registering: the form, the first e-mail, and the confirmation of the address.

/** @throws ApiError if nobody can register, which depends on the event alone */
function assertOpenFor(occasion: OccasionWithRegistration, clock: Clock): void {
  const state = registrationState(occasion, clock)
  if (state === 'full')
    throw new ApiError('rest_registration_full', 'All places are taken, and there is no waiting list.')
  if (state === 'soon' || state === 'closed')
    throw new ApiError(
      'rest_registration_closed',
      state === 'soon' ? 'Registration has not opened yet.' : 'Registration has closed.',
    )
}

type NewPerson = Pick<RegistrantRow, 'name' | 'email' | 'places' | 'answer' | 'question' | 'language'>

type NewRegistration = NewPerson & { turnstile: string | undefined }

/** Checks what depends on the event, and adds what was not given. */
export function checkRegistration(
  { settings }: BaseContext,
  occasion: OccasionWithRegistration,
  {
    name = '',
    email = '',
    places = 1,
    answer = '',
    language,
    consent,
    turnstile,
  }: Partial<RegistrationFields>,
  errors: ValidationErrors,
): NewRegistration {
  if (isOwnMailbox(settings, email)) errors.add('email', OWN_ADDRESS)
  if (email === '' && !errors.has('email')) errors.add('email', MISSING)
  if (consent !== true) errors.add('consent', codedReason('unticked', 'must be true'))
  const maxPlaces = maxPlacesOfNewcomer(occasion)
  if (places > maxPlaces)
    errors.add(
      'places',
      codedReason('no_number', `must be a number from 1 to ${maxPlaces}`, { from: 1, to: maxPlaces }),
    )
  const { question } = occasion.registration
  return {
    name,
    email,
    places,
    ...(question === '' || answer === '' ? { answer: '', question: '' } : { answer, question }),
    language: languageFor(language, settings.website.language),
    turnstile,
  }
}

/**
 * Takes a registration, and sends its first e-mail after the response. Somebody already on the list gets the
 * link to their page instead, and nothing changes. Callers don't learn which of the two happened, nor from
 * the time that it takes.
 *
 * @throws ApiError if nobody can register, and for too many e-mails
 */
export async function registerPerson(
  context: RequestContext,
  occasion: OccasionWithRegistration,
  { turnstile, ...person }: NewRegistration,
): Promise<void> {
  const mailer = requireMailer(context.mailer)
  assertOpenFor(occasion, context.clock)
  await assertHumanOnce(context, turnstile)
  const mailFacts = await retryConflicts(() => recordFirstMail(context, occasion, person.email, person))
  if (mailFacts) sendAfterResponse(context, mailer, mailFacts)
}

type FirstMailFacts = NonNullable<Awaited<ReturnType<typeof recordFirstMail>>>

/**
 * Sends a first e-mail after the response. If the platform refuses it because of the calendar, it waits for
 * the cron; if because of its recipient, it does not count, because it was certainly not sent.
 */
function sendAfterResponse(context: RequestContext, mailer: Mailer, mailFacts: FirstMailFacts): void {
  const { person, isOnList, counts } = mailFacts
  context.afterResponse(async () => {
    const { state, reason } = await sendMail(mailer, await firstMail(context, mailFacts))
    if (state !== 'refused') return
    await context.db.write([
      refusalSubject(reason) === 'calendar'
        ? firstMailInsertStatement(isOnList ? 'known' : 'ask', person)
        : countReturnStatement(keysOf(counts, 'mailbox'), { at: context.clock.now(), per: 'day' }),
    ])
  })
}

const stillUnconfirmedSql = ({ id, version }: RegistrantRow): SQL =>
  sql`${registrants.id} = ${id} AND ${registrants.version} = ${version} AND ${unconfirmedSql(registrants.state)}`

const selectPersonByEmail = (registration: number, email: string): Query<RegistrantRow | undefined> =>
  first(
    build
      .select()
      .from(registrants)
      .where(and(eq(registrants.registration_id, registration), sameEmailSql(email))),
  )

/** @param isOnList false for somebody who has been told nothing of the dates so far */
const selectKnownDates = (registration: number, isOnList: boolean): Query<string | undefined> =>
  mapQuery(
    first(sql`SELECT ${knownDates(registration, isOnList ? undefined : NOTHING_TOLD)} AS dates`, {
      dates: readText,
    }),
    row => row?.dates,
  )

/**
 * Stores an unconfirmed registrant, replacing an earlier request, whose link would confirm something else.
 */
const storeQuery = (
  registration: number,
  stored: RegistrantRow | undefined,
  values: Omit<typeof registrants.$inferInsert, 'registration_id'>,
): Query<RegistrantRow | undefined> =>
  first(
    stored
      ? build
          .update(registrants)
          .set({ ...values, version: stored.version + 1 })
          .where(eq(registrants.id, stored.id))
          .returning()
      : build
          .insert(registrants)
          .values({ ...values, registration_id: registration })
          .returning(),
  )

/**
 * Counts the first e-mail to an address. If the address is not on the list, it also stores the registration
 * that the e-mail asks to confirm.
 *
 * @param newPerson undefined to send the link again, which only addresses on the list get
 * @returns what the e-mail says; undefined if none is to be sent
 * @throws ApiError `rest-registration-not-found` if it has ended in the meantime
 */
async function recordFirstMail(
  context: RequestContext,
  { registration: { id } }: OccasionWithRegistration,
  email: string,
  newPerson?: NewPerson,
) {
  const { db } = context
  const { secret, stored, registrationCount } = await db.read(
    combineQueries({
      secret: selectSecret(),
      stored: selectPersonByEmail(id, email),
      registrationCount: countOf(sql`${registrations} WHERE id = ${id}`),
    }),
  )
  if (registrationCount === 0) throw noRegistration()
  const isOnList = stored !== undefined && stored.state !== UNCONFIRMED
  const isRepeated = isOnList && newPerson !== undefined
  const counts = await countsOfFirstMail(context, { secret, email, registration: id, isRepeated })
  const values = { network_counts: keysOf(counts, 'network'), created_utc: context.clock.now() }
  const personQuery = isOnList
    ? selectPersonById(stored.id)
    : newPerson && storeQuery(id, stored, { ...newPerson, ...values })
  const usedUp = await db.read(selectUsedUp(context.clock, counts))
  assertNotUsedUp(usedUp)
  const queryToRun = isMailboxUsedUp(usedUp) ? undefined : personQuery
  const counted = queryToRun ? counts : countsOfSilence(counts)
  const counting = [conflictIfEnded(id), ...countStatements(context.clock, counted)]
  if (!queryToRun) {
    await db.write(counting)
    return undefined
  }
  try {
    const { person, dates = '[]' } = await db.write(
      // What was confirmed since it was read stays as it is, and its link keeps working.
      stored && !isOnList
        ? [
            ...counting,
            conflictIf(sql`NOT EXISTS (SELECT 1 FROM ${registrants} WHERE ${stillUnconfirmedSql(stored)})`),
          ]
        : counting,
      combineQueries({ person: queryToRun, dates: selectKnownDates(id, isOnList) }),
    )
    return person && { secret, person, dates, counts, isOnList }
  } catch (error) {
    // The same address was registered at the same time.
    if (isUniqueViolation(error, registrants.email)) return undefined
    throw error
  }
}

/** Sends somebody on the list the link to their page again, after the response. Callers learn nothing of it. */
export async function resendLink(
  context: RequestContext,
  occasion: OccasionWithRegistration,
  email: string,
): Promise<void> {
  const mailer = requireMailer(context.mailer)
  const mailFacts = await retryConflicts(() => recordFirstMail(context, occasion, email))
  if (mailFacts) sendAfterResponse(context, mailer, mailFacts)
}

/**
 * Confirms an address. One statement checks for free places and takes them. If there are not enough, the
 * registration goes to the waiting list, or is erased if the event has no waiting list.
 *
 * @returns the outcome; undefined if the registration no longer exists
 * @throws a conflict, after which callers read again, if the event has been changed in the meantime
 */
export async function confirmPerson(
  { db, clock }: BaseContext,
  occasion: OccasionWithRegistration,
  person: RegistrantRow,
): Promise<RegistrantRow | undefined> {
  if (phaseOf(occasion, clock) !== 'on') return person
  const id = registrants.registration_id
  const passAllowedSql = freeToAllSql(id, sql`${registrants.places}`)
  const waitAllowedSql = registrationMeetsSql(id, sql`r.waiting_list`)
  const samePersonSql = stillUnconfirmedSql(person)
  const { id: event, version } = occasion.event
  return db.write(
    [
      // If the event was hidden meanwhile, the first person on its list would know no date, and hear of no
      // change.
      conflictIf(
        sql`NOT EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${event} AND ${events.version} = ${version})`,
      ),
      knownDatesStatement(occasion.registration.id),
      // This runs before the state changes, so that pressing the button again gives nothing back.
      countReturnStatement(
        sql`(SELECT ${registrants.network_counts} FROM ${registrants} WHERE ${samePersonSql})`,
        {
          at: person.created_utc,
          per: 'hour',
        },
      ),
      sql`UPDATE ${registrants} SET state = iif(${passAllowedSql}, 'confirmed', 'waiting'), position = ${positionAtEnd(id)}
        WHERE ${samePersonSql} AND (${passAllowedSql} OR ${waitAllowedSql})`,
      // Deletes only if the update has left the state as it was: there is no place, and no waiting list.
      build.delete(registrants).where(samePersonSql),
    ],
    selectPersonById(person.id),
  )
}
