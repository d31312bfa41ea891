import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { BaseContext, ContentContext, WriteContext } from '../../kit/context.ts'
import {
  auditEntriesStatement,
  type ChangedFields,
  type Origin,
  rowEntryStatements,
  undoStatements,
} from '../../kit/db/audit.ts'
import {
  type ColumnValues,
  type ComputedColumns,
  inputValue,
  newRowNumber,
  resolvedIds,
  rowInsertStatements,
  rowUpdateStatements,
} from '../../kit/db/bulk.ts'
import { literal, mapQuery, type Query, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { type AuditedKind, imports } from '../../kit/db/tables.ts'
import { slugBatches } from '../../kit/lib/slug.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import { changedColumns, keptValues, revertRequest, valuesBefore } from './changed-values.ts'
import { imageColumn, imageId, imageStatements, storeImages } from './images.ts'
import type { Singular, VersionedTable } from './resource.ts'
import { freeSlug } from './slugs.ts'
import type { ImageChoice } from './uploads.ts'

type AuditedWrite = {
  changed?: ChangedFields | undefined
  /** True if stored rows undo the write, rather than a request with the former values. */
  isUndoneByRows?: boolean
  /** The former values in full, if the caller wants the requests that undo the change. */
  undo?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Writes with their changed values as the audit stores them and, if the caller wants them, the values that
 * undo the writes.
 */
export const withAuditedValues = <P extends AuditedWrite>(
  { keepsUndo }: BaseContext,
  prepared: readonly P[],
): Promise<P[]> =>
  Promise.all(
    prepared.map(async row => {
      if (!row.changed) return row
      const undo = keepsUndo && !row.isUndoneByRows ? valuesBefore(row.changed) : undefined
      return { ...row, changed: await keptValues(row.changed), undo }
    }),
  )

/** A row of a table of content, or of any such table, to write: a new row, or an update of a stored row. */
export type PreparedRow<T extends SQLiteTable = SQLiteTable> = {
  /**
   * The id of a new row, if the caller chooses it. In one write, either all new rows have chosen ids or none
   * has.
   */
  id?: number | undefined
  /** The row before an update: the update only writes columns whose values differ. */
  stored?: ({ id: number; version: number } & ColumnValues) | undefined
  /** The action in the audit, if `changed` doesn't say it; null for a change that is not recorded. */
  action?: 'update' | 'trash' | 'delete' | null | undefined
  /** The columns of a new row, or the changed columns. The row gets `slug` if that is free. */
  columns: ColumnValues<T> & { readonly status?: Status | undefined; readonly slug?: string | undefined }
  /** True if the row gets the slug even if another row has it. */
  keepsSlug?: boolean | undefined
  /**
   * A further value for the {@link SlugRule}: for an occurrence the slug of its series, for a category its
   * slug with the parent's.
   */
  slugOwner?: string | number | undefined
  image: ImageChoice | undefined
  /** The names of the fields that a request named, for the audit. */
  fields: readonly string[]
} & AuditedWrite

/** A prepared row with its id or, if the database gives it one, with a number for {@link resolvedIds}. */
export type Numbered<P> = P & { id: number }

export function numberRows<P extends PreparedRow>(prepared: readonly P[]): Numbered<P>[] {
  const count = prepared.filter(({ stored }) => !stored).length
  let position = 0
  return prepared.map(row => ({ ...row, id: row.stored?.id ?? row.id ?? newRowNumber(position++, count) }))
}

/** A query for rows after a write, in the order of `ids`, some of which may be numbers. @see resolvedIds */
export const selectWritten = <R extends { id: number }>(
  context: BaseContext,
  { table, select }: { table: SluggedTable; select: (context: BaseContext, condition: SQL) => Query<R[]> },
  ids: readonly number[],
): Query<R[]> =>
  mapQuery(select(context, sql`${table.id} IN ${resolvedIds(table, ids)}`), rows => {
    const rowsById = new Map(rows.map(row => [row.id, row]))
    const createdRows = rows.filter(({ id }) => !ids.includes(id)).sort((a, b) => a.id - b.id)
    return ids.flatMap(id => rowsById.get(id) ?? createdRows.at(id) ?? [])
  })

/** Stores the images that are files: rows refer to them by address. */
export async function withStoredImages<P extends Pick<PreparedRow, 'image'>>(
  context: ContentContext,
  prepared: readonly P[],
): Promise<P[]> {
  const images = await storeImages(
    context,
    prepared.map(({ image }) => image),
  )
  return prepared.map((row, i) => ({ ...row, image: images[i] }))
}

/**
 * Makes an expression for the slug that a row gets.
 *
 * @param input.rank the number of earlier rows of the same statement that want the same slug
 * @param input.owner the row's `slugOwner`, '' for none
 * @param input.except the id of the row, if it is updated
 */
export type SlugRule = (input: { wanted: SQL; rank: SQL; owner: SQL; except: SQL | undefined }) => SQL

type SluggedTable = SQLiteTable & { id: SQLiteColumn; slug: SQLiteColumn }

type Destination = {
  /** `plural` is the name in addresses. */
  resource: { table: SluggedTable; singular: AuditedKind; plural: string }
  /** By default, the first slug that is free in the table. */
  slugRule?: SlugRule
  computed?: ComputedColumns
}

/**
 * The statements that write rows of content with their images. The resource adds the statements for links and
 * for the text for searches, and then the statements for the audit.
 */
export function rowStatements(
  context: WriteContext,
  destination: Destination,
  rows: readonly Numbered<PreparedRow>[],
): SQL[] {
  const { table } = destination.resource
  const slugOf = ({ columns, keepsSlug }: PreparedRow) => (keepsSlug ? undefined : columns.slug)
  const columnsToWrite = (row: Numbered<PreparedRow>, rank: number) => ({
    ...(row.stored ? changedColumns(row.stored, row.columns) : row.columns),
    ...(row.id > 0 && { id: row.id }),
    ...(row.stored && { version: row.stored.version + 1 }),
    ...(slugOf(row) !== undefined && { slug: [slugOf(row), rank, row.slugOwner ?? ''] }),
    image_id: imageColumn(row.image),
  })
  const batches = (isNew: boolean) =>
    slugBatches(
      rows.filter(({ stored }) => isNew === (stored === undefined)),
      slugOf,
    ).map(batch => batch.map(({ row, rank }) => columnsToWrite(row, rank)))
  return [
    ...imageStatements(
      context,
      rows.map(row => row.image),
    ),
    ...batches(true).flatMap(batch => rowInsertStatements(table, batch, computedColumns(destination, true))),
    ...batches(false).flatMap(batch =>
      rowUpdateStatements(table, batch, computedColumns(destination, false)),
    ),
  ]
}

const computedColumns = (
  { resource: { table }, slugRule, computed }: Destination,
  isNew: boolean,
): ComputedColumns => ({
  ...computed,
  image_id: imageId,
  slug: value => {
    const part = (n: number) => sql`(input.value ->> ${literal(`$.slug[${n}]`)})`
    const parts = {
      wanted: part(0),
      rank: part(1),
      owner: part(2),
      except: isNew ? undefined : inputValue('id'),
    }
    const free = slugRule?.(parts) ?? freeSlug(table, parts.wanted, parts)
    return sql`iif(json_type(input.value, '$.slug') = 'array', ${free}, ${value})`
  },
})

/**
 * The statements that record written rows in the audit.
 * @param links expressions for the ids to which rows are linked, by field
 */
export const entryStatements = (
  context: WriteContext,
  { table, singular }: Destination['resource'],
  rows: readonly Numbered<PreparedRow>[],
  links: Readonly<Record<string, SQL>> = {},
): SQL[] =>
  rowEntryStatements(context, singular, table, rows.filter(({ action }) => action !== null).map(changeOf), {
    slug: sql`json_quote(row.slug)`,
    image: sql`json_quote(coalesce(row.image_id, 0))`,
    ...links,
  })

/** The statements that record written rows in the audit, and store the requests that undo the writes. */
export const auditStatements = (
  context: WriteContext,
  resource: Destination['resource'],
  rows: readonly Numbered<PreparedRow>[],
  links?: Readonly<Record<string, SQL>>,
): SQL[] => [
  ...entryStatements(context, resource, rows, links),
  ...undoStatements(
    context,
    resource.singular,
    rows.flatMap(row => undoOf(resource, row)),
  ),
]

type ChangeOfAll = {
  kind: Singular | 'series'
  table: VersionedTable
  values: ColumnValues
  where: SQL
  changed: ChangedFields
}

/**
 * The statements that give the same values to all rows that meet a condition. This does not count as an edit:
 * rows that nobody has edited since their import still follow their source.
 */
export function matchingChangeStatements(
  origin: Origin,
  { kind, table, values, where, changed }: ChangeOfAll,
): Statement[] {
  const ids = sql`SELECT ${table.id} AS id FROM ${table} WHERE ${where}`
  return [
    ...(kind === 'series' ? [] : [uneditedStatement(kind, table, where)]),
    auditEntriesStatement(origin, { action: 'update', kind, fields: Object.keys(changed), changed }, ids),
    build
      .update(table)
      .set({ ...values, version: sql`version + 1` })
      .where(where),
  ]
}

/**
 * The statement that lets imported rows count as unedited although they get their next version afterwards.
 * For series, imports compare digests instead of versions.
 */
export const uneditedStatement = (kind: Singular, table: VersionedTable, where: SQL): SQL =>
  sql`UPDATE ${imports} SET imported_version = ${table.version} + 1 FROM ${table}
    WHERE ${imports.kind} = ${kind} AND ${imports.target_id} = ${table.id}
      AND ${imports.imported_version} = CAST(${table.version} AS TEXT) AND ${where}`

const undoOf = ({ plural }: Destination['resource'], { id, stored, undo }: Numbered<PreparedRow>) => {
  if (!stored || undo === undefined || Object.keys(undo).length === 0) return []
  return [{ id, request: revertRequest(`/${plural}/${id}`, stored.version + 1, undo) }]
}

const changeOf = ({ id, stored, action, fields, changed }: Numbered<PreparedRow>) => ({
  id,
  action: action ?? (stored ? updateAction(changed) : ('create' as const)),
  fields,
  changed,
})

/** The action of an update. The history records the status `trash` in the same way as DELETE. */
export const updateAction = (changed: ChangedFields = {}) =>
  changed.status?.[1] === 'trash' ? ('trash' as const) : ('update' as const)
