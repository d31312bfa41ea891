import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { booleanColumn, refersTo } from '../../kit/db/tables.ts'

export const LETTER_WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/** What happens to a letter without events: it is not sent, or it says that there are none. */
export const EMPTY_LETTERS = ['skip', 'say'] as const

/**
 * Weekly letters with the events of the coming days, each to one address. `version` rises when users change
 * settings.
 */
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

export const LETTER_DELIVERY_STATES = [
  'sending',
  'sent',
  'unknown',
  'waiting',
  'failed',
  'empty',
  'late',
] as const

/**
 * What became of each letter. A row is `sending` before the letter goes to the platform. If it remains
 * `sending`, the run was killed in between: as with `unknown`, nobody knows whether the letter was sent.
 */
export const letterDeliveries = sqliteTable(
  'letter_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    letter_id: refersTo(() => letters.id),
    /** The time for which it was planned; null for a test, which only the user who asked for it gets. */
    due_utc: text(),
    state: text({ enum: LETTER_DELIVERY_STATES }).notNull(),
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

/** What subscribers chose, and in which language: each is composed once for all who chose the same. */
export const newsChoices = sqliteTable(
  'news_choices',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    /** A JSON object of list parameters; `{}` for all events. */
    filters: text().notNull(),
    language: text().notNull(),
    /** The start of addresses in e-mails. */
    api: text().notNull(),
  },
  t => [index('news_choices_filters').on(t.filters, t.language)],
)

/**
 * What became of the news of a week: `sending` before it goes to the platform, and `waiting` for another try
 * after a refusal. As with letters, nobody knows whether the news of a row that remains `sending` was sent.
 */
const NEWS_STATES = ['sending', 'sent', 'waiting', 'failed'] as const

/**
 * People who get news by e-mail, or have yet to confirm that they want it. Leaving deletes the row. Links in
 * e-mails are made of `id`, which is never used again, and `version`.
 */
export const subscribers = sqliteTable(
  'subscribers',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    email: text().notNull(),
    choice_id: refersTo(() => newsChoices.id),
    weekday: text({ enum: LETTER_WEEKDAYS }).notNull(),
    /** When the first e-mail was asked for. */
    asked_utc: text().notNull(),
    /**
     * When the address was confirmed, and the version of the words to which its owner agreed; null before
     * that.
     */
    consented_utc: text(),
    consent: integer(),
    /**
     * When the next e-mail is due, UTC; null before the address is confirmed. Claiming the e-mail moves this
     * to the week after.
     */
    next_utc: text(),
    /**
     * The time for which the latest news was due, UTC, and their outcome; null if there was nothing to send.
     */
    week_utc: text(),
    state: text({ enum: NEWS_STATES }),
    /**
     * The days on which the recipient's side refused e-mails, since it last took one, and the last of them.
     */
    refusals: integer().notNull().default(0),
    refused_day: text().notNull().default(''),
  },
  t => [
    uniqueIndex('subscribers_email').on(sql`${t.email} COLLATE NOCASE`),
    index('subscribers_choice').on(t.choice_id),
    index('subscribers_due').on(t.next_utc, t.choice_id).where(sql`next_utc IS NOT NULL`),
    index('subscribers_unconfirmed').on(t.asked_utc).where(sql`consented_utc IS NULL`),
  ],
)
