import { sql } from 'drizzle-orm'
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { booleanColumn } from './column-types.ts'

/**
 * A random key for each day (UTC); only the latest two are kept. Nobody can trace a digest whose key was
 * deleted.
 */
export const dayKeys = sqliteTable('day_keys', {
  day: text().primaryKey(),
  /** Hexadecimal, 256 bits. */
  key: text().notNull(),
})

/** How often something was done within an hour or a day (`kit/work/counts.ts`). */
export const limitCounts = sqliteTable(
  'limit_counts',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    until_utc: text().notNull(),
  },
  t => [index('limit_counts_until').on(t.until_utc)],
)

/**
 * Visitors' remarks on events. Once an editor has dealt with a remark, it is deleted, along with its sender.
 */
export const remarks = sqliteTable(
  'remarks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The event that the remark is about, which may have been deleted. */
    event_id: integer().notNull(),
    text: text().notNull(),
    name: text().notNull().default(''),
    email: text().notNull().default(''),
    /**
     * The digest of the submitted form, so that sending it twice makes one remark only; null for programs.
     */
    form_digest: text(),
    created_utc: text().notNull(),
    /** The likelihood that the remark is spam, from 0 to 1. */
    likeness: real().notNull().default(0),
  },
  t => [uniqueIndex('remarks_form').on(t.form_digest), index('remarks_created').on(t.created_utc)],
)

/**
 * Data of visitors' submissions apart from the event itself. The sender knows the token of the submission's
 * page; only its digest is stored. `sender` is a keyed digest of the sender's network, which is cleared once
 * the day's key is gone; name and e-mail address are cleared 90 days after the decision.
 */
export const submissions = sqliteTable(
  'submissions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The event, or the first date of a series. It may have been deleted. */
    event_id: integer().notNull(),
    token_digest: text().notNull(),
    /**
     * The digest of the submitted form, so that sending it twice makes one submission only; null for
     * programs.
     */
    form_digest: text(),
    sender: text().notNull().default(''),
    name: text().notNull().default(''),
    email: text().notNull().default(''),
    /**
     * The digest of the link by which the sender confirms the address; '' if there is no link, or it was
     * used.
     */
    email_digest: text().notNull().default(''),
    is_confirmed: booleanColumn(),
    /** When the decision was sent to the confirmed address. */
    told_utc: text(),
    has_image: booleanColumn(),
    /** The digest that submissions of the same event have in common. */
    event_key: text().notNull(),
    created_utc: text().notNull(),
    /** When the decision was first noticed, or the submission withdrawn. */
    decided_utc: text(),
    is_withdrawn: booleanColumn(),
    /** The note of the editor who refused the submission. */
    note: text().notNull().default(''),
    /** The likelihood that the submission was spam when it was last sent, from 0 to 1. */
    likeness: real().notNull().default(0),
    /** True if an editor has marked it as spam. */
    is_spam: booleanColumn(),
    /** How it was sent: by e-mail, or else '' for forms and programs. */
    via: text({ enum: ['', 'email'] })
      .notNull()
      .default(''),
    /**
     * The text of the e-mail that it was in, for 30 days at most, and no longer than the sender's address.
     */
    mail_text: text().notNull().default(''),
  },
  t => [
    uniqueIndex('submissions_event').on(t.event_id),
    uniqueIndex('submissions_token').on(t.token_digest),
    uniqueIndex('submissions_form').on(t.form_digest),
    index('submissions_event_key').on(t.event_key),
    index('submissions_created').on(t.created_utc),
    index('submissions_sender').on(t.created_utc).where(sql`sender <> ''`),
    index('submissions_email').on(t.email).where(sql`email <> ''`),
    index('submissions_decided').on(t.decided_utc).where(sql`email <> ''`),
    index('submissions_undecided').on(t.id).where(sql`decided_utc IS NULL`),
    index('submissions_to_tell').on(t.id).where(sql`is_confirmed AND told_utc IS NULL`),
    index('submissions_mail_text').on(t.created_utc).where(sql`mail_text <> ''`),
    index('submissions_mails').on(t.created_utc).where(sql`via = 'email' AND form_digest IS NOT NULL`),
  ],
)
