import type { RequestContext } from '../../context.ts'
import type { Changed } from '../../db/audit.ts'
import { parseCustomFields } from '../../lib/custom-fields.ts'
import { hex, sha256 } from '../../lib/digest.ts'
import type { CompleteTable } from './fields.ts'
import type { ImageChoice } from './uploads.ts'

// The values of a change for the audit, in the words of the API: a request could send those before to have them back.

type Row = Readonly<Record<string, unknown>>
type Update = {
  /** The names of the fields that the request names. */
  named: readonly string[]
  stored: Row
  columns: Row
  /** @see otherImage */
  image?: ImageChoice | undefined
}

/** Fields that others say as well. */
const UNSAID = ['date_utc', 'slug', 'image']

/** Names under which a change tells of more than fields: what was merged, and what became of the dates of a series. */
const NO_FIELDS = ['merged', 'dates']

/** A stored value as a request has it. */
function asGiven(field: string, stored: unknown): unknown {
  if (field === 'custom_fields') return parseCustomFields(String(stored ?? '{}'))
  if (field === 'post_parent' || field === 'image') return stored ?? 0
  return stored ?? ''
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The fields whose columns change by an update, named or not. What only the database works out, such as the slug that is
 * free and the id of an image, is null afterwards: the audit takes it from the row (`recordRows`).
 */
export function beforeAndAfter(table: CompleteTable, { named, stored, columns, image }: Update): Changed {
  const changed: Record<string, readonly [unknown, unknown]> = {}
  for (const [field, row] of Object.entries(table)) {
    const column = row.columns.includes(field) ? field : row.columns[0]
    const next = column === undefined ? undefined : columns[column]
    if (column === undefined || next === undefined || UNSAID.includes(field)) continue
    const values = [asGiven(field, stored[column]), asGiven(field, next)] as const
    if (!isSame(...values)) changed[field] = values
  }
  // In the trash and out of it, the slug changes by itself.
  if (named.includes('slug') && columns.slug !== undefined) changed.slug = [stored.slug, null]
  if (image !== undefined) changed.image = [asGiven('image', stored.image_id), null]
  return changed
}

/** Columns that every update sets. */
const ALWAYS_SET = ['modified', 'modified_utc']

/** Tells if an update changes a row: other columns than those of the time of the change, or the image. */
export const changesRow = ({ stored, columns, image }: Omit<Update, 'named'>): boolean =>
  image !== undefined ||
  Object.entries(columns).some(
    ([name, value]) =>
      // Rows of earlier versions have null where '' is stored now.
      value !== undefined && !ALWAYS_SET.includes(name) && !isSame(value ?? '', stored[name] ?? ''),
  )

/** The longest text that is kept as it is, in characters. */
const LONGEST_KEPT = 4_000
const BEGINNING = 200

/** A text that is too long to be kept: its SHA-256, its length and its beginning. */
type Digest = { digest: string; length: number; beginning: string }

export const isDigest = (value: unknown): value is Digest =>
  typeof value === 'object' && value !== null && 'digest' in value && 'beginning' in value

async function kept(value: unknown): Promise<unknown> {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  if (text.length <= LONGEST_KEPT) return value
  const digest = hex(await sha256(text))
  return { digest, length: text.length, beginning: text.slice(0, BEGINNING).toWellFormed() }
}

/** Changed values as the audit keeps them, with digests of long ones. */
export async function keptValues(changed: Changed): Promise<Changed> {
  const entries = Object.entries(changed).map(
    async ([field, [before, after]]) => [field, [await kept(before), await kept(after)] as const] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** A part of a write that is recorded. */
export type Audited = {
  changed?: Changed | undefined
  /** True if values that are sent back don't undo all of it. */
  isFinal?: boolean
  /** The values before, whole, if what undoes the change is wanted; null if it cannot be undone. */
  undo?: Readonly<Record<string, unknown>> | null | undefined
}

/** Writes with their values as the audit keeps them, and with those that undo them if the request wants that. */
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

/** The values that a request sends to have everything as it was before a change. */
function valuesBefore(changed: Changed): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(changed).flatMap(([field, [before, after]]) =>
      NO_FIELDS.includes(field)
        ? []
        : [[field, field === 'custom_fields' ? { ...without(after), ...Object(before) } : before]],
    ),
  )
}

/** The keys of an object, each to be removed. */
const without = (fields: unknown) => Object.fromEntries(Object.keys(Object(fields)).map(key => [key, null]))
