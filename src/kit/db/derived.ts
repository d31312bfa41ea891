import { type SQL, sql } from 'drizzle-orm'
import { integer, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { literal } from './query.ts'
import { utcColumn } from './tables/column-types.ts'

// Tables that triggers derive from others. The files of src/kit/db/triggers create them, because Drizzle
// cannot express WITHOUT ROWID; the declarations here only provide the names of their columns.

/**
 * The facets under which `listings` lists events. `event` stands for all events, with target 0. The target is
 * the id of the parent event for `parent`, and for the others an id of their own tables.
 */
export const FACETS = ['event', 'term', 'venue', 'organizer', 'parent', 'source'] as const
export type Facet = (typeof FACETS)[number]

/**
 * Every published event that lists may show, once for each facet and target, in the order of lists. A
 * category also lists the events of the categories below it.
 */
export const listings = sqliteTable('listings', {
  facet: text({ enum: FACETS }).notNull(),
  target_id: integer().notNull(),
  utc_start_date: utcColumn().notNull(),
  event_id: integer().notNull(),
  utc_end_date: utcColumn().notNull(),
})

/**
 * The length in days of a period of {@link listingCounts}. To get a total, one reads a row for each period,
 * and the events in two partial periods.
 */
export const periodDays = (facet: Facet): number => (facet === 'event' ? 7 : 28)

/**
 * The number of rows of `listings` that start in each period. Periods are numbered from the beginning of the
 * year 1.
 * @see periodDays
 */
export const listingCounts = sqliteTable('listing_counts', {
  facet: text({ enum: FACETS }).notNull(),
  target_id: integer().notNull(),
  period: integer().notNull(),
  count: integer().notNull(),
})

/** Every category and tag with itself and all its ancestors. */
export const termAncestors = sqliteTable('term_ancestors', {
  term_id: integer().notNull(),
  ancestor_id: integer().notNull(),
})

/**
 * The revision of the database, in one row. Every change of an event, venue, organizer or term raises
 * `change_number`; changes that anonymous callers can see raise `public_change_number` as well, so that their
 * responses don't depend on hidden content. `next_due_utc` is the earliest date of scheduled content, or
 * null. `secret` is this database's, from which entity tags are made. `write_state` is 0 except within a
 * write that has one number for all its changes; in such a write, events with ids from `first_new_id` on are
 * new. `purges_left` is the number of times that shared caches still have to be purged of responses from
 * before the last public change, and `image_purges_left` of deleted images (kit/http/shared-caches.ts).
 * `restoring` is how far the restore of a backup has got, null in a complete calendar (kit/db/readiness.ts);
 * `settings` is what administrators have set, as JSON, or null (kit/http/stored-settings.ts).
 */
export const revision = sqliteTable('revision', {
  secret: text().notNull(),
  change_number: integer().notNull(),
  modified_utc: utcColumn().notNull(),
  public_change_number: integer().notNull(),
  public_modified_utc: utcColumn().notNull(),
  next_due_utc: utcColumn(),
  write_state: integer().notNull(),
  first_new_id: integer(),
  purges_left: integer().notNull(),
  image_purges_left: integer().notNull(),
  restoring: text(),
  settings: text(),
})

/**
 * The latest change of each event, venue and organizer, which outlives its row, and of deleted terms.
 * `change_number` is the revision that the change made. `public_change_number` is the revision of the latest
 * change that concerns anonymous callers: their lists show the row before the change or after it. It is null
 * if there was no such change.
 */
export const changes = sqliteTable('changes', {
  kind: text({ enum: ['events', 'venues', 'organizers', 'event_category', 'event_tag'] }).notNull(),
  id: integer().notNull(),
  change_number: integer().notNull(),
  public_change_number: integer(),
  /**
   * True if this change was not public: `public_change_number` is then the number of an earlier change, or
   * null.
   */
  is_hidden: integer({ mode: 'boolean' }).notNull(),
})

// Conditions for the changes that lists show, and for the others. Each chooses the index of its changes
// (kit/db/triggers/changes.sql).
const shownSql = sql`changes.public_change_number IS NOT NULL AND NOT is_hidden`
const hiddenSql = sql`is_hidden`

/**
 * An expression for the number of the latest change of a kind, 0 if there is none.
 * @param kind an expression for a kind other than terms
 */
export const latestChange = (kind: SQL): SQL => sql`max(
  coalesce((SELECT change_number FROM ${changes} WHERE kind = ${kind} AND ${shownSql}
    ORDER BY public_change_number DESC LIMIT 1), 0),
  coalesce((SELECT change_number FROM ${changes} WHERE kind = ${kind} AND ${hiddenSql}
    ORDER BY change_number DESC LIMIT 1), 0))`

/**
 * An expression for the public number of a position once it has moved on to a change: the number of the last
 * public change up to that one whose rows are all done.
 *
 * @param before the public number of the position before
 */
export const publicNumberAt = (
  { kind, changeNumber, id }: Record<'kind' | 'changeNumber' | 'id', SQL>,
  before: SQLiteColumn,
): SQL =>
  sql`coalesce((SELECT public_change_number - EXISTS (SELECT 1 FROM ${changes} AS more WHERE more.kind = changes.kind
      AND more.public_change_number = changes.public_change_number AND more.id > changes.id)
    FROM ${changes} WHERE kind = ${kind} AND id = ${id} AND change_number = ${changeNumber} AND ${shownSql}), ${before})`

type NextChanges = {
  /** The tables before `changes` in FROM, which may have the position. */
  from?: SQL
  /** A condition that says the kind. */
  where: SQL
  /**
   * A position among changes, which are ordered by number and id. Public changes after it have a higher
   * public number than `publicChangeNumber`.
   */
  after: Record<'changeNumber' | 'id' | 'publicChangeNumber', SQL>
  /** Columns besides the number and the id. */
  more?: SQL
  limit: number
}

/**
 * A SELECT of the next changes of a kind. There is one index of the changes after which lists show something
 * to everybody, and one of all others; both numbers rise in the same order.
 */
export function nextChanges({ from = sql``, where, after, more = sql``, limit }: NextChanges): SQL {
  const changesBy = (index: SQL, bound: SQL, order: SQL) => sql`SELECT * FROM (
    SELECT changes.change_number AS change_number, changes.id AS id ${more} FROM ${from} ${changes} INDEXED BY ${index}
    WHERE ${bound} AND (changes.change_number, changes.id) > (${after.changeNumber}, ${after.id}) AND ${where}
    ORDER BY ${order}, changes.id LIMIT ${literal(limit)})`
  const shownAfterSql = sql`${shownSql} AND changes.public_change_number > ${after.publicChangeNumber}`
  return sql`SELECT * FROM (${changesBy(sql`changes_public`, shownAfterSql, sql`changes.public_change_number`)}
    UNION ALL ${changesBy(sql`changes_hidden`, hiddenSql, sql`changes.change_number`)})
    ORDER BY change_number, id LIMIT ${literal(limit)}`
}

/**
 * A condition for the links of events to some rows, in a table of such links. These have no index by target:
 * the view `events_of` finds the events, including events in the descendants of a category.
 *
 * @param ids a SELECT or a list, in parentheses
 */
export const eventLinkToSql = (facet: 'venue' | 'organizer' | 'term', ids: SQL): SQL =>
  sql`event_id IN (SELECT event_id FROM events_of WHERE facet = ${facet} AND target_id IN ${ids}) AND target_id IN ${ids}`
