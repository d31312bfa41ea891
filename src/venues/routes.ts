import { linkedRoutes } from '../linked/routes.ts'
import { VENUES } from './kind.ts'
import { venueFields } from './schema.ts'

export const venueRoutes = linkedRoutes(VENUES, venueFields, 'VenueList')
