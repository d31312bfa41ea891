import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { literal, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import type { Clock } from '../../kit/lib/clock.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { type Count, countStatements } from '../../kit/work/counts.ts'
import { REGISTRATION_WORK } from './budgets.ts'
import { ownChanges } from './limits.ts'
import { type RegistrantRow, selectPersonById } from './links.ts'
import { mailInsertStatement } from './mail-queue.ts'
import {
  knownDates,
  NOTHING_TOLD,
  type OccasionWithRegistration,
  peopleInLine,
  type RegistrationId,
  registrationMeetsSql,
} from './occasion.ts'
import { phaseOf } from './rules.ts'
import { registrants, registrationMails, registrations } from './tables.ts'

// Taking places, changing their number and giving them back.

/** A condition: that many places are free, whether or not somebody is waiting for them. */
export const enoughRoomSql = (id: RegistrationId, places: SQL): SQL =>
  registrationMeetsSql(id, sql`(r.places IS NULL OR r.taken + ${places} <= r.places)`)

/** The next number in the order of confirmation. The index finds the last one of each state. */
export function positionAtEnd(id: RegistrationId): SQL {
  const last = (state: SQL) =>
    sql`coalesce((SELECT max(p.position) FROM ${registrants} AS p
      WHERE p.registration_id = ${id} AND p.state = ${state}), 0)`
  return sql`max(${last(sql`'confirmed'`)}, ${last(sql`'waiting'`)}) + 1`
}

/** A condition: that many places are free, and nobody is in line for them. */
export const freeToAllSql = (id: RegistrationId, places: SQL): SQL =>
  sql`(${enoughRoomSql(id, places)} AND NOT EXISTS (SELECT 1 FROM ${peopleInLine(id)}))`

/**
 * The statement that gives places to people on the waiting list, strictly in order. A registration moves up
 * as soon as all of its places are free. It handles only the first registrations, and the cron handles the
 * rest.
 */
export const moveUpStatement = (id: number): Statement =>
  build
    .update(registrants)
    .set({ state: 'confirmed' })
    .where(sql`id IN (
    SELECT line.id FROM ${registrations} AS r
    CROSS JOIN (SELECT id, sum(places) OVER (ORDER BY position) AS upto FROM (
      SELECT id, places, position FROM ${peopleInLine(id)}
      ORDER BY position LIMIT ${literal(REGISTRATION_WORK.movedUpAtOnce)})) AS line
    WHERE r.id = ${id} AND (r.places IS NULL OR upto <= r.places - r.taken))`)

/**
 * The statements to run after places became free. While registration is open, the next people in line move
 * up.
 */
export const freedPlacesStatements = (occasion: OccasionWithRegistration, clock: Clock): Statement[] =>
  phaseOf(occasion, clock) === 'on' ? [moveUpStatement(occasion.registration.id)] : []

/**
 * The statement that runs before the first person gets on a list, or the first one since the event became
 * public. It stores the dates of the event that this person knows, so that later changes are reported.
 */
export const knownDatesStatement = (id: number): Statement =>
  build
    .update(registrations)
    // What people of former lists were told doesn't matter.
    .set({ told: knownDates(registrations.id, NOTHING_TOLD) })
    .where(
      sql`${registrations.id} = ${id} AND (${registrations.taken} + ${registrations.waiting} = 0 OR ${registrations.told} = '[]')`,
    )

/** The statement that erases queued e-mails to somebody: they are about a place that is gone. */
export const mailRemovalStatement = (id: number): Statement =>
  build.delete(registrationMails).where(eq(registrationMails.registrant_id, id))

type PlacesChange = {
  places: number
  came?: boolean
  /** Gives more places than there are. */
  mayOverbook?: boolean
  /** Gives somebody on the waiting list a place ahead of others. */
  skipsLine?: boolean
  /** Gives more places only if nobody is in line for them. */
  respectsLine?: boolean
  sendsMail?: boolean
  /** Limits of whoever changes it. */
  counts?: readonly Count[]
}

/**
 * Changes the number of places, or gives somebody on the waiting list a place ahead of others.
 *
 * @returns the person afterwards
 * @throws ApiError `rest_registration_full` if there are not that many places left; a conflict, after which
 *   callers read again, if the person has been changed or removed in the meantime
 */
export async function changePlaces(
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
    counts = [],
  }: PlacesChange,
): Promise<RegistrantRow> {
  const isConfirmed = person.state === 'confirmed'
  const needsNone = mayOverbook || (isConfirmed ? places <= person.places : !skipsLine)
  const roomSql = respectsLine ? freeToAllSql : enoughRoomSql
  const fitsSql = needsNone
    ? sql`1`
    : roomSql(
        registrants.registration_id,
        isConfirmed ? sql`${places} - ${registrants.places}` : sql`${places}`,
      )
  const after = await db.write(
    [
      ...(counts.length > 0 ? countStatements(clock, counts) : []),
      conflictIf(
        sql`NOT EXISTS (SELECT 1 FROM ${registrants} WHERE ${registrants.id} = ${person.id}
          AND ${registrants.state} = ${person.state} AND ${registrants.places} = ${person.places})`,
      ),
      build
        .update(registrants)
        .set({ places, came, state: skipsLine ? 'confirmed' : person.state })
        .where(and(eq(registrants.id, person.id), fitsSql)),
      // The e-mail is only sent if there was room.
      ...(sendsMail
        ? [
            mailInsertStatement('places', {
              about: JSON.stringify([[places, person.places]]),
              where: sql`${registrations.id} = ${person.registration_id} AND p.id = ${person.id} AND p.places = ${places}`,
            }),
          ]
        : []),
      ...freedPlacesStatements(occasion, clock),
    ],
    selectPersonById(person.id),
  )
  if (after?.places === places && (!skipsLine || after.state === 'confirmed')) return after
  throw new ApiError('rest_registration_full', "There aren't that many places left.")
}

/**
 * Changes the number of one's own places: more only if nobody is in line, and while registration is open.
 *
 * @throws ApiError as {@link changePlaces}, or `rest_registration_closed`; a conflict as well if today's
 *   changes are used up
 */
export async function changeOwnPlaces(
  context: BaseContext,
  occasion: OccasionWithRegistration,
  person: RegistrantRow,
  places: number,
): Promise<RegistrantRow> {
  if (places > person.places && phaseOf(occasion, context.clock) !== 'on')
    throw new ApiError('rest_registration_closed', 'Registration has closed.')
  return changePlaces(context, occasion, person, {
    places,
    respectsLine: true,
    counts: [ownChanges(person.id)],
  })
}

/** Erases somebody who cancels. */
export const leaveRegistration = (
  { db, clock }: BaseContext,
  occasion: OccasionWithRegistration,
  { id }: RegistrantRow,
): Promise<void> =>
  db.write([
    build.delete(registrants).where(eq(registrants.id, id)),
    mailRemovalStatement(id),
    ...freedPlacesStatements(occasion, clock),
  ])
