import { columnsWithout } from '../db/rows.ts'
import { eventVenues, venues } from '../db/schema.ts'
import { jsonLd, node } from '../lib/json-ld.ts'
import { htmlToText } from '../lib/text.ts'
import { linkedRows } from '../linked/rows.ts'
import { imageAnswer } from '../posts/images.ts'
import { globalIds, permalink, postHead, stated } from '../posts/serialize.ts'
import type { View } from '../view.ts'
import type { VenueAnswer } from './schema.ts'

export const venueRows = linkedRows(venues, eventVenues, columnsWithout(venues))
export type VenueRow = ReturnType<typeof venueRows.readJson>[number]

/** @param data JSON-LD, on single reads */
export const venueAnswer = (row: VenueRow, view: View, data?: VenueAnswer['json_ld']): VenueAnswer => ({
  id: row.id,
  ...postHead(row, view),
  url: permalink(row, 'venue', view),
  venue: row.name,
  ...stated({ description: row.description }),
  slug: row.slug,
  ...(row.image && { image: imageAnswer(row.image, view) }),
  ...stated({
    address: row.address,
    city: row.city,
    country: row.country,
    province: row.province,
    state: row.state,
    zip: row.zip,
    phone: row.phone,
    website: row.website,
    stateprovince: row.stateprovince,
  }),
  ...(row.geo_lat !== null && row.geo_lng !== null && { geo_lat: row.geo_lat, geo_lng: row.geo_lng }),
  ...(data && { json_ld: data }),
  show_map: row.show_map,
  show_map_link: row.show_map_link,
  ...globalIds(view, row.id),
})

/** https://schema.org/Place */
export const placeNode = (row: VenueRow, view: View) =>
  node('Place', {
    name: row.name,
    description: htmlToText(row.description),
    image: row.image?.url,
    url: permalink(row, 'venue', view),
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

export const singleVenueAnswer = (row: VenueRow, view: View): VenueAnswer =>
  venueAnswer(row, view, jsonLd(placeNode(row, view)))
