import * as z from 'zod'
import { contentFields } from '../content/fields.ts'
import { contentResponse, imageSchema, jsonLdSchema } from '../content/response.ts'
import { decimalOrNone, flag, LIMIT, line, name, url } from '../http/params.ts'

/** Coordinates: WGS 84, in degrees. */
const geo = {
  geo_lat: decimalOrNone({
    minimum: -90,
    maximum: 90,
    description: 'Latitude in degrees, with `geo_lng`; empty both for none.',
    example: 53.27,
  }).optional(),
  geo_lng: decimalOrNone({
    minimum: -180,
    maximum: 180,
    description: 'Longitude in degrees, with `geo_lat`; empty both for none.',
    example: -9.05,
  }).optional(),
}

export const venueFields = z
  .object({
    venue: name({ description: 'Name of the venue.', example: 'The Barn' }),
    address: line({ description: 'Street and number.', example: '1 Lane' }).optional(),
    city: line({ description: 'City.', example: 'Kent' }).optional(),
    country: line({ description: 'Country.', example: 'Ireland' }).optional(),
    province: line({ description: 'Province.', example: 'Leinster' }).optional(),
    state: line({ description: 'State.', example: 'MA' }).optional(),
    stateprovince: line({ description: 'State or province.', example: 'MA' }).optional(),
    zip: line({ description: 'Postal code.', example: '02101' }).optional(),
    phone: line({ description: 'Telephone number.', example: '+353 1 234' }).optional(),
    website: url({ description: 'Address of the website.', example: 'https://barn.example.org' }).optional(),
    show_map: flag({ description: 'Events here show a map.', default: true }).optional(),
    show_map_link: flag({
      description: 'Events here show a link to a map.',
      default: true,
    }).optional(),
    ...geo,
    ...contentFields(LIMIT.placeDescription),
  })
  .meta({ id: 'VenueFields' })

export type VenueFields = z.output<typeof venueFields>

export const venueSchema = z
  .object({
    ...contentResponse,
    venue: z.string(),
    description: z.string().optional(),
    image: imageSchema.optional(),
    address: z.string().optional(),
    city: z.string().optional(),
    country: z.string().optional(),
    province: z.string().optional(),
    state: z.string().optional(),
    stateprovince: z.string().optional(),
    zip: z.string().optional(),
    phone: z.string().optional(),
    website: z.string().optional(),
    geo_lat: z.number().optional(),
    geo_lng: z.number().optional(),
    external_id: z.string().optional(),
    json_ld: jsonLdSchema.optional(),
    show_map: z.boolean(),
    show_map_link: z.boolean(),
  })
  .meta({ id: 'Venue' })

export type VenueResponse = z.output<typeof venueSchema>
