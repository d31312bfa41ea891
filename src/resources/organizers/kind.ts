import { eventOrganizers, organizers, seriesOrganizers } from '../../db/schema.ts'
import { searchedNames, storedColumns } from '../content/field-table.ts'
import { type RelatedKind, relatedList } from '../content/related/kind.ts'
import {
  type OrganizerRow,
  relatedEvents,
  relatedRemoval,
  selectOrganizers,
} from '../content/related/rows.ts'
import { ORGANIZER_FIELDS, type OrganizerResponse, organizerFields, organizerSchema } from './schema.ts'
import { serializeOrganizer, serializeSingleOrganizer } from './serialize.ts'

export const ORGANIZERS: RelatedKind<OrganizerRow, OrganizerResponse> = {
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
  uses: { events: relatedEvents(eventOrganizers, seriesOrganizers), code: 'organizer-is-in-use' },
}
