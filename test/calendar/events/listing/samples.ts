import * as qs from 'qs'
import * as z from 'zod/mini'
import type { EventFilterMap } from '../../../../src/calendar/events/listing/filters.ts'
import { type EventListParams, eventList } from '../../../../src/calendar/events/schema.ts'

/**
 * For every parameter of the list, queries without it and with it, which differ in the lists of
 * filters.test.ts. Other tests look at plans and rows of the same values, and compare what they find with
 * plain conditions.
 */
export const SAMPLES: Record<keyof EventListParams, [without: string, value: string]> = {
  page: ['per_page=1', '2'],
  per_page: ['', '1'],
  start_date: ['', '2027-02-01'],
  end_date: ['', '2027-02-01'],
  starts_before: ['', '2027-02-01'],
  starts_after: ['', '2027-02-01'],
  ends_before: ['', '2027-02-01'],
  ends_after: ['', '2027-02-01'],
  happening: ['', '2027-03-01'],
  strict_dates: ['end_date=2027-03-01 11:00', '1'],
  search: ['', 'part'],
  search_in: ['search=hall', 'all'],
  categories: ['', 'music'],
  tags: ['', 'jazz'],
  venue: ['', '1'],
  organizer: ['', '1'],
  featured: ['', '1'],
  status: ['', 'draft'],
  geoloc: ['', '1'],
  geoloc_lat: ['geoloc_lng=-9.05&geoloc_radius=0.5', '53.27'],
  geoloc_lng: ['geoloc_lat=53.27&geoloc_radius=0.5', '-9.05'],
  geoloc_radius: ['geoloc_lat=53.27&geoloc_lng=-9.05', '0.5'],
  place: ['', 'hall'],
  bbox: ['', '-9.1,53.2,-9,53.275'],
  include: ['', '1'],
  post_parent: ['', '1'],
  series: ['', '1'],
  source: ['', '1'],
  ticketed: ['', '1'],
  ticket_availability: ['', 'few,available'],
  wheelchair: ['', 'yes'],
  custom_fields: ['', '[price_band]=Mid'],
  author: ['', '2'],
  event_status: ['', 'canceled,postponed'],
  is_virtual: ['', '1'],
  is_free: ['', '1'],
  order: ['', 'desc'],
  orderby: ['', 'title'],
}

/** Parameters that page and sort, that say by which clock, and that are windows or depend on the caller. */
const UNFILTERED =
  /^(page|per_page|order|orderby|strict_dates|status|happening|(start|end)s?_(date|before|after))$/

/** The queries of all filters. */
export const FILTERED = Object.entries(SAMPLES).flatMap(
  ([name, [without, value]]): [keyof EventFilterMap, string][] =>
    // The others are those.
    UNFILTERED.test(name)
      ? []
      : [
          [
            name as keyof EventFilterMap,
            `${without && `${without}&`}${name}${/^\[/.test(value) ? '' : '='}${value}`,
          ],
        ],
)

/** The checked values of a query. */
export const valuesOf = (query: string): Partial<EventListParams> => z.parse(eventList, qs.parse(query))
