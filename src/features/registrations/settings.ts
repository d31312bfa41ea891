import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { conflictIf } from '../../kit/db/failures.ts'
import { first } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, series } from '../../kit/db/tables.ts'
import { invalidParams, type ValidationErrors } from '../../kit/lib/errors.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { codedReason, type Reason } from '../../kit/lib/reasons.ts'
import { type DateTime, dayNumber, toEpoch, toUtc } from '../../kit/lib/time.ts'
import { omit, withoutUndefined } from '../../kit/lib/values.ts'
import {
  conflictIfEnded,
  type Occasion,
  type RegistrationRow,
  registrationOf,
  seriesOfCourse,
} from './occasion.ts'
import { freedPlacesStatements } from './places.ts'
import { registrationTimes } from './rules.ts'
import type { SettingFields } from './schema.ts'
import { registrations } from './tables.ts'

type Columns = Partial<RegistrationRow>

/**
 * A local time as days before the first day and a time of day, so that it moves with a moved or copied event.
 */
const daysAndTime = (firstStart: string, time: string | null) => ({
  days: time === null ? null : dayNumber(firstStart) - dayNumber(time),
  time: time === null ? '' : time.slice(11),
})

/** The columns that PUT writes for the given fields. Adds errors for fields that don't fit. */
export function prepareSettings(
  { clock }: BaseContext,
  occasion: Occasion,
  { opens, closes, scope, ...plainSettings }: Partial<SettingFields>,
  errors: ValidationErrors,
): Columns {
  const { event, registration, firstStart, lastEnd } = occasion
  const formerTimes = registration
    ? registrationTimes({ ...occasion, registration })
    : { opens: null, closes: null }
  const localTime = (text: string | null): DateTime | null =>
    text === null ? null : (parseDate(text, event.timezone, toEpoch(clock.now()))?.wall ?? null)
  const from = opens === undefined ? formerTimes.opens : localTime(opens)
  const until = closes === undefined ? formerTimes.closes : localTime(closes)
  // Unchanged times are not checked: the event may have been moved since, and other fields must stay
  // editable.
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
    errors.add('scope', 'must be event, because the event has only one date')
  const changesScope = registration !== undefined && isForSeries !== (registration.series_id !== null)
  if (changesScope && registration.taken + registration.waiting > 0)
    errors.add('scope', codedReason('scope_with_people', 'must stay as it is while there are people'))
  return {
    ...withoutUndefined(plainSettings),
    ...(changesFrom && { opens_days: opensAt.days, opens_time: opensAt.time }),
    ...(changesUntil && { closes_days: closesAt.days, closes_time: closesAt.time }),
    event_id: isForSeries ? null : event.id,
    series_id: isForSeries ? event.series_id : null,
  }
}

const endlessSql = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${series} WHERE ${series.id} = ${id} AND rrule <> '' AND rrule NOT LIKE '%UNTIL=%'
    AND rrule NOT LIKE '%COUNT=%')`

/** A condition: the dates of the series together have a registration other than this one. */
const registeredTogetherSql = (seriesId: number, { registration }: Occasion): SQL =>
  sql`EXISTS (SELECT 1 FROM ${registrations} WHERE series_id = ${seriesId} AND id IS NOT ${registration?.id ?? null})`

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
    // Fails if, meanwhile, somebody has made or ended a registration for the event or its series, or has
    // registered.
    conflictIf(registration ? togetherSql : sql`${registrationOf(sql`${event.id}`)} IS NOT NULL`),
    ...(registration ? [conflictIfEnded(registration.id)] : []),
    ...(changesScope ? [conflictIf(anyPeopleSql(registration.id))] : []),
    settingsStatement,
    ...(registration
      ? freedPlacesStatements({ ...occasion, registration: { ...registration, ...columns } }, clock)
      : []),
  ])
}

export type OwnerKind = 'event' | 'series'
/** The column that refers to the event or the series. */
export const OWNER_COLUMN = { event: sql.raw('event_id'), series: sql.raw('series_id') }

/** All columns except those about a single event or its people, so that copies get every setting. */
const SETTING_NAMES_TO_COPY = Object.values(
  omit(
    getTableColumns(registrations),
    'id',
    'version',
    'event_id',
    'series_id',
    'taken',
    'waiting',
    'former',
    'tickets',
    'tickets_utc',
    'told',
    'told_utc',
    'asked',
  ),
).map(({ name }) => name)
const SETTING_COLUMNS = sql.raw(SETTING_NAMES_TO_COPY.join(', '))
const SETTINGS_REPLACED = sql.raw(SETTING_NAMES_TO_COPY.map(name => `${name} = excluded.${name}`).join(', '))
const FORMER_COLUMN = sql.identifier(registrations.former.name)
const COPIED_COLUMNS = sql`${SETTING_COLUMNS}, ${FORMER_COLUMN}`

/** The settings for another event, which is open for registration even if the original was closed by hand. */
const SETTINGS_OPEN = sql.raw(
  SETTING_NAMES_TO_COPY.map(name => (name === registrations.closed.name ? '0' : name)).join(', '),
)
/** The settings of a copy. The rest of a divided series keeps them as they are. */
const SETTINGS_OF_COPY = { event: SETTINGS_OPEN, series: SETTING_COLUMNS }

/** The statement that gives a copy the settings, but no people. */
export const settingsCopyStatements = (kind: OwnerKind, { from, to }: { from: SQL; to: SQL }): SQL[] => [
  sql`INSERT INTO ${registrations} (${OWNER_COLUMN[kind]}, ${COPIED_COLUMNS})
    SELECT ${to}, ${SETTINGS_OF_COPY[kind]}, ${FORMER_COLUMN} FROM ${registrations}
    WHERE ${OWNER_COLUMN[kind]} = ${from}
    ON CONFLICT DO NOTHING`,
]

/**
 * The start of a statement that gives events the settings of a row `own`, and stores each one's own ticket
 * status.
 */
const insertionForDates = (
  settings: SQL,
): SQL => sql`INSERT INTO ${registrations} (event_id, ${COPIED_COLUMNS})
  SELECT date.id, ${settings}, json_object('ticketed', json(iif(date.ticketed, 'true', 'false')),
  'ticket_availability', date.ticket_availability)`

/**
 * The statement that gives new dates of a series the settings of its last date, if that date has its own
 * registration.
 */
export const newDateSettingsStatements = ({
  series: ofSeries,
  dates,
}: {
  series: SQL
  dates: SQL
}): SQL[] => [
  sql`${insertionForDates(SETTINGS_OPEN)} FROM ${events} AS date CROSS JOIN ${registrations} AS own ON own.event_id = (
      SELECT last.id FROM ${events} AS last INDEXED BY events_occurrence
      WHERE last.series_id = ${ofSeries} AND last.status <> 'trash' AND last.id NOT IN ${dates}
      ORDER BY last.occurrence_date DESC LIMIT 1)
    WHERE date.id IN ${dates} ON CONFLICT DO NOTHING`,
]

/**
 * Gives each upcoming date of the event's course these settings, if the caller may change that date too. In a
 * divided course, series whose dates share a registration keep it.
 */
export const copyToDates = ({ db, clock }: BaseContext, { event: { id } }: Occasion): Promise<void> =>
  db.write([
    sql`${insertionForDates(SETTING_COLUMNS)}
      FROM ${registrations} AS own CROSS JOIN ${events} AS event ON event.id = own.event_id
      CROSS JOIN ${events} AS date INDEXED BY events_occurrence ON date.series_id IN (${seriesOfCourse(sql`event.series_id`)})
      WHERE own.event_id = ${id} AND date.id <> ${id}
      AND NOT EXISTS (SELECT 1 FROM ${registrations} AS shared WHERE shared.series_id = date.series_id) AND date.utc_start_date > ${clock.now()}
      AND (date.status, date.author_id) = (event.status, event.author_id)
      ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO UPDATE SET version = version + 1, ${SETTINGS_REPLACED}`,
  ])

export const withPeopleSql = (kind: OwnerKind, id: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${registrations}
    WHERE ${kind === 'event' ? sql`id = ${registrationOf(id)}` : sql`series_id = ${id}`} AND taken + waiting > 0)`
