import { type SQL, sql } from 'drizzle-orm'
import type { DateTime } from '../lib/time.ts'
import { type ACTIONS, type AUDITED_KINDS, audit } from './schema.ts'

/** The caller and the request behind a change. @see RequestContext, which is one */
export type Origin = { caller: { id: number }; requestId: string; now: DateTime }

type Kind = (typeof AUDITED_KINDS)[number]

type Change = {
  action: (typeof ACTIONS)[number]
  kind: Kind
  /** Names only: contents, personal data among them, don't belong into an audit. */
  fields?: readonly string[]
}

// Entries are statements: in the batch of a change, they are written if and only if the change is.

/** The entry for the row that the statement before changed or deleted; none if it was gone. */
export const recordChange = (origin: Origin, change: Change, id: SQL | number): SQL =>
  insertEntries(origin, change, sql`SELECT ${id} AS id WHERE changes() > 0`)

/** The entry for the row that the statement before inserted; none if it inserted none. */
export const recordInsert = (origin: Origin, kind: Kind, fields: readonly string[]): SQL =>
  insertEntries(
    origin,
    { action: 'create', kind, fields },
    sql`SELECT last_insert_rowid() AS id WHERE changes() > 0`,
  )

/** Entries for several rows that change alike. @param ids a SELECT of `id` */
export const recordEach = (origin: Origin, change: Change, ids: SQL): SQL =>
  insertEntries(origin, change, ids)

/** Entries for the rows that the cron is about to publish. @param ids a SELECT of `id` */
export const recordPublication = (now: DateTime, kind: Kind, ids: SQL): SQL =>
  insertEntries(
    { caller: { id: 0 }, requestId: '', now },
    { action: 'publish', kind, fields: ['status'] },
    ids,
  )

const insertEntries = (origin: Origin, { action, kind, fields = [] }: Change, ids: SQL): SQL =>
  sql`INSERT INTO ${audit} (at_utc, user_id, request_id, action, kind, object_id, fields)
    SELECT ${origin.now}, nullif(${origin.caller.id}, 0), nullif(${origin.requestId}, ''), ${action}, ${kind},
      id, ${JSON.stringify(fields)} FROM (${ids})`
