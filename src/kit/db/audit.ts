import { and, gt, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ROWS_PER_RUN, SIZES } from '../lib/budgets.ts'
import type { Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { DAY_MS, formatInstant, HOUR_MS } from '../lib/time.ts'
import { inputValue, jsonBatches, resolvedId } from './bulk.ts'
import type { Database } from './database.ts'
import {
  combineQueries,
  first,
  literal,
  mapQuery,
  type Query,
  readText,
  rowlessQuery,
  type Statement,
} from './query.ts'
import { build } from './statements.ts'
import { type ACTIONS, type AuditedKind, audit, auditState, undoRequests } from './tables.ts'

/** The caller and the request behind a change. A `WriteContext` is one. */
export type Origin = {
  caller: { id: number }
  requestId: string
  clock: Clock
  /** True for visitors, who write in the name of a user without being that user. */
  isVisitor?: true
}

/** The id of the user who made a change; null if none did. */
const userIdOf = ({ caller, isVisitor }: Origin): number | null => (isVisitor ? null : caller.id || null)

/** Resources that submissions create. All requests that change them without a user come from visitors. */
export const SUBMITTED_KINDS: readonly AuditedKind[] = ['event', 'series', 'venue', 'organizer', 'image']

/**
 * Values of fields before and after a change, by name. They may be personal data, so the audit keeps them for
 * a limited time only.
 */
export type ChangedFields = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

type AuditedChange = {
  action: (typeof ACTIONS)[number]
  kind: AuditedKind
  /** Names of fields that the request contained. */
  fields?: readonly string[]
  changed?: ChangedFields | undefined
}

// Entries are statements in the batch of a change, so that both are written or neither is.

/** An entry about the row that a statement inserts, changes or deletes. */
type RowEntry = AuditedChange & { id: SQL | number }

/** The id of the row that a statement inserts, in its entry. */
export const insertedId = sql`last_insert_rowid()`

/**
 * A condition that is true if the statement right before changed a row. After a change and its entry, the
 * statement right before is the entry, which is made only if the change was.
 */
export const rowChangedSql = sql`changes() > 0`

/** The entry about the statement right before it, if that changed a row. */
const changeEntryStatement = (origin: Origin, { id, ...change }: RowEntry): SQL =>
  auditEntriesStatement(origin, change, sql`SELECT ${id} AS id WHERE ${rowChangedSql}`)

/** A statement, and its entry, which is made only if the statement changes a row. */
export const recorded = <S extends Statement>(origin: Origin, change: S, entry: RowEntry): [S, SQL] => [
  change,
  changeEntryStatement(origin, entry),
]

/** A query that changes a row, together with its entry, which is made only if there was such a row. */
export const recordedQuery = <T>(origin: Origin, change: Query<T>, entry: RowEntry): Query<T> =>
  mapQuery(combineQueries([change, rowlessQuery(changeEntryStatement(origin, entry))]), ([result]) => result)

/** A change of a row. Its `id` may stand for a new row: see `resolvedId`. */
type RowChange = {
  id: number
  action: AuditedChange['action']
  fields: readonly string[]
  changed?: ChangedFields | undefined
}

/** SQL expressions, by field, for values that only the database can compute, as JSON from `row`. */
type ComputedValues = Readonly<Record<string, SQL>>

/** The statements that record changes of those rows of a table that exist. */
export function rowEntryStatements(
  origin: Origin,
  kind: AuditedKind,
  table: SQLiteTable,
  changes: readonly RowChange[],
  computed: ComputedValues = {},
): SQL[] {
  const usedFields = Object.entries(computed).filter(([field]) =>
    changes.some(({ changed }) => changed?.[field] !== undefined),
  )
  const changedValues = usedFields.length > 0 ? withComputed(usedFields) : sql`input.value -> '$.changed'`
  return jsonBatches(changes.map(withoutEmpty)).map(
    json => sql`INSERT INTO ${audit} (at_utc, user_id, request_id, action, kind, object_id, fields, changed)
      SELECT ${origin.clock.now()}, ${userIdOf(origin)}, nullif(${origin.requestId}, ''), ${inputValue('action')}, ${kind}, row.id,
        input.value -> '$.fields', ${changedValues}
      FROM json_each(${json}) AS input CROSS JOIN ${table} AS row ON row.id = ${resolvedId(table, inputValue('id'))}`,
  )
}

/** What changed in a row, with the new values of some fields as the database computes them. */
function withComputed(fields: readonly (readonly [field: string, value: SQL])[]): SQL {
  const after = fields.map(([field, value]) => {
    const changedSql = sql`json_type(input.value, ${literal(`$.changed.${field}`)}) IS NOT NULL`
    return sql`, ${literal(`$.${field}[1]`)}, json(iif(${changedSql}, ${value}, NULL))`
  })
  return sql`json_replace(input.value -> '$.changed'${sql.join(after)})`
}

/** The change, without `changed` if that is empty: the audit then has NULL. */
const withoutEmpty = ({ changed = {}, ...change }: RowChange): RowChange =>
  Object.keys(changed).length > 0 ? { ...change, changed } : change

/** A request in the form that `POST /batch` takes. */
export type UndoRequest = {
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: object
}

type Undo = { id: number; request: UndoRequest }

const storableUndo = ({ id, request }: Undo) => ({
  id,
  request: JSON.stringify(request).length <= SIZES.undoUnits ? { request } : null,
})

/**
 * The statements that store how to undo the changes just recorded, or 'null' for what is too large to be
 * stored.
 */
export const undoStatements = ({ clock }: Origin, kind: AuditedKind, undo: readonly Undo[]): SQL[] =>
  jsonBatches(undo.map(storableUndo)).map(
    json => sql`INSERT INTO ${undoRequests} (audit_id, at_utc, request)
      SELECT max(${audit.id}), ${clock.now()}, input.value -> '$.request' FROM json_each(${json}) AS input
      CROSS JOIN ${audit} ON ${audit.kind} = ${kind} AND ${audit.object_id} = ${inputValue('id')} GROUP BY input.key`,
  )

/** Entries for several rows with the same change. @param ids a SELECT of `id` */
export const auditEntriesStatement = (
  origin: Origin,
  { action, kind, fields = [], changed }: AuditedChange,
  ids: SQL,
): SQL =>
  sql`INSERT INTO ${audit} (at_utc, user_id, request_id, action, kind, object_id, fields, changed)
    SELECT ${origin.clock.now()}, ${userIdOf(origin)}, nullif(${origin.requestId}, ''), ${action}, ${kind},
      id, ${JSON.stringify(fields)}, ${storedChanges(changed)} FROM (${ids})`

/** Changed values as they are stored; null if nothing has changed. */
const storedChanges = (changed: ChangedFields = {}): string | null =>
  Object.keys(changed).length === 0 ? null : JSON.stringify(changed)

/** Days for which the audit keeps the values of changes. */
const VALUES_DAYS = 400
/** The time for which a change can be undone. */
export const UNDO_MS = HOUR_MS
/** Batch sizes to try in turn if an entry cannot be changed. */
const BATCH_SIZES = [ROWS_PER_RUN.auditValues, 20, 1]

const clearedTo = sql`(SELECT cleared_to FROM ${auditState})`
const oldestKeptTime = (nowMs: number): string => formatInstant(nowMs - VALUES_DAYS * DAY_MS)
/**
 * The first entry that still has its values. It is nearly always too recent, and then nothing else is read.
 */
const oldestTimeWithValues = sql`SELECT at_utc FROM ${audit} WHERE id > ${clearedTo} ORDER BY id LIMIT 1`

/** A condition that is true if {@link forgetValues} has something to do. */
export const oldValuesSql = (nowMs: number): SQL => sql`(${oldestTimeWithValues}) < ${oldestKeptTime(nowMs)}`

const undoOverSql = (nowMs: number): SQL => sql`at_utc < ${formatInstant(nowMs - UNDO_MS)}`

/** A condition that is true if there are changes that can no longer be undone. */
export const oldUndoSql = (nowMs: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${undoRequests} WHERE ${undoOverSql(nowMs)})`

/** The statement that deletes how to undo old changes. */
export const oldUndoRemovalStatement = (nowMs: number): Statement =>
  build.delete(undoRequests).where(undoOverSql(nowMs))

/**
 * Deletes the values of old changes, some at a time.
 *
 * @param nowMs epoch milliseconds
 */
export async function forgetValues(db: Database, nowMs: number): Promise<void> {
  const before = oldestKeptTime(nowMs)
  const oldestTime = await db.read(first(oldestTimeWithValues, row => readText(row.at_utc)))
  if (oldestTime === undefined || oldestTime >= before) return
  const lastOfBatch = (limit: number): SQL =>
    sql`(SELECT max(id) FROM (SELECT id, at_utc FROM ${audit} WHERE id > ${clearedTo} ORDER BY id LIMIT ${literal(limit)})
      WHERE at_utc < ${before})`
  const progressStatement = (limit: number): Statement =>
    build.update(auditState).set({ cleared_to: lastOfBatch(limit) })
  let lastError: unknown
  for (const limit of BATCH_SIZES)
    try {
      return await db.write([
        build
          .update(audit)
          .set({ changed: null })
          .where(and(gt(audit.id, clearedTo), lte(audit.id, lastOfBatch(limit)), isNotNull(audit.changed))),
        progressStatement(limit),
      ])
    } catch (error) {
      if (error instanceof ApiError) throw error
      lastError = error
    }
  // Skips an entry that cannot be changed, so that it does not hold up the others.
  await db.write([progressStatement(1)])
  throw lastError
}

// Imports have no user and no request. For their changes, the audit's column for the request's id names the
// source.

const IMPORT_PREFIX = 'import:'

/** The request id under which the audit records the changes of an import. */
export const importRequestId = (source: string): string => IMPORT_PREFIX + source

/**
 * The stand-in for a request's id where the calendar writes something of its own accord, whoever caused it.
 */
export const CALENDAR_REQUEST = 'calendar:itself'

/** A condition for entries of the audit about what visitors have submitted. */
export const byVisitorSql = sql`(user_id IS NULL AND request_id <> ${CALENDAR_REQUEST}
  AND request_id NOT LIKE ${`${IMPORT_PREFIX}%`})`

/** The source of the import that a request id in the audit stands for; undefined for real requests. */
export const sourceOfRequest = (requestId: string): string | undefined =>
  requestId.startsWith(IMPORT_PREFIX) ? requestId.slice(IMPORT_PREFIX.length) : undefined
