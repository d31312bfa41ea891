import { eventVenues, seriesVenues, venues } from '../../db/schema.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { searchedNames, storedColumns } from '../content/field-table.ts'
import { type RelatedKind, venueList } from '../content/related/kind.ts'
import { relatedEvents, relatedRemoval, selectVenues, type VenueRow } from '../content/related/rows.ts'
import { VENUE_FIELDS, type VenueFields, type VenueResponse, venueFields, venueSchema } from './schema.ts'
import { serializeSingleVenue, serializeVenue } from './serialize.ts'

/** Adds an error if one of the coordinates is missing; one that is refused for itself is not. */
function validate(
  { geo_lat, geo_lng }: Partial<VenueFields>,
  stored: Partial<VenueRow> | undefined,
  errors: ValidationErrors,
): void {
  const lat = geo_lat === undefined ? (stored?.geo_lat ?? null) : geo_lat
  const lng = geo_lng === undefined ? (stored?.geo_lng ?? null) : geo_lng
  if (lat !== null && lng === null && !errors.has('geo_lng')) errors.add('geo_lat', 'needs geo_lng as well')
  if (lng !== null && lat === null && !errors.has('geo_lat')) errors.add('geo_lng', 'needs geo_lat as well')
}

export const VENUES: RelatedKind<VenueRow, VenueResponse> = {
  singular: 'venue',
  plural: 'venues',
  table: venues,
  links: eventVenues,
  seriesLinks: seriesVenues,
  searchTable: 'venues_search',
  listParams: venueList,
  searchColumns: searchedNames(VENUE_FIELDS),
  fields: venueFields,
  declared: VENUE_FIELDS,
  columnsOf: storedColumns(VENUE_FIELDS, venues),
  validate,
  select: (_, condition) => selectVenues(condition),
  response: venueSchema,
  serialize: serializeVenue,
  serializeSingle: serializeSingleVenue,
  removal: relatedRemoval(venues, [eventVenues, seriesVenues]),
  uses: { events: relatedEvents(eventVenues, seriesVenues), code: 'venue-is-in-use' },
}
