import { type SQL, sql } from 'drizzle-orm'
import type { WriteContext } from '../../context.ts'
import { recordEach } from '../../db/audit.ts'
import { resolvedId } from '../../db/bulk.ts'
import { conflictIf } from '../../db/failures.ts'
import { events, series, twins } from '../../db/schema.ts'
import { freeSlugSql, isUsedBySeries } from '../../db/slugs.ts'
import { may } from '../../lib/roles.ts'
import {
  auditStatements,
  type Numbered,
  type PreparedRow,
  rowStatements,
  type SlugRule,
} from '../content/writes.ts'
import { isInCircle } from './outcome.ts'
import type { PreparedEventRow } from './prepare.ts'
import { dateStatements, leaveDates, type PreparedSeries, seriesStatements } from './recurrence/write.ts'
import { linksOf, relationStatements } from './relations/links.ts'
import { EVENTS } from './resource.ts'
import { indexEvents } from './search.ts'

/** A row of `events` as it is written: an update needs no more of the stored one. */
export type EventRowToWrite = PreparedRow &
  Pick<PreparedEventRow, 'relations' | 'text'> & {
    stored?: { id: number; version: number; status?: string; series_id?: number | null } | undefined
    /** True if an update changes the date that it has in its series. */
    movesDate?: boolean | undefined
  }

type RowsToWrite = {
  series?: readonly Numbered<PreparedSeries>[]
  /** `series_id` may be the number of a new series of the same write. @see resolvedId */
  events?: readonly Numbered<EventRowToWrite>[]
}

/**
 * The statements that write rows of series and events, all of them at once, with their relations: the only ones that make events.
 * Rows come after those that they refer to.
 */
export const writeStatements = (context: WriteContext, { series = [], events = [] }: RowsToWrite): SQL[] => [
  ...seriesStatements(context, series),
  ...keepTwinsHidden(context, [...events.flatMap(goesToTrash), ...series.flatMap(datesToTrash)]),
  ...leaveDates(events.flatMap(({ id, movesDate }) => (movesDate ? [id] : []))),
  ...eventStatements(context, events),
  ...dateStatements(context, series, events.flatMap(seriesToSettle)),
  ...withoutCircles(events, series),
]

/** The statement that makes a write fail if one at the same time has made a parent a part of what is now a part of it. */
function withoutCircles(...rows: readonly [events: readonly Parented[], series: readonly Parented[]]): SQL[] {
  // Nothing is a part of a new event yet.
  const [ids, seriesIds] = rows.map(some =>
    some.flatMap(({ id, stored, columns }) => (stored && columns.post_parent ? [id] : [])),
  )
  return ids?.length || seriesIds?.length ? [conflictIf(isInCircle(ids ?? [], seriesIds ?? []))] : []
}

type Parented = Pick<Numbered<PreparedRow>, 'id' | 'stored' | 'columns'>

const LINKS = linksOf('event')
const REFERENCES = { series_id: (value: SQL) => resolvedId(series, value) }

const eventStatements = (context: WriteContext, rows: readonly Numbered<EventRowToWrite>[]): SQL[] => [
  ...rowStatements(
    context,
    { resource: EVENTS, slugRule, computed: REFERENCES },
    rows.map(row => ({ ...row, stored: storedColumns(row) })),
  ),
  ...indexEvents(rows.flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }]))),
  ...relationStatements(
    context,
    'event',
    rows.map(({ id, stored, relations }) => ({ id, isNew: !stored, relations })),
  ),
  ...auditStatements(context, EVENTS, rows, LINKS),
]

/**
 * The columns of a stored event, without those that may be others by now: texts that it shares with its series are not in its
 * own row, and a date that moves has left its place.
 */
const storedColumns = ({ stored, movesDate }: EventRowToWrite): PreparedRow['stored'] =>
  stored && {
    ...stored,
    ...(stored.series_id !== null && { description: undefined, excerpt: undefined }),
    ...(movesDate && { occurrence_date: undefined }),
  }

/** No event has the address of a series, or of one of its dates. The owner is the slug of its own series, whose dates it may have. */
const slugRule: SlugRule = ({ wanted, rank, owner, except }) =>
  freeSlugSql(events, wanted, { rank, except, usedElsewhere: isUsedBySeries(owner) })

/** The series of an occurrence whose status changes, which that of the series follows. */
const seriesToSettle = ({ columns, stored }: EventRowToWrite): number[] =>
  stored?.series_id && columns.status !== undefined && columns.status !== stored.status
    ? [stored.series_id]
    : []

const goesToTrash = ({ id, columns, stored }: Numbered<EventRowToWrite>): number[] =>
  columns.status === 'trash' && stored?.status !== undefined && stored.status !== 'trash' ? [id] : []

const datesToTrash = ({ dates: { update = [] } = {} }: PreparedSeries): number[] =>
  update.flatMap(({ id, status }) => (status === 'trash' ? [id] : []))

/** A condition for the row of `twins` that is about two events. */
const isPair = (a: SQL, b: SQL): SQL =>
  sql`${twins.first_id} = min(${a}, ${b}) AND ${twins.second_id} = max(${a}, ${b})`

/**
 * The statements before those that move events to the trash: the duplicates that lists hide behind these events move
 * there, too, if the caller may move them. Otherwise they are shown again: nobody can take other people's events off
 * the lists by copying them.
 */
function keepTwinsHidden(context: WriteContext, ids: readonly number[]): SQL[] {
  if (ids.length === 0 || !may(context.caller, 'edit_others_content')) return []
  const hidden = sql`SELECT ${events.id} AS id, duplicate_of, status FROM json_each(${JSON.stringify(ids)}) AS input
    CROSS JOIN ${events} INDEXED BY events_duplicates ON duplicate_of = input.value`
  return [
    sql`UPDATE ${twins} SET trashed_from = hidden.status FROM (${hidden}) AS hidden
      WHERE ${isPair(sql`hidden.id`, sql`hidden.duplicate_of`)}`,
    recordEach(context, { action: 'trash', kind: 'event' }, hidden),
  ]
}
