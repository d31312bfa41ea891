import type { SerializeContext } from '../../context.ts'
import { eventVenues, seriesVenues, venues } from '../../db/schema.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { jsonLd, node } from '../../lib/escape.ts'
import { htmlToText } from '../../lib/text.ts'
import { searchedNames, shownFields, storedColumns } from '../content/fields.ts'
import { imageUrl, serializeImage } from '../content/images.ts'
import {
  type RelatedResource,
  relatedEvents,
  relatedRemoval,
  selectVenues,
  type VenueRow,
  venueList,
} from '../content/related/resource.ts'
import { relatedRoutes } from '../content/related/routes.ts'
import { contentHead, globalIds, permalink } from '../content/resource.ts'
import { locateRoute } from './locate.ts'
import { VENUE_FIELDS, type VenueFields, type VenueResponse, venueFields, venueSchema } from './schema.ts'

const asShown = shownFields(VENUE_FIELDS)

/** A venue in its serialized form. @param json_ld for single reads */
export const serializeVenue = (
  row: VenueRow,
  context: SerializeContext,
  json_ld?: VenueResponse['json_ld'],
): VenueResponse => ({
  id: row.id,
  ...contentHead(row, context),
  url: permalink(row, 'venue', context),
  venue: row.name,
  ...asShown(row),
  slug: row.slug,
  ...(row.image && { image: serializeImage(row.image, context) }),
  ...(json_ld && { json_ld }),
  ...globalIds(context, row.id),
})

/** Access by wheelchair as a value of https://schema.org/LocationFeatureSpecification */
const WHEELCHAIR_VALUES = { yes: true, limited: 'limited', no: false } as const

/** JSON-LD of a venue: https://schema.org/Place @param wheelchair its access, or that of an event there */
export const placeNode = (row: VenueRow, context: SerializeContext, wheelchair = row.wheelchair) =>
  node('Place', {
    name: row.name,
    description: htmlToText(row.description),
    image: row.image ? imageUrl(row.image, context) : undefined,
    url: permalink(row, 'venue', context),
    address: node('PostalAddress', {
      streetAddress: row.address,
      addressLocality: row.city,
      addressRegion: row.state || row.province || row.stateprovince,
      postalCode: row.zip,
      addressCountry: row.country,
    }),
    geo:
      row.geo_lat === null || row.geo_lng === null
        ? undefined
        : node('GeoCoordinates', { latitude: row.geo_lat, longitude: row.geo_lng }),
    telephone: row.phone,
    sameAs: row.website,
    amenityFeature: wheelchair
      ? node('LocationFeatureSpecification', {
          name: 'Wheelchair accessible',
          value: WHEELCHAIR_VALUES[wheelchair],
        })
      : undefined,
  })

const serializeSingleVenue = (row: VenueRow, context: SerializeContext): VenueResponse =>
  serializeVenue(row, context, jsonLd(placeNode(row, context)))

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

export const VENUES: RelatedResource<VenueRow, VenueResponse> = {
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
  uses: { events: relatedEvents('venue', seriesVenues), code: 'venue-is-in-use' },
}

export const venueRoutes = [
  locateRoute,
  ...relatedRoutes(VENUES, { fields: venueFields, listId: 'VenueList', select: selectVenues }),
]
