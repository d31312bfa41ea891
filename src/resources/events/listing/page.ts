import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { allOf, inList, literal } from '../../../db/query.ts'
import { events } from '../../../db/schema.ts'
import type { Page } from '../../../http/lists.ts'
import { may } from '../../../lib/roles.ts'
import type { Status } from '../../../lib/statuses.ts'
import { isListed, isNoTwin, listedStatuses, ownedBy } from '../../content/visibility.ts'
import type { EventListValues } from '../schema.ts'
import { ALL, type Listing } from './counts.ts'
import { type EventFilter, type FacetFilter, filtersOf } from './filters.ts'
import { DEEP, indexedPage, type SelectedPage } from './indexed-list.ts'
import { type Interval, intervalOf, within } from './interval.ts'
import { scannedPage } from './scanned-list.ts'
import { MOST_SORTED, type Order, ordering, titledPage } from './sorted-list.ts'

type Unlisted = {
  statuses: readonly Status[] | undefined
  interval: Interval
  /** Conditions of the filters on a row of `events`. */
  conditions: SQL
}

/**
 * SELECTs of the start and id of events that a list shows although they are in no listing: scheduled ones that have just
 * become due, and unpublished ones that the caller may read. They have few rows.
 */
function unlistedEvents(context: RequestContext, { statuses, interval, conditions }: Unlisted): SQL[] {
  const shown = listedStatuses(statuses, context)
  const others = may(context.caller, 'edit_content') ? shown.filter(status => status !== 'publish') : []
  const rest = sql`${events.hide_from_listings} = 0 AND ${isNoTwin} AND ${within(interval)} AND ${conditions}`
  const selects: SQL[] = []
  if (shown.includes('publish'))
    selects.push(sql`SELECT utc_start_date, id AS event_id FROM ${events} INDEXED BY events_scheduled
      WHERE ${events.status} = 'future' AND ${events.date_utc} <= ${context.now} AND ${rest}`)
  if (others.length > 0)
    selects.push(sql`SELECT utc_start_date, id AS event_id FROM ${events} INDEXED BY events_unpublished
      WHERE ${events.status} <> 'publish' AND ${events.status} IN ${inList(others)} AND ${ownedBy(events, context)}
      AND ${isListed(events, others, context)} AND ${rest}`)
  return selects
}

type List = {
  values: EventListValues
  page: Page
  /** The number of rows before the page from which on counts are used. */
  deep?: number
  /** The most events that are put in order, where an index has them in it. */
  mostSorted?: number
  /** The interval, if it is not that of the parameters. */
  interval?: Interval
  /** Filters beside those of the parameters. */
  filters?: readonly EventFilter[]
}

const orderOf = ({ orderby = 'start_date', order = 'asc' }: EventListValues): Order => ({
  by: orderby,
  direction: order,
})

/**
 * A page of a list of events by plain conditions on their table. Its cost grows with the calendar, but it is simple:
 * tests compare the other ways with it. Lists with `include` or `series` use it, because they name few events.
 */
export function plainPage(
  context: RequestContext,
  { values, page, interval, filters = [] }: List,
): SelectedPage {
  const where = allOf([
    isListed(events, values.status, context),
    sql`${events.hide_from_listings} = 0 AND ${isNoTwin}`,
    within(interval ?? intervalOf(context, values).interval),
    ...[...filtersOf(context, values), ...filters].map(({ condition }) => condition),
  ])
  return {
    ids: sql`SELECT ${events.id} FROM ${events} WHERE ${where} ORDER BY ${ordering(orderOf(values))}
      LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`,
    total: sql`(SELECT count(*) FROM ${events} WHERE ${where})`,
  }
}

/** A page of a list of events, by the method that reads the fewest rows. */
export function eventPage(context: RequestContext, list: List): SelectedPage {
  const { values, page, deep = DEEP, mostSorted = MOST_SORTED, filters: more = [] } = list
  if (values.include || values.series) return plainPage(context, list)
  const { status } = values
  const order = orderOf(values)
  const interval = list.interval ?? intervalOf(context, values).interval
  const filters = [...filtersOf(context, values), ...more]
  const conditions = allOf(filters.map(({ condition }) => condition))
  const unlisted = unlistedEvents(context, { statuses: status, interval, conditions })
  if (!listedStatuses(status, context).includes('publish'))
    return unpublishedPage({ unlisted, page, order: ordering(order) })
  const indexed = indexedBy(filters)
  const isByStart = order.by === 'start_date'
  const isByTitle = order.by === 'title' && indexed?.listing.facet === ALL.facet
  if (!indexed || !(isByStart || isByTitle))
    return scannedPage({
      filters,
      interval,
      page,
      order: order.direction,
      orderedBy: isByStart ? undefined : ordering(order),
      unlisted,
    })
  const selected = { ...indexed, interval, page, unlisted }
  return isByStart
    ? indexedPage({ ...selected, order: order.direction, deep })
    : titledPage({ ...selected, order: order.direction, mostSorted })
}

const listingOf = ({ facet, target }: FacetFilter): Listing | undefined => target && { facet, target }

/** Listings whose events a filter excludes; undefined if one event may be in several, so that they cannot be counted apart. */
const exceptOf = ({ facet, target, disjoint }: FacetFilter): Listing[] | undefined =>
  (disjoint ?? (target && [target]))?.map(target => ({ facet, target }))

/** The listing of a list without filters, or with one filter by a single target; undefined for other lists. */
function indexedBy(filters: readonly EventFilter[]): { listing: Listing; except: Listing[] } | undefined {
  const [filter, ...more] = filters
  if (!filter) return { listing: ALL, except: [] }
  if (!filter.facet || more.length > 0) return undefined
  const except = filter.facet.isNegated ? exceptOf(filter.facet) : []
  const listing = filter.facet.isNegated ? ALL : listingOf(filter.facet)
  return listing && except && { listing, except }
}

type Unpublished = { unlisted: readonly SQL[]; page: Page; order: SQL }

/** A page of unpublished events, which are few and in no listing. */
function unpublishedPage({ unlisted, page, order }: Unpublished): SelectedPage {
  const none = sql`SELECT NULL AS utc_start_date, NULL AS event_id WHERE 0`
  const rows = sql`(${sql.join([none, ...unlisted], sql` UNION ALL `)})`
  return {
    ids: sql`SELECT ${events.id} FROM ${rows} AS found CROSS JOIN ${events} ON ${events.id} = found.event_id
      ORDER BY ${order} LIMIT ${literal(page.perPage)} OFFSET ${page.offset}`,
    total: sql`(SELECT count(*) FROM ${rows})`,
  }
}
