import type { SerializeContext } from '../../context.ts'
import { eventOrganizers, organizers, seriesOrganizers } from '../../db/schema.ts'
import { node } from '../../lib/escape.ts'
import { htmlToText } from '../../lib/text.ts'
import { shownFields, storedColumns } from '../content/fields.ts'
import { imageUrl } from '../content/images.ts'
import {
  defineRelated,
  type OrganizerRow,
  relatedList,
  selectOrganizers,
} from '../content/related/resource.ts'
import { relatedRoutes } from '../content/related/routes.ts'
import { permalink } from '../content/resource.ts'
import { ORGANIZER_FIELDS, type OrganizerResponse, organizerFields, organizerSchema } from './schema.ts'

/**
 * JSON-LD of an organizer: https://schema.org/Organization where an event names it. Its own is https://schema.org/Person, which
 * consumers expect although it may be an organization (recorded).
 */
export const organizerNode = (
  row: OrganizerRow,
  context: SerializeContext,
  type: 'Person' | 'Organization' = 'Organization',
) =>
  node(type, {
    name: row.name,
    description: htmlToText(row.description),
    image: row.image ? imageUrl(row.image, context) : undefined,
    url: permalink(row, 'organizer', context),
    telephone: row.phone,
    email: row.email,
    sameAs: row.website,
  })

export const ORGANIZERS = defineRelated<OrganizerRow, OrganizerResponse>({
  singular: 'organizer',
  table: organizers,
  links: eventOrganizers,
  seriesLinks: seriesOrganizers,
  listParams: relatedList,
  fields: organizerFields,
  declared: ORGANIZER_FIELDS,
  columnsOf: storedColumns(ORGANIZER_FIELDS, organizers),
  selectRows: selectOrganizers,
  response: organizerSchema,
  shown: shownFields(ORGANIZER_FIELDS),
  node: (row, context) => organizerNode(row, context, 'Person'),
})

export const organizerRoutes = relatedRoutes(ORGANIZERS, organizerFields)
