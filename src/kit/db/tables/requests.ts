import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Requests with an `Idempotency-Key`, and their responses, kept for a day. The row is inserted in the transaction of
 * the request's first write, so that neither exists without the other; the response is added later. A request that
 * writes nothing gets a row once it has a response. `request` is the digest of address and body, `audit_id` the latest
 * entry of the audit before the request, and `total` the running sum of bytes that the user's rows take.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    user_id: integer().notNull(),
    key: text().notNull(),
    request: text().notNull(),
    request_id: text().notNull(),
    at_utc: text().notNull(),
    audit_id: integer().notNull(),
    total: integer().notNull(),
    /** Null until there is a response. */
    status: integer(),
    /** A JSON object. */
    headers: text(),
    /** Null if the response is too long to keep. */
    body: text(),
  },
  t => [
    primaryKey({ columns: [t.user_id, t.key] }),
    index('idempotency_keys_total').on(t.user_id, t.total),
    index('idempotency_keys_time').on(t.at_utc),
  ],
)

/**
 * Rows of other tables that the cron could not change, by task and `rowid`. The cron leaves them alone until
 * `until_utc`, so that they don't hold up the others (kit/work/leases.ts). A row with the `rowid` 0 pauses the whole
 * task, such as look-ups at another server (calendar/venues/locate.ts).
 */
export const setbacks = sqliteTable(
  'setbacks',
  {
    task: text().notNull(),
    row_id: integer().notNull(),
    failures: integer().notNull(),
    until_utc: text().notNull(),
  },
  t => [primaryKey({ columns: [t.task, t.row_id] })],
)
