import { type SQL, sql } from 'drizzle-orm'
import { ownedByCallerSql } from '../../calendar/content/visibility.ts'
import {
  type Interval,
  intervalOf,
  UNBOUNDED,
  withinBounds,
  withinIntervalSql,
} from '../../calendar/events/interval.ts'
import { ALL_EVENTS, totalOf } from '../../calendar/events/listing/counts.ts'
import { type EventFilter, filtersOf } from '../../calendar/events/listing/filters.ts'
import {
  eventPage,
  forListsSql,
  pageStatement,
  plainPage,
  type SelectedPage,
} from '../../calendar/events/listing/page.ts'
import { withPage } from '../../calendar/events/queries.ts'
import type { EventListParams } from '../../calendar/events/schema.ts'
import type { BaseContext } from '../../kit/context.ts'
import {
  allOf,
  combineQueries,
  first,
  many,
  mapQuery,
  type Query,
  readNumber,
  rowLimit,
} from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import type { ListSlice } from '../../kit/http/lists.ts'
import { may } from '../../kit/lib/roles.ts'

/**
 * The tabs of the list of events. An event that a duplicate hides appears in none of them, and one that has a
 * status or is hidden may also be among the coming or past ones.
 */
export const EVENT_VIEWS = [
  'coming',
  'past',
  'draft',
  'pending',
  'future',
  'private',
  'hidden',
  'trash',
] as const
export type EventView = (typeof EVENT_VIEWS)[number]

export type ViewCounts = Readonly<Partial<Record<EventView, number>>>

const isForAll = ({ caller }: BaseContext): boolean => may(caller, 'edit_others_content')

/** A filter for single events, and for the first date of each series that is listed and not over. */
const nextOfSeriesFilter = ({ clock }: BaseContext): EventFilter => ({
  // Finding the date before it reads one row of the index. Dates that were moved past later ones are rows of
  // their own.
  condition: sql`(${events.series_id} IS NULL OR coalesce((SELECT before.utc_end_date
    FROM ${events} AS before INDEXED BY events_occurrence WHERE before.series_id = ${events.series_id}
      AND before.occurrence_date < ${events.occurrence_date} AND before.listed
      AND before.utc_start_date < ${events.utc_start_date}
    ORDER BY before.occurrence_date DESC LIMIT 1), '') < ${clock.now()})`,
})

/** A query for the number of dates, listed and not over, of each series on a page, by its id. */
export const selectDateCounts = (
  { clock }: BaseContext,
  page: SelectedPage,
): Query<ReadonlyMap<number, number>> =>
  mapQuery(
    many(
      sql`${withPage(page)} SELECT dates.series_id, count(*) AS n
        FROM (SELECT DISTINCT series_id FROM page CROSS JOIN ${events} ON ${events.id} = page.id) AS shown
        CROSS JOIN ${events} AS dates INDEXED BY events_occurrence ON dates.series_id = shown.series_id
        WHERE dates.listed AND dates.utc_end_date >= ${clock.now()} GROUP BY 1`,
      row => [readNumber(row.series_id), readNumber(row.n)] as const,
    ),
    rows => new Map(rows),
  )

type ViewList = {
  view: EventView
  values: Partial<EventListParams>
  page: ListSlice
  /** True if coming series are one row each, whose total is not counted. */
  isFolded?: boolean
}

/** A page of a view: of all events for editors, of their own for others. */
export function viewPage(
  context: BaseContext,
  { view, values, page, isFolded = false }: ViewList,
): SelectedPage {
  if (view === 'hidden') return hiddenPage(context, { values, page })
  const isPublished = view === 'coming' || view === 'past'
  const list = {
    page,
    interval: intervalIn(context, view, values),
    values: {
      ...values,
      status: [isPublished ? 'publish' : view] satisfies EventListParams['status'],
      order: view === 'coming' ? 'asc' : 'desc',
      ...(!isPublished && { orderby: 'modified' as const }),
    } as const,
  }
  const foldFilters = isFolded ? [nextOfSeriesFilter(context)] : []
  const selected = isForAll(context)
    ? eventPage(context, { ...list, filters: foldFilters })
    : plainPage(context, {
        ...list,
        filters: [{ condition: ownedByCallerSql(events, context) }, ...foldFilters],
      })
  return isFolded ? { ...selected, total: sql`0` } : selected
}

function intervalIn(
  context: BaseContext,
  view: EventView,
  { start_date, end_date }: Partial<EventListParams>,
): Interval {
  const givenInterval = intervalOf(context, { start_date, end_date }, {}).interval
  if (view === 'coming')
    return start_date ? givenInterval : withinBounds(givenInterval, { endFrom: context.clock.now() })
  return view === 'past' ? withinBounds(givenInterval, { endBefore: context.clock.now() }) : givenInterval
}

/** A page of events that are hidden from listings, which lists of the API never show. */
function hiddenPage(context: BaseContext, { values, page }: Omit<ViewList, 'view'>): SelectedPage {
  const { interval } = intervalOf(context, values, {})
  const condition = allOf([
    sql`${events.hide_from_listings} = 1 AND ${events.status} <> 'trash' AND ${ownedByCallerSql(events, context)}`,
    withinIntervalSql(interval),
    ...filtersOf(context, values).map(filter => filter.condition),
  ])
  const from = sql`FROM ${events} INDEXED BY events_hidden WHERE ${condition}`
  return {
    ids: sql`SELECT ${events.id} ${from} ORDER BY ${events.utc_start_date} DESC, ${events.id} DESC
      LIMIT ${rowLimit(page.perPage)} OFFSET ${page.offset}`,
    total: sql`(SELECT count(*) ${from})`,
  }
}

const isView = (text: unknown): text is EventView => EVENT_VIEWS.some(view => view === text)

/** A query for the number of events in the views, where it can be counted without reading all events. */
export function selectAllViewCounts(context: BaseContext): Query<ViewCounts> {
  const { caller, clock } = context
  if (!isForAll(context)) {
    const view = sql`CASE WHEN status = 'publish' THEN iif(utc_end_date >= ${clock.now()}, 'coming', 'past') ELSE status END`
    return selectViewCounts(sql`SELECT ${view} AS view, count(*) AS n FROM ${events} INDEXED BY events_author
      WHERE ${events.author_id} = ${caller.id} AND ${forListsSql} GROUP BY 1`)
  }
  return combineQueries(
    {
      others:
        selectViewCounts(sql`SELECT status AS view, count(*) AS n FROM ${events} INDEXED BY events_unpublished
        WHERE ${events.status} <> 'publish' AND ${forListsSql} GROUP BY 1`),
      coming: first(sql`SELECT ${totalOf(ALL_EVENTS, { ...UNBOUNDED, endFrom: clock.now() })} AS n`, row =>
        readNumber(row.n),
      ),
    },
    ({ others, coming = 0 }) => ({ ...others, coming }),
  )
}

/** A query for the number of events in each view that meet the filters of a list. */
export const selectMatchCounts = (context: BaseContext, values: ViewList['values']): Query<ViewCounts> =>
  combineQueries(
    EVENT_VIEWS.map(view => {
      const page = viewPage(context, { view, values, page: { page: 1, perPage: 1, offset: 0 } })
      const count = first(pageStatement(page, sql`SELECT ${page.total} AS n`), ({ n }) => readNumber(n))
      return mapQuery(count, n => [view, n ?? 0] as const)
    }),
    counts => Object.fromEntries(counts),
  )

const selectViewCounts = (statement: SQL): Query<ViewCounts> =>
  mapQuery(
    many(statement, row => [row.view, readNumber(row.n)] as const),
    rows => Object.fromEntries(rows.flatMap(([view, n]) => (isView(view) ? [[view, n] as const] : []))),
  )
