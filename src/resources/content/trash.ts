import { eq, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { type Changed, recordChange, recordUndo } from '../../db/audit.ts'
import { asOneChange } from '../../db/one-change.ts'
import { freeSlugSql } from '../../db/slugs.ts'
import { update } from '../../db/statements.ts'
import type { Versioned } from '../../http/reply.ts'
import { ApiError } from '../../lib/errors.ts'
import { trashedSlug } from '../../lib/slug.ts'
import { toWall } from '../../lib/time.ts'
import { type ContentKind, type ContentRow, codesOf, type Singular } from './kind.ts'
import { writtenBody } from './single.ts'
import { isUnused, withUses } from './uses.ts'
import { reverting } from './writes.ts'

type Deletion<R extends ContentRow, Body> = {
  kind: ContentKind<R, Body>
  row: R
  force: boolean
  /** With `force`: also takes it from the events that refer to it. */
  detach?: boolean
  /** Further statements of the same transaction. */
  also?: readonly SQL[]
  /** Statements before those that move it to the trash. */
  before?: readonly SQL[]
}

/**
 * Moves content to the trash, or deletes it for good.
 *
 * @returns the content as it is in the trash, or as it was before it was deleted
 * @throws ApiError if it is in the trash already; a conflict if an event has begun to refer to it
 */
export async function deleteContent<R extends ContentRow, Body>(
  context: RequestContext,
  { kind, row, force, detach = false, also = [], before = [] }: Deletion<R, Body>,
): Promise<Versioned<Body>> {
  const { singular, table } = kind
  if (force) {
    const next = row.version + 1
    const used = detach ? [row.id] : []
    await withUses(context, kind, used, () =>
      context.db.change(
        asOneChange([
          // Fails if the content was changed since it was read, or is used.
          update(
            table,
            { version: detach ? next : sql`iif(${isUnused(kind, row.id)}, ${next}, 0)` },
            eq(table.id, row.id),
          ),
          ...kind.removal(row.id),
          recordChange(
            context,
            { action: 'delete', kind: singular, changed: nameForTrash(singular, row) },
            row.id,
          ),
          ...also,
        ]),
      ),
    )
    return writtenBody(context, { kind, row })
  }
  if (row.status === 'trash')
    throw new ApiError(codesOf(singular).inTrash, `This ${singular} is in the trash already.`)
  const statements = [
    ...before,
    toTrash(context, kind, row),
    recordChange(
      context,
      { action: 'trash', kind: singular, changed: { status: [row.status, 'trash'] } },
      row.id,
    ),
    ...also,
    ...recordUndo(context, singular, context.keepsUndo ? [restoration(kind, row)] : []),
  ]
  const [trashed] = await withUses(context, kind, [row.id], () =>
    context.db.change(
      // Venues and organizers are part of the events that show them.
      singular === 'event' ? statements : asOneChange(statements),
      kind.select(context, eq(table.id, row.id)),
    ),
  )
  return writtenBody(context, { kind, row: trashed })
}

/** What takes content out of the trash again. */
const restoration = ({ plural }: { plural: string }, { id, version, status }: ContentRow) => ({
  id,
  requests: [reverting(`/${plural}/${id}`, version + 1, { status })],
})

/** The name of what is deleted for good, which nothing else tells any more. */
export function nameForTrash(kind: Singular | 'series', row: object): Changed {
  const { title, name }: { title?: unknown; name?: unknown } = row
  return { [kind === 'event' || kind === 'series' ? 'title' : kind]: [title ?? name, null] }
}

function toTrash<R extends ContentRow, Body>(
  { now, settings }: RequestContext,
  { table }: ContentKind<R, Body>,
  row: R,
): SQL {
  const values = {
    status: 'trash',
    slug: freeSlugSql(table, trashedSlug(row.slug), { except: row.id }),
    version: row.version + 1,
    modified: toWall(now, settings.timezone),
    modified_utc: now,
  }
  return update(table, values, eq(table.id, row.id))
}
