import * as z from 'zod/mini'
import type { SerializeContext } from '../../context.ts'
import * as p from '../../http/params.ts'
import type { OrganizerRow, VenueRow } from '../../resources/content/related/resource.ts'
import { ORGANIZER_FIELDS, ORGANIZERS } from '../../resources/organizers/resource.ts'
import { VENUES } from '../../resources/venues/resource.ts'
import { VENUE_FIELDS, type VenueResponse } from '../../resources/venues/schema.ts'
import { searchParam } from '../wordpress/shapes.ts'
import { entityHead, headFields, headShape, listParams, row } from './shapes.ts'

// Venues and organizers as entities of `tec/v1`. Texts that they lack are empty.

const VENUE_TEXTS = {
  address: 'address',
  country: 'country',
  city: 'city',
  state_province: 'stateprovince',
  state: 'state',
  province: 'province',
  zip: 'zip',
  phone: 'phone',
  website: 'website',
} as const
const ORGANIZER_TEXTS = { phone: 'phone', website: 'website', email: 'email' } as const

/** Texts of an entity by its own names. */
const textsOf = <const T extends Readonly<Record<string, string>>>(
  names: T,
  one: { readonly [N in T[keyof T]]?: string | undefined },
) =>
  // An entry for each name.
  Object.fromEntries(
    Object.entries(names).map(([name, own]) => [name, one[own as T[keyof T]] ?? '']),
  ) as Record<keyof T, string>

const shapesOf = <const T extends Readonly<Record<string, string>>>(names: T) =>
  // An entry for each name.
  Object.fromEntries(Object.keys(names).map(name => [name, z.string()])) as {
    [K in keyof T]: z.ZodMiniString
  }

export const venueShape = z
  .object({
    ...headShape,
    type: z.literal('tribe_venue'),
    ...shapesOf(VENUE_TEXTS),
    directions_link: z.string().register(z.globalRegistry, {
      description: 'The way there on a map; empty for a venue without an address.',
    }),
  })
  .register(z.globalRegistry, { id: 'TecVenue' })
export type VenueEntity = z.output<typeof venueShape>

export const organizerShape = z
  .object({ ...headShape, type: z.literal('tribe_organizer'), ...shapesOf(ORGANIZER_TEXTS) })
  .register(z.globalRegistry, { id: 'TecOrganizer' })
export type OrganizerEntity = z.output<typeof organizerShape>

const MAP = 'https://www.openstreetmap.org'

function directionsTo({ geo_lat, geo_lng, ...venue }: VenueResponse): string {
  if (geo_lat !== undefined && geo_lng !== undefined) return `${MAP}/directions?to=${geo_lat},${geo_lng}`
  const { address, city, stateprovince, zip, country } = venue
  const parts = [address, city, stateprovince, zip, country].filter(Boolean)
  return parts.length > 0 ? `${MAP}/search?${new URLSearchParams({ query: parts.join(', ') })}` : ''
}

/** A venue as an entity. Its `state_province` is what was sent: the calendar's own API fills it from its state or province. */
export function venueEntity(row: VenueRow, context: SerializeContext): VenueEntity {
  const venue = VENUES.serialize(row, context)
  return {
    ...entityHead(venue, { title: venue.venue, type: 'tribe_venue' }, context),
    type: 'tribe_venue',
    ...textsOf(VENUE_TEXTS, venue),
    state_province: row.stateprovince,
    directions_link: directionsTo(venue),
  }
}

/** An organizer as an entity. */
export function organizerEntity(row: OrganizerRow, context: SerializeContext): OrganizerEntity {
  const organizer = ORGANIZERS.serialize(row, context)
  return {
    ...entityHead(organizer, { title: organizer.organizer, type: 'tribe_organizer' }, context),
    type: 'tribe_organizer',
    ...textsOf(ORGANIZER_TEXTS, organizer),
  }
}

/** Venues and organizers as entities. */
export const VENUE_ENTITIES = {
  ...VENUES,
  response: venueShape,
  serialize: venueEntity,
  serializeSingle: venueEntity,
}
export const ORGANIZER_ENTITIES = {
  ...ORGANIZERS,
  response: organizerShape,
  serialize: organizerEntity,
  serializeSingle: organizerEntity,
}

/** The fields that venues take. */
export const VENUE_ROWS = {
  ...headFields,
  title: row('venue', VENUE_FIELDS.venue.param),
  content: row('description', VENUE_FIELDS.description.param),
  address: row('address', VENUE_FIELDS.address.param),
  country: row('country', VENUE_FIELDS.country.param),
  city: row('city', VENUE_FIELDS.city.param),
  state_province: row('stateprovince', VENUE_FIELDS.stateprovince.param),
  state: row('state', VENUE_FIELDS.state.param),
  province: row('province', VENUE_FIELDS.province.param),
  zip: row('zip', VENUE_FIELDS.zip.param),
  phone: row('phone', VENUE_FIELDS.phone.param),
  website: row('website', VENUE_FIELDS.website.param),
}

/** The fields that organizers take. */
export const ORGANIZER_ROWS = {
  ...headFields,
  title: row('organizer', ORGANIZER_FIELDS.organizer.param),
  content: row('description', ORGANIZER_FIELDS.description.param),
  phone: row('phone', ORGANIZER_FIELDS.phone.param),
  website: row('website', ORGANIZER_FIELDS.website.param),
  email: row('email', ORGANIZER_FIELDS.email.param),
}

export const relatedParams = z.object({
  ...listParams,
  search: searchParam,
  event: z.optional(p.integer({ description: 'Only those of this event.', example: 12 })),
  has_events: z.optional(p.flag({ description: 'Linked to a published event, or not.' })),
  only_with_upcoming: z.optional(
    p.flag({ description: 'Linked to a published event that has not ended.', default: false }),
  ),
})
