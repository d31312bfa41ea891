import * as z from 'zod/mini'
import * as p from '../../kit/http/params.ts'
import { WHEELCHAIR_ACCESS } from '../../kit/lib/statuses.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import {
  accessRows,
  computedField,
  contentRows,
  fieldTable,
  paramsOf,
  plainField,
  responsesOf,
} from '../content/fields.ts'
import { contentResponse, imageSchema, jsonLdSchema } from '../content/resource.ts'

const text = z.optional(z.string())

/** A one-line text field of a venue, which searches read as well. */
const lineField = (description: string, example: string) =>
  plainField(z.optional(p.line({ description, example })), text)

/** The fields of venues. A new plain field needs a row here, a column and a migration. */
export const VENUE_FIELDS = fieldTable({
  venue: computedField(p.name({ description: 'Name of the venue.', example: 'The Barn' }), ['name']),
  address: lineField('Street and number.', '1 Lane'),
  city: lineField('City.', 'Kent'),
  country: lineField('Country.', 'Ireland'),
  province: lineField('Province.', 'Leinster'),
  state: lineField('State.', 'MA'),
  stateprovince: lineField(
    'State or province. If it was not sent, responses have the `state`, or else the `province`; with a `country` other than the United States, the `province` alone.',
    'MA',
  ),
  zip: lineField('Postal code.', '02101'),
  phone: lineField('Telephone number.', '+353 1 234'),
  website: plainField(
    z.optional(p.url({ description: 'Address of the website.', example: 'https://barn.example.org' })),
    text,
  ),
  show_map: plainField(
    z.optional(p.flag({ description: 'Events here show a map.', default: true })),
    z.boolean(),
  ),
  show_map_link: plainField(
    z.optional(p.flag({ description: 'Events here show a link to a map.', default: true })),
    z.boolean(),
  ),
  geo_lat: plainField(
    z.optional(
      p.decimalOrNone({
        ...p.LATITUDE,
        description: 'Latitude (WGS 84) in degrees, together with `geo_lng`; both empty for none.',
        example: 53.27,
      }),
    ),
    z.optional(z.number()),
  ),
  geo_lng: plainField(
    z.optional(
      p.decimalOrNone({
        ...p.LONGITUDE,
        description: 'Longitude (WGS 84) in degrees, together with `geo_lat`; both empty for none.',
        example: -9.05,
      }),
    ),
    z.optional(z.number()),
  ),
  ...accessRows(z.optional(z.enum(WHEELCHAIR_ACCESS)), text),
  ...contentRows(FIELD_LIMITS.placeDescription, text),
})

export const venueFields = p.documented(z.object(paramsOf(VENUE_FIELDS)), { id: 'VenueFields' })

export type VenueFields = z.output<typeof venueFields>

export const venueSchema = p.documented(
  z.object({
    ...contentResponse,
    venue: p.escapedName,
    ...responsesOf(VENUE_FIELDS),
    image: z.optional(imageSchema),
    json_ld: z.optional(jsonLdSchema),
  }),
  { id: 'Venue' },
)

export type VenueResponse = z.output<typeof venueSchema>
