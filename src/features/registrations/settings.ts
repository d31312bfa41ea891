import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { uneditedStatement } from '../../calendar/content/writes.ts'
import { eventWrites } from '../../calendar/events/writes.ts'
import type { BaseContext, ContentContext } from '../../kit/context.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { combineQueries, first, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, series } from '../../kit/db/tables.ts'
import { invalidParams, ValidationErrors } from '../../kit/lib/errors.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { codedReason, type Reason } from '../../kit/lib/reasons.ts'
import type { TicketAvailability } from '../../kit/lib/statuses.ts'
import { type DateTime, dayNumber, toEpoch, toUtc } from '../../kit/lib/time.ts'
import { omit, storedJson, withoutUndefined } from '../../kit/lib/values.ts'
import { mailsToAll } from './mails.ts'
import {
  conflictIfEnded,
  knownDates,
  type Occasion,
  type OccasionWithRegistration,
  type RegistrationRow,
  registrationOf,
  registrationTimes,
} from './occasion.ts'
import { statementsAfterFreeing } from './places.ts'
import type { SettingFields } from './schema.ts'
import { registrants, registrationMails, registrations, unconfirmedSql } from './tables.ts'

type Columns = Partial<RegistrationRow>

/**
 * A local time as days before the first day, and a time of day, so that a moved or copied event takes it
 * along.
 */
const daysAndTime = (firstStart: string, time: string | null) => ({
  days: time === null ? null : dayNumber(firstStart) - dayNumber(time),
  time: time === null ? '' : time.slice(11),
})

/** What PUT writes: the named fields. Adds errors of fields that don't fit. */
export function prepareSettings(
  { clock }: BaseContext,
  occasion: Occasion,
  { opens, closes, scope, ...plain }: Partial<SettingFields>,
  errors: ValidationErrors,
): Columns {
  const { event, registration, firstStart, lastEnd } = occasion
  const formerTimes = registration
    ? registrationTimes({ ...occasion, registration })
    : { opens: null, closes: null }
  const localTime = (text: string | null): DateTime | null =>
    text === null ? null : (parseDate(text, event.timezone, toEpoch(clock.now()))?.wall ?? null)
  const [from, until] = [
    opens === undefined ? formerTimes.opens : localTime(opens),
    closes === undefined ? formerTimes.closes : localTime(closes),
  ]
  // Times that stay are not checked: the event may have been moved since, and all else can be changed.
  const changesFrom = from !== formerTimes.opens
  const changesUntil = until !== formerTimes.closes
  if ((changesFrom || changesUntil) && from !== null && from >= (until ?? firstStart))
    errors.add('opens', codedReason('opens_late', 'must be before it closes'))
  if (changesUntil && until !== null && toUtc(until, event.timezone) > lastEnd)
    errors.add('closes', codedReason('closes_late', 'must not be after the end of the event'))
  const opensAt = daysAndTime(firstStart, from)
  const closesAt = daysAndTime(firstStart, until)
  const isForSeries = scope === undefined ? registration?.series_id != null : scope === 'series'
  if (isForSeries && event.series_id === null)
    errors.add('scope', 'must be event: this one has a single date')
  const changesScope = registration !== undefined && isForSeries !== (registration.series_id !== null)
  if (changesScope && registration.taken + registration.waiting > 0)
    errors.add('scope', codedReason('scope_with_people', 'must stay as it is while there are people'))
  return {
    ...withoutUndefined(plain),
    ...(changesFrom && { opens_days: opensAt.days, opens_time: opensAt.time }),
    ...(changesUntil && { closes_days: closesAt.days, closes_time: closesAt.time }),
    event_id: isForSeries ? null : event.id,
    series_id: isForSeries ? event.series_id : null,
  }
}

const endlessSql = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${series} WHERE ${series.id} = ${id} AND rrule <> '' AND rrule NOT LIKE '%UNTIL=%'
    AND rrule NOT LIKE '%COUNT=%')`

/** A condition for a series whose dates have another registration than this one together. */
const registeredTogetherSql = (series: number, { registration }: Occasion): SQL =>
  sql`EXISTS (SELECT 1 FROM ${registrations} WHERE series_id = ${series} AND id IS NOT ${registration?.id ?? null})`

const anyPeopleSql = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${registrations} WHERE id = ${id} AND taken + waiting > 0)`

/** Writes settings. If they add places, people on the waiting list move up. */
export async function writeSettings(
  context: BaseContext,
  occasion: Occasion,
  columns: Columns,
): Promise<void> {
  const { db, api, clock } = context
  const { registration, event } = occasion
  const togetherSql = columns.series_id == null ? sql`0` : registeredTogetherSql(columns.series_id, occasion)
  if (columns.series_id != null) {
    const refused = await db.read(
      first(
        sql`SELECT ${endlessSql(columns.series_id)} AS endless, ${togetherSql} AS together`,
        (row): Reason | false =>
          row.endless === 1
            ? codedReason('scope_without_end', 'must be event: the series has no end')
            : row.together === 1 &&
              codedReason(
                'registered_together',
                'must be event: the dates already share another registration',
              ),
      ),
    )
    if (refused) throw invalidParams(new Map([['scope', refused]]))
  }
  const { ticketed, ticket_availability } = event
  const settingsStatement = registration
    ? build
        .update(registrations)
        .set({ ...columns, api, version: registration.version + 1 })
        .where(eq(registrations.id, registration.id))
    : build
        .insert(registrations)
        .values({ ...columns, api, former: JSON.stringify({ ticketed, ticket_availability }) })
  const changesScope =
    registration !== undefined && (registration.series_id ?? null) !== (columns.series_id ?? null)
  await db.write([
    // Somebody else has made one in the meantime, for the event or for its series, has ended it, or has come.
    conflictIf(registration ? togetherSql : sql`${registrationOf(sql`${event.id}`)} IS NOT NULL`),
    ...(registration ? [conflictIfEnded(registration.id)] : []),
    ...(changesScope ? [conflictIf(anyPeopleSql(registration.id))] : []),
    settingsStatement,
    ...(registration
      ? statementsAfterFreeing({ ...occasion, registration: { ...registration, ...columns } }, clock)
      : []),
  ])
}

/** What an event says of its tickets. A row has `{}` by default. */
type Tickets = { ticketed?: boolean; ticket_availability?: TicketAvailability }

/** Writes what the event says of its tickets. @param alongside statements of the same transaction */
const writeTickets = (
  context: ContentContext,
  { event, registration }: OccasionWithRegistration,
  values: Tickets,
  alongside: readonly Statement[] = [],
): Promise<void> =>
  writeAsCalendar(
    context,
    event.id,
    { ...values, ...(registration.series_id !== null && { scope: 'all' }) },
    alongside,
  )

/**
 * Writes fields of an event as an ordinary change by the calendar, which its source does not take for an
 * edit. A conflict if somebody else changes the event at the same time.
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
  await context.db.writeTogether<unknown>([
    () => context.db.write([...alongside, uneditedStatement('event', events, eq(events.id, id))]),
    () => eventWrites.write(context, prepared),
  ])
}

/**
 * Lets an event say what is left, and keeps what it says. A conflict as of {@link writeAsCalendar}, or if the
 * registration has ended.
 */
export function followPlaces(context: ContentContext, occasion: OccasionWithRegistration): Promise<void> {
  const { registration, availability: tickets } = occasion
  // Somebody else may have written since this was read, and then the cron writes once more.
  const writtenTickets = sql`iif(${registrations.written_tickets} = ${registration.written_tickets}, ${tickets}, '')`
  return writeTickets(context, occasion, { ticketed: true, ticket_availability: tickets }, [
    conflictIfEnded(registration.id),
    build
      .update(registrations)
      .set({ written_tickets: writtenTickets, tickets_utc: context.clock.now() })
      .where(eq(registrations.id, registration.id)),
  ])
}

/**
 * Ends the registration of an event: everybody is notified and erased, and the event gets its former tickets
 * back. A conflict if there are other people by now.
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
    ...statementsToEnd(sql`(SELECT ${id})`),
  ])
}

/**
 * The statements that end registrations: people are notified once, of nothing else that was to be said to
 * them, and erased.
 *
 * @param ids a SELECT in parentheses
 */
const statementsToEnd = (ids: SQL): SQL[] => [
  sql`DELETE FROM ${registrationMails} WHERE registration_id IN ${ids} AND kind <> 'removed'`,
  mailsToAll('gone', knownDates(registrations.id), sql`${registrations.id} IN ${ids}`),
  sql`DELETE FROM ${registrants} WHERE registration_id IN ${ids}`,
  sql`DELETE FROM ${registrations} WHERE id IN ${ids}`,
]

type Kind = 'event' | 'series'
const COLUMN = { event: sql.raw('event_id'), series: sql.raw('series_id') }

export const endStatements = (kind: Kind, ids: SQL): SQL[] =>
  statementsToEnd(sql`(SELECT id FROM ${registrations} WHERE ${COLUMN[kind]} IN ${ids})`)

/** All columns but those of one event alone and of its people, so that copies get every setting. */
const SETTINGS = Object.values(
  omit(
    getTableColumns(registrations),
    'id',
    'version',
    'event_id',
    'series_id',
    'taken',
    'waiting',
    'former',
    'written_tickets',
    'tickets_utc',
    'known_dates',
    'proposals',
  ),
).map(({ name }) => name)
const SETTING_COLUMNS = sql.raw(SETTINGS.join(', '))
const SETTINGS_REPLACED = sql.raw(SETTINGS.map(name => `${name} = excluded.${name}`).join(', '))
const COPIED_COLUMNS = sql`${SETTING_COLUMNS}, ${sql.identifier(registrations.former.name)}`

/** The statement that gives a copy the settings, and no people. */
export const settingsCopies = (kind: Kind, { from, to }: { from: SQL; to: SQL }): SQL[] => [
  sql`INSERT INTO ${registrations} (${COLUMN[kind]}, ${COPIED_COLUMNS}) SELECT ${to}, ${COPIED_COLUMNS} FROM ${registrations}
    WHERE ${COLUMN[kind]} = ${from}
    ON CONFLICT DO NOTHING`,
]

/**
 * The start of a statement that gives events the settings of a row `own`, and keeps what each says of its
 * tickets.
 */
const INSERT_FOR_DATES = sql`INSERT INTO ${registrations} (event_id, ${COPIED_COLUMNS})
  SELECT date.id, ${SETTING_COLUMNS}, json_object('ticketed', json(iif(date.ticketed, 'true', 'false')),
  'ticket_availability', date.ticket_availability)`

/**
 * The statement that gives new dates of a series the settings of its last one, if people register for that by
 * itself.
 */
export const settingsOfNewDates = ({ series, dates }: { series: SQL; dates: SQL }): SQL[] => [
  sql`${INSERT_FOR_DATES} FROM ${events} AS date CROSS JOIN ${registrations} AS own ON own.event_id = (
      SELECT last.id FROM ${events} AS last INDEXED BY events_occurrence
      WHERE last.series_id = ${series} AND last.status <> 'trash' AND last.id NOT IN ${dates}
      ORDER BY last.occurrence_date DESC LIMIT 1)
    WHERE date.id IN ${dates} ON CONFLICT DO NOTHING`,
]

/**
 * Gives each coming date of the event's series the settings of this one, as far as its organizers may change
 * that date, too.
 */
export const copyToDates = ({ db, clock }: BaseContext, { event: { id } }: Occasion): Promise<void> =>
  db.write([
    sql`${INSERT_FOR_DATES}
      FROM ${registrations} AS own CROSS JOIN ${events} AS event ON event.id = own.event_id
      CROSS JOIN ${events} AS date INDEXED BY events_occurrence ON date.series_id = event.series_id
      WHERE own.event_id = ${id} AND date.id <> ${id} AND date.utc_start_date > ${clock.now()}
      AND (date.status, date.author_id) = (event.status, event.author_id)
      ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO UPDATE SET version = version + 1, ${SETTINGS_REPLACED}`,
  ])

export const withPeopleSql = (kind: Kind, id: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${registrations}
    WHERE ${kind === 'event' ? sql`id = ${registrationOf(id)}` : sql`series_id = ${id}`} AND taken + waiting > 0)`
