import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// Tables that hold nothing of their own: triggers keep them right, whoever writes (drizzle/0001_derived.sql).
// They are declared here for their columns' names only, because Drizzle has no words for WITHOUT ROWID.

/** What one can list events by without any other condition. `event` is all of them, with target 0. */
export const FACETS = ['event', 'term', 'venue', 'organizer'] as const
export type Facet = (typeof FACETS)[number]

/**
 * Every event that lists may show, once for each thing it can be listed by: in the order of that list, with
 * all that the list must know. A category lists the events of those below it, too.
 */
export const listings = sqliteTable('listings', {
  facet: text({ enum: FACETS }).notNull(),
  target_id: integer().notNull(),
  utc_start_date: text().notNull(),
  event_id: integer().notNull(),
  utc_end_date: text().notNull(),
  listed_from: text().notNull(),
  span: integer().notNull(),
})

/** How many rows of `listings` start on a UTC day ("YYYY-MM-DD") or in a month ("YYYY-MM"). */
export const listingCounts = sqliteTable('listing_counts', {
  facet: text({ enum: FACETS }).notNull(),
  target_id: integer().notNull(),
  grain: text({ enum: ['day', 'month'] }).notNull(),
  period: text().notNull(),
  n: integer().notNull(),
})

/** Every category and tag with itself and all above it. */
export const termAncestors = sqliteTable('term_ancestors', {
  term_id: integer().notNull(),
  ancestor_id: integer().notNull(),
})

/**
 * One row. Every change of an event, venue, organizer or term raises `n`; `next_due_utc` is the earliest date
 * of a scheduled one, or null.
 */
export const revision = sqliteTable('revision', {
  n: integer().notNull(),
  modified_utc: text().notNull(),
  next_due_utc: text(),
})
