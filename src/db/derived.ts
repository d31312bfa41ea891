import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { EventStatus } from '../lib/statuses.ts'

// SQL expressions of values that the database computes from an event's columns, for the order of indexes.

/** Limit of ids of events (exclusive), so that one number can hold a start and an id; see {@link searchKeySql}. */
export const EVENT_IDS = 2 ** 25

/**
 * An expression of a number that orders events by start and id: 39 bits, with sign, of seconds since an epoch in the
 * middle of the years 1 to 9999, then 25 bits of id.
 */
export const searchKeySql = (start: string, id: string): string =>
  `((unixepoch(${start}) - 212742310144) * ${EVENT_IDS} + ${id})`

/**
 * Classes of events by length, in days. A query for events that are on at a moment reads, of each class, those that began
 * at most so many days before: the longer a class, the more of them are over.
 */
export const SPANS = [4, 16, 64, 256] as const
/** The class of events that are longer than the last of {@link SPANS}. */
export const LONGEST_SPAN = 99_999_999

const SECONDS = '(unixepoch(utc_end_date) - unixepoch(utc_start_date))'

/** An expression of the class of an event: 0 up to a day, as nearly all are. */
export const spanSql = `CASE WHEN ${SECONDS} <= 86400 THEN 0 ${SPANS.map(
  days => `WHEN ${SECONDS} <= ${86_400 * days} THEN ${days}`,
).join(' ')} ELSE ${LONGEST_SPAN} END`

/** The fields by whose text an event is found. */
const TEXT_FIELDS = ['title', 'description', 'excerpt']

/** An expression that is true for an occurrence none of whose {@link TEXT_FIELDS} is detached from its series. */
export const sharesTextSql = `series_id IS NOT NULL ${TEXT_FIELDS.map(
  name => `AND instr(detached, '"${name}"') = 0`,
).join(' ')}`

// Tables that are derived from others by triggers. They are made in the files of src/db/triggers, because Drizzle cannot
// express WITHOUT ROWID, and declared here for the names of their columns only.

/**
 * The facets by which an index lists events. `event` stands for all events, with target 0; `featured`, `ticketed` and
 * `virtual` have target 1, `parent` the id of the parent event, `event_status` the number of a status, the others ids of
 * their own tables.
 */
export const FACETS = [
  'event',
  'term',
  'venue',
  'organizer',
  'featured',
  'ticketed',
  'parent',
  'event_status',
  'virtual',
  'source',
] as const
export type Facet = (typeof FACETS)[number]

/** The targets of the facet `event_status`. Scheduled events, which are nearly all, have none. */
export const EVENT_STATUS_TARGETS = { canceled: 1, postponed: 2, rescheduled: 3 } as const satisfies Record<
  Exclude<EventStatus, 'scheduled'>,
  number
>

/**
 * Every published event that lists may show, once for each facet and target, in the order of lists. A category also lists
 * the events of the categories below it.
 */
export const listings = sqliteTable('listings', {
  facet: text({ enum: FACETS }).notNull(),
  target_id: integer().notNull(),
  utc_start_date: text().notNull(),
  event_id: integer().notNull(),
  utc_end_date: text().notNull(),
})

/** The days of a period of {@link listingCounts}: a total reads a row for each period, and the events of two parts of periods. */
export const periodDays = (facet: Facet): number => (facet === 'event' ? 7 : 28)

/** Numbers of rows of `listings` that start in a period, numbered from the beginning of the year 1 on. @see periodDays */
export const listingCounts = sqliteTable('listing_counts', {
  facet: text({ enum: FACETS }).notNull(),
  target_id: integer().notNull(),
  period: integer().notNull(),
  n: integer().notNull(),
})

/** Every category and tag with itself and all its ancestors. */
export const termAncestors = sqliteTable('term_ancestors', {
  term_id: integer().notNull(),
  ancestor_id: integer().notNull(),
})

/**
 * The revision of the database, in one row. Every change of an event, venue, organizer or term raises `n`; changes that
 * anonymous callers can see raise `public_n` as well, so that their responses don't depend on hidden content.
 * `next_due_utc` is the earliest date of scheduled content, or null. `epoch` is a secret of this database, from which
 * entity tags are made. `stage` is 0 but within a write that has one number for all its changes. `purges_left` is how
 * often shared caches are still to be purged of what they had before the last public change, and `image_purges_left` of images
 * that were deleted (http/caching.ts).
 * `restoring` is how far the restore of a backup has come, null in a whole calendar (db/restoring.ts).
 */
export const revision = sqliteTable('revision', {
  epoch: text().notNull(),
  n: integer().notNull(),
  modified_utc: text().notNull(),
  public_n: integer().notNull(),
  public_modified_utc: text().notNull(),
  next_due_utc: text(),
  stage: integer().notNull(),
  purges_left: integer().notNull(),
  image_purges_left: integer().notNull(),
  restoring: text(),
})

/**
 * The latest change of each event, venue, organizer and term, which outlives its row. `n` is the revision that it has made,
 * and `public_n` that of what lists show to anonymous callers, before or after: null if there was none.
 */
export const changes = sqliteTable('changes', {
  kind: text({ enum: ['events', 'venues', 'organizers', 'event_category', 'event_tag'] }).notNull(),
  id: integer().notNull(),
  n: integer().notNull(),
  public_n: integer(),
  /** Its author, `,7,`, who may know of it although it is unpublished; `,` for terms, which have none. */
  authors: text().notNull(),
})

/** A condition for kinds of changes that have an index by number. Terms have none: they are few, and every event changes theirs. */
export const isNumbered = sql.raw("changes.kind NOT IN ('event_category', 'event_tag')")

/** Who had something before somebody else got it, and the latest entry of the audit and the change by which it left them. */
export const handovers = sqliteTable('handovers', {
  kind: text({ enum: ['event', 'series', 'venue', 'organizer', 'image'] }).notNull(),
  object_id: integer().notNull(),
  /** 0 for nobody: an image that was only named by its address. */
  author_id: integer().notNull(),
  /** The latest entry of the audit before. */
  audit_id: integer().notNull(),
  /** The number of the change. */
  n: integer().notNull(),
})

/**
 * What lists showed last of an event that they don't show any more, while its row is there. Feeds say that it is cancelled
 * once it is in the trash, and nothing of what has been changed since.
 */
export const unlisted = sqliteTable('unlisted', {
  event_id: integer().primaryKey(),
  /** That of the change by which it was hidden; 0 if this or its links have since changed more than that. */
  version: integer().notNull(),
  date_utc: text().notNull(),
  modified_utc: text().notNull(),
  title: text().notNull(),
  all_day: integer({ mode: 'boolean' }).notNull(),
  start_date: text().notNull(),
  utc_start_date: text().notNull(),
  utc_end_date: text().notNull(),
  timezone: text().notNull(),
})
