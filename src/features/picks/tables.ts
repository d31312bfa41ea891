import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Lists of picks that somebody subscribes to. A random token reads a list, and goes to calendar programs and
 * friends; a random key changes it, and stays in the browser. Only digests (SHA-256) of both are stored.
 * Nothing tells whose list it is.
 */
export const pickLists = sqliteTable(
  'pick_lists',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    token_digest: text().notNull().unique(),
    key_digest: text().notNull().unique(),
    /** Ids of events and dates, and of series of which all dates are kept, as JSON. */
    ids: text().notNull(),
    series: text().notNull(),
    /** The time of the last read, UTC, recorded at most once a week. */
    read_utc: text().notNull(),
  },
  t => [index('pick_lists_read').on(t.read_utc)],
)
