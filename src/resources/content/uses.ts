import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { first, type Query, settled } from '../../db/query.ts'
import { events } from '../../db/schema.ts'
import { withDates } from '../../http/series-dates.ts'
import { ApiError } from '../../lib/errors.ts'
import type { NamedTable, Singular, Uses } from './kind.ts'
import { isReadable } from './visibility.ts'

type Kind = { singular: Singular; table: NamedTable; uses?: Uses }

/** The number of events that refer to something: all of them, and those that the caller may read. */
type UseCount = { all: number; readable: number }

/** The events beyond the trash that refer to a row, in SQL from `FROM` on. */
const fromEvents = (uses: Uses, id: SQL): SQL =>
  sql`FROM ${events} WHERE ${events.id} IN (${uses.events(id)}) AND ${events.status} <> 'trash'`

/** A query of the number of events that refer to the row that a condition names; undefined for kinds that none refer to. */
export const countUses = (
  context: RequestContext,
  { table, uses }: Kind,
  condition: SQL,
): Query<UseCount | undefined> =>
  uses
    ? first(
        sql`SELECT count(*) AS all_events, total(${isReadable(events, context)}) AS readable
          ${fromEvents(uses, sql`(SELECT id FROM ${table} WHERE ${condition})`)}`,
        row => ({ all: Number(row.all_events), readable: Number(row.readable) }),
      )
    : UNCOUNTED

/**
 * Runs a write after which all events that refer to some rows are listed in another way, if the caller may write so many. Each is
 * some rows, and one venue may have all dates of many series.
 *
 * @throws ApiError `rest_too_many_requests`
 */
export async function withUses<T>(
  context: RequestContext,
  { uses }: Kind,
  ids: readonly number[],
  write: () => Promise<T>,
): Promise<T> {
  if (!uses || ids.length === 0) return write()
  const count = await context.db.get(
    first(
      sql`SELECT total((SELECT count(*) ${fromEvents(uses, sql`given.value`)})) AS n
        FROM json_each(${JSON.stringify(ids)}) AS given`,
      ({ n }) => Number(n),
    ),
  )
  return withDates(context, count ?? 0, write)
}

/** In place of {@link countUses}, where it makes no difference. */
export const UNCOUNTED = settled(undefined)

/** A condition for a row to which no event refers. */
export const isUnused = ({ uses }: Kind, id: number): SQL =>
  uses ? sql`NOT EXISTS (SELECT 1 ${fromEvents(uses, sql`${id}`)})` : sql`true`

/** @throws ApiError `venue-is-in-use`, `organizer-is-in-use` if events refer to it */
export function assertUnused({ singular, uses }: Kind, count: UseCount | undefined): void {
  if (!uses || !count || count.all === 0) return
  const { readable } = count
  const who =
    readable === 0 ? 'Events that you may not read' : readable === 1 ? '1 event' : `${readable} events`
  throw new ApiError(
    uses.code,
    `${who} would lose this ${singular}. With detach=true it is taken from them and deleted; without force it goes to the trash.`,
    { events: readable },
  )
}
