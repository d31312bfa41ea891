import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RequestContext, WriteContext } from '../../context.ts'
import {
  type AuditedKind,
  type Changed,
  type Origin,
  recordEach,
  recordRows,
  recordUndo,
  type UndoRequest,
} from '../../db/audit.ts'
import { type Computed, given, insertRows, newNumber, resolvedId, updateRows } from '../../db/bulk.ts'
import { mapped, type Query, type Statement } from '../../db/query.ts'
import { imports } from '../../db/schema.ts'
import { freeSlugSql } from '../../db/slugs.ts'
import { build } from '../../db/statements.ts'
import type { Versioned } from '../../http/reply.ts'
import type { FieldsSchema } from '../../http/route.ts'
import type { Taken } from '../../http/shared-writes.ts'
import { parseCustomFields } from '../../lib/custom-fields.ts'
import { hex, sha256 } from '../../lib/digest.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { inWaves } from '../../lib/slug.ts'
import type { Status } from '../../lib/statuses.ts'
import { imageColumn, imageId, recordImages } from './images.ts'
import type { NamedTable, Singular } from './resource.ts'
import { type ImageChoice, storedImages } from './uploads.ts'

// The audit records changed values as the API shows them, so that a request can send the former ones to restore them.

type Row = Readonly<Record<string, unknown>>
type Update = {
  /** The names of the fields that the request names. */
  named: readonly string[]
  stored: Row
  columns: Row
  /** @see otherImage */
  image?: ImageChoice | undefined
}

/** The columns that each field sets. */
export type FieldColumns = Readonly<Record<string, { columns: readonly string[] }>>

/** Fields whose change another field shows as well. */
const UNSAID = ['date_utc', 'slug', 'image']

/** Entries of a change that are no fields: what was merged, and how the dates of a series changed. */
const NO_FIELDS = ['merged', 'dates']

/** A stored value as a request would send it. */
function asGiven(field: string, stored: unknown): unknown {
  if (field === 'custom_fields') return parseCustomFields(String(stored ?? '{}'))
  if (field === 'post_parent' || field === 'image') return stored ?? 0
  return stored ?? ''
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The columns that an update changes. One whose stored value isn't known counts as changed. */
const changedColumns = (stored: Row, columns: Row): Row =>
  Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => !(name in stored && isSame(stored[name], value))),
  )

/**
 * The fields whose columns an update changes, whether or not the request names them. New values that only the database works
 * out, such as a free slug or the id of an image, are null here: the audit takes them from the row (`recordRows`).
 */
export function beforeAndAfter(table: FieldColumns, { named, stored, columns, image }: Update): Changed {
  const changed: Record<string, readonly [unknown, unknown]> = {}
  for (const [field, row] of Object.entries(table)) {
    const column = row.columns.includes(field) ? field : row.columns[0]
    const next = column === undefined ? undefined : columns[column]
    if (column === undefined || next === undefined || UNSAID.includes(field)) continue
    const values = [asGiven(field, stored[column]), asGiven(field, next)] as const
    if (!isSame(...values)) changed[field] = values
  }
  // Moving to the trash and back changes the slug as a side effect.
  if (named.includes('slug') && columns.slug !== undefined) changed.slug = [stored.slug, null]
  if (image !== undefined) changed.image = [asGiven('image', stored.image_id), null]
  return changed
}

/** Columns that every update sets. */
const ALWAYS_SET = ['modified', 'modified_utc']

/** Tells if an update changes the image, or any column but the time of the last change. */
export const changesRow = ({ stored, columns, image }: Omit<Update, 'named'>): boolean =>
  image !== undefined ||
  Object.entries(columns).some(
    ([name, value]) =>
      // Rows of earlier versions have null where '' is stored now.
      value !== undefined && !ALWAYS_SET.includes(name) && !isSame(value ?? '', stored[name] ?? ''),
  )

/** The longest text that the audit stores whole, in characters. */
const LONGEST_KEPT = 4_000
const BEGINNING = 200

/** A text that is too long to be stored: its SHA-256, its length and its beginning. */
type Digest = { digest: string; length: number; beginning: string }

export const isDigest = (value: unknown): value is Digest =>
  typeof value === 'object' && value !== null && 'digest' in value && 'beginning' in value

async function kept(value: unknown): Promise<unknown> {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  if (text.length <= LONGEST_KEPT) return value
  const digest = hex(await sha256(text))
  return { digest, length: text.length, beginning: text.slice(0, BEGINNING).toWellFormed() }
}

/** Changed values as the audit stores them: long ones as digests. */
export async function keptValues(changed: Changed): Promise<Changed> {
  const entries = Object.entries(changed).map(
    async ([field, [before, after]]) => [field, [await kept(before), await kept(after)] as const] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** The part of a write that the audit records. */
type Audited = {
  changed?: Changed | undefined
  /** True if sending the former values back does not undo all of it. */
  isFinal?: boolean
  /** The former values in full, if the caller wants the requests that undo the change; null if it cannot be undone. */
  undo?: Readonly<Record<string, unknown>> | null | undefined
}

/** Writes with their changed values as the audit stores them and, if the caller wants them, the values that undo the writes. */
export const withKeptValues = <P extends Audited>(
  { keepsUndo }: Pick<RequestContext, 'keepsUndo'>,
  prepared: readonly P[],
): Promise<P[]> =>
  Promise.all(
    prepared.map(async one => {
      if (!one.changed) return one
      const undo = one.isFinal ? null : valuesBefore(one.changed)
      return { ...one, changed: await keptValues(one.changed), undo: keepsUndo && undo }
    }),
  )

/** The values that a request sends to undo a change. */
function valuesBefore(changed: Changed): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(changed).flatMap(([field, [before, after]]) =>
      NO_FIELDS.includes(field)
        ? []
        : [[field, field === 'custom_fields' ? { ...without(after), ...Object(before) } : before]],
    ),
  )
}

/** The keys of an object, each with null, which removes it. */
const without = (fields: unknown) => Object.fromEntries(Object.keys(Object(fields)).map(key => [key, null]))

/**
 * The writes of a resource. `F` is the type of its fields, `S` of the stored row that an update needs, `L` of the rows that
 * fields refer to, `P` of a prepared write, `Body` of responses, and `R` of the rows that these show.
 */
export type ContentWrites<F, S, L, P, Body, R = S> = {
  /** Fields that updates and deletions take as parameters of the address as well. */
  options?: FieldsSchema<Partial<F>>
  /** The headers that responses to writes may have, with what they say. */
  headers?: Readonly<Record<string, string>>
  /** Tells if an update with these values concerns more than one row, and is a write of its own. */
  isAlone?: (values: Partial<F>) => boolean
  /** The names that a write takes beside its row and external id. @see SharedWrites */
  taken?: (prepared: P) => Iterable<Taken>
  /** A query of the rows before updates with these values. */
  selectStored: (context: RequestContext, condition: SQL, values: readonly Partial<F>[]) => Query<S[]>
  /** A query of the rows that the values of several requests refer to. */
  lookUp: (context: RequestContext, values: readonly Partial<F>[]) => Query<L>
  /**
   * Works out what is to be written.
   *
   * @param input.stored the row before an update
   * @param errors those of single fields; gets those that depend on several fields or on rows
   * @throws ApiError `rest_forbidden` if the caller may not send these fields, and all errors at once
   */
  prepare: (
    context: RequestContext,
    input: { values: Partial<F>; found: L; stored?: S | undefined },
    errors: ValidationErrors,
  ) => P
  /** Writes everything in one transaction. @returns the rows afterwards, in order */
  write: (context: RequestContext, prepared: readonly P[]) => Promise<R[]>
  /** Works out what moves a row to the trash. */
  prepareTrash: (context: RequestContext, input: { row: R; options: Partial<F> }) => P | Promise<P>
  /** The headers of the response to moving a row to the trash. */
  trashHeaders?: (prepared: P) => Readonly<Record<string, string>>
  /** Deletes content for good, if that takes more than for other kinds. */
  deleteForGood?: (
    context: RequestContext,
    input: { row: R; options: Partial<F> },
  ) => Promise<Versioned<Body>>
}

/** A row of content that is to be written: a new one, or an update of the stored one. */
export type PreparedRow = {
  /** The id of a new row, if it gets a certain one. In one write, all new rows have such ids or none. */
  id?: number | undefined
  /** The row before an update: columns that stay as they are here are not written. */
  stored?: ({ id: number; version: number } & Row) | undefined
  /** The action in the audit, if `changed` doesn't tell; null for a change that is not recorded. */
  action?: 'trash' | 'delete' | null | undefined
  /** The columns of a new row, or the changed ones. `slug` is the one to be taken if it is free. */
  columns: Readonly<Record<string, unknown>> & { status?: Status | undefined; slug?: string | undefined }
  /** True if the row gets the slug even if that is taken. */
  keepsSlug?: boolean | undefined
  /** A further value for the {@link SlugRule}: the slug of the series of an occurrence, or of a category with its parent's. */
  slugOwner?: string | number | undefined
  image: ImageChoice | undefined
  /** The names of the fields that a request named, for the audit. */
  fields: readonly string[]
} & Audited

/** A prepared row with its id. @see resolvedId */
export type Numbered<P> = P & { id: number }

/** Numbers new rows; updated ones have their ids. */
export function numbered<P extends PreparedRow>(prepared: readonly P[]): Numbered<P>[] {
  const count = prepared.filter(({ stored }) => !stored).length
  let position = 0
  return prepared.map(one => ({ ...one, id: one.stored?.id ?? one.id ?? newNumber(position++, count) }))
}

/** A query of rows after a write, in the order of their ids. @see resolvedId */
export const selectWritten = <R extends { id: number }>(
  context: RequestContext,
  { table, select }: { table: SluggedTable; select: (context: RequestContext, condition: SQL) => Query<R[]> },
  ids: readonly number[],
): Query<R[]> =>
  mapped(
    select(
      context,
      sql`${table.id} IN (SELECT ${resolvedId(table, sql`value`)} FROM json_each(${JSON.stringify(ids)}))`,
    ),
    rows => {
      const known = new Map(rows.map(row => [row.id, row]))
      const created = rows.filter(({ id }) => !ids.includes(id)).sort((a, b) => a.id - b.id)
      return ids.flatMap(id => known.get(id) ?? created.at(id) ?? [])
    },
  )

/** Prepared writes with their images stored, as far as these are files. */
export async function withStoredImages<P extends Pick<PreparedRow, 'image'>>(
  context: RequestContext,
  prepared: readonly P[],
): Promise<P[]> {
  const images = await storedImages(
    context,
    prepared.map(({ image }) => image),
  )
  return prepared.map((one, i) => ({ ...one, image: images[i] }))
}

/**
 * Makes an expression of the slug that a row gets from the one that it wants.
 *
 * @param given.rank how many rows of the same statement want the same slug and come before
 * @param given.owner the row's `slugOwner`, '' for none
 * @param given.except the id of a row that is updated
 */
export type SlugRule = (given: { wanted: SQL; rank: SQL; owner: SQL; except: SQL | undefined }) => SQL

type SluggedTable = SQLiteTable & { id: SQLiteColumn; slug: SQLiteColumn }

type Destination = {
  /** `plural` is the name in addresses. */
  resource: { table: SluggedTable; singular: AuditedKind; plural: string }
  /** By default the first one that is free in the table. */
  slugRule?: SlugRule
  /** Further columns that are worked out. */
  computed?: Computed
}

/**
 * The statements that write rows of content with their images. Links, the text for searches, and the audit, which comes after
 * these, are the resource's.
 */
export function rowStatements(
  context: WriteContext,
  destination: Destination,
  rows: readonly Numbered<PreparedRow>[],
): SQL[] {
  const { table } = destination.resource
  const slugOf = ({ columns, keepsSlug }: PreparedRow) => (keepsSlug ? undefined : columns.slug)
  const columnsOf = (row: Numbered<PreparedRow>, rank: number) => ({
    ...(row.stored ? changedColumns(row.stored, row.columns) : row.columns),
    ...(row.id > 0 && { id: row.id }),
    ...(row.stored && { version: row.stored.version + 1 }),
    ...(slugOf(row) !== undefined && { slug: [slugOf(row), rank, row.slugOwner ?? ''] }),
    image_id: imageColumn(row.image),
  })
  const waves = (isNew: boolean) =>
    inWaves(
      rows.filter(({ stored }) => isNew === (stored === undefined)),
      slugOf,
    ).map(wave => wave.map(({ row, rank }) => columnsOf(row, rank)))
  return [
    ...recordImages(
      context,
      rows.map(row => row.image),
    ),
    ...waves(true).flatMap(wave => insertRows(table, wave, computedColumns(destination, true))),
    ...waves(false).flatMap(wave => updateRows(table, wave, computedColumns(destination, false))),
  ]
}

/** The columns that only the database works out. */
const computedColumns = (
  { resource: { table }, slugRule, computed }: Destination,
  isNew: boolean,
): Computed => ({
  ...computed,
  image_id: imageId,
  slug: value => {
    const part = (n: number) => sql`(given.value ->> ${sql.raw(`'$.slug[${n}]'`)})`
    const parts = { wanted: part(0), rank: part(1), owner: part(2), except: isNew ? undefined : given('id') }
    const free = slugRule?.(parts) ?? freeSlugSql(table, parts.wanted, parts)
    return sql`iif(json_type(given.value, '$.slug') = 'array', ${free}, ${value})`
  },
})

/** The statements that record what was written of rows. @param links expressions of what rows refer to, by field */
export const entryStatements = (
  context: WriteContext,
  { table, singular }: Destination['resource'],
  rows: readonly Numbered<PreparedRow>[],
  links: Readonly<Record<string, SQL>> = {},
): SQL[] =>
  recordRows(context, singular, table, rows.filter(({ action }) => action !== null).map(changeOf), {
    slug: sql`json_quote(row.slug)`,
    image: sql`json_quote(coalesce(row.image_id, 0))`,
    ...links,
  })

/** The same, with what undoes it. */
export const auditStatements = (
  context: WriteContext,
  resource: Destination['resource'],
  rows: readonly Numbered<PreparedRow>[],
  links?: Readonly<Record<string, SQL>>,
): SQL[] => [
  ...entryStatements(context, resource, rows, links),
  ...recordUndo(
    context,
    resource.singular,
    rows.flatMap(row => undoOf(resource, row)),
  ),
]

type ChangeOfAll = {
  kind: Singular | 'series'
  table: NamedTable
  values: Readonly<Record<string, unknown>>
  where: SQL
  changed: Changed
}

/**
 * The statements that give all rows which fulfil a condition the same values. Nobody has edited them here: those that are as an
 * import has left them go on to follow their source.
 */
export function changeMatching(
  origin: Origin,
  { kind, table, values, where, changed }: ChangeOfAll,
): Statement[] {
  const ids = sql`SELECT ${table.id} AS id FROM ${table} WHERE ${where}`
  return [
    ...(kind === 'series' ? [] : [keepUnedited(kind, table, where)]),
    recordEach(origin, { action: 'update', kind, fields: Object.keys(changed), changed }, ids),
    build
      .update(table)
      .set({ ...values, version: sql`version + 1` })
      .where(where),
  ]
}

/** The statement before rows get their next version that leaves those unedited which imports have made. Series have digests instead. */
export const keepUnedited = (kind: Singular, table: NamedTable, where: SQL): SQL =>
  sql`UPDATE ${imports} SET imported_version = ${table.version} + 1 FROM ${table}
    WHERE ${imports.kind} = ${kind} AND ${imports.target_id} = ${table.id}
      AND ${imports.imported_version} = CAST(${table.version} AS TEXT) AND ${where}`

const undoOf = ({ plural }: Destination['resource'], { id, stored, undo }: Numbered<PreparedRow>) => {
  if (!stored || undo === undefined) return []
  if (undo === null) return [{ id, requests: [] }]
  if (Object.keys(undo).length === 0) return []
  return [{ id, requests: [reverting(`/${plural}/${id}`, stored.version + 1, undo)] }]
}

/** The request that restores former values of a resource, unless it has changed since. */
export const reverting = (path: string, version: number, body: object): UndoRequest => ({
  method: 'PATCH',
  path,
  headers: { 'if-match': `"-v${version}"` },
  body,
})

const changeOf = ({ id, stored, action, fields, changed }: Numbered<PreparedRow>) => ({
  id,
  action: stored ? (action ?? updateAction(changed)) : ('create' as const),
  fields,
  changed,
})

/** The action of an update: a status `trash` does what DELETE does, and the history says the same. */
const updateAction = (changed: Changed = {}) =>
  changed.status?.[1] === 'trash' ? ('trash' as const) : ('update' as const)
