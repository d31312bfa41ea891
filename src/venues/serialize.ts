import { serializeImage } from '../content/images.ts'
import type { VenueRow } from '../content/related/rows.ts'
import { contentHead, globalIds, omitEmpty, permalink } from '../content/serialize.ts'
import type { SerializeContext } from '../context.ts'
import { jsonLd, node } from '../lib/json-ld.ts'
import { htmlToText } from '../lib/text.ts'
import type { VenueResponse } from './schema.ts'

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
  ...omitEmpty({ description: row.description }),
  slug: row.slug,
  ...(row.image && { image: serializeImage(row.image, context) }),
  ...omitEmpty({
    address: row.address,
    city: row.city,
    country: row.country,
    province: row.province,
    state: row.state,
    zip: row.zip,
    phone: row.phone,
    website: row.website,
    stateprovince: row.stateprovince,
    external_id: row.external_id,
  }),
  ...(row.geo_lat !== null && row.geo_lng !== null && { geo_lat: row.geo_lat, geo_lng: row.geo_lng }),
  ...(json_ld && { json_ld }),
  show_map: row.show_map,
  show_map_link: row.show_map_link,
  ...globalIds(context, row.id),
})

/** JSON-LD of a venue: https://schema.org/Place */
export const placeNode = (row: VenueRow, context: SerializeContext) =>
  node('Place', {
    name: row.name,
    description: htmlToText(row.description),
    image: row.image?.url,
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
