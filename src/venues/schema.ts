import * as z from 'zod/mini'
import { contentFields } from '../content/fields.ts'
import { contentResponse, imageSchema, jsonLdSchema } from '../content/response.ts'
import { decimalOrNone, flag, LIMIT, line, name, url } from '../http/params.ts'

/** Coordinates: WGS 84, in degrees. */
const geo = {
  geo_lat: z.optional(
    decimalOrNone({
      minimum: -90,
      maximum: 90,
      description: 'Latitude in degrees, with `geo_lng`; empty both for none.',
      example: 53.27,
    }),
  ),
  geo_lng: z.optional(
    decimalOrNone({
      minimum: -180,
      maximum: 180,
      description: 'Longitude in degrees, with `geo_lat`; empty both for none.',
      example: -9.05,
    }),
  ),
}

export const venueFields = z
  .object({
    venue: name({ description: 'Name of the venue.', example: 'The Barn' }),
    address: z.optional(line({ description: 'Street and number.', example: '1 Lane' })),
    city: z.optional(line({ description: 'City.', example: 'Kent' })),
    country: z.optional(line({ description: 'Country.', example: 'Ireland' })),
    province: z.optional(line({ description: 'Province.', example: 'Leinster' })),
    state: z.optional(line({ description: 'State.', example: 'MA' })),
    stateprovince: z.optional(line({ description: 'State or province.', example: 'MA' })),
    zip: z.optional(line({ description: 'Postal code.', example: '02101' })),
    phone: z.optional(line({ description: 'Telephone number.', example: '+353 1 234' })),
    website: z.optional(url({ description: 'Address of the website.', example: 'https://barn.example.org' })),
    show_map: z.optional(flag({ description: 'Events here show a map.', default: true })),
    show_map_link: z.optional(
      flag({
        description: 'Events here show a link to a map.',
        default: true,
      }),
    ),
    ...geo,
    ...contentFields(LIMIT.placeDescription),
  })
  .register(z.globalRegistry, { id: 'VenueFields' })

export type VenueFields = z.output<typeof venueFields>

export const venueSchema = z
  .object({
    ...contentResponse,
    venue: z.string(),
    description: z.optional(z.string()),
    image: z.optional(imageSchema),
    address: z.optional(z.string()),
    city: z.optional(z.string()),
    country: z.optional(z.string()),
    province: z.optional(z.string()),
    state: z.optional(z.string()),
    stateprovince: z.optional(z.string()),
    zip: z.optional(z.string()),
    phone: z.optional(z.string()),
    website: z.optional(z.string()),
    geo_lat: z.optional(z.number()),
    geo_lng: z.optional(z.number()),
    external_id: z.optional(z.string()),
    json_ld: z.optional(jsonLdSchema),
    show_map: z.boolean(),
    show_map_link: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Venue' })

export type VenueResponse = z.output<typeof venueSchema>
