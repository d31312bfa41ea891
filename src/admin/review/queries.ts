import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { inList, literal, many, mapped, type Query, together } from '../../db/query.ts'
import { events, series, users } from '../../db/schema.ts'
import { EVENTS } from '../../events/kind.ts'
import { type Along, NOTHING_ALONG, selectAlong } from '../../events/relations/along.ts'
import type { EventRow } from '../../events/rows.ts'
import { isDetached } from '../../events/rows.ts'
import type { DateTime } from '../../lib/time.ts'
import { type Sender, selectSenders } from '../../submissions/queries.ts'
import { type ReviewNote, selectReviewNotes } from './notes.ts'
import { selectAlike, type Twin } from './twins.ts'

/** Something that waits for review. */
export type Waiting = {
  row: EventRow
  /** True if it is a whole series, of which this is the first date that waits. */
  isWhole: boolean
  author: string
  note: ReviewNote | undefined
  /** Who sent it in, if that was a visitor. */
  sender: Sender | undefined
  /** The venues and organizers that are published along with it. */
  along: Along
  /** Others that may be the same. */
  twins: readonly Twin[]
}

/** The place in the list after which it goes on: the start of an event, and its id. */
export type AfterWaiting = { start: DateTime; id: number }

/** Events of one page. */
export const WAITING_PER_PAGE = 20

/** True for an occurrence that waits along with its series. */
const waitsWithSeries = sql`(${events.series_id} IS NOT NULL AND NOT (${isDetached('status')})
  AND (SELECT status FROM ${series} WHERE ${series.id} = ${events.series_id}) = 'pending')`

/** True for the first date of what waits. */
const isFirst = sql`(NOT ${waitsWithSeries} OR NOT EXISTS (SELECT 1 FROM ${events} AS other
  WHERE other.series_id = ${events.series_id} AND other.status = 'pending' AND other.duplicate_of IS NULL
    AND instr(other.detached, '"status"') = 0
    AND (other.utc_start_date, other.id) < (${events.utc_start_date}, ${events.id})))`

/** A SELECT of the ids of what waits, the next to take place first. */
const waitingIds = ({ start, id }: AfterWaiting) =>
  sql`SELECT ${events.id} FROM ${events} INDEXED BY events_unpublished
    WHERE ${events.status} = 'pending' AND ${events.status} <> 'publish' AND ${events.duplicate_of} IS NULL
      AND (${events.utc_start_date}, ${events.id}) > (${start}, ${id}) AND ${isFirst}
    ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(WAITING_PER_PAGE + 1)}`

const FIRST: AfterWaiting = { start: '', id: 0 }

/** A query of a page of what waits for review. */
export const selectWaiting = (
  context: RequestContext,
  after: AfterWaiting = FIRST,
): Query<{ waiting: Waiting[]; hasMore: boolean }> =>
  mapped(selectAll(context, waitingIds(after)), waiting => ({
    waiting: waiting.slice(0, WAITING_PER_PAGE),
    hasMore: waiting.length > WAITING_PER_PAGE,
  }))

/** A query of those of some events that wait for review. */
export const selectChosenWaiting = (context: RequestContext, ids: readonly number[]): Query<Waiting[]> =>
  selectAll(
    context,
    sql`SELECT ${events.id} FROM ${events} WHERE ${events.id} IN ${inList(ids)} AND ${events.status} = 'pending' AND ${events.duplicate_of} IS NULL`,
  )

function selectAll(context: RequestContext, ids: ReturnType<typeof sql>): Query<Waiting[]> {
  const found = together({
    rows: EVENTS.select(context, sql`${events.id} IN (${ids})`),
    more: many(
      sql`SELECT ${events.id} AS id, ${waitsWithSeries} AS isWhole, ${users.login} AS author
        FROM ${events} LEFT JOIN ${users} ON ${users.id} = ${events.author_id} WHERE ${events.id} IN (${ids})`,
      ({ id, isWhole, author }) =>
        [Number(id), { isWhole: isWhole === 1, author: String(author ?? '–') }] as const,
    ),
    notes: selectReviewNotes(context, ids),
    senders: selectSenders(ids),
    along: selectAlong(ids),
    twins: selectAlike(ids),
  })
  return mapped(found, ({ rows, more, notes, senders, along, twins }) => {
    const sent = new Map(senders.map(sender => [sender.event, sender]))
    const known = new Map(more)
    const noted = new Map(notes.map(note => [note.event, note]))
    return rows
      .map(row => ({
        row,
        isWhole: known.get(row.id)?.isWhole ?? false,
        author: known.get(row.id)?.author ?? '–',
        note: noted.get(row.id),
        sender: sent.get(row.id),
        along: along.get(row.id) ?? NOTHING_ALONG,
        twins: twins.get(row.id) ?? [],
      }))
      .sort((a, b) =>
        a.row.utc_start_date === b.row.utc_start_date
          ? a.row.id - b.row.id
          : a.row.utc_start_date < b.row.utc_start_date
            ? -1
            : 1,
      )
  })
}
