import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Task, writingTask } from '../../feature.ts'
import type { CronRun } from '../../kit/context.ts'
import { retryConflicts } from '../../kit/db/failures.ts'
import { literal, many, readNumber, readText } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, eventVenues, formerSlugs, venues } from '../../kit/db/tables.ts'
import { backgroundContext } from '../../kit/http/request-context.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '../../kit/lib/time.ts'
import type { DueRows } from '../../kit/work/due-rows.ts'
import { notPostponedSql, tryRow } from '../../kit/work/leases.ts'
import {
  MAX_WAITING_DAYS,
  NEW_DATE_DAYS,
  QUIET_MINUTES,
  REGISTRATION_WORK,
  UNCONFIRMED_DAYS,
} from './budgets.ts'
import { mailInsertStatement } from './mail-queue.ts'
import {
  AVAILABILITY,
  datesOfRegistration,
  knownDates,
  selectOccasionById,
  withRegistration,
} from './occasion.ts'
import { moveUpStatement } from './places.ts'
import { changesBetween, datesIn, phaseOf } from './rules.ts'
import { registrants, registrationMails, registrations, unconfirmedSql } from './tables.ts'
import { updateTickets } from './tickets.ts'

// The cron compares what people have been told about an event with its current state, no matter who changed
// it and in how many steps.

const { registrationsPerRun, ofChange, ofTicketChange } = REGISTRATION_WORK

/** A condition for registrations with people: there is nobody to tell about changes of the others. */
const nonEmptySql = sql`${registrations.taken} + ${registrations.waiting} > 0`

const quietSince = (nowMs: number): string => formatInstant(nowMs - QUIET_MINUTES * MINUTE_MS)

/** The last change of the dates of a registration and of their places. */
const LAST_CHANGE = sql`(SELECT max(e.modified_utc,
    coalesce((SELECT max(v.modified_utc) FROM ${eventVenues} AS link
    CROSS JOIN ${venues} AS v ON v.id = link.target_id WHERE link.event_id = e.id), ''))
    FROM (${datesOfRegistration(registrations.id)}) AS dates
    CROSS JOIN ${events} AS e ON e.id = dates.id ORDER BY 1 DESC LIMIT 1)`

const ROW_ID = sql`${registrations.id}`

/** The names of single rows, in the log and among postponed rows. */
const CHANGES_OF_ONE = 'changes of a registration'
const PLACES_OF_ONE = 'places of a registration'

/** Registrations whose people have not been told of the latest changes. Checked every five minutes. */
const registrationsToTell = (nowMs: number): SQL =>
  sql`${registrations} WHERE ${nonEmptySql} AND ${registrations.told} <> ${knownDates(registrations.id)}
    AND ${notPostponedSql(CHANGES_OF_ONE, nowMs, ROW_ID)} AND coalesce(${LAST_CHANGE}, '') <= ${quietSince(nowMs)}`

/**
 * What people have been told, with venues replaced by those that they were merged into since: a venue with
 * another id is not a new place. A text that is not JSON fails only when its own row is read.
 */
const KNOWN_AFTER_MERGES = sql`iif(json_valid(${registrations.told}),
  (SELECT json_group_array(json(json_set(value, '$.venue', coalesce((SELECT target_id FROM ${formerSlugs}
    WHERE kind = 'venue' AND former_id = value ->> 'venue'), value ->> 'venue')))) FROM json_each(${registrations.told})),
  ${registrations.told})`

const isFifthMinute = (nowMs: number): boolean => Math.floor(nowMs / MINUTE_MS) % 5 === 0
/** True every tenth minute, and never in a minute of `isFifthMinute`, which has work of its own. */
const isTimeToErase = (nowMs: number): boolean => Math.floor(nowMs / MINUTE_MS) % 10 === 3

export const peopleToTellSql = (nowMs: number): SQL =>
  isFifthMinute(nowMs) ? sql`EXISTS (SELECT 1 FROM ${registrationsToTell(nowMs)})` : sql`0`

/** Tells people what has changed about their events: once, even after many changes. */
export async function tellPeople({ db, nowMs }: CronRun): Promise<void> {
  if (!db.allowance.allows('registrations: changes', { statements: 1 })) return
  const rows = await db.read(
    many(
      sql`SELECT id, ${registrations.told} AS known_text, ${KNOWN_AFTER_MERGES} AS merged_text,
        ${knownDates(registrations.id)} AS latest_text
        FROM ${registrationsToTell(nowMs)} LIMIT ${literal(registrationsPerRun)}`,
      { id: readNumber, known_text: readText, merged_text: readText, latest_text: readText },
    ),
  )
  await db.allowance.forEach(
    'registrations: changes',
    ofChange,
    rows,
    ({ id, known_text: knownText, merged_text: mergedText, latest_text: latestText }) =>
      tryRow(db, { rowName: CHANGES_OF_ONE, id, nowMs }, () => {
        // The dates of a long series are made little by little, two years ahead: those are no news.
        const until = formatInstant(nowMs + NEW_DATE_DAYS * DAY_MS)
        const latest = datesIn(latestText)
        const changes = changesBetween(datesIn(mergedText), latest, until)
        // Whoever registered after the last change has known nothing else. It is not known when a place
        // changed, or when a date was deleted.
        const isDated = changes.every(
          ({ kind, date }) => kind !== 'place' && latest.some(other => other.id === date.id),
        )
        const concernedSql = isDated ? sql`p.created_utc <= ${LAST_CHANGE}` : sql`1`
        const unchangedSql = sql`${registrations.id} = ${id} AND ${registrations.told} = ${knownText}`
        return db.write([
          ...(changes.length > 0
            ? [
                mailInsertStatement('changed', {
                  about: JSON.stringify(changes),
                  where: sql`${unchangedSql} AND ${concernedSql}`,
                }),
              ]
            : []),
          build
            .update(registrations)
            .set({
              told: latestText,
              ...((changes.length > 0 || knownText === '[]') && { told_utc: formatInstant(nowMs) }),
            })
            .where(and(eq(registrations.id, id), eq(registrations.told, knownText))),
        ])
      }),
  )
}

/**
 * Registrations whose event shows an outdated ticket status. Writing it counts as a change of the event,
 * which delays notifications, so people are notified first.
 */
const registrationsWithOtherTickets = (nowMs: number): SQL =>
  sql`${registrations} WHERE ${registrations.tickets} <> ${AVAILABILITY} AND tickets_utc <= ${quietSince(nowMs)}
    AND (NOT (${nonEmptySql}) OR ${registrations.told} = ${knownDates(registrations.id)})
    AND ${notPostponedSql(PLACES_OF_ONE, nowMs, ROW_ID)}`

/**
 * Registrations with places for people on the waiting list: more were freed than can move up at once, or a
 * limit was lifted. Some remain for good, such as those that have closed: a run picks at random, so that they
 * don't hold up the others for ever.
 */
const registrationsWithRoom = (nowMs: number): SQL =>
  sql`${registrations} WHERE waiting > 0 AND NOT closed AND (places IS NULL OR taken < places)
    AND ${notPostponedSql(PLACES_OF_ONE, nowMs, ROW_ID)}`

export const placesToUpdateSql = (nowMs: number): SQL =>
  sql`(EXISTS (SELECT 1 FROM ${registrationsWithOtherTickets(nowMs)}) OR ${isFifthMinute(nowMs) ? sql`EXISTS (SELECT 1 FROM ${registrationsWithRoom(nowMs)})` : sql`0`})`

/** Updates the ticket status that events show, and moves people up from waiting lists. */
export async function updateAllPlaces({ db, settings, nowMs }: CronRun): Promise<void> {
  if (!db.allowance.allows('registrations: places', { statements: 2 })) return
  const rows = await db.read(
    many(
      sql`SELECT id, api FROM (SELECT * FROM ${registrationsWithOtherTickets(nowMs)} UNION SELECT * FROM ${registrationsWithRoom(nowMs)})
        ORDER BY random() LIMIT ${literal(registrationsPerRun)}`,
      { id: readNumber, api: readText },
    ),
  )
  await db.allowance.forEach('registrations: places', ofTicketChange, rows, ({ id, api }) => {
    const context = backgroundContext({ api }, { db, settings, nowMs })
    const update = async () => {
      const occasion = withRegistration(await db.read(selectOccasionById(context, sql`${id}`)))
      if (!occasion) return
      if (occasion.registration.waiting > 0 && phaseOf(occasion, context.clock) === 'on')
        await db.write([moveUpStatement(id)])
      if (occasion.availability !== occasion.registration.tickets) await updateTickets(context, occasion)
    }
    return tryRow(db, { rowName: PLACES_OF_ONE, id, nowMs }, () => retryConflicts(update))
  })
}

// Erasing.

/** Registrations that were not confirmed in time. */
export const unconfirmedPeople = (nowMs: number): DueRows => ({
  name: 'unconfirmed registrations',
  rowName: 'unconfirmed registration',
  table: registrants,
  dueSql: sql`${unconfirmedSql(sql`state`)} AND created_utc < ${formatInstant(nowMs - UNCONFIRMED_DAYS * DAY_MS)}`,
  index: 'registrants_unconfirmed',
  limit: 500,
})

/** The dates of a registration: as they are, and as people were told last. */
const DATES = sql`(SELECT e.utc_end_date AS "end", iif(e.status = 'trash', 'gone', e.event_status) AS status
  FROM (${datesOfRegistration(registrations.id)}) AS dates CROSS JOIN ${events} AS e ON e.id = dates.id
  UNION ALL SELECT value ->> '$.utc[1]', value ->> 'status'
  FROM json_each(iif(json_valid(${registrations.told}), ${registrations.told}, '[]')))`

/**
 * When people were last told of a change. While a hidden event only has people who were entered by hand, and
 * so know no date, it is the last change of the event.
 */
const LAST_TOLD = sql`iif(${registrations.told} = '[]', coalesce(${LAST_CHANGE}, ''), ${registrations.told_utc})`

/**
 * A SELECT of the people to erase: those for whom some days have passed since each of these:
 *
 * - the end of their dates, both as these are and as people were last told, so that whoever mistypes a date
 *   can still put it right
 * - the last time that people were told of a change
 * - their own registration, because people may be entered by hand after the event
 *
 * A postponed date keeps them longer, because they wait for a new one, but for no more than
 * {@link MAX_WAITING_DAYS} after they registered.
 *
 * @param days `REGISTRATION_DAYS`
 */
function peopleToErase(nowMs: number, days: number): SQL {
  const since = formatInstant(nowMs - days * DAY_MS)
  return sql`SELECT id FROM ${registrants} WHERE ${registrants.created_utc} < ${since}
      AND ${registrants.registration_id} IN (SELECT id FROM ${registrations} WHERE ${nonEmptySql}
      AND ${LAST_TOLD} < ${since} AND NOT EXISTS (SELECT 1 FROM ${DATES} WHERE "end" >= ${since} OR status = 'postponed'))
    UNION ALL SELECT id FROM ${registrants} WHERE ${registrants.created_utc} < ${formatInstant(nowMs - MAX_WAITING_DAYS * DAY_MS)}
      AND NOT EXISTS (SELECT 1 FROM ${registrations} WHERE ${registrations.id} = ${registrants.registration_id}
      AND (${LAST_TOLD} >= ${since} OR EXISTS (SELECT 1 FROM ${DATES} WHERE "end" >= ${since} AND status <> 'postponed')))`
}

/** The task that erases people. Checked every ten minutes. */
export function erasureTask({ db, settings, nowMs }: CronRun): Task {
  const people = peopleToErase(nowMs, settings.registrations.days)
  return writingTask(db, {
    name: 'registrations of events that are over',
    runsWhile: 'always',
    dueSql: isTimeToErase(nowMs) ? sql`EXISTS (${people})` : sql`0`,
    statements: [build.delete(registrants).where(sql`id IN (${people} LIMIT 500)`)],
  })
}

/** The task that erases queued e-mails on a calendar that sends none. */
export function unsentMailsTask({ db }: CronRun, runsWhile: 'off' | 'always'): Task {
  const waitingSql = sql`claimed_utc = ''`
  return writingTask(db, {
    name: 'registrations that tell nobody',
    runsWhile,
    dueSql: sql`EXISTS (SELECT 1 FROM ${registrationMails} WHERE ${waitingSql})`,
    statements: [build.delete(registrationMails).where(waitingSql)],
  })
}
