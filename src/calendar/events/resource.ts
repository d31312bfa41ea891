import { inArray, sql } from 'drizzle-orm'
import { type BaseContext, restUrl, type SerializeContext } from '../../kit/context.ts'
import { listings } from '../../kit/db/derived.ts'
import { inList, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { eventOrganizers, events, eventTerms, eventVenues, series } from '../../kit/db/tables.ts'
import { currencyCodeOf, formatCost, isFree } from '../../kit/lib/cost.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { jsonLd, type Node, node } from '../../kit/lib/json-ld.ts'
import { memoizeByObject } from '../../kit/lib/memo.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import {
  type EventStatus,
  type Movable,
  previousStart,
  statusAt,
  type TicketAvailability,
  type VirtualEventType,
} from '../../kit/lib/statuses.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import { dateDetails, isoWithOffset } from '../../kit/lib/time.ts'
import { omit, textsOf } from '../../kit/lib/values.ts'
import { parseCustomFields } from '../content/custom-fields.ts'
import { beforeDeletionStatements } from '../content/dependents.ts'
import { shownFields } from '../content/fields.ts'
import { imageUrl, serializeImage } from '../content/images.ts'
import type { OrganizerRow, VenueRow } from '../content/related/resource.ts'
import { type ContentResource, contentHead, globalIds, permalink } from '../content/resource.ts'
import { ORGANIZERS, organizerNode } from '../organizers/resource.ts'
import { serializeEmbeddedTerm } from '../terms/resource.ts'
import { placeNode, VENUES } from '../venues/resource.ts'
import { checkInterval } from './interval.ts'
import { checkAuthors } from './listing/filters.ts'
import { selectEvents } from './queries.ts'
import { accessOf, type EventRow, originNodes, serializeOrigin } from './rows.ts'
import { EVENT_FIELDS, type EventListValues, type EventResponse, eventSchema } from './schema.ts'

/**
 * The address of an event on the site. The last part of an occurrence's address is its date: the address
 * without the date leads to the next occurrence of the series.
 */
export const eventLink = (
  row: Parameters<typeof permalink>[0] & AddressedEvent,
  context: SerializeContext,
): string => permalink(row, 'event', context, eventSlugs(row))

/** An event with the slug of its series. `series` is null for single events. */
type AddressedEvent = { slug: string; series: { slug: string } | null }

export const eventSlugs = ({ slug, series }: AddressedEvent): string[] =>
  series === null || !slug.startsWith(`${series.slug}-`)
    ? [slug]
    : [series.slug, slug.slice(series.slug.length + 1)]

const serializeRecurrence = ({ rrule, rdate, exdate }: { rrule: string; rdate: string; exdate: string }) => ({
  rrule,
  rdate: textsOf(rdate),
  exdate: textsOf(exdate),
})

/** The field `series` of an occurrence; nothing for single events. */
function serializeSeriesHead(row: EventRow, context: SerializeContext) {
  const { series, series_id, occurrence_date, detached } = row
  if (series === null || series_id === null) return {}
  return {
    series: {
      id: series_id,
      rest_url: restUrl(context, 'series', series_id),
      recurrence: serializeRecurrence(series),
      occurrence_date: occurrence_date ?? row.start_date,
      detached: textsOf(detached),
    },
  }
}

/**
 * A single item, or an array of several items: consumers expect this form of `venue` and of properties in
 * JSON-LD.
 */
const oneOrMany = <T>(items: readonly T[]): T | T[] => {
  const [only, ...otherItems] = items
  return only !== undefined && otherItems.length === 0 ? only : [...items]
}

const serializeShown = shownFields(EVENT_FIELDS)

// Several events of a page refer to one row, which is serialized once. Each request has its own rows.
const termOf = memoizeByObject(serializeEmbeddedTerm)
const venueOf = memoizeByObject((row: VenueRow, context: SerializeContext) => VENUES.serialize(row, context))
const organizerOf = memoizeByObject((row: OrganizerRow, context: SerializeContext) =>
  ORGANIZERS.serialize(row, context),
)

export function serializeEvent(row: EventRow, context: SerializeContext): EventResponse {
  const { venues, organizers } = row
  const url = eventLink(row, context)
  const terms = (taxonomy: string) =>
    row.terms.filter(term => term.taxonomy === taxonomy).map(term => termOf(term, context))
  return {
    id: row.id,
    ...globalIds(context, row.id),
    ...contentHead(row, context),
    url,
    rest_url: restUrl(context, 'events', row.id),
    slug: row.slug,
    ...serializeShown(row),
    image: row.image ? serializeImage(row.image, context) : false,
    start_date_details: dateDetails(row.start_date),
    end_date_details: dateDetails(row.end_date),
    utc_start_date: row.utc_start_date,
    utc_start_date_details: dateDetails(row.utc_start_date),
    utc_end_date: row.utc_end_date,
    utc_end_date_details: dateDetails(row.utc_end_date),
    timezone_abbr: row.timezone_abbr,
    ...formatCost(row.cost, context.settings.currency),
    website: row.website ?? '',
    categories: terms('event_category'),
    tags: terms('event_tag'),
    venue: oneOrMany(venues.map(venue => venueOf(venue, context))),
    organizer: organizers.map(organizer => organizerOf(organizer, context)),
    custom_fields: customFieldsOf(row),
    ...serializeSeriesHead(row, context),
    ...(row.duplicate_of !== null && mayEdit(context.caller, row) && { duplicate_of: row.duplicate_of }),
    ...serializeOrigin(row.origin),
  }
}

/** The custom fields of an event: an empty list for none, as The Events Calendar has it. */
function customFieldsOf(row: EventRow): EventResponse['custom_fields'] {
  const fields = parseCustomFields(row.custom_fields)
  return Object.keys(fields).length === 0 ? [] : fields
}

/** An event with its JSON-LD and the JSON-LD of its venues and organizers, as single reads show it. */
const serializeSingleEvent = (row: EventRow, context: SerializeContext): EventResponse => ({
  ...serializeEvent(row, context),
  venue: oneOrMany(row.venues.map(venue => VENUES.serializeSingle(venue, context))),
  organizer: row.organizers.map(organizer => ORGANIZERS.serializeSingle(organizer, context)),
  json_ld: jsonLd(eventNode(row, context)),
})

/** https://schema.org/EventStatusType */
const EVENT_STATUS_TYPES = {
  scheduled: 'EventScheduled',
  canceled: 'EventCancelled',
  postponed: 'EventPostponed',
  rescheduled: 'EventRescheduled',
} as const satisfies Record<EventStatus, string>

/** https://schema.org/EventAttendanceModeEnumeration */
const ATTENDANCE_MODES = {
  '': 'OfflineEventAttendanceMode',
  virtual: 'OnlineEventAttendanceMode',
  hybrid: 'MixedEventAttendanceMode',
} as const satisfies Record<VirtualEventType, string>

/** Whether an event takes place as announced, and online. */
export function stateNode(row: Movable & { virtual_event_type: VirtualEventType }) {
  const previous = previousStart(row)
  // A moved date of a series may still have the status `scheduled`.
  const status = previous && row.event_status === 'scheduled' ? 'rescheduled' : row.event_status
  return {
    eventAttendanceMode: `https://schema.org/${ATTENDANCE_MODES[row.virtual_event_type]}`,
    eventStatus: `https://schema.org/${EVENT_STATUS_TYPES[status]}`,
  }
}

/** JSON-LD of an event: https://schema.org/Event */
function eventNode(row: EventRow, context: SerializeContext): Node {
  const { venues, organizers } = row
  const url = eventLink(row, context)
  const origins = originNodes(row.origin)
  const previous = previousStart(row)
  const locations = [
    ...(row.virtual_event_type === 'virtual'
      ? []
      : venues.map(venue => placeNode(venue, context, row.wheelchair || venue.wheelchair))),
    // A virtual location needs an address: by default, the address of the event's page.
    ...(row.is_virtual ? [node('VirtualLocation', { url: row.virtual_url || url })] : []),
  ]
  return node('Event', {
    name: row.status === 'private' ? `Private: ${row.title}` : row.title,
    description: htmlToText(row.description),
    image: row.image ? imageUrl(row.image, context) : undefined,
    url,
    ...stateNode(row),
    startDate: isoWithOffset(row.start_date, row.utc_start_date),
    endDate: isoWithOffset(row.end_date, row.utc_end_date),
    previousStartDate: previous && isoWithOffset(previous.wall, previous.utc),
    location: locations.length > 0 ? oneOrMany(locations) : undefined,
    organizer:
      organizers.length > 0
        ? oneOrMany(organizers.map(organizer => organizerNode(organizer, context)))
        : undefined,
    offers: offerNode(row, url, context),
    accessibilityFeature: accessOf(row, venues).accessibility,
    subjectOf: origins.length > 0 ? oneOrMany(origins) : undefined,
  })
}

/** https://schema.org/ItemAvailability. If nobody says how many tickets are left, they count as available. */
const AVAILABILITIES = {
  '': 'InStock',
  available: 'InStock',
  few: 'LimitedAvailability',
  sold_out: 'SoldOut',
  waitlist: 'SoldOut',
} as const satisfies Record<TicketAvailability, string>

/**
 * JSON-LD of a cost, https://schema.org/Offer, with the lowest price, which consumers show; undefined if
 * there is none, and for a cancelled event.
 */
function offerNode(row: EventRow, url: string, context: SerializeContext): Node | undefined {
  if (row.event_status === 'canceled') return undefined
  const { currency } = context.settings
  const details = formatCost(row.cost, currency).cost_details
  const [price] = details.values
  // Words that are no price, such as “pay what you like”.
  if (price === undefined || (Number.isNaN(Number(price)) && !isFree(price))) return undefined
  return node('Offer', {
    price: Number.isNaN(Number(price)) ? '0' : price,
    priceCurrency: currencyCodeOf(details, currency),
    url,
    category: 'primary',
    availability: `https://schema.org/${AVAILABILITIES[row.ticket_availability]}`,
    validFrom: isoWithOffset(row.date, row.date_utc),
  })
}

/** The fields that the occurrences of a series share, in responses and backups, without external ids. */
export function serializeSeries(row: EventRow, context: SerializeContext) {
  const isAddressed = statusAt(row, context.clock.untrackedTime) === 'publish'
  return {
    ...omit(serializeEvent(row, context), 'global_id', 'global_id_lineage', 'external_id', 'series'),
    rest_url: restUrl(context, 'series', row.id),
    url: isAddressed ? `${context.site}/event/${encodeURIComponent(row.slug)}/` : '',
    recurrence: serializeRecurrence({ rrule: '', rdate: '[]', exdate: '[]', ...row.series }),
  }
}

/** The statements that delete events for good, and all references to them. */
export const eventRemovalStatements = (ids: readonly number[]): Statement[] => [
  ...beforeDeletionStatements('event', inList(ids)),
  // Otherwise each term of a deleted event makes a trigger read all its other terms, which took six seconds
  // for 150 events of 200 terms. With this statement, they take one second
  // (test/calendar/events/recurrence/sizes.test.ts).
  build.delete(listings).where(
    sql`(facet, target_id, utc_start_date, event_id) IN (
    SELECT facet, target_id, utc_start_date, event_id FROM expected_listings WHERE event_id IN ${inList(ids)})`,
  ),
  ...[eventVenues, eventOrganizers, eventTerms].map(links =>
    build.delete(links).where(inArray(links.event_id, inList(ids))),
  ),
  ...[events, series].map(table =>
    build
      .update(table)
      .set({ post_parent: null, parent_confirmed_by: null })
      .where(inArray(table.post_parent, inList(ids))),
  ),
  build.delete(events).where(inArray(events.id, inList(ids))),
]

export const EVENTS: ContentResource<EventRow, EventResponse> = {
  singular: 'event',
  plural: 'events',
  table: events,
  select: selectEvents,
  isShortened: row => row.isShortened,
  shownBy: row => row.duplicate_of,
  response: eventSchema,
  serialize: serializeEvent,
  serializeSingle: serializeSingleEvent,
  removalStatements: id => eventRemovalStatements([id]),
}

/** Adds errors that depend on several parameters of a list of events, or on the time zone. */
export function checkList(context: BaseContext, values: EventListValues, errors: ValidationErrors): void {
  checkCoordinates(values, errors)
  checkInterval(context, values, errors)
  checkAuthors(context, values, errors)
}

/**
 * Adds an error if one of the coordinates is missing. A coordinate with an error of its own is not missing.
 */
function checkCoordinates(params: EventListValues, errors: ValidationErrors): void {
  const isMissing = (name: 'geoloc_lat' | 'geoloc_lng') => params[name] === undefined && !errors.has(name)
  if (params.geoloc_lat !== undefined && isMissing('geoloc_lng'))
    errors.add('geoloc_lat', 'needs geoloc_lng as well')
  if (params.geoloc_lng !== undefined && isMissing('geoloc_lat'))
    errors.add('geoloc_lng', 'needs geoloc_lat as well')
  if (params.geoloc_radius !== undefined && isMissing('geoloc_lat') && isMissing('geoloc_lng'))
    errors.add('geoloc_radius', 'needs geoloc_lat and geoloc_lng as well')
}
