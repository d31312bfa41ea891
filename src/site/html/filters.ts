import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { readableSql } from '../../calendar/content/visibility.ts'
import { type EventListValues, eventList } from '../../calendar/events/schema.ts'
import { readableTerm } from '../../calendar/terms/queries.ts'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, eachOf, many, type Query } from '../../kit/db/query.ts'
import { organizers, terms, venues } from '../../kit/db/tables.ts'
import { pageParams } from '../../kit/http/lists.ts'
import { flag, text } from '../../kit/http/params.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { pick } from '../../kit/lib/values.ts'
import { plain } from './text.ts'
import { dateOf } from './when.ts'

const { search, categories, tags, venue, organizer, featured, is_free, ticket_availability, wheelchair } =
  eventList.shape

/** The radius around a position, in kilometres, unless its parameter has one. */
const NEAR_KM = 10

/** A position on the earth in degrees, and the distance in kilometres within which events are near it. */
type Surroundings = { lat: number; lng: number; km: number }

const SURROUNDINGS = /^(-?\d{1,2}(?:\.\d{1,9})?),(-?\d{1,3}(?:\.\d{1,9})?)(?:,(\d{1,3}))?$/

/** The position and the radius of a value of `near`; undefined if it has none. */
export function surroundingsOf(value: string): Surroundings | undefined {
  const numbers = SURROUNDINGS.exec(value)
  if (!numbers) return undefined
  const lat = Number(numbers[1])
  const lng = Number(numbers[2])
  const km = Number(numbers[3] ?? NEAR_KM)
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && km > 0 ? { lat, lng, km } : undefined
}

/** A position and a radius in one value, because they are chosen and removed together. */
const nearParam = z.optional(
  text({
    isValid: value => surroundingsOf(value) !== undefined,
    reason: 'must be a latitude and a longitude such as 53.27,-9.05, with a radius in kilometres if wanted',
    description: 'Events near a position: latitude, longitude, and the radius in kilometres, 10 by default.',
  }),
)

/** The filter parameters of pages, which are those of the API's list, and `near`. */
const filterParams = {
  search,
  categories,
  tags,
  venue,
  organizer,
  featured,
  is_free,
  ticket_availability,
  wheelchair,
  near: nearParam,
}

export const filterList = z.object(filterParams)

/** The values of filter parameters. */
export type Filters = Partial<z.output<typeof filterList>>

/** A date in the format of the pages' forms, `YYYY-MM-DD`. */
const date = (description: string) =>
  z.optional(
    text({
      isValid: value => dateOf(value) !== undefined,
      reason: codedReason('no_date', 'must be a date such as 2027-06-10'),
      description,
    }),
  )

/**
 * The parameter that turns a page of events into a calendar, for existing subscriptions. It is not a filter.
 */
const ical = z.optional(flag({ description: 'The events of the page as a calendar for programs.' }))

/** The parameters of pages that are also available as calendars. */
export const asCalendar = {
  ical,
  expand: z.optional(
    flag({ description: 'Every date of a series as an event of its own in this calendar.', default: true }),
  ),
}

/** The parameters of pages that list events. */
export const sitePage = z.object({
  ...filterParams,
  page: pageParams.page,
  date: date('First day to list.'),
  until: date('Last day to list; needs `date`.'),
  from: date('Where a later page of the list begins: events that start on this day or after it.'),
  before: date('Where an earlier page of the list ends: events that start before this day.'),
  past: z.optional(flag({ description: 'Past events, the latest first.' })),
  evening: z.optional(
    flag({ description: 'Only what begins at five in the afternoon or later; for a single day.' }),
  ),
  exact: z.optional(flag({ description: 'Search for exactly these words, not for similar ones.' })),
  ...asCalendar,
})

export type SitePageParams = Partial<z.output<typeof sitePage>>

/** The filters among a page's parameters. */
export const filtersIn = (params: SitePageParams): Filters =>
  Object.fromEntries(
    Object.entries(params).filter(([name, value]) => name in filterParams && value !== undefined),
  )

/**
 * Filters as parameters of the API's list: the pages' search also finds names, and `near` is three parameters
 * there.
 */
export function listFilters<T extends Filters>({ near, ...filters }: T): Omit<T, 'near'> & ListFilters {
  const surroundings = near === undefined ? undefined : surroundingsOf(near)
  return {
    ...filters,
    ...(filters.search !== undefined && { search_in: 'all' }),
    ...(surroundings && {
      geoloc_lat: surroundings.lat,
      geoloc_lng: surroundings.lng,
      geoloc_radius: surroundings.km,
    }),
  }
}

type ListFilters = Pick<EventListValues, 'search_in' | 'geoloc_lat' | 'geoloc_lng' | 'geoloc_radius'>

/** The parameters of a page whose path is its filter, so that others are ignored. */
export const paramsAtOwnPath = (params: SitePageParams): SitePageParams =>
  pick(params, 'page', 'date', 'until', 'from', 'before', 'past')

/**
 * True if a list is unfiltered. Search engines get only unfiltered lists, because filtered ones have no end.
 */
export const isUnfiltered = (filters: Filters): boolean => Object.keys(filters).length === 0

/** The names of filter values, by {@link parameterKey}. */
export type FilterNames = ReadonlyMap<string, string>

export const parameterKey = (parameter: string, value: string | number): string => `${parameter} ${value}`

/** A query for the names of filter values. It has no statements if there are none to look up. */
export function selectFilterNames(
  context: BaseContext,
  { tags, venue, organizer }: Filters,
): Query<FilterNames> {
  const byId = (table: typeof venues | typeof organizers) =>
    sql`FROM ${table} WHERE id = json_each.value AND ${readableSql(table, context)}`
  const sources = [
    ['tags', tags, sql`FROM ${terms} WHERE id = ${readableTerm(context, 'event_tag', sql`value`)}`],
    ['venue', venue, byId(venues)],
    ['organizer', organizer, byId(organizers)],
  ] as const
  const queries = sources.flatMap(([parameter, values, from]) =>
    values === undefined
      ? []
      : many(
          sql`SELECT value, (SELECT name ${from}) AS name FROM ${eachOf(values)}`,
          row => [parameterKey(parameter, String(row.value)), plain(String(row.name ?? row.value))] as const,
        ),
  )
  return combineQueries(queries, nameLists => new Map(nameLists.flat()))
}
