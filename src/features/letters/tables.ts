import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { booleanColumn, refersTo } from '../../db/schema.ts'

export const LETTER_WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/** The choices for a letter without events: it is not sent, or says that there are none. */
export const EMPTY_LETTERS = ['skip', 'say'] as const

/** Weekly letters with the events of the coming days, each to one address. `version` rises when users change settings. */
export const letters = sqliteTable('letters', {
  id: integer().primaryKey({ autoIncrement: true }),
  version: integer().notNull().default(1),
  name: text().notNull(),
  /** A JSON object of list parameters, as the client sent them. */
  filters: text().notNull().default('{}'),
  days: integer().notNull(),
  weekday: text({ enum: LETTER_WEEKDAYS }).notNull(),
  /** The hour of the day in the zone of the calendar, 0 to 23. */
  hour: integer().notNull(),
  language: text().notNull(),
  subject: text().notNull(),
  intro: text().notNull().default(''),
  to_email: text().notNull(),
  /** The address that was confirmed. The letter is sent only if this equals `to_email`. */
  confirmed_email: text().notNull().default(''),
  empty: text({ enum: EMPTY_LETTERS }).notNull().default('skip'),
  active: booleanColumn().default(true),
  /** The start of addresses in the letter, taken from the last request that wrote this row. */
  api: text().notNull(),
  created_utc: text().notNull(),
  last_sent_utc: text(),
  /** When the letter is sent next, UTC; null for never. It was computed in the time zone `zone`. */
  next_utc: text(),
  zone: text().notNull().default(''),
})

export const LETTER_STATES = ['sending', 'sent', 'unknown', 'waiting', 'failed', 'empty', 'late'] as const

/**
 * What became of each letter. A row is `sending` before the letter goes to the platform. If it remains `sending`, the
 * run was killed in between: as with `unknown`, nobody knows whether the letter was sent.
 */
export const letterDeliveries = sqliteTable(
  'letter_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    letter_id: refersTo(() => letters.id),
    /** The time for which it was planned; null for a test, which only the user who asked for it gets. */
    due_utc: text(),
    state: text({ enum: LETTER_STATES }).notNull(),
    tries: integer().notNull(),
    /** The time of the last try. */
    at_utc: text().notNull(),
    next_try_utc: text(),
    /** The code of the platform's error, or `timeout`; '' if there was none. */
    reason: text().notNull().default(''),
    events: integer().notNull().default(0),
  },
  t => [
    uniqueIndex('letter_deliveries_due').on(t.letter_id, t.due_utc),
    index('letter_deliveries_waiting').on(t.next_try_utc).where(sql`next_try_utc IS NOT NULL`),
  ],
)
