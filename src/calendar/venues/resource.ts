import type { SerializeContext } from '../../kit/context.ts'
import { eventVenues, seriesVenues, venues } from '../../kit/db/tables.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import { node } from '../../kit/lib/json-ld.ts'
import { regionOf } from '../../kit/lib/region.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import { shownFields, storedColumns } from '../content/fields.ts'
import { imageUrl } from '../content/images.ts'
import { defineRelated, selectVenues, type VenueRow, venueList } from '../content/related/resource.ts'
import { relatedRoutes } from '../content/related/routes.ts'
import { permalink } from '../content/resource.ts'
import { locateRoute } from './locate.ts'
import { VENUE_FIELDS, type VenueFields, type VenueResponse, venueFields, venueSchema } from './schema.ts'

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
      addressRegion: regionOf(row),
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

/** Adds an error if one of the coordinates is missing, unless that one already has an error of its own. */
function validate(
  { geo_lat, geo_lng }: Partial<VenueFields>,
  stored: Partial<VenueRow> | undefined,
  errors: ValidationErrors,
): void {
  const lat = geo_lat === undefined ? (stored?.geo_lat ?? null) : geo_lat
  const lng = geo_lng === undefined ? (stored?.geo_lng ?? null) : geo_lng
  if (lat !== null && lng === null && !errors.has('geo_lng'))
    errors.add('geo_lat', 'needs a longitude as well')
  if (lng !== null && lat === null && !errors.has('geo_lat'))
    errors.add('geo_lng', 'needs a latitude as well')
}

/**
 * The values without the region that a read has computed, so that the region follows the state or the
 * province. It also does so if the row has both, as imported and formerly sent rows do, but not if a client
 * has set a region of its own.
 */
function valuesToStore(values: Partial<VenueFields>, stored: Partial<VenueRow>): Partial<VenueFields> {
  const { stateprovince: sentRegion, ...others } = values
  const { stateprovince: region } = stored
  const isOwn = region !== '' && region !== regionOf({ ...stored, stateprovince: '' })
  if (isOwn || (sentRegion !== undefined && sentRegion !== regionOf(stored))) return values
  const { state = stored.state, province = stored.province } = others
  const isMoved = state !== stored.state || province !== stored.province
  return isMoved && region !== '' ? { ...others, stateprovince: '' } : others
}

const shownFieldsOf = shownFields(VENUE_FIELDS)

export const VENUES = defineRelated<VenueRow, VenueResponse>({
  singular: 'venue',
  table: venues,
  links: eventVenues,
  seriesLinks: seriesVenues,
  listParams: venueList,
  fields: venueFields,
  declared: VENUE_FIELDS,
  addressColumns: [
    'address',
    'city',
    'country',
    'province',
    'state',
    'stateprovince',
    'zip',
  ] satisfies (keyof VenueFields)[],
  columnsOf: storedColumns(VENUE_FIELDS, venues),
  valuesToStore,
  validate,
  selectRows: selectVenues,
  response: venueSchema,
  // As in the plugin, `stateprovince` has the state in the United States, and the province elsewhere.
  serializeShown: row => shownFieldsOf({ ...row, stateprovince: regionOf(row) }),
  node: placeNode,
})

export const venueRoutes = [locateRoute, ...relatedRoutes(VENUES, venueFields)]
