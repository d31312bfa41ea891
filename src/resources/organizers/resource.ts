import type { SerializeContext } from '../../context.ts'
import { eventOrganizers, organizers, seriesOrganizers } from '../../db/schema.ts'
import { jsonLd, node } from '../../lib/escape.ts'
import { htmlToText } from '../../lib/text.ts'
import { searchedNames, shownFields, storedColumns } from '../content/fields.ts'
import { imageUrl, serializeImage } from '../content/images.ts'
import {
  type OrganizerRow,
  type RelatedResource,
  relatedEvents,
  relatedList,
  relatedRemoval,
  selectOrganizers,
} from '../content/related/resource.ts'
import { relatedRoutes } from '../content/related/routes.ts'
import { contentHead, globalIds, permalink } from '../content/resource.ts'
import { ORGANIZER_FIELDS, type OrganizerResponse, organizerFields, organizerSchema } from './schema.ts'

const asShown = shownFields(ORGANIZER_FIELDS)

/** An organizer in its serialized form. @param json_ld for single reads */
export const serializeOrganizer = (
  row: OrganizerRow,
  context: SerializeContext,
  json_ld?: OrganizerResponse['json_ld'],
): OrganizerResponse => ({
  id: row.id,
  ...contentHead(row, context),
  url: permalink(row, 'organizer', context),
  organizer: row.name,
  ...asShown(row),
  slug: row.slug,
  ...(row.image && { image: serializeImage(row.image, context) }),
  ...(json_ld && { json_ld }),
  ...globalIds(context, row.id),
})

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

const serializeSingleOrganizer = (row: OrganizerRow, context: SerializeContext): OrganizerResponse =>
  serializeOrganizer(row, context, jsonLd(organizerNode(row, context, 'Person')))

export const ORGANIZERS: RelatedResource<OrganizerRow, OrganizerResponse> = {
  singular: 'organizer',
  plural: 'organizers',
  table: organizers,
  links: eventOrganizers,
  seriesLinks: seriesOrganizers,
  searchTable: 'organizers_search',
  listParams: relatedList,
  searchColumns: searchedNames(ORGANIZER_FIELDS),
  fields: organizerFields,
  declared: ORGANIZER_FIELDS,
  columnsOf: storedColumns(ORGANIZER_FIELDS, organizers),
  select: (_, condition) => selectOrganizers(condition),
  response: organizerSchema,
  serialize: serializeOrganizer,
  serializeSingle: serializeSingleOrganizer,
  removal: relatedRemoval(organizers, [eventOrganizers, seriesOrganizers]),
  uses: { events: relatedEvents('organizer', seriesOrganizers), code: 'organizer-is-in-use' },
}

export const organizerRoutes = relatedRoutes(ORGANIZERS, {
  fields: organizerFields,
  listId: 'OrganizerList',
  select: selectOrganizers,
})
