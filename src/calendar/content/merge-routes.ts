import { eq, gte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { BaseContext, ContentContext } from '../../kit/context.ts'
import { auditEntriesStatement, type ChangedFields, recorded, UNDO_MS } from '../../kit/db/audit.ts'
import { writtenColumns } from '../../kit/db/columns.ts'
import { conflictIf, isConflict } from '../../kit/db/failures.ts'
import {
  combineQueries,
  first,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
  type Statement,
} from '../../kit/db/query.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import { audit, undoRequests } from '../../kit/db/tables.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { documented, integer } from '../../kit/http/params.ts'
import { okVersioned, type Versioned } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { SIZES } from '../../kit/lib/budgets.ts'
import type { ErrorCode } from '../../kit/lib/error-codes.ts'
import { ApiError, invalidParams, type ValidationErrors } from '../../kit/lib/errors.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { type Capability, may } from '../../kit/lib/roles.ts'
import { formatInstant, toEpoch } from '../../kit/lib/time.ts'
import { pick, storedJson } from '../../kit/lib/values.ts'
import { type FieldColumns, keptValues } from './changed-values.ts'
import {
  type LinkedResource,
  type MovedReferences,
  referenceMoveStatements,
  referenceRestoreStatements,
  selectMoved,
} from './merge.ts'
import { undoableMergeSql } from './merge-undo.ts'
import type { UseSelects } from './resource.ts'
import { withUses } from './trash.ts'

// Merges one row into another row of its kind, the survivor. All references to the merged row then lead to
// the survivor, which also gets the values that it lacks, and the addresses of the merged row redirect to it.
// Users can undo a merge for an hour: the merged row comes back with its id, its address and its events, and
// the survivor gets its former values. Later changes stay. If they make the result uncertain, undoing is
// refused as a conflict.

type MergedRow = { id: number; version: number; slug: string; name: string }
type Columns = Readonly<Record<string, unknown>>

/** A row that is merged into another. `isPublic` is true if others knew its address. */
type Merge<R> = { row: R; into: R; isPublic: boolean; children?: readonly number[] }

/** The record of a merge, from which it can be undone for an hour. */
type MergeRecord = MovedReferences & {
  row: Columns & { id: number; version: number; slug: string }
  /**
   * The survivor, and the columns that the merge has changed: its former values, and the values that it got.
   */
  into: { id: number; columns: Columns; given: Columns }
  /** The ids of categories that were below the merged one. */
  children?: readonly number[]
}

/** A merge that can still be undone. `entry` is the id of its entry in the audit. */
type KeptMerge = { entry: number; merge: MergeRecord }

/** The latest merge of a row; `merge` is null if it could not be undone from the start. */
type LatestMerge = Omit<KeptMerge, 'merge'> & { merge: MergeRecord | null }

/** A resource whose rows can be merged. `L` are the rows on which a merge depends. */
export type MergeableResource<R extends MergedRow, Body, L> = LinkedResource & {
  plural: string
  table: SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn; slug: SQLiteColumn }
  response: z.ZodMiniType<Body>
  uses?: UseSelects
  requires: Capability
  headers?: Readonly<Record<string, string>>
  notFound: ErrorCode
  errors?: readonly ErrorCode[]
  nameField: string
  /** The fields that the survivor gets where its own are empty, with their columns. */
  inherited: FieldColumns
  /** A row with the values that it hides. */
  revealed?: (row: R) => R
  /** The columns that store the values which the survivor inherits. */
  stored?: (columns: Columns, rows: { row: R; into: R }) => Columns
  select: (context: BaseContext, condition: SQL) => Query<R[]>
  /** @throws ApiError if there is no row */
  body: (context: BaseContext, row: R | undefined) => Versioned<Body>
  load: (context: BaseContext, ids: { id: number; into: number }) => Query<L>
  /** Returns the row that is merged. @throws ApiError if there is none, or the caller may not change it */
  rowOf: (context: ContentContext, loaded: L) => R
  /** Returns the survivor; undefined if there is none, or the caller may not know of it. */
  survivorOf: (context: BaseContext, loaded: L) => R | undefined
  /** Adds errors of the survivor. @throws ApiError if the caller may not change it */
  prepare: (
    context: ContentContext,
    rows: { row: R; into: R; loaded: L },
    errors: ValidationErrors,
  ) => Merge<R>
  /**
   * The columns whose values must be unique: the merged row loses the values before the survivor gets them.
   */
  released?: Columns
  /** Further columns that a merge, or undoing it, changes in the survivor. */
  survivorColumns: (context: BaseContext, merge?: Merge<R>) => Columns
  /** Further statements of a merge. @param columns the columns that the survivor inherits */
  furtherStatements: (context: BaseContext, merge: Merge<R>, columns: Columns) => Statement[]
  /**
   * Returns the survivor if the caller may undo a merge into it. By default, every caller with the capability
   * may.
   */
  requireUndoable?: (context: ContentContext, survivor: R | undefined) => R
  /** The columns of a merged row that is inserted again. */
  restored: (row: MergeRecord['row']) => Columns
  /** Further statements of undoing a merge. @param survivor what {@link requireUndoable} returned */
  furtherUndoStatements: (context: BaseContext, merge: MergeRecord, survivor: R | undefined) => Statement[]
}

const isUnset = (value: unknown): boolean => value === null || value === '' || value === undefined

/**
 * The values that are empty in the survivor but not in the merged row. Author, status and slug are never
 * empty.
 */
function inheritedValues<R extends MergedRow>(
  {
    inherited,
    revealed = loaded => loaded,
  }: Pick<MergeableResource<R, unknown, unknown>, 'inherited' | 'revealed'>,
  { row, into }: Merge<R>,
) {
  const from: Columns = revealed(row)
  const to: Columns = revealed(into)
  return Object.entries(inherited).flatMap(([field, { columns }]) =>
    columns.flatMap(column =>
      isUnset(to[column]) && !isUnset(from[column]) ? [{ field, column, value: from[column] }] : [],
    ),
  )
}

/**
 * The record that undoes a merge; null if it would be too large, or if nothing can undo the merge.
 *
 * @param columns the columns that the survivor inherits
 */
function recordOf<R extends MergedRow, Body, L>(
  { table }: MergeableResource<R, Body, L>,
  { row, into, children }: Merge<R>,
  columns: Columns,
  moved: MovedReferences | undefined,
): MergeRecord | null {
  if (!moved) return null
  const from: Columns = row
  const to: Columns = into
  const { id, version, slug } = row
  const record = {
    ...moved,
    row: { ...pick(from, ...Object.keys(writtenColumns(table))), id, version, slug },
    into: {
      id: into.id,
      columns: pick(to, ...Object.keys(columns)),
      given: columns,
    },
    ...(children && { children }),
  }
  return JSON.stringify(record).length <= SIZES.undoUnits ? record : null
}

/**
 * The statement that stores the record of the merge just recorded, and the request that undoes it; 'null' if
 * it cannot be undone.
 */
const undoStatement = (
  { clock }: BaseContext,
  { singular: kind, plural }: LinkedResource & { plural: string },
  id: number,
  merge: MergeRecord | null,
): SQL => sql`INSERT INTO ${undoRequests} (audit_id, at_utc, request)
  SELECT max(${audit.id}), ${clock.now()}, ${JSON.stringify(
    merge && { request: { method: 'POST', path: `/${plural}/${id}/unmerge` }, merge },
  )} FROM ${audit}
  WHERE ${audit.kind} = ${kind} AND ${audit.object_id} = ${id} HAVING max(${audit.id}) IS NOT NULL`

async function mergeStatements<R extends MergedRow, Body, L>(
  context: BaseContext,
  resource: MergeableResource<R, Body, L>,
  merge: Merge<R>,
  moved: MovedReferences | undefined,
): Promise<Statement[]> {
  const { singular: kind, table, nameField } = resource
  const { row, into, isPublic } = merge
  const values = inheritedValues(resource, merge)
  const inherited = Object.fromEntries(values.map(({ column, value }) => [column, value]))
  const columns = resource.stored?.(inherited, merge) ?? inherited
  const fields = [...new Set(values.map(({ field }) => field))]
  const changes: ChangedFields = {
    ...Object.fromEntries(values.map(({ field, value }) => [field, ['', value]])),
    merged: [null, row.name],
  }
  const changeStatement = (id: number, changedColumns: Columns) =>
    build.update(table).set(changedColumns).where(eq(table.id, id))
  return [
    // Both updates fail if somebody has changed one of the rows since it was read.
    changeStatement(row.id, { ...resource.released, version: row.version + 1 }),
    ...recorded(
      context,
      changeStatement(into.id, {
        ...columns,
        ...resource.survivorColumns(context, merge),
        version: into.version + 1,
      }),
      { action: 'update', kind, fields, changed: await keptValues(changes), id: into.id },
    ),
    ...resource.furtherStatements(context, merge, columns),
    ...referenceMoveStatements(resource, { ...row, isPublic }, into.id),
    ...recorded(context, build.delete(table).where(eq(table.id, row.id)), {
      action: 'merge',
      kind,
      changed: { [nameField]: [row.name, null], into: [null, into.id] },
      id: row.id,
    }),
    undoStatement(context, resource, row.id, recordOf(resource, merge, columns, moved)),
  ]
}

const mergeFields = documented(
  z.object({
    into: integer({ description: 'Id of the one that stays.', example: 13 }),
  }),
  { id: 'MergeFields' },
)

function mergeRoute<R extends MergedRow, Body, L>(resource: MergeableResource<R, Body, L>): Route {
  const { singular, plural, table, requires, response, headers, notFound, errors = [] } = resource
  return defineWrite({
    methods: ['POST'],
    path: `/${plural}/{id}/merge`,
    summary: `Merge one ${singular} into another`,
    requires,
    body: mergeFields,
    complete: true,
    responses: { 200: response },
    ...(headers && { headers }),
    errors: [notFound, ...errors],
    load: (context, { id, body: { into = 0 } }) =>
      combineQueries({
        loaded: resource.load(context, { id, into }),
        moved: selectMoved(resource, { from: id, into }),
      }),
    prepare: (context, { loaded, moved }, { body: { into: id } }, errors) => {
      const row = resource.rowOf(context, loaded)
      if (id === row.id) errors.add('into', `must be another ${singular}`)
      errors.throwIfAny()
      const into = resource.survivorOf(context, loaded)
      if (!into)
        throw invalidParams(new Map([['into', codedReason('unknown', `there is no ${singular} ${id}`)]]))
      const merge = resource.prepare(context, { row, into, loaded }, errors)
      errors.throwIfAny()
      return { merge, moved }
    },
    handle: async (context, { prepared: { merge, moved } }) => {
      const statements = await mergeStatements(context, resource, merge, moved)
      const [row] = await withUses(context, resource, [merge.row.id], () =>
        context.db.write(asOneChange(statements), resource.select(context, eq(table.id, merge.into.id))),
      )
      return okVersioned(resource.body(context, row))
    },
  })
}

/**
 * The latest merge of a row in the last hour, in SQL from `FROM` on. Editors also undo the merges of other
 * users.
 */
const fromKept = ({ caller, clock }: BaseContext, { singular }: LinkedResource, id: number): SQL =>
  sql`FROM ${undoRequests} AS kept CROSS JOIN ${audit} ON ${audit.id} = kept.audit_id
    WHERE ${audit.kind} = ${singular} AND ${audit.object_id} = ${id} AND ${audit.action} = 'merge'
      AND ${gte(sql`kept.at_utc`, formatInstant(toEpoch(clock.now()) - UNDO_MS))}
      AND ${may(caller, 'edit_others_content') ? sql`1` : eq(audit.user_id, caller.id)}
    ORDER BY ${audit.id} DESC LIMIT 1`

/** A query for the latest merge of a row; undefined if there is none any more. */
const selectMerge = (
  context: BaseContext,
  resource: LinkedResource,
  id: number,
): Query<LatestMerge | undefined> =>
  first(
    sql`SELECT kept.audit_id AS entry, kept.request -> '$.merge' AS merge ${fromKept(context, resource, id)}`,
    row => ({
      entry: readNumber(row.entry),
      merge: row.merge === null ? null : storedJson<MergeRecord>(readText(row.merge)),
    }),
  )

/**
 * The statements that undo a merge. They fail as a conflict if that can't be done ({@link undoableMergeSql}).
 */
function unmergeStatements<R extends MergedRow, Body, L>(
  context: BaseContext,
  resource: MergeableResource<R, Body, L>,
  { entry, merge }: KeptMerge,
  survivor: R | undefined,
): Statement[] {
  const { singular: kind, table } = resource
  const { row, into } = merge
  const undoableMerge = sql`SELECT 1 FROM ${undoRequests} CROSS JOIN ${audit} ON ${audit.id} = ${undoRequests.audit_id}
    WHERE ${undoRequests.audit_id} = ${entry} AND ${undoableMergeSql(kind)}`
  // The search text is made of the survivor as it was read, so it must not have changed since.
  const version = survivor ? survivor.version + 1 : sql`${table.version} + 1`
  const columns = { ...into.columns, ...resource.survivorColumns(context), version }
  return [
    conflictIf(sql`NOT EXISTS (${undoableMerge})`),
    // The survivor loses the external id before the merged row gets it again.
    ...recorded(context, build.update(table).set(columns).where(eq(table.id, into.id)), {
      action: 'update',
      kind,
      fields: Object.keys(into.columns),
      id: into.id,
    }),
    build.insert(table).values({ ...resource.restored(row), version: row.version + 2 }),
    auditEntriesStatement(context, { action: 'create', kind }, sql`SELECT ${row.id} AS id`),
    ...resource.furtherUndoStatements(context, merge, survivor),
    ...referenceRestoreStatements(resource, merge, merge),
    build.delete(undoRequests).where(eq(undoRequests.audit_id, entry)),
  ]
}

function unmergeRoute<R extends MergedRow, Body, L>(resource: MergeableResource<R, Body, L>): Route {
  const { singular, plural, table, requires, response, headers, notFound, requireUndoable } = resource
  return defineWrite({
    methods: ['POST'],
    path: `/${plural}/{id}/unmerge`,
    summary: `Undo the merge of one ${singular} into another, for an hour`,
    requires,
    responses: { 200: response },
    ...(headers && { headers }),
    errors: [notFound],
    load: (context, { id }) => {
      const survivorId = sql`(SELECT kept.request ->> '$.merge.into.id' ${fromKept(context, resource, id)})`
      return combineQueries({
        storedMerge: selectMerge(context, resource, id),
        into: requireUndoable
          ? first(resource.select(context, sql`${table.id} = ${survivorId}`))
          : resolvedQuery(undefined),
      })
    },
    prepare: (context, { storedMerge, into }) => {
      if (!storedMerge)
        throw new ApiError(
          notFound,
          'There is no merge with this id that can be undone: it must be less than an hour old.',
        )
      const { entry, merge } = storedMerge
      if (!merge)
        throw new ApiError(
          notFound,
          `This merge cannot be undone: a source, a webhook, a letter or another stored list named the ${singular}, or it had too many events.`,
        )
      return { storedMerge: { entry, merge }, survivor: requireUndoable?.(context, into) }
    },
    handle: async (context, { prepared: { storedMerge, survivor } }) => {
      const { row, into } = storedMerge.merge
      const statements = unmergeStatements(context, resource, storedMerge, survivor)
      const select = resource.select(context, eq(table.id, row.id))
      const [restoredRow] = await withUses(context, resource, [into.id], () =>
        context.db.write(asOneChange(statements), select).catch((error: unknown) => {
          if (!isConflict(error)) throw error
          throw new ApiError(
            'rest_precondition_failed',
            'Somebody has changed this since, or a later merge has moved the same events: undo that first.',
          )
        }),
      )
      return okVersioned(resource.body(context, restoredRow))
    },
  })
}

/** The routes that merge one row into another, and that undo it. */
export const mergeRoutes = <R extends MergedRow, Body, L>(
  resource: MergeableResource<R, Body, L>,
): Route[] => [mergeRoute(resource), unmergeRoute(resource)]
