import { type SQL, sql } from 'drizzle-orm'
import { judgePair } from '../../calendar/duplicates/judge.ts'
import { selectNearby } from '../../calendar/duplicates/nearby.ts'
import { detachedSql } from '../../calendar/events/shared-fields.ts'
import {
  presentEvent,
  type Remark,
  type Sender,
  selectRemarks,
  selectRepeated,
  selectSenders,
} from '../../calendar/intake/queries.ts'
import { SPAM_ABOVE } from '../../calendar/intake/spam.ts'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, countOf, inList, literal, mapQuery, type Query } from '../../kit/db/query.ts'
import { events, remarks, series, submissions } from '../../kit/db/tables.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { plain } from '../../site/html/text.ts'
import { MAX_WAITING } from '../context.ts'
import { editPath } from '../events/rows.ts'
import { type PublishableEvent, selectPublishable } from '../publish/queries.ts'
import { type ReviewNote, selectReviewNotes } from './notes.ts'

type LikelyDuplicate = { title: string; url: string }

/**
 * A query for possible duplicates of some events, by their ids, judged like events of sources. Submitted
 * events with the same title on the same day are among them wherever they take place, because the place of
 * either may be wrong.
 *
 * @param ids a SELECT of the events
 */
const selectAlike = (ids: SQL): Query<ReadonlyMap<number, LikelyDuplicate[]>> =>
  combineQueries({ nearby: selectNearby(ids), repeated: selectRepeated(ids) }, ({ nearby, repeated }) => {
    const alike = [
      ...nearby.flatMap(({ event, others }) =>
        others
          .filter(other => judgePair(event, other).verdict !== 'different')
          .map(({ id, title }) => ({ event: event.id, id, title })),
      ),
      ...repeated,
    ]
    const duplicatesByEvent = new Map<number, Map<number, LikelyDuplicate>>()
    for (const { event, id, title } of alike) {
      const duplicates = duplicatesByEvent.get(event) ?? new Map<number, LikelyDuplicate>()
      duplicatesByEvent.set(event, duplicates.set(id, { title: plain(title), url: editPath(id) }))
    }
    return new Map([...duplicatesByEvent].map(([event, others]) => [event, [...others.values()]]))
  })

export type WaitingEvent = PublishableEvent & {
  note: ReviewNote | undefined
  /** The visitor who submitted it, if one did. */
  sender: Sender | undefined
  duplicates: readonly LikelyDuplicate[]
}

/** A cursor of the list: the start of the last event, and its id. */
export type WaitingCursor = { start: DateTime; id: number }

const WAITING_PER_PAGE = 20

/**
 * The most dates of series that the list shows in total, and the longest description: more of either is shown
 * on a page of its own.
 */
const MAX_LISTED_DATES = 40
const MAX_LISTED_TEXT = 20_000

/** A condition for occurrences that wait together with their series. */
const waitsWithSeriesSql = sql`(coalesce(${events.series_id}, 0) <> 0 AND NOT ${detachedSql('status')}
  AND (SELECT status FROM ${series} WHERE ${series.id} = ${events.series_id}) = 'pending')`

/** A condition for the first date of each waiting series, and for single events. */
const firstOfSeriesSql = sql`(NOT ${waitsWithSeriesSql} OR NOT EXISTS (SELECT 1 FROM ${events} AS other INDEXED BY events_waiting
  WHERE other.series_id = ${events.series_id} AND other.status = 'pending' AND other.duplicate_of IS NULL
    AND NOT ${detachedSql('status', 'other')}
    AND (other.utc_start_date, other.id) < (${events.utc_start_date}, ${events.id})))`

export const REVIEW_VIEWS = ['waiting', 'spam'] as const
export type ReviewView = (typeof REVIEW_VIEWS)[number]

/** A condition that is true if an event was submitted and is probably spam. @param id of the event */
const spamEventSql = (id: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${submissions} WHERE ${submissions.likeness} > ${literal(SPAM_ABOVE)} AND ${submissions.event_id} = ${id})`

/** The first date of a series, with which the whole series is submitted. */
const firstDate = (seriesId: SQL): SQL =>
  sql`(SELECT first.id FROM ${events} AS first WHERE first.series_id = ${seriesId} ORDER BY first.occurrence_date LIMIT 1)`

/** A condition for submitted events that are probably spam, and for all dates of such a series. */
const probablySpamSql = spamEventSql(sql`coalesce(${firstDate(sql`${events.series_id}`)}, ${events.id})`)

/**
 * The FROM clause and the condition of events that wait for review, with the dates of each series one after
 * the other, then in the order of their last change.
 */
export const waitingBySeries = sql`${events} INDEXED BY events_waiting WHERE status = 'pending' AND duplicate_of IS NULL`

/** A SELECT of single events that wait and are not probably spam. */
export const waitingSingles = (columns: SQL): SQL =>
  sql`SELECT ${columns} FROM ${waitingBySeries} AND series_id IS NULL AND NOT ${spamEventSql(sql`${events.id}`)}`

/**
 * A SELECT of series that have waiting dates and are not probably spam, with the id of their first date. It
 * goes from series to series, however many dates each has.
 */
export const waitingSeries = sql`WITH RECURSIVE each_series(id) AS (SELECT max(series_id) FROM ${waitingBySeries}
    UNION ALL SELECT (SELECT max(series_id) FROM ${waitingBySeries} AND series_id < each_series.id) FROM each_series
      WHERE each_series.id IS NOT NULL)
  SELECT id, first_date FROM (SELECT id, ${firstDate(sql`each_series.id`)} AS first_date FROM each_series WHERE id IS NOT NULL)
  WHERE NOT ${spamEventSql(sql`first_date`)}`

/** A query for the number of waiting events (a series is one) and remarks, up to what the menu shows. */
export const selectReviewCount = countOf(
  sql`(SELECT id FROM (${waitingSeries}) UNION ALL ${waitingSingles(sql`id`)}
    UNION ALL SELECT NULL FROM ${remarks} LIMIT ${literal(MAX_WAITING)})`,
)

/** A SELECT of the ids of waiting events, earliest first. */
const waitingIds = (view: ReviewView, { start, id }: WaitingCursor) =>
  sql`SELECT ${events.id} AS id FROM ${events} INDEXED BY events_unpublished
    WHERE ${events.status} = 'pending' AND ${events.status} <> 'publish' AND ${events.duplicate_of} IS NULL
      AND (${events.utc_start_date}, ${events.id}) > (${start}, ${id}) AND ${firstOfSeriesSql}
      AND ${probablySpamSql} = ${literal(view === 'spam' ? 1 : 0)}
    ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(WAITING_PER_PAGE + 1)}`

const FIRST_CURSOR: WaitingCursor = { start: '', id: 0 }

const LIST_OPTIONS = {
  seriesWideSql: waitsWithSeriesSql,
  scope: 'all',
  maxDates: MAX_LISTED_DATES,
  maxText: MAX_LISTED_TEXT,
} as const

/** A query for the number of events that are probably spam, up to a hundred. */
const selectSpamCount = countOf(
  sql`(SELECT 1 FROM ${submissions} INDEXED BY submissions_undecided WHERE decided_utc IS NULL AND likeness > ${literal(SPAM_ABOVE)}
    AND EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${presentEvent()} AND ${events.status} = 'pending') LIMIT 100)`,
)

/** A query for a page of waiting events, and for the number of those that are probably spam. */
export const selectWaiting = (
  context: BaseContext,
  view: ReviewView,
  after: WaitingCursor = FIRST_CURSOR,
): Query<{ waiting: WaitingEvent[]; hasMore: boolean; spam: number; remarks: Remark[] }> =>
  combineQueries(
    {
      waiting: selectWaitingEvents(context, waitingIds(view, after)),
      spam: selectSpamCount,
      remarks: selectRemarks(),
    },
    ({ waiting, spam, remarks }) => ({
      spam,
      remarks,
      waiting: waiting.slice(0, WAITING_PER_PAGE),
      hasMore: waiting.length > WAITING_PER_PAGE,
    }),
  )

const chosenIds = (ids: readonly number[]) =>
  sql`SELECT ${events.id} AS id FROM ${events} WHERE ${events.id} IN ${inList(ids)}
    AND ${events.status} = 'pending' AND ${events.duplicate_of} IS NULL`

/** A query for the waiting events among some ids, with everything that the list shows of them. */
export const selectChosenWaiting = (
  context: BaseContext,
  ids: readonly number[],
): Query<PublishableEvent[]> => selectPublishable(context, { ids: chosenIds(ids), ...LIST_OPTIONS })

function selectWaitingEvents(context: BaseContext, ids: SQL): Query<WaitingEvent[]> {
  const parts = combineQueries({
    items: selectPublishable(context, { ids, ...LIST_OPTIONS }),
    notes: selectReviewNotes(context, ids),
    senders: selectSenders(ids),
    duplicates: selectAlike(ids),
  })
  return mapQuery(parts, ({ items, notes, senders, duplicates }) => {
    const senderOf = new Map(senders.map(sender => [sender.event, sender]))
    const noteOf = new Map(notes.map(note => [note.event, note]))
    return items.map(item => ({
      ...item,
      note: noteOf.get(item.row.id),
      sender: senderOf.get(item.row.id),
      duplicates: duplicates.get(item.row.id) ?? [],
    }))
  })
}
