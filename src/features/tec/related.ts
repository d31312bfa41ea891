import * as z from 'zod/mini'
import { selectRelated } from '../../calendar/content/related/queries.ts'
import {
  type OrganizerRow,
  type RelatedResource,
  type RelatedRow,
  relatedList,
  type VenueRow,
} from '../../calendar/content/related/resource.ts'
import { relatedWrites } from '../../calendar/content/related/writes.ts'
import { ORGANIZER_FIELDS, ORGANIZERS, type OrganizerResponse } from '../../calendar/organizers/resource.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import { VENUE_FIELDS, type VenueResponse } from '../../calendar/venues/schema.ts'
import { documented } from '../../kit/http/params.ts'
import { defineEntity, type EntityResource, routesOfEntity } from './entity-routes.ts'
import {
  commonFields,
  type EntitySource,
  listParams,
  sameFields,
  settableAs,
  stringSchema,
  tecField,
} from './fields.ts'

// Venues and organizers as entities of `tec/v1`.

type Venue = EntitySource<VenueRow, VenueResponse>

const MAP_SITE = 'https://www.openstreetmap.org'

function directionsTo({ serialized: { geo_lat, geo_lng, ...venue } }: Venue): string {
  if (geo_lat !== undefined && geo_lng !== undefined) return `${MAP_SITE}/directions?to=${geo_lat},${geo_lng}`
  const { address, city, stateprovince, zip, country } = venue
  const parts = [address, city, stateprovince, zip, country].filter(Boolean)
  return parts.length > 0 ? `${MAP_SITE}/search?${new URLSearchParams({ query: parts.join(', ') })}` : ''
}

export const VENUE_ENTITIES = defineEntity<VenueRow, VenueResponse>(VENUES, {
  ...commonFields('tribe_venue', 'venue', VENUE_FIELDS),
  ...sameFields(VENUE_FIELDS, ['address', 'country', 'city', 'state', 'province', 'zip', 'phone', 'website']),
  // The value that was sent. The calendar's own API fills it from state or province.
  state_province: tecField(
    stringSchema,
    ({ row }) => row.stateprovince,
    settableAs(VENUE_FIELDS, 'stateprovince'),
  ),
  directions_link: tecField(
    documented(z.string(), 'Directions on a map; empty for a venue without an address.'),
    directionsTo,
  ),
})

export const ORGANIZER_ENTITIES = defineEntity<OrganizerRow, OrganizerResponse>(ORGANIZERS, {
  ...commonFields('tribe_organizer', 'organizer', ORGANIZER_FIELDS),
  ...sameFields(ORGANIZER_FIELDS, ['phone', 'website', 'email']),
})

const routesOf = <R extends RelatedRow, Own>(
  resource: RelatedResource<R, Own>,
  entities: EntityResource<R>,
) =>
  routesOfEntity({
    resource: entities,
    writes: relatedWrites(resource),
    params: z.object({ ...relatedList.shape, ...listParams }),
    // For an unknown event, the plugin's lists are empty, unlike the calendar's own lists.
    select: (context, input) => selectRelated(context, resource, input),
  })

export const RELATED_ROUTES = [
  ...routesOf(VENUES, VENUE_ENTITIES),
  ...routesOf(ORGANIZERS, ORGANIZER_ENTITIES),
]
