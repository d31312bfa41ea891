import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Problems } from '../lib/errors.ts'
import { type Caller, may } from '../lib/roles.ts'
import type { Status } from '../lib/statuses.ts'
import type { DateTime } from '../lib/time.ts'

/** Events, venues and organizers: what has a status, an author and a publication date. */
export type PostTable = SQLiteTable & {
  id: SQLiteColumn
  status: SQLiteColumn
  author_id: SQLiteColumn
  date_utc: SQLiteColumn
}

/** Published, or scheduled for a time that has come. @param now UTC */
export const isPublished = (post: PostTable, now: DateTime): SQL =>
  sql`(${post.status} = 'publish' OR (${post.status} = 'future' AND ${post.date_utc} <= ${now}))`

/** Unpublished of one of these statuses, and for the caller to read. */
function isUnpublished(post: PostTable, statuses: readonly Status[], now: DateTime, caller: Caller): SQL {
  const status = sql.join(
    statuses.map(name => sql`${name}`),
    sql`, `,
  )
  const due = sql`NOT (${post.status} = 'future' AND ${post.date_utc} <= ${now})`
  const own = may(caller, 'edit_others_posts') ? sql`` : sql`AND ${post.author_id} = ${caller.id}`
  return sql`(${post.status} IN (${status}) AND ${due} ${own})`
}

const UNPUBLISHED: readonly Status[] = ['draft', 'pending', 'private', 'future']

/**
 * What a list shows to a caller: without `statuses`, published posts and those unpublished ones
 * that the caller may read; else posts of these statuses.
 *
 * @param now UTC
 */
export function isListed(
  post: PostTable,
  statuses: readonly Status[] | undefined,
  now: DateTime,
  caller: Caller,
): SQL {
  const others = statuses
    ? statuses.filter(status => status !== 'publish')
    : may(caller, 'edit_posts')
      ? UNPUBLISHED
      : []
  const parts: SQL[] = []
  if (!statuses || statuses.includes('publish')) parts.push(isPublished(post, now))
  if (others.length > 0) parts.push(isUnpublished(post, others, now, caller))
  return sql`(${sql.join(parts, sql` OR `)})`
}

/** Adds the problem of asking for more than published posts without being one who may edit. */
export function demandListable(
  statuses: readonly Status[] | undefined,
  caller: Caller,
  problems: Problems,
): void {
  if (!statuses || statuses.every(status => status === 'publish') || may(caller, 'edit_posts')) return
  problems.add('status', 'must be publish unless you may edit')
}
