import { eq, type SQL, sql } from 'drizzle-orm'
import type { BaseContext, CalendarContext, ContentContext } from '../../kit/context.ts'
import { type ChangedFields, recorded } from '../../kit/db/audit.ts'
import {
  countOf,
  first,
  inList,
  type Query,
  readNumber,
  resolvedQuery,
  type Statement,
} from '../../kit/db/query.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import { events } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { trashedSlug } from '../../kit/lib/slug.ts'
import { modifiedNow } from './publication.ts'
import {
  type ContentResource,
  type ContentRow,
  codesOf,
  type Singular,
  type UseSelects,
  type VersionedTable,
} from './resource.ts'
import { withDates } from './series-dates.ts'
import { readableSql } from './visibility.ts'

type UsedResource = { singular: Singular; table: VersionedTable; uses?: UseSelects }

/** The number of all events that refer to a row, and the number of readable ones among them. */
type UseCount = { all: number; readable: number }

/**
 * What follows FROM in a SELECT of the events outside the trash that refer to some rows.
 * @param ids a SELECT or a list, in parentheses
 */
const usingEvents = (uses: UseSelects, ids: SQL): SQL =>
  sql`(${uses.events(ids)}) AS used CROSS JOIN ${events} ON ${events.id} = used.event_id AND ${events.status} <> 'trash'`

/** A query to use in place of {@link selectUseCount} where nobody needs the number. */
export const UNCOUNTED = resolvedQuery(undefined)

/** A query for the number of events that refer to a row; undefined for kinds to which events cannot refer. */
export const selectUseCount = (
  context: BaseContext,
  { table, uses }: UsedResource,
  condition: SQL,
): Query<UseCount | undefined> =>
  uses
    ? first(
        sql`SELECT count(*) AS all_events, total(${readableSql(events, context)}) AS readable
          FROM ${usingEvents(uses, sql`(SELECT id FROM ${table} WHERE ${condition})`)}`,
        row => ({ all: readNumber(row.all_events), readable: readNumber(row.readable) }),
      )
    : UNCOUNTED

/**
 * Runs a write that changes how lists show all events of some venues or organizers, if the caller may write
 * that many rows. Each event takes several rows, and one venue may have the dates of many series.
 *
 * @throws ApiError `rest_too_many_dates`, `rest_too_many_requests`
 */
export async function withUses<T>(
  context: ContentContext,
  { uses }: Pick<UsedResource, 'uses'>,
  ids: readonly number[],
  write: () => Promise<T>,
): Promise<T> {
  if (!uses || ids.length === 0) return write()
  const dates = await context.db.read(countOf(usingEvents(uses, inList(ids))))
  return withDates(context, { dates }, write)
}

/** A condition for a row to which no event refers. */
const unusedSql = ({ uses }: UsedResource, id: number): SQL =>
  uses ? sql`NOT EXISTS (SELECT 1 FROM ${usingEvents(uses, sql`(${id})`)})` : sql`true`

const eventsText = (n: number): string => (n === 1 ? '1 event' : `${n} events`)

/** @throws ApiError `venue-is-in-use`, `organizer-is-in-use` if events refer to it */
export function assertUnused({ singular, uses }: UsedResource, count: UseCount | undefined): void {
  if (!uses || !count || count.all === 0) return
  const { readable } = count
  const usesText = readable === 0 ? 'Events that you may not read' : eventsText(readable)
  throw new ApiError(
    uses.code,
    `${usesText} would lose this ${singular}. With detach=true it is taken from them and deleted; without force it goes to the trash.`,
    { events: readable },
  )
}

/** @throws ApiError `event-is-in-trash`, `venue-is-in-trash` … */
export function assertNotInTrash({ singular }: { singular: Singular }, { status }: ContentRow): void {
  if (status === 'trash')
    throw new ApiError(codesOf(singular).inTrash, `This ${singular} is already in the trash.`)
}

/** The columns of a row in the trash. Its slug becomes free for other rows. */
export const trashColumns = (context: CalendarContext, slug: string) =>
  ({ status: 'trash', slug: trashedSlug(slug), ...modifiedNow(context) }) as const

/** The write that moves a row to the trash. */
export const trashedRow = (context: BaseContext, row: ContentRow) => ({
  stored: row,
  columns: trashColumns(context, row.slug),
  image: undefined,
  fields: [],
  changed: { status: [row.status, 'trash'] as const },
})

type Deletion<R extends ContentRow> = {
  resource: ContentResource<R, unknown>
  row: R
  /** True to remove the row also from the events that refer to it. */
  detach?: boolean
  /** Further statements of the same transaction. */
  extraStatements?: readonly Statement[]
}

/**
 * Deletes content for good.
 *
 * @throws a conflict if somebody has changed it since it was read, or an event refers to it by now
 */
export async function deleteForGood<R extends ContentRow>(
  context: ContentContext,
  { resource, row, detach = false, extraStatements = [] }: Deletion<R>,
): Promise<undefined> {
  const { singular, table } = resource
  const next = row.version + 1
  await withUses(context, resource, detach ? [row.id] : [], () =>
    context.db.write(
      asOneChange([
        ...recorded(
          context,
          build
            .update(table)
            // Version 0 fails as a conflict if anything has begun to use the row in the meantime.
            .set({ version: detach ? next : sql`iif(${unusedSql(resource, row.id)}, ${next}, 0)` })
            .where(eq(table.id, row.id)),
          { action: 'delete', kind: singular, changed: deletedName(singular, row), id: row.id },
        ),
        ...resource.removalStatements(row.id),
        ...extraStatements,
      ]),
    ),
  )
}

/** The name of content that is deleted for good, for the audit: no row has it any more. */
export function deletedName(kind: Singular | 'series', row: object): ChangedFields {
  const { title, name }: { title?: unknown; name?: unknown } = row
  return { [kind === 'event' || kind === 'series' ? 'title' : kind]: [title ?? name, null] }
}
