import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// Tables that hold nothing of their own: triggers keep them right, whoever writes (drizzle/*_derived.sql,
// drizzle/*_listings.sql). They are declared here for their columns' names only, because Drizzle has no words for
// WITHOUT ROWID.

/**
 * Everything that events can be listed by with nothing but an index. `event` is all of them, with target 0; `featured`
 * and `ticketed` have target 1, `parent` the id of the event that others belong to.
 */
export const FACETS = ['event', 'term', 'venue', 'organizer', 'featured', 'ticketed', 'parent'] as const
export type Facet = (typeof FACETS)[number]

/**
 * Every published event that lists may show, once for each thing it can be listed by: in the order of that list, with
 * all that the list must know. A category lists the events of those below it, too.
 */
export const listings = sqliteTable('listings', {
  facet: text({ enum: FACETS }).notNull(),
  target_id: integer().notNull(),
  utc_start_date: text().notNull(),
  event_id: integer().notNull(),
  utc_end_date: text().notNull(),
  span: integer().notNull(),
})

/** Numbers of rows of `listings` that start, and that end, on a UTC day ("YYYY-MM-DD") or in a month ("YYYY-MM"). */
export const listingCounts = sqliteTable('listing_counts', {
  facet: text({ enum: FACETS }).notNull(),
  target_id: integer().notNull(),
  grain: text({ enum: ['day', 'month'] }).notNull(),
  period: text().notNull(),
  starts: integer().notNull(),
  ends: integer().notNull(),
})

/** Every category and tag with itself and all above it. */
export const termAncestors = sqliteTable('term_ancestors', {
  term_id: integer().notNull(),
  ancestor_id: integer().notNull(),
})

/**
 * One row that tells whether anything has changed. Every change of an event, venue, organizer or term raises `n`; those
 * that anonymous callers can see raise `public_n` as well, so that nothing they get depends on what is hidden.
 * `next_due_utc` is the earliest date of anything scheduled, or null. `epoch` is a secret of this database, from which
 * entity tags are made.
 */
export const revision = sqliteTable('revision', {
  epoch: text().notNull(),
  n: integer().notNull(),
  modified_utc: text().notNull(),
  public_n: integer().notNull(),
  public_modified_utc: text().notNull(),
  next_due_utc: text(),
})
