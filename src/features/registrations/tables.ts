import { type SQL, sql } from 'drizzle-orm'
import { index, integer, type SQLiteColumn, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { literal } from '../../kit/db/query.ts'
import { booleanColumn } from '../../kit/db/tables.ts'
import { TICKET_AVAILABILITIES } from '../../kit/lib/statuses.ts'

/** The state of somebody who has not confirmed the address, as it is stored. */
export const UNCONFIRMED = 'unconfirmed'
export const REGISTRANT_STATES = [UNCONFIRMED, 'confirmed', 'waiting'] as const

/** E-mails that a trigger queues when a person's state changes: `registrants_mail_update` of triggers.sql. */
const TRIGGER_MAIL_KINDS = ['confirmed', 'waiting', 'moved_up'] as const
/** E-mails that writes queue: `changePlaces`, `removePerson`, `tellPeople` and `endStatements`. */
const WRITE_MAIL_KINDS = ['places', 'removed', 'changed', 'gone'] as const
/**
 * First e-mails, which ask somebody to confirm, or lead somebody known to the own page. They are queued only
 * if the platform refuses them because of the calendar (`registerPerson`).
 */
export const FIRST_MAIL_KINDS = ['ask', 'known'] as const
export const MAIL_KINDS = [...TRIGGER_MAIL_KINDS, ...WRITE_MAIL_KINDS, ...FIRST_MAIL_KINDS] as const

/**
 * The settings of an event, or of all dates of a series, for which people register. `version` rises when
 * users change them.
 */
export const registrations = sqliteTable(
  'registrations',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    /** No foreign keys, so that deleting events and series doesn't look here. Ids are never reused. */
    event_id: integer(),
    series_id: integer(),
    /** Null without a limit. */
    places: integer(),
    per_person: integer().notNull().default(1),
    /**
     * Days before the first day, and the time of day in the event's zone. Null: opens at once, closes at the
     * start.
     */
    opens_days: integer(),
    opens_time: text().notNull().default(''),
    closes_days: integer(),
    closes_time: text().notNull().default(''),
    waiting_list: booleanColumn().default(true),
    question: text().notNull().default(''),
    closed: booleanColumn(),
    /** The places of confirmed people, and of people on the waiting list. Triggers maintain both. */
    taken: integer().notNull().default(0),
    waiting: integer().notNull().default(0),
    /** The event's `ticketed` and `ticket_availability` before registration, as JSON. */
    former: text().notNull().default('{}'),
    /** What was last written into the event, and when, UTC. */
    tickets: text({ enum: TICKET_AVAILABILITIES }).notNull().default(''),
    tickets_utc: text().notNull().default(''),
    /** The dates as people were told them: a JSON array made by `knownDates` of occasion.ts. */
    told: text().notNull().default('[]'),
    /** When people were last told that these have changed, or first knew any of them, UTC; '' before. */
    told_utc: text().notNull().default(''),
    /**
     * What sources ask about the dates: a JSON object of `Protection.proposal` of
     * calendar/content/dependents.ts, by `e` and the id of the event, so that `$.e7` is a path.
     */
    asked: text().notNull().default('{}'),
    /** The start of addresses in e-mails, taken from the last request. */
    api: text().notNull(),
  },
  t => [
    uniqueIndex('registrations_event').on(t.event_id).where(sql`event_id IS NOT NULL`),
    uniqueIndex('registrations_series').on(t.series_id).where(sql`series_id IS NOT NULL`),
  ],
)

/**
 * A condition for somebody who has not confirmed the address. It has no parameter, so that the index
 * `registrants_unconfirmed` serves it.
 */
export const unconfirmedSql = (state: SQL | SQLiteColumn): SQL => sql`${state} = ${literal(UNCONFIRMED)}`

/** Registrants. Incrementing `version` invalidates their links. */
export const registrants = sqliteTable(
  'registrants',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    /**
     * No foreign key: a registration and its people are deleted together (`endStatements` in tickets.ts).
     */
    registration_id: integer().notNull(),
    state: text({ enum: REGISTRANT_STATES }).notNull().default(UNCONFIRMED),
    name: text().notNull(),
    /** '' for somebody the organizer has added. */
    email: text().notNull().default(''),
    places: integer().notNull().default(1),
    answer: text().notNull().default(''),
    /** The question that `answer` answers, since organizers may change it; '' without an answer. */
    question: text().notNull().default(''),
    language: text().notNull(),
    /** The order in which places are given; null before the address is confirmed. */
    position: integer(),
    came: booleanColumn(),
    /** The keys of counts that are given back when the address is confirmed, as JSON. */
    network_counts: text().notNull().default('[]'),
    created_utc: text().notNull(),
  },
  t => [
    uniqueIndex('registrants_email')
      .on(t.registration_id, sql`${t.email} COLLATE NOCASE`)
      .where(sql`email <> ''`),
    index('registrants_address').on(sql`${t.email} COLLATE NOCASE`).where(sql`email <> ''`),
    index('registrants_order').on(t.registration_id, t.state, t.position),
    index('registrants_created').on(t.created_utc),
    index('registrants_unconfirmed').on(t.created_utc).where(sql`state = 'unconfirmed'`),
  ],
)

/**
 * A condition for the rows of an address. Its second part is the indexes' condition, so that they serve it.
 */
export const sameEmailSql = (email: string): SQL =>
  sql`${registrants.email} = ${email} COLLATE NOCASE AND ${registrants.email} <> ''`

/** E-mails to be sent, to people who may be erased by then. They are deleted once they are sent. */
export const registrationMails = sqliteTable(
  'registration_mails',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text({ enum: MAIL_KINDS }).notNull(),
    /** No foreign keys: these e-mails outlive the registration or the person whose end they announce. */
    registration_id: integer().notNull(),
    registrant_id: integer().notNull(),
    email: text().notNull(),
    language: text().notNull(),
    /** A JSON array of what the e-mail says, by its kind (`readAbout` of mail-queue.ts). */
    about: text().notNull().default('[]'),
    api: text().notNull(),
    /** When it was claimed, UTC: it may have been sent, so it is never sent again; '' before. */
    claimed_utc: text().notNull().default(''),
    /** When the platform first refused the calendar's mail while this one waited, UTC; '' before. */
    held_utc: text().notNull().default(''),
  },
  t => [index('registration_mails_due').on(t.id).where(sql`claimed_utc = ''`)],
)
