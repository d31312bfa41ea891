import { asColumns, ownFields } from '../content/columns.ts'
import type { RelatedKind } from '../content/related/kind.ts'
import { type OrganizerRow, relatedRemoval, selectOrganizers } from '../content/related/rows.ts'
import { eventOrganizers, organizers, seriesOrganizers } from '../db/schema.ts'
import { type OrganizerFields, type OrganizerResponse, organizerFields, organizerSchema } from './schema.ts'
import { serializeOrganizer, serializeSingleOrganizer } from './serialize.ts'

/** The columns of an organizer's own fields. */
const columnsOf = ({ organizer: name, ...fields }: Partial<OrganizerFields>) =>
  asColumns(organizers, { name, ...ownFields(fields) })

export const ORGANIZERS: RelatedKind<OrganizerRow, OrganizerResponse> = {
  singular: 'organizer',
  plural: 'organizers',
  table: organizers,
  links: eventOrganizers,
  seriesLinks: seriesOrganizers,
  searchTable: 'organizers_search',
  searchColumns: ['phone', 'website', 'email'],
  fields: organizerFields,
  columnsOf,
  select: (_, condition) => selectOrganizers(condition),
  response: organizerSchema,
  serialize: serializeOrganizer,
  serializeSingle: serializeSingleOrganizer,
  removal: relatedRemoval(organizers, [eventOrganizers, seriesOrganizers]),
}
