import type { SerializeContext } from '../../context.ts'
import { jsonLd, node } from '../../lib/escape.ts'
import { htmlToText } from '../../lib/text.ts'
import { shownFields } from '../content/field-table.ts'
import { imageUrl, serializeImage } from '../content/images.ts'
import type { VenueRow } from '../content/related/rows.ts'
import { contentHead, globalIds, permalink } from '../content/response.ts'
import { VENUE_FIELDS, type VenueResponse } from './schema.ts'

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

/** JSON-LD of a venue: https://schema.org/Place */
export const placeNode = (row: VenueRow, context: SerializeContext) =>
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
  })

export const serializeSingleVenue = (row: VenueRow, context: SerializeContext): VenueResponse =>
  serializeVenue(row, context, jsonLd(placeNode(row, context)))
