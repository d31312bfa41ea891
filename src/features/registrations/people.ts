import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { auditEntriesStatement } from '../../kit/db/audit.ts'
import { decodeRow } from '../../kit/db/columns.ts'
import {
  combineQueries,
  countOf,
  first,
  many,
  mapQuery,
  type Query,
  type RawRow,
  readNumber,
  rowLimit,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { type ListSlice, type Rows, withTotal } from '../../kit/http/lists.ts'
import { ApiError, foundOrThrow } from '../../kit/lib/errors.ts'
import { type RegistrantRow, selectPersonById } from './links.ts'
import { mailInsertStatement } from './mail-queue.ts'
import {
  conflictIfEnded,
  type OccasionWithRegistration,
  registrationOf,
  selectOccasionByEvent,
} from './occasion.ts'
import {
  changePlaces,
  enoughRoomSql,
  freedPlacesStatements,
  knownDatesStatement,
  mailRemovalStatement,
  positionAtEnd,
} from './places.ts'
import type { byHandFields, registrantFields } from './schema.ts'
import {
  registrants,
  registrationMails,
  registrations,
  sameEmailSql,
  UNCONFIRMED,
  unconfirmedSql,
} from './tables.ts'

// The list of registrants, and what organizers and administrators do with it.

const columns = getTableColumns(registrants)

const peopleOnList = (id: SQL): SQL =>
  sql`${registrants} WHERE ${registrants.registration_id} = ${id} AND NOT ${unconfirmedSql(registrants.state)}`

export const selectPeopleCount = (id: SQL): Query<number> => countOf(peopleOnList(id))

const readPerson = (row: RawRow): RegistrantRow => decodeRow(columns, row)

export const selectPeople = (id: SQL, { perPage, offset }: ListSlice): Query<Rows<RegistrantRow>> =>
  withTotal(
    many(
      sql`SELECT * FROM ${peopleOnList(id)} ORDER BY ${registrants.state}, ${registrants.position}
        LIMIT ${rowLimit(perPage)} OFFSET ${offset}`,
      readPerson,
    ),
    selectPeopleCount(id),
  )

export const selectAllPeople = (id: SQL): Query<RegistrantRow[]> =>
  many(sql`SELECT * FROM ${peopleOnList(id)} ORDER BY ${registrants.position}`, readPerson)

/** What the spreadsheet of an event has. */
export const selectSheet = (event: number) =>
  combineQueries({
    occasion: selectOccasionByEvent(event),
    rows: selectAllPeople(registrationOf(sql`${event}`)),
  })

export const selectUnconfirmedCount = (id: SQL): Query<number> =>
  countOf(
    sql`${registrants} WHERE ${registrants.registration_id} = ${id} AND ${unconfirmedSql(registrants.state)}`,
  )

// What organizers do.

/**
 * Adds somebody without an address.
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
        SELECT ${id}, 'confirmed', ${name}, ${places}, ${language}, ${positionAtEnd(id)}, ${clock.now()} WHERE ${roomSql} RETURNING id`,
      { id: readNumber },
    ),
  )
  if (row === undefined)
    throw new ApiError(
      'rest_registration_full',
      "There aren't that many places left: send `over` to book them anyway.",
    )
  return { ...row, places }
}

/**
 * A query for a person by id; undefined for somebody who has not confirmed the address, and so is not on the
 * list.
 */
export const selectPerson = (id: number): Query<RegistrantRow | undefined> =>
  mapQuery(selectPersonById(id), person => (person?.state === UNCONFIRMED ? undefined : person))

export const requirePerson = foundOrThrow('rest-registrant-not-found', 'There is no such person on the list.')

/**
 * Changes a registration for an organizer, who may give people more places than they can take themselves.
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
  return requirePerson(await context.db.write([update], selectPersonById(person.id)))
}

export const removePerson = (
  { db, clock }: BaseContext,
  occasion: OccasionWithRegistration,
  { id, registration_id }: RegistrantRow,
): Promise<void> =>
  db.write([
    mailRemovalStatement(id),
    mailInsertStatement('removed', {
      about: sql`json_array(p.state)`,
      where: sql`${registrations.id} = ${registration_id} AND p.id = ${id}`,
    }),
    build.delete(registrants).where(eq(registrants.id, id)),
    ...freedPlacesStatements(occasion, clock),
  ])

// What administrators do for somebody who asks what is stored.

/** Where an e-mail address has registered. The audit records that somebody looked, but not for whom. */
export const findEmail = (context: BaseContext, email: string) =>
  context.db.write(
    [
      auditEntriesStatement(
        context,
        { action: 'find', kind: 'registrant', fields: ['email'] },
        sql`SELECT 0 AS id`,
      ),
    ],
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
 * Erases an e-mail address everywhere. The cron gives its places to people on the waiting list within five
 * minutes.
 *
 * @returns the number of its registrations
 */
export async function eraseEmail(context: BaseContext, email: string): Promise<number> {
  const erased = await context.db.write(
    [
      // The entry comes before the deletions, while there are rows to look for.
      auditEntriesStatement(
        context,
        { action: 'delete', kind: 'registrant' },
        sql`SELECT 0 AS id WHERE EXISTS (SELECT 1 FROM ${registrants} WHERE ${sameEmailSql(email)})`,
      ),
      build.delete(registrationMails).where(sql`${registrationMails.email} = ${email} COLLATE NOCASE`),
    ],
    many(build.delete(registrants).where(sameEmailSql(email)).returning({ id: registrants.id })),
  )
  return erased.length
}
