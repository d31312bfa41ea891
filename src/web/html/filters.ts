import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { RequestContext } from '../../context.ts'
import { inOrder, many, mapped, type Query } from '../../db/query.ts'
import { organizers, terms, venues } from '../../db/schema.ts'
import { pageParams } from '../../http/lists.ts'
import { flag, text } from '../../http/params.ts'
import { coded } from '../../lib/reasons.ts'
import { isReadable } from '../../resources/content/visibility.ts'
import { type EventListValues, eventList } from '../../resources/events/schema.ts'
import { readableTerm } from '../../resources/terms/queries.ts'
import { plain } from './text.ts'
import { dateOf } from './when.ts'

const { search, categories, tags, venue, organizer, featured, ticket_availability, wheelchair } =
  eventList.shape

/** The filter parameters of pages, which are those of the API's list. */
const filterParams = {
  search,
  categories,
  tags,
  venue,
  organizer,
  featured,
  ticket_availability,
  wheelchair,
}

export const filterList = z.object(filterParams)

/** The values of filter parameters. */
export type Filters = Partial<z.output<typeof filterList>>

/** A date in the format of the pages' forms, `YYYY-MM-DD`. */
const date = (description: string) =>
  z.optional(
    text({
      isValid: value => dateOf(value) !== undefined,
      reason: coded('no_date', 'must be a date such as 2027-06-10'),
      description,
    }),
  )

/** The parameter that turns a page of events into a calendar, for existing subscriptions. It is not a filter. */
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
  date: date('The day from which on events are listed.'),
  until: date('The last day of which events are listed, if the first one is given, too.'),
  past: z.optional(flag({ description: 'Events that are over, the latest first.' })),
  ...asCalendar,
})

export type SitePageParams = Partial<z.output<typeof sitePage>>

/** The filters among a page's parameters. */
export const filtersIn = (params: SitePageParams): Filters =>
  Object.fromEntries(
    Object.entries(params).filter(([name, value]) => name in filterParams && value !== undefined),
  )

/** Filters as parameters of the API's list: the pages' search also finds names. */
export const listFilters = (filters: Filters): Filters & Pick<EventListValues, 'search_in'> =>
  filters.search === undefined ? filters : { ...filters, search_in: 'all' }

/** The parameters of a page whose path is its filter, so that others are ignored. */
export const atOwnPath = ({ page, date, until, past }: SitePageParams): SitePageParams => ({
  page,
  date,
  until,
  past,
})

/** Tells if a list is unfiltered. Only these are for search engines, because there is no end of filtered ones. */
export const isUnfiltered = (filters: Filters): boolean => Object.keys(filters).length === 0

/** The names of filter values, by {@link parameterKey}. */
export type FilterNames = ReadonlyMap<string, string>

export const parameterKey = (parameter: string, value: string | number): string => `${parameter} ${value}`

/** A query of the names of filter values. It has no statements if there are none to look up. */
export function namesOf(context: RequestContext, { tags, venue, organizer }: Filters): Query<FilterNames> {
  const byId = (table: typeof venues | typeof organizers) =>
    sql`FROM ${table} WHERE id = json_each.value AND ${isReadable(table, context)}`
  const sources = [
    ['tags', tags, sql`FROM ${terms} WHERE id = ${readableTerm(context, 'event_tag', sql`value`)}`],
    ['venue', venue, byId(venues)],
    ['organizer', organizer, byId(organizers)],
  ] as const
  const queries = sources.flatMap(([parameter, values, from]) =>
    values === undefined
      ? []
      : many(
          sql`SELECT value, (SELECT name ${from}) AS name FROM json_each(${JSON.stringify(values)})`,
          row => [parameterKey(parameter, String(row.value)), plain(String(row.name ?? row.value))] as const,
        ),
  )
  return mapped(inOrder(queries), found => new Map(found.flat()))
}
