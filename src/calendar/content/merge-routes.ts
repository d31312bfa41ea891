import { eq, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { BaseContext, ContentContext } from '../../kit/context.ts'
import { type ChangedFields, recorded } from '../../kit/db/audit.ts'
import type { Query, Statement } from '../../kit/db/query.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { documented, integer } from '../../kit/http/params.ts'
import { okVersioned, type Versioned } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import type { ErrorCode } from '../../kit/lib/error-codes.ts'
import { invalidParams, type ValidationErrors } from '../../kit/lib/errors.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import type { Capability } from '../../kit/lib/roles.ts'
import { type FieldColumns, keptValues } from './changed-values.ts'
import { type LinkedResource, referenceMoveStatements } from './merge.ts'
import type { UseSelects } from './resource.ts'
import { withUses } from './trash.ts'

// Merges one row into another row of its kind, the survivor. All references to the merged row then lead to
// the survivor, which also gets the values that it lacks, and the addresses of the merged row redirect to it.
// There is no way back: the editor's page shows both rows first.

type MergedRow = { id: number; version: number; slug: string; name: string }
type Columns = Readonly<Record<string, unknown>>

/** A row that is merged into another. `isPublic` is true if others knew its address. */
type Merge<R> = { row: R; into: R; isPublic: boolean }

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
  /** Further columns that a merge changes in the survivor. */
  survivorColumns: (context: BaseContext, merge: Merge<R>) => Columns
  /** Further statements of a merge. @param columns the columns that the survivor inherits */
  furtherStatements: (context: BaseContext, merge: Merge<R>, columns: Columns) => Statement[]
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

async function mergeStatements<R extends MergedRow, Body, L>(
  context: BaseContext,
  resource: MergeableResource<R, Body, L>,
  merge: Merge<R>,
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
  ]
}

const mergeFields = documented(
  z.object({
    into: integer({ description: 'Id of the one that stays.', example: 13 }),
  }),
  { id: 'MergeFields' },
)

/** The route that merges one row into another. */
export function mergeRoute<R extends MergedRow, Body, L>(resource: MergeableResource<R, Body, L>): Route {
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
    load: (context, { id, body: { into = 0 } }) => resource.load(context, { id, into }),
    prepare: (context, loaded, { body: { into: id } }, errors) => {
      const row = resource.rowOf(context, loaded)
      if (id === row.id) errors.add('into', `must be another ${singular}`)
      errors.throwIfAny()
      const into = resource.survivorOf(context, loaded)
      if (!into)
        throw invalidParams(new Map([['into', codedReason('unknown', `there is no ${singular} ${id}`)]]))
      const merge = resource.prepare(context, { row, into, loaded }, errors)
      errors.throwIfAny()
      return { merge }
    },
    handle: async (context, { prepared: { merge } }) => {
      const statements = await mergeStatements(context, resource, merge)
      const [row] = await withUses(context, resource, [merge.row.id], () =>
        context.db.write(asOneChange(statements), resource.select(context, eq(table.id, merge.into.id))),
      )
      return okVersioned(resource.body(context, row))
    },
  })
}
