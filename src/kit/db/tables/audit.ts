import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { OfFeatures, UnionToIntersection } from '../../lib/started-features.ts'

export const ACTIONS = ['create', 'update', 'publish', 'trash', 'delete', 'merge', 'revoke', 'find'] as const
export const AUDITED_KINDS = [
  'event',
  'series',
  'venue',
  'organizer',
  'category',
  'tag',
  'user',
  'image',
  'source',
  'settings',
  // A visitor who sent submissions or remarks. There is no table of such senders.
  'sender',
] as const

/** A resource of a feature that the audit knows. */
export type FeatureKind = keyof UnionToIntersection<OfFeatures<'history'>>

export type AuditedKind = (typeof AUDITED_KINDS)[number] | FeatureKind

/** Kinds of content that wait for review, and that editors may send back with a note. */
export const REVIEWED_KINDS = ['event', 'series'] as const

/**
 * The log of changes: user, time, object, names of fields and, for a limited time, their values. It has no
 * foreign keys to users and objects, because both may be deleted later. Changes by the command line, imports
 * and the cron have no user.
 */
export const audit = sqliteTable(
  'audit',
  {
    // Entries are never deleted, so ids are unique even without AUTOINCREMENT, which would write one more
    // row.
    id: integer().primaryKey(),
    at_utc: text().notNull(),
    user_id: integer(),
    request_id: text(),
    action: text({ enum: ACTIONS }).notNull(),
    kind: text().$type<AuditedKind>().notNull(),
    object_id: integer().notNull(),
    /** A JSON array of names. */
    fields: text().notNull().default('[]'),
    /**
     * A JSON object of `[before, after]` by field; null if the values were never recorded, or were deleted.
     */
    changed: text(),
  },
  t => [
    index('audit_object').on(t.kind, t.object_id),
    // Most entries are about events, so the index leaves them out.
    index('audit_kind').on(t.kind).where(sql`kind <> 'event'`),
  ],
)

/** One row: the latest entry of the audit whose values have been deleted. */
export const auditState = sqliteTable('audit_state', {
  cleared_to: integer().notNull(),
})

/** How to undo changes made in the editor, by entry of the audit. It is kept for an hour. */
export const undoRequests = sqliteTable('undo_requests', {
  audit_id: integer().primaryKey(),
  at_utc: text().notNull(),
  /** A JSON object: a request, or the rows before the change; 'null' if it would be too large. */
  request: text().notNull(),
})

/**
 * Slugs and ids of venues, organizers and terms that were merged into others: their addresses now lead there.
 * Also further slugs of images that were uploaded as several files with the same bytes.
 */
export const formerSlugs = sqliteTable(
  'former_slugs',
  {
    kind: text({ enum: ['venue', 'organizer', 'category', 'tag', 'image'] }).notNull(),
    slug: text().notNull(),
    former_id: integer().notNull().default(0),
    target_id: integer().notNull(),
  },
  t => [
    primaryKey({ columns: [t.kind, t.slug] }),
    index('former_slugs_id').on(t.kind, t.former_id),
    index('former_slugs_target').on(t.kind, t.target_id),
  ],
)

/**
 * Notes that editors write to authors when they send content back from review, at most one for each event or
 * series. Triggers delete the note once the content is published or deleted. `user_id` is the editor, who may
 * be deleted later.
 */
export const reviewNotes = sqliteTable(
  'review_notes',
  {
    kind: text({ enum: REVIEWED_KINDS }).notNull(),
    object_id: integer().notNull(),
    note: text().notNull(),
    /** The author at that time. Later authors don't read the note. */
    author_id: integer().notNull().default(0),
    user_id: integer().notNull(),
    at_utc: text().notNull(),
  },
  t => [primaryKey({ columns: [t.kind, t.object_id] })],
)

/**
 * Requests with an `Idempotency-Key`, and their responses, kept for a day. The row is inserted in the
 * transaction of the request's first write, so that neither exists without the other; the response is added
 * later. A request that writes nothing gets a row once it has a response. `request_digest` is that of address
 * and body, `audit_id` the latest entry of the audit before the request, and `total_bytes` the running sum of
 * what the user's rows take.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    user_id: integer().notNull(),
    key: text().notNull(),
    request_digest: text().notNull(),
    request_id: text().notNull(),
    at_utc: text().notNull(),
    audit_id: integer().notNull(),
    total_bytes: integer().notNull(),
    /** Null until there is a response. */
    status: integer(),
    /** A JSON object. */
    headers: text(),
    /** Null if the response is too long to keep. */
    body: text(),
  },
  t => [
    primaryKey({ columns: [t.user_id, t.key] }),
    index('idempotency_keys_total').on(t.user_id, t.total_bytes),
    index('idempotency_keys_time').on(t.at_utc),
  ],
)

/**
 * Rows of other tables that the cron could not change, by task and `rowid`. The cron leaves them alone until
 * `until_utc`, so that they don't hold up the others (kit/work/leases.ts). A row with the `rowid` 0 pauses
 * the whole task (`ALL_ROWS`), such as look-ups at another server (calendar/venues/locate.ts).
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
