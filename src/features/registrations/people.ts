import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { BaseContext, RequestContext } from '../../kit/context.ts'
import { auditEntries } from '../../kit/db/audit.ts'
import { decodeRow } from '../../kit/db/columns.ts'
import { conflictIf, isUniqueViolation, retryConflicts } from '../../kit/db/failures.ts'
import {
  combineQueries,
  countOf,
  first,
  literal,
  many,
  mapQuery,
  type Query,
  type RawRow,
  readNumber,
  readText,
  rowLimit,
  type Statement,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { type ListSlice, type Rows, withTotal } from '../../kit/http/lists.ts'
import { selectSecret } from '../../kit/http/personal-links.ts'
import { assertHuman } from '../../kit/http/turnstile.ts'
import type { Clock } from '../../kit/lib/clock.ts'
import { ApiError, foundOrThrow, type ValidationErrors } from '../../kit/lib/errors.ts'
import { languageFor } from '../../kit/lib/languages.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import {
  assertMailer,
  isOwnMailbox,
  OWN_ADDRESS,
  refusalSubject,
  sendInRequest,
  sendMail,
} from '../../kit/work/mail.ts'
import { REGISTRATION_WORK } from './budgets.ts'
import {
  assertNotUsedUp,
  countStatements,
  countsOf,
  isMailboxUsedUp,
  keysOf,
  returnOfCounts,
  selectUsedUp,
} from './limits.ts'
import { personById, type RegistrantRow } from './links.ts'
import { firstMail } from './mails.ts'
import {
  conflictIfEnded,
  knownDates,
  maxPlacesOfNewcomer,
  noRegistration,
  type OccasionWithRegistration,
  peopleInLine,
  phaseOf,
  type RegistrationId,
  registrationState,
  registrationWithId,
} from './occasion.ts'
import type { byHandFields, RegistrationFields, registrantFields } from './schema.ts'
import { registrants, registrationMails, registrations, UNCONFIRMED, unconfirmedSql } from './tables.ts'

const columns = getTableColumns(registrants)

// Taking a place and giving it back.

/** A condition: that many places are free, even if somebody waits for them. */
const enoughRoomSql = (id: RegistrationId, places: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${registrationWithId(id)}
    AND (r.places IS NULL OR r.taken + ${places} <= r.places))`

/** The next number in the order of confirming: the index has the last one of each state. */
function nextPosition(id: RegistrationId): SQL {
  const last = (state: SQL) =>
    sql`coalesce((SELECT max(p.position) FROM ${registrants} AS p
      WHERE p.registration_id = ${id} AND p.state = ${state}), 0)`
  return sql`max(${last(sql`'confirmed'`)}, ${last(sql`'waiting'`)}) + 1`
}

const REGISTRATION_ID = registrants.registration_id
const PERSONS_PLACES = sql`${registrants.places}`

/** A condition: that many places are free, and it is nobody else's turn. */
const freeToAllSql = (id: RegistrationId, places: SQL): SQL =>
  sql`(${enoughRoomSql(id, places)} AND NOT EXISTS (SELECT 1 FROM ${peopleInLine(id)}))`

/**
 * The statement that gives places to people on the waiting list, strictly in order. A registration moves up
 * as soon as all of its places are free. It handles only the first registrations, and the cron handles the
 * rest.
 */
export const moveUpStatement = (id: number): Statement =>
  sql`UPDATE ${registrants} SET state = 'confirmed' WHERE id IN (
    SELECT line.id FROM ${registrations} AS r
    CROSS JOIN (SELECT id, sum(places) OVER (ORDER BY position) AS upto FROM (
      SELECT id, places, position FROM ${peopleInLine(id)}
      ORDER BY position LIMIT ${literal(REGISTRATION_WORK.movedUpAtOnce)})) AS line
    WHERE r.id = ${id} AND (r.places IS NULL OR upto <= r.places - r.taken))`

/**
 * The statements to run after places became free. While registration is open, the next people in line move
 * up.
 */
export const statementsAfterFreeing = (occasion: OccasionWithRegistration, clock: Clock): Statement[] =>
  phaseOf(occasion, clock) === 'on' ? [moveUpStatement(occasion.registration.id)] : []

/**
 * The statement that runs before the first person gets on a list. It stores the dates of the event that this
 * person knows, so that later changes of them are reported.
 */
const knownDatesStatement = (id: number): Statement =>
  build
    .update(registrations)
    .set({ known_dates: knownDates(registrations.id) })
    .where(sql`${registrations.id} = ${id} AND ${registrations.taken} + ${registrations.waiting} = 0`)

// Registering.

/** @throws ApiError if nobody can register, which depends on the event alone */
function assertOpenFor(occasion: OccasionWithRegistration, clock: Clock): void {
  const state = registrationState(occasion, clock)
  if (state === 'full')
    throw new ApiError('rest_registration_full', 'All places are taken, and there is no waiting list.')
  if (state === 'soon' || state === 'closed')
    throw new ApiError(
      'rest_registration_closed',
      state === 'soon' ? "People can't register yet." : "People can't register any more.",
    )
}

type NewPerson = Pick<RegistrantRow, 'name' | 'email' | 'places' | 'answer' | 'language'>

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
  if (email === '' && !errors.has('email')) errors.add('email', codedReason('missing', 'must not be empty'))
  if (consent !== true) errors.add('consent', codedReason('missing', 'must be true'))
  const most = maxPlacesOfNewcomer(occasion)
  if (places > most)
    errors.add(
      'places',
      codedReason('no_number', `must be a number from 1 to ${most}`, { from: 1, to: most }),
    )
  return {
    name,
    email,
    places,
    answer: occasion.registration.question === '' ? '' : answer,
    language: languageFor(language, settings.website.language),
    turnstile,
  }
}

/**
 * Takes a registration and sends its first e-mail. Somebody who is on the list already gets the link to their
 * page, and nothing changes. Callers don't learn which of the two has happened.
 *
 * @throws ApiError if nobody can register, and for too many e-mails
 */
export async function registerPerson(
  context: RequestContext,
  occasion: OccasionWithRegistration,
  { turnstile, ...person }: NewRegistration,
): Promise<void> {
  const mailer = assertMailer(context.mailer)
  assertOpenFor(occasion, context.clock)
  await assertHuman(context, turnstile)
  const stored = await retryConflicts(() => storeUnconfirmed(context, occasion, person.email, person))
  if (!stored) return
  const { state, reason } = await sendInRequest(mailer, await firstMail(context, stored))
  if (state !== 'refused') return
  const isOfCalendar = refusalSubject(reason) === 'calendar'
  await context.db.write([
    ...(isOfCalendar && stored.isNew
      ? [build.delete(registrants).where(unchangedRegistrantSql(stored.person))]
      : []),
    returnOfCounts(keysOf(stored.counts, 'mailbox')),
  ])
  if (isOfCalendar)
    throw new ApiError(
      'rest_registration_mail_failed',
      'The e-mail with the link could not be sent. Please try again later.',
      { retry_after: 600 },
    )
}

const unchangedRegistrantSql = ({ id, version }: Pick<RegistrantRow, 'id' | 'version'>) =>
  and(eq(registrants.id, id), eq(registrants.version, version))

const stillUnconfirmedSql = (person: Pick<RegistrantRow, 'id' | 'version'>): SQL =>
  sql`${unchangedRegistrantSql(person)} AND ${unconfirmedSql(registrants.state)}`

const sameEmailSql = (email: string): SQL =>
  sql`${registrants.email} = ${email} COLLATE NOCASE AND ${registrants.email} <> ''`

const personBy = (registration: number, email: string): Query<RegistrantRow | undefined> =>
  first(
    build
      .select()
      .from(registrants)
      .where(and(eq(registrants.registration_id, registration), sameEmailSql(email))),
  )

const selectDates = (registration: number): Query<string | undefined> =>
  mapQuery(first(sql`SELECT ${knownDates(registration)} AS dates`, { dates: readText }), row => row?.dates)

/**
 * Stores somebody to be confirmed, in place of an earlier request, whose link would confirm something else.
 */
const upsertQuery = (
  registration: number,
  known: RegistrantRow | undefined,
  values: Omit<typeof registrants.$inferInsert, 'registration_id'>,
): Query<RegistrantRow | undefined> =>
  first(
    known
      ? build
          .update(registrants)
          .set({ ...values, version: known.version + 1 })
          .where(eq(registrants.id, known.id))
          .returning()
      : build
          .insert(registrants)
          .values({ ...values, registration_id: registration })
          .returning(),
  )

/**
 * Counts the first e-mail to an address, and stores the registration that it asks to confirm.
 *
 * @param newPerson undefined to send the link again to somebody on the list, and to nobody else
 * @returns what the e-mail says; undefined if none is to be sent
 * @throws ApiError `rest-registration-not-found` if it has ended in the meantime
 */
async function storeUnconfirmed(
  context: RequestContext,
  { registration: { id } }: OccasionWithRegistration,
  email: string,
  newPerson?: NewPerson,
) {
  const { db } = context
  const { secret, known, registrationCount } = await db.read(
    combineQueries({
      secret: selectSecret(),
      known: personBy(id, email),
      registrationCount: countOf(registrationWithId(id)),
    }),
  )
  if (registrationCount === 0) throw noRegistration()
  const isKnown = known !== undefined && known.state !== UNCONFIRMED
  const isRepeated = isKnown && newPerson !== undefined
  const counts = await countsOf(context, { secret, email, registration: id, isRepeated })
  const values = { network_counts: keysOf(counts, 'network'), created_utc: context.clock.now() }
  const write = isKnown
    ? personById(known.id)
    : newPerson && upsertQuery(id, known, { ...newPerson, ...values })
  const usedUp = await db.read(selectUsedUp(counts))
  assertNotUsedUp(usedUp)
  const isSilent = isMailboxUsedUp(usedUp) || !write
  const count = [conflictIfEnded(id), ...countStatements(counts, { isSilent })]
  if (isSilent || !write) {
    await db.write(count)
    return undefined
  }
  try {
    const { person, dates = '[]' } = await db.write(
      // What was confirmed since it was read stays as it is, and its link goes on working.
      known && !isKnown
        ? [
            ...count,
            conflictIf(sql`NOT EXISTS (SELECT 1 FROM ${registrants} WHERE ${stillUnconfirmedSql(known)})`),
          ]
        : count,
      combineQueries({ person: write, dates: selectDates(id) }),
    )
    return person && { secret, person, dates, counts, isKnown, isNew: !known }
  } catch (error) {
    // The same address at the same time.
    if (isUniqueViolation(error, registrants.email)) return undefined
    throw error
  }
}

/**
 * Sends somebody on the list the link to their page again. It goes after the response, for which others would
 * wait less long: callers don't learn whether there is somebody.
 */
export async function sendLink(
  context: RequestContext,
  occasion: OccasionWithRegistration,
  email: string,
): Promise<void> {
  const mailer = assertMailer(context.mailer)
  const stored = await retryConflicts(() => storeUnconfirmed(context, occasion, email))
  if (!stored) return
  const send = async () => {
    const { state } = await sendMail(mailer, await firstMail(context, stored))
    if (state === 'refused') await context.db.write([returnOfCounts(keysOf(stored.counts, 'mailbox'))])
  }
  context.afterResponse(send())
}

// What people do on their own pages.

/**
 * Confirms an address. One statement checks for free places and takes them. If there are not enough, the
 * registration goes to the waiting list, or is erased if the event has no waiting list.
 *
 * @returns the outcome; undefined if the registration no longer exists
 */
export async function confirmPerson(
  { db, clock }: BaseContext,
  occasion: OccasionWithRegistration,
  person: RegistrantRow,
): Promise<RegistrantRow | undefined> {
  if (phaseOf(occasion, clock) !== 'on') return person
  const passAllowedSql = freeToAllSql(REGISTRATION_ID, PERSONS_PLACES)
  const waitAllowedSql = sql`EXISTS (SELECT 1 FROM ${registrationWithId(REGISTRATION_ID)} AND r.waiting_list)`
  const samePersonSql = stillUnconfirmedSql(person)
  return db.write(
    [
      knownDatesStatement(occasion.registration.id),
      // Before the state changes, so that a second press returns nothing.
      returnOfCounts(sql`(SELECT ${registrants.network_counts} FROM ${registrants} WHERE ${samePersonSql})`),
      sql`UPDATE ${registrants} SET state = iif(${passAllowedSql}, 'confirmed', 'waiting'), position = ${nextPosition(REGISTRATION_ID)}
        WHERE ${samePersonSql} AND (${passAllowedSql} OR ${waitAllowedSql})`,
      build.delete(registrants).where(samePersonSql),
    ],
    personById(person.id),
  )
}

/** The statement that erases the e-mails to somebody that wait: they tell of a place that is gone. */
const removalOfMails = (id: number): Statement =>
  build.delete(registrationMails).where(eq(registrationMails.registrant_id, id))

/** Erases somebody who leaves. */
export const leaveRegistration = (
  { db, clock }: BaseContext,
  occasion: OccasionWithRegistration,
  { id }: RegistrantRow,
): Promise<void> =>
  db.write([
    build.delete(registrants).where(eq(registrants.id, id)),
    removalOfMails(id),
    ...statementsAfterFreeing(occasion, clock),
  ])

type PlacesChange = {
  places: number
  came?: boolean
  /** Gives more places than there are. */
  mayOverbook?: boolean
  /** Gives somebody who waits a place before others. */
  skipsLine?: boolean
  /** Gives more places only if nobody waits for them. */
  respectsLine?: boolean
  sendsMail?: boolean
}

/**
 * Changes the number of places, or gives somebody who waits a place before others.
 *
 * @returns the person afterwards
 * @throws ApiError `rest_registration_full` if there are not that many places left; a conflict, after which
 *   callers read again, if the person has been changed or removed in the meantime
 */
async function changePlaces(
  { db, clock }: BaseContext,
  occasion: OccasionWithRegistration,
  person: RegistrantRow,
  {
    places,
    came = person.came,
    mayOverbook = false,
    skipsLine = false,
    respectsLine = false,
    sendsMail = false,
  }: PlacesChange,
): Promise<RegistrantRow> {
  const isConfirmed = person.state === 'confirmed'
  const needsNone = mayOverbook || (isConfirmed ? places <= person.places : !skipsLine)
  const roomSql = respectsLine ? freeToAllSql : enoughRoomSql
  const fitsSql = needsNone
    ? sql`1`
    : roomSql(REGISTRATION_ID, isConfirmed ? sql`${places} - ${PERSONS_PLACES}` : sql`${places}`)
  const after = await db.write(
    [
      conflictIf(
        sql`NOT EXISTS (SELECT 1 FROM ${registrants} WHERE ${registrants.id} = ${person.id}
          AND ${registrants.state} = ${person.state} AND ${registrants.places} = ${person.places})`,
      ),
      sql`UPDATE ${registrants} SET places = ${places}, came = ${Number(came)}, state = ${skipsLine ? 'confirmed' : person.state}
        WHERE ${registrants.id} = ${person.id} AND ${fitsSql}`,
      // Only if there was room.
      ...(sendsMail
        ? [
            mailStatement('places', person.id, {
              about: JSON.stringify([[places, person.places]]),
              condition: sql`p.places = ${places}`,
            }),
          ]
        : []),
      ...statementsAfterFreeing(occasion, clock),
    ],
    personById(person.id),
  )
  if (after?.places === places && (!skipsLine || after.state === 'confirmed')) return after
  throw new ApiError('rest_registration_full', "There aren't that many places left.")
}

/**
 * Changes the number of one's own places: more only if nobody waits, and as long as people can register.
 *
 * @throws ApiError as {@link changePlaces}, or `rest_registration_closed`
 */
export async function changeOwn(
  context: BaseContext,
  occasion: OccasionWithRegistration,
  person: RegistrantRow,
  places: number,
): Promise<RegistrantRow> {
  if (places > person.places && phaseOf(occasion, context.clock) !== 'on')
    throw new ApiError('rest_registration_closed', "People can't register any more.")
  return changePlaces(context, occasion, person, { places, respectsLine: true })
}

// What organizers do.

const peopleOnList = (id: SQL): SQL =>
  sql`${registrants} WHERE ${registrants.registration_id} = ${id} AND NOT ${unconfirmedSql(registrants.state)}`

export const countPeople = (id: SQL): Query<number> => countOf(peopleOnList(id))

const readPerson = (row: RawRow): RegistrantRow => decodeRow(columns, row)

export const selectPeople = (id: SQL, { perPage, offset }: ListSlice): Query<Rows<RegistrantRow>> =>
  withTotal(
    many(
      sql`SELECT * FROM ${peopleOnList(id)} ORDER BY ${registrants.state}, ${registrants.position}
        LIMIT ${rowLimit(perPage)} OFFSET ${offset}`,
      readPerson,
    ),
    countPeople(id),
  )

export const selectAllPeople = (id: SQL): Query<RegistrantRow[]> =>
  many(sql`SELECT * FROM ${peopleOnList(id)} ORDER BY ${registrants.position}`, readPerson)

export const countUnconfirmed = (id: SQL): Query<number> =>
  countOf(
    sql`${registrants} WHERE ${registrants.registration_id} = ${id} AND ${unconfirmedSql(registrants.state)}`,
  )

/**
 * Enters somebody without an address.
 *
 * @throws ApiError `rest_registration_full` unless more places may be given than there are; a conflict if the
 *   registration has ended
 */
export async function enterPerson(
  { db, clock }: BaseContext,
  { registration: { id } }: OccasionWithRegistration,
  {
    name,
    places = 1,
    over: mayOverbook = false,
    language,
  }: z.output<typeof byHandFields> & { language: string },
): Promise<{ id: number; places: number }> {
  const roomSql = mayOverbook ? sql`1` : enoughRoomSql(id, sql`${places}`)
  const row = await db.write(
    [conflictIfEnded(id), knownDatesStatement(id)],
    first(
      sql`INSERT INTO ${registrants} (registration_id, state, name, places, language, position, created_utc)
        SELECT ${id}, 'confirmed', ${name}, ${places}, ${language}, ${nextPosition(id)}, ${clock.now()} WHERE ${roomSql} RETURNING id`,
      { id: readNumber },
    ),
  )
  if (row === undefined)
    throw new ApiError(
      'rest_registration_full',
      "There aren't that many places left: `over` books them anyway.",
    )
  return { ...row, places }
}

/**
 * A query of a person by id; undefined for somebody who has not confirmed the address, and so is on no list.
 */
export const selectPerson = (id: number): Query<RegistrantRow | undefined> =>
  mapQuery(personById(id), person => (person?.state === UNCONFIRMED ? undefined : person))

export const assertPerson = foundOrThrow('rest-registrant-not-found', 'There is no such person on the list.')

const mailStatement = (
  kind: 'places' | 'removed',
  id: number,
  { about, condition = sql`1` }: { about: string | SQL; condition?: SQL },
): Statement =>
  sql`INSERT INTO ${registrationMails} (kind, registration_id, registrant_id, email, language, about, api)
    SELECT ${kind}, p.registration_id, p.id, p.email, p.language, ${about}, r.api FROM ${registrants} AS p
    CROSS JOIN ${registrations} AS r ON r.id = p.registration_id
    WHERE p.id = ${id} AND p.email <> '' AND ${condition}`

/**
 * Changes a registration for an organizer, who may give a person more places than people may take themselves.
 *
 * @throws ApiError as {@link changePlaces}, or `rest-registrant-not-found` if the person has been removed
 *   meanwhile
 */
export async function changePerson(
  context: BaseContext,
  occasion: OccasionWithRegistration,
  person: RegistrantRow,
  {
    places = person.places,
    came = person.came,
    state,
    over: mayOverbook = false,
  }: Partial<z.output<typeof registrantFields>>,
): Promise<RegistrantRow> {
  const skipsLine = state === 'confirmed' && person.state === 'waiting'
  if (skipsLine || places !== person.places)
    // Moving up has an e-mail of its own.
    return changePlaces(context, occasion, person, {
      places,
      came,
      mayOverbook,
      skipsLine,
      sendsMail: !skipsLine,
    })
  if (came === person.came) return person
  const update = build.update(registrants).set({ came }).where(eq(registrants.id, person.id))
  // Undefined if somebody has removed the person in the meantime.
  return assertPerson(await context.db.write([update], personById(person.id)))
}

export const removePerson = (
  { db, clock }: BaseContext,
  occasion: OccasionWithRegistration,
  { id }: RegistrantRow,
): Promise<void> =>
  db.write([
    removalOfMails(id),
    mailStatement('removed', id, { about: sql`json_array(p.state)` }),
    build.delete(registrants).where(eq(registrants.id, id)),
    ...statementsAfterFreeing(occasion, clock),
  ])

// What administrators do for somebody who asks what is stored.

/** Where an e-mail address has registered. The audit knows that somebody looked, and not for whom. */
export const findEmail = (context: BaseContext, email: string) =>
  context.db.write(
    [auditEntries(context, { action: 'find', kind: 'registrant', fields: ['email'] }, sql`SELECT 0 AS id`)],
    many(
      build
        .select({
          event: registrations.event_id,
          series: registrations.series_id,
          state: registrants.state,
          created: registrants.created_utc,
        })
        .from(registrants)
        .innerJoin(registrations, eq(registrations.id, registrants.registration_id))
        .where(sameEmailSql(email)),
    ),
  )

/**
 * Erases an e-mail address everywhere. The cron gives its places to people on the waiting list within five minutes.
 *
 * @returns the number of its registrations
 */
export async function eraseEmail(context: BaseContext, email: string): Promise<number> {
  const erased = await context.db.write(
    [
      // Before the deletions, while there are rows to look for.
      auditEntries(
        context,
        { action: 'delete', kind: 'registrant' },
        sql`SELECT 0 AS id WHERE EXISTS (SELECT 1 FROM ${registrants} WHERE ${sameEmailSql(email)})`,
      ),
      sql`DELETE FROM ${registrationMails} WHERE ${registrationMails.email} = ${email} COLLATE NOCASE`,
    ],
    many(build.delete(registrants).where(sameEmailSql(email)).returning({ id: registrants.id })),
  )
  return erased.length
}
