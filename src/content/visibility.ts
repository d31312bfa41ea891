import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RequestContext } from '../context.ts'
import { inList } from '../db/query.ts'
import type { ValidationErrors } from '../lib/errors.ts'
import { may, mayReadUnpublished } from '../lib/roles.ts'
import { type Status, statusAt } from '../lib/statuses.ts'
import type { DateTime } from '../lib/time.ts'

/** A table with a status, an author and a publication date: events, venues or organizers. */
export type ContentTable = SQLiteTable & {
  id: SQLiteColumn
  status: SQLiteColumn
  author_id: SQLiteColumn
  date_utc: SQLiteColumn
}

/** A row as far as its visibility goes. */
type OwnedRow = { status: Status; author_id: number; date_utc: DateTime }

type Asking = Pick<RequestContext, 'caller' | 'now'>

/** Published, or scheduled for a time that has come. @param now UTC */
export const isPublished = (table: ContentTable, now: DateTime): SQL =>
  sql`(${table.status} = 'publish' OR (${table.status} = 'future' AND ${table.date_utc} <= ${now}))`

/** Rows whose unpublished versions the caller may read: all, one's own, or none. */
export function ownedBy(table: ContentTable, { caller }: Pick<Asking, 'caller'>): SQL {
  if (may(caller, 'edit_others_content')) return sql`1`
  return may(caller, 'edit_content') ? sql`${table.author_id} = ${caller.id}` : sql`0`
}

/** A condition for rows that the caller may read. To everybody else they don't exist, whatever names them. */
export const isReadable = (table: ContentTable, asking: Asking): SQL =>
  sql`(${isPublished(table, asking.now)} OR (${table.status} <> 'trash' AND ${ownedBy(table, asking)}))`

/** Tells whether the caller may read a row. @see isReadable */
export const isRowReadable = (row: OwnedRow, { caller, now }: Asking): boolean =>
  statusAt(row, now) === 'publish' || (row.status !== 'trash' && mayReadUnpublished(caller, row))

const UNPUBLISHED: readonly Status[] = ['draft', 'pending', 'private', 'future']

/** The statuses that a list shows: those asked for, else all that the caller may see. */
export const listedStatuses = (statuses: readonly Status[] | undefined, { caller }: Pick<Asking, 'caller'>) =>
  statuses ?? (may(caller, 'edit_content') ? (['publish', ...UNPUBLISHED] as const) : (['publish'] as const))

/** A condition for rows that a list of these statuses shows to the caller. */
export function isListed(table: ContentTable, statuses: readonly Status[] | undefined, asking: Asking): SQL {
  const shown = listedStatuses(statuses, asking)
  const parts: SQL[] = []
  if (shown.includes('publish')) parts.push(isPublished(table, asking.now))
  const others = shown.filter(status => status !== 'publish')
  if (others.length > 0)
    parts.push(sql`(${table.status} IN ${inList(others)} AND ${ownedBy(table, asking)}
      AND NOT (${table.status} = 'future' AND ${table.date_utc} <= ${asking.now}))`)
  return sql`(${sql.join(parts, sql` OR `)})`
}

/** Adds an error for asking for more than published content without being one who may edit. */
export function checkStatuses(
  statuses: readonly Status[] | undefined,
  { caller }: Pick<Asking, 'caller'>,
  errors: ValidationErrors,
): void {
  if (!statuses || statuses.every(status => status === 'publish') || may(caller, 'edit_content')) return
  errors.add('status', 'must be publish unless you may edit')
}
