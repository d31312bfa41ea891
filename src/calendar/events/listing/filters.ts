import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { BaseContext, CallerContext } from '../../../kit/context.ts'
import { type Facet, listings, termAncestors } from '../../../kit/db/derived.ts'
import { allOf, eachOf, inList } from '../../../kit/db/query.ts'
import { byId, type Reference } from '../../../kit/db/references.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  organizers,
  series,
  sources,
  type Taxonomy,
  users,
  venues,
} from '../../../kit/db/tables.ts'
import type { ValidationErrors } from '../../../kit/lib/errors.ts'
import { may } from '../../../kit/lib/roles.ts'
import type { WheelchairAccess } from '../../../kit/lib/statuses.ts'
import { DEFAULT_RADIUS_KM, locatedSql, nearSql, withinSql } from '../../content/related/queries.ts'
import { matchesSql } from '../../content/search.ts'
import { survivorOf } from '../../content/slugs.ts'
import { readableSql } from '../../content/visibility.ts'
import { formerTerm, readableTerm, termNamed } from '../../terms/queries.ts'
import type { BoundName } from '../interval.ts'
import type { EventListParams, EventListValues } from '../schema.ts'
import { matchesSearchSql } from '../search.ts'
import { matchesEverywhereSql, namesWith } from './names.ts'

/**
 * A condition for series with an occurrence that the caller may read. Other series are unknown to the caller.
 */
const readableOccurrenceSql = (context: CallerContext): SQL =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.series_id} = ${series.id} AND ${readableSql(events, context)})`

/**
 * A condition for the events of all parts of some series, including series that changes of “this and
 * following” dates have divided from them, and single events that have left them.
 *
 * @param ids a SELECT
 */
function ofAllPartsSql(ids: SQL): SQL {
  const firstParts = sql`SELECT coalesce((SELECT former_series_id FROM ${series} WHERE ${series.id} = named.id), named.id) FROM (${ids}) AS named`
  return sql`(${events.series_id} IN (
      ${firstParts} UNION ALL SELECT ${series.id} FROM ${series} WHERE ${series.former_series_id} IN (${firstParts}))
    OR ${events.former_series_id} IN (${firstParts}))`
}

/**
 * References to the rows that filters name. The rows must exist and be readable for the caller: hidden rows
 * are unknown.
 */
export function listReferences(context: BaseContext, values: EventListValues): Reference[] {
  const { categories, tags, venue, organizer, post_parent, series: seriesIds, source, author } = values
  const readableTable = (table: typeof events | typeof venues | typeof organizers): [SQL, SQL] => [
    sql`${table}`,
    readableSql(table, context),
  ]
  const namedReference = (
    parameter: string,
    noun: string,
    taxonomy: Taxonomy,
    names: readonly string[],
  ): Reference => ({
    parameter,
    noun,
    values: names,
    existsSql: sql`${readableTerm(context, taxonomy, sql`json_each.value`)} IS NOT NULL`,
    survivor: formerTerm(context, taxonomy, sql`json_each.value`),
  })
  const relatedReference = (
    kind: 'venue' | 'organizer',
    ids: readonly number[],
    table: typeof venues | typeof organizers,
  ) => ({
    ...byId(kind, kind, ids, ...readableTable(table)),
    survivor: survivorOf(kind, { id: sql`json_each.value` }, table, readableSql(table, context)),
  })
  // Unknown ids are no error, because errors would reveal which users exist; logins only work for callers who
  // may see them.
  const logins = may(context.caller, 'edit_others_content') ? author?.filter(name => !isId(name)) : []
  return [
    categories && namedReference('categories', 'category', 'event_category', categories),
    tags && namedReference('tags', 'tag', 'event_tag', tags),
    venue && relatedReference('venue', venue, venues),
    organizer && relatedReference('organizer', organizer, organizers),
    post_parent !== undefined && byId('post_parent', 'event', [post_parent], ...readableTable(events)),
    // A feed outlives its series: with an error, programs would keep all of its dates.
    seriesIds &&
      !values.followsSeries &&
      byId('series', 'series', seriesIds, sql`${series}`, readableOccurrenceSql(context)),
    source && byId('source', 'source', source, sql`${sources}`, namedSourceSql(context)),
    logins?.length && {
      parameter: 'author',
      noun: 'user',
      values: logins,
      existsSql: sql`${authorNamed(sql`json_each.value`)} IS NOT NULL`,
    },
  ].filter(reference => typeof reference === 'object')
}

/** Adds an error for authors that are named by their logins, unless the caller may see logins. */
export function checkAuthors(
  { caller }: Pick<BaseContext, 'caller'>,
  { author = [] }: EventListValues,
  errors: ValidationErrors,
): void {
  if (!may(caller, 'edit_others_content') && !author.every(isId))
    errors.add('author', 'must be a list of ids: only editors and administrators may name logins')
}

/**
 * A condition for sources that public lists name; for callers who manage sources, a condition for all
 * sources.
 */
const namedSourceSql = ({ caller }: BaseContext): SQL =>
  may(caller, 'manage_sources')
    ? sql`NOT is_being_deleted`
    : sql`NOT is_being_deleted AND EXISTS (SELECT 1 FROM ${listings} WHERE facet = 'source' AND target_id = ${sources.id})`

/** A filter that listings answer: the events listed under any of some targets. */
export type FacetFilter = {
  facet: Facet
  /** A SELECT of the targets' ids in a column `id`. */
  targets: SQL
  /** The only target, where there is just one. */
  target?: SQL
}

// Conditions are evaluated for one row at a time, and the plus keeps SQLite from starting with the targets: a
// filter is used as a condition only where there are few rows, such as changed rows.

/**
 * Words that must all be in the texts of events or, with `names`, in the names that {@link namesWith}
 * selects.
 */
export type TextSearch = { words: string; names?: SQL }

/** A filter of events: by a facet, by words, or by a condition only. */
export type EventFilter = {
  byFacet?: FacetFilter
  search?: TextSearch
  /** A FROM clause of the listed events that the filter leaves, from an index of `events` by start. */
  sorted?: SQL
  /**
   * A FROM clause of all events that the filter may leave, from an index of `events` without their starts.
   */
  unsorted?: SQL
  /** The filter as a condition on a row of `events` of any status. */
  condition: SQL
}

const relatedToSql = (links: typeof eventVenues | typeof eventOrganizers, targets: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${links} WHERE ${links.event_id} = ${events.id} AND +${links.target_id} IN (${targets}))`

export const singleTarget = (facet: Facet, target: SQL): FacetFilter => ({
  facet,
  targets: sql`SELECT ${target} AS id`,
  target,
})

/** A filter by some targets of a facet, named by values that `read` turns into ids. */
function anyOf<V extends string | number>(
  facet: Facet,
  values: readonly V[],
  read: (value: SQL) => SQL = value => value,
): FacetFilter {
  const [first, ...otherValues] = values
  if (first !== undefined && otherValues.length === 0) return singleTarget(facet, read(sql`${first}`))
  return {
    facet,
    targets: sql`SELECT DISTINCT ${read(sql`value`)} AS id FROM ${eachOf(values)}`,
  }
}

/**
 * Conditions for events with any of some targets, by facet. A category's events include those of its
 * descendants.
 */
const relatedSql = {
  venue: targets => relatedToSql(eventVenues, targets),
  organizer: targets => relatedToSql(eventOrganizers, targets),
  term: targets => sql`EXISTS (SELECT 1 FROM ${eventTerms} WHERE ${eventTerms.event_id} = ${events.id} AND +${eventTerms.target_id} IN (
    SELECT term_id FROM ${termAncestors} WHERE ancestor_id IN (${targets})))`,
  parent: targets =>
    sql`(${events.parent_confirmed_by} IS NOT NULL AND ${events.post_parent} IN (${targets}))`,
  source: targets =>
    sql`EXISTS (SELECT 1 FROM event_sources WHERE event_id = ${events.id} AND +source_id IN (${targets}))`,
} as const satisfies Partial<Record<Facet, (targets: SQL) => SQL>>

function byIds(facet: keyof typeof relatedSql, ids: readonly number[]): EventFilter {
  const filter = anyOf(facet, ids)
  return { byFacet: filter, condition: relatedSql[facet](filter.targets) }
}

/** A filter by terms, by ids or slugs. */
function byTerms(taxonomy: Taxonomy, names: readonly string[]): EventFilter {
  const filter = anyOf('term', names, name => termNamed(taxonomy, name))
  return { byFacet: filter, condition: relatedSql.term(filter.targets) }
}

/**
 * A filter by the venue, organizer or term whose id an expression gives, for pages that only know its slug.
 */
export const byTarget = (facet: 'venue' | 'organizer' | 'term', target: SQL): EventFilter => ({
  byFacet: singleTarget(facet, target),
  condition: relatedSql[facet](target),
})

const byFlag = (column: SQLiteColumn, isWanted: boolean): EventFilter => ({
  condition: sql`${column} = ${Number(isWanted)}`,
})

/** A filter by a flag with an index of the listed events that have it. */
const byIndexedFlag = (column: SQLiteColumn, index: SQL, isWanted: boolean): EventFilter => ({
  ...byFlag(column, isWanted),
  ...(isWanted && { sorted: sql`FROM ${events} INDEXED BY ${index} WHERE listed AND ${column} = 1` }),
})

/**
 * A filter by venues that fulfil a condition and that the caller may read: the filter must not reveal where
 * other venues are.
 */
function byVenues(context: BaseContext, condition: SQL): EventFilter {
  const targets = sql`SELECT ${venues.id} AS id FROM ${venues} WHERE ${condition} AND ${readableSql(venues, context)}`
  return { byFacet: { facet: 'venue', targets }, condition: relatedToSql(eventVenues, targets) }
}

/** A condition for events whose custom field has a value. Stored text that is no JSON has no fields. */
const customFieldSql = (key: string, value: string): SQL =>
  sql`iif(json_valid(${events.custom_fields}), ${events.custom_fields} ->> ${`$."${key}".value`}, NULL) = ${value}`

const isId = (name: string): boolean => /^\d+$/.test(name)

/** An expression for the id of an author who is named by id or login. */
const authorNamed = (name: SQL): SQL =>
  sql`iif(${name} GLOB '*[^0-9]*',
    (SELECT ${users.id} FROM ${users} WHERE ${users.login} = ${name} COLLATE NOCASE), CAST(${name} AS INTEGER))`

/** A filter by access: of the event or, if the event has none, of its venues. */
function byAccess(context: BaseContext, wantedAccess: readonly Exclude<WheelchairAccess, ''>[]): EventFilter {
  // A list in JSON would be read again for each event.
  const wantedSql = (column: typeof events.wheelchair | typeof venues.wheelchair): SQL =>
    sql`instr(${`,${wantedAccess.join(',')},`}, ',' || ${column} || ',') > 0`
  const condition = sql`iif(${events.wheelchair} <> '', ${wantedSql(events.wheelchair)}, EXISTS (
    SELECT 1 FROM ${eventVenues} CROSS JOIN ${venues} ON ${venues.id} = ${eventVenues.target_id}
    WHERE ${eventVenues.event_id} = ${events.id} AND ${wantedSql(venues.wheelchair)} AND ${readableSql(venues, context)}))`
  return { condition }
}

function byAuthors(names: readonly string[]): EventFilter {
  const condition = sql`${events.author_id} IN (SELECT ${authorNamed(sql`value`)} FROM ${eachOf(names)})`
  return { unsorted: sql`FROM ${events} INDEXED BY events_author WHERE ${condition}`, condition }
}

/**
 * The filters that leave only events with coordinates, for maps; none if the filters of the parameters do so
 * already.
 */
export const locatedFilters = (
  context: BaseContext,
  { geoloc, geoloc_lat, bbox }: EventListValues,
): EventFilter[] => (geoloc || geoloc_lat !== undefined || bbox ? [] : [byVenues(context, locatedSql)])

type PageParam = 'page' | 'per_page' | 'order' | 'orderby'

/** The parameters that are no filters: for pages, order, status and dates. */
export type NonFilterParam = PageParam | BoundName | 'status' | 'happening' | 'strict_dates'

/** A map with a filter for each parameter of the list that filters. */
export type EventFilterMap = {
  [K in Exclude<keyof EventListParams, NonFilterParam>]-?:
    | ((value: NonNullable<EventListParams[K]>, context: BaseContext, all: EventListValues) => EventFilter)
    /** Handled by the filter of another parameter. */
    | undefined
}

/** The filters of the list's parameters. A declared parameter without an entry does not compile. */
const FILTERS: EventFilterMap = {
  search: (words, context, { search_in = 'text' }) =>
    search_in === 'all'
      ? {
          search: { words, names: namesWith(context, words) },
          condition: matchesEverywhereSql(context, words),
        }
      : { search: { words }, condition: matchesSearchSql(words) },
  search_in: undefined,
  categories: names => byTerms('event_category', names),
  tags: names => byTerms('event_tag', names),
  venue: ids => byIds('venue', ids),
  organizer: ids => byIds('organizer', ids),
  featured: wanted => byIndexedFlag(events.featured, sql`events_featured`, wanted),
  ticketed: wanted => byFlag(events.ticketed, wanted),
  ticket_availability: wanted => ({ condition: sql`${events.ticket_availability} IN ${inList(wanted)}` }),
  wheelchair: (wanted, context) => byAccess(context, wanted),
  custom_fields: values => ({
    condition: allOf(Object.entries(values).map(([key, value]) => customFieldSql(key, value))),
  }),
  author: byAuthors,
  event_status: wanted => ({ condition: sql`${events.event_status} IN ${inList(wanted)}` }),
  is_virtual: wanted => byFlag(events.is_virtual, wanted),
  is_free: wanted => byIndexedFlag(events.is_free, sql`events_free`, wanted),
  post_parent: id => byIds('parent', [id]),
  series: (ids, _, { followsSeries }) => ({
    condition: followsSeries
      ? ofAllPartsSql(
          ids.length === 1 ? sql`SELECT ${ids[0]} AS id` : sql`SELECT value AS id FROM ${eachOf(ids)}`,
        )
      : sql`${events.series_id} IN ${inList(ids)}`,
  }),
  source: ids => byIds('source', ids),
  include: ids => ({ condition: sql`${events.id} IN ${inList(ids)}` }),
  geoloc: (wanted, context) => {
    const located = byVenues(context, locatedSql)
    return wanted ? located : { condition: sql`NOT ${located.condition}` }
  },
  geoloc_lat: (lat, context, { geoloc_lng: lng = 0, geoloc_radius: radius = DEFAULT_RADIUS_KM }) =>
    byVenues(context, nearSql({ lat, lng, radius })),
  geoloc_lng: undefined,
  geoloc_radius: undefined,
  place: (words, context) => byVenues(context, matchesSql(venues.id, 'venues_search', words)),
  bbox: (box, context) => byVenues(context, withinSql(box)),
}

/** The filters of the parameters that have a value, to be joined with AND. */
export function filtersOf(context: BaseContext, values: EventListValues): EventFilter[] {
  return Object.entries(FILTERS).flatMap(([name, filter]) => {
    const value = values[name as keyof EventListParams]
    if (value === undefined || !filter) return []
    // The entry of a name expects the value of that name.
    const make = filter as (value: unknown, context: BaseContext, all: EventListValues) => EventFilter
    return [make(value, context, values)]
  })
}
