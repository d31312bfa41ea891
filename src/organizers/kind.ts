import { eventOrganizers, organizers } from '../db/schema.ts'
import type { LinkedKind } from '../linked/kind.ts'
import { linkedRemoval } from '../linked/rows.ts'
import { type OrganizerAnswer, organizerFields, organizerSchema } from './schema.ts'
import { type OrganizerRow, organizerAnswer, organizerRows, singleOrganizerAnswer } from './serialize.ts'

export const ORGANIZERS: LinkedKind<OrganizerRow, OrganizerAnswer> = {
  singular: 'organizer',
  plural: 'organizers',
  table: organizers,
  links: eventOrganizers,
  searchTable: 'organizers_search',
  fields: organizerFields,
  searched: ['phone', 'website', 'email'],
  select: organizerRows.select,
  answer: organizerSchema,
  serialize: (row, view) => organizerAnswer(row, view),
  serializeSingle: singleOrganizerAnswer,
  removal: linkedRemoval(organizers, eventOrganizers),
}
