import { type SQL, sql } from 'drizzle-orm'
import { termAncestors } from '../db/derived.ts'
import { inList } from '../db/rows.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  organizers,
  type Taxonomy,
  terms,
  venues,
} from '../db/schema.ts'
import { byId, type Reference } from '../posts/references.ts'
import type { EventListParams } from './schema.ts'
import { matchesSearch } from './search.ts'

type Links = typeof eventVenues | typeof eventOrganizers | typeof eventTerms

const linkedTo = (links: Links, targets: SQL): SQL =>
  sql`${events.id} IN (SELECT ${links.event_id} FROM ${links} WHERE ${links.target_id} IN ${targets})`

/** The id of the term that an id or slug means, both being SQL; null if it means none. */
export const termNamed = (taxonomy: Taxonomy, name: SQL): SQL =>
  sql`coalesce(
    (SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy} AND ${name} NOT GLOB '*[^0-9]*' AND id = CAST(${name} AS INTEGER)),
    (SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy} AND slug = lower(${name})))`

/** The terms that ids or slugs name, and all below them. */
const namedTerms = (taxonomy: Taxonomy, names: readonly string[]): SQL =>
  sql`(SELECT term_id FROM ${termAncestors} WHERE ancestor_id IN (
    SELECT ${termNamed(taxonomy, sql`json_each.value`)} FROM json_each(${JSON.stringify(names)})))`

const EARTH_RADIUS_KM = 6371.0088
export const DEFAULT_RADIUS_KM = 40

const hasVenueWhere = (condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${eventVenues} JOIN ${venues} ON ${venues.id} = ${eventVenues.target_id}
    WHERE ${eventVenues.event_id} = ${events.id} AND ${venues.status} <> 'trash' AND ${condition})`

const located = sql`${venues.geo_lat} IS NOT NULL AND ${venues.geo_lng} IS NOT NULL`

/** Venues within a distance on the sphere: the haversine formula. Degrees and kilometres. */
function near(lat: number, lng: number, radius: number): SQL {
  const half = (degrees: SQL): SQL => sql`sin(radians(${degrees}) / 2)`
  const northing = half(sql`${venues.geo_lat} - ${lat}`)
  const easting = half(sql`${venues.geo_lng} - ${lng}`)
  const chord = sql`${northing} * ${northing}
    + cos(radians(${lat})) * cos(radians(${venues.geo_lat})) * ${easting} * ${easting}`
  return sql`${located} AND 2 * ${EARTH_RADIUS_KM} * asin(min(1, sqrt(${chord}))) <= ${radius}`
}

type Filters = {
  [K in keyof EventListParams]?: (value: NonNullable<EventListParams[K]>, all: EventListParams) => SQL
}

/** What each filter parameter asks of an event; they combine with AND. Dates and statuses are elsewhere. */
const FILTERS: Filters = {
  search: matchesSearch,
  categories: names => linkedTo(eventTerms, namedTerms('event_category', names)),
  tags: names => linkedTo(eventTerms, namedTerms('event_tag', names)),
  venue: ids => linkedTo(eventVenues, inList(ids)),
  organizer: ids => linkedTo(eventOrganizers, inList(ids)),
  featured: wanted => sql`${events.featured} = ${Number(wanted)}`,
  ticketed: wanted => sql`${events.ticketed} = ${Number(wanted)}`,
  post_parent: id => sql`${events.post_parent} = ${id}`,
  include: ids => sql`${events.id} IN ${inList(ids)}`,
  geoloc: wanted => (wanted ? hasVenueWhere(located) : sql`NOT ${hasVenueWhere(located)}`),
  geoloc_lat: (lat, { geoloc_lng = 0, geoloc_radius = DEFAULT_RADIUS_KM }) =>
    hasVenueWhere(near(lat, geoloc_lng, geoloc_radius)),
}

export function filterConditions(values: EventListParams): SQL[] {
  const given = Object.entries(FILTERS).filter(
    ([name]) => values[name as keyof EventListParams] !== undefined,
  )
  return given.map(([name, condition]) =>
    // The entry of a name takes the value of that name.
    (condition as (value: unknown, all: EventListParams) => SQL)(
      values[name as keyof EventListParams],
      values,
    ),
  )
}

const bySlugOrId = (
  parameter: string,
  noun: string,
  taxonomy: Taxonomy,
  names: readonly string[],
): Reference => ({
  parameter,
  noun,
  values: names,
  exists: sql`${termNamed(taxonomy, sql`json_each.value`)} IS NOT NULL`,
})

/** What must exist for a list to make sense: filtering by what there isn't is a mistake to be told. */
export function filterReferences({
  categories,
  tags,
  venue,
  organizer,
  post_parent,
}: EventListParams): Reference[] {
  const references: Reference[] = []
  if (categories) references.push(bySlugOrId('categories', 'category', 'event_category', categories))
  if (tags) references.push(bySlugOrId('tags', 'tag', 'event_tag', tags))
  if (venue) references.push(byId('venue', 'venue', venue, sql`${venues}`))
  if (organizer) references.push(byId('organizer', 'organizer', organizer, sql`${organizers}`))
  if (post_parent !== undefined) references.push(byId('post_parent', 'event', [post_parent], sql`${events}`))
  return references
}
