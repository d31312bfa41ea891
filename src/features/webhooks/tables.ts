import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { booleanColumn, FOLLOWED_KINDS, refersTo } from '../../kit/db/tables.ts'

/** Reasons why a webhook was switched off automatically. */
const WEBHOOK_STOPS = ['', 'gone', 'failing'] as const

/**
 * Addresses to which the calendar sends messages about changes. Secrets are stored unencrypted, because they
 * sign the messages. `version` rises when users change settings, not when sending a message updates the row.
 */
export const webhooks = sqliteTable('webhooks', {
  id: integer().primaryKey({ autoIncrement: true }),
  version: integer().notNull().default(1),
  url: text().notNull(),
  /** A JSON array of the types of messages to send. */
  events: text().notNull(),
  /** A JSON object of list parameters, as the client sent them. */
  filters: text().notNull(),
  active: booleanColumn().default(true),
  secret: text().notNull(),
  /**
   * The former secrets, which also sign messages until `old_secret_until_utc`, separated by spaces, the
   * latest first; '' for none. Writes set it, although it has a default.
   */
  old_secret: text().notNull().default(''),
  old_secret_until_utc: text().notNull().default(''),
  /** The start of addresses in messages, taken from the request that created the webhook. */
  api: text().notNull(),
  created_utc: text().notNull(),
  /** The latest entry of the audit when the webhook was created. The webhook learns of no earlier change. */
  audit_id: integer().notNull(),
  stopped: text({ enum: WEBHOOK_STOPS }).notNull().default(''),
  /** The time of the first failure after the last success; null if the last message was accepted. */
  failing_since_utc: text(),
  /** When the webhook last had its turn; at first, when it was created. */
  served_utc: text().notNull().default(''),
  /**
   * The time until which a run may send messages, and a random text that identifies the run; '' if there is
   * no run.
   */
  lease: text().notNull().default(''),
})

/**
 * The last row of `changes` that a webhook has reached, for each kind of resource about which it gets
 * messages.
 */
export const webhookPositions = sqliteTable(
  'webhook_places',
  {
    webhook_id: refersTo(() => webhooks.id),
    kind: text({ enum: FOLLOWED_KINDS }).notNull(),
    n: integer().notNull(),
    /** Needed in addition to `n`, because one write gives many changes the same number. */
    id: integer().notNull(),
    /**
     * Later public changes have a higher public number. The scan uses it to find changes after which lists
     * show something.
     */
    public_n: integer().notNull().default(0),
  },
  t => [primaryKey({ columns: [t.webhook_id, t.kind] })],
)

/**
 * The state of a resource that a webhook's receiver knows: whether it is in the webhook's list, public and
 * cancelled, and by which change. Comparing it with the current state gives the messages to send. If the last
 * message failed, the row waits: `tries` is not 0, and newer changes of the resource wait too.
 */
export const webhookResources = sqliteTable(
  'webhook_resources',
  {
    webhook_id: refersTo(() => webhooks.id),
    kind: text({ enum: FOLLOWED_KINDS }).notNull(),
    id: integer().notNull(),
    is_listed: booleanColumn(),
    is_public: booleanColumn(),
    is_canceled: booleanColumn(),
    n: integer().notNull().default(0),
    /** The last entry of the audit whose fields the webhook has received. */
    audit_id: integer().notNull().default(0),
    tries: integer().notNull().default(0),
    /** Null if nothing waits, or if there are no tries left. */
    next_try_utc: text(),
  },
  t => [
    primaryKey({ columns: [t.webhook_id, t.kind, t.id] }),
    index('webhook_resources_waiting').on(t.webhook_id, t.next_try_utc).where(sql`next_try_utc IS NOT NULL`),
  ],
)

export const DELIVERY_STATES = ['delivered', 'waiting', 'failed', 'replaced'] as const

/** The reasons for having no response; '' if there was one. */
const FAILURE_REASONS = ['', 'private', 'timeout', 'connection', 'internal'] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** Recent messages to webhooks, each with the outcome of its last try. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    webhook_id: refersTo(() => webhooks.id),
    message_id: text().notNull(),
    type: text().notNull(),
    /** The resource that the message is about; 0 for tests. */
    object_id: integer().notNull(),
    /** The JSON that was sent. */
    body: text().notNull(),
    state: text({ enum: DELIVERY_STATES }).notNull(),
    tries: integer().notNull(),
    /** The time of the last try. */
    at_utc: text().notNull(),
    next_try_utc: text(),
    /** The status of the response; null if there was none. */
    status: integer(),
    /** The first 1,000 characters of the response. */
    response: text().notNull(),
    /** Why there was no response; '' if there was one. */
    message: text({ enum: FAILURE_REASONS }).notNull(),
  },
  t => [
    uniqueIndex('webhook_deliveries_message').on(t.webhook_id, t.message_id),
    index('webhook_deliveries_webhook').on(t.webhook_id),
    index('webhook_deliveries_waiting').on(t.webhook_id, t.object_id).where(sql`state = 'waiting'`),
  ],
)
