import { linkedRoutes } from '../linked/routes.ts'
import { ORGANIZERS } from './kind.ts'
import { organizerFields } from './schema.ts'

export const organizerRoutes = linkedRoutes(ORGANIZERS, organizerFields, 'OrganizerList')
