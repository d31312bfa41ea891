import { type SQL, sql } from 'drizzle-orm'
import { recordChange } from '../db/audit.ts'
import { type Database, retryConflicts } from '../db/client.ts'
import { freeSlugSql } from '../db/slugs.ts'
import type { Versioned } from '../http/reply.ts'
import type { Key } from '../http/route.ts'
import { ApiError } from '../lib/errors.ts'
import { demandMatch } from '../lib/precondition.ts'
import { mayEdit } from '../lib/roles.ts'
import { trashedSlug } from '../lib/slug.ts'
import { statusAt } from '../lib/statuses.ts'
import { toWall } from '../lib/time.ts'
import type { View } from '../view.ts'
import { codesOf, type PostKind, type PostRow } from './kind.ts'
import { answerOf, demandFound, hasKey } from './queries.ts'

/**
 * @throws ApiError `rest_forbidden` if the caller may not change this post, `rest_precondition_failed` if it
 * is not the one that the caller has in mind
 */
export function demandEditable(row: PostRow, { caller, now, ifMatch }: View): void {
  if (!mayEdit(caller, { ...row, status: statusAt(row, now) }))
    throw new ApiError('rest_forbidden', `The role ${caller.role} may not change this one.`)
  demandMatch(ifMatch, row.version)
}

/**
 * Moves a post to the trash, or deletes it for good.
 *
 * @returns the post as it is in the trash, or as it was before it was deleted
 */
export const deletePost = <R extends PostRow, A>(
  db: Database,
  kind: PostKind<R, A>,
  key: Key,
  view: View,
  force: boolean,
): Promise<Versioned<A>> =>
  retryConflicts(async () => {
    const [found] = await db.get(kind.select(hasKey(kind.table, key)))
    const row = demandFound(kind, found)
    demandEditable(row, view)
    if (force) {
      await db.change([
        ...kind.removal(row.id),
        recordChange(view, { action: 'delete', kind: kind.singular }, row.id),
      ])
      return answerOf(kind, row, view)
    }
    if (row.status === 'trash')
      throw new ApiError(codesOf(kind.singular).inTrash, `This ${kind.singular} is in the trash already.`)
    const [trashed] = await db.change(
      [toTrash(kind, row, view), recordChange(view, { action: 'trash', kind: kind.singular }, row.id)],
      kind.select(sql`${kind.table.id} = ${row.id}`),
    )
    return answerOf(kind, trashed, view)
  })

function toTrash<R extends PostRow, A>(kind: PostKind<R, A>, row: R, view: View): SQL {
  const slug = freeSlugSql(kind.table, trashedSlug(row.slug), { except: row.id })
  return sql`UPDATE ${kind.table} SET status = 'trash', slug = ${slug}, version = ${row.version + 1},
    modified = ${toWall(view.now, view.settings.timezone)}, modified_utc = ${view.now}
    WHERE ${kind.table.id} = ${row.id}`
}
