import { relatedRoutes } from '../content/related/routes.ts'
import { selectVenues } from '../content/related/rows.ts'
import { VENUES } from './kind.ts'
import { venueFields } from './schema.ts'

export const venueRoutes = relatedRoutes(VENUES, {
  fields: venueFields,
  listId: 'VenueList',
  select: selectVenues,
})
