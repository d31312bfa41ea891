import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { uneditedStatement } from '../../calendar/content/writes.ts'
import { eventWrites, writeEvents } from '../../calendar/events/writes.ts'
import type { ContentContext } from '../../kit/context.ts'
import { CALENDAR_REQUEST } from '../../kit/db/audit.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { combineQueries, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events } from '../../kit/db/tables.ts'
import { ValidationErrors } from '../../kit/lib/errors.ts'
import type { TicketAvailability } from '../../kit/lib/statuses.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { mailInsertStatement } from './mail-queue.ts'
import { conflictIfEnded, knownDates, type OccasionWithRegistration } from './occasion.ts'
import { OWNER_COLUMN, type OwnerKind } from './settings.ts'
import { registrants, registrationMails, registrations, unconfirmedSql } from './tables.ts'

// The ticket status of an event: what is left while it takes registrations, and afterwards what it was
// before.

/** An event's ticket status. A row has `{}` by default. */
type Tickets = { ticketed?: boolean; ticket_availability?: TicketAvailability }

/** Writes what the event says of its tickets. @param alongside statements of the same transaction */
const writeTickets = (
  context: ContentContext,
  { event, registration }: OccasionWithRegistration,
  values: Tickets,
  alongside: readonly Statement[],
): Promise<void> =>
  writeAsCalendar(
    context,
    event.id,
    { ...values, ...(registration.series_id !== null && { scope: 'all' }) },
    alongside,
  )

/**
 * Writes fields of an event as an ordinary change by the calendar, which does not count as an edit for its
 * source. Conflicts if somebody else changes the event at the same time.
 *
 * @param alongside statements of the same transaction
 */
export async function writeAsCalendar(
  request: ContentContext,
  id: number,
  fields: Parameters<typeof eventWrites.prepare>[1]['values'],
  alongside: readonly Statement[] = [],
): Promise<void> {
  const context: ContentContext = {
    ...request,
    caller: { id: 0, role: 'administrator' },
    // Nobody asked for this change, and undoing somebody's edit must not revert it.
    requestId: CALENDAR_REQUEST,
    ifMatch: undefined,
    ifNoneMatch: undefined,
  }
  const [referencedRows, [stored]] = await context.db.read(
    combineQueries([
      eventWrites.selectReferencedRows(context, [fields]),
      eventWrites.selectStored(context, eq(events.id, id), [fields]),
    ]),
  )
  const prepared =
    stored && stored.status !== 'trash'
      ? [eventWrites.prepare(context, { values: fields, referencedRows, stored }, new ValidationErrors())]
      : []
  const before = [...alongside, uneditedStatement('event', events, eq(events.id, id))]
  await writeEvents(context, prepared, { before })
}

/**
 * Updates the ticket status that an event shows, and stores it. Conflicts like {@link writeAsCalendar}, or if
 * the registration has ended.
 */
export function updateTickets(context: ContentContext, occasion: OccasionWithRegistration): Promise<void> {
  const { registration, availability: tickets } = occasion
  // If somebody else has written since this was read, the cron writes again.
  const writtenTickets = sql`iif(${registrations.tickets} = ${registration.tickets}, ${tickets}, '')`
  return writeTickets(context, occasion, { ticketed: true, ticket_availability: tickets }, [
    conflictIfEnded(registration.id),
    build
      .update(registrations)
      .set({ tickets: writtenTickets, tickets_utc: context.clock.now() })
      .where(eq(registrations.id, registration.id)),
  ])
}

/**
 * Ends the registration of an event: everybody is notified and erased, and the event gets its former ticket
 * status back. Conflicts if people have changed meanwhile.
 *
 * @param people as the caller knows them
 */
export async function endRegistration(
  context: ContentContext,
  occasion: OccasionWithRegistration,
  people: number,
): Promise<void> {
  const { id, former } = occasion.registration
  const peopleCount = sql`(SELECT count(*) FROM ${registrants} WHERE registration_id = ${id} AND NOT ${unconfirmedSql(sql`state`)})`
  await writeTickets(context, occasion, storedJson<Tickets>(former), [
    conflictIf(sql`${peopleCount} <> ${people}`),
    ...endStatements(sql`(SELECT ${id})`),
  ])
}

/**
 * The statements that end registrations: people are notified of the end alone, whatever else was queued for
 * them, and erased.
 *
 * @param ids a SELECT in parentheses
 */
const endStatements = (ids: SQL): Statement[] => [
  build.delete(registrationMails).where(sql`registration_id IN ${ids} AND kind <> 'removed'`),
  mailInsertStatement('gone', {
    // If a series is deleted, its dates are gone already.
    about: sql`coalesce(nullif(${knownDates(registrations.id)}, '[]'), ${registrations.told})`,
    where: sql`${registrations.id} IN ${ids}`,
  }),
  build.delete(registrants).where(inArray(registrants.registration_id, ids)),
  build.delete(registrations).where(inArray(registrations.id, ids)),
]

export const ownerEndStatements = (kind: OwnerKind, ids: SQL): Statement[] =>
  endStatements(sql`(SELECT id FROM ${registrations} WHERE ${OWNER_COLUMN[kind]} IN ${ids})`)
