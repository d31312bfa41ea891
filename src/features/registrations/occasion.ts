import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { requireReadableRow, takesPlaceSql } from '../../calendar/content/visibility.ts'
import { LAST_MOMENT, type Nearest, nearestDates } from '../../calendar/events/recurrence/queries.ts'
import { EVENTS } from '../../calendar/events/resource.ts'
import { timeColumns } from '../../calendar/events/rows.ts'
import type { BaseContext } from '../../kit/context.ts'
import { columnList, decodeList, decodeRow, type RowOf } from '../../kit/db/columns.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import {
  first,
  many,
  type Query,
  type RawRow,
  readNumber,
  readOneOf,
  readText,
  type Statement,
} from '../../kit/db/query.ts'
import { events, eventVenues, series, venues } from '../../kit/db/tables.ts'
import type { ResourceKey } from '../../kit/http/input.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import {
  EVENT_STATUSES,
  type EventStatus,
  statusAt,
  TICKET_AVAILABILITIES,
  type TicketAvailability,
} from '../../kit/lib/statuses.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { pick, storedJson } from '../../kit/lib/values.ts'
import { registrants, registrations } from './tables.ts'

const registrationColumns = getTableColumns(registrations)
export type RegistrationRow = RowOf<typeof registrationColumns>

const occasionColumns = {
  ...timeColumns,
  ...pick(
    events,
    'id',
    'version',
    'slug',
    'status',
    'author_id',
    'date',
    'date_utc',
    'modified',
    'modified_utc',
    'external_id',
    'title',
    'event_status',
    'event_status_reason',
    'virtual_event_type',
    'ticketed',
    'ticket_availability',
    'series_id',
  ),
}

/** An event for which people may register, or the series whose dates they register for together. */
export type Occasion = {
  event: RowOf<typeof occasionColumns>
  registration: RegistrationRow | undefined
  /** The start of the first date, in its zone, and the end of the last one, UTC. */
  firstStart: DateTime
  lastEnd: DateTime
  /** The status of the event, or of the whole series. */
  status: EventStatus
  availability: TicketAvailability
  /** Where the event is, as its page says; '' if that is unknown, and for one that is online only. */
  place: string
  /** True while somebody on the waiting list is in line for a place: newcomers must not overtake them. */
  hasLine: boolean
}

type WithRegistration<O> = O & { registration: RegistrationRow }
export type OccasionWithRegistration = WithRegistration<Occasion>
/**
 * A registration with everything that decides when people can register, but nothing that depends on others.
 */
export type DatedRegistration = Omit<OccasionWithRegistration, 'availability' | 'place' | 'hasLine'>

const SERIES_ID = sql`${registrations.series_id}`
const ALL_DATES = sql`${events} AS date INDEXED BY events_occurrence WHERE date.series_id = ${SERIES_ID}`

/** The first date of a series or the last one, by time: a date may have been moved past others. */
const outermostDate = (nearest: Pick<Nearest, 'side' | 'moment'>, condition: SQL): SQL =>
  sql`(${nearestDates({ ...nearest, wantedSeries: sql`(SELECT ${SERIES_ID} AS id)`, limit: 1, condition })}) AS near`

/** The value of the event, or that of the series if its dates have one registration: a SELECT. */
const ofEventOrSeries = (eventSql: SQLWrapper, seriesSql: SQL): SQL =>
  sql`iif(${SERIES_ID} IS NULL, ${eventSql}, (${seriesSql}))`

/** A value of the public dates of a series, or of all that are not in the trash if none is public. */
const ofPublicDates = (select: (condition: SQL) => SQL): SQL =>
  sql`SELECT coalesce((${select(sql`${events.status} = 'publish'`)}), (${select(sql`${events.status} <> 'trash'`)}))`

const FIRST_START = ofEventOrSeries(
  events.start_date,
  ofPublicDates(
    condition => sql`SELECT date.start_date FROM ${outermostDate({ side: 'after', moment: sql`''` }, condition)}
    CROSS JOIN ${events} AS date ON date.id = near.id ORDER BY near.start LIMIT 1`,
  ),
)
const LAST_END = ofEventOrSeries(
  events.utc_end_date,
  ofPublicDates(
    condition =>
      sql`SELECT max(near.end) FROM ${outermostDate({ side: 'before', moment: LAST_MOMENT }, condition)}`,
  ),
)
/** A series is cancelled once none of its dates takes place, even if they were cancelled one by one. */
const STATUS = ofEventOrSeries(
  events.event_status,
  sql`SELECT iif(EXISTS (SELECT 1 FROM ${ALL_DATES} AND date.status <> 'trash'
    AND ${takesPlaceSql}), event_status, 'canceled')
    FROM ${series} WHERE ${series.id} = ${SERIES_ID}`,
)

/**
 * The id of a registration in SQL. Columns name their table in full, and subqueries use aliases: an alias
 * here could refer to a row of the subquery instead of the outer statement.
 */
export type RegistrationId = number | SQLiteColumn

/**
 * A condition: the registration with this id exists and meets another one.
 * @param condition on its row `r`
 */
export const registrationMeetsSql = (id: RegistrationId, condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${registrations} AS r WHERE r.id = ${id} AND ${condition})`

/**
 * The rows `p` of people in line for a place. Those who wait for more places than the event has, because an
 * organizer has lowered their number, are skipped.
 */
export const peopleInLine = (id: RegistrationId): SQL =>
  sql`${registrants} AS p INDEXED BY registrants_order WHERE p.registration_id = ${id} AND p.state = 'waiting'
    AND p.places <= coalesce((SELECT r.places FROM ${registrations} AS r WHERE r.id = ${id}), p.places)`

/** A condition on rows of registrations: somebody is in line. Where nobody waits, it reads no people. */
const lineSql = sql`(waiting > 0 AND EXISTS (SELECT 1 FROM ${peopleInLine(registrations.id)}))`

/**
 * The ticket status that an event should show; `few` is a tenth of all, 1 to 10. Nobody overtakes the line.
 */
export const AVAILABILITY = sql`CASE WHEN ${lineSql} OR taken >= places THEN iif(waiting_list, 'waitlist', 'sold_out')
  WHEN places - taken <= min(10, max(1, places / 10)) THEN 'few' ELSE 'available' END`

const DATE_COLUMNS = sql`json_array(${columnList(occasionColumns)}) AS event,
  iif(${registrations.id} IS NULL, NULL, json_array(${columnList(registrationColumns)})) AS registration,
  ${FIRST_START} AS first_start, ${LAST_END} AS last_end, ${STATUS} AS whole_status`

function readDated(row: RawRow): Omit<Occasion, 'availability' | 'place' | 'hasLine'> {
  const event = decodeList(occasionColumns, storedJson<unknown[]>(readText(row.event)))
  return {
    event,
    registration:
      row.registration === null
        ? undefined
        : decodeList(registrationColumns, storedJson<unknown[]>(readText(row.registration))),
    firstStart: readText(row.first_start ?? event.start_date),
    lastEnd: readText(row.last_end ?? event.utc_end_date),
    status: readOneOf(EVENT_STATUSES)(row.whole_status ?? event.event_status),
  }
}

/** The first place of an event `e` that everybody may see, as its page shows it. */
const FIRST_PLACE = sql`(SELECT place.id FROM ${eventVenues} AS link CROSS JOIN ${venues} AS place ON place.id = link.target_id
    WHERE link.event_id = e.id AND place.status = 'publish' ORDER BY link.position LIMIT 1)`

/** Where an event `e` with the first venue `v` is; '' if it is online only. */
const PLACE_TEXT = sql`iif(e.virtual_event_type = 'virtual', '',
        trim(concat_ws(', ', v.name, nullif(v.address, ''), nullif(v.city, ''))))`

const PLACE = sql`(SELECT ${PLACE_TEXT} FROM ${events} AS e LEFT JOIN ${venues} AS v ON v.id = ${FIRST_PLACE}
  WHERE e.id = ${events.id})`

const selectOccasion = (from: SQL): Query<Occasion | undefined> =>
  first(
    sql`SELECT ${DATE_COLUMNS}, ${AVAILABILITY} AS availability, ${lineSql} AS has_line, ${PLACE} AS place FROM ${from}`,
    row => ({
      ...readDated(row),
      availability: readOneOf(TICKET_AVAILABILITIES)(row.availability),
      place: readText(row.place),
      hasLine: row.has_line === 1,
    }),
  )

/**
 * The id of an event's registration: its own, or that of its series.
 *
 * @param event an expression of the id
 */
export const registrationOf = (event: SQL): SQL =>
  // In a subquery of its own, so that an alias in `event` can only refer to the outer statement.
  sql`(SELECT coalesce((SELECT own.id FROM ${registrations} AS own INDEXED BY registrations_event WHERE own.event_id = given.event),
    (SELECT own.id FROM ${registrations} AS own INDEXED BY registrations_series
    WHERE own.series_id = (SELECT date.series_id FROM ${events} AS date WHERE date.id = given.event))) FROM (SELECT ${event} AS event) AS given)`

/**
 * A SELECT of the ids of all series of the same course: a course that was divided is several series with one
 * slug, whose dates pages show together.
 *
 * @param id an expression
 */
export const seriesOfCourse = (id: SQL): SQL =>
  sql`SELECT part.id FROM ${series} AS whole CROSS JOIN ${series} AS part ON part.slug = whole.slug WHERE whole.id = ${id}`

/** A query for the numbers of dates of an event's own series, and of all series of its course. */
export const selectCourseDateCounts = (event: number): Query<{ own: number; all: number } | undefined> =>
  first(
    sql`SELECT count(*) FILTER (WHERE date.series_id = event.series_id) AS own, count(*) AS "all"
      FROM ${events} AS event CROSS JOIN ${events} AS date INDEXED BY events_occurrence
      ON date.series_id IN (${seriesOfCourse(sql`event.series_id`)})
      WHERE event.id = ${event} AND date.status <> 'trash'`,
    { own: readNumber, all: readNumber },
  )

export const selectOccasionByEvent = (id: number): Query<Occasion | undefined> =>
  // The limit keeps the registration in a subquery of its own, which finds it by its id whatever SQLite takes
  // for the number of registrations.
  selectOccasion(sql`${events} LEFT JOIN (SELECT * FROM ${registrations} WHERE id = ${registrationOf(sql`${id}`)} LIMIT 1) AS ${registrations}
      WHERE ${events.id} = ${id}`)

/**
 * A query for the events that take registrations. It reads no registrants, since they don't change the
 * revision by which pages are cached.
 *
 * @param ids a SELECT of their ids
 */
export const selectRegisteredDates = (ids: SQL): Query<DatedRegistration[]> => {
  const select = (index: SQL, joinedSql: SQL) => sql`SELECT ${DATE_COLUMNS} FROM ${events}
      CROSS JOIN ${registrations} INDEXED BY ${index} ON ${joinedSql} WHERE ${events.id} IN (${ids})`
  // An event's own registration comes before that of its series.
  return many(
    sql`${select(sql`registrations_event`, sql`${registrations.event_id} = ${events.id}`)}
      UNION ALL ${select(
        sql`registrations_series`,
        sql`${registrations.series_id} = coalesce(${events.series_id}, 0) AND NOT EXISTS (
          SELECT 1 FROM ${registrations} AS own INDEXED BY registrations_event WHERE own.event_id = ${events.id})`,
      )}`,
    row => requireRegistration(readDated(row)),
  )
}

/**
 * The id of the date of a series that began last, if it is still on, or else of the next one, or of the first
 * one if all are over.
 *
 * @param now UTC
 */
const currentDate = (now: SQL, condition: SQL): SQL => {
  const nearest = (side: Nearest['side'], moment: SQL) => outermostDate({ side, moment }, condition)
  return sql`coalesce(
      (SELECT near.id FROM ${nearest('before', sql`datetime(${now}, '1 second')`)} WHERE near.end >= ${now} ORDER BY near.start LIMIT 1),
      (SELECT near.id FROM ${nearest('after', now)} ORDER BY near.start LIMIT 1),
      (SELECT near.id FROM ${nearest('after', sql`''`)} ORDER BY near.start LIMIT 1))`
}

/** The {@link currentDate} of those that are public, or if none is, of those that are not in the trash. */
const nearestDate = (now: SQL): SQL => {
  const someDate = (condition: SQL) => sql`EXISTS (SELECT 1 FROM ${ALL_DATES} AND ${condition})`
  return sql`CASE WHEN ${someDate(sql`date.status = 'publish'`)} THEN ${currentDate(now, sql`${events.status} = 'publish'`)}
      WHEN ${someDate(sql`date.status <> 'trash'`)} THEN ${currentDate(now, sql`${events.status} <> 'trash'`)}
      ELSE ${currentDate(now, sql`1`)} END`
}

/**
 * A query for a registration with its event; of a series, with the date that is on or comes next. If none is
 * public, it is a hidden date, or one in the trash, because people can still give back their places.
 *
 * @param id an expression
 */
export const selectOccasionById = (
  context: Pick<BaseContext, 'clock'>,
  id: SQL,
): Query<Occasion | undefined> =>
  selectOccasion(sql`(SELECT * FROM ${registrations} WHERE id = ${id} LIMIT 1) AS ${registrations} LEFT JOIN ${events} ON ${events.id} = coalesce(${registrations.event_id},
      ${nearestDate(sql`${context.clock.untrackedTime}`)})
    WHERE ${events.id} IS NOT NULL`)

export const noRegistration = (): ApiError =>
  new ApiError('rest-registration-not-found', 'This event does not take registrations here.')

/** The occasion, if it takes registrations. */
export function withRegistration<O extends Pick<Occasion, 'registration'>>(
  occasion: O | undefined,
): WithRegistration<O> | undefined {
  const registration = occasion?.registration
  return occasion && registration && { ...occasion, registration }
}

/** @throws ApiError of 404 for an event that takes no registrations */
function requireRegistration<O extends Pick<Occasion, 'registration'>>(occasion: O): WithRegistration<O> {
  const registered = withRegistration(occasion)
  if (registered) return registered
  throw noRegistration()
}

const noEvent = (): ApiError => new ApiError('rest-event-not-found', 'There is no event with this id.')

export function requireReadableOccasion(
  context: BaseContext,
  occasion: Occasion | undefined,
  key: ResourceKey,
): OccasionWithRegistration {
  requireReadableRow(context, { resource: EVENTS, row: occasion?.event, key })
  if (!occasion) throw noEvent()
  return requireRegistration(occasion)
}

/** True if the caller may see and manage the registrations, that is, may edit the event. */
export const mayManage = ({ caller, clock }: BaseContext, { event }: Occasion): boolean =>
  mayEdit(caller, { ...event, status: statusAt(event, clock.now()) })

export function requireEditableOccasion(context: BaseContext, occasion: Occasion | undefined): Occasion {
  if (!occasion) throw noEvent()
  if (!mayManage(context, occasion))
    throw new ApiError('rest_forbidden', `The role ${context.caller.role} may not change this event.`)
  return occasion
}

export const requireManagedOccasion = (
  context: BaseContext,
  occasion: Occasion | undefined,
): OccasionWithRegistration => requireRegistration(requireEditableOccasion(context, occasion))

/**
 * The statement that stops a write once the registration has ended: nobody would ever find, or erase, the
 * people it stores.
 */
export const conflictIfEnded = (id: number): Statement =>
  conflictIf(sql`NOT EXISTS (SELECT 1 FROM ${registrations} WHERE id = ${id})`)

/** A SELECT of the ids of a registration's dates, including those in the trash. */
export const datesOfRegistration = (id: RegistrationId): SQL => {
  const owner = (column: SQL) => sql`(SELECT ${column} FROM ${registrations} AS r WHERE r.id = ${id})`
  return sql`SELECT date.id FROM ${events} AS date WHERE date.id = ${owner(sql`r.event_id`)}
      UNION ALL SELECT date.id FROM ${events} AS date INDEXED BY events_occurrence WHERE date.series_id = ${owner(sql`r.series_id`)}`
}

const courseDateColumns = {
  ...pick(events, 'id', 'status', 'event_status', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date'),
  ...pick(events, 'all_day', 'timezone'),
}

export type DateOfCourse = RowOf<typeof courseDateColumns>

/** A query for the dates of a series that people register for together, including those in the trash. */
export const selectDatesOfCourse = (series: number): Query<DateOfCourse[]> =>
  many(
    sql`SELECT ${columnList(courseDateColumns)} FROM ${events} INDEXED BY events_occurrence WHERE ${events.series_id} = ${series}`,
    row => decodeRow(courseDateColumns, row),
  )

/** What people were told of the dates of a registration (`told`). Invalid JSON counts as nothing. */
const lastTold = (id: RegistrationId): SQL =>
  sql`(SELECT iif(json_valid(r.told), r.told, '[]') FROM ${registrations} AS r WHERE r.id = ${id})`

/** What newcomers were told of the dates: nothing. */
export const NOTHING_TOLD = sql`'[]'`

/**
 * A SELECT of the dates of a registration as `id`, in this order, each with what people were told of it as
 * `told`. Both lists are read once: to look for each date among all that was told would read a million rows
 * for a course of a thousand.
 */
const withTold = (id: RegistrationId, told: SQL): SQL =>
  sql`SELECT id, max(told) AS told FROM (SELECT id, NULL AS told, 1 AS is_date FROM (${datesOfRegistration(id)})
      UNION ALL SELECT value ->> 'id', value, 0 FROM json_each(${told})) GROUP BY id HAVING max(is_date)`

/**
 * A JSON array of the dates of a registration, by their ids, as people may know them. A date that is not
 * public stays as people were told last. Of a date that is off, only the status is current: other changes are
 * told once it is on again. The cron publishes what is due before it comes to this, so `future` is not
 * public.
 *
 * @param told an expression of what people were told last
 */
export const knownDates = (id: RegistrationId, told: SQL = lastTold(id)): SQL =>
  sql`(SELECT json_group_array(json(known)) FROM (SELECT CASE
      WHEN e.status = 'publish' AND (${takesPlaceSql} OR dates.told IS NULL) THEN json_object(
        'id', e.id, 'title', e.title, 'start', e.start_date, 'end', e.end_date,
        'utc', json_array(e.utc_start_date, e.utc_end_date), 'day', e.all_day, 'zone', e.timezone,
        'status', e.event_status, 'why', e.event_status_reason <> '', 'venue', v.id,
        'online', e.virtual_event_type = 'virtual', 'place', ${PLACE_TEXT}, 'address', coalesce(v.address || '|' || v.city, ''))
      WHEN e.status IN ('publish', 'trash') THEN json_set(dates.told,
        '$.status', iif(e.status = 'trash', 'gone', e.event_status),
        '$.why', e.status <> 'trash' AND e.event_status_reason <> '')
      ELSE dates.told END AS known
    FROM (${withTold(id, told)}) AS dates CROSS JOIN ${events} AS e ON e.id = dates.id
    LEFT JOIN ${venues} AS v ON v.id = ${FIRST_PLACE}) WHERE known IS NOT NULL)`
