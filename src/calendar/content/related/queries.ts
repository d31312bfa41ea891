import { desc, inArray, type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../../kit/context.ts'
import { listings } from '../../../kit/db/derived.ts'
import {
  allOf,
  combineQueries,
  countOf,
  inList,
  many,
  mapQuery,
  type Query,
  rowLimit,
} from '../../../kit/db/query.ts'
import { byId, type Reference } from '../../../kit/db/references.ts'
import { build } from '../../../kit/db/statements.ts'
import { events, organizers, venues } from '../../../kit/db/tables.ts'
import {
  conditionsOf,
  type FilterMap,
  type ListSlice,
  type PageParams,
  type Rows,
  withTotal,
} from '../../../kit/http/lists.ts'
import type { Box } from '../../../kit/http/params.ts'
import { shortened } from '../../../kit/http/reply.ts'
import { RESPONSE_SIZE } from '../../../kit/lib/budgets.ts'
import { matchesSql } from '../search.ts'
import { listedSql, overlappingRows, publishedSql, readableSql } from '../visibility.ts'
import type { RelatedListParams, RelatedResource, RelatedRow, RelatedTables } from './resource.ts'
import { namedSql } from './same-rows.ts'

const EARTH_RADIUS_KM = 6371.0088
const DEGREES = 180 / Math.PI
export const DEFAULT_RADIUS_KM = 40

/** A condition for venues that have coordinates. */
export const locatedSql = sql`${venues.geo_lat} IS NOT NULL AND ${venues.geo_lng} IS NOT NULL`

/**
 * A condition for venues within a distance on the sphere, by the haversine formula. An index finds the venues
 * within the band of latitudes. Coordinates are in degrees, the radius in kilometres.
 */
export function nearSql({ lat, lng, radius }: { lat: number; lng: number; radius: number }): SQL {
  const half = (degrees: SQL): SQL => sql`sin(radians(${degrees}) / 2)`
  const northing = half(sql`${venues.geo_lat} - ${lat}`)
  const easting = half(sql`${venues.geo_lng} - ${lng}`)
  const chord = sql`${northing} * ${northing}
    + cos(radians(${lat})) * cos(radians(${venues.geo_lat})) * ${easting} * ${easting}`
  // A little wider than the distance, because of rounding.
  const band = (radius / EARTH_RADIUS_KM) * DEGREES + 1e-6
  return sql`${venues.geo_lat} BETWEEN ${lat - band} AND ${lat + band} AND ${locatedSql}
    AND 2 * ${EARTH_RADIUS_KM} * asin(min(1, sqrt(${chord}))) <= ${radius}`
}

/**
 * A condition for venues in a box of longitudes and latitudes, borders included. A box whose west is east of
 * its east crosses the date line. An index finds the venues within the band of latitudes.
 */
export function withinSql({ west, south, east, north }: Box): SQL {
  const lng = venues.geo_lng
  const parts = [
    west <= east ? sql`${lng} BETWEEN ${west} AND ${east}` : sql`${lng} >= ${west} OR ${lng} <= ${east}`,
    // The date line is both 180° and -180°.
    ...(west === -180 ? [sql`${lng} = 180`] : []),
    ...(east === 180 ? [sql`${lng} = -180`] : []),
  ]
  return sql`${venues.geo_lat} BETWEEN ${south} AND ${north} AND ${lng} IS NOT NULL AND (${sql.join(parts, sql` OR `)})`
}

type ListedKind = Pick<RelatedTables, 'singular' | 'table' | 'links' | 'searchTable'>

/**
 * A condition for venues or organizers with a published event that ends at or after a moment. The listing of
 * a venue or organizer has the listed events that begin later. Events that have begun, events that lists
 * hide, and scheduled events that are due are few.
 *
 * @param endingFrom UTC; '' for events of any time
 */
function withEventSql({ singular, table, links }: ListedKind, context: BaseContext, endingFrom = ''): SQL {
  const now = context.clock.untrackedTime
  const unlistedTargets = sql`SELECT ${links.target_id} FROM (
      SELECT ${events.id} AS id FROM ${events} INDEXED BY events_hidden WHERE hide_from_listings = 1 AND duplicate_of IS NULL
        AND ${publishedSql(events, now)} AND utc_end_date >= ${endingFrom}
      UNION ALL SELECT ${events.id} FROM ${events} INDEXED BY events_scheduled WHERE status = 'future' AND date_utc <= ${now}
        AND duplicate_of IS NULL AND utc_end_date >= ${endingFrom}
    ) AS other CROSS JOIN ${links} ON ${links.event_id} = other.id`
  const runningTargets =
    endingFrom === ''
      ? sql``
      : sql`UNION ALL SELECT target_id FROM ${overlappingRows({ startBefore: endingFrom, endFrom: endingFrom })} AS begun
        CROSS JOIN ${links} ON ${links.event_id} = begun.event_id`
  return sql`(EXISTS (SELECT 1 FROM ${listings}
      WHERE facet = ${singular} AND ${listings.target_id} = ${table.id} AND ${listings.utc_start_date} >= ${endingFrom})
    OR ${table.id} IN (${unlistedTargets} ${runningTargets}))`
}

/** The filters of lists: the parameters of the API's own lists, and those that only other formats have. */
type RelatedFilters = RelatedListParams & {
  include?: readonly number[] | undefined
  slug?: readonly string[] | undefined
}

const filtersOf = (resource: ListedKind): FilterMap<RelatedFilters, keyof PageParams> => ({
  search: words => matchesSql(resource.table.id, resource.searchTable, words),
  event: (id, context) => sql`${resource.table.id} IN (SELECT target_id FROM ${resource.links}
    WHERE event_id = (SELECT ${events.id} FROM ${events} WHERE ${events.id} = ${id} AND ${readableSql(events, context)}))`,
  has_events: (wanted, context) =>
    wanted ? withEventSql(resource, context) : sql`NOT ${withEventSql(resource, context)}`,
  only_with_upcoming: (wanted, context) =>
    wanted ? withEventSql(resource, context, context.clock.now()) : undefined,
  bbox: withinSql,
  include: ids => inArray(resource.table.id, inList(ids)),
  slug: slugs => inArray(resource.table.slug, inList(slugs.map(slug => slug.toLowerCase()))),
  // Handled by listedSql, which also applies without this parameter.
  status: undefined,
})

/** A condition for the venues or organizers that a list shows. */
export const relatedListedSql = (
  context: BaseContext,
  resource: ListedKind,
  values: Partial<RelatedFilters>,
): SQL =>
  allOf([
    listedSql(resource.table, values.status, context),
    ...conditionsOf(filtersOf(resource), context, values),
  ])

/** A query for a page of venues or organizers, the newest first (recorded), and their number. */
export function selectRelated<R extends RelatedRow, Body>(
  context: BaseContext,
  resource: RelatedResource<R, Body>,
  { values, page }: { values: Partial<RelatedFilters>; page: ListSlice },
): Query<Rows<R>> {
  const { table } = resource
  const condition = relatedListedSql(context, resource, values)
  const order = sql`ORDER BY ${table.date_utc} DESC, ${table.id} DESC`
  const ids = sql`SELECT ${table.id} FROM ${table} WHERE ${condition} ${order} LIMIT ${rowLimit(page.perPage)} OFFSET ${page.offset}`
  const rowsAndTotal = withTotal(
    resource.selectRows(sql`${table.id} IN (${ids})`, order),
    countOf(sql`${table} WHERE ${condition}`),
  )
  return mapQuery(rowsAndTotal, ({ total, rows: pageRows }) => {
    const { rows, isShortened } = withinBudget(pageRows)
    return { rows, total, headers: shortened(isShortened) }
  })
}

/** The rows of a page, without the descriptions beyond the limit. */
function withinBudget<R extends RelatedRow>(rows: readonly R[]): { rows: R[]; isShortened: boolean } {
  let bytes = 0
  let isShortened = false
  const keptRows = rows.map(row => {
    bytes += Buffer.byteLength(JSON.stringify(row.description))
    if (bytes <= RESPONSE_SIZE.related || row.description === '') return row
    isShortened = true
    return { ...row, description: '' }
  })
  return { rows: keptRows, isShortened }
}

/** The reference to the event of a filter. The caller must be allowed to read the event. */
export const relatedReferences = (
  context: BaseContext,
  { event }: Partial<RelatedListParams>,
): Reference[] =>
  event === undefined ? [] : [byId('event', 'event', [event], events, readableSql(events, context))]

/**
 * The most names of each kind that are compared with a text: the newest. The first text of an isolate takes
 * longer, as it splits all of them.
 */
const MAX_NAMES = 2_000

type NamedRow = { id: number; name: string }

export type MentionedNames = { venues: readonly NamedRow[]; organizers: readonly NamedRow[] }

const selectNamed = (
  context: BaseContext,
  kind: { singular: 'venue'; table: typeof venues } | { singular: 'organizer'; table: typeof organizers },
): Query<NamedRow[]> =>
  many(
    build
      .select({ id: kind.table.id, name: kind.table.name })
      .from(kind.table)
      .where(namedSql(kind, context))
      .orderBy(desc(kind.table.id))
      .limit(MAX_NAMES),
  )

/** A query for the names of venues and organizers that the caller may use, in one round trip. */
export const selectNames = (context: BaseContext): Query<MentionedNames> =>
  combineQueries({
    venues: selectNamed(context, { singular: 'venue', table: venues }),
    organizers: selectNamed(context, { singular: 'organizer', table: organizers }),
  })
