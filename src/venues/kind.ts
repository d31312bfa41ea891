import { eventVenues, venues } from '../db/schema.ts'
import type { LinkedKind } from '../linked/kind.ts'
import { linkedRemoval } from '../linked/rows.ts'
import { type VenueAnswer, venueFields, venueSchema } from './schema.ts'
import { singleVenueAnswer, type VenueRow, venueAnswer, venueRows } from './serialize.ts'

const ADDRESS = ['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip'] as const

export const VENUES: LinkedKind<VenueRow, VenueAnswer> = {
  singular: 'venue',
  plural: 'venues',
  table: venues,
  links: eventVenues,
  searchTable: 'venues_search',
  fields: venueFields,
  searched: [...ADDRESS, 'phone', 'website'],
  select: venueRows.select,
  answer: venueSchema,
  serialize: (row, view) => venueAnswer(row, view),
  serializeSingle: singleVenueAnswer,
  removal: linkedRemoval(venues, eventVenues),
  // A venue that moves gets its map back: the flags said something of the old place (recorded).
  implied: (changes, stored) =>
    ADDRESS.some(part => changes[part] !== undefined && changes[part] !== stored[part])
      ? { show_map: true, show_map_link: true }
      : {},
}
