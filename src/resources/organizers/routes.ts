import { relatedRoutes } from '../content/related/routes.ts'
import { selectOrganizers } from '../content/related/rows.ts'
import { ORGANIZERS } from './kind.ts'
import { organizerFields } from './schema.ts'

export const organizerRoutes = relatedRoutes(ORGANIZERS, {
  fields: organizerFields,
  listId: 'OrganizerList',
  select: selectOrganizers,
})
