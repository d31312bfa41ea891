import type { ChangedFields, UndoRequest } from '../../kit/db/audit.ts'
import type { ColumnValues } from '../../kit/db/bulk.ts'
import { hexDigest } from '../../kit/lib/hash.ts'
import { asObject } from '../../kit/lib/values.ts'
import { parseCustomFields } from './custom-fields.ts'
import type { ImageChoice } from './uploads.ts'

// The audit records changed values as the API shows them, so that a request can restore the former values.

type Update = {
  namedFields: readonly string[]
  stored: ColumnValues
  columns: ColumnValues
  /** @see otherImage */
  image?: ImageChoice | undefined
}

export type FieldColumns = Readonly<Record<string, { columns: readonly string[] }>>

/**
 * Fields that the comparison of columns leaves out: `date` shows a change of `date_utc`, and slugs and images
 * are compared on their own.
 */
const COMPARED_APART = ['date_utc', 'slug', 'image']

/** Entries of a change that aren't fields: the merged rows, and how the dates of a series changed. */
const NOT_FIELDS = ['merged', 'dates']

/** A stored value as a request would send it. */
function requestValueOf(field: string, value: unknown): unknown {
  if (field === 'custom_fields') return parseCustomFields(String(value ?? '{}'))
  if (field === 'post_parent' || field === 'image') return value ?? 0
  return value ?? ''
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The columns that an update changes. A column whose stored value is unknown counts as changed. */
export const changedColumns = (stored: ColumnValues, columns: ColumnValues): ColumnValues =>
  Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => !(name in stored && isSame(stored[name], value))),
  )

/**
 * The fields whose columns an update changes, whether or not the request names them. New values that only the
 * database works out, such as a free slug or the id of an image, are null here: the audit takes them from the
 * row (`rowEntryStatements`).
 */
export function beforeAndAfter(
  table: FieldColumns,
  { namedFields, stored, columns, image }: Update,
): ChangedFields {
  const changes: Record<string, readonly [unknown, unknown]> = {}
  for (const [field, row] of Object.entries(table)) {
    const column = row.columns.includes(field) ? field : row.columns[0]
    const next = column === undefined ? undefined : columns[column]
    if (column === undefined || next === undefined || COMPARED_APART.includes(field)) continue
    const values = [requestValueOf(field, stored[column]), requestValueOf(field, next)] as const
    if (!isSame(...values)) changes[field] = values
  }
  // Moving to the trash and back changes the slug as a side effect.
  if (namedFields.includes('slug') && columns.slug !== undefined) changes.slug = [stored.slug, null]
  if (image !== undefined) changes.image = [requestValueOf('image', stored.image_id), null]
  return changes
}

const ALWAYS_SET = ['modified', 'modified_utc']

/** True if an update changes the image, or any column except the time of the last change. */
export const changesRow = ({ stored, columns, image }: Omit<Update, 'namedFields'>): boolean =>
  image !== undefined ||
  Object.entries(columns).some(
    ([name, value]) =>
      // Imported rows have null where others have ''.
      value !== undefined && !ALWAYS_SET.includes(name) && !isSame(value ?? '', stored[name] ?? ''),
  )

/** The longest text that the audit stores whole, in characters. */
const MAX_KEPT_LENGTH = 4_000
const BEGINNING_LENGTH = 200

/** A text that is too long to be stored: its SHA-256, its length and its beginning. */
type Digest = { digest: string; length: number; beginning: string }

export const isDigest = (value: unknown): value is Digest =>
  typeof value === 'object' && value !== null && 'digest' in value && 'beginning' in value

async function valueOrDigest(value: unknown): Promise<unknown> {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  if (text.length <= MAX_KEPT_LENGTH) return value
  const digest = await hexDigest(text)
  return { digest, length: text.length, beginning: text.slice(0, BEGINNING_LENGTH).toWellFormed() }
}

/** Changed values as the audit stores them: long values as digests. */
export async function keptValues(changed: ChangedFields): Promise<ChangedFields> {
  const entries = Object.entries(changed).map(
    async ([field, [before, after]]) =>
      [field, [await valueOrDigest(before), await valueOrDigest(after)] as const] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** The values that a request sends to undo a change. */
export function valuesBefore(changed: ChangedFields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(changed).flatMap(([field, [before, after]]) =>
      NOT_FIELDS.includes(field)
        ? []
        : [[field, field === 'custom_fields' ? { ...nullsFor(after), ...asObject(before) } : before]],
    ),
  )
}

const nullsFor = (fields: unknown) =>
  Object.fromEntries(Object.keys(asObject(fields)).map(key => [key, null]))

/** The request that restores former values of a resource, unless it has changed since. */
export const revertRequest = (path: string, version: number, body: object): UndoRequest => ({
  method: 'PATCH',
  path,
  headers: { 'if-match': `"-v${version}"` },
  body,
})
